#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "backend/runtime/failpoint.h"
#include "tests/unit/backend/store/fixture.h"

/* What a child has been told is done, one letter a write, over a pipe that outlives it. */
struct told {
	int fd[2];
};

static void
told_open(struct told *t)
{
	assert_int_equal(pipe2(t->fd, O_CLOEXEC), 0);
}

static int
told_count(struct told *t)
{
	char bytes[4096];
	ssize_t n;
	int total = 0;

	(void)close(t->fd[1]); /* the child is dead: what it wrote is all there is */
	while ((n = read(t->fd[0], bytes, sizeof bytes)) > 0)
		total += (int)n;
	(void)close(t->fd[0]);
	return total;
}

static int
status_of(pid_t pid)
{
	int status = 0;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static bool
file_is_whole(struct fixture *f)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *s = NULL;
	bool whole;

	assert_int_equal(sqlite3_open(fixture_file(f, "flightdeck.db"), &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &s, NULL), SQLITE_OK);
	whole = sqlite3_step(s) == SQLITE_ROW &&
		str_is(str_from((const char *)sqlite3_column_text(s, 0)), "ok");
	(void)sqlite3_finalize(s);
	(void)sqlite3_close(db);
	return whole;
}

#ifdef FLIGHTDECK_FAULTS

enum { WRITES = 6 };

/* In a child: open, write, say after each write that it is done, die where the failpoint says. */
static void
child_writes(struct fixture *f, const char *spec, int told_fd, int round)
{
	(void)setenv("FLIGHTDECK_FAILPOINT", spec, 1);
	failpoint_reset();
	f->st = NULL;
	if (!fixture_try(f, false))
		_exit(2);
	for (int i = 0; i < WRITES; i++) {
		char name[32];

		(void)snprintf(name, sizeof name, "r%03d-%d", round, i);
		if (!fixture_add(f, name))
			_exit(3);
		if (write(told_fd, "x", 1) != 1)
			_exit(4);
	}
	_exit(0);
}

static void
killed_at_each_step_of_each_commit_nothing_told_is_lost(void **state)
{
	static const char *const points[] = { "store/begin", "store/commit", "store/committed" };
	struct fixture *f = *state;
	char spec[64];
	int told = 0, round = 0;

	for (size_t p = 0; p < ARRAY_LEN(points); p++) {
		for (int hit = 1; hit <= WRITES; hit++, round++) {
			struct told t;
			size_t have;
			pid_t pid;

			(void)snprintf(spec, sizeof spec, "%s:%d:kill", points[p], hit);
			told_open(&t);
			pid = fork();
			if (pid == 0)
				child_writes(f, spec, t.fd[1], round);
			assert_true(WIFSIGNALED(status_of(pid)));
			told += told_count(&t);
			fixture_open(f); /* the lock went with the process */
			have = fixture_count(f);
			/* A write that was committed but not told of is there, and counts from now
			 * on. */
			assert_true(have >= (size_t)told && have <= (size_t)told + 1);
			assert_int_equal(have - (size_t)told, p == 2);
			told = (int)have;
			assert_true(embedded_audit_verify(f->st, &f->err));
			fixture_close(f);
			assert_true(file_is_whole(f));
		}
	}
}

static void
killed_at_any_time_nothing_told_is_lost(void **state)
{
	struct fixture *f = *state;
	int told = 0;

	for (int round = 0; round < 25; round++) {
		struct timespec pause = { .tv_nsec = round * 7919 % 1500 * 1000L };
		int before = round % 5 + 1;
		struct told t;
		char c;
		size_t have;
		pid_t pid;

		told_open(&t);
		pid = fork();
		if (pid == 0) {
			f->st = NULL;
			if (!fixture_try(f, false))
				_exit(2);
			for (int i = 0;; i++) {
				char name[32];

				(void)snprintf(name, sizeof name, "k%03d-%d", round, i);
				if (!fixture_add(f, name) || write(t.fd[1], "x", 1) != 1)
					_exit(3);
			}
		}
		for (int i = 0; i < before; i++, told++)
			assert_int_equal(read(t.fd[0], &c, 1), 1);
		(void)nanosleep(&pause, NULL); /* the moment of death, not a wait for anything */
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_true(WIFSIGNALED(status_of(pid)));
		told += told_count(&t);
		fixture_open(f);
		have = fixture_count(f);
		assert_true(have >= (size_t)told && have <= (size_t)told + 1);
		told = (int)have;
		fixture_close(f);
		assert_true(file_is_whole(f));
	}
	assert_true(told > 0);
}

