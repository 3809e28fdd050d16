#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <sqlite3.h>

#include "backend/store/object.h"
#include "tests/unit/backend/store/fixture.h"

static mode_t
mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

/* Runs SQL on the file behind the store's back. */
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
objects_epoch_and_installation_survive(void **state)
{
	struct fixture *f = *state;
	char installation[40];
	int64_t epoch;

	fixture_open(f);
	epoch = embedded_epoch(f->st);
	(void)snprintf(
	    installation, sizeof installation, STR_FMT, STR_ARG(embedded_installation(f->st)));
	assert_int_equal(strlen(installation), 32);
	assert_true(fixture_add(f, "one"));
	fixture_close(f);
	fixture_open(f);
	assert_int_equal(embedded_epoch(f->st), epoch + 1);
	assert_true(str_is(embedded_installation(f->st), installation));
	assert_true(fixture_has(f, "one"));
	assert_int_equal(mode_of(f->dir), 0700);
	assert_int_equal(mode_of(fixture_file(f, "flightdeck.db")), 0600);
	assert_int_equal(mode_of(fixture_file(f, "flightdeck.db-journal")), 0600);
	assert_int_equal(mode_of(fixture_file(f, "lock")), 0600);
	assert_int_not_equal(access(fixture_file(f, "flightdeck.db.new"), F_OK), 0);
}

static void
versions_go_on_after_a_restart(void **state)
{
	struct fixture *f = *state;
	struct object_list a = { 0 }, b = { 0 };

	fixture_open(f);
	assert_true(fixture_add(f, "one"));
	assert_true(store_list(f->st, resource_of(&external_kind), NULL, &a, &f->err));
	fixture_close(f);
	fixture_open(f);
	assert_true(fixture_add(f, "two"));
	assert_true(store_list(f->st, resource_of(&external_kind), NULL, &b, &f->err));
	assert_true(b.version > a.version);
	assert_true(b.items[1]->version > a.items[0]->version);
	object_list_fini(&a);
	object_list_fini(&b);
}

static void
newer_format_is_refused_and_untouched(void **state)
{
	struct fixture *f = *state;

	fixture_open(f);
	fixture_close(f);
	sql(f, "UPDATE meta SET schema = 99");
	assert_false(fixture_try(f, false));
	assert_int_equal(f->err.code, ERR_REFUSED);
	assert_non_null(strstr(f->err.message, "written by a newer flightdeck (format 99"));
	assert_non_null(strstr(error_advice(&f->err), "install the newer version"));
	sql(f, "UPDATE meta SET schema = 2");
	fixture_open(f);
}

static void
older_format_is_brought_up(void **state)
{
	struct fixture *f = *state;

	fixture_open(f);
	assert_true(fixture_add(f, "one"));
	fixture_close(f);
	sql(f, "DROP TABLE audit; ALTER TABLE meta DROP COLUMN audit_seq;"
	       "ALTER TABLE meta DROP COLUMN audit_mac; UPDATE meta SET schema = 1");
	fixture_open(f);
	assert_true(fixture_has(f, "one"));
	assert_true(fixture_add(f, "two"));
	assert_true(embedded_audit_verify(f->st, &f->err));
	fixture_close(f);
	fixture_open(f);
	assert_int_equal(fixture_count(f), 2);
}

static void
database_of_another_program_is_refused(void **state)
{
	struct fixture *f = *state;

	sql(f, "CREATE TABLE bookmarks(url TEXT)");
	assert_false(fixture_try(f, false));
	assert_int_equal(f->err.code, ERR_REFUSED);
	assert_non_null(strstr(f->err.message, "is a database of another program"));
}

/* Whatever happened to the file: it is named, there is a remedy, and nothing is made anew. */
static void
refused_as_damaged(struct fixture *f)
{
	struct stat before, after;

	assert_int_equal(stat(fixture_file(f, "flightdeck.db"), &before), 0);
	assert_false(fixture_try(f, false));
	assert_int_equal(f->err.code, ERR_CORRUPT);
	assert_non_null(strstr(f->err.message, fixture_file(f, "flightdeck.db")));
	assert_non_null(strstr(error_advice(&f->err), "backup"));
	assert_int_equal(stat(fixture_file(f, "flightdeck.db"), &after), 0);
	assert_int_equal(after.st_size, before.st_size);
	assert_int_equal(after.st_ino, before.st_ino);
}

