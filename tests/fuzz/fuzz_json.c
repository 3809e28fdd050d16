/* JSON: never crashes; what is accepted is written and read back as the same tree, in each style.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum json_style styles[] = { JSON_COMPACT, JSON_PRETTY, JSON_SORTED };
	struct arena *a = arena_new((size_t)256 << 20);
	struct error err;
	struct node *n;

	if (a == NULL || !json_parse(a, (struct str){ (const char *)data, size }, &n, &err))
		goto out;
	for (size_t i = 0; i < ARRAY_LEN(styles); i++) {
		struct text out = TEXT_INIT((size_t)64 << 20);
		struct node *again;

		json_write(&out, n, styles[i]);
		if (!json_parse(a, text_str(&out), &again, &err) || !node_eq(n, again))
			abort();
		text_free(&out);
	}
out:
	arena_free(a);
	return 0;
}
