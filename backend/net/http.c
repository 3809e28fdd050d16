#include "backend/net/http_int.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/crypto.h>

#include "model/base/mem.h"

enum { POLL_MS = 1000, RETRY_AFTER_MAX_S = 24 * 3600 };

static pthread_once_t http_global_once = PTHREAD_ONCE_INIT;
static CURLcode http_global_code;

/* NOLINTBEGIN(concurrency-mt-unsafe): once, before threads use it */
static void
global_start(void)
{
	/* libcurl reads these once, here: TLS secrets are never written to a file. */
	(void)unsetenv("SSLKEYLOGFILE");
	(void)unsetenv("CURL_HOME");
	http_global_code = curl_global_init(CURL_GLOBAL_DEFAULT);
}
/* NOLINTEND(concurrency-mt-unsafe) */

bool
http_global_init(struct error *err)
{
	(void)pthread_once(&http_global_once, global_start);
	if (http_global_code != CURLE_OK)
		return error_set(err, ERR_INTERNAL, "libcurl does not start: %s",
		    curl_easy_strerror(http_global_code));
	return true;
}

bool
http_client_new(
    const struct http_client_options *opt, struct http_client **ret_client, struct error *err)
{
	struct http_client *c = NULL;

	if (!http_global_init(err))
		return false;
	c = mem_new(sizeof(*c));
	if (c == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a connection");
	c->opt = *opt;
	c->unix_fd = -1;
	atomic_init(&c->canceled, false);
	c->easy = curl_easy_init();
	c->multi = curl_multi_init();
	if (c->easy == NULL || c->multi == NULL) {
		http_client_free(c);
		return error_set(err, ERR_NO_MEMORY, "no memory for a connection");
	}
	(void)curl_multi_setopt(c->multi, CURLMOPT_MAXCONNECTS, 4L);
	if (!setup_client(c, err)) {
		http_client_free(c);
		return false;
	}
	*ret_client = c;
	return true;
}

void
http_client_free(struct http_client *c)
{
	if (c == NULL)
		return;
	http_stream_close(c);
	if (c->easy != NULL)
		curl_easy_cleanup(c->easy);
	if (c->multi != NULL)
		curl_multi_cleanup(c->multi);
	mem_free(c);
}

void
http_client_wake(struct http_client *c)
{
	(void)curl_multi_wakeup(c->multi);
}

void
http_client_cancel(struct http_client *c)
{
	atomic_store(&c->canceled, true);
	http_client_wake(c);
}

/* clang-format off */
static const struct {
	CURLcode code;
	enum error_code error;
} codes[] = {
	{ CURLE_OPERATION_TIMEDOUT,        ERR_TIMEOUT },
	{ CURLE_OUT_OF_MEMORY,             ERR_NO_MEMORY },
	{ CURLE_SSL_CONNECT_ERROR,         ERR_TLS },
	{ CURLE_PEER_FAILED_VERIFICATION,  ERR_TLS },
	{ CURLE_SSL_CERTPROBLEM,           ERR_TLS },
	{ CURLE_SSL_CIPHER,                ERR_TLS },
	{ CURLE_SSL_CACERT_BADFILE,        ERR_TLS },
	{ CURLE_SSL_ISSUER_ERROR,          ERR_TLS },
	{ CURLE_SSL_INVALIDCERTSTATUS,     ERR_TLS },
	{ CURLE_ABORTED_BY_CALLBACK,       ERR_CANCELED },
	{ CURLE_UNSUPPORTED_PROTOCOL,      ERR_REFUSED },
};
/* clang-format on */

static enum error_code
code_error(CURLcode code)
{
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		if (codes[i].code == code)
			return codes[i].error;
	}
	return ERR_NETWORK;
}

/* POST and PATCH may do their work twice when they are sent twice. */
static bool
is_unsafe(const char *method)
{
	return strcmp(method, "POST") == 0 || strcmp(method, "PATCH") == 0;
}

