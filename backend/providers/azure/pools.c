#include "backend/providers/azure/azure_int.h"

#include "model/base/mem.h"

/* The row "agent-pool" (facts 3.5): seen through the cluster, made and changed by its own PUT. */

const struct compare_field pool_fields[] = {
	{ "vmSize", CMP_NOCASE, true },
	{ "osDiskSizeGB", CMP_SAME, true },
	{ "availabilityZones", CMP_SET, true },
	{ "gpuProfile.driver", CMP_NOCASE, true },
	{ "mode", CMP_NOCASE, false },
	{ "enableAutoScaling", CMP_SAME, false },
	{ "minCount", CMP_SAME, false },
	{ "maxCount", CMP_SAME, false },
	{ "nodeLabels", CMP_SUBSET, false },
	{ "nodeTaints", CMP_SET, false },
};
const size_t npool_fields = ARRAY_LEN(pool_fields);
/* nodeImageVersion sent back would be a rollback in newer versions, powerState a stop. */
const char *const pool_read_only[] = { "provisioningState", "currentOrchestratorVersion", "eTag",
	"nodeImageVersion", "powerState", "status" };
const size_t npool_read_only = ARRAY_LEN(pool_read_only);

static struct str
cluster_id_of(const struct step *s)
{
	const struct external *peer = step_peer(s, "cluster");
	struct str id = s->ext->spec.external_id;
	ptrdiff_t at = str_find(id, STR("/agentPools/"));

	if (at > 0)
		return str_sub(id, 0, (size_t)at);
	if (s->want == NULL)
		return arm_cluster_id(
		    session_of(s), group_of(s), peer == NULL ? str_from(NULL) : peer->spec.name);
	return arm_cluster_id(session_of(s), group_of(s), want_str(s, "cluster"));
}

static struct str
pool_id(const struct step *s)
{
	return id_or(s, arm_path(session_of(s), STR_FMT "/agentPools/" STR_FMT,
			    STR_ARG(cluster_id_of(s)), STR_ARG(s->ext->spec.name)));
}

struct node *
pool_in(const struct node *cluster, struct str name)
{
	for (struct node *n = node_first(node_path(cluster, "properties.agentPoolProfiles"));
	     n != NULL; n = n->next) {
		if (str_eq_nocase(node_get_str(node_find(n, "name")), name))
			return n;
	}
	return NULL;
}

static struct str
version_of(const struct node *map, const char *now, const char *asked)
{
	struct str v = node_get_str(node_find(map, now));

	return v.n > 0 ? v : node_get_str(node_find(map, asked));
}

struct str
pool_version(const struct node *pool)
{
	return version_of(pool, "currentOrchestratorVersion", "orchestratorVersion");
}

struct str
cluster_version(const struct node *cluster)
{
	return version_of(
	    node_find(cluster, "properties"), "currentKubernetesVersion", "kubernetesVersion");
}

/* What the pool should run now: never ahead of the control plane. */
static struct str
wanted_version(const struct step *s, const struct node *cluster)
{
	struct str want = node_path_str(s->want->want, "body.properties.orchestratorVersion");
	struct str plane = cluster_version(cluster);

	if (azure_version_minor(want) <= azure_version_minor(plane))
		return want;
	/* In the middle of several steps: follow the control plane's minor. */
	return str_from(arena_printf(s->arena, "1.%lld", (long long)azure_version_minor(plane)));
}

static void
compare(struct step *s, const struct node *cluster, const struct node *live)
{
	struct str want = wanted_version(s, cluster);
	struct str now = pool_version(live);
	struct str asked = node_get_str(node_find(live, "orchestratorVersion"));

	compare_fields(
	    s, pool_fields, npool_fields, node_path(s->want->want, "body.properties"), live);
	if (want.n == 0 || azure_version_fits(now, want) || str_eq(asked, want))
		return;
	compare_note(s, azure_version_minor(want) < azure_version_minor(now),
	    "orchestratorVersion " STR_FMT " -> " STR_FMT, STR_ARG(now), STR_ARG(want));
}

static void
remember(struct step *s, const struct node *live)
{
	static const char *const keep[] = { "count", "minCount", "maxCount" };
	struct node *o = node_map(s->arena);

	for (size_t i = 0; i < ARRAY_LEN(keep); i++) {
		const struct node *n = node_find(live, keep[i]);

		if (n != NULL)
			node_set(s->arena, o, keep[i], node_dup(s->arena, n));
	}
	s->ext->spec.observed = o;
	s->ext->spec.etag = str_copy(s->arena, node_get_str(node_find(live, "eTag")));
	s->ext->spec.version = str_copy(s->arena, pool_version(live));
	set_id(s, pool_id(s));
}

