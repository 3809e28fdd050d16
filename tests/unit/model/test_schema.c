/*
 * The schema engine: defaults, nulls, types, transitions, decode and encode, masks, lookups.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/json.h"
#include "model/kinds/aks_cluster.h"
#include "model/kinds/external.h"
#include "model/kinds/inference_class.h"
#include "model/kinds/inference_cluster.h"
#include "model/kinds/secret.h"
#include "model/kinds/serving_stack.h"

#include "helper_manifest.h"
#include "helper_shared.h"

#define CLUSTER                                                                                    \
	"{\"apiVersion\":\"modelplane.ai/v1alpha1\",\"kind\":\"InferenceCluster\","                \
	"\"metadata\":{\"name\":\"west\"},\"spec\":{\"cluster\":{\"source\":\"AKS\","              \
	"\"aks\":{\"location\":\"westeurope\"}},\"stack\":\"Standard\",\"nodePools\":["            \
	"{\"name\":\"a\",\"className\":\"l4\",\"fabric\":{}}]}}"

static struct node *
parse(struct arena *a, const char *json)
{
	struct node *n = NULL;

	assert_true(json_parse(a, str_from(json), &n, NULL));
	return n;
}

static size_t
errors_on_update(const char *now, const char *old, const char *rule)
{
	struct arena *a = arena_new(1 << 24);
	struct problems p;
	size_t n = 0;
	bool ok;

	problems_init(&p, a, "x");
	ok = schema_check(&inference_cluster_kind, a, parse(a, now), parse(a, old), &p);
	assert_int_equal(ok, p.nerrors == 0);
	for (size_t i = 0; i < p.n; i++)
		n += str_is(p.items[i].rule, rule) ? 1 : 0;
	arena_free(a);
	return n;
}

static void
defaults_come_only_where_their_parent_is(void **state)
{
	struct arena *a = arena_new(1 << 24);
	struct node *n = parse(a, CLUSTER);
	struct problems p;

	(void)state;
	problems_init(&p, a, "x");
	assert_true(schema_check(&inference_cluster_kind, a, n, NULL, &p));
	assert_string_equal(node_path_str(n, "spec.cluster.aks.kubernetesVersion").p, "1.34");
	assert_null(node_path(n, "spec.cluster.aks.credentials"));
	assert_int_equal(node_path_int(n, "spec.nodePools[0].nodeCount", 0), 1);
	assert_true(str_is(node_path_str(n, "spec.nodePools[0].fabric.type"), "None"));
	assert_null(node_path(n, "spec.nodePools[0].maxNodeCount"));
	arena_free(a);
}

static void
null_is_dropped_and_takes_the_default(void **state)
{
	struct checked c;

	(void)state;
	manifest_yaml(&c, "apiVersion: infrastructure.modelplane.ai/v1alpha1\n"
			  "kind: AKSCluster\n"
			  "metadata: {name: n, namespace: ns, annotations: null}\n"
			  "spec:\n"
			  "  location: westeurope\n"
			  "  kubernetesVersion: null\n"
			  "  credentials: null\n"
			  "  nodePools: [{name: s, role: System, vmSize: x, diskSizeGb: null}]\n");
	assert_true(c.ok);
	assert_true(str_is(node_path_str(c.set.docs[0].object, "spec.kubernetesVersion"), "1.34"));
	assert_null(node_path(c.set.docs[0].object, "spec.credentials"));
	assert_null(node_path(c.set.docs[0].object, "metadata.annotations"));
	assert_int_equal(
	    node_path_int(c.set.docs[0].object, "spec.nodePools[0].diskSizeGb", 0), 100);
	manifest_end(&c);
}

static void
the_stack_of_a_cluster_cannot_change(void **state)
{
	static const char other[] =
	    "{\"apiVersion\":\"modelplane.ai/v1alpha1\",\"kind\":\"InferenceCluster\","
	    "\"metadata\":{\"name\":\"west\"},\"spec\":{\"cluster\":{\"source\":\"AKS\","
	    "\"aks\":{\"location\":\"westeurope\"}},\"stack\":\"Dynamo\"}}";

	(void)state;
	assert_int_equal(errors_on_update(CLUSTER, other, "InferenceCluster-8"), 1);
	assert_int_equal(errors_on_update(CLUSTER, CLUSTER, "InferenceCluster-8"), 0);
}

static void
name_and_uid_cannot_change(void **state)
{
	static const char now[] =
	    "{\"apiVersion\":\"modelplane.ai/v1alpha1\",\"kind\":\"InferenceCluster\","
	    "\"metadata\":{\"name\":\"west\",\"uid\":\"1\"},\"spec\":{\"cluster\":"
	    "{\"source\":\"Nebius\",\"nebius\":{}}}}";
	static const char old[] =
	    "{\"apiVersion\":\"modelplane.ai/v1alpha1\",\"kind\":\"InferenceCluster\","
	    "\"metadata\":{\"name\":\"east\",\"uid\":\"2\"},\"spec\":{\"cluster\":"
	    "{\"source\":\"Nebius\",\"nebius\":{}}}}";

	(void)state;
	assert_int_equal(errors_on_update(now, old, "schema/metadata"), 2);
}

static void
what_a_cloud_cannot_change_is_named_before_any_call(void **state)
{
	struct arena *a = arena_new(1 << 24);
	struct node *old = parse(a, "{\"spec\":{\"location\":\"westeurope\",\"nodePools\":["
				    "{\"name\":\"a\",\"vmSize\":\"x\",\"maxNodeCount\":3},"
				    "{\"name\":\"b\",\"vmSize\":\"y\"}]}}");
	struct node *now = parse(a, "{\"spec\":{\"location\":\"westeurope\",\"nodePools\":["
				    "{\"name\":\"b\",\"vmSize\":\"z\"},"
				    "{\"name\":\"a\",\"vmSize\":\"x\",\"maxNodeCount\":5}]}}");
	struct problems p;

	(void)state;
	problems_init(&p, a, "x");
	schema_check_immutable(&aks_cluster_kind, a, now, old, &p);
	assert_int_equal(p.n, 1); /* not the count, and not the order */
	assert_true(str_is(p.items[0].path, "spec.nodePools[0].vmSize"));
	assert_true(str_is(p.items[0].rule, "flightdeck/immutable"));
	assert_non_null(strstr(manifest_line(&p.items[0]), "from 'y'"));
	arena_free(a);
}

