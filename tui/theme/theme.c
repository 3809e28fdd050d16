#include "tui/theme/theme.h"

#include <stdio.h>
#include <string.h>

#include "model/base/macros.h"
#include "model/base/mem.h"
#include "model/node.h"
#include "model/yaml.h"

struct role_row {
	const char *name, *what;
};

#define X(id, name, what) [ROLE_##id] = { name, what },
static const struct role_row roles[ROLE__MAX] = { THEME_ROLES(X) };
#undef X

struct word {
	const char *name;
	int16_t value;
};

static const struct word colours[] = {
	{ "default", COLOUR_DEFAULT },
	{ "black", 0 },
	{ "red", 1 },
	{ "green", 2 },
	{ "yellow", 3 },
	{ "blue", 4 },
	{ "magenta", 5 },
	{ "cyan", 6 },
	{ "white", 7 },
	{ "bright-black", 8 },
	{ "bright-red", 9 },
	{ "bright-green", 10 },
	{ "bright-yellow", 11 },
	{ "bright-blue", 12 },
	{ "bright-magenta", 13 },
	{ "bright-cyan", 14 },
	{ "bright-white", 15 },
};

static const struct word attrs[] = {
	{ "bold", ATTR_BOLD },
	{ "dim", ATTR_DIM },
	{ "reverse", ATTR_REVERSE },
	{ "underline", ATTR_UNDERLINE },
};

/* clang-format off */
static const struct style default_styles[ROLE__MAX] = {
	[ROLE_TEXT] = { -1, -1, 0 },          [ROLE_DIM] = { -1, -1, ATTR_DIM },
	[ROLE_HEADER] = { -1, -1, 0 },        [ROLE_TITLE] = { -1, -1, ATTR_BOLD },
	[ROLE_CHIP] = { 2, -1, ATTR_BOLD },   [ROLE_LOCK] = { 6, -1, ATTR_BOLD },
	[ROLE_PROD] = { 1, -1, ATTR_BOLD | ATTR_REVERSE },
	[ROLE_BANNER] = { 0, 3, ATTR_BOLD },  [ROLE_COLUMN] = { 6, -1, 0 },
	[ROLE_SECTION] = { 6, -1, ATTR_BOLD }, [ROLE_RULE] = { -1, -1, ATTR_DIM },
	[ROLE_CURSOR] = { -1, -1, ATTR_BOLD }, [ROLE_MARKED] = { 3, -1, ATTR_BOLD },
	[ROLE_KEY] = { 6, -1, ATTR_BOLD },    [ROLE_OK] = { 2, -1, 0 },
	[ROLE_BUSY] = { 3, -1, 0 },           [ROLE_WAIT] = { -1, -1, 0 },
	[ROLE_UNSURE] = { 5, -1, 0 },         [ROLE_BAD] = { 1, -1, ATTR_BOLD },
	[ROLE_LEAVE] = { 5, -1, 0 },          [ROLE_DRAIN] = { 6, -1, 0 },
	[ROLE_WARN] = { 3, -1, ATTR_BOLD },   [ROLE_GAUGE] = { 6, -1, 0 },
	[ROLE_INPUT] = { -1, -1, ATTR_UNDERLINE },
	[ROLE_FOCUS] = { 3, -1, ATTR_BOLD | ATTR_UNDERLINE },
	[ROLE_MATCH] = { -1, -1, ATTR_REVERSE }, [ROLE_ADD] = { 2, -1, ATTR_BOLD },
	[ROLE_REMOVE] = { 1, -1, ATTR_BOLD }, [ROLE_CODE] = { 6, -1, 0 },
};
/* clang-format on */

const char *
role_name(enum role r)
{
	return roles[r].name;
}

const char *
role_what(enum role r)
{
	return roles[r].what;
}

void
theme_default(struct theme *t)
{
	*t = (struct theme){ .name = "default", .about = "the terminal's own sixteen colours" };
	memcpy(t->styles, default_styles, sizeof(t->styles));
}

