/*
 * Definitions for an API server: complete, structural, and the same as our own tables.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/kinds/inference_cluster.h"
#include "model/kinds/serving.h"
#include "model/schema.h"
#include "model/yaml.h"

#define SCHEMA_PATH "spec.versions[0].schema.openAPIV3Schema"
#define PROPERTIES  SCHEMA_PATH ".properties.spec.properties"

enum { ARENA = 1 << 25 };

static bool
has_word(const struct node *list, const char *word)
{
	for (const struct node *x = node_first(list); x != NULL; x = x->next) {
		if (str_is(node_get_str(x), word))
			return true;
	}
	return false;
}

static void
a_cluster_has_names_scope_columns_and_subresource(void **state)
{
	struct arena *a = arena_new(ARENA);
	const struct node *crd = kind_crd(&inference_cluster_kind, a);

	(void)state;
	assert_true(str_is(node_path_str(crd, "apiVersion"), "apiextensions.k8s.io/v1"));
	assert_true(str_is(node_path_str(crd, "metadata.name"), "inferenceclusters.modelplane.ai"));
	assert_true(str_is(node_path_str(crd, "spec.scope"), "Cluster"));
	assert_true(str_is(node_path_str(crd, "spec.names.listKind"), "InferenceClusterList"));
	assert_true(has_word(node_path(crd, "spec.names.shortNames"), "ic"));
	assert_true(has_word(node_path(crd, "spec.names.categories"), "modelplane"));
	assert_true(
	    str_is(node_path_str(crd, "spec.versions[0].additionalPrinterColumns[0].jsonPath"),
		".spec.cluster.source"));
	assert_non_null(node_path(crd, "spec.versions[0].subresources.status"));
	assert_int_equal(
	    node_path_int(crd, SCHEMA_PATH ".properties.metadata.properties.name.maxLength", 0),
	    63);
	arena_free(a);
}

static void
lists_carry_their_keys_and_rules_their_text(void **state)
{
	struct arena *a = arena_new(ARENA);
	const struct node *crd = kind_crd(&inference_cluster_kind, a);
	const struct node *pools = node_path(crd, PROPERTIES ".nodePools");

	(void)state;
	assert_true(str_is(node_get_str(node_find(pools, "x-kubernetes-list-type")), "map"));
	assert_true(has_word(node_find(pools, "x-kubernetes-list-map-keys"), "name"));
	assert_int_equal(node_path_int(pools, "maxItems", 0), 8);
	assert_int_equal(node_path_int(pools, "items.properties.name.maxLength", 0), 40);
	assert_int_equal(node_path_int(pools, "items.properties.nodeCount.default", 0), 1);
	assert_true(str_is(node_path_str(crd, PROPERTIES ".stack.x-kubernetes-validations[0].rule"),
	    "self == oldSelf"));
	assert_int_equal(
	    node_count(node_path(crd, PROPERTIES ".cluster.x-kubernetes-validations")), 6);
	assert_true(node_path_bool(
	    crd, PROPERTIES ".crossplane.x-kubernetes-preserve-unknown-fields", false));
	arena_free(a);
}

static void
a_deployment_can_be_scaled(void **state)
{
	struct arena *a = arena_new(ARENA);
	const struct node *crd = kind_crd(&model_deployment_kind, a);

	(void)state;
	assert_true(
	    str_is(node_path_str(crd, "spec.versions[0].subresources.scale.specReplicasPath"),
		".spec.replicas"));
	assert_true(
	    str_is(node_path_str(crd, PROPERTIES ".template.properties.spec.properties.tolerations."
						 "x-kubernetes-list-type"),
		"atomic"));
	arena_free(a);
}

/* What apiextensions asks of a structural schema, as far as our tables could get it wrong. */
static void
check_structural(const struct node *schema, const char *where)
{
	struct str type = node_get_str(node_find(schema, "type"));
	const struct node *properties = node_find(schema, "properties");

	if (type.n == 0 &&
	    !node_get_bool(node_find(schema, "x-kubernetes-preserve-unknown-fields"), false))
		fail_msg("%s has no type", where);
	if (str_is(type, "array"))
		check_structural(node_find(schema, "items"), where);
	if (node_find(schema, "additionalProperties") != NULL) {
		assert_null(properties);
		check_structural(node_find(schema, "additionalProperties"), where);
	}
	for (const struct node *x = node_first(node_find(schema, "required")); x != NULL;
	     x = x->next)
		assert_non_null(node_find_str(properties, node_get_str(x)));
	for (const struct node *x = node_first(properties); x != NULL; x = x->next)
		check_structural(x, where);
}

static void
every_definition_is_structural_and_survives_yaml(void **state)
{
	size_t n;
	const struct kind *const *all = kinds_get(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		struct arena *a = arena_new(ARENA);
		const struct node *crd = kind_crd(all[i], a);
		struct text yaml = TEXT_INIT(1 << 22);
		struct node *docs = NULL;

		check_structural(node_path(crd, SCHEMA_PATH), all[i]->kind);
		yaml_write(&yaml, crd);
		assert_true(yaml_parse(a, text_str(&yaml), "crd", &docs, NULL));
		assert_true(node_eq(node_at(docs, 0), crd));
		assert_false(arena_failed(a));
		text_free(&yaml);
		arena_free(a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cluster_has_names_scope_columns_and_subresource),
		cmocka_unit_test(lists_carry_their_keys_and_rules_their_text),
		cmocka_unit_test(a_deployment_can_be_scaled),
		cmocka_unit_test(every_definition_is_structural_and_survives_yaml),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
