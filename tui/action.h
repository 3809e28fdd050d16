#ifndef TUI_ACTION_H
#define TUI_ACTION_H

/*
 * Everything an operator can do from a pane, one row each: its name (for the palette, key files and
 * scripts), what it needs, and its help. Keys, palette, help, footer and tests walk this list; the
 * engine checks the needs in one place (action_refusal), never the handler.
 *
 * Ownership: constant. Threads: main only.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/text.h"

struct console;
struct view;

enum action_needs {
	NEED_LIST = 1 << 0,    /* a pane of rows */
	NEED_ROW = 1 << 1,     /* a row under the cursor */
	NEED_CLUSTER = 1 << 2, /* that names a cluster */
	NEED_POOL = 1 << 3,    /* that names a pool */
	NEED_OBJECT = 1 << 4,  /* that is an object of the store */
	NEED_TEXT = 1 << 5,    /* a pane of text */
	NEED_WRITE = 1 << 6,   /* refused by the lock */
	NEED_REVIEW = 1 << 7,  /* opens a review, changes nothing itself */
	NEED_NAME = 1 << 8,    /* the review wants the name typed */
	NEED_FOLDS = 1 << 9,   /* a tree */
	NEED_GROUPS = 1 << 10, /* rows that can be grouped in more than one way */
	NEED_EVENTS = 1 << 11, /* the object has events */
};

enum action_group {
	GROUP_MOVE,
	GROUP_LOOK,
	GROUP_FIND,
	GROUP_CHANGE,
	GROUP_SELECT,
	GROUP_OTHER,
	GROUP__MAX
};

