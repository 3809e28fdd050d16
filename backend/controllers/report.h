#ifndef BACKEND_CONTROLLERS_REPORT_H
#define BACKEND_CONTROLLERS_REPORT_H

/*
 * What a pass of the compose engine looks like to people: how far it is and what it waits for, and
 * one event for each new fault.
 *
 * Ownership: texts live in the context's arena. Threads: that of the context. Failure: none.
 */

#include "backend/compose/compose.h"
#include "backend/controllers/controller.h"

/* What a person can do, as the end of a sentence: "none: it waits by itself" without the "none". */
const char *report_advice(const struct error *err);
/* "3 of 7 resources are ready; GPU pool gpu: helm is running", or how many are left of what is
   going; `things` is "resources". */
const char *report_progress(
    struct controller_context *cx, const struct compose_result *r, bool going, const char *things);

/*
 * A new fault is an event; the same one again is not (cases B085): `old` and `status` are the
 * object's status before and after this pass.
 */
void report_fault(struct controller_context *cx, const struct object *object,
    const struct compose_result *r, const struct node *old, const struct node *status);

#endif
