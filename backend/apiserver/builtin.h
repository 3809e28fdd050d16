#ifndef BACKEND_APISERVER_BUILTIN_H
#define BACKEND_APISERVER_BUILTIN_H

/*
 * The kinds of Kubernetes and of the serving stack that we read or write on clusters: one row a
 * kind, with what discovery says about it and the columns that kubectl shows. The client
 * (backend/kube/resources.c) and the API server share it.
 *
 * Ownership: constant. Threads: immutable.
 */

#include "backend/store/store.h"

/* What a computed cell may look at. Appends its text; nothing appended is an empty cell. */
typedef void builtin_cell_fn(const struct node *object, struct text *out);

struct builtin_column {
	const char *title;
	const char *type;      /* "string", "integer", "date", "boolean" */
	const char *path;      /* JSON path below the object, or NULL: */
	builtin_cell_fn *cell; /* then this */
	int priority;	       /* 1: only with -o wide */
};

enum builtin_flags {
	BUILTIN_STATUS = 1 << 0, /* has a status subresource */
	BUILTIN_CRD = 1 << 1,	 /* a custom resource of somebody else: no strategic merge */
};

struct builtin {
	struct resource res; /* known is NULL, also for the few kinds that we have tables of */
	const char *singular;
	const char *shorts[4]; /* NULL-terminated */
	unsigned flags;
	const struct builtin_column *columns;
	size_t ncolumns;
};

const struct builtin *builtins_get(size_t *ret_count);
/* By kind alone, or by group and plural; NULL when there is no row. */
const struct builtin *builtin_find_kind(const char *kind);
const struct builtin *builtin_find(const char *group, const char *plural);

/*
 * A value below an object: ".spec.a", ".spec.list[0].b",
 * ".status.conditions[?(@.type=='Ready')].x",
 * ".metadata.annotations['a.b/c']". NULL when there is none.
 */
const struct node *jsonpath_find(const struct node *object, const char *path);

#endif
