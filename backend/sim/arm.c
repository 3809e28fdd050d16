#include "backend/sim/arm.h"

#include <stdio.h>
#include <time.h>

#include "backend/sim/operations.h"
#include "backend/sim/sim_int.h"
#include "backend/sim/url.h"
#include "model/json.h"

/*
 * Order of refusals, as Azure's front door has it: outage and slowness, token, subscription's
 * buckets, subscription, route, api-version, provider's buckets, rights; then the provider's
 * handler. Faults that pretend to be Azure stand where Azure would stand.
 */

static const char html_page[] =
    "<!DOCTYPE html><html><head><title>Welcome</title></head><body><h1>Guest network</h1>"
    "<p>Please accept the terms of use to go on.</p></body></html>";

struct fault_answer {
	enum fault fault;
	int status;
	const char *code;
	const char *message;
};

static const struct fault_answer plain_faults[] = {
	{ FAULT_ARM_500, 500, "InternalServerError",
	    "The server encountered an internal error. Please retry the request." },
	{ FAULT_ARM_503, 503, "ServiceUnavailable", "The service is unavailable." },
};

static const struct {
	enum token_verdict verdict;
	const char *code;
	const char *message;
	const char *detail; /* error_description of the challenge */
} token_refusals[] = {
	{ TOKEN_MISSING, "AuthenticationFailed",
	    "Authentication failed. The 'Authorization' header is missing.",
	    "The authentication failed because of missing 'Authorization' header." },
	{ TOKEN_BAD, "InvalidAuthenticationToken", "The access token is invalid.",
	    "The access token is invalid." },
	{ TOKEN_EXPIRED, "ExpiredAuthenticationToken", NULL, "The access token has expired." },
	{ TOKEN_TENANT, "InvalidAuthenticationTokenTenant", NULL,
	    "The access token is from the wrong issuer." },
};

void
arm_answer_fini(struct arm_answer *ret)
{
	text_free(&ret->body);
	text_free(&ret->headers);
}

static bool
refuse_token(struct arm_call *c, enum token_verdict verdict, const struct token_claims *claims)
{
	for (size_t i = 0; i < ARRAY_LEN(token_refusals); i++) {
		struct text then = TEXT_INIT(64), now = TEXT_INIT(64);

		if (token_refusals[i].verdict != verdict)
			continue;
		answer_header(c, "WWW-Authenticate",
		    "Bearer authorization_uri=\"%s/%s\", error=\"invalid_token\", "
		    "error_description=\"%s\"",
		    c->s->signin_url, c->s->id.tenant, token_refusals[i].detail);
		answer_header(c, "x-ms-failure-cause", "gateway");
		simtime_add_us(&then, claims->expires_ms);
		simtime_add_us(&now, c->now_ms);
		if (verdict == TOKEN_EXPIRED)
			answer_error(c, 401, token_refusals[i].code,
			    "The access token expiry UTC time '%s' is earlier than current UTC "
			    "time "
			    "'%s'.",
			    text_get(&then), text_get(&now));
		else if (verdict == TOKEN_TENANT)
			answer_error(c, 401, token_refusals[i].code,
			    "The access token is from the wrong issuer. It must match the tenant "
			    "'%s' associated with this subscription.",
			    c->s->id.tenant);
		else
			answer_error(
			    c, 401, token_refusals[i].code, "%s", token_refusals[i].message);
		text_free(&then);
		text_free(&now);
	}
	return false;
}

static bool
pass_token(struct arm_call *c)
{
	struct token_claims claims = { 0 };
	enum token_verdict verdict = token_check(c->s, c->req->authorization, &claims);

	if (verdict != TOKEN_GOOD)
		return refuse_token(c, verdict, &claims);
	c->principal = str_copy(c->a, str_from(claims.client));
	c->object_id = str_copy(c->a, str_from(claims.object));
	return true;
}

static const struct {
	const char *word; /* in headers and messages */
	enum arm_bucket bucket;
} bucket_words[ARM_BUCKETS] = {
	[ARM_READS] = { "reads", ARM_READS },
	[ARM_WRITES] = { "writes", ARM_WRITES },
	[ARM_DELETES] = { "deletes", ARM_DELETES },
};

static enum arm_bucket
bucket_of(struct str method)
{
	if (str_is(method, "GET") || str_is(method, "HEAD"))
		return ARM_READS;
	return str_is(method, "DELETE") ? ARM_DELETES : ARM_WRITES;
}

static bool
refuse_throttled(struct arm_call *c, const char *word, long after_s)
{
	answer_header(c, "Retry-After", "%ld", after_s);
	answer_header(c, "x-ms-failure-cause", "gateway");
	return answer_error(c, 429, "SubscriptionRequestsThrottled",
	    "Number of '%s' requests for subscription '%s' and principal exceeded the limit. "
	    "Please "
	    "try again after '%ld' seconds.",
	    word, c->s->id.subscription, after_s);
}

