/* The manager: what wakes a key, what does not, retries, held deletions, stopping. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "backend/controllers/manager.h"
#include "backend/controllers/object.h"
#include "model/base/mem.h"
#include "model/kinds/aks_cluster.h"
#include "model/kinds/inference_class.h"
#include "model/kinds/inference_cluster.h"
#include "tests/unit/backend/controllers/helper_rig.h"

#define NS "modelplane-system"

static _Atomic int class_passes, cluster_passes, aks_passes, failures_left;

static bool
class_pass(struct controller_context *cx, const struct object *o, struct reconcile_result *ret,
    struct error *err)
{
	struct node *status = status_begin(cx, o, err);

	(void)ret;
	if (failures_left > 0) {
		failures_left--;
		return error_set(err, ERR_STORE, "on purpose");
	}
	/* Writes a status: that must not wake the key again. */
	status_condition(cx, status, CONDITION_TRUE, "Ready", "Available", "%s", "");
	class_passes++;
	return status_save(cx, o, status, err);
}

static bool
cluster_pass(struct controller_context *cx, const struct object *o, struct reconcile_result *ret,
    struct error *err)
{
	(void)cx;
	(void)o;
	(void)ret;
	(void)err;
	cluster_passes++;
	return true;
}

static bool
aks_pass(struct controller_context *cx, const struct object *o, struct reconcile_result *ret,
    struct error *err)
{
	(void)ret;
	if (o->deleted_ms == 0)
		return true;
	aks_passes++;
	return finalizer_remove(cx, o, CONTROLLER_FINALIZER, err);
}

static void
by_class(
    struct controller_context *cx, const struct object *changed, related_fn *add, void *context)
{
	(void)cx;
	if (changed->res->known == &inference_class_kind)
		add(context, STR(""), STR("eu"));
}

static const char *const watched[] = { "AKSCluster", NULL };
static const struct controller a_class = {
	.name = "class", .kind = &inference_class_kind, .reconcile = class_pass
};
static const struct controller a_cluster = { .name = "cluster",
	.kind = &inference_cluster_kind,
	.reconcile = cluster_pass,
	.watches = watched,
	.related = by_class };
static const struct controller an_aks = {
	.name = "aks", .kind = &aks_cluster_kind, .reconcile = aks_pass
};
static const struct controller *const table[] = { &a_class, &a_cluster, &an_aks, NULL };

static const char class_json[] =
    "{\"apiVersion\":\"modelplane.ai/v1alpha1\",\"kind\":\"InferenceClass\",\"metadata\":{\"name\":"
    "\"a100\"},\"spec\":{}}";
static const char cluster_json[] =
    "{\"apiVersion\":\"modelplane.ai/v1alpha1\",\"kind\":\"InferenceCluster\",\"metadata\":{"
    "\"name\":\"eu\"},\"spec\":{\"cluster\":{\"source\":\"AKS\"}}}";

static struct manager *
start(struct rig *r)
{
	struct manager_options opt = {
		.store = r->store, .clock = r->clock, .controllers = table, .workers = 2
	};
	struct manager *m = NULL;
	struct error err = { 0 };

	class_passes = cluster_passes = aks_passes = failures_left = 0;
	if (!manager_start(&opt, &m, &err))
		fail_msg("%s", err.message);
	return m;
}

static void
stop(struct manager *m)
{
	struct timespec a, b;

	(void)clock_gettime(CLOCK_MONOTONIC, &a);
	manager_stop(m);
	(void)clock_gettime(CLOCK_MONOTONIC, &b);
	assert_true(b.tv_sec - a.tv_sec <= 1);
	manager_free(m);
}

/* Waits until nothing is due, and a little longer for what a last write might still wake. */
static void
settle(struct manager *m)
{
	struct timespec step = { .tv_sec = 0, .tv_nsec = 20 * 1000 * 1000 };
	int quiet = 0;

	for (int i = 0; i < 500 && quiet < 5; i++) {
		quiet = manager_idle(m) ? quiet + 1 : 0;
		(void)nanosleep(&step, NULL);
	}
	assert_true(quiet >= 5);
}

static void
an_object_is_found_and_its_own_status_wakes_nobody(void **state)
{
	struct rig r;
	struct manager *m;

	(void)state;
	rig_open(&r);
	rig_create(&r, class_json);
	m = start(&r);
	rig_wait(&class_passes, 1);
	settle(m);
	assert_int_equal(class_passes, 1);
	stop(m);
	assert_true(
	    str_is(rig_reason(rig_get(&r, "InferenceClass", "", "a100"), "Ready"), "Available"));
	rig_close(&r);
}