static void
decoding_an_absent_object_gives_its_defaults(void **state)
{
	struct arena *a = arena_new(1 << 24);
	struct node *n =
	    parse(a, "{\"spec\":{\"location\":\"eastus2\",\"nodePools\":["
		     "{\"name\":\"g\",\"role\":\"GPU\",\"vmSize\":\"x\",\"zones\":[\"1\"]}]}}");
	struct aks_cluster c;
	const struct aks_pool *pool;

	(void)state;
	assert_true(schema_decode(&aks_cluster_schema, a, n, &c, NULL));
	assert_false(c.spec.networking.present);
	assert_true(str_is(c.spec.networking.vnet_cidr, "10.0.0.0/16"));
	assert_false(c.spec.credentials.present);
	assert_int_equal(c.spec.credentials.type, CREDENTIALS_CLUSTER_PROVIDER_CONFIG);
	assert_true(str_is(c.spec.credentials.name, "default"));
	assert_int_equal(c.spec.node_pools.n, 1);
	pool = c.spec.node_pools.items;
	assert_true(pool->present);
	assert_int_equal(pool->role, POOL_ROLE_GPU);
	assert_int_equal(pool->max_node_count.value, 8);
	assert_int_equal(pool->fabric, AKS_FABRIC_NONE);
	assert_int_equal(pool->zones.n, 1);
	assert_false(c.status.present);
	assert_int_equal(c.status.secrets.n, 0);
	arena_free(a);
}

static void
decoding_refuses_another_type(void **state)
{
	struct arena *a = arena_new(1 << 24);
	struct error err = { 0 };
	struct aks_cluster c;

	(void)state;
	assert_false(schema_decode(
	    &aks_cluster_schema, a, parse(a, "{\"spec\":{\"location\":7}}"), &c, &err));
	assert_int_equal(err.code, ERR_INVALID);
	assert_non_null(strstr(err.message, "location"));
	assert_false(schema_decode(&aks_cluster_schema, a, parse(a, "[]"), &c, &err));
	assert_false(schema_decode(&aks_cluster_schema, a, NULL, &c, &err));
	arena_free(a);
}

static void
an_unknown_word_decodes_as_absent(void **state)
{
	struct arena *a = arena_new(1 << 24);
	struct external e;

	(void)state;
	assert_true(schema_decode(
	    &external_schema, a, parse(a, "{\"spec\":{\"phase\":\"Dreaming\"}}"), &e, NULL));
	assert_int_equal(e.spec.phase, -1);
	assert_true(schema_decode(
	    &external_schema, a, parse(a, "{\"spec\":{\"phase\":\"Ready\"}}"), &e, NULL));
	assert_int_equal(e.spec.phase, EXTERNAL_READY);
	arena_free(a);
}

