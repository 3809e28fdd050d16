/*
 * The audit trail: one row for each accepted write, chained by SHA-256, so that a row that is
 * edited, taken out or moved is found. The head (number of rows and last hash) is signed with a
 * key that is not in the file, so that cutting the end off is found too. Who holds the key can
 * forge, and so can root: that is said in the manual, not hidden.
 */

#include "backend/store/embedded_int.h"

#include <openssl/evp.h>
#include <string.h>

#include "backend/store/secrets_int.h"

enum { HASH_BYTES = 32, LINE_LIMIT = 64 * 1024, SHORT_HASH = 8, PLAIN_HEAD = HASH_BYTES };

struct audit_fields {
	int64_t seq, at_ms;
	struct str who, from, verb, object, result;
};

/* The previous hash and every field, each with its length before it. */
static bool
hash_row(const unsigned char before[HASH_BYTES], const struct audit_fields *f,
    unsigned char ret_hash[HASH_BYTES])
{
	const struct str fields[] = { f->who, f->from, f->verb, f->object, f->result };
	struct text line = TEXT_INIT(LINE_LIMIT);
	unsigned n = 0;
	bool ok;

	text_add_str(&line, (struct str){ (const char *)before, HASH_BYTES });
	text_printf(&line, "%lld %lld", (long long)f->seq, (long long)f->at_ms);
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		text_printf(&line, " %zu:", fields[i].n);
		text_add_str(&line, fields[i]);
	}
	ok = text_ok(&line, "audit row", NULL) &&
	     EVP_Digest(text_get(&line), line.n, ret_hash, &n, EVP_sha256(), NULL) == 1;
	text_free(&line);
	return ok;
}

/* What stands behind the last row: a signature, or the hash itself without a key. */
static bool
head_make(const struct embedded *e, int64_t seq, const unsigned char hash[HASH_BYTES],
    unsigned char ret_head[HASH_BYTES])
{
	struct text line = TEXT_INIT(256);
	bool ok;

	if (e->secrets == NULL) {
		memcpy(ret_head, hash, HASH_BYTES);
		return true;
	}
	text_printf(&line, "%s %lld ", e->installation, (long long)seq);
	text_add_hex(&line, (struct str){ (const char *)hash, HASH_BYTES });
	ok = text_ok(&line, "audit head", NULL) &&
	     secret_box_mac(e->secrets, text_str(&line), ret_head);
	text_free(&line);
	return ok;
}

static struct str
blob(sqlite3_stmt *s, int column)
{
	const void *p = sqlite3_column_blob(s, column);
	int n = sqlite3_column_bytes(s, column);

	return (struct str){ p, p != NULL && n > 0 ? (size_t)n : 0 };
}

bool
audit_load(struct embedded *e, struct error *err)
{
	sqlite3_stmt *s = db_prepare(&e->db, SQL_AUDIT_NEWEST, err);
	struct str hash;
	int rc;

	if (s == NULL)
		return false;
	e->audit_seq = 0;
	memset(e->audit_hash, 0, sizeof e->audit_hash);
	(void)sqlite3_bind_int64(s, 1, 1);
	rc = db_step(&e->db, s, err);
	if (rc == 1) {
		hash = blob(s, 7);
		e->audit_seq = sqlite3_column_int64(s, 0);
		if (hash.n == sizeof e->audit_hash)
			memcpy(e->audit_hash, hash.p, hash.n);
	}
	(void)sqlite3_reset(s);
	return rc >= 0;
}

/* Events, and what the controllers write down for themselves, would bury what people did. */
static bool
is_churn(const struct tx *t, const char *verb, const struct resource *res)
{
	bool own = strcmp(t->c.actor->manager, MANAGER_CONTROLLER) == 0;

	if (res->group[0] == '\0' && strcmp(res->kind, "Event") == 0)
		return true;
	if (!own)
		return false;
	return strcmp(verb, "update-status") == 0 ||
	       (strcmp(verb, "update") == 0 && res->known != NULL &&
		   (res->known->flags & KIND_INTERNAL) != 0);
}

