#include "backend/apiserver/api_int.h"

#include <string.h>

#include <openssl/evp.h>

#include "backend/store/embedded.h"
#include "model/base/mem.h"
#include "model/json.h"

/*
 * What there is: every kind of ours (where this server validates, the owner's), and whatever the
 * store holds or was told of. Both forms of discovery are written from the same list.
 */

enum { MAX_RESOURCES = 256, HASH_TEXT = 2 * 32 };

#define DISCOVERY_TYPE "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

static const char *const verbs[] = { "create", "delete", "deletecollection", "get", "list", "patch",
	"update", "watch" };
static const char *const status_verbs[] = { "get", "patch", "update" };

struct catalog {
	const struct resource *items[MAX_RESOURCES];
	size_t n;
};

static bool
catalog_has(const struct catalog *cat, const struct resource *r)
{
	for (size_t i = 0; i < cat->n; i++) {
		const struct resource *x = cat->items[i];

		if (strcmp(x->group, r->group) == 0 && strcmp(x->version, r->version) == 0 &&
		    strcmp(x->plural, r->plural) == 0)
			return true;
	}
	return false;
}

static void
catalog_add(struct catalog *cat, const struct resource *r)
{
	if (cat->n < MAX_RESOURCES && !catalog_has(cat, r))
		cat->items[cat->n++] = r;
}

static void
catalog_read(const struct call *c, struct catalog *ret)
{
	const struct resource *found[MAX_RESOURCES];
	size_t n = 0;
	const struct kind *const *kinds = kinds_get(&n);

	ret->n = 0;
	for (size_t i = 0; c->api->opt.validate && i < n; i++)
		catalog_add(ret, resource_of(kinds[i]));
	n = embedded_resources(c->api->opt.store, found, MAX_RESOURCES);
	for (size_t i = 0; i < n && i < MAX_RESOURCES; i++)
		catalog_add(ret, found[i]);
}

static struct node *
words(struct arena *a, const char *const *list, size_t n)
{
	struct node *out = node_list(a);

	for (size_t i = 0; i < n && list[i] != NULL; i++)
		node_push(out, node_strz(a, list[i]));
	return out;
}

/* What a row of either table says beside the resource. */
struct facts {
	const char *singular;
	struct node *shorts;
	struct node *categories;
	bool status;
};

static struct facts
facts_of(struct arena *a, const struct resource *r)
{
	const struct builtin *b = builtin_find(r->group, r->plural);
	const struct kind *k = r->known;
	struct facts f = { .singular = "", .shorts = node_list(a), .categories = node_list(a) };

	if (k != NULL) {
		f.singular = k->singular;
		f.shorts = words(a, k->shorts, SIZE_MAX);
		f.categories = words(a, k->categories, SIZE_MAX);
		f.status = (k->flags & KIND_STATUS) != 0;
	} else if (b != NULL) {
		f.singular = b->singular;
		f.shorts = words(a, b->shorts, ARRAY_LEN(b->shorts));
		f.status = (b->flags & BUILTIN_STATUS) != 0;
	} else {
		f.status = true;
	}
	return f;
}

static struct node *
kind_ref(struct arena *a, const struct resource *r)
{
	struct node *n = node_map(a);

	node_set_strz(a, n, "group", r->group);
	node_set_strz(a, n, "version", r->version);
	node_set_strz(a, n, "kind", r->kind);
	return n;
}

static struct node *
aggregated_resource(struct arena *a, const struct resource *r)
{
	struct facts f = facts_of(a, r);
	struct node *n = node_map(a);

	node_set_strz(a, n, "resource", r->plural);
	node_set(a, n, "responseKind", kind_ref(a, r));
	node_set_strz(a, n, "scope", r->namespaced ? "Namespaced" : "Cluster");
	node_set_strz(a, n, "singularResource", f.singular);
	node_set(a, n, "verbs", words(a, verbs, ARRAY_LEN(verbs)));
	if (node_count(f.shorts) > 0)
		node_set(a, n, "shortNames", f.shorts);
	if (node_count(f.categories) > 0)
		node_set(a, n, "categories", f.categories);
	if (f.status) {
		struct node *subs = node_list(a);
		struct node *sub = node_map(a);

		node_set_strz(a, sub, "subresource", "status");
		node_set(a, sub, "responseKind", kind_ref(a, r));
		node_set(a, sub, "verbs", words(a, status_verbs, ARRAY_LEN(status_verbs)));
		node_push(subs, sub);
		node_set(a, n, "subresources", subs);
	}
	return n;
}

