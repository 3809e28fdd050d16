#include "backend/providers/azure/azure_int.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "backend/runtime/clock.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/names.h"

/*
 * Signing in (facts 1): one token a credential, shared by all sessions, minted by one of them while
 * the others wait, renewed 300 s early, and once more when Azure refuses it.
 */

enum {
	TOKEN_MAX_BYTES = 64 * 1024,
	ASSERTION_SECONDS = 600,
	MINT_PAUSE_MS = 2000, /* of the clock: a refused sign-in is not tried by each waiter */
	SALT_BYTES = 32,
	ASSERTION_MEMORY = 64 * 1024,
	ASSERTION_MAX = 32 * 1024,
	FORM_MAX = 64 * 1024,
	ANSWER_MAX = 1024 * 1024,
};

/* ---- the assertion of a certificate ---- */

static bool
b64_json(struct text *out, const struct node *n, struct error *err)
{
	struct text t = TEXT_INIT(8192);
	bool ok;

	json_write(&t, n, JSON_COMPACT);
	text_add_base64url(out, text_str(&t));
	ok = text_ok(&t, "assertion", err);
	text_free(&t);
	return ok;
}

static bool
openssl_failed(struct error *err, const char *what)
{
	ERR_clear_error();
	return error_set(err, ERR_INVALID, "the credential's certificate: %s", what);
}

static bool
sign(EVP_PKEY *key, struct str data, struct text *out, struct error *err)
{
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	EVP_PKEY_CTX *pk = NULL;
	unsigned char sig[1024];
	size_t n = sizeof(sig);
	bool ok = false;

	if (md == NULL || EVP_DigestSignInit(md, &pk, EVP_sha256(), NULL, key) != 1 ||
	    EVP_PKEY_CTX_set_rsa_padding(pk, RSA_PKCS1_PSS_PADDING) != 1 ||
	    EVP_PKEY_CTX_set_rsa_pss_saltlen(pk, SALT_BYTES) != 1 ||
	    EVP_DigestSign(md, sig, &n, (const unsigned char *)data.p, data.n) != 1) {
		(void)openssl_failed(
		    err, "its key cannot sign (an RSA key of at most 8192 bits is needed)");
		goto out;
	}
	text_add_base64url(out, (struct str){ (const char *)sig, n });
	ok = true;
out:
	EVP_MD_CTX_free(md);
	return ok;
}

static bool
thumbprint(X509 *cert, struct arena *a, struct node *header, struct error *err)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned n = 0;
	struct text t = TEXT_INIT(256);
	bool ok;

	if (X509_digest(cert, EVP_sha256(), digest, &n) != 1)
		return openssl_failed(err, "no fingerprint can be made of it");
	text_add_base64url(&t, (struct str){ (const char *)digest, n });
	ok = text_ok(&t, "fingerprint", err);
	node_set(a, header, "x5t#S256", node_str(a, text_str(&t)));
	text_free(&t);
	return ok;
}

static struct node *
claims(struct arena *a, const struct azure_credential *c, struct str audience, int64_t now_s,
    struct str jti)
{
	struct node *n = node_map(a);

	node_set(a, n, "aud", node_str(a, audience));
	node_set_strz(a, n, "iss", c->client);
	node_set_strz(a, n, "sub", c->client);
	node_set(a, n, "jti", node_str(a, jti));
	node_set_int(a, n, "nbf", now_s);
	node_set_int(a, n, "iat", now_s);
	node_set_int(a, n, "exp", now_s + ASSERTION_SECONDS);
	return n;
}

bool
azure_assertion(const struct azure_credential *c, struct str audience, int64_t now_s,
    struct str jti, struct text *out, struct error *err)
{
	struct str pem = secret_get(c->certificate);
	struct arena *a = arena_new(ASSERTION_MEMORY);
	BIO *certs = BIO_new_mem_buf(pem.p, (int)pem.n), *keys = BIO_new_mem_buf(pem.p, (int)pem.n);
	X509 *cert = certs == NULL ? NULL : PEM_read_bio_X509(certs, NULL, NULL, NULL);
	EVP_PKEY *key = keys == NULL ? NULL : PEM_read_bio_PrivateKey(keys, NULL, NULL, NULL);
	struct node *header = a == NULL ? NULL : node_map(a);
	bool ok = false;

