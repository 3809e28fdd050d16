#include <string.h>

#include "model/base/mem.h"
#include "model/regex.h"
#include "model/regex_int.h"

struct parser {
	struct arena *arena;
	struct str rest;
	size_t length; /* of the whole pattern, for positions */
	unsigned depth;
	bool fold_case, dot_all;
	struct error *err;
};

struct named {
	const char *name;
	struct range ranges[4];
	size_t n;
};

static const struct named escapes[] = {
	{ "d", { { '0', '9' } }, 1 },
	{ "w", { { '0', '9' }, { 'A', 'Z' }, { '_', '_' }, { 'a', 'z' } }, 4 },
	{ "s", { { '\t', '\n' }, { '\f', '\r' }, { ' ', ' ' } }, 3 },
};

static const struct named posix[] = {
	{ "alnum", { { '0', '9' }, { 'A', 'Z' }, { 'a', 'z' } }, 3 },
	{ "alpha", { { 'A', 'Z' }, { 'a', 'z' } }, 2 },
	{ "blank", { { '\t', '\t' }, { ' ', ' ' } }, 2 },
	{ "cntrl", { { 0, 0x1f }, { 0x7f, 0x7f } }, 2 },
	{ "digit", { { '0', '9' } }, 1 },
	{ "graph", { { '!', '~' } }, 1 },
	{ "lower", { { 'a', 'z' } }, 1 },
	{ "print", { { ' ', '~' } }, 1 },
	{ "punct", { { '!', '/' }, { ':', '@' }, { '[', '`' }, { '{', '~' } }, 4 },
	{ "space", { { '\t', '\r' }, { ' ', ' ' } }, 2 },
	{ "upper", { { 'A', 'Z' } }, 1 },
	{ "word", { { '0', '9' }, { 'A', 'Z' }, { '_', '_' }, { 'a', 'z' } }, 4 },
	{ "xdigit", { { '0', '9' }, { 'A', 'F' }, { 'a', 'f' } }, 3 },
};

static void *
bad(struct parser *p, const char *what)
{
	(void)error_set(
	    p->err, ERR_INVALID, "pattern, at character %zu: %s", p->length - p->rest.n + 1, what);
	return NULL;
}

static void *
no_memory(struct parser *p)
{
	(void)error_set(p->err, ERR_NO_MEMORY, "no memory for a pattern");
	return NULL;
}

static struct tree *
tree_new(struct parser *p, enum tree_kind kind, struct tree *a, struct tree *b)
{
	struct tree *t = arena_get(p->arena, sizeof *t);

	if (t == NULL)
		return no_memory(p);
	t->kind = kind;
	t->a = a;
	t->b = b;
	return t;
}

static int
peek(const struct parser *p)
{
	return p->rest.n > 0 ? (unsigned char)p->rest.p[0] : -1;
}

static void
skip(struct parser *p, size_t n)
{
	p->rest = (struct str){ p->rest.p + n, p->rest.n - n };
}

static bool
take(struct parser *p, const char *token)
{
	if (!str_starts(p->rest, str_from(token)))
		return false;
	skip(p, strlen(token));
	return true;
}

static bool
add_range(struct parser *p, struct tree *set, uint32_t first, uint32_t last)
{
	if (set->nranges == set->cap) {
		size_t cap = set->cap == 0 ? 4 : set->cap * 2;
		struct range *more = arena_array(p->arena, cap, sizeof *more);

		if (more == NULL)
			return no_memory(p) != NULL;
		if (set->nranges > 0)
			memcpy(more, set->ranges, set->nranges * sizeof *more);
		set->ranges = more;
		set->cap = cap;
	}
	set->ranges[set->nranges++] = (struct range){ first, last };
	return true;
}

