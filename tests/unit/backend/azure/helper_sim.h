#ifndef TESTS_UNIT_BACKEND_AZURE_HELPER_SIM_H
#define TESTS_UNIT_BACKEND_AZURE_HELPER_SIM_H

/*
 * The Azure provider against the flight simulator in one process: real requests over TLS, time that
 * moves only by later(). A provider "kube" that always agrees stands for the cluster's own parts.
 */

#include "backend/compose/compose.h"
#include "backend/providers/azure/azure.h"
#include "backend/runtime/clock.h"
#include "model/compose/aks.h"

enum compose_goal { GOAL_KEEP, GOAL_DELETE };

struct sim;

struct flight {
	struct sim *sim;
	struct clock *clock;
	struct store *store;
	struct compose *compose;
	struct arena *arena;
	void *azure; /* state, for counts */
	struct compose_result result;
	char dir[64];
};

/* faults: of the simulator, or NULL; certificate: sign in with one. */
void flight_open(struct flight *f, const char *faults, bool certificate);
void flight_close(struct flight *f);
/* The engine anew over the same store, as after a crash. */
void flight_restart(struct flight *f);
void later(struct flight *f, int64_t ms);

/* Stores an AKSCluster with these pools (JSON list) and returns a reference. */
const struct object *flight_cluster(struct flight *f, const char *name, const char *version,
    const char *pools);
/* One pass; asserts that it went on. */
void flight_pass(struct flight *f, const struct object *owner, enum compose_goal goal);
/* The same, but the pass may fail: then the engine is made anew, as after a crash. */
bool flight_try(struct flight *f, const struct object *owner, enum compose_goal goal);
/* Passes with the waits they ask for, until steady; at most `limit_ms` of the clock. */
void flight_settle(struct flight *f, const struct object *owner, int64_t limit_ms);
void flight_settle_gone(struct flight *f, const struct object *owner, int64_t limit_ms);
/* Acting requests since the last call. */
unsigned long flight_acted(struct flight *f);
unsigned long flight_reads(struct flight *f); /* likewise, without sign-in */

const struct external *flight_external(struct flight *f, const char *key);

#define POOL(name, min, max)                                                                       \
	"{\"name\":\"" name "\",\"role\":\"GPU\",\"vmSize\":\"Standard_NC24ads_A100_v4\","          \
	"\"nodeCount\":1,\"minNodeCount\":" #min ",\"maxNodeCount\":" #max                         \
	",\"gpu\":{\"acceleratorType\":\"nvidia-a100\"}}"

#endif
