#include "backend/apiserver/builtin.h"
#include "backend/sim/cluster_int.h"

enum { LIST_MAX = 100000 };

static const struct list_options everything = { 0 };

void
round_at(struct round *r, int64_t when_ms)
{
	if (when_ms < r->next_ms)
		r->next_ms = when_ms;
}

const struct resource *
kube_kind(struct kube_cluster *k, const char *kind)
{
	const struct builtin *b = builtin_find_kind(kind);

	if (b == NULL)
		return NULL;
	return embedded_resource(
	    k->store, str_from(b->res.group), str_from(b->res.version), str_from(b->res.plural));
}

struct node *
kube_get(struct round *r, const char *kind, struct str ns, struct str name)
{
	const struct resource *res = kube_kind(r->k, kind);
	const struct object *o = NULL;
	struct node *n = NULL;

	if (res == NULL || !store_get(r->k->store, res, ns, name, &o, NULL))
		return NULL;
	if (!object_node(o, r->a, &n, NULL))
		n = NULL;
	object_unref(o);
	return n;
}

struct node *
kube_list(struct round *r, const char *kind)
{
	const struct resource *res = kube_kind(r->k, kind);
	struct object_list list = { 0 };
	struct node *out = node_list(r->a);

	if (res == NULL || !store_list(r->k->store, res, &everything, &list, NULL))
		return out;
	for (size_t i = 0; i < list.n; i++) {
		struct node *n = NULL;

		if (object_node(list.items[i], r->a, &n, NULL))
			node_push(out, n);
	}
	object_list_fini(&list);
	return out;
}

bool
kube_put(struct round *r, const char *kind, struct node *object, const char *manager)
{
	const struct resource *res = kube_kind(r->k, kind);
	const struct actor actor = { .manager = manager, .user = "system:controller", .from = "" };
	struct str ns = node_path_str(object, "metadata.namespace");
	struct str name = node_path_str(object, "metadata.name");
	struct node *meta = node_find(object, "metadata");
	const struct object *o = NULL;

	bool ok;

	if (res == NULL || arena_failed(r->a))
		return false;
	if (!store_get(r->k->store, res, ns, name, &o, NULL)) {
		(void)node_remove(meta, STR("resourceVersion")); /* of an older life */
		ok = store_create(r->k->store, res, object, &actor, NULL, NULL);
	} else {
		object_unref(o);
		(void)node_remove(meta, STR("resourceVersion")); /* the newest wins */
		ok = store_update(r->k->store, res, object, UPDATE_MAIN, &actor, NULL, NULL);
	}
	/* Kinds with a table of ours keep their status apart. */
	if (ok && res->known != NULL && node_find(object, "status") != NULL)
		ok = store_update(r->k->store, res, object, UPDATE_STATUS, &actor, NULL, NULL);
	return ok;
}

bool
kube_remove(struct round *r, const char *kind, struct str ns, struct str name)
{
	const struct resource *res = kube_kind(r->k, kind);
	const struct actor actor = {
		.manager = "kube-controller-manager", .user = "system:controller", .from = ""
	};
	const struct delete_options opt = { .propagation = PROPAGATE_BACKGROUND };

	return res != NULL && store_delete(r->k->store, res, ns, name, &opt, &actor, NULL);
}

struct node *
kube_new(struct round *r, const char *kind, struct str ns, struct str name)
{
	const struct builtin *b = builtin_find_kind(kind);
	struct node *n = node_map(r->a), *meta = node_map(r->a);

	if (b == NULL)
		return n;
	node_set(r->a, n, "apiVersion",
	    node_strz(r->a, b->res.group[0] == '\0'
				? b->res.version
				: arena_printf(r->a, "%s/%s", b->res.group, b->res.version)));
	node_set_strz(r->a, n, "kind", kind);
	node_set(r->a, meta, "name", node_str(r->a, name));
	if (ns.n > 0)
		node_set(r->a, meta, "namespace", node_str(r->a, ns));
	node_set(r->a, n, "metadata", meta);
	return n;
}

void
kube_label(struct round *r, struct node *object, const char *key, struct str value)
{
	node_set_str(r->a, node_make_path(r->a, object, "metadata.labels"), str_from(key),
	    node_str(r->a, value));
}

void
kube_owner(struct round *r, struct node *object, const struct node *owner)
{
	struct node *list = node_list(r->a), *ref = node_map(r->a);

	node_set(r->a, ref, "apiVersion", node_dup(r->a, node_find(owner, "apiVersion")));
	node_set(r->a, ref, "kind", node_dup(r->a, node_find(owner, "kind")));
	node_set(r->a, ref, "name", node_dup(r->a, node_path(owner, "metadata.name")));
	node_set(r->a, ref, "uid", node_dup(r->a, node_path(owner, "metadata.uid")));
	node_set_bool(r->a, ref, "controller", true);
	node_set_bool(r->a, ref, "blockOwnerDeletion", true);
	node_push(list, ref);
	node_set(r->a, node_find(object, "metadata"), "ownerReferences", list);
}

struct node *
kube_time(struct round *r, int64_t wall_ms)
{
	struct text t = TEXT_INIT(64);
	struct node *n;

	simtime_add(&t, wall_ms);
	n = node_strz(r->a, text_get(&t));
	text_free(&t);
	return n;
}

