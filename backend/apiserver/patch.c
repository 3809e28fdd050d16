#include "backend/apiserver/patch.h"

#include <string.h>

#include "model/base/mem.h"

static bool
too_deep(struct error *err)
{
	return error_set(err, ERR_INVALID, "the patch is nested deeper than %d", PATCH_MAX_DEPTH);
}

static bool
finish(struct arena *a, struct node *value, struct node **ret, struct error *err)
{
	if (value == NULL || arena_failed(a))
		return error_set(err, ERR_NO_MEMORY, "no memory for a patch");
	*ret = value;
	return true;
}

/* RFC 7396: maps are merged, null removes, everything else replaces. */
static bool
merge_into(
    struct arena *a, struct node *target, const struct node *patch, int depth, struct error *err)
{
	if (depth > PATCH_MAX_DEPTH)
		return too_deep(err);
	for (const struct node *p = node_first(patch); p != NULL; p = p->next) {
		struct node *old = node_find_str(target, p->key);

		if (p->type == NODE_NULL) {
			(void)node_remove(target, p->key);
			continue;
		}
		if (p->type != NODE_MAP) {
			node_set_str(a, target, p->key, node_dup(a, p));
			continue;
		}
		if (old == NULL || old->type != NODE_MAP) {
			old = node_map(a);
			node_set_str(a, target, p->key, old);
		}
		if (!merge_into(a, old, p, depth + 1, err))
			return false;
	}
	return true;
}

bool
patch_merge(struct arena *a, const struct node *base, const struct node *patch,
    struct node **ret_value, struct error *err)
{
	struct node *out = node_dup(a, base);

	if (patch == NULL || patch->type != NODE_MAP)
		return error_set(err, ERR_INVALID, "a merge patch is an object");
	return merge_into(a, out, patch, 0, err) && finish(a, out, ret_value, err);
}

/* --- JSON patch */

/* "~1" is '/', "~0" is '~'. */
static bool
token_decode(struct arena *a, struct str raw, struct str *ret)
{
	char *out = arena_get(a, raw.n + 1);
	size_t n = 0;

	if (out == NULL)
		return false;
	for (size_t i = 0; i < raw.n; i++) {
		char c = raw.p[i];

		if (c == '~') {
			char next = i + 1 < raw.n ? raw.p[i + 1] : '\0';

			if (next != '0' && next != '1')
				return false;
			c = next == '0' ? '~' : '/';
			i++;
		}
		out[n++] = c;
	}
	*ret = (struct str){ out, n };
	return true;
}

/* A place in a document: its container, and a key or an index in it. */
struct place {
	struct node *parent; /* NULL for the whole document */
	struct str key;
	size_t index; /* of a list; its length for "-" */
};

static bool
index_read(const struct node *list, struct str token, size_t *ret)
{
	int64_t i = 0;

	if (str_is(token, "-")) {
		*ret = node_count(list);
		return true;
	}
	if ((token.n > 1 && token.p[0] == '0') || !str_to_int(token, &i) || i < 0 ||
	    (uint64_t)i > node_count(list))
		return false;
	*ret = (size_t)i;
	return true;
}

static bool
place_find(struct arena *a, struct node *root, struct str path, struct place *ret)
{
	struct node *at = root;
	struct str raw;
	int depth = 0;

	*ret = (struct place){ 0 };
	if (path.n == 0)
		return true;
	if (path.p[0] != '/')
		return false;
	/* the last piece may be empty: "/" names the member "" */
	struct str rest = str_sub(path, 1, path.n);
	bool more = true;

	while (more) {
		ptrdiff_t slash = str_find_char(rest, '/');

		more = slash >= 0;
		raw = more ? str_sub(rest, 0, (size_t)slash) : rest;
		rest = more ? str_sub(rest, (size_t)slash + 1, rest.n) : rest;
		if (at == NULL || ++depth > PATCH_MAX_DEPTH || !token_decode(a, raw, &ret->key))
			return false;
		ret->parent = at;
		if (at->type == NODE_LIST && !index_read(at, ret->key, &ret->index))
			return false;
		if (at->type != NODE_LIST && at->type != NODE_MAP)
			return false;
		at = at->type == NODE_LIST ? node_at(at, ret->index) : node_find_str(at, ret->key);
	}
	return true;
}

