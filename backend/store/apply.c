/*
 * Applying a manifest, in Kubernetes' steps:
 *
 *   1. the set of fields that the manifest has
 *   2. those of them whose live value differs, and which another manager owns, are conflicts
 *   3. the live object with the manifest merged in
 *   4. what the manager's last manifest had and this one has not, and nobody else owns, goes
 *   5. the manager owns the set of 1; with force, others lose what was in conflict
 */

#include "backend/store/apply.h"

#include <string.h>

#include "backend/store/fields_int.h"
#include "model/base/mem.h"

enum { CONFLICTS_MAX = 1000, MESSAGE_MAX = 64 * 1024 };

static bool
no_memory(struct error *err)
{
	(void)error_set(err, ERR_NO_MEMORY, "no memory to merge a manifest");
	return false;
}

static bool
has_status(const struct resource *res)
{
	return res->known != NULL && (res->known->flags & KIND_STATUS) != 0;
}

static struct str
entry_text(const struct node *entry, const char *key)
{
	return node_get_str(node_find(entry, key));
}

/* What names an entry. */
struct who {
	const char *manager;
	const char *operation;	 /* "Apply" or "Update" */
	const char *subresource; /* "" or "status" */
};

static bool
entry_is(const struct node *entry, const struct who *w)
{
	return str_is(entry_text(entry, "manager"), w->manager) &&
	       str_is(entry_text(entry, "operation"), w->operation) &&
	       str_is(entry_text(entry, "subresource"), w->subresource);
}

static struct node *
entry_find(const struct node *entries, const struct who *w)
{
	for (struct node *x = node_first(entries); x != NULL; x = x->next) {
		if (entry_is(x, w))
			return x;
	}
	return NULL;
}

static struct node *
entry_fields(const struct node *entry)
{
	return node_find(entry, "fieldsV1");
}

/* A copy of the managers of an object, or an empty list. */
static struct node *
entries_dup(struct arena *a, const struct node *object)
{
	const struct node *list = node_path(object, "metadata.managedFields");

	return list != NULL && list->type == NODE_LIST ? node_dup(a, list) : node_list(a);
}

static const char *
api_version(struct arena *a, const struct resource *res)
{
	return res->group[0] == '\0' ? res->version
				     : arena_printf(a, "%s/%s", res->group, res->version);
}

/* Gives the manager exactly these fields. The time goes when they are others than before. */
static void
entry_set(const struct resource *res, struct arena *a, struct node *entries, const struct who *w,
    struct node *fields)
{
	struct node *entry = entry_find(entries, w);

	if (entry != NULL && node_eq(entry_fields(entry), fields))
		return;
	fields_sort(fields);
	if (entry == NULL) {
		entry = node_map(a);
		node_set_strz(a, entry, "manager", w->manager);
		node_set_strz(a, entry, "operation", w->operation);
		node_push(entries, entry);
	}
	node_set_strz(a, entry, "apiVersion", api_version(a, res));
	(void)node_remove(entry, STR("time"));
	node_set_strz(a, entry, "fieldsType", "FieldsV1");
	node_set(a, entry, "fieldsV1", fields);
	if (w->subresource[0] != '\0')
		node_set_strz(a, entry, "subresource", w->subresource);
}

/* Takes fields from all but one; a manager that is left with nothing is no manager any more. */
static void
entries_subtract(struct node *entries, const struct node *but, const struct node *fields)
{
	for (struct node *x = node_first(entries); x != NULL; x = x->next) {
		struct node *common;

		if (x == but)
			continue;
		common = entry_fields(x);
		fields_subtract(common, fields);
	}
}

static struct node *
entries_tidy(struct arena *a, const struct node *entries)
{
	struct node *kept = node_list(a);
	struct node *next;

	for (struct node *x = node_first(entries); x != NULL; x = next) {
		next = x->next;
		if (!fields_is_empty(entry_fields(x)))
			node_push(kept, x);
	}
	return kept;
}

static void
entries_put(struct arena *a, struct node *object, struct node *entries)
{
	struct node *meta = node_make_path(a, object, "metadata");

	entries = entries_tidy(a, entries);
	if (node_count(entries) > 0)
		node_set(a, meta, "managedFields", entries);
	else
		(void)node_remove(meta, STR("managedFields"));
}

