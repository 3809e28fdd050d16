#ifndef BACKEND_SIM_RESOURCES_H
#define BACKEND_SIM_RESOURCES_H

/*
 * What the files of one resource type need from those of another. The arm lock is held.
 */

#include "backend/sim/arm.h"
#include "backend/sim/body.h"

/* groups */
bool check_tags(struct arm_call *c, const struct node *tags);
void group_make(struct arm_call *c, struct str name, const char *location, const struct node *tags,
    struct str managed_by);
void group_drop(struct arm_call *c, struct str key);
bool doc_lags(struct arm_call *c, const struct node *doc);

/* network: a subnet by its ARM id; *ret_vnet is its network's document */
struct node *subnet_by_id(struct arm_call *c, struct str id, struct node **ret_vnet);
/* IPv4 prefix "10.0.0.0/16": first address and length; false for other text. */
bool ipv4_range_parse(struct str text, uint32_t *ret_first, unsigned *ret_bits);
bool ipv4_range_overlap(struct str a, struct str b);
bool ipv4_range_contains(struct str outer, struct str inner);

/* clusters and pools; keys "group/cluster" and "group/cluster/pool" */
void cluster_drop(struct arm_call *c, struct str key);
void cluster_mark_deleting(struct arm_call *c, struct node *cluster);
struct node *pools_of(struct arm_call *c, struct str cluster_key); /* list of pool documents */
/* The cluster as answers show it, with its pools in agentPoolProfiles. */
struct node *cluster_shown(struct arm_call *c, const struct node *cluster);
struct str cluster_key_of(struct arm_call *c); /* of the path's {} 1 and 2 */
/* Loads the path's cluster or answers 404. */
struct node *cluster_of_path(struct arm_call *c);
/* 409 while an operation runs on the cluster, or on one of its pools (`pools`). */
bool check_cluster_idle(struct arm_call *c, const struct node *cluster, bool pools);
bool check_pool_idle(struct arm_call *c, const struct node *pool);
void etag_renew(struct arm_call *c, struct node *n); /* a cluster, or a pool's properties */

/* pools */
struct pool_check {
	const struct node *cluster; /* document of the cluster, or the body of a new one */
	const struct location *location;
	struct str cluster_version; /* full, of the control plane */
	const struct node *old;	    /* properties that stand, NULL for a new pool */
	struct node *properties;    /* those asked for */
	struct str name;
	const char *target;	   /* where errors point: "agentPoolProfile" */
	struct node **ret_outcome; /* set when the operation is to fail later */
};

bool pool_check(struct arm_call *c, const struct pool_check *check);
/* Fills in what the service fills in; `properties` is what was asked for. Returns the new ones. */
struct node *pool_filled(struct arm_call *c, const struct pool_check *check);
/* Saves a pool's document. */
bool pool_save(struct arm_call *c, struct str cluster_key, const struct node *cluster,
    struct str name, struct node *properties, struct str op);

/* quota and sizes */
struct need {
	const struct vm_size *size;
	const struct location *location;
	long nodes;	     /* that are asked for */
	struct str pool_key; /* whose present nodes do not count; may be empty */
	const char *target;
	bool zonal; /* zones are asked for */
};
/* Answers QuotaExceeded or SkuNotAvailable; with the late faults sets an outcome instead. */
bool check_quota(struct arm_call *c, const struct need *need, struct node **ret_outcome);
long vcpus_used(struct arm_call *c, const struct location *at, struct str family, struct str but);
long family_limit(struct arm_call *c, const struct family *f);

#endif
