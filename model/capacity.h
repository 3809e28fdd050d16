#ifndef MODEL_CAPACITY_H
#define MODEL_CAPACITY_H

/*
 * Nodes and GPUs of a workload cluster, from what its API lists: Nodes, ResourceSlices (which
 * devices a driver publishes for a node) and ResourceClaims (which devices are given out).
 *
 * Unknown is -1: a node whose driver has published nothing has unknown GPUs, not none.
 *
 * Ownership: results live in the arena and borrow from the trees. Threads: pure.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/node.h"

struct arena;

#define CAPACITY_POOL_LABEL "modelplane.ai/pool"
#define CAPACITY_DRIVER	    "gpu.nvidia.com"

struct capacity_node {
	struct str name, pool;
	bool ready, cordoned;
	int64_t gpus;	 /* published devices, -1 unknown */
	int64_t claimed; /* of them given out, -1 unknown */
};

/* Lists of objects as the cluster's API gives them. */
struct capacity_lists {
	const struct node *nodes;
	const struct node *slices, *claims; /* NULL: GPUs are unknown */
	const char *const
	    *drivers; /* that count as GPU drivers, NULL-terminated; NULL: the one above */
};

bool capacity_read(struct arena *a, const struct capacity_lists *lists,
    struct capacity_node **ret_nodes, size_t *ret_n, struct error *err) MUST_CHECK;

struct capacity_sum {
	int64_t nodes, nodes_ready;
	int64_t gpus, claimed; /* of ready nodes; -1 when no node's are known */
	int64_t nodes_free;    /* ready, not cordoned, known, and no device given out */
	bool partial;	       /* some nodes' GPUs are unknown */
};

/* Over the nodes of one pool; an empty pool name sums all of them. */
struct capacity_sum capacity_sum(const struct capacity_node *nodes, size_t n, struct str pool);

#endif
