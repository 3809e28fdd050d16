/*
 * The children of an InferenceCluster are those that the public project computes, for all recorded
 * clusters, but for the differences listed below; any other fails.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka needs the four above first. */
#include <cmocka.h>

#include "model/base/mem.h"
#include "model/compose/cluster.h"
#include "model/json.h"
#include "tests/unit/model/helper_plans.h"

enum { ARENA_MAX = 256 * 1024 * 1024, RECORDED_CLUSTERS = 74 };

static const struct {
	const char *what, *reason;
} differences[] = {
	{ "condition messages", "ours say what is waited for; the recorded ones are empty" },
	{ "hold", "a missing class or recipe leaves what exists untouched" },
	{ "access config", "kept while the provider cluster blinks, from the stack's secrets" },
};

struct scene {
	struct arena *a;
	struct inference_cluster cluster;
	struct cluster_class classes[32];
	struct cluster_input in;
	struct cluster_result r;
};

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
scene_cluster(struct scene *s, struct node *cluster)
{
	struct error err;

	schema_default(&inference_cluster_schema, s->a, cluster);
	if (!schema_decode(&inference_cluster_schema, s->a, cluster, &s->cluster, &err))
		fail_msg("%s", err.message);
	s->in.cluster = &s->cluster;
	s->in.classes = s->classes;
}

static void
scene_class(struct scene *s, struct node *tree)
{
	struct inference_class *c = arena_get(s->a, sizeof(*c));
	struct error err;

	schema_default(&inference_class_schema, s->a, tree);
	if (!schema_decode(&inference_class_schema, s->a, tree, c, &err))
		fail_msg("%s", err.message);
	assert_true(s->in.nclasses < ARRAY_LEN(s->classes));
	s->classes[s->in.nclasses++] = (struct cluster_class){ c, node_path(tree, "spec.devices") };
}

static void
scene_run(struct scene *s)
{
	struct error err;

	if (!cluster_compose(s->a, &s->in, &s->r, &err))
		fail_msg("%s", err.message);
}

static const struct cluster_condition *
condition(const struct scene *s, const char *type)
{
	for (size_t i = 0; i < s->r.nconditions; i++)
		if (strcmp(s->r.conditions[i].type, type) == 0)
			return &s->r.conditions[i];
	return NULL;
}

/* ---- against the recorded ones ---- */

static void
compare_children(struct scene *s, const struct node *line)
{
	struct node *children = node_find(line, "children");
	struct str name = node_path_str(line, "cluster.metadata.name");
	size_t stored = 0;

	for (const struct node *want = node_first(children); want != NULL; want = want->next) {
		const struct cluster_child *have =
		    cluster_child_find(&s->r, arena_printf(s->a, STR_FMT, STR_ARG(want->key)));
		struct str d;

		if (have == NULL)
			fail_msg(STR_FMT ": no child " STR_FMT, STR_ARG(name), STR_ARG(want->key));
		d = plans_differ(s->a, want, have->object);
		if (d.n > 0)
			fail_msg(STR_FMT ": " STR_FMT STR_FMT, STR_ARG(name), STR_ARG(want->key),
			    STR_ARG(d));
	}
	for (size_t i = 0; i < s->r.nchildren; i++)
		stored += s->r.children[i].kind != CHILD_GUARD ? 1 : 0;
	assert_int_equal(stored, node_count(children));
}

static void
compare_conditions(struct scene *s, const struct node *line)
{
	struct node *conditions = node_find(line, "conditions");

	for (const struct node *c = node_first(conditions); c != NULL; c = c->next) {
		const char *type =
		    arena_printf(s->a, STR_FMT, STR_ARG(node_get_str(node_find(c, "type"))));
		const struct cluster_condition *have = condition(s, type);

		assert_non_null(have);
		assert_true(str_is(node_get_str(node_find(c, "reason")), have->reason));
		assert_int_equal(
		    str_is(node_get_str(node_find(c, "status")), "STATUS_CONDITION_TRUE"),
		    have->status == CONDITION_TRUE);
	}
}

