#ifndef MODEL_REGEX_INT_H
#define MODEL_REGEX_INT_H

/*
 * Shared by the two halves of the regular expressions alone: regex_parse.c makes a tree of a
 * pattern, regex.c steps of the tree and searches with them. Pure.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/text.h"

struct range {
	uint32_t first, last;
};

enum tree_kind { TREE_EMPTY, TREE_SET, TREE_BEGIN, TREE_END, TREE_CAT, TREE_ALT, TREE_REPEAT };

struct tree {
	enum tree_kind kind;
	struct tree *a, *b;
	int min, max;	      /* of a repeat; max -1 is endless */
	struct range *ranges; /* of a set */
	size_t nranges, cap;
	bool inverted;
};

enum step_kind { STEP_SET, STEP_BEGIN, STEP_END, STEP_SPLIT, STEP_JUMP, STEP_FOUND };

struct step {
	enum step_kind kind;
	uint32_t x, y; /* where a split or jump goes on */
	const struct tree *set;
};

struct regex {
	struct step *steps;
	size_t nsteps, cap;
};

/* NULL when the pattern is wrong or there is no memory. */
const struct tree *regex_parse(struct arena *a, struct str pattern, struct error *err) MUST_CHECK;

#endif
