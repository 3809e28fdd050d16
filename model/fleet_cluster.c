#include <string.h>

#include "model/base/mem.h"
#include "model/fleet_int.h"
#include "model/stamp.h"

enum {
	LINE_MAX_BYTES = 2048,
	FIRST_PASS_MS =
	    5 * 60 * 1000, /* a new cluster is first looked at sooner, and Ready later */
};

/* ---- words ---- */

struct str
fleet_accelerator(struct fleet_builder *b, struct str label)
{
	static const char *const vendors[] = { "nvidia-", "nvidia.com/", "amd-" };
	char upper[64];
	struct str s = label;

	for (size_t i = 0; i < ARRAY_LEN(vendors); i++)
		if (str_starts(s, str_from(vendors[i])))
			s = str_sub(s, strlen(vendors[i]), s.n);
	if (s.n == 0 || s.n >= sizeof(upper))
		return fleet_text(b, label);
	for (size_t i = 0; i < s.n; i++)
		upper[i] = (char)(s.p[i] >= 'a' && s.p[i] <= 'z' ? s.p[i] - 'a' + 'A' : s.p[i]);
	return fleet_text(b, (struct str){ upper, s.n });
}

struct str
fleet_class_memory(struct fleet_builder *b, const struct inference_class *c)
{
	const struct class_device *d = c->spec.devices.items;

	for (size_t i = 0; i < c->spec.devices.n; i++) {
		const struct device_capacity *cap = d[i].capacity.items;

		for (size_t j = 0; d[i].claim == CLAIM_DRA && j < d[i].capacity.n; j++)
			if (str_is(cap[j].key, "memory"))
				return fleet_text(b, cap[j].value);
	}
	return STR("");
}

int64_t
fleet_class_gpus(const struct inference_class *c)
{
	const struct class_device *d = c->spec.devices.items;
	int64_t n = 0;

	for (size_t i = 0; i < c->spec.devices.n; i++)
		if (d[i].claim == CLAIM_DRA)
			n += d[i].count.present ? d[i].count.value : 1;
	return n > 0 ? n : -1;
}

static struct str
labels_join(struct fleet_builder *b, const struct strmap *m)
{
	struct text t = TEXT_INIT(LINE_MAX_BYTES);
	struct str s;

	for (size_t i = 0; i < m->n; i++)
		text_printf(&t, "%s" STR_FMT "=" STR_FMT, i > 0 ? " " : "",
		    STR_ARG(m->items[i].key), STR_ARG(m->items[i].value));
	s = fleet_text(b, text_str(&t));
	text_free(&t);
	return s;
}

static struct str
taints_join(struct fleet_builder *b, const struct list *taints)
{
	const struct cluster_taint *taint = taints->items;
	struct text t = TEXT_INIT(LINE_MAX_BYTES);
	struct str s;

	for (size_t i = 0; i < taints->n; i++)
		text_printf(&t, "%s" STR_FMT "%s" STR_FMT ":%s", i > 0 ? " " : "",
		    STR_ARG(taint[i].key), taint[i].value.n > 0 ? "=" : "", STR_ARG(taint[i].value),
		    taint[i].effect == TAINT_NO_EXECUTE ? "NoExecute" : "NoSchedule");
	s = fleet_text(b, text_str(&t));
	text_free(&t);
	return s;
}

static struct str
zones_join(struct fleet_builder *b, const struct list *zones)
{
	const struct str *zone = zones->items;
	struct text t = TEXT_INIT(LINE_MAX_BYTES);
	struct str s;

	for (size_t i = 0; i < zones->n; i++) {
		text_add(&t, i > 0 ? "," : "");
		text_add_str(&t, zone[i]);
	}
	s = fleet_text(b, text_str(&t));
	text_free(&t);
	return s;
}

/* ---- state ---- */

static const struct condition *
condition(const struct fleet_work *w, const char *type)
{
	return condition_find(&w->in->status.conditions, type);
}

static bool
is_true(const struct condition *c)
{
	return c != NULL && c->status == CONDITION_TRUE;
}

static bool
is_false_for(const struct condition *c, const char *reason)
{
	return c != NULL && c->status == CONDITION_FALSE &&
	       (reason == NULL || str_is(c->reason, reason));
}

