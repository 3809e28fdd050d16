#include "tests/unit/model/helper_plans.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/json.h"

struct str
plans_read(struct arena *a, const char *name)
{
	const char *shared = getenv("FLIGHTDECK_SHARED");
	const char *path = arena_printf(
	    a, "%s/plans/%s", shared != NULL ? shared : TEST_SOURCE_DIR "/../shared", name);
	FILE *f = fopen(path, "rb");
	struct str out = { NULL, 0 };
	long size;
	char *bytes;

	if (f == NULL)
		return out;
	if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) > 0 && fseek(f, 0, SEEK_SET) == 0) {
		bytes = arena_get(a, (size_t)size + 1);
		if (bytes != NULL && fread(bytes, 1, (size_t)size, f) == (size_t)size)
			out = (struct str){ bytes, (size_t)size };
	}
	fclose(f);
	return out;
}

static struct str
as_json(struct arena *a, const struct node *n)
{
	struct text t = TEXT_INIT(4096);
	struct str s;

	if (n == NULL)
		return STR("(absent)");
	json_write(&t, n, JSON_SORTED);
	s = str_copy(a, text_str(&t));
	text_free(&t);
	return s;
}

static bool
is_nothing(const struct node *n)
{
	return n == NULL || n->type == NODE_NULL;
}

static struct str
at(struct arena *a, const char *path, const struct node *want, const struct node *have)
{
	return str_from(arena_printf(a, "%s: recorded " STR_FMT ", ours " STR_FMT, path,
	    STR_ARG(as_json(a, want)), STR_ARG(as_json(a, have))));
}

static struct str differ(
    struct arena *a, const char *path, const struct node *want, const struct node *have);

static struct str
differ_map(struct arena *a, const char *path, const struct node *want, const struct node *have)
{
	for (const struct node *w = node_first(want); w != NULL; w = w->next) {
		struct str d = differ(a, arena_printf(a, "%s." STR_FMT, path, STR_ARG(w->key)), w,
		    node_find_str(have, w->key));

		if (d.n > 0)
			return d;
	}
	for (const struct node *h = node_first(have); h != NULL; h = h->next)
		if (!is_nothing(h) && is_nothing(node_find_str(want, h->key)))
			return at(
			    a, arena_printf(a, "%s." STR_FMT, path, STR_ARG(h->key)), NULL, h);
	return STR("");
}

static struct str
differ(struct arena *a, const char *path, const struct node *want, const struct node *have)
{
	size_t i = 0;

	if (is_nothing(want) && is_nothing(have))
		return STR("");
	if (is_nothing(want) || is_nothing(have) || want->type != have->type)
		return at(a, path, want, have);
	if (want->type == NODE_MAP)
		return differ_map(a, path, want, have);
	if (want->type != NODE_LIST)
		return node_eq(want, have) ? STR("") : at(a, path, want, have);
	if (node_count(want) != node_count(have))
		return at(a, path, want, have);
	for (const struct node *w = node_first(want); w != NULL; w = w->next, i++) {
		struct str d = differ(a, arena_printf(a, "%s[%zu]", path, i), w, node_at(have, i));

		if (d.n > 0)
			return d;
	}
	return STR("");
}

struct str
plans_differ(struct arena *a, const struct node *want, const struct node *have)
{
	return differ(a, "", want, have);
}
