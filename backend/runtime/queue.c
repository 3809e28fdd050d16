/*
 * Two structures over the same entries: a hash table by key, which says everything about a key,
 * and a heap by due time, which holds the keys that wait. Room in the heap is made when an entry is
 * made, so that only a key that is new can fail for memory, and putting one back never does.
 *
 *   absent --add--> waiting (in the heap) --take--> running --done--> absent | waiting again
 *
 * A key that is added while it runs remembers when it wants to run again; a key that failed stays
 * in the table, for its count, until it is forgotten.
 */

#include "backend/runtime/queue.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "backend/runtime/clock.h"
#include "backend/runtime/log.h"
#include "model/base/mem.h"
#include "model/base/text.h"

enum { BACKOFF_FIRST_MS = 500, BACKOFF_MOST_MS = 5 * 60 * 1000, BUCKETS_FIRST = 64 };

#define NOT_IN_HEAP SIZE_MAX

struct entry {
	struct entry *next; /* in the bucket */
	uint64_t hash;
	size_t heap_at; /* NOT_IN_HEAP while it does not wait */
	int64_t due_ms;
	uint64_t order; /* equal due times leave in the order of their arrival */
	unsigned failures;
	bool running;
	bool again; /* added while running; due_ms says for when */
	char key[];
};

struct queue {
	struct clock *clock;
	pthread_mutex_t mu; /* guards everything below */
	pthread_cond_t changed;
	struct entry **buckets;
	size_t nbuckets;
	size_t nentries;
	struct entry **heap;
	size_t nheap, heap_cap;
	size_t nrunning;
	uint64_t random;
	uint64_t order;
	bool closed;
};

static uint64_t
random_next(uint64_t *state) /* splitmix64 */
{
	uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

static uint64_t
key_hash(const char *key) /* FNV-1a: keys are ours, nobody attacks them */
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *key != '\0'; key++)
		h = (h ^ (unsigned char)*key) * UINT64_C(1099511628211);
	return h;
}

static bool
before(const struct entry *a, const struct entry *b)
{
	return a->due_ms != b->due_ms ? a->due_ms < b->due_ms : a->order < b->order;
}

static void
heap_put(struct queue *q, size_t at, struct entry *e)
{
	q->heap[at] = e;
	e->heap_at = at;
}

static void
heap_up(struct queue *q, size_t at)
{
	struct entry *e = q->heap[at];

	for (size_t up; at > 0; at = up) {
		up = (at - 1) / 2;
		if (!before(e, q->heap[up]))
			break;
		heap_put(q, at, q->heap[up]);
	}
	heap_put(q, at, e);
}

static void
heap_down(struct queue *q, size_t at)
{
	struct entry *e = q->heap[at];
	size_t down;

	while ((down = at * 2 + 1) < q->nheap) {
		if (down + 1 < q->nheap && before(q->heap[down + 1], q->heap[down]))
			down++;
		if (!before(q->heap[down], e))
			break;
		heap_put(q, at, q->heap[down]);
		at = down;
	}
	heap_put(q, at, e);
}

static void
heap_push(struct queue *q, struct entry *e)
{
	e->order = q->order++;
	heap_put(q, q->nheap++, e);
	heap_up(q, e->heap_at);
}

static void
heap_remove(struct queue *q, struct entry *e)
{
	size_t at = e->heap_at;
	struct entry *last = q->heap[--q->nheap];

	e->heap_at = NOT_IN_HEAP;
	if (last == e)
		return;
	heap_put(q, at, last);
	heap_up(q, at);
	heap_down(q, last->heap_at);
}

static struct entry **
entry_slot(struct queue *q, const char *key, uint64_t hash)
{
	struct entry **at = &q->buckets[hash % q->nbuckets];

	while (*at != NULL && ((*at)->hash != hash || strcmp((*at)->key, key) != 0))
		at = &(*at)->next;
	return at;
}

static struct entry *
entry_find(struct queue *q, const char *key)
{
	return *entry_slot(q, key, key_hash(key));
}

