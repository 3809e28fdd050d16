/*
 * The snapshot thread: keeps every object that screens show decoded, follows the store's watch, and
 * builds the next fleet when something has changed, at most twenty times a second and never more
 * than a third of the time.
 *
 *   list all kinds ──► entries ──► first fleet ──► watch from there ──► change an entry ──► fleet
 *         ▲                                             │ gone
 *         └─────────────────────────────────────────────┘
 *
 * An entry holds one object, decoded in an arena of its own or packed (pack.h). The thread owns the
 * entries alone; what it hands over is the finished fleet, by reference count.
 */

#include "backend/backend_int.h"
#include "backend/observe.h"
#include "backend/pack.h"

#include <string.h>
#include <time.h>

#include "backend/controllers/object.h"
#include "backend/runtime/log.h"
#include "model/base/mem.h"
#include "model/fleet_build.h"
#include "model/kinds/aks_cluster.h"
#include "model/stamp.h"

enum {
	BUILD_EVERY_MS = 50,
	BUILD_SHARE = 3, /* of the time, at most one in so many */
	IDLE_MS = 1000,
	RETRY_MS = 300,
	PEEK_MS = 3000, /* between two readings of a store that tells no changes */
	ENTRY_ARENA_MAX = 16 * 1024 * 1024,
	STALE_AFTER_MS = 60 * 1000, /* of the profile's clock */
	BUCKETS_FIRST = 4096,
	FIRST_LOOK_MS = 1500, /* how long a verb's only snapshot waits for figures of clusters */
};

enum group {
	GROUP_CLUSTER,
	GROUP_CLASS,
	GROUP_PROVIDER,
	GROUP_STACK,
	GROUP_EXTERNAL,
	GROUP_EVENT,
	GROUP_REPLICA,
	GROUP__MAX
};

/* Which kinds are followed, and as what. */
static const struct {
	const char *api, *kind;
	enum group group;
} followed[] = {
	{ "modelplane.ai/v1alpha1", "InferenceCluster", GROUP_CLUSTER },
	{ "modelplane.ai/v1alpha1", "InferenceClass", GROUP_CLASS },
	{ "infrastructure.modelplane.ai/v1alpha1", "AKSCluster", GROUP_PROVIDER },
	{ "infrastructure.modelplane.ai/v1alpha1", "GKECluster", GROUP_PROVIDER },
	{ "infrastructure.modelplane.ai/v1alpha1", "EKSCluster", GROUP_PROVIDER },
	{ "infrastructure.modelplane.ai/v1alpha1", "NebiusCluster", GROUP_PROVIDER },
	{ "infrastructure.modelplane.ai/v1alpha1", "VultrCluster", GROUP_PROVIDER },
	{ "infrastructure.modelplane.ai/v1alpha1", "ServingStack", GROUP_STACK },
	{ "flightdeck.dev/v1alpha1", "External", GROUP_EXTERNAL },
	{ "v1", "Event", GROUP_EVENT },
	{ "modelplane.ai/v1alpha1", "ModelReplica", GROUP_REPLICA },
};

union value {
	struct inference_cluster cluster;
	struct inference_class class;
	struct fleet_provider provider;
	struct serving_stack stack;
	struct external external;
	struct event_object event;
	struct fleet_blocker blocker;
};

struct entry {
	struct entry *next; /* in the bucket */
	const struct kind *kind;
	enum group group;
	int64_t version;
	struct arena *arena; /* of the value; NULL when it is packed, and owned by itself */
	union value *value;  /* only the member of the group is there */
	struct str ns, name;
	struct list conditions; /* of a provider */
	char bytes[];		/* ns and name */
};

struct snapshots {
	struct backend *b; /* borrowed */
	struct thread *thread;
	struct observer *observer;
	atomic_bool stopping;
	atomic_bool nudged; /* the observer has something new */
	pthread_mutex_t mu; /* guards newest and watch */
	const struct fleet *newest;
	struct watch *watch; /* the thread's, to be woken */
	/* What follows is the thread's own. */
	struct entry **buckets;
	size_t nbuckets, nentries;
	size_t count[GROUP__MAX];
	uint64_t revision;
	int64_t next_build; /* real, monotonic */
	bool dirty, connected;
	int64_t lost_ms; /* wall time since which it is not connected; 0 while it is */
};

