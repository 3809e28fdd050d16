#include "backend/sim/cluster_claims.h"

/*
 * A workload that holds a share of a cluster's GPUs (--workload): claims of model servers in a
 * namespace of their own. Whole nodes first, the rest on part of one. Which models, and how far the
 * share is from the given one, follows from the seed and the cluster. It grows and shrinks with the
 * cluster: a claim whose node has gone goes too, as its pod would.
 */

enum { CLAIMS_MAX = 512, REPLICAS_MAX = 100000 };

static const double UNEVEN = 0.6; /* of the way from a share to nothing or all, both sides */

static const char team[] = "ml-team", gpu_driver[] = "gpu.nvidia.com", model_label[] = "app",
		  maker_label[] = "app.kubernetes.io/created-by", maker[] = "flightdeck-sim";

/* Models by the GPUs of one server, largest first; as many claims a server as fit its node. */
static const struct model_row {
	int64_t gpus;
	const char *names[3];
} models[] = {
	{ 8, { "deepseek-r1", "llama-405b", "qwen-235b" } },
	{ 4, { "llama-70b", "mixtral-8x22b", "qwen-72b" } },
	{ 2, { "qwen-32b", "llama-70b-int4", "gemma-27b" } },
	{ 1, { "llama-8b", "qwen-7b", "mistral-7b" } },
};

struct workload {
	struct round *r;
	struct devices *devices;
	uint64_t seed;
	int64_t total, want, have; /* GPUs */
	size_t nclaims;
	bool waits; /* for devices of claims made before */
};

/* splitmix64 over the seed, the cluster and a number. */
static uint64_t
roll(const struct workload *w, uint64_t number)
{
	struct str key = str_from(w->r->k->key);
	uint64_t h = w->seed ^ (number * 0x9e3779b97f4a7c15u);

	for (size_t i = 0; i <= key.n; i++) {
		h += 0x9e3779b97f4a7c15u + (i < key.n ? (unsigned char)key.p[i] : 0u);
		h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
		h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
		h ^= h >> 31;
	}
	return h;
}

/* The given share, a little more or less: no two clusters are equally busy. */
static int64_t
gpus_wanted(const struct workload *w)
{
	double share = w->r->k->s->workload;
	double room = (share < 0.5 ? share : 1 - share) * UNEVEN;
	double turn = (double)(roll(w, 0) % 1001) / 1000 - 0.5;

	return (int64_t)((double)w->total * (share + room * turn) + 0.5);
}

static int64_t
claim_gpus(const struct node *claim)
{
	return node_path_int(claim, "spec.devices.requests[0].exactly.count", 1);
}

static bool
is_ours(const struct node *claim)
{
	return str_is(node_path_str(claim, "metadata.namespace"), team) &&
	       str_is(node_get_str(node_find(node_path(claim, "metadata.labels"), maker_label)),
		   maker);
}

/* Whether the node of an allocated claim still publishes its devices. */
static bool
has_its_node(const struct workload *w, const struct node *claim)
{
	struct str pool = node_path_str(claim, "status.allocation.devices.results[0].pool");

	for (size_t i = 0; i < w->devices->nslices; i++) {
		if (str_eq(w->devices->slices[i].pool, pool))
			return true;
	}
	return false;
}

static void
claim_drop(struct workload *w, const struct node *claim)
{
	if (!kube_remove(
		w->r, "ResourceClaim", str_from(team), node_path_str(claim, "metadata.name")))
		return;
	w->have -= claim_gpus(claim);
	w->nclaims--;
	round_at(w->r, w->r->now_ms + 1); /* its devices are free from then on */
}

/* Counts what is held; lets go of what lost its node, then of what is too much. */
static void
claims_review(struct workload *w)
{
	for (const struct node *c = node_first(w->devices->claims); c != NULL; c = c->next) {
		if (!is_ours(c))
			continue;
		w->have += claim_gpus(c);
		w->nclaims++;
		if (!claim_is_allocated(c))
			w->waits = true;
		else if (!has_its_node(w, c))
			claim_drop(w, c);
	}
	for (const struct node *c = node_first(w->devices->claims); c != NULL; c = c->next) {
		if (w->have > w->want && is_ours(c) && (w->have - w->want) * 2 >= claim_gpus(c) &&
		    (!claim_is_allocated(c) || has_its_node(w, c)))
			claim_drop(w, c);
	}
}

