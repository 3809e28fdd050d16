#include "model/cel/cel_int.h"

/*
 * One function a kind of expression. An error is a value of type CEL_ERROR and travels up until
 * something absorbs it; running out of cost or memory is not absorbed: it sets run.stop, and every
 * function returns as soon as it sees that.
 */

struct cel_value
cel_fail_about(struct run *r, const char *what, struct str name)
{
	return (
	    struct cel_value){ .type = CEL_ERROR, .at = r->at, .u.error = what, .detail = name };
}

struct cel_value
cel_fail(struct run *r, const char *what)
{
	return cel_fail_about(r, what, (struct str){ NULL, 0 });
}

struct cel_value
cel_stop(struct run *r, enum cel_result why)
{
	if (r->stop == CEL_OK)
		r->stop = why;
	return cel_fail(r, "stopped");
}

bool
cel_charge(struct run *r, uint64_t n)
{
	if (r->stop != CEL_OK)
		return false;
	if (n > r->cost_left) {
		r->cost_left = 0;
		r->stop = CEL_TOO_COSTLY;
		return false;
	}
	r->cost_left -= n;
	return true;
}

static struct cel_value
fail_at(struct run *r, const struct expr *x, const char *what)
{
	r->at = x->at;
	return cel_fail_about(r, what, x->name);
}

static struct cel_value
eval_name(struct run *r, const struct expr *x)
{
	for (const struct scope *s = r->scope; s != NULL; s = s->outer) {
		if (str_eq(s->name, x->name))
			return s->value;
	}
	for (size_t i = 0; i < r->nvars; i++) {
		if (str_is(x->name, r->vars[i].name))
			return r->vars[i].value;
	}
	return fail_at(r, x, "there is no variable");
}

static struct cel_value
empty_map(void)
{
	static const struct cel_map empty = { .entries = NULL };

	return cel_map_value(&empty);
}

static struct cel_value
look_up(struct run *r, const struct expr *x, const struct cel_value *map, struct cel_value key)
{
	struct cel_value v;

	if (cel_lookup(r, map, &key, &v))
		return v;
	if (map->node == NULL && map->u.map->default_empty)
		return empty_map();
	r->at = x->at;
	return cel_fail_about(r, "no such key", key.type == CEL_STRING ? key.u.string : x->name);
}

static struct cel_value
eval_select(struct run *r, const struct expr *x)
{
	struct cel_value of = cel_walk(r, x->first);

	if (of.type == CEL_ERROR)
		return of;
	if (of.type != CEL_MAP)
		return fail_at(r, x, "only a map has the field");
	return look_up(r, x, &of, cel_string(x->name));
}

static struct cel_value
eval_has(struct run *r, const struct expr *x)
{
	struct cel_value of = cel_walk(r, x->first);
	struct cel_value key = cel_string(x->name);
	struct cel_value found;

	if (of.type == CEL_ERROR)
		return of;
	if (of.type != CEL_MAP)
		return fail_at(r, x, "only a map has the field");
	return cel_bool(cel_lookup(r, &of, &key, &found));
}

static struct cel_value
index_list(struct run *r, const struct expr *x, const struct cel_value *list, int64_t i)
{
	if (i < 0 || (uint64_t)i >= cel_count(list))
		return fail_at(r, x, "index out of range");
	if (list->node == NULL)
		return list->u.list->items[i];
	if (!cel_charge(r, (uint64_t)i / 16))
		return cel_stop(r, CEL_TOO_COSTLY);
	return cel_from_node(node_at(list->node, (size_t)i));
}

static struct cel_value
eval_index(struct run *r, const struct expr *x)
{
	struct cel_value of = cel_walk(r, x->first);
	struct cel_value key = cel_walk(r, x->last);

	if (of.type == CEL_ERROR)
		return of;
	if (key.type == CEL_ERROR)
		return key;
	if (of.type == CEL_MAP)
		return look_up(r, x, &of, key);
	if (of.type != CEL_LIST)
		return fail_at(r, x, "only a list or a map can be indexed");
	if (key.type != CEL_INT)
		return fail_at(r, x, "the index of a list must be an int");
	return index_list(r, x, &of, key.u.integer);
}

