#ifndef BACKEND_STORE_FIELDS_INT_H
#define BACKEND_STORE_FIELDS_INT_H

/*
 * Sets of fields, held as Kubernetes writes them (FieldsV1): a map whose keys are steps of a path,
 *
 *   "f:name"  a member of a map          "k:{...}"  the element of a list with these keys
 *   "v:..."   the element of a set       "."        the place itself is in the set
 *
 * A step with nothing below it is in the set itself. And the shape of a value, which says what a
 * list is: a map by key, a set, or one atomic value.
 *
 * Ownership: all in the arena. Threads: pure. Failure: the arena's sticky flag.
 */

#include "backend/store/store.h"

/* Where in a kind's tables a value stands. */
struct shape {
	const struct schema *schema; /* of a map's members, when known */
	const struct field *field;   /* of the value itself, when known */
	struct str name;	     /* of the member, for lists that Kubernetes' own types know */
	bool meta;		     /* below metadata */
	bool free_form;		     /* below a field without a table: lists are atomic */
	bool is_root;
};

enum merge { MERGE_ATOMIC, MERGE_MAP, MERGE_BY_KEY, MERGE_SET };

struct shape shape_root(const struct resource *res);
struct shape shape_member(const struct shape *s, struct str key);
struct shape shape_item(const struct shape *s);
enum merge shape_merge(const struct shape *s, const struct node *value);
/* The step of a list's element; empty when it lacks a key. MERGE_BY_KEY and MERGE_SET only. */
struct str shape_step(const struct shape *s, struct arena *a, const struct node *item);
/* Is the member one that no manager owns (apiVersion, metadata.name ...)? */
bool shape_is_unowned(const struct shape *parent, struct str key);

/* The set of all fields of a value. */
struct node *fields_of(struct arena *a, const struct shape *s, const struct node *value);
/* The fields of `next` that are not in `old` or have another value there. */
struct node *fields_changed(
    struct arena *a, const struct shape *s, const struct node *old, const struct node *next);

bool fields_is_member(const struct node *set); /* of the place itself */
bool fields_is_empty(const struct node *set);
void fields_add(struct arena *a, struct node *set, const struct node *more);
void fields_subtract(struct node *set, const struct node *less);
/* What is in both. */
struct node *fields_common(struct arena *a, const struct node *x, const struct node *y);
void fields_sort(struct node *set);

typedef void fields_visit(void *context, struct str path);
/* Calls visit for each member with its path as people read it: .spec.pools[name="a"].size */
void fields_walk(struct arena *a, const struct node *set, fields_visit *visit, void *context);

#endif
