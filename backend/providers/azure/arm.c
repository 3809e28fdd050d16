#include "backend/providers/azure/azure_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/runtime/clock.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/names.h"

/*
 * One call of Azure Resource Manager: version, token, throttle, classification. A token goes to the
 * host of the configuration and to no other: next pages and operation URLs, which Azure sends, must
 * be below it.
 */

/* clang-format off */
const char *const azure_api_versions[API__MAX] = {
	[API_RESOURCES]     = "2025-04-01",
	[API_NETWORK]       = "2026-03-01", /* from 2023-09-01 on, left out subnets stay (facts 3.2) */
	[API_AKS]           = "2025-10-01", /* has every field sent here, in every region (facts 2) */
	[API_ROLES]         = "2022-04-01",
	[API_SKUS]          = "2021-07-01",
	[API_USAGES]        = "2024-07-01",
	[API_FEATURES]      = "2021-07-01",
	[API_SUBSCRIPTIONS] = "2022-12-01",
	[API_OPAQUE]        = NULL,
};
/* clang-format on */

enum { MAX_HEADERS = 8, BODY_MAX = 4 * 1024 * 1024, REGISTER_LOOK_MS = 10 * 1000 };

struct str
arm_path(struct azure_session *s, const char *fmt, ...)
{
	char path[2048];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(path))
		return (struct str){ 0 };
	return str_copy(s->arena, (struct str){ path, (size_t)n });
}

struct str
arm_group_id(struct azure_session *s, struct str group)
{
	return arm_path(s, "/subscriptions/%s/resourceGroups/" STR_FMT,
	    s->account->cred.subscription, STR_ARG(group));
}

struct str
arm_network_id(struct azure_session *s, struct str group, struct str network)
{
	return arm_path(s, STR_FMT "/providers/Microsoft.Network/virtualNetworks/" STR_FMT,
	    STR_ARG(arm_group_id(s, group)), STR_ARG(network));
}

struct str
arm_subnet_id(struct azure_session *s, const struct node *want)
{
	struct str group = node_get_str(node_find(want, "group"));
	struct str network = node_get_str(node_find(want, "network"));

	return arm_path(s, STR_FMT "/subnets/" STR_FMT, STR_ARG(arm_network_id(s, group, network)),
	    STR_ARG(node_get_str(node_find(want, "subnet"))));
}

struct str
arm_cluster_id(struct azure_session *s, struct str group, struct str cluster)
{
	return arm_path(s, STR_FMT "/providers/Microsoft.ContainerService/managedClusters/" STR_FMT,
	    STR_ARG(arm_group_id(s, group)), STR_ARG(cluster));
}

/* ---- the request ---- */

/* Below the configured host? Names that merely begin like it are not. */
static bool
same_host(struct str url, struct str base)
{
	if (url.n <= base.n || !str_eq_nocase(str_sub(url, 0, base.n), base))
		return false;
	return url.p[base.n] == '/';
}

static bool
build_url(
    struct azure_session *s, const struct arm_request *req, struct text *url, struct error *err)
{
	struct str base = str_from(s->account->cred.arm);

	if (req->path.n == 0)
		return error_set(err, ERR_NO_MEMORY, "no memory for an address");
	if (req->path.p[0] != '/') {
		if (!same_host(req->path, base))
			return error_set(err, ERR_REFUSED,
			    "Azure named an address on another host: " STR_FMT,
			    STR_ARG(str_sub(req->path, 0, 120)));
		text_add_str(url, req->path);
	} else {
		text_add_str(url, base);
		text_add_str(url, req->path);
	}
	if (azure_api_versions[req->api] != NULL) {
		text_add(url, str_find_char(req->path, '?') >= 0 ? "&" : "?");
		text_add(url, "api-version=");
		text_add(url, azure_api_versions[req->api]);
	}
	return text_ok(url, "address", err);
}

