#include "backend/sim/url.h"

#include "model/base/mem.h"

static int
hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

struct str
url_decode(struct arena *a, struct str s, bool form)
{
	char *p = arena_get(a, s.n + 1);
	size_t n = 0;

	if (p == NULL)
		return (struct str){ 0 };
	for (size_t i = 0; i < s.n; i++) {
		char ch = s.p[i];

		if (ch == '%' && s.n - i > 2 && hex_value(s.p[i + 1]) >= 0 &&
		    hex_value(s.p[i + 2]) >= 0) {
			ch = (char)(hex_value(s.p[i + 1]) * 16 + hex_value(s.p[i + 2]));
			i += 2;
		} else if (form && ch == '+') {
			ch = ' ';
		}
		p[n++] = ch;
	}
	return (struct str){ p, n };
}

struct str
url_value(struct arena *a, struct str pairs, const char *name, bool form)
{
	struct str pair;

	while (str_split(&pairs, '&', &pair)) {
		ptrdiff_t eq = str_find_char(pair, '=');
		struct str key = url_decode(a, eq < 0 ? pair : str_sub(pair, 0, (size_t)eq), form);

		if (str_eq_nocase(key, str_from(name)))
			return eq < 0 ? STR("")
				      : url_decode(a, str_sub(pair, (size_t)eq + 1, pair.n), form);
	}
	return (struct str){ 0 };
}
