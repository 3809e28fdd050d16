#include <stdarg.h>
#include <stdio.h>

#include "backend/sim/arm.h"
#include "backend/sim/sim_int.h"
#include "model/json.h"

enum { DOC_BYTES_MAX = 1024 * 1024, KEY_MAX = 2048 };

static const char hidden[] = "_sim";

struct str
doc_key(struct arm_call *c, const char *fmt, ...)
{
	char text[KEY_MAX];
	va_list args;
	char *p;
	int n;

	va_start(args, fmt);
	n = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof(text))
		n = 0;
	p = arena_dup(c->a, text, (size_t)n);
	for (int i = 0; p != NULL && i < n; i++) {
		if (p[i] >= 'A' && p[i] <= 'Z')
			p[i] = (char)(p[i] + 32);
	}
	return (struct str){ p, p != NULL ? (size_t)n : 0 };
}

struct node *
doc_load(struct arm_call *c, enum doc_kind kind, struct str key)
{
	struct error err = { 0 };
	struct str doc = { 0 };
	struct node *n = NULL;

	if (!state_get(c->s->state, kind, key, c->a, &doc, &err) ||
	    (doc.n > 0 && !json_parse(c->a, doc, &n, &err)))
		answer_failure(c, &err);
	return n;
}

/* A cluster's API follows its document and those of its pools. */
static void
touch(struct arm_call *c, enum doc_kind kind, struct str key)
{
	size_t end = key.n;

	if (kind != DOC_CLUSTER && kind != DOC_POOL)
		return;
	while (kind == DOC_POOL && end > 0 && key.p[end - 1] != '/')
		end--;
	clusters_touch(
	    c->s->clusters, str_sub(key, 0, kind == DOC_POOL && end > 0 ? end - 1 : end));
}

bool
doc_save(struct arm_call *c, enum doc_kind kind, struct str key, const struct node *doc)
{
	struct text t = TEXT_INIT(DOC_BYTES_MAX);
	struct error err = { 0 };
	bool ok;

	json_write(&t, doc, JSON_COMPACT);
	ok = !arena_failed(c->a) && text_ok(&t, "document", &err) &&
	     state_put(c->s->state, kind, key, text_str(&t), &err);
	text_free(&t);
	if (!ok)
		return answer_failure(c, &err);
	c->applied = true;
	touch(c, kind, key);
	if (kind == DOC_POOL)
		pool_index_put(c->s, key, doc);
	return true;
}

bool
doc_drop(struct arm_call *c, enum doc_kind kind, struct str key)
{
	struct error err = { 0 };

	if (!state_remove(c->s->state, kind, key, &err))
		return answer_failure(c, &err);
	c->applied = true;
	touch(c, kind, key);
	if (kind == DOC_POOL)
		pool_index_drop(c->s, key);
	return true;
}

struct node *
doc_list(struct arm_call *c, enum doc_kind kind, struct str prefix)
{
	struct node *list = node_list(c->a);
	struct state_rows rows = { 0 };
	struct error err = { 0 };

	if (!state_list(c->s->state, kind, prefix, c->a, &rows, &err)) {
		answer_failure(c, &err);
		return list;
	}
	for (size_t i = 0; i < rows.n; i++) {
		struct node *doc = NULL;

		if (json_parse(c->a, rows.items[i].doc, &doc, &err))
			node_push(list, doc);
	}
	return list;
}

struct node *
doc_hidden(struct arm_call *c, struct node *doc)
{
	struct node *h = node_find(doc, hidden);

	if (h == NULL) {
		h = node_map(c->a);
		node_set(c->a, doc, hidden, h);
	}
	return h;
}

struct node *
doc_shown(struct arm_call *c, const struct node *doc)
{
	struct node *n = node_dup(c->a, doc);

	(void)node_remove(n, str_from(hidden)); /* absent is as good */
	return n;
}

struct node *
group_find(struct arm_call *c, struct str name, bool write)
{
	struct node *g = doc_load(c, DOC_GROUP, doc_key(c, STR_FMT, STR_ARG(name)));

	if (g == NULL && !c->answered) {
		answer_header(c, "x-ms-failure-cause", "gateway");
		answer_error(c, 404, "ResourceGroupNotFound",
		    "Resource group '" STR_FMT "' could not be found.", STR_ARG(name));
		return NULL;
	}
	if (write && str_is(node_path_str(g, "properties.provisioningState"), "Deleting")) {
		answer_error(c, 409, "ResourceGroupBeingDeleted",
		    "The resource group '" STR_FMT
		    "' is in deprovisioning state and cannot perform this operation.",
		    STR_ARG(name));
		return NULL;
	}
	return g;
}

bool
name_fits(struct str name, size_t max, const char *extra, bool alnum_ends)
{
	for (size_t i = 0; i < name.n; i++) {
		char ch = name.p[i];
		bool alnum = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
			     (ch >= '0' && ch <= '9');

		if (alnum)
			continue;
		if (str_find_char(str_from(extra), ch) < 0)
			return false;
		if (alnum_ends && (i == 0 || i + 1 == name.n))
			return false;
	}
	return name.n > 0 && name.n <= max;
}

