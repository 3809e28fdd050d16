/* Help: what can be done in the pane below it, from the action list and the keys that are bound. */
#include <stdio.h>
#include <string.h>

#include "tui/console.h"
#include "tui/panes/panes.h"
#include "tui/text.h"

enum { KEYS_SHOWN = 4, KEY_CELLS = 16 };

static const struct view *
below(const struct console *c)
{
	return c->nviews > 1 ? c->views[c->nviews - 2] : c->views[0];
}

static size_t
add_group(const struct console *c, const struct view *v, enum action_group group, struct text *out)
{
	size_t hidden = 0;
	bool titled = false;

	for (int i = 0; i < ACT__MAX; i++) {
		const struct action *a = action_get((enum action_id)i);
		struct text keys = TEXT_INIT(100);

		if (a->group != group || !action_fits(v, (enum action_id)i))
			continue;
		keymap_keys(&c->config.keys, (enum action_id)i, KEYS_SHOWN, &keys);
		if ((a->needs & NEED_WRITE) != 0 && !console_can_write(c)) {
			hidden++;
			text_free(&keys);
			continue;
		}
		if (!titled)
			text_printf(out, "\n%s\n", action_group_title(group));
		titled = true;
		if (keys.n > 0)
			text_printf(out, "  %-*s %s\n", KEY_CELLS, text_get(&keys), a->help);
		else
			text_printf(out, "  %-*s %s\n", KEY_CELLS, "(palette)", a->help);
		text_free(&keys);
	}
	return hidden;
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
	size_t hidden = 0;

	(void)snprintf(v->title, sizeof(v->title), "Help: %s", about->pane->title);
	text_printf(&t, "%s   keys: %s   theme: %s   profile: " STR_FMT "\n", about->pane->title,
	    c->config.keys.preset, c->theme.name,
	    STR_ARG(c->fleet != NULL ? c->fleet->profile : STR("-")));
	for (int g = 0; g < GROUP__MAX; g++)
		hidden += add_group(c, about, (enum action_group)g, &t);
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
