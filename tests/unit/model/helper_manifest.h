#ifndef TESTS_UNIT_MODEL_HELPER_MANIFEST_H
#define TESTS_UNIT_MODEL_HELPER_MANIFEST_H

/*
 * Manifests given as text, checked, and what was found. One at a time: manifest_end frees.
 */

#include "model/base/mem.h"
#include "model/validate.h"

struct checked {
	struct arena *arena;
	struct manifest_set set;
	struct known known;
	bool ok;
};

void manifest_begin(struct checked *c);
void manifest_add(struct checked *c, const char *file, const char *yaml);
bool manifest_check(struct checked *c); /* also fills ok */
void manifest_end(struct checked *c);

/* begin, add as "t.yaml", check */
void manifest_yaml(struct checked *c, const char *yaml);

/* The problem with that rule and path; NULL prints all that there are. */
const struct problem *manifest_problem(const struct checked *c, const char *rule, const char *path);
/* As one line, in a static buffer of the test. */
const char *manifest_line(const struct problem *p);

#endif
