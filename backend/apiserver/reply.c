#include "backend/apiserver/api_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/store/apply.h"
#include "model/base/mem.h"
#include "model/json.h"

/* clang-format off */
/* How an error of ours looks from outside; the rest is 500 with the error's own reason. */
static const struct {
	enum error_code code;
	int status;
	const char *reason; /* NULL: the error's own */
} rows[] = {
	{ ERR_NOT_FOUND,       404, "NotFound" },
	{ ERR_EXISTS,          409, "AlreadyExists" },
	{ ERR_CONFLICT,        409, "Conflict" },
	{ ERR_GONE,            410, "Expired" },
	{ ERR_INVALID,         422, "Invalid" },
	{ ERR_IMMUTABLE,       422, "Invalid" },
	{ ERR_TOO_LARGE,       413, "RequestEntityTooLarge" },
	{ ERR_USAGE,           400, "BadRequest" },
	{ ERR_REFUSED,         403, NULL },
	{ ERR_READ_ONLY,       403, NULL },
	{ ERR_FORBIDDEN,       403, "Forbidden" },
	{ ERR_QUOTA,           403, "Forbidden" },
	{ ERR_UNAUTHENTICATED, 401, "Unauthorized" },
	{ ERR_THROTTLED,       429, "TooManyRequests" },
	{ ERR_TIMEOUT,         504, "Timeout" },
	{ ERR_BUSY,            409, "Conflict" },
};
/* clang-format on */

static const struct {
	const char *rule;
	const char *reason;
} cause_reasons[] = {
	{ "schema/required", "FieldValueRequired" },
	{ "schema/type", "FieldValueTypeInvalid" },
	{ "schema/enum", "FieldValueNotSupported" },
	{ "schema/duplicate", "FieldValueDuplicate" },
	{ "schema/immutable", "FieldValueForbidden" },
};

const char *
resource_api_version(struct arena *a, const struct resource *res)
{
	const char *text =
	    arena_printf(a, "%s%s%s", res->group, res->group[0] != '\0' ? "/" : "", res->version);

	return text != NULL ? text : "v1";
}

static const char *
dotted(const struct call *c, const char *first)
{
	const char *group = c->resource->group;
	const char *text =
	    arena_printf(c->arena, "%s%s%s", first, group[0] != '\0' ? "." : "", group);

	return text != NULL ? text : first;
}

const char *
call_plural(const struct call *c)
{
	return dotted(c, c->resource->plural);
}

const char *
call_kind(const struct call *c)
{
	return dotted(c, c->resource->kind);
}

void
reply_json(struct call *c, int status, struct text *take)
{
	c->res->status = status;
	c->res->content_type = "application/json";
	c->res->body = *take;
	*take = (struct text){ 0 };
}

void
reply_node(struct call *c, int status, const struct node *value)
{
	struct text body = TEXT_INIT(API_MAX_ANSWER);

	json_write(&body, value, query_is_true(c, "pretty") ? JSON_PRETTY : JSON_COMPACT);
	text_add_char(&body, '\n');
	reply_json(c, status, &body);
}

void
reply_plain(struct call *c, int status, const char *words)
{
	c->res->status = status;
	c->res->content_type = "text/plain; charset=utf-8";
	c->res->body = (struct text)TEXT_INIT(4096);
	text_add(&c->res->body, words);
}

void
reply_object(struct call *c, int status, const struct object *o)
{
	struct text body = TEXT_INIT(API_MAX_ANSWER);
	struct str json = { 0 };
	struct error err = { 0 };

	if (!object_shown(c, o, &json, &err)) {
		reply_error(c, &err);
		return;
	}
	text_add_str(&body, json);
	text_add_char(&body, '\n');
	reply_json(c, status, &body);
}

void
warning_add(struct call *c, const char *fmt, ...)
{
	struct text line = TEXT_INIT(1024);
	char words[512];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	for (const char *p = words; *p != '\0'; p++) {
		if (*p == '"' || *p == '\\')
			text_add_char(&line, '\\');
		text_add_char(&line, *p == '\n' || *p == '\r' ? ' ' : *p);
	}
	text_printf(&c->warnings, "Warning: 299 - \"%s\"\n", text_get(&line));
	text_free(&line);
}

struct node *
status_new(struct arena *a, int code, const char *reason, struct str message)
{
	struct node *s = node_map(a);

	node_set_strz(a, s, "kind", "Status");
	node_set_strz(a, s, "apiVersion", "v1");
	node_set(a, s, "metadata", node_map(a));
	node_set_strz(a, s, "status", "Failure");
	node_set(a, s, "message", node_str(a, message));
	if (reason != NULL && reason[0] != '\0')
		node_set_strz(a, s, "reason", reason);
	node_set(a, s, "details", node_map(a));
	node_set_int(a, s, "code", code);
	return s;
}

