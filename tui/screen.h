#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

/*
 * The terminal: the one module that includes ncurses. It shows grids, hands out bytes of input and
 * sizes, and gives the terminal back as it found it at any end, also on a fatal signal (with bytes
 * prepared at the start and async-signal-safe calls only).
 *
 * There is a second back end without a terminal: a fixed size and no input, for --script, for
 * `:screen save` and for tests. Callers do not see which one they have.
 *
 * Ownership: screen_close gives the terminal back and frees. Threads: main only.
 * Failure: screen_show and screen_read return false when the terminal is gone; then only
 * screen_close is left to do.
 * Limits: sizes are kept within 1x1 and GRID_MAX_W x GRID_MAX_H; 0x0 means 80x24.
 */

#include <stdbool.h>
#include <stddef.h>

#include "model/base/error.h"
#include "tui/grid.h"
#include "tui/input.h"

struct screen;

bool screen_open(struct screen **ret_screen, struct error *err) MUST_CHECK;
/* Without a terminal. */
bool screen_open_memory(int w, int h, struct screen **ret_screen, struct error *err) MUST_CHECK;
void screen_close(struct screen *s); /* NULL does nothing */

int screen_fd(const struct screen *s); /* to poll for input; -1 without a terminal */
/* Reads the size again; true when it changed. */
bool screen_measure(struct screen *s, int *ret_w, int *ret_h);
void screen_set_size(struct screen *s, int w, int h); /* the memory back end only */
int screen_colours(const struct screen *s);
void screen_set_theme(struct screen *s, const struct theme *t);

/* Sends the difference to what is shown. A frame is dropped while the terminal takes nothing. */
bool screen_show(struct screen *s, const struct grid *g) MUST_CHECK;
bool screen_is_behind(const struct screen *s); /* a frame was dropped: poll for POLLOUT */
void screen_redraw(struct screen *s);	       /* the next frame is sent whole */
/* Feeds what was typed into `in`; false at the end of the terminal. */
bool screen_read(struct screen *s, struct input *in) MUST_CHECK;
/* Throws away what was typed before now. */
void screen_discard(struct screen *s);
/* Gives the terminal back, stops the process group, takes the terminal again. */
void screen_suspend(struct screen *s);
void screen_bell(struct screen *s);
/* Puts display text on the clipboard with OSC 52; false when the terminal cannot be expected to. */
bool screen_copy(struct screen *s, struct str text);

/* Readable when a signal came; screen_signal tells which, 0 when none is left. */
int screen_signal_fd(void);
int screen_signal(void);
/* Before any thread starts: blocks what threads must not get, installs the handlers. */
bool screen_signals(struct error *err) MUST_CHECK;

#endif
