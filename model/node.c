#include "model/node.h"

#include <string.h>

#include "model/base/mem.h"

const char *
node_type_name(enum node_type type)
{
	static const char *const names[] = {
		[NODE_NULL] = "null",
		[NODE_BOOL] = "boolean",
		[NODE_INT] = "integer",
		[NODE_FLOAT] = "number",
		[NODE_STRING] = "string",
		[NODE_LIST] = "list",
		[NODE_MAP] = "object",
	};
	_Static_assert(ARRAY_LEN(names) == NODE__MAX, "one name for each type");

	return names[type];
}

static struct node *
node_new(struct arena *a, enum node_type type)
{
	struct node *n = arena_get(a, sizeof *n);

	if (n != NULL)
		n->type = type;
	return n;
}

struct node *
node_null(struct arena *a)
{
	return node_new(a, NODE_NULL);
}

struct node *
node_bool(struct arena *a, bool value)
{
	struct node *n = node_new(a, NODE_BOOL);

	if (n != NULL)
		n->u.boolean = value;
	return n;
}

struct node *
node_int(struct arena *a, int64_t value)
{
	struct node *n = node_new(a, NODE_INT);

	if (n != NULL)
		n->u.integer = value;
	return n;
}

struct node *
node_float(struct arena *a, double value)
{
	struct node *n = node_new(a, NODE_FLOAT);

	if (n != NULL)
		n->u.floating = value;
	return n;
}

struct node *
node_str(struct arena *a, struct str value)
{
	struct node *n = node_new(a, NODE_STRING);

	if (n == NULL)
		return NULL;
	n->u.string = str_copy(a, value);
	return n->u.string.p == NULL ? NULL : n;
}

struct node *
node_strz(struct arena *a, const char *value)
{
	return node_str(a, str_from(value));
}

struct node *
node_list(struct arena *a)
{
	return node_new(a, NODE_LIST);
}

struct node *
node_map(struct arena *a)
{
	return node_new(a, NODE_MAP);
}

static bool
is_collection(const struct node *n)
{
	return n != NULL && (n->type == NODE_LIST || n->type == NODE_MAP);
}

static void
append(struct node *to, struct node *item)
{
	item->next = NULL;
	if (to->u.items.last == NULL)
		to->u.items.first = item;
	else
		to->u.items.last->next = item;
	to->u.items.last = item;
	to->u.items.count++;
}

/* Copies one node without its elements; strings are copied too. */
static struct node *
dup_shallow(struct arena *a, const struct node *n)
{
	struct node *copy = arena_get(a, sizeof *copy);

	if (copy == NULL)
		return NULL;
	*copy = *n;
	copy->next = NULL;
	if (n->key.p != NULL)
		copy->key = str_copy(a, n->key);
	if (n->text.p != NULL)
		copy->text = str_copy(a, n->text);
	if (n->type == NODE_STRING)
		copy->u.string = str_copy(a, n->u.string);
	if (is_collection(n)) {
		copy->u.items.first = NULL;
		copy->u.items.last = NULL;
		copy->u.items.count = 0;
	}
	return copy;
}

struct node *
node_dup(struct arena *a, const struct node *n)
{
	struct node *copy;

	if (n == NULL)
		return NULL;
	copy = dup_shallow(a, n);
	for (const struct node *x = node_first(n); copy != NULL && x != NULL; x = x->next) {
		struct node *item = node_dup(a, x);

		if (item == NULL)
			return NULL;
		append(copy, item);
	}
	return copy == NULL || arena_failed(a) ? NULL : copy;
}

void
node_push(struct node *list, struct node *item)
{
	if (list != NULL && item != NULL)
		append(list, item);
}

static void
unlink_after(struct node *map, struct node *before, struct node *gone)
{
	if (before == NULL)
		map->u.items.first = gone->next;
	else
		before->next = gone->next;
	if (map->u.items.last == gone)
		map->u.items.last = before;
	map->u.items.count--;
	gone->next = NULL;
}

static void
replace_after(struct node *map, struct node *before, struct node *old, struct node *item)
{
	item->next = old->next;
	item->key = old->key;
	if (item->key_line == 0) {
		item->key_line = old->key_line;
		item->key_column = old->key_column;
	}
	if (before == NULL)
		map->u.items.first = item;
	else
		before->next = item;
	if (map->u.items.last == old)
		map->u.items.last = item;
	old->next = NULL;
}

void
node_set_str(struct arena *a, struct node *map, struct str key, struct node *item)
{
	struct node *before = NULL;
	struct node *old;

	if (map == NULL || map->type != NODE_MAP)
		return;
	for (old = map->u.items.first; old != NULL && !str_eq(old->key, key); old = old->next)
		before = old;
	if (item == NULL) {
		if (old != NULL && !arena_failed(a))
			unlink_after(map, before, old);
	} else if (old == item) {
		return;
	} else if (old != NULL) {
		replace_after(map, before, old, item);
	} else {
		item->key = str_copy(a, key);
		if (item->key.p != NULL)
			append(map, item);
	}
}

void
node_set(struct arena *a, struct node *map, const char *key, struct node *item)
{
	node_set_str(a, map, str_from(key), item);
}

void
node_set_strz(struct arena *a, struct node *map, const char *key, const char *value)
{
	node_set(a, map, key, node_strz(a, value));
}

void
node_set_int(struct arena *a, struct node *map, const char *key, int64_t value)
{
	node_set(a, map, key, node_int(a, value));
}

void
node_set_bool(struct arena *a, struct node *map, const char *key, bool value)
{
	node_set(a, map, key, node_bool(a, value));
}

