/* Node pools: of the whole fleet, or of one cluster or one GPU type. */
#include "tui/console.h"
#include "tui/panes/panes.h"
#include "tui/text.h"

static const struct fleet_pool *
at(const struct view *v, size_t row)
{
	return &v->fleet->pools[row];
}

static void
cluster_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->cluster_name);
}

static void
pool_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->name);
}

static void
class_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->class_name);
}

static void
nodes_cell(const struct view *v, size_t row, struct cell_out *out)
{
	char a[AGE_MAX];
	char b[AGE_MAX];

	count_format(at(v, row)->nodes_ready, a);
	count_format(at(v, row)->nodes_wanted, b);
	cell_printf(out, "%s/%s", a, b);
	out->numeric = true;
	out->number = at(v, row)->nodes_ready;
	if (at(v, row)->nodes_ready >= 0 && at(v, row)->nodes_ready < at(v, row)->nodes_wanted)
		out->role = ROLE_WARN;
}

static void
range_cell(const struct view *v, size_t row, struct cell_out *out)
{
	char a[AGE_MAX];
	char b[AGE_MAX];

	if (at(v, row)->nodes_max < 0) {
		cell_str(out, STR("fixed"));
		return;
	}
	count_format(at(v, row)->nodes_min, a);
	count_format(at(v, row)->nodes_max, b);
	cell_printf(out, "%s/%s", a, b);
}

static void
per_node_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_num(out, at(v, row)->gpus_per_node);
}

static void
type_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->accelerator);
}

static void
gpus_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_num(out, at(v, row)->gpus_observed);
}

static void
free_cell(const struct view *v, size_t row, struct cell_out *out)
{
	const struct fleet_pool *p = at(v, row);

	cell_num(out, p->gpus_observed >= 0 && p->gpus_claimed >= 0
			  ? p->gpus_observed - p->gpus_claimed
			  : -1);
}

static void
memory_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->memory);
}

static void
size_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->vm_size);
}

static void
fabric_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->fabric);
}

static void
state_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_state(out, at(v, row)->state);
}

/* clang-format off */
static const struct column columns[] = {
	{ "CLUSTER", "cluster", 26, 12, 1, COLUMN_KEEP, cluster_cell, "its cluster" },
	{ "POOL", "pool", 16, 10, 1, COLUMN_KEEP, pool_cell, "name of the pool" },
	{ "CLASS", "class", 20, 12, 6, 0, class_cell, "InferenceClass" },
	{ "VM SIZE", "size", 26, 16, 12, COLUMN_WIDE, size_cell, "machine in the cloud" },
	{ "NODES", "nodes", 7, 5, 2, COLUMN_RIGHT | COLUMN_DOWN, nodes_cell, "nodes ready / wanted" },
	{ "MIN/MAX", "range", 7, 7, 4, COLUMN_RIGHT, range_cell, "autoscaler's floor and ceiling" },
	{ "GPU/N", "per-node", 5, 5, 8, COLUMN_RIGHT | COLUMN_DOWN, per_node_cell, "GPUs a node, by its class" },
	{ "GPUS", "gpus", 5, 5, 9, COLUMN_RIGHT | COLUMN_DOWN, gpus_cell, "GPUs seen" },
	{ "FREE", "free", 5, 5, 10, COLUMN_RIGHT | COLUMN_DOWN, free_cell, "GPUs without a claim" },
	{ "TYPE", "type", 10, 6, 5, 0, type_cell, "accelerator" },
	{ "VRAM/GPU", "memory", 9, 8, 11, COLUMN_WIDE | COLUMN_RIGHT, memory_cell, "memory of one GPU" },
	{ "FABRIC", "fabric", 11, 6, 7, 0, fabric_cell, "network between nodes" },
	{ "STATE", "state", 13, 11, 1, 0, state_cell, "mark and word" },
};
/* clang-format on */
_Static_assert(ARRAY_LEN(columns) <= PANE_MAX_COLUMNS, "too many columns");

static size_t
count(const struct view *v)
{
	return v->fleet->npools;
}

static bool
skip(const struct view *v, size_t row)
{
	const struct fleet_pool *p = at(v, row);

	if (p->is_system)
		return true;
	if (v->subject.cluster[0] != '\0' && !str_is(p->cluster_name, v->subject.cluster))
		return true;
	return v->subject.pool[0] == '~' && !str_is(p->accelerator, v->subject.pool + 1);
}

static void
key(const struct view *v, size_t row, struct text *out)
{
	text_printf(
	    out, STR_FMT "/" STR_FMT, STR_ARG(at(v, row)->cluster_name), STR_ARG(at(v, row)->name));
}

static void
subject(const struct view *v, size_t row, struct subject *out)
{
	const struct fleet_pool *p = at(v, row);

	subject_set(out->kind, sizeof(out->kind), STR("InferenceCluster"));
	subject_set(out->name, sizeof(out->name), p->cluster_name);
	subject_set(out->cluster, sizeof(out->cluster), p->cluster_name);
	subject_set(out->pool, sizeof(out->pool), p->name);
}

static enum fleet_state
state(const struct view *v, size_t row)
{
	return at(v, row)->state;
}

static struct str
labels(const struct view *v, size_t row)
{
	return v->fleet->clusters[at(v, row)->cluster].labels;
}

