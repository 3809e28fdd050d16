#include "backend/sim/arm_routes.h"
#include "backend/sim/operations.h"
#include "backend/sim/resources.h"
#include "backend/sim/sim_int.h"
#include "backend/sim/url.h"

/*
 * Resource groups, and the end of one: it takes everything in it along, like the real one.
 */

enum { GROUP_PAGE = 100, TAGS_MAX = 50, TAG_KEY_MAX = 512, TAG_VALUE_MAX = 256 };

bool
check_tags(struct arm_call *c, const struct node *tags)
{
	if (tags == NULL)
		return true;
	if (tags->type != NODE_MAP || node_count(tags) > TAGS_MAX)
		return answer_error(
		    c, 400, "InvalidTags", "Tags must be a map of at most %d strings.", TAGS_MAX);
	for (const struct node *t = node_first(tags); t != NULL; t = t->next) {
		if (t->type != NODE_STRING || t->key.n == 0 || t->key.n > TAG_KEY_MAX ||
		    t->u.string.n > TAG_VALUE_MAX)
			return answer_error(c, 400, "InvalidTagNameOrValue",
			    "The tag '" STR_FMT "' has an invalid name or value.", STR_ARG(t->key));
	}
	return true;
}

static bool
check_group_name(struct arm_call *c, struct str name)
{
	if (name_fits(name, 90, "_-.()", false) && name.p[name.n - 1] != '.')
		return true;
	return answer_error(c, 400, "InvalidResourceGroup",
	    "The provided resource group name '" STR_FMT
	    "' has these invalid characters or length: 1 to 90 letters, digits, '_', '-', '.', '(' "
	    "and ')', not ending with '.'.",
	    STR_ARG(name));
}

static bool
check_group_members(struct arm_call *c, bool patch)
{
	static const char *const members[] = { "location", "tags", "managedBy", "properties", "id",
		"name", "type" };

	for (const struct node *m = node_first(c->body); m != NULL; m = m->next) {
		bool known = false;

		for (size_t i = 0; i < ARRAY_LEN(members); i++)
			known = known || str_is(m->key, members[i]);
		if (!known)
			return answer_error(c, 400, "InvalidRequestContent",
			    "The request content was invalid: could not find member '" STR_FMT
			    "' on object of type 'ResourceGroupDefinition'.",
			    STR_ARG(m->key));
	}
	return patch || node_find(c->body, "location") != NULL
		   ? true
		   : answer_error(c, 400, "LocationRequired",
			 "The location property is required for this definition.");
}

void
group_make(struct arm_call *c, struct str name, const char *location, const struct node *tags,
    struct str managed_by)
{
	struct node *g = node_map(c->a), *p = node_map(c->a);

	node_set(c->a, g, "id",
	    node_str(c->a, str_printf(c, "/subscriptions/%s/resourceGroups/" STR_FMT,
			       c->s->id.subscription, STR_ARG(name))));
	node_set_strz(c->a, g, "location", location);
	if (managed_by.n > 0)
		node_set(c->a, g, "managedBy", node_str(c->a, managed_by));
	node_set(c->a, g, "name", node_str(c->a, name));
	node_set_strz(c->a, p, "provisioningState", "Succeeded");
	node_set(c->a, g, "properties", p);
	if (tags != NULL)
		node_set(c->a, g, "tags", node_dup(c->a, tags));
	node_set_strz(c->a, g, "type", "Microsoft.Resources/resourceGroups");
	node_set_int(c->a, doc_hidden(c, g), "madeMs", c->now_ms);
	(void)doc_save(c, DOC_GROUP, doc_key(c, STR_FMT, STR_ARG(name)), g);
}

void
group_put(struct arm_call *c)
{
	struct str name = c->param[1];
	const struct location *l = NULL;
	struct node *old;

	if (!check_group_name(c, name) || !check_body(c) || !check_group_members(c, false) ||
	    !check_location(c, c->body, &l) || !check_tags(c, node_find(c->body, "tags")))
		return;
	old = doc_load(c, DOC_GROUP, doc_key(c, STR_FMT, STR_ARG(name)));
	if (old != NULL && group_find(c, name, true) == NULL)
		return;
	if (old != NULL && !str_is(node_get_str(node_find(old, "location")), l->name)) {
		answer_error(c, 409, "InvalidResourceGroupLocation",
		    "Invalid resource group location '%s'. The Resource group already exists in "
		    "location '" STR_FMT "'.",
		    l->name, STR_ARG(node_get_str(node_find(old, "location"))));
		return;
	}
	group_make(c, name, l->name, node_find(c->body, "tags"),
	    node_get_str(node_find(c->body, "managedBy")));
	answer_json(c, old != NULL ? 200 : 201,
	    doc_shown(c, doc_load(c, DOC_GROUP, doc_key(c, STR_FMT, STR_ARG(name)))));
}

