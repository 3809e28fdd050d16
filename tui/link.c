/*
 * The console's link to the backend: opened at the start, handed over while we are stopped, and
 * made anew when the owner that we were attached to has gone (DESIGN: an attached console takes the
 * lock over). Ids of requests stay unique over all of that; what a backend did not answer before it
 * went is answered here, as unknown.
 */
#include <stdio.h>

#include "tui/app_int.h"

enum { LOOK_AGAIN_MS = 10000 };

static struct backend_options
options(const struct app *a)
{
	return (struct backend_options){
		.profile = a->opt->profile,
		.mode = a->opt->read_only ? BACKEND_OBSERVE : BACKEND_AUTO,
		.snapshots = true,
		.read_only = a->opt->read_only,
	};
}

void
link_facts(struct app *a)
{
	struct console *c = &a->console;
	const char *owner = backend_owner_text(a->backend);

	c->read_only = backend_read_only(a->backend);
	c->owns = backend_is_owner(a->backend);
	c->practice = backend_is_practice(a->backend);
	c->speed = backend_speed(a->backend);
	c->now_ms = backend_now_ms(a->backend);
	c->mono_ms = app_mono_ms();
	(void)snprintf(c->state_dir, sizeof(c->state_dir), "%s", backend_state_dir(a->backend));
	/* attached with the right to write there is nothing to warn about */
	(void)snprintf(c->owner, sizeof(c->owner), "%s", c->read_only ? owner : "");
}

bool
link_open(struct app *a, struct error *err)
{
	struct backend_options o = options(a);

	return backend_open(&o, &a->backend, err);
}

void
link_close(struct app *a)
{
	backend_successor_free(a->successor);
	a->successor = NULL;
	backend_close(a->backend);
	a->backend = NULL;
}

/* ---- requests ---- */

uint64_t
link_submit(struct app *a, struct request **take, struct error *err)
{
	uint64_t id;

	if (a->nwaiting == LINK_MAX_WAITING) {
		(void)error_set(err, ERR_THROTTLED, "too much is asked already: wait a moment");
		return 0;
	}
	id = backend_submit(a->backend, take, err);
	if (id == 0)
		return 0;
	a->last_id = a->id_base + id;
	a->waiting[a->nwaiting++] = a->last_id;
	return a->last_id;
}

struct reply *
link_reply(struct app *a)
{
	struct reply *r = backend_reply(a->backend);

	if (r == NULL)
		return NULL;
	r->id += a->id_base;
	for (size_t i = 0; i < a->nwaiting; i++) {
		if (a->waiting[i] == r->id) {
			a->waiting[i] = a->waiting[--a->nwaiting];
			break;
		}
	}
	return r;
}

/* What the backend that goes has not answered. */
static void
unanswered_tell(struct app *a)
{
	while (a->nwaiting > 0) {
		struct reply r = { .id = a->waiting[--a->nwaiting] };

		(void)error_set(&r.err, ERR_UNKNOWN_OUTCOME,
		    "the owner went before it answered: look whether it was done");
		console_reply(&a->console, &r);
	}
	a->id_base = a->last_id;
}

/* ---- from one backend to the next ---- */

static void
swap(struct app *a, struct backend *fresh)
{
	bool looked = backend_read_only(a->backend);

	app_take(a); /* the last replies */
	unanswered_tell(a);
	backend_close(a->backend);
	a->backend = fresh;
	link_facts(a);
	console_say(&a->console, ROLE_WARN,
	    looked	      ? "this console can write now"
	    : a->console.owns ? "the owner went: this console does its work now"
			      : "the owner went: attached to the next one");
	app_take(a);
	a->dirty = true;
}

void
link_follow(struct app *a)
{
	const struct fleet *f = a->console.fleet;
	bool lost = f != NULL && !f->connected && !backend_is_owner(a->backend);
	/* only looking was no choice: the disk was full, or an owner did not answer */
	bool looking = backend_read_only(a->backend);
	bool again = looking && app_mono_ms() - a->tried_mono_ms >= LOOK_AGAIN_MS;
	struct backend_options o = options(a);
	struct backend *fresh = NULL;

	if (a->opt->read_only)
		return; /* it finds the next owner by the socket, without the lock */
	if (a->successor == NULL) {
		if (!lost && !again)
			return;
		a->tried_mono_ms = app_mono_ms();
		(void)!backend_successor_start(a->backend, &o, &a->successor, NULL);
		return;
	}
	if (!backend_successor_take(&a->successor, &fresh, NULL) || fresh == NULL)
		return;
	if (lost || backend_is_owner(fresh) || (looking && !backend_read_only(fresh)))
		swap(a, fresh);
	else
		backend_close(fresh); /* the old one found the new owner by itself */
}

/* A stopped owner would stop the fleet's work and keep everybody else out. */
bool
link_suspend(struct app *a, struct error *err)
{
	bool owner = backend_is_owner(a->backend) && !backend_is_practice(a->backend);

	if (!owner) {
		screen_suspend(a->screen);
		return true;
	}
	app_take(a);
	unanswered_tell(a);
	link_close(a);
	screen_suspend(a->screen);
	if (!link_open(a, err))
		return false;
	link_facts(a);
	app_take(a);
	return true;
}
