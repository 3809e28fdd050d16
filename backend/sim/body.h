#ifndef BACKEND_SIM_BODY_H
#define BACKEND_SIM_BODY_H

/*
 * Which members a request body may have, by type: tables from the official models
 * (body_tables.c). Unknown members, wrong types and words that are not in a closed set are refused
 * as Azure refuses them; nulls and read-only members are dropped.
 *
 * Threads: pure.
 */

#include <stdbool.h>
#include <stddef.h>

struct arm_call;
struct node;

enum body_kind { BODY_CLUSTER, BODY_POOL, BODY_TAGS, BODY_VNET, BODY_SUBNET, BODY__MAX };

enum member_type { M_STRING, M_INT, M_NUMBER, M_BOOL, M_OBJECT, M_ANY };

struct body_shape;

struct body_member {
	const char *name;
	enum member_type type;
	bool list, map; /* of that type; both: a map of lists */
	bool read_only;
	const char *words; /* "A|B" of a closed set; compared without regard to case */
	const struct body_shape *sub;
};

struct body_shape {
	const struct body_member *members; /* sorted by name */
	size_t n;
};

extern const struct body_shape *const body_shapes[BODY__MAX];

/* Cleans `body` in place; answers and returns false when it is refused. */
bool body_check(struct arm_call *c, enum body_kind kind, struct node *body);

#endif
