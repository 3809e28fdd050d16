#ifndef BACKEND_COMPOSE_COMPOSE_INT_H
#define BACKEND_COMPOSE_COMPOSE_INT_H

/*
 * Inside the compose engine: one pass over one owner (struct pass) and one resource in it (struct
 * row). A row joins what is wanted (a row of the plan), what is recorded (an External) and what is
 * seen; the matrix in steps.c names what to do.
 *
 * Files: compose.c the pass; record.c the Externals in the store; memo.c what is remembered between
 * passes; rows.c what a pass works on; gates.c what can hold a step back; steps.c the matrix.
 *
 * Threads: a pass and its rows belong to one worker; memos are locked inside.
 */

#include <pthread.h>

#include "backend/compose/compose.h"

enum {
	COMPOSE_BUCKETS = 1024,
	COMPOSE_MAX_PROVIDERS = 8,
	COMPOSE_MAX_ROWS = PLAN_MAX_RESOURCES + 64
};

enum want { WANT_IT, WANT_GONE, WANT__MAX };

struct memo;
struct owned;

struct compose {
	struct store *store;
	struct clock *clock;
	char *installation;
	int64_t epoch;
	struct provider providers[COMPOSE_MAX_PROVIDERS];
	size_t nproviders;
	pthread_mutex_t mu; /* guards what follows */
	struct memo *memos[COMPOSE_BUCKETS];
	unsigned nabsent; /* memos that are counted and absent */
	struct owned *owned[COMPOSE_BUCKETS];
	bool index_broken; /* memory failed: it may lack names */
};

struct pass_session {
	bool opened, failed;
	void *session;
	struct str account;
	struct error err;
};

struct pass;

struct row {
	struct step step; /* first: step_peer finds the row by it */
	struct pass *pass;
	const struct resource_type *type; /* NULL when no provider has it */
	size_t provider;		  /* index */
	struct external ext;
	enum want want;
	enum seen seen;
	bool stored;   /* there is an External */
	bool looked;   /* seen is of this pass */
	bool observed; /* ... and the cloud was asked */
	bool known;    /* recorded as existing when the pass began */
	bool maybe;    /* an earlier create may have been applied: phase INTENT or UNKNOWN then */
	bool orphan, at_once;
	bool waiting;	 /* held back in this pass by something that is no fault */
	bool stale;	 /* it could not be stored, for others wrote to it: not what is recorded */
	bool taken;	 /* its record's name belongs to another owner's record */
	bool fault;	 /* something is wrong that a person should know */
	int64_t look_ms; /* come back after this; 0 for no wish */
	struct str after[PLAN_MAX_AFTER];
	size_t nafter;
	struct str before; /* the record as loaded, to see whether it changed */
	struct str hash;   /* of what is wanted */
	struct text drift;
	struct error err; /* of observe, then of the step */
};

struct pass {
	struct compose *c;
	const struct object *owner;
	const struct plan *plan;
	struct arena *arena;
	struct pass_session sessions[COMPOSE_MAX_PROVIDERS];
	struct row *rows; /* in plan order, then what is only recorded */
	size_t nrows, maxrows;
	int64_t wall, mono;
	bool adopt, believe;	 /* annotations of the owner */
	bool again;		 /* the copy was stale: look again at once */
	unsigned acted, settled; /* settled: rows that came to rest in this round */
};

/* ---- rows.c ---- */

extern const struct actor engine_actor;
bool rows_load(struct pass *p, struct error *err) MUST_CHECK;
struct row *row_find(struct pass *p, struct str key);
void row_own(struct row *r); /* owner reference and finalizer */

/* ---- record.c ---- */

struct str record_json(struct row *r); /* sorted, without what changes at every look */
void row_phase(struct row *r, enum external_phase phase);
void row_error(struct row *r, const struct error *err); /* NULL or ERR_NONE clears */
void row_progress(struct row *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool row_exists(const struct row *r); /* recorded as existing, or possibly so */
/* Makes the intent durable. False with ERR_CONFLICT when the copy was stale: nothing may be sent.
 */
bool row_intend(struct row *r, enum external_phase phase, struct error *err) MUST_CHECK;
/* Records what happened; tries until it lands, else keeps it in memory and lands it later. */
void row_record(struct row *r);
/* The copy was stale, and nothing was written. */
void row_stale(struct row *r);
/* Stores the row when it differs from what is stored. */
bool row_save(struct row *r, struct error *err) MUST_CHECK;
bool row_tombstone(struct row *r, struct error *err) MUST_CHECK;
/* Recorded as something that exists: its absence would be news. */
bool external_is_known(const struct external *x);

/* ---- memo.c: what is remembered of an External between passes, lost at exit without harm ---- */

struct memo_look {
	bool pending;	      /* last seen pending: no need to look before next_look */
	int64_t next_look;    /* mono ms */
	int64_t absent_since; /* mono ms, 0 when it was there */
	unsigned absences;    /* passes that found it absent */
};

void memo_get(struct row *r, struct memo_look *ret);
void memo_pending(struct row *r, int64_t next_look);
void memo_seen(struct row *r, bool present);
void memo_drop(struct row *r); /* gone for good, or not known any more */
/* All known externals of that account, without those whose container is absent. */
bool memo_suspicious(
    struct compose *c, struct str account, unsigned *ret_absent, unsigned *ret_known);
bool memo_load(struct compose *c, struct error *err) MUST_CHECK; /* at start, from the store */
void memo_free(struct compose *c);
/* A record that did not land: JSON of the External. Copied; NULL takes it away. */
void memo_keep(struct row *r, struct str json);
struct str memo_kept(struct row *r); /* a copy in the pass's arena; empty when there is none */

/* ---- index.c: the names of an owner's records ---- */

void index_add(struct compose *c, struct str uid, struct str name);
void index_remove(struct compose *c, struct str uid, struct str name);
/* Of an owner that goes: nothing will ask for its tombstones, which go with it. */
void index_forget(struct compose *c, struct str uid);
/* Copies in the arena. False when the index cannot be relied on. */
bool index_get(
    struct compose *c, struct arena *a, struct str uid, struct str **ret_names, size_t *ret_n);
void index_free(struct compose *c);

/* ---- gates.c: true when the step may go on; else the row says what it waits for ---- */

typedef bool gate_fn(struct row *r);
struct gate {
	const char *name;
	gate_fn *pass;
};
bool gates_create(struct row *r);
bool gates_update(struct row *r);
bool gates_delete(struct row *r);
bool gate_settled(struct row *r);	      /* the outcome of an earlier create is known by now */
const struct row *row_blocker(struct row *r); /* first in `after` that is not ready, or NULL */
struct row *row_container(struct row *r);
bool row_goes_with(struct row *r, const struct row *container); /* at any depth */
/* Not removed alone: it goes with its container, and is looked for once that is gone. */
bool row_goes_along(struct row *r);
int64_t row_backoff_ms(const struct row *r, const struct error *why);

/* ---- steps.c ---- */

struct engine_step {
	const char *name;
	bool (*run)(struct row *r, struct error *err);
};
extern const struct engine_step engine_steps[SEEN__MAX][WANT__MAX];

void row_observe(struct row *r);
/* Observes if need be and takes the step of the matrix. False when the pass cannot go on. */
bool row_drive(struct row *r, struct error *err) MUST_CHECK;

#endif
