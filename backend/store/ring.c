/*
 * The newest events of a store in memory, and the watches that read them. Events have running
 * numbers; the ring holds [first, next). A watch keeps the number that it reads next: when that has
 * fallen off the ring, the watch is "gone" and its reader lists again.
 *
 * The lock guards all of it; waiting is on one condition for all watches. Watches share the ring
 * with the store and may outlive it: then they say so and end.
 */

#include "backend/store/embedded_int.h"

#include <errno.h>
#include <time.h>

#include "backend/store/selector.h"

enum { BOOKMARK_MS = 60 * 1000, RING_FIRST = 64, RING_KEEP = 256, SELECTORS_LIMIT = 1024 * 1024 };

struct slot {
	struct tx_event ev;
	int64_t version;
};

struct ring {
	pthread_mutex_t mu; /* guards everything */
	pthread_cond_t changed;
	struct slot *slots;
	size_t cap;
	uint64_t first, next;
	size_t bytes;	 /* of JSON that the events hold */
	int64_t base;	 /* events up to this version are not here any more */
	int64_t version; /* of the store */
	unsigned refs;	 /* the store and its watches */
	int bookmark_ms; /* real time between two bookmarks */
	bool closed;
};

struct ring_watch {
	struct watch base; /* first */
	struct ring *ring;
	struct arena *a; /* of the selectors */
	const struct resource *res;
	struct str ns;
	struct selector *labels, *fields;
	struct object_list initial;
	size_t at;	     /* in initial */
	uint64_t cursor;     /* next event to look at */
	int64_t version;     /* up to which everything was told */
	int64_t bookmark_ms; /* real time of the next bookmark */
	bool gone;
	bool told_gone;
	bool woken; /* guarded by the ring's lock */
};

static int64_t
mono_ms(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

struct ring *
ring_new(int64_t version)
{
	struct ring *r = mem_new(sizeof *r);
	pthread_condattr_t attr;

	if (r == NULL)
		return NULL;
	(void)pthread_mutex_init(&r->mu, NULL);
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&r->changed, &attr);
	(void)pthread_condattr_destroy(&attr);
	r->base = r->version = version;
	r->refs = 1;
	r->bookmark_ms = BOOKMARK_MS;
	return r;
}

void
ring_bookmarks(struct ring *r, int every_ms)
{
	(void)pthread_mutex_lock(&r->mu);
	r->bookmark_ms = every_ms;
	(void)pthread_mutex_unlock(&r->mu);
}

static void
slot_drop(struct ring *r)
{
	struct slot *s = &r->slots[r->first % r->cap];

	r->bytes -= s->ev.object->json.n;
	r->base = s->version;
	object_unref(s->ev.object);
	mem_free(s->ev.old_labels);
	r->first++;
}

static void
ring_unref(struct ring *r)
{
	bool last;

	(void)pthread_mutex_lock(&r->mu);
	last = --r->refs == 0;
	(void)pthread_mutex_unlock(&r->mu);
	if (!last)
		return;
	while (r->first != r->next)
		slot_drop(r);
	mem_free(r->slots);
	(void)pthread_cond_destroy(&r->changed);
	(void)pthread_mutex_destroy(&r->mu);
	mem_free(r);
}

void
ring_close(struct ring *r)
{
	if (r == NULL)
		return;
	(void)pthread_mutex_lock(&r->mu);
	r->closed = true;
	(void)pthread_cond_broadcast(&r->changed);
	(void)pthread_mutex_unlock(&r->mu);
	ring_unref(r);
}

/* Room for one more, up to the limit; beyond it the oldest makes room. */
static bool
ring_room(struct ring *r)
{
	size_t cap = r->cap == 0 ? RING_FIRST : r->cap * 2;
	struct slot *wide;

	if (r->cap > 0 && r->next - r->first < r->cap)
		return true;
	if (r->cap == RING_EVENTS) {
		slot_drop(r);
		return true;
	}
	wide = mem_array(cap, sizeof *wide);
	if (wide == NULL)
		return false;
	for (uint64_t i = r->first; r->cap > 0 && i != r->next; i++)
		wide[i % cap] = r->slots[i % r->cap];
	mem_free(r->slots);
	r->slots = wide;
	r->cap = cap;
	return true;
}

