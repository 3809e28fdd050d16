#include "backend/compose/compose_int.h"

#include <stdlib.h>

/*
 * What can hold a step back. A gate that does not let pass leaves in the row what it waits for and
 * when to look again; that is a state, not a fault, but for SuspiciousAbsence and for a resource
 * that is missing.
 */

enum { BUSY_MAX_MS = 60 * 1000 }; /* another operation ends sooner than a fault */

static bool
hold(struct row *r, int64_t look_ms)
{
	r->waiting = true;
	r->look_ms = look_ms > 0 ? look_ms : r->look_ms;
	return false;
}

static void
fault(struct row *r, const struct error *why)
{
	r->fault = true;
	r->err = *why;
	row_error(r, why);
}

/* ---- who depends on whom ---- */

static bool
is_usable(const struct row *d)
{
	if (d->at_once)
		return true;
	if (d->seen == SEEN_DRIFTED)
		return d->step.drift_immutable; /* reported, yet it works */
	return d->ext.spec.phase == EXTERNAL_READY &&
	       (d->seen == SEEN_READY || d->seen == SEEN_PENDING);
}

const struct row *
row_blocker(struct row *r)
{
	for (size_t i = 0; i < r->nafter; i++) {
		const struct row *d = row_find(r->pass, r->after[i]);

		if (d == NULL || d == r)
			continue;
		if (d->want == WANT_IT && !is_usable(d))
			return d;
	}
	return NULL;
}

struct row *
row_container(struct row *r)
{
	struct pass *p = r->pass;

	if (r->type == NULL || (r->type->flags & RES_CONTAINED) == 0 || r->type->container == NULL)
		return NULL;
	for (size_t i = 0; i < p->nrows; i++) {
		if (str_is(p->rows[i].ext.spec.type, r->type->container))
			return &p->rows[i];
	}
	return NULL;
}

bool
row_goes_with(struct row *r, const struct row *container)
{
	struct row *up = row_container(r);

	for (int depth = 0; up != NULL && depth < 8; depth++) {
		if (up == container)
			return true;
		up = row_container(up);
	}
	return false;
}

/* Goes with its container: not removed alone, and looked at once the container is gone. */
bool
row_goes_along(struct row *r)
{
	struct row *up = row_container(r);

	if (up == NULL || up->want != WANT_GONE || !up->stored ||
	    up->ext.spec.phase == EXTERNAL_TOMBSTONE)
		return false;
	return !str_is(up->ext.spec.error.reason, COMPOSE_FOREIGN_CONTENT) || row_goes_along(up);
}

/* ---- gates ---- */

static bool
gate_after(struct row *r)
{
	const struct row *d = row_blocker(r);

	if (d == NULL) {
		r->ext.spec.waits_for = (struct str){ 0 };
		return true;
	}
	r->ext.spec.waits_for = d->ext.spec.key;
	if (!row_exists(r) && r->ext.spec.phase != EXTERNAL_FAILED)
		row_phase(r, EXTERNAL_WAITING);
	return hold(r, 0); /* comes by itself: what it waits for says when to look */
}

/* A lost create: by token or name the answer is there at once, else only after the window. */
bool
gate_settled(struct row *r)
{
	struct external_spec *x = &r->ext.spec;
	bool same = str_eq(x->want_hash, r->hash) || r->want == WANT_GONE;
	int64_t left = x->settle_until.value - r->pass->wall;

	if (!r->maybe || (r->type->flags & RES_UNIQUE_NAME) != 0 ||
	    ((r->type->flags & RES_TOKEN) != 0 && same))
		return true;
	if (!x->settle_until.present) { /* died before the answer could be recorded */
		x->settle_until = (struct opt_int){ true,
			(x->deadline_at.present ? x->deadline_at.value : r->pass->wall) +
			    r->type->settle_ms };
		left = x->settle_until.value - r->pass->wall;
	}
	row_phase(r, EXTERNAL_UNKNOWN);
	if (left > 0) {
		row_progress(r, "checking whether the interrupted create took effect, until %lld",
		    (long long)x->settle_until.value);
		return hold(r, left);
	}
	if (x->sent_at.value != x->settle_until.value) { /* the first empty search after it */
		x->sent_at = x->settle_until;
		row_progress(r, "the interrupted create is not to be found; looking once more");
		return hold(r, r->type->poll_ms);
	}
	return true;
}

/* Absence of something that was there is believed after a while, not at once. */
static bool
gate_believed(struct row *r)
{
	struct error why = { 0 };
	struct memo_look look;
	int64_t left;

	if (!r->known || r->pass->believe || (r->type->flags & RES_COUNTED) == 0)
		return true;
	memo_get(r, &look);
	left = COMPOSE_GRACE_MS - (r->pass->mono - look.absent_since);
	if (look.absences >= 2 && left <= 0)
		return true;
	(void)error_set(&why, ERR_NOT_FOUND, "%s '" STR_FMT "' is not found any more",
	    r->type->what, STR_ARG(r->ext.spec.name));
	error_name(&why, "Missing");
	error_advise(&why, "none: it is looked for again, then made anew");
	fault(r, &why);
	row_phase(r, EXTERNAL_FAILED);
	return hold(r, left > 0 ? left : 1000);
}

