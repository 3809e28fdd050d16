/*
 * One write is one SQLite transaction:
 *
 *   lock, BEGIN IMMEDIATE, is the epoch still ours?, read the old object, make the new one, write
 *   it with the next version, collect what its going away sets free, audit, bump the version where
 *   the epoch is ours, COMMIT, publish to the watches, unlock
 *
 * Everything up to COMMIT can fail and leaves nothing; after it nothing can fail. A failed flush
 * makes the connection unbelievable: it is closed, opened and read again before the next use.
 */

#include "backend/store/embedded_int.h"

#include <stdio.h>
#include <string.h>

#include "backend/runtime/clock.h"
#include "backend/runtime/failpoint.h"

enum { VERSION_DIGITS = 24 };

const struct actor tx_nobody = { .manager = "unknown", .user = "", .from = "" };

static bool
no_memory(struct error *err)
{
	(void)error_set(err, ERR_NO_MEMORY, "no memory to write an object");
	return false;
}

bool
embedded_recover(struct embedded *e, struct error *err)
{
	sqlite3_stmt *s;

	if (!e->db.broken)
		return true;
	if (!db_reopen(&e->db, err))
		return false;
	s = db_prepare(&e->db, SQL_META, err);
	if (s == NULL || db_step(&e->db, s, err) != 1)
		return false;
	e->version = sqlite3_column_int64(s, 1);
	(void)sqlite3_reset(s);
	ring_reset(e->ring, e->version);
	return audit_load(e, err);
}

static bool
fenced(struct embedded *e, int64_t epoch, struct error *err)
{
	error_set(err, ERR_REFUSED,
	    "another process took this profile over (epoch %lld, ours is %lld)", (long long)epoch,
	    (long long)e->epoch);
	error_name(err, "Fenced");
	error_advise(err, "start flightdeck again: it will attach to the new owner");
	return false;
}

/* The lock is held from here to tx_end. */
bool
tx_begin(struct tx *t, struct embedded *e, const struct resource *res, const struct actor *actor,
    struct error *err)
{
	sqlite3_stmt *s;
	int64_t epoch;

	(void)pthread_mutex_lock(&e->mu);
	*t = (struct tx){ .e = e };
	t->a = arena_new(ARENA_MAX_BYTES);
	t->c = (struct change){ .a = t->a,
		.res = res,
		.actor = actor != NULL ? actor : &tx_nobody,
		.now_ms = clock_wall_ms(e->clock) };
	if (t->a == NULL)
		return no_memory(err);
	if (!embedded_recover(e, err))
		return false;
	if (failpoint("store/begin", NULL))
		return error_set(err, ERR_IO, "cannot begin to write: a test asked for it");
	if (!db_simple(&e->db, SQL_BEGIN, err))
		return false;
	s = db_prepare(&e->db, SQL_META, err);
	if (s == NULL || db_step(&e->db, s, err) != 1)
		return false;
	epoch = sqlite3_column_int64(s, 0);
	t->version = sqlite3_column_int64(s, 1);
	(void)sqlite3_reset(s);
	if (epoch != e->epoch)
		return fenced(e, epoch, err);
	t->audit_seq = e->audit_seq;
	memcpy(t->audit_hash, e->audit_hash, sizeof t->audit_hash);
	return true;
}

static void
entries_settle(struct embedded *e, bool committed)
{
	for (size_t i = 0; i < e->nentries; i++) {
		if (e->entries[i]->fresh && !committed)
			e->entries[i]->id = 0;
		e->entries[i]->fresh = false;
	}
}

static bool
tx_write_version(struct tx *t, struct error *err)
{
	struct embedded *e = t->e;
	sqlite3_stmt *s = db_prepare(&e->db, SQL_META_BUMP, err);

	if (s == NULL)
		return false;
	(void)sqlite3_bind_int64(s, 1, t->version);
	(void)sqlite3_bind_int64(s, 2, e->epoch);
	if (!db_run(&e->db, s, err))
		return false;
	return sqlite3_changes(e->db.conn) == 1 || fenced(e, -1, err);
}

static void
count_events(struct tx *t)
{
	for (size_t i = 0; i < t->nevents; i++) {
		struct entry *en = entry_find(t->e, t->events[i].object->res);

		if (en == NULL)
			continue;
		en->nevents += t->events[i].type == WATCH_ADDED;
		en->nevents -= t->events[i].type == WATCH_DELETED;
	}
}

