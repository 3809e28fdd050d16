#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/apiserver/apiserver.h"
#include "backend/kube/client.h"
#include "backend/runtime/clock.h"
#include "backend/store/embedded.h"
#include "tests/unit/backend/store/conformance.h"
#include "tests/unit/backend/store/tempdir.h"

/* remote store ── Unix socket ── API server ── embedded store in memory */
struct chain {
	bool validate;
	char dir[TEMPDIR_MAX];
	char socket[TEMPDIR_MAX + 16];
	struct clock *clock;
	struct store *embedded;
	struct apiserver *api;
	struct server *server;
};

static enum role
everybody_is_admin(void *context, const struct server_request *req, char *user, size_t size)
{
	(void)context;
	assert_int_equal(req->peer_uid, getuid());
	(void)snprintf(user, size, "tester");
	return ROLE_ADMIN;
}

static void
must(bool ok, const struct error *err)
{
	if (!ok)
		fail_msg("%s", err->message);
}

static struct store *
attach(const struct chain *c)
{
	struct kube_options ko = { .unix_socket = c->socket, .manager = "test" };
	struct kube_client *client = NULL;
	struct store *st = NULL;
	struct error err = { 0 };

	must(kube_client_new(&ko, &client, &err), &err);
	must(remote_store_new(&client, &st, &err), &err);
	assert_null(client);
	return st;
}

static void
namespace_make(struct store *st, const char *name)
{
	const struct resource *res = kube_resource("Namespace");
	struct arena *a = arena_new(1024 * 1024);
	struct node *n = node_map(a);
	struct actor actor = { .manager = "test", .user = "test", .from = "" };
	struct error err = { 0 };

	node_set_strz(a, n, "apiVersion", "v1");
	node_set_strz(a, n, "kind", "Namespace");
	node_set_strz(a, node_make_path(a, n, "metadata"), "name", name);
	must(store_create(st, res, n, &actor, NULL, &err), &err);
	arena_free(a);
}

/* Those that the suite uses. */
static const char *const namespaces[] = { "ml", "other", "zz" };

static struct store *
fresh(void *ctx)
{
	struct chain *c = ctx;
	struct error err = { 0 };
	struct embedded_options eo = { .accept_any_kind = !c->validate };

	tempdir_make(c->dir);
	(void)snprintf(c->socket, sizeof(c->socket), "%s/s", c->dir);
	c->clock = clock_new_manual(INT64_C(1764500000000));
	eo.clock = c->clock;
	must(embedded_open(&eo, &c->embedded, &err), &err);
	struct apiserver_options ao = { .store = c->embedded,
		.clock = c->clock,
		.auth = everybody_is_admin,
		.validate = c->validate };

	must(apiserver_new(&ao, &c->api, &err), &err);
	struct server_options so = {
		.unix_socket = c->socket, .handle = apiserver_handle, .context = c->api
	};

	must(server_start(&so, &c->server, &err), &err);
	for (size_t i = 0; !c->validate && i < ARRAY_LEN(namespaces); i++)
		namespace_make(c->embedded, namespaces[i]);
	return attach(c);
}

static void
done(void *ctx, struct store *st)
{
	struct chain *c = ctx;

	store_close(st);
	server_stop(c->server);
	apiserver_free(c->api);
	store_close(c->embedded);
	clock_free(c->clock);
	tempdir_remove(c->dir);
}

static struct chain all_kinds = { .validate = true };

static void
must_create(struct store *st, struct arena *a, const char *json)
{
	static const struct actor actor = { .manager = "test", .user = "test", .from = "" };
	struct node *n = NULL;
	struct error err = { 0 };

	must(json_parse(a, str_from(json), &n, &err), &err);
	const struct kind *k = kind_find(node_path_str(n, "apiVersion"), node_path_str(n, "kind"));

	must(store_create(st, resource_of(k), n, &actor, NULL, &err), &err);
}

static void
one_watch_sees_every_kind(void **state UNUSED)
{
	static const char *const made[] = {
		"{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"a\"}}",
		"{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\","
		"\"namespace\":\"a\"}}",
		"{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"b\"}}",
		"{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"c\"}}",
	};
	struct store *st = fresh(&all_kinds);
	struct arena *a = arena_new(1024 * 1024);
	struct watch *w = NULL;
	struct error err = { 0 };
	struct watch_event last = { 0 };
	size_t seen = 0;
	size_t secrets = 0;

	must_create(st, a, made[0]); /* before it begins */
	must(store_watch(st, NULL, NULL, 0, &w, &err), &err);
	must_create(st, a, made[1]);
	must_create(st, a, made[2]);
	/* in which order is the server's choice: they may all be there when it begins */
	while (seen < 3) {
		struct watch_event e = { 0 };

		must(watch_next(w, 5000, &e, &err), &err);
		if (e.type == WATCH_BOOKMARK)
			continue;
		assert_int_equal(e.type, WATCH_ADDED);
		secrets += strcmp(e.object->res->kind, "Secret") == 0 ? 1 : 0;
		object_unref(e.object);
		seen++;
	}
	assert_int_equal(secrets, 1);
	assert_false(watch_next(w, 50, &(struct watch_event){ 0 }, &err));
	must_create(st, a, made[3]);
	must(watch_next(w, 5000, &last, &err), &err);
	assert_string_equal(last.object->res->kind, "Namespace");
	assert_true(str_is(last.object->name, "c"));
	object_unref(last.object);
	watch_free(w);
	arena_free(a);
	done(&all_kinds, st);
}

/* The owner ends and another one takes over: clients attach again by themselves. */
static void
a_store_survives_its_server(void **state UNUSED)
{
	struct store *st = fresh(&all_kinds);
	struct arena *a = arena_new(1024 * 1024);
	struct server_options so = { .unix_socket = all_kinds.socket, .handle = apiserver_handle };
	struct watch *w = NULL;
	struct watch_event e = { 0 };
	struct error err = { 0 };

	must(store_watch(st, resource_of(kind_find_word(STR("ns"))), NULL, 0, &w, &err), &err);
	must(watch_next(w, 5000, &e, &err), &err);
	assert_int_equal(e.type, WATCH_BOOKMARK);
	while (watch_next(w, 50, &e, &err)) /* now it streams */
		assert_int_equal(e.type, WATCH_BOOKMARK);
	server_stop(all_kinds.server);
	assert_false(watch_next(w, 300, &e, &err));
	so.context = all_kinds.api;
	must(server_start(&so, &all_kinds.server, &err), &err);
	must_create(
	    st, a, "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"n\"}}");
	for (int i = 0; i < 50 && !watch_next(w, 1000, &e, &err); i++)
		assert_int_not_equal(err.code, ERR_INTERNAL);
	assert_int_equal(e.type, WATCH_ADDED);
	assert_true(str_is(e.object->name, "n"));
	object_unref(e.object);
	watch_free(w);
	arena_free(a);
	done(&all_kinds, st);
}

int
main(void)
{
	const struct CMUnitTest own[] = {
		cmocka_unit_test(one_watch_sees_every_kind),
		cmocka_unit_test(a_store_survives_its_server),
	};
	struct chain owner = { .validate = true };
	struct chain cluster = { .validate = false };
	const struct conformance ways[] = {
		{ fresh, done, &owner },
		{ fresh, done, &cluster },
	};
	int failed = cmocka_run_group_tests(own, NULL, NULL);

	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		failed += conformance_run(&ways[i]);
	return failed;
}
