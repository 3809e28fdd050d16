#include "tui/pane.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/text.h"

enum { SORT_ARENA_MAX = 256 * 1024 * 1024 };

/* ---- helpers for cells ---- */

void
cell_str(struct cell_out *out, struct str s)
{
	out->text = s.n > 0 ? s : STR("-");
}

void
cell_num(struct cell_out *out, int64_t n)
{
	char num[AGE_MAX];

	count_format(n, num);
	cell_printf(out, "%s", num);
	out->numeric = true;
	out->number = n;
}

void
cell_printf(struct cell_out *out, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(out->buf, sizeof(out->buf), fmt, args);
	va_end(args);
	if (n < 0)
		n = 0;
	if ((size_t)n >= sizeof(out->buf))
		n = (int)sizeof(out->buf) - 1;
	out->text = (struct str){ out->buf, (size_t)n };
}

/* clang-format off */
static const enum role state_roles[FLEET__MAX] = {
	[FLEET_BAD_POOL] = ROLE_BAD, [FLEET_ERROR] = ROLE_BAD, [FLEET_DEGRADED] = ROLE_BAD,
	[FLEET_DELETE_BLOCKED] = ROLE_BAD, [FLEET_NEEDS_CLASS] = ROLE_UNSURE,
	[FLEET_STALE] = ROLE_UNSURE, [FLEET_UNKNOWN] = ROLE_UNSURE, [FLEET_DELETING] = ROLE_LEAVE,
	[FLEET_DRAINING] = ROLE_DRAIN, [FLEET_CREATING] = ROLE_BUSY, [FLEET_INSTALLING] = ROLE_BUSY,
	[FLEET_UPDATING] = ROLE_BUSY, [FLEET_WAITING] = ROLE_WAIT, [FLEET_NEW] = ROLE_WAIT,
	[FLEET_CORDONED] = ROLE_DRAIN, [FLEET_DRAINED] = ROLE_DRAIN, [FLEET_READY] = ROLE_OK,
};
/* clang-format on */

enum role
state_role(enum fleet_state s)
{
	return s < FLEET__MAX ? state_roles[s] : ROLE_TEXT;
}

void
cell_state(struct cell_out *out, enum fleet_state s)
{
	cell_printf(out, "%s %s", fleet_state_mark(s), fleet_state_word(s));
	out->role = state_role(s);
}

void
gauge_format(int64_t part, int64_t whole, int cells, struct text *out)
{
	int64_t full = whole > 0 && part > 0 ? (part * cells + whole - 1) / whole : 0;

	if (part < whole && full >= cells)
		full = cells - 1;
	if (full > cells)
		full = cells;
	text_add_char(out, '[');
	for (int i = 0; i < cells; i++)
		text_add_char(out, i < full ? '#' : '.');
	text_add_char(out, ']');
}

void
subject_set(char *field, size_t size, struct str s)
{
	(void)snprintf(field, size, STR_FMT, STR_ARG(s));
}

int
pane_column(const struct pane *p, struct str name)
{
	for (size_t i = 0; i < p->ncolumns; i++)
		if (str_is(name, p->columns[i].name))
			return (int)i;
	return -1;
}

/* ---- views ---- */

struct view *
view_new(const struct pane *p, const struct subject *about)
{
	struct view *v = mem_new(sizeof(*v));

	if (v == NULL)
		return NULL;
	v->arena = arena_new(SORT_ARENA_MAX);
	if (v->arena == NULL) {
		mem_free(v);
		return NULL;
	}
	v->pane = p;
	v->sort = p->sort;
	v->stale = true;
	v->wrap = true;
	v->page = 10;
	v->body = (struct text)TEXT_INIT((size_t)8 * 1024 * 1024);
	if (about != NULL)
		v->subject = *about;
	return v;
}

void
view_free(struct view *v)
{
	if (v == NULL)
		return;
	filter_fini(&v->compiled);
	arena_free(v->arena);
	mem_free(v->rows);
	mem_free(v->marks);
	mem_free(v->folded);
	mem_free(v->lines);
	text_free(&v->body);
	mem_free(v);
}

uint64_t
view_hash(struct str key)
{
	uint64_t h = 14695981039346656037ULL; /* FNV-1a */

	for (size_t i = 0; i < key.n; i++)
		h = (h ^ (unsigned char)key.p[i]) * 1099511628211ULL;
	return h;
}

bool
view_in_set(const uint64_t *set, size_t n, uint64_t h)
{
	for (size_t i = 0; i < n; i++)
		if (set[i] == h)
			return true;
	return false;
}

bool
view_toggle(uint64_t **set, size_t *n, size_t *cap, uint64_t h)
{
	void *items = *set;

	for (size_t i = 0; i < *n; i++)
		if ((*set)[i] == h) {
			(*set)[i] = (*set)[--*n];
			return false;
		}
	if (*n == PANE_MAX_MARKS || !mem_grow(&items, cap, *n + 1, sizeof(**set)))
		return false;
	*set = items;
	(*set)[(*n)++] = h;
	return true;
}

