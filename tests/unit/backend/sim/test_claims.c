/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#include "helper_sim.h"

#include "backend/sim/cluster_claims.h"
#include "model/json.h"

/*
 * Devices of a simulated cluster: who asks for them with a ResourceClaim gets them, and the
 * workload of --workload holds its share. Slices are written as a driver would.
 */

static struct fixture f;
static struct round r;

static void
look(void)
{
	r = (struct round){ .k = clusters_find(f.sim->clusters, STR("g/k")),
		.a = f.a,
		.now_ms = f.now_ms,
		.next_ms = INT64_MAX };
	assert_non_null(r.k);
}

static void
pass(int64_t seconds)
{
	look();
	atomic_store(&r.k->dirty, true);
	for (int64_t done = 0; done < seconds; done += 5)
		fixture_pass(&f, 5);
	look();
}

static void
put(const char *kind, const char *json)
{
	struct node *n = NULL;
	struct error err = { 0 };

	if (!json_parse(f.a, str_from(json), &n, &err))
		fail_msg("%s", err.message);
	assert_true(kube_put(&r, kind, n, "test"));
}

/* A node of the pool gpua10, which has two. */
static struct str
gpu_node(size_t i)
{
	return node_path_str(node_at(kube_list(&r, "Node"), i), "metadata.name");
}

static void
slice(size_t i, int devices)
{
	struct text t = TEXT_INIT(65536);

	text_printf(&t,
	    "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\",\"metadata\":"
	    "{\"name\":\"slice-%zu\"},\"spec\":{\"driver\":\"gpu.nvidia.com\",\"nodeName\":"
	    "\"" STR_FMT "\",\"pool\":{\"name\":\"" STR_FMT
	    "\",\"generation\":1,\"resourceSliceCount\":1},\"devices\":[",
	    i, STR_ARG(gpu_node(i)), STR_ARG(gpu_node(i)));
	for (int d = 0; d < devices; d++)
		text_printf(&t,
		    "%s{\"name\":\"gpu-%d\",\"attributes\":{\"type\":{\"string\":\"gpu\"},"
		    "\"index\":{\"int\":%d}},\"capacity\":{\"memory\":{\"value\":\"80Gi\"}}}",
		    d > 0 ? "," : "", d, d);
	text_add(&t, "]}}");
	put("ResourceSlice", text_get(&t));
	text_free(&t);
}

/* Without its release slices were taken for leftovers; without discovery it makes none itself. */
static void
driver_deploy(void)
{
	struct node *facts = node_map(f.a);

	node_set_strz(f.a, facts, "chart", "dra-driver-nvidia-gpu");
	node_set_strz(f.a, facts, "version", "1.0.0");
	node_set_strz(f.a, facts, "values", "{}");
	assert_true(release_set(&r, STR("driver"), STR("dra"), "deployed", facts));
}

static void
start(double workload)
{
	fixture_start(&f, "token.ttl=100000000");
	f.sim->workload = workload;
	fixture_group(&f);
	fixture_network(&f);
	fixture_cluster(&f);
	fixture_pool(&f);
	look();
	driver_deploy();
	pass(5);
	assert_non_null(kube_get(&r, "DeviceClass", (struct str){ 0 }, STR("gpu.nvidia.com")));
}

static int
stop(void **state)
{
	(void)state;
	fixture_stop(&f);
	return 0;
}

static void
claim(const char *name, const char *request)
{
	put("ResourceClaim",
	    arena_printf(f.a,
		"{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\",\"metadata\":"
		"{\"name\":\"%s\",\"namespace\":\"default\"},\"spec\":{\"devices\":{\"requests\":"
		"[{\"name\":\"gpu\",%s}]}}}",
		name, request));
}

#define EXACTLY(more) "\"exactly\":{\"deviceClassName\":\"gpu.nvidia.com\"" more "}"
#define CEL(text)     ",\"selectors\":[{\"cel\":{\"expression\":\"" text "\"}}]"

static struct node *
results(const char *name)
{
	return node_path(kube_get(&r, "ResourceClaim", STR("default"), str_from(name)),
	    "status.allocation.devices.results");
}

