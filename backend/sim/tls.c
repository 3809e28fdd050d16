#include "backend/sim/tls.h"

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include "backend/sim/simtime.h"
#include "model/base/mem.h"

enum { PEM_MAX = 64 * 1024, RSA_BITS = 2048, SERIAL_BITS = 127, DAY_S = 86400, YEARS_10 = 3652 };

static bool
tls_error(const char *what, struct error *err)
{
	unsigned long code = ERR_peek_error();
	const char *reason = ERR_reason_error_string(code);

	ERR_clear_error();
	return error_set(
	    err, ERR_TLS, "cannot %s: %s", what, reason != NULL ? reason : "no reason given");
}

static X509 *
cert_read(struct str pem)
{
	BIO *bio = BIO_new_mem_buf(pem.p, (int)pem.n);
	X509 *x = bio != NULL ? PEM_read_bio_X509(bio, NULL, NULL, NULL) : NULL;

	BIO_free(bio);
	ERR_clear_error();
	return x;
}

static EVP_PKEY *
key_read(struct str pem)
{
	BIO *bio = BIO_new_mem_buf(pem.p, (int)pem.n);
	EVP_PKEY *k = bio != NULL ? PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL) : NULL;

	BIO_free(bio);
	ERR_clear_error();
	return k;
}

static bool
bio_to_text(BIO *bio, struct text *out)
{
	char *p = NULL;
	long n = BIO_get_mem_data(bio, &p);

	if (n > 0)
		text_add_str(out, (struct str){ p, (size_t)n });
	return n > 0;
}

static bool
pem_write(X509 *x, EVP_PKEY *key, struct keypair *ret)
{
	BIO *c = BIO_new(BIO_s_mem());
	BIO *k = BIO_new(BIO_s_mem());
	bool ok = c != NULL && k != NULL && PEM_write_bio_X509(c, x) == 1 &&
		  PEM_write_bio_PrivateKey(k, key, NULL, NULL, 0, NULL, NULL) == 1 &&
		  bio_to_text(c, &ret->cert) && bio_to_text(k, &ret->key);

	BIO_free(c);
	BIO_free(k);
	return ok;
}

static bool
extension_add(X509 *x, X509 *issuer, int nid, const char *value)
{
	X509V3_CTX ctx;
	X509_EXTENSION *ext;
	bool ok;

	X509V3_set_ctx(&ctx, issuer, x, NULL, NULL, 0);
	ext = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
	ok = ext != NULL && X509_add_ext(x, ext, -1) == 1;
	X509_EXTENSION_free(ext);
	return ok;
}

static bool
extensions_add(X509 *x, X509 *issuer, const struct cert_spec *spec)
{
	struct text names = TEXT_INIT(1024);
	bool ok = extension_add(x, issuer, NID_basic_constraints,
		      spec->use == CERT_AUTHORITY ? "critical,CA:TRUE" : "critical,CA:FALSE") &&
		  extension_add(x, issuer, NID_subject_key_identifier, "hash");

	if (ok && spec->use == CERT_AUTHORITY)
		ok = extension_add(x, issuer, NID_key_usage, "critical,keyCertSign,cRLSign");
	if (ok && spec->use == CERT_CLIENT)
		ok = extension_add(x, issuer, NID_ext_key_usage, "clientAuth");
	if (ok && spec->use == CERT_SERVER) {
		text_add(&names, "IP:127.0.0.1,DNS:localhost");
		if (spec->dns != NULL)
			text_printf(&names, ",DNS:%s", spec->dns);
		ok = extension_add(x, issuer, NID_ext_key_usage, "serverAuth") &&
		     extension_add(x, issuer, NID_subject_alt_name, text_get(&names));
	}
	text_free(&names);
	return ok;
}

static bool
name_fill(X509_NAME *name, const struct cert_spec *spec)
{
	const unsigned char *org = (const unsigned char *)spec->organisation;
	const unsigned char *cn = (const unsigned char *)spec->name;

	if (org != NULL &&
	    X509_NAME_add_entry_by_txt(name, "O", MBSTRING_UTF8, org, -1, -1, 0) != 1)
		return false;
	return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, cn, -1, -1, 0) == 1;
}

