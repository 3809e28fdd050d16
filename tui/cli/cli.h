#ifndef TUI_CLI_CLI_H
#define TUI_CLI_CLI_H

/*
 * The command line: one verb a row, one function a verb, each the main function of its verb
 * (argv[0] is the verb's name) that returns the exit code of DESIGN.md: 0 done, 1 failed, 2 usage,
 * 3 invalid input, 4 not found, 5 conflict, 6 timed out, 7 refused.
 *
 * Errors go to standard error as "flightdeck: message", its causes and "  -> advice"; what was
 * asked for goes to standard output. Everything printed for people has passed model/display.h.
 *
 * Threads: main only.
 */

#include <stdbool.h>
#include <stddef.h>

#include "backend/backend.h"
#include "tui/cli/args.h"

typedef int verb_fn(int argc, char **argv);

struct verb {
	const char *name;
	verb_fn *run;
	const char *usage;  /* what follows "flightdeck NAME" */
	const char *help;   /* one line */
	bool hears_signals; /* ends in order by itself; others end at once by SIGTERM and SIGHUP */
};

const struct verb *verb_find(struct str name); /* or NULL */
const struct verb *verbs_get(size_t *ret_n);

/* Dispatches argv[1]; without one opens the console. Returns the exit code. */
int cli_main(int argc, char **argv);

/* ---- what verbs share ---- */

/* Parses; prints help or the usage error itself. False: return *ret_code at once. */
bool cli_args(
    int argc, char **argv, const struct option *options, size_t n, struct args *ret, int *ret_code);
/* Prints the error and returns its exit code. */
int cli_fail(const struct error *err);
/* The same for a wrong use of the verb: adds its usage line; returns 2. */
int cli_usage(const char *verb, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Prints each problem as file:line:column: path: message; the exit code is 3 when one is an error.
 */
int cli_problems(const struct problems *p);

/* Opens the profile's backend for a verb, without snapshots. */
bool cli_open(
    enum backend_mode mode, bool snapshots, struct backend **ret, struct error *err) MUST_CHECK;

/* Waiting makes no sense where this verb itself holds the store: fills err and returns false. */
bool cli_nobody_works(struct error *err);

/*
 * Closes *b and attaches to the next owner, which may be starting: a restart takes a moment. Fails
 * with cli_nobody_works when none comes within a few seconds; *b may be NULL then.
 */
bool cli_reattach(struct backend **b, struct error *err) MUST_CHECK;

/* What a person names: "ic", "ic/NAME", "ic NAME ..."; name empty for all of a kind. */
struct target {
	const struct kind *kind;
	struct str name;
	struct str ns; /* as a manifest says; empty: as the command line does */
};

/* Reads words into targets. Owned by the caller (mem_free). */
bool cli_targets(
    const struct words *w, struct target **ret, size_t *ret_n, struct error *err) MUST_CHECK;
/* "inferencecluster/NAME" with the group for kinds outside the core, as kubectl prints it. */
void cli_object_name(const struct kind *k, struct str name, struct text *out);

/* Reads a file, or standard input for "-"; at most `limit` bytes. */
bool cli_read(const char *file, size_t limit, struct text *ret, struct error *err) MUST_CHECK;
/* Reads every -f (files, folders' *.yaml *.yml *.json, "-") into the set. */
bool cli_read_manifests(
    const struct words *files, struct manifest_set *m, struct error *err) MUST_CHECK;

/* Writes to standard output; display-cleans when `clean`. */
void cli_out(struct str text);
void cli_out_clean(struct str text);

/* Asks on the terminal; false when there is none or the answer differs from `expected`. */
bool cli_confirm(const char *question, struct str expected);

verb_fn cli_apply, cli_plan, cli_get, cli_describe, cli_tree, cli_delete, cli_wait, cli_scale,
    cli_upgrade, cli_taint, cli_untaint, cli_events, cli_kubeconfig, cli_login, cli_run,
    cli_practice, cli_sim, cli_completion, cli_version, cli_help;

#endif
