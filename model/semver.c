#include "model/semver.h"

#include <string.h>

#include "model/base/mem.h"

enum { SEMVER_MAX_TEXT = 256 };

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_numeric(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (!is_digit(s.p[i]))
			return false;
	}
	return s.n > 0;
}

/* Digits without a leading zero that fit 64 bits. */
static bool
parse_number(struct str s, uint64_t *ret_value)
{
	uint64_t value = 0;

	if (!is_numeric(s) || (s.n > 1 && s.p[0] == '0'))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(s.p[i] - '0'), &value))
			return false;
	}
	*ret_value = value;
	return true;
}

static bool
is_identifier(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		char lower = (char)(c | 0x20);

		if (!is_digit(c) && !(lower >= 'a' && lower <= 'z') && c != '-')
			return false;
	}
	return s.n > 0;
}

/* Identifiers between dots; of a pre-release, numbers have no leading zero. */
static bool
check_identifiers(struct str s, bool pre)
{
	struct str piece;
	uint64_t number;

	while (str_split(&s, '.', &piece)) {
		if (!is_identifier(piece))
			return false;
		if (pre && is_numeric(piece) && !parse_number(piece, &number))
			return false;
	}
	return true;
}

/* Cuts what follows the first c off *s. False when something must follow and does not fit. */
static bool
cut_tail(struct str *s, char c, struct str *ret_tail)
{
	ptrdiff_t at = str_find_char(*s, c);

	*ret_tail = (struct str){ NULL, 0 };
	if (at < 0)
		return true;
	*ret_tail = (struct str){ s->p + at + 1, s->n - (size_t)at - 1 };
	s->n = (size_t)at;
	return ret_tail->n > 0 && check_identifiers(*ret_tail, c == '-');
}

static bool
parse(struct str s, struct semver *ret)
{
	struct semver v = { .number = { 0 } };
	struct str build;
	struct str piece;
	size_t n = 0;

	if (s.n == 0 || s.n > SEMVER_MAX_TEXT)
		return false;
	if (!cut_tail(&s, '+', &build) || !cut_tail(&s, '-', &v.pre))
		return false;
	while (str_split(&s, '.', &piece)) {
		if (n == 3 || !parse_number(piece, &v.number[n]))
			return false;
		n++;
	}
	if (n != 3)
		return false;
	*ret = v;
	return true;
}

bool
semver_parse(struct str text, struct semver *ret, struct error *err)
{
	return parse(text, ret) ||
	       error_set(err, ERR_INVALID, "'%.*s' is not a semantic version (major.minor.patch)",
		   (int)(text.n > SEMVER_MAX_TEXT ? SEMVER_MAX_TEXT : text.n),
		   text.p == NULL ? "" : text.p);
}

/* Strips leading zeroes of a part longer than one character, but leaves a digit in front. */
static void
add_part(struct text *out, struct str part)
{
	size_t i = 0;

	if (part.n > 1) {
		while (i < part.n && part.p[i] == '0')
			i++;
		if (i == part.n || !is_digit(part.p[i]))
			text_add_char(out, '0');
	}
	text_add_str(out, str_sub(part, i, part.n));
}

bool
semver_normalise(struct arena *a, struct str text, struct semver *ret, struct error *err)
{
	struct text out = TEXT_INIT(SEMVER_MAX_TEXT + 16);
	struct str rest = text;
	struct str part = { NULL, 0 };
	struct str whole = { NULL, 0 };
	int n = 0;
	bool ok = false;

	if (rest.n > 0 && rest.p[0] == 'v')
		rest = (struct str){ rest.p + 1, rest.n - 1 };
	while (n < 2 && str_split(&rest, '.', &part)) {
		if (n++ > 0)
			text_add_char(&out, '.');
		add_part(&out, part);
	}
	if (n == 2 && rest.p != NULL) {
		part = rest;
		text_add_char(&out, '.');
		add_part(&out, part);
		n++;
	}
	if (n < 3 && (str_find_char(part, '+') >= 0 || str_find_char(part, '-') >= 0)) {
		error_set(err, ERR_INVALID, "version '%.*s' needs three parts before '-' or '+'",
		    (int)(text.n > SEMVER_MAX_TEXT ? SEMVER_MAX_TEXT : text.n), text.p);
		goto out;
	}
	for (; n < 3; n++)
		text_add(&out, ".0");
	if (!text_ok(&out, "version", err))
		goto out;
	whole = str_copy(a, text_str(&out));
	if (whole.p == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for a version");
		goto out;
	}
	ok = semver_parse(whole, ret, err);
out:
	text_free(&out);
	return ok;
}

static int
order_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int
identifier_cmp(struct str a, struct str b)
{
	int order = str_cmp(a, b);
	uint64_t x;
	uint64_t y;
	bool na = parse_number(a, &x);
	bool nb = parse_number(b, &y);

	if (na && nb)
		return order_u64(x, y);
	if (na != nb)
		return na ? -1 : 1;
	return order < 0 ? -1 : order > 0;
}

static int
pre_cmp(struct str a, struct str b)
{
	struct str x;
	struct str y;

	if (a.n == 0 || b.n == 0)
		return (a.n == 0) - (b.n == 0);
	for (;;) {
		bool more_a = str_split(&a, '.', &x);
		bool more_b = str_split(&b, '.', &y);
		int order;

		if (!more_a || !more_b)
			return more_a - more_b;
		order = identifier_cmp(x, y);
		if (order != 0)
			return order;
	}
}

int
semver_cmp(const struct semver *a, const struct semver *b)
{
	for (size_t i = 0; i < 3; i++) {
		int order = order_u64(a->number[i], b->number[i]);

		if (order != 0)
			return order;
	}
	return pre_cmp(a->pre, b->pre);
}
