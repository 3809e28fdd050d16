#ifndef BACKEND_APISERVER_APISERVER_H
#define BACKEND_APISERVER_APISERVER_H

/*
 * A store as a Kubernetes-shaped API: discovery, list, watch with bookmarks and 410, get, create,
 * update, patch (merge, JSON patch, server-side apply), delete with propagation and preconditions,
 * status, tables for kubectl, OpenAPI enough for kubectl's apply and explain. It serves the owner's
 * Unix socket (for other consoles and the command line) and every simulated cluster.
 *
 * Ownership: borrows the store, which must outlive it. Threads: apiserver_handle runs on many.
 */

#include "backend/net/server.h"
#include "backend/store/store.h"

struct clock;
struct apiserver;

enum role { ROLE_NONE, ROLE_VIEW, ROLE_OPERATE, ROLE_ADMIN };

/*
 * Says who asks and what they may do. `user` is filled with a name for the audit (display text).
 * ROLE_NONE is answered 401.
 */
typedef enum role apiserver_auth_fn(
    void *context, const struct server_request *req, char *user, size_t size);
/*
 * Called before a write is stored, and may refuse it (false, err filled: 422, 403 or 409 by code)
 * or change the object (a simulated cluster's admission). old is NULL on create, value on delete.
 */
typedef bool apiserver_admit_fn(void *context, const struct resource *res, struct arena *a,
    const struct node *old, struct node *value, struct error *err);

struct apiserver_options {
	struct store *store; /* embedded */
	struct clock *clock;
	apiserver_auth_fn *auth;
	apiserver_admit_fn *admit; /* may be NULL */
	void *context;		   /* of both */
	const char *version;	   /* gitVersion, "v1.34.4" */
	bool validate;		   /* our kinds: schema and rules, strict (the owner's socket) */
	bool secrets_readable;	   /* false: values of Secrets are masked for ROLE_VIEW/OPERATE */
};

bool apiserver_new(
    const struct apiserver_options *opt, struct apiserver **ret_api, struct error *err) MUST_CHECK;
void apiserver_free(struct apiserver *api);
/* A server_fn: context is the struct apiserver. */
void apiserver_handle(void *context, const struct server_request *req, struct server_response *ret);

#endif