static struct node *
place_get(struct node *root, const struct place *p)
{
	if (p->parent == NULL)
		return root;
	return p->parent->type == NODE_LIST ? node_at(p->parent, p->index)
					    : node_find_str(p->parent, p->key);
}

static bool
list_insert(struct node *list, size_t index, struct node *item)
{
	struct node *before = index > 0 ? node_at(list, index - 1) : NULL;

	if (item == NULL || (index > 0 && before == NULL))
		return false;
	item->key = (struct str){ 0 };
	if (before == NULL) {
		item->next = list->u.items.first;
		list->u.items.first = item;
	} else {
		item->next = before->next;
		before->next = item;
	}
	if (item->next == NULL)
		list->u.items.last = item;
	list->u.items.count++;
	return true;
}

static bool
list_cut(struct node *list, size_t index)
{
	struct node *before = index > 0 ? node_at(list, index - 1) : NULL;
	struct node *item = node_at(list, index);

	if (item == NULL)
		return false;
	if (before == NULL)
		list->u.items.first = item->next;
	else
		before->next = item->next;
	if (list->u.items.last == item)
		list->u.items.last = before;
	list->u.items.count--;
	return true;
}

/* One JSON patch at work. */
struct json_patch {
	struct arena *a;
	struct node *root;
};

static bool
place_add(struct json_patch *j, const struct place *p, struct node *value)
{
	if (value == NULL)
		return false;
	if (p->parent == NULL)
		j->root = value;
	else if (p->parent->type == NODE_LIST)
		return list_insert(p->parent, p->index, value);
	else
		node_set_str(j->a, p->parent, p->key, value);
	return true;
}

static bool
place_remove(struct json_patch *j, const struct place *p)
{
	if (p->parent == NULL || place_get(j->root, p) == NULL)
		return false;
	if (p->parent->type == NODE_LIST)
		return list_cut(p->parent, p->index);
	return node_remove(p->parent, p->key);
}

typedef bool operation_fn(struct json_patch *j, const struct node *op, const struct place *at);

static bool
op_add(struct json_patch *j, const struct node *op, const struct place *at)
{
	return place_add(j, at, node_dup(j->a, node_find(op, "value")));
}

static bool
op_remove(struct json_patch *j, const struct node *op UNUSED, const struct place *at)
{
	return place_remove(j, at);
}

static bool
op_replace(struct json_patch *j, const struct node *op, const struct place *at)
{
	struct node *value = node_dup(j->a, node_find(op, "value"));

	if (value == NULL || place_get(j->root, at) == NULL)
		return false;
	if (at->parent == NULL || at->parent->type == NODE_MAP)
		return place_add(j, at, value);
	return list_cut(at->parent, at->index) && list_insert(at->parent, at->index, value);
}

static bool
op_test(struct json_patch *j, const struct node *op, const struct place *at)
{
	const struct node *have = place_get(j->root, at);
	const struct node *want = node_find(op, "value");

	return have != NULL && want != NULL && node_eq(have, want);
}

static bool
source_copy(
    struct json_patch *j, const struct node *op, struct place *ret_from, struct node **ret_value)
{
	struct str from = node_path_str(op, "from");

	if (!place_find(j->a, j->root, from, ret_from))
		return false;
	*ret_value = node_dup(j->a, place_get(j->root, ret_from));
	return *ret_value != NULL;
}

static bool
op_copy(struct json_patch *j, const struct node *op, const struct place *at)
{
	struct place from;
	struct node *value = NULL;

	return source_copy(j, op, &from, &value) && place_add(j, at, value);
}