/* The range and, with (?i), its letters in the other case. */
static bool
add_folded(struct parser *p, struct tree *set, uint32_t first, uint32_t last)
{
	if (!add_range(p, set, first, last))
		return false;
	if (!p->fold_case)
		return true;
	for (uint32_t c = 'a'; c <= 'z'; c++) {
		uint32_t upper = c - 'a' + 'A';

		if (c >= first && c <= last && !add_range(p, set, upper, upper))
			return false;
		if (upper >= first && upper <= last && !add_range(p, set, c, c))
			return false;
	}
	return true;
}

/* A named class or its complement. Rows are in order and do not touch. */
static bool
add_named(struct parser *p, struct tree *set, const struct named *row, bool inverted)
{
	uint32_t from = 0;

	for (size_t i = 0; i < row->n; i++) {
		if (!inverted && !add_folded(p, set, row->ranges[i].first, row->ranges[i].last))
			return false;
		if (inverted && row->ranges[i].first > from &&
		    !add_range(p, set, from, row->ranges[i].first - 1))
			return false;
		from = row->ranges[i].last + 1;
	}
	return !inverted || add_range(p, set, from, 0x10ffff);
}

static const struct named *
find_escape(int c)
{
	for (size_t i = 0; i < ARRAY_LEN(escapes); i++) {
		if ((c | 0x20) == escapes[i].name[0])
			return &escapes[i];
	}
	return NULL;
}

static bool
parse_hex(struct parser *p, uint32_t *ret_char)
{
	bool braces = take(p, "{");
	uint32_t value = 0;
	int n = 0;

	for (; n < (braces ? 6 : 2); n++, skip(p, 1)) {
		int c = peek(p);
		int lower = c | 0x20;

		if (c >= '0' && c <= '9')
			value = value * 16 + (uint32_t)(c - '0');
		else if (lower >= 'a' && lower <= 'f')
			value = value * 16 + (uint32_t)(lower - 'a' + 10);
		else
			break;
	}
	if (n < (braces ? 1 : 2) || (braces && !take(p, "}")) || value > 0x10ffff)
		return bad(p, "wrong hexadecimal escape") != NULL;
	*ret_char = value;
	return true;
}

/* One character, after a backslash was taken. */
static bool
parse_escape(struct parser *p, uint32_t *ret_char)
{
	static const char from[] = "nrtfva";
	static const char to[] = "\n\r\t\f\v\a";
	int c = peek(p);
	const char *hit;

	if (c <= 0)
		return bad(p, "a backslash at the end") != NULL;
	skip(p, 1);
	if (c == 'x')
		return parse_hex(p, ret_char);
	hit = strchr(from, c);
	if (hit != NULL) {
		*ret_char = (unsigned char)to[hit - from];
		return true;
	}
	if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c >= 0x80)
		return bad(p, "unknown escape") != NULL;
	*ret_char = (uint32_t)c;
	return true;
}

static bool
parse_char(struct parser *p, uint32_t *ret_char)
{
	size_t n;

	if (take(p, "\\"))
		return parse_escape(p, ret_char);
	n = utf8_decode(p->rest, ret_char);
	if (n == 0)
		return bad(p, "not UTF-8") != NULL;
	skip(p, n);
	return true;
}

/* "[:alpha:]" inside of a class. *ret_done when there was one. */
static bool
parse_posix(struct parser *p, struct tree *set, bool *ret_done)
{
	bool inverted;
	ptrdiff_t end;

	*ret_done = false;
	if (!str_starts(p->rest, STR("[:")))
		return true;
	end = str_find(p->rest, STR(":]"));
	inverted = str_starts(p->rest, STR("[:^"));
	for (size_t i = 0; end > 0 && i < ARRAY_LEN(posix); i++) {
		size_t from = inverted ? 3 : 2;

		if (!str_is(str_sub(p->rest, from, (size_t)end - from), posix[i].name))
			continue;
		skip(p, (size_t)end + 2);
		*ret_done = true;
		return add_named(p, set, &posix[i], inverted);
	}
	return true;
}

