#include "backend/kube/pem.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/pem.h>

#include "backend/store/secrets.h"
#include "model/base/mem.h"

void
str_wipe(struct str s)
{
	char *p = NULL;

	if (s.n == 0)
		return;
	memcpy(&p, &s.p, sizeof(p)); /* the bytes are ours: only the view is const */
	secret_wipe(p, s.n);
}

bool
pem_is(struct str bytes)
{
	return str_find(bytes, STR("-----BEGIN ")) >= 0;
}

/* Never asks for a passphrase. */
static int
no_passphrase(char *buf UNUSED, int size UNUSED, int writing UNUSED, void *context UNUSED)
{
	return -1;
}

static X509 *
certificate_open(struct str pem)
{
	BIO *bio = pem.n <= INT32_MAX ? BIO_new_mem_buf(pem.p, (int)pem.n) : NULL;
	X509 *x = NULL;

	if (bio != NULL)
		x = PEM_read_bio_X509(bio, NULL, no_passphrase, NULL);
	BIO_free(bio);
	ERR_clear_error();
	return x;
}

static EVP_PKEY *
key_open(struct str pem)
{
	BIO *bio = pem.n <= INT32_MAX ? BIO_new_mem_buf(pem.p, (int)pem.n) : NULL;
	EVP_PKEY *key = NULL;

	if (bio != NULL)
		key = PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL);
	BIO_free(bio);
	ERR_clear_error();
	return key;
}

bool
pem_check(struct str pem, enum pem_kind kind, const char *field, struct error *err)
{
	bool ok = false;

	if (kind == PEM_CERTIFICATES) {
		X509 *x = certificate_open(pem);

		ok = x != NULL;
		X509_free(x);
	} else {
		EVP_PKEY *key = key_open(pem);

		ok = key != NULL;
		EVP_PKEY_free(key);
	}
	if (!ok)
		return error_set(err, ERR_INVALID, "%s is not %s", field,
		    kind == PEM_CERTIFICATES ? "a PEM certificate"
					     : "a PEM private key without passphrase");
	return true;
}

bool
pem_pair(struct str cert, struct str key, int64_t *ret_expires_ms, struct error *err)
{
	X509 *x = certificate_open(cert);
	EVP_PKEY *pkey = key_open(key);
	struct tm tm = { 0 };
	bool ok = false;

	if (x == NULL || pkey == NULL)
		error_set(err, ERR_INVALID, "client certificate or key is not PEM");
	else if (X509_check_private_key(x, pkey) != 1)
		error_set(err, ERR_INVALID, "client key does not belong to the client certificate");
	else if (ASN1_TIME_to_tm(X509_get0_notAfter(x), &tm) != 1)
		error_set(err, ERR_INVALID, "client certificate has no valid end");
	else
		ok = true;
	if (ok)
		*ret_expires_ms = (int64_t)timegm(&tm) * 1000;
	ERR_clear_error();
	X509_free(x);
	EVP_PKEY_free(pkey);
	return ok;
}

bool
pem_load(struct str path, const char *field, struct text *out, struct error *err)
{
	char *name = str_dup(path);
	char block[4096];
	struct stat st;
	int fd = -1;
	bool ok = false;

	if (name == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a path");
	if (path.n == 0 || path.p[0] != '/') {
		error_set(err, ERR_INVALID, "%s is not an absolute path: inline the data", field);
		goto out;
	}
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		error_set(err, ERR_IO, "cannot read the file of %s", field);
		goto out;
	}
	ssize_t n = read(fd, block, sizeof(block));

	while (n > 0 && !out->too_long) {
		text_add_str(out, (struct str){ block, (size_t)n });
		n = read(fd, block, sizeof(block));
	}
	secret_wipe(block, sizeof(block));
	if (n < 0) {
		error_set(err, ERR_IO, "cannot read the file of %s", field);
		goto out;
	}
	ok = text_ok(out, field, err);
out:
	if (fd >= 0)
		(void)close(fd);
	mem_free(name);
	return ok;
}
