#ifndef MODEL_YAML_H
#define MODEL_YAML_H

/*
 * YAML in and out, over libyaml's events (never its documents, which have no depth limit). The
 * core schema of YAML 1.2: true/false, null/~/empty, integers, floats; everything else is text, so
 * `on` and `yes` are text. Each scalar also keeps its text as written (struct node.text), so that
 * `1.30` can be reported as such. Duplicate keys at any depth, tags beyond the core schema and
 * merge keys are errors that name both places.
 *
 * Ownership: trees live in the arena. Threads: pure. Failure: one error with file:line:column.
 */

#include <stdbool.h>

#include "model/base/error.h"
#include "model/node.h"

enum {
	YAML_MAX_BYTES = 4 * 1024 * 1024,
	YAML_MAX_DEPTH = 64,
	YAML_MAX_NODES = 100 * 1000, /* a document, alias expansion included */
	YAML_MAX_ANCHORS = 1000,
	YAML_MAX_DOCUMENTS = 1000,
	YAML_MAX_DIRECTIVES = 16,
};

/*
 * Reads a stream of documents. *ret_docs is a list node with one element a document, empty
 * documents left out. `file` names the input in errors ("-" for standard input).
 */
bool yaml_parse(struct arena *a, struct str bytes, const char *file, struct node **ret_docs,
    struct error *err) MUST_CHECK;

/* One document, keys in order, strings quoted only where they must be. */
void yaml_write(struct text *out, const struct node *n);

#endif