static bool
pass_throttle(struct arm_call *c)
{
	enum arm_bucket which = bucket_of(c->req->method);
	const char *word = bucket_words[which].word;
	char name[64];
	long left = 0, after_s = 0;
	bool ok = throttle_arm(c->s->throttle, c->principal, which, c->now_ms, &left, &after_s);

	(void)snprintf(name, sizeof(name), "x-ms-ratelimit-remaining-subscription-%s", word);
	answer_header(c, name, "%ld", left);
	(void)snprintf(name, sizeof(name), "x-ms-ratelimit-remaining-subscription-global-%s", word);
	answer_header(c, name, "%ld", left * 15);
	if (!ok)
		return refuse_throttled(c, word, after_s);
	if (fault_hits(c->s->faults, FAULT_ARM_429, c->req->method, c->req->path))
		return refuse_throttled(c, word, 7);
	return true;
}

static bool
pass_provider_throttle(struct arm_call *c)
{
	struct str scope = str_from(c->s->id.subscription);
	long after_s = 0;

	if (c->route->bucket == BUCKET_CLUSTER_PUT || c->route->bucket == BUCKET_POOL_PUT ||
	    c->route->bucket == BUCKET_CLUSTER_GET || c->route->bucket == BUCKET_CLUSTER_LIST_GROUP)
		scope = c->req->path;
	if (throttle_provider(c->s->throttle, c->route->bucket, scope, c->now_ms, &after_s))
		return true;
	answer_header(c, "Retry-After", "%ld", after_s);
	return answer_aks_error(c, 429, "Throttled", NULL,
	    "The request is throttled. Please retry after %ld seconds.", after_s);
}

static bool
pass_faults(struct arm_call *c)
{
	struct str method = c->req->method, path = c->req->path;

	for (size_t i = 0; i < ARRAY_LEN(plain_faults); i++) {
		const struct fault_answer *f = &plain_faults[i];

		if (fault_hits(c->s->faults, f->fault, method, path))
			return answer_error(c, f->status, f->code, "%s", f->message);
	}
	if (fault_hits(c->s->faults, FAULT_ARM_401, method, path)) {
		answer_header(c, "WWW-Authenticate",
		    "Bearer realm=\"\", authorization_uri=\"%s/common/oauth2/authorize\", "
		    "error=\"insufficient_claims\", "
		    "claims=\"eyJhY2Nlc3NfdG9rZW4iOnsibmJmIjp7ImVzc2Vu"
		    "dGlhbCI6dHJ1ZSwidmFsdWUiOiIxNzk2MDQwMDAwIn19fQ==\"",
		    c->s->signin_url);
		answer_header(c, "x-ms-failure-cause", "gateway");
		return answer_error(c, 401, "InvalidAuthenticationToken",
		    "The access token is not valid any more.");
	}
	if (fault_hits(c->s->faults, FAULT_ARM_HTML, method, path)) {
		c->ret->status = 200;
		c->ret->content_type = "text/html; charset=utf-8";
		text_clear(&c->ret->body);
		text_add(&c->ret->body, html_page);
		c->answered = true;
		return false;
	}
	return true;
}

static bool
pass_version(struct arm_call *c)
{
	struct str rest = str_from(c->route->versions);
	struct str one;

	while (str_split(&rest, ',', &one)) {
		if (str_eq(one, c->api_version))
			return true;
	}
	answer_header(c, "x-ms-failure-cause", "gateway");
	if (c->api_version.n == 0)
		return answer_error(c, 400, "MissingApiVersionParameter",
		    "The api-version query parameter (?api-version=) is required for all "
		    "requests.");
	return answer_error(c, 400, "InvalidResourceType",
	    "The resource type could not be found in the namespace for api version '" STR_FMT
	    "'. The supported api-versions are '%s'.",
	    STR_ARG(c->api_version), c->route->versions);
}

static bool
pass_route(struct arm_call *c)
{
	bool known = false;

	c->route = arm_route_find(c->req->method, c->req->path, c->param, &known);
	if (c->route == NULL && known)
		return answer_error(c, 405, "MethodNotAllowed",
		    "The http method '" STR_FMT "' is not supported for this resource type.",
		    STR_ARG(c->req->method));
	if (c->route == NULL) {
		answer_header(c, "x-ms-failure-cause", "gateway");
		return answer_error(c, 404, "InvalidResourceType",
		    "The resource type of the request could not be found.");
	}
	return true;
}

static bool
pass_subscription(struct arm_call *c)
{
	struct str rest = c->req->path;
	struct str piece;

	(void)str_split(&rest, '/', &piece); /* what stands before the first slash */
	if (!str_split(&rest, '/', &piece) || !str_eq_nocase(piece, STR("subscriptions")))
		return true;
	if (!str_split(&rest, '/', &piece))
		return true;
	if (str_eq_nocase(piece, str_from(c->s->id.subscription)))
		return true;
	answer_header(c, "x-ms-failure-cause", "gateway");
	return answer_error(c, 404, "SubscriptionNotFound",
	    "The subscription '" STR_FMT "' could not be found.", STR_ARG(piece));
}

