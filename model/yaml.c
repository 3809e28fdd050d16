#include "model/yaml.h"

#include <string.h>
#include <yaml.h>

#include "model/base/mem.h"
#include "model/node_keys.h"
#include "model/yaml_scalar.h"

/*
 * The reader turns libyaml's events into nodes with a stack of open collections. libyaml has no
 * limit of depth, and no cheap answer to many anchors or directives; so depth, nodes, anchors and
 * expansion are counted here as the events come, and directives on the raw text before that.
 */

enum {
	ANCHOR_SLOTS = 2048,		     /* more than twice YAML_MAX_ANCHORS */
	YAML_MAX_EXPANSION = YAML_MAX_NODES, /* nodes copied for aliases, in the whole stream */
};

struct anchor {
	struct str name; /* empty: free slot */
	struct node *node;
	bool open; /* its collection has not ended yet */
};

struct frame {
	struct node *node;
	struct anchor *anchor; /* NULL: none */
	bool has_key;
	struct str key;
	uint32_t key_line, key_column;
};

struct reader {
	struct arena *arena;
	yaml_parser_t parser;
	const char *file;
	struct error *err;
	struct frame stack[YAML_MAX_DEPTH];
	size_t depth;
	size_t nnodes;	  /* of this document */
	size_t nexpanded; /* of the stream */
	size_t ndocs;
	struct anchor *anchors; /* ANCHOR_SLOTS, made at the first one; owned */
	size_t nanchors;
	struct node *root;
	struct node *docs;
};

static bool
fail_at(struct reader *r, enum error_code code, yaml_mark_t mark, const char *what)
{
	return error_set(
	    r->err, code, "%s:%zu:%zu: %s", r->file, mark.line + 1, mark.column + 1, what);
}

static bool
no_memory(struct reader *r)
{
	return error_set(r->err, ERR_NO_MEMORY, "no memory to read '%s'", r->file);
}

static bool
parser_failed(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	const char *problem = p->problem != NULL ? p->problem : "not YAML";

	if (p->error == YAML_MEMORY_ERROR)
		return no_memory(r);
	if (p->error == YAML_READER_ERROR)
		return error_set(r->err, ERR_INVALID, "%s: byte %zu: %s", r->file,
		    p->problem_offset + 1, problem);
	(void)fail_at(r, ERR_INVALID, p->problem_mark, problem);
	if (p->context != NULL)
		error_advise(
		    r->err, "%s that began in line %zu", p->context, p->context_mark.line + 1);
	return false;
}

static bool
count_node(struct reader *r, yaml_mark_t mark)
{
	if (++r->nnodes > YAML_MAX_NODES)
		return fail_at(r, ERR_TOO_LARGE, mark,
		    "more than 100000 values in a document (aliases count as what they stand for)");
	return true;
}

static void
set_place(struct node *n, yaml_mark_t mark)
{
	n->line = (uint32_t)mark.line + 1;
	n->column = (uint32_t)mark.column + 1;
}

static struct anchor *
anchor_slot(struct reader *r, struct str name)
{
	uint32_t hash = 2166136261u;
	size_t i;

	for (size_t k = 0; k < name.n; k++)
		hash = (hash ^ (unsigned char)name.p[k]) * 16777619u;
	i = hash % ANCHOR_SLOTS;
	while (r->anchors[i].name.n > 0 && !str_eq(r->anchors[i].name, name))
		i = (i + 1) % ANCHOR_SLOTS;
	return &r->anchors[i];
}

/* Gives node the name that stands in front of it. *ret_anchor stays NULL when there is none. */
static bool
anchor_set(struct reader *r, const yaml_char_t *name, struct node *node, yaml_mark_t mark,
    struct anchor **ret_anchor)
{
	struct anchor *slot;

	if (name == NULL)
		return true;
	if (++r->nanchors > YAML_MAX_ANCHORS)
		return fail_at(r, ERR_TOO_LARGE, mark, "more than 1000 anchors in a document");
	if (r->anchors == NULL)
		r->anchors = mem_array(ANCHOR_SLOTS, sizeof *r->anchors);
	if (r->anchors == NULL)
		return no_memory(r);
	slot = anchor_slot(r, str_from((const char *)name));
	if (slot->name.n == 0)
		slot->name = str_copy(r->arena, str_from((const char *)name));
	if (slot->name.p == NULL)
		return no_memory(r);
	slot->node = node;
	slot->open = node->type == NODE_LIST || node->type == NODE_MAP;
	*ret_anchor = slot;
	return true;
}

static struct frame *
top(struct reader *r)
{
	return r->depth == 0 ? NULL : &r->stack[r->depth - 1];
}

static bool
wants_key(struct reader *r)
{
	const struct frame *f = top(r);

	return f != NULL && f->node->type == NODE_MAP && !f->has_key;
}

