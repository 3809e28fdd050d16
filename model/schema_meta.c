#include "model/schema_int.h"

#include "model/base/mem.h"
#include "model/kinds/meta.h"

/*
 * Metadata as the API server checks it for every kind: syntax of names, labels, annotations and
 * finalizers, sizes, owners, managed fields, and what may not change.
 */

enum {
	META_MAX_ANNOTATION_BYTES = 256 * 1024,
	META_MAX_NAME = 63, /* of our fourteen kinds: the name becomes a label value */
	META_MAX_MANAGER = 128,
};

static void
fail_member(
    struct walk *w, const struct node *at, const char *member, const char *advice, const char *what)
{
	size_t back = path_push(w, str_from(member));

	walk_fail(w, at, "schema/metadata", advice, "%s", what);
	path_pop(w, back);
}

static void
check_name(struct walk *w, const struct node *meta)
{
	const struct node *name = node_find(meta, "name");
	struct str s = node_get_str(name);
	bool ours = (w->kind->flags & (KIND_CORE | KIND_INTERNAL)) == 0 &&
		    str_ends(str_from(w->kind->group), STR("modelplane.ai"));

	if (name == NULL || s.n == 0) {
		const struct node *generate = node_find(meta, "generateName");

		if (node_get_str(generate).n == 0)
			fail_member(w, name != NULL ? name : meta, "name",
			    "every object has a name", "is missing");
		return;
	}
	if (str_is(str_from(w->kind->kind), "Namespace") ? !name_is_label(s)
							 : !name_is_subdomain(s))
		fail_member(w, name, "name",
		    "lower-case letters, digits and '-', with '.' between parts, beginning and "
		    "ending "
		    "with a letter or digit",
		    arena_printf(w->arena, "'" STR_FMT "' is not a DNS name",
			STR_ARG(schema_shown(w->arena, NULL, name))));
	else if (ours && s.n > META_MAX_NAME)
		fail_member(w, name, "name", "it is used as a label value: shorten it",
		    arena_printf(
			w->arena, "has %zu characters, at most %d fit", s.n, META_MAX_NAME));
}

static void
check_namespace(struct walk *w, struct node *meta)
{
	struct node *ns = node_find(meta, "namespace");
	struct node place;
	size_t back;

	if (ns == NULL || node_get_str(ns).n == 0)
		return;
	if ((w->kind->flags & KIND_NAMESPACED) != 0) {
		if (!name_is_label(node_get_str(ns)))
			fail_member(w, ns, "namespace", "lower-case letters, digits and '-'",
			    "is not a DNS label");
		return;
	}
	place = node_key_place(ns);
	back = path_push(w, STR("namespace"));
	problems_add(w->problems, SEVERITY_WARNING, &place, text_str(&w->path), "schema/metadata",
	    "take it out", "%s has no namespace; it is left out", w->kind->kind);
	path_pop(w, back);
	(void)node_remove(meta, STR("namespace"));
}

static void
check_label(struct walk *w, const struct node *x)
{
	struct node place = node_key_place(x);

	if (!name_is_qualified(x->key))
		walk_fail(w, &place, "schema/metadata",
		    "letters, digits, '-', '_' and '.', with an optional DNS prefix and '/'",
		    "is no label key");
	if (x->type != NODE_STRING)
		return; /* said by the type check */
	if (x->u.string.n > META_MAX_NAME)
		walk_fail(w, x, "schema/metadata", "shorten it, or make it an annotation",
		    "has %zu characters, at most %d fit", x->u.string.n, META_MAX_NAME);
	else if (!name_is_label_value(x->u.string))
		walk_fail(w, x, "schema/metadata",
		    "begin and end with a letter or digit; '-', '_' and '.' may stand between",
		    "'" STR_FMT "' is no label value", STR_ARG(schema_shown(w->arena, NULL, x)));
}

static void
check_labels(struct walk *w, const struct node *meta)
{
	size_t back = path_push(w, STR("labels"));

	for (const struct node *x = node_first(node_find(meta, "labels")); x != NULL; x = x->next) {
		size_t inner = path_push(w, x->key);

		check_label(w, x);
		path_pop(w, inner);
	}
	path_pop(w, back);
}

/* Keys are qualified names whatever their case. */
static bool
is_annotation_key(struct arena *a, struct str key)
{
	char *lower = arena_dup(a, key.p, key.n);

	if (lower == NULL)
		return false;
	for (size_t i = 0; i < key.n; i++) {
		if (lower[i] >= 'A' && lower[i] <= 'Z')
			lower[i] = (char)(lower[i] - 'A' + 'a');
	}
	return name_is_qualified((struct str){ lower, key.n });
}

static void
check_annotations(struct walk *w, const struct node *meta)
{
	const struct node *all = node_find(meta, "annotations");
	size_t back = path_push(w, STR("annotations"));
	size_t bytes = 0;

	for (const struct node *x = node_first(all); x != NULL; x = x->next) {
		bytes += x->key.n + node_get_str(x).n;
		if (!is_annotation_key(w->arena, x->key)) {
			struct node place = node_key_place(x);
			size_t inner = path_push(w, x->key);

			walk_fail(w, &place, "schema/metadata",
			    "letters, digits, '-', '_' and '.', with an optional DNS prefix and "
			    "'/'",
			    "is no annotation key");
			path_pop(w, inner);
		}
	}
	if (bytes > META_MAX_ANNOTATION_BYTES)
		walk_fail(w, all, "schema/metadata", "keep large data elsewhere",
		    "take %zu bytes, at most %d fit", bytes, META_MAX_ANNOTATION_BYTES);
	path_pop(w, back);
}

