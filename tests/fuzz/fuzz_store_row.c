/*
 * Bytes of a database row, as somebody who can write the file might leave them there: labels, JSON
 * and managers. Whatever they are, reading, selecting, merging and updating never crash, and an
 * object that is accepted can be read back.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "backend/store/apply.h"
#include "backend/store/object.h"
#include "backend/store/secrets_int.h"
#include "backend/store/selector.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/kinds/aks_cluster.h"

enum { INPUT_MAX = 64 * 1024, ARENA_LIMIT = 256 * 1024 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool ok)
{
	if (!ok)
		abort();
}

/* The rest of the object's life: selected, applied to, updated. */
static void
use(const struct object *o, struct arena *a, struct str selector)
{
	const struct resource *res = o->res;
	struct node *live, *next, *merged;
	struct selector *s;
	bool match;

	must(object_node(o, a, &live, NULL)); /* it was read before */
	if (selector_parse_labels(a, selector, &s, NULL))
		(void)selector_match_labels(s, object_labels(o));
	if (selector_parse_fields(a, selector, &s, NULL))
		must(selector_match_fields(s, o, &match, NULL));
	next = node_dup(a, live);
	node_set_strz(a, node_make_path(a, next, "spec"), "location", "other");
	if (!arena_failed(a) && apply_track(res, a, live, next, "fuzz", false, NULL) &&
	    apply_merge(res, a, next, live, "fuzz", true, &merged, NULL))
		must(apply_merge(res, a, merged, live, "fuzz", true, &merged, NULL) ||
		     arena_failed(a));
}

static void
sealed(struct str bytes)
{
	static const unsigned char key[SECRET_KEY_BYTES] = { 1 };
	struct secret_box *box = secret_box_with_key(key);
	struct secret *s = NULL;

	if (box != NULL)
		must(!secret_open(box, bytes, STR("context"), &s, NULL)); /* nobody knows the key */
	secret_box_free(box);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct str selector = { 0 }, json = bytes;
	const struct object *o;
	struct arena *a;

	if (size > INPUT_MAX)
		return 0;
	(void)str_split(&json, '\n', &selector); /* first line: the selector */
	sealed(selector);
	o = object_new(resource_of(&aks_cluster_kind), json, NULL);
	a = arena_new(ARENA_LIMIT);
	if (o != NULL && a != NULL)
		use(o, a, selector);
	object_unref(o);
	arena_free(a);
	return 0;
}