/* Puts a value where it belongs: the root, the open list, or behind the key just read. */
static void
place(struct reader *r, struct node *n)
{
	struct frame *f = top(r);

	if (f == NULL) {
		r->root = n;
		return;
	}
	if (f->has_key) {
		n->key = f->key;
		n->key_line = f->key_line;
		n->key_column = f->key_column;
		f->has_key = false;
	}
	node_push(f->node, n);
}

static bool
place_key(struct reader *r, struct str text, bool plain, yaml_mark_t mark)
{
	struct frame *f = top(r);

	if (plain && str_is(text, "<<"))
		return fail_at(r, ERR_INVALID, mark,
		    "merge keys ('<<') are not part of YAML 1.2: write the fields out");
	f->has_key = true;
	f->key = text;
	f->key_line = (uint32_t)mark.line + 1;
	f->key_column = (uint32_t)mark.column + 1;
	return true;
}

static bool
bad_tag(struct reader *r, const char *tag, yaml_mark_t mark)
{
	return error_set(r->err, ERR_INVALID, "%s:%zu:%zu: tag '%.100s' is not supported here",
	    r->file, mark.line + 1, mark.column + 1, tag);
}

static const char *
core_tag(const char *tag)
{
	static const char prefix[] = "tag:yaml.org,2002:";

	return strncmp(tag, prefix, sizeof prefix - 1) == 0 ? tag + sizeof prefix - 1 : "";
}

/* Bytes in base64, as long as they are text: that is how kubeconfigs carry certificates. */
static bool
decode_binary(struct reader *r, struct node *n, yaml_mark_t mark)
{
	char *kept = arena_get(r->arena, n->text.n + 1);
	size_t nkept = 0;
	struct str bytes;

	if (kept == NULL)
		return no_memory(r);
	for (size_t i = 0; i < n->text.n; i++) {
		if (strchr(" \t\r\n", n->text.p[i]) == NULL)
			kept[nkept++] = n->text.p[i];
	}
	if (!base64_decode(r->arena, (struct str){ kept, nkept }, &bytes))
		return arena_failed(r->arena) ? no_memory(r)
					      : fail_at(r, ERR_INVALID, mark, "not base64");
	if (!utf8_valid(bytes) || (bytes.n > 0 && memchr(bytes.p, '\0', bytes.n) != NULL))
		return fail_at(r, ERR_INVALID, mark, "binary data that is not text");
	n->type = NODE_STRING;
	n->u.string = bytes;
	return true;
}

static bool
set_resolved(struct reader *r, struct node *n, yaml_mark_t mark)
{
	struct yaml_scalar v = yaml_resolve(n->text);

	n->type = v.type;
	switch (v.type) {
	case NODE_BOOL:
		n->u.boolean = v.boolean;
		return true;
	case NODE_INT:
		n->u.integer = v.integer;
		return true;
	case NODE_FLOAT:
		n->u.floating = v.floating;
		return true;
	case NODE_STRING:
		n->u.string = n->text;
		return true;
	case NODE_NULL:
		return true;
	case NODE__MAX:
		return fail_at(
		    r, ERR_INVALID, mark, "number out of range (quote it if it is meant as text)");
	case NODE_LIST:
	case NODE_MAP:
		break;
	}
	return false;
}

struct scalar_tag {
	const char *name;
	enum node_type type;
};

static const struct scalar_tag scalar_tags[] = {
	{ "null", NODE_NULL },
	{ "bool", NODE_BOOL },
	{ "int", NODE_INT },
	{ "float", NODE_FLOAT },
};

static bool
set_tagged(struct reader *r, struct node *n, const char *tag, yaml_mark_t mark)
{
	const char *name = core_tag(tag);

	if (strcmp(tag, "!") == 0 || strcmp(name, "str") == 0) {
		n->type = NODE_STRING;
		n->u.string = n->text;
		return true;
	}
	if (strcmp(name, "binary") == 0)
		return decode_binary(r, n, mark);
	for (size_t i = 0; i < ARRAY_LEN(scalar_tags); i++) {
		if (strcmp(name, scalar_tags[i].name) != 0)
			continue;
		if (!set_resolved(r, n, mark))
			return false;
		if (n->type == NODE_INT && scalar_tags[i].type == NODE_FLOAT) {
			n->type = NODE_FLOAT;
			n->u.floating = (double)n->u.integer;
		}
		return n->type == scalar_tags[i].type ||
		       fail_at(r, ERR_INVALID, mark, "the value does not fit its tag");
	}
	return bad_tag(r, tag, mark);
}

