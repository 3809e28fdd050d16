#ifndef BACKEND_RUNTIME_FAILPOINT_H
#define BACKEND_RUNTIME_FAILPOINT_H

/*
 * Named places where a test build can be killed, delayed or made to fail. In a build without
 * FLIGHTDECK_FAULTS they cost nothing. FLIGHTDECK_FAILPOINT="name[@key]:hit:action" arms one:
 * the hit-th pass (from 1, of the whole process) does `kill` (SIGKILL to itself), `error`, or
 * `delay=MS`; several are separated by commas. FLIGHTDECK_FAILPOINT_COUNT=FILE appends one line a
 * pass, for counting a clean run.
 *
 * Threads: any.
 */

#include <stdbool.h>

#ifdef FLIGHTDECK_FAULTS
/* True when the caller must behave as if the step had failed. key may be NULL. */
bool failpoint(const char *name, const char *key);
/* Reads the environment again and counts from zero: for a test's child process. */
void failpoint_reset(void);
#else
static inline bool
failpoint(const char *name, const char *key)
{
	(void)name;
	(void)key;
	return false;
}
#endif

#endif
