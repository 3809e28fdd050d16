#include "backend/sim/pool_index.h"

#include "backend/sim/sim_int.h"
#include "model/json.h"

static void
use_fini(struct pool_use *u)
{
	mem_free(u->key);
	mem_free(u->subnet);
	*u = (struct pool_use){ 0 };
}

static bool
use_fill(struct pool_use *u, struct str key, const struct node *doc)
{
	bool failed = str_is(node_path_str(doc, "properties.provisioningState"), "Failed");

	*u = (struct pool_use){
		.key = str_dup(key),
		.subnet = str_dup(node_path_str(doc, "properties.vnetSubnetID")),
		.at = location_find(node_path_str(doc, "_sim.location")),
		.size = size_find(node_path_str(doc, "properties.vmSize")),
		.nodes = (long)node_path_int(doc, failed ? "_sim.nodes" : "properties.count", 0),
	};
	return u->key != NULL && u->subnet != NULL;
}

static struct pool_use *
use_find(struct pool_index *ix, struct str key)
{
	for (size_t i = 0; i < ix->n; i++) {
		if (str_is(key, ix->items[i].key))
			return &ix->items[i];
	}
	return NULL;
}

static bool
use_put(struct pool_index *ix, struct str key, const struct node *doc)
{
	struct pool_use *u = use_find(ix, key), fresh;
	void *items = ix->items;

	if (!use_fill(&fresh, key, doc)) {
		use_fini(&fresh);
		return false;
	}
	if (u != NULL) {
		use_fini(u);
		*u = fresh;
		return true;
	}
	if (!mem_grow(&items, &ix->cap, ix->n + 1, sizeof(*ix->items))) {
		use_fini(&fresh);
		return false;
	}
	ix->items = items;
	ix->items[ix->n++] = fresh;
	return true;
}

void
pool_index_put(struct sim *s, struct str key, const struct node *doc)
{
	if (s->pools.built && !use_put(&s->pools, key, doc))
		pool_index_forget(s);
}

void
pool_index_drop(struct sim *s, struct str key)
{
	struct pool_use *u = s->pools.built ? use_find(&s->pools, key) : NULL;

	if (u == NULL)
		return;
	use_fini(u);
	*u = s->pools.items[--s->pools.n];
	s->pools.items[s->pools.n] = (struct pool_use){ 0 };
}

void
pool_index_forget(struct sim *s)
{
	pool_index_fini(&s->pools);
}

const struct pool_index *
pool_index_get(struct arm_call *c)
{
	struct pool_index *ix = &c->s->pools;
	struct state_rows rows = { 0 };
	struct error err = { 0 };

	if (ix->built)
		return ix;
	if (!state_list(c->s->state, DOC_POOL, STR(""), c->a, &rows, &err)) {
		answer_failure(c, &err);
		return NULL;
	}
	for (size_t i = 0; i < rows.n; i++) {
		struct node *doc = NULL;

		if (!json_parse(c->a, rows.items[i].doc, &doc, &err) ||
		    !use_put(ix, rows.items[i].key, doc)) {
			pool_index_forget(c->s);
			answer_failure(c, &err);
			return NULL;
		}
	}
	ix->built = true;
	return ix;
}

void
pool_index_fini(struct pool_index *ix)
{
	for (size_t i = 0; i < ix->n; i++)
		use_fini(&ix->items[i]);
	mem_free(ix->items);
	*ix = (struct pool_index){ 0 };
}
