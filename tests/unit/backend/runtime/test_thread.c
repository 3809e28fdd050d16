#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <pthread.h>
#include <signal.h>

#include "backend/runtime/thread.h"
#include "model/base/mem.h"

struct seen {
	char name[16];
	sigset_t blocked;
	size_t stack;
};

static void
look(void *context)
{
	struct seen *s = context;
	pthread_attr_t attr;

	(void)pthread_getname_np(pthread_self(), s->name, sizeof s->name);
	(void)pthread_sigmask(SIG_BLOCK, NULL, &s->blocked);
	if (pthread_getattr_np(pthread_self(), &attr) == 0) {
		(void)pthread_attr_getstacksize(&attr, &s->stack);
		(void)pthread_attr_destroy(&attr);
	}
}

static void
thread_has_name_stack_and_no_signals(void **state UNUSED)
{
	struct seen seen = { 0 };
	struct thread *t = NULL;
	struct error err;
	sigset_t before, after;

	assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &before), 0);
	assert_true(thread_start("a-name-that-is-longer-than-15", look, &seen, &t, &err));
	thread_join(t);
	assert_string_equal(seen.name, "a-name-that-is-");
	assert_int_equal(seen.stack, 2 * 1024 * 1024);
	assert_true(sigismember(&seen.blocked, SIGTERM) && sigismember(&seen.blocked, SIGWINCH));
	assert_false(sigismember(&seen.blocked, SIGSEGV)); /* its handler restores the terminal */
	assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &after), 0);
	assert_int_equal(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
}

static void
no_memory_starts_nothing(void **state UNUSED)
{
	struct thread *t = NULL;
	struct error err;
	bool ok;

	mem_fault_arm(0);
	ok = thread_start("t", look, NULL, &t, &err);
	mem_fault_arm(-1);
	assert_false(ok);
	assert_int_equal(err.code, ERR_NO_MEMORY);
	assert_null(t);
	thread_join(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thread_has_name_stack_and_no_signals),
		cmocka_unit_test(no_memory_starts_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
