#include "backend/kube/client_int.h"

#include <stdio.h>
#include <string.h>

#include "backend/kube/kubeconfig.h"
#include "model/base/mem.h"
#include "model/json.h"

#define USER_AGENT "flightdeck/" FLIGHTDECK_VERSION

enum { UPDATE_ROUNDS = 5 };

static bool
client_open(struct kube_client *c, struct error *err)
{
	const struct kubeconfig *k = c->opt.config;
	struct http_client_options http = {
		.unix_socket = c->unix_socket,
		.allow_loopback = c->opt.allow_loopback,
	};

	c->base = "http://flightdeck";
	if (k != NULL) {
		http.tls.ca_pem = str_from(k->ca_pem);
		http.tls.client_cert = str_from(k->client_cert_pem);
		if (k->client_key_pem != NULL)
			http.tls.client_key = secret_get(k->client_key_pem);
		http.tls.server_name = k->server_name;
		http.tls.insecure = k->insecure;
		http.proxy = k->proxy;
		c->base = k->server;
	}
	return http_client_new(&http, &c->http, err);
}

bool
kube_client_new(const struct kube_options *opt, struct kube_client **ret_client, struct error *err)
{
	struct kube_client *c = NULL;
	bool ok = false;

	if ((opt->config == NULL) == (opt->unix_socket == NULL))
		return error_set(err, ERR_INTERNAL, "a client needs a kubeconfig or a socket");
	c = mem_new(sizeof(*c));
	if (c == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a client");
	c->opt = *opt;
	c->manager = mem_dupz(opt->manager != NULL ? opt->manager : "flightdeck");
	c->unix_socket = opt->unix_socket != NULL ? mem_dupz(opt->unix_socket) : NULL;
	if (c->manager == NULL || (opt->unix_socket != NULL && c->unix_socket == NULL)) {
		error_set(err, ERR_NO_MEMORY, "no memory for a client");
		goto out;
	}
	c->opt.manager = c->manager;
	c->opt.unix_socket = c->unix_socket;
	if (!client_open(c, err))
		goto out;
	*ret_client = c;
	c = NULL;
	ok = true;
out:
	kube_client_free(c);
	return ok;
}

bool
kube_client_clone(const struct kube_client *c, struct kube_client **ret_client, struct error *err)
{
	return kube_client_new(&c->opt, ret_client, err);
}

void
kube_client_free(struct kube_client *c)
{
	if (c == NULL)
		return;
	http_client_free(c->http);
	mem_free(c->unix_socket);
	mem_free(c->manager);
	mem_free(c);
}

void
kube_client_cancel(struct kube_client *c)
{
	http_client_cancel(c->http);
}

int64_t
node_version(const struct node *object)
{
	int64_t v = 0;

	return str_to_int(node_path_str(object, "metadata.resourceVersion"), &v) && v > 0 ? v : 0;
}

void
kube_path(
    struct text *out, const struct resource *res, struct str ns, struct str name, const char *sub)
{
	text_add(out, res->group[0] != '\0' ? "/apis/" : "/api/");
	if (res->group[0] != '\0') {
		text_add(out, res->group);
		text_add_char(out, '/');
	}
	text_add(out, res->version);
	if (res->namespaced && ns.n > 0) {
		text_add(out, "/namespaces/");
		text_add_url(out, ns);
	}
	text_add_char(out, '/');
	text_add(out, res->plural);
	if (name.n > 0) {
		text_add_char(out, '/');
		text_add_url(out, name);
	}
	if (sub != NULL) {
		text_add_char(out, '/');
		text_add(out, sub);
	}
}

void
kube_query(struct text *out, const char *key, struct str value)
{
	text_add_char(out, str_find_char(text_str(out), '?') >= 0 ? '&' : '?');
	text_add(out, key);
	text_add_char(out, '=');
	text_add_url(out, value);
}

void
kube_selectors(struct text *target, const struct list_options *opt)
{
	if (opt == NULL)
		return;
	if (opt->label_selector.n > 0)
		kube_query(target, "labelSelector", opt->label_selector);
	if (opt->field_selector.n > 0)
		kube_query(target, "fieldSelector", opt->field_selector);
}

/* A name from outside must not become another path. */
bool
kube_name_ok(struct str s, struct error *err)
{
	if (str_find_char(s, '/') >= 0 || str_is(s, ".") || str_is(s, "..") || s.n > 253)
		return error_set(
		    err, ERR_INVALID, "'%.*s' is not a name", (int)(s.n > 253 ? 253 : s.n), s.p);
	return true;
}

/* On the profile's socket there is no route and no proxy: its owner is starting or ending. */
static void
owner_gone(struct error *err)
{
	if (err == NULL || (err->code != ERR_NETWORK && err->code != ERR_UNKNOWN_OUTCOME))
		return;
	(void)error_wrap(err, "the owner of this profile does not answer");
	error_advise(err, err->code == ERR_NETWORK
			      ? "it is starting or ending: try again"
			      : "it was ending: look whether it was done, then try again");
}

static bool
send_raw(
    struct kube_client *c, const struct kube_call *call, struct http_response *r, struct error *err)
{
	const struct kubeconfig *k = c->opt.config;
	struct text url = TEXT_INIT(KUBE_MAX_PATH);
	struct http_header headers[] = {
		{ "Accept", STR("application/json") },
		{ "User-Agent", STR(USER_AGENT) },
		{ "X-Flightdeck-From", str_from(call->from) },
	};
	struct http_request req = {
		.method = call->method,
		.headers = headers,
		.nheaders = call->from != NULL ? 3 : 2,
		.content_type = call->content_type,
		.body = call->body,
		.own_connection = call->own_connection,
		.timeout_ms = call->timeout_ms > 0 ? call->timeout_ms : KUBE_TIMEOUT_MS,
		.max_body = KUBE_MAX_ANSWER,
	};
	bool ok = false;

	text_add(&url, c->base);
	text_add_str(&url, call->target);
	if (k != NULL && k->token != NULL)
		req.bearer = secret_get(k->token);
	if (text_ok(&url, "URL", err)) {
		req.url = text_get(&url);
		ok = http_send(c->http, &req, r, err);
		if (!ok && c->opt.unix_socket != NULL)
			owner_gone(err);
	}
	text_free(&url);
	return ok;
}

bool
kube_send(struct kube_client *c, struct arena *a, const struct kube_call *call,
    struct node **ret_answer, struct error *err)
{
	struct http_response r = { 0 };
	bool ok = false;

	if (!send_raw(c, call, &r, err))
		goto out;
	if (r.status < 200 || r.status >= 300) {
		ok = status_to_error(&r, call->method, call->target, err);
		goto out;
	}
	if (r.outcome == HTTP_UNKNOWN && call->own_connection) {
		error_set(err, ERR_UNKNOWN_OUTCOME, "%s was sent twice by a lost connection",
		    call->method);
		goto out;
	}
	if (!json_parse(a, text_str(&r.body), ret_answer, err)) {
		error_wrap(err, "the API server's answer is not JSON");
		goto out;
	}
	ok = true;
out:
	http_response_fini(&r);
	return ok;
}

bool
kube_version(struct kube_client *c, struct arena *a, struct str *ret_version, struct error *err)
{
	struct kube_call call = {
		.method = "GET", .target = STR("/version"), .timeout_ms = KUBE_REACH_MS
	};
	struct node *answer = NULL;

	if (!kube_send(c, a, &call, &answer, err))
		return false;
	*ret_version = node_path_str(answer, "gitVersion");
	if (ret_version->n == 0)
		return error_set(err, ERR_INVALID, "the API server tells no version");
	return true;
}

/* NOLINTBEGIN(readability-function-size): the signature is the interface's */
bool
kube_get(struct kube_client *c, struct arena *a, const struct resource *res, struct str ns,
    struct str name, struct node **ret_object, struct error *err)
{
	struct text target = TEXT_INIT(KUBE_MAX_PATH);
	bool ok = false;

	if (name.n == 0)
		return error_set(err, ERR_INVALID, "a %s has no name", res->kind);
	if (!kube_name_ok(ns, err) || !kube_name_ok(name, err))
		return false;
	kube_path(&target, res, ns, name, NULL);
	if (text_ok(&target, "path", err)) {
		struct kube_call call = { .method = "GET", .target = text_str(&target) };

		ok = kube_send(c, a, &call, ret_object, err);
	}
	text_free(&target);
	return ok;
}
/* NOLINTEND(readability-function-size) */

static void
actor_query(struct kube_client *c, struct text *target, const struct kube_actor *as)
{
	const char *manager = as != NULL && as->manager != NULL ? as->manager : c->manager;

	kube_query(target, "fieldManager", str_from(manager));
	if (as != NULL && as->dry_run)
		kube_query(target, "dryRun", STR("All"));
}

/* Sends a whole object. */
static bool
write_send(struct kube_client *c, struct arena *a, struct kube_call *call,
    const struct node *object, struct node **ret_object, struct error *err)
{
	struct text body = TEXT_INIT(KUBE_MAX_ANSWER);
	struct node *answer = NULL;
	bool ok = false;

	json_write(&body, object, JSON_COMPACT);
	if (!text_ok(&body, "object", err))
		goto out;
	call->body = text_str(&body);
	if (!kube_send(c, a, call, &answer, err))
		goto out;
	if (ret_object != NULL)
		*ret_object = answer;
	ok = true;
out:
	if (body.p != NULL)
		secret_wipe(body.p, body.cap);
	text_free(&body);
	return ok;
}

bool
kube_create_as(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct kube_write *write, struct node **ret_object, struct error *err)
{
	struct text target = TEXT_INIT(KUBE_MAX_PATH);
	struct str ns = node_path_str(write->object, "metadata.namespace");
	bool ok = false;

	if (!kube_name_ok(ns, err))
		return false;
	kube_path(&target, res, ns, (struct str){ 0 }, NULL);
	actor_query(c, &target, &write->as);
	if (text_ok(&target, "path", err)) {
		struct kube_call call = {
			.method = "POST",
			.target = text_str(&target),
			.content_type = "application/json",
			.from = write->as.from,
			/* Without a name, a repeated request would make a second object. */
			.own_connection = node_path_str(write->object, "metadata.name").n == 0,
		};

		ok = write_send(c, a, &call, write->object, ret_object, err);
	}
	text_free(&target);
	return ok;
}

static bool
write_target(struct kube_client *c, const struct resource *res, const struct kube_write *w,
    struct text *target, struct error *err)
{
	struct str ns = node_path_str(w->object, "metadata.namespace");
	struct str name = node_path_str(w->object, "metadata.name");

	if (name.n == 0)
		return error_set(err, ERR_INVALID, "a %s has no name", res->kind);
	if (!kube_name_ok(ns, err) || !kube_name_ok(name, err))
		return false;
	kube_path(target, res, ns, name, w->part == UPDATE_STATUS ? "status" : NULL);
	actor_query(c, target, &w->as);
	return text_ok(target, "path", err);
}

/* The object with the version that is stored now: the writer wants to win. */
static bool
newest_version(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct node *object, struct node **ret_object, struct error *err)
{
	struct node *live = NULL;
	struct node *copy = node_dup(a, object);

	if (!kube_get(c, a, res, node_path_str(object, "metadata.namespace"),
		node_path_str(object, "metadata.name"), &live, err))
		return false;
	node_set(a, node_make_path(a, copy, "metadata"), "resourceVersion",
	    node_str(a, node_path_str(live, "metadata.resourceVersion")));
	if (arena_failed(a))
		return error_set(err, ERR_NO_MEMORY, "no memory for an update");
	*ret_object = copy;
	return true;
}

bool
kube_update_as(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct kube_write *write, struct node **ret_object, struct error *err)
{
	struct text target = TEXT_INIT(KUBE_MAX_PATH);
	bool versioned = node_path_str(write->object, "metadata.resourceVersion").n > 0;
	struct error local = { 0 };
	bool ok = false;

	if (!write_target(c, res, write, &target, err))
		goto out;
	for (int round = 0; !ok && round < (versioned ? 1 : UPDATE_ROUNDS); round++) {
		struct kube_call call = {
			.method = "PUT",
			.target = text_str(&target),
			.content_type = "application/json",
			.from = write->as.from,
		};
		struct node *copy = NULL;
		const struct node *object = write->object;

		error_clear(&local);
		if (!versioned) {
			if (!newest_version(c, a, res, object, &copy, &local))
				break;
			object = copy;
		}
		ok = write_send(c, a, &call, object, ret_object, &local);
		if (!ok && local.code != ERR_CONFLICT)
			break;
	}
	if (!ok && err != NULL)
		*err = local;
out:
	text_free(&target);
	return ok;
}

bool
kube_apply_as(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct kube_write *write, struct node **ret_object, struct error *err)
{
	struct text target = TEXT_INIT(KUBE_MAX_PATH);
	bool ok = false;

	if (write_target(c, res, write, &target, err)) {
		kube_query(&target, "force", write->force ? STR("true") : STR("false"));
		struct kube_call call = {
			.method = "PATCH",
			.target = text_str(&target),
			.content_type = "application/apply-patch+yaml",
			.from = write->as.from,
		};

		ok = text_ok(&target, "path", err) &&
		     write_send(c, a, &call, write->object, ret_object, err);
	}
	text_free(&target);
	return ok;
}

static const char *const policies[] = {
	[PROPAGATE_FOREGROUND] = "Foreground",
	[PROPAGATE_BACKGROUND] = "Background",
	[PROPAGATE_ORPHAN] = "Orphan",
};

static struct node *
delete_body(struct arena *a, const struct delete_options *opt)
{
	struct node *body = node_map(a);

	node_set_strz(a, body, "apiVersion", "v1");
	node_set_strz(a, body, "kind", "DeleteOptions");
	node_set_strz(a, body, "propagationPolicy",
	    policies[opt != NULL ? opt->propagation : PROPAGATE_FOREGROUND]);
	if (opt != NULL && opt->uid.n > 0)
		node_set(a, node_make_path(a, body, "preconditions"), "uid", node_str(a, opt->uid));
	if (opt != NULL && opt->version > 0)
		node_set_strz(a, node_make_path(a, body, "preconditions"), "resourceVersion",
		    arena_printf(a, "%lld", (long long)opt->version));
	if (opt != NULL && opt->dry_run) {
		struct node *all = node_list(a);

		node_push(all, node_strz(a, "All"));
		node_set(a, body, "dryRun", all);
	}
	return body;
}

bool
kube_delete_as(struct kube_client *c, const struct resource *res, struct str key[2],
    const struct delete_options *opt, const struct kube_actor *as, struct error *err)
{
	struct text target = TEXT_INIT(KUBE_MAX_PATH);
	struct arena *a = arena_new(KUBE_MAX_ANSWER);
	bool ok = false;

	if (a == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for a request");
		goto out;
	}
	if (key[1].n == 0) {
		error_set(err, ERR_INVALID, "a %s has no name", res->kind);
		goto out;
	}
	if (!kube_name_ok(key[0], err) || !kube_name_ok(key[1], err))
		goto out;
	kube_path(&target, res, key[0], key[1], NULL);
	if (text_ok(&target, "path", err)) {
		struct kube_call call = {
			.method = "DELETE",
			.target = text_str(&target),
			.content_type = "application/json",
			.from = as != NULL ? as->from : NULL,
		};

		ok = write_send(c, a, &call, delete_body(a, opt), NULL, err);
	}
out:
	arena_free(a);
	text_free(&target);
	return ok;
}

/* NOLINTBEGIN(readability-function-size): the signature is the interface's */
bool
kube_apply(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct node *object, bool force, struct node **ret_object, struct error *err)
{
	struct kube_write w = { .object = object, .force = force };

	return kube_apply_as(c, a, res, &w, ret_object, err);
}
/* NOLINTEND(readability-function-size) */

bool
kube_create(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct node *object, struct node **ret_object, struct error *err)
{
	struct kube_write w = { .object = object };

	return kube_create_as(c, a, res, &w, ret_object, err);
}

/* NOLINTBEGIN(readability-function-size): the signature is the interface's */
bool
kube_update(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct node *object, enum update_part part, struct node **ret_object, struct error *err)
{
	struct kube_write w = { .object = object, .part = part };

	return kube_update_as(c, a, res, &w, ret_object, err);
}
/* NOLINTEND(readability-function-size) */

bool
kube_delete(struct kube_client *c, const struct resource *res, struct str ns, struct str name,
    const struct delete_options *opt, struct error *err)
{
	struct str key[2] = { ns, name };

	return kube_delete_as(c, res, key, opt, NULL, err);
}

bool
kube_stream_open(struct kube_client *c, struct str target, http_bytes_fn *on_bytes, void *context,
    struct http_response *ret, struct error *err)
{
	const struct kubeconfig *k = c->opt.config;
	struct text url = TEXT_INIT(KUBE_MAX_PATH);
	struct http_header headers[] = {
		{ "Accept", STR("application/json") },
		{ "User-Agent", STR(USER_AGENT) },
	};
	struct http_request req = { .method = "GET", .headers = headers, .nheaders = 2 };
	bool ok = false;

	text_add(&url, c->base);
	text_add_str(&url, target);
	if (k != NULL && k->token != NULL)
		req.bearer = secret_get(k->token);
	if (text_ok(&url, "URL", err)) {
		req.url = text_get(&url);
		ok = http_stream_open(c->http, &req, on_bytes, context, ret, err);
	}
	text_free(&url);
	return ok;
}
