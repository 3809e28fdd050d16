#include "backend/sim/state.h"

#include <pthread.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "model/base/mem.h"

enum { BUSY_MS = 10000, ROWS_FIRST = 16 };

enum statement { SQL_GET, SQL_PUT, SQL_REMOVE, SQL_LIST, SQL__MAX };

static const char *const statements[SQL__MAX] = {
	[SQL_GET] = "SELECT doc FROM doc WHERE kind = ?1 AND key = ?2",
	[SQL_PUT] = "INSERT INTO doc(kind, key, doc) VALUES(?1, ?2, ?3)"
		    " ON CONFLICT(kind, key) DO UPDATE SET doc = excluded.doc",
	[SQL_REMOVE] = "DELETE FROM doc WHERE kind = ?1 AND key = ?2",
	[SQL_LIST] = "SELECT key, doc FROM doc WHERE kind = ?1 AND key >= ?2 AND"
		     " key < ?2 || char(1114111) ORDER BY seq",
};

static const char schema[] =
    "PRAGMA journal_mode = PERSIST; PRAGMA synchronous = OFF;"
    "CREATE TABLE IF NOT EXISTS doc(seq INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL,"
    " key TEXT NOT NULL, doc TEXT NOT NULL, UNIQUE(kind, key));";

struct state {
	sqlite3 *db;
	sqlite3_stmt *sql[SQL__MAX];
	pthread_mutex_t lock; /* recursive: held for one call, or from begin to end */
};

static bool
sql_error(struct state *st, const char *what, struct error *err)
{
	return error_set(
	    err, ERR_STORE, "simulator state: cannot %s: %s", what, sqlite3_errmsg(st->db));
}

static bool
lock_init(pthread_mutex_t *m, struct error *err)
{
	pthread_mutexattr_t attr;
	bool ok = pthread_mutexattr_init(&attr) == 0;

	if (ok) {
		ok = pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0 &&
		     pthread_mutex_init(m, &attr) == 0;
		(void)pthread_mutexattr_destroy(&attr); /* nothing to lose */
	}
	return ok ? true : error_set(err, ERR_NO_MEMORY, "simulator state: cannot make a lock");
}