static void
buckets_grow(struct queue *q)
{
	size_t n = q->nbuckets * 2;
	struct entry **wide = n > 0 ? mem_array(n, sizeof(struct entry *)) : NULL;

	if (wide == NULL)
		return; /* chains grow longer, nothing else */
	for (size_t i = 0; i < q->nbuckets; i++) {
		struct entry *e = q->buckets[i];

		while (e != NULL) {
			struct entry *next = e->next;

			e->next = wide[e->hash % n];
			wide[e->hash % n] = e;
			e = next;
		}
	}
	mem_free(q->buckets);
	q->buckets = wide;
	q->nbuckets = n;
}

static struct entry *
entry_make(struct queue *q, const char *key)
{
	size_t n = strlen(key);
	uint64_t hash = key_hash(key);
	struct entry *e = *entry_slot(q, key, hash);

	if (e != NULL)
		return e;
	if (n >= QUEUE_KEY_MAX ||
	    !mem_grow((void **)&q->heap, &q->heap_cap, q->nentries + 1, sizeof(struct entry *)))
		return NULL;
	e = mem_new(sizeof *e + n + 1);
	if (e == NULL)
		return NULL;
	memcpy(e->key, key, n);
	e->hash = hash;
	e->heap_at = NOT_IN_HEAP;
	if (q->nentries >= q->nbuckets)
		buckets_grow(q);
	e->next = q->buckets[hash % q->nbuckets];
	q->buckets[hash % q->nbuckets] = e;
	q->nentries++;
	return e;
}

/* An entry that neither waits nor runs nor counts failures is nobody's business any more. */
static void
entry_drop_idle(struct queue *q, struct entry *e)
{
	struct entry **slot;

	if (e->running || e->heap_at != NOT_IN_HEAP || e->failures > 0)
		return;
	slot = entry_slot(q, e->key, e->hash);
	*slot = e->next;
	q->nentries--;
	mem_free(e);
}

static void
entry_due(struct queue *q, struct entry *e, int64_t due_ms)
{
	if (e->running) {
		e->due_ms = e->again && e->due_ms < due_ms ? e->due_ms : due_ms;
		e->again = true;
		return;
	}
	if (e->heap_at == NOT_IN_HEAP) {
		e->due_ms = due_ms;
		heap_push(q, e);
	} else if (due_ms < e->due_ms) {
		e->due_ms = due_ms;
		heap_up(q, e->heap_at);
	} else {
		return;
	}
	(void)pthread_cond_signal(&q->changed);
}

struct queue *
queue_new(struct clock *clock, uint64_t seed)
{
	struct queue *q = mem_new(sizeof *q);
	pthread_condattr_t attr;

	if (q == NULL)
		return NULL;
	q->clock = clock;
	q->random = seed;
	q->nbuckets = BUCKETS_FIRST;
	q->buckets = mem_array(q->nbuckets, sizeof(struct entry *));
	if (q->buckets == NULL) {
		mem_free(q);
		return NULL;
	}
	(void)pthread_mutex_init(&q->mu, NULL);
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&q->changed, &attr);
	(void)pthread_condattr_destroy(&attr);
	return q;
}

void
queue_free(struct queue *q)
{
	if (q == NULL)
		return;
	for (size_t i = 0; i < q->nbuckets; i++) {
		struct entry *e = q->buckets[i];

		while (e != NULL) {
			struct entry *next = e->next;

			mem_free(e);
			e = next;
		}
	}
	mem_free(q->buckets);
	mem_free(q->heap);
	(void)pthread_cond_destroy(&q->changed);
	(void)pthread_mutex_destroy(&q->mu);
	mem_free(q);
}

/* The way in of all four: a key that cannot be kept is said aloud; the resync brings it back. */
static void
put(struct queue *q, const char *key, int64_t delay_ms)
{
	struct entry *e;

	(void)pthread_mutex_lock(&q->mu);
	e = q->closed ? NULL : entry_make(q, key);
	if (e != NULL)
		entry_due(q, e, clock_mono_ms(q->clock) + (delay_ms > 0 ? delay_ms : 0));
	else if (!q->closed)
		log_event(LOG_ERROR, "queue", "key-dropped", "key=%.200s", key);
	(void)pthread_mutex_unlock(&q->mu);
}

void
queue_add(struct queue *q, const char *key)
{
	put(q, key, 0);
}

void
queue_add_after(struct queue *q, const char *key, int64_t delay_ms)
{
	put(q, key, delay_ms);
}

