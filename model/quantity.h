#ifndef MODEL_QUANTITY_H
#define MODEL_QUANTITY_H

/*
 * Kubernetes quantities ("80Gi", "250m", "1.5e3"), exact (spec/reconcile.md 13.3): whole numbers of
 * 10^-9, rounded away from zero; with a binary suffix never beyond +-(2^63-1), else as large as
 * they are written, up to about 10^140.
 *
 * Threads: pure. Failure: text that is no quantity, or one beyond the range.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/text.h"

enum { QUANTITY_LIMBS = 16, QUANTITY_MAX_TEXT = 128 };

enum quantity_form { QUANTITY_DECIMAL, QUANTITY_BINARY, QUANTITY_EXPONENT };

struct quantity {
	bool negative;		       /* never of zero */
	enum quantity_form form;       /* how it was written, and will be */
	uint32_t limb[QUANTITY_LIMBS]; /* in 10^-9, lowest first */
};

bool quantity_parse(struct str text, struct quantity *ret, struct error *err) MUST_CHECK;
struct quantity quantity_from_int(int64_t value);
int quantity_sign(const struct quantity *q);
int quantity_cmp(const struct quantity *a, const struct quantity *b);

/* False when the result is beyond the range. The form is that of a. */
bool quantity_add(
    const struct quantity *a, const struct quantity *b, struct quantity *ret) MUST_CHECK;
bool quantity_sub(
    const struct quantity *a, const struct quantity *b, struct quantity *ret) MUST_CHECK;

/* False when it is not whole or does not fit. */
bool quantity_to_int(const struct quantity *q, int64_t *ret_value) MUST_CHECK;
double quantity_to_double(const struct quantity *q);

/* The canonical form, which reads back as the same value: "46068Mi", "1500m", "2560e18". */
void quantity_format(const struct quantity *q, struct text *out);

#endif
