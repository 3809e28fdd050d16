/* Where theme files are found. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "tui/theme/theme.h"

#ifndef FLIGHTDECK_THEMES
#define FLIGHTDECK_THEMES "/usr/local/share/flightdeck/themes"
#endif

enum { PATH_LIMIT = 4096 };

/* The n-th folder to look in; false after the last. An empty one is to be skipped. */
static bool
folder(size_t n, struct text *out)
{
	char exe[PATH_LIMIT];
	const char *config = secure_getenv("XDG_CONFIG_HOME");
	const char *home = secure_getenv("HOME");
	ssize_t len;

	text_clear(out);
	switch (n) {
	case 0:
		text_add(out, "themes");
		return true;
	case 1:
		if (config != NULL && config[0] == '/')
			text_printf(out, "%s/flightdeck/themes", config);
		else if (home != NULL && home[0] == '/')
			text_printf(out, "%s/.config/flightdeck/themes", home);
		return true;
	case 2:
	case 3:
	case 4:
		len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
		while (len > 0 && exe[len - 1] != '/')
			len--;
		if (len <= 0)
			return true;
		text_add_str(out, (struct str){ exe, (size_t)len });
		text_add(out, n == 2   ? "../themes"
			      : n == 3 ? "../share/flightdeck/themes"
				       : "../../themes");
		return true;
	case 5:
		text_add(out, FLIGHTDECK_THEMES);
		return true;
	default:
		return false;
	}
}

static bool
file_read(const char *path, struct text *out, struct error *err)
{
	char buf[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n = 0;

	if (fd < 0)
		return error_set(err, ERR_NOT_FOUND, "cannot read the theme file '%s'", path);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > THEME_MAX_BYTES) {
		(void)close(fd);
		return error_set(err, ERR_INVALID,
		    "'%s' is no theme: not a file of at most %d bytes", path, THEME_MAX_BYTES);
	}
	while (out->n <= THEME_MAX_BYTES && (n = read(fd, buf, sizeof(buf))) > 0)
		text_add_str(out, (struct str){ buf, (size_t)n });
	(void)close(fd);
	return n < 0 ? error_set(err, ERR_IO, "cannot read '%s'", path) : text_ok(out, path, err);
}

static bool
load_path(const char *path, struct theme *ret_theme, struct error *err)
{
	struct text bytes = TEXT_INIT(THEME_MAX_BYTES + 4096);
	bool ok =
	    file_read(path, &bytes, err) && theme_parse(text_str(&bytes), path, ret_theme, err);

	text_free(&bytes);
	return ok;
}

bool
theme_load(const char *name, struct theme *ret_theme, struct error *err)
{
	struct text path = TEXT_INIT(PATH_LIMIT);
	bool ok = false;
	bool found = false;

	if (strchr(name, '/') != NULL) {
		text_free(&path);
		return load_path(name, ret_theme, err);
	}
	for (size_t i = 0; !found && folder(i, &path); i++) {
		if (path.n == 0)
			continue;
		text_printf(&path, "/%s.yaml", name);
		if (access(text_get(&path), R_OK) != 0)
			continue;
		found = true;
		ok = load_path(text_get(&path), ret_theme, err);
	}
	text_free(&path);
	if (found)
		return ok;
	if (strcmp(name, "default") == 0) {
		theme_default(ret_theme);
		return true;
	}
	return error_set(err, ERR_NOT_FOUND, "there is no theme called '%s'", name);
}

static bool
listed(const struct theme_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->names[i], name) == 0)
			return true;
	return false;
}

static void
list_folder(const char *path, struct theme_names *names)
{
	DIR *dir = opendir(path);
	const struct dirent *e;

	if (dir == NULL)
		return;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): the directory stream is ours alone */
	while (names->n < THEME_MAX_FILES && (e = readdir(dir)) != NULL) {
		size_t len = strlen(e->d_name);
		struct text file = TEXT_INIT(PATH_LIMIT);
		struct theme t;

		if (len < 6 || len - 5 >= THEME_NAME_MAX ||
		    strcmp(e->d_name + len - 5, ".yaml") != 0)
			continue;
		text_printf(&file, "%s/%s", path, e->d_name);
		if (load_path(text_get(&file), &t, NULL) && !listed(names, t.name)) {
			(void)snprintf(names->names[names->n], THEME_NAME_MAX, "%s", t.name);
			(void)snprintf(
			    names->abouts[names->n], sizeof(names->abouts[0]), "%s", t.about);
			names->n++;
		}
		text_free(&file);
	}
	(void)closedir(dir);
}

void
theme_list(struct theme_names *ret_names)
{
	struct text path = TEXT_INIT(PATH_LIMIT);

	ret_names->n = 0;
	for (size_t i = 0; folder(i, &path); i++)
		if (path.n > 0)
			list_folder(text_get(&path), ret_names);
	text_free(&path);
	if (ret_names->n == 0) {
		struct theme t;

		theme_default(&t);
		(void)snprintf(ret_names->names[0], THEME_NAME_MAX, "%s", t.name);
		(void)snprintf(ret_names->abouts[0], sizeof(ret_names->abouts[0]), "%s", t.about);
		ret_names->n = 1;
	}
}