/* id, name, group, needs, help */
/* clang-format off */
#define ACTIONS(X)                                                                                 \
	X(UP, "up", GROUP_MOVE, 0, "one row up")                                                  \
	X(DOWN, "down", GROUP_MOVE, 0, "one row down")                                            \
	X(TOP, "top", GROUP_MOVE, 0, "first row")                                                 \
	X(BOTTOM, "bottom", GROUP_MOVE, 0, "last row")                                            \
	X(HALF_DOWN, "half-down", GROUP_MOVE, 0, "half a page down")                              \
	X(HALF_UP, "half-up", GROUP_MOVE, 0, "half a page up")                                    \
	X(PAGE_DOWN, "page-down", GROUP_MOVE, 0, "a page down")                                   \
	X(PAGE_UP, "page-up", GROUP_MOVE, 0, "a page up")                                         \
	X(LEFT, "left", GROUP_MOVE, 0, "columns to the left")                                     \
	X(RIGHT, "right", GROUP_MOVE, 0, "columns to the right")                                  \
	X(BACK, "back", GROUP_MOVE, 0, "back; clears marks")                             \
	X(OLDER, "older-view", GROUP_MOVE, 0, "older view")                        \
	X(NEWER, "newer-view", GROUP_MOVE, 0, "newer view")                        \
	X(LAST, "last-view", GROUP_MOVE, 0, "the view before")                           \
	X(NEXT_PANE, "next-pane", GROUP_MOVE, 0, "next pane")                                     \
	X(PREV_PANE, "previous-pane", GROUP_MOVE, 0, "previous pane")                             \
	X(PANE_1, "pane-1", GROUP_MOVE, 0, "Clusters")                                            \
	X(PANE_2, "pane-2", GROUP_MOVE, 0, "Pools")                                               \
	X(PANE_3, "pane-3", GROUP_MOVE, 0, "GPUs")                                                \
	X(PANE_4, "pane-4", GROUP_MOVE, 0, "Caches")                                              \
	X(PANE_5, "pane-5", GROUP_MOVE, 0, "Events")                                              \
	X(PANE_6, "pane-6", GROUP_MOVE, 0, "Classes")                                             \
	X(OPEN, "open", GROUP_LOOK, NEED_ROW, "open the row")                                     \
	X(DESCRIBE, "describe", GROUP_LOOK, NEED_ROW | NEED_OBJECT, "describe")                   \
	X(YAML, "yaml", GROUP_LOOK, NEED_ROW | NEED_OBJECT, "YAML, as stored")                    \
	X(TREE, "tree", GROUP_LOOK, NEED_ROW | NEED_CLUSTER, "resource tree")                     \
	X(WHY, "why", GROUP_LOOK, NEED_ROW | NEED_CLUSTER, "why is it not ready")                 \
	X(EVENTS, "events", GROUP_LOOK, NEED_ROW | NEED_EVENTS, "events of the row")              \
	X(WIDE, "wide", GROUP_LOOK, NEED_LIST, "more columns")                                    \
	X(SORT, "sort", GROUP_LOOK, NEED_LIST, "sort, next column")                         \
	X(INVERT, "invert", GROUP_LOOK, NEED_LIST, "turn the order round")                        \
	X(GROUP, "group", GROUP_LOOK, NEED_GROUPS, "group differently")               \
	X(PAUSE, "pause", GROUP_LOOK, 0, "hold still")                                \
	X(REDRAW, "redraw", GROUP_LOOK, 0, "draw again")                               \
	X(FOLD, "fold", GROUP_LOOK, NEED_FOLDS | NEED_ROW, "fold or unfold")                      \
	X(FOLD_READY, "fold-ready", GROUP_LOOK, NEED_FOLDS, "fold what is ready")         \
	X(WRAP, "wrap", GROUP_LOOK, NEED_TEXT, "wrap long lines")                                 \
	X(PALETTE, "palette", GROUP_FIND, 0, "palette: all by name")                 \
	X(FILTER, "filter", GROUP_FIND, 0, "filter, search")                            \
	X(NEXT_MATCH, "next-match", GROUP_FIND, NEED_TEXT, "next match")                          \
	X(PREV_MATCH, "previous-match", GROUP_FIND, NEED_TEXT, "match before")                  \
	X(PROBLEMS, "problems", GROUP_FIND, NEED_LIST, "problems only")                           \
	X(COPY, "copy", GROUP_FIND, NEED_ROW, "copy the name (OSC 52)")                           \
	X(MARK, "mark", GROUP_SELECT, NEED_LIST | NEED_ROW, "mark the row")                       \
	X(RANGE, "range", GROUP_SELECT, NEED_LIST | NEED_ROW, "mark a range")                     \
	X(MARK_ALL, "mark-all", GROUP_SELECT, NEED_LIST, "mark all rows shown")                   \
	X(NEW, "new", GROUP_CHANGE, NEED_WRITE | NEED_REVIEW, "new cluster wizard")               \
	X(CLONE, "clone", GROUP_CHANGE, NEED_WRITE | NEED_REVIEW | NEED_ROW | NEED_CLUSTER,       \
	    "new one like it")                                                          \
	X(SCALE, "scale", GROUP_CHANGE, NEED_WRITE | NEED_REVIEW | NEED_ROW | NEED_POOL,          \
	    "scale a pool")                                                                       \
	X(TAINT, "taint", GROUP_CHANGE, NEED_WRITE | NEED_REVIEW | NEED_ROW | NEED_CLUSTER,       \
	    "cordon, drain")                                                            \
	X(UPGRADE, "upgrade", GROUP_CHANGE, NEED_WRITE | NEED_REVIEW | NEED_ROW | NEED_CLUSTER,   \
	    "Kubernetes version")                                                      \
	X(DELETE, "delete", GROUP_CHANGE,                                                         \
	    NEED_WRITE | NEED_REVIEW | NEED_NAME | NEED_ROW | NEED_CLUSTER,                       \
	    "delete, name typed")                                                       \
	X(LOCK, "lock", GROUP_OTHER, 0, "read-only lock")                               \
	X(THEME, "theme", GROUP_OTHER, 0, "choose a theme")                                       \
	X(KEYS, "keys", GROUP_OTHER, 0, "choose a key preset")                                    \
	X(HELP, "help", GROUP_OTHER, 0, "this help")                                              \
	X(SUSPEND, "suspend", GROUP_OTHER, 0, "suspend to the shell")                             \
	X(QUIT, "quit", GROUP_OTHER, 0, "leave the console")
/* clang-format on */

#define X(id, name, group, needs, help) ACT_##id,
enum action_id { ACTIONS(X) ACT__MAX };
#undef X

struct action {
	const char *name;
	enum action_group group;
	unsigned needs;
	const char *help;
};

const struct action *action_get(enum action_id id);
const char *action_group_title(enum action_group g);
/* ACT__MAX when there is none of that name. */
enum action_id action_find(struct str name);
/* Whether the pane of a view has this action at all, whatever the row or the lock. */
bool action_fits(const struct view *v, enum action_id id);
/* NULL when it may run now, else why not, in words for people. */
const char *action_refusal(const struct console *c, const struct view *v, enum action_id id);
/* Checks, then does it. */
void action_run(struct console *c, enum action_id id);

#endif
