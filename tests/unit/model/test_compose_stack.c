/*
 * The serving stack's components are those that the public project computes, for both layers and
 * three sets of secrets, but for the differences listed below; any other fails.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka needs the four above first. */
#include <cmocka.h>

#include "model/base/mem.h"
#include "model/compose/stack.h"
#include "model/json.h"
#include "tests/unit/model/helper_plans.h"

enum { ARENA_MAX = 256 * 1024 * 1024, RECORDED_STACKS = 6 };

static const struct {
	const char *what, *reason;
} differences[] = {
	{ "grove's version", "the specification pins a newer one than the recorded run had" },
	{ "definitions", "our own, open ones: the recorded run's text is not ours to copy" },
	{ "provider configs", "not stored: the kube rows read the kubeconfig that the secrets name" },
	{ "guards", "flags of the rows, which order the removal, instead of objects" },
	{ "first step", "ours waits where an object cannot exist before its release" },
};

static void
plan_make(struct arena *a, struct node *tree, struct plan *plan)
{
	struct serving_stack *s = arena_get(a, sizeof(*s));
	struct error err;

	schema_default(&serving_stack_schema, a, tree);
	if (!schema_decode(&serving_stack_schema, a, tree, s, &err))
		fail_msg("%s", err.message);
	plan_init(plan, a);
	if (!stack_plan(s, plan, &err))
		fail_msg("%s", err.message);
}

static struct node *
parse(struct arena *a, const char *text)
{
	struct node *n = NULL;
	struct error err;

	if (!json_parse(a, str_from(text), &n, &err))
		fail_msg("%s", err.message);
	return n;
}

static void
same(struct arena *a, const struct node *want, const char *path, const struct node *have,
    struct str key)
{
	struct str d = plans_differ(a, node_path(want, path), have);

	if (d.n > 0)
		fail_msg(STR_FMT ": %s" STR_FMT, STR_ARG(key), path, STR_ARG(d));
}

static void
compare_release(struct arena *a, const struct node *want, const struct plan_resource *r)
{
	struct node *annotations = node_path(want, "metadata.annotations");

	assert_string_equal(r->type, "release");
	assert_true(
	    str_eq(node_get_str(node_find(annotations, "crossplane.io/external-name")), r->name));
	same(a, want, "spec.forProvider.chart.name", node_find(r->want, "chart"), r->key);
	same(
	    a, want, "spec.forProvider.chart.repository", node_find(r->want, "repository"), r->key);
	if (!str_is(r->key, "grove"))
		same(a, want, "spec.forProvider.chart.version", node_find(r->want, "version"),
		    r->key);
	same(a, want, "spec.forProvider.namespace", node_find(r->want, "namespace"), r->key);
	same(a, want, "spec.forProvider.values", node_find(r->want, "values"), r->key);
	same(a, want, "metadata.labels", node_find(r->want, "labels"), r->key);
}

static void
compare_object(struct arena *a, const struct node *want, const struct plan_resource *r)
{
	assert_string_equal(r->type, "object");
	if (node_find(want, "note") != NULL) {
		assert_true(
		    str_is(node_path_str(r->want, "manifest.kind"), "CustomResourceDefinition"));
		assert_true(str_ends(r->key, r->name));
		return;
	}
	same(a, want, "spec.forProvider.manifest", node_find(r->want, "manifest"), r->key);
	same(a, want, "spec.readiness.celQuery", node_find(r->want, "readiness"), r->key);
	same(a, want, "metadata.labels", node_find(r->want, "labels"), r->key);
}

/* usage-<of>-by-<by>: the row `by` must be gone before the row it stands on is removed. */
static void
compare_guard(const struct plan *plan, const struct node *want)
{
	struct node *of = node_path(want, "spec.of.resourceSelector.matchLabels");
	struct node *by = node_path(want, "spec.by.resourceSelector.matchLabels");
	const struct plan_resource *r =
	    plan_find(plan, node_get_str(node_find(by, STACK_RESOURCE_LABEL)));
	bool found = false;

	assert_non_null(r);
	assert_true((r->flags & PLAN_GUARDED) != 0);
	for (size_t i = 0; i < r->nafter; i++)
		found =
		    found || str_eq(r->after[i], node_get_str(node_find(of, STACK_RESOURCE_LABEL)));
	assert_true(found);
}

