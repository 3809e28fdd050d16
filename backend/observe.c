#include "backend/observe.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/controllers/controller.h"
#include "backend/controllers/object.h"
#include "backend/kube/client.h"
#include "backend/kube/kubeconfig.h"
#include "backend/kube/provider.h"
#include "backend/runtime/log.h"
#include "backend/store/secrets.h"
#include "model/base/mem.h"
#include "model/value.h"

enum {
	LOOK_EVERY_MS = 10 * 1000, /* of the profile's clock */
	LOOK_MIN_REAL_MS = 1000,   /* however fast that clock runs */
	LOOK_ARENA_MAX = 128 * 1024 * 1024,
	ROUND_ARENA_MAX = 512 * 1024 * 1024,
	PARAMETERS_MAX = 512,
};

/* One cluster. `seen` borrows from `arena`, but for its name. */
struct look {
	char *cluster;
	struct kubeconfig *config;
	struct kube_client *client;
	struct arena *arena;
	struct fleet_seen seen;
	bool wanted; /* in this round */
};

struct observer {
	struct backend *b; /* borrowed */
	observer_changed_fn *changed;
	void *context;
	struct thread *thread;
	atomic_bool stopping;
	atomic_bool looked;  /* one round is over */
	pthread_mutex_t mu;  /* guards table and the seen of looks */
	pthread_cond_t stop; /* stopping, on the monotonic clock */
	struct look **looks; /* changed by the thread alone, under mu */
	size_t n, cap;
	struct kube_client *busy; /* guarded too: a client in use, for observer_stop to cancel */
	struct fleet_seen *table; /* what observer_lock hands out */
	size_t table_cap;
};

static void
client_drop(struct look *l)
{
	kube_client_free(l->client);
	kubeconfig_free(l->config);
	l->client = NULL;
	l->config = NULL;
}

static void
look_free(struct look *l)
{
	if (l == NULL)
		return;
	client_drop(l);
	arena_free(l->arena);
	mem_free(l->cluster);
	mem_free(l);
}

/* ---- one look ---- */

static bool
client_make(struct observer *o, struct look *l, const struct object *stack, struct error *err)
{
	struct kube_options opt = { .allow_loopback = o->b->profile->practice,
		.manager = "flightdeck" };
	struct secret *secret = NULL;
	bool ok = false;

	if (!kube_owner_kubeconfig(o->b->store, stack, &secret, err))
		return false;
	if (!kubeconfig_parse(secret_get(secret), STR(""), false, &l->config, err))
		goto out;
	opt.config = l->config;
	ok = kube_client_new(&opt, &l->client, err);
out:
	secret_free(secret);
	if (!ok)
		client_drop(l);
	return ok;
}

static bool
list(struct look *l, struct arena *a, const char *kind, struct node **ret, struct error *err)
{
	struct list_options opt = { .limit = 0 };
	const struct resource *res = kube_resource(kind);

	*ret = NULL;
	if (res == NULL)
		return error_set(err, ERR_INTERNAL, "no kind %s", kind);
	return kube_list(l->client, a, res, &opt, ret, NULL, err);
}

static struct str
parameters_join(struct arena *a, const struct node *map)
{
	struct text t = TEXT_INIT(PARAMETERS_MAX);
	struct str s;

	for (const struct node *p = node_first(map); p != NULL; p = p->next)
		text_printf(&t, "%s" STR_FMT "=" STR_FMT, t.n > 0 ? " " : "", STR_ARG(p->key),
		    STR_ARG(node_get_str(p)));
	s = str_copy(a, text_str(&t));
	text_free(&t);
	return s;
}

static struct str
volume_class(const struct node *claim)
{
	return node_path_str(claim, "spec.storageClassName");
}

/* Volumes and bytes of a class, from its claims; bytes stay unknown when one is. */
static void
volumes_count(const struct node *claims, struct fleet_storage *s)
{
	if (claims == NULL)
		return;
	s->volumes = s->bytes = 0;
	for (const struct node *c = node_first(claims); c != NULL; c = c->next) {
		struct quantity q;
		int64_t bytes;

		if (!str_eq(volume_class(c), s->name))
			continue;
		s->volumes++;
		if (s->bytes >= 0 &&
		    quantity_parse(node_path_str(c, "spec.resources.requests.storage"), &q, NULL) &&
		    quantity_to_int(&q, &bytes))
			s->bytes += bytes;
		else
			s->bytes = -1;
	}
}

