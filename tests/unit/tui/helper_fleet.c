#include "helper_fleet.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/fleet_int.h"

#define S(text)                                                                                    \
	{                                                                                          \
		(text), sizeof(text) - 1                                                           \
	}
#define AGO(seconds) (FIXTURE_NOW_MS - (int64_t)(seconds)*1000)
enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

static const struct fleet_condition ready_conditions[] = {
	{ S("Synced"), S("True"), S("ReconcileSuccess"), S(""), AGO(41 * DAY) },
	{ S("ClusterReady"), S("True"), S("ClusterRunning"), S(""), AGO(41 * DAY) },
	{ S("BackendReady"), S("True"), S("BackendHealthy"), S(""), AGO(12 * DAY) },
	{ S("Ready"), S("True"), S("Available"), S(""), AGO(12 * DAY) },
};

static const struct fleet_condition creating_conditions[] = {
	{ S("Synced"), S("True"), S("ReconcileSuccess"), S(""), AGO(9 * MINUTE) },
	{ S("ClusterReady"), S("False"), S("Provisioning"),
	    S("GPU pool gpua10 is being created by the cloud"), AGO(9 * MINUTE) },
	{ S("Ready"), S("False"), S("Creating"), S(""), AGO(9 * MINUTE) },
};

static const struct str blockers[] = { S("2 ModelCaches use it"), S("11 ModelReplicas run on it") };

static const struct fleet_resource ready_tree[] = {
	{ .depth = 0,
	    .object = S("InferenceCluster/aks-eu-1"),
	    .kind = S("InferenceCluster"),
	    .name = S("aks-eu-1"),
	    .state = FLEET_READY,
	    .since_ms = AGO(12 * DAY),
	    .synced = true,
	    .ready = true },
	{ .depth = 1,
	    .object = S("AKSCluster/aks-eu-1"),
	    .kind = S("AKSCluster"),
	    .name = S("aks-eu-1"),
	    .state = FLEET_READY,
	    .since_ms = AGO(41 * DAY),
	    .synced = true,
	    .ready = true },
	{ .depth = 2,
	    .object = S("managed-cluster/aks-eu-1"),
	    .kind = S("managed-cluster"),
	    .name = S("aks-eu-1"),
	    .step = S("control plane"),
	    .what = S("AKS control plane 1.34"),
	    .state = FLEET_READY,
	    .since_ms = AGO(41 * DAY),
	    .synced = true,
	    .ready = true,
	    .external = true,
	    .version = S("1.34.2") },
};

static const struct fleet_resource creating_tree[] = {
	{ .depth = 0,
	    .object = S("InferenceCluster/aks-eu-2"),
	    .kind = S("InferenceCluster"),
	    .name = S("aks-eu-2"),
	    .state = FLEET_CREATING,
	    .since_ms = AGO(9 * MINUTE + 2),
	    .synced = true,
	    .blocking = true },
	{ .depth = 1,
	    .object = S("AKSCluster/aks-eu-2"),
	    .kind = S("AKSCluster"),
	    .name = S("aks-eu-2"),
	    .state = FLEET_CREATING,
	    .since_ms = AGO(9 * MINUTE),
	    .synced = true,
	    .blocking = true },
	{ .depth = 2,
	    .object = S("resource-group/aks-eu-2"),
	    .kind = S("resource-group"),
	    .name = S("aks-eu-2"),
	    .step = S("network"),
	    .what = S("resource group of the cluster"),
	    .state = FLEET_READY,
	    .word = S("Succeeded"),
	    .since_ms = AGO(9 * MINUTE),
	    .synced = true,
	    .ready = true,
	    .external = true },
	{ .depth = 2,
	    .object = S("virtual-network/aks-eu-2"),
	    .kind = S("virtual-network"),
	    .name = S("aks-eu-2"),
	    .step = S("network"),
	    .what = S("network 10.0.0.0/16"),
	    .state = FLEET_READY,
	    .word = S("Succeeded"),
	    .since_ms = AGO(8 * MINUTE),
	    .synced = true,
	    .ready = true,
	    .external = true },
	{ .depth = 2,
	    .object = S("managed-cluster/aks-eu-2"),
	    .kind = S("managed-cluster"),
	    .name = S("aks-eu-2"),
	    .step = S("control plane"),
	    .what = S("AKS control plane 1.34"),
	    .state = FLEET_READY,
	    .word = S("Succeeded"),
	    .since_ms = AGO(4 * MINUTE + 20),
	    .synced = true,
	    .ready = true,
	    .external = true,
	    .version = S("1.34.2") },
	{ .depth = 2,
	    .object = S("agent-pool/gpua10"),
	    .kind = S("agent-pool"),
	    .name = S("gpua10"),
	    .step = S("GPU pools"),
	    .what = S("GPU pool gpua10, 2 x Standard_NV36ads_A10_v5"),
	    .state = FLEET_CREATING,
	    .word = S("Creating"),
	    .since_ms = AGO(4 * MINUTE + 10),
	    .message = S("the cloud is still creating the nodes"),
	    .synced = true,
	    .blocking = true,
	    .external = true,
	    .external_id = S("/subscriptions/0000/resourceGroups/aks-eu-2/"
			     "providers/Microsoft.ContainerService/managedClusters/"
			     "aks-eu-2/agentPools/gpua10") },
	{ .depth = 1,
	    .object = S("ServingStack/aks-eu-2"),
	    .kind = S("ServingStack"),
	    .name = S("aks-eu-2"),
	    .state = FLEET_WAITING,
	    .waits_for = S("agent-pool/gpua10") },
};

