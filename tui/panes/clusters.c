/* Clusters: the home pane. */
#include "tui/console.h"
#include "tui/panes/panes.h"
#include "tui/text.h"

static const struct fleet_cluster *
at(const struct view *v, size_t row)
{
	return &v->fleet->clusters[row];
}

const struct fleet_cluster *
view_cluster(const struct view *v, struct str name)
{
	return v->fleet != NULL ? fleet_cluster_find(v->fleet, name) : NULL;
}

/* ---- cells ---- */

static void
name_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->name);
}

static void
source_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->source);
}

static void
region_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->region);
}

static void
version_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->version);
}

static void
pools_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_num(out, at(v, row)->npools);
}

/* "a/b"; sorts and filters by the first number. */
static void
ratio(struct cell_out *out, int64_t a, int64_t b)
{
	char na[AGE_MAX];
	char nb[AGE_MAX];

	count_format(a, na);
	count_format(b, nb);
	cell_printf(out, "%s/%s", na, nb);
	out->numeric = true;
	out->number = a;
}

static void
nodes_cell(const struct view *v, size_t row, struct cell_out *out)
{
	ratio(out, at(v, row)->nodes_ready, at(v, row)->nodes_wanted);
	if (at(v, row)->nodes_ready >= 0 && at(v, row)->nodes_ready < at(v, row)->nodes_wanted)
		out->role = ROLE_WARN;
}

static void
gpus_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_num(out, at(v, row)->gpus);
}

static void
free_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_num(out, at(v, row)->gpus_free);
}

static void
state_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_state(out, at(v, row)->state);
}

static void
step_cell(const struct view *v, size_t row, struct cell_out *out)
{
	const struct fleet_cluster *k = at(v, row);

	if (k->steps_total > 0 && k->steps_done < k->steps_total)
		cell_printf(out, "%lld/%lld " STR_FMT, (long long)k->steps_done,
		    (long long)k->steps_total, STR_ARG(k->step));
	else
		cell_str(out, STR("-"));
}

static void
age_cell(const struct view *v, size_t row, struct cell_out *out)
{
	char age[AGE_MAX];

	age_format(v->now_ms, at(v, row)->created_ms, age);
	cell_printf(out, "%s", age);
	out->numeric = true;
	out->number = at(v, row)->created_ms > 0 ? (v->now_ms - at(v, row)->created_ms) / 1000 : -1;
}

static void
gateway_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->gateway);
}

/* clang-format off */
static const struct column columns[] = {
	{ "NAME", "name", 30, 18, 1, COLUMN_KEEP, name_cell, "name of the InferenceCluster" },
	{ "SOURCE", "source", 8, 8, 6, 0, source_cell, "where it comes from" },
	{ "REGION", "region", 18, 11, 3, 0, region_cell, "region or location" },
	{ "VERSION", "version", 9, 7, 11, COLUMN_WIDE, version_cell, "Kubernetes version" },
	{ "POOLS", "pools", 5, 5, 8, COLUMN_RIGHT | COLUMN_DOWN, pools_cell, "GPU pools" },
	{ "NODES", "nodes", 7, 5, 4, COLUMN_RIGHT | COLUMN_DOWN, nodes_cell, "nodes ready / wanted" },
	{ "GPUS", "gpus", 6, 5, 2, COLUMN_RIGHT | COLUMN_DOWN, gpus_cell, "GPUs" },
	{ "FREE", "free", 5, 5, 9, COLUMN_RIGHT | COLUMN_DOWN, free_cell, "GPUs without a claim" },
	{ "STATE", "state", 14, 14, 1, 0, state_cell, "mark and word" },
	{ "STEP", "step", 22, 12, 10, COLUMN_WIDE, step_cell, "step of the running work" },
	{ "GATEWAY", "gateway", 22, 15, 12, COLUMN_WIDE, gateway_cell, "address of the gateway" },
	{ "AGE", "age", 5, 5, 7, COLUMN_RIGHT, age_cell, "since it was made" },
};
/* clang-format on */
_Static_assert(ARRAY_LEN(columns) <= PANE_MAX_COLUMNS, "too many columns");

