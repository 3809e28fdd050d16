#include "backend/net/server.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <microhttpd.h>

#include "backend/net/server_int.h"
#include "model/base/mem.h"

/*
 * libmicrohttpd calls, in this order for one request: uri_seen (makes the struct call), access
 * (once with the headers, then with each piece of the body, then without one: the handler runs),
 * the reader of the response, completed (frees the struct call).
 */

enum {
	IDLE_S = 600,
	CONNECTION_MEMORY = 64 * 1024,
	PARAM_MEMORY = 4 * CONNECTION_MEMORY,
	THREAD_STACK = 1024 * 1024,
	STREAM_BLOCK = 32 * 1024,
	STREAM_MAX_PENDING = 64 * 1024 * 1024,
	DRAIN_FACTOR = 2, /* how much of a too large body is read before the connection is cut */
};

static const char priorities[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";

struct server {
	struct MHD_Daemon *daemon;
	struct server_options opt; /* its text is borrowed only while starting; see server_start */
	char *cert, *key, *ca;	   /* owned copies, terminated */
	char *priorities;	   /* owned: the library takes no constant */
	char *socket_path;	   /* owned; removed at the end */
	unsigned short port;
	atomic_long connections;
	bool stopping;	      /* read and written as an atomic */
	pthread_mutex_t lock; /* with wake: only for waiting handlers */
	pthread_cond_t wake;
};

struct conn {
	struct server *server;
	long number;
	bool checked;	     /* client certificate looked at */
	struct text subject; /* of a verified certificate */
};

/* One request. */
struct call {
	char *path;  /* decoded */
	char *query; /* as sent */
	struct arena *arena;
	struct server_param *params;
	struct text body;
	size_t seen;  /* body bytes, also those beyond the limit */
	bool started; /* the call with the headers alone was made */
	bool bad_uri;
	bool body_too_large;
};

/* What server_request.connection points to. */
struct request_ctx {
	struct MHD_Connection *mhd;
	struct server *server;
	struct call *call;
};

static bool
is_stopping(const struct server *s)
{
	return __atomic_load_n(&s->stopping, __ATOMIC_ACQUIRE);
}

const char *
server_request_header(const struct server_request *r, const char *name)
{
	const struct request_ctx *ctx = r->connection;

	return MHD_lookup_connection_value(ctx->mhd, MHD_HEADER_KIND, name);
}

const char *
server_request_query(const struct server_request *r, const char *name)
{
	const struct request_ctx *ctx = r->connection;

	return query_find(ctx->call->params, name);
}

const char *
server_request_raw_query(const struct server_request *r)
{
	const struct request_ctx *ctx = r->connection;

	return ctx->call->query;
}

bool
server_request_stopping(const struct server_request *r)
{
	const struct request_ctx *ctx = r->connection;

	return is_stopping(ctx->server);
}

bool
server_request_wait(const struct server_request *r, int64_t ms)
{
	const struct request_ctx *ctx = r->connection;
	struct server *s = ctx->server;
	struct timespec until = { 0 };
	int rc = 0;

	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += (time_t)(ms / 1000);
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	(void)pthread_mutex_lock(&s->lock);
	while (!is_stopping(s) && rc == 0)
		rc = pthread_cond_timedwait(&s->wake, &s->lock, &until);
	bool stopping = is_stopping(s);

	(void)pthread_mutex_unlock(&s->lock);
	return !stopping;
}

static void
call_free(struct call *c)
{
	if (c == NULL)
		return;
	text_free(&c->body);
	mem_free(c->path);
	mem_free(c->query);
	arena_free(c->arena);
	mem_free(c);
}

static void *
uri_seen(void *context UNUSED, const char *uri, struct MHD_Connection *mhd UNUSED)
{
	struct call *c = mem_new(sizeof(*c));
	struct str all = str_from(uri);
	ptrdiff_t mark = str_find_char(all, '?');
	struct str path = mark >= 0 ? str_sub(all, 0, (size_t)mark) : all;
	struct str query = mark >= 0 ? str_sub(all, (size_t)mark + 1, all.n) : (struct str){ 0 };

	if (c == NULL)
		return NULL;
	c->body = (struct text)TEXT_INIT(SERVER_MAX_BODY);
	c->arena = arena_new(PARAM_MEMORY);
	c->query = str_dup(query);
	c->bad_uri = c->arena == NULL || c->query == NULL || !path_decode(path, &c->path) ||
		     !query_parse(c->arena, query, &c->params);
	return c;
}

static void
completed(void *context UNUSED, struct MHD_Connection *mhd UNUSED, void **request,
    enum MHD_RequestTerminationCode why UNUSED)
{
	call_free(*request);
	*request = NULL;
}

static void
connection_changed(void *context, struct MHD_Connection *mhd UNUSED, void **socket_context,
    enum MHD_ConnectionNotificationCode what)
{
	struct server *s = context;

	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		struct conn *conn = mem_new(sizeof(*conn));

		if (conn != NULL) {
			conn->server = s;
			conn->number = atomic_fetch_add(&s->connections, 1) + 1;
			conn->subject = (struct text)TEXT_INIT(4096);
		}
		*socket_context = conn;
		return;
	}
	struct conn *conn = *socket_context;

	if (conn != NULL)
		text_free(&conn->subject);
	mem_free(conn);
	*socket_context = NULL;
}

