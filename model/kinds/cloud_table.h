#ifndef MODEL_KINDS_CLOUD_TABLE_H
#define MODEL_KINDS_CLOUD_TABLE_H

/*
 * Rows that the tables of the provider clusters share. Only for model/kinds.
 */

#include "model/kinds/provider_clusters.h"
#include "model/kinds/table.h"

/* clang-format off */
#define POOL_NAME \
	F(name, "name", STRING, .flags = REQUIRED | IMMUTABLE, RANGE(1, 40), .doc = "Pool name.")
#define POOL_ROLE \
	F(role, "role", ENUM, .flags = REQUIRED, .words = pool_role_words, \
	    .doc = "System for controllers and gateways, GPU for inference.")
#define POOL_MACHINE(key, text) \
	F(machine, key, STRING, .flags = REQUIRED | IMMUTABLE, RANGE(1, 63), .doc = (text))
#define POOL_DISK \
	F(disk_gb, "diskSizeGb", INT, RANGE(10, 65536), .def = "100", .doc = "Boot disk in GB.")
#define POOL_COUNT(member, key, lo, value, text) \
	F(member, key, INT, RANGE(lo, 1000), .def = (value), .doc = (text))
#define POOL_ZONES \
	F(zones, "zones", LIST, RANGE(1, 8), ITEMS_OF(1, 63), .doc = "Zones that the nodes may be in; GPU pools need them.")
#define POOL_GPU(schema) \
	F(gpu, "gpu", OBJECT, .sub = &(schema), .doc = "Facts about the GPU; every GPU pool has them.")
#define GPU_TYPE \
	F(accelerator_type, "acceleratorType", STRING, .flags = REQUIRED, RANGE(1, 63), \
	    .doc = "Kind of GPU; value of the nodes' GPU label.")

#define CLUSTER_REGION(text) \
	F(region, "region", STRING, .flags = REQUIRED | IMMUTABLE, RANGE(1, 32), .doc = (text))
#define CLUSTER_VERSION(value, text) \
	F(kubernetes_version, "kubernetesVersion", STRING, RANGE(1, 16), .def = (value), .doc = (text))
#define CLUSTER_CREDENTIALS \
	F(credentials, "credentials", OBJECT, .sub = &credentials_ref_schema, \
	    .doc = "Credential config that signs the cloud's calls; absent means the cluster-wide one called default.")
#define CLUSTER_POOLS(schema, rule_table) \
	F(node_pools, "nodePools", LIST, .flags = REQUIRED, RANGE(1, 8), .keys = name_keys, .sub = &(schema), \
	    ITEM_RULES(rule_table), .doc = "Pools to make beside the built-in system pool.")

#define SECRET_TYPE(list) \
	F(type, "type", STRING, .flags = REQUIRED, .words = (list), .doc = "What the Secret holds.")
#define SECRET_NAME_AND_KEY \
	F(name, "name", STRING, .flags = REQUIRED, AT_MOST(253), .doc = "Name of the Secret."), \
	F(key, "key", STRING, .flags = REQUIRED, AT_MOST(253), .doc = "Key in its data.")
#define STATUS_SECRETS(schema) \
	F(secrets, "secrets", LIST, .sub = &(schema), .doc = "Secrets that reach the new cluster.")
#define STATUS_CACHE \
	F(cache, "cache", OBJECT, .sub = &cache_status_schema, .doc = "Shared storage for caches.")

#define CLUSTER_OBJECT(spec_of, status_of) \
	OBJECT_FIELDS, \
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &(spec_of), .doc = "What is wanted."), \
	F(status, "status", OBJECT, .sub = &(status_of), .doc = "What was observed.")
/* clang-format on */

#endif
