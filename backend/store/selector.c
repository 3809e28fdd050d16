#include "backend/store/selector.h"

#include "model/base/mem.h"
#include "model/json.h"

enum { TREE_LIMIT = 256 * 1024 * 1024 };

enum op { OP_IN, OP_NOT_IN, OP_EXISTS, OP_ABSENT };

struct term {
	struct str key;
	enum op op;
	struct str *values;
	size_t nvalues;
};

struct selector {
	struct term terms[SELECTOR_MAX_TERMS];
	size_t n;
};

static bool
is_space(char c)
{
	return c == ' ' || c == '\t';
}

static void
skip_spaces(struct str *s)
{
	while (s->n > 0 && is_space(s->p[0]))
		*s = str_sub(*s, 1, s->n);
}

static bool
skip(struct str *s, const char *word)
{
	struct str w = str_from(word);

	skip_spaces(s);
	if (!str_starts(*s, w))
		return false;
	*s = str_sub(*s, w.n, s->n);
	return true;
}

/* Letters of label keys and values. */
static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_' || c == '.' || c == '/';
}

static struct str
cut_word(struct str *s)
{
	struct str word;
	size_t n = 0;

	skip_spaces(s);
	while (n < s->n && is_word(s->p[n]))
		n++;
	word = str_sub(*s, 0, n);
	*s = str_sub(*s, n, s->n);
	return word;
}

static bool
term_value(struct arena *a, struct term *t, struct str value)
{
	if (t->values == NULL)
		t->values = arena_array(a, SELECTOR_MAX_VALUES, sizeof *t->values);
	if (t->values == NULL || t->nvalues == SELECTOR_MAX_VALUES)
		return false;
	t->values[t->nvalues++] = str_copy(a, value);
	return true;
}

static bool
wrong(const struct arena *a, struct str text, const char *why, struct error *err)
{
	if (arena_failed(a))
		return error_set(err, ERR_NO_MEMORY, "no memory for a selector");
	return error_set(err, ERR_INVALID, "selector '%.*s' is wrong: %s",
	    (int)(text.n < 200 ? text.n : 200), text.n > 0 ? text.p : "", why);
}

/* "(a, b, c)" after in or notin. */
static bool
parse_set(struct arena *a, struct str *s, struct term *t)
{
	if (!skip(s, "("))
		return false;
	do {
		if (!term_value(a, t, cut_word(s)))
			return false;
	} while (skip(s, ","));
	return skip(s, ")");
}

static bool
parse_label_term(struct arena *a, struct str *s, struct term *t)
{
	struct str rest;
	struct str word;

	t->op = OP_EXISTS;
	if (skip(s, "!"))
		t->op = OP_ABSENT;
	t->key = str_copy(a, cut_word(s));
	if (t->key.n == 0)
		return false;
	if (t->op == OP_ABSENT)
		return true;
	if (skip(s, "!=")) {
		t->op = OP_NOT_IN;
		return term_value(a, t, cut_word(s));
	}
	if (skip(s, "==") || skip(s, "=")) {
		t->op = OP_IN;
		return term_value(a, t, cut_word(s));
	}
	rest = *s;
	word = cut_word(&rest);
	if (!str_is(word, "in") && !str_is(word, "notin"))
		return true;
	*s = rest;
	t->op = str_is(word, "in") ? OP_IN : OP_NOT_IN;
	return parse_set(a, s, t);
}

bool
selector_parse_labels(
    struct arena *a, struct str text, struct selector **ret_selector, struct error *err)
{
	struct selector *sel = arena_get(a, sizeof *sel);
	struct str s = text;

	if (sel == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a selector");
	skip_spaces(&s);
	while (s.n > 0) {
		if (sel->n == SELECTOR_MAX_TERMS)
			return wrong(a, text, "too many terms", err);
		if (!parse_label_term(a, &s, &sel->terms[sel->n]))
			return wrong(a, text,
			    "expected key, key=value, key!=value, !key or "
			    "key in (a,b)",
			    err);
		sel->n++;
		skip_spaces(&s);
		if (s.n > 0 && !skip(&s, ","))
			return wrong(a, text, "expected a comma between terms", err);
	}
	if (arena_failed(a))
		return error_set(err, ERR_NO_MEMORY, "no memory for a selector");
	*ret_selector = sel;
	return true;
}

/* Cuts the next term off *s, up to a comma; a backslash keeps the character after it. */
static bool
cut_field_value(struct arena *a, struct str *s, struct str *ret_value)
{
	char *p = arena_get(a, s->n + 1);
	size_t i = 0, n = 0;

	if (p == NULL)
		return false;
	while (i < s->n && s->p[i] != ',') {
		if (s->p[i] == '\\' && i + 1 < s->n)
			i++;
		p[n++] = s->p[i++];
	}
	*s = str_sub(*s, i, s->n);
	*ret_value = (struct str){ p, n };
	return true;
}

bool
selector_parse_fields(
    struct arena *a, struct str text, struct selector **ret_selector, struct error *err)
{
	struct selector *sel = arena_get(a, sizeof *sel);
	struct str s = str_trim(text);

