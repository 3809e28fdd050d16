#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "backend/store/db_int.h"
#include "backend/store/schema_int.h"
#include "tests/unit/backend/store/fixture.h"

static int64_t
pragma(struct db *db, const char *text)
{
	sqlite3_stmt *s = NULL;
	int64_t value;

	assert_int_equal(sqlite3_prepare_v2(db->conn, text, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	value = sqlite3_column_int64(s, 0);
	assert_int_equal(sqlite3_finalize(s), SQLITE_OK);
	return value;
}

static bool
refuses(struct db *db, const char *text)
{
	return sqlite3_exec(db->conn, text, NULL, NULL, NULL) != SQLITE_OK;
}

static void
safety_settings_are_really_on(void **state)
{
	static const struct {
		int option, want;
	} rows[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
		{ SQLITE_DBCONFIG_DQS_DML, 0 },
	};
	struct fixture *f = *state;
	struct db db;

	assert_true(db_open(&db, f->dir, false, false, &f->err));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int is = -1;

		assert_int_equal(sqlite3_db_config(db.conn, rows[i].option, -1, &is), SQLITE_OK);
		assert_int_equal(is, rows[i].want);
	}
	assert_int_equal(pragma(&db, "PRAGMA cell_size_check"), 1);
	assert_int_equal(pragma(&db, "PRAGMA mmap_size"), 0);
	assert_int_equal(pragma(&db, "PRAGMA synchronous"), 2);
	assert_int_equal(pragma(&db, "PRAGMA application_id"), SCHEMA_APPLICATION_ID);
	assert_int_equal(pragma(&db, "SELECT (SELECT 1 FROM pragma_journal_mode WHERE"
				     " journal_mode = 'truncate')"),
	    1);
	assert_true(refuses(&db, "ATTACH ':memory:' AS other"));
	assert_true(refuses(&db, "SELECT load_extension('x')"));
	assert_true(refuses(&db, "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = ''"));
	db_close(&db);
}

static void
every_statement_is_accepted(void **state)
{
	struct fixture *f = *state;
	struct db db;

	assert_true(db_open(&db, NULL, false, true, &f->err));
	for (size_t i = 0; i < SQL__MAX; i++) {
		assert_non_null(sql_texts[i]);
		if (db_prepare(&db, (enum sql)i, &f->err) == NULL)
			fail_msg("%s: %s", sql_texts[i], f->err.message);
	}
	assert_int_equal(pragma(&db, "SELECT schema FROM meta"), db_schema_version());
	db_close(&db);
}

static void
crash_while_the_file_is_made_leaves_none(void **state)
{
	struct fixture *f = *state;
	struct db db;
	int fd;

	/* What a death before the rename leaves behind. */
	fd = open(fixture_file(f, "flightdeck.db.new"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, "half", 4), 4);
	assert_int_equal(close(fd), 0);
	assert_true(db_open(&db, f->dir, false, false, &f->err));
	assert_int_equal(pragma(&db, "SELECT count(*) FROM object"), 0);
	db_close(&db);
	assert_int_not_equal(access(fixture_file(f, "flightdeck.db.new"), F_OK), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(safety_settings_are_really_on),
		T(every_statement_is_accepted),
		T(crash_while_the_file_is_made_leaves_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
