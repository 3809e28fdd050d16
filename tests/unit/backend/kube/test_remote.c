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

int
main(void)
{
	struct chain owner = { .validate = true };
	struct chain cluster = { .validate = false };
	const struct conformance ways[] = {
		{ fresh, done, &owner },
		{ fresh, done, &cluster },
	};
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		failed += conformance_run(&ways[i]);
	return failed;
}
