#include "backend/net/http.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/net/server.h"
#include "tests/unit/backend/net/pki.h"

/* A TLS server whose paths name what it does, and a client that trusts it. */
struct fixture {
	struct pki ca, other_ca, leaf, user, stranger;
	struct server *server;
	char url[64];
	atomic_int posts;
	atomic_long last_connection;
	atomic_int streaming;
	char client_seen[256];
};

static struct fixture fx;

static bool
endless(void *context UNUSED, const volatile bool *stopping, struct text *out)
{
	struct timespec ts = { .tv_nsec = 20 * 1000 * 1000 };

	if (__atomic_load_n(stopping, __ATOMIC_ACQUIRE))
		return false;
	if (atomic_fetch_add(&fx.streaming, 1) == 0)
		text_add(out, "first\n");
	else
		(void)nanosleep(&ts, NULL);
	return true;
}

static bool
three_lines(void *context, const volatile bool *stopping UNUSED, struct text *out)
{
	int *left = context;

	text_printf(out, "line %d\n", *left);
	return --*left > 0;
}

static void
answer(void *context UNUSED, const struct server_request *req, struct server_response *res)
{
	static int left;

	atomic_store(&fx.last_connection, req->connection_number);
	if (strcmp(req->method, "POST") == 0)
		atomic_fetch_add(&fx.posts, 1);
	res->body = (struct text)TEXT_INIT(1024 * 1024);
	res->content_type = "text/plain";
	if (strcmp(req->path, "/echo") == 0) {
		text_printf(&res->body, "%s ", req->method);
		text_add_str(&res->body, req->body);
		text_printf(&res->body, " q=%s", server_request_raw_query(req));
	} else if (strcmp(req->path, "/who") == 0) {
		text_printf(&res->body, "client=" STR_FMT, STR_ARG(req->client));
	} else if (strcmp(req->path, "/redirect") == 0) {
		res->status = 302;
		res->headers = (struct text)TEXT_INIT(256);
		text_printf(&res->headers, "Location: %s/echo\n", fx.url);
	} else if (strcmp(req->path, "/big") == 0) {
		for (int i = 0; i < 1000; i++)
			text_add(&res->body, "0123456789");
	} else if (strcmp(req->path, "/cut") == 0) {
		text_add(&res->body, "0123456789");
		res->cut_after = 4;
	} else if (strcmp(req->path, "/drop") == 0) {
		res->drop = true;
	} else if (strcmp(req->path, "/drop-first") == 0) {
		res->drop = atomic_load(&fx.posts) == 1;
		text_add(&res->body, "made");
	} else if (strcmp(req->path, "/slow") == 0) {
		(void)server_request_wait(req, 30000);
	} else if (strcmp(req->path, "/endless") == 0) {
		res->stream = endless;
	} else if (strcmp(req->path, "/lines") == 0) {
		left = 3;
		res->stream = three_lines;
		res->stream_context = &left;
	} else if (strcmp(req->path, "/header") == 0) {
		const char *value = server_request_header(req, "X-Test");

		text_add(&res->body, value != NULL ? value : "(none)");
		res->headers = (struct text)TEXT_INIT(256);
		text_add(&res->headers, "Retry-After: 7\nX-Other:  spaced  \n");
	} else {
		res->status = 404;
		text_add(&res->body, "no such path");
	}
}

static struct str
pem(const char *text)
{
	return str_from(text);
}

static int
start(void **state UNUSED)
{
	fx.ca = pki_make(NULL, NULL, "test ca", NULL);
	fx.other_ca = pki_make(NULL, NULL, "other ca", NULL);
	fx.leaf = pki_make(&fx.ca, NULL, "server", "DNS:sim.test,IP:127.0.0.1");
	fx.user = pki_make(&fx.ca, "system:masters", "admin", NULL);
	fx.stranger = pki_make(&fx.other_ca, "system:masters", "mallory", NULL);
	struct server_options opt = {
		.bind = "127.0.0.1",
		.tls_cert = pem(fx.leaf.cert),
		.tls_key = pem(fx.leaf.key),
		.client_ca = pem(fx.ca.cert),
		.handle = answer,
	};
	struct error err = { 0 };

	if (!server_start(&opt, &fx.server, &err))
		fail_msg("%s", err.message);
	(void)snprintf(
	    fx.url, sizeof(fx.url), "https://127.0.0.1:%u", (unsigned)server_port(fx.server));
	return 0;
}

