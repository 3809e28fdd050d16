#ifndef TUI_GRID_H
#define TUI_GRID_H

/*
 * A picture in memory: cells by role. Panes draw all of themselves into a grid and never track what
 * changed; the screen sends the difference. Drawing is clipped, never fails, and turns every
 * character that could steer a terminal into a visible '?', whoever let it through before.
 *
 * The life of a frame: grid_resize (at start and at every change of size, the only call that
 * allocates), grid_clear, drawing, then screen_show or grid_dump.
 *
 * Ownership: the grid owns its cells. Threads: one at a time.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"
#include "tui/theme/theme.h"

enum { GRID_MAX_W = 500, GRID_MAX_H = 250, GRID_MAX_MARKS = 2 };

struct cell {
	uint32_t ch;			/* 0: right half of a wide character */
	uint32_t marks[GRID_MAX_MARKS]; /* combining, 0 for none */
	uint8_t role;			/* enum role */
	uint8_t attr;			/* enum theme_attr, beyond the role's own */
};

struct rect {
	int x, y, w, h;
};

struct grid {
	int w, h;
	struct cell *cells;
	bool cursor; /* shown, in a text field */
	int cursor_x, cursor_y;
};

bool grid_resize(struct grid *g, int w, int h, struct error *err) MUST_CHECK;
void grid_fini(struct grid *g);
void grid_clear(struct grid *g);
struct rect grid_rect(const struct grid *g);

/* Draws at most `cells` cells; returns how many were used. A text cut off ends in "..". */
int grid_put(struct grid *g, int x, int y, int cells, enum role role, struct str s);
int grid_puts(struct grid *g, int x, int y, int cells, enum role role, const char *s);
int grid_printf(struct grid *g, int x, int y, int cells, enum role role, const char *fmt, ...)
    PRINTF_LIKE(6, 7);
/* The same, ending at x + cells. */
void grid_put_right(struct grid *g, int x, int y, int cells, enum role role, struct str s);
void grid_fill(struct grid *g, int x, int y, int cells, enum role role, char c);
void grid_attr(struct grid *g, int x, int y, int cells, unsigned attr);
/* Gives cells that are plain text another role. */
void grid_role(struct grid *g, int x, int y, int cells, enum role role);
/* "-- title ------" over the whole width. */
void grid_rule(struct grid *g, int x, int y, int cells, const char *title);
void grid_cursor(struct grid *g, int x, int y);

/* Lines without blanks at their ends, each with a line feed. */
void grid_dump(const struct grid *g, struct text *out);

/* A pen writes line after line into a rectangle and stops at its end. */
struct pen {
	struct grid *g;
	struct rect r;
	int y; /* next line, relative */
};

struct pen pen_at(struct grid *g, struct rect r);
bool pen_full(const struct pen *p);
void pen_line(struct pen *p, enum role role, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Wrapped over as many lines as needed, at most `lines` (0: no limit), indented. */
void pen_wrap(struct pen *p, enum role role, int indent, int lines, struct str s);
void pen_gap(struct pen *p);
/* "Label     value" with the label dim; an empty value shows "-". */
void pen_pair(struct pen *p, int label_cells, const char *label, enum role role, struct str value);

#endif