static int64_t
real_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- entries ---- */

static uint64_t
hash_of(const struct kind *k, struct str ns, struct str name)
{
	uint64_t h = UINT64_C(14695981039346656037) ^ (uint64_t)(uintptr_t)k;

	for (size_t i = 0; i < ns.n; i++)
		h = (h ^ (unsigned char)ns.p[i]) * UINT64_C(1099511628211);
	h = (h ^ '/') * UINT64_C(1099511628211);
	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (unsigned char)name.p[i]) * UINT64_C(1099511628211);
	return h;
}

static struct entry **
slot_of(struct snapshots *s, const struct kind *k, struct str ns, struct str name)
{
	struct entry **at = &s->buckets[hash_of(k, ns, name) & (s->nbuckets - 1)];

	while (*at != NULL &&
	       ((*at)->kind != k || !str_eq((*at)->name, name) || !str_eq((*at)->ns, ns)))
		at = &(*at)->next;
	return at;
}

static void
buckets_grow(struct snapshots *s)
{
	size_t n = s->nbuckets * 2;
	struct entry **wide = mem_array(n, sizeof(struct entry *));

	if (wide == NULL)
		return; /* chains grow longer, nothing else */
	for (size_t i = 0; i < s->nbuckets; i++) {
		struct entry *e = s->buckets[i];

		while (e != NULL) {
			struct entry *next = e->next;
			size_t at = hash_of(e->kind, e->ns, e->name) & (n - 1);

			e->next = wide[at];
			wide[at] = e;
			e = next;
		}
	}
	mem_free(s->buckets);
	s->buckets = wide;
	s->nbuckets = n;
}

static void
entry_free(struct entry *e)
{
	if (e->arena == NULL)
		mem_free(e->value);
	arena_free(e->arena);
	mem_free(e);
}

static void
entry_remove(struct snapshots *s, struct entry **slot)
{
	struct entry *e = *slot;

	*slot = e->next;
	s->count[e->group]--;
	s->nentries--;
	entry_free(e);
}

static void
entries_clear(struct snapshots *s)
{
	for (size_t i = 0; i < s->nbuckets; i++)
		while (s->buckets[i] != NULL)
			entry_remove(s, &s->buckets[i]);
}

/* ---- decoding ---- */

static bool
provider_decode(struct entry *e, const struct object *o, struct node *tree)
{
	struct fleet_provider *p = &e->value->provider;
	const struct node *owner = owner_of(tree);
	struct node *conditions = node_path(tree, "status.conditions");
	struct condition *items = arena_array(e->arena, node_count(conditions) + 1, sizeof(*items));
	size_t n = 0;

	if (items == NULL)
		return false;
	for (const struct node *c = node_first(conditions); c != NULL; c = c->next)
		n += schema_decode(&condition_schema, e->arena, c, &items[n], NULL) ? 1 : 0;
	e->conditions = (struct list){ .items = items, .n = n, .present = true };
	p->kind = str_from(o->res->kind);
	p->name = e->name;
	p->uid = str_copy(e->arena, o->uid);
	p->owner_uid = node_get_str(node_find(owner, "uid"));
	p->created_ms = stamp_or_zero(node_path_str(tree, "metadata.creationTimestamp"));
	p->deleted_ms = o->deleted_ms;
	p->conditions = &e->conditions;
	p->storage_class = node_path_str(tree, "status.cache.storageClassName");
	return true;
}

static bool
replica_decode(struct entry *e, struct node *tree)
{
	struct node *labels = node_path(tree, "metadata.labels");

	e->value->blocker.cluster = node_get_str(node_find(labels, "modelplane.ai/cluster"));
	e->value->blocker.text = str_from(arena_printf(
	    e->arena, "ModelReplica " STR_FMT "/" STR_FMT, STR_ARG(e->ns), STR_ARG(e->name)));
	e->value->blocker.replica = true;
	return true;
}

