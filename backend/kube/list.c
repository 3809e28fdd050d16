#include "backend/kube/client_int.h"

#include <stdio.h>
#include <string.h>

#include "backend/store/object.h"
#include "model/base/mem.h"

/*
 * Lists, page by page. A run may have to begin again (a token expired, an answer was cut); what
 * was collected until then is dropped. Trees for a caller stay in one arena; objects for a store
 * are made page by page, so that a large fleet is never in memory as a tree.
 */

enum { MIN_PAGE = 20, SHRINK = 5, PAGE_ARENA = 256 * 1024 * 1024 };

/* Items of Kubernetes' own lists carry neither kind nor apiVersion. */
static void
items_name(struct arena *a, const struct resource *res, const struct node *items)
{
	char version[300];

	(void)snprintf(version, sizeof(version), "%s%s%s", res->group,
	    res->group[0] != '\0' ? "/" : "", res->version);
	for (struct node *x = node_first(items); x != NULL; x = x->next) {
		if (node_find(x, "apiVersion") == NULL)
			node_set_strz(a, x, "apiVersion", version);
		if (node_find(x, "kind") == NULL)
			node_set_strz(a, x, "kind", res->kind);
	}
}

bool
kube_list_page(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct list_options *opt, struct kube_page *ret_page, struct error *err)
{
	struct text target = TEXT_INIT(KUBE_MAX_PATH);
	struct node *answer = NULL;
	bool ok = false;

	if (!kube_name_ok(opt->ns, err))
		return false;
	kube_path(&target, res, opt->ns, (struct str){ 0 }, NULL);
	kube_selectors(&target, opt);
	if (opt->limit > 0) {
		char limit[32];

		(void)snprintf(limit, sizeof(limit), "%lld", (long long)opt->limit);
		kube_query(&target, "limit", str_from(limit));
	}
	if (opt->next.n > 0)
		kube_query(&target, "continue", opt->next);
	if (text_ok(&target, "path", err)) {
		struct kube_call call = { .method = "GET",
			.target = text_str(&target),
			.timeout_ms = KUBE_LIST_TIMEOUT_MS };

		ok = kube_send(c, a, &call, &answer, err);
	}
	text_free(&target);
	if (!ok)
		return false;
	ret_page->items = node_find(answer, "items");
	if (ret_page->items == NULL || ret_page->items->type == NODE_NULL)
		ret_page->items = node_list(a);
	if (ret_page->items == NULL || ret_page->items->type != NODE_LIST)
		return error_set(
		    err, ERR_INVALID, "the API server's list of %s has no items", res->plural);
	ret_page->version = node_version(answer);
	ret_page->next = node_path_str(answer, "metadata.continue");
	items_name(a, res, ret_page->items);
	return true;
}

/* Where the pages of one run go. */
struct sink {
	struct arena *(*arena)(void *context); /* of the next page */
	bool (*take)(void *context, struct kube_page *page, struct error *err);
	void (*reset)(void *context);
	void *context;
};

static bool
pages_read(struct kube_client *c, const struct resource *res, struct list_options *opt,
    const struct sink *sink, struct error *err)
{
	char *token = NULL;
	bool ok = false;

	for (int n = 0; n < KUBE_MAX_PAGES; n++) {
		struct arena *a = sink->arena(sink->context);
		struct kube_page page = { 0 };

		opt->next = str_from(token);
		if (a == NULL) {
			(void)error_set(
			    err, ERR_NO_MEMORY, "no memory for a list of %s", res->plural);
			goto out;
		}
		if (!kube_list_page(c, a, res, opt, &page, err))
			goto out;
		if (page.next.n > 0 && str_eq(page.next, opt->next)) {
			(void)error_set(err, ERR_INVALID,
			    "the API server repeats a page of %s for ever", res->plural);
			goto out;
		}
		mem_free(token);
		token = page.next.n > 0 ? str_dup(page.next) : NULL;
		if (page.next.n > 0 && token == NULL) {
			(void)error_set(
			    err, ERR_NO_MEMORY, "no memory for a list of %s", res->plural);
			goto out;
		}
		if (!sink->take(sink->context, &page, err))
			goto out;
		if (token == NULL) {
			ok = true;
			goto out;
		}
	}
	(void)error_set(err, ERR_TOO_LARGE, "the list of %s has more than %d pages", res->plural,
	    KUBE_MAX_PAGES);
out:
	opt->next = (struct str){ 0 };
	mem_free(token);
	return ok;
}

