#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "backend/sim/sim_int.h"
#include "backend/sim/url.h"
#include "model/json.h"

/*
 * Sign-in: discovery and tokens for one application, by secret or by a signed assertion. Access
 * tokens are JWTs signed with a key that the state keeps, so that they survive a restart.
 * Sources: facts/azure.md 1, azure-golden/token-*.
 */

enum { FORM_MAX = 64 * 1024, TOKEN_MAX = 8192, ASSERTION_MAX_S = 86400, TOKEN_S = 3599 };

static const char assertion_type[] = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

struct call {
	struct sim *s;
	struct arena *a;
	struct signin_answer *ret;
	struct str tenant; /* of the path */
	struct str form;
	int64_t now_ms;
	bool applied; /* a token was given out */
};

static void
answer(struct call *k, int status, const struct node *body)
{
	k->ret->status = status;
	text_clear(&k->ret->body);
	json_write(&k->ret->body, body, JSON_COMPACT);
}

struct refusal {
	int number;
	int status;
	const char *error;
	const char *text;
};

enum refusal_id {
	REFUSE_SECRET,
	REFUSE_CLIENT,
	REFUSE_TENANT,
	REFUSE_SCOPE,
	REFUSE_GRANT,
	REFUSE_MISSING,
	REFUSE_ASSERTION,
	REFUSE_CERTIFICATE,
	REFUSE_WINDOW,
	REFUSE_AUDIENCE,
	REFUSE_ISSUER,
};

/* clang-format off */
static const struct refusal refusals[] = {
	[REFUSE_SECRET]      = { 7000215, 401, "invalid_client", "Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to the app." },
	[REFUSE_CLIENT]      = { 700016, 400, "unauthorized_client", "Application with the given identifier was not found in the directory. This can happen if the application has not been installed by the administrator of the tenant." },
	[REFUSE_TENANT]      = { 90002, 400, "invalid_request", "The tenant was not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud." },
	[REFUSE_SCOPE]       = { 70011, 400, "invalid_scope", "The provided request must include a 'scope' input parameter. The provided value for the input parameter 'scope' is not valid." },
	[REFUSE_GRANT]       = { 70003, 400, "unsupported_grant_type", "The app requested an unsupported grant type." },
	[REFUSE_MISSING]     = { 7000216, 401, "invalid_client", "'client_assertion', 'client_secret' or 'request' is required for the 'client_credentials' grant type." },
	[REFUSE_ASSERTION]   = { 50027, 401, "invalid_client", "JWT token is invalid or malformed." },
	[REFUSE_CERTIFICATE] = { 700027, 401, "invalid_client", "The certificate with identifier used to sign the client assertion is not registered on application, or its signature is wrong." },
	[REFUSE_WINDOW]      = { 700024, 401, "invalid_client", "Client assertion is not within its valid time range." },
	[REFUSE_AUDIENCE]    = { 700023, 401, "invalid_client", "Client assertion audience claim does not match Realm issuer." },
	[REFUSE_ISSUER]      = { 700021, 401, "invalid_client", "Client assertion issuer and subject must be the application identifier." },
};
/* clang-format on */

static bool
refuse(struct call *k, enum refusal_id which)
{
	const struct refusal *r = &refusals[which];
	struct node *n = node_map(k->a), *codes = node_list(k->a);
	char trace[GUID_SIZE] = "", correlation[GUID_SIZE] = "";
	struct text now = TEXT_INIT(64);

	if (!guid_random(trace) || !guid_random(correlation))
		trace[0] = '\0';
	simtime_add_spaced(&now, k->now_ms);
	node_set_strz(k->a, n, "correlation_id", correlation);
	node_set_strz(k->a, n, "error", r->error);
	node_push(codes, node_int(k->a, r->number));
	node_set(k->a, n, "error_codes", codes);
	node_set(k->a, n, "error_description",
	    node_strz(k->a,
		arena_printf(k->a, "AADSTS%d: %s Trace ID: %s Correlation ID: %s Timestamp: %s",
		    r->number, r->text, trace, correlation, text_get(&now))));
	node_set(k->a, n, "error_uri",
	    node_strz(k->a, arena_printf(k->a, "%s/error?code=%d", k->s->signin_url, r->number)));
	node_set_strz(k->a, n, "timestamp", text_get(&now));
	node_set_strz(k->a, n, "trace_id", trace);
	answer(k, r->status, n);
	text_free(&now);
	return false;
}

static struct str
field(struct call *k, const char *name)
{
	return url_value(k->a, k->form, name, true);
}

/* ---- access tokens ---- */

