#include "model/schema_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/display.h"

enum { WALK_TEXT_MAX = 768 };

/* Names that need no brackets in a path. */
static bool
is_plain_name(struct str s)
{
	if (s.n == 0)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			c == '_' || c == '-'))
			return false;
	}
	return true;
}

size_t
path_push(struct walk *w, struct str name)
{
	size_t before = w->path.n;

	if (is_plain_name(name)) {
		if (before > 0)
			text_add_char(&w->path, '.');
		text_add_str(&w->path, name);
		return before;
	}
	text_add_char(&w->path, '[');
	text_add_str(&w->path, display_cut(w->arena, name, SCHEMA_SHOWN_CHARS).s);
	text_add_char(&w->path, ']');
	return before;
}

size_t
path_push_index(struct walk *w, size_t index)
{
	size_t before = w->path.n;

	text_printf(&w->path, "[%zu]", index);
	return before;
}

void
path_pop(struct walk *w, size_t length)
{
	if (length >= w->path.n)
		return; /* the push did not fit */
	w->path.n = length;
	w->path.p[length] = '\0';
	w->path.too_long = false;
}

void
walk_fail(struct walk *w, const struct node *at, const char *rule, const char *advice,
    const char *fmt, ...)
{
	char message[WALK_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	if (vsnprintf(message, sizeof(message), fmt, ap) < 0)
		message[0] = '\0';
	va_end(ap);
	w->broken++;
	problems_add(
	    w->problems, SEVERITY_ERROR, at, text_str(&w->path), rule, advice, "%s", message);
}

struct node
node_key_place(const struct node *n)
{
	struct node place = { 0 };

	place.line = n->key_line > 0 ? n->key_line : n->line;
	place.column = n->key_line > 0 ? n->key_column : n->column;
	return place;
}

struct str
schema_shown(struct arena *a, const struct field *f, const struct node *value)
{
	struct str s;

	if (value == NULL)
		return STR("");
	if (f != NULL && (f->flags & SECRET) != 0)
		return STR("***");
	switch (value->type) {
	case NODE_NULL:
		return STR("null");
	case NODE_LIST:
		return STR("a list");
	case NODE_MAP:
		return STR("an object");
	case NODE_STRING:
		s = value->u.string;
		break;
	case NODE_BOOL:
		s = str_from(value->u.boolean ? "true" : "false");
		break;
	case NODE_INT:
		s = str_from(arena_printf(a, "%lld", (long long)value->u.integer));
		break;
	case NODE_FLOAT:
		s = str_from(arena_printf(a, "%g", value->u.floating));
		break;
	case NODE__MAX:
	default:
		return STR("");
	}
	if (value->text.n > 0 && value->type != NODE_STRING)
		s = value->text; /* as written: 1.30, not 1.3 */
	return display_cut(a, s, SCHEMA_SHOWN_CHARS).s;
}

const char *
schema_doc(struct arena *a, const struct field *f)
{
	struct str s = str_from(f->doc);

	if (str_ends(s, STR(".")))
		s.n--;
	return arena_printf(a, STR_FMT, STR_ARG(s));
}

const struct field *
schema_child(const struct schema *s, struct str name)
{
	if (s == NULL)
		return NULL;
	for (size_t i = 0; i < s->nfields; i++) {
		if (str_is(name, s->fields[i].name))
			return &s->fields[i];
	}
	return NULL;
}

struct str
strmap_find(const struct strmap *m, const char *key)
{
	for (size_t i = 0; i < m->n; i++) {
		if (str_is(m->items[i].key, key))
			return m->items[i].value;
	}
	return (struct str){ NULL, 0 };
}

static bool
same_keys(const struct field *list, const struct node *a, const struct node *b)
{
	for (const char *const *key = list->keys; *key != NULL; key++) {
		const struct node *x = node_find(a, *key);
		const struct node *y = node_find(b, *key);

		if (x == NULL && y == NULL)
			continue;
		if (x == NULL || y == NULL || !node_eq(x, y))
			return false;
	}
	return true;
}

const struct node *
schema_match(const struct field *list, const struct node *old, const struct node *item)
{
	if (list->keys == NULL || item->type != NODE_MAP)
		return NULL;
	for (const struct node *x = node_first(old); x != NULL; x = x->next) {
		if (x->type == NODE_MAP && same_keys(list, x, item))
			return x;
	}
	return NULL;
}