static void
prepare(struct view *v)
{
	struct text t = TEXT_INIT(sizeof(v->title) - 1);

	if (v->subject.cluster[0] != '\0')
		text_printf(&t, "Pools of %s", v->subject.cluster);
	else if (v->subject.pool[0] == '~')
		text_printf(&t, "Pools with %s", v->subject.pool + 1);
	subject_set(v->title, sizeof(v->title), text_str(&t));
	text_free(&t);
}

static bool
open_row(struct console *c, struct view *v, size_t row)
{
	struct subject about = { .kind = "" };

	subject(v, row, &about);
	console_go(c, &tree_pane, &about, true);
	return true;
}

static void
head(const struct view *v, bool wide, struct text *out)
{
	int64_t ready = 0;
	int64_t wanted = 0;
	int64_t gpus = 0;

	for (size_t i = 0; i < v->fleet->npools; i++) {
		const struct fleet_pool *p = at(v, i);

		if (skip(v, i))
			continue;
		ready += p->nodes_ready > 0 ? p->nodes_ready : 0;
		wanted += p->nodes_wanted > 0 ? p->nodes_wanted : 0;
		gpus += p->gpus_observed > 0 ? p->gpus_observed : 0;
	}
	text_printf(out, "nodes %lld/%lld", (long long)ready, (long long)wanted);
	if (wide)
		text_printf(out, "   GPUs %lld", (long long)gpus);
}

static void
side_numbers(const struct fleet_pool *p, struct pen *pen)
{
	struct text t = TEXT_INIT(200);
	char a[AGE_MAX];
	char b[AGE_MAX];

	count_format(p->nodes_ready, a);
	count_format(p->nodes_wanted, b);
	gauge_format(p->nodes_ready, p->nodes_wanted, 8, &t);
	text_printf(&t, " %s of %s", a, b);
	pen_pair(pen, 10, "Nodes", ROLE_GAUGE, text_str(&t));
	text_clear(&t);
	if (p->gpus_observed >= 0 && p->gpus_claimed >= 0) {
		gauge_format(p->gpus_claimed, p->gpus_observed, 8, &t);
		text_printf(&t, " %lld of %lld claimed", (long long)p->gpus_claimed,
		    (long long)p->gpus_observed);
	} else {
		text_add(&t, "not reported by the cluster yet");
	}
	pen_pair(pen, 10, "GPUs", ROLE_GAUGE, text_str(&t));
	count_format(p->nodes_free, a);
	pen_pair(pen, 10, "Free", ROLE_TEXT, str_from(a));
	text_clear(&t);
	count_format(p->nodes_min, a);
	count_format(p->nodes_max, b);
	if (p->nodes_max < 0)
		text_printf(&t, "fixed at %lld", (long long)p->nodes_wanted);
	else
		text_printf(&t, "now %lld   min %s   max %s", (long long)p->nodes_wanted, a, b);
	pen_pair(pen, 10, "Scale", ROLE_TEXT, text_str(&t));
	text_free(&t);
}

static void
side(const struct view *v, size_t row, struct pen *pen)
{
	const struct fleet_pool *p = at(v, row);
	struct text t = TEXT_INIT(600);

	text_printf(&t, STR_FMT " / " STR_FMT, STR_ARG(p->cluster_name), STR_ARG(p->name));
	(void)grid_put(pen->g, pen->r.x, pen->r.y, pen->r.w - 16, ROLE_TITLE, text_str(&t));
	text_clear(&t);
	text_printf(&t, "%s %s", fleet_state_mark(p->state), fleet_state_word(p->state));
	grid_put_right(
	    pen->g, pen->r.x + pen->r.w - 16, pen->r.y, 15, state_role(p->state), text_str(&t));
	text_free(&t);
	pen->y += 2;
	if (p->message.n > 0) {
		pen_wrap(pen, p->state == FLEET_READY ? ROLE_DIM : ROLE_TEXT, 0, 5, p->message);
		pen_gap(pen);
	}
	side_numbers(p, pen);
	pen_gap(pen);
	pen_pair(pen, 10, "Class", ROLE_TEXT, p->class_name);
	pen_pair(pen, 10, "Machine", ROLE_TEXT, p->vm_size);
	pen_pair(pen, 10, "GPU", ROLE_TEXT, p->accelerator);
	pen_pair(pen, 10, "Memory", ROLE_TEXT, p->memory);
	pen_pair(pen, 10, "Zones", ROLE_TEXT, p->zones.n > 0 ? p->zones : STR("any"));
	pen_pair(pen, 10, "Fabric", ROLE_TEXT, p->fabric.n > 0 ? p->fabric : STR("none"));
}

const struct pane pools_pane = {
	.name = "pools",
	.title = "Pools",
	.one = "pool",
	.gives = NEED_LIST | NEED_CLUSTER | NEED_POOL | NEED_OBJECT | NEED_EVENTS,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = -1,
	.empty = "No GPU pool here.\n\nn opens the wizard: a cluster is created with its pools.",
	.count = count,
	.key = key,
	.subject = subject,
	.state = state,
	.labels = labels,
	.skip = skip,
	.prepare = prepare,
	.open = open_row,
	.head = head,
	.side = side,
};
