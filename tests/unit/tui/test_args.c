#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "tui/cli/args.h"

/* One option of each type, and what a command line makes of them. */
struct values {
	bool yes, wide;
	const char *output;
	struct words files;
	int64_t nodes;
	double speed;
	int64_t timeout_ms;
};

enum { NOPTIONS = 7, WORDS_MOST = 12 };

static void
options_of(struct values *v, struct option ret[NOPTIONS])
{
	const struct option options[NOPTIONS] = {
		{ "yes", 'y', OPT_FLAG, &v->yes, NULL, "do not ask" },
		{ "wide", 'w', OPT_FLAG, &v->wide, NULL, "more" },
		{ "output", 'o', OPT_TEXT, &v->output, "FORMAT", "how" },
		{ "filename", 'f', OPT_TEXTS, &v->files, "FILE", "which" },
		{ "nodes", 0, OPT_INT, &v->nodes, "N", "how many" },
		{ "speed", 0, OPT_NUMBER, &v->speed, "N", "how fast" },
		{ "timeout", 0, OPT_DURATION, &v->timeout_ms, "TIME", "how long" },
	};

	memcpy(ret, options, sizeof options);
}

/* words: the command line, cut at spaces; argv[0] is added. */
static bool
parse(const char *line, struct values *v, struct option options[NOPTIONS], struct args *a,
    struct error *err)
{
	static char copy[512];
	char verb[] = "verb";
	char *argv[WORDS_MOST + 2] = { verb };
	int argc = 1;
	char *p = copy;

	assert_true(strlen(line) < sizeof copy);
	memcpy(copy, line, strlen(line) + 1);
	while (*p != '\0' && argc <= WORDS_MOST) {
		argv[argc++] = p;
		while (*p != '\0' && *p != ' ')
			p++;
		if (*p == ' ')
			*p++ = '\0';
	}
	options_of(v, options);
	return args_parse(argc, argv, options, NOPTIONS, a, err);
}

static void
options_and_words_may_be_mixed(void **state UNUSED)
{
	struct values v = { .nodes = -1 };
	struct option options[NOPTIONS];
	struct args a = { 0 };
	struct error err = { .code = ERR_NONE };

	assert_true(
	    parse("ic/a --nodes 3 -o json ic/b --filename=x.yaml -f y.yaml -f=- --speed 2.5", &v,
		options, &a, &err));
	assert_int_equal(a.words.n, 2);
	assert_string_equal(a.words.items[0], "ic/a");
	assert_string_equal(a.words.items[1], "ic/b");
	assert_int_equal(v.nodes, 3);
	assert_string_equal(v.output, "json");
	assert_int_equal(v.files.n, 3);
	assert_string_equal(v.files.items[0], "x.yaml");
	assert_string_equal(v.files.items[1], "y.yaml");
	assert_string_equal(v.files.items[2], "-");
	assert_true(v.speed == 2.5);
	assert_false(a.help);
	args_fini(&a, options, NOPTIONS);
	assert_int_equal(v.files.n, 0);
}

static void
letters_may_stand_together(void **state UNUSED)
{
	struct values v = { .yes = false };
	struct option options[NOPTIONS];
	struct args a = { 0 };

	assert_true(parse("-ywojson", &v, options, &a, NULL));
	assert_true(v.yes && v.wide);
	assert_string_equal(v.output, "json");
	args_fini(&a, options, NOPTIONS);
}

static void
two_dashes_end_the_options(void **state UNUSED)
{
	struct values v = { .yes = false };
	struct option options[NOPTIONS];
	struct args a = { 0 };

	assert_true(parse("a -- --yes -f b", &v, options, &a, NULL));
	assert_int_equal(a.words.n, 1);
	assert_int_equal(a.rest.n, 3);
	assert_string_equal(a.rest.items[0], "--yes");
	assert_false(v.yes);
	args_fini(&a, options, NOPTIONS);
}

