#ifndef BACKEND_SIM_STATE_H
#define BACKEND_SIM_STATE_H

/*
 * What the simulated cloud knows: JSON documents in one SQLite file (<dir>/sim/state.db), each with
 * a kind and a key (an ARM id in lower case), in the order in which they were made. Transactions
 * survive kill -9 (no fsync: a power cut may lose the last ones, which is fine for a simulator).
 *
 * Ownership: state_close frees. Threads: any (a lock inside); a transaction belongs to one thread,
 * and others wait for its end. Failure: false with ERR_STORE and SQLite's words; nothing changed.
 */

#include <stdbool.h>
#include <stddef.h>

#include "model/base/error.h"
#include "model/base/text.h"

struct arena;
struct state;

enum doc_kind {
	DOC_META,
	DOC_GROUP,
	DOC_VNET,
	DOC_CLUSTER,
	DOC_POOL,
	DOC_ROLE,
	DOC_OPERATION,
	DOC_PROVIDER,
	DOC_FEATURE,
	DOC_LEFTOVER, /* what a cluster made in its node group: storage accounts, load balancers */
};

struct state_row {
	struct str key;
	struct str doc;
};

struct state_rows {
	struct state_row *items;
	size_t n;
};

/* read_only: beside a running simulator. */
bool state_open(
    const char *dir, bool read_only, struct state **ret_state, struct error *err) MUST_CHECK;
void state_close(struct state *st);

/* Absent is true with an empty *ret_doc. Copies live in the arena. */
bool state_get(struct state *st, enum doc_kind kind, struct str key, struct arena *a,
    struct str *ret_doc, struct error *err) MUST_CHECK;
bool state_put(struct state *st, enum doc_kind kind, struct str key, struct str doc,
    struct error *err) MUST_CHECK;
bool state_remove(
    struct state *st, enum doc_kind kind, struct str key, struct error *err) MUST_CHECK;
/* All whose key begins with prefix, oldest first. */
bool state_list(struct state *st, enum doc_kind kind, struct str prefix, struct arena *a,
    struct state_rows *ret_rows, struct error *err) MUST_CHECK;

/* Between the two, every call of this thread is one transaction. */
bool state_begin(struct state *st, struct error *err) MUST_CHECK;
bool state_end(struct state *st, bool commit, struct error *err) MUST_CHECK;

#endif
