#include "backend/sim/cluster_int.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "backend/apiserver/builtin.h"
#include "backend/sim/files.h"
#include "model/json.h"

/*
 * Starting, serving and ending the clusters' APIs. Files that change the state "touch" a cluster
 * (arm_docs.c); the director reads what is touched and brings the APIs in line.
 */

enum {
	NAME_MAX_TEXT = 256,
	TOUCHED_MAX = 4096,
	YEARS_2_MS_DAYS = 730,
	CREDENTIALS_MAX = 64 * 1024
};

struct clusters {
	struct sim *s;
	pthread_mutex_t lock; /* guards `first` and the starting of one */
	struct kube_cluster *first;
	pthread_mutex_t touch_lock; /* guards the two below */
	char *touched[TOUCHED_MAX];
	size_t ntouched;
	bool all_touched;
};

/* ---- serving ---- */

static enum role
kube_auth(void *context, const struct server_request *req, char *user, size_t size)
{
	const struct kube_cluster *k = context;
	struct str bearer = str_from(server_request_header(req, "Authorization"));
	bool cert = str_find(req->client, STR("O=system:masters")) >= 0;
	bool token = str_starts(bearer, STR("Bearer ")) && bearer.n - 7 == str_from(k->token).n &&
		     CRYPTO_memcmp(bearer.p + 7, k->token, bearer.n - 7) == 0;

	if (!cert && !token)
		return ROLE_NONE;
	(void)snprintf(user, size, "%s", cert ? "masterclient" : "clusterAdmin");
	return ROLE_ADMIN;
}

/* A definition takes its objects along. */
static void
definition_leaves(struct kube_cluster *k, const struct node *crd)
{
	struct round r = { .k = k, .now_ms = sim_now(k->s), .next_ms = INT64_MAX };

	r.a = arena_new(KUBE_ARENA);
	if (r.a != NULL)
		(void)definition_drain(&r, crd); /* the director goes on with what is left */
	arena_free(r.a);
}

static bool
kube_admit(void *context, const struct resource *res, struct arena *a, const struct node *old,
    struct node *value, struct error *err)
{
	struct kube_cluster *k = context;
	struct str ns = node_path_str(value, "metadata.namespace");
	const struct resource *namespaces = kube_kind(k, "Namespace");
	const struct object *o = NULL;
	bool leaving;

	(void)a;
	if (value == NULL && str_is(str_from(res->kind), "CustomResourceDefinition"))
		definition_leaves(k, old);
	if (!res->namespaced || old != NULL || value == NULL || ns.n == 0)
		return true;
	if (!store_get(k->store, namespaces, (struct str){ 0 }, ns, &o, NULL))
		return error_set(
		    err, ERR_NOT_FOUND, "namespaces \"" STR_FMT "\" not found", STR_ARG(ns));
	leaving = o->deleted_ms != 0;
	object_unref(o);
	if (leaving)
		return error_set(err, ERR_FORBIDDEN,
		    "%s is forbidden: unable to create new content in namespace " STR_FMT
		    " because it is being terminated",
		    res->plural, STR_ARG(ns));
	return true;
}

static bool
is_read(const char *method)
{
	return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
}

static void
kube_fault(struct server_response *ret, int status, const char *reason, const char *message)
{
	ret->status = status;
	ret->content_type = "application/json";
	text_printf(&ret->body,
	    "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
	    "\"message\":\"%s\",\"reason\":\"%s\",\"code\":%d}\n",
	    message, reason, status);
}

/* Faults before the work; true when one has answered. */
static bool
kube_spoilt(struct kube_cluster *k, const struct server_request *req, struct server_response *ret,
    const char **ret_fault)
{
	struct faults *f = k->s->faults;
	struct str method = str_from(req->method), path = str_from(req->path);
	const char *watch = server_request_query(req, "watch");

	if (atomic_load(&k->stopped) ||
	    fault_in_span(f, FAULT_KUBE_DOWN, sim_now(k->s) - k->s->started_ms)) {
		ret->drop = true;
		*ret_fault = "kube.down";
	} else if (fault_hits(f, FAULT_KUBE_500, method, path)) {
		kube_fault(
		    ret, 500, "InternalError", "an error on the server has prevented the request");
		*ret_fault = "kube.500";
	} else if (fault_hits(f, FAULT_KUBE_429, method, path)) {
		kube_fault(
		    ret, 429, "TooManyRequests", "Too many requests, please try again later.");
		text_add(&ret->headers, "Retry-After: 1\n");
		*ret_fault = "kube.429";
	} else if (watch != NULL && fault_hits(f, FAULT_KUBE_410, method, path)) {
		kube_fault(ret, 410, "Expired", "too old resource version: 1 (2)");
		*ret_fault = "kube.410";
	} else {
		return false;
	}
	return true;
}