static enum throttle_kind
kind_of(const char *method)
{
	if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
		return THROTTLE_READ;
	return strcmp(method, "DELETE") == 0 ? THROTTLE_DELETE : THROTTLE_WRITE;
}

static bool
take_turn(struct azure_session *s, enum throttle_kind kind, struct error *err)
{
	int64_t wait;

	pthread_mutex_lock(&s->azure->mu);
	wait = throttle_take(&s->account->throttle, kind, clock_mono_ms(s->azure->opt.clock));
	pthread_mutex_unlock(&s->azure->mu);
	if (wait == 0)
		return true;
	(void)error_set(err, ERR_THROTTLED,
	    "Azure's rate limit of subscription '%s' is used up for now",
	    s->account->cred.subscription);
	if (err != NULL)
		err->retry_after_ms = wait;
	return false;
}

static void
note_limits(struct azure_session *s, enum throttle_kind kind, const struct http_response *res)
{
	static const char *const names[THROTTLE__MAX] = {
		[THROTTLE_READ] = "x-ms-ratelimit-remaining-subscription-reads",
		[THROTTLE_WRITE] = "x-ms-ratelimit-remaining-subscription-writes",
		[THROTTLE_DELETE] = "x-ms-ratelimit-remaining-subscription-deletes",
	};
	struct azure *az = s->azure;
	int64_t remaining;

	pthread_mutex_lock(&az->mu);
	if (res->status == 429)
		throttle_refused(
		    &s->account->throttle, clock_mono_ms(az->opt.clock), http_retry_after_ms(res));
	if (str_to_int(http_response_header(res, names[kind]), &remaining))
		throttle_note(&s->account->throttle, kind, remaining);
	pthread_mutex_unlock(&az->mu);
}

static struct str
request_id(struct azure_session *s)
{
	char serial[64];
	const char *parts[] = { s->azure->installation, serial, s->account->identity, NULL };

	(void)snprintf(serial, sizeof(serial), "%lu.%lld", atomic_fetch_add(&s->azure->serial, 1UL),
	    (long long)clock_wall_ms(s->azure->opt.clock));
	return uuid_from(s->arena, parts);
}

static bool
send_once(struct azure_session *s, const struct arm_request *req, struct str url, struct str body,
    struct http_response *res, struct error *err)
{
	struct http_header headers[MAX_HEADERS];
	struct http_request http = { .method = req->method,
		.url = url.p,
		.headers = headers,
		.bearer = text_str(&s->token),
		.body = body,
		.max_body = AZURE_MAX_BODY };

	headers[http.nheaders++] = (struct http_header){ "Accept", STR("application/json") };
	headers[http.nheaders++] = (struct http_header){ "x-ms-client-request-id", request_id(s) };
	if (req->if_match.n > 0)
		headers[http.nheaders++] = (struct http_header){ "If-Match",
			arm_path(s, "\"" STR_FMT "\"", STR_ARG(req->if_match)) };
	if (req->only_if_absent)
		headers[http.nheaders++] = (struct http_header){ "If-None-Match", STR("*") };
	if (body.n > 0)
		http.content_type = "application/json";
	atomic_fetch_add(&s->azure->all, 1UL);
	if (kind_of(req->method) != THROTTLE_READ)
		atomic_fetch_add(&s->azure->acting, 1UL);
	return http_send(s->http, &http, res, err);
}

/* With a token, and with a new one when Azure does not take it (once). */
static bool
send_signed(struct azure_session *s, const struct arm_request *req, struct str url, struct str body,
    struct http_response *res, struct error *err)
{
	if (!azure_token(s, false, err)) {
		res->outcome = HTTP_NOT_SENT;
		return false;
	}
	if (!send_once(s, req, url, body, res, err))
		return false;
	if (res->status != 401)
		return true;
	http_response_fini(res);
	*res = (struct http_response){ .outcome = HTTP_NOT_SENT };
	return azure_token(s, true, err) && send_once(s, req, url, body, res, err);
}

/* ---- the answer ---- */

