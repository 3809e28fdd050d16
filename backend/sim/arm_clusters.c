#include "backend/sim/arm_cluster_check.h"
#include "backend/sim/arm_routes.h"
#include "backend/sim/operations.h"
#include "backend/sim/resources.h"
#include "backend/sim/sim_int.h"

/*
 * Managed clusters. A cluster's document has no pools: each is a document of its own, put together
 * for an answer. Path parameters: 1 group, 2 cluster.
 */

enum { CLUSTER_PAGE = 50 };

struct str
cluster_key_of(struct arm_call *c)
{
	return doc_key(c, STR_FMT "/" STR_FMT, STR_ARG(c->param[1]), STR_ARG(c->param[2]));
}

struct node *
cluster_of_path(struct arm_call *c)
{
	struct node *k = doc_load(c, DOC_CLUSTER, cluster_key_of(c));

	if (k == NULL && !c->answered)
		answer_not_found(
		    c, "Microsoft.ContainerService/managedClusters", c->param[2], c->param[1]);
	return k;
}

struct node *
cluster_shown(struct arm_call *c, const struct node *cluster)
{
	struct node *n = doc_shown(c, cluster), *profiles = node_list(c->a);
	struct node *pools = pools_of(c, node_path_str(cluster, "_sim.key"));

	for (struct node *p = node_first(pools); p != NULL; p = p->next) {
		struct node *profile = node_dup(c->a, node_find(p, "properties"));

		node_set(c->a, profile, "name", node_dup(c->a, node_find(p, "name")));
		node_push(profiles, profile);
	}
	node_set(c->a, node_find(n, "properties"), "agentPoolProfiles", profiles);
	return n;
}

static bool
refuse_busy(struct arm_call *c, const struct node *op)
{
	struct text when = TEXT_INIT(64);
	const char *words = operation_words(op);
	bool deleting = str_is(node_get_str(node_find(op, "verb")), "cluster.delete");

	simtime_add(&when, node_get_int(node_find(op, "startMs"), 0));
	answer_aks_error(c, 409, "OperationNotAllowed", NULL,
	    "Operation is not allowed because there is an in progress %s operation on the managed "
	    "cluster "
	    "started on %s. %s",
	    words, text_get(&when),
	    deleting ? "The cluster is being deleted: only delete is accepted."
		     : "Please wait for it to finish before starting a new operation.");
	text_free(&when);
	return false;
}

bool
check_cluster_idle(struct arm_call *c, const struct node *cluster, bool pools)
{
	struct node *op = operation_running(c, node_path_str(cluster, "_sim.op"));
	struct node *list;

	if (op != NULL)
		return refuse_busy(c, op);
	if (str_is(node_path_str(cluster, "properties.provisioningState"), "Deleting"))
		return answer_aks_error(c, 409, "OperationNotAllowed", NULL,
		    "Operation is not allowed: the managed cluster is being deleted.");
	if (!pools)
		return !c->answered;
	list = pools_of(c, node_path_str(cluster, "_sim.key"));
	for (struct node *p = node_first(list); p != NULL; p = p->next) {
		if (!check_pool_idle(c, p))
			return false;
	}
	return !c->answered;
}

/* ---- PUT ---- */

struct pool_plan {
	struct str name;
	const struct node *old; /* properties that stand, or NULL */
	struct node *fresh;
};

enum { POOLS_MAX = 100 };

struct put_plan {
	struct cluster_check check;
	struct node *fresh; /* the cluster's document */
	struct node *outcome;
	struct pool_plan pools[POOLS_MAX];
	size_t npools;
	bool has_system;
	long nodes_by_size; /* vCPUs asked for so far, so that pools of one body add up */
};

static const struct node *
standing_pool(struct arm_call *c, const struct put_plan *plan, struct str name)
{
	struct node *p;

	if (plan->check.old == NULL)
		return NULL;
	p = doc_load(c, DOC_POOL,
	    doc_key(c, STR_FMT "/" STR_FMT, STR_ARG(node_path_str(plan->check.old, "_sim.key")),
		STR_ARG(name)));
	return node_find(p, "properties");
}

