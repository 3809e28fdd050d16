#include "tui/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tui/panes/panes.h"
#include "tui/text.h"
#include "tui/widgets/dialog.h"
#include "tui/widgets/prompt.h"

static const struct pane *const panes[] = {
	&clusters_pane,
	&pools_pane,
	&gpus_pane,
	&caches_pane,
	&events_pane,
	&classes_pane,
};

const struct pane *const *
panes_get(size_t *ret_n)
{
	*ret_n = ARRAY_LEN(panes);
	return panes;
}

const struct pane *
pane_find(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(panes); i++)
		if (str_is(name, panes[i]->name))
			return panes[i];
	return NULL;
}

bool
console_init(struct console *c, const struct console_io *io, struct error *err)
{
	memset(c, 0, sizeof(*c));
	c->io = *io;
	c->speed = 1;
	config_default(&c->config);
	theme_default(&c->theme);
	console_go(c, &clusters_pane, NULL, false);
	if (c->nviews == 0)
		return error_set(err, ERR_NO_MEMORY, "no memory for the console");
	return true;
}

void
console_fini(struct console *c)
{
	while (c->nlayers > 0)
		console_pop(c);
	while (c->nviews > 0)
		view_free(c->views[--c->nviews]);
	fleet_unref(c->fleet);
	c->fleet = NULL;
}

struct view *
console_view(struct console *c)
{
	return c->views[c->nviews - 1];
}

struct layer *
console_top(struct console *c)
{
	return c->nlayers > 0 ? c->layers[c->nlayers - 1] : NULL;
}

void
console_set_fleet(struct console *c, const struct fleet *f)
{
	if (c->paused && c->fleet != NULL) {
		fleet_unref(f);
		return;
	}
	fleet_unref(c->fleet);
	c->fleet = f;
	for (size_t i = 0; i < c->nviews; i++)
		c->views[i]->fleet = f;
}

/* ---- views ---- */

static void
remember(struct console *c, const struct view *v)
{
	if (c->at_history + 1 < c->nhistory)
		c->nhistory = c->at_history + 1;
	if (c->nhistory == CONSOLE_MAX_HISTORY) {
		memmove(&c->history[0], &c->history[1],
		    sizeof(c->history[0]) * (CONSOLE_MAX_HISTORY - 1));
		c->nhistory--;
		c->at_history = c->at_history > 0 ? c->at_history - 1 : 0;
	}
	c->history[c->nhistory].pane = v->pane;
	c->history[c->nhistory].subject = v->subject;
	c->last_history = c->at_history;
	c->at_history = c->nhistory++;
}

static bool
open_view(struct console *c, const struct pane *p, const struct subject *about, bool on_top)
{
	struct view *v = view_new(p, about);

	if (v == NULL) {
		console_say(c, ROLE_BAD, "no memory to open '%s'", p->title);
		return false;
	}
	if (c->nviews == CONSOLE_MAX_VIEWS)
		on_top = false;
	while (!on_top && c->nviews > 0)
		view_free(c->views[--c->nviews]);
	c->views[c->nviews++] = v;
	view_refresh(v, c->fleet, c->now_ms);
	if (p->load != NULL)
		p->load(c, v);
	return true;
}

void
console_go(struct console *c, const struct pane *p, const struct subject *about, bool on_top)
{
	if (open_view(c, p, about, on_top))
		remember(c, console_view(c));
}

void
console_back(struct console *c)
{
	if (c->nviews > 1)
		view_free(c->views[--c->nviews]);
	else if (console_view(c)->pane != &clusters_pane)
		console_go(c, &clusters_pane, NULL, false);
}

