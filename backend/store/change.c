/*
 * What a Kubernetes API server makes of a value that a client sends: which metadata it keeps, fills
 * in or overrules, what status is, and when a generation grows. Pure: trees in, trees out.
 */

#include "backend/store/embedded_int.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "backend/store/apply.h"
#include "backend/store/secrets.h"
#include "model/stamp.h"

enum { NAME_MAX_BYTES = 253, NS_MAX_BYTES = 63, SUFFIX_LETTERS = 5 };

/* The server's alone; a client's values are overruled. */
static const char *const server_fields[] = { "uid", "creationTimestamp", "generation",
	"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink" };

static bool
no_memory(struct error *err)
{
	(void)error_set(err, ERR_NO_MEMORY, "no memory to write an object");
	return false;
}

static bool
has_status(const struct resource *res)
{
	return res->known != NULL && (res->known->flags & KIND_STATUS) != 0;
}

/* Who wrote what is not kept for our own records and for Events: many, and edited by nobody. */
static bool
is_tracked(const struct resource *res)
{
	return res->known == NULL || (res->known->flags & KIND_INTERNAL) == 0
		   ? !(res->group[0] == '\0' && strcmp(res->kind, "Event") == 0)
		   : false;
}

/* A name becomes a piece of a path, so it may not look like one. */
static bool
name_is_good(struct str s, size_t most)
{
	if (s.n == 0 || s.n > most || str_is(s, ".") || str_is(s, ".."))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] <= ' ' || s.p[i] == 0x7F || s.p[i] == '/' || s.p[i] == '%')
			return false;
	}
	return utf8_valid(s);
}

static bool
kind_check(const struct resource *res, const struct node *value, struct error *err)
{
	struct str api = node_path_str(value, "apiVersion");
	struct str kind = node_path_str(value, "kind");
	struct str rest = api, group = { 0 };

	if (value == NULL || value->type != NODE_MAP)
		return error_set(err, ERR_INVALID, "an object must be a map");
	if (str_find_char(api, '/') >= 0)
		(void)str_split(&rest, '/', &group);
	if (!str_is(kind, res->kind) || !str_is(group, res->group) || !str_is(rest, res->version))
		return error_set(err, ERR_INVALID,
		    "expected kind %s of %s%s%s, got kind '%.*s' of '%.*s'", res->kind, res->group,
		    res->group[0] != '\0' ? "/" : "", res->version,
		    (int)(kind.n < 80 ? kind.n : 80), kind.n > 0 ? kind.p : "",
		    (int)(api.n < 80 ? api.n : 80), api.n > 0 ? api.p : "");
	return true;
}

/* "pool-" becomes "pool-x7k2p". */
static struct str
name_generate(struct arena *a, struct str prefix)
{
	static const char letters[] = "bcdfghjklmnpqrstvwxz2456789";
	unsigned char random[SUFFIX_LETTERS];
	char suffix[SUFFIX_LETTERS + 1] = { 0 };

	if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
		return (struct str){ 0 };
	for (size_t i = 0; i < SUFFIX_LETTERS; i++)
		suffix[i] = letters[random[i] % (sizeof letters - 1)];
	if (prefix.n > NAME_MAX_BYTES - SUFFIX_LETTERS)
		prefix.n = NAME_MAX_BYTES - SUFFIX_LETTERS;
	return str_from(arena_printf(a, STR_FMT "%s", STR_ARG(prefix), suffix));
}

bool
change_identity(const struct change *c, const struct node *value, struct str *ret_ns,
    struct str *ret_name, struct error *err)
{
	const struct node *meta = node_find(value, "metadata");
	struct str ns = node_path_str(meta, "namespace");
	struct str name = node_path_str(meta, "name");
	struct str prefix = node_path_str(meta, "generateName");

