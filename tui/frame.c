/*
 * What stands around the rows: header, side detail, strips, breadcrumb, hints. Sizes only decide
 * what is left out: first the operations strip and the detail, then the most urgent, then hints,
 * and at last the titles; name and state stay to the end.
 */
#include <stdio.h>
#include <string.h>

#include "tui/console.h"
#include "tui/text.h"

enum {
	SIDE_FROM_W = 120, /* side detail */
	SIDE_W = 50,
	OPS_FROM_H = 30,
	OPS_MAX = 4,
	URGENT_FROM_H = 14,
	BELOW_FROM_H = 16,
	FOOT_FROM_H = 6,
};

/* ---- header ---- */

static const char *
lock_chip(const struct console *c, enum role *ret_role)
{
	if (!console_can_write(c)) {
		*ret_role = ROLE_LOCK;
		return "[READ-ONLY]";
	}
	if (c->fleet != NULL && c->fleet->prod) {
		*ret_role = ROLE_PROD;
		return "[PROD RW]";
	}
	*ret_role = ROLE_CHIP;
	return "[RW]";
}

static void
freshness(const struct console *c, struct text *out)
{
	char age[AGE_MAX];

	if (c->fleet == NULL) {
		text_add(out, "reading");
		return;
	}
	if (c->paused) {
		text_add(out, "PAUSED");
		return;
	}
	age_format(c->now_ms, c->fleet->oldest_ms, age);
	if (!c->fleet->connected)
		text_printf(out, "LOST %s", age);
	else if (c->now_ms - c->fleet->oldest_ms >
		     (int64_t)(60000 * (c->speed > 1 ? c->speed : 1)) &&
		 c->fleet->oldest_ms > 0)
		text_printf(out, "old %s", age);
	else
		text_add(out, "live");
}

void
frame_header(struct console *c, struct grid *g, const char *title, const char *right)
{
	struct text end = TEXT_INIT(400);
	char clock[AGE_MAX];
	const char *chip;
	enum role role = ROLE_CHIP;
	int x = 0;
	int used;

	grid_fill(g, 0, 0, g->w, ROLE_HEADER, ' ');
	if (c->practice || (c->fleet != NULL && c->fleet->practice)) {
		x += grid_puts(g, x, 0, g->w, ROLE_BANNER, " PRACTICE ");
		x++;
	} else {
		x = 1;
	}
	if (c->fleet != NULL && !(c->fleet->practice && str_is(c->fleet->profile, "practice")) &&
	    g->w >= 60)
		x += grid_put(g, x, 0, 20, ROLE_HEADER, c->fleet->profile) + 1;
	if (c->fleet != NULL && g->w >= SIDE_FROM_W && c->fleet->context.n > 0) {
		x += grid_puts(g, x, 0, 5, ROLE_DIM, "ctx ");
		x += grid_put(g, x, 0, 28, ROLE_HEADER, c->fleet->context) + 1;
	}
	chip = lock_chip(c, &role);
	x += grid_puts(g, x, 0, g->w - x, role, chip) + 2;
	text_add(&end, right);
	text_add(&end, end.n > 0 ? "   " : "");
	freshness(c, &end);
	clock_format(c->now_ms, false, clock);
	text_printf(&end, "  %sZ ", clock);
	used = cell_count(text_str(&end));
	if (x + cell_count(str_from(title)) + 2 + used > g->w) { /* narrow: age and clock alone */
		text_clear(&end);
		freshness(c, &end);
		text_printf(&end, "  %sZ ", clock);
		used = cell_count(text_str(&end));
	}
	if (g->w - x > 4)
		x += grid_puts(g, x, 0, g->w - x > used + 6 ? g->w - x - used - 1 : g->w - x,
		    ROLE_TITLE, title);
	if (x + used <= g->w)
		grid_put_right(g, x, 0, g->w - x, ROLE_HEADER, text_str(&end));
	text_free(&end);
}

/* ---- hints ---- */

