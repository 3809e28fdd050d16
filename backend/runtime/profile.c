#include "backend/runtime/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/runtime/statedir.h"
#include "model/base/mem.h"
#include "model/node.h"
#include "model/yaml.h"

enum { NAME_MAX_BYTES = 63, PATH_LIMIT = 4096, FILE_MAX_BYTES = 64 * 1024, WORKERS_MAX = 256 };

#define SPEED_MAX 1e6

enum setting_type { SET_BOOL, SET_DOUBLE, SET_INT64, SET_INT, SET_TEXT, SET_URL };

struct setting {
	const char *key;
	enum setting_type type;
	size_t off;
	double most; /* of a number */
};

static const struct setting settings[] = {
	{ "practice", SET_BOOL, offsetof(struct profile, practice), 0 },
	{ "prod", SET_BOOL, offsetof(struct profile, prod), 0 },
	{ "speed", SET_DOUBLE, offsetof(struct profile, speed), SPEED_MAX },
	{ "epoch", SET_INT64, offsetof(struct profile, epoch_ms), 9e15 },
	{ "caFile", SET_TEXT, offsetof(struct profile, ca_file), 0 },
	{ "azureAuthority", SET_URL, offsetof(struct profile, azure_authority), 0 },
	{ "azureArm", SET_URL, offsetof(struct profile, azure_arm), 0 },
	{ "helmImage", SET_TEXT, offsetof(struct profile, helm_image), 0 },
	{ "workers", SET_INT, offsetof(struct profile, workers), WORKERS_MAX },
};

static bool
name_is_good(const char *name)
{
	size_t n = strlen(name);

	if (n == 0 || n > NAME_MAX_BYTES || name[0] == '.' || name[0] == '-')
		return false;
	return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
	       n;
}

/* An absolute path from the environment; the base directory specification ignores others. */
static const char *
env_path(const char *name)
{
	const char *value = secure_getenv(name);

	return value != NULL && value[0] == '/' ? value : NULL;
}

static bool
home_add(struct text *path, struct error *err)
{
	const char *home = env_path("HOME");
	char bytes[4096];
	struct passwd pw, *found = NULL;

	if (home != NULL) {
		text_add(path, home);
		return true;
	}
	if (getpwuid_r(geteuid(), &pw, bytes, sizeof bytes, &found) != 0 || found == NULL ||
	    found->pw_dir == NULL || found->pw_dir[0] != '/') {
		error_set(err, ERR_INVALID, "cannot tell the home directory of user %u",
		    (unsigned)geteuid());
		error_advise(err, "set HOME, XDG_STATE_HOME or FLIGHTDECK_STATE_DIR");
		return false;
	}
	text_add(path, found->pw_dir);
	return true;
}

static bool
dir_find(const char *name, char **ret_dir, struct error *err)
{
	const char *given = secure_getenv("FLIGHTDECK_STATE_DIR");
	const char *state = env_path("XDG_STATE_HOME");
	struct text path = TEXT_INIT(PATH_LIMIT);
	char cwd[PATH_LIMIT];
	bool ok = false;

	if (given != NULL && given[0] != '\0') {
		if (given[0] != '/' && getcwd(cwd, sizeof cwd) != NULL) {
			text_add(&path, cwd);
			text_add_char(&path, '/');
		}
		text_add(&path, given);
	} else {
		if (state != NULL)
			text_add(&path, state);
		else if (!home_add(&path, err))
			goto out;
		text_add(&path, state != NULL ? "/flightdeck/" : "/.local/state/flightdeck/");
		text_add(&path, name);
	}
	while (path.n > 1 && path.p[path.n - 1] == '/')
		path.p[--path.n] = '\0';
	if (!text_ok(&path, "state directory's path", err))
		goto out;
	*ret_dir = text_take(&path);
	ok = *ret_dir != NULL || error_set(err, ERR_NO_MEMORY, "no memory for a path");
out:
	text_free(&path);
	return ok;
}

static bool
url_is_loopback(struct str url)
{
	struct str host = str_sub(url, 8, url.n); /* after https:// */

	return str_starts(host, STR("127.")) || str_starts(host, STR("localhost")) ||
	       str_starts(host, STR("[::1]"));
}

