#include "backend/providers/azure/azure_int.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/kinds/provider_config.h"
#include "model/kinds/secret.h"
#include "model/names.h"

/*
 * Where a credential comes from: a ProviderConfig (in the cluster object's namespace) or a
 * ClusterProviderConfig names a Secret, whose key holds JSON (spec/resources.md 18, 19). Ids in the
 * config win over those in the Secret. Copies in trees are wiped as soon as they are taken over.
 */

enum { CREDENTIAL_MAX_BYTES = 256 * 1024 };

/* Facts 1.4. */
static const struct environment {
	const char *word, *authority, *arm, *audience;
} environments[] = {
	{ "public", "https://login.microsoftonline.com", "https://management.azure.com",
	    "https://management.azure.com" },
	{ "usgovernment", "https://login.microsoftonline.us",
	    "https://management.usgovcloudapi.net", "https://management.core.usgovcloudapi.net" },
	{ "china", "https://login.chinacloudapi.cn", "https://management.chinacloudapi.cn",
	    "https://management.chinacloudapi.cn" },
};

static const struct environment *
environment_find(struct str word)
{
	if (word.n == 0)
		return &environments[0];
	for (size_t i = 0; i < ARRAY_LEN(environments); i++) {
		if (str_is(word, environments[i].word))
			return &environments[i];
	}
	return NULL;
}

void
azure_credential_fini(struct azure_credential *c)
{
	mem_free(c->tenant);
	mem_free(c->client);
	mem_free(c->subscription);
	mem_free(c->authority);
	mem_free(c->arm);
	mem_free(c->scope);
	mem_free(c->digest);
	secret_free(c->secret);
	secret_free(c->certificate);
	*c = (struct azure_credential){ 0 };
}

static struct secret *
secret_take(const struct node *n)
{
	struct str s = node_get_str(n);
	struct secret *secret = s.n > 0 ? secret_new(s) : NULL;

	secret_wipe_str(s);
	return secret;
}

static bool
load_config(struct store *st, struct arena *a, const struct azure_config *config,
    struct provider_config *ret, struct error *err)
{
	bool scoped = str_is(config->kind, "ProviderConfig");
	const struct kind *k = scoped ? &provider_config_kinds[PROVIDER_AZURE]
				      : &cluster_provider_config_kinds[PROVIDER_AZURE];
	const struct object *o = NULL;
	bool ok;

	if (!store_get(st, resource_of(k), scoped ? config->ns : (struct str){ 0 }, config->name,
		&o, err)) {
		(void)error_wrap(
		    err, "there is no %s '" STR_FMT "' for Azure", k->kind, STR_ARG(config->name));
		error_name(err, "CredentialsMissing");
		error_advise(err, "store a credential: flightdeck login azure");
		return false;
	}
	ok = object_decode(o, a, ret, err);
	object_unref(o);
	if (ok && !str_is(ret->spec.credentials.source, "Secret")) {
		error_set(err, ERR_INVALID,
		    "%s '" STR_FMT "': spec.credentials.source '" STR_FMT "' is not supported",
		    k->kind, STR_ARG(config->name), STR_ARG(ret->spec.credentials.source));
		error_advise(err, "use source: Secret with a service principal");
		return false;
	}
	return ok;
}

/* The bytes under that key; the coded ones are wiped. */
static bool
secret_bytes(struct arena *a, const struct secret_object *so, struct str key, struct str *ret_bytes)
{
	struct str coded = { 0 };
	bool ok;

	for (size_t i = 0; i < so->data.n; i++) {
		if (str_eq(so->data.items[i].key, key))
			coded = so->data.items[i].value;
	}
	ok = coded.n > 0 && coded.n <= CREDENTIAL_MAX_BYTES && base64_decode(a, coded, ret_bytes);
	secret_wipe_str(coded);
	return ok;
}

/* The JSON under the Secret's key, as a tree whose strings the caller wipes. */
static bool
load_secret(struct store *st, struct arena *a, const struct provider_config *pc,
    struct node **ret_node, struct error *err)
{
	const struct provider_secret_ref *ref = &pc->spec.credentials.secret_ref;
	struct str ns = ref->ns.n > 0 ? ref->ns : pc->meta.ns, bytes = { 0 };
	struct secret_object so = { 0 };
	const struct object *o = NULL;
	bool ok = false;

