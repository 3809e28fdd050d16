#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "tui/cli/cli.h"
#include "tui/cli/table.h"

enum { OUTPUT_MAX = 64 * 1024 };

/* What table_print writes to standard output. */
static void
printed(struct table *t, bool header, char out[OUTPUT_MAX])
{
	FILE *file = tmpfile();
	int keep = dup(STDOUT_FILENO);
	size_t n;

	assert_non_null(file);
	assert_true(keep >= 0);
	(void)fflush(stdout);
	assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0);
	table_print(t, header);
	(void)fflush(stdout);
	assert_true(dup2(keep, STDOUT_FILENO) >= 0);
	(void)close(keep);
	rewind(file);
	n = fread(out, 1, OUTPUT_MAX - 1, file);
	out[n] = '\0';
	(void)fclose(file);
}

static void
columns_are_as_wide_as_their_widest_cell(void **state UNUSED)
{
	static char out[OUTPUT_MAX];
	struct arena *a = arena_new(1 << 20);
	struct table t;

	assert_non_null(a);
	table_init(&t, a);
	table_column(&t, "NAME");
	table_column(&t, "NODES");
	table_column(&t, "MESSAGE");
	table_cellz(&t, "a-long-name");
	table_cell_ratio(&t, 1, 12);
	table_cellz(&t, "fine");
	table_cellz(&t, "b");
	table_cell_int(&t, 7);
	table_cellz(&t, "");
	printed(&t, true, out);
	assert_string_equal(out, "NAME          NODES   MESSAGE\n"
				 "a-long-name   1/12    fine\n"
				 "b             7       -\n");
	printed(&t, false, out); /* in the widths of before, as a watch goes on */
	assert_string_equal(out, "a-long-name   1/12    fine\n"
				 "b             7       -\n");
	memset(t.least, 0, sizeof t.least);
	printed(&t, false, out);
	assert_string_equal(out, "a-long-name   1/12   fine\n"
				 "b             7      -\n");
	arena_free(a);
}

static void
what_is_not_known_is_a_dash(void **state UNUSED)
{
	static char out[OUTPUT_MAX];
	struct arena *a = arena_new(1 << 20);
	struct table t;

	assert_non_null(a);
	table_init(&t, a);
	table_column(&t, "A");
	table_cell_int(&t, -1);
	table_cell_int(&t, 0);
	table_cell_ratio(&t, -1, -1);
	table_cell_ratio(&t, -1, 3);
	table_cell_ratio(&t, 2, -1);
	table_cell_ratio(&t, 0, 0);
	table_cell(&t, (struct str){ NULL, 0 });
	printed(&t, false, out);
	assert_string_equal(out, "-\n0\n-\n-/3\n2/-\n0/0\n-\n");
	arena_free(a);
}

/* Names from outside: no escape code, and widths are cells, not bytes. */
static void
cells_are_cleaned_and_measured(void **state UNUSED)
{
	static char out[OUTPUT_MAX];
	struct arena *a = arena_new(1 << 20);
	struct table t;

	assert_non_null(a);
	table_init(&t, a);
	table_column(&t, "NAME");
	table_column(&t, "X");
	table_cellz(&t, "\x1b[31mred\nline");
	table_cellz(&t, "1");
	table_cellz(&t, "\xe4\xb8\xad\xe6\x96\x87");
	table_cellz(&t, "2");
	table_cellz(&t, "e\xcc\x81");
	table_cellz(&t, "3");
	printed(&t, true, out);
	assert_string_equal(out, "NAME              X\n"
				 "^[[31mred^Jline   1\n"
				 "\xe4\xb8\xad\xe6\x96\x87              2\n"
				 "e\xcc\x81                 3\n");
	arena_free(a);
}

static void
columns_are_limited(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct table t;

	assert_non_null(a);
	table_init(&t, a);
	for (size_t i = 0; i <= TABLE_MAX_COLUMNS; i++)
		table_column(&t, "C");
	assert_int_equal(t.ncolumns, TABLE_MAX_COLUMNS);
	arena_free(a);
}

static void
many_rows_are_kept(void **state UNUSED)
{
	struct arena *a = arena_new(16 << 20);
	struct table t;

	assert_non_null(a);
	table_init(&t, a);
	table_column(&t, "N");
	for (int64_t i = 0; i < 5000; i++)
		table_cell_int(&t, i);
	assert_int_equal(t.ncells, 5000);
	assert_true(str_is(t.cells[0], "0") && str_is(t.cells[4999], "4999"));
	arena_free(a);
}

/* Every verb has its function, a help of one line, and a name that finds it. */
static void
the_table_of_verbs_is_whole(void **state UNUSED)
{
	size_t n;
	const struct verb *v = verbs_get(&n);

	assert_true(n > 20);
	for (size_t i = 0; i < n; i++) {
		assert_non_null(v[i].run);
		assert_ptr_equal(verb_find(str_from(v[i].name)), &v[i]);
		assert_true(strlen(v[i].help) > 0 && strchr(v[i].help, '\n') == NULL);
		if (i > 0)
			assert_true(strcmp(v[i - 1].name, v[i].name) < 0);
	}
	assert_null(verb_find(STR("nothing")));
}

struct target_row {
	const char *words[4];
	size_t n; /* 0: refused */
	const char *kind, *last;
};

static const struct target_row targets[] = {
	{ { "ic" }, 1, "InferenceCluster", "" },
	{ { "ic/a" }, 1, "InferenceCluster", "a" },
	{ { "inferenceclusters", "a", "b" }, 2, "InferenceCluster", "b" },
	{ { "ic/a", "icl/b" }, 2, "InferenceClass", "b" },
	{ { "InferenceCluster/a" }, 1, "InferenceCluster", "a" },
	{ { "nothing" }, 0, NULL, NULL },
	{ { "nothing/a" }, 0, NULL, NULL },
};

static void
targets_are_read_as_kubectl_reads_them(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
		struct words w = { .n = 0 };
		struct target *t = NULL;
		struct error err = { .code = ERR_NONE };
		size_t n = 0;
		bool ok;

		for (size_t k = 0; targets[i].words[k] != NULL; k++)
			assert_true(words_add(&w, targets[i].words[k], NULL));
		ok = cli_targets(&w, &t, &n, &err);
		if (ok != (targets[i].n > 0))
			fail_msg("%s: %s", targets[i].words[0], err.message);
		assert_int_equal(n, targets[i].n);
		if (ok) {
			assert_string_equal(t[n - 1].kind->kind, targets[i].kind);
			assert_true(str_is(t[n - 1].name, targets[i].last));
		} else {
			assert_int_equal(err.code, ERR_USAGE);
		}
		mem_free(t);
		mem_free(w.items);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
		cmocka_unit_test(what_is_not_known_is_a_dash),
		cmocka_unit_test(cells_are_cleaned_and_measured),
		cmocka_unit_test(columns_are_limited),
		cmocka_unit_test(many_rows_are_kept),
		cmocka_unit_test(the_table_of_verbs_is_whole),
		cmocka_unit_test(targets_are_read_as_kubectl_reads_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
