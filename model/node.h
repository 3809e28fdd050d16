#ifndef MODEL_NODE_H
#define MODEL_NODE_H

/*
 * A tree of values, as YAML and JSON documents hold them: the common language of the readers, the
 * schema engine, the CEL evaluator and the writers. Trees live in one arena and are for passing
 * through; what is kept is decoded into structs (model/schema.h) and the tree is dropped.
 *
 * Maps keep the order of their document and never hold a key twice (the readers refuse that).
 * Integers are exact 64-bit numbers; a number with a fraction or exponent is a float.
 *
 * Ownership: every node, key and string lives as long as its arena. Functions that build return
 * NULL only when the arena has failed, which a builder may check once at its end (arena_failed).
 * Threads: pure; a tree that nobody changes may be read by all.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/text.h"

struct arena;

enum node_type {
	NODE_NULL,
	NODE_BOOL,
	NODE_INT,
	NODE_FLOAT,
	NODE_STRING,
	NODE_LIST,
	NODE_MAP,
	NODE__MAX
};

struct node {
	struct node *next; /* the next element of the same list or map */
	struct str key;	   /* of a map's element; else empty */
	uint32_t line;	   /* place in the source, from 1; 0 when made by us */
	uint32_t column;
	uint32_t key_line; /* place of the key, when there is one */
	uint32_t key_column;
	enum node_type type;
	bool plain; /* a YAML scalar written without quotes: how it was written is in `text` */
	struct str text; /* a YAML scalar as written; empty elsewhere */
	union {
		bool boolean;
		int64_t integer;
		double floating;
		struct str string;
		struct {
			struct node *first;
			struct node *last;
			uint32_t count;
		} items; /* lists and maps */
	} u;
};

const char *node_type_name(enum node_type type); /* "string", "integer", ... */

struct node *node_null(struct arena *a);
struct node *node_bool(struct arena *a, bool value);
struct node *node_int(struct arena *a, int64_t value);
struct node *node_float(struct arena *a, double value);
struct node *node_str(struct arena *a, struct str value);    /* copies */
struct node *node_strz(struct arena *a, const char *value);  /* copies */
struct node *node_list(struct arena *a);
struct node *node_map(struct arena *a);
struct node *node_dup(struct arena *a, const struct node *n); /* deep; NULL gives NULL */

/* Appends to a list; `item` must not be in another one. A NULL of either does nothing. */
void node_push(struct node *list, struct node *item);

/* Sets map[key] = item in place or at the end; copies the key. A NULL item removes the key. */
void node_set(struct arena *a, struct node *map, const char *key, struct node *item);
void node_set_str(struct arena *a, struct node *map, struct str key, struct node *item);
void node_set_strz(struct arena *a, struct node *map, const char *key, const char *value);
void node_set_int(struct arena *a, struct node *map, const char *key, int64_t value);
void node_set_bool(struct arena *a, struct node *map, const char *key, bool value);
bool node_remove(struct node *map, struct str key); /* true when it was there */

/* Lookups accept NULL and nodes of another type, and then find nothing. Keys are exact. */
struct node *node_find(const struct node *map, const char *key);
struct node *node_find_str(const struct node *map, struct str key);
struct node *node_at(const struct node *list, size_t index);
/* Dotted path with list indices: "spec.nodePools[0].name". */
struct node *node_path(const struct node *n, const char *path);
/* Makes the maps on a dotted path (no indices) as needed and returns the last. */
struct node *node_make_path(struct arena *a, struct node *map, const char *path);
size_t node_count(const struct node *n); /* elements of a list or map, else 0 */

/* The value, or what is given for another type or NULL. */
struct str node_get_str(const struct node *n); /* empty for another type */
int64_t node_get_int(const struct node *n, int64_t otherwise);
bool node_get_bool(const struct node *n, bool otherwise);
/* The same after node_path(n, path). */
struct str node_path_str(const struct node *n, const char *path);
int64_t node_path_int(const struct node *n, const char *path, int64_t otherwise);
bool node_path_bool(const struct node *n, const char *path, bool otherwise);

/* Deep equality; maps by key whatever the order, 1 and 1.0 are equal. */
bool node_eq(const struct node *a, const struct node *b);

/* For each element: for (struct node *x = node_first(list); x != NULL; x = x->next) */
struct node *node_first(const struct node *n);

#endif
