#ifndef TUI_PANE_H
#define TUI_PANE_H

/*
 * The pane engine. A pane is a constant row of facts (struct pane): a column table over rows of the
 * fleet snapshot, or text. A view is one pane being looked at: its subject, cursor, marks, filter,
 * order. The engine selects, sorts, filters, draws and moves; it knows no pane by name.
 *
 * A view keeps row numbers only until the next snapshot; what it keeps across snapshots are keys
 * (names): the cursor follows its row, marks stay on theirs.
 *
 * Cells are produced on demand: for the rows on the screen, for the column that is sorted by, and
 * for those a filter names; so a frame costs the same with ten rows or ten thousand.
 *
 * Ownership: view_new / view_free; a view borrows the fleet from the console for the length of a
 * call. Threads: main only. Failure: without memory a view shows no rows and says so.
 * Limits: PANE_MAX_MARKS marks, FILTER_MAX bytes of filter.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/mem.h"
#include "model/fleet.h"
#include "tui/action.h"
#include "tui/filter.h"
#include "tui/grid.h"

struct console;
struct view;
struct reply;

enum { VIEW_KEY_MAX = 520, PANE_MAX_MARKS = 4096, CELL_BUF_MAX = 160, PANE_MAX_COLUMNS = 16 };

/* What one row is about, in the words of the store. Empty texts where there is none. */
struct subject {
	char kind[64], ns[254], name[254];
	char cluster[254], pool[254];
};

/* A cell: text (borrowed, or written into buf), the number to sort and filter by, a role. */
struct cell_out {
	char buf[CELL_BUF_MAX];
	struct str text;
	bool numeric;
	int64_t number;
	enum role role;
};

typedef void cell_fn(const struct view *v, size_t row, struct cell_out *out);

enum column_flags {
	COLUMN_RIGHT = 1 << 0, /* numbers */
	COLUMN_WIDE = 1 << 1,  /* only where there is room for it, or with `wide` */
	COLUMN_KEEP = 1 << 2,  /* never scrolled away: the name */
	COLUMN_DOWN = 1 << 3,  /* sorts the largest first */
};

struct column {
	const char *title;
	const char *name; /* in filters: "gpus>16" */
	int width;	  /* cells it wants */
	int least;	  /* cells it can live with; below that it is dropped */
	int order;	  /* 1 is dropped last */
	unsigned flags;
	cell_fn *cell;
	const char *help;
};

struct pane {
	const char *name;  /* "clusters": palette, scripts */
	const char *title; /* "Clusters" */
	const char *one;   /* "cluster" */
	unsigned gives;	   /* enum action_needs that its rows satisfy */
	const struct column *columns;
	size_t ncolumns;
	int sort;	   /* column by default; -1: the order of the rows */
	const char *empty; /* what to say without rows, and which key helps */

	/* ---- rows ---- */
	size_t (*count)(const struct view *v);
	void (*key)(const struct view *v, size_t row, struct text *out); /* unique and lasting */
	void (*subject)(const struct view *v, size_t row, struct subject *out);
	enum fleet_state (*state)(const struct view *v, size_t row);
	struct str (*labels)(const struct view *v, size_t row); /* may be NULL */
	bool (*skip)(const struct view *v, size_t row);		/* may be NULL: rows left out */
	void (*prepare)(struct view *v); /* may be NULL: before rows are counted */
	bool (*open)(struct console *c, struct view *v, size_t row); /* Enter */
	bool (*fold)(struct view *v, enum action_id id);	     /* trees */

	/* ---- what stands around the rows; each may be NULL ---- */
	void (*head)(const struct view *v, bool wide, struct text *out);
	void (*side)(const struct view *v, size_t row, struct pen *pen);
	int (*below_rows)(const struct view *v, int h);
	void (*below)(const struct view *v, size_t row, struct grid *g, struct rect r);

	/* ---- text panes: starts filling v->body, at once or by a request ---- */
	void (*load)(struct console *c, struct view *v);
};

struct view {
	const struct pane *pane;
	const struct fleet *fleet; /* borrowed, set by the console before each call; may be NULL */
	int64_t now_ms;
	struct subject subject; /* what it is about; empty for the whole fleet */
	char title[300];	/* of the breadcrumb */

	/* rows */
	struct arena *arena; /* of sort keys */
	uint32_t *rows;
	size_t nrows, cap;
	size_t total; /* before the filter */
	uint64_t revision;
	bool stale; /* rows must be selected again */
	size_t cursor, top;
	char cursor_key[VIEW_KEY_MAX];
	int sort;
	bool invert, wide, problems;
	int first_column;
	unsigned group;
	char filter[FILTER_MAX];
	struct filter compiled;
	struct error filter_err;
	uint64_t *marks; /* hashes of keys, sorted not needed: few */
	size_t nmarks, marks_cap;
	bool ranging;
	size_t range_from;
	uint64_t *folded; /* trees: hashes of keys */
	size_t nfolded, folded_cap;
	bool fold_ready;
	int page; /* rows on the screen, of the last frame */

	/* text */
	struct text body;
	size_t *lines; /* offsets */
	size_t nlines, lines_cap;
	int left;
	bool wrap;
	bool yaml; /* colour keys */
	char search[FILTER_MAX];
	uint64_t pending; /* request that fills the body; 0 none */
	bool loaded;
	struct error err;
};

struct view *view_new(const struct pane *p, const struct subject *about) MUST_CHECK;
void view_free(struct view *v);

/* Selects and sorts the rows again if the snapshot, filter or order changed. */
void view_refresh(struct view *v, const struct fleet *f, int64_t now_ms);
bool view_has_row(const struct view *v);
size_t view_row(const struct view *v); /* of the pane, under the cursor */
bool view_set_filter(struct view *v, const char *filter);
void view_move(struct view *v, enum action_id id);
void view_goto(struct view *v, size_t index);
/* Puts the cursor on the row with this key; false when it is not there. */
bool view_find_key(struct view *v, struct str key);
void view_mark(struct view *v, enum action_id id);
bool view_is_marked(const struct view *v, size_t row);
void view_clear_marks(struct view *v);
/* Keeps a set of hashed keys: marks and folds. */
uint64_t view_hash(struct str key);
bool view_in_set(const uint64_t *set, size_t n, uint64_t h);
bool view_toggle(uint64_t **set, size_t *n, size_t *cap, uint64_t h);

void view_draw(struct view *v, struct grid *g, struct rect r);
/* Text views. */
void view_set_body(struct view *v, struct str text);
void view_search(struct view *v, bool forward);

/* Column rows by name; -1 when there is none. */
int pane_column(const struct pane *p, struct str name);

/* Helpers for cell functions. */
void cell_str(struct cell_out *out, struct str s);
void cell_num(struct cell_out *out, int64_t n); /* "-" below zero */
void cell_state(struct cell_out *out, enum fleet_state s);
void cell_printf(struct cell_out *out, const char *fmt, ...) PRINTF_LIKE(2, 3);
enum role state_role(enum fleet_state s);
/* "[######..]" */
void gauge_format(int64_t part, int64_t whole, int cells, struct text *out);
void subject_set(char *field, size_t size, struct str s);

#endif
