#ifndef BACKEND_RUNTIME_QUEUE_H
#define BACKEND_RUNTIME_QUEUE_H

/*
 * The work queue of the controllers: keys, not work. A key is worked on by one worker at a time;
 * one that is added meanwhile is worked on once more afterwards. Failures back off per key (full
 * jitter, 500 ms doubling to 5 minutes, trust.md 1.1), successes forget the back-off.
 *
 * A key is "controller/namespace/name". Threads: any (one lock inside).
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/error.h"

struct clock;
struct queue;

enum { QUEUE_KEY_MAX = 400 };

struct queue *queue_new(struct clock *clock, uint64_t seed) MUST_CHECK;
void queue_free(struct queue *q);

void queue_add(struct queue *q, const char *key);			  /* now */
void queue_add_after(struct queue *q, const char *key, int64_t delay_ms); /* keeps the earlier */
void queue_retry(struct queue *q, const char *key, int64_t at_least_ms);  /* backs off */
void queue_forget(struct queue *q, const char *key);			  /* back-off is over */

/* Blocks. False when the queue is closed and empty of running work to hand out. */
bool queue_take(struct queue *q, char ret_key[QUEUE_KEY_MAX]);
void queue_done(struct queue *q, const char *key); /* the worker has finished with it */
void queue_close(struct queue *q);

/* When the key is due again (clock's mono ms) and how often it failed; false when not waiting. */
bool queue_status(struct queue *q, const char *key, int64_t *ret_due_ms, unsigned *ret_failures);
unsigned queue_length(struct queue *q); /* due now or running */

#endif
