#include "backend/kube/session.h"

#include <pthread.h>
#include <string.h>

#include "backend/kube/kubeconfig.h"
#include "backend/kube/provider.h"
#include "backend/store/secrets.h"
#include "model/base/mem.h"
#include "model/kinds/secret.h"
#include "model/names.h"

#define MANAGER "flightdeck"

enum { POOL_MAX = 128 }; /* open connections that rest */

/* ---- clients at rest ---- */

struct rest {
	struct secret *text;
	struct kubeconfig *config;
	struct kube_client *client;
	uint64_t used;
};

struct kube_pool {
	pthread_mutex_t mu; /* guards the rest */
	struct rest items[POOL_MAX];
	uint64_t clock;
};

struct kube_pool *
kube_pool_new(void)
{
	struct kube_pool *pool = mem_new(sizeof(*pool));

	if (pool != NULL)
		(void)pthread_mutex_init(&pool->mu, NULL);
	return pool;
}

static void
rest_free(struct rest *r)
{
	kube_client_free(r->client);
	kubeconfig_free(r->config);
	secret_free(r->text);
}

void
kube_pool_free(struct kube_pool *pool)
{
	if (pool == NULL)
		return;
	for (size_t i = 0; i < POOL_MAX; i++)
		rest_free(&pool->items[i]);
	(void)pthread_mutex_destroy(&pool->mu);
	mem_free(pool);
}

/* A client made of the very same kubeconfig. */
static bool
pool_take(struct kube_session *s)
{
	struct rest found = { .client = NULL };

	if (s->pool == NULL)
		return false;
	(void)pthread_mutex_lock(&s->pool->mu);
	for (size_t i = 0; i < POOL_MAX && found.client == NULL; i++) {
		struct rest *r = &s->pool->items[i];

		if (r->client == NULL || !secret_eq(secret_get(r->text), secret_get(s->text)))
			continue;
		found = *r;
		*r = (struct rest){ .client = NULL };
	}
	(void)pthread_mutex_unlock(&s->pool->mu);
	if (found.client == NULL)
		return false;
	secret_free(found.text);
	s->config = found.config;
	s->client = found.client;
	return true;
}

/* The client goes to rest; the one that has rested longest makes room. */
static void
pool_put(struct kube_session *s)
{
	struct rest old = { .client = NULL }, *at;

	if (s->pool == NULL || s->client == NULL)
		return;
	(void)pthread_mutex_lock(&s->pool->mu);
	at = &s->pool->items[0];
	for (size_t i = 0; i < POOL_MAX; i++)
		if (s->pool->items[i].used < at->used)
			at = &s->pool->items[i];
	old = *at;
	*at = (struct rest){ s->text, s->config, s->client, ++s->pool->clock };
	(void)pthread_mutex_unlock(&s->pool->mu);
	s->text = NULL;
	s->config = NULL;
	s->client = NULL;
	rest_free(&old);
}

/* ---- the kubeconfig ---- */

/* Where the owner keeps its kubeconfig. */
struct place {
	struct str ns, name, key;
};

static bool
place_from_list(const struct node *list, struct place *ret)
{
	for (const struct node *s = node_first(list); s != NULL; s = s->next) {
		struct str ns = node_get_str(node_find(s, "namespace"));

		if (!str_is(node_get_str(node_find(s, "type")), "Kubeconfig"))
			continue;
		ret->name = node_get_str(node_find(s, "name"));
		ret->key = node_get_str(node_find(s, "key"));
		if (ns.n > 0)
			ret->ns = ns;
		return ret->name.n > 0 && ret->key.n > 0;
	}
	return false;
}

static struct place
place_find(struct arena *a, const struct object *owner, const struct node *tree)
{
	struct place place = { .ns = owner->ns };

	if (place_from_list(node_path(tree, "spec.secrets"), &place) ||
	    place_from_list(node_path(tree, "status.secrets"), &place))
		return place;
	place.name = child_name2(a, owner->name, "kubeconfig");
	place.key = STR("kubeconfig");
	return place;
}

