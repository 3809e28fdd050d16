#ifndef BACKEND_RUNTIME_CLOCK_H
#define BACKEND_RUNTIME_CLOCK_H

/*
 * Time, passed in. Two clocks that are never mixed: wall (for people, certificates, timestamps) and
 * mono (for back-off, leases and deadlines). In practice both run `speed` times faster than real
 * time from a common epoch, so that every process of the profile agrees on "now".
 *
 * Threads: any; a clock is immutable, but for tests' clock_advance (locks inside).
 */

#include <stdint.h>

struct clock;

/* speed 1, epoch 0: real time. Otherwise wall = epoch + (real - epoch) * speed. */
struct clock *clock_new(double speed, int64_t epoch_ms);
/* A clock that moves only by clock_advance, for tests. */
struct clock *clock_new_manual(int64_t wall_ms);
void clock_free(struct clock *c);
void clock_advance(struct clock *c, int64_t ms);

int64_t clock_wall_ms(struct clock *c);
int64_t clock_mono_ms(struct clock *c);
/* Real milliseconds that a span of this clock takes, rounded up, at least 1 for a positive span. */
int64_t clock_real_ms(struct clock *c, int64_t span_ms);
double clock_speed(struct clock *c);

#endif
