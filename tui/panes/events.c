/* Events: of the fleet, or of one cluster. */
#include "tui/console.h"
#include "tui/panes/panes.h"
#include "tui/text.h"

static const struct fleet_event *
at(const struct view *v, size_t row)
{
	return &v->fleet->events[row];
}

static void
last_cell(const struct view *v, size_t row, struct cell_out *out)
{
	char clock[AGE_MAX];

	clock_format(at(v, row)->last_ms, true, clock);
	cell_printf(out, "%s", clock);
	out->numeric = true;
	out->number = (v->now_ms - at(v, row)->last_ms) / 1000;
}

static void
count_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_num(out, at(v, row)->count);
}

static void
type_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->warning ? STR("WARN") : STR("info"));
	out->role = at(v, row)->warning ? ROLE_WARN : ROLE_DIM;
}

static void
cluster_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->cluster_name);
}

static void
object_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->object);
}

static void
reason_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->reason);
}

static void
message_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->message);
}

/* clang-format off */
static const struct column columns[] = {
	{ "LAST", "age", 8, 8, 1, COLUMN_KEEP, last_cell, "when it was last seen (UTC)" },
	{ "N", "n", 4, 3, 5, COLUMN_RIGHT | COLUMN_DOWN, count_cell, "how often" },
	{ "TYPE", "type", 4, 4, 2, 0, type_cell, "WARN or info" },
	{ "CLUSTER", "cluster", 18, 10, 7, COLUMN_WIDE, cluster_cell, "its cluster" },
	{ "OBJECT", "object", 30, 20, 3, 0, object_cell, "what it is about" },
	{ "REASON", "reason", 26, 14, 6, COLUMN_WIDE, reason_cell, "stable word" },
	{ "MESSAGE", "message", 200, 20, 1, 0, message_cell, "words of the cloud or of the console" },
};
/* clang-format on */

static size_t
count(const struct view *v)
{
	return v->fleet->nevents;
}

static bool
skip(const struct view *v, size_t row)
{
	return v->subject.cluster[0] != '\0' &&
	       !str_is(at(v, row)->cluster_name, v->subject.cluster);
}

static void
key(const struct view *v, size_t row, struct text *out)
{
	const struct fleet_event *e = at(v, row);

	text_printf(out, "%lld " STR_FMT " " STR_FMT " %zu", (long long)e->first_ms,
	    STR_ARG(e->object), STR_ARG(e->reason), e->message.n);
}

/* "Kind/name" of an object of the store; other things (a pool in the cloud) have only a cluster. */
static void
subject(const struct view *v, size_t row, struct subject *out)
{
	const struct fleet_event *e = at(v, row);
	ptrdiff_t slash = str_find_char(e->object, '/');

	subject_set(out->cluster, sizeof(out->cluster), e->cluster_name);
	if (slash <= 0 || !str_is(str_sub(e->object, 0, (size_t)slash), "InferenceCluster")) {
		subject_set(out->kind, sizeof(out->kind), STR("InferenceCluster"));
		subject_set(out->name, sizeof(out->name), e->cluster_name);
		return;
	}
	subject_set(out->kind, sizeof(out->kind), str_sub(e->object, 0, (size_t)slash));
	subject_set(
	    out->name, sizeof(out->name), str_sub(e->object, (size_t)slash + 1, e->object.n));
}

static enum fleet_state
state(const struct view *v, size_t row)
{
	return at(v, row)->warning ? FLEET_ERROR : FLEET_READY;
}

static void
prepare(struct view *v)
{
	struct text t = TEXT_INIT(sizeof(v->title) - 1);

	if (v->subject.cluster[0] != '\0')
		text_printf(&t, "Events of %s", v->subject.cluster);
	subject_set(v->title, sizeof(v->title), text_str(&t));
	text_free(&t);
}

static bool
open_row(struct console *c, struct view *v, size_t row)
{
	struct subject about = { .kind = "" };

	subject(v, row, &about);
	if (about.cluster[0] == '\0') {
		console_say(c, ROLE_DIM, "this event belongs to no cluster");
		return false;
	}
	console_go(c, &tree_pane, &about, true);
	return true;
}

static void
head(const struct view *v, bool wide, struct text *out)
{
	size_t warnings = 0;

	(void)wide;
	for (size_t i = 0; i < v->fleet->nevents; i++)
		warnings += at(v, i)->warning && !skip(v, i) &&
				    v->now_ms - at(v, i)->last_ms < (int64_t)3600 * 1000
				? 1
				: 0;
	text_printf(out, "%zu warnings in 60 min", warnings);
}

static int
below_rows(const struct view *v, int h)
{
	(void)v;
	return h > 30 ? 8 : 6;
}

static void
below(const struct view *v, size_t row, struct grid *g, struct rect r)
{
	const struct fleet_event *e = at(v, row);
	struct pen pen = pen_at(g, (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 1 });
	char first[AGE_MAX];
	char last[AGE_MAX];

	clock_format(e->first_ms, true, first);
	clock_format(e->last_ms, true, last);
	grid_rule(g, r.x, r.y, r.w, "detail");
	pen_line(&pen, ROLE_TITLE, STR_FMT "  %s  " STR_FMT "  x%lld", STR_ARG(e->object),
	    e->warning ? "Warning" : "Normal", STR_ARG(e->reason), (long long)e->count);
	pen_line(&pen, ROLE_DIM, "first %s  last %s  from " STR_FMT, first, last,
	    STR_ARG(e->component.n > 0 ? e->component : STR("-")));
	pen_wrap(&pen, ROLE_TEXT, 0, 0, e->message);
}

const struct pane events_pane = {
	.name = "events",
	.title = "Events",
	.one = "event",
	.gives = NEED_LIST | NEED_CLUSTER | NEED_OBJECT,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = -1,
	.empty = "No event yet.",
	.count = count,
	.key = key,
	.subject = subject,
	.state = state,
	.skip = skip,
	.prepare = prepare,
	.open = open_row,
	.head = head,
	.below_rows = below_rows,
	.below = below,
};