/* The first letters of a hash of the JSON; none for a kind that holds secrets. */
static void
add_hash(struct text *out, const char *name, const struct object *o)
{
	unsigned char hash[EVP_MAX_MD_SIZE];
	unsigned n = 0;

	if (o == NULL || resource_is_secret(o->res) ||
	    EVP_Digest(o->json.p, o->json.n, hash, &n, EVP_sha256(), NULL) != 1)
		return;
	text_printf(out, " %s=", name);
	text_add_hex(out, (struct str){ (char *)hash, SHORT_HASH });
}

static bool
row_write(struct tx *t, const struct audit_fields *f, struct error *err)
{
	sqlite3_stmt *s = db_prepare(&t->e->db, SQL_AUDIT_ADD, err);

	if (s == NULL)
		return false;
	if (!hash_row(t->audit_hash, f, t->audit_hash))
		return error_set(err, ERR_NO_MEMORY, "no memory for the audit trail");
	(void)sqlite3_bind_int64(s, 1, f->seq);
	(void)sqlite3_bind_int64(s, 2, f->at_ms);
	db_bind(s, 3, f->who);
	db_bind(s, 4, f->from);
	db_bind(s, 5, f->verb);
	db_bind(s, 6, f->object);
	db_bind(s, 7, f->result);
	(void)sqlite3_bind_blob(s, 8, t->audit_hash, HASH_BYTES, SQLITE_STATIC);
	return db_run(&t->e->db, s, err);
}

bool
audit_add(struct tx *t, const char *verb, const struct object *o, const struct object *old,
    struct error *err)
{
	struct text result = TEXT_INIT(512);
	char title[OBJECT_TITLE_MAX];
	const char *user = t->c.actor->user;
	struct audit_fields f;
	bool ok;

	if (is_churn(t, verb, o->res))
		return true;
	text_printf(&result, "version=%lld", (long long)o->version);
	add_hash(&result, "was", old);
	add_hash(&result, "is", o);
	f = (struct audit_fields){
		.seq = t->audit_seq + 1,
		.at_ms = t->c.now_ms,
		.who = str_from(user != NULL && user[0] != '\0' ? user : t->c.actor->manager),
		.from = str_from(t->c.actor->from),
		.verb = str_from(verb),
		.object = str_from(object_title(o->res, o->ns, o->name, title)),
		.result = text_str(&result),
	};
	ok = text_ok(&result, "audit row", err) && row_write(t, &f, err);
	text_free(&result);
	if (ok) {
		t->audit_seq++;
		t->audited = true;
	}
	return ok;
}

bool
audit_seal(struct tx *t, struct error *err)
{
	unsigned char head[HASH_BYTES];
	sqlite3_stmt *s;

	if (!t->audited)
		return true;
	if (!head_make(t->e, t->audit_seq, t->audit_hash, head))
		return error_set(err, ERR_NO_MEMORY, "no memory for the audit trail");
	s = db_prepare(&t->e->db, SQL_AUDIT_HEAD, err);
	if (s == NULL)
		return false;
	(void)sqlite3_bind_int64(s, 1, t->audit_seq);
	(void)sqlite3_bind_blob(s, 2, head, HASH_BYTES, SQLITE_STATIC);
	return db_run(&t->e->db, s, err);
}

static struct audit_fields
fields_read(sqlite3_stmt *s)
{
	return (struct audit_fields){
		.seq = sqlite3_column_int64(s, 0),
		.at_ms = sqlite3_column_int64(s, 1),
		.who = db_text(s, 2),
		.from = db_text(s, 3),
		.verb = db_text(s, 4),
		.object = db_text(s, 5),
		.result = db_text(s, 6),
	};
}

static bool
rows_read(struct embedded *e, struct arena *a, size_t limit, struct audit_row *rows, size_t *n,
    struct error *err)
{
	sqlite3_stmt *s = db_prepare(&e->db, SQL_AUDIT_NEWEST, err);
	int rc;