void
group_get(struct arm_call *c)
{
	struct node *g = group_find(c, c->param[1], false);

	if (g != NULL)
		answer_json(c, 200, doc_shown(c, g));
}

void
group_head(struct arm_call *c)
{
	struct node *g = doc_load(c, DOC_GROUP, doc_key(c, STR_FMT, STR_ARG(c->param[1])));

	if (c->answered)
		return;
	if (g == NULL)
		answer_header(c, "x-ms-failure-cause", "gateway");
	answer_empty(c, g != NULL ? 204 : 404);
}

void
group_patch(struct arm_call *c)
{
	struct node *g;

	if (!check_body(c) || !check_group_members(c, true) ||
	    !check_tags(c, node_find(c->body, "tags")))
		return;
	g = group_find(c, c->param[1], true);
	if (g == NULL)
		return;
	if (node_find(c->body, "tags") != NULL)
		node_set(c->a, g, "tags", node_dup(c->a, node_find(c->body, "tags")));
	if (doc_save(c, DOC_GROUP, doc_key(c, STR_FMT, STR_ARG(c->param[1])), g))
		answer_json(c, 200, doc_shown(c, g));
}

/* "tagName eq 'k' and tagValue eq 'v'": pieces in quotes; '' is one quote. */
static bool
filter_piece(struct str filter, const char *name, struct str *ret_value)
{
	ptrdiff_t at = str_find(filter, str_from(name));
	struct str rest;
	ptrdiff_t open, close;

	if (at < 0)
		return false;
	rest = str_sub(filter, (size_t)at, filter.n);
	open = str_find_char(rest, '\'');
	if (open < 0)
		return false;
	rest = str_sub(rest, (size_t)open + 1, rest.n);
	close = str_find_char(rest, '\'');
	if (close < 0)
		return false;
	*ret_value = str_sub(rest, 0, (size_t)close);
	return true;
}

static bool
tag_matches(const struct node *doc, bool by_name, struct str name, bool by_value, struct str value)
{
	const struct node *t;

	if (!by_name)
		return true;
	t = node_find_str(node_find(doc, "tags"), name);
	return t != NULL && (!by_value || str_eq(node_get_str(t), value));
}

void
group_list(struct arm_call *c)
{
	struct str filter = arm_query(c, "$filter");
	struct str name = { 0 }, value = { 0 };
	bool by_name = filter_piece(filter, "tagName", &name);
	bool by_value = filter_piece(filter, "tagValue", &value);
	struct node *all = doc_list(c, DOC_GROUP, STR(""));
	struct node *shown = node_list(c->a);

	if (filter.n > 0 && !by_name) {
		answer_error(c, 400, "InvalidFilterInQueryString",
		    "Invalid $filter '" STR_FMT
		    "' specified in the query string. Only 'tagName' and 'tagValue' are supported.",
		    STR_ARG(filter));
		return;
	}
	for (struct node *g = node_first(all); g != NULL; g = g->next) {
		if (tag_matches(g, by_name, name, by_value, value) && !doc_lags(c, g))
			node_push(shown, doc_shown(c, g));
	}
	answer_page(c, shown, GROUP_PAGE);
}

/* With arm.lag a list does not show yet what was made a moment ago. */
bool
doc_lags(struct arm_call *c, const struct node *doc)
{
	double lag = fault_number(c->s->faults, FAULT_ARM_LAG, 0);

	return lag > 0 && (double)(c->now_ms - node_path_int(doc, "_sim.madeMs", 0)) < lag * 1000;
}

static void
resource_push(struct arm_call *c, struct node *list, const struct node *doc)
{
	static const char *const members[] = { "id", "location", "name", "tags", "type" };
	struct node *n = node_map(c->a);

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		if (node_find(doc, members[i]) != NULL)
			node_set(c->a, n, members[i], node_dup(c->a, node_find(doc, members[i])));
	}
	node_push(list, n);
}

