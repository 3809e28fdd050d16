#ifndef BACKEND_STORE_SELECTOR_H
#define BACKEND_STORE_SELECTOR_H

/*
 * Label and field selectors as text, as kubectl sends them:
 *   labels: a=b, a==b, a!=b, a, !a, a in (x,y), a notin (x,y); all must hold (commas)
 *   fields: path=value, path==value, path!=value; paths such as metadata.name,
 *           involvedObject.uid, status.phase
 *
 * Ownership: a selector lives in the arena, the text may go. Threads: immutable once parsed.
 * Failure: reading an object's JSON can fail; that is never taken for "does not match".
 * Limits: SELECTOR_MAX_TERMS terms of SELECTOR_MAX_VALUES values.
 */

#include "backend/store/store.h"

enum { SELECTOR_MAX_TERMS = 64, SELECTOR_MAX_VALUES = 256 };

struct selector;

bool selector_parse_labels(
    struct arena *a, struct str text, struct selector **ret_selector, struct error *err) MUST_CHECK;
bool selector_parse_fields(
    struct arena *a, struct str text, struct selector **ret_selector, struct error *err) MUST_CHECK;

bool selector_is_empty(const struct selector *s); /* NULL is empty: everything matches */
/* labels as object_labels() gives them. */
bool selector_match_labels(const struct selector *s, struct str labels);
/* metadata.name and metadata.namespace are answered from the object, others from its JSON. */
bool selector_match_fields(const struct selector *s, const struct object *o, bool *ret_match,
    struct error *err) MUST_CHECK;
/* Only names and namespaces are asked for, so that no JSON has to be read. */
bool selector_is_plain(const struct selector *s);

#endif
