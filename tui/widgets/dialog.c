#include "tui/widgets/dialog.h"

#include <stdio.h>
#include <string.h>

#include "tui/widgets/form.h"

struct rect
dialog_frame(struct grid *g, int h, const char *title)
{
	int y = (g->h - h) / 3;

	if (h > g->h)
		h = g->h;
	if (y < 0)
		y = 0;
	for (int i = 0; i < h; i++)
		grid_fill(g, 0, y + i, g->w, ROLE_TEXT, ' ');
	grid_rule(g, 0, y, g->w, title);
	if (h > 2)
		grid_rule(g, 0, y + h - 1, g->w, "");
	return (struct rect){ 2, y + 1, g->w - 4, h > 2 ? h - 2 : 0 };
}

static void
release(struct layer *l)
{
	mem_free(l);
}

/* ---- leaving ---- */

struct quit_dialog {
	struct layer layer;
	size_t busy;
};

static void
quit_draw(struct console *c, struct layer *l, struct grid *g)
{
	const struct quit_dialog *d = (struct quit_dialog *)l;
	struct pen pen = pen_at(g, dialog_frame(g, 7, "leave the console?"));

	(void)c;
	pen_line(&pen, ROLE_TEXT, "%zu cluster%s being worked on by this process.", d->busy,
	    d->busy == 1 ? " is" : "s are");
	pen_line(
	    &pen, ROLE_TEXT, "Leaving is safe: the next console, or 'flightdeck run', goes on.");
	pen_gap(&pen);
	if (!pen_full(&pen))
		frame_hints(g, pen.r.y + pen.y, "y leave|n stay|esc stay");
}

static void
quit_key(struct console *c, struct layer *l, struct input_key k)
{
	(void)l;
	if (k.pasted)
		return;
	if (k.key == 'y' || k.key == 'Y')
		c->quit = true;
	else if (k.key == 'n' || k.key == 'N' || k.key == KEY_ESC || k.key == 'q')
		console_pop(c);
}

static const struct layer_ops quit_ops = {
	.name = "quit",
	.draw = quit_draw,
	.key = quit_key,
	.free = release,
};

struct layer *
quit_dialog_new(size_t busy)
{
	struct quit_dialog *d = mem_new(sizeof(*d));

	if (d == NULL)
		return NULL;
	d->layer.ops = &quit_ops;
	d->busy = busy;
	return &d->layer;
}

/* ---- unlocking ---- */

struct unlock_dialog {
	struct layer layer;
	char want[128];
	char typed[128];
	size_t caret;
};

static void
unlock_draw(struct console *c, struct layer *l, struct grid *g)
{
	const struct unlock_dialog *d = (struct unlock_dialog *)l;
	struct pen pen = pen_at(g, dialog_frame(g, 8, "take the read-only lock off?"));

	(void)c;
	pen_line(&pen, ROLE_TEXT, "'%s' is marked as production. Type its name and press enter.",
	    d->want);
	pen_gap(&pen);
	if (!pen_full(&pen))
		edit_draw(
		    g, (struct rect){ pen.r.x, pen.r.y + pen.y, 40, 1 }, d->typed, d->caret, true);
	pen_gap(&pen);
	pen_gap(&pen);
	if (!pen_full(&pen))
		frame_hints(g, pen.r.y + pen.y, "enter unlock|esc stay locked");
}

static void
unlock_key(struct console *c, struct layer *l, struct input_key k)
{
	struct unlock_dialog *d = (struct unlock_dialog *)l;

	if (k.pasted)
		return;
	if (k.key == KEY_ESC) {
		console_pop(c);
		return;
	}
	if (k.key != KEY_ENTER) {
		(void)edit_key(d->typed, sizeof(d->typed), &d->caret, k);
		return;
	}
	if (strcmp(d->typed, d->want) != 0) {
		d->typed[0] = '\0';
		d->caret = 0;
		return;
	}
	console_pop(c);
	c->locked = false;
	console_say(c, ROLE_TEXT, "unlocked");
}

static const struct layer_ops unlock_ops = {
	.name = "unlock",
	.draw = unlock_draw,
	.key = unlock_key,
	.free = release,
};

struct layer *
unlock_dialog_new(struct str profile)
{
	struct unlock_dialog *d = mem_new(sizeof(*d));

	if (d == NULL)
		return NULL;
	d->layer.ops = &unlock_ops;
	subject_set(d->want, sizeof(d->want), profile);
	return &d->layer;
}
