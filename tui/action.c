#include "tui/action.h"

#include <stdio.h>
#include <string.h>

#include "tui/console.h"
#include "tui/panes/panes.h"
#include "tui/text.h"
#include "tui/widgets/change.h"
#include "tui/widgets/dialog.h"
#include "tui/widgets/palette.h"
#include "tui/widgets/prompt.h"
#include "tui/wizard/wizard.h"

#define X(id, name, group, needs, help) [ACT_##id] = { name, group, needs, help },
static const struct action actions[ACT__MAX] = { ACTIONS(X) };
#undef X

static const char *const group_titles[GROUP__MAX] = {
	[GROUP_MOVE] = "MOVE",
	[GROUP_LOOK] = "LOOK",
	[GROUP_FIND] = "FIND",
	[GROUP_CHANGE] = "CHANGE (after a review)",
	[GROUP_SELECT] = "SELECT",
	[GROUP_OTHER] = "OTHER",
};

/* What must come from the pane, and not from its rows or the lock. */
enum {
	PANE_NEEDS = NEED_LIST | NEED_CLUSTER | NEED_POOL | NEED_OBJECT | NEED_TEXT | NEED_FOLDS |
		     NEED_GROUPS | NEED_EVENTS,
};

const struct action *
action_get(enum action_id id)
{
	return &actions[id];
}

const char *
action_group_title(enum action_group g)
{
	return group_titles[g];
}

enum action_id
action_find(struct str name)
{
	for (int i = 0; i < ACT__MAX; i++)
		if (str_is(name, actions[i].name))
			return (enum action_id)i;
	return ACT__MAX;
}

bool
action_fits(const struct view *v, enum action_id id)
{
	unsigned needs = actions[id].needs;

	if ((needs & (PANE_NEEDS & ~v->pane->gives)) != 0)
		return false;
	/* text about an object has no rows: its subject is the row */
	if ((needs & NEED_ROW) != 0 && v->pane->columns == NULL)
		return v->subject.name[0] != '\0' && id != ACT_OPEN;
	return true;
}

/* The subject under the cursor, or of the text. */
static bool
subject_get(const struct view *v, struct subject *out)
{
	memset(out, 0, sizeof(*out));
	if (v->pane->columns == NULL) {
		*out = v->subject;
		return out->name[0] != '\0';
	}
	if (!view_has_row(v) || v->fleet == NULL)
		return false;
	v->pane->subject(v, view_row(v), out);
	return true;
}

const char *
action_refusal(const struct console *c, const struct view *v, enum action_id id)
{
	unsigned needs = actions[id].needs;
	struct subject s = { .kind = "" };

	if (!action_fits(v, id))
		return "that does not apply here";
	if ((needs & NEED_WRITE) != 0 && !console_can_write(c))
		return console_write_refusal(c);
	if ((needs & NEED_ROW) != 0 && !subject_get(v, &s))
		return "there is no row under the cursor";
	if ((needs & NEED_CLUSTER) != 0 && s.cluster[0] == '\0')
		return "this row belongs to no cluster";
	return NULL;
}

/* ---- doing it ---- */

static void
do_pane(struct console *c, enum action_id id)
{
	size_t n = 0;
	const struct pane *const *panes = panes_get(&n);
	size_t i = (size_t)id - ACT_PANE_1;

	if (i < n)
		console_go(c, panes[i], NULL, false);
}

static void
do_next_pane(struct console *c, enum action_id id)
{
	size_t n = 0;
	const struct pane *const *panes = panes_get(&n);
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
		if (panes[i] == c->views[0]->pane)
			at = i;
	if (n == 0)
		return;
	at = id == ACT_NEXT_PANE ? (at + 1) % n : (at + n - 1) % n;
	console_go(c, panes[at], NULL, false);
}

static void
do_back(struct console *c, enum action_id id)
{
	struct view *v = console_view(c);

	(void)id;
	if (v->nmarks > 0 || v->ranging) {
		view_clear_marks(v);
	} else if (v->filter[0] != '\0' || v->problems) {
		v->problems = false;
		(void)view_set_filter(v, "");
		v->stale = true;
	} else if (v->search[0] != '\0') {
		v->search[0] = '\0';
	} else if (c->nviews == 1 && v->pane == panes_get(&(size_t){ 0 })[0]) {
		console_say(c, ROLE_DIM, "q leaves the console");
	} else {
		console_back(c);
	}
}

