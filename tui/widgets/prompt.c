#include "tui/widgets/prompt.h"

#include <stdio.h>
#include <string.h>

#include "tui/text.h"
#include "tui/widgets/form.h"

struct prompt {
	struct layer layer;
	bool search; /* in text, else a filter of rows */
	char typed[FILTER_MAX];
	char before[FILTER_MAX];
	size_t caret;
};

static void
apply(struct console *c, const struct prompt *p, const char *text)
{
	struct view *v = console_view(c);

	if (p->search) {
		(void)snprintf(v->search, sizeof(v->search), "%s", text);
		return;
	}
	(void)view_set_filter(v, text);
	v->cursor = 0;
}

static void
draw(struct console *c, struct layer *l, struct grid *g)
{
	struct prompt *p = (struct prompt *)l;
	const struct view *v = console_view(c);
	int y = g->h - 1;
	int x = 9;

	grid_fill(g, 0, y, g->w, ROLE_TEXT, ' ');
	(void)grid_puts(g, 1, y, g->w - 1, ROLE_KEY, p->search ? "search:" : "filter:");
	edit_draw(g, (struct rect){ x, y, g->w - x > 50 ? 44 : g->w - x - 1, 1 }, p->typed,
	    p->caret, true);
	if (g->w - x <= 50)
		return;
	if (v->filter_err.code != ERR_NONE)
		(void)grid_puts(g, x + 46, y, g->w - x - 46, ROLE_BAD, v->filter_err.message);
	else
		(void)grid_puts(g, x + 46, y, g->w - x - 46, ROLE_DIM, "enter keep   esc undo");
}

static void
key(struct console *c, struct layer *l, struct input_key k)
{
	struct prompt *p = (struct prompt *)l;

	if (k.pasted && (k.key == KEY_ENTER || k.key == KEY_TAB))
		return;
	if (k.key == KEY_ESC) {
		apply(c, p, p->before);
		console_pop(c);
		return;
	}
	if (k.key == KEY_ENTER) {
		bool search = p->search;

		console_pop(c);
		if (search)
			view_search(console_view(c), true);
		return;
	}
	if (edit_key(p->typed, sizeof(p->typed), &p->caret, k))
		apply(c, p, p->typed);
}

static void
release(struct layer *l)
{
	mem_free(l);
}

static const struct layer_ops ops = {
	.name = "prompt",
	.draw = draw,
	.key = key,
	.free = release,
};

struct layer *
filter_prompt_new(struct console *c)
{
	const struct view *v = console_view(c);
	struct prompt *p = mem_new(sizeof(*p));

	if (p == NULL)
		return NULL;
	p->layer.ops = &ops;
	p->search = v->pane->columns == NULL;
	(void)snprintf(p->before, sizeof(p->before), "%s", p->search ? v->search : v->filter);
	(void)snprintf(p->typed, sizeof(p->typed), "%s", p->before);
	p->caret = strlen(p->typed);
	return &p->layer;
}
