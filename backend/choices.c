/*
 * What the wizard offers: credential configs from the store, the rest from the cloud.
 */

#include "backend/backend_int.h"

#include <string.h>

#include "backend/providers/azure/azure.h"
#include "backend/providers/azure/choices.h"
#include "model/base/mem.h"
#include "model/display.h"
#include "model/kinds/provider_config.h"

static struct node *
clean(struct arena *a, struct str s)
{
	return node_str(a, display_from(a, s).s);
}

/* One config as {name, type, ns, ready, message}. */
static struct node *
config_choice(struct arena *a, const struct kind *k, const struct node *object)
{
	struct node *map = node_map(a);
	struct node *conditions = node_path(object, "status.conditions");
	struct str message = STR("");
	bool ready = true; /* nobody has complained */

	for (const struct node *c = node_first(conditions); c != NULL; c = c->next) {
		if (!str_is(node_get_str(node_find(c, "status")), "False"))
			continue;
		ready = false;
		message = node_get_str(node_find(c, "message"));
	}
	node_set(a, map, "name", clean(a, node_path_str(object, "metadata.name")));
	node_set_strz(a, map, "type", k->kind);
	node_set(a, map, "ns", clean(a, node_path_str(object, "metadata.namespace")));
	node_set_bool(a, map, "ready", ready);
	node_set(a, map, "message", clean(a, message));
	return map;
}

static bool
configs_add(
    struct backend *b, struct arena *a, const struct kind *k, struct node *to, struct error *err)
{
	struct backend_list list;

	if (!backend_list(b, a, k, STR(""), STR(""), &list, err))
		return false;
	for (const struct node *o = node_first(list.items); o != NULL; o = o->next)
		node_push(to, config_choice(a, k, o));
	return true;
}

/* "A100" of Standard_NC24ads_A100_v4: the part that is a capital letter and has a number. */
static struct str
accelerator_of(struct str size)
{
	struct str rest = size, part;
	bool first = true;

	while (str_split(&rest, '_', &part)) {
		bool skip = first;

		first = false;
		if (skip || part.n < 2 || part.p[0] < 'A' || part.p[0] > 'Z')
			continue;
		for (size_t i = 1; i < part.n; i++)
			if (part.p[i] >= '0' && part.p[i] <= '9' && part.p[0] != 'N')
				return part;
	}
	return STR("");
}

static void
copy(struct arena *a, struct node *to, const char *key, const struct node *from, const char *as)
{
	const struct node *value = node_find(from, as);

	if (value == NULL)
		return;
	if (value->type == NODE_STRING)
		node_set(a, to, key, clean(a, node_get_str(value)));
	else
		node_set(a, to, key, node_dup(a, value));
}

static void
locations_add(struct arena *a, struct node *to, const struct node *from)
{
	struct node *list = node_list(a);

	for (const struct node *l = node_first(from); l != NULL; l = l->next) {
		struct node *map = node_map(a);

		copy(a, map, "name", l, "name");
		copy(a, map, "title", l, "display");
		node_push(list, map);
	}
	node_set(a, to, "locations", list);
}

static void
sizes_add(struct arena *a, struct node *to, const struct node *from)
{
	struct node *list = node_list(a);

	for (const struct node *s = node_first(from); s != NULL; s = s->next) {
		static const char *const same[] = { "name", "gpus", "vcpus", "family", "zones",
			"rdma" };
		struct str name = node_get_str(node_find(s, "name"));
		int64_t memory = node_get_int(node_find(s, "memoryGb"), -1);
		struct node *map;

		if (node_get_int(node_find(s, "gpus"), 0) <= 0)
			continue;
		map = node_map(a);
		for (size_t i = 0; i < ARRAY_LEN(same); i++)
			copy(a, map, same[i], s, same[i]);
		node_set(a, map, "accelerator", clean(a, accelerator_of(name)));
		if (memory >= 0)
			node_set_strz(
			    a, map, "memory", arena_printf(a, "%lldGiB", (long long)memory));
		node_set(a, map, "restricted",
		    clean(a, node_get_bool(node_find(s, "restricted"), false)
				 ? node_get_str(node_find(s, "reason"))
				 : STR("")));
		node_push(list, map);
	}
	node_set(a, to, "sizes", list);
}

static void
quotas_add(struct arena *a, struct node *to, const struct node *from)
{
	struct node *list = node_list(a);

	for (const struct node *q = node_first(from); q != NULL; q = q->next) {
		struct node *map = node_map(a);

		copy(a, map, "family", q, "family");
		copy(a, map, "title", q, "name");
		copy(a, map, "used", q, "used");
		copy(a, map, "limit", q, "limit");
		node_push(list, map);
	}
	node_set(a, to, "quotas", list);
}

/* The owner's provider has its caches; elsewhere one is made for the call. */
static bool
azure_ask(struct backend *b, const struct request *r, struct arena *a, struct node **ret,
    struct error *err)
{
	const struct profile *p = b->profile;
	struct azure_options opt = { .authority = p->azure_authority,
		.arm = p->azure_arm,
		.ca_file = p->ca_file,
		.allow_loopback = p->practice,
		.clock = b->clock,
		.installation = "choices" };
	struct azure_choices_query query = { .config.kind = STR("ClusterProviderConfig"),
		.config.name = str_from(r->name),
		.location = str_from(r->ns) };
	struct provider provider;
	bool ok;

	if (b->owner != NULL)
		return azure_choices(owner_azure(b->owner), b->store, &query, a, ret, err);
	if (!azure_provider_new(&opt, &provider, err))
		return false;
	ok = azure_choices(provider.state, b->store, &query, a, ret, err);
	provider.free(provider.state);
	return ok;
}

static bool
cloud_add(struct backend *b, const struct request *r, struct reply *reply)
{
	struct arena *a = reply->arena;
	struct node *have;

	if (!azure_ask(b, r, a, &have, &reply->err))
		return false;
	locations_add(a, reply->node, node_find(have, "locations"));
	if (r->ns[0] == '\0')
		return true;
	copy(a, reply->node, "versions", have, "versions");
	sizes_add(a, reply->node, node_find(have, "sizes"));
	quotas_add(a, reply->node, node_find(have, "quota"));
	return true;
}

bool
choices_request(struct backend *b, const struct request *r, struct reply *reply)
{
	struct node *configs = node_list(reply->arena);

	if (strcmp(r->text, "AKS") != 0)
		return error_set(
		    &reply->err, ERR_REFUSED, "no choices are known for '%.20s'", r->text);
	reply->node = node_map(reply->arena);
	if (!configs_add(b, reply->arena, &cluster_provider_config_kinds[PROVIDER_AZURE], configs,
		&reply->err) ||
	    !configs_add(
		b, reply->arena, &provider_config_kinds[PROVIDER_AZURE], configs, &reply->err))
		return false;
	node_set(reply->arena, reply->node, "configs", configs);
	if (r->name[0] != '\0' && !cloud_add(b, r, reply))
		return false;
	return !arena_failed(reply->arena) ||
	       error_set(&reply->err, ERR_NO_MEMORY, "no memory for choices");
}