static void
a_claim_gets_devices_after_a_moment(void **state)
{
	struct node *c;
	int64_t made_ms;

	(void)state;
	start(0);
	slice(0, 4);
	claim("a", EXACTLY(",\"count\":3"));
	c = kube_get(&r, "ResourceClaim", STR("default"), STR("a"));
	made_ms = kube_time_ms(node_path(c, "metadata.creationTimestamp"));
	r.now_ms = made_ms + 1000;
	claims_reconcile(&r);
	assert_null(results("a"));
	assert_int_equal(r.next_ms, made_ms + 2000); /* the scheduler comes back */
	pass(10);
	assert_int_equal(node_count(results("a")), 3);
	c = node_at(results("a"), 2);
	assert_true(str_is(node_path_str(c, "request"), "gpu"));
	assert_true(str_is(node_path_str(c, "driver"), "gpu.nvidia.com"));
	assert_true(str_is(node_path_str(c, "device"), "gpu-2"));
	assert_true(str_eq(node_path_str(c, "pool"), gpu_node(0)));
	c = kube_get(&r, "ResourceClaim", STR("default"), STR("a"));
	assert_true(str_eq(node_path_str(c, "status.allocation.nodeSelector.nodeSelectorTerms[0]."
					    "matchFields[0].values[0]"),
	    gpu_node(0)));
	assert_int_equal(node_path_int(c, "spec.devices.requests[0].exactly.count", 0), 3);
}

static void
a_claim_waits_for_one_node_with_room_and_gives_it_back(void **state)
{
	(void)state;
	start(0);
	slice(0, 4);
	slice(1, 2);
	claim("big", EXACTLY(",\"count\":5")); /* six in all, on no single node */
	pass(10);
	assert_null(results("big"));
	claim("four", EXACTLY(",\"count\":4"));
	pass(10);
	assert_int_equal(node_count(results("four")), 4);
	claim("three", EXACTLY(",\"count\":3"));
	pass(10);
	assert_null(results("three"));
	claim("one", EXACTLY("")); /* by default one */
	pass(10);
	assert_int_equal(node_count(results("one")), 1);
	assert_true(str_eq(node_path_str(node_first(results("one")), "pool"), gpu_node(1)));
	assert_true(kube_remove(&r, "ResourceClaim", STR("default"), STR("four")));
	pass(10);
	assert_int_equal(node_count(results("three")), 3);
	assert_null(results("big"));
}

struct request_row {
	const char *name, *request;
	size_t devices; /* that it gets, 0 for none; of four */
};

static const struct request_row request_rows[] = {
	{ "all", EXACTLY(",\"allocationMode\":\"All\""), 4 },
	{ "class", "\"exactly\":{\"deviceClassName\":\"mig.nvidia.com\"}", 0 },
	{ "no-class", "\"exactly\":{\"deviceClassName\":\"fpga.example.com\"}", 0 },
	{ "memory",
	    EXACTLY(CEL("device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= "
			"0")),
	    1 },
	{ "memory-more",
	    EXACTLY(CEL("device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('81Gi')) >= "
			"0")),
	    0 },
	{ "index", EXACTLY(CEL("device.attributes['gpu.nvidia.com'].index == 2")), 1 },
	{ "index-none", EXACTLY(CEL("device.attributes['gpu.nvidia.com'].index == 9")), 0 },
	{ "foreign", EXACTLY(CEL("device.attributes['example.com'].type == 'gpu'")), 0 },
	{ "strange", EXACTLY(CEL("true || false")), 0 },
	{ "broken", EXACTLY(CEL("device.attributes['gpu")), 0 },
	{ "first",
	    "\"firstAvailable\":[{\"name\":\"m\",\"deviceClassName\":\"mig.nvidia.com\"},"
	    "{\"name\":\"g\",\"deviceClassName\":\"gpu.nvidia.com\",\"count\":2}]",
	    2 },
};

static void
requests_are_met_as_they_say(void **state)
{
	(void)state;
	start(0);
	slice(0, 4);
	for (size_t i = 0; i < ARRAY_LEN(request_rows); i++) {
		const struct request_row *row = &request_rows[i];

		claim(row->name, row->request);
		pass(10);
		if (node_count(results(row->name)) != row->devices)
			fail_msg("%s: %zu", row->name, node_count(results(row->name)));
		if (str_is(str_from(row->name), "first"))
			assert_true(str_is(
			    node_path_str(node_first(results("first")), "request"), "gpu/g"));
		assert_true(kube_remove(&r, "ResourceClaim", STR("default"), str_from(row->name)));
	}
}

