#include "backend/compose/compose_int.h"

#include "backend/runtime/clock.h"
#include "backend/runtime/failpoint.h"
#include "model/base/mem.h"
#include "model/names.h"

/*
 * The matrix seen x wanted, and its steps. Every acting call of every cloud is made here, by the
 * three functions send_create, send_update and send_remove, each between a durable record and the
 * record of what happened (.ci/check-acting refuses a second place).
 *
 *   intent durable ──► call ──► outcome ──► recorded
 *        │ conflict: the copy was stale; nothing is sent, the next pass looks again
 *        └ killed anywhere after it: phase Intent says "may have been sent", and the next pass
 *          finds out by looking (gates.c, gate_settled)
 */

enum { LOOK_SOON_MS = 1000, LOOK_UNKNOWN_MS = 15 * 1000, LOOK_MAX_MS = 10 * 60 * 1000 };

static int64_t
poll_ms(const struct row *r)
{
	return r->step.look_ms > 0 ? r->step.look_ms : r->type->poll_ms;
}

static const char *
key_of(struct row *r)
{
	const char *key = arena_dup(r->pass->arena, r->ext.spec.key.p, r->ext.spec.key.n);

	return key != NULL ? key : "";
}

/* ---- looking ---- */

static bool
session_open(struct row *r)
{
	struct pass_session *s = &r->pass->sessions[r->provider];
	const struct provider *pr = &r->pass->c->providers[r->provider];

	if (!s->opened) {
		s->opened = true;
		s->session = pr->open(pr->state, r->pass->c->store, r->pass->owner, r->pass->arena,
		    &s->account, &s->err);
		s->failed = s->session == NULL;
	}
	r->step.session = s->session;
	if (s->failed)
		r->err = s->err;
	return !s->failed;
}

/* "Not found" counts only from the account that made it (trust.md 0.7). */
static bool
same_account(struct row *r)
{
	struct str mine = r->pass->sessions[r->provider].account, its = r->ext.spec.account;

	if (its.n == 0 || mine.n == 0 || str_eq(mine, its) || !row_exists(r))
		return true;
	(void)error_set(&r->err, ERR_REFUSED,
	    "'" STR_FMT "' was made with account '" STR_FMT "', and the credential is for '" STR_FMT
	    "'",
	    STR_ARG(r->ext.spec.name), STR_ARG(its), STR_ARG(mine));
	error_name(&r->err, "AccountChanged");
	error_advise(&r->err, "give the credential config the account that made it again");
	return false;
}

static enum seen
look(struct row *r)
{
	struct str progress = r->ext.spec.progress;
	struct memo_look memo;
	enum seen seen;

	memo_get(r, &memo);
	if (memo.pending && memo.next_look > r->pass->mono && row_exists(r)) {
		r->look_ms = memo.next_look - r->pass->mono;
		return SEEN_PENDING;
	}
	if (!session_open(r) || !same_account(r))
		return SEEN_UNKNOWN;
	r->observed = true;
	text_clear(&r->drift);
	r->step.drift_immutable = false;
	r->step.look_ms = 0;
	r->ext.spec.progress = (struct str){ 0 }; /* said anew by who looks or acts */
	seen = r->type->observe(&r->step, &r->err);
	if (seen == SEEN_UNKNOWN)
		r->ext.spec.progress = progress;
	return seen;
}

void
row_observe(struct row *r)
{
	r->err = (struct error){ 0 };
	r->looked = true;
	if (r->type == NULL) {
		(void)error_set(&r->err, ERR_INTERNAL,
		    "nothing here knows the type '" STR_FMT "/" STR_FMT "'",
		    STR_ARG(r->ext.spec.provider), STR_ARG(r->ext.spec.type));
		r->seen = SEEN_UNKNOWN;
		return;
	}
	r->seen = look(r);
	/* What was never adopted is a stranger's still, and not removed. */
	if (r->seen == SEEN_FOREIGN && r->pass->adopt && (r->want == WANT_IT || r->known)) {
		text_add(&r->drift, "our mark is missing");
		r->seen = SEEN_DRIFTED;
	}
	if (!r->observed)
		return;
	if (r->seen == SEEN_PENDING)
		memo_pending(r, r->pass->mono + poll_ms(r));
	else if (r->seen == SEEN_ABSENT && r->known)
		memo_seen(r, false);
	else if (r->seen != SEEN_UNKNOWN && r->seen != SEEN_ABSENT && r->seen != SEEN_FOREIGN)
		memo_seen(r, true);
}

/* ---- outcomes ---- */

