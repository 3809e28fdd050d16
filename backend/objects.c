/*
 * Reading for the console and the command line: what is shown has the values of SECRET fields
 * masked, whoever asks; only kubeconfig.c hands out a secret, to the one who asked for it.
 */

#include "backend/backend_int.h"

#include <string.h>
#include <time.h>

#include "backend/controllers/controller.h"
#include "model/base/mem.h"

enum { MASK_DEPTH_MAX = 16, WATCH_STEP_MS = 500 };

#define MASKED	     "***"
#define LAST_APPLIED "kubectl.kubernetes.io/last-applied-configuration"

static void
texts_mask(struct arena *a, struct node *n, int depth)
{
	for (struct node *x = node_first(n); x != NULL && depth < MASK_DEPTH_MAX; x = x->next)
		texts_mask(a, x, depth + 1);
	if (n->type == NODE_STRING)
		n->u.string = STR(MASKED);
}

static void
fields_mask(const struct schema *s, struct arena *a, struct node *value, int depth)
{
	if (s == NULL || value == NULL || depth >= MASK_DEPTH_MAX)
		return;
	for (size_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];
		struct node *n = node_find(value, f->name);

		if (n == NULL)
			continue;
		if ((f->flags & SECRET) != 0)
			texts_mask(a, n, 0);
		else if (f->type == FT_OBJECT)
			fields_mask(f->sub, a, n, depth + 1);
		else if (f->type == FT_LIST || f->type == FT_MAPOF)
			for (struct node *x = node_first(n); x != NULL; x = x->next)
				fields_mask(f->sub, a, x, depth + 1);
	}
}

void
object_mask(const struct kind *k, struct arena *a, struct node *object)
{
	struct node *annotations = node_path(object, "metadata.annotations");

	fields_mask(k->schema, a, object, 0);
	if (annotations != NULL)
		(void)node_remove(annotations, STR(LAST_APPLIED)); /* may not be there */
}

bool
kind_named(const char *word, const struct kind **ret_kind, struct error *err)
{
	const struct kind *k = kind_find_word(str_from(word));

	if (k == NULL)
		return error_set(err, ERR_USAGE, "no kind is called '%.60s'", word);
	*ret_kind = k;
	return true;
}

struct str
namespace_for(const struct kind *k, struct str ns)
{
	if ((k->flags & KIND_NAMESPACED) == 0)
		return STR("");
	if (ns.n > 0)
		return ns;
	/* What clusters are turned into lives in one namespace; other kinds are the user's. */
	if ((k->flags & KIND_INTERNAL) != 0 ||
	    strcmp(k->group, "infrastructure.modelplane.ai") == 0)
		return STR(SYSTEM_NAMESPACE);
	return STR("default");
}

bool
object_tree(struct backend *b, struct arena *a, struct object_key key, struct node **ret_object,
    struct error *err)
{
	const struct object *o = NULL;
	struct str ns = namespace_for(key.kind, key.ns);
	bool ok;

	if (!store_get(b->store, resource_of(key.kind), ns, key.name, &o, err))
		return false;
	ok = object_node(o, a, ret_object, err);
	object_unref(o);
	return ok;
}

/* NOLINTBEGIN(readability-function-size): the parameters are those of the contract in backend.h */
bool
backend_get(struct backend *b, struct arena *a, const struct kind *k, struct str ns,
    struct str name, struct node **ret_object, struct error *err)
{
	struct node *object;

	if (!object_tree(b, a, (struct object_key){ k, ns, name }, &object, err))
		return false;
	object_mask(k, a, object);
	*ret_object = object;
	return true;
}

bool
backend_list(struct backend *b, struct arena *a, const struct kind *k, struct str ns,
    struct str selector, struct backend_list *ret, struct error *err)
{
	struct list_options opt = { .ns = ns, .label_selector = selector };
	struct object_list list = { .n = 0 };
	struct node *out = node_list(a);
	bool ok = true;

	if ((k->flags & KIND_NAMESPACED) == 0)
		opt.ns = STR("");
	if (!store_list(b->store, resource_of(k), &opt, &list, err))
		return false;
	for (size_t i = 0; ok && i < list.n; i++) {
		struct node *object;

		ok = object_node(list.items[i], a, &object, err);
		if (ok) {
			object_mask(k, a, object);
			node_push(out, object);
		}
	}
	if (ok && arena_failed(a))
		ok = error_set(err, ERR_NO_MEMORY, "no memory for a list of %s", k->plural);
	if (ok)
		*ret = (struct backend_list){ out, list.version };
	object_list_fini(&list);
	return ok;
}

/* NOLINTEND(readability-function-size) */

/* ---- watch ---- */

struct follow {
	struct backend *b;
	const struct kind *kind;
	struct str ns, name;
	backend_change_fn *on_change;
	void *context;
	struct arena *arena; /* of one event */
};

static int64_t
real_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool
is_meant(const struct follow *f, const struct object *o)
{
	return (f->ns.n == 0 || str_eq(f->ns, o->ns)) &&
	       (f->name.n == 0 || str_eq(f->name, o->name));
}

/* False when the caller has seen enough. */
static bool
event_tell(struct follow *f, const struct watch_event *event)
{
	struct node *object;
	bool more = true;

	if (event->object != NULL && is_meant(f, event->object) &&
	    object_node(event->object, f->arena, &object, NULL)) {
		object_mask(f->kind, f->arena, object);
		more = f->on_change(f->context, event->type == WATCH_DELETED, object);
	}
	arena_clear(f->arena);
	return more;
}

/* One watch until it is gone (true), the caller stops (false, err NONE) or the time is over. */
static bool
watch_once(struct follow *f, int64_t end_ms, struct error *err)
{
	struct list_options opt = { .ns = f->ns };
	struct watch *w = NULL;
	bool again = false;

	if (!store_watch(f->b->store, resource_of(f->kind), &opt, 0, &w, err))
		return false;
	for (;;) {
		struct watch_event event = { .object = NULL };
		struct error failed;
		bool more;

		error_clear(&failed);
		if (end_ms != 0 && real_ms() >= end_ms) {
			(void)error_set(err, ERR_TIMEOUT, "the time is over"); /* again is false */
			break;
		}
		if (!watch_next(w, WATCH_STEP_MS, &event, &failed)) {
			if (failed.code == ERR_TIMEOUT)
				continue;
			again = true; /* the owner went away: the caller tries another way in */
			if (err != NULL)
				*err = failed;
			break;
		}
		again = event.type == WATCH_GONE;
		more = event_tell(f, &event);
		object_unref(event.object);
		if (again || !more)
			break;
	}
	watch_free(w);
	return again;
}

/* NOLINTBEGIN(readability-function-size): as above */
bool
backend_watch(struct backend *b, const struct kind *k, struct str ns, struct str name,
    int timeout_ms, backend_change_fn *on_change, void *context, struct error *err)
{
	struct follow f = { b, k, ns, name, on_change, context, arena_new(REQUEST_ARENA_MAX) };
	int64_t end = timeout_ms > 0 ? real_ms() + timeout_ms : 0;
	struct error failed;
	bool again = true;

	if (f.arena == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory to watch");
	if (name.n > 0)
		f.ns = namespace_for(k, ns);
	error_clear(&failed);
	while (again) {
		error_clear(&failed);
		again = watch_once(&f, end, &failed) && failed.code == ERR_NONE;
	}
	arena_free(f.arena);
	if (failed.code == ERR_NONE)
		return true;
	if (err != NULL)
		*err = failed;
	return false;
}
/* NOLINTEND(readability-function-size) */