static void
fill(struct fixture *f, int n)
{
	char name[32];

	for (int i = 0; i < n; i++) {
		(void)snprintf(name, sizeof name, "object-%05d", i);
		assert_true(fixture_add(f, name));
	}
}

static void
empty_or_cut_file_is_damage_not_a_new_store(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	fixture_open(f);
	fill(f, 50);
	fixture_close(f);
	assert_int_equal(stat(fixture_file(f, "flightdeck.db"), &st), 0);
	assert_int_equal(
	    truncate(fixture_file(f, "flightdeck.db"), st.st_size / 2 / 4096 * 4096), 0);
	refused_as_damaged(f);
	assert_int_equal(truncate(fixture_file(f, "flightdeck.db"), 100), 0);
	refused_as_damaged(f);
	assert_int_equal(truncate(fixture_file(f, "flightdeck.db"), 0), 0);
	refused_as_damaged(f);
}

static void
flipped_bytes_are_found_or_harmless(void **state)
{
	struct fixture *f = *state;
	unsigned found = 0, tried = 0;
	struct stat st;
	int fd;

	fixture_open(f);
	fill(f, 60);
	fixture_close(f);
	assert_int_equal(stat(fixture_file(f, "flightdeck.db"), &st), 0);
	for (off_t at = 0; at < st.st_size; at += 1021, tried++) {
		char byte, flipped;

		fd = open(fixture_file(f, "flightdeck.db"), O_RDWR | O_CLOEXEC);
		assert_int_equal(pread(fd, &byte, 1, at), 1);
		flipped = (char)(byte ^ 0x55);
		assert_int_equal(pwrite(fd, &flipped, 1, at), 1);
		assert_int_equal(close(fd), 0);
		if (!fixture_try(f, true)) {
			assert_true(f->err.code == ERR_CORRUPT || f->err.code == ERR_REFUSED);
			assert_non_null(strstr(f->err.message, "flightdeck.db"));
			found++;
		} else {
			struct object_list l = { 0 };

			/* In a row's text: it reads as damage, or as another text, never as a
			 * crash. */
			if (!store_list(f->st, resource_of(&external_kind), NULL, &l, &f->err))
				assert_int_equal(f->err.code, ERR_CORRUPT);
			object_list_fini(&l);
			fixture_close(f);
		}
		fd = open(fixture_file(f, "flightdeck.db"), O_RDWR | O_CLOEXEC);
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		assert_int_equal(close(fd), 0);
	}
	assert_true(tried > 20 && found > 0);
	fixture_open(f);
	assert_int_equal(fixture_count(f), 60);
}

static void
links_and_foreign_files_are_refused(void **state)
{
	struct fixture *f = *state;
	char other[TEMPDIR_MAX + 64];

	fixture_open(f);
	fixture_close(f);
	(void)snprintf(other, sizeof other, "%s/other", f->dir);
	assert_int_equal(link(fixture_file(f, "flightdeck.db"), other), 0);
	assert_false(fixture_try(f, false));
	assert_int_equal(f->err.code, ERR_REFUSED);
	assert_int_equal(unlink(fixture_file(f, "flightdeck.db")), 0);
	assert_int_equal(symlink("other", fixture_file(f, "flightdeck.db")), 0);
	assert_false(fixture_try(f, false));
	assert_int_equal(f->err.code, ERR_REFUSED);
	assert_int_equal(unlink(fixture_file(f, "flightdeck.db")), 0);
	assert_int_equal(rename(other, fixture_file(f, "flightdeck.db")), 0);
	if (geteuid() == 0) {
		assert_int_equal(chown(fixture_file(f, "flightdeck.db"), 12345, 12345), 0);
		assert_false(fixture_try(f, false));
		assert_int_equal(f->err.code, ERR_REFUSED);
		assert_non_null(strstr(f->err.message, "belongs to user 12345"));
		assert_int_equal(chown(fixture_file(f, "flightdeck.db"), 0, 0), 0);
	}
	fixture_open(f);
}