static bool
plan_pool(struct arm_call *c, struct put_plan *plan, struct node *profile)
{
	struct pool_plan *pool = &plan->pools[plan->npools];
	struct pool_check k = { .cluster = plan->fresh,
		.location = plan->check.location,
		.cluster_version = plan->check.version,
		.properties = profile,
		.target = "agentPoolProfile",
		.ret_outcome = &plan->outcome };

	pool->name = node_get_str(node_find(profile, "name"));
	if (pool->name.n == 0)
		return answer_aks_error(c, 400, "InvalidParameter", "agentPoolProfile.name",
		    "Required parameter agentPoolProfile.name is missing (null).");
	for (size_t i = 0; i < plan->npools; i++) {
		if (str_eq_nocase(plan->pools[i].name, pool->name))
			return answer_aks_error(c, 400, "InvalidParameter", "agentPoolProfile.name",
			    "The agent pool name '" STR_FMT "' is used twice.",
			    STR_ARG(pool->name));
	}
	k.name = pool->name;
	k.old = pool->old = standing_pool(c, plan, pool->name);
	if (c->answered || !pool_check(c, &k))
		return false;
	pool->fresh = pool_filled(c, &k);
	if (str_eq_nocase(node_get_str(node_find(pool->fresh, "mode")), STR("System")))
		plan->has_system = true;
	plan->npools++;
	return true;
}

/* Pools of one body count together: each passed alone, all may be too many. */
static bool
check_together(struct arm_call *c, struct put_plan *plan)
{
	for (size_t i = 0; plan->check.old == NULL && i < plan->npools; i++) {
		const struct vm_size *v =
		    size_find(node_get_str(node_find(plan->pools[i].fresh, "vmSize")));
		struct need need = { .size = v,
			.location = plan->check.location,
			.target = "agentPoolProfile.count" };

		for (size_t k = 0; k < plan->npools; k++) {
			const struct vm_size *o =
			    size_find(node_get_str(node_find(plan->pools[k].fresh, "vmSize")));

			if (str_eq_nocase(str_from(o->family), str_from(v->family)))
				need.nodes += (long)node_get_int(
						  node_find(plan->pools[k].fresh, "count"), 0) *
					      o->vcpus / v->vcpus;
		}
		if (!check_quota(c, &need, &plan->outcome))
			return false;
	}
	return true;
}

static bool
plan_pools(struct arm_call *c, struct put_plan *plan)
{
	struct node *profiles = node_path(c->body, "properties.agentPoolProfiles");
	struct node *standing;

	if (profiles == NULL && plan->check.old != NULL)
		return true;
	for (struct node *p = node_first(profiles); p != NULL; p = p->next) {
		if (plan->npools == POOLS_MAX)
			return answer_aks_error(c, 400, "InvalidParameter", "agentPoolProfiles",
			    "A cluster has at most %d pools.", POOLS_MAX);
		if (!plan_pool(c, plan, p))
			return false;
	}
	if (!plan->has_system)
		return answer_aks_error(c, 400, "InvalidParameter", "agentPoolProfiles",
		    "There has to be at least one system node pool in the cluster.");
	if (plan->check.old == NULL)
		return check_together(c, plan);
	standing = pools_of(c, node_path_str(plan->check.old, "_sim.key"));
	for (struct node *s = node_first(standing); s != NULL; s = s->next) {
		bool named = false;

		for (size_t i = 0; i < plan->npools; i++)
			named = named || str_eq_nocase(plan->pools[i].name,
					     node_get_str(node_find(s, "name")));
		if (!named)
			return answer_aks_error(c, 400, "InvalidParameter", "agentPoolProfiles",
			    "The agent pool '" STR_FMT
			    "' is missing: a pool is deleted by its own request.",
			    STR_ARG(node_get_str(node_find(s, "name"))));
	}
	return true;
}

