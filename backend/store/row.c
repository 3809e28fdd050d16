#include "backend/store/embedded_int.h"

#include <string.h>

#include "backend/store/secrets.h"
#include "model/json.h"

enum { CONTEXT_MAX = 512 };

/* "installation|uid|field|version": a value fits only where it was written. */
static void
seal_context(
    const struct embedded *e, struct text *out, struct str uid, const char *field, int64_t version)
{
	text_printf(out, "%s|" STR_FMT "|%s|%lld", e->installation, STR_ARG(uid), field,
	    (long long)version);
}

static void
wipe_text(struct text *t)
{
	if (t->p != NULL)
		secret_wipe(t->p, t->cap);
	text_free(t);
}

static void
wipe_node(struct node *n)
{
	if (n == NULL)
		return;
	if (n->type == NODE_STRING)
		secret_wipe_str(n->u.string);
	for (struct node *x = node_first(n); x != NULL; x = x->next)
		wipe_node(x); /* as deep as the reader allows: 64 */
}

static bool
is_secret_field(const struct resource *res, struct str key)
{
	if (res->known == NULL)
		return false;
	for (size_t i = 0; i < res->known->schema->nfields; i++) {
		const struct field *f = &res->known->schema->fields[i];

		if ((f->flags & SECRET) != 0 && str_is(key, f->name))
			return true;
	}
	return false;
}

void
row_wipe(const struct resource *res, struct node *value)
{
	for (struct node *x = node_first(value); x != NULL; x = x->next) {
		if (is_secret_field(res, x->key))
			wipe_node(x);
	}
}

/* The sealed text of one field as a node. */
static bool
seal_field(struct embedded *e, struct arena *a, const struct node *field,
    const struct object *about, struct node **ret_sealed, struct error *err)
{
	struct text context = TEXT_INIT(CONTEXT_MAX);
	struct text plain = TEXT_INIT(OBJECT_MAX_BYTES);
	struct text sealed = TEXT_INIT((size_t)OBJECT_MAX_BYTES * 2);
	char *key = arena_dup(a, field->key.p, field->key.n);
	bool ok = false;

	if (key == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory to seal a secret");
		goto out;
	}
	seal_context(e, &context, about->uid, key, about->version);
	json_write(&plain, field, JSON_COMPACT);
	if (!text_ok(&context, "context", err) || !text_ok(&plain, "secret", err) ||
	    !secret_seal(e->secrets, text_str(&plain), text_str(&context), &sealed, err))
		goto out;
	*ret_sealed = node_str(a, text_str(&sealed));
	ok = *ret_sealed != NULL || error_set(err, ERR_NO_MEMORY, "no memory to seal a secret");
out:
	text_free(&context);
	wipe_text(&plain);
	text_free(&sealed);
	return ok;
}

/* A copy of the top of the map, in which secret fields are sealed. */
static bool
seal_tree(struct embedded *e, struct arena *a, const struct node *value, const struct object *about,
    struct node **ret_tree, struct error *err)
{
	struct node *map = node_map(a);

	for (const struct node *x = node_first(value); x != NULL; x = x->next) {
		struct node *copy = NULL;

		if (is_secret_field(about->res, x->key)) {
			if (!seal_field(e, a, x, about, &copy, err))
				return false;
		} else {
			copy = arena_get(a, sizeof *copy);
			if (copy != NULL) {
				*copy = *x; /* shares what is below */
				copy->next = NULL;
			}
		}
		node_set_str(a, map, x->key, copy);
	}
	if (arena_failed(a))
		return error_set(err, ERR_NO_MEMORY, "no memory to seal a secret");
	*ret_tree = map;
	return true;
}

bool
row_json(struct embedded *e, struct arena *a, const struct node *value, const struct object *about,
    struct text *out, struct error *err)
{
	struct node *sealed = NULL;

