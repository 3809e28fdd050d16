#include "model/compose/cluster.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/names.h"

#define SYSTEM_NS "modelplane-system"
#define INFRA_API "infrastructure.modelplane.ai/v1alpha1"

enum pool_flags {
	POOL_PRESET = 1 << 0,	     /* a preset beside the machine (Nebius) */
	POOL_DISK = 1 << 1,	     /* diskSizeGb is a field */
	POOL_BOUNDS = 1 << 2,	     /* min and max are always sent, null when unset */
	POOL_GPU_COUNT = 1 << 3,     /* gpu.acceleratorCount */
	POOL_GPU_DRIVERS = 1 << 4,   /* gpu.driversPreset */
	POOL_ZONES = 1 << 5,	     /* zones are always sent */
	POOL_ZONES_IF_ANY = 1 << 6,  /* zones are sent when there are any */
	POOL_CAPACITY = 1 << 7,	     /* capacityBlock */
	POOL_FABRIC_EFA = 1 << 8,    /* fabric: EFA */
	POOL_FABRIC_IB = 1 << 9,     /* fabric: InfiniBand */
	POOL_FABRIC_BLOCK = 1 << 10, /* fabric: {type, infiniband} */
};

/* One source: what its provider object is called and which fields its pools have (3.2, 3.3). */
struct source_row {
	const char *key, *kind, *guard_key;
	const char *region;  /* wire name of the place, NULL when it has none */
	const char *machine; /* wire name of the machine of a pool */
	unsigned pool;
};

/* clang-format off */
static const struct source_row sources[] = {
	[SOURCE_GKE] = { "gke-cluster", "GKECluster", "usage-gke-by-backend", "region", "machineType",
	    POOL_DISK | POOL_BOUNDS | POOL_GPU_COUNT | POOL_ZONES },
	[SOURCE_EKS] = { "eks-cluster", "EKSCluster", "usage-eks-by-backend", "region", "instanceType",
	    POOL_DISK | POOL_BOUNDS | POOL_ZONES | POOL_CAPACITY | POOL_FABRIC_EFA },
	[SOURCE_AKS] = { "aks-cluster", "AKSCluster", "usage-aks-by-backend", "location", "vmSize",
	    POOL_DISK | POOL_BOUNDS | POOL_ZONES_IF_ANY | POOL_FABRIC_IB },
	[SOURCE_NEBIUS] = { "nebius-cluster", "NebiusCluster", "usage-nebius-by-backend", NULL, "platform",
	    POOL_PRESET | POOL_DISK | POOL_GPU_DRIVERS | POOL_FABRIC_BLOCK },
	[SOURCE_VULTR] = { "vultr-cluster", "VultrCluster", "usage-vultr-by-backend", "region", "plan", 0 },
	[SOURCE_EXISTING] = { NULL, NULL, NULL, NULL, NULL, 0 },
};
/* clang-format on */

struct pass {
	struct arena *arena;
	const struct cluster_input *in;
	const struct source_row *row;
	struct cluster_result *r;
	bool provider_ready, stack_ready;
};

const char *
cluster_provider_kind(int source)
{
	if (source < 0 || (size_t)source >= ARRAY_LEN(sources))
		return NULL;
	return sources[source].kind;
}

struct str
cluster_stack_name(struct arena *a, struct str cluster)
{
	return child_name2(a, cluster, "serving-stack");
}

struct str
cluster_access_name(struct arena *a, struct str cluster)
{
	return child_name2(a, cluster, "cluster-kubeconfig");
}

const struct cluster_child *
cluster_child_find(const struct cluster_result *r, const char *key)
{
	for (size_t i = 0; i < r->nchildren; i++)
		if (strcmp(r->children[i].key, key) == 0)
			return &r->children[i];
	return NULL;
}

/* The object's condition Ready, or NULL. */
static const struct node *
ready_condition(const struct node *object)
{
	struct node *conditions = node_path(object, "status.conditions");

	for (const struct node *c = node_first(conditions); c != NULL; c = c->next)
		if (str_is(node_get_str(node_find(c, "type")), "Ready"))
			return c;
	return NULL;
}

static bool
is_ready(const struct node *object)
{
	return str_is(node_get_str(node_find(ready_condition(object), "status")), "True");
}

