#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/base/text.h"

static void
pieces_are_found_and_cut(void **state UNUSED)
{
	struct str s = STR("  one,two,,three ");
	struct str rest = str_trim(s);
	struct str piece;
	static const char *const want[] = { "one", "two", "", "three" };
	size_t n = 0;

	while (str_split(&rest, ',', &piece)) {
		assert_true(n < ARRAY_LEN(want));
		assert_true(str_is(piece, want[n++]));
	}
	assert_int_equal(n, ARRAY_LEN(want));
	assert_true(str_starts(STR("abc"), STR("ab")) && !str_starts(STR("a"), STR("ab")));
	assert_true(str_ends(STR("abc"), STR("bc")) && !str_ends(STR("c"), STR("bc")));
	assert_true(str_starts(STR(""), STR("")) && str_ends(STR("x"), STR("")));
	assert_int_equal(str_find(STR("a-b-c"), STR("-c")), 3);
	assert_int_equal(str_find(STR("abc"), STR("x")), -1);
	assert_int_equal(str_find(STR("abc"), STR("")), 0);
	assert_int_equal(str_find_char(STR("abc"), 'c'), 2);
	assert_true(str_is(str_sub(STR("abcdef"), 2, 3), "cde"));
	assert_true(str_is(str_sub(STR("abc"), 1, 99), "bc"));
	assert_int_equal(str_sub(STR("abc"), 3, 1).n, 0);
	assert_true(str_eq_nocase(STR("AbC"), STR("aBc")) && !str_eq(STR("AbC"), STR("aBc")));
	assert_true(str_cmp(STR("a"), STR("ab")) < 0 && str_cmp(STR("b"), STR("ab")) > 0);
	assert_int_equal(str_cmp(STR(""), (struct str){ NULL, 0 }), 0);
}

struct int_row {
	const char *text;
	bool ok;
	int64_t value;
};

static const struct int_row ints[] = {
	{ "0", true, 0 },
	{ "-1", true, -1 },
	{ "007", true, 7 },
	{ "9223372036854775807", true, INT64_MAX },
	{ "-9223372036854775808", true, INT64_MIN },
	{ "9223372036854775808", false, 0 },
	{ "-9223372036854775809", false, 0 },
	{ "", false, 0 },
	{ "-", false, 0 },
	{ "+1", false, 0 },
	{ " 1", false, 0 },
	{ "1 ", false, 0 },
	{ "1x", false, 0 },
	{ "1.0", false, 0 },
};

static void
integers_are_exact_or_refused(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_LEN(ints); i++) {
		int64_t value = 42;

		if (str_to_int(str_from(ints[i].text), &value) != ints[i].ok)
			fail_msg("'%s'", ints[i].text);
		assert_true(value == (ints[i].ok ? ints[i].value : 42)); /* untouched on failure */
	}
}

static void
doubles_are_whole_texts(void **state UNUSED)
{
	static const char *const bad[] = { "", " 1", "1 ", "1x", "." };
	char digits[600];
	double d;

	assert_true(str_to_double(STR("1.5e3"), &d) && d == 1500);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(str_to_double(str_from(bad[i]), &d));
	memset(digits, '1', sizeof digits);
	assert_true(str_to_double((struct str){ digits, 511 }, &d));
	assert_false(str_to_double((struct str){ digits, 512 }, &d));
}