static const struct fleet_resource error_tree[] = {
	{ .depth = 0,
	    .object = S("InferenceCluster/aks-bad"),
	    .kind = S("InferenceCluster"),
	    .name = S("aks-bad"),
	    .state = FLEET_ERROR,
	    .since_ms = AGO(26 * MINUTE),
	    .synced = true },
	{ .depth = 1,
	    .object = S("agent-pool/gpuh100"),
	    .kind = S("agent-pool"),
	    .name = S("gpuh100"),
	    .step = S("GPU pools"),
	    .state = FLEET_ERROR,
	    .word = S("Failed"),
	    .reason = S("QuotaExceeded"),
	    .message =
		S("Operation could not be completed as it results in exceeding approved "
		  "standardNDSH100v5Family cores quota. Location: westeurope, current limit 0, "
		  "needed 96"),
	    .advice =
		S("ask for quota of the family standardNDSH100v5Family in westeurope, or choose a "
		  "smaller class"),
	    .since_ms = AGO(25 * MINUTE),
	    .next_try_ms = FIXTURE_NOW_MS + 300 * 1000,
	    .attempts = 4,
	    .external = true,
	    .blocking = true },
};

/* clang-format off */
static const struct fleet_cluster clusters[] = {
	{ .name = S("aks-bad"), .source = S("AKS"), .region = S("westeurope"), .version = S("1.34"),
	  .provider_ref = S("ClusterProviderConfig/default"), .labels = S("tier=dev"),
	  .state = FLEET_ERROR, .reason = S("QuotaExceeded"),
	  .message = S("GPU pool gpuh100: quota of standardNDSH100v5Family is 0, 96 cores needed"),
	  .advice = S("ask for quota in westeurope, or choose a smaller class"),
	  .created_ms = AGO(30 * MINUTE), .state_since_ms = AGO(26 * MINUTE), .nodes_ready = 0, .nodes_wanted = 1,
	  .gpus = -1, .gpus_claimed = -1, .gpus_free = -1, .steps_done = 4, .steps_total = 8, .step = S("GPU pools"),
	  .first_pool = 0, .npools = 1, .tree = error_tree, .ntree = ARRAY_LEN(error_tree) },
	{ .name = S("aks-eu-1"), .source = S("AKS"), .region = S("westeurope"), .version = S("1.34"),
	  .gateway = S("20.86.10.7"), .storage_class = S("modelplane-rwx-fs"), .stack = S("Standard"),
	  .provider_ref = S("ClusterProviderConfig/default"), .labels = S("region=eu tier=prod"),
	  .state = FLEET_READY, .created_ms = AGO(41 * DAY), .state_since_ms = AGO(12 * DAY),
	  .nodes_ready = 9, .nodes_wanted = 9, .gpus = 68, .gpus_claimed = 51, .gpus_free = 17,
	  .steps_done = 8, .steps_total = 8, .first_pool = 1, .npools = 2,
	  .conditions = ready_conditions, .nconditions = ARRAY_LEN(ready_conditions),
	  .tree = ready_tree, .ntree = ARRAY_LEN(ready_tree),
	  .blockers = blockers, .nblockers = ARRAY_LEN(blockers) },
	{ .name = S("aks-eu-2"), .source = S("AKS"), .region = S("westeurope"), .version = S("1.34"),
	  .provider_ref = S("ClusterProviderConfig/default"), .labels = S("region=eu tier=stage"),
	  .state = FLEET_CREATING, .message = S("waiting for agent-pool/gpua10, Creating for 4m"),
	  .created_ms = AGO(9 * MINUTE), .state_since_ms = AGO(9 * MINUTE),
	  .nodes_ready = 1, .nodes_wanted = 2, .gpus = -1, .gpus_claimed = -1, .gpus_free = -1,
	  .steps_done = 5, .steps_total = 8, .step = S("GPU pools"), .first_pool = 3, .npools = 1,
	  .conditions = creating_conditions, .nconditions = ARRAY_LEN(creating_conditions),
	  .tree = creating_tree, .ntree = ARRAY_LEN(creating_tree) },
	{ .name = S("aks-eu-3"), .source = S("AKS"), .region = S("northeurope"), .version = S("1.33"),
	  .gateway = S("20.67.1.9"), .storage_class = S("modelplane-rwx-fs"), .labels = S("region=eu tier=prod"),
	  .taints = S("flightdeck.dev/maintenance=true:NoExecute"),
	  .state = FLEET_DRAINING, .message = S("2 replicas are left"), .created_ms = AGO(20 * DAY),
	  .state_since_ms = AGO(3 * MINUTE), .nodes_ready = 4, .nodes_wanted = 4, .gpus = 32,
	  .gpus_claimed = 16, .gpus_free = 16, .steps_done = 6, .steps_total = 8, .step = S("drain"),
	  .first_pool = 4, .npools = 1 },
	{ .name = S("aks-new"), .source = S("AKS"), .region = S("eastus"), .version = S(""),
	  .state = FLEET_NEW, .created_ms = AGO(5), .state_since_ms = AGO(5), .nodes_ready = -1,
	  .nodes_wanted = 1, .gpus = -1, .gpus_claimed = -1, .gpus_free = -1, .first_pool = 5, .npools = 0 },
	{ .name = S("aks-old"), .source = S("AKS"), .region = S("eastus"), .version = S("1.32"),
	  .state = FLEET_DELETING, .message = S("managed-cluster/aks-old is being deleted"),
	  .created_ms = AGO(90 * DAY), .state_since_ms = AGO(6 * MINUTE), .deleted_ms = AGO(6 * MINUTE),
	  .nodes_ready = 0, .nodes_wanted = 0, .gpus = 0, .gpus_claimed = 0, .gpus_free = 0,
	  .steps_done = 3, .steps_total = 6, .step = S("control plane"), .first_pool = 5, .npools = 0 },
	{ .name = S("aks-us-1"), .source = S("AKS"), .region = S("eastus"), .version = S("1.34"),
	  .gateway = S("20.10.4.2"), .storage_class = S("modelplane-rwx-fs"), .labels = S("region=us tier=prod"),
	  .state = FLEET_READY, .created_ms = AGO(12 * DAY), .state_since_ms = AGO(12 * DAY),
	  .nodes_ready = 4, .nodes_wanted = 4, .gpus = 32, .gpus_claimed = 32, .gpus_free = 0,
	  .steps_done = 8, .steps_total = 8, .first_pool = 5, .npools = 1,
	  .conditions = ready_conditions, .nconditions = ARRAY_LEN(ready_conditions) },
	{ .name = S("byo-lab"), .source = S("Existing"), .region = S(""), .version = S("1.33"),
	  .state = FLEET_DEGRADED, .message = S("1 of 2 nodes carries label modelplane.ai/pool=a100"),
	  .advice = S("kubectl label node lab-gpu-02 modelplane.ai/pool=a100"), .created_ms = AGO(2 * DAY),
	  .state_since_ms = AGO(14 * MINUTE), .nodes_ready = 1, .nodes_wanted = 2, .gpus = 16,
	  .gpus_claimed = 8, .gpus_free = 8, .first_pool = 6, .npools = 1 },
};

