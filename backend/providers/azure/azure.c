#include "backend/providers/azure/azure_int.h"

#include "backend/runtime/clock.h"
#include "model/base/mem.h"

/* State, accounts, sessions, and the table of rows. */

#define S      INT64_C(1000)
#define MINUTE (60 * S)

enum { CHECK_MAX_MEMORY = 8 * 1024 * 1024, TOKEN_MAX_BYTES = 64 * 1024 };

/* clang-format off */
const struct resource_type azure_types[] = {
	{ .name = "resource-group", .what = "resource group",
	  .flags = RES_UNIQUE_NAME | RES_UPSERT | RES_COUNTED,
	  .poll_ms = 5 * S, .deadline_ms = 30 * MINUTE,
	  .observe = group_observe, .create = group_create, .update = group_update,
	  .remove = group_remove },
	{ .name = "virtual-network", .what = "virtual network",
	  .flags = RES_UNIQUE_NAME | RES_UPSERT | RES_CONTAINED | RES_COUNTED,
	  .container = "resource-group", .poll_ms = 3 * S, .deadline_ms = 15 * MINUTE,
	  .observe = network_observe, .create = network_create, .update = network_update,
	  .remove = network_remove },
	{ .name = "managed-cluster", .what = "AKS cluster",
	  .flags = RES_UNIQUE_NAME | RES_UPSERT | RES_CONTAINED | RES_COUNTED | RES_CLUSTER_LEVEL,
	  .lane = "cluster", .container = "resource-group",
	  .poll_ms = 20 * S, .deadline_ms = 45 * MINUTE,
	  .observe = cluster_observe, .create = cluster_create, .update = cluster_update,
	  .remove = cluster_remove },
	{ .name = "role-assignment", .what = "role assignment",
	  .flags = RES_TOKEN | RES_UNIQUE_NAME | RES_UPSERT | RES_CONTAINED,
	  .container = "virtual-network", .poll_ms = 5 * S, .deadline_ms = 5 * MINUTE,
	  .observe = role_observe, .create = role_create, .update = role_update,
	  .remove = role_remove },
	{ .name = "agent-pool", .what = "AKS agent pool",
	  .flags = RES_UNIQUE_NAME | RES_UPSERT | RES_CONTAINED | RES_COUNTED | RES_LANE_SHARED,
	  .lane = "cluster", .container = "managed-cluster",
	  .poll_ms = 20 * S, .deadline_ms = 45 * MINUTE,
	  .observe = pool_observe, .create = pool_create, .update = pool_update,
	  .remove = pool_remove },
	{ .name = "admin-kubeconfig", .what = "kubeconfig",
	  .flags = RES_UNIQUE_NAME, .poll_ms = 5 * S, .deadline_ms = 5 * MINUTE,
	  .observe = kubeconfig_observe, .create = kubeconfig_create, .update = kubeconfig_create,
	  .remove = kubeconfig_remove },
};
/* clang-format on */
const size_t azure_ntypes = ARRAY_LEN(azure_types);

/* ---- helpers of the rows ---- */

struct azure_session *
session_of(const struct step *s)
{
	return s->session;
}

struct str
want_str(const struct step *s, const char *key)
{
	return s->want == NULL ? str_from(NULL) : node_get_str(node_find(s->want->want, key));
}

struct str
group_of(const struct step *s)
{
	struct str group = want_str(s, "group");

	if (group.n == 0)
		return s->ext->spec.scope;
	s->ext->spec.scope = group;
	return group;
}

struct str
id_or(const struct step *s, struct str wanted)
{
	return s->ext->spec.external_id.n > 0 ? s->ext->spec.external_id : wanted;
}

void
set_id(struct step *s, struct str id)
{
	if (!str_eq(s->ext->spec.external_id, id))
		s->ext->spec.external_id = str_copy(s->arena, id);
}

struct str
properties_state(const struct node *live)
{
	return node_path_str(live, "properties.provisioningState");
}

/* ---- accounts ---- */

static void
account_free(struct azure_account *acc)
{
	if (acc == NULL)
		return;
	azure_credential_fini(&acc->cred);
	secret_free(acc->token);
	azure_lists_fini(acc);
	mem_free(acc->identity);
	mem_free(acc);
}

