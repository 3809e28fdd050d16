#include "backend/sim/arm_routes.h"
#include "backend/sim/sim_int.h"
#include "backend/sim/url.h"

/*
 * Role assignments on any scope. Path parameter 0 is the scope, 1 the assignment's GUID.
 */

enum { ROLE_PAGE = 100 };

static bool
is_guid(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char ch = s.p[i];
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		bool hex = (ch >= '0' && ch <= '9') || (ch >= 'a' && ch <= 'f') ||
			   (ch >= 'A' && ch <= 'F');

		if (dash ? ch != '-' : !hex)
			return false;
	}
	return s.n == 36;
}

static struct str
role_key(struct arm_call *c)
{
	return doc_key(c, STR_FMT "|" STR_FMT, STR_ARG(c->param[0]), STR_ARG(c->param[1]));
}

static bool
check_role_body(struct arm_call *c, const struct node *p)
{
	static const char *const known[] = { "roleDefinitionId", "principalId", "principalType",
		"description", "condition", "conditionVersion",
		"delegatedManagedIdentityResourceId" };
	struct str principal = node_get_str(node_find(p, "principalId"));

	for (const struct node *m = node_first(p); m != NULL; m = m->next) {
		bool found = false;

		for (size_t i = 0; i < ARRAY_LEN(known); i++)
			found = found || str_is(m->key, known[i]);
		if (!found)
			return answer_error(c, 400, "InvalidRequestContent",
			    "The request content was invalid: unknown member '" STR_FMT "'.",
			    STR_ARG(m->key));
	}
	if (node_get_str(node_find(p, "roleDefinitionId")).n == 0 || principal.n == 0)
		return answer_error(c, 400, "InvalidRequestContent",
		    "The request content was invalid: 'roleDefinitionId' and 'principalId' are "
		    "required.");
	if (!is_guid(principal))
		return answer_error(c, 400, "InvalidPrincipalId",
		    "The principal id '" STR_FMT "' is not valid. Principal ids must be a GUID.",
		    STR_ARG(principal));
	return true;
}

/* "…/roleDefinitions/<guid>" without what stands before it. */
static struct str
role_guid(struct str id)
{
	return id.n >= 36 ? str_sub(id, id.n - 36, 36) : id;
}

static struct node *
same_assignment(struct arm_call *c, const struct node *p)
{
	struct node *all = doc_list(c, DOC_ROLE, doc_key(c, STR_FMT "|", STR_ARG(c->param[0])));

	for (struct node *r = node_first(all); r != NULL; r = r->next) {
		if (str_eq_nocase(node_path_str(r, "properties.principalId"),
			node_get_str(node_find(p, "principalId"))) &&
		    str_eq_nocase(role_guid(node_path_str(r, "properties.roleDefinitionId")),
			role_guid(node_get_str(node_find(p, "roleDefinitionId")))))
			return r;
	}
	return NULL;
}

static struct node *
role_made(struct arm_call *c, const struct node *p)
{
	struct node *n = node_map(c->a), *q = node_dup(c->a, p);
	struct text now = TEXT_INIT(64);

	simtime_add_fine(&now, c->now_ms);
	node_set(c->a, n, "id",
	    node_str(c->a,
		str_printf(c, STR_FMT "/providers/Microsoft.Authorization/roleAssignments/" STR_FMT,
		    STR_ARG(c->param[0]), STR_ARG(c->param[1]))));
	node_set(c->a, n, "name", node_str(c->a, c->param[1]));
	node_set(c->a, q, "createdBy", node_str(c->a, c->object_id));
	node_set_strz(c->a, q, "createdOn", text_get(&now));
	node_set(c->a, q, "scope", node_str(c->a, c->param[0]));
	node_set(c->a, q, "updatedBy", node_str(c->a, c->object_id));
	node_set_strz(c->a, q, "updatedOn", text_get(&now));
	node_set(c->a, n, "properties", q);
	node_set_strz(c->a, n, "type", "Microsoft.Authorization/roleAssignments");
	text_free(&now);
	return n;
}

void
role_put(struct arm_call *c)
{
	struct node *old, *same, *p;

	if (!check_body(c))
		return;
	p = node_find(c->body, "properties");
	if (!is_guid(c->param[1])) {
		answer_error(c, 400, "InvalidRoleAssignmentId",
		    "The role assignment ID '" STR_FMT
		    "' is not valid. The role assignment ID must be a GUID.",
		    STR_ARG(c->param[1]));
		return;
	}
	if (!check_role_body(c, p))
		return;
	old = doc_load(c, DOC_ROLE, role_key(c));
	same = same_assignment(c, p);
	if (old != NULL && same != NULL) {
		answer_json(c, 200, doc_shown(c, old));
		return;
	}
	if (same != NULL) {
		answer_error(c, 409, "RoleAssignmentExists", "The role assignment already exists.");
		return;
	}
	if (old != NULL) {
		answer_error(c, 400, "RoleAssignmentUpdateNotPermitted",
		    "Tenant ID, application ID, principal ID, and scope are not allowed to be "
		    "updated.");
		return;
	}
	old = role_made(c, p);
	if (doc_save(c, DOC_ROLE, role_key(c), old))
		answer_json(c, 201, old);
}

void
role_get(struct arm_call *c)
{
	struct node *r = doc_load(c, DOC_ROLE, role_key(c));

	if (c->answered)
		return;
	if (r != NULL)
		answer_json(c, 200, doc_shown(c, r));
	else
		answer_error(c, 404, "RoleAssignmentNotFound",
		    "The role assignment '" STR_FMT "' is not found.", STR_ARG(c->param[1]));
}

void
role_delete(struct arm_call *c)
{
	struct node *r = doc_load(c, DOC_ROLE, role_key(c));

	if (c->answered)
		return;
	if (r == NULL)
		answer_empty(c, 204);
	else if (doc_drop(c, DOC_ROLE, role_key(c)))
		answer_json(c, 200, doc_shown(c, r));
}

void
role_list(struct arm_call *c)
{
	struct str filter = arm_query(c, "$filter"), wanted = { 0 };
	struct node *all = doc_list(c, DOC_ROLE, doc_key(c, STR_FMT, STR_ARG(c->param[0])));
	struct node *out = node_list(c->a);
	ptrdiff_t at = str_find_char(filter, '\'');

	if (str_starts(filter, STR("principalId eq ")) && at > 0)
		wanted = str_sub(filter, (size_t)at + 1, 36);
	for (struct node *r = node_first(all); r != NULL; r = r->next) {
		if (wanted.n == 0 ||
		    str_eq_nocase(wanted, node_path_str(r, "properties.principalId")))
			node_push(out, doc_shown(c, r));
	}
	answer_page(c, out, ROLE_PAGE);
}
