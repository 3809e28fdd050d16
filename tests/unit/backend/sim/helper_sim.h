#ifndef TESTS_HELPER_SIM_H
#define TESTS_HELPER_SIM_H

/*
 * A simulator without sockets and with frozen time, in a directory of its own; requests are handed
 * to it directly. One a test program at a time.
 */

#include "backend/sim/sim_int.h"

struct fixture {
	char dir[64];
	struct sim *sim;
	int64_t now_ms;
	char *token; /* "Bearer ..." */
	struct arena *a;
	/* the last answer */
	int status;
	bool dropped;
	struct node *body; /* NULL without JSON */
	struct str headers;
	struct arm_answer raw;
};

void fixture_start(struct fixture *f, const char *faults);
void fixture_stop(struct fixture *f);
/* Ends it and starts it again on the same directory. */
void fixture_restart(struct fixture *f, const char *faults);
/* Lets simulated time pass. */
void fixture_pass(struct fixture *f, int64_t seconds);

struct ask {
	const char *method;
	const char *path; /* below the subscription: "/resourceGroups/g" */
	const char *version;
	const char *body;
	const char *if_match, *if_none_match;
	const char *content_type; /* NULL: JSON when there is a body */
	const char *token;	  /* NULL: the fixture's */
	const char *query;	  /* more of the query */
};

void fixture_ask(struct fixture *f, const struct ask *ask);
/* error.code, with or without the wrapper; "" when there is none. */
struct str fixture_code(const struct fixture *f);
struct str fixture_header(const struct fixture *f, const char *name);

/* A group, network, cluster "k" and pool "gpua10", each Succeeded. */
void fixture_group(struct fixture *f);
void fixture_network(struct fixture *f);
void fixture_cluster(struct fixture *f);
void fixture_pool(struct fixture *f);
const char *fixture_subnet(struct fixture *f);
const char *fixture_cluster_body(struct fixture *f, const char *version);
const char *fixture_pool_body(struct fixture *f, const char *more);

#define MC    "/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/k"
#define VNET  "/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v"
#define V_AKS "2026-08-01"
#define V_NET "2026-03-01"
#define V_RES "2025-04-01"

#endif
