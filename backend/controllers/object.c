#include "backend/controllers/object.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/runtime/clock.h"
#include "model/base/mem.h"
#include "model/display.h"
#include "model/stamp.h"

enum { CONFLICT_TRIES = 8, CONDITION_MESSAGE_MAX = 1024 };

/* The object as a tree, only to be looked at. */
static struct node *
tree_of(struct controller_context *cx, const struct object *object, struct error *err)
{
	struct node *tree;

	return object_node(object, cx->arena, &tree, err) ? tree : NULL;
}

struct node *
status_begin(struct controller_context *cx, const struct object *object, struct error *err)
{
	struct node *tree = tree_of(cx, object, err);
	struct node *status;

	if (tree == NULL)
		return NULL;
	status = node_dup(cx->arena, node_find(tree, "status"));
	if (status == NULL || status->type != NODE_MAP)
		status = node_map(cx->arena);
	if (status == NULL)
		(void)error_set(err, ERR_NO_MEMORY, "no memory for a status"); /* NULL says it */
	return status;
}

static struct node *
condition_node(const struct node *status, const char *type)
{
	struct node *list = node_find(status, "conditions");

	for (struct node *c = node_first(list); c != NULL; c = c->next)
		if (str_is(node_get_str(node_find(c, "type")), type))
			return c;
	return NULL;
}

struct str
status_condition_get(const struct node *status, const char *type)
{
	return node_get_str(node_find(condition_node(status, type), "status"));
}

static const char *
condition_word(enum condition_status value)
{
	static const char *const words[] = {
		[CONDITION_TRUE] = "True",
		[CONDITION_FALSE] = "False",
		[CONDITION_UNKNOWN] = "Unknown",
	};

	return words[value];
}

void
status_condition(struct controller_context *cx, struct node *status, enum condition_status value,
    const char *type, const char *reason, const char *fmt, ...)
{
	char message[CONDITION_MESSAGE_MAX + 1], stamp[STAMP_MAX];
	struct arena *a = cx->arena;
	struct node *list = node_find(status, "conditions");
	struct node *c = condition_node(status, type);
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	if (list == NULL || list->type != NODE_LIST) {
		list = node_list(a);
		node_set(a, status, "conditions", list);
	}
	if (c == NULL) {
		c = node_map(a);
		node_set_strz(a, c, "type", type);
		node_push(list, c);
	}
	if (!str_is(node_get_str(node_find(c, "status")), condition_word(value)))
		node_set_strz(
		    a, c, "lastTransitionTime", stamp_format(clock_wall_ms(cx->clock), stamp));
	node_set_strz(a, c, "status", condition_word(value));
	node_set_strz(a, c, "reason", reason);
	node_set_str(a, c, STR("message"),
	    node_str(a, display_cut(a, str_from(message), CONDITION_MESSAGE_MAX).s));
}

/*
 * Puts the status on the newest version of the object. Objects that are gone or replaced by
 * another of the same name need none.
 */
static bool
status_put(struct controller_context *cx, const struct object *object, struct node *status,
    struct error *err)
{
	const struct object *fresh = NULL;
	struct node *tree;
	bool ok = false;

	if (!object_find(cx, object->res, object->ns, object->name, &fresh, err))
		return false;
	if (fresh == NULL || !str_eq(fresh->uid, object->uid)) {
		ok = true;
		goto out;
	}
	tree = tree_of(cx, fresh, err);
	if (tree == NULL)
		goto out;
	if (node_eq(node_find(tree, "status"), status)) {
		ok = true;
		goto out;
	}
	node_set(cx->arena, tree, "status", node_dup(cx->arena, status));
	ok = store_update(cx->store, object->res, tree, UPDATE_STATUS, &cx->actor, NULL, err);
out:
	object_unref(fresh);
	return ok;
}

bool
status_save(struct controller_context *cx, const struct object *object, struct node *status,
    struct error *err)
{
	struct error tried;

	for (int i = 0; i < CONFLICT_TRIES; i++) {
		error_clear(&tried);
		if (status_put(cx, object, status, &tried))
			return true;
		if (tried.code == ERR_NOT_FOUND)
			return true;
		if (tried.code != ERR_CONFLICT)
			break;
	}
	if (err != NULL)
		*err = tried;
	return false;
}

static bool
tree_has_finalizer(const struct node *tree, const char *name)
{
	struct node *list = node_path(tree, "metadata.finalizers");

	for (const struct node *f = node_first(list); f != NULL; f = f->next)
		if (str_is(node_get_str(f), name))
			return true;
	return false;
}

