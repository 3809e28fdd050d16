/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#include "helper_sim.h"

#include <string.h>

#include "backend/sim/cluster_int.h"
#include "model/json.h"

/*
 * What happens inside a simulated cluster: nodes, helm jobs, drivers, load balancers. Objects are
 * written as a client would; the director's rounds run when time passes.
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
start_with(const char *faults)
{
	struct text spec = TEXT_INIT(1024);

	text_printf(&spec, "token.ttl=100000000%s%s", faults != NULL ? "," : "",
	    faults != NULL ? faults : "");
	fixture_start(&f, text_get(&spec));
	text_free(&spec);
	fixture_group(&f);
	fixture_network(&f);
	fixture_cluster(&f);
	fixture_pool(&f);
	look();
}

static int
stop(void **state)
{
	(void)state;
	fixture_stop(&f);
	return 0;
}

static void
put(const char *kind, const char *json)
{
	struct node *n = NULL;
	struct error err = { 0 };

	look();
	if (!json_parse(f.a, str_from(json), &n, &err))
		fail_msg("%s", err.message);
	assert_true(kube_put(&r, kind, n, "test"));
	atomic_store(&r.k->dirty, true);
}

/* Time passes in steps, so that each controller sees what others did. */
static void
pass(int64_t seconds)
{
	for (int64_t done = 0; done < seconds; done += 5)
		fixture_pass(&f, 5);
	look();
}

static void
prepare(void)
{
	put("Namespace",
	    "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"jobs\"}}");
	put("ServiceAccount",
	    "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"helm\","
	    "\"namespace\":\"jobs\"}}");
}

static void
job(const char *name, const char *args, const char *values)
{
	put("ConfigMap",
	    arena_printf(f.a,
		"{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\","
		"\"namespace\":\"jobs\"},\"data\":{\"values.yaml\":\"%s\"}}",
		name, values));
	put("Job",
	    arena_printf(f.a,
		"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"metadata\":{\"name\":\"%s\","
		"\"namespace\":\"jobs\"},\"spec\":{\"backoffLimit\":0,\"activeDeadlineSeconds\":"
		"1200,"
		"\"template\":{\"spec\":{\"restartPolicy\":\"Never\",\"serviceAccountName\":"
		"\"helm\","
		"\"volumes\":[{\"name\":\"values\",\"configMap\":{\"name\":\"%s\"}}],"
		"\"containers\":[{"
		"\"name\":\"helm\",\"image\":\"helm:3\",\"command\":[\"helm\"],\"args\":[%s],"
		"\"volumeMounts\":[{\"name\":\"values\",\"mountPath\":\"/values\"}]}]}}}}",
		name, name, args));
}

#define UP(release, chart, ns)                                                                     \
	"\"upgrade\",\"--install\",\"" release "\",\"" chart "\",\"--version\",\"v1.0.0\","        \
	"\"--namespace\",\"" ns "\",\"--create-namespace\",\"--values\",\"/values/values.yaml\","  \
	"\"--wait=false\",\"--history-max=5\""
#define ENVOY                                                                                      \
	UP("mp-gateway-helm", "oci://docker.io/envoyproxy/gateway-helm", "envoy-gateway-system")
#define NFD                                                                                        \
	UP("mp-node-feature-discovery", "oci://registry.k8s.io/nfd/charts/node-feature-discovery", \
	    "nfd")
#define DRA                                                                                        \
	UP("mp-dra-driver-nvidia-gpu",                                                             \
	    "oci://registry.k8s.io/dra-driver-nvidia/charts/dra-driver-nvidia-gpu", "dra")
#define TOLERANT                                                                                   \
	"{\\\"worker\\\":{\\\"tolerations\\\":[{\\\"key\\\":\\\"nvidia.com/gpu\\\","               \
	"\\\"operator\\\":\\\"Exists\\\"}]}}"

