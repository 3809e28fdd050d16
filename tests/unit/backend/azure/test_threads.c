#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "backend/runtime/thread.h"
#include "helper_sim.h"
#include "model/base/mem.h"

/* Many workers at once share one token and one list call each; nobody fetches twice. */

enum { OWNERS = 6, MINUTE = 60 * 1000 };

static struct flight f;

struct worker {
	const struct object *owner;
	struct arena *arena;
	struct thread *thread;
	struct compose_result result;
	struct error err;
	bool ok;
};

static void
work(void *context)
{
	struct worker *w = context;
	struct aks_cluster c = { 0 };
	struct plan plan;

	plan_init(&plan, w->arena);
	w->ok = object_decode(w->owner, w->arena, &c, &w->err) && aks_plan(&c, &plan, &w->err) &&
	    compose_reconcile(f.compose, w->owner, &plan, w->arena, &w->result, &w->err);
}

static void
all_at_once(struct worker *workers)
{
	struct error err = { 0 };

	for (int i = 0; i < OWNERS; i++) {
		workers[i].arena = arena_new(64 * 1024 * 1024);
		assert_non_null(workers[i].arena);
		assert_true(thread_start("worker", work, &workers[i], &workers[i].thread, &err));
	}
	for (int i = 0; i < OWNERS; i++) {
		thread_join(workers[i].thread);
		if (!workers[i].ok)
			fail_msg("%s", workers[i].err.message);
		assert_int_equal(workers[i].result.ready, workers[i].result.wanted);
		assert_int_equal(workers[i].result.acted, 0);
		arena_free(workers[i].arena);
	}
}

static void
workers_share_tokens_and_lists(void **state)
{
	struct worker workers[OWNERS] = { { 0 } };
	struct azure_counts before, after;
	char name[16];

	(void)state;
	flight_open(&f, NULL, false);
	for (int i = 0; i < OWNERS; i++) {
		(void)snprintf(name, sizeof(name), "c%d", i);
		workers[i].owner = flight_cluster(&f, name, "1.35", POOL("gpua100", 1, 2));
		flight_settle(&f, workers[i].owner, 60 * MINUTE);
	}
	for (int round = 0; round < 3; round++) {
		later(&f, 70 * MINUTE); /* token and lists have run out */
		azure_counts_get(f.azure, &before);
		all_at_once(workers);
		azure_counts_get(f.azure, &after);
		assert_int_equal(after.tokens - before.tokens, 1);
		assert_true(after.all - before.all <= 5);
	}
	for (int i = 0; i < OWNERS; i++)
		object_unref(workers[i].owner);
	flight_close(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(workers_share_tokens_and_lists) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
