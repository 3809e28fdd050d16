#ifndef BACKEND_CONTROLLERS_GUARD_H
#define BACKEND_CONTROLLERS_GUARD_H

/*
 * Deletion guards (spec/reconcile.md 3.7): who still needs an object that is to go. A cluster and
 * what it is turned into stay while model replicas name the cluster; the provider cluster stays
 * while the serving stack does; a credential's config stays while a cluster needs it to be looked
 * at and removed (cases B062).
 *
 * Ownership: texts live in the context's arena. Threads: that of the context.
 */

#include "backend/controllers/controller.h"

struct guard {
	bool held;
	const char *reason; /* "ReplicasScheduled", "StackInstalled" */
	struct str message; /* who, for people */
};

/* What holds that object back now. False only when it could not be found out. */
bool guard_check(struct controller_context *cx, const struct object *object,
    struct guard *ret_guard, struct error *err) MUST_CHECK;

/* How many model replicas name a cluster; *ret_names gets the first few, for people. May be NULL.
 */
bool guard_replicas(struct controller_context *cx, struct str cluster, size_t *ret_count,
    struct str *ret_names, struct error *err) MUST_CHECK;

/* Whether provider clusters are looked after with that config: how many, the first few by name. */
bool guard_config(struct controller_context *cx, const struct resource *res, struct str ns,
    struct str name, size_t *ret_count, struct str *ret_names);

#endif