static double
number_of(const struct node *value, double otherwise)
{
	if (value->type == NODE_FLOAT)
		return value->u.floating;
	return value->type == NODE_INT ? (double)value->u.integer : otherwise;
}

static bool
text_set(char **field, const struct node *value)
{
	char *copy = str_dup(node_get_str(value));

	if (copy == NULL)
		return false;
	mem_free(*field);
	*field = copy;
	return true;
}

static bool
setting_wrong(
    const struct setting *s, const struct node *value, const char *want, struct error *err)
{
	return error_set(err, ERR_INVALID, "profile.yaml:%u: %s must be %s", (unsigned)value->line,
	    s->key, want);
}

static bool
setting_apply(
    struct profile *p, const struct setting *s, const struct node *value, struct error *err)
{
	void *field = (char *)p + s->off;
	double number = number_of(value, -1);

	switch (s->type) {
	case SET_BOOL:
		if (value->type != NODE_BOOL)
			return setting_wrong(s, value, "true or false", err);
		*(bool *)field = value->u.boolean;
		return true;
	case SET_DOUBLE:
		if (!(number > 0 && number <= s->most))
			return setting_wrong(s, value, "a positive number up to 1000000", err);
		*(double *)field = number;
		return true;
	case SET_INT64:
	case SET_INT:
		if (value->type != NODE_INT || number < 0 || number > s->most)
			return setting_wrong(s, value, "a whole number in its range", err);
		if (s->type == SET_INT)
			*(int *)field = (int)value->u.integer;
		else
			*(int64_t *)field = value->u.integer;
		return true;
	case SET_URL:
		if (!str_starts(node_get_str(value), STR("https://")))
			return setting_wrong(s, value, "an https:// address", err);
		break;
	case SET_TEXT:
		if (value->type != NODE_STRING || value->u.string.n == 0)
			return setting_wrong(s, value, "text", err);
		break;
	}
	return text_set(field, value) || error_set(err, ERR_NO_MEMORY, "no memory for the profile");
}

static bool
settings_apply(struct profile *p, const struct node *map, struct error *err)
{
	for (const struct node *x = node_first(map); x != NULL; x = x->next) {
		const struct setting *s = NULL;

		for (size_t i = 0; i < ARRAY_LEN(settings) && s == NULL; i++) {
			if (str_is(x->key, settings[i].key))
				s = &settings[i];
		}
		if (s == NULL)
			return error_set(err, ERR_INVALID,
			    "profile.yaml:%u: unknown setting '" STR_FMT "'", (unsigned)x->key_line,
			    STR_ARG(x->key));
		if (!setting_apply(p, s, x, err))
			return false;
	}
	for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
		const char *url = NULL;

		if (settings[i].type == SET_URL)
			url = *(char **)(void *)((char *)p + settings[i].off);
		if (url != NULL && !p->practice && url_is_loopback(str_from(url)))
			return error_set(err, ERR_INVALID,
			    "profile.yaml: %s points to this machine, which only a practice "
			    "profile may",
			    settings[i].key);
	}
	return true;
}

/* Absent is empty. A file that others could have written is not believed. */
static bool
file_read(const char *path, struct text *out, struct error *err)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	char bytes[4096];
	struct stat st;
	ssize_t n = 0;
	bool ok = false;

	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0)
		return error_set(err, ERR_IO, "cannot read '%s': %s", path, errno_text(errno));
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
		error_set(err, ERR_REFUSED, "'%s' is not a file that you alone can write", path);
		error_advise(err, "check what is in it, then chown and chmod 0600 it");
		goto out;
	}
	while ((n = read(fd, bytes, sizeof bytes)) > 0)
		text_add_str(out, (struct str){ bytes, (size_t)n });
	if (n < 0)
		error_set(err, ERR_IO, "cannot read '%s': %s", path, errno_text(errno));
	else
		ok = text_ok(out, "profile.yaml", err);
out:
	(void)close(fd);
	return ok;
}

