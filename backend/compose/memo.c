#include "backend/compose/compose_int.h"

#include "backend/runtime/clock.h"
#include "model/base/mem.h"

/*
 * Counted memos answer one question for a whole account: is so much gone at once that the list, the
 * filter or the credential is to blame rather than the cloud? A resource inside an absent one does
 * not count by itself, or deleting one group by hand would look like a landslide.
 */
struct memo {
	struct memo *next;
	char *name; /* "namespace/name" of the External */
	char *account;
	char *owner;		      /* uid */
	const char *type, *container; /* borrowed from the row types; container may be NULL */
	char *kept;		      /* a record that did not land */
	bool counted, absent;
	struct memo_look look;
};

enum { LOAD_MAX_MEMORY = 16 * 1024 * 1024 }; /* one record at a time */

static unsigned
bucket(struct str ns, struct str name)
{
	uint32_t h = 2166136261U;

	for (size_t i = 0; i < ns.n; i++)
		h = (h ^ (unsigned char)ns.p[i]) * 16777619U;
	h = (h ^ '/') * 16777619U;
	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (unsigned char)name.p[i]) * 16777619U;
	return h % COMPOSE_BUCKETS;
}

static bool
memo_is(const struct memo *m, struct str ns, struct str name)
{
	struct str s = str_from(m->name);

	return s.n == ns.n + 1 + name.n && str_eq(str_sub(s, 0, ns.n), ns) &&
	       str_eq(str_sub(s, ns.n + 1, name.n), name);
}

static void
memo_release(struct memo *m)
{
	mem_free(m->name);
	mem_free(m->account);
	mem_free(m->owner);
	mem_free(m->kept);
	mem_free(m);
}

/* Under the lock. NULL when there is none, or no memory to make one. */
static struct memo *
memo_find(struct compose *c, const struct external *x, bool make)
{
	struct memo **at = &c->memos[bucket(x->meta.ns, x->meta.name)];
	struct text name = TEXT_INIT(1024);
	struct memo *m;

	for (m = *at; m != NULL; m = m->next) {
		if (memo_is(m, x->meta.ns, x->meta.name))
			return m;
	}
	m = make ? mem_new(sizeof(*m)) : NULL;
	if (m == NULL)
		return NULL;
	text_add_str(&name, x->meta.ns);
	text_add_char(&name, '/');
	text_add_str(&name, x->meta.name);
	m->name = text_take(&name);
	m->owner = str_dup(x->spec.owner_uid);
	if (m->name == NULL || m->owner == NULL) {
		memo_release(m);
		return NULL;
	}
	m->next = *at;
	*at = m;
	return m;
}

static void
memo_absent(struct compose *c, struct memo *m, bool absent)
{
	if (m->absent == absent)
		return;
	m->absent = absent;
	c->nabsent += absent ? 1U : 0U;
	c->nabsent -= absent ? 0U : 1U;
}

static void
memo_count(struct memo *m, const struct external *x, const struct resource_type *t)
{
	char *account = str_dup(x->spec.account);

	if (account == NULL)
		return; /* not counted: the rule gets weaker, nothing breaks */
	mem_free(m->account);
	m->account = account;
	m->counted = true;
	m->type = t->name;
	m->container = t->container;
}

void
memo_get(struct row *r, struct memo_look *ret)
{
	struct compose *c = r->pass->c;
	struct memo *m;

	*ret = (struct memo_look){ 0 };
	pthread_mutex_lock(&c->mu);
	m = memo_find(c, &r->ext, false);
	if (m != NULL)
		*ret = m->look;
	pthread_mutex_unlock(&c->mu);
}

void
memo_pending(struct row *r, int64_t next_look)
{
	struct compose *c = r->pass->c;
	struct memo *m;

	pthread_mutex_lock(&c->mu);
	m = memo_find(c, &r->ext, true);
	if (m != NULL) {
		m->look.pending = true;
		m->look.next_look = next_look;
	}
	pthread_mutex_unlock(&c->mu);
}

void
memo_seen(struct row *r, bool present)
{
	struct compose *c = r->pass->c;
	bool counts = r->type != NULL && (r->type->flags & RES_COUNTED) != 0;
	struct memo *m;

	pthread_mutex_lock(&c->mu);
	m = memo_find(c, &r->ext, true);
	if (m != NULL && present) {
		m->look.pending = false;
		m->look.absent_since = 0;
		m->look.absences = 0;
		memo_absent(c, m, false);
		if (counts && !m->counted)
			memo_count(m, &r->ext, r->type);
	} else if (m != NULL) {
		m->look.pending = false;
		m->look.absences++;
		if (m->look.absent_since == 0)
			m->look.absent_since = r->pass->mono > 0 ? r->pass->mono : 1;
		if (counts && !m->counted)
			memo_count(m, &r->ext, r->type);
		memo_absent(c, m, m->counted);
	}
	pthread_mutex_unlock(&c->mu);
}

