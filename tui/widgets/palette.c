#include "tui/widgets/palette.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tui/panes/panes.h"
#include "tui/text.h"
#include "tui/theme/theme.h"
#include "tui/widgets/form.h"

enum { PALETTE_MAX = 400, SHOWN_MAX = 40 };

enum what { GO_PANE, RUN_ACTION, GO_CLUSTER, SET_THEME, SET_KEYS, SET_FILTER, SAVE_SCREEN };

struct entry {
	enum what what;
	int number; /* pane or action */
	char text[128];
	char help[128];
	int rank; /* smaller is better; below zero: no match */
};

struct palette {
	struct layer layer;
	char typed[FILTER_MAX];
	size_t caret;
	struct entry entries[PALETTE_MAX];
	size_t n;
	size_t order[SHOWN_MAX];
	size_t nshown;
	size_t matches;
	size_t cursor;
};

static struct entry *
add(struct palette *p, enum what what, int number, const char *text, const char *help)
{
	struct entry *e;

	if (p->n == PALETTE_MAX)
		return NULL;
	e = &p->entries[p->n++];
	*e = (struct entry){ .what = what, .number = number };
	(void)snprintf(e->text, sizeof(e->text), "%s", text);
	(void)snprintf(e->help, sizeof(e->help), "%s", help);
	return e;
}

static void
add_actions(struct console *c, struct palette *p)
{
	const struct view *v = console_view(c);

	for (int i = 0; i < ACT__MAX; i++) {
		const struct action *a = action_get((enum action_id)i);
		const char *why = action_refusal(c, v, (enum action_id)i);
		struct text key = TEXT_INIT(32);
		char help[128];

		if (a->group == GROUP_MOVE || i == ACT_PALETTE ||
		    !action_fits(v, (enum action_id)i))
			continue;
		keymap_keys(&c->config.keys, (enum action_id)i, 1, &key);
		if (why != NULL)
			(void)snprintf(help, sizeof(help), "(%s)", why);
		else
			(void)snprintf(help, sizeof(help), "%-3s %s", text_get(&key), a->help);
		(void)add(p, RUN_ACTION, i, a->name, help);
		text_free(&key);
	}
}

static void
collect(struct console *c, struct palette *p)
{
	size_t n = 0;
	const struct pane *const *panes = panes_get(&n);
	const char *const *presets;
	size_t npresets = keymap_presets(&presets);
	struct theme_names *themes = mem_new(sizeof(*themes));

	for (size_t i = 0; i < n; i++)
		(void)add(p, GO_PANE, (int)i, panes[i]->name, "pane");
	add_actions(c, p);
	if (themes != NULL)
		theme_list(themes);
	for (size_t i = 0; themes != NULL && i < themes->n; i++) {
		char text[128];

		(void)snprintf(text, sizeof(text), "theme %s", themes->names[i]);
		(void)add(p, SET_THEME, 0, text, themes->abouts[i]);
	}
	mem_free(themes);
	for (size_t i = 0; i < npresets; i++) {
		char text[128];

		(void)snprintf(text, sizeof(text), "keys %s", presets[i]);
		(void)add(p, SET_KEYS, 0, text, "key preset");
	}
	(void)add(p, SET_FILTER, 0, "filter", "filter TEXT: as /");
	(void)add(p, SAVE_SCREEN, 0, "screen save", "screen save FILE: this picture as text");
	for (size_t i = 0; c->fleet != NULL && i < c->fleet->nclusters; i++) {
		const struct fleet_cluster *k = &c->fleet->clusters[i];
		char name[128];
		char help[128];

		(void)snprintf(name, sizeof(name), STR_FMT, STR_ARG(k->name));
		(void)snprintf(help, sizeof(help), "cluster   %s %s", fleet_state_mark(k->state),
		    fleet_state_word(k->state));
		(void)add(p, GO_CLUSTER, 0, name, help);
	}
}

