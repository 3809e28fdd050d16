#ifndef MODEL_SCHEMA_INT_H
#define MODEL_SCHEMA_INT_H

/*
 * What the files of the schema engine share: one walk over a value and its table, with the path
 * kept beside it. Only for model/schema*.c, model/validate.c and model/rules.c.
 *
 * Order of a check: unknown fields; null of fields that cannot be null; defaults; types, required,
 * bounds, words, patterns, list-map keys; then the CEL rules of each node whose own part of the
 * tree is sound, so that one mistake does not set off a row of others.
 */

#include "model/schema.h"

enum { SCHEMA_PATH_MAX = 4096, SCHEMA_MAX_DEPTH = 64, SCHEMA_SHOWN_CHARS = 80 };

struct cel_program;

/* A rule that was compiled once, in the arena of the check. */
struct compiled_rule {
	const struct rule *rule;
	const struct cel_program *program; /* NULL when it does not compile */
	struct compiled_rule *next;
};

struct rule_cache {
	struct compiled_rule *first;
};

struct walk {
	struct arena *arena;
	struct problems *problems;
	struct rule_cache *cache;
	struct text path;
	const struct kind *kind;
	size_t broken; /* structural errors so far: a node with one below it has no rules run */
};

/* Pushes a member, a key or an index; gives the length to go back to with path_pop. */
size_t path_push(struct walk *w, struct str name);
size_t path_push_index(struct walk *w, size_t index);
void path_pop(struct walk *w, size_t length);

/* A structural error at the present path. `at` may be NULL. */
void walk_fail(struct walk *w, const struct node *at, const char *rule, const char *advice,
    const char *fmt, ...) PRINTF_LIKE(5, 6);
/* The place of the key instead of the value. */
struct node node_key_place(const struct node *n);

void schema_check_value(struct walk *w, const struct field *f, const struct node *value);
void schema_check_pattern(struct walk *w, const struct field *f, const struct node *value);
void schema_check_rules(struct walk *w, const struct rule *rules, size_t nrules,
    const struct node *self, const struct node *old);
void schema_check_meta(struct walk *w, struct node *object, const struct node *old);
void schema_check_unknown(struct walk *w, const struct schema *s, const struct node *value);
/* Null of fields that are not nullable; also those inside lists and maps. */
void schema_drop_nulls(const struct schema *s, struct node *value);
/* The element of `old` that has the same keys as `item`; NULL when there is none. */
const struct node *schema_match(
    const struct field *list, const struct node *old, const struct node *item);

/* The same check with rules compiled once for many objects. */
bool schema_check_cached(const struct kind *k, struct arena *a, struct rule_cache *cache,
    struct node *object, const struct node *old, struct problems *p) MUST_CHECK;

/* A field's sentence as part of another one: without its full stop. */
const char *schema_doc(struct arena *a, const struct field *f);
/*
 * Text of a value for a message: as written, cut, clean, never of a SECRET field; of NULL it is
 * empty. In the arena.
 */
struct str schema_shown(struct arena *a, const struct field *f, const struct node *value);

/* Names in Kubernetes's sense (model/schema_names.c). */
bool name_is_subdomain(struct str s); /* DNS-1123, at most 253 */
bool name_is_label(struct str s);     /* DNS-1123 label, at most 63 */
bool name_is_qualified(struct str s); /* [prefix/]name of labels, annotations, finalizers */
bool name_is_label_value(struct str s);

#endif