/* Full jitter: anywhere between nothing and a ceiling that doubles. */
static int64_t
backoff_ms(struct queue *q, unsigned failures)
{
	int64_t ceiling = BACKOFF_FIRST_MS;

	for (unsigned i = 1; i < failures && ceiling < BACKOFF_MOST_MS; i++)
		ceiling *= 2;
	if (ceiling > BACKOFF_MOST_MS)
		ceiling = BACKOFF_MOST_MS;
	return (int64_t)(random_next(&q->random) % (uint64_t)(ceiling + 1));
}

void
queue_retry(struct queue *q, const char *key, int64_t at_least_ms)
{
	struct entry *e;
	int64_t delay;

	(void)pthread_mutex_lock(&q->mu);
	e = q->closed ? NULL : entry_make(q, key);
	if (e != NULL) {
		if (e->failures < 1000)
			e->failures++;
		delay = backoff_ms(q, e->failures);
		if (delay < at_least_ms)
			delay = at_least_ms;
		entry_due(q, e, clock_mono_ms(q->clock) + delay);
	}
	(void)pthread_mutex_unlock(&q->mu);
}

void
queue_forget(struct queue *q, const char *key)
{
	struct entry *e;

	(void)pthread_mutex_lock(&q->mu);
	e = entry_find(q, key);
	if (e != NULL) {
		e->failures = 0;
		entry_drop_idle(q, e);
	}
	(void)pthread_mutex_unlock(&q->mu);
}

/* Waits until something changes or the first key is due. The lock is held. */
static void
wait_for_due(struct queue *q)
{
	struct timespec until;
	int64_t ms;

	if (q->nheap == 0) {
		(void)pthread_cond_wait(&q->changed, &q->mu);
		return;
	}
	ms = clock_real_ms(q->clock, q->heap[0]->due_ms - clock_mono_ms(q->clock));
	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += (time_t)(ms / 1000);
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	(void)pthread_cond_timedwait(&q->changed, &q->mu, &until);
}

bool
queue_take(struct queue *q, char ret_key[QUEUE_KEY_MAX])
{
	struct entry *e = NULL;

	(void)pthread_mutex_lock(&q->mu);
	while (!q->closed && (q->nheap == 0 || q->heap[0]->due_ms > clock_mono_ms(q->clock)))
		wait_for_due(q);
	if (!q->closed) {
		e = q->heap[0];
		heap_remove(q, e);
		e->running = true;
		e->again = false;
		q->nrunning++;
		memcpy(ret_key, e->key, strlen(e->key) + 1);
	}
	(void)pthread_mutex_unlock(&q->mu);
	return e != NULL;
}

void
queue_done(struct queue *q, const char *key)
{
	struct entry *e;

	(void)pthread_mutex_lock(&q->mu);
	e = entry_find(q, key);
	if (e != NULL && e->running) {
		e->running = false;
		q->nrunning--;
		if (e->again) {
			e->again = false;
			entry_due(q, e, e->due_ms);
		}
		entry_drop_idle(q, e);
	}
	(void)pthread_mutex_unlock(&q->mu);
}

void
queue_close(struct queue *q)
{
	(void)pthread_mutex_lock(&q->mu);
	q->closed = true;
	(void)pthread_cond_broadcast(&q->changed);
	(void)pthread_mutex_unlock(&q->mu);
}

bool
queue_status(struct queue *q, const char *key, int64_t *ret_due_ms, unsigned *ret_failures)
{
	struct entry *e;
	bool waits = false;

	(void)pthread_mutex_lock(&q->mu);
	e = entry_find(q, key);
	if (e != NULL && (e->heap_at != NOT_IN_HEAP || e->again)) {
		*ret_due_ms = e->due_ms;
		*ret_failures = e->failures;
		waits = true;
	}
	(void)pthread_mutex_unlock(&q->mu);
	return waits;
}

unsigned
queue_length(struct queue *q)
{
	int64_t now = clock_mono_ms(q->clock);
	size_t n;

	(void)pthread_mutex_lock(&q->mu);
	n = q->nrunning;
	for (size_t i = 0; i < q->nheap; i++)
		n += q->heap[i]->due_ms <= now;
	(void)pthread_mutex_unlock(&q->mu);
	return (unsigned)n;
}
