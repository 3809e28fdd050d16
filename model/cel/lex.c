#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/cel/cel_int.h"

#define X(id, text) [SIGN_##id] = (text),
static const char *const signs[SIGN__MAX] = { SIGNS(X) };
#undef X

const char *
cel_sign_text(enum sign s)
{
	return signs[s];
}

bool
cel_bad(struct error *err, uint32_t at, const char *fmt, ...)
{
	char what[ERROR_CAUSE_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	return error_set(err, ERR_INVALID, "at character %u: %s", (unsigned)at + 1, what);
}

static bool
is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool
is_word(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

static int
char_at(const struct lexer *lx, size_t i)
{
	return i < lx->whole.n ? (unsigned char)lx->whole.p[i] : -1;
}

/* Characters before pos, which only grows. */
static uint32_t
place(struct lexer *lx, size_t pos)
{
	lx->count += (uint32_t)utf8_length(str_sub(lx->whole, lx->counted, pos - lx->counted));
	lx->counted = pos;
	return lx->count;
}

static void
skip_space(struct lexer *lx)
{
	for (;;) {
		int c = char_at(lx, lx->pos);

		if (c == ' ' || (c >= '\t' && c <= '\r')) {
			lx->pos++;
		} else if (c == '/' && char_at(lx, lx->pos + 1) == '/') {
			while (char_at(lx, lx->pos) >= 0 && char_at(lx, lx->pos) != '\n')
				lx->pos++;
		} else {
			return;
		}
	}
}

static void
take_digits(struct lexer *lx)
{
	while (is_digit(char_at(lx, lx->pos)))
		lx->pos++;
}

static bool
lex_number(struct lexer *lx)
{
	size_t from = lx->pos;

	lx->token.kind = T_INT;
	if (char_at(lx, from) == '0' && (char_at(lx, from + 1) | 0x20) == 'x') {
		lx->pos += 2;
		while (is_word(char_at(lx, lx->pos)))
			lx->pos++;
	} else {
		take_digits(lx);
		if (char_at(lx, lx->pos) == '.' && is_digit(char_at(lx, lx->pos + 1))) {
			lx->token.kind = T_DOUBLE;
			lx->pos++;
			take_digits(lx);
		}
		if ((char_at(lx, lx->pos) | 0x20) == 'e') {
			lx->token.kind = T_DOUBLE;
			lx->pos++;
			if (char_at(lx, lx->pos) == '+' || char_at(lx, lx->pos) == '-')
				lx->pos++;
			take_digits(lx);
		}
	}
	lx->token.text = str_sub(lx->whole, from, lx->pos - from);
	if (is_word(char_at(lx, lx->pos)))
		return cel_bad(
		    lx->err, lx->token.at, "wrong number (unsigned ones are not supported)");
	return true;
}

struct string_form {
	bool raw, triple;
	char quote;
};

static bool
add_utf8(struct text *out, uint32_t c)
{
	if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return false;
	if (c < 0x80) {
		text_add_char(out, (char)c);
	} else if (c < 0x800) {
		text_add_char(out, (char)(0xc0 | c >> 6));
	} else if (c < 0x10000) {
		text_add_char(out, (char)(0xe0 | c >> 12));
		text_add_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
	} else {
		text_add_char(out, (char)(0xf0 | c >> 18));
		text_add_char(out, (char)(0x80 | (c >> 12 & 0x3f)));
		text_add_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	if (c >= 0x80)
		text_add_char(out, (char)(0x80 | (c & 0x3f)));
	return true;
}

struct escape_form {
	char letter;
	unsigned digits, base;
};

static const struct escape_form coded[] = {
	{ 'x', 2, 16 },
	{ 'X', 2, 16 },
	{ 'u', 4, 16 },
	{ 'U', 8, 16 },
	{ '0', 3, 8 },
	{ '1', 3, 8 },
	{ '2', 3, 8 },
	{ '3', 3, 8 },
};

static bool
lex_coded(struct lexer *lx, const struct escape_form *form, struct text *out)
{
	uint64_t value = 0;

	if (form->base == 16)
		lx->pos++;
	for (unsigned i = 0; i < form->digits; i++, lx->pos++) {
		int c = char_at(lx, lx->pos);
		int lower = c | 0x20;
		unsigned digit = 99;

		if (is_digit(c))
			digit = (unsigned)(c - '0');
		else if (lower >= 'a' && lower <= 'f')
			digit = (unsigned)(lower - 'a') + 10;
		if (digit >= form->base)
			return cel_bad(lx->err, place(lx, lx->pos), "wrong escape in a string");
		value = value * form->base + digit;
	}
	return add_utf8(out, value > UINT32_MAX ? UINT32_MAX : (uint32_t)value) ||
	       cel_bad(lx->err, place(lx, lx->pos), "wrong character in a string");
}

/* After a backslash. */
static bool
lex_escape(struct lexer *lx, struct text *out)
{
	static const char from[] = "abfnrtv\\?\"'`";
	static const char to[] = "\a\b\f\n\r\t\v\\?\"'`";
	int c = char_at(lx, lx->pos);
	const char *hit = c > 0 ? strchr(from, c) : NULL;

	if (hit != NULL) {
		text_add_char(out, to[hit - from]);
		lx->pos++;
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(coded); i++) {
		if (c == coded[i].letter)
			return lex_coded(lx, &coded[i], out);
	}
	return cel_bad(lx->err, place(lx, lx->pos), "unknown escape in a string");
}

/* Whether the closing quotes stand here; then goes over them. */
static bool
take_quotes(struct lexer *lx, const struct string_form *f)
{
	size_t n = f->triple ? 3 : 1;

	for (size_t i = 0; i < n; i++) {
		if (char_at(lx, lx->pos + i) != f->quote)
			return false;
	}
	lx->pos += n;
	return true;
}

static bool
lex_string_body(struct lexer *lx, const struct string_form *f, struct text *out)
{
	while (!take_quotes(lx, f)) {
		int c = char_at(lx, lx->pos);

		if (c < 0 || (c == '\n' && !f->triple))
			return cel_bad(lx->err, lx->token.at, "string without an end");
		lx->pos++;
		if (c == '\\' && !f->raw) {
			if (!lex_escape(lx, out))
				return false;
		} else {
			text_add_char(out, (char)c);
		}
	}
	return true;
}

static bool
lex_string(struct lexer *lx)
{
	struct string_form f = { .raw = false };
	struct text out = TEXT_INIT((size_t)CEL_MAX_TEXT * 4);
	bool ok = false;

	if ((char_at(lx, lx->pos) | 0x20) == 'r') {
		f.raw = true;
		lx->pos++;
	}
	f.quote = (char)char_at(lx, lx->pos++);
	if (char_at(lx, lx->pos) == f.quote && char_at(lx, lx->pos + 1) == f.quote) {
		f.triple = true;
		lx->pos += 2;
	}
	lx->token.kind = T_STRING;
	if (!lex_string_body(lx, &f, &out) || !text_ok(&out, "string in an expression", lx->err))
		goto out;
	lx->token.text = str_copy(lx->arena, text_str(&out));
	ok = lx->token.text.p != NULL ||
	     error_set(lx->err, ERR_NO_MEMORY, "no memory for an expression");
out:
	text_free(&out);
	return ok;
}

static bool
lex_sign(struct lexer *lx)
{
	struct str rest = str_sub(lx->whole, lx->pos, 2);

	for (int i = 0; i < SIGN__MAX; i++) {
		if (str_starts(rest, str_from(signs[i]))) {
			lx->token.kind = T_SIGN;
			lx->token.sign = (enum sign)i;
			lx->token.text = str_from(signs[i]);
			lx->pos += lx->token.text.n;
			return true;
		}
	}
	return cel_bad(lx->err, lx->token.at, "unexpected character");
}

bool
cel_next(struct lexer *lx)
{
	size_t from;
	int c;
	int second;

	skip_space(lx);
	lx->token = (struct token){ .kind = T_END, .sign = SIGN__MAX, .at = place(lx, lx->pos) };
	c = char_at(lx, lx->pos);
	second = char_at(lx, lx->pos + 1);
	if (c < 0)
		return true;
	if (is_digit(c) || (c == '.' && is_digit(second)))
		return lex_number(lx);
	if (c == '"' || c == '\'' || ((c | 0x20) == 'r' && (second == '"' || second == '\'')))
		return lex_string(lx);
	if (!is_word(c))
		return lex_sign(lx);
	from = lx->pos;
	while (is_word(char_at(lx, lx->pos)))
		lx->pos++;
	lx->token.kind = T_WORD;
	lx->token.text = str_sub(lx->whole, from, lx->pos - from);
	return true;
}
