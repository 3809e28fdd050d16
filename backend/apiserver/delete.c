#include "backend/apiserver/api_int.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"

/* clang-format off */
static const struct {
	const char *word;
	enum propagation propagation;
} policies[] = {
	{ "Foreground", PROPAGATE_FOREGROUND },
	{ "Background", PROPAGATE_BACKGROUND },
	{ "Orphan",     PROPAGATE_ORPHAN },
};
/* clang-format on */

static bool
policy_read(struct call *c, struct str word, struct delete_options *ret)
{
	if (word.n == 0)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(policies); i++) {
		if (str_is(word, policies[i].word)) {
			ret->propagation = policies[i].propagation;
			return true;
		}
	}
	reply_status(c, 422, "Invalid",
	    "propagationPolicy: Unsupported value: supported values: "
	    "\"Background\", \"Foreground\", \"Orphan\"");
	return false;
}

/* DeleteOptions come in the body, in the query, or not at all. */
static bool
options_read(struct call *c, struct delete_options *ret)
{
	struct node *body = NULL;

	*ret = (struct delete_options){ .propagation = PROPAGATE_FOREGROUND };
	if (str_trim(c->req->body).n > 0 && !body_read(c, &body))
		return false;
	struct str policy = node_path_str(body, "propagationPolicy");
	struct str version = node_path_str(body, "preconditions.resourceVersion");

	if (!policy_read(c, policy.n > 0 ? policy : query_str(c, "propagationPolicy"), ret))
		return false;
	if (node_path_bool(body, "orphanDependents", false))
		ret->propagation = PROPAGATE_ORPHAN;
	ret->uid = node_path_str(body, "preconditions.uid");
	if (version.n > 0 && !str_to_int(version, &ret->version)) {
		reply_status(c, 422, "Invalid", "preconditions.resourceVersion is not a number");
		return false;
	}
	for (struct node *d = node_first(node_find(body, "dryRun")); d != NULL; d = d->next)
		ret->dry_run = ret->dry_run || str_is(node_get_str(d), "All");
	ret->dry_run = ret->dry_run || c->actor.dry_run;
	return true;
}

static bool
admitted(struct call *c, const struct object *old)
{
	const struct apiserver_options *o = &c->api->opt;
	struct node *was = NULL;
	struct error err = { 0 };

	if (o->admit == NULL)
		return true;
	if (object_node(old, c->arena, &was, &err) &&
	    o->admit(o->context, c->resource, c->arena, was, NULL, &err))
		return true;
	reply_error(c, &err);
	return false;
}

static void
reply_gone(struct call *c, const struct object *old)
{
	struct arena *a = c->arena;
	struct node *s = node_map(a);
	struct node *details = status_details(c, true);

	node_set(a, details, "uid", node_str(a, old->uid));
	node_set_strz(a, s, "kind", "Status");
	node_set_strz(a, s, "apiVersion", "v1");
	node_set(a, s, "metadata", node_map(a));
	node_set_strz(a, s, "status", "Success");
	node_set(a, s, "details", details);
	reply_node(c, 200, s);
}

/* What a failed precondition says names the kind, not the plural. */
static void
reply_failed(struct call *c, const struct delete_options *opt, const struct object *old,
    const struct error *err)
{
	if (err->code != ERR_CONFLICT || (opt->uid.n == 0 && opt->version == 0)) {
		reply_error(c, err);
		return;
	}
	bool uid = opt->uid.n > 0 && !str_eq(opt->uid, old->uid);
	struct node *s = status_new(c->arena, 409, "Conflict",
	    str_from(arena_printf(c->arena,
		"Operation cannot be fulfilled on %s \"" STR_FMT "\": the %s "
		"in the precondition does not match the %s in record",
		call_kind(c), STR_ARG(c->route.name), uid ? "UID" : "ResourceVersion",
		uid ? "UID" : "ResourceVersion")));

	node_set(c->arena, s, "details", status_details(c, false));
	reply_node(c, 409, s);
}

static void
delete_one(struct call *c)
{
	struct store *store = c->api->opt.store;
	const struct object *old = NULL;
	const struct object *left = NULL;
	struct delete_options opt;
	struct error err = { 0 };

	if (!options_read(c, &opt))
		return;
	if (!store_get(store, c->resource, c->route.ns, c->route.name, &old, &err)) {
		reply_error(c, &err);
		return;
	}
	if (!admitted(c, old))
		goto out;
	if (!store_delete(store, c->resource, c->route.ns, c->route.name, &opt, &c->actor, &err)) {
		reply_failed(c, &opt, old, &err);
		goto out;
	}
	if (opt.dry_run)
		reply_object(c, 200, old);
	else if (store_get(store, c->resource, c->route.ns, c->route.name, &left, NULL) &&
		 str_eq(left->uid, old->uid))
		reply_object(c, 200, left);
	else
		reply_gone(c, old);
out:
	object_unref(left);
	object_unref(old);
}

/* Every object that the selectors name; the answer lists them as they were. */
static void
delete_many(struct call *c)
{
	struct store *store = c->api->opt.store;
	struct list_options list_opt;
	struct object_list list = { 0 };
	struct delete_options opt;
	struct error err = { 0 };
	struct text out = TEXT_INIT(API_MAX_ANSWER);

	if (!options_read(c, &opt))
		return;
	if (!list_options_read(c, &list_opt, &err) ||
	    !store_list(store, c->resource, &list_opt, &list, &err)) {
		reply_error(c, &err);
		return;
	}
	text_printf(&out,
	    "{\"kind\":\"%sList\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":"
	    "\"%lld\"},\"items\":[",
	    c->resource->kind, resource_api_version(c->arena, c->resource),
	    (long long)list.version);
	for (size_t i = 0; i < list.n; i++) {
		const struct object *o = list.items[i];
		struct str json = { 0 };

		opt.uid = o->uid;
		if (!admitted(c, o))
			goto out;
		/* one that went meanwhile is no failure */
		if (!store_delete(store, c->resource, o->ns, o->name, &opt, &c->actor, &err) &&
		    err.code != ERR_NOT_FOUND && err.code != ERR_CONFLICT) {
			reply_error(c, &err);
			goto out;
		}
		text_add(&out, i > 0 ? "," : "");
		if (!object_shown(c, o, &json, &err)) {
			reply_error(c, &err);
			goto out;
		}
		text_add_str(&out, json);
	}
	text_add(&out, "]}\n");
	reply_json(c, 200, &out);
out:
	text_free(&out);
	object_list_fini(&list);
}

void
handle_delete(struct call *c)
{
	if (!write_options_read(c))
		return;
	if (c->route.name.n == 0)
		delete_many(c);
	else if (c->route.sub.n > 0)
		reply_status(c, 405, "MethodNotAllowed",
		    "the server does not allow this method on the requested resource");
	else
		delete_one(c);
}
