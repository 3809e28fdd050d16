#ifndef MODEL_SCHEMA_H
#define MODEL_SCHEMA_H

/*
 * The schema engine: one field table a kind, and from it decoding, defaults, validation, encoding,
 * comparison, `explain`, the wizard's fields and the CRD. Nothing here knows a kind by name.
 *
 * The order of checks is that of a Kubernetes API server (spec/resources.md 1): unknown fields are
 * errors with a suggestion, null of a field that is not nullable is dropped, defaults are filled
 * in, then types, required, bounds, enums, patterns and list-map keys, then every CEL rule.
 *
 * A struct that a table describes uses these C types:
 *   FT_STRING  struct str                  (p NULL when absent)
 *   FT_ENUM    int, index into words       (-1 when absent)
 *   FT_INT     struct opt_int              FT_BOOL  struct opt_bool
 *   FT_OBJECT  a struct in place with a first member `bool present`, described by .sub
 *   FT_LIST    struct list of .sub structs, or of struct str when .sub is NULL
 *   FT_MAP     struct strmap of string to string; FT_MAPOF  struct list of .sub structs whose
 *              first member after `present` is `struct str key`
 *   FT_ANY     const struct node *         (kept as it is)
 *
 * Ownership: decoded structs borrow from the arena given to schema_decode.
 * Threads: pure; tables are constant.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"
#include "model/node.h"

struct opt_int {
	bool present;
	int64_t value;
};

struct opt_bool {
	bool present;
	bool value;
};

struct list {
	void *items; /* array of the element type; NULL when empty */
	size_t n;
	bool present;
};

struct strpair {
	struct str key;
	struct str value;
};

struct strmap {
	struct strpair *items; /* in the order of the document */
	size_t n;
	bool present;
};

/* Borrow; NULL p when absent. */
struct str strmap_find(const struct strmap *m, const char *key);

enum field_type {
	FT_STRING,
	FT_ENUM,
	FT_INT,
	FT_BOOL,
	FT_OBJECT,
	FT_LIST,
	FT_MAP,
	FT_MAPOF,
	FT_ANY
};

enum field_flags {
	REQUIRED = 1 << 0,
	IMMUTABLE = 1 << 1, /* a change is refused by the provider; said before any call */
	SECRET = 1 << 2,    /* masked by schema_mask; never in a message */
	ATOMIC = 1 << 3,    /* a list that server-side apply replaces as a whole */
	UNSET_MIN = 1 << 4, /* bounds as given below are not set: see has_min/has_max */
};

struct schema;

/* A CEL rule: text stands here once; evaluated by model/cel and exported in the CRD. */
struct rule {
	const char *id;	     /* "AKSCluster-1" */
	const char *cel;     /* exact text (spec/resources.md 21) */
	const char *message; /* what is wrong, in our words */
	const char *advice;  /* what to do */
};

/*
 * One field. min/max bound the value of an integer, the characters of a string, the items of a
 * list, the keys of a map; both inclusive, used when has_min/has_max.
 */
struct field {
	const char *name; /* wire name */
	enum field_type type;
	size_t off;
	unsigned flags;
	bool has_min, has_max;
	int64_t min, max;
	int64_t item_min,
	    item_max;	     /* characters of each string in a list or map, when item_max > 0 */
	const char *def;     /* default as JSON text, e.g. "\"Standard\"", "100", NULL for none */
	const char *pattern; /* RE2 subset: anchored classes and repeats */
	const char *const *words; /* enum, NULL-terminated */
	const char *const *keys;  /* list-map keys, NULL-terminated */
	const char *format;	  /* "int64" and the like, informative */
	const struct schema *sub; /* element, member or value */
	const struct rule *rules; /* on this node */
	size_t nrules;
	const struct rule *item_rules; /* on each element of the list or map */
	size_t nitem_rules;
	const char *doc; /* for explain, the wizard and the CRD */
};

struct schema {
	const char *name;
	size_t size; /* of the struct */
	const struct field *fields;
	size_t nfields;
	const struct rule *rules; /* on the object itself */
	size_t nrules;
	int64_t min_properties; /* 0 for none */
};

/* Printer column: a JSON path below the object, as kubectl shows it. */
struct column_def {
	const char *title;
	const char *path;
	const char *type; /* "string", "integer", "date" */
};

enum kind_flags {
	KIND_NAMESPACED = 1 << 0,
	KIND_RECONCILED =
	    1 << 1, /* a controller of ours stands behind it; others cannot be applied */
	KIND_INTERNAL = 1 << 2, /* ours alone, not exported as a CRD */
	KIND_CORE = 1 << 3,	/* Kubernetes' own (Secret, Namespace, Event): not exported */
	KIND_STATUS = 1 << 4,	/* has a status subresource */
};

