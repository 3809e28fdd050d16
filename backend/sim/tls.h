#ifndef BACKEND_SIM_TLS_H
#define BACKEND_SIM_TLS_H

/*
 * Keys and certificates of the simulator: authorities, the services' own, the administrator's of a
 * cluster, and the one an application signs in with. All in PEM.
 *
 * Ownership: keypair_fini wipes and frees. Threads: pure. Failure: ERR_TLS.
 * Times are real (a TLS library checks them against the machine's clock); only `until_ms` may be
 * later than that, in the simulator's time.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"

struct keypair {
	struct text cert;
	struct text key;
};

enum cert_use { CERT_AUTHORITY, CERT_SERVER, CERT_CLIENT, CERT_SIGNER };

struct cert_spec {
	enum cert_use use;
	const char *organisation; /* may be NULL */
	const char *name;	  /* common name */
	const char *dns;  /* one more name of a server, or NULL; 127.0.0.1 and localhost always */
	int64_t until_ms; /* end of validity, 0 for ten years */
	bool rsa;	  /* 2048 bits instead of P-256 */
};

/* `issuer` NULL: signed by itself. */
bool keypair_make(const struct cert_spec *spec, const struct keypair *issuer,
    struct keypair *ret_pair, struct error *err) MUST_CHECK;
void keypair_fini(struct keypair *k);

/* base64url (no padding) of the certificate's SHA-1 or SHA-256 digest over its DER. */
bool cert_thumbprint(struct str pem, bool sha256, struct text *out) MUST_CHECK;
/* Whether a signature over `signed_part` is by the certificate's key: PS256 or RS256. */
bool cert_verify(struct str pem, bool pss, struct str signed_part, struct str signature);

/* A GUID: random, or always the same for the same NULL-terminated parts. 36 characters and a zero.
 */
enum { GUID_SIZE = 37 };
bool guid_random(char out[GUID_SIZE]) MUST_CHECK;
void guid_of(char out[GUID_SIZE], const char *const *parts);
/* n random characters that a secret may have. */
bool secret_random(struct text *out, size_t n) MUST_CHECK;
/* Lower-case hexadecimal SHA-256. */
void sha256_hex(struct str bytes, char out[65]);

#endif
