#include <string.h>

#include "model/cel/cel_int.h"

/* Recursive descent, one function a level; lower levels bind more tightly. */

struct level {
	enum sign signs[6];
	size_t n;
};

static const struct level relations = { { SIGN_EQ, SIGN_NE, SIGN_LT, SIGN_LE, SIGN_GT, SIGN_GE },
	6 };
static const struct level sums = { { SIGN_PLUS, SIGN_MINUS }, 2 };
static const struct level products = { { SIGN_TIMES, SIGN_DIVIDE, SIGN_MODULO }, 3 };

static const char *const reserved[] = {
	"as",
	"break",
	"const",
	"continue",
	"else",
	"for",
	"function",
	"if",
	"import",
	"let",
	"loop",
	"package",
	"namespace",
	"return",
	"var",
	"void",
	"while",
	"in",
};

struct loop_word {
	const char *name;
	size_t min, max;
	enum loop loop;
};

static const struct loop_word loops[] = {
	{ "all", 2, 2, LOOP_ALL },
	{ "exists", 2, 2, LOOP_EXISTS },
	{ "exists_one", 2, 2, LOOP_EXISTS_ONE },
	{ "filter", 2, 2, LOOP_FILTER },
	{ "map", 2, 3, LOOP_MAP },
};

struct parser {
	struct lexer *lx;
	unsigned depth;
};

static struct expr *parse_expr(struct parser *p);

static const struct token *
token(const struct parser *p)
{
	return &p->lx->token;
}

static struct expr *
bad(struct parser *p, uint32_t at, const char *what)
{
	(void)cel_bad(p->lx->err, at, "%s", what);
	return NULL;
}

static struct expr *
unexpected(struct parser *p, const char *wanted)
{
	const struct token *t = token(p);

	if (t->kind == T_END)
		(void)cel_bad(p->lx->err, t->at, "the expression ends where %s is needed", wanted);
	else
		(void)cel_bad(p->lx->err, t->at, "'%.*s' stands where %s is needed",
		    (int)(t->text.n > 40 ? 40 : t->text.n), t->text.p, wanted);
	return NULL;
}

static struct expr *
expr_new(struct parser *p, enum expr_kind kind, uint32_t at)
{
	struct expr *x = arena_get(p->lx->arena, sizeof *x);

	if (x == NULL) {
		(void)error_set(p->lx->err, ERR_NO_MEMORY, "no memory for an expression");
		return NULL;
	}
	x->kind = kind;
	x->at = at;
	x->depth = 1;
	return x;
}

/* Adds a child; NULL of either gives NULL. */
static struct expr *
adopt(struct parser *p, struct expr *x, struct expr *child)
{
	if (x == NULL || child == NULL)
		return NULL;
	child->next = NULL;
	if (x->last == NULL)
		x->first = child;
	else
		x->last->next = child;
	x->last = child;
	x->nchildren++;
	if (x->depth <= child->depth)
		x->depth = child->depth + 1;
	if (x->depth > CEL_MAX_DEPTH)
		return bad(p, x->at, "nested too deeply");
	return x;
}

static bool
is_sign(const struct parser *p, enum sign s)
{
	return token(p)->kind == T_SIGN && token(p)->sign == s;
}

static bool
is_word(const struct parser *p, const char *word)
{
	return token(p)->kind == T_WORD && str_is(token(p)->text, word);
}

/* Goes over the sign when it stands here. *ok is cleared when reading on fails. */
static bool
take(struct parser *p, enum sign s, bool *ok)
{
	if (!is_sign(p, s))
		return false;
	*ok = cel_next(p->lx);
	return *ok;
}

static bool
expect(struct parser *p, enum sign s)
{
	bool ok = true;

	if (take(p, s, &ok))
		return true;
	if (ok)
		(void)unexpected(p, cel_sign_text(s));
	return false;
}

/* "a, b, c" up to the closing sign, as children of x. */
static struct expr *
parse_items(struct parser *p, struct expr *x, enum sign close)
{
	bool ok = true;

	while (x != NULL && !is_sign(p, close)) {
		x = adopt(p, x, parse_expr(p));
		if (x != NULL && !take(p, SIGN_COMMA, &ok))
			break;
	}
	return ok && x != NULL && expect(p, close) ? x : NULL;
}

