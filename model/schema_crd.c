#include "model/schema_int.h"

#include "model/base/mem.h"
#include "model/json.h"

/*
 * A kind as an apiextensions.k8s.io/v1 CustomResourceDefinition, from its table: what our own
 * checks do, an API server then does too.
 */

enum { CRD_NAME_MAX = 63 };

static struct node *object_schema(struct arena *a, const struct schema *s);

static struct node *
words(struct arena *a, const char *const *list)
{
	struct node *ret = node_list(a);

	for (size_t i = 0; list[i] != NULL; i++)
		node_push(ret, node_strz(a, list[i]));
	return ret;
}

static void
add_validations(struct arena *a, struct node *out, const struct rule *rules, size_t n)
{
	struct node *all = node_list(a);

	for (size_t i = 0; i < n; i++) {
		struct node *one = node_map(a);

		node_set_strz(a, one, "rule", rules[i].cel);
		node_set_strz(a, one, "message",
		    rules[i].advice[0] != '\0'
			? arena_printf(a, "%s; %s", rules[i].message, rules[i].advice)
			: rules[i].message);
		node_push(all, one);
	}
	if (n > 0)
		node_set(a, out, "x-kubernetes-validations", all);
}

static void
add_bounds(
    struct arena *a, struct node *out, const struct field *f, const char *least, const char *most)
{
	if (f->has_min)
		node_set_int(a, out, least, f->min);
	if (f->has_max)
		node_set_int(a, out, most, f->max);
}

static struct node *
string_item(struct arena *a, const struct field *f)
{
	struct node *ret = node_map(a);

	node_set_strz(a, ret, "type", "string");
	if (f->item_min > 0)
		node_set_int(a, ret, "minLength", f->item_min);
	if (f->item_max > 0)
		node_set_int(a, ret, "maxLength", f->item_max);
	return ret;
}

static struct node *
item_schema(struct arena *a, const struct field *f)
{
	struct node *ret = f->sub != NULL ? object_schema(a, f->sub) : string_item(a, f);

	add_validations(a, ret, f->item_rules, f->nitem_rules);
	return ret;
}

static void
add_list(struct arena *a, struct node *out, const struct field *f)
{
	node_set_strz(a, out, "type", "array");
	add_bounds(a, out, f, "minItems", "maxItems");
	node_set(a, out, "items", item_schema(a, f));
	if (f->keys != NULL) {
		node_set_strz(a, out, "x-kubernetes-list-type", "map");
		node_set(a, out, "x-kubernetes-list-map-keys", words(a, f->keys));
	} else if ((f->flags & ATOMIC) != 0) {
		node_set_strz(a, out, "x-kubernetes-list-type", "atomic");
	}
}

static void
add_object(struct arena *a, struct node *out, const struct schema *s)
{
	for (struct node *x = node_first(object_schema(a, s)), *next; x != NULL; x = next) {
		next = x->next;
		node_set_str(a, out, x->key, x);
	}
}

static void
add_by_type(struct arena *a, struct node *out, const struct field *f)
{
	switch (f->type) {
	case FT_STRING:
	case FT_ENUM:
		node_set_strz(a, out, "type", "string");
		add_bounds(a, out, f, "minLength", "maxLength");
		if (f->pattern != NULL)
			node_set_strz(a, out, "pattern", f->pattern);
		if (f->words != NULL)
			node_set(a, out, "enum", words(a, f->words));
		return;
	case FT_INT:
		node_set_strz(a, out, "type", "integer");
		add_bounds(a, out, f, "minimum", "maximum");
		if (f->format != NULL)
			node_set_strz(a, out, "format", f->format);
		return;
	case FT_BOOL:
		node_set_strz(a, out, "type", "boolean");
		return;
	case FT_OBJECT:
		add_object(a, out, f->sub);
		return;
	case FT_LIST:
		add_list(a, out, f);
		return;
	case FT_MAP:
	case FT_MAPOF:
		node_set_strz(a, out, "type", "object");
		add_bounds(a, out, f, "minProperties", "maxProperties");
		node_set(a, out, "additionalProperties", item_schema(a, f));
		return;
	case FT_ANY:
		if (f->format != NULL)
			node_set_strz(a, out, "type", f->format);
		node_set_bool(a, out, "x-kubernetes-preserve-unknown-fields", true);
		return;
	}
}

static struct node *
field_schema(struct arena *a, const struct field *f)
{
	struct node *ret = node_map(a);
	struct node *def = NULL;

	node_set_strz(a, ret, "description", f->doc);
	add_by_type(a, ret, f);
	if (f->def != NULL && json_parse(a, str_from(f->def), &def, NULL))
		node_set(a, ret, "default", def);
	add_validations(a, ret, f->rules, f->nrules);
	return ret;
}