void
group_resources_list(struct arm_call *c)
{
	static const enum doc_kind kinds[] = { DOC_VNET, DOC_CLUSTER, DOC_LEFTOVER };
	struct node *out = node_list(c->a);
	struct str prefix;

	if (group_find(c, c->param[1], false) == NULL)
		return;
	prefix = doc_key(c, STR_FMT "/", STR_ARG(c->param[1]));
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct node *docs = doc_list(c, kinds[i], prefix);

		for (struct node *d = node_first(docs); d != NULL; d = d->next)
			resource_push(c, out, d);
	}
	answer_page(c, out, GROUP_PAGE);
}

/* The node group of a cluster, locked by a fault: what is inside cannot go. */
static struct node *
lock_outcome(struct arm_call *c, struct str group)
{
	struct node *details = node_list(c->a);
	struct node *clusters;

	if (fault_keyed(c->s->faults, FAULT_LOCKED, group) == NULL)
		return NULL;
	clusters = doc_list(c, DOC_CLUSTER, doc_key(c, STR_FMT "/", STR_ARG(group)));
	for (struct node *k = node_first(clusters); k != NULL; k = k->next) {
		struct node *d = operation_error(c, "ScopeLocked",
		    "The scope cannot perform delete operation because it is locked.", NULL);

		node_set(c->a, d, "target", node_dup(c->a, node_find(k, "id")));
		node_push(details, d);
	}
	return operation_error(c, "ResourceGroupDeletionBlocked",
	    "Deletion of resource group failed as resources could not be deleted.", details);
}

void
group_delete(struct arm_call *c)
{
	struct str name = c->param[1], key = doc_key(c, STR_FMT, STR_ARG(name));
	struct node *g = group_find(c, name, true);
	struct str prefix = doc_key(c, STR_FMT "/", STR_ARG(name));
	struct node *clusters, *outcome;
	double seconds = 20;

	if (g == NULL)
		return;
	outcome = lock_outcome(c, name);
	clusters = doc_list(c, DOC_CLUSTER, prefix);
	if (node_count(clusters) > 0)
		seconds += 440;
	if (node_count(doc_list(c, DOC_VNET, prefix)) > 0)
		seconds += 10;
	for (struct node *k = node_first(clusters); outcome == NULL && k != NULL; k = k->next)
		cluster_mark_deleting(c, k); /* a locked one stays what it is */
	node_set_strz(c->a, node_find(g, "properties"), "provisioningState", "Deleting");
	if (!doc_save(c, DOC_GROUP, key, g))
		return;
	(void)operation_start(c,
	    &(struct op_start){
		.verb = OP_GROUP_DELETE, .target = key, .seconds = seconds, .outcome = outcome },
	    OP_LOCATION);
	answer_empty(c, 202);
}

static void
drop_all(struct arm_call *c, enum doc_kind kind, struct str prefix)
{
	struct state_rows rows = { 0 };
	struct error err = { 0 };

	if (!state_list(c->s->state, kind, prefix, c->a, &rows, &err))
		return;
	for (size_t i = 0; i < rows.n; i++)
		(void)doc_drop(c, kind, rows.items[i].key);
}

/* Everything in a group, and the group. */
void
group_drop(struct arm_call *c, struct str key)
{
	struct str prefix = doc_key(c, STR_FMT "/", STR_ARG(key));
	struct state_rows rows = { 0 };
	struct error err = { 0 };

	if (state_list(c->s->state, DOC_CLUSTER, prefix, c->a, &rows, &err)) {
		for (size_t i = 0; i < rows.n; i++)
			cluster_drop(c, rows.items[i].key);
	}
	drop_all(c, DOC_VNET, prefix);
	drop_all(c, DOC_LEFTOVER, prefix);
	drop_all(c, DOC_ROLE,
	    doc_key(c, "/subscriptions/%s/resourcegroups/" STR_FMT "/", c->s->id.subscription,
		STR_ARG(key)));
	(void)doc_drop(c, DOC_GROUP, key);
}

void
group_delete_finish(
    struct arm_call *c, struct str target, const struct node *op, const struct node *failure)
{
	struct node *g = doc_load(c, DOC_GROUP, target);

	(void)op;
	if (g == NULL)
		return;
	if (failure == NULL) {
		group_drop(c, target);
		return;
	}
	node_set_strz(c->a, node_find(g, "properties"), "provisioningState", "Succeeded");
	(void)doc_save(c, DOC_GROUP, target, g);
}