static struct expr *
parse_map(struct parser *p)
{
	struct expr *x = expr_new(p, X_MAP, token(p)->at);
	bool ok = true;

	if (!expect(p, SIGN_OPEN_MAP))
		return NULL;
	while (x != NULL && !is_sign(p, SIGN_CLOSE_MAP)) {
		x = adopt(p, x, parse_expr(p));
		if (x == NULL || !expect(p, SIGN_COLON))
			return NULL;
		x = adopt(p, x, parse_expr(p));
		if (x != NULL && !take(p, SIGN_COMMA, &ok))
			break;
	}
	return ok && x != NULL && expect(p, SIGN_CLOSE_MAP) ? x : NULL;
}

static bool
parse_hex(struct str s, int64_t *ret)
{
	uint64_t value = 0;

	if (s.n < 3)
		return false;
	for (size_t i = 2; i < s.n; i++) {
		char c = s.p[i];
		char lower = (char)(c | 0x20);
		unsigned digit = 99;

		if (c >= '0' && c <= '9')
			digit = (unsigned)(c - '0');
		else if (lower >= 'a' && lower <= 'f')
			digit = (unsigned)(lower - 'a') + 10;
		if (digit > 15 || value >> 59 != 0)
			return false;
		value = value << 4 | digit;
	}
	*ret = (int64_t)value;
	return true;
}

/* A number; `negative` when a minus sign stood before it. */
static struct expr *
parse_number(struct parser *p, bool negative)
{
	struct token t = *token(p);
	struct expr *x = expr_new(p, X_LITERAL, t.at);
	char digits[64] = "-";
	bool hex = t.text.n > 1 && (t.text.p[1] | 0x20) == 'x';
	struct str s = { digits + !negative, t.text.n + negative };

	if (x == NULL)
		return NULL;
	if (t.text.n > sizeof digits - 2)
		return bad(p, t.at, "number with too many digits");
	memcpy(digits + 1, t.text.p, t.text.n);
	x->literal.type = t.kind == T_INT ? CEL_INT : CEL_DOUBLE;
	if (hex) {
		if (!parse_hex(t.text, &x->literal.u.integer))
			return bad(p, t.at, "number beyond 64 bits");
		if (negative)
			x->literal.u.integer = -x->literal.u.integer;
	} else if (t.kind == T_INT ? !str_to_int(s, &x->literal.u.integer)
				   : !str_to_double(s, &x->literal.u.floating)) {
		return bad(p, t.at, "number beyond 64 bits");
	}
	return cel_next(p->lx) ? x : NULL;
}

static struct expr *
literal(struct parser *p, struct cel_value value)
{
	struct expr *x = expr_new(p, X_LITERAL, token(p)->at);

	if (x == NULL || !cel_next(p->lx))
		return NULL;
	x->literal = value;
	return x;
}

static struct expr *
finish_call(struct parser *p, struct expr *x)
{
	const struct cel_function *f = cel_function_find(x->name);

	if (f == NULL) {
		(void)cel_bad(p->lx->err, x->at, "there is no function '%.*s'",
		    (int)(x->name.n > 60 ? 60 : x->name.n), x->name.p);
		return NULL;
	}
	if (x->nchildren < f->min || x->nchildren > f->max) {
		(void)cel_bad(p->lx->err, x->at, "wrong number of arguments for '%s'", f->name);
		return NULL;
	}
	x->function = f;
	if (strcmp(f->name, "matches") == 0 && x->last->kind == X_LITERAL &&
	    x->last->literal.type == CEL_STRING) {
		struct error why = { .code = ERR_NONE };

		x->regex = regex_compile(p->lx->arena, x->last->literal.u.string, &why);
		if (x->regex == NULL && why.code == ERR_NO_MEMORY) {
			(void)error_set(p->lx->err, ERR_NO_MEMORY, "no memory for a pattern");
			return NULL;
		}
		if (x->regex == NULL) {
			(void)cel_bad(p->lx->err, x->last->at, "%s", why.message);
			return NULL;
		}
	}
	return x;
}

/* has(e.f): its only argument is turned from a selection into a question. */
static struct expr *
finish_has(struct parser *p, struct expr *x)
{
	struct expr *arg = x->first;

	if (x->nchildren != 1 || arg->kind != X_SELECT)
		return bad(p, x->at, "has() takes one field, as in has(self.field)");
	arg->kind = X_HAS;
	return arg;
}