static int
stop(void **state UNUSED)
{
	server_stop(fx.server);
	pki_free(&fx.ca);
	pki_free(&fx.other_ca);
	pki_free(&fx.leaf);
	pki_free(&fx.user);
	pki_free(&fx.stranger);
	return 0;
}

static struct http_client *
client_with(const struct http_client_options *opt)
{
	struct http_client *c = NULL;
	struct error err = { 0 };

	if (!http_client_new(opt, &c, &err))
		fail_msg("%s", err.message);
	return c;
}

static struct http_client *
client(void)
{
	struct http_client_options opt = { .tls.ca_pem = pem(fx.ca.cert), .allow_loopback = true };

	return client_with(&opt);
}

static bool
call(struct http_client *c, const char *method, const char *path, struct http_response *ret,
    struct error *err)
{
	struct text url = TEXT_INIT(4096);
	struct http_request req = { .method = method };

	text_printf(&url, "%s%s", fx.url, path);
	req.url = text_get(&url);
	if (strcmp(method, "POST") == 0) {
		req.body = STR("body");
		req.content_type = "text/plain";
	}
	bool ok = http_send(c, &req, ret, err);

	text_free(&url);
	return ok;
}

static void
a_request_and_its_answer(void **state UNUSED)
{
	struct http_client *c = client();
	struct http_response r;
	struct error err = { 0 };

	assert_true(call(c, "POST", "/echo?a=1&b=%20", &r, &err));
	assert_int_equal(r.status, 200);
	assert_int_equal(r.outcome, HTTP_ANSWERED);
	assert_string_equal(text_get(&r.body), "POST body q=a=1&b=%20");
	assert_true(str_is(http_response_header(&r, "Content-Type"), "text/plain"));
	assert_int_equal(r.connects, 1);
	http_response_fini(&r);
	assert_true(call(c, "DELETE", "/echo", &r, &err));
	assert_string_equal(text_get(&r.body), "DELETE  q=");
	assert_int_equal(r.connects, 0);
	http_response_fini(&r);
	assert_true(call(c, "GET", "/nothing", &r, &err));
	assert_int_equal(r.status, 404);
	assert_int_equal(r.outcome, HTTP_ANSWERED);
	http_response_fini(&r);
	http_client_free(c);
}

static void
redirects_are_not_followed(void **state UNUSED)
{
	struct http_client *c = client();
	struct http_response r;
	struct error err = { 0 };

	assert_true(call(c, "GET", "/redirect", &r, &err));
	assert_int_equal(r.status, 302);
	assert_true(str_starts(http_response_header(&r, "location"), STR("https://")));
	http_response_fini(&r);
	http_client_free(c);
}

static void
own_connections_are_used_once(void **state UNUSED)
{
	struct http_client *c = client();
	long seen[4];

	for (int i = 0; i < 4; i++) {
		char url[128];
		struct http_request req = { .method = "POST", .url = url, .own_connection = i < 3 };
		struct http_response r;
		struct error err = { 0 };

		(void)snprintf(url, sizeof(url), "%s/echo", fx.url);
		assert_true(http_send(c, &req, &r, &err));
		assert_int_equal(r.connects, 1);
		seen[i] = atomic_load(&fx.last_connection);
		http_response_fini(&r);
	}
	for (int i = 1; i < 4; i++)
		assert_true(seen[i] > seen[i - 1]);
	http_client_free(c);
}