int64_t
kube_time_ms(const struct node *text)
{
	/* "2026-11-30T12:00:00Z" */
	static const struct {
		size_t at, n;
	} parts[] = { { 0, 4 }, { 5, 2 }, { 8, 2 }, { 11, 2 }, { 14, 2 }, { 17, 2 } };
	struct str s = node_get_str(text);
	int64_t v[ARRAY_LEN(parts)];
	int64_t y, era, yoe, doy, days;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (s.n < 20 || !str_to_int(str_sub(s, parts[i].at, parts[i].n), &v[i]))
			return 0;
	}
	y = v[1] <= 2 ? v[0] - 1 : v[0];
	era = y / 400;
	yoe = y - era * 400;
	doy = (153 * (v[1] + (v[1] > 2 ? -3 : 9)) + 2) / 5 + v[2] - 1;
	days = era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
	return ((days * 24 + v[3]) * 60 + v[4]) * 60000 + v[5] * 1000;
}

bool
kube_condition_is(const struct node *object, const char *type, const char *status)
{
	for (const struct node *c = node_first(node_path(object, "status.conditions")); c != NULL;
	     c = c->next) {
		if (str_is(node_path_str(c, "type"), type))
			return str_is(node_path_str(c, "status"), status);
	}
	return false;
}

void
kube_condition(struct round *r, struct node *object, const char *type, const char *status,
    const char *reason, const char *message)
{
	struct node *list = node_path(object, "status.conditions"), *c = NULL;
	bool same;

	if (list == NULL) {
		list = node_list(r->a);
		node_set(r->a, node_make_path(r->a, object, "status"), "conditions", list);
	}
	for (struct node *x = node_first(list); x != NULL; x = x->next) {
		if (str_is(node_path_str(x, "type"), type))
			c = x;
	}
	if (c == NULL) {
		c = node_map(r->a);
		node_set_strz(r->a, c, "type", type);
		node_push(list, c);
	}
	same = str_is(node_path_str(c, "status"), status);
	node_set_strz(r->a, c, "status", status);
	if (reason != NULL)
		node_set_strz(r->a, c, "reason", reason);
	if (message != NULL)
		node_set_strz(r->a, c, "message", message);
	if (!same || node_find(c, "lastTransitionTime") == NULL)
		node_set(r->a, c, "lastTransitionTime", kube_time(r, r->now_ms));
}

void
kube_event(struct round *r, const struct node *about, bool warning, const char *reason,
    const char *component, const char *message)
{
	struct str name = node_path_str(about, "metadata.name");
	struct str ns = node_path_str(about, "metadata.namespace");
	struct str ens = ns.n > 0 ? ns : STR("default");
	const char *parts[] = { arena_printf(r->a, STR_FMT "/" STR_FMT, STR_ARG(ns), STR_ARG(name)),
		reason, message, NULL };
	char guid[GUID_SIZE];
	const char *ename;
	struct node *e, *ref;
	int64_t count = 1;

	guid_of(guid, parts);
	ename = arena_printf(r->a, STR_FMT ".%.16s", STR_ARG(name), guid + 19);
	e = kube_get(r, "Event", ens, str_from(ename));
	if (e != NULL) {
		count = node_path_int(e, "count", 1) + 1;
	} else {
		e = kube_new(r, "Event", ens, str_from(ename));
		node_set(r->a, e, "firstTimestamp", kube_time(r, r->now_ms));
	}
	ref = node_make_path(r->a, e, "involvedObject");
	node_set(r->a, ref, "apiVersion", node_dup(r->a, node_find(about, "apiVersion")));
	node_set(r->a, ref, "kind", node_dup(r->a, node_find(about, "kind")));
	node_set(r->a, ref, "name", node_str(r->a, name));
	if (ns.n > 0)
		node_set(r->a, ref, "namespace", node_str(r->a, ns));
	node_set(r->a, ref, "uid", node_dup(r->a, node_path(about, "metadata.uid")));
	node_set_strz(r->a, e, "reason", reason);
	node_set_strz(r->a, e, "message", message);
	node_set_strz(r->a, e, "type", warning ? "Warning" : "Normal");
	node_set_strz(r->a, node_make_path(r->a, e, "source"), "component", component);
	node_set_strz(r->a, e, "reportingComponent", component);
	node_set_strz(r->a, e, "reportingInstance", "");
	node_set(r->a, e, "eventTime", node_null(r->a));
	node_set(r->a, e, "lastTimestamp", kube_time(r, r->now_ms));
	node_set_int(r->a, e, "count", count);
	(void)kube_put(r, "Event", e, component); /* an event that is lost harms nobody */
}

static bool
tolerates_one(const struct node *t, const struct node *taint)
{
	struct str key = node_path_str(t, "key"), effect = node_path_str(t, "effect");
	bool exists = str_is(node_path_str(t, "operator"), "Exists");

	if (effect.n > 0 && !str_eq(effect, node_path_str(taint, "effect")))
		return false;
	if (key.n == 0)
		return exists;
	return str_eq(key, node_path_str(taint, "key")) &&
	       (exists || str_eq(node_path_str(t, "value"), node_path_str(taint, "value")));
}

bool
node_tolerates(const struct node *tolerations, const struct node *taints)
{
	for (const struct node *taint = node_first(taints); taint != NULL; taint = taint->next) {
		bool ok = str_is(node_path_str(taint, "effect"), "PreferNoSchedule");

		for (const struct node *t = node_first(tolerations); t != NULL && !ok; t = t->next)
			ok = tolerates_one(t, taint);
		if (!ok)
			return false;
	}
	return true;
}
