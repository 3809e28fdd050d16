#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "backend/runtime/failpoint.h"
#include "model/base/macros.h"

#ifdef FLIGHTDECK_FAULTS

static void
arm(const char *spec)
{
	assert_int_equal(setenv("FLIGHTDECK_FAILPOINT", spec, 1), 0);
	failpoint_reset();
}

static void
only_the_named_hit_fails(void **state UNUSED)
{
	arm("store/commit:2:error");
	assert_false(failpoint("store/commit", NULL));
	assert_false(failpoint("store/begin", NULL));
	assert_true(failpoint("store/commit", "any"));
	assert_false(failpoint("store/commit", NULL));
}

static void
key_narrows_the_point_and_several_can_be_armed(void **state UNUSED)
{
	arm("send@vpc:1:error, send@a:b:2:error");
	assert_false(failpoint("send", "subnet"));
	assert_false(failpoint("send", NULL));
	assert_true(failpoint("send", "vpc"));
	assert_false(failpoint("send", "a:b"));
	assert_true(failpoint("send", "a:b"));
}

static void
nonsense_arms_nothing(void **state UNUSED)
{
	arm("store/commit");
	assert_false(failpoint("store/commit", NULL));
	arm("store/commit:x:error,:1:error,store/commit:1:explode");
	assert_false(failpoint("store/commit", NULL));
}

static void
kill_is_a_real_kill(void **state UNUSED)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		(void)setenv("FLIGHTDECK_FAILPOINT", "p:2:kill", 1);
		failpoint_reset();
		(void)failpoint("p", NULL);
		(void)failpoint("p", NULL);
		_exit(7);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
}

static void
delay_takes_its_time(void **state UNUSED)
{
	struct timespec a, b;

	arm("p:1:delay=30");
	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &a), 0);
	assert_false(failpoint("p", NULL));
	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &b), 0);
	assert_true((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 >= 29);
}

static void
passes_are_counted_into_a_file(void **state UNUSED)
{
	char path[] = "/tmp/fd-failpoint-XXXXXX";
	char bytes[64] = { 0 };
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(setenv("FLIGHTDECK_FAILPOINT_COUNT", path, 1), 0);
	arm("");
	(void)failpoint("store/begin", NULL);
	(void)failpoint("send", "vpc");
	assert_int_equal(unsetenv("FLIGHTDECK_FAILPOINT_COUNT"), 0);
	failpoint_reset();
	(void)failpoint("store/begin", NULL);
	assert_int_equal(read(fd, bytes, sizeof bytes - 1), 22);
	assert_string_equal(bytes, "store/begin \nsend vpc\n");
	assert_int_equal(close(fd), 0);
	assert_int_equal(unlink(path), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_named_hit_fails),
		cmocka_unit_test(key_narrows_the_point_and_several_can_be_armed),
		cmocka_unit_test(nonsense_arms_nothing),
		cmocka_unit_test(kill_is_a_real_kill),
		cmocka_unit_test(delay_takes_its_time),
		cmocka_unit_test(passes_are_counted_into_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void
point_costs_nothing(void **state UNUSED)
{
	assert_int_equal(setenv("FLIGHTDECK_FAILPOINT", "p:1:error", 1), 0);
	assert_false(failpoint("p", NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(point_costs_nothing) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