static bool
op_move(struct json_patch *j, const struct node *op, const struct place *at UNUSED)
{
	struct place from;
	struct place to;
	struct node *value = NULL;
	struct str path = node_path_str(op, "path");
	struct str source = node_path_str(op, "from");

	/* nothing moves into itself */
	if (str_starts(path, source) && (path.n == source.n || path.p[source.n] == '/'))
		return str_eq(path, source);
	return source_copy(j, op, &from, &value) && place_remove(j, &from) &&
	       place_find(j->a, j->root, path, &to) && place_add(j, &to, value);
}

/* clang-format off */
static const struct {
	const char *name;
	operation_fn *run;
} operations[] = {
	{ "add", op_add },	{ "remove", op_remove },  { "replace", op_replace },
	{ "test", op_test },	{ "copy", op_copy },	  { "move", op_move },
};
/* clang-format on */

static bool
operation_run(struct json_patch *j, const struct node *op)
{
	const struct node *path = node_find(op, "path");
	struct place at;

	if (path == NULL || path->type != NODE_STRING ||
	    !place_find(j->a, j->root, path->u.string, &at))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
		if (str_is(node_path_str(op, "op"), operations[i].name))
			return operations[i].run(j, op, &at);
	}
	return false;
}

bool
patch_json(struct arena *a, const struct node *base, const struct node *patch,
    struct node **ret_value, struct error *err)
{
	struct json_patch j = { .a = a, .root = node_dup(a, base) };
	int n = 0;

	if (patch == NULL || patch->type != NODE_LIST)
		return error_set(err, ERR_INVALID, "a JSON patch is a list of operations");
	if (node_count(patch) > PATCH_MAX_OPERATIONS)
		return error_set(err, ERR_INVALID, "a JSON patch has at most %d operations",
		    PATCH_MAX_OPERATIONS);
	for (const struct node *op = node_first(patch); op != NULL; op = op->next, n++) {
		if (!operation_run(&j, op))
			return error_set(
			    err, ERR_INVALID, "operation %d of the JSON patch fails", n);
	}
	return finish(a, j.root, ret_value, err);
}

/* --- strategic merge */

/* Lists that are maps, by the name of their field; the first key that an element has counts. */
/* clang-format off */
static const struct {
	const char *field;
	const char *keys[3];
} keyed[] = {
	{ "containers",          { "name" } },
	{ "initContainers",      { "name" } },
	{ "ephemeralContainers", { "name" } },
	{ "env",                 { "name" } },
	{ "volumes",             { "name" } },
	{ "volumeMounts",        { "mountPath" } },
	{ "volumeDevices",       { "devicePath" } },
	{ "ports",               { "containerPort", "port" } },
	{ "imagePullSecrets",    { "name" } },
	{ "secrets",             { "name" } },
	{ "hostAliases",         { "ip" } },
	{ "conditions",          { "type" } },
	{ "addresses",           { "type" } },
	{ "taints",              { "key" } },
	{ "ownerReferences",     { "uid" } },
	{ "topologySpreadConstraints", { "topologyKey" } },
	{ "resourceClaims",      { "name" } },
};
static const char *const sets[] = { "finalizers" };
/* clang-format on */

static const char *
merge_key(struct str field, const struct node *list)
{
	const struct node *first = node_first(list);

	for (size_t i = 0; i < ARRAY_LEN(keyed); i++) {
		if (!str_is(field, keyed[i].field))
			continue;
		for (size_t k = 0; k < ARRAY_LEN(keyed[i].keys) && keyed[i].keys[k] != NULL; k++) {
			if (first == NULL || node_find(first, keyed[i].keys[k]) != NULL)
				return keyed[i].keys[k];
		}
	}
	return NULL;
}

static bool
is_set(struct str field)
{
	for (size_t i = 0; i < ARRAY_LEN(sets); i++) {
		if (str_is(field, sets[i]))
			return true;
	}
	return false;
}

static bool strategic_into(
    struct arena *a, struct node *target, const struct node *patch, int depth, struct error *err);