static void
a_post_that_libcurl_repeats_is_unknown(void **state UNUSED)
{
	struct http_client *c = client();
	struct http_response r;
	struct error err = { 0 };

	assert_true(call(c, "GET", "/echo", &r, &err)); /* a connection to keep */
	http_response_fini(&r);
	atomic_store(&fx.posts, 0);
	assert_true(call(c, "POST", "/drop-first", &r, &err));
	assert_int_equal(atomic_load(&fx.posts), 2); /* the fault is real: sent twice */
	assert_int_equal(r.status, 200);
	assert_int_equal(r.outcome, HTTP_UNKNOWN);
	http_response_fini(&r);
	http_client_free(c);
}

static void
lost_answers_are_unknown(void **state UNUSED)
{
	static const char *const paths[] = { "/drop", "/cut" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct http_client *c = client();
		struct http_response r;
		struct error err = { 0 };

		assert_false(call(c, "POST", paths[i], &r, &err));
		assert_int_equal(err.code, ERR_UNKNOWN_OUTCOME);
		assert_int_equal(r.outcome, HTTP_UNKNOWN);
		http_response_fini(&r);
		assert_false(call(c, "GET", paths[i], &r, &err));
		assert_int_equal(err.code, ERR_NETWORK);
		http_response_fini(&r);
		http_client_free(c);
	}
}

static void
a_server_that_is_not_trusted_gets_nothing(void **state UNUSED)
{
	struct http_client_options opt = { .tls.ca_pem = pem(fx.other_ca.cert),
		.allow_loopback = true };
	struct http_client *c = client_with(&opt);
	struct http_response r;
	struct error err = { 0 };

	atomic_store(&fx.posts, 0);
	assert_false(call(c, "POST", "/echo", &r, &err));
	assert_int_equal(err.code, ERR_TLS);
	assert_int_equal(r.outcome, HTTP_NOT_SENT);
	assert_int_equal(atomic_load(&fx.posts), 0);
	http_response_fini(&r);
	http_client_free(c);
	opt = (struct http_client_options){ .allow_loopback = true }; /* the system's anchors */
	c = client_with(&opt);
	assert_false(call(c, "GET", "/echo", &r, &err));
	assert_int_equal(err.code, ERR_TLS);
	http_response_fini(&r);
	http_client_free(c);
}

static void
server_name_is_what_the_certificate_is_checked_against(void **state UNUSED)
{
	struct http_client_options opt = {
		.tls.ca_pem = pem(fx.ca.cert), .tls.server_name = "sim.test", .allow_loopback = true
	};
	struct http_client *c = client_with(&opt);
	struct http_response r;
	struct error err = { 0 };

	if (!call(c, "GET", "/echo", &r, &err))
		fail_msg("%s", err.message);
	assert_int_equal(r.status, 200);
	http_response_fini(&r);
	http_client_free(c);
	opt.tls.server_name = "other.test";
	c = client_with(&opt);
	assert_false(call(c, "GET", "/echo", &r, &err));
	assert_int_equal(err.code, ERR_TLS);
	http_response_fini(&r);
	http_client_free(c);
}

