/* Nodes and GPUs from what a cluster's API lists: cases.md section 14. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above first. */
#include <cmocka.h>

#include "model/base/mem.h"
#include "model/capacity.h"
#include "model/json.h"

#define NODE(name, pool, ready)                                                                    \
	"{\"metadata\":{\"name\":\"" name "\",\"labels\":{\"modelplane.ai/pool\":\"" pool          \
	"\"}},\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"" ready "\"}]}}"
#define SLICE(node, generation, devices)                                                           \
	"{\"spec\":{\"driver\":\"gpu.nvidia.com\",\"nodeName\":\"" node                            \
	"\",\"pool\":{\"name\":\"" node "\",\"generation\":" generation "},\"devices\":[" devices  \
	"]}}"
#define CLAIM(node, device)                                                                        \
	"{\"status\":{\"allocation\":{\"devices\":{\"results\":[{\"driver\":\"gpu.nvidia.com\","   \
	"\"pool\":\"" node "\",\"device\":\"" device "\"}]}}}}"
#define GPU(name) "{\"name\":\"" name "\"}"

static struct node *
list(struct arena *a, const char *text)
{
	struct node *n = NULL;
	struct error err;

	if (text == NULL)
		return NULL;
	if (!json_parse(a, str_from(text), &n, &err))
		fail_msg("%s", err.message);
	return n;
}

static struct capacity_sum
count(const char *nodes, const char *slices, const char *claims, const char *pool)
{
	struct arena *a = arena_new(4 * 1024 * 1024);
	struct capacity_node *out;
	struct capacity_sum sum;
	struct error err;
	size_t n;

	struct capacity_lists lists = {
		.nodes = list(a, nodes), .slices = list(a, slices), .claims = list(a, claims)
	};

	if (!capacity_read(a, &lists, &out, &n, &err))
		fail_msg("%s", err.message);
	sum = capacity_sum(out, n, str_from(pool));
	arena_free(a);
	return sum;
}

static void
claimed_and_free_are_counted_by_node(void **state)
{
	struct capacity_sum s = count("[" NODE("n1", "gpu", "True") "," NODE(
					  "n2", "gpu", "True") "," NODE("s1", "system", "True") "]",
	    "[" SLICE("n1", "1", GPU("g0") "," GPU("g1")) "," SLICE(
		"n2", "1", GPU("g0") "," GPU("g1")) "]",
	    "[" CLAIM("n1", "g0") "]", "gpu");

	(void)state;
	assert_int_equal(s.nodes, 2);
	assert_int_equal(s.nodes_ready, 2);
	assert_int_equal(s.gpus, 4);
	assert_int_equal(s.claimed, 1);
	assert_int_equal(s.nodes_free, 1);
	assert_false(s.partial);
}

static void
a_shared_device_counts_once(void **state)
{
	struct capacity_sum s = count("[" NODE("n1", "gpu", "True") "]",
	    "[" SLICE("n1", "1", GPU("g0") "," GPU("g1")) "]",
	    "[" CLAIM("n1", "g0") "," CLAIM("n1", "g0") "]", "gpu");

	(void)state;
	assert_int_equal(s.claimed, 1);
}

static void
an_older_generation_is_a_leftover(void **state)
{
	struct capacity_sum s = count("[" NODE("n1", "gpu", "True") "]",
	    "[" SLICE("n1", "1", GPU("g0")) "," SLICE("n1", "2", GPU("g0") "," GPU("g1")) "]", "[]",
	    "gpu");

	(void)state;
	assert_int_equal(s.gpus, 2);
}

static void
without_slices_gpus_are_unknown_not_none(void **state)
{
	struct capacity_sum s = count("[" NODE("n1", "gpu", "True") "]", "[]", "[]", "gpu");

	(void)state;
	assert_int_equal(s.nodes_ready, 1);
	assert_int_equal(s.gpus, -1);
	assert_int_equal(s.claimed, -1);
	assert_int_equal(s.nodes_free, 0);
	assert_true(s.partial);
}

static void
without_claims_only_claimed_is_unknown(void **state)
{
	struct capacity_sum s = count(
	    "[" NODE("n1", "gpu", "True") "]", "[" SLICE("n1", "1", GPU("g0")) "]", NULL, "gpu");

	(void)state;
	assert_int_equal(s.gpus, 1);
	assert_int_equal(s.claimed, -1);
}

static void
a_node_that_is_not_ready_offers_nothing(void **state)
{
	struct capacity_sum s =
	    count("[" NODE("n1", "gpu", "True") "," NODE("n2", "gpu", "False") "]",
		"[" SLICE("n1", "1", GPU("g0")) "," SLICE("n2", "1", GPU("g0")) "]", "[]", "gpu");

	(void)state;
	assert_int_equal(s.nodes, 2);
	assert_int_equal(s.nodes_ready, 1);
	assert_int_equal(s.gpus, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(claimed_and_free_are_counted_by_node),
		cmocka_unit_test(a_shared_device_counts_once),
		cmocka_unit_test(an_older_generation_is_a_leftover),
		cmocka_unit_test(without_slices_gpus_are_unknown_not_none),
		cmocka_unit_test(without_claims_only_claimed_is_unknown),
		cmocka_unit_test(a_node_that_is_not_ready_offers_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
