#include "backend/store/embedded_int.h"

#include <stdio.h>
#include <string.h>

#include "backend/runtime/clock.h"
#include "backend/runtime/statedir.h"
#include "backend/store/lockfile.h"
#include "backend/store/selector.h"

enum { TOKEN_MAX = 2048, SELECTORS_LIMIT = 1024 * 1024, TEXT_MAX = 256 };

struct embedded *
embedded_of(struct store *st)
{
	return (struct embedded *)st; /* base is its first member */
}

struct entry *
entry_find(struct embedded *e, const struct resource *res)
{
	for (size_t i = 0; i < e->nentries; i++) {
		if (e->entries[i]->res == res)
			return e->entries[i];
	}
	for (size_t i = 0; i < e->nentries; i++) {
		if (resource_eq(e->entries[i]->res, res))
			return e->entries[i];
	}
	return NULL;
}

struct entry *
entry_by_id(struct embedded *e, int64_t id)
{
	for (size_t i = 0; i < e->nentries; i++) {
		if (e->entries[i]->id == id)
			return e->entries[i];
	}
	return NULL;
}

static void
entry_free(struct entry *en)
{
	if (en == NULL)
		return;
	for (size_t i = 0; i < ARRAY_LEN(en->texts); i++)
		mem_free(en->texts[i]);
	mem_free(en);
}

/* The table of a kind that model/ knows, by what the wire says; NULL for others. */
static const struct resource *
known_resource(const char *group, const char *version, const char *kind)
{
	const struct kind *const *kinds;
	size_t n;

	kinds = kinds_get(&n);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(kinds[i]->kind, kind) == 0 && strcmp(kinds[i]->group, group) == 0 &&
		    strcmp(kinds[i]->version, version) == 0)
			return resource_of(kinds[i]);
	}
	return NULL;
}

/* Copies the texts of a resource that nobody else keeps. */
static bool
entry_own(struct entry *en, const struct resource *res)
{
	const char *const texts[] = { res->group, res->version, res->kind, res->plural };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		en->texts[i] = mem_dupz(texts[i]);
		if (en->texts[i] == NULL)
			return false;
	}
	en->own = (struct resource){ en->texts[0], en->texts[1], en->texts[2], en->texts[3],
		res->namespaced, NULL };
	en->res = &en->own;
	return true;
}

static struct entry *
entry_make(struct embedded *e, const struct resource *res, struct error *err)
{
	const struct resource *known = known_resource(res->group, res->version, res->kind);
	struct entry *en = mem_new(sizeof *en);

	if (known == NULL && res->known != NULL)
		known = resource_of(res->known); /* a table of a test's own */
	if (en == NULL || !mem_grow((void **)&e->entries, &e->entries_cap, e->nentries + 1,
			      sizeof(struct entry *)))
		goto fail;
	en->res = known;
	if (known == NULL && !entry_own(en, res))
		goto fail;
	e->entries[e->nentries++] = en;
	return en;
fail:
	entry_free(en);
	error_set(err, ERR_NO_MEMORY, "no memory for kind %s", res->kind);
	return NULL;
}

struct entry *
entry_get(struct embedded *e, const struct resource *res, struct error *err)
{
	struct entry *en = entry_find(e, res);

	if (en != NULL)
		return en;
	if (!e->accept_any && res->known == NULL &&
	    known_resource(res->group, res->version, res->kind) == NULL) {
		error_set(err, ERR_INVALID, "kind %s of '%s' is not one that this store keeps",
		    res->kind, res->group);
		return NULL;
	}
	return entry_make(e, res, err);
}

bool
entry_store(struct embedded *e, struct entry *en, struct error *err)
{
	sqlite3_stmt *s;

	if (en->id != 0)
		return true;
	s = db_prepare(&e->db, SQL_RESOURCE_ADD, err);
	if (s == NULL)
		return false;
	db_bind(s, 1, str_from(en->res->group));
	db_bind(s, 2, str_from(en->res->version));
	db_bind(s, 3, str_from(en->res->kind));
	db_bind(s, 4, str_from(en->res->plural));
	(void)sqlite3_bind_int(s, 5, en->res->namespaced);
	if (!db_run(&e->db, s, err))
		return false;
	en->id = sqlite3_last_insert_rowid(e->db.conn);
	en->fresh = true;
	return true;
}