static enum outcome
outcome_of_status(int status, const struct error *e)
{
	if (status >= 500 || status == 408)
		return OUTCOME_UNKNOWN;
	/* A refusal that no table knows may have been applied all the same (trust.md 5.7). */
	if (e->code == ERR_CLOUD)
		return OUTCOME_UNKNOWN;
	return OUTCOME_REFUSED;
}

static bool
read_body(struct azure_session *s, const struct http_response *res, struct arm_answer *ret)
{
	struct str body = text_str(&res->body);

	if (body.n == 0)
		return true;
	return json_parse(s->arena, body, &ret->body, NULL) && ret->body->type == NODE_MAP;
}

static bool
answered(struct azure_session *s, const struct arm_request *req, const struct http_response *res,
    struct arm_answer *ret, struct error *err)
{
	struct str op = http_response_header(res, "azure-asyncoperation");
	bool readable = read_body(s, res, ret);
	struct error why = { 0 };

	ret->status = res->status;
	ret->retry_ms = http_retry_after_ms(res);
	ret->is_location = op.n == 0;
	ret->operation = str_copy(s->arena, op.n > 0 ? op : http_response_header(res, "location"));
	if (res->status >= 200 && res->status < 300 && readable) {
		ret->outcome = OUTCOME_DONE;
		return true;
	}
	if (res->status >= 200 && res->status < 300) {
		ret->outcome = OUTCOME_UNKNOWN;
		return error_set(err, ERR_UNKNOWN_OUTCOME,
		    "Azure answered %d to %s with something that is "
		    "not JSON",
		    res->status, req->method);
	}
	azure_error_from(&why, s->arena, res->status, readable ? ret->body : NULL,
	    http_response_header(res, "x-ms-correlation-request-id"));
	why.retry_after_ms = ret->retry_ms > 0 ? ret->retry_ms : 0;
	ret->outcome = outcome_of_status(res->status, &why);
	if (err != NULL)
		*err = why;
	return false;
}

bool
arm_call(struct azure_session *s, const struct arm_request *req, struct arm_answer *ret,
    struct error *err)
{
	enum throttle_kind kind = kind_of(req->method);
	struct text url = TEXT_INIT(AZURE_MAX_URL), body = TEXT_INIT(BODY_MAX);
	struct http_response res = { .outcome = HTTP_NOT_SENT };
	bool ok = false;

	*ret = (struct arm_answer){ .outcome = OUTCOME_NOT_SENT, .retry_ms = -1 };
	if (req->body != NULL)
		json_write(&body, req->body, JSON_SORTED);
	if (!build_url(s, req, &url, err) || !text_ok(&body, "body", err) ||
	    !take_turn(s, kind, err))
		goto out;
	if (!send_signed(s, req, text_str(&url), text_str(&body), &res, err)) {
		ret->outcome = res.outcome == HTTP_NOT_SENT ? OUTCOME_NOT_SENT : OUTCOME_UNKNOWN;
		goto out;
	}
	note_limits(s, kind, &res);
	ok = answered(s, req, &res, ret, err);
out:
	http_response_fini(&res);
	text_free(&url);
	text_free(&body);
	return ok;
}

/* ---- what rows use ---- */

/* Only the codes that the table lists for it: a 404 says other things, too. */
static bool
says_absent(const struct arm_answer *answer, const struct error *why)
{
	const struct azure_error *row =
	    azure_error_find(str_from(why->reason), str_from(why->message));

	return answer->status == 404 && row != NULL && row->class == ERR_NOT_FOUND;
}

enum found
arm_get(struct azure_session *s, struct str id, enum azure_api api, struct node **ret_node,
    struct error *err)
{
	struct arm_answer answer;
	struct error why = { 0 };

