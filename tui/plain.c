/*
 * Plain mode: no screen, no boxes, no colour, nothing that moves. One line for each change of a
 * state, in words, so that it can be read aloud, kept in a log or piped.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tui/app_int.h"
#include "tui/text.h"

enum { MAX_KNOWN = 20000 };

struct seen {
	uint64_t name;
	enum fleet_state state;
	uint64_t step;
};

struct plain {
	struct seen *seen;
	size_t n, cap;
	int64_t last_event_ms;
	bool first;
};

static bool
say(const struct text *t)
{
	size_t at = 0;

	while (at < t->n) {
		ssize_t n = write(STDOUT_FILENO, t->p + at, t->n - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += (size_t)n;
	}
	return true;
}

static struct seen *
seen_get(struct plain *p, struct str name)
{
	void *items = p->seen;
	uint64_t h = view_hash(name);

	for (size_t i = 0; i < p->n; i++)
		if (p->seen[i].name == h)
			return &p->seen[i];
	if (p->n == MAX_KNOWN || !mem_grow(&items, &p->cap, p->n + 1, sizeof(*p->seen)))
		return NULL;
	p->seen = items;
	p->seen[p->n] = (struct seen){ .name = h, .state = FLEET__MAX };
	return &p->seen[p->n++];
}

static void
cluster_line(const struct fleet *f, size_t i, struct text *out)
{
	const struct fleet_cluster *k = &f->clusters[i];
	char clock[AGE_MAX];

	clock_format(f->built_ms, true, clock);
	text_printf(out, "%s cluster " STR_FMT ", %zu of %zu: %s", clock, STR_ARG(k->name), i + 1,
	    f->nclusters, fleet_state_word(k->state));
	if (k->steps_total > 0 && k->steps_done < k->steps_total)
		text_printf(out, ", step %lld of %lld, " STR_FMT, (long long)k->steps_done,
		    (long long)k->steps_total, STR_ARG(k->step));
	if (k->message.n > 0 && k->state != FLEET_READY)
		text_printf(out, ": " STR_FMT, STR_ARG(k->message));
	text_add_char(out, '\n');
}

static void
changes(struct plain *p, const struct fleet *f, struct text *out)
{
	int64_t newest = p->last_event_ms;

	for (size_t i = 0; i < f->nclusters; i++) {
		const struct fleet_cluster *k = &f->clusters[i];
		struct seen *s = seen_get(p, k->name);
		uint64_t step = view_hash(k->step);

		if (s == NULL || (s->state == k->state && s->step == step))
			continue;
		s->state = k->state;
		s->step = step;
		cluster_line(f, i, out);
	}
	for (size_t i = f->nevents; i > 0; i--) {
		const struct fleet_event *e = &f->events[i - 1];
		char clock[AGE_MAX];

		if (e->last_ms > newest)
			newest = e->last_ms;
		if (!e->warning || p->first || e->last_ms <= p->last_event_ms)
			continue;
		clock_format(e->last_ms, true, clock);
		text_printf(out, "%s warning, " STR_FMT ", " STR_FMT ": " STR_FMT "\n", clock,
		    STR_ARG(e->object), STR_ARG(e->reason), STR_ARG(e->message));
	}
	p->last_event_ms = newest;
	p->first = false;
}

static bool
round_plain(struct app *a, struct plain *p, struct text *out)
{
	const struct fleet *before = a->console.fleet;

	app_take(a);
	if (a->console.fleet == NULL || a->console.fleet == before)
		return true;
	text_clear(out);
	if (p->first)
		text_printf(out, "profile " STR_FMT "%s%s, %zu clusters\n",
		    STR_ARG(a->console.fleet->profile),
		    a->console.fleet->practice ? ", practice" : "",
		    console_can_write(&a->console) ? "" : ", read-only",
		    a->console.fleet->nclusters);
	changes(p, a->console.fleet, out);
	return say(out);
}

bool
plain_run(struct app *a, struct error *err)
{
	struct plain p = { .first = true };
	struct text out = TEXT_INIT((size_t)4 * 1024 * 1024);
	struct pollfd fds[3] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = backend_wake_fd(a->backend), .events = POLLIN },
		{ .fd = screen_signal_fd(), .events = POLLIN },
	};
	bool alive = round_plain(a, &p, &out);

	while (alive && !a->ended) {
		char buf[256];
		int n = poll(fds, 3, -1);

		if (n < 0 && errno != EINTR) {
			(void)error_set(err, ERR_INTERNAL, "cannot wait for input");
			break;
		}
		if (n < 0)
			continue;
		if (fds[2].revents != 0)
			a->ended = (a->signal = screen_signal()) != 0;
		if (fds[1].revents != 0)
			alive = round_plain(a, &p, &out);
		if (fds[0].revents != 0) { /* "q" or the end of the input ends it */
			ssize_t got = read(STDIN_FILENO, buf, sizeof(buf));

			if (got <= 0 || buf[0] == 'q')
				alive = false;
		}
	}
	mem_free(p.seen);
	text_free(&out);
	return err == NULL || err->code == ERR_NONE;
}
