/*
 * Scripts: the console driven from a file, on a screen in memory. For demonstrations, for pictures
 * in documentation, and for tests. One command a line; '#' begins a comment.
 *
 *   key j ctrl-d enter       keys by name
 *   type some text           each character as a key
 *   wait 30 TEXT             until the screen shows TEXT, at most so many seconds
 *   gone 30 TEXT             until it does not
 *   size 160x50              another size
 *   save FILE                the screen as text ("-": standard output)
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tui/app_int.h"
#include "tui/text.h"

enum { SCRIPT_MAX_BYTES = 256 * 1024, SCRIPT_STEP_MS = 20 };

struct script {
	struct text bytes;
	struct str rest;
	size_t line;
	int64_t wait_until; /* 0: not waiting */
	bool wait_gone;
	struct str wait_for;
};

bool
script_load(const char *path, struct script **ret_script, struct error *err)
{
	struct script *s = mem_new(sizeof(*s));
	char buf[4096];
	ssize_t n = -1;
	int fd;

	if (s == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for the script");
	s->bytes = (struct text)TEXT_INIT(SCRIPT_MAX_BYTES);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (n = read(fd, buf, sizeof(buf))) > 0)
		text_add_str(&s->bytes, (struct str){ buf, (size_t)n });
	if (fd >= 0)
		(void)close(fd);
	if (fd < 0 || n < 0) {
		script_free(s);
		return error_set(err, ERR_NOT_FOUND, "cannot read the script '%s'", path);
	}
	if (!text_ok(&s->bytes, path, err)) {
		script_free(s);
		return false;
	}
	s->rest = text_str(&s->bytes);
	*ret_script = s;
	return true;
}

void
script_free(struct script *s)
{
	if (s == NULL)
		return;
	text_free(&s->bytes);
	mem_free(s);
}

static void
press(struct app *a, uint32_t key)
{
	a->console.now_ms = backend_now_ms(a->backend);
	a->console.mono_ms = app_mono_ms();
	console_key(&a->console, (struct input_key){ key, false });
	a->dirty = true;
}

static bool
do_keys(struct app *a, struct str arg, size_t line, struct error *err)
{
	struct str name;
	uint32_t key = 0;

	while (str_split(&arg, ' ', &name)) {
		if (name.n == 0)
			continue;
		if (!key_parse(name, &key))
			return error_set(err, ERR_INVALID, "script:%zu: '" STR_FMT "' is no key",
			    line, STR_ARG(name));
		press(a, key);
		if (!app_frame(a))
			return false;
	}
	return true;
}

static bool
do_save(struct app *a, struct str arg, size_t line, struct error *err)
{
	struct text out = TEXT_INIT((size_t)2 * 1024 * 1024);
	char *path = str_dup(arg);
	int fd = -1;
	bool ok = false;

	(void)app_frame(a);
	grid_dump(&a->grid, &out);
	if (path != NULL)
		fd = strcmp(path, "-") == 0
			 ? STDOUT_FILENO
			 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	ok = fd >= 0 && write(fd, text_get(&out), out.n) == (ssize_t)out.n;
	if (fd > STDERR_FILENO)
		(void)close(fd);
	text_free(&out);
	if (!ok)
		(void)error_set(
		    err, ERR_IO, "script:%zu: cannot write '%s'", line, path != NULL ? path : "");
	mem_free(path);
	return ok;
}

static bool
do_size(struct app *a, struct str arg, size_t line, struct error *err)
{
	ptrdiff_t x = str_find_char(arg, 'x');
	int64_t w = 0;
	int64_t h = 0;

	if (x < 0 || !str_to_int(str_sub(arg, 0, (size_t)x), &w) ||
	    !str_to_int(str_sub(arg, (size_t)x + 1, arg.n), &h) || w < 1 || h < 1 || w > 10000 ||
	    h > 10000)
		return error_set(err, ERR_INVALID, "script:%zu: size is like 80x24", line);
	screen_set_size(a->screen, (int)w, (int)h);
	a->dirty = true;
	return true;
}

static bool
do_wait(struct script *s, struct str arg, bool gone, struct error *err)
{
	ptrdiff_t space = str_find_char(arg, ' ');
	int64_t seconds = 0;

	if (space < 0 || !str_to_int(str_sub(arg, 0, (size_t)space), &seconds))
		return error_set(err, ERR_INVALID, "script:%zu: wait SECONDS TEXT", s->line);
	s->wait_for = str_sub(arg, (size_t)space + 1, arg.n);
	s->wait_until = app_mono_ms() + seconds * 1000;
	s->wait_gone = gone;
	return true;
}

static bool
command(struct app *a, struct str line, struct error *err)
{
	struct script *s = a->script;
	ptrdiff_t space = str_find_char(line, ' ');
	struct str verb = space < 0 ? line : str_sub(line, 0, (size_t)space);
	struct str arg = space < 0 ? STR("") : str_sub(line, (size_t)space + 1, line.n);
	uint32_t c = 0;

	if (verb.n == 0 || verb.p[0] == '#')
		return true;
	if (str_is(verb, "key"))
		return do_keys(a, arg, s->line, err);
	if (str_is(verb, "wait") || str_is(verb, "gone"))
		return do_wait(s, arg, str_is(verb, "gone"), err);
	if (str_is(verb, "size"))
		return do_size(a, arg, s->line, err);
	if (str_is(verb, "save"))
		return do_save(a, arg, s->line, err);
	if (!str_is(verb, "type"))
		return error_set(err, ERR_INVALID, "script:%zu: '" STR_FMT "' is no command",
		    s->line, STR_ARG(verb));
	while (cell_next(&arg, &c))
		press(a, c);
	return true;
}

static bool
screen_has(struct app *a, struct str text)
{
	struct text out = TEXT_INIT((size_t)2 * 1024 * 1024);
	bool has;

	(void)app_frame(a);
	grid_dump(&a->grid, &out);
	has = str_find(text_str(&out), text) >= 0;
	text_free(&out);
	return has;
}

bool
script_step(struct app *a, int *ret_wait_ms, struct error *err)
{
	struct script *s = a->script;
	struct str line;

	*ret_wait_ms = 0;
	if (s->wait_until > 0) {
		if (screen_has(a, s->wait_for) != s->wait_gone) {
			s->wait_until = 0;
			return true;
		}
		*ret_wait_ms = SCRIPT_STEP_MS;
		if (app_mono_ms() < s->wait_until)
			return true;
		return error_set(err, ERR_TIMEOUT, "script:%zu: waited in vain for '" STR_FMT "'",
		    s->line, STR_ARG(s->wait_for));
	}
	if (!str_split(&s->rest, '\n', &line))
		return false;
	s->line++;
	return command(a, str_trim(line), err);
}
