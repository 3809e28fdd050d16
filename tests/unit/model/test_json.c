#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/json.h"

struct bad {
	const char *text;
	const char *says; /* part of the message */
};

/* What cJSON alone would take, and what nobody should. */
static const struct bad refused[] = {
	{ "", "line 1, column 1: a value is missing" },
	{ "  \n ", "line 2, column 2" },
	{ "{} x", "something follows" },
	{ "{}{}", "something follows" },
	{ "0123", "leading zero" },
	{ "-", "a digit must follow" },
	{ "+1", "a value is missing" },
	{ "1.", "decimal point" },
	{ ".5", "a value is missing" },
	{ "1e", "exponent" },
	{ "1e400", "beyond the range" },
	{ "-1e400", "beyond the range" },
	{ "0x10", "something follows" },
	{ "NaN", "a value is missing" },
	{ "nul", "unknown word" },
	{ "True", "a value is missing" },
	{ "\"a", "without an end" },
	{ "\"a\nb\"", "control character" },
	{ "\"\\u0000\"", "not allowed" },
	{ "\"\\ud800\"", "surrogate" },
	{ "\"\\udc00\"", "surrogate" },
	{ "\"\\ud800\\u0041\"", "surrogate" },
	{ "\"\\x\"", "unknown escape" },
	{ "\"\\u12g4\"", "hexadecimal" },
	{ "\"\xff\"", "not UTF-8" },
	{ "\"\xc0\xaf\"", "not UTF-8" },
	{ "\"\xed\xa0\x80\"", "not UTF-8" },
	{ "\xef\xbb\xbf{}", "a value is missing" },
	{ "{\"a\":1,\"a\":2}", "key 'a' stands twice (first in line 1)" },
	{ "{\"a\":1,\n \"\\u0061\":2}", "line 2, column 2: key 'a' stands twice" },
	{ "[{\"x\":{\"k\":1,\"k\":1}}]", "stands twice" },
	{ "{a:1}", "a key in double quotes" },
	{ "{'a':1}", "a key in double quotes" },
	{ "{\"a\":1,}", "a key in double quotes" },
	{ "[1,]", "a value is missing" },
	{ "[1 2]", "',' or ']'" },
	{ "{\"a\" 1}", "a colon" },
	{ "{\"a\":1]", "',' or '}'" },
	{ "[1", "',' or ']'" },
	{ "// x\n1", "a value is missing" },
};

static void
what_is_not_strict_is_refused(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		struct arena *a = arena_new(1 << 20);
		struct error err = { .code = ERR_NONE };
		struct node *n = NULL;

		assert_non_null(a);
		assert_false(json_parse(a, str_from(refused[i].text), &n, &err));
		if (strstr(err.message, refused[i].says) == NULL)
			fail_msg("'%s' says '%s'", refused[i].text, err.message);
		assert_null(n);
		arena_free(a);
	}
}

static void
a_nul_byte_is_refused(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct node *n;

	assert_non_null(a);
	assert_false(json_parse(a, STR("\"a\0b\""), &n, NULL));
	assert_false(json_parse(a, STR("1\0"), &n, NULL));
	arena_free(a);
}

static void
check_round(const char *text, enum json_style style, const char *written)
{
	struct arena *a = arena_new(1 << 20);
	struct text out = TEXT_INIT(1 << 20);
	struct error err = { .code = ERR_NONE };
	struct node *n;
	struct node *again;

	assert_non_null(a);
	if (!json_parse(a, str_from(text), &n, &err))
		fail_msg("%s: %s", text, err.message);
	json_write(&out, n, style);
	assert_string_equal(text_get(&out), written);
	assert_true(json_parse(a, text_str(&out), &again, NULL));
	assert_true(node_eq(n, again));
	text_free(&out);
	arena_free(a);
}

static void
integers_keep_every_digit(void **state UNUSED)
{
	static const char *const numbers[] = {
		"0",
		"9007199254740993",
		"-9007199254740993",
		"1234567890123460",
		"1000000000000000000",
		"9223372036854775807",
		"-9223372036854775808",
		"18446744073709551615",
		"123456789012345678901234567890",
	};

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		check_round(numbers[i], JSON_COMPACT, numbers[i]);
	check_round("[9007199254740993,\"x\",{\"a\":9007199254740995,\"b\":1.5}]", JSON_COMPACT,
	    "[9007199254740993,\"x\",{\"a\":9007199254740995,\"b\":1.5}]");
}

static void
doubles_read_back_as_themselves(void **state UNUSED)
{
	check_round("0.1", JSON_COMPACT, "0.1");
	check_round("1.0", JSON_COMPACT, "1.0");
	check_round("1e3", JSON_COMPACT, "1000.0");
	check_round("1E-7", JSON_COMPACT, "1e-07");
	check_round("1.7976931348623157e308", JSON_COMPACT, "1.7976931348623157e+308");
	check_round("0.30000000000000004", JSON_COMPACT, "0.30000000000000004");
	check_round("5e-324", JSON_COMPACT, "4.94065645841247e-324");
}

static void
styles_are_those_of_kubectl(void **state UNUSED)
{
	static const char text[] = "{\"b\":[1,{\"d\":null,\"c\":true}],\"a\":{},\"e\":[]}";

	check_round(text, JSON_COMPACT, text);
	check_round(text, JSON_SORTED, "{\"a\":{},\"b\":[1,{\"c\":true,\"d\":null}],\"e\":[]}");
	check_round(text, JSON_PRETTY,
	    "{\n  \"b\": [\n    1,\n    {\n      \"d\": null,\n      \"c\": true\n    }\n  ],\n  "
	    "\"a\": "
	    "{},\n  \"e\": []\n}");
}