void
memo_drop(struct row *r)
{
	struct compose *c = r->pass->c;
	struct memo **at = &c->memos[bucket(r->ext.meta.ns, r->ext.meta.name)];

	pthread_mutex_lock(&c->mu);
	for (; *at != NULL; at = &(*at)->next) {
		struct memo *m = *at;

		if (!memo_is(m, r->ext.meta.ns, r->ext.meta.name))
			continue;
		memo_absent(c, m, false);
		*at = m->next;
		memo_release(m);
		break;
	}
	pthread_mutex_unlock(&c->mu);
}

/* Under the lock: is the thing that holds it absent too? */
static bool
memo_inside_absent(const struct compose *c, const struct memo *m)
{
	if (m->container == NULL)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(c->memos); i++) {
		for (const struct memo *o = c->memos[i]; o != NULL; o = o->next) {
			if (o->absent && str_is(str_from(o->type), m->container) &&
			    str_eq(str_from(o->owner), str_from(m->owner)))
				return true;
		}
	}
	return false;
}

bool
memo_suspicious(struct compose *c, struct str account, unsigned *ret_absent, unsigned *ret_known)
{
	unsigned absent = 0, known = 0;

	pthread_mutex_lock(&c->mu);
	for (size_t i = 0; c->nabsent >= COMPOSE_ABSENT_MIN && i < ARRAY_LEN(c->memos); i++) {
		for (const struct memo *m = c->memos[i]; m != NULL; m = m->next) {
			if (!m->counted || !str_eq(str_from(m->account), account) ||
			    (m->absent && memo_inside_absent(c, m)))
				continue;
			known++;
			absent += m->absent ? 1U : 0U;
		}
	}
	pthread_mutex_unlock(&c->mu);
	*ret_absent = absent;
	*ret_known = known;
	return absent >= COMPOSE_ABSENT_MIN && absent * 100 > known * COMPOSE_ABSENT_PERCENT;
}

void
memo_keep(struct row *r, struct str json)
{
	struct compose *c = r->pass->c;
	struct memo *m;

	pthread_mutex_lock(&c->mu);
	m = memo_find(c, &r->ext, json.n > 0);
	if (m != NULL) {
		mem_free(m->kept);
		m->kept = json.n > 0 ? str_dup(json) : NULL;
	}
	pthread_mutex_unlock(&c->mu);
}

struct str
memo_kept(struct row *r)
{
	struct compose *c = r->pass->c;
	struct str copy = { 0 };
	struct memo *m;

	pthread_mutex_lock(&c->mu);
	m = memo_find(c, &r->ext, false);
	if (m != NULL && m->kept != NULL)
		copy = str_copy(r->pass->arena, str_from(m->kept));
	pthread_mutex_unlock(&c->mu);
	return copy;
}

/* ---- at start ---- */

static const struct resource_type *
type_of(const struct compose *c, const struct external *x)
{
	for (size_t i = 0; i < c->nproviders; i++) {
		if (!str_is(x->spec.provider, c->providers[i].name))
			continue;
		for (size_t j = 0; j < c->providers[i].ntypes; j++) {
			if (str_is(x->spec.type, c->providers[i].types[j].name))
				return &c->providers[i].types[j];
		}
	}
	return NULL;
}

static bool
load_one(struct compose *c, struct arena *a, const struct object *o, struct error *err)
{
	struct external x = { 0 };
	const struct resource_type *t;
	struct memo *m;

	if (!object_decode(o, a, &x, err))
		return false;
	index_add(c, x.spec.owner_uid, x.meta.name);
	t = type_of(c, &x);
	if (t == NULL || (t->flags & RES_COUNTED) == 0 || !external_is_known(&x))
		return true;
	m = memo_find(c, &x, true);
	if (m == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for the known resources");
	memo_count(m, &x, t);
	return true;
}

bool
memo_load(struct compose *c, struct error *err)
{
	struct object_list list = { 0 };
	struct arena *a = arena_new(LOAD_MAX_MEMORY);
	bool ok = false;

	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for the known resources");
	if (!store_list(
		c->store, resource_of(&external_kind), &(struct list_options){ 0 }, &list, err))
		goto out;
	for (size_t i = 0; i < list.n; i++) {
		arena_clear(a);
		if (!load_one(c, a, list.items[i], err))
			goto out;
	}
	ok = true;
out:
	object_list_fini(&list);
	arena_free(a);
	return ok;
}

void
memo_free(struct compose *c)
{
	for (size_t i = 0; i < ARRAY_LEN(c->memos); i++) {
		while (c->memos[i] != NULL) {
			struct memo *m = c->memos[i];

			c->memos[i] = m->next;
			memo_release(m);
		}
	}
}
