#ifndef MODEL_VALIDATE_H
#define MODEL_VALIDATE_H

/*
 * A set of manifests, checked as a whole: each file is taken whole or not at all. Recognises kinds
 * by group, version and kind; finds the same object given twice (also across files); runs the
 * schema and then the documented rules that schemas cannot say, named flightdeck/..., which look
 * at other objects (a pool's class) through `struct known`.
 *
 * Ownership: everything lives in the arena. Threads: pure. Failure: problems, all in one go.
 */

#include <stdbool.h>

#include "model/schema.h"

struct document {
	const char *file;
	uint32_t line;
	const struct kind *kind; /* NULL when unknown */
	struct node *object;	 /* defaulted */
	struct str ns, name;
	size_t nerrors;			   /* of this document */
	size_t first_problem, end_problem; /* of its schema, before problems were sorted */
};

struct manifest_set {
	struct arena *arena;
	struct document *docs;
	size_t ndocs, cap;
	struct problems problems;
};

/* Looks up a stored object; NULL when there is none. Borrowed for the call. */
typedef const struct node *known_fn(
    void *context, const struct kind *k, struct str ns, struct str name);

struct known {
	known_fn *find; /* may be NULL: then only the set itself is known */
	void *context;
	int64_t now_ms; /* wall clock, for versions near their end */
	bool for_apply; /* refuse kinds that nothing reconciles */
};

void manifest_set_init(struct manifest_set *m, struct arena *a);
/* Parses one file and adds its documents; a parse error becomes a problem. */
bool manifest_set_add(struct manifest_set *m, const char *file, struct str bytes) MUST_CHECK;
/* Checks all documents. True when there is no error. */
bool manifest_set_check(struct manifest_set *m, const struct known *known) MUST_CHECK;
/* False when anything of that file is wrong: then nothing of it may be applied. */
bool manifest_set_file_ok(const struct manifest_set *m, const char *file);
/* The document of the set with that identity; NULL when there is none. */
const struct document *manifest_set_find(
    const struct manifest_set *m, const struct kind *k, struct str ns, struct str name);

/* The flightdeck/ rules alone, on one defaulted object; also used by the wizard as you type. */
void rules_check(const struct kind *k, const struct node *object, const struct manifest_set *set,
    const struct known *known, struct problems *p);

#endif
