#ifndef MODEL_FLEET_H
#define MODEL_FLEET_H

/*
 * The fleet as screens and printers read it: one immutable snapshot with everything derived and
 * named. It is built by the backend's snapshot thread (model/fleet.c holds the pure part) and
 * handed over by reference count; nobody writes to it after publication.
 *
 * Unknown is a state: a number that is not known is -1 and is shown as "-", never as 0. All texts
 * are display text (model/display.h has been applied) and borrow from the snapshot.
 *
 * Ownership: fleet_ref / fleet_unref. Threads: immutable; any thread may read.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/text.h"

/* What a row is about, in one mark and word (ux.md 3.2); the order is the sort weight. */
#define FLEET_STATES(X)                                                                            \
	X(BAD_POOL, "!!", "Bad pool", 1)                                                           \
	X(ERROR, "!!", "Error", 1)                                                                 \
	X(DEGRADED, "!!", "Degraded", 1)                                                           \
	X(DELETE_BLOCKED, "xx", "Del blocked", 1)                                                  \
	X(NEEDS_CLASS, "??", "Needs class", 2)                                                     \
	X(STALE, "??", "Stale", 2)                                                                 \
	X(UNKNOWN, "??", "Unknown", 2)                                                             \
	X(DELETING, "xx", "Deleting", 3)                                                           \
	X(DRAINING, "dr", "Draining", 4)                                                           \
	X(CREATING, "..", "Creating", 5)                                                           \
	X(INSTALLING, "..", "Installing", 5)                                                       \
	X(UPDATING, "..", "Updating", 5)                                                           \
	X(WAITING, "--", "Waiting", 5)                                                             \
	X(NEW, "--", "New", 5)                                                                     \
	X(CORDONED, "co", "Cordoned", 6)                                                           \
	X(DRAINED, "dr", "Drained", 7)                                                             \
	X(READY, "ok", "Ready", 9)

#define X(id, mark, word, weight) FLEET_##id,
enum fleet_state { FLEET_STATES(X) FLEET__MAX };
#undef X

const char *fleet_state_mark(enum fleet_state s);
const char *fleet_state_word(enum fleet_state s);
int fleet_state_weight(enum fleet_state s);

struct fleet_condition {
	struct str type, status, reason, message;
	int64_t since_ms;
};

/* One row of a resource tree: an object, or an external of its plan. */
struct fleet_resource {
	uint32_t depth;	   /* 0 for the cluster itself */
	struct str object; /* "InferenceCluster/aks-eu", "agent-pool/gpua10" */
	struct str kind;   /* "InferenceCluster", "agent-pool" */
	struct str name;
	struct str step; /* "network", "GPU pools", "stack" ... */
	struct str what; /* words for people */
	struct str version;
	enum fleet_state state;
	struct str word;    /* state in the cloud's or our words: "Creating", "deployed" */
	struct str message; /* last progress or error */
	struct str advice;
	struct str reason;
	struct str external_id;
	struct str waits_for;
	int64_t since_ms;    /* wall clock, 0 unknown */
	int64_t next_try_ms; /* wall clock, 0 when nothing is planned */
	int64_t attempts;
	bool synced, ready, blocking; /* blocking: on the critical path */
	bool external;
};

struct fleet_pool {
	uint32_t cluster; /* index in fleet.clusters */
	struct str cluster_name;
	struct str name, class_name, fabric, zones;
	struct str accelerator; /* "H100", as people say it; the label's value otherwise */
	struct str vm_size;
	struct str memory; /* a GPU, as the class declares it: "81559Mi"; empty unknown */
	int64_t nodes_ready, nodes_wanted, nodes_min, nodes_max; /* -1 unknown or unset */
	int64_t gpus_per_node;					 /* declared by the class */
	int64_t gpus_observed;					 /* from ResourceSlices */
	int64_t gpus_claimed;					 /* allocated by ResourceClaims */
	int64_t nodes_free; /* ready nodes without a claimed GPU */
	enum fleet_state state;
	struct str message;
	bool is_system;
};

struct fleet_cluster {
	struct str name, source, region, version, gateway, storage_class, stack;
	struct str provider_ref; /* "ClusterProviderConfig/default" */
	struct str labels;	 /* "a=b c=d" */
	struct str taints;	 /* "key=value:NoSchedule ..." or empty */
	enum fleet_state state;
	struct str message; /* what is wrong or waited for, one sentence */
	struct str advice;
	struct str reason;
	int64_t created_ms, state_since_ms, deleted_ms;
	int64_t generation;
	int64_t nodes_ready, nodes_wanted, gpus, gpus_claimed, gpus_free;
	int64_t steps_done, steps_total;
	struct str step;	     /* the present step: "GPU pools" */
	uint32_t first_pool, npools; /* in fleet.pools */
	const struct fleet_condition *conditions;
	size_t nconditions;
	const struct fleet_resource *tree;
	size_t ntree;
	int64_t observed_ms;	    /* when its cluster was last seen, 0 never */
	const struct str *blockers; /* what would block a delete now */
	size_t nblockers;
};

struct fleet_class {
	struct str name, provider, machine, accelerator, memory, description;
	int64_t gpus_per_node, used_by; /* pools */
	bool accepted;
};

struct fleet_cache {
	struct str cluster_name, class_name, provisioner, mode, parameters;
	enum fleet_state state;
	struct str message;
	int64_t volumes, bytes; /* -1 unknown */
};

struct fleet_event {
	int64_t last_ms, first_ms, count;
	bool warning;
	struct str cluster_name, object, reason, message, component;
};

struct fleet_gpu_type {
	struct str type, memory;
	int64_t gpus, claimed, free, nodes, nodes_free;
	struct str by_cluster; /* "aks-eu 8, aks-us 4" of free ones */
};

/* What needs a person, most urgent first. */
struct fleet_urgent {
	struct str object, text, next; /* next: the key or command that helps */
	enum fleet_state state;
	int64_t since_ms;
};

struct fleet {
	uint64_t revision;	     /* grows with each snapshot */
	int64_t built_ms;	     /* wall clock of the backend */
	int64_t oldest_ms;	     /* age of its oldest source */
	struct str profile, context; /* "practice", "user@host" */
	bool practice, prod, read_only, connected;
	struct str owner;		      /* who owns the store, when it is not us */
	const struct fleet_cluster *clusters; /* by name */
	size_t nclusters;
	const struct fleet_pool *pools; /* by cluster, then the order of the spec */
	size_t npools;
	const struct fleet_class *classes;
	size_t nclasses;
	const struct fleet_cache *caches;
	size_t ncaches;
	const struct fleet_gpu_type *gpu_types;
	size_t ngpu_types;
	const struct fleet_event *events; /* newest first, bounded */
	size_t nevents;
	const struct fleet_urgent *urgent;
	size_t nurgent;
};

const struct fleet *fleet_ref(const struct fleet *f);
void fleet_unref(const struct fleet *f); /* NULL does nothing */
/* By exact name; NULL when there is none. */
const struct fleet_cluster *fleet_cluster_find(const struct fleet *f, struct str name);

#endif