/* Finds or makes the element of a list whose `key` has that text (below `where`, or in it). */
static struct node *
group_item(struct arena *a, struct node *groups, const char *group)
{
	for (struct node *x = node_first(groups); x != NULL; x = x->next) {
		if (str_is(node_path_str(x, "metadata.name"), group))
			return x;
	}
	struct node *entry = node_map(a);
	struct node *about = node_map(a);

	if (group[0] != '\0')
		node_set_strz(a, about, "name", group);
	node_set(a, entry, "metadata", about);
	node_set(a, entry, "versions", node_list(a));
	node_push(groups, entry);
	return entry;
}

static struct node *
version_item(struct arena *a, struct node *group, const char *version)
{
	struct node *list = node_find(group, "versions");

	for (struct node *x = node_first(list); x != NULL; x = x->next) {
		if (str_is(node_path_str(x, "version"), version))
			return x;
	}
	struct node *item = node_map(a);

	node_set_strz(a, item, "version", version);
	node_set_strz(a, item, "freshness", "Current");
	node_set(a, item, "resources", node_list(a));
	node_push(list, item);
	return item;
}

static struct node *
aggregated(struct arena *a, const struct catalog *cat, bool core)
{
	struct node *root = node_map(a);
	struct node *items = node_list(a);

	node_set_strz(a, root, "kind", "APIGroupDiscoveryList");
	node_set_strz(a, root, "apiVersion", "apidiscovery.k8s.io/v2");
	node_set(a, root, "metadata", node_map(a));
	node_set(a, root, "items", items);
	for (size_t i = 0; i < cat->n; i++) {
		const struct resource *r = cat->items[i];

		if ((r->group[0] == '\0') != core)
			continue;
		struct node *v = version_item(a, group_item(a, items, r->group), r->version);

		node_push(node_find(v, "resources"), aggregated_resource(a, r));
	}
	return root;
}

static void
etag_write(struct str body, char ret[HASH_TEXT + 1])
{
	unsigned char hash[EVP_MAX_MD_SIZE];
	unsigned n = 0;
	struct text hex = TEXT_INIT(HASH_TEXT);

	if (EVP_Digest(body.p, body.n, hash, &n, EVP_sha256(), NULL) != 1)
		n = 0;
	text_add_hex(&hex, (struct str){ (const char *)hash, n });
	memset(ret, '0', HASH_TEXT);
	ret[HASH_TEXT] = '\0';
	if (hex.n == HASH_TEXT)
		memcpy(ret, hex.p, HASH_TEXT);
	text_free(&hex);
}

static void
reply_aggregated(struct call *c, const struct node *doc)
{
	struct text body = TEXT_INIT(API_MAX_ANSWER);
	const char *have = server_request_header(c->req, "If-None-Match");
	char etag[HASH_TEXT + 1];

	json_write(&body, doc, JSON_COMPACT);
	etag_write(text_str(&body), etag);
	c->res->headers = (struct text)TEXT_INIT(8192);
	text_printf(&c->res->headers, "ETag: \"%s\"\nVary: Accept\n", etag);
	if (have != NULL && str_find(str_from(have), str_from(etag)) >= 0) {
		c->res->status = 304;
		text_free(&body);
		return;
	}
	reply_json(c, 200, &body);
	c->res->content_type = DISCOVERY_TYPE;
}

static void
reply_versions(struct call *c)
{
	struct arena *a = c->arena;
	struct node *root = node_map(a);
	struct node *versions = node_list(a);

	node_push(versions, node_strz(a, "v1"));
	node_set_strz(a, root, "kind", "APIVersions");
	node_set(a, root, "versions", versions);
	node_set(a, root, "serverAddressByClientCIDRs", node_list(a));
	reply_node(c, 200, root);
}

static struct node *
group_version(struct arena *a, const struct resource *r)
{
	struct node *n = node_map(a);

	node_set_strz(a, n, "groupVersion", resource_api_version(a, r));
	node_set_strz(a, n, "version", r->version);
	return n;
}

static void
reply_groups(struct call *c, const struct catalog *cat)
{
	struct arena *a = c->arena;
	struct node *root = node_map(a);
	struct node *groups = node_list(a);

	for (size_t i = 0; i < cat->n; i++) {
		const struct resource *r = cat->items[i];
		bool seen = r->group[0] == '\0';

		for (struct node *x = node_first(groups); x != NULL; x = x->next)
			seen = seen || str_is(node_path_str(x, "name"), r->group);
		if (seen)
			continue;
		struct node *g = node_map(a);
		struct node *versions = node_list(a);

		node_push(versions, group_version(a, r));
		node_set_strz(a, g, "name", r->group);
		node_set(a, g, "versions", versions);
		node_set(a, g, "preferredVersion", group_version(a, r));
		node_push(groups, g);
	}
	node_set_strz(a, root, "kind", "APIGroupList");
	node_set_strz(a, root, "apiVersion", "v1");
	node_set(a, root, "groups", groups);
	reply_node(c, 200, root);
}