static bool
entry_decode(struct entry *e, const struct object *o)
{
	struct node *tree;

	switch (e->group) {
	case GROUP_CLUSTER:
		return object_decode(o, e->arena, &e->value->cluster, NULL);
	case GROUP_CLASS:
		return object_decode(o, e->arena, &e->value->class, NULL);
	case GROUP_STACK:
		return object_decode(o, e->arena, &e->value->stack, NULL);
	case GROUP_EXTERNAL:
		return object_decode(o, e->arena, &e->value->external, NULL);
	case GROUP_EVENT:
		return object_decode(o, e->arena, &e->value->event, NULL);
	case GROUP_PROVIDER:
		return object_node(o, e->arena, &tree, NULL) && provider_decode(e, o, tree);
	case GROUP_REPLICA:
		return object_node(o, e->arena, &tree, NULL) && replica_decode(e, tree);
	case GROUP__MAX:
		break;
	}
	return false;
}

/* Of what there is most of, only what is shown is kept, in one block. */
static bool
entry_pack(struct entry *e)
{
	void *packed;

	if (e->group == GROUP_EXTERNAL)
		packed = pack_external(&e->value->external);
	else if (e->group == GROUP_EVENT)
		packed = pack_event(&e->value->event);
	else
		return true;
	if (packed == NULL)
		return false;
	arena_free(e->arena);
	e->arena = NULL;
	e->value = packed;
	return true;
}

static int
followed_find(const struct kind *k)
{
	for (size_t i = 0; k != NULL && i < ARRAY_LEN(followed); i++)
		if (strcmp(followed[i].kind, k->kind) == 0 &&
		    kind_find(str_from(followed[i].api), str_from(followed[i].kind)) == k)
			return (int)i;
	return -1;
}

static struct entry *
entry_new(const struct object *o, enum group group)
{
	struct entry *e = mem_new(sizeof(*e) + o->ns.n + o->name.n);

	if (e == NULL)
		return NULL;
	e->group = group;
	e->kind = o->res->known;
	e->version = o->version;
	memcpy(e->bytes, o->ns.n > 0 ? o->ns.p : "", o->ns.n);
	memcpy(e->bytes + o->ns.n, o->name.p, o->name.n);
	e->ns = (struct str){ e->bytes, o->ns.n };
	e->name = (struct str){ e->bytes + o->ns.n, o->name.n };
	e->arena = arena_new(ENTRY_ARENA_MAX);
	if (e->arena != NULL)
		e->value = arena_get(e->arena, sizeof(*e->value));
	if (e->value != NULL && entry_decode(e, o) && !arena_failed(e->arena) && entry_pack(e))
		return e;
	if (e->arena == NULL)
		e->value = NULL; /* there was no memory for an arena: nothing is packed either */
	entry_free(e);
	return NULL;
}

static void
object_put(struct snapshots *s, const struct object *o, bool deleted)
{
	int at = followed_find(o->res->known);
	struct entry **slot, *e;

	if (at < 0)
		return;
	slot = slot_of(s, o->res->known, o->ns, o->name);
	if (*slot != NULL && (*slot)->version > o->version)
		return; /* the list was newer than what the watch repeats */
	if (*slot != NULL)
		entry_remove(s, slot);
	s->dirty = true;
	if (deleted)
		return;
	e = entry_new(o, followed[at].group);
	if (e == NULL) {
		log_event(LOG_WARN, "snapshot", "object-skipped", "kind=%s name=" STR_FMT,
		    o->res->kind, STR_ARG(o->name));
		return;
	}
	e->next = *slot;
	*slot = e;
	s->count[e->group]++;
	if (++s->nentries > s->nbuckets * 2)
		buckets_grow(s);
}

