#include "model/schema_int.h"

#include "model/base/mem.h"

struct keyed {
	bool present;
	struct str key;
};

static const void *
member_of(const char *base, const struct field *f)
{
	return base + f->off;
}

static struct node *
encode_list(const struct field *f, struct arena *a, const struct list *l)
{
	struct node *ret;
	const char *items = l->items;

	if (l->n == 0 && !l->present)
		return NULL;
	ret = node_list(a);
	for (size_t i = 0; i < l->n; i++) {
		if (f->sub == NULL)
			node_push(ret, node_str(a, ((const struct str *)l->items)[i]));
		else
			node_push(ret, schema_encode(f->sub, a, items + i * f->sub->size));
	}
	return ret;
}

static struct node *
encode_mapof(const struct field *f, struct arena *a, const struct list *l)
{
	struct node *ret;
	const char *items = l->items;

	if (l->n == 0 && !l->present)
		return NULL;
	ret = node_map(a);
	for (size_t i = 0; i < l->n; i++) {
		const char *item = items + i * f->sub->size;

		node_set_str(a, ret, ((const struct keyed *)(const void *)item)->key,
		    schema_encode(f->sub, a, item));
	}
	return ret;
}

static struct node *
encode_map(struct arena *a, const struct strmap *m)
{
	struct node *ret;

	if (m->n == 0 && !m->present)
		return NULL;
	ret = node_map(a);
	for (size_t i = 0; i < m->n; i++)
		node_set_str(a, ret, m->items[i].key, node_str(a, m->items[i].value));
	return ret;
}

static struct node *
encode_enum(const struct field *f, struct arena *a, int value)
{
	if (value < 0)
		return NULL;
	for (int i = 0; f->words[i] != NULL; i++) {
		if (i == value)
			return node_strz(a, f->words[i]);
	}
	return NULL;
}

/* NULL when the member is absent. */
static struct node *
encode_member(const struct field *f, struct arena *a, const void *member)
{
	switch (f->type) {
	case FT_STRING: {
		const struct str *s = member;

		return s->p != NULL ? node_str(a, *s) : NULL;
	}
	case FT_ENUM:
		return encode_enum(f, a, *(const int *)member);
	case FT_INT: {
		const struct opt_int *n = member;

		return n->present ? node_int(a, n->value) : NULL;
	}
	case FT_BOOL: {
		const struct opt_bool *b = member;

		return b->present ? node_bool(a, b->value) : NULL;
	}
	case FT_OBJECT:
		return *(const bool *)member ? schema_encode(f->sub, a, member) : NULL;
	case FT_LIST:
		return encode_list(f, a, member);
	case FT_MAP:
		return encode_map(a, member);
	case FT_MAPOF:
		return encode_mapof(f, a, member);
	case FT_ANY:
		return node_dup(a, *(const struct node *const *)member);
	}
	return NULL;
}

struct node *
schema_encode(const struct schema *s, struct arena *a, const void *value)
{
	struct node *ret = node_map(a);

	for (size_t i = 0; i < s->nfields; i++) {
		struct node *x = encode_member(&s->fields[i], a, member_of(value, &s->fields[i]));

		if (x != NULL)
			node_set(a, ret, s->fields[i].name, x);
	}
	return ret;
}

/* Keys of a map stay, values go. */
static struct node *
mask(struct arena *a, const struct node *value)
{
	struct node *ret;

	if (value->type != NODE_MAP)
		return node_strz(a, "***");
	ret = node_map(a);
	for (const struct node *x = node_first(value); x != NULL; x = x->next)
		node_set_str(a, ret, x->key, node_strz(a, "***"));
	return ret;
}

static struct node *
mask_field(const struct field *f, struct arena *a, const struct node *value)
{
	struct node *ret;

	if (f == NULL)
		return node_dup(a, value);
	if ((f->flags & SECRET) != 0)
		return mask(a, value);
	if (f->sub == NULL || (value->type != NODE_MAP && value->type != NODE_LIST))
		return node_dup(a, value);
	if (f->type == FT_OBJECT)
		return schema_mask(f->sub, a, value);
	ret = value->type == NODE_LIST ? node_list(a) : node_map(a);
	for (const struct node *x = node_first(value); x != NULL; x = x->next) {
		struct node *item = schema_mask(f->sub, a, x);

		if (value->type == NODE_LIST)
			node_push(ret, item);
		else
			node_set_str(a, ret, x->key, item);
	}
	return ret;
}

/* kubectl keeps the whole object, secrets included, in this annotation. */
static void
mask_last_applied(struct arena *a, struct node *object)
{
	static const char key[] = "kubectl.kubernetes.io/last-applied-configuration";
	struct node *annotations = node_find(node_find(object, "metadata"), "annotations");

	if (node_find(annotations, key) != NULL)
		node_set_strz(a, annotations, key, "***");
}

static bool
has_secrets(const struct schema *s)
{
	for (size_t i = 0; i < s->nfields; i++) {
		if ((s->fields[i].flags & SECRET) != 0)
			return true;
	}
	return false;
}

struct node *
schema_mask(const struct schema *s, struct arena *a, const struct node *value)
{
	struct node *ret;

	if (value == NULL || value->type != NODE_MAP)
		return node_dup(a, value);
	ret = node_map(a);
	for (const struct node *x = node_first(value); x != NULL; x = x->next)
		node_set_str(a, ret, x->key, mask_field(schema_child(s, x->key), a, x));
	if (has_secrets(s))
		mask_last_applied(a, ret);
	return ret;
}