static const struct fleet_pool pools[] = {
	{ .cluster = 0, .cluster_name = S("aks-bad"), .name = S("gpuh100"), .class_name = S("aks-h100-8x"),
	  .accelerator = S("H100"), .vm_size = S("Standard_ND96isr_H100_v5"), .memory = S("81559Mi"),
	  .nodes_ready = 0, .nodes_wanted = 1, .nodes_min = -1, .nodes_max = -1, .gpus_per_node = 8,
	  .gpus_observed = -1, .gpus_claimed = -1, .nodes_free = -1, .state = FLEET_ERROR,
	  .message = S("quota of standardNDSH100v5Family is 0, 96 cores needed") },
	{ .cluster = 1, .cluster_name = S("aks-eu-1"), .name = S("gpuh100"), .class_name = S("aks-h100-8x"),
	  .accelerator = S("H100"), .vm_size = S("Standard_ND96isr_H100_v5"), .memory = S("81559Mi"),
	  .fabric = S("InfiniBand"), .zones = S("1"),
	  .nodes_ready = 8, .nodes_wanted = 8, .nodes_min = 2, .nodes_max = 8, .gpus_per_node = 8,
	  .gpus_observed = 64, .gpus_claimed = 48, .nodes_free = 2, .state = FLEET_READY },
	{ .cluster = 1, .cluster_name = S("aks-eu-1"), .name = S("gpua10"), .class_name = S("a10-1x"),
	  .accelerator = S("A10"), .vm_size = S("Standard_NV36ads_A10_v5"), .memory = S("24564Mi"),
	  .nodes_ready = 4, .nodes_wanted = 4, .nodes_min = 1, .nodes_max = 4, .gpus_per_node = 1,
	  .gpus_observed = 4, .gpus_claimed = 3, .nodes_free = 1, .state = FLEET_READY },
	{ .cluster = 2, .cluster_name = S("aks-eu-2"), .name = S("gpua10"), .class_name = S("a10-1x"),
	  .accelerator = S("A10"), .vm_size = S("Standard_NV36ads_A10_v5"), .memory = S("24564Mi"),
	  .nodes_ready = 1, .nodes_wanted = 2, .nodes_min = 1, .nodes_max = 4, .gpus_per_node = 1,
	  .gpus_observed = -1, .gpus_claimed = -1, .nodes_free = -1, .state = FLEET_CREATING,
	  .message = S("the cloud is still creating the nodes") },
	{ .cluster = 3, .cluster_name = S("aks-eu-3"), .name = S("gpuh100"), .class_name = S("aks-h100-8x"),
	  .accelerator = S("H100"), .vm_size = S("Standard_ND96isr_H100_v5"), .memory = S("81559Mi"),
	  .nodes_ready = 4, .nodes_wanted = 4, .nodes_min = -1, .nodes_max = -1, .gpus_per_node = 8,
	  .gpus_observed = 32, .gpus_claimed = 16, .nodes_free = 2, .state = FLEET_DRAINING },
	{ .cluster = 6, .cluster_name = S("aks-us-1"), .name = S("gpuh100"), .class_name = S("aks-h100-8x"),
	  .accelerator = S("H100"), .vm_size = S("Standard_ND96isr_H100_v5"), .memory = S("81559Mi"),
	  .nodes_ready = 4, .nodes_wanted = 4, .nodes_min = -1, .nodes_max = -1, .gpus_per_node = 8,
	  .gpus_observed = 32, .gpus_claimed = 32, .nodes_free = 0, .state = FLEET_READY },
	{ .cluster = 7, .cluster_name = S("byo-lab"), .name = S("a100"), .class_name = S("a100-byo"),
	  .accelerator = S("A100"), .memory = S("81920Mi"),
	  .nodes_ready = 1, .nodes_wanted = 2, .nodes_min = -1, .nodes_max = -1, .gpus_per_node = 8,
	  .gpus_observed = 16, .gpus_claimed = 8, .nodes_free = 1, .state = FLEET_DEGRADED },
};

