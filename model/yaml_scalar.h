#ifndef MODEL_YAML_SCALAR_H
#define MODEL_YAML_SCALAR_H

/*
 * What a plain scalar means: the core schema of YAML 1.2 (section 10.3.2). Shared by the reader,
 * which resolves, and the writer, which must quote what would be resolved. Pure.
 */

#include "model/node.h"

struct yaml_scalar {
	enum node_type type; /* NODE__MAX: a number that no double holds */
	bool boolean;
	int64_t integer;
	double floating;
};

struct yaml_scalar yaml_resolve(struct str text);

/* Whether some YAML 1.1 reader would take the text for something else ("yes", "0o17", "1:30"). */
bool yaml_is_ambiguous(struct str text);

#endif