void
frame_hints(struct grid *g, int y, const char *hints)
{
	struct str rest = str_from(hints);
	struct str hint;
	int x = 1;

	if (y < 0 || y >= g->h)
		return;
	while (str_split(&rest, '|', &hint)) {
		ptrdiff_t space = str_find_char(hint, ' ');
		int n = cell_count(hint);

		if (space < 0 || x + n > g->w)
			continue;
		(void)grid_put(g, x, y, g->w - x, ROLE_DIM, hint);
		for (int i = 0; i < (int)space && x + i < g->w; i++)
			g->cells[(size_t)y * (size_t)g->w + (size_t)(x + i)].role = ROLE_KEY;
		x += n + (g->w >= 100 ? 3 : 2);
	}
}

struct hint {
	const char *word;
	enum action_id id;
	bool wide;
};

/* In the order in which they are shown. */
static const struct hint hints[] = {
	{ "help", ACT_HELP, false },
	{ "go", ACT_PALETTE, false },
	{ "filter", ACT_FILTER, false },
	{ "mark", ACT_MARK, true },
	{ "open", ACT_OPEN, false },
	{ "group", ACT_GROUP, false },
	{ "fold", ACT_FOLD, false },
	{ "fold ready", ACT_FOLD_READY, true },
	{ "next", ACT_NEXT_MATCH, false },
	{ "wrap", ACT_WRAP, false },
	{ "tree", ACT_TREE, true },
	{ "why", ACT_WHY, true },
	{ "events", ACT_EVENTS, true },
	{ "describe", ACT_DESCRIBE, true },
	{ "yaml", ACT_YAML, true },
	{ "problems", ACT_PROBLEMS, true },
	{ "new", ACT_NEW, false },
	{ "scale", ACT_SCALE, false },
	{ "taint", ACT_TAINT, false },
	{ "del", ACT_DELETE, false },
	{ "back", ACT_BACK, false },
};

static void
pane_hints(struct console *c, struct grid *g, int y)
{
	const struct view *v = console_view(c);
	struct text t = TEXT_INIT(600);

	for (size_t i = 0; i < ARRAY_LEN(hints); i++) {
		struct text key = TEXT_INIT(32);

		if ((hints[i].wide && g->w < 110) || !action_fits(v, hints[i].id) ||
		    ((action_get(hints[i].id)->needs & NEED_WRITE) != 0 && !console_can_write(c)))
			continue;
		if (hints[i].id == ACT_NEW && v->pane->columns == NULL)
			continue;
		if (hints[i].id == ACT_BACK && c->nviews == 1)
			continue;
		keymap_keys(&c->config.keys, hints[i].id, 1, &key);
		if (key.n > 0)
			text_printf(
			    &t, "%s%s %s", t.n > 0 ? "|" : "", text_get(&key), hints[i].word);
		text_free(&key);
	}
	frame_hints(g, y, text_get(&t));
	text_free(&t);
}

/* ---- breadcrumb ---- */

static void
add_rows(const struct view *v, struct text *out)
{
	size_t last = v->top + (size_t)v->page;

	if (v->nrows == 0)
		text_printf(out, "   0 of %zu", v->total);
	else
		text_printf(out, "   %zu-%zu of %zu", v->top + 1, last < v->nrows ? last : v->nrows,
		    v->nrows);
	if (v->nrows < v->total && v->nrows > 0)
		text_printf(out, " (%zu in all)", v->total);
}

/* Filter, marks, order. */
static void
add_selection(const struct view *v, int w, struct text *out)
{
	if (v->filter[0] != '\0')
		text_printf(out, "   filter: %s", v->filter);
	if (v->filter_err.code != ERR_NONE)
		text_printf(out, " (%s)", v->filter_err.message);
	if (v->problems)
		text_add(out, "   problems only");
	if (v->nmarks > 0)
		text_printf(out, "   marked %zu", v->nmarks);
	if (v->ranging)
		text_add(out, "   range: v ends it");
	if (v->sort >= 0 && w >= 100)
		text_printf(out, "   sort %s%s", v->pane->columns[v->sort].title,
		    v->invert ? " inverted" : "");
}

