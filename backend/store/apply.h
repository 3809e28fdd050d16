#ifndef BACKEND_STORE_APPLY_H
#define BACKEND_STORE_APPLY_H

/*
 * Server-side apply as Kubernetes has it: who owns which field (metadata.managedFields, FieldsV1),
 * what a new manifest of a manager changes, takes away and collides with. Lists are maps by key
 * where the kind's table (field->keys) or Kubernetes' own types say so, sets for finalizers, else
 * atomic. A manager's entry keeps its `time` while its fields stay; an entry that changed has none:
 * the store that writes it puts one there.
 *
 * Ownership: results live in the arena; inputs are borrowed and stay as they are, except for `next`
 * of apply_track. Threads: pure.
 */

#include "backend/store/store.h"

/*
 * live may be NULL. A conflict is ERR_CONFLICT with Kubernetes' own message
 * ("Apply failed with 1 conflict: ...") and changes nothing; force takes the fields over.
 */
bool apply_merge(const struct resource *res, struct arena *a, const struct node *live,
    const struct node *applied, const char *manager, bool force, struct node **ret_merged,
    struct error *err);

struct apply_conflict {
	struct str manager;
	struct str using_version; /* apiVersion for a manager of operation Update, else empty */
	struct str field;	  /* .spec.nodePools[name="gpu0"].nodeCount */
};

/* All of them, for the body of the answer; sorted by manager, then field. */
bool apply_conflicts(const struct resource *res, struct arena *a, const struct node *live,
    const struct node *applied, const char *manager, struct apply_conflict **ret_items,
    size_t *ret_n, struct error *err) MUST_CHECK;

/*
 * Records what an update changes: the fields in which `next` differs from `live` (NULL: all of
 * them) become the manager's, and nobody else's. status: the entry of the status subresource.
 */
bool apply_track(const struct resource *res, struct arena *a, const struct node *live,
    struct node *next, const char *manager, bool status, struct error *err) MUST_CHECK;

#endif
