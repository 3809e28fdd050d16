#ifndef MODEL_NAMES_H
#define MODEL_NAMES_H

/*
 * Deterministic names (spec/reconcile.md 2): parts joined by '-', cut, and a 5-digit hash of the
 * whole. The test vectors of the spec are the unit test.
 *
 * Ownership: results live in the arena. Threads: pure.
 */

#include "model/base/text.h"

struct arena;

enum { NAME_MAX_LEN = 63, NAME_HASH_LEN = 5 };

/* NULL-terminated parts. */
struct str child_name(struct arena *a, const char *const *parts);
struct str child_name2(struct arena *a, struct str p1, const char *p2);
struct str child_name3(struct arena *a, struct str p1, struct str p2, const char *p3);
struct str opaque_name(struct arena *a, struct str visible, const char *const *parts);
struct str grove_name(struct arena *a, struct str replica, struct str engine);

/* First 8 characters of lower-case base32 of SHA-256 over the parts with NUL between (trust 5.3).
 */
struct str id8(struct arena *a, const char *const *parts);
/* UUID-shaped text from SHA-256 over the parts with NUL between. */
struct str uuid_from(struct arena *a, const char *const *parts);

#endif
