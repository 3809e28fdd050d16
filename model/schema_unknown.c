#include "model/schema_int.h"

#include "model/base/mem.h"

enum { SUGGEST_MAX_FIELDS = 64, SUGGEST_LISTED = 12 };

/* "did you mean 'x'?", of the fields that are not given yet; or the fields that there are. */
static const char *
unknown_advice(struct arena *a, const struct schema *s, const struct node *value, struct str name)
{
	const char *names[SUGGEST_MAX_FIELDS];
	size_t n = 0;
	const char *near;
	struct text list = TEXT_INIT(1024);
	const char *ret;

	for (size_t i = 0; i < s->nfields && n < SUGGEST_MAX_FIELDS; i++) {
		if (node_find(value, s->fields[i].name) == NULL)
			names[n++] = s->fields[i].name;
	}
	near = suggest(name, names, n);
	if (near != NULL)
		return arena_printf(a, "did you mean '%s'?", near);
	for (size_t i = 0; i < s->nfields && i < SUGGEST_LISTED; i++) {
		text_add(&list, i == 0 ? "" : ", ");
		text_add(&list, s->fields[i].name);
	}
	if (s->nfields > SUGGEST_LISTED)
		text_add(&list, " ...");
	ret = arena_printf(a, "the fields here are %s", text_get(&list));
	text_free(&list);
	return ret;
}

static void
unknown_in_field(struct walk *w, const struct field *f, const struct node *value)
{
	size_t index = 0;

	if (f->sub == NULL)
		return;
	if (f->type == FT_OBJECT) {
		schema_check_unknown(w, f->sub, value);
		return;
	}
	if (f->type != FT_LIST && f->type != FT_MAPOF)
		return;
	if ((f->type == FT_LIST) != (value->type == NODE_LIST))
		return; /* of another type: said so later */
	for (const struct node *x = node_first(value); x != NULL; x = x->next) {
		size_t back =
		    f->type == FT_LIST ? path_push_index(w, index++) : path_push(w, x->key);

		schema_check_unknown(w, f->sub, x);
		path_pop(w, back);
	}
}

void
schema_check_unknown(struct walk *w, const struct schema *s, const struct node *value)
{
	if (s == NULL || value->type != NODE_MAP)
		return;
	for (const struct node *x = node_first(value); x != NULL; x = x->next) {
		const struct field *f = schema_child(s, x->key);
		size_t back = path_push(w, x->key);

		if (f != NULL) {
			unknown_in_field(w, f, x);
		} else {
			struct node place = node_key_place(x);
			size_t broken = w->broken;

			walk_fail(w, &place, "schema/unknown",
			    unknown_advice(w->arena, s, value, x->key), "no such field in %s",
			    s->name);
			w->broken = broken; /* an extra field spoils no rule */
		}
		path_pop(w, back);
	}
}
