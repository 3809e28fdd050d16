#include "model/value.h"
#include "model/cel/cel_int.h"

const char *
cel_type_name(enum cel_type type)
{
	static const char *const names[] = {
		[CEL_NULL] = "null",
		[CEL_BOOL] = "bool",
		[CEL_INT] = "int",
		[CEL_DOUBLE] = "double",
		[CEL_STRING] = "string",
		[CEL_LIST] = "list",
		[CEL_MAP] = "map",
		[CEL_QUANTITY] = "quantity",
		[CEL_SEMVER] = "semver",
		[CEL_ERROR] = "error",
	};
	_Static_assert(ARRAY_LEN(names) == CEL_TYPE__MAX, "one name for each type");

	return names[type];
}

struct cel_value
cel_bool(bool value)
{
	return (struct cel_value){ .type = CEL_BOOL, .u.boolean = value };
}

struct cel_value
cel_int(int64_t value)
{
	return (struct cel_value){ .type = CEL_INT, .u.integer = value };
}

struct cel_value
cel_string(struct str value)
{
	return (struct cel_value){ .type = CEL_STRING, .u.string = value };
}

struct cel_value
cel_quantity(const struct quantity *q)
{
	return (struct cel_value){ .type = CEL_QUANTITY, .u.quantity = q };
}

struct cel_value
cel_semver(const struct semver *v)
{
	return (struct cel_value){ .type = CEL_SEMVER, .u.semver = v };
}

struct cel_value
cel_from_node(const struct node *n)
{
	struct cel_value v = { .type = CEL_NULL };

	if (n == NULL)
		return v;
	switch (n->type) {
	case NODE_NULL:
	case NODE__MAX:
		break;
	case NODE_BOOL:
		return cel_bool(n->u.boolean);
	case NODE_INT:
		return cel_int(n->u.integer);
	case NODE_FLOAT:
		v.type = CEL_DOUBLE;
		v.u.floating = n->u.floating;
		break;
	case NODE_STRING:
		return cel_string(n->u.string);
	case NODE_LIST:
		v.type = CEL_LIST;
		v.node = n;
		break;
	case NODE_MAP:
		v.type = CEL_MAP;
		v.node = n;
		break;
	}
	return v;
}

struct cel_map *
cel_map_new(struct arena *a)
{
	return arena_get(a, sizeof(struct cel_map));
}

void
cel_map_default_empty(struct cel_map *map)
{
	if (map != NULL)
		map->default_empty = true;
}

struct cel_value
cel_map_value(const struct cel_map *map)
{
	return (struct cel_value){ .type = CEL_MAP, .u.map = map };
}

bool
cel_map_set(struct arena *a, struct cel_map *map, struct str key, struct cel_value value)
{
	if (map == NULL)
		return false;
	for (size_t i = 0; i < map->n; i++) {
		if (str_eq(map->entries[i].key.u.string, key)) {
			map->entries[i].value = value;
			return true;
		}
	}
	if (map->n == map->cap) {
		size_t cap = map->cap == 0 ? 8 : map->cap * 2;
		struct cel_entry *more = arena_array(a, cap, sizeof *more);

		if (more == NULL)
			return false;
		for (size_t i = 0; i < map->n; i++)
			more[i] = map->entries[i];
		map->entries = more;
		map->cap = cap;
	}
	map->entries[map->n++] = (struct cel_entry){ cel_string(key), value };
	return true;
}

bool
cel_is_number(const struct cel_value *v)
{
	return v->type == CEL_INT || v->type == CEL_DOUBLE;
}

size_t
cel_count(const struct cel_value *v)
{
	if (v->node != NULL)
		return node_count(v->node);
	return v->type == CEL_LIST ? v->u.list->n : v->u.map->n;
}

void
cel_iter_init(struct cel_iter *it, struct cel_value of)
{
	*it = (struct cel_iter){ .of = of, .node = node_first(of.node) };
}

bool
cel_iter_next(struct cel_iter *it, struct cel_value *ret)
{
	bool list = it->of.type == CEL_LIST;

	if (it->of.node != NULL) {
		if (it->node == NULL)
			return false;
		*ret = list ? cel_from_node(it->node) : cel_string(it->node->key);
		it->node = it->node->next;
		return true;
	}
	if (it->i == cel_count(&it->of))
		return false;
	*ret = list ? it->of.u.list->items[it->i] : it->of.u.map->entries[it->i].key;
	it->i++;
	return true;
}

