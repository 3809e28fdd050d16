#ifndef BACKEND_STORE_EMBEDDED_INT_H
#define BACKEND_STORE_EMBEDDED_INT_H

/*
 * The inside of the embedded store, shared by its files:
 *
 *   embedded.c  opening, resources, reading        write.c    one transaction a write
 *   ops.c       create, update, delete, apply      schema.c   tables and statements
 *   change.c    what Kubernetes makes of a value   collect.c  cascading deletion
 *   ring.c      the newest events, and watches     audit.c    the hash chain
 *   row.c       rows to objects and back, sealing  db.c       SQLite
 *
 * Ownership: a struct tx and all that hangs on it live for one call. Threads: everything here runs
 * under embedded.mu but the ring, which has a lock of its own, taken last.
 */

#include <pthread.h>

#include "backend/store/db_int.h"
#include "backend/store/embedded.h"
#include "backend/store/object.h"
#include "model/base/mem.h"

struct lockfile;
struct ring;

enum {
	OBJECT_MAX_BYTES = 3 * 512 * 1024, /* etcd's limit of a request: 1.5 MiB */
	ARENA_MAX_BYTES = 256 * 1024 * 1024,
	RING_EVENTS = 4096,
	RING_BYTES = 8 * 1024 * 1024,
};

#define FINALIZER_FOREGROUND "foregroundDeletion"
#define FINALIZER_ORPHAN     "orphan"
#define MANAGER_CONTROLLER   "flightdeck-controller"

/* A resource that this store has met. */
struct entry {
	const struct resource *res; /* resource_of a known kind, or &own */
	struct resource own;
	char *texts[4];	 /* of own; NULL for a known kind */
	int64_t id;	 /* in the file, 0 when it is not there yet */
	bool fresh;	 /* id was given in the running transaction */
	int64_t nevents; /* objects, counted for Events alone */
};

struct embedded {
	struct store base;  /* first */
	pthread_mutex_t mu; /* guards everything below but the constants at the end */
	struct db db;
	struct entry **entries;
	size_t nentries, entries_cap;
	int64_t version;
	int64_t audit_seq;
	unsigned char audit_hash[32];
	/* constant after opening */
	struct ring *ring; /* locks inside */
	struct clock *clock;
	struct clock *own_clock; /* NULL when one was given */
	const struct secret_box *secrets;
	struct lockfile *lock;
	bool accept_any;
	int64_t epoch;
	char installation[40];
};

struct embedded *embedded_of(struct store *st);

/* After a failed flush nothing in memory is believed: opens and reads again. */
bool embedded_recover(struct embedded *e, struct error *err) MUST_CHECK;

/* The entry of a resource, made when it may be; NULL and an error. */
struct entry *entry_get(struct embedded *e, const struct resource *res, struct error *err);
struct entry *entry_find(struct embedded *e, const struct resource *res);
struct entry *entry_by_id(struct embedded *e, int64_t id);
/* Gives the entry an id in the file (inside a transaction). */
bool entry_store(struct embedded *e, struct entry *en, struct error *err);

/* row.c: the current row of a statement over OBJECT_COLUMNS; opens what is sealed. */
bool row_object(
    struct embedded *e, sqlite3_stmt *s, const struct object **ret_object, struct error *err);
/* The stored text of the tree of `about`: compact JSON, secret fields sealed for (uid, version). */
bool row_json(struct embedded *e, struct arena *a, const struct node *value,
    const struct object *about, struct text *out, struct error *err);
/* Wipes the strings of the secret fields of a tree. */
void row_wipe(const struct resource *res, struct node *value);

/* change.c: pure; trees live in the arena. */
struct change {
	struct arena *a;
	const struct resource *res;
	const struct actor *actor;
	int64_t now_ms;
	enum update_part part; /* of an update */
};

/* What to store for a new object: uid, generation, times; without resourceVersion. */
bool change_create(const struct change *c, const struct node *value, struct node **ret_tree,
    struct error *err) MUST_CHECK;
/* What to store instead of `old`; *ret_changed is false when nothing would be different. */
bool change_update(const struct change *c, const struct node *old, const struct node *value,
    struct node **ret_tree, bool *ret_changed, struct error *err) MUST_CHECK;
/* The same for a merged tree of server-side apply, whose managedFields are already right. */
bool change_merged(const struct change *c, const struct node *old, struct node *merged,
    struct node **ret_tree, bool *ret_changed, struct error *err) MUST_CHECK;
/* Sets deletionTimestamp and its grace period, once; the generation grows. */
void change_mark_deleted(const struct change *c, struct node *tree);
bool change_is_deleted(const struct node *tree);
bool tree_finalizer_has(const struct node *tree, const char *name);
void tree_finalizer_add(struct arena *a, struct node *tree, const char *name);
void tree_finalizer_remove(struct node *tree, const char *name);
size_t finalizer_count(const struct node *tree);
/* Checks kind, name and namespace; name and namespace as they will be stored. */
bool change_identity(const struct change *c, const struct node *value, struct str *ret_ns,
    struct str *ret_name, struct error *err) MUST_CHECK;

/* write.c: one write transaction. */
struct tx_event {
	enum watch_event_type type;
	const struct object *object; /* a reference */
	char *old_labels;	     /* owned; NULL when they are the same */
};

