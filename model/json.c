#include "model/json.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <pthread.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/node_keys.h"

/*
 * Three steps. The scan walks the bytes once, refuses whatever is not strict, and notes for each
 * value, in the order of the document, where it stands and, for a number, its exact value. cJSON
 * then builds its tree of a text that is known to be good. The conversion walks that tree in the
 * same order, so that the k-th value meets the k-th note: digits and places come from the notes,
 * everything else from the tree.
 */

enum note_kind { NOTE_OTHER, NOTE_INT, NOTE_FLOAT, NOTE_LONG };

struct note {
	uint32_t line, column;
	uint32_t key_line, key_column;
	enum note_kind kind;
	union {
		int64_t integer;
		double floating;
	} u;
	struct str digits; /* of a NOTE_LONG: an integer beyond 64 bits */
};

struct scan {
	const char *p;
	const char *end;
	const char *line_start;
	uint32_t line;
	uint32_t key_line, key_column; /* of the key just read; 0 when the value has none */
	struct note *notes;
	size_t nnotes, cap;
	char open[JSON_MAX_DEPTH]; /* '{' or '[' of each container around p */
	size_t depth;
	struct error *err;
};

static uint32_t
column_of(const struct scan *s)
{
	return (uint32_t)(s->p - s->line_start) + 1;
}

static bool
fail(struct scan *s, enum error_code code, const char *what)
{
	return error_set(s->err, code, "line %u, column %u: %s", (unsigned)s->line,
	    (unsigned)column_of(s), what);
}

static bool
bad(struct scan *s, const char *what)
{
	return fail(s, ERR_INVALID, what);
}

static int
peek(const struct scan *s)
{
	return s->p < s->end ? (unsigned char)*s->p : -1;
}

static void
skip_space(struct scan *s)
{
	for (; s->p < s->end; s->p++) {
		char c = *s->p;

		if (c == '\n') {
			s->line++;
			s->line_start = s->p + 1;
		} else if (c != ' ' && c != '\t' && c != '\r') {
			return;
		}
	}
}

static bool
scan_hex4(struct scan *s, uint32_t *ret_unit)
{
	uint32_t unit = 0;

	for (int i = 0; i < 4; i++, s->p++) {
		int c = peek(s);
		int lower = c | 0x20;

		if (c >= '0' && c <= '9')
			unit = unit << 4 | (uint32_t)(c - '0');
		else if (lower >= 'a' && lower <= 'f')
			unit = unit << 4 | (uint32_t)(lower - 'a' + 10);
		else
			return bad(s, "four hexadecimal digits must follow \\u");
	}
	*ret_unit = unit;
	return true;
}

static bool
scan_unicode_escape(struct scan *s)
{
	uint32_t unit = 0;

	if (!scan_hex4(s, &unit))
		return false;
	if (unit == 0)
		return bad(s, "\\u0000 is not allowed in text");
	if (unit >= 0xdc00 && unit <= 0xdfff)
		return bad(s, "half of a surrogate pair");
	if (unit < 0xd800 || unit > 0xdbff)
		return true;
	if (s->end - s->p < 2 || s->p[0] != '\\' || s->p[1] != 'u')
		return bad(s, "half of a surrogate pair");
	s->p += 2;
	if (!scan_hex4(s, &unit))
		return false;
	return (unit >= 0xdc00 && unit <= 0xdfff) || bad(s, "half of a surrogate pair");
}

static bool
scan_escape(struct scan *s)
{
	int c;

	s->p++;
	c = peek(s);
	if (c == 'u') {
		s->p++;
		return scan_unicode_escape(s);
	}
	if (c <= 0 || strchr("\"\\/bfnrt", c) == NULL)
		return bad(s, "unknown escape in a string");
	s->p++;
	return true;
}

static bool
scan_string(struct scan *s)
{
	uint32_t decoded;

	for (s->p++; s->p < s->end;) {
		unsigned char c = (unsigned char)*s->p;
		size_t n = 1;

		if (c == '"') {
			s->p++;
			return true;
		}
		if (c == '\\') {
			if (!scan_escape(s))
				return false;
			continue;
		}
		if (c < 0x20)
			return bad(s, "control character in a string (write it as an escape)");
		if (c >= 0x80)
			n = utf8_decode((struct str){ s->p, (size_t)(s->end - s->p) }, &decoded);
		if (n == 0)
			return bad(s, "not UTF-8");
		s->p += n;
	}
	return bad(s, "string without an end");
}

