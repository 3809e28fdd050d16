/*
 * Sealed text, version 1:
 *
 *   "fd1:" base64url( wrap nonce 12 | wrapped data key 32 | wrap tag 16 | nonce 12 | body | tag 16
 * )
 *
 * The data key is fresh for every write, so its nonce can never repeat; it is wrapped by the key of
 * the installation. Both layers authenticate the same associated data: "fd1|" and the context.
 */

#include "backend/store/secrets.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/runtime/statedir.h"
#include "backend/store/secrets_int.h"
#include "model/base/mem.h"

enum {
	KEY_BYTES = 32,
	NONCE_BYTES = 12,
	TAG_BYTES = 16,
	WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES,
	OVERHEAD_BYTES = WRAPPED_BYTES + NONCE_BYTES + TAG_BYTES,
	SEALED_MAX = 64 * 1024 * 1024,
};

static const char key_name[] = "key";
static const char seal_prefix[] = "fd1:";

struct secret {
	size_t n;
	bool locked;
	char bytes[];
};

void
secret_wipe(void *p, size_t n)
{
	if (p != NULL && n > 0)
		OPENSSL_cleanse(p, n);
}

void
secret_wipe_str(struct str s)
{
	union {
		const char *read;
		char *write;
	} p = { .read = s.p };

	secret_wipe(p.write, s.n);
}

struct secret *
secret_new(struct str bytes)
{
	struct secret *s = mem_new(sizeof *s + bytes.n + 1);

	if (s == NULL)
		return NULL;
	s->n = bytes.n;
	/* Best effort: the limit of locked memory is small, and swap may be off anyway. */
	s->locked = mlock(s, sizeof *s + bytes.n + 1) == 0;
	if (bytes.n > 0)
		memcpy(s->bytes, bytes.p, bytes.n);
	return s;
}

struct str
secret_get(const struct secret *s)
{
	return (struct str){ s->bytes, s->n };
}

void
secret_free(struct secret *s)
{
	size_t total;

	if (s == NULL)
		return;
	total = sizeof *s + s->n + 1;
	secret_wipe(s->bytes, s->n);
	if (s->locked)
		(void)munlock(s, total);
	mem_free(s);
}

bool
secret_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || CRYPTO_memcmp(a.p, b.p, a.n) == 0);
}

struct secret_box {
	unsigned char key[KEY_BYTES];
};

static bool
crypto_failed(struct error *err)
{
	return error_set(err, ERR_INTERNAL, "the cryptography library refused to work");
}

static bool
key_load(int fd, const char *path, unsigned char key[KEY_BYTES], struct error *err)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) != 0)
		return error_set(err, ERR_IO, "cannot look at '%s': %s", path, errno_text(errno));
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_nlink != 1 ||
	    (st.st_mode & 077) != 0) {
		error_set(err, ERR_REFUSED, "'%s' is not a file that you alone can read", path);
		error_advise(err, "chown it to yourself and chmod 0600 it; make new credentials if "
				  "somebody may have read it");
		return false;
	}
	n = read(fd, key, KEY_BYTES);
	if (n != KEY_BYTES || st.st_size != KEY_BYTES) {
		error_set(err, ERR_CORRUPT, "key file '%s' has %lld bytes instead of %d", path,
		    (long long)st.st_size, KEY_BYTES);
		error_advise(err, "restore it from a backup; without it stored secrets are lost");
		return false;
	}
	return true;
}

/* A file of another name with a new key in it, flushed. tmp ends in XXXXXX. */
static bool
key_write(char *tmp, struct error *err)
{
	unsigned char key[KEY_BYTES];
	bool ok = false;
	int fd = -1;

	if (RAND_bytes(key, KEY_BYTES) != 1)
		return crypto_failed(err);
	fd = mkostemp(tmp, O_CLOEXEC); /* O_EXCL, 0600 */
	if (fd >= 0 && write(fd, key, KEY_BYTES) == KEY_BYTES && fsync(fd) == 0)
		ok = true;
	else
		error_set(err,
		    errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? ERR_DISK_FULL : ERR_IO,
		    "cannot write '%s': %s", tmp, errno_text(errno));
	if (fd >= 0)
		(void)close(fd);
	if (fd >= 0 && !ok)
		(void)unlink(tmp);
	secret_wipe(key, sizeof key);
	return ok;
}

/*
 * The key appears whole or not at all, and never over another one: of several processes that start
 * at once, the first one's key counts, and the others read it.
 */