/* Whether the path names a custom resource whose definition is not there (any more). */
static bool
is_undefined(struct kube_cluster *k, struct str path)
{
	struct str part[8] = { { 0 } }, rest = str_sub(path, 1, path.n), plural;
	const struct object *o = NULL;
	const struct builtin *b;
	struct text group = TEXT_INIT(256), plain = TEXT_INIT(256), name = TEXT_INIT(512);
	size_t n = 0;
	bool gone = false;

	while (n < ARRAY_LEN(part) && str_split(&rest, '/', &part[n]))
		n++;
	if (n < 4 || !str_is(part[0], "apis"))
		return false;
	plural = str_is(part[3], "namespaces") && n > 5 ? part[5] : part[3];
	text_add_str(&group, part[1]);
	text_add_str(&plain, plural);
	b = builtin_find(text_get(&group), text_get(&plain));
	if (embedded_resource(k->store, part[1], part[2], plural) != NULL &&
	    (b == NULL || (b->flags & BUILTIN_CRD) != 0)) {
		text_printf(&name, "%s.%s", text_get(&plain), text_get(&group));
		gone = !store_get(k->store, kube_kind(k, "CustomResourceDefinition"),
		    (struct str){ 0 }, text_str(&name), &o, NULL);
		object_unref(o);
	}
	text_free(&group);
	text_free(&plain);
	text_free(&name);
	return gone;
}

static void
kube_serve(void *context, const struct server_request *req, struct server_response *ret)
{
	struct kube_cluster *k = context;
	bool read = is_read(req->method);
	double slow = fault_number(k->s->faults, FAULT_KUBE_SLOW, 0);
	struct timespec pause = { (time_t)(slow / 1000), (long)((int64_t)slow % 1000) * 1000000 };
	struct ledger_row row = { .at_ms = sim_now(k->s),
		.service = k->name,
		.method = str_from(req->method),
		.path = str_from(req->path),
		.query = str_from(server_request_raw_query(req)),
		.acting = !read,
		.who = req->client,
		.connection = req->connection_number,
		.body = req->body };

	if (slow >= 1)
		(void)nanosleep(&pause, NULL); /* a signal may shorten it */
	ret->body = (struct text)TEXT_INIT((size_t)512 * 1024 * 1024);
	ret->headers = (struct text)TEXT_INIT((size_t)64 * 1024);
	if (!kube_spoilt(k, req, ret, &row.fault) && is_undefined(k, row.path)) {
		ret->status = 404;
		ret->content_type = "text/plain; charset=utf-8";
		text_add(&ret->body, "404 page not found\n");
	} else if (row.fault == NULL) {
		apiserver_handle(k->api, req, ret);
		row.applied = !read && ret->status < 300;
		if (fault_hits(k->s->faults, FAULT_KUBE_LOST, row.method, row.path)) {
			ret->drop = true;
			row.fault = "kube.lost";
		}
	}
	row.status = ret->drop ? 0 : ret->status;
	ledger_add(k->s->ledger, &row);
	if (row.applied) {
		atomic_store(&k->dirty, true);
		sim_wake(k->s);
	}
}

/* ---- credentials of a cluster, in its directory ---- */

static const struct {
	const char *cert, *key;
	size_t off;
} pairs[] = {
	{ "caCert", "caKey", offsetof(struct kube_cluster, ca) },
	{ "tlsCert", "tlsKey", offsetof(struct kube_cluster, tls) },
	{ "adminCert", "adminKey", offsetof(struct kube_cluster, admin) },
};

static bool
credentials_make(struct kube_cluster *k, struct error *err)
{
	const struct cert_spec ca = { .use = CERT_AUTHORITY, .name = "ca" };
	const struct cert_spec tls = { .use = CERT_SERVER, .name = "apiserver" };
	const struct cert_spec admin = { .use = CERT_CLIENT,
		.organisation = "system:masters",
		.name = "masterclient",
		.until_ms = sim_now(k->s) + (int64_t)YEARS_2_MS_DAYS * 86400000 };
	struct text token = TEXT_INIT(KUBE_TOKEN);
	bool ok;

	ok = keypair_make(&ca, NULL, &k->ca, err) && keypair_make(&tls, &k->ca, &k->tls, err) &&
	     keypair_make(&admin, &k->ca, &k->admin, err);
	if (ok && !secret_random(&token, KUBE_TOKEN - 8))
		ok = error_set(err, ERR_INTERNAL, "the machine gives no random bytes");
	(void)snprintf(k->token, sizeof(k->token), "%s", text_get(&token));
	text_free(&token);
	return ok;
}

