#include "backend/runtime/thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>

#include "backend/runtime/statedir.h"
#include "model/base/mem.h"

/* libcurl with TLS is the deepest user; address space only, pages come when touched. */
enum { STACK_BYTES = 2 * 1024 * 1024, NAME_BYTES = 16 /* of the kernel */ };

struct thread {
	pthread_t id;
	thread_fn *run;
	void *context;
	char name[NAME_BYTES];
};

static void *
thread_main(void *arg)
{
	struct thread *t = arg;

	(void)pthread_setname_np(pthread_self(), t->name); /* cosmetic */
	t->run(t->context);
	return NULL;
}

/* All but the ones that a fault of this very thread raises: those must reach their handler. */
static void
signals_to_block(sigset_t *set)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };

	(void)sigfillset(set);
	for (size_t i = 0; i < ARRAY_LEN(faults); i++)
		(void)sigdelset(set, faults[i]);
}

bool
thread_start(
    const char *name, thread_fn *run, void *context, struct thread **ret_thread, struct error *err)
{
	struct thread *t = mem_new(sizeof *t);
	pthread_attr_t attr;
	sigset_t block, old;
	int rc;

	if (t == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for thread '%s'", name);
	t->run = run;
	t->context = context;
	(void)snprintf(t->name, sizeof t->name, "%s", name);
	rc = pthread_attr_init(&attr);
	if (rc != 0)
		goto fail;
	(void)pthread_attr_setstacksize(&attr, STACK_BYTES);
	signals_to_block(&block);
	(void)pthread_sigmask(SIG_SETMASK, &block, &old); /* the new thread inherits it */
	rc = pthread_create(&t->id, &attr, thread_main, t);
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	(void)pthread_attr_destroy(&attr);
	if (rc != 0)
		goto fail;
	*ret_thread = t;
	return true;
fail:
	mem_free(t);
	error_set(err, ERR_NO_MEMORY, "cannot start thread '%s': %s", name, errno_text(rc));
	error_advise(err, "raise the limit of processes (ulimit -u) or end other programs");
	return false;
}

void
thread_join(struct thread *t)
{
	if (t == NULL)
		return;
	(void)pthread_join(t->id, NULL);
	mem_free(t);
}
