#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdatomic.h>

#include "backend/runtime/thread.h"
#include "backend/store/embedded_int.h"
#include "tests/unit/backend/store/fixture.h"

enum { RING = 4096 };

static void
open_fast(struct fixture *f)
{
	struct embedded_options opt = { .clock = f->clock, .fast = true };

	assert_true(embedded_open(&opt, &f->st, &f->err));
}

static void
add_many(struct fixture *f, int n)
{
	char name[32];

	for (int i = 0; i < n; i++) {
		(void)snprintf(name, sizeof name, "n%d", i);
		assert_true(fixture_add(f, name));
	}
}

static enum watch_event_type
next_type(struct fixture *f, struct watch *w)
{
	struct watch_event ev = { 0 };

	if (!watch_next(w, 5000, &ev, &f->err))
		fail_msg("%s", f->err.message);
	object_unref(ev.object);
	return ev.type;
}

static void
too_old_a_version_is_gone(void **state)
{
	struct fixture *f = *state;
	struct watch *w = NULL;

	open_fast(f);
	add_many(f, RING + 10);
	/* Versions are 2 to RING + 11; the ring holds the last RING of them. */
	assert_true(store_watch(f->st, NULL, NULL, 10, &w, &f->err));
	assert_int_equal(next_type(f, w), WATCH_GONE);
	assert_int_equal(next_type(f, w), WATCH_GONE); /* it stays gone */
	watch_free(w);
	assert_true(store_watch(f->st, NULL, NULL, 11, &w, &f->err));
	for (int i = 0; i < RING; i++)
		assert_int_equal(next_type(f, w), WATCH_ADDED);
	watch_free(w);
	assert_true(store_watch(f->st, NULL, NULL, RING + 12, &w, &f->err)); /* of the future */
	assert_int_equal(next_type(f, w), WATCH_GONE);
	watch_free(w);
}

static void
slow_watch_that_falls_off_is_told(void **state)
{
	struct fixture *f = *state;
	struct watch *w = NULL;

	open_fast(f);
	assert_true(store_watch(f->st, NULL, NULL, 0, &w, &f->err));
	add_many(f, RING + 1);
	assert_int_equal(next_type(f, w), WATCH_GONE);
	watch_free(w);
}

static void
version_of_before_a_restart_is_gone(void **state)
{
	struct fixture *f = *state;
	struct watch *w = NULL;

	fixture_open(f);
	assert_true(fixture_add(f, "one"));
	assert_true(fixture_add(f, "two"));
	fixture_close(f);
	fixture_open(f);
	assert_true(store_watch(f->st, NULL, NULL, 2, &w, &f->err));
	assert_int_equal(next_type(f, w), WATCH_GONE);
	watch_free(w);
	assert_true(
	    store_watch(f->st, NULL, NULL, 3, &w, &f->err)); /* the newest: nothing missed */
	assert_true(fixture_add(f, "three"));
	assert_int_equal(next_type(f, w), WATCH_ADDED);
	watch_free(w);
}

static void
watch_of_all_kinds_sees_each(void **state)
{
	struct fixture *f = *state;
	struct node *n = node_map(f->a);
	struct watch *w = NULL;
	struct watch_event ev;

	open_fast(f);
	assert_true(fixture_add(f, "one"));
	assert_true(store_watch(f->st, NULL, NULL, 0, &w, &f->err));
	node_set_strz(f->a, n, "apiVersion", "v1");
	node_set_strz(f->a, n, "kind", "Secret");
	node_set_strz(f->a, node_make_path(f->a, n, "metadata"), "name", "s");
	assert_true(
	    store_create(f->st, resource_of(&secret_kind), n, &fixture_actor, NULL, &f->err));
	assert_true(watch_next(w, 5000, &ev, &f->err));
	assert_ptr_equal(ev.object->res, resource_of(&external_kind));
	object_unref(ev.object);
	assert_true(watch_next(w, 5000, &ev, &f->err));
	assert_ptr_equal(ev.object->res, resource_of(&secret_kind));
	object_unref(ev.object);
	watch_free(w);
}

