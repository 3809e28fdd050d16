#include "model/kinds/cloud_table.h"

static const char *const shorts[] = { "eks", NULL };
static const char *const secret_types[] = { "Kubeconfig", NULL };
static const char *const fabric_words[] = { "None", "EFA", NULL };

static const struct rule pool_rules[] = {
	{ "EKSCluster-1", "self.role != 'GPU' || has(self.gpu)", "a GPU pool has no gpu block",
	    "add 'gpu: {acceleratorType: ...}' to the pool" },
	{ "EKSCluster-2", "self.role != 'GPU' || has(self.zones)", "a GPU pool has no zones",
	    "list the zones that have this instance type" },
};

/* clang-format off */
#define ROW_OF struct cloud_gpu
static const struct field gpu_fields[] = { GPU_TYPE };
#undef ROW_OF
static const struct schema gpu_schema = SCHEMA("EKSGpu", struct cloud_gpu, gpu_fields);

#define ROW_OF struct capacity_block
static const struct field block_fields[] = {
	F(capacity_reservation_id, "capacityReservationId", STRING, .flags = REQUIRED, RANGE(4, 64),
	    .pattern = "^cr-[0-9a-f]+$", .doc = "Id of the reservation, cr- and hexadecimal digits."),
};
#undef ROW_OF
static const struct schema block_schema = SCHEMA("EKSCapacityBlock", struct capacity_block, block_fields);

#define ROW_OF struct cloud_pool
static const struct field pool_fields[] = {
	POOL_NAME,
	POOL_ROLE,
	POOL_MACHINE("instanceType", "EC2 instance type, such as g6.xlarge."),
	POOL_DISK,
	POOL_COUNT(node_count, "nodeCount", 0, "1", "Nodes when the group is made."),
	POOL_COUNT(min_node_count, "minNodeCount", 0, "0", "Fewest nodes."),
	POOL_COUNT(max_node_count, "maxNodeCount", 0, "8", "Most nodes."),
	POOL_GPU(gpu_schema),
	F(capacity_block, "capacityBlock", OBJECT, .sub = &block_schema,
	    .doc = "Capacity Block that was bought for the nodes; absent means on demand."),
	POOL_ZONES,
	F(eks_fabric, "fabric", STRING, .words = fabric_words, .def = "\"None\"",
	    .doc = "Network between nodes: None is TCP, EFA adds Elastic Fabric Adapter."),
};
#undef ROW_OF
static const struct schema pool_schema = SCHEMA("EKSNodePool", struct cloud_pool, pool_fields);

#define ROW_OF struct eks_networking
static const struct field networking_fields[] = {
	F(vpc_cidr, "vpcCidr", STRING, AT_MOST(18), .def = "\"10.0.0.0/16\"", .doc = "Range of the VPC."),
	F(subnet_cidrs, "subnetCidrs", LIST, RANGE(2, 6), ITEMS_OF(0, 18),
	    .def = "[\"10.0.0.0/20\",\"10.0.16.0/20\",\"10.0.32.0/20\"]",
	    .doc = "Ranges of the public subnets, one a zone in the order of the zones' letters."),
};
#undef ROW_OF
static const struct schema networking_schema =
    SCHEMA("EKSNetworking", struct eks_networking, networking_fields);

#define ROW_OF struct cloud_cluster_spec
static const struct field spec_fields[] = {
	CLUSTER_REGION("AWS region, such as us-west-2."),
	CLUSTER_VERSION("\"1.36\"", "Kubernetes version that EKS offers."),
	CLUSTER_CREDENTIALS,
	F(eks_networking, "networking", OBJECT, .sub = &networking_schema,
	    .doc = "Address plan: a VPC and a subnet for each zone."),
	CLUSTER_POOLS(pool_schema, pool_rules),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema spec_schema =
    SCHEMA("EKSClusterSpec", struct cloud_cluster_spec, spec_fields);

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
    SCHEMA("EKSClusterStatus", struct cloud_cluster_status, status_fields);

#define ROW_OF struct cloud_cluster
static const struct field object_fields[] = { CLUSTER_OBJECT(spec_schema, status_schema) };
#undef ROW_OF
static const struct schema object_schema = SCHEMA("EKSCluster", struct cloud_cluster, object_fields);

static const struct column_def columns[] = {
	{ "REGION", ".spec.region", "string" },
	FRAMEWORK_COLUMNS,
};
/* clang-format on */

const struct kind eks_cluster_kind = {
	.group = GROUP_INTERNAL,
	.version = "v1alpha1",
	.kind = "EKSCluster",
	.plural = "eksclusters",
	.singular = "ekscluster",
	.shorts = shorts,
	.categories = modelplane_categories,
	.flags = KIND_NAMESPACED | KIND_STATUS,
	.schema = &object_schema,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.doc = "One EKS cluster with its own VPC.",
};
