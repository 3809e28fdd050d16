#include "model/fleet.h"

#include <stdatomic.h>

#include "model/base/mem.h"
#include "model/fleet_int.h"

static const struct {
	const char *mark, *word;
	int weight;
} states[] = {
#define X(id, mark, word, weight) [FLEET_##id] = { mark, word, weight },
	FLEET_STATES(X)
#undef X
};
_Static_assert(ARRAY_LEN(states) == FLEET__MAX, "a row for each state");

const char *
fleet_state_mark(enum fleet_state s)
{
	return (unsigned)s < FLEET__MAX ? states[s].mark : "??";
}

const char *
fleet_state_word(enum fleet_state s)
{
	return (unsigned)s < FLEET__MAX ? states[s].word : "Unknown";
}

int
fleet_state_weight(enum fleet_state s)
{
	return (unsigned)s < FLEET__MAX ? states[s].weight : 0;
}

/* A published fleet is the first member of what holds it; only the count in that is ever written.
 */
static struct fleet_holder *
holder_of(const struct fleet *f)
{
	union {
		const struct fleet *fleet;
		struct fleet_holder *holder;
	} p = { .fleet = f };

	return p.holder;
}

const struct fleet *
fleet_ref(const struct fleet *f)
{
	if (f != NULL)
		atomic_fetch_add(&holder_of(f)->refs, 1);
	return f;
}

void
fleet_unref(const struct fleet *f)
{
	if (f != NULL && atomic_fetch_sub(&holder_of(f)->refs, 1) == 1)
		arena_free(holder_of(f)->arena);
}

const struct fleet_cluster *
fleet_cluster_find(const struct fleet *f, struct str name)
{
	size_t low = 0, high = f->nclusters;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = str_cmp(f->clusters[mid].name, name);

		if (order == 0)
			return &f->clusters[mid];
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}