static bool
is_wait(const struct error *e)
{
	return e->code == ERR_BUSY || e->code == ERR_THROTTLED || e->code == ERR_CANCELED;
}

/* Known not to have been applied: the same again later. */
static void
put_off(struct row *r, enum external_phase phase)
{
	struct external_spec *x = &r->ext.spec;
	int64_t ms = row_backoff_ms(r, &r->err);

	x->next_try = (struct opt_int){ true, r->pass->wall + ms };
	r->look_ms = ms < LOOK_MAX_MS ? ms : LOOK_MAX_MS;
	if (is_wait(&r->err)) {
		r->waiting = true;
		row_progress(r, "waits: %s", r->err.message);
		row_error(r, NULL);
		row_phase(r, phase == EXTERNAL_FAILED ? EXTERNAL_WAITING : phase);
		return;
	}
	r->fault = true;
	x->progress = (struct str){ 0 };
	row_error(r, &r->err);
	row_phase(r, phase);
}

static void
is_running(struct row *r, enum external_phase phase)
{
	r->seen = SEEN_PENDING;
	r->ext.spec.sent_at = (struct opt_int){ true, r->pass->wall };
	r->ext.spec.next_try = (struct opt_int){ 0 };
	row_phase(r, phase);
	row_error(r, NULL);
	r->look_ms = poll_ms(r);
	memo_pending(r, r->pass->mono + r->look_ms);
}

static void
is_at_rest(struct row *r)
{
	struct external_spec *x = &r->ext.spec;

	r->seen = SEEN_READY;
	row_phase(r, EXTERNAL_READY);
	row_error(r, NULL);
	x->want_hash = r->hash.n > 0 ? r->hash : x->want_hash;
	x->attempts = (struct opt_int){ true, 0 };
	x->next_try = (struct opt_int){ 0 };
	x->settle_until = (struct opt_int){ 0 };
	x->waits_for = (struct str){ 0 };
	x->operation = (struct str){ 0 };
	if (x->account.n == 0)
		x->account = r->pass->sessions[r->provider].account;
}

static void
is_unknown(struct row *r, enum external_phase phase)
{
	struct external_spec *x = &r->ext.spec;

	r->seen = SEEN_UNKNOWN;
	row_phase(r, phase);
	row_progress(r, "the answer was lost: looking whether it took effect");
	row_error(r, &r->err);
	r->look_ms = LOOK_SOON_MS;
	x->next_try = (struct opt_int){ true, r->pass->wall + row_backoff_ms(r, &r->err) };
	if (phase == EXTERNAL_UNKNOWN)
		x->settle_until = (struct opt_int){ true, r->pass->wall + r->type->settle_ms };
}

/* A failpoint of kind "error" stands for an answer that never came. */
static enum outcome
passed(struct row *r, const char *name, enum outcome outcome)
{
	if (!failpoint(name, key_of(r)))
		return outcome;
	(void)error_set(&r->err, ERR_UNKNOWN_OUTCOME, "failpoint %s", name);
	return OUTCOME_UNKNOWN;
}

/* ---- the three places that act ---- */

static enum outcome
acted(struct row *r, enum outcome outcome)
{
	r->pass->acted++;
	outcome = passed(r, "compose/sent", outcome);
	return passed(r, "compose/answered", outcome);
}

static enum outcome
send_create(struct row *r)
{
	r->err = (struct error){ 0 };
	return acted(r, r->type->create(&r->step, &r->err));
}

static enum outcome
send_update(struct row *r)
{
	r->err = (struct error){ 0 };
	return acted(r, r->type->update(&r->step, &r->err));
}

static enum outcome
send_remove(struct row *r)
{
	r->err = (struct error){ 0 };
	return acted(r, r->type->remove(&r->step, &r->err));
}

/* The intent; false in *ret_go when nothing may be sent in this pass. */
static bool
intend(struct row *r, enum external_phase phase, bool *ret_go, struct error *err)
{
	struct error why = { 0 };

	*ret_go = false;
	if (failpoint("compose/before-intent", key_of(r)))
		return error_set(err, ERR_STORE, "failpoint compose/before-intent");
	if (!row_intend(r, phase, &why)) {
		if (why.code != ERR_CONFLICT && why.code != ERR_NOT_FOUND) {
			*err = why;
			return error_wrap(err, "cannot record the intent for '" STR_FMT "'",
			    STR_ARG(r->ext.spec.key));
		}
		row_stale(r);
		return true;
	}
	if (failpoint("compose/intent-durable", key_of(r)))
		return error_set(err, ERR_STORE, "failpoint compose/intent-durable");
	*ret_go = true;
	return true;
}

