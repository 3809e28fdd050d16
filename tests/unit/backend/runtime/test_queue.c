#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "backend/runtime/clock.h"
#include "backend/runtime/queue.h"
#include "backend/runtime/thread.h"
#include "model/base/mem.h"

static void
take_is(struct queue *q, const char *want)
{
	char key[QUEUE_KEY_MAX];

	assert_true(queue_take(q, key));
	assert_string_equal(key, want);
}

static void
equal_times_leave_in_order_and_once(void **state UNUSED)
{
	struct clock *c = clock_new_manual(0);
	struct queue *q = queue_new(c, 1);

	queue_add(q, "a/n/1");
	queue_add(q, "a/n/2");
	queue_add(q, "a/n/1");
	assert_int_equal(queue_length(q), 2);
	take_is(q, "a/n/1");
	take_is(q, "a/n/2");
	queue_done(q, "a/n/1");
	queue_done(q, "a/n/2");
	assert_int_equal(queue_length(q), 0);
	queue_free(q);
	clock_free(c);
}

static void
earlier_time_wins_and_later_one_does_not(void **state UNUSED)
{
	struct clock *c = clock_new_manual(0);
	struct queue *q = queue_new(c, 1);
	unsigned failures;
	int64_t due;

	queue_add_after(q, "k", 1000);
	queue_add_after(q, "k", 5000);
	assert_true(queue_status(q, "k", &due, &failures));
	assert_int_equal(due, clock_mono_ms(c) + 1000);
	queue_add_after(q, "k", 10);
	assert_true(queue_status(q, "k", &due, &failures));
	assert_int_equal(due, clock_mono_ms(c) + 10);
	assert_int_equal(queue_length(q), 0);
	clock_advance(c, 10);
	assert_int_equal(queue_length(q), 1);
	take_is(q, "k");
	queue_done(q, "k");
	assert_false(queue_status(q, "k", &due, &failures));
	queue_free(q);
	clock_free(c);
}

static void
key_added_while_it_runs_runs_once_more(void **state UNUSED)
{
	struct clock *c = clock_new_manual(0);
	struct queue *q = queue_new(c, 1);

	queue_add(q, "k");
	take_is(q, "k");
	queue_add(q, "k");
	queue_add(q, "k");
	assert_int_equal(queue_length(q), 1);
	queue_add(q, "other");
	take_is(q, "other"); /* not k: it is running */
	queue_done(q, "k");
	take_is(q, "k");
	queue_done(q, "k");
	queue_done(q, "other");
	assert_int_equal(queue_length(q), 0);
	queue_free(q);
	clock_free(c);
}

static void
failures_back_off_within_the_doubling_ceiling(void **state UNUSED)
{
	struct clock *c = clock_new_manual(0);
	struct queue *q = queue_new(c, 42);
	int64_t ceiling = 500, due = 0, longest = 0;
	unsigned failures = 0;

	for (unsigned i = 1; i <= 40; i++) {
		queue_add(q, "k");
		take_is(q, "k");
		queue_retry(q, "k", 0);
		queue_done(q, "k");
		assert_true(queue_status(q, "k", &due, &failures));
		assert_int_equal(failures, i);
		assert_in_range(due - clock_mono_ms(c), 0, ceiling);
		longest = due - clock_mono_ms(c) > longest ? due - clock_mono_ms(c) : longest;
		clock_advance(c, due - clock_mono_ms(c));
		ceiling = ceiling * 2 > 300000 ? 300000 : ceiling * 2;
	}
	assert_true(longest > 150000); /* it does reach far */
	take_is(q, "k");
	queue_forget(q, "k");
	queue_retry(q, "k", 7000); /* what the server asked for */
	queue_done(q, "k");
	assert_true(queue_status(q, "k", &due, &failures));
	assert_int_equal(failures, 1);
	assert_int_equal(due - clock_mono_ms(c), 7000);
	queue_free(q);
	clock_free(c);
}

static void
heap_hands_out_thousands_in_order(void **state UNUSED)
{
	struct clock *c = clock_new_manual(0);
	struct queue *q = queue_new(c, 1);
	char key[QUEUE_KEY_MAX];
	int last = -1, at;

	for (int i = 0; i < 5000; i++) {
		at = i * 7919 % 5000;
		(void)snprintf(key, sizeof key, "%d", at);
		queue_add_after(q, key, at);
	}
	clock_advance(c, 5000);
	assert_int_equal(queue_length(q), 5000);
	for (int i = 0; i < 5000; i++) {
		assert_true(queue_take(q, key));
		at = 0;
		for (const char *p = key; *p != '\0'; p++)
			at = at * 10 + (*p - '0');
		assert_int_equal(at, last + 1);
		last = at;
		queue_done(q, key);
	}
	assert_int_equal(queue_length(q), 0);
	queue_free(q);
	clock_free(c);
}

