#include "backend/kube/kubeconfig.h"

#include <string.h>

#include "backend/kube/pem.h"
#include "model/base/mem.h"
#include "model/yaml.h"

/*
 * One context is looked up and read; what is wrong with the others does not matter. Every message
 * names the entry and the field, and none quotes a value that may be secret.
 */

enum {
	ARENA_LIMIT = 64 * 1024 * 1024,
	NAME_MAX_BYTES = 512,
	URL_MAX_BYTES = 4096,
	TOKEN_MAX_BYTES = 64 * 1024,
	BASE64_MAX_BYTES = 2 * KUBECONFIG_MAX_BYTES,
	DECODE_ROUNDS = 2, /* base64 of base64 is met in the wild */
};

struct reader {
	struct arena *arena;
	struct kubeconfig *out;
	bool trusted;
	struct error *err;
};

/* A scalar's text, also of a number or a word that YAML reads as something else. */
static struct str
scalar(const struct node *n)
{
	if (n == NULL)
		return (struct str){ 0 };
	if (n->type == NODE_STRING)
		return n->u.string;
	return n->plain && n->type != NODE_NULL ? n->text : (struct str){ 0 };
}

static struct str
member(const struct node *map, const char *key)
{
	return scalar(node_find(map, key));
}

static bool
is_clean(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < 0x20 || c == 0x7f)
			return false;
	}
	return utf8_valid(s);
}

static bool
keep(struct reader *r, char **to, struct str value)
{
	if (value.n == 0)
		return true;
	*to = str_dup(value);
	return *to != NULL || error_set(r->err, ERR_NO_MEMORY, "no memory for a kubeconfig");
}

/* The one entry of that name in a list of {name, <what>: {...}}. */
static bool
entry_find(struct reader *r, const struct node *root, const char *list, const char *what,
    struct str name, const struct node **ret_entry)
{
	const struct node *found = NULL;
	bool seen = false;

	for (const struct node *e = node_first(node_find(root, list)); e != NULL; e = e->next) {
		if (!str_eq(member(e, "name"), name))
			continue;
		if (seen)
			return error_set(r->err, ERR_INVALID,
			    "kubeconfig has two entries named '" STR_FMT "' in %s", STR_ARG(name),
			    list);
		seen = true;
		found = node_find(e, what);
	}
	if (!seen)
		return error_set(r->err, ERR_INVALID,
		    "kubeconfig has no entry named '" STR_FMT "' in %s", STR_ARG(name), list);
	*ret_entry = found;
	return true;
}

/* Which context: the wanted one, else the current one, else the only one. */
static bool
context_choose(struct reader *r, const struct node *root, struct str want, struct str *ret_name)
{
	const struct node *contexts = node_find(root, "contexts");

	if (want.n == 0)
		want = member(root, "current-context");
	if (want.n == 0 && node_count(contexts) == 1)
		want = member(node_first(contexts), "name");
	else if (want.n == 0)
		return error_set(r->err, ERR_INVALID,
		    "kubeconfig has %zu contexts and no current-context: name one",
		    node_count(contexts));
	if (want.n > NAME_MAX_BYTES || !is_clean(want))
		return error_set(
		    r->err, ERR_INVALID, "kubeconfig names a context with strange bytes");
	*ret_name = want;
	return true;
}

static bool
refuse_file(struct reader *r, const char *list, const char *owner, const char *field)
{
	error_set(r->err, ERR_REFUSED, "kubeconfig %s '%s': %s names a file", list, owner, field);
	error_advise(r->err, "inline it: 'kubectl config view --flatten --minify --raw'");
	return false;
}

/* PEM out of a -data field or, for a trusted source, the file that its sister names. */
struct pem_field {
	const char *list;
	const char *owner; /* name of the entry */
	const char *data;
	const char *file;
	enum pem_kind kind;
};