static bool
job_is(const char *name, const char *condition)
{
	look();
	return kube_condition_is(
	    kube_get(&r, "Job", STR("jobs"), str_from(name)), condition, "True");
}

static struct str
said(const char *name)
{
	struct node *pods = kube_list(&r, "Pod");

	for (const struct node *p = node_first(pods); p != NULL; p = p->next) {
		if (str_is(
			node_get_str(node_find(node_path(p, "metadata.labels"), "job-name")), name))
			return node_path_str(
			    p, "status.containerStatuses[0].state.terminated.message");
	}
	return (struct str){ 0 };
}

static struct str
release_status(const char *ns, const char *name)
{
	struct node *s = kube_get(&r, "Secret", str_from(ns), str_from(name));

	return node_get_str(node_find(node_path(s, "metadata.labels"), "status"));
}

static void
nodes_follow_the_pools(void **state)
{
	struct node *nodes, *n;

	(void)state;
	start_with(NULL);
	nodes = kube_list(&r, "Node");
	assert_int_equal(node_count(nodes), 3);
	n = node_first(nodes); /* gpua10 comes first by name */
	assert_true(str_is(
	    node_get_str(node_find(node_path(n, "metadata.labels"), "agentpool")), "gpua10"));
	assert_true(str_is(node_path_str(n, "spec.taints[0].key"), "nvidia.com/gpu"));
	assert_true(str_is(node_path_str(n, "status.nodeInfo.kubeletVersion"), "v1.35.4"));
	assert_null(
	    node_find(node_path(n, "status.capacity"), "nvidia.com/gpu")); /* no device plugin */
	fixture_ask(&f, &(struct ask){ "PUT", MC "/agentPools/gpua10", V_AKS,
			    fixture_pool_body(&f, ",\"count\":1"), NULL, NULL, NULL, NULL, NULL });
	assert_int_equal(f.status, 200);
	fixture_pass(&f, 600);
	look();
	assert_int_equal(node_count(kube_list(&r, "Node")), 2);
}

static void
nodes_come_one_after_another(void **state)
{
	size_t seen[5] = { 0 };

	(void)state;
	start_with(NULL);
	fixture_ask(&f, &(struct ask){ "PUT", MC "/agentPools/gpua10", V_AKS,
			    fixture_pool_body(&f, ",\"count\":4"), NULL, NULL, NULL, NULL, NULL });
	assert_int_equal(f.status, 200);
	for (int i = 0; i < 120; i++) {
		fixture_pass(&f, 5);
		look();
		assert_in_range(node_count(kube_list(&r, "Node")), 3, 5);
		seen[node_count(kube_list(&r, "Node")) - 1]++;
	}
	assert_true(seen[2] > 0 && seen[3] > 0 && seen[4] > 0); /* one system node, 2 to 4 more */
	for (const struct node *n = node_first(kube_list(&r, "Node")); n != NULL; n = n->next)
		assert_true(str_is(node_path_str(n, "status.nodeInfo.kubeletVersion"), "v1.35.4"));
}

static void
a_helm_job_leaves_helms_record_and_the_chart(void **state)
{
	(void)state;
	start_with(NULL);
	prepare();
	assert_null(kube_kind(r.k, "Gateway")); /* its definition is not there */
	job("envoy", ENVOY, "{}");
	pass(5);
	assert_true(
	    str_is(release_status("envoy-gateway-system", "sh.helm.release.v1.mp-gateway-helm.v1"),
		"pending-install"));
	pass(80);
	assert_true(job_is("envoy", "Complete"));
	assert_true(
	    str_is(release_status("envoy-gateway-system", "sh.helm.release.v1.mp-gateway-helm.v1"),
		"deployed"));
	assert_non_null(kube_kind(r.k, "Gateway"));
	assert_int_equal(node_path_int(kube_get(&r, "Deployment", STR("envoy-gateway-system"),
					   STR("envoy-gateway")),
			     "status.availableReplicas", 0),
	    1);
	job("envoy2", ENVOY, "{\\\"a\\\":1}");
	pass(60);
	assert_true(
	    str_is(release_status("envoy-gateway-system", "sh.helm.release.v1.mp-gateway-helm.v1"),
		"superseded"));
	assert_true(
	    str_is(release_status("envoy-gateway-system", "sh.helm.release.v1.mp-gateway-helm.v2"),
		"deployed"));
	job("gone", "\"uninstall\",\"mp-gateway-helm\",\"--namespace\",\"envoy-gateway-system\"",
	    "{}");
	pass(40);
	assert_true(job_is("gone", "Complete"));
	assert_int_equal(
	    release_status("envoy-gateway-system", "sh.helm.release.v1.mp-gateway-helm.v2").n, 0);
	assert_null(kube_get(&r, "Deployment", STR("envoy-gateway-system"), STR("envoy-gateway")));
}