static struct cel_value
no_memory(struct run *r)
{
	return cel_stop(r, CEL_NO_MEMORY);
}

static struct cel_value
list_of(struct cel_list *list)
{
	return (struct cel_value){ .type = CEL_LIST, .u.list = list };
}

static struct cel_value
eval_list(struct run *r, const struct expr *x)
{
	struct cel_list *list = arena_get(r->arena, sizeof *list);

	if (list != NULL)
		list->items = arena_array(r->arena, x->nchildren, sizeof *list->items);
	if (list == NULL || list->items == NULL)
		return no_memory(r);
	for (const struct expr *c = x->first; c != NULL; c = c->next) {
		struct cel_value v = cel_walk(r, c);

		if (v.type == CEL_ERROR)
			return v;
		list->items[list->n++] = v;
	}
	return list_of(list);
}

static bool
is_key(const struct cel_value *v)
{
	return v->type == CEL_STRING || v->type == CEL_INT || v->type == CEL_BOOL;
}

static struct cel_value
eval_map(struct run *r, const struct expr *x)
{
	struct cel_map *map = cel_map_new(r->arena);
	struct cel_value seen;

	if (map != NULL)
		map->entries = arena_array(r->arena, x->nchildren / 2, sizeof *map->entries);
	if (map == NULL || map->entries == NULL)
		return no_memory(r);
	for (const struct expr *c = x->first; c != NULL; c = c->next->next) {
		struct cel_entry e = { .key = cel_walk(r, c) };
		struct cel_value so_far = cel_map_value(map);

		if (e.key.type == CEL_ERROR)
			return e.key;
		e.value = cel_walk(r, c->next);
		if (e.value.type == CEL_ERROR)
			return e.value;
		if (!is_key(&e.key))
			return fail_at(r, c, "a key must be a string, an int or a bool");
		if (cel_lookup(r, &so_far, &e.key, &seen))
			return fail_at(r, c, "a key stands twice");
		map->entries[map->n++] = e;
	}
	return cel_map_value(map);
}

static struct cel_value
eval_call(struct run *r, const struct expr *x)
{
	struct cel_value args[CALL_MOST_ARGS];
	size_t n = 0;

	for (const struct expr *c = x->first; c != NULL && n < CALL_MOST_ARGS; c = c->next) {
		args[n] = cel_walk(r, c);
		if (args[n].type == CEL_ERROR)
			return args[n];
		n++;
	}
	r->at = x->at;
	r->regex = x->regex;
	return x->function->call(r, args, n);
}

/*
 * && (deciding is false) and || (deciding is true): one side that decides makes the other's error
 * harmless, whichever comes first. Without one, the first error is the result.
 */
static struct cel_value
eval_logic(struct run *r, const struct expr *x)
{
	bool deciding = x->kind == X_OR;
	struct cel_value error = cel_bool(!deciding);

	for (const struct expr *c = x->first; c != NULL; c = c->next) {
		struct cel_value v = cel_walk(r, c);

		if (r->stop != CEL_OK)
			return v;
		if (v.type != CEL_BOOL && v.type != CEL_ERROR)
			v = fail_at(r, c, "a bool is needed here");
		if (v.type == CEL_BOOL && v.u.boolean == deciding)
			return v;
		if (v.type == CEL_ERROR && error.type != CEL_ERROR)
			error = v;
	}
	return error;
}

static struct cel_value
eval_not(struct run *r, const struct expr *x)
{
	struct cel_value v = cel_walk(r, x->first);

	if (v.type == CEL_ERROR)
		return v;
	if (v.type != CEL_BOOL)
		return fail_at(r, x, "'!' needs a bool");
	return cel_bool(!v.u.boolean);
}

