#include "backend/apiserver/patch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "backend/apiserver/builtin.h"
#include "backend/apiserver/proto.h"
#include "model/base/mem.h"
#include "model/json.h"

struct row {
	patch_fn *run;
	const char *base, *patch;
	const char *want; /* NULL: refused */
};

#define OP(op, path, rest) "{\"op\":\"" op "\",\"path\":\"" path "\"" rest "}"

/* clang-format off */
static const struct row rows[] = {
	/* RFC 7396, appendix A */
	{ patch_merge, "{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}" },
	{ patch_merge, "{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}" },
	{ patch_merge, "{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}" },
	{ patch_merge, "{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}" },
	{ patch_merge, "{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}" },
	{ patch_merge, "{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}" },
	{ patch_merge, "{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}" },
	{ patch_merge, "{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}" },
	{ patch_merge, "{}", "[]", NULL },
	/* RFC 6902, appendix A */
	{ patch_json, "{\"foo\":\"bar\"}", "[" OP("add", "/baz", ",\"value\":\"q\"") "]", "{\"foo\":\"bar\",\"baz\":\"q\"}" },
	{ patch_json, "{\"foo\":[\"bar\",\"baz\"]}", "[" OP("add", "/foo/1", ",\"value\":\"q\"") "]", "{\"foo\":[\"bar\",\"q\",\"baz\"]}" },
	{ patch_json, "{\"foo\":[\"bar\"]}", "[" OP("add", "/foo/-", ",\"value\":[1]") "]", "{\"foo\":[\"bar\",[1]]}" },
	{ patch_json, "{\"foo\":[1]}", "[" OP("add", "/foo/1", ",\"value\":2") "]", "{\"foo\":[1,2]}" },
	{ patch_json, "{\"foo\":[1]}", "[" OP("add", "/foo/2", ",\"value\":2") "]", NULL },
	{ patch_json, "{\"foo\":[1]}", "[" OP("add", "/foo/01", ",\"value\":2") "]", NULL },
	{ patch_json, "{\"foo\":1,\"bar\":2}", "[" OP("remove", "/bar", "") "]", "{\"foo\":1}" },
	{ patch_json, "{\"foo\":[1,2,3]}", "[" OP("remove", "/foo/1", "") "]", "{\"foo\":[1,3]}" },
	{ patch_json, "{\"foo\":[1,2,3]}", "[" OP("remove", "/foo/-", "") "]", NULL },
	{ patch_json, "{\"foo\":1}", "[" OP("remove", "/bar", "") "]", NULL },
	{ patch_json, "{\"foo\":[1,2]}", "[" OP("replace", "/foo/1", ",\"value\":9") "]", "{\"foo\":[1,9]}" },
	{ patch_json, "{\"foo\":1}", "[" OP("replace", "/bar", ",\"value\":9") "]", NULL },
	{ patch_json, "{\"foo\":1}", "[" OP("replace", "", ",\"value\":{\"a\":1}") "]", "{\"a\":1}" },
	{ patch_json, "{\"a\":{\"b\":1},\"c\":{}}", "[" OP("move", "/c/d", ",\"from\":\"/a/b\"") "]", "{\"a\":{},\"c\":{\"d\":1}}" },
	{ patch_json, "{\"a\":[1,2,3]}", "[" OP("move", "/a/2", ",\"from\":\"/a/0\"") "]", "{\"a\":[2,3,1]}" },
	{ patch_json, "{\"a\":{\"b\":1}}", "[" OP("move", "/a/b/c", ",\"from\":\"/a\"") "]", NULL },
	{ patch_json, "{\"a\":1}", "[" OP("move", "/a", ",\"from\":\"/a\"") "]", "{\"a\":1}" },
	{ patch_json, "{\"a\":{\"b\":1}}", "[" OP("copy", "/c", ",\"from\":\"/a\"") "," OP("replace", "/c/b", ",\"value\":2") "]", "{\"a\":{\"b\":1},\"c\":{\"b\":2}}" },
	{ patch_json, "{\"a/b\":1,\"m~n\":2}", "[" OP("test", "/a~1b", ",\"value\":1") "," OP("test", "/m~0n", ",\"value\":2") "]", "{\"a/b\":1,\"m~n\":2}" },
	{ patch_json, "{\"\":1}", "[" OP("test", "/", ",\"value\":1") "]", "{\"\":1}" },
	{ patch_json, "{\"a\":1}", "[" OP("test", "/a", ",\"value\":\"1\"") "]", NULL },
	{ patch_json, "{\"a\":1}", "[" OP("test", "/~2", ",\"value\":1") "]", NULL },
	{ patch_json, "{\"a\":1}", "[" OP("spam", "/a", "") "]", NULL },
	{ patch_json, "{\"a\":1}", "[" OP("add", "/b", "") "]", NULL },
	{ patch_json, "{\"a\":1}", "[" OP("add", "b", ",\"value\":1") "]", NULL },
	{ patch_json, "{\"a\":1}", "[" OP("add", "/b/c", ",\"value\":1") "]", NULL },
	{ patch_json, "{\"a\":1}", "[" OP("add", "/a/c", ",\"value\":1") "]", NULL },
	{ patch_json, "{\"a\":1}", "{}", NULL },
	/* strategic merge */
	{ patch_strategic, "{\"containers\":[{\"name\":\"a\",\"image\":\"1\"},{\"name\":\"b\"}]}",
	  "{\"containers\":[{\"name\":\"a\",\"image\":\"2\"},{\"name\":\"c\"}]}",
	  "{\"containers\":[{\"name\":\"a\",\"image\":\"2\"},{\"name\":\"b\"},{\"name\":\"c\"}]}" },
	{ patch_strategic, "{\"containers\":[{\"name\":\"a\"},{\"name\":\"b\"}]}",
	  "{\"$setElementOrder/containers\":[{\"name\":\"b\"}],\"containers\":[{\"$patch\":\"delete\",\"name\":\"a\"}]}",
	  "{\"containers\":[{\"name\":\"b\"}]}" },
	{ patch_strategic, "{\"containers\":[{\"name\":\"a\"}]}",
	  "{\"containers\":[{\"$patch\":\"replace\"},{\"name\":\"z\"}]}", "{\"containers\":[{\"name\":\"z\"}]}" },
	{ patch_strategic, "{\"ports\":[{\"port\":80,\"name\":\"x\"}]}", "{\"ports\":[{\"port\":80,\"name\":\"y\"}]}",
	  "{\"ports\":[{\"port\":80,\"name\":\"y\"}]}" },
	{ patch_strategic, "{\"args\":[1,2]}", "{\"args\":[3]}", "{\"args\":[3]}" },
	{ patch_strategic, "{\"metadata\":{\"finalizers\":[\"a\"]}}", "{\"metadata\":{\"finalizers\":[\"b\",\"a\"]}}",
	  "{\"metadata\":{\"finalizers\":[\"a\",\"b\"]}}" },
	{ patch_strategic, "{\"metadata\":{\"finalizers\":[\"a\",\"b\"]}}",
	  "{\"metadata\":{\"$deleteFromPrimitiveList/finalizers\":[\"a\"]}}", "{\"metadata\":{\"finalizers\":[\"b\"]}}" },
	{ patch_strategic, "{\"a\":{\"b\":1,\"c\":2}}", "{\"a\":{\"$patch\":\"replace\",\"d\":3}}", "{\"a\":{\"d\":3}}" },
	{ patch_strategic, "{\"a\":{\"b\":1,\"c\":2}}", "{\"a\":{\"b\":null}}", "{\"a\":{\"c\":2}}" },
};
/* clang-format on */

