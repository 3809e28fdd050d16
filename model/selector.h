#ifndef MODEL_SELECTOR_H
#define MODEL_SELECTOR_H

/*
 * Label selectors, as kubectl's -l takes them ("a=b,c!=d,e in (x, y),f notin (z),g,!h") and as
 * objects carry them (matchLabels, matchExpressions). An empty one matches everything.
 *
 * Ownership: lives in the arena. Threads: pure.
 */

#include <stdbool.h>

#include "model/node.h"

enum { SELECTOR_MAX_TERMS = 256, SELECTOR_MAX_VALUES = 1024 };

enum selector_op { SELECTOR_IN, SELECTOR_NOT_IN, SELECTOR_EXISTS, SELECTOR_MISSING };

struct selector_term {
	struct str key;
	enum selector_op op;
	struct str *values;
	size_t nvalues;
};

struct selector {
	struct selector_term *terms;
	size_t nterms;
};

bool selector_parse(
    struct arena *a, struct str text, struct selector *ret, struct error *err) MUST_CHECK;
/* A LabelSelector; NULL or null is the empty one. */
bool selector_from_node(
    struct arena *a, const struct node *n, struct selector *ret, struct error *err) MUST_CHECK;
/* labels: a map of strings, or NULL for none. A missing key matches != and notin. */
bool selector_matches(const struct selector *s, const struct node *labels);
void selector_format(const struct selector *s, struct text *out);

#endif
