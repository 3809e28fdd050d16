/* GPU capacity: by type, by cluster, by class; with a map of nodes below. */
#include <string.h>

#include "tui/console.h"
#include "tui/panes/panes.h"
#include "tui/text.h"

enum group { BY_TYPE, BY_CLUSTER, BY_CLASS, GROUPS };

static const char *const group_titles[GROUPS] = { "GPUs by type", "GPUs by cluster",
	"GPUs by class" };

struct line {
	struct str name, memory, where;
	int64_t gpus, claimed, idle, nodes, nodes_free;
};

static void
add_known(int64_t *sum, int64_t n)
{
	if (n >= 0)
		*sum = (*sum < 0 ? 0 : *sum) + n;
}

static void
add_pool(struct line *l, const struct fleet_pool *p)
{
	if (p->is_system)
		return;
	add_known(&l->gpus, p->gpus_observed);
	add_known(&l->claimed, p->gpus_claimed);
	add_known(&l->nodes, p->nodes_ready);
	add_known(&l->nodes_free, p->nodes_free);
	if (l->memory.n == 0)
		l->memory = p->memory;
	if (p->gpus_observed >= 0 && p->gpus_claimed >= 0)
		add_known(&l->idle, p->gpus_observed - p->gpus_claimed);
}

static struct line
line_get(const struct view *v, size_t row)
{
	struct line l = { .gpus = -1, .claimed = -1, .idle = -1, .nodes = -1, .nodes_free = -1 };
	const struct fleet *f = v->fleet;

	if (v->group == BY_TYPE) {
		const struct fleet_gpu_type *t = &f->gpu_types[row];

		return (struct line){ t->type, t->memory, t->by_cluster, t->gpus, t->claimed,
			t->free, t->nodes, t->nodes_free };
	}
	if (v->group == BY_CLUSTER) {
		const struct fleet_cluster *k = &f->clusters[row];

		l.name = k->name;
		l.where = k->region;
		for (size_t i = 0; i < k->npools; i++)
			add_pool(&l, &f->pools[k->first_pool + i]);
		return l;
	}
	l.name = f->classes[row].name;
	l.memory = f->classes[row].memory;
	l.where = f->classes[row].machine;
	for (size_t i = 0; i < f->npools; i++)
		if (str_eq(f->pools[i].class_name, l.name))
			add_pool(&l, &f->pools[i]);
	return l;
}

static void
name_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, line_get(v, row).name);
}

static void
memory_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, line_get(v, row).memory);
}

static void
gpus_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_num(out, line_get(v, row).gpus);
}

static void
claimed_cell(const struct view *v, size_t row, struct cell_out *out)
{
	struct line l = line_get(v, row);
	struct text t = TEXT_INIT(100);

	if (l.gpus < 0 || l.claimed < 0) {
		cell_str(out, STR("not reported yet"));
		out->role = ROLE_DIM;
		return;
	}
	gauge_format(l.claimed, l.gpus, 20, &t);
	cell_printf(out, "%s %lld", text_get(&t), (long long)l.claimed);
	out->numeric = true;
	out->number = l.claimed;
	out->role = ROLE_GAUGE;
	text_free(&t);
}

static void
free_cell(const struct view *v, size_t row, struct cell_out *out)
{
	struct line l = line_get(v, row);

	cell_num(out, l.idle);
	out->role = l.idle == 0 && l.gpus > 0 ? ROLE_WARN : ROLE_TEXT;
}

static void
nodes_cell(const struct view *v, size_t row, struct cell_out *out)
{
	struct line l = line_get(v, row);
	char a[AGE_MAX];
	char b[AGE_MAX];

	count_format(l.nodes_free, a);
	count_format(l.nodes, b);
	cell_printf(out, "%s of %s", a, b);
	out->numeric = true;
	out->number = l.nodes_free;
}

static void
where_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, line_get(v, row).where);
}

