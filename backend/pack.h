#ifndef BACKEND_PACK_H
#define BACKEND_PACK_H

/*
 * The two kinds of which a fleet has most, records and events, reduced to what snapshots show and
 * packed into one block each: a tenth of what the decoded object takes.
 *
 * Ownership: the caller's, mem_free. Threads: pure. Failure: NULL without memory.
 */

#include "model/kinds/event.h"
#include "model/kinds/external.h"

/* Members that model/fleet_build.h reads; the others are empty. `observed` keeps its count alone.
 */
struct external *pack_external(const struct external *from) MUST_CHECK;
struct event_object *pack_event(const struct event_object *from) MUST_CHECK;

#endif