static void
check_finalizers(struct walk *w, const struct node *meta)
{
	size_t back = path_push(w, STR("finalizers"));
	bool orphan = false, foreground = false;
	const struct node *all = node_find(meta, "finalizers");
	size_t index = 0;

	for (const struct node *x = node_first(all); x != NULL; x = x->next) {
		size_t inner = path_push_index(w, index++);

		if (x->type == NODE_STRING && !name_is_qualified(x->u.string))
			walk_fail(w, x, "schema/metadata", "a DNS prefix, '/' and a name",
			    "is no finalizer");
		orphan = orphan || str_is(node_get_str(x), "orphan");
		foreground = foreground || str_is(node_get_str(x), "foregroundDeletion");
		path_pop(w, inner);
	}
	if (orphan && foreground)
		walk_fail(w, all, "schema/metadata", "keep one of them",
		    "orphan and foregroundDeletion exclude each other");
	path_pop(w, back);
}

static void
check_owner(struct walk *w, const struct node *owner)
{
	static const char *const wanted[] = { "apiVersion", "kind", "name", "uid" };

	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		if (node_get_str(node_find(owner, wanted[i])).n == 0)
			fail_member(w, owner, wanted[i],
			    "an owner has apiVersion, kind, name and uid", "is missing");
	}
	if (str_is(node_get_str(node_find(owner, "kind")), "Event"))
		fail_member(w, owner, "kind", "", "an Event owns nothing");
}

static void
check_owners(struct walk *w, const struct node *meta)
{
	const struct node *all = node_find(meta, "ownerReferences");
	size_t back = path_push(w, STR("ownerReferences"));
	size_t index = 0, controllers = 0;

	for (const struct node *x = node_first(all); x != NULL; x = x->next) {
		size_t inner = path_push_index(w, index++);

		if (x->type == NODE_MAP)
			check_owner(w, x);
		controllers += node_get_bool(node_find(x, "controller"), false) ? 1 : 0;
		path_pop(w, inner);
	}
	if (controllers > 1)
		walk_fail(w, all, "schema/metadata", "set controller on one of them",
		    "only one owner can be the controller");
	path_pop(w, back);
}

static void
check_manager(struct walk *w, const struct node *x)
{
	struct str operation = node_get_str(node_find(x, "operation"));
	struct str form = node_get_str(node_find(x, "fieldsType"));

	if (x->type != NODE_MAP) {
		walk_fail(w, x, "schema/type", "leave managedFields out", "wants an object");
		return;
	}
	if (!str_is(operation, "Apply") && !str_is(operation, "Update"))
		fail_member(
		    w, x, "operation", "leave managedFields out", "is neither Apply nor Update");
	if (form.n > 0 && !str_is(form, "FieldsV1"))
		fail_member(w, x, "fieldsType", "leave managedFields out", "is not FieldsV1");
	if (node_get_str(node_find(x, "manager")).n > META_MAX_MANAGER)
		fail_member(
		    w, x, "manager", "leave managedFields out", "is longer than 128 characters");
}

static void
check_managers(struct walk *w, const struct node *meta)
{
	const struct node *all = node_find(meta, "managedFields");
	size_t back = path_push(w, STR("managedFields"));
	size_t index = 0;

	if (all != NULL && all->type != NODE_LIST)
		walk_fail(w, all, "schema/type", "leave it out", "wants a list");
	else
		for (const struct node *x = node_first(all); x != NULL; x = x->next) {
			size_t inner = path_push_index(w, index++);

			check_manager(w, x);
			path_pop(w, inner);
		}
	path_pop(w, back);
}

static void
check_unchanged(struct walk *w, const struct node *meta, const struct node *old)
{
	static const char *const fixed[] = { "name", "namespace", "uid", "creationTimestamp" };

	for (size_t i = 0; i < ARRAY_LEN(fixed); i++) {
		const struct node *now = node_find(meta, fixed[i]);
		const struct node *before = node_find(old, fixed[i]);

		if (now == NULL || before == NULL || node_eq(now, before))
			continue;
		fail_member(w, now, fixed[i], "make another object", "cannot change");
	}
}

/* Types by the table; list elements and map values too. */
static void
check_types(struct walk *w, const struct node *meta)
{
	for (const struct node *x = node_first(meta); x != NULL; x = x->next) {
		const struct field *f = schema_child(&meta_schema, x->key);
		struct field typed;
		size_t back;

		if (f == NULL)
			continue;
		typed = *f;
		typed.keys = NULL; /* merge keys; the server allows an owner twice */
		back = path_push(w, x->key);
		schema_check_value(w, &typed, x);
		path_pop(w, back);
	}
}

void
schema_check_meta(struct walk *w, struct node *object, const struct node *old)
{
	struct node *meta = node_find(object, "metadata");
	size_t back = path_push(w, STR("metadata"));
	const struct node empty = {
		.type = NODE_MAP, .line = object->line, .column = object->column
	};

	if (meta == NULL) {
		check_name(w, &empty);
	} else if (meta->type != NODE_MAP) {
		walk_fail(
		    w, meta, "schema/type", "write 'metadata: {name: ...}'", "wants an object");
	} else {
		check_types(w, meta);
		check_name(w, meta);
		check_namespace(w, meta);
		check_labels(w, meta);
		check_annotations(w, meta);
		check_finalizers(w, meta);
		check_owners(w, meta);
		check_managers(w, meta);
		check_unchanged(w, meta, node_find(old, "metadata"));
	}
	path_pop(w, back);
}