/* Exact, prefix, part, letters in order; -1 for none. An argument after the word does not count. */
static int
rank(const struct entry *e, struct str typed)
{
	struct str text = str_from(e->text);
	size_t at = 0;

	if (typed.n == 0)
		return 50;
	if (str_eq_nocase(text, typed))
		return 0;
	if (typed.n < text.n && str_eq_nocase(str_sub(text, 0, typed.n), typed))
		return 1;
	if ((e->what == SET_FILTER || e->what == SAVE_SCREEN) && typed.n > text.n &&
	    str_eq_nocase(str_sub(typed, 0, text.n), text) && typed.p[text.n] == ' ')
		return 1;
	if (text_has_nocase(text, typed))
		return 2;
	for (size_t i = 0; i < text.n && at < typed.n; i++)
		if (str_eq_nocase(str_sub(text, i, 1), str_sub(typed, at, 1)))
			at++;
	if (at == typed.n)
		return 3;
	return -1;
}

static void
arrange(struct palette *p)
{
	struct str typed = str_trim(str_from(p->typed));

	p->nshown = 0;
	p->matches = 0;
	for (size_t i = 0; i < p->n; i++) {
		p->entries[i].rank = rank(&p->entries[i], typed);
		p->matches += p->entries[i].rank >= 0 ? 1 : 0;
	}
	for (int r = 0; r <= 50 && p->nshown < SHOWN_MAX; r++)
		for (size_t i = 0; i < p->n && p->nshown < SHOWN_MAX; i++)
			if (p->entries[i].rank == r)
				p->order[p->nshown++] = i;
	if (p->cursor >= p->nshown)
		p->cursor = p->nshown > 0 ? p->nshown - 1 : 0;
}

static void
draw(struct console *c, struct layer *l, struct grid *g)
{
	struct palette *p = (struct palette *)l;
	int rows = g->h > 12 ? (g->h > 30 ? 16 : 10) : g->h - 4;
	int y = g->h > rows + 4 ? 3 : 0;
	size_t top;

	(void)c;
	if (rows < 1)
		rows = 1;
	top = p->cursor >= (size_t)rows ? p->cursor - (size_t)rows + 1 : 0;
	for (int i = 0; i < rows + 4; i++)
		grid_fill(g, 0, y + i, g->w, ROLE_TEXT, ' ');
	grid_rule(g, 0, y, g->w, "palette");
	(void)grid_puts(g, 1, y + 1, 1, ROLE_KEY, ":");
	edit_draw(g, (struct rect){ 3, y + 1, g->w - 5 > 50 ? 50 : g->w - 5, 1 }, p->typed,
	    p->caret, true);
	(void)grid_printf(g, 58, y + 1, 20, ROLE_DIM, "%zu match", p->matches);
	for (int i = 0; i < rows && top + (size_t)i < p->nshown; i++) {
		const struct entry *e = &p->entries[p->order[top + (size_t)i]];
		bool here = top + (size_t)i == p->cursor;

		(void)grid_puts(g, 1, y + 2 + i, 1, ROLE_CURSOR, here ? ">" : " ");
		(void)grid_puts(g, 3, y + 2 + i, 28, here ? ROLE_CURSOR : ROLE_TEXT, e->text);
		(void)grid_puts(g, 32, y + 2 + i, g->w - 33, ROLE_DIM, e->help);
	}
	grid_rule(g, 0, y + rows + 2, g->w, "");
	frame_hints(g, y + rows + 3, "enter run|up/down choose|tab complete|esc close");
}

static void
save_screen(struct console *c, struct str path)
{
	struct grid g = { .w = 0 };
	struct text out = TEXT_INIT((size_t)2 * 1024 * 1024);
	char *name = str_dup(str_trim(path));
	int fd = -1;
	bool ok = false;

	if (name == NULL || name[0] == '\0' || !grid_resize(&g, c->w, c->h, NULL))
		goto out;
	console_draw(c, &g);
	grid_dump(&g, &out);
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	ok = fd >= 0 && write(fd, text_get(&out), out.n) == (ssize_t)out.n;
out:
	if (fd >= 0)
		(void)close(fd);
	if (ok)
		console_say(c, ROLE_TEXT, "saved the screen to '%s'", name);
	else
		console_say(c, ROLE_BAD, "not saved: name a new file, 'screen save FILE'");
	mem_free(name);
	grid_fini(&g);
	text_free(&out);
}

