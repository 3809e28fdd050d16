#include "tui/keys.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "model/node.h"
#include "model/yaml.h"

enum { CONFIG_MAX_BYTES = 64 * 1024 };

struct key_name {
	const char *name;
	uint32_t key;
};

struct key_row {
	const char *key, *action;
};

/* clang-format off */
static const struct key_name names[] = {
	{ "enter", KEY_ENTER }, { "tab", KEY_TAB }, { "shift-tab", KEY_BACKTAB }, { "esc", KEY_ESC },
	{ "backspace", KEY_BACKSPACE }, { "delete", KEY_DELETE }, { "insert", KEY_INSERT },
	{ "up", KEY_UP }, { "down", KEY_DOWN }, { "left", KEY_LEFT }, { "right", KEY_RIGHT },
	{ "home", KEY_HOME }, { "end", KEY_END }, { "pgup", KEY_PGUP }, { "pgdn", KEY_PGDN },
	{ "space", ' ' },
	{ "f1", KEY_F0 + 1 }, { "f2", KEY_F0 + 2 }, { "f3", KEY_F0 + 3 }, { "f4", KEY_F0 + 4 },
	{ "f5", KEY_F0 + 5 }, { "f6", KEY_F0 + 6 }, { "f7", KEY_F0 + 7 }, { "f8", KEY_F0 + 8 },
	{ "f9", KEY_F0 + 9 }, { "f10", KEY_F0 + 10 }, { "f11", KEY_F0 + 11 }, { "f12", KEY_F0 + 12 },
};

/* The base of every preset. */
static const struct key_row native[] = {
	{ "k", "up" }, { "up", "up" }, { "j", "down" }, { "down", "down" },
	{ "g", "top" }, { "home", "top" }, { "G", "bottom" }, { "end", "bottom" },
	{ "ctrl-d", "half-down" }, { "ctrl-u", "half-up" },
	{ "ctrl-f", "page-down" }, { "pgdn", "page-down" },
	{ "ctrl-b", "page-up" }, { "pgup", "page-up" },
	{ "left", "left" }, { "right", "right" },
	{ "esc", "back" }, { "q", "back" },
	{ "[", "older-view" }, { "]", "newer-view" }, { "-", "last-view" },
	{ "tab", "next-pane" }, { "shift-tab", "previous-pane" },
	{ "1", "pane-1" }, { "2", "pane-2" }, { "3", "pane-3" }, { "4", "pane-4" },
	{ "5", "pane-5" }, { "6", "pane-6" },
	{ "enter", "open" }, { "d", "describe" }, { "y", "yaml" }, { "x", "tree" }, { "f5", "tree" },
	{ "X", "why" }, { "E", "events" }, { "w", "wide" }, { "S", "sort" }, { "f6", "sort" },
	{ "I", "invert" }, { "o", "group" }, { "p", "pause" }, { "ctrl-l", "redraw" },
	{ "+", "fold" }, { "*", "mark-all" }, { "F", "fold-ready" }, { "W", "wrap" },
	{ ":", "palette" }, { "f9", "palette" }, { "/", "filter" }, { "f4", "filter" }, { "f3", "filter" },
	{ "n", "new" }, { "N", "clone" }, { "n", "next-match" }, { "N", "previous-match" },
	{ "!", "problems" }, { "c", "copy" },
	{ "space", "mark" }, { "v", "range" },
	{ "s", "scale" }, { "t", "taint" }, { "u", "upgrade" }, { "D", "delete" },
	{ "R", "lock" }, { "f2", "theme" },
	{ "?", "help" }, { "f1", "help" }, { "ctrl-z", "suspend" }, { "Q", "quit" }, { "f10", "quit" },
};

/* What k9s users have in their fingers; the delete key opens the same review. */
static const struct key_row k9s[] = {
	{ "ctrl-d", "delete" }, { "ctrl-u", "half-up" }, { "ctrl-w", "wide" }, { "c", "copy" },
	{ "r", "redraw" }, { "ctrl-r", "redraw" }, { "ctrl-k", "" },
};

static const struct key_row htop[] = {
	{ "f7", "scale" }, { "f8", "scale" }, { "H", "left" }, { "L", "right" },
	{ "t", "tree" }, { "i", "invert" }, { "Z", "pause" }, { "c", "mark" }, { "U", "back" },
	{ "D", "delete" }, { "m", "taint" },
};
/* clang-format on */

struct preset {
	const char *name;
	const struct key_row *rows;
	size_t n;
};