static bool
recorded(struct row *r, struct error *err)
{
	row_record(r);
	if (failpoint("compose/recorded", key_of(r)))
		return error_set(err, ERR_STORE, "failpoint compose/recorded");
	return true;
}

/* ---- steps ---- */

static void
new_incarnation(struct row *r)
{
	struct external_spec *x = &r->ext.spec;

	x->incarnation = (struct opt_int){ true, x->incarnation.value + 1 };
	x->external_id = x->operation = x->etag = x->account = (struct str){ 0 };
	x->observed = NULL;
	x->settle_until = (struct opt_int){ 0 };
	x->attempts = (struct opt_int){ 0 };
	memo_drop(r);
}

static void
set_token(struct row *r)
{
	struct external_spec *x = &r->ext.spec;
	struct arena *a = r->pass->arena;
	const char *parts[] = { r->pass->c->installation,
		arena_printf(a, STR_FMT, STR_ARG(x->owner_uid)),
		arena_printf(a, STR_FMT, STR_ARG(x->key)),
		arena_printf(a, "%lld", (long long)x->incarnation.value), "create", NULL };

	x->token = uuid_from(a, parts);
}

static bool
do_create(struct row *r, struct error *err)
{
	struct external_spec *x = &r->ext.spec;
	bool changed = r->maybe && !str_eq(x->want_hash, r->hash), go;

	if (!gates_create(r))
		return row_save(r, err);
	/* Same token, same bytes: what was wanted then is settled, so this is another attempt. */
	if (r->known || x->phase == EXTERNAL_TOMBSTONE || changed ||
	    (r->maybe && (r->type->flags & (RES_TOKEN | RES_UNIQUE_NAME)) == 0))
		new_incarnation(r);
	set_token(r);
	x->progress = (struct str){ 0 };
	if (!intend(r, EXTERNAL_INTENT, &go, err))
		return false;
	if (!go)
		return true;
	switch (send_create(r)) {
	case OUTCOME_DONE:
		memo_seen(r, true);
		is_at_rest(r);
		break;
	case OUTCOME_STARTED:
		memo_seen(r, true);
		is_running(r, EXTERNAL_CREATED);
		break;
	case OUTCOME_REFUSED:
	case OUTCOME_NOT_SENT:
		put_off(r, EXTERNAL_FAILED);
		break;
	case OUTCOME_UNKNOWN:
	case OUTCOME__MAX:
		is_unknown(r, EXTERNAL_UNKNOWN);
		break;
	}
	return recorded(r, err);
}

static bool
do_update(struct row *r, struct error *err)
{
	struct external_spec *x = &r->ext.spec;
	bool go;

	row_phase(r, EXTERNAL_DRIFTED);
	row_progress(r, "differs: %s", text_get(&r->drift));
	if (r->step.drift_immutable || r->type->update == NULL) {
		(void)error_set(&r->err, ERR_IMMUTABLE, "%s '" STR_FMT "' cannot be changed: %s",
		    r->type->what, STR_ARG(x->name), text_get(&r->drift));
		r->fault = true;
		row_error(r, &r->err);
		return row_save(r, err);
	}
	if (!gates_update(r))
		return row_save(r, err);
	if (!intend(r, EXTERNAL_DRIFTED, &go, err))
		return false;
	if (!go)
		return true;
	switch (send_update(r)) {
	case OUTCOME_DONE:
		is_at_rest(r);
		break;
	case OUTCOME_STARTED:
		is_running(r, EXTERNAL_DRIFTED);
		row_progress(r, "changing: %s", text_get(&r->drift));
		break;
	case OUTCOME_REFUSED:
	case OUTCOME_NOT_SENT:
		put_off(r, EXTERNAL_DRIFTED);
		break;
	case OUTCOME_UNKNOWN:
	case OUTCOME__MAX:
		is_unknown(r, EXTERNAL_DRIFTED);
		break;
	}
	return recorded(r, err);
}

/* Failed says that the last operation failed; putting the same again repairs what can be. */
static bool
do_repair(struct row *r, struct error *err)
{
	struct external_spec *x = &r->ext.spec;
	bool first = x->phase != EXTERNAL_FAILED;

	r->fault = true;
	if (r->err.code != ERR_NONE)
		row_error(r, &r->err);
	if (first) {
		x->attempts = (struct opt_int){ true, x->attempts.value + 1 };
		x->want_hash = r->hash;
		put_off(r, EXTERNAL_FAILED);
		if (r->err.code == ERR_NONE)
			r->look_ms = COMPOSE_RETRY_MIN_MS;
		return row_save(r, err);
	}
	if (r->type->update == NULL || !gates_update(r)) {
		r->fault = true;
		return row_save(r, err);
	}
	text_clear(&r->drift);
	text_add(&r->drift, "repair after a failed operation");
	return do_update(r, err);
}

