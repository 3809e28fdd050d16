#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/fleet_int.h"
#include "model/stamp.h"

enum { LINE_MAX_BYTES = 1024 };

/* ---- classes ---- */

static void
class_row(struct fleet_builder *b, const struct inference_class *in, struct fleet_class *out)
{
	const struct condition *accepted = condition_find(&in->status.conditions, "Accepted");
	int provider = in->spec.provisioning.present ? in->spec.provisioning.provider : -1;
	const struct class_recipe *recipe = provider >= 0 ? class_recipe_get(in, provider) : NULL;

	out->name = fleet_text(b, in->meta.name);
	out->provider = str_from(provider >= 0 ? class_provider_words[provider] : "");
	if (recipe != NULL && recipe->present) {
		out->machine = fleet_text(b, recipe->machine);
		out->accelerator = fleet_accelerator(b, recipe->accelerator.type);
	}
	out->memory = fleet_class_memory(b, in);
	out->description = fleet_text(b, in->spec.description);
	out->gpus_per_node = fleet_class_gpus(in);
	out->accepted = accepted != NULL && accepted->status == CONDITION_TRUE;
	for (size_t i = 0; i < b->npools; i++)
		out->used_by += str_eq(b->pools[i].class_name, out->name) ? 1 : 0;
}

static void
classes_build(struct fleet_builder *b)
{
	const struct fleet_source *s = b->src;
	struct fleet_class *out = arena_array(b->a, s->nclasses + 1, sizeof(*out));

	for (size_t i = 0; out != NULL && i < s->nclasses; i++)
		class_row(b, s->classes[b->classes[i].at], &out[i]);
	b->f->classes = out;
	b->f->nclasses = out != NULL ? s->nclasses : 0;
}

/* ---- caches ---- */

static const struct fleet_storage *
storage_find(const struct fleet_seen *seen, struct str class)
{
	for (size_t i = 0; seen != NULL && i < seen->nstorage; i++)
		if (str_eq(seen->storage[i].name, class))
			return &seen->storage[i];
	return NULL;
}

static void
cache_row(struct fleet_builder *b, const struct fleet_cluster *c, struct fleet_cache *out)
{
	const struct fleet_source *s = b->src;
	size_t at = fleet_index_find(b->seen, s->nseen, c->name);
	const struct fleet_seen *seen = at < s->nseen ? &s->seen[b->seen[at].at] : NULL;
	const struct fleet_storage *storage = storage_find(seen, c->storage_class);

	out->cluster_name = c->name;
	out->class_name = c->storage_class;
	out->volumes = out->bytes = -1;
	if (storage != NULL) {
		out->provisioner = fleet_text(b, storage->provisioner);
		out->mode = fleet_text(b, storage->mode);
		out->parameters = fleet_text(b, storage->parameters);
		out->volumes = storage->volumes;
		out->bytes = storage->bytes;
		out->state = FLEET_READY;
	} else if (seen == NULL || seen->observed_ms == 0) {
		out->state = c->state == FLEET_READY ? FLEET_UNKNOWN : FLEET_WAITING;
		out->message = STR("the cluster was not looked at yet");
	} else if (c->storage_class.n == 0) {
		out->state = FLEET_WAITING;
		out->message = STR("no storage class for caches is known");
	} else {
		out->state = FLEET_ERROR;
		out->message = STR("the storage class is not on the cluster");
	}
}

static void
caches_build(struct fleet_builder *b)
{
	struct fleet_cache *out = arena_array(b->a, b->f->nclusters + 1, sizeof(*out));

	for (size_t i = 0; out != NULL && i < b->f->nclusters; i++)
		cache_row(b, &b->clusters[i], &out[i]);
	b->f->caches = out;
	b->f->ncaches = out != NULL ? b->f->nclusters : 0;
}

/* ---- GPU types ---- */

static struct fleet_gpu_type *
type_find(struct fleet_gpu_type *types, size_t *io_n, struct str type, struct str memory)
{
	for (size_t i = 0; i < *io_n; i++)
		if (str_eq(types[i].type, type) && str_eq(types[i].memory, memory))
			return &types[i];
	types[*io_n] = (struct fleet_gpu_type){ .type = type,
		.memory = memory,
		.gpus = -1,
		.claimed = -1,
		.free = -1,
		.nodes = -1,
		.nodes_free = -1 };
	return &types[(*io_n)++];
}