static void
key_that_is_too_long_is_not_cut(void **state UNUSED)
{
	struct clock *c = clock_new_manual(0);
	struct queue *q = queue_new(c, 1);
	char key[QUEUE_KEY_MAX + 1];

	memset(key, 'x', sizeof key);
	key[QUEUE_KEY_MAX] = '\0';
	queue_add(q, key);
	assert_int_equal(queue_length(q), 0);
	key[QUEUE_KEY_MAX - 1] = '\0';
	queue_add(q, key);
	assert_int_equal(queue_length(q), 1);
	queue_free(q);
	clock_free(c);
}

enum { WORKERS = 4, KEYS = 50, ROUNDS = 40 };

struct crowd {
	struct queue *q;
	atomic_int running[KEYS];
	atomic_int overlaps;
	atomic_int passes;
};

static void
work(void *context)
{
	struct crowd *w = context;
	char key[QUEUE_KEY_MAX];

	while (queue_take(w->q, key)) {
		int i = (key[0] - '0') * 10 + (key[1] - '0');

		if (atomic_fetch_add(&w->running[i], 1) != 0)
			atomic_fetch_add(&w->overlaps, 1);
		atomic_fetch_add(&w->passes, 1);
		atomic_fetch_sub(&w->running[i], 1);
		queue_done(w->q, key);
	}
}

static void
one_key_is_never_with_two_workers_and_close_ends_all(void **state UNUSED)
{
	static struct crowd w;
	struct clock *c = clock_new(1, 0);
	struct thread *threads[WORKERS];
	struct error err;
	char key[8];

	w.q = queue_new(c, 7);
	for (int i = 0; i < WORKERS; i++)
		assert_true(thread_start("worker", work, &w, &threads[i], &err));
	for (int r = 0; r < ROUNDS; r++) {
		for (int i = 0; i < KEYS; i++) {
			(void)snprintf(key, sizeof key, "%02d", i);
			queue_add(w.q, key);
		}
	}
	while (queue_length(w.q) > 0)
		; /* the workers empty it; the test's own deadline ends a hang */
	queue_close(w.q);
	for (int i = 0; i < WORKERS; i++)
		thread_join(threads[i]);
	assert_int_equal(atomic_load(&w.overlaps), 0);
	assert_in_range(atomic_load(&w.passes), KEYS, KEYS * ROUNDS);
	assert_false(queue_take(w.q, (char[QUEUE_KEY_MAX]){ 0 }));
	queue_free(w.q);
	clock_free(c);
}

static void
scaled_clock_shortens_the_wait(void **state UNUSED)
{
	struct clock *c = clock_new(1000, 1);
	struct clock *real = clock_new(1, 0);
	struct queue *q = queue_new(c, 1);
	int64_t start = clock_mono_ms(real);

	queue_add_after(q, "k", 20 * 1000);
	take_is(q, "k");
	assert_in_range(clock_mono_ms(real) - start, 15, 5000);
	queue_free(q);
	clock_free(real);
	clock_free(c);
}

static void
no_memory_leaves_the_queue_whole(void **state UNUSED)
{
	struct clock *c = clock_new_manual(0);
	long before = mem_live_blocks();
	struct queue *q;

	for (long n = 0; n < 3; n++) {
		mem_fault_arm(n);
		q = queue_new(c, 1);
		if (q != NULL)
			queue_add(q, "k");
		mem_fault_arm(-1);
		if (q != NULL) {
			queue_add(q, "k");
			take_is(q, "k");
			queue_done(q, "k");
		}
		queue_free(q);
		assert_int_equal(mem_live_blocks(), before);
	}
	clock_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_times_leave_in_order_and_once),
		cmocka_unit_test(earlier_time_wins_and_later_one_does_not),
		cmocka_unit_test(key_added_while_it_runs_runs_once_more),
		cmocka_unit_test(failures_back_off_within_the_doubling_ceiling),
		cmocka_unit_test(heap_hands_out_thousands_in_order),
		cmocka_unit_test(key_that_is_too_long_is_not_cut),
		cmocka_unit_test(one_key_is_never_with_two_workers_and_close_ends_all),
		cmocka_unit_test(scaled_clock_shortens_the_wait),
		cmocka_unit_test(no_memory_leaves_the_queue_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
