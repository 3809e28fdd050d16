#ifndef BACKEND_SIM_THROTTLE_H
#define BACKEND_SIM_THROTTLE_H

/*
 * The token buckets of Azure (facts/azure.md 4.5), on the simulator's time: those of the
 * subscription and principal for reads, writes and deletes, and those of the AKS provider.
 *
 * Ownership: throttle_free. Threads: any (a lock inside). Limit: THROTTLE_MAX buckets are
 * remembered; the one not used for longest makes room (it is full again by then).
 */

#include <stdbool.h>
#include <stdint.h>

#include "backend/sim/arm.h"

enum { THROTTLE_MAX = 4096 };

struct throttle;

enum arm_bucket { ARM_READS, ARM_WRITES, ARM_DELETES, ARM_BUCKETS };

struct throttle *throttle_new(void);
void throttle_free(struct throttle *t);

/*
 * Takes one token of a subscription's bucket. *ret_left is what remains; false when there is none,
 * with the seconds after which there will be.
 */
bool throttle_arm(struct throttle *t, struct str principal, enum arm_bucket which, int64_t now_ms,
    long *ret_left, long *ret_after_s);
/* The same of the provider; `scope` is the cluster, pool, group or subscription it counts for. */
bool throttle_provider(
    struct throttle *t, enum bucket which, struct str scope, int64_t now_ms, long *ret_after_s);

#endif