static const struct preset presets[] = {
	{ "native", NULL, 0 },
	{ "k9s", k9s, ARRAY_LEN(k9s) },
	{ "htop", htop, ARRAY_LEN(htop) },
};
static const char *const preset_names[] = { "native", "k9s", "htop" };

static bool
strip(struct str *s, struct str prefix)
{
	if (!str_starts(*s, prefix) || s->n == prefix.n)
		return false;
	*s = str_sub(*s, prefix.n, s->n);
	return true;
}

bool
key_parse(struct str text, uint32_t *ret_key)
{
	uint32_t mods = 0;
	uint32_t c = 0;

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_is(text, names[i].name)) {
			*ret_key = names[i].key;
			return true;
		}
	if (strip(&text, STR("ctrl-")))
		mods |= KEY_CTRL;
	if (strip(&text, STR("alt-")))
		mods |= KEY_ALT;
	if (strip(&text, STR("shift-")))
		mods |= KEY_SHIFT;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (mods != 0 && str_is(text, names[i].name)) {
			*ret_key = names[i].key | mods;
			return true;
		}
	if (text.n == 0 || utf8_decode(text, &c) != text.n || c <= ' ' || c == 0x7F)
		return false;
	*ret_key = c | mods;
	return true;
}

void
key_format(uint32_t key, char out[KEY_TEXT_MAX])
{
	struct text t = TEXT_INIT(KEY_TEXT_MAX);
	uint32_t base = key & ~KEY_MODS;
	bool named = false;

	for (size_t i = 0; i < ARRAY_LEN(names) && !named; i++)
		if (names[i].key == key) {
			text_add(&t, names[i].name);
			named = true;
		}
	if (!named) {
		if (key & KEY_CTRL)
			text_add(&t, "ctrl-");
		if (key & KEY_ALT)
			text_add(&t, "alt-");
		if (key & KEY_SHIFT)
			text_add(&t, "shift-");
		for (size_t i = 0; i < ARRAY_LEN(names) && !named; i++)
			if (names[i].key == base) {
				text_add(&t, names[i].name);
				named = true;
			}
		if (!named && base < 0x80)
			text_add_char(&t, (char)base);
		else if (!named)
			text_printf(&t, "U+%04X", base);
	}
	(void)snprintf(out, KEY_TEXT_MAX, "%s", text_get(&t));
	text_free(&t);
}

size_t
keymap_presets(const char *const **ret_names)
{
	*ret_names = preset_names;
	return ARRAY_LEN(preset_names);
}

/* Actions of one sort of pane: their keys may mean something else elsewhere ('n' in text). */
static bool
is_special(enum action_id id)
{
	return id != ACT__MAX &&
	       (action_get(id)->needs & (NEED_TEXT | NEED_FOLDS | NEED_GROUPS)) != 0;
}

/* Makes room for `id` on a key; ACT__MAX takes the key away everywhere. */
static void
row_remove(struct keymap *m, uint32_t key, enum action_id id)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->n; i++)
		if (m->rows[i].key != key ||
		    (id != ACT__MAX && is_special(m->rows[i].action) != is_special(id)))
			m->rows[kept++] = m->rows[i];
	m->n = kept;
}

bool
keymap_bind(struct keymap *m, struct str key, struct str action, struct error *err)
{
	enum action_id id = action_find(action);
	uint32_t code = 0;

	if (!key_parse(key, &code))
		return error_set(err, ERR_INVALID, "'" STR_FMT "' is no key", STR_ARG(key));
	if (action.n == 0) {
		row_remove(m, code, ACT__MAX);
		return true;
	}
	if (id == ACT__MAX)
		return error_set(
		    err, ERR_INVALID, "no action is called '" STR_FMT "'", STR_ARG(action));
	if ((action_get(id)->needs & NEED_NAME) != 0 &&
	    (code == KEY_DELETE || code == KEY_BACKSPACE))
		return error_set(err, ERR_REFUSED, "'" STR_FMT "' cannot be put on '" STR_FMT "'",
		    STR_ARG(action), STR_ARG(key));
	row_remove(m, code, id);
	if (m->n == KEYMAP_MAX)
		return error_set(err, ERR_TOO_LARGE, "more than %d keys are bound", KEYMAP_MAX);
	m->rows[m->n++] = (struct binding){ code, id };
	return true;
}

static bool
rows_bind(struct keymap *m, const struct key_row *rows, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++)
		if (!keymap_bind(m, str_from(rows[i].key), str_from(rows[i].action), err))
			return false;
	return true;
}