static bool
transfer_failed(const struct transfer *t, CURLcode code, struct error *err)
{
	bool sent = t->out->outcome != HTTP_NOT_SENT;
	bool plain = t->client->opt.proxy == NULL; /* a proxy's URL may hold a password */
	const char *why = plain && t->why[0] != '\0' ? t->why : curl_easy_strerror(code);
	enum error_code e = code_error(code);

	if (t->too_large)
		return error_set(err, ERR_TOO_LARGE, "%s '%s': the answer is larger than %zu bytes",
		    t->method, t->host, t->max_body);
	if (t->refused_address && !sent) {
		error_set(err, ERR_REFUSED, "%s '%s': its address is refused", t->method, t->host);
		error_advise(err, "loopback, link-local and metadata addresses are never called");
		return false;
	}
	if (t->wrong_peer) {
		error_set(err, ERR_REFUSED, "'%s' is not served by the owner of its directory",
		    t->client->opt.unix_socket);
		error_advise(err, "find out whose process that is before anything is sent to it");
		return false;
	}
	if (e == ERR_CANCELED)
		return error_set(err, e, "%s '%s' was canceled", t->method, t->host);
	if (sent && is_unsafe(t->method)) {
		error_set(err, e, "%s", why);
		if (err != NULL)
			err->code = ERR_UNKNOWN_OUTCOME;
		return error_wrap(
		    err, "%s '%s': sent, but the answer was lost", t->method, t->host);
	}
	return error_set(err, e, "%s '%s': %s", t->method, t->host, why);
}

/* Judges a finished (or broken off) transfer. */
static bool
transfer_done(struct transfer *t, CURLcode code, struct error *err)
{
	struct http_response *out = t->out;
	long status = 0;

	(void)curl_easy_getinfo(t->client->easy, CURLINFO_RESPONSE_CODE, &status);
	(void)curl_easy_getinfo(t->client->easy, CURLINFO_NUM_CONNECTS, &out->connects);
	out->status = (int)status;
	if (t->ended_by_caller && code == CURLE_WRITE_ERROR)
		code = CURLE_OK;
	out->outcome = t->sends == 0 ? HTTP_NOT_SENT : HTTP_UNKNOWN;
	if (code != CURLE_OK)
		return transfer_failed(t, code, err);
	if (!text_ok(&out->body, "answer", err) || !text_ok(&out->headers, "answer headers", err))
		return false;
	if (t->sends <= 1 || !is_unsafe(t->method))
		out->outcome = HTTP_ANSWERED;
	return true;
}

static bool
take_result(CURLM *multi, CURLcode *ret_code)
{
	int left = 0;

	for (CURLMsg *m = curl_multi_info_read(multi, &left); m != NULL;
	     m = curl_multi_info_read(multi, &left)) {
		if (m->msg == CURLMSG_DONE) {
			*ret_code = m->data.result;
			return true;
		}
	}
	return false;
}

/* One round: true when the transfer is over and *ret_code says how. */
static bool
transfer_round(struct http_client *c, CURLcode *ret_code)
{
	int running = 0;

	if (atomic_load(&c->canceled)) {
		*ret_code = CURLE_ABORTED_BY_CALLBACK;
		return true;
	}
	if (curl_multi_perform(c->multi, &running) != CURLM_OK) {
		*ret_code = CURLE_FAILED_INIT;
		return true;
	}
	return take_result(c->multi, ret_code);
}

static CURLcode
transfer_run(struct http_client *c)
{
	CURLcode code = CURLE_OK;

	if (curl_multi_add_handle(c->multi, c->easy) != CURLM_OK)
		return CURLE_FAILED_INIT;
	while (!transfer_round(c, &code)) {
		if (curl_multi_poll(c->multi, NULL, 0, POLL_MS, NULL) != CURLM_OK) {
			code = CURLE_FAILED_INIT;
			break;
		}
	}
	return code;
}

bool
http_send(struct http_client *c, const struct http_request *req, struct http_response *ret,
    struct error *err)
{
	struct transfer t = { .client = c, .out = ret };
	bool ok = false;

	*ret = (struct http_response){ 0 };
	if (c->stream != NULL)
		return error_set(err, ERR_INTERNAL, "a stream is open on this connection");
	if (setup_transfer(&t, req, err)) {
		CURLcode code = transfer_run(c);

		ok = transfer_done(&t, code, err);
		(void)curl_multi_remove_handle(c->multi, c->easy);
	}
	(void)curl_easy_setopt(c->easy, CURLOPT_PRIVATE, NULL);
	transfer_fini(&t);
	if (!ok && ret->body.p != NULL)
		text_clear(&ret->body);
	return ok;
}

