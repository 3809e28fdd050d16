#include "tui/cli/columns.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/stamp.h"

enum { CELL_MAX = 4096 };

/* "[0]" or "[?(@.key=='value')]", without the brackets. */
static const struct node *
pick(const struct node *list, struct str inside)
{
	ptrdiff_t equals = str_find(inside, STR("=="));
	struct str key;
	struct str value;
	int64_t index;

	if (str_to_int(inside, &index) && index >= 0)
		return node_at(list, (size_t)index);
	if (!str_starts(inside, STR("?(@.")) || !str_ends(inside, STR(")")) || equals < 4)
		return NULL;
	key = str_sub(inside, 4, (size_t)equals - 4);
	value = str_sub(inside, (size_t)equals + 2, inside.n - (size_t)equals - 3);
	if (value.n < 2 || (value.p[0] != '\'' && value.p[0] != '"'))
		return NULL;
	value = str_sub(value, 1, value.n - 2);
	for (const struct node *x = node_first(list); x != NULL; x = x->next) {
		if (str_eq(node_get_str(node_find_str(x, key)), value))
			return x;
	}
	return NULL;
}

/* Takes ".name" or "[...]" off the front of *path. */
static const struct node *
step(const struct node *n, struct str *path)
{
	size_t end = 1;

	if (path->p[0] == '[') {
		ptrdiff_t shut = str_find_char(*path, ']');
		struct str inside;

		if (shut < 0)
			return NULL;
		inside = str_sub(*path, 1, (size_t)shut - 1);
		*path = str_sub(*path, (size_t)shut + 1, path->n);
		return pick(n, inside);
	}
	while (end < path->n && path->p[end] != '.' && path->p[end] != '[')
		end++;
	n = node_find_str(n, str_sub(*path, 1, end - 1));
	*path = str_sub(*path, end, path->n);
	return n;
}

const struct node *
column_find(const struct node *object, const char *path)
{
	struct str rest = str_from(path);
	const struct node *n = object;

	while (n != NULL && rest.n > 0) {
		if (rest.p[0] != '.' && rest.p[0] != '[')
			return NULL;
		n = step(n, &rest);
	}
	return n;
}

struct str
column_text(
    struct arena *a, const struct node *object, const struct column_def *column, int64_t now_ms)
{
	const struct node *n = column_find(object, column->path);
	struct text out = TEXT_INIT(CELL_MAX);
	char age[STAMP_MAX];
	struct str s;

	if (n == NULL || n->type == NODE_NULL)
		return (struct str){ NULL, 0 };
	if (strcmp(column->type, "date") == 0) {
		int64_t then_ms = stamp_or_zero(node_get_str(n));

		if (then_ms == 0)
			return (struct str){ NULL, 0 };
		return str_copy(a, str_from(stamp_age(now_ms - then_ms, age)));
	}
	if (n->type == NODE_STRING)
		return n->u.string;
	json_write(&out, n, JSON_COMPACT);
	s = str_copy(a, text_str(&out));
	text_free(&out);
	return s;
}

bool
column_is_ours(const struct column_def *column)
{
	return !str_starts(str_from(column->path), STR(".spec.crossplane."));
}

bool
columns_have(const struct kind *k, const char *title)
{
	for (size_t i = 0; i < k->ncolumns; i++) {
		if (strcmp(k->columns[i].title, title) == 0)
			return true;
	}
	return false;
}
