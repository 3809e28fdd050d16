#include "backend/controllers/manager.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "backend/controllers/guard.h"
#include "backend/controllers/object.h"
#include "backend/controllers/relations.h"
#include "backend/controllers/seen.h"
#include "backend/runtime/clock.h"
#include "backend/runtime/log.h"
#include "backend/runtime/queue.h"
#include "backend/runtime/thread.h"
#include "model/base/mem.h"

enum {
	WATCH_TIMEOUT_MS = 30 * 1000,
	WATCH_RETRY_MS = 200, /* doubling */
	WATCH_RETRY_MAX_MS = 30 * 1000,
	HELD_REQUEUE_MS = 5 * 1000, /* the guards' own changes come sooner, by the owner */
	WORKERS_MAX = 64,
};

struct manager {
	struct manager_options opt;
	struct queue *queue;
	struct seen *seen;     /* watcher only */
	int64_t start_version; /* events up to here tell what was there at the start */
	_Atomic bool stopping;
	pthread_mutex_t mu;  /* guards watch */
	struct watch *watch; /* to be woken by manager_stop; the watcher owns it */
	struct watch *first; /* opened by manager_start, taken by the watcher */
	struct thread *watcher;
	struct thread *workers[WORKERS_MAX];
	int nworkers;
};

/* ---- keys ---- */

static bool
key_format(char key[QUEUE_KEY_MAX], const struct controller *c, struct str ns, struct str name)
{
	struct text text = TEXT_INIT(QUEUE_KEY_MAX - 1);
	bool ok;

	text_printf(&text, "%s/" STR_FMT "/" STR_FMT, c->name, STR_ARG(ns), STR_ARG(name));
	ok = text_ok(&text, "key", NULL);
	if (ok)
		memcpy(key, text_get(&text), text.n + 1);
	text_free(&text);
	return ok;
}

static const struct controller *
controller_named(const struct manager *m, struct str name)
{
	for (const struct controller *const *c = m->opt.controllers; *c != NULL; c++)
		if (str_is(name, (*c)->name))
			return *c;
	return NULL;
}

static const struct controller *
controller_of(const struct manager *m, const struct kind *kind)
{
	for (const struct controller *const *c = m->opt.controllers; *c != NULL; c++)
		if ((*c)->kind == kind)
			return *c;
	return NULL;
}

static const struct controller *
controller_of_word(const struct manager *m, struct str kind)
{
	for (const struct controller *const *c = m->opt.controllers; *c != NULL; c++)
		if (str_is(kind, (*c)->kind->kind))
			return *c;
	return NULL;
}

static bool
controller_watches(const struct controller *c, const char *kind)
{
	for (const char *const *w = c->watches; w != NULL && *w != NULL; w++)
		if (strcmp(*w, kind) == 0)
			return true;
	return false;
}

static void
enqueue(struct manager *m, const struct controller *c, struct str ns, struct str name)
{
	char key[QUEUE_KEY_MAX];

	if (key_format(key, c, ns, name))
		queue_add(m->queue, key);
}

/* ---- the watcher ---- */

struct related_to {
	struct manager *m;
	const struct controller *controller;
};

static void
related_add(void *context, struct str ns, struct str name)
{
	struct related_to *to = context;

	enqueue(to->m, to->controller, ns, name);
}

static struct controller_context
context_new(struct manager *m, struct arena *arena)
{
	return (struct controller_context){
		.store = m->opt.store,
		.clock = m->opt.clock,
		.compose = m->opt.compose,
		.actor = { .manager = "flightdeck-controller", .user = "flightdeck", .from = "" },
		.arena = arena,
		.installation = m->opt.installation,
	};
}

/* The controller owner is told when it asked for changes of that kind. */
static void
owner_notify(struct manager *m, const struct object *changed, const struct node *tree)
{
	const struct node *owner = owner_of(tree);
	const struct controller *c;

	if (owner == NULL)
		return;
	c = controller_of_word(m, node_get_str(node_find(owner, "kind")));
	if (c != NULL && controller_watches(c, changed->res->kind))
		enqueue(m, c, (c->kind->flags & KIND_NAMESPACED) != 0 ? changed->ns : STR(""),
		    node_get_str(node_find(owner, "name")));
}

