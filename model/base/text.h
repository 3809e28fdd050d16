#ifndef MODEL_BASE_TEXT_H
#define MODEL_BASE_TEXT_H

/*
 * Text to read (struct str: a borrowed piece of bytes) and text to build (struct text: an owned
 * buffer). A struct text is never NULL, always terminated, has a limit from birth, and remembers
 * failure: append as often as you like and ask text_ok once.
 *
 * Ownership: a struct str borrows; whoever made it says how long it lives. A struct text owns its
 * bytes until text_free or text_take.
 * Threads: pure.
 * Failure: beyond the limit or without memory the text keeps what it had and text_ok says why.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/macros.h"

struct arena;

struct str {
	const char *p; /* not terminated; may be NULL when n is 0 */
	size_t n;
};

#define STR(literal) ((struct str){ (literal), sizeof(literal) - 1 })
#define STR_FMT	     "%.*s"
#define STR_ARG(s)   (int)(s).n, ((s).p != NULL ? (s).p : "")

struct str str_from(const char *terminated); /* borrows; NULL gives the empty one */
bool str_eq(struct str a, struct str b);
bool str_is(struct str a, const char *terminated);
bool str_eq_nocase(struct str a, struct str b); /* ASCII letters only */
int str_cmp(struct str a, struct str b);	/* by bytes; shorter first */
bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
ptrdiff_t str_find(struct str s, struct str needle);	 /* offset or -1 */
ptrdiff_t str_find_char(struct str s, char c);		 /* offset or -1 */
struct str str_sub(struct str s, size_t from, size_t n); /* clipped to s */
struct str str_trim(struct str s);			 /* ASCII white space at both ends */

/* Cuts the piece before the first c off *rest; false when *rest was used up. */
bool str_split(struct str *rest, char c, struct str *ret_piece);

/* Whole decimal numbers without sign tricks or white space; false on overflow or other text. */
bool str_to_int(struct str s, int64_t *ret_value) MUST_CHECK;
bool str_to_double(struct str s, double *ret_value) MUST_CHECK;

/* Copies; NULL without memory. The arena's lives as long as the arena. */
char *str_dup(struct str s) MUST_CHECK;
struct str str_copy(struct arena *a, struct str s);

struct text {
	char *p;
	size_t n;
	size_t cap;
	size_t limit;
	bool too_long;
	bool no_memory;
};

#define TEXT_INIT(limit_bytes)                                                                     \
	{                                                                                          \
		.limit = (limit_bytes)                                                             \
	}

void text_add(struct text *t, const char *terminated);
void text_add_str(struct text *t, struct str s);
void text_add_char(struct text *t, char c);
void text_add_int(struct text *t, int64_t value);
void text_printf(struct text *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void text_add_url(struct text *t, struct str s);    /* percent-encoded, RFC 3986 unreserved kept */
void text_add_base64(struct text *t, struct str s); /* RFC 4648, padded */
void text_add_base64url(struct text *t, struct str s); /* RFC 4648 section 5, not padded */
void text_add_hex(struct text *t, struct str s);

/* True when every step went well; otherwise fills err, naming `what`. */
bool text_ok(const struct text *t, const char *what, struct error *err) MUST_CHECK;
const char *text_get(const struct text *t); /* borrows; "" when empty */
struct str text_str(const struct text *t);  /* borrows */
char *text_take(struct text *t);	    /* owns; NULL without memory; t is empty again */
void text_clear(struct text *t);
void text_free(struct text *t);

/* Strict RFC 4648; false on bad input. The result lives in the arena. */
bool base64_decode(struct arena *a, struct str s, struct str *ret_bytes) MUST_CHECK;

/* Strict UTF-8 (no surrogates, no overlong forms). Returns the length of a character, 0 if bad. */
size_t utf8_decode(struct str s, uint32_t *ret_char);
bool utf8_valid(struct str s);
size_t utf8_length(struct str s); /* code points; s must be valid */

#endif
