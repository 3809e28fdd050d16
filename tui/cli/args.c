#include "tui/cli/args.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/duration.h"
#include "model/schema.h"

bool
words_add(struct words *w, const char *word, struct error *err)
{
	if (w->n >= ARGS_MAX)
		return error_set(err, ERR_USAGE, "more than %d words", ARGS_MAX);
	if (!mem_grow((void **)&w->items, &w->cap, w->n + 1, sizeof *w->items))
		return error_set(err, ERR_NO_MEMORY, "no memory for the command line");
	w->items[w->n++] = word;
	return true;
}

static const struct option *
find_long(struct str name, const struct option *options, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (str_is(name, options[i].name))
			return &options[i];
	}
	return NULL;
}

static const struct option *
find_letter(char letter, const struct option *options, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (options[i].letter == letter)
			return &options[i];
	}
	return NULL;
}

static bool
unknown_option(struct str name, const struct option *options, size_t n, struct error *err)
{
	const char *names[64];
	const char *near;
	size_t count = 0;

	for (size_t i = 0; i < n && count < ARRAY_LEN(names); i++)
		names[count++] = options[i].name;
	near = suggest(name, names, count);
	(void)error_set(err, ERR_USAGE, "unknown option --" STR_FMT, STR_ARG(name));
	if (near != NULL)
		error_advise(err, "did you mean --%s?", near);
	return false;
}

static bool
take_duration(const struct option *o, const char *value, struct error *err)
{
	int64_t seconds;
	int64_t *to = o->to;

	if (str_to_int(str_from(value), &seconds) && seconds >= 0 && seconds < INT64_MAX / 1000) {
		*to = seconds * 1000;
		return true;
	}
	if (!duration_parse(str_from(value), to, NULL)) {
		(void)error_set(err, ERR_USAGE, "--%s: '%s' is not a duration", o->name, value);
		error_advise(err, "write it as 90s, 5m or 1h30m");
		return false;
	}
	return true;
}

static bool
take_value(const struct option *o, const char *value, struct error *err)
{
	switch (o->type) {
	case OPT_FLAG:
		if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
			return error_set(
			    err, ERR_USAGE, "--%s is true or false, not '%s'", o->name, value);
		*(bool *)o->to = strcmp(value, "true") == 0;
		return true;
	case OPT_TEXT:
		*(const char **)o->to = value;
		return true;
	case OPT_TEXTS:
		return words_add(o->to, value, err);
	case OPT_INT:
		if (!str_to_int(str_from(value), o->to))
			return error_set(
			    err, ERR_USAGE, "--%s: '%s' is not a whole number", o->name, value);
		return true;
	case OPT_NUMBER:
		if (!str_to_double(str_from(value), o->to))
			return error_set(
			    err, ERR_USAGE, "--%s: '%s' is not a number", o->name, value);
		return true;
	case OPT_DURATION:
		return take_duration(o, value, err);
	}
	return error_set(err, ERR_INTERNAL, "option --%s has no type", o->name);
}

/* The command line while it is read: argv[i] is the present word. */
struct reader {
	int argc, i;
	char **argv;
	const struct option *options;
	size_t n;
	struct args *ret;
};

/* "--name", "--name=value" or "--name value". */
static bool
take_long(struct reader *r, struct error *err)
{
	struct str name = str_from(r->argv[r->i] + 2);
	ptrdiff_t equals = str_find_char(name, '=');
	const char *value = NULL;
	const struct option *o;

	if (equals >= 0) {
		value = name.p + equals + 1;
		name.n = (size_t)equals;
	}
	if (str_is(name, "help")) {
		r->ret->help = true;
		return true;
	}
	o = find_long(name, r->options, r->n);
	if (o == NULL)
		return unknown_option(name, r->options, r->n, err);
	if (value == NULL && o->type == OPT_FLAG)
		value = "true";
	if (value == NULL) {
		if (r->i + 1 >= r->argc)
			return error_set(err, ERR_USAGE, "--%s wants a value", o->name);
		value = r->argv[++r->i];
	}
	return take_value(o, value, err);
}

/* "-f value", "-fvalue", "-f=value" or flags in a row, "-Aw". */
static bool
take_letters(struct reader *r, struct error *err)
{
	const char *p = r->argv[r->i] + 1;

	for (; *p != '\0'; p++) {
		const struct option *o = find_letter(*p, r->options, r->n);

		if (o == NULL && *p == 'h') {
			r->ret->help = true;
			continue;
		}
		if (o == NULL)
			return error_set(err, ERR_USAGE, "unknown option -%c", *p);
		if (o->type == OPT_FLAG) {
			*(bool *)o->to = true;
			continue;
		}
		if (p[1] != '\0')
			return take_value(o, p[1] == '=' ? p + 2 : p + 1, err);
		if (r->i + 1 >= r->argc)
			return error_set(err, ERR_USAGE, "-%c wants a value", *p);
		return take_value(o, r->argv[++r->i], err);
	}
	return true;
}

bool
args_parse(int argc, char **argv, const struct option *options, size_t n, struct args *ret,
    struct error *err)
{
	struct reader r = { argc, 1, argv, options, n, ret };

	for (; r.i < argc; r.i++) {
		const char *word = argv[r.i];
		bool ok;

		if (strcmp(word, "--") == 0) {
			while (++r.i < argc) {
				if (!words_add(&ret->rest, argv[r.i], err))
					return false;
			}
			return true;
		}
		if (strncmp(word, "--", 2) == 0)
			ok = take_long(&r, err);
		else if (word[0] == '-' && word[1] != '\0')
			ok = take_letters(&r, err);
		else
			ok = words_add(&ret->words, word, err);
		if (!ok)
			return false;
	}
	return true;
}

void
args_fini(struct args *a, const struct option *options, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct words *w = options[i].to;

		if (options[i].type != OPT_TEXTS)
			continue;
		mem_free(w->items);
		*w = (struct words){ 0 };
	}
	mem_free(a->words.items);
	mem_free(a->rest.items);
	*a = (struct args){ 0 };
}

void
args_help(struct text *out, const struct option *options, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct option *o = &options[i];
		struct text left = TEXT_INIT(128);

		if (o->letter != 0)
			text_printf(&left, "  -%c, --%s", o->letter, o->name);
		else
			text_printf(&left, "      --%s", o->name);
		if (o->what != NULL)
			text_printf(&left, " %s", o->what);
		text_printf(out, "%-34s %s\n", text_get(&left), o->help);
		text_free(&left);
	}
}
