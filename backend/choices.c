/*
 * What the wizard offers: credential configs from the store, the rest from the cloud.
 */

#include "backend/backend_int.h"

#include <string.h>

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
configs_add(struct backend *b, struct arena *a, const struct kind *k, struct node *to,
    struct error *err)
{
	struct backend_list list;

	if (!backend_list(b, a, k, STR(""), STR(""), &list, err))
		return false;
	for (const struct node *o = node_first(list.items); o != NULL; o = o->next)
		node_push(to, config_choice(a, k, o));
	return true;
}

bool
choices_request(struct backend *b, const struct request *r, struct reply *reply)
{
	struct node *configs = node_list(reply->arena);

	if (strcmp(r->text, "AKS") != 0)
		return error_set(&reply->err, ERR_REFUSED, "no choices are known for '%.20s'",
		    r->text);
	reply->node = node_map(reply->arena);
	if (!configs_add(b, reply->arena, &cluster_provider_config_kinds[PROVIDER_AZURE], configs,
		&reply->err) ||
	    !configs_add(b, reply->arena, &provider_config_kinds[PROVIDER_AZURE], configs,
		&reply->err))
		return false;
	node_set(reply->arena, reply->node, "configs", configs);
	return !arena_failed(reply->arena) ||
	    error_set(&reply->err, ERR_NO_MEMORY, "no memory for choices");
}
