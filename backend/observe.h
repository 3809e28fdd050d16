#ifndef BACKEND_OBSERVE_H
#define BACKEND_OBSERVE_H

/*
 * What workload clusters say about themselves: nodes, published GPUs, claims, storage classes and
 * volumes, listed every ten seconds of the profile's clock from each cluster that has a kubeconfig.
 * One thread goes round; a cluster that does not answer keeps its last figures, and says so.
 *
 * Ownership: borrows the backend's store and clock. Threads: observer_lock hands out the table and
 * observer_unlock gives it back; the observer itself never holds the lock over I/O.
 */

#include "backend/backend_int.h"
#include "model/fleet_build.h"

struct observer;

typedef void observer_changed_fn(void *context);

bool observer_start(struct backend *b, observer_changed_fn *changed, void *context,
    struct observer **ret, struct error *err) MUST_CHECK;
void observer_stop(struct observer *o); /* NULL does nothing */

/* Every cluster was looked at once. */
bool observer_has_looked(const struct observer *o);

/* The present figures, until observer_unlock. */
size_t observer_lock(struct observer *o, const struct fleet_seen **ret_items);
void observer_unlock(struct observer *o);

#endif
