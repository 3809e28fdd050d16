/*
 * How the terminal survives us. ncurses would restore it at endwin, but a fatal signal may come
 * while ncurses is in the middle of a frame, holding a lock of malloc. So the bytes that undo
 * everything (paste mode off, cursor on, attributes off, main screen) are collected once from
 * terminfo, and the handler sends them with write and puts the line discipline back with tcsetattr:
 * both are async-signal-safe. Then the signal is raised again, so that the shell sees how we ended.
 *
 * SIGTERM and SIGHUP go through a pipe to the loop, which ends in order. Should the loop be stuck
 * in a write to a stopped terminal, an alarm of one second ends the process the fatal way: what
 * keeps money safe is the durable intent in the store, not a clean end.
 */
#include "tui/screen.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "model/base/mem.h"
#include "tui/text.h"

enum { RESTORE_MAX = 256, COPY_MAX = 16 * 1024, DYING_S = 1, SCROLL_LEAST = 3 };

struct screen {
	SCREEN *term; /* NULL: memory back end */
	int w, h;
	int colours;
	bool utf8;
	bool behind;
	bool paste; /* the terminal knows bracketed paste */
	bool curses_cursor;
	struct theme theme;
	struct grid shown; /* what ncurses was last told */
	bool whole;
};

/* What a handler may need: set while a terminal is open (style.md 8: the allowed globals). */
static struct {
	char bytes[RESTORE_MAX];
	volatile sig_atomic_t n;
	volatile sig_atomic_t active;
	struct termios before;
} restore;
static int signal_pipe[2] = { -1, -1 };

/* ---- signals ---- */

static void
restore_now(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	if (restore.active == 0)
		return;
	restore.active = 0;
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &restore.before);
	if (poll(&p, 1, 0) > 0 && (p.revents & POLLOUT) != 0) {
		ssize_t ignored = write(STDOUT_FILENO, restore.bytes, (size_t)restore.n);

		(void)ignored; /* nobody is left to tell */
	}
}

static void
on_fatal(int sig)
{
	restore_now();
	(void)signal(sig, SIG_DFL);
	(void)raise(sig);
}

static void
on_alarm(int sig)
{
	restore_now();
	_exit(128 + (sig == SIGALRM ? SIGTERM : sig));
}

static void
on_signal(int sig)
{
	unsigned char b = (unsigned char)sig;
	int saved = errno;
	ssize_t ignored;

	if (sig == SIGHUP || sig == SIGTERM)
		(void)alarm(DYING_S);
	ignored = write(signal_pipe[1], &b, 1);
	(void)ignored; /* the pipe is full: the loop has enough to do already */
	errno = saved;
}

static bool
handle(int sig, void (*fn)(int), bool fatal, struct error *err)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	(void)sigemptyset(&sa.sa_mask);
	sa.sa_handler = fn;
	sa.sa_flags = fatal ? (int)(SA_NODEFER | SA_RESETHAND) : SA_RESTART;
	if (sigaction(sig, &sa, NULL) != 0)
		return error_set(err, ERR_INTERNAL, "cannot handle signal %d", sig);
	return true;
}

bool
screen_signals(struct error *err)
{
	static const int heard[] = { SIGHUP, SIGTERM, SIGINT, SIGQUIT, SIGWINCH, SIGCONT, SIGTSTP };
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	sigset_t open_set;
	bool ok = true;

	if (signal_pipe[0] < 0 && pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
		return error_set(err, ERR_INTERNAL, "cannot make a pipe for signals");
	for (size_t i = 0; ok && i < ARRAY_LEN(heard); i++)
		ok = handle(heard[i], on_signal, false, err);
	for (size_t i = 0; ok && i < ARRAY_LEN(fatal); i++)
		ok = handle(fatal[i], on_fatal, true, err);
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): SIG_IGN is the system's */
	ok = ok && handle(SIGPIPE, SIG_IGN, false, err);
	ok = ok && handle(SIGALRM, on_alarm, false, err);
	/* whoever started us may have blocked them; threads block all for themselves */
	(void)sigemptyset(&open_set);
	for (size_t i = 0; i < ARRAY_LEN(heard); i++)
		(void)sigaddset(&open_set, heard[i]);
	(void)sigaddset(&open_set, SIGALRM);
	if (ok && pthread_sigmask(SIG_UNBLOCK, &open_set, NULL) != 0)
		return error_set(err, ERR_INTERNAL, "cannot take signals");
	return ok;
}

