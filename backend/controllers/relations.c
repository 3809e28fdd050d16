#include "backend/controllers/relations.h"

#include <string.h>

#include "backend/controllers/object.h"
#include "model/base/mem.h"
#include "model/kinds/provider_config.h"
#include "model/kinds/secret.h"

enum { ONE_ARENA_MAX = 16 * 1024 * 1024 };

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

/*
 * One object of many as a tree, until the next: a fleet is larger than the arena of an event. NULL
 * when it cannot be read.
 */
static struct node *
one_of_many(struct arena *a, const struct object *o)
{
	struct node *tree = NULL;

	arena_clear(a);
	return object_node(o, a, &tree, NULL) ? tree : NULL;
}

/* Names need no escapes in JSON: what does not hold the text does not hold the name. */
static bool
may_name(const struct object *o, struct str name)
{
	return str_find(o->json, name) >= 0;
}

/* Whether any config names that Secret: only then do all users of configs look again. */
static bool
secret_of_config(struct controller_context *cx, struct arena *a, const struct object *secret)
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
			found = may_name(list.items[j], secret->name) &&
				str_eq(node_path_str(one_of_many(a, list.items[j]),
					   "spec.credentials.secretRef.name"),
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
	struct arena *a;

	if (!config && !secret)
		return;
	a = arena_new(ONE_ARENA_MAX);
	if (a == NULL)
		return; /* the sweep comes by */
	all = secret && secret_of_config(cx, a, changed);
	if (!store_list(cx->store, resource_of(controller->kind), &opt, &list, NULL))
		goto out;
	for (size_t i = 0; i < list.n; i++) {
		struct node *tree;

		if (secret && !all && !may_name(list.items[i], changed->name))
			continue;
		tree = one_of_many(a, list.items[i]);
		if (tree == NULL)
			continue;
		if ((config && names_config(tree, changed)) ||
		    (secret && names_secret(tree, changed, "spec.secrets")) ||
		    (all && node_path(tree, "spec.nodePools") != NULL))
			add(context, list.items[i]->ns, list.items[i]->name);
	}
	object_list_fini(&list);
out:
	arena_free(a);
}
