#ifndef TUI_APP_H
#define TUI_APP_H

/*
 * The console as a program: opens the backend and the terminal, and runs the event loop, the only
 * thread that touches the terminal. It sleeps in poll() on the terminal, the backend's wake-up, the
 * signal pipe and the clock; when nothing changes it wakes once a minute.
 *
 * Blocks until the operator leaves or the terminal goes away. The result is the exit status: 0 when
 * the operator left, 128 and the signal's number when one ended it (129 when the terminal
 * vanished), else that of the error, which is to be printed now that the terminal has been given
 * back.
 */

#include <stdbool.h>

#include "model/base/error.h"

struct app_options {
	const char *profile; /* NULL: FLIGHTDECK_PROFILE, else "default" */
	bool read_only;
	const char *theme;  /* NULL: from config.yaml, else "default" */
	bool no_color;	    /* also NO_COLOR */
	bool plain;	    /* lines instead of a screen: one for each change */
	const char *script; /* keys and waits from a file, on a screen in memory; NULL for none */
	int width, height;  /* of the screen in memory; 0 for 80x24 */
};

int app_run(const struct app_options *opt, struct error *err) MUST_CHECK;

#endif
