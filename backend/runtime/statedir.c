#include "backend/runtime/statedir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "model/base/mem.h"

enum { PATH_LIMIT = 4096, DIR_MODE = 0700, FILE_MODE = 0600 };

struct fs_row {
	uint64_t type; /* f_type of statfs(2), linux/magic.h */
	const char *name;
};

static const struct fs_row network_fs[] = {
	{ 0x6969, "NFS" },
	{ 0x517B, "SMB" },
	{ 0xFE534D42, "SMB2" },
	{ 0xFF534D42, "CIFS" },
	{ 0x5346414F, "AFS" },
	{ 0x6B414653, "AFS" },
	{ 0x73757245, "Coda" },
	{ 0x01021997, "9P" },
	{ 0x65735546, "FUSE" },
	{ 0x00C36400, "Ceph" },
	{ 0x01161970, "GFS2" },
	{ 0x7461636F, "OCFS2" },
	{ 0x0BD00BD0, "Lustre" },
	{ 0x47504653, "GPFS" },
	{ 0x564C, "NCP" },
	{ 0x786F4256, "VBoxSF" },
	{ 0x19830326, "BeeGFS" },
	{ 0xAAD7AAEA, "PanFS" },
	{ 0x20030528, "OrangeFS" },
};

const char *
statedir_network_fs(uint64_t type)
{
	for (size_t i = 0; i < ARRAY_LEN(network_fs); i++) {
		if (network_fs[i].type == (type & 0xFFFFFFFF))
			return network_fs[i].name;
	}
	return NULL;
}

const char *
errno_text(int number)
{
	const char *text = strerrordesc_np(number);

	return text != NULL ? text : "unknown error";
}

static bool
refuse_errno(const char *what, const char *path, int number, struct error *err)
{
	enum error_code code = ERR_IO;

	if (number == ENOSPC || number == EDQUOT)
		code = ERR_DISK_FULL;
	else if (number == EACCES || number == EPERM || number == EROFS)
		code = ERR_REFUSED;
	error_set(err, code, "cannot %s '%s': %s", what, path, errno_text(number));
	if (code == ERR_REFUSED)
		error_advise(err, "set FLIGHTDECK_STATE_DIR to a directory that you own");
	return false;
}

/* Each directory above: a stranger who may rename it could put another in its place. */
static bool
parents_check(const char *dir, struct error *err)
{
	struct text path = TEXT_INIT(PATH_LIMIT);
	struct stat st;
	bool ok = false;

	for (size_t i = 0; dir[i] != '\0'; i++) {
		if (dir[i] != '/' || i == 0)
			continue;
		text_clear(&path);
		text_add_str(&path, (struct str){ dir, i });
		if (!text_ok(&path, "path", err))
			goto out;
		if (stat(text_get(&path), &st) != 0)
			continue; /* made below, or reported where it is needed */
		if ((st.st_mode & S_IWOTH) != 0 && (st.st_mode & S_ISVTX) == 0) {
			error_set(err, ERR_REFUSED,
			    "'%s' can be changed by everybody, so '%s' is not safe there",
			    text_get(&path), dir);
			error_advise(err, "chmod o-w '%.200s', or set FLIGHTDECK_STATE_DIR",
			    text_get(&path));
			goto out;
		}
	}
	ok = true;
out:
	text_free(&path);
	return ok;
}

