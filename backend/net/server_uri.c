#include "backend/net/server_int.h"

#include <string.h>

#include "model/base/mem.h"

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Into room for raw.n + 1 bytes. */
static bool
unescape(struct str raw, bool plus_is_space, char *out)
{
	size_t n = 0;

	for (size_t i = 0; i < raw.n; i++) {
		char c = raw.p[i];

		if (c == '+' && plus_is_space) {
			c = ' ';
		} else if (c == '%') {
			bool whole = raw.n - i > 2;
			int high = whole ? hex_digit(raw.p[i + 1]) : -1;
			int low = whole ? hex_digit(raw.p[i + 2]) : -1;

			if (high < 0 || low < 0)
				return false;
			c = (char)(high * 16 + low);
			i += 2;
		}
		if (c == '\0')
			return false;
		out[n++] = c;
	}
	out[n] = '\0';
	return true;
}

bool
path_decode(struct str raw, char **ret_path)
{
	char *out = NULL;

	if (raw.n == 0 || raw.p[0] != '/')
		return false;
	out = mem_new(raw.n + 1);
	if (out == NULL)
		return false;
	if (!unescape(raw, false, out) || !utf8_valid(str_from(out))) {
		mem_free(out);
		return false;
	}
	*ret_path = out;
	return true;
}

static char *
query_part(struct arena *a, struct str raw)
{
	char *out = arena_get(a, raw.n + 1);

	return out != NULL && unescape(raw, true, out) ? out : NULL;
}

bool
query_parse(struct arena *a, struct str raw, struct server_param **ret_params)
{
	struct server_param *first = NULL;
	struct server_param **last = &first;
	struct str piece;
	unsigned count = 0;

	while (str_split(&raw, '&', &piece)) {
		ptrdiff_t eq = str_find_char(piece, '=');
		struct str name = eq >= 0 ? str_sub(piece, 0, (size_t)eq) : piece;
		struct str value =
		    eq >= 0 ? str_sub(piece, (size_t)eq + 1, piece.n) : (struct str){ 0 };
		struct server_param *p = NULL;

		if (piece.n == 0)
			continue;
		p = arena_get(a, sizeof(*p));
		if (p == NULL || ++count > SERVER_MAX_PARAMS)
			return false;
		p->name = query_part(a, name);
		p->value = query_part(a, value);
		if (p->name == NULL || p->value == NULL)
			return false;
		*last = p;
		last = &p->next;
	}
	*ret_params = first;
	return true;
}

const char *
query_find(const struct server_param *params, const char *name)
{
	for (const struct server_param *p = params; p != NULL; p = p->next) {
		if (strcmp(p->name, name) == 0)
			return p->value;
	}
	return NULL;
}
