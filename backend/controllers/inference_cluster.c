/*
 * InferenceCluster (spec/reconcile.md 3): one pass looks at the classes, the provider cluster and
 * the serving stack, lets model/compose/cluster.c say what they should be, keeps those two as
 * wanted and writes status and conditions.
 *
 * What is stored of the children: the provider cluster and the serving stack. The access config is
 * named in status.providerConfigRef and derived from the stack's secrets wherever it is needed; the
 * guards are kept by the manager (guard.c), which holds deletions itself.
 *
 * Deletion goes foreground whatever the caller chose: the serving stack first, then the provider
 * cluster, then the finalizer.
 */

#include <string.h>

#include "backend/controllers/guard.h"
#include "backend/controllers/object.h"
#include "backend/runtime/log.h"
#include "model/base/mem.h"
#include "model/compose/cluster.h"
#include "model/kinds/serving_stack.h"

enum { ONE_ARENA_MAX = 16 * 1024 * 1024 };

#define API_INFRA STR("infrastructure.modelplane.ai/v1alpha1")

struct pass {
	struct controller_context *cx;
	const struct object *object;
	struct inference_cluster cluster;
	const struct object *provider, *stack; /* as they are; NULL when there is none */
	struct cluster_input in;
	struct cluster_result result;
	struct error refused; /* a child that could not be kept as wanted */
};

static bool
class_load(struct pass *p, struct str name, struct cluster_class *ret_class, bool *ret_found,
    struct error *err)
{
	struct controller_context *cx = p->cx;
	const struct object *object = NULL;
	struct inference_class *decoded = arena_get(cx->arena, sizeof(*decoded));
	struct node *tree;
	bool ok = false;

	*ret_found = false;
	if (decoded == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a class");
	if (!object_find(cx, resource_of(&inference_class_kind), STR(""), name, &object, err))
		return false;
	if (object == NULL)
		return true;
	if (!object_decode(object, cx->arena, decoded, err) ||
	    !object_node(object, cx->arena, &tree, err))
		goto out;
	schema_default(inference_class_kind.schema, cx->arena, tree);
	*ret_class = (struct cluster_class){ decoded, node_path(tree, "spec.devices") };
	*ret_found = true;
	ok = true;
out:
	object_unref(object);
	return ok;
}

static bool
class_known(const struct cluster_class *classes, size_t n, struct str name)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(classes[i].decoded->meta.name, name))
			return true;
	return false;
}