static bool
parents_make(const char *dir, struct error *err)
{
	char *path = mem_dupz(dir);
	bool ok = false;

	if (path == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a path");
	for (size_t i = 1; path[i] != '\0'; i++) {
		if (path[i] != '/')
			continue;
		path[i] = '\0';
		if (mkdir(path, DIR_MODE) != 0 && errno != EEXIST) {
			refuse_errno("make directory", path, errno, err);
			goto out;
		}
		path[i] = '/';
	}
	if (mkdir(path, DIR_MODE) != 0 && errno != EEXIST) {
		refuse_errno("make directory", path, errno, err);
		goto out;
	}
	ok = true;
out:
	mem_free(path);
	return ok;
}

static bool
fs_check(const char *dir, int fd, struct error *err)
{
	const char *allow = secure_getenv("FLIGHTDECK_ALLOW_NETWORK_FS");
	const char *name;
	struct statfs fs;

	if (fstatfs(fd, &fs) != 0)
		return refuse_errno("look at the file system of", dir, errno, err);
	name = statedir_network_fs((uint64_t)fs.f_type);
	if (name == NULL || (allow != NULL && strcmp(allow, "1") == 0))
		return true;
	error_set(err, ERR_REFUSED,
	    "'%s' is on a network file system (%s), whose locks and syncs cannot be trusted", dir,
	    name);
	error_advise(err, "set FLIGHTDECK_STATE_DIR to a directory on a local disk");
	return false;
}

static bool
own_check(const char *dir, int fd, bool tighten, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return refuse_errno("look at", dir, errno, err);
	if (st.st_uid != geteuid()) {
		error_set(err, ERR_REFUSED, "'%s' belongs to user %u, not to you (%u)", dir,
		    (unsigned)st.st_uid, (unsigned)geteuid());
		error_advise(err, "set FLIGHTDECK_STATE_DIR to a directory that you own");
		return false;
	}
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
		error_set(err, ERR_REFUSED, "'%s' can be written by others (mode %04o)", dir,
		    (unsigned)st.st_mode & 07777U);
		error_advise(err, "chmod 0700 '%.300s' after checking what is in it", dir);
		return false;
	}
	if (tighten && (st.st_mode & 077) != 0 && fchmod(fd, DIR_MODE) != 0)
		return refuse_errno("close to others", dir, errno, err);
	return true;
}

static bool
check(const char *dir, bool tighten, struct error *err)
{
	bool ok = false;
	struct stat st;
	int fd;

	if (!parents_check(dir, err))
		return false;
	if (lstat(dir, &st) == 0 && S_ISLNK(st.st_mode)) {
		error_set(err, ERR_REFUSED, "'%s' is a symbolic link", dir);
		error_advise(err, "name the directory that it points to in FLIGHTDECK_STATE_DIR");
		return false;
	}
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return refuse_errno("open directory", dir, errno, err);
	if (own_check(dir, fd, tighten, err) && fs_check(dir, fd, err))
		ok = true;
	(void)close(fd);
	return ok;
}

bool
statedir_prepare(const char *dir, struct error *err)
{
	if (dir[0] != '/')
		return error_set(
		    err, ERR_INVALID, "state directory '%s' is not an absolute path", dir);
	return parents_check(dir, err) && parents_make(dir, err) && check(dir, true, err);
}

bool
statedir_check(const char *dir, struct error *err)
{
	return check(dir, false, err);
}

bool
statedir_sync(const char *dir, struct error *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc, number;

	if (fd < 0)
		return refuse_errno("open directory", dir, errno, err);
	rc = fsync(fd);
	number = errno;
	(void)close(fd);
	return rc == 0 || refuse_errno("flush directory", dir, number, err);
}

char *
statedir_path(const char *dir, const char *name)
{
	struct text path = TEXT_INIT(PATH_LIMIT);
	char *ret = NULL;

	text_add(&path, dir);
	text_add_char(&path, '/');
	text_add(&path, name);
	if (text_ok(&path, "path", NULL))
		ret = text_take(&path);
	text_free(&path);
	return ret;
}

static bool
write_all(int fd, struct str bytes)
{
	while (bytes.n > 0) {
		ssize_t n = write(fd, bytes.p, bytes.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		bytes = str_sub(bytes, (size_t)n, bytes.n - (size_t)n);
	}
	return true;
}

bool
statedir_replace(const char *dir, const char *name, struct str bytes, struct error *err)
{
	char *path = statedir_path(dir, name);
	char *tmp = statedir_path(dir, ".new-XXXXXX");
	bool ok = false;
	int fd = -1;

	if (path == NULL || tmp == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for a path");
		goto out;
	}
	fd = mkostemp(tmp, O_CLOEXEC); /* 0600, a name nobody can guess */
	if (fd < 0 || !write_all(fd, bytes) || fsync(fd) != 0 || rename(tmp, path) != 0) {
		refuse_errno("write", path, errno, err);
		goto out;
	}
	tmp[0] = '\0';
	ok = statedir_sync(dir, err);
out:
	if (fd >= 0)
		(void)close(fd);
	if (fd >= 0 && tmp != NULL && tmp[0] != '\0')
		(void)unlink(tmp);
	mem_free(tmp);
	mem_free(path);
	return ok;
}
