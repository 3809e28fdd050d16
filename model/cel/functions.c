#include <math.h>
#include <string.h>

#include "model/cel/cel_int.h"
#include "model/number.h"
#include "model/value.h"

/*
 * Every function takes its arguments as values that are no errors and checks their types itself,
 * since expressions are not typed before they run. Rows at the end.
 */

enum { STRING_MAX = 1024 * 1024 };

static struct cel_value
wrong_type(struct run *r, const struct cel_value *v)
{
	return cel_fail_about(r, "wrong type of an argument:", str_from(cel_type_name(v->type)));
}

static bool
all_strings(const struct cel_value *args, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (args[i].type != CEL_STRING)
			return false;
	}
	return true;
}

static struct cel_value
no_memory(struct run *r)
{
	return cel_stop(r, CEL_NO_MEMORY);
}

static struct cel_value
call_size(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	if (args[0].type == CEL_STRING) {
		(void)cel_charge(r, args[0].u.string.n / 64);
		return cel_int((int64_t)utf8_length(args[0].u.string));
	}
	if (args[0].type == CEL_LIST || args[0].type == CEL_MAP)
		return cel_int((int64_t)cel_count(&args[0]));
	return wrong_type(r, &args[0]);
}

static struct cel_value
call_starts(struct run *r, const struct cel_value *args, size_t n)
{
	if (!all_strings(args, n))
		return wrong_type(r, &args[args[0].type == CEL_STRING]);
	return cel_bool(str_starts(args[0].u.string, args[1].u.string));
}

static struct cel_value
call_ends(struct run *r, const struct cel_value *args, size_t n)
{
	if (!all_strings(args, n))
		return wrong_type(r, &args[args[0].type == CEL_STRING]);
	return cel_bool(str_ends(args[0].u.string, args[1].u.string));
}

static struct cel_value
call_contains(struct run *r, const struct cel_value *args, size_t n)
{
	if (!all_strings(args, n))
		return wrong_type(r, &args[args[0].type == CEL_STRING]);
	if (!cel_charge(r, args[0].u.string.n / 16))
		return cel_stop(r, CEL_TOO_COSTLY);
	return cel_bool(str_find(args[0].u.string, args[1].u.string) >= 0);
}

static struct cel_value
call_matches(struct run *r, const struct cel_value *args, size_t n)
{
	const struct regex *re = r->regex;
	struct error why = { .code = ERR_NONE };
	bool found;

	if (!all_strings(args, n))
		return wrong_type(r, &args[args[0].type == CEL_STRING]);
	if (re == NULL && !cel_charge(r, 10 + args[1].u.string.n))
		return cel_stop(r, CEL_TOO_COSTLY);
	if (re == NULL)
		re = regex_compile(r->arena, args[1].u.string, &why);
	if (re == NULL)
		return why.code == ERR_NO_MEMORY ? no_memory(r) : cel_fail(r, "wrong pattern");
	/* The upper bound of its work, in units of about a hundred steps. */
	if (!cel_charge(r, (uint64_t)regex_size(re) * (args[0].u.string.n + 1) / 100))
		return cel_stop(r, CEL_TOO_COSTLY);
	return regex_search(re, args[0].u.string, &found, NULL) ? cel_bool(found) : no_memory(r);
}

/* split(text, separator [, most]); an empty separator cuts between characters. */
static struct cel_value
call_split(struct run *r, const struct cel_value *args, size_t n)
{
	struct str rest = args[0].type == CEL_STRING ? args[0].u.string : STR("");
	struct str sep = args[1].type == CEL_STRING ? args[1].u.string : STR("");
	int64_t most = n > 2 && args[2].type == CEL_INT ? args[2].u.integer : -1;
	struct cel_list *list = arena_get(r->arena, sizeof *list);
	size_t cap = rest.n + 1;

	if (!all_strings(args, 2) || (n > 2 && args[2].type != CEL_INT))
		return cel_fail(r, "split() takes two strings and an int");
	if (most >= 0 && (uint64_t)most < cap)
		cap = (size_t)most;
	if (!cel_charge(r, cap))
		return cel_stop(r, CEL_TOO_COSTLY);
	if (list != NULL)
		list->items = arena_array(r->arena, cap, sizeof *list->items);
	if (list == NULL || list->items == NULL)
		return no_memory(r);
	while (list->n < cap) {
		ptrdiff_t at = str_find(rest, sep);
		uint32_t c;

		if (sep.n == 0)
			at = rest.n == 0 ? -1 : (ptrdiff_t)utf8_decode(rest, &c);
		if (at < 0 || list->n + 1 == cap || (sep.n == 0 && (size_t)at == rest.n)) {
			list->items[list->n++] = cel_string(rest);
			break;
		}
		list->items[list->n++] = cel_string(str_sub(rest, 0, (size_t)at));
		rest = (struct str){ rest.p + at + sep.n, rest.n - (size_t)at - sep.n };
	}
	return (struct cel_value){ .type = CEL_LIST, .u.list = list };
}

