#include "model/duration.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE };

struct unit {
	const char *name;
	int64_t ns;
};

static const struct unit units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "\xc2\xb5s", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "m", 60000000000 },
	{ "h", 3600000000000 },
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const struct unit *
find_unit(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (str_is(name, units[i].name))
			return &units[i];
	}
	return NULL;
}

/* "1.5" of a unit, in whole numbers: a double would make 2017 ms of 2.018 s. */
static bool
scale(struct str number, int64_t unit_ns, int64_t *ret_ns)
{
	ptrdiff_t dot = str_find_char(number, '.');
	struct str whole = dot < 0 ? number : str_sub(number, 0, (size_t)dot);
	struct str part = dot < 0 ? STR("") : str_sub(number, (size_t)dot + 1, number.n);
	int64_t value = 0;

	if (whole.n == 0 && part.n == 0)
		return false;
	if (whole.n > 0 && !str_to_int(whole, &value))
		return false;
	if (__builtin_mul_overflow(value, unit_ns, ret_ns))
		return false;
	for (size_t i = 0; i < part.n; i++) {
		if (!is_digit(part.p[i]))
			return false;
		unit_ns /= 10;
		if (__builtin_add_overflow(*ret_ns, (part.p[i] - '0') * unit_ns, ret_ns))
			return false;
	}
	return true;
}

/* One "1.5h" at the front of *s. */
static bool
parse_part(struct str *s, int64_t *ret_ns)
{
	const struct unit *unit;
	size_t n = 0;
	size_t k;

	while (n < s->n && (is_digit(s->p[n]) || s->p[n] == '.'))
		n++;
	for (k = n; k < s->n && !is_digit(s->p[k]) && s->p[k] != '.';)
		k++;
	unit = find_unit(str_sub(*s, n, k - n));
	if (n == 0 || unit == NULL || !scale((struct str){ s->p, n }, unit->ns, ret_ns))
		return false;
	*s = (struct str){ s->p + k, s->n - k };
	return true;
}

bool
duration_parse(struct str text, int64_t *ret_ms, struct error *err)
{
	struct str s = text;
	bool negative = s.n > 0 && s.p[0] == '-';
	int64_t total = 0;
	int64_t part;

	if (s.n > 0 && (s.p[0] == '-' || s.p[0] == '+'))
		s = (struct str){ s.p + 1, s.n - 1 };
	if (str_is(s, "0")) {
		*ret_ms = 0;
		return true;
	}
	do {
		if (s.n == 0 || text.n > 100 || !parse_part(&s, &part) ||
		    __builtin_add_overflow(total, part, &total)) /* 292 years, as in Go */
			return error_set(err, ERR_INVALID,
			    "'%.*s' is not a duration (such as 30s, 5m or 1h30m)",
			    (int)(text.n > 100 ? 100 : text.n), text.p == NULL ? "" : text.p);
	} while (s.n > 0);
	*ret_ms = (negative ? -total : total) / 1000000;
	return true;
}

void
duration_format(int64_t ms, struct text *out)
{
	int64_t rest;

	if (ms < 0) {
		text_add_char(out, '-');
		ms = ms == INT64_MIN ? INT64_MAX : -ms;
	}
	if (ms == 0) {
		text_add(out, "0s");
		return;
	}
	if (ms < SECOND) {
		text_printf(out, "%lldms", (long long)ms);
		return;
	}
	if (ms >= HOUR)
		text_printf(out, "%lldh", (long long)(ms / HOUR));
	if (ms >= MINUTE)
		text_printf(out, "%lldm", (long long)(ms % HOUR / MINUTE));
	text_add_int(out, ms % MINUTE / SECOND);
	rest = ms % SECOND;
	if (rest > 0) {
		int width = 3;

		for (; rest % 10 == 0; rest /= 10)
			width--;
		text_printf(out, ".%0*lld", width, (long long)rest);
	}
	text_add_char(out, 's');
}
