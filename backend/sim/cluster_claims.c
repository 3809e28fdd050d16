#include "backend/sim/cluster_claims.h"

#include <stdlib.h>

/*
 * The scheduler's part in dynamic resource allocation: a ResourceClaim gets devices of one node
 * that takes pods, the fullest node on which all of its requests are met; it stays pending while
 * there is none. Who deletes a claim frees its devices. Constraints between devices are not looked
 * at: those of a simulated node are all alike.
 */

enum { ALLOCATE_MS = 2000, PICKS_MAX = 64, COUNT_DEFAULT = 1 };

struct pick {
	const struct slice *slice;
	bool *taken;
	struct str device;
	struct str request; /* "gpu", or "gpu/big" for an alternative */
};

struct picks {
	struct pick items[PICKS_MAX];
	size_t n;
};

bool
claim_is_allocated(const struct node *claim)
{
	return node_path(claim, "status.allocation") != NULL;
}

/* ---- what there is ---- */

/* A pod of ours tolerates what keeps others off a GPU node, but not what drives it out. */
static bool
takes_pods(const struct node *n)
{
	if (!kube_condition_is(n, "Ready", "True") ||
	    node_path_bool(n, "spec.unschedulable", false) ||
	    node_path(n, "metadata.deletionTimestamp") != NULL)
		return false;
	for (const struct node *t = node_first(node_path(n, "spec.taints")); t != NULL;
	     t = t->next) {
		if (str_is(node_path_str(t, "effect"), "NoExecute") &&
		    !str_is(node_path_str(t, "key"), "nvidia.com/gpu"))
			return false;
	}
	return true;
}

static int
node_order(const void *a, const void *b)
{
	const struct node *const *x = a, *const *y = b;

	return str_cmp(node_path_str(*x, "metadata.name"), node_path_str(*y, "metadata.name"));
}

static int
slice_order(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;
	int order = str_cmp(x->node, y->node);

	return order != 0 ? order : str_cmp(x->pool, y->pool);
}

/* The names of nodes that take pods, sorted. */
static const struct node **
nodes_sorted(struct round *r, size_t *ret_n)
{
	struct node *list = kube_list(r, "Node");
	const struct node **out = arena_array(r->a, node_count(list) + 1, sizeof(const void *));
	size_t n = 0;

	for (const struct node *x = node_first(list); out != NULL && x != NULL; x = x->next) {
		if (takes_pods(x))
			out[n++] = x;
	}
	if (out != NULL)
		qsort((void *)out, n, sizeof(const void *), node_order);
	*ret_n = n;
	return out;
}

static bool
is_among(const struct node *const *nodes, size_t n, struct str name)
{
	size_t from = 0;

	while (from < n) {
		size_t middle = from + (n - from) / 2;
		int order = str_cmp(node_path_str(nodes[middle], "metadata.name"), name);

		if (order == 0)
			return true;
		if (order < 0)
			from = middle + 1;
		else
			n = middle;
	}
	return false;
}

static bool
slice_read(struct round *r, const struct node *object, struct slice *s)
{
	const struct node *list = node_path(object, "spec.devices");

	*s = (struct slice){ .node = node_path_str(object, "spec.nodeName"),
		.driver = node_path_str(object, "spec.driver"),
		.pool = node_path_str(object, "spec.pool.name"),
		.devices = arena_array(r->a, node_count(list) + 1, sizeof(const void *)),
		.taken = arena_array(r->a, node_count(list) + 1, sizeof(bool)) };
	if (s->devices == NULL || s->taken == NULL)
		return false;
	for (const struct node *d = node_first(list); d != NULL; d = d->next)
		s->devices[s->n++] = d;
	return true;
}

static void
hosts_read(struct devices *v)
{
	for (size_t i = 0; i < v->nslices; i++) {
		struct slice *s = &v->slices[i];
		struct host *h = v->nhosts > 0 ? &v->hosts[v->nhosts - 1] : NULL;

		if (h == NULL || !str_eq(h->slices->node, s->node)) {
			h = &v->hosts[v->nhosts++];
			h->slices = s;
		}
		h->nslices++;
		h->ndevices += s->n;
		h->nfree += s->n;
	}
}

static void
device_take(struct devices *v, const struct node *result)
{
	struct str driver = node_path_str(result, "driver"), pool = node_path_str(result, "pool");
	struct str device = node_path_str(result, "device");

	for (size_t i = 0; i < v->nhosts; i++) {
		for (size_t j = 0; j < v->hosts[i].nslices; j++) {
			struct slice *s = &v->hosts[i].slices[j];

			if (!str_eq(s->pool, pool) || !str_eq(s->driver, driver))
				continue;
			for (size_t d = 0; d < s->n; d++) {
				if (s->taken[d] ||
				    !str_eq(node_path_str(s->devices[d], "name"), device))
					continue;
				s->taken[d] = true;
				v->hosts[i].nfree--;
			}
		}
	}
}

