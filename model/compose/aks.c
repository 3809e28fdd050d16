#include "model/compose/aks.h"

#include "model/base/mem.h"
#include "model/names.h"

/* Constants of reconcile 4.1 to 4.6 and facts/azure.md 3.3. */
#define DEFAULT_VNET	    "10.0.0.0/16"
#define DEFAULT_SUBNET	    "10.0.0.0/20"
#define SYSTEM_POOL	    "system"
#define SYSTEM_VM_SIZE	    "Standard_D4s_v5"
#define POOL_LABEL	    "modelplane.ai/pool"
#define GPU_LABEL	    "modelplane.ai/gpu"
#define GPU_TAINT	    "nvidia.com/gpu=true:NoSchedule"
#define NETWORK_CONTRIBUTOR "4d97b98b-1d4f-4787-a291-c67834d212e7"

enum { SYSTEM_MIN = 1, SYSTEM_MAX = 2, SYSTEM_DISK_GB = 100 };
enum { POOL_DISK_GB = 100, POOL_COUNT = 1, POOL_MIN = 0, POOL_MAX = 8 };

/* What every row builder needs. */
struct build {
	struct arena *a;
	const struct aks_cluster *c;
	struct plan *plan;
	struct str cloud;   /* N */
	struct str network; /* of the VNet */
	struct str subnet;
	struct str secret; /* K */
};

struct str
aks_cloud_name(struct arena *a, const struct aks_cluster *c)
{
	return child_name3(a, c->meta.ns, c->meta.name, "aks");
}

struct str
aks_kubeconfig_name(struct arena *a, struct str cluster_name)
{
	return child_name2(a, cluster_name, "kubeconfig");
}

static void
set(struct build *b, struct node *map, const char *key, struct str value)
{
	node_set(b->a, map, key, node_str(b->a, value));
}

static int64_t
or_default(struct opt_int v, int64_t def)
{
	return v.present ? v.value : def;
}

static struct node *
one(struct build *b, struct str value)
{
	struct node *list = node_list(b->a);

	node_push(list, node_str(b->a, value));
	return list;
}

static struct plan_resource *
row(struct build *b, const char *type, struct str key, struct str name, const char *step)
{
	struct plan_resource *r = plan_add(b->plan, "azure", type, key, name);

	if (r == NULL)
		return NULL;
	r->step = str_from(step);
	r->want = node_map(b->a);
	return r;
}

/* ---- group and network ---- */

static void
add_group(struct build *b)
{
	struct plan_resource *r = row(b, "resource-group", STR(AKS_KEY_GROUP), b->cloud, "network");

	if (r == NULL)
		return;
	r->what = str_from(
	    arena_printf(b->a, "resource group in " STR_FMT, STR_ARG(b->c->spec.location)));
	set(b, node_make_path(b->a, r->want, "body"), "location", b->c->spec.location);
}

static void
add_network(struct build *b)
{
	const struct aks_networking *net = &b->c->spec.networking;
	struct str vnet = net->vnet_cidr.n > 0 ? net->vnet_cidr : STR(DEFAULT_VNET);
	struct str cidr = net->subnet_cidr.n > 0 ? net->subnet_cidr : STR(DEFAULT_SUBNET);
	struct plan_resource *r =
	    row(b, "virtual-network", STR(AKS_KEY_NETWORK), b->network, "network");
	struct node *body, *subnets, *subnet;

	if (r == NULL)
		return;
	r->what = str_from(arena_printf(
	    b->a, "network " STR_FMT ", subnet " STR_FMT, STR_ARG(vnet), STR_ARG(cidr)));
	set(b, r->want, "group", b->cloud);
	body = node_make_path(b->a, r->want, "body");
	set(b, body, "location", b->c->spec.location);
	node_set(b->a, node_make_path(b->a, body, "properties.addressSpace"), "addressPrefixes",
	    one(b, vnet));
	subnet = node_map(b->a);
	set(b, subnet, "name", b->subnet);
	set(b, node_make_path(b->a, subnet, "properties"), "addressPrefix", cidr);
	subnets = node_list(b->a);
	node_push(subnets, subnet);
	node_set(b->a, node_make_path(b->a, body, "properties"), "subnets", subnets);
	plan_after(r, STR(AKS_KEY_GROUP));
}