static bool
credentials_save(struct kube_cluster *k, struct error *err)
{
	struct arena *a = arena_new((size_t)4 * CREDENTIALS_MAX);
	struct text out = TEXT_INIT(CREDENTIALS_MAX);
	bool ok = false;

	if (a != NULL) {
		struct node *n = node_map(a);

		for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
			const struct keypair *p = (const void *)((const char *)k + pairs[i].off);

			node_set_strz(a, n, pairs[i].cert, text_get(&p->cert));
			node_set_strz(a, n, pairs[i].key, text_get(&p->key));
		}
		node_set_strz(a, n, "token", k->token);
		node_set_int(a, n, "port", k->port);
		json_write(&out, n, JSON_COMPACT);
		ok = text_ok(&out, "credentials", err) &&
		     file_write_in(k->dir, "credentials.json", text_str(&out), err);
	}
	if (out.p != NULL)
		OPENSSL_cleanse(out.p, out.n);
	text_free(&out);
	arena_free(a);
	return ok;
}

static bool
credentials_load(struct kube_cluster *k, struct error *err)
{
	struct text in = TEXT_INIT(CREDENTIALS_MAX);
	struct arena *a = arena_new((size_t)8 * CREDENTIALS_MAX);
	struct node *n = NULL;
	bool ok = false;

	if (a == NULL || !file_read_in(k->dir, "credentials.json", &in, NULL)) {
		ok = credentials_make(k, err);
	} else if (json_parse(a, text_str(&in), &n, err)) {
		for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
			struct keypair *p = (void *)((char *)k + pairs[i].off);

			p->cert = (struct text)TEXT_INIT(CREDENTIALS_MAX);
			p->key = (struct text)TEXT_INIT(CREDENTIALS_MAX);
			text_add_str(&p->cert, node_get_str(node_find(n, pairs[i].cert)));
			text_add_str(&p->key, node_get_str(node_find(n, pairs[i].key)));
		}
		(void)snprintf(
		    k->token, sizeof(k->token), STR_FMT, STR_ARG(node_path_str(n, "token")));
		k->port = (unsigned short)node_path_int(n, "port", 0);
		ok = true;
	}
	text_free(&in);
	arena_free(a);
	return ok;
}

/* ---- one cluster ---- */

static void
cluster_end(struct kube_cluster *k)
{
	if (k == NULL)
		return;
	server_stop(k->server);
	apiserver_free(k->api);
	store_close(k->store);
	releases_free(k->releases);
	keypair_fini(&k->ca);
	keypair_fini(&k->tls);
	keypair_fini(&k->admin);
	OPENSSL_cleanse(k->token, sizeof(k->token));
	arena_free(k->view_arena);
	mem_free(k->key);
	mem_free(k->name);
	mem_free(k->group);
	mem_free(k->uid);
	mem_free(k->dir);
	mem_free(k);
}

static void
builtins_intern(struct kube_cluster *k)
{
	size_t n = 0;
	const struct builtin *b = builtins_get(&n);

	for (size_t i = 0; i < n; i++) {
		const struct resource *r = &b[i].res;

		if (!(b[i].flags & BUILTIN_CRD))
			(void)embedded_intern(
			    k->store, r->group, r->version, r->kind, r->plural, r->namespaced);
	}
}

static bool
store_start(struct kube_cluster *k, struct error *err)
{
	const struct embedded_options opt = { .dir = k->dir,
		.fast = true,
		.accept_any_kind = true,
		.speed = k->s->time.speed,
		.epoch_ms = k->s->time.epoch_ms };

	if (!embedded_open(&opt, &k->store, err))
		return false;
	builtins_intern(k);
	return releases_load(k, err);
}

