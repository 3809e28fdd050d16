#include "model/schema_int.h"

#include "model/base/mem.h"
#include "model/json.h"

/* What is not nullable and null counts as absent; none of our fields is nullable. */
static void
drop_null_members(const struct schema *s, struct node *map)
{
	struct node *next;

	for (struct node *x = node_first(map); x != NULL; x = next) {
		const struct field *f = schema_child(s, x->key);

		next = x->next;
		if (f != NULL && x->type == NODE_NULL)
			(void)node_remove(map, x->key);
	}
}

static void
drop_null_values(struct node *map)
{
	struct node *next;

	for (struct node *x = node_first(map); x != NULL; x = next) {
		next = x->next;
		if (x->type == NODE_NULL)
			(void)node_remove(map, x->key);
	}
}

static void
drop_in_field(const struct field *f, struct node *value)
{
	switch (f->type) {
	case FT_OBJECT:
		schema_drop_nulls(f->sub, value);
		return;
	case FT_LIST:
		if (value->type != NODE_LIST || f->sub == NULL)
			return;
		for (struct node *x = node_first(value); x != NULL; x = x->next)
			schema_drop_nulls(f->sub, x);
		return;
	case FT_MAP:
	case FT_MAPOF:
		if (value->type != NODE_MAP)
			return;
		drop_null_values(value);
		for (struct node *x = node_first(value); x != NULL; x = x->next)
			schema_drop_nulls(f->sub, x);
		return;
	case FT_STRING:
	case FT_ENUM:
	case FT_INT:
	case FT_BOOL:
	case FT_ANY:
		return;
	}
}

void
schema_drop_nulls(const struct schema *s, struct node *value)
{
	if (s == NULL || value->type != NODE_MAP)
		return;
	drop_null_members(s, value);
	for (struct node *x = node_first(value); x != NULL; x = x->next) {
		const struct field *f = schema_child(s, x->key);

		if (f != NULL)
			drop_in_field(f, x);
	}
}

static void
default_field(const struct field *f, struct arena *a, struct node *value)
{
	if (f->sub == NULL)
		return;
	if (f->type == FT_OBJECT) {
		schema_default(f->sub, a, value);
		return;
	}
	if ((f->type == FT_LIST && value->type == NODE_LIST) ||
	    (f->type == FT_MAPOF && value->type == NODE_MAP)) {
		for (struct node *x = node_first(value); x != NULL; x = x->next)
			schema_default(f->sub, a, x);
	}
}

void
schema_default(const struct schema *s, struct arena *a, struct node *value)
{
	if (s == NULL || value == NULL || value->type != NODE_MAP)
		return;
	for (size_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];
		struct node *member = node_find(value, f->name);

		if (f->def != NULL && (member == NULL || member->type == NODE_NULL)) {
			struct node *def = NULL;

			/* a test parses every default of every table */
			if (json_parse(a, str_from(f->def), &def, NULL)) {
				def->line = value->line;
				def->column = value->column;
				node_set(a, value, f->name, def);
			}
			continue;
		}
		if (member != NULL)
			default_field(f, a, member);
	}
}