static struct node *
object_new(struct arena *a, const char *api, const char *kind, struct str name, const char *ns)
{
	struct node *object = node_map(a);
	struct node *meta = node_map(a);

	node_set_strz(a, object, "apiVersion", api);
	node_set_strz(a, object, "kind", kind);
	if (name.n > 0)
		node_set(a, meta, "name", node_str(a, name));
	if (ns != NULL)
		node_set_strz(a, meta, "namespace", ns);
	node_set(a, object, "metadata", meta);
	node_set(a, object, "spec", node_map(a));
	return object;
}

static void
child_add(
    struct pass *p, const char *key, enum cluster_child_kind kind, struct node *object, bool ready)
{
	p->r->children[p->r->nchildren++] = (struct cluster_child){ key, kind, object, ready };
}

static void
condition_set(struct pass *p, const char *type, enum condition_status status, const char *reason,
    struct str message)
{
	struct cluster_result *r = p->r;
	size_t i = 0;

	while (i < r->nconditions && strcmp(r->conditions[i].type, type) != 0)
		i++;
	if (i == r->nconditions)
		r->nconditions++;
	r->conditions[i] = (struct cluster_condition){ type, status, reason, message };
}

static void
set_str(struct arena *a, struct node *map, const char *key, struct str value)
{
	if (value.p != NULL)
		node_set(a, map, key, node_str(a, value));
}

static const struct cluster_class *
class_find(const struct cluster_input *in, struct str name)
{
	for (size_t i = 0; i < in->nclasses; i++)
		if (str_eq(in->classes[i].decoded->meta.name, name))
			return &in->classes[i];
	return NULL;
}

/* Step 3: the missing classes, sorted, without repeats; empty when all are there. */
static struct str
missing_classes(struct pass *p)
{
	const struct list *pools = &p->in->cluster->spec.node_pools;
	const struct node_pool *pool = pools->items;
	struct str *names = arena_array(p->arena, pools->n + 1, sizeof(*names));
	size_t n = 0;
	struct text text = TEXT_INIT(4096);
	struct str joined;

	for (size_t i = 0; names != NULL && i < pools->n; i++) {
		size_t at = 0;

		if (class_find(p->in, pool[i].class_name) != NULL)
			continue;
		while (at < n && str_cmp(names[at], pool[i].class_name) < 0)
			at++;
		if (at < n && str_eq(names[at], pool[i].class_name))
			continue;
		memmove(&names[at + 1], &names[at], (n - at) * sizeof(*names));
		names[at] = pool[i].class_name;
		n++;
	}
	for (size_t i = 0; i < n; i++) {
		text_add(&text, i > 0 ? ", " : "");
		text_add_str(&text, names[i]);
	}
	joined = str_copy(p->arena, text_str(&text));
	text_free(&text);
	return joined;
}

static void
pool_bound(struct arena *a, struct node *map, const char *key, struct opt_int value, bool always)
{
	if (value.present)
		node_set_int(a, map, key, value.value);
	else if (always)
		node_set(a, map, key, node_null(a));
}

static void
pool_zones(struct arena *a, struct node *map, const struct node_pool *pool, unsigned flags)
{
	const struct str *zone = pool->zones.items;
	struct node *zones;

	if ((flags & POOL_ZONES) == 0 && ((flags & POOL_ZONES_IF_ANY) == 0 || pool->zones.n == 0))
		return;
	zones = node_list(a);
	for (size_t i = 0; i < pool->zones.n; i++)
		node_push(zones, node_str(a, zone[i]));
	node_set(a, map, "zones", zones);
}

static void
pool_fabric(struct arena *a, struct node *map, const struct node_pool *pool, unsigned flags)
{
	const struct pool_fabric *fabric = &pool->fabric;

	if (!fabric->present)
		return;
	if ((flags & POOL_FABRIC_EFA) != 0 && fabric->type == FABRIC_EFA)
		node_set_strz(a, map, "fabric", "EFA");
	if ((flags & POOL_FABRIC_IB) != 0 && fabric->type == FABRIC_INFINIBAND)
		node_set_strz(a, map, "fabric", "InfiniBand");
	if ((flags & POOL_FABRIC_BLOCK) != 0 && fabric->type == FABRIC_INFINIBAND &&
	    fabric->infiniband.present && fabric->infiniband.fabric.n > 0) {
		struct node *block = node_make_path(a, map, "fabric");

		node_set_strz(a, block, "type", "InfiniBand");
		set_str(
		    a, node_make_path(a, block, "infiniband"), "fabric", fabric->infiniband.fabric);
	}
}

