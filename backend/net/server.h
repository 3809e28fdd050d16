#ifndef BACKEND_NET_SERVER_H
#define BACKEND_NET_SERVER_H

/*
 * An HTTP server over libmicrohttpd, for the owner's Unix socket and for the simulator's TLS
 * services. One thread a connection; a handler gets a whole request (bounded) and answers with a
 * whole response or with a stream.
 *
 * Ownership: requests are borrowed for the call. Threads: the handler runs on many threads at once.
 * Limits: SERVER_MAX_BODY a request, SERVER_MAX_CONNECTIONS, headers 32 KiB, idle 10 minutes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/base/error.h"
#include "model/base/text.h"

enum { SERVER_MAX_BODY = 16 * 1024 * 1024, SERVER_MAX_CONNECTIONS = 1024 };

struct server;

struct server_request {
	const char *method;
	const char *path; /* percent-decoded, starts with '/' */
	struct str body;
	void *connection;  /* for the functions below */
	struct str client; /* subject of a verified client certificate, "O=...,CN=...", or empty */
	uid_t peer_uid;	   /* SO_PEERCRED of a Unix socket; (uid_t)-1 elsewhere */
	pid_t peer_pid;
	long connection_number; /* from 1; equal for requests of one connection */
};

/* Borrow for the call; NULL when absent. Query values are percent-decoded. */
const char *server_request_header(const struct server_request *r, const char *name);
const char *server_request_query(const struct server_request *r, const char *name);
/* The query as it was sent, without '?'. "" when there is none. */
const char *server_request_raw_query(const struct server_request *r);

/* True when the server is being stopped: a handler that waits must give up. */
bool server_request_stopping(const struct server_request *r);
/* Waits that long in real time (simulated latency); false, early, when the server stops. */
bool server_request_wait(const struct server_request *r, int64_t ms);

/*
 * A stream gives its next bytes: returns true with *ret_n > 0 when there are some, blocks until
 * then (never longer than 200 ms without a look at `stopping`, which becomes true when the server
 * shuts down: read it with __atomic_load_n; it may return true with nothing), and false at the end.
 */
typedef bool server_stream_fn(void *context, const volatile bool *stopping, struct text *out);
typedef void server_stream_end_fn(void *context);

struct server_response {
	int status;
	const char *content_type;
	struct text body;	  /* taken */
	struct text headers;	  /* taken: extra "Name: value\n" lines */
	server_stream_fn *stream; /* instead of body */
	server_stream_end_fn *stream_end;
	void *stream_context;
	bool drop;	  /* close the connection without an answer (a simulated fault) */
	size_t cut_after; /* send this many body bytes, then drop; 0 for all */
};

typedef void server_fn(
    void *context, const struct server_request *req, struct server_response *ret);

struct server_options {
	const char *unix_socket; /* path (made 0600 under umask 077), or NULL for TCP */
	const char *bind;	 /* "127.0.0.1" */
	unsigned short port;	 /* 0: any; see server_port */
	struct str tls_cert;	 /* PEM chain and key: TLS when given */
	struct str tls_key;
	struct str client_ca; /* ask for client certificates signed by this; may be absent */
	server_fn *handle;
	void *context;
};

bool server_start(
    const struct server_options *opt, struct server **ret_server, struct error *err) MUST_CHECK;
unsigned short server_port(const struct server *s);
void server_stop(struct server *s); /* waits for handlers; NULL does nothing */

#endif
