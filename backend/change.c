/*
 * The small changes of a running cluster: scale, taint, untaint, upgrade; and delete. Each reads
 * the object, changes one place, checks the whole and stores it; a write by somebody else in
 * between is met by doing it again on the fresh object.
 */

#include "backend/backend_int.h"

#include <string.h>

#include "backend/controllers/guard.h"
#include "model/base/mem.h"
#include "model/kinds/inference_cluster.h"

enum { CHANGE_TRIES = 5 };

typedef bool change_fn(
    struct arena *a, struct node *object, const struct request *r, struct error *err);

static struct node *
pool_find(struct node *object, const char *name)
{
	struct node *pools = node_path(object, "spec.nodePools");

	for (struct node *p = node_first(pools); p != NULL; p = p->next)
		if (str_is(node_get_str(node_find(p, "name")), name))
			return p;
	return NULL;
}

static bool
change_scale(struct arena *a, struct node *object, const struct request *r, struct error *err)
{
	const struct {
		const char *key;
		int64_t value;
	} fields[] = { { "nodeCount", r->nodes }, { "minNodeCount", r->min },
		{ "maxNodeCount", r->max } };
	struct node *pool = pool_find(object, r->pool);

	if (pool == NULL)
		return error_set(
		    err, ERR_NOT_FOUND, "cluster '%s' has no pool '%s'", r->name, r->pool);
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		if (fields[i].value >= 0)
			node_set_int(a, pool, fields[i].key, fields[i].value);
	return true;
}

/* "key=value:Effect" or "key:Effect" or, to untaint, "key". */
static bool
taint_parse(const char *text, struct str *ret_key, struct str *ret_value, struct str *ret_effect,
    struct error *err)
{
	struct str s = str_from(text);
	ptrdiff_t colon = str_find_char(s, ':');
	struct str left = colon < 0 ? s : str_sub(s, 0, (size_t)colon);
	ptrdiff_t equals = str_find_char(left, '=');

	*ret_effect = colon < 0 ? STR("") : str_sub(s, (size_t)colon + 1, s.n);
	*ret_key = equals < 0 ? left : str_sub(left, 0, (size_t)equals);
	*ret_value = equals < 0 ? STR("") : str_sub(left, (size_t)equals + 1, left.n);
	if (ret_key->n > 0)
		return true;
	return error_set(err, ERR_USAGE, "a taint is written key=value:NoSchedule");
}

static bool
taint_is(const struct node *taint, struct str key, struct str effect)
{
	return str_eq(node_get_str(node_find(taint, "key")), key) &&
	       (effect.n == 0 || str_eq(node_get_str(node_find(taint, "effect")), effect));
}

/* The taints without one; *ret_n counts those that went. */
static struct node *
taints_without(
    struct arena *a, struct node *object, struct str key, struct str effect, size_t *ret_n)
{
	struct node *list = node_list(a);
	struct node *old = node_path(object, "spec.taints");

	*ret_n = 0;
	for (const struct node *t = node_first(old); t != NULL; t = t->next) {
		if (taint_is(t, key, effect))
			(*ret_n)++;
		else
			node_push(list, node_dup(a, t));
	}
	return list;
}

static bool
change_taint(struct arena *a, struct node *object, const struct request *r, struct error *err)
{
	struct str key, value, effect;
	struct node *list, *taint;
	size_t n;

	if (!taint_parse(r->text, &key, &value, &effect, err))
		return false;
	if (effect.n == 0)
		return error_set(err, ERR_USAGE,
		    "the effect is missing: key=value:NoSchedule or "
		    "key=value:NoExecute");
	list = taints_without(a, object, key, effect, &n);
	taint = node_map(a);
	node_set(a, taint, "key", node_str(a, key));
	if (value.n > 0)
		node_set(a, taint, "value", node_str(a, value));
	node_set(a, taint, "effect", node_str(a, effect));
	node_push(list, taint);
	node_set(a, node_find(object, "spec"), "taints", list);
	return true;
}