static void
children_are_those_recorded(void **state)
{
	struct arena *all = arena_new(ARENA_MAX);
	struct str rest, line;
	size_t n = 0;

	(void)state;
	rest = plans_read(all, "clusters.jsonl");
	if (rest.p == NULL) {
		print_message("skipped: no recorded plans\n");
		arena_free(all);
		skip();
	}
	while (str_split(&rest, '\n', &line)) {
		struct scene s = { .a = arena_new(ARENA_MAX) };
		struct node *tree;
		struct error err;

		if (line.n == 0) {
			arena_free(s.a);
			continue;
		}
		if (!json_parse(s.a, line, &tree, &err))
			fail_msg("line %zu: %s", n + 1, err.message);
		scene_cluster(&s, node_find(tree, "cluster"));
		for (struct node *c = node_first(node_find(tree, "classes")); c != NULL;
		     c = c->next)
			scene_class(&s, c);
		scene_run(&s);
		compare_children(&s, tree);
		compare_conditions(&s, tree);
		arena_free(s.a);
		n++;
	}
	assert_int_equal(n, RECORDED_CLUSTERS);
	for (size_t i = 0; i < ARRAY_LEN(differences); i++)
		print_message("    %s: %s\n", differences[i].what, differences[i].reason);
	print_message("%zu recorded clusters, 0 unlisted differences\n", n);
	arena_free(all);
}

/* ---- a small cluster of our own ---- */

static const char aks_cluster[] =
    "{\"metadata\":{\"name\":\"eu\",\"uid\":\"u1\"},\"spec\":{\"cluster\":{\"source\":\"AKS\","
    "\"aks\":{\"location\":\"westeurope\",\"kubernetesVersion\":\"1.34\"}},\"nodePools\":[{"
    "\"name\":"
    "\"gpu\",\"className\":\"a100\",\"nodeCount\":2,\"maxNodeCount\":4}]}}";
static const char aks_class[] =
    "{\"metadata\":{\"name\":\"a100\"},\"spec\":{\"provisioning\":{\"provider\":\"AKS\",\"aks\":{"
    "\"vmSize\":\"Standard_NC24ads_A100_v4\",\"diskSizeGb\":200,\"accelerator\":{\"type\":"
    "\"nvidia-a100\",\"count\":1}}},\"devices\":[{\"name\":\"gpu\",\"driver\":\"gpu.nvidia.com\","
    "\"deviceClassName\":\"gpu.nvidia.com\"}]}}";
static const char ready_provider[] =
    "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}],\"secrets\":[{\"type\":"
    "\"Kubeconfig\",\"name\":\"eu-kubeconfig-1\",\"key\":\"kubeconfig\"}],\"cache\":"
    "{\"storageClassName\":\"modelplane-rwx-fs\"}}}";

static struct scene
scene_new(void)
{
	struct scene s = { .a = arena_new(ARENA_MAX) };

	return s;
}

static void
a_missing_class_holds_everything(void **state)
{
	struct scene s = scene_new();

	(void)state;
	scene_cluster(&s, parse(s.a, aks_cluster));
	s.in.provider = parse(s.a, ready_provider);
	scene_run(&s);
	assert_true(s.r.hold);
	assert_false(s.r.ready);
	assert_null(s.r.status);
	assert_int_equal(s.r.nchildren, 0);
	assert_string_equal(condition(&s, "ClusterReady")->reason, "WaitingForClasses");
	assert_true(str_find(condition(&s, "ClusterReady")->message, STR("a100")) >= 0);
	arena_free(s.a);
}

static void
a_class_without_the_recipe_holds_the_provider(void **state)
{
	struct scene s = scene_new();
	struct node *class;

	(void)state;
	class = parse(s.a, aks_class);
	node_set(s.a, node_find(class, "spec"), "provisioning", NULL);
	scene_cluster(&s, parse(s.a, aks_cluster));
	scene_class(&s, class);
	scene_run(&s);
	assert_true(s.r.hold);
	assert_null(cluster_child_find(&s.r, "aks-cluster"));
	assert_string_equal(condition(&s, "ClusterReady")->reason, "InvalidNodePool");
	arena_free(s.a);
}

