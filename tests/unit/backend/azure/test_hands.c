#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "backend/providers/azure/azure_int.h"
#include "backend/providers/azure/choices.h"
#include "helper_sim.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/kinds/event.h"
#include "model/names.h"

/* What people do in the cloud's own console, and what the wizard asks. */

enum { MINUTE = 60 * 1000 };

static struct flight f;
static struct str id; /* of the cluster */

static const struct azure_config config = { .kind = { "ClusterProviderConfig", 21 },
	.name = { "default", 7 } };

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
ready_cluster(void)
{
	const struct object *o = flight_cluster(&f, "one", "1.35", POOL("gpua100", 1, 3));

	flight_settle(&f, o, 60 * MINUTE);
	id = flight_external(&f, "cluster")->spec.external_id;
	return o;
}

/* A request of somebody else with the same account. */
static struct node *
by_hand(const char *method, struct str path, enum azure_api api, const char *json)
{
	struct azure_session *s = NULL;
	struct arm_answer answer;
	struct node *body = NULL;
	struct error err = { 0 };

	if (!azure_session_open(f.azure, f.store, &config, f.arena, &s, &err))
		fail_msg("%s", err.message);
	if (json != NULL)
		assert_true(json_parse(f.arena, str_from(json), &body, NULL));
	if (path.n > 0 && path.p[0] != '/')
		path = str_from(arena_printf(f.arena, "/subscriptions/%s" STR_FMT,
		    s->account->cred.subscription, STR_ARG(str_sub(path, 1, path.n))));
	if (!arm_call(s, &(struct arm_request){ .method = method, .path = path, .api = api,
		.body = body }, &answer, &err))
		fail_msg("%s: %s", method, err.message);
	azure_session_close(s);
	return answer.body;
}

static struct str
below(const char *fmt_tail)
{
	return str_from(arena_printf(f.arena, STR_FMT "%s", STR_ARG(id), fmt_tail));
}

static void
a_cluster_deleted_by_hand_comes_back(void **state)
{
	const struct object *o = ready_cluster();

	(void)state;
	(void)by_hand("DELETE", id, API_AKS, NULL);
	later(&f, 20 * MINUTE); /* gone */
	flight_pass(&f, o, GOAL_KEEP);
	assert_true(str_is(flight_external(&f, "cluster")->spec.error.reason, "Missing"));
	flight_settle(&f, o, 120 * MINUTE);
	assert_int_equal(flight_external(&f, "cluster")->spec.incarnation.value, 2);
	assert_int_equal(flight_external(&f, "nodepool-gpua100")->spec.incarnation.value, 2);
	assert_int_equal(flight_external(&f, "resource-group")->spec.incarnation.value, 1);
	object_unref(o);
}

static void
a_pool_changed_by_hand_is_put_right(void **state)
{
	const struct object *o = ready_cluster();
	struct node *pool = by_hand("GET", below("/agentPools/gpua100"), API_AKS, NULL), *body, *props;
	struct text t = TEXT_INIT(65536);

	(void)state;
	props = node_dup(f.arena, node_find(pool, "properties"));
	body_strip(props, pool_read_only, npool_read_only);
	node_set_int(f.arena, props, "maxCount", 9);
	body = node_map(f.arena);
	node_set(f.arena, body, "properties", props);
	json_write(&t, body, JSON_COMPACT);
	(void)by_hand("PUT", below("/agentPools/gpua100"), API_AKS, text_get(&t));
	text_free(&t);
	later(&f, 20 * MINUTE);
	(void)flight_acted(&f);
	flight_settle(&f, o, 60 * MINUTE);
	assert_int_equal(flight_acted(&f), 1);
	assert_int_equal(node_path_int(flight_external(&f, "nodepool-gpua100")->spec.observed,
	    "maxCount", 0), 3);
	object_unref(o);
}

static void
the_autoscaler_keeps_its_count(void **state)
{
	const struct object *o = ready_cluster(), *changed;
	struct node *pool = by_hand("GET", below("/agentPools/gpua100"), API_AKS, NULL), *body, *props;
	struct text t = TEXT_INIT(65536);

	(void)state;
	props = node_dup(f.arena, node_find(pool, "properties"));
	body_strip(props, pool_read_only, npool_read_only);
	node_set_int(f.arena, props, "count", 3);
	body = node_map(f.arena);
	node_set(f.arena, body, "properties", props);
	json_write(&t, body, JSON_COMPACT);
	(void)by_hand("PUT", below("/agentPools/gpua100"), API_AKS, text_get(&t));
	text_free(&t);
	later(&f, 20 * MINUTE);
	(void)flight_acted(&f);
	flight_pass(&f, o, GOAL_KEEP);
	assert_int_equal(flight_acted(&f), 0); /* a count is no drift */
	changed = flight_cluster(&f, "one", "1.35", POOL("gpua100", 1, 5));
	flight_settle(&f, changed, 60 * MINUTE);
	assert_int_equal(flight_acted(&f), 1);
	assert_int_equal(node_path_int(flight_external(&f, "nodepool-gpua100")->spec.observed, "count",
	    0), 3); /* and goes back as it was read */
	object_unref(changed);
	object_unref(o);
}

