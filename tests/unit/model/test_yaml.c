#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/yaml.h"

enum { ARENA = 64 << 20 };

/* All documents of a YAML text, as one compact JSON list. */
static void
check(const char *yaml, const char *json)
{
	struct arena *a = arena_new(ARENA);
	struct text out = TEXT_INIT(1 << 20);
	struct error err = { .code = ERR_NONE };
	struct node *docs;

	assert_non_null(a);
	if (!yaml_parse(a, str_from(yaml), "f.yaml", &docs, &err))
		fail_msg("%s: %s", yaml, err.message);
	json_write(&out, docs, JSON_COMPACT);
	assert_string_equal(text_get(&out), json);
	text_free(&out);
	arena_free(a);
}

static void
scalars_follow_the_core_schema(void **state UNUSED)
{
	check("[~, null, Null, NULL, ]", "[[null,null,null,null]]");
	check("[true, True, TRUE, false, False]", "[[true,true,true,false,false]]");
	check("[on, yes, no, off, y, n, tRUE]",
	    "[[\"on\",\"yes\",\"no\",\"off\",\"y\",\"n\",\"tRUE\"]]");
	check("[1, -1, +1, 0o17, 0x1F, 0123, 1_000, 12:30]",
	    "[[1,-1,1,15,31,123,\"1_000\",\"12:30\"]]");
	check("[1.5, -.5, 1., 1e3, 1.e-2, '1.5', \"2\"]",
	    "[[1.5,-0.5,1.0,1000.0,0.01,\"1.5\",\"2\"]]");
	check("[9223372036854775807, 9223372036854775808]",
	    "[[9223372036854775807,9223372036854775808]]");
	check("[2025-01-01, 1.2.3, '', -, a-b, 0x, 1e]",
	    "[[\"2025-01-01\",\"1.2.3\",\"\",\"-\",\"a-b\",\"0x\",\"1e\"]]");
	check(
	    "a: !!str 12\nb: !!int \"12\"\nc: !!float 1\nd: !!null ''\ne: !!bool 'true'\nf: ! 5\n",
	    "[{\"a\":\"12\",\"b\":12,\"c\":1.0,\"d\":null,\"e\":true,\"f\":\"5\"}]");
	check("a: !!binary |\n  aGVs\n  bG8=\n", "[{\"a\":\"hello\"}]");
	check("1: a\ntrue: b\n~: c\n", "[{\"1\":\"a\",\"true\":\"b\",\"~\":\"c\"}]");
}

/* B001: the text as written is kept, so that 1.30 can be named. */
static void
text_and_places_are_kept(void **state UNUSED)
{
	struct arena *a = arena_new(ARENA);
	struct node *docs;
	const struct node *n;

	assert_non_null(a);
	assert_true(yaml_parse(
	    a, STR("# note\na:\n  version: 1.30\n  \"q\": \"1.30\"\n"), "f", &docs, NULL));
	n = node_path(node_first(docs), "a.version");
	assert_int_equal(n->type, NODE_FLOAT);
	assert_true(n->plain && str_is(n->text, "1.30"));
	assert_int_equal(n->line, 3);
	assert_int_equal(n->column, 12);
	assert_int_equal(n->key_line, 3);
	assert_int_equal(n->key_column, 3);
	n = node_path(node_first(docs), "a.q");
	assert_true(!n->plain && n->type == NODE_STRING);
	assert_int_equal(n->column, 8);
	arena_free(a);
}

static void
streams_are_split_by_the_parser(void **state UNUSED)
{
	check("", "[]");
	check("# only a comment\n", "[]");
	check("---\n---\n# x\n---\na: 1\n...\n---\nb: 2\n", "[{\"a\":1},{\"b\":2}]");
	/* B005: dashes inside of a value are no separator. */
	check("d: |\n  one\n  ---\n  two\na: \"a --- b\" # --- old ---\n",
	    "[{\"d\":\"one\\n---\\ntwo\\n\",\"a\":\"a --- b\"}]");
	check("\xef\xbb\xbf"
	      "a: 1\r\nb: 2\r\n",
	    "[{\"a\":1,\"b\":2}]");
}

static void
aliases_are_copied(void **state UNUSED)
{
	check("a: &x {k: [1, 2]}\nb: *x\nc: [*x, &y s, *y]\n",
	    "[{\"a\":{\"k\":[1,2]},\"b\":{\"k\":[1,2]},\"c\":[{\"k\":[1,2]},\"s\",\"s\"]}]");
	check("- &k key\n- {*k : 1}\n", "[[\"key\",{\"key\":1}]]");
	/* B009: three anchors, five aliases */
	check("a: &a 1\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: *c\n",
	    "[{\"a\":1,\"b\":[1,1],\"c\":[[1,1],[1,1]],\"d\":[[1,1],[1,1]]}]");
}

