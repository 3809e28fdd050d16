#include "model/kinds/inference_cluster.h"

#include "model/kinds/device.h"
#include "model/kinds/table.h"

static const char *const shorts[] = { "ic", NULL };
static const char *const effect_words[] = { "NoSchedule", "NoExecute", NULL };
static const char *const fabric_words[] = { "None", "EFA", "InfiniBand", NULL };
static const char *const taint_keys[] = { "key", "effect", NULL };
static const char *const identity_words[] = { "GoogleApplicationCredentials",
	"AWSWebIdentityCredentials", "NebiusServiceAccountCredentials", NULL };
const char *const cluster_source_words[] = { "GKE", "EKS", "AKS", "Nebius", "Vultr", "Existing",
	NULL };
const char *const stack_words[] = { "Standard", "Dynamo", NULL };

static const struct rule spec_rules[] = {
	{ "InferenceCluster-1",
	    "self.cluster.source != 'Nebius' || !has(self.nodePools) || self.nodePools.all(p, "
	    "!has(p.fabric) || p.fabric.type != 'InfiniBand' || has(p.fabric.infiniband))",
	    "a Nebius pool with InfiniBand does not name its fabric",
	    "set fabric.infiniband.fabric to the id of an existing fabric" },
};

static const struct rule cluster_rules[] = {
	{ "InferenceCluster-2", "self.source != 'Existing' || has(self.existing)",
	    "source Existing has no existing block", "add the existing block beside source" },
	{ "InferenceCluster-3", "self.source != 'GKE' || has(self.gke)",
	    "source GKE has no gke block", "add the gke block beside source" },
	{ "InferenceCluster-4", "self.source != 'EKS' || has(self.eks)",
	    "source EKS has no eks block", "add the eks block beside source" },
	{ "InferenceCluster-5", "self.source != 'AKS' || has(self.aks)",
	    "source AKS has no aks block", "add the aks block beside source" },
	{ "InferenceCluster-6", "self.source != 'Nebius' || has(self.nebius)",
	    "source Nebius has no nebius block", "add 'nebius: {}' beside source" },
	{ "InferenceCluster-7", "self.source != 'Vultr' || has(self.vultr)",
	    "source Vultr has no vultr block", "add the vultr block beside source" },
};

static const struct rule stack_rules[] = {
	{ "InferenceCluster-8", "self == oldSelf", "the serving stack of a cluster cannot change",
	    "make a new cluster with the other stack" },
};

static const struct rule label_rules[] = {
	{ "InferenceCluster-9", "self.all(k, !k.startsWith('modelplane.ai/'))",
	    "labels that begin with modelplane.ai/ are reserved", "choose another prefix" },
};

static const struct rule hostname_rules[] = {
	{ "InferenceCluster-10", "!self.contains('/') && !self.contains(':')",
	    "the hostname is more than a DNS name", "leave out scheme, port and path" },
};

static const struct rule fabric_rules[] = {
	{ "InferenceCluster-11", "!has(self.infiniband) || self.type == 'InfiniBand'",
	    "the infiniband block does not go with this fabric type",
	    "set type: InfiniBand, or take the block out" },
};

/* clang-format off */
#define ROW_OF struct existing_secret_ref
static const struct field secret_ref_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, RANGE(1, 253), .doc = "Name of the Secret."),
	F(key, "key", STRING, RANGE(1, 253), .def = "\"kubeconfig\"", .doc = "Key in its data."),
};
#undef ROW_OF
static const struct schema secret_ref_schema =
    SCHEMA("KubeconfigReference", struct existing_secret_ref, secret_ref_fields);

#define ROW_OF struct existing_identity_ref
static const struct field identity_ref_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, RANGE(1, 253), .doc = "Name of the Secret."),
	F(key, "key", STRING, RANGE(1, 253), .def = "\"private_key\"", .doc = "Key in its data."),
	F(type, "type", STRING, .words = identity_words, .def = "\"GoogleApplicationCredentials\"",
	    .doc = "What sort of identity it holds; it has to suit the cluster's cloud."),
};
#undef ROW_OF
static const struct schema identity_ref_schema =
    SCHEMA("IdentityReference", struct existing_identity_ref, identity_ref_fields);

#define ROW_OF struct existing_cache
static const struct field existing_cache_fields[] = {
	F(storage_class_name, "storageClassName", STRING, RANGE(1, 253),
	    .doc = "A storage class on the cluster that many nodes can share."),
};
#undef ROW_OF
static const struct schema existing_cache_schema =
    SCHEMA("ExistingCache", struct existing_cache, existing_cache_fields);

