#include "backend/sim/cluster_int.h"

/*
 * Nodes as the pools say, with the labels and taints that AKS gives them, and what every cluster
 * has from its first day.
 */

enum { NODE_PODS = 110 };

static const double FIRST_NODE = 0.55, LAST_NODE = 0.95; /* of an operation's time */

static const char *const first_namespaces[] = { "default", "kube-system", "kube-public",
	"kube-node-lease" };

struct class_row {
	const char *name;
	const char *provisioner;
	const char *sku_key, *sku; /* one parameter */
	bool is_default, waits;
};

static const struct class_row classes[] = {
	{ "azurefile", "file.csi.azure.com", "skuName", "Standard_LRS", false, false },
	{ "azurefile-csi", "file.csi.azure.com", "skuName", "Standard_LRS", false, false },
	{ "azurefile-csi-premium", "file.csi.azure.com", "skuName", "Premium_LRS", false, false },
	{ "azurefile-premium", "file.csi.azure.com", "skuName", "Premium_LRS", false, false },
	{ "default", "disk.csi.azure.com", "skuname", "StandardSSD_LRS", true, true },
	{ "managed", "disk.csi.azure.com", "skuname", "StandardSSD_LRS", false, true },
	{ "managed-csi", "disk.csi.azure.com", "skuname", "StandardSSD_LRS", false, true },
	{ "managed-csi-premium", "disk.csi.azure.com", "skuname", "Premium_LRS", false, true },
	{ "managed-premium", "disk.csi.azure.com", "skuname", "Premium_LRS", false, true },
};

static void
furnish_namespace(struct round *r, const char *name)
{
	struct node *n;

	if (kube_get(r, "Namespace", (struct str){ 0 }, str_from(name)) != NULL)
		return;
	n = kube_new(r, "Namespace", (struct str){ 0 }, str_from(name));
	kube_label(r, n, "kubernetes.io/metadata.name", str_from(name));
	node_set_strz(r->a, node_make_path(r->a, n, "status"), "phase", "Active");
	(void)kube_put(r, "Namespace", n, "kube-apiserver"); /* tried again at the next start */
	n = kube_new(r, "ServiceAccount", str_from(name), STR("default"));
	(void)kube_put(r, "ServiceAccount", n, "kube-controller-manager");
}

static void
furnish_class(struct round *r, const struct class_row *row)
{
	struct node *n;

	if (kube_get(r, "StorageClass", (struct str){ 0 }, str_from(row->name)) != NULL)
		return;
	n = kube_new(r, "StorageClass", (struct str){ 0 }, str_from(row->name));
	kube_label(r, n, "addonmanager.kubernetes.io/mode", STR("EnsureExists"));
	if (row->is_default)
		node_set_strz(r->a, node_make_path(r->a, n, "metadata.annotations"),
		    "storageclass.kubernetes.io/is-default-class", "true");
	node_set_strz(r->a, n, "provisioner", row->provisioner);
	node_set_strz(r->a, node_make_path(r->a, n, "parameters"), row->sku_key, row->sku);
	node_set_strz(r->a, n, "reclaimPolicy", "Delete");
	node_set_strz(
	    r->a, n, "volumeBindingMode", row->waits ? "WaitForFirstConsumer" : "Immediate");
	node_set_bool(r->a, n, "allowVolumeExpansion", true);
	(void)kube_put(r, "StorageClass", n, "addon-manager");
}

void
cluster_furnish(struct round *r)
{
	for (size_t i = 0; i < ARRAY_LEN(first_namespaces); i++)
		furnish_namespace(r, first_namespaces[i]);
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		furnish_class(r, &classes[i]);
}

/* "key=value:Effect" */
static void
taint_push(struct round *r, struct node *list, struct str text)
{
	struct node *t = node_map(r->a);
	struct str pair = { 0 }, key = { 0 }, rest = text;

	if (!str_split(&rest, ':', &pair))
		return;
	node_set(r->a, t, "effect", node_str(r->a, rest));
	rest = pair;
	if (str_split(&rest, '=', &key)) {
		node_set(r->a, t, "key", node_str(r->a, key));
		if (rest.n > 0)
			node_set(r->a, t, "value", node_str(r->a, rest));
	}
	node_push(list, t);
}

static struct str
node_name(struct round *r, const struct node *pool, int64_t index)
{
	unsigned h = 0;
	struct str uid = str_from(r->k->uid);

	for (size_t i = 0; i < uid.n; i++)
		h = h * 31 + (unsigned char)uid.p[i];
	return str_from(arena_printf(r->a, "aks-" STR_FMT "-%08u-vmss%06lld",
	    STR_ARG(node_path_str(pool, "name")), 10000000 + h % 90000000, (long long)index));
}