int
screen_signal_fd(void)
{
	return signal_pipe[0];
}

int
screen_signal(void)
{
	unsigned char b;

	return read(signal_pipe[0], &b, 1) == 1 ? b : 0;
}

/* ---- opening and closing ---- */

static void
restore_add(const char *bytes)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): -1 is terminfo's mark of a cancelled entry */
	size_t n = bytes == NULL || bytes == (const char *)-1 ? 0 : strlen(bytes);
	size_t have = (size_t)restore.n;

	if (n == 0 || have + n > RESTORE_MAX)
		return;
	memcpy(restore.bytes + have, bytes, n);
	restore.n = (sig_atomic_t)(have + n);
}

static const char *
capability(const char *name)
{
	char buf[16]; /* terminfo names are short; the library wants a writable one */

	(void)snprintf(buf, sizeof(buf), "%s", name);
	return tigetstr(buf);
}

static void
restore_prepare(const struct screen *s)
{
	restore.n = 0;
	if (s->paste)
		restore_add("\033[?2004l");
	restore_add(capability("sgr0"));
	restore_add(capability("cnorm"));
	restore_add(capability("rmcup"));
	restore_add("\r");
	restore.active = 1;
}

static void
send_bytes(const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t done = write(STDOUT_FILENO, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return;
		bytes += done;
		n -= (size_t)done;
	}
}

static void
paste_mode(const struct screen *s, bool on)
{
	if (s->paste)
		send_bytes(on ? "\033[?2004h" : "\033[?2004l", 8);
}

static bool
knows_paste(const char *term)
{
	static const char *const without[] = { "dumb", "vt", "linux", "ansi", "cons" };

	for (size_t i = 0; i < ARRAY_LEN(without); i++)
		if (strncmp(term, without[i], strlen(without[i])) == 0)
			return false;
	return true;
}

bool
screen_open_memory(int w, int h, struct screen **ret_screen, struct error *err)
{
	struct screen *s = mem_new(sizeof(*s));

	if (s == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a screen");
	s->colours = 256;
	s->utf8 = true;
	screen_set_size(s, w, h);
	*ret_screen = s;
	return true;
}

static void
modes(void)
{
	(void)raw();
	(void)noecho();
	(void)nonl();
	(void)intrflush(stdscr, FALSE);
	(void)idlok(stdscr, FALSE);
	(void)leaveok(stdscr, FALSE);
	(void)scrollok(stdscr, FALSE);
	(void)typeahead(-1); /* a frame is sent whole, whatever is typed meanwhile */
	(void)curs_set(0);
}

static void
start_colours(struct screen *s)
{
	s->colours = 0;
	if (has_colors() && start_color() == OK) {
		(void)use_default_colors();
		s->colours = COLORS;
	}
	theme_default(&s->theme);
	screen_set_theme(s, &s->theme);
}

bool
screen_open(struct screen **ret_screen, struct error *err)
{
	struct screen *s;
	const char *term = secure_getenv("TERM");
	const char *codeset;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return error_set(err, ERR_USAGE, "the console needs a terminal");
	s = mem_new(sizeof(*s));
	if (s == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a screen");
	/* NOLINTBEGIN(concurrency-mt-unsafe): before the first frame; no other thread asks for it
	 */
	codeset = setlocale(LC_ALL, "");
	if (codeset == NULL)
		(void)setlocale(LC_ALL, "C.UTF-8");
	/* NOLINTEND(concurrency-mt-unsafe) */
	s->utf8 = MB_CUR_MAX > 1;
	if (tcgetattr(STDIN_FILENO, &restore.before) != 0) {
		mem_free(s);
		return error_set(err, ERR_IO, "the terminal does not answer");
	}
	s->term = newterm(NULL, stdout, stdin);
	if (s->term == NULL) {
		mem_free(s);
		return error_set(err, ERR_USAGE, "terminal type '%s' is not known here: set TERM",
		    term != NULL ? term : "");
	}
	/* Emulators that call themselves xterm do not all know how to repeat a character. */
	repeat_char = NULL;
	s->paste = term != NULL && knows_paste(term);
	restore_prepare(s);
	modes();
	start_colours(s);
	paste_mode(s, true);
	(void)screen_measure(s, &s->w, &s->h);
	s->whole = true;
	*ret_screen = s;
	return true;
}

void
screen_close(struct screen *s)
{
	if (s == NULL)
		return;
	if (s->term != NULL) {
		restore.active = 0;
		(void)curs_set(1);
		(void)endwin();
		paste_mode(s, false);
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &restore.before);
		delscreen(s->term);
	}
	grid_fini(&s->shown);
	mem_free(s);
}

/* ---- size, colours ---- */

int
screen_fd(const struct screen *s)
{
	return s->term != NULL ? STDIN_FILENO : -1;
}

static int
bounded(int n, int max, int otherwise)
{
	return n < 1 ? otherwise : n > max ? max : n;
}

void
screen_set_size(struct screen *s, int w, int h)
{
	s->w = bounded(w, GRID_MAX_W, 80);
	s->h = bounded(h, GRID_MAX_H, 24);
}

bool
screen_measure(struct screen *s, int *ret_w, int *ret_h)
{
	struct winsize ws;
	int w = s->w;
	int h = s->h;
	bool changed;

	if (s->term != NULL) {
		memset(&ws, 0, sizeof(ws));
		if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) != 0)
			memset(&ws, 0, sizeof(ws));
		w = bounded(ws.ws_col, GRID_MAX_W, 80);
		h = bounded(ws.ws_row, GRID_MAX_H, 24);
		if (w != COLS || h != LINES) {
			(void)resizeterm(h, w);
			s->whole = true;
		}
	}
	changed = w != s->w || h != s->h;
	s->w = *ret_w = w;
	s->h = *ret_h = h;
	return changed;
}

