#include "backend/providers/azure/azure_int.h"

#include "model/base/mem.h"

/* The row "resource-group" (facts 3.1): the unit of deletion, made and read at once. */

static const struct compare_field fields[] = {
	{ "location", CMP_NOCASE, true },
};

static struct str
group_id(const struct step *s)
{
	return id_or(s, arm_group_id(session_of(s), s->ext->spec.name));
}

enum seen
group_observe(struct step *s, struct error *err)
{
	struct node *live = NULL;
	enum seen seen;

	switch (azure_look(s, LIST_GROUPS, group_id(s), API_RESOURCES, &live, err)) {
	case FOUND_FAILED:
		return SEEN_UNKNOWN;
	case FOUND_ABSENT:
		return SEEN_ABSENT;
	case FOUND_IT:
		break;
	}
	if (!tags_are_ours(s, node_find(live, "tags")))
		return SEEN_FOREIGN;
	set_id(s, group_id(s));
	s->ext->spec.scope = s->ext->spec.name;
	if (s->ext->spec.phase == EXTERNAL_DELETING)
		return removal_seen(s, properties_state(live), err);
	seen = state_seen(s, properties_state(live), NULL, err);
	if (seen == SEEN_READY && s->want != NULL)
		compare_fields(
		    s, fields, ARRAY_LEN(fields), node_find(s->want->want, "body"), live);
	return seen == SEEN_READY && compare_drifted(s) ? SEEN_DRIFTED : seen;
}

enum outcome
group_create(struct step *s, struct error *err)
{
	struct node *body = node_dup(s->arena, node_find(s->want->want, "body"));

	tags_set(s, body, "", NULL);
	s->ext->spec.scope = s->ext->spec.name;
	return arm_put(s,
	    &(struct arm_put){ .id = group_id(s), .api = API_RESOURCES, .body = body }, NULL, err);
}

/* Only tags can differ here (an adopted group): others' tags stay. */
enum outcome
group_update(struct step *s, struct error *err)
{
	struct node *live = NULL, *body = node_dup(s->arena, node_find(s->want->want, "body"));

	if (arm_get(session_of(s), group_id(s), API_RESOURCES, &live, err) != FOUND_IT)
		return OUTCOME_NOT_SENT;
	tags_set(s, body, "", node_find(live, "tags"));
	return arm_put(s,
	    &(struct arm_put){ .id = group_id(s), .api = API_RESOURCES, .body = body }, NULL, err);
}

/* Ours: with the owner's tag, or recorded as one of its resources. */
static bool
is_own(const struct step *s, const struct node *item)
{
	static const char *const keys[] = { "virtual-network", "cluster" };
	struct str id = node_get_str(node_find(item, "id"));
	const struct node *tags = node_find(item, "tags");

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const struct external *peer = step_peer(s, keys[i]);

		if (peer != NULL && str_eq_nocase(peer->spec.external_id, id))
			return true;
	}
	return str_eq(node_get_str(node_find(tags, "flightdeck-uid")), s->ext->spec.owner_uid);
}

/* Deleting a group takes everything in it along: what others put there stops it (cases B113). */
static bool
holds_only_ours(struct step *s, enum outcome *ret_outcome, struct error *err)
{
	struct azure_session *az = session_of(s);
	struct arm_answer answer;
	struct str page = arm_path(az, STR_FMT "/resources", STR_ARG(group_id(s)));
	enum azure_api api = API_RESOURCES;

	for (int i = 0; i < 100 && page.n > 0; i++) {
		if (!arm_call(az,
			&(struct arm_request){ .method = "GET", .path = page, .api = api }, &answer,
			err)) {
			/* A group that went meanwhile has nothing to protect. */
			*ret_outcome = answer.status == 404 ? OUTCOME_DONE : OUTCOME_NOT_SENT;
			return false;
		}
		if (node_find(answer.body, "value") == NULL)
			return error_set(
			    err, ERR_CLOUD, "Azure sent a list without its value");
		for (const struct node *n = node_first(node_find(answer.body, "value")); n != NULL;
		     n = n->next) {
			if (is_own(s, n))
				continue;
			(void)error_set(err, ERR_REFUSED,
			    "resource group '" STR_FMT "' holds what is not "
			    "ours: " STR_FMT " (" STR_FMT ")",
			    STR_ARG(s->ext->spec.name), STR_ARG(node_get_str(node_find(n, "name"))),
			    STR_ARG(node_get_str(node_find(n, "type"))));
			error_name(err, COMPOSE_FOREIGN_CONTENT);
			error_advise(
			    err, "move it elsewhere or remove it; our own resources go meanwhile");
			*ret_outcome = OUTCOME_REFUSED;
			return false;
		}
		page = node_get_str(node_find(answer.body, "nextLink"));
		api = API_OPAQUE;
	}
	/* What was not seen to the end is not known to be ours. */
	return page.n == 0 ? true
			   : error_set(err, ERR_TOO_LARGE, "a list of Azure has no end");
}

enum outcome
group_remove(struct step *s, struct error *err)
{
	enum outcome outcome = OUTCOME_NOT_SENT;

	if (!holds_only_ours(s, &outcome, err))
		return outcome;
	return arm_remove(s, group_id(s), API_RESOURCES, err);
}