static struct cel_value
eval_negate(struct run *r, const struct expr *x)
{
	struct cel_value v = cel_walk(r, x->first);

	if (v.type == CEL_DOUBLE) {
		v.u.floating = -v.u.floating;
		return v;
	}
	if (v.type == CEL_ERROR)
		return v;
	if (v.type != CEL_INT)
		return fail_at(r, x, "'-' needs a number");
	if (__builtin_sub_overflow((int64_t)0, v.u.integer, &v.u.integer))
		return fail_at(r, x, "integer overflow");
	return v;
}

static struct cel_value
eval_choice(struct run *r, const struct expr *x)
{
	struct cel_value v = cel_walk(r, x->first);

	if (v.type == CEL_ERROR)
		return v;
	if (v.type != CEL_BOOL)
		return fail_at(r, x, "the condition of '?' must be a bool");
	return cel_walk(r, v.u.boolean ? x->first->next : x->last);
}

static struct cel_value
integer_math(struct run *r, const struct expr *x, int64_t a, int64_t b)
{
	int64_t result = 0;
	bool overflow = false;

	if (x->sign == SIGN_PLUS) {
		overflow = __builtin_add_overflow(a, b, &result);
	} else if (x->sign == SIGN_MINUS) {
		overflow = __builtin_sub_overflow(a, b, &result);
	} else if (x->sign == SIGN_TIMES) {
		overflow = __builtin_mul_overflow(a, b, &result);
	} else {
		if (b == 0)
			return fail_at(r, x, "division by zero");
		overflow = a == INT64_MIN && b == -1;
		if (!overflow)
			result = x->sign == SIGN_DIVIDE ? a / b : a % b;
	}
	return overflow ? fail_at(r, x, "integer overflow") : cel_int(result);
}

static struct cel_value
double_math(struct run *r, const struct expr *x, double a, double b)
{
	struct cel_value v = { .type = CEL_DOUBLE };

	if (x->sign == SIGN_PLUS)
		v.u.floating = a + b;
	else if (x->sign == SIGN_MINUS)
		v.u.floating = a - b;
	else if (x->sign == SIGN_TIMES)
		v.u.floating = a * b;
	else if (x->sign == SIGN_DIVIDE)
		v.u.floating = b == 0 && a == 0 ? a : a / b;
	else
		return fail_at(r, x, "'%' needs two ints");
	return v;
}

static struct cel_value
join_strings(struct run *r, struct str a, struct str b)
{
	char *p;

	if (!cel_charge(r, (a.n + b.n) / 16))
		return cel_stop(r, CEL_TOO_COSTLY);
	p = arena_get(r->arena, a.n + b.n + 1);
	if (p == NULL)
		return no_memory(r);
	for (size_t i = 0; i < a.n; i++)
		p[i] = a.p[i];
	for (size_t i = 0; i < b.n; i++)
		p[a.n + i] = b.p[i];
	return cel_string((struct str){ p, a.n + b.n });
}

static struct cel_value
join_lists(struct run *r, const struct cel_value *a, const struct cel_value *b)
{
	struct cel_list *list = arena_get(r->arena, sizeof *list);
	size_t n = cel_count(a) + cel_count(b);
	struct cel_iter it;

	if (!cel_charge(r, n))
		return cel_stop(r, CEL_TOO_COSTLY);
	if (list != NULL)
		list->items = arena_array(r->arena, n, sizeof *list->items);
	if (list == NULL || list->items == NULL)
		return no_memory(r);
	cel_iter_init(&it, *a);
	while (cel_iter_next(&it, &list->items[list->n]))
		list->n++;
	cel_iter_init(&it, *b);
	while (list->n < n && cel_iter_next(&it, &list->items[list->n]))
		list->n++;
	return list_of(list);
}