static struct expr *
finish_loop(struct parser *p, struct expr *x, const struct loop_word *w)
{
	struct expr *range = x->first;
	struct expr *var = range->next;

	if (x->nchildren < w->min + 1 || x->nchildren > w->max + 1)
		return bad(p, x->at, "this macro takes a variable and an expression");
	if (var == NULL || var->kind != X_NAME)
		return bad(p, x->at, "the first argument must be the name of a variable");
	x->kind = X_LOOP;
	x->loop = w->loop;
	x->name = var->name;
	range->next = var->next;
	x->nchildren--;
	return x;
}

/* After a name and '(' was seen. receiver is NULL for a global call. */
static struct expr *
parse_call(struct parser *p, struct str name, uint32_t at, struct expr *receiver)
{
	struct expr *x = expr_new(p, X_CALL, at);

	if (x == NULL || !expect(p, SIGN_OPEN))
		return NULL;
	x->name = name;
	if (receiver != NULL)
		x = adopt(p, x, receiver);
	x = parse_items(p, x, SIGN_CLOSE);
	if (x == NULL)
		return NULL;
	if (receiver == NULL && str_is(name, "has"))
		return finish_has(p, x);
	for (size_t i = 0; receiver != NULL && i < ARRAY_LEN(loops); i++) {
		if (str_is(name, loops[i].name))
			return finish_loop(p, x, &loops[i]);
	}
	return finish_call(p, x);
}

static struct expr *
parse_word(struct parser *p)
{
	struct token t = *token(p);
	struct expr *x;

	if (is_word(p, "true") || is_word(p, "false"))
		return literal(p, cel_bool(is_word(p, "true")));
	if (is_word(p, "null"))
		return literal(p, (struct cel_value){ .type = CEL_NULL });
	for (size_t i = 0; i < ARRAY_LEN(reserved); i++) {
		if (str_is(t.text, reserved[i]))
			return unexpected(p, "a value");
	}
	if (!cel_next(p->lx))
		return NULL;
	if (is_sign(p, SIGN_OPEN))
		return parse_call(p, t.text, t.at, NULL);
	x = expr_new(p, X_NAME, t.at);
	if (x != NULL)
		x->name = t.text;
	return x;
}

static struct expr *
parse_primary(struct parser *p)
{
	const struct token *t = token(p);
	struct expr *x;

	switch (t->kind) {
	case T_INT:
	case T_DOUBLE:
		return parse_number(p, false);
	case T_STRING:
		return literal(p, cel_string(t->text));
	case T_WORD:
		return parse_word(p);
	case T_END:
	case T_SIGN:
		break;
	}
	if (is_sign(p, SIGN_OPEN_MAP))
		return parse_map(p);
	if (is_sign(p, SIGN_OPEN_LIST)) {
		x = expr_new(p, X_LIST, t->at);
		return expect(p, SIGN_OPEN_LIST) ? parse_items(p, x, SIGN_CLOSE_LIST) : NULL;
	}
	if (!is_sign(p, SIGN_OPEN))
		return unexpected(p, "a value");
	if (!expect(p, SIGN_OPEN))
		return NULL;
	x = parse_expr(p);
	return x != NULL && expect(p, SIGN_CLOSE) ? x : NULL;
}

/* ".name" or ".name(...)", the dot taken. */
static struct expr *
parse_select(struct parser *p, struct expr *of)
{
	struct token t = *token(p);
	struct expr *x;

	if (t.kind != T_WORD)
		return unexpected(p, "a field");
	if (!cel_next(p->lx))
		return NULL;
	if (is_sign(p, SIGN_OPEN))
		return parse_call(p, t.text, t.at, of);
	x = adopt(p, expr_new(p, X_SELECT, t.at), of);
	if (x != NULL)
		x->name = t.text;
	return x;
}