static bool
classes_load(struct pass *p, struct error *err)
{
	const struct list *pools = &p->cluster.spec.node_pools;
	const struct node_pool *pool = pools->items;
	struct cluster_class *classes = arena_array(p->cx->arena, pools->n + 1, sizeof(*classes));
	size_t n = 0;

	if (classes == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for classes");
	for (size_t i = 0; i < pools->n; i++) {
		bool found;

		if (class_known(classes, n, pool[i].class_name))
			continue;
		if (!class_load(p, pool[i].class_name, &classes[n], &found, err))
			return false;
		n += found ? 1 : 0;
	}
	p->in.classes = classes;
	p->in.nclasses = n;
	return true;
}

static const struct kind *
provider_kind(const struct inference_cluster *cluster)
{
	const char *word = cluster_provider_kind(cluster->spec.cluster.source);

	return word == NULL ? NULL : kind_find(API_INFRA, str_from(word));
}

/* Only children that are ours count as observed. */
static bool
child_load(struct pass *p, const struct kind *kind, struct str name,
    const struct object **ret_object, const struct node **ret_tree, struct error *err)
{
	struct node *tree = NULL;
	const struct node *by;

	*ret_object = NULL;
	*ret_tree = NULL;
	if (kind == NULL)
		return true;
	if (!object_find(p->cx, resource_of(kind), STR(SYSTEM_NAMESPACE), name, ret_object, err))
		return false;
	if (*ret_object == NULL)
		return true;
	if (!object_node(*ret_object, p->cx->arena, &tree, err))
		return false;
	by = owner_of(tree);
	if (by != NULL && str_eq(node_get_str(node_find(by, "uid")), p->object->uid)) {
		*ret_tree = tree;
		return true;
	}
	object_unref(*ret_object);
	*ret_object = NULL;
	return true;
}

static bool
children_load(struct pass *p, struct error *err)
{
	struct str stack = cluster_stack_name(p->cx->arena, p->object->name);

	return child_load(p, provider_kind(&p->cluster), p->object->name, &p->provider,
		   &p->in.provider, err) &&
	       child_load(p, &serving_stack_kind, stack, &p->stack, &p->in.stack, err);
}

/*
 * Keeps the stored children as wanted. One that is refused (a rule of its kind, a name that is
 * taken) is reported and leaves the others alone.
 */
static bool
children_keep(struct pass *p, struct error *err)
{
	for (size_t i = 0; i < p->result.nchildren; i++) {
		const struct cluster_child *child = &p->result.children[i];
		const struct kind *kind =
		    kind_find(node_get_str(node_find(child->object, "apiVersion")),
			node_get_str(node_find(child->object, "kind")));
		struct error failed;

		error_clear(&failed);
		if (child->kind != CHILD_OBJECT || kind == NULL)
			continue;
		if (child_apply(p->cx, p->object, resource_of(kind), child->object, NULL, &failed))
			continue;
		if (failed.code != ERR_INVALID && failed.code != ERR_NAME_TAKEN) {
			if (err != NULL)
				*err = failed;
			return false;
		}
		p->refused = failed;
	}
	return true;
}

static void
events_emit(struct pass *p)
{
	struct controller_context *cx = p->cx;

	if (p->result.warning_reason != NULL)
		event_emit(cx->store, cx->clock, p->object, EVENT_WARNING, p->result.warning_reason,
		    "inferencecluster", STR_FMT, STR_ARG(p->result.warning));
	if (p->refused.code != ERR_NONE)
		event_emit(cx->store, cx->clock, p->object, EVENT_WARNING, "ChildRefused",
		    "inferencecluster", "%s", p->refused.message);
	if (p->stack == NULL && cluster_child_find(&p->result, "serving-stack") != NULL)
		event_emit(cx->store, cx->clock, p->object, EVENT_NORMAL, "ClusterRunning",
		    "inferencecluster",
		    "the cluster is ready; the serving stack is being installed");
}

/* What the provider or the stack reports as wrong, for the cluster's own Synced condition. */
static const struct node *
unsynced(const struct node *object)
{
	struct node *conditions = node_path(object, "status.conditions");

	for (const struct node *c = node_first(conditions); c != NULL; c = c->next)
		if (str_is(node_get_str(node_find(c, "type")), "Synced") &&
		    str_is(node_get_str(node_find(c, "status")), "False"))
			return c;
	return NULL;
}

static void
synced_condition(struct pass *p, struct node *status)
{
	const struct node *bad = unsynced(p->in.provider);
	struct controller_context *cx = p->cx;
	struct str message;

	if (bad == NULL)
		bad = unsynced(p->in.stack);
	if (p->refused.code != ERR_NONE) {
		status_condition(cx, status, CONDITION_FALSE, "Synced", "ReconcileError", "%s; %s",
		    p->refused.message, error_advice(&p->refused));
	} else if (bad != NULL) {
		const char *reason = arena_printf(
		    cx->arena, STR_FMT, STR_ARG(node_get_str(node_find(bad, "reason"))));

		message = node_get_str(node_find(bad, "message"));
		status_condition(cx, status, CONDITION_FALSE, "Synced",
		    reason != NULL ? reason : "ReconcileError", STR_FMT, STR_ARG(message));
	} else {
		status_condition(
		    cx, status, CONDITION_TRUE, "Synced", "ReconcileSuccess", "%s", "");
	}
}

/* The fields that a full pass writes; conditions stay in the tree and are merged. */
static void
status_fields(struct pass *p, struct node *status)
{
	static const char *const fields[] = { "providerConfigRef", "namespace", "gpuPools", "cache",
		"gateway" };

	if (p->result.status == NULL)
		return;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		struct node *value = node_find(p->result.status, fields[i]);
		bool keep = value == NULL &&
			    (strcmp(fields[i], "cache") == 0 || strcmp(fields[i], "gateway") == 0);

		if (!keep)
			node_set(p->cx->arena, status, fields[i], node_dup(p->cx->arena, value));
	}
}

static bool
status_write(struct pass *p, struct error *err)
{
	struct controller_context *cx = p->cx;
	struct node *status = status_begin(cx, p->object, err);
	const struct cluster_result *r = &p->result;

	if (status == NULL)
		return false;
	status_fields(p, status);
	for (size_t i = 0; i < r->nconditions; i++)
		status_condition(cx, status, r->conditions[i].status, r->conditions[i].type,
		    r->conditions[i].reason, STR_FMT, STR_ARG(r->conditions[i].message));
	synced_condition(p, status);
	if (r->ready && p->refused.code == ERR_NONE)
		status_condition(cx, status, CONDITION_TRUE, "Ready", "Available", "%s", "");
	else
		status_condition(cx, status, CONDITION_FALSE, "Ready", "Creating", "%s",
		    r->nconditions > 0 && r->conditions[0].status == CONDITION_FALSE
			? "the cluster is not ready"
			: "the serving stack is not ready");
	return status_save(cx, p->object, status, err);
}

