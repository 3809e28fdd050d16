/* Display text: clean, within its width, and the same when made again; patterns in passing. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/display.h"
#include "model/regex.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_pattern(struct arena *a, struct str s)
{
	const struct regex *re = regex_compile(a, s, NULL);
	bool found;

	if (re != NULL && !regex_search(re, s, &found, NULL))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t cells = size > 0 ? data[0] : 0;
	struct str s = { (const char *)data, size };
	struct arena *a = arena_new((size_t)64 << 20);
	struct display d;
	struct display again;

	if (a == NULL)
		return 0;
	d = display_cut(a, s, cells);
	again = display_cut(a, d.s, cells);
	if (display_width(d) > cells || !utf8_valid(d.s) || !str_eq(d.s, again.s))
		abort();
	for (size_t i = 0; i < d.s.n; i++) {
		if ((unsigned char)d.s.p[i] < 0x20 || d.s.p[i] == 0x7f)
			abort();
	}
	check_pattern(a, str_sub(s, 1, 200));
	arena_free(a);
	return 0;
}
