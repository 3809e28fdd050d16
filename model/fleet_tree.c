/*
 * The resources of one cluster as a tree in drawing order, and how far it is along the steps of a
 * creation (ux.md 3.4):
 *
 *   InferenceCluster
 *     AKSCluster            its externals in plan order
 *     ServingStack          its components in plan order
 */

#include <string.h>

#include "model/base/mem.h"
#include "model/fleet_int.h"
#include "model/stamp.h"

/* Steps of a creation, in order. */
enum step {
	STEP_CLASSES,
	STEP_NETWORK,
	STEP_CONTROL_PLANE,
	STEP_POOLS,
	STEP_STORAGE,
	STEP_STACK,
	STEP_GATEWAY,
	STEP_READY,
	STEP__MAX
};

static const char *const step_words[] = { "classes", "network", "control plane", "GPU pools",
	"storage class", "serving stack", "gateway", "ready" };
_Static_assert(ARRAY_LEN(step_words) == STEP__MAX, "a word for each step");

/* Which step a resource belongs to: by its type, else by how its key begins. */
static enum step
step_of(const struct external_spec *s)
{
	static const struct {
		const char *type, *key;
		enum step step;
	} rows[] = {
		{ "resource-group", NULL, STEP_NETWORK },
		{ "virtual-network", NULL, STEP_NETWORK },
		{ "role-assignment", NULL, STEP_CONTROL_PLANE },
		{ "managed-cluster", NULL, STEP_CONTROL_PLANE },
		{ "admin-kubeconfig", NULL, STEP_CONTROL_PLANE },
		{ "agent-pool", NULL, STEP_POOLS },
		{ NULL, "storage-class", STEP_STORAGE },
		{ NULL, "gateway", STEP_GATEWAY },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].type != NULL && str_is(s->type, rows[i].type))
			return rows[i].step;
		if (rows[i].key != NULL && str_starts(s->key, str_from(rows[i].key)))
			return rows[i].step;
	}
	return STEP_STACK;
}

struct progress {
	unsigned rows[STEP__MAX], ready[STEP__MAX];
	struct str what[STEP__MAX]; /* of the first that is not ready */
};

/* ---- rows ---- */

static enum fleet_state
phase_state(const struct external_spec *s, bool on_cluster)
{
	switch ((enum external_phase)s->phase) {
	case EXTERNAL_INTENT:
	case EXTERNAL_CREATED:
		return on_cluster ? FLEET_INSTALLING : FLEET_CREATING;
	case EXTERNAL_UNKNOWN:
		return FLEET_UNKNOWN;
	case EXTERNAL_READY:
		return FLEET_READY;
	case EXTERNAL_DRIFTED:
		return FLEET_UPDATING;
	case EXTERNAL_DELETING:
	case EXTERNAL_TOMBSTONE:
		return FLEET_DELETING;
	case EXTERNAL_FAILED:
		return FLEET_ERROR;
	case EXTERNAL_WAITING:
		return FLEET_WAITING;
	}
	return FLEET_UNKNOWN;
}

/* "Gateway" for an object on a cluster, whose identity is "api Kind ns/name"; else the row's type.
 */
static struct str
kind_of(const struct external_spec *s)
{
	struct str rest = s->external_id, api, kind;

	if (str_is(s->type, "object") && str_split(&rest, ' ', &api) &&
	    str_split(&rest, ' ', &kind) && kind.n > 0)
		return kind;
	return s->type;
}