/* ---- the cluster with its system pool ---- */

static const struct aks_pool *
system_pool(const struct aks_cluster *c)
{
	const struct aks_pool *pools = c->spec.node_pools.items;

	for (size_t i = 0; i < c->spec.node_pools.n; i++) {
		if (pools[i].role == POOL_ROLE_SYSTEM && str_is(pools[i].name, SYSTEM_POOL))
			return &pools[i];
	}
	return NULL;
}

static struct node *
zones_node(struct build *b, const struct aks_pool *p)
{
	const struct str *zones = p->zones.items;
	struct node *list = node_list(b->a);

	for (size_t i = 0; i < p->zones.n; i++)
		node_push(list, node_str(b->a, zones[i]));
	return list;
}

/* Members that a pool has wherever it stands; `p` NULL is the injected system pool. */
static struct node *
pool_body(struct build *b, const struct aks_pool *p, bool is_system)
{
	struct node *body = node_map(b->a);
	int64_t min = p == NULL ? SYSTEM_MIN : or_default(p->min_node_count, POOL_MIN);
	int64_t max = p == NULL ? SYSTEM_MAX : or_default(p->max_node_count, POOL_MAX);
	int64_t count = p == NULL ? SYSTEM_MIN : or_default(p->node_count, POOL_COUNT);

	if (is_system && min < SYSTEM_MIN)
		min = SYSTEM_MIN; /* AKS keeps at least one system node */
	node_set_strz(b->a, body, "mode", is_system ? "System" : "User");
	node_set_strz(b->a, body, "type", "VirtualMachineScaleSets");
	node_set_strz(b->a, body, "osType", "Linux");
	set(b, body, "vmSize", p == NULL ? STR(SYSTEM_VM_SIZE) : p->vm_size);
	node_set_int(b->a, body, "osDiskSizeGB",
	    p == NULL ? SYSTEM_DISK_GB : or_default(p->disk_gb, POOL_DISK_GB));
	node_set_bool(b->a, body, "enableAutoScaling", true);
	node_set_int(b->a, body, "minCount", min);
	node_set_int(b->a, body, "maxCount", max);
	node_set_int(b->a, body, "count", count);
	if (p != NULL && p->zones.n > 0)
		node_set(b->a, body, "availabilityZones", zones_node(b, p));
	set(b, node_make_path(b->a, body, "nodeLabels"), POOL_LABEL,
	    p == NULL ? STR(SYSTEM_POOL) : p->name);
	return body;
}

static void
network_profile(struct build *b, struct node *properties)
{
	static const char *const pairs[][2] = {
		{ "networkPlugin", "azure" },
		{ "networkPluginMode", "overlay" },
		{ "podCidr", "10.244.0.0/16" },
		{ "serviceCidr", "10.96.0.0/16" },
		{ "dnsServiceIP", "10.96.0.10" },
		{ "loadBalancerSku", "standard" },
		{ "outboundType", "loadBalancer" },
	};
	struct node *net = node_make_path(b->a, properties, "networkProfile");

	for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
		node_set_strz(b->a, net, pairs[i][0], pairs[i][1]);
}

/*
 * Azure takes at most 54 characters here (facts of the AKS API), fewer than of a cluster's name. A
 * longer one is cut before its hash, which keeps it as unique as it was.
 */
enum { DNS_PREFIX_MAX = 54, NAME_TAIL = NAME_HASH_LEN + 1 };

