#ifndef TUI_THEME_THEME_H
#define TUI_THEME_THEME_H

/*
 * The theme engine: a YAML file of roles and colours. Code draws in roles, never in colours; a new
 * look is a new file in themes/. A state is always said by a mark and a word as well (ux.md 3.2):
 * a theme only repeats it, and `mono` shows that nothing is lost without.
 *
 * The file:   name: midnight
 *             about: one line for the list of themes
 *             roles:
 *               bad: red bold              colour and attributes
 *               banner: black on yellow    a background after "on"
 *               header: 252 on 17          numbers of the 256 palette
 *               title: "#7fd4ff bold"      nearest colour of that palette
 * Colours: default, black red green yellow blue magenta cyan white, bright-..., 0..255, #rrggbb.
 * Attributes: bold, dim, reverse, underline. Every role must be given.
 *
 * Themes are looked for in ./themes, $XDG_CONFIG_HOME/flightdeck/themes, themes beside the
 * program's folder and the installed data; the first of a name wins.
 *
 * Ownership: a struct theme is a value. Threads: main only (reads files at start and on :theme).
 * Failure: a bad file is refused as a whole, naming line and role; the old theme stays.
 * Limits: THEME_MAX_BYTES a file, THEME_MAX_FILES themes.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"

/* id, name in the file, what it is for */
#define THEME_ROLES(X)                                                                             \
	X(TEXT, "text", "ordinary text")                                                           \
	X(DIM, "dim", "labels, hints, what matters less")                                          \
	X(HEADER, "header", "the first line")                                                      \
	X(TITLE, "title", "names of panes and dialogs")                                            \
	X(CHIP, "chip", "[RW]")                                                                    \
	X(LOCK, "lock", "[READ-ONLY]")                                                             \
	X(PROD, "prod", "[PROD RW]")                                                               \
	X(BANNER, "banner", "PRACTICE")                                                            \
	X(COLUMN, "column", "column titles")                                                       \
	X(SECTION, "section", "titles of sections")                                                \
	X(RULE, "rule", "lines between sections")                                                  \
	X(CURSOR, "cursor", "the row under the cursor")                                            \
	X(MARKED, "marked", "marked rows")                                                         \
	X(KEY, "key", "keys in hints and help")                                                    \
	X(OK, "ok", "ready")                                                                       \
	X(BUSY, "busy", "creating, installing, updating")                                          \
	X(WAIT, "wait", "new, waiting")                                                            \
	X(UNSURE, "unsure", "needs class, stale, unknown")                                         \
	X(BAD, "bad", "error, degraded")                                                           \
	X(LEAVE, "leave", "deleting")                                                              \
	X(DRAIN, "drain", "cordoned, draining")                                                    \
	X(WARN, "warn", "warnings")                                                                \
	X(GAUGE, "gauge", "the filled part of a gauge")                                            \
	X(INPUT, "input", "a text field")                                                          \
	X(FOCUS, "focus", "the field that has the focus")                                          \
	X(MATCH, "match", "what a search found")                                                   \
	X(ADD, "add", "what a change adds")                                                        \
	X(REMOVE, "remove", "what a change removes")                                               \
	X(CODE, "code", "keys of YAML, commands")

#define X(id, name, what) ROLE_##id,
enum role { THEME_ROLES(X) ROLE__MAX };
#undef X

enum theme_attr {
	ATTR_BOLD = 1 << 0,
	ATTR_DIM = 1 << 1,
	ATTR_REVERSE = 1 << 2,
	ATTR_UNDERLINE = 1 << 3,
};

enum {
	COLOUR_DEFAULT = -1,
	THEME_MAX_BYTES = 64 * 1024,
	THEME_MAX_FILES = 64,
	THEME_NAME_MAX = 40
};

struct style {
	int16_t fg, bg; /* palette number or COLOUR_DEFAULT */
	uint8_t attr;	/* enum theme_attr */
};

struct theme {
	char name[THEME_NAME_MAX];
	char about[96];
	struct style styles[ROLE__MAX];
};

struct theme_names {
	char names[THEME_MAX_FILES][THEME_NAME_MAX];
	char abouts[THEME_MAX_FILES][96];
	size_t n;
};

const char *role_name(enum role r);
const char *role_what(enum role r);

/* The built-in 16 colours of the terminal: what is used when no file can be read. */
void theme_default(struct theme *t);
/* Takes the colours away, keeps the attributes; adds what reverse and bold can say. NO_COLOR. */
void theme_without_colour(struct theme *t);
/* Maps numbers above 15 to the nearest of 16 (or 8) for terminals with fewer colours. */
void theme_reduce(struct theme *t, int colours);

bool theme_parse(
    struct str bytes, const char *file, struct theme *ret_theme, struct error *err) MUST_CHECK;
/* By name, or by path when it has a '/'. */
bool theme_load(const char *name, struct theme *ret_theme, struct error *err) MUST_CHECK;
void theme_list(struct theme_names *ret_names);

#endif