static const struct fleet_class classes[] = {
	{ S("a10-1x"), S("AKS"), S("Standard_NV36ads_A10_v5"), S("A10"), S("24564Mi"),
	  S("one A10"), 1, 2, true },
	{ S("a100-byo"), S(""), S(""), S("A100"), S("81920Mi"), S("lab nodes"), 8, 1, true },
	{ S("aks-h100-8x"), S("AKS"), S("Standard_ND96isr_H100_v5"), S("H100"), S("81559Mi"),
	  S("eight H100"), 8, 4, true },
};

static const struct fleet_cache caches[] = {
	{ S("aks-eu-1"), S("modelplane-rwx-fs"), S("file.csi.azure.com"), S("RWX"), S("skuName=Premium_LRS"),
	  FLEET_READY, S(""), 3, (int64_t)960 << 30 },
	{ S("aks-eu-2"), S("modelplane-rwx-fs"), S("file.csi.azure.com"), S("RWX"), S("skuName=Premium_LRS"),
	  FLEET_WAITING, S("the cluster is not ready yet"), -1, -1 },
	{ S("aks-us-1"), S("modelplane-rwx-fs"), S("file.csi.azure.com"), S("RWX"), S("skuName=Premium_LRS"),
	  FLEET_READY, S(""), 2, (int64_t)204 << 30 },
	{ S("byo-lab"), S(""), S(""), S(""), S(""), FLEET_WAITING, S("no RWX storage class is named"), -1, -1 },
};

