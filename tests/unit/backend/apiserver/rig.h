#ifndef TESTS_APISERVER_RIG_H
#define TESTS_APISERVER_RIG_H

/*
 * An API server on a store of its own, over TLS on loopback and over a Unix socket. A bearer token
 * names the role: "view", "operate", "admin". Over the socket everybody is admin.
 */

#include <fcntl.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/apiserver/apiserver.h"
#include "backend/apiserver/builtin.h"
#include "backend/net/http.h"
#include "backend/net/server.h"
#include "backend/runtime/clock.h"
#include "backend/store/embedded.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "tests/unit/backend/net/pki.h"

struct rig {
	char dir[64];
	char socket[96];
	char kubeconfig[96];
	struct clock *clock;
	struct store *store;
	struct apiserver *api;
	struct server *tls, *unix_server;
	struct pki ca, leaf;
	struct http_client *client; /* over TLS */
	char url[64];
};

static enum role
rig_auth(void *context, const struct server_request *req, char *user, size_t size)
{
	static const struct {
		const char *token;
		enum role role;
	} rows[] = {
		{ "Bearer view", ROLE_VIEW },
		{ "Bearer operate", ROLE_OPERATE },
		{ "Bearer admin", ROLE_ADMIN },
	};
	const char *token = server_request_header(req, "Authorization");

	(void)context;
	if (req->peer_uid == getuid()) {
		(void)snprintf(user, size, "owner");
		return ROLE_ADMIN;
	}
	for (size_t i = 0; token != NULL && i < ARRAY_LEN(rows); i++) {
		if (strcmp(token, rows[i].token) == 0) {
			(void)snprintf(user, size, "%s", rows[i].token + 7);
			return rows[i].role;
		}
	}
	return ROLE_NONE;
}

static inline void
rig_must(bool ok, const struct error *err)
{
	if (!ok)
		fail_msg("%s", err->message);
}

static inline void
rig_write_kubeconfig(const struct rig *r)
{
	struct text ca = TEXT_INIT(65536);
	FILE *f = fopen(r->kubeconfig, "w");

	assert_non_null(f);
	text_add_base64(&ca, str_from(r->ca.cert));
	(void)fprintf(f,
	    "apiVersion: v1\nkind: Config\ncurrent-context: rig\n"
	    "clusters: [{name: rig, cluster: {server: \"%s\", certificate-authority-data: %s}}]\n"
	    "contexts: [{name: rig, context: {cluster: rig, user: rig}}]\n"
	    "users: [{name: rig, user: {token: admin}}]\n",
	    r->url, text_get(&ca));
	(void)fclose(f);
	text_free(&ca);
}

/* validate: the owner's rules; otherwise a workload cluster that takes any kind. */
static inline void
rig_start(struct rig *r, bool validate, apiserver_admit_fn *admit)
{
	struct error err = { 0 };

	*r = (struct rig){ 0 };
	(void)snprintf(r->dir, sizeof(r->dir), "/tmp/fd-rig-XXXXXX");
	assert_non_null(mkdtemp(r->dir));
	(void)snprintf(r->socket, sizeof(r->socket), "%s/sock", r->dir);
	(void)snprintf(r->kubeconfig, sizeof(r->kubeconfig), "%s/kubeconfig", r->dir);
	r->clock = clock_new(1, 0);
	struct embedded_options so = {
		.dir = r->dir, .clock = r->clock, .fast = true, .accept_any_kind = !validate
	};

	rig_must(embedded_open(&so, &r->store, &err), &err);
	size_t n = 0;
	const struct builtin *b = builtins_get(&n);

	for (size_t i = 0; !validate && i < n; i++)
		assert_non_null(embedded_intern(r->store, b[i].res.group, b[i].res.version,
		    b[i].res.kind, b[i].res.plural, b[i].res.namespaced));
	struct apiserver_options ao = { .store = r->store,
		.clock = r->clock,
		.auth = rig_auth,
		.admit = admit,
		.version = "v1.34.4",
		.validate = validate };

	rig_must(apiserver_new(&ao, &r->api, &err), &err);
	r->ca = pki_make(NULL, NULL, "rig ca", NULL);
	r->leaf = pki_make(&r->ca, NULL, "rig", "IP:127.0.0.1");
	struct server_options tls = { .bind = "127.0.0.1",
		.tls_cert = str_from(r->leaf.cert),
		.tls_key = str_from(r->leaf.key),
		.handle = apiserver_handle,
		.context = r->api };
	struct server_options local = {
		.unix_socket = r->socket, .handle = apiserver_handle, .context = r->api
	};

	rig_must(server_start(&tls, &r->tls, &err), &err);
	rig_must(server_start(&local, &r->unix_server, &err), &err);
	(void)snprintf(
	    r->url, sizeof(r->url), "https://127.0.0.1:%u", (unsigned)server_port(r->tls));
	struct http_client_options ho = { .tls.ca_pem = str_from(r->ca.cert),
		.allow_loopback = true };

	rig_must(http_client_new(&ho, &r->client, &err), &err);
	rig_write_kubeconfig(r);
}

static inline void
rig_stop(struct rig *r)
{
	char *const argv[] = { (char[]){ "rm" }, (char[]){ "-rf" }, r->dir, NULL };
	pid_t pid = 0;

	http_client_free(r->client);
	server_stop(r->tls);
	server_stop(r->unix_server);
	apiserver_free(r->api);
	store_close(r->store);
	clock_free(r->clock);
	pki_free(&r->ca);
	pki_free(&r->leaf);
	if (posix_spawn(&pid, "/bin/rm", NULL, NULL, argv, NULL) == 0)
		(void)waitpid(pid, NULL, 0);
}

/* One request as `token`; accept, type and body may be NULL. */
struct rig_call {
	const char *token, *method, *path, *accept, *type, *body;
};

static inline int
rig_send(struct rig *r, const struct rig_call *c, struct http_response *ret)
{
	struct text url = TEXT_INIT(16384);
	struct http_header h = { "Accept", str_from(c->accept) };
	struct http_request req = {
		.method = c->method,
		.headers = &h,
		.nheaders = c->accept != NULL ? 1 : 0,
		.bearer = str_from(c->token),
		.content_type =
		    c->body != NULL ? (c->type != NULL ? c->type : "application/json") : NULL,
		.body = str_from(c->body),
	};
	struct error err = { 0 };

	text_printf(&url, "%s%s", r->url, c->path);
	req.url = text_get(&url);
	rig_must(http_send(r->client, &req, ret, &err), &err);
	text_free(&url);
	return ret->status;
}

/* Sends and parses; fails the test when the status is another one. */
static inline struct node *
rig_ask(struct rig *r, struct arena *a, int status, const struct rig_call *c)
{
	struct http_response res;
	struct node *n = NULL;
	struct error err = { 0 };
	int got = rig_send(r, c, &res);

	if (got != status)
		fail_msg("%s %s: HTTP %d instead of %d: %s", c->method, c->path, got, status,
		    text_get(&res.body));
	rig_must(json_parse(a, text_str(&res.body), &n, &err), &err);
	http_response_fini(&res);
	return n;
}

#endif
