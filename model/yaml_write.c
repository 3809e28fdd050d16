#include "model/number.h"
#include "model/yaml.h"
#include "model/yaml_scalar.h"

/* Depth of the indentation is two spaces a level; lists stand below their key without any. */

static void add_value(struct text *out, const struct node *n, unsigned indent, bool in_list);

static void
add_indent(struct text *out, unsigned indent)
{
	for (unsigned i = 0; i < indent; i++)
		text_add(out, "  ");
}

enum style { STYLE_PLAIN, STYLE_SINGLE, STYLE_DOUBLE, STYLE_LITERAL };

static bool
is_printable(uint32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0xad || c == 0xfeff)
		return false;
	if ((c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || c == 0x61c)
		return false;
	return !((c >= 0x2060 && c <= 0x206f) || c == 0xfffe || c == 0xffff || c >= 0xe0000);
}

/* Whether every character can stand for itself; notes whether there are line feeds. */
static bool
is_clean(struct str s, bool *ret_lines)
{
	*ret_lines = false;
	while (s.n > 0) {
		uint32_t c;
		size_t n = utf8_decode(s, &c);

		if (n == 0 || (c != '\n' && !is_printable(c)))
			return false;
		*ret_lines = *ret_lines || c == '\n';
		s = str_sub(s, n, s.n);
	}
	return true;
}

/* A block scalar keeps everything but a first line that begins with space, or no text at all. */
static bool
fits_literal(struct str s)
{
	return s.p[0] != ' ' && s.p[0] != '\n' && str_trim(s).n > 0;
}

static bool
fits_plain(struct str s)
{
	static const char starts[] = "-?:,[]{}#&*!|>'\"%@` ";
	char first = s.p[0];
	bool dash = first == '-' || first == '?' || first == ':';

	if (str_find_char(str_from(starts), first) >= 0 &&
	    !(dash && s.n > 1 && s.p[1] != ' ' && str_find_char(STR(",[]{}"), s.p[1]) < 0))
		return false;
	if (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == ':')
		return false;
	if (str_starts(s, STR("---")) || str_starts(s, STR("...")))
		return false;
	return str_find(s, STR(": ")) < 0 && str_find(s, STR(" #")) < 0;
}

static enum style
style_of(struct str s, bool key)
{
	bool lines;

	if (s.n == 0)
		return STYLE_DOUBLE;
	if (!is_clean(s, &lines))
		return STYLE_DOUBLE;
	if (lines)
		return !key && fits_literal(s) ? STYLE_LITERAL : STYLE_DOUBLE;
	if (yaml_is_ambiguous(s))
		return STYLE_DOUBLE;
	if (key && s.n > 100)
		return STYLE_DOUBLE;
	return fits_plain(s) ? STYLE_PLAIN : STYLE_SINGLE;
}

static void
add_double(struct text *out, struct str s)
{
	text_add_char(out, '"');
	while (s.n > 0) {
		uint32_t c = 0xfffd;
		size_t n = utf8_decode(s, &c);

		if (n == 0)
			text_add(out, "\\uFFFD");
		else if (c == '"' || c == '\\')
			text_printf(out, "\\%c", (char)c);
		else if (c == '\n')
			text_add(out, "\\n");
		else if (c == '\t')
			text_add(out, "\\t");
		else if (is_printable(c))
			text_add_str(out, str_sub(s, 0, n));
		else if (c < 0x100)
			text_printf(out, "\\x%02X", (unsigned)c);
		else
			text_printf(out, c < 0x10000 ? "\\u%04X" : "\\U%08X", (unsigned)c);
		s = str_sub(s, n == 0 ? 1 : n, s.n);
	}
	text_add_char(out, '"');
}

static void
add_single(struct text *out, struct str s)
{
	text_add_char(out, '\'');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\'')
			text_add_char(out, '\'');
		text_add_char(out, s.p[i]);
	}
	text_add_char(out, '\'');
}

/* "|-" drops the last line feed, "|" keeps one, "|+" keeps all. */
static void
add_literal(struct text *out, struct str s, unsigned indent)
{
	bool ends = s.p[s.n - 1] == '\n';
	bool many = ends && s.p[s.n - 2] == '\n';
	struct str line;

	text_add(out, many ? "|+" : ends ? "|" : "|-");
	if (ends)
		s.n--;
	while (str_split(&s, '\n', &line)) {
		text_add_char(out, '\n');
		if (line.n > 0)
			add_indent(out, indent);
		text_add_str(out, line);
	}
}

static void
add_string(struct text *out, struct str s, unsigned indent, bool key)
{
	switch (style_of(s, key)) {
	case STYLE_PLAIN:
		text_add_str(out, s);
		break;
	case STYLE_SINGLE:
		add_single(out, s);
		break;
	case STYLE_DOUBLE:
		add_double(out, s);
		break;
	case STYLE_LITERAL:
		add_literal(out, s, indent);
		break;
	}
}

static void
add_map(struct text *out, const struct node *n, unsigned indent, bool in_list)
{
	for (const struct node *x = node_first(n); x != NULL; x = x->next) {
		if (x != node_first(n) || !in_list)
			add_indent(out, indent);
		add_string(out, x->key, indent, true);
		text_add_char(out, ':');
		add_value(out, x, indent, false);
	}
}

static void
add_list(struct text *out, const struct node *n, unsigned indent, bool in_list)
{
	for (const struct node *x = node_first(n); x != NULL; x = x->next) {
		if (x != node_first(n) || !in_list)
			add_indent(out, indent);
		text_add_char(out, '-');
		add_value(out, x, indent + 1, true);
	}
}

static void
add_scalar(struct text *out, const struct node *n, unsigned indent)
{
	if (n->type == NODE_BOOL)
		text_add(out, n->u.boolean ? "true" : "false");
	else if (n->type == NODE_INT || n->type == NODE_FLOAT)
		number_add_node(out, n);
	else if (n->type == NODE_STRING)
		add_string(out, n->u.string, indent, false);
	else
		text_add(out, "null");
}

/*
 * After "key:" or "-". In a list, `indent` is where the element's own content begins, and its first
 * line goes on behind the dash.
 */
static void
add_value(struct text *out, const struct node *n, unsigned indent, bool in_list)
{
	bool map = n->type == NODE_MAP;

	if ((map || n->type == NODE_LIST) && node_count(n) == 0) {
		text_add(out, map ? " {}\n" : " []\n");
	} else if (map || n->type == NODE_LIST) {
		text_add_char(out, in_list ? ' ' : '\n');
		if (map)
			add_map(out, n, in_list ? indent : indent + 1, in_list);
		else
			add_list(out, n, indent, in_list);
	} else {
		text_add_char(out, ' ');
		add_scalar(out, n, in_list ? indent : indent + 1);
		text_add_char(out, '\n');
	}
}

void
yaml_write(struct text *out, const struct node *n)
{
	if (n != NULL && n->type == NODE_MAP && node_count(n) > 0) {
		add_map(out, n, 0, false);
	} else if (n != NULL && n->type == NODE_LIST && node_count(n) > 0) {
		add_list(out, n, 0, false);
	} else if (n != NULL && (n->type == NODE_MAP || n->type == NODE_LIST)) {
		text_add(out, n->type == NODE_MAP ? "{}\n" : "[]\n");
	} else if (n != NULL) {
		add_scalar(out, n, 1);
		text_add_char(out, '\n');
	} else {
		text_add(out, "null\n");
	}
}
