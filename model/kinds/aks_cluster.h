#ifndef MODEL_KINDS_AKS_CLUSTER_H
#define MODEL_KINDS_AKS_CLUSTER_H

/*
 * AKSCluster: one AKS cluster with its own resource group and network (spec/resources.md 6).
 *
 * Ownership: borrows from the arena of schema_decode. Threads: pure.
 */

#include "model/kinds/meta.h"

enum aks_fabric { AKS_FABRIC_NONE, AKS_FABRIC_INFINIBAND };

struct aks_pool {
	bool present;
	struct str name;
	int role; /* enum pool_role */
	struct str vm_size;
	struct opt_int disk_gb;
	struct opt_int node_count, min_node_count, max_node_count;
	struct list zones; /* struct str */
	struct aks_gpu {
		bool present;
		struct str accelerator_type;
	} gpu;
	int fabric; /* enum aks_fabric */
};

struct aks_cluster_spec {
	bool present;
	struct str location;
	struct str kubernetes_version;
	struct credentials_ref credentials;
	struct aks_networking {
		bool present;
		struct str vnet_cidr, subnet_cidr;
	} networking;
	struct list node_pools; /* struct aks_pool */
	const struct node *crossplane;
};

struct aks_cluster_status {
	bool present;
	struct list conditions; /* struct condition */
	struct list secrets;	/* struct secret_entry */
	struct cache_status cache;
};

struct aks_cluster {
	struct str api_version, kind;
	struct meta meta;
	struct aks_cluster_spec spec;
	struct aks_cluster_status status;
};

extern const struct schema aks_cluster_schema;
extern const struct kind aks_cluster_kind;

#endif
