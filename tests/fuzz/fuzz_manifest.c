/*
 * Manifests from outside: whatever the bytes are, reading and checking ends without a crash; what
 * is accepted decodes, and checking it again changes nothing.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/base/mem.h"
#include "model/validate.h"

enum { ARENA = 64 * 1024 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_accepted(struct arena *a, const struct document *d)
{
	struct node *again = node_dup(a, d->object);
	void *value = arena_get(a, d->kind->schema->size);
	struct problems p;

	problems_init(&p, a, "again");
	if (value == NULL || again == NULL)
		return;
	if (!schema_check(d->kind, a, again, NULL, &p) && !arena_failed(a))
		abort();
	if (!node_eq(again, d->object) && !arena_failed(a))
		abort();
	if (!schema_decode(d->kind->schema, a, d->object, value, NULL) && !arena_failed(a))
		abort();
	(void)schema_encode(d->kind->schema, a, value);
	(void)schema_mask(d->kind->schema, a, d->object);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new(ARENA);
	const struct known known = { .now_ms = 1796000000000, .for_apply = size % 2 == 0 };
	struct manifest_set m;

	if (a == NULL)
		return 0;
	manifest_set_init(&m, a);
	if (manifest_set_add(&m, "input", (struct str){ (const char *)data, size }) &&
	    manifest_set_check(&m, &known) && !arena_failed(a)) {
		for (size_t i = 0; i < m.ndocs; i++)
			check_accepted(a, &m.docs[i]);
	}
	for (size_t i = 0; i < m.problems.n; i++) {
		struct text line = TEXT_INIT(8192);

		problem_format(&m.problems.items[i], &line);
		text_free(&line);
	}
	arena_free(a);
	return 0;
}
