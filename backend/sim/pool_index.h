#ifndef BACKEND_SIM_POOL_INDEX_H
#define BACKEND_SIM_POOL_INDEX_H

/*
 * What every pool uses: its machines for the quota, its subnet for whoever wants to delete that. A
 * small copy of the pools' documents, so that a request does not read all of them; read anew from
 * the state whenever a transaction was rolled back.
 *
 * Ownership: pool_index_fini. Threads: the arm lock is held for all of it.
 */

#include "backend/sim/arm.h"

struct pool_use {
	char *key;    /* "group/cluster/pool" */
	char *subnet; /* ARM id, may be empty */
	const struct location *at;
	const struct vm_size *size;
	long nodes; /* that count: asked for, or present when the pool has failed */
};

struct pool_index {
	struct pool_use *items;
	size_t n, cap;
	bool built;
};

/* Follows one write; without memory the index is forgotten. */
void pool_index_put(struct sim *s, struct str key, const struct node *doc);
void pool_index_drop(struct sim *s, struct str key);
void pool_index_forget(struct sim *s);
/* Builds it when needed; answers 500 and gives NULL when that fails. */
const struct pool_index *pool_index_get(struct arm_call *c);
void pool_index_fini(struct pool_index *ix);

#endif
