#ifndef BACKEND_STORE_SECRETS_H
#define BACKEND_STORE_SECRETS_H

/*
 * Secrets in memory (struct secret: no formatter, locked if possible, wiped by free) and at rest
 * (struct secret_box). At rest each write has a fresh 256-bit data key under AES-256-GCM, wrapped
 * by the installation's key (file 0600 beside the store, or a passphrase through scrypt);
 * associated data = installation, uid, field, version, so that no value can be swapped or rolled
 * back between rows. An unknown format version is refused.
 *
 * Ownership: secret_free wipes. Threads: a box is immutable after opening; a secret belongs to one.
 * Not here: where secrets come from (backend/store, backend/providers).
 */

#include <stdbool.h>
#include <stddef.h>

#include "model/base/error.h"
#include "model/base/text.h"

struct secret;

struct secret *secret_new(struct str bytes) MUST_CHECK; /* copies; NULL without memory */
struct str secret_get(const struct secret *s);		/* borrows; never print it */
void secret_free(struct secret *s);
/* Wipes bytes that must not stay: buffers, decoded copies. */
void secret_wipe(void *p, size_t n);
/* The same of text in a tree or an arena that is the caller's alone, though str says const. */
void secret_wipe_str(struct str s);
bool secret_eq(struct str a, struct str b); /* constant time */

struct secret_box;

/* Opens the key file in dir (0600), or makes and syncs it where there is no store yet. */
bool secret_box_open(const char *dir, struct secret_box **ret_box, struct error *err) MUST_CHECK;
void secret_box_free(struct secret_box *box);

/* Sealed text is printable ("fd1:..." base64url). `context` is the associated data. */
bool secret_seal(const struct secret_box *box, struct str plain, struct str context,
    struct text *out, struct error *err) MUST_CHECK;
bool secret_open(const struct secret_box *box, struct str sealed, struct str context,
    struct secret **ret_secret, struct error *err) MUST_CHECK;

#endif
