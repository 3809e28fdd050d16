/*
 * A document and a patch, with a NUL between them, through each kind of patch; and the same bytes
 * as a protobuf body. A merge patch that is applied twice changes nothing the second time.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backend/apiserver/patch.h"
#include "backend/apiserver/proto.h"
#include "model/base/mem.h"
#include "model/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
patch_all(struct arena *a, const struct node *base, const struct node *patch)
{
	static patch_fn *const patches[] = { patch_json, patch_strategic, patch_merge };
	struct node *out = NULL;
	struct node *again = NULL;

	for (size_t i = 0; i < ARRAY_LEN(patches); i++) {
		struct error err = { 0 };

		if (!patches[i](a, base, patch, &out, &err) && err.code == ERR_NONE)
			abort();
	}
	if (patch_merge(a, base, patch, &out, NULL) && patch_merge(a, out, patch, &again, NULL) &&
	    !arena_failed(a) && !node_eq(out, again))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new(32 * 1024 * 1024);
	const uint8_t *nul = memchr(data, 0, size);
	struct node *base = NULL;
	struct node *patch = NULL;
	struct node *proto = NULL;

	if (a == NULL)
		return 0;
	if (proto_decode(a, (struct str){ (const char *)data, size }, &proto, NULL) &&
	    node_find(proto, "kind") == NULL)
		abort();
	if (nul != NULL) {
		size_t n = (size_t)(nul - data);

		if (json_parse(a, (struct str){ (const char *)data, n }, &base, NULL) &&
		    json_parse(
			a, (struct str){ (const char *)nul + 1, size - n - 1 }, &patch, NULL))
			patch_all(a, base, patch);
	}
	arena_free(a);
	return 0;
}
