#ifndef MODEL_REGEX_H
#define MODEL_REGEX_H

/*
 * Regular expressions without backtracking: time grows with pattern times text, never faster, so a
 * hostile pattern or text cannot stall. The syntax is the common part of RE2: literals, '.',
 * classes with ranges, \d \w \s and POSIX names, groups, alternatives, * + ? {n,m}, anchors, and
 * the flags (?i) and (?s) in front. A match is looked for anywhere in the text; only whether there
 * is one is told.
 *
 * Ownership: a compiled pattern lives in its arena and is immutable; threads may share it.
 * Failure: a pattern that is wrong or too big; a match fails only without memory.
 */

#include <stdbool.h>

#include "model/base/text.h"

struct arena;
struct regex;

enum {
	REGEX_MAX_TEXT = 4096,
	REGEX_MAX_STEPS = 20000,
	REGEX_MAX_REPEAT = 1000,
	REGEX_MAX_DEPTH = 64
};

const struct regex *regex_compile(
    struct arena *a, struct str pattern, struct error *err) MUST_CHECK;
bool regex_search(
    const struct regex *re, struct str text, bool *ret_found, struct error *err) MUST_CHECK;
/* What a search costs for each byte of text, at most. */
size_t regex_size(const struct regex *re);

#endif
