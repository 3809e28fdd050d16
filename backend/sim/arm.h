#ifndef BACKEND_SIM_ARM_H
#define BACKEND_SIM_ARM_H

/*
 * Azure Resource Manager: one request in, one answer out. The life of a request: faults, token,
 * throttling buckets, subscription, route and api-version, then the route's handler inside one
 * transaction of the state, then the faults that spoil an answer. A route is a row of arm_routes.c.
 *
 * A handler either fills the answer with one of the answer_ functions, or returns after a check has
 * done so: every check returns false exactly when it has answered.
 *
 * Ownership: what hangs on a call lives in its arena. Threads: any; handlers run one at a time
 * under the simulator's lock. Not here: sockets (service.c).
 */

#include <stdbool.h>
#include <stdint.h>

#include "backend/sim/catalog.h"
#include "backend/sim/state.h"
#include "model/base/error.h"
#include "model/base/mem.h"
#include "model/node.h"

struct sim;
struct arm_call;

enum { ARM_BODY_MAX = 4 * 1024 * 1024, ARM_PARAMS = 6, ARM_ARENA_MAX = 256 * 1024 * 1024 };

struct arm_request {
	struct str method;
	struct str path;  /* percent-decoded */
	struct str query; /* as sent */
	struct str authorization, if_match, if_none_match, content_type, client_request_id;
	struct str body;
	long connection;
};

struct arm_answer {
	int status;
	const char *content_type; /* NULL for JSON */
	struct text body;	  /* the caller frees both */
	struct text headers;	  /* "Name: value\n" lines */
	bool drop;		  /* close the connection without an answer */
	size_t cut_after;	  /* bytes of the body, then close; 0 for all */
};

void arm_answer_fini(struct arm_answer *ret);

/* Does all of it, faults and ledger included. */
void arm_handle(struct sim *s, const struct arm_request *req, struct arm_answer *ret);

typedef void arm_fn(struct arm_call *c);

/* Which bucket of 4.5 a route draws from, beside those of the subscription. */
enum bucket {
	BUCKET_NONE,
	BUCKET_CLUSTER_LIST,
	BUCKET_CLUSTER_LIST_GROUP,
	BUCKET_CLUSTER_PUT,
	BUCKET_POOL_PUT,
	BUCKET_CLUSTER_GET,
	BUCKET_OPERATION,
	BUCKET_OTHER, /* of the AKS provider */
	BUCKET__MAX
};

struct arm_route {
	const char *method;
	const char *pattern;  /* segments; {name} takes one; a leading '*' takes any scope */
	const char *versions; /* list of api-versions, in api_versions of arm_routes.c */
	enum bucket bucket;
	const char *action; /* the right it needs, "Microsoft.Network/virtualNetworks/write" */
	bool polls;	    /* not counted as acting whatever the method */
	arm_fn *handle;
};

/*
 * Finds the row; ret_params get the {} segments as sent. A path of a known type with another
 * method gives NULL and *ret_known true.
 */
const struct arm_route *arm_route_find(
    struct str method, struct str path, struct str *ret_params, bool *ret_known);
const struct arm_route *arm_routes_get(size_t *ret_n);

struct arm_call {
	struct sim *s;
	const struct arm_request *req;
	struct arm_answer *ret;
	struct arena *a;
	const struct arm_route *route;
	struct str param[ARM_PARAMS];
	struct str api_version;
	struct node *body; /* parsed JSON, NULL without */
	int64_t now_ms;
	struct str principal; /* client id of the token */
	struct str object_id;
	bool applied;  /* something was changed */
	bool answered; /* a handler has filled ret */
};

/* The handler alone, under the lock and in a transaction: also for late requests. */
void arm_run(struct arm_call *c);
bool arm_failed(const struct arm_call *c); /* out of memory somewhere on the way */

/* Query value, percent-decoded, by name without regard to case; empty when absent. */
struct str arm_query(const struct arm_call *c, const char *name);

/* ---- answers ---- */
void answer_header(struct arm_call *c, const char *name, const char *fmt, ...) PRINTF_LIKE(3, 4);
void answer_json(struct arm_call *c, int status, const struct node *body);
void answer_empty(struct arm_call *c, int status);
/* {"error":{code,message}}. Returns false, as all of these do. */
bool answer_error(struct arm_call *c, int status, const char *code, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* The same with a target (may be NULL) and details. */
bool answer_detailed(struct arm_call *c, int status, const char *code, const char *target,
    struct node *details, const char *fmt, ...) PRINTF_LIKE(6, 7);
/* The form of AKS without a wrapper: {"code","message","details":null,"subcode":"","target"}. */
bool answer_aks_error(struct arm_call *c, int status, const char *code, const char *target,
    const char *fmt, ...) PRINTF_LIKE(5, 6);
/* 400 InvalidParameter, wrapped, with a target. */
bool answer_invalid(struct arm_call *c, const char *target, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* 404 as the gateway writes it. */
bool answer_not_found(struct arm_call *c, const char *type, struct str name, struct str group);
bool answer_failure(struct arm_call *c, const struct error *err); /* 500: the simulator's own */

/* {code,message}, for the outcome of an operation. */
struct node *error_node(struct arm_call *c, const char *code, struct str message);

/* ---- documents: trees with a hidden member "_sim" ---- */
struct node *doc_load(struct arm_call *c, enum doc_kind kind, struct str key); /* NULL: absent */
bool doc_save(struct arm_call *c, enum doc_kind kind, struct str key, const struct node *doc);
bool doc_drop(struct arm_call *c, enum doc_kind kind, struct str key);
struct node *doc_list(struct arm_call *c, enum doc_kind kind, struct str prefix); /* list node */
struct node *doc_hidden(struct arm_call *c, struct node *doc); /* "_sim", made when absent */
/* A copy for an answer, without what is hidden. */
struct node *doc_shown(struct arm_call *c, const struct node *doc);
/* Lower-case printf: the key of a document. */
struct str doc_key(struct arm_call *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The group of a path; answers 404 or, while it is being deleted, 409. */
struct node *group_find(struct arm_call *c, struct str name, bool write);

/* ---- checks ---- */
bool check_body(struct arm_call *c); /* a JSON object with its content type */
bool check_location(struct arm_call *c, const struct node *body, const struct location **ret);
bool check_registered(struct arm_call *c, const char *ns);
/* The table of 4.3; etag empty when the resource is absent. */
bool check_conditions(struct arm_call *c, struct str etag, bool exists);
/* The letters of an ARM name: alphanumeric and those of `extra`, 1 to max, alphanumeric ends. */
bool name_fits(struct str name, size_t max, const char *extra, bool alnum_ends);

struct str guid_str(struct arm_call *c, const char *const *parts); /* always the same */
struct str guid_new(struct arm_call *c);			   /* random */
struct str str_printf(struct arm_call *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* ---- pages ---- */
/* Answers {"value":[...]} with nextLink, `size` items a page ($top makes it smaller). */
void answer_page(struct arm_call *c, struct node *items, size_t size);

/* The same over documents; only those of the page are read. `show` may return NULL to leave one
 * out. */
typedef struct node *doc_show_fn(struct arm_call *c, const struct node *doc);
void answer_docs(
    struct arm_call *c, enum doc_kind kind, struct str prefix, size_t size, doc_show_fn *show);

#endif
