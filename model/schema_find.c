#include "model/schema_int.h"

#include "model/base/mem.h"

enum { FIND_MAX_FIELDS = 64 };

/* "nodePools[]" and "nodePools[0]" mean the field; what is in brackets is a key or an index. */
static struct str
without_brackets(struct str piece)
{
	ptrdiff_t open = str_find_char(piece, '[');

	return open < 0 ? piece : str_sub(piece, 0, (size_t)open);
}

static void
suggest_field(const struct schema *s, struct str name, struct text *suggestion)
{
	const char *names[FIND_MAX_FIELDS];
	size_t n = s->nfields < FIND_MAX_FIELDS ? s->nfields : FIND_MAX_FIELDS;
	const char *near;

	for (size_t i = 0; i < n; i++)
		names[i] = s->fields[i].name;
	near = suggest(name, names, n);
	if (near != NULL)
		text_add(suggestion, near);
}

const struct field *
schema_find(const struct schema *s, struct str path, struct text *suggestion)
{
	const struct field *found = NULL;
	const struct schema *here = s;
	struct str rest = path, piece;

	while (str_split(&rest, '.', &piece)) {
		struct str name = without_brackets(piece);

		if (here == NULL)
			return NULL;
		found = schema_child(here, name);
		if (found == NULL) {
			if (suggestion != NULL)
				suggest_field(here, name, suggestion);
			return NULL;
		}
		here = found->sub;
	}
	return found;
}

const char *const *
schema_list_keys(const struct kind *k, struct str path)
{
	const struct field *f = schema_find(k->schema, path, NULL);

	return f != NULL && f->type == FT_LIST ? f->keys : NULL;
}