static void
labels_set(struct round *r, struct node *n, const struct node *pool, struct str name, int64_t index)
{
	const struct node *p = node_find(pool, "properties");
	struct str pool_name = node_path_str(pool, "name"), size = node_path_str(p, "vmSize");
	struct str region = node_path_str(r->k->cluster, "location");
	const struct vm_size *v = size_find(size);
	size_t nzones = node_count(node_find(p, "availabilityZones"));
	struct str mode = node_path_str(p, "mode");
	struct str zone = STR("0");
	const char *group = arena_printf(
	    r->a, STR_FMT, STR_ARG(node_path_str(r->k->cluster, "properties.nodeResourceGroup")));

	if (nzones > 0)
		zone = str_from(arena_printf(r->a, STR_FMT "-" STR_FMT, STR_ARG(region),
		    STR_ARG(node_get_str(
			node_at(node_find(p, "availabilityZones"), (size_t)index % nzones)))));
	kube_label(r, n, "agentpool", pool_name);
	kube_label(r, n, "kubernetes.azure.com/agentpool", pool_name);
	kube_label(r, n, "kubernetes.azure.com/cluster", str_sub(str_from(group), 0, 63));
	kube_label(r, n, "kubernetes.azure.com/mode",
	    str_eq_nocase(mode, STR("System")) ? STR("system") : STR("user"));
	kube_label(r, n, "kubernetes.azure.com/role", STR("agent"));
	kube_label(
	    r, n, "kubernetes.azure.com/node-image-version", node_path_str(p, "nodeImageVersion"));
	kube_label(r, n, "kubernetes.azure.com/os-sku", node_path_str(p, "osSKU"));
	if (v != NULL && v->gpus > 0)
		kube_label(r, n, "kubernetes.azure.com/accelerator", STR("nvidia"));
	kube_label(r, n, "kubernetes.io/arch", STR("amd64"));
	kube_label(r, n, "kubernetes.io/hostname", name);
	kube_label(r, n, "kubernetes.io/os", STR("linux"));
	kube_label(r, n, "node.kubernetes.io/instance-type", size);
	kube_label(r, n, "topology.kubernetes.io/region", region);
	kube_label(r, n, "topology.kubernetes.io/zone", zone);
	for (const struct node *l = node_first(node_find(p, "nodeLabels")); l != NULL; l = l->next)
		node_set_str(r->a, node_path(n, "metadata.labels"), l->key, node_dup(r->a, l));
}

static unsigned
pool_number(struct round *r, const struct node *pool)
{
	unsigned n = 0;

	for (const struct node *p = node_first(r->k->pools); p != NULL && p != pool; p = p->next)
		n++;
	return n;
}

static void
status_set(struct round *r, struct node *n, const struct node *pool, struct str name, int64_t index)
{
	const struct vm_size *v = size_find(node_path_str(pool, "properties.vmSize"));
	struct node *cap = node_make_path(r->a, n, "status.capacity"), *info,
		    *list = node_list(r->a);
	struct node *address = node_map(r->a), *host = node_map(r->a);
	struct str version = node_path_str(pool, "_sim.nodeVersion");
	int cpus = v != NULL ? v->vcpus : 4;
	long memory = (v != NULL ? v->memory_gb : 16) * 1024L * 1024L;

	if (version.n == 0) /* its pool is still being made */
		version = node_path_str(pool, "properties.currentOrchestratorVersion");
	if (version.n == 0)
		version = node_path_str(r->k->cluster, "properties.currentKubernetesVersion");

	node_set(r->a, cap, "cpu", node_strz(r->a, arena_printf(r->a, "%d", cpus)));
	node_set(r->a, cap, "memory", node_strz(r->a, arena_printf(r->a, "%ldKi", memory)));
	node_set(r->a, cap, "ephemeral-storage",
	    node_strz(r->a, arena_printf(r->a, "%lldGi",
				(long long)node_path_int(pool, "properties.osDiskSizeGB", 128))));
	node_set(r->a, cap, "pods", node_strz(r->a, arena_printf(r->a, "%d", NODE_PODS)));
	node_set(r->a, node_path(n, "status"), "allocatable", node_dup(r->a, cap));
	info = node_make_path(r->a, n, "status.nodeInfo");
	node_set(r->a, info, "kubeletVersion",
	    node_strz(r->a, arena_printf(r->a, "v" STR_FMT, STR_ARG(version))));
	node_set_strz(r->a, info, "architecture", "amd64");
	node_set_strz(r->a, info, "operatingSystem", "linux");
	node_set_strz(r->a, info, "osImage", "Ubuntu 24.04.3 LTS");
	node_set_strz(r->a, info, "kernelVersion", "6.8.0-1044-azure");
	node_set_strz(r->a, info, "containerRuntimeVersion", "containerd://2.1.4-1");
	node_set_strz(r->a, address, "type", "InternalIP");
	node_set(r->a, address, "address",
	    node_strz(r->a, arena_printf(r->a, "10.0.%u.%lld", 1 + pool_number(r, pool) % 250,
				(long long)(index % 250 + 4))));
	node_push(list, address);
	node_set_strz(r->a, host, "type", "Hostname");
	node_set(r->a, host, "address", node_str(r->a, name));
	node_push(list, host);
	node_set(r->a, node_path(n, "status"), "addresses", list);
	kube_condition(r, n, "MemoryPressure", "False", "KubeletHasSufficientMemory", NULL);
	kube_condition(r, n, "DiskPressure", "False", "KubeletHasNoDiskPressure", NULL);
	kube_condition(r, n, "PIDPressure", "False", "KubeletHasSufficientPID", NULL);
	kube_condition(r, n, "Ready", "True", "KubeletReady", "kubelet is posting ready status");
}