static bool
has_taint(const struct fleet_work *w, enum taint_effect effect)
{
	const struct cluster_taint *t = w->in->spec.taints.items;

	for (size_t i = 0; i < w->in->spec.taints.n; i++)
		if (t[i].effect == (int)effect)
			return true;
	return false;
}

/*
 * It served before: the gateway has had an address, and "not ready" began well after the cluster
 * was made, which it does only when it was ready in between.
 */
static bool
was_ready(const struct fleet_work *w)
{
	const struct condition *ready = condition(w, "Ready");
	int64_t made = stamp_or_zero(w->in->meta.creation_timestamp);
	int64_t since = ready != NULL ? stamp_or_zero(ready->last_transition_time) : 0;

	return w->in->status.gateway.address.n > 0 && since - made > FIRST_PASS_MS;
}

static bool
is_stale(const struct fleet_work *w)
{
	const struct fleet_source *s = w->b->src;

	return w->seen != NULL && w->seen->observed_ms > 0 && s->stale_after_ms > 0 &&
	       s->now_ms - w->seen->observed_ms > s->stale_after_ms;
}

/* Whether something outside is being changed on purpose: a cluster that is not "degraded". */
static bool
is_updating(const struct fleet_work *w)
{
	const struct fleet_source *s = w->b->src;
	size_t at;

	if (w->provider == NULL)
		return false;
	at = fleet_index_find(w->b->externals, s->nexternals, w->provider->uid);
	for (; at < s->nexternals && str_eq(w->b->externals[at].key, w->provider->uid); at++) {
		int phase = s->externals[w->b->externals[at].at]->spec.phase;

		if (phase == EXTERNAL_DRIFTED || phase == EXTERNAL_CREATED ||
		    phase == EXTERNAL_DELETING || phase == EXTERNAL_WAITING)
			return true;
	}
	return false;
}

static enum fleet_state
state_of(const struct fleet_work *w)
{
	const struct condition *ready = condition(w, "Ready");
	const struct condition *cluster = condition(w, "ClusterReady");

	if (w->in->meta.deletion_timestamp.n > 0)
		return w->nreplicas > 0 || is_false_for(ready, "ReplicasScheduled")
			   ? FLEET_DELETE_BLOCKED
			   : FLEET_DELETING;
	if (is_false_for(cluster, "WaitingForClasses"))
		return FLEET_NEEDS_CLASS;
	if (is_false_for(cluster, "InvalidNodePool"))
		return FLEET_BAD_POOL;
	if (is_false_for(condition(w, "Synced"), NULL))
		return FLEET_ERROR;
	if (ready == NULL && cluster == NULL)
		return FLEET_NEW;
	if (!is_true(ready) && was_ready(w))
		return is_updating(w) ? FLEET_UPDATING : FLEET_DEGRADED;
	if (!is_true(cluster))
		return FLEET_CREATING;
	if (!is_true(ready))
		return FLEET_INSTALLING;
	if (is_stale(w))
		return FLEET_STALE;
	if (has_taint(w, TAINT_NO_EXECUTE))
		return w->nreplicas > 0 ? FLEET_DRAINING : FLEET_DRAINED;
	if (has_taint(w, TAINT_NO_SCHEDULE))
		return FLEET_CORDONED;
	return is_updating(w) ? FLEET_UPDATING : FLEET_READY;
}

/* The condition that a state comes from: its message, reason and time are the cluster's. */
static const struct condition *
state_cause(const struct fleet_work *w)
{
	const struct condition *synced = condition(w, "Synced");
	const struct condition *cluster = condition(w, "ClusterReady");

	switch (w->out->state) {
	case FLEET_NEEDS_CLASS:
	case FLEET_BAD_POOL:
	case FLEET_CREATING:
		return cluster;
	case FLEET_ERROR:
		return synced;
	case FLEET_INSTALLING:
		return condition(w, "BackendReady");
	case FLEET_DEGRADED:
		return is_true(cluster) ? condition(w, "BackendReady") : cluster;
	case FLEET_DELETE_BLOCKED:
	case FLEET_STALE:
	case FLEET_UNKNOWN:
	case FLEET_DELETING:
	case FLEET_DRAINING:
	case FLEET_UPDATING:
	case FLEET_WAITING:
	case FLEET_NEW:
	case FLEET_CORDONED:
	case FLEET_DRAINED:
	case FLEET_READY:
	case FLEET__MAX:
		break;
	}
	return condition(w, "Ready");
}