/* All kinds or none; *ret_version is where a watch misses nothing. */
static bool
lists_load(struct snapshots *s, struct object_list *lists, int64_t *ret_version, struct error *err)
{
	int64_t version = INT64_MAX;

	for (size_t i = 0; i < ARRAY_LEN(followed); i++) {
		const struct kind *k =
		    kind_find(str_from(followed[i].api), str_from(followed[i].kind));
		struct list_options opt = { .limit = 0 };

		if (k == NULL)
			continue;
		if (!store_list(s->b->store, resource_of(k), &opt, &lists[i], err))
			return false;
		if (lists[i].version < version)
			version = lists[i].version;
	}
	*ret_version = version;
	return true;
}

/* What is known stays until the new lists are there: an owner that went leaves the old picture. */
static bool
entries_load(struct snapshots *s, int64_t *ret_version, struct error *err)
{
	struct object_list lists[ARRAY_LEN(followed)] = { { .n = 0 } };
	bool ok = lists_load(s, lists, ret_version, err);

	if (ok)
		entries_clear(s);
	for (size_t i = 0; i < ARRAY_LEN(followed); i++) {
		for (size_t j = 0; ok && j < lists[i].n; j++)
			object_put(s, lists[i].items[j], false);
		object_list_fini(&lists[i]);
	}
	return ok;
}

/* ---- building ---- */

struct tables {
	const struct inference_cluster **clusters;
	const struct inference_class **classes;
	struct fleet_provider *providers;
	const struct serving_stack **stacks;
	const struct external **externals;
	const struct event_object **events;
	struct fleet_blocker *blockers;
	struct fleet_retry *retries;
	size_t n[GROUP__MAX], nretries;
};

static bool
tables_make(struct snapshots *s, struct tables *t)
{
	t->clusters = mem_array(s->count[GROUP_CLUSTER] + 1, sizeof(void *));
	t->classes = mem_array(s->count[GROUP_CLASS] + 1, sizeof(void *));
	t->providers = mem_array(s->count[GROUP_PROVIDER] + 1, sizeof(*t->providers));
	t->stacks = mem_array(s->count[GROUP_STACK] + 1, sizeof(void *));
	t->externals = mem_array(s->count[GROUP_EXTERNAL] + 1, sizeof(void *));
	t->events = mem_array(s->count[GROUP_EVENT] + 1, sizeof(void *));
	t->blockers = mem_array(s->count[GROUP_REPLICA] + 1, sizeof(*t->blockers));
	t->retries = mem_array(s->nentries + 1, sizeof(*t->retries));
	return t->clusters != NULL && t->classes != NULL && t->providers != NULL &&
	       t->stacks != NULL && t->externals != NULL && t->events != NULL &&
	       t->blockers != NULL && t->retries != NULL;
}

static void
tables_free(struct tables *t)
{
	mem_free(t->clusters);
	mem_free(t->classes);
	mem_free(t->providers);
	mem_free(t->stacks);
	mem_free(t->externals);
	mem_free(t->events);
	mem_free(t->blockers);
	mem_free(t->retries);
}

/* When a controller comes back to an object that is not at rest. */
static void
retry_add(struct snapshots *s, struct tables *t, const struct entry *e)
{
	int64_t due;
	unsigned failures;

	if (s->b->owner == NULL ||
	    !manager_next_try(
		owner_manager(s->b->owner), e->kind, e->ns, e->name, &due, &failures) ||
	    due <= 0)
		return;
	t->retries[t->nretries++] = (struct fleet_retry){
		.kind = str_from(e->kind->kind),
		.name = e->name,
		.next_ms = clock_wall_ms(s->b->clock) + due - clock_mono_ms(s->b->clock),
		.failures = failures,
	};
}

static void
tables_put(struct snapshots *s, struct tables *t, const struct entry *e)
{
	size_t at = t->n[e->group]++;

	switch (e->group) {
	case GROUP_CLUSTER:
		t->clusters[at] = &e->value->cluster;
		break;
	case GROUP_CLASS:
		t->classes[at] = &e->value->class;
		break;
	case GROUP_PROVIDER:
		t->providers[at] = e->value->provider;
		retry_add(s, t, e);
		break;
	case GROUP_STACK:
		t->stacks[at] = &e->value->stack;
		retry_add(s, t, e);
		break;
	case GROUP_EXTERNAL:
		t->externals[at] = &e->value->external;
		break;
	case GROUP_EVENT:
		t->events[at] = &e->value->event;
		break;
	case GROUP_REPLICA:
		t->blockers[at] = e->value->blocker;
		break;
	case GROUP__MAX:
		break;
	}
}

