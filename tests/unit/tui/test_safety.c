/* Nothing is written but through a review, whatever is typed or pasted. */
#include "helper_fleet.h"

#include <stdio.h>
#include <string.h>

static const char *const ways[] = { "", "2", "3", "4", "5", "6", "j x", "j X", "?" };

/* The first key of each action. */
static size_t
one_key_each(uint32_t keys[ACT__MAX])
{
	struct config c;
	size_t n = 0;

	config_default(&c);
	for (int a = 0; a < ACT__MAX; a++)
		for (size_t i = 0; i < c.keys.n; i++)
			if (c.keys.rows[i].action == (enum action_id)a) {
				keys[n++] = c.keys.rows[i].key;
				break;
			}
	return n;
}

static void
no_key_and_no_pair_of_keys_writes(void **state)
{
	uint32_t keys[ACT__MAX];
	size_t n = one_key_each(keys);

	(void)state;
	for (size_t w = 0; w < ARRAY_LEN(ways); w++)
		for (size_t i = 0; i < n; i++) {
			struct bench b;
			char name[KEY_TEXT_MAX];

			bench_open(&b, fixture_fleet());
			bench_keys(&b, ways[w]);
			key_format(keys[i], name);
			bench_keys(&b, name);
			for (size_t k = 0; k < n; k++) {
				key_format(keys[k], name);
				bench_keys(&b, name);
				if (k % 9 == 8)
					bench_keys(&b, "enter esc esc esc");
			}
			assert_int_equal(bench_writes(&b), 0);
			bench_close(&b);
		}
}

static void
delete_wants_the_name(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	bench_keys(&b, "j D enter");
	assert_int_equal(b.console.nlayers, 1);
	assert_int_equal(bench_writes(&b), 0);
	assert_true(b.rec.discards > 0);
	bench_type(&b, "aks-eu-2");
	bench_keys(&b, "enter");
	assert_int_equal(bench_writes(&b), 0);
	bench_keys(&b, "ctrl-u");
	bench_type(&b, "apply");
	bench_keys(&b, "enter");
	assert_int_equal(bench_writes(&b), 0);
	bench_keys(&b, "ctrl-u");
	bench_type(&b, "aks-eu-1");
	bench_keys(&b, "enter");
	assert_int_equal(bench_writes(&b), 1);
	assert_int_equal(b.rec.sent[0]->verb, REQUEST_DELETE);
	assert_string_equal(b.rec.sent[0]->kind, "InferenceCluster");
	assert_string_equal(b.rec.sent[0]->name, "aks-eu-1");
	bench_keys(&b, "enter enter");
	assert_int_equal(bench_writes(&b), 1);
	bench_answer(&b, 0, true, "");
	assert_int_equal(b.console.nlayers, 0);
	assert_shows(&b, "delete cluster aks-eu-1: accepted");
	bench_close(&b);
}

static void
a_review_that_fails_stays_and_says_why(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	bench_keys(&b, "j D");
	bench_type(&b, "aks-eu-1");
	bench_keys(&b, "enter");
	bench_answer(&b, 0, false, "the store is full");
	assert_shows(&b, "the store is full");
	bench_type(&b, "aks-eu-1");
	bench_keys(&b, "enter");
	assert_int_equal(bench_writes(&b), 2);
	bench_close(&b);
}

static void
pasted_text_neither_acts_nor_confirms(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	bench_paste(&b, "Dq\n2nR");
	assert_int_equal(b.console.nlayers, 0);
	assert_false(b.console.locked);
	bench_keys(&b, "j D");
	bench_paste(&b, "aks-eu-1\n");
	bench_keys(&b, "enter");
	assert_int_equal(bench_writes(&b), 0);
	bench_close(&b);
}

static void
bulk_is_as_strict_as_one(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	bench_keys(&b, "j space space D");
	assert_shows(&b, "aks-eu-1");
	assert_shows(&b, "aks-eu-2");
	bench_type(&b, "aks-eu-1");
	bench_keys(&b, "enter");
	assert_int_equal(bench_writes(&b), 0);
	bench_keys(&b, "ctrl-u");
	bench_type(&b, "delete 2 clusters");
	bench_keys(&b, "enter");
	assert_int_equal(bench_writes(&b), 2);
	bench_close(&b);
}