/* The lock is held. */
static void
ring_forget(struct ring *r, int64_t version)
{
	while (r->first != r->next)
		slot_drop(r);
	r->first = ++r->next; /* a number nobody has read: all watches fall off */
	r->base = r->version = version;
}

void
ring_publish(struct ring *r, struct tx_event *events, size_t n, int64_t version)
{
	bool lost = false;

	(void)pthread_mutex_lock(&r->mu);
	for (size_t i = 0; i < n; i++) {
		lost |= !ring_room(r);
		if (lost) {
			object_unref(events[i].object);
			mem_free(events[i].old_labels);
			continue;
		}
		r->slots[r->next++ % r->cap] =
		    (struct slot){ events[i], events[i].object->version };
		r->bytes += events[i].object->json.n;
	}
	while (r->bytes > RING_BYTES && r->next - r->first > RING_KEEP)
		slot_drop(r);
	r->version = version;
	if (lost)
		ring_forget(r, version);
	(void)pthread_cond_broadcast(&r->changed);
	(void)pthread_mutex_unlock(&r->mu);
}

void
ring_reset(struct ring *r, int64_t version)
{
	(void)pthread_mutex_lock(&r->mu);
	ring_forget(r, version);
	(void)pthread_cond_broadcast(&r->changed);
	(void)pthread_mutex_unlock(&r->mu);
}

/* What the watcher sees of an event; false when it is none of its business. */
static bool
event_filter(struct ring_watch *w, const struct tx_event *ev, enum watch_event_type *ret_type)
{
	const struct object *o = ev->object;
	bool now, before, fields;

	if (w->res != NULL && !resource_eq(w->res, o->res))
		return false;
	if (w->ns.n > 0 && !str_eq(w->ns, o->ns))
		return false;
	now = selector_match_labels(w->labels, object_labels(o));
	before = ev->old_labels == NULL
		     ? now
		     : selector_match_labels(w->labels, str_from(ev->old_labels));
	if (!selector_match_fields(w->fields, o, &fields, NULL)) {
		w->gone = true; /* it cannot be told: the reader has to list again */
		return false;
	}
	if (!fields) {
		/* Names do not change; of other fields the old value is unknown: leaving is told.
		 */
		if (selector_is_plain(w->fields) || ev->type == WATCH_ADDED)
			return false;
		now = false;
	}
	if (ev->type != WATCH_MODIFIED) {
		*ret_type = ev->type;
		return ev->type == WATCH_DELETED ? before : now;
	}
	*ret_type = now ? (before ? WATCH_MODIFIED : WATCH_ADDED) : WATCH_DELETED;
	return now || before;
}

/* The lock is held. True when there is something to tell. */
static bool
event_find(struct ring_watch *w, struct watch_event *ret)
{
	struct ring *r = w->ring;

	if (w->cursor < r->first)
		w->gone = true;
	while (!w->gone && w->cursor < r->next) {
		const struct slot *s = &r->slots[w->cursor++ % r->cap];
		enum watch_event_type type;

		w->version = s->version;
		if (!event_filter(w, &s->ev, &type))
			continue;
		*ret = (struct watch_event){ type, object_ref(s->ev.object), s->version };
		return true;
	}
	if (w->gone) {
		*ret = (struct watch_event){ WATCH_GONE, NULL, r->version };
		return true;
	}
	w->version = r->version;
	if (mono_ms() >= w->bookmark_ms) {
		w->bookmark_ms = mono_ms() + r->bookmark_ms;
		*ret = (struct watch_event){ WATCH_BOOKMARK, NULL, w->version };
		return true;
	}
	return false;
}

static void
wait_until(struct ring *r, int64_t until_ms)
{
	struct timespec ts = { .tv_sec = (time_t)(until_ms / 1000),
		.tv_nsec = (long)(until_ms % 1000) * 1000000 };

	(void)pthread_cond_timedwait(&r->changed, &r->mu, &ts);
}