	if (header == NULL) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory to sign in");
		goto out;
	}
	if (cert == NULL || key == NULL || EVP_PKEY_base_id(key) != EVP_PKEY_RSA) {
		(void)openssl_failed(
		    err, "it must be PEM with a certificate and its RSA private key");
		error_advise(err, "put both PEM blocks into the Secret's clientCertificate");
		goto out;
	}
	node_set_strz(a, header, "alg", "PS256");
	node_set_strz(a, header, "typ", "JWT");
	if (!thumbprint(cert, a, header, err) || !b64_json(out, header, err))
		goto out;
	text_add_char(out, '.');
	if (!b64_json(out, claims(a, c, audience, now_s, jti), err))
		goto out;
	{
		struct text sig = TEXT_INIT(4096);

		ok = sign(key, text_str(out), &sig, err);
		text_add_char(out, '.');
		text_add_str(out, text_str(&sig));
		text_free(&sig);
	}
	ok = ok && text_ok(out, "assertion", err);
out:
	EVP_PKEY_free(key);
	X509_free(cert);
	BIO_free(certs);
	BIO_free(keys);
	arena_free(a);
	return ok;
}

/* ---- asking for a token ---- */

static struct str
fresh_guid(struct azure_session *s)
{
	unsigned char random[16];
	struct text t = TEXT_INIT(64);
	const char *parts[2] = { NULL, NULL };

	if (RAND_bytes(random, sizeof(random)) != 1)
		return (struct str){ 0 };
	text_add_hex(&t, (struct str){ (const char *)random, sizeof(random) });
	parts[0] = arena_dup(s->arena, text_get(&t), t.n);
	text_free(&t);
	return parts[0] == NULL ? str_from(NULL) : uuid_from(s->arena, parts);
}

static void
field(struct text *form, const char *name, struct str value)
{
	text_add(form, form->n > 0 ? "&" : "");
	text_add(form, name);
	text_add_char(form, '=');
	text_add_url(form, value);
}

static bool
build_form(struct azure_session *s, struct str url, struct text *form, struct error *err)
{
	const struct azure_credential *c = &s->account->cred;
	struct text jwt = TEXT_INIT(ASSERTION_MAX);
	bool ok = true;

	field(form, "client_id", str_from(c->client));
	field(form, "scope", str_from(c->scope));
	field(form, "grant_type", STR("client_credentials"));
	if (c->certificate != NULL) {
		ok = azure_assertion(
		    c, url, clock_wall_ms(s->azure->opt.clock) / 1000, fresh_guid(s), &jwt, err);
		field(form, "client_assertion_type",
		    STR("urn:ietf:params:oauth:client-assertion-type:jwt-bearer"));
		field(form, "client_assertion", text_str(&jwt));
	} else {
		field(form, "client_secret", secret_get(c->secret));
	}
	if (jwt.n > 0)
		secret_wipe(jwt.p, jwt.n);
	text_free(&jwt);
	return ok && text_ok(form, "sign-in form", err);
}

/* Numbers in front of a message are for advice only (facts 1.1). */
static void
refused(struct azure_session *s, int status, const struct node *body, struct error *err)
{
	static const struct {
		const char *number, *advice;
	} rows[] = {
		{ "AADSTS7000222", "the client secret has expired: make a new one and store it" },
		{ "AADSTS7000215", "the client secret is wrong: paste its value, not its id" },
		{ "AADSTS700016",
		    "the application is not in this tenant: check clientId and tenantId" },
		{ "AADSTS90002", "the tenant is not known: check tenantId and the environment" },
		{ "AADSTS700027",
		    "the certificate is not registered with the application: upload it" },
		{ "AADSTS700024", "the assertion is outside its time: set this machine's clock" },
		{ "AADSTS70011", "report this: the scope is wrong" },
	};
	struct str text = node_get_str(node_find(body, "error_description"));
	struct str word = node_get_str(node_find(body, "error"));
	struct str line = text;

	(void)str_split(&line, '\n', &text);
	text = str_trim(text);
	(void)error_set(err,
	    status == 429   ? ERR_THROTTLED
	    : status >= 500 ? ERR_CLOUD
			    : ERR_UNAUTHENTICATED,
	    "Azure refused to sign in client '%s': " STR_FMT, s->account->cred.client,
	    STR_ARG(text.n > 0 ? text : word));
	error_name(err, status >= 500 ? "SignInFailed" : "CredentialsRefused");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_starts(text, str_from(rows[i].number)))
			error_advise(err, "%s", rows[i].advice);
	}
}