static void
do_history(struct console *c, enum action_id id)
{
	console_history(c, id == ACT_NEWER ? 1 : id == ACT_OLDER ? -1 : 0);
}

static void
do_move(struct console *c, enum action_id id)
{
	view_move(console_view(c), id);
}

static void
do_mark(struct console *c, enum action_id id)
{
	view_mark(console_view(c), id);
}

static void
do_open(struct console *c, enum action_id id)
{
	struct view *v = console_view(c);

	(void)id;
	(void)v->pane->open(c, v, view_row(v));
}

static void
do_about(struct console *c, enum action_id id)
{
	static const struct {
		enum action_id id;
		const struct pane *pane;
	} rows[] = { { ACT_DESCRIBE, &describe_pane }, { ACT_YAML, &yaml_pane },
		{ ACT_TREE, &tree_pane }, { ACT_WHY, &why_pane }, { ACT_EVENTS, &events_pane } };
	struct subject s;

	if (!subject_get(console_view(c), &s))
		return;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].id == id)
			console_go(c, rows[i].pane, &s, true);
}

static void
do_toggle(struct console *c, enum action_id id)
{
	struct view *v = console_view(c);

	if (id == ACT_WIDE)
		v->wide = !v->wide;
	if (id == ACT_INVERT)
		v->invert = !v->invert;
	if (id == ACT_WRAP)
		v->wrap = !v->wrap;
	if (id == ACT_PROBLEMS)
		v->problems = !v->problems;
	if (id == ACT_SORT)
		v->sort = v->sort + 1 < (int)v->pane->ncolumns ? v->sort + 1
			  : v->pane->sort < 0		       ? -1
							       : 0;
	if (id == ACT_GROUP) {
		v->group++;
		v->cursor = 0;
		v->cursor_key[0] = '\0';
	}
	v->stale = true;
	if (id == ACT_SORT && v->sort >= 0)
		console_say(c, ROLE_DIM, "sorted by %s", v->pane->columns[v->sort].title);
	else if (id == ACT_SORT)
		console_say(c, ROLE_DIM, "in the order of the fleet");
}

static void
do_pause(struct console *c, enum action_id id)
{
	(void)id;
	c->paused = !c->paused;
	console_say(
	    c, ROLE_TEXT, c->paused ? "paused: the picture holds still until p" : "live again");
}

static void
do_fold(struct console *c, enum action_id id)
{
	struct view *v = console_view(c);

	if (!v->pane->fold(v, id))
		console_say(c, ROLE_DIM, "there is nothing below it");
}

static void
do_match(struct console *c, enum action_id id)
{
	struct view *v = console_view(c);

	if (v->search[0] == '\0')
		console_say(c, ROLE_DIM, "/ searches this text");
	else
		view_search(v, id == ACT_NEXT_MATCH);
}

static void
do_copy(struct console *c, enum action_id id)
{
	struct subject s;

	(void)id;
	if (!subject_get(console_view(c), &s))
		return;
	if (c->io.copy != NULL && c->io.copy(c->io.context, str_from(s.name)))
		console_say(c, ROLE_TEXT, "copied '%s' (OSC 52)", s.name);
	else
		console_say(c, ROLE_DIM,
		    "the clipboard is off here: 'clipboard: on' in config.yaml turns it on");
}

static void
do_lock(struct console *c, enum action_id id)
{
	(void)id;
	if (c->read_only || (c->fleet != NULL && c->fleet->read_only)) {
		console_say(c, ROLE_DIM, "%s", console_write_refusal(c));
		return;
	}
	if (!c->locked) {
		c->locked = true;
		console_say(c, ROLE_TEXT, "locked: nothing can be changed from here until R");
		return;
	}
	if (c->fleet != NULL && c->fleet->prod) {
		console_push(c, unlock_dialog_new(c->fleet->profile));
		return;
	}
	c->locked = false;
	console_say(c, ROLE_TEXT, "unlocked");
}

