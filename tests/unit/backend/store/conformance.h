#ifndef TESTS_UNIT_BACKEND_STORE_CONFORMANCE_H
#define TESTS_UNIT_BACKEND_STORE_CONFORMANCE_H

/*
 * What every store must do, whatever stands behind it: one suite, included by the test of each
 * implementation, which says how to get an empty store and calls conformance_run. The objects are
 * valid by their kind's schema, so that a server in between has nothing to refuse.
 *
 * Include after cmocka.h. Each case gets a fresh store.
 */

#include <stdio.h>
#include <string.h>

#include "backend/store/store.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/kinds/aks_cluster.h"
#include "model/kinds/secret.h"

struct conformance {
	struct store *(*fresh)(void *ctx);	   /* an empty store; fails the test otherwise */
	void (*done)(void *ctx, struct store *st); /* closes it and what is behind it */
	void *ctx;
};

static struct conformance conformance_of;

/* One case's world. */
struct world {
	struct store *st;
	struct arena *a;
	struct error err;
	const struct resource *cluster, *secret;
};

static const struct actor conformance_alice = {
	.manager = "alice", .user = "alice", .from = "tty1"
};
static const struct actor conformance_bob = { .manager = "bob", .user = "bob", .from = "tty2" };

static int
world_open(void **state)
{
	static struct world w;

	w = (struct world){ 0 };
	w.st = conformance_of.fresh(conformance_of.ctx);
	w.a = arena_new((size_t)64 * 1024 * 1024);
	w.cluster = resource_of(&aks_cluster_kind);
	w.secret = resource_of(&secret_kind);
	*state = &w;
	return w.st == NULL || w.a == NULL ? -1 : 0;
}

static int
world_close(void **state)
{
	struct world *w = *state;

	arena_free(w->a);
	conformance_of.done(conformance_of.ctx, w->st);
	return 0;
}

