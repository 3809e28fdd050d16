#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backend/runtime/failpoint.h"
#include "backend/sim/sim.h"
#include "helper_sim.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/names.h"

/*
 * A cloud that is slow, refuses, loses and lies; an engine that dies at each of its steps. What must
 * hold is read from the simulator's ledger: nothing made twice, nothing left, and silence at the
 * end.
 */

enum { MINUTE = 60 * 1000, HOUR = 60 * MINUTE };

static struct flight f;

/* ---- the oracle ---- */

static struct str
ledger_read(void)
{
	char path[128];
	FILE *file;
	struct text t = TEXT_INIT(64 * 1024 * 1024);
	struct str s;
	char buf[65536];
	size_t n;

	(void)snprintf(path, sizeof(path), "%s/sim/requests.jsonl", f.dir);
	file = fopen(path, "r");
	assert_non_null(file);
	while ((n = fread(buf, 1, sizeof(buf), file)) > 0)
		text_add_str(&t, (struct str){ buf, n });
	(void)fclose(file);
	s = str_copy(f.arena, text_str(&t));
	text_free(&t);
	return s;
}

/* How often a request of that method on a path with that ending was answered with that status. */
static unsigned
ledger_count(const char *method, const char *ending, int status)
{
	struct str rest = ledger_read(), line;
	unsigned count = 0;

	while (str_split(&rest, '\n', &line)) {
		struct node *n = NULL;
		struct str path;

		if (line.n == 0 || !json_parse(f.arena, line, &n, NULL))
			continue;
		path = node_get_str(node_find(n, "path"));
		if (str_is(node_get_str(node_find(n, "method")), method) &&
		    (status == 0 || node_path_int(n, "status", 0) == status) &&
		    str_ends(path, str_from(ending)))
			count++;
	}
	return count;
}

/* Acting requests of the whole flight, whichever engine sent them. */
static unsigned
ledger_acting(void)
{
	struct str rest = ledger_read(), line;
	unsigned count = 0;

	while (str_split(&rest, '\n', &line)) {
		struct node *n = NULL;

		if (line.n > 0 && json_parse(f.arena, line, &n, NULL) &&
		    !str_is(node_get_str(node_find(n, "method")), "GET") &&
		    str_is(node_get_str(node_find(n, "service")), "arm"))
			count++;
	}
	return count;
}

static const char *
cluster_ending(void)
{
	return arena_printf(f.arena, "/managedClusters/" STR_FMT,
	    STR_ARG(child_name3(f.arena, STR("modelplane-system"), STR("one"), "aks")));
}

static void
steps(const struct object *o, enum compose_goal goal, const char *what)
{
	for (int i = 0; i < 3000; i++) {
		bool ok = flight_try(&f, o, goal);
		bool done = goal == GOAL_DELETE ? f.result.left == 0
		    : f.result.ready == f.result.wanted && f.result.next_ms == 0;

		if (ok && done)
			return;
		later(&f, ok && f.result.next_ms > 0 ? f.result.next_ms : 1000);
	}
	for (size_t i = 0; i < f.result.nexternals; i++) {
		const struct external_spec *x = &f.result.externals[i].spec;

		print_message("  " STR_FMT ": %s; " STR_FMT " " STR_FMT "\n", STR_ARG(x->key),
		    external_phase_words[x->phase], STR_ARG(x->error.message), STR_ARG(x->progress));
	}
	fail_msg("%s: not settled: %s", what, f.result.worst.message);
}

static void
assert_silence(const struct object *o)
{
	(void)flight_acted(&f);
	for (int i = 0; i < 3; i++) {
		later(&f, 5 * MINUTE);
		flight_pass(&f, o, GOAL_KEEP);
	}
	assert_int_equal(flight_acted(&f), 0);
}

/* ---- an unreliable cloud ---- */

static const struct {
	const char *fault;
	unsigned long most; /* acting requests from nothing to ready; 6 when all goes well */
	bool noisy;	    /* reads fail, too: silence cannot be asked for */
} clouds[] = {
	{ "arm.429=0.3", 30, true },
	{ "arm.500=0.2", 40, true },
	{ "arm.503=0.2", 40, true },
	{ "arm.lost=0.3", 30, true },
	{ "arm.late=0.3", 30, true },
	{ "arm.cut=0.2", 30, true },
	{ "arm.html=0.2", 40, true },
	{ "arm.401=0.2", 40, true },
	{ "arm.nourl=1", 8, false },
	{ "arm.lag=90", 8, false },
	{ "signin.500=0.5", 12, true },
	{ "token.ttl=60", 8, false },
	{ "op.fail=0.3", 30, false },
	{ "op.gone=0.5", 10, false },
};

static void
an_unreliable_cloud_is_outlasted(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(clouds); i++) {
		const struct object *o;
		unsigned long acted;

		flight_open(&f, clouds[i].fault, false);
		o = flight_cluster(&f, "one", "1.35", POOL("gpua100", 1, 2));
		steps(o, GOAL_KEEP, clouds[i].fault);
		acted = ledger_acting();
		if (acted > clouds[i].most)
			fail_msg("%s: %lu acting requests", clouds[i].fault, acted);
		/* 201 says new: each thing was made once, whatever was lost on the way. */
		if (ledger_count("PUT", cluster_ending(), 201) > 1)
			fail_msg("%s: the cluster was made twice", clouds[i].fault);
		if (!clouds[i].noisy)
			assert_silence(o);
		steps(o, GOAL_DELETE, clouds[i].fault);
		object_unref(o);
		flight_close(&f);
	}
}

