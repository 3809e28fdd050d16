#include "backend/runtime/clock.h"

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "model/base/mem.h"

struct clock {
	double speed;
	int64_t epoch_ms;
	int64_t mono_base_ms; /* real monotonic time at which mono was the same as real */
	bool manual;
	pthread_mutex_t mu; /* guards the two below; only a manual clock changes them */
	int64_t manual_wall_ms;
	int64_t manual_mono_ms;
};

enum { MS_PER_SECOND = 1000, NS_PER_MS = 1000 * 1000, MANUAL_MONO_START_MS = 1000 };

static int64_t
real_ms(clockid_t id)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(id, &ts); /* cannot fail for these two clocks */
	return (int64_t)ts.tv_sec * MS_PER_SECOND + ts.tv_nsec / NS_PER_MS;
}

static struct clock *
clock_make(double speed, int64_t epoch_ms, bool manual)
{
	struct clock *c = mem_new(sizeof *c);

	if (c == NULL)
		return NULL;
	if (pthread_mutex_init(&c->mu, NULL) != 0) {
		mem_free(c);
		return NULL;
	}
	c->speed = speed > 0 ? speed : 1;
	c->epoch_ms = epoch_ms;
	c->mono_base_ms = real_ms(CLOCK_MONOTONIC);
	c->manual = manual;
	return c;
}

struct clock *
clock_new(double speed, int64_t epoch_ms)
{
	return clock_make(speed, epoch_ms, false);
}

struct clock *
clock_new_manual(int64_t wall_ms)
{
	struct clock *c = clock_make(1, 0, true);

	if (c != NULL) {
		c->manual_wall_ms = wall_ms;
		c->manual_mono_ms = MANUAL_MONO_START_MS;
	}
	return c;
}

void
clock_free(struct clock *c)
{
	if (c == NULL)
		return;
	(void)pthread_mutex_destroy(&c->mu);
	mem_free(c);
}

void
clock_advance(struct clock *c, int64_t ms)
{
	(void)pthread_mutex_lock(&c->mu);
	c->manual_wall_ms += ms;
	c->manual_mono_ms += ms > 0 ? ms : 0; /* the wall may jump back, mono never does */
	(void)pthread_mutex_unlock(&c->mu);
}

static int64_t
manual_get(struct clock *c, const int64_t *field)
{
	int64_t v;

	(void)pthread_mutex_lock(&c->mu);
	v = *field;
	(void)pthread_mutex_unlock(&c->mu);
	return v;
}

int64_t
clock_wall_ms(struct clock *c)
{
	int64_t now;

	if (c->manual)
		return manual_get(c, &c->manual_wall_ms);
	now = real_ms(CLOCK_REALTIME);
	if (c->speed == 1)
		return now;
	return c->epoch_ms + (int64_t)((double)(now - c->epoch_ms) * c->speed);
}

int64_t
clock_mono_ms(struct clock *c)
{
	int64_t now;

	if (c->manual)
		return manual_get(c, &c->manual_mono_ms);
	now = real_ms(CLOCK_MONOTONIC);
	if (c->speed == 1)
		return now;
	return c->mono_base_ms + (int64_t)((double)(now - c->mono_base_ms) * c->speed);
}

int64_t
clock_real_ms(struct clock *c, int64_t span_ms)
{
	double real;

	if (span_ms <= 0)
		return 0;
	if (c->manual)
		return 1; /* somebody else moves it: look again soon */
	real = (double)span_ms / c->speed;
	return real < 1 ? 1 : (int64_t)(real + 0.999);
}

double
clock_speed(struct clock *c)
{
	return c->speed;
}