static void
a_node_that_takes_no_pods_gives_no_devices(void **state)
{
	struct node *n;

	(void)state;
	start(0);
	slice(0, 4);
	n = kube_get(&r, "Node", (struct str){ 0 }, gpu_node(0));
	node_set_bool(f.a, node_find(n, "spec"), "unschedulable", true);
	assert_true(kube_put(&r, "Node", n, "kubectl"));
	claim("a", EXACTLY(""));
	pass(10);
	assert_null(results("a"));
	node_set_bool(f.a, node_find(n, "spec"), "unschedulable", false);
	assert_true(kube_put(&r, "Node", n, "kubectl"));
	pass(10);
	assert_int_equal(node_count(results("a")), 1);
}

/* Devices that the team's claims hold; asserts that no two hold the same one. */
static size_t
held(const char *ns)
{
	struct node *claims = kube_list(&r, "ResourceClaim");
	struct str seen[64];
	size_t n = 0;

	for (const struct node *c = node_first(claims); c != NULL; c = c->next) {
		const struct node *list = node_path(c, "status.allocation.devices.results");

		if (!str_is(node_path_str(c, "metadata.namespace"), ns))
			continue;
		for (const struct node *x = node_first(list); x != NULL; x = x->next) {
			struct str id = str_from(arena_printf(f.a, STR_FMT "/" STR_FMT,
			    STR_ARG(node_path_str(x, "pool")),
			    STR_ARG(node_path_str(x, "device"))));

			for (size_t i = 0; i < n; i++)
				assert_false(str_eq(seen[i], id));
			assert_true(n < ARRAY_LEN(seen));
			seen[n++] = id;
		}
	}
	return n;
}

static void
a_workload_holds_its_share_whole_nodes_first(void **state)
{
	size_t n, on_first = 0;
	struct node *list;

	(void)state;
	start(0.7);
	pass(10);
	assert_int_equal(held("ml-team"), 0); /* there are no devices yet */
	slice(0, 8);
	slice(1, 8);
	pass(20);
	n = held("ml-team");
	assert_in_range(n, 10, 13); /* 16 * (0.7 - 0.09) to 16 * (0.7 + 0.09) */
	list = kube_list(&r, "ResourceClaim");
	for (const struct node *c = node_first(list); c != NULL; c = c->next) {
		const struct node *x = node_path(c, "status.allocation.devices.results");

		assert_true(node_count(x) > 0);
		if (str_eq(node_path_str(node_first(x), "pool"), gpu_node(0)))
			on_first += node_count(x);
	}
	assert_true(on_first == 8 || n - on_first == 8); /* one node is full */
	pass(60);
	assert_int_equal(held("ml-team"), n); /* it rests */
	assert_true(kube_remove(
	    &r, "ResourceClaim", STR("ml-team"), node_path_str(node_first(list), "metadata.name")));
	pass(20);
	assert_int_equal(held("ml-team"), n); /* a server that was killed comes back */
}

static void
a_workload_follows_the_nodes_and_the_option(void **state)
{
	(void)state;
	start(1);
	slice(0, 4);
	slice(1, 4);
	pass(20);
	assert_int_equal(held("ml-team"), 8);
	assert_true(kube_remove(&r, "ResourceSlice", (struct str){ 0 }, STR("slice-0")));
	pass(20);
	assert_int_equal(held("ml-team"), 4);
	slice(0, 2);
	pass(20);
	assert_int_equal(held("ml-team"), 6);
	f.sim->workload = 0;
	pass(20);
	assert_int_equal(held("ml-team"), 0);
}

static void
without_the_option_nothing_is_held(void **state)
{
	(void)state;
	start(0);
	slice(0, 8);
	pass(30);
	assert_int_equal(node_count(kube_list(&r, "ResourceClaim")), 0);
	assert_null(kube_get(&r, "Namespace", (struct str){ 0 }, STR("ml-team")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_claim_gets_devices_after_a_moment, stop),
		cmocka_unit_test_teardown(
		    a_claim_waits_for_one_node_with_room_and_gives_it_back, stop),
		cmocka_unit_test_teardown(requests_are_met_as_they_say, stop),
		cmocka_unit_test_teardown(a_node_that_takes_no_pods_gives_no_devices, stop),
		cmocka_unit_test_teardown(a_workload_holds_its_share_whole_nodes_first, stop),
		cmocka_unit_test_teardown(a_workload_follows_the_nodes_and_the_option, stop),
		cmocka_unit_test_teardown(without_the_option_nothing_is_held, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