void
console_history(struct console *c, int by)
{
	size_t at = c->at_history;

	if (by == 0) { /* the one before this, there and back */
		if (c->last_history >= c->nhistory)
			return;
		c->at_history = c->last_history;
		c->last_history = at;
		(void)open_view(
		    c, c->history[c->at_history].pane, &c->history[c->at_history].subject, false);
		return;
	}
	if (by < 0 && at == 0) {
		console_say(c, ROLE_DIM, "this is the oldest view");
		return;
	}
	if (by > 0 && at + 1 >= c->nhistory) {
		console_say(c, ROLE_DIM, "this is the newest view");
		return;
	}
	c->last_history = at;
	c->at_history = by < 0 ? at - 1 : at + 1;
	(void)open_view(
	    c, c->history[c->at_history].pane, &c->history[c->at_history].subject, false);
}

/* ---- layers ---- */

void
console_push(struct console *c, struct layer *take)
{
	if (take == NULL) {
		console_say(c, ROLE_BAD, "no memory to open that");
		return;
	}
	if (c->nlayers == CONSOLE_MAX_LAYERS) {
		take->ops->free(take);
		return;
	}
	c->layers[c->nlayers++] = take;
	c->toast_mono_ms = 0;
	c->io.discard(c->io.context);
}

void
console_pop(struct console *c)
{
	struct layer *l;

	if (c->nlayers == 0)
		return;
	l = c->layers[--c->nlayers];
	l->ops->free(l);
}

/* ---- saying and sending ---- */

void
console_say(struct console *c, enum role role, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(c->toast, sizeof(c->toast), fmt, args);
	va_end(args);
	c->toast_role = role;
	c->toast_mono_ms = c->mono_ms > 0 ? c->mono_ms : 1;
}

bool
console_toast_shown(const struct console *c)
{
	return c->toast_mono_ms > 0 && c->mono_ms - c->toast_mono_ms < TOAST_MS;
}

const char *
console_write_refusal(const struct console *c)
{
	if (c->read_only || (c->fleet != NULL && c->fleet->read_only))
		return c->owner[0] != '\0'
			   ? c->owner
			   : "read-only: this console was started without the right to write";
	if (c->locked)
		return "locked: R takes the read-only lock off";
	return NULL;
}

bool
console_can_write(const struct console *c)
{
	return console_write_refusal(c) == NULL;
}

uint64_t
console_submit(struct console *c, struct request **take)
{
	struct error err = { .code = ERR_NONE };
	uint64_t id;

	if (*take == NULL) {
		console_say(c, ROLE_BAD, "no memory for the request");
		return 0;
	}
	id = c->io.submit(c->io.context, take, &err);
	if (id == 0) {
		console_say(c, ROLE_BAD, "%s", err.message);
		request_free(*take);
		*take = NULL;
	}
	return id;
}

bool
console_send(struct console *c, struct request **take, const char *what)
{
	uint64_t id = console_submit(c, take);

	if (id == 0)
		return false;
	if (c->nsent == CONSOLE_MAX_SENT) {
		memmove(&c->sent[0], &c->sent[1], sizeof(c->sent[0]) * (CONSOLE_MAX_SENT - 1));
		c->nsent--;
	}
	c->sent[c->nsent].id = id;
	(void)snprintf(c->sent[c->nsent].what, sizeof(c->sent[0].what), "%s", what);
	c->nsent++;
	console_say(c, ROLE_DIM, "%s: sent", what);
	return true;
}

static bool
sent_reply(struct console *c, const struct reply *r)
{
	for (size_t i = 0; i < c->nsent; i++) {
		if (c->sent[i].id != r->id)
			continue;
		if (r->ok)
			console_say(c, ROLE_OK, "%s: done", c->sent[i].what);
		else
			console_say(c, ROLE_BAD, "%s: %s", c->sent[i].what, r->err.message);
		c->sent[i] = c->sent[--c->nsent];
		return true;
	}
	return false;
}

static bool
view_reply(struct view *v, const struct reply *r)
{
	if (v->pending == 0 || v->pending != r->id)
		return false;
	v->pending = 0;
	v->err = (struct error){ .code = ERR_NONE };
	if (r->ok)
		view_set_body(v, str_from(r->text));
	else
		v->err = r->err;
	return true;
}

