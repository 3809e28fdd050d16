/*
 * Manifests in, all or nothing: the set is checked against what is stored, every object is applied
 * as a trial, and only when all trials went well is anything written, in the order in which objects
 * need each other.
 */

#include "backend/store/apply.h"
#include "backend/backend_int.h"

#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "backend/controllers/controller.h"
#include "model/base/mem.h"
#include "model/kinds/inference_class.h"
#include "model/kinds/inference_cluster.h"
#include "model/kinds/namespace.h"
#include "model/kinds/secret.h"

struct lookup {
	struct backend *b;
	struct arena *arena;
};

const struct node *
backend_known(void *context, const struct kind *k, struct str ns, struct str name)
{
	struct lookup *l = context;
	const struct object *o = NULL;
	struct node *tree = NULL;

	if (!store_get(l->b->store, resource_of(k),
		(k->flags & KIND_NAMESPACED) != 0 ? ns : STR(""), name, &o, NULL))
		return NULL;
	if (!object_node(o, l->arena, &tree, NULL))
		tree = NULL;
	object_unref(o);
	if (tree != NULL)
		schema_default(k->schema, l->arena, tree);
	return tree;
}

/* What others name comes first. */
static int
rank(const struct kind *k)
{
	if (k == &namespace_kind)
		return 0;
	if (k == &secret_kind)
		return 1;
	if (k == &inference_class_kind)
		return 3;
	return k == &inference_cluster_kind ? 4 : strstr(k->kind, "ProviderConfig") != NULL ? 2 : 5;
}

static void
sort_by_rank(struct document **docs, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct document *d = docs[i];
		size_t at = i;

		while (at > 0 && rank(docs[at - 1]->kind) > rank(d->kind)) {
			docs[at] = docs[at - 1];
			at--;
		}
		docs[at] = d;
	}
}

/* Fields that another of our own verbs set last (scale, taint) yield to a manifest. */
static bool
only_ours(const struct resource *res, struct arena *a, const struct node *live,
    const struct node *applied, const char *manager)
{
	struct apply_conflict *items = NULL;
	size_t n = 0;

	if (live == NULL || !apply_conflicts(res, a, live, applied, manager, &items, &n, NULL))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!str_starts(items[i].manager, STR("flightdeck")))
			return false;
	return n > 0;
}

struct target {
	struct backend *b;
	struct arena *arena;
	struct problems *problems;
	const struct kind *kind;
	struct str ns, name;
	const struct node *live; /* NULL: to be created */
	struct node *applied;
};

static bool
target_load(struct target *t, struct error *err)
{
	struct error failed;
	struct node *live = NULL;

	error_clear(&failed);
	t->live = NULL;
	if (object_tree(
		t->b, t->arena, (struct object_key){ t->kind, t->ns, t->name }, &live, &failed)) {
		t->live = live;
		return true;
	}
	if (failed.code == ERR_NOT_FOUND)
		return true;
	if (err != NULL)
		*err = failed;
	return false;
}

static bool
target_apply(struct target *t, bool dry_run, const struct object **ret_object, struct error *err)
{
	const struct resource *res = resource_of(t->kind);
	struct actor actor = backend_actor(t->b);
	struct error failed;

	error_clear(&failed);
	actor.dry_run = dry_run;
	if (store_apply(t->b->store, res, t->applied, false, &actor, ret_object, &failed))
		return true;
	if (failed.code == ERR_CONFLICT &&
	    only_ours(res, t->arena, t->live, t->applied, actor.manager))
		return store_apply(t->b->store, res, t->applied, true, &actor, ret_object, err);
	if (err != NULL)
		*err = failed;
	return false;
}

/* The trial: what would be stored is checked once more, as it may hold fields of others. */
static bool
target_try(struct target *t, struct error *err)
{
	const struct object *o = NULL;
	struct node *merged;
	bool ok;

	if (!target_load(t, err))
		return false;
	if (!target_apply(t, true, &o, err))
		return error_wrap(
		    err, "cannot apply %s '" STR_FMT "'", t->kind->kind, STR_ARG(t->name));
	ok = object_node(o, t->arena, &merged, err);
	object_unref(o);
	if (ok && t->live != NULL && !schema_check(t->kind, t->arena, merged, t->live, t->problems))
		ok = error_set(err, ERR_INVALID, "%s '" STR_FMT "' would not be valid",
		    t->kind->kind, STR_ARG(t->name));
	return ok;
}

/* What a manifest can change; a controller's status and finalizers may differ meanwhile. */
static bool
is_same(const struct node *before, const struct node *after)
{
	static const char *const parts[] = { "spec", "data", "type", "metadata.labels",
		"metadata.annotations" };

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		const struct node *was = node_path(before, parts[i]);
		const struct node *is = node_path(after, parts[i]);

		if (was == NULL || is == NULL ? was != is : !node_eq(was, is))
			return false;
	}
	return true;
}

static bool
target_store(struct target *t, bool dry_run, struct apply_result *ret, struct error *err)
{
	const struct object *o = NULL;
	struct node *after;
	bool same = false;

	if (!target_load(t, err) || !target_apply(t, dry_run, &o, err))
		return false;
	if (t->live != NULL && object_node(o, t->arena, &after, NULL))
		same = is_same(t->live, after);
	object_unref(o);
	ret->object = str_from(arena_printf(t->arena, "%s%s%s/" STR_FMT, t->kind->singular,
	    t->kind->group[0] != '\0' ? "." : "", t->kind->group, STR_ARG(t->name)));
	ret->done = t->live == NULL ? "created" : same ? "unchanged" : "configured";
	return true;
}