/* Each accepted object of the oracle goes into its struct and comes back the same. */
static void
check_round_trip(struct arena *a, const struct node *object)
{
	const struct kind *k = kind_find(
	    node_get_str(node_find(object, "apiVersion")), node_get_str(node_find(object, "kind")));
	struct node *back;
	char *value;

	assert_non_null(k);
	value = arena_get(a, k->schema->size);
	assert_non_null(value);
	assert_true(schema_decode(k->schema, a, object, value, NULL));
	back = schema_encode(k->schema, a, value);
	if (!node_eq(object, back)) {
		struct text t = TEXT_INIT(1 << 20);

		json_write(&t, object, JSON_SORTED);
		text_add(&t, "\n");
		json_write(&t, back, JSON_SORTED);
		fail_msg("%s", text_get(&t));
	}
}

static void
encode_after_decode_gives_the_same_object(void **state)
{
	size_t n = 0, checked = 0;
	char *bytes = shared_read("oracle/verdicts.jsonl", &n);
	struct str rest = { bytes, n }, line;

	(void)state;
	if (bytes == NULL) {
		print_message("skipped: no oracle/verdicts.jsonl below FLIGHTDECK_SHARED\n");
		skip();
	}
	while (str_split(&rest, '\n', &line)) {
		struct arena *a = arena_new(1 << 24);
		struct node *record = NULL;

		/* a field written without a value does not come back, and an object of none does */
		if (line.n > 0 && json_parse(a, line, &record, NULL) &&
		    node_find(record, "object") != NULL) {
			check_round_trip(a, node_find(record, "object"));
			checked++;
		}
		arena_free(a);
	}
	mem_free(bytes);
	assert_true(checked > 700);
}

static void
maps_of_structs_keep_their_keys(void **state)
{
	struct arena *a = arena_new(1 << 24);
	struct node *n = parse(a, "{\"spec\":{\"devices\":[{\"name\":\"gpu\",\"claim\":\"DRA\","
				  "\"driver\":\"d\",\"count\":1,"
				  "\"attributes\":{\"arch\":{\"string\":\"Hopper\"},\"x/"
				  "y\":{\"int\":3},\"b\":{\"bool\":false}},"
				  "\"capacity\":{\"memory\":{\"value\":\"80Gi\"}}}]}}");
	struct inference_class c;
	const struct class_device *d;
	const struct device_attribute *attributes;

	(void)state;
	assert_true(schema_decode(&inference_class_schema, a, n, &c, NULL));
	d = c.spec.devices.items;
	attributes = d->attributes.items;
	assert_int_equal(d->attributes.n, 3);
	assert_true(str_is(attributes[1].key, "x/y"));
	assert_int_equal(attributes[1].integer.value, 3);
	assert_true(attributes[2].boolean.present && !attributes[2].boolean.value);
	assert_true(node_eq(node_find(n, "spec"),
	    node_find(schema_encode(&inference_class_schema, a, &c), "spec")));
	arena_free(a);
}

static void
a_recipe_is_chosen_by_the_source(void **state)
{
	struct inference_class c = { 0 };

	(void)state;
	assert_null(class_recipe_get(&c, SOURCE_AKS));
	c.spec.provisioning.present = true;
	assert_null(class_recipe_get(&c, SOURCE_AKS));
	c.spec.provisioning.aks.present = true;
	assert_ptr_equal(class_recipe_get(&c, SOURCE_AKS), &c.spec.provisioning.aks);
	assert_null(class_recipe_get(&c, SOURCE_EXISTING));
	assert_null(class_recipe_get(&c, -1));
}

static void
secrets_are_masked_and_never_in_a_message(void **state)
{
	struct checked c;
	struct text t = TEXT_INIT(1 << 16);

	(void)state;
	manifest_yaml(&c, "apiVersion: v1\nkind: Secret\n"
			  "metadata:\n  name: s\n  annotations:\n"
			  "    kubectl.kubernetes.io/last-applied-configuration: hunter2\n"
			  "stringData: {a: hunter2, n: 40217}\ndata: {b: 'hunter2!'}\n");
	assert_false(c.ok);
	assert_non_null(manifest_problem(&c, "schema/type", "stringData.n"));
	assert_non_null(manifest_problem(&c, "schema/base64", "data.b"));
	for (size_t i = 0; i < c.set.problems.n; i++) {
		assert_null(strstr(manifest_line(&c.set.problems.items[i]), "hunter2"));
		assert_null(strstr(manifest_line(&c.set.problems.items[i]), "40217"));
	}
	json_write(&t, schema_mask(&secret_schema, c.arena, c.set.docs[0].object), JSON_SORTED);
	assert_null(strstr(text_get(&t), "hunter2"));
	assert_null(strstr(text_get(&t), "40217"));
	assert_non_null(strstr(text_get(&t), "\"a\":\"***\""));
	text_free(&t);
	manifest_end(&c);
}