static void
the_lock_refuses_and_hides_writes(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	bench_keys(&b, "R");
	assert_shows(&b, "[READ-ONLY]");
	bench_keys(&b, "j D n s t u N");
	assert_int_equal(b.console.nlayers, 0);
	bench_keys(&b, "?");
	assert_hides(&b, "scale a pool");
	bench_keys(&b, "q R j D");
	assert_int_equal(b.console.nlayers, 1);
	bench_close(&b);
}

static void
a_production_profile_unlocks_by_its_name(void **state)
{
	struct bench b;
	struct fleet prod;

	(void)state;
	bench_open(&b, NULL);
	prod = *fixture_fleet();
	prod.prod = true;
	b.console.fleet = &prod;
	bench_keys(&b, "R R enter");
	assert_true(b.console.locked);
	bench_type(&b, "prod-fleet");
	bench_keys(&b, "enter");
	assert_false(b.console.locked);
	assert_shows(&b, "[PROD RW]");
	b.console.fleet = NULL;
	bench_close(&b);
}

static void
scale_is_tried_first_and_names_what_is_cut(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	bench_keys(&b, "2 j s");
	bench_keys(&b, "- - enter");
	assert_int_equal(b.rec.nsent, 1);
	assert_int_equal(b.rec.sent[0]->verb, REQUEST_SCALE);
	assert_true(b.rec.sent[0]->dry_run);
	assert_int_equal(b.rec.sent[0]->nodes, 6);
	assert_shows(&b, "2 nodes are removed");
	assert_shows(&b, "flightdeck scale aks-eu-1");
	bench_answer(&b, 0, false, "min is 7");
	bench_type(&b, "aks-eu-1");
	bench_keys(&b, "enter");
	assert_int_equal(bench_writes(&b), 0);
	assert_shows(&b, "not sent: min is 7");
	bench_close(&b);
}

static void
taints_go_through_a_review(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	bench_keys(&b, "j t n");
	assert_int_equal(b.rec.sent[0]->verb, REQUEST_TAINT);
	assert_string_equal(b.rec.sent[0]->text, "flightdeck.dev/maintenance=true:NoSchedule");
	bench_answer(&b, 0, true, "");
	bench_type(&b, "apply");
	bench_keys(&b, "enter");
	assert_int_equal(bench_writes(&b), 1);
	bench_answer(&b, 1, true, "");
	bench_keys(&b, "t e");
	bench_type(&b, "apply");
	bench_keys(&b, "enter");
	assert_int_equal(bench_writes(&b), 1);
	bench_close(&b);
}

static void
escapes_from_outside_are_visible(void **state)
{
	struct bench b;
	struct fleet evil;
	struct fleet_cluster k;

	(void)state;
	bench_open(&b, NULL);
	evil = *fixture_fleet();
	k = evil.clusters[0];
	k.name = STR("a\033]0;x\007\xe2\x80\xae\xc2\x9b");
	k.message = STR("m\r\033[2J\xff");
	evil.clusters = &k;
	evil.nclusters = 1;
	evil.nurgent = 0;
	b.console.fleet = &evil;
	for (const char *p = bench_screen(&b, 160, 50); *p != '\0'; p++)
		assert_true((unsigned char)*p >= 0x20 || *p == '\n');
	assert_null(strstr(bench_screen(&b, 160, 50), "\xe2\x80\xae"));
	assert_null(strstr(bench_screen(&b, 160, 50), "\xc2\x9b"));
	b.console.fleet = NULL;
	bench_close(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_key_and_no_pair_of_keys_writes),
		cmocka_unit_test(delete_wants_the_name),
		cmocka_unit_test(a_review_that_fails_stays_and_says_why),
		cmocka_unit_test(pasted_text_neither_acts_nor_confirms),
		cmocka_unit_test(bulk_is_as_strict_as_one),
		cmocka_unit_test(the_lock_refuses_and_hides_writes),
		cmocka_unit_test(a_production_profile_unlocks_by_its_name),
		cmocka_unit_test(scale_is_tried_first_and_names_what_is_cut),
		cmocka_unit_test(taints_go_through_a_review),
		cmocka_unit_test(escapes_from_outside_are_visible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