static bool
parse_class_item(struct parser *p, struct tree *set)
{
	const struct named *row;
	uint32_t first;
	uint32_t last;
	bool done;

	if (!parse_posix(p, set, &done) || done)
		return done;
	row = p->rest.n > 1 && p->rest.p[0] == '\\' ? find_escape(p->rest.p[1]) : NULL;
	if (row != NULL) {
		bool inverted = p->rest.p[1] != row->name[0];

		skip(p, 2);
		return add_named(p, set, row, inverted);
	}
	if (!parse_char(p, &first))
		return false;
	last = first;
	if (p->rest.n > 1 && p->rest.p[0] == '-' && p->rest.p[1] != ']') {
		skip(p, 1);
		if (!parse_char(p, &last))
			return false;
	}
	if (last < first)
		return bad(p, "a range that runs backwards") != NULL;
	return add_folded(p, set, first, last);
}

/* After '['. */
static struct tree *
parse_class(struct parser *p)
{
	struct tree *set = tree_new(p, TREE_SET, NULL, NULL);
	bool first = true;

	if (set == NULL)
		return NULL;
	set->inverted = take(p, "^");
	while (first || peek(p) != ']') {
		if (peek(p) < 0)
			return bad(p, "']' is missing");
		if (!parse_class_item(p, set))
			return NULL;
		first = false;
	}
	skip(p, 1);
	return set;
}

static struct tree *parse_alternatives(struct parser *p);

/* After '('. */
static struct tree *
parse_group(struct parser *p)
{
	bool fold = p->fold_case;
	bool dot = p->dot_all;
	struct tree *t;

	if (++p->depth > REGEX_MAX_DEPTH)
		return bad(p, "nested too deeply");
	if (take(p, "?P<") || (!str_starts(p->rest, STR("?<=")) && take(p, "?<"))) {
		while (peek(p) > 0 && peek(p) != '>')
			skip(p, 1);
		if (!take(p, ">"))
			return bad(p, "'>' is missing");
	} else if (peek(p) == '?' && !take(p, "?:")) {
		return bad(p, "this kind of group is not supported");
	}
	t = parse_alternatives(p);
	if (t == NULL)
		return NULL;
	if (!take(p, ")"))
		return bad(p, "')' is missing");
	p->depth--;
	p->fold_case = fold;
	p->dot_all = dot;
	return t;
}

static struct tree *
parse_set_of(struct parser *p, uint32_t first, uint32_t last)
{
	struct tree *set = tree_new(p, TREE_SET, NULL, NULL);

	return set != NULL && add_folded(p, set, first, last) ? set : NULL;
}

static struct tree *
parse_backslash(struct parser *p)
{
	const struct named *row = p->rest.n > 1 ? find_escape(p->rest.p[1]) : NULL;
	struct tree *set;
	uint32_t c;

	if (take(p, "\\A"))
		return tree_new(p, TREE_BEGIN, NULL, NULL);
	if (take(p, "\\z"))
		return tree_new(p, TREE_END, NULL, NULL);
	if (row == NULL)
		return parse_char(p, &c) ? parse_set_of(p, c, c) : NULL;
	set = tree_new(p, TREE_SET, NULL, NULL);
	if (set == NULL || !add_named(p, set, row, p->rest.p[1] != row->name[0]))
		return NULL;
	skip(p, 2);
	return set;
}

static struct tree *
parse_atom(struct parser *p)
{
	uint32_t c;

	if (take(p, "("))
		return parse_group(p);
	if (take(p, "["))
		return parse_class(p);
	if (take(p, "^"))
		return tree_new(p, TREE_BEGIN, NULL, NULL);
	if (take(p, "$"))
		return tree_new(p, TREE_END, NULL, NULL);
	if (peek(p) == '\\')
		return parse_backslash(p);
	if (take(p, ".")) {
		struct tree *set = parse_set_of(p, '\n', '\n');

		if (set != NULL)
			set->inverted = true;
		if (set != NULL && p->dot_all)
			set->nranges = 0;
		return set;
	}
	if (peek(p) == '*' || peek(p) == '+' || peek(p) == '?')
		return bad(p, "nothing to repeat");
	return parse_char(p, &c) ? parse_set_of(p, c, c) : NULL;
}

