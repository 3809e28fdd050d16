#include "backend/compose/compose_int.h"

#include "model/base/mem.h"

/*
 * Which records an owner has, by name, so that a pass reads those and not the whole store: a list
 * by label looks at every record of the fleet. Only the engine makes records, so the index is
 * complete once it was filled at start; when memory fails it says so, and passes list again.
 */
struct owned {
	struct owned *next;
	char *uid;
	char **names;
	size_t n, cap;
};

static unsigned
bucket(struct str uid)
{
	uint32_t h = 2166136261U;

	for (size_t i = 0; i < uid.n; i++)
		h = (h ^ (unsigned char)uid.p[i]) * 16777619U;
	return h % COMPOSE_BUCKETS;
}

static struct owned **
find(struct compose *c, struct str uid)
{
	struct owned **at = &c->owned[bucket(uid)];

	while (*at != NULL && !str_eq(str_from((*at)->uid), uid))
		at = &(*at)->next;
	return at;
}

static void
owned_free(struct owned *o)
{
	for (size_t i = 0; i < o->n; i++)
		mem_free(o->names[i]);
	mem_free(o->names);
	mem_free(o->uid);
	mem_free(o);
}

static bool
has(const struct owned *o, struct str name)
{
	for (size_t i = 0; i < o->n; i++) {
		if (str_eq(str_from(o->names[i]), name))
			return true;
	}
	return false;
}

/* Under the lock. */
static bool
add(struct compose *c, struct str uid, struct str name)
{
	struct owned **at = find(c, uid), *o = *at;
	void *names;

	if (o == NULL) {
		o = mem_new(sizeof(*o));
		if (o == NULL)
			return false;
		o->uid = str_dup(uid);
		if (o->uid == NULL) {
			mem_free(o);
			return false;
		}
		*at = o;
	}
	if (has(o, name))
		return true;
	names = o->names;
	if (!mem_grow(&names, &o->cap, o->n + 1, sizeof(*o->names)))
		return false;
	o->names = names;
	o->names[o->n] = str_dup(name);
	if (o->names[o->n] == NULL)
		return false;
	o->n++;
	return true;
}

void
index_add(struct compose *c, struct str uid, struct str name)
{
	pthread_mutex_lock(&c->mu);
	c->index_broken = !add(c, uid, name) || c->index_broken;
	pthread_mutex_unlock(&c->mu);
}

void
index_remove(struct compose *c, struct str uid, struct str name)
{
	struct owned **at, *o;

	pthread_mutex_lock(&c->mu);
	at = find(c, uid);
	o = *at;
	for (size_t i = 0; o != NULL && i < o->n; i++) {
		if (!str_eq(str_from(o->names[i]), name))
			continue;
		mem_free(o->names[i]);
		o->names[i] = o->names[--o->n];
		break;
	}
	if (o != NULL && o->n == 0) {
		*at = o->next;
		owned_free(o);
	}
	pthread_mutex_unlock(&c->mu);
}

void
index_forget(struct compose *c, struct str uid)
{
	struct owned **at, *o;

	pthread_mutex_lock(&c->mu);
	at = find(c, uid);
	o = *at;
	if (o != NULL)
		*at = o->next;
	pthread_mutex_unlock(&c->mu);
	if (o != NULL)
		owned_free(o);
}

bool
index_get(struct compose *c, struct arena *a, struct str uid, struct str **ret_names, size_t *ret_n)
{
	struct owned *o;
	bool ok;

	*ret_n = 0;
	pthread_mutex_lock(&c->mu);
	o = *find(c, uid);
	*ret_names = arena_array(a, (o == NULL ? 0 : o->n) + 1, sizeof(**ret_names));
	ok = *ret_names != NULL && !c->index_broken;
	for (size_t i = 0; ok && o != NULL && i < o->n; i++)
		(*ret_names)[(*ret_n)++] = str_copy(a, str_from(o->names[i]));
	pthread_mutex_unlock(&c->mu);
	return ok;
}

void
index_free(struct compose *c)
{
	for (size_t i = 0; i < COMPOSE_BUCKETS; i++) {
		while (c->owned[i] != NULL) {
			struct owned *o = c->owned[i];

			c->owned[i] = o->next;
			owned_free(o);
		}
	}
}
