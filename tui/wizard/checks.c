/*
 * Checks as you type: the manifests that would be applied go through the same door as `apply -f`
 * (schema, then the flightdeck/ rules), and each problem is put beside the field it is about.
 * Beyond that, what only the cloud knows: quota, restrictions, names that are taken.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/kinds/inference_class.h"
#include "tui/text.h"
#include "tui/wizard/wizard_int.h"

enum { DERIVE_ARENA_MAX = 16 * 1024 * 1024 };

static void note(struct wizard *w, enum step step, int pool, int field, bool error, const char *fmt,
    ...) PRINTF_LIKE(6, 7);

static void
note(struct wizard *w, enum step step, int pool, int field, bool error, const char *fmt, ...)
{
	struct problem_note *n;
	va_list args;

	if (error)
		w->nerrors++;
	else
		w->nwarnings++;
	if (w->nnotes == ARRAY_LEN(w->notes))
		return;
	n = &w->notes[w->nnotes++];
	n->step = step;
	n->pool = pool;
	n->field = field;
	n->error = error;
	va_start(args, fmt);
	(void)vsnprintf(n->text, sizeof(n->text), fmt, args);
	va_end(args);
}

/* ---- where a path of the manifest is entered ---- */

struct place {
	const char *member; /* of a pool */
	int field;
};

static const struct place pool_places[] = {
	{ "name", POOL_NAME },
	{ "className", POOL_CLASS },
	{ "nodeCount", POOL_NODES },
	{ "minNodeCount", POOL_MIN },
	{ "maxNodeCount", POOL_MAX },
	{ "zones", POOL_ZONES },
	{ "fabric", POOL_FABRIC },
};

struct prefix {
	const char *path;
	enum step step;
	int field;
};

static const struct prefix prefixes[] = {
	{ "metadata.name", STEP_NAME, 0 },
	{ "metadata.labels", STEP_LABELS, LABELS_LABELS },
	{ "spec.taints", STEP_LABELS, LABELS_TAINTS },
	{ "spec.cluster.aks.location", STEP_WHERE, WHERE_LOCATION },
	{ "spec.cluster.aks.kubernetesVersion", STEP_WHERE, WHERE_VERSION },
	{ "spec.cluster.aks.credentials", STEP_WHERE, WHERE_CONFIG },
	{ "spec.cluster", STEP_WHERE, -1 },
	{ "spec.nodePools", STEP_POOLS, -1 },
};

static bool
pool_place(struct str path, int *ret_pool, int *ret_field)
{
	struct str rest = str_sub(path, strlen("spec.nodePools["), path.n);
	ptrdiff_t end = str_find_char(rest, ']');
	int64_t n;

	if (!str_starts(path, STR("spec.nodePools[")) || end < 0 ||
	    !str_to_int(str_sub(rest, 0, (size_t)end), &n) || n < 0 || n >= WIZARD_MAX_POOLS)
		return false;
	*ret_pool = (int)n;
	*ret_field = -1;
	rest = str_sub(rest, (size_t)end + 2, rest.n);
	for (size_t i = 0; i < ARRAY_LEN(pool_places); i++)
		if (str_starts(rest, str_from(pool_places[i].member)))
			*ret_field = pool_places[i].field;
	return true;
}

static void
problem_place(const struct problem *p, enum step *step, int *pool, int *field)
{
	*pool = -1;
	*field = -1;
	*step = STEP_POOLS;
	if (pool_place(p->path, pool, field))
		return;
	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
		if (str_starts(p->path, str_from(prefixes[i].path))) {
			*step = prefixes[i].step;
			*field = prefixes[i].field;
			return;
		}
}

/* ---- the model's checks ---- */

struct stored {
	const struct console *c;
	struct arena *arena;
};

/* A class of the fleet as far as the snapshot knows it, which is what the rules look at. */
static const struct node *
stored_find(void *context, const struct kind *k, struct str ns, struct str name)
{
	const struct stored *s = context;

	(void)ns;
	if (k != &inference_class_kind || s->c->fleet == NULL)
		return NULL;
	for (size_t i = 0; i < s->c->fleet->nclasses; i++) {
		const struct fleet_class *f = &s->c->fleet->classes[i];
		struct node *o;

		if (!str_eq(f->name, name))
			continue;
		o = node_map(s->arena);
		node_set(s->arena, node_make_path(s->arena, o, "metadata"), "name",
		    node_str(s->arena, name));
		if (f->provider.n > 0) {
			struct node *p = node_make_path(s->arena, o, "spec.provisioning");

			node_set(s->arena, p, "provider", node_str(s->arena, f->provider));
			node_set(s->arena, node_make_path(s->arena, p, "aks"), "vmSize",
			    node_str(s->arena, f->machine));
		}
		return o;
	}
	return NULL;
}