static void
reader_looks_beside_the_owner_and_writes_nothing(void **state)
{
	struct fixture *f = *state;
	struct store *owner;
	struct watch *w;

	assert_false(fixture_try(f, true));
	assert_int_equal(f->err.code, ERR_NOT_FOUND);
	fixture_open(f);
	owner = f->st;
	assert_true(fixture_add(f, "one"));
	if (!fixture_try(f, true))
		fail_msg("%s", f->err.message);
	assert_true(fixture_has(f, "one"));
	assert_int_equal(fixture_count(f), 1);
	assert_false(fixture_add(f, "two"));
	assert_int_equal(f->err.code, ERR_READ_ONLY);
	assert_false(store_watch(f->st, NULL, NULL, 0, &w, &f->err));
	assert_int_equal(f->err.code, ERR_READ_ONLY);
	assert_true(store_create(owner, resource_of(&external_kind), fixture_external(f, "later"),
	    &fixture_actor, NULL, &f->err));
	assert_true(fixture_has(f, "later"));
	store_close(owner);
}

static void
old_epoch_writes_nothing(void **state)
{
	struct fixture *f = *state;

	fixture_open(f);
	assert_true(fixture_add(f, "one"));
	sql(f, "UPDATE meta SET epoch = epoch + 1"); /* as somebody who took the profile over */
	assert_false(fixture_add(f, "two"));
	assert_int_equal(f->err.code, ERR_REFUSED);
	assert_string_equal(error_reason(&f->err), "Fenced");
	assert_int_equal(fixture_count(f), 1);
}

static void
secrets_never_reach_the_disk_in_plain(void **state)
{
	static const char canary[] = "Y2FuYXJ5LTQ4MTUxNjIzNDI="; /* in base64, as data holds it */
	struct fixture *f = *state;
	const struct resource *res = resource_of(&secret_kind);
	struct node *n = node_map(f->a);
	const struct object *o = NULL;
	static const char *const files[] = { "flightdeck.db", "flightdeck.db-journal" };

	fixture_seal(f);
	fixture_open(f);
	node_set_strz(f->a, n, "apiVersion", "v1");
	node_set_strz(f->a, n, "kind", "Secret");
	node_set_strz(f->a, node_make_path(f->a, n, "metadata"), "name", "s");
	node_set_strz(f->a, node_find(n, "metadata"), "namespace", "ml");
	node_set_strz(f->a, node_make_path(f->a, n, "data"), "token", canary);
	assert_true(store_create(f->st, res, n, &fixture_actor, &o, &f->err));
	assert_true(str_find(o->json, str_from(canary)) > 0);
	object_unref(o);
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		static char bytes[1024 * 1024];
		int fd = open(fixture_file(f, files[i]), O_RDONLY | O_CLOEXEC);
		ssize_t len = read(fd, bytes, sizeof bytes);

		assert_true(len >= 0);
		assert_true(str_find((struct str){ bytes, (size_t)len }, str_from(canary)) < 0);
		assert_true(
		    str_find((struct str){ bytes, (size_t)len }, STR("canary-4815162342")) < 0);
		assert_int_equal(close(fd), 0);
	}
	fixture_close(f);
	fixture_open(f);
	assert_true(store_get(f->st, res, STR("ml"), STR("s"), &o, &f->err));
	assert_true(str_find(o->json, str_from(canary)) > 0);
	object_unref(o);
}