static bool
sign(const struct sim *s, struct str part, struct text *out)
{
	unsigned char mac[EVP_MAX_MD_SIZE];
	unsigned int n = 0;
	struct str key = str_from(s->id.token_key);

	if (HMAC(EVP_sha256(), key.p, (int)key.n, (const unsigned char *)part.p, part.n, mac, &n) ==
	    NULL)
		return false;
	text_add_base64url(out, (struct str){ (const char *)mac, n });
	return true;
}

static void
token_write(struct call *k, int64_t expires_ms, struct text *out)
{
	struct text claims = TEXT_INIT(TOKEN_MAX), part = TEXT_INIT(TOKEN_MAX);
	const struct identity *id = &k->s->id;

	text_printf(&claims,
	    "{\"aud\":\"https://management.azure.com\",\"iss\":\"https://sts.windows.net/%s/\","
	    "\"iat\":%lld,\"nbf\":%lld,\"exp\":%lld,\"appid\":\"%s\",\"oid\":\"%s\",\"tid\":\"%s\","
	    "\"expMs\":%lld,\"ver\":\"1.0\"}",
	    id->tenant, (long long)(k->now_ms / 1000), (long long)(k->now_ms / 1000),
	    (long long)(expires_ms / 1000), id->client, id->object, id->tenant,
	    (long long)expires_ms);
	text_add_base64url(&part, STR("{\"alg\":\"HS256\",\"typ\":\"JWT\"}"));
	text_add_char(&part, '.');
	text_add_base64url(&part, text_str(&claims));
	text_add_str(out, text_str(&part));
	text_add_char(out, '.');
	(void)sign(k->s, text_str(&part), out); /* a bad signature is refused later */
	text_free(&claims);
	text_free(&part);
}

/* base64url without padding; with it, too. */
static bool
decode_url(struct arena *a, struct str s, struct str *ret)
{
	char *p = arena_get(a, s.n + 4);
	size_t n = 0;

	if (p == NULL)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char ch = s.p[i];

		if (ch == '=')
			break;
		p[n++] = ch == '-' ? '+' : ch == '_' ? '/' : ch;
	}
	while (n % 4 != 0)
		p[n++] = '=';
	return base64_decode(a, (struct str){ p, n }, ret);
}

static void
keep(char *to, size_t size, struct str s)
{
	size_t n = s.n < size ? s.n : size - 1;

	for (size_t i = 0; i < n; i++)
		to[i] = s.p[i];
	to[n] = '\0';
}

static enum token_verdict
token_read(struct sim *s, struct arena *a, struct str token, struct token_claims *ret)
{
	struct str rest = token, head, body, mac, bytes;
	struct text wanted = TEXT_INIT(256);
	struct node *n = NULL;
	bool ok;

	if (!str_split(&rest, '.', &head) || !str_split(&rest, '.', &body) ||
	    !str_split(&rest, '.', &mac))
		return TOKEN_BAD;
	ok = sign(s, str_sub(token, 0, head.n + 1 + body.n), &wanted) && wanted.n == mac.n &&
	     CRYPTO_memcmp(text_get(&wanted), mac.p, mac.n) == 0;
	text_free(&wanted);
	if (!ok || !decode_url(a, body, &bytes) || !json_parse(a, bytes, &n, NULL))
		return TOKEN_BAD;
	keep(ret->client, sizeof(ret->client), node_path_str(n, "appid"));
	keep(ret->object, sizeof(ret->object), node_path_str(n, "oid"));
	keep(ret->tenant, sizeof(ret->tenant), node_path_str(n, "tid"));
	ret->expires_ms = node_path_int(n, "expMs", 0);
	if (!str_is(str_from(ret->tenant), s->id.tenant))
		return TOKEN_TENANT;
	return sim_now(s) < ret->expires_ms ? TOKEN_GOOD : TOKEN_EXPIRED;
}

enum token_verdict
token_check(struct sim *s, struct str authorization, struct token_claims *ret)
{
	struct arena *a;
	enum token_verdict verdict;

	if (authorization.n == 0)
		return TOKEN_MISSING;
	if (!str_eq_nocase(str_sub(authorization, 0, 7), STR("Bearer ")) ||
	    authorization.n > TOKEN_MAX)
		return TOKEN_BAD;
	a = arena_new((size_t)8 * TOKEN_MAX);
	if (a == NULL)
		return TOKEN_BAD;
	verdict = token_read(s, a, str_trim(str_sub(authorization, 7, authorization.n)), ret);
	arena_free(a);
	return verdict;
}

/* ---- assertions ---- */

static double
number_of(const struct node *n)
{
	if (n != NULL && n->type == NODE_FLOAT)
		return n->u.floating;
	return (double)node_get_int(n, 0);
}