#define ROW_OF struct cluster_existing
static const struct field existing_fields[] = {
	F(secret_ref, "secretRef", OBJECT, .flags = REQUIRED, .sub = &secret_ref_schema,
	    .doc = "Secret with the kubeconfig, in namespace modelplane-system."),
	F(identity_secret_ref, "identitySecretRef", OBJECT, .sub = &identity_ref_schema,
	    .doc = "Secret with a cloud identity to use with the kubeconfig, in the same namespace."),
	F(cache, "cache", OBJECT, .sub = &existing_cache_schema, .doc = "Storage for caches that the cluster brings."),
};
#undef ROW_OF
static const struct schema existing_schema =
    SCHEMA("ExistingCluster", struct cluster_existing, existing_fields);

#define ROW_OF struct cluster_cloud
#define REGION(key, text) \
	F(region, key, STRING, .flags = REQUIRED | IMMUTABLE, RANGE(1, 32), .doc = (text))
#define VERSION(value) F(kubernetes_version, "kubernetesVersion", STRING, .def = (value), .doc = "Kubernetes version.")
#define CREDENTIALS F(credentials, "credentials", OBJECT, .sub = &credentials_ref_schema, \
	    .doc = "Credential config that signs the cloud's calls; absent means the cluster-wide one called default.")
static const struct field gke_fields[] = {
	REGION("region", "GCP region, such as us-central1."),
	VERSION("\"1.35\""),
	CREDENTIALS,
};
static const struct schema gke_schema = SCHEMA("GKESource", struct cluster_cloud, gke_fields);

static const struct field eks_fields[] = {
	REGION("region", "AWS region, such as us-west-2."),
	VERSION("\"1.36\""),
	CREDENTIALS,
};
static const struct schema eks_schema = SCHEMA("EKSSource", struct cluster_cloud, eks_fields);

static const struct field aks_fields[] = {
	REGION("location", "Azure region, such as eastus2."),
	VERSION("\"1.34\""),
	CREDENTIALS,
};
static const struct schema aks_schema = SCHEMA("AKSSource", struct cluster_cloud, aks_fields);

static const struct field nebius_fields[] = {
	VERSION("\"1.34\""),
	CREDENTIALS,
};
static const struct schema nebius_schema = SCHEMA("NebiusSource", struct cluster_cloud, nebius_fields);

static const struct field vultr_fields[] = {
	REGION("region", "Vultr region, such as ewr."),
	VERSION("\"v1.36.1+3\""),
	CREDENTIALS,
};
static const struct schema vultr_schema = SCHEMA("VultrSource", struct cluster_cloud, vultr_fields);
#undef REGION
#undef VERSION
#undef CREDENTIALS
#undef ROW_OF

#define ROW_OF struct cluster_where
static const struct field where_fields[] = {
	F(source, "source", ENUM, .flags = REQUIRED | IMMUTABLE, .words = cluster_source_words,
	    .doc = "The cloud that runs the cluster, or Existing for one that is brought along."),
	F(existing, "existing", OBJECT, .sub = &existing_schema, .doc = "How to reach a cluster that is already there."),
	F(gke, "gke", OBJECT, .sub = &gke_schema, .doc = "Settings on GKE."),
	F(eks, "eks", OBJECT, .sub = &eks_schema, .doc = "Settings on EKS."),
	F(aks, "aks", OBJECT, .sub = &aks_schema, .doc = "Settings on AKS."),
	F(nebius, "nebius", OBJECT, .sub = &nebius_schema,
	    .doc = "Settings on Nebius, may be {}; the credential config decides project and region."),
	F(vultr, "vultr", OBJECT, .sub = &vultr_schema, .doc = "Settings on Vultr."),
};
#undef ROW_OF
static const struct schema where_schema = SCHEMA("ClusterSource", struct cluster_where, where_fields);

#define ROW_OF struct placement_metadata
static const struct field placement_metadata_fields[] = {
	F(labels, "labels", MAP, AT_MOST(16), ITEMS_OF(0, 63), RULES(label_rules),
	    .doc = "Labels put on each replica and endpoint that runs here."),
};
#undef ROW_OF
static const struct schema placement_metadata_schema =
    SCHEMA("PlacementMetadata", struct placement_metadata, placement_metadata_fields);

#define ROW_OF struct cluster_placement
static const struct field placement_fields[] = {
	F(metadata, "metadata", OBJECT, .sub = &placement_metadata_schema, .doc = "What is passed on."),
};
#undef ROW_OF
static const struct schema placement_schema =
    SCHEMA("Placement", struct cluster_placement, placement_fields);

#define ROW_OF struct cluster_gateway
static const struct field gateway_fields[] = {
	F(hostname, "hostname", STRING, RANGE(1, 253), RULES(hostname_rules),
	    .doc = "DNS name that you point at the gateway's address."),
};
#undef ROW_OF
static const struct schema gateway_schema =
    SCHEMA("ClusterGateway", struct cluster_gateway, gateway_fields);

