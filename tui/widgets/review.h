#ifndef TUI_WIDGETS_REVIEW_H
#define TUI_WIDGETS_REVIEW_H

/*
 * The review: the one door through which the console changes anything. It shows what will be done,
 * what it causes, and the same thing as a command line; it asks the backend to try without doing
 * (a dry run); and it sends only after a word has been typed: "apply", or the object's name where
 * something could be lost. Enter alone does nothing, pasted text does not confirm, and what was
 * typed before the review opened is forgotten.
 *
 * Life: review_new, review_text (lines), review_request (what is sent, one or several), pushed.
 * It stays until every reply is there; a failure is shown and can be tried again.
 *
 * Lines: "# title" begins a section; "+ ", "- ", "~ ", "! " are drawn as added, removed, changed,
 * warned about.
 *
 * Ownership: the console frees a pushed layer; review_request takes. Threads: main only.
 * Limits: REVIEW_MAX_REQUESTS requests.
 */

#include "tui/console.h"

enum { REVIEW_MAX_REQUESTS = 64 };

struct review;

/* word: what has to be typed; NULL means "apply". */
struct review *review_new(const char *title, const char *word) MUST_CHECK;
struct text *review_text(struct review *r); /* borrows, to add lines to */
/* Takes *take. The dry run is asked for when it opens, if `dry_run`. */
void review_request(struct review *r, struct request **take, bool dry_run);
/* Called when everything was answered well; may be NULL. `context` is borrowed. */
typedef void review_done_fn(struct console *c, void *context);
void review_on_done(struct review *r, review_done_fn *done, void *context);
/* Pushes it; takes r also on failure. */
void review_open(struct console *c, struct review *r);
struct layer *review_layer(struct review *r);

#endif
