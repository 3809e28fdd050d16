#include "backend/apiserver/api_int.h"

#include <string.h>

#include "backend/runtime/clock.h"
#include "backend/store/embedded.h"
#include "model/base/mem.h"
#include "model/validate.h"

enum { MANAGER_MAX = 128 };

/* The field manager when none is named: the client's name up to the version. */
static const char *
manager_default(struct call *c)
{
	struct str agent = str_from(server_request_header(c->req, "User-Agent"));
	ptrdiff_t slash = str_find_char(agent, '/');
	size_t n = slash >= 0 ? (size_t)slash : agent.n;

	if (n == 0)
		return "unknown";
	return arena_dup(c->arena, agent.p, n > MANAGER_MAX ? MANAGER_MAX : n);
}

bool
write_options_read(struct call *c)
{
	struct str dry = query_str(c, "dryRun");
	struct str manager = query_str(c, "fieldManager");
	struct str validation = query_str(c, "fieldValidation");

	if (dry.n > 0 && !str_is(dry, "All")) {
		reply_status(
		    c, 422, "Invalid", "dryRun: Unsupported value: supported values: \"All\"");
		return false;
	}
	if (validation.n > 0 && !str_is(validation, "Strict") && !str_is(validation, "Warn") &&
	    !str_is(validation, "Ignore")) {
		reply_status(c, 422, "Invalid",
		    "fieldValidation: Unsupported value: supported values: "
		    "\"Ignore\", \"Strict\", \"Warn\"");
		return false;
	}
	if (manager.n > MANAGER_MAX) {
		reply_status(c, 422, "Invalid",
		    "fieldManager: Too long: may not be more than %d bytes", MANAGER_MAX);
		return false;
	}
	c->actor.dry_run = dry.n > 0;
	c->actor.manager =
	    manager.n > 0 ? arena_dup(c->arena, manager.p, manager.n) : manager_default(c);
	if (c->actor.manager == NULL)
		c->actor.manager = "unknown";
	return true;
}

static bool
type_check(struct call *c, const struct node *value)
{
	struct str kind = node_path_str(value, "kind");
	struct str version = node_path_str(value, "apiVersion");
	const char *want = resource_api_version(c->arena, c->resource);

	if (value == NULL || value->type != NODE_MAP || kind.n == 0) {
		reply_status(c, 400, "BadRequest",
		    "the object provided is unrecognized (must be of type "
		    "%s): couldn't get version/kind; Object 'Kind' is missing",
		    c->resource->kind);
		return false;
	}
	if (!str_is(version, want)) {
		reply_status(c, 400, "BadRequest",
		    "the API version in the data (" STR_FMT
		    ") does not match the expected API version (%s)",
		    STR_ARG(version), want);
		return false;
	}
	if (!str_is(kind, c->resource->kind)) {
		reply_status(c, 400, "BadRequest",
		    "the kind in the data (" STR_FMT ") does not match the expected kind (%s)",
		    STR_ARG(kind), c->resource->kind);
		return false;
	}
	return true;
}

/* Name and namespace of the body and of the path are one. */
static bool
identity_check(struct call *c, struct node *value)
{
	struct arena *a = c->arena;
	struct node *meta = node_find(value, "metadata");
	struct str name = node_path_str(value, "metadata.name");
	struct str ns = node_path_str(value, "metadata.namespace");

	if (!type_check(c, value))
		return false;
	if (meta == NULL || meta->type != NODE_MAP) {
		meta = node_map(a);
		node_set(a, value, "metadata", meta);
	}
	if (ns.n > 0 && !str_eq(ns, c->route.ns)) {
		reply_status(c, 400, "BadRequest",
		    "the namespace of the provided object does not match "
		    "the namespace sent on the request");
		return false;
	}
	if (c->route.ns.n > 0)
		node_set(a, meta, "namespace", node_str(a, c->route.ns));
	if (c->route.name.n > 0 && name.n > 0 && !str_eq(name, c->route.name)) {
		reply_status(c, 400, "BadRequest",
		    "the name of the object (" STR_FMT
		    ") does not match the name on the URL (" STR_FMT ")",
		    STR_ARG(name), STR_ARG(c->route.name));
		return false;
	}
	if (c->route.name.n > 0)
		node_set(a, meta, "name", node_str(a, c->route.name));
	else
		c->route.name = name;
	return true;
}

static bool
ns_check(struct call *c)
{
	if (!c->resource->namespaced || c->route.ns.n > 0)
		return true;
	reply_status(
	    c, 400, "BadRequest", "an empty namespace may not be set for a %s", c->resource->kind);
	return false;
}

