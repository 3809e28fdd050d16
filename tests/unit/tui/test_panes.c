/* Golden screens of every pane, at both sizes of the design. */
#include "helper_fleet.h"

#include "tui/panes/panes.h"

static const struct {
	const char *name, *keys;
} screens[] = {
	{ "clusters", "" },
	{ "clusters-marked", "j space space ! !" },
	{ "pools", "2" },
	{ "gpus", "3" },
	{ "gpus-by-cluster", "3 o" },
	{ "caches", "4" },
	{ "events", "5" },
	{ "classes", "6" },
	{ "tree", "j j x" },
	{ "tree-below", "j j x j j j j j" },
	{ "why", "X" },
	{ "why-creating", "j j X" },
	{ "help", "?" },
	{ "problems", "!" },
	{ "palette", ": a k s" },
	{ "scale", "j s" },
	{ "taint", "j t" },
	{ "delete", "j D" },
	{ "pools-of-cluster", "j enter" },
};

static void
panes_look_as_kept(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(screens); i++) {
		struct bench b;

		bench_open(&b, fixture_fleet());
		bench_keys(&b, screens[i].keys);
		bench_golden(&b, screens[i].name, 80, 24);
		bench_golden(&b, screens[i].name, 160, 50);
		bench_close(&b);
	}
}

static void
an_empty_fleet_says_what_to_do(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_empty());
	bench_golden(&b, "empty", 80, 24);
	assert_shows(&b, "n opens the wizard");
	assert_shows(&b, "PRACTICE");
	bench_close(&b);
}

static void
before_the_first_snapshot_there_is_a_frame(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, NULL);
	assert_shows(&b, "reading the fleet");
	bench_keys(&b, "2 3 4 5 6 j k g G d y x X s D ?");
	assert_int_equal(bench_writes(&b), 0);
	bench_close(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(panes_look_as_kept),
		cmocka_unit_test(an_empty_fleet_says_what_to_do),
		cmocka_unit_test(before_the_first_snapshot_there_is_a_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
