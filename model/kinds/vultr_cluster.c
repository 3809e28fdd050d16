#include "model/kinds/cloud_table.h"

static const char *const shorts[] = { "vke", NULL };
static const char *const secret_types[] = { "Kubeconfig", NULL };

static const struct rule pool_rules[] = {
	{ "VultrCluster-1", "self.role != 'GPU' || has(self.gpu)", "a GPU pool has no gpu block",
	    "add 'gpu: {acceleratorType: ...}' to the pool" },
	{ "VultrCluster-2", "!has(self.minNodeCount) || has(self.maxNodeCount)",
	    "minNodeCount is given without maxNodeCount", "set maxNodeCount too" },
};

/* clang-format off */
#define ROW_OF struct cloud_gpu
static const struct field gpu_fields[] = { GPU_TYPE };
#undef ROW_OF
static const struct schema gpu_schema = SCHEMA("VultrGpu", struct cloud_gpu, gpu_fields);

#define ROW_OF struct cloud_pool
static const struct field pool_fields[] = {
	POOL_NAME,
	POOL_ROLE,
	POOL_MACHINE("plan", "Vultr plan, such as vcg-l40s-16c-180g-48vram."),
	POOL_COUNT(node_count, "nodeCount", 1, "1", "Nodes, at least one; fixed unless maxNodeCount is set."),
	POOL_COUNT(min_node_count, "minNodeCount", 1, NULL, "Fewest nodes; absent means nodeCount."),
	POOL_COUNT(max_node_count, "maxNodeCount", 1, NULL, "Most nodes; turns autoscaling on."),
	POOL_GPU(gpu_schema),
};
#undef ROW_OF
static const struct schema pool_schema = SCHEMA("VultrNodePool", struct cloud_pool, pool_fields);

#define ROW_OF struct cloud_cluster_spec
static const struct field spec_fields[] = {
	CLUSTER_REGION("Vultr region, such as ewr."),
	CLUSTER_VERSION("\"v1.36.1+3\"", "Exact version with Vultr's build number."),
	CLUSTER_CREDENTIALS,
	CLUSTER_POOLS(pool_schema, pool_rules),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema spec_schema =
    SCHEMA("VultrClusterSpec", struct cloud_cluster_spec, spec_fields);

#define ROW_OF struct secret_entry
static const struct field secret_fields[] = { SECRET_TYPE(secret_types), SECRET_NAME_AND_KEY };
#undef ROW_OF
static const struct schema secret_schema_ = SCHEMA("ClusterSecret", struct secret_entry, secret_fields);

#define ROW_OF struct cloud_cluster_status
static const struct field status_fields[] = {
	CONDITIONS_FIELD,
	STATUS_SECRETS(secret_schema_),
};
#undef ROW_OF
static const struct schema status_schema =
    SCHEMA("VultrClusterStatus", struct cloud_cluster_status, status_fields);

#define ROW_OF struct cloud_cluster
static const struct field object_fields[] = { CLUSTER_OBJECT(spec_schema, status_schema) };
#undef ROW_OF
static const struct schema object_schema =
    SCHEMA("VultrCluster", struct cloud_cluster, object_fields);

static const struct column_def columns[] = {
	{ "REGION", ".spec.region", "string" },
	FRAMEWORK_COLUMNS,
};
/* clang-format on */

const struct kind vultr_cluster_kind = {
	.group = GROUP_INTERNAL,
	.version = "v1alpha1",
	.kind = "VultrCluster",
	.plural = "vultrclusters",
	.singular = "vultrcluster",
	.shorts = shorts,
	.categories = modelplane_categories,
	.flags = KIND_NAMESPACED | KIND_STATUS,
	.schema = &object_schema,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.doc = "One Vultr Kubernetes Engine cluster.",
};