struct bad_row {
	const char *name, *args, *words;
};

static const struct bad_row bad_rows[] = {
	{ "flag", "\"upgrade\",\"--install\",\"a\",\"b\",\"--bogus\"", "unknown flag: --bogus" },
	{ "verb", "\"instal\",\"a\"", "unknown command" },
	{ "chart", UP("a", "oci://docker.io/envoyproxy/nope", "x"), "not found" },
	{ "repository", UP("a", "oci://docker.io/elsewhere/gateway-helm", "x"),
	    "chart repository" },
	{ "needs", UP("a", "oci://docker.io/envoyproxy/ai-gateway-helm", "x"),
	    "ensure CRDs are installed" },
	{ "version",
	    "\"upgrade\",\"--install\",\"a\",\"oci://docker.io/envoyproxy/"
	    "gateway-helm\",\"--version\","
	    "\"newest\",\"--namespace\",\"x\",\"--create-namespace\"",
	    "improper constraint" },
	{ "namespace",
	    "\"upgrade\",\"--install\",\"a\",\"oci://docker.io/envoyproxy/"
	    "gateway-helm\",\"--version\","
	    "\"v1.8.1\",\"--namespace\",\"nowhere\"",
	    "not found" },
	{ "release", "\"uninstall\",\"never\",\"--namespace\",\"x\"", "release: not found" },
};

static void
what_helm_refuses_fails_with_its_words(void **state)
{
	(void)state;
	start_with(NULL);
	prepare();
	for (size_t i = 0; i < ARRAY_LEN(bad_rows); i++)
		job(bad_rows[i].name, bad_rows[i].args, "{}");
	pass(40);
	for (size_t i = 0; i < ARRAY_LEN(bad_rows); i++) {
		if (!job_is(bad_rows[i].name, "Failed") ||
		    str_find(said(bad_rows[i].name), str_from(bad_rows[i].words)) < 0)
			fail_msg(
			    "%s: '" STR_FMT "'", bad_rows[i].name, STR_ARG(said(bad_rows[i].name)));
	}
	assert_int_equal(r.k->releases->n, 0);
}

static void
a_run_that_is_killed_leaves_a_pending_release(void **state)
{
	(void)state;
	start_with(NULL);
	prepare();
	job("first", ENVOY, "{}");
	pass(10);
	assert_true(kube_remove(&r, "Job", STR("jobs"), STR("first")));
	pass(120);
	assert_true(
	    str_is(release_status("envoy-gateway-system", "sh.helm.release.v1.mp-gateway-helm.v1"),
		"pending-install"));
	job("second", ENVOY, "{}");
	pass(60);
	assert_true(job_is("second", "Failed"));
	assert_true(str_find(said("second"), STR("another operation")) >= 0);
	job("clean", "\"uninstall\",\"mp-gateway-helm\",\"--namespace\",\"envoy-gateway-system\"",
	    "{}");
	pass(40);
	job("third", ENVOY, "{}");
	pass(80);
	assert_true(job_is("third", "Complete"));
}

