#include "model/schema_int.h"

#include "model/base/mem.h"

/*
 * What a provider cannot change afterwards. Said before any call, so that nothing is half done.
 */

static void check_members(
    struct walk *w, const struct schema *s, const struct node *now, const struct node *old);

static void
check_items(struct walk *w, const struct field *f, const struct node *now, const struct node *old)
{
	size_t index = 0;

	for (const struct node *x = node_first(now); x != NULL; x = x->next) {
		const struct node *before =
		    f->type == FT_MAPOF ? node_find_str(old, x->key) : schema_match(f, old, x);
		size_t back =
		    f->type == FT_LIST ? path_push_index(w, index++) : path_push(w, x->key);

		if (before != NULL)
			check_members(w, f->sub, x, before);
		path_pop(w, back);
	}
}

static void
check_member(struct walk *w, const struct field *f, const struct node *now, const struct node *old,
    const struct node *parent)
{
	if ((f->flags & IMMUTABLE) != 0 &&
	    (now == NULL ? old != NULL : old == NULL || !node_eq(now, old))) {
		const struct node *at = now != NULL ? now : parent;

		walk_fail(w, at, "flightdeck/immutable", "make a new one with the wanted value",
		    "cannot change from '" STR_FMT "'",
		    STR_ARG(old != NULL ? schema_shown(w->arena, f, old) : STR("nothing")));
		return;
	}
	if (now == NULL || old == NULL || f->sub == NULL)
		return;
	if (f->type == FT_OBJECT)
		check_members(w, f->sub, now, old);
	else
		check_items(w, f, now, old);
}

static void
check_members(
    struct walk *w, const struct schema *s, const struct node *now, const struct node *old)
{
	for (size_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];
		size_t back = path_push(w, str_from(f->name));

		check_member(w, f, node_find(now, f->name), node_find(old, f->name), now);
		path_pop(w, back);
	}
}

void
schema_check_immutable(const struct kind *k, struct arena *a, const struct node *object,
    const struct node *old, struct problems *p)
{
	struct walk w = {
		.arena = a, .problems = p, .kind = k, .path = TEXT_INIT(SCHEMA_PATH_MAX)
	};
	const struct field *spec = schema_child(k->schema, STR("spec"));
	const struct node *now = node_find(object, "spec");
	const struct node *before = node_find(old, "spec");

	if (spec != NULL && spec->sub != NULL && now != NULL && before != NULL) {
		(void)path_push(&w, STR("spec"));
		check_members(&w, spec->sub, now, before);
	}
	text_free(&w.path);
}
