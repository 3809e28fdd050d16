#include "backend/kube/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/net/server.h"
#include "model/base/mem.h"
#include "tests/unit/backend/store/tempdir.h"

/*
 * The client against a server that misbehaves on purpose: a script of answers, the n-th request
 * gets the n-th (the last one again and again). Every path of a request is kept.
 */

enum { MAX_STEPS = 16, MAX_SEEN = 4096 };

struct step {
	int status;
	const char *body;
	bool drop;
	size_t cut_after;
	const char *stream; /* sent, then silence until `hold` is false */
	bool hold;
};

static struct {
	char dir[TEMPDIR_MAX];
	char socket[TEMPDIR_MAX + 16];
	struct server *server;
	struct step steps[MAX_STEPS];
	size_t nsteps;
	atomic_int at;
	char seen[MAX_STEPS * 4][256];
} fake;

struct held {
	const char *text;
	bool hold;
	bool sent;
};

static bool
held_stream(void *context, const volatile bool *stopping, struct text *out)
{
	struct held *h = context;
	struct timespec ts = { .tv_nsec = 20 * 1000 * 1000 };

	if (!h->sent) {
		h->sent = true;
		text_add(out, h->text);
		return true;
	}
	if (!h->hold || __atomic_load_n(stopping, __ATOMIC_ACQUIRE))
		return false;
	(void)nanosleep(&ts, NULL);
	return true;
}

static void
held_end(void *context)
{
	mem_free(context);
}

static void
answer(void *context, const struct server_request *req, struct server_response *res)
{
	int n = atomic_fetch_add(&fake.at, 1);
	size_t i = (size_t)n < fake.nsteps ? (size_t)n : fake.nsteps - 1;
	const struct step *s = &fake.steps[i];

	(void)context;
	if ((size_t)n < ARRAY_LEN(fake.seen))
		(void)snprintf(fake.seen[n], sizeof(fake.seen[n]), "%s %.100s?%.140s", req->method,
		    req->path, server_request_raw_query(req));
	res->status = s->status;
	res->content_type = "application/json";
	res->drop = s->drop;
	res->cut_after = s->cut_after;
	res->body = (struct text)TEXT_INIT(1024 * 1024);
	if (s->stream != NULL) {
		struct held *h = mem_new(sizeof(*h));

		h->text = s->stream;
		h->hold = s->hold;
		res->stream = held_stream;
		res->stream_end = held_end;
		res->stream_context = h;
		return;
	}
	text_add(&res->body, s->body);
}

static void
must(bool ok, const struct error *err)
{
	if (!ok)
		fail_msg("%s", err->message);
}

static int
start(void **state UNUSED)
{
	struct server_options so = { .unix_socket = fake.socket, .handle = answer };
	struct error err = { 0 };

	tempdir_make(fake.dir);
	(void)snprintf(fake.socket, sizeof(fake.socket), "%s/s", fake.dir);
	must(server_start(&so, &fake.server, &err), &err);
	return 0;
}

static int
stop(void **state UNUSED)
{
	server_stop(fake.server);
	tempdir_remove(fake.dir);
	return 0;
}

static void
script(const struct step *steps, size_t n)
{
	memset(fake.seen, 0, sizeof(fake.seen));
	atomic_store(&fake.at, 0);
	memcpy(fake.steps, steps, n * sizeof(*steps));
	fake.nsteps = n;
}

static struct kube_client *
client(void)
{
	struct kube_options ko = { .unix_socket = fake.socket, .manager = "test" };
	struct kube_client *c = NULL;
	struct error err = { 0 };

	must(kube_client_new(&ko, &c, &err), &err);
	return c;
}

#define ITEM(name, version)                                                                        \
	"{\"metadata\":{\"name\":\"" name "\",\"resourceVersion\":\"" version "\"}}"
#define PAGE(items, next)                                                                          \
	"{\"kind\":\"NodeList\",\"metadata\":{\"resourceVersion\":\"10\",\"continue\":\"" next     \
	"\"},\"items\":[" items "]}"

static bool
list(struct kube_client *c, struct arena *a, size_t *ret_n, int64_t *ret_version, struct error *err)
{
	struct node *items = NULL;
	bool ok = kube_list(c, a, kube_resource("Node"), NULL, &items, ret_version, err);

	*ret_n = node_count(items);
	if (ok && *ret_n > 0)
		assert_true(str_is(node_path_str(node_first(items), "kind"), "Node"));
	return ok;
}

