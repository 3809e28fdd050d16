#include "model/compose/plan.h"

#include <string.h>

#include "model/base/mem.h"

void
plan_init(struct plan *p, struct arena *a)
{
	*p = (struct plan){ .arena = a };
}

/* Arena arrays cannot grow in place: the old one is left behind, which a short-lived plan bears. */
static bool
plan_room(struct plan *p)
{
	size_t cap = p->cap == 0 ? 16 : p->cap * 2;
	struct plan_resource *items;

	if (p->n < p->cap)
		return true;
	if (p->n >= PLAN_MAX_RESOURCES)
		return false;
	items = arena_array(p->arena, cap, sizeof(*items));
	if (items == NULL)
		return false;
	if (p->n > 0)
		memcpy(items, p->items, p->n * sizeof(*items));
	p->items = items;
	p->cap = cap;
	return true;
}

struct plan_resource *
plan_add(struct plan *p, const char *provider, const char *type, struct str key, struct str name)
{
	struct plan_resource *r;

	if (!plan_room(p))
		return NULL;
	r = &p->items[p->n++];
	*r = (struct plan_resource){
		.key = str_copy(p->arena, key),
		.provider = provider,
		.type = type,
		.name = str_copy(p->arena, name),
	};
	return r;
}

void
plan_after(struct plan_resource *r, struct str key)
{
	if (r != NULL && r->nafter < PLAN_MAX_AFTER)
		r->after[r->nafter++] = key;
}

static ptrdiff_t
plan_index(const struct plan *p, struct str key)
{
	for (size_t i = 0; i < p->n; i++) {
		if (str_eq(p->items[i].key, key))
			return (ptrdiff_t)i;
	}
	return -1;
}

const struct plan_resource *
plan_find(const struct plan *p, struct str key)
{
	ptrdiff_t i = plan_index(p, key);

	return i < 0 ? NULL : &p->items[i];
}

static bool
plan_check_row(const struct plan *p, size_t at, struct error *err)
{
	const struct plan_resource *r = &p->items[at];

	if (r->key.n == 0 || r->provider == NULL || r->type == NULL)
		return error_set(
		    err, ERR_INTERNAL, "row %zu of a plan has no key, provider or type", at);
	if (plan_index(p, r->key) != (ptrdiff_t)at)
		return error_set(
		    err, ERR_INTERNAL, "key '" STR_FMT "' stands twice in a plan", STR_ARG(r->key));
	for (size_t i = 0; i < r->nafter; i++) {
		if (plan_index(p, r->after[i]) < 0)
			return error_set(err, ERR_INTERNAL,
			    "'" STR_FMT "' waits for '" STR_FMT "', which is not in the plan",
			    STR_ARG(r->key), STR_ARG(r->after[i]));
	}
	return true;
}

/* Takes out rows that wait for nothing left, until none is left or none can go. */
static bool
plan_check_circles(const struct plan *p, struct error *err)
{
	bool gone[PLAN_MAX_RESOURCES] = { false };
	size_t left = p->n;

	for (bool moved = true; moved && left > 0;) {
		moved = false;
		for (size_t i = 0; i < p->n; i++) {
			const struct plan_resource *r = &p->items[i];
			size_t waits = 0;

			for (size_t j = 0; j < r->nafter; j++)
				waits += gone[plan_index(p, r->after[j])] ? 0 : 1;
			if (gone[i] || waits > 0)
				continue;
			gone[i] = true;
			moved = true;
			left--;
		}
	}
	for (size_t i = 0; i < p->n && left > 0; i++) {
		if (!gone[i])
			return error_set(err, ERR_INTERNAL,
			    "'" STR_FMT "' waits for itself by way of others",
			    STR_ARG(p->items[i].key));
	}
	return true;
}

bool
plan_check(const struct plan *p, struct error *err)
{
	if (arena_failed(p->arena))
		return error_set(err, ERR_NO_MEMORY, "no memory for a plan");
	for (size_t i = 0; i < p->n; i++) {
		if (!plan_check_row(p, i, err))
			return false;
	}
	return plan_check_circles(p, err);
}