static bool
on_scalar(struct reader *r, const yaml_event_t *ev)
{
	struct str text = { (const char *)ev->data.scalar.value, ev->data.scalar.length };
	const char *tag = (const char *)ev->data.scalar.tag;
	bool plain = ev->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	bool key = wants_key(r);
	struct anchor *anchor = NULL;
	struct node *n = node_null(r->arena);

	if (n == NULL)
		return no_memory(r);
	set_place(n, ev->start_mark);
	n->plain = plain;
	n->text = str_copy(r->arena, text);
	if (n->text.p == NULL)
		return no_memory(r);
	n->type = NODE_STRING;
	n->u.string = n->text;
	if (tag != NULL && !set_tagged(r, n, tag, ev->start_mark))
		return false;
	if (tag == NULL && plain && !key && !set_resolved(r, n, ev->start_mark))
		return false;
	if (!anchor_set(r, ev->data.scalar.anchor, n, ev->start_mark, &anchor))
		return false;
	if (key)
		return place_key(r, n->text, plain, ev->start_mark);
	place(r, n);
	return count_node(r, ev->start_mark);
}

/* Copies what an alias stands for; strings are shared, since both live in the arena. */
static struct node *
expand(struct reader *r, const struct node *from, size_t depth, yaml_mark_t mark)
{
	struct node *copy;

	if (depth > YAML_MAX_DEPTH) {
		(void)fail_at(r, ERR_TOO_LARGE, mark, "nested too deeply (64 levels are allowed)");
		return NULL;
	}
	if (++r->nexpanded > YAML_MAX_EXPANSION) {
		(void)fail_at(r, ERR_TOO_LARGE, mark, "aliases stand for more than 100000 values");
		return NULL;
	}
	if (!count_node(r, mark))
		return NULL;
	copy = arena_get(r->arena, sizeof *copy);
	if (copy == NULL) {
		(void)no_memory(r);
		return NULL;
	}
	*copy = *from;
	copy->next = NULL;
	if (from->type != NODE_LIST && from->type != NODE_MAP)
		return copy;
	copy->u.items.first = NULL;
	copy->u.items.last = NULL;
	copy->u.items.count = 0;
	for (const struct node *x = node_first(from); x != NULL; x = x->next) {
		struct node *item = expand(r, x, depth + 1, mark);

		if (item == NULL)
			return NULL;
		node_push(copy, item);
	}
	return copy;
}

static bool
on_alias(struct reader *r, const yaml_event_t *ev)
{
	struct str name = str_from((const char *)ev->data.alias.anchor);
	struct anchor *anchor = r->anchors == NULL ? NULL : anchor_slot(r, name);
	struct node *copy;

	if (anchor == NULL || anchor->name.n == 0)
		return error_set(r->err, ERR_INVALID, "%s:%zu:%zu: alias '*%.100s' has no anchor",
		    r->file, ev->start_mark.line + 1, ev->start_mark.column + 1, name.p);
	if (anchor->open)
		return fail_at(r, ERR_INVALID, ev->start_mark, "an alias inside of its own anchor");
	if (wants_key(r)) {
		if (anchor->node->type == NODE_LIST || anchor->node->type == NODE_MAP)
			return fail_at(r, ERR_INVALID, ev->start_mark, "a key must be a scalar");
		return place_key(r, anchor->node->text, anchor->node->plain, ev->start_mark);
	}
	copy = expand(r, anchor->node, r->depth, ev->start_mark);
	if (copy == NULL)
		return false;
	copy->key = (struct str){ NULL, 0 };
	copy->key_line = 0;
	copy->key_column = 0;
	set_place(copy, ev->start_mark);
	place(r, copy);
	return true;
}

static bool
open_collection(struct reader *r, enum node_type type, const yaml_event_t *ev)
{
	bool map = type == NODE_MAP;
	const yaml_char_t *name =
	    map ? ev->data.mapping_start.anchor : ev->data.sequence_start.anchor;
	const char *tag =
	    (const char *)(map ? ev->data.mapping_start.tag : ev->data.sequence_start.tag);
	struct frame *f = &r->stack[r->depth < YAML_MAX_DEPTH ? r->depth : 0];
	struct node *n;

	if (r->depth >= YAML_MAX_DEPTH)
		return fail_at(
		    r, ERR_TOO_LARGE, ev->start_mark, "nested too deeply (64 levels are allowed)");
	if (wants_key(r))
		return fail_at(r, ERR_INVALID, ev->start_mark, "a key must be a scalar");
	if (tag != NULL && strcmp(tag, "!") != 0 && strcmp(core_tag(tag), map ? "map" : "seq") != 0)
		return bad_tag(r, tag, ev->start_mark);
	n = map ? node_map(r->arena) : node_list(r->arena);
	if (n == NULL)
		return no_memory(r);
	set_place(n, ev->start_mark);
	place(r, n);
	*f = (struct frame){ .node = n };
	r->depth++;
	return anchor_set(r, name, n, ev->start_mark, &f->anchor) && count_node(r, ev->start_mark);
}

