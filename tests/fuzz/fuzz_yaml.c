/* YAML: never crashes; each document that is accepted is written and read back as the same tree. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new((size_t)256 << 20);
	struct error err;
	struct node *docs;

	if (a == NULL ||
	    !yaml_parse(a, (struct str){ (const char *)data, size }, "input", &docs, &err))
		goto out;
	for (const struct node *n = node_first(docs); n != NULL; n = n->next) {
		struct text out = TEXT_INIT((size_t)4 << 20);
		struct node *again;

		yaml_write(&out, n);
		if (text_ok(&out, "text", &err) &&
		    (!yaml_parse(a, text_str(&out), "output", &again, &err) ||
			node_count(again) != 1 || !node_eq(n, node_first(again))))
			abort();
		text_free(&out);
	}
out:
	arena_free(a);
	return 0;
}
