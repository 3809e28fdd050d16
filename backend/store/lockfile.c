#include "backend/store/lockfile.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backend/runtime/clean.h"
#include "backend/runtime/statedir.h"
#include "model/base/mem.h"
#include "model/base/text.h"
#include "model/stamp.h"

enum { HOLDER_MAX = 512 };

struct lockfile {
	int fd;
};

/* "pid=12 user=ada since=2026-..." */
static void
holder_write(int fd)
{
	struct timespec now = { 0 };
	struct passwd pw, *found = NULL;
	char bytes[2048], stamp[STAMP_MAX], line[HOLDER_MAX];
	ssize_t n;
	int len;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)getpwuid_r(geteuid(), &pw, bytes, sizeof bytes, &found);
	len = snprintf(line, sizeof line, "pid=%d user=%.64s since=%s\n", (int)getpid(),
	    found != NULL ? found->pw_name : "?", stamp_format((int64_t)now.tv_sec * 1000, stamp));
	/* Only for people: a disk that is full must not keep the owner from starting. */
	if (len > 0 && ftruncate(fd, 0) == 0) {
		n = pwrite(fd, line, (size_t)len, 0);
		(void)n;
	}
}

/* Third field of /proc/pid/stat, after the name in parentheses. */
static bool
is_stopped(int64_t pid)
{
	char path[64], bytes[512];
	const char *at;
	ssize_t n;
	int fd;

	(void)snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, bytes, sizeof bytes - 1);
	(void)close(fd);
	bytes[n > 0 ? n : 0] = '\0';
	at = strrchr(bytes, ')');
	return at != NULL && at[1] == ' ' && (at[2] == 'T' || at[2] == 't');
}

static bool
refuse_held(int fd, const char *path, struct error *err)
{
	struct text who = TEXT_INIT((size_t)HOLDER_MAX * 8);
	char bytes[HOLDER_MAX];
	ssize_t n = pread(fd, bytes, sizeof bytes, 0);
	struct str line = str_trim((struct str){ bytes, n > 0 ? (size_t)n : 0 });
	struct str rest = line, word;
	int64_t pid = 0;

	clean_add(&who, line);
	while (str_split(&rest, ' ', &word)) {
		if (str_starts(word, STR("pid=")) && !str_to_int(str_sub(word, 4, word.n), &pid))
			pid = 0;
	}
	error_set(err, ERR_REFUSED, "another process owns this profile (%s%s); it holds '%s'",
	    line.n > 0 ? text_get(&who) : "it has not said who it is",
	    pid > 0 && is_stopped(pid) ? ", stopped" : "", path);
	error_name(err, "Owned");
	error_advise(err,
	    pid > 0 && is_stopped(pid) ? "continue it (kill -CONT %lld) or end it"
				       : "attach to it, or end process %lld",
	    (long long)pid);
	text_free(&who);
	return false;
}

bool
lockfile_take(const char *dir, struct lockfile **ret_lock, struct error *err)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct lockfile *l = mem_new(sizeof *l);
	char *path = statedir_path(dir, "lock");
	bool ok = false;

	if (l != NULL)
		l->fd = -1;
	if (l == NULL || path == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for the lock");
		goto out;
	}
	l->fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (l->fd < 0) {
		error_set(err, errno == ENOSPC || errno == EDQUOT ? ERR_DISK_FULL : ERR_REFUSED,
		    "cannot open '%s': %s", path, errno_text(errno));
		if (err != NULL && err->code == ERR_REFUSED)
			error_advise(err, "the directory must be yours and writable: check it, or "
					  "set FLIGHTDECK_STATE_DIR");
		goto out;
	}
	if (fcntl(l->fd, F_OFD_SETLK, &whole) != 0) {
		if (errno == EAGAIN || errno == EACCES)
			(void)refuse_held(l->fd, path, err);
		else
			error_set(err, ERR_IO, "cannot lock '%s': %s", path, errno_text(errno));
		goto out;
	}
	holder_write(l->fd);
	*ret_lock = l;
	l = NULL;
	ok = true;
out:
	lockfile_release(l);
	mem_free(path);
	return ok;
}

void
lockfile_release(struct lockfile *l)
{
	if (l == NULL)
		return;
	if (l->fd >= 0)
		(void)close(l->fd); /* the lock goes with it */
	mem_free(l);
}
