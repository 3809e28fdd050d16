/*
 * Secrets that people ask for or bring: the kubeconfig of a cluster, and a cloud's credential.
 */

#include "backend/backend_int.h"

#include <string.h>

#include "backend/controllers/controller.h"
#include "backend/kube/kubeconfig.h"
#include "backend/kube/provider.h"
#include "backend/providers/azure/azure.h"
#include "backend/store/secrets.h"
#include "model/base/mem.h"
#include "model/compose/cluster.h"
#include "model/json.h"
#include "model/kinds/provider_config.h"
#include "model/kinds/secret.h"
#include "model/kinds/serving_stack.h"

enum { CREDENTIAL_ARENA_MAX = 8 * 1024 * 1024 };

#define AZURE_API  "azure.m.upbound.io/v1beta1"
#define SECRET_KEY "credentials.json"

/* The object that knows the kubeconfig: the serving stack, or the provider cluster before it. */
static bool
kubeconfig_owner(struct backend *b, struct arena *a, struct str cluster,
    const struct object **ret_owner, struct error *err)
{
	struct node *tree;
	const char *word;
	const struct kind *kind;
	int source = -1;

	if (!object_tree(
		b, a, (struct object_key){ &inference_cluster_kind, STR(""), cluster }, &tree, err))
		return false;
	if (store_get(b->store, resource_of(&serving_stack_kind), STR(SYSTEM_NAMESPACE),
		cluster_stack_name(a, cluster), ret_owner, NULL))
		return true;
	for (int i = 0; cluster_source_words[i] != NULL; i++)
		if (str_is(node_path_str(tree, "spec.cluster.source"), cluster_source_words[i]))
			source = i;
	word = cluster_provider_kind(source);
	kind = word == NULL
		   ? NULL
		   : kind_find(STR("infrastructure.modelplane.ai/v1alpha1"), str_from(word));
	if (kind != NULL &&
	    store_get(b->store, resource_of(kind), STR(SYSTEM_NAMESPACE), cluster, ret_owner, NULL))
		return true;
	(void)error_set(
	    err, ERR_NOT_FOUND, "cluster '" STR_FMT "' has no kubeconfig yet", STR_ARG(cluster));
	error_advise(err,
	    "it comes with the cluster: 'flightdeck tree ic/" STR_FMT "' shows how far it is",
	    STR_ARG(cluster));
	return false;
}

bool
backend_kubeconfig(struct backend *b, struct str cluster, struct text *out, struct error *err)
{
	struct arena *a = arena_new(CREDENTIAL_ARENA_MAX);
	const struct object *owner = NULL;
	struct secret *secret = NULL;
	struct kubeconfig *config = NULL;
	bool ok = false;

	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a kubeconfig");
	if (!kubeconfig_owner(b, a, cluster, &owner, err) ||
	    !kube_owner_kubeconfig(b->store, owner, &secret, err) ||
	    !kubeconfig_parse(secret_get(secret), STR(""), false, &config, err))
		goto out;
	ok = kubeconfig_format(config, out, err);
out:
	kubeconfig_free(config);
	secret_free(secret);
	object_unref(owner);
	arena_free(a);
	return ok;
}

/* ---- login ---- */

static bool
azure_credential_check(struct arena *a, struct str credential, struct error *err)
{
	static const char *const members[] = { "clientId", "clientSecret", "subscriptionId",
		"tenantId" };
	struct node *tree;

	struct node *secret;

	if (!json_parse(a, credential, &tree, err)) {
		/* The parser's words may quote the input, which is a secret. */
		error_clear(err);
		return error_set(err, ERR_INVALID, "the credential is not a JSON object");
	}
	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		if (node_get_str(node_find(tree, members[i])).n > 0)
			continue;
		(void)error_set(err, ERR_INVALID, "the credential has no member '%s'",
		    members[i]); /* false is returned below */
		error_advise(err, "make one with: az ad sp create-for-rbac --sdk-auth");
		return false;
	}
	secret = node_find(tree, "clientSecret");
	secret_wipe_str(secret->u.string);
	return true;
}