static void
each_patch_gives_what_its_row_says(void **state UNUSED)
{
	struct arena *a = arena_new(64 * 1024 * 1024);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct node *base = NULL;
		struct node *patch = NULL;
		struct node *before = NULL;
		struct node *want = NULL;
		struct node *got = NULL;
		struct error err = { 0 };

		assert_true(json_parse(a, str_from(rows[i].base), &base, &err));
		assert_true(json_parse(a, str_from(rows[i].patch), &patch, &err));
		before = node_dup(a, base);
		bool ok = rows[i].run(a, base, patch, &got, &err);

		if (ok != (rows[i].want != NULL))
			fail_msg("row %zu: %s", i, ok ? "taken" : err.message);
		if (!ok)
			continue;
		assert_true(json_parse(a, str_from(rows[i].want), &want, &err));
		if (!node_eq(got, want))
			fail_msg("row %zu gives something else", i);
		if (!node_eq(base, before))
			fail_msg("row %zu changes its base", i);
	}
	arena_free(a);
}

static void
operations_are_limited(void **state UNUSED)
{
	struct arena *a = arena_new(256 * 1024 * 1024);
	struct node *base = node_map(a);
	struct node *patch = node_list(a);
	struct node *got = NULL;
	struct error err = { 0 };
	struct node *op = NULL;

	node_set_int(a, base, "a", 1);
	for (int i = 0; i <= PATCH_MAX_OPERATIONS; i++) {
		assert_true(i == 0 || patch_json(a, base, node_list(a), &got, &err));
		op = node_map(a);
		node_set_strz(a, op, "op", "test");
		node_set_strz(a, op, "path", "/a");
		node_set_int(a, op, "value", 1);
		if (i == PATCH_MAX_OPERATIONS)
			assert_true(patch_json(a, base, patch, &got, &err));
		node_push(patch, op);
	}
	assert_false(patch_json(a, base, patch, &got, &err));
	arena_free(a);
}