static ptrdiff_t
element_find(const struct node *list, const char *key, const struct node *value)
{
	ptrdiff_t i = 0;

	for (const struct node *x = node_first(list); x != NULL; x = x->next, i++) {
		const struct node *have = key != NULL ? node_find(x, key) : x;

		if (have != NULL && value != NULL && node_eq(have, value))
			return i;
	}
	return -1;
}

static bool
keyed_merge(struct arena *a, struct node *list, const struct node *patch, const char *key,
    int depth, struct error *err)
{
	for (const struct node *p = node_first(patch); p != NULL; p = p->next) {
		ptrdiff_t at = element_find(list, key, node_find(p, key));

		if (str_is(node_path_str(p, "$patch"), "delete")) {
			if (at >= 0)
				(void)list_cut(list, (size_t)at);
			continue;
		}
		struct node *item = at >= 0 ? node_at(list, (size_t)at) : node_map(a);

		if (at < 0)
			node_push(list, item);
		if (!strategic_into(a, item, p, depth + 1, err))
			return false;
	}
	return true;
}

static bool
list_patch(struct arena *a, struct node *target, const struct node *p, int depth, struct error *err)
{
	const char *key = merge_key(p->key, p);
	struct node *list = node_find_str(target, p->key);
	bool replace = str_is(node_path_str(node_first(p), "$patch"), "replace");

	if (list == NULL || list->type != NODE_LIST || replace ||
	    (key == NULL && !is_set(p->key))) {
		struct node *copy = node_dup(a, p);

		if (replace && copy != NULL)
			(void)list_cut(copy, 0);
		node_set_str(a, target, p->key, copy);
		return true;
	}
	if (key != NULL)
		return keyed_merge(a, list, p, key, depth, err);
	for (const struct node *x = node_first(p); x != NULL; x = x->next) {
		if (element_find(list, NULL, x) < 0)
			node_push(list, node_dup(a, x));
	}
	return true;
}

/* "$deleteFromPrimitiveList/finalizers": [...]; the other directives only order or repeat. */
static void
directive_run(struct node *target, const struct node *p)
{
	const struct str prefix = STR("$deleteFromPrimitiveList/");

	if (!str_starts(p->key, prefix))
		return;
	struct node *list = node_find_str(target, str_sub(p->key, prefix.n, p->key.n));

	for (const struct node *x = node_first(p); list != NULL && x != NULL; x = x->next) {
		ptrdiff_t at = element_find(list, NULL, x);

		if (at >= 0)
			(void)list_cut(list, (size_t)at);
	}
}

static bool
strategic_into(
    struct arena *a, struct node *target, const struct node *patch, int depth, struct error *err)
{
	if (depth > PATCH_MAX_DEPTH)
		return too_deep(err);
	for (const struct node *p = node_first(patch); p != NULL; p = p->next) {
		struct node *old = node_find_str(target, p->key);
		bool ok = true;

		if (str_starts(p->key, STR("$"))) {
			directive_run(target, p);
		} else if (p->type == NODE_NULL) {
			(void)node_remove(target, p->key);
		} else if (p->type == NODE_LIST) {
			ok = list_patch(a, target, p, depth, err);
		} else if (p->type == NODE_MAP) {
			if (old == NULL || old->type != NODE_MAP ||
			    str_is(node_path_str(p, "$patch"), "replace")) {
				old = node_map(a);
				node_set_str(a, target, p->key, old);
			}
			ok = strategic_into(a, old, p, depth + 1, err);
		} else {
			node_set_str(a, target, p->key, node_dup(a, p));
		}
		if (!ok)
			return false;
	}
	return true;
}

bool
patch_strategic(struct arena *a, const struct node *base, const struct node *patch,
    struct node **ret_value, struct error *err)
{
	struct node *out = node_dup(a, base);

	if (patch == NULL || patch->type != NODE_MAP)
		return error_set(err, ERR_INVALID, "a strategic merge patch is an object");
	return strategic_into(a, out, patch, 0, err) && finish(a, out, ret_value, err);
}
