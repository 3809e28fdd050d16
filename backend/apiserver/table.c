#include "backend/apiserver/api_int.h"

#include <string.h>

#include "backend/runtime/clock.h"
#include "model/base/mem.h"
#include "model/stamp.h"

/* A column of either table, ours or Kubernetes'. */
struct view {
	const char *title;
	const char *type;
	const char *path;
	builtin_cell_fn *cell;
	int priority;
};

static const struct builtin *
row_of(const struct resource *res)
{
	return builtin_find(res->group, res->plural);
}

static size_t
column_count(const struct resource *res)
{
	const struct builtin *b = row_of(res);

	if (b != NULL)
		return b->ncolumns;
	return res->known != NULL && res->known->ncolumns > 0 ? res->known->ncolumns : 1;
}

static struct view
column_at(const struct resource *res, size_t i)
{
	const struct builtin *b = row_of(res);

	if (b != NULL) {
		const struct builtin_column *col = &b->columns[i];

		return (struct view){ col->title, col->type, col->path, col->cell, col->priority };
	}
	if (res->known != NULL && res->known->ncolumns > 0) {
		const struct column_def *col = &res->known->columns[i];

		return (struct view){ col->title, col->type, col->path, NULL, 0 };
	}
	return (struct view){ "Age", "date", ".metadata.creationTimestamp", NULL, 0 };
}

static void
column_push(struct arena *a, struct node *columns, const struct view *v, const char *format)
{
	struct node *col = node_map(a);

	node_set_strz(a, col, "name", v->title);
	node_set_strz(a, col, "type", v->type);
	node_set_strz(a, col, "format", format);
	node_set_strz(a, col, "description", "");
	node_set_int(a, col, "priority", v->priority);
	node_push(columns, col);
}

struct node *
table_new(struct call *c, const struct resource *res, bool with_columns)
{
	struct arena *a = c->arena;
	struct node *table = node_map(a);
	struct node *columns = with_columns ? node_list(a) : node_null(a);
	const struct view name = { "Name", "string", NULL, NULL, 0 };

	node_set_strz(a, table, "kind", "Table");
	node_set_strz(a, table, "apiVersion", "meta.k8s.io/v1");
	node_set(a, table, "metadata", node_map(a));
	if (with_columns) {
		column_push(a, columns, &name, "name");
		for (size_t i = 0; i < column_count(res); i++) {
			struct view v = column_at(res, i);

			column_push(a, columns, &v, "");
		}
	}
	node_set(a, table, "columnDefinitions", columns);
	node_set(a, table, "rows", node_list(a));
	return table;
}

static struct node *
date_cell(struct call *c, const struct node *value)
{
	char age[STAMP_MAX];
	int64_t at = 0;

	if (!stamp_parse(node_get_str(value), &at))
		return node_null(c->arena);
	int64_t span = clock_wall_ms(c->api->opt.clock) - at;

	return node_strz(c->arena, stamp_age(span > 0 ? span : 0, age));
}

static struct node *
cell_make(struct call *c, const struct view *v, const struct node *object)
{
	if (v->cell != NULL) {
		struct text out = TEXT_INIT(1024);

		v->cell(object, &out);
		struct node *cell =
		    out.n > 0 ? node_str(c->arena, text_str(&out)) : node_null(c->arena);

		text_free(&out);
		return cell;
	}
	const struct node *value = jsonpath_find(object, v->path);

	if (value == NULL || value->type == NODE_LIST || value->type == NODE_MAP)
		return node_null(c->arena);
	if (strcmp(v->type, "date") == 0)
		return date_cell(c, value);
	return node_dup(c->arena, value);
}

/* The row's object: whole, only its metadata, or nothing, as includeObject says. */
static struct node *
row_object(struct call *c, const struct node *object)
{
	struct arena *a = c->arena;

	if (str_is(c->include, "None"))
		return node_null(a);
	if (str_is(c->include, "Object"))
		return node_dup(a, object);
	struct node *partial = node_map(a);

	node_set_strz(a, partial, "kind", "PartialObjectMetadata");
	node_set_strz(a, partial, "apiVersion", "meta.k8s.io/v1");
	node_set(a, partial, "metadata", node_dup(a, node_find(object, "metadata")));
	return partial;
}

bool
table_row(struct call *c, const struct resource *res, const struct node *object, struct node *table,
    struct error *err)
{
	struct arena *a = c->arena;
	struct node *row = node_map(a);
	struct node *cells = node_list(a);

	node_push(cells, node_str(a, node_path_str(object, "metadata.name")));
	for (size_t i = 0; i < column_count(res); i++) {
		struct view v = column_at(res, i);

		node_push(cells, cell_make(c, &v, object));
	}
	node_set(a, row, "cells", cells);
	node_set(a, row, "object", row_object(c, object));
	node_push(node_find(table, "rows"), row);
	return !arena_failed(a) || error_set(err, ERR_NO_MEMORY, "no memory for a table");
}
