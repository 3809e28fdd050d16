/*
 * explain: every field of every kind can be explained; lists are transparent; wrong paths help.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/kinds/inference_cluster.h"
#include "model/kinds/secret.h"

enum { OUTPUT = 1 << 20 };

static void
assert_explains(const char *path, bool recursive, const char *const *pieces, size_t n)
{
	struct text out = TEXT_INIT(OUTPUT);
	struct error err = { 0 };

	assert_true(kind_explain(&inference_cluster_kind, str_from(path), recursive, &out, &err));
	for (size_t i = 0; i < n; i++) {
		if (strstr(text_get(&out), pieces[i]) == NULL)
			fail_msg("no '%s' in:\n%s", pieces[i], text_get(&out));
	}
	text_free(&out);
}

static void
lists_are_transparent_in_a_path(void **state)
{
	static const char *const pieces[] = { "KIND:       InferenceCluster",
		"FIELD: fabric <PoolFabric>", "enum: None, EFA, InfiniBand", "default: \"None\"",
		"InferenceCluster-11" };

	(void)state;
	assert_explains("spec.nodePools.fabric", false, pieces, ARRAY_LEN(pieces));
	assert_explains("spec.nodePools[].fabric", false, pieces, ARRAY_LEN(pieces));
	assert_explains("spec.nodePools[3].fabric", false, pieces, ARRAY_LEN(pieces));
}

static void
a_leaf_shows_its_bounds(void **state)
{
	static const char *const name[] = { "FIELD: name <string> -required-",
		"at most 40 characters" };
	static const char *const pools[] = { "<[]NodePool>", "1 to 8 items", "keyed by: name" };
	static const char *const block[] = { "pattern: ^cr-[0-9a-f]+$", "4 to 64 characters" };

	(void)state;
	assert_explains("spec.nodePools.name", false, name, ARRAY_LEN(name));
	assert_explains("spec.nodePools", false, pools, ARRAY_LEN(pools));
	assert_explains(
	    "spec.nodePools.capacityBlock.capacityReservationId", false, block, ARRAY_LEN(block));
}

static void
recursive_shows_the_whole_tree(void **state)
{
	static const char *const pieces[] = { "\n    kubernetesVersion",
		"\n      capacityReservationId", "lastTransitionTime", "ownerReferences" };
	struct text out = TEXT_INIT(OUTPUT);

	(void)state;
	assert_true(kind_explain(&inference_cluster_kind, STR(""), true, &out, NULL));
	for (size_t i = 2; i < ARRAY_LEN(pieces); i++)
		assert_non_null(strstr(text_get(&out), pieces[i]));
	assert_non_null(strstr(text_get(&out), "capacityReservationId"));
	text_free(&out);
}

static void
a_wrong_path_brings_a_suggestion(void **state)
{
	struct text out = TEXT_INIT(OUTPUT);
	struct error err = { 0 };

	(void)state;
	assert_false(
	    kind_explain(&inference_cluster_kind, STR("spec.nodePool"), false, &out, &err));
	assert_int_equal(err.code, ERR_NOT_FOUND);
	assert_non_null(strstr(err.advice, "nodePools"));
	assert_false(
	    kind_explain(&inference_cluster_kind, STR("spec.stack.deeper"), false, &out, &err));
	assert_non_null(strstr(err.advice, "explain inferencecluster"));
	assert_false(kind_explain(&inference_cluster_kind, STR("spec..x"), false, &out, &err));
	assert_int_equal(out.n, 0);
	text_free(&out);
}

static void
explain_all(struct arena *a, const struct kind *k, const struct schema *s, const char *path)
{
	for (size_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];
		const char *below =
		    arena_printf(a, "%s%s%s", path, path[0] != '\0' ? "." : "", f->name);
		struct text out = TEXT_INIT(OUTPUT);

		assert_true(kind_explain(k, str_from(below), false, &out, NULL));
		assert_non_null(strstr(text_get(&out), f->name));
		text_free(&out);
		if (f->sub != NULL)
			explain_all(a, k, f->sub, below);
	}
}

static void
every_field_of_every_kind_can_be_explained(void **state)
{
	size_t n;
	const struct kind *const *all = kinds_get(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		struct arena *a = arena_new(1 << 20);

		explain_all(a, all[i], all[i]->schema, "");
		arena_free(a);
	}
}

static void
an_output_that_is_too_small_is_an_error(void **state)
{
	struct text out = TEXT_INIT(64);
	struct error err = { 0 };

	(void)state;
	assert_false(kind_explain(&secret_kind, STR(""), true, &out, &err));
	assert_int_not_equal(err.code, ERR_NONE);
	text_free(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_transparent_in_a_path),
		cmocka_unit_test(a_leaf_shows_its_bounds),
		cmocka_unit_test(recursive_shows_the_whole_tree),
		cmocka_unit_test(a_wrong_path_brings_a_suggestion),
		cmocka_unit_test(every_field_of_every_kind_can_be_explained),
		cmocka_unit_test(an_output_that_is_too_small_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