static void
all_pages_are_read(void **state UNUSED)
{
	const struct step steps[] = {
		{ .status = 200, .body = PAGE(ITEM("a", "1") "," ITEM("b", "2"), "t1") },
		{ .status = 200, .body = PAGE("", "t2") }, /* an empty page is not the end */
		{ .status = 200, .body = PAGE(ITEM("c", "3"), "") },
	};
	struct kube_client *c = client();
	struct arena *a = arena_new(16 * 1024 * 1024);
	struct error err = { 0 };
	size_t n = 0;
	int64_t version = 0;

	script(steps, ARRAY_LEN(steps));
	must(list(c, a, &n, &version, &err), &err);
	assert_int_equal(n, 3);
	assert_int_equal(version, 10);
	assert_string_equal(fake.seen[0], "GET /api/v1/nodes?limit=500");
	assert_string_equal(fake.seen[2], "GET /api/v1/nodes?limit=500&continue=t2");
	arena_free(a);
	kube_client_free(c);
}

static void
a_token_that_repeats_ends_with_an_error(void **state UNUSED)
{
	const struct step steps[] = { { .status = 200, .body = PAGE(ITEM("a", "1"), "same") } };
	struct kube_client *c = client();
	struct arena *a = arena_new(16 * 1024 * 1024);
	struct error err = { 0 };
	size_t n = 0;
	int64_t version = 0;

	script(steps, ARRAY_LEN(steps));
	assert_false(list(c, a, &n, &version, &err));
	assert_int_equal(err.code, ERR_INVALID);
	assert_int_equal(atomic_load(&fake.at), 2);
	arena_free(a);
	kube_client_free(c);
}

static void
an_expired_token_begins_again(void **state UNUSED)
{
	const struct step steps[] = {
		{ .status = 200, .body = PAGE(ITEM("a", "1"), "t1") },
		{ .status = 410,
		    .body = "{\"kind\":\"Status\",\"reason\":\"Expired\",\"code\":410}" },
		{ .status = 200, .body = PAGE(ITEM("a", "1") "," ITEM("b", "2"), "") },
	};
	struct kube_client *c = client();
	struct arena *a = arena_new(16 * 1024 * 1024);
	struct error err = { 0 };
	size_t n = 0;
	int64_t version = 0;

	script(steps, ARRAY_LEN(steps));
	must(list(c, a, &n, &version, &err), &err);
	assert_int_equal(n, 2);
	assert_string_equal(fake.seen[2], "GET /api/v1/nodes?");
	arena_free(a);
	kube_client_free(c);
}

static void
a_cut_list_is_repeated_in_smaller_pages(void **state UNUSED)
{
	const struct step steps[] = {
		{ .status = 200, .body = PAGE(ITEM("a", "1"), ""), .cut_after = 20 },
		{ .status = 200, .body = PAGE(ITEM("a", "1"), "") },
	};
	struct kube_client *c = client();
	struct arena *a = arena_new(16 * 1024 * 1024);
	struct error err = { 0 };
	size_t n = 0;
	int64_t version = 0;

	script(steps, ARRAY_LEN(steps));
	must(list(c, a, &n, &version, &err), &err);
	assert_int_equal(n, 1);
	assert_string_equal(fake.seen[1], "GET /api/v1/nodes?limit=100");
	arena_free(a);
	kube_client_free(c);
}

static void
a_lost_create_is_unknown(void **state UNUSED)
{
	const struct step steps[] = { { .status = 200, .body = "{}", .drop = true } };
	struct kube_client *c = client();
	struct arena *a = arena_new(16 * 1024 * 1024);
	struct node *n = node_map(a);
	struct error err = { 0 };

	script(steps, ARRAY_LEN(steps));
	node_set_strz(a, node_make_path(a, n, "metadata"), "generateName", "x-");
	assert_false(kube_create(c, a, kube_resource("Node"), n, NULL, &err));
	assert_int_equal(err.code, ERR_UNKNOWN_OUTCOME);
	assert_int_equal(atomic_load(&fake.at), 1);
	arena_free(a);
	kube_client_free(c);
}

static void
names_that_are_paths_are_not_sent(void **state UNUSED)
{
	static const char *const names[] = { "a/b", "..", ".", "../../secrets/x" };
	const struct step steps[] = { { .status = 200, .body = "{}" } };
	struct kube_client *c = client();
	struct arena *a = arena_new(1024 * 1024);

	script(steps, ARRAY_LEN(steps));
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct node *n = NULL;
		struct error err = { 0 };

		assert_false(kube_get(
		    c, a, kube_resource("Secret"), STR("x"), str_from(names[i]), &n, &err));
		assert_false(kube_get(
		    c, a, kube_resource("Secret"), str_from(names[i]), STR("x"), &n, &err));
		assert_false(kube_delete(
		    c, kube_resource("Secret"), STR("x"), str_from(names[i]), NULL, &err));
	}
	assert_int_equal(atomic_load(&fake.at), 0);
	arena_free(a);
	kube_client_free(c);
}

#define EVENT(type, name, version) "{\"type\":\"" type "\",\"object\":" ITEM(name, version) "}\n"

static struct store *
store_of(struct kube_client **take)
{
	struct store *st = NULL;
	struct error err = { 0 };

	must(remote_store_new(take, &st, &err), &err);
	return st;
}