static const struct fleet_gpu_type gpu_types[] = {
	{ S("H100"), S("81559Mi"), 128, 96, 32, 16, 4, S("aks-eu-1 16, aks-eu-3 16") },
	{ S("A100"), S("81920Mi"), 16, 8, 8, 1, 1, S("byo-lab 8") },
	{ S("A10"), S("24564Mi"), 4, 3, 1, 5, 1, S("aks-eu-1 1") },
};

static const struct fleet_event events[] = {
	{ AGO(16), AGO(9 * MINUTE), 14, true, S("aks-bad"), S("agent-pool/gpuh100"), S("QuotaExceeded"),
	  S("Operation could not be completed as it results in exceeding approved standardNDSH100v5Family "
	    "cores quota"), S("AKSCluster") },
	{ AGO(68), AGO(68), 1, false, S("aks-eu-3"), S("InferenceCluster/aks-eu-3"), S("Tainted"),
	  S("NoExecute by jo@ops"), S("console") },
	{ AGO(250), AGO(250), 1, false, S("aks-eu-2"), S("agent-pool/gpua10"), S("CreateSent"),
	  S("create sent to the cloud"), S("AKSCluster") },
	{ AGO(260), AGO(260), 1, false, S("aks-eu-2"), S("managed-cluster/aks-eu-2"), S("Ready"), S(""),
	  S("AKSCluster") },
	{ AGO(360), AGO(360), 1, false, S("aks-old"), S("InferenceCluster/aks-old"), S("Deleting"),
	  S("deleted in the foreground"), S("console") },
};

static const struct fleet_urgent urgent[] = {
	{ S("aks-bad"), S("GPU pool gpuh100: quota of standardNDSH100v5Family is 0, 96 cores needed"),
	  S("X why"), FLEET_ERROR, AGO(26 * MINUTE) },
	{ S("byo-lab"), S("1 of 2 nodes carries label modelplane.ai/pool=a100"), S("X why"), FLEET_DEGRADED,
	  AGO(14 * MINUTE) },
	{ S("aks-eu-2"), S("step 5/8 GPU pools, waiting for agent-pool/gpua10"), S("x tree"), FLEET_CREATING,
	  AGO(9 * MINUTE) },
};
/* clang-format on */

static struct fleet_holder holder;

const struct fleet *
fixture_fleet(void)
{
	struct fleet f = {
		.revision = 7,
		.built_ms = FIXTURE_NOW_MS,
		.oldest_ms = AGO(2),
		.profile = S("prod-fleet"),
		.context = S("jo@bastion"),
		.connected = true,
		.clusters = clusters,
		.nclusters = ARRAY_LEN(clusters),
		.pools = pools,
		.npools = ARRAY_LEN(pools),
		.classes = classes,
		.nclasses = ARRAY_LEN(classes),
		.caches = caches,
		.ncaches = ARRAY_LEN(caches),
		.gpu_types = gpu_types,
		.ngpu_types = ARRAY_LEN(gpu_types),
		.events = events,
		.nevents = ARRAY_LEN(events),
		.urgent = urgent,
		.nurgent = ARRAY_LEN(urgent),
	};

	holder.fleet = f;
	holder.refs = 1000000; /* never freed */
	return &holder.fleet;
}