static bool
api_start(struct kube_cluster *k, struct str version, struct error *err)
{
	struct text git = TEXT_INIT(64);
	struct apiserver_options api = { .store = k->store,
		.clock = embedded_clock(k->store),
		.auth = kube_auth,
		.admit = kube_admit,
		.context = k,
		.secrets_readable = true };
	struct server_options opt = { .bind = "127.0.0.1",
		.port = k->port,
		.tls_cert = text_str(&k->tls.cert),
		.tls_key = text_str(&k->tls.key),
		.client_ca = text_str(&k->ca.cert),
		.handle = kube_serve,
		.context = k };
	bool ok;

	text_printf(&git, "v" STR_FMT, STR_ARG(version));
	api.version = text_get(&git);
	ok = apiserver_new(&api, &k->api, err);
	text_free(&git);
	if (!ok)
		return false;
	if (k->s->no_network)
		return true;
	if (!server_start(&opt, &k->server, err))
		return false;
	k->port = server_port(k->server);
	return true;
}

static struct kube_cluster *
cluster_start(struct sim *s, const struct node *doc, struct error *err)
{
	struct kube_cluster *k = mem_new(sizeof(*k));
	struct text dir = TEXT_INIT(4096);
	struct round r = { .k = k, .now_ms = sim_now(s), .next_ms = INT64_MAX };
	bool ok = false;

	if (k == NULL)
		return NULL;
	k->s = s;
	k->key = str_dup(node_path_str(doc, "_sim.key"));
	k->name = str_dup(node_path_str(doc, "name"));
	k->uid = str_dup(node_path_str(doc, "_sim.resourceUID"));
	k->group = str_dup(str_sub(node_path_str(doc, "_sim.key"), 0,
	    (size_t)str_find_char(node_path_str(doc, "_sim.key"), '/')));
	text_printf(&dir, "%s/kube-" STR_FMT "-" STR_FMT, s->dir,
	    STR_ARG(node_path_str(doc, "name")), STR_ARG(node_path_str(doc, "_sim.resourceUID")));
	k->dir = text_take(&dir);
	if (k->key == NULL || k->name == NULL || k->uid == NULL || k->group == NULL ||
	    k->dir == NULL) {
		error_set(err, ERR_NO_MEMORY, "cluster: out of memory");
		goto out;
	}
	if (!dir_make(k->dir, err) || !credentials_load(k, err) || !store_start(k, err) ||
	    !api_start(k, node_path_str(doc, "properties.currentKubernetesVersion"), err) ||
	    !credentials_save(k, err))
		goto out;
	r.a = arena_new(KUBE_ARENA);
	if (r.a != NULL)
		cluster_furnish(&r);
	arena_free(r.a);
	atomic_store(&k->dirty, true);
	ok = true;
out:
	text_free(&dir);
	if (!ok) {
		cluster_end(k);
		k = NULL;
	}
	return k;
}

/* ---- all clusters ---- */

bool
clusters_new(struct sim *s, struct clusters **ret_clusters, struct error *err)
{
	struct clusters *cs = mem_new(sizeof(*cs));

	if (cs == NULL)
		return error_set(err, ERR_NO_MEMORY, "clusters: out of memory");
	cs->s = s;
	cs->all_touched = true;
	(void)pthread_mutex_init(&cs->lock, NULL);	 /* cannot fail with default attributes */
	(void)pthread_mutex_init(&cs->touch_lock, NULL); /* the same */
	*ret_clusters = cs;
	return true;
}

void
clusters_free(struct clusters *cs)
{
	if (cs == NULL)
		return;
	while (cs->first != NULL) {
		struct kube_cluster *k = cs->first;

		cs->first = k->next;
		cluster_end(k);
	}
	for (size_t i = 0; i < cs->ntouched; i++)
		mem_free(cs->touched[i]);
	(void)pthread_mutex_destroy(&cs->lock);
	(void)pthread_mutex_destroy(&cs->touch_lock);
	mem_free(cs);
}

void
clusters_touch(struct clusters *cs, struct str key)
{
	bool there = false;

	if (cs == NULL)
		return;
	(void)pthread_mutex_lock(&cs->touch_lock);
	for (size_t i = 0; i < cs->ntouched && !there; i++)
		there = str_is(key, cs->touched[i]);
	if (!there && cs->ntouched < TOUCHED_MAX) {
		cs->touched[cs->ntouched] = str_dup(key);
		if (cs->touched[cs->ntouched] != NULL)
			cs->ntouched++;
	} else if (!there) {
		cs->all_touched = true;
	}
	(void)pthread_mutex_unlock(&cs->touch_lock);
}

/* The lock is held. */
static struct kube_cluster *
cluster_find(struct clusters *cs, struct str key)
{
	for (struct kube_cluster *k = cs->first; k != NULL; k = k->next) {
		if (str_is(key, k->key))
			return k;
	}
	return NULL;
}

