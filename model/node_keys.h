#ifndef MODEL_NODE_KEYS_H
#define MODEL_NODE_KEYS_H

/*
 * What the readers and writers of maps share: finding a key that stands twice, and the elements of
 * a map in the order of their keys. Neither is quadratic: big maps are sorted.
 *
 * Ownership: sorted elements are an owned array of borrowed nodes, given back with mem_free.
 * Threads: pure. Failure: only without memory.
 */

#include <stdbool.h>

#include "model/node.h"

/*
 * Looks for a key that stands twice. *ret_first and *ret_second are its first two places in the
 * order of the document, or NULL when every key is unique.
 */
bool node_find_duplicate(const struct node *map, const struct node **ret_first,
    const struct node **ret_second, struct error *err) MUST_CHECK;

/* node_count(map) elements by key; NULL without memory. */
const struct node **node_sorted(const struct node *map) MUST_CHECK;

#endif