struct bad {
	const char *text;
	const char *says;
};

static const struct bad refused[] = {
	{ "a: 1\nb: 2\na: 3\n", "f.yaml:3:1: key 'a' stands twice (first in line 1)" },
	{ "x:\n- {k: 1, k: 2}\n", "f.yaml:2:10: key 'k' stands twice (first in line 2)" },
	{ "a: 1\n\"a\": 2\n", "stands twice" },
	/* B007: no separator between two objects */
	{ "kind: A\nmetadata: {name: x}\nkind: B\nmetadata: {name: y}\n",
	    "f.yaml:3:1: key 'kind' stands twice (first in line 1): is a '---' missing" },
	{ "a: &x [*x]\n", "inside of its own anchor" },
	{ "a: *nowhere\n", "f.yaml:1:4: alias '*nowhere' has no anchor" },
	{ "a: &x 1\n---\nb: *x\n", "has no anchor" },
	{ "<<: {a: 1}\n", "merge keys" },
	{ "? [a]\n: 1\n", "a key must be a scalar" },
	{ "{? {a: b} : 1}\n", "a key must be a scalar" },
	{ "a: &x [1]\n? *x\n: 1\n", "a key must be a scalar" },
	{ "a: !foo x\n", "f.yaml:1:4: tag '!foo' is not supported" },
	{ "a: !!set {x}\n", "tag 'tag:yaml.org,2002:set'" },
	{ "a: !!int x\n", "does not fit its tag" },
	{ "a: !!binary \"//8=\"\n", "not text" },
	{ "a: !!binary \"*\"\n", "not base64" },
	{ "a: .inf\n", "out of range" },
	{ "a: .nan\n", "out of range" },
	{ "a: 1e999\n", "out of range" },
	{ "a: [1\n", "f.yaml:2:1:" },
	{ "a: b: c\n", "f.yaml:1:5:" },
	{ "\ta: 1\n", "f.yaml:1:" },
	{ "a: \"\xff\"\n", "f.yaml:1: not text in UTF-8" },
	{ "a: 1\nb: \xc0\xaf\n", "f.yaml:2: not text in UTF-8" },
	{ "a: \x07\n", "control characters" },
	{ "\xff\xfe"
	  "a",
	    "not text in UTF-8" },
};

static void
what_is_wrong_is_refused_with_its_place(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		struct arena *a = arena_new(ARENA);
		struct error err = { .code = ERR_NONE };
		struct node *docs = NULL;

		assert_non_null(a);
		assert_false(yaml_parse(a, str_from(refused[i].text), "f.yaml", &docs, &err));
		if (strstr(err.message, refused[i].says) == NULL)
			fail_msg("'%s' says '%s'", refused[i].text, err.message);
		assert_null(docs);
		arena_free(a);
	}
}

static void
nul_is_refused(void **state UNUSED)
{
	struct arena *a = arena_new(ARENA);
	struct node *docs;

	assert_non_null(a);
	assert_false(yaml_parse(a, STR("a: b\0\n"), "f.yaml", &docs, NULL));
	arena_free(a);
}

/* Adds the text with '#' replaced by the number. */
static void
add_numbered(struct text *t, struct str unit, int64_t number)
{
	struct str piece;
	bool first = true;

	while (str_split(&unit, '#', &piece)) {
		if (!first)
			text_add_int(t, number);
		text_add_str(t, piece);
		first = false;
	}
}

/* Parses `repeat` repeats between two texts; true when accepted. Never slow. */
static bool
accepts(const char *before, const char *unit, size_t repeat, const char *after, struct error *err)
{
	struct arena *a = arena_new((size_t)256 << 20);
	struct text t = TEXT_INIT(8 << 20);
	struct node *docs;
	bool ok;

	assert_non_null(a);
	text_add(&t, before);
	for (size_t i = 0; i < repeat; i++)
		add_numbered(&t, str_from(unit), (int64_t)i);
	text_add(&t, after);
	assert_true(text_ok(&t, "text", NULL));
	ok = yaml_parse(a, text_str(&t), "f.yaml", &docs, err);
	text_free(&t);
	arena_free(a);
	return ok;
}

