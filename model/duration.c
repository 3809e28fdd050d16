#include "model/duration.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE };

struct unit {
	const char *name;
	double ms;
};

static const struct unit units[] = {
	{ "ns", 1e-6 }, { "us", 1e-3 },	 { "\xc2\xb5s", 1e-3 }, { "ms", 1 },
	{ "s", SECOND }, { "m", MINUTE }, { "h", HOUR },
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* One "1.5h" at the front of *s. */
static bool
parse_part(struct str *s, double *ret_ms)
{
	size_t n = 0;
	size_t k;
	double value;

	while (n < s->n && (is_digit(s->p[n]) || s->p[n] == '.'))
		n++;
	for (k = n; k < s->n && !is_digit(s->p[k]) && s->p[k] != '.';)
		k++;
	if (n == 0 || n > 30 || !str_to_double((struct str){ s->p, n }, &value))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (str_is(str_sub(*s, n, k - n), units[i].name)) {
			*ret_ms = value * units[i].ms;
			*s = (struct str){ s->p + k, s->n - k };
			return true;
		}
	}
	return false;
}

bool
duration_parse(struct str text, int64_t *ret_ms, struct error *err)
{
	struct str s = text;
	bool negative = s.n > 0 && s.p[0] == '-';
	double total = 0;
	double part;

	if (s.n > 0 && (s.p[0] == '-' || s.p[0] == '+'))
		s = (struct str){ s.p + 1, s.n - 1 };
	if (str_is(s, "0")) {
		*ret_ms = 0;
		return true;
	}
	do {
		if (s.n == 0 || text.n > 100 || !parse_part(&s, &part))
			return error_set(err, ERR_INVALID,
			    "'%.*s' is not a duration (such as 30s, 5m or 1h30m)",
			    (int)(text.n > 100 ? 100 : text.n), text.p == NULL ? "" : text.p);
		total += part;
	} while (s.n > 0);
	if (total > 9.2e18 / 1e6) /* Go's durations hold 292 years */
		return error_set(err, ERR_INVALID, "duration '" STR_FMT "' is too long",
		    STR_ARG(text));
	*ret_ms = (int64_t)(negative ? -total : total);
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