enum seen
pool_observe(struct step *s, struct error *err)
{
	struct node *cluster = NULL, *live;
	struct str state;
	enum seen seen;

	switch (cluster_look(s, cluster_id_of(s), false, &cluster, err)) {
	case FOUND_FAILED:
		return SEEN_UNKNOWN;
	case FOUND_ABSENT:
		return SEEN_ABSENT;
	case FOUND_IT:
		break;
	}
	live = pool_in(cluster, s->ext->spec.name);
	if (live == NULL)
		return SEEN_ABSENT;
	if (!tags_are_ours(s, node_find(live, "tags")))
		return SEEN_FOREIGN;
	remember(s, live);
	state = node_get_str(node_find(live, "provisioningState"));
	if (s->ext->spec.phase == EXTERNAL_DELETING)
		return removal_seen(s, state, err);
	seen = state_seen(s, state, node_path(live, "status.provisioningError"), err);
	if (seen == SEEN_READY && s->want != NULL)
		compare(s, cluster, live);
	return seen == SEEN_READY && compare_drifted(s) ? SEEN_DRIFTED : seen;
}

static void
set_subnet(struct step *s, struct node *body)
{
	node_set(s->arena, node_make_path(s->arena, body, "properties"), "vnetSubnetID",
	    node_str(s->arena, arm_subnet_id(session_of(s), s->want->want)));
}

/*
 * The count of a PUT. For a pool that is there, what was read a moment ago: the autoscaler moves
 * it, and a PUT with the plan's number would ask for that size. Outside min..max it would be
 * refused.
 */
int64_t
pool_count(const struct node *live, const struct node *want)
{
	int64_t min = node_get_int(node_find(want, "minCount"), 0);
	int64_t max = node_get_int(node_find(want, "maxCount"), 1000);
	int64_t count = node_get_int(node_find(live, "count"), min);

	return count < min ? min : count > max ? max : count;
}

/* Pools are seen in the cluster's item of the list: that one is old now. */
static enum outcome
pool_put(struct step *s, const struct arm_put *put, struct error *err)
{
	enum outcome outcome = arm_put(s, put, NULL, err);

	azure_acted_note(session_of(s), cluster_id_of(s));
	return outcome;
}

enum outcome
pool_create(struct step *s, struct error *err)
{
	struct node *body = node_dup(s->arena, node_find(s->want->want, "body")), *cluster = NULL;
	struct node *props = node_find(body, "properties");
	struct arm_put put = {
		.id = pool_id(s), .api = API_AKS, .body = body, .only_if_absent = true
	};

	node_set_int(s->arena, props, "count", pool_count(props, props));
	/* A new pool in the middle of an upgrade starts with the control plane's version. */
	if (cluster_look(s, cluster_id_of(s), false, &cluster, NULL) == FOUND_IT)
		node_set(s->arena, props, "orchestratorVersion",
		    node_str(s->arena, wanted_version(s, cluster)));
	set_subnet(s, body);
	tags_set(s, body, "properties", NULL);
	return pool_put(s, &put, err);
}

enum outcome
pool_update(struct step *s, struct error *err)
{
	const struct node *want = node_path(s->want->want, "body.properties");
	struct node *cluster = NULL, *live, *body = node_map(s->arena), *props;
	struct str etag, version;
	int64_t count;

	if (cluster_look(s, cluster_id_of(s), true, &cluster, err) != FOUND_IT)
		return OUTCOME_NOT_SENT;
	live = pool_in(cluster, s->ext->spec.name);
	if (live == NULL) {
		(void)error_set(
		    err, ERR_CONFLICT, "pool '" STR_FMT "' is gone", STR_ARG(s->ext->spec.name));
		return OUTCOME_NOT_SENT;
	}
	etag = str_copy(s->arena, node_get_str(node_find(live, "eTag")));
	version = wanted_version(s, cluster);
	count = pool_count(live, want);
	props = node_dup(s->arena, live);
	(void)node_remove(props, STR("name"));
	body_strip(props, pool_read_only, npool_read_only);
	body_merge(s->arena, props, want);
	node_set_int(s->arena, props, "count", count);
	node_set(s->arena, props, "orchestratorVersion", node_str(s->arena, version));
	node_set(s->arena, body, "properties", props);
	set_subnet(s, body);
	tags_set(s, body, "properties", node_find(live, "tags"));
	return pool_put(s,
	    &(struct arm_put){ .id = pool_id(s), .api = API_AKS, .body = body, .etag = etag }, err);
}

enum outcome
pool_remove(struct step *s, struct error *err)
{
	return arm_remove(s, pool_id(s), API_AKS, err);
}