static void
text_keeps_to_its_limit(void **state UNUSED)
{
	struct text t = TEXT_INIT(8);
	struct error err = { .code = ERR_NONE };

	assert_string_equal(text_get(&t), "");
	text_add(&t, "1234");
	text_add_int(&t, -56);
	text_add_char(&t, 'x');
	assert_true(text_ok(&t, "text", NULL));
	assert_string_equal(text_get(&t), "1234-56x");
	text_add_char(&t, 'y');
	text_add(&t, ""); /* the failure stays */
	assert_false(text_ok(&t, "the list URL", &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	assert_non_null(strstr(err.message, "the list URL"));
	assert_string_equal(text_get(&t), "1234-56x");
	text_clear(&t);
	assert_true(text_ok(&t, "text", NULL));
	text_printf(&t, "%d-%s", 7, "abcdef");
	assert_string_equal(text_get(&t), "7-abcdef");
	text_printf(&t, "%d", 1);
	assert_false(text_ok(&t, "text", NULL));
	text_free(&t);
}

static void
text_can_be_taken(void **state UNUSED)
{
	struct text t = TEXT_INIT(100);
	long before = mem_live_blocks();
	char *p;

	text_add(&t, "owned");
	p = text_take(&t);
	assert_string_equal(p, "owned");
	assert_string_equal(text_get(&t), "");
	mem_free(p);
	p = text_take(&t);
	assert_string_equal(p, "");
	mem_free(p);
	text_free(&t);
	assert_int_equal(mem_live_blocks(), before);
}

static void
bytes_are_encoded(void **state UNUSED)
{
	struct text t = TEXT_INIT(200);

	text_add_url(&t, STR("a b/c?d=\xc3\xa9~"));
	assert_string_equal(text_get(&t), "a%20b%2Fc%3Fd%3D%C3%A9~");
	text_clear(&t);
	text_add_base64(&t, STR("\xfb\xff"));
	text_add_char(&t, ' ');
	text_add_base64url(&t, STR("\xfb\xff"));
	text_add_char(&t, ' ');
	text_add_hex(&t, STR("\x00\xff"));
	assert_string_equal(text_get(&t), "+/8= -_8 00ff");
	text_free(&t);
}

struct base64_row {
	const char *text;
	const char *bytes; /* NULL: refused */
};

/* RFC 4648, section 10, and what is not. */
static const struct base64_row base64[] = {
	{ "", "" },
	{ "Zg==", "f" },
	{ "Zm8=", "fo" },
	{ "Zm9v", "foo" },
	{ "Zm9vYg==", "foob" },
	{ "Zm9vYmE=", "fooba" },
	{ "Zm9vYmFy", "foobar" },
	{ "Zm8", "fo" },
	{ "Zh==", NULL }, /* bits that are not zero behind the end */
	{ "Z", NULL },
	{ "Zm9v!", NULL },
	{ "Zm 9v", NULL },
	{ "====", NULL },
};

static void
base64_is_strict(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 16);

	assert_non_null(a);
	for (size_t i = 0; i < ARRAY_LEN(base64); i++) {
		struct str bytes;
		bool ok = base64_decode(a, str_from(base64[i].text), &bytes);

		if (ok != (base64[i].bytes != NULL))
			fail_msg("'%s'", base64[i].text);
		if (ok)
			assert_true(str_is(bytes, base64[i].bytes));
	}
	arena_free(a);
}

struct utf8_row {
	const char *bytes;
	size_t length; /* 0: refused */
	uint32_t c;
};

static const struct utf8_row utf8[] = {
	{ "a", 1, 'a' },
	{ "\xc2\x80", 2, 0x80 },
	{ "\xdf\xbf", 2, 0x7ff },
	{ "\xe0\xa0\x80", 3, 0x800 },
	{ "\xef\xbf\xbf", 3, 0xffff },
	{ "\xf0\x90\x80\x80", 4, 0x10000 },
	{ "\xf4\x8f\xbf\xbf", 4, 0x10ffff },
	{ "\x80", 0, 0 },
	{ "\xc0\x80", 0, 0 },
	{ "\xc1\xbf", 0, 0 },
	{ "\xc2", 0, 0 },
	{ "\xc2\x41", 0, 0 },
	{ "\xe0\x9f\xbf", 0, 0 },
	{ "\xed\xa0\x80", 0, 0 },
	{ "\xed\xbf\xbf", 0, 0 },
	{ "\xf0\x8f\xbf\xbf", 0, 0 },
	{ "\xf4\x90\x80\x80", 0, 0 },
	{ "\xf5\x80\x80\x80", 0, 0 },
	{ "\xff", 0, 0 },
};

static void
utf8_is_strict(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_LEN(utf8); i++) {
		uint32_t c = 0;
		struct str s = str_from(utf8[i].bytes);

		if (utf8_decode(s, &c) != utf8[i].length)
			fail_msg("row %zu", i);
		if (utf8[i].length > 0)
			assert_int_equal(c, utf8[i].c);
		assert_int_equal(utf8_valid(s), utf8[i].length > 0);
	}
	assert_int_equal(utf8_length(STR("a\xc3\xa9\xf0\x9f\x9a\x80")), 3);
	assert_true(utf8_valid(STR("")));
}

static void
a_failed_allocation_is_remembered(void **state UNUSED)
{
	struct text t = TEXT_INIT(100);
	struct error err = { .code = ERR_NONE };

	mem_fault_arm(0);
	text_add(&t, "x");
	mem_fault_arm(-1);
	text_add(&t, "y");
	assert_string_equal(text_get(&t), "");
	assert_false(text_ok(&t, "text", &err));
	assert_int_equal(err.code, ERR_NO_MEMORY);
	text_free(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_found_and_cut),
		cmocka_unit_test(integers_are_exact_or_refused),
		cmocka_unit_test(doubles_are_whole_texts),
		cmocka_unit_test(text_keeps_to_its_limit),
		cmocka_unit_test(text_can_be_taken),
		cmocka_unit_test(bytes_are_encoded),
		cmocka_unit_test(base64_is_strict),
		cmocka_unit_test(utf8_is_strict),
		cmocka_unit_test(a_failed_allocation_is_remembered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