static void
do_write(struct console *c, enum action_id id)
{
	struct subject s;

	if (!subject_get(console_view(c), &s))
		memset(&s, 0, sizeof(s));
	switch (id) {
	case ACT_NEW:
		console_push(c, wizard_new(c, NULL));
		return;
	case ACT_CLONE:
		console_push(c, wizard_new(c, s.cluster));
		return;
	case ACT_SCALE:
		console_push(c, scale_form_new(c, &s));
		return;
	case ACT_TAINT:
		console_push(c, taint_menu_new(c, &s));
		return;
	case ACT_UPGRADE:
		console_push(c, upgrade_form_new(c, &s));
		return;
	default:
		console_push(c, delete_review_new(c, &s));
		return;
	}
}

static void
do_open_layer(struct console *c, enum action_id id)
{
	switch (id) {
	case ACT_PALETTE:
		console_push(c, palette_new(c, ""));
		return;
	case ACT_THEME:
		console_push(c, palette_new(c, "theme "));
		return;
	case ACT_KEYS:
		console_push(c, palette_new(c, "keys "));
		return;
	case ACT_FILTER:
		console_push(c, filter_prompt_new(c));
		return;
	default:
		console_go(c, &help_pane, NULL, true);
		return;
	}
}

static void
do_process(struct console *c, enum action_id id)
{
	if (id == ACT_QUIT)
		console_ask_quit(c);
	if (id == ACT_SUSPEND && c->io.suspend != NULL)
		c->io.suspend(c->io.context);
	if (id == ACT_REDRAW && c->io.redraw != NULL)
		c->io.redraw(c->io.context);
}

typedef void action_fn(struct console *c, enum action_id id);

/* clang-format off */
static action_fn *const functions[ACT__MAX] = {
	[ACT_UP] = do_move, [ACT_DOWN] = do_move, [ACT_TOP] = do_move, [ACT_BOTTOM] = do_move,
	[ACT_HALF_DOWN] = do_move, [ACT_HALF_UP] = do_move, [ACT_PAGE_DOWN] = do_move,
	[ACT_PAGE_UP] = do_move, [ACT_LEFT] = do_move, [ACT_RIGHT] = do_move, [ACT_BACK] = do_back,
	[ACT_OLDER] = do_history, [ACT_NEWER] = do_history, [ACT_LAST] = do_history,
	[ACT_NEXT_PANE] = do_next_pane, [ACT_PREV_PANE] = do_next_pane, [ACT_PANE_1] = do_pane,
	[ACT_PANE_2] = do_pane, [ACT_PANE_3] = do_pane, [ACT_PANE_4] = do_pane,
	[ACT_PANE_5] = do_pane, [ACT_PANE_6] = do_pane, [ACT_OPEN] = do_open,
	[ACT_DESCRIBE] = do_about, [ACT_YAML] = do_about, [ACT_TREE] = do_about,
	[ACT_WHY] = do_about, [ACT_EVENTS] = do_about, [ACT_WIDE] = do_toggle,
	[ACT_SORT] = do_toggle, [ACT_INVERT] = do_toggle, [ACT_GROUP] = do_toggle,
	[ACT_PAUSE] = do_pause, [ACT_REDRAW] = do_process, [ACT_FOLD] = do_fold,
	[ACT_FOLD_READY] = do_fold, [ACT_WRAP] = do_toggle, [ACT_PALETTE] = do_open_layer,
	[ACT_FILTER] = do_open_layer, [ACT_NEXT_MATCH] = do_match, [ACT_PREV_MATCH] = do_match,
	[ACT_PROBLEMS] = do_toggle, [ACT_COPY] = do_copy, [ACT_MARK] = do_mark,
	[ACT_RANGE] = do_mark, [ACT_MARK_ALL] = do_mark, [ACT_NEW] = do_write,
	[ACT_CLONE] = do_write, [ACT_SCALE] = do_write, [ACT_TAINT] = do_write,
	[ACT_UPGRADE] = do_write, [ACT_DELETE] = do_write, [ACT_LOCK] = do_lock,
	[ACT_THEME] = do_open_layer, [ACT_KEYS] = do_open_layer, [ACT_HELP] = do_open_layer,
	[ACT_SUSPEND] = do_process, [ACT_QUIT] = do_process,
};
/* clang-format on */

void
action_run(struct console *c, enum action_id id)
{
	const char *why = action_refusal(c, console_view(c), id);

	if (why != NULL) {
		console_say(c, ROLE_DIM, "%s: %s", actions[id].name, why);
		return;
	}
	functions[id](c, id);
}
