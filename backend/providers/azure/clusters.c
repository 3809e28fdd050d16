#include "backend/providers/azure/azure_int.h"

#include <string.h>

#include "model/base/mem.h"

/*
 * The row "managed-cluster" with its system pool inline (facts 3.3). One GET, or one item of the
 * shared list, shows the cluster and every pool, so the pools' rows look through here.
 */

#define SYSTEM_POOL STR("system")

static const struct compare_field fields[] = {
	{ "location", CMP_NOCASE, true },
	{ "identity.type", CMP_NOCASE, true },
	{ "sku.tier", CMP_NOCASE, false },
	{ "properties.dnsPrefix", CMP_NOCASE, true },
	{ "properties.nodeResourceGroup", CMP_NOCASE, true },
	{ "properties.networkProfile.networkPlugin", CMP_NOCASE, true },
	{ "properties.networkProfile.networkPluginMode", CMP_NOCASE, true },
	{ "properties.networkProfile.podCidr", CMP_NOCASE, true },
	{ "properties.networkProfile.serviceCidr", CMP_NOCASE, true },
	{ "properties.networkProfile.dnsServiceIP", CMP_NOCASE, true },
	{ "properties.networkProfile.loadBalancerSku", CMP_NOCASE, true },
	{ "properties.networkProfile.outboundType", CMP_NOCASE, true },
	{ "properties.autoUpgradeProfile.upgradeChannel", CMP_NONE_ABSENT, false },
	{ "properties.autoUpgradeProfile.nodeOSUpgradeChannel", CMP_NONE_ABSENT, false },
};
static const char *const read_only[] = { "id", "name", "type", "eTag", "systemData",
	"identity.principalId", "identity.tenantId", "properties.provisioningState",
	"properties.powerState", "properties.currentKubernetesVersion", "properties.fqdn",
	"properties.privateFQDN", "properties.azurePortalFQDN", "properties.maxAgentPools",
	"properties.resourceUID", "properties.status", "properties.identityProfile",
	"properties.networkProfile.loadBalancerProfile.effectiveOutboundIPs" };

static struct str
cluster_id(const struct step *s)
{
	return id_or(s, arm_cluster_id(session_of(s), group_of(s), s->ext->spec.name));
}

enum found
cluster_look(struct step *s, struct str id, bool fresh, struct node **ret_node, struct error *err)
{
	struct azure_session *az = session_of(s);
	enum found found;

	if (!fresh && az->cluster == NULL && !az->cluster_absent &&
	    s->ext->spec.phase == EXTERNAL_READY && s->want != NULL) {
		int64_t started = 0;
		const struct node *items = azure_list_get(az, LIST_CLUSTERS, &started, err);

		if (items == NULL)
			return FOUND_FAILED;
		if (azure_acted_at(az, id) < started)
			return azure_look(s, LIST_CLUSTERS, id, API_AKS, ret_node, err);
	}
	if (!fresh && str_eq_nocase(az->cluster_id, id) &&
	    (az->cluster != NULL || az->cluster_absent)) {
		*ret_node = az->cluster;
		return az->cluster != NULL ? FOUND_IT : FOUND_ABSENT;
	}
	found = arm_get(az, id, API_AKS, ret_node, err);
	if (found == FOUND_IT)
		azure_known_note(az, id);
	az->cluster_id = id;
	az->cluster = found == FOUND_IT ? *ret_node : NULL;
	az->cluster_absent = found == FOUND_ABSENT;
	return found;
}

/* Do all pools run the control plane's minor? Else its next step waits for them. */
static bool
pools_follow(const struct node *live)
{
	int64_t minor = azure_version_minor(cluster_version(live));

	for (const struct node *n = node_first(node_path(live, "properties.agentPoolProfiles"));
	     n != NULL; n = n->next) {
		int64_t pool = azure_version_minor(pool_version(n));

		if (pool != 0 && pool < minor)
			return false;
	}
	return true;
}

static void
compare_version(struct step *s, const struct node *live)
{
	struct str want =
	    node_path_str(node_find(s->want->want, "body"), "properties.kubernetesVersion");
	struct str now = cluster_version(live);
	struct str asked = node_path_str(live, "properties.kubernetesVersion");

	if (azure_version_fits(now, want) || str_eq(asked, want))
		return;
	if (azure_version_minor(want) < azure_version_minor(now)) {
		compare_note(s, true, "kubernetesVersion (cannot go back) " STR_FMT " -> " STR_FMT,
		    STR_ARG(now), STR_ARG(want));
		return;
	}
	if (azure_version_minor(want) > azure_version_minor(now) && !pools_follow(live)) {
		s->ext->spec.progress = STR("waits until all pools run its version");
		return; /* the pools differ, and go first */
	}
	compare_note(s, false, "kubernetesVersion " STR_FMT " -> " STR_FMT, STR_ARG(now),
	    STR_ARG(azure_version_step(s->arena, now, want)));
}

static void
compare(struct step *s, const struct node *live)
{
	const struct node *want = node_find(s->want->want, "body");
	const struct node *pool = pool_in(live, SYSTEM_POOL);

	compare_fields(s, fields, ARRAY_LEN(fields), want, live);
	if (pool == NULL)
		compare_note(s, false, "the system pool is missing");
	else
		compare_fields(s, pool_fields, npool_fields,
		    node_path(want, "properties.agentPoolProfiles[0]"), pool);
	compare_version(s, live);
}

