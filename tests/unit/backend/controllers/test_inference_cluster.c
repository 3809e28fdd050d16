/* The InferenceCluster's passes on a real store; the test plays the other controllers. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backend/controllers/guard.h"
#include "backend/controllers/object.h"
#include "model/base/mem.h"
#include "model/compose/cluster.h"
#include "tests/unit/backend/controllers/helper_rig.h"

#define NS "modelplane-system"

static const char cluster[] =
    "{\"apiVersion\":\"modelplane.ai/v1alpha1\",\"kind\":\"InferenceCluster\",\"metadata\":{"
    "\"name\":\"eu\"},\"spec\":{\"cluster\":{\"source\":\"AKS\",\"aks\":{\"location\":"
    "\"westeurope\",\"kubernetesVersion\":\"1.35\"}},\"nodePools\":[{\"name\":\"gpu\","
    "\"className\":\"a100\",\"nodeCount\":1}]}}";
static const char class[] =
    "{\"apiVersion\":\"modelplane.ai/v1alpha1\",\"kind\":\"InferenceClass\",\"metadata\":{\"name\":"
    "\"a100\"},\"spec\":{\"provisioning\":{\"provider\":\"AKS\",\"aks\":{\"vmSize\":"
    "\"Standard_NC24ads_A100_v4\",\"accelerator\":{\"type\":\"nvidia-a100\",\"count\":1}}},"
    "\"devices\":[{\"name\":\"gpu\",\"driver\":\"gpu.nvidia.com\",\"deviceClassName\":"
    "\"gpu.nvidia.com\"}]}}";
static const char ready_aks[] =
    "{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\",\"reason\":\"Available\"}],"
    "\"secrets\":[{\"type\":\"Kubeconfig\",\"name\":\"k\",\"key\":\"kubeconfig\"}],\"cache\":"
    "{\"storageClassName\":\"modelplane-rwx-fs\"}}";
static const char ready_stack[] =
    "{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\",\"reason\":\"Available\"}],"
    "\"gateway\":{\"address\":\"10.0.0.9\"}}";

static void
pass(struct rig *r)
{
	rig_pass(r, &inference_cluster_controller, "", "eu");
}

static const char *
stack_name(struct rig *r)
{
	return arena_printf(r->a, STR_FMT, STR_ARG(cluster_stack_name(r->a, STR("eu"))));
}

static struct node *
get(struct rig *r)
{
	return rig_get(r, "InferenceCluster", "", "eu");
}

/* All the way to Ready. */
static void
make_ready(struct rig *r)
{
	rig_open(r);
	rig_create(r, class);
	rig_create(r, cluster);
	pass(r);
	rig_status(r, "AKSCluster", NS, "eu", ready_aks);
	pass(r);
	rig_status(r, "ServingStack", NS, stack_name(r), ready_stack);
	pass(r);
}

static void
a_missing_class_is_reported_and_nothing_made(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r);
	rig_create(&r, cluster);
	pass(&r);
	assert_true(str_is(rig_reason(get(&r), "ClusterReady"), "WaitingForClasses"));
	assert_null(rig_get(&r, "AKSCluster", NS, "eu"));
	rig_create(&r, class);
	pass(&r);
	assert_true(str_is(rig_reason(get(&r), "ClusterReady"), "Provisioning"));
	assert_non_null(rig_get(&r, "AKSCluster", NS, "eu"));
	rig_close(&r);
}