/* The second secret gets the sealed value of the first; the third an old one of its own. */
static void
swapped_or_rolled_back_secrets_are_found(void **state)
{
	struct fixture *f = *state;
	const struct resource *res = resource_of(&secret_kind);
	const struct object *o = NULL;

	fixture_seal(f);
	fixture_open(f);
	for (int i = 0; i < 2; i++) {
		struct node *n = node_map(f->a);

		node_set_strz(f->a, n, "apiVersion", "v1");
		node_set_strz(f->a, n, "kind", "Secret");
		node_set_strz(
		    f->a, node_make_path(f->a, n, "metadata"), "name", i == 0 ? "a" : "b");
		node_set_strz(f->a, node_make_path(f->a, n, "data"), "k", i == 0 ? "YQ==" : "Yg==");
		assert_true(store_create(f->st, res, n, &fixture_actor, NULL, &f->err));
	}
	fixture_close(f);
	sql(f,
	    "UPDATE object SET json = (SELECT json FROM object WHERE name = 'a') WHERE name = 'b'");
	fixture_open(f);
	assert_true(store_get(f->st, res, STR("default"), STR("a"), &o, &f->err));
	object_unref(o);
	o = NULL;
	assert_false(store_get(f->st, res, STR("default"), STR("b"), &o, &f->err));
	assert_int_equal(f->err.code, ERR_CORRUPT);
	assert_non_null(strstr(f->err.message, "Secret 'default/b'"));
	fixture_close(f);
	sql(f, "UPDATE object SET version = version + 1 WHERE name = 'a'");
	fixture_open(f);
	assert_false(store_get(f->st, res, STR("default"), STR("a"), &o, &f->err));
	assert_int_equal(f->err.code, ERR_CORRUPT);
	fixture_close(f);
	sql(f, "UPDATE object SET json = json_set(json, '$.data', json('{\"k\":\"YQ==\"}'))");
	fixture_open(f);
	assert_false(store_get(f->st, res, STR("default"), STR("a"), &o, &f->err)); /* not sealed */
	assert_int_equal(f->err.code, ERR_CORRUPT);
	assert_null(o);
}

static void
kinds_of_kubernetes_alone_are_interned_and_kept(void **state)
{
	struct fixture *f = *state;
	struct embedded_options opt = {
		.dir = f->dir, .clock = f->clock, .accept_any_kind = true, .fast = true
	};
	const struct resource *jobs, *all[8];
	const struct object *o = NULL;
	struct node *n = node_map(f->a);

	assert_true(embedded_open(&opt, &f->st, &f->err));
	jobs = embedded_intern(f->st, "batch", "v1", "Job", "jobs", true);
	assert_ptr_equal(jobs, embedded_intern(f->st, "batch", "v1", "Job", "jobs", true));
	assert_ptr_equal(
	    embedded_intern(f->st, "", "v1", "Secret", "secrets", true), resource_of(&secret_kind));
	node_set_strz(f->a, n, "apiVersion", "batch/v1");
	node_set_strz(f->a, n, "kind", "Job");
	node_set_strz(f->a, node_make_path(f->a, n, "metadata"), "name", "install");
	node_set_int(f->a, node_make_path(f->a, n, "status"), "active", 1);
	assert_true(store_create(f->st, jobs, n, &fixture_actor, &o, &f->err));
	assert_true(str_find(o->json, STR("\"active\":1")) > 0);
	object_unref(o);
	fixture_close(f);

	assert_true(embedded_open(&opt, &f->st, &f->err));
	jobs = embedded_resource(f->st, STR("batch"), STR("v1"), STR("jobs"));
	assert_non_null(jobs);
	assert_string_equal(jobs->kind, "Job");
	assert_true(jobs->namespaced);
	assert_int_equal(embedded_resources(f->st, all, 8), 1);
	assert_true(store_get(f->st, jobs, STR("default"), STR("install"), &o, &f->err));
	object_unref(o);
	assert_null(embedded_resource(f->st, STR("batch"), STR("v1"), STR("cronjobs")));
	assert_ptr_equal(
	    embedded_resource(f->st, STR("flightdeck.dev"), STR("v1alpha1"), STR("externals")),
	    resource_of(&external_kind));
	fixture_close(f);

	opt.accept_any_kind = false;
	assert_true(embedded_open(&opt, &f->st, &f->err));
	assert_false(store_create(f->st, &(struct resource){ "x.io", "v1", "Y", "ys", true, NULL },
	    n, &fixture_actor, NULL, &f->err));
	assert_int_equal(f->err.code, ERR_INVALID);
}

static void
wrong_names_and_kinds_are_refused(void **state)
{
	static const char *const names[] = { "a/b", "..", ".", "a%2f", "a b", "a\n", "" };
	struct fixture *f = *state;
	struct node *n;

	fixture_open(f);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		assert_false(fixture_add(f, names[i]));
		assert_int_equal(f->err.code, ERR_INVALID);
	}
	n = fixture_external(f, "x");
	node_set_strz(f->a, n, "kind", "Externals");
	assert_false(
	    store_create(f->st, resource_of(&external_kind), n, &fixture_actor, NULL, &f->err));
	assert_int_equal(f->err.code, ERR_INVALID);
	n = fixture_external(f, "x");
	node_set_strz(f->a, n, "apiVersion", "flightdeck.dev/v1");
	assert_false(
	    store_create(f->st, resource_of(&external_kind), n, &fixture_actor, NULL, &f->err));
	assert_int_equal(f->err.code, ERR_INVALID);
	assert_int_equal(fixture_count(f), 0);
}