/* A column's text as C text of limited length; false when it is longer or holds a zero. */
static bool
column_copy(sqlite3_stmt *s, int column, char out[TEXT_MAX])
{
	struct str text = db_text(s, column);

	if (text.p == NULL || text.n >= TEXT_MAX || memchr(text.p, '\0', text.n) != NULL)
		return false;
	if (text.n > 0)
		memcpy(out, text.p, text.n);
	out[text.n] = '\0';
	return true;
}

static bool
entries_load(struct embedded *e, struct error *err)
{
	char group[TEXT_MAX], version[TEXT_MAX], kind[TEXT_MAX], plural[TEXT_MAX];
	sqlite3_stmt *s = db_prepare(&e->db, SQL_RESOURCES, err);
	int rc = -1;

	while (s != NULL && (rc = db_step(&e->db, s, err)) == 1) {
		struct resource res = { group, version, kind, plural, false, NULL };
		struct entry *en;

		if (!column_copy(s, 1, group) || !column_copy(s, 2, version) ||
		    !column_copy(s, 3, kind) || !column_copy(s, 4, plural)) {
			(void)sqlite3_reset(s);
			return error_set(err, ERR_CORRUPT,
			    "the store '%s' is damaged: a kind's name",
			    e->db.path != NULL ? e->db.path : "in memory");
		}
		res.namespaced = sqlite3_column_int(s, 5) != 0;
		en = entry_find(e, &res);
		if (en == NULL)
			en = entry_make(e, &res, err);
		if (en == NULL) {
			(void)sqlite3_reset(s);
			return false;
		}
		en->id = sqlite3_column_int64(s, 0);
	}
	return rc == 0;
}

static bool
events_count(struct embedded *e, struct error *err)
{
	for (size_t i = 0; i < e->nentries; i++) {
		struct entry *en = e->entries[i];
		sqlite3_stmt *s;

		if (strcmp(en->res->kind, "Event") != 0)
			continue;
		s = db_prepare(&e->db, SQL_OBJECT_COUNT, err);
		if (s == NULL)
			return false;
		(void)sqlite3_bind_int64(s, 1, en->id);
		if (db_step(&e->db, s, err) != 1)
			return false;
		en->nevents = sqlite3_column_int64(s, 0);
		(void)sqlite3_reset(s);
	}
	return true;
}

static bool
meta_load(struct embedded *e, struct error *err)
{
	sqlite3_stmt *s = db_prepare(&e->db, SQL_META, err);
	char name[TEXT_MAX];

	if (s == NULL || db_step(&e->db, s, err) != 1)
		return false;
	e->epoch = sqlite3_column_int64(s, 0);
	e->version = sqlite3_column_int64(s, 1);
	if (!column_copy(s, 2, name) || strlen(name) != 32) {
		(void)sqlite3_reset(s);
		return error_set(err, ERR_CORRUPT,
		    "the store '%s' is damaged: it has no installation",
		    e->db.path != NULL ? e->db.path : "in memory");
	}
	memcpy(e->installation, name, 33);
	(void)sqlite3_reset(s);
	return true;
}

/* From here on the writes of an owner before us are refused. */
static bool
epoch_raise(struct embedded *e, struct error *err)
{
	if (!db_simple(&e->db, SQL_BEGIN, err))
		return false;
	if (!db_simple(&e->db, SQL_META_EPOCH, err) || !meta_load(e, err) ||
	    !db_simple(&e->db, SQL_COMMIT, err)) {
		(void)db_simple(&e->db, SQL_ROLLBACK, NULL);
		return false;
	}
	return true;
}

static void
embedded_close(struct store *st)
{
	struct embedded *e = embedded_of(st);

	ring_close(e->ring);
	db_close(&e->db);
	lockfile_release(e->lock); /* after the last byte */
	for (size_t i = 0; i < e->nentries; i++)
		entry_free(e->entries[i]);
	mem_free(e->entries);
	clock_free(e->own_clock);
	(void)pthread_mutex_destroy(&e->mu);
	mem_free(e);
}