static bool
key_make(const char *dir, const char *path, struct error *err)
{
	char *tmp = statedir_path(dir, ".key-XXXXXX");
	bool ok = false;

	if (tmp == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a path");
	if (!key_write(tmp, err))
		goto out;
	if (renameat2(AT_FDCWD, tmp, AT_FDCWD, path, RENAME_NOREPLACE) != 0) {
		int number = errno;

		(void)unlink(tmp);
		if (number != EEXIST) {
			error_set(err, ERR_IO, "cannot make '%s': %s", path, errno_text(number));
			goto out;
		}
	}
	ok = statedir_sync(dir, err);
out:
	mem_free(tmp);
	return ok;
}

/* A store that is there was sealed with a key: a new one would only hide that it is missing. */
static bool
key_may_be_made(const char *dir, const char *path, struct error *err)
{
	char *store = statedir_path(dir, "flightdeck.db");
	bool ok;

	if (store == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a path");
	ok = access(store, F_OK) != 0;
	if (!ok) {
		error_set(err, ERR_CORRUPT, "key file '%s' is missing, but its store '%s' is there",
		    path, store);
		error_advise(err, "restore it from a backup; without it stored secrets are lost");
	}
	mem_free(store);
	return ok;
}

static bool
key_open(const char *dir, unsigned char key[KEY_BYTES], struct error *err)
{
	char *path = statedir_path(dir, key_name);
	bool ok = false;
	int fd = -1;

	if (path == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory for a path");
		goto out;
	}
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT) {
		if (!key_may_be_made(dir, path, err) || !key_make(dir, path, err))
			goto out;
		fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	}
	if (fd < 0)
		error_set(err, errno == ELOOP || errno == EACCES ? ERR_REFUSED : ERR_IO,
		    "cannot open key file '%s': %s", path, errno_text(errno));
	else
		ok = key_load(fd, path, key, err);
out:
	if (fd >= 0)
		(void)close(fd);
	mem_free(path);
	return ok;
}

bool
secret_box_open(const char *dir, struct secret_box **ret_box, struct error *err)
{
	struct secret_box *box = mem_new(sizeof *box);

	if (box == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for the key");
	(void)mlock(box, sizeof *box); /* best effort, as above */
	if (!key_open(dir, box->key, err)) {
		secret_box_free(box);
		return false;
	}
	*ret_box = box;
	return true;
}

struct secret_box *
secret_box_with_key(const unsigned char key[SECRET_KEY_BYTES])
{
	struct secret_box *box = mem_new(sizeof *box);

	if (box != NULL)
		memcpy(box->key, key, KEY_BYTES);
	return box;
}

void
secret_box_free(struct secret_box *box)
{
	if (box == NULL)
		return;
	secret_wipe(box, sizeof *box);
	(void)munlock(box, sizeof *box);
	mem_free(box);
}

bool
secret_box_mac(const struct secret_box *box, struct str bytes, unsigned char ret_mac[32])
{
	static const char use[] = "flightdeck audit head";
	unsigned char sub[32];
	unsigned n = 0;
	bool ok;

	/* A key of its own for this use, so that the two uses cannot be played against each other.
	 */
	ok = HMAC(EVP_sha256(), box->key, KEY_BYTES, (const unsigned char *)use, sizeof use - 1,
		 sub, &n) != NULL &&
	     HMAC(EVP_sha256(), sub, sizeof sub, (const unsigned char *)bytes.p, bytes.n, ret_mac,
		 &n) != NULL;
	secret_wipe(sub, sizeof sub);
	return ok;
}

/* AES-256-GCM over in[n] into out[n], tag apart. */
static bool
gcm(bool encrypt, const unsigned char *key, const unsigned char *nonce, struct str context,
    struct gcm_piece piece)
{
	EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
	int n = 0, last = 0;
	bool ok = false;

	if (c == NULL || piece.n > SEALED_MAX || context.n > SEALED_MAX)
		goto out;
	if (EVP_CipherInit_ex(c, EVP_aes_256_gcm(), NULL, key, nonce, encrypt) != 1 ||
	    EVP_CipherUpdate(
		c, NULL, &n, (const unsigned char *)seal_prefix, sizeof seal_prefix - 1) != 1)
		goto out;
	if (context.n > 0 &&
	    EVP_CipherUpdate(c, NULL, &n, (const unsigned char *)context.p, (int)context.n) != 1)
		goto out;
	if (piece.n > 0 && EVP_CipherUpdate(c, piece.out, &n, piece.in, (int)piece.n) != 1)
		goto out;
	if (!encrypt && EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_SET_TAG, TAG_BYTES, piece.tag) != 1)
		goto out;
	if (EVP_CipherFinal_ex(c, piece.out + piece.n, &last) != 1)
		goto out;
	if (encrypt && EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_GET_TAG, TAG_BYTES, piece.tag) != 1)
		goto out;
	ok = true;
out:
	EVP_CIPHER_CTX_free(c);
	return ok;
}

