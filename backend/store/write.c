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
#include "backend/store/apply.h"
#include "backend/store/events.h"
#include "model/stamp.h"

enum { EVENTS_TRIM = 512, VERSION_DIGITS = 24 };

static const struct actor nobody = { .manager = "unknown", .user = "", .from = "" };

static bool
no_memory(struct error *err)
{
	return error_set(err, ERR_NO_MEMORY, "no memory to write an object");
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
	error_set(err, ERR_REFUSED, "another process took this profile over (epoch %lld, ours is %lld)",
	    (long long)epoch, (long long)e->epoch);
	error_name(err, "Fenced");
	error_advise(err, "start flightdeck again: it will attach to the new owner");
	return false;
}

/* The lock is held from here to tx_end. */
static bool
tx_begin(struct tx *t, struct embedded *e, const struct resource *res, const struct actor *actor,
    struct error *err)
{
	sqlite3_stmt *s;
	int64_t epoch;

	(void)pthread_mutex_lock(&e->mu);
	*t = (struct tx){ .e = e };
	t->a = arena_new(ARENA_MAX_BYTES);
	t->c = (struct change){ t->a, res, actor != NULL ? actor : &nobody, clock_wall_ms(e->clock) };
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
static bool
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
	if (row_object(t->e, s, &o, err) && object_node(o, t->a, &r.tree, err)) {
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

static void
row_fini(struct row *r)
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

void
tx_row_fini(struct row *r)
{
	row_fini(r);
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
static bool
look_at_owners(struct tx *t, const struct node *tree, struct error *err)
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

static bool
same_owners(const struct row *old, const struct node *tree)
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
	if (!row_json(t->e, en->res, t->a, tree, o, &json, err))
		goto out;
	if (old != NULL ? !write_old(t, id, o, text_str(&json), err) :
			  !write_new(t, en, o, text_str(&json), &id, err))
		goto out;
	if (!same_owners(old, tree) && !write_owners(t, id, tree, err))
		goto out;
	if (!audit_add(t, verb, o, old != NULL ? old->o : NULL, err))
		goto out;
	ok = event_push(t, old != NULL ? WATCH_MODIFIED : WATCH_ADDED, &o,
	    old != NULL ? old->o : NULL, err);
out:
	object_unref(o);
	text_free(&json);
	return ok;
}

bool
tx_remove(struct tx *t, const struct row *row, struct node *tree, const char *verb,
    struct error *err)
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
	if (!audit_add(t, verb, o, row->o, err) || !look_at_owners(t, tree, err) ||
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
		row_fini(&r);
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

/* The last event about this object in the transaction is what the caller gets to see. */
static const struct object *
latest(const struct tx *t, struct str uid)
{
	for (size_t i = t->nevents; i > 0; i--) {
		if (str_eq(t->events[i - 1].object->uid, uid))
			return t->events[i - 1].object;
	}
	return NULL;
}

static bool
not_found(const struct resource *res, struct str ns, struct str name, struct error *err)
{
	char title[OBJECT_TITLE_MAX];

	return error_set(err, ERR_NOT_FOUND, "%s is not there", object_title(res, ns, name, title));
}

/* In a namespace that is going nothing new may start (Kubernetes answers 403). */
static bool
namespace_check(struct tx *t, const struct resource *res, struct str ns, struct error *err)
{
	struct entry *en = NULL;
	struct row r;

	if (!res->namespaced)
		return true;
	for (size_t i = 0; i < t->e->nentries && en == NULL; i++) {
		const struct resource *x = t->e->entries[i]->res;

		if (x->group[0] == '\0' && strcmp(x->kind, "Namespace") == 0)
			en = t->e->entries[i];
	}
	if (en == NULL)
		return true;
	if (!tx_find(t, en, (struct str){ 0 }, ns, &r, err))
		return false;
	if (r.id != 0 && r.o->deleted_ms != 0) {
		error_set(err, ERR_FORBIDDEN, "namespace '" STR_FMT "' is being deleted: nothing new can "
		    "be made in it", STR_ARG(ns));
		error_name(err, "NamespaceTerminating");
		error_advise(err, "wait until it is gone, or choose another namespace");
		row_fini(&r);
		return false;
	}
	row_fini(&r);
	return true;
}

/* Events are many: beyond the limit the oldest go, some at a time. */
static bool
events_trim(struct tx *t, struct entry *en, struct error *err)
{
	int64_t ids[EVENTS_TRIM];
	sqlite3_stmt *s;
	size_t n = 0;
	int rc;

	if (en->nevents < EVENTS_MAX || strcmp(en->res->kind, "Event") != 0)
		return true;
	s = db_prepare(&t->e->db, SQL_OBJECT_OLDEST, err);
	if (s == NULL)
		return false;
	(void)sqlite3_bind_int64(s, 1, en->id);
	(void)sqlite3_bind_int64(s, 2, EVENTS_TRIM);
	while ((rc = db_step(&t->e->db, s, err)) == 1 && n < EVENTS_TRIM)
		ids[n++] = sqlite3_column_int64(s, 0);
	if (rc < 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		struct row r;
		bool ok;

		ok = tx_find_id(t, ids[i], &r, err) &&
			(r.id == 0 || tx_remove(t, &r, r.tree, "trim", err));
		row_fini(&r);
		if (!ok)
			return false;
	}
	return true;
}

static bool
create_in(struct tx *t, struct entry *en, struct node *tree, struct error *err)
{
	struct str ns = node_path_str(tree, "metadata.namespace");
	struct str name = node_path_str(tree, "metadata.name");
	char title[OBJECT_TITLE_MAX];
	struct row r;
	bool found;

	if (!tx_find(t, en, ns, name, &r, err))
		return false;
	found = r.id != 0;
	row_fini(&r);
	if (found)
		return error_set(err, ERR_EXISTS, "%s exists already",
		    object_title(en->res, ns, name, title));
	return namespace_check(t, en->res, ns, err) && events_trim(t, en, err) &&
		tx_put(t, en, NULL, tree, "create", err);
}

bool
embedded_create(struct store *st, const struct resource *res, const struct node *value,
    const struct actor *actor, const struct object **ret_object, struct error *err)
{
	struct embedded *e = embedded_of(st);
	const struct object *made = NULL;
	struct node *tree = NULL;
	struct entry *en;
	struct tx t;
	bool ok;

	ok = tx_begin(&t, e, res, actor, err) && (en = entry_get(e, res, err)) != NULL &&
		change_create(&t.c, value, &tree, err) && create_in(&t, en, tree, err);
	if (ok)
		made = object_ref(latest(&t, node_path_str(tree, "metadata.uid")));
	if (tree != NULL)
		row_wipe(res, tree);
	ok = tx_end(&t, ok, err);
	if (ok && ret_object != NULL)
		*ret_object = object_ref(made);
	object_unref(made);
	return ok;
}

/* A version or uid in the value is what the writer has seen; another one now is a conflict. */
static bool
seen_check(const struct row *r, const struct node *value, struct error *err)
{
	struct str seen = node_path_str(value, "metadata.resourceVersion");
	struct str uid = node_path_str(value, "metadata.uid");
	char title[OBJECT_TITLE_MAX];
	int64_t version = 0;

	if (uid.n > 0 && !str_eq(uid, r->o->uid))
		return error_set(err, ERR_CONFLICT,
		    "%s is another one now: it has uid " STR_FMT ", the change is for " STR_FMT,
		    object_title(r->o->res, r->o->ns, r->o->name, title), STR_ARG(r->o->uid),
		    STR_ARG(uid));
	if (seen.n == 0 || str_is(seen, "0"))
		return true;
	if (str_to_int(seen, &version) && version == r->o->version)
		return true;
	return error_set(err, ERR_CONFLICT,
	    "%s was changed meanwhile: it is at version %lld, the change is based on '%.*s'",
	    object_title(r->o->res, r->o->ns, r->o->name, title), (long long)r->o->version,
	    (int)(seen.n < 40 ? seen.n : 40), seen.p);
}

/* Writes what an update or apply came to: nothing, a new state, or the end of the object. */
static bool
settle(struct tx *t, struct row *r, struct node *tree, bool changed, const char *verb,
    struct error *err)
{
	if (!changed)
		return true;
	if (change_is_deleted(tree) && finalizer_count(tree) == 0)
		return tx_remove(t, r, tree, verb, err) && tx_collect(t, NULL, err);
	if (!tx_put(t, r->en, r, tree, verb, err))
		return false;
	/* An owner reference that was taken out may be what an owner waits for. */
	if (!same_owners(r, tree) && !look_at_owners(t, r->tree, err))
		return false;
	return tx_collect(t, NULL, err);
}

static bool
update_in(struct tx *t, struct entry *en, const struct node *value, enum update_part part,
    struct row *r, struct error *err)
{
	const char *verb = part == UPDATE_STATUS ? "update-status" : "update";
	struct node *tree = NULL;
	struct str ns, name;
	bool changed;
	bool ok;

	if (!change_identity(&t->c, value, &ns, &name, err) || !tx_find(t, en, ns, name, r, err))
		return false;
	if (r->id == 0)
		return not_found(en->res, ns, name, err);
	ok = seen_check(r, value, err) &&
		change_update(&t->c, r->tree, value, part, &tree, &changed, err) &&
		settle(t, r, tree, changed, verb, err);
	if (tree != NULL)
		row_wipe(en->res, tree);
	return ok;
}

/* The object as it is after the transaction: a reference. */
static const struct object *
outcome(const struct tx *t, const struct row *r)
{
	const struct object *now;

	if (r->id == 0) /* made just now: the newest event */
		return t->nevents > 0 ? object_ref(t->events[t->nevents - 1].object) : NULL;
	now = latest(t, r->o->uid);
	return object_ref(now != NULL ? now : r->o);
}

bool
embedded_update(struct store *st, const struct resource *res, const struct node *value,
    enum update_part part, const struct actor *actor, const struct object **ret_object,
    struct error *err)
{
	struct embedded *e = embedded_of(st);
	const struct object *now = NULL;
	struct row r = { 0 };
	struct entry *en;
	struct tx t;
	bool ok;

	ok = tx_begin(&t, e, res, actor, err) && (en = entry_get(e, res, err)) != NULL &&
		update_in(&t, en, value, part, &r, err);
	if (ok)
		now = outcome(&t, &r);
	row_fini(&r);
	ok = tx_end(&t, ok, err);
	if (ok && ret_object != NULL)
		*ret_object = object_ref(now);
	object_unref(now);
	return ok;
}

static bool
preconditions(const struct row *r, const struct delete_options *opt, struct error *err)
{
	char title[OBJECT_TITLE_MAX];

	if (opt->uid.n > 0 && !str_eq(opt->uid, r->o->uid))
		return error_set(err, ERR_CONFLICT, "%s is another one now: it has uid " STR_FMT,
		    object_title(r->o->res, r->o->ns, r->o->name, title), STR_ARG(r->o->uid));
	if (opt->version != 0 && opt->version != r->o->version)
		return error_set(err, ERR_CONFLICT,
		    "%s was changed meanwhile: it is at version %lld, not %lld",
		    object_title(r->o->res, r->o->ns, r->o->name, title), (long long)r->o->version,
		    (long long)opt->version);
	return true;
}

bool
embedded_remove(struct store *st, const struct resource *res, struct str ns, struct str name,
    const struct delete_options *opt, const struct actor *actor, struct error *err)
{
	struct embedded *e = embedded_of(st);
	struct actor who = actor != NULL ? *actor : nobody;
	struct row r = { 0 };
	struct entry *en;
	struct tx t;
	bool ok;

	who.dry_run |= opt->dry_run;
	ok = tx_begin(&t, e, res, &who, err) && (en = entry_get(e, res, err)) != NULL &&
		tx_find(&t, en, ns, name, &r, err);
	if (ok && r.id == 0)
		ok = not_found(res, ns, name, err);
	ok = ok && preconditions(&r, opt, err) && tx_delete(&t, &r, opt->propagation, "delete", err) &&
		tx_collect(&t, NULL, err);
	row_fini(&r);
	return tx_end(&t, ok, err);
}

static bool
apply_create(struct tx *t, struct entry *en, const struct node *value, struct node *merged,
    struct error *err)
{
	struct node *tree = NULL;
	bool ok;

	if (node_path_str(value, "metadata.uid").n > 0)
		return error_set(err, ERR_CONFLICT, "%s is not there any more: the change names its uid",
		    en->res->kind);
	ok = change_create(&t->c, merged, &tree, err) && create_in(t, en, tree, err);
	if (tree != NULL)
		row_wipe(en->res, tree);
	return ok;
}

static bool
apply_in(struct tx *t, struct entry *en, const struct node *value, bool force, struct row *r,
    struct error *err)
{
	struct node *merged = NULL, *tree = NULL;
	struct str ns, name;
	bool changed;
	bool ok;

	if (!change_identity(&t->c, value, &ns, &name, err) || !tx_find(t, en, ns, name, r, err))
		return false;
	if (r->id != 0 && !seen_check(r, value, err))
		return false;
	if (!apply_merge(en->res, t->a, r->tree, value, t->c.actor->manager, force, &merged, err))
		return false;
	if (r->id == 0)
		return apply_create(t, en, value, merged, err);
	ok = change_merged(&t->c, r->tree, merged, &tree, &changed, err) &&
		settle(t, r, tree, changed, "apply", err);
	row_wipe(en->res, merged);
	return ok;
}

bool
embedded_apply(struct store *st, const struct resource *res, const struct node *value, bool force,
    const struct actor *actor, const struct object **ret_object, struct error *err)
{
	struct embedded *e = embedded_of(st);
	const struct object *now = NULL;
	struct row r = { 0 };
	struct entry *en;
	struct tx t;
	bool ok;

	ok = tx_begin(&t, e, res, actor, err) && (en = entry_get(e, res, err)) != NULL &&
		apply_in(&t, en, value, force, &r, err);
	if (ok)
		now = outcome(&t, &r);
	row_fini(&r);
	ok = tx_end(&t, ok, err);
	if (ok && ret_object != NULL)
		*ret_object = object_ref(now);
	object_unref(now);
	return ok;
}

bool
embedded_collect(struct store *st, size_t *ret_changed, struct error *err)
{
	static const struct actor collector = { .manager = "garbage-collector",
		.user = "garbage-collector", .from = "" };
	struct embedded *e = embedded_of(st);
	size_t changed = 0;
	struct tx t;
	bool ok;

	ok = tx_begin(&t, e, NULL, &collector, err) && tx_look_at_dangling(&t, err) &&
		tx_collect(&t, &changed, err);
	ok = tx_end(&t, ok, err);
	if (ok && ret_changed != NULL)
		*ret_changed = changed;
	return ok;
}
