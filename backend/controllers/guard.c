#include "backend/controllers/guard.h"

#include <string.h>

#include "backend/controllers/object.h"
#include "backend/controllers/relations.h"
#include "model/base/mem.h"
#include "model/kinds/inference_cluster.h"
#include "model/kinds/provider_config.h"
#include "model/kinds/serving_stack.h"

enum { NAMES_SHOWN = 3 };

bool
guard_replicas(struct controller_context *cx, struct str cluster, size_t *ret_count,
    struct str *ret_names, struct error *err)
{
	const struct kind *kind = kind_find(STR("modelplane.ai/v1alpha1"), STR("ModelReplica"));
	char *selector;
	struct list_options opt = { .limit = 0 };
	struct object_list list = { .n = 0 };
	struct text names = TEXT_INIT(1024);

	*ret_count = 0;
	if (kind == NULL)
		return true;
	selector = arena_printf(cx->arena, "modelplane.ai/cluster=" STR_FMT, STR_ARG(cluster));
	opt.label_selector = str_from(selector);
	if (!store_list(cx->store, resource_of(kind), &opt, &list, err))
		return false;
	*ret_count = list.n;
	for (size_t i = 0; i < list.n && i < NAMES_SHOWN; i++)
		text_printf(&names, "%s" STR_FMT "/" STR_FMT, i > 0 ? ", " : "",
		    STR_ARG(list.items[i]->ns), STR_ARG(list.items[i]->name));
	if (list.n > NAMES_SHOWN)
		text_printf(&names, " and %zu more", list.n - NAMES_SHOWN);
	if (ret_names != NULL)
		*ret_names = str_copy(cx->arena, text_str(&names));
	text_free(&names);
	object_list_fini(&list);
	return true;
}

static bool
kind_is(const struct object *object, const char *kind)
{
	return strcmp(object->res->kind, kind) == 0;
}

/* Whether the owner of a provider cluster still has a serving stack. */
static bool
stack_holds(struct controller_context *cx, struct str owner, struct str owner_uid,
    struct guard *guard, struct error *err)
{
	struct object_list list = { .n = 0 };
	struct list_options opt = { .ns = STR(SYSTEM_NAMESPACE) };

	if (!store_list(cx->store, resource_of(&serving_stack_kind), &opt, &list, err))
		return false;
	for (size_t i = 0; i < list.n && !guard->held; i++) {
		struct node *tree;
		const struct node *by;

		if (!object_node(list.items[i], cx->arena, &tree, err)) {
			object_list_fini(&list);
			return false;
		}
		by = owner_of(tree);
		if (by == NULL || !str_eq(node_get_str(node_find(by, "uid")), owner_uid))
			continue;
		guard->held = true;
		guard->reason = "StackInstalled";
		guard->message = str_from(arena_printf(cx->arena,
		    "waits until the serving stack '" STR_FMT "' of cluster '" STR_FMT "' is gone",
		    STR_ARG(list.items[i]->name), STR_ARG(owner)));
	}
	object_list_fini(&list);
	return true;
}

struct users {
	struct text names;
	size_t n;
};

static void
user_add(void *context, struct str ns UNUSED, struct str name)
{
	struct users *u = context;

	if (u->n < NAMES_SHOWN)
		text_printf(&u->names, "%s" STR_FMT, u->n > 0 ? ", " : "", STR_ARG(name));
	u->n++;
}

bool
guard_config(struct controller_context *cx, const struct resource *res, struct str ns,
    struct str name, size_t *ret_count, struct str *ret_names)
{
	struct users u = { .names = TEXT_INIT(1024) };
	struct object config = { .res = res, .ns = ns, .name = name };

	if (strcmp(res->group, cluster_provider_config_kinds[PROVIDER_AZURE].group) == 0)
		relations_of_credentials(cx, &aks_cluster_controller, &config, user_add, &u);
	if (u.n > NAMES_SHOWN)
		text_printf(&u.names, " and %zu more", u.n - NAMES_SHOWN);
	*ret_count = u.n;
	*ret_names = str_copy(cx->arena, text_str(&u.names));
	text_free(&u.names);
	return u.n > 0;
}

bool
guard_check(struct controller_context *cx, const struct object *object, struct guard *ret_guard,
    struct error *err)
{
	struct guard guard = { .held = false };
	struct str cluster = object->name, uid = object->uid, names = STR("");
	size_t n = 0;

	if (!kind_is(object, inference_cluster_kind.kind)) {
		struct node *tree;
		const struct node *by;

		if (!object_node(object, cx->arena, &tree, err))
			return false;
		by = owner_of(tree);
		if (by == NULL ||
		    !str_is(node_get_str(node_find(by, "kind")), inference_cluster_kind.kind)) {
			*ret_guard = guard;
			return true;
		}
		cluster = node_get_str(node_find(by, "name"));
		uid = node_get_str(node_find(by, "uid"));
	}
	if (!guard_replicas(cx, cluster, &n, &names, err))
		return false;
	if (n > 0) {
		guard.held = true;
		guard.reason = "ReplicasScheduled";
		guard.message = str_from(arena_printf(cx->arena,
		    "%zu model replica%s still scheduled on cluster '" STR_FMT "': " STR_FMT
		    "; delete their deployments first",
		    n, n == 1 ? " is" : "s are", STR_ARG(cluster), STR_ARG(names)));
	} else if (!kind_is(object, inference_cluster_kind.kind) &&
		   !kind_is(object, serving_stack_kind.kind)) {
		if (!stack_holds(cx, cluster, uid, &guard, err))
			return false;
	}
	*ret_guard = guard;
	return true;
}