static bool
read_answer(struct azure_session *s, const struct http_response *res, struct secret **ret_token,
    int64_t *ret_seconds, struct error *err)
{
	struct node *n = NULL;
	struct str token, text;

	if (!json_parse(s->arena, text_str(&res->body), &n, NULL) || n->type != NODE_MAP)
		return error_set(err, ERR_CLOUD,
		    "the sign-in service answered %d with something that is "
		    "not JSON",
		    res->status);
	if (res->status != 200) {
		refused(s, res->status, n, err);
		if (err != NULL)
			err->retry_after_ms =
			    http_retry_after_ms(res) > 0 ? http_retry_after_ms(res) : 0;
		return false;
	}
	token = node_get_str(node_find(n, "access_token"));
	text = node_get_str(node_find(n, "expires_in")); /* a number, or text as IMDS sends it */
	*ret_seconds = node_get_int(node_find(n, "expires_in"), 0);
	if (*ret_seconds == 0 && !str_to_int(text, ret_seconds))
		*ret_seconds = 0;
	if (token.n == 0 || token.n > TOKEN_MAX_BYTES || *ret_seconds <= 0)
		return error_set(err, ERR_CLOUD, "the sign-in service sent no usable token");
	*ret_token = secret_new(token);
	secret_wipe_str(token);
	return *ret_token != NULL ? true : error_set(err, ERR_NO_MEMORY, "no memory for a token");
}

static bool
mint(struct azure_session *s, struct secret **ret_token, int64_t *ret_seconds, struct error *err)
{
	const struct azure_credential *c = &s->account->cred;
	const char *url =
	    arena_printf(s->arena, "%s/%s/oauth2/v2.0/token", c->authority, c->tenant);
	struct http_header accept = { "Accept", STR("application/json") };
	struct http_response res = { 0 };
	struct text form = TEXT_INIT(FORM_MAX);
	bool ok = false;

	if (url == NULL) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory to sign in");
		goto out;
	}
	if (!build_form(s, str_from(url), &form, err))
		goto out;
	atomic_fetch_add(&s->azure->tokens, 1);
	if (!http_send(s->http,
		&(struct http_request){ .method = "POST",
		    .url = url,
		    .headers = &accept,
		    .nheaders = 1,
		    .content_type = "application/x-www-form-urlencoded",
		    .body = text_str(&form),
		    .max_body = ANSWER_MAX },
		&res, err)) {
		(void)error_wrap(err, "cannot reach Azure's sign-in service");
		goto out;
	}
	ok = read_answer(s, &res, ret_token, ret_seconds, err);
out:
	http_response_fini(&res);
	if (form.n > 0)
		secret_wipe(form.p, form.n);
	text_free(&form);
	return ok;
}

/* ---- the shared token ---- */

static void
copy_token(struct azure_session *s)
{
	if (s->token.n > 0)
		secret_wipe(s->token.p, s->token.n);
	text_clear(&s->token);
	text_add_str(&s->token, secret_get(s->account->token));
}

/* Under the lock: true when this thread shall mint. */
static bool
wait_for_token(struct azure_session *s, bool again, bool *ret_done, struct error *err)
{
	struct azure_account *acc = s->account;
	struct str old = text_str(&s->token);

	*ret_done = true;
	for (;;) {
		int64_t now = clock_mono_ms(s->azure->opt.clock);
		bool stale = again && acc->token != NULL && secret_eq(secret_get(acc->token), old);

		if (acc->token != NULL && !stale && now < acc->token_ends - AZURE_TOKEN_EARLY_MS) {
			copy_token(s);
			return false;
		}
		if (acc->mint_error.code != ERR_NONE && now - acc->mint_failed_at < MINT_PAUSE_MS) {
			*err = acc->mint_error;
			*ret_done = false;
			return false;
		}
		if (!acc->minting)
			return true;
		pthread_cond_wait(&s->azure->changed, &s->azure->mu);
	}
}

bool
azure_token(struct azure_session *s, bool again, struct error *err)
{
	struct azure_account *acc = s->account;
	struct error why = { 0 };
	struct secret *token = NULL;
	int64_t seconds = 0;
	bool ok, mine;

	pthread_mutex_lock(&s->azure->mu);
	mine = wait_for_token(s, again, &ok, &why);
	acc->minting = acc->minting || mine;
	pthread_mutex_unlock(&s->azure->mu);
	if (mine) {
		ok = mint(s, &token, &seconds, &why);
		pthread_mutex_lock(&s->azure->mu);
		acc->minting = false;
		acc->mint_error = why; /* ERR_NONE when it went well */
		acc->mint_failed_at = clock_mono_ms(s->azure->opt.clock);
		if (ok) {
			acc->mint_error = (struct error){ 0 };
			secret_free(acc->token);
			acc->token = token;
			/* A short-lived token is used for half its life, not thrown away at once.
			 */
			acc->token_ends = acc->mint_failed_at + seconds * 1000 +
					  (seconds * 1000 > (int64_t)2 * AZURE_TOKEN_EARLY_MS
						  ? 0
						  : AZURE_TOKEN_EARLY_MS - seconds * 500);
			copy_token(s);
		}
		pthread_cond_broadcast(&s->azure->changed);
		pthread_mutex_unlock(&s->azure->mu);
	}
	if (!ok && err != NULL)
		*err = why;
	return ok && text_ok(&s->token, "token", err);
}