/* What other rows and the screen need; small. */
static void
remember(struct step *s, const struct node *live)
{
	static const char *const keep[][2] = {
		{ "principalId", "identity.principalId" },
		{ "fqdn", "properties.fqdn" },
		{ "nodeResourceGroup", "properties.nodeResourceGroup" },
		{ "resourceUID", "properties.resourceUID" },
		{ "powerState", "properties.powerState.code" },
	};
	struct node *o = node_map(s->arena);
	struct str etag = node_get_str(node_find(live, "eTag"));

	for (size_t i = 0; i < ARRAY_LEN(keep); i++) {
		struct str v = node_path_str(live, keep[i][1]);

		if (v.n > 0)
			node_set(s->arena, o, keep[i][0], node_str(s->arena, v));
	}
	s->ext->spec.observed = o;
	s->ext->spec.etag = str_copy(s->arena, etag);
	if (cluster_version(live).n > 0)
		s->ext->spec.version = str_copy(s->arena, cluster_version(live));
	set_id(s, cluster_id(s));
}

enum seen
cluster_observe(struct step *s, struct error *err)
{
	struct node *live = NULL;
	enum seen seen;

	switch (cluster_look(s, cluster_id(s), false, &live, err)) {
	case FOUND_FAILED:
		return SEEN_UNKNOWN;
	case FOUND_ABSENT:
		return SEEN_ABSENT;
	case FOUND_IT:
		break;
	}
	if (!tags_are_ours(s, node_find(live, "tags")))
		return SEEN_FOREIGN;
	remember(s, live);
	if (s->ext->spec.phase == EXTERNAL_DELETING)
		return removal_seen(s, properties_state(live), err);
	seen = state_seen(
	    s, properties_state(live), node_path(live, "properties.status.provisioningError"), err);
	if (seen == SEEN_READY &&
	    str_is(node_path_str(live, "properties.powerState.code"), "Stopped"))
		s->ext->spec.progress = STR("stopped");
	if (seen == SEEN_READY && s->want != NULL)
		compare(s, live);
	return seen == SEEN_READY && compare_drifted(s) ? SEEN_DRIFTED : seen;
}

/* Every pool of the body stands in our subnet. */
static void
set_subnet(struct step *s, struct node *body)
{
	struct str subnet = arm_subnet_id(session_of(s), s->want->want);

	for (struct node *n = node_first(node_path(body, "properties.agentPoolProfiles"));
	     n != NULL; n = n->next)
		node_set(s->arena, n, "vnetSubnetID", node_str(s->arena, subnet));
}

enum outcome
cluster_create(struct step *s, struct error *err)
{
	struct node *body = node_dup(s->arena, node_find(s->want->want, "body")), *live = NULL;
	struct node *pool = pool_in(body, SYSTEM_POOL);
	enum outcome outcome;

	if (pool != NULL)
		node_set_int(s->arena, pool, "count", pool_count(pool, pool));
	set_subnet(s, body);
	tags_set(s, body, "", NULL);
	outcome = arm_put(s,
	    &(struct arm_put){
		.id = cluster_id(s), .api = API_AKS, .body = body, .only_if_absent = true },
	    &live, err);
	if (live != NULL && (outcome == OUTCOME_STARTED || outcome == OUTCOME_DONE))
		remember(s, live);
	return outcome;
}

/* Wanted members over what is there; count is Azure's, a version moves with the control plane. */
static void
merge_system_pool(struct step *s, struct node *body, const struct node *want, struct str version)
{
	struct node *pool = pool_in(body, SYSTEM_POOL), *pools;
	int64_t count;

	if (pool == NULL) {
		pools = node_path(body, "properties.agentPoolProfiles");
		pool = node_dup(s->arena, want);
		if (pools != NULL)
			node_push(pools, pool);
		else
			return;
	}
	count = pool_count(pool, want);
	body_merge(s->arena, pool, want);
	node_set_int(s->arena, pool, "count", count);
	if (version.n > 0)
		node_set(s->arena, pool, "orchestratorVersion", node_str(s->arena, version));
}

/* AKS resets what a PUT leaves out: read, change, send whole (facts 4.2). */
enum outcome
cluster_update(struct step *s, struct error *err)
{
	const struct node *want = node_find(s->want->want, "body");
	struct node *live = NULL, *merged = node_dup(s->arena, want), *body, *props;
	struct str etag, now, version = { 0 }, target;

	if (cluster_look(s, cluster_id(s), true, &live, err) != FOUND_IT)
		return OUTCOME_NOT_SENT;
	etag = str_copy(s->arena, node_get_str(node_find(live, "eTag")));
	now = str_copy(s->arena, cluster_version(live));
	body = node_dup(s->arena, live);
	body_strip(body, read_only, ARRAY_LEN(read_only));
	for (struct node *n = node_first(node_path(body, "properties.agentPoolProfiles"));
	     n != NULL; n = n->next)
		body_strip(n, pool_read_only, npool_read_only);
	target =
	    azure_version_step(s->arena, now, node_path_str(want, "properties.kubernetesVersion"));
	if (!azure_version_fits(now, target) && pools_follow(live))
		version = target;
	props = node_find(merged, "properties");
	(void)node_remove(props, STR("agentPoolProfiles"));
	(void)node_remove(props, STR("kubernetesVersion"));
	body_merge(s->arena, body, merged);
	if (version.n > 0)
		node_set(s->arena, node_find(body, "properties"), "kubernetesVersion",
		    node_str(s->arena, version));
	merge_system_pool(s, body, node_path(want, "properties.agentPoolProfiles[0]"), version);
	set_subnet(s, body);
	tags_set(s, body, "", node_find(live, "tags"));
	return arm_put(s,
	    &(struct arm_put){ .id = cluster_id(s), .api = API_AKS, .body = body, .etag = etag },
	    NULL, err);
}

enum outcome
cluster_remove(struct step *s, struct error *err)
{
	return arm_remove(s, cluster_id(s), API_AKS, err);
}
