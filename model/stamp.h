#ifndef MODEL_STAMP_H
#define MODEL_STAMP_H

/*
 * Points in time as Kubernetes writes them: RFC 3339 in UTC with whole seconds, and as we hold
 * them: milliseconds since 1970. Ages as people read them ("41d", "9m12s").
 *
 * Threads: pure. Failure: parsing refuses what is not RFC 3339; formatting cannot fail.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/text.h"

enum { STAMP_MAX = 32 };

/* "2026-11-30T16:28:55Z"; times before 1970 and after 9999 are clamped. Returns buf. */
const char *stamp_format(int64_t wall_ms, char buf[STAMP_MAX]);
/* Also with a fraction and with an offset. */
bool stamp_parse(struct str s, int64_t *ret_wall_ms) MUST_CHECK;
/* 0 when it is absent or not a time. */
int64_t stamp_or_zero(struct str s);
/* kubectl's short form of a span: 45s, 3m12s, 9m, 5h7m, 12h, 3d4h, 41d. Returns buf. */
const char *stamp_age(int64_t span_ms, char buf[STAMP_MAX]);

#endif