static void
object_has_a_largest_size(void **state)
{
	struct fixture *f = *state;
	size_t most = 3 * 512 * 1024;
	char *big = mem_new(most + 1);
	struct node *n = fixture_external(f, "big");

	fixture_open(f);
	memset(big, 'x', most);
	node_set_strz(f->a, node_find(n, "spec"), "detail", big);
	assert_false(
	    store_create(f->st, resource_of(&external_kind), n, &fixture_actor, NULL, &f->err));
	assert_int_equal(f->err.code, ERR_TOO_LARGE);
	big[most - 1000] = '\0';
	node_set_strz(f->a, node_find(n, "spec"), "detail", big);
	assert_true(
	    store_create(f->st, resource_of(&external_kind), n, &fixture_actor, NULL, &f->err));
	mem_free(big);
	assert_int_equal(fixture_count(f), 1);
}

static void
generated_names_differ(void **state)
{
	struct fixture *f = *state;
	const struct object *a = NULL, *b = NULL;
	struct node *n = fixture_external(f, "x");

	fixture_open(f);
	(void)node_remove(node_find(n, "metadata"), STR("name"));
	node_set_strz(f->a, node_find(n, "metadata"), "generateName", "pool-");
	assert_true(
	    store_create(f->st, resource_of(&external_kind), n, &fixture_actor, &a, &f->err));
	assert_true(
	    store_create(f->st, resource_of(&external_kind), n, &fixture_actor, &b, &f->err));
	assert_int_equal(a->name.n, 10);
	assert_true(str_starts(a->name, STR("pool-")));
	assert_false(str_eq(a->name, b->name));
	object_unref(a);
	object_unref(b);
}

static void
namespace_that_is_going_takes_nothing_new(void **state)
{
	struct fixture *f = *state;
	const struct resource *res;
	struct node *n = node_map(f->a), *list = node_list(f->a);

	fixture_open(f);
	res = embedded_resource(f->st, STR(""), STR("v1"), STR("namespaces"));
	node_set_strz(f->a, n, "apiVersion", "v1");
	node_set_strz(f->a, n, "kind", "Namespace");
	node_set_strz(f->a, node_make_path(f->a, n, "metadata"), "name", "ml");
	node_push(list, node_strz(f->a, "test/hold"));
	node_set(f->a, node_find(n, "metadata"), "finalizers", list);
	assert_true(store_create(f->st, res, n, &fixture_actor, NULL, &f->err));
	assert_true(fixture_add(f, "before"));
	assert_true(store_delete(f->st, res, STR(""), STR("ml"), NULL, &fixture_actor, &f->err));
	assert_false(fixture_add(f, "after"));
	assert_int_equal(f->err.code, ERR_FORBIDDEN);
	assert_string_equal(error_reason(&f->err), "NamespaceTerminating");
	/* What is there can still be deleted. */
	assert_true(store_delete(f->st, resource_of(&external_kind), STR("ml"), STR("before"), NULL,
	    &fixture_actor, &f->err));
}

static void
late_dependent_of_a_gone_owner_is_collected(void **state)
{
	struct fixture *f = *state;
	struct node *n = fixture_external(f, "late"), *refs = node_list(f->a),
		    *ref = node_map(f->a);
	size_t changed = 0;

	fixture_open(f);
	node_set_strz(f->a, ref, "kind", "AKSCluster");
	node_set_strz(f->a, ref, "name", "gone");
	node_set_strz(f->a, ref, "uid", "11111111-2222-4333-8444-555555555555");
	node_push(refs, ref);
	node_set(f->a, node_find(n, "metadata"), "ownerReferences", refs);
	assert_true(
	    store_create(f->st, resource_of(&external_kind), n, &fixture_actor, NULL, &f->err));
	assert_true(fixture_add(f, "free"));
	assert_true(embedded_collect(f->st, &changed, &f->err));
	assert_int_equal(changed, 1);
	assert_false(fixture_has(f, "late"));
	assert_true(fixture_has(f, "free"));
	assert_true(embedded_collect(f->st, &changed, &f->err));
	assert_int_equal(changed, 0);
}

