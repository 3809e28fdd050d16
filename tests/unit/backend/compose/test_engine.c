#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "backend/compose/compose_int.h"
#include "helper_cloud.h"
#include "model/base/mem.h"

static struct world w;

static int
setup(void **state)
{
	(void)state;
	world_open(&w);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	world_close(&w);
	return 0;
}

static int
phase(const char *key)
{
	return world_external(&w, key)->spec.phase;
}

static void
assert_reason(const char *key, const char *reason)
{
	struct str is = world_external(&w, key)->spec.error.reason;

	if (!str_is(is, reason))
		fail_msg("'%s' has the reason '" STR_FMT "', not '%s'", key, STR_ARG(is), reason);
}

static void
later(int64_t ms)
{
	clock_advance(w.clock, ms);
}

/* ---- the matrix ---- */

static void
every_cell_of_the_matrix_has_a_step(void **state)
{
	(void)state;
	for (int s = 0; s < SEEN__MAX; s++) {
		for (int want = 0; want < WANT__MAX; want++) {
			assert_non_null(engine_steps[s][want].name);
			assert_non_null(engine_steps[s][want].run);
		}
	}
}

/* ---- creating ---- */

static bool intent_seen;

static void
look_for_intent(struct step *s, const char *call)
{
	const struct object *o = NULL;
	struct external x = { 0 };

	if (strcmp(call, "create") != 0)
		return;
	assert_true(store_get(the_world->store, resource_of(&external_kind), s->ext->meta.ns,
	    s->ext->meta.name, &o, NULL));
	assert_true(object_decode(o, s->arena, &x, NULL));
	object_unref(o);
	assert_int_equal(x.spec.phase, EXTERNAL_INTENT);
	assert_true(x.spec.token.n == 36);
	assert_true(x.spec.want_hash.n > 0);
	assert_true(str_is(x.spec.account, "acc-1"));
	assert_true(x.spec.deadline_at.value > x.spec.intent_at.value);
	assert_int_equal(x.spec.epoch.value, 1);
	intent_seen = true;
}

static void
the_intent_is_stored_before_the_create(void **state)
{
	(void)state;
	intent_seen = false;
	w.cloud.hook = look_for_intent;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	assert_true(intent_seen);
	assert_int_equal(phase("a"), EXTERNAL_READY);
	assert_int_equal(w.result.ready, 1);
}

static void
rows_that_were_unblocked_go_on_in_the_same_pass(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_row(&w, "item", "in-b", "1", "a");
	world_pass(&w, GOAL_KEEP);
	assert_string_equal(w.cloud.ledger[0], "create a");
	assert_string_equal(w.cloud.ledger[1], "create in-b");
	assert_int_equal(w.result.ready, 2);
	assert_int_equal(w.result.next_ms, 0);
}

static void
a_row_waits_for_what_it_needs(void **state)
{
	(void)state;
	w.cloud.next = ACT_START;
	world_row(&w, "box", "a", "1", NULL);
	world_row(&w, "named", "b", "1", "a");
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(phase("a"), EXTERNAL_CREATED);
	assert_int_equal(phase("b"), EXTERNAL_WAITING);
	assert_true(str_is(world_external(&w, "b")->spec.waits_for, "a"));
	assert_int_equal(w.cloud.looks, 1); /* b was not even looked for */
	assert_int_equal(w.result.next_ms, 1000);
	cloud_finish(&w.cloud);
	later(1000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(phase("a"), EXTERNAL_READY);
	assert_int_equal(phase("b"), EXTERNAL_CREATED);
}

static int64_t
store_version(void)
{
	struct object_list list = { 0 };
	int64_t v = 0;

	assert_true(store_list(w.store, resource_of(&external_kind), &(struct list_options){ 0 }, &list,
	    NULL));
	for (size_t i = 0; i < list.n; i++)
		v = list.items[i]->version > v ? list.items[i]->version : v;
	object_list_fini(&list);
	return v;
}

static void
a_steady_pass_writes_and_sends_nothing(void **state)
{
	int64_t before;

	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_row(&w, "item", "in-b", "1", "a");
	world_pass(&w, GOAL_KEEP);
	later(60000);
	world_pass(&w, GOAL_KEEP);
	before = store_version();
	for (int i = 0; i < 5; i++) {
		later(120000);
		world_pass(&w, GOAL_KEEP);
		assert_int_equal(w.result.acted, 0);
		assert_int_equal(w.result.next_ms, 0);
	}
	assert_int_equal(store_version(), before);
	assert_int_equal(w.cloud.nledger, 2);
}

static void
a_pending_resource_is_not_looked_at_before_its_time(void **state)
{
	unsigned looks;

	(void)state;
	w.cloud.next = ACT_START;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	looks = w.cloud.looks;
	later(400);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.looks, looks);
	assert_int_equal(w.result.next_ms, 600);
}

