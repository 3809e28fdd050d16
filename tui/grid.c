#include "tui/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/text.h"

enum { ZERO_WIDTH_JOINER = 0x200D };

bool
grid_resize(struct grid *g, int w, int h, struct error *err)
{
	struct cell *cells;

	w = w < 1 ? 1 : w > GRID_MAX_W ? GRID_MAX_W : w;
	h = h < 1 ? 1 : h > GRID_MAX_H ? GRID_MAX_H : h;
	if (g->cells != NULL && g->w == w && g->h == h)
		return true;
	cells = mem_array((size_t)w * (size_t)h, sizeof(*cells));
	if (cells == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a screen of %dx%d", w, h);
	mem_free(g->cells);
	g->cells = cells;
	g->w = w;
	g->h = h;
	grid_clear(g);
	return true;
}

void
grid_fini(struct grid *g)
{
	mem_free(g->cells);
	memset(g, 0, sizeof(*g));
}

void
grid_clear(struct grid *g)
{
	size_t n = (size_t)g->w * (size_t)g->h;

	for (size_t i = 0; i < n; i++)
		g->cells[i] = (struct cell){ .ch = ' ', .role = ROLE_TEXT };
	g->cursor = false;
}

struct rect
grid_rect(const struct grid *g)
{
	return (struct rect){ 0, 0, g->w, g->h };
}

static struct cell *
cell_at(struct grid *g, int x, int y)
{
	if (x < 0 || y < 0 || x >= g->w || y >= g->h)
		return NULL;
	return &g->cells[(size_t)y * (size_t)g->w + (size_t)x];
}

/* Half of a wide character must not stay behind when the other half is overwritten. */
static void
cell_heal(struct grid *g, int x, int y)
{
	struct cell *c = cell_at(g, x, y);
	struct cell *left = cell_at(g, x - 1, y);
	struct cell *right = cell_at(g, x + 1, y);

	if (c == NULL)
		return;
	if (c->ch == 0 && left != NULL)
		left->ch = ' ';
	else if (cell_width(c->ch) == 2 && right != NULL && right->ch == 0)
		right->ch = ' ';
}

static void
cell_set(struct grid *g, int x, int y, uint32_t ch, enum role role)
{
	struct cell *c = cell_at(g, x, y);

	if (c == NULL)
		return;
	cell_heal(g, x, y);
	*c = (struct cell){ .ch = ch, .role = (uint8_t)role };
}

static void
cell_mark(struct grid *g, int x, int y, uint32_t ch)
{
	struct cell *c = cell_at(g, x, y);

	for (int i = 0; c != NULL && i < GRID_MAX_MARKS; i++)
		if (c->marks[i] == 0) {
			c->marks[i] = ch;
			return;
		}
}

static int
put_clipped(struct grid *g, int x, int y, int cells, enum role role, struct str s)
{
	int used = 0;
	uint32_t c = 0;

	while (cell_next(&s, &c)) {
		int w;

		if (c == ZERO_WIDTH_JOINER) /* terminals differ: the pictures stand side by side */
			continue;
		if (cell_is_unsafe(c))
			c = '?';
		w = cell_width(c);
		if (w == 0) {
			if (used > 0)
				cell_mark(g, x + used - 1, y, c);
			continue;
		}
		if (used + w > cells)
			break;
		if (w == 2 && x + used + 1 >= g->w)
			break;
		cell_set(g, x + used, y, c, role);
		if (w == 2)
			cell_set(g, x + used + 1, y, 0, role);
		if (w == 2)
			g->cells[(size_t)y * (size_t)g->w + (size_t)(x + used)].ch = c;
		used += w;
	}
	return used;
}

int
grid_put(struct grid *g, int x, int y, int cells, enum role role, struct str s)
{
	int used;

	if (y < 0 || y >= g->h || cells < 1 || x >= g->w || x < 0)
		return 0;
	if (cells > g->w - x)
		cells = g->w - x;
	if (cell_count(s) <= cells)
		return put_clipped(g, x, y, cells, role, s);
	if (cells < 4)
		return put_clipped(g, x, y, cells, role, s);
	used = put_clipped(g, x, y, cells - 2, role, s);
	return used + put_clipped(g, x + used, y, cells - used, role, STR(".."));
}

int
grid_puts(struct grid *g, int x, int y, int cells, enum role role, const char *s)
{
	return grid_put(g, x, y, cells, role, str_from(s));
}

static PRINTF_LIKE(2, 0) void
format(struct text *t, const char *fmt, va_list args)
{
	char buf[512];
	int n = vsnprintf(buf, sizeof(buf), fmt, args);

	if (n > 0)
		text_add(t, buf);
}

int
grid_printf(struct grid *g, int x, int y, int cells, enum role role, const char *fmt, ...)
{
	struct text t = TEXT_INIT(1024);
	va_list args;
	int used;

	va_start(args, fmt);
	format(&t, fmt, args);
	va_end(args);
	used = grid_put(g, x, y, cells, role, text_str(&t));
	text_free(&t);
	return used;
}

void
grid_put_right(struct grid *g, int x, int y, int cells, enum role role, struct str s)
{
	int n = cell_count(s);

	if (n >= cells)
		(void)grid_put(g, x, y, cells, role, s);
	else
		(void)grid_put(g, x + cells - n, y, n, role, s);
}

void
grid_fill(struct grid *g, int x, int y, int cells, enum role role, char c)
{
	for (int i = 0; i < cells; i++)
		cell_set(g, x + i, y, (uint32_t)(unsigned char)c, role);
}

void
grid_attr(struct grid *g, int x, int y, int cells, unsigned attr)
{
	for (int i = 0; i < cells; i++) {
		struct cell *c = cell_at(g, x + i, y);

		if (c != NULL)
			c->attr |= (uint8_t)attr;
	}
}

void
grid_role(struct grid *g, int x, int y, int cells, enum role role)
{
	for (int i = 0; i < cells; i++) {
		struct cell *c = cell_at(g, x + i, y);

		if (c != NULL && c->role == ROLE_TEXT)
			c->role = (uint8_t)role;
	}
}

void
grid_rule(struct grid *g, int x, int y, int cells, const char *title)
{
	int used = 0;

	grid_fill(g, x, y, cells, ROLE_RULE, '-');
	if (title != NULL && title[0] != '\0' && cells > 8) {
		used = grid_puts(g, x + 3, y, cells - 5, ROLE_SECTION, title);
		grid_fill(g, x + 2, y, 1, ROLE_RULE, ' ');
		grid_fill(g, x + 3 + used, y, 1, ROLE_RULE, ' ');
	}
}

void
grid_cursor(struct grid *g, int x, int y)
{
	if (x < 0 || y < 0 || x >= g->w || y >= g->h)
		return;
	g->cursor = true;
	g->cursor_x = x;
	g->cursor_y = y;
}

static void
add_utf8(struct text *out, uint32_t c)
{
	char b[4];
	size_t n;

	if (c < 0x80) {
		text_add_char(out, (char)c);
		return;
	}
	if (c < 0x800) {
		b[0] = (char)(0xC0 | c >> 6);
		b[1] = (char)(0x80 | (c & 0x3F));
		n = 2;
	} else if (c < 0x10000) {
		b[0] = (char)(0xE0 | c >> 12);
		b[1] = (char)(0x80 | (c >> 6 & 0x3F));
		b[2] = (char)(0x80 | (c & 0x3F));
		n = 3;
	} else {
		b[0] = (char)(0xF0 | c >> 18);
		b[1] = (char)(0x80 | (c >> 12 & 0x3F));
		b[2] = (char)(0x80 | (c >> 6 & 0x3F));
		b[3] = (char)(0x80 | (c & 0x3F));
		n = 4;
	}
	text_add_str(out, (struct str){ b, n });
}

void
grid_dump(const struct grid *g, struct text *out)
{
	for (int y = 0; y < g->h; y++) {
		const struct cell *row = &g->cells[(size_t)y * (size_t)g->w];
		int end = g->w;

		while (end > 0 && row[end - 1].ch == ' ')
			end--;
		for (int x = 0; x < end; x++) {
			if (row[x].ch == 0)
				continue;
			add_utf8(out, row[x].ch);
			for (int m = 0; m < GRID_MAX_MARKS && row[x].marks[m] != 0; m++)
				add_utf8(out, row[x].marks[m]);
		}
		text_add_char(out, '\n');
	}
}

struct pen
pen_at(struct grid *g, struct rect r)
{
	return (struct pen){ .g = g, .r = r };
}

bool
pen_full(const struct pen *p)
{
	return p->y >= p->r.h;
}

void
pen_line(struct pen *p, enum role role, const char *fmt, ...)
{
	struct text t = TEXT_INIT(1024);
	va_list args;

	if (pen_full(p))
		return;
	va_start(args, fmt);
	format(&t, fmt, args);
	va_end(args);
	(void)grid_put(p->g, p->r.x, p->r.y + p->y, p->r.w, role, text_str(&t));
	p->y++;
	text_free(&t);
}

void
pen_wrap(struct pen *p, enum role role, int indent, int lines, struct str s)
{
	struct str line;

	for (int n = 1; !pen_full(p); n++) {
		if (lines > 0 && n == lines) { /* the last one shows that there is more */
			if (s.n > 0) {
				ptrdiff_t nl = str_find_char(s, '\n');

				if (nl >= 0)
					s = str_sub(s, 0, (size_t)nl);
				(void)grid_put(
				    p->g, p->r.x + indent, p->r.y + p->y, p->r.w - indent, role, s);
				p->y++;
			}
			return;
		}
		if (!cell_wrap(&s, p->r.w - indent, &line))
			return;
		(void)grid_put(p->g, p->r.x + indent, p->r.y + p->y, p->r.w - indent, role, line);
		p->y++;
	}
}

void
pen_gap(struct pen *p)
{
	p->y++;
}

void
pen_pair(struct pen *p, int label_cells, const char *label, enum role role, struct str value)
{
	if (pen_full(p))
		return;
	(void)grid_puts(p->g, p->r.x, p->r.y + p->y, label_cells, ROLE_DIM, label);
	(void)grid_put(p->g, p->r.x + label_cells, p->r.y + p->y, p->r.w - label_cells, role,
	    value.n > 0 ? value : STR("-"));
	p->y++;
}