static void
an_image_that_cannot_be_pulled_waits_until_the_deadline(void **state)
{
	struct node *pod;

	(void)state;
	start_with("chart.image.gateway-helm=1");
	prepare();
	job("envoy", ENVOY, "{}");
	pass(20);
	pod = node_first(kube_list(&r, "Pod"));
	assert_true(str_is(node_path_str(pod, "status.containerStatuses[0].state.waiting.reason"),
	    "ImagePullBackOff"));
	assert_false(job_is("envoy", "Failed"));
	fixture_pass(&f, 1300);
	assert_true(job_is("envoy", "Failed"));
}

static void
devices_need_discovery_that_tolerates_the_nodes(void **state)
{
	struct node *slices, *d;

	(void)state;
	start_with(NULL);
	prepare();
	job("nfd", NFD, "{}"); /* its workers do not tolerate GPU nodes */
	job("dra", DRA, "{}");
	pass(100);
	assert_true(job_is("dra", "Complete"));
	assert_int_equal(node_count(kube_list(&r, "ResourceSlice")), 0);
	job("nfd2", NFD, TOLERANT);
	pass(60);
	slices = kube_list(&r, "ResourceSlice");
	assert_int_equal(node_count(slices), 2);
	d = node_path(node_first(slices), "spec.devices[0]");
	assert_true(str_is(node_path_str(d, "attributes.productName.string"), "NVIDIA A10"));
	assert_true(str_is(node_path_str(d, "attributes.cudaComputeCapability.version"), "8.6.0"));
	assert_true(str_is(node_path_str(d, "capacity.memory.value"), "24564Mi"));
	assert_non_null(kube_get(&r, "DeviceClass", (struct str){ 0 }, STR("gpu.nvidia.com")));
	job("off", "\"uninstall\",\"mp-dra-driver-nvidia-gpu\",\"--namespace\",\"dra\"", "{}");
	pass(40);
	assert_int_equal(node_count(kube_list(&r, "ResourceSlice")), 0);
}

static void
gateway(void)
{
	put("GatewayClass", "{\"apiVersion\":\"gateway.networking.k8s.io/"
			    "v1\",\"kind\":\"GatewayClass\",\"metadata\":{"
			    "\"name\":\"envoy\"},\"spec\":{\"controllerName\":"
			    "\"gateway.envoyproxy.io/gatewayclass-controller\"}}");
	put("Gateway", "{\"apiVersion\":\"gateway.networking.k8s.io/"
		       "v1\",\"kind\":\"Gateway\",\"metadata\":{\"name\":"
		       "\"gw\",\"namespace\":\"jobs\"},\"spec\":{\"gatewayClassName\":\"envoy\","
		       "\"listeners\":[{"
		       "\"name\":\"http\",\"port\":80}]}}");
}

static void
a_gateway_gets_its_address_once_the_cluster_may_join_the_subnet(void **state)
{
	struct node *g;
	bool refused = false;

	(void)state;
	start_with(NULL);
	prepare();
	job("envoy", ENVOY, "{}");
	pass(100);
	gateway();
	pass(120);
	g = kube_get(&r, "Gateway", STR("jobs"), STR("gw"));
	assert_int_equal(node_path_str(g, "status.addresses[0].value").n, 0);
	for (const struct node *e = node_first(kube_list(&r, "Event")); e != NULL; e = e->next)
		refused = refused || str_is(node_path_str(e, "reason"), "SyncLoadBalancerFailed");
	assert_true(refused);
	fixture_ask(&f, &(struct ask){ "GET", MC, V_AKS, NULL, NULL, NULL, NULL, NULL, NULL });
	fixture_ask(
	    &f, &(struct ask){ "PUT",
		    VNET "/subnets/s/providers/Microsoft.Authorization/roleAssignments/"
			 "12121212-3434-5656-7878-909090909090",
		    "2022-04-01",
		    arena_printf(f.a,
			"{\"properties\":{\"principalId\":\"" STR_FMT "\",\"roleDefinitionId\":"
			"\"/x/4d97b98b-1d4f-4787-a291-c67834d212e7\"}}",
			STR_ARG(node_path_str(f.body, "identity.principalId"))),
		    NULL, NULL, NULL, NULL, NULL });
	assert_int_equal(f.status, 201);
	pass(60);
	g = kube_get(&r, "Gateway", STR("jobs"), STR("gw"));
	assert_true(node_path_str(g, "status.addresses[0].value").n > 0);
	assert_true(kube_condition_is(g, "Programmed", "True"));
}

