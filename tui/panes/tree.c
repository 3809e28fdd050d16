/* The resource tree of one cluster: what it is made of, and what everything waits for. */
#include "tui/console.h"
#include "tui/panes/panes.h"
#include "tui/text.h"

static const struct fleet_cluster *
cluster(const struct view *v)
{
	return view_cluster(v, str_from(v->subject.cluster));
}

static const struct fleet_resource *
at(const struct view *v, size_t row)
{
	return &cluster(v)->tree[row];
}

static bool
has_children(const struct fleet_cluster *k, size_t row)
{
	return row + 1 < k->ntree && k->tree[row + 1].depth > k->tree[row].depth;
}

static void
add_key(const struct fleet_cluster *k, size_t row, struct text *out)
{
	text_printf(out, "%u " STR_FMT, k->tree[row].depth, STR_ARG(k->tree[row].object));
}

static bool
is_folded(const struct view *v, const struct fleet_cluster *k, size_t row)
{
	struct text key = TEXT_INIT(VIEW_KEY_MAX);
	bool folded;

	if (v->nfolded == 0)
		return false;
	add_key(k, row, &key);
	folded = view_in_set(v->folded, v->nfolded, view_hash(text_str(&key)));
	text_free(&key);
	return folded;
}

/* ---- cells ---- */

static char
sign(const struct view *v, const struct fleet_cluster *k, size_t row)
{
	if (has_children(k, row))
		return is_folded(v, k, row) ? '+' : 'v';
	return k->tree[row].state == FLEET_WAITING || k->tree[row].state == FLEET_NEW ? '-' : '=';
}

static void
object_cell(const struct view *v, size_t row, struct cell_out *out)
{
	const struct fleet_cluster *k = cluster(v);
	const struct fleet_resource *r = at(v, row);
	int indent = (int)(r->depth > 12 ? 12 : r->depth) * 2;

	cell_printf(out, "%*s%c " STR_FMT, indent, "", sign(v, k, row), STR_ARG(r->object));
}

static void
what_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->what);
	out->role = ROLE_DIM;
}

static void
yes_no(struct cell_out *out, bool yes, enum fleet_state s)
{
	cell_str(out, s == FLEET_WAITING || s == FLEET_NEW ? STR("-")
		      : yes				   ? STR("True")
							   : STR("False"));
}

static void
synced_cell(const struct view *v, size_t row, struct cell_out *out)
{
	yes_no(out, at(v, row)->synced, at(v, row)->state);
}

static void
ready_cell(const struct view *v, size_t row, struct cell_out *out)
{
	yes_no(out, at(v, row)->ready, at(v, row)->state);
}

static void
status_cell(const struct view *v, size_t row, struct cell_out *out)
{
	const struct fleet_resource *r = at(v, row);

	cell_state(out, r->state);
	if (r->word.n > 0)
		cell_printf(out, "%s " STR_FMT, fleet_state_mark(r->state), STR_ARG(r->word));
}

static void
since_cell(const struct view *v, size_t row, struct cell_out *out)
{
	char age[AGE_MAX];

	if (at(v, row)->since_ms <= 0) {
		cell_str(out, STR("-"));
		return;
	}
	elapsed_format(v->now_ms - at(v, row)->since_ms, age);
	cell_printf(out, "%s", age);
}

static void
step_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->step);
}

static void
version_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->version);
}

/* clang-format off */
static const struct column columns[] = {
	{ "OBJECT", "object", 50, 30, 1, COLUMN_KEEP, object_cell, "what it is; v unfolded, + folded, = leaf, - not started" },
	{ "SYNCED", "synced", 6, 6, 5, 0, synced_cell, "the wish reached the cloud" },
	{ "READY", "ready", 5, 5, 4, 0, ready_cell, "the cloud says it is ready" },
	{ "STATUS", "status", 18, 14, 1, 0, status_cell, "mark and word" },
	{ "IN STATE", "since", 8, 8, 3, COLUMN_RIGHT, since_cell, "how long in this state" },
	{ "STEP", "step", 14, 10, 7, COLUMN_WIDE, step_cell, "step of the whole" },
	{ "VERSION", "version", 12, 8, 8, COLUMN_WIDE, version_cell, "version, where it has one" },
	{ "WHAT", "what", 60, 12, 6, COLUMN_WIDE, what_cell, "in words" },
};
/* clang-format on */

