#include "backend/store/fields_int.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"

enum { STEP_MAX = 4096, PATH_MAX_BYTES = 4096, KEYS_MAX = 4 };

/* Lists of Kubernetes' own types that are maps by key (k8s.io/api, +listMapKey). */
struct known_list {
	const char *name;
	const char *keys[3]; /* NULL-terminated, sorted */
};

static const struct known_list known_lists[] = {
	{ "containers", { "name", NULL } },
	{ "initContainers", { "name", NULL } },
	{ "ephemeralContainers", { "name", NULL } },
	{ "volumes", { "name", NULL } },
	{ "env", { "name", NULL } },
	{ "imagePullSecrets", { "name", NULL } },
	{ "resourceClaims", { "name", NULL } },
	{ "schedulingGates", { "name", NULL } },
	{ "secrets", { "name", NULL } },
	{ "webhooks", { "name", NULL } },
	{ "ports", { "containerPort", "protocol", NULL } },
	{ "ports", { "port", "protocol", NULL } },
	{ "volumeMounts", { "mountPath", NULL } },
	{ "volumeDevices", { "devicePath", NULL } },
	{ "hostAliases", { "ip", NULL } },
	{ "podIPs", { "ip", NULL } },
	{ "topologySpreadConstraints", { "topologyKey", "whenUnsatisfiable", NULL } },
	{ "addresses", { "type", NULL } },
	{ "conditions", { "type", NULL } },
};

static const char *const uid_key[] = { "uid", NULL };

/* Fields of every object that belong to the server or name the object. */
static const char *const unowned_root[] = { "apiVersion", "kind" };
static const char *const unowned_meta[] = { "name", "namespace", "generateName", "uid", "selfLink",
	"resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
	"deletionGracePeriodSeconds", "managedFields" };

static bool
is_one_of(struct str s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (str_is(s, words[i]))
			return true;
	}
	return false;
}

struct shape
shape_root(const struct resource *res)
{
	return (struct shape){ .schema = res->known != NULL ? res->known->schema : NULL,
		.is_root = true };
}

bool
shape_is_unowned(const struct shape *parent, struct str key)
{
	if (parent->is_root)
		return is_one_of(key, unowned_root, ARRAY_LEN(unowned_root));
	return parent->meta && str_is(parent->name, "metadata") &&
	       is_one_of(key, unowned_meta, ARRAY_LEN(unowned_meta));
}

static const struct field *
member_field(const struct schema *schema, struct str key)
{
	for (size_t i = 0; schema != NULL && i < schema->nfields; i++) {
		if (str_is(key, schema->fields[i].name))
			return &schema->fields[i];
	}
	return NULL;
}

struct shape
shape_member(const struct shape *s, struct str key)
{
	struct shape m = { .name = key, .free_form = s->free_form };

	m.meta = s->meta || (s->is_root && str_is(key, "metadata"));
	if (s->field != NULL && s->field->type == FT_MAPOF) {
		m.schema = s->field->sub; /* values of a map; their keys are no fields */
		return m;
	}
	m.field = member_field(s->schema, key);
	if (m.field != NULL) {
		m.free_form = m.field->type == FT_ANY;
		if (m.field->type == FT_OBJECT)
			m.schema = m.field->sub;
	}
	return m;
}

struct shape
shape_item(const struct shape *s)
{
	return (struct shape){ .schema = s->field != NULL ? s->field->sub : NULL,
		.meta = s->meta,
		.free_form = s->free_form };
}

/* The value of a key in an element; protocol is the one key with a default in Kubernetes. */
static const struct node *
key_value(struct arena *a, const struct node *item, const char *key)
{
	const struct node *v = node_find(item, key);

	if (v == NULL && strcmp(key, "protocol") == 0)
		return node_strz(a, "TCP");
	return v;
}

static bool
all_have(const struct node *list, const char *const *keys)
{
	for (const struct node *x = node_first(list); x != NULL; x = x->next) {
		for (size_t i = 0; keys[i] != NULL; i++) {
			if (node_find(x, keys[i]) == NULL && strcmp(keys[i], "protocol") != 0)
				return false;
		}
	}
	return true;
}

/* The keys by which this list is a map, or NULL. */
static const char *const *
list_keys(const struct shape *s, const struct node *list)
{
	if (s->meta)
		return str_is(s->name, "ownerReferences") && all_have(list, uid_key) ? uid_key
										     : NULL;
	if (s->field != NULL && s->field->type == FT_LIST) {
		if (s->field->keys == NULL || (s->field->flags & ATOMIC) != 0)
			return NULL;
		return all_have(list, s->field->keys) ? s->field->keys : NULL;
	}
	if (s->free_form)
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(known_lists); i++) {
		if (str_is(s->name, known_lists[i].name) && all_have(list, known_lists[i].keys))
			return known_lists[i].keys;
	}
	return NULL;
}

