#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/names.h"

struct vector {
	const char *parts[5];
	const char *name;
};

static const struct vector vectors[] = {
	{ { "test-backend", "cluster" }, "test-backend-cluster-63fde" },
	{ { "test-cluster", "kubeconfig" }, "test-cluster-kubeconfig-55b57" },
	{ { "test-cluster", "cluster-kubeconfig" }, "test-cluster-cluster-kubeconfig-d0f89" },
	{ { "test-cluster", "serving-stack" }, "test-cluster-serving-stack-fd00b" },
	{ { "test-cluster", "sa-key" }, "test-cluster-sa-key-3295c" },
	{ { "modelplane-system", "test-cluster", "eks" },
	    "modelplane-system-test-cluster-eks-0865f" },
	{ { "test-cluster", "subnet-us-west-2a" }, "test-cluster-subnet-us-west-2a-952dc" },
	{ { "test-cluster", "private-subnet-us-west-2a" },
	    "test-cluster-private-subnet-us-west-2a-6a89f" },
	{ { "platform", "inference-westeurope", "aks" },
	    "platform-inference-westeurope-aks-d3e96" },
	{ { "inference-westeurope", "kubeconfig" }, "inference-westeurope-kubeconfig-60863" },
	{ { "modelcache", "ml-team", "qwen" }, "modelcache-ml-team-qwen-17db2" },
	{ { "modelcache", "ml-team", "qwen", "hydrate" }, "modelcache-ml-team-qwen-hydrate-256ec" },
	{ { "modelcache", "ml-team", "qwen", "auth" }, "modelcache-ml-team-qwen-auth-ae01b" },
	{ { "r", "main" }, "r-main-bb4e3" },
	{ { "a-very-long-deployment-name-that-goes-on-and-on-forever", "main", "standalone",
	      "devices" },
	    "a-very-long-deployment-name-that-goes-on-and-on-forever-m-0daf8" },
};

static void
child_names_follow_the_vectors(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);

	assert_non_null(a);
	for (size_t i = 0; i < ARRAY_LEN(vectors); i++) {
		struct str name = child_name(a, vectors[i].parts);

		assert_string_equal(name.p, vectors[i].name);
		assert_int_equal(name.n, strlen(vectors[i].name));
		assert_true(name.n <= NAME_MAX_LEN);
	}
	assert_string_equal(child_name2(a, STR("r"), "main").p, "r-main-bb4e3");
	assert_string_equal(child_name3(a, STR("platform"), STR("inference-westeurope"), "aks").p,
	    "platform-inference-westeurope-aks-d3e96");
	arena_free(a);
}

static void
opaque_and_grove_names_follow_the_vectors(void **state UNUSED)
{
	static const char *const zero[] = { "eks-l4", "0", NULL };
	static const char *const one[] = { "eks-l4", "1", NULL };
	struct arena *a = arena_new(1 << 20);

	assert_non_null(a);
	assert_string_equal(opaque_name(a, STR("qwen3-8b"), zero).p, "qwen3-8b-01152");
	assert_string_equal(opaque_name(a, STR("qwen3-8b"), one).p, "qwen3-8b-33481");
	assert_string_equal(
	    grove_name(a, STR("kimi-k2-1a2b3"), STR("serve")).p, "kimi-k2-1a2b3-serv-39d4b");
	arena_free(a);
}

static void
no_dash_stands_before_the_hash(void **state UNUSED)
{
	static const char *const parts[] = {
		"a12345678901234567890123456789012345678901234567890123-----", "b", NULL
	};
	struct arena *a = arena_new(1 << 20);
	struct str name;

	assert_non_null(a);
	name = child_name(a, parts);
	assert_int_equal(name.p[name.n - 6], '-');
	assert_int_not_equal(name.p[name.n - 7], '-');
	arena_free(a);
}

/* SHA-256("abc") = ba7816bf 8f01cfea 414140de 5dae2223 ... */
static void
ids_come_from_sha256(void **state UNUSED)
{
	static const char *const abc[] = { "abc", NULL };
	static const char *const two[] = { "ab", "c", NULL };
	struct arena *a = arena_new(1 << 20);

	assert_non_null(a);
	assert_string_equal(id8(a, abc).p, "xj4bnp4p");
	assert_string_equal(uuid_from(a, abc).p, "ba7816bf-8f01-5fea-8141-40de5dae2223");
	assert_string_not_equal(id8(a, two).p, "xj4bnp4p"); /* the parts are kept apart */
	arena_free(a);
}

static void
a_full_arena_says_so(void **state UNUSED)
{
	static const char *const abc[] = { "abc", NULL };
	struct arena *a = arena_new(16);

	assert_non_null(a);
	assert_null(child_name(a, abc).p);
	assert_true(arena_failed(a));
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(child_names_follow_the_vectors),
		cmocka_unit_test(opaque_and_grove_names_follow_the_vectors),
		cmocka_unit_test(no_dash_stands_before_the_hash),
		cmocka_unit_test(ids_come_from_sha256),
		cmocka_unit_test(a_full_arena_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
