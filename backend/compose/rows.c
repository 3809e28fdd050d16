#include "backend/compose/compose_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/names.h"

/*
 * The rows of a pass: each record of the owner joined with the row of the plan that has its key.
 * What deletion and the tree need of the plan is written into the record, so that they need no
 * plan.
 */

#define ANNOTATION_AFTER  "flightdeck.dev/after"
#define ANNOTATION_ORPHAN "flightdeck.dev/orphan"

enum { WANT_MAX_BYTES = 1024 * 1024 };

static const int64_t TOMBSTONE_MS = (int64_t)30 * 24 * 3600 * 1000;

const struct actor engine_actor = { .manager = "flightdeck-controller", .user = "", .from = "" };

/* ---- names and marks ---- */

static struct str
lower(struct arena *a, struct str s)
{
	char *copy = arena_dup(a, s.p, s.n);

	if (copy == NULL)
		return (struct str){ 0 };
	for (size_t i = 0; i < s.n; i++) {
		if (copy[i] >= 'A' && copy[i] <= 'Z')
			copy[i] = (char)(copy[i] - 'A' + 'a');
	}
	return (struct str){ copy, s.n };
}

struct str
external_object_name(struct arena *a, const struct object *owner, struct str key)
{
	const char *kind = arena_printf(a, "%s-" STR_FMT, owner->res->kind, STR_ARG(owner->name));
	struct str first = lower(a, str_from(kind));
	const char *last = arena_dup(a, key.p, key.n);

	if (first.p == NULL || last == NULL)
		return (struct str){ 0 };
	return child_name2(a, first, last);
}

static void
map_set(struct arena *a, struct strmap *m, const char *key, struct str value)
{
	struct strpair *items;

	for (size_t i = 0; i < m->n; i++) {
		if (str_is(m->items[i].key, key)) {
			m->items[i].value = value;
			return;
		}
	}
	items = arena_array(a, m->n + 1, sizeof(*items));
	if (items == NULL)
		return;
	if (m->n > 0)
		memcpy(items, m->items, m->n * sizeof(*items));
	items[m->n] = (struct strpair){ .key = str_from(key), .value = value };
	*m = (struct strmap){ .items = items, .n = m->n + 1, .present = true };
}

/* ---- loading ---- */

struct row *
row_find(struct pass *p, struct str key)
{
	for (size_t i = 0; i < p->nrows; i++) {
		if (str_eq(p->rows[i].ext.spec.key, key))
			return &p->rows[i];
	}
	return NULL;
}

static void
row_type(struct row *r)
{
	const struct compose *c = r->pass->c;

	for (size_t i = 0; i < c->nproviders; i++) {
		if (!str_is(r->ext.spec.provider, c->providers[i].name))
			continue;
		r->provider = i;
		for (size_t j = 0; j < c->providers[i].ntypes; j++) {
			if (str_is(r->ext.spec.type, c->providers[i].types[j].name))
				r->type = &c->providers[i].types[j];
		}
	}
}

static struct row *
row_new(struct pass *p)
{
	struct row *r;

	if (p->nrows >= p->maxrows || p->nrows >= COMPOSE_MAX_ROWS)
		return NULL;
	r = &p->rows[p->nrows++];
	r->pass = p;
	r->drift = (struct text)TEXT_INIT(1024);
	r->step = (struct step){ .compose = p->c,
		.owner = p->owner,
		.ext = &r->ext,
		.arena = p->arena,
		.clock = p->c->clock,
		.drift = &r->drift };
	return r;
}

void
row_own(struct row *r)
{
	struct pass *p = r->pass;
	struct owner_ref *ref = arena_get(p->arena, sizeof(*ref));
	struct str *finalizer = arena_get(p->arena, sizeof(*finalizer));
	struct text version = TEXT_INIT(128);

	if (ref == NULL || finalizer == NULL)
		return;
	if (p->owner->res->group[0] != '\0')
		text_printf(&version, "%s/", p->owner->res->group);
	text_add(&version, p->owner->res->version);
	*ref = (struct owner_ref){ .present = true,
		.api_version = str_copy(p->arena, text_str(&version)),
		.kind = str_from(p->owner->res->kind),
		.name = p->owner->name,
		.uid = p->owner->uid,
		.controller = { true, true },
		.block_owner_deletion = { true, true } };
	text_free(&version);
	*finalizer = STR(COMPOSE_FINALIZER);
	r->ext.meta.owner_references = (struct list){ ref, 1, true };
	r->ext.meta.finalizers = (struct list){ finalizer, 1, true };
}