static bool
get(struct store *st, const struct resource *res, struct str ns, struct str name,
    const struct object **ret_object, struct error *err)
{
	struct embedded *e = embedded_of(st);
	char title[OBJECT_TITLE_MAX];
	sqlite3_stmt *s;
	struct entry *en;
	bool ok = false;
	int rc = -1;

	(void)pthread_mutex_lock(&e->mu);
	if (!embedded_recover(e, err) || (st->read_only && !entries_load(e, err)))
		goto out;
	en = entry_find(e, res);
	s = en != NULL && en->id != 0 ? db_prepare(&e->db, SQL_OBJECT_GET, err) : NULL;
	if (s != NULL) {
		(void)sqlite3_bind_int64(s, 1, en->id);
		db_bind(s, 2, res->namespaced ? ns : (struct str){ 0 });
		db_bind(s, 3, name);
		rc = db_step(&e->db, s, err);
		ok = rc == 1 && row_object(e, s, ret_object, err);
		(void)sqlite3_reset(s);
	} else if (en == NULL || en->id == 0) {
		rc = 0;
	}
out:
	(void)pthread_mutex_unlock(&e->mu);
	if (rc == 0)
		return error_set(
		    err, ERR_NOT_FOUND, "%s is not there", object_title(res, ns, name, title));
	return ok;
}

/* One list while it is being read. */
struct listing {
	struct embedded *e;
	struct arena *a;
	struct selector *labels, *fields;
	struct str ns, name; /* after this one */
	int64_t version;
	const struct list_options *opt;
	struct object_list list;
	size_t cap;
	bool more;
};

/* "1 <version> <namespace>/<name>" in base64, as it goes out and comes back. */
static bool
token_parse(struct listing *l, struct str token, struct error *err)
{
	struct text padded = TEXT_INIT(TOKEN_MAX);
	struct str raw = { 0 }, word;
	bool ok;

	for (size_t i = 0; i < token.n; i++)
		text_add_char(&padded, token.p[i] == '-'   ? '+'
				       : token.p[i] == '_' ? '/'
							   : token.p[i]);
	while (padded.n % 4 != 0 && padded.n > 0 && !padded.too_long)
		text_add_char(&padded, '=');
	ok = text_ok(&padded, "continue token", NULL) &&
	     base64_decode(l->a, text_str(&padded), &raw) && str_split(&raw, ' ', &word) &&
	     str_is(word, "1") && str_split(&raw, ' ', &word) && str_to_int(word, &l->version) &&
	     str_split(&raw, '/', &l->ns);
	l->name = raw;
	text_free(&padded);
	if (ok)
		return true;
	error_set(err, ERR_GONE, "the continue token is not one of this store");
	return false;
}

static bool
token_make(struct listing *l, struct error *err)
{
	const struct object *last = l->list.items[l->list.n - 1];
	struct text raw = TEXT_INIT(TOKEN_MAX), token = TEXT_INIT(TOKEN_MAX);

	text_printf(&raw, "1 %lld " STR_FMT "/" STR_FMT, (long long)l->version, STR_ARG(last->ns),
	    STR_ARG(last->name));
	text_add_base64url(&token, text_str(&raw));
	if (text_ok(&raw, "continue token", err) && text_ok(&token, "continue token", err))
		l->list.next = text_take(&token);
	text_free(&raw);
	text_free(&token);
	return l->list.next != NULL;
}

/* Adds the row when it is wanted; l->more when the page is full before it. */
static bool
listing_add(struct listing *l, sqlite3_stmt *s, struct error *err)
{
	const struct object *o = NULL;
	bool match, ok;

	if (!selector_match_labels(l->labels, db_text(s, 8)))
		return true;
	if (!row_object(l->e, s, &o, err))
		return false;
	ok = selector_match_fields(l->fields, o, &match, err);
	if (!ok || !match) {
		object_unref(o);
		return ok;
	}
	if (l->opt->limit > 0 && (int64_t)l->list.n >= l->opt->limit) {
		l->more = true;
		object_unref(o);
		return true;
	}
	if (!mem_grow(
		(void **)&l->list.items, &l->cap, l->list.n + 1, sizeof(const struct object *))) {
		object_unref(o);
		return error_set(err, ERR_NO_MEMORY, "no memory for a list");
	}
	l->list.items[l->list.n++] = o;
	return true;
}

static bool
listing_read(struct listing *l, const struct entry *en, struct error *err)
{
	bool one = en->res->namespaced && l->opt->ns.n > 0;
	sqlite3_stmt *s = db_prepare(&l->e->db, one ? SQL_OBJECT_LIST_NS : SQL_OBJECT_LIST, err);
	bool ok = true;
	int rc = 0;

	if (s == NULL)
		return false;
	(void)sqlite3_bind_int64(s, 1, en->id);
	db_bind(s, 2, one ? l->opt->ns : l->ns);
	db_bind(s, 3, l->name);
	while (ok && !l->more && (rc = db_step(&l->e->db, s, err)) == 1)
		ok = listing_add(l, s, err);
	(void)sqlite3_reset(s);
	return ok && rc >= 0;
}

