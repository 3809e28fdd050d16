/* CEL: no expression crashes, hangs or costs more than its limit; the same one gives the same. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/cel/cel.h"
#include "model/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char json[] =
	    "{\"a\":1,\"b\":\"text\",\"c\":[1,2,{\"d\":true}],\"e\":{\"f\":1.5}}";
	struct arena *a = arena_new((size_t)64 << 20);
	const struct cel_program *p;
	struct cel_var var = { .name = "self" };
	struct error err;
	struct node *self;
	bool first = false;
	bool second = false;

	if (a == NULL || !json_parse(a, STR(json), &self, &err))
		abort();
	var.value = cel_from_node(self);
	p = cel_compile(a, (struct str){ (const char *)data, size }, &err);
	if (p != NULL) {
		enum cel_result x = cel_eval_bool(p, &var, 1, CEL_COST_SELECTOR, &first, &err);
		enum cel_result y = cel_eval_bool(p, &var, 1, CEL_COST_SELECTOR, &second, &err);

		if (x != y || first != second)
			abort();
	}
	arena_free(a);
	return 0;
}