/* ---- rows ---- */

static size_t
count(const struct view *v)
{
	return v->fleet->nclusters;
}

static void
key(const struct view *v, size_t row, struct text *out)
{
	text_add_str(out, at(v, row)->name);
}

static void
subject(const struct view *v, size_t row, struct subject *out)
{
	const struct fleet_cluster *k = at(v, row);

	subject_set(out->kind, sizeof(out->kind), STR("InferenceCluster"));
	subject_set(out->name, sizeof(out->name), k->name);
	subject_set(out->cluster, sizeof(out->cluster), k->name);
	if (k->npools == 1)
		subject_set(out->pool, sizeof(out->pool), v->fleet->pools[k->first_pool].name);
}

static enum fleet_state
state(const struct view *v, size_t row)
{
	return at(v, row)->state;
}

static struct str
labels(const struct view *v, size_t row)
{
	return at(v, row)->labels;
}

static bool
open_row(struct console *c, struct view *v, size_t row)
{
	struct subject about = { .kind = "" };

	subject(v, row, &about);
	about.pool[0] = '\0';
	console_go(c, &pools_pane, &about, true);
	return true;
}

static void
head(const struct view *v, bool wide, struct text *out)
{
	size_t ready = 0;
	size_t busy = 0;
	size_t bad = 0;
	int64_t gpus = 0;
	int64_t idle = 0;

	for (size_t i = 0; i < v->fleet->nclusters; i++) {
		const struct fleet_cluster *k = at(v, i);
		int w = fleet_state_weight(k->state);

		ready += w >= 6 ? 1 : 0;
		busy += w >= 3 && w <= 5 ? 1 : 0;
		bad += w <= 2 ? 1 : 0;
		gpus += k->gpus > 0 ? k->gpus : 0;
		idle += k->gpus_free > 0 ? k->gpus_free : 0;
	}
	text_printf(out, "ready %zu  busy %zu  bad %zu", ready, busy, bad);
	if (wide)
		text_printf(out, "   GPUs %lld (%lld free)", (long long)gpus, (long long)idle);
}

/* ---- the detail beside the rows ---- */

static void
side_conditions(const struct view *v, const struct fleet_cluster *k, struct pen *pen)
{
	if (k->nconditions == 0)
		return;
	pen_gap(pen);
	pen_line(pen, ROLE_SECTION, "Conditions");
	for (size_t i = 0; i < k->nconditions && !pen_full(pen); i++) {
		const struct fleet_condition *n = &k->conditions[i];
		bool yes = str_is(n->status, "True");
		char age[AGE_MAX];
		int y = pen->r.y + pen->y;

		age_format(v->now_ms, n->since_ms, age);
		(void)grid_puts(
		    pen->g, pen->r.x + 1, y, 2, yes ? ROLE_OK : ROLE_BUSY, yes ? "ok" : "..");
		(void)grid_put(pen->g, pen->r.x + 4, y, 15, ROLE_TEXT, n->type);
		(void)grid_put(pen->g, pen->r.x + 20, y, pen->r.w - 26, ROLE_TEXT, n->reason);
		grid_put_right(pen->g, pen->r.x + pen->r.w - 6, y, 5, ROLE_DIM, str_from(age));
		pen->y++;
		if (!yes && n->message.n > 0)
			pen_wrap(pen, ROLE_DIM, 4, 3, n->message);
	}
}

