#ifndef BACKEND_KUBE_FRAME_H
#define BACKEND_KUBE_FRAME_H

/*
 * The bytes of a watch cut into its events: one JSON document a line, wherever the pieces break.
 *
 *   bytes ──► frame_push ──► [ lines taken | whole lines | begun line ] ──► frame_next ──► decode
 *
 * Ownership: frame_fini; a line borrows from the frame until the next push. Threads: pure.
 * Failure: a line longer than FRAME_MAX_LINE ends the stream with ERR_TOO_LARGE.
 */

#include "backend/store/store.h"

enum { FRAME_MAX_LINE = 16 * 1024 * 1024, FRAME_MAX_BUFFER = 2 * FRAME_MAX_LINE };

struct frame {
	struct text buf;
	size_t at; /* start of what was not taken yet */
};

void frame_init(struct frame *f);
void frame_fini(struct frame *f);
void frame_reset(struct frame *f); /* a new connection: what was begun is void */
bool frame_push(struct frame *f, struct str bytes, struct error *err) MUST_CHECK;
/* The next whole line without its end; empty lines are skipped. */
bool frame_next(struct frame *f, struct str *ret_line);

/*
 * One event. res NULL takes the kind from the object (kinds that model/kinds does not know become
 * a bookmark of their version). An ERROR of code 410 is WATCH_GONE; other errors are errors.
 */
bool watch_line_decode(const struct resource *res, struct str line, struct watch_event *ret_event,
    struct error *err) MUST_CHECK;

#endif
