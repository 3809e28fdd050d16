#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "backend/store/gate.h"

static void
write_ahead_log_is_trusted_where_it_was_repaired(void **state UNUSED)
{
	static const struct {
		int version;
		bool sound;
	} rows[] = {
		{ 3006023, true },
		{ 3007000, false },
		{ 3040001, false },
		{ 3044005, false },
		{ 3044006, true },
		{ 3044007, true },
		{ 3045000, false },
		{ 3050006, false },
		{ 3050007, true },
		{ 3051000, false },
		{ 3051002, false },
		{ 3051003, true },
		{ 3052000, true },
		{ 3100000, true },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(gate_wal_is_sound(rows[i].version), rows[i].sound);
}

static void
one_connection_or_a_rollback_journal_is_always_allowed(void **state UNUSED)
{
	struct error err;

	assert_true(gate_check(3040001, JOURNAL_ROLLBACK, 1, &err));
	assert_true(gate_check(3040001, JOURNAL_ROLLBACK, 9, &err));
	assert_true(gate_check(3040001, JOURNAL_WAL, 1, &err));
	assert_false(gate_check(3040001, JOURNAL_WAL, 2, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	assert_string_equal(err.message,
	    "SQLite 3.40.1 can damage a write-ahead log that several connections share");
	assert_true(gate_check(3051003, JOURNAL_WAL, 2, &err));
	assert_false(gate_check(3036000, JOURNAL_ROLLBACK, 1, &err));
	assert_int_equal(err.code, ERR_REFUSED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(write_ahead_log_is_trusted_where_it_was_repaired),
		cmocka_unit_test(one_connection_or_a_rollback_journal_is_always_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