static bool
scan_digits(struct scan *s)
{
	const char *from = s->p;

	while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
		s->p++;
	return s->p > from;
}

/* Moves over one number by the grammar of RFC 8259. */
static bool
scan_number_text(struct scan *s, bool *ret_integer)
{
	*ret_integer = true;
	if (peek(s) == '-')
		s->p++;
	if (peek(s) == '0')
		s->p++;
	else if (!scan_digits(s))
		return bad(s, "a digit must follow the minus sign");
	if (peek(s) >= '0' && peek(s) <= '9')
		return bad(s, "number with a leading zero");
	if (peek(s) == '.') {
		*ret_integer = false;
		s->p++;
		if (!scan_digits(s))
			return bad(s, "a digit must follow the decimal point");
	}
	if (peek(s) == 'e' || peek(s) == 'E') {
		*ret_integer = false;
		s->p++;
		if (peek(s) == '+' || peek(s) == '-')
			s->p++;
		if (!scan_digits(s))
			return bad(s, "a digit must follow the exponent sign");
	}
	return true;
}

static bool
scan_number(struct scan *s, struct note *note)
{
	struct str text = { s->p, 0 };
	bool integer;

	if (!scan_number_text(s, &integer))
		return false;
	text.n = (size_t)(s->p - text.p);
	if (integer && str_to_int(text, &note->u.integer)) {
		note->kind = NOTE_INT;
		return true;
	}
	note->kind = integer ? NOTE_LONG : NOTE_FLOAT;
	note->digits = text;
	if (!str_to_double(text, &note->u.floating))
		return bad(s, "number with too many digits");
	if (note->u.floating - note->u.floating != 0)
		return bad(s, "number beyond the range of a double");
	return true;
}

static bool
scan_word(struct scan *s, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
		return bad(s, "unknown word (true, false and null are known)");
	s->p += n;
	return true;
}

static struct note *
note_new(struct scan *s)
{
	struct note *note;

	if (s->nnotes >= JSON_MAX_NODES) {
		(void)fail(s, ERR_TOO_LARGE, "too many values");
		return NULL;
	}
	if (!mem_grow((void **)&s->notes, &s->cap, s->nnotes + 1, sizeof *s->notes)) {
		(void)error_set(s->err, ERR_NO_MEMORY, "no memory for a JSON document");
		return NULL;
	}
	note = &s->notes[s->nnotes++];
	note->line = s->line;
	note->column = column_of(s);
	note->key_line = s->key_line;
	note->key_column = s->key_column;
	s->key_line = 0;
	s->key_column = 0;
	return note;
}

/* At '{' or '['. Enters it, unless it is empty. */
static bool
scan_open(struct scan *s, bool *ret_entered)
{
	char c = *s->p;

	if (s->depth >= JSON_MAX_DEPTH)
		return fail(s, ERR_TOO_LARGE, "nested too deeply (64 levels are allowed)");
	s->p++;
	skip_space(s);
	if (peek(s) == (c == '{' ? '}' : ']')) {
		s->p++;
		return true;
	}
	s->open[s->depth++] = c;
	*ret_entered = true;
	return true;
}

static bool
scan_value(struct scan *s, bool *ret_entered)
{
	struct note *note;
	int c;

	*ret_entered = false;
	skip_space(s);
	c = peek(s);
	if (c < 0)
		return bad(s, "a value is missing");
	note = note_new(s);
	if (note == NULL)
		return false;
	if (c == '{' || c == '[')
		return scan_open(s, ret_entered);
	if (c == '"')
		return scan_string(s);
	if (c == '-' || (c >= '0' && c <= '9'))
		return scan_number(s, note);
	if (c == 't')
		return scan_word(s, "true");
	if (c == 'f')
		return scan_word(s, "false");
	if (c == 'n')
		return scan_word(s, "null");
	return bad(s, "a value is missing");
}

static bool
scan_key(struct scan *s)
{
	skip_space(s);
	if (peek(s) != '"')
		return bad(s, "a key in double quotes is missing");
	s->key_line = s->line;
	s->key_column = column_of(s);
	if (!scan_string(s))
		return false;
	skip_space(s);
	if (peek(s) != ':')
		return bad(s, "a colon is missing after the key");
	s->p++;
	return true;
}

/* After a value: over closing brackets up to a comma or the end of the outermost. */
static bool
scan_after(struct scan *s)
{
	while (s->depth > 0) {
		bool map = s->open[s->depth - 1] == '{';

		skip_space(s);
		if (peek(s) == ',') {
			s->p++;
			return true;
		}
		if (peek(s) != (map ? '}' : ']'))
			return bad(s, map ? "',' or '}' is missing" : "',' or ']' is missing");
		s->p++;
		s->depth--;
	}
	return true;
}

