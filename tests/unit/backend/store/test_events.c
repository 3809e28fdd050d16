#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <sqlite3.h>

#include "backend/store/events.h"
#include "model/kinds/event.h"
#include "tests/unit/backend/store/fixture.h"

static const struct object *
about(struct fixture *f, const char *name)
{
	const struct object *o = NULL;

	if (!store_create(f->st, resource_of(&external_kind), fixture_external(f, name),
		&fixture_actor, &o, &f->err))
		fail_msg("%s", f->err.message);
	return o;
}

_Static_assert(EVENTS_MAX == 50000, "multiply() makes this many");

static void
open_fast(struct fixture *f)
{
	struct embedded_options opt = { .clock = f->clock, .fast = true };

	assert_true(embedded_open(&opt, &f->st, &f->err));
}

/* All events, decoded; borrowed by the arena. */
static struct event_object *
events(struct fixture *f, size_t *ret_n)
{
	struct object_list l = { 0 };
	struct event_object *items;

	assert_true(store_list(f->st, resource_of(&event_kind), NULL, &l, &f->err));
	items = arena_array(f->a, l.n + 1, sizeof *items);
	for (size_t i = 0; i < l.n; i++) {
		if (!object_decode(l.items[i], f->a, &items[i], &f->err))
			fail_msg("%s", f->err.message);
	}
	*ret_n = l.n;
	object_list_fini(&l);
	return items;
}

static void
equal_events_are_counted(void **state)
{
	struct fixture *f = *state;
	const struct object *o;
	struct event_object *e;
	size_t n;

	open_fast(f);
	o = about(f, "vnet");
	for (int i = 0; i < 3; i++) {
		event_emit(
		    f->st, f->clock, o, EVENT_WARNING, "QuotaExceeded", "aks", "need %d vCPUs", 96);
		clock_advance(f->clock, 60000);
	}
	event_emit(f->st, f->clock, o, EVENT_NORMAL, "Created", "aks", "made");
	e = events(f, &n);
	assert_int_equal(n, 2);
	for (size_t i = 0; i < n; i++) {
		bool quota = str_is(e[i].reason, "QuotaExceeded");

		assert_int_equal(e[i].count.value, quota ? 3 : 1);
		assert_true(str_is(e[i].type, quota ? "Warning" : "Normal"));
		assert_true(str_is(e[i].message, quota ? "need 96 vCPUs" : "made"));
		assert_true(str_is(e[i].involved_object.name, "vnet"));
		assert_true(str_is(e[i].involved_object.kind, "External"));
		assert_true(str_is(e[i].involved_object.api_version, "flightdeck.dev/v1alpha1"));
		assert_true(str_eq(e[i].involved_object.uid, o->uid));
		assert_true(str_is(e[i].meta.ns, "ml"));
		assert_true(str_is(e[i].source.component, "aks"));
		if (quota) {
			assert_true(str_is(e[i].first_timestamp, "2025-11-30T10:53:20Z"));
			assert_true(str_is(e[i].last_timestamp, "2025-11-30T10:55:20Z"));
		}
	}
	object_unref(o);
}

static void
new_object_of_the_same_name_starts_clean(void **state)
{
	struct fixture *f = *state;
	struct list_options opt = { 0 };
	struct object_list l = { 0 };
	struct text selector = TEXT_INIT(200);
	const struct object *o;

	open_fast(f);
	o = about(f, "gpu-east");
	event_emit(f->st, f->clock, o, EVENT_WARNING, "Failed", "aks", "no");
	object_unref(o);
	assert_true(store_delete(f->st, resource_of(&external_kind), STR("ml"), STR("gpu-east"),
	    NULL, &fixture_actor, &f->err));
	o = about(f, "gpu-east");
	text_printf(
	    &selector, "involvedObject.name=gpu-east,involvedObject.uid=" STR_FMT, STR_ARG(o->uid));
	opt.field_selector = text_str(&selector);
	assert_true(store_list(f->st, resource_of(&event_kind), &opt, &l, &f->err));
	assert_int_equal(l.n, 0);
	object_list_fini(&l);
	event_emit(f->st, f->clock, o, EVENT_WARNING, "Failed", "aks", "no");
	assert_true(store_list(f->st, resource_of(&event_kind), &opt, &l, &f->err));
	assert_int_equal(l.n, 1);
	object_list_fini(&l);
	text_free(&selector);
	object_unref(o);
}

