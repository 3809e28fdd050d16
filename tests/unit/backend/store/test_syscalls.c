/*
 * The store under a disk that fails: each of its system calls in turn gives EIO or ENOSPC, or is
 * the one at which the process dies. The program runs itself under strace for that; without strace
 * the test is skipped. What was acknowledged must be there afterwards, with a whole audit trail,
 * and a process that lived on must have been able to write again.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <spawn.h>
#include <sys/wait.h>

#include "tests/unit/backend/store/fixture.h"

enum { WRITES = 5, CHILD_REFUSED = 3, CHILD_ARGS = 3 };

static char self[512]; /* path of this program */

/* In the child: writes, and appends the name of each write that was acknowledged. */
static int
child(const char *dir, const char *acks)
{
	struct fixture f = { 0 };
	int refused = 0;
	int fd;

	(void)snprintf(f.dir, sizeof f.dir, "%s", dir);
	f.clock = clock_new(1, 0);
	f.a = arena_new((size_t)16 * 1024 * 1024);
	fd = open(acks, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0 || !secret_box_open(dir, &f.box, &f.err) || !fixture_try(&f, false))
		return CHILD_REFUSED;
	for (int i = 0; i < WRITES; i++) {
		char line[32];
		int n = snprintf(line, sizeof line, "w%d", i);

		if (!fixture_add(&f, line)) {
			refused++;
			continue;
		}
		line[n] = '\n';
		if (write(fd, line, (size_t)n + 1) != n + 1)
			return 2;
	}
	store_close(f.st);
	/* One failure is one refused write at most: the store has found its feet again. */
	return refused <= 1 ? 0 : 2;
}

static bool
have_strace(void)
{
	return access("/usr/bin/strace", X_OK) == 0;
}

static int
run(const char *const *argv)
{
	union {
		const char *const *shared;
		char *const *wanted;
	} args = { .shared = argv }; /* posix_spawn changes nothing of it */
	char no_leak_check[] = "ASAN_OPTIONS=detect_leaks=0"; /* it cannot work under strace */
	char *const env[] = { no_leak_check, NULL };
	int status = -1;
	pid_t pid;

	if (posix_spawn(&pid, argv[0], NULL, NULL, args.wanted, env) != 0)
		return -1;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* Every acknowledged name is in the store. */
static size_t
check(struct fixture *f, const char *acks)
{
	char line[64];
	size_t n = 0;
	FILE *file = fopen(acks, "r");

	fixture_seal(f);
	fixture_open(f);
	while (file != NULL && fgets(line, (int)sizeof line, file) != NULL) {
		char *name = str_dup(str_trim(str_from(line)));

		if (!fixture_has(f, name))
			fail_msg("'%s' was acknowledged and is lost: %s", name, f->err.message);
		mem_free(name);
		n++;
	}
	if (file != NULL)
		(void)fclose(file);
	if (!embedded_audit_verify(f->st, &f->err))
		fail_msg("%s", f->err.message);
	return n;
}

/* One life under strace, with the n-th of these calls injected; then what is left is looked at. */
static size_t
life(const char *call, const char *how, int n)
{
	char trace[64], inject[128], acks[TEMPDIR_MAX + 8];
	void *world = NULL;
	struct fixture *f;
	size_t told;
	int status;

	assert_int_equal(fixture_setup(&world), 0);
	f = world;
	(void)snprintf(acks, sizeof acks, "%s/acks", f->dir);
	(void)snprintf(trace, sizeof trace, "trace=%s", call);
	(void)snprintf(inject, sizeof inject, "inject=%s:%s:when=%d", call, how, n);
	status = run((const char *const[]){ "/usr/bin/strace", "-f", "-o", "/dev/null", "-e", trace,
	    "-e", inject, self, "child", f->dir, acks, NULL });
	if (WIFEXITED(status) && WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != CHILD_REFUSED)
		fail_msg("%s: exit %d", inject, WEXITSTATUS(status));
	told = check(f, acks);
	assert_int_equal(fixture_teardown(&world), 0);
	return told;
}

static void
each_failing_call_loses_nothing(void **state UNUSED)
{
	static const struct {
		const char *call;
		int last, step;
	} rows[] = {
		{ "fdatasync", 25, 3 },
		{ "fsync", 5, 1 },
		{ "pwrite64", 90, 13 },
		{ "ftruncate", 9, 2 },
		{ "rename", 1, 1 },
		{ "renameat2", 1, 1 },
	};
	static const char *const hows[] = { "error=EIO", "error=ENOSPC", "signal=KILL" };
	size_t told = 0;

	if (!have_strace())
		skip();
	for (size_t r = 0; r < ARRAY_LEN(rows); r++) {
		for (int n = 1; n <= rows[r].last; n += rows[r].step) {
			for (size_t h = 0; h < ARRAY_LEN(hows); h++)
				told += life(rows[r].call, hows[h], n);
		}
	}
	assert_true(told > 100);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_failing_call_loses_nothing) };
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	if (argc == CHILD_ARGS + 1 && strcmp(argv[1], "child") == 0)
		return child(argv[2], argv[CHILD_ARGS]);
	if (n <= 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