bool
check_body(struct arm_call *c)
{
	struct error err = { 0 };
	struct str type = c->req->content_type;

	if (c->req->body.n == 0)
		return answer_error(c, 400, "MissingRequestBody", "A request body is required.");
	if (!str_starts(type, STR("application/json")) && !str_starts(type, STR("text/json")))
		return answer_error(c, 415, "UnsupportedMediaType",
		    "The content media type '" STR_FMT
		    "' is not supported. Only 'application/json' is supported.",
		    STR_ARG(type));
	if (c->req->body.n > ARM_BODY_MAX)
		return answer_error(c, 413, "RequestEntityTooLarge", "The request is too large.");
	if (!json_parse(c->a, c->req->body, &c->body, &err))
		return answer_error(c, 400, "InvalidRequestContent",
		    "The request content was invalid and could not be deserialized: '%s'.",
		    err.message);
	if (c->body->type != NODE_MAP)
		return answer_error(c, 400, "InvalidRequestContent",
		    "The request content was invalid: an object is expected.");
	return true;
}

static bool
refuse_policy(struct arm_call *c, const struct location *l)
{
	struct node *n = node_map(c->a), *e, *infos = node_list(c->a), *one = node_map(c->a);
	struct str name = c->param[2].n > 0 ? c->param[2] : c->param[1];

	e = error_node(c, "RequestDisallowedByPolicy",
	    str_printf(c, "Resource '" STR_FMT "' was disallowed by policy: location '%s'.",
		STR_ARG(name), l->name));
	node_set_strz(
	    c->a, node_make_path(c->a, one, "info"), "policyAssignmentName", "allowed-locations");
	node_set_strz(
	    c->a, node_find(one, "info"), "policyDefinitionDisplayName", "Allowed locations");
	node_set_strz(c->a, one, "type", "PolicyViolation");
	node_push(infos, one);
	node_set(c->a, e, "additionalInfo", infos);
	node_set(c->a, e, "target", node_str(c->a, name));
	node_set(c->a, n, "error", e);
	answer_json(c, 403, n);
	return false;
}

bool
check_location(struct arm_call *c, const struct node *body, const struct location **ret)
{
	struct str name = node_get_str(node_find(body, "location"));
	const struct location *l = location_find(name);

	if (name.n == 0)
		return answer_error(c, 400, "LocationRequired",
		    "The location property is required for this definition.");
	if (l == NULL)
		return answer_error(c, 400, "LocationNotAvailableForResourceType",
		    "The provided location '" STR_FMT "' is not available for this resource type.",
		    STR_ARG(name));
	if (fault_keyed(c->s->faults, FAULT_POLICY, str_from(l->name)) != NULL)
		return refuse_policy(c, l);
	*ret = l;
	return true;
}

bool
check_registered(struct arm_call *c, const char *ns)
{
	struct node *p = doc_load(c, DOC_PROVIDER, doc_key(c, "%s", ns));
	struct str state = node_get_str(node_find(p, "registrationState"));
	struct node *details = node_list(c->a), *detail;

	if (c->answered)
		return false;
	if (p == NULL && fault_keyed(c->s->faults, FAULT_UNREGISTERED, str_from(ns)) == NULL)
		return true;
	if (str_is(state, "Registered"))
		return true;
	answer_header(c, "x-ms-failure-cause", "gateway");
	detail = error_node(c, "MissingSubscriptionRegistration",
	    str_printf(c, "The subscription is not registered to use namespace '%s'.", ns));
	node_set_strz(c->a, detail, "target", ns);
	node_push(details, detail);
	return answer_detailed(c, 409, "MissingSubscriptionRegistration", ns, details,
	    "The subscription is not registered to use namespace '%s'. See "
	    "https://aka.ms/rps-not-found for how to register subscriptions.",
	    ns);
}

static struct str
unquoted(struct str tag)
{
	if (tag.n >= 2 && tag.p[0] == '"' && tag.p[tag.n - 1] == '"')
		return str_sub(tag, 1, tag.n - 2);
	return tag;
}

bool
check_conditions(struct arm_call *c, struct str etag, bool exists)
{
	struct str match = str_trim(c->req->if_match), none = str_trim(c->req->if_none_match);

	if (match.n > 0 && none.n > 0)
		return answer_error(c, 400, "BadRequest",
		    "If-Match and If-None-Match cannot be given in one request.");
	if (none.n > 0 && !str_is(none, "*"))
		return answer_error(c, 400, "BadRequest", "If-None-Match takes only '*'.");
	if (none.n > 0 && exists)
		return answer_error(c, 412, "PreconditionFailed", "The resource exists already.");
	if (match.n > 0 && !exists)
		return answer_error(c, 412, "PreconditionFailed", "The resource does not exist.");
	if (match.n > 0 && !str_is(match, "*") && !str_eq(unquoted(match), unquoted(etag)))
		return answer_error(c, 412, "PreconditionFailed",
		    "The eTag of the resource does not match the one in the request.");
	return true;
}
