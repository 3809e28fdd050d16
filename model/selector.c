#include "model/selector.h"

#include "model/base/mem.h"

enum { LABEL_PART_MAX = 63, LABEL_PREFIX_MAX = 253 };

struct reader {
	struct arena *arena;
	struct str rest;
	struct selector_term terms[SELECTOR_MAX_TERMS];
	size_t nterms;
	struct error *err;
};

static bool
is_word_char(char c)
{
	char lower = (char)(c | 0x20);

	return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || c == '-' || c == '_' ||
	       c == '.' || c == '/';
}

static void
skip_space(struct str *s)
{
	while (s->n > 0 && (s->p[0] == ' ' || s->p[0] == '\t'))
		*s = (struct str){ s->p + 1, s->n - 1 };
}

static bool
take(struct str *s, const char *token)
{
	struct str t = str_from(token);

	if (!str_starts(*s, t))
		return false;
	*s = (struct str){ s->p + t.n, s->n - t.n };
	return true;
}

static struct str
take_word(struct str *s)
{
	struct str word = { s->p, 0 };

	while (word.n < s->n && is_word_char(s->p[word.n]))
		word.n++;
	*s = (struct str){ s->p + word.n, s->n - word.n };
	return word;
}

static bool
is_part(struct str s, bool empty_ok)
{
	if (s.n == 0)
		return empty_ok;
	if (s.n > LABEL_PART_MAX || str_find_char(STR("-_."), s.p[0]) >= 0 ||
	    str_find_char(STR("-_."), s.p[s.n - 1]) >= 0)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (!is_word_char(s.p[i]) || s.p[i] == '/')
			return false;
	}
	return true;
}

static bool
check_key(struct str key, struct error *err)
{
	ptrdiff_t slash = str_find_char(key, '/');
	struct str name = slash < 0 ? key : str_sub(key, (size_t)slash + 1, key.n);

	if (slash == 0 || slash > LABEL_PREFIX_MAX || !is_part(name, false))
		return error_set(err, ERR_INVALID, "'%.*s' is not a label key",
		    (int)(key.n > 100 ? 100 : key.n), key.p == NULL ? "" : key.p);
	return true;
}

static bool
check_value(struct str value, struct error *err)
{
	return is_part(value, true) || error_set(err, ERR_INVALID, "'%.*s' is not a label value",
					   (int)(value.n > 100 ? 100 : value.n), value.p);
}

static bool
bad(struct reader *r, const char *what)
{
	return error_set(r->err, ERR_INVALID, "label selector: %s at '%.*s'", what,
	    (int)(r->rest.n > 40 ? 40 : r->rest.n), r->rest.p == NULL ? "" : r->rest.p);
}

static bool
add_value(struct reader *r, struct selector_term *t, struct str *values, struct str value)
{
	if (t->nvalues == SELECTOR_MAX_VALUES)
		return bad(r, "too many values");
	if (!check_value(value, r->err))
		return false;
	values[t->nvalues++] = value;
	return true;
}

/* "(a, b)" */
static bool
parse_set(struct reader *r, struct selector_term *t)
{
	size_t most = 1;

	skip_space(&r->rest);
	if (!take(&r->rest, "("))
		return bad(r, "'(' is missing");
	for (size_t i = 0; i < r->rest.n && r->rest.p[i] != ')'; i++)
		most += r->rest.p[i] == ',';
	t->values = arena_array(r->arena, most, sizeof *t->values);
	if (t->values == NULL)
		return error_set(r->err, ERR_NO_MEMORY, "no memory for a label selector");
	do {
		skip_space(&r->rest);
		if (!add_value(r, t, t->values, take_word(&r->rest)))
			return false;
		skip_space(&r->rest);
	} while (take(&r->rest, ","));
	return take(&r->rest, ")") || bad(r, "')' is missing");
}

static bool
parse_equal(struct reader *r, struct selector_term *t)
{
	skip_space(&r->rest);
	t->values = arena_array(r->arena, 1, sizeof *t->values);
	if (t->values == NULL)
		return error_set(r->err, ERR_NO_MEMORY, "no memory for a label selector");
	return add_value(r, t, t->values, take_word(&r->rest));
}