static bool
pass_rights(struct arm_call *c)
{
	if (c->route->action == NULL ||
	    fault_keyed(c->s->faults, FAULT_DENY, str_from(c->route->action)) == NULL)
		return true;
	answer_header(c, "x-ms-failure-cause", "gateway");
	return answer_error(c, 403, "AuthorizationFailed",
	    "The client '" STR_FMT "' with object id '" STR_FMT
	    "' does not have authorization to perform action '%s' over scope '" STR_FMT
	    "' or the scope is invalid. If access was recently granted, please refresh your "
	    "credentials.",
	    STR_ARG(c->principal), STR_ARG(c->object_id), c->route->action, STR_ARG(c->req->path));
}

static bool
pass_outage(struct arm_call *c)
{
	if (!fault_in_span(c->s->faults, FAULT_OUTAGE, c->now_ms - c->s->started_ms))
		return true;
	return answer_error(c, 503, "ServiceUnavailable", "The service is unavailable.");
}

void
arm_run(struct arm_call *c)
{
	struct error err = { 0 };
	size_t headers = c->ret->headers.n;

	(void)pthread_mutex_lock(&c->s->arm_lock);
	operations_advance(c->s);
	c->now_ms = sim_now(c->s);
	if (!state_begin(c->s->state, &err)) {
		answer_failure(c, &err);
	} else {
		c->route->handle(c);
		if (!c->answered || arm_failed(c)) {
			error_set(&err, ERR_INTERNAL, "the simulator gave no answer");
			c->ret->headers.n = headers;
			answer_failure(c, &err);
		}
		if (!state_end(c->s->state, c->ret->status < 500, &err))
			answer_failure(c, &err);
		if (c->ret->status >= 500)
			pool_index_forget(c->s); /* what was written is not there */
	}
	(void)pthread_mutex_unlock(&c->s->arm_lock);
	if (c->applied)
		sim_wake(c->s);
}

static void
request_ids(struct arm_call *c)
{
	struct str id = guid_new(c);

	answer_header(c, "x-ms-request-id", STR_FMT, STR_ARG(id));
	answer_header(c, "x-ms-correlation-request-id", STR_FMT, STR_ARG(guid_new(c)));
	answer_header(c, "x-ms-routing-request-id", "PRACTICE:" STR_FMT, STR_ARG(id));
	answer_header(c, "Cache-Control", "no-cache");
}

/* What spoils an answer after the work is done. Returns the fault's name for the ledger. */
static const char *
spoil(struct arm_call *c)
{
	struct str method = c->req->method, path = c->req->path;

	if (fault_hits(c->s->faults, FAULT_ARM_LOST, method, path)) {
		c->ret->drop = true;
		return "arm.lost";
	}
	if (c->ret->body.n > 1 && fault_hits(c->s->faults, FAULT_ARM_CUT, method, path)) {
		c->ret->cut_after = c->ret->body.n / 2;
		return "arm.cut";
	}
	return NULL;
}

static void
ledger_note(struct arm_call *c, const char *fault)
{
	bool read = str_is(c->req->method, "GET") || str_is(c->req->method, "HEAD");
	const struct ledger_row row = {
		.at_ms = c->now_ms,
		.service = "arm",
		.method = c->req->method,
		.path = c->req->path,
		.query = c->req->query,
		.api_version = c->api_version,
		.status = c->ret->drop ? 0 : c->ret->status,
		.acting = !read && !(c->route != NULL && c->route->polls),
		.applied = c->applied,
		.who = c->principal,
		.connection = c->req->connection,
		.client_request_id = c->req->client_request_id,
		.body = c->req->body,
		.fault = fault,
	};

	ledger_add(c->s->ledger, &row);
}

static void
pause_ms(double ms)
{
	struct timespec ts = { (time_t)(ms / 1000), (long)((int64_t)ms % 1000) * 1000000 };

	if (ms >= 1)
		(void)nanosleep(&ts, NULL); /* a signal may shorten it */
}

void
arm_handle(struct sim *s, const struct arm_request *req, struct arm_answer *ret)
{
	struct arm_call c = { .s = s, .req = req, .ret = ret };
	const char *fault = NULL;

	*ret = (struct arm_answer){ .body = TEXT_INIT(ARM_ARENA_MAX),
		.headers = TEXT_INIT((size_t)64 * 1024) };
	pause_ms(fault_number(s->faults, FAULT_ARM_SLOW, 0));
	c.a = arena_new(ARM_ARENA_MAX);
	if (c.a == NULL) {
		ret->drop = true;
		return;
	}
	c.now_ms = sim_now(s);
	c.api_version = arm_query(&c, "api-version");
	request_ids(&c);
	if (pass_outage(&c) && pass_token(&c) && pass_throttle(&c) && pass_faults(&c) &&
	    pass_subscription(&c) && pass_route(&c) && pass_version(&c) &&
	    pass_provider_throttle(&c) && pass_rights(&c)) {
		if (bucket_of(req->method) != ARM_READS &&
		    fault_hits(s->faults, FAULT_ARM_LATE, req->method, req->path)) {
			late_put(s, req, c.principal);
			ret->drop = true;
			fault = "arm.late";
		} else {
			arm_run(&c);
			fault = spoil(&c);
		}
	}
	ledger_note(&c, fault);
	arena_free(c.a);
}