static bool
parse_count(struct parser *p, int *ret)
{
	size_t n = 0;
	int64_t value;

	while (n < p->rest.n && p->rest.p[n] >= '0' && p->rest.p[n] <= '9')
		n++;
	if (n == 0 || n > 6 || !str_to_int((struct str){ p->rest.p, n }, &value))
		return false;
	*ret = (int)value;
	skip(p, n);
	return true;
}

/* "{n}", "{n,}" or "{n,m}"; anything else in braces is text. */
static bool
take_braces(struct parser *p, int *ret_min, int *ret_max)
{
	struct str before = p->rest;

	if (take(p, "{") && parse_count(p, ret_min)) {
		*ret_max = *ret_min;
		if (take(p, ",")) {
			*ret_max = -1;
			(void)parse_count(p, ret_max); /* left out: endless */
		}
		if (take(p, "}"))
			return true;
	}
	p->rest = before;
	return false;
}

static bool
take_repeat(struct parser *p, int *ret_min, int *ret_max)
{
	*ret_min = 0;
	*ret_max = -1;
	if (take(p, "*"))
		return true;
	if (take(p, "+")) {
		*ret_min = 1;
		return true;
	}
	if (take(p, "?")) {
		*ret_max = 1;
		return true;
	}
	return take_braces(p, ret_min, ret_max);
}

static struct tree *
parse_repeated(struct parser *p)
{
	struct tree *t = parse_atom(p);
	struct str before;
	int min;
	int max;

	if (t == NULL || !take_repeat(p, &min, &max))
		return t;
	if (min > REGEX_MAX_REPEAT || max > REGEX_MAX_REPEAT || (max >= 0 && max < min))
		return bad(p, "wrong number of repeats");
	(void)take(p, "?"); /* lazy or not: there is a match or there is none */
	t = tree_new(p, TREE_REPEAT, t, NULL);
	if (t == NULL)
		return NULL;
	t->min = min;
	t->max = max;
	before = p->rest;
	if (take_repeat(p, &min, &max)) {
		p->rest = before;
		return bad(p, "a repeat of a repeat");
	}
	return t;
}

static struct tree *
parse_sequence(struct parser *p)
{
	struct tree *all = tree_new(p, TREE_EMPTY, NULL, NULL);

	while (all != NULL && peek(p) >= 0 && peek(p) != '|' && peek(p) != ')') {
		struct tree *next = parse_repeated(p);

		if (next == NULL)
			return NULL;
		all = all->kind == TREE_EMPTY ? next : tree_new(p, TREE_CAT, all, next);
	}
	return all;
}

static struct tree *
parse_alternatives(struct parser *p)
{
	struct tree *all = parse_sequence(p);

	while (all != NULL && take(p, "|")) {
		struct tree *next = parse_sequence(p);

		if (next == NULL)
			return NULL;
		all = tree_new(p, TREE_ALT, all, next);
	}
	return all;
}

static bool
parse_flags(struct parser *p)
{
	if (!str_starts(p->rest, STR("(?i")) && !str_starts(p->rest, STR("(?s")))
		return true;
	skip(p, 2);
	for (;;) {
		if (take(p, "i"))
			p->fold_case = true;
		else if (take(p, "s"))
			p->dot_all = true;
		else
			return take(p, ")") || bad(p, "this flag is not supported") != NULL;
	}
}

const struct tree *
regex_parse(struct arena *a, struct str pattern, struct error *err)
{
	struct parser p = { .arena = a, .rest = pattern, .length = pattern.n, .err = err };
	const struct tree *t;

	if (pattern.n > REGEX_MAX_TEXT)
		return bad(&p, "too long");
	if (!parse_flags(&p))
		return NULL;
	t = parse_alternatives(&p);
	if (t != NULL && p.rest.n > 0)
		return bad(&p, "')' without '('");
	return t;
}