struct kube_cluster *
clusters_find(struct clusters *cs, struct str key)
{
	struct kube_cluster *k;

	(void)pthread_mutex_lock(&cs->lock);
	k = cluster_find(cs, key);
	(void)pthread_mutex_unlock(&cs->lock);
	return k;
}

/* The lock is held. Needs nothing of the state, so that its lock and this one never cross. */
static struct kube_cluster *
cluster_ensure(struct clusters *cs, const struct node *doc, struct error *err)
{
	struct kube_cluster *k = cluster_find(cs, node_path_str(doc, "_sim.key"));

	if (k != NULL)
		return k;
	k = cluster_start(cs->s, doc, err);
	if (k != NULL) {
		k->next = cs->first;
		cs->first = k;
	}
	return k;
}

static void
add_base64_line(struct text *out, const char *name, const struct text *pem)
{
	text_printf(out, "    %s: ", name);
	text_add_base64(out, text_str(pem));
	text_add_char(out, '\n');
}

static void
kubeconfig_write(const struct kube_cluster *k, const char *who, struct text *out)
{
	const char *context = str_is(str_from(who), "clusterAdmin") ? "-admin" : "";

	text_printf(out, "apiVersion: v1\nkind: Config\npreferences: {}\ncurrent-context: %s%s\n",
	    k->name, context);
	text_printf(out, "clusters:\n- name: %s\n  cluster:\n    server: https://127.0.0.1:%u\n",
	    k->name, k->port);
	add_base64_line(out, "certificate-authority-data", &k->ca.cert);
	text_printf(out,
	    "contexts:\n- name: %s%s\n  context:\n    cluster: %s\n    user: %s_%s_%s\n", k->name,
	    context, k->name, who, k->group, k->name);
	text_printf(out, "users:\n- name: %s_%s_%s\n  user:\n", who, k->group, k->name);
	add_base64_line(out, "client-certificate-data", &k->admin.cert);
	add_base64_line(out, "client-key-data", &k->admin.key);
	text_printf(out, "    token: %s\n", k->token);
}

bool
clusters_kubeconfig(struct clusters *cs, const struct node *doc, const char *who, struct text *out,
    struct error *err)
{
	struct kube_cluster *k;

	(void)pthread_mutex_lock(&cs->lock);
	k = cluster_ensure(cs, doc, err);
	if (k != NULL)
		kubeconfig_write(k, who, out);
	(void)pthread_mutex_unlock(&cs->lock);
	return k != NULL && text_ok(out, "kubeconfig", err);
}

/* ---- the director's part ---- */

static struct node *
read_doc(struct sim *s, enum doc_kind kind, struct str key, struct arena *a)
{
	struct str doc = { 0 };
	struct node *n = NULL;

	if (!state_get(s->state, kind, key, a, &doc, NULL) || doc.n == 0 ||
	    !json_parse(a, doc, &n, NULL))
		return NULL;
	return n;
}

/* A pool that is being made or scaled: since when, until when (nodes_reconcile). */
static void
read_arrival(struct sim *s, struct node *pool, struct arena *a)
{
	struct str id = node_path_str(pool, "_sim.op"), verb;
	const struct node *op;

	if (id.n == 0)
		return;
	op = read_doc(s, DOC_OPERATION, str_from(arena_printf(a, "r/" STR_FMT, STR_ARG(id))), a);
	verb = node_path_str(op, "verb");
	if ((!str_is(verb, "pool.create") && !str_is(verb, "pool.scale")) ||
	    node_find(op, "outcome") != NULL)
		return; /* ended, or it will come to nothing */
	node_set_int(a, node_find(pool, "_sim"), "arriveFromMs", node_path_int(op, "startMs", 0));
	node_set_int(a, node_find(pool, "_sim"), "arriveUntilMs", node_path_int(op, "dueMs", 0));
}

static struct node *
read_pools(struct sim *s, struct str key, struct arena *a)
{
	struct state_rows rows = { 0 };
	struct node *list = node_list(a);

	if (!state_list(s->state, DOC_POOL, str_from(arena_printf(a, STR_FMT "/", STR_ARG(key))), a,
		&rows, NULL))
		return list;
	for (size_t i = 0; i < rows.n; i++) {
		struct node *pool = NULL;

		if (!json_parse(a, rows.items[i].doc, &pool, NULL))
			continue;
		read_arrival(s, pool, a);
		node_push(list, pool);
	}
	return list;
}