static bool
parse_operator(struct reader *r, struct selector_term *t)
{
	struct str before = r->rest;
	struct str word;

	if (take(&r->rest, "!=")) {
		t->op = SELECTOR_NOT_IN;
		return parse_equal(r, t);
	}
	if (take(&r->rest, "==") || take(&r->rest, "=")) {
		t->op = SELECTOR_IN;
		return parse_equal(r, t);
	}
	word = take_word(&r->rest);
	if (str_is(word, "in") || str_is(word, "notin")) {
		t->op = str_is(word, "in") ? SELECTOR_IN : SELECTOR_NOT_IN;
		return parse_set(r, t);
	}
	r->rest = before;
	t->op = SELECTOR_EXISTS;
	return true;
}

static bool
parse_term(struct reader *r)
{
	struct selector_term *t = &r->terms[r->nterms];
	bool negated;

	if (r->nterms == SELECTOR_MAX_TERMS)
		return bad(r, "too many terms");
	skip_space(&r->rest);
	negated = take(&r->rest, "!");
	skip_space(&r->rest);
	t->key = take_word(&r->rest);
	if (!check_key(t->key, r->err))
		return false;
	skip_space(&r->rest);
	if (negated)
		t->op = SELECTOR_MISSING;
	else if (!parse_operator(r, t))
		return false;
	skip_space(&r->rest);
	r->nterms++;
	return true;
}

/* Copies the terms, and their text, into the arena. */
static bool
finish(struct reader *r, struct selector *ret)
{
	struct selector s = { .nterms = r->nterms };

	s.terms = arena_array(r->arena, r->nterms, sizeof *s.terms);
	for (size_t i = 0; s.terms != NULL && i < r->nterms; i++) {
		s.terms[i] = r->terms[i];
		s.terms[i].key = str_copy(r->arena, r->terms[i].key);
		for (size_t k = 0; k < s.terms[i].nvalues; k++)
			s.terms[i].values[k] = str_copy(r->arena, s.terms[i].values[k]);
	}
	if (arena_failed(r->arena))
		return error_set(r->err, ERR_NO_MEMORY, "no memory for a label selector");
	*ret = s;
	return true;
}

bool
selector_parse(struct arena *a, struct str text, struct selector *ret, struct error *err)
{
	struct reader r = { .arena = a, .rest = str_trim(text), .err = err };

	while (r.rest.n > 0) {
		if (!parse_term(&r))
			return false;
		if (r.rest.n > 0 && !take(&r.rest, ","))
			return bad(&r, "a comma is missing");
		if (r.rest.n == 0 && text.p[text.n - 1] == ',')
			return bad(&r, "a term is missing");
	}
	return finish(&r, ret);
}

struct op_word {
	const char *word;
	enum selector_op op;
};

static const struct op_word op_words[] = {
	{ "In", SELECTOR_IN },
	{ "NotIn", SELECTOR_NOT_IN },
	{ "Exists", SELECTOR_EXISTS },
	{ "DoesNotExist", SELECTOR_MISSING },
};

static bool
find_op(struct str word, enum selector_op *ret)
{
	for (size_t i = 0; i < ARRAY_LEN(op_words); i++) {
		if (str_is(word, op_words[i].word)) {
			*ret = op_words[i].op;
			return true;
		}
	}
	return false;
}