static void
legacy_push(struct arena *a, struct node *list, const struct resource *r, bool sub)
{
	struct facts f = facts_of(a, r);
	struct node *n = node_map(a);

	node_set_strz(a, n, "name", sub ? arena_printf(a, "%s/status", r->plural) : r->plural);
	node_set_strz(a, n, "singularName", sub ? "" : f.singular);
	node_set_bool(a, n, "namespaced", r->namespaced);
	node_set_strz(a, n, "kind", r->kind);
	node_set(a, n, "verbs",
	    sub ? words(a, status_verbs, ARRAY_LEN(status_verbs))
		: words(a, verbs, ARRAY_LEN(verbs)));
	if (!sub && node_count(f.shorts) > 0)
		node_set(a, n, "shortNames", f.shorts);
	if (!sub && node_count(f.categories) > 0)
		node_set(a, n, "categories", f.categories);
	node_push(list, n);
	if (!sub && f.status)
		legacy_push(a, list, r, true);
}

static bool
reply_resources(struct call *c, const struct catalog *cat, struct str group_and_version)
{
	struct arena *a = c->arena;
	struct node *root = node_map(a);
	struct node *list = node_list(a);

	for (size_t i = 0; i < cat->n; i++) {
		if (str_is(group_and_version, resource_api_version(a, cat->items[i])))
			legacy_push(a, list, cat->items[i], false);
	}
	if (node_count(list) == 0)
		return false;
	node_set_strz(a, root, "kind", "APIResourceList");
	node_set_strz(a, root, "apiVersion", "v1");
	node_set(a, root, "groupVersion", node_str(a, group_and_version));
	node_set(a, root, "resources", list);
	reply_node(c, 200, root);
	return true;
}

static void
reply_version(struct call *c)
{
	struct arena *a = c->arena;
	struct node *v = node_map(a);
	struct str git = str_from(c->api->version);
	struct str rest = str_starts(git, STR("v")) ? str_sub(git, 1, git.n) : git;
	struct str major = { 0 };
	struct str minor = { 0 };

	if (!str_split(&rest, '.', &major) || !str_split(&rest, '.', &minor))
		minor = STR("0");
	node_set(a, v, "major", node_str(a, major));
	node_set(a, v, "minor", node_str(a, minor));
	node_set(a, v, "gitVersion", node_str(a, git));
	node_set_strz(a, v, "gitCommit", "");
	node_set_strz(a, v, "gitTreeState", "clean");
	node_set_strz(a, v, "buildDate", "1970-01-01T00:00:00Z");
	node_set_strz(a, v, "goVersion", "go1.24");
	node_set_strz(a, v, "compiler", "gc");
	node_set_strz(a, v, "platform", "linux/amd64");
	reply_node(c, 200, v);
}

static bool
is_health(struct str path)
{
	return str_starts(path, STR("/healthz")) || str_starts(path, STR("/livez")) ||
	       str_starts(path, STR("/readyz"));
}

void
handle_discovery(struct call *c)
{
	struct str path = str_from(c->req->path);
	struct catalog *cat = arena_get(c->arena, sizeof(*cat));
	bool core = str_is(path, "/api") || str_is(path, "/api/");
	bool groups = str_is(path, "/apis") || str_is(path, "/apis/");

	if (cat == NULL) {
		reply_status(c, 500, "InternalError", "no memory");
		return;
	}
	catalog_read(c, cat);
	if (str_is(path, "/version"))
		reply_version(c);
	else if (is_health(path))
		reply_plain(c, 200, "ok");
	else if ((core || groups) && c->form == FORM_DISCOVERY)
		reply_aggregated(c, aggregated(c->arena, cat, core));
	else if (core)
		reply_versions(c);
	else if (groups)
		reply_groups(c, cat);
	else if (str_starts(path, STR("/api/")) &&
		 reply_resources(c, cat, str_sub(path, 5, path.n)))
		return;
	else if (!str_starts(path, STR("/apis/")) ||
		 !reply_resources(c, cat, str_sub(path, 6, path.n)))
		reply_plain(c, 404, "404 page not found\n");
}