/* Clusters have namespaces before what is in them; the owner's own store takes any. */
bool
namespace_exists(struct call *c)
{
	struct store *store = c->api->opt.store;
	const struct resource *namespaces =
	    embedded_resource(store, STR(""), STR("v1"), STR("namespaces"));
	const struct object *found = NULL;

	if (c->api->opt.validate || !c->resource->namespaced || namespaces == NULL ||
	    str_is(c->route.ns, "default"))
		return true;
	if (store_get(store, namespaces, (struct str){ 0 }, c->route.ns, &found, NULL)) {
		object_unref(found);
		return true;
	}
	struct node *s = status_new(c->arena, 404, "NotFound",
	    str_from(arena_printf(
		c->arena, "namespaces \"" STR_FMT "\" not found", STR_ARG(c->route.ns))));
	struct node *details = node_find(s, "details");

	node_set(c->arena, details, "name", node_str(c->arena, c->route.ns));
	node_set_strz(c->arena, details, "kind", "namespaces");
	reply_node(c, 404, s);
	return false;
}

/* Looks a neighbour up for the rules that need one (a pool's class). */
static const struct node *
known_find(void *context, const struct kind *k, struct str ns, struct str name)
{
	const struct call *c = context;
	const struct object *o = NULL;
	struct node *value = NULL;

	if (!store_get(c->api->opt.store, resource_of(k), ns, name, &o, NULL))
		return NULL;
	bool ok = object_node(o, c->arena, &value, NULL);

	object_unref(o);
	return ok ? value : NULL;
}

/* Labels, finalizers and the like must stay writable when a neighbour (a class) went away. */
static bool
spec_is_same(struct call *c, const struct node *old, const struct node *value)
{
	struct node *was = node_dup(c->arena, old);

	if (was == NULL)
		return false;
	schema_default(c->resource->known->schema, c->arena, was);
	return node_eq(node_find(was, "spec"), node_find(value, "spec"));
}

static bool
rules_hold(struct call *c, const struct node *old, struct node *value, unsigned flags)
{
	const struct kind *k = c->resource->known;
	struct known known = {
		.find = known_find,
		.context = c,
		.now_ms = clock_wall_ms(c->api->opt.clock),
		.for_apply = (flags & WRITE_CREATE) != 0,
	};
	struct problems p;

	problems_init(&p, c->arena, "request");
	bool shape = schema_check(k, c->arena, value, old, &p);

	if (shape && (flags & WRITE_STATUS) == 0 && (k->flags & KIND_CORE) == 0 &&
	    (old == NULL || !spec_is_same(c, old, value)))
		rules_check(k, value, NULL, &known, &p);
	for (size_t i = 0; i < p.n; i++) {
		if (p.items[i].severity == SEVERITY_WARNING)
			warning_add(c, STR_FMT ": " STR_FMT, STR_ARG(p.items[i].path),
			    STR_ARG(p.items[i].message));
	}
	if (p.nerrors == 0)
		return true;
	reply_problems(c, &p);
	return false;
}

/* Kinds without a table of ours: main writes leave the status alone here, the store cannot know. */
static void
status_keep(struct call *c, const struct node *old, struct node *value, unsigned flags)
{
	bool split = c->builtin != NULL && (c->builtin->flags & BUILTIN_STATUS) != 0 &&
		     c->resource->known == NULL;

	if (split && (flags & WRITE_STATUS) == 0)
		node_set(c->arena, value, "status", node_dup(c->arena, node_find(old, "status")));
}

/* What an update of the status comes to as a whole. */
static struct node *
with_status(struct call *c, const struct node *old, const struct node *value)
{
	struct node *whole = node_dup(c->arena, old);

	node_set(c->arena, whole, "status", node_dup(c->arena, node_find(value, "status")));
	return whole;
}

bool
write_check(struct call *c, const struct object *old, struct node *value, unsigned flags)
{
	const struct apiserver_options *o = &c->api->opt;
	struct node *was = NULL;
	struct error err = { 0 };

	if (old != NULL && !object_node(old, c->arena, &was, &err)) {
		reply_error(c, &err);
		return false;
	}
	status_keep(c, was, value, flags);
	if (o->validate && c->resource->known != NULL) {
		bool status = (flags & WRITE_STATUS) != 0;
		struct node *whole = status ? with_status(c, was, value) : value;

		if (!rules_hold(c, was, whole, flags))
			return false;
	}
	if (o->admit != NULL && !o->admit(o->context, c->resource, c->arena, was, value, &err)) {
		reply_error(c, &err);
		return false;
	}
	return true;
}