static const char *
state_advice(enum fleet_state s)
{
	switch (s) {
	case FLEET_NEEDS_CLASS:
		return "apply the missing InferenceClass";
	case FLEET_BAD_POOL:
		return "choose a class that has a recipe for this cloud";
	case FLEET_DELETE_BLOCKED:
		return "delete the deployments whose replicas run here";
	case FLEET_STALE:
		return "check the way to the cluster's API";
	case FLEET_DEGRADED:
		return "look at the tree for what is not ready";
	case FLEET_ERROR:
	case FLEET_UNKNOWN:
	case FLEET_DELETING:
	case FLEET_DRAINING:
	case FLEET_CREATING:
	case FLEET_INSTALLING:
	case FLEET_UPDATING:
	case FLEET_WAITING:
	case FLEET_NEW:
	case FLEET_CORDONED:
	case FLEET_DRAINED:
	case FLEET_READY:
	case FLEET__MAX:
		break;
	}
	return "";
}

static void
state_build(struct fleet_work *w)
{
	struct fleet_cluster *c = w->out;
	const struct condition *cause;

	c->state = state_of(w);
	cause = state_cause(w);
	c->state_since_ms = c->created_ms;
	c->advice = str_from(state_advice(c->state));
	if (c->state == FLEET_STALE && w->seen != NULL) {
		c->message = fleet_text(w->b, w->seen->problem);
		c->state_since_ms = w->seen->observed_ms;
	} else if (cause != NULL) {
		c->message = fleet_text(w->b, cause->message);
		c->reason = fleet_text(w->b, cause->reason);
		c->state_since_ms = stamp_or_zero(cause->last_transition_time);
	}
	if (c->deleted_ms > 0)
		c->state_since_ms = c->deleted_ms;
}

static void
conditions_build(struct fleet_work *w)
{
	const struct list *list = &w->in->status.conditions;
	const struct condition *in = list->items;
	struct fleet_condition *out = arena_array(w->b->a, list->n + 1, sizeof(*out));
	static const char *const words[] = { "True", "False", "Unknown" };

	for (size_t i = 0; out != NULL && i < list->n; i++) {
		out[i].type = fleet_text(w->b, in[i].type);
		out[i].status = str_from(
		    in[i].status >= 0 && in[i].status < 3 ? words[in[i].status] : "Unknown");
		out[i].reason = fleet_text(w->b, in[i].reason);
		out[i].message = fleet_text(w->b, in[i].message);
		out[i].since_ms = stamp_or_zero(in[i].last_transition_time);
	}
	w->out->conditions = out;
	w->out->nconditions = out != NULL ? list->n : 0;
}

/* ---- pools ---- */

/* What the cloud said about the pool's resource: its node count, -1 unknown. */
static const struct external *
pool_external(const struct fleet_work *w, struct str pool)
{
	const struct fleet_source *s = w->b->src;
	char key[96];
	struct text t = TEXT_INIT(sizeof(key) - 1);
	const struct external *found = NULL;
	size_t at;

	if (w->provider == NULL)
		return NULL;
	text_printf(&t, "nodepool-" STR_FMT, STR_ARG(pool));
	at = fleet_index_find(w->b->externals, s->nexternals, w->provider->uid);
	for (; at < s->nexternals && str_eq(w->b->externals[at].key, w->provider->uid); at++) {
		const struct external *x = s->externals[w->b->externals[at].at];

		if (str_eq(x->spec.key, text_str(&t)))
			found = x;
	}
	text_free(&t);
	return found;
}

static int64_t
opt(struct opt_int value)
{
	return value.present ? value.value : -1;
}