/* Good now, by the simulator's clock or by the machine's (official clients know no other). */
static bool
in_window(const struct node *claims, double now_s)
{
	double exp = number_of(node_find(claims, "exp")), nbf = number_of(node_find(claims, "nbf"));
	double iat = number_of(node_find(claims, "iat"));

	return exp > now_s && exp - now_s <= ASSERTION_MAX_S && nbf <= now_s + 300 &&
	       iat <= now_s + 300;
}

static bool
is_thumbprint(struct call *k, const struct node *head)
{
	struct str x5t = node_get_str(node_find(head, "x5t"));
	struct str x5t256 = node_get_str(node_find(head, "x5t#S256"));
	struct str cert = text_str(&k->s->id.application.cert);
	struct text own = TEXT_INIT(256);
	bool wide = x5t256.n > 0, ok;
	struct str given = wide ? x5t256 : x5t;

	while (given.n > 0 && given.p[given.n - 1] == '=') /* msal Python leaves the padding on */
		given.n--;
	ok = cert_thumbprint(cert, wide, &own) && given.n > 0 && str_eq(given, text_str(&own));
	text_free(&own);
	return ok;
}

static bool
check_signature(struct call *k, struct str token, const struct node *head, struct str mac)
{
	struct str alg = node_get_str(node_find(head, "alg")), bytes = { 0 };
	bool pss = str_is(alg, "PS256");
	struct str signed_part = str_sub(token, 0, token.n - mac.n - 1);

	if (!pss && !str_is(alg, "RS256"))
		return refuse(k, REFUSE_ASSERTION);
	if (!is_thumbprint(k, head) || !decode_url(k->a, mac, &bytes) ||
	    !cert_verify(text_str(&k->s->id.application.cert), pss, signed_part, bytes))
		return refuse(k, REFUSE_CERTIFICATE);
	return true;
}

static bool
check_claims(struct call *k, const struct node *claims)
{
	struct str aud = node_get_str(node_find(claims, "aud"));
	struct str iss = node_get_str(node_find(claims, "iss"));
	struct str sub = node_get_str(node_find(claims, "sub"));
	const char *own = arena_printf(
	    k->a, "%s/" STR_FMT "/oauth2/v2.0/token", k->s->signin_url, STR_ARG(k->tenant));

	if (!str_is(aud, own))
		return refuse(k, REFUSE_AUDIENCE);
	if (!str_is(iss, k->s->id.client) || !str_is(sub, k->s->id.client) ||
	    node_get_str(node_find(claims, "jti")).n == 0)
		return refuse(k, REFUSE_ISSUER);
	if (!in_window(claims, (double)k->now_ms / 1000) &&
	    !in_window(claims, (double)simtime_real_ms() / 1000))
		return refuse(k, REFUSE_WINDOW);
	return true;
}

static bool
check_assertion(struct call *k, struct str token)
{
	struct str rest = token, head, body, mac, bytes;
	struct node *h = NULL, *claims = NULL;

	if (!str_split(&rest, '.', &head) || !str_split(&rest, '.', &body) ||
	    !str_split(&rest, '.', &mac) || !decode_url(k->a, head, &bytes) ||
	    !json_parse(k->a, bytes, &h, NULL) || !decode_url(k->a, body, &bytes) ||
	    !json_parse(k->a, bytes, &claims, NULL))
		return refuse(k, REFUSE_ASSERTION);
	return check_signature(k, token, h, mac) && check_claims(k, claims);
}

static bool
check_proof(struct call *k)
{
	struct str secret = field(k, "client_secret"), assertion = field(k, "client_assertion");
	struct str own = str_from(k->s->id.secret);

	if (assertion.n > 0) {
		if (!str_is(field(k, "client_assertion_type"), assertion_type))
			return refuse(k, REFUSE_ASSERTION);
		return check_assertion(k, assertion);
	}
	if (secret.n == 0)
		return refuse(k, REFUSE_MISSING);
	if (secret.n != own.n || CRYPTO_memcmp(secret.p, own.p, own.n) != 0)
		return refuse(k, REFUSE_SECRET);
	return true;
}

/* "<resource>/.default" of a resource manager; the simulator's own address counts too. */
static bool
scope_fits(const struct sim *s, struct str scope)
{
	static const char *const resources[] = { "https://management.azure.com",
		"https://management.azure.com/", "https://management.core.windows.net",
		"https://management.core.windows.net/" };
	struct str tail = STR("/.default"), resource;

	if (!str_ends(scope, tail))
		return false;
	resource = str_sub(scope, 0, scope.n - tail.n);
	for (size_t i = 0; i < ARRAY_LEN(resources); i++) {
		if (str_is(resource, resources[i]))
			return true;
	}
	return str_is(resource, s->arm_url);
}

