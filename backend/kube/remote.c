#include "backend/kube/client_int.h"

#include <pthread.h>
#include <string.h>

#include "backend/store/object.h"
#include "model/base/mem.h"

/*
 * A store over a Kubernetes API. Each running call borrows a client with its own connection from a
 * small pool, so that threads do not wait for each other's network; the lock guards the pool alone.
 */

enum { POOL_MAX = 16, CALL_ARENA = 512 * 1024 * 1024 };

struct remote {
	struct store base;
	struct kube_client *model; /* what new clients are copies of; never used for calls */
	pthread_mutex_t lock;	   /* guards the two below */
	struct kube_client *idle[POOL_MAX];
	size_t nidle;
};

static bool
client_take(struct remote *r, struct kube_client **ret_client, struct error *err)
{
	struct kube_client *c = NULL;

	(void)pthread_mutex_lock(&r->lock);
	if (r->nidle > 0)
		c = r->idle[--r->nidle];
	(void)pthread_mutex_unlock(&r->lock);
	if (c == NULL)
		return kube_client_clone(r->model, ret_client, err);
	*ret_client = c;
	return true;
}

static void
client_give(struct remote *r, struct kube_client *c)
{
	if (c == NULL)
		return;
	(void)pthread_mutex_lock(&r->lock);
	if (r->nidle < POOL_MAX) {
		r->idle[r->nidle++] = c;
		c = NULL;
	}
	(void)pthread_mutex_unlock(&r->lock);
	kube_client_free(c);
}

/* What every call needs: a client and an arena for its answer. */
struct call {
	struct remote *remote;
	struct kube_client *client;
	struct arena *arena;
};

static bool
call_begin(struct call *c, struct store *st, struct error *err)
{
	c->remote = (struct remote *)st;
	c->arena = arena_new(CALL_ARENA);
	if (c->arena == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a request");
	return client_take(c->remote, &c->client, err);
}

static void
call_end(struct call *c)
{
	client_give(c->remote, c->client);
	arena_free(c->arena);
}

static bool
hand_out(const struct resource *res, const struct node *value, const struct object **ret_object,
    struct error *err)
{
	if (ret_object == NULL)
		return true;
	const struct object *o = object_from_node(res, value, err);

	if (o == NULL)
		return false;
	*ret_object = o;
	return true;
}

static struct kube_actor
actor_of(const struct actor *actor)
{
	if (actor == NULL)
		return (struct kube_actor){ 0 };
	return (struct kube_actor){ actor->manager, actor->from, actor->dry_run };
}

static bool
remote_get(struct store *st, const struct resource *res, struct str ns, struct str name,
    const struct object **ret_object, struct error *err)
{
	struct call c = { 0 };
	struct node *value = NULL;
	bool ok = call_begin(&c, st, err) &&
		  kube_get(c.client, c.arena, res, ns, name, &value, err) &&
		  hand_out(res, value, ret_object, err);

	call_end(&c);
	return ok;
}

static bool
remote_list(struct store *st, const struct resource *res, const struct list_options *opt,
    struct object_list *ret_list, struct error *err)
{
	struct remote *r = (struct remote *)st;
	struct kube_client *c = NULL;
	struct list_options none = { 0 };
	bool ok = client_take(r, &c, err);

	if (opt == NULL)
		opt = &none;
	if (ok && (opt->limit > 0 || opt->next.n > 0))
		ok = kube_list_page_objects(c, res, opt, ret_list, err);
	else if (ok)
		ok = kube_list_objects(c, res, opt, ret_list, err);
	client_give(r, c);
	return ok;
}

static bool
remote_create(struct store *st, const struct resource *res, const struct node *value,
    const struct actor *actor, const struct object **ret_object, struct error *err)
{
	struct call c = { 0 };
	struct kube_write w = { .object = value, .as = actor_of(actor) };
	struct node *answer = NULL;
	bool ok = call_begin(&c, st, err) &&
		  kube_create_as(c.client, c.arena, res, &w, &answer, err) &&
		  hand_out(res, answer, ret_object, err);

	call_end(&c);
	return ok;
}

/* NOLINTBEGIN(readability-function-size): the signature is the interface's */
static bool
remote_update(struct store *st, const struct resource *res, const struct node *value,
    enum update_part part, const struct actor *actor, const struct object **ret_object,
    struct error *err)
{
	struct call c = { 0 };
	struct kube_write w = { .object = value, .part = part, .as = actor_of(actor) };
	struct node *answer = NULL;
	bool ok = call_begin(&c, st, err) &&
		  kube_update_as(c.client, c.arena, res, &w, &answer, err) &&
		  hand_out(res, answer, ret_object, err);

	call_end(&c);
	return ok;
}
/* NOLINTEND(readability-function-size) */

/* NOLINTBEGIN(readability-function-size): the signature is the interface's */
static bool
remote_apply(struct store *st, const struct resource *res, const struct node *value, bool force,
    const struct actor *actor, const struct object **ret_object, struct error *err)
{
	struct call c = { 0 };
	struct kube_write w = { .object = value, .force = force, .as = actor_of(actor) };
	struct node *answer = NULL;
	bool ok = call_begin(&c, st, err) &&
		  kube_apply_as(c.client, c.arena, res, &w, &answer, err) &&
		  hand_out(res, answer, ret_object, err);

	call_end(&c);
	return ok;
}
/* NOLINTEND(readability-function-size) */

/* NOLINTBEGIN(readability-function-size): the signature is the interface's */
static bool
remote_remove(struct store *st, const struct resource *res, struct str ns, struct str name,
    const struct delete_options *opt, const struct actor *actor, struct error *err)
{
	struct call c = { 0 };
	struct kube_actor as = actor_of(actor);
	struct delete_options options = opt != NULL ? *opt : (struct delete_options){ 0 };
	struct str key[2] = { ns, name };

	options.dry_run = options.dry_run || as.dry_run;
	bool ok = call_begin(&c, st, err) && kube_delete_as(c.client, res, key, &options, &as, err);

	call_end(&c);
	return ok;
}
/* NOLINTEND(readability-function-size) */

static bool
remote_watch(struct store *st, const struct resource *res, const struct list_options *opt,
    int64_t from, struct watch **ret_watch, struct error *err)
{
	struct remote *r = (struct remote *)st;
	struct kube_client *c = NULL;
	bool ok = kube_client_clone(r->model, &c, err) &&
		  kube_watch_new(&c, res, opt, from, ret_watch, err);

	kube_client_free(c);
	return ok;
}

static void
remote_close(struct store *st)
{
	struct remote *r = (struct remote *)st;

	for (size_t i = 0; i < r->nidle; i++)
		kube_client_free(r->idle[i]);
	kube_client_free(r->model);
	(void)pthread_mutex_destroy(&r->lock);
	mem_free(r);
}

static const struct store_ops remote_ops = {
	.get = remote_get,
	.list = remote_list,
	.create = remote_create,
	.update = remote_update,
	.remove = remote_remove,
	.apply = remote_apply,
	.watch = remote_watch,
	.close = remote_close,
};

bool
remote_store_new(struct kube_client **take, struct store **ret_store, struct error *err)
{
	struct remote *r = mem_new(sizeof(*r));

	if (r == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a store");
	r->base.ops = &remote_ops;
	r->model = *take;
	(void)pthread_mutex_init(&r->lock, NULL);
	*take = NULL;
	*ret_store = &r->base;
	return true;
}
