#include "backend/sim/throttle.h"

#include <pthread.h>

#include "model/base/mem.h"

struct rate {
	double burst;
	double per_second;
};

/* clang-format off */
static const struct rate arm_rates[ARM_BUCKETS] = {
	[ARM_READS]   = { 250, 25 },
	[ARM_WRITES]  = { 200, 10 },
	[ARM_DELETES] = { 200, 10 },
};

static const struct rate provider_rates[BUCKET__MAX] = {
	[BUCKET_NONE]               = { 0, 0 },
	[BUCKET_CLUSTER_LIST]       = { 500, 1 },
	[BUCKET_CLUSTER_LIST_GROUP] = { 60, 1 },
	[BUCKET_CLUSTER_PUT]        = { 20, 1.0 / 60 },
	[BUCKET_POOL_PUT]           = { 20, 1.0 / 60 },
	[BUCKET_CLUSTER_GET]        = { 60, 1 },
	[BUCKET_OPERATION]          = { 200, 2 },
	[BUCKET_OTHER]              = { 60, 1 },
};
/* clang-format on */

struct level {
	uint64_t key; /* 0: free */
	double tokens;
	int64_t at_ms;
};

struct throttle {
	pthread_mutex_t lock; /* guards levels */
	struct level level[THROTTLE_MAX];
};

struct throttle *
throttle_new(void)
{
	struct throttle *t = mem_new(sizeof(*t));

	if (t != NULL)
		(void)pthread_mutex_init(&t->lock, NULL); /* cannot fail with default attributes */
	return t;
}

void
throttle_free(struct throttle *t)
{
	if (t == NULL)
		return;
	(void)pthread_mutex_destroy(&t->lock);
	mem_free(t);
}

static uint64_t
key_of(int group, int which, struct str scope)
{
	uint64_t h = 14695981039346656037ULL ^ ((uint64_t)(unsigned)group << 8) ^ (unsigned)which;

	for (size_t i = 0; i < scope.n; i++) {
		unsigned char ch = (unsigned char)scope.p[i];

		if (ch >= 'A' && ch <= 'Z')
			ch = (unsigned char)(ch + 32);
		h = (h ^ ch) * 1099511628211ULL;
	}
	return h | 1;
}

/* Open addressing over a few places; the oldest of them gives way. */
static struct level *
level_find(struct throttle *t, uint64_t key, double burst, int64_t now_ms)
{
	struct level *oldest = NULL;

	for (uint64_t i = 0; i < 8; i++) {
		struct level *l = &t->level[(key + i) % THROTTLE_MAX];

		if (l->key == key)
			return l;
		if (oldest == NULL || l->key == 0 || l->at_ms < oldest->at_ms)
			oldest = l;
		if (l->key == 0)
			break;
	}
	*oldest = (struct level){ key, burst, now_ms };
	return oldest;
}

static bool
take(struct throttle *t, uint64_t key, const struct rate *r, int64_t now_ms, long *ret_left,
    long *ret_after_s)
{
	struct level *l;
	bool ok;

	(void)pthread_mutex_lock(&t->lock);
	l = level_find(t, key, r->burst, now_ms);
	if (now_ms > l->at_ms) {
		l->tokens += (double)(now_ms - l->at_ms) / 1000.0 * r->per_second;
		if (l->tokens > r->burst)
			l->tokens = r->burst;
		l->at_ms = now_ms;
	}
	ok = l->tokens >= 1;
	if (ok)
		l->tokens -= 1;
	*ret_left = (long)l->tokens;
	*ret_after_s = ok ? 0 : (long)((1 - l->tokens) / r->per_second) + 1;
	(void)pthread_mutex_unlock(&t->lock);
	return ok;
}

bool
throttle_arm(struct throttle *t, struct str principal, enum arm_bucket which, int64_t now_ms,
    long *ret_left, long *ret_after_s)
{
	return take(
	    t, key_of(1, (int)which, principal), &arm_rates[which], now_ms, ret_left, ret_after_s);
}

bool
throttle_provider(
    struct throttle *t, enum bucket which, struct str scope, int64_t now_ms, long *ret_after_s)
{
	long left;

	if (which == BUCKET_NONE)
		return true;
	return take(
	    t, key_of(2, (int)which, scope), &provider_rates[which], now_ms, &left, ret_after_s);
}