/* clang-format off */
static const struct column columns[] = {
	{ "NAME", "name", 18, 8, 1, COLUMN_KEEP, name_cell, "GPU type, cluster or class" },
	{ "VRAM/GPU", "memory", 9, 8, 6, COLUMN_RIGHT, memory_cell, "memory of one GPU" },
	{ "GPUS", "gpus", 6, 5, 2, COLUMN_RIGHT | COLUMN_DOWN, gpus_cell, "GPUs that clusters report" },
	{ "CLAIMED", "claimed", 27, 27, 4, 0, claimed_cell, "allocated by resource claims" },
	{ "FREE", "free", 5, 5, 1, COLUMN_RIGHT | COLUMN_DOWN, free_cell, "GPUs without a claim" },
	{ "FREE NODES", "nodes", 10, 10, 3, COLUMN_RIGHT | COLUMN_DOWN, nodes_cell, "whole nodes without a claim" },
	{ "WHERE", "where", 40, 10, 5, 0, where_cell, "free GPUs by cluster, region or machine" },
};
/* clang-format on */

static size_t
count(const struct view *v)
{
	if (v->group == BY_TYPE)
		return v->fleet->ngpu_types;
	return v->group == BY_CLUSTER ? v->fleet->nclusters : v->fleet->nclasses;
}

static void
key(const struct view *v, size_t row, struct text *out)
{
	text_add_str(out, line_get(v, row).name);
}

static void
subject(const struct view *v, size_t row, struct subject *out)
{
	struct str name = line_get(v, row).name;

	subject_set(out->name, sizeof(out->name), name);
	if (v->group == BY_CLUSTER)
		subject_set(out->cluster, sizeof(out->cluster), name);
}

static bool
open_row(struct console *c, struct view *v, size_t row)
{
	struct subject about = { .kind = "" };
	struct text t = TEXT_INIT(sizeof(about.pool) - 1);
	struct view *opened;

	if (v->group == BY_CLUSTER)
		subject_set(about.cluster, sizeof(about.cluster), line_get(v, row).name);
	if (v->group == BY_TYPE) {
		text_printf(&t, "~" STR_FMT, STR_ARG(line_get(v, row).name));
		subject_set(about.pool, sizeof(about.pool), text_str(&t));
	}
	text_clear(&t);
	if (v->group == BY_CLASS)
		text_printf(&t, "class=" STR_FMT, STR_ARG(line_get(v, row).name));
	console_go(c, &pools_pane, &about, true);
	opened = console_view(c);
	if (t.n > 0 && opened->pane == &pools_pane)
		(void)view_set_filter(opened, text_get(&t));
	text_free(&t);
	return true;
}

static void
prepare(struct view *v)
{
	if (v->group >= GROUPS)
		v->group = BY_TYPE;
	subject_set(v->title, sizeof(v->title), str_from(group_titles[v->group]));
}

static void
head(const struct view *v, bool wide, struct text *out)
{
	struct line all = { .gpus = 0, .idle = 0, .nodes_free = 0 };

	for (size_t i = 0; i < v->fleet->npools; i++)
		add_pool(&all, &v->fleet->pools[i]);
	text_printf(out, "%lld GPUs  %lld free", (long long)all.gpus, (long long)all.idle);
	if (wide)
		text_printf(out, "   %lld free nodes", (long long)all.nodes_free);
}

/* ---- the map: one character a node, its digit the GPUs claimed there on average ---- */

static int
below_rows(const struct view *v, int h)
{
	int pools = (int)(v->fleet->npools < 40 ? v->fleet->npools : 40);
	int want = pools + 3;

	return want < h / 2 ? want : h / 2;
}

/* Which nodes hold what is not in the snapshot: whole nodes first, then what is left over. */
static void
draw_nodes(const struct fleet_pool *p, struct grid *g, int x, int y, int cells)
{
	int64_t left = p->gpus_claimed;

	if (p->nodes_ready < 0 || p->gpus_claimed < 0) {
		(void)grid_puts(g, x, y, cells, ROLE_DIM, "not reported yet");
		return;
	}
	for (int64_t i = 0; i < p->nodes_ready && i < cells; i++) {
		int64_t per = p->gpus_per_node > 0 ? p->gpus_per_node : 1;
		int64_t here = left > per ? per : left;
		char digit = here > 9 ? '+' : (char)('0' + here);

		left -= here;
		grid_fill(g, x + (int)i, y, 1, here == 0 ? ROLE_OK : ROLE_GAUGE, digit);
	}
	for (int64_t i = p->nodes_ready; i < p->nodes_wanted && i < cells; i++)
		grid_fill(g, x + (int)i, y, 1, ROLE_BUSY, '.');
}

