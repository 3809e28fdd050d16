#include "backend/sim/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

bool
file_read_in(const char *dir, const char *name, struct text *out, struct error *err)
{
	struct text path = TEXT_INIT(4096);
	char piece[8192];
	ssize_t n = -1;
	int fd;

	text_printf(&path, "%s/%s", dir, name);
	fd = open(text_get(&path), O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		bool absent = errno == ENOENT;

		error_set(
		    err, absent ? ERR_NOT_FOUND : ERR_IO, "cannot open '%s'", text_get(&path));
	} else {
		while ((n = read(fd, piece, sizeof(piece))) > 0)
			text_add_str(out, (struct str){ piece, (size_t)n });
		if (n < 0)
			error_set(err, ERR_IO, "cannot read '%s'", text_get(&path));
		(void)close(fd);
	}
	text_free(&path);
	return n == 0 && text_ok(out, name, err);
}

bool
fd_write_all(int fd, struct str bytes)
{
	size_t done = 0;

	while (done < bytes.n) {
		ssize_t n = write(fd, bytes.p + done, bytes.n - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

bool
file_write_in(const char *dir, const char *name, struct str bytes, struct error *err)
{
	struct text path = TEXT_INIT(4096), fresh = TEXT_INIT(4096);
	bool ok = false;
	int fd;

	text_printf(&path, "%s/%s", dir, name);
	text_printf(&fresh, "%s/.%s.new", dir, name);
	fd = open(text_get(&fresh), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd >= 0) {
		ok = fd_write_all(fd, bytes);
		ok = close(fd) == 0 && ok;
		ok = ok && rename(text_get(&fresh), text_get(&path)) == 0;
	}
	if (!ok)
		error_set(err, ERR_IO, "cannot write '%s'", text_get(&path));
	text_free(&path);
	text_free(&fresh);
	return ok;
}

bool
dir_make(const char *path, struct error *err)
{
	if (mkdir(path, 0700) == 0 || errno == EEXIST)
		return true;
	return error_set(err, ERR_IO, "cannot make the directory '%s'", path);
}

void
dir_remove(const char *path)
{
	DIR *d = opendir(path);
	const struct dirent *e;

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): one stream, one thread */
	while (d != NULL && (e = readdir(d)) != NULL) {
		if (e->d_name[0] != '.')
			(void)unlinkat(dirfd(d), e->d_name, 0); /* what is left is left */
	}
	if (d != NULL)
		(void)closedir(d);
	(void)rmdir(path);
}
