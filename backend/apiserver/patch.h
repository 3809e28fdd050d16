#ifndef BACKEND_APISERVER_PATCH_H
#define BACKEND_APISERVER_PATCH_H

/*
 * The three patches that change a whole object: JSON merge patch (RFC 7396), JSON patch (RFC 6902)
 * and Kubernetes' strategic merge, which knows by name which lists are maps. Server-side apply is
 * the store's (backend/store/apply.h).
 *
 * Ownership: *ret_value lives in the arena; base and patch are borrowed and stay as they are.
 * Threads: pure. Limits: PATCH_MAX_DEPTH levels, PATCH_MAX_OPERATIONS of a JSON patch; what grows
 * by copies is bounded by the arena.
 */

#include <stdbool.h>

#include "model/base/error.h"
#include "model/node.h"

enum { PATCH_MAX_DEPTH = 64, PATCH_MAX_OPERATIONS = 10000 };

typedef bool patch_fn(struct arena *a, const struct node *base, const struct node *patch,
    struct node **ret_value, struct error *err);

patch_fn patch_merge;
patch_fn patch_json; /* ERR_INVALID also for a failed test or a path that is not there */
patch_fn patch_strategic;

#endif