static bool
fleet_make(struct snapshots *s, struct tables *t, const struct fleet **ret, struct error *err)
{
	struct backend *b = s->b;
	struct fleet_source src = {
		.clusters = t->clusters,
		.nclusters = t->n[GROUP_CLUSTER],
		.classes = t->classes,
		.nclasses = t->n[GROUP_CLASS],
		.providers = t->providers,
		.nproviders = t->n[GROUP_PROVIDER],
		.stacks = t->stacks,
		.nstacks = t->n[GROUP_STACK],
		.externals = t->externals,
		.nexternals = t->n[GROUP_EXTERNAL],
		.events = t->events,
		.nevents = t->n[GROUP_EVENT],
		.blockers = t->blockers,
		.nblockers = t->n[GROUP_REPLICA],
		.retries = t->retries,
		.nretries = t->nretries,
		.revision = ++s->revision,
		.now_ms = clock_wall_ms(b->clock),
		.lost_ms = s->lost_ms,
		.stale_after_ms = STALE_AFTER_MS,
		.profile = str_from(b->profile->name),
		.context = str_from(b->user),
		.owner = str_from(backend_owner_text(b)),
		.practice = b->profile->practice,
		.prod = b->profile->prod,
		.read_only = b->read_only,
		.connected = s->connected,
	};
	int64_t stale_real = clock_real_ms(b->clock, STALE_AFTER_MS);
	bool ok;

	/* A fast clock runs ahead of what can be looked at: stale counts real time then. */
	if (stale_real < INT64_C(10000))
		src.stale_after_ms = (int64_t)(10000.0 * clock_speed(b->clock));
	src.nseen = observer_lock(s->observer, &src.seen);
	ok = fleet_build(&src, ret, err);
	observer_unlock(s->observer);
	return ok;
}

static void
publish(struct snapshots *s, const struct fleet *fresh)
{
	const struct fleet *old;

	(void)pthread_mutex_lock(&s->mu);
	old = s->newest;
	s->newest = fresh;
	(void)pthread_mutex_unlock(&s->mu);
	fleet_unref(old);
	backend_wake(s->b);
}

static void
build(struct snapshots *s)
{
	struct tables t = { .nretries = 0 };
	const struct fleet *fresh = NULL;
	int64_t began = real_ms(), took;
	struct error err;

	error_clear(&err);
	s->dirty = false;
	if (tables_make(s, &t)) {
		for (size_t i = 0; i < s->nbuckets; i++)
			for (const struct entry *e = s->buckets[i]; e != NULL; e = e->next)
				tables_put(s, &t, e);
		if (fleet_make(s, &t, &fresh, &err))
			publish(s, fresh);
		else
			log_error("snapshot", "build-failed", &err, "%s", "");
	}
	tables_free(&t);
	took = real_ms() - began;
	s->next_build =
	    real_ms() + (took * BUILD_SHARE > BUILD_EVERY_MS ? took * BUILD_SHARE : BUILD_EVERY_MS);
}

/* ---- the thread ---- */

static int
wait_ms(struct snapshots *s)
{
	int64_t left;

	if (!s->dirty)
		return IDLE_MS;
	left = s->next_build - real_ms();
	return left > 0 ? (int)left : 0;
}

static void
nudge_take(struct snapshots *s)
{
	if (atomic_exchange(&s->nudged, false))
		s->dirty = true;
}

static void
watch_publish(struct snapshots *s, struct watch *w)
{
	(void)pthread_mutex_lock(&s->mu);
	s->watch = w;
	(void)pthread_mutex_unlock(&s->mu);
}