/* ---- rows ---- */

static size_t
count(const struct view *v)
{
	const struct fleet_cluster *k = cluster(v);

	return k != NULL ? k->ntree : 0;
}

static bool
skip(const struct view *v, size_t row)
{
	const struct fleet_cluster *k = cluster(v);
	uint32_t depth = k->tree[row].depth;

	if (v->fold_ready && depth > 0 && k->tree[row].state == FLEET_READY &&
	    !has_children(k, row))
		return true;
	for (size_t i = row; i > 0 && depth > 0; i--) {
		if (k->tree[i - 1].depth >= depth)
			continue;
		depth = k->tree[i - 1].depth;
		if (is_folded(v, k, i - 1))
			return true;
	}
	return false;
}

static void
key(const struct view *v, size_t row, struct text *out)
{
	add_key(cluster(v), row, out);
}

static void
subject(const struct view *v, size_t row, struct subject *out)
{
	const struct fleet_resource *r = at(v, row);

	subject_set(out->cluster, sizeof(out->cluster), str_from(v->subject.cluster));
	subject_set(out->pool, sizeof(out->pool), str_from(v->subject.pool));
	if (r->external) { /* described by the object it belongs to */
		subject_set(out->kind, sizeof(out->kind), STR("InferenceCluster"));
		subject_set(out->name, sizeof(out->name), str_from(v->subject.cluster));
		return;
	}
	subject_set(out->kind, sizeof(out->kind), r->kind);
	subject_set(out->name, sizeof(out->name), r->name);
	if (!str_is(r->kind, "InferenceCluster") && !str_is(r->kind, "InferenceClass"))
		subject_set(out->ns, sizeof(out->ns), STR("modelplane-system"));
}

static enum fleet_state
state(const struct view *v, size_t row)
{
	return at(v, row)->state;
}

static void
prepare(struct view *v)
{
	struct text t = TEXT_INIT(sizeof(v->title) - 1);

	text_printf(&t, "Tree of %s", v->subject.cluster);
	subject_set(v->title, sizeof(v->title), text_str(&t));
	text_free(&t);
}

static bool
fold(struct view *v, enum action_id id)
{
	const struct fleet_cluster *k = cluster(v);
	struct text t = TEXT_INIT(VIEW_KEY_MAX);
	size_t row;

	if (id == ACT_FOLD_READY) {
		v->fold_ready = !v->fold_ready;
		v->stale = true;
		return true;
	}
	if (k == NULL || !view_has_row(v))
		return false;
	row = view_row(v);
	if (!has_children(k, row))
		return false;
	add_key(k, row, &t);
	(void)view_toggle(&v->folded, &v->nfolded, &v->folded_cap, view_hash(text_str(&t)));
	v->stale = true;
	text_free(&t);
	return true;
}

static bool
open_row(struct console *c, struct view *v, size_t row)
{
	struct subject about = { .kind = "" };

	if (fold(v, ACT_FOLD))
		return true;
	subject(v, row, &about);
	console_go(c, &describe_pane, &about, true);
	return true;
}

static void
head(const struct view *v, bool wide, struct text *out)
{
	const struct fleet_cluster *k = cluster(v);
	size_t ready = 0;
	size_t busy = 0;
	size_t bad = 0;

	(void)wide;
	for (size_t i = 0; k != NULL && i < k->ntree; i++) {
		int w = fleet_state_weight(k->tree[i].state);

		ready += w >= 6 ? 1 : 0;
		busy += w >= 3 && w <= 5 ? 1 : 0;
		bad += w <= 2 ? 1 : 0;
	}
	text_printf(out, "ready %zu  busy %zu  bad %zu", ready, busy, bad);
}

/* ---- the detail ---- */