static void
paths_find_what_columns_show(void **state UNUSED)
{
	static const struct {
		const char *path;
		const char *want; /* NULL: nothing */
	} paths[] = {
		{ ".a.b", "1" },
		{ ".l[1].x", "two" },
		{ ".l[9].x", NULL },
		{ ".c[?(@.type=='Ready')].status", "True" },
		{ ".c[?(@.type==\"Other\")].status", NULL },
		{ ".m['x.y/z']", "q" },
		{ ".a.none.more", NULL },
		{ "a", NULL },
		{ ".l[", NULL },
		{ ".l[-1]", NULL },
		{ ".c[?(x)]", NULL },
		{ "..", NULL },
	};
	struct arena *a = arena_new(1024 * 1024);
	struct node *n = NULL;
	struct error err = { 0 };

	assert_true(json_parse(a,
	    STR("{\"a\":{\"b\":\"1\"},\"l\":[{\"x\":\"one\"},{\"x\":\"two\"}],"
		"\"c\":[{\"type\":\"Synced\",\"status\":\"no\"},{\"type\":\"Ready\",\"status\":"
		"\"True\"}],"
		"\"m\":{\"x.y/z\":\"q\"}}"),
	    &n, &err));
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		const struct node *got = jsonpath_find(n, paths[i].path);

		if ((got != NULL) != (paths[i].want != NULL) ||
		    (got != NULL && !str_is(node_get_str(got), paths[i].want)))
			fail_msg("%s", paths[i].path);
	}
	arena_free(a);
}

static void
rows_of_kinds_are_whole(void **state UNUSED)
{
	size_t n = 0;
	const struct builtin *b = builtins_get(&n);

	assert_true(n > 20);
	for (size_t i = 0; i < n; i++) {
		assert_true(b[i].ncolumns > 0);
		assert_true(strlen(b[i].singular) > 0);
		assert_ptr_equal(builtin_find_kind(b[i].res.kind), &b[i]);
		assert_ptr_equal(builtin_find(b[i].res.group, b[i].res.plural), &b[i]);
		for (size_t k = 0; k < b[i].ncolumns; k++)
			assert_true(
			    (b[i].columns[k].path != NULL) != (b[i].columns[k].cell != NULL));
	}
}