#define ROW_OF struct cluster_taint
static const struct field taint_fields[] = {
	F(key, "key", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Key that deployments tolerate."),
	F(value, "value", STRING, .doc = "Value that goes with the key."),
	F(effect, "effect", ENUM, .flags = REQUIRED, .words = effect_words,
	    .doc = "NoSchedule keeps new replicas away; NoExecute also moves those that are here."),
};
#undef ROW_OF
static const struct schema taint_schema = SCHEMA("ClusterTaint", struct cluster_taint, taint_fields);

#define ROW_OF struct capacity_block
static const struct field capacity_block_fields[] = {
	F(capacity_reservation_id, "capacityReservationId", STRING, .flags = REQUIRED, RANGE(4, 64),
	    .pattern = "^cr-[0-9a-f]+$", .doc = "Id of the reservation."),
};
#undef ROW_OF
static const struct schema capacity_block_schema =
    SCHEMA("CapacityBlock", struct capacity_block, capacity_block_fields);

#define ROW_OF struct infiniband
static const struct field infiniband_fields[] = {
	F(fabric, "fabric", STRING, .flags = REQUIRED, RANGE(1, 63), .doc = "Id of a fabric that exists, on Nebius."),
};
#undef ROW_OF
static const struct schema infiniband_schema = SCHEMA("InfiniBand", struct infiniband, infiniband_fields);

#define ROW_OF struct pool_fabric
static const struct field fabric_fields[] = {
	F(type, "type", ENUM, .words = fabric_words, .def = "\"None\"",
	    .doc = "None is TCP; EFA exists on EKS, InfiniBand on Nebius and AKS."),
	F(infiniband, "infiniband", OBJECT, .sub = &infiniband_schema, .doc = "Which InfiniBand fabric, on Nebius."),
};
#undef ROW_OF
static const struct schema fabric_schema = SCHEMA("PoolFabric", struct pool_fabric, fabric_fields);

#define ROW_OF struct node_pool
static const struct field pool_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, AT_MOST(40),
	    .doc = "Pool name, also the value of the nodes' label modelplane.ai/pool."),
	F(class_name, "className", STRING, .flags = REQUIRED, RANGE(1, 253), .doc = "InferenceClass of the nodes."),
	F(node_count, "nodeCount", INT, AT_LEAST(0), .def = "1", .doc = "Nodes to begin with, or for ever in a fixed pool."),
	F(min_node_count, "minNodeCount", INT, AT_LEAST(0), .doc = "Fewest nodes."),
	F(max_node_count, "maxNodeCount", INT, AT_LEAST(1), .doc = "Most nodes; what scheduling counts with."),
	F(zones, "zones", LIST, .doc = "Zones that the nodes may be in; GKE and EKS need them."),
	F(capacity_block, "capacityBlock", OBJECT, .sub = &capacity_block_schema,
	    .doc = "Capacity Block that the nodes come from, on EKS."),
	F(fabric, "fabric", OBJECT, .sub = &fabric_schema, RULES(fabric_rules), .doc = "Network between the nodes; absent is TCP."),
};
#undef ROW_OF
static const struct schema pool_schema = SCHEMA("NodePool", struct node_pool, pool_fields);

#define ROW_OF struct inference_cluster_spec
static const struct field spec_fields[] = {
	F(cluster, "cluster", OBJECT, .flags = REQUIRED, .sub = &where_schema, RULES(cluster_rules),
	    .doc = "Where the Kubernetes cluster comes from."),
	F(stack, "stack", ENUM, .flags = IMMUTABLE, .words = stack_words, .def = "\"Standard\"", RULES(stack_rules),
	    .doc = "Serving layer: Standard with LeaderWorkerSet, Dynamo with Grove and KAI."),
	F(placement, "placement", OBJECT, .sub = &placement_schema, .doc = "Facts about where the cluster is."),
	F(gateway, "gateway", OBJECT, .sub = &gateway_schema, .doc = "The cluster's inference gateway."),
	F(taints, "taints", LIST, .keys = taint_keys, .sub = &taint_schema,
	    .doc = "Keep deployments away that do not tolerate them."),
	F(node_pools, "nodePools", LIST, RANGE(1, 8), .keys = name_keys, .sub = &pool_schema,
	    .doc = "GPU pools; the system pool comes by itself."),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema spec_schema =
    SCHEMA("InferenceClusterSpec", struct inference_cluster_spec, spec_fields);

#define ROW_OF struct device_capacity
static const struct field seen_capacity_fields[] = {
	F(value, "value", STRING, .flags = REQUIRED, AT_MOST(32), .doc = "The quantity."),
};
#undef ROW_OF
static const struct schema seen_capacity_schema =
    SCHEMA("PoolDeviceCapacity", struct device_capacity, seen_capacity_fields);

#define ROW_OF struct device_status
static const struct field seen_device_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, AT_MOST(63), .doc = "Name of the entry in the class."),
	F(claim, "claim", ENUM, .words = device_claim_words, .doc = "How it is claimed."),
	F(driver, "driver", STRING, .flags = REQUIRED, AT_MOST(253), .doc = "Its driver."),
	F(device_class_name, "deviceClassName", STRING, AT_MOST(253), .doc = "Its DeviceClass."),
	F(count, "count", INT, .doc = "How many a node has."),
	F(attributes, "attributes", MAPOF, AT_MOST(32), .sub = &device_attribute_schema, .doc = "Its facts."),
	F(capacity, "capacity", MAPOF, AT_MOST(32), .sub = &seen_capacity_schema, .doc = "Its quantities."),
};
#undef ROW_OF
static const struct schema seen_device_schema =
    SCHEMA("PoolDevice", struct device_status, seen_device_fields);