static struct str
dns_prefix(struct arena *a, struct str name)
{
	struct str head = str_sub(name, 0, DNS_PREFIX_MAX - NAME_TAIL);

	if (name.n <= DNS_PREFIX_MAX)
		return name;
	while (head.n > 0 && head.p[head.n - 1] == '-')
		head.n--;
	return str_from(arena_printf(a, STR_FMT STR_FMT, STR_ARG(head),
	    STR_ARG(str_sub(name, name.n - NAME_TAIL, NAME_TAIL))));
}

static struct node *
cluster_properties(struct build *b)
{
	const struct aks_pool *pool = system_pool(b->c);
	struct node *props = node_map(b->a), *pools = node_list(b->a), *body, *upgrade;

	set(b, props, "kubernetesVersion", b->c->spec.kubernetes_version);
	set(b, props, "dnsPrefix", dns_prefix(b->a, b->cloud));
	set(b, props, "nodeResourceGroup",
	    str_from(arena_printf(b->a, STR_FMT "-nodes", STR_ARG(b->cloud))));
	node_set_bool(b->a, props, "enableRBAC", true);
	network_profile(b, props);
	/* Left alone, AKS re-images nodes about weekly; a GPU fleet decides that itself. */
	upgrade = node_make_path(b->a, props, "autoUpgradeProfile");
	node_set_strz(b->a, upgrade, "upgradeChannel", "none");
	node_set_strz(b->a, upgrade, "nodeOSUpgradeChannel", "None");
	body = pool_body(b, pool, true);
	node_set_strz(b->a, body, "name", SYSTEM_POOL);
	node_push(pools, body);
	node_set(b->a, props, "agentPoolProfiles", pools);
	return props;
}

static void
set_place(struct build *b, struct plan_resource *r)
{
	set(b, r->want, "group", b->cloud);
	set(b, r->want, "network", b->network);
	set(b, r->want, "subnet", b->subnet);
}

static void
add_cluster(struct build *b)
{
	struct plan_resource *r =
	    row(b, "managed-cluster", STR(AKS_KEY_CLUSTER), b->cloud, "control plane");
	struct node *body;

	if (r == NULL)
		return;
	r->what = str_from(arena_printf(b->a, "AKS cluster, Kubernetes " STR_FMT ", in " STR_FMT,
	    STR_ARG(b->c->spec.kubernetes_version), STR_ARG(b->c->spec.location)));
	r->version = b->c->spec.kubernetes_version;
	set_place(b, r);
	body = node_make_path(b->a, r->want, "body");
	set(b, body, "location", b->c->spec.location);
	node_set_strz(b->a, node_make_path(b->a, body, "identity"), "type", "SystemAssigned");
	node_set_strz(b->a, node_make_path(b->a, body, "sku"), "name", "Base");
	/* Free has no uptime promise and ends at 1,000 nodes. */
	node_set_strz(b->a, node_make_path(b->a, body, "sku"), "tier", "Standard");
	node_set(b->a, body, "properties", cluster_properties(b));
	plan_after(r, STR(AKS_KEY_GROUP));
	plan_after(r, STR(AKS_KEY_NETWORK));
}

/* With a subnet of ours the cluster's identity has to be let in (facts/azure.md 6.5). */
static void
add_role(struct build *b)
{
	struct plan_resource *r = row(b, "role-assignment", STR("role-assignment"),
	    STR("network-contributor"), "control plane");

	if (r == NULL)
		return;
	r->what = STR("the cluster's right to join its subnet");
	set_place(b, r);
	node_set_strz(b->a, r->want, "role", NETWORK_CONTRIBUTOR);
	/* The public project makes none: without the right to make one, the cluster still serves.
	 */
	r->flags = PLAN_READY_AT_ONCE;
	plan_after(r, STR(AKS_KEY_NETWORK));
	plan_after(r, STR(AKS_KEY_CLUSTER));
}

/* ---- pools ---- */