static bool
pool_moves(const struct pool_plan *p)
{
	return p->old == NULL ||
	       !str_eq(node_get_str(node_find(p->old, "currentOrchestratorVersion")),
		   node_get_str(node_find(p->fresh, "currentOrchestratorVersion")));
}

/* With an upgrade channel the service moves the pools itself. */
static bool
check_channel(struct arm_call *c, const struct put_plan *plan, bool upgrade)
{
	struct str channel =
	    node_path_str(plan->fresh, "properties.autoUpgradeProfile.upgradeChannel");
	bool moves = false;

	for (size_t i = 0; i < plan->npools; i++)
		moves = moves || pool_moves(&plan->pools[i]);
	if (!upgrade || moves || channel.n == 0 || str_eq_nocase(channel, STR("none")))
		return true;
	return answer_aks_error(c, 400, "OperationNotAllowed", "properties.kubernetesVersion",
	    "A control plane only upgrade is not allowed while the auto upgrade channel is "
	    "'" STR_FMT "'.",
	    STR_ARG(channel));
}

static bool
nothing_changes(struct arm_call *c, const struct put_plan *plan)
{
	static const char *const standing[] = { "provisioningState", "status", "identityProfile" };
	struct node *a = node_dup(c->a, plan->check.old), *b = node_dup(c->a, plan->fresh);

	if (!str_is(node_path_str(a, "properties.provisioningState"), "Succeeded"))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(standing); i++) {
		(void)node_remove(node_find(a, "properties"), str_from(standing[i]));
		(void)node_remove(node_find(b, "properties"), str_from(standing[i]));
	}
	(void)node_remove(a, STR("eTag"));
	(void)node_remove(b, STR("eTag"));
	for (size_t i = 0; i < plan->npools; i++) {
		struct node *x = node_dup(c->a, plan->pools[i].old);

		(void)node_remove(x, STR("eTag"));
		(void)node_remove(x, STR("provisioningState"));
		(void)node_remove(x, STR("status"));
		if (x == NULL || !node_eq(x, plan->pools[i].fresh))
			return false;
	}
	return node_eq(a, b);
}

static bool
save_pools(struct arm_call *c, struct put_plan *plan, struct str key, const char *state)
{
	struct node *standing;

	for (size_t i = 0; i < plan->npools; i++) {
		etag_renew(c, plan->pools[i].fresh);
		node_set_strz(c->a, plan->pools[i].fresh, "provisioningState", state);
		if (!pool_save(c, key, plan->fresh, plan->pools[i].name, plan->pools[i].fresh,
			(struct str){ 0 }))
			return false;
	}
	if (plan->npools > 0)
		return true;
	standing = pools_of(c, key); /* a cluster operation changes every eTag */
	for (struct node *p = node_first(standing); p != NULL; p = p->next) {
		etag_renew(c, node_find(p, "properties"));
		if (!doc_save(c, DOC_POOL, node_path_str(p, "_sim.key"), p))
			return false;
	}
	return true;
}

static double
put_seconds(const struct put_plan *plan, bool upgrade)
{
	double nodes = 0, gpu = 0;

	for (size_t i = 0; i < plan->npools; i++) {
		const struct vm_size *v =
		    size_find(node_get_str(node_find(plan->pools[i].fresh, "vmSize")));

		if (pool_moves(&plan->pools[i]))
			nodes += (double)node_get_int(node_find(plan->pools[i].fresh, "count"), 0);
		if (v != NULL && v->gpus > 0)
			gpu = 60;
	}
	if (plan->check.old == NULL)
		return 270 + gpu;
	return upgrade ? 420 + 120 * nodes : 0;
}

