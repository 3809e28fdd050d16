#include "model/kinds/cloud_table.h"

static const char *const shorts[] = { "mk8s", NULL };
static const char *const secret_types[] = { "Kubeconfig", "NebiusServiceAccountCredentials", NULL };
static const char *const fabric_words[] = { "None", "InfiniBand", NULL };

static const struct rule pool_rules[] = {
	{ "NebiusCluster-1", "self.role != 'GPU' || has(self.gpu)", "a GPU pool has no gpu block",
	    "add 'gpu: {acceleratorType: ...}' to the pool" },
	{ "NebiusCluster-2", "!has(self.minNodeCount) || has(self.maxNodeCount)",
	    "minNodeCount is given without maxNodeCount", "set maxNodeCount too" },
};

static const struct rule fabric_rules[] = {
	{ "NebiusCluster-3", "self.type != 'InfiniBand' || has(self.infiniband)",
	    "InfiniBand is wanted but no fabric is named",
	    "set infiniband.fabric to the id of an existing fabric" },
	{ "NebiusCluster-4", "!has(self.infiniband) || self.type == 'InfiniBand'",
	    "the infiniband block does not go with this fabric type",
	    "set type: InfiniBand, or take the block out" },
};

/* clang-format off */
#define ROW_OF struct cloud_gpu
static const struct field gpu_fields[] = {
	GPU_TYPE,
	F(drivers_preset, "driversPreset", STRING, RANGE(1, 63), .def = "\"cuda13.0\"",
	    .doc = "Driver stack that comes installed, such as cuda12.4."),
};
#undef ROW_OF
static const struct schema gpu_schema = SCHEMA("NebiusGpu", struct cloud_gpu, gpu_fields);

#define ROW_OF struct infiniband
static const struct field infiniband_fields[] = {
	F(fabric, "fabric", STRING, .flags = REQUIRED, RANGE(1, 63), .doc = "Id of a fabric in the region."),
};
#undef ROW_OF
static const struct schema infiniband_schema =
    SCHEMA("NebiusInfiniBand", struct infiniband, infiniband_fields);

#define ROW_OF struct nebius_fabric
static const struct field fabric_fields[] = {
	F(type, "type", STRING, .words = fabric_words, .def = "\"None\"",
	    .doc = "InfiniBand puts the nodes into a GPU cluster on the fabric."),
	F(infiniband, "infiniband", OBJECT, .sub = &infiniband_schema, .doc = "Which fabric."),
};
#undef ROW_OF
static const struct schema fabric_schema = SCHEMA("NebiusFabric", struct nebius_fabric, fabric_fields);

#define ROW_OF struct cloud_pool
static const struct field pool_fields[] = {
	POOL_NAME,
	POOL_ROLE,
	POOL_MACHINE("platform", "Compute platform, such as gpu-h100-sxm."),
	F(preset, "preset", STRING, .flags = REQUIRED | IMMUTABLE, RANGE(1, 63),
	    .doc = "Preset of the platform; it fixes GPUs, processors and memory."),
	POOL_DISK,
	POOL_COUNT(node_count, "nodeCount", 0, "1", "Nodes; fixed unless maxNodeCount is set."),
	POOL_COUNT(min_node_count, "minNodeCount", 0, NULL, "Fewest nodes; absent means nodeCount."),
	POOL_COUNT(max_node_count, "maxNodeCount", 1, NULL, "Most nodes; turns autoscaling on."),
	POOL_GPU(gpu_schema),
	F(nebius_fabric, "fabric", OBJECT, .sub = &fabric_schema, RULES(fabric_rules),
	    .doc = "Network between nodes; absent is TCP."),
};
#undef ROW_OF
static const struct schema pool_schema = SCHEMA("NebiusNodePool", struct cloud_pool, pool_fields);

#define ROW_OF struct cloud_cluster_spec
static const struct field spec_fields[] = {
	CLUSTER_VERSION("\"1.34\"", "Kubernetes version that Nebius offers."),
	CLUSTER_CREDENTIALS,
	CLUSTER_POOLS(pool_schema, pool_rules),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema spec_schema =
    SCHEMA("NebiusClusterSpec", struct cloud_cluster_spec, spec_fields);

#define ROW_OF struct secret_entry
static const struct field secret_fields[] = {
	SECRET_TYPE(secret_types),
	SECRET_NAME_AND_KEY,
	F(ns, "namespace", STRING, AT_MOST(253), .doc = "Its namespace, when it is another one."),
};
#undef ROW_OF
static const struct schema secret_schema_ = SCHEMA("ClusterSecret", struct secret_entry, secret_fields);

#define ROW_OF struct cloud_cluster_status
static const struct field status_fields[] = {
	CONDITIONS_FIELD,
	STATUS_SECRETS(secret_schema_),
	STATUS_CACHE,
};
#undef ROW_OF
static const struct schema status_schema =
    SCHEMA("NebiusClusterStatus", struct cloud_cluster_status, status_fields);

#define ROW_OF struct cloud_cluster
static const struct field object_fields[] = { CLUSTER_OBJECT(spec_schema, status_schema) };
#undef ROW_OF
static const struct schema object_schema =
    SCHEMA("NebiusCluster", struct cloud_cluster, object_fields);

static const struct column_def columns[] = { FRAMEWORK_COLUMNS };
/* clang-format on */

const struct kind nebius_cluster_kind = {
	.group = GROUP_INTERNAL,
	.version = "v1alpha1",
	.kind = "NebiusCluster",
	.plural = "nebiusclusters",
	.singular = "nebiuscluster",
	.shorts = shorts,
	.categories = modelplane_categories,
	.flags = KIND_NAMESPACED | KIND_STATUS,
	.schema = &object_schema,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.doc = "One managed Kubernetes cluster on Nebius.",
};