/* The manifest without what an applier cannot set. */
static struct node *
manifest_clean(const struct resource *res, struct arena *a, const struct node *applied)
{
	struct node *clean = node_dup(a, applied);

	(void)node_remove(node_find(clean, "metadata"), STR("managedFields"));
	if (has_status(res))
		(void)node_remove(clean, STR("status"));
	return clean;
}

struct conflicts {
	struct arena *a;
	struct apply_conflict *items;
	size_t n;
	struct str manager, using_version;
};

static void
conflict_add(void *context, struct str path)
{
	struct conflicts *c = context;

	if (c->n < CONFLICTS_MAX && c->items != NULL)
		c->items[c->n++] = (struct apply_conflict){ c->manager, c->using_version, path };
}

static bool
conflict_before(const struct apply_conflict *x, const struct apply_conflict *y)
{
	int d = str_cmp(x->manager, y->manager);

	return d != 0 ? d < 0 : str_cmp(x->field, y->field) < 0;
}

static void
conflicts_sort(struct apply_conflict *items, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct apply_conflict x = items[i];
		size_t at = i;

		while (at > 0 && conflict_before(&x, &items[at - 1])) {
			items[at] = items[at - 1];
			at--;
		}
		items[at] = x;
	}
}

/* Fields of the manifest that would change what another manager owns. */
static bool
conflicts_find(struct arena *a, const struct node *entries, const struct node *own,
    const struct node *changed, struct conflicts *ret, struct error *err)
{
	*ret = (struct conflicts){ .a = a };
	ret->items = arena_array(a, CONFLICTS_MAX, sizeof *ret->items);
	for (const struct node *x = node_first(entries); x != NULL; x = x->next) {
		if (x == own)
			continue;
		ret->manager = entry_text(x, "manager");
		ret->using_version = (struct str){ 0 };
		if (str_is(entry_text(x, "operation"), "Update"))
			ret->using_version = entry_text(x, "apiVersion");
		fields_walk(a, fields_common(a, changed, entry_fields(x)), conflict_add, ret);
	}
	if (arena_failed(a))
		return no_memory(err);
	conflicts_sort(ret->items, ret->n);
	return true;
}

static void
add_manager(struct text *t, const struct apply_conflict *c, const char *word)
{
	text_printf(t, "%s with \"" STR_FMT "\"", word, STR_ARG(c->manager));
	if (c->using_version.n > 0)
		text_printf(t, " using " STR_FMT, STR_ARG(c->using_version));
}

/* In Kubernetes' own words, which kubectl shows as they are. */
static bool
conflict_error(const struct conflicts *c, struct error *err)
{
	struct text t = TEXT_INIT(MESSAGE_MAX);

	text_printf(&t, "Apply failed with %zu conflict%s: ", c->n, c->n == 1 ? "" : "s");
	for (size_t i = 0; i < c->n;) {
		size_t end = i + 1;

		while (end < c->n && str_eq(c->items[end].manager, c->items[i].manager) &&
		       str_eq(c->items[end].using_version, c->items[i].using_version))
			end++;
		text_add(&t, i == 0 ? "" : "\n");
		add_manager(&t, &c->items[i], end == i + 1 ? "conflict" : "conflicts");
		text_add(&t, end == i + 1 ? ": " : ":");
		for (size_t k = i; k < end; k++) {
			text_add(&t, end == i + 1 ? "" : "\n- ");
			text_add_str(&t, c->items[k].field);
		}
		i = end;
	}
	error_set(err, ERR_CONFLICT, "%s", text_get(&t));
	error_advise(err, "leave these fields out, or take them over with --force-conflicts");
	text_free(&t);
	return false;
}

/* Element of `list` with this step. */
static struct node *
item_find(struct arena *a, const struct shape *s, const struct node *list, struct str step)
{
	for (struct node *x = node_first(list); x != NULL; x = x->next) {
		if (str_eq(shape_step(s, a, x), step))
			return x;
	}
	return NULL;
}

static struct node *merge(
    struct arena *a, const struct shape *s, const struct node *live, const struct node *applied);

static struct node *
merge_map(
    struct arena *a, const struct shape *s, const struct node *live, const struct node *applied)
{
	struct node *out = node_dup(a, live);

