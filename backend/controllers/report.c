#include "backend/controllers/report.h"

#include <string.h>

#include "model/base/mem.h"

/* The first resource that is neither ready nor at fault: what a person would wait for. */
static const struct external *
waited_for(const struct compose_result *r)
{
	const struct external *waiting = NULL;

	for (size_t i = 0; i < r->nexternals; i++) {
		int phase = r->externals[i].spec.phase;

		if (phase == EXTERNAL_CREATED || phase == EXTERNAL_INTENT ||
		    phase == EXTERNAL_UNKNOWN || phase == EXTERNAL_DELETING ||
		    phase == EXTERNAL_DRIFTED)
			return &r->externals[i];
		if (waiting == NULL && phase == EXTERNAL_WAITING)
			waiting = &r->externals[i];
	}
	return waiting;
}

const char *
report_advice(const struct error *err)
{
	static const char nothing[] = "none: ";
	const char *advice = error_advice(err);

	return strncmp(advice, nothing, sizeof(nothing) - 1) == 0 ? advice + sizeof(nothing) - 1
								  : advice;
}

const char *
report_progress(
    struct controller_context *cx, const struct compose_result *r, bool going, const char *things)
{
	const struct external *x = waited_for(r);
	struct arena *a = cx->arena;
	const char *text, *sum, *rest = "";

	if (r->worst.code != ERR_NONE)
		rest = arena_printf(a, "; " STR_FMT ": %s; %s", STR_ARG(r->worst_key),
		    r->worst.message, report_advice(&r->worst));
	else if (x != NULL && x->spec.progress.n > 0)
		rest = arena_printf(
		    a, "; " STR_FMT ": " STR_FMT, STR_ARG(x->spec.what), STR_ARG(x->spec.progress));
	else if (x != NULL)
		rest = arena_printf(a, "; next: " STR_FMT, STR_ARG(x->spec.what));
	sum = going ? arena_printf(a, "%u %s are left", r->left, things)
		    : arena_printf(a, "%u of %u %s are ready", r->ready, r->wanted, things);
	text = arena_printf(a, "%s%s", sum != NULL ? sum : "", rest != NULL ? rest : "");
	return text != NULL ? text : "";
}

static struct str
synced_message(const struct node *status)
{
	for (const struct node *c = node_first(node_find(status, "conditions")); c != NULL;
	     c = c->next) {
		if (str_is(node_get_str(node_find(c, "type")), "Synced"))
			return node_get_str(node_find(c, "message"));
	}
	return (struct str){ 0 };
}

void
report_fault(struct controller_context *cx, const struct object *object,
    const struct compose_result *r, const struct node *old, const struct node *status)
{
	const struct error *worst = &r->worst;

	if (worst->code == ERR_NONE || str_eq(synced_message(old), synced_message(status)))
		return;
	event_emit(cx->store, cx->clock, object, EVENT_WARNING, error_reason(worst),
	    object->res->known->singular, STR_FMT ": %s; %s", STR_ARG(r->worst_key), worst->message,
	    report_advice(worst));
}
