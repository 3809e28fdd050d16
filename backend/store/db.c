#include "backend/store/db_int.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/runtime/statedir.h"
#include "backend/store/gate.h"
#include "backend/store/schema_int.h"
#include "model/base/macros.h"
#include "model/base/mem.h"

static const char file_name[] = "flightdeck.db";
static const char journal_name[] = "flightdeck.db-journal";
static const char new_name[] = "flightdeck.db.new";

enum { BUSY_MS = 5000, LENGTH_MAX = 32 * 1024 * 1024 };

static bool
is_full(int number)
{
	return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

static bool
damaged(const struct db *db, const char *why, struct error *err)
{
	error_set(err, ERR_CORRUPT, "the store '%s' is damaged: %s",
	    db->path != NULL ? db->path : "in memory", why);
	error_advise(err, "keep the file aside and put the newest backup in its place; "
			  "nothing was changed");
	return false;
}

bool
db_failed(struct db *db, const char *what, struct error *err)
{
	int code = sqlite3_extended_errcode(db->conn);
	int number =
	    sqlite3_system_errno(db->conn) != 0 ? sqlite3_system_errno(db->conn) : db->number;
	const char *path = db->path != NULL ? db->path : "in memory";

	switch (code & 0xFF) {
	case SQLITE_NOMEM:
		return error_set(err, ERR_NO_MEMORY, "no memory to %s", what);
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return damaged(db, sqlite3_errmsg(db->conn), err);
	case SQLITE_TOOBIG:
		return error_set(err, ERR_TOO_LARGE, "cannot %s: it is too large", what);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		error_set(err, ERR_STORE, "cannot %s: another program holds '%s'", what, path);
		error_advise(err, "end the backup or the program that has the file open");
		return false;
	case SQLITE_FULL:
		return error_set(
		    err, ERR_DISK_FULL, "cannot %s: no space left for '%s'", what, path);
	case SQLITE_CANTOPEN:
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		if (is_full(number))
			return error_set(
			    err, ERR_DISK_FULL, "cannot %s: no space left for '%s'", what, path);
		error_set(err, ERR_REFUSED, "cannot %s: '%s' cannot be opened for that (%s)", what,
		    path, sqlite3_errmsg(db->conn));
		error_advise(err, "check owner and mode of the file and its directory");
		return false;
	case SQLITE_IOERR:
		if (code == SQLITE_IOERR_NOMEM)
			return error_set(err, ERR_NO_MEMORY, "no memory to %s", what);
		db->broken = true;
		return error_set(err, is_full(number) ? ERR_DISK_FULL : ERR_IO,
		    "cannot %s: '%s': %s", what, path,
		    number != 0 ? errno_text(number) : sqlite3_errmsg(db->conn));
	default:
		return error_set(err, ERR_STORE, "cannot %s: %s", what, sqlite3_errmsg(db->conn));
	}
}

sqlite3_stmt *
db_prepare(struct db *db, enum sql id, struct error *err)
{
	if (db->conn == NULL) {
		error_set(err, ERR_STORE, "the store is not open");
		return NULL;
	}
	if (db->stmts[id] == NULL &&
	    sqlite3_prepare_v3(db->conn, sql_texts[id], -1, SQLITE_PREPARE_PERSISTENT,
		&db->stmts[id], NULL) != SQLITE_OK) {
		db_failed(db, "read the store", err);
		return NULL;
	}
	(void)sqlite3_reset(db->stmts[id]);
	(void)sqlite3_clear_bindings(db->stmts[id]);
	return db->stmts[id];
}

void
db_bind(sqlite3_stmt *s, int at, struct str text)
{
	/* A bind that fails (no memory) makes the step fail or store NULL, which NOT NULL refuses.
	 */
	(void)sqlite3_bind_text64(
	    s, at, text.p != NULL ? text.p : "", text.n, SQLITE_STATIC, SQLITE_UTF8);
}

int
db_step(struct db *db, sqlite3_stmt *s, struct error *err)
{
	bool reads = sqlite3_stmt_readonly(s) && s != db->stmts[SQL_COMMIT];
	int rc;

	errno = 0; /* SQLite's own record of it is gone when a commit has been rolled back */
	rc = sqlite3_step(s);
	db->number = errno;
	if (rc == SQLITE_ROW)
		return 1;
	if (rc != SQLITE_DONE)
		db_failed(db, reads ? "read the store" : "write the store", err);
	(void)sqlite3_reset(s);
	return rc == SQLITE_DONE ? 0 : -1;
}

bool
db_run(struct db *db, sqlite3_stmt *s, struct error *err)
{
	int rc;

	if (s == NULL)
		return false;
	while ((rc = db_step(db, s, err)) == 1)
		;
	return rc == 0;
}

bool
db_simple(struct db *db, enum sql id, struct error *err)
{
	return db_run(db, db_prepare(db, id, err), err);
}

struct str
db_text(sqlite3_stmt *s, int column)
{
	const void *p = sqlite3_column_text(s, column);
	int n = sqlite3_column_bytes(s, column);

	return (struct str){ p, p != NULL && n > 0 ? (size_t)n : 0 };
}

static bool
exec(struct db *db, const char *sql, const char *what, struct error *err)
{
	int rc;

	errno = 0; /* as in db_step */
	rc = sqlite3_exec(db->conn, sql, NULL, NULL, NULL);
	db->number = errno;
	return rc == SQLITE_OK || db_failed(db, what, err);
}

struct toggle {
	int option;
	int value;
};

/* trust.md 4.E6. Read back: a library that does not know one would only pretend. */
static bool
harden(struct db *db, struct error *err)
{
	static const struct toggle toggles[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
		{ SQLITE_DBCONFIG_DQS_DML, 0 },
		{ SQLITE_DBCONFIG_DQS_DDL, 0 },
	};
	static const struct toggle limits[] = {
		{ SQLITE_LIMIT_LENGTH, LENGTH_MAX },
		{ SQLITE_LIMIT_SQL_LENGTH, 64 * 1024 },
		{ SQLITE_LIMIT_COLUMN, 64 },
		{ SQLITE_LIMIT_EXPR_DEPTH, 50 },
		{ SQLITE_LIMIT_COMPOUND_SELECT, 4 },
		{ SQLITE_LIMIT_FUNCTION_ARG, 16 },
		{ SQLITE_LIMIT_ATTACHED, 0 },
		{ SQLITE_LIMIT_VARIABLE_NUMBER, 32 },
		{ SQLITE_LIMIT_TRIGGER_DEPTH, 0 },
		{ SQLITE_LIMIT_WORKER_THREADS, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(toggles); i++) {
		int is = -1;

		if (sqlite3_db_config(db->conn, toggles[i].option, toggles[i].value, &is) !=
			SQLITE_OK ||
		    is != toggles[i].value)
			return error_set(err, ERR_REFUSED,
			    "this SQLite does not know safety option %d", toggles[i].option);
	}
	for (size_t i = 0; i < ARRAY_LEN(limits); i++)
		(void)sqlite3_limit(db->conn, limits[i].option, limits[i].value);
	(void)sqlite3_busy_timeout(db->conn, BUSY_MS);
	(void)sqlite3_extended_result_codes(db->conn, 1);
	return exec(db,
	    "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY;"
	    "PRAGMA foreign_keys=OFF; PRAGMA recursive_triggers=OFF;",
	    "set up the store", err);
}

/* Opens the named file (or memory) with the journal that this store uses. */
static bool
connect_to(struct db *db, const char *name, int flags, struct error *err)
{
	const char *journal;

	if (sqlite3_open_v2(name, &db->conn,
		flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOFOLLOW |
		    SQLITE_OPEN_EXRESCODE,
		NULL) != SQLITE_OK)
		return db->conn == NULL ? error_set(err, ERR_NO_MEMORY, "no memory for the store")
					: db_failed(db, "open the store", err);
	if (!harden(db, err))
		return false;
	if (db->read_only)
		return true;
	journal = db->fast ? "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;"
			   : "PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=FULL;";
	return exec(db, journal, "open the store", err);
}

/* One number, the first column of the first row. */
static bool
number_of(struct db *db, const char *sql, int64_t *ret_value, struct error *err)
{
	sqlite3_stmt *s = NULL;
	bool ok = false;

	if (sqlite3_prepare_v2(db->conn, sql, -1, &s, NULL) != SQLITE_OK ||
	    sqlite3_step(s) != SQLITE_ROW) {
		db_failed(db, "read the store", err);
		goto out;
	}
	*ret_value = sqlite3_column_int64(s, 0);
	ok = true;
out:
	(void)sqlite3_finalize(s);
	return ok;
}

int
db_schema_version(void)
{
	return schema_steps_count;
}

/* Runs the steps that the file lacks, in one transaction. */
static bool
migrate(struct db *db, int64_t from, struct error *err)
{
	if (!exec(db, "BEGIN IMMEDIATE", "prepare the store", err))
		return false;
	for (int64_t v = from; v < schema_steps_count; v++) {
		if (!exec(db, schema_steps[v], "prepare the store", err))
			goto fail;
	}
	if (!exec(db, schema_stamp, "prepare the store", err) ||
	    !exec(db, "COMMIT", "prepare the store", err))
		goto fail;
	return true;
fail:
	(void)sqlite3_exec(db->conn, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

/* An installation's name is made with the file and never changes. */
static bool
installation_make(struct db *db, struct error *err)
{
	struct text name = TEXT_INIT(64);
	sqlite3_stmt *s = NULL;
	unsigned char bytes[16];
	bool ok = false;

	if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
		error_set(err, ERR_INTERNAL, "the system gave no random bytes");
		goto out;
	}
	text_add_hex(&name, (struct str){ (char *)bytes, sizeof bytes });
	if (!text_ok(&name, "installation", err))
		goto out;
	if (sqlite3_prepare_v2(db->conn, "UPDATE meta SET installation = ?1", -1, &s, NULL) !=
		SQLITE_OK ||
	    sqlite3_bind_text(s, 1, text_get(&name), -1, SQLITE_STATIC) != SQLITE_OK ||
	    sqlite3_step(s) != SQLITE_DONE) {
		db_failed(db, "prepare the store", err);
		goto out;
	}
	ok = true;
out:
	(void)sqlite3_finalize(s);
	text_free(&name);
	return ok;
}

static bool
fill_new(struct db *db, struct error *err)
{
	return migrate(db, 0, err) && installation_make(db, err);
}

static void
disconnect(struct db *db)
{
	for (size_t i = 0; i < SQL__MAX; i++) {
		(void)sqlite3_finalize(db->stmts[i]);
		db->stmts[i] = NULL;
	}
	(void)sqlite3_close(db->conn);
	db->conn = NULL;
}

/* Under another name first: a crash leaves either no store or a whole one. */
static bool
make_file(struct db *db, struct error *err)
{
	char *name = statedir_path(db->dir, new_name);
	struct text junk = TEXT_INIT(4096);
	bool ok = false;
	int fd = -1;

	if (name == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for a path");
		goto out;
	}
	text_printf(&junk, "%s-journal", name);
	(void)unlink(text_get(&junk)); /* of a crash before; we hold the lock */
	(void)unlink(name);
	fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0) {
		error_set(err, is_full(errno) ? ERR_DISK_FULL : ERR_REFUSED, "cannot make '%s': %s",
		    name, errno_text(errno));
		goto out;
	}
	(void)close(fd);
	if (!connect_to(db, name, SQLITE_OPEN_READWRITE, err) || !fill_new(db, err))
		goto out;
	disconnect(db);
	(void)unlink(text_get(&junk)); /* an empty journal stays behind in this mode */
	if (!db->fast && !statedir_sync(db->dir, err))
		goto out;
	if (rename(name, db->path) != 0) {
		error_set(err, ERR_IO, "cannot rename '%s': %s", name, errno_text(errno));
		goto out;
	}
	ok = db->fast || statedir_sync(db->dir, err);
out:
	disconnect(db);
	text_free(&junk);
	mem_free(name);
	return ok;
}

/* Looks at the file's names, never at its bytes: a second descriptor would drop SQLite's locks. */
static bool
file_check(struct db *db, bool *ret_there, struct error *err)
{
	struct stat st;

	*ret_there = false;
	if (lstat(db->path, &st) != 0) {
		if (errno == ENOENT)
			return true;
		return error_set(
		    err, ERR_IO, "cannot look at '%s': %s", db->path, errno_text(errno));
	}
	if (!S_ISREG(st.st_mode) || st.st_nlink != 1) {
		error_set(
		    err, ERR_REFUSED, "'%s' is a link, not a plain file of its own", db->path);
		error_advise(err, "put the file itself there");
		return false;
	}
	if (st.st_uid != geteuid()) {
		error_set(err, ERR_REFUSED, "'%s' belongs to user %u, not to you (%u)", db->path,
		    (unsigned)st.st_uid, (unsigned)geteuid());
		error_advise(err,
		    "set FLIGHTDECK_STATE_DIR to a directory of your own, or attach to "
		    "the owner's console");
		return false;
	}
	if (st.st_size == 0)
		return damaged(db, "it is empty", err);
	if ((st.st_mode & 077) != 0 && !db->read_only && chmod(db->path, 0600) != 0)
		return error_set(
		    err, ERR_IO, "cannot close '%s' to others: %s", db->path, errno_text(errno));
	*ret_there = true;
	return true;
}

/* The journal's name must be durable before the first byte of the store is changed in place. */
static bool
journal_make(struct db *db, struct error *err)
{
	char *name = statedir_path(db->dir, journal_name);
	bool ok = false;
	int fd;

	if (name == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a path");
	fd = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		error_set(err, is_full(errno) ? ERR_DISK_FULL : ERR_REFUSED, "cannot open '%s': %s",
		    name, errno_text(errno));
	else
		ok = true;
	if (fd >= 0)
		(void)close(fd); /* before SQLite opens it: no lock of ours is on it */
	mem_free(name);
	return ok && (db->fast || statedir_sync(db->dir, err));
}

/* quick_check answers "ok" in its first row, or says what is wrong. */
static bool
quick_check(struct db *db, struct error *err)
{
	sqlite3_stmt *s = NULL;
	bool ok = false;

	if (sqlite3_prepare_v2(db->conn, "PRAGMA quick_check(1)", -1, &s, NULL) != SQLITE_OK ||
	    sqlite3_step(s) != SQLITE_ROW)
		db_failed(db, "check the store", err);
	else if (!str_is(db_text(s, 0), "ok"))
		damaged(db, (const char *)sqlite3_column_text(s, 0), err);
	else
		ok = true;
	(void)sqlite3_finalize(s);
	return ok;
}

static bool
version_check(struct db *db, struct error *err)
{
	int64_t id, have;

	if (!number_of(db, "PRAGMA application_id", &id, err))
		return false;
	if (id != SCHEMA_APPLICATION_ID) {
		error_set(err, ERR_REFUSED, "'%s' is a database of another program", db->path);
		error_advise(err, "move it away; nothing was changed");
		return false;
	}
	if (!number_of(db, "SELECT schema FROM meta WHERE id = 1", &have, err))
		return false;
	if (have > schema_steps_count) {
		error_set(err, ERR_REFUSED,
		    "'%s' was written by a newer flightdeck (format %lld, this one knows %d)",
		    db->path, (long long)have, schema_steps_count);
		error_advise(err, "install the newer version, or restore a backup from before it");
		return false;
	}
	if (have < 1)
		return damaged(db, "it has no format version", err);
	if (have == schema_steps_count)
		return true;
	if (db->read_only)
		return error_set(err, ERR_REFUSED,
		    "'%s' has the older format %lld: its owner must "
		    "open it once",
		    db->path, (long long)have);
	return migrate(db, have, err);
}

static bool
open_file(struct db *db, bool check, struct error *err)
{
	int flags = db->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;

	if (!db->read_only && !journal_make(db, err))
		return false;
	if (!connect_to(db, db->path, flags, err))
		return false;
	if (check && !db->fast && !quick_check(db, err))
		return false;
	return version_check(db, err);
}

bool
db_open(struct db *db, const char *dir, bool read_only, bool fast, struct error *err)
{
	char real[PATH_MAX];
	bool there;

	*db = (struct db){ .read_only = read_only, .fast = fast };
	if (!gate_check(sqlite3_libversion_number(), JOURNAL_ROLLBACK, 1, err))
		return false;
	if (dir == NULL) {
		db->fast = true;
		if (!connect_to(db, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, err) ||
		    !fill_new(db, err))
			goto fail;
		return true;
	}
	/* SQLite follows no link at all when asked so; those above the directory are harmless. */
	db->dir = mem_dupz(realpath(dir, real) != NULL ? real : dir);
	if (db->dir == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for a path");
		goto fail;
	}
	db->path = statedir_path(dir, file_name);
	if (db->path == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for a path");
		goto fail;
	}
	if (!file_check(db, &there, err))
		goto fail;
	if (!there && read_only) {
		error_set(err, ERR_NOT_FOUND, "there is no store '%s' yet", db->path);
		goto fail;
	}
	if (!there && !make_file(db, err))
		goto fail;
	if (!open_file(db, true, err))
		goto fail;
	return true;
fail:
	db_close(db);
	return false;
}

bool
db_reopen(struct db *db, struct error *err)
{
	if (db->path == NULL)
		return error_set(err, ERR_STORE, "a store in memory cannot be opened again");
	disconnect(db);
	if (!open_file(db, false, err)) {
		disconnect(db);
		return false;
	}
	db->broken = false;
	return true;
}

void
db_close(struct db *db)
{
	disconnect(db);
	mem_free(db->path);
	mem_free(db->dir);
	db->path = NULL;
	db->dir = NULL;
}