struct node *
status_details(const struct call *c, bool plural)
{
	struct node *d = node_map(c->arena);

	if (c->resource == NULL)
		return d;
	if (c->route.name.n > 0)
		node_set(c->arena, d, "name", node_str(c->arena, c->route.name));
	if (c->resource->group[0] != '\0')
		node_set_strz(c->arena, d, "group", c->resource->group);
	node_set_strz(c->arena, d, "kind", plural ? c->resource->plural : c->resource->kind);
	return d;
}

void
reply_status(struct call *c, int code, const char *reason, const char *fmt, ...)
{
	char words[ERROR_MESSAGE_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	struct node *s = status_new(c->arena, code, reason, str_from(words));

	/* bad requests say nothing about an object */
	if (code != 400 && code != 405 && code != 406 && code != 415)
		node_set(c->arena, s, "details", status_details(c, code != 422));
	else
		node_set(c->arena, s, "details", code == 400 ? NULL : node_map(c->arena));
	reply_node(c, code, s);
}

/* The sentence that Kubernetes' clients know, where it has one. */
static const char *
known_words(const struct call *c, const struct error *err)
{
	const char *name =
	    arena_dup(c->arena, c->route.name.p != NULL ? c->route.name.p : "", c->route.name.n);

	if (c->resource == NULL || name == NULL)
		return err->message;
	if (err->code == ERR_NOT_FOUND && c->route.name.n > 0)
		return arena_printf(c->arena, "%s \"%s\" not found", call_plural(c), name);
	if (err->code == ERR_EXISTS)
		return arena_printf(c->arena, "%s \"%s\" already exists", call_plural(c), name);
	if (err->code == ERR_CONFLICT && strncmp(err->message, "Apply failed", 12) != 0)
		return arena_printf(c->arena,
		    "Operation cannot be fulfilled on %s \"%s\": the object has been modified; "
		    "please "
		    "apply your changes to the latest version and try again",
		    call_plural(c), name);
	if (err->code == ERR_INVALID && c->route.name.n > 0)
		return arena_printf(
		    c->arena, "%s \"%s\" is invalid: %s", call_kind(c), name, err->message);
	return err->message;
}

void
reply_error(struct call *c, const struct error *err)
{
	int status = 500;
	const char *reason = error_reason(err);
	const char *advice = error_advice(err);
	const char *words = known_words(c, err);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].code != err->code)
			continue;
		status = rows[i].status;
		if (rows[i].reason != NULL)
			reason = rows[i].reason;
	}
	/* A name that an admission gave its refusal is worth more than the table's. */
	struct node *s =
	    status_new(c->arena, status, reason, str_from(words != NULL ? words : err->message));
	struct node *details = status_details(c, status != 422);

	if (advice[0] != '\0')
		node_set_strz(c->arena, details, "advice", advice);
	if (err->retry_after_ms > 0)
		node_set_int(
		    c->arena, details, "retryAfterSeconds", (err->retry_after_ms + 999) / 1000);
	node_set(c->arena, s, "details", details);
	reply_node(c, status, s);
}

static const char *
cause_reason(struct str rule)
{
	for (size_t i = 0; i < ARRAY_LEN(cause_reasons); i++) {
		if (str_is(rule, cause_reasons[i].rule))
			return cause_reasons[i].reason;
	}
	return "FieldValueInvalid";
}

void
reply_problems(struct call *c, const struct problems *p)
{
	struct arena *a = c->arena;
	struct text words = TEXT_INIT(API_MAX_WORDS);
	struct node *causes = node_list(a);

	text_printf(&words, "%s \"" STR_FMT "\" is invalid: %s", call_kind(c),
	    STR_ARG(c->route.name), p->nerrors > 1 ? "[" : "");
	for (size_t i = 0, shown = 0; i < p->n; i++) {
		const struct problem *x = &p->items[i];
		struct node *cause = node_map(a);

		if (x->severity != SEVERITY_ERROR)
			continue;
		text_printf(&words, "%s" STR_FMT ": " STR_FMT, shown++ > 0 ? ", " : "",
		    STR_ARG(x->path), STR_ARG(x->message));
		node_set_strz(a, cause, "reason", cause_reason(x->rule));
		node_set(a, cause, "message", node_str(a, x->message));
		node_set(a, cause, "field", node_str(a, x->path));
		node_push(causes, cause);
	}
	text_add(&words, p->nerrors > 1 ? "]" : "");
	struct node *s = status_new(a, 422, "Invalid", text_str(&words));
	struct node *details = status_details(c, false);

	node_set(a, details, "causes", causes);
	node_set(a, s, "details", details);
	text_free(&words);
	reply_node(c, 422, s);
}
