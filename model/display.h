#ifndef MODEL_DISPLAY_H
#define MODEL_DISPLAY_H

/*
 * The border between bytes from outside and what people see. Whatever a cloud, a cluster, a file or
 * a user named may hold escape codes, overrides of direction or invisible characters; a screen, a
 * log or a printed table takes only a `struct display`, and only this module makes one.
 *
 * In display text
 *   what is not UTF-8 is U+FFFD;
 *   control characters are visible: ^[ for ESC, ^J for a line feed, ^? for DEL, <9B> for C1;
 *   characters that change or hide their neighbours (direction, zero width, tags, other ignorable
 *   ones, private use, noncharacters) are visible: <202E>; a joiner or a selector stays where it
 *   belongs, between the pictures of one emoji;
 *   at most 4 combining marks follow a character;
 *   what is longer than the limit ends in an ellipsis.
 * Nothing else changes; display text made again stays as it is.
 *
 * Widths are terminal cells from a table of our own, the same on every system and in every locale.
 *
 * Ownership: results live in the arena. Threads: pure.
 * Failure: without memory the result is empty and the arena has failed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/text.h"

struct arena;

struct display {
	struct str s; /* clean, one line */
};

enum { DISPLAY_MAX_CELLS = 4096, DISPLAY_MAX_MARKS = 4 };

/* Cut at DISPLAY_MAX_CELLS, or at max_cells (which counts the ellipsis). */
struct display display_from(struct arena *a, struct str bytes);
struct display display_cut(struct arena *a, struct str bytes, size_t max_cells);

/* Appends clean text and returns its width in cells. */
size_t display_add(struct text *out, struct str bytes, size_t max_cells);

/* The same for text of several lines: line feeds stay, tabs become spaces, no line is cut. */
void display_add_lines(struct text *out, struct str bytes);

/* Text of our own that needs no cleaning: literals and numbers. Borrows. */
struct display display_ours(const char *terminated);

/* Cells of display text, and of one character (0, 1 or 2). */
size_t display_width(struct display d);
int display_char_width(uint32_t c);

/*
 * The longest piece from the front that fits, whole characters with their marks only. *ret_cells is
 * its width.
 */
struct str display_fit(struct display d, size_t cells, size_t *ret_cells);

#endif
