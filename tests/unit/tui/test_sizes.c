/* Every size draws something; the cost of a frame does not grow with the rows. */
#include "helper_fleet.h"

#include <string.h>
#include <time.h>

static const char *const ways[] = { "", "2", "3", "3 o", "4", "5", "6", "j j x", "X", "?", ":",
	"j s", "j t", "j D", "n", "/", "j u" };

static void
every_size_draws(struct bench *b, int step)
{
	for (int h = 1; h <= 60; h += h < 10 ? 1 : h < 30 ? 2 : step)
		for (int w = 1; w <= 200; w += w < 16 ? 1 : step) {
			const char *s = bench_screen(b, w, h);

			assert_true(strlen(s) > 0);
		}
	(void)bench_screen(b, 184, 39);
	(void)bench_screen(b, 500, 250);
}

static void
every_pane_at_every_size(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		struct bench b;

		bench_open(&b, fixture_fleet());
		bench_keys(&b, ways[i]);
		every_size_draws(&b, 13);
		bench_close(&b);
	}
}

static void
every_count_of_rows(void **state)
{
	static const size_t counts[] = { 0, 1, 8, 200 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		for (size_t p = 0; p < 9; p += 8) {
			struct bench b;

			bench_open(&b, fixture_many(counts[i], p));
			for (const char *key = "123456"; *key != '\0'; key++) {
				char name[2] = { *key, '\0' };

				bench_keys(&b, name);
				every_size_draws(&b, 31);
				bench_keys(&b, "G j k g");
			}
			bench_close(&b);
		}
}

static void
small_screens_keep_name_and_state(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	assert_non_null(strstr(bench_screen(&b, 40, 12), "aks-bad"));
	assert_non_null(strstr(bench_screen(&b, 40, 12), "!! Error"));
	bench_close(&b);
}

static double
seconds(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Ten frames of ten thousand rows against ten of ten; a wide margin, for slow machines. */
static void
frames_cost_the_same_with_many_rows(void **state)
{
	double cost[2];
	static const size_t counts[] = { 10, 10000 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct bench b;
		double start;

		bench_open(&b, fixture_many(counts[i], 1));
		(void)bench_screen(&b, 160, 50);
		start = seconds();
		for (int n = 0; n < 40; n++) {
			b.console.mono_ms += 10;
			console_key(&b.console, (struct input_key){ 'j', false });
			(void)bench_screen(&b, 160, 50);
		}
		cost[i] = seconds() - start;
		bench_close(&b);
	}
	if (cost[1] > cost[0] * 4 + 0.02)
		fail_msg("40 frames: %.1f ms with 10 rows, %.1f ms with 10,000", cost[0] * 1e3,
		    cost[1] * 1e3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_pane_at_every_size),
		cmocka_unit_test(every_count_of_rows),
		cmocka_unit_test(small_screens_keep_name_and_state),
		cmocka_unit_test(frames_cost_the_same_with_many_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