static struct cel_value
eval_math(struct run *r, const struct expr *x, const struct cel_value *a, const struct cel_value *b)
{
	if (a->type == CEL_INT && b->type == CEL_INT)
		return integer_math(r, x, a->u.integer, b->u.integer);
	if (a->type == CEL_DOUBLE && b->type == CEL_DOUBLE)
		return double_math(r, x, a->u.floating, b->u.floating);
	if (x->sign == SIGN_PLUS && a->type == b->type && a->type == CEL_STRING)
		return join_strings(r, a->u.string, b->u.string);
	if (x->sign == SIGN_PLUS && a->type == b->type && a->type == CEL_LIST)
		return join_lists(r, a, b);
	return fail_at(r, x, "the two sides do not fit each other");
}

static struct cel_value
eval_in(struct run *r, const struct expr *x, const struct cel_value *a, const struct cel_value *b)
{
	struct cel_iter it;
	struct cel_value v;

	if (b->type == CEL_MAP)
		return cel_bool(cel_lookup(r, b, a, &v));
	if (b->type != CEL_LIST)
		return fail_at(r, x, "'in' needs a list or a map");
	cel_iter_init(&it, *b);
	while (cel_iter_next(&it, &v)) {
		if (cel_equal(r, a, &v))
			return cel_bool(true);
	}
	return cel_bool(false);
}

static struct cel_value
eval_order(
    struct run *r, const struct expr *x, const struct cel_value *a, const struct cel_value *b)
{
	int order;

	if (!cel_order(a, b, &order)) {
		if (cel_is_number(a) && cel_is_number(b))
			return cel_bool(false); /* one is not a number */
		return fail_at(r, x, "these two have no order");
	}
	if (x->sign == SIGN_LT)
		return cel_bool(order < 0);
	if (x->sign == SIGN_LE)
		return cel_bool(order <= 0);
	if (x->sign == SIGN_GT)
		return cel_bool(order > 0);
	return cel_bool(order >= 0);
}

static struct cel_value
eval_binary(struct run *r, const struct expr *x)
{
	struct cel_value a = cel_walk(r, x->first);
	struct cel_value b = cel_walk(r, x->last);

	if (a.type == CEL_ERROR)
		return a;
	if (b.type == CEL_ERROR)
		return b;
	switch (x->sign) {
	case SIGN_EQ:
		return cel_bool(cel_equal(r, &a, &b));
	case SIGN_NE:
		return cel_bool(!cel_equal(r, &a, &b));
	case SIGN_LT:
	case SIGN_LE:
	case SIGN_GT:
	case SIGN_GE:
		return eval_order(r, x, &a, &b);
	case SIGN_PLUS:
	case SIGN_MINUS:
	case SIGN_TIMES:
	case SIGN_DIVIDE:
	case SIGN_MODULO:
		return eval_math(r, x, &a, &b);
	case SIGN__MAX:
		return eval_in(r, x, &a, &b);
	case SIGN_AND:
	case SIGN_OR:
	case SIGN_NOT:
	case SIGN_QUESTION:
	case SIGN_COLON:
	case SIGN_DOT:
	case SIGN_COMMA:
	case SIGN_OPEN:
	case SIGN_CLOSE:
	case SIGN_OPEN_LIST:
	case SIGN_CLOSE_LIST:
	case SIGN_OPEN_MAP:
	case SIGN_CLOSE_MAP:
		break;
	}
	return fail_at(r, x, "this operator has no meaning here");
}

/* What a loop has gathered so far. */
struct tally {
	bool decided;
	struct cel_value result; /* when decided */
	struct cel_value error;	 /* the first one; CEL_NULL for none */
	size_t hits;
	struct cel_list *made;
};

static void
decide(struct tally *t, struct cel_value result)
{
	t->decided = true;
	t->result = result;
}

