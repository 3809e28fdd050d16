#include "backend/apiserver/api_int.h"

#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"

/* Reads one number of the query; absent is 0. */
static bool
query_number(struct call *c, const char *name, int64_t *ret, struct error *err)
{
	struct str v = query_str(c, name);

	*ret = 0;
	if (v.n == 0)
		return true;
	if (!str_to_int(v, ret) || *ret < 0)
		return error_set(err, ERR_USAGE, "%s: Invalid value: \"%.*s\": must be a number",
		    name, (int)(v.n > 40 ? 40 : v.n), v.p);
	return true;
}

bool
list_options_read(struct call *c, struct list_options *ret, struct error *err)
{
	int64_t version = 0;

	*ret = (struct list_options){
		.ns = c->route.ns,
		.label_selector = query_str(c, "labelSelector"),
		.field_selector = query_str(c, "fieldSelector"),
		.next = query_str(c, "continue"),
	};
	if (!query_number(c, "limit", &ret->limit, err) ||
	    !query_number(c, "resourceVersion", &version, err))
		return false;
	if (ret->next.n > 0 && version > 0)
		return error_set(err, ERR_USAGE,
		    "specifying resource version is not allowed when using continue");
	/* "Any state that you have": a cache would answer all of it. */
	if (version == 0 && str_is(query_str(c, "resourceVersion"), "0"))
		ret->limit = 0;
	return true;
}

static struct node *
list_meta(struct call *c, const struct object_list *l)
{
	struct node *meta = node_map(c->arena);

	node_set_strz(c->arena, meta, "resourceVersion",
	    arena_printf(c->arena, "%lld", (long long)l->version));
	if (l->next != NULL)
		node_set_strz(c->arena, meta, "continue", l->next);
	return meta;
}

/* The objects' own JSON is copied into the list: nothing is parsed. */
static bool
list_json(struct call *c, const struct object_list *l, struct error *err)
{
	struct text out = TEXT_INIT(API_MAX_ANSWER);
	struct node *meta = list_meta(c, l);
	bool ok = true;

	text_printf(&out,
	    "{\"kind\":\"%sList\",\"apiVersion\":\"%s\",\"metadata\":", c->resource->kind,
	    resource_api_version(c->arena, c->resource));
	json_write(&out, meta, JSON_COMPACT);
	text_add(&out, ",\"items\":[");
	for (size_t i = 0; ok && i < l->n; i++) {
		struct str json = { 0 };

		text_add(&out, i > 0 ? "," : "");
		ok = object_shown(c, l->items[i], &json, err);
		text_add_str(&out, json);
	}
	text_add(&out, "]}\n");
	if (ok && text_ok(&out, "list", err))
		reply_json(c, 200, &out);
	else
		ok = false;
	text_free(&out);
	return ok;
}

static struct node *
partial_of(struct call *c, const struct node *object)
{
	struct node *p = node_map(c->arena);

	node_set_strz(c->arena, p, "kind", "PartialObjectMetadata");
	node_set_strz(c->arena, p, "apiVersion", "meta.k8s.io/v1");
	node_set(c->arena, p, "metadata", node_dup(c->arena, node_find(object, "metadata")));
	return p;
}

static bool
object_tree(struct call *c, const struct object *o, struct node **ret, struct error *err)
{
	if (!object_node(o, c->arena, ret, err))
		return false;
	if (call_must_mask(c, o->res))
		mask_node(o->res, c->arena, *ret);
	return true;
}

static bool
list_table(struct call *c, const struct object_list *l, struct error *err)
{
	struct node *table = table_new(c, c->resource, true);

	node_set(c->arena, table, "metadata", list_meta(c, l));
	for (size_t i = 0; i < l->n; i++) {
		struct node *object = NULL;

		if (!object_tree(c, l->items[i], &object, err) ||
		    !table_row(c, c->resource, object, table, err))
			return false;
	}
	reply_node(c, 200, table);
	return true;
}

static bool
list_metadata(struct call *c, const struct object_list *l, struct error *err)
{
	struct arena *a = c->arena;
	struct node *list = node_map(a);
	struct node *items = node_list(a);

	node_set_strz(a, list, "kind", "PartialObjectMetadataList");
	node_set_strz(a, list, "apiVersion", "meta.k8s.io/v1");
	node_set(a, list, "metadata", list_meta(c, l));
	node_set(a, list, "items", items);
	for (size_t i = 0; i < l->n; i++) {
		struct node *object = NULL;

		if (!object_tree(c, l->items[i], &object, err))
			return false;
		node_push(items, partial_of(c, object));
	}
	reply_node(c, 200, list);
	return true;
}

static bool
include_ok(const struct call *c)
{
	struct str v = c->include;

	return v.n == 0 || str_is(v, "None") || str_is(v, "Metadata") || str_is(v, "Object");
}

static bool
read_list(struct call *c, struct error *err)
{
	struct list_options opt;
	struct object_list list = { 0 };
	bool ok = false;

	if (!include_ok(c))
		return error_set(err, ERR_USAGE, "includeObject must be None, Metadata or Object");
	if (!list_options_read(c, &opt, err))
		return false;
	if (!store_list(c->api->opt.store, c->resource, &opt, &list, err)) {
		/* what is wrong with a selector or a token is the query's fault, not an object's */
		if (err->code == ERR_INVALID)
			err->code = ERR_USAGE;
		return false;
	}
	switch (c->form) {
	case FORM_TABLE:
		ok = list_table(c, &list, err);
		break;
	case FORM_METADATA:
		ok = list_metadata(c, &list, err);
		break;
	case FORM_JSON:
	case FORM_DISCOVERY:
	case FORM_NONE:
		ok = list_json(c, &list, err);
		break;
	}
	object_list_fini(&list);
	return ok;
}

static bool
read_one(struct call *c, struct error *err)
{
	const struct object *o = NULL;
	struct node *object = NULL;
	bool ok = false;

	if (!include_ok(c))
		return error_set(err, ERR_USAGE, "includeObject must be None, Metadata or Object");
	if (c->resource->namespaced && c->route.ns.n == 0) {
		reply_plain(c, 404, "404 page not found\n");
		return true;
	}
	if (!store_get(c->api->opt.store, c->resource, c->route.ns, c->route.name, &o, err))
		return false;
	if (c->form == FORM_JSON && !query_is_true(c, "pretty")) {
		reply_object(c, 200, o);
		ok = true;
		goto out;
	}
	if (!object_tree(c, o, &object, err))
		goto out;
	ok = true;
	if (c->form == FORM_TABLE) {
		struct node *table = table_new(c, c->resource, true);

		node_set(c->arena, node_find(table, "metadata"), "resourceVersion",
		    node_str(c->arena, node_path_str(object, "metadata.resourceVersion")));
		ok = table_row(c, c->resource, object, table, err);
		if (ok)
			reply_node(c, 200, table);
	} else {
		reply_node(c, 200, c->form == FORM_METADATA ? partial_of(c, object) : object);
	}
out:
	object_unref(o);
	return ok;
}

void
handle_read(struct call *c)
{
	struct error err = { 0 };
	bool ok = c->route.name.n > 0 ? read_one(c, &err) : read_list(c, &err);

	if (!ok)
		reply_error(c, &err);
}