void
theme_without_colour(struct theme *t)
{
	for (size_t i = 0; i < ROLE__MAX; i++) {
		struct style *s = &t->styles[i];

		if (s->bg != COLOUR_DEFAULT && i != ROLE_TEXT && i != ROLE_HEADER)
			s->attr |= ATTR_REVERSE;
		s->fg = s->bg = COLOUR_DEFAULT;
	}
}

static int
distance(const int a[3], const int b[3])
{
	int sum = 0;

	for (int i = 0; i < 3; i++)
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	return sum;
}

/* Red, green and blue of a palette number, as xterm has them. */
static void
palette_rgb(int n, int rgb[3])
{
	/* clang-format off */
	static const int base[16][3] = {
		{ 0, 0, 0 }, { 205, 0, 0 }, { 0, 205, 0 }, { 205, 205, 0 },
		{ 0, 0, 238 }, { 205, 0, 205 }, { 0, 205, 205 }, { 229, 229, 229 },
		{ 127, 127, 127 }, { 255, 0, 0 }, { 0, 255, 0 }, { 255, 255, 0 },
		{ 92, 92, 255 }, { 255, 0, 255 }, { 0, 255, 255 }, { 255, 255, 255 },
	};
	/* clang-format on */
	static const int step[6] = { 0, 95, 135, 175, 215, 255 };

	if (n < 16) {
		memcpy(rgb, base[n], sizeof(base[n]));
	} else if (n < 232) {
		rgb[0] = step[(n - 16) / 36];
		rgb[1] = step[(n - 16) / 6 % 6];
		rgb[2] = step[(n - 16) % 6];
	} else {
		rgb[0] = rgb[1] = rgb[2] = 8 + (n - 232) * 10;
	}
}

static int16_t
nearest(const int rgb[3], int from, int to)
{
	int best = from;
	int least = -1;

	for (int n = from; n < to; n++) {
		int other[3];
		int d;

		palette_rgb(n, other);
		d = distance(rgb, other);
		if (least < 0 || d < least) {
			least = d;
			best = n;
		}
	}
	return (int16_t)best;
}

void
theme_reduce(struct theme *t, int ncolours)
{
	if (ncolours >= 256)
		return;
	for (size_t i = 0; i < ROLE__MAX; i++) {
		int16_t *both[2] = { &t->styles[i].fg, &t->styles[i].bg };

		for (int k = 0; k < 2; k++) {
			int rgb[3];

			if (*both[k] < ncolours)
				continue;
			palette_rgb(*both[k], rgb);
			*both[k] = nearest(rgb, 0, ncolours >= 16 ? 16 : 8);
		}
	}
}

static bool
hex_digit(char c, int *ret)
{
	if (c >= '0' && c <= '9')
		*ret = c - '0';
	else if (c >= 'a' && c <= 'f')
		*ret = c - 'a' + 10;
	else if (c >= 'A' && c <= 'F')
		*ret = c - 'A' + 10;
	else
		return false;
	return true;
}

static bool
colour_parse(struct str s, int16_t *ret)
{
	int64_t n;

	for (size_t i = 0; i < ARRAY_LEN(colours); i++)
		if (str_is(s, colours[i].name)) {
			*ret = colours[i].value;
			return true;
		}
	if (s.n == 7 && s.p[0] == '#') {
		int rgb[3];

		for (size_t i = 0; i < 3; i++) {
			int hi = 0;
			int lo = 0;

			if (!hex_digit(s.p[1 + i * 2], &hi) || !hex_digit(s.p[2 + i * 2], &lo))
				return false;
			rgb[i] = hi * 16 + lo;
		}
		*ret = nearest(rgb, 16, 256);
		return true;
	}
	if (!str_to_int(s, &n) || n < 0 || n > 255)
		return false;
	*ret = (int16_t)n;
	return true;
}

