/*
 * validate, explain and crds as a script sees them: output, formats, exit codes.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/yaml.h"
#include "tui/cli/model_verbs.h"

enum { MAX_WORDS = 8, MAX_OUTPUT = 1 << 22 };

struct ran {
	int code;
	char *out; /* standard output; free with mem_free */
	char *err;
};

static char *
take_file(FILE *f)
{
	char *bytes = mem_new(MAX_OUTPUT);

	assert_non_null(bytes);
	rewind(f);
	assert_true(fread(bytes, 1, MAX_OUTPUT - 1, f) < MAX_OUTPUT);
	(void)fclose(f);
	return bytes;
}

/* Runs a verb on words with its two outputs in files. */
static struct ran
run(verb_fn *verb, const char *const *words)
{
	char *argv[MAX_WORDS + 1] = { NULL };
	FILE *out = tmpfile(), *err = tmpfile();
	int kept_out = dup(STDOUT_FILENO), kept_err = dup(STDERR_FILENO);
	struct ran r = { 0 };
	int argc = 0;

	assert_non_null(out);
	assert_non_null(err);
	for (; words[argc] != NULL; argc++)
		argv[argc] = mem_dupz(words[argc]);
	(void)fflush(NULL);
	assert_true(dup2(fileno(out), STDOUT_FILENO) >= 0 && dup2(fileno(err), STDERR_FILENO) >= 0);
	r.code = verb(argc, argv);
	(void)fflush(NULL);
	assert_true(dup2(kept_out, STDOUT_FILENO) >= 0 && dup2(kept_err, STDERR_FILENO) >= 0);
	(void)close(kept_out);
	(void)close(kept_err);
	while (argc > 0)
		mem_free(argv[--argc]);
	r.out = take_file(out);
	r.err = take_file(err);
	return r;
}

#define RUN(verb, ...) run(verb, (const char *const[]){ __VA_ARGS__, NULL })

static void
ran_free(struct ran *r)
{
	mem_free(r->out);
	mem_free(r->err);
}

static char file[] = "/tmp/flightdeck-verbs-XXXXXX";

static void
write_file(const char *text)
{
	FILE *f = fopen(file, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
	assert_int_equal(fclose(f), 0);
}

static int
make_file(void **state)
{
	int fd = mkstemp(file);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int
drop_file(void **state)
{
	(void)state;
	return unlink(file);
}

static const char bad[] = "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceCluster\n"
			  "metadata: {name: c}\nspec:\n"
			  "  cluster: {source: GKE, gke: {region: r, kubernetesVersion: 1.30}}\n"
			  "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: fine}\n";

static void
a_bad_file_exits_3_and_says_where(void **state)
{
	struct ran r;

	(void)state;
	write_file(bad);
	r = RUN(cli_validate, "validate", "-f", file);
	assert_int_equal(r.code, 3);
	assert_non_null(strstr(r.err, file));
	assert_non_null(strstr(r.err, ":5:62: spec.cluster.gke.kubernetesVersion: "));
	assert_non_null(strstr(r.err, "\"1.30\""));
	assert_string_equal(r.out, "namespace/fine is valid\n");
	ran_free(&r);
}

static void
json_has_an_entry_for_each_document(void **state)
{
	struct arena *a = arena_new(1 << 24);
	struct node *n = NULL;
	struct ran r;

	(void)state;
	write_file(bad);
	r = RUN(cli_validate, "validate", "-f", file, "-o", "json");
	assert_int_equal(r.code, 3);
	assert_true(json_parse(a, str_from(r.out), &n, NULL));
	assert_int_equal(node_count(n), 2);
	assert_false(node_path_bool(n, "[0].valid", true));
	assert_true(str_is(node_get_str(node_find(node_at(n, 0), "kind")), "InferenceCluster"));
	assert_true(str_is(
	    node_path_str(node_at(n, 0), "errors[1].path"), "spec.cluster.gke.kubernetesVersion"));
	assert_int_equal(node_path_int(node_at(n, 0), "errors[1].line", 0), 5);
	assert_true(node_path_bool(node_at(n, 1), "valid", false));
	assert_int_equal(node_count(node_find(node_at(n, 1), "errors")), 0);
	ran_free(&r);
	arena_free(a);
}

static void
a_file_that_is_no_yaml_is_an_entry_too(void **state)
{
	struct arena *a = arena_new(1 << 24);
	struct node *n = NULL;
	struct ran r;

	(void)state;
	write_file("a: [\n");
	r = RUN(cli_validate, "validate", "-f", file, "-o", "json");
	assert_int_equal(r.code, 3);
	assert_true(json_parse(a, str_from(r.out), &n, NULL));
	assert_int_equal(node_count(n), 1);
	assert_true(str_is(node_path_str(node_at(n, 0), "errors[0].rule"), "schema/syntax"));
	ran_free(&r);
	arena_free(a);
}

static void
yaml_shows_defaults_and_no_secret(void **state)
{
	struct ran r;

	(void)state;
	write_file("apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: n}\n"
		   "stringData: {k: hunter2}\n---\n"
		   "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: c}\n"
		   "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n");
	r = RUN(cli_validate, "validate", "-f", file, "-o", "yaml");
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "claim: DRA"));
	assert_non_null(strstr(r.out, "count: 1"));
	assert_null(strstr(r.out, "hunter2"));
	ran_free(&r);
}