void
console_reply(struct console *c, const struct reply *r)
{
	for (size_t i = c->nlayers; i > 0; i--) {
		struct layer *l = c->layers[i - 1];

		if (l->ops->reply != NULL && l->ops->reply(c, l, r))
			return;
	}
	for (size_t i = 0; i < c->nviews; i++)
		if (view_reply(c->views[i], r))
			return;
	(void)sent_reply(c, r);
}

bool
console_use_theme(struct console *c, const char *name)
{
	struct theme t;
	struct error err = { .code = ERR_NONE };

	if (!theme_load(name, &t, &err)) {
		console_say(c, ROLE_BAD, "%s", err.message);
		return false;
	}
	if (c->no_colour)
		theme_without_colour(&t);
	c->theme = t;
	if (c->io.set_theme != NULL)
		c->io.set_theme(c->io.context, &c->theme);
	return true;
}

/* ---- keys ---- */

static size_t
busy_clusters(const struct console *c)
{
	size_t n = 0;

	for (size_t i = 0; c->fleet != NULL && i < c->fleet->nclusters; i++) {
		int w = fleet_state_weight(c->fleet->clusters[i].state);

		n += w >= 3 && w <= 5 ? 1 : 0;
	}
	return n;
}

void
console_ask_quit(struct console *c)
{
	size_t busy = busy_clusters(c);

	if (!c->owns || busy == 0) {
		c->quit = true;
		return;
	}
	console_push(c, quit_dialog_new(busy));
}

static void
ctrl_c(struct console *c)
{
	bool twice = c->ctrl_c_mono_ms > 0 && c->mono_ms - c->ctrl_c_mono_ms < CTRL_C_MS;

	c->ctrl_c_mono_ms = 0;
	if (c->nlayers > 0) {
		console_pop(c);
		console_say(c, ROLE_DIM, "cancelled");
		return;
	}
	if (twice) {
		c->quit = true;
		return;
	}
	c->ctrl_c_mono_ms = c->mono_ms > 0 ? c->mono_ms : 1;
	console_say(c, ROLE_TEXT, "ctrl-c again leaves the console");
}

void
console_key(struct console *c, struct input_key k)
{
	struct layer *l = console_top(c);
	enum action_id id;

	if (k.key == ('c' | KEY_CTRL) && !k.pasted) {
		ctrl_c(c);
		return;
	}
	c->toast_mono_ms = 0;
	if (l != NULL) {
		l->ops->key(c, l, k);
		return;
	}
	if (k.pasted) /* pasted text never acts as keys */
		return;
	id = keymap_find(&c->config.keys, console_view(c), k.key);
	if (id == ACT__MAX) {
		char name[KEY_TEXT_MAX];

		key_format(k.key, name);
		console_say(c, ROLE_DIM, "'%s' is not bound   ? shows the keys", name);
		return;
	}
	if (id == ACT_BACK && k.key == 'q' && c->nviews == 1 &&
	    console_view(c)->pane == &clusters_pane && console_view(c)->filter[0] == '\0' &&
	    console_view(c)->nmarks == 0 && !console_view(c)->problems)
		id = ACT_QUIT;
	action_run(c, id);
}

void
console_draw(struct console *c, struct grid *g)
{
	size_t from = 0;
	bool wider = c->w != g->w;

	c->w = g->w;
	c->h = g->h;
	grid_clear(g);
	for (size_t i = 0; i < c->nviews; i++)
		view_refresh(c->views[i], c->fleet, c->now_ms);
	if (wider && console_view(c)->pane == &help_pane)
		help_pane.load(c, console_view(c)); /* its columns follow the width */
	for (size_t i = 0; i < c->nlayers; i++)
		if (c->layers[i]->ops->full)
			from = i + 1;
	if (from == 0)
		frame_panes(c, g);
	for (size_t i = from > 0 ? from - 1 : 0; i < c->nlayers; i++) {
		g->cursor = false;
		c->layers[i]->ops->draw(c, c->layers[i], g);
	}
}