enum merge
shape_merge(const struct shape *s, const struct node *value)
{
	if (value == NULL || (s->field != NULL && (s->field->flags & ATOMIC) != 0))
		return MERGE_ATOMIC;
	if (value->type == NODE_MAP)
		return MERGE_MAP;
	if (value->type != NODE_LIST)
		return MERGE_ATOMIC;
	if (s->meta && str_is(s->name, "finalizers"))
		return MERGE_SET;
	return list_keys(s, value) != NULL ? MERGE_BY_KEY : MERGE_ATOMIC;
}

/* The text in the arena. A step that got lost would be a field that got lost: the arena fails. */
static struct str
step_copy(struct arena *a, struct text *t)
{
	struct str step = { 0 };

	if (text_ok(t, "path", NULL))
		step = str_copy(a, text_str(t));
	else
		(void)arena_get(a, SIZE_MAX);
	text_free(t);
	return step;
}

/* {"name":"a"} with sorted keys, as Kubernetes writes it. */
static struct str
key_step(struct arena *a, const char *const *keys, const struct node *item)
{
	struct text t = TEXT_INIT(STEP_MAX);
	struct node *map = node_map(a);

	for (size_t i = 0; keys[i] != NULL; i++)
		node_set(a, map, keys[i], node_dup(a, key_value(a, item, keys[i])));
	text_add(&t, "k:");
	if (map != NULL)
		json_write(&t, map, JSON_SORTED);
	return step_copy(a, &t);
}

/*
 * The list that an element stands in decides its keys; an element of one list must get the same
 * step in another version of it, so the keys are looked up with the element alone.
 */
struct str
shape_step(const struct shape *s, struct arena *a, const struct node *item)
{
	struct text t = TEXT_INIT(STEP_MAX);
	struct node one = { .type = NODE_LIST };
	struct node copy = *item;
	const char *const *keys;

	copy.next = NULL;
	one.u.items.first = one.u.items.last = &copy;
	one.u.items.count = 1;
	if (item->type == NODE_MAP) {
		keys = list_keys(s, &one);
		return keys != NULL ? key_step(a, keys, item) : (struct str){ 0 };
	}
	text_add(&t, "v:");
	json_write(&t, item, JSON_COMPACT);
	return step_copy(a, &t);
}

static struct str
member_step(struct arena *a, struct str key)
{
	struct text t = TEXT_INIT(STEP_MAX);

	text_add(&t, "f:");
	text_add_str(&t, key);
	return step_copy(a, &t);
}

/* Element of `list` with this step; NULL when there is none. */
static const struct node *
item_find(struct arena *a, const struct shape *s, const struct node *list, struct str step)
{
	for (const struct node *x = node_first(list); x != NULL; x = x->next) {
		if (str_eq(shape_step(s, a, x), step))
			return x;
	}
	return NULL;
}

/* What differs below a place; `all`: everything counts, there is nothing to compare with. */
struct collect {
	struct arena *a;
	bool all;
};

static void collect(const struct collect *c, const struct shape *s, const struct node *old,
    const struct node *next, struct node *set);

static void
collect_map(const struct collect *c, const struct shape *s, const struct node *old,
    const struct node *next, struct node *set)
{
	for (const struct node *x = node_first(next); x != NULL; x = x->next) {
		struct shape m = shape_member(s, x->key);
		const struct node *was = node_find_str(old, x->key);
		struct node *below;

		if (shape_is_unowned(s, x->key) || x->type == NODE_NULL)
			continue;
		if (s->is_root && m.meta && node_count(x) == 0)
			continue; /* metadata is there whoever writes */
		below = node_map(c->a);
		if (shape_merge(&m, x) != MERGE_ATOMIC && node_count(x) > 0) {
			collect(c, &m, was, x, below);
			if (fields_is_empty(below))
				continue;
		} else if (!c->all && was != NULL && node_eq(was, x)) {
			continue;
		}
		node_set_str(c->a, set, member_step(c->a, x->key), below);
	}
}

static void
collect_list(const struct collect *c, const struct shape *s, const struct node *old,
    const struct node *next, struct node *set)
{
	struct shape item = shape_item(s);

	for (const struct node *x = node_first(next); x != NULL; x = x->next) {
		struct str step = shape_step(s, c->a, x);
		const struct node *was = c->all ? NULL : item_find(c->a, s, old, step);
		struct collect inner = { c->a, c->all || was == NULL };
		struct node *below = node_map(c->a);

		if (x->type == NODE_MAP) {
			if (inner.all)
				node_set(c->a, below, ".", node_map(c->a));
			collect_map(&inner, &item, was, x, below);
			if (fields_is_empty(below))
				continue;
		} else if (was != NULL) {
			continue;
		}
		node_set_str(c->a, set, step, below);
	}
}

static void
collect(const struct collect *c, const struct shape *s, const struct node *old,
    const struct node *next, struct node *set)
{
	switch (shape_merge(s, next)) {
	case MERGE_MAP:
		collect_map(c, s, old, next, set);
		break;
	case MERGE_BY_KEY:
	case MERGE_SET:
		collect_list(c, s, old, next, set);
		break;
	case MERGE_ATOMIC:
		break;
	}
}

struct node *
fields_of(struct arena *a, const struct shape *s, const struct node *value)
{
	struct collect c = { a, true };
	struct node *set = node_map(a);

	if (set != NULL && value != NULL)
		collect(&c, s, NULL, value, set);
	return set;
}

