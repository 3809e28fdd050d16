#ifndef BACKEND_STORE_SECRETS_INT_H
#define BACKEND_STORE_SECRETS_INT_H

/*
 * What the store needs of secrets beside sealing. For backend/store and its tests.
 *
 * Ownership: secret_box_with_key is freed by secret_box_free. Threads: any.
 */

#include "backend/store/secrets.h"

enum { SECRET_KEY_BYTES = 32, SECRET_MAC_BYTES = 32 };

/* in and out have n bytes each, out with room for the cipher's last block (none in this mode). */
struct gcm_piece {
	const unsigned char *in;
	unsigned char *out;
	size_t n;
	unsigned char *tag;
};

/* A box of a given key; NULL without memory. */
struct secret_box *secret_box_with_key(const unsigned char key[SECRET_KEY_BYTES]) MUST_CHECK;
/* HMAC-SHA256 under a key derived from the box's: signs the head of the audit trail. */
bool secret_box_mac(const struct secret_box *box, struct str bytes,
    unsigned char ret_mac[SECRET_MAC_BYTES]) MUST_CHECK;

#endif