/* Siblings of an object that is gone may have waited for it. */
static void
siblings_notify(struct manager *m, struct controller_context *cx, const struct node *tree)
{
	const struct node *owner = owner_of(tree);
	struct str uid;

	if (owner == NULL)
		return;
	uid = node_get_str(node_find(owner, "uid"));
	for (const struct controller *const *c = m->opt.controllers; *c != NULL; c++) {
		struct list_options opt = { .limit = 0 };
		struct object_list list = { .n = 0 };

		if (((*c)->kind->flags & KIND_NAMESPACED) == 0 ||
		    !store_list(m->opt.store, resource_of((*c)->kind), &opt, &list, NULL))
			continue;
		for (size_t i = 0; i < list.n; i++) {
			struct node *other;
			const struct node *by;

			if (list.items[i]->deleted_ms == 0 ||
			    !object_node(list.items[i], cx->arena, &other, NULL))
				continue;
			by = owner_of(other);
			if (by != NULL && str_eq(node_get_str(node_find(by, "uid")), uid))
				enqueue(m, *c, list.items[i]->ns, list.items[i]->name);
		}
		object_list_fini(&list);
	}
}

static void
event_handle(struct manager *m, struct controller_context *cx, const struct watch_event *event)
{
	const struct object *o = event->object;
	const struct controller *own = controller_of(m, o->res->known);
	bool deleted = event->type == WATCH_DELETED;
	struct node *tree;

	/* Records and events are written by passes: following them would never come to rest. */
	if (strcmp(o->res->kind, "External") == 0 || strcmp(o->res->kind, "Event") == 0)
		return;
	if (!object_node(o, cx->arena, &tree, NULL))
		return;
	if (own != NULL && seen_change(m->seen, o, tree, deleted) && !deleted)
		enqueue(m, own, o->ns, o->name);
	owner_notify(m, o, tree);
	if (deleted)
		siblings_notify(m, cx, tree);
	if (event->version <= m->start_version)
		return;
	for (const struct controller *const *c = m->opt.controllers; *c != NULL; c++) {
		struct related_to to = { m, *c };

		if (*c == own)
			continue;
		relations_of_credentials(cx, *c, o, related_add, &to);
		if ((*c)->related != NULL)
			(*c)->related(cx, o, related_add, &to);
	}
}

/* Follows one watch until it ends; everything comes again after that. */
static void
watch_follow(struct manager *m, struct watch *w, struct controller_context *cx)
{
	struct watch_event event;
	struct error err;

	while (!m->stopping) {
		event = (struct watch_event){ .object = NULL };
		error_clear(&err);
		if (!watch_next(w, WATCH_TIMEOUT_MS, &event, &err)) {
			if (err.code == ERR_TIMEOUT)
				continue;
			if (err.code != ERR_CANCELED)
				log_error("manager", "watch-ended", &err, "%s", "");
			return;
		}
		if (event.type == WATCH_GONE)
			return;
		if (event.object != NULL)
			event_handle(m, cx, &event);
		object_unref(event.object);
		arena_clear(cx->arena);
	}
}

static void
sleep_real(struct manager *m, int ms)
{
	struct timespec step = { .tv_sec = 0, .tv_nsec = 20000000L };

	for (int i = 0; i < ms / 20 && !m->stopping; i++)
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &step, NULL);
}

static void
watch_publish(struct manager *m, struct watch *w)
{
	(void)pthread_mutex_lock(&m->mu);
	m->watch = w;
	(void)pthread_mutex_unlock(&m->mu);
}