static bool
open_file(struct state *st, const char *path, bool read_only, struct error *err)
{
	int flags = read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

	if (sqlite3_open_v2(path, &st->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return sql_error(st, "open it", err);
	(void)sqlite3_busy_timeout(st->db, BUSY_MS); /* cannot fail on an open database */
	if (!read_only && sqlite3_exec(st->db, schema, NULL, NULL, NULL) != SQLITE_OK)
		return sql_error(st, "prepare it", err);
	for (int i = 0; i < SQL__MAX; i++) {
		if (sqlite3_prepare_v3(st->db, statements[i], -1, SQLITE_PREPARE_PERSISTENT,
			&st->sql[i], NULL) != SQLITE_OK)
			return sql_error(st, "prepare a statement", err);
	}
	return read_only || chmod(path, 0600) == 0
		   ? true
		   : error_set(err, ERR_IO, "simulator state: cannot protect '%s'", path);
}

bool
state_open(const char *dir, bool read_only, struct state **ret_state, struct error *err)
{
	struct text path = TEXT_INIT(4096);
	struct state *st = mem_new(sizeof(*st));
	bool ok = false;

	if (st == NULL) {
		error_set(err, ERR_NO_MEMORY, "simulator state: out of memory");
		goto out;
	}
	if (!lock_init(&st->lock, err)) {
		mem_free(st);
		st = NULL;
		goto out;
	}
	text_printf(&path, "%s/state.db", dir);
	if (!text_ok(&path, "state path", err) || !open_file(st, text_get(&path), read_only, err))
		goto out;
	*ret_state = st;
	st = NULL;
	ok = true;
out:
	state_close(st);
	text_free(&path);
	return ok;
}

void
state_close(struct state *st)
{
	if (st == NULL)
		return;
	for (int i = 0; i < SQL__MAX; i++)
		(void)sqlite3_finalize(st->sql[i]); /* reports an older error */
	(void)sqlite3_close(st->db);		    /* all statements are gone */
	(void)pthread_mutex_destroy(&st->lock);
	mem_free(st);
}

static sqlite3_stmt *
bound(struct state *st, enum statement which, enum doc_kind kind, struct str key)
{
	sqlite3_stmt *q = st->sql[which];

	(void)sqlite3_reset(q); /* reports an older error */
	if (sqlite3_bind_int(q, 1, (int)kind) != SQLITE_OK ||
	    sqlite3_bind_text(q, 2, key.p != NULL ? key.p : "", (int)key.n, SQLITE_TRANSIENT) !=
		SQLITE_OK)
		return NULL;
	return q;
}

static struct str
column_copy(sqlite3_stmt *q, int column, struct arena *a)
{
	const unsigned char *p = sqlite3_column_text(q, column);
	int n = sqlite3_column_bytes(q, column);

	return str_copy(a, (struct str){ (const char *)p, p != NULL ? (size_t)n : 0 });
}

bool
state_get(struct state *st, enum doc_kind kind, struct str key, struct arena *a,
    struct str *ret_doc, struct error *err)
{
	sqlite3_stmt *q;
	int rc = SQLITE_ERROR;
	struct str doc = { 0 };

	(void)pthread_mutex_lock(&st->lock);
	q = bound(st, SQL_GET, kind, key);
	if (q != NULL)
		rc = sqlite3_step(q);
	if (rc == SQLITE_ROW)
		doc = column_copy(q, 0, a);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		sql_error(st, "read", err);
	if (q != NULL)
		(void)sqlite3_reset(q);
	(void)pthread_mutex_unlock(&st->lock);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		return false;
	*ret_doc = doc;
	return true;
}

static bool
run(struct state *st, enum statement which, enum doc_kind kind, struct str key,
    const struct str *doc, struct error *err)
{
	sqlite3_stmt *q;
	bool ok = false;

	(void)pthread_mutex_lock(&st->lock);
	q = bound(st, which, kind, key);
	if (q != NULL && (doc == NULL || sqlite3_bind_text(q, 3, doc->p, (int)doc->n,
					     SQLITE_TRANSIENT) == SQLITE_OK))
		ok = sqlite3_step(q) == SQLITE_DONE;
	if (!ok)
		sql_error(st, "write", err);
	if (q != NULL)
		(void)sqlite3_reset(q);
	(void)pthread_mutex_unlock(&st->lock);
	return ok;
}

bool
state_put(struct state *st, enum doc_kind kind, struct str key, struct str doc, struct error *err)
{
	return run(st, SQL_PUT, kind, key, &doc, err);
}

bool
state_remove(struct state *st, enum doc_kind kind, struct str key, struct error *err)
{
	return run(st, SQL_REMOVE, kind, key, NULL, err);
}

static bool
rows_widen(struct arena *a, struct state_row **rows, size_t *cap)
{
	size_t wider = *cap == 0 ? ROWS_FIRST : *cap * 2;
	struct state_row *more = arena_array(a, wider, sizeof(*more));

	for (size_t i = 0; more != NULL && i < *cap; i++)
		more[i] = (*rows)[i];
	if (more == NULL)
		return false;
	*rows = more;
	*cap = wider;
	return true;
}

bool
state_list(struct state *st, enum doc_kind kind, struct str prefix, struct arena *a,
    struct state_rows *ret_rows, struct error *err)
{
	struct state_row *rows = NULL;
	size_t n = 0, cap = 0;
	sqlite3_stmt *q;
	int rc = SQLITE_ERROR;

	(void)pthread_mutex_lock(&st->lock);
	q = bound(st, SQL_LIST, kind, prefix);
	while (q != NULL && (rc = sqlite3_step(q)) == SQLITE_ROW) {
		if (n == cap && !rows_widen(a, &rows, &cap))
			break;
		rows[n].key = column_copy(q, 0, a);
		rows[n].doc = column_copy(q, 1, a);
		n++;
	}
	if (rc != SQLITE_DONE)
		sql_error(st, "list", err);
	if (q != NULL)
		(void)sqlite3_reset(q);
	(void)pthread_mutex_unlock(&st->lock);
	if (rc != SQLITE_DONE)
		return false;
	*ret_rows = (struct state_rows){ rows, n };
	return true;
}

bool
state_begin(struct state *st, struct error *err)
{
	(void)pthread_mutex_lock(&st->lock);
	if (sqlite3_exec(st->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK)
		return true;
	sql_error(st, "begin", err);
	(void)pthread_mutex_unlock(&st->lock);
	return false;
}

bool
state_end(struct state *st, bool commit, struct error *err)
{
	bool ok =
	    sqlite3_exec(st->db, commit ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL) == SQLITE_OK;

	if (!ok) {
		sql_error(st, "commit", err);
		(void)sqlite3_exec(st->db, "ROLLBACK", NULL, NULL, NULL);
	}
	(void)pthread_mutex_unlock(&st->lock);
	return ok;
}
