#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <sqlite3.h>

#include "tests/unit/backend/store/fixture.h"

static void
sql(struct fixture *f, const char *text)
{
	sqlite3 *db = NULL;
	char *message = NULL;

	assert_int_equal(sqlite3_open(fixture_file(f, "flightdeck.db"), &db), SQLITE_OK);
	if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK)
		fail_msg("%s: %s", text, message);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void
writes_are_listed_newest_first(void **state)
{
	struct fixture *f = *state;
	struct audit_row *rows;
	size_t n;

	fixture_open(f);
	assert_true(embedded_audit(f->st, f->a, 10, &rows, &n, &f->err));
	assert_int_equal(n, 0);
	assert_true(fixture_add(f, "one"));
	clock_advance(f->clock, 1000);
	assert_true(fixture_add(f, "two"));
	assert_false(fixture_add(f, "two")); /* refused: not a write */
	assert_true(store_delete(f->st, resource_of(&external_kind), STR("ml"), STR("one"), NULL,
	    &fixture_actor, &f->err));
	assert_true(embedded_audit(f->st, f->a, 10, &rows, &n, &f->err));
	assert_int_equal(n, 3);
	assert_true(str_is(rows[0].verb, "delete") && str_is(rows[0].object, "External 'ml/one'"));
	assert_true(str_is(rows[1].verb, "create") && str_is(rows[1].object, "External 'ml/two'"));
	assert_true(str_is(rows[0].who, "ada") && str_is(rows[0].from, "tty1"));
	assert_int_equal(rows[1].at_ms, INT64_C(1764500001000));
	assert_true(str_starts(rows[1].result, STR("version=3 is=")));
	assert_true(embedded_audit(f->st, f->a, 1, &rows, &n, &f->err));
	assert_int_equal(n, 1);
	assert_true(embedded_audit_verify(f->st, &f->err));
}

static void
controllers_own_notes_are_left_out(void **state)
{
	static const struct actor controller = {
		.manager = "flightdeck-controller", .user = "", .from = ""
	};
	struct fixture *f = *state;
	const struct resource *res = resource_of(&aks_cluster_kind);
	struct node *n = node_map(f->a);
	struct audit_row *rows;
	size_t count;

	fixture_open(f);
	node_set_strz(f->a, n, "apiVersion", "infrastructure.modelplane.ai/v1alpha1");
	node_set_strz(f->a, n, "kind", "AKSCluster");
	node_set_strz(f->a, node_make_path(f->a, n, "metadata"), "name", "c");
	assert_true(store_create(f->st, res, n, &controller, NULL, &f->err));
	node_set_strz(f->a, node_make_path(f->a, n, "status.cache"), "storageClassName", "s");
	assert_true(store_update(f->st, res, n, UPDATE_STATUS, &controller, NULL, &f->err));
	assert_true(embedded_audit(f->st, f->a, 10, &rows, &count, &f->err));
	assert_int_equal(count, 1);
	assert_true(str_is(rows[0].verb, "create") && str_is(rows[0].who, "flightdeck-controller"));
	node_set_strz(f->a, node_make_path(f->a, n, "status.cache"), "storageClassName", "t");
	assert_true(store_update(f->st, res, n, UPDATE_STATUS, &fixture_actor, NULL, &f->err));
	assert_true(embedded_audit(f->st, f->a, 10, &rows, &count, &f->err));
	assert_int_equal(count, 2);
}

static void
each_way_to_forge_is_found(void **state)
{
	static const struct {
		const char *sql, *message;
	} rows[] = {
		{ "UPDATE audit SET who = 'eve' WHERE seq = 2", "row 2 does not fit" },
		{ "UPDATE audit SET at_ms = at_ms + 1 WHERE seq = 3", "row 3 does not fit" },
		{ "DELETE FROM audit WHERE seq = 2", "row 2 is missing" },
		{ "DELETE FROM audit WHERE seq = 1", "row 1 is missing" },
		{ "DELETE FROM audit WHERE seq = 4", "row 4 and later ones are missing" },
		{ "DELETE FROM audit WHERE seq = 4; UPDATE meta SET audit_seq = 3",
		    "row 3 has a signature" },
		{ "DELETE FROM audit", "row 1 and later ones are missing" },
		{ "UPDATE audit SET seq = 9 WHERE seq = 2; UPDATE audit SET seq = 2 WHERE seq = 3;"
		  "UPDATE audit SET seq = 3 WHERE seq = 9",
		    "row 2 does not fit" },
		{ "UPDATE audit SET hash = x'00' WHERE seq = 1", "row 1 does not fit" },
	};
	struct fixture *f = *state;

	fixture_seal(f);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		static const char *const names[] = { "flightdeck.db", "flightdeck.db-journal" };

		fixture_open(f);
		for (int k = 0; k < 4; k++) {
			char name[8];

			(void)snprintf(name, sizeof name, "n%d", k);
			assert_true(fixture_add(f, name));
		}
		assert_true(embedded_audit_verify(f->st, &f->err));
		fixture_close(f);
		sql(f, rows[i].sql);
		fixture_open(f);
		assert_false(embedded_audit_verify(f->st, &f->err));
		assert_int_equal(f->err.code, ERR_CORRUPT);
		if (strstr(f->err.message, rows[i].message) == NULL)
			fail_msg("%s: %s", rows[i].sql, f->err.message);
		fixture_close(f);
		for (size_t k = 0; k < ARRAY_LEN(names); k++)
			assert_int_equal(unlink(fixture_file(f, names[k])), 0);
	}
}

static void
chain_goes_on_after_a_restart(void **state)
{
	struct fixture *f = *state;

	fixture_seal(f);
	fixture_open(f);
	assert_true(fixture_add(f, "one"));
	fixture_close(f);
	fixture_open(f);
	assert_true(fixture_add(f, "two"));
	assert_true(embedded_audit_verify(f->st, &f->err));
}

static void
secret_leaves_no_hash(void **state)
{
	struct fixture *f = *state;
	struct node *n = node_map(f->a);
	struct audit_row *rows;
	size_t count;

	fixture_open(f);
	node_set_strz(f->a, n, "apiVersion", "v1");
	node_set_strz(f->a, n, "kind", "Secret");
	node_set_strz(f->a, node_make_path(f->a, n, "metadata"), "name", "s");
	assert_true(
	    store_create(f->st, resource_of(&secret_kind), n, &fixture_actor, NULL, &f->err));
	assert_true(embedded_audit(f->st, f->a, 10, &rows, &count, &f->err));
	assert_int_equal(count, 1);
	assert_true(str_is(rows[0].result, "version=2"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(writes_are_listed_newest_first),
		T(controllers_own_notes_are_left_out),
		T(each_way_to_forge_is_found),
		T(chain_goes_on_after_a_restart),
		T(secret_leaves_no_hash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