bool
embedded_list_all(struct embedded *e, const struct resource *res, const struct list_options *opt,
    struct object_list *ret_list, struct error *err)
{
	struct listing l = { .e = e, .version = e->version, .opt = opt };
	bool ok = false;

	l.a = arena_new(SELECTORS_LIMIT);
	if (l.a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a list");
	if (!selector_parse_labels(l.a, opt->label_selector, &l.labels, err) ||
	    !selector_parse_fields(l.a, opt->field_selector, &l.fields, err) ||
	    (opt->next.n > 0 && !token_parse(&l, opt->next, err)))
		goto out;
	for (size_t i = 0; i < e->nentries; i++) {
		struct entry *en = e->entries[i];

		if (en->id == 0 || (res != NULL && en->res != res && !resource_eq(en->res, res)))
			continue;
		if (!listing_read(&l, en, err))
			goto out;
	}
	if (l.more && !token_make(&l, err))
		goto out;
	l.list.version = l.version;
	*ret_list = l.list;
	l.list = (struct object_list){ 0 };
	ok = true;
out:
	object_list_fini(&l.list);
	arena_free(l.a);
	return ok;
}

/* A reader beside the owner has to ask the file which version it shows. */
static bool
list_in_snapshot(struct embedded *e, const struct resource *res, const struct list_options *opt,
    struct object_list *ret_list, struct error *err)
{
	bool ok;

	if (!e->base.read_only)
		return embedded_list_all(e, res, opt, ret_list, err);
	if (!db_simple(&e->db, SQL_BEGIN_READ, err))
		return false;
	ok = meta_load(e, err) && entries_load(e, err) &&
	     embedded_list_all(e, res, opt, ret_list, err);
	return db_simple(&e->db, SQL_COMMIT, ok ? err : NULL) && ok;
}

static bool
list(struct store *st, const struct resource *res, const struct list_options *opt,
    struct object_list *ret_list, struct error *err)
{
	struct embedded *e = embedded_of(st);
	bool ok;

	(void)pthread_mutex_lock(&e->mu);
	ok = embedded_recover(e, err) && list_in_snapshot(e, res, opt, ret_list, err);
	(void)pthread_mutex_unlock(&e->mu);
	return ok;
}

static bool
watch(struct store *st, const struct resource *res, const struct list_options *opt, int64_t from,
    struct watch **ret_watch, struct error *err)
{
	struct list_options whole = *opt;
	struct object_list initial = { 0 };
	struct embedded *e = embedded_of(st);
	bool ok = true;