static void
provider_then_stack_then_ready(void **state)
{
	struct rig r;
	struct node *n;

	(void)state;
	make_ready(&r);
	n = get(&r);
	assert_true(str_is(rig_reason(n, "ClusterReady"), "ClusterRunning"));
	assert_true(str_is(rig_reason(n, "BackendReady"), "BackendHealthy"));
	assert_true(str_is(rig_reason(n, "Ready"), "Available"));
	assert_true(str_is(rig_reason(n, "Synced"), "ReconcileSuccess"));
	assert_true(str_is(node_path_str(n, "status.gateway.address"), "10.0.0.9"));
	assert_true(str_is(node_path_str(n, "status.cache.storageClassName"), "modelplane-rwx-fs"));
	n = rig_get(&r, "ServingStack", NS, stack_name(&r));
	assert_true(str_is(node_path_str(n, "spec.secrets[0].name"), "k"));
	assert_true(str_is(node_path_str(n, "metadata.ownerReferences[0].name"), "eu"));
	rig_close(&r);
}

static void
a_pass_without_a_change_writes_nothing(void **state)
{
	struct rig r;
	struct str before;

	(void)state;
	make_ready(&r);
	before = node_path_str(get(&r), "metadata.resourceVersion");
	pass(&r);
	assert_true(str_eq(before, node_path_str(get(&r), "metadata.resourceVersion")));
	rig_close(&r);
}

static void
losing_a_class_leaves_a_running_cluster_alone(void **state)
{
	struct rig r;
	struct node *n;

	(void)state;
	make_ready(&r);
	rig_delete(&r, "InferenceClass", "", "a100");
	pass(&r);
	n = get(&r);
	assert_true(str_is(rig_reason(n, "ClusterReady"), "WaitingForClasses"));
	assert_true(str_is(node_path_str(n, "status.gateway.address"), "10.0.0.9"));
	assert_int_equal(node_count(node_path(n, "status.gpuPools")), 1);
	assert_non_null(rig_get(&r, "AKSCluster", NS, "eu"));
	assert_non_null(rig_get(&r, "ServingStack", NS, stack_name(&r)));
	rig_close(&r);
}

static void
a_change_of_the_spec_reaches_the_provider(void **state)
{
	struct rig r;
	struct node *n;
	struct error err = { 0 };

	(void)state;
	make_ready(&r);
	n = get(&r);
	node_set_int(r.a, node_path(n, "spec.nodePools[0]"), "maxNodeCount", 5);
	assert_true(store_update(r.store, resource_of(rig_kind("InferenceCluster")), n, UPDATE_MAIN,
	    &r.cx.actor, NULL, &err));
	pass(&r);
	n = rig_get(&r, "AKSCluster", NS, "eu");
	assert_int_equal(node_path_int(n, "spec.nodePools[0].maxNodeCount", 0), 5);
	rig_close(&r);
}

static void
a_foreign_object_of_that_name_is_not_taken(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r);
	rig_create(&r,
	    "{\"apiVersion\":\"infrastructure.modelplane.ai/v1alpha1\",\"kind\":\"AKSCluster\","
	    "\"metadata\":{\"name\":\"eu\",\"namespace\":\"" NS "\"},\"spec\":{\"location\":\"x\","
	    "\"kubernetesVersion\":\"1.35\",\"nodePools\":[{\"name\":\"a\",\"role\":\"System\","
	    "\"vmSize\":\"v\"}]}}");
	rig_create(&r, class);
	rig_create(&r, cluster);
	pass(&r);
	assert_true(str_is(rig_reason(get(&r), "Synced"), "ReconcileError"));
	assert_true(
	    str_is(node_path_str(rig_get(&r, "AKSCluster", NS, "eu"), "spec.location"), "x"));
	rig_close(&r);
}