static bool
seal_raw(const struct secret_box *box, struct str plain, struct str context, unsigned char *raw)
{
	unsigned char key[KEY_BYTES];
	unsigned char *body = raw + WRAPPED_BYTES + NONCE_BYTES;
	bool ok;

	ok = RAND_bytes(key, KEY_BYTES) == 1 && RAND_bytes(raw, NONCE_BYTES) == 1 &&
	     RAND_bytes(raw + WRAPPED_BYTES, NONCE_BYTES) == 1 &&
	     gcm(true, box->key, raw, context,
		 (struct gcm_piece){
		     key, raw + NONCE_BYTES, KEY_BYTES, raw + NONCE_BYTES + KEY_BYTES }) &&
	     gcm(true, key, raw + WRAPPED_BYTES, context,
		 (struct gcm_piece){
		     (const unsigned char *)plain.p, body, plain.n, body + plain.n });
	secret_wipe(key, sizeof key);
	return ok;
}

bool
secret_seal(const struct secret_box *box, struct str plain, struct str context, struct text *out,
    struct error *err)
{
	unsigned char *raw;
	bool ok;

	if (plain.n > SEALED_MAX / 2)
		return error_set(err, ERR_TOO_LARGE, "a secret of %zu bytes is too large", plain.n);
	raw = mem_new(plain.n + OVERHEAD_BYTES);
	if (raw == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory to seal a secret");
	ok = seal_raw(box, plain, context, raw) || crypto_failed(err);
	if (ok) {
		text_add(out, seal_prefix);
		text_add_base64url(out, (struct str){ (char *)raw, plain.n + OVERHEAD_BYTES });
		ok = text_ok(out, "sealed secret", err);
	}
	mem_free(raw);
	return ok;
}

static int
base64url_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '-' || c == '_')
		return c == '-' ? 62 : 63;
	return -1;
}

/* Strict, unpadded; left-over bits must be zero, so that each value has one spelling. */
static bool
base64url_decode(struct str s, unsigned char *out, size_t *ret_n)
{
	uint32_t bits = 0;
	unsigned have = 0;
	size_t n = 0;

	if (s.n % 4 == 1)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		int v = base64url_value(s.p[i]);

		if (v < 0)
			return false;
		bits = bits << 6 | (uint32_t)v;
		have += 6;
		if (have >= 8) {
			have -= 8;
			out[n++] = (unsigned char)(bits >> have);
			bits &= (1U << have) - 1;
		}
	}
	*ret_n = n;
	return bits == 0;
}

static bool
open_raw(const struct secret_box *box, unsigned char *raw, size_t n, struct str context,
    unsigned char *plain)
{
	unsigned char key[KEY_BYTES + TAG_BYTES];
	unsigned char *body = raw + WRAPPED_BYTES + NONCE_BYTES;
	bool ok;

	ok = gcm(false, box->key, raw, context,
		 (struct gcm_piece){
		     raw + NONCE_BYTES, key, KEY_BYTES, raw + NONCE_BYTES + KEY_BYTES }) &&
	     gcm(false, key, raw + WRAPPED_BYTES, context,
		 (struct gcm_piece){ body, plain, n, body + n });
	secret_wipe(key, sizeof key);
	return ok;
}

bool
secret_open(const struct secret_box *box, struct str sealed, struct str context,
    struct secret **ret_secret, struct error *err)
{
	struct secret *plain = NULL;
	unsigned char *raw = NULL;
	bool ok = false;
	size_t n = 0;

	if (!str_starts(sealed, str_from(seal_prefix)) || sealed.n > SEALED_MAX) {
		error_set(err, ERR_CORRUPT, "a sealed secret has an unknown format");
		error_advise(err, "use the version of flightdeck that wrote it");
		return false;
	}
	sealed = str_sub(sealed, sizeof seal_prefix - 1, sealed.n);
	raw = mem_new(sealed.n + 1);
	if (raw == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory to open a secret");
		goto out;
	}
	if (!base64url_decode(sealed, raw, &n) || n < OVERHEAD_BYTES)
		goto damaged;
	n -= OVERHEAD_BYTES;
	plain = mem_new(sizeof *plain + n + TAG_BYTES);
	if (plain == NULL) {
		error_set(err, ERR_NO_MEMORY, "no memory to open a secret");
		goto out;
	}
	plain->n = n;
	if (!open_raw(box, raw, n, context, (unsigned char *)plain->bytes))
		goto damaged;
	*ret_secret = plain;
	plain = NULL;
	ok = true;
	goto out;
damaged:
	error_set(err, ERR_CORRUPT,
	    "a sealed secret cannot be opened: damaged, moved, or of another key");
	error_advise(err, "restore the key file and the store from the same backup");
out:
	secret_free(plain);
	mem_free(raw);
	return ok;
}
