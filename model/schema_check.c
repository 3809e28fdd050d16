#include "model/schema_int.h"

#include "model/base/mem.h"

/* Stands for an element when the field is a list or a map of objects. */
static const struct field element = { .name = "", .type = FT_OBJECT };

static void check_object(
    struct walk *w, const struct schema *s, struct node *value, const struct node *old);

static void
check_missing(struct walk *w, const struct schema *s, const struct node *value)
{
	for (size_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];
		size_t back;

		if ((f->flags & REQUIRED) == 0 || node_find(value, f->name) != NULL)
			continue;
		back = path_push(w, str_from(f->name));
		walk_fail(w, value, "schema/required",
		    arena_printf(w->arena, "add '%s': %s", f->name, schema_doc(w->arena, f)),
		    "is missing");
		path_pop(w, back);
	}
}

/* One element of a list or one value of a map. */
static void
check_item(struct walk *w, const struct field *f, struct node *item, const struct node *old)
{
	size_t broken = w->broken;

	schema_check_value(w, &element, item);
	if (w->broken == broken)
		check_object(w, f->sub, item, old);
	if (w->broken == broken)
		schema_check_rules(w, f->item_rules, f->nitem_rules, item, old);
}

static void
check_items(struct walk *w, const struct field *f, struct node *value, const struct node *old)
{
	size_t index = 0;

	if (f->sub == NULL)
		return;
	for (struct node *x = node_first(value); x != NULL; x = x->next) {
		const struct node *before =
		    f->type == FT_MAPOF ? node_find_str(old, x->key) : schema_match(f, old, x);
		size_t back =
		    f->type == FT_LIST ? path_push_index(w, index++) : path_push(w, x->key);

		check_item(w, f, x, before);
		path_pop(w, back);
	}
}

static void
check_field(struct walk *w, const struct field *f, struct node *value, const struct node *old)
{
	size_t back = path_push(w, str_from(f->name));
	size_t broken = w->broken;

	schema_check_value(w, f, value);
	if (f->type == FT_OBJECT && value->type == NODE_MAP)
		check_object(w, f->sub, value, old);
	if ((f->type == FT_LIST && value->type == NODE_LIST) ||
	    (f->type == FT_MAPOF && value->type == NODE_MAP))
		check_items(w, f, value, old);
	if (w->broken == broken)
		schema_check_rules(w, f->rules, f->nrules, value, old);
	path_pop(w, back);
}

static void
check_object(struct walk *w, const struct schema *s, struct node *value, const struct node *old)
{
	size_t broken = w->broken;

	check_missing(w, s, value);
	if ((int64_t)node_count(value) < s->min_properties)
		walk_fail(w, value, "schema/items", "",
		    "is empty, at least %lld of its fields must be set",
		    (long long)s->min_properties);
	for (struct node *x = node_first(value); x != NULL; x = x->next) {
		const struct field *f = schema_child(s, x->key);

		if (f != NULL)
			check_field(w, f, x, node_find_str(old, x->key));
	}
	if (w->broken == broken)
		schema_check_rules(w, s->rules, s->nrules, value, old);
}

/* apiVersion and kind are those of the table; the caller found the table by them. */
static void
check_type(struct walk *w, const struct node *object)
{
	const struct node *version = node_find(object, "apiVersion");
	const struct node *kind = node_find(object, "kind");
	size_t back;

	if (version != NULL && !kind_has_api_version(w->kind, node_get_str(version))) {
		back = path_push(w, STR("apiVersion"));
		walk_fail(w, version, "schema/type", "", "is not that of %s", w->kind->kind);
		path_pop(w, back);
	}
	if (kind != NULL && !str_is(node_get_str(kind), w->kind->kind)) {
		back = path_push(w, STR("kind"));
		walk_fail(w, kind, "schema/type", "", "is not %s", w->kind->kind);
		path_pop(w, back);
	}
}

/* Everything but metadata, which has checks of its own. */
static void
check_members(struct walk *w, struct node *object, const struct node *old)
{
	const struct schema *s = w->kind->schema;

	check_missing(w, s, object);
	for (struct node *x = node_first(object); x != NULL; x = x->next) {
		const struct field *f = schema_child(s, x->key);

		if (f != NULL && !str_is(x->key, "metadata"))
			check_field(w, f, x, node_find_str(old, x->key));
	}
}

bool
schema_check_cached(const struct kind *k, struct arena *a, struct rule_cache *cache,
    struct node *object, const struct node *old, struct problems *p)
{
	struct walk w = { .arena = a,
		.problems = p,
		.cache = cache,
		.kind = k,
		.path = TEXT_INIT(SCHEMA_PATH_MAX) };
	size_t before = p->nerrors;

	if (object->type != NODE_MAP) {
		walk_fail(&w, object, "schema/type", "",
		    "a document is an object with apiVersion and kind");
		goto out;
	}
	schema_check_unknown(&w, k->schema, object);
	schema_drop_nulls(k->schema, object);
	schema_default(k->schema, a, object);
	check_type(&w, object);
	schema_check_meta(&w, object, old);
	check_members(&w, object, old);
	if (arena_failed(a))
		walk_fail(
		    &w, object, "schema/limit", "split it", "the object is too large to check");
out:
	text_free(&w.path);
	return p->nerrors == before;
}

bool
schema_check(const struct kind *k, struct arena *a, struct node *object, const struct node *old,
    struct problems *p)
{
	struct rule_cache cache = { 0 };

	return schema_check_cached(k, a, &cache, object, old, p);
}
