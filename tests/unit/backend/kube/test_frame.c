#include "backend/kube/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "backend/kube/client_int.h"
#include "model/base/mem.h"

static const char events[] =
    "{\"type\":\"ADDED\",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Node\","
    "\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"5\"}}}\n\r\n"
    "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"7\"}}}\n"
    "{\"type\":\"DELETED\",\"object\":{\"apiVersion\":\"v1\",\"kind\":\"Node\","
    "\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"9\"}}}\n";

static void
take(struct frame *f, struct watch_event *out, size_t *n)
{
	struct str line;

	while (frame_next(f, &line)) {
		struct error err = { 0 };

		assert_true(*n < 3);
		if (!watch_line_decode(kube_resource("Node"), line, &out[*n], &err))
			fail_msg("%s", err.message);
		(*n)++;
	}
}

static void
check(const struct watch_event *e, size_t n)
{
	assert_int_equal(n, 3);
	assert_int_equal(e[0].type, WATCH_ADDED);
	assert_true(str_is(e[0].object->name, "a"));
	assert_int_equal(e[0].version, 5);
	assert_int_equal(e[1].type, WATCH_BOOKMARK);
	assert_null(e[1].object);
	assert_int_equal(e[1].version, 7);
	assert_int_equal(e[2].type, WATCH_DELETED);
	assert_int_equal(e[2].object->version, 9);
	for (size_t i = 0; i < n; i++)
		object_unref(e[i].object);
}

static void
events_split_at_each_byte_are_the_same(void **state UNUSED)
{
	size_t len = sizeof(events) - 1;

	for (size_t cut = 0; cut <= len; cut++) {
		struct watch_event e[3] = { 0 };
		struct frame f;
		size_t n = 0;

		frame_init(&f);
		assert_true(frame_push(&f, (struct str){ events, cut }, NULL));
		take(&f, e, &n);
		assert_true(frame_push(&f, (struct str){ events + cut, len - cut }, NULL));
		take(&f, e, &n);
		check(e, n);
		frame_fini(&f);
	}
}

static void
events_byte_by_byte_are_the_same(void **state UNUSED)
{
	struct watch_event e[3] = { 0 };
	struct frame f;
	size_t n = 0;

	frame_init(&f);
	for (size_t i = 0; i < sizeof(events) - 1; i++) {
		assert_true(frame_push(&f, (struct str){ events + i, 1 }, NULL));
		take(&f, e, &n);
	}
	check(e, n);
	frame_fini(&f);
}