static struct cel_value
finish_text(struct run *r, struct text *t)
{
	struct str s = { NULL, 0 };
	bool too_long = t->too_long;

	if (text_ok(t, "text", NULL))
		s = str_copy(r->arena, text_str(t));
	text_free(t);
	if (s.p != NULL)
		return cel_string(s);
	return cel_stop(r, too_long ? CEL_TOO_COSTLY : CEL_NO_MEMORY);
}

static struct cel_value
call_join(struct run *r, const struct cel_value *args, size_t n)
{
	struct text t = TEXT_INIT(STRING_MAX);
	struct str sep = STR("");
	struct cel_iter it;
	struct cel_value v;
	bool first = true;

	if (args[0].type != CEL_LIST || (n > 1 && args[1].type != CEL_STRING))
		return cel_fail(r, "join() takes a list of strings");
	if (n > 1)
		sep = args[1].u.string;
	cel_iter_init(&it, args[0]);
	while (cel_iter_next(&it, &v)) {
		if (v.type != CEL_STRING) {
			text_free(&t);
			return wrong_type(r, &v);
		}
		if (!cel_charge(r, 1 + (v.u.string.n + sep.n) / 16))
			break;
		if (!first)
			text_add_str(&t, sep);
		text_add_str(&t, v.u.string);
		first = false;
	}
	return finish_text(r, &t);
}

static struct cel_value
change_case(struct run *r, const struct cel_value *args, char from, char to)
{
	struct str s = args[0].u.string;
	char *p;

	if (args[0].type != CEL_STRING)
		return wrong_type(r, &args[0]);
	if (!cel_charge(r, s.n / 16))
		return cel_stop(r, CEL_TOO_COSTLY);
	p = arena_dup(r->arena, s.p, s.n);
	if (p == NULL)
		return no_memory(r);
	for (size_t i = 0; i < s.n; i++) {
		if (p[i] >= from && p[i] <= from + 25)
			p[i] = (char)(p[i] - from + to);
	}
	return cel_string((struct str){ p, s.n });
}

static struct cel_value
call_lower(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	return change_case(r, args, 'A', 'a');
}

static struct cel_value
call_upper(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	return change_case(r, args, 'a', 'A');
}

static struct cel_value
call_trim(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	if (args[0].type != CEL_STRING)
		return wrong_type(r, &args[0]);
	return cel_string(str_trim(args[0].u.string));
}

static struct cel_value
call_string(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	struct text t = TEXT_INIT(STRING_MAX);
	const struct cel_value *v = &args[0];

	if (v->type == CEL_STRING)
		return *v;
	if (v->type == CEL_BOOL) {
		text_add(&t, v->u.boolean ? "true" : "false");
	} else if (v->type == CEL_INT) {
		text_add_int(&t, v->u.integer);
	} else if (v->type == CEL_DOUBLE && v->u.floating == floor(v->u.floating) &&
		   fabs(v->u.floating) < 1e15) {
		text_add_int(&t, (int64_t)v->u.floating);
	} else if (v->type == CEL_DOUBLE) {
		number_add_double(&t, v->u.floating);
	} else if (v->type == CEL_QUANTITY) {
		quantity_format(v->u.quantity, &t);
	} else {
		return wrong_type(r, v);
	}
	return finish_text(r, &t);
}

static struct cel_value
call_int(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	const struct cel_value *v = &args[0];
	struct cel_value whole = { .type = CEL_INT };

	if (v->type == CEL_INT)
		return *v;
	if (v->type == CEL_STRING)
		return str_to_int(v->u.string, &whole.u.integer) ? whole
								 : cel_fail(r, "not an int");
	if (v->type != CEL_DOUBLE)
		return wrong_type(r, v);
	if (!(v->u.floating > -9223372036854775808.0 && v->u.floating < 9223372036854775808.0))
		return cel_fail(r, "integer overflow");
	return cel_int((int64_t)v->u.floating);
}

