#include "model/kinds/cloud_table.h"

static const char *const shorts[] = { "gke", NULL };
static const char *const secret_types[] = { "Kubeconfig", "GoogleApplicationCredentials", NULL };

static const struct rule pool_rules[] = {
	{ "GKECluster-1", "self.role != 'GPU' || has(self.gpu)", "a GPU pool has no gpu block",
	    "add 'gpu: {acceleratorType: ...}' to the pool" },
	{ "GKECluster-2", "self.role != 'GPU' || has(self.zones)", "a GPU pool has no zones",
	    "list the zones that have this GPU" },
};

/* clang-format off */
#define ROW_OF struct cloud_gpu
static const struct field gpu_fields[] = {
	GPU_TYPE,
	F(accelerator_count, "acceleratorCount", INT, RANGE(1, 16), .def = "1", .doc = "GPUs in a node."),
};
#undef ROW_OF
static const struct schema gpu_schema = SCHEMA("GKEGpu", struct cloud_gpu, gpu_fields);

#define ROW_OF struct cloud_pool
static const struct field pool_fields[] = {
	POOL_NAME,
	POOL_ROLE,
	POOL_MACHINE("machineType", "Compute Engine machine, such as g2-standard-48."),
	POOL_DISK,
	POOL_COUNT(node_count, "nodeCount", 0, "1", "Nodes to begin with, in each zone."),
	POOL_COUNT(min_node_count, "minNodeCount", 0, "0", "Fewest nodes in each zone."),
	POOL_COUNT(max_node_count, "maxNodeCount", 0, "8", "Most nodes in each zone."),
	POOL_GPU(gpu_schema),
	POOL_ZONES,
};
#undef ROW_OF
static const struct schema pool_schema = SCHEMA("GKENodePool", struct cloud_pool, pool_fields);

#define ROW_OF struct gke_networking
static const struct field networking_fields[] = {
	F(pod_cidr, "podCidr", STRING, AT_MOST(18), .def = "\"10.1.0.0/16\"", .doc = "Range of the pods."),
	F(service_cidr, "serviceCidr", STRING, AT_MOST(18), .def = "\"10.2.0.0/16\"", .doc = "Range of the services."),
	F(node_cidr, "nodeCidr", STRING, AT_MOST(18), .def = "\"10.0.0.0/24\"", .doc = "Range of the nodes."),
};
#undef ROW_OF
static const struct schema networking_schema =
    SCHEMA("GKENetworking", struct gke_networking, networking_fields);

#define ROW_OF struct cloud_cluster_spec
static const struct field spec_fields[] = {
	CLUSTER_REGION("GCP region, such as us-central1."),
	CLUSTER_VERSION("\"1.35\"", "Kubernetes version of GKE's regular channel."),
	CLUSTER_CREDENTIALS,
	F(gke_networking, "networking", OBJECT, .sub = &networking_schema,
	    .doc = "Address plan; change it where networks are peered."),
	CLUSTER_POOLS(pool_schema, pool_rules),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema spec_schema =
    SCHEMA("GKEClusterSpec", struct cloud_cluster_spec, spec_fields);

#define ROW_OF struct secret_entry
static const struct field secret_fields[] = { SECRET_TYPE(secret_types), SECRET_NAME_AND_KEY };
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
    SCHEMA("GKEClusterStatus", struct cloud_cluster_status, status_fields);

#define ROW_OF struct cloud_cluster
static const struct field object_fields[] = { CLUSTER_OBJECT(spec_schema, status_schema) };
#undef ROW_OF
static const struct schema object_schema = SCHEMA("GKECluster", struct cloud_cluster, object_fields);

static const struct column_def columns[] = {
	{ "REGION", ".spec.region", "string" },
	FRAMEWORK_COLUMNS,
};
/* clang-format on */

const struct kind gke_cluster_kind = {
	.group = GROUP_INTERNAL,
	.version = "v1alpha1",
	.kind = "GKECluster",
	.plural = "gkeclusters",
	.singular = "gkecluster",
	.shorts = shorts,
	.categories = modelplane_categories,
	.flags = KIND_NAMESPACED | KIND_STATUS,
	.schema = &object_schema,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.doc = "One GKE cluster with its own network.",
};