static bool
close_collection(struct reader *r)
{
	struct frame *f = top(r);
	const struct node *first;
	const struct node *second;

	if (f == NULL)
		return false;
	r->depth--;
	if (f->anchor != NULL)
		f->anchor->open = false;
	if (f->node->type != NODE_MAP)
		return true;
	if (!node_find_duplicate(f->node, &first, &second, r->err))
		return false;
	if (second == NULL)
		return true;
	return error_set(r->err, ERR_INVALID,
	    "%s:%u:%u: key '%.*s' stands twice (first in line %u): is a '---' missing between?",
	    r->file, (unsigned)second->key_line, (unsigned)second->key_column,
	    second->key.n > 100 ? 100 : (int)second->key.n, second->key.p,
	    (unsigned)first->key_line);
}

static bool
on_document_start(struct reader *r, const yaml_event_t *ev)
{
	if (++r->ndocs > YAML_MAX_DOCUMENTS)
		return fail_at(r, ERR_TOO_LARGE, ev->start_mark, "more than 1000 documents");
	r->root = NULL;
	r->nnodes = 0;
	r->nanchors = 0;
	if (r->anchors != NULL)
		memset(r->anchors, 0, ANCHOR_SLOTS * sizeof *r->anchors);
	return true;
}

static void
on_document_end(struct reader *r)
{
	const struct node *n = r->root;

	if (n != NULL && !(n->type == NODE_NULL && n->plain && n->text.n == 0))
		node_push(r->docs, r->root);
}

static bool
on_event(struct reader *r, const yaml_event_t *ev)
{
	switch (ev->type) {
	case YAML_DOCUMENT_START_EVENT:
		return on_document_start(r, ev);
	case YAML_DOCUMENT_END_EVENT:
		on_document_end(r);
		return true;
	case YAML_ALIAS_EVENT:
		return on_alias(r, ev);
	case YAML_SCALAR_EVENT:
		return on_scalar(r, ev);
	case YAML_SEQUENCE_START_EVENT:
		return open_collection(r, NODE_LIST, ev);
	case YAML_MAPPING_START_EVENT:
		return open_collection(r, NODE_MAP, ev);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return close_collection(r);
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
		break;
	}
	return true;
}

static bool
read_stream(struct reader *r)
{
	bool more = true;

	while (more) {
		yaml_event_t ev;
		bool ok;

		if (yaml_parser_parse(&r->parser, &ev) == 0)
			return parser_failed(r);
		more = ev.type != YAML_STREAM_END_EVENT;
		ok = on_event(r, &ev);
		yaml_event_delete(&ev);
		if (!ok)
			return false;
	}
	return !arena_failed(r->arena) || no_memory(r);
}

/* What must be known before libyaml sees the text: that it is UTF-8, and how many directives. */
static bool
check_raw(struct str bytes, const char *file, struct error *err)
{
	struct str rest = bytes;
	struct str line;
	size_t number = 0;
	size_t ndirectives = 0;

	while (str_split(&rest, '\n', &line)) {
		number++;
		if (!utf8_valid(line) || (line.n > 0 && memchr(line.p, '\0', line.n) != NULL))
			return error_set(
			    err, ERR_INVALID, "%s:%zu: not text in UTF-8", file, number);
		if (str_starts(line, STR("%")) && ++ndirectives > YAML_MAX_DIRECTIVES)
			return error_set(err, ERR_TOO_LARGE, "%s:%zu: more than %d directives",
			    file, number, (int)YAML_MAX_DIRECTIVES);
	}
	return true;
}

bool
yaml_parse(
    struct arena *a, struct str bytes, const char *file, struct node **ret_docs, struct error *err)
{
	struct reader r = { .arena = a, .file = file, .err = err };
	bool ok = false;

	if (bytes.n > YAML_MAX_BYTES)
		return error_set(err, ERR_TOO_LARGE, "%s: %zu bytes (%d are allowed)", file,
		    bytes.n, (int)YAML_MAX_BYTES);
	if (str_starts(bytes, STR("\xef\xbb\xbf")))
		bytes = str_sub(bytes, 3, bytes.n);
	if (!check_raw(bytes, file, err))
		return false;
	if (yaml_parser_initialize(&r.parser) == 0)
		return no_memory(&r);
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
	    &r.parser, (const unsigned char *)(bytes.p == NULL ? "" : bytes.p), bytes.n);
	r.docs = node_list(a);
	if (r.docs == NULL)
		(void)no_memory(&r);
	else
		ok = read_stream(&r);
	if (ok)
		*ret_docs = r.docs;
	yaml_parser_delete(&r.parser);
	mem_free(r.anchors);
	return ok;
}
