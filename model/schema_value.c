#include "model/schema_int.h"

#include "model/base/mem.h"

static const char *const type_words[] = {
	[FT_STRING] = "a string",
	[FT_ENUM] = "a string",
	[FT_INT] = "an integer",
	[FT_BOOL] = "true or false",
	[FT_OBJECT] = "an object",
	[FT_LIST] = "a list",
	[FT_MAP] = "an object",
	[FT_MAPOF] = "an object",
	[FT_ANY] = "a value",
};

static bool
type_fits(enum field_type type, const struct node *value)
{
	switch (type) {
	case FT_STRING:
	case FT_ENUM:
		return value->type == NODE_STRING;
	case FT_INT: /* 3.0 is a whole number in JSON */
		return value->type == NODE_INT ||
		       (value->type == NODE_FLOAT && value->u.floating >= -9.0e15 &&
			   value->u.floating <= 9.0e15 &&
			   value->u.floating == (double)(int64_t)value->u.floating);
	case FT_BOOL:
		return value->type == NODE_BOOL;
	case FT_OBJECT:
	case FT_MAP:
	case FT_MAPOF:
		return value->type == NODE_MAP;
	case FT_LIST:
		return value->type == NODE_LIST;
	case FT_ANY:
		return true;
	}
	return false;
}

/* A number or truth value where text is wanted is nearly always a lack of quotes. */
static void
fail_type(struct walk *w, const struct field *f, enum field_type wanted, const struct node *value)
{
	struct str shown = schema_shown(w->arena, f, value);
	bool is_text = wanted == FT_STRING || wanted == FT_ENUM;
	const char *advice = "";

	if (is_text && value->type == NODE_NULL)
		advice = "give it a value, or leave it out";
	else if (is_text && value->type != NODE_LIST && value->type != NODE_MAP)
		advice =
		    arena_printf(w->arena, "put it in quotes: \"" STR_FMT "\"", STR_ARG(shown));
	else if (value->type == NODE_STRING && (wanted == FT_INT || wanted == FT_BOOL))
		advice = "take the quotes off, or correct the value";
	else if (wanted == FT_LIST)
		advice = "begin each element with '- '";
	if (value->type == NODE_LIST || value->type == NODE_MAP || value->type == NODE_NULL) {
		walk_fail(w, value, "schema/type", advice, "wants %s, this is " STR_FMT,
		    type_words[wanted], STR_ARG(shown));
		return;
	}
	walk_fail(w, value, "schema/type", advice, "wants %s, this is the %s " STR_FMT,
	    type_words[wanted], node_type_name(value->type), STR_ARG(shown));
}

static void
check_words(struct walk *w, const struct field *f, const struct node *value)
{
	struct str s = value->u.string;
	struct text list = TEXT_INIT(1024);
	struct str shown;
	const char *near;
	size_t n = 0;

	for (n = 0; f->words[n] != NULL; n++) {
		if (str_is(s, f->words[n]))
			return;
	}
	for (size_t i = 0; i < n; i++) {
		text_add(&list, i == 0 ? "" : ", ");
		text_add(&list, f->words[i]);
	}
	near = suggest(s, f->words, n);
	shown = schema_shown(w->arena, f, value);
	walk_fail(w, value, "schema/enum",
	    near != NULL ? arena_printf(w->arena, "did you mean '%s'?", near)
			 : arena_printf(w->arena, "choose one of %s", text_get(&list)),
	    "'" STR_FMT "' is not one of %s", STR_ARG(shown), text_get(&list));
	text_free(&list);
}

static void
check_length(struct walk *w, const struct node *value, int64_t min, int64_t max)
{
	int64_t n = (int64_t)utf8_length(value->u.string);

	if (n < min && n == 0)
		walk_fail(w, value, "schema/length", "give it a value, or leave it out",
		    "must not be empty");
	else if (n < min)
		walk_fail(w, value, "schema/length", "",
		    "has %lld characters, at least %lld are wanted", (long long)n, (long long)min);
	else if (n > max)
		walk_fail(w, value, "schema/length", "shorten it",
		    "has %lld characters, at most %lld fit", (long long)n, (long long)max);
}

