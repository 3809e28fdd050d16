#include "backend/controllers/relations.h"

#include <string.h>

#include "backend/controllers/object.h"
#include "model/base/mem.h"
#include "model/kinds/provider_config.h"
#include "model/kinds/secret.h"

/* Whether spec.credentials of an object names that config. */
static bool
names_config(const struct node *object, const struct object *config)
{
	struct node *ref = node_path(object, "spec.credentials");
	struct str type = node_get_str(node_find(ref, "type"));
	struct str name = node_get_str(node_find(ref, "name"));
	bool clusterwide = config->ns.n == 0;

	if (ref == NULL)
		return clusterwide && str_is(config->name, "default");
	if ((type.n == 0 || str_is(type, "ClusterProviderConfig")) != clusterwide)
		return false;
	return str_eq(name, config->name) &&
	       (clusterwide || str_eq(node_path_str(object, "metadata.namespace"), config->ns));
}

/* Whether spec.secrets or status.secrets names that Secret. */
static bool
names_secret(const struct node *object, const struct object *secret, const char *path)
{
	struct str ns = node_path_str(object, "metadata.namespace");

	for (const struct node *s = node_first(node_path(object, path)); s != NULL; s = s->next) {
		struct str in = node_get_str(node_find(s, "namespace"));

		if (str_eq(node_get_str(node_find(s, "name")), secret->name) &&
		    str_eq(in.n > 0 ? in : ns, secret->ns))
			return true;
	}
	return false;
}

static bool
is_config(const struct object *o)
{
	return strcmp(o->res->kind, "ProviderConfig") == 0 ||
	       strcmp(o->res->kind, "ClusterProviderConfig") == 0;
}

/* Whether any config names that Secret: only then do all users of configs look again. */
static bool
secret_of_config(struct controller_context *cx, const struct object *secret)
{
	for (int i = 0; i < PROVIDER__MAX * 2; i++) {
		const struct kind *kind = i < PROVIDER__MAX
					      ? &provider_config_kinds[i]
					      : &cluster_provider_config_kinds[i - PROVIDER__MAX];
		struct list_options opt = { .limit = 0 };
		struct object_list list = { .n = 0 };
		bool found = false;

		if (!store_list(cx->store, resource_of(kind), &opt, &list, NULL))
			continue;
		for (size_t j = 0; j < list.n && !found; j++) {
			struct node *tree;

			found = object_node(list.items[j], cx->arena, &tree, NULL) &&
				str_eq(node_path_str(tree, "spec.credentials.secretRef.name"),
				    secret->name);
		}
		object_list_fini(&list);
		if (found)
			return true;
	}
	return false;
}

void
relations_of_credentials(struct controller_context *cx, const struct controller *controller,
    const struct object *changed, related_fn *add, void *context)
{
	bool config = is_config(changed);
	bool secret = changed->res->known == &secret_kind;
	bool all;
	struct list_options opt = { .limit = 0 };
	struct object_list list = { .n = 0 };

	if (!config && !secret)
		return;
	all = secret && secret_of_config(cx, changed);
	if (!store_list(cx->store, resource_of(controller->kind), &opt, &list, NULL))
		return;
	for (size_t i = 0; i < list.n; i++) {
		struct node *tree;

		if (!object_node(list.items[i], cx->arena, &tree, NULL))
			continue;
		if ((config && names_config(tree, changed)) ||
		    (secret && names_secret(tree, changed, "spec.secrets")) ||
		    (all && node_path(tree, "spec.nodePools") != NULL))
			add(context, list.items[i]->ns, list.items[i]->name);
	}
	object_list_fini(&list);
}
