#include "model/cel/cel_int.h"

const struct cel_program *
cel_compile(struct arena *a, struct str text, struct error *err)
{
	struct lexer lx = { .arena = a, .whole = text, .err = err };
	struct cel_program *p;

	if (text.n > CEL_MAX_TEXT) {
		(void)error_set(err, ERR_TOO_LARGE, "expression of %zu characters (%d are allowed)",
		    text.n, (int)CEL_MAX_TEXT);
		return NULL;
	}
	if (!utf8_valid(text)) {
		(void)error_set(err, ERR_INVALID, "the expression is not UTF-8");
		return NULL;
	}
	lx.whole = str_copy(a, text);
	p = arena_get(a, sizeof *p);
	if (p == NULL || lx.whole.p == NULL) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory for an expression");
		return NULL;
	}
	if (!cel_next(&lx))
		return NULL;
	p->root = cel_parse(&lx);
	return p->root == NULL ? NULL : p;
}

static bool
check_names(const struct expr *x, const struct scope *scope, const struct cel_var *vars, size_t n,
    struct error *err)
{
	struct scope inner = { .outer = scope, .name = x->name };
	size_t i = 0;

	if (x->kind == X_NAME) {
		for (const struct scope *s = scope; s != NULL; s = s->outer) {
			if (str_eq(s->name, x->name))
				return true;
		}
		while (i < n && !str_is(x->name, vars[i].name))
			i++;
		return i < n || cel_bad(err, x->at, "there is no variable '%.*s'",
				    (int)(x->name.n > 60 ? 60 : x->name.n), x->name.p);
	}
	for (const struct expr *c = x->first; c != NULL; c = c->next) {
		bool inside = x->kind == X_LOOP && c != x->first;

		if (!check_names(c, inside ? &inner : scope, vars, n, err))
			return false;
	}
	return true;
}

bool
cel_check_names(const struct cel_program *p, const char *const *names, size_t n, struct error *err)
{
	struct cel_var vars[16];

	if (n > ARRAY_LEN(vars))
		return error_set(err, ERR_INTERNAL, "more than 16 variables of an expression");
	for (size_t i = 0; i < n; i++)
		vars[i] = (struct cel_var){ .name = names[i] };
	return check_names(p->root, NULL, vars, n, err);
}

static enum cel_result
report(const struct run *r, const struct cel_value *v, struct error *err)
{
	int n = (int)(v->detail.n > 60 ? 60 : v->detail.n);

	if (r->stop == CEL_NO_MEMORY) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory to evaluate an expression");
		return CEL_NO_MEMORY;
	}
	if (r->stop == CEL_TOO_COSTLY) {
		(void)error_set(err, ERR_TOO_LARGE, "the expression costs too much to evaluate");
		return CEL_TOO_COSTLY;
	}
	if (n > 0)
		(void)cel_bad(err, v->at, "%s '%.*s'", v->u.error, n, v->detail.p);
	else
		(void)cel_bad(err, v->at, "%s", v->u.error);
	return CEL_FAILED;
}

enum cel_result
cel_eval(const struct cel_program *p, const struct cel_env *env, struct arena *a,
    struct cel_value *ret, struct error *err)
{
	struct run r = {
		.arena = a, .vars = env->vars, .nvars = env->nvars, .cost_left = env->cost_limit
	};
	struct cel_value v = cel_walk(&r, p->root);

	if (r.stop != CEL_OK || v.type == CEL_ERROR)
		return report(&r, &v, err);
	*ret = v;
	return CEL_OK;
}

enum cel_result
cel_eval_bool(const struct cel_program *p, const struct cel_var *vars, size_t nvars,
    uint64_t cost_limit, bool *ret, struct error *err)
{
	enum { SCRATCH = 16 * 1024 * 1024 };
	struct cel_env env = { vars, nvars, cost_limit };
	struct arena *a = arena_new(SCRATCH);
	enum cel_result result = CEL_NO_MEMORY;
	struct cel_value v;

	if (a == NULL) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory to evaluate an expression");
		return result;
	}
	result = cel_eval(p, &env, a, &v, err);
	if (result == CEL_OK && v.type != CEL_BOOL) {
		(void)error_set(err, ERR_INVALID, "the expression gives a %s, not a bool",
		    cel_type_name(v.type));
		result = CEL_FAILED;
	}
	if (result == CEL_OK)
		*ret = v.u.boolean;
	arena_free(a);
	return result;
}
