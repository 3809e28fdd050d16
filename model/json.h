#ifndef MODEL_JSON_H
#define MODEL_JSON_H

/*
 * Strict JSON in and out. A validating pass of our own stands in front of cJSON, which alone would
 * change big integers, cut strings at \u0000 and accept duplicate keys and trailing bytes: RFC 8259
 * only, strict UTF-8, no NUL, no duplicate keys, nothing after the value, and the limits below.
 *
 * Ownership: the tree lives in the arena; the input is borrowed and may go afterwards.
 * Threads: pure.
 * Failure: one error that names line, column and what is wrong; the tree is not returned.
 */

#include <stdbool.h>

#include "model/base/error.h"
#include "model/node.h"

enum {
	JSON_MAX_BYTES = 64 * 1024 * 1024, /* a list of 10,000 clusters is about 20 MiB */
	JSON_MAX_DEPTH = 64,
	JSON_MAX_NODES = 1000 * 1000 * 4,
};

bool json_parse(struct arena *a, struct str bytes, struct node **ret_node,
    struct error *err) MUST_CHECK;

enum json_style {
	JSON_COMPACT,
	JSON_PRETTY, /* two spaces, as kubectl writes it */
	JSON_SORTED, /* compact with sorted keys: equal trees give equal bytes */
};

/* Integers in plain digits; C1 and bidirectional control characters escaped as \uXXXX. */
void json_write(struct text *out, const struct node *n, enum json_style style);

#endif
