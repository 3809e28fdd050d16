#include "backend/apiserver/api_int.h"

#include <string.h>

#include "backend/apiserver/patch.h"
#include "backend/store/apply.h"
#include "model/base/mem.h"

/* clang-format off */
static const struct {
	const char *type;
	patch_fn *patch; /* NULL: server-side apply */
} types[] = {
	{ "application/merge-patch+json",           patch_merge },
	{ "application/json-patch+json",            patch_json },
	{ "application/strategic-merge-patch+json", patch_strategic },
	{ "application/apply-patch+yaml",           NULL },
};
/* clang-format on */

static void
reply_media(struct call *c)
{
	reply_status(c, 415, "UnsupportedMediaType",
	    "the body of the request was in an unknown format - "
	    "accepted media types include: application/json-patch+json, "
	    "application/merge-patch+json, application/apply-patch+yaml");
}

/* Custom resources know no strategic merge: kubectl then takes a merge patch. */
static bool
knows_strategic(const struct resource *r, const struct builtin *b)
{
	if (r->known != NULL)
		return (r->known->flags & KIND_CORE) != 0;
	return b != NULL && (b->flags & BUILTIN_CRD) == 0;
}

/* Patches the newest state; true when it answered, false when somebody was faster. */
static bool
patch_once(struct call *c, patch_fn *patch, const struct node *body)
{
	struct store *store = c->api->opt.store;
	bool status = str_is(c->route.sub, "status");
	const struct object *old = NULL;
	const struct object *stored = NULL;
	struct node *base = NULL;
	struct node *value = NULL;
	struct error err = { 0 };
	bool answered = true;

	if (!store_get(store, c->resource, c->route.ns, c->route.name, &old, &err) ||
	    !object_node(old, c->arena, &base, &err)) {
		reply_error(c, &err);
		goto out;
	}
	if (!patch(c->arena, base, body, &value, &err)) {
		struct node *s = status_new(c->arena, 422, "Invalid",
		    STR("the server rejected our request due to an error in our request"));

		reply_node(c, 422, s);
		goto out;
	}
	if (value->type != NODE_MAP || node_find(value, "metadata") == NULL) {
		reply_status(c, 422, "Invalid",
		    "%s \"" STR_FMT "\" is invalid: metadata: Required value", call_kind(c),
		    STR_ARG(c->route.name));
		goto out;
	}
	if (!write_check(c, old, value, status ? WRITE_STATUS : 0))
		goto out;
	if (store_update(store, c->resource, value, status ? UPDATE_STATUS : UPDATE_MAIN, &c->actor,
		&stored, &err)) {
		write_done(c, 200, stored);
	} else if (err.code == ERR_CONFLICT &&
		   str_eq(node_path_str(value, "metadata.resourceVersion"),
		       node_path_str(base, "metadata.resourceVersion"))) {
		answered = false; /* the patch itself named no version */
	} else {
		reply_error(c, &err);
	}
out:
	object_unref(stored);
	object_unref(old);
	return answered;
}

static void
reply_conflicts(
    struct call *c, const struct node *live, const struct node *value, const struct error *err)
{
	struct arena *a = c->arena;
	struct apply_conflict *items = NULL;
	size_t n = 0;

	if (live == NULL ||
	    !apply_conflicts(c->resource, a, live, value, c->actor.manager, &items, &n, NULL) ||
	    n == 0) {
		reply_error(c, err);
		return;
	}
	struct node *causes = node_list(a);

	for (size_t i = 0; i < n; i++) {
		struct node *cause = node_map(a);
		const char *words =
		    items[i].using_version.n > 0
			? arena_printf(a, "conflict with \"" STR_FMT "\" using " STR_FMT,
			      STR_ARG(items[i].manager), STR_ARG(items[i].using_version))
			: arena_printf(
			      a, "conflict with \"" STR_FMT "\"", STR_ARG(items[i].manager));

		node_set_strz(a, cause, "reason", "FieldManagerConflict");
		node_set_strz(a, cause, "message", words);
		node_set(a, cause, "field", node_str(a, items[i].field));
		node_push(causes, cause);
	}
	struct node *s = status_new(a, 409, "Conflict", str_from(err->message));

	node_set(a, node_find(s, "details"), "causes", causes);
	reply_node(c, 409, s);
}

/* What admission changed in the result is written behind, in the server's own name. */
static bool
admitted_write(struct call *c, const struct node *before, struct node *merged,
    const struct object **stored, struct error *err)
{
	const struct object *again = NULL;
	struct actor server = c->actor;

	if (c->api->opt.admit == NULL || c->actor.dry_run || node_eq(before, merged))
		return true;
	node_set(c->arena, node_find(merged, "metadata"), "resourceVersion",
	    node_strz(c->arena, arena_printf(c->arena, "%lld", (long long)(*stored)->version)));
	(void)node_remove(node_find(merged, "metadata"), STR("managedFields"));
	(void)node_remove(node_find(merged, "metadata"), STR("uid"));
	server.manager = "apiserver";
	if (!store_update(
		c->api->opt.store, c->resource, merged, UPDATE_MAIN, &server, &again, err))
		return false;
	object_unref(*stored);
	*stored = again;
	return true;
}

