/* Quantities, versions, durations, ranges, selectors: what is printed reads back as the same. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_quantity(struct str s, struct text *out)
{
	struct quantity q;
	struct quantity again;

	if (!quantity_parse(s, &q, NULL))
		return;
	quantity_format(&q, out);
	if (!quantity_parse(text_str(out), &again, NULL) || quantity_cmp(&q, &again) != 0)
		abort();
	if (quantity_sub(&q, &again, &again) && quantity_sign(&again) != 0)
		abort();
}

static void
check_range(struct str s, struct text *out)
{
	struct cidr c;
	struct cidr again;

	if (!cidr_parse(s, &c, NULL))
		return;
	cidr_format(&c, out);
	if (!cidr_parse(text_str(out), &again, NULL) || !cidr_is_network(&again) ||
	    !cidr_contains(&again, &c) || !cidr_overlaps(&c, &again))
		abort();
}

static void
check_selector(struct arena *a, struct str s, struct text *out)
{
	struct selector one;
	struct selector again;

	if (!selector_parse(a, s, &one, NULL))
		return;
	selector_format(&one, out);
	if (!selector_parse(a, text_str(out), &again, NULL) || one.nterms != again.nterms)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str s = { (const char *)data, size };
	struct arena *a = arena_new((size_t)16 << 20);
	struct text out = TEXT_INIT(1 << 20);
	struct semver v;
	int64_t ms;
	int64_t again;

	if (a == NULL)
		return 0;
	check_quantity(s, &out);
	text_clear(&out);
	check_range(s, &out);
	text_clear(&out);
	check_selector(a, s, &out);
	text_clear(&out);
	if (semver_parse(s, &v, NULL) && semver_cmp(&v, &v) != 0)
		abort();
	(void)!semver_normalise(a, s, &v, NULL);
	if (duration_parse(s, &ms, NULL)) {
		duration_format(ms, &out);
		if (!duration_parse(text_str(&out), &again, NULL) || again != ms)
			abort();
	}
	text_free(&out);
	arena_free(a);
	return 0;
}
