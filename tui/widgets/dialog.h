#ifndef TUI_WIDGETS_DIALOG_H
#define TUI_WIDGETS_DIALOG_H

/*
 * Short questions over the panes. None of them is answered by Enter, so that a key typed too early
 * never decides. Ownership: the console frees a pushed layer. Threads: main only.
 */

#include <stddef.h>

#include "tui/console.h"

/* "Leave? n clusters are being worked on." y leaves, n or esc stays. */
struct layer *quit_dialog_new(size_t busy);
/* Unlocking a production profile: its name is typed. */
struct layer *unlock_dialog_new(struct str profile);

/* Draws a frame of `h` lines across the middle and returns the place inside it. */
struct rect dialog_frame(struct grid *g, int h, const char *title);

#endif
