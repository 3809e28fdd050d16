#ifndef MODEL_KINDS_PROVIDER_CLUSTERS_H
#define MODEL_KINDS_PROVIDER_CLUSTERS_H

/*
 * GKECluster, EKSCluster, NebiusCluster and VultrCluster: one managed cluster in its cloud
 * (spec/resources.md 7 to 10). AKSCluster has a header of its own.
 *
 * Ownership: borrows from the arena of schema_decode. Threads: pure.
 */

#include "model/kinds/inference_cluster.h"
#include "model/kinds/meta.h"

/* GPU facts of a pool; the last two are GKE's and Nebius's. */
struct cloud_gpu {
	bool present;
	struct str accelerator_type;
	struct opt_int accelerator_count;
	struct str drivers_preset;
};

/* A pool in a cloud; `machine` is machineType, instanceType, platform or plan. */
struct cloud_pool {
	bool present;
	struct str name;
	int role; /* enum pool_role */
	struct str machine;
	struct str preset; /* Nebius */
	struct opt_int disk_gb;
	struct opt_int node_count, min_node_count, max_node_count;
	struct cloud_gpu gpu;
	struct capacity_block capacity_block; /* EKS */
	struct list zones;		      /* struct str */
	struct str eks_fabric;		      /* "None", "EFA" */
	struct nebius_fabric {
		bool present;
		struct str type; /* "None", "InfiniBand" */
		struct infiniband infiniband;
	} nebius_fabric;
};

struct gke_networking {
	bool present;
	struct str pod_cidr, service_cidr, node_cidr;
};

struct eks_networking {
	bool present;
	struct str vpc_cidr;
	struct list subnet_cidrs; /* struct str */
};

struct cloud_cluster_spec {
	bool present;
	struct str region; /* absent on Nebius */
	struct str kubernetes_version;
	struct credentials_ref credentials;
	struct gke_networking gke_networking;
	struct eks_networking eks_networking;
	struct list node_pools; /* struct cloud_pool */
	const struct node *crossplane;
};

struct cloud_cluster_status {
	bool present;
	struct list conditions;	   /* struct condition */
	struct list secrets;	   /* struct secret_entry */
	struct cache_status cache; /* absent on Vultr */
};

struct cloud_cluster {
	struct str api_version, kind;
	struct meta meta;
	struct cloud_cluster_spec spec;
	struct cloud_cluster_status status;
};

extern const struct kind gke_cluster_kind;
extern const struct kind eks_cluster_kind;
extern const struct kind nebius_cluster_kind;
extern const struct kind vultr_cluster_kind;

#endif