static void
client_certificates_are_verified(void **state UNUSED)
{
	struct {
		const struct pki *who;
		const char *seen;
	} rows[] = {
		{ &fx.user, "client=O=system:masters,CN=admin" },
		{ &fx.stranger, "client=" },
		{ NULL, "client=" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct http_client_options opt = { .tls.ca_pem = pem(fx.ca.cert),
			.allow_loopback = true };
		struct http_response r;
		struct error err = { 0 };

		if (rows[i].who != NULL) {
			opt.tls.client_cert = pem(rows[i].who->cert);
			opt.tls.client_key = pem(rows[i].who->key);
		}
		struct http_client *c = client_with(&opt);

		if (!call(c, "GET", "/who", &r, &err))
			fail_msg("row %zu: %s", i, err.message);
		assert_string_equal(text_get(&r.body), rows[i].seen);
		http_response_fini(&r);
		http_client_free(c);
	}
}

static void
urls_that_reach_inside_are_refused(void **state UNUSED)
{
	static const char *const urls[] = {
		"https://127.0.0.1:{port}/echo",
		"https://localhost:{port}/echo",
		"https://[::1]:{port}/",
		"https://2130706433:{port}/",
		"https://0x7f000001:{port}/",
		"https://0177.0.0.1:{port}/",
		"https://127.1:{port}/",
		"https://0:{port}/",
		"https://0.0.0.0:{port}/",
		"https://[::]:{port}/",
		"https://[::ffff:127.0.0.1]:{port}/",
		"https://[::ffff:7f00:1]:{port}/",
		"https://[0:0:0:0:0:ffff:127.0.0.1]:{port}/",
		"https://127.0.0.1.:{port}/",
		"https://LOCALHOST:{port}/",
		"https://169.254.169.254/",
		"https://2852039166/",
		"https://0xa9fea9fe/",
		"https://0xa9.254.169.254/",
		"https://[fe80::1]/",
		"https://[fd00:ec2::254]/",
		"https://[::127.0.0.1]:{port}/",
		"http://127.0.0.1:{port}/",
		"ftp://127.0.0.1/",
		"file:///etc/passwd",
		"scp://127.0.0.1/",
		"gopher://127.0.0.1:{port}/",
		"https://user:pw@127.0.0.1:{port}/",
		"https://example.test@127.0.0.1:{port}/",
		"https://127.0.0.1:{port}\r\nHost: x",
		"dict://127.0.0.1:{port}/",
		"telnet://127.0.0.1:{port}/",
		"//127.0.0.1:{port}/",
		"https:127.0.0.1:{port}/",
		"https:///127.0.0.1:{port}/",
		"",
		"https://",
		"https://%31%32%37.0.0.1:{port}/",
		"https://127.0.0.1%00.example.test:{port}/",
		"https://[::ffff:a9fe:a9fe]/",
	};
	struct http_client_options opt = { .tls.ca_pem = pem(fx.ca.cert) };
	struct http_client *c = client_with(&opt);
	long before = atomic_load(&fx.last_connection);

	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		struct text url = TEXT_INIT(256);
		struct http_response r;
		struct error err = { 0 };

		struct str rest = str_from(urls[i]);
		ptrdiff_t port = str_find(rest, STR("{port}"));

		text_add_str(&url, str_sub(rest, 0, port >= 0 ? (size_t)port : rest.n));
		if (port >= 0) {
			text_add_int(&url, server_port(fx.server));
			text_add_str(&url, str_sub(rest, (size_t)port + 6, rest.n));
		}
		struct http_request req = {
			.method = "GET", .url = text_get(&url), .timeout_ms = 3000
		};

		if (http_send(c, &req, &r, &err))
			fail_msg("%s was answered", text_get(&url));
		if (r.outcome != HTTP_NOT_SENT)
			fail_msg("%s was sent", text_get(&url));
		http_response_fini(&r);
		text_free(&url);
	}
	assert_int_equal(atomic_load(&fx.last_connection), before);
	http_client_free(c);
}

static void
headers_with_line_breaks_are_refused(void **state UNUSED)
{
	static const struct str values[] = { { "a\r\nX: y", 7 }, { "a\nb", 3 }, { "a\rb", 3 },
		{ "a\0b", 3 } };
	struct http_client *c = client();
	char url[128];

	(void)snprintf(url, sizeof(url), "%s/header", fx.url);
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		struct http_header h = { "X-Test", values[i] };
		struct http_request req = {
			.method = "GET", .url = url, .headers = &h, .nheaders = 1
		};
		struct http_response r;
		struct error err = { 0 };

		assert_false(http_send(c, &req, &r, &err));
		assert_int_equal(err.code, ERR_INVALID);
		http_response_fini(&r);
		req = (struct http_request){ .method = "GET", .url = url, .bearer = values[i] };
		assert_false(http_send(c, &req, &r, &err));
		http_response_fini(&r);
	}
	struct http_header good = { "X-Test", STR("value") };
	struct http_header bad = { "X Test", STR("value") };
	struct http_request req = { .method = "GET", .url = url, .headers = &bad, .nheaders = 1 };
	struct http_response r;
	struct error err = { 0 };

	assert_false(http_send(c, &req, &r, &err));
	http_response_fini(&r);
	req.headers = &good;
	assert_true(http_send(c, &req, &r, &err));
	assert_string_equal(text_get(&r.body), "value");
	assert_true(str_is(http_response_header(&r, "x-other"), "spaced"));
	assert_int_equal(http_retry_after_ms(&r), 7000);
	http_response_fini(&r);
	http_client_free(c);
}