static bool
scan_document(struct scan *s)
{
	bool entered;

	do {
		if (s->depth > 0 && s->open[s->depth - 1] == '{' && !scan_key(s))
			return false;
		if (!scan_value(s, &entered))
			return false;
		if (!entered && !scan_after(s))
			return false;
	} while (s->depth > 0);
	skip_space(s);
	return s->p == s->end || bad(s, "something follows the value");
}

struct conversion {
	struct arena *arena;
	const struct note *next;
	struct error *err;
};

static bool
no_memory(struct error *err)
{
	return error_set(err, ERR_NO_MEMORY, "no memory for a JSON document");
}

static struct node *
convert_scalar(struct arena *a, const cJSON *from, const struct note *note)
{
	struct node *n;

	if (cJSON_IsString(from))
		return node_strz(a, from->valuestring);
	if (cJSON_IsBool(from))
		return node_bool(a, cJSON_IsTrue(from));
	if (note->kind == NOTE_INT)
		return node_int(a, note->u.integer);
	if (note->kind == NOTE_OTHER)
		return node_null(a);
	n = node_float(a, note->u.floating);
	if (n != NULL && note->kind == NOTE_LONG)
		n->text = str_copy(a, note->digits);
	return n;
}

static bool
refuse_duplicates(const struct node *map, struct error *err)
{
	const struct node *first;
	const struct node *second;

	if (!node_find_duplicate(map, &first, &second, err))
		return false;
	if (second == NULL)
		return true;
	return error_set(err, ERR_INVALID,
	    "line %u, column %u: key '%.*s' stands twice (first in line %u)",
	    (unsigned)second->key_line, (unsigned)second->key_column,
	    second->key.n > 100 ? 100 : (int)second->key.n, second->key.p,
	    (unsigned)first->key_line);
}

/* As deep as the scan allowed: JSON_MAX_DEPTH. */
static struct node *
convert(struct conversion *c, const cJSON *from)
{
	const struct note *note = c->next++;
	bool map = cJSON_IsObject(from);
	bool collection = map || cJSON_IsArray(from);
	struct node *n;

	assert(note != NULL);
	if (collection)
		n = map ? node_map(c->arena) : node_list(c->arena);
	else
		n = convert_scalar(c->arena, from, note);
	if (n == NULL) {
		(void)no_memory(c->err);
		return NULL;
	}
	n->line = note->line;
	n->column = note->column;
	n->key_line = note->key_line;
	n->key_column = note->key_column;
	for (const cJSON *x = collection ? from->child : NULL; x != NULL; x = x->next) {
		struct node *item = convert(c, x);

		if (item == NULL)
			return NULL;
		if (map)
			item->key = str_copy(c->arena, str_from(x->string));
		node_push(n, item);
	}
	if (arena_failed(c->arena)) {
		(void)no_memory(c->err);
		return NULL;
	}
	return !map || refuse_duplicates(n, c->err) ? n : NULL;
}

static void
use_our_memory(void)
{
	cJSON_Hooks hooks = { .malloc_fn = mem_new, .free_fn = mem_free };

	cJSON_InitHooks(&hooks);
}

bool
json_parse(struct arena *a, struct str bytes, struct node **ret_node, struct error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct scan s = {
		.p = bytes.p, .end = bytes.p, .line_start = bytes.p, .line = 1, .err = err
	};
	struct conversion c = { .arena = a, .err = err };
	cJSON *tree = NULL;
	struct node *n;
	bool ok = false;

	if (bytes.n > JSON_MAX_BYTES)
		return error_set(err, ERR_TOO_LARGE, "JSON of %zu bytes (%d are allowed)", bytes.n,
		    (int)JSON_MAX_BYTES);
	if (bytes.n > 0)
		s.end = bytes.p + bytes.n;
	(void)pthread_once(&once, use_our_memory);
	if (!scan_document(&s))
		goto out;
	tree = cJSON_ParseWithLength(bytes.p, bytes.n);
	if (tree == NULL) {
		(void)no_memory(err); /* nothing else can be wrong with it any more */
		goto out;
	}
	c.next = s.notes;
	n = convert(&c, tree);
	if (n == NULL)
		goto out;
	*ret_node = n;
	ok = true;
out:
	cJSON_Delete(tree);
	mem_free(s.notes);
	return ok;
}
