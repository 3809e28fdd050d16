#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "helper_cloud.h"
#include "model/base/mem.h"

/*
 * Each allocation of a pass fails once. Whatever it was, the pass ends, says that memory was short
 * or goes on without; then, with memory back, everything is made exactly once.
 */

enum { FAULTS_MAX = 20000 };

static struct world w;

static void
plan(void)
{
	arena_clear(w.arena); /* also forgets that it failed */
	world_no_plan(&w);
	world_row(&w, "box", "a", "1", NULL);
	world_row(&w, "item", "in-b", "1", "a");
	world_row(&w, "token", "t", "1", "a");
}

/* True when the fault was past the last allocation. */
static bool
one(long n, enum compose_goal goal)
{
	struct error err = { 0 };
	bool ok, fired;

	plan();
	mem_fault_arm(n);
	ok = compose_reconcile(w.compose, w.owner, goal == GOAL_KEEP ? &w.plan : NULL, w.arena,
	    &w.result, &err);
	fired = mem_fault_fired();
	mem_fault_arm(-1);
	if (!ok && err.code == ERR_NONE)
		fail_msg("allocation %ld: failed without saying why", n);
	if (!ok && !fired)
		fail_msg("%s", err.message);
	return !fired;
}

static void
settle(enum compose_goal goal)
{
	for (int i = 0; i < 50; i++) {
		plan();
		world_pass(&w, goal);
		if (goal == GOAL_DELETE ? w.result.left == 0
			: w.result.ready == w.result.wanted && w.result.next_ms == 0)
			return;
		clock_advance(w.clock, w.result.next_ms > 0 ? w.result.next_ms : 1000);
	}
	for (size_t i = 0; i < w.result.nexternals; i++)
		print_message("  " STR_FMT ": %s " STR_FMT "\n",
		    STR_ARG(w.result.externals[i].spec.key),
		    external_phase_words[w.result.externals[i].spec.phase],
		    STR_ARG(w.result.externals[i].spec.error.message));
	fail_msg("not settled: %u of %u ready, %u left, next %lld: %s", w.result.ready,
	    w.result.wanted, w.result.left, (long long)w.result.next_ms, w.result.worst.message);
}

static void
each_allocation_of_a_pass_may_fail(void **state)
{
	/* All of them take minutes: FLIGHTDECK_TORTURE=1. Otherwise every 13th, from another start. */
	long step = getenv("FLIGHTDECK_TORTURE") != NULL ? 1 : 13;
	bool past = false;

	(void)state;
	world_open(&w);
	for (long n = step / 2; !past && n < FAULTS_MAX; n += step) {
		char name[32];

		(void)snprintf(name, sizeof(name), "c%ld", n);
		arena_clear(w.arena);
		world_owner(&w, name, NULL);
		w.cloud.nledger = 0;
		past = one(n, GOAL_KEEP);
		settle(GOAL_KEEP);
		/* One that was sent and not recorded is found again by its name or its token. */
		assert_int_equal(cloud_count(&w.cloud, "create a"), 1);
		assert_int_equal(cloud_count(&w.cloud, "create in-b"), 1);
		assert_true(cloud_count(&w.cloud, "create t") >= 1);
		past = one(n, GOAL_DELETE) && past;
		settle(GOAL_DELETE);
		assert_null(cloud_find(&w.cloud, "a"));
		assert_null(cloud_find(&w.cloud, "in-b"));
	}
	world_close(&w);
	assert_true(past);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_allocation_of_a_pass_may_fail) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