	if (sel == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a selector");
	while (s.n > 0) {
		struct term *t = &sel->terms[sel->n];
		struct str value;

		if (sel->n == SELECTOR_MAX_TERMS)
			return wrong(a, text, "too many terms", err);
		t->key = str_copy(a, cut_word(&s));
		t->op = skip(&s, "!=") ? OP_NOT_IN : OP_IN;
		if (t->key.n == 0 || (t->op == OP_IN && !skip(&s, "==") && !skip(&s, "=")))
			return wrong(a, text, "expected path=value or path!=value", err);
		if (!cut_field_value(a, &s, &value) || !term_value(a, t, value))
			return error_set(err, ERR_NO_MEMORY, "no memory for a selector");
		sel->n++;
		(void)skip(&s, ",");
	}
	if (arena_failed(a))
		return error_set(err, ERR_NO_MEMORY, "no memory for a selector");
	*ret_selector = sel;
	return true;
}

bool
selector_is_empty(const struct selector *s)
{
	return s == NULL || s->n == 0;
}

static bool
term_match(const struct term *t, bool present, struct str value)
{
	bool among = false;

	for (size_t i = 0; i < t->nvalues && present && !among; i++)
		among = str_eq(t->values[i], value);
	switch (t->op) {
	case OP_IN:
		return among;
	case OP_NOT_IN:
		return !among;
	case OP_EXISTS:
		return present;
	case OP_ABSENT:
		return !present;
	}
	return false;
}

/* Finds "\nkey=value\n". */
static bool
label_find(struct str labels, struct str key, struct str *ret_value)
{
	struct str rest = labels;
	struct str line;

	while (str_split(&rest, '\n', &line)) {
		if (line.n > key.n && line.p[key.n] == '=' && str_starts(line, key)) {
			*ret_value = str_sub(line, key.n + 1, line.n);
			return true;
		}
	}
	return false;
}

bool
selector_match_labels(const struct selector *s, struct str labels)
{
	for (size_t i = 0; s != NULL && i < s->n; i++) {
		struct str value = { 0 };
		bool present = label_find(labels, s->terms[i].key, &value);

		if (!term_match(&s->terms[i], present, value))
			return false;
	}
	return true;
}

static bool
is_name(struct str key)
{
	return str_is(key, "metadata.name") || str_is(key, "metadata.namespace");
}

bool
selector_is_plain(const struct selector *s)
{
	for (size_t i = 0; s != NULL && i < s->n; i++) {
		if (!is_name(s->terms[i].key))
			return false;
	}
	return true;
}

/* A scalar as text; what is absent is the empty text, as in Kubernetes. */
static struct str
field_text(struct arena *a, const struct node *n)
{
	char *p;

	if (n == NULL)
		return (struct str){ 0 };
	if (n->type == NODE_STRING)
		return n->u.string;
	if (n->type == NODE_BOOL)
		return str_from(n->u.boolean ? "true" : "false");
	p = n->type == NODE_INT ? arena_printf(a, "%lld", (long long)n->u.integer) : NULL;
	return str_from(p);
}

static struct str
field_value(struct arena *a, const struct node *value, struct str key)
{
	char *path = arena_dup(a, key.p, key.n);
	struct str none = { 0 };

	return path == NULL ? none : field_text(a, node_path(value, path));
}

/* Every term on an object; value is its tree when one of them needs it. */
static bool
fields_match(
    const struct selector *s, struct arena *a, const struct object *o, const struct node *value)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct term *t = &s->terms[i];
		struct str have;

		if (is_name(t->key))
			have = str_is(t->key, "metadata.name") ? o->name : o->ns;
		else
			have = field_value(a, value, t->key);
		if (!term_match(t, true, have))
			return false;
	}
	return true;
}

bool
selector_match_fields(
    const struct selector *s, const struct object *o, bool *ret_match, struct error *err)
{
	struct node *value = NULL;
	struct arena *a;
	bool ok = false;

	if (selector_is_plain(s)) {
		*ret_match = s == NULL || fields_match(s, NULL, o, NULL);
		return true;
	}
	a = arena_new(TREE_LIMIT);
	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a selector");
	if (object_node(o, a, &value, err)) {
		*ret_match = fields_match(s, a, o, value);
		ok = !arena_failed(a) || error_set(err, ERR_NO_MEMORY, "no memory for a selector");
	}
	arena_free(a);
	return ok;
}
