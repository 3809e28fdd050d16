#include "backend/kube/client_int.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"

enum { STATUS_ARENA = 8 * 1024 * 1024 };

/* clang-format off */
static const struct {
	const char *reason;
	int status; /* when the answer names no reason */
	enum error_code code;
} reasons[] = {
	{ "BadRequest",            400, ERR_INVALID },
	{ "Unauthorized",          401, ERR_UNAUTHENTICATED },
	{ "Forbidden",             403, ERR_FORBIDDEN },
	{ "NotFound",              404, ERR_NOT_FOUND },
	{ "MethodNotAllowed",      405, ERR_REFUSED },
	{ "NotAcceptable",         406, ERR_INTERNAL },
	{ "Conflict",              409, ERR_CONFLICT },
	{ "AlreadyExists",           0, ERR_EXISTS },
	{ "Gone",                  410, ERR_GONE },
	{ "Expired",                 0, ERR_GONE },
	{ "RequestEntityTooLarge", 413, ERR_TOO_LARGE },
	{ "UnsupportedMediaType",  415, ERR_INTERNAL },
	{ "Invalid",               422, ERR_INVALID },
	{ "TooManyRequests",       429, ERR_THROTTLED },
	{ "InternalError",         500, ERR_CLOUD },
	{ "ServiceUnavailable",    503, ERR_NETWORK },
	{ "ServerTimeout",           0, ERR_TIMEOUT },
	{ "Timeout",               504, ERR_TIMEOUT },
	{ "",                      502, ERR_NETWORK },
};
#define X(id, text, exit_code, retry, advice) { text, ERR_##id },
/* Our own server names our own codes. */
static const struct {
	const char *reason;
	enum error_code code;
} own_reasons[] = { ERROR_CODES(X) };
#undef X
/* clang-format on */

static enum error_code
code_of(struct str reason, int status)
{
	for (size_t i = 0; reason.n > 0 && i < ARRAY_LEN(reasons); i++) {
		if (str_is(reason, reasons[i].reason))
			return reasons[i].code;
	}
	for (size_t i = 0; reason.n > 0 && i < ARRAY_LEN(own_reasons); i++) {
		if (str_is(reason, own_reasons[i].reason) && own_reasons[i].code != ERR_NONE)
			return own_reasons[i].code;
	}
	for (size_t i = 0; i < ARRAY_LEN(reasons); i++) {
		if (status == reasons[i].status)
			return reasons[i].code;
	}
	return status >= 500 ? ERR_NETWORK : ERR_CLOUD;
}

static void
cause_add(struct error *err, struct str field, struct str message)
{
	if (err->ncauses >= ERROR_CAUSES_MAX)
		return;
	struct text t = TEXT_INIT(ERROR_CAUSE_MAX - 1);

	text_add_str(&t, field);
	if (field.n > 0)
		text_add(&t, ": ");
	text_add_str(&t, message);
	memcpy(err->cause[err->ncauses], text_get(&t), t.n + 1);
	err->ncauses++;
	text_free(&t);
}

int
status_node_to_error(const struct node *status, struct error *err)
{
	int code = (int)node_path_int(status, "code", 0);
	struct str reason = node_path_str(status, "reason");
	struct str message = node_path_str(status, "message");
	struct str advice = node_path_str(status, "details.advice");
	const struct node *causes = node_path(status, "details.causes");
	enum error_code e = code_of(reason, code);

	/* A quota of the cluster: waiting for room helps, other permissions do not. */
	if (e == ERR_FORBIDDEN && str_find(message, STR("exceeded quota")) >= 0)
		e = ERR_QUOTA;
	error_set(err, e, STR_FMT,
	    STR_ARG(message.n > 0 ? message : STR("the API server gave no reason")));
	if (err == NULL)
		return code;
	for (const struct node *c = node_first(causes); c != NULL; c = c->next)
		cause_add(err, node_path_str(c, "field"), node_path_str(c, "message"));
	if (advice.n > 0)
		error_advise(err, STR_FMT, STR_ARG(advice));
	err->retry_after_ms = node_path_int(status, "details.retryAfterSeconds", 0) * 1000;
	return code;
}

bool
status_to_error(
    const struct http_response *r, const char *method, struct str target, struct error *err)
{
	struct arena *a = arena_new(STATUS_ARENA);
	struct node *status = NULL;
	ptrdiff_t mark = str_find_char(target, '?');
	struct str path = mark >= 0 ? str_sub(target, 0, (size_t)mark) : target;
	int64_t wait = http_retry_after_ms(r);

	if (a != NULL && r->body.n <= STATUS_ARENA / 8 &&
	    json_parse(a, text_str(&r->body), &status, NULL) &&
	    str_is(node_path_str(status, "kind"), "Status")) {
		(void)status_node_to_error(status, err);
	} else {
		error_set(err, code_of((struct str){ 0 }, r->status), "%s " STR_FMT ": HTTP %d",
		    method, STR_ARG(path), r->status);
	}
	if (err != NULL && wait > 0)
		err->retry_after_ms = wait;
	arena_free(a);
	return false;
}
