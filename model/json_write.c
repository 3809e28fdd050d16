#include "model/base/mem.h"
#include "model/json.h"
#include "model/node_keys.h"
#include "model/number.h"

/* Characters that a terminal or an editor would obey instead of show. */
static bool
must_escape(uint32_t c)
{
	return (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x61c ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) ||
	       (c >= 0xe0000 && c <= 0xe0fff);
}

static void
add_escape(struct text *out, uint32_t c)
{
	static const char shorts[] = "btn\0fr"; /* 8 to 13 */

	if (c == '"' || c == '\\') {
		text_add_char(out, '\\');
		text_add_char(out, (char)c);
	} else if (c >= 8 && c <= 13 && c != 11) {
		text_add_char(out, '\\');
		text_add_char(out, shorts[c - 8]);
	} else if (c < 0x10000) {
		text_printf(out, "\\u%04x", (unsigned)c);
	} else {
		c -= 0x10000;
		text_printf(out, "\\u%04x\\u%04x", (unsigned)(0xd800 + (c >> 10)),
		    (unsigned)(0xdc00 + (c & 0x3ff)));
	}
}

static void
add_string(struct text *out, struct str s)
{
	size_t from = 0;
	size_t i = 0;

	text_add_char(out, '"');
	while (i < s.n) {
		uint32_t c = (unsigned char)s.p[i];
		size_t n = c < 0x80 ? 1 : utf8_decode(str_sub(s, i, 4), &c);

		if (n == 1 && c >= 0x20 && c != '"' && c != '\\' && c != 0x7f) {
			i++;
			continue;
		}
		if (n > 1 && !must_escape(c)) {
			i += n;
			continue;
		}
		text_add_str(out, str_sub(s, from, i - from));
		add_escape(out, n == 0 ? 0xfffd : c);
		i += n == 0 ? 1 : n;
		from = i;
	}
	text_add_str(out, str_sub(s, from, i - from));
	text_add_char(out, '"');
}

struct writer {
	struct text *out;
	enum json_style style;
	unsigned level;
};

static void
add_break(struct writer *w)
{
	if (w->style != JSON_PRETTY)
		return;
	text_add_char(w->out, '\n');
	for (unsigned i = 0; i < w->level; i++)
		text_add(w->out, "  ");
}

static void add_node(struct writer *w, const struct node *n);

static void
add_item(struct writer *w, const struct node *item, bool map, bool first)
{
	if (!first)
		text_add_char(w->out, ',');
	add_break(w);
	if (map) {
		add_string(w->out, item->key);
		text_add(w->out, w->style == JSON_PRETTY ? ": " : ":");
	}
	add_node(w, item);
}

static void
add_collection(struct writer *w, const struct node *n)
{
	bool map = n->type == NODE_MAP;
	const struct node **sorted = NULL;
	size_t count = node_count(n);

	text_add_char(w->out, map ? '{' : '[');
	w->level++;
	if (map && w->style == JSON_SORTED && count > 1) {
		sorted = node_sorted(n);
		if (sorted == NULL)
			w->out->no_memory = true;
		for (size_t i = 0; sorted != NULL && i < count; i++)
			add_item(w, sorted[i], true, i == 0);
		mem_free(sorted);
	} else {
		for (const struct node *x = node_first(n); x != NULL; x = x->next)
			add_item(w, x, map, x == node_first(n));
	}
	w->level--;
	if (count > 0)
		add_break(w);
	text_add_char(w->out, map ? '}' : ']');
}

static void
add_node(struct writer *w, const struct node *n)
{
	switch (n->type) {
	case NODE_NULL:
	case NODE__MAX:
		text_add(w->out, "null");
		break;
	case NODE_BOOL:
		text_add(w->out, n->u.boolean ? "true" : "false");
		break;
	case NODE_INT:
	case NODE_FLOAT:
		number_add_node(w->out, n);
		break;
	case NODE_STRING:
		add_string(w->out, n->u.string);
		break;
	case NODE_LIST:
	case NODE_MAP:
		add_collection(w, n);
		break;
	}
}

void
json_write(struct text *out, const struct node *n, enum json_style style)
{
	struct writer w = { .out = out, .style = style };

	if (n == NULL)
		text_add(out, "null");
	else
		add_node(&w, n);
}
