#ifndef MODEL_SEMVER_H
#define MODEL_SEMVER_H

/*
 * Semantic versions, strict and normalised (spec/reconcile.md 13.4). Build metadata is checked and
 * dropped, since it has no part in order or equality.
 *
 * Ownership: `pre` borrows from the parsed text, or from the arena when normalised. Threads: pure.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/text.h"

struct arena;

struct semver {
	uint64_t number[3]; /* major, minor, patch */
	struct str pre;	    /* "rc.1"; empty for a release */
};

bool semver_parse(struct str text, struct semver *ret, struct error *err) MUST_CHECK;

/* "v1.29" is 1.29.0, "01.2" is 1.2.0. */
bool semver_normalise(
    struct arena *a, struct str text, struct semver *ret, struct error *err) MUST_CHECK;
int semver_cmp(const struct semver *a, const struct semver *b);

#endif
