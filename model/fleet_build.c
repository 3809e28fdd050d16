#include "model/fleet_build.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/display.h"
#include "model/fleet_int.h"

enum { INTERN_FIRST = 1024, INTERN_TEXT_MAX = 96, FORMAT_MAX = 512 };

/* ---- texts ---- */

static uint64_t
hash_of(struct str s)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * UINT64_C(1099511628211);
	return h;
}

static struct str *
slot_of(struct str *slots, size_t n, struct str s)
{
	size_t at = (size_t)hash_of(s) & (n - 1);

	while (slots[at].p != NULL && !str_eq(slots[at], s))
		at = (at + 1) & (n - 1);
	return &slots[at];
}

static bool
intern_room(struct intern *t)
{
	size_t n = t->nslots == 0 ? INTERN_FIRST : t->nslots * 2;
	struct str *slots;

	if (t->nslots > 0 && (t->nused + 1) * 2 <= t->nslots)
		return true;
	slots = mem_array(n, sizeof(*slots));
	if (slots == NULL)
		return false;
	for (size_t i = 0; i < t->nslots; i++)
		if (t->slots[i].p != NULL)
			*slot_of(slots, n, t->slots[i]) = t->slots[i];
	mem_free(t->slots);
	t->slots = slots;
	t->nslots = n;
	return true;
}

/* Most names are plain ASCII and need no cleaning. */
static bool
is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20 || (unsigned char)s.p[i] > 0x7e)
			return false;
	return s.n <= DISPLAY_MAX_CELLS;
}

struct str
fleet_text(struct fleet_builder *b, struct str s)
{
	struct str *slot;

	if (s.n == 0)
		return STR("");
	if (!is_plain(s))
		s = display_from(b->a, s).s;
	if (s.n > INTERN_TEXT_MAX || !intern_room(&b->intern))
		return str_copy(b->a, s);
	slot = slot_of(b->intern.slots, b->intern.nslots, s);
	if (slot->p == NULL) {
		*slot = str_copy(b->a, s);
		b->intern.nused += slot->p != NULL ? 1 : 0;
	}
	return *slot;
}

struct str
fleet_textf(struct fleet_builder *b, const char *fmt, ...)
{
	char buf[FORMAT_MAX];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(buf, sizeof(buf), fmt, args);
	va_end(args);
	return fleet_text(b, str_from(buf));
}

/* ---- indexes ---- */

static int
index_cmp(const void *pa, const void *pb)
{
	const struct fleet_index *a = pa, *b = pb;
	int order = str_cmp(a->key, b->key);

	return order != 0 ? order : a->at < b->at ? -1 : a->at > b->at;
}