static void
failure_before_the_commit_leaves_nothing(void **state)
{
	struct fixture *f = *state;

	fixture_open(f);
	assert_int_equal(
	    setenv("FLIGHTDECK_FAILPOINT", "store/commit:2:error,store/begin:4:error", 1), 0);
	failpoint_reset();
	assert_true(fixture_add(f, "one"));
	assert_false(fixture_add(f, "two"));
	assert_int_equal(f->err.code, ERR_IO);
	assert_true(fixture_add(f, "three"));
	assert_false(fixture_add(f, "four"));
	assert_int_equal(unsetenv("FLIGHTDECK_FAILPOINT"), 0);
	failpoint_reset();
	assert_false(fixture_has(f, "two"));
	assert_int_equal(fixture_count(f), 2);
	assert_true(fixture_add(f, "two"));
	assert_true(embedded_audit_verify(f->st, &f->err));
}

#endif

/* A disk that is full, played by the limit of a file's size: nothing can grow any more. */
static void
full_disk_refuses_and_recovers(void **state)
{
	struct fixture *f = *state;
	struct rlimit was, small;
	struct node *big = fixture_external(f, "big");
	static char text[400 * 1024];
	struct stat st;
	int written = 0;

	fixture_open(f);
	assert_true(fixture_add(f, "one"));
	memset(text, 'x', sizeof text - 1);
	node_set_strz(f->a, node_find(big, "spec"), "detail", text);
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	assert_int_equal(stat(fixture_file(f, "flightdeck.db"), &st), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	small = was;
	small.rlim_cur = (rlim_t)st.st_size + 64 * 1024;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (; written < 20; written++) {
		char name[16];

		(void)snprintf(name, sizeof name, "big-%d", written);
		node_set_strz(f->a, node_find(big, "metadata"), "name", name);
		if (!store_create(
			f->st, resource_of(&external_kind), big, &fixture_actor, NULL, &f->err))
			break;
	}
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	assert_true(written < 20);
	if (f->err.code != ERR_DISK_FULL)
		fail_msg("%s", f->err.message);
	assert_non_null(strstr(f->err.message, "flightdeck.db"));
	assert_int_equal(fixture_count(f), written + 1); /* reading goes on */
	assert_true(fixture_add(f, "after"));		 /* and writing, when there is room again */
	assert_int_equal(fixture_count(f), written + 2);
	fixture_close(f);
	assert_true(file_is_whole(f));
	fixture_open(f);
	assert_int_equal(fixture_count(f), written + 2);
}

static void
full_disk_at_the_first_start_leaves_no_half_store(void **state)
{
	struct fixture *f = *state;
	struct rlimit was, small;

	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	small = was;
	small.rlim_cur = 8 * 1024;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_false(fixture_try(f, false));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	if (f->err.code != ERR_DISK_FULL)
		fail_msg("%s", f->err.message);
	assert_int_not_equal(access(fixture_file(f, "flightdeck.db"), F_OK), 0);
	fixture_open(f);
	assert_true(fixture_add(f, "one"));
}

static void
file_that_another_program_holds_is_said_so(void **state)
{
	struct fixture *f = *state;
	sqlite3 *db = NULL;

	fixture_open(f);
	assert_true(fixture_add(f, "one"));
	fixture_close(f);
	assert_int_equal(sqlite3_open(fixture_file(f, "flightdeck.db"), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
	assert_false(fixture_try(f, false)); /* after the five seconds that a backup may take */
	assert_int_equal(f->err.code, ERR_STORE);
	assert_non_null(strstr(f->err.message, "another program holds"));
	assert_non_null(strstr(f->err.message, "flightdeck.db"));
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	fixture_open(f);
	assert_true(fixture_has(f, "one"));
}

enum { CROWD = 20 };

static void
one_of_twenty_becomes_the_owner(void **state)
{
	struct fixture *f = *state;
	pid_t pids[CROWD];
	int go[2], hold[2];
	int owners = 0, refused = 0;

	fixture_open(f);
	fixture_close(f);
	assert_int_equal(pipe2(go, O_CLOEXEC), 0);
	assert_int_equal(pipe2(hold, O_CLOEXEC), 0);
	for (int i = 0; i < CROWD; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			char c;

			(void)close(go[1]);
			(void)close(hold[1]);
			(void)!read(go[0], &c, 1); /* all start together, when the pipe closes */
			f->st = NULL;
			if (!fixture_try(f, false))
				_exit(f->err.code == ERR_REFUSED &&
					      strcmp(error_reason(&f->err), "Owned") == 0
					  ? 1
					  : 2);
			(void)!read(hold[0], &c, 1); /* the owner stays until all have tried */
			_exit(0);
		}
	}
	(void)close(go[0]);
	(void)close(hold[0]);
	(void)close(go[1]);
	for (int left = CROWD; left > 1; left--) {
		int status = 0;
		pid_t pid = waitpid(-1, &status, 0);

		assert_true(pid > 0 && WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 1);
		refused++;
	}
	(void)close(hold[1]);
	for (int i = 0; i < CROWD; i++) {
		int status = 0;

		if (waitpid(pids[i], &status, 0) == pids[i])
			owners += WIFEXITED(status) && WEXITSTATUS(status) == 0;
	}
	assert_int_equal(refused, CROWD - 1);
	assert_int_equal(owners, 1);
}

static void
holder_is_named_and_its_death_frees_the_lock(void **state)
{
	struct fixture *f = *state;
	char want[32];
	int ready[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		f->st = NULL;
		if (!fixture_try(f, false) || write(ready[1], "x", 1) != 1)
			_exit(2);
		for (;;)
			(void)pause();
	}
	assert_int_equal(read(ready[0], &c, 1), 1);
	assert_false(fixture_try(f, false));
	assert_int_equal(f->err.code, ERR_REFUSED);
	(void)snprintf(want, sizeof want, "pid=%d user=", (int)pid);
	assert_non_null(strstr(f->err.message, want));
	assert_non_null(strstr(f->err.message, " since=20"));
	assert_null(strstr(f->err.message, "stopped"));

	assert_int_equal(kill(pid, SIGSTOP), 0);
	assert_int_equal(waitpid(pid, NULL, WUNTRACED), pid);
	assert_false(fixture_try(f, false));
	assert_non_null(strstr(f->err.message, ", stopped"));
	assert_non_null(strstr(error_advice(&f->err), "kill -CONT"));

	assert_int_equal(kill(pid, SIGKILL), 0);
	(void)status_of(pid);
	fixture_open(f);
	(void)close(ready[0]);
	(void)close(ready[1]);
}

#ifdef FLIGHTDECK_FAULTS
/* Runs one operation with each of its allocations failing in turn. */
typedef bool probe(struct fixture *f, int round);

static void
torture(struct fixture *f, probe *run)
{
	for (long n = 0; n < 5000; n++) {
		long before = mem_live_blocks();
		struct arena *keep = f->a;
		bool ok, fired;

		f->a = arena_new((size_t)4 * 1024 * 1024);
		mem_fault_arm(n);
		f->err = (struct error){ 0 };
		ok = run(f, (int)n);
		fired = mem_fault_fired();
		mem_fault_arm(-1);
		arena_free(f->a);
		f->a = keep;
		if (!fired) {
			assert_true(ok);
			return;
		}
		if (ok || f->err.code != ERR_NO_MEMORY)
			fail_msg("allocation %ld: ok=%d %s", n, ok, f->err.message);
		/* The ring and the lists of the store may have grown; what one call took is back.
		 */
		assert_true(mem_live_blocks() <= before + 4);
	}
	fail_msg("it does not end");
}

static bool
probe_create(struct fixture *f, int round)
{
	struct node *n;
	char name[32];

	(void)snprintf(name, sizeof name, "t-%d", round);
	n = fixture_external(f, name);
	if (arena_failed(f->a))
		return error_set(&f->err, ERR_NO_MEMORY, "the test's own");
	return store_create(f->st, resource_of(&external_kind), n, &fixture_actor, NULL, &f->err);
}

static bool
probe_update(struct fixture *f, int round)
{
	const struct resource *res = resource_of(&external_kind);
	const struct object *o = NULL, *now = NULL;
	struct node *n = NULL;
	bool ok = false;

	if (!store_get(f->st, res, STR("ml"), STR("one"), &o, &f->err))
		return false;
	if (object_node(o, f->a, &n, &f->err)) {
		node_set_int(f->a, node_make_path(f->a, n, "spec"), "attempts", round);
		ok = arena_failed(f->a)
			 ? error_set(&f->err, ERR_NO_MEMORY, "the test's own")
			 : store_update(f->st, res, n, UPDATE_MAIN, &fixture_actor, &now, &f->err);
	}
	object_unref(now);
	object_unref(o);
	return ok;
}

static bool
probe_apply(struct fixture *f, int round)
{
	const struct resource *res = resource_of(&aks_cluster_kind);
	struct node *n = node_map(f->a);

	node_set_strz(f->a, n, "apiVersion", "infrastructure.modelplane.ai/v1alpha1");
	node_set_strz(f->a, n, "kind", "AKSCluster");
	node_set_strz(f->a, node_make_path(f->a, n, "metadata"), "name", "c");
	node_set_int(f->a, node_make_path(f->a, n, "spec.networking"), "x", round);
	if (arena_failed(f->a))
		return error_set(&f->err, ERR_NO_MEMORY, "the test's own");
	return store_apply(f->st, res, n, false, &fixture_actor, NULL, &f->err);
}

static bool
probe_secret(struct fixture *f, int round)
{
	const struct resource *res = resource_of(&secret_kind);
	struct node *n = node_map(f->a);
	const struct object *o = NULL;
	char name[32];
	bool ok;

	(void)snprintf(name, sizeof name, "s-%d", round);
	node_set_strz(f->a, n, "apiVersion", "v1");
	node_set_strz(f->a, n, "kind", "Secret");
	node_set_strz(f->a, node_make_path(f->a, n, "metadata"), "name", name);
	node_set_strz(f->a, node_make_path(f->a, n, "stringData"), "k", "v");
	if (arena_failed(f->a))
		return error_set(&f->err, ERR_NO_MEMORY, "the test's own");
	ok = store_create(f->st, res, n, &fixture_actor, NULL, &f->err) &&
	     store_get(f->st, res, STR("default"), str_from(name), &o, &f->err);
	object_unref(o);
	return ok;
}

static bool
probe_delete(struct fixture *f, int round UNUSED)
{
	return store_delete(f->st, resource_of(&external_kind), STR("ml"), STR("two"), NULL,
	    &fixture_actor, &f->err);
}

static bool
probe_list(struct fixture *f, int round UNUSED)
{
	struct list_options opt = {
		.limit = 2, .label_selector = STR("a!=b"), .field_selector = STR("spec.key!=x")
	};
	struct object_list l = { 0 };
	bool ok = store_list(f->st, resource_of(&external_kind), &opt, &l, &f->err);

	object_list_fini(&l);
	return ok;
}

static bool
probe_watch(struct fixture *f, int round UNUSED)
{
	struct watch *w = NULL;
	bool ok = store_watch(f->st, NULL, NULL, 0, &w, &f->err);

	watch_free(w);
	return ok;
}

static bool
probe_open(struct fixture *f, int round UNUSED)
{
	struct store *st = NULL;
	struct embedded_options opt = { .dir = f->dir, .clock = f->clock };
	bool ok = embedded_open(&opt, &st, &f->err);

	store_close(st);
	return ok;
}

static void
every_allocation_of_the_hot_paths_may_fail(void **state)
{
	struct fixture *f = *state;

	fixture_seal(f);
	fixture_open(f);
	assert_true(fixture_add(f, "one"));
	assert_true(fixture_add(f, "two"));
	assert_true(fixture_add(f, "three"));
	torture(f, probe_create);
	torture(f, probe_update);
	torture(f, probe_list);
	torture(f, probe_watch);
	torture(f, probe_apply);
	torture(f, probe_delete);
	torture(f, probe_secret);
	fixture_close(f);
	torture(f, probe_open);
	assert_true(file_is_whole(f));
	fixture_open(f);
	assert_int_equal(fixture_count(f), 3); /* two, and the one that did not fail */
}
#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef FLIGHTDECK_FAULTS
		T(killed_at_each_step_of_each_commit_nothing_told_is_lost),
		T(killed_at_any_time_nothing_told_is_lost),
		T(failure_before_the_commit_leaves_nothing),
		T(every_allocation_of_the_hot_paths_may_fail),
#endif
		T(full_disk_refuses_and_recovers),
		T(full_disk_at_the_first_start_leaves_no_half_store),
		T(file_that_another_program_holds_is_said_so),
		T(one_of_twenty_becomes_the_owner),
		T(holder_is_named_and_its_death_frees_the_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
