#ifndef BACKEND_APISERVER_API_INT_H
#define BACKEND_APISERVER_API_INT_H

/*
 * What the files of the API server share. One request is one struct call: made in api.c, given to
 * the handler that the router finds, gone when the answer is handed over. A handler answers by one
 * of the reply_ functions and returns.
 */

#include "backend/apiserver/apiserver.h"
#include "backend/apiserver/builtin.h"

enum {
	API_ARENA = 512 * 1024 * 1024,
	API_MAX_ANSWER = 512 * 1024 * 1024,
	API_MAX_BODY = 3 * 1024 * 1024, /* as Kubernetes has it */
	API_MAX_HEADERS = 64 * 1024,
	API_MAX_WORDS = 64 * 1024,
	API_USER_MAX = 256,
	API_UPDATE_ROUNDS = 8,
};

struct apiserver {
	struct apiserver_options opt;
	char *version; /* owned */
};

/* "/apis/GROUP/VERSION/namespaces/NS/PLURAL/NAME/SUB", in parts; empty where absent. */
struct route {
	struct str group, version, ns, plural, name, sub;
};

/* What the client wants to read (Accept). */
enum form { FORM_JSON, FORM_TABLE, FORM_METADATA, FORM_DISCOVERY, FORM_NONE };

struct call {
	struct apiserver *api;
	const struct server_request *req;
	struct server_response *res;
	struct arena *arena;
	enum role role;
	char user[API_USER_MAX];
	struct route route;
	const struct resource *resource; /* NULL outside of resource paths */
	const struct builtin *builtin;	 /* its row, or NULL */
	enum form form;
	struct str include; /* includeObject: what a table's rows carry */
	struct actor actor;
	struct text warnings; /* "Warning: ..." header lines */
};

/* --- accept.c: request headers and query */
enum form accept_form(const char *accept);
/* "application/json", lower case, without parameters; lives in the arena. */
struct str media_type(struct arena *a, const char *header);
struct str query_str(const struct call *c, const char *name);
bool query_is_true(const struct call *c, const char *name);

/* --- reply.c */
void reply_node(struct call *c, int status, const struct node *value);
void reply_json(struct call *c, int status, struct text *take);
void reply_object(struct call *c, int status, const struct object *o);
void reply_plain(struct call *c, int status, const char *words);
void reply_error(struct call *c, const struct error *err);
/* A Status of our own choice. message as printf. */
void reply_status(struct call *c, int code, const char *reason, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* 422 with one cause a problem. */
void reply_problems(struct call *c, const struct problems *p);
void warning_add(struct call *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "inferenceclusters.modelplane.ai", "secrets"; in the arena. */
const char *call_plural(const struct call *c);
const char *call_kind(const struct call *c); /* "InferenceCluster.modelplane.ai" */
struct node *status_new(struct arena *a, int code, const char *reason, struct str message);
struct node *status_details(const struct call *c, bool plural);
const char *resource_api_version(struct arena *a, const struct resource *res);

/* --- mask.c: what the caller may see of an object */
bool call_must_mask(const struct call *c, const struct resource *res);
/* The object's JSON, masked when it must be; lives in the arena or in the object. */
bool object_shown(const struct call *c, const struct object *o, struct str *ret_json,
    struct error *err) MUST_CHECK;
void mask_node(const struct resource *res, struct arena *a, struct node *value);

/* --- table.c */
/* Column definitions of a resource (NULL: Name and Age), and one row of an object. */
struct node *table_new(struct call *c, const struct resource *res, bool with_columns);
bool table_row(struct call *c, const struct resource *res, const struct node *object,
    struct node *table, struct error *err) MUST_CHECK;

/* --- the handlers */
void handle_discovery(struct call *c); /* discovery.c: /version, health, /api, /apis ... */
void handle_openapi(struct call *c);   /* openapi.c */
void handle_review(struct call *c);    /* review.c */
void handle_read(struct call *c);      /* read.c: GET of one object or a list */
void handle_watch(struct call *c);     /* watch.c */
void handle_create(struct call *c);    /* write.c */
void handle_update(struct call *c);    /* write.c */
void handle_patch(struct call *c);     /* patch_call.c */
void handle_delete(struct call *c);    /* delete.c */

bool list_options_read(struct call *c, struct list_options *ret, struct error *err) MUST_CHECK;
/* May this role do that? */
bool role_allows(enum role role, const char *verb, struct str group, struct str plural);

/* --- body.c */
/* The request's body as a tree: JSON, YAML or the protobuf envelope. Answers itself on failure. */
bool body_read(struct call *c, struct node **ret_value);

/* --- write.c, for patches */
enum { WRITE_CREATE = 1 << 0, WRITE_STATUS = 1 << 1 };
/* dryRun, fieldManager. Answers itself on failure. */
bool write_options_read(struct call *c);
/* Is the namespace of a new object there? Answers itself when not. */
bool namespace_exists(struct call *c);
/* Validation and admission of what is to be stored. Answers itself on failure. */
bool write_check(struct call *c, const struct object *old, struct node *value, unsigned flags);
void write_done(struct call *c, int status, const struct object *stored);

#endif