static void
storage_read(
    struct arena *a, const struct node *classes, const struct node *claims, struct fleet_seen *seen)
{
	struct fleet_storage *out = arena_array(a, node_count(classes) + 1, sizeof(*out));
	size_t n = 0;

	for (const struct node *c = node_first(classes); out != NULL && c != NULL; c = c->next) {
		struct fleet_storage *s = &out[n++];

		*s = (struct fleet_storage){ .volumes = -1, .bytes = -1 };
		s->name = node_path_str(c, "metadata.name");
		s->provisioner = node_get_str(node_find(c, "provisioner"));
		s->mode = str_starts(s->name, STR("modelplane-rwx")) ? STR("RWX") : STR("");
		s->parameters = parameters_join(a, node_find(c, "parameters"));
		volumes_count(claims, s);
	}
	seen->storage = out;
	seen->nstorage = n;
}

static bool
look_take(
    struct observer *o, struct look *l, struct arena *a, struct fleet_seen *seen, struct error *err)
{
	struct node *nodes, *slices, *claims, *classes, *volumes;
	struct capacity_node *counted;

	if (!list(l, a, "Node", &nodes, err))
		return false;
	/* Parts that a cluster does not have (an older API) leave their figures unknown. */
	if (!list(l, a, "ResourceSlice", &slices, NULL))
		slices = NULL;
	if (!list(l, a, "ResourceClaim", &claims, NULL))
		claims = NULL;
	if (!list(l, a, "StorageClass", &classes, NULL))
		classes = NULL;
	if (!list(l, a, "PersistentVolumeClaim", &volumes, NULL))
		volumes = NULL;
	if (!capacity_read(a,
		&(struct capacity_lists){ .nodes = nodes, .slices = slices, .claims = claims },
		&counted, &seen->nnodes, err))
		return false;
	seen->nodes = counted;
	storage_read(a, classes, volumes, seen);
	seen->observed_ms = clock_wall_ms(o->b->clock);
	return true;
}

static void
busy_set(struct observer *o, struct kube_client *client)
{
	(void)pthread_mutex_lock(&o->mu);
	o->busy = client;
	if (client != NULL && o->stopping)
		kube_client_cancel(client);
	(void)pthread_mutex_unlock(&o->mu);
}

/* Looks at one cluster and puts the figures in place; the old ones stay when it fails. */
static void
look_run(struct observer *o, struct look *l, const struct object *stack)
{
	struct arena *a = arena_new(LOOK_ARENA_MAX);
	struct fleet_seen seen = { .cluster = str_from(l->cluster) };
	struct arena *old = a;
	struct error err;
	bool ok;

	error_clear(&err);
	if (a == NULL)
		return;
	ok = l->client != NULL || client_make(o, l, stack, &err);
	if (ok) {
		busy_set(o, l->client);
		ok = look_take(o, l, a, &seen, &err) && !arena_failed(a);
		busy_set(o, NULL);
	}
	(void)pthread_mutex_lock(&o->mu);
	if (ok) {
		old = l->arena;
		l->arena = a;
		l->seen = seen;
	} else if (l->arena != NULL && !str_is(l->seen.problem, err.message)) {
		l->seen.problem = str_copy(l->arena, str_from(err.message));
	}
	(void)pthread_mutex_unlock(&o->mu);
	if (!ok)
		client_drop(l); /* a new certificate, another address: read it again */
	arena_free(old);
	o->changed(o->context);
}

/* ---- rounds ---- */

static struct look *
look_of(struct observer *o, struct str cluster)
{
	struct look *l;
	bool ok;

	for (size_t i = 0; i < o->n; i++)
		if (str_is(cluster, o->looks[i]->cluster))
			return o->looks[i];
	l = mem_new(sizeof(*l));
	if (l == NULL)
		return NULL;
	l->cluster = str_dup(cluster);
	if (l->cluster == NULL) {
		look_free(l);
		return NULL;
	}
	l->seen.cluster = str_from(l->cluster);
	(void)pthread_mutex_lock(&o->mu); /* growing moves what observer_lock walks */
	ok = mem_grow((void **)&o->looks, &o->cap, o->n + 1, sizeof(struct look *));
	if (ok)
		o->looks[o->n++] = l;
	(void)pthread_mutex_unlock(&o->mu);
	if (ok)
		return l;
	look_free(l);
	return NULL;
}

