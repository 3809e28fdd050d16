/*
 * Cascading deletion, as Kubernetes' garbage collector does it, but inside the transaction of the
 * delete that causes it: deterministic, and either all of it happens or nothing.
 *
 * A list of uids is worked off. Each stands for an owner that is gone or waits for its dependents
 * (foregroundDeletion). Its dependents lose the reference if a solid owner remains, and are deleted
 * otherwise; when none that blocks is left, the waiting owner loses its finalizer. Every removal
 * puts the removed object and its owners on the list, so that it ends when nothing can change.
 */

#include "backend/store/embedded_int.h"

enum { STEPS_MAX = 1000 * 1000 };

/* What the references of one dependent come to. */
struct owners {
	size_t solid;	/* there, and not waiting for this object to go */
	size_t waiting; /* foregroundDeletion */
	struct node *refs;
};

static bool
no_memory(struct error *err)
{
	(void)error_set(err, ERR_NO_MEMORY, "no memory to delete dependents");
	return false;
}

bool
tx_dependents(struct tx *t, struct str uid, int64_t **ret_ids, size_t *ret_n, struct error *err)
{
	sqlite3_stmt *s = db_prepare(&t->e->db, SQL_OWNER_CHILDREN, err);
	int64_t *ids = NULL;
	size_t n = 0, cap = 0;
	int rc;

	if (s == NULL)
		return false;
	db_bind(s, 1, uid);
	while ((rc = db_step(&t->e->db, s, err)) == 1) {
		if (n == cap) {
			int64_t *wide = arena_array(t->a, cap == 0 ? 8 : cap * 2, sizeof *wide);

			if (wide == NULL) {
				(void)sqlite3_reset(s);
				return no_memory(err);
			}
			for (size_t i = 0; i < n; i++)
				wide[i] = ids[i];
			ids = wide;
			cap = cap == 0 ? 8 : cap * 2;
		}
		ids[n++] = sqlite3_column_int64(s, 0);
	}
	*ret_ids = ids;
	*ret_n = n;
	return rc == 0;
}

bool
tx_look_at_dangling(struct tx *t, struct error *err)
{
	sqlite3_stmt *s = db_prepare(&t->e->db, SQL_OWNER_DANGLING, err);
	int rc;

	if (s == NULL)
		return false;
	while ((rc = db_step(&t->e->db, s, err)) == 1) {
		if (!tx_look_at(t, db_text(s, 0), err)) {
			(void)sqlite3_reset(s);
			return false;
		}
	}
	return rc == 0;
}

static bool
is_waiting(const struct row *r)
{
	return r->o->deleted_ms != 0 && tree_finalizer_has(r->tree, FINALIZER_FOREGROUND);
}

/* Counts the owners of a tree; takes the references out of it that bind it no longer. */
static bool
owners_sort(struct tx *t, struct node *tree, struct owners *ret, struct error *err)
{
	struct node *list = node_path(tree, "metadata.ownerReferences");
	struct node *next;

	*ret = (struct owners){ .refs = list };
	for (struct node *x = node_first(list); x != NULL; x = next) {
		struct str uid = node_path_str(x, "uid");
		struct row owner;
		bool found, waits;

		next = x->next;
		if (!tx_find_uid(t, uid, &owner, err))
			return false;
		found = owner.id != 0;
		waits = found && is_waiting(&owner);
		tx_row_fini(&owner);
		ret->waiting += waits;
		ret->solid += found && !waits;
		if (!found || waits)
			(void)owner_strip(tree, uid);
	}
	return true;
}

static bool
has_dependents(struct tx *t, struct str uid, bool *ret_any, struct error *err)
{
	int64_t *ids = NULL;
	size_t n = 0;

	if (!tx_dependents(t, uid, &ids, &n, err))
		return false;
	*ret_any = n > 0;
	return true;
}

/* One dependent of an owner that is gone or waiting. */
static bool
dependent_settle(struct tx *t, struct row *r, size_t *changed, struct error *err)
{
	struct node *stripped = node_dup(t->a, r->tree);
	struct owners owners;
	bool more = false;

	if (stripped == NULL)
		return no_memory(err);
	if (!owners_sort(t, stripped, &owners, err))
		return false;
	if (owners.solid > 0) {
		if (node_eq(stripped, r->tree))
			return true;
		(*changed)++;
		return tx_put(t, r->en, r, stripped, "collect", err);
	}
	if (r->o->deleted_ms != 0)
		return true; /* on its way; its own finalizers are being waited for */
	(*changed)++;
	if (owners.waiting > 0 && !has_dependents(t, r->o->uid, &more, err))
		return false;
	return tx_delete(t, r, more ? PROPAGATE_FOREGROUND : PROPAGATE_BACKGROUND, "collect", err);
}

static bool
blocks(const struct node *tree, struct str owner)
{
	const struct node *list = node_path(tree, "metadata.ownerReferences");

	for (const struct node *x = node_first(list); x != NULL; x = x->next) {
		if (str_eq(node_path_str(x, "uid"), owner) &&
		    node_path_bool(x, "blockOwnerDeletion", false))
			return true;
	}
	return false;
}

/* Settles the dependents and counts those that their owner still has to wait for. */
static bool
dependents_settle(
    struct tx *t, struct str uid, size_t *ret_blocking, size_t *changed, struct error *err)
{
	int64_t *ids = NULL;
	size_t n = 0;

	*ret_blocking = 0;
	if (!tx_dependents(t, uid, &ids, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct row r;
		bool ok;

		ok = tx_find_id(t, ids[i], &r, err) &&
		     (r.id == 0 || dependent_settle(t, &r, changed, err));
		tx_row_fini(&r);
		if (!ok)
			return false;
		if (!tx_find_id(t, ids[i], &r, err))
			return false;
		*ret_blocking += r.id != 0 && blocks(r.tree, uid);
		tx_row_fini(&r);
	}
	return true;
}

static bool
owner_release(struct tx *t, struct row *owner, size_t *changed, struct error *err)
{
	struct node *tree = node_dup(t->a, owner->tree);

	if (tree == NULL)
		return no_memory(err);
	(*changed)++;
	tree_finalizer_remove(tree, FINALIZER_FOREGROUND);
	if (finalizer_count(tree) == 0)
		return tx_remove(t, owner, tree, "collect", err);
	return tx_put(t, owner->en, owner, tree, "collect", err);
}

static bool
look(struct tx *t, struct str uid, size_t *changed, struct error *err)
{
	struct row owner;
	size_t blocking;
	bool found, ok;

	if (!tx_find_uid(t, uid, &owner, err))
		return false;
	found = owner.id != 0;
	if (found && !is_waiting(&owner)) {
		tx_row_fini(&owner);
		return true; /* alive: its dependents are safe */
	}
	ok = dependents_settle(t, uid, &blocking, changed, err);
	if (ok && found && blocking == 0)
		ok = owner_release(t, &owner, changed, err);
	tx_row_fini(&owner);
	return ok;
}

bool
tx_collect(struct tx *t, size_t *ret_changed, struct error *err)
{
	size_t changed = 0;

	for (size_t i = 0; i < t->nuids; i++) {
		if (i == STEPS_MAX)
			return error_set(err, ERR_STORE, "deleting dependents does not end");
		if (!look(t, t->uids[i], &changed, err))
			return false;
	}
	t->nuids = 0;
	if (ret_changed != NULL)
		*ret_changed = changed;
	return true;
}