struct kind {
	const char *group; /* "" for core */
	const char *version;
	const char *kind;
	const char *plural;
	const char *singular;
	const char *const *shorts;     /* NULL-terminated */
	const char *const *categories; /* NULL-terminated */
	unsigned flags;
	const struct schema
	    *schema; /* of the whole object: apiVersion, kind, metadata, spec, status */
	const struct column_def *columns;
	size_t ncolumns;
	const char *scale_spec; /* path of the scale subresource, or NULL: ".spec.replicas" */
	const char *scale_status;
	const char *doc;
};

/* All kinds, in the order of spec/resources.md 3, then configs, core and internal ones. */
const struct kind *const *kinds_get(size_t *ret_count);
const struct kind *kind_find(struct str api_version, struct str kind);
/* By what a person types: kind, plural, singular or short name, any case; also "plural.group". */
const struct kind *kind_find_word(struct str word);
void kind_api_version(const struct kind *k, struct text *out);
bool kind_has_api_version(const struct kind *k, struct str api_version);

enum severity { SEVERITY_ERROR, SEVERITY_WARNING };

struct problem {
	enum severity severity;
	const char *file;
	uint32_t line, column; /* from 1 */
	struct str path;       /* spec.nodePools[0].name */
	struct str rule;       /* "AKSCluster-1", "flightdeck/pool-name", "schema/required" ... */
	struct str message;
	struct str advice;
};

/* Grows in the arena; in the order of the file after problems_sort. */
struct problems {
	struct arena *arena;
	struct problem *items;
	size_t n, cap;
	size_t nerrors;
	const char *file; /* given to each new problem */
};

void problems_init(struct problems *p, struct arena *a, const char *file);
/* `at` gives line and column and may be NULL; path, message and advice are copied. */
void problems_add(struct problems *p, enum severity severity, const struct node *at,
    struct str path, const char *rule, const char *advice, const char *fmt, ...) PRINTF_LIKE(7, 8);
void problems_sort(struct problems *p);
/* "file:line:column: path: message; advice" */
void problem_format(const struct problem *p, struct text *out);

/*
 * Checks a whole object and fills in its defaults in place. `old` is the stored object for an
 * update (transition rules and immutable metadata), or NULL. Adds to p; returns true when no error
 * was added. Metadata is checked as the API server does.
 */
bool schema_check(const struct kind *k, struct arena *a, struct node *object,
    const struct node *old, struct problems *p) MUST_CHECK;

/* Fills in defaults only, as a reader of stored objects must. */
void schema_default(const struct schema *s, struct arena *a, struct node *value);

/*
 * Checked node to struct of s->size and back. Unknown fields are kept out. Members of an object
 * that is absent hold their defaults, since the API server does not fill those in: `present` says
 * whether the object was there. Encoding gives secrets as they are: mask what is to be shown.
 */
bool schema_decode(const struct schema *s, struct arena *a, const struct node *value,
    void *ret_struct, struct error *err) MUST_CHECK;
struct node *schema_encode(const struct schema *s, struct arena *a, const void *value);

/* A copy for people: values of SECRET fields are replaced by "***". */
struct node *schema_mask(const struct schema *s, struct arena *a, const struct node *value);

/*
 * Immutable fields that differ between two objects of a kind, each an error of rule
 * "flightdeck/immutable". List elements are matched by their keys, else by place.
 */
void schema_check_immutable(const struct kind *k, struct arena *a, const struct node *object,
    const struct node *old, struct problems *p);

/*
 * For merges. The field of that name among s's own (not dotted), NULL when s is NULL or has none.
 * Going on from a field: f->sub is the schema of the object, of a list's elements or of a map's
 * values; f->keys are the keys of a list-map; ATOMIC and lists without keys are replaced whole.
 */
const struct field *schema_child(const struct schema *s, struct str name);
/* At a dotted path below a kind, "spec.nodePools": NULL when there is none, or it has no keys. */
const char *const *schema_list_keys(const struct kind *k, struct str path);

/* The field at a dotted path below a kind, "spec.nodePools.fabric"; NULL and a suggestion. */
const struct field *schema_find(const struct schema *s, struct str path, struct text *suggestion);
bool kind_explain(const struct kind *k, struct str path, bool recursive, struct text *out,
    struct error *err) MUST_CHECK;
struct node *kind_crd(const struct kind *k, struct arena *a); /* apiextensions.k8s.io/v1 */

/* The nearest of the given words, or NULL when none is near ("nodecount" finds "nodeCount"). */
const char *suggest(struct str typed, const char *const *words, size_t nwords);

#endif