static void
backup_is_a_whole_store(void **state)
{
	struct fixture *f = *state;
	struct embedded_options opt = { .clock = f->clock };
	char dir[TEMPDIR_MAX], path[TEMPDIR_MAX + 32];
	struct store *copy = NULL;
	struct object_list l = { 0 };

	fixture_open(f);
	fill(f, 20);
	tempdir_make(dir);
	(void)snprintf(path, sizeof path, "%s/flightdeck.db", dir);
	assert_true(embedded_backup(f->st, path, &f->err));
	assert_false(embedded_backup(f->st, "/nonexistent/x", &f->err));
	assert_int_equal(f->err.code, ERR_IO);
	opt.dir = dir;
	assert_true(embedded_open(&opt, &copy, &f->err));
	assert_true(store_list(copy, resource_of(&external_kind), NULL, &l, &f->err));
	assert_int_equal(l.n, 20);
	object_list_fini(&l);
	store_close(copy);
	tempdir_remove(dir);
}

static void
damaged_row_is_named(void **state)
{
	struct fixture *f = *state;
	const struct object *o = NULL;
	struct node *n;

	fixture_open(f);
	assert_true(fixture_add(f, "one"));
	fixture_close(f);
	sql(f, "UPDATE object SET json = '{broken'");
	fixture_open(f);
	assert_true(
	    store_get(f->st, resource_of(&external_kind), STR("ml"), STR("one"), &o, &f->err));
	assert_false(object_node(o, f->a, &n, &f->err));
	assert_non_null(strstr(f->err.message, "External 'ml/one'"));
	object_unref(o);
	assert_false(store_delete(f->st, resource_of(&external_kind), STR("ml"), STR("one"), NULL,
	    &fixture_actor, &f->err));
	assert_true(fixture_add(f, "two")); /* the rest goes on */
}

static void
ten_thousand_are_listed_page_by_page(void **state)
{
	struct fixture *f = *state;
	struct embedded_options opt = { .clock = f->clock, .fast = true };
	struct list_options page = { .limit = 50 };
	struct object_list l = { 0 };
	struct clock *real = clock_new(1, 0);
	int64_t start, first;

	assert_true(embedded_open(&opt, &f->st, &f->err));
	for (int i = 0; i < 10000; i++) {
		char name[32];

		(void)snprintf(name, sizeof name, "object-%05d", i);
		assert_true(fixture_add(f, name));
	}
	start = clock_mono_ms(real);
	assert_true(store_list(f->st, resource_of(&external_kind), &page, &l, &f->err));
	first = clock_mono_ms(real) - start;
	assert_int_equal(l.n, 50);
	assert_non_null(l.next);
	object_list_fini(&l);
	assert_in_range(first, 0, 50); /* a few rows are read, not ten thousand */
	assert_int_equal(fixture_count(f), 10000);
	clock_free(real);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(objects_epoch_and_installation_survive),
		T(versions_go_on_after_a_restart),
		T(newer_format_is_refused_and_untouched),
		T(older_format_is_brought_up),
		T(database_of_another_program_is_refused),
		T(empty_or_cut_file_is_damage_not_a_new_store),
		T(flipped_bytes_are_found_or_harmless),
		T(links_and_foreign_files_are_refused),
		T(reader_looks_beside_the_owner_and_writes_nothing),
		T(old_epoch_writes_nothing),
		T(secrets_never_reach_the_disk_in_plain),
		T(swapped_or_rolled_back_secrets_are_found),
		T(kinds_of_kubernetes_alone_are_interned_and_kept),
		T(wrong_names_and_kinds_are_refused),
		T(object_has_a_largest_size),
		T(generated_names_differ),
		T(namespace_that_is_going_takes_nothing_new),
		T(late_dependent_of_a_gone_owner_is_collected),
		T(backup_is_a_whole_store),
		T(damaged_row_is_named),
		T(ten_thousand_are_listed_page_by_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