static void
follow(struct snapshots *s, struct watch *w)
{
	struct error err;

	while (!s->stopping) {
		struct watch_event event = { .object = NULL };
		bool got;

		nudge_take(s);
		if (s->dirty && real_ms() >= s->next_build)
			build(s);
		error_clear(&err);
		got = watch_next(w, wait_ms(s), &event, &err);
		if (got && event.type == WATCH_GONE)
			return;
		if (got && event.object != NULL)
			object_put(s, event.object, event.type == WATCH_DELETED);
		object_unref(event.object);
		if (!got && err.code != ERR_TIMEOUT && err.code != ERR_CANCELED)
			return;
	}
}

static void
pause_real(struct snapshots *s, int ms)
{
	struct timespec step = { .tv_sec = 0, .tv_nsec = 10000000L };

	for (; ms > 0 && !s->stopping; ms -= 10)
		(void)nanosleep(&step, NULL);
}

/* The command line shows one snapshot: it is worth a moment to have nodes and GPUs in it. */
static void
first_look_wait(struct snapshots *s)
{
	for (int ms = 0; s->b->one_look && s->newest == NULL && ms < FIRST_LOOK_MS &&
			 !s->stopping && !observer_has_looked(s->observer);
	     ms += 10)
		pause_real(s, 10);
}

static void
snapshots_run(void *context)
{
	struct snapshots *s = context;

	while (!s->stopping) {
		struct list_options opt = { .limit = 0 };
		struct watch *w = NULL;
		int64_t version = 0;
		struct error err;

		error_clear(&err);
		s->connected = entries_load(s, &version, &err);
		/* a store that is only looked at tells no changes: it is read again now and then */
		if (s->connected && !store_watch(s->b->store, NULL, &opt, version, &w, &err))
			s->connected = err.code == ERR_READ_ONLY;
		s->dirty = true;
		if (s->connected)
			s->lost_ms = 0;
		else if (s->lost_ms == 0)
			s->lost_ms = clock_wall_ms(s->b->clock);
		if (!s->connected) {
			if (s->newest != NULL)
				build(s); /* says that it is not connected */
			pause_real(s, RETRY_MS);
			continue;
		}
		first_look_wait(s);
		build(s);
		if (w == NULL) {
			pause_real(s, PEEK_MS);
			continue;
		}
		watch_publish(s, w);
		follow(s, w);
		watch_publish(s, NULL);
		watch_free(w);
	}
	entries_clear(s);
}

static void
wake_thread(struct snapshots *s)
{
	(void)pthread_mutex_lock(&s->mu);
	if (s->watch != NULL)
		watch_wake(s->watch);
	(void)pthread_mutex_unlock(&s->mu);
}

static void
observer_changed(void *context)
{
	struct snapshots *s = context;

	s->nudged = true;
	wake_thread(s);
}

bool
snapshots_start(struct backend *b, struct snapshots **ret, struct error *err)
{
	struct snapshots *s = mem_new(sizeof(*s));

	if (s == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for snapshots");
	s->b = b;
	s->nbuckets = BUCKETS_FIRST;
	s->revision = (uint64_t)real_ms(); /* above those of an earlier backend of this process */
	(void)pthread_mutex_init(&s->mu, NULL);
	s->buckets = mem_array(s->nbuckets, sizeof(struct entry *));
	if (s->buckets == NULL) {
		snapshots_stop(s);
		return error_set(err, ERR_NO_MEMORY, "no memory for snapshots");
	}
	if (!observer_start(b, observer_changed, s, &s->observer, err) ||
	    !thread_start("snapshot", snapshots_run, s, &s->thread, err)) {
		snapshots_stop(s);
		return false;
	}
	*ret = s;
	return true;
}

void
snapshots_stop(struct snapshots *s)
{
	if (s == NULL)
		return;
	s->stopping = true;
	observer_stop(s->observer);
	wake_thread(s);
	thread_join(s->thread);
	fleet_unref(s->newest);
	mem_free(s->buckets);
	(void)pthread_mutex_destroy(&s->mu);
	mem_free(s);
}

const struct fleet *
snapshots_get(struct snapshots *s)
{
	const struct fleet *f;

	(void)pthread_mutex_lock(&s->mu);
	f = fleet_ref(s->newest);
	(void)pthread_mutex_unlock(&s->mu);
	return f;
}
