#ifndef BACKEND_RUNTIME_THREAD_H
#define BACKEND_RUNTIME_THREAD_H

/*
 * Threads are made here only: named, with signals blocked and a fixed stack, ended by a stop flag,
 * a wake-up and a join. Never cancelled, never detached.
 */

#include <stdbool.h>

#include "model/base/error.h"

struct thread;
typedef void thread_fn(void *context);

bool thread_start(const char *name, thread_fn *run, void *context, struct thread **ret_thread,
    struct error *err) MUST_CHECK;
void thread_join(struct thread *t); /* frees it; NULL does nothing */

#endif