static void
row_key(const struct view *v, size_t row, struct text *out)
{
	text_clear(out);
	v->pane->key(v, row, out);
}

static uint64_t
row_hash(const struct view *v, size_t row)
{
	struct text key = TEXT_INIT(VIEW_KEY_MAX);
	uint64_t h;

	row_key(v, row, &key);
	h = view_hash(text_str(&key));
	text_free(&key);
	return h;
}

bool
view_has_row(const struct view *v)
{
	return v->pane->columns != NULL && v->cursor < v->nrows;
}

size_t
view_row(const struct view *v)
{
	return v->rows[v->cursor];
}

/* ---- selecting and sorting ---- */

struct sort_key {
	int64_t number;
	struct str text;
	uint32_t row;
};

struct sort_order {
	bool numeric, down;
};

static int
compare_keys(const void *pa, const void *pb, void *context)
{
	const struct sort_key *a = pa;
	const struct sort_key *b = pb;
	const struct sort_order *o = context;
	int d;

	if (o->numeric)
		d = a->number < b->number ? -1 : a->number > b->number;
	else
		d = str_cmp(a->text, b->text);
	if (d != 0)
		return o->down ? -d : d;
	return a->row < b->row ? -1 : 1;
}

static bool
state_is_problem(enum fleet_state s)
{
	return fleet_state_weight(s) <= 2;
}

static bool
row_is_wanted(const struct view *v, size_t row)
{
	const struct pane *p = v->pane;

	if (v->problems && p->state != NULL && !state_is_problem(p->state(v, row)))
		return false;
	return v->compiled.n == 0 || filter_matches(&v->compiled, v, row);
}

static void
sort_rows(struct view *v)
{
	const struct column *col;
	struct sort_key *keys;
	struct sort_order order;

	if (v->sort < 0 || v->nrows < 2)
		return;
	col = &v->pane->columns[v->sort];
	arena_clear(v->arena);
	keys = arena_array(v->arena, v->nrows, sizeof(*keys));
	if (keys == NULL)
		return; /* the order of the snapshot is better than nothing */
	order.numeric = false;
	for (size_t i = 0; i < v->nrows; i++) {
		struct cell_out out;

		out.text = (struct str){ NULL, 0 };
		out.numeric = false;
		out.role = ROLE_TEXT;
		col->cell(v, v->rows[i], &out);
		keys[i].row = v->rows[i];
		keys[i].number = out.number;
		order.numeric = out.numeric;
		if (!out.numeric)
			keys[i].text =
			    out.text.p == out.buf ? str_copy(v->arena, out.text) : out.text;
	}
	order.down = ((col->flags & COLUMN_DOWN) != 0) != v->invert;
	qsort_r(keys, v->nrows, sizeof(*keys), compare_keys, &order);
	for (size_t i = 0; i < v->nrows; i++)
		v->rows[i] = keys[i].row;
}

static void
reverse_rows(struct view *v)
{
	for (size_t i = 0; i < v->nrows / 2; i++) {
		uint32_t t = v->rows[i];

		v->rows[i] = v->rows[v->nrows - 1 - i];
		v->rows[v->nrows - 1 - i] = t;
	}
}

static void
remember_cursor(struct view *v)
{
	struct text key = TEXT_INIT(VIEW_KEY_MAX);

	if (!view_has_row(v) || v->fleet == NULL)
		return;
	row_key(v, view_row(v), &key);
	(void)snprintf(v->cursor_key, sizeof(v->cursor_key), "%s", text_get(&key));
	text_free(&key);
}

bool
view_find_key(struct view *v, struct str key)
{
	struct text k = TEXT_INIT(VIEW_KEY_MAX);
	bool found = false;

	for (size_t i = 0; i < v->nrows && !found; i++) {
		row_key(v, v->rows[i], &k);
		if (!str_eq(text_str(&k), key))
			continue;
		v->cursor = i;
		found = true;
	}
	text_free(&k);
	if (found)
		remember_cursor(v);
	return found;
}

static void
select_rows(struct view *v)
{
	void *items = v->rows;
	size_t total = v->fleet != NULL ? v->pane->count(v) : 0;

	v->nrows = 0;
	v->total = 0;
	if (total > UINT32_MAX || !mem_grow(&items, &v->cap, total, sizeof(*v->rows)))
		return;
	v->rows = items;
	for (size_t i = 0; i < total; i++) {
		if (v->pane->skip != NULL && v->pane->skip(v, i))
			continue;
		v->total++;
		if (row_is_wanted(v, i))
			v->rows[v->nrows++] = (uint32_t)i;
	}
}