static void
set_keys(struct console *c, const char *preset)
{
	struct error err;

	if (!keymap_preset(&c->config.keys, preset, &err))
		console_say(c, ROLE_BAD, "%s", err.message);
	else
		console_say(c, ROLE_TEXT, "keys: %s", preset);
}

static void
run(struct console *c, const struct entry *e, const char *typed)
{
	struct subject s = { .kind = "InferenceCluster" };
	size_t n = 0;
	const struct pane *const *panes = panes_get(&n);
	struct str arg = str_sub(str_from(typed), strlen(e->text), FILTER_MAX);

	switch (e->what) {
	case GO_PANE:
		console_go(c, panes[e->number], NULL, false);
		return;
	case RUN_ACTION:
		action_run(c, (enum action_id)e->number);
		return;
	case GO_CLUSTER:
		subject_set(s.name, sizeof(s.name), str_from(e->text));
		subject_set(s.cluster, sizeof(s.cluster), str_from(e->text));
		console_go(c, &tree_pane, &s, true);
		return;
	case SET_THEME:
		if (console_use_theme(c, e->text + strlen("theme ")))
			console_say(c, ROLE_TEXT, "theme: %s", c->theme.name);
		return;
	case SET_KEYS:
		set_keys(c, e->text + strlen("keys "));
		return;
	case SET_FILTER: {
		struct text t = TEXT_INIT(FILTER_MAX - 1);

		text_add_str(&t, str_trim(arg));
		if (console_view(c)->pane->columns != NULL)
			(void)view_set_filter(console_view(c), text_get(&t));
		text_free(&t);
		return;
	}
	case SAVE_SCREEN:
		save_screen(c, arg);
		return;
	}
}

static void
key(struct console *c, struct layer *l, struct input_key k)
{
	struct palette *p = (struct palette *)l;
	struct entry chosen;
	char typed[FILTER_MAX];

	if (k.pasted && (k.key == KEY_ENTER || k.key == KEY_TAB))
		return;
	switch (k.key) {
	case KEY_ESC:
		console_pop(c);
		return;
	case KEY_UP:
	case 'p' | KEY_CTRL:
		p->cursor = p->cursor > 0 ? p->cursor - 1 : 0;
		return;
	case KEY_DOWN:
	case 'n' | KEY_CTRL:
		p->cursor = p->cursor + 1 < p->nshown ? p->cursor + 1 : p->cursor;
		return;
	case KEY_TAB:
		if (p->nshown > 0) {
			(void)snprintf(p->typed, sizeof(p->typed), "%s ",
			    p->entries[p->order[p->cursor]].text);
			p->caret = strlen(p->typed);
			arrange(p);
		}
		return;
	case KEY_ENTER:
		if (p->nshown == 0)
			return;
		chosen = p->entries[p->order[p->cursor]];
		(void)snprintf(typed, sizeof(typed), "%s", p->typed);
		console_pop(c);
		run(c, &chosen, typed);
		return;
	default:
		if (edit_key(p->typed, sizeof(p->typed), &p->caret, k)) {
			p->cursor = 0;
			arrange(p);
		}
		return;
	}
}

static void
release(struct layer *l)
{
	mem_free(l);
}

static const struct layer_ops ops = {
	.name = "palette",
	.draw = draw,
	.key = key,
	.free = release,
};

struct layer *
palette_new(struct console *c, const char *typed)
{
	struct palette *p = mem_new(sizeof(*p));

	if (p == NULL)
		return NULL;
	p->layer.ops = &ops;
	(void)snprintf(p->typed, sizeof(p->typed), "%s", typed);
	p->caret = strlen(p->typed);
	collect(c, p);
	arrange(p);
	return &p->layer;
}
