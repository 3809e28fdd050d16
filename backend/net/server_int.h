#ifndef BACKEND_NET_SERVER_INT_H
#define BACKEND_NET_SERVER_INT_H

/* What server.c uses from server_uri.c (request targets) and server_socket.c (listening). */

#include "model/base/error.h"
#include "model/base/text.h"

struct arena;

enum { SERVER_MAX_PARAMS = 256 };

struct server_param {
	struct server_param *next;
	const char *name;
	const char *value;
};

/* Percent-decodes a path. False for a broken escape, a NUL, or a path without leading '/'. */
bool path_decode(struct str raw, char **ret_path) MUST_CHECK;
/* "a=1&b=x+y&" in order; empty pairs are skipped. False for broken escapes or too many. */
bool query_parse(struct arena *a, struct str raw, struct server_param **ret_params) MUST_CHECK;
const char *query_find(const struct server_param *params, const char *name);

/* A listening socket, or -1. */
int listen_tcp(const char *host, unsigned short port, unsigned short *ret_port, struct error *err);
/* The file is made 0600; one left over from a dead process is replaced, a living one is not. */
int listen_unix(const char *path, struct error *err);

#endif
