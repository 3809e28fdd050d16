#include "model/schema_int.h"

#include "model/base/mem.h"

/*
 * What a field means, as text: in kubectl's shape, and with what kubectl leaves out: bounds,
 * defaults, rules.
 */

enum { EXPLAIN_WIDTH = 80, EXPLAIN_MAX_DEPTH = 24 };

static void
add_type(struct text *out, const struct field *f)
{
	static const char *const names[] = {
		[FT_STRING] = "string",
		[FT_ENUM] = "string",
		[FT_INT] = "integer",
		[FT_BOOL] = "boolean",
		[FT_OBJECT] = "Object",
		[FT_LIST] = "",
		[FT_MAP] = "map[string]string",
		[FT_MAPOF] = "map[string]",
		[FT_ANY] = "Object",
	};

	text_add_char(out, '<');
	if (f->type == FT_LIST)
		text_add(out, f->sub != NULL ? "[]" : "[]string");
	else
		text_add(out, f->type == FT_OBJECT ? "" : names[f->type]);
	if (f->sub != NULL)
		text_add(out, f->sub->name);
	text_add_char(out, '>');
}

/* Words wrapped at EXPLAIN_WIDTH, each line behind `indent` spaces. */
static void
add_wrapped(struct text *out, const char *words, size_t indent)
{
	struct str rest = str_from(words), word;
	size_t column = 0;

	while (str_split(&rest, ' ', &word)) {
		if (column > 0 && column + 1 + utf8_length(word) > EXPLAIN_WIDTH) {
			text_add_char(out, '\n');
			column = 0;
		}
		if (column == 0)
			text_printf(out, "%*s", (int)indent, "");
		else
			text_add_char(out, ' ');
		column = column == 0 ? indent : column + 1;
		text_add_str(out, word);
		column += utf8_length(word);
	}
	text_add_char(out, '\n');
}

static const char *
bounds_unit(const struct field *f)
{
	switch (f->type) {
	case FT_STRING:
	case FT_ENUM:
		return " characters";
	case FT_LIST:
		return " items";
	case FT_MAP:
	case FT_MAPOF:
		return " keys";
	case FT_INT:
	case FT_BOOL:
	case FT_OBJECT:
	case FT_ANY:
		return "";
	}
	return "";
}

static void
add_limits(struct text *out, const struct field *f, size_t indent)
{
	int in = (int)indent;

	if (f->words != NULL) {
		text_printf(out, "%*senum: ", in, "");
		for (size_t i = 0; f->words[i] != NULL; i++) {
			text_add(out, i == 0 ? "" : ", ");
			text_add(out, f->words[i]);
		}
		text_add_char(out, '\n');
	}
	if (f->def != NULL)
		text_printf(out, "%*sdefault: %s\n", in, "", f->def);
	if (f->has_min && f->has_max)
		text_printf(out, "%*sbounds: %lld to %lld%s\n", in, "", (long long)f->min,
		    (long long)f->max, bounds_unit(f));
	else if (f->has_min)
		text_printf(
		    out, "%*sbounds: at least %lld%s\n", in, "", (long long)f->min, bounds_unit(f));
	else if (f->has_max)
		text_printf(
		    out, "%*sbounds: at most %lld%s\n", in, "", (long long)f->max, bounds_unit(f));
	if (f->item_max > 0)
		text_printf(out, "%*seach: %lld to %lld characters\n", in, "",
		    (long long)f->item_min, (long long)f->item_max);
	if (f->pattern != NULL)
		text_printf(out, "%*spattern: %s\n", in, "", f->pattern);
	if (f->keys != NULL)
		text_printf(out, "%*skeyed by: %s%s%s\n", in, "", f->keys[0],
		    f->keys[1] != NULL ? ", " : "", f->keys[1] != NULL ? f->keys[1] : "");
	if ((f->flags & IMMUTABLE) != 0)
		text_printf(out, "%*scannot change later\n", in, "");
	if ((f->flags & SECRET) != 0)
		text_printf(out, "%*snever shown\n", in, "");
}

static void
add_rules(struct text *out, const struct rule *rules, size_t n, size_t indent)
{
	for (size_t i = 0; i < n; i++)
		text_printf(
		    out, "%*srefused: %s (%s)\n", (int)indent, "", rules[i].message, rules[i].id);
}

static void
add_head(struct text *out, const struct field *f, size_t indent)
{
	text_printf(out, "%*s%s\t", (int)indent, "", f->name);
	add_type(out, f);
	text_add(out, (f->flags & REQUIRED) != 0 ? " -required-\n" : "\n");
}

static void
add_fields(struct text *out, const struct schema *s, size_t indent)
{
	for (size_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];

		add_head(out, f, indent);
		add_limits(out, f, indent + 2);
		add_wrapped(out, f->doc, indent + 2);
		text_add_char(out, '\n');
	}
}

static void
add_tree(struct text *out, const struct schema *s, size_t indent, unsigned depth)
{
	for (size_t i = 0; i < s->nfields && depth < EXPLAIN_MAX_DEPTH; i++) {
		const struct field *f = &s->fields[i];

		add_head(out, f, indent);
		if (f->words != NULL || f->def != NULL || f->has_min || f->has_max)
			add_limits(out, f, indent + 2);
		if (f->sub != NULL)
			add_tree(out, f->sub, indent + 2, depth + 1);
	}
}

static void
add_title(const struct kind *k, struct text *out)
{
	if (k->group[0] != '\0')
		text_printf(out, "GROUP:      %s\n", k->group);
	text_printf(out, "KIND:       %s\nVERSION:    %s\n\n", k->kind, k->version);
}

bool
kind_explain(
    const struct kind *k, struct str path, bool recursive, struct text *out, struct error *err)
{
	struct text near = TEXT_INIT(256);
	const struct field *f = NULL;
	const struct schema *s = k->schema;

	if (path.n > 0) {
		f = schema_find(k->schema, path, &near);
		if (f == NULL) {
			error_set(err, ERR_NOT_FOUND, "%s has no field '" STR_FMT "'", k->kind,
			    STR_ARG(path));
			error_advise(err,
			    near.n > 0 ? "did you mean '%s'?" : "see 'flightdeck explain %s'",
			    near.n > 0 ? text_get(&near) : k->singular);
			text_free(&near);
			return false;
		}
		s = f->sub;
	}
	text_free(&near);
	add_title(k, out);
	if (f != NULL) {
		text_printf(out, "FIELD: %s ", f->name);
		add_type(out, f);
		text_add(out, (f->flags & REQUIRED) != 0 ? " -required-\n\n" : "\n\n");
	}
	text_add(out, "DESCRIPTION:\n");
	add_wrapped(out, f != NULL ? f->doc : k->doc, 4);
	if (f != NULL) {
		add_limits(out, f, 4);
		add_rules(out, f->rules, f->nrules, 4);
		add_rules(out, f->item_rules, f->nitem_rules, 4);
	}
	if (s != NULL) {
		text_add(out, "\nFIELDS:\n");
		if (recursive)
			add_tree(out, s, 2, 0);
		else
			add_fields(out, s, 2);
	}
	return text_ok(out, "the explanation", err);
}
