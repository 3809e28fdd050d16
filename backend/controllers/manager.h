#ifndef BACKEND_CONTROLLERS_MANAGER_H
#define BACKEND_CONTROLLERS_MANAGER_H

/*
 * Runs the controllers: one watcher thread turns every change in the store into keys
 * "controller/namespace/name", workers take keys and run passes. An object is found by its own
 * change (spec, metadata, deletion; not its status), by a change of what it owns, and by what its
 * controller says is related. All keys come round once a sweep period, together, so that the
 * shared list calls of the providers serve all of them.
 *
 * A deletion that something still needs is held here, before the controller sees it
 * (spec/reconcile.md 3.7): provider clusters wait for the serving stack, both for model replicas.
 *
 * Ownership: borrows everything in its options. manager_stop ends all threads within a second of
 * the end of their running requests; manager_free frees.
 * Threads: start, stop, free from one thread; the rest from any.
 */

#include "backend/controllers/controller.h"

struct manager;
struct queue;

enum { MANAGER_WORKERS = 8, MANAGER_SWEEP_MS = 10 * 60 * 1000 };

struct manager_options {
	struct store *store;
	struct clock *clock;
	struct compose *compose;
	const char *installation;
	const struct controller *const *controllers; /* NULL for the table */
	int workers;				     /* 0 for MANAGER_WORKERS */
	int64_t sweep_ms;			     /* 0 for MANAGER_SWEEP_MS */
};

bool manager_start(
    const struct manager_options *opt, struct manager **ret_manager, struct error *err) MUST_CHECK;
void manager_stop(struct manager *m); /* NULL does nothing */
void manager_free(struct manager *m);

/* Reconcile that object now: for an operator who asks for it. False when no controller has it. */
bool manager_poke(struct manager *m, const struct kind *kind, struct str ns, struct str name);
/* Everything was looked at once, and nothing is due or running. */
bool manager_idle(struct manager *m);
/* When the object is tried again (mono ms of the clock); false when nothing is planned. */
bool manager_next_try(struct manager *m, const struct kind *kind, struct str ns, struct str name,
    int64_t *ret_due_ms, unsigned *ret_failures);

#endif
