#include "backend/sim/simtime.h"

#include <time.h>

enum { MS_PER_DAY = 86400000, WAIT_MAX_MS = 60000 };

struct civil {
	int64_t year;
	unsigned month, day, hour, minute, second, ms;
};

int64_t
simtime_real_ms(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &ts); /* cannot fail for this clock */
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int64_t
simtime_now(const struct simtime *t)
{
	int64_t real;

	if (t->speed <= 0)
		return atomic_load(&t->frozen_ms);
	real = simtime_real_ms();
	if (t->epoch_ms <= 0)
		return real;
	return t->epoch_ms + (int64_t)((double)(real - t->epoch_ms) * t->speed);
}

int64_t
simtime_wait_ms(const struct simtime *t, int64_t until_ms)
{
	double span = (double)(until_ms - simtime_now(t));

	if (span <= 0)
		return 0;
	if (t->speed <= 0)
		return WAIT_MAX_MS;
	span = span / t->speed;
	return span >= WAIT_MAX_MS ? WAIT_MAX_MS : (int64_t)span + 1;
}

/* Days since 1970 to a date (proleptic Gregorian, eras of 400 years). */
static struct civil
civil_from_ms(int64_t ms)
{
	struct civil c = { 0 };
	int64_t days = ms / MS_PER_DAY;
	int64_t rest = ms % MS_PER_DAY;
	int64_t era, doe, yoe, doy, mp;

	if (rest < 0) {
		rest += MS_PER_DAY;
		days--;
	}
	days += 719468;
	era = (days >= 0 ? days : days - 146096) / 146097;
	doe = days - era * 146097;
	yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	mp = (5 * doy + 2) / 153;
	c.day = (unsigned)(doy - (153 * mp + 2) / 5 + 1);
	c.month = (unsigned)(mp < 10 ? mp + 3 : mp - 9);
	c.year = yoe + era * 400 + (c.month <= 2 ? 1 : 0);
	c.hour = (unsigned)(rest / 3600000);
	c.minute = (unsigned)(rest / 60000 % 60);
	c.second = (unsigned)(rest / 1000 % 60);
	c.ms = (unsigned)(rest % 1000);
	return c;
}

void
simtime_add(struct text *out, int64_t wall_ms)
{
	struct civil c = civil_from_ms(wall_ms);

	text_printf(out, "%04lld-%02u-%02uT%02u:%02u:%02uZ", (long long)c.year, c.month, c.day,
	    c.hour, c.minute, c.second);
}

void
simtime_add_fine(struct text *out, int64_t wall_ms)
{
	struct civil c = civil_from_ms(wall_ms);

	text_printf(out, "%04lld-%02u-%02uT%02u:%02u:%02u.%03u4567Z", (long long)c.year, c.month,
	    c.day, c.hour, c.minute, c.second, c.ms);
}

void
simtime_add_spaced(struct text *out, int64_t wall_ms)
{
	struct civil c = civil_from_ms(wall_ms);

	text_printf(out, "%04lld-%02u-%02u %02u:%02u:%02uZ", (long long)c.year, c.month, c.day,
	    c.hour, c.minute, c.second);
}

void
simtime_add_us(struct text *out, int64_t wall_ms)
{
	struct civil c = civil_from_ms(wall_ms);
	unsigned hour = c.hour % 12 == 0 ? 12 : c.hour % 12;

	text_printf(out, "%u/%u/%lld %u:%02u:%02u %s", c.month, c.day, (long long)c.year, hour,
	    c.minute, c.second, c.hour < 12 ? "AM" : "PM");
}