static bool
attr_parse(struct str s, uint8_t *attr)
{
	for (size_t i = 0; i < ARRAY_LEN(attrs); i++)
		if (str_is(s, attrs[i].name)) {
			*attr = (uint8_t)(*attr | (unsigned)attrs[i].value);
			return true;
		}
	return false;
}

static bool
style_parse(struct str s, struct style *ret)
{
	struct style style = { COLOUR_DEFAULT, COLOUR_DEFAULT, 0 };
	struct str word;
	bool background = false;
	bool coloured = false;

	while (str_split(&s, ' ', &word)) {
		if (word.n == 0)
			continue;
		if (str_is(word, "on") && !background) {
			background = true;
			continue;
		}
		if (attr_parse(word, &style.attr))
			continue;
		if (background && style.bg == COLOUR_DEFAULT) {
			if (!colour_parse(word, &style.bg))
				return false;
		} else if (!coloured) {
			if (!colour_parse(word, &style.fg))
				return false;
			coloured = true;
		} else {
			return false;
		}
	}
	*ret = style;
	return true;
}

/* The text of a scalar as it stands in the file: numbers are colours too. */
static struct str
scalar(const struct node *n)
{
	if (n->type == NODE_STRING)
		return n->u.string;
	return n->text;
}

static bool
roles_read(const struct node *map, const char *file, struct theme *t, struct error *err)
{
	bool given[ROLE__MAX] = { false };

	for (const struct node *n = node_first(map); n != NULL; n = n->next) {
		size_t r = 0;

		while (r < ROLE__MAX && !str_is(n->key, roles[r].name))
			r++;
		if (r == ROLE__MAX)
			return error_set(err, ERR_INVALID, "%s:%u: no role is called '" STR_FMT "'",
			    file, n->key_line, STR_ARG(n->key));
		if (!style_parse(scalar(n), &t->styles[r]))
			return error_set(err, ERR_INVALID,
			    "%s:%u: role '%s': '" STR_FMT "' is no colour and attributes", file,
			    n->line, roles[r].name, STR_ARG(scalar(n)));
		given[r] = true;
	}
	for (size_t r = 0; r < ROLE__MAX; r++)
		if (!given[r])
			return error_set(
			    err, ERR_INVALID, "%s: role '%s' has no colour", file, roles[r].name);
	return true;
}

static void
copy(char *to, size_t size, struct str s)
{
	size_t n = s.n < size - 1 ? s.n : size - 1;

	if (n > 0)
		memcpy(to, s.p, n);
	to[n] = '\0';
}

bool
theme_parse(struct str bytes, const char *file, struct theme *ret_theme, struct error *err)
{
	struct arena *a = NULL;
	struct node *docs = NULL;
	const struct node *doc;
	struct theme t = { .name = "" };
	bool ok = false;

	if (bytes.n > THEME_MAX_BYTES)
		return error_set(
		    err, ERR_TOO_LARGE, "%s: a theme has at most %d bytes", file, THEME_MAX_BYTES);
	a = arena_new((size_t)1024 * 1024);
	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory to read %s", file);
	if (!yaml_parse(a, bytes, file, &docs, err))
		goto out;
	doc = node_at(docs, 0);
	if (doc == NULL || doc->type != NODE_MAP || node_find(doc, "roles") == NULL) {
		(void)error_set(err, ERR_INVALID, "%s: a theme is a map with 'roles'", file);
		goto out;
	}
	copy(t.name, sizeof(t.name), node_path_str(doc, "name"));
	copy(t.about, sizeof(t.about), node_path_str(doc, "about"));
	if (t.name[0] == '\0') {
		(void)error_set(err, ERR_INVALID, "%s: 'name' is missing", file);
		goto out;
	}
	if (!roles_read(node_find(doc, "roles"), file, &t, err))
		goto out;
	*ret_theme = t;
	ok = true;
out:
	arena_free(a);
	return ok;
}
