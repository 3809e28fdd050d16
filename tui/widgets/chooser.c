/* The chooser: a list of choices with a text that narrows it. */
#include <stdio.h>
#include <string.h>

#include "tui/text.h"
#include "tui/widgets/form.h"

struct chooser {
	struct layer layer;
	struct form *form; /* borrowed from the layer below, which outlives this one */
	struct form_field *field;
	char typed[80];
	size_t caret;
	size_t cursor; /* among the shown */
	size_t top;
	size_t page;
};

static bool
is_shown(const struct chooser *h, size_t i)
{
	const struct choice *c = &h->field->choices[i];
	struct str want = str_from(h->typed);

	return text_has_nocase(str_from(c->value), want) ||
	       text_has_nocase(str_from(c->label), want) ||
	       text_has_nocase(str_from(c->note), want);
}

static size_t
shown_count(const struct chooser *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->field->nchoices; i++)
		n += is_shown(h, i) ? 1 : 0;
	return n;
}

static const struct choice *
shown_get(const struct chooser *h, size_t at)
{
	for (size_t i = 0; i < h->field->nchoices; i++) {
		if (!is_shown(h, i))
			continue;
		if (at == 0)
			return &h->field->choices[i];
		at--;
	}
	return NULL;
}

static void
draw(struct console *c, struct layer *l, struct grid *g)
{
	struct chooser *h = (struct chooser *)l;
	size_t n = shown_count(h);
	char title[120];
	int rows = g->h - 4;

	(void)snprintf(title, sizeof(title), "Choose: %s", h->field->label);
	frame_header(c, g, title, "");
	h->page = rows > 1 ? (size_t)rows : 1;
	if (h->cursor >= n)
		h->cursor = n > 0 ? n - 1 : 0;
	if (h->cursor < h->top)
		h->top = h->cursor;
	if (h->cursor >= h->top + h->page)
		h->top = h->cursor - h->page + 1;
	(void)grid_puts(g, 1, 1, 3, ROLE_KEY, "/");
	edit_draw(g, (struct rect){ 3, 1, g->w > 50 ? 40 : g->w - 4, 1 }, h->typed, h->caret, true);
	(void)grid_printf(
	    g, g->w > 50 ? 46 : g->w, 1, 30, ROLE_DIM, "%zu of %zu", n, h->field->nchoices);
	for (size_t i = h->top; i < n && i < h->top + h->page; i++) {
		const struct choice *k = shown_get(h, i);
		int y = 2 + (int)(i - h->top);
		bool here = i == h->cursor;
		int w = g->w >= 100 ? 50 : g->w * 9 / 20;

		(void)grid_puts(g, 0, y, 1, ROLE_CURSOR, here ? ">" : " ");
		(void)grid_puts(g, 2, y, w - 3,
		    k->off ? ROLE_DIM
		    : here ? ROLE_CURSOR
			   : ROLE_TEXT,
		    k->label[0] != '\0' ? k->label : k->value);
		(void)grid_puts(g, w, y, g->w - w, k->off ? ROLE_WARN : ROLE_DIM, k->note);
	}
	if (n == 0)
		(void)grid_puts(g, 2, 2, g->w - 3, ROLE_DIM, "none matches: backspace shows more");
	frame_hints(g, g->h - 1, "enter choose|up/down move|type narrows|esc cancel");
}

static void
choose(struct console *c, struct chooser *h)
{
	const struct choice *k = shown_get(h, h->cursor);
	char why[200];

	if (k == NULL)
		return;
	if (k->off) {
		(void)snprintf(why, sizeof(why), "%s", k->note);
		console_say(c, ROLE_WARN, "%s: %s", k->value, why);
		return;
	}
	field_set(h->field, str_from(k->value));
	h->form->changed = true;
	console_pop(c);
}

static void
key(struct console *c, struct layer *l, struct input_key k)
{
	struct chooser *h = (struct chooser *)l;

	if (k.pasted && k.key >= 0x80)
		return;
	switch (k.key) {
	case KEY_ESC:
		console_pop(c);
		return;
	case KEY_ENTER:
		if (!k.pasted)
			choose(c, h);
		return;
	case KEY_UP:
	case 'p' | KEY_CTRL:
		h->cursor = h->cursor > 0 ? h->cursor - 1 : 0;
		return;
	case KEY_DOWN:
	case 'n' | KEY_CTRL:
		h->cursor++;
		return;
	case KEY_PGUP:
		h->cursor = h->cursor > h->page ? h->cursor - h->page : 0;
		return;
	case KEY_PGDN:
		h->cursor += h->page;
		return;
	default:
		if (edit_key(h->typed, sizeof(h->typed), &h->caret, k))
			h->cursor = 0;
		return;
	}
}

static void
release(struct layer *l)
{
	mem_free(l);
}

static const struct layer_ops ops = {
	.name = "chooser",
	.full = true,
	.draw = draw,
	.key = key,
	.free = release,
};

struct layer *
chooser_new(struct form *form, struct form_field *field)
{
	struct chooser *h = mem_new(sizeof(*h));

	if (h == NULL)
		return NULL;
	h->layer.ops = &ops;
	h->form = form;
	h->field = field;
	h->page = 10;
	for (size_t i = 0; i < field->nchoices; i++)
		if (strcmp(field->choices[i].value, field->value) == 0)
			h->cursor = i;
	return &h->layer;
}