static void
breadcrumb(struct console *c, struct grid *g, int y)
{
	struct view *v = console_view(c);
	struct text t = TEXT_INIT(900);

	if (console_toast_shown(c)) {
		(void)grid_puts(g, 1, y, g->w - 2, c->toast_role, c->toast);
		return;
	}
	for (size_t i = 0; i < c->nviews; i++)
		text_printf(&t, "%s%s", i > 0 ? " > " : "",
		    c->views[i]->title[0] != '\0' ? c->views[i]->title : c->views[i]->pane->title);
	if (v->pane->columns == NULL) {
		text_printf(&t, "   line %zu of %zu%s%s", v->nlines > 0 ? v->top + 1 : 0, v->nlines,
		    v->search[0] != '\0' ? "   search: " : "", v->search);
	} else {
		add_selection(v, g->w, &t);
		add_rows(v, &t);
	}
	(void)grid_put(g, 1, y, g->w - 2, ROLE_DIM, text_str(&t));
	text_free(&t);
}

/* ---- strips ---- */

static void
urgent_line(const struct console *c, const struct fleet_urgent *u, struct pen *pen, int lines)
{
	struct text t = TEXT_INIT(1200);
	char age[AGE_MAX];
	int y = pen->r.y + pen->y;

	age_format(c->now_ms, u->since_ms, age);
	text_printf(&t, "%s " STR_FMT ": " STR_FMT, fleet_state_mark(u->state), STR_ARG(u->object),
	    STR_ARG(u->text));
	if (u->since_ms > 0)
		text_printf(&t, " (%s)", age);
	if (u->next.n > 0)
		text_printf(&t, "  " STR_FMT, STR_ARG(u->next));
	pen_wrap(pen, ROLE_TEXT, 0, lines, text_str(&t));
	for (int x = 0; x < 2; x++)
		if (y < pen->g->h && pen->r.x + x < pen->g->w)
			pen->g->cells[(size_t)y * (size_t)pen->g->w + (size_t)(pen->r.x + x)].role =
			    (uint8_t)state_role(u->state);
	text_free(&t);
}

static void
urgent(const struct console *c, struct grid *g, struct rect r)
{
	struct pen pen = pen_at(g, (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 1 });

	grid_rule(g, r.x, r.y, r.w, "most urgent");
	if (c->fleet == NULL)
		return;
	if (c->fleet->nurgent == 0) {
		pen_line(&pen, ROLE_DIM, "nothing needs you now");
		return;
	}
	for (size_t i = 0; i < c->fleet->nurgent && !pen_full(&pen); i++)
		urgent_line(c, &c->fleet->urgent[i], &pen, r.h - 1 > 2 || r.w >= 120 ? 1 : 2);
}

static bool
is_operation(const struct fleet_cluster *k)
{
	int w = fleet_state_weight(k->state);

	return w >= 3 && w <= 5;
}

static size_t
operations_count(const struct console *c)
{
	size_t n = 0;

	for (size_t i = 0; c->fleet != NULL && i < c->fleet->nclusters; i++)
		n += is_operation(&c->fleet->clusters[i]) ? 1 : 0;
	return n;
}

static void
operations(const struct console *c, struct grid *g, struct rect r)
{
	char title[64];
	int y = r.y + 1;

	(void)snprintf(title, sizeof(title), "operations (%zu)", operations_count(c));
	grid_rule(g, r.x, r.y, r.w, title);
	for (size_t i = 0; i < c->fleet->nclusters && y < r.y + r.h; i++) {
		const struct fleet_cluster *k = &c->fleet->clusters[i];
		struct text t = TEXT_INIT(64);
		char age[AGE_MAX];
		int x = r.x + 1;

		if (!is_operation(k))
			continue;
		elapsed_format(c->now_ms - k->state_since_ms, age);
		(void)grid_put(g, x, y, 20, ROLE_TEXT, k->name);
		x += 21;
		(void)grid_printf(g, x, y, 13, state_role(k->state), "%s %s",
		    fleet_state_mark(k->state), fleet_state_word(k->state));
		x += 14;
		(void)grid_printf(g, x, y, 32, ROLE_TEXT, "step %lld/%lld " STR_FMT,
		    (long long)k->steps_done, (long long)k->steps_total, STR_ARG(k->step));
		x += 33;
		gauge_format(k->steps_done, k->steps_total, 16, &t);
		(void)grid_put(g, x, y, 18, ROLE_GAUGE, text_str(&t));
		x += 19;
		if (k->state_since_ms > 0)
			(void)grid_printf(g, x, y, 14, ROLE_TEXT, "for %s", age);
		x += 12;
		(void)grid_put(g, x, y, r.x + r.w - x - 1, ROLE_DIM, k->message);
		text_free(&t);
		y++;
	}
}

