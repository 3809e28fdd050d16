#include "model/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

struct str
str_from(const char *terminated)
{
	return (struct str){ terminated, terminated == NULL ? 0 : strlen(terminated) };
}

bool
str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool
str_is(struct str a, const char *terminated)
{
	return str_eq(a, str_from(terminated));
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool
str_eq_nocase(struct str a, struct str b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++) {
		if (lower(a.p[i]) != lower(b.p[i]))
			return false;
	}
	return true;
}

int
str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n == 0 ? 0 : memcmp(a.p, b.p, n);

	if (order != 0)
		return order;
	return a.n < b.n ? -1 : a.n > b.n;
}

bool
str_starts(struct str s, struct str prefix)
{
	return s.n >= prefix.n && str_eq((struct str){ s.p, prefix.n }, prefix);
}

bool
str_ends(struct str s, struct str suffix)
{
	return s.n >= suffix.n && str_eq(str_sub(s, s.n - suffix.n, suffix.n), suffix);
}

ptrdiff_t
str_find(struct str s, struct str needle)
{
	const char *hit;

	if (needle.n == 0)
		return 0;
	if (s.n < needle.n)
		return -1;
	hit = memmem(s.p, s.n, needle.p, needle.n);
	return hit == NULL ? -1 : hit - s.p;
}

ptrdiff_t
str_find_char(struct str s, char c)
{
	return str_find(s, (struct str){ &c, 1 });
}

struct str
str_sub(struct str s, size_t from, size_t n)
{
	if (from >= s.n)
		return (struct str){ NULL, 0 };
	if (n > s.n - from)
		n = s.n - from;
	return (struct str){ s.p + from, n };
}

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str
str_trim(struct str s)
{
	while (s.n > 0 && is_space(s.p[0])) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && is_space(s.p[s.n - 1]))
		s.n--;
	return s;
}

bool
str_split(struct str *rest, char c, struct str *ret_piece)
{
	ptrdiff_t at;

	if (rest->p == NULL)
		return false;
	at = str_find_char(*rest, c);
	if (at < 0) {
		*ret_piece = *rest;
		*rest = (struct str){ NULL, 0 };
		return true;
	}
	*ret_piece = (struct str){ rest->p, (size_t)at };
	rest->p += at + 1;
	rest->n -= (size_t)at + 1;
	return true;
}

bool
str_to_int(struct str s, int64_t *ret_value)
{
	bool negative = s.n > 0 && s.p[0] == '-';
	int64_t value = 0;

	if (s.n == (size_t)negative)
		return false;
	for (size_t i = negative; i < s.n; i++) {
		int digit = s.p[i] - '0';

		if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_sub_overflow(value, digit, &value))
			return false;
	}
	/* Counted downwards, since the lowest number has no positive twin. */
	if (!negative && __builtin_sub_overflow((int64_t)0, value, &value))
		return false;
	*ret_value = value;
	return true;
}

bool
str_to_double(struct str s, double *ret_value)
{
	char copy[512];
	char *end;

	if (s.n == 0 || s.n >= sizeof copy || is_space(s.p[0]))
		return false;
	memcpy(copy, s.p, s.n);
	copy[s.n] = '\0';
	*ret_value = (strtod)(copy, &end); /* the one wrapper of a banned name */
	return end == copy + s.n;
}

char *
str_dup(struct str s)
{
	return mem_dup(s.p, s.n);
}

struct str
str_copy(struct arena *a, struct str s)
{
	char *p = arena_dup(a, s.p, s.n);

	return (struct str){ p, p == NULL ? 0 : s.n };
}

static bool
text_room(struct text *t, size_t more)
{
	size_t need;

	if (t->too_long || t->no_memory)
		return false;
	if (__builtin_add_overflow(t->n, more, &need) || need > t->limit) {
		t->too_long = true;
		return false;
	}
	if (!mem_grow((void **)&t->p, &t->cap, need + 1, 1)) {
		t->no_memory = true;
		return false;
	}
	return true;
}

void
text_add_str(struct text *t, struct str s)
{
	if (s.n == 0 || !text_room(t, s.n))
		return;
	memcpy(t->p + t->n, s.p, s.n);
	t->n += s.n;
	t->p[t->n] = '\0';
}

void
text_add(struct text *t, const char *terminated)
{
	text_add_str(t, str_from(terminated));
}

void
text_add_char(struct text *t, char c)
{
	text_add_str(t, (struct str){ &c, 1 });
}

void
text_add_int(struct text *t, int64_t value)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%lld", (long long)value);

	text_add_str(t, (struct str){ digits, (size_t)n });
}