void
view_refresh(struct view *v, const struct fleet *f, int64_t now_ms)
{
	char key[VIEW_KEY_MAX];

	v->fleet = f;
	v->now_ms = now_ms;
	if (v->pane->columns == NULL)
		return;
	if (!v->stale && f != NULL && v->revision == f->revision)
		return;
	v->stale = f == NULL;
	v->revision = f != NULL ? f->revision : 0;
	(void)snprintf(key, sizeof(key), "%s", v->cursor_key);
	if (v->pane->prepare != NULL && f != NULL)
		v->pane->prepare(v);
	select_rows(v);
	if (v->sort >= 0)
		sort_rows(v);
	else if (v->invert)
		reverse_rows(v);
	if (key[0] != '\0' && view_find_key(v, str_from(key)))
		return;
	if (v->cursor >= v->nrows)
		v->cursor = v->nrows > 0 ? v->nrows - 1 : 0;
	remember_cursor(v);
}

bool
view_set_filter(struct view *v, const char *filter)
{
	struct filter f;

	(void)snprintf(v->filter, sizeof(v->filter), "%s", filter);
	error_clear(&v->filter_err);
	if (!filter_parse(v->pane, str_from(v->filter), &f, &v->filter_err))
		return false;
	filter_fini(&v->compiled);
	v->compiled = f;
	v->stale = true;
	return true;
}

/* ---- moving and marking ---- */

struct step {
	int pages2; /* half pages */
	int rows;
	bool used, top, bottom;
};

static const struct step steps[ACT__MAX] = {
	[ACT_UP] = { .used = true, .rows = -1 },
	[ACT_DOWN] = { .used = true, .rows = 1 },
	[ACT_HALF_UP] = { .used = true, .pages2 = -1 },
	[ACT_HALF_DOWN] = { .used = true, .pages2 = 1 },
	[ACT_PAGE_UP] = { .used = true, .pages2 = -2 },
	[ACT_PAGE_DOWN] = { .used = true, .pages2 = 2 },
	[ACT_TOP] = { .used = true, .top = true },
	[ACT_BOTTOM] = { .used = true, .bottom = true },
};

static size_t
stepped(const struct view *v, const struct step *s, size_t at, size_t n)
{
	int64_t to = (int64_t)at + s->rows + (int64_t)s->pages2 * (v->page > 1 ? v->page / 2 : 1);

	if (n == 0 || s->top || to < 0)
		return 0;
	if (s->bottom || to >= (int64_t)n)
		return n - 1;
	return (size_t)to;
}

static void
move_sideways(struct view *v, int by)
{
	if (v->pane->columns == NULL) {
		v->left += by * 20;
		if (v->left < 0)
			v->left = 0;
		return;
	}
	v->first_column += by;
	if (v->first_column < 0)
		v->first_column = 0;
	if (v->first_column > (int)v->pane->ncolumns - 2)
		v->first_column = (int)v->pane->ncolumns - 2;
	if (v->first_column < 0)
		v->first_column = 0;
}

void
view_move(struct view *v, enum action_id id)
{
	const struct step *s = &steps[id];

	if (id == ACT_LEFT || id == ACT_RIGHT) {
		move_sideways(v, id == ACT_LEFT ? -1 : 1);
		return;
	}
	if (!s->used)
		return;
	if (v->pane->columns == NULL) {
		v->top = stepped(v, s, v->top, v->nlines);
		return;
	}
	v->cursor = stepped(v, s, v->cursor, v->nrows);
	remember_cursor(v);
}

void
view_goto(struct view *v, size_t index)
{
	if (index < v->nrows) {
		v->cursor = index;
		remember_cursor(v);
	}
}

bool
view_is_marked(const struct view *v, size_t row)
{
	return v->nmarks > 0 && view_in_set(v->marks, v->nmarks, row_hash(v, row));
}

static void
mark_rows(struct view *v, size_t from, size_t to)
{
	for (size_t i = from; i <= to && i < v->nrows; i++)
		if (!view_is_marked(v, v->rows[i]))
			(void)view_toggle(
			    &v->marks, &v->nmarks, &v->marks_cap, row_hash(v, v->rows[i]));
}

void
view_mark(struct view *v, enum action_id id)
{
	if (id == ACT_MARK_ALL && v->nrows > 0) {
		mark_rows(v, 0, v->nrows - 1);
		return;
	}
	if (!view_has_row(v))
		return;
	if (id == ACT_RANGE && !v->ranging) {
		v->ranging = true;
		v->range_from = v->cursor;
		return;
	}
	if (id == ACT_RANGE) {
		size_t a = v->range_from < v->cursor ? v->range_from : v->cursor;
		size_t b = v->range_from < v->cursor ? v->cursor : v->range_from;

		mark_rows(v, a, b);
		v->ranging = false;
		return;
	}
	(void)view_toggle(&v->marks, &v->nmarks, &v->marks_cap, row_hash(v, view_row(v)));
	view_move(v, ACT_DOWN);
}

void
view_clear_marks(struct view *v)
{
	v->nmarks = 0;
	v->ranging = false;
}
