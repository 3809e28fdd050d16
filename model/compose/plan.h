#ifndef MODEL_COMPOSE_PLAN_H
#define MODEL_COMPOSE_PLAN_H

/*
 * A plan: what one object (a provider cluster, a serving stack) is to be turned into outside, as a
 * pure function of its spec and of what was observed. The compose engine (backend/compose) drives a
 * plan to reality; `flightdeck plan` prints it; tests compare it with recorded ones.
 *
 * A plan resource is one row: which kind of thing (type, provider), under which stable key, with
 * which cloud name and parameters, and what must be ready before it. Order in the plan is the order
 * of creation for rows that do not depend on each other; deletion walks it backwards.
 *
 * Ownership: everything lives in the plan's arena. Threads: pure.
 */

#include <stdbool.h>
#include <stddef.h>

#include "model/base/error.h"
#include "model/base/text.h"
#include "model/node.h"

struct arena;

enum plan_flags {
	PLAN_ORPHAN = 1 << 0, /* not removed by us: it dies with its cluster (reconcile 20.2) */
	PLAN_READY_AT_ONCE = 1 << 1, /* counts as ready as soon as it is wanted */
	PLAN_GUARDED = 1 << 2, /* must be gone before the rows it names in `after` are removed */
};

enum { PLAN_MAX_RESOURCES = 256, PLAN_MAX_AFTER = 24 };

struct plan_resource {
	struct str key;	      /* "nodepool-gpua10"; stable for ever, unique in the plan */
	const char *provider; /* "azure", "kube" */
	const char *type;     /* row of that provider's table: "agent-pool", "release" ... */
	struct str name;      /* name in the cloud or cluster */
	struct str ns;	      /* namespace in a cluster, else empty */
	struct str step;      /* for people: "network", "control plane", "GPU pools", "stack" ... */
	struct str what;      /* for people: "GPU pool gpua10, 1 x Standard_NV36ads_A10_v5" */
	struct node *want;    /* parameters, as the row's functions understand them */
	struct str version;   /* shown in the tree; empty when it has none */
	struct str after[PLAN_MAX_AFTER]; /* keys that must be ready before this is created */
	size_t nafter;
	unsigned flags;
};

struct plan {
	struct arena *arena;
	struct plan_resource *items;
	size_t n, cap;
};

void plan_init(struct plan *p, struct arena *a);
/* The new row, zeroed but for key, provider, type and name; NULL when the arena has failed. */
struct plan_resource *plan_add(
    struct plan *p, const char *provider, const char *type, struct str key, struct str name);
void plan_after(struct plan_resource *r, struct str key);
const struct plan_resource *plan_find(const struct plan *p, struct str key); /* or NULL */
/* Keys unique, `after` resolvable, no circles. */
bool plan_check(const struct plan *p, struct error *err) MUST_CHECK;

#endif
