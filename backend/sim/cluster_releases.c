#include "backend/sim/cluster_int.h"
#include "backend/sim/files.h"
#include "backend/sim/gzip.h"
#include "model/json.h"

/*
 * Releases as helm keeps them: a Secret a revision in the release's namespace. What a real helm
 * would read from the Secrets is kept beside the store, in releases.json: one release, its newest
 * revision.
 */

enum { RELEASES_MAX = 1024 * 1024, WORKLOAD_READY_MS = 20000 };

static void
release_fini(struct release *x)
{
	mem_free(x->name);
	mem_free(x->ns);
	mem_free(x->chart);
	mem_free(x->version);
	mem_free(x->status);
	mem_free(x->values);
}

void
releases_free(struct releases *rs)
{
	if (rs == NULL)
		return;
	for (size_t i = 0; i < rs->n; i++)
		release_fini(&rs->items[i]);
	mem_free(rs->items);
	mem_free(rs);
}

struct release *
release_find(struct kube_cluster *k, struct str name, struct str ns)
{
	for (size_t i = 0; i < k->releases->n; i++) {
		struct release *x = &k->releases->items[i];

		if (str_is(name, x->name) && str_is(ns, x->ns))
			return x;
	}
	return NULL;
}

struct release *
release_of_chart(struct kube_cluster *k, const char *chart)
{
	for (size_t i = 0; i < k->releases->n; i++) {
		struct release *x = &k->releases->items[i];

		if (str_is(str_from(x->chart), chart) && str_is(str_from(x->status), "deployed"))
			return x;
	}
	return NULL;
}

const struct node *
release_value(struct round *r, const struct release *rel, const char *path)
{
	struct node *n = NULL;

	if (rel == NULL || !json_parse(r->a, str_from(rel->values), &n, NULL))
		return NULL;
	return node_path(n, path);
}

static struct node *
release_node(struct arena *a, const struct release *x)
{
	struct node *n = node_map(a);

	node_set_strz(a, n, "name", x->name);
	node_set_strz(a, n, "namespace", x->ns);
	node_set_strz(a, n, "chart", x->chart);
	node_set_strz(a, n, "version", x->version);
	node_set_int(a, n, "revision", x->revision);
	node_set_strz(a, n, "status", x->status);
	node_set_strz(a, n, "values", x->values);
	node_set_int(a, n, "atMs", x->at_ms);
	return n;
}

static void
releases_save(struct round *r)
{
	struct text out = TEXT_INIT(RELEASES_MAX);
	struct node *list = node_list(r->a);

	for (size_t i = 0; i < r->k->releases->n; i++)
		node_push(list, release_node(r->a, &r->k->releases->items[i]));
	json_write(&out, list, JSON_COMPACT);
	if (!file_write_in(r->k->dir, "releases.json", text_str(&out), NULL))
		round_at(r, r->now_ms + 1000); /* it is written again with the next change */
	text_free(&out);
}

static bool
release_fill(struct release *x, const struct node *n)
{
	x->name = str_dup(node_path_str(n, "name"));
	x->ns = str_dup(node_path_str(n, "namespace"));
	x->chart = str_dup(node_path_str(n, "chart"));
	x->version = str_dup(node_path_str(n, "version"));
	x->status = str_dup(node_path_str(n, "status"));
	x->values = str_dup(node_path_str(n, "values"));
	x->revision = node_path_int(n, "revision", 1);
	x->at_ms = node_path_int(n, "atMs", 0);
	return x->name != NULL && x->ns != NULL && x->chart != NULL && x->version != NULL &&
	       x->status != NULL && x->values != NULL;
}

static struct release *
release_add(struct kube_cluster *k)
{
	struct releases *rs = k->releases;

	/* The array of structs is grown as bytes. */
	if (!mem_grow((void **)&rs->items, &rs->cap, rs->n + 1, sizeof(*rs->items)))
		return NULL;
	return &rs->items[rs->n];
}

bool
releases_load(struct kube_cluster *k, struct error *err)
{
	struct text in = TEXT_INIT(RELEASES_MAX);
	struct arena *a = arena_new((size_t)16 * RELEASES_MAX);
	struct node *list = NULL;
	bool ok = true;

	k->releases = mem_new(sizeof(*k->releases));
	if (k->releases == NULL || a == NULL) {
		ok = error_set(err, ERR_NO_MEMORY, "releases: out of memory");
	} else if (file_read_in(k->dir, "releases.json", &in, NULL)) {
		ok = json_parse(a, text_str(&in), &list, err);
		for (struct node *n = node_first(list); ok && n != NULL; n = n->next) {
			struct release *x = release_add(k);

			ok = x != NULL && release_fill(x, n);
			if (ok)
				k->releases->n++;
		}
	}
	text_free(&in);
	arena_free(a);
	return ok;
}