static bool
missing(struct error *err, const struct place *place, const char *what)
{
	(void)error_set(err, ERR_NOT_FOUND, "Secret '" STR_FMT "/" STR_FMT "' %s",
	    STR_ARG(place->ns), STR_ARG(place->name), what); /* false is returned below */
	error_name(err, "KubeconfigMissing");
	error_advise(err, "it is written when the cluster is there; for an existing cluster store "
			  "a kubeconfig under that name");
	return false;
}

/* The value of one key of a Secret, decoded. */
static bool
secret_value(const struct object *object, const struct place *place, struct arena *a,
    struct secret **ret_secret, struct error *err)
{
	struct node *tree;
	struct str encoded, bytes;

	if (!object_node(object, a, &tree, err))
		return false;
	encoded = node_get_str(node_find_str(node_find(tree, "data"), place->key));
	if (encoded.n == 0)
		return missing(err, place, "does not hold a kubeconfig under the expected key");
	if (!base64_decode(a, encoded, &bytes) || bytes.n == 0)
		return missing(err, place, "holds something that is not base64");
	*ret_secret = secret_new(bytes);
	secret_wipe_str(bytes);
	if (*ret_secret == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a kubeconfig");
	return true;
}

bool
kube_owner_kubeconfig(
    struct store *st, const struct object *owner, struct secret **ret_secret, struct error *err)
{
	struct arena *a = arena_new(16UL * 1024 * 1024);
	const struct object *object = NULL;
	struct node *tree;
	struct place place;
	struct error failed;
	bool ok = false;