static bool
tx_commit(struct tx *t, struct error *err)
{
	struct embedded *e = t->e;

	if (!audit_seal(t, err) || !tx_write_version(t, err))
		return false;
	if (failpoint("store/commit", NULL))
		return error_set(err, ERR_IO, "cannot commit: a test asked for it");
	if (!db_simple(&e->db, SQL_COMMIT, err))
		return false;
	(void)failpoint("store/committed", NULL); /* too late to fail: only to die or to wait */
	e->version = t->version;
	e->audit_seq = t->audit_seq;
	memcpy(e->audit_hash, t->audit_hash, sizeof e->audit_hash);
	count_events(t);
	ring_publish(e->ring, t->events, t->nevents, t->version);
	t->nevents = 0;
	return true;
}

/* Ends the transaction: commits when ok, rolls back otherwise, lets go of everything. */
bool
tx_end(struct tx *t, bool ok, struct error *err)
{
	struct embedded *e = t->e;
	bool dry = t->c.actor->dry_run || t->nevents == 0;

	if (ok && !dry)
		ok = tx_commit(t, err);
	if (e->db.conn != NULL && sqlite3_get_autocommit(e->db.conn) == 0 &&
	    !db_simple(&e->db, SQL_ROLLBACK, NULL))
		e->db.broken = true;
	entries_settle(e, ok && !dry);
	for (size_t i = 0; i < t->nevents; i++) {
		object_unref(t->events[i].object);
		mem_free(t->events[i].old_labels);
	}
	mem_free(t->events);
	arena_free(t->a);
	(void)pthread_mutex_unlock(&e->mu);
	return ok;
}

/* Steps a statement over OBJECT_COLUMNS once and takes the row, when there is one. */
static bool
row_take(struct tx *t, sqlite3_stmt *s, struct row *ret_row, struct error *err)
{
	const struct object *o = NULL;
	struct row r = { 0 };
	bool ok = false;
	int rc;

	*ret_row = r;
	if (s == NULL)
		return false;
	rc = db_step(&t->e->db, s, err);
	if (rc <= 0)
		return rc == 0;
	r.id = sqlite3_column_int64(s, 0);
	r.en = entry_by_id(t->e, sqlite3_column_int64(s, 1));
	if (row_object(t->e, s, &o, err) && o != NULL && r.en != NULL &&
	    object_node(o, t->a, &r.tree, err)) {
		/* The tree holds its own copies; the texts are kept for the transaction too. */
		r.o = o;
		*ret_row = r;
		ok = true;
	} else {
		object_unref(o);
	}
	(void)sqlite3_reset(s);
	return ok;
}

void
tx_row_fini(struct row *r)
{
	if (r->tree != NULL && r->o != NULL)
		row_wipe(r->o->res, r->tree);
	object_unref(r->o);
	*r = (struct row){ 0 };
}

bool
tx_find(struct tx *t, struct entry *en, struct str ns, struct str name, struct row *ret_row,
    struct error *err)
{
	sqlite3_stmt *s = db_prepare(&t->e->db, SQL_OBJECT_GET, err);

	*ret_row = (struct row){ 0 };
	if (s == NULL)
		return false;
	if (en->id == 0)
		return true; /* nothing of this kind was ever stored */
	(void)sqlite3_bind_int64(s, 1, en->id);
	db_bind(s, 2, ns);
	db_bind(s, 3, name);
	return row_take(t, s, ret_row, err);
}

bool
tx_find_uid(struct tx *t, struct str uid, struct row *ret_row, struct error *err)
{
	sqlite3_stmt *s = db_prepare(&t->e->db, SQL_OBJECT_BY_UID, err);

	if (s == NULL)
		return false;
	db_bind(s, 1, uid);
	return row_take(t, s, ret_row, err);
}

bool
tx_find_id(struct tx *t, int64_t id, struct row *ret_row, struct error *err)
{
	sqlite3_stmt *s = db_prepare(&t->e->db, SQL_OBJECT_BY_ID, err);

	if (s == NULL)
		return false;
	(void)sqlite3_bind_int64(s, 1, id);
	return row_take(t, s, ret_row, err);
}

bool
tx_look_at(struct tx *t, struct str uid, struct error *err)
{
	if (uid.n == 0)
		return true;
	if (t->nuids == t->uids_cap) {
		size_t cap = t->uids_cap == 0 ? 16 : t->uids_cap * 2;
		struct str *wide = arena_array(t->a, cap, sizeof *wide);

		if (wide == NULL)
			return no_memory(err);
		if (t->nuids > 0)
			memcpy(wide, t->uids, t->nuids * sizeof *wide);
		t->uids = wide;
		t->uids_cap = cap;
	}
	t->uids[t->nuids++] = str_copy(t->a, uid);
	return !arena_failed(t->a) || no_memory(err);
}