static void
external_row(struct fleet_work *w, const struct external *x, struct fleet_resource *r)
{
	struct fleet_builder *b = w->b;
	const struct external_spec *s = &x->spec;

	r->depth = 2;
	r->object = fleet_textf(b, STR_FMT "/" STR_FMT, STR_ARG(kind_of(s)), STR_ARG(s->name));
	r->kind = fleet_text(b, kind_of(s));
	r->name = fleet_text(b, s->name);
	r->step = str_from(step_words[step_of(s)]);
	r->what = fleet_text(b, s->what);
	r->version = fleet_text(b, s->version);
	r->state = phase_state(s, str_is(s->provider, "kube"));
	r->word =
	    str_from(s->phase >= 0 ? external_phase_words[s->phase] : fleet_state_word(r->state));
	r->message = fleet_text(b, s->error.present ? s->error.message : s->progress);
	r->reason = fleet_text(b, s->error.reason);
	r->advice = fleet_text(b, s->error.advice);
	r->external_id = fleet_text(b, s->external_id);
	r->waits_for = fleet_text(b, s->waits_for);
	r->since_ms = s->since.present ? s->since.value : 0;
	r->next_try_ms = s->next_try.present ? s->next_try.value : 0;
	r->attempts = s->attempts.present ? s->attempts.value : 0;
	r->synced = !s->error.present;
	r->ready = s->phase == EXTERNAL_READY;
	r->external = true;
}

static bool
ready_of(const struct list *conditions, const char *type)
{
	const struct condition *c = condition_find(conditions, type);

	return c != NULL && c->status == CONDITION_TRUE;
}

static const struct fleet_retry *
retry_find(struct fleet_builder *b, struct str kind, struct str name)
{
	const struct fleet_source *s = b->src;
	size_t at = fleet_index_find(b->retries, s->nretries, name);

	for (; at < s->nretries && str_eq(b->retries[at].key, name); at++)
		if (str_eq(s->retries[b->retries[at].at].kind, kind))
			return &s->retries[b->retries[at].at];
	return NULL;
}

/* A row of an object of ours. */
static void
object_row(struct fleet_work *w, struct fleet_resource *r, struct str kind, struct str name,
    const struct list *conditions)
{
	struct fleet_builder *b = w->b;
	const struct condition *ready = condition_find(conditions, "Ready");
	const struct condition *synced = condition_find(conditions, "Synced");
	const struct fleet_retry *retry = retry_find(b, kind, name);
	const struct condition *say = ready;

	if (synced != NULL && synced->status == CONDITION_FALSE)
		say = synced;
	r->object = fleet_textf(b, STR_FMT "/" STR_FMT, STR_ARG(kind), STR_ARG(name));
	r->kind = fleet_text(b, kind);
	r->name = fleet_text(b, name);
	r->ready = ready_of(conditions, "Ready");
	r->synced = ready_of(conditions, "Synced");
	if (say != NULL) {
		r->reason = fleet_text(b, say->reason);
		r->message = fleet_text(b, say->message);
		r->since_ms = stamp_or_zero(say->last_transition_time);
	}
	r->state = say == synced && synced != NULL ? FLEET_ERROR
		   : r->ready			   ? FLEET_READY
		   : ready == NULL		   ? FLEET_NEW
						   : FLEET_CREATING;
	if (retry != NULL) {
		r->next_try_ms = retry->next_ms;
		r->attempts = retry->failures;
	}
}

/* ---- the tree ---- */

struct range {
	size_t first, n;
};

static struct range
externals_of(struct fleet_builder *b, struct str uid)
{
	const struct fleet_source *s = b->src;
	struct range range = { .first = fleet_index_find(b->externals, s->nexternals, uid) };

	while (uid.n > 0 && range.first + range.n < s->nexternals &&
	       str_eq(b->externals[range.first + range.n].key, uid))
		range.n++;
	return range;
}

static bool
is_shown(const struct external *x)
{
	return x->spec.phase != EXTERNAL_TOMBSTONE;
}

static void
progress_note(struct progress *p, const struct fleet_resource *r, const struct external *x)
{
	enum step step = step_of(&x->spec);

	p->rows[step]++;
	if (r->ready)
		p->ready[step]++;
	else if (p->what[step].n == 0)
		p->what[step] = r->message.n > 0 ? r->message : r->what;
}

