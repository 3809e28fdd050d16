#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "backend/providers/azure/azure_int.h"
#include "model/base/mem.h"
#include "model/json.h"

static struct arena *arena;

static struct node *
json(const char *text)
{
	struct node *n = NULL;
	struct error err = { 0 };

	if (!json_parse(arena, str_from(text), &n, &err))
		fail_msg("%s", err.message);
	return n;
}

static int
setup(void **state)
{
	(void)state;
	arena = arena_new(4 * 1024 * 1024);
	return arena == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

/* ---- versions ---- */

static void
a_full_version_fits_its_minor(void **state)
{
	(void)state;
	assert_true(azure_version_fits(STR("1.34.6"), STR("1.34")));
	assert_true(azure_version_fits(STR("1.34"), STR("1.34")));
	assert_true(azure_version_fits(STR("1.34.6"), STR("1.34.6")));
	assert_false(azure_version_fits(STR("1.34.6"), STR("1.3")));
	assert_false(azure_version_fits(STR("1.34.6"), STR("1.34.7")));
	assert_false(azure_version_fits(STR("1.35.0"), STR("1.34")));
	assert_false(azure_version_fits((struct str){ 0 }, STR("1.34")));
}

static void
versions_go_up_one_minor_at_a_time(void **state)
{
	(void)state;
	assert_true(str_is(azure_version_step(arena, STR("1.33.2"), STR("1.36")), "1.34"));
	assert_true(str_is(azure_version_step(arena, STR("1.34.2"), STR("1.36.1")), "1.35"));
	assert_true(str_is(azure_version_step(arena, STR("1.35.2"), STR("1.36.1")), "1.36.1"));
	assert_true(str_is(azure_version_step(arena, STR("1.36.0"), STR("1.36.1")), "1.36.1"));
	assert_true(str_is(azure_version_step(arena, (struct str){ 0 }, STR("1.36")), "1.36"));
}

/* ---- comparing ---- */

static struct text drift = TEXT_INIT(1024);

static struct step
compare(const char *want, const char *live)
{
	struct step s = { .arena = arena, .drift = &drift };

	text_clear(&drift);
	compare_fields(&s, pool_fields, npool_fields, json(want), json(live));
	return s;
}

static void
only_what_we_set_is_compared(void **state)
{
	struct step s;

	(void)state;
	s = compare("{\"vmSize\":\"Standard_D4s_v5\",\"minCount\":1,\"maxCount\":2,\"count\":1,"
		    "\"nodeLabels\":{\"a\":\"b\"}}",
	    "{\"vmSize\":\"standard_d4S_v5\",\"minCount\":1,\"maxCount\":2,\"count\":9,"
	    "\"nodeLabels\":{\"a\":\"b\",\"azure\":\"x\"},\"maxPods\":250}");
	assert_false(compare_drifted(&s));
}

static void
what_differs_is_told_field_by_field(void **state)
{
	struct step s;

	(void)state;
	s = compare("{\"minCount\":1,\"maxCount\":4}", "{\"minCount\":1,\"maxCount\":2}");
	assert_true(compare_drifted(&s));
	assert_false(s.drift_immutable);
	assert_string_equal(text_get(&drift), "maxCount 2 -> 4");
	s = compare("{\"vmSize\":\"B\",\"maxCount\":4}", "{\"vmSize\":\"A\",\"maxCount\":2}");
	assert_true(s.drift_immutable);
	assert_non_null(strstr(text_get(&drift), "vmSize (cannot change) A -> B"));
	assert_non_null(strstr(text_get(&drift), "maxCount 2 -> 4"));
	s = compare("{\"gpuProfile\":{\"driver\":\"Install\"}}", "{}");
	assert_true(s.drift_immutable);
	text_free(&drift);
}

static void
sets_have_no_order(void **state)
{
	struct step s;

	(void)state;
	s = compare("{\"availabilityZones\":[\"1\",\"2\"]}", "{\"availabilityZones\":[\"2\",\"1\"]}");
	assert_false(compare_drifted(&s));
	s = compare("{\"nodeTaints\":[\"a=b:NoSchedule\"]}", "{}");
	assert_true(compare_drifted(&s));
	text_free(&drift);
}

/* ---- bodies ---- */

static void
read_only_members_are_taken_out(void **state)
{
	struct node *n = json("{\"id\":\"x\",\"properties\":{\"subnets\":[{\"etag\":1,\"name\":\"s\"},"
			      "{\"etag\":2,\"name\":\"t\"}],\"state\":\"y\"}}");
	const char *const paths[] = { "id", "properties.state", "properties.subnets.*.etag",
		"not.there" };

	(void)state;
	body_strip(n, paths, ARRAY_LEN(paths));
	assert_true(node_eq(n, json("{\"properties\":{\"subnets\":[{\"name\":\"s\"},{\"name\":\"t\"}]}}")));
}

static void
a_merge_keeps_what_is_not_ours(void **state)
{
	struct node *n = json("{\"sku\":{\"tier\":\"Free\",\"name\":\"Base\"},\"addon\":{\"on\":true},"
			      "\"list\":[1,2]}");

	(void)state;
	body_merge(arena, n, json("{\"sku\":{\"tier\":\"Standard\"},\"list\":[3]}"));
	assert_true(node_eq(n, json("{\"sku\":{\"tier\":\"Standard\",\"name\":\"Base\"},"
				    "\"addon\":{\"on\":true},\"list\":[3]}")));
}

static void
the_count_of_a_pool_is_azures_within_our_bounds(void **state)
{
	const struct node *want = json("{\"minCount\":2,\"maxCount\":6,\"count\":2}");

	(void)state;
	assert_int_equal(pool_count(json("{\"count\":4}"), want), 4);
	assert_int_equal(pool_count(json("{\"count\":1}"), want), 2);
	assert_int_equal(pool_count(json("{\"count\":9}"), want), 6);
	assert_int_equal(pool_count(json("{}"), want), 2);
}

/* ---- the assertion of a certificate ---- */

static char *
make_pem(EVP_PKEY **ret_key)
{
	EVP_PKEY *key = EVP_RSA_gen(2048);
	X509 *x = X509_new();
	BIO *bio = BIO_new(BIO_s_mem());
	char *p = NULL, *copy;
	long n;

	assert_non_null(key);
	ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
	X509_gmtime_adj(X509_getm_notBefore(x), 0);
	X509_gmtime_adj(X509_getm_notAfter(x), 3600);
	X509_set_pubkey(x, key);
	assert_true(X509_sign(x, key, EVP_sha256()) > 0);
	assert_int_equal(PEM_write_bio_X509(bio, x), 1);
	assert_int_equal(PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL), 1);
	n = BIO_get_mem_data(bio, &p);
	copy = mem_dup(p, (size_t)n);
	BIO_free(bio);
	X509_free(x);
	*ret_key = key;
	return copy;
}