bool
devices_read(struct round *r, struct node *claims, struct devices *ret)
{
	struct node *slices = kube_list(r, "ResourceSlice");
	size_t n = node_count(slices), nnodes = 0;
	const struct node **nodes = nodes_sorted(r, &nnodes);

	*ret = (struct devices){ .claims = claims, .classes = kube_list(r, "DeviceClass") };
	ret->slices = arena_array(r->a, n + 1, sizeof(*ret->slices));
	ret->hosts = arena_array(r->a, n + 1, sizeof(*ret->hosts));
	if (nodes == NULL || ret->slices == NULL || ret->hosts == NULL)
		return false;
	for (const struct node *s = node_first(slices); s != NULL; s = s->next) {
		if (!is_among(nodes, nnodes, node_path_str(s, "spec.nodeName")))
			continue;
		if (!slice_read(r, s, &ret->slices[ret->nslices++]))
			return false;
	}
	qsort(ret->slices, ret->nslices, sizeof(*ret->slices), slice_order);
	hosts_read(ret);
	for (const struct node *c = node_first(claims); c != NULL; c = c->next) {
		for (const struct node *x =
			 node_first(node_path(c, "status.allocation.devices.results"));
		     x != NULL; x = x->next) {
			if (!node_path_bool(x, "adminAccess", false))
				device_take(ret, x);
		}
	}
	return !arena_failed(r->a);
}

/* ---- does it fit ---- */

static bool
selectors_match(const struct node *list, const struct node *device, struct str driver)
{
	for (const struct node *s = node_first(list); s != NULL; s = s->next) {
		if (!device_matches(device, driver, node_path_str(s, "cel.expression")))
			return false;
	}
	return true;
}

static const struct node *
class_of(const struct devices *v, const struct node *request)
{
	struct str name = node_path_str(request, "deviceClassName");

	for (const struct node *c = node_first(v->classes); c != NULL; c = c->next) {
		if (str_eq(node_path_str(c, "metadata.name"), name))
			return c;
	}
	return NULL;
}

static bool
answers(const struct node *class, const struct node *request, const struct slice *s, size_t device)
{
	const struct node *d = s->devices[device];

	return selectors_match(node_path(class, "spec.selectors"), d, s->driver) &&
	       selectors_match(node_find(request, "selectors"), d, s->driver) &&
	       node_tolerates(node_find(request, "tolerations"), node_find(d, "taints"));
}

static void
picks_undo(struct picks *p, size_t n)
{
	while (p->n > n)
		*p->items[--p->n].taken = false;
}

/* Picks the devices of one request (what stands under "exactly") on one node. */
static bool
request_fits(const struct devices *v, const struct host *h, const struct node *request,
    struct str name, struct picks *p)
{
	const struct node *class = class_of(v, request);
	bool all = str_is(node_path_str(request, "allocationMode"), "All");
	int64_t want = node_path_int(request, "count", COUNT_DEFAULT), got = 0;
	size_t before = p->n;

	if (h == NULL || class == NULL)
		return false;
	for (size_t i = 0; i < h->nslices; i++) {
		struct slice *s = &h->slices[i];

		for (size_t d = 0; d < s->n && (all || got < want); d++) {
			if ((s->taken[d] && !all) || !answers(class, request, s, d))
				continue;
			if (s->taken[d] || p->n == PICKS_MAX) {
				picks_undo(p, before);
				return false;
			}
			s->taken[d] = true;
			p->items[p->n++] = (struct pick){ .slice = s,
				.taken = &s->taken[d],
				.device = node_path_str(s->devices[d], "name"),
				.request = name };
			got++;
		}
	}
	if (all ? got > 0 : got == want)
		return true;
	picks_undo(p, before);
	return false;
}

static bool
alternative_fits(struct round *r, const struct devices *v, const struct host *h,
    const struct node *request, struct picks *p)
{
	struct str name = node_path_str(request, "name");

	for (const struct node *x = node_first(node_find(request, "firstAvailable")); x != NULL;
	     x = x->next) {
		const char *full = arena_printf(
		    r->a, STR_FMT "/" STR_FMT, STR_ARG(name), STR_ARG(node_path_str(x, "name")));

		if (full != NULL && request_fits(v, h, x, str_from(full), p))
			return true;
	}
	return false;
}