static struct azure_account *
account_new(struct azure_credential *take)
{
	struct azure_account *acc = mem_new(sizeof(*acc));
	struct text t = TEXT_INIT(512);

	if (acc == NULL)
		return NULL;
	text_printf(&t, "azure:%s/%s", take->tenant, take->subscription);
	acc->identity = text_take(&t);
	if (acc->identity == NULL) {
		mem_free(acc);
		return NULL;
	}
	for (int i = 0; i < THROTTLE__MAX; i++)
		acc->throttle.remaining[i] = -1;
	acc->cred = *take;
	*take = (struct azure_credential){ 0 };
	return acc;
}

/*
 * Under the lock: a place for one more account. A secret that was replaced leaves its account
 * behind, so the one that has been idle longest makes room; it is given back in *ret_old.
 */
static struct azure_account **
account_place(struct azure *az, struct azure_account **ret_old)
{
	struct azure_account **oldest = NULL;

	if (az->naccounts < AZURE_MAX_ACCOUNTS)
		return &az->accounts[az->naccounts];
	for (size_t i = 0; i < az->naccounts; i++) {
		struct azure_account **at = &az->accounts[i];

		if ((*at)->sessions == 0 && (oldest == NULL || (*at)->used < (*oldest)->used))
			oldest = at;
	}
	if (oldest != NULL)
		*ret_old = *oldest;
	return oldest;
}

static void
account_leave(struct azure *az, struct azure_account *acc)
{
	pthread_mutex_lock(&az->mu);
	acc->sessions--;
	pthread_mutex_unlock(&az->mu);
}

/*
 * Finds or makes the account of a credential, in use until account_leave; takes the credential when
 * it makes one.
 */
static struct azure_account *
account_of(struct azure *az, struct azure_credential *cred, struct error *err)
{
	struct azure_account *acc = NULL, *old = NULL, **place;

	pthread_mutex_lock(&az->mu);
	for (size_t i = 0; i < az->naccounts && acc == NULL; i++) {
		if (str_eq(str_from(az->accounts[i]->cred.digest), str_from(cred->digest)))
			acc = az->accounts[i];
	}
	place = acc == NULL ? account_place(az, &old) : NULL;
	if (place != NULL)
		acc = account_new(cred);
	if (place != NULL && acc != NULL) {
		*place = acc;
		az->naccounts += old == NULL ? 1U : 0U;
	} else {
		old = NULL; /* it stays */
	}
	if (acc != NULL) {
		acc->sessions++;
		acc->used = ++az->uses;
	}
	pthread_mutex_unlock(&az->mu);
	account_free(old);
	if (acc == NULL)
		(void)error_set(err, ERR_TOO_LARGE, "more than %d Azure credentials, or no memory",
		    AZURE_MAX_ACCOUNTS);
	return acc;
}

/* ---- sessions ---- */

static struct http_client *
client_take(struct azure *az, struct error *err)
{
	struct http_client_options opt = { .tls.ca_file = az->ca_file,
		.allow_loopback = az->opt.allow_loopback };
	struct http_client *c = NULL;

	pthread_mutex_lock(&az->mu);
	if (az->nidle > 0)
		c = az->idle[--az->nidle];
	pthread_mutex_unlock(&az->mu);
	if (c == NULL && !http_client_new(&opt, &c, err))
		return NULL;
	return c;
}

static void
client_give(struct azure *az, struct http_client *c)
{
	pthread_mutex_lock(&az->mu);
	if (az->nidle < AZURE_MAX_IDLE) {
		az->idle[az->nidle++] = c;
		c = NULL;
	}
	pthread_mutex_unlock(&az->mu);
	http_client_free(c);
}

bool
azure_session_open(struct azure *az, struct store *st, const struct azure_config *config,
    struct arena *a, struct azure_session **ret_session, struct error *err)
{
	struct azure_session *s = arena_get(a, sizeof(*s));
	struct azure_credential cred = { 0 };
	bool ok = false;

	if (s == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a session");
	if (!azure_credential_load(&az->opt, st, a, config, &cred, err))
		return false;
	*s = (struct azure_session){
		.azure = az, .store = st, .arena = a, .token = TEXT_INIT(TOKEN_MAX_BYTES)
	};
	s->scoped = str_is(config->kind, "ProviderConfig");
	s->config_ns = s->scoped ? config->ns : (struct str){ 0 };
	s->config_name = config->name;
	s->account = account_of(az, &cred, err);
	if (s->account == NULL)
		goto out;
	s->http = client_take(az, err);
	if (s->http == NULL) {
		account_leave(az, s->account);
		goto out;
	}
	*ret_session = s;
	ok = true;
out:
	azure_credential_fini(&cred);
	return ok;
}

void
azure_session_close(struct azure_session *s)
{
	struct azure *az = s->azure;

	if (s->http != NULL)
		client_give(az, s->http);
	if (s->token.n > 0)
		secret_wipe(s->token.p, s->token.n);
	text_free(&s->token);
	for (int i = 0; i < LIST__MAX; i++)
		azure_snapshot_unref(s->held[i]);
	account_leave(az, s->account);
}

/* The provider's open: which config signs is in the owner's spec.credentials. */
static void *
open_session(void *state, struct store *st, const struct object *owner, struct arena *a,
    struct str *ret_account, struct error *err)
{
	struct azure_config config = { .ns = owner->ns };
	struct azure_session *s = NULL;
	struct node *n = NULL;