static void
subject_add(struct text *out, gnutls_x509_crt_t crt, const char *oid, const char *label)
{
	for (unsigned i = 0; i < 16; i++) {
		char value[256];
		size_t n = sizeof(value);

		if (gnutls_x509_crt_get_dn_by_oid(crt, oid, i, 0, value, &n) < 0)
			return;
		text_add(out, out->n > 0 ? "," : "");
		text_add(out, label);
		for (size_t k = 0; k < n; k++) {
			if (value[k] == ',' || value[k] == '\\')
				text_add_char(out, '\\');
			text_add_char(out, value[k]);
		}
	}
}

/* A certificate that does not verify is as good as none: the caller is then nobody. */
static void
client_check(struct conn *conn, gnutls_session_t session)
{
	unsigned status = 1;
	unsigned n = 0;
	const gnutls_datum_t *list = gnutls_certificate_get_peers(session, &n);
	gnutls_x509_crt_t crt = NULL;

	conn->checked = true;
	if (list == NULL || n == 0)
		return;
	if (gnutls_certificate_verify_peers2(session, &status) < 0 || status != 0)
		return;
	if (gnutls_x509_crt_init(&crt) < 0)
		return;
	if (gnutls_x509_crt_import(crt, &list[0], GNUTLS_X509_FMT_DER) >= 0) {
		subject_add(&conn->subject, crt, GNUTLS_OID_X520_ORGANIZATION_NAME, "O=");
		subject_add(&conn->subject, crt, GNUTLS_OID_X520_COMMON_NAME, "CN=");
	}
	gnutls_x509_crt_deinit(crt);
}

static int
connection_fd(struct MHD_Connection *mhd)
{
	const union MHD_ConnectionInfo *info =
	    MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);

	return info != NULL ? info->connect_fd : -1;
}

static void
request_who(struct server *s, struct MHD_Connection *mhd, struct server_request *req)
{
	const union MHD_ConnectionInfo *info =
	    MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct conn *conn = info != NULL ? info->socket_context : NULL;

	req->peer_uid = (uid_t)-1;
	if (conn != NULL)
		req->connection_number = conn->number;
	if (conn != NULL && s->ca != NULL) {
		info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_GNUTLS_SESSION);
		if (!conn->checked && info != NULL && info->tls_session != NULL)
			client_check(conn, info->tls_session);
		req->client = text_str(&conn->subject);
	}
	if (s->socket_path != NULL) {
		struct ucred cred = { 0 };
		socklen_t n = sizeof(cred);

		if (getsockopt(connection_fd(mhd), SOL_SOCKET, SO_PEERCRED, &cred, &n) == 0) {
			req->peer_uid = cred.uid;
			req->peer_pid = cred.pid;
		}
	}
}

