/* Text about one object: describe and YAML come from the backend, why from the snapshot. */
#include <string.h>

#include "tui/console.h"
#include "tui/panes/panes.h"
#include "tui/text.h"

static void
title_set(struct view *v, const char *what)
{
	struct text t = TEXT_INIT(sizeof(v->title) - 1);

	text_printf(&t, "%s of %s", what, v->subject.name);
	subject_set(v->title, sizeof(v->title), text_str(&t));
	text_free(&t);
}

static void
ask(struct console *c, struct view *v, enum request_verb verb)
{
	struct request *r = request_new(verb);

	if (r != NULL) {
		subject_set(r->kind, sizeof(r->kind), str_from(v->subject.kind));
		subject_set(r->ns, sizeof(r->ns), str_from(v->subject.ns));
		subject_set(r->name, sizeof(r->name), str_from(v->subject.name));
	}
	v->pending = console_submit(c, &r);
	if (v->pending == 0)
		(void)error_set(&v->err, ERR_BUSY, "%s", c->toast);
}

static void
describe_load(struct console *c, struct view *v)
{
	title_set(v, "Describe");
	ask(c, v, REQUEST_DESCRIBE);
}

static void
yaml_load(struct console *c, struct view *v)
{
	v->yaml = true;
	title_set(v, "YAML");
	ask(c, v, REQUEST_GET);
}

/* ---- why: one page that answers "why is it not ready, and what can I do" ---- */

/* What is known about one resource that is not ready. */
static void
why_resource(const struct view *v, const struct fleet_resource *r, struct text *out)
{
	char age[AGE_MAX];

	elapsed_format(v->now_ms - r->since_ms, age);
	text_printf(out, "  %s " STR_FMT "   " STR_FMT "%s%s\n", fleet_state_mark(r->state),
	    STR_ARG(r->object),
	    STR_ARG(r->word.n > 0 ? r->word : str_from(fleet_state_word(r->state))),
	    r->since_ms > 0 ? " for " : "", r->since_ms > 0 ? age : "");
	if (r->reason.n > 0 || r->message.n > 0)
		text_printf(out, "       " STR_FMT "%s" STR_FMT "\n", STR_ARG(r->reason),
		    r->reason.n > 0 && r->message.n > 0 ? ": " : "", STR_ARG(r->message));
	if (r->advice.n > 0)
		text_printf(out, "       what helps: " STR_FMT "\n", STR_ARG(r->advice));
	if (r->waits_for.n > 0)
		text_printf(out, "       waits for " STR_FMT "\n", STR_ARG(r->waits_for));
	if (r->next_try_ms > v->now_ms) {
		elapsed_format(r->next_try_ms - v->now_ms, age);
		text_printf(out, "       attempt %lld, the next one in %s, by itself\n",
		    (long long)r->attempts, age);
	}
}

static void
why_blocking(const struct view *v, const struct fleet_cluster *k, struct text *out)
{
	size_t n = 0;

	text_add(out, "\nWHAT IT WAITS FOR\n");
	for (size_t i = 0; i < k->ntree; i++) {
		const struct fleet_resource *r = &k->tree[i];

		if (r->state == FLEET_READY || r->depth == 0 ||
		    (!r->blocking && fleet_state_weight(r->state) > 2))
			continue;
		n++;
		why_resource(v, r, out);
	}
	if (n == 0)
		text_add(out, "  nothing that is known\n");
}

static void
why_conditions(const struct view *v, const struct fleet_cluster *k, struct text *out)
{
	text_add(out, "\nCONDITIONS\n");
	for (size_t i = 0; i < k->nconditions; i++) {
		const struct fleet_condition *n = &k->conditions[i];
		char age[AGE_MAX];

		age_format(v->now_ms, n->since_ms, age);
		text_printf(out, "  %s " STR_FMT "=" STR_FMT "   " STR_FMT "   since %s\n",
		    str_is(n->status, "True") ? "ok" : "..", STR_ARG(n->type), STR_ARG(n->status),
		    STR_ARG(n->reason), age);
		if (n->message.n > 0)
			text_printf(out, "       " STR_FMT "\n", STR_ARG(n->message));
	}
	if (k->nconditions == 0)
		text_add(out, "  none reported yet\n");
}

static void
why_events(const struct view *v, const struct fleet_cluster *k, struct text *out)
{
	size_t n = 0;

	text_add(out, "\nLAST WARNINGS\n");
	for (size_t i = 0; i < v->fleet->nevents && n < 6; i++) {
		const struct fleet_event *e = &v->fleet->events[i];
		char clock[AGE_MAX];

		if (!e->warning || !str_eq(e->cluster_name, k->name))
			continue;
		n++;
		clock_format(e->last_ms, true, clock);
		text_printf(out, "  %s x%lld " STR_FMT "   " STR_FMT "\n       " STR_FMT "\n",
		    clock, (long long)e->count, STR_ARG(e->object), STR_ARG(e->reason),
		    STR_ARG(e->message));
	}
	if (n == 0)
		text_add(out, "  none\n");
}

static void
why_load(struct console *c, struct view *v)
{
	const struct fleet_cluster *k = view_cluster(v, str_from(v->subject.cluster));
	struct text t = TEXT_INIT((size_t)256 * 1024);

	(void)c;
	title_set(v, "Why");
	if (k == NULL) {
		(void)error_set(
		    &v->err, ERR_NOT_FOUND, "the cluster '%s' is gone", v->subject.cluster);
		return;
	}
	text_printf(&t, "%s " STR_FMT " is %s\n", fleet_state_mark(k->state), STR_ARG(k->name),
	    fleet_state_word(k->state));
	if (k->reason.n > 0)
		text_printf(&t, "   reason: " STR_FMT "\n", STR_ARG(k->reason));
	if (k->message.n > 0)
		text_printf(&t, "   " STR_FMT "\n", STR_ARG(k->message));
	if (k->advice.n > 0)
		text_printf(&t, "   what helps: " STR_FMT "\n", STR_ARG(k->advice));
	if (k->steps_total > 0)
		text_printf(&t, "   step %lld of %lld: " STR_FMT "\n", (long long)k->steps_done,
		    (long long)k->steps_total, STR_ARG(k->step));
	if (k->nblockers > 0) {
		text_add(&t, "\nWHAT BLOCKS ITS DELETION\n");
		for (size_t i = 0; i < k->nblockers; i++)
			text_printf(&t, "  " STR_FMT "\n", STR_ARG(k->blockers[i]));
	}
	why_blocking(v, k, &t);
	why_conditions(v, k, &t);
	why_events(v, k, &t);
	view_set_body(v, text_str(&t));
	text_free(&t);
}

const struct pane describe_pane = {
	.name = "describe",
	.title = "Describe",
	.gives = NEED_TEXT | NEED_CLUSTER | NEED_OBJECT,
	.sort = -1,
	.load = describe_load,
};

const struct pane yaml_pane = {
	.name = "yaml",
	.title = "YAML",
	.gives = NEED_TEXT | NEED_CLUSTER | NEED_OBJECT,
	.sort = -1,
	.load = yaml_load,
};

const struct pane why_pane = {
	.name = "why",
	.title = "Why",
	.gives = NEED_TEXT | NEED_CLUSTER | NEED_OBJECT,
	.sort = -1,
	.load = why_load,
};