static void
put_write(struct arm_call *c, struct put_plan *plan, bool upgrade)
{
	bool made = plan->check.old == NULL;
	const char *state = made ? "Creating" : upgrade ? "Upgrading" : "Updating";
	struct str key = node_path_str(plan->fresh, "_sim.key"), id;
	struct node *p = node_find(plan->fresh, "properties");

	id = operation_start(c,
	    &(struct op_start){ .verb = made	  ? OP_CLUSTER_CREATE
					: upgrade ? OP_CLUSTER_UPGRADE
						  : OP_CLUSTER_UPDATE,
		.target = key,
		.provider = "Microsoft.ContainerService",
		.location = str_from(plan->check.location->name),
		.seconds = put_seconds(plan, upgrade),
		.outcome = plan->outcome },
	    OP_ASYNC);
	node_set(c->a, doc_hidden(c, plan->fresh), "op", node_str(c->a, id));
	node_set_strz(c->a, p, "provisioningState", state);
	etag_renew(c, plan->fresh);
	if (made)
		group_make(c, node_get_str(node_find(p, "nodeResourceGroup")),
		    plan->check.location->name, node_find(plan->fresh, "tags"),
		    node_get_str(node_find(plan->fresh, "id")));
	if (doc_save(c, DOC_CLUSTER, key, plan->fresh) && save_pools(c, plan, key, state))
		answer_json(c, made ? 201 : 200, cluster_shown(c, plan->fresh));
}

void
cluster_put(struct arm_call *c)
{
	struct put_plan *plan = arena_get(c->a, sizeof(*plan));
	bool upgrade;

	if (plan == NULL || !check_registered(c, "Microsoft.ContainerService") || !check_body(c) ||
	    !body_check(c, BODY_CLUSTER, c->body) || group_find(c, c->param[1], true) == NULL)
		return;
	plan->check = (struct cluster_check){ .body = c->body,
		.group = c->param[1],
		.name = c->param[2],
		.old = doc_load(c, DOC_CLUSTER, cluster_key_of(c)) };
	if (c->answered || !check_conditions(c, node_get_str(node_find(plan->check.old, "eTag")),
			       plan->check.old != NULL))
		return;
	if (plan->check.old != NULL && !check_cluster_idle(c, plan->check.old, true))
		return;
	if (!cluster_check(c, &plan->check))
		return;
	plan->fresh = cluster_filled(c, &plan->check);
	upgrade = plan->check.old != NULL &&
		  !str_eq(node_path_str(plan->check.old, "properties.currentKubernetesVersion"),
		      plan->check.version);
	if (!plan_pools(c, plan) || !check_channel(c, plan, upgrade))
		return;
	if (plan->check.old != NULL) {
		const struct node *ip = node_path(plan->check.old, "properties.identityProfile");

		if (ip != NULL)
			node_set(c->a, node_find(plan->fresh, "properties"), "identityProfile",
			    node_dup(c->a, ip));
	}
	if (plan->check.old != NULL && nothing_changes(c, plan))
		answer_json(c, 200, cluster_shown(c, plan->check.old));
	else
		put_write(c, plan, upgrade);
}

/* ---- the rest ---- */

void
cluster_get(struct arm_call *c)
{
	struct node *k;

	if (group_find(c, c->param[1], false) == NULL)
		return;
	k = cluster_of_path(c);
	if (k != NULL)
		answer_json(c, 200, cluster_shown(c, k));
}

static struct node *
cluster_item(struct arm_call *c, const struct node *doc)
{
	return doc_lags(c, doc) ? NULL : cluster_shown(c, doc);
}

void
cluster_list(struct arm_call *c)
{
	answer_docs(c, DOC_CLUSTER, STR(""), CLUSTER_PAGE, cluster_item);
}

void
cluster_list_group(struct arm_call *c)
{
	if (group_find(c, c->param[1], false) != NULL)
		answer_docs(c, DOC_CLUSTER, doc_key(c, STR_FMT "/", STR_ARG(c->param[1])),
		    CLUSTER_PAGE, cluster_item);
}