static struct node *
secret_object(struct arena *a, struct str name, struct str credential)
{
	struct node *object = node_map(a);
	struct node *meta = node_make_path(a, object, "metadata");
	struct text base64 = TEXT_INIT(256UL * 1024);

	node_set_strz(a, object, "apiVersion", "v1");
	node_set_strz(a, object, "kind", "Secret");
	node_set(a, meta, "name", node_str(a, name));
	node_set_strz(a, meta, "namespace", SYSTEM_NAMESPACE);
	node_set_strz(a, object, "type", "Opaque");
	text_add_base64(&base64, credential);
	node_set_str(
	    a, node_make_path(a, object, "data"), STR(SECRET_KEY), node_str(a, text_str(&base64)));
	if (base64.p != NULL)
		secret_wipe(base64.p, base64.cap);
	text_free(&base64);
	return object;
}

static struct node *
config_object(struct arena *a, const char *name, struct str secret)
{
	struct node *object = node_map(a);
	struct node *credentials, *ref;

	node_set_strz(a, object, "apiVersion", AZURE_API);
	node_set_strz(a, object, "kind", "ClusterProviderConfig");
	node_set_strz(a, node_make_path(a, object, "metadata"), "name", name);
	credentials = node_make_path(a, object, "spec.credentials");
	node_set_strz(a, credentials, "source", "Secret");
	ref = node_make_path(a, credentials, "secretRef");
	node_set(a, ref, "name", node_str(a, secret));
	node_set_strz(a, ref, "namespace", SYSTEM_NAMESPACE);
	node_set_strz(a, ref, "key", SECRET_KEY);
	return object;
}

static bool
apply_one(struct backend *b, struct arena *a, const struct kind *k, struct node *object,
    struct error *err)
{
	struct actor actor = backend_actor(b);
	struct problems problems;

	problems_init(&problems, a, "");
	if (!schema_check(k, a, object, NULL, &problems))
		return error_set(err, ERR_INVALID, "%s is not valid: " STR_FMT, k->kind,
		    STR_ARG(problems.items[0].message));
	return store_apply(b->store, resource_of(k), object, true, &actor, NULL, err);
}

/* Asks the cloud whether the credential is good, also where no controllers run. */
static bool
azure_try(struct backend *b, const char *config, struct error *err)
{
	const struct profile *p = b->profile;
	struct azure_options opt = { .authority = p->azure_authority,
		.arm = p->azure_arm,
		.ca_file = p->ca_file,
		.allow_loopback = p->practice,
		.clock = b->clock,
		.installation = "login" };
	struct azure_config named = { .kind = STR("ClusterProviderConfig"),
		.name = str_from(config) };
	struct provider provider;
	bool ok;

	if (!azure_provider_new(&opt, &provider, err))
		return false;
	ok = azure_check(provider.state, b->store, &named, err);
	provider.free(provider.state);
	return ok;
}

bool
backend_login(struct backend *b, const char *provider, const char *config_name,
    struct str credential, bool offline, struct error *err)
{
	const struct kind *config_kind = &cluster_provider_config_kinds[PROVIDER_AZURE];
	struct arena *a = arena_new(CREDENTIAL_ARENA_MAX);
	struct node *object = NULL;
	struct str secret, value;
	bool ok = false;

	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a credential");
	if (strcmp(provider, "azure") != 0 && strcmp(provider, "aks") != 0) {
		(void)error_set(err, ERR_USAGE, "no cloud is called '%.40s'", provider);
		error_advise(err, "azure can be logged in to");
		goto out;
	}
	if (!backend_may_write(b, err) || !azure_credential_check(a, credential, err))
		goto out;
	secret = str_from(arena_printf(a, "azure-credentials-%s", config_name));
	object = secret_object(a, secret, credential);
	if (!apply_one(b, a, &secret_kind, object, err) ||
	    !apply_one(b, a, config_kind, config_object(a, config_name, secret), err))
		goto out;
	ok = offline || azure_try(b, config_name, err);
	if (!ok)
		(void)error_wrap(err, "the credential is stored, but the cloud does not take it");
out:
	value = node_get_str(node_find_str(node_find(object, "data"), STR(SECRET_KEY)));
	if (value.n > 0)
		secret_wipe_str(value);
	arena_free(a);
	return ok;
}