static bool
gate_backoff(struct row *r)
{
	struct external_spec *x = &r->ext.spec;
	int64_t left = x->next_try.present ? x->next_try.value - r->pass->wall : 0;

	if (left <= 0 ||
	    (r->want == WANT_IT && x->want_hash.n > 0 && !str_eq(x->want_hash, r->hash)))
		return true;
	r->fault = x->error.present && x->phase != EXTERNAL_WAITING;
	return hold(r, left);
}

static bool
shares_lane(const struct row *a, const struct row *b)
{
	return a->type != NULL && b->type != NULL && a->provider == b->provider &&
	       a->type->lane != NULL && b->type->lane != NULL &&
	       str_is(str_from(a->type->lane), b->type->lane);
}

static bool
gate_lane(struct row *r)
{
	struct pass *p = r->pass;

	for (size_t i = 0; i < p->nrows; i++) {
		const struct row *o = &p->rows[i];

		if (o == r || o->seen != SEEN_PENDING || !shares_lane(r, o))
			continue;
		if (((r->type->flags & o->type->flags) & RES_LANE_SHARED) != 0)
			continue;
		r->ext.spec.waits_for = o->ext.spec.key;
		row_progress(r, "waits for the running operation on '" STR_FMT "'",
		    STR_ARG(o->ext.spec.key));
		return hold(r, 0);
	}
	return true;
}

static bool
gate_fleet(struct row *r)
{
	struct str account = r->pass->sessions[r->provider].account;
	struct error why = { 0 };
	struct memo_look look;
	unsigned absent, known;

	if ((r->type->flags & RES_COUNTED) == 0 || r->pass->believe ||
	    !memo_suspicious(r->pass->c, account, &absent, &known))
		return true;
	memo_get(r, &look);
	if (r->known && look.absences >= COMPOSE_AGREE_PASSES &&
	    r->pass->mono - look.absent_since >= COMPOSE_AGREE_MS)
		return true;
	(void)error_set(&why, ERR_REFUSED,
	    "%u of %u known resources in account '" STR_FMT
	    "' are not found: nothing is made until that is certain",
	    absent, known, STR_ARG(account));
	error_name(&why, "SuspiciousAbsence");
	error_advise(&why,
	    "check the credential, the subscription and the cloud's own console; if "
	    "they are gone, set the annotation " COMPOSE_CONFIRM_ABSENCE "=true on the owner");
	fault(r, &why);
	if (r->known)
		row_phase(r, EXTERNAL_FAILED);
	return hold(r, COMPOSE_STEADY_MS);
}

/* Backwards: what depends on it goes first, unless it goes with this or another container. */
static bool
gate_dependents(struct row *r)
{
	struct pass *p = r->pass;

	for (size_t i = 0; i < p->nrows; i++) {
		struct row *o = &p->rows[i];
		bool names = false;

		if (o == r || !o->stored || o->ext.spec.phase == EXTERNAL_TOMBSTONE ||
		    o->want != WANT_GONE || row_goes_with(o, r) || row_goes_along(o))
			continue;
		for (size_t j = 0; j < o->nafter; j++)
			names = names || str_eq(o->after[j], r->ext.spec.key);
		if (!names)
			continue;
		r->ext.spec.waits_for = o->ext.spec.key;
		return hold(r, 0);
	}
	r->ext.spec.waits_for = (struct str){ 0 };
	return true;
}

static bool
walk(struct row *r, const struct gate *gates, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!gates[i].pass(r))
			return false;
	}
	return true;
}

bool
gates_create(struct row *r)
{
	static const struct gate gates[] = {
		{ "settled", gate_settled },
		{ "believed", gate_believed },
		{ "after", gate_after },
		{ "backoff", gate_backoff },
		{ "lane", gate_lane },
		{ "fleet", gate_fleet },
	};
	return walk(r, gates, ARRAY_LEN(gates));
}

bool
gates_update(struct row *r)
{
	static const struct gate gates[] = {
		{ "after", gate_after },
		{ "backoff", gate_backoff },
		{ "lane", gate_lane },
	};
	return walk(r, gates, ARRAY_LEN(gates));
}

bool
gates_delete(struct row *r)
{
	static const struct gate gates[] = {
		{ "dependents", gate_dependents },
		{ "backoff", gate_backoff },
		{ "lane", gate_lane },
	};
	return walk(r, gates, ARRAY_LEN(gates));
}

/* Full doubling with half jitter that needs no random source: the name and the count decide. */
int64_t
row_backoff_ms(const struct row *r, const struct error *why)
{
	int64_t ms = COMPOSE_RETRY_MIN_MS, most = COMPOSE_RETRY_MAX_MS;
	uint32_t h = 2166136261U;

	if (why->retry_after_ms > 0)
		return why->retry_after_ms;
	if (error_retry(why) == RETRY_NEVER)
		return COMPOSE_RETRY_NEVER_MS;
	if (why->code == ERR_BUSY)
		most = BUSY_MAX_MS;
	for (int64_t i = 1; i < r->ext.spec.attempts.value && ms < most; i++)
		ms *= 2;
	ms = ms < most ? ms : most;
	for (size_t i = 0; i < r->ext.meta.name.n; i++)
		h = (h ^ (unsigned char)r->ext.meta.name.p[i]) * 16777619U;
	h = (h ^ (uint32_t)r->ext.spec.attempts.value) * 16777619U;
	return ms / 2 + (int64_t)(h % (uint32_t)(ms / 2 + 1));
}