static struct cel_value
call_double(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	struct cel_value v = args[0];

	if (v.type == CEL_INT)
		v = (struct cel_value){ .type = CEL_DOUBLE, .u.floating = (double)v.u.integer };
	if (v.type == CEL_STRING) {
		struct str s = v.u.string;

		v = (struct cel_value){ .type = CEL_DOUBLE };
		if (!str_to_double(s, &v.u.floating))
			return cel_fail(r, "not a double");
	}
	return v.type == CEL_DOUBLE ? v : wrong_type(r, &v);
}

static struct cel_value
call_bool(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	static const char *const words[] = { "false", "true", "False", "True", "FALSE", "TRUE", "f",
		"t", "F", "T", "0", "1" };

	if (args[0].type == CEL_BOOL)
		return args[0];
	if (args[0].type != CEL_STRING)
		return wrong_type(r, &args[0]);
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (str_is(args[0].u.string, words[i]))
			return cel_bool(i % 2 == 1);
	}
	return cel_fail(r, "not a bool");
}

static struct cel_value
call_dyn(struct run *r UNUSED, const struct cel_value *args, size_t n UNUSED)
{
	return args[0];
}

static struct cel_value
new_quantity(struct run *r, const struct quantity *from)
{
	struct quantity *q = arena_get(r->arena, sizeof *q);

	if (q == NULL)
		return no_memory(r);
	*q = *from;
	return cel_quantity(q);
}

static struct cel_value
call_quantity(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	struct quantity q;

	if (args[0].type != CEL_STRING)
		return wrong_type(r, &args[0]);
	if (!cel_charge(r, 5))
		return cel_stop(r, CEL_TOO_COSTLY);
	if (!quantity_parse(args[0].u.string, &q, NULL))
		return cel_fail_about(r, "not a quantity:", args[0].u.string);
	return new_quantity(r, &q);
}

static struct cel_value
call_is_quantity(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	struct quantity q;

	if (args[0].type != CEL_STRING)
		return wrong_type(r, &args[0]);
	(void)cel_charge(r, 5);
	return cel_bool(quantity_parse(args[0].u.string, &q, NULL));
}

static struct cel_value
call_sign(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	if (args[0].type != CEL_QUANTITY)
		return wrong_type(r, &args[0]);
	return cel_int(quantity_sign(args[0].u.quantity));
}

static struct cel_value
call_is_integer(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	int64_t value;

	if (args[0].type != CEL_QUANTITY)
		return wrong_type(r, &args[0]);
	return cel_bool(quantity_to_int(args[0].u.quantity, &value));
}

static struct cel_value
call_as_integer(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	int64_t value;

	if (args[0].type != CEL_QUANTITY)
		return wrong_type(r, &args[0]);
	if (!quantity_to_int(args[0].u.quantity, &value))
		return cel_fail(r, "the quantity is not a whole number of 64 bits");
	return cel_int(value);
}

static struct cel_value
call_as_float(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	if (args[0].type != CEL_QUANTITY)
		return wrong_type(r, &args[0]);
	return (struct cel_value){ .type = CEL_DOUBLE,
		.u.floating = quantity_to_double(args[0].u.quantity) };
}

typedef bool combine_fn(const struct quantity *a, const struct quantity *b, struct quantity *ret);

static struct cel_value
combine(struct run *r, const struct cel_value *args, combine_fn *fn)
{
	struct quantity b;
	struct quantity result;

	if (args[0].type != CEL_QUANTITY)
		return wrong_type(r, &args[0]);
	if (args[1].type == CEL_INT)
		b = quantity_from_int(args[1].u.integer);
	else if (args[1].type == CEL_QUANTITY)
		b = *args[1].u.quantity;
	else
		return wrong_type(r, &args[1]);
	if (!fn(args[0].u.quantity, &b, &result))
		return cel_fail(r, "quantity out of range");
	return new_quantity(r, &result);
}

static struct cel_value
call_add(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	return combine(r, args, quantity_add);
}

static struct cel_value
call_sub(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	return combine(r, args, quantity_sub);
}

enum reading { READ_WELL, READ_BADLY, READ_WRONG_TYPES, READ_NO_MEMORY };

static enum reading
read_version(struct run *r, const struct cel_value *args, size_t n, struct semver *ret)
{
	bool normalise = n > 1 && args[1].type == CEL_BOOL && args[1].u.boolean;
	struct error why = { .code = ERR_NONE };
	bool ok;

	if (args[0].type != CEL_STRING || (n > 1 && args[1].type != CEL_BOOL))
		return READ_WRONG_TYPES;
	(void)cel_charge(r, 5);
	ok = normalise ? semver_normalise(r->arena, args[0].u.string, ret, &why)
		       : semver_parse(args[0].u.string, ret, &why);
	if (ok)
		return READ_WELL;
	return why.code == ERR_NO_MEMORY ? READ_NO_MEMORY : READ_BADLY;
}