/* The last part of an operation's URL is what the cloud's own lists call it. */
static struct str
operation_id(struct str url)
{
	struct str rest = url, path, piece, last = { 0 };

	if (!str_split(&rest, '?', &path))
		return last;
	while (str_split(&path, '/', &piece))
		last = piece.n > 0 ? piece : last;
	return str_sub(last, 0, 80);
}

static void
stuck_advice(struct error *err, struct str operation)
{
	if (operation.n > 0)
		error_advise(err,
		    "look for operation " STR_FMT " in the cloud's own logs; it is followed on, "
		    "and nothing is made twice",
		    STR_ARG(operation));
	else
		error_advise(err, "look at it where it lives: its events say what it waits for; it "
				  "is followed on, and nothing is made twice");
}

static bool
do_wait(struct row *r, struct error *err)
{
	struct external_spec *x = &r->ext.spec;
	bool ours = x->phase != EXTERNAL_READY;

	if (r->want == WANT_IT && (x->phase == EXTERNAL_INTENT || x->phase == EXTERNAL_UNKNOWN ||
				      x->phase == EXTERNAL_WAITING || x->phase == EXTERNAL_FAILED))
		row_phase(r, EXTERNAL_CREATED);
	if (x->account.n == 0)
		x->account = r->pass->sessions[r->provider].account;
	r->look_ms = r->look_ms > 0 ? r->look_ms : poll_ms(r);
	if (ours && x->deadline_at.present && r->pass->wall > x->deadline_at.value &&
	    r->type->deadline_ms > 0) {
		(void)error_set(&r->err, ERR_TIMEOUT,
		    "%s '" STR_FMT "' has been in progress for "
		    "more than %lld minutes%s" STR_FMT,
		    r->type->what, STR_ARG(x->name), (long long)(r->type->deadline_ms / 60000),
		    x->progress.n > 0 ? ": " : "", STR_ARG(x->progress));
		error_name(&r->err, "Stuck");
		stuck_advice(&r->err, operation_id(x->operation));
		r->fault = true;
		row_error(r, &r->err);
	} else {
		row_error(r, NULL);
	}
	return row_save(r, err);
}

static bool
do_rest(struct row *r, struct error *err)
{
	is_at_rest(r);
	return row_save(r, err);
}

static bool
do_hold(struct row *r, struct error *err)
{
	if (r->err.code == ERR_NONE)
		(void)error_set(&r->err, ERR_INTERNAL, "its state could not be found out");
	if (r->maybe)
		row_phase(r, EXTERNAL_UNKNOWN);
	r->look_ms = r->err.retry_after_ms > 0 ? r->err.retry_after_ms : LOOK_UNKNOWN_MS;
	if (is_wait(&r->err)) {
		r->waiting = true;
	} else {
		r->fault = true;
		row_error(r, &r->err);
	}
	return row_save(r, err);
}

static bool
do_refuse(struct row *r, struct error *err)
{
	struct external_spec *x = &r->ext.spec;

	if (r->known) {
		(void)error_set(&r->err, ERR_NAME_TAKEN,
		    "%s '" STR_FMT "' has lost the tags that "
		    "mark it as ours",
		    r->type->what, STR_ARG(x->name));
		error_name(&r->err, "TagsRemoved");
		error_advise(
		    &r->err, r->want == WANT_IT
				 ? "put the tags back, or adopt it: annotation " COMPOSE_ADOPT
				   "=true on the owner"
				 : "remove it by hand, put the tags back, or let it be removed: "
				   "annotation " COMPOSE_ADOPT "=true on the owner");
	} else {
		(void)error_set(&r->err, ERR_NAME_TAKEN, "%s '" STR_FMT "' exists and is not ours",
		    r->type->what, STR_ARG(x->name));
		error_advise(&r->err, "remove or rename it, or adopt it: annotation " COMPOSE_ADOPT
				      "=true on the owner");
		row_phase(r, EXTERNAL_FAILED);
	}
	r->fault = true;
	r->look_ms = COMPOSE_STEADY_MS;
	row_error(r, &r->err);
	return row_save(r, err);
}

