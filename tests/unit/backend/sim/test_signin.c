/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#include "helper_sim.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "model/json.h"

/* Sign-in by secret and by assertion; each wrong thing has its AADSTS number. */

static struct fixture f;
static struct signin_answer answer;
static struct node *body;

static int
start(void **state)
{
	(void)state;
	fixture_start(&f, NULL);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	text_free(&answer.body);
	fixture_stop(&f);
	return 0;
}

static int64_t
post(const char *tenant, const char *form)
{
	const char *path = arena_printf(f.a, "/%s/oauth2/v2.0/token", tenant);

	text_free(&answer.body);
	signin_handle(f.sim, STR("POST"), str_from(path), STR("application/x-www-form-urlencoded"),
	    str_from(form), &answer);
	assert_true(json_parse(f.a, text_str(&answer.body), &body, NULL));
	return node_path_int(body, "error_codes[0]", 0);
}

static const char *
form_of(const char *client, const char *scope, const char *proof)
{
	return arena_printf(
	    f.a, "client_id=%s&grant_type=client_credentials&scope=%s&%s", client, scope, proof);
}

#define SCOPE "https%3A%2F%2Fmanagement.azure.com%2F.default"

static void
secrets_are_checked(void **state)
{
	const struct identity *id = &f.sim->id;
	const char *good = arena_printf(f.a, "client_secret=%s", id->secret);

	(void)state;
	assert_int_equal(post(id->tenant, form_of(id->client, SCOPE, good)), 0);
	assert_int_equal(answer.status, 200);
	assert_int_equal(node_path_int(body, "expires_in", 0), 3599);
	assert_int_equal(post(id->tenant, form_of(id->client, SCOPE, "client_secret=no")), 7000215);
	assert_int_equal(answer.status, 401);
	assert_int_equal(post(id->tenant, form_of("other", SCOPE, good)), 700016);
	assert_int_equal(post("other", form_of(id->client, SCOPE, good)), 90002);
	assert_int_equal(post(id->tenant, form_of(id->client, "https%3A%2F%2Fx", good)), 70011);
	assert_int_equal(post(id->tenant, form_of(id->client, SCOPE, "x=y")), 7000216);
	assert_int_equal(post(id->tenant, "grant_type=password"), 70003);
}

/* Signs as a client would. */
static void
sign(const char *part, bool pss, struct text *out)
{
	struct str pem = text_str(&f.sim->id.application.key);
	BIO *bio = BIO_new_mem_buf(pem.p, (int)pem.n);
	EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	EVP_PKEY_CTX *pk = NULL;
	unsigned char mac[512];
	size_t n = sizeof(mac);
	struct str s = str_from(part);

	assert_int_equal(EVP_DigestSignInit(md, &pk, EVP_sha256(), NULL, key), 1);
	if (pss) {
		assert_int_equal(EVP_PKEY_CTX_set_rsa_padding(pk, RSA_PKCS1_PSS_PADDING), 1);
		assert_int_equal(EVP_PKEY_CTX_set_rsa_pss_saltlen(pk, RSA_PSS_SALTLEN_DIGEST), 1);
	}
	assert_int_equal(EVP_DigestSign(md, mac, &n, (const unsigned char *)s.p, s.n), 1);
	text_add_base64url(out, (struct str){ (const char *)mac, n });
	EVP_MD_CTX_free(md);
	EVP_PKEY_free(key);
	BIO_free(bio);
}

struct claims {
	const char *alg;
	bool pss; /* how it is really signed */
	const char *aud_tail, *iss;
	int64_t exp_in_s;
	bool sha1;
	bool foreign; /* another thumbprint */
};

