#include "model/cel/cel_int.h"
#include "model/value.h"

static bool
no_memory(struct error *err)
{
	return error_set(err, ERR_NO_MEMORY, "no memory for a device");
}

/* domains[domain][name] = value; a name without a domain belongs to the driver. */
static bool
set_qualified(struct arena *a, struct cel_map *domains, struct str driver, struct str key,
    struct cel_value value)
{
	ptrdiff_t slash = str_find_char(key, '/');
	struct str domain = slash < 0 ? driver : str_sub(key, 0, (size_t)slash);
	struct str name = slash < 0 ? key : str_sub(key, (size_t)slash + 1, key.n);
	struct cel_map *inner;

	for (size_t i = 0; i < domains->n; i++) {
		if (str_eq(domains->entries[i].key.u.string, domain)) {
			/* Made below and not shared yet: a copy with room for one more. */
			struct cel_map *grown = cel_map_new(a);

			if (grown == NULL)
				return false;
			*grown = *domains->entries[i].value.u.map;
			domains->entries[i].value.u.map = grown;
			return cel_map_set(a, grown, name, value);
		}
	}
	inner = cel_map_new(a);
	return inner != NULL && cel_map_set(a, inner, name, value) &&
	       cel_map_set(a, domains, domain, cel_map_value(inner));
}

static bool
read_version(struct arena *a, const struct node *n, struct cel_value *ret, struct error *err)
{
	struct semver *v = arena_get(a, sizeof *v);

	if (v == NULL)
		return no_memory(err);
	if (!semver_parse(node_get_str(n), v, err))
		return false;
	*ret = cel_semver(v);
	return true;
}

static bool
read_attribute(struct arena *a, const struct node *n, struct cel_value *ret, struct error *err)
{
	const struct node *version = node_find(n, "version");
	static const char *const plain[] = { "string", "bool", "int" };

	if (version != NULL)
		return read_version(a, version, ret, err);
	for (size_t i = 0; i < ARRAY_LEN(plain); i++) {
		if (node_find(n, plain[i]) != NULL) {
			*ret = cel_from_node(node_find(n, plain[i]));
			return true;
		}
	}
	return error_set(err, ERR_INVALID, "attribute '%.*s' has no value",
	    (int)(n->key.n > 100 ? 100 : n->key.n), n->key.p);
}

static bool
read_capacity(struct arena *a, const struct node *n, struct cel_value *ret, struct error *err)
{
	struct quantity *q = arena_get(a, sizeof *q);

	if (q == NULL)
		return no_memory(err);
	if (!quantity_parse(node_path_str(n, "value"), q, err))
		return false;
	*ret = cel_quantity(q);
	return true;
}

typedef bool read_fn(
    struct arena *a, const struct node *n, struct cel_value *ret, struct error *err);

static struct cel_map *
read_facts(
    struct arena *a, const struct node *device, const char *field, read_fn *read, struct error *err)
{
	struct cel_map *domains = cel_map_new(a);
	struct str driver = node_path_str(device, "driver");

	if (domains == NULL) {
		(void)no_memory(err);
		return NULL;
	}
	cel_map_default_empty(domains);
	for (const struct node *x = node_first(node_find(device, field)); x != NULL; x = x->next) {
		struct cel_value v = { .type = CEL_NULL };

		if (!read(a, x, &v, err)) {
			(void)error_wrap(err, "%s '%.*s' of device '" STR_FMT "'", field,
			    (int)(x->key.n > 100 ? 100 : x->key.n), x->key.p,
			    STR_ARG(node_path_str(device, "name")));
			return NULL;
		}
		if (!set_qualified(a, domains, driver, x->key, v)) {
			(void)no_memory(err);
			return NULL;
		}
	}
	return domains;
}

bool
cel_device(struct arena *a, const struct node *device, struct cel_value *ret, struct error *err)
{
	struct cel_map *map = cel_map_new(a);
	struct cel_map *attributes = read_facts(a, device, "attributes", read_attribute, err);
	struct cel_map *capacity;

	if (attributes == NULL)
		return false;
	capacity = read_facts(a, device, "capacity", read_capacity, err);
	if (capacity == NULL)
		return false;
	if (!cel_map_set(a, map, STR("driver"), cel_string(node_path_str(device, "driver"))) ||
	    !cel_map_set(a, map, STR("attributes"), cel_map_value(attributes)) ||
	    !cel_map_set(a, map, STR("capacity"), cel_map_value(capacity)))
		return no_memory(err);
	*ret = cel_map_value(map);
	return true;
}