static void
a_gateway_class_goes_after_its_gateways(void **state)
{
	(void)state;
	start_with(NULL);
	prepare();
	job("envoy", ENVOY, "{}");
	pass(100);
	gateway();
	pass(20);
	assert_true(kube_remove(&r, "GatewayClass", (struct str){ 0 }, STR("envoy")));
	pass(20);
	assert_non_null(kube_get(&r, "GatewayClass", (struct str){ 0 }, STR("envoy")));
	assert_true(kube_remove(&r, "Gateway", STR("jobs"), STR("gw")));
	atomic_store(&r.k->dirty, true);
	pass(20);
	assert_null(kube_get(&r, "GatewayClass", (struct str){ 0 }, STR("envoy")));
}

static void
a_cluster_comes_back_after_a_restart(void **state)
{
	(void)state;
	start_with(NULL);
	prepare();
	job("envoy", ENVOY, "{}");
	pass(10);
	fixture_restart(&f, "token.ttl=100000000");
	fixture_pass(&f, 1);
	look();
	assert_int_equal(node_count(kube_list(&r, "Node")), 3);
	pass(80);
	assert_true(job_is("envoy", "Complete"));
	assert_int_equal(r.k->releases->n, 1);
}

static void
claims_are_bound_and_known_to_the_inventory(void **state)
{
	struct node *c;

	(void)state;
	start_with(NULL);
	prepare();
	put("PersistentVolumeClaim",
	    "{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"name\":"
	    "\"c\","
	    "\"namespace\":\"jobs\"},\"spec\":{\"accessModes\":[\"ReadWriteMany\"],"
	    "\"storageClassName\":"
	    "\"azurefile-csi-premium\",\"resources\":{\"requests\":{\"storage\":\"100Gi\"}}}}");
	pass(30);
	c = kube_get(&r, "PersistentVolumeClaim", STR("jobs"), STR("c"));
	assert_true(str_is(node_path_str(c, "status.phase"), "Bound"));
	fixture_ask(&f, &(struct ask){ "GET", "/resourceGroups/k-nodes/resources", V_RES, NULL,
			    NULL, NULL, NULL, NULL, NULL });
	assert_true(
	    str_is(node_path_str(f.body, "value[0].type"), "Microsoft.Storage/storageAccounts"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(nodes_follow_the_pools, stop),
		cmocka_unit_test_teardown(nodes_come_one_after_another, stop),
		cmocka_unit_test_teardown(a_helm_job_leaves_helms_record_and_the_chart, stop),
		cmocka_unit_test_teardown(what_helm_refuses_fails_with_its_words, stop),
		cmocka_unit_test_teardown(a_run_that_is_killed_leaves_a_pending_release, stop),
		cmocka_unit_test_teardown(
		    an_image_that_cannot_be_pulled_waits_until_the_deadline, stop),
		cmocka_unit_test_teardown(devices_need_discovery_that_tolerates_the_nodes, stop),
		cmocka_unit_test_teardown(
		    a_gateway_gets_its_address_once_the_cluster_may_join_the_subnet, stop),
		cmocka_unit_test_teardown(a_gateway_class_goes_after_its_gateways, stop),
		cmocka_unit_test_teardown(a_cluster_comes_back_after_a_restart, stop),
		cmocka_unit_test_teardown(claims_are_bound_and_known_to_the_inventory, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
