/*
 * The loop. Order of a round: signals, backend, input, clock, then at most one frame. Input is read
 * whole and handled key by key before the frame, so that a burst of keys costs one frame; changes
 * are gathered for FRAME_MS, so that a storm of them does not cost a frame each.
 */
#include "tui/app.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "tui/app_int.h"

int64_t
app_mono_ms(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
		return 1;
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000 + 1;
}

/* ---- what the console asks of the world ---- */

static uint64_t
io_submit(void *context, struct request **take, struct error *err)
{
	struct app *a = context;

	return link_submit(a, take, err);
}

static void
io_discard(void *context)
{
	struct app *a = context;

	input_discard(&a->input);
	if (a->screen != NULL)
		screen_discard(a->screen);
}

static bool
clipboard_is_on(const struct app *a)
{
	if (strcmp(a->console.config.clipboard, "on") == 0 ||
	    strcmp(a->console.config.clipboard, "true") == 0)
		return true;
	/* over SSH or in tmux nobody knows whose clipboard it would be: only when asked for */
	return strcmp(a->console.config.clipboard, "auto") == 0 &&
	       secure_getenv("SSH_TTY") == NULL && secure_getenv("TMUX") == NULL;
}

static bool
io_copy(void *context, struct str text)
{
	struct app *a = context;

	return clipboard_is_on(a) && screen_copy(a->screen, text);
}

static void
io_theme(void *context, const struct theme *t)
{
	struct app *a = context;

	if (a->screen != NULL)
		screen_set_theme(a->screen, t);
}

static void
suspend(struct app *a)
{
	a->suspend = false;
	if (!link_suspend(a, &a->failed))
		a->ended = true;
	a->dirty = true;
}

/* Done after the key: replies that it brings may take away the dialog that the key is for. */
static void
io_suspend(void *context)
{
	struct app *a = context;

	a->suspend = true;
}

static void
io_redraw(void *context)
{
	struct app *a = context;

	screen_redraw(a->screen);
}

/* ---- rounds ---- */

/* Wakes at the next minute of the profile's clock, which may run faster than ours. */
static void
clock_set(const struct app *a)
{
	int64_t left = 60000 - a->console.now_ms % 60000;
	double speed = a->console.speed > 0 ? a->console.speed : 1;
	int64_t ms = (int64_t)((double)left / speed) + 1;
	struct itimerspec t;

	if (ms < 1000)
		ms = 1000;
	memset(&t, 0, sizeof(t));
	t.it_value.tv_sec = ms / 1000;
	t.it_value.tv_nsec = ms % 1000 * 1000000;
	(void)timerfd_settime(a->clock_fd, 0, &t, NULL); /* without it the clock stands still */
}

void
app_take(struct app *a)
{
	const struct fleet *f;
	struct reply *r;

	backend_woken(a->backend);
	f = backend_fleet(a->backend);
	if (f != NULL && (a->console.fleet == NULL || f->revision != a->console.fleet->revision)) {
		console_set_fleet(&a->console, f);
		a->dirty = true;
	} else {
		fleet_unref(f);
	}
	while ((r = link_reply(a)) != NULL) {
		console_reply(&a->console, r);
		reply_free(r);
		a->dirty = true;
	}
}

bool
app_frame(struct app *a)
{
	int w = 0;
	int h = 0;

	a->dirty = false;
	a->console.now_ms = backend_now_ms(a->backend);
	a->console.mono_ms = app_mono_ms();
	a->frame_mono_ms = a->console.mono_ms;
	(void)screen_measure(a->screen, &w, &h);
	if (!grid_resize(&a->grid, w, h, NULL))
		return true; /* no memory for a bigger picture: try again at the next frame */
	console_draw(&a->console, &a->grid);
	return screen_show(a->screen, &a->grid);
}

