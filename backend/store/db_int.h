#ifndef BACKEND_STORE_DB_INT_H
#define BACKEND_STORE_DB_INT_H

/*
 * The SQLite file below the embedded store: opening it safely, its statements in one table, and
 * SQLite's errors as ours. For backend/store alone.
 *
 * The file is made under another name, filled, synced and then renamed, so that a file of that name
 * is never empty by accident: an empty one is damage, and nothing is ever made anew over it.
 *
 * Threads: one at a time (the store's lock). Failure: a failed flush marks the connection broken;
 * it is then closed and opened again before anything is believed.
 */

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"

enum sql {
	SQL_BEGIN,
	SQL_BEGIN_READ,
	SQL_COMMIT,
	SQL_ROLLBACK,
	SQL_META,
	SQL_META_BUMP,
	SQL_META_EPOCH,
	SQL_RESOURCES,
	SQL_RESOURCE_ADD,
	SQL_OBJECT_GET,
	SQL_OBJECT_BY_UID,
	SQL_OBJECT_BY_ID,
	SQL_OBJECT_LIST,
	SQL_OBJECT_LIST_NS,
	SQL_OBJECT_ADD,
	SQL_OBJECT_SET,
	SQL_OBJECT_DROP,
	SQL_OBJECT_COUNT,
	SQL_OBJECT_OLDEST,
	SQL_OWNER_ADD,
	SQL_OWNER_DROP,
	SQL_OWNER_CHILDREN,
	SQL_OWNER_DANGLING,
	SQL_AUDIT_ADD,
	SQL_AUDIT_HEAD,
	SQL_AUDIT_NEWEST,
	SQL_AUDIT_ALL,
	SQL__MAX
};

struct db {
	sqlite3 *conn;
	sqlite3_stmt *stmts[SQL__MAX];
	char *path; /* NULL in memory */
	char *dir;
	bool read_only;
	bool fast;
	int number;  /* errno of the last step */
	bool broken; /* a flush failed: close, open, read again */
};

/* Also makes the file when it is absent, and migrates an older one. dir NULL: in memory. */
bool db_open(struct db *db, const char *dir, bool read_only, bool fast, struct error *err);
void db_close(struct db *db);
/* Closes and opens the same file. */
bool db_reopen(struct db *db, struct error *err);

/* Borrowed, reset, with nothing bound; NULL and an error. */
sqlite3_stmt *db_prepare(struct db *db, enum sql id, struct error *err);
void db_bind(sqlite3_stmt *s, int at, struct str text); /* the text must outlive the step */
/* 1: a row, 0: no more, -1: failed and err is filled; the statement is reset for the last two. */
int db_step(struct db *db, sqlite3_stmt *s, struct error *err);
/* Runs a statement that gives no rows. */
bool db_run(struct db *db, sqlite3_stmt *s, struct error *err);
bool db_simple(struct db *db, enum sql id, struct error *err);
struct str db_text(sqlite3_stmt *s, int column); /* borrows until the next step */

/* Fills err from the connection's last error. Returns false. */
bool db_failed(struct db *db, const char *what, struct error *err);

/* Newest schema version that this program writes. */
int db_schema_version(void);

#endif
