#include "tui/cli/practice.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "model/json.h"

enum {
	PATH_LIMIT = 4096,
	READY_MAX = 1024 * 1024,
	READY_WAIT_MS = 30000,
	ANSWER_MAX = 64 * 1024 * 1024
};

char *
simulator_path(struct error *err)
{
	char self[PATH_LIMIT];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	struct text path = TEXT_INIT(PATH_LIMIT);
	char *slash;

	if (n <= 0) {
		(void)error_set(err, ERR_IO, "cannot tell where this program is");
		return NULL;
	}
	self[n] = '\0';
	slash = strrchr(self, '/');
	if (slash != NULL)
		*slash = '\0';
	text_printf(&path, "%s/flightdeck-sim", self);
	if (access(text_get(&path), X_OK) != 0) {
		(void)error_set(
		    err, ERR_NOT_FOUND, "the simulator '%s' is not there", text_get(&path));
		error_advise(err, "install flightdeck-sim beside flightdeck");
		text_free(&path);
		return NULL;
	}
	return text_take(&path);
}

/* Signals are blocked here; a child starts with none blocked and the default actions. */
static bool
spawn_clean(
    const char *path, char *const argv[], int fd_from, int fd_to, pid_t *ret_pid, struct error *err)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int rc;

	(void)sigemptyset(&none);
	(void)sigfillset(&all);
	if (posix_spawn_file_actions_init(&files) != 0)
		return error_set(err, ERR_NO_MEMORY, "no memory for a process");
	if (posix_spawnattr_init(&attr) != 0) {
		(void)posix_spawn_file_actions_destroy(&files);
		return error_set(err, ERR_NO_MEMORY, "no memory for a process");
	}
	(void)posix_spawnattr_setsigmask(&attr, &none);
	(void)posix_spawnattr_setsigdefault(&attr, &all);
	(void)posix_spawnattr_setflags(
	    &attr, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
	if (fd_from >= 0)
		(void)posix_spawn_file_actions_adddup2(&files, fd_from, fd_to);
	rc = posix_spawn(ret_pid, path, &files, &attr, argv, environ);
	(void)posix_spawn_file_actions_destroy(&files);
	(void)posix_spawnattr_destroy(&attr);
	if (rc != 0)
		return error_set(err, ERR_IO, "cannot start '%s': %s", path, strerrordesc_np(rc));
	return true;
}

/* Reads until a line feed (one_line) or the end; false on time-out or end without a line. */
static bool
read_pipe(int fd, bool one_line, int timeout_ms, struct text *out)
{
	char buf[4096];

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int rc = poll(&p, 1, timeout_ms);
		ssize_t n;

		if (rc < 0 && errno == EINTR)
			continue;
		if (rc <= 0)
			return false;
		n = read(fd, buf, sizeof buf);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return !one_line;
		text_add_str(out, (struct str){ buf, (size_t)n });
		if (one_line && memchr(buf, '\n', (size_t)n) != NULL)
			return true;
		if (out->too_long || out->no_memory)
			return false;
	}
}

bool
simulator_start(const struct simulator_options *opt, struct arena *a, struct simulator *ret,
    struct node **ret_endpoints, struct error *err)
{
	const struct practice_settings *settings = opt->settings;
	struct text line = TEXT_INIT(READY_MAX);
	char *path = simulator_path(err);
	char *speed = arena_printf(a, "%.6g", settings->speed);
	char *epoch = arena_printf(a, "%lld", (long long)settings->epoch_ms);
	char *dir = arena_printf(a, "%s", settings->dir);
	char *share = arena_printf(a, "%.6g", opt->workload);
	char *spec = arena_printf(a, "%s", opt->fault == NULL ? "" : opt->fault);
	char words[][12] = { "serve", "--dir", "--speed", "--epoch", "--ready-fd", "3",
		"--workload", "--fault" };
	int fds[2] = { -1, -1 };
	bool ok = false;
	char *argv[] = { path, words[0], words[1], dir, words[2], speed, words[3], epoch, words[4],
		words[5], words[6], share, opt->fault == NULL ? NULL : words[7], spec, NULL };

	if (path == NULL)
		goto out;
	if (arena_failed(a)) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory for the simulator");
		goto out;
	}
	if (pipe2(fds, O_CLOEXEC) != 0) {
		(void)error_set(err, ERR_IO, "cannot make a pipe: %s", strerrordesc_np(errno));
		goto out;
	}
	/* dup2 onto its own number would keep the close-on-exec flag. */
	if (fds[1] == 3) {
		int moved = fcntl(fds[1], F_DUPFD_CLOEXEC, 10);

		(void)close(fds[1]);
		fds[1] = moved;
	}
	if (!spawn_clean(path, argv, fds[1], 3, &ret->pid, err))
		goto out;
	(void)close(fds[1]);
	fds[1] = -1;
	if (!read_pipe(fds[0], true, READY_WAIT_MS, &line)) {
		(void)error_set(err, ERR_INTERNAL, "the simulator did not start");
		error_advise(err, "run '%s serve --dir %s' and read what it says", path, dir);
		simulator_stop(ret);
		goto out;
	}
	ok = json_parse(a, str_trim(text_str(&line)), ret_endpoints, err);
	if (!ok)
		simulator_stop(ret);
out:
	if (fds[0] >= 0)
		(void)close(fds[0]);
	if (fds[1] >= 0)
		(void)close(fds[1]);
	if (line.p != NULL)
		explicit_bzero(line.p, line.cap); /* it holds the credential */
	text_free(&line);
	mem_free(path);
	return ok;
}

void
simulator_stop(struct simulator *s)
{
	int status;

	if (s->pid <= 0)
		return;
	(void)kill(s->pid, SIGTERM);
	while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
		;
	s->pid = 0;
}

bool
simulator_ask(char *const args[], struct text *ret, struct error *err)
{
	char *path = simulator_path(err);
	int fds[2] = { -1, -1 };
	char *argv[16] = { path };
	bool ok = false;
	int status = 1;
	pid_t pid = 0;

	if (path == NULL)
		return false;
	for (size_t i = 0; args[i] != NULL && i + 2 < ARRAY_LEN(argv); i++)
		argv[i + 1] = args[i];
	*ret = (struct text)TEXT_INIT(ANSWER_MAX);
	if (pipe2(fds, O_CLOEXEC) != 0) {
		(void)error_set(err, ERR_IO, "cannot make a pipe: %s", strerrordesc_np(errno));
		goto out;
	}
	if (!spawn_clean(path, argv, fds[1], STDOUT_FILENO, &pid, err))
		goto out;
	(void)close(fds[1]);
	fds[1] = -1;
	ok = read_pipe(fds[0], false, -1, ret);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!ok || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		ok = error_set(err, ERR_INTERNAL, "'flightdeck-sim %s' failed", args[0]);
out:
	if (fds[0] >= 0)
		(void)close(fds[0]);
	if (fds[1] >= 0)
		(void)close(fds[1]);
	mem_free(path);
	return ok;
}
