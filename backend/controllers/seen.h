#ifndef BACKEND_CONTROLLERS_SEEN_H
#define BACKEND_CONTROLLERS_SEEN_H

/*
 * What the watcher saw last of each object that has a controller: a fingerprint of its identity,
 * generation, deletion, labels, annotations and owners. A change of status alone leaves the
 * fingerprint as it is, so that a pass does not wake itself.
 *
 * Threads: one. Failure: without memory every change counts as new, which costs a pass.
 */

#include "backend/store/store.h"

struct seen;

struct seen *seen_new(void) MUST_CHECK;
void seen_free(struct seen *s);

/* True when it differs from what was seen last. `deleted` forgets the object. */
bool seen_change(struct seen *s, const struct object *o, const struct node *tree, bool deleted);

#endif