static struct str
secret_name(struct round *r, const struct release *x, int64_t revision)
{
	return str_from(
	    arena_printf(r->a, "sh.helm.release.v1.%s.v%lld", x->name, (long long)revision));
}

/* What the data key holds: base64 of gzip of helm's JSON; the API's own base64 comes on top. */
static void
secret_data(struct round *r, const struct release *x, struct node *secret)
{
	struct text json = TEXT_INIT(RELEASES_MAX), zip = TEXT_INIT(RELEASES_MAX);
	struct text inner = TEXT_INIT(RELEASES_MAX), outer = TEXT_INIT((size_t)2 * RELEASES_MAX);
	struct node *n = node_map(r->a), *config = NULL;
	struct node *info = node_make_path(r->a, n, "info");
	struct node *meta = node_make_path(r->a, n, "chart.metadata");

	node_set_strz(r->a, n, "name", x->name);
	node_set(r->a, info, "first_deployed", kube_time(r, x->at_ms));
	node_set(r->a, info, "last_deployed", kube_time(r, x->at_ms));
	node_set_strz(r->a, info, "deleted", "");
	node_set_strz(r->a, info, "description",
	    str_is(str_from(x->status), "deployed") ? "Install complete" : x->status);
	node_set_strz(r->a, info, "status", x->status);
	node_set_strz(r->a, meta, "name", x->chart);
	node_set_strz(r->a, meta, "version", x->version);
	if (!json_parse(r->a, str_from(x->values), &config, NULL))
		config = node_map(r->a);
	node_set(r->a, n, "config", config);
	node_set_strz(r->a, n, "manifest", "");
	node_set_int(r->a, n, "version", x->revision);
	node_set_strz(r->a, n, "namespace", x->ns);
	json_write(&json, n, JSON_COMPACT);
	gzip_store(&zip, text_str(&json));
	text_add_base64(&inner, text_str(&zip));
	text_add_base64(&outer, text_str(&inner));
	node_set(r->a, node_make_path(r->a, secret, "data"), "release",
	    node_str(r->a, text_str(&outer)));
	text_free(&json);
	text_free(&zip);
	text_free(&inner);
	text_free(&outer);
}

static void
secret_put(struct round *r, const struct release *x)
{
	struct str name = secret_name(r, x, x->revision), ns = str_from(x->ns);
	struct node *s = kube_get(r, "Secret", ns, name);
	const char *stamp = arena_printf(r->a, "%lld", (long long)(r->now_ms / 1000));
	bool made = s == NULL;

	if (made)
		s = kube_new(r, "Secret", ns, name);
	node_set_strz(r->a, s, "type", "helm.sh/release.v1");
	kube_label(r, s, "name", str_from(x->name));
	kube_label(r, s, "owner", STR("helm"));
	kube_label(r, s, "status", str_from(x->status));
	kube_label(r, s, "version", str_from(arena_printf(r->a, "%lld", (long long)x->revision)));
	kube_label(r, s, made ? "createdAt" : "modifiedAt", str_from(stamp));
	secret_data(r, x, s);
	(void)kube_put(r, "Secret", s, "Helm"); /* written again with the next change */
}

static void
secret_status(struct round *r, const struct release *x, int64_t revision, const char *status)
{
	struct node *s = kube_get(r, "Secret", str_from(x->ns), secret_name(r, x, revision));

	if (s == NULL)
		return;
	kube_label(r, s, "status", str_from(status));
	(void)kube_put(r, "Secret", s, "Helm");
}

static void
namespace_ensure(struct round *r, struct str ns)
{
	struct node *n;

	if (kube_get(r, "Namespace", (struct str){ 0 }, ns) != NULL)
		return;
	n = kube_new(r, "Namespace", (struct str){ 0 }, ns);
	kube_label(r, n, "kubernetes.io/metadata.name", ns);
	node_set_strz(r->a, node_make_path(r->a, n, "status"), "phase", "Active");
	(void)kube_put(r, "Namespace", n, "helm");
}

bool
release_set(
    struct round *r, struct str name, struct str ns, const char *status, const struct node *facts)
{
	struct release *x = release_find(r->k, name, ns);
	bool pending = str_starts(str_from(status), STR("pending-"));
	struct release fresh = { 0 };
	struct node *n = facts != NULL ? node_dup(r->a, facts)
			 : x != NULL   ? release_node(r->a, x)
				       : node_map(r->a);

