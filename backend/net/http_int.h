#ifndef BACKEND_NET_HTTP_INT_H
#define BACKEND_NET_HTTP_INT_H

/* What http.c (clients, transfers) and http_setup.c (libcurl options, requests) share. */

#include <curl/curl.h>
#include <stdatomic.h>

#include "backend/net/http.h"

enum {
	HTTP_MAX_HEADER_BYTES = 64 * 1024,
	HTTP_MAX_HEADER_TEXT = 2 * HTTP_MAX_HEADER_BYTES, /* as we keep them */
	HTTP_MAX_BODY = 64 * 1024 * 1024,
	HTTP_MAX_ERROR_BODY = 1024 * 1024, /* of a stream that was refused */
	HTTP_MAX_URL = 16 * 1024,
	HTTP_TIMEOUT_MS = 60 * 1000,
	HTTP_CONNECT_TIMEOUT_MS = 10 * 1000,
	HTTP_LOW_SPEED_S = 30,
	HTTP_CONNECTION_AGE_S = 600,
};

/* One request under way. */
struct transfer {
	struct http_client *client; /* borrowed */
	const char *method;	    /* borrowed */
	struct http_response *out;  /* borrowed */
	http_bytes_fn *on_bytes;    /* NULL: collect the body */
	void *context;		    /* of on_bytes */
	struct curl_slist *headers; /* owned, wiped */
	struct curl_slist *connect; /* owned: where a server_name request really goes */
	char *url;		    /* owned */
	char *host;		    /* owned: for messages */
	size_t max_body;
	size_t got; /* body bytes after decompression */
	size_t header_bytes;
	int sends; /* how often libcurl sent the request's head */
	bool too_large;
	bool refused_address;
	bool wrong_peer; /* a Unix socket's server is not who it should be */
	bool ended_by_caller;
	char why[CURL_ERROR_SIZE];
};

struct http_client {
	CURL *easy;
	CURLM *multi;
	struct http_client_options opt; /* its pointers are borrowed from the caller */
	atomic_bool canceled;
	int unix_fd; /* the newest Unix socket, borrowed from libcurl; -1 for none */
	struct transfer *stream; /* owned; the open stream, or NULL */
};

/* Sets everything that is the same for each request of a client. */
bool setup_client(struct http_client *c, struct error *err) MUST_CHECK;
/* Fills the transfer from the request and sets what differs. transfer_fini in any case. */
bool setup_transfer(
    struct transfer *t, const struct http_request *req, struct error *err) MUST_CHECK;
void transfer_fini(struct transfer *t);

#endif
