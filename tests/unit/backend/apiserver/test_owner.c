#include "tests/unit/backend/apiserver/rig.h"

/* Our own kinds behind the owner's rules. */

#define AKS   "/apis/infrastructure.modelplane.ai/v1alpha1/namespaces/ml/aksclusters"
#define MERGE "application/merge-patch+json"
#define TABLE "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"

static struct rig rig;
static struct arena *arena;

static int
start(void **state UNUSED)
{
	rig_start(&rig, true, NULL);
	arena = arena_new(256 * 1024 * 1024);
	return 0;
}

static int
stop(void **state UNUSED)
{
	arena_free(arena);
	rig_stop(&rig);
	return 0;
}

static struct node *
ask(int status, const char *method, const char *path, const char *type, const char *body)
{
	struct rig_call c = { "admin", method, path, NULL, type, body };

	return rig_ask(&rig, arena, status, &c);
}

static void
is(const struct node *n, const char *path, const char *want)
{
	struct str got = node_path_str(n, path);

	if (!str_is(got, want))
		fail_msg("%s is '" STR_FMT "', not '%s'", path, STR_ARG(got), want);
}

static const char *
cluster(const char *name, int count, const char *more)
{
	return arena_printf(arena,
	    "{\"apiVersion\":\"infrastructure.modelplane.ai/v1alpha1\",\"kind\":"
	    "\"AKSCluster\",\"metadata\":{\"name\":\"%s\"},\"spec\":{\"location\":"
	    "\"swedencentral\","
	    "\"kubernetesVersion\":\"1.34\",\"nodePools\":[{\"name\":\"a\",\"role\":\"System\","
	    "\"vmSize\":"
	    "\"Standard_D4s_v5\",\"nodeCount\":%d}]%s}}",
	    name, count, more);
}

static void
every_fault_is_a_cause(void **state UNUSED)
{
	struct node *n = ask(422, "POST", AKS, NULL, cluster("bad", -1, ",\"bogus\":1"));
	bool pool = false;
	bool bogus = false;

	is(n, "reason", "Invalid");
	is(n, "details.kind", "AKSCluster");
	is(n, "details.name", "bad");
	for (const struct node *c = node_first(node_path(n, "details.causes")); c != NULL;
	     c = c->next) {
		pool = pool || str_is(node_path_str(c, "field"), "spec.nodePools[0].nodeCount");
		bogus = bogus || str_is(node_path_str(c, "field"), "spec.bogus");
		assert_true(node_path_str(c, "reason").n > 0);
		assert_true(node_path_str(c, "message").n > 0);
	}
	assert_true(pool);
	assert_true(bogus);
	assert_true(str_starts(node_path_str(n, "message"),
	    STR("AKSCluster.infrastructure.modelplane.ai \"bad\" is invalid: [")));
	(void)ask(404, "GET", AKS "/bad", NULL, NULL);
}

static void
a_good_one_is_stored_with_defaults(void **state UNUSED)
{
	struct node *n = ask(201, "POST", AKS, NULL, cluster("good", 2, ""));

	assert_int_equal(node_path_int(n, "metadata.generation", 0), 1);
	n = ask(422, "PATCH", AKS "/good", MERGE, "{\"spec\":{\"nodePools\":[]}}");
	is(n, "reason", "Invalid");
	n = ask(200, "PATCH", AKS "/good", MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
	assert_int_equal(node_path_int(n, "metadata.generation", 0), 1);
	n = ask(200, "PATCH", AKS "/good/status", MERGE,
	    "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\",\"reason\":"
	    "\"New\","
	    "\"lastTransitionTime\":\"2026-11-30T16:00:00Z\"}]}}");
	is(n, "status.conditions[0].reason", "New");
	(void)ask(422, "PATCH", AKS "/good/status", MERGE, "{\"status\":{\"conditions\":5}}");
	(void)ask(415, "PATCH", AKS "/good", "application/strategic-merge-patch+json", "{}");
}

static void
columns_are_those_of_the_kind(void **state UNUSED)
{
	struct rig_call c = { "admin", "GET",
		"/apis/infrastructure.modelplane.ai/v1alpha1/aksclusters", TABLE, NULL, NULL };
	struct node *n = rig_ask(&rig, arena, 200, &c);
	const struct node *columns = node_find(n, "columnDefinitions");
	size_t at = 0;
	size_t ready = 0;

	for (const struct node *x = node_first(columns); x != NULL; x = x->next, at++) {
		if (str_is(node_path_str(x, "name"), "READY"))
			ready = at;
	}
	assert_true(ready > 0);
	assert_true(str_is(node_get_str(node_at(node_path(n, "rows[0].cells"), ready)), "False"));
	is(n, "rows[0].object.metadata.namespace", "ml");
}

static void
openapi_describes_each_kind(void **state UNUSED)
{
	struct node *index = ask(200, "GET", "/openapi/v3", NULL, NULL);
	const struct node *group =
	    node_find(node_find(index, "paths"), "apis/infrastructure.modelplane.ai/v1alpha1");
	struct str url = node_path_str(group, "serverRelativeURL");

	assert_true(str_find(url, STR("?hash=")) > 0);
	struct node *doc = ask(200, "GET", arena_dup(arena, url.p, url.n), NULL, NULL);
	const struct node *schema =
	    node_find(node_path(doc, "components.schemas"), "dev.flightdeck.AKSCluster");

	is(schema, "x-kubernetes-group-version-kind[0].kind", "AKSCluster");
	assert_non_null(node_path(schema, "properties.spec.properties.nodePools"));
	bool patchable = false;

	for (const struct node *p = node_first(node_find(doc, "paths")); p != NULL; p = p->next) {
		if (!str_is(node_path_str(p, "patch.x-kubernetes-group-version-kind.kind"),
			"AKSCluster"))
			continue;
		is(p, "patch.parameters[0].name", "fieldValidation");
		patchable = true;
	}
	assert_true(patchable);
}

static void
short_names_and_categories_are_told(void **state UNUSED)
{
	struct node *n = ask(200, "GET", "/apis/modelplane.ai/v1alpha1", NULL, NULL);
	bool found = false;

	for (const struct node *r = node_first(node_find(n, "resources")); r != NULL; r = r->next) {
		if (!str_is(node_path_str(r, "name"), "inferenceclusters"))
			continue;
		found = true;
		is(r, "shortNames[0]", "ic");
		is(r, "categories[1]", "modelplane");
	}
	assert_true(found);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fault_is_a_cause),
		cmocka_unit_test(a_good_one_is_stored_with_defaults),
		cmocka_unit_test(columns_are_those_of_the_kind),
		cmocka_unit_test(openapi_describes_each_kind),
		cmocka_unit_test(short_names_and_categories_are_told),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