static struct expr *
parse_member(struct parser *p)
{
	struct expr *x = parse_primary(p);
	bool ok = true;

	while (x != NULL && ok) {
		uint32_t at = token(p)->at;

		if (take(p, SIGN_DOT, &ok)) {
			x = parse_select(p, x);
		} else if (ok && take(p, SIGN_OPEN_LIST, &ok)) {
			x = adopt(p, expr_new(p, X_INDEX, at), x);
			x = x == NULL ? NULL : adopt(p, x, parse_expr(p));
			if (x == NULL || !expect(p, SIGN_CLOSE_LIST))
				return NULL;
		} else {
			break;
		}
	}
	return ok ? x : NULL;
}

static struct expr *
parse_unary(struct parser *p)
{
	uint32_t at = token(p)->at;
	bool negate = is_sign(p, SIGN_MINUS);
	struct expr *x = NULL;

	if (!negate && !is_sign(p, SIGN_NOT))
		return parse_member(p);
	if (++p->depth > CEL_MAX_DEPTH)
		return bad(p, at, "nested too deeply");
	if (!cel_next(p->lx))
		return NULL;
	if (negate && (token(p)->kind == T_INT || token(p)->kind == T_DOUBLE))
		x = parse_number(p, true);
	else
		x = adopt(p, expr_new(p, negate ? X_NEGATE : X_NOT, at), parse_unary(p));
	p->depth--;
	return x;
}

typedef struct expr *parse_fn(struct parser *p);

static bool
at_level(const struct parser *p, const struct level *level)
{
	for (size_t i = 0; i < level->n; i++) {
		if (is_sign(p, level->signs[i]))
			return true;
	}
	return level == &relations && is_word(p, "in");
}

/* Left to right: a - b - c is (a - b) - c. */
static struct expr *
parse_level(struct parser *p, const struct level *level, parse_fn *below)
{
	struct expr *x = below(p);

	while (x != NULL && at_level(p, level)) {
		struct token t = *token(p);

		if (!cel_next(p->lx))
			return NULL;
		x = adopt(p, expr_new(p, X_BINARY, t.at), x);
		x = x == NULL ? NULL : adopt(p, x, below(p));
		if (x != NULL)
			x->sign = t.sign; /* SIGN__MAX is `in` */
	}
	return x;
}

static struct expr *
parse_product(struct parser *p)
{
	return parse_level(p, &products, parse_unary);
}

static struct expr *
parse_sum(struct parser *p)
{
	return parse_level(p, &sums, parse_product);
}

static struct expr *
parse_relation(struct parser *p)
{
	return parse_level(p, &relations, parse_sum);
}

/* Long chains stay flat, so that a rule of many terms is not deep. */
static struct expr *
parse_chain(struct parser *p, enum expr_kind kind, enum sign s, parse_fn *below)
{
	struct expr *first = below(p);
	struct expr *x = NULL;
	bool ok = true;

	while (first != NULL && ok) {
		uint32_t at = token(p)->at;

		if (!take(p, s, &ok))
			break;
		if (x == NULL)
			x = adopt(p, expr_new(p, kind, at), first);
		x = x == NULL ? NULL : adopt(p, x, below(p));
		if (x == NULL)
			return NULL;
	}
	if (!ok)
		return NULL;
	return x == NULL ? first : x;
}

static struct expr *
parse_and(struct parser *p)
{
	return parse_chain(p, X_AND, SIGN_AND, parse_relation);
}

static struct expr *
parse_choice(struct parser *p)
{
	struct expr *x = parse_chain(p, X_OR, SIGN_OR, parse_and);
	uint32_t at = token(p)->at;
	bool ok = true;

	if (x == NULL || !take(p, SIGN_QUESTION, &ok))
		return ok ? x : NULL;
	x = adopt(p, expr_new(p, X_CHOICE, at), x);
	x = x == NULL ? NULL : adopt(p, x, parse_chain(p, X_OR, SIGN_OR, parse_and));
	if (x == NULL || !expect(p, SIGN_COLON))
		return NULL;
	return adopt(p, x, parse_expr(p));
}

static struct expr *
parse_expr(struct parser *p)
{
	struct expr *x;

	if (++p->depth > CEL_MAX_DEPTH)
		return bad(p, token(p)->at, "nested too deeply");
	x = parse_choice(p);
	p->depth--;
	return x;
}

struct expr *
cel_parse(struct lexer *lx)
{
	struct parser p = { .lx = lx };
	struct expr *x = parse_expr(&p);

	if (x != NULL && token(&p)->kind != T_END)
		return unexpected(&p, "an operator");
	return x;
}