/* A cell of a kind's column, from an object as JSON. */
static void
shows(const char *kind, const char *title, const char *json, const char *want)
{
	const struct builtin *b = builtin_find_kind(kind);
	struct arena *a = arena_new(1024 * 1024);
	struct node *n = NULL;
	struct text out = TEXT_INIT(256);

	assert_true(json_parse(a, str_from(json), &n, NULL));
	for (size_t i = 0; i < b->ncolumns; i++) {
		if (strcmp(b->columns[i].title, title) == 0)
			b->columns[i].cell(n, &out);
	}
	assert_string_equal(text_get(&out), want);
	text_free(&out);
	arena_free(a);
}

static void
cells_say_what_kubectl_says(void **state UNUSED)
{
	shows("Pod", "Status", "{\"status\":{\"phase\":\"Running\"}}", "Running");
	shows("Pod", "Status", "{\"status\":{\"phase\":\"Succeeded\"}}", "Completed");
	shows("Pod", "Status",
	    "{\"status\":{\"phase\":\"Pending\",\"containerStatuses\":[{\"state\":"
	    "{\"waiting\":{\"reason\":\"ImagePullBackOff\"}}}]}}",
	    "ImagePullBackOff");
	shows("Pod", "Status",
	    "{\"metadata\":{\"deletionTimestamp\":\"x\"},\"status\":{\"phase\":"
	    "\"Running\"}}",
	    "Terminating");
	shows("Pod", "Ready",
	    "{\"spec\":{\"containers\":[{},{}]},\"status\":{\"containerStatuses\":"
	    "[{\"ready\":true},{\"ready\":false}]}}",
	    "1/2");
	shows("Node", "Status",
	    "{\"spec\":{\"unschedulable\":true},\"status\":{\"conditions\":[{\"type\":"
	    "\"Ready\",\"status\":\"Unknown\"}]}}",
	    "NotReady,SchedulingDisabled");
	shows("Node", "Roles", "{}", "<none>");
	shows("Job", "Completions", "{\"spec\":{\"completions\":3},\"status\":{\"succeeded\":1}}",
	    "1/3");
	shows("Service", "Port(s)",
	    "{\"spec\":{\"ports\":[{\"port\":80},{\"port\":53,\"protocol\":\"UDP\"}]}}",
	    "80/TCP,53/UDP");
	shows("PersistentVolumeClaim", "Access Modes",
	    "{\"spec\":{\"accessModes\":[\"ReadWriteOnce\",\"ReadWriteMany\"]}}", "RWO,RWX");
	shows(
	    "Event", "Object", "{\"involvedObject\":{\"kind\":\"Node\",\"name\":\"n\"}}", "node/n");
}

static void
damaged_protobuf_is_refused(void **state UNUSED)
{
	/* a ConfigMap "x" in an envelope; every prefix of it is damaged or another object */
	static const char good[] = "k8s\0\x0a\x0f\x0a\x02v1\x12\x09"
				   "ConfigMap\x12\x0e\x0a\x03\x0a\x01x"
				   "\x12\x07\x0a\x01k\x12\x02"
				   "vv";
	struct arena *a = arena_new(16 * 1024 * 1024);
	struct node *n = NULL;
	struct error err = { 0 };

	if (!proto_decode(a, (struct str){ good, sizeof(good) - 1 }, &n, &err))
		fail_msg("%s", err.message);
	assert_true(str_is(node_path_str(n, "metadata.name"), "x"));
	assert_true(str_is(node_path_str(n, "data.k"), "vv"));
	for (size_t cut = 0; cut < sizeof(good) - 1; cut++) {
		/* cut between the type and the object: an empty object, which is fine */
		if (cut == 21)
			continue;
		if (proto_decode(a, (struct str){ good, cut }, &n, &err))
			fail_msg("%zu bytes were taken", cut);
	}
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_patch_gives_what_its_row_says),
		cmocka_unit_test(operations_are_limited),
		cmocka_unit_test(paths_find_what_columns_show),
		cmocka_unit_test(rows_of_kinds_are_whole),
		cmocka_unit_test(cells_say_what_kubectl_says),
		cmocka_unit_test(damaged_protobuf_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