static bool
apply_body_check(struct call *c, struct node *value)
{
	struct arena *a = c->arena;
	struct node *meta = node_find(value, "metadata");
	struct str ns = node_path_str(value, "metadata.namespace");
	struct str name = node_path_str(value, "metadata.name");

	if (value == NULL || value->type != NODE_MAP || node_path_str(value, "kind").n == 0 ||
	    node_path_str(value, "apiVersion").n == 0) {
		reply_status(c, 400, "BadRequest", "invalid object type: /, Kind=");
		return false;
	}
	if (query_str(c, "fieldManager").n == 0) {
		reply_status(
		    c, 422, "Invalid", "fieldManager: Required value: is required for apply patch");
		return false;
	}
	if (node_count(node_path(value, "metadata.managedFields")) > 0) {
		reply_status(c, 400, "BadRequest", "metadata.managedFields must be nil");
		return false;
	}
	if ((ns.n > 0 && !str_eq(ns, c->route.ns)) ||
	    (name.n > 0 && !str_eq(name, c->route.name))) {
		reply_status(c, 400, "BadRequest",
		    "the name or namespace of the object does not match the URL");
		return false;
	}
	if (meta == NULL || meta->type != NODE_MAP) {
		meta = node_map(a);
		node_set(a, value, "metadata", meta);
	}
	node_set(a, meta, "name", node_str(a, c->route.name));
	if (c->route.ns.n > 0)
		node_set(a, meta, "namespace", node_str(a, c->route.ns));
	(void)node_remove(meta, STR("managedFields"));
	return true;
}

static void
apply_main(struct call *c, struct node *value)
{
	struct store *store = c->api->opt.store;
	bool force = query_is_true(c, "force");
	const struct object *old = NULL;
	const struct object *stored = NULL;
	struct node *live = NULL;
	struct node *merged = NULL;
	struct error err = { 0 };

	if (store_get(store, c->resource, c->route.ns, c->route.name, &old, &err)) {
		if (!object_node(old, c->arena, &live, &err))
			goto fail;
	} else if (err.code != ERR_NOT_FOUND) {
		goto fail;
	}
	if (!apply_merge(
		c->resource, c->arena, live, value, c->actor.manager, force, &merged, &err))
		goto fail;
	struct node *before = node_dup(c->arena, merged);

	if (!write_check(c, old, merged, old == NULL ? WRITE_CREATE : 0))
		goto out;
	if (!store_apply(store, c->resource, value, force, &c->actor, &stored, &err) ||
	    !admitted_write(c, before, merged, &stored, &err))
		goto fail;
	write_done(c, old == NULL ? 201 : 200, stored);
	goto out;
fail:
	if (err.code == ERR_CONFLICT)
		reply_conflicts(c, live, value, &err);
	else
		reply_error(c, &err);
out:
	object_unref(stored);
	object_unref(old);
}

static void
patch_rounds(struct call *c, patch_fn *patch, const struct node *body)
{
	for (int round = 0; round < API_UPDATE_ROUNDS; round++) {
		if (patch_once(c, patch, body))
			return;
	}
	struct error busy = { 0 };

	error_set(&busy, ERR_CONFLICT, "too many writers");
	reply_error(c, &busy);
}

/* An apply of the status alone. */
static void
apply_status(struct call *c, struct node *value)
{
	struct node *only = node_map(c->arena);

	node_set(c->arena, only, "status", node_dup(c->arena, node_find(value, "status")));
	patch_rounds(c, patch_merge, only);
}

void
handle_patch(struct call *c)
{
	struct str type = media_type(c->arena, server_request_header(c->req, "Content-Type"));
	struct node *body = NULL;

	if (c->resource->namespaced && c->route.ns.n == 0) {
		reply_plain(c, 404, "404 page not found\n");
		return;
	}
	if (!write_options_read(c))
		return;
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		if (!str_is(type, types[i].type))
			continue;
		if (types[i].patch == patch_strategic && !knows_strategic(c->resource, c->builtin))
			break;
		if (types[i].patch != NULL && query_str(c, "force").n > 0) {
			reply_status(c, 422, "Invalid",
			    "force: Forbidden: may not be specified for non-apply patch");
			return;
		}
		if (!body_read(c, &body))
			return;
		if (types[i].patch != NULL)
			patch_rounds(c, types[i].patch, body);
		else if (!apply_body_check(c, body))
			return;
		else if (str_is(c->route.sub, "status"))
			apply_status(c, body);
		else
			apply_main(c, body);
		return;
	}
	reply_media(c);
}