static int64_t
nodes_wanted(const struct node_pool *in, const struct external *x, const struct capacity_sum *sum)
{
	int64_t wanted = opt(in->node_count);
	int64_t cloud = x != NULL ? node_path_int(x->spec.observed, "count", -1) : -1;

	if (cloud >= 0)
		return cloud;
	if (in->min_node_count.present && wanted < in->min_node_count.value)
		wanted = in->min_node_count.value;
	if (in->max_node_count.present && in->max_node_count.value > 0 &&
	    wanted > in->max_node_count.value)
		wanted = in->max_node_count.value;
	/* An autoscaled pool has what it has: what is there and not ready is what is missing. */
	if (sum != NULL && in->max_node_count.present)
		return sum->nodes;
	return wanted;
}

static enum fleet_state
pool_state(const struct fleet_work *w, const struct fleet_pool *p, const struct external *x)
{
	if (w->out->state == FLEET_DELETING || w->out->state == FLEET_DELETE_BLOCKED)
		return FLEET_DELETING;
	if (x != NULL) {
		switch ((enum external_phase)x->spec.phase) {
		case EXTERNAL_FAILED:
			return FLEET_ERROR;
		case EXTERNAL_DRIFTED:
			return FLEET_UPDATING;
		case EXTERNAL_DELETING:
		case EXTERNAL_TOMBSTONE:
			return FLEET_DELETING;
		case EXTERNAL_UNKNOWN:
			return FLEET_UNKNOWN;
		case EXTERNAL_INTENT:
		case EXTERNAL_CREATED:
			return FLEET_CREATING;
		case EXTERNAL_WAITING:
			return FLEET_WAITING;
		case EXTERNAL_READY:
			break;
		}
	} else if (w->provider != NULL || w->out->state == FLEET_NEW) {
		return w->out->state == FLEET_READY ? FLEET_WAITING : w->out->state;
	}
	if (p->nodes_ready >= 0 && p->nodes_wanted > p->nodes_ready)
		return FLEET_DEGRADED;
	return p->nodes_ready < 0 ? FLEET_UNKNOWN : FLEET_READY;
}

static void
pool_counts(struct fleet_work *w, struct fleet_pool *p, const struct node_pool *in,
    const struct external *x)
{
	bool known = w->seen != NULL && w->seen->observed_ms > 0;
	struct capacity_sum sum = { .gpus = -1, .claimed = -1 };

	p->nodes_ready = p->gpus_observed = p->gpus_claimed = p->nodes_free = -1;
	if (known) {
		sum = capacity_sum(w->seen->nodes, w->seen->nnodes, in->name);
		p->nodes_ready = sum.nodes_ready;
		p->gpus_observed = sum.nodes == 0 ? 0 : sum.gpus;
		p->gpus_claimed = sum.nodes == 0 ? 0 : sum.claimed;
		p->nodes_free = sum.gpus < 0 && sum.nodes > 0 ? -1 : sum.nodes_free;
	}
	p->nodes_wanted = nodes_wanted(in, x, known ? &sum : NULL);
	p->nodes_min = opt(in->min_node_count);
	p->nodes_max = opt(in->max_node_count);
}

static void
pool_build(struct fleet_work *w, const struct node_pool *in, struct fleet_pool *p)
{
	static const char *const fabrics[] = { "None", "EFA", "InfiniBand" };
	struct fleet_builder *b = w->b;
	const struct inference_class *class = fleet_class_find(b, in->class_name);
	const struct class_recipe *recipe =
	    class != NULL ? class_recipe_get(class, w->in->spec.cluster.source) : NULL;
	const struct external *x = pool_external(w, in->name);

	p->cluster = (uint32_t)(w->out - b->clusters);
	p->cluster_name = w->out->name;
	p->name = fleet_text(b, in->name);
	p->class_name = fleet_text(b, in->class_name);
	p->zones = zones_join(b, &in->zones);
	p->fabric = str_from(in->fabric.present && in->fabric.type >= 0 && in->fabric.type < 3
				 ? fabrics[in->fabric.type]
				 : "");
	p->gpus_per_node = class != NULL ? fleet_class_gpus(class) : -1;
	if (class != NULL)
		p->memory = fleet_class_memory(b, class);
	if (recipe != NULL && recipe->present) {
		p->vm_size = fleet_text(b, recipe->machine);
		p->accelerator = fleet_accelerator(b, recipe->accelerator.type);
		if (p->gpus_per_node < 0 && recipe->accelerator.count.present)
			p->gpus_per_node = recipe->accelerator.count.value;
	}
	pool_counts(w, p, in, x);
	p->state = pool_state(w, p, x);
	if (x != NULL)
		p->message =
		    fleet_text(b, x->spec.error.present ? x->spec.error.message : x->spec.progress);
	else if (class == NULL)
		p->message =
		    fleet_textf(b, "no InferenceClass named " STR_FMT, STR_ARG(in->class_name));
}