static bool
team_ready(struct round *r)
{
	struct node *n = kube_get(r, "Namespace", (struct str){ 0 }, str_from(team));

	if (n != NULL)
		return node_path(n, "metadata.deletionTimestamp") == NULL;
	n = kube_new(r, "Namespace", (struct str){ 0 }, str_from(team));
	kube_label(r, n, "kubernetes.io/metadata.name", str_from(team));
	node_set_strz(r->a, node_make_path(r->a, n, "status"), "phase", "Active");
	return kube_put(r, "Namespace", n, "kubectl");
}

/* Numbered through the cluster. */
static const char *
claim_name(struct workload *w, const char *model)
{
	for (size_t i = w->nclaims; i < REPLICAS_MAX; i++) {
		const char *name = arena_printf(w->r->a, "%s-%zu", model, i);

		if (name == NULL)
			return NULL;
		if (kube_get(w->r, "ResourceClaim", str_from(team), str_from(name)) == NULL)
			return name;
	}
	return NULL;
}

static bool
claim_make(struct workload *w, const char *model, int64_t gpus)
{
	struct round *r = w->r;
	const char *name = claim_name(w, model);
	struct node *c, *request, *list = node_list(r->a), *exactly;

	if (name == NULL)
		return false;
	c = kube_new(r, "ResourceClaim", str_from(team), str_from(name));
	kube_label(r, c, model_label, str_from(model));
	kube_label(r, c, maker_label, str_from(maker));
	request = node_map(r->a);
	node_set_strz(r->a, request, "name", "gpu");
	exactly = node_make_path(r->a, request, "exactly");
	node_set_strz(r->a, exactly, "deviceClassName", gpu_driver);
	node_set_strz(r->a, exactly, "allocationMode", "ExactCount");
	node_set_int(r->a, exactly, "count", gpus);
	node_push(list, request);
	node_set(r->a, node_make_path(r->a, c, "spec.devices"), "requests", list);
	if (!kube_put(r, "ResourceClaim", c, "kube-controller-manager"))
		return false;
	w->have += gpus;
	w->nclaims++;
	round_at(r, r->now_ms + 1); /* the scheduler is to see it */
	return true;
}

/* Claims for `gpus` devices of one node. */
static bool
node_load(struct workload *w, int64_t gpus)
{
	size_t i = 0;

	while (gpus > 0 && w->nclaims < CLAIMS_MAX) {
		const struct model_row *m;

		while (models[i].gpus > gpus)
			i++;
		m = &models[i];
		if (!claim_make(
			w, m->names[roll(w, 1 + w->nclaims) % ARRAY_LEN(m->names)], m->gpus))
			return false;
		gpus -= m->gpus;
	}
	return gpus == 0;
}

static int64_t
host_free(const struct host *h)
{
	int64_t n = 0;

	for (size_t i = 0; i < h->nslices; i++) {
		const struct slice *s = &h->slices[i];

		for (size_t d = 0; d < s->n && str_is(s->driver, gpu_driver); d++)
			n += s->taken[d] ? 0 : 1;
	}
	return n;
}

/* Nodes that are taken as a whole, then what is left on the first that has room. */
static void
claims_add(struct workload *w)
{
	const struct devices *v = w->devices;

	if (w->have >= w->want || w->waits || !team_ready(w->r))
		return;
	for (int whole = 1; whole >= 0; whole--) {
		for (size_t i = 0; i < v->nhosts && w->have < w->want; i++) {
			int64_t room = host_free(&v->hosts[i]), left = w->want - w->have;

			if (room == 0 || (whole == 1) != (room <= left))
				continue;
			if (!node_load(w, room < left ? room : left))
				return;
		}
	}
}

static bool
is_idle(const struct round *r, const struct node *claims)
{
	if (r->k->s->workload > 0)
		return false;
	for (const struct node *c = node_first(claims); c != NULL; c = c->next) {
		if (is_ours(c))
			return false; /* of a run that had a workload */
	}
	return true;
}

void
workload_reconcile(struct round *r)
{
	struct node *claims = kube_list(r, "ResourceClaim");
	struct devices v;
	struct workload w = { .r = r, .devices = &v, .seed = r->k->s->seed };

	if (is_idle(r, claims) || !devices_read(r, claims, &v))
		return;
	for (size_t i = 0; i < v.nslices; i++)
		w.total += str_is(v.slices[i].driver, gpu_driver) ? (int64_t)v.slices[i].n : 0;
	w.want = gpus_wanted(&w);
	claims_review(&w);
	claims_add(&w);
}
