#ifndef BACKEND_SIM_CLUSTER_CLAIMS_H
#define BACKEND_SIM_CLUSTER_CLAIMS_H

/*
 * The devices of one simulated cluster and who holds them: what its scheduler and its workload
 * (cluster_claims.c, cluster_workload.c) share. Everything lives in the arena of the round and
 * borrows from its trees.
 */

#include "backend/sim/cluster_int.h"

/* One ResourceSlice of a node. */
struct slice {
	struct str node, driver, pool;
	const struct node **devices;
	bool *taken;
	size_t n;
};

/* What a node has of all its slices. */
struct host {
	struct slice *slices; /* adjacent in `slices` of the view */
	size_t nslices;
	size_t ndevices, nfree;
};

struct devices {
	struct node *claims;  /* all of the cluster's */
	struct node *classes; /* DeviceClasses */
	struct slice *slices; /* by node, of nodes that take pods */
	size_t nslices;
	struct host *hosts; /* by name */
	size_t nhosts;
};

/* Reads what there is; false when the arena is full. `claims` is the list of all claims. */
bool devices_read(struct round *r, struct node *claims, struct devices *ret);
bool claim_is_allocated(const struct node *claim);
/* Whether a device answers to a CEL expression; false for one that is not understood. */
bool device_matches(const struct node *device, struct str driver, struct str expression);

#endif