size_t
fleet_index_find(const struct fleet_index *index, size_t n, struct str key)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (str_cmp(index[mid].key, key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < n && str_eq(index[low].key, key) ? low : n;
}

typedef struct str key_fn(const struct fleet_source *src, size_t i);

static struct str
owner_uid_of(const struct meta *m)
{
	const struct owner_ref *refs = m->owner_references.items;

	for (size_t i = 0; i < m->owner_references.n; i++)
		if (refs[i].controller.value)
			return refs[i].uid;
	return STR("");
}

static struct str
key_external(const struct fleet_source *src, size_t i)
{
	return src->externals[i]->spec.owner_uid;
}

static struct str
key_provider(const struct fleet_source *src, size_t i)
{
	return src->providers[i].owner_uid;
}

static struct str
key_stack(const struct fleet_source *src, size_t i)
{
	return owner_uid_of(&src->stacks[i]->meta);
}

static struct str
key_child(const struct fleet_source *src, size_t i)
{
	return i < src->nproviders ? src->providers[i].uid
				   : src->stacks[i - src->nproviders]->meta.uid;
}

static struct str
key_seen(const struct fleet_source *src, size_t i)
{
	return src->seen[i].cluster;
}

static struct str
key_class(const struct fleet_source *src, size_t i)
{
	return src->classes[i]->meta.name;
}

static struct str
key_blocker(const struct fleet_source *src, size_t i)
{
	return src->blockers[i].cluster;
}

static struct str
key_retry(const struct fleet_source *src, size_t i)
{
	return src->retries[i].name;
}

static struct fleet_index *
index_new(const struct fleet_source *src, size_t n, key_fn *key)
{
	struct fleet_index *index = mem_array(n + 1, sizeof(*index));

	if (index == NULL)
		return NULL;
	for (size_t i = 0; i < n; i++)
		index[i] = (struct fleet_index){ key(src, i), i };
	qsort(index, n, sizeof(*index), index_cmp);
	return index;
}

static bool
indexes_make(struct fleet_builder *b)
{
	const struct fleet_source *s = b->src;

	b->externals = index_new(s, s->nexternals, key_external);
	b->providers = index_new(s, s->nproviders, key_provider);
	b->stacks = index_new(s, s->nstacks, key_stack);
	b->children = index_new(s, s->nproviders + s->nstacks, key_child);
	b->seen = index_new(s, s->nseen, key_seen);
	b->classes = index_new(s, s->nclasses, key_class);
	b->blockers = index_new(s, s->nblockers, key_blocker);
	b->retries = index_new(s, s->nretries, key_retry);
	return b->externals != NULL && b->children != NULL && b->providers != NULL &&
	       b->stacks != NULL && b->seen != NULL && b->classes != NULL && b->blockers != NULL &&
	       b->retries != NULL;
}

static void
indexes_free(struct fleet_builder *b)
{
	struct fleet_index *all[] = { b->externals, b->providers, b->stacks, b->children, b->seen,
		b->classes, b->blockers, b->retries };

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		mem_free(all[i]);
	mem_free(b->intern.slots);
}

const struct inference_class *
fleet_class_find(struct fleet_builder *b, struct str name)
{
	size_t at = fleet_index_find(b->classes, b->src->nclasses, name);

	return at < b->src->nclasses ? b->src->classes[b->classes[at].at] : NULL;
}

/* ---- clusters ---- */

static int
cluster_cmp(const void *pa, const void *pb)
{
	const struct inference_cluster *const *a = pa, *const *b = pb;

	return str_cmp((*a)->meta.name, (*b)->meta.name);
}

static void
cluster_one(struct fleet_builder *b, const struct inference_cluster *in, struct fleet_cluster *out)
{
	const struct fleet_source *s = b->src;
	struct fleet_work w = { .b = b, .in = in, .out = out };
	size_t at = fleet_index_find(b->providers, s->nproviders, in->meta.uid);

	if (at < s->nproviders)
		w.provider = &s->providers[b->providers[at].at];
	at = fleet_index_find(b->stacks, s->nstacks, in->meta.uid);
	if (at < s->nstacks)
		w.stack = s->stacks[b->stacks[at].at];
	at = fleet_index_find(b->seen, s->nseen, in->meta.name);
	if (at < s->nseen)
		w.seen = &s->seen[b->seen[at].at];
	fleet_cluster_build(&w);
	fleet_tree_build(&w);
}

static bool
clusters_build(struct fleet_builder *b)
{
	const struct fleet_source *s = b->src;
	const struct inference_cluster **sorted = mem_array(s->nclusters + 1, sizeof(void *));
	size_t npools = 0;

	if (sorted == NULL)
		return false;
	for (size_t i = 0; i < s->nclusters; i++) {
		sorted[i] = s->clusters[i];
		npools += s->clusters[i]->spec.node_pools.n;
	}
	qsort(sorted, s->nclusters, sizeof(void *), cluster_cmp);
	b->clusters = arena_array(b->a, s->nclusters + 1, sizeof(*b->clusters));
	b->pools = arena_array(b->a, npools + 1, sizeof(*b->pools));
	b->f->clusters = b->clusters;
	b->f->pools = b->pools;
	for (size_t i = 0; i < s->nclusters && !arena_failed(b->a); i++) {
		b->f->nclusters = i + 1;
		cluster_one(b, sorted[i], &b->clusters[i]);
	}
	b->f->npools = b->npools;
	mem_free(sorted);
	return !arena_failed(b->a);
}

static void
header_build(struct fleet_builder *b)
{
	const struct fleet_source *s = b->src;
	struct fleet *f = b->f;

	f->revision = s->revision;
	f->built_ms = s->now_ms;
	f->oldest_ms = s->lost_ms > 0 ? s->lost_ms : s->now_ms;
	for (size_t i = 0; i < s->nseen; i++)
		if (s->seen[i].observed_ms > 0 && s->seen[i].observed_ms < f->oldest_ms)
			f->oldest_ms = s->seen[i].observed_ms;
	f->profile = fleet_text(b, s->profile);
	f->context = fleet_text(b, s->context);
	f->owner = fleet_text(b, s->owner);
	f->practice = s->practice;
	f->prod = s->prod;
	f->read_only = s->read_only;
	f->connected = s->connected;
}

bool
fleet_build(const struct fleet_source *src, const struct fleet **ret_fleet, struct error *err)
{
	struct arena *a = arena_new(FLEET_ARENA_MAX);
	struct fleet_holder *h = a != NULL ? arena_get(a, sizeof(*h)) : NULL;
	struct fleet_builder b = { .src = src, .a = a };
	bool ok = false;

	if (h != NULL) {
		h->arena = a;
		atomic_init(&h->refs, 1);
		b.f = &h->fleet;
		ok = indexes_make(&b);
	}
	if (ok) {
		header_build(&b);
		ok = clusters_build(&b);
	}
	if (ok) {
		fleet_rest_build(&b);
		ok = !arena_failed(a);
	}
	indexes_free(&b);
	if (!ok) {
		arena_free(a);
		return error_set(err, ERR_NO_MEMORY, "no memory for a snapshot of the fleet");
	}
	*ret_fleet = &h->fleet;
	return true;
}
