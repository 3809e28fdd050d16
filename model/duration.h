#ifndef MODEL_DURATION_H
#define MODEL_DURATION_H

/*
 * Spans of time in text, as Go writes and reads them. Points in time and ages: model/stamp.h.
 *
 * Threads: pure.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/text.h"

/* "30s", "1h30m", "1.5h", "250ms", "-5s", "0": as Go reads durations; finer than 1 ms is cut. */
bool duration_parse(struct str text, int64_t *ret_ms, struct error *err) MUST_CHECK;
void duration_format(int64_t ms, struct text *out); /* "1h30m0s", "1.5s", "250ms", "0s" */

#endif
