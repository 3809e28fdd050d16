#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <time.h>

#include "backend/runtime/clock.h"
#include "model/base/macros.h"

static int64_t
real_wall_ms(void)
{
	struct timespec ts;

	assert_int_equal(clock_gettime(CLOCK_REALTIME, &ts), 0);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void
real_clock_is_the_wall_clock(void **state UNUSED)
{
	struct clock *c = clock_new(1, 0);
	int64_t before = real_wall_ms();
	int64_t seen = clock_wall_ms(c);

	assert_true(seen >= before && seen <= real_wall_ms());
	assert_int_equal(clock_real_ms(c, 1500), 1500);
	clock_free(c);
}

static void
fast_clocks_of_one_epoch_agree(void **state UNUSED)
{
	int64_t epoch = real_wall_ms() - 10000;
	struct clock *a = clock_new(1000, epoch);
	struct clock *b = clock_new(1000, epoch);
	int64_t seen = clock_wall_ms(a);

	assert_true(seen - epoch >= 10000 * INT64_C(1000));
	assert_true(llabs(clock_wall_ms(b) - seen) < 1000 * INT64_C(1000));
	assert_int_equal(clock_real_ms(a, 300000), 300);
	assert_int_equal(clock_real_ms(a, 1), 1);
	assert_int_equal(clock_real_ms(a, 1001), 2);
	assert_int_equal(clock_real_ms(a, 0), 0);
	clock_free(a);
	clock_free(b);
}

static void
mono_runs_at_speed(void **state UNUSED)
{
	struct clock *c = clock_new(1000, real_wall_ms());
	struct timespec pause = { .tv_nsec = 5 * 1000000 };
	int64_t start = clock_mono_ms(c);

	assert_int_equal(nanosleep(&pause, NULL), 0);
	assert_true(clock_mono_ms(c) - start >= 4000);
	clock_free(c);
}

static void
manual_clock_moves_only_by_hand_and_mono_never_back(void **state UNUSED)
{
	struct clock *c = clock_new_manual(5000);
	int64_t mono = clock_mono_ms(c);

	assert_int_equal(clock_wall_ms(c), 5000);
	clock_advance(c, 250);
	assert_int_equal(clock_wall_ms(c), 5250);
	assert_int_equal(clock_mono_ms(c), mono + 250);
	clock_advance(c, -3600 * 1000);
	assert_int_equal(clock_wall_ms(c), 5250 - 3600 * 1000);
	assert_int_equal(clock_mono_ms(c), mono + 250);
	clock_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_clock_is_the_wall_clock),
		cmocka_unit_test(fast_clocks_of_one_epoch_agree),
		cmocka_unit_test(mono_runs_at_speed),
		cmocka_unit_test(manual_clock_moves_only_by_hand_and_mono_never_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