/* The removal that was sent has failed: said to people once a try, and tried again later. */
static bool
removal_failed(const struct row *r)
{
	const struct external_spec *x = &r->ext.spec;

	return r->seen == SEEN_BROKEN && r->err.code != ERR_NONE && x->phase == EXTERNAL_DELETING &&
	       x->intent_at.value >= x->since.value && !x->next_try.present;
}

static bool
do_delete(struct row *r, struct error *err)
{
	enum outcome outcome;
	bool go;

	if (removal_failed(r)) {
		put_off(r, EXTERNAL_DELETING);
		return row_save(r, err);
	}
	if (!gates_delete(r)) {
		if (r->ext.spec.phase != EXTERNAL_UNKNOWN)
			row_phase(r, EXTERNAL_DELETING);
		return row_save(r, err);
	}
	if (!intend(r, EXTERNAL_DELETING, &go, err))
		return false;
	if (!go)
		return true;
	outcome = send_remove(r);
	if (failpoint("compose/deleted", key_of(r)))
		return error_set(err, ERR_STORE, "failpoint compose/deleted");
	if (outcome == OUTCOME_STARTED) {
		is_running(r, EXTERNAL_DELETING);
	} else if (outcome == OUTCOME_DONE) {
		r->look_ms = LOOK_SOON_MS;
		row_error(r, NULL);
		row_observe(r); /* gone is what the account says, not what the call hoped */
		if (r->seen == SEEN_ABSENT)
			return row_tombstone(r, err);
	} else if (outcome == OUTCOME_UNKNOWN) {
		is_unknown(r, EXTERNAL_DELETING);
	} else {
		put_off(r, EXTERNAL_DELETING);
	}
	return recorded(r, err);
}

static bool
do_forget(struct row *r, struct error *err)
{
	if (!gate_settled(r))
		return row_save(r, err);
	return row_tombstone(r, err);
}

/* A stranger's is not ours to remove; what we made and lost its tags is not forgotten. */
static bool
do_leave(struct row *r, struct error *err)
{
	return r->known ? do_refuse(r, err) : do_forget(r, err);
}

/* clang-format off */
const struct engine_step engine_steps[SEEN__MAX][WANT__MAX] = {
	/* seen             wanted                                   not wanted any more          */
	[SEEN_UNKNOWN] = { [WANT_IT] = { "hold",   do_hold   }, [WANT_GONE] = { "hold",   do_hold   } },
	[SEEN_ABSENT]  = { [WANT_IT] = { "create", do_create }, [WANT_GONE] = { "forget", do_forget } },
	[SEEN_PENDING] = { [WANT_IT] = { "wait",   do_wait   }, [WANT_GONE] = { "wait",   do_wait   } },
	[SEEN_READY]   = { [WANT_IT] = { "rest",   do_rest   }, [WANT_GONE] = { "delete", do_delete } },
	[SEEN_DRIFTED] = { [WANT_IT] = { "update", do_update }, [WANT_GONE] = { "delete", do_delete } },
	[SEEN_BROKEN]  = { [WANT_IT] = { "repair", do_repair }, [WANT_GONE] = { "delete", do_delete } },
	[SEEN_FOREIGN] = { [WANT_IT] = { "refuse", do_refuse }, [WANT_GONE] = { "leave",  do_leave  } },
};
/* clang-format on */

/* ---- one row ---- */

static bool
drive_gone(struct row *r, struct error *err)
{
	struct external_spec *x = &r->ext.spec;

	if (x->phase == EXTERNAL_TOMBSTONE)
		return row_save(r, err);
	if (r->orphan || (!row_exists(r) && x->phase == EXTERNAL_WAITING && !x->intent_at.present))
		return row_tombstone(r, err); /* left where it is, or never asked for */
	if (row_goes_along(r)) {
		if (!r->maybe)
			row_phase(r, EXTERNAL_DELETING);
		x->waits_for = row_container(r)->ext.spec.key;
		r->waiting = true;
		return row_save(r, err);
	}
	if (!r->looked)
		row_observe(r);
	return engine_steps[r->seen][WANT_GONE].run(r, err);
}

bool
row_drive(struct row *r, struct error *err)
{
	if (r->want == WANT_GONE)
		return drive_gone(r, err);
	/* What never was asked for needs no look before its turn. */
	if (!r->looked && !row_exists(r) && row_blocker(r) != NULL) {
		r->seen = SEEN_ABSENT;
		(void)gates_update(r); /* says what it waits for */
		return row_save(r, err);
	}
	if (!r->looked)
		row_observe(r);
	return engine_steps[r->seen][WANT_IT].run(r, err);
}