static struct node *
pool_compose(struct arena *a, const struct node_pool *pool, const struct class_recipe *recipe,
    const struct source_row *row)
{
	struct node *map = node_map(a);
	struct node *gpu = node_map(a);
	bool bounds = (row->pool & POOL_BOUNDS) != 0;

	set_str(a, map, "name", pool->name);
	node_set_strz(a, map, "role", "GPU");
	set_str(a, map, row->machine, recipe->machine);
	if ((row->pool & POOL_PRESET) != 0)
		set_str(a, map, "preset", recipe->preset);
	if ((row->pool & POOL_DISK) != 0 && recipe->disk_gb.present)
		node_set_int(a, map, "diskSizeGb", recipe->disk_gb.value);
	if (pool->node_count.present)
		node_set_int(a, map, "nodeCount", pool->node_count.value);
	pool_bound(a, map, "minNodeCount", pool->min_node_count, bounds);
	pool_bound(a, map, "maxNodeCount", pool->max_node_count, bounds);
	set_str(a, gpu, "acceleratorType", recipe->accelerator.type);
	if ((row->pool & POOL_GPU_COUNT) != 0 && recipe->accelerator.count.present)
		node_set_int(a, gpu, "acceleratorCount", recipe->accelerator.count.value);
	if ((row->pool & POOL_GPU_DRIVERS) != 0)
		set_str(a, gpu, "driversPreset", recipe->drivers_preset);
	node_set(a, map, "gpu", gpu);
	pool_zones(a, map, pool, row->pool);
	if ((row->pool & POOL_CAPACITY) != 0 && pool->capacity_block.present)
		set_str(a, node_make_path(a, map, "capacityBlock"), "capacityReservationId",
		    pool->capacity_block.capacity_reservation_id);
	pool_fabric(a, map, pool, row->pool);
	return map;
}

static void
credentials_compose(struct arena *a, struct node *spec, const struct credentials_ref *ref)
{
	struct node *map;

	if (!ref->present)
		return;
	map = node_make_path(a, spec, "credentials");
	node_set_strz(a, map, "type",
	    ref->type == CREDENTIALS_PROVIDER_CONFIG ? "ProviderConfig" : "ClusterProviderConfig");
	set_str(a, map, "name", ref->name);
}

static struct str
str_format2(struct arena *a, const char *before, struct str name, const char *after)
{
	char *text = arena_printf(a, "%s'" STR_FMT "'%s", before, STR_ARG(name), after);

	return str_from(text);
}

/* 3.3: all pools, or false with the condition set when a class lacks the block of the source. */
static bool
pools_compose(struct pass *p, struct node *spec)
{
	const struct inference_cluster *cluster = p->in->cluster;
	const struct node_pool *pool = cluster->spec.node_pools.items;
	struct node *pools = node_list(p->arena);

	for (size_t i = 0; i < cluster->spec.node_pools.n; i++) {
		const struct cluster_class *class = class_find(p->in, pool[i].class_name);
		const struct class_recipe *recipe =
		    class == NULL ? NULL
				  : class_recipe_get(class->decoded, cluster->spec.cluster.source);

		if (recipe == NULL || !recipe->present) {
			struct str text = str_from(arena_printf(p->arena,
			    "pool '" STR_FMT "': class '" STR_FMT "' has no %s recipe: choose a "
			    "class whose provisioning names %s",
			    STR_ARG(pool[i].name), STR_ARG(pool[i].class_name),
			    cluster_source_words[cluster->spec.cluster.source],
			    cluster_source_words[cluster->spec.cluster.source]));

			condition_set(p, "ClusterReady", CONDITION_FALSE, "InvalidNodePool", text);
			p->r->warning_reason = "InvalidNodePool";
			p->r->warning = text;
			return false;
		}
		node_push(pools, pool_compose(p->arena, &pool[i], recipe, p->row));
	}
	node_set(p->arena, spec, "nodePools", pools);
	return true;
}