static void
deletion_goes_stack_provider_cluster(void **state)
{
	struct rig r;
	const char *stack;
	struct error err = { 0 };
	const struct object *o = NULL;
	struct guard guard;

	(void)state;
	make_ready(&r);
	stack = stack_name(&r);
	/* The others' finalizers, as their controllers set them. */
	assert_true(store_get(
	    r.store, resource_of(rig_kind("ServingStack")), STR(NS), str_from(stack), &o, &err));
	assert_true(finalizer_add(&r.cx, &o, CONTROLLER_FINALIZER, &err));
	object_unref(o);
	assert_true(
	    store_get(r.store, resource_of(rig_kind("AKSCluster")), STR(NS), STR("eu"), &o, &err));
	assert_true(finalizer_add(&r.cx, &o, CONTROLLER_FINALIZER, &err));
	object_unref(o);

	rig_delete(&r, "InferenceCluster", "", "eu");
	pass(&r);
	assert_true(
	    node_path_str(rig_get(&r, "ServingStack", NS, stack), "metadata.deletionTimestamp").n >
	    0);
	assert_true(
	    store_get(r.store, resource_of(rig_kind("AKSCluster")), STR(NS), STR("eu"), &o, &err));
	assert_true(guard_check(&r.cx, o, &guard, &err));
	assert_true(guard.held);
	assert_string_equal(guard.reason, "StackInstalled");
	object_unref(o);

	assert_true(store_get(
	    r.store, resource_of(rig_kind("ServingStack")), STR(NS), str_from(stack), &o, &err));
	assert_true(finalizer_remove(&r.cx, o, CONTROLLER_FINALIZER, &err));
	object_unref(o);
	assert_null(rig_get(&r, "ServingStack", NS, stack));
	pass(&r);
	assert_true(
	    store_get(r.store, resource_of(rig_kind("AKSCluster")), STR(NS), STR("eu"), &o, &err));
	assert_true(o->deleted_ms != 0);
	assert_true(guard_check(&r.cx, o, &guard, &err));
	assert_false(guard.held);
	assert_true(finalizer_remove(&r.cx, o, CONTROLLER_FINALIZER, &err));
	object_unref(o);
	pass(&r);
	assert_null(get(&r));
	rig_close(&r);
}

static void
replicas_hold_the_cluster_and_all_of_it(void **state)
{
	struct rig r;
	const struct object *o = NULL;
	struct error err = { 0 };
	struct guard guard;
	struct node *n = NULL;

	(void)state;
	make_ready(&r);
	/* Written as it is: what a replica says beside its cluster does not matter here. */
	n = node_map(r.a);
	node_set_strz(r.a, n, "apiVersion", "modelplane.ai/v1alpha1");
	node_set_strz(r.a, n, "kind", "ModelReplica");
	node_set_strz(r.a, node_make_path(r.a, n, "metadata"), "name", "qwen-0");
	node_set_strz(r.a, node_find(n, "metadata"), "namespace", "ml");
	node_set_str(r.a, node_make_path(r.a, n, "metadata.labels"), STR("modelplane.ai/cluster"),
	    node_strz(r.a, "eu"));
	assert_true(store_create(
	    r.store, resource_of(rig_kind("ModelReplica")), n, &r.cx.actor, NULL, &err));
	assert_true(store_get(
	    r.store, resource_of(rig_kind("InferenceCluster")), STR(""), STR("eu"), &o, &err));
	assert_true(guard_check(&r.cx, o, &guard, &err));
	object_unref(o);
	assert_true(guard.held);
	assert_string_equal(guard.reason, "ReplicasScheduled");
	assert_true(str_find(guard.message, STR("ml/qwen-0")) >= 0);
	assert_true(store_get(r.store, resource_of(rig_kind("ServingStack")), STR(NS),
	    str_from(stack_name(&r)), &o, &err));
	assert_true(guard_check(&r.cx, o, &guard, &err));
	object_unref(o);
	assert_true(guard.held);
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_missing_class_is_reported_and_nothing_made),
		cmocka_unit_test(provider_then_stack_then_ready),
		cmocka_unit_test(a_pass_without_a_change_writes_nothing),
		cmocka_unit_test(losing_a_class_leaves_a_running_cluster_alone),
		cmocka_unit_test(a_change_of_the_spec_reaches_the_provider),
		cmocka_unit_test(a_foreign_object_of_that_name_is_not_taken),
		cmocka_unit_test(deletion_goes_stack_provider_cluster),
		cmocka_unit_test(replicas_hold_the_cluster_and_all_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
