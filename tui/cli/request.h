#ifndef TUI_CLI_REQUEST_H
#define TUI_CLI_REQUEST_H

/*
 * One request to the backend, done now, its reply printed: what most verbs that change something
 * come down to.
 *
 * Threads: main only.
 */

#include "tui/cli/cli.h"

/* A request about one object; NULL without memory. Owned by the caller. */
struct request *cli_request(enum request_verb verb, const struct target *t, const char *ns);

/*
 * Takes *take, opens the backend, calls, prints the reply's text, behind the name of `about` unless
 * that is NULL; the exit code.
 */
int cli_send(struct request **take, const struct target *about);

/* "ic/NAME" as the only word; prints the usage error itself. */
bool cli_one_target(const char *verb, const struct words *w, struct target *ret, int *ret_code);

#endif