static void
a_line_has_a_limit(void **state UNUSED)
{
	char *block = mem_new(1024 * 1024);
	struct frame f;
	struct error err = { 0 };
	struct str line;

	memset(block, 'x', 1024 * 1024);
	frame_init(&f);
	for (int i = 0; i < 16; i++)
		assert_true(frame_push(&f, (struct str){ block, 1024 * 1024 }, &err));
	assert_true(frame_push(&f, STR("\n"), &err));
	assert_true(frame_next(&f, &line));
	assert_int_equal(line.n, FRAME_MAX_LINE);
	for (int i = 0; i < 16; i++)
		assert_true(frame_push(&f, (struct str){ block, 1024 * 1024 }, &err));
	assert_false(frame_push(&f, STR("x"), &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	frame_fini(&f);
	mem_free(block);
}

static void
errors_and_nonsense_are_told_apart(void **state UNUSED)
{
	static const struct {
		const char *line;
		bool ok;
		enum watch_event_type type;
		enum error_code code;
	} rows[] = {
		{ "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":"
		  "\"Expired\"}}",
		    true, WATCH_GONE, ERR_NONE },
		{ "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":403,\"reason\":"
		  "\"Forbidden\","
		  "\"message\":\"no\"}}",
		    false, 0, ERR_FORBIDDEN },
		{ "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":500,\"message\":"
		  "\"x\"}}",
		    false, 0, ERR_CLOUD },
		{ "{\"type\":\"NEW\",\"object\":{}}", false, 0, ERR_INVALID },
		{ "{\"type\":\"ADDED\"}", false, 0, ERR_INVALID },
		{ "{\"type\":\"ADDED\",\"object\":5}", false, 0, ERR_INVALID },
		{ "{\"type\":\"ADDED\"", false, 0, ERR_INVALID },
		{ "[]", false, 0, ERR_INVALID },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct watch_event e = { 0 };
		struct error err = { 0 };
		bool ok =
		    watch_line_decode(kube_resource("Node"), str_from(rows[i].line), &e, &err);

		if (ok != rows[i].ok || err.code != rows[i].code || (ok && e.type != rows[i].type))
			fail_msg("row %zu: %s", i, err.message);
	}
}

static void
a_watch_of_all_kinds_skips_what_it_does_not_know(void **state UNUSED)
{
	struct watch_event e = { 0 };
	struct error err = { 0 };

	assert_true(watch_line_decode(NULL,
	    STR("{\"type\":\"ADDED\",\"object\":{\"apiVersion\":\"x/v1\","
		"\"kind\":\"Odd\",\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"3\"}}}"),
	    &e, &err));
	assert_int_equal(e.type, WATCH_BOOKMARK);
	assert_int_equal(e.version, 3);
	assert_true(watch_line_decode(NULL,
	    STR("{\"type\":\"ADDED\",\"object\":{\"apiVersion\":\"v1\","
		"\"kind\":\"Secret\",\"metadata\":{\"name\":\"a\",\"namespace\":\"n\","
		"\"resourceVersion\":"
		"\"4\"}}}"),
	    &e, &err));
	assert_int_equal(e.type, WATCH_ADDED);
	assert_string_equal(e.object->res->kind, "Secret");
	assert_non_null(e.object->res->known);
	object_unref(e.object);
}

static void
statuses_become_our_errors(void **state UNUSED)
{
	static const struct {
		int status;
		const char *body;
		enum error_code code;
		const char *message;
	} rows[] = {
		{ 404,
		    "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"code\":404,\"message\":\"m\"}",
		    ERR_NOT_FOUND, "m" },
		{ 409,
		    "{\"kind\":\"Status\",\"reason\":\"AlreadyExists\",\"code\":409,\"message\":"
		    "\"m\"}",
		    ERR_EXISTS, "m" },
		{ 409,
		    "{\"kind\":\"Status\",\"reason\":\"Conflict\",\"code\":409,\"message\":\"m\"}",
		    ERR_CONFLICT, "m" },
		{ 410,
		    "{\"kind\":\"Status\",\"reason\":\"Expired\",\"code\":410,\"message\":\"m\"}",
		    ERR_GONE, "m" },
		{ 401, "{\"kind\":\"Status\",\"reason\":\"Unauthorized\",\"code\":401}",
		    ERR_UNAUTHENTICATED, "gave no reason" },
		{ 403,
		    "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"code\":403,\"message\":\"m\"}",
		    ERR_FORBIDDEN, "m" },
		{ 403,
		    "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"code\":403,\"message\":"
		    "\"pods x is forbidden: exceeded quota: q\"}",
		    ERR_QUOTA, "exceeded quota" },
		{ 403,
		    "{\"kind\":\"Status\",\"reason\":\"ReadOnly\",\"code\":403,\"message\":\"m\"}",
		    ERR_READ_ONLY, "m" },
		{ 422,
		    "{\"kind\":\"Status\",\"reason\":\"Invalid\",\"code\":422,\"message\":\"m\"}",
		    ERR_INVALID, "m" },
		{ 429, "Too many requests", ERR_THROTTLED, "HTTP 429" },
		{ 502, "<html>", ERR_NETWORK, "HTTP 502" },
		{ 503, "", ERR_NETWORK, "HTTP 503" },
		{ 504, "", ERR_TIMEOUT, "HTTP 504" },
		{ 418, "{}", ERR_CLOUD, "HTTP 418" },
		{ 404, "404 page not found", ERR_NOT_FOUND, "GET /a: HTTP 404" },
		{ 500, "{\"kind\":\"Status\",\"reason\":\"DiskFull\",\"message\":\"m\"}",
		    ERR_DISK_FULL, "m" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct http_response r = { .status = rows[i].status,
			.body = TEXT_INIT(4096),
			.headers = TEXT_INIT(4096) };
		struct error err = { 0 };

		text_add(&r.body, rows[i].body);
		text_add(&r.headers, "retry-after: 3\n");
		assert_false(status_to_error(&r, "GET", STR("/a?token=hunter2"), &err));
		if (err.code != rows[i].code || strstr(err.message, rows[i].message) == NULL ||
		    strstr(err.message, "hunter2") != NULL || err.retry_after_ms != 3000)
			fail_msg("row %zu: %d %s", i, (int)err.code, err.message);
		http_response_fini(&r);
	}
}

static void
causes_are_kept(void **state UNUSED)
{
	struct http_response r = { .status = 422, .body = TEXT_INIT(4096) };
	struct error err = { 0 };

	text_add(&r.body,
	    "{\"kind\":\"Status\",\"reason\":\"Invalid\",\"message\":\"m\",\"details\":"
	    "{\"advice\":\"do\",\"causes\":[{\"field\":\"spec.a\",\"message\":\"bad\"},"
	    "{\"message\":\"whole\"}]}}");
	assert_false(status_to_error(&r, "PUT", STR("/a"), &err));
	assert_int_equal(err.ncauses, 2);
	assert_string_equal(err.cause[0], "spec.a: bad");
	assert_string_equal(err.cause[1], "whole");
	assert_string_equal(error_advice(&err), "do");
	http_response_fini(&r);
}

static void
paths_follow_the_resource(void **state UNUSED)
{
	static const struct {
		const char *kind, *ns, *name, *sub, *path;
	} rows[] = {
		{ "Node", "", "n", NULL, "/api/v1/nodes/n" },
		{ "Node", "ignored", "", NULL, "/api/v1/nodes" },
		{ "Secret", "a b", "s", NULL, "/api/v1/namespaces/a%20b/secrets/s" },
		{ "Job", "", "", NULL, "/apis/batch/v1/jobs" },
		{ "Job", "x", "j", "status", "/apis/batch/v1/namespaces/x/jobs/j/status" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct text t = TEXT_INIT(1024);

		kube_path(&t, kube_resource(rows[i].kind), str_from(rows[i].ns),
		    str_from(rows[i].name), rows[i].sub);
		assert_string_equal(text_get(&t), rows[i].path);
		text_free(&t);
	}
	assert_null(kube_resource("Nothing"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_split_at_each_byte_are_the_same),
		cmocka_unit_test(events_byte_by_byte_are_the_same),
		cmocka_unit_test(a_line_has_a_limit),
		cmocka_unit_test(errors_and_nonsense_are_told_apart),
		cmocka_unit_test(a_watch_of_all_kinds_skips_what_it_does_not_know),
		cmocka_unit_test(statuses_become_our_errors),
		cmocka_unit_test(causes_are_kept),
		cmocka_unit_test(paths_follow_the_resource),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
