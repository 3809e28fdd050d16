#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/node.h"

static struct node *
parse(struct arena *a, const char *json)
{
	struct node *n = NULL;

	assert_true(json_parse(a, str_from(json), &n, NULL));
	return n;
}

static void
assert_json(const struct node *n, const char *json)
{
	struct text t = TEXT_INIT(1 << 16);

	json_write(&t, n, JSON_COMPACT);
	assert_string_equal(text_get(&t), json);
	text_free(&t);
}

static void
setting_replaces_in_place_or_appends(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct node *m;

	assert_non_null(a);
	m = parse(a, "{\"a\":1,\"b\":2,\"c\":3}");
	node_set_int(a, m, "b", 9);
	assert_json(m, "{\"a\":1,\"b\":9,\"c\":3}");
	node_set_strz(a, m, "c", "x");
	node_set_bool(a, m, "d", true);
	assert_json(m, "{\"a\":1,\"b\":9,\"c\":\"x\",\"d\":true}");
	node_set(a, m, "a", NULL);
	node_set(a, m, "d", NULL);
	node_set(a, m, "nothing", NULL);
	assert_json(m, "{\"b\":9,\"c\":\"x\"}");
	assert_int_equal(node_count(m), 2);
	node_set_int(a, m, "e", 5);
	assert_json(m, "{\"b\":9,\"c\":\"x\",\"e\":5}");
	assert_true(node_remove(m, STR("b")));
	assert_false(node_remove(m, STR("b")));
	assert_true(node_remove(m, STR("e")));
	assert_true(node_remove(m, STR("c")));
	assert_json(m, "{}");
	node_set_int(a, m, "z", 1);
	assert_json(m, "{\"z\":1}");
	arena_free(a);
}

static void
paths_reach_into_lists(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	const struct node *n;

	assert_non_null(a);
	n = parse(a,
	    "{\"spec\":{\"pools\":[{\"name\":\"a\"},{\"name\":\"b\",\"m\":[[1,2],[3]]}],\"n\":4,"
	    "\"t\":true}}");
	assert_true(str_is(node_path_str(n, "spec.pools[1].name"), "b"));
	assert_int_equal(node_get_int(node_path(n, "spec.pools[1].m[0][1]"), -1), 2);
	assert_int_equal(node_path_int(n, "spec.n", 0), 4);
	assert_int_equal(node_path_int(n, "spec.t", 7), 7);
	assert_true(node_path_bool(n, "spec.t", false));
	assert_true(node_path_bool(n, "spec.n", true));
	assert_null(node_path(n, "spec.pools[2]"));
	assert_null(node_path(n, "spec.pools[x]"));
	assert_null(node_path(n, "spec.pools[-1]"));
	assert_null(node_path(n, "spec.pools[0"));
	assert_null(node_path(n, "spec.n.x"));
	assert_null(node_path(NULL, "a"));
	assert_null(node_find(node_path(n, "spec.n"), "a"));
	assert_int_equal(node_path_str(n, "spec.n").n, 0);
	arena_free(a);
}

static void
paths_are_made_as_needed(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct node *n;

	assert_non_null(a);
	n = parse(a, "{\"a\":{\"x\":1},\"b\":2}");
	node_set_int(a, node_make_path(a, n, "a.c"), "y", 3);
	node_set_int(a, node_make_path(a, n, "b"), "z", 4);
	assert_json(n, "{\"a\":{\"x\":1,\"c\":{\"y\":3}},\"b\":{\"z\":4}}");
	arena_free(a);
}

static void
lists_grow_at_the_end(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct node *l;

	assert_non_null(a);
	l = node_list(a);
	node_push(l, node_int(a, 1));
	node_push(l, node_null(a));
	node_push(l, NULL);
	node_push(NULL, node_int(a, 1));
	node_push(l, node_float(a, 0.5));
	assert_json(l, "[1,null,0.5]");
	assert_int_equal(node_count(l), 3);
	assert_null(node_at(l, 3));
	arena_free(a);
}

static void
copies_are_apart(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct node *n;
	struct node *copy;

	assert_non_null(a);
	n = parse(a, "{\"a\":[1,{\"b\":\"c\"}]}");
	copy = node_dup(a, n);
	assert_true(node_eq(n, copy));
	node_set_int(a, node_at(node_find(copy, "a"), 1), "b", 5);
	assert_false(node_eq(n, copy));
	assert_json(n, "{\"a\":[1,{\"b\":\"c\"}]}");
	assert_null(node_dup(a, NULL));
	arena_free(a);
}

struct pair {
	const char *a, *b;
	bool equal;
};

static const struct pair pairs[] = {
	{ "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true },
	{ "{\"a\":1,\"b\":2}", "{\"b\":2,\"c\":1}", false },
	{ "{\"a\":1}", "{\"a\":1,\"b\":null}", false },
	{ "[1,2]", "[2,1]", false },
	{ "[1,2]", "[1,2,3]", false },
	{ "1", "1.0", true },
	{ "9007199254740993", "9007199254740992.0", false },
	{ "1", "\"1\"", false },
	{ "null", "false", false },
	{ "{\"a\":[{\"x\":1,\"y\":2}]}", "{\"a\":[{\"y\":2,\"x\":1}]}", true },
};

static void
equality_is_deep(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);

	assert_non_null(a);
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		const struct node *x = parse(a, pairs[i].a);
		const struct node *y = parse(a, pairs[i].b);

		assert_int_equal(node_eq(x, y), pairs[i].equal);
		assert_int_equal(node_eq(y, x), pairs[i].equal);
	}
	assert_true(node_eq(NULL, NULL));
	assert_false(node_eq(NULL, parse(a, "1")));
	arena_free(a);
}

static void
builders_fail_with_their_arena(void **state UNUSED)
{
	struct arena *a = arena_new(64);
	struct node *m;

	assert_non_null(a);
	m = node_map(a);
	node_set_int(a, m, "a", 1);
	node_set(a, m, "a", node_strz(a, "x"));
	assert_true(arena_failed(a));
	assert_null(node_null(a));
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_replaces_in_place_or_appends),
		cmocka_unit_test(paths_reach_into_lists),
		cmocka_unit_test(paths_are_made_as_needed),
		cmocka_unit_test(lists_grow_at_the_end),
		cmocka_unit_test(copies_are_apart),
		cmocka_unit_test(equality_is_deep),
		cmocka_unit_test(builders_fail_with_their_arena),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
