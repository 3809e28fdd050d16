#include "backend/store/object.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/store/secrets.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/stamp.h"

enum { TREE_LIMIT = 256 * 1024 * 1024, LABELS_LIMIT = 1024 * 1024, RESOURCES_MAX = 256 };

/* What stands behind a public struct object: one allocation with all of its texts. */
struct box {
	struct object o; /* first, so that the two addresses are one */
	atomic_uint refs;
	bool secret;
	struct str labels;
	size_t nbytes;
	char bytes[];
};

static struct box *
box_of(const struct object *o)
{
	union {
		const struct object *shared;
		struct box *own;
	} u = { .shared = o }; /* the count and the end of life are ours to change */

	return u.own;
}

const struct object *
object_ref(const struct object *o)
{
	if (o != NULL)
		(void)atomic_fetch_add(&box_of(o)->refs, 1);
	return o;
}

void
object_unref(const struct object *o)
{
	struct box *b = box_of(o);

	if (o == NULL || atomic_fetch_sub(&b->refs, 1) != 1)
		return;
	if (b->secret)
		secret_wipe(b->bytes, b->nbytes);
	mem_free(b);
}

struct str
object_labels(const struct object *o)
{
	return box_of(o)->labels;
}

static struct str
box_add(struct box *b, size_t *at, struct str s)
{
	char *p = b->bytes + *at;

	if (s.n > 0)
		memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	*at += s.n + 1;
	return (struct str){ p, s.n };
}

const struct object *
object_make(const struct object *f, struct str labels, struct error *err)
{
	size_t n = f->ns.n + f->name.n + f->uid.n + f->json.n + labels.n + 5;
	struct box *b = mem_new(sizeof *b + n);
	size_t at = 0;

	if (b == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for an object of %zu bytes", n);
		return NULL;
	}
	b->o = *f;
	b->o.ns = box_add(b, &at, f->ns);
	b->o.name = box_add(b, &at, f->name);
	b->o.uid = box_add(b, &at, f->uid);
	b->labels = box_add(b, &at, labels);
	b->o.json = box_add(b, &at, f->json);
	b->nbytes = at;
	b->secret = resource_is_secret(f->res);
	atomic_store(&b->refs, 1);
	return &b->o;
}

void
labels_write(const struct node *value, struct text *out)
{
	const struct node *labels = node_path(value, "metadata.labels");

	for (const struct node *x = node_first(labels); x != NULL; x = x->next) {
		if (x->type != NODE_STRING)
			continue;
		if (out->n == 0)
			text_add_char(out, '\n');
		text_add_str(out, x->key);
		text_add_char(out, '=');
		text_add_str(out, x->u.string);
		text_add_char(out, '\n');
	}
}

/* Reads what the struct holds out of a tree; json is given. */
static const struct object *
object_of(const struct resource *res, const struct node *value, struct str json, struct error *err)
{
	struct text labels = TEXT_INIT(LABELS_LIMIT);
	const struct object *o = NULL;
	const struct node *meta = node_find(value, "metadata");
	struct object f = {
		.res = res,
		.ns = node_path_str(meta, "namespace"),
		.name = node_path_str(meta, "name"),
		.uid = node_path_str(meta, "uid"),
		.generation = node_path_int(meta, "generation", 0),
		.deleted_ms = stamp_or_zero(node_path_str(meta, "deletionTimestamp")),
		.json = json,
	};

	if (!str_to_int(node_path_str(meta, "resourceVersion"), &f.version))
		f.version = 0; /* opaque text of a foreign server: compared by nobody */
	labels_write(value, &labels);
	if (text_ok(&labels, "labels", err))
		o = object_make(&f, text_str(&labels), err);
	text_free(&labels);
	return o;
}

const struct object *
object_new(const struct resource *res, struct str json, struct error *err)
{
	struct arena *a = arena_new(TREE_LIMIT);
	const struct object *o = NULL;
	struct node *value;

	if (a == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory to read an object");
		return NULL;
	}
	if (json_parse(a, json, &value, err)) {
		if (value->type != NODE_MAP)
			error_set(err, ERR_INVALID, "an object of kind %s is not a map", res->kind);
		else
			o = object_of(res, value, json, err);
	}
	arena_free(a);
	return o;
}

const struct object *
object_from_node(const struct resource *res, const struct node *value, struct error *err)
{
	struct text json = TEXT_INIT(JSON_MAX_BYTES);
	const struct object *o = NULL;

	json_write(&json, value, JSON_COMPACT);
	if (text_ok(&json, "object", err))
		o = object_of(res, value, text_str(&json), err);
	if (json.p != NULL && resource_is_secret(res))
		secret_wipe(json.p, json.n);
	text_free(&json);
	return o;
}

bool
object_node(const struct object *o, struct arena *a, struct node **ret_node, struct error *err)
{
	char title[OBJECT_TITLE_MAX];

	if (json_parse(a, o->json, ret_node, err))
		return true;
	return error_wrap(err, "cannot read %s", object_title(o->res, o->ns, o->name, title));
}

bool
object_decode(const struct object *o, struct arena *a, void *ret_struct, struct error *err)
{
	const struct kind *k = o->res->known;
	struct node *value;

	if (k == NULL)
		return error_set(err, ERR_INTERNAL, "there is no table for kind %s", o->res->kind);
	if (!object_node(o, a, &value, err))
		return false;
	schema_default(k->schema, a, value);
	return schema_decode(k->schema, a, value, ret_struct, err);
}

bool
resource_is_secret(const struct resource *res)
{
	if (res->known == NULL)
		return false;
	for (size_t i = 0; i < res->known->schema->nfields; i++) {
		if ((res->known->schema->fields[i].flags & SECRET) != 0)
			return true;
	}
	return false;
}

bool
resource_eq(const struct resource *a, const struct resource *b)
{
	return a == b || (strcmp(a->plural, b->plural) == 0 && strcmp(a->group, b->group) == 0 &&
			     strcmp(a->version, b->version) == 0);
}

const char *
object_title(
    const struct resource *res, struct str ns, struct str name, char ret_title[OBJECT_TITLE_MAX])
{
	(void)snprintf(ret_title, OBJECT_TITLE_MAX, "%s '%.*s%s%.*s'", res->kind,
	    (int)(ns.n < 128 ? ns.n : 128), ns.n > 0 ? ns.p : "", ns.n > 0 ? "/" : "",
	    (int)(name.n < 300 ? name.n : 300), name.n > 0 ? name.p : "");
	return ret_title;
}

/*
 * One struct resource for each kind, made when it is first asked for. Kinds are constant tables, so
 * the list ends; it is the only state of this file.
 */
static struct resource resources[RESOURCES_MAX];
static size_t nresources;
static pthread_mutex_t resources_mu = PTHREAD_MUTEX_INITIALIZER; /* guards the two above */

const struct resource *
resource_of(const struct kind *k)
{
	struct resource made = { k->group, k->version, k->kind, k->plural,
		(k->flags & KIND_NAMESPACED) != 0, k };
	const struct resource *found = NULL;

	(void)pthread_mutex_lock(&resources_mu);
	for (size_t i = 0; i < nresources && found == NULL; i++) {
		if (resources[i].known == k || resource_eq(&resources[i], &made))
			found = &resources[i];
	}
	if (found == NULL && nresources < RESOURCES_MAX) {
		resources[nresources] = made;
		found = &resources[nresources++];
	}
	(void)pthread_mutex_unlock(&resources_mu);
	if (found == NULL)
		abort(); /* more kinds than RESOURCES_MAX: a bug in the tables */
	return found;
}