	for (const struct node *x = node_first(applied); x != NULL; x = x->next) {
		struct shape m = shape_member(s, x->key);

		if (x->type == NODE_NULL)
			continue;
		node_set_str(a, out, x->key, merge(a, &m, node_find_str(live, x->key), x));
	}
	return out;
}

/* Pushes what only the live list has, up to the next element that the manifest has too. */
static const struct node *
push_others(struct arena *a, const struct shape *s, const struct node *rest,
    const struct node *applied, struct node *out)
{
	for (; rest != NULL; rest = rest->next) {
		struct str step = shape_step(s, a, rest);

		if (item_find(a, s, applied, step) == NULL)
			node_push(out, node_dup(a, rest));
		else if (item_find(a, s, out, step) == NULL)
			break;
	}
	return rest;
}

/* The manifest's order counts among its own elements; those of others stay as early as they were.
 */
static struct node *
merge_list(
    struct arena *a, const struct shape *s, const struct node *live, const struct node *applied)
{
	struct shape item = shape_item(s);
	const struct node *rest = node_first(live);
	struct node *out = node_list(a);

	for (const struct node *x = node_first(applied); x != NULL; x = x->next) {
		const struct node *was = item_find(a, s, live, shape_step(s, a, x));
		bool both = x->type == NODE_MAP && was != NULL;

		rest = push_others(a, s, rest, applied, out);
		if (rest == was && rest != NULL)
			rest = rest->next;
		node_push(out, both ? merge_map(a, &item, was, x) : node_dup(a, x));
	}
	(void)push_others(a, s, rest, applied, out);
	return out;
}

static struct node *
merge(struct arena *a, const struct shape *s, const struct node *live, const struct node *applied)
{
	enum merge how = shape_merge(s, applied);

	if (live == NULL || applied == NULL || live->type != applied->type ||
	    how != shape_merge(s, live))
		return node_dup(a, applied);
	switch (how) {
	case MERGE_MAP:
		return merge_map(a, s, live, applied);
	case MERGE_BY_KEY:
	case MERGE_SET:
		return merge_list(a, s, live, applied);
	case MERGE_ATOMIC:
		break;
	}
	return node_dup(a, applied);
}

static void
list_drop(struct node *list, const struct node *item)
{
	struct node *before = NULL;
	struct node *x = node_first(list);

	for (; x != NULL && x != item; x = x->next)
		before = x;
	if (list == NULL || x == NULL)
		return;
	if (before == NULL)
		list->u.items.first = x->next;
	else
		before->next = x->next;
	if (list->u.items.last == x)
		list->u.items.last = before;
	list->u.items.count--;
}

/* Takes the fields of `gone` out of a value, but for what is in `held`. */
static void
prune(struct arena *a, const struct shape *s, struct node *value, const struct node *gone,
    const struct node *held)
{
	for (const struct node *x = node_first(gone); x != NULL; x = x->next) {
		const struct node *keep = node_find_str(held, x->key);
		bool named = str_starts(x->key, STR("f:"));
		struct str name = str_sub(x->key, 2, x->key.n);
		struct shape below = named ? shape_member(s, name) : shape_item(s);
		struct node *child =
		    named ? node_find_str(value, name) : item_find(a, s, value, x->key);

		if (child == NULL || str_is(x->key, "."))
			continue;
		if (!fields_is_member(x) || keep != NULL) {
			prune(a, &below, child, x, keep);
			if (keep != NULL || node_count(child) > 0 || !named)
				continue; /* else a map that has become empty goes too */
		}
		if (named)
			(void)node_remove(value, name);
		else
			list_drop(value, child);
	}
}

/* What one manifest comes to against a live object. */
struct plan {
	struct who who;
	struct shape root;
	struct node *manifest;
	struct node *set;     /* 1. its fields */
	struct node *changed; /* those with another live value */
	struct node *entries;
	struct node *own; /* the manager's entry of before, or NULL */
};

static bool
plan_make(const struct resource *res, struct arena *a, const struct node *live,
    const struct node *applied, struct plan *ret, struct error *err)
{
	if (ret->who.manager == NULL || ret->who.manager[0] == '\0')
		return error_set(err, ERR_INVALID, "an apply needs the name of a field manager");
	ret->root = shape_root(res);
	ret->manifest = manifest_clean(res, a, applied);
	ret->set = fields_of(a, &ret->root, ret->manifest);
	ret->changed = fields_changed(a, &ret->root, live, ret->manifest);
	ret->entries = entries_dup(a, live);
	ret->own = entry_find(ret->entries, &ret->who);
	return !arena_failed(a) || no_memory(err);
}

