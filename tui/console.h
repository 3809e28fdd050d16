#ifndef TUI_CONSOLE_H
#define TUI_CONSOLE_H

/*
 * The console without its terminal: what is on the screen and what keys do to it. A stack of views
 * (panes being looked at), and above it a stack of layers (palette, forms, reviews, the wizard),
 * the top one getting the keys. Everything it does to the world goes through `struct console_io`,
 * so that tests drive it with keys and look at the grid and at what would have been sent.
 *
 * Invariants: there is always a view; a layer is only freed by console_pop; nothing is written but
 * by a review layer that has been confirmed (widgets/review.h), which asks io.submit.
 *
 * Ownership: console_init / console_fini; layers and views pushed are owned by the console.
 * Threads: main only.
 */

#include <stdbool.h>
#include <stdint.h>

#include "backend/backend.h"
#include "model/fleet.h"
#include "tui/grid.h"
#include "tui/input.h"
#include "tui/keys.h"
#include "tui/pane.h"

enum {
	CONSOLE_MAX_LAYERS = 8,
	CONSOLE_MAX_VIEWS = 16,
	CONSOLE_MAX_HISTORY = 32,
	CONSOLE_MAX_SENT = 16
};

struct console;
struct layer;

struct layer_ops {
	const char *name;
	bool full; /* covers the panes; draws below the header line itself */
	void (*draw)(struct console *c, struct layer *l, struct grid *g);
	void (*key)(struct console *c, struct layer *l, struct input_key k);
	/* A reply the layer may have asked for: true when it was its own. May be NULL. */
	bool (*reply)(struct console *c, struct layer *l, const struct reply *r);
	void (*free)(struct layer *l);
};

/* First member of every layer's struct. */
struct layer {
	const struct layer_ops *ops;
};

/* What the console asks of the world. */
struct console_io {
	void *context;
	uint64_t (*submit)(void *context, struct request **take, struct error *err);
	void (*discard)(void *context);		      /* input typed before now */
	bool (*copy)(void *context, struct str text); /* to the clipboard */
	void (*set_theme)(void *context, const struct theme *t);
	void (*suspend)(void *context);
	void (*redraw)(void *context);
};

/* A request without a layer that waits for its reply: the outcome is said in one line. */
struct sent {
	uint64_t id;
	char what[200];
};

struct console {
	struct console_io io;
	const struct fleet *fleet; /* a reference; NULL before the first snapshot */
	int64_t now_ms;		   /* wall clock of the profile */
	int64_t mono_ms;	   /* for double keys and toasts */
	double speed;
	char state_dir[1024];
	char owner[200]; /* who owns the profile when it is not us */
	bool owns;	 /* our process reconciles: leaving stops that */
	bool practice;	 /* said at all times */
	bool read_only;	 /* the backend refuses writes */
	bool locked;	 /* R */
	bool paused;
	bool quit;
	bool no_colour;
	struct config config;
	struct theme theme;

	struct view *views[CONSOLE_MAX_VIEWS];
	size_t nviews;
	struct layer *layers[CONSOLE_MAX_LAYERS];
	size_t nlayers;
	struct {
		const struct pane *pane;
		struct subject subject;
	} history[CONSOLE_MAX_HISTORY];
	size_t nhistory, at_history, last_history;

	char toast[300];
	enum role toast_role;
	int64_t toast_mono_ms; /* when it was said; 0 none */
	int64_t ctrl_c_mono_ms;
	struct sent sent[CONSOLE_MAX_SENT];
	size_t nsent;
	int w, h; /* of the last frame */
};

enum { TOAST_MS = 8000, CTRL_C_MS = 2000 };

bool console_init(struct console *c, const struct console_io *io, struct error *err) MUST_CHECK;
void console_fini(struct console *c);

/* A newer snapshot: takes the reference. */
void console_set_fleet(struct console *c, const struct fleet *f);
void console_key(struct console *c, struct input_key k);
void console_reply(struct console *c, const struct reply *r);
void console_draw(struct console *c, struct grid *g);

/* ---- for panes, dialogs and actions ---- */

struct view *console_view(struct console *c); /* the one on top */
/* Opens a pane: as the only view, or on top of what is there. */
void console_go(struct console *c, const struct pane *p, const struct subject *about, bool on_top);
void console_back(struct console *c);
void console_history(struct console *c, int by);
/* Takes *take, also on failure. Forgets what was typed before. */
void console_push(struct console *c, struct layer *take);
void console_pop(struct console *c);
struct layer *console_top(struct console *c); /* NULL when a view has the keys */
void console_say(struct console *c, enum role role, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool console_toast_shown(const struct console *c);
/* Takes *take. 0 when it was refused, which has been said. */
uint64_t console_submit(struct console *c, struct request **take);
/* The same for a layer that goes away: the outcome is said in one line that begins with `what`. */
bool console_send(struct console *c, struct request **take, const char *what);
bool console_can_write(const struct console *c);
/* Why not, in words; NULL when writing is possible. */
const char *console_write_refusal(const struct console *c);
bool console_use_theme(struct console *c, const char *name);
void console_ask_quit(struct console *c);

/* All panes that have a place of their own, in the order of their keys. */
const struct pane *const *panes_get(size_t *ret_n);
const struct pane *pane_find(struct str name);

/* ---- frame.c ---- */

/* The first line: banner, profile, lock, title, counts, age, clock. */
void frame_header(struct console *c, struct grid *g, const char *title, const char *right);
/* Hints at the foot: "key word" pairs of a text like "esc leave|enter open". */
void frame_hints(struct grid *g, int y, const char *hints);
void frame_panes(struct console *c, struct grid *g);

#endif
