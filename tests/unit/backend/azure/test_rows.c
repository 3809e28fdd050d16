#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "backend/kube/kubeconfig.h"
#include "backend/sim/sim.h"
#include "helper_sim.h"
#include "model/base/mem.h"
#include "model/kinds/secret.h"

/* The straight paths of the rows: make, rest, change, remove; and what each costs in requests. */

enum { MINUTE = 60 * 1000 };

static struct flight f;

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

static const struct object *
ready_cluster(const char *name)
{
	const struct object *o = flight_cluster(&f, name, "1.35", POOL("gpua100", 1, 2));

	(void)flight_acted(&f);
	flight_settle(&f, o, 60 * MINUTE);
	return o;
}

static void
a_cluster_with_one_pool_takes_six_acting_requests(void **state)
{
	const struct object *o = ready_cluster("one"), *secret = NULL;
	struct node *n = NULL;
	struct kubeconfig *config = NULL;
	struct str bytes;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(flight_acted(&f), 6);
	assert_true(store_get(f.store, resource_of(&secret_kind), STR("modelplane-system"),
	    aks_kubeconfig_name(f.arena, STR("one")), &secret, &err));
	assert_true(object_node(secret, f.arena, &n, NULL));
	assert_true(base64_decode(f.arena, node_path_str(n, "data.kubeconfig"), &bytes));
	if (!kubeconfig_parse(bytes, (struct str){ 0 }, false, &config, &err))
		fail_msg("%s", err.message);
	/* Ours by a note; not referred to, or a cascading delete would take it before the stack. */
	assert_true(str_eq(node_get_str(node_find(node_path(n, "metadata.annotations"),
			       "flightdeck.dev/owner-uid")),
	    o->uid));
	assert_null(node_path(n, "metadata.ownerReferences"));
	assert_true(str_starts(flight_external(&f, "cluster")->spec.version, STR("1.35.")));
	assert_true(flight_external(&f, "cluster")->spec.external_id.n > 0);
	kubeconfig_free(config);
	object_unref(secret);
	object_unref(o);
}

static void
a_steady_fleet_costs_at_most_five_requests_a_sweep(void **state)
{
	const struct object *fleet[6];
	char name[16];

	(void)state;
	for (int i = 0; i < 6; i++) {
		(void)snprintf(name, sizeof(name), "c%d", i);
		fleet[i] = ready_cluster(name);
	}
	later(&f, 5 * MINUTE);
	for (int i = 0; i < 6; i++)
		flight_pass(&f, fleet[i], GOAL_KEEP);
	for (int sweep = 0; sweep < 3; sweep++) {
		later(&f, COMPOSE_STEADY_MS);
		(void)flight_acted(&f);
		(void)flight_reads(&f);
		for (int i = 0; i < 6; i++) {
			flight_pass(&f, fleet[i], GOAL_KEEP);
			assert_int_equal(f.result.ready, f.result.wanted);
			assert_int_equal(f.result.next_ms, 0);
		}
		assert_int_equal(flight_acted(&f), 0);
		assert_true(flight_reads(&f) <= 5);
	}
	for (int i = 0; i < 6; i++)
		object_unref(fleet[i]);
}

static void
scaling_is_one_request_and_leaves_the_count_alone(void **state)
{
	const struct object *o = ready_cluster("one"), *changed;

	(void)state;
	(void)flight_acted(&f);
	changed = flight_cluster(&f, "one", "1.35", POOL("gpua100", 1, 4));
	flight_settle(&f, changed, 30 * MINUTE);
	assert_int_equal(flight_acted(&f), 1);
	assert_int_equal(node_path_int(flight_external(&f, "nodepool-gpua100")->spec.observed,
	    "maxCount", 0), 4);
	assert_int_equal(node_path_int(flight_external(&f, "nodepool-gpua100")->spec.observed, "count",
	    0), 1);
	object_unref(changed);
	object_unref(o);
}

static void
an_upgrade_takes_the_control_plane_first(void **state)
{
	const struct object *o = ready_cluster("one"), *changed;
	bool pool_before_plane = false;

	(void)state;
	(void)flight_acted(&f);
	changed = flight_cluster(&f, "one", "1.36", POOL("gpua100", 1, 2));
	for (int i = 0; i < 400; i++) {
		struct str plane, pool;

		flight_pass(&f, changed, GOAL_KEEP);
		plane = flight_external(&f, "cluster")->spec.version;
		pool = flight_external(&f, "nodepool-gpua100")->spec.version;
		pool_before_plane = pool_before_plane ||
		    (str_starts(pool, STR("1.36")) && !str_starts(plane, STR("1.36")));
		if (f.result.next_ms == 0)
			break;
		later(&f, f.result.next_ms);
	}
	assert_false(pool_before_plane);
	assert_int_equal(f.result.ready, f.result.wanted);
	assert_true(str_starts(flight_external(&f, "cluster")->spec.version, STR("1.36.")));
	assert_true(str_starts(flight_external(&f, "nodepool-gpua100")->spec.version, STR("1.36.")));
	assert_int_equal(flight_acted(&f), 2);
	object_unref(changed);
	object_unref(o);
}