/* ---- all together ---- */

static void
side(const struct view *v, struct grid *g, struct rect r)
{
	struct pen pen = pen_at(g, (struct rect){ r.x + 2, r.y, r.w - 2, r.h });

	for (int y = 0; y < r.h; y++)
		(void)grid_puts(g, r.x, r.y + y, 1, ROLE_RULE, "|");
	if (view_has_row(v))
		v->pane->side(v, view_row(v), &pen);
}

static void
title_line(struct console *c, struct grid *g)
{
	const struct view *v = console_view(c);
	struct text title = TEXT_INIT(400);
	struct text right = TEXT_INIT(400);

	text_add(&title, v->title[0] != '\0' ? v->title : v->pane->title);
	if (v->pane->columns != NULL)
		text_printf(&title, " %zu", v->total);
	if (v->pane->head != NULL && v->fleet != NULL)
		v->pane->head(v, g->w >= SIDE_FROM_W, &right);
	frame_header(c, g, text_get(&title), text_get(&right));
	text_free(&title);
	text_free(&right);
}

/* Who owns the profile, when it is not us: said on a line of its own. */
static int
owner_line(const struct console *c, struct grid *g, int y)
{
	if (c->owner[0] == '\0' || g->h < 10)
		return 0;
	(void)grid_printf(g, 1, y, g->w - 2, ROLE_WARN, "read-only here: %s", c->owner);
	return 1;
}

void
frame_panes(struct console *c, struct grid *g)
{
	struct view *v = console_view(c);
	struct rect rows = grid_rect(g);
	size_t nops = operations_count(c);
	int foot = g->h >= FOOT_FROM_H ? 2 : g->h >= 4 ? 1 : 0;
	int below = 0;

	if (g->h >= 2) {
		title_line(c, g);
		rows.y = 1 + owner_line(c, g, 1);
	}
	rows.h = g->h - rows.y - foot;
	if (g->h >= URGENT_FROM_H && v->pane->columns != NULL) {
		int h = g->h >= 40 ? 4 : 3;

		rows.h -= h;
		urgent(c, g, (struct rect){ 0, rows.y + rows.h, g->w, h });
	}
	if (g->h >= OPS_FROM_H && g->w >= 110 && nops > 0 && v->pane->columns != NULL) {
		int h = 1 + (nops > OPS_MAX ? OPS_MAX : (int)nops);

		rows.h -= h;
		operations(c, g, (struct rect){ 0, rows.y + rows.h, g->w, h });
	}
	if (v->pane->below_rows != NULL && g->h >= BELOW_FROM_H && view_has_row(v)) {
		below = v->pane->below_rows(v, rows.h);
		if (below > rows.h - 4)
			below = rows.h - 4;
		if (below < 2)
			below = 0;
		rows.h -= below;
	}
	if (g->w >= SIDE_FROM_W && v->pane->side != NULL) {
		int w = SIDE_W + (g->w - SIDE_FROM_W) / 4;

		rows.w -= w;
		side(v, g, (struct rect){ rows.w, rows.y, w, rows.h + below });
	}
	view_draw(v, g, rows);
	if (below > 0)
		v->pane->below(
		    v, view_row(v), g, (struct rect){ 0, rows.y + rows.h, rows.w, below });
	if (foot == 2)
		breadcrumb(c, g, g->h - 2);
	if (foot >= 1)
		pane_hints(c, g, g->h - 1);
}