static const char waiting_stack[] =
    "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\","
    "\"reason\":\"Creating\",\"message\":\"15 of 16 components are ready; cert-manager: "
    "ImagePullBackOff\"}]}}";

static void
the_stack_comes_when_the_provider_is_ready(void **state)
{
	struct scene s = scene_new();
	const struct cluster_child *stack;

	(void)state;
	scene_cluster(&s, parse(s.a, aks_cluster));
	scene_class(&s, parse(s.a, aks_class));
	scene_run(&s);
	assert_null(cluster_child_find(&s.r, "serving-stack"));
	s.in.provider = parse(s.a, ready_provider);
	scene_run(&s);
	stack = cluster_child_find(&s.r, "serving-stack");
	assert_non_null(stack);
	assert_false(stack->ready);
	assert_false(s.r.ready);
	assert_non_null(cluster_child_find(&s.r, "usage-aks-by-backend"));
	assert_non_null(cluster_child_find(&s.r, "cluster-provider-config-kubernetes"));
	assert_string_equal(condition(&s, "BackendReady")->reason, "Installing");
	s.in.stack = parse(s.a, waiting_stack);
	scene_run(&s);
	assert_true(str_find(condition(&s, "BackendReady")->message, STR("ImagePullBackOff")) > 0);
	assert_true(
	    str_is(node_path_str(s.r.status, "cache.storageClassName"), "modelplane-rwx-fs"));
	assert_int_equal(node_path_int(s.r.status, "gpuPools[0].nodes", -1), 4);
	arena_free(s.a);
}

static void
a_blink_of_the_provider_keeps_stack_and_access(void **state)
{
	struct scene s = scene_new();

	(void)state;
	scene_cluster(&s, parse(s.a, aks_cluster));
	scene_class(&s, parse(s.a, aks_class));
	s.in.provider = parse(s.a, "{\"status\":{}}");
	s.in.stack = parse(s.a,
	    "{\"spec\":{\"secrets\":[{\"type\":\"Kubeconfig\",\"name\":\"k\",\"key\":\"v\"}]},"
	    "\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
	scene_run(&s);
	assert_non_null(cluster_child_find(&s.r, "serving-stack"));
	assert_non_null(cluster_child_find(&s.r, "cluster-provider-config-kubernetes"));
	assert_string_equal(condition(&s, "BackendReady")->reason, "WaitingForCluster");
	assert_int_equal(condition(&s, "BackendReady")->status, CONDITION_TRUE);
	arena_free(s.a);
}

static void
all_ready_makes_the_cluster_ready(void **state)
{
	struct scene s = scene_new();

	(void)state;
	scene_cluster(&s, parse(s.a, aks_cluster));
	scene_class(&s, parse(s.a, aks_class));
	s.in.provider = parse(s.a, ready_provider);
	s.in.stack = parse(s.a,
	    "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}],\"gateway\":"
	    "{\"address\":\"10.1.2.3\"}}}");
	scene_run(&s);
	assert_true(s.r.ready);
	assert_string_equal(condition(&s, "BackendReady")->reason, "BackendHealthy");
	assert_true(str_is(node_path_str(s.r.status, "gateway.address"), "10.1.2.3"));
	arena_free(s.a);
}

static void
replicas_are_guarded(void **state)
{
	struct scene s = scene_new();

	(void)state;
	scene_cluster(&s, parse(s.a, aks_cluster));
	s.in.nreplicas = 1;
	scene_run(&s);
	assert_non_null(cluster_child_find(&s.r, "usage-replicas"));
	assert_int_equal(s.r.nchildren, 1);
	arena_free(s.a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_are_those_recorded),
		cmocka_unit_test(a_missing_class_holds_everything),
		cmocka_unit_test(a_class_without_the_recipe_holds_the_provider),
		cmocka_unit_test(the_stack_comes_when_the_provider_is_ready),
		cmocka_unit_test(a_blink_of_the_provider_keeps_stack_and_access),
		cmocka_unit_test(all_ready_makes_the_cluster_ready),
		cmocka_unit_test(replicas_are_guarded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
