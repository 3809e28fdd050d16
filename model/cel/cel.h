#ifndef MODEL_CEL_CEL_H
#define MODEL_CEL_CEL_H

/*
 * The Common Expression Language: validation rules of kinds and device selectors. Beside the
 * standard it knows the functions of Kubernetes' device selectors (quantity, semver, compareTo ...;
 * spec/reconcile.md 13.2), in both call styles.
 *
 * A text is compiled once and evaluated often. Values are either made by the caller or views of a
 * struct node; nothing is copied until it must be. Errors inside of an expression are values: &&
 * and
 * || let the other side decide where it can. Every step costs, and the limit bounds the time.
 *
 * Left out: unsigned integers, bytes, timestamps, durations, types as values, messages.
 *
 * Ownership: a program lives in its arena and is immutable; threads may share it. A result lives in
 * the arena of its evaluation and may borrow from the variables.
 * Failure: compiling says what is wrong and where, "at character 7". Evaluating tells apart a
 * run-time error, too high a cost and no memory.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/node.h"

struct cel_program;
struct quantity;
struct semver;

enum {
	CEL_MAX_TEXT = 10240,
	CEL_MAX_DEPTH = 100,
	CEL_COST_RULE = 1000 * 1000,	/* for a validation rule */
	CEL_COST_SELECTOR = 100 * 1000, /* for a device selector on one device */
};

enum cel_type {
	CEL_NULL,
	CEL_BOOL,
	CEL_INT,
	CEL_DOUBLE,
	CEL_STRING,
	CEL_LIST,
	CEL_MAP,
	CEL_QUANTITY,
	CEL_SEMVER,
	CEL_ERROR, /* inside of an evaluation only */
	CEL_TYPE__MAX
};

struct cel_list;
struct cel_map;

struct cel_value {
	enum cel_type type;
	uint32_t at;		 /* of an error: its place in the text */
	const struct node *node; /* of a list or map that is a view; else NULL */
	union {
		bool boolean;
		int64_t integer;
		double floating;
		struct str string;
		const struct cel_list *list;
		const struct cel_map *map;
		const struct quantity *quantity;
		const struct semver *semver;
		const char *error;
	} u;
	struct str detail; /* of an error: the name that it is about */
};

struct cel_var {
	const char *name;
	struct cel_value value;
};

/* Values for variables. They borrow; NULL of a node is null. */
struct cel_value cel_from_node(const struct node *n);
struct cel_value cel_bool(bool value);
struct cel_value cel_int(int64_t value);
struct cel_value cel_string(struct str value);
struct cel_value cel_quantity(const struct quantity *q);
struct cel_value cel_semver(const struct semver *v);

/* A map that grows in the arena. NULL without memory; setting to NULL does nothing. */
struct cel_map *cel_map_new(struct arena *a);
bool cel_map_set(
    struct arena *a, struct cel_map *map, struct str key, struct cel_value value) MUST_CHECK;
/* Looking up a key that is missing then gives an empty map; `in` and has() are not fooled. */
void cel_map_default_empty(struct cel_map *map);
struct cel_value cel_map_value(const struct cel_map *map);

const struct cel_program *cel_compile(
    struct arena *a, struct str text, struct error *err) MUST_CHECK;

/* Refuses an expression that names a variable which is none of these n. */
bool cel_check_names(
    const struct cel_program *p, const char *const *names, size_t n, struct error *err) MUST_CHECK;

enum cel_result { CEL_OK, CEL_FAILED, CEL_TOO_COSTLY, CEL_NO_MEMORY };

struct cel_env {
	const struct cel_var *vars;
	size_t nvars;
	uint64_t cost_limit;
};

/* Fills *ret when CEL_OK, else err. */
enum cel_result cel_eval(const struct cel_program *p, const struct cel_env *env, struct arena *a,
    struct cel_value *ret, struct error *err) MUST_CHECK;

/* True or false; anything else, a non-boolean too, is CEL_FAILED. */
enum cel_result cel_eval_bool(const struct cel_program *p, const struct cel_var *vars, size_t nvars,
    uint64_t cost_limit, bool *ret, struct error *err) MUST_CHECK;

const char *cel_type_name(enum cel_type type);

/*
 * The variable `device` of a selector, made of a device of an InferenceClass: driver, attributes by
 * domain and name, capacity by domain and name (spec/reconcile.md 13.1). Fails when one version or
 * quantity is malformed: then no selector matches the device.
 */
bool cel_device(struct arena *a, const struct node *device, struct cel_value *ret,
    struct error *err) MUST_CHECK;

#endif
