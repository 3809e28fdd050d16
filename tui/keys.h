#ifndef TUI_KEYS_H
#define TUI_KEYS_H

/*
 * Which key does what. A binding is text: "ctrl-d", "delete"; presets (native, k9s, htop) and the
 * user's file are rows of it, so that help and footer always show what is really bound. A later row
 * for the same key wins; an empty action takes a key away.
 *
 * The user's file $XDG_CONFIG_HOME/flightdeck/config.yaml:
 *   keys: {preset: k9s, bind: {ctrl-t: taint, x: ""}}
 *   theme: midnight
 *   clipboard: on | off | auto
 *
 * Delete and Backspace can never be bound to an action that wants a name typed (a rule of the
 * engine, keymap_bind); a review stands before each of those anyway. One key may mean two things
 * when one of them belongs to a sort of pane: 'n' is the next match in text and a new cluster
 * elsewhere.
 *
 * Ownership: a value. Threads: main only. Limits: KEYMAP_MAX bindings.
 */

#include "model/base/error.h"
#include "tui/action.h"
#include "tui/input.h"

enum { KEYMAP_MAX = 192, KEY_TEXT_MAX = 24 };

struct binding {
	uint32_t key;
	enum action_id action;
};

struct keymap {
	char preset[16];
	struct binding rows[KEYMAP_MAX];
	size_t n;
};

struct config {
	char preset[16];
	char theme[40];
	char clipboard[8];
	struct keymap keys;
};

bool key_parse(struct str text, uint32_t *ret_key);
void key_format(uint32_t key, char out[KEY_TEXT_MAX]);

size_t keymap_presets(const char *const **ret_names);
bool keymap_preset(struct keymap *m, const char *preset, struct error *err) MUST_CHECK;
bool keymap_bind(struct keymap *m, struct str key, struct str action, struct error *err) MUST_CHECK;
/* What a key means in a view; ACT__MAX when it is not bound. */
enum action_id keymap_find(const struct keymap *m, const struct view *v, uint32_t key);
/* All keys of an action as "j down", at most `most` of them; "" when it has none. */
void keymap_keys(const struct keymap *m, enum action_id id, size_t most, struct text *out);

void config_default(struct config *c);
/* Text of config.yaml. Refused as a whole, naming the line. */
bool config_parse(
    struct str bytes, const char *file, struct config *ret_config, struct error *err) MUST_CHECK;
/* A missing file is the default. */
bool config_load(struct config *ret_config, struct error *err) MUST_CHECK;

#endif
