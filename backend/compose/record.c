#include "backend/compose/compose_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "model/base/mem.h"
#include "model/json.h"

enum {
	RECORD_TRIES = 5,
	RECORD_PAUSE_MS = 20, /* real time, between tries of a store that is busy */
	RECORD_MAX_BYTES = 256 * 1024,
};

/* ---- what a record says ---- */

bool
external_is_known(const struct external *x)
{
	static const bool known[] = {
		[EXTERNAL_CREATED] = true,
		[EXTERNAL_READY] = true,
		[EXTERNAL_DRIFTED] = true,
		[EXTERNAL_DELETING] = true,
		[EXTERNAL_WAITING] = false,
	};
	int phase = x->spec.phase;

	if (phase == EXTERNAL_FAILED || phase == EXTERNAL_WAITING)
		return x->spec.external_id.n > 0;
	return phase >= 0 && (size_t)phase < ARRAY_LEN(known) && known[phase];
}

bool
row_exists(const struct row *r)
{
	int phase = r->ext.spec.phase;

	return external_is_known(&r->ext) || phase == EXTERNAL_INTENT || phase == EXTERNAL_UNKNOWN;
}

void
row_phase(struct row *r, enum external_phase phase)
{
	struct external_spec *x = &r->ext.spec;

	if (x->phase == (int)phase && x->since.present)
		return;
	x->phase = (int)phase;
	x->since = (struct opt_int){ true, r->pass->wall };
}

void
row_error(struct row *r, const struct error *err)
{
	struct external_error *to = &r->ext.spec.error;
	struct arena *a = r->pass->arena;

	*to = (struct external_error){ 0 };
	if (err == NULL || err->code == ERR_NONE)
		return;
	to->present = true;
	to->reason = str_copy(a, str_from(error_reason(err)));
	to->message = str_copy(a, str_from(err->message));
	to->advice = str_copy(a, str_from(error_advice(err)));
}

void
row_progress(struct row *r, const char *fmt, ...)
{
	struct text t = TEXT_INIT(512);
	char line[512];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	text_add(&t, line);
	r->ext.spec.progress = str_copy(r->pass->arena, text_str(&t));
	text_free(&t);
}

/* The record as sorted JSON, without what changes at every look. */
struct str
record_json(struct row *r)
{
	struct opt_int seen = r->ext.spec.last_seen;
	struct text t = TEXT_INIT(RECORD_MAX_BYTES);
	struct str json = { 0 };

	r->ext.spec.last_seen = (struct opt_int){ 0 };
	json_write(&t, schema_encode(&external_schema, r->pass->arena, &r->ext), JSON_SORTED);
	r->ext.spec.last_seen = seen;
	if (text_ok(&t, "record", NULL))
		json = str_copy(r->pass->arena, text_str(&t));
	text_free(&t);
	return json;
}

/* ---- writing ---- */

/* The version of what was written, so that the next write of this pass fits. */
static bool
take_version(struct row *r, const struct object *o, struct error *err)
{
	struct node *n = NULL;

	if (!object_node(o, r->pass->arena, &n, err))
		return false;
	r->ext.meta.resource_version =
	    str_copy(r->pass->arena, node_path_str(n, "metadata.resourceVersion"));
	r->ext.meta.uid = str_copy(r->pass->arena, node_path_str(n, "metadata.uid"));
	r->ext.meta.deletion_timestamp =
	    str_copy(r->pass->arena, node_path_str(n, "metadata.deletionTimestamp"));
	r->ext.meta.creation_timestamp =
	    str_copy(r->pass->arena, node_path_str(n, "metadata.creationTimestamp"));
	r->stored = true;
	r->before = record_json(r);
	return true;
}

static bool
row_write(struct row *r, struct error *err)
{
	struct pass *p = r->pass;
	const struct resource *res = resource_of(&external_kind);
	const struct object *o = NULL;
	struct node *n;
	bool ok;

	if (r->observed)
		r->ext.spec.last_seen = (struct opt_int){ true, p->wall };
	n = schema_encode(&external_schema, p->arena, &r->ext);
	if (n == NULL || arena_failed(p->arena))
		return error_set(err, ERR_NO_MEMORY, "no memory for the record of '" STR_FMT "'",
		    STR_ARG(r->ext.spec.key));
	if (!r->stored) /* before it is there: a create may succeed and its answer be lost */
		index_add(p->c, r->ext.spec.owner_uid, r->ext.meta.name);
	ok = r->stored ? store_update(p->c->store, res, n, UPDATE_MAIN, &engine_actor, &o, err)
		       : store_create(p->c->store, res, n, &engine_actor, &o, err);
	if (!ok && !r->stored && err->code == ERR_EXISTS) {
		/* One of an owner with the same name that is not wholly gone yet. */
		err->code = ERR_CONFLICT;
		r->taken = true;
	}
	ok = ok && take_version(r, o, err);
	object_unref(o);
	if (ok)
		memo_keep(r, (struct str){ 0 });
	return ok;
}