static struct node *
object_schema(struct arena *a, const struct schema *s)
{
	struct node *ret = node_map(a);
	struct node *required = node_list(a);
	struct node *properties = node_map(a);

	node_set_strz(a, ret, "type", "object");
	for (size_t i = 0; i < s->nfields; i++) {
		if ((s->fields[i].flags & REQUIRED) != 0)
			node_push(required, node_strz(a, s->fields[i].name));
		node_set(a, properties, s->fields[i].name, field_schema(a, &s->fields[i]));
	}
	if (s->min_properties > 0)
		node_set_int(a, ret, "minProperties", s->min_properties);
	if (node_count(required) > 0)
		node_set(a, ret, "required", required);
	node_set(a, ret, "properties", properties);
	add_validations(a, ret, s->rules, s->nrules);
	return ret;
}

/* The whole object; of metadata an API server lets a schema bound the name alone. */
static struct node *
root_schema(const struct kind *k, struct arena *a)
{
	struct node *ret = object_schema(a, k->schema);
	struct node *properties = node_find(ret, "properties");
	struct node *meta = node_map(a);
	const struct field *spec = schema_child(k->schema, STR("spec"));
	struct node *required = node_list(a);

	node_set_strz(a, meta, "type", "object");
	if (str_ends(str_from(k->group), STR("modelplane.ai"))) {
		struct node *name = node_make_path(a, meta, "properties.name");

		node_set_strz(a, name, "type", "string");
		node_set_int(a, name, "maxLength", CRD_NAME_MAX);
	}
	node_set(a, properties, "metadata", meta);
	node_set(a, ret, "required", NULL);
	if (spec != NULL && (spec->flags & REQUIRED) != 0) {
		node_push(required, node_strz(a, "spec"));
		node_set(a, ret, "required", required);
	}
	node_set_strz(a, ret, "description", k->doc);
	return ret;
}

static struct node *
columns(const struct kind *k, struct arena *a)
{
	struct node *ret = node_list(a);

	for (size_t i = 0; i < k->ncolumns; i++) {
		struct node *one = node_map(a);

		node_set_strz(a, one, "name", k->columns[i].title);
		node_set_strz(a, one, "type", k->columns[i].type);
		node_set_strz(a, one, "jsonPath", k->columns[i].path);
		node_push(ret, one);
	}
	return ret;
}

static struct node *
version(const struct kind *k, struct arena *a)
{
	struct node *ret = node_map(a);
	struct node *sub = node_map(a);

	node_set_strz(a, ret, "name", k->version);
	node_set_bool(a, ret, "served", true);
	node_set_bool(a, ret, "storage", true);
	node_set(a, node_make_path(a, ret, "schema"), "openAPIV3Schema", root_schema(k, a));
	if ((k->flags & KIND_STATUS) != 0)
		node_set(a, sub, "status", node_map(a));
	if (k->scale_spec != NULL) {
		struct node *scale = node_make_path(a, sub, "scale");

		node_set_strz(a, scale, "specReplicasPath", k->scale_spec);
		node_set_strz(a, scale, "statusReplicasPath", k->scale_status);
	}
	if (node_count(sub) > 0)
		node_set(a, ret, "subresources", sub);
	node_set(a, ret, "additionalPrinterColumns", columns(k, a));
	return ret;
}

struct node *
kind_crd(const struct kind *k, struct arena *a)
{
	struct node *ret = node_map(a);
	struct node *spec, *names, *versions = node_list(a);

	node_set_strz(a, ret, "apiVersion", "apiextensions.k8s.io/v1");
	node_set_strz(a, ret, "kind", "CustomResourceDefinition");
	node_set_strz(a, node_make_path(a, ret, "metadata"), "name",
	    arena_printf(a, "%s.%s", k->plural, k->group));
	spec = node_make_path(a, ret, "spec");
	node_set_strz(a, spec, "group", k->group);
	names = node_make_path(a, spec, "names");
	node_set_strz(a, names, "kind", k->kind);
	node_set_strz(a, names, "listKind", arena_printf(a, "%sList", k->kind));
	node_set_strz(a, names, "plural", k->plural);
	node_set_strz(a, names, "singular", k->singular);
	if (k->shorts[0] != NULL)
		node_set(a, names, "shortNames", words(a, k->shorts));
	if (k->categories[0] != NULL)
		node_set(a, names, "categories", words(a, k->categories));
	node_set_strz(
	    a, spec, "scope", (k->flags & KIND_NAMESPACED) != 0 ? "Namespaced" : "Cluster");
	node_push(versions, version(k, a));
	node_set(a, spec, "versions", versions);
	return ret;
}