static bool
settings_load(struct profile *p, struct error *err)
{
	struct text bytes = TEXT_INIT(FILE_MAX_BYTES);
	struct arena *a = arena_new((size_t)FILE_MAX_BYTES * 64);
	char *path = profile_path(p, "profile.yaml");
	struct node *docs = NULL;
	bool ok = false;

	if (a == NULL || path == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for the profile");
		goto out;
	}
	if (!file_read(path, &bytes, err))
		goto out;
	if (bytes.n > 0) {
		if (!yaml_parse(a, text_str(&bytes), "profile.yaml", &docs, err))
			goto out;
		if (node_count(docs) > 1 ||
		    (node_count(docs) == 1 && node_at(docs, 0)->type != NODE_MAP)) {
			error_set(err, ERR_INVALID, "'%s' must hold one map of settings", path);
			goto out;
		}
		if (!settings_apply(p, node_at(docs, 0), err))
			goto out;
	}
	ok = true;
out:
	mem_free(path);
	arena_free(a);
	text_free(&bytes);
	return ok;
}

bool
profile_load(const char *name, struct profile **ret_profile, struct error *err)
{
	struct profile *p = NULL;
	bool ok = false;

	if (name == NULL)
		name = secure_getenv("FLIGHTDECK_PROFILE");
	if (name == NULL || name[0] == '\0')
		name = "default";
	if (!name_is_good(name)) {
		error_set(err, ERR_INVALID, "'%.80s' is no name for a profile", name);
		error_advise(err, "use letters, digits, '-', '_' and '.', at most 63");
		return false;
	}
	p = mem_new(sizeof *p);
	if (p == NULL || (p->name = mem_dupz(name)) == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for the profile");
		goto out;
	}
	p->speed = 1;
	if (!dir_find(name, &p->dir, err) || !statedir_prepare(p->dir, err) ||
	    !settings_load(p, err))
		goto out;
	*ret_profile = p;
	p = NULL;
	ok = true;
out:
	profile_free(p);
	return ok;
}

static void
setting_encode(struct arena *a, struct node *map, const struct profile *p, const struct setting *s)
{
	const void *field = (const char *)p + s->off;

	switch (s->type) {
	case SET_BOOL:
		if (*(const bool *)field)
			node_set_bool(a, map, s->key, true);
		return;
	case SET_DOUBLE:
		if (*(const double *)field != 1)
			node_set(a, map, s->key, node_float(a, *(const double *)field));
		return;
	case SET_INT64:
		if (*(const int64_t *)field != 0)
			node_set_int(a, map, s->key, *(const int64_t *)field);
		return;
	case SET_INT:
		if (*(const int *)field != 0)
			node_set_int(a, map, s->key, *(const int *)field);
		return;
	case SET_TEXT:
	case SET_URL:
		if (*(char *const *)field != NULL)
			node_set_strz(a, map, s->key, *(char *const *)field);
		return;
	}
}

bool
profile_save(const struct profile *p, struct error *err)
{
	struct text bytes = TEXT_INIT(FILE_MAX_BYTES);
	struct arena *a = arena_new((size_t)FILE_MAX_BYTES * 4);
	struct node *map = a == NULL ? NULL : node_map(a);
	bool ok = false;

	for (size_t i = 0; map != NULL && i < ARRAY_LEN(settings); i++)
		setting_encode(a, map, p, &settings[i]);
	if (map == NULL || arena_failed(a)) {
		error_set(err, ERR_NO_MEMORY, "no memory for the profile");
		goto out;
	}
	yaml_write(&bytes, map);
	ok = text_ok(&bytes, "profile.yaml", err) &&
	     statedir_replace(p->dir, "profile.yaml", text_str(&bytes), err);
out:
	arena_free(a);
	text_free(&bytes);
	return ok;
}

void
profile_free(struct profile *p)
{
	if (p == NULL)
		return;
	mem_free(p->name);
	mem_free(p->dir);
	mem_free(p->ca_file);
	mem_free(p->azure_authority);
	mem_free(p->azure_arm);
	mem_free(p->helm_image);
	mem_free(p);
}

char *
profile_path(const struct profile *p, const char *file)
{
	return statedir_path(p->dir, file);
}