bool
cel_lookup(
    struct run *r, const struct cel_value *map, const struct cel_value *key, struct cel_value *ret)
{
	if (map->node != NULL) {
		const struct node *n = NULL;

		if (key->type == CEL_STRING)
			n = node_find_str(map->node, key->u.string);
		if (!cel_charge(r, 1 + node_count(map->node) / 16) || n == NULL)
			return false;
		*ret = cel_from_node(n);
		return true;
	}
	for (size_t i = 0; i < map->u.map->n; i++) {
		if (cel_equal(r, &map->u.map->entries[i].key, key)) {
			*ret = map->u.map->entries[i].value;
			return true;
		}
	}
	return false;
}

static bool
lists_equal(struct run *r, const struct cel_value *a, const struct cel_value *b)
{
	struct cel_iter ia;
	struct cel_iter ib;
	struct cel_value x;
	struct cel_value y;

	if (cel_count(a) != cel_count(b))
		return false;
	cel_iter_init(&ia, *a);
	cel_iter_init(&ib, *b);
	while (cel_iter_next(&ia, &x) && cel_iter_next(&ib, &y)) {
		if (!cel_equal(r, &x, &y))
			return false;
	}
	return true;
}

static bool
maps_equal(struct run *r, const struct cel_value *a, const struct cel_value *b)
{
	struct cel_iter it;
	struct cel_value key;
	struct cel_value x;
	struct cel_value y;

	if (cel_count(a) != cel_count(b))
		return false;
	cel_iter_init(&it, *a);
	while (cel_iter_next(&it, &key)) {
		if (!cel_lookup(r, a, &key, &x) || !cel_lookup(r, b, &key, &y) ||
		    !cel_equal(r, &x, &y))
			return false;
	}
	return true;
}

/* Exact also where a double cannot hold the integer. */
static int
order_int_double(int64_t i, double d)
{
	if (d >= 9223372036854775808.0)
		return -1;
	if (d < -9223372036854775808.0)
		return 1;
	if (i != (int64_t)d)
		return i < (int64_t)d ? -1 : 1;
	d -= (double)(int64_t)d; /* the fraction decides */
	return d > 0 ? -1 : d < 0;
}

static int
order_double(double a, double b)
{
	return a < b ? -1 : a > b;
}

static int
order_int(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static bool
order_numbers(const struct cel_value *a, const struct cel_value *b, int *ret)
{
	double x = a->type == CEL_DOUBLE ? a->u.floating : 0;
	double y = b->type == CEL_DOUBLE ? b->u.floating : 0;

	if (x != x || y != y)
		return false; /* not a number: no order, not even with itself */
	if (a->type == CEL_INT && b->type == CEL_INT)
		*ret = order_int(a->u.integer, b->u.integer);
	else if (a->type == CEL_INT)
		*ret = order_int_double(a->u.integer, y);
	else if (b->type == CEL_INT)
		*ret = -order_int_double(b->u.integer, x);
	else
		*ret = order_double(x, y);
	return true;
}

bool
cel_order(const struct cel_value *a, const struct cel_value *b, int *ret)
{
	if (cel_is_number(a) && cel_is_number(b))
		return order_numbers(a, b, ret);
	if (a->type != b->type)
		return false;
	if (a->type == CEL_STRING)
		*ret = str_cmp(a->u.string, b->u.string);
	else if (a->type == CEL_BOOL)
		*ret = (int)a->u.boolean - (int)b->u.boolean;
	else
		return false;
	return true;
}

bool
cel_equal(struct run *r, const struct cel_value *a, const struct cel_value *b)
{
	int order;

	if (!cel_charge(r, 1))
		return false;
	if (cel_is_number(a) && cel_is_number(b))
		return order_numbers(a, b, &order) && order == 0;
	if (a->type != b->type)
		return false;
	switch (a->type) {
	case CEL_NULL:
		return true;
	case CEL_BOOL:
		return a->u.boolean == b->u.boolean;
	case CEL_STRING:
		return cel_charge(r, a->u.string.n / 32) && str_eq(a->u.string, b->u.string);
	case CEL_LIST:
		return lists_equal(r, a, b);
	case CEL_MAP:
		return maps_equal(r, a, b);
	case CEL_QUANTITY:
		return quantity_cmp(a->u.quantity, b->u.quantity) == 0;
	case CEL_SEMVER:
		return semver_cmp(a->u.semver, b->u.semver) == 0;
	case CEL_INT:
	case CEL_DOUBLE:
	case CEL_ERROR:
	case CEL_TYPE__MAX:
		break;
	}
	return false;
}