/* 3.2. False when it must not be wanted in this pass. */
static bool
provider_compose(struct pass *p, const struct cluster_cloud *cloud)
{
	struct arena *a = p->arena;
	struct node *object =
	    object_new(a, INFRA_API, p->row->kind, p->in->cluster->meta.name, SYSTEM_NS);
	struct node *spec = node_find(object, "spec");

	if (p->row->region != NULL)
		set_str(a, spec, p->row->region, cloud->region);
	set_str(a, spec, "kubernetesVersion", cloud->kubernetes_version);
	credentials_compose(a, spec, &cloud->credentials);
	if (!pools_compose(p, spec))
		return false;
	child_add(p, p->row->key, CHILD_OBJECT, object, p->provider_ready);
	return true;
}

/* The entry of a kind of credential in a list of secrets, or NULL. */
static const struct node *
secret_find(const struct node *secrets, const char *type)
{
	for (const struct node *s = node_first(secrets); s != NULL; s = s->next)
		if (str_is(node_get_str(node_find(s, "type")), type))
			return s;
	return NULL;
}

/* The secrets that the stack and the access config work with, or NULL (3.5, 3.6). */
static struct node *
secrets_compose(struct pass *p)
{
	const struct cluster_existing *existing = &p->in->cluster->spec.cluster.existing;
	struct arena *a = p->arena;
	const struct node *have;
	struct node *list, *entry;

	if (p->row->kind != NULL) {
		have = node_path(p->in->provider, "status.secrets");
		if (p->provider_ready && node_count(have) > 0)
			return node_dup(a, have);
		have = node_path(p->in->stack, "spec.secrets");
		return node_count(have) > 0 ? node_dup(a, have) : NULL;
	}
	list = node_list(a);
	entry = node_map(a);
	node_set_strz(a, entry, "type", "Kubeconfig");
	set_str(a, entry, "name", existing->secret_ref.name);
	set_str(a, entry, "key", existing->secret_ref.key);
	node_push(list, entry);
	if (existing->identity_secret_ref.present) {
		entry = node_map(a);
		set_str(a, entry, "type", existing->identity_secret_ref.type);
		set_str(a, entry, "name", existing->identity_secret_ref.name);
		set_str(a, entry, "key", existing->identity_secret_ref.key);
		node_push(list, entry);
	}
	return list;
}

static void
secret_ref(struct arena *a, struct node *credentials, const struct node *entry)
{
	struct node *ref = node_make_path(a, credentials, "secretRef");
	struct str ns = node_get_str(node_find(entry, "namespace"));

	set_str(a, ref, "name", node_get_str(node_find(entry, "name")));
	set_str(a, ref, "key", node_get_str(node_find(entry, "key")));
	node_set(a, ref, "namespace", node_str(a, ns.n > 0 ? ns : STR(SYSTEM_NS)));
	node_set_strz(a, credentials, "source", "Secret");
}

/* 3.5. Kept while the provider blinks: the secrets then are those that the stack holds. */
static void
access_compose(struct pass *p, const struct node *secrets)
{
	struct arena *a = p->arena;
	const struct node *kubeconfig = secret_find(secrets, "Kubeconfig");
	struct node *object, *spec;

	if (kubeconfig == NULL)
		return;
	object = object_new(a, "kubernetes.m.crossplane.io/v1alpha1", "ClusterProviderConfig",
	    cluster_access_name(a, p->in->cluster->meta.name), NULL);
	spec = node_find(object, "spec");
	secret_ref(a, node_make_path(a, spec, "credentials"), kubeconfig);
	for (const struct node *s = node_first(secrets); s != NULL; s = s->next) {
		struct node *identity;

		if (s == kubeconfig)
			continue;
		identity = node_make_path(a, spec, "identity");
		set_str(a, identity, "type", node_get_str(node_find(s, "type")));
		secret_ref(a, identity, s);
		break;
	}
	child_add(p, "cluster-provider-config-kubernetes", CHILD_ACCESS_CONFIG, object, true);
}

/* 3.6 */
static void
stack_compose(struct pass *p, struct node *secrets)
{
	const struct inference_cluster *cluster = p->in->cluster;
	struct arena *a = p->arena;
	struct node *object, *spec;

	if (secrets == NULL)
		return;
	object = object_new(
	    a, INFRA_API, "ServingStack", cluster_stack_name(a, cluster->meta.name), SYSTEM_NS);
	spec = node_find(object, "spec");
	node_set(a, spec, "secrets", secrets);
	if (cluster->spec.stack >= 0)
		node_set_strz(a, spec, "stack", stack_words[cluster->spec.stack]);
	if (cluster->spec.cluster.source == SOURCE_GKE)
		node_set_strz(a, spec, "nvidiaDriverRoot", "/home/kubernetes/bin/nvidia");
	child_add(p, "serving-stack", CHILD_OBJECT, object, p->stack_ready);
}