static void
a_lone_dash_is_a_word_and_help_is_known(void **state UNUSED)
{
	struct values v = { .yes = true };
	struct option options[NOPTIONS];
	struct args a = { 0 };

	assert_true(parse("- --yes=false --help", &v, options, &a, NULL));
	assert_int_equal(a.words.n, 1);
	assert_true(a.help);
	assert_false(v.yes);
	args_fini(&a, options, NOPTIONS);
	assert_true(parse("-h", &v, options, &a, NULL));
	assert_true(a.help);
	args_fini(&a, options, NOPTIONS);
}

struct duration_row {
	const char *line;
	int64_t ms;
};

static void
durations_are_those_of_kubectl(void **state UNUSED)
{
	static const struct duration_row rows[] = {
		{ "--timeout 90", 90000 },
		{ "--timeout=90s", 90000 },
		{ "--timeout=1h30m", 5400000 },
		{ "--timeout=250ms", 250 },
		{ "--timeout=0", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct values v = { .timeout_ms = -1 };
		struct option options[NOPTIONS];
		struct args a = { 0 };

		assert_true(parse(rows[i].line, &v, options, &a, NULL));
		assert_int_equal(v.timeout_ms, rows[i].ms);
		args_fini(&a, options, NOPTIONS);
	}
}

struct refused_row {
	const char *line;
	const char *says;
	const char *advises; /* or NULL */
};

static const struct refused_row refused[] = {
	{ "--ouput json", "unknown option --ouput", "--output" },
	{ "--output", "--output wants a value", NULL },
	{ "-o", "-o wants a value", NULL },
	{ "-x", "unknown option -x", NULL },
	{ "--nodes three", "not a whole number", NULL },
	{ "--nodes 1.5", "not a whole number", NULL },
	{ "--nodes 99999999999999999999", "not a whole number", NULL },
	{ "--speed fast", "not a number", NULL },
	{ "--timeout soon", "not a duration", "90s" },
	{ "--timeout 5d", "not a duration", NULL },
	{ "--yes=maybe", "true or false", NULL },
};

static void
wrong_use_is_refused_with_advice(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		struct values v = { .nodes = -1 };
		struct option options[NOPTIONS];
		struct args a = { 0 };
		struct error err = { .code = ERR_NONE };

		assert_false(parse(refused[i].line, &v, options, &a, &err));
		assert_int_equal(err.code, ERR_USAGE);
		assert_int_equal(error_exit_code(&err), 2);
		if (strstr(err.message, refused[i].says) == NULL)
			fail_msg("'%s' says '%s'", refused[i].line, err.message);
		if (refused[i].advises != NULL &&
		    strstr(error_advice(&err), refused[i].advises) == NULL)
			fail_msg("'%s' advises '%s'", refused[i].line, error_advice(&err));
		args_fini(&a, options, NOPTIONS);
	}
}

static void
the_number_of_words_is_limited(void **state UNUSED)
{
	struct words w = { .n = 0 };
	struct error err = { .code = ERR_NONE };

	for (size_t i = 0; i < ARGS_MAX; i++)
		assert_true(words_add(&w, "x", NULL));
	assert_false(words_add(&w, "x", &err));
	assert_int_equal(err.code, ERR_USAGE);
	mem_free(w.items);
}

static void
help_has_a_line_for_each_option(void **state UNUSED)
{
	struct values v = { .yes = false };
	struct option options[NOPTIONS];
	struct text help = TEXT_INIT(4096);
	size_t lines = 0;

	options_of(&v, options);
	args_help(&help, options, NOPTIONS);
	for (size_t i = 0; i < help.n; i++)
		lines += help.p[i] == '\n';
	assert_int_equal(lines, NOPTIONS);
	assert_non_null(strstr(text_get(&help), "-o, --output FORMAT"));
	assert_non_null(strstr(text_get(&help), "    --timeout TIME"));
	text_free(&help);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_and_words_may_be_mixed),
		cmocka_unit_test(letters_may_stand_together),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(a_lone_dash_is_a_word_and_help_is_known),
		cmocka_unit_test(durations_are_those_of_kubectl),
		cmocka_unit_test(wrong_use_is_refused_with_advice),
		cmocka_unit_test(the_number_of_words_is_limited),
		cmocka_unit_test(help_has_a_line_for_each_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
