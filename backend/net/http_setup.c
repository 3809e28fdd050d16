#include "backend/net/http_int.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "backend/net/address.h"
#include "model/base/mem.h"

/*
 * Every libcurl option is set here and nowhere else. An option that libcurl refuses fails the
 * client: a check that silently is not made would be worse than no connection.
 */

/* NOLINTBEGIN(readability-non-const-parameter): libcurl's signature */
static size_t
body_arrived(char *bytes, size_t size, size_t n, void *context)
{
	struct transfer *t = context;
	struct str piece = { bytes, size * n };
	long status = 0;

	(void)curl_easy_getinfo(t->client->easy, CURLINFO_RESPONSE_CODE, &status);
	bool streamed = t->on_bytes != NULL && status >= 200 && status < 300;

	t->got += piece.n;
	if (!streamed && t->got > t->max_body) {
		t->too_large = true;
		return 0;
	}
	if (streamed) {
		if (t->on_bytes(t->context, piece))
			return piece.n;
		t->ended_by_caller = true;
		return 0;
	}
	text_add_str(&t->out->body, piece);
	return piece.n;
}
/* NOLINTEND(readability-non-const-parameter) */

static void
header_keep(struct transfer *t, struct str line)
{
	ptrdiff_t colon = str_find_char(line, ':');

	if (colon <= 0)
		return;
	struct str name = str_sub(line, 0, (size_t)colon);
	struct str value = str_trim(str_sub(line, (size_t)colon + 1, line.n));

	for (size_t i = 0; i < name.n; i++) {
		char ch = name.p[i];

		text_add_char(&t->out->headers, ch >= 'A' && ch <= 'Z' ? (char)(ch + 32) : ch);
	}
	text_add(&t->out->headers, ": ");
	for (size_t i = 0; i < value.n; i++) {
		char ch = value.p[i];

		/* obs-fold and stray controls must not make a second line of ours */
		text_add_char(&t->out->headers, ch == '\r' || ch == '\n' || ch == '\0' ? ' ' : ch);
	}
	text_add_char(&t->out->headers, '\n');
}

/* NOLINTBEGIN(readability-non-const-parameter): libcurl's signature */
static size_t
header_arrived(char *bytes, size_t size, size_t n, void *context)
{
	struct transfer *t = context;
	struct str line = { bytes, size * n };

	t->header_bytes += line.n;
	if (t->header_bytes > HTTP_MAX_HEADER_BYTES) {
		t->too_large = true;
		return 0;
	}
	if (str_starts(line, STR("HTTP/")))
		text_clear(
		    &t->out->headers); /* 100-continue, a proxy's answer: only the last counts */
	else
		header_keep(t, line);
	return line.n;
}
/* NOLINTEND(readability-non-const-parameter) */

/*
 * Who listens on a Unix socket must own the directory that it stands in: whoever could put another
 * socket there could do so too. Asked before each request, when nothing is sent yet.
 */
static bool
peer_is_owner(int fd, const char *path)
{
	struct str whole = str_from(path);
	struct ucred peer = { 0 };
	socklen_t n = sizeof(peer);
	struct stat st;
	char dir[sizeof(((struct sockaddr_un *)NULL)->sun_path)] = ".";
	size_t end = whole.n;

	while (end > 0 && whole.p[end - 1] != '/')
		end--;
	if (end >= sizeof(dir))
		return false;
	if (end > 0)
		memcpy(dir, whole.p, end);
	dir[end > 0 ? end : 1] = '\0';
	return fd >= 0 && stat(dir, &st) == 0 &&
	       getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 && peer.uid == st.st_uid;
}

/* NOLINTBEGIN(readability-non-const-parameter): libcurl's signature */
static int
before_request(void *context, char *primary_ip UNUSED, char *local_ip UNUSED,
    int primary_port UNUSED, int local_port UNUSED)
{
	struct transfer *t = context;
	const struct http_client *c = t->client;

	if (c->opt.unix_socket == NULL || peer_is_owner(c->unix_fd, c->opt.unix_socket))
		return CURL_PREREQFUNC_OK;
	t->wrong_peer = true;
	return CURL_PREREQFUNC_ABORT;
}
/* NOLINTEND(readability-non-const-parameter) */