static void
row_fresh(struct row *r, const struct plan_resource *want)
{
	struct pass *p = r->pass;

	r->ext.api_version = STR("flightdeck.dev/v1alpha1");
	r->ext.kind = STR("External");
	r->ext.meta.present = true;
	r->ext.meta.name = external_object_name(p->arena, p->owner, want->key);
	r->ext.meta.ns = p->owner->ns;
	map_set(p->arena, &r->ext.meta.labels, COMPOSE_OWNER_LABEL, p->owner->uid);
	row_own(r);
	r->ext.spec.present = true;
	r->ext.spec.owner_uid = p->owner->uid;
	r->ext.spec.owner_kind = str_from(p->owner->res->kind);
	r->ext.spec.owner_name = p->owner->name;
	r->ext.spec.key = want->key;
	r->ext.spec.incarnation = (struct opt_int){ true, 1 };
	row_phase(r, EXTERNAL_WAITING);
}

/* What the plan says goes into the record, so that deletion and the tree need no plan. */
static void
row_from_plan(struct row *r, const struct plan_resource *want, size_t order)
{
	struct arena *a = r->pass->arena;
	struct text t = TEXT_INIT(WANT_MAX_BYTES);
	const char *parts[] = { NULL, NULL };

	r->step.want = want;
	r->orphan = (want->flags & PLAN_ORPHAN) != 0;
	r->at_once = (want->flags & PLAN_READY_AT_ONCE) != 0;
	r->ext.spec.type = str_from(want->type);
	r->ext.spec.provider = str_from(want->provider);
	r->ext.spec.name = want->name;
	r->ext.spec.order = (struct opt_int){ true, (int64_t)order };
	r->ext.spec.what = want->what;
	r->ext.spec.detail = want->step;
	if (r->ext.spec.version.n == 0)
		r->ext.spec.version = want->version;
	for (size_t i = 0; i < want->nafter; i++) {
		text_add(&t, i > 0 ? "," : "");
		text_add_str(&t, want->after[i]);
	}
	if (t.n > 0)
		map_set(a, &r->ext.meta.annotations, ANNOTATION_AFTER, str_copy(a, text_str(&t)));
	if (r->orphan)
		map_set(a, &r->ext.meta.annotations, ANNOTATION_ORPHAN, STR("true"));
	text_clear(&t);
	json_write(&t, want->want, JSON_SORTED);
	parts[0] = arena_dup(a, text_get(&t), t.n);
	if (parts[0] != NULL)
		r->hash = uuid_from(a, parts);
	text_free(&t);
}

static void
row_after(struct row *r)
{
	struct str rest = strmap_find(&r->ext.meta.annotations, ANNOTATION_AFTER), piece;

	r->orphan = r->orphan || strmap_find(&r->ext.meta.annotations, ANNOTATION_ORPHAN).n > 0;
	if (rest.n == 0)
		return;
	while (r->nafter < PLAN_MAX_AFTER && str_split(&rest, ',', &piece))
		r->after[r->nafter++] = piece;
}

/* A record that did not land in an earlier pass is newer than the one in the store. */
static void
row_overlay(struct row *r)
{
	struct str json = memo_kept(r), version = r->ext.meta.resource_version;
	struct node *n = NULL;
	struct external newer = { 0 };

	if (json.n == 0 || !json_parse(r->pass->arena, json, &n, NULL) ||
	    !schema_decode(&external_schema, r->pass->arena, n, &newer, NULL))
		return;
	r->ext = newer;
	r->ext.meta.resource_version = version;
}

static bool
row_from_record(struct pass *p, const struct object *o, struct error *err)
{
	struct external ext = { 0 };
	struct row *r;

	if (!object_decode(o, p->arena, &ext, err))
		return error_wrap(err, "record '" STR_FMT "'", STR_ARG(o->name));
	if (!str_eq(ext.spec.owner_uid, p->owner->uid)) {
		/* The index names what this owner meant to make; another's stood there. */
		index_remove(p->c, p->owner->uid, o->name);
		return true;
	}
	if (ext.spec.phase == EXTERNAL_TOMBSTONE && p->wall - ext.spec.since.value > TOMBSTONE_MS)
		return store_delete(p->c->store, o->res, o->ns, o->name,
		    &(struct delete_options){ 0 }, &engine_actor, err);
	r = row_new(p);
	if (r == NULL)
		return error_set(err, ERR_TOO_LARGE, "'" STR_FMT "' has more than %d resources",
		    STR_ARG(p->owner->name), COMPOSE_MAX_ROWS);
	r->ext = ext;
	r->stored = true;
	r->want = WANT_GONE;
	return true;
}

