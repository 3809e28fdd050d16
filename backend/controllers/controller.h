#ifndef BACKEND_CONTROLLERS_CONTROLLER_H
#define BACKEND_CONTROLLERS_CONTROLLER_H

/*
 * What reconciling a kind means, one file a kind: a pure-as-possible pass from what is stored and
 * observed to what shall be stored and driven. A controller is a row of the table controllers[];
 * the manager (manager.h) calls it from its workers, one pass an object at a time.
 *
 * A pass gets the newest object, also one with a deletion time; it never gets one that is gone. It
 * may be cut off at any instruction and is then simply run again. What it wants to be called for
 * again is said in the result; changes of the objects in `watches` that the object owns, and those
 * that `related` maps, come by themselves. Writes of its own status do not.
 *
 * Ownership: everything in the context is borrowed; the arena is cleared after the pass.
 * Threads: a controller is constant; a context belongs to one worker.
 * Failure: false makes the key come back with growing delay and logs the error once; what a person
 * should see belongs into a condition or an event before returning.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/store/events.h"
#include "backend/store/store.h"

struct clock;
struct compose;

/* The finalizer of objects whose controller has something to undo outside. */
#define CONTROLLER_FINALIZER "flightdeck.dev/cleanup"
/* Objects that a cluster is turned into live here (spec/reconcile.md 3.2). */
#define SYSTEM_NAMESPACE "modelplane-system"

enum { CONTROLLER_ARENA_MAX = 64 * 1024 * 1024 };

struct controller_context {
	struct store *store;
	struct clock *clock;
	struct compose *compose; /* may be NULL in tests of controllers that drive no plan */
	struct actor actor;	 /* who writes: "flightdeck-controller" */
	struct arena *arena;	 /* lives for one pass */
	const char *installation;
};

struct reconcile_result {
	int64_t
	    requeue_ms; /* come back after this time of the profile's clock; 0: the next sweep */
};

/* Called by `related` for each object of the controller's kind that a change concerns. */
typedef void related_fn(void *context, struct str ns, struct str name);

struct controller {
	const char *name; /* of the queue's keys and of events: "inferencecluster" */
	const struct kind *kind;
	bool (*reconcile)(struct controller_context *cx, const struct object *object,
	    struct reconcile_result *ret, struct error *err);
	const char *const
	    *watches; /* kinds whose changes concern their controller owner; NULL: none */
	/* Other kinds: which objects of mine does this change concern. May be NULL. */
	void (*related)(struct controller_context *cx, const struct object *changed,
	    related_fn *add, void *context);
};

/* The table, in the order in which a fresh start should work. NULL-terminated. */
extern const struct controller *const controllers[];

extern const struct controller inference_class_controller;
extern const struct controller inference_cluster_controller;
extern const struct controller serving_stack_controller;
extern const struct controller aks_cluster_controller; /* aks_cluster.c */

#endif