static void
add_pool(struct build *b, const struct aks_pool *p)
{
	const char *key = arena_printf(b->a, "nodepool-" STR_FMT, STR_ARG(p->name));
	bool gpu = p->role == POOL_ROLE_GPU;
	struct plan_resource *r =
	    row(b, "agent-pool", str_from(key), p->name, gpu ? "GPU pools" : "system pools");
	struct node *body;

	if (r == NULL)
		return;
	r->what = str_from(arena_printf(b->a, "%s pool " STR_FMT ", %lld x " STR_FMT,
	    gpu ? "GPU" : "system", STR_ARG(p->name),
	    (long long)or_default(p->node_count, POOL_COUNT), STR_ARG(p->vm_size)));
	r->version = b->c->spec.kubernetes_version;
	set_place(b, r);
	set(b, r->want, "cluster", b->cloud);
	body = pool_body(b, p, false);
	set(b, body, "orchestratorVersion", b->c->spec.kubernetes_version);
	if (gpu && p->gpu.present) {
		set(b, node_make_path(b->a, body, "nodeLabels"), GPU_LABEL,
		    p->gpu.accelerator_type);
		node_set_strz(b->a, node_make_path(b->a, body, "gpuProfile"), "driver", "Install");
		node_set(b->a, body, "nodeTaints", one(b, STR(GPU_TAINT)));
	}
	node_set(b->a, node_make_path(b->a, r->want, "body"), "properties", body);
	plan_after(r, STR(AKS_KEY_CLUSTER));
}

static void
add_pools(struct build *b)
{
	const struct aks_pool *pools = b->c->spec.node_pools.items;
	const struct aks_pool *inlined = system_pool(b->c);

	for (size_t i = 0; i < b->c->spec.node_pools.n; i++) {
		if (&pools[i] != inlined)
			add_pool(b, &pools[i]);
	}
}

/* ---- the way in, and what is kept on the cluster ---- */

static void
add_kubeconfig(struct build *b)
{
	struct plan_resource *r =
	    row(b, "admin-kubeconfig", STR(AKS_KEY_KUBECONFIG), b->secret, "control plane");
	struct node *secret;

	if (r == NULL)
		return;
	r->what = str_from(arena_printf(b->a, "kubeconfig in Secret " STR_FMT, STR_ARG(b->secret)));
	set(b, r->want, "group", b->cloud);
	set(b, r->want, "cluster", b->cloud);
	secret = node_make_path(b->a, r->want, "secret");
	set(b, secret, "namespace", b->c->meta.ns);
	set(b, secret, "name", b->secret);
	node_set_strz(b->a, secret, "key", AKS_SECRET_KEY);
	plan_after(r, STR(AKS_KEY_CLUSTER));
}

static struct node *
storage_class(struct build *b)
{
	static const char *const options[] = { "dir_mode=0777", "file_mode=0777", "uid=0", "gid=0",
		"mfsymlinks", "cache=strict", "actimeo=30", "nosharesock" };
	struct node *m = node_map(b->a), *list = node_list(b->a);

	node_set_strz(b->a, m, "apiVersion", "storage.k8s.io/v1");
	node_set_strz(b->a, m, "kind", "StorageClass");
	node_set_strz(b->a, node_make_path(b->a, m, "metadata"), "name", AKS_STORAGE_CLASS);
	node_set_strz(b->a, m, "provisioner", "file.csi.azure.com");
	node_set_strz(b->a, node_make_path(b->a, m, "parameters"), "skuName", "Premium_LRS");
	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		node_push(list, node_strz(b->a, options[i]));
	node_set(b->a, m, "mountOptions", list);
	node_set_strz(b->a, m, "reclaimPolicy", "Delete");
	node_set_bool(b->a, m, "allowVolumeExpansion", true);
	node_set_strz(b->a, m, "volumeBindingMode", "WaitForFirstConsumer");
	return m;
}

