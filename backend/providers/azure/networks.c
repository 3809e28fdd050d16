#include "backend/providers/azure/azure_int.h"

#include "model/base/mem.h"

/* The row "virtual-network" with its subnet inline (facts 3.2). */

static const struct compare_field fields[] = {
	{ "location", CMP_NOCASE, true },
	{ "properties.addressSpace.addressPrefixes", CMP_SET, true },
};
static const struct compare_field subnet_fields[] = {
	{ "properties.addressPrefix", CMP_NOCASE, true },
};
static const char *const read_only[] = { "id", "name", "type", "etag",
	"properties.provisioningState", "properties.resourceGuid", "properties.subnets.*.etag",
	"properties.subnets.*.type", "properties.subnets.*.properties.provisioningState",
	"properties.subnets.*.properties.ipConfigurations" };

static struct str
network_id(const struct step *s)
{
	return id_or(s, arm_network_id(session_of(s), group_of(s), s->ext->spec.name));
}

static struct node *
subnet_find(const struct node *network, struct str name)
{
	for (struct node *n = node_first(node_path(network, "properties.subnets")); n != NULL;
	     n = n->next) {
		if (str_eq_nocase(node_get_str(node_find(n, "name")), name))
			return n;
	}
	return NULL;
}

static void
compare(struct step *s, const struct node *live)
{
	const struct node *want = node_find(s->want->want, "body");
	const struct node *subnet = node_path(want, "properties.subnets[0]");
	struct str name = node_get_str(node_find(subnet, "name"));
	const struct node *there = subnet_find(live, name);

	compare_fields(s, fields, ARRAY_LEN(fields), want, live);
	if (there == NULL)
		compare_note(s, false, "subnet " STR_FMT " is missing", STR_ARG(name));
	else
		compare_fields(s, subnet_fields, ARRAY_LEN(subnet_fields), subnet, there);
}

enum seen
network_observe(struct step *s, struct error *err)
{
	struct node *live = NULL;
	enum seen seen;

	switch (azure_look(s, LIST_NETWORKS, network_id(s), API_NETWORK, &live, err)) {
	case FOUND_FAILED:
		return SEEN_UNKNOWN;
	case FOUND_ABSENT:
		return SEEN_ABSENT;
	case FOUND_IT:
		break;
	}
	if (!tags_are_ours(s, node_find(live, "tags")))
		return SEEN_FOREIGN;
	set_id(s, network_id(s));
	if (s->ext->spec.phase == EXTERNAL_DELETING)
		return removal_seen(s, properties_state(live), err);
	seen = state_seen(s, properties_state(live), NULL, err);
	if (seen == SEEN_READY && s->want != NULL)
		compare(s, live);
	return seen == SEEN_READY && compare_drifted(s) ? SEEN_DRIFTED : seen;
}

enum outcome
network_create(struct step *s, struct error *err)
{
	struct node *body = node_dup(s->arena, node_find(s->want->want, "body"));

	tags_set(s, body, "", NULL);
	return arm_put(s,
	    &(struct arm_put){ .id = network_id(s), .api = API_NETWORK, .body = body }, NULL, err);
}

/* What is there stays, with our subnet and our tags in it. */
enum outcome
network_update(struct step *s, struct error *err)
{
	const struct node *want = node_find(s->want->want, "body");
	const struct node *subnet = node_path(want, "properties.subnets[0]");
	struct node *body = NULL, *subnets;

	if (arm_get(session_of(s), network_id(s), API_NETWORK, &body, err) != FOUND_IT)
		return OUTCOME_NOT_SENT;
	body_strip(body, read_only, ARRAY_LEN(read_only));
	subnets = node_path(body, "properties.subnets");
	if (subnets == NULL) {
		subnets = node_list(s->arena);
		node_set(
		    s->arena, node_make_path(s->arena, body, "properties"), "subnets", subnets);
	}
	if (subnet_find(body, node_get_str(node_find(subnet, "name"))) == NULL)
		node_push(subnets, node_dup(s->arena, subnet));
	tags_set(s, body, "", node_find(body, "tags"));
	return arm_put(s,
	    &(struct arm_put){ .id = network_id(s), .api = API_NETWORK, .body = body }, NULL, err);
}

enum outcome
network_remove(struct step *s, struct error *err)
{
	return arm_remove(s, network_id(s), API_NETWORK, err);
}
