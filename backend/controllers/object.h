#ifndef BACKEND_CONTROLLERS_OBJECT_H
#define BACKEND_CONTROLLERS_OBJECT_H

/*
 * What controllers do to stored objects, in one place: conditions that keep their transition time,
 * a status that is written only when it changed and never loses to a normal conflict, finalizers,
 * owner references, and children kept as wanted.
 *
 * Ownership: trees live in the context's arena. Threads: that of the context.
 * Failure: a conflict is retried on the fresh object here, not reported (cases.md B060).
 */

#include "backend/controllers/controller.h"
#include "model/kinds/meta.h"

/* The object's present status as a tree to change: a copy, an empty map when there is none. */
struct node *status_begin(
    struct controller_context *cx, const struct object *object, struct error *err) MUST_CHECK;

/*
 * Merges one condition by type: the transition time moves only when the status does. The message
 * is display-cleaned and cut to 1,024 bytes.
 */
void status_condition(struct controller_context *cx, struct node *status,
    enum condition_status value, const char *type, const char *reason, const char *fmt, ...)
    PRINTF_LIKE(6, 7);

/* "True", "False", "Unknown" or empty. */
struct str status_condition_get(const struct node *status, const char *type);

/* Stores the status when it differs from the object's; retries conflicts; gone is no error. */
bool status_save(struct controller_context *cx, const struct object *object, struct node *status,
    struct error *err) MUST_CHECK;

bool finalizer_has(struct controller_context *cx, const struct object *object, const char *name);
/*
 * Adds it when absent. *io_object is a reference of the caller: when the object changes, that one
 * is let go and the fresh object takes its place.
 */
bool finalizer_add(struct controller_context *cx, const struct object **io_object, const char *name,
    struct error *err) MUST_CHECK;
/* Removes it; an object that is gone is no error. */
bool finalizer_remove(struct controller_context *cx, const struct object *object, const char *name,
    struct error *err) MUST_CHECK;

/* A controller owner reference to that object, for metadata.ownerReferences. */
struct node *owner_reference(struct controller_context *cx, const struct object *owner);
/* The controller owner's reference of an object, or NULL. Borrows from the tree. */
const struct node *owner_of(const struct node *object);

/*
 * Keeps a child as wanted: created with the owner's reference when absent, its spec and labels
 * applied when they differ. Refuses a child of that name that belongs to another owner.
 * ret_object may be NULL.
 */
bool child_apply(struct controller_context *cx, const struct object *owner,
    const struct resource *res, const struct node *want, const struct object **ret_object,
    struct error *err) MUST_CHECK;

/* NULL in *ret_object, and true, when there is none. A reference for the caller. */
bool object_find(struct controller_context *cx, const struct resource *res, struct str ns,
    struct str name, const struct object **ret_object, struct error *err) MUST_CHECK;

#endif
