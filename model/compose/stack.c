#include "model/compose/stack.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/compose/stack_int.h"
#include "model/json.h"
#include "model/kinds/inference_cluster.h"
#include "model/names.h"

struct build {
	const struct serving_stack *s;
	struct plan *plan;
	struct arena *a;
	struct error *err;
};

struct str
stack_config_name(struct arena *a, struct str stack_name)
{
	return child_name2(a, stack_name, "cluster");
}

/* A literal of one of the tables; a fault in it is a bug that the tests find. */
static bool
literal(struct build *b, const char *text, struct node **ret_node)
{
	*ret_node = NULL;
	if (text == NULL)
		return true;
	return json_parse(b->a, str_from(text), ret_node, b->err);
}

static struct str
pin(const struct serving_stack *s, size_t off)
{
	struct str version;

	memcpy(&version, (const char *)s + off, sizeof(version));
	return version;
}

static bool
row_applies(const struct stack_row *row, int stack)
{
	return row->only == STACK_BOTH ||
	       (row->only == STACK_STANDARD_ONLY) == (stack != STACK_DYNAMO);
}

static void
row_finish(struct build *b, struct plan_resource *r, const struct stack_row *row)
{
	for (size_t i = 0; i < ARRAY_LEN(row->after) && row->after[i] != NULL; i++)
		plan_after(r, str_from(row->after[i]));
	r->step = str_from(row->step);
	r->flags = row->flags;
	if (row->label != NULL)
		node_set_strz(b->a, node_make_path(b->a, r->want, "labels"), STACK_RESOURCE_LABEL,
		    row->label);
}

static bool
release_add(struct build *b, const struct stack_row *row)
{
	struct arena *a = b->a;
	struct str version = row->version != NULL ? str_from(row->version) : pin(b->s, row->pin);
	struct str name = str_from(arena_printf(a, "mp-%s", row->chart));
	struct plan_resource *r = plan_add(b->plan, "kube", "release", str_from(row->key), name);
	struct node *values;

	if (r == NULL || !literal(b, row->json, &values))
		return false;
	r->want = node_map(a);
	node_set_strz(a, r->want, "chart", row->chart);
	node_set_strz(a, r->want, "repository", row->repository);
	node_set(a, r->want, "version", node_str(a, version));
	node_set_strz(a, r->want, "namespace", row->ns);
	node_set(a, r->want, "values", values);
	if (row->adjust != NULL)
		row->adjust(a, b->s, r->want);
	r->ns = str_from(row->ns);
	r->version = version;
	r->what = str_from(arena_printf(a, "%s " STR_FMT, row->what, STR_ARG(version)));
	row_finish(b, r, row);
	return true;
}

static bool
object_add(struct build *b, const struct stack_row *row)
{
	struct arena *a = b->a;
	struct node *manifest;
	struct plan_resource *r;

	if (!literal(b, row->json, &manifest))
		return false;
	r = plan_add(b->plan, "kube", "object", str_from(row->key),
	    node_path_str(manifest, "metadata.name"));
	if (r == NULL)
		return false;
	r->want = node_map(a);
	node_set(a, r->want, "manifest", manifest);
	if (row->readiness != NULL)
		node_set_strz(a, r->want, "readiness", row->readiness);
	if (row->adjust != NULL)
		row->adjust(a, b->s, r->want);
	r->name = node_path_str(manifest, "metadata.name");
	r->ns = node_path_str(manifest, "metadata.namespace");
	r->what = str_from(arena_printf(a, "%s", row->what));
	row_finish(b, r, row);
	return true;
}

bool
stack_plan(const struct serving_stack *s, struct plan *p, struct error *err)
{
	struct build b = { .s = s, .plan = p, .a = p->arena, .err = err };
	size_t n;
	const struct stack_row *rows = stack_rows(&n);

	for (size_t i = 0; i < n; i++) {
		const struct stack_row *row = &rows[i];

		if (!row_applies(row, s->spec.stack))
			continue;
		if (!(row->chart != NULL ? release_add(&b, row) : object_add(&b, row)))
			goto failed;
	}
	if (!arena_failed(p->arena))
		return plan_check(p, err);
failed:
	if (arena_failed(p->arena))
		return error_set(err, ERR_NO_MEMORY, "no memory to plan the stack '" STR_FMT "'",
		    STR_ARG(s->meta.name));
	return error_wrap(err, "cannot plan the stack '" STR_FMT "'", STR_ARG(s->meta.name));
}