/* NOLINTBEGIN(readability-function-size): as in apply.h */
bool
apply_conflicts(const struct resource *res, struct arena *a, const struct node *live,
    const struct node *applied, const char *manager, struct apply_conflict **ret_items,
    size_t *ret_n, struct error *err)
{
	struct plan p = { .who = { manager, "Apply", "" } };
	struct conflicts c;

	if (!plan_make(res, a, live, applied, &p, err) ||
	    !conflicts_find(a, p.entries, p.own, p.changed, &c, err))
		return false;
	*ret_items = c.items;
	*ret_n = c.n;
	return true;
}
/* NOLINTEND(readability-function-size) */

/* Everything that somebody else holds. */
static struct node *
held_by_others(struct arena *a, const struct plan *p)
{
	struct node *held = node_map(a);

	for (const struct node *x = node_first(p->entries); x != NULL; x = x->next) {
		if (x != p->own)
			fields_add(a, held, entry_fields(x));
	}
	return held;
}

/* NOLINTBEGIN(readability-function-size): as in apply.h */
bool
apply_merge(const struct resource *res, struct arena *a, const struct node *live,
    const struct node *applied, const char *manager, bool force, struct node **ret_merged,
    struct error *err)
{
	struct node *merged, *gone;
	struct plan p = { .who = { manager, "Apply", "" } };
	struct conflicts c;

	if (!plan_make(res, a, live, applied, &p, err) ||
	    !conflicts_find(a, p.entries, p.own, p.changed, &c, err))
		return false;
	if (c.n > 0 && !force)
		return conflict_error(&c, err);
	entries_subtract(p.entries, p.own, c.n > 0 ? p.changed : NULL);
	merged = live != NULL ? merge(a, &p.root, live, p.manifest) : p.manifest;
	gone = node_dup(a, entry_fields(p.own));
	if (gone != NULL) {
		struct node *held = held_by_others(a, &p);

		fields_add(a, held, p.set);
		fields_subtract(gone, p.set);
		prune(a, &p.root, merged, gone, held);
	}
	entry_set(res, a, p.entries, &p.who, p.set);
	entries_put(a, merged, p.entries);
	if (arena_failed(a))
		return no_memory(err);
	*ret_merged = merged;
	return true;
}
/* NOLINTEND(readability-function-size) */

/* Keeps of a set only what is below status, or only what is not. */
static void
status_only(struct node *set, bool status)
{
	struct node *next;

	for (struct node *x = node_first(set); x != NULL; x = next) {
		next = x->next;
		if (str_is(x->key, "f:status") != status)
			(void)node_remove(set, x->key);
	}
}

/* NOLINTBEGIN(readability-function-size): as in apply.h */
bool
apply_track(const struct resource *res, struct arena *a, const struct node *live, struct node *next,
    const char *manager, bool status, struct error *err)
{
	struct who who = { manager, "Update", status ? "status" : "" };
	struct shape root = shape_root(res);
	struct node *changed = fields_changed(a, &root, live, next);
	struct node *gone = fields_of(a, &root, live);
	struct node *entries = entries_dup(a, next);
	struct node *own, *fields;

	fields_subtract(gone, fields_of(a, &root, next));
	if (status || has_status(res)) {
		status_only(changed, status);
		status_only(gone, status);
	}
	if (arena_failed(a))
		return no_memory(err);
	if (fields_is_empty(changed) && fields_is_empty(gone))
		return true;
	own = entry_find(entries, &who);
	fields = own != NULL ? node_dup(a, entry_fields(own)) : NULL;
	if (fields == NULL)
		fields = node_map(a);
	fields_add(a, fields, changed);
	fields_subtract(fields, gone);
	entries_subtract(entries, own, changed);
	entries_subtract(entries, own, gone);
	if (!fields_is_empty(fields))
		entry_set(res, a, entries, &who, fields);
	else if (own != NULL)
		node_set(a, own, "fieldsV1", node_map(a));
	entries_put(a, next, entries);
	return !arena_failed(a) || no_memory(err);
}
/* NOLINTEND(readability-function-size) */