	if (arm_call(s, &(struct arm_request){ .method = "GET", .path = id, .api = api }, &answer,
		&why)) {
		*ret_node = answer.body;
		if (answer.body != NULL)
			return FOUND_IT;
		(void)error_set(&why, ERR_CLOUD, "Azure answered %d without a body", answer.status);
	}
	if (says_absent(&answer, &why))
		return FOUND_ABSENT;
	if (err != NULL)
		*err = why;
	return FOUND_FAILED;
}

/*
 * A provider that the subscription has not registered refuses once; registering it is what Azure's
 * own clients do then, and the same request goes through some seconds later.
 */
static void
register_provider(struct azure_session *az, enum azure_api api, struct error *err)
{
	static const char *const namespaces[API__MAX] = { [API_AKS] = "Microsoft.ContainerService",
		[API_NETWORK] = "Microsoft.Network",
		[API_ROLES] = "Microsoft.Authorization" };
	struct arm_request post = { .method = "POST", .api = API_RESOURCES };
	struct arm_answer answer;
	struct node *provider = NULL;
	struct str path;

	if (namespaces[api] == NULL ||
	    (strcmp(error_reason(err), "MissingSubscriptionRegistration") != 0 &&
		strcmp(error_reason(err), "SubscriptionNotRegistered") != 0))
		return;
	path = arm_path(az, "/subscriptions/%s/providers/%s", az->account->cred.subscription,
	    namespaces[api]);
	if (arm_get(az, path, API_RESOURCES, &provider, NULL) != FOUND_IT)
		return; /* the refusal with its advice stands */
	post.path = arm_path(az, STR_FMT "/register", STR_ARG(path));
	if (!str_is(node_path_str(provider, "registrationState"), "Registering") &&
	    !arm_call(az, &post, &answer, NULL))
		return;
	(void)error_set(
	    err, ERR_BUSY, "%s is being registered for the subscription", namespaces[api]);
	err->retry_after_ms = REGISTER_LOOK_MS;
}

enum outcome
arm_put(struct step *s, const struct arm_put *put, struct node **ret_node, struct error *err)
{
	struct azure_session *az = session_of(s);
	struct arm_answer answer;
	struct error why = { 0 };
	struct str state;

	azure_acted_note(az, put->id);
	if (!arm_call(az,
		&(struct arm_request){ .method = "PUT",
		    .path = put->id,
		    .api = put->api,
		    .body = put->body,
		    .if_match = put->etag,
		    .only_if_absent = put->only_if_absent },
		&answer, &why)) {
		register_provider(az, put->api, &why);
		if (err != NULL)
			*err = why;
		return answer.outcome;
	}
	azure_acted_note(az, put->id); /* a list that began meanwhile may not have it */
	set_id(s, put->id);
	if (ret_node != NULL)
		*ret_node = answer.body;
	state = properties_state(answer.body);
	s->look_ms = answer.retry_ms > 0 ? answer.retry_ms : 0;
	if (answer.status == 202 || answer.operation.n > 0 ||
	    (state.n > 0 && !str_is(state, "Succeeded"))) {
		s->ext->spec.operation = answer.operation;
		s->ext->spec.progress = state;
		return OUTCOME_STARTED;
	}
	s->ext->spec.operation = (struct str){ 0 };
	return OUTCOME_DONE;
}

enum outcome
arm_remove(struct step *s, struct str id, enum azure_api api, struct error *err)
{
	struct azure_session *az = session_of(s);
	struct arm_answer answer;
	struct error why = { 0 };

	azure_acted_note(az, id);
	if (!arm_call(az, &(struct arm_request){ .method = "DELETE", .path = id, .api = api },
		&answer, &why)) {
		if (why.code == ERR_NOT_FOUND && answer.status == 404)
			return OUTCOME_DONE;
		if (err != NULL)
			*err = why;
		return answer.outcome;
	}
	azure_acted_note(az, id);
	s->look_ms = answer.retry_ms > 0 ? answer.retry_ms : 0;
	if (answer.status != 202)
		return OUTCOME_DONE;
	s->ext->spec.operation = answer.operation;
	return OUTCOME_STARTED;
}