	if (!kind_check(c->res, value, err))
		return false;
	if (name.n == 0 && prefix.n > 0)
		name = name_generate(c->a, prefix);
	if (name.n == 0)
		return error_set(err, ERR_INVALID, "%s: metadata.name is missing", c->res->kind);
	if (!name_is_good(name, NAME_MAX_BYTES))
		return error_set(err, ERR_INVALID, "%s: '%.*s' is no name", c->res->kind,
		    (int)(name.n < 100 ? name.n : 100), name.p);
	if (!c->res->namespaced && ns.n > 0)
		return error_set(err, ERR_INVALID,
		    "%s '%.*s' belongs to no namespace, but has '%.*s'", c->res->kind,
		    (int)(name.n < 100 ? name.n : 100), name.p, (int)(ns.n < 100 ? ns.n : 100),
		    ns.p);
	if (c->res->namespaced && ns.n == 0)
		ns = STR("default");
	if (c->res->namespaced && !name_is_good(ns, NS_MAX_BYTES))
		return error_set(err, ERR_INVALID, "'%.*s' is no name of a namespace",
		    (int)(ns.n < 100 ? ns.n : 100), ns.p);
	*ret_ns = ns;
	*ret_name = name;
	return true;
}

static bool
uid_make(struct arena *a, struct str *ret_uid, struct error *err)
{
	unsigned char b[16];
	char *p;

	if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
		return error_set(err, ERR_INTERNAL, "the system gave no random bytes");
	b[6] = (unsigned char)((b[6] & 0x0F) | 0x40); /* RFC 9562: version 4, its variant */
	b[8] = (unsigned char)((b[8] & 0x3F) | 0x80);
	p = arena_printf(a, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
	    b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
	    b[14], b[15]);
	*ret_uid = str_from(p);
	return p != NULL || no_memory(err);
}

/* stringData is a way to write data without base64; it is never stored or shown. */
static bool
fold_string_data(const struct change *c, struct node *tree, struct error *err)
{
	const struct node *plain = node_find(tree, "stringData");
	struct node *data;

	if (plain == NULL || !resource_is_secret(c->res))
		return true;
	data = node_find(tree, "data");
	if (data == NULL || data->type != NODE_MAP) {
		data = node_map(c->a);
		node_set(c->a, tree, "data", data);
	}
	for (const struct node *x = node_first(plain); x != NULL; x = x->next) {
		struct text t = TEXT_INIT((size_t)OBJECT_MAX_BYTES * 2);

		text_add_base64(&t, node_get_str(x));
		if (!text_ok(&t, "stringData", err)) {
			text_free(&t);
			return false;
		}
		node_set_str(c->a, data, x->key, node_str(c->a, text_str(&t)));
		secret_wipe(t.p, t.n);
		text_free(&t);
	}
	(void)node_remove(tree, STR("stringData"));
	return true;
}

static struct node *
meta_make(struct arena *a, struct node *tree)
{
	struct node *meta = node_find(tree, "metadata");

	if (meta != NULL && meta->type == NODE_MAP)
		return meta;
	meta = node_map(a);
	node_set(a, tree, "metadata", meta);
	return meta;
}

/* The entries that apply_track and apply_merge left without a time are new or changed. */
static void
managed_stamp(const struct change *c, struct node *tree)
{
	const struct node *list = node_path(tree, "metadata.managedFields");
	char stamp[STAMP_MAX];

	for (struct node *x = node_first(list); x != NULL; x = x->next) {
		if (node_find(x, "time") == NULL)
			node_set_strz(c->a, x, "time", stamp_format(c->now_ms, stamp));
	}
}

bool
change_create(
    const struct change *c, const struct node *value, struct node **ret_tree, struct error *err)
{
	struct node *tree, *meta;
	char stamp[STAMP_MAX];
	struct str ns, name, uid;

	if (!change_identity(c, value, &ns, &name, err) || !uid_make(c->a, &uid, err))
		return false;
	if (node_path_str(value, "metadata.resourceVersion").n > 0)
		return error_set(err, ERR_INVALID,
		    "resourceVersion must not be set on an object that is to be created");
	tree = node_dup(c->a, value);
	if (tree == NULL)
		return no_memory(err);
	meta = meta_make(c->a, tree);
	for (size_t i = 0; i < ARRAY_LEN(server_fields); i++)
		(void)node_remove(meta, str_from(server_fields[i]));
	node_set(c->a, meta, "name", node_str(c->a, name));
	if (c->res->namespaced)
		node_set(c->a, meta, "namespace", node_str(c->a, ns));
	node_set(c->a, meta, "uid", node_str(c->a, uid));
	node_set_int(c->a, meta, "generation", 1);
	node_set_strz(c->a, meta, "creationTimestamp", stamp_format(c->now_ms, stamp));
	if (has_status(c->res))
		(void)node_remove(tree, STR("status"));
	if (!fold_string_data(c, tree, err))
		return false;
	if (!is_tracked(c->res))
		(void)node_remove(meta, STR("managedFields"));
	else if (node_find(meta, "managedFields") == NULL &&
		 !apply_track(c->res, c->a, NULL, tree, c->actor->manager, false, err))
		return false;
	managed_stamp(c, tree);
	if (arena_failed(c->a))
		return no_memory(err);
	*ret_tree = tree;
	return true;
}