static void
watcher_run(void *context)
{
	struct manager *m = context;
	struct arena *arena = arena_new(CONTROLLER_ARENA_MAX);
	struct list_options opt = { .limit = 0 };
	int pause_ms = WATCH_RETRY_MS;

	if (arena == NULL)
		log_event(LOG_ERROR, "manager", "no-memory", "%s", "");
	while (arena != NULL && !m->stopping) {
		struct controller_context cx = context_new(m, arena);
		struct watch *w = m->first;
		struct error err;

		m->first = NULL;
		error_clear(&err);
		if (w == NULL && !store_watch(m->opt.store, NULL, &opt, 0, &w, &err)) {
			log_error("manager", "watch-failed", &err, "%s", "");
			sleep_real(m, pause_ms);
			pause_ms =
			    pause_ms * 2 < WATCH_RETRY_MAX_MS ? pause_ms * 2 : WATCH_RETRY_MAX_MS;
			continue;
		}
		pause_ms = WATCH_RETRY_MS;
		watch_publish(m, w);
		if (!m->stopping)
			watch_follow(m, w, &cx);
		watch_publish(m, NULL);
		watch_free(w);
	}
	arena_free(arena);
}

/* ---- workers ---- */

/* All keys share the ticks of one period, so that the providers' shared lists serve all of them. */
static int64_t
until_sweep(const struct manager *m)
{
	int64_t period = m->opt.sweep_ms;

	return period - clock_mono_ms(m->opt.clock) % period;
}

static bool
held_report(struct controller_context *cx, const struct object *o, const struct guard *guard,
    struct error *err)
{
	struct node *status = status_begin(cx, o, err);

	if (status == NULL)
		return false;
	status_condition(
	    cx, status, CONDITION_FALSE, "Ready", guard->reason, STR_FMT, STR_ARG(guard->message));
	event_emit(cx->store, cx->clock, o, EVENT_WARNING, "DeletionHeld", "manager", STR_FMT,
	    STR_ARG(guard->message));
	return status_save(cx, o, status, err);
}

static bool
pass_run(struct manager *m, struct controller_context *cx, const struct controller *c,
    const struct object *o, struct reconcile_result *result, struct error *err)
{
	struct guard guard = { .held = false };

	if (o->deleted_ms != 0 && !guard_check(cx, o, &guard, err))
		return false;
	if (guard.held) {
		result->requeue_ms = HELD_REQUEUE_MS;
		return held_report(cx, o, &guard, err);
	}
	if (m->stopping)
		return true;
	return c->reconcile(cx, o, result, err);
}

static bool
key_parse(struct manager *m, const char *key, const struct controller **ret_controller,
    struct str *ret_ns, struct str *ret_name)
{
	struct str rest = str_from(key), name;

	if (!str_split(&rest, '/', &name) || !str_split(&rest, '/', ret_ns))
		return false;
	*ret_name = rest;
	*ret_controller = controller_named(m, name);
	return *ret_controller != NULL;
}

static void
key_run(struct manager *m, struct controller_context *cx, const char *key)
{
	const struct controller *c;
	const struct object *o = NULL;
	struct reconcile_result result = { .requeue_ms = 0 };
	struct str ns, name;
	struct error err;
	bool ok;

	error_clear(&err);
	if (!key_parse(m, key, &c, &ns, &name))
		return;
	ok = object_find(cx, resource_of(c->kind), ns, name, &o, &err);
	if (ok && o == NULL) {
		queue_forget(m->queue, key);
		return;
	}
	ok = ok && pass_run(m, cx, c, o, &result, &err);
	object_unref(o);
	if (m->stopping)
		return;
	if (!ok) {
		log_error(c->name, "pass-failed", &err, "object=" STR_FMT, STR_ARG(name));
		queue_retry(m->queue, key, err.retry_after_ms);
		return;
	}
	queue_forget(m->queue, key);
	queue_add_after(m->queue, key, result.requeue_ms > 0 ? result.requeue_ms : until_sweep(m));
}

static void
worker_run(void *context)
{
	struct manager *m = context;
	struct arena *arena = arena_new(CONTROLLER_ARENA_MAX);
	char key[QUEUE_KEY_MAX];

	if (arena == NULL)
		return;
	while (queue_take(m->queue, key)) {
		struct controller_context cx = context_new(m, arena);

		key_run(m, &cx, key);
		queue_done(m->queue, key);
		arena_clear(arena);
	}
	arena_free(arena);
}

