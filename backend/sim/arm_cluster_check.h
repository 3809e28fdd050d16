#ifndef BACKEND_SIM_ARM_CLUSTER_CHECK_H
#define BACKEND_SIM_ARM_CLUSTER_CHECK_H

/*
 * What AKS refuses of a cluster, and what it fills in. Sources: facts/azure.md 3.3, 4.4, 5.
 */

#include "backend/sim/arm.h"

struct cluster_check {
	struct node *body;	/* asked for */
	const struct node *old; /* what stands, or NULL */
	const struct location *location;
	struct str group, name;
	struct str version; /* result: the full version meant */
};

/* Sets k->version. */
bool cluster_check(struct arm_call *c, struct cluster_check *k);
/* The document, without pools: asked for, plus what the service fills in. */
struct node *cluster_filled(struct arm_call *c, const struct cluster_check *k);

#endif
