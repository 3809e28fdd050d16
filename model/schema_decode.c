#include "model/schema_int.h"

#include "model/base/mem.h"
#include "model/json.h"

/*
 * Between trees and structs. A table says where each member lies; nothing is checked again here
 * beyond types, so that a stored object of an older version still decodes.
 */

/* What a struct of a map's values begins with. */
struct keyed {
	bool present;
	struct str key;
};

struct decoding {
	struct arena *arena;
	struct error *err;
	unsigned depth;
};

static bool decode_object(
    struct decoding *d, const struct schema *s, const struct node *value, char *base);

static void *
member_at(char *base, const struct field *f)
{
	return base + f->off;
}

static int
word_index(const char *const *words, struct str s)
{
	for (int i = 0; words[i] != NULL; i++) {
		if (str_is(s, words[i]))
			return i;
	}
	return -1;
}

static bool
no_memory(struct decoding *d)
{
	return error_set(d->err, ERR_NO_MEMORY, "no memory to decode the object");
}

static bool
decode_strings(struct decoding *d, const struct node *value, struct list *ret)
{
	size_t n = node_count(value), i = 0;
	struct str *items = arena_array(d->arena, n, sizeof(*items));

	if (n > 0 && items == NULL)
		return no_memory(d);
	for (const struct node *x = node_first(value); x != NULL; x = x->next)
		items[i++] = node_get_str(x);
	*ret = (struct list){ .items = items, .n = n, .present = true };
	return true;
}

/* Elements of a list, or values of a map with their keys. */
static bool
decode_structs(
    struct decoding *d, const struct field *f, const struct node *value, struct list *ret)
{
	size_t n = node_count(value), i = 0;
	char *items = arena_array(d->arena, n, f->sub->size);

	if (n > 0 && items == NULL)
		return no_memory(d);
	for (const struct node *x = node_first(value); x != NULL; x = x->next, i++) {
		char *item = items + i * f->sub->size;

		if (!decode_object(d, f->sub, x, item))
			return false;
		*(bool *)(void *)item = true;
		if (f->type == FT_MAPOF)
			((struct keyed *)(void *)item)->key = x->key;
	}
	*ret = (struct list){ .items = items, .n = n, .present = true };
	return true;
}

static bool
decode_map(struct decoding *d, const struct node *value, struct strmap *ret)
{
	size_t n = node_count(value), i = 0;
	struct strpair *items = arena_array(d->arena, n, sizeof(*items));

	if (n > 0 && items == NULL)
		return no_memory(d);
	for (const struct node *x = node_first(value); x != NULL; x = x->next)
		items[i++] = (struct strpair){ .key = x->key, .value = node_get_str(x) };
	*ret = (struct strmap){ .items = items, .n = n, .present = true };
	return true;
}

static bool
wrong_type(struct decoding *d, const struct field *f, const struct node *value)
{
	return error_set(d->err, ERR_INVALID, "field '%s' holds %s %s", f->name,
	    value->type == NODE_INT || value->type == NODE_MAP ? "the" : "a",
	    node_type_name(value->type));
}

static bool
decode_scalar(struct decoding *d, const struct field *f, const struct node *value, void *member)
{
	switch (f->type) {
	case FT_STRING:
		if (value->type != NODE_STRING)
			return wrong_type(d, f, value);
		*(struct str *)member = value->u.string;
		return true;
	case FT_ENUM: /* a word of a newer version reads as absent */
		if (value->type != NODE_STRING)
			return wrong_type(d, f, value);
		*(int *)member = word_index(f->words, value->u.string);
		return true;
	case FT_INT:
		if (value->type != NODE_INT && value->type != NODE_FLOAT)
			return wrong_type(d, f, value);
		*(struct opt_int *)member = (struct opt_int){ .present = true,
			.value = value->type == NODE_INT ? value->u.integer
							 : (int64_t)value->u.floating };
		return true;
	case FT_BOOL:
		if (value->type != NODE_BOOL)
			return wrong_type(d, f, value);
		*(struct opt_bool *)member =
		    (struct opt_bool){ .present = true, .value = value->u.boolean };
		return true;
	case FT_ANY:
		*(const struct node **)member = value;
		return true;
	case FT_OBJECT:
	case FT_LIST:
	case FT_MAP:
	case FT_MAPOF:
		break;
	}
	return wrong_type(d, f, value);
}