static void
guard_party(
    struct arena *a, struct node *spec, const char *which, const char *api, const char *kind)
{
	struct node *party = node_make_path(a, spec, which);

	node_set_strz(a, party, "apiVersion", api);
	node_set_strz(a, party, "kind", kind);
}

/* 3.7, first row: replicas that are scheduled here keep the cluster. */
static void
replica_guard(struct pass *p)
{
	struct arena *a = p->arena;
	struct node *object, *spec;

	if (p->in->nreplicas == 0)
		return;
	object = object_new(a, "protection.crossplane.io/v1beta1", "ClusterUsage", STR(""), NULL);
	spec = node_find(object, "spec");
	guard_party(a, spec, "of", "modelplane.ai/v1alpha1", "InferenceCluster");
	set_str(a, node_make_path(a, spec, "of.resourceRef"), "name", p->in->cluster->meta.name);
	node_set_strz(a, spec, "reason", "model replicas are scheduled on this cluster");
	node_set_bool(a, spec, "replayDeletion", true);
	child_add(p, "usage-replicas", CHILD_GUARD, object, true);
}

/* 3.7, second row: the stack goes before the cluster it runs on. */
static void
stack_guard(struct pass *p)
{
	struct arena *a = p->arena;
	struct node *object, *spec;

	if (p->row->guard_key == NULL ||
	    (cluster_child_find(p->r, "serving-stack") == NULL && p->in->stack == NULL))
		return;
	object = object_new(a, "protection.crossplane.io/v1beta1", "Usage", STR(""), SYSTEM_NS);
	spec = node_find(object, "spec");
	guard_party(a, spec, "of", INFRA_API, p->row->kind);
	node_set_bool(
	    a, node_make_path(a, spec, "of.resourceSelector"), "matchControllerRef", true);
	guard_party(a, spec, "by", INFRA_API, "ServingStack");
	node_set_bool(
	    a, node_make_path(a, spec, "by.resourceSelector"), "matchControllerRef", true);
	node_set_bool(a, spec, "replayDeletion", true);
	child_add(p, p->row->guard_key, CHILD_GUARD, object, true);
}

/* 3.10 */
static struct node *
gpu_pools(struct pass *p)
{
	struct arena *a = p->arena;
	const struct list *pools = &p->in->cluster->spec.node_pools;
	const struct node_pool *pool = pools->items;
	struct node *list = node_list(a);

	for (size_t i = 0; i < pools->n; i++) {
		const struct cluster_class *class = class_find(p->in, pool[i].class_name);
		struct opt_int nodes = pool[i].max_node_count;
		struct node *map;

		if (class == NULL || node_count(class->devices) == 0)
			continue;
		if (!nodes.present || nodes.value == 0)
			nodes = pool[i].node_count;
		map = node_map(a);
		set_str(a, map, "name", pool[i].name);
		if (nodes.present)
			node_set_int(a, map, "nodes", nodes.value);
		node_set(a, map, "devices", node_dup(a, class->devices));
		node_push(list, map);
	}
	return list;
}

/* 3.8 */
static void
status_compose(struct pass *p)
{
	const struct inference_cluster *cluster = p->in->cluster;
	struct arena *a = p->arena;
	struct node *status = node_map(a);
	struct str storage, address;

	node_set(a, node_make_path(a, status, "providerConfigRef"), "name",
	    node_str(a, cluster_access_name(a, cluster->meta.name)));
	node_set_strz(a, status, "namespace", SYSTEM_NS);
	node_set(a, status, "gpuPools", gpu_pools(p));
	storage = cluster->spec.cluster.source == SOURCE_EXISTING
		      ? cluster->spec.cluster.existing.cache.storage_class_name
		      : node_path_str(p->in->provider, "status.cache.storageClassName");
	if (storage.n > 0 && cluster->spec.cluster.source != SOURCE_VULTR)
		set_str(a, node_make_path(a, status, "cache"), "storageClassName", storage);
	address = node_path_str(p->in->stack, "status.gateway.address");
	if (address.n > 0) {
		struct node *gateway = node_make_path(a, status, "gateway");

		set_str(a, gateway, "address", address);
		if (cluster->spec.gateway.present && cluster->spec.gateway.hostname.n > 0)
			set_str(a, gateway, "hostname", cluster->spec.gateway.hostname);
	}
	p->r->status = status;
}