static struct str
unbase64url(struct str s)
{
	struct text t = TEXT_INIT(65536);
	struct str bytes = { 0 };

	for (size_t i = 0; i < s.n; i++)
		text_add_char(&t, s.p[i] == '-' ? '+' : s.p[i] == '_' ? '/' : s.p[i]);
	while (t.n % 4 != 0)
		text_add_char(&t, '=');
	assert_true(base64_decode(arena, text_str(&t), &bytes));
	text_free(&t);
	return bytes;
}

static bool
verify(EVP_PKEY *key, struct str data, struct str sig)
{
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	EVP_PKEY_CTX *pk = NULL;
	bool ok = EVP_DigestVerifyInit(md, &pk, EVP_sha256(), NULL, key) == 1 &&
	    EVP_PKEY_CTX_set_rsa_padding(pk, RSA_PKCS1_PSS_PADDING) == 1 &&
	    EVP_PKEY_CTX_set_rsa_pss_saltlen(pk, 32) == 1 &&
	    EVP_DigestVerify(md, (const unsigned char *)sig.p, sig.n, (const unsigned char *)data.p,
		data.n) == 1;

	EVP_MD_CTX_free(md);
	return ok;
}

static void
a_certificate_signs_in_with_ps256(void **state)
{
	EVP_PKEY *key = NULL;
	char *pem = make_pem(&key), client[] = "client-1";
	struct azure_credential c = { .client = client, .certificate = secret_new(str_from(pem)) };
	struct text out = TEXT_INIT(32768);
	struct str rest, header, body, sig;
	struct node *n = NULL;
	struct error err = { 0 };

	(void)state;
	assert_true(azure_assertion(&c, STR("https://login/t/oauth2/v2.0/token"), 1700000000,
	    STR("guid"), &out, &err));
	rest = text_str(&out);
	assert_true(str_split(&rest, '.', &header));
	assert_true(str_split(&rest, '.', &body));
	sig = unbase64url(rest);
	assert_int_equal(sig.n, 256);
	assert_true(verify(key, str_sub(text_str(&out), 0, header.n + 1 + body.n), sig));
	assert_true(json_parse(arena, unbase64url(header), &n, NULL));
	assert_true(str_is(node_path_str(n, "alg"), "PS256"));
	assert_int_equal(node_get_str(node_find(n, "x5t#S256")).n, 43);
	assert_true(json_parse(arena, unbase64url(body), &n, NULL));
	assert_true(str_is(node_path_str(n, "iss"), "client-1"));
	assert_true(str_is(node_path_str(n, "sub"), "client-1"));
	assert_true(str_is(node_path_str(n, "aud"), "https://login/t/oauth2/v2.0/token"));
	assert_int_equal(node_path_int(n, "exp", 0), 1700000600);
	text_free(&out);
	secret_free(c.certificate);
	mem_free(pem);
	EVP_PKEY_free(key);
}

static void
a_certificate_without_its_key_is_refused_without_quoting_it(void **state)
{
	char client[] = "c";
	struct azure_credential c = { .client = client, .certificate = secret_new(STR("canary-42")) };
	struct text out = TEXT_INIT(32768);
	struct error err = { 0 };

	(void)state;
	assert_false(azure_assertion(&c, STR("a"), 1, STR("g"), &out, &err));
	assert_int_equal(err.code, ERR_INVALID);
	assert_null(strstr(err.message, "canary"));
	text_free(&out);
	secret_free(c.certificate);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(a_full_version_fits_its_minor),
		T(versions_go_up_one_minor_at_a_time),
		T(only_what_we_set_is_compared),
		T(what_differs_is_told_field_by_field),
		T(sets_have_no_order),
		T(read_only_members_are_taken_out),
		T(a_merge_keeps_what_is_not_ours),
		T(the_count_of_a_pool_is_azures_within_our_bounds),
		T(a_certificate_signs_in_with_ps256),
		T(a_certificate_without_its_key_is_refused_without_quoting_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
