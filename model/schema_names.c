#include "model/schema_int.h"

static bool
is_lower_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool
is_alnum(char c)
{
	return is_lower_alnum(c) || (c >= 'A' && c <= 'Z');
}

bool
name_is_label(struct str s)
{
	if (s.n == 0 || s.n > 63 || !is_lower_alnum(s.p[0]) || !is_lower_alnum(s.p[s.n - 1]))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (!is_lower_alnum(s.p[i]) && s.p[i] != '-')
			return false;
	}
	return true;
}

bool
name_is_subdomain(struct str s)
{
	struct str rest = s, piece;

	if (s.n == 0 || s.n > 253)
		return false;
	while (str_split(&rest, '.', &piece)) {
		if (piece.n == 0 || !is_lower_alnum(piece.p[0]) ||
		    !is_lower_alnum(piece.p[piece.n - 1]))
			return false;
		for (size_t i = 0; i < piece.n; i++) {
			if (!is_lower_alnum(piece.p[i]) && piece.p[i] != '-')
				return false;
		}
	}
	return true;
}

/* Letters and digits at both ends; '-', '_' and '.' between. */
static bool
is_word(struct str s)
{
	if (s.n == 0 || s.n > 63 || !is_alnum(s.p[0]) || !is_alnum(s.p[s.n - 1]))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (!is_alnum(s.p[i]) && s.p[i] != '-' && s.p[i] != '_' && s.p[i] != '.')
			return false;
	}
	return true;
}

bool
name_is_qualified(struct str s)
{
	ptrdiff_t slash = str_find_char(s, '/');

	if (slash < 0)
		return is_word(s);
	return name_is_subdomain(str_sub(s, 0, (size_t)slash)) &&
	       is_word(str_sub(s, (size_t)slash + 1, s.n));
}

bool
name_is_label_value(struct str s)
{
	return s.n == 0 || is_word(s);
}
