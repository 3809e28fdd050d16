#ifndef MODEL_KINDS_NAMESPACE_H
#define MODEL_KINDS_NAMESPACE_H

/*
 * Namespace, core v1.
 *
 * Ownership: borrows from the arena of schema_decode. Threads: pure.
 */

#include "model/kinds/meta.h"

struct namespace_object {
	struct str api_version, kind;
	struct meta meta;
	struct namespace_spec {
		bool present;
		struct list finalizers; /* struct str */
	} spec;
	struct namespace_status {
		bool present;
		struct str phase;	/* "Active", "Terminating" */
		struct list conditions; /* struct condition */
	} status;
};

extern const struct schema namespace_schema;
extern const struct kind namespace_kind;

#endif