/* The next pass decides anew: at once, but for a name that another record still has. */
void
row_stale(struct row *r)
{
	r->stale = true;
	r->waiting = true;
	if (!r->taken) {
		r->pass->again = true;
		return;
	}
	(void)error_set(&r->err, ERR_BUSY,
	    "the record '" STR_FMT "' of an earlier object of that name is not gone yet",
	    STR_ARG(r->ext.meta.name));
	error_name(&r->err, "RecordInUse");
	error_advise(&r->err, "wait until the earlier one is removed; if it was deleted by force, look "
			      "what it left in the cloud and take that record's finalizer off");
	r->fault = true;
	r->look_ms = COMPOSE_RETRY_MIN_MS;
}

bool
row_save(struct row *r, struct error *err)
{
	struct error why = { 0 };
	struct str now = record_json(r);

	if (r->stored && str_eq(now, r->before))
		return true;
	if (row_write(r, &why))
		return true;
	if (why.code == ERR_CONFLICT || why.code == ERR_NOT_FOUND) {
		row_stale(r);
		return true;
	}
	if (err != NULL)
		*err = why;
	return false;
}

bool
row_intend(struct row *r, enum external_phase phase, struct error *err)
{
	struct external_spec *x = &r->ext.spec;
	struct pass *p = r->pass;

	row_phase(r, phase);
	x->want_hash = r->hash.n > 0 ? r->hash : x->want_hash;
	x->epoch = (struct opt_int){ true, p->c->epoch };
	x->intent_at = (struct opt_int){ true, p->wall };
	x->sent_at = (struct opt_int){ 0 };
	x->deadline_at = (struct opt_int){ true, p->wall + r->type->deadline_ms };
	x->attempts = (struct opt_int){ true, x->attempts.value + 1 };
	x->waits_for = (struct str){ 0 };
	if (r->ext.meta.finalizers.n == 0)
		row_own(r); /* a tombstone that is wanted again */
	if (x->account.n == 0)
		x->account = p->sessions[r->provider].account;
	return row_write(r, err);
}

/* Takes the version of the stored copy; what the engine knows is newer than what it says. */
static bool
row_rebase(struct row *r)
{
	const struct object *o = NULL;
	bool ok = store_get(r->pass->c->store, resource_of(&external_kind), r->ext.meta.ns,
	    r->ext.meta.name, &o, NULL);

	ok = ok && take_version(r, o, NULL);
	object_unref(o);
	return ok;
}

void
row_record(struct row *r)
{
	struct error why = { 0 };
	struct timespec pause = { .tv_nsec = RECORD_PAUSE_MS * 1000000L };

	for (int i = 0; i < RECORD_TRIES; i++) {
		if (row_write(r, &why))
			return;
		if (why.code == ERR_CONFLICT || why.code == ERR_NOT_FOUND)
			(void)row_rebase(r); /* the next try says whether it helped */
		else
			(void)nanosleep(&pause, NULL);
	}
	/* The answer must not be lost: it is kept here, and landed by a later pass. */
	memo_keep(r, record_json(r));
	row_error(r, &why);
	r->fault = true;
	r->err = why;
	r->look_ms = COMPOSE_RETRY_MIN_MS;
}

bool
row_tombstone(struct row *r, struct error *err)
{
	struct external_spec *x = &r->ext.spec;

	row_phase(r, EXTERNAL_TOMBSTONE);
	row_error(r, NULL);
	x->operation = (struct str){ 0 };
	x->progress = (struct str){ 0 };
	x->waits_for = (struct str){ 0 };
	x->next_try = (struct opt_int){ 0 };
	r->ext.meta.finalizers = (struct list){ 0 };
	memo_drop(r);
	r->pass->settled++;
	return row_save(r, err);
}