static void
node_write(struct round *r, const struct node *pool, int64_t index, struct node *old)
{
	struct str name = node_name(r, pool, index);
	struct node *n =
	    old != NULL ? node_dup(r->a, old) : kube_new(r, "Node", (struct str){ 0 }, name);
	struct node *taints = node_list(r->a);

	labels_set(r, n, pool, name, index);
	for (const struct node *t = node_first(node_path(pool, "properties.nodeTaints")); t != NULL;
	     t = t->next)
		taint_push(r, taints, node_get_str(t));
	if (node_count(taints) > 0)
		node_set(r->a, node_make_path(r->a, n, "spec"), "taints", taints);
	else if (node_find(n, "spec") != NULL)
		(void)node_remove(node_find(n, "spec"), STR("taints"));
	node_set(r->a, node_make_path(r->a, n, "spec"), "providerID",
	    node_strz(
		r->a, arena_printf(r->a,
			  "azure:///subscriptions/%s/resourceGroups/" STR_FMT
			  "/providers/Microsoft.Compute/virtualMachineScaleSets/aks-" STR_FMT
			  "/virtualMachines/%lld",
			  r->k->s->id.subscription,
			  STR_ARG(node_path_str(r->k->cluster, "properties.nodeResourceGroup")),
			  STR_ARG(node_path_str(pool, "name")), (long long)index)));
	status_set(r, n, pool, name, index);
	if (old == NULL || !node_eq(old, n))
		(void)kube_put(r, "Node", n, "kubelet"); /* seen again in the next round */
	if (old == NULL)
		kube_event(r, n, false, "RegisteredNode", "node-controller",
		    "Registered Node in Controller");
}

/*
 * How many nodes a pool has now. While it is made or scaled up they come one after another, the
 * first after more than half of the time, the last a little before the operation ends.
 */
static int64_t
nodes_now(struct round *r, const struct node *pool)
{
	int64_t have = node_path_int(pool, "_sim.nodes", 0);
	int64_t more = node_path_int(pool, "properties.count", 0) - have, came = 0;
	int64_t from = node_path_int(pool, "_sim.arriveFromMs", 0);
	int64_t span = node_path_int(pool, "_sim.arriveUntilMs", 0) - from;

	if (span <= 0 || more <= 0)
		return have;
	while (came < more) {
		double part = FIRST_NODE + (LAST_NODE - FIRST_NODE) * (double)came / (double)more;
		int64_t at = from + (int64_t)((double)span * part);

		if (r->now_ms < at) {
			round_at(r, at);
			break;
		}
		came++;
	}
	return have + came;
}

/* The pool and index that a node's name belongs to; false when it is to go. */
static bool
is_wanted(struct round *r, struct str name)
{
	for (struct node *p = node_first(r->k->pools); p != NULL; p = p->next) {
		int64_t count = nodes_now(r, p);

		for (int64_t i = 0; i < count; i++) {
			if (str_eq(name, node_name(r, p, i)))
				return true;
		}
	}
	return false;
}

static struct node *
named(const struct node *list, struct str name)
{
	for (struct node *n = node_first(list); n != NULL; n = n->next) {
		if (str_eq(node_path_str(n, "metadata.name"), name))
			return n;
	}
	return NULL;
}

void
nodes_reconcile(struct round *r)
{
	struct node *have = kube_list(r, "Node");

	for (struct node *p = node_first(r->k->pools); p != NULL; p = p->next) {
		int64_t count = nodes_now(r, p);

		for (int64_t i = 0; i < count; i++)
			node_write(r, p, i, named(have, node_name(r, p, i)));
	}
	for (struct node *n = node_first(have); n != NULL; n = n->next) {
		if (!is_wanted(r, node_path_str(n, "metadata.name")))
			(void)kube_remove(
			    r, "Node", (struct str){ 0 }, node_path_str(n, "metadata.name"));
	}
}