static bool
pass_keep(struct pass *p, struct error *err)
{
	size_t replicas = 0;

	if (!classes_load(p, err) || !children_load(p, err) ||
	    !guard_replicas(p->cx, p->object->name, &replicas, NULL, err))
		return false;
	p->in.cluster = &p->cluster;
	p->in.nreplicas = replicas;
	if (!cluster_compose(p->cx->arena, &p->in, &p->result, err))
		return false;
	if (!p->result.hold && !children_keep(p, err))
		return false;
	events_emit(p);
	return status_write(p, err);
}

/* ---- deletion ---- */

static bool
child_delete(struct pass *p, const struct object *child, struct error *err)
{
	struct delete_options opt = { .propagation = PROPAGATE_FOREGROUND, .uid = child->uid };
	struct error failed;

	if (child->deleted_ms != 0)
		return true;
	error_clear(&failed);
	if (store_delete(
		p->cx->store, child->res, child->ns, child->name, &opt, &p->cx->actor, &failed) ||
	    failed.code == ERR_NOT_FOUND)
		return true;
	if (err != NULL)
		*err = failed;
	return false;
}

static bool
deleting_report(struct pass *p, const char *what, struct error *err)
{
	struct node *status = status_begin(p->cx, p->object, err);

	if (status == NULL)
		return false;
	synced_condition(p, status);
	status_condition(
	    p->cx, status, CONDITION_FALSE, "Ready", "Deleting", "the %s is being removed", what);
	return status_save(p->cx, p->object, status, err);
}

static bool
pass_delete(struct pass *p, struct error *err)
{
	if (!children_load(p, err))
		return false;
	if (p->stack != NULL)
		return child_delete(p, p->stack, err) && deleting_report(p, "serving stack", err);
	if (p->provider != NULL)
		return child_delete(p, p->provider, err) &&
		       deleting_report(p, "provider cluster", err);
	return finalizer_remove(p->cx, p->object, CONTROLLER_FINALIZER, err);
}

static bool
cluster_reconcile(struct controller_context *cx, const struct object *object,
    struct reconcile_result *ret UNUSED, struct error *err)
{
	struct pass p = { .cx = cx, .object = object_ref(object) };
	bool ok = false;

	if (!finalizer_add(cx, &p.object, CONTROLLER_FINALIZER, err) ||
	    !object_decode(p.object, cx->arena, &p.cluster, err))
		goto out;
	ok = p.object->deleted_ms == 0 ? pass_keep(&p, err) : pass_delete(&p, err);
out:
	object_unref(p.provider);
	object_unref(p.stack);
	object_unref(p.object);
	return ok;
}

/* ---- what else concerns a cluster ---- */

static bool
uses_class(const struct node *cluster, struct str class)
{
	struct node *pools = node_path(cluster, "spec.nodePools");

	for (const struct node *p = node_first(pools); p != NULL; p = p->next)
		if (str_eq(node_get_str(node_find(p, "className")), class))
			return true;
	return false;
}

static void
related_by_class(struct controller_context *cx, struct str class, related_fn *add, void *context)
{
	struct list_options opt = { .limit = 0 };
	struct object_list list = { .n = 0 };
	/* One at a time: a fleet is larger than the arena of an event. */
	struct arena *a = arena_new(ONE_ARENA_MAX);

	if (a == NULL ||
	    !store_list(cx->store, resource_of(&inference_cluster_kind), &opt, &list, NULL))
		goto out; /* the sweep comes by */
	for (size_t i = 0; i < list.n; i++) {
		struct node *tree;

		arena_clear(a);
		if (object_node(list.items[i], a, &tree, NULL) && uses_class(tree, class))
			add(context, STR(""), list.items[i]->name);
	}
	object_list_fini(&list);
out:
	arena_free(a);
}

static void
cluster_related(
    struct controller_context *cx, const struct object *changed, related_fn *add, void *context)
{
	if (changed->res->known == &inference_class_kind) {
		related_by_class(cx, changed->name, add, context);
	} else if (strcmp(changed->res->kind, "ModelReplica") == 0) {
		struct node *tree, *label = NULL;

		if (object_node(changed, cx->arena, &tree, NULL))
			label =
			    node_find(node_path(tree, "metadata.labels"), "modelplane.ai/cluster");
		if (label != NULL)
			add(context, STR(""), node_get_str(label));
	}
}

static const char *const cluster_watches[] = { "AKSCluster", "GKECluster", "EKSCluster",
	"NebiusCluster", "VultrCluster", "ServingStack", NULL };

const struct controller inference_cluster_controller = {
	.name = "inferencecluster",
	.kind = &inference_cluster_kind,
	.reconcile = cluster_reconcile,
	.watches = cluster_watches,
	.related = cluster_related,
};
