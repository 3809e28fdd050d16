/* Drafts: one manifest a file in <state>/drafts, written whole and renamed into place. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/text.h"
#include "tui/wizard/wizard_int.h"

enum { PATH_LIMIT = 2048 };

/* A name becomes part of a path only if it is a plain one. */
static bool
name_is_plain(const char *name)
{
	size_t n = strlen(name);

	if (n == 0 || n > 100 || name[0] == '.')
		return false;
	for (size_t i = 0; i < n; i++)
		if (!((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= '0' && name[i] <= '9') ||
			name[i] == '-' || name[i] == '.'))
			return false;
	return true;
}

static bool
draft_path(const struct console *c, const char *name, const char *suffix, struct text *out)
{
	if (c->state_dir[0] == '\0' || !name_is_plain(name))
		return false;
	text_printf(out, "%s/drafts/%s%s", c->state_dir, name, suffix);
	return true;
}

static bool
write_file(const char *path, struct str bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool ok;

	if (fd < 0)
		return false;
	ok = write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n && fsync(fd) == 0;
	return close(fd) == 0 && ok;
}

bool
draft_save(struct wizard *w, const struct console *c, struct error *err)
{
	struct text dir = TEXT_INIT(PATH_LIMIT);
	struct text path = TEXT_INIT(PATH_LIMIT);
	struct text temp = TEXT_INIT(PATH_LIMIT);
	const char *name = w->name.fields[0].value[0] != '\0' ? w->name.fields[0].value : "unnamed";
	bool ok = false;

	text_printf(&dir, "%s/drafts", c->state_dir);
	if (!draft_path(c, name, ".yaml", &path) || !draft_path(c, name, ".new", &temp)) {
		(void)error_set(
		    err, ERR_INVALID, "the draft is not kept: '%s' is no file name", name);
		goto out;
	}
	if ((mkdir(text_get(&dir), 0700) != 0 && errno != EEXIST) ||
	    !write_file(text_get(&temp), text_str(&w->yaml)) ||
	    rename(text_get(&temp), text_get(&path)) != 0) {
		(void)error_set(err, ERR_IO, "the draft could not be kept in '%s'", text_get(&dir));
		goto out;
	}
	if (w->from_drafts[0] != '\0' && strcmp(w->from_drafts, name) != 0)
		draft_forget(w, c); /* it has another name now */
	(void)snprintf(w->from_drafts, sizeof(w->from_drafts), "%s", name);
	w->saved_ms = c->now_ms;
	ok = true;
out:
	text_free(&dir);
	text_free(&path);
	text_free(&temp);
	return ok;
}

void
draft_forget(struct wizard *w, const struct console *c)
{
	struct text path = TEXT_INIT(PATH_LIMIT);

	if (w->from_drafts[0] != '\0' && draft_path(c, w->from_drafts, ".yaml", &path))
		(void)unlink(text_get(&path)); /* gone already is as good */
	w->from_drafts[0] = '\0';
	text_free(&path);
}

bool
draft_load(struct wizard *w, struct console *c, const char *name, struct error *err)
{
	struct text path = TEXT_INIT(PATH_LIMIT);
	struct text bytes = TEXT_INIT(WIZARD_TEXT_MAX);
	char buf[4096];
	ssize_t n = -1;
	int fd = -1;
	bool ok = false;

	if (draft_path(c, name, ".yaml", &path))
		fd = open(text_get(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	while (fd >= 0 && (n = read(fd, buf, sizeof(buf))) > 0)
		text_add_str(&bytes, (struct str){ buf, (size_t)n });
	if (fd >= 0)
		(void)close(fd);
	if (fd < 0 || n < 0)
		(void)error_set(err, ERR_NOT_FOUND, "the draft '%s' cannot be read", name);
	else
		ok = text_ok(&bytes, "draft", err) &&
		     draft_read(w, c, text_str(&bytes), strcmp(name, "unnamed") != 0, err);
	if (ok)
		(void)snprintf(w->from_drafts, sizeof(w->from_drafts), "%s", name);
	text_free(&path);
	text_free(&bytes);
	return ok;
}

void
drafts_list(const struct console *c, struct form_field *to)
{
	struct text path = TEXT_INIT(PATH_LIMIT);
	const struct dirent *e;
	DIR *dir;
	struct choice *k;

	k = field_choice_add(to, STR(""));
	if (k != NULL)
		(void)snprintf(k->label, sizeof(k->label), "start empty");
	text_printf(&path, "%s/drafts", c->state_dir);
	dir = c->state_dir[0] != '\0' ? opendir(text_get(&path)) : NULL;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): the directory stream is ours alone */
	while (dir != NULL && to->nchoices < WIZARD_MAX_DRAFTS && (e = readdir(dir)) != NULL) {
		struct str name = str_from(e->d_name);

		if (!str_ends(name, STR(".yaml")) || name.n <= 5)
			continue;
		name = str_sub(name, 0, name.n - 5);
		k = field_choice_add(to, name);
		if (k != NULL)
			(void)snprintf(k->note, sizeof(k->note), "kept draft");
	}
	if (dir != NULL)
		(void)closedir(dir);
	text_free(&path);
}