static void
dangerous_characters_are_escaped(void **state UNUSED)
{
	check_round("\"\\u001b[m\\n\\t\\\"\\\\/\"", JSON_COMPACT, "\"\\u001b[m\\n\\t\\\"\\\\/\"");
	check_round("\"a\xc2\x9b\xe2\x80\xae\x7f\"", JSON_COMPACT, "\"a\\u009b\\u202e\\u007f\"");
	check_round("\"\xf3\xa0\x81\x81\"", JSON_COMPACT, "\"\\udb40\\udc41\"");
	check_round("\"\\ud83d\\ude00 \xc3\xa9\"", JSON_COMPACT, "\"\xf0\x9f\x98\x80 \xc3\xa9\"");
}

static void
places_are_kept(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct node *n;
	const struct node *x;

	assert_non_null(a);
	assert_true(json_parse(a, STR("{\n  \"a\": [1,\n 22]\n}"), &n, NULL));
	assert_int_equal(n->line, 1);
	assert_int_equal(n->column, 1);
	x = node_find(n, "a");
	assert_int_equal(x->key_line, 2);
	assert_int_equal(x->key_column, 3);
	assert_int_equal(x->column, 8);
	x = node_at(x, 1);
	assert_int_equal(x->line, 3);
	assert_int_equal(x->column, 2);
	assert_int_equal(x->key_line, 0);
	arena_free(a);
}

/* A list in a list ...; n deep. */
static bool
nested_is_accepted(size_t n)
{
	struct arena *a = arena_new(1 << 20);
	char text[2 * JSON_MAX_DEPTH + 8];
	struct node *node;
	bool ok;

	assert_non_null(a);
	memset(text, '[', n);
	memset(text + n, ']', n);
	ok = json_parse(a, (struct str){ text, 2 * n }, &node, NULL);
	arena_free(a);
	return ok;
}

static void
depth_is_limited(void **state UNUSED)
{
	assert_true(nested_is_accepted(JSON_MAX_DEPTH - 1));
	assert_true(nested_is_accepted(JSON_MAX_DEPTH));
	assert_false(nested_is_accepted(JSON_MAX_DEPTH + 1));
}

static void
size_is_limited(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct error err = { .code = ERR_NONE };
	struct node *n;

	assert_non_null(a);
	assert_false(json_parse(a, (struct str){ "", JSON_MAX_BYTES + 1 }, &n, &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	arena_free(a);
}

/* 20,000 keys: quick, and a duplicate far from its first place is found. */
static void
large_maps_are_checked_for_duplicates(void **state UNUSED)
{
	for (int duplicate = 0; duplicate < 2; duplicate++) {
		struct arena *a = arena_new(64 << 20);
		struct text t = TEXT_INIT(1 << 22);
		struct error err = { .code = ERR_NONE };
		struct node *n;

		assert_non_null(a);
		text_add_char(&t, '{');
		for (int i = 0; i < 20000; i++)
			text_printf(&t, "\"k%d\":%d,\n", i, i);
		text_add(&t, duplicate != 0 ? "\"k7\":1}" : "\"z\":1}");
		assert_true(text_ok(&t, "text", NULL));
		assert_int_equal(json_parse(a, text_str(&t), &n, &err), duplicate == 0);
		if (duplicate != 0)
			assert_string_equal(err.message,
			    "line 20001, column 1: key 'k7' stands twice (first in line 8)");
		else
			assert_int_equal(node_count(n), 20001);
		text_free(&t);
		arena_free(a);
	}
}

static bool
probe(struct error *err)
{
	static const char text[] = "{\"a\":[1,2,3,4,5,6,7,8,9,\"x\",{\"b\":1.5}],\"c\":\"text\","
				   "\"d\":18446744073709551615}";
	struct arena *a = arena_new(1 << 20);
	struct text out = TEXT_INIT(1 << 16);
	struct node *n;
	bool ok = false;

	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory");
	if (json_parse(a, STR(text), &n, err)) {
		json_write(&out, n, JSON_SORTED);
		ok = text_ok(&out, "text", err);
		if (ok)
			assert_string_equal(text_get(&out), text);
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

static void
a_small_arena_is_no_memory(void **state UNUSED)
{
	struct arena *a = arena_new(200);
	struct error err = { .code = ERR_NONE };
	struct node *n;

	assert_non_null(a);
	assert_false(json_parse(a, STR("[1,2,3,4,5]"), &n, &err));
	assert_int_equal(err.code, ERR_NO_MEMORY);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_strict_is_refused),
		cmocka_unit_test(a_nul_byte_is_refused),
		cmocka_unit_test(integers_keep_every_digit),
		cmocka_unit_test(doubles_read_back_as_themselves),
		cmocka_unit_test(styles_are_those_of_kubectl),
		cmocka_unit_test(dangerous_characters_are_escaped),
		cmocka_unit_test(places_are_kept),
		cmocka_unit_test(depth_is_limited),
		cmocka_unit_test(size_is_limited),
		cmocka_unit_test(large_maps_are_checked_for_duplicates),
		cmocka_unit_test(every_failed_allocation_is_reported),
		cmocka_unit_test(a_small_arena_is_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