static void
signals(struct app *a)
{
	int sig;

	while (!a->ended && (sig = screen_signal()) != 0) {
		switch (sig) {
		case SIGWINCH:
		case SIGCONT:
			a->dirty = true;
			break;
		case SIGTSTP:
			suspend(a);
			break;
		default:
			a->ended = true;
			a->signal = sig;
			break;
		}
	}
}

static void
keys(struct app *a)
{
	struct input_key k;

	while (!a->ended && !a->console.quit && input_next(&a->input, &k)) {
		a->console.now_ms = backend_now_ms(a->backend);
		a->console.mono_ms = app_mono_ms();
		console_key(&a->console, k);
		a->dirty = true;
		if (a->suspend)
			suspend(a);
	}
}

/* How long to sleep at most: a frame that is due, an ESC that may be alone, a line to take away. */
static int
patience(const struct app *a)
{
	int64_t now = app_mono_ms();
	int ms = -1;

	if (a->dirty) {
		int64_t left = a->frame_mono_ms + FRAME_MS - now;

		ms = left > 0 ? (int)left : 0;
	}
	if (input_is_waiting(&a->input))
		ms = ms < 0 || ms > INPUT_ESC_MS ? INPUT_ESC_MS : ms;
	if (a->input.pasting && (ms < 0 || ms > INPUT_PASTE_MS))
		ms = INPUT_PASTE_MS;
	if (a->console.toast_mono_ms > 0) {
		int64_t left = a->console.toast_mono_ms + TOAST_MS - now + 1;

		if (left > 0 && (ms < 0 || left < ms))
			ms = (int)left;
	}
	return ms;
}

static void
toast_expire(struct app *a)
{
	if (a->console.toast_mono_ms > 0 && app_mono_ms() - a->console.toast_mono_ms >= TOAST_MS) {
		a->console.toast_mono_ms = 0;
		a->dirty = true;
	}
}

enum { P_TTY, P_WAKE, P_SIGNAL, P_CLOCK, P__MAX };

static void
round_done(struct app *a, const struct pollfd *p, int n)
{
	if (p[P_SIGNAL].revents != 0)
		signals(a);
	if (!a->ended && p[P_WAKE].revents != 0) {
		app_take(a);
		link_follow(a);
	}
	if (!a->ended && p[P_CLOCK].revents != 0) {
		uint64_t times;

		if (read(a->clock_fd, &times, sizeof(times)) == (ssize_t)sizeof(times))
			a->dirty = true;
		a->console.now_ms = backend_now_ms(a->backend);
		clock_set(a);
	}
	if ((p[P_TTY].revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) != 0 &&
	    !screen_read(a->screen, &a->input))
		a->ended = true;
	else if (n == 0 && input_is_waiting(&a->input))
		input_timeout(&a->input);
	if (p[P_TTY].revents != 0)
		a->input_mono_ms = app_mono_ms();
	else if (a->input.pasting && app_mono_ms() - a->input_mono_ms >= INPUT_PASTE_MS)
		input_paste_stalled(&a->input);
	keys(a);
	toast_expire(a);
}

/* Something changed and the last frame is long enough ago; or the terminal takes bytes again. */
static bool
frame_is_due(const struct app *a, const struct pollfd *tty)
{
	if (screen_is_behind(a->screen))
		return (tty->revents & POLLOUT) != 0;
	return a->dirty && app_mono_ms() - a->frame_mono_ms >= FRAME_MS;
}

