#include "backend/sim/arm_routes.h"
#include "backend/sim/operations.h"
#include "backend/sim/resources.h"
#include "backend/sim/sim_int.h"

/*
 * Agent pools. Path parameters: 1 group, 2 cluster, 3 pool.
 */

static const char pool_type[] = "Microsoft.ContainerService/managedClusters/agentPools";

static struct str
pool_key(struct arm_call *c)
{
	return doc_key(c, STR_FMT "/" STR_FMT "/" STR_FMT, STR_ARG(c->param[1]),
	    STR_ARG(c->param[2]), STR_ARG(c->param[3]));
}

struct node *
pools_of(struct arm_call *c, struct str cluster_key)
{
	return doc_list(c, DOC_POOL, doc_key(c, STR_FMT "/", STR_ARG(cluster_key)));
}

void
etag_renew(struct arm_call *c, struct node *n)
{
	node_set(c->a, n, "eTag", node_str(c->a, guid_new(c)));
}

bool
check_pool_idle(struct arm_call *c, const struct node *pool)
{
	struct node *op = operation_running(c, node_path_str(pool, "_sim.op"));
	struct text when = TEXT_INIT(64);

	if (op == NULL)
		return !c->answered;
	simtime_add(&when, node_get_int(node_find(op, "startMs"), 0));
	answer_aks_error(c, 409, "OperationNotAllowed", NULL,
	    "Operation is not allowed because there's an in progress %s operation on the agent "
	    "pool " STR_FMT
	    " started on %s. Please wait for it to finish before starting a new operation.",
	    operation_words(op), STR_ARG(node_get_str(node_find(pool, "name"))), text_get(&when));
	text_free(&when);
	return false;
}

bool
pool_save(struct arm_call *c, struct str cluster_key, const struct node *cluster, struct str name,
    struct node *properties, struct str op)
{
	struct str key = doc_key(c, STR_FMT "/" STR_FMT, STR_ARG(cluster_key), STR_ARG(name));
	struct node *old = doc_load(c, DOC_POOL, key), *n = node_map(c->a), *h;

	node_set(c->a, n, "id",
	    node_str(c->a, str_printf(c, STR_FMT "/agentPools/" STR_FMT,
			       STR_ARG(node_get_str(node_find(cluster, "id"))), STR_ARG(name))));
	node_set(c->a, n, "name", node_str(c->a, name));
	node_set(c->a, n, "properties", properties);
	node_set_strz(c->a, n, "type", pool_type);
	if (old != NULL && node_find(old, "_sim") != NULL)
		node_set(c->a, n, "_sim", node_dup(c->a, node_find(old, "_sim")));
	h = doc_hidden(c, n);
	node_set(c->a, h, "op", node_str(c->a, op));
	node_set(c->a, h, "key", node_str(c->a, key));
	node_set(c->a, h, "location", node_dup(c->a, node_find(cluster, "location")));
	node_set(c->a, h, "nodeGroup",
	    node_dup(c->a, node_path(cluster, "properties.nodeResourceGroup")));
	if (node_find(h, "madeMs") == NULL)
		node_set_int(c->a, h, "madeMs", c->now_ms);
	return doc_save(c, DOC_POOL, key, n);
}

/* Pools of one overlay cluster share a virtual network. */
static bool
check_same_vnet(struct arm_call *c, struct str cluster_key, const struct node *properties)
{
	struct node *pools = pools_of(c, cluster_key);
	struct str mine = node_get_str(node_find(properties, "vnetSubnetID"));
	struct str other = node_path_str(node_first(pools), "properties.vnetSubnetID");
	ptrdiff_t at = str_find(mine, STR("/subnets/")), ot = str_find(other, STR("/subnets/"));

	if (node_count(pools) == 0 || (mine.n == 0 && other.n == 0))
		return true;
	if (at > 0 && ot > 0 &&
	    str_eq_nocase(str_sub(mine, 0, (size_t)at), str_sub(other, 0, (size_t)ot)))
		return true;
	if (mine.n == 0)
		return true; /* the service takes the cluster's */
	return answer_invalid(c, "agentPoolProfile.vnetSubnetID",
	    "All node pools of the cluster must be in the same virtual network.");
}