const struct fleet *
fixture_empty(void)
{
	const struct fleet *f = fixture_fleet();

	holder.fleet.nclusters = holder.fleet.npools = holder.fleet.nclasses = 0;
	holder.fleet.ncaches = holder.fleet.ngpu_types = holder.fleet.nevents = 0;
	holder.fleet.nurgent = 0;
	holder.fleet.practice = true;
	holder.fleet.profile = (struct str)S("practice");
	return f;
}

const struct fleet *
fixture_many(size_t n, size_t p)
{
	static struct fleet_cluster *many;
	static struct fleet_pool *many_pools;
	static char(*names)[32];
	const struct fleet *f = fixture_fleet();

	mem_free(many);
	mem_free(many_pools);
	mem_free(names);
	many = mem_array(n + 1, sizeof(*many));
	many_pools = mem_array(n * p + 1, sizeof(*many_pools));
	names = mem_array(n + 1, sizeof(*names));
	assert_non_null(many);
	assert_non_null(many_pools);
	assert_non_null(names);
	for (size_t i = 0; i < n; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "c-%06zu", i);
		many[i] = clusters[i % ARRAY_LEN(clusters)];
		many[i].name = str_from(names[i]);
		many[i].first_pool = (uint32_t)(i * p);
		many[i].npools = (uint32_t)p;
		for (size_t k = 0; k < p; k++) {
			many_pools[i * p + k] = pools[k % ARRAY_LEN(pools)];
			many_pools[i * p + k].cluster = (uint32_t)i;
			many_pools[i * p + k].cluster_name = many[i].name;
		}
	}
	holder.fleet.clusters = many;
	holder.fleet.nclusters = n;
	holder.fleet.pools = many_pools;
	holder.fleet.npools = n * p;
	return f;
}

/* ---- the console ---- */

static uint64_t
record(void *context, struct request **take, struct error *err)
{
	struct recorder *r = context;

	if (r->refuse || r->nsent == MAX_SENT) {
		(void)error_set(err, ERR_BUSY, "the queue is full");
		return 0;
	}
	r->sent[r->nsent++] = *take;
	*take = NULL;
	return r->nsent;
}

static void
discard(void *context)
{
	((struct recorder *)context)->discards++;
}

static void
suspend(void *context)
{
	((struct recorder *)context)->suspends++;
}

static bool
copy(void *context, struct str text)
{
	struct recorder *r = context;

	(void)snprintf(r->copied, sizeof(r->copied), STR_FMT, STR_ARG(text));
	return true;
}

void
bench_open(struct bench *b, const struct fleet *f)
{
	struct console_io io = { .context = &b->rec,
		.submit = record,
		.discard = discard,
		.suspend = suspend,
		.copy = copy };

	memset(b, 0, sizeof(*b));
	(void)snprintf(b->folder, sizeof(b->folder), "/tmp/flightdeck-tui-XXXXXX");
	assert_non_null(mkdtemp(b->folder));
	assert_true(console_init(&b->console, &io, NULL));
	(void)snprintf(b->console.state_dir, sizeof(b->console.state_dir), "%s", b->folder);
	b->console.now_ms = FIXTURE_NOW_MS;
	b->console.mono_ms = 1000;
	if (f != NULL)
		console_set_fleet(&b->console, fleet_ref(f));
	(void)bench_screen(b, 80, 24);
}

static void
empty_folder(const char *path)
{
	DIR *d = opendir(path);
	const struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		char name[600];

		if (e->d_name[0] == '.')
			continue;
		(void)snprintf(name, sizeof(name), "%s/%s", path, e->d_name);
		if (unlink(name) != 0)
			empty_folder(name);
	}
	if (d != NULL)
		(void)closedir(d);
	(void)rmdir(path);
}

void
bench_close(struct bench *b)
{
	console_fini(&b->console);
	for (size_t i = 0; i < b->rec.nsent; i++)
		request_free(b->rec.sent[i]);
	grid_fini(&b->grid);
	empty_folder(b->folder);
}