static struct target
target_of(struct backend *b, struct manifest_set *m, struct document *d)
{
	struct target t = { .b = b, .arena = m->arena, .problems = &m->problems, .kind = d->kind };

	t.ns = namespace_for(d->kind, d->ns);
	t.name = d->name;
	t.applied = d->object;
	if ((d->kind->flags & KIND_NAMESPACED) != 0)
		node_set(m->arena, node_make_path(m->arena, d->object, "metadata"), "namespace",
		    node_str(m->arena, t.ns));
	(void)node_remove(d->object, STR("status")); /* not ours to apply */
	return t;
}

/* An object with its managed fields, its pages and the journal of its write, generously. */
enum { ROOM_PER_OBJECT = 16 * 1024, ROOM_BESIDE = 256 * 1024 };

/*
 * Each object is a transaction of its own. A disk that fills up in the middle would leave a part of
 * the set, so that there is room for all of it is seen to first.
 */
static bool
room_for(struct backend *b, size_t nobjects, struct error *err)
{
	uint64_t need = (uint64_t)nobjects * ROOM_PER_OBJECT + ROOM_BESIDE;
	struct statvfs fs;

	if (statvfs(b->profile->dir, &fs) != 0)
		return true; /* the store itself will say what is wrong */
	if ((uint64_t)fs.f_bavail * fs.f_frsize >= need)
		return true;
	(void)error_set(err, ERR_DISK_FULL, "no room for %zu objects in '%s': nothing was stored",
	    nobjects, b->profile->dir);
	error_advise(
	    err, "free %llu KiB there, or apply less at once", (unsigned long long)(need / 1024));
	return false;
}

bool
backend_apply(struct backend *b, struct manifest_set *m, bool dry_run,
    struct apply_result **ret_results, size_t *ret_n, struct error *err)
{
	struct lookup lookup = { b, m->arena };
	struct known known = { .find = backend_known,
		.context = &lookup,
		.now_ms = clock_wall_ms(b->clock),
		.for_apply = true };
	struct document **docs = arena_array(m->arena, m->ndocs + 1, sizeof(struct document *));
	struct apply_result *results = arena_array(m->arena, m->ndocs + 1, sizeof(*results));

	if (!dry_run && !backend_may_write(b, err))
		return false;
	if (docs == NULL || results == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory to apply");
	if (!manifest_set_check(m, &known))
		return error_set(
		    err, ERR_INVALID, "%zu errors: nothing was stored", m->problems.nerrors);
	for (size_t i = 0; i < m->ndocs; i++)
		docs[i] = &m->docs[i];
	sort_by_rank(docs, m->ndocs);
	for (size_t i = 0; i < m->ndocs; i++) {
		struct target t = target_of(b, m, docs[i]);

		if (!target_try(&t, err))
			return false;
	}
	if (!dry_run && !room_for(b, m->ndocs, err))
		return false;
	for (size_t i = 0; i < m->ndocs; i++) {
		struct target t = target_of(b, m, docs[i]);

		if (!target_store(&t, dry_run, &results[i], err))
			return error_wrap(
			    err, "%zu of %zu objects were stored before this", i, m->ndocs);
	}
	*ret_results = results;
	*ret_n = m->ndocs;
	return true;
}

/* The same for a request: results as lines of text. */
bool
apply_text(struct backend *b, const struct request *r, struct reply *reply)
{
	struct text out = TEXT_INIT(1024UL * 1024);
	struct apply_result *results = NULL;
	struct manifest_set m;
	size_t n = 0;
	bool ok;

	manifest_set_init(&m, reply->arena);
	ok = manifest_set_add(&m, "(input)", str_from(r->text));
	ok = backend_apply(b, &m, r->dry_run, &results, &n, &reply->err) && ok;
	reply->problems = m.problems;
	for (size_t i = 0; ok && i < n; i++)
		text_printf(&out, STR_FMT " %s%s\n", STR_ARG(results[i].object), results[i].done,
		    r->dry_run ? " (dry run)" : "");
	if (ok)
		reply->text = text_take(&out);
	text_free(&out);
	return ok;
}

/* A changed object that was read at a version: checked, then stored if nobody was faster. */
bool
object_store(struct backend *b, struct arena *a, const struct object_change *change,
    struct problems *problems, struct error *err)
{
	struct lookup lookup = { b, a };
	struct known known = { .find = backend_known,
		.context = &lookup,
		.now_ms = clock_wall_ms(b->clock),
		.for_apply = true };
	struct actor actor = backend_actor(b);

	if (!schema_check(change->kind, a, change->object, change->old, problems))
		return error_set(err, ERR_INVALID, "the change would not be valid");
	rules_check(change->kind, change->object, NULL, &known, problems);
	if (problems->nerrors > 0)
		return error_set(err, ERR_INVALID, "the change would break a rule");
	actor.dry_run = change->dry_run;
	return store_update(
	    b->store, resource_of(change->kind), change->object, UPDATE_MAIN, &actor, NULL, err);
}