/* Equal but for what the server bumps itself? */
static bool
same_object(struct arena *a, const struct node *old, const struct node *next)
{
	struct node *x = node_dup(a, old), *y = node_dup(a, next);

	(void)node_remove(node_find(x, "metadata"), STR("resourceVersion"));
	(void)node_remove(node_find(y, "metadata"), STR("resourceVersion"));
	return x != NULL && y != NULL && node_eq(x, y);
}

/* Anything but metadata and status. */
static bool
spec_changed(const struct node *old, const struct node *next)
{
	const struct node *sides[2] = { old, next };

	for (int side = 0; side < 2; side++) {
		for (const struct node *x = node_first(sides[side]); x != NULL; x = x->next) {
			if (str_is(x->key, "metadata") || str_is(x->key, "status"))
				continue;
			if (!node_eq(x, node_find_str(sides[1 - side], x->key)))
				return true;
		}
	}
	return false;
}

static void
keep(struct arena *a, struct node *next, const struct node *old, const char *key)
{
	struct node *kept = node_dup(a, node_find(old, key));

	node_set(a, next, key, kept); /* NULL removes */
}

/* The metadata that an update cannot change. */
static void
keep_server_fields(struct arena *a, struct node *tree, const struct node *old)
{
	const struct node *was = node_find(old, "metadata");
	struct node *meta = meta_make(a, tree);

	keep(a, meta, was, "name");
	keep(a, meta, was, "namespace");
	for (size_t i = 0; i < ARRAY_LEN(server_fields); i++)
		keep(a, meta, was, server_fields[i]);
	keep(a, meta, was, "resourceVersion");
}

/* An object that is going may lose finalizers, never get new ones. */
static bool
finalizers_check(
    const struct change *c, const struct node *old, const struct node *tree, struct error *err)
{
	const struct node *list = node_path(tree, "metadata.finalizers");

	for (const struct node *x = node_first(list); change_is_deleted(old) && x != NULL;
	     x = x->next) {
		const struct node *y = node_first(node_path(old, "metadata.finalizers"));

		while (y != NULL && !str_eq(node_get_str(y), node_get_str(x)))
			y = y->next;
		if (y == NULL)
			return error_set(err, ERR_INVALID,
			    "%s is being deleted: finalizer '%.*s' cannot be added", c->res->kind,
			    (int)node_get_str(x).n, node_get_str(x).p);
	}
	return true;
}

static bool
finish(const struct change *c, const struct node *old, struct node *tree, bool *ret_changed,
    struct error *err)
{
	int64_t generation = node_path_int(old, "metadata.generation", 1);

	if (arena_failed(c->a))
		return no_memory(err);
	if (spec_changed(old, tree))
		node_set_int(c->a, node_find(tree, "metadata"), "generation", generation + 1);
	*ret_changed = !same_object(c->a, old, tree);
	managed_stamp(c, tree);
	return !arena_failed(c->a) || no_memory(err);
}

/* A client may replace the list (kubectl does, to migrate); absent keeps it, empty resets it. */
static void
managed_base(const struct change *c, struct node *tree, const struct node *old)
{
	struct node *meta = node_find(tree, "metadata");
	const struct node *given = node_find(meta, "managedFields");

	if (given == NULL)
		keep(c->a, meta, node_find(old, "metadata"), "managedFields");
	else if (given->type != NODE_LIST || node_count(node_at(given, 0)) == 0)
		(void)node_remove(meta, STR("managedFields"));
}

bool
change_update(const struct change *c, const struct node *old, const struct node *value,
    struct node **ret_tree, bool *ret_changed, struct error *err)
{
	bool status = c->part == UPDATE_STATUS;
	struct node *tree;

