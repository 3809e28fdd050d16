#ifndef MODEL_COMPOSE_CLUSTER_H
#define MODEL_COMPOSE_CLUSTER_H

/*
 * What an InferenceCluster is turned into: its provider cluster, the access config, the serving
 * stack, the guards; and what its status says (spec/reconcile.md 3). A pure function of the spec,
 * its classes and the children as they are now.
 *
 * A pass that cannot go on (no block for the source, a class missing) says `hold`: what exists is
 * left untouched and the old status fields stay, only the conditions change.
 *
 * Ownership: results live in the arena and borrow from the inputs. Threads: pure.
 */

#include "model/kinds/inference_cluster.h"

enum { CLUSTER_CHILDREN_MAX = 8, CLUSTER_CONDITIONS_MAX = 2 };

struct cluster_class {
	const struct inference_class *decoded; /* by its own name */
	const struct node *devices;	       /* spec.devices of the defaulted tree, or NULL */
};

struct cluster_input {
	const struct inference_cluster *cluster;
	const struct cluster_class *classes; /* those that were found */
	size_t nclasses;
	const struct node *provider; /* the provider cluster as it is, NULL when there is none */
	const struct node *stack;    /* the serving stack as it is, or NULL */
	size_t nreplicas;	     /* model replicas that name this cluster */
};

enum cluster_child_kind { CHILD_OBJECT, CHILD_ACCESS_CONFIG, CHILD_GUARD };

struct cluster_child {
	const char *key;
	enum cluster_child_kind kind;
	struct node *object; /* apiVersion, kind, metadata, spec; without owner references */
	bool ready;
};

struct cluster_condition {
	const char *type;
	enum condition_status status;
	const char *reason;
	struct str message;
};

struct cluster_result {
	struct cluster_child children[CLUSTER_CHILDREN_MAX];
	size_t nchildren;
	struct cluster_condition conditions[CLUSTER_CONDITIONS_MAX];
	size_t nconditions;
	struct node *status;	    /* without conditions; NULL: keep the old fields */
	bool hold;		    /* leave what exists as it is */
	bool ready;		    /* all wanted children are ready */
	const char *warning_reason; /* an event is due, NULL for none */
	struct str warning;
};

/* The provider kind of a source ("AKSCluster"); NULL for Existing. */
const char *cluster_provider_kind(int source);
struct str cluster_stack_name(struct arena *a, struct str cluster);
struct str cluster_access_name(struct arena *a, struct str cluster);

bool cluster_compose(struct arena *a, const struct cluster_input *in,
    struct cluster_result *ret_result, struct error *err) MUST_CHECK;

const struct cluster_child *cluster_child_find(const struct cluster_result *r, const char *key);

#endif
