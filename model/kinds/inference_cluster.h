#ifndef MODEL_KINDS_INFERENCE_CLUSTER_H
#define MODEL_KINDS_INFERENCE_CLUSTER_H

/*
 * InferenceCluster: a Kubernetes cluster for model serving, provisioned or brought along
 * (spec/resources.md 4).
 *
 * Ownership: borrows from the arena of schema_decode. Threads: pure.
 */

#include "model/kinds/inference_class.h"
#include "model/kinds/meta.h"

enum cluster_source {
	SOURCE_GKE,
	SOURCE_EKS,
	SOURCE_AKS,
	SOURCE_NEBIUS,
	SOURCE_VULTR,
	SOURCE_EXISTING,
};

enum stack_type { STACK_STANDARD, STACK_DYNAMO };

enum taint_effect { TAINT_NO_SCHEDULE, TAINT_NO_EXECUTE };

enum fabric_type { FABRIC_NONE, FABRIC_EFA, FABRIC_INFINIBAND };

/* A cloud's block below spec.cluster; `region` is the location on AKS, absent on Nebius. */
struct cluster_cloud {
	bool present;
	struct str region;
	struct str kubernetes_version;
	struct credentials_ref credentials;
};

struct cluster_existing {
	bool present;
	struct existing_secret_ref {
		bool present;
		struct str name, key;
	} secret_ref;
	struct existing_identity_ref {
		bool present;
		struct str name, key;
		struct str type;
	} identity_secret_ref;
	struct existing_cache {
		bool present;
		struct str storage_class_name;
	} cache;
};

struct cluster_where {
	bool present;
	int source; /* enum cluster_source */
	struct cluster_existing existing;
	struct cluster_cloud gke, eks, aks, nebius, vultr;
};

struct cluster_taint {
	bool present;
	struct str key, value;
	int effect; /* enum taint_effect */
};

struct capacity_block {
	bool present;
	struct str capacity_reservation_id;
};

struct infiniband {
	bool present;
	struct str fabric;
};

struct pool_fabric {
	bool present;
	int type; /* enum fabric_type */
	struct infiniband infiniband;
};

struct node_pool {
	bool present;
	struct str name, class_name;
	struct opt_int node_count, min_node_count, max_node_count;
	struct list zones; /* struct str */
	struct capacity_block capacity_block;
	struct pool_fabric fabric;
};

struct inference_cluster_spec {
	bool present;
	struct cluster_where cluster;
	int stack; /* enum stack_type */
	struct cluster_placement {
		bool present;
		struct placement_metadata {
			bool present;
			struct strmap labels;
		} metadata;
	} placement;
	struct cluster_gateway {
		bool present;
		struct str hostname;
	} gateway;
	struct list taints;	/* struct cluster_taint */
	struct list node_pools; /* struct node_pool */
	const struct node *crossplane;
};

struct gpu_pool_status {
	bool present;
	struct str name;
	struct opt_int nodes;
	struct list devices; /* struct device_status */
};

struct device_status {
	bool present;
	struct str name, driver, device_class_name;
	int claim; /* enum device_claim; -1 when absent */
	struct opt_int count;
	struct list attributes; /* struct device_attribute */
	struct list capacity;	/* struct device_capacity */
};

struct inference_cluster_status {
	bool present;
	struct list conditions; /* struct condition */
	struct provider_config_name {
		bool present;
		struct str name;
	} provider_config_ref;
	struct cluster_gateway_status {
		bool present;
		struct str address, hostname;
	} gateway;
	struct cache_status cache;
	struct list gpu_pools; /* struct gpu_pool_status */
	struct str ns;	       /* status.namespace */
};

struct inference_cluster {
	struct str api_version, kind;
	struct meta meta;
	struct inference_cluster_spec spec;
	struct inference_cluster_status status;
};

extern const struct schema inference_cluster_schema;
extern const struct kind inference_cluster_kind;

/* Words of the enums, in their order, NULL-terminated. */
extern const char *const cluster_source_words[];
extern const char *const stack_words[];

/* The block that the source names; NULL for Existing and for a source that is absent. */
const struct cluster_cloud *cluster_cloud_get(const struct cluster_where *where);

#endif
