#include "backend/apiserver/api_int.h"

#include <stdio.h>
#include <string.h>

#include "backend/store/embedded.h"
#include "model/base/mem.h"

/*
 * The router. A path is cut into a struct route, the resource behind it is looked up, the role is
 * asked, and the row of the method does the rest. What no row names is refused.
 */

enum { MAX_SEGMENTS = 8, MAX_PATH = 8192 };

bool
apiserver_new(const struct apiserver_options *opt, struct apiserver **ret_api, struct error *err)
{
	struct apiserver *api = mem_new(sizeof(*api));

	if (api == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for an API server");
	api->opt = *opt;
	api->version = mem_dupz(opt->version != NULL ? opt->version : "v1.34.4");
	if (api->version == NULL) {
		mem_free(api);
		return error_set(err, ERR_NO_MEMORY, "no memory for an API server");
	}
	*ret_api = api;
	return true;
}

void
apiserver_free(struct apiserver *api)
{
	if (api == NULL)
		return;
	mem_free(api->version);
	mem_free(api);
}

struct segments {
	struct str at[MAX_SEGMENTS];
	size_t n;
};

static bool
path_split(struct str path, struct segments *ret)
{
	struct str piece;
	struct str rest = str_sub(path, 1, path.n);

	ret->n = 0;
	while (rest.n > 0 && str_split(&rest, '/', &piece)) {
		if (piece.n == 0 && rest.n == 0)
			break; /* one '/' at the end is fine */
		if (piece.n == 0 || str_is(piece, "..") || str_is(piece, ".") ||
		    ret->n == MAX_SEGMENTS)
			return false;
		ret->at[ret->n++] = piece;
	}
	return true;
}

static struct str
segment(const struct segments *s, size_t i)
{
	return i < s->n ? s->at[i] : (struct str){ 0 };
}

/* A namespace's own subresources stand where a namespaced plural would. */
static bool
is_namespace_sub(struct str s)
{
	return str_is(s, "status") || str_is(s, "finalize");
}

static bool
route_parse(const struct segments *s, struct route *ret)
{
	size_t i = 0;

	if (str_is(segment(s, 0), "api")) {
		ret->version = segment(s, 1);
		i = 2;
	} else {
		ret->group = segment(s, 1);
		ret->version = segment(s, 2);
		i = 3;
	}
	if (str_is(segment(s, i), "namespaces") && s->n > i + 2 &&
	    !is_namespace_sub(s->at[i + 2])) {
		ret->ns = s->at[i + 1];
		i += 2;
	}
	ret->plural = segment(s, i);
	ret->name = segment(s, i + 1);
	ret->sub = segment(s, i + 2);
	return s->n <= i + 3;
}

static const struct {
	const char *method;
	const char *verb; /* on a name */
	const char *collection_verb;
	void (*handle)(struct call *c);
} methods[] = {
	{ "GET", "get", "list", handle_read },
	{ "HEAD", "get", "list", handle_read },
	{ "POST", "create", "create", handle_create },
	{ "PUT", "update", "", handle_update },
	{ "PATCH", "patch", "", handle_patch },
	{ "DELETE", "delete", "deletecollection", handle_delete },
};

static bool
is_read(const char *verb)
{
	return strcmp(verb, "get") == 0 || strcmp(verb, "list") == 0 || strcmp(verb, "watch") == 0;
}

bool
role_allows(enum role role, const char *verb, struct str group, struct str plural)
{
	bool secret = group.n == 0 && str_is(plural, "secrets");

	switch (role) {
	case ROLE_ADMIN:
		return true;
	case ROLE_OPERATE:
		return is_read(verb) || !secret;
	case ROLE_VIEW:
		return is_read(verb);
	case ROLE_NONE:
		break;
	}
	return false;
}

static void
reply_forbidden(struct call *c, const char *verb)
{
	const struct resource *r = c->resource;
	struct text words = TEXT_INIT(2048);

	text_printf(&words, "%s ", call_plural(c));
	if (c->route.name.n > 0)
		text_printf(&words, "\"" STR_FMT "\" ", STR_ARG(c->route.name));
	text_printf(&words,
	    "is forbidden: User \"%s\" cannot %s resource \"%s\" in API group \"%s\" ", c->user,
	    verb, r->plural, r->group);
	if (c->route.ns.n > 0)
		text_printf(&words, "in the namespace \"" STR_FMT "\"", STR_ARG(c->route.ns));
	else
		text_add(&words, "at the cluster scope");
	reply_status(c, 403, "Forbidden", "%s", text_get(&words));
	text_free(&words);
}

static bool
sub_known(const struct call *c)
{
	struct str sub = c->route.sub;
	const struct resource *r = c->resource;
	bool has_status = c->builtin != NULL && (c->builtin->flags & BUILTIN_STATUS) != 0;

	if (sub.n == 0)
		return true;
	if (str_is(sub, "status"))
		return has_status || r->known == NULL || (r->known->flags & KIND_STATUS) != 0;
	return str_is(sub, "finalize") && strcmp(r->plural, "namespaces") == 0;
}

static void
dispatch_resource(struct call *c)
{
	const char *method = c->req->method;

	c->resource =
	    embedded_resource(c->api->opt.store, c->route.group, c->route.version, c->route.plural);
	if (c->resource == NULL || (c->route.ns.n > 0 && !c->resource->namespaced)) {
		c->resource = NULL;
		reply_plain(c, 404, "404 page not found\n");
		return;
	}
	c->builtin = builtin_find(c->resource->group, c->resource->plural);
	if (!sub_known(c)) {
		reply_status(c, 404, "NotFound", "%s \"" STR_FMT "\" not found", call_plural(c),
		    STR_ARG(c->route.name));
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
		const char *verb =
		    c->route.name.n > 0 ? methods[i].verb : methods[i].collection_verb;

		if (strcmp(methods[i].method, method) != 0)
			continue;
		if (verb[0] == '\0') {
			reply_status(c, 405, "MethodNotAllowed",
			    "the server does not allow this method on the requested resource");
			return;
		}
		if (strcmp(verb, "list") == 0 && query_is_true(c, "watch"))
			verb = "watch";
		if (!role_allows(c->role, verb, c->route.group, c->route.plural)) {
			reply_forbidden(c, verb);
			return;
		}
		if (strcmp(verb, "watch") == 0)
			handle_watch(c);
		else
			methods[i].handle(c);
		return;
	}
	reply_status(c, 405, "MethodNotAllowed",
	    "the server does not allow this method on the requested resource");
}

static bool
is_review(const struct call *c)
{
	struct str g = c->route.group;

	return str_is(g, "authorization.k8s.io") || str_is(g, "authentication.k8s.io");
}

static bool
is_open_path(struct str path)
{
	static const char *const open[] = { "/version", "/healthz", "/livez", "/readyz" };

	for (size_t i = 0; i < ARRAY_LEN(open); i++) {
		if (str_is(path, open[i]))
			return true;
	}
	return false;
}

static void
dispatch(struct call *c)
{
	struct str path = str_from(c->req->path);
	struct segments s = { .n = 0 };

	if (path.n > MAX_PATH || !path_split(path, &s)) {
		reply_plain(c, 404, "404 page not found\n");
		return;
	}
	struct str first = segment(&s, 0);
	bool core = str_is(first, "api");
	bool deep = (core && s.n > 2) || (str_is(first, "apis") && s.n > 3);

	if (str_is(first, "openapi")) {
		handle_openapi(c);
	} else if (str_is(path, "/flightdeck/watch") && c->api->opt.validate) {
		handle_watch(c);
	} else if (!deep) {
		handle_discovery(c);
	} else if (!route_parse(&s, &c->route)) {
		reply_plain(c, 404, "404 page not found\n");
	} else if (is_review(c)) {
		handle_review(c);
	} else {
		dispatch_resource(c);
	}
}

static void
authenticate(struct call *c)
{
	const struct apiserver_options *o = &c->api->opt;

	(void)snprintf(c->user, sizeof(c->user), "system:anonymous");
	c->role =
	    o->auth != NULL ? o->auth(o->context, c->req, c->user, sizeof(c->user)) : ROLE_NONE;
	c->actor.user = c->user;
	const char *from = server_request_header(c->req, "X-Flightdeck-From");

	c->actor.from = from != NULL && strlen(from) < API_USER_MAX ? from : "";
}

static void
hand_over(struct call *c)
{
	struct text *headers = &c->res->headers;

	if (headers->limit == 0)
		*headers = (struct text)TEXT_INIT(API_MAX_HEADERS);
	text_add(headers, "Cache-Control: no-cache, private\n");
	text_add_str(headers, text_str(&c->warnings));
	text_free(&c->warnings);
}

void
apiserver_handle(void *context, const struct server_request *req, struct server_response *ret)
{
	struct call c = {
		.api = context,
		.req = req,
		.res = ret,
		.arena = arena_new(API_ARENA),
		.warnings = TEXT_INIT(API_MAX_HEADERS),
	};

	if (c.arena == NULL) {
		ret->status = 500;
		return;
	}
	c.form = accept_form(server_request_header(req, "Accept"));
	c.include = query_str(&c, "includeObject");
	authenticate(&c);
	if (c.role == ROLE_NONE && !is_open_path(str_from(req->path)))
		reply_status(&c, 401, "Unauthorized", "Unauthorized");
	else if (c.form == FORM_NONE)
		reply_status(&c, 406, "NotAcceptable",
		    "only the following media types are accepted: "
		    "application/json, application/yaml, application/vnd.kubernetes.protobuf");
	else if (req->body.n > API_MAX_BODY)
		reply_status(&c, 413, "RequestEntityTooLarge",
		    "Request entity too large: limit is %d", API_MAX_BODY);
	else
		dispatch(&c);
	hand_over(&c);
	arena_free(c.arena);
}