static void
check_number(struct walk *w, const struct field *f, const struct node *value)
{
	int64_t n = value->type == NODE_INT ? value->u.integer : (int64_t)value->u.floating;

	if (f->has_min && n < f->min)
		walk_fail(w, value, "schema/range", "", "is %lld, the least is %lld", (long long)n,
		    (long long)f->min);
	else if (f->has_max && n > f->max)
		walk_fail(w, value, "schema/range", "", "is %lld, the most is %lld", (long long)n,
		    (long long)f->max);
}

static void
check_count(struct walk *w, const struct field *f, const struct node *value)
{
	int64_t n = (int64_t)node_count(value);
	const char *what = f->type == FT_LIST ? "items" : "keys";

	if (f->has_min && n < f->min)
		walk_fail(w, value, "schema/items", "", "has %lld %s, at least %lld are wanted",
		    (long long)n, what, (long long)f->min);
	else if (f->has_max && n > f->max)
		walk_fail(w, value, "schema/items", "", "has %lld %s, at most %lld fit",
		    (long long)n, what, (long long)f->max);
}

static void
check_base64(struct walk *w, const struct node *value)
{
	struct str bytes;

	if (!base64_decode(w->arena, value->u.string, &bytes))
		walk_fail(w, value, "schema/base64", "encode it, or use stringData for text",
		    "is not base64");
}

/* Elements of a list of strings and values of a map of strings. */
static void
check_strings(struct walk *w, const struct field *f, const struct node *value)
{
	size_t index = 0;

	for (const struct node *x = node_first(value); x != NULL; x = x->next) {
		size_t back =
		    f->type == FT_LIST ? path_push_index(w, index++) : path_push(w, x->key);

		if (x->type != NODE_STRING)
			fail_type(w, f, FT_STRING, x);
		else if (f->item_max > 0)
			check_length(w, x, f->item_min, f->item_max);
		else if (f->format != NULL && str_is(STR("byte"), f->format))
			check_base64(w, x);
		path_pop(w, back);
	}
}

static void
check_keys(struct walk *w, const struct field *f, const struct node *value)
{
	size_t index = 0;

	for (const struct node *x = node_first(value); x != NULL; x = x->next, index++) {
		const struct node *first = schema_match(f, value, x);
		size_t back;

		if (x->type != NODE_MAP || first == NULL || first == x)
			continue;
		back = path_push_index(w, index);
		walk_fail(w, x, "schema/duplicate", "give each its own, or take one out",
		    "has the same %s%s%s as the element at line %u", f->keys[0],
		    f->keys[1] != NULL ? " and " : "", f->keys[1] != NULL ? f->keys[1] : "",
		    (unsigned)first->line);
		path_pop(w, back);
	}
}

void
schema_check_value(struct walk *w, const struct field *f, const struct node *value)
{
	if (!type_fits(f->type, value)) {
		fail_type(w, f, f->type, value);
		return;
	}
	switch (f->type) {
	case FT_STRING:
	case FT_ENUM:
		if (f->has_min || f->has_max)
			check_length(
			    w, value, f->has_min ? f->min : 0, f->has_max ? f->max : INT64_MAX);
		if (f->words != NULL)
			check_words(w, f, value);
		if (f->pattern != NULL)
			schema_check_pattern(w, f, value);
		return;
	case FT_INT:
		check_number(w, f, value);
		return;
	case FT_LIST:
		check_count(w, f, value);
		if (f->sub == NULL)
			check_strings(w, f, value);
		if (f->keys != NULL)
			check_keys(w, f, value);
		return;
	case FT_MAP:
		check_count(w, f, value);
		check_strings(w, f, value);
		return;
	case FT_MAPOF:
		check_count(w, f, value);
		return;
	case FT_ANY:
		if (f->format != NULL && str_is(STR("object"), f->format) &&
		    value->type != NODE_MAP)
			fail_type(w, f, FT_OBJECT, value);
		return;
	case FT_BOOL:
	case FT_OBJECT:
		return;
	}
}