	tree = node_dup(c->a, status ? old : value);
	if (tree == NULL)
		return no_memory(err);
	if (status) {
		keep(c->a, tree, value, "status");
		keep(c->a, meta_make(c->a, tree), node_find(old, "metadata"), "managedFields");
	} else {
		keep_server_fields(c->a, tree, old);
		if (has_status(c->res))
			keep(c->a, tree, old, "status");
		managed_base(c, tree, old);
		if (!finalizers_check(c, old, tree, err))
			return false;
	}
	if (!fold_string_data(c, tree, err))
		return false;
	if (!is_tracked(c->res))
		(void)node_remove(node_find(tree, "metadata"), STR("managedFields"));
	else if (!apply_track(c->res, c->a, old, tree, c->actor->manager, status, err))
		return false;
	*ret_tree = tree;
	return finish(c, old, tree, ret_changed, err);
}

bool
change_merged(const struct change *c, const struct node *old, struct node *merged,
    struct node **ret_tree, bool *ret_changed, struct error *err)
{
	keep_server_fields(c->a, merged, old);
	if (has_status(c->res))
		keep(c->a, merged, old, "status");
	if (!finalizers_check(c, old, merged, err) || !fold_string_data(c, merged, err))
		return false;
	if (!is_tracked(c->res))
		(void)node_remove(node_find(merged, "metadata"), STR("managedFields"));
	*ret_tree = merged;
	return finish(c, old, merged, ret_changed, err);
}

bool
change_is_deleted(const struct node *tree)
{
	return node_path_str(tree, "metadata.deletionTimestamp").n > 0;
}

void
change_mark_deleted(const struct change *c, struct node *tree)
{
	struct node *meta = node_find(tree, "metadata");
	char stamp[STAMP_MAX];

	if (change_is_deleted(tree))
		return;
	node_set_strz(c->a, meta, "deletionTimestamp", stamp_format(c->now_ms, stamp));
	node_set_int(c->a, meta, "deletionGracePeriodSeconds", 0);
	node_set_int(c->a, meta, "generation", node_path_int(meta, "generation", 1) + 1);
}

static struct node *
finalizer_find(const struct node *tree, const char *name)
{
	const struct node *list = node_path(tree, "metadata.finalizers");

	for (struct node *x = node_first(list); x != NULL; x = x->next) {
		if (str_is(node_get_str(x), name))
			return x;
	}
	return NULL;
}

bool
tree_finalizer_has(const struct node *tree, const char *name)
{
	return finalizer_find(tree, name) != NULL;
}

void
tree_finalizer_add(struct arena *a, struct node *tree, const char *name)
{
	struct node *meta = node_find(tree, "metadata");
	struct node *list = node_find(meta, "finalizers");

	if (tree_finalizer_has(tree, name))
		return;
	if (list == NULL || list->type != NODE_LIST) {
		list = node_list(a);
		node_set(a, meta, "finalizers", list);
	}
	node_push(list, node_strz(a, name));
}

/* Takes one element out of a list. */
static void
list_remove(struct node *list, const struct node *item)
{
	struct node *before = NULL;

	for (struct node *x = node_first(list); x != NULL; before = x, x = x->next) {
		if (x != item)
			continue;
		if (before == NULL)
			list->u.items.first = x->next;
		else
			before->next = x->next;
		if (list->u.items.last == x)
			list->u.items.last = before;
		list->u.items.count--;
		return;
	}
}

void
tree_finalizer_remove(struct node *tree, const char *name)
{
	struct node *meta = node_find(tree, "metadata");
	struct node *list = node_find(meta, "finalizers");
	struct node *x = finalizer_find(tree, name);

	if (x == NULL)
		return;
	list_remove(list, x);
	if (node_count(list) == 0)
		(void)node_remove(meta, STR("finalizers"));
}

size_t
finalizer_count(const struct node *tree)
{
	return node_count(node_path(tree, "metadata.finalizers"));
}

bool
owner_strip(struct node *tree, struct str uid)
{
	struct node *meta = node_find(tree, "metadata");
	struct node *list = node_find(meta, "ownerReferences");

	for (struct node *x = node_first(list); x != NULL; x = x->next) {
		if (!str_eq(node_path_str(x, "uid"), uid))
			continue;
		list_remove(list, x);
		if (node_count(list) == 0)
			(void)node_remove(meta, STR("ownerReferences"));
		return true;
	}
	return false;
}
