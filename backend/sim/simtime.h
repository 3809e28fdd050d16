#ifndef BACKEND_SIM_SIMTIME_H
#define BACKEND_SIM_SIMTIME_H

/*
 * The simulator's time: the rule of the profile's clock (wall = epoch + (real - epoch) * speed), so
 * that it agrees with every other process of the profile, and the forms in which Azure writes time.
 *
 * Threads: any. Not here: pauses (the director's condition variable, sim.c).
 */

#include <stdatomic.h>
#include <stdint.h>

#include "model/base/text.h"

struct simtime {
	double speed;		   /* 0: frozen at `frozen_ms` */
	int64_t epoch_ms;	   /* wall time from which time runs faster */
	_Atomic int64_t frozen_ms; /* used when speed is 0 */
};

int64_t simtime_real_ms(void); /* the machine's wall clock */
int64_t simtime_now(const struct simtime *t);
/* Real milliseconds until the given wall time; at least 0, at most a minute. */
int64_t simtime_wait_ms(const struct simtime *t, int64_t until_ms);

/* "2026-11-30T12:00:00Z", or with seven digits of a second as Azure writes operations. */
void simtime_add(struct text *out, int64_t wall_ms);
void simtime_add_fine(struct text *out, int64_t wall_ms);
/* "2026-11-30 12:00:00Z" as sign-in writes it. */
void simtime_add_spaced(struct text *out, int64_t wall_ms);
/* "11/30/2026 12:00:00 PM" as resource manager writes it in a refused token. */
void simtime_add_us(struct text *out, int64_t wall_ms);

#endif
