#include "backend/apiserver/api_int.h"

#include <string.h>

#include "model/base/mem.h"

/* "May I", "what may I", "who am I": asked by kubectl auth, and by k9s before each view. */

static void
access_review(struct call *c, struct node *review)
{
	const struct node *r = node_path(review, "spec.resourceAttributes");
	const struct node *p = node_path(review, "spec.nonResourceAttributes");
	struct node *status = node_map(c->arena);

	if ((r == NULL) == (p == NULL)) {
		reply_status(c, 422, "Invalid",
		    "spec: Invalid value: exactly one of resourceAttributes "
		    "and nonResourceAttributes must be set");
		return;
	}
	const char *verb = NULL;

	if (r != NULL) {
		struct str v = node_path_str(r, "verb");

		verb = arena_dup(c->arena, v.n > 0 ? v.p : "", v.n);
	}
	bool allowed =
	    r == NULL ||
	    (verb != NULL && role_allows(c->role, strcmp(verb, "*") == 0 ? "delete" : verb,
				 node_path_str(r, "group"), node_path_str(r, "resource")));

	node_set_bool(c->arena, status, "allowed", allowed);
	node_set(c->arena, review, "status", status);
	reply_node(c, 201, review);
}

static void
push_words(struct arena *a, struct node *map, const char *key, const char *const *list)
{
	struct node *out = node_list(a);

	for (; *list != NULL; list++)
		node_push(out, node_strz(a, *list));
	node_set(a, map, key, out);
}

static void
rules_review(struct call *c, struct node *review)
{
	static const char *const all[] = { "*", NULL };
	static const char *const read[] = { "get", "list", "watch", NULL };
	struct arena *a = c->arena;
	struct node *status = node_map(a);
	struct node *resources = node_list(a);
	struct node *others = node_list(a);
	struct node *rule = node_map(a);

	push_words(a, rule, "verbs", c->role >= ROLE_OPERATE ? all : read);
	push_words(a, rule, "apiGroups", all);
	push_words(a, rule, "resources", all);
	node_push(resources, rule);
	rule = node_map(a);
	push_words(a, rule, "verbs", read);
	push_words(a, rule, "nonResourceURLs", all);
	node_push(others, rule);
	node_set(a, status, "resourceRules", resources);
	node_set(a, status, "nonResourceRules", others);
	node_set_bool(a, status, "incomplete", false);
	node_set(a, review, "status", status);
	reply_node(c, 201, review);
}

static void
self_review(struct call *c, struct node *review)
{
	static const char *const groups[] = { "system:authenticated", NULL };
	struct node *info = node_make_path(c->arena, review, "status.userInfo");

	node_set_strz(c->arena, info, "username", c->user);
	push_words(c->arena, info, "groups", groups);
	reply_node(c, 201, review);
}

static const struct {
	const char *group;
	const char *plural;
	const char *kind;
	void (*handle)(struct call *c, struct node *review);
} reviews[] = {
	{ "authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview",
	    access_review },
	{ "authorization.k8s.io", "selfsubjectrulesreviews", "SelfSubjectRulesReview",
	    rules_review },
	{ "authentication.k8s.io", "selfsubjectreviews", "SelfSubjectReview", self_review },
};

void
handle_review(struct call *c)
{
	for (size_t i = 0; i < ARRAY_LEN(reviews); i++) {
		struct node *body = NULL;

		if (!str_is(c->route.group, reviews[i].group) ||
		    !str_is(c->route.plural, reviews[i].plural))
			continue;
		if (strcmp(c->req->method, "POST") != 0) {
			reply_status(c, 405, "MethodNotAllowed",
			    "the server does not allow this method on the requested resource");
			return;
		}
		if (!body_read(c, &body))
			return;
		if (body == NULL || body->type != NODE_MAP) {
			reply_status(c, 400, "BadRequest", "the body is not an object");
			return;
		}
		node_set_strz(c->arena, body, "kind", reviews[i].kind);
		if (node_find(body, "apiVersion") == NULL)
			node_set_strz(c->arena, body, "apiVersion",
			    arena_printf(c->arena, "%s/v1", reviews[i].group));
		reviews[i].handle(c, body);
		return;
	}
	reply_plain(c, 404, "404 page not found\n");
}
