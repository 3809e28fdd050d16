#ifndef BACKEND_APISERVER_PROTO_H
#define BACKEND_APISERVER_PROTO_H

/*
 * Request bodies in Kubernetes' protobuf envelope: typed clients (kubectl create, helm, k9s) send
 * a few kinds so and take a JSON answer. Decoded by one table a message; never written.
 *
 *   6b 38 73 00, then {1: {1: apiVersion, 2: kind}, 2: raw object, 3: encoding, 4: content type}
 *
 * Ownership: the tree lives in the arena. Threads: pure.
 * Limits: PROTO_MAX_DEPTH messages deep, varints of 10 bytes, PROTO_MAX_FIELDS fields a message.
 */

#include <stdbool.h>

#include "model/base/error.h"
#include "model/node.h"

enum { PROTO_MAX_DEPTH = 8, PROTO_MAX_FIELDS = 100 * 1000 };

bool proto_is(struct str bytes); /* begins like an envelope */
/* ERR_INVALID for a kind without a table. The tree has apiVersion and kind. */
bool proto_decode(
    struct arena *a, struct str bytes, struct node **ret_value, struct error *err) MUST_CHECK;

#endif