/* Clusters whose stack is gone are forgotten. */
static void
forget_others(struct observer *o)
{
	for (size_t i = 0; i < o->n;) {
		struct look *l = o->looks[i];

		if (l->wanted) {
			l->wanted = false;
			i++;
			continue;
		}
		(void)pthread_mutex_lock(&o->mu);
		o->looks[i] = o->looks[--o->n];
		(void)pthread_mutex_unlock(&o->mu);
		look_free(l);
	}
}

static void
round_run(struct observer *o, struct arena *a)
{
	struct object_list stacks = { .n = 0 };
	struct list_options opt = { .ns = STR(SYSTEM_NAMESPACE) };

	if (!store_list(o->b->store, resource_of(&serving_stack_kind), &opt, &stacks, NULL))
		return;
	for (size_t i = 0; i < stacks.n && !o->stopping; i++) {
		struct node *tree;
		const struct node *owner;
		struct look *l;

		if (stacks.items[i]->deleted_ms != 0 ||
		    !object_node(stacks.items[i], a, &tree, NULL))
			continue;
		owner = owner_of(tree);
		if (owner == NULL)
			continue;
		l = look_of(o, node_get_str(node_find(owner, "name")));
		if (l == NULL)
			continue;
		l->wanted = true;
		look_run(o, l, stacks.items[i]);
	}
	object_list_fini(&stacks);
	if (!o->stopping)
		forget_others(o);
}

static void
pause_until_due(struct observer *o)
{
	int64_t ms = clock_real_ms(o->b->clock, LOOK_EVERY_MS);
	struct timespec until;
	int rc = 0;

	if (ms < LOOK_MIN_REAL_MS)
		ms = LOOK_MIN_REAL_MS;
	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += (time_t)(ms / 1000);
	until.tv_nsec += (long)(ms % 1000) * 1000000L;
	if (until.tv_nsec >= 1000000000L) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000L;
	}
	(void)pthread_mutex_lock(&o->mu);
	while (rc == 0 && !o->stopping)
		rc = pthread_cond_timedwait(&o->stop, &o->mu, &until);
	(void)pthread_mutex_unlock(&o->mu);
}

static void
observer_run(void *context)
{
	struct observer *o = context;
	struct arena *a = arena_new(ROUND_ARENA_MAX);

	while (a != NULL && !o->stopping) {
		round_run(o, a);
		arena_clear(a);
		o->looked = true;
		o->changed(o->context);
		pause_until_due(o);
	}
	arena_free(a);
}

bool
observer_start(struct backend *b, observer_changed_fn *changed, void *context,
    struct observer **ret, struct error *err)
{
	struct observer *o = mem_new(sizeof(*o));
	pthread_condattr_t attr;

	if (o == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory to observe clusters");
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&o->stop, &attr);
	(void)pthread_condattr_destroy(&attr);
	o->b = b;
	o->changed = changed;
	o->context = context;
	(void)pthread_mutex_init(&o->mu, NULL);
	if (!thread_start("observer", observer_run, o, &o->thread, err)) {
		observer_stop(o);
		return false;
	}
	*ret = o;
	return true;
}

void
observer_stop(struct observer *o)
{
	if (o == NULL)
		return;
	o->stopping = true;
	(void)pthread_mutex_lock(&o->mu);
	(void)pthread_cond_signal(&o->stop);
	if (o->busy != NULL)
		kube_client_cancel(o->busy);
	(void)pthread_mutex_unlock(&o->mu);
	thread_join(o->thread);
	for (size_t i = 0; i < o->n; i++)
		look_free(o->looks[i]);
	mem_free(o->looks);
	mem_free(o->table);
	(void)pthread_cond_destroy(&o->stop);
	(void)pthread_mutex_destroy(&o->mu);
	mem_free(o);
}

bool
observer_has_looked(const struct observer *o)
{
	return o->looked;
}

size_t
observer_lock(struct observer *o, const struct fleet_seen **ret_items)
{
	size_t n = 0;

	(void)pthread_mutex_lock(&o->mu);
	if (mem_grow((void **)&o->table, &o->table_cap, o->n + 1, sizeof(*o->table)))
		for (; n < o->n; n++)
			o->table[n] = o->looks[n]->seen;
	*ret_items = o->table;
	return n;
}

void
observer_unlock(struct observer *o)
{
	(void)pthread_mutex_unlock(&o->mu);
}