static void
two_minors_go_in_single_steps(void **state)
{
	const struct object *o = flight_cluster(&f, "one", "1.34", POOL("gpua100", 1, 2)), *changed;
	struct str last = { 0 };
	unsigned steps = 0;

	(void)state;
	flight_settle(&f, o, 60 * MINUTE);
	(void)flight_acted(&f);
	changed = flight_cluster(&f, "one", "1.36", POOL("gpua100", 1, 2));
	for (int i = 0; i < 600; i++) {
		struct str plane;

		flight_pass(&f, changed, GOAL_KEEP);
		plane = flight_external(&f, "cluster")->spec.version;
		if (!str_eq(plane, last)) {
			last = plane;
			steps++; /* 1.34, 1.35, 1.36: none is skipped */
		}
		if (f.result.next_ms == 0)
			break;
		later(&f, f.result.next_ms);
	}
	assert_int_equal(f.result.ready, f.result.wanted);
	assert_int_equal(steps, 3);
	assert_true(str_starts(flight_external(&f, "cluster")->spec.version, STR("1.36.")));
	assert_true(str_starts(flight_external(&f, "nodepool-gpua100")->spec.version, STR("1.36.")));
	assert_int_equal(flight_acted(&f), 4); /* control plane and pool, twice */
	object_unref(changed);
	object_unref(o);
}

static void
deleting_is_one_request(void **state)
{
	const struct object *o = ready_cluster("one");

	(void)state;
	(void)flight_acted(&f);
	flight_settle_gone(&f, o, 60 * MINUTE);
	assert_int_equal(flight_acted(&f), 1);
	assert_int_equal(flight_external(&f, "cluster")->spec.phase, EXTERNAL_TOMBSTONE);
	assert_int_equal(flight_external(&f, "nodepool-gpua100")->spec.phase, EXTERNAL_TOMBSTONE);
	assert_int_equal(flight_external(&f, "resource-group")->spec.phase, EXTERNAL_TOMBSTONE);
	object_unref(o);
}

static void
a_pool_that_is_dropped_goes_alone(void **state)
{
	const struct object *o, *changed;

	(void)state;
	o = flight_cluster(&f, "one", "1.35", POOL("gpua", 1, 2) "," POOL("gpub", 1, 1));
	flight_settle(&f, o, 60 * MINUTE);
	(void)flight_acted(&f);
	changed = flight_cluster(&f, "one", "1.35", POOL("gpua", 1, 2));
	for (int i = 0; i < 200; i++) {
		flight_pass(&f, changed, GOAL_KEEP);
		if (f.result.next_ms == 0)
			break;
		later(&f, f.result.next_ms);
	}
	assert_int_equal(flight_external(&f, "nodepool-gpub")->spec.phase, EXTERNAL_TOMBSTONE);
	assert_int_equal(f.result.ready, f.result.wanted);
	assert_int_equal(flight_acted(&f), 1);
	object_unref(changed);
	object_unref(o);
}

static void
a_size_cannot_change_and_nothing_is_sent(void **state)
{
	const struct object *o = ready_cluster("one"), *changed;

	(void)state;
	(void)flight_acted(&f);
	changed = flight_cluster(&f, "one", "1.35", "{\"name\":\"gpua100\",\"role\":\"GPU\","
	    "\"vmSize\":\"Standard_NV36ads_A10_v5\",\"nodeCount\":1,\"minNodeCount\":1,"
	    "\"maxNodeCount\":2,\"gpu\":{\"acceleratorType\":\"nvidia-a100\"}}");
	flight_pass(&f, changed, GOAL_KEEP);
	assert_int_equal(flight_acted(&f), 0);
	assert_int_equal(f.result.worst.code, ERR_IMMUTABLE);
	assert_non_null(strstr(f.result.worst.message, "vmSize"));
	object_unref(changed);
	object_unref(o);
}

static void
a_crash_after_any_request_makes_nothing_twice(void **state)
{
	const struct object *o = flight_cluster(&f, "one", "1.35", POOL("gpua100", 1, 2));

	(void)state;
	(void)flight_acted(&f);
	for (int i = 0; i < 400; i++) {
		flight_restart(&f); /* forgets all that is not stored */
		flight_pass(&f, o, GOAL_KEEP);
		if (f.result.next_ms == 0)
			break;
		later(&f, f.result.next_ms);
	}
	assert_int_equal(f.result.ready, f.result.wanted);
	object_unref(o);
}

static void
a_certificate_signs_in_too(void **state)
{
	struct azure_config config = { .kind = STR("ClusterProviderConfig"), .name = STR("default") };
	const struct object *o;
	struct error err = { 0 };

	(void)state;
	flight_close(&f);
	flight_open(&f, NULL, true);
	o = flight_cluster(&f, "one", "1.35", POOL("gpua100", 1, 2));
	flight_pass(&f, o, GOAL_KEEP);
	assert_int_equal(f.result.failed, 0);
	assert_true(azure_check(f.azure, f.store, &config, &err));
	object_unref(o);
}

static void
one_token_serves_all(void **state)
{
	const struct object *a = ready_cluster("one"), *b = ready_cluster("two");
	struct azure_counts c;

	(void)state;
	azure_counts_get(f.azure, &c);
	assert_true(c.tokens >= 1 && c.tokens <= 2); /* an hour may have passed */
	object_unref(a);
	object_unref(b);
}

int
main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(a_cluster_with_one_pool_takes_six_acting_requests),
		T(a_steady_fleet_costs_at_most_five_requests_a_sweep),
		T(scaling_is_one_request_and_leaves_the_count_alone),
		T(an_upgrade_takes_the_control_plane_first),
		T(two_minors_go_in_single_steps),
		T(deleting_is_one_request),
		T(a_pool_that_is_dropped_goes_alone),
		T(a_size_cannot_change_and_nothing_is_sent),
		T(a_crash_after_any_request_makes_nothing_twice),
		T(a_certificate_signs_in_too),
		T(one_token_serves_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