bool
http_stream_open(struct http_client *c, const struct http_request *req, http_bytes_fn *on_bytes,
    void *context, struct http_response *ret, struct error *err)
{
	struct transfer *t = NULL;

	*ret = (struct http_response){ 0 };
	if (c->stream != NULL)
		return error_set(err, ERR_INTERNAL, "a stream is open on this connection");
	t = mem_new(sizeof(*t));
	if (t == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a stream");
	t->client = c;
	t->out = ret;
	t->on_bytes = on_bytes;
	t->context = context;
	c->stream = t;
	if (!setup_transfer(t, req, err)) {
		http_stream_close(c);
		return false;
	}
	if (curl_multi_add_handle(c->multi, c->easy) != CURLM_OK) {
		http_stream_close(c);
		return error_set(err, ERR_INTERNAL, "cannot start a stream");
	}
	return true;
}

static int64_t
mono_ms(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

bool
http_stream_step(struct http_client *c, int timeout_ms, bool *ret_ended, struct error *err)
{
	struct transfer *t = c->stream;
	int64_t until = mono_ms() + timeout_ms;
	CURLcode code = CURLE_OK;

	*ret_ended = false;
	if (t == NULL)
		return error_set(err, ERR_INTERNAL, "no stream is open");
	size_t before = t->got;

	for (bool polled = false;; polled = true) {
		if (transfer_round(c, &code)) {
			*ret_ended = true;
			return transfer_done(t, code, err);
		}
		int64_t left = until - mono_ms();

		if (t->got != before || left <= 0 || polled)
			return true;
		if (curl_multi_poll(c->multi, NULL, 0, (int)left, NULL) != CURLM_OK)
			return error_set(err, ERR_INTERNAL, "cannot wait for '%s'", t->host);
	}
}

void
http_stream_close(struct http_client *c)
{
	struct transfer *t = c->stream;

	if (t == NULL)
		return;
	(void)curl_multi_remove_handle(c->multi, c->easy);
	(void)curl_easy_setopt(c->easy, CURLOPT_PRIVATE, NULL);
	c->stream = NULL;
	transfer_fini(t);
	mem_free(t);
}

bool
http_stream(struct http_client *c, const struct http_request *req, http_bytes_fn *on_bytes,
    void *context, struct http_response *ret, struct error *err)
{
	bool ended = false;
	bool ok = http_stream_open(c, req, on_bytes, context, ret, err);

	while (ok && !ended)
		ok = http_stream_step(c, POLL_MS, &ended, err);
	http_stream_close(c);
	return ok;
}

void
http_response_fini(struct http_response *r)
{
	if (r->body.p != NULL)
		OPENSSL_cleanse(r->body.p, r->body.cap);
	if (r->headers.p != NULL)
		OPENSSL_cleanse(r->headers.p, r->headers.cap);
	text_free(&r->body);
	text_free(&r->headers);
	*r = (struct http_response){ 0 };
}

struct str
http_response_header(const struct http_response *r, const char *name)
{
	struct str rest = text_str(&r->headers);
	struct str line;

	while (str_split(&rest, '\n', &line)) {
		ptrdiff_t colon = str_find_char(line, ':');

		if (colon > 0 && str_eq_nocase(str_sub(line, 0, (size_t)colon), str_from(name)))
			return str_trim(str_sub(line, (size_t)colon + 1, line.n));
	}
	return (struct str){ 0 };
}

/* Seconds since 1970 of an HTTP date, -1 when it is none. */
static int64_t
http_date(struct str s)
{
	char *copy = str_dup(s);
	int64_t at = copy != NULL && s.n > 0 ? (int64_t)curl_getdate(copy, NULL) : -1;

	mem_free(copy);
	return at;
}

int64_t
http_retry_after_ms(const struct http_response *r)
{
	struct str value = http_response_header(r, "retry-after");
	int64_t seconds = -1;

	if (value.n == 0)
		return -1;
	if (!str_to_int(value, &seconds)) {
		int64_t at = http_date(value);
		int64_t now = http_date(http_response_header(r, "date"));

		if (at < 0 || now < 0)
			return -1;
		seconds = at > now ? at - now : 0;
	}
	if (seconds < 0)
		return -1;
	return (seconds > RETRY_AFTER_MAX_S ? RETRY_AFTER_MAX_S : seconds) * 1000;
}
