#ifndef TUI_CLI_TABLE_H
#define TUI_CLI_TABLE_H

/*
 * Text tables as kubectl prints them: a line of titles, then rows, columns three spaces apart, the
 * last one not padded. Cells are display-cleaned here, and widths are terminal cells.
 *
 * Ownership: everything lives in the arena. Threads: main only.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/text.h"

struct arena;

enum { TABLE_MAX_COLUMNS = 24 };

struct table {
	struct arena *arena;
	size_t ncolumns;
	const char *titles[TABLE_MAX_COLUMNS];
	size_t least[TABLE_MAX_COLUMNS]; /* widths, at least: what was printed before */
	struct str *cells;		 /* row after row */
	size_t ncells, cap;
};

void table_init(struct table *t, struct arena *a);
void table_column(struct table *t, const char *title);
void table_cell(struct table *t, struct str value); /* empty is shown as "-" */
void table_cellz(struct table *t, const char *value);
void table_cell_int(struct table *t, int64_t value); /* negative: unknown, "-" */
/* "ready/wanted"; a part that is not known is "-". */
void table_cell_ratio(struct table *t, int64_t part, int64_t whole);
/* Widens t->least to what the titles and cells need. */
void table_measure(struct table *t, bool header);
/* Prints to standard output. With titles when `header`. Measures first. */
void table_print(struct table *t, bool header);

#endif