static void
watch_outlives_its_store_and_says_so(void **state)
{
	struct fixture *f = *state;
	struct watch *w = NULL;
	struct watch_event ev;

	open_fast(f);
	assert_true(store_watch(f->st, NULL, NULL, 0, &w, &f->err));
	fixture_close(f);
	assert_false(watch_next(w, 5000, &ev, &f->err));
	assert_int_equal(f->err.code, ERR_CANCELED);
	watch_free(w);
}

static void
quiet_watch_gets_bookmarks_of_the_newest_version(void **state)
{
	struct fixture *f = *state;
	struct list_options opt = { .field_selector = STR("metadata.name=other") };
	struct watch *w = NULL;
	struct watch_event ev;

	open_fast(f);
	ring_bookmarks(embedded_of(f->st)->ring, 5);
	assert_true(store_watch(f->st, NULL, &opt, 0, &w, &f->err));
	add_many(f, 3); /* of no interest to it, but its place moves on */
	for (int i = 0; i < 2; i++) {
		assert_true(watch_next(w, 10000, &ev, &f->err));
		assert_int_equal(ev.type, WATCH_BOOKMARK);
		assert_null(ev.object);
		assert_int_equal(ev.version, 4);
	}
	watch_free(w);
}

enum { WRITERS = 3, EACH = 60 };

struct writer {
	struct store *st;
	int id;
	atomic_int *failures;
};

static void
write_some(void *context)
{
	struct writer *w = context;

	for (int i = 0; i < EACH; i++) {
		struct fixture f = { .st = w->st };
		char name[32];

		f.a = arena_new((size_t)1024 * 1024);
		(void)snprintf(name, sizeof name, "w%d-%d", w->id, i);
		if (!fixture_add(&f, name))
			atomic_fetch_add(w->failures, 1);
		arena_free(f.a);
	}
}

static void
writers_in_threads_give_one_order_without_gaps(void **state)
{
	struct fixture *f = *state;
	struct thread *threads[WRITERS];
	struct writer writers[WRITERS];
	atomic_int failures = 0;
	struct watch *w = NULL;
	struct watch_event ev;
	int64_t last = 1;

	open_fast(f);
	assert_true(store_watch(f->st, NULL, NULL, 0, &w, &f->err));
	for (int i = 0; i < WRITERS; i++) {
		writers[i] = (struct writer){ f->st, i, &failures };
		assert_true(thread_start("writer", write_some, &writers[i], &threads[i], &f->err));
	}
	for (int i = 0; i < WRITERS * EACH; i++) {
		assert_true(watch_next(w, 20000, &ev, &f->err));
		assert_int_equal(ev.type, WATCH_ADDED);
		assert_int_equal(ev.version, last + 1);
		last = ev.version;
		object_unref(ev.object);
	}
	for (int i = 0; i < WRITERS; i++)
		thread_join(threads[i]);
	assert_int_equal(atomic_load(&failures), 0);
	watch_free(w);
}

static void
wait_for_one(void *context)
{
	struct watch *w = context;
	struct watch_event ev;
	struct error err;

	while (watch_next(w, 60000, &ev, &err))
		object_unref(ev.object);
}

static void
waiting_watch_is_woken_by_another_thread(void **state)
{
	struct fixture *f = *state;
	struct watch *w = NULL;
	struct thread *t;

	open_fast(f);
	assert_true(store_watch(f->st, NULL, NULL, 0, &w, &f->err));
	assert_true(thread_start("waiter", wait_for_one, w, &t, &f->err));
	assert_true(fixture_add(f, "one"));
	watch_wake(w);
	thread_join(t); /* the test's deadline is the check */
	watch_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(too_old_a_version_is_gone),
		T(slow_watch_that_falls_off_is_told),
		T(version_of_before_a_restart_is_gone),
		T(watch_of_all_kinds_sees_each),
		T(watch_outlives_its_store_and_says_so),
		T(quiet_watch_gets_bookmarks_of_the_newest_version),
		T(writers_in_threads_give_one_order_without_gaps),
		T(waiting_watch_is_woken_by_another_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
