#ifndef MODEL_KINDS_EVENT_H
#define MODEL_KINDS_EVENT_H

/*
 * Event, core v1: what happened to an object, counted when it repeats.
 *
 * Ownership: borrows from the arena of schema_decode. Threads: pure.
 */

#include "model/kinds/meta.h"

struct object_ref {
	bool present;
	struct str api_version, kind, ns, name, uid, resource_version, field_path;
};

struct event_object {
	struct str api_version, kind;
	struct meta meta;
	struct object_ref involved_object;
	struct str type; /* "Normal" or "Warning" */
	struct str reason, message;
	struct str first_timestamp, last_timestamp, event_time; /* RFC 3339 */
	struct opt_int count;
	struct str action, reporting_component, reporting_instance;
	struct event_source {
		bool present;
		struct str component, host;
	} source;
	struct object_ref related;
	const struct node *series;
};

extern const struct schema event_schema;
extern const struct kind event_kind;

#endif
