#include "model/yaml_scalar.h"

struct word {
	const char *text;
	enum node_type type;
	bool boolean;
};

static const struct word words[] = {
	{ "", NODE_NULL, false },
	{ "~", NODE_NULL, false },
	{ "null", NODE_NULL, false },
	{ "Null", NODE_NULL, false },
	{ "NULL", NODE_NULL, false },
	{ "true", NODE_BOOL, true },
	{ "True", NODE_BOOL, true },
	{ "TRUE", NODE_BOOL, true },
	{ "false", NODE_BOOL, false },
	{ "False", NODE_BOOL, false },
	{ "FALSE", NODE_BOOL, false },
};

/* Text in the core schema, but a truth value or an operator in YAML 1.1. */
static const char *const old_words[] = { "y", "n", "yes", "no", "on", "off", "=", "<<" };

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t
digits_at(struct str s, size_t i)
{
	size_t from = i;

	while (i < s.n && is_digit(s.p[i]))
		i++;
	return i - from;
}

/* 0x or 0o and digits; false when the text is something else or too big. */
static bool
parse_based(struct str s, int64_t *ret_value)
{
	unsigned shift;
	uint64_t value = 0;

	if (s.n < 3 || s.p[0] != '0' || (s.p[1] != 'x' && s.p[1] != 'o'))
		return false;
	shift = s.p[1] == 'x' ? 4 : 3;
	for (size_t i = 2; i < s.n; i++) {
		char c = s.p[i];
		char lower = (char)(c | 0x20);
		unsigned digit = 99;

		if (is_digit(c))
			digit = (unsigned)(c - '0');
		else if (lower >= 'a' && lower <= 'f')
			digit = (unsigned)(lower - 'a') + 10;
		if (digit >> shift != 0 || value >> (63 - shift) != 0)
			return false;
		value = value << shift | digit;
	}
	*ret_value = (int64_t)value;
	return true;
}

/* [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )? */
static bool
is_number(struct str s, bool *ret_integer)
{
	size_t i = s.n > 0 && (s.p[0] == '-' || s.p[0] == '+');
	size_t whole = digits_at(s, i);
	size_t part = 0;

	*ret_integer = true;
	i += whole;
	if (i < s.n && s.p[i] == '.') {
		*ret_integer = false;
		part = digits_at(s, i + 1);
		i += part + 1;
	}
	if (whole == 0 && part == 0)
		return false;
	if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
		size_t n;

		*ret_integer = false;
		i++;
		if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
			i++;
		n = digits_at(s, i);
		if (n == 0)
			return false;
		i += n;
	}
	return i == s.n;
}

static bool
is_infinite(struct str s)
{
	static const char *const forms[] = { ".inf", ".Inf", ".INF" };
	static const char *const nans[] = { ".nan", ".NaN", ".NAN" };

	for (size_t i = 0; i < ARRAY_LEN(nans); i++) {
		if (str_is(s, nans[i]))
			return true;
	}
	if (s.n > 0 && (s.p[0] == '-' || s.p[0] == '+'))
		s = str_sub(s, 1, s.n);
	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		if (str_is(s, forms[i]))
			return true;
	}
	return false;
}

static struct yaml_scalar
resolve_number(struct str s, bool integer)
{
	struct yaml_scalar r = { .type = NODE_INT };

	if (s.p[0] == '+')
		s = str_sub(s, 1, s.n);
	if (integer && str_to_int(s, &r.integer))
		return r;
	r.type = NODE_FLOAT;
	if (!str_to_double(s, &r.floating) || r.floating - r.floating != 0)
		r.type = NODE__MAX;
	return r;
}

struct yaml_scalar
yaml_resolve(struct str text)
{
	struct yaml_scalar r = { .type = NODE_STRING };
	bool integer;

	if (text.n <= 5) {
		for (size_t i = 0; i < ARRAY_LEN(words); i++) {
			if (str_is(text, words[i].text)) {
				r.type = words[i].type;
				r.boolean = words[i].boolean;
				return r;
			}
		}
	}
	if (parse_based(text, &r.integer))
		r.type = NODE_INT;
	else if (is_number(text, &integer))
		return resolve_number(text, integer);
	else if (is_infinite(text))
		r.type = NODE__MAX;
	return r;
}

bool
yaml_is_ambiguous(struct str text)
{
	bool digits = false;

	for (size_t i = 0; i < ARRAY_LEN(old_words); i++) {
		if (str_eq_nocase(text, str_from(old_words[i])))
			return true;
	}
	if (yaml_resolve(text).type != NODE_STRING)
		return true;
	/* Digits with _ : - inside, or 0b and 0o: numbers, times and dates of YAML 1.1. */
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (is_digit(c))
			digits = true;
		else if (c == '\0' || str_find_char(STR("_:-+.xob "), c) < 0)
			return false;
	}
	return digits && (is_digit(text.p[0]) || text.p[0] == '-' || text.p[0] == '+');
}
