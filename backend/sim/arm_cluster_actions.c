#include "backend/sim/arm_routes.h"
#include "backend/sim/operations.h"
#include "backend/sim/resources.h"
#include "backend/sim/sim_int.h"

/*
 * What is done to a cluster or pool by POST, the credentials, and what it may be upgraded to.
 */

struct action {
	enum op_verb verb;
	const char *state; /* while it runs */
	unsigned headers;
};

static void
action_run(struct arm_call *c, const struct action *a)
{
	struct node *k;
	struct str id;

	if (group_find(c, c->param[1], true) == NULL)
		return;
	k = cluster_of_path(c);
	if (k == NULL || !check_cluster_idle(c, k, true))
		return;
	id = operation_start(c,
	    &(struct op_start){ .verb = a->verb,
		.target = cluster_key_of(c),
		.provider = "Microsoft.ContainerService",
		.location = node_get_str(node_find(k, "location")) },
	    a->headers);
	node_set(c->a, doc_hidden(c, k), "op", node_str(c->a, id));
	node_set_strz(c->a, node_find(k, "properties"), "provisioningState", a->state);
	if (doc_save(c, DOC_CLUSTER, cluster_key_of(c), k))
		answer_empty(c, 202);
}

void
cluster_stop(struct arm_call *c)
{
	action_run(c, &(struct action){ OP_CLUSTER_STOP, "Stopping", OP_LOCATION });
}

void
cluster_start(struct arm_call *c)
{
	action_run(c, &(struct action){ OP_CLUSTER_START, "Starting", OP_LOCATION });
}

void
cluster_rotate(struct arm_call *c)
{
	action_run(c, &(struct action){ OP_CLUSTER_ROTATE, "Updating", OP_LOCATION });
}

static bool
end_for_abort(struct arm_call *c, struct str op, const char *what)
{
	if (operation_running(c, op) == NULL) {
		if (!c->answered)
			answer_aks_error(c, 409, "OperationNotAllowed", NULL,
			    "There is no running operation to abort on the %s.", what);
		return false;
	}
	operation_end(c, op, "Canceled", "OperationCanceled", "The operation was aborted.");
	return true;
}

void
cluster_abort(struct arm_call *c)
{
	struct node *k, *pools;
	struct str id;

	if (group_find(c, c->param[1], false) == NULL)
		return;
	k = cluster_of_path(c);
	if (k == NULL || !end_for_abort(c, node_path_str(k, "_sim.op"), "managed cluster"))
		return;
	id = operation_start(c,
	    &(struct op_start){ .verb = OP_CLUSTER_ABORT,
		.target = cluster_key_of(c),
		.provider = "Microsoft.ContainerService",
		.location = node_get_str(node_find(k, "location")) },
	    OP_ASYNC | OP_LOCATION);
	node_set(c->a, doc_hidden(c, k), "op", node_str(c->a, id));
	node_set_strz(c->a, node_find(k, "properties"), "provisioningState", "Canceling");
	if (!doc_save(c, DOC_CLUSTER, cluster_key_of(c), k))
		return;
	pools = pools_of(c, cluster_key_of(c));
	for (struct node *p = node_first(pools); p != NULL; p = p->next) {
		if (str_is(node_path_str(p, "properties.provisioningState"), "Succeeded"))
			continue;
		node_set_strz(c->a, node_find(p, "properties"), "provisioningState", "Canceling");
		(void)doc_save(c, DOC_POOL, node_path_str(p, "_sim.key"), p);
	}
	answer_empty(c, 202);
}

static struct node *
pool_of_path(struct arm_call *c)
{
	struct node *p;

	if (group_find(c, c->param[1], false) == NULL || cluster_of_path(c) == NULL)
		return NULL;
	p = doc_load(c, DOC_POOL,
	    doc_key(c, STR_FMT "/" STR_FMT "/" STR_FMT, STR_ARG(c->param[1]), STR_ARG(c->param[2]),
		STR_ARG(c->param[3])));
	if (p == NULL && !c->answered)
		answer_aks_error(c, 404, "NotFound", NULL,
		    "Could not find the agentPool " STR_FMT ".", STR_ARG(c->param[3]));
	return p;
}

void
pool_abort(struct arm_call *c)
{
	struct node *p = pool_of_path(c);
	struct str key, id;

	if (p == NULL || !end_for_abort(c, node_path_str(p, "_sim.op"), "agent pool"))
		return;
	key = node_path_str(p, "_sim.key");
	id = operation_start(c,
	    &(struct op_start){ .verb = OP_POOL_ABORT,
		.target = key,
		.provider = "Microsoft.ContainerService",
		.location = node_path_str(p, "_sim.location") },
	    OP_ASYNC | OP_LOCATION);
	node_set(c->a, doc_hidden(c, p), "op", node_str(c->a, id));
	node_set_strz(c->a, node_find(p, "properties"), "provisioningState", "Canceling");
	if (doc_save(c, DOC_POOL, key, p))
		answer_empty(c, 202);
}

