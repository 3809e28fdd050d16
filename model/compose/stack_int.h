#ifndef MODEL_COMPOSE_STACK_INT_H
#define MODEL_COMPOSE_STACK_INT_H

/*
 * The table of the serving stack's components: one row a release or object. Pure constants.
 */

#include "model/compose/stack.h"

enum stack_only { STACK_BOTH, STACK_STANDARD_ONLY, STACK_DYNAMO_ONLY };

enum { STACK_ROW_AFTER_MAX = 4 };

struct stack_row {
	const char *key;
	enum stack_only only;
	const char *what; /* for people */
	const char *step;
	/* Of a release: the chart. */
	const char *chart, *repository, *ns;
	const char *version; /* fixed, or NULL: */
	size_t pin;	     /* offset of the version in struct serving_stack */
	/* Values of a release, manifest of an object; JSON text or NULL. */
	const char *json;
	const char *readiness; /* CEL over the live object, NULL: ready when it is there */
	const char *label;     /* value of STACK_RESOURCE_LABEL, or NULL */
	void (*adjust)(struct arena *a, const struct serving_stack *s, struct node *want);
	const char *after[STACK_ROW_AFTER_MAX];
	unsigned flags;
};

const struct stack_row *stack_rows(size_t *ret_count);

#endif