	error_clear(&failed);
	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a kubeconfig");
	if (!object_node(owner, a, &tree, err))
		goto out;
	place = place_find(a, owner, tree);
	if (!store_get(st, resource_of(&secret_kind), place.ns, place.name, &object, &failed)) {
		object = NULL;
		if (failed.code == ERR_NOT_FOUND)
			(void)missing(err, &place, "is not there yet"); /* ok stays false */
		else if (err != NULL)
			*err = failed;
		goto out;
	}
	ok = secret_value(object, &place, a, ret_secret, err);
out:
	object_unref(object);
	arena_free(a);
	return ok;
}

static bool
client_make(struct kube_session *s, struct error *err)
{
	struct kube_options opt = { .allow_loopback = s->allow_loopback, .manager = MANAGER };

	if (!kube_owner_kubeconfig(s->store, s->owner, &s->text, err))
		return false;
	if (pool_take(s))
		return true;
	if (!kubeconfig_parse(secret_get(s->text), STR(""), false, &s->config, err))
		return false;
	opt.config = s->config;
	return kube_client_new(&opt, &s->client, err);
}

struct kube_client *
session_client(struct kube_session *s, struct error *err)
{
	if (s->client == NULL && !s->failed) {
		error_clear(&s->err);
		s->failed = !client_make(s, &s->err);
	}
	if (!s->failed)
		return s->client;
	if (err != NULL)
		*err = s->err;
	return NULL;
}

void
session_fini(struct kube_session *s)
{
	pool_put(s);
	kube_client_free(s->client);
	kubeconfig_free(s->config);
	secret_free(s->text);
	s->client = NULL;
	s->config = NULL;
	s->text = NULL;
}

static bool
list_fetch(struct kube_session *s, const char *kind, const struct list_options *opt,
    const struct node **ret_list, struct error *err)
{
	struct kube_client *client = session_client(s, err);
	struct node *items;

	if (client == NULL ||
	    !kube_list(client, s->arena, kube_resource(kind), opt, &items, NULL, err))
		return false;
	*ret_list = items;
	return true;
}

bool
session_releases(struct kube_session *s, struct error *err)
{
	struct list_options jobs = { .ns = STR(HELM_NAMESPACE), .label_selector = STR(HELM_LABEL) };
	struct list_options secrets = { .label_selector = STR("owner=helm,status!=superseded") };

	if (s->jobs != NULL && s->secrets != NULL)
		return true;
	return list_fetch(s, "Job", &jobs, &s->jobs, err) &&
	       list_fetch(s, "Secret", &secrets, &s->secrets, err);
}

void
session_forget_lists(struct kube_session *s)
{
	s->jobs = NULL;
	s->secrets = NULL;
	s->pods = NULL;
}

/* "gatewayclasses", "policies", "gateways": how Kubernetes' own generators do it. */
static const char *
plural_of(struct arena *a, struct str kind)
{
	char *low = arena_dup(a, kind.p, kind.n);
	size_t n = kind.n;

	if (low == NULL || n == 0)
		return "";
	for (size_t i = 0; i < n; i++)
		if (low[i] >= 'A' && low[i] <= 'Z')
			low[i] = (char)(low[i] - 'A' + 'a');
	if (low[n - 1] == 's' || low[n - 1] == 'x')
		return arena_printf(a, "%ses", low);
	if (low[n - 1] == 'y' && n > 1 && strchr("aeiou", low[n - 2]) == NULL)
		return arena_printf(a, "%.*sies", (int)(n - 1), low);
	return arena_printf(a, "%ss", low);
}

const struct resource *
session_resource(struct arena *a, const struct node *manifest)
{
	struct str api = node_get_str(node_find(manifest, "apiVersion"));
	struct str kind = node_get_str(node_find(manifest, "kind"));
	const char *word = arena_dup(a, kind.p, kind.n);
	ptrdiff_t slash = str_find_char(api, '/');
	struct resource *res;
	const struct resource *known = word != NULL ? kube_resource(word) : NULL;
	struct str group = slash < 0 ? STR("") : str_sub(api, 0, (size_t)slash);

	if (known != NULL && str_is(group, known->group))
		return known;
	res = arena_get(a, sizeof(*res));
	if (res == NULL || word == NULL)
		return NULL;
	res->group = arena_dup(a, group.n > 0 ? group.p : "", group.n);
	res->version = arena_printf(
	    a, STR_FMT, STR_ARG(slash < 0 ? api : str_sub(api, (size_t)slash + 1, api.n)));
	res->kind = word;
	res->plural = plural_of(a, kind);
	res->namespaced = node_path_str(manifest, "metadata.namespace").n > 0;
	return arena_failed(a) ? NULL : res;
}

/* Whether a refusal says that the namespace is what is missing. */
static bool
lacks_namespace(const struct error *err)
{
	return err->code == ERR_NOT_FOUND && strstr(err->message, "namespaces") != NULL;
}

static bool
namespace_make(struct kube_session *s, struct str ns, struct error *err)
{
	struct node *object = node_map(s->arena);

	node_set_strz(s->arena, object, "apiVersion", "v1");
	node_set_strz(s->arena, object, "kind", "Namespace");
	node_set(
	    s->arena, node_make_path(s->arena, object, "metadata"), "name", node_str(s->arena, ns));
	return kube_apply(s->client, s->arena, kube_resource("Namespace"), object, true, NULL, err);
}

bool
session_apply(struct kube_session *s, const struct node *manifest, struct error *err)
{
	struct kube_client *client = session_client(s, err);
	const struct resource *res = session_resource(s->arena, manifest);
	struct str ns = node_path_str(manifest, "metadata.namespace");
	struct error failed;

	error_clear(&failed);
	if (client == NULL)
		return false;
	if (res == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a manifest");
	if (kube_apply(client, s->arena, res, manifest, true, NULL, &failed))
		return true;
	if (ns.n > 0 && lacks_namespace(&failed)) {
		error_clear(&failed);
		if (namespace_make(s, ns, &failed) &&
		    kube_apply(client, s->arena, res, manifest, true, NULL, &failed))
			return true;
	}
	if (err != NULL)
		*err = failed;
	return false;
}

enum outcome
session_outcome(const struct error *err)
{
	if (err->code == ERR_UNKNOWN_OUTCOME || err->code == ERR_TIMEOUT)
		return OUTCOME_UNKNOWN;
	if (err->code == ERR_NETWORK || err->code == ERR_TLS)
		return OUTCOME_NOT_SENT;
	return OUTCOME_REFUSED;
}