int
screen_colours(const struct screen *s)
{
	return s->colours;
}

void
screen_set_theme(struct screen *s, const struct theme *t)
{
	s->theme = *t;
	s->whole = true;
	if (s->term == NULL || s->colours < 8)
		return;
	theme_reduce(&s->theme, s->colours);
	for (int i = 0; i < ROLE__MAX; i++)
		(void)init_pair((short)(i + 1), s->theme.styles[i].fg, s->theme.styles[i].bg);
}

/* ---- showing ---- */

static attr_t
attributes(const struct screen *s, const struct cell *c)
{
	unsigned a = s->theme.styles[c->role].attr | (unsigned)c->attr;
	attr_t out = A_NORMAL;

	if (a & ATTR_BOLD)
		out |= A_BOLD;
	if (a & ATTR_DIM)
		out |= A_DIM;
	if (a & ATTR_REVERSE)
		out |= A_REVERSE;
	if (a & ATTR_UNDERLINE)
		out |= A_UNDERLINE;
	return out;
}

static void
cell_send(const struct screen *s, int x, int y, const struct cell *c)
{
	wchar_t text[2 + GRID_MAX_MARKS] = { 0 };
	cchar_t out;
	size_t n = 0;

	text[n++] = c->ch < 0x80 || s->utf8 ? (wchar_t)c->ch : L'?';
	for (int i = 0; s->utf8 && i < GRID_MAX_MARKS && c->marks[i] != 0; i++)
		text[n++] = (wchar_t)c->marks[i];
	if (setcchar(&out, text, attributes(s, c),
		s->colours >= 8 ? (short)(c->role + 1) : (short)0, NULL) == OK)
		(void)mvadd_wch(y, x, &out);
	if (!s->utf8 && cell_width(c->ch) == 2)
		(void)mvaddch(y, x + 1, ' ');
}

static bool
same_cell(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->role == b->role && a->attr == b->attr &&
	       a->marks[0] == b->marks[0] && a->marks[1] == b->marks[1];
}

static bool
can_write(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&p, 1, 0) != 0;
}

/* Sends what differs in one row. */
static void
row_send(struct screen *s, const struct grid *g, int y)
{
	const struct cell *row = &g->cells[(size_t)y * (size_t)g->w];
	const struct cell *shown = &s->shown.cells[(size_t)y * (size_t)g->w];

	for (int x = 0; x < g->w; x++)
		if (row[x].ch != 0 && (s->whole || !same_cell(&row[x], &shown[x])))
			cell_send(s, x, y, &row[x]);
}

static uint64_t
row_hash(const struct grid *g, int y)
{
	const struct cell *row = &g->cells[(size_t)y * (size_t)g->w];
	uint64_t h = 14695981039346656037ULL;

	for (int x = 0; x < g->w; x++)
		h = (h ^ row[x].ch) * 1099511628211ULL;
	return h;
}

