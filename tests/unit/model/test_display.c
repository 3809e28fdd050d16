#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/display.h"

struct row {
	const char *bytes;
	size_t max;
	const char *shown;
	size_t cells;
};

static const struct row rows[] = {
	{ "plain text", 80, "plain text", 10 },
	{ "", 80, "", 0 },
	/* controls */
	{ "\x1b[31mred", 80, "^[[31mred", 9 },
	{ "G\rZ", 80, "G^MZ", 4 },
	{ "a\b\nb\tc\x7f", 80, "a^H^Jb^Ic^?", 11 },
	{ "a\xc2\x9b"
	  "2Jb",
	    80, "a<9B>2Jb", 8 },
	/* not UTF-8 */
	{ "a\xff\x62", 80,
	    "a\xef\xbf\xbd"
	    "b",
	    3 },
	{ "\xc0\xaf", 80, "\xef\xbf\xbd\xef\xbf\xbd", 2 },
	{ "\xed\xa0\x80", 80, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 3 },
	/* direction, zero width, tags, private use */
	{ "a\xe2\x80\xae"
	  "b",
	    80, "a<202E>b", 8 },
	{ "a\xe2\x80\x8b"
	  "b",
	    80, "a<200B>b", 8 },
	{ "\xef\xbb\xbf"
	  "b",
	    80, "<FEFF>b", 7 },
	{ "\xd8\x9c", 80, "<061C>", 6 },
	{ "\xe2\x80\xa8", 80, "<2028>", 6 },
	{ "\xf3\xa0\x81\x81", 80, "<E0041>", 7 },
	{ "\xee\x80\x80", 80, "<E000>", 6 },
	{ "\xf4\x8f\xbf\xbf", 80, "<10FFFF>", 8 },
	{ "\xc2\xad", 80, "<AD>", 4 },
	/* joiners */
	{ "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", 80,
	    "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", 4 },
	{ "a\xe2\x80\x8d"
	  "b",
	    80, "a<200D>b", 8 },
	{ "a\xef\xb8\x8f", 80, "a<FE0F>", 7 },
	/* marks */
	{ "e\xcc\x81", 80, "e\xcc\x81", 1 },
	{ "\xcc\x81", 80, "\xe2\x97\x8c\xcc\x81", 1 },
	{ "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81x", 80,
	    "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xef\xbf\xbdx", 3 },
	/* width */
	{ "\xe4\xb8\xad\xe6\x96\x87", 80, "\xe4\xb8\xad\xe6\x96\x87", 4 },
	{ "\xf0\x9f\x9a\x80", 80, "\xf0\x9f\x9a\x80", 2 },
	/* cut */
	{ "abcdef", 6, "abcdef", 6 },
	{ "abcdefg", 6, "abcde\xe2\x80\xa6", 6 },
	{ "abc", 1, "\xe2\x80\xa6", 1 },
	{ "abc", 0, "", 0 },
	{ "\xe4\xb8\xad\xe6\x96\x87", 3, "\xe4\xb8\xad\xe2\x80\xa6", 3 },
	{ "abcd\x1b[", 5, "abcd\xe2\x80\xa6", 5 },
	{ "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", 3, "\xf0\x9f\x91\xa9\xe2\x80\xa6", 3 },
	{ "abe\xcc\x81"
	  "fg",
	    4, "abe\xcc\x81\xe2\x80\xa6", 4 },
};

static void
bytes_are_shown_as_the_table_says(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);

	assert_non_null(a);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct display d = display_cut(a, str_from(rows[i].bytes), rows[i].max);

		if (!str_is(d.s, rows[i].shown))
			fail_msg("row %zu: shown as '%.*s'", i, STR_ARG(d.s));
		assert_int_equal(display_width(d), rows[i].cells);
	}
	arena_free(a);
}

static void
display_text_stays_as_it_is(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);

	assert_non_null(a);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct display once = display_cut(a, str_from(rows[i].bytes), rows[i].max);
		struct display twice = display_cut(a, once.s, rows[i].max);

		assert_true(str_eq(once.s, twice.s));
	}
	arena_free(a);
}

static void
a_nul_byte_is_shown(void **state UNUSED)
{
	struct arena *a = arena_new(4096);

	assert_non_null(a);
	assert_true(str_is(display_from(a, STR("a\0b")).s, "a^@b"));
	arena_free(a);
}

static void
long_text_is_cut_at_the_limit(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	static char bytes[DISPLAY_MAX_CELLS + 1];
	struct display d;

	assert_non_null(a);
	memset(bytes, 'x', sizeof bytes);
	d = display_from(a, (struct str){ bytes, DISPLAY_MAX_CELLS });
	assert_int_equal(d.s.n, DISPLAY_MAX_CELLS);
	assert_int_equal(d.s.p[DISPLAY_MAX_CELLS - 1], 'x');
	d = display_from(a, (struct str){ bytes, DISPLAY_MAX_CELLS + 1 });
	assert_int_equal(display_width(d), DISPLAY_MAX_CELLS);
	assert_true(str_ends(d.s, STR("\xe2\x80\xa6")));
	arena_free(a);
}

static void
lines_and_tabs_stay_where_asked_for(void **state UNUSED)
{
	struct text t = TEXT_INIT(1000);

	display_add_lines(&t, STR("a\tb\r\n\x1bz\n"));
	assert_string_equal(text_get(&t), "a       b\n^[z\n");
	text_free(&t);
}

static void
fit_never_tears_a_character(void **state UNUSED)
{
	struct display d = display_ours("a\xe4\xb8\xad"
					"e\xcc\x81z");
	size_t cells;

	assert_int_equal(display_fit(d, 2, &cells).n, 1);
	assert_int_equal(cells, 1);
	assert_int_equal(display_fit(d, 3, &cells).n, 4);
	assert_int_equal(display_fit(d, 4, &cells).n, 7);
	assert_int_equal(cells, 4);
	assert_int_equal(display_fit(d, 99, &cells).n, d.s.n);
	assert_int_equal(cells, 5);
	assert_int_equal(display_fit(d, 0, &cells).n, 0);
}

static void
every_failed_allocation_shows_in_the_arena(void **state UNUSED)
{
	for (long n = 0; n < 100; n++) {
		long before = mem_live_blocks();
		struct arena *a = arena_new(1 << 20);
		struct display d;

		assert_non_null(a);
		mem_fault_arm(n);
		d = display_from(a, STR("\x1b[0m some text that grows a buffer more than once"));
		if (mem_fault_fired())
			assert_true(arena_failed(a) && d.s.n == 0);
		else
			assert_true(d.s.n > 0);
		arena_free(a);
		assert_int_equal(mem_live_blocks(), before);
		if (!mem_fault_fired())
			break;
		mem_fault_arm(-1);
	}
	mem_fault_arm(-1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_shown_as_the_table_says),
		cmocka_unit_test(display_text_stays_as_it_is),
		cmocka_unit_test(a_nul_byte_is_shown),
		cmocka_unit_test(long_text_is_cut_at_the_limit),
		cmocka_unit_test(lines_and_tabs_stay_where_asked_for),
		cmocka_unit_test(fit_never_tears_a_character),
		cmocka_unit_test(every_failed_allocation_shows_in_the_arena),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