/* -1 plus anything known is what is known. */
static void
sum_add(int64_t *sum, int64_t value)
{
	if (value >= 0)
		*sum = (*sum < 0 ? 0 : *sum) + value;
}

static void
pools_build(struct fleet_work *w)
{
	struct fleet_cluster *c = w->out;
	const struct list *pools = &w->in->spec.node_pools;
	const struct node_pool *in = pools->items;

	c->first_pool = (uint32_t)w->b->npools;
	c->npools = (uint32_t)pools->n;
	c->nodes_ready = c->nodes_wanted = c->gpus = c->gpus_claimed = c->gpus_free = -1;
	for (size_t i = 0; i < pools->n; i++) {
		struct fleet_pool *p = &w->b->pools[w->b->npools++];

		pool_build(w, &in[i], p);
		sum_add(&c->nodes_ready, p->nodes_ready);
		sum_add(&c->nodes_wanted, p->nodes_wanted);
		sum_add(&c->gpus, p->gpus_observed);
		sum_add(&c->gpus_claimed, p->gpus_claimed);
		if (p->gpus_observed >= 0 && p->gpus_claimed >= 0)
			sum_add(&c->gpus_free, p->gpus_observed - p->gpus_claimed);
	}
}

/* ---- the rest of a row ---- */

static void
blockers_build(struct fleet_work *w)
{
	const struct fleet_source *s = w->b->src;
	size_t first = fleet_index_find(w->b->blockers, s->nblockers, w->in->meta.name);
	size_t n = 0;
	struct str *out;

	while (
	    first + n < s->nblockers && str_eq(w->b->blockers[first + n].key, w->in->meta.name)) {
		w->nreplicas += s->blockers[w->b->blockers[first + n].at].replica ? 1 : 0;
		n++;
	}
	if (n == 0)
		return;
	out = arena_array(w->b->a, n, sizeof(*out));
	for (size_t i = 0; out != NULL && i < n; i++)
		out[i] = fleet_text(w->b, s->blockers[w->b->blockers[first + i].at].text);
	w->out->blockers = out;
	w->out->nblockers = out != NULL ? n : 0;
}

void
fleet_cluster_build(struct fleet_work *w)
{
	struct fleet_builder *b = w->b;
	const struct inference_cluster *in = w->in;
	struct fleet_cluster *c = w->out;
	const struct cluster_cloud *cloud = cluster_cloud_get(&in->spec.cluster);
	int source = in->spec.cluster.source;

	c->name = fleet_text(b, in->meta.name);
	c->source = str_from(source >= 0 ? cluster_source_words[source] : "");
	c->stack = str_from(in->spec.stack >= 0 ? stack_words[in->spec.stack] : "");
	if (cloud != NULL) {
		c->region = fleet_text(b, cloud->region);
		c->version = fleet_text(b, cloud->kubernetes_version);
		c->provider_ref = fleet_textf(b, "%s/" STR_FMT,
		    cloud->credentials.type == CREDENTIALS_PROVIDER_CONFIG
			? "ProviderConfig"
			: "ClusterProviderConfig",
		    STR_ARG(
			cloud->credentials.name.n > 0 ? cloud->credentials.name : STR("default")));
	}
	c->gateway = fleet_text(b, in->status.gateway.address);
	c->storage_class = fleet_text(b, in->status.cache.storage_class_name);
	c->labels = labels_join(b, &in->meta.labels);
	c->taints = taints_join(b, &in->spec.taints);
	c->created_ms = stamp_or_zero(in->meta.creation_timestamp);
	c->deleted_ms = stamp_or_zero(in->meta.deletion_timestamp);
	c->generation = in->meta.generation.present ? in->meta.generation.value : 0;
	c->observed_ms = w->seen != NULL ? w->seen->observed_ms : 0;
	blockers_build(w);
	state_build(w);
	conditions_build(w);
	pools_build(w);
}