static bool
decode_present(struct decoding *d, const struct field *f, const struct node *value, void *member)
{
	switch (f->type) {
	case FT_OBJECT:
		if (value->type != NODE_MAP)
			return wrong_type(d, f, value);
		*(bool *)member = true;
		return decode_object(d, f->sub, value, member);
	case FT_LIST:
		if (value->type != NODE_LIST)
			return wrong_type(d, f, value);
		return f->sub == NULL ? decode_strings(d, value, member)
				      : decode_structs(d, f, value, member);
	case FT_MAPOF:
		return value->type == NODE_MAP ? decode_structs(d, f, value, member)
					       : wrong_type(d, f, value);
	case FT_MAP:
		return value->type == NODE_MAP ? decode_map(d, value, member)
					       : wrong_type(d, f, value);
	case FT_STRING:
	case FT_ENUM:
	case FT_INT:
	case FT_BOOL:
	case FT_ANY:
		return decode_scalar(d, f, value, member);
	}
	return false;
}

/* The JSON of a string without escapes is the string between quotes: no need for the reader. */
static bool
plain_string(const char *json, struct str *ret)
{
	struct str s = str_from(json);

	if (s.n < 2 || s.p[0] != '"' || str_find_char(s, '\\') >= 0)
		return false;
	*ret = str_sub(s, 1, s.n - 2);
	return true;
}

/* An absent member holds its default; an absent object holds those of its members. */
static bool
decode_absent(struct decoding *d, const struct field *f, void *member)
{
	struct node *def = NULL;
	struct str s;

	if (f->type == FT_ENUM)
		*(int *)member = -1;
	if (f->type == FT_OBJECT)
		return decode_object(d, f->sub, NULL, member);
	if (f->def == NULL)
		return true;
	if ((f->type == FT_STRING || f->type == FT_ENUM) && plain_string(f->def, &s)) {
		const struct node text = { .type = NODE_STRING, .u.string = s };

		return decode_scalar(d, f, &text, member);
	}
	if (!json_parse(d->arena, str_from(f->def), &def, d->err))
		return false;
	if (!decode_present(d, f, def, member))
		return false;
	if (f->type == FT_LIST)
		((struct list *)member)->present = false;
	return true;
}

static bool
decode_object(struct decoding *d, const struct schema *s, const struct node *value, char *base)
{
	bool ok = true;

	if (++d->depth > SCHEMA_MAX_DEPTH)
		return error_set(d->err, ERR_TOO_LARGE, "the object is nested too deeply");
	for (size_t i = 0; i < s->nfields && ok; i++) {
		const struct field *f = &s->fields[i];
		const struct node *x = node_find(value, f->name);

		if (x != NULL && x->type != NODE_NULL)
			ok = decode_present(d, f, x, member_at(base, f));
		else
			ok = decode_absent(d, f, member_at(base, f));
	}
	d->depth--;
	return ok;
}

bool
schema_decode(const struct schema *s, struct arena *a, const struct node *value, void *ret_struct,
    struct error *err)
{
	struct decoding d = { .arena = a, .err = err };
	char *base = ret_struct;

	for (size_t i = 0; i < s->size; i++)
		base[i] = 0;
	if (value == NULL || value->type != NODE_MAP)
		return error_set(err, ERR_INVALID, "%s wants an object", s->name);
	if (!decode_object(&d, s, value, base))
		return false;
	if (arena_failed(a))
		return no_memory(&d);
	return true;
}