struct tx {
	struct embedded *e;
	struct arena *a;
	struct change c;
	int64_t version;
	struct tx_event *events;
	size_t nevents, events_cap;
	struct str *uids; /* whose dependents or owners the collector must look at; in the arena */
	size_t nuids, uids_cap;
	int64_t audit_seq;
	unsigned char audit_hash[32];
	bool audited;
};

/* One stored object with its tree, in the transaction's arena. */
struct row {
	int64_t id; /* 0: there is no such object */
	struct entry *en;
	const struct object *o; /* a reference, dropped at the end of the transaction */
	struct node *tree;
};

extern const struct actor tx_nobody; /* stands in for an actor that was not given */

/* Takes the store's lock, which tx_end gives back whatever tx_begin said. */
bool tx_begin(struct tx *t, struct embedded *e, const struct resource *res,
    const struct actor *actor, struct error *err) MUST_CHECK;
/* Commits when ok and something changed, rolls back otherwise; lets go of everything. */
bool tx_end(struct tx *t, bool ok, struct error *err) MUST_CHECK;

/* All return false with err filled; the transaction is then rolled back by its owner. */
bool tx_find(struct tx *t, struct entry *en, struct str ns, struct str name, struct row *ret_row,
    struct error *err) MUST_CHECK;
bool tx_find_uid(struct tx *t, struct str uid, struct row *ret_row, struct error *err) MUST_CHECK;
bool tx_find_id(struct tx *t, int64_t id, struct row *ret_row, struct error *err) MUST_CHECK;
/* Stores a tree in place of a row, or as a new object when row is NULL. Owned in the events. */
bool tx_put(struct tx *t, struct entry *en, const struct row *old, struct node *tree,
    const char *verb, struct error *err) MUST_CHECK;
bool tx_remove(struct tx *t, const struct row *row, struct node *tree, const char *verb,
    struct error *err) MUST_CHECK;
/* Owners of this tree may be waiting for it. */
bool tx_look_at_owners(struct tx *t, const struct node *tree, struct error *err) MUST_CHECK;
bool tx_same_owners(const struct row *old, const struct node *tree);
bool tx_look_at(struct tx *t, struct str uid, struct error *err) MUST_CHECK;
void tx_row_fini(struct row *r); /* wipes and lets go; a zeroed row is fine */
/* Deletes or marks one object as the options ask; does not collect. */
bool tx_delete(struct tx *t, struct row *row, enum propagation how, const char *verb,
    struct error *err) MUST_CHECK;

/* collect.c: until nothing is left to look at. */
bool tx_collect(struct tx *t, size_t *ret_changed, struct error *err) MUST_CHECK;
/* Ids of the objects that name this uid as an owner, in the arena. */
bool tx_dependents(
    struct tx *t, struct str uid, int64_t **ret_ids, size_t *ret_n, struct error *err) MUST_CHECK;
/* Looks at every owner that objects name and that is not there. */
bool tx_look_at_dangling(struct tx *t, struct error *err) MUST_CHECK;
/* Takes the reference to this owner out of an object's tree; true when there was one. */
bool owner_strip(struct node *tree, struct str uid);

/* audit.c */
bool audit_load(struct embedded *e, struct error *err) MUST_CHECK;
bool audit_add(struct tx *t, const char *verb, const struct object *o, const struct object *old,
    struct error *err) MUST_CHECK;
/* Writes the head once, at the end of the transaction. */
bool audit_seal(struct tx *t, struct error *err) MUST_CHECK;

/* The operations of store_ops that write. */
bool embedded_create(struct store *st, const struct resource *res, const struct node *value,
    const struct actor *actor, const struct object **ret_object, struct error *err);
bool embedded_update(struct store *st, const struct resource *res, const struct node *value,
    enum update_part part, const struct actor *actor, const struct object **ret_object,
    struct error *err);
bool embedded_remove(struct store *st, const struct resource *res, struct str ns, struct str name,
    const struct delete_options *opt, const struct actor *actor, struct error *err);
bool embedded_apply(struct store *st, const struct resource *res, const struct node *value,
    bool force, const struct actor *actor, const struct object **ret_object, struct error *err);

/* ring.c: the newest events. */
struct ring *ring_new(int64_t version) MUST_CHECK;
void ring_close(struct ring *r); /* wakes and ends all watches; drops the store's share */
/* Real time between the bookmarks of watches that are made from now on; a minute without this. */
void ring_bookmarks(struct ring *r, int every_ms);
/* Takes the references of the events; version is the store's after them. */
void ring_publish(struct ring *r, struct tx_event *events, size_t n, int64_t version);
/* Forgets everything: watches are told to list again. */
void ring_reset(struct ring *r, int64_t version);
/* Takes initial's content on success; its version says after which events come. */
bool ring_watch(struct ring *r, const struct resource *res, const struct list_options *opt,
    struct object_list *initial, struct watch **ret_watch, struct error *err);

/* Present objects of one resource, or of all (res NULL), with the version that they stand for. */
bool embedded_list_all(struct embedded *e, const struct resource *res,
    const struct list_options *opt, struct object_list *ret_list, struct error *err);

#endif
