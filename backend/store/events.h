#ifndef BACKEND_STORE_EVENTS_H
#define BACKEND_STORE_EVENTS_H

/*
 * Events as Kubernetes has them: one object a (involved object, type, reason, message), folded with
 * a count and first and last time. At most EVENTS_MAX are kept; the oldest go first.
 *
 * Threads: any. Failure: an event that cannot be written is dropped with a log line; nothing waits.
 */

#include "backend/store/store.h"

enum { EVENTS_MAX = 50 * 1000 };

struct clock;

enum event_type { EVENT_NORMAL, EVENT_WARNING };

/* Borrows everything for the call. The message is display-cleaned and cut to 1,024 bytes. */
void event_emit(struct store *st, struct clock *clock, const struct object *about,
    enum event_type type, const char *reason, const char *component, const char *fmt, ...)
    PRINTF_LIKE(7, 8);

#endif