static void
limits_hold_on_both_sides(void **state UNUSED)
{
	struct error err = { .code = ERR_NONE };

	assert_true(accepts("", "[", YAML_MAX_DEPTH,
	    "x]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
	    "]]]]]]]]]]]]]]]]",
	    NULL));
	assert_false(accepts("", "[", YAML_MAX_DEPTH + 1, "", &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	assert_true(accepts("", "- &a# x\n", YAML_MAX_ANCHORS, "", NULL));
	assert_false(accepts("", "- &a# x\n", YAML_MAX_ANCHORS + 1, "", &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	assert_true(accepts("", "--- x#\n", YAML_MAX_DOCUMENTS, "", NULL));
	assert_false(accepts("", "--- x#\n", YAML_MAX_DOCUMENTS + 1, "", &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	assert_true(accepts("", "- x\n", YAML_MAX_NODES - 1, "", NULL));
	assert_false(accepts("", "- x\n", YAML_MAX_NODES, "", &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	assert_true(accepts("", "%TAG !a#! tag:x,2000:\n", YAML_MAX_DIRECTIVES, "--- x\n", NULL));
	assert_false(
	    accepts("", "%TAG !a#! tag:x,2000:\n", YAML_MAX_DIRECTIVES + 1, "--- x\n", &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	assert_true(accepts("- &x [1, 2, 3, 4, 5, 6, 7, 8, 9]\n", "- *x\n", 9900, "", NULL));
	assert_false(accepts("- &x [1, 2, 3, 4, 5, 6, 7, 8, 9]\n", "- *x\n", 10000, "", &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
}

static void
bytes_are_limited(void **state UNUSED)
{
	struct arena *a = arena_new(ARENA);
	struct error err = { .code = ERR_NONE };
	struct node *docs;

	assert_non_null(a);
	assert_false(yaml_parse(a, (struct str){ "", YAML_MAX_BYTES + 1 }, "f", &docs, &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	arena_free(a);
}

/* An alias must not carry a deep tree below the limit. */
static void
aliases_do_not_evade_the_depth(void **state UNUSED)
{
	struct error err = { .code = ERR_NONE };

	assert_false(accepts(
	    "- &x "
	    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n"
	    "- [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[*x]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n",
	    "", 0, "", &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
}

struct bomb {
	const char *before, *unit;
	size_t repeat;
};

static const struct bomb bombs[] = {
	{ "", "[", 50000 },
	{ "", "{a: ", 50000 },
	{ "", "- ", 50000 },
	{ "", "- &b# x\n", 30000 },
	{ "", "%TAG !a#! tag:x,2000:\n", 20000 },
	{ "", "--- x\n", 100000 },
	{ "a0: &a0 [x,x,x,x,x,x,x,x,x]\na1: &a1 [*a0,*a0,*a0,*a0,*a0,*a0,*a0,*a0,*a0]\n"
	  "a2: &a2 [*a1,*a1,*a1,*a1,*a1,*a1,*a1,*a1,*a1]\na3: &a3 "
	  "[*a2,*a2,*a2,*a2,*a2,*a2,*a2,*a2]\n"
	  "a4: &a4 [*a3,*a3,*a3,*a3,*a3,*a3,*a3,*a3,*a3]\na5: &a5 "
	  "[*a4,*a4,*a4,*a4,*a4,*a4,*a4,*a4]\n"
	  "a6: &a6 [*a5,*a5,*a5,*a5,*a5,*a5,*a5,*a5,*a5]\na7: &a7 "
	  "[*a6,*a6,*a6,*a6,*a6,*a6,*a6,*a6]\n",
	    "", 0 },
};

static void
bombs_are_refused_at_once(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_LEN(bombs); i++) {
		struct error err = { .code = ERR_NONE };
		clock_t start = clock();

		assert_false(accepts(bombs[i].before, bombs[i].unit, bombs[i].repeat, "", &err));
		assert_int_equal(err.code, ERR_TOO_LARGE);
		/* 100 ms of processor time; sanitizers get ten times that */
		if ((clock() - start) / (CLOCKS_PER_SEC / 1000) > 1000)
			fail_msg("bomb %zu took too long", i);
	}
}

static const char *const rounds[] = {
	"{\"a\":1,\"b\":{\"c\":[1,2.5,null,true,\"x\"],\"d\":{},\"e\":[]},\"f\":\"\"}",
	"[[1,[2,[]]],{\"a\":[{\"b\":1,\"c\":[{\"d\":2}]}]},[{}]]",
	"[\"true\",\"yes\",\"on\",\"~\",\"null\",\"1\",\"1.30\",\"0o7\",\"1_0\",\"12:30\",\"2020-"
	"01-01\"]",
	"[\"- a\",\"-\",\"?\",\": x\",\"a: b\",\"a:\",\"a "
	"#b\",\"#\",\"&a\",\"*a\",\"!a\",\"|\",\">\",\"@\"]",
	"[\"'\",\"it's\",\"\\\"\",\"%a\",\"`\",\"[\",\"]\",\"{\",\"}\",\",\",\"---\",\"...\",\"--- "
	"a\"]",
	"[\" lead\",\"trail "
	"\",\"\\ttab\",\"a\\tb\",\"-1\",\"-a\",\"?a\",\":a\",\"a,b\",\"{a}\",\"<<\",\"=\"]",
	"[\"line\\nline\",\"line\\n\",\"line\\n\\n\",\"\\nline\",\" "
	"line\\nx\",\"a\\n\\nb\\n\",\"\\n\",\"a\\n  b\"]",
	"[\"a \\nb\",\"a\\n "
	"\",\"a\\r\\nb\",\"\\u001b[31m\",\"\\u009b\",\"\\u202e\",\"\\u2028\",\"\\ufeff\"]",
	"{\"key: x\":1,\"- k\":2,\"true\":3,\"\":4,\"a\\nb\":5,\"1\":6,\"'\":7,\"#\":8,\"<<\":9}",
	"[\"\xc3\xa9\",\"\xf0\x9f\x9a\x80\",\"\xe4\xb8\xad\",\"\xc2\xa0\",\"\xc2\x85\"]",
	"{\"text\":\"# c\\n# "
	"d\\n\",\"m\":{\"t\":\"x\\ny\",\"l\":[\"p\\nq\",{\"z\":\"u\\nv\\n\"}]}}",
	"\"top\"",
	"9007199254740993",
	"[18446744073709551615,-0.5,1e300,1.0]",
};

static void
what_is_written_reads_back(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_LEN(rounds); i++) {
		struct arena *a = arena_new(ARENA);
		struct text out = TEXT_INIT(1 << 20);
		struct error err = { .code = ERR_NONE };
		struct node *n;
		struct node *docs;

		assert_non_null(a);
		assert_true(json_parse(a, str_from(rounds[i]), &n, NULL));
		yaml_write(&out, n);
		if (!yaml_parse(a, text_str(&out), "f", &docs, &err))
			fail_msg("%s\n%s\n%s", rounds[i], text_get(&out), err.message);
		if (node_count(docs) != 1 || !node_eq(node_first(docs), n))
			fail_msg("%s\n%s", rounds[i], text_get(&out));
		text_free(&out);
		arena_free(a);
	}
}

static void
writing_looks_like_kubectl(void **state UNUSED)
{
	struct arena *a = arena_new(ARENA);
	struct text out = TEXT_INIT(1 << 20);
	struct node *n;

	assert_non_null(a);
	assert_true(json_parse(a,
	    STR("{\"kind\":\"A\",\"spec\":{\"pools\":[{\"name\":\"a\",\"n\":1},{\"name\":\"b\","
		"\"l\":[\"x\"]}"
		"],\"v\":\"1.30\",\"t\":\"a\\nb\\n\",\"m\":{}}}"),
	    &n, NULL));
	yaml_write(&out, n);
	assert_string_equal(text_get(&out),
	    "kind: A\nspec:\n  pools:\n  - name: a\n    \"n\": 1\n  - name: b\n    l:\n    - x\n"
	    "  v: \"1.30\"\n  t: |\n    a\n    b\n  m: {}\n");
	text_free(&out);
	arena_free(a);
}

static bool
probe(struct error *err)
{
	struct arena *a = arena_new(1 << 20);
	struct text out = TEXT_INIT(1 << 16);
	struct node *docs;
	bool ok = false;

	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory");
	if (yaml_parse(a, STR("a: &x [1, two, 3.5]\nb: *x\nc: !!binary aGVsbG8=\nd: {e: f}\n"), "f",
		&docs, err)) {
		yaml_write(&out, node_first(docs));
		ok = text_ok(&out, "text", err);
	}
	text_free(&out);
	arena_free(a);
	return ok;
}

static void
every_failed_allocation_is_reported(void **state UNUSED)
{
	for (long n = 0; n < 1000; n++) {
		struct error err = { .code = ERR_NONE };
		long before = mem_live_blocks();
		bool fired;
		bool ok;

		mem_fault_arm(n);
		ok = probe(&err);
		fired = mem_fault_fired();
		mem_fault_arm(-1);
		assert_int_equal(mem_live_blocks(), before);
		if (!fired) {
			assert_true(ok);
			return;
		}
		assert_false(ok);
		assert_int_equal(err.code, ERR_NO_MEMORY);
	}
	fail_msg("never ran to its end");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scalars_follow_the_core_schema),
		cmocka_unit_test(text_and_places_are_kept),
		cmocka_unit_test(streams_are_split_by_the_parser),
		cmocka_unit_test(aliases_are_copied),
		cmocka_unit_test(what_is_wrong_is_refused_with_its_place),
		cmocka_unit_test(nul_is_refused),
		cmocka_unit_test(limits_hold_on_both_sides),
		cmocka_unit_test(bytes_are_limited),
		cmocka_unit_test(aliases_do_not_evade_the_depth),
		cmocka_unit_test(bombs_are_refused_at_once),
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(writing_looks_like_kubectl),
		cmocka_unit_test(every_failed_allocation_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