bool
node_remove(struct node *map, struct str key)
{
	struct node *before = NULL;

	if (map == NULL || map->type != NODE_MAP)
		return false;
	for (struct node *x = map->u.items.first; x != NULL; before = x, x = x->next) {
		if (str_eq(x->key, key)) {
			unlink_after(map, before, x);
			return true;
		}
	}
	return false;
}

struct node *
node_first(const struct node *n)
{
	return is_collection(n) ? n->u.items.first : NULL;
}

size_t
node_count(const struct node *n)
{
	return is_collection(n) ? n->u.items.count : 0;
}

struct node *
node_find_str(const struct node *map, struct str key)
{
	if (map == NULL || map->type != NODE_MAP)
		return NULL;
	for (struct node *x = map->u.items.first; x != NULL; x = x->next) {
		if (str_eq(x->key, key))
			return x;
	}
	return NULL;
}

struct node *
node_find(const struct node *map, const char *key)
{
	return node_find_str(map, str_from(key));
}

struct node *
node_at(const struct node *list, size_t index)
{
	struct node *x = NULL;

	if (list != NULL && list->type == NODE_LIST && index < list->u.items.count) {
		for (x = list->u.items.first; x != NULL && index > 0; index--)
			x = x->next;
	}
	return x;
}

/* One step of a path: "name", "name[0]" or "[0][1]". */
static struct node *
step(const struct node *n, struct str piece)
{
	ptrdiff_t open = str_find_char(piece, '[');
	struct str name = open < 0 ? piece : str_sub(piece, 0, (size_t)open);
	struct node *at = NULL;

	if (name.n > 0 || open < 0) {
		at = node_find_str(n, name);
		n = at;
	}
	while (open >= 0 && n != NULL) {
		struct str rest = str_sub(piece, (size_t)open + 1, piece.n);
		ptrdiff_t shut = str_find_char(rest, ']');
		int64_t index;

		if (shut < 0 || !str_to_int(str_sub(rest, 0, (size_t)shut), &index) || index < 0)
			return NULL;
		at = node_at(n, (size_t)index);
		n = at;
		piece = str_sub(rest, (size_t)shut + 1, rest.n);
		open = piece.n > 0 && piece.p[0] == '[' ? 0 : -1;
	}
	return at;
}

struct node *
node_path(const struct node *n, const char *path)
{
	struct str rest = str_from(path);
	struct str piece;
	struct node *at = NULL;

	while (n != NULL && str_split(&rest, '.', &piece)) {
		at = step(n, piece);
		n = at;
	}
	return at;
}

struct node *
node_make_path(struct arena *a, struct node *map, const char *path)
{
	struct str rest = str_from(path);
	struct str piece;

	while (map != NULL && str_split(&rest, '.', &piece)) {
		struct node *next = node_find_str(map, piece);

		if (next == NULL || next->type != NODE_MAP) {
			next = node_map(a);
			if (next == NULL)
				return NULL;
			node_set_str(a, map, piece, next);
		}
		map = next;
	}
	return map;
}

struct str
node_get_str(const struct node *n)
{
	if (n == NULL || n->type != NODE_STRING)
		return (struct str){ NULL, 0 };
	return n->u.string;
}

int64_t
node_get_int(const struct node *n, int64_t otherwise)
{
	return n != NULL && n->type == NODE_INT ? n->u.integer : otherwise;
}

bool
node_get_bool(const struct node *n, bool otherwise)
{
	return n != NULL && n->type == NODE_BOOL ? n->u.boolean : otherwise;
}

struct str
node_path_str(const struct node *n, const char *path)
{
	return node_get_str(node_path(n, path));
}

int64_t
node_path_int(const struct node *n, const char *path, int64_t otherwise)
{
	return node_get_int(node_path(n, path), otherwise);
}

bool
node_path_bool(const struct node *n, const char *path, bool otherwise)
{
	return node_get_bool(node_path(n, path), otherwise);
}

/* Exact: 2^53 + 1 is not equal to the float next to it. */
static bool
int_eq_float(int64_t i, double f)
{
	return f >= -9223372036854775808.0 && f < 9223372036854775808.0 && (double)i == f &&
	       (int64_t)f == i;
}

static bool
list_eq(const struct node *a, const struct node *b)
{
	const struct node *y = node_first(b);

	if (node_count(a) != node_count(b))
		return false;
	for (const struct node *x = node_first(a); x != NULL; x = x->next, y = y->next) {
		if (!node_eq(x, y))
			return false;
	}
	return true;
}

/* Most maps that are equal also have one order, so the partner is looked for there first. */
static bool
map_eq(const struct node *a, const struct node *b)
{
	const struct node *y = node_first(b);

	if (node_count(a) != node_count(b))
		return false;
	for (const struct node *x = node_first(a); x != NULL; x = x->next) {
		const struct node *partner = y;

		if (y == NULL || !str_eq(x->key, y->key))
			partner = node_find_str(b, x->key);
		if (partner == NULL || !node_eq(x, partner))
			return false;
		y = partner->next;
	}
	return true;
}

bool
node_eq(const struct node *a, const struct node *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	if (a->type == NODE_INT && b->type == NODE_FLOAT)
		return int_eq_float(a->u.integer, b->u.floating);
	if (a->type == NODE_FLOAT && b->type == NODE_INT)
		return int_eq_float(b->u.integer, a->u.floating);
	if (a->type != b->type)
		return false;
	switch (a->type) {
	case NODE_NULL:
		return true;
	case NODE_BOOL:
		return a->u.boolean == b->u.boolean;
	case NODE_INT:
		return a->u.integer == b->u.integer;
	case NODE_FLOAT:
		return a->u.floating == b->u.floating;
	case NODE_STRING:
		return str_eq(a->u.string, b->u.string);
	case NODE_LIST:
		return list_eq(a, b);
	case NODE_MAP:
		return map_eq(a, b);
	case NODE__MAX:
		break;
	}
	return false;
}