static curl_socket_t
socket_open(void *context, curlsocktype purpose UNUSED, struct curl_sockaddr *address)
{
	struct http_client *c = context;
	const struct http_client_options *opt = &c->opt;
	/* A proxy was named by a person and may stand on this machine (an SSH tunnel). */
	bool loopback = opt->allow_loopback || opt->proxy != NULL;
	bool ok = address->family == AF_UNIX
		      ? opt->unix_socket != NULL
		      : opt->unix_socket == NULL &&
			    address_allowed(&address->addr, (socklen_t)address->addrlen, loopback);

	if (!ok) {
		struct transfer *t = NULL;

		(void)curl_easy_getinfo(c->easy, CURLINFO_PRIVATE, (char **)&t);
		if (t != NULL)
			t->refused_address = true;
		return CURL_SOCKET_BAD;
	}
	int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);

	if (address->family == AF_UNIX)
		c->unix_fd = fd;
	return fd;
}

/* NOLINTBEGIN(readability-non-const-parameter): libcurl's signature */
/* libcurl repeats a request by itself when a kept connection turns out dead: count the heads. */
static int
trace(CURL *easy UNUSED, curl_infotype type, char *bytes, size_t n, void *context)
{
	struct transfer *t = context;
	struct str head = { bytes, n };

	if (type != CURLINFO_HEADER_OUT || t->method == NULL)
		return 0;
	struct str method = str_from(t->method);

	if (str_starts(head, method) && head.n > method.n && head.p[method.n] == ' ')
		t->sends++;
	return 0;
}
/* NOLINTEND(readability-non-const-parameter) */

struct blob_option {
	CURLoption option;
	struct str bytes;
};

static CURLcode
setup_tls(CURL *e, const struct http_tls *tls)
{
	const struct blob_option blobs[] = {
		{ CURLOPT_CAINFO_BLOB, tls->ca_pem },
		{ CURLOPT_SSLCERT_BLOB, tls->client_cert },
		{ CURLOPT_SSLKEY_BLOB, tls->client_key },
	};
	CURLcode code = curl_easy_setopt(e, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);

	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, tls->insecure ? 0L : 1L);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, tls->insecure ? 0L : 2L);
	for (size_t i = 0; code == CURLE_OK && i < ARRAY_LEN(blobs); i++) {
		struct curl_blob blob = { .len = blobs[i].bytes.n, .flags = CURL_BLOB_NOCOPY };

		if (blobs[i].bytes.n == 0)
			continue;
		memcpy(&blob.data, &blobs[i].bytes.p, sizeof(blob.data));
		code = curl_easy_setopt(e, blobs[i].option, &blob);
	}
	/* Own anchors mean only those: the distribution's directory would be added otherwise. */
	if (code == CURLE_OK && (tls->ca_pem.n > 0 || tls->ca_file != NULL))
		code = curl_easy_setopt(e, CURLOPT_CAPATH, NULL);
	if (code == CURLE_OK && tls->ca_pem.n == 0 && tls->ca_file != NULL)
		code = curl_easy_setopt(e, CURLOPT_CAINFO, tls->ca_file);
	return code;
}

struct long_option {
	CURLoption option;
	long value;
};

/* clang-format off */
static const struct long_option fixed[] = {
	{ CURLOPT_NOSIGNAL,             1 },
	{ CURLOPT_FOLLOWLOCATION,       0 },
	{ CURLOPT_NETRC,                CURL_NETRC_IGNORED },
	{ CURLOPT_HTTP_VERSION,         CURL_HTTP_VERSION_1_1 },
	{ CURLOPT_CONNECTTIMEOUT_MS,    HTTP_CONNECT_TIMEOUT_MS },
	{ CURLOPT_MAXAGE_CONN,          HTTP_CONNECTION_AGE_S },
	{ CURLOPT_MAXLIFETIME_CONN,     HTTP_CONNECTION_AGE_S },
	{ CURLOPT_TCP_KEEPALIVE,        1 },
	{ CURLOPT_TCP_KEEPIDLE,         30 },
	{ CURLOPT_TCP_KEEPINTVL,        10 },
	{ CURLOPT_QUICK_EXIT,           1 },
	{ CURLOPT_HTTP09_ALLOWED,       0 },
	{ CURLOPT_VERBOSE,              1 },	/* for `trace` only; nothing is written */
	{ CURLOPT_NOPROGRESS,           1 },
};
/* clang-format on */

