/* Themes: every role in every file, and what is refused. */
#include "helper_fleet.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = { "default", "midnight", "daylight", "mono" };

static bool
load(const char *name, struct theme *t, struct error *err)
{
	char path[512];

	(void)snprintf(path, sizeof(path), "%s/themes/%s.yaml", TEST_SOURCE_DIR, name);
	return theme_load(path, t, err);
}

static void
every_theme_has_every_role(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct theme t;
		struct error err = { .code = ERR_NONE };

		if (!load(names[i], &t, &err))
			fail_msg("%s", err.message);
		assert_string_equal(t.name, names[i]);
		assert_true(t.about[0] != '\0');
	}
}

static void
the_built_in_one_is_the_file(void **state)
{
	struct theme t;
	struct theme built;

	(void)state;
	assert_true(load("default", &t, NULL));
	theme_default(&built);
	for (size_t i = 0; i < ROLE__MAX; i++) {
		assert_int_equal(t.styles[i].fg, built.styles[i].fg);
		assert_int_equal(t.styles[i].bg, built.styles[i].bg);
		assert_int_equal(t.styles[i].attr, built.styles[i].attr);
	}
}

static void
no_colour_leaves_no_colour(void **state)
{
	struct theme t;

	(void)state;
	assert_true(load("midnight", &t, NULL));
	theme_without_colour(&t);
	for (size_t i = 0; i < ROLE__MAX; i++) {
		assert_int_equal(t.styles[i].fg, COLOUR_DEFAULT);
		assert_int_equal(t.styles[i].bg, COLOUR_DEFAULT);
	}
	assert_true((t.styles[ROLE_BANNER].attr & ATTR_REVERSE) != 0);
}

static void
colours_fit_the_terminal(void **state)
{
	struct theme t;

	(void)state;
	assert_true(load("midnight", &t, NULL));
	theme_reduce(&t, 8);
	for (size_t i = 0; i < ROLE__MAX; i++) {
		assert_true(t.styles[i].fg < 8);
		assert_true(t.styles[i].bg < 8);
	}
}

/* Relative luminance and contrast as WCAG 2 has them, of the shipped 256-colour themes. */
static double
channel(int c)
{
	double s = c / 255.0;

	return s <= 0.04045 ? s / 12.92
			    : ((s + 0.055) / 1.055) * ((s + 0.055) / 1.055) *
				  (0.4 * ((s + 0.055) / 1.055) + 0.6); /* close to the power 2.4 */
}

static double
luminance(int n)
{
	static const int step[6] = { 0, 95, 135, 175, 215, 255 };
	int r;
	int g;
	int b;

	if (n >= 232) {
		r = g = b = 8 + (n - 232) * 10;
	} else {
		r = step[(n - 16) / 36];
		g = step[(n - 16) / 6 % 6];
		b = step[(n - 16) % 6];
	}
	return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
}

static void
text_can_be_read(void **state)
{
	static const struct {
		const char *name;
		double ground;
	} rows[] = { { "midnight", 0.01 }, { "daylight", 1.0 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct theme t;

		assert_true(load(rows[i].name, &t, NULL));
		for (size_t r = 0; r < ROLE__MAX; r++) {
			const struct style *s = &t.styles[r];
			double a;
			double b;
			double ratio;

			if (s->fg < 16 || r == ROLE_RULE)
				continue;
			a = luminance(s->fg);
			b = s->bg >= 16 ? luminance(s->bg) : rows[i].ground;
			ratio = a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
			if (ratio < 4.5)
				fail_msg("%s: %s has contrast %.1f", rows[i].name,
				    role_name((enum role)r), ratio);
		}
	}
}

static void
bad_files_are_refused_naming_the_place(void **state)
{
	static const struct {
		const char *bytes, *message;
	} rows[] = {
		{ "name: x\nroles: {text: default}\n", "has no colour" },
		{ "name: x\nroles: {texd: default}\n", "no role is called 'texd'" },
		{ "name: x\nroles: {text: mauve}\n", "'mauve' is no colour" },
		{ "name: x\nroles: {text: 256}\n", "'256' is no colour" },
		{ "name: x\nroles: {text: red green}\n", "is no colour" },
		{ "roles: {text: default}\n", "'name' is missing" },
		{ "[1]\n", "a theme is a map" },
		{ "a: [\n", "f" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct theme t;
		struct error err = { .code = ERR_NONE };

		assert_false(theme_parse(str_from(rows[i].bytes), "f", &t, &err));
		if (strstr(err.message, rows[i].message) == NULL)
			fail_msg("'%s' says '%s'", rows[i].bytes, err.message);
	}
	assert_false(theme_load("no-such-theme", &(struct theme){ .name = "" }, NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_theme_has_every_role),
		cmocka_unit_test(the_built_in_one_is_the_file),
		cmocka_unit_test(no_colour_leaves_no_colour),
		cmocka_unit_test(colours_fit_the_terminal),
		cmocka_unit_test(text_can_be_read),
		cmocka_unit_test(bad_files_are_refused_naming_the_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