/* A cut answer is read again in smaller pages, an expired token from the start, all at once. */
static bool
list_run(struct kube_client *c, const struct resource *res, const struct list_options *opt,
    const struct sink *sink, struct error *err)
{
	struct list_options all = opt != NULL ? *opt : (struct list_options){ 0 };
	struct error local;
	bool expired = false;

	all.limit = KUBE_PAGE;
	for (;;) {
		error_clear(&local);
		if (pages_read(c, res, &all, sink, &local))
			return true;
		bool cut = local.code == ERR_NETWORK && all.limit > MIN_PAGE;

		sink->reset(sink->context);
		if (!cut && (local.code != ERR_GONE || expired)) {
			if (err != NULL)
				*err = local;
			return false;
		}
		expired = expired || !cut;
		all.limit = cut ? all.limit / SHRINK : 0;
	}
}

/* All pages as one list node. */
struct tree_sink {
	struct arena *arena;
	struct node *items;
	int64_t version;
	bool begun;
};

static struct arena *
tree_arena(void *context)
{
	struct tree_sink *t = context;

	return t->arena;
}

static bool
tree_take(void *context, struct kube_page *page, struct error *err)
{
	struct tree_sink *t = context;

	if (!t->begun)
		t->version = page->version;
	t->begun = true;
	for (struct node *x = node_first(page->items); x != NULL;) {
		struct node *next = x->next;

		x->next = NULL;
		node_push(t->items, x);
		x = next;
	}
	return !arena_failed(t->arena) || error_set(err, ERR_NO_MEMORY, "no memory for a list");
}

static void
tree_reset(void *context)
{
	struct tree_sink *t = context;

	t->items = node_list(t->arena);
	t->begun = false;
}

/* NOLINTBEGIN(readability-function-size): the signature is the interface's */
bool
kube_list(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct list_options *opt, struct node **ret_items, int64_t *ret_version,
    struct error *err)
{
	struct tree_sink tree = { .arena = a, .items = node_list(a) };
	struct sink sink = { tree_arena, tree_take, tree_reset, &tree };

	if (!list_run(c, res, opt, &sink, err))
		return false;
	*ret_items = tree.items;
	if (ret_version != NULL)
		*ret_version = tree.version;
	return true;
}
/* NOLINTEND(readability-function-size) */

/* All pages as objects. */
struct object_sink {
	const struct resource *res;
	struct arena *arena; /* of the page at hand */
	struct object_list list;
	size_t cap;
	bool begun;
};

static struct arena *
object_arena(void *context)
{
	struct object_sink *o = context;

	if (o->arena == NULL)
		o->arena = arena_new(PAGE_ARENA);
	else
		arena_clear(o->arena);
	return o->arena;
}

static bool
object_push(struct object_sink *o, const struct node *value, struct error *err)
{
	void *grown = o->list.items;
	const struct object *made = object_from_node(o->res, value, err);

	if (made == NULL)
		return false;
	if (!mem_grow(&grown, &o->cap, o->list.n + 1, sizeof(struct object *))) {
		object_unref(made);
		return error_set(err, ERR_NO_MEMORY, "no memory for a list");
	}
	o->list.items = grown;
	o->list.items[o->list.n++] = made;
	return true;
}

static bool
object_take(void *context, struct kube_page *page, struct error *err)
{
	struct object_sink *o = context;

	if (!o->begun)
		o->list.version = page->version;
	o->begun = true;
	for (const struct node *x = node_first(page->items); x != NULL; x = x->next) {
		if (!object_push(o, x, err))
			return false;
	}
	return true;
}

static void
object_reset(void *context)
{
	struct object_sink *o = context;

	object_list_fini(&o->list);
	o->cap = 0;
	o->begun = false;
}

bool
kube_list_objects(struct kube_client *c, const struct resource *res, const struct list_options *opt,
    struct object_list *ret_list, struct error *err)
{
	struct object_sink objects = { .res = res };
	struct sink sink = { object_arena, object_take, object_reset, &objects };
	bool ok = list_run(c, res, opt, &sink, err);

	arena_free(objects.arena);
	if (ok)
		*ret_list = objects.list;
	return ok;
}

bool
kube_list_page_objects(struct kube_client *c, const struct resource *res,
    const struct list_options *opt, struct object_list *ret_list, struct error *err)
{
	struct object_sink objects = { .res = res, .arena = arena_new(PAGE_ARENA) };
	struct kube_page page = { 0 };
	bool ok = false;

	if (objects.arena == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a list");
	if (!kube_list_page(c, objects.arena, res, opt, &page, err) ||
	    !object_take(&objects, &page, err))
		goto out;
	if (page.next.n > 0) {
		objects.list.next = str_dup(page.next);
		if (objects.list.next == NULL) {
			(void)error_set(err, ERR_NO_MEMORY, "no memory for a list");
			goto out;
		}
	}
	*ret_list = objects.list;
	objects.list = (struct object_list){ 0 };
	ok = true;
out:
	object_list_fini(&objects.list);
	arena_free(objects.arena);
	return ok;
}