static void
compare_one(struct arena *a, const struct node *recorded)
{
	struct node *desired = node_find(recorded, "desired");
	struct plan plan;
	size_t rows = 0;

	plan_make(a, node_find(recorded, "servingStack"), &plan);
	for (const struct node *want = node_first(desired); want != NULL; want = want->next) {
		struct str kind = node_get_str(node_find(want, "kind"));
		const struct plan_resource *r = plan_find(&plan, want->key);

		if (str_is(kind, "ProviderConfig")) {
			assert_true(str_eq(node_path_str(want, "metadata.name"),
			    stack_config_name(a, STR("demo"))));
			continue;
		}
		if (str_is(kind, "Usage")) {
			compare_guard(&plan, want);
			continue;
		}
		if (r == NULL)
			fail_msg("no row " STR_FMT, STR_ARG(want->key));
		rows++;
		if (str_is(kind, "Release"))
			compare_release(a, want, r);
		else
			compare_object(a, want, r);
	}
	assert_int_equal(rows, plan.n);
}

static void
components_are_those_recorded(void **state)
{
	struct arena *a = arena_new(ARENA_MAX);
	struct str bytes = plans_read(a, "serving-stack.json");
	struct node *all;
	struct error err;

	(void)state;
	if (bytes.p == NULL) {
		print_message("skipped: no recorded plans\n");
		arena_free(a);
		skip();
	}
	if (!json_parse(a, bytes, &all, &err))
		fail_msg("%s", err.message);
	assert_int_equal(node_count(all), RECORDED_STACKS);
	for (const struct node *one = node_first(all); one != NULL; one = one->next)
		compare_one(a, one);
	for (size_t i = 0; i < ARRAY_LEN(differences); i++)
		print_message("    %s: %s\n", differences[i].what, differences[i].reason);
	print_message("%d recorded stacks, 0 unlisted differences\n", RECORDED_STACKS);
	arena_free(a);
}

static void
the_driver_root_is_sent_only_when_it_is_another(void **state)
{
	struct arena *a = arena_new(ARENA_MAX);
	struct plan plan;
	const struct plan_resource *r;

	(void)state;
	plan_make(a,
	    parse(a, "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"nvidiaDriverRoot\":"
		     "\"/home/kubernetes/bin/nvidia\"}}"),
	    &plan);
	r = plan_find(&plan, STR("dra-driver"));
	assert_true(str_is(
	    node_path_str(r->want, "values.nvidiaDriverRoot"), "/home/kubernetes/bin/nvidia"));
	arena_free(a);
}

static void
listeners_and_class_come_from_the_spec(void **state)
{
	struct arena *a = arena_new(ARENA_MAX);
	struct plan plan;
	const struct plan_resource *gateway, *class;

	(void)state;
	plan_make(a,
	    parse(a, "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"gateway\":{\"className\":\"own\","
		     "\"listeners\":[{\"name\":\"tcp\",\"port\":9000,\"protocol\":\"TCP\"}]}}}"),
	    &plan);
	gateway = plan_find(&plan, STR(STACK_KEY_GATEWAY));
	class = plan_find(&plan, STR("gateway-class"));
	assert_true(str_is(class->name, "own"));
	assert_true(str_is(node_path_str(gateway->want, "manifest.spec.gatewayClassName"), "own"));
	assert_int_equal(node_path_int(gateway->want, "manifest.spec.listeners[0].port", 0), 9000);
	assert_true(str_is(node_path_str(gateway->want,
			       "manifest.spec.listeners[0].allowedRoutes.namespaces.from"),
	    "All"));
	arena_free(a);
}

static void
no_name_is_longer_than_a_label(void **state)
{
	struct arena *a = arena_new(ARENA_MAX);
	struct plan plan;

	(void)state;
	plan_make(a,
	    parse(a,
		"{\"metadata\":{\"name\":\"a-name-of-sixty-three-characters-as-long-as-a-label-"
		"may-be-in-all\"},\"spec\":{}}"),
	    &plan);
	for (size_t i = 0; i < plan.n; i++) {
		if (strcmp(plan.items[i].type, "release") != 0)
			continue;
		assert_true(plan.items[i].name.n <= 53); /* helm's own limit */
		for (size_t j = 0; j < i; j++)
			assert_false(strcmp(plan.items[j].type, "release") == 0 &&
				     str_eq(plan.items[j].name, plan.items[i].name));
	}
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(components_are_those_recorded),
		cmocka_unit_test(the_driver_root_is_sent_only_when_it_is_another),
		cmocka_unit_test(listeners_and_class_come_from_the_spec),
		cmocka_unit_test(no_name_is_longer_than_a_label),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