bool
finalizer_has(struct controller_context *cx, const struct object *object, const char *name)
{
	struct node *tree = tree_of(cx, object, NULL);

	return tree != NULL && tree_has_finalizer(tree, name);
}

/* The finalizers but for one, and one more at the end; either may be NULL. */
static void
finalizers_set(struct arena *a, struct node *tree, const char *without, const char *with)
{
	struct node *old = node_path(tree, "metadata.finalizers");
	struct node *list = node_list(a);

	for (const struct node *f = node_first(old); f != NULL; f = f->next)
		if (without == NULL || !str_is(node_get_str(f), without))
			node_push(list, node_str(a, node_get_str(f)));
	if (with != NULL)
		node_push(list, node_strz(a, with));
	node_set(a, node_find(tree, "metadata"), "finalizers", node_count(list) > 0 ? list : NULL);
}

/* One try on the newest version. *ret_object gets a reference, NULL when the object is gone. */
static bool
finalizer_try(struct controller_context *cx, const struct object *object, const char *without,
    const char *with, const struct object **ret_object, struct error *err)
{
	const struct object *fresh = NULL;
	struct node *tree;
	bool have, ok = false;

	if (!object_find(cx, object->res, object->ns, object->name, &fresh, err))
		return false;
	if (fresh == NULL || !str_eq(fresh->uid, object->uid)) {
		object_unref(fresh);
		*ret_object = NULL;
		return true;
	}
	tree = tree_of(cx, fresh, err);
	if (tree == NULL)
		goto out;
	have = tree_has_finalizer(tree, with != NULL ? with : without);
	if (have == (with != NULL)) {
		*ret_object = fresh;
		return true;
	}
	finalizers_set(cx->arena, tree, without, with);
	ok = store_update(cx->store, object->res, tree, UPDATE_MAIN, &cx->actor, ret_object, err);
out:
	object_unref(fresh);
	return ok;
}

static bool
finalizer_change(struct controller_context *cx, const struct object *object, const char *without,
    const char *with, const struct object **ret_object, struct error *err)
{
	struct error tried;

	for (int i = 0; i < CONFLICT_TRIES; i++) {
		error_clear(&tried);
		*ret_object = NULL;
		if (finalizer_try(cx, object, without, with, ret_object, &tried))
			return true;
		if (tried.code == ERR_NOT_FOUND)
			return true;
		if (tried.code != ERR_CONFLICT)
			break;
	}
	if (err != NULL)
		*err = tried;
	return false;
}

bool
finalizer_add(struct controller_context *cx, const struct object **io_object, const char *name,
    struct error *err)
{
	const struct object *fresh = NULL;

	if ((*io_object)->deleted_ms != 0 || finalizer_has(cx, *io_object, name))
		return true;
	if (!finalizer_change(cx, *io_object, NULL, name, &fresh, err))
		return false;
	if (fresh == NULL)
		return error_set(err, ERR_NOT_FOUND, "the object '" STR_FMT "' is gone",
		    STR_ARG((*io_object)->name));
	object_unref(*io_object);
	*io_object = fresh;
	return true;
}

bool
finalizer_remove(
    struct controller_context *cx, const struct object *object, const char *name, struct error *err)
{
	const struct object *fresh = NULL;

	if (!finalizer_change(cx, object, name, NULL, &fresh, err))
		return false;
	object_unref(fresh);
	return true;
}

struct node *
owner_reference(struct controller_context *cx, const struct object *owner)
{
	struct arena *a = cx->arena;
	struct node *ref = node_map(a);
	const struct resource *res = owner->res;

	node_set_strz(a, ref, "apiVersion",
	    res->group[0] == '\0' ? res->version
				  : arena_printf(a, "%s/%s", res->group, res->version));
	node_set_strz(a, ref, "kind", res->kind);
	node_set(a, ref, "name", node_str(a, owner->name));
	node_set(a, ref, "uid", node_str(a, owner->uid));
	node_set_bool(a, ref, "controller", true);
	node_set_bool(a, ref, "blockOwnerDeletion", true);
	return ref;
}

const struct node *
owner_of(const struct node *object)
{
	struct node *refs = node_path(object, "metadata.ownerReferences");

	for (const struct node *r = node_first(refs); r != NULL; r = r->next)
		if (node_get_bool(node_find(r, "controller"), false))
			return r;
	return NULL;
}

bool
object_find(struct controller_context *cx, const struct resource *res, struct str ns,
    struct str name, const struct object **ret_object, struct error *err)
{
	struct error failed;