static bool
pem_decode(struct reader *r, const struct pem_field *f, struct str value, struct str *ret_pem)
{
	for (int round = 0; !pem_is(value); round++) {
		struct text packed = TEXT_INIT(KUBECONFIG_MAX_BYTES);
		struct str next = { 0 };

		for (size_t i = 0; i < value.n; i++) {
			if (strchr(" \t\r\n", value.p[i]) == NULL || value.p[i] == '\0')
				text_add_char(&packed, value.p[i]);
		}
		bool ok = round < DECODE_ROUNDS && packed.n > 0 &&
			  base64_decode(r->arena, text_str(&packed), &next);

		bool memory = !packed.no_memory && !arena_failed(r->arena);

		if (packed.p != NULL)
			secret_wipe(packed.p, packed.cap);
		text_free(&packed);
		if (round > 0)
			str_wipe(value);
		if (!memory)
			return error_set(r->err, ERR_NO_MEMORY, "no memory for a kubeconfig");
		if (!ok)
			return error_set(r->err, ERR_INVALID,
			    "kubeconfig %s '%s': %s is not base64 of PEM", f->list, f->owner,
			    f->data);
		value = next;
	}
	*ret_pem = value;
	return true;
}

static bool
pem_read(struct reader *r, const struct node *entry, const struct pem_field *f, struct text *out)
{
	struct str data = member(entry, f->data);
	struct str file = member(entry, f->file);
	struct str pem = { 0 };

	if (data.n == 0 && file.n == 0)
		return true;
	if (data.n == 0) {
		if (!r->trusted)
			return refuse_file(r, f->list, f->owner, f->file);
		return pem_load(file, f->file, out, r->err) &&
		       pem_check(text_str(out), f->kind, f->file, r->err);
	}
	if (!pem_decode(r, f, data, &pem))
		return false;
	bool ok = pem_check(pem, f->kind, f->data, r->err);

	text_add_str(out, pem);
	str_wipe(pem);
	return ok && text_ok(out, f->data, r->err);
}

static bool
proxy_read(struct reader *r, struct str proxy)
{
	static const char *const schemes[] = { "http://", "https://", "socks5://", "socks5h://" };
	ptrdiff_t colon = str_find_char(proxy, ':');

	if (proxy.n == 0)
		return true;
	if (proxy.n > URL_MAX_BYTES || !is_clean(proxy))
		return error_set(r->err, ERR_INVALID,
		    "kubeconfig cluster '%s': proxy-url is not a URL", r->out->cluster);
	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		if (str_starts(proxy, str_from(schemes[i])))
			return keep(r, &r->out->proxy, proxy);
	}
	/* Only the scheme is shown: the rest may hold a password. */
	struct str scheme = str_sub(proxy, 0, colon > 0 ? (size_t)colon : 0);

	return error_set(r->err, ERR_INVALID,
	    "kubeconfig cluster '%s': proxy-url has the scheme '%.*s': use http, https or socks5",
	    r->out->cluster, (int)(scheme.n > 20 ? 20 : scheme.n), scheme.n > 0 ? scheme.p : "");
}

static bool
server_read(struct reader *r, struct str server)
{
	const char *name = r->out->cluster;

	if (server.n == 0)
		return error_set(
		    r->err, ERR_INVALID, "kubeconfig cluster '%s': server is missing", name);
	if (server.n > URL_MAX_BYTES || !is_clean(server) || str_find_char(server, ' ') >= 0)
		return error_set(
		    r->err, ERR_INVALID, "kubeconfig cluster '%s': server is not a URL", name);
	if (!str_starts(server, STR("https://")) || server.n == STR("https://").n)
		return error_set(r->err, ERR_REFUSED,
		    "kubeconfig cluster '%s': server is not an https URL", name);
	if (str_find_char(server, '@') >= 0 || str_find_char(server, '?') >= 0 ||
	    str_find_char(server, '#') >= 0)
		return error_set(r->err, ERR_REFUSED,
		    "kubeconfig cluster '%s': server holds more than host, port and path", name);
	while (server.n > 0 && server.p[server.n - 1] == '/')
		server.n--;
	return keep(r, &r->out->server, server);
}