	if (st->read_only) {
		error_set(err, ERR_READ_ONLY, "a store that is only looked at cannot be watched");
		error_advise(err, "attach to the owner of the profile");
		return false;
	}
	whole.limit = 0;
	whole.next = (struct str){ 0 };
	(void)pthread_mutex_lock(&e->mu);
	ok = embedded_recover(e, err);
	if (ok && from == 0) {
		ok = embedded_list_all(e, res, &whole, &initial, err);
	} else {
		initial.version = from;
	}
	ok = ok && ring_watch(e->ring, res, opt, &initial, ret_watch, err);
	(void)pthread_mutex_unlock(&e->mu);
	object_list_fini(&initial);
	return ok;
}

static const struct store_ops embedded_ops = {
	.get = get,
	.list = list,
	.create = embedded_create,
	.update = embedded_update,
	.remove = embedded_remove,
	.apply = embedded_apply,
	.watch = watch,
	.close = embedded_close,
};

static bool
open_parts(struct embedded *e, const struct embedded_options *opt, struct error *err)
{
	if (opt->dir != NULL && opt->read_only && !statedir_check(opt->dir, err))
		return false;
	if (opt->dir != NULL && !opt->read_only &&
	    (!statedir_prepare(opt->dir, err) || !lockfile_take(opt->dir, &e->lock, err)))
		return false;
	if (!db_open(&e->db, opt->dir, opt->read_only, opt->fast, err))
		return false;
	if (opt->read_only ? !meta_load(e, err) : !epoch_raise(e, err))
		return false;
	if (!entries_load(e, err) || !events_count(e, err) || !audit_load(e, err))
		return false;
	e->ring = ring_new(e->version);
	return e->ring != NULL || error_set(err, ERR_NO_MEMORY, "no memory for the store");
}

bool
embedded_open(const struct embedded_options *opt, struct store **ret_store, struct error *err)
{
	struct embedded *e = mem_new(sizeof *e);

	if (e == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for the store");
	e->base = (struct store){ &embedded_ops, opt->read_only };
	(void)pthread_mutex_init(&e->mu, NULL);
	e->secrets = opt->secrets;
	e->accept_any = opt->accept_any_kind;
	if (opt->clock == NULL)
		e->own_clock = clock_new(opt->speed > 0 ? opt->speed : 1, opt->epoch_ms);
	e->clock = opt->clock != NULL ? opt->clock : e->own_clock;
	if (e->clock == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for the store");
		embedded_close(&e->base);
		return false;
	}
	if (!open_parts(e, opt, err)) {
		embedded_close(&e->base);
		return false;
	}
	*ret_store = &e->base;
	return true;
}

int64_t
embedded_epoch(struct store *st)
{
	return embedded_of(st)->epoch;
}

struct clock *
embedded_clock(struct store *st)
{
	return embedded_of(st)->clock;
}

struct str
embedded_installation(struct store *st)
{
	return str_from(embedded_of(st)->installation);
}

const struct resource *
embedded_intern(struct store *st, const char *group, const char *version, const char *kind,
    const char *plural, bool namespaced)
{
	struct resource res = { group, version, kind, plural, namespaced, NULL };
	struct embedded *e = embedded_of(st);
	struct entry *en;

	(void)pthread_mutex_lock(&e->mu);
	en = entry_find(e, &res);
	if (en == NULL)
		en = entry_make(e, &res, NULL);
	(void)pthread_mutex_unlock(&e->mu);
	return en != NULL ? en->res : NULL;
}

static bool
answers_to(const struct resource *r, struct str group, struct str version, struct str plural)
{
	return str_is(group, r->group) && (version.n == 0 || str_is(version, r->version)) &&
	       (str_is(plural, r->plural) || str_is(plural, r->kind));
}

const struct resource *
embedded_resource(struct store *st, struct str group, struct str version, struct str plural)
{
	struct embedded *e = embedded_of(st);
	const struct resource *found = NULL;
	const struct kind *const *kinds;
	size_t n;

	(void)pthread_mutex_lock(&e->mu);
	for (size_t i = 0; i < e->nentries && found == NULL; i++) {
		if (answers_to(e->entries[i]->res, group, version, plural))
			found = e->entries[i]->res;
	}
	(void)pthread_mutex_unlock(&e->mu);
	kinds = kinds_get(&n);
	for (size_t i = 0; i < n && found == NULL; i++) {
		const struct resource *r = resource_of(kinds[i]);

		if (answers_to(r, group, version, plural))
			found = r;
	}
	return found;
}

size_t
embedded_resources(struct store *st, const struct resource **ret_items, size_t max)
{
	struct embedded *e = embedded_of(st);
	size_t n = 0;

	(void)pthread_mutex_lock(&e->mu);
	for (size_t i = 0; i < e->nentries && n < max; i++)
		ret_items[n++] = e->entries[i]->res;
	(void)pthread_mutex_unlock(&e->mu);
	return n;
}

bool
embedded_backup(struct store *st, const char *path, struct error *err)
{
	struct embedded *e = embedded_of(st);
	sqlite3_backup *b = NULL;
	sqlite3 *to = NULL;
	int rc = SQLITE_ERROR;

	(void)pthread_mutex_lock(&e->mu);
	if (sqlite3_open_v2(path, &to,
		SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE |
		    SQLITE_OPEN_NOMUTEX,
		NULL) == SQLITE_OK)
		b = sqlite3_backup_init(to, "main", e->db.conn, "main");
	if (b != NULL) {
		rc = sqlite3_backup_step(b, -1);
		if (sqlite3_backup_finish(b) != SQLITE_OK && rc == SQLITE_DONE)
			rc = SQLITE_ERROR;
	}
	if (rc != SQLITE_DONE)
		error_set(err, (rc & 0xFF) == SQLITE_FULL ? ERR_DISK_FULL : ERR_IO,
		    "cannot write the backup '%s': %s", path,
		    to != NULL ? sqlite3_errmsg(to) : "no memory");
	(void)sqlite3_close(to);
	(void)pthread_mutex_unlock(&e->mu);
	return rc == SQLITE_DONE;
}
