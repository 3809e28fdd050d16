#include "backend/net/server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/net/http.h"
#include "backend/net/server_int.h"
#include "model/base/mem.h"

static char dir[64];
static char path[128];
static atomic_int ended;

static int
make_dir(void **state UNUSED)
{
	(void)snprintf(dir, sizeof(dir), "/tmp/fd-server-XXXXXX");
	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/sock", dir);
	return 0;
}

static int
drop_dir(void **state UNUSED)
{
	(void)unlink(path);
	(void)rmdir(dir);
	return 0;
}

static bool
silence(void *context UNUSED, const volatile bool *stopping, struct text *out)
{
	struct timespec ts = { .tv_nsec = 50 * 1000 * 1000 };

	if (__atomic_load_n(stopping, __ATOMIC_ACQUIRE))
		return false;
	if (atomic_exchange((atomic_int *)context, 1) == 0)
		text_add(out, "open\n");
	else
		(void)nanosleep(&ts, NULL);
	return true;
}

static void
silence_ended(void *context UNUSED)
{
	atomic_fetch_add(&ended, 1);
}

static void
answer(void *context, const struct server_request *req, struct server_response *res)
{
	static atomic_int opened;

	(void)context;
	res->body = (struct text)TEXT_INIT(4096);
	if (strcmp(req->path, "/stream") == 0) {
		atomic_store(&opened, 0);
		res->stream = silence;
		res->stream_end = silence_ended;
		res->stream_context = &opened;
		return;
	}
	const char *q = server_request_query(req, "q");

	text_printf(&res->body, "%s|%s|%d|%d", req->path, q != NULL ? q : "-",
	    req->peer_uid == getuid(), req->peer_pid == getpid());
}

static struct server *
start(void)
{
	struct server_options opt = { .unix_socket = path, .handle = answer };
	struct server *s = NULL;
	struct error err = { 0 };

	if (!server_start(&opt, &s, &err))
		fail_msg("%s", err.message);
	return s;
}

static void
get(const char *target, int status, const char *body)
{
	struct http_client_options opt = { .unix_socket = path };
	struct http_client *c = NULL;
	struct http_response r;
	struct error err = { 0 };
	char url[256];

	(void)snprintf(url, sizeof(url), "http://unix%s", target);
	struct http_request req = { .method = "GET", .url = url };

	assert_true(http_client_new(&opt, &c, &err));
	if (!http_send(c, &req, &r, &err))
		fail_msg("%s: %s", target, err.message);
	assert_int_equal(r.status, status);
	assert_string_equal(text_get(&r.body), body);
	http_response_fini(&r);
	http_client_free(c);
}

static void
a_unix_socket_says_who_asks(void **state UNUSED)
{
	struct server *s = start();
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	get("/a%20b/c?q=x+y%2Bz&&", 200, "/a b/c|x y+z|1|1");
	get("/plain", 200, "/plain|-|1|1");
	get("/?q=", 200, "/||1|1");
	get("/bad%00path", 400, "bad request target\n");
	get("/bad%zz", 400, "bad request target\n");
	get("/bad%4", 400, "bad request target\n");
	get("/x?q=%00", 400, "bad request target\n");
	get("/bad%ff", 400, "bad request target\n");
	server_stop(s);
	assert_int_not_equal(stat(path, &st), 0);
}

