#include "backend/providers/azure/azure_int.h"

#include "model/base/mem.h"
#include "model/names.h"

/*
 * The row "role-assignment" (facts 3.9, 6.5): the cluster's identity may join its subnet. Its GUID
 * follows from scope, role and principal, so a repeat is the same assignment; nobody changes one by
 * hand without removing it, so a recorded one is not looked at again.
 */

static struct str
principal(const struct step *s)
{
	const struct external *cluster = step_peer(s, "cluster");

	return cluster == NULL ? str_from(NULL)
			       : node_get_str(node_find(cluster->spec.observed, "principalId"));
}

static struct str
assignment_id(const struct step *s, struct str who)
{
	struct azure_session *az = session_of(s);
	struct str scope = arm_subnet_id(az, s->want->want);
	const char *parts[] = { arena_dup(s->arena, scope.p, scope.n),
		arena_dup(s->arena, who.p, who.n), "role", NULL };

	if (parts[0] == NULL || parts[1] == NULL)
		return (struct str){ 0 };
	return arm_path(az, STR_FMT "/providers/Microsoft.Authorization/roleAssignments/" STR_FMT,
	    STR_ARG(scope), STR_ARG(uuid_from(s->arena, parts)));
}

static enum seen
look_at(struct step *s, struct error *err)
{
	struct node *live = NULL;

	if (s->ext->spec.external_id.n == 0)
		return SEEN_ABSENT;
	switch (arm_get(session_of(s), s->ext->spec.external_id, API_ROLES, &live, err)) {
	case FOUND_FAILED:
		return SEEN_UNKNOWN;
	case FOUND_ABSENT:
		return SEEN_ABSENT;
	case FOUND_IT:
		break;
	}
	return SEEN_READY;
}

enum seen
role_observe(struct step *s, struct error *err)
{
	struct str who = principal(s);

	if (s->want == NULL || s->ext->spec.phase == EXTERNAL_DELETING)
		return look_at(s, err);
	if (s->ext->spec.phase != EXTERNAL_READY && s->ext->spec.phase != EXTERNAL_DRIFTED)
		return SEEN_ABSENT; /* the PUT is the question and the answer */
	if (who.n == 0 ||
	    str_eq(node_get_str(node_find(s->ext->spec.observed, "principalId")), who))
		return SEEN_READY;
	compare_note(s, false, "the cluster has a new identity");
	return SEEN_DRIFTED;
}

enum outcome
role_create(struct step *s, struct error *err)
{
	struct azure_session *az = session_of(s);
	struct node *body = node_map(s->arena),
		    *props = node_make_path(s->arena, body, "properties");
	struct str who = principal(s), id = assignment_id(s, who);
	enum outcome outcome;

	if (who.n == 0) {
		(void)error_set(err, ERR_BUSY, "the cluster's identity is not known yet");
		return OUTCOME_NOT_SENT;
	}
	node_set(s->arena, props, "principalId", node_str(s->arena, who));
	/* Spares PrincipalNotFound while the new identity spreads. */
	node_set_strz(s->arena, props, "principalType", "ServicePrincipal");
	node_set(s->arena, props, "roleDefinitionId",
	    node_str(s->arena,
		arm_path(az,
		    "/subscriptions/%s/providers/Microsoft.Authorization/roleDefinitions/" STR_FMT,
		    az->account->cred.subscription, STR_ARG(want_str(s, "role")))));
	outcome =
	    arm_put(s, &(struct arm_put){ .id = id, .api = API_ROLES, .body = body }, NULL, err);
	if (outcome == OUTCOME_REFUSED && err != NULL && err->code == ERR_EXISTS) {
		set_id(s, id); /* the same assignment under another GUID does as well */
		outcome = OUTCOME_DONE;
	}
	if (outcome == OUTCOME_DONE) {
		struct node *o = node_map(s->arena);

		node_set(s->arena, o, "principalId", node_str(s->arena, who));
		s->ext->spec.observed = o;
	}
	return outcome;
}

enum outcome
role_update(struct step *s, struct error *err)
{
	return role_create(s, err);
}

enum outcome
role_remove(struct step *s, struct error *err)
{
	return arm_remove(s, s->ext->spec.external_id, API_ROLES, err);
}