struct node *
fields_changed(
    struct arena *a, const struct shape *s, const struct node *old, const struct node *next)
{
	struct collect c = { a, false };
	struct node *set = node_map(a);

	if (set != NULL && next != NULL)
		collect(&c, s, old, next, set);
	return set;
}

bool
fields_is_member(const struct node *set)
{
	return node_count(set) == 0 || node_find(set, ".") != NULL;
}

bool
fields_is_empty(const struct node *set)
{
	return node_count(set) == 0;
}

void
fields_add(struct arena *a, struct node *set, const struct node *more)
{
	for (const struct node *x = node_first(more); x != NULL; x = x->next) {
		struct node *have = node_find_str(set, x->key);

		if (have == NULL) {
			node_set_str(a, set, x->key, node_dup(a, x));
			continue;
		}
		if (fields_is_empty(have) != fields_is_empty(x))
			node_set(a, have, ".", node_map(a)); /* one of them is a member alone */
		fields_add(a, have, x);
	}
}

void
fields_subtract(struct node *set, const struct node *less)
{
	for (const struct node *x = node_first(less); x != NULL; x = x->next) {
		struct node *have = node_find_str(set, x->key);
		bool alone;

		if (have == NULL)
			continue;
		alone = fields_is_empty(have);
		if (fields_is_member(x) && !alone)
			(void)node_remove(have, STR("."));
		if (!alone)
			fields_subtract(have, x);
		if (alone ? fields_is_member(x) : fields_is_empty(have))
			(void)node_remove(set, x->key);
	}
}

struct node *
fields_common(struct arena *a, const struct node *x, const struct node *y)
{
	struct node *both = node_map(a);

	for (const struct node *i = node_first(x); i != NULL; i = i->next) {
		const struct node *j = node_find_str(y, i->key);
		bool member;
		struct node *below;

		if (j == NULL)
			continue;
		member = fields_is_member(i) && fields_is_member(j);
		below = fields_common(a, i, j);
		if (!member && fields_is_empty(below))
			continue;
		if (member && !fields_is_empty(below))
			node_set(a, below, ".", node_map(a));
		node_set_str(a, both, i->key, below);
	}
	return both;
}

/* Cuts the first n elements off a chain and sorts them by key; *rest is what follows. */
static struct node *
sort_first(struct node *chain, size_t n, struct node **rest)
{
	struct node *x, *y, *first = NULL, **end = &first;

	if (n == 1) {
		*rest = chain->next;
		chain->next = NULL;
		return chain;
	}
	x = sort_first(chain, n / 2, &y);
	y = sort_first(y, n - n / 2, rest);
	while (x != NULL && y != NULL) {
		struct node **less = str_cmp(y->key, x->key) < 0 ? &y : &x;

		*end = *less;
		*less = (*less)->next;
		end = &(*end)->next;
	}
	*end = x != NULL ? x : y;
	return first;
}

void
fields_sort(struct node *set)
{
	size_t n = node_count(set);
	struct node *rest = NULL;

	for (struct node *x = node_first(set); x != NULL; x = x->next)
		fields_sort(x);
	if (n < 2)
		return;
	set->u.items.first = sort_first(set->u.items.first, n, &rest);
	for (struct node *x = set->u.items.first; x != NULL; x = x->next)
		set->u.items.last = x;
}

struct walk {
	struct arena *a;
	fields_visit *visit;
	void *context;
};

/* "k:{...}" becomes [a="x",b=1]; "v:..." becomes [="x"]. */
static void
add_item_step(struct arena *a, struct text *path, struct str step)
{
	struct str json = str_sub(step, 2, step.n);
	struct node *keys = NULL;
	bool first = true;

	text_add_char(path, '[');
	if (str_starts(step, STR("v:"))) {
		text_add_char(path, '=');
		text_add_str(path, json);
	} else if (json_parse(a, json, &keys, NULL)) {
		for (const struct node *x = node_first(keys); x != NULL; x = x->next) {
			text_add(path, first ? "" : ",");
			first = false;
			text_add_str(path, x->key);
			text_add_char(path, '=');
			json_write(path, x, JSON_COMPACT);
		}
	}
	text_add_char(path, ']');
}

static void
walk(const struct walk *w, const struct node *set, struct str base)
{
	for (const struct node *x = node_first(set); x != NULL; x = x->next) {
		struct text path = TEXT_INIT(PATH_MAX_BYTES);
		struct str here;

		if (str_is(x->key, "."))
			continue;
		text_add_str(&path, base);
		if (str_starts(x->key, STR("f:"))) {
			text_add_char(&path, '.');
			text_add_str(&path, str_sub(x->key, 2, x->key.n));
		} else {
			add_item_step(w->a, &path, x->key);
		}
		here = step_copy(w->a, &path);
		if (fields_is_member(x))
			w->visit(w->context, here);
		walk(w, x, here);
	}
}

void
fields_walk(struct arena *a, const struct node *set, fields_visit *visit, void *context)
{
	struct walk w = { a, visit, context };

	walk(&w, set, (struct str){ 0 });
}