	if (s == NULL)
		return false;
	(void)sqlite3_bind_int64(s, 1, (int64_t)limit);
	while ((rc = db_step(&e->db, s, err)) == 1 && *n < limit) {
		struct audit_fields f = fields_read(s);

		rows[(*n)++] = (struct audit_row){ f.at_ms, str_copy(a, f.who), str_copy(a, f.from),
			str_copy(a, f.verb), str_copy(a, f.object), str_copy(a, f.result) };
	}
	(void)sqlite3_reset(s);
	return rc >= 0;
}

bool
embedded_audit(struct store *st, struct arena *a, size_t limit, struct audit_row **ret_rows,
    size_t *ret_n, struct error *err)
{
	struct embedded *e = embedded_of(st);
	struct audit_row *rows;
	size_t n = 0;
	bool ok;

	(void)pthread_mutex_lock(&e->mu);
	if ((int64_t)limit > e->audit_seq)
		limit = (size_t)e->audit_seq;
	rows = arena_array(a, limit, sizeof *rows);
	ok = rows != NULL && rows_read(e, a, limit, rows, &n, err);
	(void)pthread_mutex_unlock(&e->mu);
	if (arena_failed(a))
		return error_set(err, ERR_NO_MEMORY, "no memory for the audit trail");
	if (ok) {
		*ret_rows = rows;
		*ret_n = n;
	}
	return ok;
}

static bool
forged(int64_t seq, const char *what, struct error *err)
{
	error_set(
	    err, ERR_CORRUPT, "the audit trail was changed: row %lld %s", (long long)seq, what);
	error_advise(err, "keep the file and compare it with the backups");
	return false;
}

/* Walks the chain; leaves the last number and hash for the head. */
static bool
chain_check(struct embedded *e, sqlite3_stmt *s, struct error *err)
{
	unsigned char hash[HASH_BYTES] = { 0 }, head[HASH_BYTES];
	struct str signature = { 0 };
	char kept[HASH_BYTES] = { 0 };
	int64_t seq = 0, claimed = 0;
	int rc;

	while ((rc = db_step(&e->db, s, err)) == 1) {
		struct audit_fields f = fields_read(s);

		claimed = sqlite3_column_int64(s, 8);
		signature = blob(s, 9);
		if (signature.n == HASH_BYTES)
			memcpy(kept, signature.p, HASH_BYTES);
		if (sqlite3_column_type(s, 0) == SQLITE_NULL)
			break; /* no rows at all */
		if (f.seq != seq + 1)
			return forged(seq + 1, "is missing", err);
		if (!hash_row(hash, &f, hash))
			return error_set(err, ERR_NO_MEMORY, "no memory for the audit trail");
		if (!str_eq(blob(s, 7), (struct str){ (char *)hash, HASH_BYTES }))
			return forged(f.seq, "does not fit to the one before", err);
		seq = f.seq;
	}
	if (rc < 0)
		return false;
	if (seq != claimed)
		return forged(seq + 1, "and later ones are missing", err);
	if (seq == 0)
		return true;
	if (!head_make(e, seq, hash, head))
		return error_set(err, ERR_NO_MEMORY, "no memory for the audit trail");
	return secret_eq(
		   (struct str){ kept, HASH_BYTES }, (struct str){ (char *)head, HASH_BYTES }) ||
	       forged(seq, "has a signature that is not ours", err);
}

bool
embedded_audit_verify(struct store *st, struct error *err)
{
	struct embedded *e = embedded_of(st);
	sqlite3_stmt *s;
	bool ok = false;

	(void)pthread_mutex_lock(&e->mu);
	s = db_prepare(&e->db, SQL_AUDIT_ALL, err);
	if (s != NULL) {
		ok = chain_check(e, s, err);
		(void)sqlite3_reset(s);
	}
	(void)pthread_mutex_unlock(&e->mu);
	return ok;
}
