/*
 * `flightdeck plan` and the wizard's review: what manifests would be turned into, as text, without
 * making or storing anything. Classes come from the manifests themselves or from the store.
 */

#include "backend/backend_int.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/compose/aks.h"
#include "model/compose/cluster.h"
#include "model/compose/stack.h"
#include "model/kinds/inference_class.h"

enum { PLAN_TEXT_MAX = 4 * 1024 * 1024 };

struct planner {
	struct backend *b;
	struct arena *arena;
	const struct manifest_set *set;
	struct text *out;
};

static const struct node *
class_tree(struct planner *p, struct str name)
{
	for (size_t i = 0; i < p->set->ndocs; i++) {
		const struct document *d = &p->set->docs[i];

		if (d->kind == &inference_class_kind && str_eq(d->name, name))
			return d->object;
	}
	{
		struct node *tree;

		if (!object_tree(p->b, p->arena,
			(struct object_key){ &inference_class_kind, STR(""), name }, &tree, NULL))
			return NULL;
		schema_default(inference_class_kind.schema, p->arena, tree);
		return tree;
	}
}

static bool
classes_collect(struct planner *p, const struct inference_cluster *c, struct cluster_input *in,
    struct error *err)
{
	const struct node_pool *pool = c->spec.node_pools.items;
	struct cluster_class *classes =
	    arena_array(p->arena, c->spec.node_pools.n + 1, sizeof(*classes));

	for (size_t i = 0; classes != NULL && i < c->spec.node_pools.n; i++) {
		const struct node *tree = class_tree(p, pool[i].class_name);
		struct inference_class *decoded = arena_get(p->arena, sizeof(*decoded));

		if (tree == NULL || decoded == NULL)
			continue;
		if (!schema_decode(&inference_class_schema, p->arena, tree, decoded, err))
			return false;
		classes[in->nclasses++] =
		    (struct cluster_class){ decoded, node_path(tree, "spec.devices") };
	}
	in->classes = classes;
	return true;
}

static void
rows_print(struct planner *p, const struct plan *plan)
{
	for (size_t i = 0; i < plan->n; i++) {
		const struct plan_resource *r = &plan->items[i];

		text_printf(p->out, "  + %-18s %-24s " STR_FMT "\n", r->type,
		    arena_printf(p->arena, STR_FMT, STR_ARG(r->name)),
		    STR_ARG(r->what.n > 0 ? r->what : r->key));
	}
}

static bool
aks_print(struct planner *p, struct node *object, struct error *err)
{
	struct aks_cluster aks;
	struct plan plan;

	schema_default(&aks_cluster_schema, p->arena, object);
	plan_init(&plan, p->arena);
	if (!schema_decode(&aks_cluster_schema, p->arena, object, &aks, err) ||
	    !aks_plan(&aks, &plan, err))
		return false;
	rows_print(p, &plan);
	return true;
}

static bool
stack_print(struct planner *p, const struct inference_cluster *c, struct error *err)
{
	struct serving_stack stack = { .kind = STR("ServingStack") };
	struct node *object = node_map(p->arena);
	struct plan plan;

	node_set_strz(p->arena, object, "apiVersion", "infrastructure.modelplane.ai/v1alpha1");
	node_set_strz(p->arena, object, "kind", "ServingStack");
	node_set(p->arena, node_make_path(p->arena, object, "metadata"), "name",
	    node_str(p->arena, cluster_stack_name(p->arena, c->meta.name)));
	node_set_strz(p->arena, node_make_path(p->arena, object, "spec"), "stack",
	    stack_words[c->spec.stack >= 0 ? c->spec.stack : STACK_STANDARD]);
	schema_default(&serving_stack_schema, p->arena, object);
	plan_init(&plan, p->arena);
	if (!schema_decode(&serving_stack_schema, p->arena, object, &stack, err) ||
	    !stack_plan(&stack, &plan, err))
		return false;
	text_printf(p->out, "ServingStack/" STR_FMT ", on the cluster: %zu components\n",
	    STR_ARG(stack.meta.name), plan.n);
	rows_print(p, &plan);
	return true;
}

static bool
cluster_print(struct planner *p, struct node *object, struct error *err)
{
	struct inference_cluster *c = arena_get(p->arena, sizeof(*c));
	struct cluster_input in = { .cluster = c };
	struct cluster_result r;

	if (c == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a plan");
	if (!schema_decode(&inference_cluster_schema, p->arena, object, c, err) ||
	    !classes_collect(p, c, &in, err) || !cluster_compose(p->arena, &in, &r, err))
		return false;
	text_printf(p->out, "InferenceCluster/" STR_FMT "\n", STR_ARG(c->meta.name));
	if (r.warning_reason != NULL)
		text_printf(p->out, "  ! %s: " STR_FMT "\n", r.warning_reason, STR_ARG(r.warning));
	for (size_t i = 0; i < r.nchildren; i++) {
		struct node *child = r.children[i].object;
		struct str kind = node_get_str(node_find(child, "kind"));

		if (r.children[i].kind != CHILD_OBJECT || str_is(kind, "ServingStack"))
			continue;
		text_printf(p->out, STR_FMT "/" STR_FMT "\n", STR_ARG(kind),
		    STR_ARG(node_path_str(child, "metadata.name")));
		if (str_is(kind, "AKSCluster") && !aks_print(p, child, err))
			return false;
	}
	return stack_print(p, c, err);
}

bool
plan_text(struct backend *b, const struct request *r, struct reply *reply)
{
	struct text out = TEXT_INIT(PLAN_TEXT_MAX);
	struct manifest_set m;
	struct planner p = { b, reply->arena, &m, &out };
	struct apply_result *results;
	size_t n;
	bool ok;

	manifest_set_init(&m, reply->arena);
	ok = manifest_set_add(&m, "(input)", str_from(r->text));
	/* A trial of the whole set finds everything that an apply would refuse. */
	ok = backend_apply(b, &m, true, &results, &n, &reply->err) && ok;
	reply->problems = m.problems;
	for (size_t i = 0; ok && i < n; i++)
		text_printf(
		    &out, STR_FMT " would be %s\n", STR_ARG(results[i].object), results[i].done);
	for (size_t i = 0; ok && i < m.ndocs; i++)
		if (m.docs[i].kind == &inference_cluster_kind)
			ok = cluster_print(&p, m.docs[i].object, &reply->err);
	if (ok && text_ok(&out, "plan", &reply->err))
		reply->text = text_take(&out);
	text_free(&out);
	return ok;
}
