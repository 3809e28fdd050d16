#ifndef TUI_APP_INT_H
#define TUI_APP_INT_H

/*
 * Shared by the files of the event loop: app.c, script.c, plain.c. Threads: main only.
 */

#include "backend/backend.h"
#include "tui/app.h"
#include "tui/console.h"
#include "tui/screen.h"

struct script;

struct app {
	const struct app_options *opt;
	struct backend *backend;
	struct screen *screen;
	struct console console;
	struct grid grid;
	struct input input;
	struct script *script;
	int clock_fd;	       /* timerfd: the next minute of the profile's clock */
	bool dirty;	       /* a frame is due */
	int64_t frame_mono_ms; /* of the last frame */
	bool ended;	       /* the terminal is gone or a signal ends us */
	int signal;	       /* that ended us, 0 for none */
};

enum { FRAME_MS = 40 }; /* at most 25 frames a second, whatever comes in */

int64_t app_mono_ms(void);
/* Takes what the backend has: snapshot and replies. */
void app_take(struct app *a);
bool app_frame(struct app *a);

/* Runs a script of keys; see script.c for its language. */
bool script_load(const char *path, struct script **ret_script, struct error *err) MUST_CHECK;
void script_free(struct script *s);
/* Does what can be done now; *ret_wait_ms is how long to sleep. False at the end or on failure. */
bool script_step(struct app *a, int *ret_wait_ms, struct error *err);

/* One line a change of state, until the input ends or a signal comes. */
bool plain_run(struct app *a, struct error *err) MUST_CHECK;

#endif
