/* Drawing a view: which columns fit, the rows on the screen, text. Pure arithmetic and cells. */
#include <string.h>

#include "tui/pane.h"
#include "tui/text.h"

enum { GUTTER = 2, GAP = 1 };

struct layout {
	int width[PANE_MAX_COLUMNS]; /* 0: not shown */
};

/* Drops what has the highest order until the least widths fit. */
static void
drop_columns(const struct view *v, struct layout *l, int cells)
{
	const struct pane *p = v->pane;

	for (;;) {
		int sum = 0;
		int worst = -1;

		for (size_t i = 0; i < p->ncolumns; i++) {
			if (l->width[i] == 0)
				continue;
			sum += p->columns[i].least + GAP;
			if (worst < 0 || p->columns[i].order > p->columns[worst].order)
				worst = (int)i;
		}
		if (sum - GAP <= cells || worst < 0 || p->columns[worst].order <= 1)
			return;
		l->width[worst] = 0;
	}
}

static void
layout_columns(const struct view *v, int cells, struct layout *l)
{
	const struct pane *p = v->pane;
	int spare = cells;
	int shown = 0;

	memset(l, 0, sizeof(*l));
	for (size_t i = 0; i < p->ncolumns; i++) {
		const struct column *c = &p->columns[i];

		if ((c->flags & COLUMN_WIDE) != 0 && !v->wide && cells < 110)
			continue;
		if ((int)i < v->first_column && (c->flags & COLUMN_KEEP) == 0)
			continue;
		l->width[i] = c->least;
	}
	drop_columns(v, l, cells);
	for (size_t i = 0; i < p->ncolumns; i++)
		if (l->width[i] > 0) {
			spare -= l->width[i] + (shown > 0 ? GAP : 0);
			shown++;
		}
	/* what is left goes to the columns that want more, most important first */
	for (int order = 1; order <= (int)p->ncolumns && spare > 0; order++)
		for (size_t i = 0; i < p->ncolumns; i++) {
			int more = p->columns[i].width - l->width[i];

			if (l->width[i] == 0 || p->columns[i].order != order || more <= 0)
				continue;
			more = more < spare ? more : spare;
			l->width[i] += more;
			spare -= more;
		}
}

static void
draw_titles(const struct view *v, const struct layout *l, struct grid *g, struct rect r)
{
	int x = r.x + GUTTER;

	for (size_t i = 0; i < v->pane->ncolumns; i++) {
		const struct column *c = &v->pane->columns[i];
		struct text t = TEXT_INIT(64);

		if (l->width[i] == 0)
			continue;
		text_add(&t, c->title);
		if ((int)i == v->sort)
			text_add_char(&t, ((c->flags & COLUMN_DOWN) != 0) != v->invert ? 'v' : '^');
		if (c->flags & COLUMN_RIGHT)
			grid_put_right(g, x, r.y, l->width[i], ROLE_COLUMN, text_str(&t));
		else
			(void)grid_put(g, x, r.y, l->width[i], ROLE_COLUMN, text_str(&t));
		x += l->width[i] + GAP;
		text_free(&t);
	}
}

static void
draw_row(const struct view *v, const struct layout *l, size_t row, struct grid *g, struct rect r)
{
	int x = r.x + GUTTER;

	for (size_t i = 0; i < v->pane->ncolumns; i++) {
		const struct column *c = &v->pane->columns[i];
		struct cell_out out;

		if (l->width[i] == 0)
			continue;
		out.text = (struct str){ NULL, 0 };
		out.numeric = false;
		out.role = ROLE_TEXT;
		c->cell(v, row, &out);
		if (c->flags & COLUMN_RIGHT)
			grid_put_right(g, x, r.y, l->width[i], out.role, out.text);
		else
			(void)grid_put(g, x, r.y, l->width[i], out.role, out.text);
		x += l->width[i] + GAP;
	}
}