	error_clear(&failed);
	*ret_object = NULL;
	if (store_get(cx->store, res, ns, name, ret_object, &failed))
		return true;
	*ret_object = NULL;
	if (failed.code == ERR_NOT_FOUND)
		return true;
	if (err != NULL)
		*err = failed;
	return false;
}

/*
 * Defaults and checks as an API server would; the first error is told. The status is not ours to
 * check here: it is its controller's.
 */
static bool
child_check(struct controller_context *cx, const struct resource *res, struct node *want,
    const struct node *old, struct error *err)
{
	struct problems problems;

	if (res->known == NULL)
		return true;
	(void)node_remove(want, STR("status")); /* may not be there */
	problems_init(&problems, cx->arena, "");
	if (schema_check(res->known, cx->arena, want, old, &problems))
		return true;
	for (size_t i = 0; i < problems.n; i++) {
		const struct problem *p = &problems.items[i];

		if (p->severity != SEVERITY_ERROR)
			continue;
		(void)error_set(err, ERR_INVALID, "%s '" STR_FMT "': " STR_FMT ": " STR_FMT,
		    res->kind, STR_ARG(node_path_str(want, "metadata.name")), STR_ARG(p->path),
		    STR_ARG(p->message)); /* returned below */
		error_advise(err, STR_FMT, STR_ARG(p->advice));
		return false;
	}
	return error_set(err, ERR_INVALID, "%s is not valid", res->kind);
}

static bool
child_create(struct controller_context *cx, const struct object *owner, const struct resource *res,
    const struct node *want, const struct object **ret_object, struct error *err)
{
	struct node *tree = node_dup(cx->arena, want);
	struct node *refs = node_list(cx->arena);

	node_push(refs, owner_reference(cx, owner));
	node_set(cx->arena, node_find(tree, "metadata"), "ownerReferences", refs);
	if (!child_check(cx, res, tree, NULL, err))
		return false;
	return store_create(cx->store, res, tree, &cx->actor, ret_object, err);
}

/* Labels that are wanted win; those that others added stay. */
static void
labels_merge(struct arena *a, struct node *tree, const struct node *want)
{
	struct node *labels = node_path(want, "metadata.labels");

	for (const struct node *l = node_first(labels); l != NULL; l = l->next)
		node_set_str(a, node_make_path(a, tree, "metadata.labels"), l->key,
		    node_str(a, node_get_str(l)));
}

static bool
child_update(struct controller_context *cx, const struct object *owner, const struct object *have,
    const struct node *want, const struct object **ret_object, struct error *err)
{
	struct node *old = tree_of(cx, have, err);
	const struct node *by;
	struct node *tree;

	if (old == NULL)
		return false;
	by = owner_of(old);
	if (by == NULL || !str_eq(node_get_str(node_find(by, "uid")), owner->uid))
		return error_set(err, ERR_NAME_TAKEN,
		    "%s '" STR_FMT "' is there already and does not belong to '" STR_FMT "'",
		    have->res->kind, STR_ARG(have->name), STR_ARG(owner->name));
	tree = node_dup(cx->arena, old);
	node_set(cx->arena, tree, "spec", node_dup(cx->arena, node_find(want, "spec")));
	labels_merge(cx->arena, tree, want);
	if (have->deleted_ms == 0 && !child_check(cx, have->res, tree, old, err))
		return false;
	(void)node_remove(old, STR("status")); /* compared without it */
	if (have->deleted_ms != 0 || node_eq(tree, old)) {
		if (ret_object != NULL)
			*ret_object = object_ref(have);
		return true;
	}
	return store_update(cx->store, have->res, tree, UPDATE_MAIN, &cx->actor, ret_object, err);
}

bool
child_apply(struct controller_context *cx, const struct object *owner, const struct resource *res,
    const struct node *want, const struct object **ret_object, struct error *err)
{
	struct str ns = node_path_str(want, "metadata.namespace");
	struct str name = node_path_str(want, "metadata.name");
	struct error tried;
	bool ok = false;

	for (int i = 0; i < CONFLICT_TRIES && !ok; i++) {
		const struct object *have = NULL;

		error_clear(&tried);
		if (!object_find(cx, res, ns, name, &have, err))
			return false;
		ok = have == NULL ? child_create(cx, owner, res, want, ret_object, &tried)
				  : child_update(cx, owner, have, want, ret_object, &tried);
		object_unref(have);
		if (!ok && tried.code != ERR_CONFLICT && tried.code != ERR_EXISTS)
			break;
	}
	if (!ok && err != NULL)
		*err = tried;
	return ok;
}