static void
press(struct bench *b, uint32_t key, bool pasted)
{
	b->console.mono_ms += 10;
	console_key(&b->console, (struct input_key){ key, pasted });
	(void)bench_screen(b, 80, 24); /* as the loop does */
}

void
bench_keys(struct bench *b, const char *keys)
{
	struct str rest = str_from(keys);
	struct str name;

	while (str_split(&rest, ' ', &name)) {
		uint32_t key = 0;

		if (name.n == 0)
			continue;
		if (!key_parse(name, &key))
			fail_msg("no key '" STR_FMT "'", STR_ARG(name));
		press(b, key, false);
	}
}

void
bench_type(struct bench *b, const char *text)
{
	for (; *text != '\0'; text++)
		press(b, (uint32_t)(unsigned char)*text, false);
}

void
bench_paste(struct bench *b, const char *text)
{
	for (; *text != '\0'; text++)
		press(
		    b, *text == '\n' ? (uint32_t)KEY_ENTER : (uint32_t)(unsigned char)*text, true);
}

void
bench_answer(struct bench *b, size_t n, bool ok, const char *text)
{
	struct reply r = { .id = n + 1, .verb = b->rec.sent[n]->verb, .ok = ok };
	char *copied = text != NULL ? mem_dupz(text) : NULL;

	if (ok)
		r.text = copied;
	else
		(void)error_set(&r.err, ERR_CLOUD, "%s", text);
	console_reply(&b->console, &r);
	mem_free(copied);
}

const char *
bench_screen(struct bench *b, int w, int h)
{
	static struct text out = TEXT_INIT(4 * 1024 * 1024);

	text_clear(&out);
	assert_true(grid_resize(&b->grid, w, h, NULL));
	console_draw(&b->console, &b->grid);
	grid_dump(&b->grid, &out);
	/* the folder has another name each time */
	for (char *p = out.p; p != NULL && (p = strstr(p, b->folder)) != NULL; p++)
		memset(p, 'X', strlen(b->folder));
	return text_get(&out);
}

static char *
read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char *buf = mem_new(1 << 20);
	size_t n;

	assert_non_null(buf);
	if (f == NULL)
		return buf;
	n = fread(buf, 1, (1 << 20) - 1, f);
	buf[n] = '\0';
	(void)fclose(f);
	return buf;
}

void
bench_golden(struct bench *b, const char *name, int w, int h)
{
	char path[512];
	char *want;
	const char *got = bench_screen(b, w, h);
	const char *update = getenv("FLIGHTDECK_UPDATE");

	(void)snprintf(path, sizeof(path), "%s/tests/unit/tui/screens/%s-%dx%d.txt",
	    TEST_SOURCE_DIR, name, w, h);
	if (update != NULL) {
		FILE *f = fopen(path, "w");

		assert_non_null(f);
		assert_int_equal(fwrite(got, 1, strlen(got), f), strlen(got));
		(void)fclose(f);
		return;
	}
	want = read_file(path);
	if (strcmp(want, got) != 0) {
		print_error("%s differs; wanted:\n%s\ngot:\n%s\n", path, want, got);
		mem_free(want);
		fail_msg("screen %s", name);
	}
	mem_free(want);
}

size_t
bench_writes(const struct bench *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->rec.nsent; i++) {
		const struct request *r = b->rec.sent[i];

		n += !r->dry_run && (r->verb == REQUEST_APPLY || r->verb == REQUEST_DELETE ||
					r->verb == REQUEST_SCALE || r->verb == REQUEST_TAINT ||
					r->verb == REQUEST_UNTAINT || r->verb == REQUEST_UPGRADE ||
					r->verb == REQUEST_RETRY)
			 ? 1
			 : 0;
	}
	return n;
}

void
assert_shows(struct bench *b, const char *text)
{
	const char *screen = bench_screen(b, 160, 50);

	if (strstr(screen, text) == NULL)
		fail_msg("'%s' is not on the screen:\n%s", text, screen);
}

void
assert_hides(struct bench *b, const char *text)
{
	const char *screen = bench_screen(b, 160, 50);

	if (strstr(screen, text) != NULL)
		fail_msg("'%s' is on the screen:\n%s", text, screen);
}