static void
sum_add(int64_t *sum, int64_t value)
{
	if (value >= 0)
		*sum = (*sum < 0 ? 0 : *sum) + value;
}

/* "aks-eu 8, aks-us 4": where free ones of a type are. */
static struct str
free_by_cluster(struct fleet_builder *b, const struct fleet_gpu_type *type)
{
	struct text t = TEXT_INIT(LINE_MAX_BYTES);
	struct str s;

	for (size_t c = 0; c < b->f->nclusters; c++) {
		const struct fleet_cluster *cluster = &b->clusters[c];
		int64_t n = 0;

		for (size_t i = 0; i < cluster->npools; i++) {
			const struct fleet_pool *p = &b->pools[cluster->first_pool + i];

			if (str_eq(p->accelerator, type->type) && str_eq(p->memory, type->memory) &&
			    p->gpus_observed >= 0 && p->gpus_claimed >= 0)
				n += p->gpus_observed - p->gpus_claimed;
		}
		if (n > 0)
			text_printf(&t, "%s" STR_FMT " %lld", t.n > 0 ? ", " : "",
			    STR_ARG(cluster->name), (long long)n);
	}
	s = fleet_text(b, text_str(&t));
	text_free(&t);
	return s;
}

static int
type_cmp(const void *pa, const void *pb)
{
	const struct fleet_gpu_type *a = pa, *b = pb;
	int order = str_cmp(a->type, b->type);

	return order != 0 ? order : str_cmp(a->memory, b->memory);
}

static void
gpu_types_build(struct fleet_builder *b)
{
	struct fleet_gpu_type *types = arena_array(b->a, b->npools + 1, sizeof(*types));
	size_t n = 0;

	for (size_t i = 0; types != NULL && i < b->npools; i++) {
		const struct fleet_pool *p = &b->pools[i];
		struct fleet_gpu_type *t;

		if (p->accelerator.n == 0)
			continue;
		t = type_find(types, &n, p->accelerator, p->memory);
		sum_add(&t->gpus, p->gpus_observed);
		sum_add(&t->claimed, p->gpus_claimed);
		sum_add(&t->nodes, p->nodes_ready);
		sum_add(&t->nodes_free, p->nodes_free);
		if (p->gpus_observed >= 0 && p->gpus_claimed >= 0)
			sum_add(&t->free, p->gpus_observed - p->gpus_claimed);
	}
	if (types != NULL && n > 0)
		qsort(types, n, sizeof(*types), type_cmp);
	for (size_t i = 0; i < n; i++)
		types[i].by_cluster = free_by_cluster(b, &types[i]);
	b->f->gpu_types = types;
	b->f->ngpu_types = n;
}

/* ---- events ---- */

static int64_t
event_time(const struct event_object *e)
{
	int64_t at = stamp_or_zero(e->last_timestamp);

	return at != 0 ? at : stamp_or_zero(e->event_time);
}

static int
newer(const void *pa, const void *pb)
{
	const struct fleet_index *a = pa, *b = pb;

	return a->at > b->at ? -1 : a->at < b->at;
}

/* The cluster an event is about: of that name, or the one whose child it is. */
static struct str
event_cluster(struct fleet_builder *b, const struct event_object *e)
{
	const struct object_ref *o = &e->involved_object;
	const struct fleet_source *s = b->src;
	size_t n = s->nproviders + s->nstacks, at;
	const struct owner_ref *ref;

	if (str_is(o->kind, "InferenceCluster"))
		return fleet_text(b, o->name);
	at = fleet_index_find(b->children, n, o->uid);
	if (at == n)
		return STR("");
	at = b->children[at].at;
	if (at < s->nproviders)
		return fleet_text(b, s->providers[at].name);
	ref = s->stacks[at - s->nproviders]->meta.owner_references.items;
	return s->stacks[at - s->nproviders]->meta.owner_references.n > 0
		   ? fleet_text(b, ref[0].name)
		   : STR("");
}