static bool
claim_fits(struct round *r, const struct devices *v, const struct host *h, const struct node *claim,
    struct picks *p)
{
	const struct node *list = node_path(claim, "spec.devices.requests");

	p->n = 0;
	for (const struct node *q = node_first(list); q != NULL; q = q->next) {
		const struct node *exactly = node_find(q, "exactly");

		if (exactly != NULL ? request_fits(v, h, exactly, node_path_str(q, "name"), p)
				    : alternative_fits(r, v, h, q, p))
			continue;
		picks_undo(p, 0);
		return false;
	}
	return true;
}

/* The fullest node that will do; its devices are taken then. */
static struct host *
claim_place(struct round *r, const struct devices *v, const struct node *claim, struct picks *p)
{
	struct host *best = NULL;

	for (size_t i = 0; i < v->nhosts; i++) {
		struct host *h = &v->hosts[i];

		if ((best != NULL && h->nfree >= best->nfree) || !claim_fits(r, v, h, claim, p))
			continue;
		picks_undo(p, 0);
		best = h;
	}
	return best != NULL && claim_fits(r, v, best, claim, p) ? best : NULL;
}

/* ---- writing it down ---- */

static struct node *
node_selector(struct round *r, struct str name)
{
	struct node *field = node_map(r->a), *values = node_list(r->a), *matched = node_list(r->a);
	struct node *clause = node_map(r->a), *clauses = node_list(r->a), *out = node_map(r->a);

	node_set_strz(r->a, field, "key", "metadata.name");
	node_set_strz(r->a, field, "operator", "In");
	node_push(values, node_str(r->a, name));
	node_set(r->a, field, "values", values);
	node_push(matched, field);
	node_set(r->a, clause, "matchFields", matched);
	node_push(clauses, clause);
	node_set(r->a, out, "nodeSelectorTerms", clauses);
	return out;
}

static bool
claim_write(struct round *r, struct node *claim, const struct host *h, const struct picks *p)
{
	static const struct actor actor = {
		.manager = "kube-scheduler", .user = "system:kube-scheduler", .from = ""
	};
	struct node *allocation = node_make_path(r->a, claim, "status.allocation");
	struct node *results = node_list(r->a);

	for (size_t i = 0; i < p->n; i++) {
		const struct pick *x = &p->items[i];
		struct node *one = node_map(r->a);

		node_set(r->a, one, "request", node_str(r->a, x->request));
		node_set(r->a, one, "driver", node_str(r->a, x->slice->driver));
		node_set(r->a, one, "pool", node_str(r->a, x->slice->pool));
		node_set(r->a, one, "device", node_str(r->a, x->device));
		node_push(results, one);
	}
	node_set(r->a, node_make_path(r->a, allocation, "devices"), "results", results);
	node_set(r->a, allocation, "nodeSelector", node_selector(r, h->slices->node));
	node_set(r->a, allocation, "allocationTimestamp", kube_time(r, r->now_ms));
	/* With its resourceVersion: one that was deleted or changed meanwhile is left alone. */
	return !arena_failed(r->a) && store_update(r->k->store, kube_kind(r->k, "ResourceClaim"),
					  claim, UPDATE_MAIN, &actor, NULL, NULL);
}

static void
claim_allocate(struct round *r, const struct devices *v, struct node *claim)
{
	struct picks p = { .n = 0 };
	struct host *h = claim_place(r, v, claim, &p);

	if (h == NULL)
		return; /* pending until something changes */
	if (claim_write(r, claim, h, &p)) {
		h->nfree -= p.n;
		round_at(r, r->now_ms + 1); /* the workload goes on from it */
		return;
	}
	picks_undo(&p, 0);
	round_at(r, r->now_ms + ALLOCATE_MS);
}

static bool
is_waiting(struct round *r, const struct node *claim)
{
	int64_t at = kube_time_ms(node_path(claim, "metadata.creationTimestamp")) + ALLOCATE_MS;

	if (claim_is_allocated(claim) || node_path(claim, "metadata.deletionTimestamp") != NULL)
		return false;
	if (r->now_ms >= at)
		return true;
	round_at(r, at);
	return false;
}

void
claims_reconcile(struct round *r)
{
	struct node *claims = kube_list(r, "ResourceClaim");
	struct devices v = { .claims = NULL };

	for (struct node *c = node_first(claims); c != NULL; c = c->next) {
		if (!is_waiting(r, c))
			continue;
		if (v.claims == NULL && !devices_read(r, claims, &v))
			return; /* the next round has an arena of its own */
		claim_allocate(r, &v, c);
	}
}