static CURLcode
setup_route(CURL *e, const struct http_client_options *opt)
{
	CURLcode code =
	    curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, opt->unix_socket != NULL ? "http" : "https");

	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_REDIR_PROTOCOLS_STR, "https");
	/* An empty proxy and list keep those of the environment out. */
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_PROXY, opt->proxy != NULL ? opt->proxy : "");
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_NOPROXY, "");
	if (code == CURLE_OK && opt->unix_socket != NULL)
		code = curl_easy_setopt(e, CURLOPT_UNIX_SOCKET_PATH, opt->unix_socket);
	return code;
}

bool
setup_client(struct http_client *c, struct error *err)
{
	struct sockaddr_un sun;
	CURL *e = c->easy;
	CURLcode code = CURLE_OK;

	if (c->opt.unix_socket != NULL && str_from(c->opt.unix_socket).n >= sizeof(sun.sun_path))
		return error_set(err, ERR_INVALID,
		    "socket path '%s' is longer than %zu bytes: use a shorter state directory",
		    c->opt.unix_socket, sizeof(sun.sun_path) - 1);
	for (size_t i = 0; code == CURLE_OK && i < ARRAY_LEN(fixed); i++)
		code = curl_easy_setopt(e, fixed[i].option, fixed[i].value);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, body_arrived);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, header_arrived);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_DEBUGFUNCTION, trace);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, socket_open);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_OPENSOCKETDATA, c);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_PREREQFUNCTION, before_request);
	if (code == CURLE_OK)
		code = setup_route(e, &c->opt);
	if (code == CURLE_OK)
		code = setup_tls(e, &c->opt.tls);
	if (code != CURLE_OK)
		return error_set(
		    err, ERR_INTERNAL, "cannot set up a connection: %s", curl_easy_strerror(code));
	return true;
}

static bool
has_line_break(struct str s)
{
	return str_find_char(s, '\r') >= 0 || str_find_char(s, '\n') >= 0 ||
	       str_find_char(s, '\0') >= 0;
}

