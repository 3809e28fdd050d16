#include "backend/store/schema_int.h"

#include "backend/store/db_int.h"
#include "model/base/macros.h"

/*
 * object.json is last, so that reading the columns before it touches no overflow page. labels is
 * text to search (object_labels). Versions begin with 2, because "0" means "any" to a client, and a
 * list of a new store must have a version that one can watch from. owner repeats
 * metadata.ownerReferences, for the collector.
 */
const char *const schema_steps[] = {
	/* 1: objects */
	"CREATE TABLE meta(id INTEGER PRIMARY KEY CHECK (id = 1), schema INTEGER NOT NULL,"
	" epoch INTEGER NOT NULL, version INTEGER NOT NULL, installation TEXT NOT NULL) STRICT;"
	"INSERT INTO meta VALUES (1, 0, 0, 1, '');"
	"CREATE TABLE resource(id INTEGER PRIMARY KEY, grp TEXT NOT NULL, version TEXT NOT NULL,"
	" kind TEXT NOT NULL, plural TEXT NOT NULL, namespaced INTEGER NOT NULL,"
	" UNIQUE (grp, version, plural)) STRICT;"
	"CREATE TABLE object(id INTEGER PRIMARY KEY, res INTEGER NOT NULL, ns TEXT NOT NULL,"
	" name TEXT NOT NULL, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,"
	" generation INTEGER NOT NULL, deleted_ms INTEGER NOT NULL, labels TEXT NOT NULL,"
	" json TEXT NOT NULL, UNIQUE (res, ns, name)) STRICT;"
	"CREATE TABLE owner(uid TEXT NOT NULL, child INTEGER NOT NULL, PRIMARY KEY (uid, child))"
	" STRICT, WITHOUT ROWID;"
	"CREATE INDEX owner_child ON owner(child);",
	/* 2: the audit trail */
	"CREATE TABLE audit(seq INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, who TEXT NOT NULL,"
	" origin TEXT NOT NULL, verb TEXT NOT NULL, object TEXT NOT NULL, result TEXT NOT NULL,"
	" hash BLOB NOT NULL) STRICT;"
	"ALTER TABLE meta ADD COLUMN audit_seq INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE meta ADD COLUMN audit_mac BLOB NOT NULL DEFAULT x'';",
};
const int schema_steps_count = ARRAY_LEN(schema_steps);

const char schema_stamp[] = "PRAGMA application_id = 0x46644B31;"
			    "UPDATE meta SET schema = 2 WHERE id = 1;";

_Static_assert(ARRAY_LEN(schema_steps) == 2, "schema_stamp writes this number");

#define OBJECT_COLUMNS "id, res, ns, name, uid, version, generation, deleted_ms, labels, json"

/* clang-format off */
const char *const sql_texts[] = {
	[SQL_BEGIN]	     = "BEGIN IMMEDIATE",
	[SQL_BEGIN_READ]     = "BEGIN",
	[SQL_COMMIT]	     = "COMMIT",
	[SQL_ROLLBACK]	     = "ROLLBACK",
	[SQL_META]	     = "SELECT epoch, version, installation FROM meta WHERE id = 1",
	[SQL_META_BUMP]	     = "UPDATE meta SET version = ?1 WHERE id = 1 AND epoch = ?2",
	[SQL_META_EPOCH]     = "UPDATE meta SET epoch = epoch + 1 WHERE id = 1",
	[SQL_RESOURCES]	     = "SELECT id, grp, version, kind, plural, namespaced FROM resource ORDER BY id",
	[SQL_RESOURCE_ADD]   = "INSERT INTO resource(grp, version, kind, plural, namespaced)"
			       " VALUES (?1, ?2, ?3, ?4, ?5)",
	[SQL_OBJECT_GET]     = "SELECT " OBJECT_COLUMNS " FROM object WHERE res = ?1 AND ns = ?2 AND name = ?3",
	[SQL_OBJECT_BY_UID]  = "SELECT " OBJECT_COLUMNS " FROM object WHERE uid = ?1",
	[SQL_OBJECT_BY_ID]   = "SELECT " OBJECT_COLUMNS " FROM object WHERE id = ?1",
	[SQL_OBJECT_LIST]    = "SELECT " OBJECT_COLUMNS " FROM object WHERE res = ?1"
			       " AND (ns, name) > (?2, ?3) ORDER BY ns, name",
	[SQL_OBJECT_LIST_NS] = "SELECT " OBJECT_COLUMNS " FROM object WHERE res = ?1"
			       " AND ns = ?2 AND name > ?3 ORDER BY name",
	[SQL_OBJECT_ADD]     = "INSERT INTO object(res, ns, name, uid, version, generation, deleted_ms, labels, json)"
			       " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
	[SQL_OBJECT_SET]     = "UPDATE object SET version = ?2, generation = ?3, deleted_ms = ?4, labels = ?5,"
			       " json = ?6 WHERE id = ?1",
	[SQL_OBJECT_DROP]    = "DELETE FROM object WHERE id = ?1",
	[SQL_OBJECT_COUNT]   = "SELECT count(*) FROM object WHERE res = ?1",
	[SQL_OBJECT_OLDEST]  = "SELECT id FROM object WHERE res = ?1 ORDER BY version LIMIT ?2",
	[SQL_OWNER_ADD]	     = "INSERT OR IGNORE INTO owner(uid, child) VALUES (?1, ?2)",
	[SQL_OWNER_DROP]     = "DELETE FROM owner WHERE child = ?1",
	[SQL_OWNER_CHILDREN] = "SELECT child FROM owner WHERE uid = ?1 ORDER BY child",
	[SQL_OWNER_DANGLING] = "SELECT DISTINCT uid FROM owner WHERE uid NOT IN (SELECT uid FROM object)",
	[SQL_AUDIT_ADD]	     = "INSERT INTO audit(seq, at_ms, who, origin, verb, object, result, hash)"
			       " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
	[SQL_AUDIT_HEAD]     = "UPDATE meta SET audit_seq = ?1, audit_mac = ?2 WHERE id = 1",
	[SQL_AUDIT_NEWEST]   = "SELECT seq, at_ms, who, origin, verb, object, result, hash FROM audit"
			       " ORDER BY seq DESC LIMIT ?1",
	[SQL_AUDIT_ALL]	     = "SELECT a.seq, a.at_ms, a.who, a.origin, a.verb, a.object, a.result, a.hash,"
			       " m.audit_seq, m.audit_mac FROM meta m LEFT JOIN audit a ON 1 ORDER BY a.seq",
};
/* clang-format on */

_Static_assert(ARRAY_LEN(sql_texts) == SQL__MAX, "one text for each statement");