static void
a_group_with_a_stranger_inside_is_not_deleted(void **state)
{
	const struct object *o = ready_cluster();
	struct str group = flight_external(&f, "resource-group")->spec.external_id;
	struct str stranger = str_from(arena_printf(f.arena, STR_FMT
	    "/providers/Microsoft.Network/virtualNetworks/theirs", STR_ARG(group)));

	(void)state;
	(void)by_hand("PUT", stranger, API_NETWORK, "{\"location\":\"westeurope\",\"properties\":{"
	    "\"addressSpace\":{\"addressPrefixes\":[\"10.99.0.0/16\"]}}}");
	later(&f, 5 * MINUTE);
	for (int i = 0; i < 200 && (i == 0 || f.result.left > 1); i++) {
		flight_pass(&f, o, GOAL_DELETE);
		later(&f, f.result.next_ms > 0 ? f.result.next_ms : 1000);
	}
	assert_int_equal(f.result.left, 1);
	assert_true(str_is(flight_external(&f, "resource-group")->spec.error.reason,
	    COMPOSE_FOREIGN_CONTENT));
	assert_non_null(by_hand("GET", stranger, API_NETWORK, NULL));
	(void)by_hand("DELETE", stranger, API_NETWORK, NULL);
	later(&f, 15 * MINUTE);
	flight_settle_gone(&f, o, 60 * MINUTE);
	object_unref(o);
}

static void
a_stranger_with_the_clusters_group_name_stops_it(void **state)
{
	const struct object *o;
	struct str name = child_name3(f.arena, STR("modelplane-system"), STR("one"), "aks");

	(void)state;
	(void)by_hand("PUT", str_from(arena_printf(f.arena, "~/resourceGroups/" STR_FMT, STR_ARG(name))),
	    API_RESOURCES, "{\"location\":\"westeurope\"}");
	(void)flight_acted(&f);
	o = flight_cluster(&f, "one", "1.35", POOL("gpua100", 1, 3));
	flight_pass(&f, o, GOAL_KEEP);
	assert_int_equal(flight_acted(&f), 0);
	assert_true(str_is(flight_external(&f, "resource-group")->spec.error.reason, "NameTaken"));
	object_unref(o);
}

static unsigned
orphans(void)
{
	struct object_list list = { 0 };
	unsigned n = 0;

	assert_true(store_list(f.store, resource_of(&event_kind), &(struct list_options){ 0 }, &list,
	    NULL));
	for (size_t i = 0; i < list.n; i++) {
		if (str_find(list.items[i]->json, STR("\"reason\":\"Orphan\"")) >= 0) {
			assert_true(str_find(list.items[i]->json, STR("'left-behind'")) >= 0);
			n++;
		}
	}
	object_list_fini(&list);
	return n;
}

static void
what_has_our_mark_and_no_record_is_reported(void **state)
{
	const struct object *o = ready_cluster();

	(void)state;
	later(&f, 11 * MINUTE);
	flight_pass(&f, o, GOAL_KEEP);
	assert_int_equal(orphans(), 0);
	(void)by_hand("PUT", STR("~/resourceGroups/left-behind"), API_RESOURCES,
	    "{\"location\":\"westeurope\",\"tags\":{\"flightdeck-installation\":"
	    "\"0123456789abcdef0123456789abcdef\",\"flightdeck-uid\":\"gone\","
	    "\"flightdeck-key\":\"resource-group\"}}");
	(void)flight_acted(&f);
	for (int i = 0; i < 3; i++) {
		later(&f, 11 * MINUTE);
		flight_pass(&f, o, GOAL_KEEP);
	}
	assert_int_equal(orphans(), 1);
	assert_int_equal(flight_acted(&f), 0); /* and never removed */
	object_unref(o);
}

static void
the_wizard_gets_its_choices(void **state)
{
	struct azure_choices_query query = { .config = config };
	struct node *n = NULL, *again = NULL;
	struct error err = { 0 };
	bool gpu = false, preset = false;

	(void)state;
	if (!azure_choices(f.azure, f.store, &query, f.arena, &n, &err))
		fail_msg("%s", err.message);
	assert_true(node_count(node_find(n, "locations")) > 1);
	assert_null(node_find(n, "sizes"));
	query.location = STR("westeurope");
	if (!azure_choices(f.azure, f.store, &query, f.arena, &n, &err))
		fail_msg("%s", err.message);
	for (const struct node *v = node_first(node_find(n, "versions")); v != NULL; v = v->next)
		preset = preset || node_path_bool(v, "default", false);
	for (const struct node *v = node_first(node_find(n, "sizes")); v != NULL; v = v->next) {
		if (!str_is(node_get_str(node_find(v, "name")), "Standard_NC24ads_A100_v4"))
			continue;
		gpu = node_path_int(v, "gpus", 0) == 1 && node_path_int(v, "vcpus", 0) == 24 &&
		    node_get_str(node_find(v, "family")).n > 0;
	}
	assert_true(preset && gpu);
	assert_true(node_count(node_find(n, "quota")) > 0);
	assert_true(str_is(node_path_str(n, "features.AKSInfinibandSupport"), "Registered"));
	(void)flight_reads(&f);
	assert_true(azure_choices(f.azure, f.store, &query, f.arena, &again, &err));
	assert_int_equal(flight_reads(&f), 0); /* kept for a while */
	assert_true(node_eq(n, again));
}

static void
a_wrong_secret_is_told_with_advice(void **state)
{
	struct error err = { 0 };
	struct azure_config none = { .kind = STR("ClusterProviderConfig"), .name = STR("absent") };

	(void)state;
	assert_true(azure_check(f.azure, f.store, &config, &err));
	assert_false(azure_check(f.azure, f.store, &none, &err));
	assert_string_equal(error_reason(&err), "CredentialsMissing");
	assert_non_null(strstr(error_advice(&err), "flightdeck login"));
}

int
main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(a_cluster_deleted_by_hand_comes_back),
		T(a_pool_changed_by_hand_is_put_right),
		T(the_autoscaler_keeps_its_count),
		T(a_group_with_a_stranger_inside_is_not_deleted),
		T(a_stranger_with_the_clusters_group_name_stops_it),
		T(what_has_our_mark_and_no_record_is_reported),
		T(the_wizard_gets_its_choices),
		T(a_wrong_secret_is_told_with_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
