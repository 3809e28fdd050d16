#include <stdarg.h>
#include <stdio.h>

#include "backend/sim/arm.h"
#include "backend/sim/sim_int.h"
#include "backend/sim/url.h"
#include "model/json.h"

enum { MESSAGE_MAX = 4096, LINK_MAX = 8192, HEADER_MAX = 16384 };

bool
arm_failed(const struct arm_call *c)
{
	return arena_failed(c->a) || c->ret->body.no_memory || c->ret->body.too_long;
}

struct str
arm_query(const struct arm_call *c, const char *name)
{
	return url_value(c->a, c->req->query, name, false);
}

struct str
str_printf(struct arm_call *c, const char *fmt, ...)
{
	va_list args;
	char *p;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	p = n >= 0 ? arena_get(c->a, (size_t)n + 1) : NULL;
	if (p == NULL)
		return (struct str){ 0 };
	va_start(args, fmt);
	(void)vsnprintf(p, (size_t)n + 1, fmt, args); /* the size is known */
	va_end(args);
	return (struct str){ p, (size_t)n };
}

void
answer_header(struct arm_call *c, const char *name, const char *fmt, ...)
{
	char value[HEADER_MAX];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(value, sizeof(value), fmt, args); /* longer ones are cut */
	va_end(args);
	text_add(&c->ret->headers, name);
	text_add(&c->ret->headers, ": ");
	text_add(&c->ret->headers, value);
	text_add_char(&c->ret->headers, '\n');
}

void
answer_json(struct arm_call *c, int status, const struct node *body)
{
	c->ret->status = status;
	text_clear(&c->ret->body);
	json_write(&c->ret->body, body, JSON_COMPACT);
	c->answered = true;
}

void
answer_empty(struct arm_call *c, int status)
{
	c->ret->status = status;
	text_clear(&c->ret->body);
	c->answered = true;
}

bool
answer_error(struct arm_call *c, int status, const char *code, const char *fmt, ...)
{
	struct node *n = node_map(c->a), *e = node_map(c->a);
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, args); /* longer ones are cut */
	va_end(args);
	node_set_strz(c->a, e, "code", code);
	node_set_strz(c->a, e, "message", message);
	node_set(c->a, n, "error", e);
	answer_json(c, status, n);
	return false;
}

bool
answer_detailed(struct arm_call *c, int status, const char *code, const char *target,
    struct node *details, const char *fmt, ...)
{
	struct node *n = node_map(c->a), *e = node_map(c->a);
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, args); /* longer ones are cut */
	va_end(args);
	node_set_strz(c->a, e, "code", code);
	node_set(c->a, e, "details", details);
	node_set_strz(c->a, e, "message", message);
	if (target != NULL)
		node_set_strz(c->a, e, "target", target);
	node_set(c->a, n, "error", e);
	answer_json(c, status, n);
	return false;
}

bool
answer_aks_error(
    struct arm_call *c, int status, const char *code, const char *target, const char *fmt, ...)
{
	struct node *n = node_map(c->a);
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, args); /* longer ones are cut */
	va_end(args);
	node_set_strz(c->a, n, "code", code);
	node_set(c->a, n, "details", node_null(c->a));
	node_set_strz(c->a, n, "message", message);
	node_set_strz(c->a, n, "subcode", "");
	if (target != NULL)
		node_set_strz(c->a, n, "target", target);
	answer_json(c, status, n);
	return false;
}

bool
answer_invalid(struct arm_call *c, const char *target, const char *fmt, ...)
{
	struct node *n = node_map(c->a), *e = node_map(c->a), *d = node_map(c->a);
	struct node *details = node_list(c->a);
	char message[MESSAGE_MAX];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(message, sizeof(message), fmt, args); /* longer ones are cut */
	va_end(args);
	node_set_strz(c->a, d, "code", "InvalidParameter");
	node_set_strz(c->a, d, "message", message);
	node_set_strz(c->a, d, "target", target);
	node_push(details, d);
	node_set_strz(c->a, e, "code", "InvalidParameter");
	node_set(c->a, e, "details", details);
	node_set_strz(c->a, e, "message", message);
	node_set_strz(c->a, e, "target", target);
	node_set(c->a, n, "error", e);
	answer_json(c, 400, n);
	return false;
}