static struct cel_value
call_semver(struct run *r, const struct cel_value *args, size_t n)
{
	struct semver *v = arena_get(r->arena, sizeof *v);

	if (v == NULL)
		return no_memory(r);
	switch (read_version(r, args, n, v)) {
	case READ_WELL:
		return cel_semver(v);
	case READ_BADLY:
		return cel_fail_about(r, "not a version:", args[0].u.string);
	case READ_WRONG_TYPES:
		return cel_fail(r, "semver() takes a string and a bool");
	case READ_NO_MEMORY:
		break;
	}
	return no_memory(r);
}

static struct cel_value
call_is_semver(struct run *r, const struct cel_value *args, size_t n)
{
	struct semver v;
	enum reading reading = read_version(r, args, n, &v);

	if (reading == READ_NO_MEMORY)
		return no_memory(r);
	if (reading == READ_WRONG_TYPES)
		return cel_fail(r, "isSemver() takes a string and a bool");
	return cel_bool(reading == READ_WELL);
}

static struct cel_value
version_part(struct run *r, const struct cel_value *args, size_t part)
{
	if (args[0].type != CEL_SEMVER)
		return wrong_type(r, &args[0]);
	if (args[0].u.semver->number[part] > INT64_MAX)
		return cel_fail(r, "integer overflow");
	return cel_int((int64_t)args[0].u.semver->number[part]);
}

static struct cel_value
call_major(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	return version_part(r, args, 0);
}

static struct cel_value
call_minor(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	return version_part(r, args, 1);
}

static struct cel_value
call_patch(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	return version_part(r, args, 2);
}

/* Two quantities or two versions; an error value otherwise. */
static struct cel_value
call_compare(struct run *r, const struct cel_value *args, size_t n UNUSED)
{
	if (args[0].type == CEL_QUANTITY && args[1].type == CEL_QUANTITY)
		return cel_int(quantity_cmp(args[0].u.quantity, args[1].u.quantity));
	if (args[0].type == CEL_SEMVER && args[1].type == CEL_SEMVER)
		return cel_int(semver_cmp(args[0].u.semver, args[1].u.semver));
	return cel_fail(r, "two quantities or two versions are needed");
}

static struct cel_value
call_greater(struct run *r, const struct cel_value *args, size_t n)
{
	struct cel_value order = call_compare(r, args, n);

	return order.type == CEL_ERROR ? order : cel_bool(order.u.integer > 0);
}

static struct cel_value
call_less(struct run *r, const struct cel_value *args, size_t n)
{
	struct cel_value order = call_compare(r, args, n);

	return order.type == CEL_ERROR ? order : cel_bool(order.u.integer < 0);
}

static const struct cel_function functions[] = {
	{ "size", 1, 1, call_size },
	{ "startsWith", 2, 2, call_starts },
	{ "endsWith", 2, 2, call_ends },
	{ "contains", 2, 2, call_contains },
	{ "matches", 2, 2, call_matches },
	{ "split", 2, 3, call_split },
	{ "join", 1, 2, call_join },
	{ "lowerAscii", 1, 1, call_lower },
	{ "upperAscii", 1, 1, call_upper },
	{ "trim", 1, 1, call_trim },
	{ "string", 1, 1, call_string },
	{ "int", 1, 1, call_int },
	{ "double", 1, 1, call_double },
	{ "bool", 1, 1, call_bool },
	{ "dyn", 1, 1, call_dyn },
	{ "quantity", 1, 1, call_quantity },
	{ "isQuantity", 1, 1, call_is_quantity },
	{ "sign", 1, 1, call_sign },
	{ "isInteger", 1, 1, call_is_integer },
	{ "asInteger", 1, 1, call_as_integer },
	{ "asApproximateFloat", 1, 1, call_as_float },
	{ "add", 2, 2, call_add },
	{ "sub", 2, 2, call_sub },
	{ "semver", 1, 2, call_semver },
	{ "isSemver", 1, 2, call_is_semver },
	{ "major", 1, 1, call_major },
	{ "minor", 1, 1, call_minor },
	{ "patch", 1, 1, call_patch },
	{ "compareTo", 2, 2, call_compare },
	{ "isGreaterThan", 2, 2, call_greater },
	{ "isLessThan", 2, 2, call_less },
};

const struct cel_function *
cel_function_find(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
		if (str_is(name, functions[i].name))
			return &functions[i];
	}
	return NULL;
}