static void
next(struct watch *w, enum watch_event_type type, int64_t version)
{
	struct watch_event e = { 0 };
	struct error err = { 0 };

	/* what goes wrong on the way is told once and mended by asking again */
	for (int i = 0; i < 20; i++) {
		if (watch_next(w, 2000, &e, &err))
			break;
		if (err.code == ERR_TIMEOUT)
			fail_msg("no event");
	}
	assert_int_equal(e.type, type);
	assert_int_equal(e.version, version);
	object_unref(e.object);
}

static void
a_watch_goes_on_from_where_it_was_cut(void **state UNUSED)
{
	const struct step steps[] = {
		{ .status = 200, .stream = EVENT("ADDED", "a", "11") EVENT("BOOKMARK", "", "12") },
		{ .status = 503, .body = "busy" },
		{ .status = 200, .stream = EVENT("MODIFIED", "a", "13") "{\"type\":\"ADD" },
		{ .status = 200, .stream = EVENT("DELETED", "a", "14"), .hold = true },
	};
	struct kube_client *c = client();
	struct store *st = store_of(&c);
	struct watch *w = NULL;
	struct error err = { 0 };

	script(steps, ARRAY_LEN(steps));
	must(store_watch(st, kube_resource("Node"), NULL, 10, &w, &err), &err);
	next(w, WATCH_ADDED, 11);
	next(w, WATCH_BOOKMARK, 12);
	next(w, WATCH_MODIFIED, 13);
	next(w, WATCH_DELETED, 14);
	assert_non_null(strstr(fake.seen[0], "resourceVersion=10"));
	assert_non_null(strstr(fake.seen[0], "allowWatchBookmarks=true&timeoutSeconds=300"));
	assert_non_null(strstr(fake.seen[1], "resourceVersion=12"));
	assert_non_null(strstr(fake.seen[3], "resourceVersion=13"));
	watch_free(w);
	store_close(st);
}

static void
gone_comes_both_ways_and_stays(void **state UNUSED)
{
	const struct step ways[] = {
		{ .status = 410,
		    .body = "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}" },
		{ .status = 200,
		    .stream =
			"{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		struct kube_client *c = client();
		struct store *st = store_of(&c);
		struct watch *w = NULL;
		struct error err = { 0 };

		script(&ways[i], 1);
		must(store_watch(st, kube_resource("Node"), NULL, 5, &w, &err), &err);
		next(w, WATCH_GONE, 5);
		next(w, WATCH_GONE, 5);
		assert_int_equal(atomic_load(&fake.at), 1);
		watch_free(w);
		store_close(st);
	}
}

static void
a_watch_from_zero_lists_first(void **state UNUSED)
{
	const struct step steps[] = {
		{ .status = 200, .body = PAGE(ITEM("a", "3") "," ITEM("b", "4"), "") },
		{ .status = 200, .stream = EVENT("MODIFIED", "b", "11"), .hold = true },
	};
	struct kube_client *c = client();
	struct store *st = store_of(&c);
	struct watch *w = NULL;
	struct error err = { 0 };

	script(steps, ARRAY_LEN(steps));
	must(store_watch(st, kube_resource("Node"), NULL, 0, &w, &err), &err);
	next(w, WATCH_ADDED, 3);
	next(w, WATCH_ADDED, 4);
	next(w, WATCH_BOOKMARK, 10);
	next(w, WATCH_MODIFIED, 11);
	assert_non_null(strstr(fake.seen[1], "resourceVersion=10"));
	watch_free(w);
	store_close(st);
}

static void
a_server_that_ends_at_once_is_not_asked_in_a_loop(void **state UNUSED)
{
	const struct step steps[] = { { .status = 200, .stream = "" } };
	struct kube_client *c = client();
	struct store *st = store_of(&c);
	struct watch *w = NULL;
	struct watch_event e;
	struct error err = { 0 };

	script(steps, ARRAY_LEN(steps));
	must(store_watch(st, kube_resource("Node"), NULL, 5, &w, &err), &err);
	assert_false(watch_next(w, 1000, &e, &err));
	assert_int_equal(err.code, ERR_TIMEOUT);
	assert_true(atomic_load(&fake.at) < 8);
	watch_free(w);
	store_close(st);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_pages_are_read),
		cmocka_unit_test(a_token_that_repeats_ends_with_an_error),
		cmocka_unit_test(an_expired_token_begins_again),
		cmocka_unit_test(a_cut_list_is_repeated_in_smaller_pages),
		cmocka_unit_test(a_lost_create_is_unknown),
		cmocka_unit_test(names_that_are_paths_are_not_sent),
		cmocka_unit_test(a_watch_goes_on_from_where_it_was_cut),
		cmocka_unit_test(gone_comes_both_ways_and_stays),
		cmocka_unit_test(a_watch_from_zero_lists_first),
		cmocka_unit_test(a_server_that_ends_at_once_is_not_asked_in_a_loop),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