#define ROW_OF struct gpu_pool_status
static const struct field gpu_pool_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, .doc = "Pool name."),
	F(nodes, "nodes", INT, .doc = "Nodes that scheduling counts with."),
	F(devices, "devices", LIST, AT_MOST(16), .keys = name_keys, .sub = &seen_device_schema,
	    .doc = "What a node has, copied from the class."),
};
#undef ROW_OF
static const struct schema gpu_pool_schema =
    SCHEMA("GPUPool", struct gpu_pool_status, gpu_pool_fields);

#define ROW_OF struct provider_config_name
static const struct field config_name_fields[] = {
	F(name, "name", STRING, .doc = "Its name."),
};
#undef ROW_OF
static const struct schema config_name_schema =
    SCHEMA("ConfigName", struct provider_config_name, config_name_fields);

#define ROW_OF struct cluster_gateway_status
static const struct field gateway_status_fields[] = {
	F(address, "address", STRING, .doc = "External address or DNS name."),
	F(hostname, "hostname", STRING, .doc = "The wanted DNS name, once there is an address."),
};
#undef ROW_OF
static const struct schema gateway_status_schema =
    SCHEMA("ClusterGatewayStatus", struct cluster_gateway_status, gateway_status_fields);

#define ROW_OF struct inference_cluster_status
static const struct field status_fields[] = {
	CONDITIONS_FIELD,
	F(provider_config_ref, "providerConfigRef", OBJECT, .sub = &config_name_schema,
	    .doc = "Config through which replicas and caches reach the cluster."),
	F(gateway, "gateway", OBJECT, .sub = &gateway_status_schema, .doc = "The cluster's inference gateway."),
	F(cache, "cache", OBJECT, .sub = &cache_status_schema, .doc = "Shared storage for caches."),
	F(gpu_pools, "gpuPools", LIST, AT_MOST(8), .keys = name_keys, .sub = &gpu_pool_schema,
	    .doc = "What scheduling may use."),
	F(ns, "namespace", STRING, .doc = "Namespace of the internal objects."),
};
#undef ROW_OF
static const struct schema status_schema =
    SCHEMA("InferenceClusterStatus", struct inference_cluster_status, status_fields);

#define ROW_OF struct inference_cluster
static const struct field object_fields[] = {
	OBJECT_FIELDS,
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &spec_schema, RULES(spec_rules), .doc = "What is wanted."),
	F(status, "status", OBJECT, .sub = &status_schema, .doc = "What was observed."),
};
#undef ROW_OF
const struct schema inference_cluster_schema =
    SCHEMA("InferenceCluster", struct inference_cluster, object_fields);

static const struct column_def columns[] = {
	{ "SOURCE", ".spec.cluster.source", "string" },
	{ "GATEWAY", ".status.gateway.address", "string" },
	FRAMEWORK_COLUMNS,
};
/* clang-format on */

const struct kind inference_cluster_kind = {
	.group = GROUP_USER,
	.version = "v1alpha1",
	.kind = "InferenceCluster",
	.plural = "inferenceclusters",
	.singular = "inferencecluster",
	.shorts = shorts,
	.categories = modelplane_categories,
	.flags = KIND_RECONCILED | KIND_STATUS,
	.schema = &inference_cluster_schema,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.doc = "A Kubernetes cluster for model serving, made in a cloud or brought along.",
};

const struct cluster_cloud *
cluster_cloud_get(const struct cluster_where *where)
{
	const struct cluster_cloud *const clouds[] = {
		[SOURCE_GKE] = &where->gke,
		[SOURCE_EKS] = &where->eks,
		[SOURCE_AKS] = &where->aks,
		[SOURCE_NEBIUS] = &where->nebius,
		[SOURCE_VULTR] = &where->vultr,
	};

	if (where->source < 0 || (size_t)where->source >= ARRAY_LEN(clouds))
		return NULL;
	return clouds[where->source];
}