static int64_t
assert_with(const struct claims *c)
{
	const struct identity *id = &f.sim->id;
	struct text print = TEXT_INIT(256), part = TEXT_INIT(4096), mac = TEXT_INIT(1024);
	const char *head, *claims, *form;
	int64_t now = f.now_ms / 1000;

	assert_true(cert_thumbprint(text_str(&id->application.cert), !c->sha1, &print));
	head = arena_printf(f.a, "{\"alg\":\"%s\",\"typ\":\"JWT\",\"%s\":\"%s\"}", c->alg,
	    c->sha1 ? "x5t" : "x5t#S256", c->foreign ? "AAAA" : text_get(&print));
	claims = arena_printf(f.a,
	    "{\"aud\":\"%s/%s/oauth2/v2.0/token%s\",\"iss\":\"%s\",\"sub\":\"%s\",\"jti\":\"j\","
	    "\"nbf\":%lld,\"iat\":%lld.5,\"exp\":%lld.5}",
	    f.sim->signin_url, id->tenant, c->aud_tail, c->iss != NULL ? c->iss : id->client,
	    id->client, (long long)now, (long long)now, (long long)(now + c->exp_in_s));
	text_add_base64url(&part, str_from(head));
	text_add_char(&part, '.');
	text_add_base64url(&part, str_from(claims));
	sign(text_get(&part), c->pss, &mac);
	form = arena_printf(f.a,
	    "client_assertion_type=urn%%3Aietf%%3Aparams%%3Aoauth%%3Aclient-assertion-type%%3Ajwt-"
	    "bearer&"
	    "client_assertion=%s.%s",
	    text_get(&part), text_get(&mac));
	text_free(&print);
	text_free(&part);
	text_free(&mac);
	return post(id->tenant, form_of(id->client, SCOPE, form));
}

static void
assertions_are_really_verified(void **state)
{
	(void)state;
	assert_int_equal(
	    assert_with(&(struct claims){ "PS256", true, "", NULL, 600, false, false }), 0);
	assert_int_equal(
	    assert_with(&(struct claims){ "RS256", false, "", NULL, 600, true, false }), 0);
	/* signed otherwise than it says */
	assert_int_equal(
	    assert_with(&(struct claims){ "PS256", false, "", NULL, 600, false, false }), 700027);
	assert_int_equal(
	    assert_with(&(struct claims){ "PS256", true, "", NULL, 600, false, true }), 700027);
	assert_int_equal(
	    assert_with(&(struct claims){ "none", true, "", NULL, 600, false, false }), 50027);
	assert_int_equal(
	    assert_with(&(struct claims){ "PS256", true, "/", NULL, 600, false, false }), 700023);
	assert_int_equal(
	    assert_with(&(struct claims){ "PS256", true, "", "x", 600, false, false }), 700021);
	assert_int_equal(
	    assert_with(&(struct claims){ "PS256", true, "", NULL, -5000000, false, false }),
	    700024);
}

static void
discovery_names_the_token_endpoint(void **state)
{
	const char *path =
	    arena_printf(f.a, "/%s/v2.0/.well-known/openid-configuration", f.sim->id.tenant);

	(void)state;
	text_free(&answer.body);
	signin_handle(
	    f.sim, STR("GET"), str_from(path), (struct str){ 0 }, (struct str){ 0 }, &answer);
	assert_int_equal(answer.status, 200);
	assert_true(json_parse(f.a, text_str(&answer.body), &body, NULL));
	assert_true(str_ends(node_path_str(body, "token_endpoint"), STR("/oauth2/v2.0/token")));
	text_free(&answer.body);
	signin_handle(f.sim, STR("GET"), STR("/common/discovery/instance"), (struct str){ 0 },
	    (struct str){ 0 }, &answer);
	assert_int_equal(answer.status, 200);
	text_free(&answer.body);
	signin_handle(
	    f.sim, STR("GET"), STR("/nowhere"), (struct str){ 0 }, (struct str){ 0 }, &answer);
	assert_int_equal(answer.status, 404);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(secrets_are_checked),
		cmocka_unit_test(assertions_are_really_verified),
		cmocka_unit_test(discovery_names_the_token_endpoint),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
