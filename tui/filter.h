#ifndef TUI_FILTER_H
#define TUI_FILTER_H

/*
 * What an operator types behind '/': which rows stay.
 *
 *   web                 any cell has this text, letters of either case
 *   "two words"         the same, with blanks
 *   re:^eks-            an extended regular expression on any cell
 *   !lab                rows for which the term does not hold
 *   -l tier=prod,a!=b   a label selector (key, !key, =, ==, !=)
 *   gpus>16 age<2d      a column by its name: = != > < >= <= and ':' for "contains"
 *   a b                 both hold            a | b    either holds
 *
 * Ownership: filter_fini. Threads: main only. Failure: a filter that cannot be understood keeps the
 * one before and says what is wrong. Limits: FILTER_MAX bytes, FILTER_MAX_TERMS terms.
 */

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"

struct pane;
struct view;

enum { FILTER_MAX = 160, FILTER_MAX_TERMS = 8 };

enum filter_op { OP_HAS, OP_EQ, OP_NE, OP_GT, OP_LT, OP_GE, OP_LE };

enum filter_what { TERM_TEXT, TERM_REGEX, TERM_LABELS, TERM_COLUMN };

struct filter_term {
	enum filter_what what;
	enum filter_op op;
	bool negate;
	bool either; /* begins the next alternative */
	int column;
	bool numeric;
	int64_t number;
	char value[FILTER_MAX];
	regex_t regex;
	bool compiled;
};

struct filter {
	struct filter_term terms[FILTER_MAX_TERMS];
	size_t n;
};

bool filter_parse(
    const struct pane *p, struct str text, struct filter *ret_filter, struct error *err) MUST_CHECK;
void filter_fini(struct filter *f);
bool filter_matches(const struct filter *f, const struct view *v, size_t row);
/* "16", "2d", "4h": a number, or a duration in seconds. */
bool filter_number(struct str s, int64_t *ret);
bool text_has_nocase(struct str hay, struct str needle);

#endif