void
cluster_patch(struct arm_call *c)
{
	struct node *k, *tags;
	struct str id;
	bool later = str_cmp(c->api_version, STR("2026-01-01")) >= 0;

	if (!check_body(c) || !body_check(c, BODY_TAGS, c->body))
		return;
	tags = node_find(c->body, "tags");
	if (group_find(c, c->param[1], true) == NULL || !check_tags(c, tags))
		return;
	k = cluster_of_path(c);
	if (k == NULL || !check_conditions(c, node_get_str(node_find(k, "eTag")), true) ||
	    !check_cluster_idle(c, k, true))
		return;
	if (tags != NULL)
		node_set(c->a, k, "tags", node_dup(c->a, tags));
	etag_renew(c, k);
	if (later) {
		id = operation_start(c,
		    &(struct op_start){ .verb = OP_CLUSTER_PATCH,
			.target = cluster_key_of(c),
			.provider = "Microsoft.ContainerService",
			.location = node_get_str(node_find(k, "location")) },
		    OP_ASYNC | OP_LOCATION);
		node_set(c->a, doc_hidden(c, k), "op", node_str(c->a, id));
		node_set_strz(c->a, node_find(k, "properties"), "provisioningState", "Updating");
	}
	if (!doc_save(c, DOC_CLUSTER, cluster_key_of(c), k))
		return;
	if (later)
		answer_empty(c, 202);
	else
		answer_json(c, 200, cluster_shown(c, k));
}

/* Ends what runs on it: a deletion goes first. */
static void
preempt(struct arm_call *c, const struct node *cluster)
{
	struct node *pools = pools_of(c, node_path_str(cluster, "_sim.key"));
	static const char message[] = "The operation was preempted by a deletion of the cluster.";

	operation_end(c, node_path_str(cluster, "_sim.op"), "Canceled",
	    "AKSOperationPreemptedByDelete", message);
	for (struct node *p = node_first(pools); p != NULL; p = p->next)
		operation_end(c, node_path_str(p, "_sim.op"), "Canceled",
		    "AKSOperationPreemptedByDelete", message);
}

void
cluster_mark_deleting(struct arm_call *c, struct node *cluster)
{
	struct node *pools = pools_of(c, node_path_str(cluster, "_sim.key"));

	preempt(c, cluster);
	node_set_strz(c->a, node_find(cluster, "properties"), "provisioningState", "Deleting");
	(void)doc_save(c, DOC_CLUSTER, node_path_str(cluster, "_sim.key"), cluster);
	for (struct node *p = node_first(pools); p != NULL; p = p->next) {
		node_set_strz(c->a, node_find(p, "properties"), "provisioningState", "Deleting");
		(void)doc_save(c, DOC_POOL, node_path_str(p, "_sim.key"), p);
	}
}

static struct node *
lock_outcome(struct arm_call *c, const struct node *k)
{
	struct str group = node_path_str(k, "properties.nodeResourceGroup");

	if (fault_keyed(c->s->faults, FAULT_LOCKED, group) == NULL)
		return NULL;
	return error_node(c, "ScopeLocked",
	    str_printf(c,
		"The scope '/subscriptions/%s/resourceGroups/" STR_FMT
		"' cannot perform delete operation because following scope(s) are locked.",
		c->s->id.subscription, STR_ARG(group)));
}

void
cluster_delete(struct arm_call *c)
{
	struct node *k = doc_load(c, DOC_CLUSTER, cluster_key_of(c));
	struct node *running;
	struct str id;

	if (c->answered)
		return;
	if (k == NULL) {
		answer_empty(c, 204);
		return;
	}
	if (!check_conditions(c, node_get_str(node_find(k, "eTag")), true))
		return;
	running = operation_running(c, node_path_str(k, "_sim.op"));
	if (running != NULL && str_is(node_get_str(node_find(running, "verb")), "cluster.delete")) {
		answer_aks_error(c, 409, "OperationNotAllowed", NULL,
		    "The managed cluster is being deleted already.");
		return;
	}
	cluster_mark_deleting(c, k);
	id = operation_start(c,
	    &(struct op_start){ .verb = OP_CLUSTER_DELETE,
		.target = cluster_key_of(c),
		.provider = "Microsoft.ContainerService",
		.location = node_get_str(node_find(k, "location")),
		.outcome = lock_outcome(c, k) },
	    OP_ASYNC | OP_LOCATION);
	node_set(c->a, doc_hidden(c, k), "op", node_str(c->a, id));
	if (doc_save(c, DOC_CLUSTER, cluster_key_of(c), k))
		answer_empty(c, 202);
}