/* A response's body on its way out: text that is there, or a stream. Owned by the MHD response. */
struct outgoing {
	struct server *server;
	struct text pending;
	size_t given; /* bytes of pending that are sent */
	size_t cut_after;
	int fd; /* of the connection; borrowed */
	bool is_stream;
	bool cut;
	server_stream_fn *stream;
	server_stream_end_fn *stream_end;
	void *stream_context;
};

static void
outgoing_free(void *context)
{
	struct outgoing *o = context;

	if (o->stream_end != NULL)
		o->stream_end(o->stream_context);
	text_free(&o->pending);
	mem_free(o);
}

/* A client that has gone is otherwise noticed only by the next write, which may be long off. */
static bool
has_hung_up(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLRDHUP };

	return fd >= 0 && poll(&p, 1, 0) > 0 && (p.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

static bool
outgoing_fill(struct outgoing *o)
{
	while (o->pending.n == o->given) {
		text_clear(&o->pending);
		o->given = 0;
		if (!o->is_stream || is_stopping(o->server) || has_hung_up(o->fd))
			return false;
		bool more = o->stream(o->stream_context, &o->server->stopping, &o->pending);

		if (o->pending.too_long || o->pending.no_memory)
			return false;
		if (!more) {
			o->is_stream = false;
			return o->pending.n > 0;
		}
	}
	return true;
}

static ssize_t
outgoing_read(void *context, uint64_t pos, char *buf, size_t max)
{
	struct outgoing *o = context;

	if (o->cut && pos >= o->cut_after)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	if (!outgoing_fill(o)) {
		bool bad = o->pending.too_long || o->pending.no_memory;

		return bad ? MHD_CONTENT_READER_END_WITH_ERROR : MHD_CONTENT_READER_END_OF_STREAM;
	}
	size_t n = o->pending.n - o->given;

	if (n > max)
		n = max;
	if (o->cut && n > o->cut_after - pos)
		n = (size_t)(o->cut_after - pos);
	memcpy(buf, o->pending.p + o->given, n);
	o->given += n;
	return (ssize_t)n;
}

static void
headers_add(struct MHD_Response *out, struct str lines)
{
	struct str line;

	while (str_split(&lines, '\n', &line)) {
		ptrdiff_t colon = str_find_char(line, ':');
		char *name = NULL;
		char *value = NULL;

		if (colon <= 0)
			continue;
		name = str_dup(str_sub(line, 0, (size_t)colon));
		value = str_dup(str_trim(str_sub(line, (size_t)colon + 1, line.n)));
		if (name != NULL && value != NULL)
			(void)MHD_add_response_header(out, name, value);
		mem_free(name);
		mem_free(value);
	}
}

/* Takes the body and the stream of r in any case. */
static struct MHD_Response *
response_make(struct server *s, struct MHD_Connection *mhd, struct server_response *r)
{
	struct outgoing *o = mem_new(sizeof(*o));
	struct MHD_Response *out = NULL;

	if (o == NULL) {
		if (r->stream_end != NULL)
			r->stream_end(r->stream_context);
		text_free(&r->body);
		return NULL;
	}
	o->server = s;
	o->fd = connection_fd(mhd);
	o->stream = r->stream;
	o->stream_end = r->stream_end;
	o->stream_context = r->stream_context;
	o->is_stream = r->stream != NULL;
	o->cut = r->cut_after > 0;
	o->cut_after = r->cut_after;
	o->pending = r->body;
	r->body = (struct text){ 0 };
	if (o->is_stream && o->pending.limit == 0)
		o->pending = (struct text)TEXT_INIT(STREAM_MAX_PENDING);
	uint64_t size = o->is_stream ? MHD_SIZE_UNKNOWN : o->pending.n;

	out =
	    MHD_create_response_from_callback(size, STREAM_BLOCK, outgoing_read, o, outgoing_free);
	if (out == NULL) {
		outgoing_free(o);
		return NULL;
	}
	if (r->content_type != NULL)
		(void)MHD_add_response_header(out, MHD_HTTP_HEADER_CONTENT_TYPE, r->content_type);
	headers_add(out, text_str(&r->headers));
	return out;
}

static enum MHD_Result
respond(struct server *s, struct MHD_Connection *mhd, struct server_response *r)
{
	enum MHD_Result queued = MHD_NO;
	bool bad = r->drop || (r->stream == NULL && (r->body.too_long || r->body.no_memory));
	struct MHD_Response *out = response_make(s, mhd, r);

	if (out != NULL && !bad)
		queued = MHD_queue_response(mhd, (unsigned)(r->status > 0 ? r->status : 200), out);
	if (out != NULL)
		MHD_destroy_response(out);
	text_free(&r->headers);
	return queued;
}

static enum MHD_Result
respond_plain(struct server *s, struct MHD_Connection *mhd, int status, const char *words)
{
	struct server_response r = {
		.status = status,
		.content_type = "text/plain; charset=utf-8",
		.body = TEXT_INIT(256),
	};

	text_add(&r.body, words);
	return respond(s, mhd, &r);
}

static enum MHD_Result
handle(struct server *s, struct MHD_Connection *mhd, struct call *call, const char *method)
{
	struct request_ctx ctx = { .mhd = mhd, .server = s, .call = call };
	struct server_response res = { .status = 200 };
	struct server_request req = {
		.method = method,
		.path = call->path,
		.body = text_str(&call->body),
		.connection = &ctx,
	};

	request_who(s, mhd, &req);
	s->opt.handle(s->opt.context, &req, &res);
	return respond(s, mhd, &res);
}

/* Content-Length beyond the limit, known before the body is sent. */
static bool
announces_too_much(struct MHD_Connection *mhd)
{
	const char *text = MHD_lookup_connection_value(mhd, MHD_HEADER_KIND, "Content-Length");
	int64_t n = 0;

	return text != NULL && str_to_int(str_from(text), &n) && n > SERVER_MAX_BODY;
}

static enum MHD_Result
body_arrived(struct call *call, const char *bytes, size_t *n)
{
	call->seen += *n;
	if (call->seen > (size_t)SERVER_MAX_BODY) {
		call->body_too_large = true;
		text_clear(&call->body);
	} else {
		text_add_str(&call->body, (struct str){ bytes, *n });
	}
	*n = 0;
	return call->seen > (size_t)DRAIN_FACTOR * SERVER_MAX_BODY ? MHD_NO : MHD_YES;
}

/* NOLINTBEGIN(readability-function-size): the library's signature */
static enum MHD_Result
access_called(void *context, struct MHD_Connection *mhd, const char *url UNUSED, const char *method,
    const char *version UNUSED, const char *bytes, size_t *n, void **request)
{
	struct server *s = context;
	struct call *call = *request;

	if (call == NULL || is_stopping(s))
		return MHD_NO;
	if (!call->started) {
		call->started = true;
		return announces_too_much(mhd)
			   ? respond_plain(s, mhd, 413, "request body too large\n")
			   : MHD_YES;
	}
	if (*n > 0)
		return body_arrived(call, bytes, n);
	if (call->bad_uri)
		return respond_plain(s, mhd, 400, "bad request target\n");
	if (call->body_too_large)
		return respond_plain(s, mhd, 413, "request body too large\n");
	return handle(s, mhd, call, method);
}
/* NOLINTEND(readability-function-size) */

static char *
pem_copy(struct str pem)
{
	return pem.n > 0 ? str_dup(pem) : NULL;
}

static bool
copies_make(struct server *s, const struct server_options *opt, struct error *err)
{
	s->opt = *opt;
	s->cert = pem_copy(opt->tls_cert);
	s->key = pem_copy(opt->tls_key);
	s->ca = pem_copy(opt->client_ca);
	s->priorities = mem_dupz(priorities);
	s->socket_path = opt->unix_socket != NULL ? mem_dupz(opt->unix_socket) : NULL;
	if (s->priorities == NULL || (opt->tls_cert.n > 0 && s->cert == NULL) ||
	    (opt->tls_key.n > 0 && s->key == NULL) || (opt->client_ca.n > 0 && s->ca == NULL) ||
	    (opt->unix_socket != NULL && s->socket_path == NULL))
		return error_set(err, ERR_NO_MEMORY, "no memory for a server");
	return true;
}

static void
option_add(
    struct MHD_OptionItem *rows, size_t *n, enum MHD_OPTION option, intptr_t value, void *pointer)
{
	rows[*n] = (struct MHD_OptionItem){ option, value, pointer };
	(*n)++;
}

static bool
daemon_start(struct server *s, int fd, struct error *err)
{
	/* Its own error log is not asked for, so nothing is written to standard error. */
	unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
			 MHD_USE_POLL | MHD_USE_ITC;
	struct MHD_OptionItem rows[16] = { 0 };
	size_t n = 0;

	option_add(rows, &n, MHD_OPTION_LISTEN_SOCKET, fd, NULL);
	option_add(rows, &n, MHD_OPTION_CONNECTION_LIMIT, SERVER_MAX_CONNECTIONS, NULL);
	option_add(rows, &n, MHD_OPTION_CONNECTION_TIMEOUT, IDLE_S, NULL);
	option_add(rows, &n, MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY, NULL);
	option_add(rows, &n, MHD_OPTION_THREAD_STACK_SIZE, THREAD_STACK, NULL);
	if (s->cert != NULL) {
		flags |= MHD_USE_TLS;
		option_add(rows, &n, MHD_OPTION_HTTPS_MEM_CERT, 0, s->cert);
		option_add(rows, &n, MHD_OPTION_HTTPS_MEM_KEY, 0, s->key);
		option_add(rows, &n, MHD_OPTION_HTTPS_PRIORITIES, 0, s->priorities);
	}
	if (s->cert != NULL && s->ca != NULL)
		option_add(rows, &n, MHD_OPTION_HTTPS_MEM_TRUST, 0, s->ca);
	option_add(rows, &n, MHD_OPTION_END, 0, NULL);
	s->daemon = MHD_start_daemon(flags, 0, NULL, NULL, access_called, s,
	    MHD_OPTION_URI_LOG_CALLBACK, uri_seen, s, MHD_OPTION_NOTIFY_COMPLETED, completed, s,
	    MHD_OPTION_NOTIFY_CONNECTION, connection_changed, s, MHD_OPTION_ARRAY, rows,
	    MHD_OPTION_END);
	if (s->daemon == NULL)
		return error_set(err, ERR_IO, "cannot start a server: certificate, key or socket");
	return true;
}

bool
server_start(const struct server_options *opt, struct server **ret_server, struct error *err)
{
	struct server *s = mem_new(sizeof(*s));
	pthread_condattr_t attr;
	int fd = -1;

	if (s == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a server");
	(void)pthread_mutex_init(&s->lock, NULL);
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&s->wake, &attr);
	(void)pthread_condattr_destroy(&attr);
	atomic_init(&s->connections, 0);
	if (!copies_make(s, opt, err))
		goto fail;
	fd = opt->unix_socket != NULL ? listen_unix(opt->unix_socket, err)
				      : listen_tcp(opt->bind, opt->port, &s->port, err);
	if (fd < 0) {
		mem_free(s->socket_path); /* not ours: it stays */
		s->socket_path = NULL;
		goto fail;
	}
	if (!daemon_start(s, fd, err)) {
		(void)close(fd);
		goto fail;
	}
	*ret_server = s;
	return true;
fail:
	server_stop(s);
	return false;
}

unsigned short
server_port(const struct server *s)
{
	return s->port;
}

void
server_stop(struct server *s)
{
	if (s == NULL)
		return;
	(void)pthread_mutex_lock(&s->lock);
	__atomic_store_n(&s->stopping, true, __ATOMIC_RELEASE);
	(void)pthread_cond_broadcast(&s->wake);
	(void)pthread_mutex_unlock(&s->lock);
	if (s->socket_path != NULL)
		(void)unlink(s->socket_path);
	if (s->daemon != NULL)
		MHD_stop_daemon(s->daemon); /* shuts connections, joins their threads */
	if (s->key != NULL)
		explicit_bzero(s->key, strlen(s->key));
	mem_free(s->cert);
	mem_free(s->key);
	mem_free(s->ca);
	mem_free(s->priorities);
	mem_free(s->socket_path);
	(void)pthread_mutex_destroy(&s->lock);
	(void)pthread_cond_destroy(&s->wake);
	mem_free(s);
}