static bool
initial_next(struct ring_watch *w, struct watch_event *ret)
{
	const struct object *o;

	if (w->at == w->initial.n) {
		object_list_fini(&w->initial);
		w->at = 0;
		return false;
	}
	o = w->initial.items[w->at];
	w->initial.items[w->at++] = NULL;
	*ret = (struct watch_event){ WATCH_ADDED, o, o->version };
	return true;
}

static bool
ring_watch_next(
    struct watch *base, int timeout_ms, struct watch_event *ret_event, struct error *err)
{
	struct ring_watch *w = (struct ring_watch *)base;
	struct ring *r = w->ring;
	int64_t end = mono_ms() + (timeout_ms > 0 ? timeout_ms : 0);
	bool found = false, stopped = false;

	if (initial_next(w, ret_event))
		return true;
	(void)pthread_mutex_lock(&r->mu);
	for (;;) {
		stopped = w->woken || r->closed;
		w->woken = false;
		found = !stopped && event_find(w, ret_event);
		if (stopped || found || mono_ms() >= end)
			break;
		wait_until(r, end < w->bookmark_ms ? end : w->bookmark_ms);
	}
	(void)pthread_mutex_unlock(&r->mu);
	if (found)
		return true;
	if (stopped)
		return error_set(err, ERR_CANCELED, "the watch was ended");
	return error_set(err, ERR_TIMEOUT, "nothing happened in %d ms", timeout_ms);
}

static void
ring_watch_wake(struct watch *base)
{
	struct ring_watch *w = (struct ring_watch *)base;

	(void)pthread_mutex_lock(&w->ring->mu);
	w->woken = true;
	(void)pthread_cond_broadcast(&w->ring->changed);
	(void)pthread_mutex_unlock(&w->ring->mu);
}

static void
ring_watch_free(struct watch *base)
{
	struct ring_watch *w = (struct ring_watch *)base;

	object_list_fini(&w->initial);
	arena_free(w->a);
	ring_unref(w->ring);
	mem_free(w);
}

static const struct watch_ops ring_watch_ops = {
	.next = ring_watch_next,
	.wake = ring_watch_wake,
	.free = ring_watch_free,
};

/* Finds the first event after a version. The lock is held. */
static void
cursor_set(struct ring_watch *w, int64_t from)
{
	struct ring *r = w->ring;

	w->version = from;
	w->gone = from < r->base || from > r->version;
	w->cursor = r->first;
	while (!w->gone && w->cursor < r->next && r->slots[w->cursor % r->cap].version <= from)
		w->cursor++;
}

bool
ring_watch(struct ring *r, const struct resource *res, const struct list_options *opt,
    struct object_list *initial, struct watch **ret_watch, struct error *err)
{
	struct ring_watch *w = mem_new(sizeof *w);
	bool ok = false;

	if (w == NULL || (w->a = arena_new(SELECTORS_LIMIT)) == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for a watch");
		goto out;
	}
	if (!selector_parse_labels(w->a, opt->label_selector, &w->labels, err) ||
	    !selector_parse_fields(w->a, opt->field_selector, &w->fields, err))
		goto out;
	w->base.ops = &ring_watch_ops;
	w->ring = r;
	w->res = res;
	w->ns = str_copy(w->a, opt->ns);
	if (arena_failed(w->a)) {
		error_set(err, ERR_NO_MEMORY, "no memory for a watch");
		goto out;
	}
	(void)pthread_mutex_lock(&r->mu);
	w->bookmark_ms = mono_ms() + r->bookmark_ms;
	r->refs++;
	cursor_set(w, initial->version);
	(void)pthread_mutex_unlock(&r->mu);
	w->initial = *initial;
	*initial = (struct object_list){ 0 };
	*ret_watch = &w->base;
	w = NULL;
	ok = true;
out:
	if (w != NULL)
		arena_free(w->a);
	mem_free(w);
	return ok;
}