void
text_printf(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0 || !text_room(t, (size_t)n))
		return;
	va_start(ap, fmt);
	(void)vsnprintf(t->p + t->n, (size_t)n + 1, fmt, ap);
	va_end(ap);
	t->n += (size_t)n;
}

void
text_add_url(struct text *t, struct str s)
{
	static const char hex[] = "0123456789ABCDEF";

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		bool kept = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
			    (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';

		if (kept) {
			text_add_char(t, (char)c);
		} else {
			text_add_char(t, '%');
			text_add_char(t, hex[c >> 4]);
			text_add_char(t, hex[c & 15]);
		}
	}
}

static void
add_base64(struct text *t, struct str s, const char *last_two, bool padded)
{
	static const char letters[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

	for (size_t i = 0; i < s.n; i += 3) {
		size_t left = s.n - i < 3 ? s.n - i : 3;
		uint32_t bits = 0;

		for (size_t k = 0; k < 3; k++)
			bits = bits << 8 | (k < left ? (unsigned char)s.p[i + k] : 0);
		for (size_t k = 0; k < 4; k++) {
			uint32_t six = bits >> (18 - 6 * k) & 63;

			if (k <= left)
				text_add_char(t, six < 62 ? letters[six] : last_two[six - 62]);
			else if (padded)
				text_add_char(t, '=');
		}
	}
}

void
text_add_base64(struct text *t, struct str s)
{
	add_base64(t, s, "+/", true);
}

void
text_add_base64url(struct text *t, struct str s)
{
	add_base64(t, s, "-_", false);
}

void
text_add_hex(struct text *t, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		text_printf(t, "%02x", (unsigned char)s.p[i]);
}

bool
text_ok(const struct text *t, const char *what, struct error *err)
{
	if (t->too_long)
		return error_set(err, ERR_TOO_LARGE, "%s is longer than %zu bytes", what, t->limit);
	if (t->no_memory)
		return error_set(err, ERR_NO_MEMORY, "no memory for %s", what);
	return true;
}

const char *
text_get(const struct text *t)
{
	return t->p == NULL ? "" : t->p;
}

struct str
text_str(const struct text *t)
{
	return (struct str){ text_get(t), t->n };
}

char *
text_take(struct text *t)
{
	char *p = t->p;

	if (p == NULL)
		p = mem_dup("", 0);
	t->p = NULL;
	t->n = 0;
	t->cap = 0;
	return p;
}

void
text_clear(struct text *t)
{
	t->n = 0;
	t->too_long = false;
	t->no_memory = false;
	if (t->p != NULL)
		t->p[0] = '\0';
}

void
text_free(struct text *t)
{
	mem_free(t->p);
	t->p = NULL;
	t->n = 0;
	t->cap = 0;
}

static int
base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+' || c == '-')
		return 62;
	if (c == '/' || c == '_')
		return 63;
	return -1;
}

bool
base64_decode(struct arena *a, struct str s, struct str *ret_bytes)
{
	size_t n = 0;
	uint32_t bits = 0;
	int nbits = 0;
	char *out;

	while (s.n > 0 && s.p[s.n - 1] == '=' && nbits < 2) {
		s.n--;
		nbits++;
	}
	nbits = 0;
	if (s.n % 4 == 1)
		return false;
	out = arena_get(a, s.n / 4 * 3 + 4);
	if (out == NULL)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		int six = base64_value(s.p[i]);

		if (six < 0)
			return false;
		bits = bits << 6 | (uint32_t)six;
		nbits += 6;
		if (nbits >= 8) {
			nbits -= 8;
			out[n++] = (char)(bits >> nbits & 255);
		}
	}
	if ((bits & ((1u << nbits) - 1)) != 0)
		return false;
	*ret_bytes = (struct str){ out, n };
	return true;
}

size_t
utf8_decode(struct str s, uint32_t *ret_char)
{
	static const uint32_t lowest[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first;
	size_t len;
	uint32_t c;

	if (s.n == 0)
		return 0;
	first = (unsigned char)s.p[0];
	if (first < 0x80) {
		*ret_char = first;
		return 1;
	}
	len = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	if (first < 0xc2 || first > 0xf4 || s.n < len)
		return 0;
	c = first & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		unsigned char next = (unsigned char)s.p[i];

		if ((next & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (next & 0x3f);
	}
	if (c < lowest[len] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*ret_char = c;
	return len;
}

bool
utf8_valid(struct str s)
{
	uint32_t c;

	while (s.n > 0) {
		size_t n = utf8_decode(s, &c);

		if (n == 0)
			return false;
		s.p += n;
		s.n -= n;
	}
	return true;
}

size_t
utf8_length(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	return n;
}
