#ifndef TESTS_PKI_H
#define TESTS_PKI_H

/* Certificates for tests, made in the process: a CA and what it signs (EC keys, one day). */

#include <string.h>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "model/base/mem.h"
#include "model/base/text.h"

struct pki {
	X509 *x509;
	EVP_PKEY *pkey;
	char *cert; /* PEM */
	char *key;  /* PEM */
};

static inline char *
pki_text(BIO *bio)
{
	char *p = NULL;
	long n = BIO_get_mem_data(bio, &p);
	char *copy = mem_dup(p, (size_t)n);

	BIO_free(bio);
	return copy;
}

static inline void
pki_extension(X509 *x, X509 *issuer, int nid, const char *value)
{
	X509V3_CTX ctx;

	X509V3_set_ctx(&ctx, issuer, x, NULL, NULL, 0);
	X509_EXTENSION *ext = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);

	X509_add_ext(x, ext, -1);
	X509_EXTENSION_free(ext);
}

/* ca NULL: self-signed CA. names: "DNS:localhost,IP:127.0.0.1" or NULL. */
static inline struct pki
pki_make(const struct pki *ca, const char *org, const char *cn, const char *names)
{
	struct pki p = { .x509 = X509_new(), .pkey = EVP_EC_gen("P-256") };
	X509_NAME *name = X509_get_subject_name(p.x509);
	static long serial = 1000;

	X509_set_version(p.x509, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(p.x509), serial++);
	X509_gmtime_adj(X509_getm_notBefore(p.x509), -3600);
	X509_gmtime_adj(X509_getm_notAfter(p.x509), 86400);
	X509_set_pubkey(p.x509, p.pkey);
	if (org != NULL)
		X509_NAME_add_entry_by_txt(
		    name, "O", MBSTRING_ASC, (const unsigned char *)org, -1, -1, 0);
	X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)cn, -1, -1, 0);
	X509 *issuer = ca != NULL ? ca->x509 : p.x509;

	X509_set_issuer_name(p.x509, X509_get_subject_name(issuer));
	pki_extension(p.x509, issuer, NID_basic_constraints,
	    ca == NULL ? "critical,CA:TRUE" : "critical,CA:FALSE");
	pki_extension(p.x509, issuer, NID_subject_key_identifier, "hash");
	if (ca == NULL)
		pki_extension(p.x509, issuer, NID_key_usage, "critical,keyCertSign,cRLSign");
	if (names != NULL)
		pki_extension(p.x509, issuer, NID_subject_alt_name, names);
	X509_sign(p.x509, ca != NULL ? ca->pkey : p.pkey, EVP_sha256());

	BIO *b = BIO_new(BIO_s_mem());

	PEM_write_bio_X509(b, p.x509);
	p.cert = pki_text(b);
	b = BIO_new(BIO_s_mem());
	PEM_write_bio_PKCS8PrivateKey(b, p.pkey, NULL, NULL, 0, NULL, NULL);
	p.key = pki_text(b);
	return p;
}

static inline void
pki_free(struct pki *p)
{
	X509_free(p->x509);
	EVP_PKEY_free(p->pkey);
	mem_free(p->cert);
	mem_free(p->key);
}

#endif
