/* Presets, the user's file, and what the help says. */
#include "helper_fleet.h"

#include <string.h>

#include "tui/panes/panes.h"

static void
presets_bind_every_row(void **state)
{
	const char *const *names;
	size_t n = keymap_presets(&names);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		struct keymap m;
		struct error err;

		assert_true(keymap_preset(&m, names[i], &err));
		assert_true(m.n > 40);
	}
	assert_false(keymap_preset(&(struct keymap){ .n = 0 }, "emacs", NULL));
}

static void
names_and_helps_are_unique(void **state)
{
	(void)state;
	for (int i = 0; i < ACT__MAX; i++) {
		assert_true(strlen(action_get((enum action_id)i)->help) > 3);
		assert_int_equal(action_find(str_from(action_get((enum action_id)i)->name)), i);
	}
}

static void
keys_have_names_that_read_back(void **state)
{
	struct config c;

	(void)state;
	config_default(&c);
	for (size_t i = 0; i < c.keys.n; i++) {
		char name[KEY_TEXT_MAX];
		uint32_t key = 0;

		key_format(c.keys.rows[i].key, name);
		assert_true(key_parse(str_from(name), &key));
		assert_int_equal(key, c.keys.rows[i].key);
	}
}

static void
a_file_rebinds_and_is_refused_whole(void **state)
{
	struct config c;
	struct error err;
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	assert_true(config_parse(
	    STR("theme: midnight\nkeys: {preset: k9s, bind: {ctrl-t: taint, x: \"\", m: mark}}\n"),
	    "f", &c, &err));
	assert_string_equal(c.theme, "midnight");
	assert_int_equal(keymap_find(&c.keys, console_view(&b.console), 't' | KEY_CTRL), ACT_TAINT);
	assert_int_equal(keymap_find(&c.keys, console_view(&b.console), 'x'), ACT__MAX);
	assert_int_equal(
	    keymap_find(&c.keys, console_view(&b.console), 'd' | KEY_CTRL), ACT_DELETE);
	assert_int_equal(keymap_find(&c.keys, console_view(&b.console), 'k' | KEY_CTRL), ACT__MAX);
	assert_false(config_parse(STR("keys: {bind: {x: fly}}\n"), "f", &c, &err));
	assert_non_null(strstr(err.message, "f:1"));
	assert_false(config_parse(STR("keys: {bind: {delete: delete}}\n"), "f", &c, &err));
	assert_false(config_parse(STR("- a\n"), "f", &c, &err));
	bench_close(&b);
}

/* Every key that the help of a pane names is bound to that action there. */
static void
help_says_what_keys_do(void **state)
{
	static const char *const ways[] = { "", "2", "3", "4", "5", "6", "j j x", "X" };

	(void)state;
	for (size_t w = 0; w < ARRAY_LEN(ways); w++) {
		struct bench b;
		const struct view *v;

		bench_open(&b, fixture_fleet());
		bench_keys(&b, ways[w]);
		v = console_view(&b.console);
		for (int i = 0; i < ACT__MAX; i++) {
			struct text keys = TEXT_INIT(200);
			struct str rest;
			struct str name;

			if (!action_fits(v, (enum action_id)i))
				continue;
			keymap_keys(&b.console.config.keys, (enum action_id)i, 10, &keys);
			rest = text_str(&keys);
			while (str_split(&rest, ' ', &name)) {
				uint32_t key = 0;
				enum action_id found;

				if (name.n == 0)
					continue;
				assert_true(key_parse(name, &key));
				found = keymap_find(&b.console.config.keys, v, key);
				/* a key of one sort of pane may stand in front of a general one */
				if (found != (enum action_id)i)
					assert_true(
					    (action_get(found)->needs &
						(NEED_TEXT | NEED_FOLDS | NEED_GROUPS)) != 0);
			}
			text_free(&keys);
		}
		bench_close(&b);
	}
}

static void
panes_are_reached_by_number_name_and_tab(void **state)
{
	struct bench b;
	size_t n = 0;
	const struct pane *const *panes = panes_get(&n);

	(void)state;
	bench_open(&b, fixture_fleet());
	for (size_t i = 0; i < n; i++) {
		char key[2] = { (char)('1' + i), '\0' };

		bench_keys(&b, key);
		assert_ptr_equal(console_view(&b.console)->pane, panes[i]);
		bench_keys(&b, ":");
		bench_type(&b, panes[(i + 1) % n]->name);
		bench_keys(&b, "enter");
		assert_ptr_equal(console_view(&b.console)->pane, panes[(i + 1) % n]);
	}
	bench_keys(&b, "1");
	for (size_t i = 1; i <= n; i++) {
		bench_keys(&b, "tab");
		assert_ptr_equal(console_view(&b.console)->pane, panes[i % n]);
	}
	bench_keys(&b, "2 3 [ [");
	assert_ptr_equal(console_view(&b.console)->pane, panes[0]);
	bench_keys(&b, "]");
	assert_ptr_equal(console_view(&b.console)->pane, panes[1]);
	bench_keys(&b, "- -");
	assert_ptr_equal(console_view(&b.console)->pane, panes[1]);
	bench_close(&b);
}

static void
ctrl_c_cancels_and_twice_leaves(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	bench_keys(&b, "n ctrl-c");
	assert_int_equal(b.console.nlayers, 0);
	assert_false(b.console.quit);
	bench_keys(&b, "ctrl-c");
	assert_false(b.console.quit);
	b.console.mono_ms += CTRL_C_MS;
	bench_keys(&b, "ctrl-c");
	assert_false(b.console.quit);
	bench_keys(&b, "ctrl-c");
	assert_true(b.console.quit);
	bench_close(&b);
}

static void
leaving_with_work_running_is_asked(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	b.console.owns = true;
	bench_keys(&b, "q");
	assert_false(b.console.quit);
	bench_keys(&b, "enter");
	assert_false(b.console.quit);
	bench_keys(&b, "n");
	assert_int_equal(b.console.nlayers, 0);
	bench_keys(&b, "q y");
	assert_true(b.console.quit);
	bench_close(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(presets_bind_every_row),
		cmocka_unit_test(names_and_helps_are_unique),
		cmocka_unit_test(keys_have_names_that_read_back),
		cmocka_unit_test(a_file_rebinds_and_is_refused_whole),
		cmocka_unit_test(help_says_what_keys_do),
		cmocka_unit_test(panes_are_reached_by_number_name_and_tab),
		cmocka_unit_test(ctrl_c_cancels_and_twice_leaves),
		cmocka_unit_test(leaving_with_work_running_is_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