/* ---- unknown outcomes ---- */

static void
a_lost_answer_is_resolved_by_name_and_adopted(void **state)
{
	(void)state;
	w.cloud.next = ACT_LOSE_APPLIED;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(phase("a"), EXTERNAL_UNKNOWN);
	assert_int_equal(w.result.next_ms, 1000);
	world_restart(&w);
	later(1000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(phase("a"), EXTERNAL_READY);
	assert_int_equal(cloud_count(&w.cloud, "create a"), 1);
}

static void
a_lost_create_that_did_not_happen_is_sent_again(void **state)
{
	(void)state;
	w.cloud.next = ACT_LOSE;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	w.cloud.next = ACT_DONE;
	later(60000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(phase("a"), EXTERNAL_READY);
	assert_int_equal(cloud_count(&w.cloud, "create a"), 2);
}

static void
without_name_and_token_the_window_and_two_looks_decide(void **state)
{
	(void)state;
	w.cloud.next = ACT_LOSE;
	world_row(&w, "nameless", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	w.cloud.next = ACT_DONE;
	later(60000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 1);
	assert_int_equal(phase("a"), EXTERNAL_UNKNOWN);
	later(31000); /* the window is over: the first look that counts */
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 1);
	later(1000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 2);
	assert_int_equal(phase("a"), EXTERNAL_READY);
	assert_int_equal(world_external(&w, "a")->spec.incarnation.value, 2);
}

static void
a_token_is_repeated_at_once_and_stays_the_same(void **state)
{
	struct str first;

	(void)state;
	w.cloud.next = ACT_LOSE;
	world_row(&w, "token", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	first = world_external(&w, "a")->spec.token;
	w.cloud.next = ACT_DONE;
	later(6000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 2);
	assert_true(str_eq(world_external(&w, "a")->spec.token, first));
}

static void
other_parameters_wait_for_the_window_and_get_a_new_token(void **state)
{
	struct str first;

	(void)state;
	w.cloud.next = ACT_LOSE;
	world_row(&w, "token", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	first = world_external(&w, "a")->spec.token;
	w.cloud.next = ACT_DONE;
	world_no_plan(&w);
	world_row(&w, "token", "a", "2", NULL);
	later(6000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 1);
	later(90000);
	world_pass(&w, GOAL_KEEP);
	later(1000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 2);
	assert_false(str_eq(world_external(&w, "a")->spec.token, first));
}

static void
deleting_while_unknown_waits_for_the_window(void **state)
{
	(void)state;
	w.cloud.next = ACT_LOSE;
	world_row(&w, "nameless", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	later(10000);
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(w.result.left, 1);
	cloud_find(&w.cloud, "x"); /* nothing there */
	later(85000);
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(w.result.left, 1);
	later(2000);
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(w.result.left, 0);
}

/* ---- whose is it ---- */

static void
a_stranger_of_that_name_is_left_alone(void **state)
{
	(void)state;
	w.cloud.things[0] = (struct cloud_thing){ .name = "a", .there = true, .foreign = true };
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 0);
	assert_reason("a", "NameTaken");
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(w.cloud.nledger, 0);
	assert_int_equal(w.result.left, 0);
	assert_non_null(cloud_find(&w.cloud, "a"));
}

static void
a_stranger_is_adopted_when_the_owner_says_so(void **state)
{
	(void)state;
	w.cloud.things[0] = (struct cloud_thing){ .name = "a", .there = true, .foreign = true };
	world_owner(&w, "c1", COMPOSE_ADOPT);
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(cloud_count(&w.cloud, "update a"), 1);
	assert_int_equal(cloud_count(&w.cloud, "create a"), 0);
}

static void
tags_that_were_removed_are_reported_and_nothing_is_made(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	cloud_find(&w.cloud, "a")->foreign = true;
	later(60000);
	world_pass(&w, GOAL_KEEP);
	assert_reason("a", "TagsRemoved");
	assert_int_equal(w.cloud.nledger, 1);
}

static void
what_lost_its_tags_is_neither_removed_nor_forgotten(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	cloud_find(&w.cloud, "a")->foreign = true;
	w.cloud.nledger = 0;
	for (int i = 0; i < 3; i++) {
		later(COMPOSE_STEADY_MS);
		world_pass(&w, GOAL_DELETE);
		assert_int_equal(w.result.left, 1);
	}
	assert_int_equal(w.cloud.nledger, 0);
	assert_reason("a", "TagsRemoved");
	world_owner(&w, "c1", COMPOSE_ADOPT);
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(cloud_count(&w.cloud, "delete a"), 1);
	assert_int_equal(w.result.left, 0);
}

static void
a_stranger_that_was_never_adopted_is_not_removed(void **state)
{
	(void)state;
	w.cloud.things[0] = (struct cloud_thing){ .name = "a", .there = true, .foreign = true };
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	world_owner(&w, "c1", COMPOSE_ADOPT);
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(w.cloud.nledger, 0);
	assert_int_equal(w.result.left, 0);
	assert_non_null(cloud_find(&w.cloud, "a"));
}

static void
not_found_by_another_account_proves_nothing(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	memcpy(w.cloud.account, "acc-2", 6);
	cloud_find(&w.cloud, "a")->there = false;
	for (int i = 0; i < 4; i++) {
		later(600000);
		world_pass(&w, GOAL_KEEP);
	}
	assert_int_equal(w.cloud.nledger, 1);
	assert_reason("a", "AccountChanged");
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(w.result.left, 1);
}

/* ---- absence ---- */

static void
what_was_deleted_by_hand_comes_back_after_a_while(void **state)
{
	struct str first;

	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	first = world_external(&w, "a")->spec.token;
	cloud_find(&w.cloud, "a")->there = false;
	later(60000);
	world_pass(&w, GOAL_KEEP);
	assert_reason("a", "Missing");
	assert_int_equal(w.cloud.nledger, 1);
	assert_true(w.result.next_ms > 0 && w.result.next_ms <= COMPOSE_GRACE_MS);
	later(COMPOSE_GRACE_MS);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(cloud_count(&w.cloud, "create a"), 2);
	assert_int_equal(world_external(&w, "a")->spec.incarnation.value, 2);
	assert_false(str_eq(world_external(&w, "a")->spec.token, first));
	assert_int_equal(phase("a"), EXTERNAL_READY);
}

static void
absence_that_passes_changes_nothing(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	cloud_find(&w.cloud, "a")->there = false;
	later(60000);
	world_pass(&w, GOAL_KEEP);
	w.cloud.things[0].there = true;
	later(60000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(phase("a"), EXTERNAL_READY);
	assert_false(world_external(&w, "a")->spec.error.present);
	assert_int_equal(w.cloud.nledger, 1);
}

static void
lose_five_boxes(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		world_row(&w, "box", names[i], "1", NULL);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 5);
	world_restart(&w); /* what is known comes from the store */
	for (size_t i = 0; i < 3; i++)
		w.cloud.things[i].there = false;
}

static void
many_absences_at_once_stop_the_engine(void **state)
{
	(void)state;
	lose_five_boxes();
	for (int i = 0; i < 4; i++) {
		later(COMPOSE_GRACE_MS / 2 + 1000);
		world_pass(&w, GOAL_KEEP);
	}
	assert_int_equal(w.cloud.nledger, 5);
	assert_reason("a", "SuspiciousAbsence");
	world_row(&w, "box", "new", "1", NULL); /* nor is anything else made */
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(cloud_count(&w.cloud, "create new"), 0);
	later(COMPOSE_AGREE_MS); /* three agreeing passes over ten minutes */
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(cloud_count(&w.cloud, "create a"), 2);
	assert_int_equal(cloud_count(&w.cloud, "create c"), 2);
}

static void
a_person_can_confirm_that_all_is_gone(void **state)
{
	(void)state;
	lose_five_boxes();
	later(60000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 5);
	world_owner(&w, "c1", COMPOSE_CONFIRM_ABSENCE);
	world_row(&w, "box", "a", "1", NULL);
	world_row(&w, "box", "b", "1", NULL);
	world_row(&w, "box", "c", "1", NULL);
	world_row(&w, "box", "d", "1", NULL);
	world_row(&w, "box", "e", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 8);
}

/* ---- changes ---- */

static void
drift_is_put_right_by_an_update(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	memcpy(cloud_find(&w.cloud, "a")->value, "9", 2);
	later(60000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(cloud_count(&w.cloud, "update a"), 1);
	assert_string_equal(cloud_find(&w.cloud, "a")->value, "1");
	assert_int_equal(phase("a"), EXTERNAL_READY);
}

static void
an_immutable_change_is_refused_before_any_call(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	world_no_plan(&w);
	world_row(&w, "box", "a", "fixed2", NULL);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 1);
	assert_reason("a", "ImmutableField");
	assert_int_equal(w.result.worst.code, ERR_IMMUTABLE);
	assert_non_null(strstr(w.result.worst.message, "value 1 -> fixed2"));
}

static void
a_refused_create_backs_off_and_keeps_its_intent(void **state)
{
	struct str token;

	(void)state;
	w.cloud.next = ACT_REFUSE;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	token = world_external(&w, "a")->spec.token;
	assert_reason("a", "QuotaExceeded");
	assert_int_equal(phase("a"), EXTERNAL_FAILED);
	assert_true(w.result.next_ms >= COMPOSE_RETRY_MIN_MS / 2);
	later(1000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 1);
	w.cloud.next = ACT_DONE;
	later(COMPOSE_RETRY_MIN_MS);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 2);
	assert_true(str_eq(world_external(&w, "a")->spec.token, token));
	assert_false(world_external(&w, "a")->spec.error.present);
}

static void
back_off_grows_and_ends_at_its_bound(void **state)
{
	unsigned before;

	(void)state;
	w.cloud.next = ACT_REFUSE;
	world_row(&w, "box", "a", "1", NULL);
	for (int i = 0; i < 12; i++) {
		world_pass(&w, GOAL_KEEP);
		later(w.result.next_ms);
	}
	before = w.cloud.nledger;
	assert_true(w.result.next_ms >= COMPOSE_RETRY_MAX_MS / 2);
	assert_true(w.result.next_ms <= COMPOSE_RETRY_MAX_MS);
	assert_int_equal(before, 12);
}

static void
a_busy_cloud_is_a_wait_and_no_fault(void **state)
{
	(void)state;
	w.cloud.next = ACT_BUSY;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.result.failed, 0);
	assert_int_equal(phase("a"), EXTERNAL_WAITING);
	assert_true(w.result.next_ms > 0);
}

static void
a_broken_resource_is_kept_reported_and_repaired(void **state)
{
	(void)state;
	w.cloud.next = ACT_START;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	cloud_find(&w.cloud, "a")->pending = false;
	cloud_find(&w.cloud, "a")->broken = true;
	w.cloud.next = ACT_DONE;
	later(1000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(phase("a"), EXTERNAL_FAILED);
	assert_reason("a", "NoCapacity");
	assert_int_equal(cloud_count(&w.cloud, "delete a"), 0);
	later(w.result.next_ms);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(cloud_count(&w.cloud, "update a"), 1);
	assert_int_equal(phase("a"), EXTERNAL_READY);
}

static void
failed_and_then_healthy_again_is_ready_without_a_call(void **state)
{
	(void)state;
	w.cloud.next = ACT_START;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	cloud_find(&w.cloud, "a")->pending = false;
	cloud_find(&w.cloud, "a")->broken = true;
	later(1000);
	world_pass(&w, GOAL_KEEP);
	cloud_find(&w.cloud, "a")->broken = false;
	later(1000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(phase("a"), EXTERNAL_READY);
	assert_int_equal(w.cloud.nledger, 1);
}

static void
an_operation_past_its_deadline_is_called_stuck_and_followed_on(void **state)
{
	(void)state;
	w.cloud.next = ACT_START;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	later(61000);
	world_pass(&w, GOAL_KEEP);
	assert_reason("a", "Stuck");
	assert_int_equal(w.cloud.nledger, 1);
	cloud_finish(&w.cloud);
	later(1000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(phase("a"), EXTERNAL_READY);
	assert_false(world_external(&w, "a")->spec.error.present);
}

static void
an_outage_leaves_what_is_ready_ready(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	w.cloud.blind = true;
	later(60000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.result.ready, 1);
	assert_int_equal(w.result.failed, 1);
	assert_int_equal(w.cloud.nledger, 1);
}

/* ---- lanes ---- */

static void
parts_run_side_by_side_and_the_whole_alone(void **state)
{
	(void)state;
	w.cloud.next = ACT_START;
	world_row(&w, "part", "p1", "1", NULL);
	world_row(&w, "part", "p2", "1", NULL);
	world_row(&w, "whole", "c", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 2);
	assert_int_equal(cloud_count(&w.cloud, "create c"), 0);
	cloud_finish(&w.cloud);
	later(1000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(cloud_count(&w.cloud, "create c"), 1);
	memcpy(cloud_find(&w.cloud, "p1")->value, "9", 2);
	world_pass(&w, GOAL_KEEP); /* p1 differs, and c is running */
	assert_int_equal(cloud_count(&w.cloud, "update p1"), 0);
	assert_true(str_is(world_external(&w, "p1")->spec.waits_for, "c"));
}

/* ---- deleting ---- */

static void
one_delete_takes_along_what_is_inside(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_row(&w, "item", "in-b", "1", "a");
	world_row(&w, "item", "in-c", "1", "a");
	world_pass(&w, GOAL_KEEP);
	w.cloud.nledger = 0;
	w.cloud.next = ACT_DONE;
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(w.cloud.nledger, 1);
	assert_string_equal(w.cloud.ledger[0], "delete a");
	assert_int_equal(w.result.left, 0);
	assert_int_equal(phase("in-b"), EXTERNAL_TOMBSTONE);
}

static void
what_is_inside_is_confirmed_gone(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_row(&w, "item", "in-b", "1", "a");
	world_pass(&w, GOAL_KEEP);
	w.cloud.next = ACT_START;
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(w.result.left, 2);
	cloud_finish(&w.cloud); /* the box goes, and leaves something behind */
	later(1000);
	w.cloud.next = ACT_DONE;
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(phase("a"), EXTERNAL_TOMBSTONE);
	assert_int_equal(cloud_count(&w.cloud, "delete in-b"), 1);
	assert_int_equal(w.result.left, 0);
}

static void
others_things_inside_keep_the_container(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_row(&w, "item", "in-b", "1", "a");
	world_pass(&w, GOAL_KEEP);
	w.cloud.foreign_content = true;
	world_pass(&w, GOAL_DELETE);
	later(1000);
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(cloud_count(&w.cloud, "delete in-b"), 1);
	assert_non_null(cloud_find(&w.cloud, "a"));
	assert_int_equal(w.result.left, 1);
	assert_reason("a", COMPOSE_FOREIGN_CONTENT);
}

static void
what_was_asked_for_is_looked_at_before_it_is_forgotten(void **state)
{
	(void)state;
	w.cloud.next = ACT_LOSE; /* it takes effect late */
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	later(60000);
	w.cloud.next = ACT_BUSY; /* the cloud is at the first one still */
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(phase("a"), EXTERNAL_WAITING);
	w.cloud.things[0] = (struct cloud_thing){ .name = "a", .value = "1", .there = true };
	w.cloud.next = ACT_DONE;
	later(COMPOSE_RETRY_MAX_MS);
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(cloud_count(&w.cloud, "delete a"), 1);
	assert_null(cloud_find(&w.cloud, "a"));
	assert_int_equal(w.result.left, 0);
}

static void
a_removal_that_fails_is_told_and_tried_again_later(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	w.cloud.next = ACT_START;
	later(1000);
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(cloud_count(&w.cloud, "delete a"), 1);
	w.cloud.things[0].going = false; /* the operation has failed */
	w.cloud.things[0].broken = true;
	later(1000);
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(cloud_count(&w.cloud, "delete a"), 1);
	assert_int_equal(w.result.failed, 1);
	assert_true(world_external(&w, "a")->spec.error.present);
	assert_true(w.result.next_ms > 0);
	later(COMPOSE_RETRY_MAX_MS);
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(cloud_count(&w.cloud, "delete a"), 2);
	assert_false(world_external(&w, "a")->spec.error.present);
}

static void
deletion_goes_backwards_and_waits(void **state)
{
	(void)state;
	world_row(&w, "named", "a", "1", NULL);
	world_row(&w, "named", "b", "1", "a");
	world_pass(&w, GOAL_KEEP);
	w.cloud.nledger = 0;
	w.cloud.next = ACT_START;
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(w.cloud.nledger, 1);
	assert_string_equal(w.cloud.ledger[0], "delete b");
	assert_true(str_is(world_external(&w, "a")->spec.waits_for, "b"));
	cloud_finish(&w.cloud);
	later(1000);
	world_pass(&w, GOAL_DELETE);
	assert_string_equal(w.cloud.ledger[1], "delete a");
	cloud_finish(&w.cloud);
	later(1000);
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(w.result.left, 0);
}

static void
a_row_that_left_the_plan_is_removed_and_may_come_back(void **state)
{
	(void)state;
	world_row(&w, "named", "a", "1", NULL);
	world_row(&w, "named", "b", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	world_no_plan(&w);
	world_row(&w, "named", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(cloud_count(&w.cloud, "delete b"), 1);
	assert_int_equal(phase("b"), EXTERNAL_TOMBSTONE);
	assert_int_equal(w.result.left, 0);
	world_row(&w, "named", "b", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(cloud_count(&w.cloud, "create b"), 2);
	assert_int_equal(world_external(&w, "b")->spec.incarnation.value, 2);
	assert_int_equal(world_external(&w, "b")->meta.finalizers.n, 1);
}

static void
an_orphan_is_left_where_it_is(void **state)
{
	(void)state;
	world_row(&w, "named", "a", "1", NULL)->flags = PLAN_ORPHAN;
	world_pass(&w, GOAL_KEEP);
	w.cloud.blind = true; /* its cluster may be out of reach */
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(cloud_count(&w.cloud, "delete a"), 0);
	assert_int_equal(w.result.left, 0);
	assert_non_null(cloud_find(&w.cloud, "a"));
}

static void
what_was_never_asked_for_needs_no_deletion(void **state)
{
	(void)state;
	w.cloud.next = ACT_START;
	world_row(&w, "named", "a", "1", NULL);
	world_row(&w, "named", "b", "1", "a");
	world_pass(&w, GOAL_KEEP);
	cloud_finish(&w.cloud);
	w.cloud.next = ACT_DONE;
	later(1000);
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(cloud_count(&w.cloud, "delete b"), 0);
	assert_int_equal(w.result.left, 0);
}

static void
a_finalizer_keeps_the_record_until_the_thing_is_gone(void **state)
{
	const struct external *x;
	struct object_list list = { 0 };

	(void)state;
	world_row(&w, "named", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	x = world_external(&w, "a");
	assert_true(store_delete(w.store, resource_of(&external_kind), x->meta.ns, x->meta.name,
	    &(struct delete_options){ 0 }, &(struct actor){ "test", "t", "", false }, NULL));
	world_pass(&w, GOAL_DELETE); /* still known, so still removed */
	assert_int_equal(cloud_count(&w.cloud, "delete a"), 1);
	assert_true(store_list(w.store, resource_of(&external_kind), &(struct list_options){ 0 }, &list,
	    NULL));
	assert_int_equal(list.n, 0);
	object_list_fini(&list);
}

/* ---- stale copies, records that do not land ---- */

static void
touch(struct step *s)
{
	const struct object *o = NULL;
	struct node *n = NULL;

	if (!store_get(the_world->store, resource_of(&external_kind), s->ext->meta.ns,
		s->ext->meta.name, &o, NULL))
		return;
	assert_true(object_node(o, s->arena, &n, NULL));
	node_set_strz(s->arena, node_make_path(s->arena, n, "metadata.annotations"), "touched", "yes");
	assert_true(store_update(the_world->store, resource_of(&external_kind), n, UPDATE_MAIN,
	    &(struct actor){ "other", "o", "", false }, NULL, NULL));
	object_unref(o);
}

static void
touch_on_observe(struct step *s, const char *call)
{
	if (strcmp(call, "observe") == 0)
		touch(s);
}

static void
touch_on_create(struct step *s, const char *call)
{
	if (strcmp(call, "create") == 0)
		touch(s);
}

static void
a_stale_copy_sends_nothing(void **state)
{
	(void)state;
	w.cloud.next = ACT_REFUSE;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP); /* the record is there now */
	w.cloud.next = ACT_DONE;
	w.cloud.hook = touch_on_observe;
	later(60000);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 1);
	assert_int_equal(w.result.next_ms, 1); /* at once again */
	w.cloud.hook = NULL;
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(w.cloud.nledger, 2);
	assert_int_equal(phase("a"), EXTERNAL_READY);
}

static void
the_answer_is_recorded_although_others_write(void **state)
{
	(void)state;
	w.cloud.hook = touch_on_create;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	w.cloud.hook = NULL;
	world_restart(&w);
	world_pass(&w, GOAL_KEEP);
	assert_int_equal(phase("a"), EXTERNAL_READY);
	assert_int_equal(w.cloud.nledger, 1);
}

static void
an_end_that_could_not_be_recorded_keeps_the_owner(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	w.cloud.things[0].there = false;
	w.cloud.hook = touch_on_observe; /* somebody writes to the record in between */
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(w.result.left, 1);
	assert_int_equal(w.result.next_ms, 1);
	w.cloud.hook = NULL;
	world_pass(&w, GOAL_DELETE);
	assert_int_equal(w.result.left, 0);
	assert_int_equal(world_external(&w, "a")->meta.finalizers.n, 0);
}

static void
another_owners_record_of_that_name_is_waited_for(void **state)
{
	(void)state;
	world_row(&w, "box", "a", "1", NULL);
	world_pass(&w, GOAL_KEEP);
	w.cloud.nledger = 0;
	/* Deleted by force: the owner is gone, its record is held by its finalizer. */
	assert_true(store_delete(w.store, w.owner->res, w.owner->ns, w.owner->name,
	    &(struct delete_options){ .propagation = PROPAGATE_BACKGROUND },
	    &(struct actor){ "other", "o", "", false }, NULL));
	world_owner(&w, "c1", NULL);
	world_row(&w, "box", "a", "1", NULL);
	for (int i = 0; i < 3; i++) {
		world_pass(&w, GOAL_KEEP);
		assert_int_equal(w.result.next_ms, COMPOSE_RETRY_MIN_MS); /* no busy loop */
		assert_string_equal(error_reason(&w.result.worst), "RecordInUse");
		assert_true(str_eq(world_external(&w, "a")->spec.owner_uid, w.owner->uid));
	}
	assert_int_equal(w.cloud.nledger, 0);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(every_cell_of_the_matrix_has_a_step),
		T(the_intent_is_stored_before_the_create),
		T(rows_that_were_unblocked_go_on_in_the_same_pass),
		T(a_row_waits_for_what_it_needs),
		T(a_steady_pass_writes_and_sends_nothing),
		T(a_pending_resource_is_not_looked_at_before_its_time),
		T(a_lost_answer_is_resolved_by_name_and_adopted),
		T(a_lost_create_that_did_not_happen_is_sent_again),
		T(without_name_and_token_the_window_and_two_looks_decide),
		T(a_token_is_repeated_at_once_and_stays_the_same),
		T(other_parameters_wait_for_the_window_and_get_a_new_token),
		T(deleting_while_unknown_waits_for_the_window),
		T(a_stranger_of_that_name_is_left_alone),
		T(a_stranger_is_adopted_when_the_owner_says_so),
		T(tags_that_were_removed_are_reported_and_nothing_is_made),
		T(what_lost_its_tags_is_neither_removed_nor_forgotten),
		T(a_stranger_that_was_never_adopted_is_not_removed),
		T(not_found_by_another_account_proves_nothing),
		T(what_was_deleted_by_hand_comes_back_after_a_while),
		T(absence_that_passes_changes_nothing),
		T(many_absences_at_once_stop_the_engine),
		T(a_person_can_confirm_that_all_is_gone),
		T(drift_is_put_right_by_an_update),
		T(an_immutable_change_is_refused_before_any_call),
		T(a_refused_create_backs_off_and_keeps_its_intent),
		T(back_off_grows_and_ends_at_its_bound),
		T(a_busy_cloud_is_a_wait_and_no_fault),
		T(a_broken_resource_is_kept_reported_and_repaired),
		T(failed_and_then_healthy_again_is_ready_without_a_call),
		T(an_operation_past_its_deadline_is_called_stuck_and_followed_on),
		T(an_outage_leaves_what_is_ready_ready),
		T(parts_run_side_by_side_and_the_whole_alone),
		T(one_delete_takes_along_what_is_inside),
		T(what_is_inside_is_confirmed_gone),
		T(others_things_inside_keep_the_container),
		T(what_was_asked_for_is_looked_at_before_it_is_forgotten),
		T(a_removal_that_fails_is_told_and_tried_again_later),
		T(deletion_goes_backwards_and_waits),
		T(a_row_that_left_the_plan_is_removed_and_may_come_back),
		T(an_orphan_is_left_where_it_is),
		T(what_was_never_asked_for_needs_no_deletion),
		T(a_finalizer_keeps_the_record_until_the_thing_is_gone),
		T(a_stale_copy_sends_nothing),
		T(the_answer_is_recorded_although_others_write),
		T(an_end_that_could_not_be_recorded_keeps_the_owner),
		T(another_owners_record_of_that_name_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