static void
credential(struct arm_call *c, const char *name)
{
	struct text config = TEXT_INIT((size_t)64 * 1024), coded = TEXT_INIT((size_t)128 * 1024);
	struct node *k, *n = node_map(c->a), *list = node_list(c->a), *one = node_map(c->a);
	struct error err = { 0 };

	if (!check_registered(c, "Microsoft.ContainerService") ||
	    group_find(c, c->param[1], false) == NULL)
		return;
	k = cluster_of_path(c);
	if (k == NULL)
		return;
	if (node_path_bool(k, "properties.disableLocalAccounts", false)) {
		answer_aks_error(c, 400, "BadRequest", NULL,
		    "Getting static credential is not allowed because this cluster is set to "
		    "disable "
		    "local accounts.");
	} else if (!node_path_bool(k, "_sim.serves", false)) {
		answer_aks_error(c, 409, "OperationNotAllowed", NULL,
		    "The managed cluster is not ready yet: its state is " STR_FMT ".",
		    STR_ARG(node_path_str(k, "properties.provisioningState")));
	} else if (!clusters_kubeconfig(c->s->clusters, k, name, &config, &err)) {
		answer_failure(c, &err);
	} else {
		text_add_base64(&coded, text_str(&config));
		node_set_strz(c->a, one, "name", name);
		node_set(c->a, one, "value", node_str(c->a, text_str(&coded)));
		node_push(list, one);
		node_set(c->a, n, "kubeconfigs", list);
		answer_json(c, 200, n);
	}
	text_free(&config);
	text_free(&coded);
}

void
cluster_admin_credential(struct arm_call *c)
{
	credential(c, "clusterAdmin");
}

void
cluster_user_credential(struct arm_call *c)
{
	struct str format = arm_query(c, "format");

	if (format.n > 0 && !str_eq_nocase(format, STR("azure")) &&
	    !str_eq_nocase(format, STR("exec")))
		answer_aks_error(c, 400, "InvalidParameter", "format",
		    "The value of parameter format is invalid: '" STR_FMT "'.", STR_ARG(format));
	else
		credential(c, "clusterUser");
}

/* Patches that a version may go to: newer ones of its minor and those of the next. */
static struct node *
upgrades(struct arm_call *c, struct str from, struct str most)
{
	struct node *list = node_list(c->a);
	size_t n;
	const struct kube_version *v = versions_get(&n);
	int minor = version_minor(from);

	for (size_t i = 0; i < n; i++) {
		int m = version_minor(str_from(v[i].minor));

		if (m < minor || m > minor + 1)
			continue;
		for (size_t k = 0; k < ARRAY_LEN(v[i].patches) && v[i].patches[k] != NULL; k++) {
			struct str patch = str_from(v[i].patches[k]);
			struct node *u = node_map(c->a);

			if (version_cmp(patch, from) <= 0 ||
			    (most.n > 0 && version_cmp(patch, most) > 0))
				continue;
			node_set_bool(c->a, u, "isPreview", v[i].preview);
			node_set(c->a, u, "kubernetesVersion", node_str(c->a, patch));
			node_push(list, u);
		}
	}
	return list;
}

static struct node *
profile(struct arm_call *c, struct str version, struct str most, struct str name)
{
	struct node *n = node_map(c->a);

	node_set(c->a, n, "kubernetesVersion", node_str(c->a, version));
	if (name.n > 0)
		node_set(c->a, n, "name", node_str(c->a, name));
	node_set_strz(c->a, n, "osType", "Linux");
	node_set(c->a, n, "upgrades", upgrades(c, version, most));
	return n;
}

static void
sub_resource(struct arm_call *c, struct node *n, struct str id, const char *tail, const char *type)
{
	node_set(c->a, n, "id", node_str(c->a, str_printf(c, STR_FMT "%s", STR_ARG(id), tail)));
	node_set_strz(c->a, n, "name", "default");
	node_set_strz(c->a, n, "type", type);
}

void
cluster_upgrade_profile(struct arm_call *c)
{
	struct node *k, *n = node_map(c->a), *p = node_map(c->a), *list = node_list(c->a), *pools;
	struct str plane;

	if (group_find(c, c->param[1], false) == NULL)
		return;
	k = cluster_of_path(c);
	if (k == NULL)
		return;
	plane = node_path_str(k, "properties.currentKubernetesVersion");
	pools = pools_of(c, cluster_key_of(c));
	for (struct node *x = node_first(pools); x != NULL; x = x->next)
		node_push(
		    list, profile(c, node_path_str(x, "properties.currentOrchestratorVersion"),
			      (struct str){ 0 }, node_get_str(node_find(x, "name"))));
	node_set(c->a, p, "agentPoolProfiles", list);
	node_set(c->a, p, "controlPlaneProfile",
	    profile(c, plane, (struct str){ 0 }, (struct str){ 0 }));
	sub_resource(c, n, node_get_str(node_find(k, "id")), "/upgradeprofiles/default",
	    "Microsoft.ContainerService/managedClusters/upgradeprofiles");
	node_set(c->a, n, "properties", p);
	answer_json(c, 200, n);
}

