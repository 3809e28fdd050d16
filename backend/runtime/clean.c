#include "backend/runtime/clean.h"

#include "model/base/macros.h"

struct range {
	uint32_t first, last;
};

/* What must be seen instead of obeyed. Sorted; Unicode 15. */
static const struct range unsafe_ranges[] = {
	{ 0x0000, 0x001F },
	{ 0x007F, 0x009F },
	{ 0x00AD, 0x00AD },
	{ 0x034F, 0x034F },
	{ 0x061C, 0x061C },
	{ 0x115F, 0x1160 },
	{ 0x17B4, 0x17B5 },
	{ 0x180B, 0x180F },
	{ 0x200B, 0x200F },
	{ 0x2028, 0x202E },
	{ 0x2060, 0x206F },
	{ 0x3164, 0x3164 },
	{ 0xE000, 0xF8FF },
	{ 0xFE00, 0xFE0F },
	{ 0xFEFF, 0xFEFF },
	{ 0xFFA0, 0xFFA0 },
	{ 0xFFF0, 0xFFFB },
	{ 0xFFFE, 0xFFFF },
	{ 0x1BCA0, 0x1BCA3 },
	{ 0x1D173, 0x1D17A },
	{ 0xE0000, 0xE0FFF },
	{ 0xF0000, 0x10FFFF },
};

static bool
is_unsafe(uint32_t c)
{
	for (size_t i = 0; i < ARRAY_LEN(unsafe_ranges) && unsafe_ranges[i].first <= c; i++) {
		if (c <= unsafe_ranges[i].last)
			return true;
	}
	return false;
}

static void
add_filtered(struct text *out, struct str s, bool quoted)
{
	uint32_t c = 0;
	size_t n;

	while (s.n > 0) {
		n = utf8_decode(s, &c);
		if (n == 0) {
			text_add(out, "\xEF\xBF\xBD");
			n = 1;
		} else if (is_unsafe(c)) {
			text_printf(out, "\\u{%04X}", (unsigned)c);
		} else {
			if (quoted && (c == '"' || c == '\\'))
				text_add_char(out, '\\');
			text_add_str(out, str_sub(s, 0, n));
		}
		s = str_sub(s, n, s.n - n);
	}
}

void
clean_add(struct text *out, struct str s)
{
	add_filtered(out, s, false);
}

static bool
needs_quotes(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c <= ' ' || c == '"' || c == '=' || c == '\\' || c >= 0x7F)
			return true;
	}
	return s.n == 0;
}

void
clean_add_quoted(struct text *out, struct str s)
{
	bool quotes = needs_quotes(s);

	if (quotes)
		text_add_char(out, '"');
	add_filtered(out, s, quotes);
	if (quotes)
		text_add_char(out, '"');
}
