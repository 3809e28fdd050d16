#ifndef BACKEND_SIM_OPERATIONS_H
#define BACKEND_SIM_OPERATIONS_H

/*
 * Long-running operations: started by a request, ended by time. An operation is a document: what it
 * does (a row of op_verbs), to which key, when it ends, and the failure it will end with, if any.
 * Running ones have keys "r/<id>", ended ones "d/<id>".
 *
 * Threads: the simulator's arm lock is held for all of it. Durations: facts/azure.md 6.2.
 */

#include "backend/sim/arm.h"

enum op_verb {
	OP_GROUP_DELETE,
	OP_VNET_PUT,
	OP_VNET_DELETE,
	OP_SUBNET_DELETE,
	OP_CLUSTER_CREATE,
	OP_CLUSTER_UPDATE,
	OP_CLUSTER_UPGRADE,
	OP_CLUSTER_PATCH,
	OP_CLUSTER_DELETE,
	OP_CLUSTER_ABORT,
	OP_CLUSTER_STOP,
	OP_CLUSTER_START,
	OP_CLUSTER_ROTATE,
	OP_POOL_CREATE,
	OP_POOL_UPDATE,
	OP_POOL_SCALE,
	OP_POOL_UPGRADE,
	OP_POOL_DELETE,
	OP_POOL_ABORT,
	OP_PROVIDER_REGISTER,
	OP_FEATURE_REGISTER,
	OP__MAX
};

enum op_headers { OP_ASYNC = 1 << 0, OP_LOCATION = 1 << 1 };

struct op_start {
	enum op_verb verb;
	struct str target;    /* key of the document */
	const char *provider; /* "Microsoft.Network"; NULL: the subscription's operationresults */
	struct str location;
	double seconds;	      /* 0: the verb's own */
	struct node *outcome; /* error the operation ends with, or NULL */
};

/* Starts one and returns its id; adds the headers that are asked for to the answer. */
struct str operation_start(struct arm_call *c, const struct op_start *start, unsigned headers);
/* The running operation, or NULL when it has ended. */
struct node *operation_running(struct arm_call *c, struct str id);
/* Ends one now: "Canceled" or "Failed" with an error. Its target is not touched. */
void operation_end(
    struct arm_call *c, struct str id, const char *status, const char *code, const char *message);
/* What it is called in messages: "create managed cluster". */
const char *operation_words(const struct node *op);
/* Error node {code,message} for an outcome; details may be NULL. */
struct node *operation_error(
    struct arm_call *c, const char *code, const char *message, struct node *details);

/* Handlers of the polled URLs. */
void operation_get(struct arm_call *c);	       /* Azure-AsyncOperation */
void operation_result_get(struct arm_call *c); /* Location */

/* What an ended operation means for its target: one function a verb (the files of the targets). */
typedef void op_finish_fn(
    struct arm_call *c, struct str target, const struct node *op, const struct node *failure);
op_finish_fn group_delete_finish, vnet_put_finish, vnet_delete_finish, subnet_delete_finish,
    cluster_finish, cluster_delete_finish, pool_finish, pool_delete_finish, provider_finish,
    feature_finish, nothing_finish;

/* Requests whose connection was closed and which are done a minute later. */
void late_put(struct sim *s, const struct arm_request *req, struct str principal);
void late_free(struct sim *s);

#endif