static void
wrong_uses_exit_2(void **state)
{
	struct ran r = RUN(cli_validate, "validate");

	(void)state;
	assert_int_equal(r.code, 2);
	ran_free(&r);
	r = RUN(cli_validate, "validate", "-f", file, "-o", "xml");
	assert_int_equal(r.code, 2);
	ran_free(&r);
	r = RUN(cli_explain, "explain");
	assert_int_equal(r.code, 2);
	ran_free(&r);
}

static void
explain_finds_fields_by_short_names_and_groups(void **state)
{
	struct ran r = RUN(cli_explain, "explain", "ic.spec.nodePools.fabric");

	(void)state;
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "InfiniBand"));
	ran_free(&r);
	r = RUN(cli_explain, "explain", "aksclusters.infrastructure.modelplane.ai.spec.location");
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "FIELD: location"));
	ran_free(&r);
	r = RUN(cli_explain, "explain", "ic", "--recursive");
	assert_int_equal(r.code, 0);
	assert_non_null(strstr(r.out, "capacityReservationId"));
	ran_free(&r);
	r = RUN(cli_explain, "explain", "ic.spec.nodePool");
	assert_int_equal(r.code, 4);
	assert_non_null(strstr(r.err, "nodePools"));
	ran_free(&r);
	r = RUN(cli_explain, "explain", "inferenceclaster");
	assert_int_equal(r.code, 4);
	assert_non_null(strstr(r.err, "inferencecluster"));
	ran_free(&r);
}

static void
crds_are_one_yaml_document_a_kind(void **state)
{
	struct arena *a = arena_new(1 << 27);
	struct node *docs = NULL;
	struct ran r = RUN(cli_crds, "crds");

	(void)state;
	assert_int_equal(r.code, 0);
	assert_true(yaml_parse(a, str_from(r.out), "crds", &docs, NULL));
	assert_int_equal(node_count(docs), 24);
	assert_null(strstr(r.out, "flightdeck.dev"));
	ran_free(&r);
	r = RUN(cli_crds, "crds", "ic", "-o", "json");
	assert_int_equal(r.code, 0);
	assert_true(json_parse(a, str_from(r.out), &docs, NULL));
	assert_int_equal(node_count(node_find(docs, "items")), 1);
	ran_free(&r);
	r = RUN(cli_crds, "crds", "secret");
	assert_int_equal(r.code, 3);
	ran_free(&r);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bad_file_exits_3_and_says_where),
		cmocka_unit_test(json_has_an_entry_for_each_document),
		cmocka_unit_test(a_file_that_is_no_yaml_is_an_entry_too),
		cmocka_unit_test(yaml_shows_defaults_and_no_secret),
		cmocka_unit_test(wrong_uses_exit_2),
		cmocka_unit_test(explain_finds_fields_by_short_names_and_groups),
		cmocka_unit_test(crds_are_one_yaml_document_a_kind),
	};

	return cmocka_run_group_tests(tests, make_file, drop_file);
}