static void
event_row(struct fleet_builder *b, const struct event_object *e, struct fleet_event *out)
{
	out->last_ms = event_time(e);
	out->first_ms = stamp_or_zero(e->first_timestamp);
	out->count = e->count.present ? e->count.value : 1;
	out->warning = str_is(e->type, "Warning");
	out->cluster_name = event_cluster(b, e);
	out->object = fleet_textf(b, STR_FMT "/" STR_FMT, STR_ARG(e->involved_object.kind),
	    STR_ARG(e->involved_object.name));
	out->reason = fleet_text(b, e->reason);
	out->message = fleet_text(b, e->message);
	out->component =
	    fleet_text(b, e->source.component.n > 0 ? e->source.component : e->reporting_component);
}

static void
events_build(struct fleet_builder *b)
{
	const struct fleet_source *s = b->src;
	struct fleet_index *order = mem_array(s->nevents + 1, sizeof(*order));
	size_t n = s->nevents < FLEET_EVENTS_MAX ? s->nevents : FLEET_EVENTS_MAX;
	struct fleet_event *out = arena_array(b->a, n + 1, sizeof(*out));

	if (order == NULL || out == NULL) {
		mem_free(order);
		return;
	}
	/* key.n carries the place, at the time: sorted newest first. */
	for (size_t i = 0; i < s->nevents; i++)
		order[i] = (struct fleet_index){ { NULL, i }, (size_t)event_time(s->events[i]) };
	qsort(order, s->nevents, sizeof(*order), newer);
	for (size_t i = 0; i < n; i++)
		event_row(b, s->events[order[i].key.n], &out[i]);
	mem_free(order);
	b->f->events = out;
	b->f->nevents = n;
}

/* ---- what needs a person ---- */

static int
urgent_cmp(const void *pa, const void *pb)
{
	const struct fleet_urgent *a = pa, *b = pb;
	int wa = fleet_state_weight(a->state), wb = fleet_state_weight(b->state);

	if (wa != wb)
		return wa - wb;
	return a->since_ms < b->since_ms ? -1 : a->since_ms > b->since_ms;
}

static const char *
urgent_next(enum fleet_state s)
{
	switch (s) {
	case FLEET_NEEDS_CLASS:
		return "flightdeck apply -f CLASS.yaml";
	case FLEET_DELETE_BLOCKED:
	case FLEET_BAD_POOL:
		return "d describe";
	case FLEET_ERROR:
	case FLEET_DEGRADED:
	case FLEET_STALE:
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
	return "x tree  E events";
}

/* What a cluster's row says, in one sentence. */
static struct str
urgent_text(struct fleet_builder *b, const struct fleet_cluster *c)
{
	if (c->state == FLEET_CREATING || c->state == FLEET_INSTALLING)
		return fleet_textf(b, "step %lld/%lld " STR_FMT, (long long)c->steps_done + 1,
		    (long long)c->steps_total, STR_ARG(c->message.n > 0 ? c->message : c->step));
	if (c->message.n > 0)
		return c->message;
	return str_from(fleet_state_word(c->state));
}

static void
urgent_build(struct fleet_builder *b)
{
	enum { URGENT_WEIGHT_MAX = 5 };
	struct fleet_urgent *out = arena_array(b->a, b->f->nclusters + 1, sizeof(*out));
	size_t n = 0;

	for (size_t i = 0; out != NULL && i < b->f->nclusters; i++) {
		const struct fleet_cluster *c = &b->clusters[i];

		if (fleet_state_weight(c->state) > URGENT_WEIGHT_MAX)
			continue;
		out[n++] = (struct fleet_urgent){ .object = c->name,
			.text = urgent_text(b, c),
			.next = str_from(urgent_next(c->state)),
			.state = c->state,
			.since_ms = c->state_since_ms };
	}
	if (out != NULL && n > 0)
		qsort(out, n, sizeof(*out), urgent_cmp);
	b->f->urgent = out;
	b->f->nurgent = n < FLEET_URGENT_MAX ? n : FLEET_URGENT_MAX;
}

void
fleet_rest_build(struct fleet_builder *b)
{
	classes_build(b);
	caches_build(b);
	gpu_types_build(b);
	events_build(b);
	urgent_build(b);
}