static void
below(const struct view *v, size_t row, struct grid *g, struct rect r)
{
	int y = r.y + 1;

	(void)row;
	grid_rule(g, r.x, r.y, r.w, "nodes: one digit a node, its GPUs claimed; . on its way");
	for (size_t i = 0; i < v->fleet->npools && y < r.y + r.h - 1; i++) {
		const struct fleet_pool *p = &v->fleet->pools[i];

		if (p->is_system)
			continue;
		(void)grid_put(g, r.x + 1, y, 15, ROLE_TEXT, p->cluster_name);
		(void)grid_put(g, r.x + 17, y, 12, ROLE_DIM, p->name);
		(void)grid_put(g, r.x + 30, y, 8, ROLE_DIM, p->accelerator);
		draw_nodes(p, g, r.x + 39, y, r.w - 40);
		y++;
	}
	if (r.h > 2)
		(void)grid_puts(g, r.x + 1, r.y + r.h - 1, r.w - 2, ROLE_DIM,
		    "the scheduler places on free whole nodes; free GPUs alone are not enough");
}

static void
side_waiting(const struct view *v, struct pen *pen)
{
	pen_gap(pen);
	pen_line(pen, ROLE_SECTION, "Source of the numbers");
	pen_line(pen, ROLE_DIM, " capacity   ResourceSlices of each cluster");
	pen_line(pen, ROLE_DIM, " claimed    allocations of ResourceClaims");
	pen_line(pen, ROLE_DIM, " per node   InferenceClass");
	pen_line(pen, ROLE_DIM, " use of a GPU over time is not collected here");
	(void)v;
}

static bool
is_of(const struct view *v, const struct line *l, const struct fleet_pool *p)
{
	if (v->group == BY_TYPE)
		return str_eq(p->accelerator, l->name);
	return str_eq(v->group == BY_CLUSTER ? p->cluster_name : p->class_name, l->name);
}

static void
side_pools(const struct view *v, const struct line *l, struct pen *pen)
{
	pen_gap(pen);
	pen_line(pen, ROLE_SECTION, "Pools");
	for (size_t i = 0; i < v->fleet->npools && !pen_full(pen); i++) {
		const struct fleet_pool *p = &v->fleet->pools[i];

		if (p->is_system || !is_of(v, l, p))
			continue;
		if (p->nodes_ready < 0 || p->nodes_free < 0)
			pen_line(pen, ROLE_DIM, " " STR_FMT "/" STR_FMT "  not reported yet",
			    STR_ARG(p->cluster_name), STR_ARG(p->name));
		else
			pen_line(pen, ROLE_TEXT, " " STR_FMT "/" STR_FMT "  %lld nodes, %lld free",
			    STR_ARG(p->cluster_name), STR_ARG(p->name), (long long)p->nodes_ready,
			    (long long)p->nodes_free);
	}
}

static void
side(const struct view *v, size_t row, struct pen *pen)
{
	struct line l = line_get(v, row);
	char n[AGE_MAX];

	pen_line(pen, ROLE_TITLE, STR_FMT, STR_ARG(l.name));
	pen_gap(pen);
	count_format(l.gpus, n);
	pen_pair(pen, 12, "GPUs", ROLE_TEXT, str_from(n));
	count_format(l.claimed, n);
	pen_pair(pen, 12, "Claimed", ROLE_TEXT, str_from(n));
	count_format(l.idle, n);
	pen_pair(pen, 12, "Free", l.idle == 0 ? ROLE_WARN : ROLE_TEXT, str_from(n));
	count_format(l.nodes, n);
	pen_pair(pen, 12, "Nodes", ROLE_TEXT, str_from(n));
	count_format(l.nodes_free, n);
	pen_pair(pen, 12, "Free nodes", ROLE_TEXT, str_from(n));
	pen_pair(pen, 12, "VRAM/GPU", ROLE_TEXT, l.memory);
	side_pools(v, &l, pen);
	side_waiting(v, pen);
}

const struct pane gpus_pane = {
	.name = "gpus",
	.title = "GPUs",
	.one = "GPU type",
	.gives = NEED_LIST | NEED_GROUPS,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = -1,
	.empty = "No GPU is known yet: clusters report them once their nodes are up.",
	.count = count,
	.key = key,
	.subject = subject,
	.prepare = prepare,
	.open = open_row,
	.head = head,
	.side = side,
	.below_rows = below_rows,
	.below = below,
};
