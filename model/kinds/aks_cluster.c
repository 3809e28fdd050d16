#include "model/kinds/aks_cluster.h"

#include "model/kinds/table.h"

static const char *const shorts[] = { "aks", NULL };
static const char *const fabric_words[] = { "None", "InfiniBand", NULL };
static const char *const secret_types[] = { "Kubeconfig", NULL };

static const struct rule pool_rules[] = {
	{ "AKSCluster-1", "self.role != 'GPU' || has(self.gpu)", "a GPU pool has no gpu block",
	    "add 'gpu: {acceleratorType: ...}' to the pool" },
};

/* clang-format off */
#define ROW_OF struct aks_gpu
static const struct field gpu_fields[] = {
	F(accelerator_type, "acceleratorType", STRING, .flags = REQUIRED, RANGE(1, 63),
	    .doc = "Value of the nodes' GPU label, such as nvidia-h100; the VM size decides the hardware."),
};
#undef ROW_OF
static const struct schema gpu_schema = SCHEMA("AKSGpu", struct aks_gpu, gpu_fields);

#define ROW_OF struct aks_pool
static const struct field pool_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED | IMMUTABLE, RANGE(1, 12), .pattern = "^[a-z][a-z0-9]{0,11}$",
	    .doc = "Pool name, used for the agent pool: a letter, then up to eleven lower-case letters or digits."),
	F(role, "role", ENUM, .flags = REQUIRED, .words = pool_role_words,
	    .doc = "System for controllers and gateways, GPU for inference; AKS installs the driver on GPU pools."),
	F(vm_size, "vmSize", STRING, .flags = REQUIRED | IMMUTABLE, RANGE(1, 63),
	    .doc = "Machine by its Azure name, such as Standard_NC24ads_A100_v4."),
	F(disk_gb, "diskSizeGb", INT, .flags = IMMUTABLE, RANGE(10, 65536), .def = "100", .doc = "OS disk in GB."),
	F(node_count, "nodeCount", INT, RANGE(0, 1000), .def = "1",
	    .doc = "Nodes when the pool is made; the autoscaler moves it later."),
	F(min_node_count, "minNodeCount", INT, RANGE(0, 1000), .def = "0",
	    .doc = "Fewest nodes. Keep GPU pools at one or more: AKS cannot start a pool with DRA devices from zero."),
	F(max_node_count, "maxNodeCount", INT, RANGE(0, 1000), .def = "8", .doc = "Most nodes."),
	F(zones, "zones", LIST, .flags = IMMUTABLE, RANGE(1, 3), ITEMS_OF(1, 8),
	    .doc = "Availability zones, such as [\"1\"]; leave out for sizes that have none."),
	F(gpu, "gpu", OBJECT, .sub = &gpu_schema, .doc = "Facts about the GPU; every GPU pool has them."),
	F(fabric, "fabric", ENUM, .flags = IMMUTABLE, .words = fabric_words, .def = "\"None\"",
	    .doc = "Network between nodes. InfiniBand wants a VM size that has it and the feature AKSInfinibandSupport."),
};
#undef ROW_OF
static const struct schema pool_schema = SCHEMA("AKSNodePool", struct aks_pool, pool_fields);

#define ROW_OF struct aks_networking
static const struct field networking_fields[] = {
	F(vnet_cidr, "vnetCidr", STRING, .flags = IMMUTABLE, AT_MOST(18), .def = "\"10.0.0.0/16\"",
	    .doc = "Range of the virtual network."),
	F(subnet_cidr, "subnetCidr", STRING, .flags = IMMUTABLE, AT_MOST(18), .def = "\"10.0.0.0/20\"",
	    .doc = "Range of the nodes' subnet, inside the virtual network."),
};
#undef ROW_OF
static const struct schema networking_schema =
    SCHEMA("AKSNetworking", struct aks_networking, networking_fields);

#define ROW_OF struct aks_cluster_spec
static const struct field spec_fields[] = {
	F(location, "location", STRING, .flags = REQUIRED | IMMUTABLE, RANGE(1, 32),
	    .doc = "Azure region, such as swedencentral."),
	F(kubernetes_version, "kubernetesVersion", STRING, RANGE(1, 16), .def = "\"1.34\"",
	    .doc = "Kubernetes version that AKS offers; DRA is complete from 1.34 on."),
	F(credentials, "credentials", OBJECT, .sub = &credentials_ref_schema,
	    .doc = "Credential config that signs Azure's calls; absent means the cluster-wide one called default."),
	F(networking, "networking", OBJECT, .sub = &networking_schema,
	    .doc = "Address plan. Keep clear of 10.96.0.0/16 (services) and 10.244.0.0/16 (pods)."),
	F(node_pools, "nodePools", LIST, .flags = REQUIRED, RANGE(1, 8), .keys = name_keys, .sub = &pool_schema,
	    ITEM_RULES(pool_rules), .doc = "Pools to make beside the built-in system pool."),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema spec_schema = SCHEMA("AKSClusterSpec", struct aks_cluster_spec, spec_fields);

#define ROW_OF struct secret_entry
static const struct field secret_fields[] = {
	F(type, "type", STRING, .flags = REQUIRED, .words = secret_types,
	    .doc = "Kubeconfig: endpoint, authority and client certificate of the local administrator."),
	F(name, "name", STRING, .flags = REQUIRED, AT_MOST(253), .doc = "Name of the Secret."),
	F(key, "key", STRING, .flags = REQUIRED, AT_MOST(253), .doc = "Key in its data."),
};
#undef ROW_OF
static const struct schema secret_schema_ = SCHEMA("ClusterSecret", struct secret_entry, secret_fields);

#define ROW_OF struct aks_cluster_status
static const struct field status_fields[] = {
	CONDITIONS_FIELD,
	F(secrets, "secrets", LIST, .sub = &secret_schema_, .doc = "Secrets that reach the new cluster, in this namespace."),
	F(cache, "cache", OBJECT, .sub = &cache_status_schema, .doc = "Shared storage for caches."),
};
#undef ROW_OF
static const struct schema status_schema =
    SCHEMA("AKSClusterStatus", struct aks_cluster_status, status_fields);

#define ROW_OF struct aks_cluster
static const struct field object_fields[] = {
	OBJECT_FIELDS,
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &spec_schema, .doc = "What is wanted."),
	F(status, "status", OBJECT, .sub = &status_schema, .doc = "What was observed."),
};
#undef ROW_OF
const struct schema aks_cluster_schema = SCHEMA("AKSCluster", struct aks_cluster, object_fields);

static const struct column_def columns[] = {
	{ "LOCATION", ".spec.location", "string" },
	FRAMEWORK_COLUMNS,
};
/* clang-format on */

const struct kind aks_cluster_kind = {
	.group = GROUP_INTERNAL,
	.version = "v1alpha1",
	.kind = "AKSCluster",
	.plural = "aksclusters",
	.singular = "akscluster",
	.shorts = shorts,
	.categories = modelplane_categories,
	.flags = KIND_NAMESPACED | KIND_RECONCILED | KIND_STATUS,
	.schema = &aks_cluster_schema,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.doc = "One AKS cluster with its own resource group and network.",
};