	if (!object_node(owner, a, &n, err))
		return NULL;
	config.kind = node_path_str(n, "spec.credentials.type");
	config.name = node_path_str(n, "spec.credentials.name");
	if (config.kind.n == 0)
		config.kind = STR("ClusterProviderConfig");
	if (config.name.n == 0)
		config.name = STR("default");
	if (!azure_session_open(state, st, &config, a, &s, err) || s == NULL)
		return NULL;
	s->owner = owner;
	*ret_account = str_copy(a, str_from(s->account->identity));
	return s;
}

static void
close_session(void *state, void *session)
{
	(void)state;
	azure_sweep(session);
	azure_session_close(session);
}

/* ---- state ---- */

static void
azure_free(void *state)
{
	struct azure *az = state;

	if (az == NULL)
		return;
	for (size_t i = 0; i < az->naccounts; i++)
		account_free(az->accounts[i]);
	for (size_t i = 0; i < az->nidle; i++)
		http_client_free(az->idle[i]);
	for (size_t i = 0; i < ARRAY_LEN(az->choices); i++)
		azure_choice_fini(&az->choices[i]);
	pthread_cond_destroy(&az->changed);
	pthread_mutex_destroy(&az->mu);
	mem_free(az->authority);
	mem_free(az->arm);
	mem_free(az->ca_file);
	mem_free(az->installation);
	mem_free(az);
}

static bool
copy(const char *from, char **to)
{
	size_t n;

	if (from == NULL)
		return true;
	n = str_from(from).n;
	while (n > 0 && from[n - 1] == '/')
		n--; /* addresses end before the slash */
	*to = mem_dup(from, n);
	return *to != NULL;
}

bool
azure_provider_new(
    const struct azure_options *opt, struct provider *ret_provider, struct error *err)
{
	struct azure *az = mem_new(sizeof(*az));

	if (az == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for the Azure provider");
	pthread_mutex_init(&az->mu, NULL);
	pthread_cond_init(&az->changed, NULL);
	if (!copy(opt->authority, &az->authority) || !copy(opt->arm, &az->arm) ||
	    !copy(opt->ca_file, &az->ca_file) || !copy(opt->installation, &az->installation)) {
		azure_free(az);
		return error_set(err, ERR_NO_MEMORY, "no memory for the Azure provider");
	}
	az->opt = *opt;
	az->opt.authority = az->authority;
	az->opt.arm = az->arm;
	az->opt.ca_file = az->ca_file;
	az->opt.installation = az->installation;
	*ret_provider = (struct provider){ .name = "azure",
		.types = azure_types,
		.ntypes = azure_ntypes,
		.state = az,
		.open = open_session,
		.close = close_session,
		.free = azure_free };
	return true;
}

void
azure_counts_get(void *azure_state, struct azure_counts *ret)
{
	struct azure *az = azure_state;

	ret->all = atomic_load(&az->all);
	ret->acting = atomic_load(&az->acting);
	ret->tokens = atomic_load(&az->tokens);
}

bool
azure_check(
    void *azure_state, struct store *st, const struct azure_config *config, struct error *err)
{
	struct arena *a = arena_new(CHECK_MAX_MEMORY);
	struct azure_session *s = NULL;
	struct node *n = NULL;
	bool ok = false;

	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory to check a credential");
	if (!azure_session_open(azure_state, st, config, a, &s, err) || s == NULL)
		goto out;
	switch (arm_get(s, arm_path(s, "/subscriptions/%s", s->account->cred.subscription),
	    API_SUBSCRIPTIONS, &n, err)) {
	case FOUND_FAILED:
		break;
	case FOUND_ABSENT:
		(void)error_set(err, ERR_FORBIDDEN,
		    "subscription '%s' is not there for this credential",
		    s->account->cred.subscription);
		break;
	case FOUND_IT:
		ok = true;
		break;
	}
out:
	if (s != NULL)
		azure_session_close(s);
	arena_free(a);
	return ok;
}
