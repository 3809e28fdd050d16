#ifndef TESTS_UNIT_MODEL_HELPER_PLANS_H
#define TESTS_UNIT_MODEL_HELPER_PLANS_H

/* Recorded plans: where they are, and how a difference is found and named. */

#include "model/node.h"

/* The text of a file of recorded plans, in the arena; NULL p when there is none. */
struct str plans_read(struct arena *a, const char *name);

/*
 * The first place where two trees differ, as text in the arena, empty when they are equal. A member
 * that is null on one side and absent on the other is no difference.
 */
struct str plans_differ(struct arena *a, const struct node *want, const struct node *have);

#endif