static void
refusals_are_told_with_reason_and_advice(void **state)
{
	static const struct {
		const char *fault, *key, *reason, *advice;
	} rows[] = {
		{ "quota.StandardNCADSA100v4Family=0", "nodepool-gpua100", "QuotaExceeded", "quota" },
		{ "nocapacity.Standard_NC24ads_A100_v4=1", "nodepool-gpua100", "AllocationFailed", "zone" },
		{ "deny.Microsoft.ContainerService/managedClusters/write=1", "cluster",
		    "AuthorizationFailed", "grant" },
		{ "policy.westeurope=1", "resource-group",
		    "RequestDisallowedByPolicy", "policy" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct object *o;
		const struct external_spec *x;

		flight_open(&f, rows[i].fault, false);
		o = flight_cluster(&f, "one", "1.35", POOL("gpua100", 1, 2));
		for (int n = 0; n < 60; n++) {
			flight_pass(&f, o, GOAL_KEEP);
			if (f.result.worst.code != ERR_NONE)
				break;
			later(&f, f.result.next_ms > 0 ? f.result.next_ms : 1000);
		}
		x = &flight_external(&f, rows[i].key)->spec;
		if (!str_is(x->error.reason, rows[i].reason) ||
		    str_find(x->error.advice, str_from(rows[i].advice)) < 0)
			fail_msg("%s (" STR_FMT "): " STR_FMT ": " STR_FMT "; " STR_FMT, rows[i].fault,
			    STR_ARG(f.result.worst_key),
			    STR_ARG(x->error.reason), STR_ARG(x->error.message), STR_ARG(x->error.advice));
		assert_true(f.result.next_ms > 0);
		steps(o, GOAL_DELETE, rows[i].fault);
		object_unref(o);
		flight_close(&f);
	}
}

static void
a_provider_that_is_not_registered_gets_registered(void **state)
{
	const struct object *o;

	(void)state;
	flight_open(&f, "unregistered.Microsoft.ContainerService=1", false);
	o = flight_cluster(&f, "one", "1.35", POOL("gpua100", 1, 2));
	steps(o, GOAL_KEEP, "unregistered");
	assert_int_equal(ledger_count("POST", "/register", 200), 1);
	object_unref(o);
	flight_close(&f);
}

/* ---- an engine that dies ---- */

static void
dying_at_any_step_makes_nothing_twice_and_leaves_nothing(void **state)
{
	static const char *const points[] = { "compose/before-intent", "compose/intent-durable",
		"compose/sent", "compose/answered", "compose/recorded" };
	static const char *const keys[] = { "resource-group", "virtual-network", "cluster",
		"role-assignment", "nodepool-gpua100", "kubeconfig" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(points) * ARRAY_LEN(keys); i++) {
		const struct object *o;
		char spec[128];
		unsigned long acted;

		(void)snprintf(spec, sizeof(spec), "%s@%s:1:error", points[i / ARRAY_LEN(keys)],
		    keys[i % ARRAY_LEN(keys)]);
		assert_int_equal(setenv("FLIGHTDECK_FAILPOINT", spec, 1), 0);
		failpoint_reset();
		flight_open(&f, NULL, false);
		o = flight_cluster(&f, "one", "1.35", POOL("gpua100", 1, 2));
		steps(o, GOAL_KEEP, spec);
		acted = ledger_acting();
		assert_int_equal(ledger_count("PUT", cluster_ending(), 201), 1);
		/* At most the one request whose answer was lost is made again, on the same name. */
		if (acted < 6 || acted > 7)
			fail_msg("%s: %lu acting requests", spec, acted);
		assert_int_equal(unsetenv("FLIGHTDECK_FAILPOINT"), 0);
		failpoint_reset();
		assert_silence(o);
		steps(o, GOAL_DELETE, spec);
		object_unref(o);
		flight_close(&f);
	}
}

static void
dying_while_deleting_still_ends(void **state)
{
	(void)state;
	for (int hit = 1; hit <= 2; hit++) {
		const struct object *o;
		char spec[64];

		flight_open(&f, NULL, false);
		o = flight_cluster(&f, "one", "1.35", POOL("gpua100", 1, 2));
		steps(o, GOAL_KEEP, "create");
		(void)snprintf(spec, sizeof(spec), "compose/deleted:%d:error", hit);
		assert_int_equal(setenv("FLIGHTDECK_FAILPOINT", spec, 1), 0);
		failpoint_reset();
		steps(o, GOAL_DELETE, spec);
		assert_int_equal(unsetenv("FLIGHTDECK_FAILPOINT"), 0);
		failpoint_reset();
		object_unref(o);
		flight_close(&f);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unreliable_cloud_is_outlasted),
		cmocka_unit_test(refusals_are_told_with_reason_and_advice),
		cmocka_unit_test(a_provider_that_is_not_registered_gets_registered),
		cmocka_unit_test(dying_at_any_step_makes_nothing_twice_and_leaves_nothing),
		cmocka_unit_test(dying_while_deleting_still_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