/* ---- life ---- */

static bool
threads_start(struct manager *m, struct error *err)
{
	if (!thread_start("watcher", watcher_run, m, &m->watcher, err))
		return false;
	while (m->nworkers < m->opt.workers) {
		char name[16];

		(void)snprintf(name, sizeof(name), "worker-%d", m->nworkers % 100);
		if (!thread_start(name, worker_run, m, &m->workers[m->nworkers], err))
			return false;
		m->nworkers++;
	}
	return true;
}

/* The version of the store now: what is there already is not news for others. */
static bool
start_version(struct manager *m, struct error *err)
{
	struct object_list list = { .n = 0 };
	struct list_options opt = { .limit = 1 };

	if (!store_list(m->opt.store, resource_of(m->opt.controllers[0]->kind), &opt, &list, err))
		return false;
	m->start_version = list.version;
	object_list_fini(&list);
	return true;
}

/* A store that cannot be read whole has no owner that does half of the work: the start fails. */
static bool
first_watch(struct manager *m, struct error *err)
{
	struct list_options opt = { .limit = 0 };

	return store_watch(m->opt.store, NULL, &opt, 0, &m->first, err);
}

bool
manager_start(const struct manager_options *opt, struct manager **ret_manager, struct error *err)
{
	struct manager *m = mem_new(sizeof(*m));
	bool ok = false;

	if (m == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for the controllers");
	m->opt = *opt;
	(void)pthread_mutex_init(&m->mu, NULL);
	if (m->opt.controllers == NULL)
		m->opt.controllers = controllers;
	if (m->opt.workers <= 0 || m->opt.workers > WORKERS_MAX)
		m->opt.workers = MANAGER_WORKERS;
	if (m->opt.sweep_ms <= 0)
		m->opt.sweep_ms = MANAGER_SWEEP_MS;
	m->queue = queue_new(opt->clock, (uint64_t)clock_wall_ms(opt->clock));
	m->seen = seen_new();
	if (m->queue == NULL || m->seen == NULL) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory for the controllers"); /* below */
		goto out;
	}
	ok = start_version(m, err) && first_watch(m, err) && threads_start(m, err);
out:
	if (!ok) {
		manager_stop(m);
		manager_free(m);
		return false;
	}
	*ret_manager = m;
	return true;
}

void
manager_stop(struct manager *m)
{
	if (m == NULL)
		return;
	m->stopping = true;
	if (m->queue != NULL)
		queue_close(m->queue);
	if (m->watcher != NULL) {
		(void)pthread_mutex_lock(&m->mu);
		if (m->watch != NULL)
			watch_wake(m->watch);
		(void)pthread_mutex_unlock(&m->mu);
		thread_join(m->watcher);
		m->watcher = NULL;
	}
	for (int i = 0; i < m->nworkers; i++)
		thread_join(m->workers[i]);
	m->nworkers = 0;
	watch_free(m->first);
	m->first = NULL;
}

void
manager_free(struct manager *m)
{
	if (m == NULL)
		return;
	queue_free(m->queue);
	seen_free(m->seen);
	(void)pthread_mutex_destroy(&m->mu);
	mem_free(m);
}

bool
manager_poke(struct manager *m, const struct kind *kind, struct str ns, struct str name)
{
	const struct controller *c = controller_of(m, kind);

	if (c == NULL)
		return false;
	enqueue(m, c, ns, name);
	return true;
}

bool
manager_idle(struct manager *m)
{
	return queue_length(m->queue) == 0;
}

bool
manager_next_try(struct manager *m, const struct kind *kind, struct str ns, struct str name,
    int64_t *ret_due_ms, unsigned *ret_failures)
{
	const struct controller *c = controller_of(m, kind);
	char key[QUEUE_KEY_MAX];

	if (c == NULL || !key_format(key, c, ns, name))
		return false;
	return queue_status(m->queue, key, ret_due_ms, ret_failures);
}
