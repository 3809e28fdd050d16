#include "model/quantity.h"

#include <string.h>

/* A magnitude is a whole number of 10^-9 in limbs of 32 bits, the lowest first. */

enum { NANO_DIGITS = 9, LARGEST_SCALE = 160, EXPONENT_MEANS_ENOUGH = 100000 };

struct suffix {
	const char *text;
	unsigned doublings;
	int tens;
};

static const struct suffix binary[] = {
	{ "Ki", 10, 0 },
	{ "Mi", 20, 0 },
	{ "Gi", 30, 0 },
	{ "Ti", 40, 0 },
	{ "Pi", 50, 0 },
	{ "Ei", 60, 0 },
};

static const struct suffix decimal[] = {
	{ "n", 0, -9 },
	{ "u", 0, -6 },
	{ "m", 0, -3 },
	{ "k", 0, 3 },
	{ "M", 0, 6 },
	{ "G", 0, 9 },
	{ "T", 0, 12 },
	{ "P", 0, 15 },
	{ "E", 0, 18 },
};

/* value = value * factor + more; false when it does not fit. */
static bool
limbs_scale(uint32_t *limb, uint32_t factor, uint32_t more)
{
	uint64_t carry = more;

	for (size_t i = 0; i < QUANTITY_LIMBS; i++) {
		carry += (uint64_t)limb[i] * factor;
		limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	return carry == 0;
}

static uint32_t
limbs_divide(uint32_t *limb, uint32_t by)
{
	uint64_t rest = 0;

	for (size_t i = QUANTITY_LIMBS; i-- > 0;) {
		rest = rest << 32 | limb[i];
		limb[i] = (uint32_t)(rest / by);
		rest %= by;
	}
	return (uint32_t)rest;
}

static bool
limbs_are_zero(const uint32_t *limb)
{
	for (size_t i = 0; i < QUANTITY_LIMBS; i++) {
		if (limb[i] != 0)
			return false;
	}
	return true;
}

static int
limbs_cmp(const uint32_t *a, const uint32_t *b)
{
	for (size_t i = QUANTITY_LIMBS; i-- > 0;) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return 0;
}

static bool
limbs_add(const uint32_t *a, const uint32_t *b, uint32_t *ret)
{
	uint64_t carry = 0;

	for (size_t i = 0; i < QUANTITY_LIMBS; i++) {
		carry += (uint64_t)a[i] + b[i];
		ret[i] = (uint32_t)carry;
		carry >>= 32;
	}
	return carry == 0;
}

/* a - b, where a is not the smaller one. */
static void
limbs_sub(const uint32_t *a, const uint32_t *b, uint32_t *ret)
{
	uint64_t borrow = 0;

	for (size_t i = 0; i < QUANTITY_LIMBS; i++) {
		uint64_t lower = (uint64_t)b[i] + borrow;

		borrow = a[i] < lower;
		ret[i] = (uint32_t)(a[i] - lower);
	}
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* [+-]?digits that fits 32 bits; beyond "enough" any number is out of range, or almost nothing. */
static bool
parse_exponent(struct str s, int *ret_tens)
{
	int64_t value;

	if (s.n > 1 && s.p[0] == '+' && is_digit(s.p[1]))
		s = str_sub(s, 1, s.n);
	if (!str_to_int(s, &value) || value > INT32_MAX || value < -INT32_MAX)
		return false;
	if (value > EXPONENT_MEANS_ENOUGH)
		value = EXPONENT_MEANS_ENOUGH;
	if (value < -EXPONENT_MEANS_ENOUGH)
		value = -EXPONENT_MEANS_ENOUGH;
	*ret_tens = (int)value;
	return true;
}

static bool
is_integer(struct str s)
{
	size_t i = s.n > 0 && (s.p[0] == '+' || s.p[0] == '-');

	if (i == s.n)
		return false;
	for (; i < s.n; i++) {
		if (!is_digit(s.p[i]))
			return false;
	}
	return true;
}

/* Cuts the suffix off *number. The order of trial is the reference's. */
static bool
split_suffix(struct str *number, struct suffix *ret, enum quantity_form *ret_form)
{
	struct str s = *number;
	size_t e = 1;

	for (size_t i = 0; i < ARRAY_LEN(binary); i++) {
		if (str_ends(s, str_from(binary[i].text))) {
			*ret = binary[i];
			*ret_form = QUANTITY_BINARY;
			number->n -= 2;
			return true;
		}
	}
	while (e < s.n && s.p[e] != 'e' && s.p[e] != 'E')
		e++;
	if (e < s.n && is_integer(str_sub(s, e + 1, s.n))) {
		*ret_form = QUANTITY_EXPONENT;
		number->n = e;
		return parse_exponent(str_sub(s, e + 1, s.n), &ret->tens);
	}
	for (size_t i = 0; i < ARRAY_LEN(decimal); i++) {
		if (str_ends(s, str_from(decimal[i].text))) {
			*ret = decimal[i];
			number->n--;
			break;
		}
	}
	return true;
}

/* Optional sign, digits with or without a dot. *ret_fraction counts the digits behind it. */
static bool
parse_number(struct str s, struct quantity *q, int *ret_fraction, bool *ret_fits)
{
	size_t i = 0;
	size_t ndigits = 0;
	bool dot = false;

	if (s.n > 0 && (s.p[0] == '-' || s.p[0] == '+')) {
		q->negative = s.p[0] == '-';
		i++;
	}
	*ret_fraction = 0;
	*ret_fits = true;
	for (; i < s.n; i++) {
		if (s.p[i] == '.' && !dot) {
			dot = true;
			continue;
		}
		if (!is_digit(s.p[i]))
			return false;
		ndigits++;
		*ret_fraction += dot;
		*ret_fits = limbs_scale(q->limb, 10, (uint32_t)(s.p[i] - '0')) && *ret_fits;
	}
	return ndigits > 0;
}

/* Multiplies by 10^tens; what division leaves over rounds away from zero. */
static bool
shift_tens(uint32_t *limb, int tens)
{
	bool rest = false;

	if (limbs_are_zero(limb))
		return true;
	if (tens > LARGEST_SCALE)
		return false;
	for (; tens > 0; tens--) {
		if (!limbs_scale(limb, 10, 0))
			return false;
	}
	for (; tens < 0 && !limbs_are_zero(limb); tens++)
		rest = limbs_divide(limb, 10) != 0 || rest;
	return limbs_scale(limb, 1, rest);
}

static void
saturate(uint32_t *limb)
{
	struct quantity largest = quantity_from_int(INT64_MAX);

	if (limbs_cmp(limb, largest.limb) > 0)
		memcpy(limb, largest.limb, sizeof largest.limb);
}

bool
quantity_parse(struct str text, struct quantity *ret, struct error *err)
{
	struct quantity q = { .form = QUANTITY_DECIMAL };
	struct suffix suffix = { .text = "" };
	struct str number = text;
	int fraction;
	bool fits;

	if (text.n > QUANTITY_MAX_TEXT)
		return error_set(err, ERR_INVALID, "a quantity of %zu characters (%d are allowed)",
		    text.n, (int)QUANTITY_MAX_TEXT);
	if (!split_suffix(&number, &suffix, &q.form) || !parse_number(number, &q, &fraction, &fits))
		return error_set(err, ERR_INVALID,
		    "'" STR_FMT "' is not a quantity (such as 80Gi, 500m or 1e3)", STR_ARG(text));
	for (unsigned i = 0; i < suffix.doublings / 10; i++)
		fits = limbs_scale(q.limb, 1024, 0) && fits;
	if (!fits || !shift_tens(q.limb, suffix.tens - fraction + NANO_DIGITS))
		return error_set(
		    err, ERR_INVALID, "quantity '" STR_FMT "' is out of range", STR_ARG(text));
	if (q.form == QUANTITY_BINARY)
		saturate(q.limb);
	if (limbs_are_zero(q.limb))
		q.negative = false;
	*ret = q;
	return true;
}

struct quantity
quantity_from_int(int64_t value)
{
	uint64_t magnitude = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
	struct quantity q = { .negative = value < 0 };

	q.limb[0] = (uint32_t)magnitude;
	q.limb[1] = (uint32_t)(magnitude >> 32);
	(void)limbs_scale(q.limb, 1000 * 1000 * 1000, 0); /* 94 bits of 512: always fits */
	return q;
}

int
quantity_sign(const struct quantity *q)
{
	if (limbs_are_zero(q->limb))
		return 0;
	return q->negative ? -1 : 1;
}

int
quantity_cmp(const struct quantity *a, const struct quantity *b)
{
	int order;

	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	order = limbs_cmp(a->limb, b->limb);
	return a->negative ? -order : order;
}

bool
quantity_add(const struct quantity *a, const struct quantity *b, struct quantity *ret)
{
	struct quantity q = { .negative = a->negative, .form = a->form };

	if (a->negative == b->negative) {
		if (!limbs_add(a->limb, b->limb, q.limb))
			return false;
	} else if (limbs_cmp(a->limb, b->limb) >= 0) {
		limbs_sub(a->limb, b->limb, q.limb);
	} else {
		limbs_sub(b->limb, a->limb, q.limb);
		q.negative = b->negative;
	}
	if (limbs_are_zero(q.limb))
		q.negative = false;
	*ret = q;
	return true;
}

bool
quantity_sub(const struct quantity *a, const struct quantity *b, struct quantity *ret)
{
	struct quantity minus = *b;

	minus.negative = !b->negative && !limbs_are_zero(b->limb);
	return quantity_add(a, &minus, ret);
}

bool
quantity_to_int(const struct quantity *q, int64_t *ret_value)
{
	uint32_t limb[QUANTITY_LIMBS];
	uint64_t magnitude;

	memcpy(limb, q->limb, sizeof limb);
	if (limbs_divide(limb, 1000 * 1000 * 1000) != 0)
		return false;
	for (size_t i = 2; i < QUANTITY_LIMBS; i++) {
		if (limb[i] != 0)
			return false;
	}
	magnitude = (uint64_t)limb[1] << 32 | limb[0];
	if (magnitude > (uint64_t)INT64_MAX + q->negative)
		return false;
	*ret_value = q->negative ? (int64_t)((uint64_t)0 - magnitude) : (int64_t)magnitude;
	return true;
}

double
quantity_to_double(const struct quantity *q)
{
	double value = 0;

	for (size_t i = QUANTITY_LIMBS; i-- > 0;)
		value = value * 4294967296.0 + q->limb[i];
	value /= 1e9;
	return q->negative ? -value : value;
}

/* Divides by ten (or 1024) as often as nothing is lost, `most` times at most. */
static int
strip(uint32_t *limb, uint32_t by, int most)
{
	int n = 0;

	while (n < most && !limbs_are_zero(limb)) {
		uint32_t copy[QUANTITY_LIMBS];

		memcpy(copy, limb, sizeof copy);
		if (limbs_divide(copy, by) != 0)
			break;
		memcpy(limb, copy, sizeof copy);
		n++;
	}
	return n;
}

static void
add_digits(uint32_t *limb, struct text *out)
{
	char digits[QUANTITY_LIMBS * 10];
	size_t at = sizeof digits;

	do {
		digits[--at] = (char)('0' + limbs_divide(limb, 10));
	} while (!limbs_are_zero(limb));
	text_add_str(out, (struct str){ digits + at, sizeof digits - at });
}

/* Whole and at least 1024: with a binary suffix. */
static bool
format_binary(const struct quantity *q, struct text *out)
{
	uint32_t limb[QUANTITY_LIMBS];
	int steps;

	memcpy(limb, q->limb, sizeof limb);
	if (limbs_divide(limb, 1000 * 1000 * 1000) != 0)
		return false;
	steps = strip(limb, 1024, 6);
	add_digits(limb, out);
	if (steps > 0)
		text_add(out, binary[steps - 1].text);
	return true;
}

void
quantity_format(const struct quantity *q, struct text *out)
{
	uint32_t limb[QUANTITY_LIMBS];
	int thousands;
	int tens;

	if (q->negative)
		text_add_char(out, '-');
	if (limbs_are_zero(q->limb)) {
		text_add_char(out, '0');
		return;
	}
	if (q->form == QUANTITY_BINARY && format_binary(q, out))
		return;
	memcpy(limb, q->limb, sizeof limb);
	thousands = strip(limb, 1000, LARGEST_SCALE / 3);
	tens = thousands * 3 - NANO_DIGITS;
	if (q->form != QUANTITY_EXPONENT && tens > 18) {
		for (; tens > 18; tens -= 3)
			(void)limbs_scale(limb, 1000, 0); /* it was that large before */
	}
	add_digits(limb, out);
	if (tens == 0)
		return;
	if (q->form == QUANTITY_EXPONENT) {
		text_printf(out, "e%d", tens);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(decimal); i++) {
		if (decimal[i].tens == tens)
			text_add(out, decimal[i].text);
	}
}
