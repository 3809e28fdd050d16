#ifndef MODEL_KINDS_SECRET_H
#define MODEL_KINDS_SECRET_H

/*
 * Secret, core v1. Values are flagged SECRET: masked wherever an object is shown.
 *
 * Ownership: borrows from the arena of schema_decode. Threads: pure.
 */

#include "model/kinds/meta.h"

struct secret_object {
	struct str api_version, kind;
	struct meta meta;
	struct strmap data;	   /* base64 */
	struct strmap string_data; /* write only: moved into data by the store's server side */
	struct str type;
	struct opt_bool immutable;
};

extern const struct schema secret_schema;
extern const struct kind secret_kind;

#endif
