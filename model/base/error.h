#ifndef MODEL_BASE_ERROR_H
#define MODEL_BASE_ERROR_H

/*
 * What went wrong, as a value. An error has a fixed size, allocates nothing and is copied by
 * assignment, also across a queue. It says what happened (message), why (up to four older messages,
 * newest first), what a person can do (advice) and when to try again.
 *
 * Contract: a function that can fail returns bool or a pointer. When, and only when, it returns
 * false or NULL it has filled `err`. `err` may be NULL when the caller asks only whether.
 *
 * Threads: pure; a struct error belongs to whoever holds it.
 * Never in an error: a secret's value, a pointer, a full stop at the end.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/macros.h"

/* Whether doing it again can help. */
enum retry {
	RETRY_NEVER,   /* the input or the world must change first */
	RETRY_LATER,   /* the same again, after a while */
	RETRY_OBSERVE, /* look first: the outcome is unknown, or what we knew is old */
};

/* id, CamelCase reason, exit code of the command line, retry, default advice */
#define ERROR_CODES(X)                                                                             \
	X(NONE, "None", 0, RETRY_NEVER, "")                                                        \
	X(INTERNAL, "InternalError", 1, RETRY_LATER, "report this with the log")                   \
	X(NO_MEMORY, "OutOfMemory", 1, RETRY_LATER, "free memory and try again")                   \
	X(USAGE, "Usage", 2, RETRY_NEVER, "see --help")                                            \
	X(INVALID, "Invalid", 3, RETRY_NEVER, "correct the input")                                 \
	X(TOO_LARGE, "TooLarge", 3, RETRY_NEVER, "split or shorten the input")                     \
	X(NOT_FOUND, "NotFound", 4, RETRY_OBSERVE, "check the name with 'flightdeck get'")         \
	X(EXISTS, "AlreadyExists", 5, RETRY_OBSERVE, "choose another name")                        \
	X(CONFLICT, "Conflict", 5, RETRY_OBSERVE, "somebody changed it meanwhile: look again")     \
	X(GONE, "Expired", 5, RETRY_OBSERVE, "list again")                                         \
	X(TIMEOUT, "Timeout", 6, RETRY_OBSERVE, "try again, or allow more time")                   \
	X(REFUSED, "Refused", 7, RETRY_NEVER, "")                                                  \
	X(READ_ONLY, "ReadOnly", 7, RETRY_NEVER, "the owner of this profile can write")            \
	X(IO, "InputOutput", 1, RETRY_LATER, "check the disk")                                     \
	X(DISK_FULL, "DiskFull", 1, RETRY_LATER, "free space on the state directory's disk")       \
	X(STORE, "StoreError", 1, RETRY_LATER, "")                                                 \
	X(CORRUPT, "StoreDamaged", 1, RETRY_NEVER, "restore the newest backup")                    \
	X(NETWORK, "NetworkError", 1, RETRY_LATER, "check the route and the proxy")                \
	X(UNKNOWN_OUTCOME, "UnknownOutcome", 1, RETRY_OBSERVE, "observed again by itself")         \
	X(TLS, "TLSError", 1, RETRY_LATER, "check the certificate and the clock")                  \
	X(UNAUTHENTICATED, "Unauthenticated", 1, RETRY_LATER, "renew the credential")              \
	X(FORBIDDEN, "Forbidden", 1, RETRY_LATER, "grant the missing permission")                  \
	X(THROTTLED, "Throttled", 1, RETRY_LATER, "none: it slows down by itself")                 \
	X(QUOTA, "QuotaExceeded", 1, RETRY_LATER, "ask for more quota, or choose less")            \
	X(CAPACITY, "NoCapacity", 1, RETRY_LATER, "choose another size, zone or region")           \
	X(IMMUTABLE, "ImmutableField", 1, RETRY_NEVER, "make a new one with the wanted value")     \
	X(NAME_TAKEN, "NameTaken", 1, RETRY_NEVER, "rename, or adopt it explicitly")               \
	X(BUSY, "OperationInProgress", 1, RETRY_LATER, "none: it waits by itself")                 \
	X(CLOUD, "CloudError", 1, RETRY_LATER, "")                                                 \
	X(CANCELED, "Canceled", 1, RETRY_LATER, "")

#define X(id, reason, exit_code, retry, advice) ERR_##id,
enum error_code { ERROR_CODES(X) ERR__MAX };
#undef X

enum {
	ERROR_MESSAGE_MAX = 768,
	ERROR_CAUSE_MAX = 384,
	ERROR_CAUSES_MAX = 4,
	ERROR_REASON_MAX = 64
};

struct error {
	enum error_code code;
	unsigned ncauses;
	int64_t retry_after_ms;		 /* 0 when nobody said */
	char reason[ERROR_REASON_MAX];	 /* stable CamelCase; "" means the code's own */
	char message[ERROR_MESSAGE_MAX]; /* the thing, the place, the remedy */
	char advice[ERROR_CAUSE_MAX];	 /* "" means the code's own */
	char cause[ERROR_CAUSES_MAX][ERROR_CAUSE_MAX]; /* newest first */
};

/* Fills err (may be NULL). Both return false, so that a caller can return them. */
bool error_set(struct error *err, enum error_code code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Puts a new message in front and pushes the old one down to the causes; keeps the code. */
bool error_wrap(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Replaces the advice, or the CamelCase reason, of an error that is set. err may be NULL. */
void error_advise(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
void error_name(struct error *err, const char *reason);

void error_clear(struct error *err);

/* Columns of the list above. They borrow constant text. */
const char *error_reason(const struct error *err);
const char *error_advice(const struct error *err);
int error_exit_code(const struct error *err);
enum retry error_retry(const struct error *err);

#endif
