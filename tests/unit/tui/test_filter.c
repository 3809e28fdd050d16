/* Filters, sorting and what the cursor does when rows change. */
#include "helper_fleet.h"

#include <string.h>

struct row {
	const char *filter;
	const char *rows; /* names that stay, in order */
};

static const struct row rows[] = {
	{ "eu-", "aks-eu-1 aks-eu-2 aks-eu-3" },
	{ "EU-", "aks-eu-1 aks-eu-2 aks-eu-3" },
	{ "re:^aks-(new|old)$", "aks-new aks-old" },
	{ "!aks", "byo-lab" },
	{ "gpus>16", "aks-eu-1 aks-eu-3 aks-us-1" },
	{ "gpus>=16 source=AKS", "aks-eu-1 aks-eu-3 aks-us-1" },
	{ "source!=AKS", "byo-lab" },
	{ "age<1h", "aks-bad aks-eu-2 aks-new" },
	{ "state=ready", "aks-eu-1 aks-us-1" },
	{ "state:crea", "aks-eu-2" },
	{ "name:old | name:new", "aks-new aks-old" },
	{ "-l tier=prod", "aks-eu-1 aks-eu-3 aks-us-1" },
	{ "-l tier=prod,region!=us", "aks-eu-1 aks-eu-3" },
	{ "-l !tier", "aks-new aks-old byo-lab" },
	{ "-l region", "aks-eu-1 aks-eu-2 aks-eu-3 aks-us-1" },
	{ "\"ok Ready\"", "aks-eu-1 aks-us-1" },
	{ "nothing-like-it", "" },
	{ "free>0", "aks-eu-1 aks-eu-3 byo-lab" },
	{ "   ", "aks-bad aks-eu-1 aks-eu-2 aks-eu-3 aks-new aks-old aks-us-1 byo-lab" },
};

static void
names(const struct view *v, struct text *out)
{
	for (size_t i = 0; i < v->nrows; i++) {
		if (i > 0)
			text_add_char(out, ' ');
		v->pane->key(v, v->rows[i], out);
	}
}

static void
filters_keep_what_they_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct bench b;
		struct text got = TEXT_INIT(4096);

		bench_open(&b, fixture_fleet());
		assert_true(view_set_filter(console_view(&b.console), rows[i].filter));
		(void)bench_screen(&b, 80, 24);
		names(console_view(&b.console), &got);
		if (strcmp(text_get(&got), rows[i].rows) != 0)
			fail_msg("'%s' keeps '%s', wanted '%s'", rows[i].filter, text_get(&got),
			    rows[i].rows);
		text_free(&got);
		bench_close(&b);
	}
}

static void
a_bad_filter_keeps_the_one_before(void **state)
{
	struct bench b;
	struct view *v;

	(void)state;
	bench_open(&b, fixture_fleet());
	v = console_view(&b.console);
	assert_true(view_set_filter(v, "eu-"));
	assert_false(view_set_filter(v, "re:("));
	(void)bench_screen(&b, 80, 24);
	assert_int_equal(v->nrows, 3);
	assert_shows(&b, "no regular expression");
	assert_false(view_set_filter(v, "a b c d e f g h i j"));
	bench_close(&b);
}

static void
the_prompt_filters_as_one_types_and_esc_undoes(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	bench_keys(&b, "/");
	bench_type(&b, "eu-2");
	assert_int_equal(console_view(&b.console)->nrows, 1);
	bench_keys(&b, "esc");
	assert_int_equal(console_view(&b.console)->nrows, 8);
	bench_keys(&b, "/");
	bench_type(&b, "eu-");
	bench_keys(&b, "enter");
	assert_int_equal(console_view(&b.console)->nrows, 3);
	bench_keys(&b, "esc");
	assert_int_equal(console_view(&b.console)->nrows, 8);
	bench_close(&b);
}

static void
sorting_walks_the_columns(void **state)
{
	struct bench b;
	struct view *v;
	struct text got = TEXT_INIT(4096);

	(void)state;
	bench_open(&b, fixture_fleet());
	v = console_view(&b.console);
	v->sort = pane_column(v->pane, STR("gpus"));
	v->stale = true;
	(void)bench_screen(&b, 80, 24);
	names(v, &got);
	assert_int_equal(str_find(text_str(&got), STR("aks-eu-1 aks-eu-3 aks-us-1 byo-lab")), 0);
	bench_keys(&b, "I");
	text_clear(&got);
	names(v, &got);
	assert_true(str_ends(text_str(&got), STR("aks-eu-1")));
	text_free(&got);
	bench_close(&b);
}

static void
the_cursor_stays_on_its_row(void **state)
{
	struct bench b;
	struct view *v;
	struct text key = TEXT_INIT(600);

	(void)state;
	bench_open(&b, fixture_fleet());
	v = console_view(&b.console);
	bench_keys(&b, "j j space");
	assert_int_equal(v->cursor, 3);
	v->sort = pane_column(v->pane, STR("age"));
	v->stale = true;
	(void)bench_screen(&b, 80, 24);
	v->pane->key(v, view_row(v), &key);
	assert_string_equal(text_get(&key), "aks-eu-3");
	for (size_t i = 0; i < v->nrows; i++)
		assert_int_equal(view_is_marked(v, v->rows[i]), v->rows[i] == 2);
	text_free(&key);
	bench_close(&b);
}

static void
a_range_marks_all_between(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	bench_keys(&b, "j v j j v");
	assert_int_equal(console_view(&b.console)->nmarks, 3);
	bench_keys(&b, "esc");
	assert_int_equal(console_view(&b.console)->nmarks, 0);
	bench_keys(&b, "*");
	assert_int_equal(console_view(&b.console)->nmarks, 8);
	bench_close(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(filters_keep_what_they_say),
		cmocka_unit_test(a_bad_filter_keeps_the_one_before),
		cmocka_unit_test(the_prompt_filters_as_one_types_and_esc_undoes),
		cmocka_unit_test(sorting_walks_the_columns),
		cmocka_unit_test(the_cursor_stays_on_its_row),
		cmocka_unit_test(a_range_marks_all_between),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
