#ifndef MODEL_DURATION_H
#define MODEL_DURATION_H

/*
 * Spans and points of time in text. Points are milliseconds since 1970 UTC, given and returned; no
 * clock is read and no time zone looked up.
 *
 * Threads: pure.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/text.h"

/* "30s", "1h30m", "1.5h", "250ms", "-5s", "0": as Go reads durations; finer than 1 ms is cut. */
bool duration_parse(struct str text, int64_t *ret_ms, struct error *err) MUST_CHECK;
void duration_format(int64_t ms, struct text *out); /* "1h30m0s", "1.5s", "250ms", "0s" */

/* How kubectl shows ages: two units at most, fewer as it grows: "45s", "5m10s", "3h", "12d". */
void duration_format_age(int64_t ms, struct text *out);

/* RFC 3339 with Z or an offset, with or without a fraction. */
bool time_parse(struct str text, int64_t *ret_ms, struct error *err) MUST_CHECK;
void time_format(int64_t ms, struct text *out);	      /* 2006-01-02T15:04:05Z */
void time_format_micro(int64_t ms, struct text *out); /* 2006-01-02T15:04:05.678000Z, of leases */

struct civil {
	int64_t year;
	unsigned month, day; /* from 1 */
	unsigned hour, minute, second, ms;
	unsigned weekday; /* Sunday is 0 */
};

struct civil civil_from_ms(int64_t ms);

#endif
