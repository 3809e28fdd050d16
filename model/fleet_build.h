#ifndef MODEL_FLEET_BUILD_H
#define MODEL_FLEET_BUILD_H

/*
 * Builds one snapshot of the fleet from decoded objects and observations: pure, so that every state
 * of a screen can be made in a test. The result copies all that it shows, display-cleaned.
 *
 * Ownership: the source is borrowed for the call; the fleet is the caller's reference.
 * Threads: pure. Failure: no memory; nothing is returned then.
 */

#include "model/capacity.h"
#include "model/fleet.h"
#include "model/kinds/event.h"
#include "model/kinds/external.h"
#include "model/kinds/inference_cluster.h"
#include "model/kinds/serving_stack.h"

enum { FLEET_EVENTS_MAX = 5000, FLEET_URGENT_MAX = 50, FLEET_ARENA_MAX = 1024 * 1024 * 1024 };

/* A provider cluster of any kind, as far as all are alike. */
struct fleet_provider {
	struct str kind, name, uid, owner_uid;
	int64_t created_ms, deleted_ms;
	const struct list *conditions; /* struct condition */
	struct str storage_class;
};

/* What a workload cluster said about itself. */
struct fleet_storage {
	struct str name, provisioner, mode, parameters;
	int64_t volumes, bytes; /* -1 unknown */
};

struct fleet_seen {
	struct str cluster;
	int64_t observed_ms; /* wall clock of the last good look, 0 never */
	struct str problem;  /* why the last look failed; empty when it did not */
	const struct capacity_node *nodes;
	size_t nnodes;
	const struct fleet_storage *storage;
	size_t nstorage;
};

struct fleet_blocker {
	struct str cluster;
	struct str text; /* "ModelReplica ml-team/qwen-0" */
	bool replica;
};

/* When a controller comes back to an object. */
struct fleet_retry {
	struct str kind, name;
	int64_t next_ms; /* wall clock */
	int64_t failures;
};

struct fleet_source {
	const struct inference_cluster *const *clusters;
	size_t nclusters;
	const struct inference_class *const *classes;
	size_t nclasses;
	const struct fleet_provider *providers;
	size_t nproviders;
	const struct serving_stack *const *stacks;
	size_t nstacks;
	const struct external *const *externals;
	size_t nexternals;
	const struct event_object *const *events;
	size_t nevents;
	const struct fleet_seen *seen;
	size_t nseen;
	const struct fleet_blocker *blockers;
	size_t nblockers;
	const struct fleet_retry *retries;
	size_t nretries;
	uint64_t revision;
	int64_t now_ms;
	int64_t lost_ms; /* when the connection went; 0 while there is one */
	int64_t stale_after_ms; /* an observation older than this is stale; 0: never */
	struct str profile, context, owner;
	bool practice, prod, read_only, connected;
};

bool fleet_build(
    const struct fleet_source *src, const struct fleet **ret_fleet, struct error *err) MUST_CHECK;

#endif
