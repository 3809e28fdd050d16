#ifndef BACKEND_STORE_EMBEDDED_H
#define BACKEND_STORE_EMBEDDED_H

/*
 * The embedded store: one SQLite file in a directory, opened by exactly one process (the owner)
 * under a kernel lock, with an epoch that every write transaction checks. One connection, rollback
 * journal (TRUNCATE, FULL), directory synced by us; SQLite versions with known faults are refused
 * in the modes that the faults need. Beside objects it keeps the audit trail (hash-chained), and
 * answers a damaged, full, foreign or newer file with the file's name and the remedy.
 *
 * Ownership: the store is freed by store_close. Threads: any (one lock inside, never held over
 * anything but SQLite). Failure: see store.h; opening never re-creates a file that is there.
 */

#include "backend/store/store.h"

struct clock;
struct secret_box;

struct embedded_options {
	const char *dir;     /* state directory; made 0700 when absent */
	struct clock *clock; /* creation times; NULL: one of its own, as fast as this says */
	double speed;	     /* of its own clock, 0 for 1 */
	int64_t epoch_ms;
	struct secret_box *secrets; /* encrypts values of SECRET fields at rest; NULL keeps plain
				       text (simulated clusters only) */
	bool read_only;		    /* no lock: look at the file of a living owner */
	bool fast;		    /* no fsync: a simulated cluster's store */
	bool accept_any_kind;	    /* kinds outside model/kinds may be stored */
};

/* When another process owns it: ERR_REFUSED, naming its pid, user and since when. */
bool embedded_open(
    const struct embedded_options *opt, struct store **ret_store, struct error *err) MUST_CHECK;

/* This process's epoch: grows each time an owner opens the file. */
int64_t embedded_epoch(struct store *st);
/* The clock it uses; borrowed, lives as long as the store. */
struct clock *embedded_clock(struct store *st);
/* Random, made once: 32 hexadecimal digits. Two installations never share tags. */
struct str embedded_installation(struct store *st);

/* Interns a kind that only Kubernetes knows. Borrowed, lives as long as the store. */
const struct resource *embedded_intern(struct store *st, const char *group, const char *version,
    const char *kind, const char *plural, bool namespaced);
/* Finds a known or interned resource by its plural or kind; NULL when there is none. */
const struct resource *embedded_resource(
    struct store *st, struct str group, struct str version, struct str plural);
/* Walks all resources that hold objects or are interned. */
size_t embedded_resources(struct store *st, const struct resource **ret_items, size_t max);

struct audit_row {
	int64_t at_ms;
	struct str who, from, verb, object, result; /* live as long as the arena of the call */
};

/* Newest first, at most limit. */
bool embedded_audit(struct store *st, struct arena *a, size_t limit, struct audit_row **ret_rows,
    size_t *ret_n, struct error *err) MUST_CHECK;
/* Walks the hash chain; names the first row that does not fit. */
bool embedded_audit_verify(struct store *st, struct error *err) MUST_CHECK;

/*
 * The cascade, over the whole store: dependents of owners that are gone go too. Every delete does
 * this for its own dependents already; this also finds objects made after their owner had gone.
 */
bool embedded_collect(struct store *st, size_t *ret_changed, struct error *err) MUST_CHECK;

/* A consistent copy by SQLite's own backup. */
bool embedded_backup(struct store *st, const char *path, struct error *err) MUST_CHECK;

#endif
