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
	int64_t input_mono_ms; /* when the terminal last sent something */
	bool suspend;	       /* Ctrl-Z was pressed */
	int64_t frame_mono_ms; /* of the last frame */
	bool ended;	       /* the terminal is gone or a signal ends us */
	int signal;	       /* that ended us, 0 for none */
	struct error failed;   /* the backend could not be opened again */

	/* link.c */
	struct successor *successor; /* the next backend, being opened; NULL */
	int64_t tried_mono_ms;	     /* when one was last opened */
	uint64_t id_base, last_id;   /* ids of requests: over all backends */
	uint64_t waiting[64];	     /* requests without a reply */
	size_t nwaiting;
};

enum { LINK_MAX_WAITING = 64 };

enum { FRAME_MS = 40 }; /* at most 25 frames a second, whatever comes in */

int64_t app_mono_ms(void);
/* Takes what the backend has: snapshot and replies. */
void app_take(struct app *a);
bool app_frame(struct app *a);

/* ---- link.c: the link to the backend ---- */

bool link_open(struct app *a, struct error *err) MUST_CHECK;
void link_close(struct app *a);
/* What the console shows about the backend. */
void link_facts(struct app *a);
uint64_t link_submit(struct app *a, struct request **take, struct error *err) MUST_CHECK;
struct reply *link_reply(struct app *a); /* NULL when there is none */
/* Each round: takes the lock over when the owner that we are attached to has gone. */
void link_follow(struct app *a);
/* Stops this process as Ctrl-Z does; an owner hands over before. False: no backend afterwards. */
bool link_suspend(struct app *a, struct error *err) MUST_CHECK;

/* Runs a script of keys; see script.c for its language. */
bool script_load(const char *path, struct script **ret_script, struct error *err) MUST_CHECK;
void script_free(struct script *s);
/* Does what can be done now; *ret_wait_ms is how long to sleep. False at the end or on failure. */
bool script_step(struct app *a, int *ret_wait_ms, struct error *err);

/* One line a change of state, until the input ends or a signal comes. */
bool plain_run(struct app *a, struct error *err) MUST_CHECK;

#endif