static void
detail(const struct view *v, size_t row, struct pen *pen)
{
	const struct fleet_resource *r = at(v, row);
	char age[AGE_MAX];
	char clock[AGE_MAX];

	clock_format(r->since_ms, true, clock);
	elapsed_format(v->now_ms - r->since_ms, age);
	pen_line(pen, state_role(r->state), "%s " STR_FMT "%s%s%s%s", fleet_state_mark(r->state),
	    STR_ARG(r->word.n > 0 ? r->word : str_from(fleet_state_word(r->state))),
	    r->since_ms > 0 ? " since " : "", r->since_ms > 0 ? clock : "",
	    r->since_ms > 0 ? ", for " : "", r->since_ms > 0 ? age : "");
	if (r->what.n > 0)
		pen_wrap(pen, ROLE_TEXT, 0, 2, r->what);
	if (r->waits_for.n > 0)
		pen_line(pen, ROLE_TEXT, "waits for " STR_FMT, STR_ARG(r->waits_for));
	if (r->message.n > 0)
		pen_wrap(pen, ROLE_TEXT, 0, 6, r->message);
	if (r->advice.n > 0)
		pen_wrap(pen, ROLE_DIM, 0, 3, r->advice);
	if (r->next_try_ms > v->now_ms) {
		elapsed_format(r->next_try_ms - v->now_ms, age);
		pen_line(
		    pen, ROLE_DIM, "attempt %lld, the next one in %s", (long long)r->attempts, age);
	}
	if (r->external_id.n > 0)
		pen_wrap(pen, ROLE_DIM, 0, 2, r->external_id);
}

static void
critical_path(const struct fleet_cluster *k, struct grid *g, struct rect r)
{
	struct text t = TEXT_INIT(1200);
	struct pen pen = pen_at(g, (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 1 });

	grid_rule(g, r.x, r.y, r.w, "critical path");
	for (size_t i = 0; i < k->ntree; i++)
		if (k->tree[i].blocking)
			text_printf(
			    &t, "%s" STR_FMT, t.n > 0 ? " > " : "", STR_ARG(k->tree[i].object));
	if (t.n == 0 && k->state != FLEET_READY) /* nobody has said: what is being worked on */
		for (size_t i = 0; i < k->ntree; i++)
			if (!has_children(k, i) && k->tree[i].state != FLEET_READY &&
			    k->tree[i].state != FLEET_WAITING)
				text_printf(&t, "%s" STR_FMT,
				    t.n > 0 ? ", " : "now: ", STR_ARG(k->tree[i].object));
	if (t.n == 0)
		text_add(
		    &t, k->state == FLEET_READY ? "everything is done" : "nothing is known yet");
	pen_wrap(&pen, ROLE_TEXT, 0, 2, text_str(&t));
	text_free(&t);
}

static int
below_rows(const struct view *v, int h)
{
	(void)v;
	return h > 30 ? 10 : h > 14 ? 9 : 6;
}

static void
below(const struct view *v, size_t row, struct grid *g, struct rect r)
{
	struct text t = TEXT_INIT(300);
	struct pen pen = pen_at(g, (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 4 });

	text_add_str(&t, at(v, row)->object);
	grid_rule(g, r.x, r.y, r.w, text_get(&t));
	detail(v, row, &pen);
	critical_path(cluster(v), g, (struct rect){ r.x, r.y + r.h - 3, r.w, 3 });
	text_free(&t);
}

static void
side(const struct view *v, size_t row, struct pen *pen)
{
	(void)row;
	if (cluster(v) != NULL)
		cluster_side(v, cluster(v), pen);
}

const struct pane tree_pane = {
	.name = "tree",
	.title = "Tree",
	.one = "resource",
	.gives = NEED_LIST | NEED_CLUSTER | NEED_POOL | NEED_OBJECT | NEED_EVENTS | NEED_FOLDS,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = -1,
	.empty = "Nothing is known about this cluster: it may be gone. esc goes back.",
	.count = count,
	.key = key,
	.subject = subject,
	.state = state,
	.skip = skip,
	.prepare = prepare,
	.open = open_row,
	.fold = fold,
	.head = head,
	.side = side,
	.below_rows = below_rows,
	.below = below,
};
