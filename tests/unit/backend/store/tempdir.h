#ifndef TESTS_UNIT_BACKEND_STORE_TEMPDIR_H
#define TESTS_UNIT_BACKEND_STORE_TEMPDIR_H

/* A directory of a test's own, and the end of it. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEMPDIR_MAX = 64 };

static inline void
tempdir_make(char dir[TEMPDIR_MAX])
{
	(void)snprintf(dir, TEMPDIR_MAX, "/tmp/fd-store-XXXXXX");
	assert_non_null(mkdtemp(dir));
}

/* The files in it and itself; it has no directories. */
static inline void
tempdir_remove(const char *dir)
{
	char path[TEMPDIR_MAX + 300];
	DIR *d = opendir(dir);
	struct dirent *x;

	while (d != NULL && (x = readdir(d)) != NULL) {
		if (strcmp(x->d_name, ".") == 0 || strcmp(x->d_name, "..") == 0)
			continue;
		(void)snprintf(path, sizeof path, "%s/%s", dir, x->d_name);
		(void)unlink(path);
	}
	if (d != NULL)
		(void)closedir(d);
	(void)rmdir(dir);
}

#endif