struct node *
error_node(struct arm_call *c, const char *code, struct str message)
{
	struct node *e = node_map(c->a);

	node_set_strz(c->a, e, "code", code);
	node_set(c->a, e, "message", node_str(c->a, message));
	return e;
}

bool
answer_not_found(struct arm_call *c, const char *type, struct str name, struct str group)
{
	answer_header(c, "x-ms-failure-cause", "gateway");
	return answer_error(c, 404, "ResourceNotFound",
	    "The Resource '%s/" STR_FMT "' under resource group '" STR_FMT
	    "' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix",
	    type, STR_ARG(name), STR_ARG(group));
}

bool
answer_failure(struct arm_call *c, const struct error *err)
{
	return answer_error(c, 500, "InternalServerError", "simulator: %s", err->message);
}

struct str
guid_str(struct arm_call *c, const char *const *parts)
{
	char g[GUID_SIZE];

	guid_of(g, parts);
	return str_copy(c->a, str_from(g));
}

struct str
guid_new(struct arm_call *c)
{
	char g[GUID_SIZE] = "00000000-0000-0000-0000-000000000000";

	if (!guid_random(g))
		g[0] = 'f'; /* without random bytes all are equal, which harms nobody here */
	return str_copy(c->a, str_from(g));
}

/* The number of the page that $skiptoken names; 0 without. */
static size_t
page_from(struct arm_call *c)
{
	struct str token = arm_query(c, "$skiptoken");
	int64_t from = 0;

	if (!str_starts(token, STR("page+")) || !str_to_int(str_sub(token, 5, token.n), &from) ||
	    from < 0)
		return 0;
	return (size_t)from;
}

static void
next_link(struct arm_call *c, struct node *answer, size_t next)
{
	struct text link = TEXT_INIT(LINK_MAX);
	struct str rest = c->req->query, pair;

	text_printf(&link, "%s" STR_FMT "?", c->s->arm_url, STR_ARG(c->req->path));
	while (str_split(&rest, '&', &pair)) {
		struct str name = url_decode(c->a, pair, false);

		if (!str_starts(name, STR("$skiptoken")) && pair.n > 0) {
			text_add_str(&link, pair);
			text_add_char(&link, '&');
		}
	}
	/* Escapes in lower case and a '+', as Azure writes them: clients must keep the value. */
	text_printf(&link, "%%24skiptoken=page%%2b%zu", next);
	node_set(c->a, answer, "nextLink", node_str(c->a, text_str(&link)));
	text_free(&link);
}

void
answer_page(struct arm_call *c, struct node *items, size_t size)
{
	struct node *answer = node_map(c->a), *page = node_list(c->a);
	struct str top = arm_query(c, "$top");
	size_t from = page_from(c), n = 0;
	struct node *next, *it = node_first(items);
	int64_t most = 0;

	if (top.n > 0 && str_to_int(top, &most) && most > 0 && (size_t)most < size)
		size = (size_t)most;
	for (size_t i = 0; it != NULL && i < from; i++)
		it = it->next;
	for (; it != NULL && n < size; it = next, n++) {
		next = it->next;
		it->next = NULL;
		node_push(page, it);
	}
	node_set(c->a, answer, "value", page);
	if (it != NULL)
		next_link(c, answer, from + n);
	answer_json(c, 200, answer);
}

void
answer_docs(
    struct arm_call *c, enum doc_kind kind, struct str prefix, size_t size, doc_show_fn *show)
{
	struct node *answer = node_map(c->a), *page = node_list(c->a);
	struct state_rows rows = { 0 };
	struct error err = { 0 };
	size_t from = page_from(c), at;
	struct str top = arm_query(c, "$top");
	int64_t most = 0;

	if (!state_list(c->s->state, kind, prefix, c->a, &rows, &err)) {
		answer_failure(c, &err);
		return;
	}
	if (top.n > 0 && str_to_int(top, &most) && most > 0 && (size_t)most < size)
		size = (size_t)most;
	for (at = from; at < rows.n && at < from + size; at++) {
		struct node *doc = NULL;

		if (!json_parse(c->a, rows.items[at].doc, &doc, &err)) {
			answer_failure(c, &err);
			return;
		}
		node_push(page, show(c, doc));
	}
	node_set(c->a, answer, "value", page);
	if (at < rows.n)
		next_link(c, answer, at);
	answer_json(c, 200, answer);
}