static void
token_post(struct call *k)
{
	struct text token = TEXT_INIT(TOKEN_MAX);
	double ttl = fault_number(k->s->faults, FAULT_TOKEN_TTL, TOKEN_S);
	struct node *n = node_map(k->a);

	if (!str_eq_nocase(k->tenant, str_from(k->s->id.tenant))) {
		(void)refuse(k, REFUSE_TENANT);
		return;
	}
	if (!str_is(field(k, "grant_type"), "client_credentials")) {
		(void)refuse(k, REFUSE_GRANT);
		return;
	}
	if (!str_eq_nocase(field(k, "client_id"), str_from(k->s->id.client))) {
		(void)refuse(k, REFUSE_CLIENT);
		return;
	}
	if (!scope_fits(k->s, field(k, "scope"))) {
		(void)refuse(k, REFUSE_SCOPE);
		return;
	}
	if (!check_proof(k))
		return;
	token_write(k, k->now_ms + (int64_t)(ttl * 1000), &token);
	node_set_strz(k->a, n, "access_token", text_get(&token));
	node_set_int(k->a, n, "expires_in", (int64_t)ttl);
	node_set_int(k->a, n, "ext_expires_in", (int64_t)ttl);
	node_set_strz(k->a, n, "token_type", "Bearer");
	answer(k, 200, n);
	k->applied = true;
	text_free(&token);
}

static void
openid_get(struct call *k)
{
	struct node *n = node_map(k->a);
	const char *base = k->s->signin_url;

	if (!str_eq_nocase(k->tenant, str_from(k->s->id.tenant))) {
		(void)refuse(k, REFUSE_TENANT);
		return;
	}
	node_set(k->a, n, "authorization_endpoint",
	    node_strz(k->a, arena_printf(k->a, "%s/" STR_FMT "/oauth2/v2.0/authorize", base,
				STR_ARG(k->tenant))));
	node_set(k->a, n, "issuer",
	    node_strz(k->a, arena_printf(k->a, "%s/" STR_FMT "/v2.0", base, STR_ARG(k->tenant))));
	node_set(k->a, n, "token_endpoint",
	    node_strz(k->a,
		arena_printf(k->a, "%s/" STR_FMT "/oauth2/v2.0/token", base, STR_ARG(k->tenant))));
	answer(k, 200, n);
}

static void
discovery_get(struct call *k)
{
	struct node *n = node_map(k->a), *list = node_list(k->a), *m = node_map(k->a);
	struct node *aliases = node_list(k->a);
	struct str host = str_sub(str_from(k->s->signin_url), sizeof("https://") - 1, 64);

	node_push(aliases, node_str(k->a, host));
	node_set(k->a, m, "aliases", aliases);
	node_set(k->a, m, "preferred_cache", node_str(k->a, host));
	node_set(k->a, m, "preferred_network", node_str(k->a, host));
	node_push(list, m);
	node_set_strz(k->a, n, "api-version", "1.1");
	node_set(k->a, n, "metadata", list);
	node_set(k->a, n, "tenant_discovery_endpoint",
	    node_strz(k->a, arena_printf(k->a, "%s/%s/v2.0/.well-known/openid-configuration",
				k->s->signin_url, k->s->id.tenant)));
	answer(k, 200, n);
}

struct route {
	const char *method;
	const char *tail; /* after /{tenant} */
	void (*handle)(struct call *k);
};

static const struct route routes[] = {
	{ "GET", "/v2.0/.well-known/openid-configuration", openid_get },
	{ "POST", "/oauth2/v2.0/token", token_post },
	{ "GET", "/discovery/instance", discovery_get },
};

static void
not_found(struct call *k)
{
	struct node *n = node_map(k->a);

	node_set_strz(k->a, n, "error", "invalid_request");
	node_set_strz(k->a, n, "error_description", "AADSTS900561: The endpoint does not exist.");
	answer(k, 404, n);
}

void
signin_handle(struct sim *s, struct str method, struct str path, struct str content_type,
    struct str body, struct signin_answer *ret)
{
	struct call k = { .s = s, .ret = ret, .form = body, .now_ms = sim_now(s) };
	struct str rest = str_sub(path, 1, path.n), tail;

	ret->body = (struct text)TEXT_INIT(FORM_MAX);
	ret->status = 500;
	k.a = arena_new((size_t)16 * FORM_MAX);
	if (k.a == NULL)
		return;
	(void)str_split(&rest, '/', &k.tenant);
	tail = str_sub(path, k.tenant.n + 1, path.n);
	not_found(&k);
	for (size_t i = 0; i < ARRAY_LEN(routes); i++) {
		if (!str_is(method, routes[i].method) || !str_is(tail, routes[i].tail))
			continue;
		if (str_is(method, "POST") &&
		    !str_starts(content_type, STR("application/x-www-form-urlencoded")))
			(void)refuse(&k, REFUSE_GRANT);
		else
			routes[i].handle(&k);
	}
	arena_free(k.a);
}