	node_set(r->a, n, "name", node_str(r->a, name));
	node_set(r->a, n, "namespace", node_str(r->a, ns));
	node_set_strz(r->a, n, "status", status);
	node_set_int(r->a, n, "atMs", r->now_ms);
	node_set_int(r->a, n, "revision", x == NULL ? 1 : x->revision + (pending ? 1 : 0));
	if (!release_fill(&fresh, n)) {
		release_fini(&fresh);
		return false;
	}
	namespace_ensure(r, ns);
	if (x != NULL) {
		if (str_is(str_from(status), "deployed") && fresh.revision > 1)
			secret_status(r, x, fresh.revision - 1, "superseded");
		release_fini(x);
		*x = fresh;
	} else {
		x = release_add(r->k);
		if (x == NULL) {
			release_fini(&fresh);
			return false;
		}
		*x = fresh;
		r->k->releases->n++;
	}
	secret_put(r, x);
	releases_save(r);
	return true;
}

void
release_drop(struct round *r, struct release *x)
{
	struct releases *rs = r->k->releases;

	for (int64_t v = 1; v <= x->revision; v++)
		(void)kube_remove(r, "Secret", str_from(x->ns), secret_name(r, x, v));
	release_fini(x);
	*x = rs->items[--rs->n];
	rs->items[rs->n] = (struct release){ 0 };
	releases_save(r);
}

/* ---- what charts made: workloads become available some time after they were made ---- */

static int64_t
ready_at(const struct node *n)
{
	return kube_time_ms(node_path(n, "metadata.creationTimestamp")) + WORKLOAD_READY_MS;
}

static void
deployment_status(struct round *r, struct node *n, const char *kind)
{
	int64_t want = node_path_int(n, "spec.replicas", 1),
		have = node_path_int(n, "status.readyReplicas", 0);
	struct node *status;

	if (have == want && node_path_int(n, "status.observedGeneration", 0) ==
				node_path_int(n, "metadata.generation", 0))
		return;
	if (r->now_ms < ready_at(n)) {
		round_at(r, ready_at(n));
		return;
	}
	status = node_make_path(r->a, n, "status");
	node_set_int(
	    r->a, status, "observedGeneration", node_path_int(n, "metadata.generation", 0));
	node_set_int(r->a, status, "replicas", want);
	node_set_int(r->a, status, "readyReplicas", want);
	node_set_int(r->a, status, "availableReplicas", want);
	node_set_int(r->a, status, "updatedReplicas", want);
	if (str_is(str_from(kind), "Deployment")) {
		kube_condition(r, n, "Available", "True", "MinimumReplicasAvailable",
		    "Deployment has minimum availability.");
		kube_condition(r, n, "Progressing", "True", "NewReplicaSetAvailable", NULL);
	}
	(void)kube_put(r, kind, n, "kube-controller-manager");
}

static void
daemonset_status(struct round *r, struct node *n)
{
	struct node *nodes = kube_list(r, "Node"), *status;
	const struct node *tolerations = node_path(n, "spec.template.spec.tolerations");
	int64_t want = 0;

	for (const struct node *x = node_first(nodes); x != NULL; x = x->next)
		want += node_tolerates(tolerations, node_path(x, "spec.taints")) ? 1 : 0;
	if (r->now_ms < ready_at(n)) {
		round_at(r, ready_at(n));
		return;
	}
	if (node_path_int(n, "status.numberReady", -1) == want)
		return;
	status = node_make_path(r->a, n, "status");
	node_set_int(
	    r->a, status, "observedGeneration", node_path_int(n, "metadata.generation", 0));
	node_set_int(r->a, status, "desiredNumberScheduled", want);
	node_set_int(r->a, status, "currentNumberScheduled", want);
	node_set_int(r->a, status, "numberReady", want);
	node_set_int(r->a, status, "numberAvailable", want);
	node_set_int(r->a, status, "updatedNumberScheduled", want);
	node_set_int(r->a, status, "numberMisscheduled", 0);
	(void)kube_put(r, "DaemonSet", n, "kube-controller-manager");
}

void
releases_reconcile(struct round *r)
{
	static const char *const kinds[] = { "Deployment", "StatefulSet" };
	struct node *list;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		list = kube_list(r, kinds[i]);
		for (struct node *n = node_first(list); n != NULL; n = n->next)
			deployment_status(r, n, kinds[i]);
	}
	list = kube_list(r, "DaemonSet");
	for (struct node *n = node_first(list); n != NULL; n = n->next)
		daemonset_status(r, n);
}