bool
keymap_preset(struct keymap *m, const char *preset, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(presets); i++) {
		if (strcmp(presets[i].name, preset) != 0)
			continue;
		*m = (struct keymap){ .n = 0 };
		(void)snprintf(m->preset, sizeof(m->preset), "%s", preset);
		return rows_bind(m, native, ARRAY_LEN(native), err) &&
		       rows_bind(m, presets[i].rows, presets[i].n, err);
	}
	return error_set(
	    err, ERR_INVALID, "no key preset is called '%s': native, k9s or htop", preset);
}

enum action_id
keymap_find(const struct keymap *m, const struct view *v, uint32_t key)
{
	enum action_id found = ACT__MAX;

	for (size_t i = 0; i < m->n; i++) {
		enum action_id id = m->rows[i].action;

		if (m->rows[i].key != key)
			continue;
		if (is_special(id) && action_fits(v, id))
			return id;
		if (found == ACT__MAX || (is_special(found) && !is_special(id)))
			found = id;
	}
	return found;
}

void
keymap_keys(const struct keymap *m, enum action_id id, size_t most, struct text *out)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n && n < most; i++) {
		char key[KEY_TEXT_MAX];

		if (m->rows[i].action != id)
			continue;
		key_format(m->rows[i].key, key);
		if (n++ > 0)
			text_add_char(out, ' ');
		text_add(out, key);
	}
}

void
config_default(struct config *c)
{
	*c = (struct config){ .preset = "native", .theme = "default", .clipboard = "auto" };
	if (!keymap_preset(&c->keys, "native", NULL)) /* constant rows, proved by a test */
		c->keys.n = 0;
}

static void
copy(char *to, size_t size, struct str s)
{
	(void)snprintf(to, size, STR_FMT, STR_ARG(s));
}

static bool
config_read(const struct node *doc, const char *file, struct config *c, struct error *err)
{
	const struct node *keys = node_find(doc, "keys");

	if (node_find(doc, "theme") != NULL)
		copy(c->theme, sizeof(c->theme), node_path_str(doc, "theme"));
	if (node_find(doc, "clipboard") != NULL)
		copy(c->clipboard, sizeof(c->clipboard), node_find(doc, "clipboard")->text);
	if (node_find(keys, "preset") != NULL) {
		copy(c->preset, sizeof(c->preset), node_path_str(keys, "preset"));
		if (!keymap_preset(&c->keys, c->preset, err))
			return error_wrap(
			    err, "%s:%u: keys.preset", file, node_find(keys, "preset")->line);
	}
	for (const struct node *n = node_first(node_find(keys, "bind")); n != NULL; n = n->next)
		if (!keymap_bind(&c->keys, n->key, node_get_str(n), err))
			return error_wrap(err, "%s:%u: keys.bind", file, n->line);
	return true;
}

bool
config_parse(struct str bytes, const char *file, struct config *ret_config, struct error *err)
{
	struct arena *a = arena_new((size_t)1024 * 1024);
	struct node *docs = NULL;
	struct config c;
	bool ok = false;

	config_default(&c);
	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory to read %s", file);
	if (!yaml_parse(a, bytes, file, &docs, err))
		goto out;
	if (node_at(docs, 0) != NULL && node_at(docs, 0)->type != NODE_MAP) {
		(void)error_set(err, ERR_INVALID, "%s: the settings are a map", file);
		goto out;
	}
	if (!config_read(node_at(docs, 0), file, &c, err))
		goto out;
	*ret_config = c;
	ok = true;
out:
	arena_free(a);
	return ok;
}

bool
config_load(struct config *ret_config, struct error *err)
{
	struct text path = TEXT_INIT(4096);
	struct text bytes = TEXT_INIT(CONFIG_MAX_BYTES);
	const char *config = secure_getenv("XDG_CONFIG_HOME");
	const char *home = secure_getenv("HOME");
	char buf[4096];
	ssize_t n;
	int fd;
	bool ok = false;

	config_default(ret_config);
	if (config != NULL && config[0] == '/')
		text_printf(&path, "%s/flightdeck/config.yaml", config);
	else
		text_printf(&path, "%s/.config/flightdeck/config.yaml", home != NULL ? home : "");
	fd = open(text_get(&path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		ok = true;
		goto out;
	}
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		text_add_str(&bytes, (struct str){ buf, (size_t)n });
	(void)close(fd);
	if (n < 0) {
		(void)error_set(err, ERR_IO, "cannot read '%s'", text_get(&path));
		goto out;
	}
	ok = text_ok(&bytes, text_get(&path), err) &&
	     config_parse(text_str(&bytes), text_get(&path), ret_config, err);
out:
	text_free(&path);
	text_free(&bytes);
	return ok;
}