static bool
change_untaint(struct arena *a, struct node *object, const struct request *r, struct error *err)
{
	struct str key, value, effect;
	struct node *list;
	size_t n;

	if (!taint_parse(r->text, &key, &value, &effect, err))
		return false;
	list = taints_without(a, object, key, effect, &n);
	if (n == 0)
		return error_set(err, ERR_NOT_FOUND, "cluster '%s' has no such taint", r->name);
	node_set(a, node_find(object, "spec"), "taints", node_count(list) > 0 ? list : NULL);
	return true;
}

/* The 34 of "1.34" or "1.34.2"; -1 when it is none: then the schema says so. */
static int64_t
minor_of(struct str version)
{
	struct str piece;
	int64_t minor;

	if (!str_split(&version, '.', &piece)) /* the major */
		return -1;
	return str_split(&version, '.', &piece) && str_to_int(piece, &minor) ? minor : -1;
}

static bool
is_running(const struct node *object)
{
	const struct node *list = node_path(object, "status.conditions");

	for (const struct node *c = node_first(list); c != NULL; c = c->next)
		if (str_is(node_get_str(node_find(c, "type")), "ClusterReady"))
			return str_is(node_get_str(node_find(c, "status")), "True");
	return false;
}

/* No cloud takes a running cluster back (cases B135): said here, not by a fleet that turns red. */
static bool
forward_only(const struct node *object, const struct node *block, const struct request *r,
    struct error *err)
{
	struct str have = node_get_str(node_find(block, "kubernetesVersion"));
	int64_t from = minor_of(have), to = minor_of(str_from(r->text));

	if (to < 0 || from <= to || !is_running(object))
		return true;
	(void)error_set(err, ERR_REFUSED,
	    "cluster '%s' has Kubernetes " STR_FMT ": it cannot go back to %.20s", r->name,
	    STR_ARG(have), r->text);
	error_name(err, "ImmutableField");
	error_advise(err, "make a new cluster with that version and move what runs there");
	return false;
}

static bool
change_upgrade(struct arena *a, struct node *object, const struct request *r, struct error *err)
{
	static const char *const blocks[] = { "gke", "eks", "aks", "nebius", "vultr" };
	struct node *where = node_path(object, "spec.cluster");
	struct str source = node_get_str(node_find(where, "source"));

	for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
		struct node *block = node_find(where, blocks[i]);

		if (block == NULL || !str_eq_nocase(source, str_from(blocks[i])))
			continue;
		if (!forward_only(object, block, r, err))
			return false;
		node_set_strz(a, block, "kubernetesVersion", r->text);
		return true;
	}
	return error_set(err, ERR_REFUSED,
	    "the version of cluster '%s' is not ours to change: it was brought along", r->name);
}

/* clang-format off */
static const struct {
	enum request_verb verb;
	bool needs_text;
	change_fn *change;
} changes[] = {
	{ REQUEST_SCALE,   false, change_scale   },
	{ REQUEST_TAINT,   true,  change_taint   },
	{ REQUEST_UNTAINT, true,  change_untaint },
	{ REQUEST_UPGRADE, true,  change_upgrade },
};
/* clang-format on */

static const char *
done_text(const struct request *r)
{
	if (r->dry_run)
		return "would be changed (dry run)\n";
	if (r->verb == REQUEST_SCALE && r->nodes >= 0 && r->min < 0)
		return "changed (the autoscaler decides between min and max; the number of nodes "
		       "counts when the pool is made)\n";
	return "changed\n";
}

static bool
change_try(struct backend *b, const struct request *r, change_fn *change, struct reply *reply,
    struct error *err)
{
	struct arena *a = reply->arena;
	struct node *old, *object;