static bool
serial_set(X509 *x)
{
	BIGNUM *bn = BN_new();
	bool ok = bn != NULL &&
		  BN_rand(bn, SERIAL_BITS, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
		  BN_to_ASN1_INTEGER(bn, X509_get_serialNumber(x)) != NULL;

	BN_free(bn);
	return ok;
}

static bool
cert_fill(X509 *x, EVP_PKEY *key, X509 *issuer, EVP_PKEY *issuer_key, const struct cert_spec *spec)
{
	time_t until = spec->until_ms > 0
			   ? (time_t)(spec->until_ms / 1000)
			   : (time_t)(simtime_real_ms() / 1000) + (time_t)YEARS_10 * DAY_S;

	if (X509_set_version(x, 2) != 1 || !serial_set(x) ||
	    X509_gmtime_adj(X509_getm_notBefore(x), -(long)DAY_S) == NULL ||
	    ASN1_TIME_set(X509_getm_notAfter(x), until) == NULL || X509_set_pubkey(x, key) != 1 ||
	    !name_fill(X509_get_subject_name(x), spec) ||
	    X509_set_issuer_name(x, X509_get_subject_name(issuer)) != 1 ||
	    !extensions_add(x, issuer, spec))
		return false;
	return X509_sign(x, issuer_key, EVP_sha256()) > 0;
}

bool
keypair_make(const struct cert_spec *spec, const struct keypair *issuer, struct keypair *ret_pair,
    struct error *err)
{
	struct keypair made = { TEXT_INIT(PEM_MAX), TEXT_INIT(PEM_MAX) };
	EVP_PKEY *key = spec->rsa ? EVP_RSA_gen(RSA_BITS) : EVP_EC_gen("P-256");
	X509 *x = X509_new();
	X509 *ix = issuer != NULL ? cert_read(text_str(&issuer->cert)) : NULL;
	EVP_PKEY *ik = issuer != NULL ? key_read(text_str(&issuer->key)) : NULL;
	bool ok = false;

	if (key == NULL || x == NULL || (issuer != NULL && (ix == NULL || ik == NULL))) {
		tls_error("make a key", err);
		goto out;
	}
	if (!cert_fill(x, key, ix != NULL ? ix : x, ik != NULL ? ik : key, spec) ||
	    !pem_write(x, key, &made)) {
		tls_error("make a certificate", err);
		goto out;
	}
	if (!text_ok(&made.cert, "certificate", err) || !text_ok(&made.key, "key", err))
		goto out;
	*ret_pair = made;
	made = (struct keypair){ TEXT_INIT(PEM_MAX), TEXT_INIT(PEM_MAX) };
	ok = true;
out:
	keypair_fini(&made);
	EVP_PKEY_free(ik);
	X509_free(ix);
	X509_free(x);
	EVP_PKEY_free(key);
	return ok;
}

void
keypair_fini(struct keypair *k)
{
	if (k->key.p != NULL)
		OPENSSL_cleanse(k->key.p, k->key.n);
	text_free(&k->cert);
	text_free(&k->key);
}

bool
cert_thumbprint(struct str pem, bool sha256, struct text *out)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned int n = 0;
	X509 *x = cert_read(pem);
	bool ok = x != NULL && X509_digest(x, sha256 ? EVP_sha256() : EVP_sha1(), digest, &n) == 1;

	if (ok)
		text_add_base64url(out, (struct str){ (const char *)digest, n });
	X509_free(x);
	return ok;
}

bool
cert_verify(struct str pem, bool pss, struct str signed_part, struct str signature)
{
	X509 *x = cert_read(pem);
	EVP_PKEY *key = x != NULL ? X509_get_pubkey(x) : NULL;
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	EVP_PKEY_CTX *pk = NULL;
	bool ok = key != NULL && md != NULL && EVP_PKEY_is_a(key, "RSA") &&
		  EVP_DigestVerifyInit(md, &pk, EVP_sha256(), NULL, key) == 1;

	if (ok && pss)
		ok = EVP_PKEY_CTX_set_rsa_padding(pk, RSA_PKCS1_PSS_PADDING) == 1 &&
		     EVP_PKEY_CTX_set_rsa_pss_saltlen(pk, RSA_PSS_SALTLEN_DIGEST) == 1;
	ok = ok && EVP_DigestVerify(md, (const unsigned char *)signature.p, signature.n,
		       (const unsigned char *)signed_part.p, signed_part.n) == 1;
	EVP_MD_CTX_free(md);
	EVP_PKEY_free(key);
	X509_free(x);
	ERR_clear_error();
	return ok;
}

static void
guid_write(const unsigned char *b, char out[GUID_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	size_t at = 0;

	for (size_t i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			out[at++] = '-';
		out[at++] = digits[b[i] >> 4];
		out[at++] = digits[b[i] & 15];
	}
	out[at] = '\0';
}

bool
guid_random(char out[GUID_SIZE])
{
	unsigned char b[16];

	if (RAND_bytes(b, sizeof(b)) != 1)
		return false;
	b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
	b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
	guid_write(b, out);
	return true;
}

void
guid_of(char out[GUID_SIZE], const char *const *parts)
{
	unsigned char d[EVP_MAX_MD_SIZE] = { 0 };
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	unsigned int n = 0;

	if (md != NULL && EVP_DigestInit_ex(md, EVP_sha256(), NULL) == 1) {
		for (; *parts != NULL; parts++) {
			struct str s = str_from(*parts);

			(void)EVP_DigestUpdate(md, s.p, s.n + 1); /* with the zero between them */
		}
		(void)EVP_DigestFinal_ex(md, d, &n);
	}
	EVP_MD_CTX_free(md);
	d[6] = (unsigned char)((d[6] & 0x0f) | 0x50);
	d[8] = (unsigned char)((d[8] & 0x3f) | 0x80);
	guid_write(d, out);
}

bool
secret_random(struct text *out, size_t n)
{
	static const char letters[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
	unsigned char b[256];

	if (n > sizeof(b) || RAND_bytes(b, (int)n) != 1)
		return false;
	for (size_t i = 0; i < n; i++)
		text_add_char(out, letters[b[i] & 63]);
	OPENSSL_cleanse(b, sizeof(b));
	return true;
}

void
sha256_hex(struct str bytes, char out[65])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char d[EVP_MAX_MD_SIZE] = { 0 };
	unsigned int n = 0;

	(void)EVP_Digest(bytes.p, bytes.n, d, &n, EVP_sha256(), NULL);
	for (size_t i = 0; i < 32; i++) {
		out[2 * i] = digits[d[i] >> 4];
		out[2 * i + 1] = digits[d[i] & 15];
	}
	out[64] = '\0';
}
