#include "model/stamp.h"

#include <stdio.h>

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

#define LAST_MS INT64_C(253402300799000) /* 9999-12-31T23:59:59Z */

/* Days since 1970-01-01 of a date of the Gregorian calendar, for years from 1970. */
static int64_t
days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t era = y / 400;
	int64_t of_era = y - era * 400;
	int64_t shifted = month > 2 ? month - 3 : month + 9;
	int64_t of_year = (153 * shifted + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void
date_of(int64_t days, int *ret_year, int *ret_month, int *ret_day)
{
	int64_t z = days + 719468;
	int64_t era = z / 146097;
	int64_t of_era = z - era * 146097;
	int64_t year =
	    (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365 + era * 400;
	int64_t of_year =
	    of_era - (365 * (year - era * 400) + (year - era * 400) / 4 - (year - era * 400) / 100);
	int64_t shifted = (5 * of_year + 2) / 153;

	*ret_day = (int)(of_year - (153 * shifted + 2) / 5 + 1);
	*ret_month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
	*ret_year = (int)(*ret_month <= 2 ? year + 1 : year);
}

const char *
stamp_format(int64_t wall_ms, char buf[STAMP_MAX])
{
	int64_t ms = wall_ms < 0 ? 0 : wall_ms > LAST_MS ? LAST_MS : wall_ms;
	int year, month, day;
	int of_day = (int)(ms % DAY / SECOND);

	date_of(ms / DAY, &year, &month, &day);
	/* The remainders say to the compiler how long each number can get. */
	(void)snprintf(buf, STAMP_MAX, "%04u-%02u-%02uT%02u:%02u:%02uZ", (unsigned)year % 10000,
	    (unsigned)month % 100, (unsigned)day % 100, (unsigned)of_day / 3600 % 100,
	    (unsigned)of_day / 60 % 60, (unsigned)of_day % 60);
	return buf;
}

static bool
digits_take(struct str *s, size_t n, int64_t *ret_value)
{
	if (s->n < n || !str_to_int(str_sub(*s, 0, n), ret_value))
		return false;
	*s = str_sub(*s, n, s->n - n);
	return true;
}

static bool
mark_take(struct str *s, char mark)
{
	if (s->n == 0 || s->p[0] != mark)
		return false;
	*s = str_sub(*s, 1, s->n - 1);
	return true;
}

/* The fraction after the seconds, as whole milliseconds. */
static bool
fraction_take(struct str *s, int64_t *ret_ms)
{
	int64_t ms = 0, weight = 100;
	size_t n = 0;

	for (; n < s->n && s->p[n] >= '0' && s->p[n] <= '9'; n++) {
		ms += weight * (s->p[n] - '0');
		weight /= 10;
	}
	if (n == 0 || n > 9)
		return false;
	*s = str_sub(*s, n, s->n - n);
	*ret_ms = ms;
	return true;
}

static bool
offset_take(struct str *s, int64_t *ret_ms)
{
	int64_t hours, minutes, sign;

	if (s->n == 1 && (s->p[0] == 'Z' || s->p[0] == 'z')) {
		*ret_ms = 0;
		return true;
	}
	if (s->n != 6 || (s->p[0] != '+' && s->p[0] != '-'))
		return false;
	sign = s->p[0] == '-' ? -1 : 1;
	*s = str_sub(*s, 1, 5);
	if (!digits_take(s, 2, &hours) || !mark_take(s, ':') || !digits_take(s, 2, &minutes))
		return false;
	*ret_ms = sign * (hours * HOUR + minutes * MINUTE);
	return hours <= 23 && minutes <= 59;
}

bool
stamp_parse(struct str s, int64_t *ret_wall_ms)
{
	int64_t year, month, day, hour, minute, second, fraction = 0, offset;

	if (!digits_take(&s, 4, &year) || !mark_take(&s, '-') || !digits_take(&s, 2, &month) ||
	    !mark_take(&s, '-') || !digits_take(&s, 2, &day))
		return false;
	if (!mark_take(&s, 'T') && !mark_take(&s, 't') && !mark_take(&s, ' '))
		return false;
	if (!digits_take(&s, 2, &hour) || !mark_take(&s, ':') || !digits_take(&s, 2, &minute) ||
	    !mark_take(&s, ':') || !digits_take(&s, 2, &second))
		return false;
	if (mark_take(&s, '.') && !fraction_take(&s, &fraction))
		return false;
	if (!offset_take(&s, &offset))
		return false;
	if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 ||
	    minute > 59 || second > 60)
		return false;
	*ret_wall_ms = days_of(year, month, day) * DAY + hour * HOUR + minute * MINUTE +
		       second * SECOND + fraction - offset;
	return true;
}

int64_t
stamp_or_zero(struct str s)
{
	int64_t ms;

	return stamp_parse(s, &ms) ? ms : 0;
}

/* How kubectl cuts spans: two units while the first is small, one after that. */
const char *
stamp_age(int64_t span_ms, char buf[STAMP_MAX])
{
	static const struct {
		int64_t below, unit, part;
		const char *name, *part_name;
	} rows[] = {
		{ 2 * (int64_t)MINUTE, SECOND, 0, "s", "" },
		{ 10 * (int64_t)MINUTE, MINUTE, SECOND, "m", "s" },
		{ 3 * (int64_t)HOUR, MINUTE, 0, "m", "" },
		{ 8 * (int64_t)HOUR, HOUR, MINUTE, "h", "m" },
		{ 2 * (int64_t)DAY, HOUR, 0, "h", "" },
		{ 8 * (int64_t)DAY, DAY, HOUR, "d", "h" },
		{ INT64_MAX, DAY, 0, "d", "" },
	};
	int64_t span = span_ms < 0 ? 0 : span_ms;
	size_t i = 0;

	while (i + 1 < sizeof(rows) / sizeof(rows[0]) && span >= rows[i].below)
		i++;
	if (rows[i].part != 0 && span % rows[i].unit / rows[i].part != 0)
		(void)snprintf(buf, STAMP_MAX, "%d%s%d%s", (int)(span / rows[i].unit), rows[i].name,
		    (int)(span % rows[i].unit / rows[i].part), rows[i].part_name);
	else
		(void)snprintf(
		    buf, STAMP_MAX, "%lld%s", (long long)(span / rows[i].unit), rows[i].name);
	return buf;
}