static void
side_pools(const struct view *v, const struct fleet_cluster *k, struct pen *pen)
{
	if (k->npools == 0)
		return;
	pen_gap(pen);
	pen_line(pen, ROLE_SECTION, "Pools          nodes    GPUs in use");
	for (size_t i = 0; i < k->npools && !pen_full(pen); i++) {
		const struct fleet_pool *p = &v->fleet->pools[k->first_pool + i];
		struct text t = TEXT_INIT(200);
		char a[AGE_MAX];
		char b[AGE_MAX];
		int y = pen->r.y + pen->y;

		count_format(p->nodes_ready, a);
		count_format(p->nodes_wanted, b);
		(void)grid_put(pen->g, pen->r.x + 1, y, 13, ROLE_TEXT, p->name);
		(void)grid_printf(pen->g, pen->r.x + 15, y, 8, ROLE_TEXT, "%s/%s", a, b);
		if (p->gpus_observed > 0 && p->gpus_claimed >= 0) {
			gauge_format(p->gpus_claimed, p->gpus_observed, 8, &t);
			text_printf(&t, " %lld of %lld", (long long)p->gpus_claimed,
			    (long long)p->gpus_observed);
		} else {
			text_add(&t, "not known");
		}
		(void)grid_put(pen->g, pen->r.x + 24, y, pen->r.w - 25,
		    p->gpus_observed > 0 ? ROLE_GAUGE : ROLE_DIM, text_str(&t));
		text_free(&t);
		pen->y++;
	}
}

void
cluster_side(const struct view *v, const struct fleet_cluster *k, struct pen *pen)
{
	struct text t = TEXT_INIT(400);

	(void)grid_put(pen->g, pen->r.x, pen->r.y, pen->r.w - 16, ROLE_TITLE, k->name);
	text_printf(&t, "%s %s", fleet_state_mark(k->state), fleet_state_word(k->state));
	grid_put_right(
	    pen->g, pen->r.x + pen->r.w - 16, pen->r.y, 15, state_role(k->state), text_str(&t));
	pen->y += 2;
	if (k->message.n > 0 && k->state != FLEET_READY) {
		pen_wrap(pen, ROLE_TEXT, 0, 4, k->message);
		if (k->advice.n > 0)
			pen_wrap(pen, ROLE_DIM, 0, 3, k->advice);
		pen_gap(pen);
	}
	text_clear(&t);
	text_printf(&t, STR_FMT " " STR_FMT "  Kubernetes " STR_FMT, STR_ARG(k->source),
	    STR_ARG(k->region), STR_ARG(k->version.n > 0 ? k->version : STR("-")));
	pen_pair(pen, 10, "Source", ROLE_TEXT, text_str(&t));
	pen_pair(pen, 10, "Gateway", ROLE_TEXT, k->gateway);
	pen_pair(pen, 10, "Cache", ROLE_TEXT, k->storage_class);
	pen_pair(pen, 10, "Stack", ROLE_TEXT, k->stack);
	pen_pair(pen, 10, "Taints", ROLE_TEXT, k->taints.n > 0 ? k->taints : STR("none"));
	pen_pair(pen, 10, "Labels", ROLE_TEXT, k->labels.n > 0 ? k->labels : STR("none"));
	pen_pair(pen, 10, "Creds", ROLE_TEXT, k->provider_ref);
	side_conditions(v, k, pen);
	side_pools(v, k, pen);
	if (k->nblockers > 0) {
		pen_gap(pen);
		pen_line(pen, ROLE_SECTION, "Would block a delete now");
		for (size_t i = 0; i < k->nblockers; i++)
			pen_line(pen, ROLE_WARN, " " STR_FMT, STR_ARG(k->blockers[i]));
	}
	text_free(&t);
}

static void
side(const struct view *v, size_t row, struct pen *pen)
{
	cluster_side(v, at(v, row), pen);
}

const struct pane clusters_pane = {
	.name = "clusters",
	.title = "Clusters",
	.one = "cluster",
	.gives = NEED_LIST | NEED_CLUSTER | NEED_POOL | NEED_OBJECT | NEED_EVENTS,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 0,
	.empty =
	    "No cluster yet.\n\nn opens the wizard that creates one; 'flightdeck apply -f FILE' "
	    "takes manifests. ? shows all keys.",
	.count = count,
	.key = key,
	.subject = subject,
	.state = state,
	.labels = labels,
	.open = open_row,
	.head = head,
	.side = side,
};