/* One element: what the body gave, and what filter() or map() would keep. */
static void
loop_step(struct run *r, const struct expr *x, struct tally *t, struct cel_value element)
{
	const struct expr *body = x->first->next;
	bool makes = x->loop == LOOP_MAP && x->nchildren == 2;
	struct cel_value v = cel_walk(r, body);

	if (r->stop == CEL_OK && !makes && v.type != CEL_BOOL && v.type != CEL_ERROR)
		v = fail_at(r, body, "a bool is needed here");
	if (v.type == CEL_ERROR) {
		if (x->loop == LOOP_ALL || x->loop == LOOP_EXISTS)
			t->error = t->error.type == CEL_ERROR ? t->error : v;
		else
			decide(t, v);
		return;
	}
	if (makes) {
		t->made->items[t->made->n++] = v;
		return;
	}
	t->hits += v.u.boolean;
	if (x->loop == LOOP_ALL && !v.u.boolean)
		decide(t, cel_bool(false));
	else if (x->loop == LOOP_EXISTS && v.u.boolean)
		decide(t, cel_bool(true));
	if (!v.u.boolean || t->made == NULL)
		return;
	if (x->loop == LOOP_MAP)
		element = cel_walk(r, x->last);
	if (element.type == CEL_ERROR)
		decide(t, element);
	else
		t->made->items[t->made->n++] = element;
}

static struct cel_value
loop_result(const struct expr *x, const struct tally *t)
{
	if (t->decided)
		return t->result;
	if (t->error.type == CEL_ERROR)
		return t->error;
	if (x->loop == LOOP_FILTER || x->loop == LOOP_MAP)
		return list_of(t->made);
	if (x->loop == LOOP_EXISTS_ONE)
		return cel_bool(t->hits == 1);
	return cel_bool(x->loop == LOOP_ALL);
}

static struct cel_value
eval_loop(struct run *r, const struct expr *x)
{
	struct cel_value range = cel_walk(r, x->first);
	struct scope scope = { .outer = r->scope, .name = x->name };
	struct tally t = { .decided = false };
	struct cel_iter it;

	if (range.type == CEL_ERROR)
		return range;
	if (range.type != CEL_LIST && range.type != CEL_MAP)
		return fail_at(r, x, "only a list or a map can be walked");
	if (x->loop == LOOP_FILTER || x->loop == LOOP_MAP) {
		t.made = arena_get(r->arena, sizeof *t.made);
		if (t.made != NULL)
			t.made->items =
			    arena_array(r->arena, cel_count(&range), sizeof *t.made->items);
		if (t.made == NULL || t.made->items == NULL)
			return no_memory(r);
	}
	r->scope = &scope;
	cel_iter_init(&it, range);
	while (r->stop == CEL_OK && !t.decided && cel_iter_next(&it, &scope.value))
		loop_step(r, x, &t, scope.value);
	r->scope = scope.outer;
	return loop_result(x, &t);
}

struct cel_value
cel_walk(struct run *r, const struct expr *x)
{
	if (!cel_charge(r, 1))
		return fail_at(r, x, "stopped");
	switch (x->kind) {
	case X_LITERAL:
		return x->literal;
	case X_NAME:
		return eval_name(r, x);
	case X_SELECT:
		return eval_select(r, x);
	case X_HAS:
		return eval_has(r, x);
	case X_INDEX:
		return eval_index(r, x);
	case X_LIST:
		return eval_list(r, x);
	case X_MAP:
		return eval_map(r, x);
	case X_CALL:
		return eval_call(r, x);
	case X_AND:
	case X_OR:
		return eval_logic(r, x);
	case X_NOT:
		return eval_not(r, x);
	case X_NEGATE:
		return eval_negate(r, x);
	case X_BINARY:
		return eval_binary(r, x);
	case X_CHOICE:
		return eval_choice(r, x);
	case X_LOOP:
		return eval_loop(r, x);
	}
	return fail_at(r, x, "unknown expression");
}