static bool
cluster_read(struct reader *r, const struct node *c)
{
	struct kubeconfig *k = r->out;
	struct pem_field ca = { "cluster", k->cluster, "certificate-authority-data",
		"certificate-authority", PEM_CERTIFICATES };
	struct text pem = TEXT_INIT(KUBECONFIG_MAX_BYTES);
	bool ok = false;

	k->insecure = node_path_bool(c, "insecure-skip-tls-verify", false);
	if (k->insecure && !r->trusted) {
		error_set(r->err, ERR_REFUSED,
		    "kubeconfig cluster '%s': insecure-skip-tls-verify "
		    "would accept any server",
		    k->cluster);
		error_advise(r->err, "give its certificate-authority-data instead");
		return false;
	}
	if (!server_read(r, member(c, "server")) || !proxy_read(r, member(c, "proxy-url")) ||
	    !pem_read(r, c, &ca, &pem))
		goto out;
	if (pem.n > 0)
		k->ca_pem = text_take(&pem);
	if (!is_clean(member(c, "tls-server-name"))) {
		error_set(r->err, ERR_INVALID,
		    "kubeconfig cluster '%s': tls-server-name is not a name", k->cluster);
		goto out;
	}
	ok = keep(r, &k->server_name, member(c, "tls-server-name"));
out:
	text_free(&pem);
	return ok;
}

/* Commands are never run. What would be wrong with one anyway is said first. */
static bool
exec_refuse(struct reader *r, const struct node *exec)
{
	struct str version = member(exec, "apiVersion");
	const char *user = r->out->user;

	if (r->trusted && !str_is(version, "client.authentication.k8s.io/v1") &&
	    !str_is(version, "client.authentication.k8s.io/v1beta1"))
		return error_set(r->err, ERR_INVALID,
		    "kubeconfig context '%s', user '%s': exec has apiVersion '%.*s', known are "
		    "client.authentication.k8s.io/v1 and v1beta1",
		    r->out->context, user, (int)(version.n > 80 ? 80 : version.n),
		    version.n > 0 && is_clean(version) ? version.p : "");
	if (r->trusted && str_is(version, "client.authentication.k8s.io/v1") &&
	    member(exec, "interactiveMode").n == 0)
		return error_set(r->err, ERR_INVALID,
		    "kubeconfig user '%s': exec.interactiveMode is missing, which v1 needs", user);
	error_set(r->err, ERR_REFUSED, "kubeconfig user '%s': exec would run a command", user);
	error_advise(r->err, "use a token or a client certificate");
	return false;
}

struct forbidden {
	const char *field;
	const char *why;
	const char *advice;
};

/* clang-format off */
static const struct forbidden forbidden[] = {
	{ "auth-provider", "would run a plugin", "use a token or a client certificate" },
	{ "username",      "is basic authentication, which no API server takes",
	                   "use a token or a client certificate" },
	{ "password",      "is basic authentication, which no API server takes",
	                   "use a token or a client certificate" },
	{ "as",            "asks to act as somebody else", "use that user's own credential" },
	{ "as-uid",        "asks to act as somebody else", "use that user's own credential" },
	{ "as-groups",     "asks to act as somebody else", "use that user's own credential" },
};
/* clang-format on */

static bool
user_allowed(struct reader *r, const struct node *u)
{
	const struct node *exec = node_find(u, "exec");

	if (exec != NULL && exec->type != NODE_NULL)
		return exec_refuse(r, exec);
	for (size_t i = 0; i < ARRAY_LEN(forbidden); i++) {
		const struct node *n = node_find(u, forbidden[i].field);

		if (n == NULL || n->type == NODE_NULL)
			continue;
		error_set(r->err, ERR_REFUSED, "kubeconfig user '%s': %s %s", r->out->user,
		    forbidden[i].field, forbidden[i].why);
		error_advise(r->err, "%s", forbidden[i].advice);
		return false;
	}
	return true;
}

static bool
token_read(struct reader *r, const struct node *u)
{
	struct str token = str_trim(member(u, "token"));
	struct str file = member(u, "tokenFile");
	struct text loaded = TEXT_INIT(TOKEN_MAX_BYTES);
	bool ok = false;

	if (token.n == 0 && file.n > 0) {
		if (!r->trusted)
			return refuse_file(r, "user", r->out->user, "tokenFile");
		if (!pem_load(file, "tokenFile", &loaded, r->err))
			goto out;
		token = str_trim(text_str(&loaded));
	}
	if (token.n > TOKEN_MAX_BYTES || !is_clean(token)) {
		error_set(r->err, ERR_INVALID, "kubeconfig user '%s': token holds strange bytes",
		    r->out->user);
		goto out;
	}
	if (token.n > 0) {
		r->out->token = secret_new(token);
		if (r->out->token == NULL) {
			error_set(r->err, ERR_NO_MEMORY, "no memory for a kubeconfig");
			goto out;
		}
	}
	ok = true;
out:
	if (loaded.p != NULL)
		secret_wipe(loaded.p, loaded.cap);
	text_free(&loaded);
	return ok;
}