static bool
expression(struct reader *r, const struct node *n)
{
	const struct node *values = node_find(n, "values");
	struct selector_term *t = &r->terms[r->nterms];
	bool set;

	if (r->nterms == SELECTOR_MAX_TERMS)
		return error_set(r->err, ERR_INVALID, "label selector with too many terms");
	t->key = node_get_str(node_find(n, "key"));
	if (!check_key(t->key, r->err))
		return false;
	if (!find_op(node_get_str(node_find(n, "operator")), &t->op))
		return error_set(r->err, ERR_INVALID,
		    "operator of key '" STR_FMT "' must be In, NotIn, Exists or DoesNotExist",
		    STR_ARG(t->key));
	set = t->op == SELECTOR_IN || t->op == SELECTOR_NOT_IN;
	if (set != (node_count(values) > 0))
		return error_set(r->err, ERR_INVALID, "key '" STR_FMT "' %s values",
		    STR_ARG(t->key), set ? "needs" : "takes no");
	t->values = arena_array(r->arena, node_count(values), sizeof *t->values);
	if (t->values == NULL)
		return error_set(r->err, ERR_NO_MEMORY, "no memory for a label selector");
	for (const struct node *x = node_first(values); x != NULL; x = x->next) {
		if (!add_value(r, t, t->values, node_get_str(x)))
			return false;
	}
	r->nterms++;
	return true;
}

static bool
match_label(struct reader *r, const struct node *n)
{
	struct selector_term *t = &r->terms[r->nterms];

	if (r->nterms == SELECTOR_MAX_TERMS)
		return error_set(r->err, ERR_INVALID, "label selector with too many terms");
	t->key = n->key;
	t->op = SELECTOR_IN;
	if (!check_key(t->key, r->err))
		return false;
	if (n->type != NODE_STRING)
		return error_set(r->err, ERR_INVALID,
		    "value of label '" STR_FMT "' must be a string", STR_ARG(n->key));
	t->values = arena_array(r->arena, 1, sizeof *t->values);
	if (t->values == NULL)
		return error_set(r->err, ERR_NO_MEMORY, "no memory for a label selector");
	if (!add_value(r, t, t->values, n->u.string))
		return false;
	r->nterms++;
	return true;
}

bool
selector_from_node(struct arena *a, const struct node *n, struct selector *ret, struct error *err)
{
	struct reader r = { .arena = a, .err = err };

	for (const struct node *x = node_first(node_find(n, "matchLabels")); x != NULL;
	     x = x->next) {
		if (!match_label(&r, x))
			return false;
	}
	for (const struct node *x = node_first(node_find(n, "matchExpressions")); x != NULL;
	     x = x->next) {
		if (!expression(&r, x))
			return false;
	}
	return finish(&r, ret);
}

static bool
term_matches(const struct selector_term *t, const struct node *labels)
{
	const struct node *label = node_find_str(labels, t->key);
	bool listed = false;

	for (size_t i = 0; label != NULL && i < t->nvalues; i++)
		listed = listed || str_eq(node_get_str(label), t->values[i]);
	switch (t->op) {
	case SELECTOR_IN:
		return listed;
	case SELECTOR_NOT_IN:
		return !listed;
	case SELECTOR_EXISTS:
		return label != NULL;
	case SELECTOR_MISSING:
		return label == NULL;
	}
	return false;
}

bool
selector_matches(const struct selector *s, const struct node *labels)
{
	for (size_t i = 0; i < s->nterms; i++) {
		if (!term_matches(&s->terms[i], labels))
			return false;
	}
	return true;
}

static void
format_term(const struct selector_term *t, struct text *out)
{
	bool set = t->op == SELECTOR_IN || t->op == SELECTOR_NOT_IN;

	if (t->op == SELECTOR_MISSING)
		text_add_char(out, '!');
	text_add_str(out, t->key);
	if (!set)
		return;
	if (t->nvalues == 1) {
		text_add(out, t->op == SELECTOR_IN ? "=" : "!=");
		text_add_str(out, t->values[0]);
		return;
	}
	text_add(out, t->op == SELECTOR_IN ? " in (" : " notin (");
	for (size_t i = 0; i < t->nvalues; i++) {
		if (i > 0)
			text_add_char(out, ',');
		text_add_str(out, t->values[i]);
	}
	text_add_char(out, ')');
}

void
selector_format(const struct selector *s, struct text *out)
{
	for (size_t i = 0; i < s->nterms; i++) {
		if (i > 0)
			text_add_char(out, ',');
		format_term(&s->terms[i], out);
	}
}
