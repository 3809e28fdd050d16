#ifndef BACKEND_STORE_OBJECT_H
#define BACKEND_STORE_OBJECT_H

/*
 * Making the refcounted objects that stores hand out (store.h), for the stores themselves. The
 * object, its texts and its JSON are one allocation; an object of a kind with SECRET fields wipes
 * it when the last reference goes.
 *
 * Ownership: the caller gets the first reference. Threads: any. Failure: NULL and an error.
 */

#include "backend/store/store.h"

/* From JSON as a server sent it; metadata is read out of it. */
const struct object *object_new(
    const struct resource *res, struct str json, struct error *err) MUST_CHECK;
/* From a tree, written compactly. */
const struct object *object_from_node(
    const struct resource *res, const struct node *value, struct error *err) MUST_CHECK;
/* From what is known already; texts are copied. labels as object_labels gives them. */
const struct object *object_make(
    const struct object *fields, struct str labels, struct error *err) MUST_CHECK;

/* Labels as text to search: "\nkey=value\nkey=value\n", empty for none. Borrowed. */
struct str object_labels(const struct object *o);
/* The same of a tree. */
void labels_write(const struct node *value, struct text *out);

/* Does any top-level field of the kind hold secrets? */
bool resource_is_secret(const struct resource *res);
/* Same group, version and plural. */
bool resource_eq(const struct resource *a, const struct resource *b);
/* "name" or "ns/name" for messages; lives in the buffer. */
enum { OBJECT_TITLE_MAX = 600 };
const char *object_title(
    const struct resource *res, struct str ns, struct str name, char ret_title[OBJECT_TITLE_MAX]);

#endif
