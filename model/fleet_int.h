#ifndef MODEL_FLEET_INT_H
#define MODEL_FLEET_INT_H

/*
 * Inside the builder of snapshots: what its files share.
 *
 *   fleet_build.c    indexes, header, clusters in order
 *   fleet_cluster.c  one cluster: state, pools, sums
 *   fleet_tree.c     one cluster's resources and steps
 *   fleet_rest.c     classes, caches, GPU types, events, what is urgent
 */

#include <stdatomic.h>

#include "model/fleet_build.h"

struct fleet_holder {
	struct fleet fleet; /* first: fleet_unref finds the holder by it */
	atomic_uint refs;
	struct arena *arena; /* holds the holder too */
};

/* Texts that repeat are kept once. */
struct intern {
	struct str *slots; /* open addressing, a power of two; p NULL: free */
	size_t nslots, nused;
};

/* Indexes into the source by the uid or name that others refer to by; sorted. */
struct fleet_index {
	struct str key;
	size_t at;
};

struct fleet_builder {
	const struct fleet_source *src;
	struct arena *a;
	struct fleet *f;
	struct intern intern;
	struct fleet_index *externals; /* by owner uid, then order in the plan */
	struct fleet_index *providers; /* by owner uid */
	struct fleet_index *stacks;    /* by owner uid */
	struct fleet_index *children;  /* by their own uid: providers, then stacks */
	struct fleet_index *seen;      /* by cluster */
	struct fleet_index *classes;   /* by name */
	struct fleet_index *blockers;  /* by cluster */
	struct fleet_index *retries;   /* by "Kind/name" is not kept: by name */
	struct fleet_cluster *clusters;
	struct fleet_pool *pools;
	size_t npools;
};

/* One cluster while it is built. */
struct fleet_work {
	struct fleet_builder *b;
	const struct inference_cluster *in;
	struct fleet_cluster *out;
	const struct fleet_provider *provider; /* or NULL */
	const struct serving_stack *stack;     /* or NULL */
	const struct fleet_seen *seen;	       /* or NULL */
	size_t nreplicas;
};

/* Display text, interned. */
struct str fleet_text(struct fleet_builder *b, struct str s);
struct str fleet_textf(struct fleet_builder *b, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The first index with that key, or n. */
size_t fleet_index_find(const struct fleet_index *index, size_t n, struct str key);
const struct inference_class *fleet_class_find(struct fleet_builder *b, struct str name);

void fleet_cluster_build(struct fleet_work *w);
void fleet_tree_build(struct fleet_work *w);
void fleet_rest_build(struct fleet_builder *b);
/* "H100" of "nvidia-h100"; the label itself when it says nothing shorter. */
struct str fleet_accelerator(struct fleet_builder *b, struct str label);
struct str fleet_class_memory(struct fleet_builder *b, const struct inference_class *c);
int64_t fleet_class_gpus(const struct inference_class *c); /* -1 unknown */

#endif