static bool
certificate_read(struct reader *r, const struct node *u)
{
	struct kubeconfig *k = r->out;
	struct pem_field cert = { "user", k->user, "client-certificate-data", "client-certificate",
		PEM_CERTIFICATES };
	struct pem_field key = { "user", k->user, "client-key-data", "client-key", PEM_KEY };
	struct text cert_pem = TEXT_INIT(KUBECONFIG_MAX_BYTES);
	struct text key_pem = TEXT_INIT(KUBECONFIG_MAX_BYTES);
	bool ok = false;

	if (!pem_read(r, u, &cert, &cert_pem) || !pem_read(r, u, &key, &key_pem))
		goto out;
	if ((cert_pem.n > 0) != (key_pem.n > 0)) {
		error_set(r->err, ERR_INVALID,
		    "kubeconfig user '%s': client certificate and key only "
		    "work together",
		    k->user);
		goto out;
	}
	if (cert_pem.n == 0) {
		ok = true;
		goto out;
	}
	if (!pem_pair(text_str(&cert_pem), text_str(&key_pem), &k->cert_expires_ms, r->err)) {
		error_wrap(r->err, "kubeconfig user '%s'", k->user);
		goto out;
	}
	k->client_key_pem = secret_new(text_str(&key_pem));
	k->client_cert_pem = text_take(&cert_pem);
	if (k->client_key_pem == NULL || k->client_cert_pem == NULL) {
		error_set(r->err, ERR_NO_MEMORY, "no memory for a kubeconfig");
		goto out;
	}
	ok = true;
out:
	if (key_pem.p != NULL)
		secret_wipe(key_pem.p, key_pem.cap);
	text_free(&key_pem);
	text_free(&cert_pem);
	return ok;
}

static bool
root_read(struct reader *r, const struct node *root, struct str want)
{
	const struct node *context = NULL;
	const struct node *cluster = NULL;
	const struct node *user = NULL;
	struct str name = { 0 };
	struct kubeconfig *k = r->out;

	if (root == NULL || root->type != NODE_MAP || !str_is(member(root, "kind"), "Config"))
		return error_set(
		    r->err, ERR_INVALID, "this is not a kubeconfig: kind is not Config");
	if (!context_choose(r, root, want, &name) ||
	    !entry_find(r, root, "contexts", "context", name, &context) ||
	    !entry_find(r, root, "clusters", "cluster", member(context, "cluster"), &cluster))
		return false;
	if (member(context, "user").n > 0 &&
	    !entry_find(r, root, "users", "user", member(context, "user"), &user))
		return false;
	if (!is_clean(member(context, "cluster")) || !is_clean(member(context, "user")))
		return error_set(r->err, ERR_INVALID, "kubeconfig has names with strange bytes");
	/* Names are needed by every message below, so that they are never NULL. */
	k->context = str_dup(name);
	k->cluster = str_dup(member(context, "cluster"));
	k->user = str_dup(member(context, "user"));
	if (k->context == NULL || k->cluster == NULL || k->user == NULL)
		return error_set(r->err, ERR_NO_MEMORY, "no memory for a kubeconfig");
	return cluster_read(r, cluster) && user_allowed(r, user) && token_read(r, user) &&
	       certificate_read(r, user);
}

/* The tree held tokens and keys. */
static void
tree_wipe(const struct node *n)
{
	if (n == NULL)
		return;
	str_wipe(n->text);
	if (n->type == NODE_STRING)
		str_wipe(n->u.string);
	for (const struct node *x = node_first(n); x != NULL; x = x->next)
		tree_wipe(x);
}

bool
kubeconfig_parse(struct str bytes, struct str context, bool trusted_source,
    struct kubeconfig **ret_config, struct error *err)
{
	struct reader r = { .trusted = trusted_source, .err = err };
	struct node *docs = NULL;
	bool ok = false;