static bool
is_token(const char *name)
{
	static const char extra[] = "!#$%&'*+-.^_`|~";

	if (name == NULL || *name == '\0')
		return false;
	for (const char *p = name; *p != '\0'; p++) {
		bool alnum = (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
			     (*p >= 'A' && *p <= 'Z');

		if (!alnum && strchr(extra, *p) == NULL)
			return false;
	}
	return true;
}

static bool
header_add(
    struct transfer *t, const char *name, struct str prefix, struct str value, struct error *err)
{
	struct text line = TEXT_INIT(HTTP_MAX_HEADER_BYTES);
	struct curl_slist *grown = NULL;
	bool ok = false;

	if (!is_token(name))
		return error_set(err, ERR_INVALID, "a request header has no valid name");
	if (has_line_break(value))
		return error_set(err, ERR_INVALID, "request header '%s' holds a line break", name);
	text_add(&line, name);
	/* "Name;" is libcurl's spelling of a header without value */
	text_add(&line, prefix.n + value.n > 0 ? ": " : ";");
	text_add_str(&line, prefix);
	text_add_str(&line, value);
	if (!text_ok(&line, name, err))
		goto out;
	grown = curl_slist_append(t->headers, text_get(&line));
	if (grown == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for a request header");
		goto out;
	}
	t->headers = grown;
	ok = true;
out:
	if (line.p != NULL)
		OPENSSL_cleanse(line.p, line.cap);
	text_free(&line);
	return ok;
}

static bool
setup_headers(struct transfer *t, const struct http_request *req, struct error *err)
{
	for (size_t i = 0; i < req->nheaders; i++) {
		if (!header_add(t, req->headers[i].name, STR(""), req->headers[i].value, err))
			return false;
	}
	if (req->bearer.n > 0 && !header_add(t, "Authorization", STR("Bearer "), req->bearer, err))
		return false;
	if (req->content_type != NULL &&
	    !header_add(t, "Content-Type", STR(""), str_from(req->content_type), err))
		return false;
	/* No waiting for 100-continue, and no form type that libcurl would make up. */
	struct curl_slist *grown = curl_slist_append(t->headers, "Expect:");

	if (grown != NULL) {
		t->headers = grown;
		if (req->content_type == NULL)
			grown = curl_slist_append(t->headers, "Content-Type:");
	}
	if (grown == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a request header");
	t->headers = grown;
	return true;
}

/* One part of a URL as owned text of ours, or NULL. */
static char *
url_part(CURLU *u, CURLUPart part, unsigned flags)
{
	char *got = NULL;
	char *copy = NULL;

	if (curl_url_get(u, part, &got, flags) == CURLUE_OK)
		copy = mem_dupz(got);
	curl_free(got);
	return copy;
}

/*
 * tls-server-name: the request names that server (so that its certificate is checked against it)
 * and libcurl is told where to connect instead.
 */
static bool
url_rename(struct transfer *t, CURLU *u, const char *server_name, struct error *err)
{
	struct text to = TEXT_INIT(1024);
	struct text host = TEXT_INIT(1024);
	char *port = url_part(u, CURLUPART_PORT, CURLU_DEFAULT_PORT);
	bool ok = false;

	text_printf(&to, "::%s:%s", t->host, port != NULL ? port : "443");
	text_printf(&host, "%s:%s", t->host, port != NULL ? port : "443");
	if (!text_ok(&to, "address", err) || !text_ok(&host, "address", err))
		goto out;
	t->connect = curl_slist_append(NULL, text_get(&to));
	if (t->connect == NULL || curl_url_set(u, CURLUPART_HOST, server_name, 0) != CURLUE_OK) {
		error_set(err, ERR_INVALID, "tls-server-name '%s' is not a host name", server_name);
		goto out;
	}
	ok = header_add(t, "Host", STR(""), text_str(&host), err);
out:
	mem_free(port);
	text_free(&to);
	text_free(&host);
	return ok;
}

static bool
url_check(struct transfer *t, CURLU *u, const struct http_client_options *opt, struct error *err)
{
	const char *want = opt->unix_socket != NULL ? "http" : "https";
	char *scheme = url_part(u, CURLUPART_SCHEME, 0);
	char *user = url_part(u, CURLUPART_USER, 0);
	bool ok = false;

	t->host = url_part(u, CURLUPART_HOST, 0);
	if (scheme == NULL || t->host == NULL)
		error_set(err, ERR_INVALID, "a URL has no scheme or host");
	else if (strcmp(scheme, want) != 0)
		error_set(err, ERR_REFUSED, "scheme '%s' of host '%s' is refused: only %s is used",
		    scheme, t->host, want);
	else if (user != NULL)
		error_set(err, ERR_REFUSED, "the URL of host '%s' holds a user name: use a token",
		    t->host);
	else
		ok = true;
	if (ok && opt->tls.server_name != NULL && opt->unix_socket == NULL)
		ok = url_rename(t, u, opt->tls.server_name, err);
	mem_free(scheme);
	mem_free(user);
	return ok;
}

static bool
setup_url(struct transfer *t, const char *url, struct error *err)
{
	CURLU *u = curl_url();
	bool ok = false;

	if (u == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a URL");
	if (url == NULL || str_from(url).n > HTTP_MAX_URL || has_line_break(str_from(url)) ||
	    curl_url_set(u, CURLUPART_URL, url, 0) != CURLUE_OK) {
		error_set(err, ERR_INVALID, "a URL is not valid");
		goto out;
	}
	if (!url_check(t, u, &t->client->opt, err))
		goto out;
	t->url = url_part(u, CURLUPART_URL, 0);
	if (t->url == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for a URL");
		goto out;
	}
	ok = true;
out:
	curl_url_cleanup(u);
	return ok;
}

static CURLcode
setup_method(CURL *e, const struct http_request *req)
{
	bool has_body = req->body.n > 0 || req->content_type != NULL ||
			strcmp(req->method, "POST") == 0 || strcmp(req->method, "PUT") == 0 ||
			strcmp(req->method, "PATCH") == 0;
	CURLcode code = curl_easy_setopt(e, CURLOPT_NOBODY, 0L);

	if (code != CURLE_OK)
		return code;
	if (strcmp(req->method, "HEAD") == 0) {
		code = curl_easy_setopt(e, CURLOPT_NOBODY, 1L);
	} else if (has_body) {
		code = curl_easy_setopt(e, CURLOPT_POST, 1L);
		if (code == CURLE_OK)
			code = curl_easy_setopt(
			    e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)req->body.n);
		if (code == CURLE_OK)
			code = curl_easy_setopt(
			    e, CURLOPT_POSTFIELDS, req->body.n > 0 ? req->body.p : "");
	} else {
		code = curl_easy_setopt(e, CURLOPT_HTTPGET, 1L);
	}
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_CUSTOMREQUEST, req->method);
	return code;
}

static CURLcode
setup_times(CURL *e, const struct transfer *t, const struct http_request *req)
{
	int64_t total = req->timeout_ms;
	bool stream = t->on_bytes != NULL;

	if (total <= 0 && !stream)
		total = HTTP_TIMEOUT_MS;
	const struct long_option rows[] = {
		{ CURLOPT_TIMEOUT_MS, (long)total },
		/* A stream may be silent for long; whoever reads it watches the time. */
		{ CURLOPT_LOW_SPEED_LIMIT, stream ? 0 : 1 },
		{ CURLOPT_LOW_SPEED_TIME, stream ? 0 : HTTP_LOW_SPEED_S },
		{ CURLOPT_FRESH_CONNECT, req->own_connection ? 1 : 0 },
		{ CURLOPT_FORBID_REUSE, req->own_connection ? 1 : 0 },
	};
	CURLcode code = curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, stream ? NULL : "gzip");

	for (size_t i = 0; code == CURLE_OK && i < ARRAY_LEN(rows); i++)
		code = curl_easy_setopt(e, rows[i].option, rows[i].value);
	return code;
}