static void
scroll_to_cursor(struct view *v, int rows)
{
	size_t n = rows > 0 ? (size_t)rows : 1;

	v->page = rows > 0 ? rows : 1;
	if (v->cursor < v->top)
		v->top = v->cursor;
	if (v->cursor >= v->top + n)
		v->top = v->cursor - n + 1;
	if (v->nrows <= n)
		v->top = 0;
	else if (v->top + n > v->nrows)
		v->top = v->nrows - n;
}

static bool
in_range(const struct view *v, size_t i)
{
	if (!v->ranging)
		return false;
	return (i >= v->range_from && i <= v->cursor) || (i >= v->cursor && i <= v->range_from);
}

static void
draw_empty(const struct view *v, struct grid *g, struct rect r)
{
	struct pen pen = pen_at(g, (struct rect){ r.x + GUTTER, r.y, r.w - GUTTER, r.h });

	if (v->fleet == NULL)
		pen_line(&pen, ROLE_DIM, "reading the fleet ...");
	else if (v->total > 0)
		pen_line(&pen, ROLE_DIM, "none of %zu %s rows passes%s%s   esc shows all", v->total,
		    v->pane->one, v->problems ? " 'problems only'" : "",
		    v->filter[0] != '\0' ? " the filter" : "");
	else
		pen_wrap(&pen, ROLE_DIM, 0, 0, str_from(v->pane->empty));
}

static void
draw_rows(struct view *v, struct grid *g, struct rect r)
{
	struct layout l;
	struct rect line = { r.x, r.y, r.w, 1 };

	layout_columns(v, r.w - GUTTER, &l);
	draw_titles(v, &l, g, r);
	if (v->nrows == 0) {
		draw_empty(v, g, (struct rect){ r.x, r.y + 1, r.w, r.h - 1 });
		return;
	}
	scroll_to_cursor(v, r.h - 1);
	for (size_t i = v->top; i < v->nrows && line.y + 1 < r.y + r.h; i++) {
		size_t row = v->rows[i];

		line.y++;
		draw_row(v, &l, row, g, line);
		if (view_is_marked(v, row) || in_range(v, i)) {
			(void)grid_puts(g, r.x, line.y, 1, ROLE_MARKED, "*");
			grid_role(g, r.x + GUTTER, line.y, r.w - GUTTER, ROLE_MARKED);
		}
		if (i == v->cursor) {
			(void)grid_puts(g, r.x, line.y, 1, ROLE_CURSOR, ">");
			grid_attr(g, r.x, line.y, r.w, ATTR_BOLD);
			grid_role(g, r.x + GUTTER, line.y, r.w - GUTTER, ROLE_CURSOR);
		}
	}
}

/* ---- text ---- */

static struct str
line_get(const struct view *v, size_t i)
{
	struct str s = str_sub(text_str(&v->body), v->lines[i], v->body.n);
	ptrdiff_t nl = str_find_char(s, '\n');

	return nl >= 0 ? str_sub(s, 0, (size_t)nl) : s;
}

void
view_set_body(struct view *v, struct str text)
{
	void *items = v->lines;

	text_clear(&v->body);
	text_add_str(&v->body, text);
	v->nlines = 0;
	for (size_t i = 0; i <= v->body.n; i++) {
		if (i > 0 && v->body.p[i - 1] != '\n')
			continue;
		if (i == v->body.n && i > 0)
			break;
		if (!mem_grow(&items, &v->lines_cap, v->nlines + 1, sizeof(*v->lines)))
			break;
		v->lines = items;
		v->lines[v->nlines++] = i;
	}
	v->loaded = true;
	if (v->top >= v->nlines)
		v->top = 0;
}

void
view_search(struct view *v, bool forward)
{
	struct str want = str_from(v->search);

	if (want.n == 0)
		return;
	for (size_t n = 1; n <= v->nlines; n++) {
		size_t i =
		    forward ? (v->top + n) % v->nlines : (v->top + v->nlines - n) % v->nlines;

		if (text_has_nocase(line_get(v, i), want)) {
			v->top = i;
			return;
		}
	}
}