/* Owners of this tree may be waiting for it. */
bool
tx_look_at_owners(struct tx *t, const struct node *tree, struct error *err)
{
	const struct node *list = node_path(tree, "metadata.ownerReferences");

	for (const struct node *x = node_first(list); x != NULL; x = x->next) {
		if (!tx_look_at(t, node_path_str(x, "uid"), err))
			return false;
	}
	return true;
}

/* Takes *take. */
static bool
event_push(struct tx *t, enum watch_event_type type, const struct object **take,
    const struct object *old, struct error *err)
{
	struct tx_event ev = { .type = type, .object = *take };

	if (!mem_grow((void **)&t->events, &t->events_cap, t->nevents + 1, sizeof *t->events))
		return no_memory(err);
	if (old != NULL && !str_eq(object_labels(old), object_labels(*take))) {
		ev.old_labels = str_dup(object_labels(old));
		if (ev.old_labels == NULL)
			return no_memory(err);
	}
	t->events[t->nevents++] = ev;
	*take = NULL;
	return true;
}

static bool
write_owners(struct tx *t, int64_t id, const struct node *tree, struct error *err)
{
	const struct node *list = node_path(tree, "metadata.ownerReferences");
	sqlite3_stmt *s = db_prepare(&t->e->db, SQL_OWNER_DROP, err);

	if (s == NULL)
		return false;
	(void)sqlite3_bind_int64(s, 1, id);
	if (!db_run(&t->e->db, s, err))
		return false;
	for (const struct node *x = node_first(list); x != NULL; x = x->next) {
		struct str uid = node_path_str(x, "uid");

		if (uid.n == 0)
			continue;
		s = db_prepare(&t->e->db, SQL_OWNER_ADD, err);
		if (s == NULL)
			return false;
		db_bind(s, 1, uid);
		(void)sqlite3_bind_int64(s, 2, id);
		if (!db_run(&t->e->db, s, err))
			return false;
	}
	return true;
}

static bool
write_new(struct tx *t, struct entry *en, const struct object *o, struct str json, int64_t *ret_id,
    struct error *err)
{
	sqlite3_stmt *s;

	if (!entry_store(t->e, en, err))
		return false;
	s = db_prepare(&t->e->db, SQL_OBJECT_ADD, err);
	if (s == NULL)
		return false;
	(void)sqlite3_bind_int64(s, 1, en->id);
	db_bind(s, 2, o->ns);
	db_bind(s, 3, o->name);
	db_bind(s, 4, o->uid);
	(void)sqlite3_bind_int64(s, 5, o->version);
	(void)sqlite3_bind_int64(s, 6, o->generation);
	(void)sqlite3_bind_int64(s, 7, o->deleted_ms);
	db_bind(s, 8, object_labels(o));
	db_bind(s, 9, json);
	if (!db_run(&t->e->db, s, err))
		return false;
	*ret_id = sqlite3_last_insert_rowid(t->e->db.conn);
	return true;
}

static bool
write_old(struct tx *t, int64_t id, const struct object *o, struct str json, struct error *err)
{
	sqlite3_stmt *s = db_prepare(&t->e->db, SQL_OBJECT_SET, err);

	if (s == NULL)
		return false;
	(void)sqlite3_bind_int64(s, 1, id);
	(void)sqlite3_bind_int64(s, 2, o->version);
	(void)sqlite3_bind_int64(s, 3, o->generation);
	(void)sqlite3_bind_int64(s, 4, o->deleted_ms);
	db_bind(s, 5, object_labels(o));
	db_bind(s, 6, json);
	return db_run(&t->e->db, s, err);
}

/* Gives the tree the next version and makes the object of it. */
static bool
object_next(struct tx *t, struct entry *en, struct node *tree, const struct object **ret_object,
    struct error *err)
{
	char digits[VERSION_DIGITS];

	(void)snprintf(digits, sizeof digits, "%lld", (long long)t->version + 1);
	node_set_strz(t->a, node_find(tree, "metadata"), "resourceVersion", digits);
	if (arena_failed(t->a))
		return no_memory(err);
	*ret_object = object_from_node(en->res, tree, err);
	if (*ret_object == NULL)
		return false;
	if ((*ret_object)->json.n > OBJECT_MAX_BYTES) {
		error_set(err, ERR_TOO_LARGE, "%s has %zu bytes; %d is the limit of one object",
		    en->res->kind, (*ret_object)->json.n, OBJECT_MAX_BYTES);
		object_unref(*ret_object);
		*ret_object = NULL;
		return false;
	}
	t->version++;
	return true;
}

