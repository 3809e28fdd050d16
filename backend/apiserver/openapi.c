#include "backend/apiserver/api_int.h"

#include <string.h>

#include <openssl/evp.h>

#include "backend/store/embedded.h"
#include "model/base/mem.h"
#include "model/json.h"

/*
 * As much of OpenAPI v3 as kubectl's create, apply, edit and explain look at: for each kind one
 * PATCH operation with the parameter fieldValidation (so that validation is left to this server),
 * and a schema: our kinds' whole, of others only an open object. /openapi/v2 does not exist.
 */

enum { MAX_FOUND = 256 };

/* The hash names the contents, so clients ask once a build. */
static struct str
document_hash(struct arena *a, const char *group_path, size_t nkinds)
{
	unsigned char hash[EVP_MAX_MD_SIZE];
	unsigned n = 0;
	struct text t = TEXT_INIT(1024);
	struct text hex = TEXT_INIT(256);

	text_printf(&t, "%s %s %zu", FLIGHTDECK_VERSION, group_path, nkinds);
	if (EVP_Digest(text_get(&t), t.n, hash, &n, EVP_sha256(), NULL) == 1)
		text_add_hex(&hex, (struct str){ (const char *)hash, n });
	struct str out = str_copy(a, text_str(&hex));

	text_free(&t);
	text_free(&hex);
	return out;
}

static const char *
group_path(struct arena *a, const struct resource *r)
{
	const char *p = r->group[0] != '\0' ? arena_printf(a, "apis/%s/%s", r->group, r->version)
					    : arena_printf(a, "api/%s", r->version);

	return p != NULL ? p : "";
}

static size_t
resources_read(const struct call *c, const struct resource **ret)
{
	size_t n = 0;
	size_t at = 0;
	const struct kind *const *kinds = kinds_get(&n);

	for (size_t i = 0; c->api->opt.validate && i < n && at < MAX_FOUND; i++)
		ret[at++] = resource_of(kinds[i]);
	if (at < MAX_FOUND)
		at += embedded_resources(c->api->opt.store, ret + at, MAX_FOUND - at);
	return at;
}

static void
reply_index(struct call *c, const struct resource *const *rs, size_t n)
{
	struct arena *a = c->arena;
	struct node *root = node_map(a);
	struct node *paths = node_map(a);

	for (size_t i = 0; i < n; i++) {
		const char *path = group_path(a, rs[i]);
		struct node *one = NULL;
		size_t kinds = 0;

		if (node_find(paths, path) != NULL)
			continue;
		for (size_t k = 0; k < n; k++)
			kinds += strcmp(group_path(a, rs[k]), path) == 0 ? 1 : 0;
		struct str hash = document_hash(a, path, kinds);

		one = node_map(a);
		node_set_strz(a, one, "serverRelativeURL",
		    arena_printf(a, "/openapi/v3/%s?hash=" STR_FMT, path, STR_ARG(hash)));
		node_set(a, paths, path, one);
	}
	node_set(a, root, "paths", paths);
	reply_node(c, 200, root);
}

static struct node *
gvk(struct arena *a, const struct resource *r)
{
	struct node *n = node_map(a);

	node_set_strz(a, n, "group", r->group);
	node_set_strz(a, n, "version", r->version);
	node_set_strz(a, n, "kind", r->kind);
	return n;
}

static struct node *
operation(struct arena *a, const struct resource *r)
{
	struct node *op = node_map(a);
	struct node *params = node_list(a);
	struct node *param = node_map(a);
	struct node *ok = node_map(a);

	node_set_strz(a, param, "name", "fieldValidation");
	node_set_strz(a, param, "in", "query");
	node_set_strz(a, node_make_path(a, param, "schema"), "type", "string");
	node_push(params, param);
	node_set(a, op, "parameters", params);
	node_set_strz(a, ok, "description", "OK");
	node_set(a, node_make_path(a, op, "responses"), "200", ok);
	node_set(a, op, "x-kubernetes-group-version-kind", gvk(a, r));
	return op;
}

static struct node *
open_schema(struct arena *a)
{
	struct node *s = node_map(a);
	struct node *p = node_make_path(a, s, "properties");
	static const char *const objects[] = { "metadata", "spec", "status" };

	node_set_strz(a, s, "type", "object");
	node_set_strz(a, node_make_path(a, p, "apiVersion"), "type", "string");
	node_set_strz(a, node_make_path(a, p, "kind"), "type", "string");
	for (size_t i = 0; i < ARRAY_LEN(objects); i++) {
		struct node *o = node_make_path(a, p, objects[i]);

		node_set_strz(a, o, "type", "object");
		node_set_bool(a, o, "x-kubernetes-preserve-unknown-fields", true);
	}
	return s;
}

static struct node *
schema_of(struct arena *a, const struct resource *r)
{
	struct node *schema = NULL;

	if (r->known != NULL && (r->known->flags & (KIND_CORE | KIND_INTERNAL)) == 0) {
		const struct node *crd = kind_crd(r->known, a);

		schema = node_path(
		    node_at(node_path(crd, "spec.versions"), 0), "schema.openAPIV3Schema");
	}
	if (schema == NULL)
		schema = open_schema(a);
	struct node *list = node_list(a);

	node_push(list, gvk(a, r));
	if (r->known != NULL && node_find(schema, "description") == NULL)
		node_set_strz(a, schema, "description", r->known->doc);
	node_set(a, schema, "x-kubernetes-group-version-kind", list);
	return schema;
}

static bool
reply_document(struct call *c, const struct resource *const *rs, size_t n, struct str want)
{
	struct arena *a = c->arena;
	struct node *root = node_map(a);
	struct node *paths = node_map(a);
	struct node *schemas = node_map(a);

	for (size_t i = 0; i < n; i++) {
		const char *path = group_path(a, rs[i]);
		const char *url = arena_printf(a, "/%s/%s%s/{name}", path,
		    rs[i]->namespaced ? "namespaces/{namespace}/" : "", rs[i]->plural);

		if (!str_is(want, path) || url == NULL || node_find(paths, url) != NULL)
			continue;
		struct node *one = node_map(a);

		node_set(a, one, "patch", operation(a, rs[i]));
		node_set(a, paths, url, one);
		node_set(a, schemas, arena_printf(a, "dev.flightdeck.%s", rs[i]->kind),
		    schema_of(a, rs[i]));
	}
	if (node_count(paths) == 0)
		return false;
	node_set_strz(a, root, "openapi", "3.0.0");
	node_set_strz(a, node_make_path(a, root, "info"), "title", "Flightdeck");
	node_set_strz(a, node_make_path(a, root, "info"), "version", FLIGHTDECK_VERSION);
	node_set(a, root, "paths", paths);
	node_set(a, node_make_path(a, root, "components"), "schemas", schemas);
	reply_node(c, 200, root);
	return true;
}

void
handle_openapi(struct call *c)
{
	const struct resource **rs = arena_array(c->arena, MAX_FOUND, sizeof(struct resource *));
	struct str path = str_from(c->req->path);
	const struct str prefix = STR("/openapi/v3/");

	if (rs == NULL) {
		reply_status(c, 500, "InternalError", "no memory");
		return;
	}
	size_t n = resources_read(c, rs);

	if (str_is(path, "/openapi/v3") || str_is(path, "/openapi/v3/"))
		reply_index(c, rs, n);
	else if (!str_starts(path, prefix) ||
		 !reply_document(c, rs, n, str_sub(path, prefix.n, path.n)))
		reply_plain(c, 404, "404 page not found\n");
}