static bool
check_last_system(struct arm_call *c, struct str cluster_key, struct str but)
{
	struct node *pools = pools_of(c, cluster_key);

	for (struct node *p = node_first(pools); p != NULL; p = p->next) {
		if (str_eq_nocase(node_path_str(p, "properties.mode"), STR("System")) &&
		    !str_eq_nocase(node_get_str(node_find(p, "name")), but) &&
		    !str_is(node_path_str(p, "properties.provisioningState"), "Deleting"))
			return true;
	}
	return answer_aks_error(c, 400, "LastSystemPoolCannotBeDeleted", "agentPoolProfile.mode",
	    "There has to be at least one system node pool in the cluster.");
}

static enum op_verb
verb_of(const struct node *old, const struct node *fresh, const char **ret_state, double *ret_s)
{
	const struct vm_size *v = size_find(node_get_str(node_find(fresh, "vmSize")));
	int64_t count = node_get_int(node_find(fresh, "count"), 0);
	struct str was = node_get_str(node_find(old, "currentOrchestratorVersion"));
	struct str is = node_get_str(node_find(fresh, "currentOrchestratorVersion"));

	*ret_s = 0;
	if (old == NULL) {
		*ret_state = "Creating";
		*ret_s = v != NULL && v->gpus > 0 ? 232 : 200;
		return OP_POOL_CREATE;
	}
	if (!str_eq(was, is)) {
		*ret_state = "Upgrading";
		*ret_s = 120 + 120 * (double)count;
		return OP_POOL_UPGRADE;
	}
	if (count != node_get_int(node_find(old, "count"), 0)) {
		*ret_state = "Scaling";
		return OP_POOL_SCALE;
	}
	*ret_state = "Updating";
	return OP_POOL_UPDATE;
}

/* Properties that say how it stands, not what it should be. */
static const char *const standing[] = { "eTag", "provisioningState", "status" };

static bool
same_pool(struct arm_call *c, const struct node *a, const struct node *b)
{
	struct node *x = node_dup(c->a, a), *y = node_dup(c->a, b);

	for (size_t i = 0; i < ARRAY_LEN(standing); i++) {
		(void)node_remove(x, str_from(standing[i]));
		(void)node_remove(y, str_from(standing[i]));
	}
	return node_eq(x, y);
}

static void
pool_write(struct arm_call *c, struct node *cluster, const struct node *old, struct node *fresh,
    struct node *outcome)
{
	const char *state = NULL;
	double seconds = 0;
	enum op_verb verb = verb_of(old, fresh, &state, &seconds);
	struct str key = pool_key(c), id;

	id = operation_start(c,
	    &(struct op_start){ .verb = verb,
		.target = key,
		.provider = "Microsoft.ContainerService",
		.location = node_get_str(node_find(cluster, "location")),
		.seconds = seconds,
		.outcome = outcome },
	    OP_ASYNC);
	node_set_strz(c->a, fresh, "provisioningState", state);
	etag_renew(c, fresh);
	if (pool_save(c, node_path_str(cluster, "_sim.key"), cluster, c->param[3], fresh, id))
		answer_json(c, old == NULL ? 201 : 200, doc_shown(c, doc_load(c, DOC_POOL, key)));
}

void
pool_put(struct arm_call *c)
{
	struct node *cluster, *old, *outcome = NULL, *p, *fresh;
	struct pool_check k;

	if (!check_registered(c, "Microsoft.ContainerService") || !check_body(c) ||
	    !body_check(c, BODY_POOL, c->body) || group_find(c, c->param[1], true) == NULL)
		return;
	cluster = cluster_of_path(c);
	if (cluster == NULL)
		return;
	old = doc_load(c, DOC_POOL, pool_key(c));
	p = node_find(c->body, "properties");
	if (!check_conditions(c, node_path_str(old, "properties.eTag"), old != NULL) ||
	    !check_cluster_idle(c, cluster, false) || !check_pool_idle(c, old))
		return;
	if (p == NULL) {
		answer_invalid(c, "properties", "Required parameter properties is missing.");
		return;
	}
	k = (struct pool_check){ .cluster = cluster,
		.location = location_find(node_get_str(node_find(cluster, "location"))),
		.cluster_version = node_path_str(cluster, "properties.currentKubernetesVersion"),
		.old = node_find(old, "properties"),
		.properties = p,
		.name = c->param[3],
		.target = "agentPoolProfile",
		.ret_outcome = &outcome };
	if (!pool_check(c, &k) || !check_same_vnet(c, node_path_str(cluster, "_sim.key"), p))
		return;
	if (old != NULL && str_eq_nocase(node_path_str(old, "properties.mode"), STR("System")) &&
	    str_eq_nocase(node_get_str(node_find(p, "mode")), STR("User")) &&
	    !check_last_system(c, node_path_str(cluster, "_sim.key"), c->param[3]))
		return;
	fresh = pool_filled(c, &k);
	if (old != NULL && same_pool(c, k.old, fresh) &&
	    str_is(node_get_str(node_find(k.old, "provisioningState")), "Succeeded"))
		answer_json(c, 200, doc_shown(c, old));
	else
		pool_write(c, cluster, k.old, fresh, outcome);
}