bool
tx_same_owners(const struct row *old, const struct node *tree)
{
	const struct node *x, *y;

	if (old == NULL)
		return false;
	x = node_path(old->tree, "metadata.ownerReferences");
	y = node_path(tree, "metadata.ownerReferences");
	return x == y || (x != NULL && y != NULL && node_eq(x, y));
}

bool
tx_put(struct tx *t, struct entry *en, const struct row *old, struct node *tree, const char *verb,
    struct error *err)
{
	struct text json = TEXT_INIT((size_t)OBJECT_MAX_BYTES * 2 + 4096);
	int64_t id = old != NULL ? old->id : 0;
	const struct object *o = NULL;
	bool ok = false;

	if (!object_next(t, en, tree, &o, err))
		goto out;
	if (!row_json(t->e, t->a, tree, o, &json, err))
		goto out;
	if (old != NULL ? !write_old(t, id, o, text_str(&json), err)
			: !write_new(t, en, o, text_str(&json), &id, err))
		goto out;
	if (!tx_same_owners(old, tree) && !write_owners(t, id, tree, err))
		goto out;
	if (!audit_add(t, verb, o, old != NULL ? old->o : NULL, err))
		goto out;
	ok = event_push(
	    t, old != NULL ? WATCH_MODIFIED : WATCH_ADDED, &o, old != NULL ? old->o : NULL, err);
out:
	object_unref(o);
	text_free(&json);
	return ok;
}

bool
tx_remove(
    struct tx *t, const struct row *row, struct node *tree, const char *verb, struct error *err)
{
	static const enum sql drops[] = { SQL_OWNER_DROP, SQL_OBJECT_DROP };
	const struct object *o = NULL;
	bool ok = false;

	if (!object_next(t, row->en, tree, &o, err))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(drops); i++) {
		sqlite3_stmt *s = db_prepare(&t->e->db, drops[i], err);

		if (s == NULL)
			goto out;
		(void)sqlite3_bind_int64(s, 1, row->id);
		if (!db_run(&t->e->db, s, err))
			goto out;
	}
	if (!audit_add(t, verb, o, row->o, err) || !tx_look_at_owners(t, tree, err) ||
	    !tx_look_at(t, o->uid, err))
		goto out;
	ok = event_push(t, WATCH_DELETED, &o, row->o, err);
out:
	object_unref(o);
	return ok;
}

/* Orphans keep living without their owner. */
static bool
orphan_dependents(struct tx *t, struct str uid, struct error *err)
{
	int64_t *ids;
	size_t n;

	if (!tx_dependents(t, uid, &ids, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct row r;
		bool ok = true;

		if (!tx_find_id(t, ids[i], &r, err))
			return false;
		if (r.id != 0) {
			struct node *tree = node_dup(t->a, r.tree);

			ok = tree != NULL || no_memory(err);
			if (ok && owner_strip(tree, uid))
				ok = tx_put(t, r.en, &r, tree, "orphan", err);
		}
		tx_row_fini(&r);
		if (!ok)
			return false;
	}
	return true;
}

bool
tx_delete(struct tx *t, struct row *row, enum propagation how, const char *verb, struct error *err)
{
	struct node *tree = node_dup(t->a, row->tree);
	int64_t *ids;
	size_t n = 0;

	if (tree == NULL)
		return no_memory(err);
	if (how == PROPAGATE_FOREGROUND && !tx_dependents(t, row->o->uid, &ids, &n, err))
		return false;
	if (how == PROPAGATE_ORPHAN && !orphan_dependents(t, row->o->uid, err))
		return false;
	if (n > 0) {
		tree_finalizer_add(t->a, tree, FINALIZER_FOREGROUND);
	} else if (how != PROPAGATE_FOREGROUND) {
		tree_finalizer_remove(tree, FINALIZER_FOREGROUND);
		tree_finalizer_remove(tree, FINALIZER_ORPHAN);
	}
	if (finalizer_count(tree) == 0)
		return tx_remove(t, row, tree, verb, err);
	change_mark_deleted(&t->c, tree);
	if (arena_failed(t->a))
		return no_memory(err);
	if (!node_eq(tree, row->tree) && !tx_put(t, row->en, row, tree, verb, err))
		return false;
	return n == 0 || tx_look_at(t, row->o->uid, err);
}