static void
mark_matches(const struct view *v, struct grid *g, struct rect r, struct str line)
{
	struct str want = str_from(v->search);

	if (want.n == 0)
		return;
	for (size_t i = 0; i + want.n <= line.n; i++) {
		if (!str_eq_nocase(str_sub(line, i, want.n), want))
			continue;
		grid_attr(g, r.x + cell_count(str_sub(line, 0, i)), r.y,
		    cell_count(str_sub(line, i, want.n)), ATTR_REVERSE);
	}
}

/* "  key: value" with the key in a role of its own. */
static void
draw_yaml(struct grid *g, struct rect r, struct str line)
{
	ptrdiff_t colon = str_find_char(line, ':');
	size_t n = 0;

	(void)grid_put(g, r.x, r.y, r.w, ROLE_TEXT, line);
	while (n < line.n && (line.p[n] == ' ' || line.p[n] == '-'))
		n++;
	if (n < line.n && line.p[n] == '#')
		grid_role(g, r.x, r.y, r.w, ROLE_DIM);
	else if (colon > 0 && ((size_t)colon + 1 == line.n || line.p[colon + 1] == ' '))
		grid_role(g, r.x + (int)n, r.y, (int)colon - (int)n + 1, ROLE_CODE);
}

static void
draw_text_line(const struct view *v, struct grid *g, struct rect r, struct str line, bool title)
{
	if (v->yaml)
		draw_yaml(g, r, line);
	else
		(void)grid_put(g, r.x, r.y, r.w, title ? ROLE_SECTION : ROLE_TEXT, line);
	mark_matches(v, g, r, line);
}

/* Words in capitals at the left edge are titles of sections. */
static bool
is_title(struct str line)
{
	size_t letters = 0;

	if (line.n < 3 || line.p[0] == ' ')
		return false;
	for (size_t i = 0; i < line.n; i++) {
		if (line.p[i] >= 'a' && line.p[i] <= 'z')
			return false;
		if (line.p[i] >= 'A' && line.p[i] <= 'Z')
			letters++;
	}
	return letters > 1;
}

static void
draw_text(struct view *v, struct grid *g, struct rect r)
{
	int y = 0;
	struct rect line = { r.x + 1, r.y, r.w - 2, 1 };

	v->page = r.h > 0 ? r.h : 1;
	if (v->err.code != ERR_NONE) {
		struct pen pen = pen_at(g, (struct rect){ r.x + 1, r.y, r.w - 2, r.h });

		pen_wrap(&pen, ROLE_BAD, 0, 0, str_from(v->err.message));
		pen_wrap(&pen, ROLE_DIM, 0, 0, str_from(error_advice(&v->err)));
		return;
	}
	if (!v->loaded) {
		(void)grid_puts(g, r.x + 1, r.y, r.w - 1, ROLE_DIM, "reading ...");
		return;
	}
	for (size_t i = v->top; i < v->nlines && y < r.h; i++) {
		struct str rest = line_get(v, i);
		struct str piece;
		bool title = is_title(rest);

		if (rest.n == 0) {
			y++;
			continue;
		}
		if (!v->wrap) {
			line.y = r.y + y++;
			draw_text_line(v, g, line, str_sub(rest, (size_t)v->left, rest.n), title);
			continue;
		}
		while (y < r.h && cell_wrap(&rest, line.w, &piece)) {
			line.y = r.y + y++;
			draw_text_line(v, g, line, piece, title);
		}
	}
}

void
view_draw(struct view *v, struct grid *g, struct rect r)
{
	if (r.w < 1 || r.h < 1)
		return;
	if (v->pane->columns != NULL)
		draw_rows(v, g, r);
	else
		draw_text(v, g, r);
}
