#ifndef TUI_CLI_ARGS_H
#define TUI_CLI_ARGS_H

/*
 * Command-line options as rows: name, letter, what it takes, where it goes, help. Long options may
 * be written "--name value" or "--name=value", flags "--name" or "--name=false"; "--" ends options.
 * Options and positional words may be mixed, as kubectl allows.
 *
 * Ownership: values borrow from argv; args_fini frees the lists. Threads: main only.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"

enum option_type {
	OPT_FLAG,     /* bool */
	OPT_TEXT,     /* const char * */
	OPT_TEXTS,    /* struct words, may be given several times, commas are kept */
	OPT_INT,      /* int64_t */
	OPT_NUMBER,   /* double */
	OPT_DURATION, /* int64_t in ms: "90s", "5m", or plain seconds */
};

enum { ARGS_MAX = 4096 };

struct words {
	const char **items;
	size_t n, cap;
};

struct option {
	const char *name; /* without dashes */
	char letter;	  /* or 0 */
	enum option_type type;
	void *to;
	const char *what; /* placeholder in the help, NULL for flags */
	const char *help;
};

struct args {
	struct words words; /* positional */
	struct words rest;  /* after "--" */
	bool help;	    /* --help or -h was given */
};

/* argv[0] is the verb. False: ERR_USAGE naming the option and the nearest one. */
bool args_parse(int argc, char **argv, const struct option *options, size_t n, struct args *ret,
    struct error *err) MUST_CHECK;
void args_fini(struct args *a, const struct option *options, size_t n);

bool words_add(struct words *w, const char *word, struct error *err) MUST_CHECK;

/* The options of a verb, one line each, aligned. */
void args_help(struct text *out, const struct option *options, size_t n);

#endif