	if (e->secrets == NULL || !resource_is_secret(about->res)) {
		json_write(out, value, JSON_COMPACT);
		return text_ok(out, "object", err);
	}
	if (!seal_tree(e, a, value, about, &sealed, err))
		return false;
	json_write(out, sealed, JSON_COMPACT);
	return text_ok(out, "object", err);
}

static bool
open_field(struct embedded *e, struct arena *a, struct node *tree, struct node *field,
    const struct object *about, struct error *err)
{
	struct text context = TEXT_INIT(CONTEXT_MAX);
	char *key = arena_dup(a, field->key.p, field->key.n);
	struct secret *plain = NULL;
	struct node *value;
	bool ok = false;

	if (key == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory to open a secret");
		goto out;
	}
	seal_context(e, &context, about->uid, key, about->version);
	/* Text that is not sealed is refused too: only we write here, and we seal. */
	if (!text_ok(&context, "context", err) ||
	    !secret_open(e->secrets, node_get_str(field), text_str(&context), &plain, err) ||
	    !json_parse(a, secret_get(plain), &value, err))
		goto out;
	node_set(a, tree, key, value);
	ok = true;
out:
	secret_free(plain);
	text_free(&context);
	return ok;
}

/* The whole object as its readers see it. */
static bool
open_json(struct embedded *e, struct object *o, struct text *out, struct error *err)
{
	struct arena *a = arena_new(ARENA_MAX_BYTES);
	struct node *tree = NULL;
	bool ok = false;

	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory to open a secret");
	if (!json_parse(a, o->json, &tree, err))
		goto out;
	for (size_t i = 0; i < o->res->known->schema->nfields; i++) {
		const struct field *f = &o->res->known->schema->fields[i];
		struct node *x = node_find(tree, f->name);

		if ((f->flags & SECRET) == 0 || x == NULL)
			continue;
		if (!open_field(e, a, tree, x, o, err))
			goto out;
	}
	json_write(out, tree, JSON_COMPACT);
	ok = !arena_failed(a) ? text_ok(out, "object", err)
			      : error_set(err, ERR_NO_MEMORY, "no memory to open a secret");
out:
	row_wipe(o->res, tree);
	arena_free(a);
	return ok;
}

static bool
row_damaged(const struct embedded *e, const struct object *o, struct error *err)
{
	char title[OBJECT_TITLE_MAX];

	error_wrap(err, "the store '%s' is damaged at %s",
	    e->db.path != NULL ? e->db.path : "in memory",
	    object_title(o->res, o->ns, o->name, title));
	if (err != NULL && err->code != ERR_NO_MEMORY)
		err->code = ERR_CORRUPT;
	error_advise(err, "keep the file aside and put the newest backup in its place");
	return false;
}

bool
row_object(struct embedded *e, sqlite3_stmt *s, const struct object **ret_object, struct error *err)
{
	struct text plain = TEXT_INIT((size_t)OBJECT_MAX_BYTES * 2);
	struct entry *en = entry_by_id(e, sqlite3_column_int64(s, 1));
	struct object f = { 0 };

	if (en == NULL)
		return error_set(err, ERR_CORRUPT,
		    "the store '%s' is damaged: an object of no kind",
		    e->db.path != NULL ? e->db.path : "in memory");
	f.res = en->res;
	f.ns = db_text(s, 2);
	f.name = db_text(s, 3);
	f.uid = db_text(s, 4);
	f.version = sqlite3_column_int64(s, 5);
	f.generation = sqlite3_column_int64(s, 6);
	f.deleted_ms = sqlite3_column_int64(s, 7);
	f.json = db_text(s, 9);
	if (e->secrets != NULL && resource_is_secret(f.res)) {
		if (!open_json(e, &f, &plain, err)) {
			wipe_text(&plain);
			return row_damaged(e, &f, err);
		}
		f.json = text_str(&plain);
	}
	*ret_object = object_make(&f, db_text(s, 8), err);
	wipe_text(&plain);
	return *ret_object != NULL;
}