static void
a_new_class_concerns_its_clusters(void **state)
{
	struct rig r;
	struct manager *m;

	(void)state;
	rig_open(&r);
	rig_create(&r, cluster_json);
	m = start(&r);
	rig_wait(&cluster_passes, 1);
	settle(m);
	rig_create(&r, class_json);
	rig_wait(&cluster_passes, 2);
	stop(m);
	rig_close(&r);
}

static void
a_failed_pass_comes_back(void **state)
{
	struct rig r;
	struct manager *m;

	(void)state;
	rig_open(&r);
	m = start(&r);
	failures_left = 2;
	rig_create(&r, class_json);
	rig_wait(&class_passes, 1);
	assert_int_equal(failures_left, 0);
	stop(m);
	rig_close(&r);
}

static void
a_poke_runs_a_pass(void **state)
{
	struct rig r;
	struct manager *m;

	(void)state;
	rig_open(&r);
	rig_create(&r, class_json);
	m = start(&r);
	rig_wait(&class_passes, 1);
	settle(m);
	assert_true(manager_poke(m, &inference_class_kind, STR(""), STR("a100")));
	rig_wait(&class_passes, 2);
	assert_false(manager_poke(m, rig_kind("Secret"), STR(NS), STR("s")));
	stop(m);
	rig_close(&r);
}

static void
child_create(struct rig *r, const char *kind, const char *name, const char *spec)
{
	struct str uid = node_path_str(rig_get(r, "InferenceCluster", "", "eu"), "metadata.uid");

	rig_create(
	    r, arena_printf(r->a,
		   "{\"apiVersion\":\"infrastructure.modelplane.ai/v1alpha1\",\"kind\":\"%s\","
		   "\"metadata\":{\"name\":\"%s\",\"namespace\":\"" NS
		   "\",\"finalizers\":[\"" CONTROLLER_FINALIZER
		   "\"],\"ownerReferences\":[{\"apiVersion\":"
		   "\"modelplane.ai/"
		   "v1alpha1\",\"kind\":\"InferenceCluster\",\"name\":\"eu\",\"uid\":\"" STR_FMT
		   "\",\"controller\":true,\"blockOwnerDeletion\":true}]},\"spec\":%s}",
		   kind, name, STR_ARG(uid), spec));
}

static void
a_provider_waits_for_the_stack_and_then_goes_at_once(void **state)
{
	struct rig r;
	struct manager *m;
	const struct object *o = NULL;
	struct error err = { 0 };
	struct node *n;
	int before;

	(void)state;
	rig_open(&r);
	rig_create(&r, cluster_json);
	child_create(&r, "AKSCluster", "eu",
	    "{\"location\":\"x\",\"kubernetesVersion\":\"1.35\",\"nodePools\":[]}");
	child_create(&r, "ServingStack", "st",
	    "{\"secrets\":[{\"type\":\"Kubeconfig\",\"name\":\"k\",\"key\":\"v\"}]}");
	m = start(&r);
	settle(m);
	rig_delete(&r, "AKSCluster", NS, "eu");
	settle(m);
	assert_int_equal(aks_passes, 0);
	n = rig_get(&r, "AKSCluster", NS, "eu");
	assert_true(str_is(rig_reason(n, "Ready"), "StackInstalled"));
	before = cluster_passes;
	rig_delete(&r, "ServingStack", NS, "st");
	assert_true(store_get(
	    r.store, resource_of(rig_kind("ServingStack")), STR(NS), STR("st"), &o, &err));
	assert_true(finalizer_remove(&r.cx, o, CONTROLLER_FINALIZER, &err));
	object_unref(o);
	rig_wait(&aks_passes, 1);
	settle(m);
	assert_null(rig_get(&r, "AKSCluster", NS, "eu"));
	assert_true(cluster_passes > before); /* its owner was told */
	stop(m);
	rig_close(&r);
}

static void
stopping_does_not_wait_for_quiet_times(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r);
	stop(start(&r)); /* stop() allows a second */
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_is_found_and_its_own_status_wakes_nobody),
		cmocka_unit_test(a_new_class_concerns_its_clusters),
		cmocka_unit_test(a_failed_pass_comes_back),
		cmocka_unit_test(a_poke_runs_a_pass),
		cmocka_unit_test(a_provider_waits_for_the_stack_and_then_goes_at_once),
		cmocka_unit_test(stopping_does_not_wait_for_quiet_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
