#include "backend/controllers/aks_cluster.h"

#include "backend/compose/compose.h"
#include "backend/controllers/object.h"
#include "backend/controllers/report.h"
#include "backend/runtime/clock.h"
#include "backend/runtime/failpoint.h"
#include "model/base/mem.h"
#include "model/compose/aks.h"
#include "model/kinds/provider_config.h"

enum {
	STEADY_REAL_MIN_MS = 5 * 1000, /* a fast clock shall not make a busy loop */
	PAUSED_LOOK_MS = 10 * 60 * 1000,
};

struct pass {
	struct controller_context *cx;
	const struct object *object;
	const struct object *fresh; /* a reference, when the finalizer was added in this pass */
	struct aks_cluster cluster;
	struct plan plan;
	struct compose_result result;
	int64_t began; /* wall ms */
};

/* ---- what it says ---- */

static void
set_conditions(struct pass *p, struct node *status)
{
	struct controller_context *cx = p->cx;
	const struct compose_result *r = &p->result;

	if (r->worst.code != ERR_NONE)
		status_condition(cx, status, CONDITION_FALSE, "Synced", "ReconcileError",
		    "%s: " STR_FMT ": %s; %s", error_reason(&r->worst), STR_ARG(r->worst_key),
		    r->worst.message, report_advice(&r->worst));
	else
		status_condition(
		    cx, status, CONDITION_TRUE, "Synced", "ReconcileSuccess", "%s", "");
	if (p->object->deleted_ms != 0)
		status_condition(cx, status, CONDITION_FALSE, "Ready", "Deleting",
		    "%s", report_progress(cx, r, true, "resources"));
	else if (r->wanted > 0 && r->ready == r->wanted)
		status_condition(cx, status, CONDITION_TRUE, "Ready", "Available", "%s", "");
	else
		status_condition(cx, status, CONDITION_FALSE, "Ready", "Creating", "%s",
		    report_progress(cx, r, false, "resources"));
}

static void
emit_one(struct pass *p, const struct external_spec *x)
{
	static const struct {
		enum external_phase phase;
		enum event_type type;
		const char *reason, *says;
	} rows[] = {
		{ EXTERNAL_CREATED, EVENT_NORMAL, "Creating", "is being made" },
		{ EXTERNAL_READY, EVENT_NORMAL, "ResourceReady", "is ready" },
		{ EXTERNAL_DRIFTED, EVENT_NORMAL, "Drifted", "differs and is put right" },
		{ EXTERNAL_UNKNOWN, EVENT_WARNING, "UnknownOutcome",
		    "may or may not have been made" },
		{ EXTERNAL_DELETING, EVENT_NORMAL, "Deleting", "is being removed" },
		{ EXTERNAL_TOMBSTONE, EVENT_NORMAL, "Deleted", "is gone" },
	};
	struct controller_context *cx = p->cx;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if ((int)rows[i].phase == x->phase)
			event_emit(cx->store, cx->clock, p->object, rows[i].type, rows[i].reason,
			    "akscluster", STR_FMT " %s", STR_ARG(x->what), rows[i].says);
	}
}

/* One event for each resource that came to a new phase in this pass. */
static void
emit(struct pass *p)
{
	for (size_t i = 0; i < p->result.nexternals; i++) {
		const struct external_spec *x = &p->result.externals[i].spec;

		if (x->since.value >= p->began)
			emit_one(p, x);
	}
}

static bool
save_status(struct pass *p, struct error *err)
{
	struct node *status = status_begin(p->cx, p->object, err);
	struct node *old;

	if (status == NULL)
		return false;
	old = node_dup(p->cx->arena, status);
	if (p->object->deleted_ms == 0)
		aks_status(p->cx->arena, &p->cluster, status);
	set_conditions(p, status);
	report_fault(p->cx, p->object, &p->result, old, status);
	return status_save(p->cx, p->object, status, err);
}

/* ---- what it does ---- */

static int64_t
steady_ms(struct clock *clock)
{
	int64_t ms = COMPOSE_STEADY_MS, real = clock_real_ms(clock, ms);

	return real >= STEADY_REAL_MIN_MS || real <= 0 ? ms : ms * (STEADY_REAL_MIN_MS / real + 1);
}

static bool
keep(struct pass *p, struct reconcile_result *ret, struct error *err)
{
	p->fresh = object_ref(p->object);
	if (!finalizer_add(p->cx, &p->fresh, AKS_FINALIZER, err))
		return false;
	p->object = p->fresh;
	plan_init(&p->plan, p->cx->arena);
	if (!aks_plan(&p->cluster, &p->plan, err) ||
	    !compose_reconcile(p->cx->compose, p->object, &p->plan, p->cx->arena, &p->result, err))
		return false;
	ret->requeue_ms = p->result.next_ms > 0 ? p->result.next_ms : steady_ms(p->cx->clock);
	emit(p);
	return save_status(p, err);
}

/* Nothing but what is recorded counts: the spec may have changed since. */
static bool
dismiss(struct pass *p, struct reconcile_result *ret, struct error *err)
{
	const char *key = arena_printf(p->cx->arena, STR_FMT, STR_ARG(p->object->name));

	if (!finalizer_has(p->cx, p->object, AKS_FINALIZER))
		return true;
	if (!compose_reconcile(p->cx->compose, p->object, NULL, p->cx->arena, &p->result, err))
		return false;
	emit(p);
	if (p->result.left > 0) {
		ret->requeue_ms = p->result.next_ms > 0 ? p->result.next_ms : COMPOSE_RETRY_MIN_MS;
		return save_status(p, err);
	}
	if (failpoint("compose/finalizer", key))
		return error_set(err, ERR_STORE, "failpoint compose/finalizer");
	return finalizer_remove(p->cx, p->object, AKS_FINALIZER, err);
}

static bool
paused(struct pass *p, struct error *err)
{
	struct node *status = status_begin(p->cx, p->object, err);

	if (status == NULL)
		return false;
	status_condition(p->cx, status, CONDITION_FALSE, "Synced", "ReconcilePaused",
	    "the annotation crossplane.io/paused is set");
	return status_save(p->cx, p->object, status, err);
}

static bool
reconcile(struct controller_context *cx, const struct object *object, struct reconcile_result *ret,
    struct error *err)
{
	struct pass p = { .cx = cx, .object = object, .began = clock_wall_ms(cx->clock) };
	bool ok;

	if (!object_decode(object, cx->arena, &p.cluster, err))
		return false;
	if (str_is(strmap_find(&p.cluster.meta.annotations, "crossplane.io/paused"), "true")) {
		ret->requeue_ms = PAUSED_LOOK_MS;
		return paused(&p, err);
	}
	ok = object->deleted_ms != 0 ? dismiss(&p, ret, err) : keep(&p, ret, err);
	object_unref(p.fresh);
	return ok;
}

/* A credential that changed concerns every cluster: they are few, and a pass is cheap. */
static void
related(struct controller_context *cx, const struct object *changed, related_fn *add, void *context)
{
	struct object_list list = { 0 };

	if (!str_is(
		str_from(changed->res->group), cluster_provider_config_kinds[PROVIDER_AZURE].group))
		return;
	if (!store_list(cx->store, resource_of(&aks_cluster_kind), &(struct list_options){ 0 },
		&list, NULL))
		return; /* the sweep comes by */
	for (size_t i = 0; i < list.n; i++)
		add(context, list.items[i]->ns, list.items[i]->name);
	object_list_fini(&list);
}

const struct controller aks_cluster_controller = {
	.name = "akscluster",
	.kind = &aks_cluster_kind,
	.reconcile = reconcile,
	.related = related,
};