static void
a_body_beyond_the_cap_is_refused(void **state UNUSED)
{
	struct http_client *c = client();
	char url[128];
	struct http_request req = { .method = "GET", .url = url };
	struct http_response r;
	struct error err = { 0 };

	(void)snprintf(url, sizeof(url), "%s/big", fx.url);
	req.max_body = 9999;
	assert_false(http_send(c, &req, &r, &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	assert_int_equal(r.body.n, 0);
	http_response_fini(&r);
	req.max_body = 10000;
	assert_true(http_send(c, &req, &r, &err));
	assert_int_equal(r.body.n, 10000);
	http_response_fini(&r);
	http_client_free(c);
}

static void
a_request_body_beyond_the_cap_is_413(void **state UNUSED)
{
	struct http_client *c = client();
	char url[128];
	char *bytes = mem_new(SERVER_MAX_BODY + 1);
	struct http_request req = {
		.method = "PUT", .url = url, .body = { bytes, SERVER_MAX_BODY + 1 }
	};
	struct http_response r;
	struct error err = { 0 };

	(void)snprintf(url, sizeof(url), "%s/none", fx.url);
	memset(bytes, 'x', SERVER_MAX_BODY + 1);
	/* the server answers before it has read all: either the 413 or a broken pipe */
	if (http_send(c, &req, &r, &err))
		assert_int_equal(r.status, 413);
	http_response_fini(&r);
	req.body.n = SERVER_MAX_BODY;
	assert_true(http_send(c, &req, &r, &err));
	assert_int_equal(r.status, 404);
	http_response_fini(&r);
	mem_free(bytes);
	http_client_free(c);
}

static bool
collect(void *context, struct str bytes)
{
	text_add_str(context, bytes);
	return true;
}

static bool
stop_at_once(void *context, struct str bytes)
{
	text_add_str(context, bytes);
	return false;
}

static void
streams_give_bytes_as_they_come(void **state UNUSED)
{
	struct http_client *c = client();
	char url[128];
	struct http_request req = { .method = "GET", .url = url };
	struct text got = TEXT_INIT(4096);
	struct http_response r;
	struct error err = { 0 };

	(void)snprintf(url, sizeof(url), "%s/lines", fx.url);
	assert_true(http_stream(c, &req, collect, &got, &r, &err));
	assert_string_equal(text_get(&got), "line 3\nline 2\nline 1\n");
	http_response_fini(&r);
	text_clear(&got);
	atomic_store(&fx.streaming, 0);
	(void)snprintf(url, sizeof(url), "%s/endless", fx.url);
	assert_true(http_stream(c, &req, stop_at_once, &got, &r, &err));
	assert_string_equal(text_get(&got), "first\n");
	http_response_fini(&r);
	text_clear(&got);
	(void)snprintf(url, sizeof(url), "%s/nothing", fx.url);
	assert_true(http_stream(c, &req, collect, &got, &r, &err));
	assert_int_equal(r.status, 404);
	assert_int_equal(got.n, 0);
	assert_string_equal(text_get(&r.body), "no such path");
	http_response_fini(&r);
	text_free(&got);
	http_client_free(c);
}

static void *
cancel_soon(void *context)
{
	struct timespec ts = { .tv_nsec = 50 * 1000 * 1000 };

	(void)nanosleep(&ts, NULL);
	http_client_cancel(context);
	return NULL;
}

static int64_t
now_ms(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void
cancel_ends_a_running_request(void **state UNUSED)
{
	struct http_client *c = client();
	struct http_response r;
	struct error err = { 0 };
	pthread_t t;
	int64_t began = now_ms();

	assert_int_equal(pthread_create(&t, NULL, cancel_soon, c), 0);
	assert_false(call(c, "GET", "/slow", &r, &err));
	assert_int_equal(err.code, ERR_CANCELED);
	assert_true(now_ms() - began < 1000);
	(void)pthread_join(t, NULL);
	http_response_fini(&r);
	assert_false(call(c, "GET", "/echo", &r, &err)); /* sticky */
	assert_int_equal(err.code, ERR_CANCELED);
	assert_int_equal(r.outcome, HTTP_NOT_SENT);
	http_response_fini(&r);
	http_client_free(c);
}

static void
a_slow_answer_times_out(void **state UNUSED)
{
	struct http_client *c = client();
	char url[128];
	struct http_request req = { .method = "GET", .url = url, .timeout_ms = 100 };
	struct http_response r;
	struct error err = { 0 };

	(void)snprintf(url, sizeof(url), "%s/slow", fx.url);
	assert_false(http_send(c, &req, &r, &err));
	assert_int_equal(err.code, ERR_TIMEOUT);
	assert_int_equal(r.outcome, HTTP_UNKNOWN);
	http_response_fini(&r);
	http_client_free(c);
}

static void
retry_after_reads_both_forms(void **state UNUSED)
{
	static const struct {
		const char *headers;
		int64_t ms;
	} rows[] = {
		{ "", -1 },
		{ "retry-after: 5\n", 5000 },
		{ "retry-after: 0\n", 0 },
		{ "retry-after: -5\n", -1 },
		{ "retry-after: soon\n", -1 },
		{ "retry-after: 99999999999\n", 86400000 },
		{ "date: Mon, 30 Nov 2026 16:00:00 GMT\nretry-after: Mon, 30 Nov 2026 16:01:30 "
		  "GMT\n",
		    90000 },
		{ "date: Mon, 30 Nov 2026 16:00:00 GMT\nretry-after: Mon, 30 Nov 2026 15:01:30 "
		  "GMT\n",
		    0 },
		{ "retry-after: Mon, 30 Nov 2026 16:01:30 GMT\n", -1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct http_response r = { .headers = TEXT_INIT(1024) };

		text_add(&r.headers, rows[i].headers);
		if (http_retry_after_ms(&r) != rows[i].ms)
			fail_msg("row %zu gave %lld", i, (long long)http_retry_after_ms(&r));
		http_response_fini(&r);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_and_its_answer),
		cmocka_unit_test(redirects_are_not_followed),
		cmocka_unit_test(own_connections_are_used_once),
		cmocka_unit_test(a_post_that_libcurl_repeats_is_unknown),
		cmocka_unit_test(lost_answers_are_unknown),
		cmocka_unit_test(a_server_that_is_not_trusted_gets_nothing),
		cmocka_unit_test(server_name_is_what_the_certificate_is_checked_against),
		cmocka_unit_test(client_certificates_are_verified),
		cmocka_unit_test(urls_that_reach_inside_are_refused),
		cmocka_unit_test(headers_with_line_breaks_are_refused),
		cmocka_unit_test(a_body_beyond_the_cap_is_refused),
		cmocka_unit_test(a_request_body_beyond_the_cap_is_413),
		cmocka_unit_test(streams_give_bytes_as_they_come),
		cmocka_unit_test(cancel_ends_a_running_request),
		cmocka_unit_test(a_slow_answer_times_out),
		cmocka_unit_test(retry_after_reads_both_forms),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