	if (bytes.n > KUBECONFIG_MAX_BYTES)
		return error_set(
		    err, ERR_TOO_LARGE, "kubeconfig is larger than %d bytes", KUBECONFIG_MAX_BYTES);
	r.arena = arena_new(ARENA_LIMIT);
	r.out = mem_new(sizeof(*r.out));
	if (r.arena == NULL || r.out == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for a kubeconfig");
		goto out;
	}
	if (!yaml_parse(r.arena, bytes, "kubeconfig", &docs, err))
		goto out;
	if (node_count(docs) != 1) {
		error_set(err, ERR_INVALID, "kubeconfig holds %zu documents instead of one",
		    node_count(docs));
		goto out;
	}
	if (!root_read(&r, node_first(docs), context))
		goto out;
	*ret_config = r.out;
	r.out = NULL;
	ok = true;
out:
	tree_wipe(docs);
	kubeconfig_free(r.out);
	arena_free(r.arena);
	return ok;
}

void
kubeconfig_free(struct kubeconfig *k)
{
	if (k == NULL)
		return;
	if (k->proxy != NULL)
		secret_wipe(k->proxy, strlen(k->proxy));
	mem_free(k->context);
	mem_free(k->cluster);
	mem_free(k->user);
	mem_free(k->server);
	mem_free(k->server_name);
	mem_free(k->proxy);
	mem_free(k->ca_pem);
	mem_free(k->client_cert_pem);
	secret_free(k->client_key_pem);
	secret_free(k->token);
	mem_free(k);
}

static void
set_base64(struct arena *a, struct node *map, const char *key, struct str bytes)
{
	struct text t = TEXT_INIT(BASE64_MAX_BYTES);

	if (bytes.n == 0)
		return;
	text_add_base64(&t, bytes);
	node_set(a, map, key, node_str(a, text_str(&t)));
	if (t.p != NULL)
		secret_wipe(t.p, t.cap);
	text_free(&t);
}

static struct node *
named_entry(
    struct arena *a, struct node *root, const char *list, const char *what, const char *name)
{
	struct node *entries = node_list(a);
	struct node *one = node_map(a);
	struct node *inner = node_map(a);

	node_set_strz(a, one, "name", name);
	node_set(a, one, what, inner);
	node_push(entries, one);
	node_set(a, root, list, entries);
	return inner;
}

static void
set_optional(struct arena *a, struct node *map, const char *key, const char *value)
{
	if (value != NULL)
		node_set_strz(a, map, key, value);
}

bool
kubeconfig_format(const struct kubeconfig *k, struct text *out, struct error *err)
{
	struct arena *a = arena_new(ARENA_LIMIT);
	struct node *root = NULL;

	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a kubeconfig");
	root = node_map(a);
	node_set_strz(a, root, "apiVersion", "v1");
	node_set_strz(a, root, "kind", "Config");
	node_set_strz(a, root, "current-context", k->context);

	struct node *cluster = named_entry(a, root, "clusters", "cluster", k->cluster);

	node_set_strz(a, cluster, "server", k->server);
	set_base64(a, cluster, "certificate-authority-data", str_from(k->ca_pem));
	set_optional(a, cluster, "tls-server-name", k->server_name);
	set_optional(a, cluster, "proxy-url", k->proxy);
	if (k->insecure)
		node_set_bool(a, cluster, "insecure-skip-tls-verify", true);

	struct node *context = named_entry(a, root, "contexts", "context", k->context);

	node_set_strz(a, context, "cluster", k->cluster);
	node_set_strz(a, context, "user", k->user);

	struct node *user = named_entry(a, root, "users", "user", k->user);

	set_base64(a, user, "client-certificate-data", str_from(k->client_cert_pem));
	if (k->client_key_pem != NULL)
		set_base64(a, user, "client-key-data", secret_get(k->client_key_pem));
	if (k->token != NULL)
		node_set(a, user, "token", node_str(a, secret_get(k->token)));
	bool ok = !arena_failed(a) || error_set(err, ERR_NO_MEMORY, "no memory for a kubeconfig");

	if (ok) {
		yaml_write(out, root);
		ok = text_ok(out, "kubeconfig", err);
	}
	tree_wipe(root);
	arena_free(a);
	return ok;
}