static bool
rows_make(struct pass *p, size_t nrecords, struct error *err)
{
	p->maxrows = nrecords + (p->plan == NULL ? 0 : p->plan->n);
	p->rows = arena_array(p->arena, p->maxrows + 1, sizeof(*p->rows));
	return p->rows != NULL ? true : error_set(err, ERR_NO_MEMORY, "no memory for a pass");
}

/* By the index: one get a record. */
static bool
records_get(struct pass *p, const struct str *names, size_t n, struct error *err)
{
	const struct resource *res = resource_of(&external_kind);

	if (!rows_make(p, n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct object *o = NULL;
		struct error why = { 0 };
		bool ok;

		if (!store_get(p->c->store, res, p->owner->ns, names[i], &o, &why)) {
			if (why.code != ERR_NOT_FOUND) {
				*err = why;
				return false;
			}
			index_remove(p->c, p->owner->uid, names[i]);
			continue;
		}
		ok = row_from_record(p, o, err);
		object_unref(o);
		if (!ok)
			return false;
	}
	return true;
}

/* By the label: looks at every record of the fleet. */
static bool
records_list(struct pass *p, struct error *err)
{
	char selector[128];
	struct object_list list = { 0 };
	struct list_options opt = { .ns = p->owner->ns };
	bool ok;

	(void)snprintf(
	    selector, sizeof(selector), COMPOSE_OWNER_LABEL "=" STR_FMT, STR_ARG(p->owner->uid));
	opt.label_selector = str_from(selector);
	if (!store_list(p->c->store, resource_of(&external_kind), &opt, &list, err))
		return false;
	ok = rows_make(p, list.n, err);
	for (size_t i = 0; ok && i < list.n; i++)
		ok = row_from_record(p, list.items[i], err);
	object_list_fini(&list);
	return ok;
}

static bool
records_load(struct pass *p, struct error *err)
{
	struct str *names = NULL;
	size_t n = 0;

	if (index_get(p->c, p->arena, p->owner->uid, &names, &n))
		return records_get(p, names, n, err);
	return records_list(p, err);
}

static int
row_order(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int64_t i = x->ext.spec.order.value, j = y->ext.spec.order.value;

	if (x->want != y->want && x->pass->plan != NULL)
		return x->want == WANT_IT ? -1 : 1;
	return i < j ? -1 : i > j ? 1 : str_cmp(x->ext.spec.key, y->ext.spec.key);
}

static void
row_finish(struct row *r)
{
	int phase;

	r->before = record_json(r);
	row_overlay(r);
	row_after(r);
	row_type(r);
	phase = r->ext.spec.phase;
	r->known = external_is_known(&r->ext);
	r->maybe = phase == EXTERNAL_INTENT || phase == EXTERNAL_UNKNOWN;
}

/* Rows of the plan that have no record yet, and which of the recorded ones are wanted. */
static bool
plan_rows(struct pass *p, struct error *err)
{
	size_t nplan = p->plan == NULL ? 0 : p->plan->n;

	for (size_t i = 0; i < nplan; i++) {
		const struct plan_resource *want = &p->plan->items[i];
		struct row *r = row_find(p, want->key);

		if (r == NULL) {
			r = row_new(p);
			if (r == NULL)
				return error_set(
				    err, ERR_TOO_LARGE, "more than %d resources", COMPOSE_MAX_ROWS);
			row_fresh(r, want);
		}
		r->want = WANT_IT;
	}
	return true;
}

bool
rows_load(struct pass *p, struct error *err)
{
	if (!records_load(p, err) || !plan_rows(p, err))
		return false;
	for (size_t i = 0; i < p->nrows; i++)
		row_finish(&p->rows[i]);
	for (size_t i = 0; p->plan != NULL && i < p->plan->n; i++) {
		struct row *r = row_find(p, p->plan->items[i].key);

		if (r == NULL)
			continue;
		row_from_plan(r, &p->plan->items[i], i);
		r->nafter = 0;
		row_after(r);
		row_type(r);
	}
	qsort(p->rows, p->nrows, sizeof(*p->rows), row_order);
	for (size_t i = 0; i < p->nrows; i++) { /* sorting moved what points into rows */
		p->rows[i].step.ext = &p->rows[i].ext;
		p->rows[i].step.drift = &p->rows[i].drift;
	}
	return arena_failed(p->arena) ? error_set(err, ERR_NO_MEMORY, "no memory for a pass")
				      : true;
}
