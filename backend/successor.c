/*
 * Opening the next backend beside the one that lost its owner, on a thread of its own: taking the
 * lock and starting the controllers takes a moment in which the screen goes on.
 */

#include <stdatomic.h>

#include "backend/backend_int.h"
#include "model/base/mem.h"

struct successor {
	struct backend *old; /* borrowed: woken at the end */
	struct backend_options opt;
	struct thread *thread;
	struct backend *fresh; /* set before done is */
	struct error err;
	atomic_bool done;
};

static void
successor_run(void *context)
{
	struct successor *s = context;

	if (!backend_open(&s->opt, &s->fresh, &s->err))
		s->fresh = NULL;
	atomic_store(&s->done, true);
	backend_wake(s->old);
}

bool
backend_successor_start(struct backend *b, const struct backend_options *opt,
    struct successor **ret_successor, struct error *err)
{
	struct successor *s = mem_new(sizeof(*s));

	if (s == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a backend");
	s->old = b;
	s->opt = *opt;
	if (!thread_start("successor", successor_run, s, &s->thread, err)) {
		mem_free(s);
		return false;
	}
	*ret_successor = s;
	return true;
}

bool
backend_successor_take(
    struct successor **take, struct backend **ret_backend, struct error *ret_failed)
{
	struct successor *s = *take;

	if (!atomic_load(&s->done))
		return false;
	thread_join(s->thread);
	s->thread = NULL;
	*ret_backend = s->fresh;
	if (ret_failed != NULL)
		*ret_failed = s->err;
	s->fresh = NULL;
	backend_successor_free(s);
	*take = NULL;
	return true;
}

void
backend_successor_free(struct successor *s)
{
	if (s == NULL)
		return;
	thread_join(s->thread);
	backend_close(s->fresh);
	mem_free(s);
}