void
pool_upgrade_profile(struct arm_call *c)
{
	struct node *pool = pool_of_path(c), *k, *n = node_map(c->a), *p;

	if (pool == NULL)
		return;
	k = cluster_of_path(c);
	p = profile(c, node_path_str(pool, "properties.currentOrchestratorVersion"),
	    node_path_str(k, "properties.currentKubernetesVersion"), (struct str){ 0 });
	node_set_strz(
	    c->a, p, "latestNodeImageVersion", "AKSUbuntu-2404gen2containerd-202611.24.0");
	sub_resource(c, n, node_get_str(node_find(pool, "id")), "/upgradeprofiles/default",
	    "Microsoft.ContainerService/managedClusters/agentPools/upgradeProfiles");
	node_set(c->a, n, "properties", p);
	answer_json(c, 200, n);
}

void
cluster_pool_versions(struct arm_call *c)
{
	struct node *k, *n = node_map(c->a), *p = node_map(c->a), *list = node_list(c->a);
	struct str plane;
	size_t count;
	const struct kube_version *v = versions_get(&count);

	if (group_find(c, c->param[1], false) == NULL)
		return;
	k = cluster_of_path(c);
	if (k == NULL)
		return;
	plane = node_path_str(k, "properties.currentKubernetesVersion");
	for (size_t i = count; i-- > 0;) { /* newest first */
		int behind = version_minor(plane) - version_minor(str_from(v[i].minor));

		for (size_t q = ARRAY_LEN(v[i].patches); q-- > 0;) {
			struct node *one = node_map(c->a);
			struct str patch = str_from(v[i].patches[q]);

			if (patch.n == 0 || behind < 0 || behind > 3 ||
			    version_cmp(patch, plane) > 0)
				continue;
			if (str_eq(patch, plane))
				node_set_bool(c->a, one, "default", true);
			node_set(c->a, one, "kubernetesVersion", node_str(c->a, patch));
			node_push(list, one);
		}
	}
	node_set(c->a, p, "agentPoolVersions", list);
	sub_resource(c, n, node_get_str(node_find(k, "id")), "/availableagentpoolversions",
	    "Microsoft.ContainerService/managedClusters/availableAgentpoolVersions");
	node_set(c->a, n, "properties", p);
	answer_json(c, 200, n);
}

static struct node *
version_node(struct arm_call *c, const struct kube_version *v)
{
	struct node *n = node_map(c->a), *plans = node_list(c->a), *patches = node_map(c->a);
	bool lts =
	    v->lts_only || fault_keyed(c->s->faults, FAULT_RETIRED, str_from(v->minor)) != NULL;

	if (!lts)
		node_push(plans, node_strz(c->a, "KubernetesOfficial"));
	node_push(plans, node_strz(c->a, "AKSLongTermSupport"));
	node_set(c->a, node_make_path(c->a, n, "capabilities"), "supportPlan", plans);
	node_set_bool(c->a, n, "isDefault", v->is_default);
	node_set_bool(c->a, n, "isPreview", v->preview);
	for (size_t i = 0; i < ARRAY_LEN(v->patches) && v->patches[i] != NULL; i++) {
		struct node *one = node_map(c->a), *to = node_list(c->a);
		struct node *all = upgrades(c, str_from(v->patches[i]), (struct str){ 0 });

		for (struct node *u = node_first(all); u != NULL; u = u->next)
			node_push(to, node_dup(c->a, node_find(u, "kubernetesVersion")));
		node_set(c->a, one, "upgrades", to);
		node_set(c->a, patches, v->patches[i], one);
	}
	node_set(c->a, n, "patchVersions", patches);
	node_set_strz(c->a, n, "version", v->minor);
	return n;
}

void
versions_list(struct arm_call *c)
{
	struct node *n = node_map(c->a), *list = node_list(c->a);
	size_t count;
	const struct kube_version *v = versions_get(&count);

	if (location_find(c->param[1]) == NULL) {
		answer_error(c, 400, "NoRegisteredProviderFound",
		    "No registered resource provider found for location '" STR_FMT "'.",
		    STR_ARG(c->param[1]));
		return;
	}
	for (size_t i = 0; i < count; i++)
		node_push(list, version_node(c, &v[i]));
	node_set(c->a, n, "values", list);
	answer_json(c, 200, n);
}