void
cluster_drop(struct arm_call *c, struct str key)
{
	struct node *k = doc_load(c, DOC_CLUSTER, key);
	struct node *pools = pools_of(c, key);

	preempt(c, k);
	for (struct node *p = node_first(pools); p != NULL; p = p->next)
		(void)doc_drop(c, DOC_POOL, node_path_str(p, "_sim.key"));
	(void)doc_drop(c, DOC_CLUSTER, key);
	if (k != NULL)
		group_drop(c,
		    doc_key(c, STR_FMT, STR_ARG(node_path_str(k, "properties.nodeResourceGroup"))));
}

void
cluster_delete_finish(
    struct arm_call *c, struct str target, const struct node *op, const struct node *failure)
{
	if (failure == NULL)
		cluster_drop(c, target);
	else
		cluster_finish(c, target, op, failure);
}

/* The kubelets' identity shows once the cluster is there. */
static void
kubelet_identity(struct arm_call *c, struct node *k)
{
	struct node *p = node_find(k, "properties");
	struct node *id = node_make_path(c->a, p, "identityProfile.kubeletidentity");

	if (node_find(id, "clientId") != NULL)
		return;
	node_set(c->a, id, "clientId", node_str(c->a, guid_new(c)));
	node_set(c->a, id, "objectId", node_str(c->a, guid_new(c)));
	node_set(c->a, id, "resourceId",
	    node_str(c->a,
		str_printf(c,
		    "/subscriptions/%s/resourcegroups/" STR_FMT
		    "/providers/Microsoft.ManagedIdentity/userAssignedIdentities/" STR_FMT
		    "-agentpool",
		    c->s->id.subscription, STR_ARG(node_get_str(node_find(p, "nodeResourceGroup"))),
		    STR_ARG(node_get_str(node_find(k, "name"))))));
}

/* What the end of an operation leaves behind, by the verb's name. */
static const struct {
	const char *verb;
	const char *power; /* powerState.code, NULL: as it is */
	const char *state;
} ends[] = {
	{ "cluster.abort", NULL, "Canceled" },
	{ "cluster.stop", "Stopped", "Succeeded" },
	{ "cluster.start", "Running", "Succeeded" },
};

void
cluster_finish(
    struct arm_call *c, struct str target, const struct node *op, const struct node *failure)
{
	struct node *k = doc_load(c, DOC_CLUSTER, target), *p = node_find(k, "properties"), *pools;
	struct str verb = node_get_str(node_find(op, "verb"));
	const char *state = failure != NULL ? "Failed" : "Succeeded";

	if (p == NULL)
		return;
	for (size_t i = 0; failure == NULL && i < ARRAY_LEN(ends); i++) {
		if (!str_is(verb, ends[i].verb))
			continue;
		state = ends[i].state;
		if (ends[i].power != NULL)
			node_set_strz(
			    c->a, node_make_path(c->a, p, "powerState"), "code", ends[i].power);
	}
	node_set_strz(c->a, p, "provisioningState", state);
	(void)node_remove(p, STR("status")); /* of an older failure */
	if (failure != NULL)
		node_set(c->a, node_make_path(c->a, p, "status"), "provisioningError",
		    node_dup(c->a, failure));
	if (failure == NULL)
		kubelet_identity(c, k);
	if (failure == NULL && !str_is(verb, "cluster.abort"))
		node_set_bool(c->a, doc_hidden(c, k), "serves", true);
	(void)doc_save(c, DOC_CLUSTER, target, k);
	pools = pools_of(c, target);
	for (struct node *pool = node_first(pools); pool != NULL; pool = pool->next) {
		struct str now = node_path_str(pool, "properties.provisioningState");

		if (!str_is(now, "Succeeded") && !str_is(now, "Failed") && !str_is(now, "Canceled"))
			pool_finish(c, node_path_str(pool, "_sim.key"), op, failure);
	}
}