static void
cluster_retire(struct clusters *cs, struct str key)
{
	struct kube_cluster **at;
	struct kube_cluster *k = NULL;

	(void)pthread_mutex_lock(&cs->lock);
	for (at = &cs->first; *at != NULL; at = &(*at)->next) {
		if (str_is(key, (*at)->key)) {
			k = *at;
			*at = k->next;
			break;
		}
	}
	(void)pthread_mutex_unlock(&cs->lock);
	if (k != NULL) {
		struct text dir = TEXT_INIT(4096);

		text_add(&dir, k->dir);
		cluster_end(k);
		dir_remove(text_get(&dir));
		text_free(&dir);
	}
}

static void
cluster_sync(struct clusters *cs, struct str key)
{
	struct arena *a = arena_new(KUBE_ARENA);
	struct node *doc = a != NULL ? read_doc(cs->s, DOC_CLUSTER, key, a) : NULL;
	struct node *pools = a != NULL ? read_pools(cs->s, key, a) : NULL;
	struct kube_cluster *k;

	(void)pthread_mutex_lock(&cs->lock);
	k = cluster_find(cs, key);
	(void)pthread_mutex_unlock(&cs->lock);
	if (doc == NULL || (k != NULL && !str_is(node_path_str(doc, "_sim.resourceUID"), k->uid))) {
		cluster_retire(cs, key);
		k = NULL;
	}
	if (doc == NULL || !node_path_bool(doc, "_sim.serves", false)) {
		arena_free(a);
		return;
	}
	(void)pthread_mutex_lock(&cs->lock);
	k = cluster_ensure(cs, doc, NULL);
	(void)pthread_mutex_unlock(&cs->lock);
	if (k == NULL) {
		arena_free(a);
		return;
	}
	arena_free(k->view_arena);
	k->view_arena = a;
	k->cluster = doc;
	k->pools = pools;
	atomic_store(
	    &k->stopped, str_is(node_path_str(doc, "properties.powerState.code"), "Stopped"));
	atomic_store(&k->dirty, true);
}

static void
touch_all(struct clusters *cs)
{
	struct arena *a = arena_new((size_t)512 * 1024 * 1024);
	struct state_rows rows = { 0 };

	if (a != NULL && state_list(cs->s->state, DOC_CLUSTER, STR(""), a, &rows, NULL)) {
		for (size_t i = 0; i < rows.n; i++)
			cluster_sync(cs, rows.items[i].key);
	}
	arena_free(a);
}

void
clusters_sync(struct clusters *cs)
{
	char *keys[64];
	size_t n;
	bool all;

	do {
		(void)pthread_mutex_lock(&cs->touch_lock);
		all = cs->all_touched;
		cs->all_touched = false;
		for (n = 0; n < ARRAY_LEN(keys) && cs->ntouched > 0; n++)
			keys[n] = cs->touched[--cs->ntouched];
		(void)pthread_mutex_unlock(&cs->touch_lock);
		if (all)
			touch_all(cs);
		for (size_t i = 0; i < n; i++) {
			cluster_sync(cs, str_from(keys[i]));
			mem_free(keys[i]);
		}
	} while (n > 0);
}

static void (*const controllers[])(struct round *) = { nodes_reconcile, jobs_reconcile,
	releases_reconcile, devices_reconcile, workload_reconcile, claims_reconcile,
	gateways_reconcile, volumes_reconcile, definitions_reconcile };

static void
cluster_step(struct kube_cluster *k, int64_t now_ms)
{
	struct round r = { .k = k, .now_ms = now_ms, .next_ms = INT64_MAX };

	atomic_store(&k->dirty, false);
	r.a = arena_new(KUBE_ARENA);
	if (r.a == NULL || k->cluster == NULL) {
		arena_free(r.a);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(controllers); i++)
		controllers[i](&r);
	k->due_ms = r.next_ms;
	arena_free(r.a);
}

int64_t
clusters_step(struct clusters *cs)
{
	int64_t now_ms = sim_now(cs->s), next_ms = INT64_MAX;
	struct kube_cluster *k;

	/* Only this thread removes clusters; others put new ones in front. */
	(void)pthread_mutex_lock(&cs->lock);
	k = cs->first;
	(void)pthread_mutex_unlock(&cs->lock);
	for (; k != NULL; k = k->next) {
		if (atomic_load(&k->dirty) || k->due_ms <= now_ms)
			cluster_step(k, now_ms);
		if (k->due_ms < next_ms)
			next_ms = k->due_ms;
	}
	return next_ms;
}