/* Whether what stood in row y stands in another one now. */
static bool
row_has_moved(uint64_t before, int y, const uint64_t *now, int h)
{
	if (now[y] == before)
		return false;
	for (int i = 0; i < h; i++)
		if (now[i] == before)
			return true;
	return false;
}

/*
 * Rows that move are written anew: otherwise ncurses moves them with scrolling commands (SU, SD) as
 * soon as three of them go together, which terminals and recorders with a small vocabulary ignore,
 * and then the picture is wrong until the next whole frame. It finds them by what it believes to be
 * on the screen; told that those rows are lost, it cannot.
 */
static void
cells_send(struct screen *s, const struct grid *g)
{
	uint64_t now[GRID_MAX_H];
	bool moved[GRID_MAX_H];
	int n = 0;

	for (int y = 0; y < g->h; y++)
		now[y] = row_hash(g, y);
	for (int y = 0; y < g->h; y++) {
		moved[y] = row_has_moved(row_hash(&s->shown, y), y, now, g->h);
		n += moved[y] ? 1 : 0;
		row_send(s, g, y);
	}
	for (int y = 0; y < g->h && n >= SCROLL_LEAST && !s->whole; y++)
		if (moved[y])
			(void)wredrawln(stdscr, y, 1);
}

bool
screen_show(struct screen *s, const struct grid *g)
{
	if (s->shown.w != g->w || s->shown.h != g->h)
		s->whole = true;
	if (!grid_resize(&s->shown, g->w, g->h, NULL))
		return true; /* no memory: the old picture stays */
	if (s->term != NULL) {
		if (!can_write()) {
			s->behind = true;
			return true;
		}
		if (s->whole)
			(void)clearok(stdscr, TRUE);
		cells_send(s, g);
		if (g->cursor != s->curses_cursor)
			(void)curs_set(g->cursor ? 1 : 0);
		s->curses_cursor = g->cursor;
		(void)move(g->cursor ? g->cursor_y : g->h - 1, g->cursor ? g->cursor_x : g->w - 1);
		if (refresh() == ERR)
			return false;
	}
	memcpy(s->shown.cells, g->cells, sizeof(*g->cells) * (size_t)g->w * (size_t)g->h);
	s->behind = false;
	s->whole = false;
	return true;
}

bool
screen_is_behind(const struct screen *s)
{
	return s->behind;
}

void
screen_redraw(struct screen *s)
{
	s->whole = true;
}

/* ---- input ---- */

bool
screen_read(struct screen *s, struct input *in)
{
	unsigned char buf[256];
	ssize_t n;

	if (s->term == NULL)
		return true;
	n = read(STDIN_FILENO, buf, sizeof(buf));
	if (n == 0)
		return false;
	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	/* what does not fit the queue was typed faster than anybody can mean it */
	(void)input_feed(in, buf, (size_t)n);
	return true;
}

void
screen_discard(struct screen *s)
{
	if (s->term != NULL)
		(void)tcflush(STDIN_FILENO, TCIFLUSH);
}

void
screen_suspend(struct screen *s)
{
	struct sigaction stop;
	struct sigaction saved;

	if (s->term == NULL)
		return;
	restore.active = 0;
	paste_mode(s, false);
	(void)curs_set(1);
	(void)endwin();
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &restore.before);
	memset(&stop, 0, sizeof(stop));
	(void)sigemptyset(&stop.sa_mask);
	stop.sa_handler = SIG_DFL;
	(void)sigaction(SIGTSTP, &stop, &saved);
	(void)kill(0, SIGTSTP);
	/* stopped here until SIGCONT */
	(void)sigaction(SIGTSTP, &saved, NULL);
	restore.active = 1;
	modes();
	(void)refresh();
	paste_mode(s, true);
	s->curses_cursor = false;
	s->whole = true;
}

void
screen_bell(struct screen *s)
{
	if (s->term != NULL)
		(void)beep();
}

bool
screen_copy(struct screen *s, struct str text)
{
	struct text out = TEXT_INIT((size_t)COPY_MAX * 2);
	struct error err;
	bool ok = false;

	if (s->term == NULL || !s->paste || text.n > COPY_MAX || !can_write())
		return false;
	text_add(&out, "\033]52;c;");
	text_add_base64(&out, text);
	text_add(&out, "\a");
	if (text_ok(&out, "clipboard", &err)) {
		send_bytes(out.p, out.n);
		ok = true;
	}
	text_free(&out);
	return ok;
}