static CURLcode
setup_pointers(CURL *e, struct transfer *t)
{
	CURLcode code = curl_easy_setopt(e, CURLOPT_URL, t->url);

	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_HTTPHEADER, t->headers);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_CONNECT_TO, t->connect);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_WRITEDATA, t);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_HEADERDATA, t);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_DEBUGDATA, t);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_PREREQDATA, t);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_PRIVATE, t);
	if (code == CURLE_OK)
		code = curl_easy_setopt(e, CURLOPT_ERRORBUFFER, t->why);
	return code;
}

bool
setup_transfer(struct transfer *t, const struct http_request *req, struct error *err)
{
	CURL *e = t->client->easy;
	CURLcode code;

	if (!is_token(req->method))
		return error_set(err, ERR_INVALID, "a request has no valid method");
	t->method = req->method;
	t->max_body = req->max_body > 0 ? req->max_body : HTTP_MAX_BODY;
	if (t->on_bytes != NULL)
		t->max_body = HTTP_MAX_ERROR_BODY;
	t->out->body = (struct text)TEXT_INIT(t->max_body);
	t->out->headers = (struct text)TEXT_INIT(HTTP_MAX_HEADER_TEXT);
	t->out->outcome = HTTP_NOT_SENT;
	if (!setup_url(t, req->url, err) || !setup_headers(t, req, err))
		return false;
	code = setup_method(e, req);
	if (code == CURLE_OK)
		code = setup_times(e, t, req);
	if (code == CURLE_OK)
		code = setup_pointers(e, t);
	if (code != CURLE_OK)
		return error_set(err, ERR_INTERNAL, "cannot set up a request to '%s': %s", t->host,
		    curl_easy_strerror(code));
	return true;
}

void
transfer_fini(struct transfer *t)
{
	for (struct curl_slist *h = t->headers; h != NULL; h = h->next)
		OPENSSL_cleanse(h->data, strlen(h->data));
	curl_slist_free_all(t->headers);
	curl_slist_free_all(t->connect);
	mem_free(t->url);
	mem_free(t->host);
	*t = (struct transfer){ 0 };
}