static void
a_living_socket_is_not_taken(void **state UNUSED)
{
	struct server *s = start();
	struct server *second = NULL;
	struct server_options opt = { .unix_socket = path, .handle = answer };
	struct error err = { 0 };

	assert_false(server_start(&opt, &second, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	get("/still", 200, "/still|-|1|1");
	server_stop(s);
}

static void
a_dead_socket_is_replaced(void **state UNUSED)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	memcpy(un.sun_path, path, strlen(path));
	assert_int_equal(bind(fd, (const struct sockaddr *)&un, sizeof(un)), 0);
	(void)close(fd);
	struct server *s = start();

	get("/new", 200, "/new|-|1|1");
	server_stop(s);
}

static int64_t
now_ms(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static bool
keep(void *context, struct str bytes)
{
	text_add_str(context, bytes);
	return true;
}

static void
it_stops_at_once_with_streams_open(void **state UNUSED)
{
	struct server *s = start();
	struct http_client_options opt = { .unix_socket = path };
	struct http_request req = { .method = "GET", .url = "http://unix/stream" };
	struct http_client *c[3] = { NULL };
	struct text got[3] = { TEXT_INIT(64), TEXT_INIT(64), TEXT_INIT(64) };
	struct http_response r[3];
	struct error err = { 0 };
	bool over = false;

	atomic_store(&ended, 0);
	for (int i = 0; i < 3; i++) {
		assert_true(http_client_new(&opt, &c[i], &err));
		assert_true(http_stream_open(c[i], &req, keep, &got[i], &r[i], &err));
		for (int round = 0; round < 100 && got[i].n == 0; round++)
			assert_true(http_stream_step(c[i], 100, &over, &err));
		assert_string_equal(text_get(&got[i]), "open\n");
	}
	int64_t began = now_ms();

	server_stop(s);
	assert_true(now_ms() - began < 1000);
	assert_int_equal(atomic_load(&ended), 3);
	for (int i = 0; i < 3; i++) {
		over = false;
		for (int round = 0; round < 100 && !over; round++) {
			if (!http_stream_step(c[i], 100, &over, &err))
				assert_true(over);
		}
		assert_true(over);
		http_stream_close(c[i]);
		http_response_fini(&r[i]);
		http_client_free(c[i]);
		text_free(&got[i]);
	}
}

/* Needs another user's directory, so it runs as root alone. */
static void
a_socket_of_somebody_else_gets_nothing(void **state UNUSED)
{
	struct http_client_options opt = { .unix_socket = path };
	struct http_request req = { .method = "GET", .url = "http://unix/x" };
	struct http_client *c = NULL;
	struct http_response r;
	struct error err = { 0 };

	if (getuid() != 0)
		skip();
	struct server *s = start();

	assert_int_equal(chown(dir, 12345, (gid_t)-1), 0);
	assert_true(http_client_new(&opt, &c, &err));
	assert_false(http_send(c, &req, &r, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	assert_int_equal(r.outcome, HTTP_NOT_SENT);
	http_response_fini(&r);
	assert_int_equal(chown(dir, 0, (gid_t)-1), 0);
	assert_true(http_send(c, &req, &r, &err));
	assert_int_equal(r.status, 200);
	http_response_fini(&r);
	http_client_free(c);
	server_stop(s);
}

static void
a_path_too_long_for_a_socket_is_named(void **state UNUSED)
{
	char much[200];
	struct server_options opt = { .unix_socket = much, .handle = answer };
	struct server *s = NULL;
	struct error err = { 0 };

	memset(much, 'x', sizeof(much));
	much[0] = '/';
	much[108] = '\0';
	assert_false(server_start(&opt, &s, &err));
	assert_int_equal(err.code, ERR_INVALID);
	assert_non_null(strstr(err.message, "107"));
}

static void
queries_have_a_limit(void **state UNUSED)
{
	struct arena *a = arena_new(1024 * 1024);
	struct server_param *params = NULL;
	struct text q = TEXT_INIT(8192);

	for (int i = 0; i < SERVER_MAX_PARAMS; i++)
		text_printf(&q, "&k%d=%d", i, i);
	assert_true(query_parse(a, text_str(&q), &params));
	assert_string_equal(query_find(params, "k255"), "255");
	assert_null(query_find(params, "k256"));
	text_add(&q, "&last=1");
	assert_false(query_parse(a, text_str(&q), &params));
	text_free(&q);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_unix_socket_says_who_asks),
		cmocka_unit_test(a_living_socket_is_not_taken),
		cmocka_unit_test(a_dead_socket_is_replaced),
		cmocka_unit_test(it_stops_at_once_with_streams_open),
		cmocka_unit_test(a_socket_of_somebody_else_gets_nothing),
		cmocka_unit_test(a_path_too_long_for_a_socket_is_named),
		cmocka_unit_test(queries_have_a_limit),
	};

	return cmocka_run_group_tests(tests, make_dir, drop_dir);
}