/* The text, and what the child itself says about why it is not ready. */
static struct str
with_reason(struct pass *p, const char *text, const struct node *child)
{
	struct str why = node_get_str(node_find(ready_condition(child), "message"));

	if (why.n > 0)
		text = arena_printf(p->arena, "%s: " STR_FMT, text, STR_ARG(why));
	return str_from(text != NULL ? text : "");
}

/* 3.9 */
static void
conditions_compose(struct pass *p, bool cluster_ready)
{
	bool invalid = p->r->warning_reason != NULL;

	if (cluster_ready)
		condition_set(p, "ClusterReady", CONDITION_TRUE, "ClusterRunning", STR(""));
	else if (!invalid)
		condition_set(p, "ClusterReady", CONDITION_FALSE, "Provisioning",
		    with_reason(p, "the provider cluster is not ready yet", p->in->provider));
	if (!cluster_ready)
		condition_set(p, "BackendReady", p->stack_ready ? CONDITION_TRUE : CONDITION_FALSE,
		    "WaitingForCluster", STR("the serving stack waits for the cluster"));
	else if (p->stack_ready)
		condition_set(p, "BackendReady", CONDITION_TRUE, "BackendHealthy", STR(""));
	else
		condition_set(p, "BackendReady", CONDITION_FALSE, "Installing",
		    with_reason(p, "the serving stack is being installed", p->in->stack));
}

static bool
all_ready(const struct cluster_result *r)
{
	for (size_t i = 0; i < r->nchildren; i++)
		if (!r->children[i].ready)
			return false;
	return true;
}

/* Stops the pass: nothing that exists is touched. */
static bool
pass_hold(struct pass *p, const char *reason, struct str text)
{
	p->r->hold = true;
	p->r->ready = false;
	p->r->warning_reason = reason;
	p->r->warning = text;
	return !arena_failed(p->arena);
}

static bool
pass_run(struct pass *p)
{
	const struct cluster_where *where = &p->in->cluster->spec.cluster;
	const struct cluster_cloud *cloud = cluster_cloud_get(where);
	struct node *secrets;
	struct str missing;
	bool ok = true;

	replica_guard(p);
	missing = missing_classes(p);
	if (missing.n > 0) {
		struct str text = str_from(
		    arena_printf(p->arena, "no InferenceClass named " STR_FMT, STR_ARG(missing)));

		condition_set(p, "ClusterReady", CONDITION_FALSE, "WaitingForClasses", text);
		return pass_hold(p, "WaitingForClasses", text);
	}
	if (p->row->kind != NULL && (cloud == NULL || !cloud->present))
		return pass_hold(p, "InvalidSpec",
		    str_format2(p->arena, "spec.cluster has no block for the source ",
			str_from(cluster_source_words[where->source]), ""));
	if (p->row->kind != NULL)
		ok = provider_compose(p, cloud);
	secrets = secrets_compose(p);
	access_compose(p, secrets);
	stack_compose(p, secrets);
	stack_guard(p);
	status_compose(p);
	conditions_compose(p, p->row->kind == NULL || (ok && p->provider_ready));
	p->r->hold = !ok;
	p->r->ready = ok && all_ready(p->r) && cluster_child_find(p->r, "serving-stack") != NULL;
	return !arena_failed(p->arena);
}

bool
cluster_compose(struct arena *a, const struct cluster_input *in, struct cluster_result *ret_result,
    struct error *err)
{
	struct cluster_result r = { .nchildren = 0 };
	int source = in->cluster->spec.cluster.source;
	struct pass p = { .arena = a, .in = in, .r = &r };

	if (source < 0 || (size_t)source >= ARRAY_LEN(sources)) {
		if (!pass_hold(&p, "InvalidSpec", STR("spec.cluster names no known source")))
			return error_set(err, ERR_NO_MEMORY, "no memory to compose a cluster");
		*ret_result = r;
		return true;
	}
	p.row = &sources[source];
	p.provider_ready = is_ready(in->provider);
	p.stack_ready = is_ready(in->stack);
	if (!pass_run(&p))
		return error_set(err, ERR_NO_MEMORY,
		    "no memory to compose the cluster '" STR_FMT "'",
		    STR_ARG(in->cluster->meta.name));
	*ret_result = r;
	return true;
}