	if (!store_get(st, resource_of(&secret_kind), ns, ref->name, &o, err)) {
		(void)error_wrap(err,
		    "the credential's Secret '" STR_FMT "/" STR_FMT "' is not there", STR_ARG(ns),
		    STR_ARG(ref->name));
		error_name(err, "CredentialsMissing");
		error_advise(err, "store the credential again: flightdeck login azure");
		goto out;
	}
	if (!object_decode(o, a, &so, err))
		goto out;
	if (!secret_bytes(a, &so, ref->key, &bytes)) {
		(void)error_set(err, ERR_INVALID,
		    "the Secret '" STR_FMT "/" STR_FMT "' has no usable key '" STR_FMT "'",
		    STR_ARG(ns), STR_ARG(ref->name), STR_ARG(ref->key));
		goto out;
	}
	ok = json_parse(a, bytes, ret_node, NULL) && (*ret_node)->type == NODE_MAP;
	if (!ok) { /* the parser's own message could quote a secret */
		(void)error_set(err, ERR_INVALID,
		    "key '" STR_FMT "' of the Secret '" STR_FMT "/" STR_FMT
		    "' is not a JSON object",
		    STR_ARG(ref->key), STR_ARG(ns), STR_ARG(ref->name));
		error_advise(
		    err, "give {\"clientId\", \"clientSecret\", \"subscriptionId\", \"tenantId\"}");
	}
out:
	secret_wipe_str(bytes);
	object_unref(o);
	return ok;
}

static char *
first(struct str a, const struct node *n, const char *key)
{
	return str_dup(a.n > 0 ? a : node_get_str(node_find(n, key)));
}

static bool
digest(struct azure_credential *c, struct arena *a, struct error *err)
{
	const char *parts[] = { c->tenant, c->client, c->subscription, c->authority, c->arm,
		c->secret != NULL ? secret_get(c->secret).p : "",
		c->certificate != NULL ? secret_get(c->certificate).p : "", NULL };

	c->digest = str_dup(uuid_from(a, parts));
	return c->digest != NULL ? true
				 : error_set(err, ERR_NO_MEMORY, "no memory for a credential");
}

/* A parameter for a path or a form: letters, digits, '-', '.' (ids and verified domains). */
static bool
is_plain(const char *s)
{
	size_t n = strlen(s);

	return n > 0 && n <= 128 &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.") == n;
}

static bool
check(const struct azure_credential *c, struct error *err)
{
	const struct {
		const char *name, *value;
	} ids[] = { { "tenantId", c->tenant }, { "clientId", c->client },
		{ "subscriptionId", c->subscription } };

	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		if (ids[i].value == NULL)
			return error_set(err, ERR_NO_MEMORY, "no memory for a credential");
		if (!is_plain(ids[i].value))
			return error_set(err, ERR_INVALID,
			    "the credential's %s is missing or not an id", ids[i].name);
	}
	if (c->secret == NULL && c->certificate == NULL)
		return error_set(err, ERR_INVALID,
		    "the credential has neither clientSecret nor clientCertificate");
	if (c->authority == NULL || c->arm == NULL || c->scope == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a credential");
	return true;
}

static bool
fill(const struct azure_options *opt, struct arena *a, const struct provider_config *pc,
    const struct node *n, struct azure_credential *c, struct error *err)
{
	const struct environment *e = environment_find(pc->spec.environment);
	const struct node *pem = node_find(n, "clientCertificate");

	if (e == NULL)
		return error_set(err, ERR_INVALID, "environment '" STR_FMT "' is not supported",
		    STR_ARG(pc->spec.environment));
	c->tenant = first(pc->spec.tenant_id, n, "tenantId");
	c->client = first(pc->spec.client_id, n, "clientId");
	c->subscription = first(pc->spec.subscription_id, n, "subscriptionId");
	c->secret = secret_take(node_find(n, "clientSecret"));
	c->certificate = secret_take(pem != NULL ? pem : node_find(n, "certificate"));
	c->authority = mem_dupz(opt->authority != NULL ? opt->authority : e->authority);
	c->arm = mem_dupz(opt->arm != NULL ? opt->arm : e->arm);
	c->scope = str_dup(str_from(arena_printf(a, "%s/.default", e->audience)));
	return check(c, err) && digest(c, a, err);
}

bool
azure_credential_load(const struct azure_options *opt, struct store *st, struct arena *a,
    const struct azure_config *config, struct azure_credential *ret, struct error *err)
{
	struct provider_config pc = { 0 };
	struct azure_credential c = { 0 };
	struct node *n = NULL;

	if (!load_config(st, a, config, &pc, err) || !load_secret(st, a, &pc, &n, err))
		return false;
	if (!fill(opt, a, &pc, n, &c, err)) {
		azure_credential_fini(&c);
		return error_wrap(err, "credential config '" STR_FMT "'", STR_ARG(config->name));
	}
	*ret = c;
	return true;
}
