/* Cache storage: the shared class of each cluster. */
#include "tui/console.h"
#include "tui/panes/panes.h"
#include "tui/text.h"

static const struct fleet_cache *
at(const struct view *v, size_t row)
{
	return &v->fleet->caches[row];
}

static void
cluster_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->cluster_name);
}

static void
class_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->class_name);
}

static void
provisioner_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->provisioner);
}

static void
mode_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->mode);
}

static void
parameters_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->parameters);
}

static void
volumes_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_num(out, at(v, row)->volumes);
}

static void
bytes_cell(const struct view *v, size_t row, struct cell_out *out)
{
	int64_t n = at(v, row)->bytes;

	if (n < 0)
		cell_str(out, STR("-"));
	else
		cell_printf(out, "%lldGi", (long long)(n >> 30));
	out->numeric = true;
	out->number = n < 0 ? -1 : n >> 30;
}

static void
state_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_state(out, at(v, row)->state);
}

/* clang-format off */
static const struct column columns[] = {
	{ "CLUSTER", "cluster", 26, 14, 1, COLUMN_KEEP, cluster_cell, "its cluster" },
	{ "CLASS", "class", 26, 18, 2, 0, class_cell, "StorageClass that caches use" },
	{ "PROVISIONER", "provisioner", 24, 12, 4, 0, provisioner_cell, "driver that makes volumes" },
	{ "MODE", "mode", 6, 4, 5, 0, mode_cell, "RWX: many nodes write" },
	{ "VOLUMES", "volumes", 7, 7, 6, COLUMN_RIGHT | COLUMN_DOWN, volumes_cell, "volumes made" },
	{ "SIZE", "size", 8, 6, 7, COLUMN_RIGHT | COLUMN_DOWN, bytes_cell, "size of the volumes in Gi" },
	{ "STATE", "state", 14, 14, 1, 0, state_cell, "mark and word" },
	{ "PARAMETERS", "parameters", 40, 16, 8, COLUMN_WIDE, parameters_cell, "of the class" },
};
/* clang-format on */

static size_t
count(const struct view *v)
{
	return v->fleet->ncaches;
}

static void
key(const struct view *v, size_t row, struct text *out)
{
	text_printf(out, STR_FMT "/" STR_FMT, STR_ARG(at(v, row)->cluster_name),
	    STR_ARG(at(v, row)->class_name));
}

static void
subject(const struct view *v, size_t row, struct subject *out)
{
	subject_set(out->kind, sizeof(out->kind), STR("InferenceCluster"));
	subject_set(out->name, sizeof(out->name), at(v, row)->cluster_name);
	subject_set(out->cluster, sizeof(out->cluster), at(v, row)->cluster_name);
}

static enum fleet_state
state(const struct view *v, size_t row)
{
	return at(v, row)->state;
}

static struct str
labels(const struct view *v, size_t row)
{
	const struct fleet_cluster *k = view_cluster(v, at(v, row)->cluster_name);

	return k != NULL ? k->labels : STR("");
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
	size_t ready = 0;
	size_t bad = 0;

	(void)wide;
	for (size_t i = 0; i < v->fleet->ncaches; i++) {
		int w = fleet_state_weight(at(v, i)->state);

		ready += w >= 6 ? 1 : 0;
		bad += w <= 2 ? 1 : 0;
	}
	text_printf(
	    out, "ready %zu  busy %zu  bad %zu", ready, v->fleet->ncaches - ready - bad, bad);
}

static void
detail(const struct view *v, size_t row, struct pen *pen)
{
	const struct fleet_cache *k = at(v, row);

	pen_pair(pen, 13, "Class", ROLE_TEXT, k->class_name);
	pen_pair(pen, 13, "Provisioner", ROLE_TEXT, k->provisioner);
	pen_pair(pen, 13, "Access", ROLE_TEXT,
	    str_is(k->mode, "RWX") ? STR("RWX: read and written by many nodes") : k->mode);
	pen_pair(pen, 13, "Parameters", ROLE_TEXT, k->parameters);
	if (k->message.n > 0) {
		pen_gap(pen);
		pen_wrap(pen, ROLE_TEXT, 0, 0, k->message);
	}
}

static void
side(const struct view *v, size_t row, struct pen *pen)
{
	pen_line(pen, ROLE_TITLE, STR_FMT, STR_ARG(at(v, row)->cluster_name));
	pen_gap(pen);
	detail(v, row, pen);
}

static int
below_rows(const struct view *v, int h)
{
	(void)v;
	return h > 30 ? 0 : 7;
}

static void
below(const struct view *v, size_t row, struct grid *g, struct rect r)
{
	struct pen pen = pen_at(g, (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 1 });
	struct text t = TEXT_INIT(300);

	text_add_str(&t, at(v, row)->cluster_name);
	grid_rule(g, r.x, r.y, r.w, text_get(&t));
	detail(v, row, &pen);
	text_free(&t);
}

const struct pane caches_pane = {
	.name = "caches",
	.title = "Caches",
	.one = "cache",
	.gives = NEED_LIST | NEED_CLUSTER | NEED_OBJECT | NEED_EVENTS,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 0,
	.empty = "No cache storage yet: each cluster gets its shared class while it is created.",
	.count = count,
	.key = key,
	.subject = subject,
	.state = state,
	.labels = labels,
	.open = open_row,
	.head = head,
	.side = side,
	.below_rows = below_rows,
	.below = below,
};