static void
model_checks(struct wizard *w, const struct console *c)
{
	struct stored stored = { c, w->arena };
	struct known known = {
		.find = stored_find, .context = &stored, .now_ms = c->now_ms, .for_apply = true
	};
	struct manifest_set set;

	manifest_set_init(&set, w->arena);
	/* what is wrong stands in its problems, whichever of the two found it */
	if (!manifest_set_add(&set, "draft", text_str(&w->yaml)) ||
	    !manifest_set_check(&set, &known))
		set.problems.nerrors += 0;
	for (size_t i = 0; i < set.problems.n; i++) {
		const struct problem *p = &set.problems.items[i];
		enum step step;
		int pool;
		int field;

		problem_place(p, &step, &pool, &field);
		note(w, step, pool, field, p->severity == SEVERITY_ERROR, STR_FMT "%s" STR_FMT,
		    STR_ARG(p->message), p->advice.n > 0 ? ": " : "", STR_ARG(p->advice));
	}
}

/* ---- what only the cloud and the fleet know ---- */

static void
needed_fields(struct wizard *w)
{
	if (w->where.fields[WHERE_LOCATION].value[0] == '\0')
		note(w, STEP_WHERE, -1, WHERE_LOCATION, true, "choose a location");
	if (w->where.fields[WHERE_CONFIG].value[0] == '\0' && w->choices.pending == 0)
		note(w, STEP_WHERE, -1, WHERE_CONFIG, true,
		    "there is no credential: 'flightdeck login azure' stores one");
	for (size_t i = 0; i < w->npools; i++)
		if (w->pools[i].fields[POOL_CLASS].value[0] == '\0')
			note(w, STEP_POOLS, (int)i, POOL_CLASS, true,
			    "choose a class, or a VM size to make one from");
	if (w->name.fields[0].value[0] == '\0')
		note(w, STEP_NAME, -1, 0, true, "give the cluster a name");
}

static int64_t
pool_most(const struct form *f)
{
	int64_t n = 0;
	int64_t most = 0;

	(void)field_number(&f->fields[POOL_NODES], &n);
	if (f->fields[POOL_MAX].value[0] != '\0' && field_number(&f->fields[POOL_MAX], &most))
		return most > n ? most : n;
	return n;
}

static void
cloud_checks(struct wizard *w, const struct console *c)
{
	for (size_t i = 0; i < w->npools; i++) {
		const struct vm_size *s = pool_size(w, c, i);
		const struct quota *q = s != NULL ? quota_find(w, s->family) : NULL;
		int64_t nodes = 0;
		int64_t most = pool_most(&w->pools[i]);

		if (s != NULL && s->restricted[0] != '\0')
			note(w, STEP_POOLS, (int)i, POOL_CLASS, true, "%s", s->restricted);
		if (q == NULL || q->limit < 0)
			continue;
		(void)field_number(&w->pools[i].fields[POOL_NODES], &nodes);
		if (nodes * s->vcpus > q->limit - q->used)
			note(w, STEP_POOLS, (int)i, POOL_NODES, true,
			    "%lld nodes need %lld vCPUs of %s, %lld are free: ask for quota, or "
			    "choose less",
			    (long long)nodes, (long long)nodes * s->vcpus, q->family,
			    (long long)(q->limit - q->used));
		else if (most * s->vcpus > q->limit - q->used)
			note(w, STEP_POOLS, (int)i, POOL_MAX, false,
			    "at its ceiling the pool needs %lld vCPUs of %s, %lld are free",
			    (long long)most * s->vcpus, q->family, (long long)(q->limit - q->used));
	}
	if (c->fleet != NULL && w->name.fields[0].value[0] != '\0' &&
	    fleet_cluster_find(c->fleet, str_from(w->name.fields[0].value)) != NULL)
		note(w, STEP_NAME, -1, 0, true, "a cluster of this name is there already");
}

static void
mark_fields(struct wizard *w)
{
	struct form *forms[] = { &w->source, &w->where, &w->labels, &w->name };

	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		for (size_t k = 0; k < forms[i]->n; k++)
			forms[i]->fields[k].bad = false;
	for (size_t i = 0; i < w->npools; i++)
		for (size_t k = 0; k < w->pools[i].n; k++)
			w->pools[i].fields[k].bad = false;
	for (size_t i = 0; i < w->nnotes; i++) {
		const struct problem_note *n = &w->notes[i];
		struct form *f = n->step == STEP_WHERE	  ? &w->where
				 : n->step == STEP_LABELS ? &w->labels
				 : n->step == STEP_NAME	  ? &w->name
				 : n->pool >= 0		  ? &w->pools[n->pool]
							  : NULL;

		if (f != NULL && n->error && n->field >= 0 && (size_t)n->field < f->n)
			f->fields[n->field].bad = true;
	}
}

void
wizard_derive(struct wizard *w, const struct console *c)
{
	arena_clear(w->arena);
	text_clear(&w->yaml);
	w->nnotes = w->nerrors = w->nwarnings = 0;
	draft_write(w, c, w->arena, &w->yaml);
	needed_fields(w);
	if (w->nerrors == 0) /* before, the model would say the same in other words */
		model_checks(w, c);
	cloud_checks(w, c);
	mark_fields(w);
}
