#include "backend/providers/azure/azure_int.h"

/*
 * Token buckets as Azure Resource Manager publishes them (facts 4.5), a little below, so that one
 * console alone is never refused. A 429 stops the whole account until its Retry-After: the limit is
 * the account's, not the request's.
 */

static const struct {
	double burst, per_second;
} limits[THROTTLE__MAX] = {
	[THROTTLE_READ] = { 240, 24 },
	[THROTTLE_WRITE] = { 190, 9.5 },
	[THROTTLE_DELETE] = { 190, 9.5 },
};

enum { BLOCK_DEFAULT_MS = 5000, BLOCK_MAX_MS = 10 * 60 * 1000, REMAINING_LOW = 5, LOW_MS = 1000 };

static void
refill(struct throttle *t, int64_t now)
{
	for (int k = 0; k < THROTTLE__MAX; k++) {
		if (t->at == 0)
			t->level[k] = limits[k].burst;
		else if (now > t->at)
			t->level[k] += (double)(now - t->at) / 1000.0 * limits[k].per_second;
		if (t->level[k] > limits[k].burst)
			t->level[k] = limits[k].burst;
	}
	t->at = now > 0 ? now : 1;
}

int64_t
throttle_take(struct throttle *t, enum throttle_kind kind, int64_t now)
{
	refill(t, now);
	if (t->blocked_until > now)
		return t->blocked_until - now;
	if (t->level[kind] < 1.0)
		return (int64_t)((1.0 - t->level[kind]) / limits[kind].per_second * 1000.0) + 1;
	t->level[kind] -= 1.0;
	return 0;
}

void
throttle_refused(struct throttle *t, int64_t now, int64_t retry_after_ms)
{
	int64_t ms = retry_after_ms > 0 ? retry_after_ms : BLOCK_DEFAULT_MS;

	if (ms > BLOCK_MAX_MS)
		ms = BLOCK_MAX_MS;
	if (now + ms > t->blocked_until)
		t->blocked_until = now + ms;
}

void
throttle_note(struct throttle *t, enum throttle_kind kind, int64_t remaining)
{
	t->remaining[kind] = remaining;
	/* Others use the same account: leave them and us some room. */
	if (remaining < REMAINING_LOW)
		throttle_refused(t, t->at, LOW_MS);
}