void
pool_get(struct arm_call *c)
{
	struct node *p;

	if (group_find(c, c->param[1], false) == NULL || cluster_of_path(c) == NULL)
		return;
	p = doc_load(c, DOC_POOL, pool_key(c));
	if (p != NULL)
		answer_json(c, 200, doc_shown(c, p));
	else if (!c->answered)
		answer_aks_error(c, 404, "NotFound", NULL,
		    "Could not find the agentPool " STR_FMT ".", STR_ARG(c->param[3]));
}

void
pool_list(struct arm_call *c)
{
	struct node *cluster, *pools, *out = node_list(c->a);

	if (group_find(c, c->param[1], false) == NULL)
		return;
	cluster = cluster_of_path(c);
	if (cluster == NULL)
		return;
	pools = pools_of(c, node_path_str(cluster, "_sim.key"));
	for (struct node *p = node_first(pools); p != NULL; p = p->next)
		node_push(out, doc_shown(c, p));
	answer_page(c, out, 100);
}

void
pool_delete(struct arm_call *c)
{
	struct node *cluster = doc_load(c, DOC_CLUSTER, cluster_key_of(c));
	struct node *pool = doc_load(c, DOC_POOL, pool_key(c));
	struct str id, op;

	if (c->answered)
		return;
	if (cluster == NULL || pool == NULL) {
		answer_empty(c, 204);
		return;
	}
	if (!check_conditions(c, node_path_str(pool, "properties.eTag"), true) ||
	    !check_cluster_idle(c, cluster, false))
		return;
	if (str_eq_nocase(node_path_str(pool, "properties.mode"), STR("System")) &&
	    !check_last_system(c, node_path_str(cluster, "_sim.key"), c->param[3]))
		return;
	op = node_path_str(pool, "_sim.op");
	if (operation_running(c, op) != NULL)
		operation_end(c, op, "Canceled", "AKSOperationPreempted",
		    "The operation was preempted by a deletion of the agent pool.");
	id = operation_start(c,
	    &(struct op_start){ .verb = OP_POOL_DELETE,
		.target = pool_key(c),
		.provider = "Microsoft.ContainerService",
		.location = node_get_str(node_find(cluster, "location")) },
	    OP_ASYNC | OP_LOCATION);
	node_set_strz(c->a, node_find(pool, "properties"), "provisioningState", "Deleting");
	if (pool_save(c, node_path_str(cluster, "_sim.key"), cluster, c->param[3],
		node_find(pool, "properties"), id))
		answer_empty(c, 202);
}

void
pool_delete_finish(
    struct arm_call *c, struct str target, const struct node *op, const struct node *failure)
{
	(void)op;
	if (failure == NULL)
		(void)doc_drop(c, DOC_POOL, target);
	else
		pool_finish(c, target, op, failure);
}

static void
status_set(struct arm_call *c, struct node *properties, const struct node *failure)
{
	struct node *status = node_map(c->a);

	(void)node_remove(properties, STR("status")); /* of an older failure */
	if (failure == NULL)
		return;
	node_set(c->a, status, "provisioningError", node_dup(c->a, failure));
	node_set(c->a, properties, "status", status);
}

void
pool_finish(
    struct arm_call *c, struct str target, const struct node *op, const struct node *failure)
{
	struct node *pool = doc_load(c, DOC_POOL, target), *p = node_find(pool, "properties"), *h;
	bool aborted = str_is(node_get_str(node_find(op, "verb")), "pool.abort");

	if (p == NULL)
		return;
	h = doc_hidden(c, pool);
	status_set(c, p, failure);
	if (aborted) {
		node_set_strz(c->a, p, "provisioningState", "Canceled");
	} else if (failure != NULL) {
		node_set_strz(c->a, p, "provisioningState", "Failed");
	} else {
		node_set_strz(c->a, p, "provisioningState", "Succeeded");
		node_set(c->a, h, "nodes", node_dup(c->a, node_find(p, "count")));
		node_set(c->a, h, "nodeVersion",
		    node_dup(c->a, node_find(p, "currentOrchestratorVersion")));
	}
	(void)doc_save(c, DOC_POOL, target, pool);
}
