#ifndef BACKEND_RUNTIME_CLEAN_H
#define BACKEND_RUNTIME_CLEAN_H

/*
 * Text from outside made harmless for logs and events (trust.md 4.D): bad UTF-8 becomes U+FFFD;
 * control, bidirectional, zero-width, tag and private-use characters become a visible \u{XXXX}.
 * Characters are filtered; no escape sequence is parsed.
 *
 * Ownership: appends to the caller's text. Threads: pure. Failure: the text's own.
 */

#include "model/base/text.h"

void clean_add(struct text *out, struct str s);
/* The same between double quotes, with quotes and backslashes escaped, when `s` needs them. */
void clean_add_quoted(struct text *out, struct str s);

#endif
