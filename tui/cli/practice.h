#ifndef TUI_CLI_PRACTICE_H
#define TUI_CLI_PRACTICE_H

/*
 * The simulator as a child process. It is a program of its own, found beside this one, and known
 * here by its name and its command line only.
 *
 * Ownership: simulator_stop ends it and waits. Threads: main only.
 */

#include <sys/types.h>

#include "tui/cli/cli.h"

struct simulator {
	pid_t pid; /* 0 when it does not run */
};

struct simulator_options {
	const struct practice_settings *settings;
	const char *fault; /* what goes wrong, or NULL */
	double workload;   /* share of the GPUs that a workload holds, 0 to 1 */
};

/* Starts it and waits for its ready line, parsed into *ret_endpoints (in the arena). */
bool simulator_start(const struct simulator_options *opt, struct arena *a, struct simulator *ret,
    struct node **ret_endpoints, struct error *err) MUST_CHECK;
void simulator_stop(struct simulator *s);

/* Owned path of the simulator's program. */
char *simulator_path(struct error *err);
/* What "flightdeck-sim ARGS" prints. */
bool simulator_ask(char *const args[], struct text *ret, struct error *err) MUST_CHECK;

#endif
