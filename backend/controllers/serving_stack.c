/*
 * ServingStack (spec/reconcile.md 10): its plan (model/compose/stack.c) is driven by the compose
 * engine with the provider "kube" against the workload cluster; the gateway's address comes back in
 * the record of the gateway object. Deletion walks the plan backwards in guarded order and keeps
 * the finalizer until nothing is left.
 */

#include "backend/compose/compose.h"
#include "backend/controllers/object.h"
#include "backend/controllers/report.h"
#include "backend/runtime/clock.h"
#include "model/base/mem.h"
#include "model/compose/stack.h"

enum {
	STACK_LOOK_AGAIN_MS = 30 * 1000,
	LOOK_REAL_MIN_MS = 400, /* a fast clock shall not make a busy loop of looking */
};

struct pass {
	struct controller_context *cx;
	const struct object *object;
	struct serving_stack stack;
	struct compose_result result;
};

static const struct external *
external_find(const struct compose_result *r, const char *key)
{
	for (size_t i = 0; i < r->nexternals; i++)
		if (str_is(r->externals[i].spec.key, key))
			return &r->externals[i];
	return NULL;
}

static void
gateway_status(struct pass *p, struct node *status)
{
	const struct external *gateway = external_find(&p->result, STACK_KEY_GATEWAY);
	struct str address;

	if (gateway == NULL)
		return;
	address = node_path_str(gateway->spec.observed, "address");
	if (address.n > 0)
		node_set(p->cx->arena, node_make_path(p->cx->arena, status, "gateway"), "address",
		    node_str(p->cx->arena, address));
}

static void
conditions_set(struct pass *p, struct node *status)
{
	struct controller_context *cx = p->cx;
	const struct compose_result *r = &p->result;

	if (r->worst.code != ERR_NONE)
		status_condition(cx, status, CONDITION_FALSE, "Synced", error_reason(&r->worst),
		    STR_FMT ": %s; %s", STR_ARG(r->worst_key), r->worst.message,
		    report_advice(&r->worst));
	else
		status_condition(
		    cx, status, CONDITION_TRUE, "Synced", "ReconcileSuccess", "%s", "");
	if (p->object->deleted_ms != 0)
		status_condition(cx, status, CONDITION_FALSE, "Ready", "Deleting", "%s",
		    report_progress(cx, r, true, "components"));
	else if (r->wanted > 0 && r->ready == r->wanted)
		status_condition(cx, status, CONDITION_TRUE, "Ready", "Available", "%s", "");
	else
		status_condition(cx, status, CONDITION_FALSE, "Ready", "Creating", "%s",
		    report_progress(cx, r, false, "components"));
}

static bool
status_write(struct pass *p, struct error *err)
{
	struct node *status = status_begin(p->cx, p->object, err);
	struct node *old;

	if (status == NULL)
		return false;
	old = node_dup(p->cx->arena, status);
	gateway_status(p, status);
	conditions_set(p, status);
	report_fault(p->cx, p->object, &p->result, old, status);
	return status_save(p->cx, p->object, status, err);
}

/* The span, or longer where it would be over in no time. */
static int64_t
at_least_real(struct clock *clock, int64_t span_ms)
{
	int64_t real = clock_real_ms(clock, span_ms);

	if (span_ms <= 0 || real <= 0 || real >= LOOK_REAL_MIN_MS)
		return span_ms;
	return (int64_t)((double)LOOK_REAL_MIN_MS * clock_speed(clock));
}

static bool
pass_run(struct pass *p, struct reconcile_result *ret, struct error *err)
{
	struct controller_context *cx = p->cx;
	bool going = p->object->deleted_ms != 0;
	struct plan plan;

	plan_init(&plan, cx->arena);
	/* What goes is known from the records: a spec that cannot be planned is no reason to stay.
	 */
	if ((!going && !stack_plan(&p->stack, &plan, err)) ||
	    !compose_reconcile(
		cx->compose, p->object, going ? NULL : &plan, cx->arena, &p->result, err))
		return false;
	if (going && p->result.left == 0)
		return finalizer_remove(cx, p->object, CONTROLLER_FINALIZER, err);
	ret->requeue_ms = p->result.next_ms;
	if (ret->requeue_ms == 0 && going)
		ret->requeue_ms = STACK_LOOK_AGAIN_MS;
	ret->requeue_ms = at_least_real(cx->clock, ret->requeue_ms);
	return status_write(p, err);
}

static bool
stack_reconcile(struct controller_context *cx, const struct object *object,
    struct reconcile_result *ret, struct error *err)
{
	struct pass p = { .cx = cx, .object = object_ref(object) };
	bool ok = false;

	if (!finalizer_add(cx, &p.object, CONTROLLER_FINALIZER, err) ||
	    !object_decode(p.object, cx->arena, &p.stack, err))
		goto out;
	ok = pass_run(&p, ret, err);
out:
	object_unref(p.object);
	return ok;
}

const struct controller serving_stack_controller = {
	.name = "servingstack",
	.kind = &serving_stack_kind,
	.reconcile = stack_reconcile,
};
