#ifndef BACKEND_NET_HTTP_H
#define BACKEND_NET_HTTP_H

/*
 * HTTP requests over libcurl, with the settings of trust.md 4.F in one place: https only (or a Unix
 * socket), no redirects, verification always, TLS >= 1.2, byte, header and time caps, no signals,
 * no environment surprises. It classifies what happened to a request, because a lost answer is not
 * a failure: see enum http_outcome.
 *
 * Ownership: a client owns its connections; a response is freed by http_response_fini, which wipes
 * the body. Threads: one http_client belongs to one thread at a time (workers have their own).
 * Failure: false with a struct error only when there is no usable HTTP answer; every complete
 * answer, also 4xx and 5xx, is true.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"

enum http_outcome {
	HTTP_ANSWERED, /* a complete response is there */
	HTTP_NOT_SENT, /* name resolution, connect or TLS failed: safe to repeat */
	HTTP_UNKNOWN,  /* sent, and the answer was lost, cut or unreadable; or sent twice by libcurl
			*/
};

struct http_tls {
	const char *ca_file;	 /* trust only these, or NULL */
	struct str ca_pem;	 /* the same in memory, empty for none */
	struct str client_cert;	 /* PEM, empty for none */
	struct str client_key;	 /* PEM, secret */
	const char *server_name; /* tls-server-name, or NULL */
	bool insecure;		 /* kubeconfig's insecure-skip-tls-verify: loud, elsewhere */
};

struct http_client_options {
	struct http_tls tls;	 /* borrowed for the client's life */
	const char *unix_socket; /* path, or NULL */
	const char *proxy;	 /* URL or NULL */
	bool allow_loopback;	 /* practice; otherwise loopback and link-local are refused */
};

struct http_client;

bool http_client_new(const struct http_client_options *opt, struct http_client **ret_client,
    struct error *err) MUST_CHECK;
void http_client_free(struct http_client *c);
/* Any thread: makes a running request end with ERR_CANCELED. Sticky. */
void http_client_cancel(struct http_client *c);

struct http_header {
	const char *name;
	struct str value; /* CR, LF and NUL are refused */
};

struct http_request {
	const char *method;
	const char *url;
	const struct http_header *headers;
	size_t nheaders;
	struct str bearer;	  /* token, empty for none; bound to the URL's host by the caller */
	const char *content_type; /* NULL without body */
	struct str body;
	bool own_connection; /* an unsafe create: never reused, never repeated by libcurl */
	int64_t timeout_ms;  /* real time; 0 for 60 s */
	size_t max_body;     /* 0 for 64 MiB */
};

struct http_response {
	int status;
	enum http_outcome outcome;
	struct text body;    /* owned */
	struct text headers; /* owned: "name: value\n" lines, names in lower case */
	long connects;	     /* new connections that this request made */
};

bool http_send(struct http_client *c, const struct http_request *req, struct http_response *ret,
    struct error *err) MUST_CHECK;
void http_response_fini(struct http_response *r);
/* Borrows from the response; empty when absent. */
struct str http_response_header(const struct http_response *r, const char *name);
/* Retry-After in ms: seconds, or an HTTP date against the response's own Date; -1 when absent. */
int64_t http_retry_after_ms(const struct http_response *r);

/*
 * Streams a body as it arrives (watches). on_bytes returns false to end the transfer. Returns true
 * when the server ended it or on_bytes did.
 */
typedef bool http_bytes_fn(void *context, struct str bytes);
bool http_stream(struct http_client *c, const struct http_request *req, http_bytes_fn *on_bytes,
    void *context, struct http_response *ret, struct error *err) MUST_CHECK;

/*
 * The same, driven by the caller: one stream a client at a time, no thread of its own. open sends
 * the request; each step waits up to timeout_ms for bytes, hands them to on_bytes and says whether
 * the stream has ended (then `ret` of open holds status and headers; the body of an answer other
 * than 2xx is there instead of going to on_bytes). timeout_ms of the request 0 means no total
 * limit. http_client_wake, from any thread, makes a waiting step return at once.
 */
bool http_stream_open(struct http_client *c, const struct http_request *req,
    http_bytes_fn *on_bytes, void *context, struct http_response *ret,
    struct error *err) MUST_CHECK;
bool http_stream_step(
    struct http_client *c, int timeout_ms, bool *ret_ended, struct error *err) MUST_CHECK;
void http_stream_close(struct http_client *c);
void http_client_wake(struct http_client *c);

/* libcurl's global set-up; main calls it once before threads start. */
bool http_global_init(struct error *err) MUST_CHECK;

#endif