static void
add_storage_class(struct build *b)
{
	struct plan_resource *r = plan_add(
	    b->plan, "kube", "object", STR("storage-class-rwx-fs"), STR(AKS_STORAGE_CLASS));

	if (r == NULL)
		return;
	r->step = STR("storage");
	r->what = STR("StorageClass " AKS_STORAGE_CLASS " (Azure Files, many nodes)");
	r->want = node_map(b->a);
	node_set(b->a, r->want, "manifest", storage_class(b));
	r->flags = PLAN_ORPHAN | PLAN_READY_AT_ONCE;
	plan_after(r, STR(AKS_KEY_KUBECONFIG));
}

static bool
wants_infiniband(const struct aks_cluster *c)
{
	const struct aks_pool *pools = c->spec.node_pools.items;

	for (size_t i = 0; i < c->spec.node_pools.n; i++) {
		if (pools[i].fabric == AKS_FABRIC_INFINIBAND)
			return true;
	}
	return false;
}

static void
add_network_operator(struct build *b)
{
	struct plan_resource *r = plan_add(
	    b->plan, "kube", "release", STR("release-network-operator"), STR("network-operator"));
	struct node *values, *toleration, *list;

	if (r == NULL)
		return;
	r->step = STR("fabric");
	r->what = STR("NVIDIA network operator, for InfiniBand");
	r->ns = STR("network-operator");
	r->version = STR("26.4.0");
	r->want = node_map(b->a);
	node_set_strz(b->a, r->want, "chart", "network-operator");
	node_set_strz(b->a, r->want, "repository", "https://helm.ngc.nvidia.com/nvidia");
	node_set_strz(b->a, r->want, "version", "26.4.0");
	node_set_strz(b->a, r->want, "namespace", "network-operator");
	values = node_make_path(b->a, r->want, "values");
	node_set_bool(b->a, values, "deployCR", true);
	node_set_bool(b->a, node_make_path(b->a, values, "ofedDriver"), "deploy", true);
	node_set_bool(b->a, node_make_path(b->a, values, "rdmaSharedDevicePlugin"), "deploy", true);
	toleration = node_map(b->a);
	node_set_strz(b->a, toleration, "key", "nvidia.com/gpu");
	node_set_strz(b->a, toleration, "operator", "Exists");
	node_set_strz(b->a, toleration, "effect", "NoSchedule");
	list = node_list(b->a);
	node_push(list, toleration);
	node_set(b->a, node_make_path(b->a, values, "daemonsets"), "tolerations", list);
	r->flags = PLAN_ORPHAN;
	plan_after(r, STR(AKS_KEY_KUBECONFIG));
}

bool
aks_plan(const struct aks_cluster *c, struct plan *p, struct error *err)
{
	struct build b = { .a = p->arena, .c = c, .plan = p };

	b.cloud = aks_cloud_name(p->arena, c);
	b.network = child_name2(p->arena, c->meta.name, "vnet");
	b.subnet = child_name2(p->arena, c->meta.name, "subnet");
	b.secret = aks_kubeconfig_name(p->arena, c->meta.name);
	add_group(&b);
	add_network(&b);
	add_cluster(&b);
	add_role(&b);
	add_pools(&b);
	add_kubeconfig(&b);
	add_storage_class(&b);
	if (wants_infiniband(c))
		add_network_operator(&b);
	return plan_check(p, err);
}

void
aks_status(struct arena *a, const struct aks_cluster *c, struct node *status)
{
	struct node *list = node_list(a), *entry = node_map(a);

	node_set_strz(a, entry, "type", "Kubeconfig");
	node_set(a, entry, "name", node_str(a, aks_kubeconfig_name(a, c->meta.name)));
	node_set_strz(a, entry, "key", AKS_SECRET_KEY);
	node_push(list, entry);
	node_set(a, status, "secrets", list);
	node_set_strz(a, node_make_path(a, status, "cache"), "storageClassName", AKS_STORAGE_CLASS);
}
