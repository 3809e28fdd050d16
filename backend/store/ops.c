/*
 * The operations that write: what each does inside its transaction (write.c), from the value that a
 * client sends to the object that it gets back.
 */

#include "backend/store/embedded_int.h"

#include <string.h>

#include "backend/store/apply.h"
#include "backend/store/events.h"

enum { EVENTS_TRIM = 512 };

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

	(void)error_set(err, ERR_NOT_FOUND, "%s is not there", object_title(res, ns, name, title));
	return false;
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
		error_set(err, ERR_FORBIDDEN,
		    "namespace '" STR_FMT "' is being deleted: nothing new can "
		    "be made in it",
		    STR_ARG(ns));
		error_name(err, "NamespaceTerminating");
		error_advise(err, "wait until it is gone, or choose another namespace");
		tx_row_fini(&r);
		return false;
	}
	tx_row_fini(&r);
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
		tx_row_fini(&r);
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
	tx_row_fini(&r);
	if (found)
		return error_set(
		    err, ERR_EXISTS, "%s exists already", object_title(en->res, ns, name, title));
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
	if (!tx_same_owners(r, tree) && !tx_look_at_owners(t, r->tree, err))
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

	t->c.part = part;
	if (!change_identity(&t->c, value, &ns, &name, err) || !tx_find(t, en, ns, name, r, err))
		return false;
	if (r->id == 0)
		return not_found(en->res, ns, name, err);
	ok = seen_check(r, value, err) &&
	     change_update(&t->c, r->tree, value, &tree, &changed, err) &&
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

/* NOLINTBEGIN(readability-function-size): the signature is the interface's */
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
	tx_row_fini(&r);
	ok = tx_end(&t, ok, err);
	if (ok && ret_object != NULL)
		*ret_object = object_ref(now);
	object_unref(now);
	return ok;
}
/* NOLINTEND(readability-function-size) */

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

/* NOLINTBEGIN(readability-function-size): the signature is the interface's */
bool
embedded_remove(struct store *st, const struct resource *res, struct str ns, struct str name,
    const struct delete_options *opt, const struct actor *actor, struct error *err)
{
	struct embedded *e = embedded_of(st);
	struct actor who = actor != NULL ? *actor : tx_nobody;
	struct row r = { 0 };
	struct entry *en;
	struct tx t;
	bool ok;

	who.dry_run |= opt->dry_run;
	ok = tx_begin(&t, e, res, &who, err) && (en = entry_get(e, res, err)) != NULL &&
	     tx_find(&t, en, ns, name, &r, err);
	if (ok && r.id == 0)
		ok = not_found(res, ns, name, err);
	ok = ok && preconditions(&r, opt, err) &&
	     tx_delete(&t, &r, opt->propagation, "delete", err) && tx_collect(&t, NULL, err);
	tx_row_fini(&r);
	return tx_end(&t, ok, err);
}
/* NOLINTEND(readability-function-size) */

static bool
apply_create(struct tx *t, struct entry *en, const struct node *value, struct node *merged,
    struct error *err)
{
	struct node *tree = NULL;
	bool ok;

	if (node_path_str(value, "metadata.uid").n > 0)
		return error_set(err, ERR_CONFLICT,
		    "%s is not there any more: the change names its uid", en->res->kind);
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

/* NOLINTBEGIN(readability-function-size): the signature is the interface's */
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
	tx_row_fini(&r);
	ok = tx_end(&t, ok, err);
	if (ok && ret_object != NULL)
		*ret_object = object_ref(now);
	object_unref(now);
	return ok;
}
/* NOLINTEND(readability-function-size) */

bool
embedded_collect(struct store *st, size_t *ret_changed, struct error *err)
{
	static const struct actor collector = {
		.manager = "garbage-collector", .user = "garbage-collector", .from = ""
	};
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