#define MUST(w, call)                                                                              \
	do {                                                                                       \
		if (!(call))                                                                       \
			fail_msg("%s: %s", #call, (w)->err.message);                               \
	} while (0)

static struct node *
tree_of(struct world *w, const char *json)
{
	struct node *n = NULL;

	MUST(w, json_parse(w->a, str_from(json), &n, &w->err));
	return n;
}

/* A valid cluster; labels and spec can be changed before it is stored. */
static struct node *
cluster_tree(struct world *w, const char *ns, const char *name)
{
	struct node *n = tree_of(w,
	    "{\"apiVersion\":\"infrastructure.modelplane.ai/v1alpha1\",\"kind\":\"AKSCluster\","
	    "\"metadata\":{},\"spec\":{\"location\":\"swedencentral\",\"kubernetesVersion\":\"1."
	    "34\","
	    "\"nodePools\":[{\"name\":\"a\",\"role\":\"System\",\"vmSize\":\"Standard_D4s_v5\","
	    "\"nodeCount\":1},{\"name\":\"b\",\"role\":\"System\",\"vmSize\":\"Standard_D4s_v5\","
	    "\"nodeCount\":2}]}}");

	node_set_strz(w->a, node_find(n, "metadata"), "name", name);
	node_set_strz(w->a, node_find(n, "metadata"), "namespace", ns);
	return n;
}

static struct node *
secret_tree(struct world *w, const char *ns, const char *name)
{
	struct node *n = tree_of(w, "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{},"
				    "\"type\":\"Opaque\",\"data\":{\"k\":\"dg==\"}}");

	node_set_strz(w->a, node_find(n, "metadata"), "name", name);
	node_set_strz(w->a, node_find(n, "metadata"), "namespace", ns);
	return n;
}

static void
label_set(struct world *w, struct node *n, const char *key, const char *value)
{
	node_set_strz(w->a, node_make_path(w->a, n, "metadata.labels"), key, value);
}

static void
finalizer_set(struct world *w, struct node *n, const char *name)
{
	struct node *list = node_list(w->a);

	if (name != NULL)
		node_push(list, node_strz(w->a, name));
	node_set(w->a, node_find(n, "metadata"), "finalizers", list);
}

static void
owner_add(struct world *w, struct node *n, const struct object *owner, bool block)
{
	struct node *meta = node_find(n, "metadata");
	struct node *list = node_find(meta, "ownerReferences");
	struct node *ref = node_map(w->a);

	if (list == NULL) {
		list = node_list(w->a);
		node_set(w->a, meta, "ownerReferences", list);
	}
	node_set_strz(w->a, ref, "apiVersion", "infrastructure.modelplane.ai/v1alpha1");
	node_set_strz(w->a, ref, "kind", owner->res->kind);
	node_set(w->a, ref, "name", node_str(w->a, owner->name));
	node_set(w->a, ref, "uid", node_str(w->a, owner->uid));
	if (block)
		node_set_bool(w->a, ref, "blockOwnerDeletion", true);
	node_push(list, ref);
}

static const struct object *
made(struct world *w, const struct resource *res, const struct node *n)
{
	const struct object *o = NULL;

	MUST(w, store_create(w->st, res, n, &conformance_alice, &o, &w->err));
	assert_non_null(o);
	return o;
}

/* Stores and lets go. */
static void
put_cluster(struct world *w, const char *ns, const char *name)
{
	object_unref(made(w, w->cluster, cluster_tree(w, ns, name)));
}

static struct node *
stored(struct world *w, const struct resource *res, const char *ns, const char *name)
{
	const struct object *o = NULL;
	struct node *n = NULL;

	MUST(w, store_get(w->st, res, str_from(ns), str_from(name), &o, &w->err));
	MUST(w, object_node(o, w->a, &n, &w->err));
	object_unref(o);
	return n;
}

static bool
is_there(struct world *w, const struct resource *res, const char *ns, const char *name)
{
	const struct object *o = NULL;
	bool there = store_get(w->st, res, str_from(ns), str_from(name), &o, &w->err);

	if (!there)
		assert_int_equal(w->err.code, ERR_NOT_FOUND);
	object_unref(o);
	return there;
}

static void
deleted(struct world *w, const struct resource *res, const char *ns, const char *name,
    enum propagation how)
{
	struct delete_options opt = { .propagation = how };

	MUST(w, store_delete(
		    w->st, res, str_from(ns), str_from(name), &opt, &conformance_alice, &w->err));
}

static int64_t
version_in(const struct node *n)
{
	int64_t v = 0;

	assert_true(str_to_int(node_path_str(n, "metadata.resourceVersion"), &v));
	return v;
}

static void
create_fills_in_what_the_server_owns(void **state)
{
	struct world *w = *state;
	struct node *n = cluster_tree(w, "ml", "one");
	const struct object *o;

	node_set_strz(w->a, node_find(n, "metadata"), "uid", "mine");
	node_set_int(w->a, node_find(n, "metadata"), "generation", 9);
	node_set_strz(w->a, node_make_path(w->a, n, "status.cache"), "storageClassName", "x");
	o = made(w, w->cluster, n);
	assert_true(str_is(o->name, "one") && str_is(o->ns, "ml"));
	assert_int_equal(o->uid.n, 36);
	assert_true(o->version > 0);
	assert_int_equal(o->generation, 1);
	assert_int_equal(o->deleted_ms, 0);
	object_unref(o);
	n = stored(w, w->cluster, "ml", "one");
	assert_int_equal(node_path_int(n, "metadata.generation", 0), 1);
	assert_int_equal(node_path_str(n, "metadata.creationTimestamp").n, 20);
	assert_null(node_find(n, "status"));
	assert_true(str_is(node_path_str(n, "spec.location"), "swedencentral"));
}

static void
name_is_needed_and_taken_once(void **state)
{
	struct world *w = *state;
	struct node *n = cluster_tree(w, "ml", "one");

	put_cluster(w, "ml", "one");
	assert_false(store_create(w->st, w->cluster, n, &conformance_bob, NULL, &w->err));
	assert_int_equal(w->err.code, ERR_EXISTS);
	put_cluster(w, "other", "one"); /* another namespace is another object */
	(void)node_remove(node_find(n, "metadata"), STR("name"));
	assert_false(store_create(w->st, w->cluster, n, &conformance_bob, NULL, &w->err));
	assert_int_equal(w->err.code, ERR_INVALID);
}

static void
what_is_not_there_is_not_found(void **state)
{
	struct world *w = *state;
	struct node *n = cluster_tree(w, "ml", "none");

	assert_false(is_there(w, w->cluster, "ml", "none"));
	assert_false(
	    store_update(w->st, w->cluster, n, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	assert_int_equal(w->err.code, ERR_NOT_FOUND);
	assert_false(store_delete(
	    w->st, w->cluster, STR("ml"), STR("none"), NULL, &conformance_bob, &w->err));
	assert_int_equal(w->err.code, ERR_NOT_FOUND);
}

static void
generation_grows_with_the_spec_only(void **state)
{
	struct world *w = *state;
	struct node *n;
	int64_t version;

	put_cluster(w, "ml", "one");
	n = stored(w, w->cluster, "ml", "one");
	version = version_in(n);
	label_set(w, n, "tier", "gold");
	MUST(w, store_update(w->st, w->cluster, n, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	n = stored(w, w->cluster, "ml", "one");
	assert_true(version_in(n) > version);
	assert_int_equal(node_path_int(n, "metadata.generation", 0), 1);
	assert_true(str_is(node_path_str(n, "metadata.labels.tier"), "gold"));

	node_set_int(w->a, node_path(n, "spec.nodePools[0]"), "nodeCount", 5);
	MUST(w, store_update(w->st, w->cluster, n, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	n = stored(w, w->cluster, "ml", "one");
	assert_int_equal(node_path_int(n, "metadata.generation", 0), 2);
	assert_int_equal(node_path_int(n, "spec.nodePools[0].nodeCount", 0), 5);
}

static void
status_and_spec_do_not_touch_each_other(void **state)
{
	struct world *w = *state;
	struct node *n;

	put_cluster(w, "ml", "one");
	n = stored(w, w->cluster, "ml", "one");
	node_set_strz(w->a, node_make_path(w->a, n, "status.cache"), "storageClassName", "files");
	node_set_int(w->a, node_path(n, "spec.nodePools[0]"), "nodeCount", 7);
	label_set(w, n, "a", "b");
	MUST(w, store_update(w->st, w->cluster, n, UPDATE_STATUS, &conformance_bob, NULL, &w->err));
	n = stored(w, w->cluster, "ml", "one");
	assert_true(str_is(node_path_str(n, "status.cache.storageClassName"), "files"));
	assert_int_equal(node_path_int(n, "spec.nodePools[0].nodeCount", 0), 1);
	assert_int_equal(node_path_int(n, "metadata.generation", 0), 1);
	assert_null(node_path(n, "metadata.labels"));

	(void)node_remove(n, STR("status"));
	node_set_int(w->a, node_path(n, "spec.nodePools[0]"), "nodeCount", 3);
	MUST(w, store_update(w->st, w->cluster, n, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	n = stored(w, w->cluster, "ml", "one");
	assert_true(str_is(node_path_str(n, "status.cache.storageClassName"), "files"));
	assert_int_equal(node_path_int(n, "spec.nodePools[0].nodeCount", 0), 3);
}

static void
old_version_is_refused_and_none_wins(void **state)
{
	struct world *w = *state;
	struct node *first, *second;

	put_cluster(w, "ml", "one");
	first = stored(w, w->cluster, "ml", "one");
	second = stored(w, w->cluster, "ml", "one");
	label_set(w, first, "who", "first");
	MUST(w,
	    store_update(w->st, w->cluster, first, UPDATE_MAIN, &conformance_alice, NULL, &w->err));
	label_set(w, second, "who", "second");
	assert_false(
	    store_update(w->st, w->cluster, second, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	assert_int_equal(w->err.code, ERR_CONFLICT);
	assert_true(str_is(
	    node_path_str(stored(w, w->cluster, "ml", "one"), "metadata.labels.who"), "first"));
	(void)node_remove(node_find(second, "metadata"), STR("resourceVersion"));
	MUST(w,
	    store_update(w->st, w->cluster, second, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	assert_true(str_is(
	    node_path_str(stored(w, w->cluster, "ml", "one"), "metadata.labels.who"), "second"));
}

static void
update_for_another_uid_is_refused(void **state)
{
	struct world *w = *state;
	struct node *n;

	put_cluster(w, "ml", "one");
	n = stored(w, w->cluster, "ml", "one");
	deleted(w, w->cluster, "ml", "one", PROPAGATE_BACKGROUND);
	put_cluster(w, "ml", "one");
	(void)node_remove(node_find(n, "metadata"), STR("resourceVersion"));
	assert_false(
	    store_update(w->st, w->cluster, n, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	assert_int_equal(w->err.code, ERR_CONFLICT);
}

static void
update_that_changes_nothing_is_no_event(void **state)
{
	struct world *w = *state;
	struct node *n;
	int64_t version;

	put_cluster(w, "ml", "one");
	n = stored(w, w->cluster, "ml", "one");
	version = version_in(n);
	MUST(w, store_update(w->st, w->cluster, n, UPDATE_MAIN, &conformance_alice, NULL, &w->err));
	MUST(w,
	    store_update(w->st, w->cluster, n, UPDATE_STATUS, &conformance_alice, NULL, &w->err));
	assert_int_equal(version_in(stored(w, w->cluster, "ml", "one")), version);
}

static void
dry_run_leaves_nothing(void **state)
{
	struct world *w = *state;
	struct actor dry = conformance_alice;
	struct delete_options opt = { .dry_run = true };
	const struct object *o = NULL;

	dry.dry_run = true;
	MUST(w, store_create(w->st, w->cluster, cluster_tree(w, "ml", "one"), &dry, &o, &w->err));
	assert_true(str_is(o->name, "one"));
	object_unref(o);
	assert_false(is_there(w, w->cluster, "ml", "one"));
	put_cluster(w, "ml", "one");
	MUST(w, store_delete(
		    w->st, w->cluster, STR("ml"), STR("one"), &opt, &conformance_alice, &w->err));
	assert_true(is_there(w, w->cluster, "ml", "one"));
}

static void
finalizer_holds_a_deleted_object(void **state)
{
	struct world *w = *state;
	struct node *n = cluster_tree(w, "ml", "one");
	int64_t version;

	finalizer_set(w, n, "test/hold");
	object_unref(made(w, w->cluster, n));
	deleted(w, w->cluster, "ml", "one", PROPAGATE_BACKGROUND);
	n = stored(w, w->cluster, "ml", "one");
	assert_int_equal(node_path_str(n, "metadata.deletionTimestamp").n, 20);
	assert_int_equal(node_path_int(n, "metadata.deletionGracePeriodSeconds", -1), 0);
	version = version_in(n);
	deleted(w, w->cluster, "ml", "one", PROPAGATE_BACKGROUND); /* again: nothing new */
	assert_int_equal(version_in(stored(w, w->cluster, "ml", "one")), version);

	/* The time of deletion cannot be taken back, nor another finalizer added. */
	(void)node_remove(node_find(n, "metadata"), STR("deletionTimestamp"));
	label_set(w, n, "a", "b");
	MUST(w, store_update(w->st, w->cluster, n, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	n = stored(w, w->cluster, "ml", "one");
	assert_int_equal(node_path_str(n, "metadata.deletionTimestamp").n, 20);
	node_push(node_path(n, "metadata.finalizers"), node_strz(w->a, "test/more"));
	assert_false(
	    store_update(w->st, w->cluster, n, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	assert_int_equal(w->err.code, ERR_INVALID);

	n = stored(w, w->cluster, "ml", "one");
	finalizer_set(w, n, NULL);
	MUST(w, store_update(w->st, w->cluster, n, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	assert_false(is_there(w, w->cluster, "ml", "one"));
}

static void
delete_honours_its_preconditions(void **state)
{
	struct world *w = *state;
	const struct object *o = made(w, w->cluster, cluster_tree(w, "ml", "one"));
	struct delete_options opt = { .uid = STR("00000000-0000-4000-8000-000000000000") };

	assert_false(
	    store_delete(w->st, w->cluster, o->ns, o->name, &opt, &conformance_bob, &w->err));
	assert_int_equal(w->err.code, ERR_CONFLICT);
	opt = (struct delete_options){ .version = o->version + 100 };
	assert_false(
	    store_delete(w->st, w->cluster, o->ns, o->name, &opt, &conformance_bob, &w->err));
	assert_int_equal(w->err.code, ERR_CONFLICT);
	opt = (struct delete_options){ .uid = o->uid, .version = o->version };
	MUST(w, store_delete(w->st, w->cluster, o->ns, o->name, &opt, &conformance_bob, &w->err));
	assert_false(is_there(w, w->cluster, "ml", "one"));
	object_unref(o);
}

/* owner <- middle <- leaf, with blocking references. */
static void
family(struct world *w, bool hold_leaf)
{
	const struct object *owner = made(w, w->cluster, cluster_tree(w, "ml", "owner"));
	struct node *n = cluster_tree(w, "ml", "middle");
	const struct object *middle;

	owner_add(w, n, owner, true);
	middle = made(w, w->cluster, n);
	n = secret_tree(w, "ml", "leaf");
	owner_add(w, n, middle, true);
	if (hold_leaf)
		finalizer_set(w, n, "test/hold");
	object_unref(made(w, w->secret, n));
	object_unref(middle);
	object_unref(owner);
}

static void
foreground_takes_dependents_first(void **state)
{
	struct world *w = *state;
	struct node *n;

	family(w, true);
	deleted(w, w->cluster, "ml", "owner", PROPAGATE_FOREGROUND);
	n = stored(w, w->cluster, "ml", "owner");
	assert_int_equal(node_path_str(n, "metadata.deletionTimestamp").n, 20);
	assert_true(str_is(node_path_str(n, "metadata.finalizers[0]"), "foregroundDeletion"));
	n = stored(w, w->cluster, "ml", "middle");
	assert_int_equal(node_path_str(n, "metadata.deletionTimestamp").n, 20);
	n = stored(w, w->secret, "ml", "leaf");
	assert_int_equal(node_path_str(n, "metadata.deletionTimestamp").n, 20);

	finalizer_set(w, n, NULL); /* the last one lets go, and all of them fall */
	MUST(w, store_update(w->st, w->secret, n, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	assert_false(is_there(w, w->secret, "ml", "leaf"));
	assert_false(is_there(w, w->cluster, "ml", "middle"));
	assert_false(is_there(w, w->cluster, "ml", "owner"));
}

static void
background_takes_the_owner_first(void **state)
{
	struct world *w = *state;

	family(w, true);
	deleted(w, w->cluster, "ml", "owner", PROPAGATE_BACKGROUND);
	assert_false(is_there(w, w->cluster, "ml", "owner"));
	assert_false(is_there(w, w->cluster, "ml", "middle"));
	assert_true(is_there(w, w->secret, "ml", "leaf")); /* its own finalizer holds it */
	assert_int_equal(
	    node_path_str(stored(w, w->secret, "ml", "leaf"), "metadata.deletionTimestamp").n, 20);
}

static void
orphans_live_on_without_the_reference(void **state)
{
	struct world *w = *state;

	family(w, false);
	deleted(w, w->cluster, "ml", "owner", PROPAGATE_ORPHAN);
	assert_false(is_there(w, w->cluster, "ml", "owner"));
	assert_null(node_path(stored(w, w->cluster, "ml", "middle"), "metadata.ownerReferences"));
	assert_true(is_there(w, w->secret, "ml", "leaf"));
}

static void
dependent_of_two_outlives_the_first(void **state)
{
	struct world *w = *state;
	const struct object *one = made(w, w->cluster, cluster_tree(w, "ml", "one"));
	const struct object *two = made(w, w->cluster, cluster_tree(w, "ml", "two"));
	struct node *n = secret_tree(w, "ml", "shared");

	owner_add(w, n, one, true);
	owner_add(w, n, two, true);
	object_unref(made(w, w->secret, n));
	deleted(w, w->cluster, "ml", "one", PROPAGATE_FOREGROUND);
	assert_false(is_there(w, w->cluster, "ml", "one"));
	n = stored(w, w->secret, "ml", "shared");
	assert_int_equal(node_count(node_path(n, "metadata.ownerReferences")), 1);
	assert_true(str_eq(node_path_str(n, "metadata.ownerReferences[0].uid"), two->uid));
	assert_true(node_path(n, "metadata.deletionTimestamp") == NULL);
	deleted(w, w->cluster, "ml", "two", PROPAGATE_BACKGROUND);
	assert_false(is_there(w, w->secret, "ml", "shared"));
	object_unref(one);
	object_unref(two);
}

/* "ns/name ns/name ..." of a list. */
static const char *
listed(struct world *w, const struct list_options *opt, struct object_list *keep)
{
	struct text t = TEXT_INIT(64 * 1024);
	struct object_list l = { 0 };
	const char *ret;

	MUST(w, store_list(w->st, w->cluster, opt, &l, &w->err));
	for (size_t i = 0; i < l.n; i++) {
		text_add(&t, i == 0 ? "" : " ");
		text_printf(
		    &t, STR_FMT "/" STR_FMT, STR_ARG(l.items[i]->ns), STR_ARG(l.items[i]->name));
	}
	ret = arena_dup(w->a, text_get(&t), t.n);
	text_free(&t);
	if (keep != NULL)
		*keep = l;
	else
		object_list_fini(&l);
	return ret;
}

static void
list_is_sorted_and_selected(void **state)
{
	static const char *const names[] = { "c", "a", "b" };
	struct world *w = *state;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct node *n = cluster_tree(w, i == 1 ? "zz" : "ml", names[i]);

		label_set(w, n, "name", names[i]);
		if (i != 2)
			label_set(w, n, "pair", "yes");
		object_unref(made(w, w->cluster, n));
	}
	assert_string_equal(listed(w, &(struct list_options){ 0 }, NULL), "ml/b ml/c zz/a");
	assert_string_equal(
	    listed(w, &(struct list_options){ .ns = STR("ml") }, NULL), "ml/b ml/c");
	assert_string_equal(
	    listed(w, &(struct list_options){ .label_selector = STR("pair=yes") }, NULL),
	    "ml/c zz/a");
	assert_string_equal(
	    listed(w, &(struct list_options){ .label_selector = STR("!pair") }, NULL), "ml/b");
	assert_string_equal(
	    listed(w, &(struct list_options){ .label_selector = STR("name in (a,b),pair!=yes") },
		NULL),
	    "ml/b");
	assert_string_equal(
	    listed(w, &(struct list_options){ .label_selector = STR("name notin (a, b)") }, NULL),
	    "ml/c");
	assert_string_equal(
	    listed(w, &(struct list_options){ .field_selector = STR("metadata.name=a") }, NULL),
	    "zz/a");
	assert_string_equal(
	    listed(
		w, &(struct list_options){ .field_selector = STR("metadata.namespace!=zz") }, NULL),
	    "ml/b ml/c");
}

static void
pages_come_to_the_whole(void **state)
{
	struct world *w = *state;
	struct list_options opt = { .limit = 3 };
	struct object_list page = { 0 };
	char *next = NULL;
	size_t n = 0, pages = 0;

	for (int i = 0; i < 8; i++)
		put_cluster(
		    w, i % 2 == 0 ? "ml" : "zz", (const char[]){ 'a', (char)('0' + i), '\0' });
	do {
		opt.next = str_from(next);
		(void)listed(w, &opt, &page);
		mem_free(next);
		next = page.next;
		page.next = NULL;
		for (size_t i = 0; i < page.n; i++, n++)
			assert_int_equal(page.items[i]->name.p[1], "02461357"[n]);
		assert_true(page.version > 0);
		assert_true(page.n <= 3);
		object_list_fini(&page);
		pages++;
	} while (next != NULL);
	assert_int_equal(n, 8);
	assert_int_equal(pages, 3);
}

/* The next event that is not a bookmark, as "ADDED name". */
static const char *
seen(struct world *w, struct watch *watch)
{
	static const char *const words[] = { "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "GONE" };
	struct watch_event ev = { 0 };
	const char *ret;

	do {
		MUST(w, watch_next(watch, 10000, &ev, &w->err));
	} while (ev.type == WATCH_BOOKMARK);
	ret = arena_printf(w->a, "%s " STR_FMT, words[ev.type],
	    ev.object != NULL ? (int)ev.object->name.n : 0,
	    ev.object != NULL ? ev.object->name.p : "");
	object_unref(ev.object);
	return ret;
}

static void
nothing_seen(struct world *w, struct watch *watch)
{
	struct watch_event ev;

	assert_false(watch_next(watch, 50, &ev, &w->err));
	assert_int_equal(w->err.code, ERR_TIMEOUT);
}

static void
watch_tells_what_happens_after_a_list(void **state)
{
	struct world *w = *state;
	struct object_list l = { 0 };
	struct watch *watch = NULL;
	struct node *n;

	put_cluster(w, "ml", "before");
	(void)listed(w, &(struct list_options){ 0 }, &l);
	put_cluster(w, "ml", "between");
	MUST(w, store_watch(w->st, w->cluster, NULL, l.version, &watch, &w->err));
	put_cluster(w, "ml", "after");
	n = stored(w, w->cluster, "ml", "before");
	label_set(w, n, "a", "b");
	MUST(w, store_update(w->st, w->cluster, n, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	object_unref(made(w, w->secret, secret_tree(w, "ml", "other-kind")));
	deleted(w, w->cluster, "ml", "between", PROPAGATE_BACKGROUND);
	assert_string_equal(seen(w, watch), "ADDED between");
	assert_string_equal(seen(w, watch), "ADDED after");
	assert_string_equal(seen(w, watch), "MODIFIED before");
	assert_string_equal(seen(w, watch), "DELETED between");
	nothing_seen(w, watch);
	watch_free(watch);
	object_list_fini(&l);
}

static void
watch_from_zero_begins_with_what_is_there(void **state)
{
	struct world *w = *state;
	struct watch *watch = NULL;

	put_cluster(w, "ml", "one");
	put_cluster(w, "zz", "two");
	MUST(w, store_watch(w->st, w->cluster, &(struct list_options){ .ns = STR("ml") }, 0, &watch,
		    &w->err));
	put_cluster(w, "zz", "three");
	put_cluster(w, "ml", "four");
	assert_string_equal(seen(w, watch), "ADDED one");
	assert_string_equal(seen(w, watch), "ADDED four");
	nothing_seen(w, watch);
	watch_free(watch);
}

static void
watch_sees_objects_enter_and_leave_its_selector(void **state)
{
	struct world *w = *state;
	struct list_options opt = { .label_selector = STR("tier=gold") };
	static const char *const tiers[] = { "gold", "gold2", "gold" };
	struct watch *watch = NULL;

	put_cluster(w, "ml", "one");
	MUST(w, store_watch(w->st, w->cluster, &opt, 0, &watch, &w->err));
	for (size_t i = 0; i < ARRAY_LEN(tiers); i++) {
		struct node *n = stored(w, w->cluster, "ml", "one");

		label_set(w, n, "tier", tiers[i]);
		MUST(w, store_update(
			    w->st, w->cluster, n, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	}
	deleted(w, w->cluster, "ml", "one", PROPAGATE_BACKGROUND);
	assert_string_equal(seen(w, watch), "ADDED one");
	assert_string_equal(seen(w, watch), "DELETED one");
	assert_string_equal(seen(w, watch), "ADDED one");
	assert_string_equal(seen(w, watch), "DELETED one");
	watch_free(watch);
}

static void
woken_watch_returns_at_once(void **state)
{
	struct world *w = *state;
	struct watch *watch = NULL;
	struct watch_event ev;

	MUST(w, store_watch(w->st, w->cluster, NULL, 0, &watch, &w->err));
	watch_wake(watch);
	assert_false(watch_next(watch, 60000, &ev, &w->err));
	assert_int_equal(w->err.code, ERR_CANCELED);
	watch_free(watch);
}

/* A manifest with one pool of the given size. */
static struct node *
manifest(struct world *w, const char *pool, int64_t count)
{
	struct node *n = cluster_tree(w, "ml", "one");
	struct node *pools = node_list(w->a);
	struct node *p = tree_of(w, "{\"role\":\"System\",\"vmSize\":\"Standard_D4s_v5\"}");

	node_set_strz(w->a, p, "name", pool);
	node_set_int(w->a, p, "nodeCount", count);
	node_push(pools, p);
	node_set(w->a, node_find(n, "spec"), "nodePools", pools);
	return n;
}

static void
applied(struct world *w, const struct node *n, bool force, const struct actor *actor)
{
	MUST(w, store_apply(w->st, w->cluster, n, force, actor, NULL, &w->err));
}

static void
two_appliers_share_an_object_and_collide_on_a_field(void **state)
{
	struct world *w = *state;
	struct node *n;
	int64_t version;

	applied(w, manifest(w, "a", 1), false, &conformance_alice);
	version = version_in(stored(w, w->cluster, "ml", "one"));
	applied(w, manifest(w, "a", 1), false, &conformance_alice); /* the same again */
	assert_int_equal(version_in(stored(w, w->cluster, "ml", "one")), version);

	applied(w, manifest(w, "b", 2), false, &conformance_bob);
	n = stored(w, w->cluster, "ml", "one");
	assert_int_equal(node_count(node_path(n, "spec.nodePools")), 2);

	assert_false(store_apply(
	    w->st, w->cluster, manifest(w, "a", 8), false, &conformance_bob, NULL, &w->err));
	assert_int_equal(w->err.code, ERR_CONFLICT);
	assert_non_null(
	    strstr(w->err.message, "Apply failed with 1 conflict: conflict with \"alice\": "
				   ".spec.nodePools[name=\"a\"].nodeCount"));
	assert_int_equal(
	    node_path_int(stored(w, w->cluster, "ml", "one"), "spec.nodePools[0].nodeCount", 0), 1);

	applied(w, manifest(w, "a", 8), true, &conformance_bob); /* takes it, and drops pool b */
	n = stored(w, w->cluster, "ml", "one");
	assert_int_equal(node_count(node_path(n, "spec.nodePools")), 1);
	assert_int_equal(node_path_int(n, "spec.nodePools[0].nodeCount", 0), 8);
}

static void
update_makes_an_owner_that_apply_runs_into(void **state)
{
	struct world *w = *state;
	struct node *n;

	applied(w, manifest(w, "a", 1), false, &conformance_alice);
	n = stored(w, w->cluster, "ml", "one");
	node_set_int(w->a, node_path(n, "spec.nodePools[0]"), "nodeCount", 4);
	MUST(w, store_update(w->st, w->cluster, n, UPDATE_MAIN, &conformance_bob, NULL, &w->err));
	assert_false(store_apply(
	    w->st, w->cluster, manifest(w, "a", 1), false, &conformance_alice, NULL, &w->err));
	assert_int_equal(w->err.code, ERR_CONFLICT);
	assert_non_null(strstr(w->err.message,
	    "conflict with \"bob\" using infrastructure.modelplane.ai/v1alpha1: "
	    ".spec.nodePools[name=\"a\"].nodeCount"));
}

static void
secret_text_is_folded_into_data(void **state)
{
	struct world *w = *state;
	struct node *n = secret_tree(w, "ml", "s");

	node_set_strz(w->a, node_make_path(w->a, n, "stringData"), "plain", "hello");
	object_unref(made(w, w->secret, n));
	n = stored(w, w->secret, "ml", "s");
	assert_null(node_find(n, "stringData"));
	assert_true(str_is(node_path_str(n, "data.plain"), "aGVsbG8="));
	assert_true(str_is(node_path_str(n, "data.k"), "dg=="));
	assert_int_equal(node_path_int(n, "metadata.generation", 1), 1);
}

#define CONFORMS(f) cmocka_unit_test_setup_teardown(f, world_open, world_close)

/* Returns the number of failed cases. */
static int
conformance_run(const struct conformance *of)
{
	const struct CMUnitTest tests[] = {
		CONFORMS(create_fills_in_what_the_server_owns),
		CONFORMS(name_is_needed_and_taken_once),
		CONFORMS(what_is_not_there_is_not_found),
		CONFORMS(generation_grows_with_the_spec_only),
		CONFORMS(status_and_spec_do_not_touch_each_other),
		CONFORMS(old_version_is_refused_and_none_wins),
		CONFORMS(update_for_another_uid_is_refused),
		CONFORMS(update_that_changes_nothing_is_no_event),
		CONFORMS(dry_run_leaves_nothing),
		CONFORMS(finalizer_holds_a_deleted_object),
		CONFORMS(delete_honours_its_preconditions),
		CONFORMS(foreground_takes_dependents_first),
		CONFORMS(background_takes_the_owner_first),
		CONFORMS(orphans_live_on_without_the_reference),
		CONFORMS(dependent_of_two_outlives_the_first),
		CONFORMS(list_is_sorted_and_selected),
		CONFORMS(pages_come_to_the_whole),
		CONFORMS(watch_tells_what_happens_after_a_list),
		CONFORMS(watch_from_zero_begins_with_what_is_there),
		CONFORMS(watch_sees_objects_enter_and_leave_its_selector),
		CONFORMS(woken_watch_returns_at_once),
		CONFORMS(two_appliers_share_an_object_and_collide_on_a_field),
		CONFORMS(update_makes_an_owner_that_apply_runs_into),
		CONFORMS(secret_text_is_folded_into_data),
	};

	conformance_of = *of;
	return cmocka_run_group_tests_name("conformance", tests, NULL, NULL);
}

#endif
