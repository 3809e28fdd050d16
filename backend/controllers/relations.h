#ifndef BACKEND_CONTROLLERS_RELATIONS_H
#define BACKEND_CONTROLLERS_RELATIONS_H

/*
 * Which provider clusters and stacks a credential concerns: a changed config or Secret brings them
 * round at once instead of at the next sweep. Works for every kind that has spec.credentials or
 * spec.secrets; no kind is known by name.
 *
 * Threads: that of the context.
 */

#include "backend/controllers/controller.h"

/* Calls `add` for each object of the controller's kind that the changed object concerns. */
void relations_of_credentials(struct controller_context *cx, const struct controller *controller,
    const struct object *changed, related_fn *add, void *context);

#endif