/* What others wait for, and what waits for nothing itself, is on the critical path. */
static bool
is_blocking(const struct external *const *all, size_t n, size_t at)
{
	const struct external_spec *s = &all[at]->spec;

	if (s->phase == EXTERNAL_READY || s->waits_for.n > 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if (s->key.n > 0 && str_eq(all[i]->spec.waits_for, s->key))
			return true;
	return false;
}

/* Inserts by place in the plan: records are few and nearly sorted. */
static size_t
rows_add(struct fleet_work *w, struct str uid, struct fleet_resource *out, struct progress *p)
{
	struct fleet_builder *b = w->b;
	struct range range = externals_of(b, uid);
	const struct external **sorted =
	    arena_array(b->a, range.n + 1, sizeof(const struct external *));
	size_t n = 0;

	for (size_t i = 0; sorted != NULL && i < range.n; i++) {
		const struct external *x = b->src->externals[b->externals[range.first + i].at];
		size_t at = n;

		if (!is_shown(x))
			continue;
		while (at > 0 && sorted[at - 1]->spec.order.value > x->spec.order.value) {
			sorted[at] = sorted[at - 1];
			at--;
		}
		sorted[at] = x;
		n++;
	}
	for (size_t i = 0; i < n; i++) {
		external_row(w, sorted[i], &out[i]);
		out[i].blocking = is_blocking(sorted, n, i);
		progress_note(p, &out[i], sorted[i]);
	}
	return n;
}

static void
steps_build(struct fleet_work *w, const struct progress *p)
{
	struct fleet_cluster *c = w->out;
	bool ready = c->state == FLEET_READY || c->state == FLEET_CORDONED ||
		     c->state == FLEET_DRAINED || c->state == FLEET_DRAINING;
	bool open = false;

	c->steps_total = STEP__MAX;
	c->steps_done = 0;
	for (int i = 0; i < STEP__MAX; i++) {
		bool done = i == STEP_CLASSES ? c->state != FLEET_NEEDS_CLASS
			    : i == STEP_READY ? ready
					      : p->rows[i] > 0 && p->ready[i] == p->rows[i];

		/* A cluster that was brought along has no rows for what it came with. */
		if (p->rows[i] == 0 && w->in->spec.cluster.source == SOURCE_EXISTING &&
		    i < STEP_STACK)
			done = true;
		if (done || ready) {
			c->steps_done++;
		} else if (!open) {
			open = true;
			c->step = str_from(step_words[i]);
			if (p->what[i].n > 0 &&
			    (c->state == FLEET_CREATING || c->state == FLEET_INSTALLING))
				c->message = fleet_textf(
				    w->b, "%s: " STR_FMT, step_words[i], STR_ARG(p->what[i]));
		}
	}
}

void
fleet_tree_build(struct fleet_work *w)
{
	struct fleet_builder *b = w->b;
	struct progress progress = { .rows = { 0 } };
	struct str provider_uid = w->provider != NULL ? w->provider->uid : STR("");
	struct str stack_uid = w->stack != NULL ? w->stack->meta.uid : STR("");
	size_t most = 3 + externals_of(b, provider_uid).n + externals_of(b, stack_uid).n;
	struct fleet_resource *rows = arena_array(b->a, most, sizeof(*rows));
	size_t n = 0;

	if (rows == NULL)
		return;
	object_row(
	    w, &rows[n], STR("InferenceCluster"), w->in->meta.name, &w->in->status.conditions);
	rows[n++].state = w->out->state;
	if (w->provider != NULL) {
		rows[n].depth = 1;
		object_row(
		    w, &rows[n], w->provider->kind, w->provider->name, w->provider->conditions);
		if (w->provider->deleted_ms > 0)
			rows[n].state = FLEET_DELETING;
		n++;
		n += rows_add(w, provider_uid, &rows[n], &progress);
	}
	if (w->stack != NULL) {
		rows[n].depth = 1;
		object_row(w, &rows[n], STR("ServingStack"), w->stack->meta.name,
		    &w->stack->status.conditions);
		if (w->stack->meta.deletion_timestamp.n > 0)
			rows[n].state = FLEET_DELETING;
		n++;
		n += rows_add(w, stack_uid, &rows[n], &progress);
	}
	w->out->tree = rows;
	w->out->ntree = n;
	steps_build(w, &progress);
}
