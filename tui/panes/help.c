/* Help: what can be done in the pane below it, from the action list and the keys that are bound. */
#include <stdio.h>
#include <string.h>

#include "tui/console.h"
#include "tui/panes/panes.h"
#include "tui/text.h"

enum { KEYS_SHOWN = 2, KEY_CELLS = 13, COLUMN_CELLS = 39, MAX_LINES = 200 };

static const struct view *
below(const struct console *c)
{
	return c->nviews > 1 ? c->views[c->nviews - 2] : c->views[0];
}

/* One line of an action: its keys and its help. */
static void
add_action(const struct console *c, enum action_id id, struct text *out)
{
	struct text keys = TEXT_INIT(100);

	keymap_keys(&c->config.keys, id, KEYS_SHOWN, &keys);
	text_printf(out, "  %-*s %s\n", KEY_CELLS, keys.n > 0 ? text_get(&keys) : "(palette)",
	    action_get(id)->help);
	text_free(&keys);
}

/* Titles and lines of all groups, one under the other; how many actions the lock hides. */
static size_t
add_groups(const struct console *c, const struct view *v, struct text *out)
{
	size_t hidden = 0;

	for (int g = 0; g < GROUP__MAX; g++) {
		bool titled = false;

		for (int i = 0; i < ACT__MAX; i++) {
			const struct action *a = action_get((enum action_id)i);

			if (a->group != (enum action_group)g || !action_fits(v, (enum action_id)i))
				continue;
			if ((a->needs & NEED_WRITE) != 0 && !console_can_write(c)) {
				hidden++;
				continue;
			}
			if (!titled)
				text_printf(out, "%s\n", action_group_title((enum action_group)g));
			titled = true;
			add_action(c, (enum action_id)i, out);
		}
		if (titled)
			text_add_char(out, '\n');
	}
	return hidden;
}

/* Lays lines out in columns, read downwards; a group that does not fit begins the next one. */
static void
in_columns(const struct text *lines, int columns, struct text *out)
{
	struct str all[MAX_LINES];
	struct str rest = text_str(lines);
	size_t n = 0;
	size_t rows;

	while (n < MAX_LINES && str_split(&rest, '\n', &all[n]))
		n++;
	rows = (n + (size_t)columns - 1) / (size_t)columns;
	for (size_t y = 0; y < rows; y++) {
		for (int x = 0; x < columns; x++) {
			size_t i = (size_t)x * rows + y;
			struct str line = i < n ? cell_clip(all[i], COLUMN_CELLS - 1) : STR("");

			text_add_str(out, line);
			for (int k = cell_count(line); x + 1 < columns && k < COLUMN_CELLS; k++)
				text_add_char(out, ' ');
		}
		text_add_char(out, '\n');
	}
}

static void
add_columns(const struct view *v, struct text *out)
{
	if (v->pane->columns == NULL)
		return;
	text_add(out, "\nCOLUMNS, BY THE NAMES THAT A FILTER KNOWS\n");
	for (size_t i = 0; i < v->pane->ncolumns; i++)
		text_printf(out, "  %-12s %-12s %s\n", v->pane->columns[i].name,
		    v->pane->columns[i].title, v->pane->columns[i].help);
}

static void
add_states(struct text *out)
{
	text_add(out, "\nMARKS AND WORDS\n ");
	for (int s = 0; s < FLEET__MAX; s++)
		text_printf(out, " %s %s%s", fleet_state_mark((enum fleet_state)s),
		    fleet_state_word((enum fleet_state)s), (s + 1) % 6 == 0 ? "\n " : "  ");
	text_add(out, "\n  > cursor   * marked   v unfolded   + folded   = leaf   - not started\n");
}

static void
load(struct console *c, struct view *v)
{
	const struct view *about = below(c);
	struct text t = TEXT_INIT((size_t)64 * 1024);
	struct text groups = TEXT_INIT((size_t)64 * 1024);
	size_t hidden;

	(void)snprintf(v->title, sizeof(v->title), "Help: %s", about->pane->title);
	text_printf(&t, "%s   keys: %s   theme: %s   profile: " STR_FMT "\n", about->pane->title,
	    c->config.keys.preset, c->theme.name,
	    STR_ARG(c->fleet != NULL ? c->fleet->profile : STR("-")));
	text_add_char(&t, '\n');
	hidden = add_groups(c, about, &groups);
	in_columns(&groups, c->w >= COLUMN_CELLS ? c->w / COLUMN_CELLS : 1, &t);
	text_free(&groups);
	if (hidden > 0)
		text_printf(&t, "\n%zu actions that write are hidden: %s\n", hidden,
		    console_write_refusal(c));
	add_columns(about, &t);
	text_add(&t, "\nFILTER\n"
		     "  web            any cell has it          \"a b\"        with a blank\n"
		     "  re:^aks-       regular expression       !lab         not\n"
		     "  gpus>16        a column: = != > < >= <= and ':' for \"has\"\n"
		     "  age<2d         durations: s m h d       -l tier=prod labels\n"
		     "  a b            both                     a | b        either\n");
	text_add(&t, "\nPALETTE\n"
		     "  a pane, an action, a cluster by name, or\n"
		     "  theme NAME   keys native|k9s|htop   filter TEXT   screen save FILE\n");
	add_states(&t);
	view_set_body(v, text_str(&t));
	v->wrap = false;
	text_free(&t);
}

const struct pane help_pane = {
	.name = "help",
	.title = "Help",
	.gives = NEED_TEXT,
	.sort = -1,
	.load = load,
};
