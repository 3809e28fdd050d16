#ifndef TUI_TEXT_H
#define TUI_TEXT_H

/*
 * Text measured in cells, the unit a terminal counts in: most characters take one, East Asian wide
 * ones and emoji two, combining marks none (model/display.h has the table). Bytes that are no UTF-8
 * count as one cell each (drawn as '?').
 *
 * Also the few ways a console writes numbers for people: ages, durations, clock times.
 *
 * Ownership: pieces are borrowed from the argument. Threads: pure.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/text.h"

int cell_width(uint32_t c); /* 0, 1 or 2 */
/* True for what must never reach a terminal as it is: controls, bidirectional marks, tags. */
bool cell_is_unsafe(uint32_t c);
/* Takes the next character off *rest: false at the end. Bad bytes come out as U+FFFD. */
bool cell_next(struct str *rest, uint32_t *ret_char);
int cell_count(struct str s);
/* The longest prefix of at most `cells` cells. */
struct str cell_clip(struct str s, int cells);
/* Takes one line of at most `cells` off *rest, broken at a space if there is one, or at '\n'. */
bool cell_wrap(struct str *rest, int cells, struct str *ret_line);
int cell_wrap_count(struct str s, int cells);

enum { AGE_MAX = 24 };

/* "41d", "9m", "12s"; "-" when unknown (then or now is 0). Coarse: it changes rarely. */
void age_format(int64_t now_ms, int64_t then_ms, char out[AGE_MAX]);
/* "4m10s", "1h02m" */
void elapsed_format(int64_t ms, char out[AGE_MAX]);
/* "12:41:07" in UTC, or "12:41" */
void clock_format(int64_t ms, bool seconds, char out[AGE_MAX]);
/* "17", or "-" for a negative (unknown) number. */
void count_format(int64_t n, char out[AGE_MAX]);

#endif