/* A new definition is a new resource, at once. */
static void
definition_serve(struct call *c, const struct object *stored)
{
	struct node *crd = NULL;

	if (!object_node(stored, c->arena, &crd, NULL))
		return;
	struct str group = node_path_str(crd, "spec.group");
	struct str kind = node_path_str(crd, "spec.names.kind");
	struct str plural = node_path_str(crd, "spec.names.plural");
	bool namespaced = str_is(node_path_str(crd, "spec.scope"), "Namespaced");

	for (struct node *v = node_first(node_path(crd, "spec.versions")); v != NULL; v = v->next) {
		struct str version = node_path_str(v, "name");

		if (group.n == 0 || kind.n == 0 || plural.n == 0 || version.n == 0)
			continue;
		(void)embedded_intern(c->api->opt.store, arena_dup(c->arena, group.p, group.n),
		    arena_dup(c->arena, version.p, version.n), arena_dup(c->arena, kind.p, kind.n),
		    arena_dup(c->arena, plural.p, plural.n), namespaced);
	}
}

void
write_done(struct call *c, int status, const struct object *stored)
{
	if (strcmp(c->resource->kind, "CustomResourceDefinition") == 0 && !c->actor.dry_run)
		definition_serve(c, stored);
	reply_object(c, status, stored);
}

void
handle_create(struct call *c)
{
	struct node *value = NULL;
	const struct object *stored = NULL;
	struct error err = { 0 };

	if (!ns_check(c) || !write_options_read(c) || !body_read(c, &value) ||
	    !identity_check(c, value))
		return;
	if (node_path_str(value, "metadata.resourceVersion").n > 0) {
		reply_status(
		    c, 500, "", "resourceVersion should not be set on objects to be created");
		return;
	}
	if (c->route.name.n == 0 && node_path_str(value, "metadata.generateName").n == 0) {
		reply_status(c, 422, "Invalid",
		    "%s \"\" is invalid: metadata.name: Required value: name "
		    "or generateName is required",
		    call_kind(c));
		return;
	}
	(void)node_remove(node_find(value, "metadata"), STR("managedFields"));
	if (!namespace_exists(c) || !write_check(c, NULL, value, WRITE_CREATE))
		return;
	if (!store_create(c->api->opt.store, c->resource, value, &c->actor, &stored, &err)) {
		reply_error(c, &err);
		return;
	}
	write_done(c, 201, stored);
	object_unref(stored);
}

/* What the writer has seen comes before what it wants: a stale object need not be valid. */
static bool
seen_check(struct call *c, const struct object *old, const struct node *value)
{
	struct str uid = node_path_str(value, "metadata.uid");
	struct str version = node_path_str(value, "metadata.resourceVersion");
	int64_t seen = old->version;
	struct error err = { 0 };

	if (uid.n > 0 && !str_eq(uid, old->uid)) {
		reply_status(c, 409, "Conflict",
		    "Operation cannot be fulfilled on %s \"" STR_FMT
		    "\": Precondition failed: UID in precondition: " STR_FMT
		    ", UID in object meta: " STR_FMT,
		    call_plural(c), STR_ARG(c->route.name), STR_ARG(uid), STR_ARG(old->uid));
		return false;
	}
	if (version.n == 0 || str_is(version, "0") ||
	    (str_to_int(version, &seen) && seen == old->version))
		return true;
	error_set(&err, ERR_CONFLICT, "changed meanwhile");
	reply_error(c, &err);
	return false;
}

void
handle_update(struct call *c)
{
	bool status = str_is(c->route.sub, "status");
	struct node *value = NULL;
	const struct object *old = NULL;
	const struct object *stored = NULL;
	struct error err = { 0 };

	if (!ns_check(c) || !write_options_read(c) || !body_read(c, &value) ||
	    !identity_check(c, value))
		return;
	if (!store_get(c->api->opt.store, c->resource, c->route.ns, c->route.name, &old, &err)) {
		reply_error(c, &err);
		return;
	}
	if (seen_check(c, old, value) && write_check(c, old, value, status ? WRITE_STATUS : 0)) {
		if (store_update(c->api->opt.store, c->resource, value,
			status ? UPDATE_STATUS : UPDATE_MAIN, &c->actor, &stored, &err))
			write_done(c, 200, stored);
		else
			reply_error(c, &err);
	}
	object_unref(stored);
	object_unref(old);
}