	problems_init(&reply->problems, a, "");
	if (!object_tree(b, a,
		(struct object_key){ &inference_cluster_kind, STR(""), str_from(r->name) }, &old,
		err))
		return false;
	object = node_dup(a, old);
	if (object == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a change");
	if (!change(a, object, r, err))
		return false;
	if (node_eq(object, old)) {
		reply->text = mem_dupz("nothing to change\n");
		return true;
	}
	if (!object_store(b, a,
		&(struct object_change){ .kind = &inference_cluster_kind,
		    .old = old,
		    .object = object,
		    .dry_run = r->dry_run },
		&reply->problems, err))
		return false;
	reply->text = mem_dupz(done_text(r));
	return true;
}

bool
change_request(struct backend *b, const struct request *r, struct reply *reply)
{
	change_fn *change = NULL;
	struct error failed;

	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		if (changes[i].verb != r->verb)
			continue;
		if (changes[i].needs_text && r->text == NULL)
			return error_set(&reply->err, ERR_USAGE, "what to change it to is missing");
		change = changes[i].change;
	}
	if (change == NULL)
		return error_set(&reply->err, ERR_INTERNAL, "no such change");
	if (!r->dry_run && !backend_may_write(b, &reply->err))
		return false;
	for (int i = 0; i < CHANGE_TRIES; i++) {
		error_clear(&failed);
		if (change_try(b, r, change, reply, &failed))
			return true;
		if (failed.code != ERR_CONFLICT)
			break;
	}
	reply->err = failed;
	return false;
}

/* ---- delete ---- */

static bool
replicas_refuse(struct backend *b, struct arena *a, struct str cluster, struct error *err)
{
	struct controller_context cx = { .store = b->store, .clock = b->clock, .arena = a };
	struct str names = STR("");
	size_t n = 0;

	if (!guard_replicas(&cx, cluster, &n, &names, err))
		return false;
	if (n == 0)
		return true;
	(void)error_set(err, ERR_REFUSED, "cluster '" STR_FMT "' has %zu model replica%s: " STR_FMT,
	    STR_ARG(cluster), n, n == 1 ? "" : "s", STR_ARG(names)); /* false is returned below */
	error_name(err, "ReplicasScheduled");
	error_advise(err, "delete their deployments first");
	return false;
}

/* Without its credential a cluster could be neither looked at nor removed (cases B062). */
static bool
users_refuse(struct backend *b, struct arena *a, const struct kind *k, struct str ns,
    struct str name, struct error *err)
{
	struct controller_context cx = { .store = b->store, .clock = b->clock, .arena = a };
	struct str names;
	size_t n;

	if (!guard_config(&cx, resource_of(k), ns, name, &n, &names))
		return true;
	(void)error_set(err, ERR_REFUSED, "%s '" STR_FMT "' is used by %zu cluster%s: " STR_FMT,
	    k->kind, STR_ARG(name), n, n == 1 ? "" : "s", STR_ARG(names)); /* false below */
	error_name(err, "InUse");
	error_advise(err, "delete these first: without it they cannot be removed from the cloud");
	return false;
}

bool
delete_request(struct backend *b, const struct request *r, struct reply *reply)
{
	struct delete_options opt = { .propagation = PROPAGATE_FOREGROUND, .dry_run = r->dry_run };
	struct actor actor = backend_actor(b);
	const struct kind *k;

	if ((!r->dry_run && !backend_may_write(b, &reply->err)) ||
	    !kind_named(r->kind, &k, &reply->err))
		return false;
	if (k == &inference_cluster_kind &&
	    !replicas_refuse(b, reply->arena, str_from(r->name), &reply->err))
		return false;
	if (!users_refuse(b, reply->arena, k, namespace_for(k, str_from(r->ns)), str_from(r->name),
		&reply->err))
		return false;
	return store_delete(b->store, resource_of(k), namespace_for(k, str_from(r->ns)),
	    str_from(r->name), &opt, &actor, &reply->err);
}
