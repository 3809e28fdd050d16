#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "backend/providers/azure/azure_int.h"
#include "backend/sim/sim.h"
#include "helper_sim.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/kinds/secret.h"

/* Credentials that change, and answers that look like absence. */

static struct flight f;
static const struct azure_config by_default = {
	.kind = { "ClusterProviderConfig", 21 }, .name = { "default", 7 }
};

static int
setup(void **state)
{
	(void)state;
	flight_open(&f, NULL, false);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	flight_close(&f);
	return 0;
}

static struct azure_session *
open_session(struct arena *a)
{
	struct azure_session *s = NULL;
	struct error err = { 0 };

	if (!azure_session_open(f.azure, f.store, &by_default, a, &s, &err))
		fail_msg("%s", err.message);
	assert_non_null(s);
	return s;
}

/* The credential's Secret with another client secret; -1 puts the good one back. */
static void
rotate(int turn)
{
	struct text t = TEXT_INIT(256 * 1024);
	struct node *ends = NULL, *cred = NULL, *secret = node_map(f.arena);
	const struct actor tester = { .manager = "test", .user = "t", .from = "" };
	struct error err = { 0 };

	assert_true(sim_endpoints(f.sim, &t, &err));
	assert_true(json_parse(f.arena, text_str(&t), &ends, &err));
	assert_true(json_parse(f.arena,
	    node_get_str(node_find(ends, "azureCredentialsJson")), &cred, &err));
	if (turn >= 0)
		node_set_strz(f.arena, cred, "clientSecret", arena_printf(f.arena, "old-%d", turn));
	text_clear(&t);
	json_write(&t, cred, JSON_COMPACT);
	node_set_strz(f.arena, secret, "apiVersion", "v1");
	node_set_strz(f.arena, secret, "kind", "Secret");
	node_set_strz(f.arena, node_make_path(f.arena, secret, "metadata"), "name", "cred");
	node_set_strz(f.arena, node_make_path(f.arena, secret, "metadata"), "namespace",
	    "modelplane-system");
	{
		struct text coded = TEXT_INIT(64 * 1024);

		text_add_base64(&coded, text_str(&t));
		node_set(f.arena, node_make_path(f.arena, secret, "data"), "credentials.json",
		    node_str(f.arena, text_str(&coded)));
		text_free(&coded);
	}
	if (!store_apply(f.store, resource_of(&secret_kind), secret, true, &tester, NULL, &err))
		fail_msg("%s", err.message);
	text_free(&t);
}

static void
a_secret_may_be_replaced_for_ever(void **state)
{
	struct arena *first = arena_new(8UL * 1024 * 1024), *a = arena_new(8UL * 1024 * 1024);
	struct azure_session *held;
	struct error err = { 0 };
	struct node *n = NULL;

	(void)state;
	assert_true(first != NULL && a != NULL);
	held = open_session(first); /* in use all the time: its account stays */
	for (int turn = 0; turn < 2 * AZURE_MAX_ACCOUNTS + 3; turn++) {
		rotate(turn);
		azure_session_close(open_session(a));
		arena_clear(a);
	}
	rotate(-1);
	assert_true(azure_check(f.azure, f.store, &by_default, &err));
	assert_int_equal(arm_get(held, arm_group_id(held, STR("nothing")), API_RESOURCES, &n, &err),
	    FOUND_ABSENT);
	azure_session_close(held);
	arena_free(first);
	arena_free(a);
}

static void
all_accounts_in_use_is_said(void **state)
{
	struct arena *a = arena_new(64UL * 1024 * 1024);
	struct azure_session *held[AZURE_MAX_ACCOUNTS], *more = NULL;
	struct error err = { 0 };

	(void)state;
	assert_non_null(a);
	for (int i = 0; i < AZURE_MAX_ACCOUNTS; i++) {
		rotate(i);
		held[i] = open_session(a);
	}
	rotate(-1);
	assert_false(azure_session_open(f.azure, f.store, &by_default, a, &more, &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	azure_session_close(held[5]);
	azure_session_close(open_session(a));
	for (int i = 0; i < AZURE_MAX_ACCOUNTS; i++)
		if (i != 5)
			azure_session_close(held[i]);
	arena_free(a);
}

static void
only_the_words_for_it_mean_absent(void **state)
{
	struct arena *a = arena_new(8UL * 1024 * 1024);
	struct azure_session *s;
	struct error err = { 0 };
	struct node *n = NULL;
	struct str group;

	(void)state;
	assert_non_null(a);
	s = open_session(a);
	group = arm_group_id(s, STR("g"));
	assert_int_equal(arm_get(s, group, API_RESOURCES, &n, &err), FOUND_ABSENT);
	/* A 404, too: the type is not known there. */
	assert_int_equal(arm_get(s,
	    arm_path(s, STR_FMT "/providers/Microsoft.Nothing/things/x", STR_ARG(group)),
	    API_NETWORK, &n, &err), FOUND_FAILED);
	assert_string_equal(error_reason(&err), "InvalidResourceType");
	error_clear(&err);
	assert_int_equal(arm_get(s,
	    STR("/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/g"),
	    API_RESOURCES, &n, &err), FOUND_FAILED);
	azure_session_close(s);
	arena_free(a);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(a_secret_may_be_replaced_for_ever),
		T(all_accounts_in_use_is_said),
		T(only_the_words_for_it_mean_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