static void
list_keys_are_told_for_merges(void **state)
{
	const struct field *pools;

	(void)state;
	assert_string_equal(
	    schema_list_keys(&inference_cluster_kind, STR("spec.nodePools"))[0], "name");
	assert_string_equal(
	    schema_list_keys(&inference_cluster_kind, STR("spec.taints"))[1], "effect");
	assert_string_equal(
	    schema_list_keys(&inference_cluster_kind, STR("metadata.ownerReferences"))[0], "uid");
	assert_null(schema_list_keys(&inference_cluster_kind, STR("spec.nodePools.zones")));
	assert_null(schema_list_keys(&inference_cluster_kind, STR("spec.cluster")));
	assert_null(schema_list_keys(&inference_cluster_kind, STR("nothing.here")));
	pools = schema_find(&inference_cluster_schema, STR("spec.nodePools"), NULL);
	assert_non_null(pools);
	assert_non_null(schema_child(pools->sub, STR("fabric")));
	assert_null(schema_child(pools->sub, STR("fabrics")));
	assert_null(schema_child(NULL, STR("fabric")));
}

static void
a_field_that_is_not_there_brings_a_suggestion(void **state)
{
	static const char *const words[] = { "nodeCount", "minNodeCount", "maxNodeCount", "name",
		"className", "zones", "bool", "int" };
	static const struct {
		const char *typed;
		const char *nearest;
	} rows[] = {
		{ "nodecount", "nodeCount" },
		{ "maxNodecount", "maxNodeCount" },
		{ "class", "className" },
		{ "integer", "int" },
		{ "boolean", "bool" },
		{ "nmae", "name" },
		{ "project", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *got = suggest(str_from(rows[i].typed), words, ARRAY_LEN(words));

		if (rows[i].nearest == NULL)
			assert_null(got);
		else
			assert_string_equal(got, rows[i].nearest);
	}
}

static void
problems_are_sorted_by_place_and_bounded(void **state)
{
	struct arena *a = arena_new(1 << 24);
	struct problems p;

	(void)state;
	problems_init(&p, a, "f");
	for (uint32_t i = 0; i < 2000; i++) {
		const struct node at = { .line = 3000 - i, .column = 1 };

		problems_add(&p, SEVERITY_ERROR, &at, STR("p"), "r", "", "%u", (unsigned)i);
	}
	assert_int_equal(p.nerrors, 2000);
	assert_true(p.n <= 1000);
	problems_sort(&p);
	for (size_t i = 1; i < p.n; i++)
		assert_true(p.items[i - 1].line <= p.items[i].line);
	arena_free(a);
}

static void
running_out_of_memory_is_an_error_and_not_a_pass(void **state)
{
	(void)state;
	for (size_t limit = 9 * 1024; limit < 64 * 1024; limit += 1024) {
		struct arena *tree = arena_new(1 << 24);
		struct arena *small = arena_new(limit);
		struct node *n = parse(tree, CLUSTER);
		struct problems p;

		problems_init(&p, small, "x");
		if (schema_check(&inference_cluster_kind, small, n, NULL, &p))
			assert_false(arena_failed(small));
		else
			assert_true(arena_failed(small));
		arena_free(small);
		arena_free(tree);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_come_only_where_their_parent_is),
		cmocka_unit_test(null_is_dropped_and_takes_the_default),
		cmocka_unit_test(the_stack_of_a_cluster_cannot_change),
		cmocka_unit_test(name_and_uid_cannot_change),
		cmocka_unit_test(what_a_cloud_cannot_change_is_named_before_any_call),
		cmocka_unit_test(decoding_an_absent_object_gives_its_defaults),
		cmocka_unit_test(decoding_refuses_another_type),
		cmocka_unit_test(an_unknown_word_decodes_as_absent),
		cmocka_unit_test(encode_after_decode_gives_the_same_object),
		cmocka_unit_test(maps_of_structs_keep_their_keys),
		cmocka_unit_test(a_recipe_is_chosen_by_the_source),
		cmocka_unit_test(secrets_are_masked_and_never_in_a_message),
		cmocka_unit_test(list_keys_are_told_for_merges),
		cmocka_unit_test(a_field_that_is_not_there_brings_a_suggestion),
		cmocka_unit_test(problems_are_sorted_by_place_and_bounded),
		cmocka_unit_test(running_out_of_memory_is_an_error_and_not_a_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