static void
message_is_cleaned_and_cut(void **state)
{
	struct fixture *f = *state;
	const struct object *o;
	struct event_object *e;
	static char big[3000];
	size_t n;

	open_fast(f);
	o = about(f, "x");
	for (size_t i = 0; i + 2 < sizeof big; i += 2) {
		big[i] = '\xC3';
		big[i + 1] = '\xA9';
	}
	event_emit(f->st, f->clock, o, EVENT_NORMAL, "Long", "aks", "x%s", big);
	event_emit(
	    f->st, f->clock, o, EVENT_NORMAL, "Evil", "aks", "\x1b]0;owned\x07 %s", "\xE2\x80\xAE");
	e = events(f, &n);
	assert_int_equal(n, 2);
	for (size_t i = 0; i < n; i++) {
		if (str_is(e[i].reason, "Long")) {
			assert_in_range(e[i].message.n, 1000, 1024);
			assert_true(utf8_valid(e[i].message));
		} else {
			assert_true(str_is(e[i].message, "\\u{001B}]0;owned\\u{0007} \\u{202E}"));
		}
	}
	object_unref(o);
}

static void
event_that_cannot_be_written_is_dropped(void **state)
{
	struct fixture *f = *state;
	const struct object *o;
	size_t n;

	fixture_open(f);
	o = about(f, "x");
	fixture_close(f);
	assert_true(fixture_try(f, true)); /* nobody can write here */
	event_emit(f->st, f->clock, o, EVENT_NORMAL, "Created", "aks", "made");
	(void)events(f, &n);
	assert_int_equal(n, 0);
	for (long i = 0; i < 60; i++) {
		long before = mem_live_blocks();

		mem_fault_arm(i);
		event_emit(f->st, f->clock, o, EVENT_NORMAL, "Created", "aks", "made");
		mem_fault_arm(-1);
		assert_int_equal(mem_live_blocks(), before);
	}
	object_unref(o);
}

/* Copies the one event that is there until there are EVENTS_MAX. */
static void
multiply(struct fixture *f)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(fixture_file(f, "flightdeck.db"), &db), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(db,
		"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)"
		"INSERT INTO object(res, ns, name, uid, version, generation, deleted_ms, labels, "
		"json)"
		" SELECT res, ns, 'copy.' || i, 'uid-' || i, version + i, 1, 0, '', json"
		" FROM object, n WHERE res = (SELECT id FROM resource WHERE kind = 'Event');"
		"UPDATE meta SET version = 60000",
		NULL, NULL, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void
oldest_events_make_room(void **state)
{
	struct fixture *f = *state;
	struct list_options newest = { .field_selector = STR("metadata.name=copy.50000") };
	struct list_options oldest = { .field_selector = STR("metadata.name=copy.512") };
	struct object_list l = { 0 };
	const struct object *o;

	fixture_open(f);
	o = about(f, "x");
	event_emit(f->st, f->clock, o, EVENT_NORMAL, "Tick", "test", "first");
	fixture_close(f);
	multiply(f);
	fixture_open(f);
	assert_true(store_list(f->st, resource_of(&event_kind), &oldest, &l, &f->err));
	assert_int_equal(l.n, 1);
	object_list_fini(&l);
	event_emit(f->st, f->clock, o, EVENT_NORMAL, "Tick", "test", "one too many");
	assert_true(store_list(f->st, resource_of(&event_kind), NULL, &l, &f->err));
	assert_int_equal(l.n, EVENTS_MAX - 512 + 1);
	object_list_fini(&l);
	assert_true(store_list(f->st, resource_of(&event_kind), &oldest, &l, &f->err));
	assert_int_equal(l.n, 0);
	object_list_fini(&l);
	assert_true(store_list(f->st, resource_of(&event_kind), &newest, &l, &f->err));
	assert_int_equal(l.n, 1);
	object_list_fini(&l);
	object_unref(o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(equal_events_are_counted),
		T(new_object_of_the_same_name_starts_clean),
		T(message_is_cleaned_and_cut),
		T(event_that_cannot_be_written_is_dropped),
		T(oldest_events_make_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