static bool
loop(struct app *a, struct error *err)
{
	struct pollfd p[P__MAX] = {
		[P_TTY] = { .fd = screen_fd(a->screen), .events = POLLIN },
		[P_WAKE] = { .fd = backend_wake_fd(a->backend), .events = POLLIN },
		[P_SIGNAL] = { .fd = screen_signal_fd(), .events = POLLIN },
		[P_CLOCK] = { .fd = a->clock_fd, .events = POLLIN },
	};

	app_take(a);
	a->dirty = true;
	clock_set(a);
	while (!a->ended && !a->console.quit) {
		int ms = patience(a);
		int n;

		if (a->script != NULL) {
			int wait = 0;

			if (!script_step(a, &wait, err))
				return err == NULL || err->code == ERR_NONE;
			ms = ms < 0 || wait < ms ? wait : ms;
		}
		/* while the terminal takes nothing, wait for it instead of for the next frame */
		p[P_WAKE].fd = backend_wake_fd(a->backend);
		p[P_TTY].events = (short)(POLLIN | (screen_is_behind(a->screen) ? POLLOUT : 0));
		n = poll(p, P__MAX, ms);
		if (n < 0 && errno != EINTR)
			return error_set(err, ERR_INTERNAL, "cannot wait for input");
		if (n >= 0)
			round_done(a, p, n);
		if (!a->ended && frame_is_due(a, &p[P_TTY]) && !app_frame(a))
			a->ended = true;
	}
	if (a->failed.code != ERR_NONE)
		*err = a->failed;
	return a->failed.code == ERR_NONE;
}

/* ---- start and end ---- */

static bool
no_colour(const struct app_options *opt)
{
	const char *env = secure_getenv("NO_COLOR");

	return opt->no_color || (env != NULL && env[0] != '\0');
}

static bool
console_start(struct app *a, struct error *err)
{
	struct console_io io = { .context = a,
		.submit = io_submit,
		.discard = io_discard,
		.copy = io_copy,
		.set_theme = io_theme,
		.suspend = io_suspend,
		.redraw = io_redraw };
	struct config config;
	struct theme theme;

	if (!console_init(&a->console, &io, err) || !config_load(&config, err))
		return false;
	a->console.config = config;
	a->console.no_colour = no_colour(a->opt);
	if (!theme_load(a->opt->theme != NULL ? a->opt->theme : config.theme, &theme, err))
		return false;
	if (a->console.no_colour)
		theme_without_colour(&theme);
	a->console.theme = theme;
	link_facts(a);
	return true;
}

static bool
terminal_start(struct app *a, struct error *err)
{
	if (a->opt->script != NULL) {
		if (!script_load(a->opt->script, &a->script, err))
			return false;
		return screen_open_memory(a->opt->width, a->opt->height, &a->screen, err);
	}
	return screen_open(&a->screen, err);
}

static bool
is_plain(const struct app_options *opt)
{
	const char *term = secure_getenv("TERM");

	return opt->plain || (opt->script == NULL && term != NULL && strcmp(term, "dumb") == 0);
}

/* What became of it as a shell says it. */
static int
exit_status(const struct app *a, bool ok, const struct error *err)
{
	if (!ok)
		return error_exit_code(err);
	if (a->signal != 0)
		return 128 + a->signal;
	return a->ended ? 128 + SIGHUP : 0;
}

int
app_run(const struct app_options *opt, struct error *err)
{
	struct app *a = mem_new(sizeof(*a));
	bool ok = false;
	int status;

	error_clear(err);
	if (a == NULL) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory for the console");
		return error_exit_code(err);
	}
	a->opt = opt;
	input_init(&a->input);
	a->clock_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (a->clock_fd < 0) {
		(void)error_set(err, ERR_INTERNAL, "cannot make a timer");
		goto out;
	}
	if (!screen_signals(err) || !link_open(a, err) || !console_start(a, err))
		goto out;
	if (is_plain(opt)) {
		ok = plain_run(a, err);
		goto out;
	}
	if (!terminal_start(a, err))
		goto out;
	screen_set_theme(a->screen, &a->console.theme);
	ok = loop(a, err);
out:
	screen_close(a->screen);
	script_free(a->script);
	console_fini(&a->console);
	link_close(a);
	grid_fini(&a->grid);
	if (a->clock_fd >= 0)
		(void)close(a->clock_fd);
	status = exit_status(a, ok, err);
	mem_free(a);
	return status;
}
