#ifndef MODEL_KINDS_EXTERNAL_H
#define MODEL_KINDS_EXTERNAL_H

/*
 * External: what is recorded about one resource of a plan, living in a cloud or on a cluster. The
 * intent in it is durable before the first byte of a create leaves (trust.md 5). One object a
 * resource, in the namespace of its owner, with its owner's ownerReference.
 *
 * Ours alone: group flightdeck.dev, not exported as a CRD, no status subresource.
 *
 * Ownership: borrows from the arena of schema_decode. Threads: pure. Times are wall clock, ms.
 */

#include "model/kinds/meta.h"

enum external_phase {
	EXTERNAL_INTENT,  /* wanted and written down; nothing sent */
	EXTERNAL_UNKNOWN, /* sent, and the answer is lost */
	EXTERNAL_CREATED, /* exists, not usable yet */
	EXTERNAL_READY,
	EXTERNAL_DRIFTED, /* exists with other values than wanted */
	EXTERNAL_DELETING,
	EXTERNAL_TOMBSTONE, /* gone, remembered until its owner is */
	EXTERNAL_FAILED,
	EXTERNAL_WAITING, /* for another resource */
};

struct external_error {
	bool present;
	struct str reason, message, advice;
};

struct external_spec {
	bool present;
	struct str owner_uid, owner_kind, owner_name;
	struct str key;	     /* logical key in the plan */
	struct str type;     /* row name, such as "managed-cluster" */
	struct str provider; /* "azure", "kube" */
	struct str account;  /* identity that made it */
	struct str scope;    /* region or resource group */
	struct str name;     /* the cloud's name */
	struct str token;
	struct opt_int incarnation;
	struct str want_hash;
	struct opt_int order; /* place in the plan */
	struct str what;      /* words for people */
	struct str detail;
	int phase; /* enum external_phase */
	struct str external_id;
	struct str operation; /* URL of the cloud's long-running job */
	struct str etag;
	struct opt_int epoch;
	struct opt_int intent_at, sent_at, deadline_at, settle_until, last_seen, since;
	struct opt_int attempts, next_try;
	struct external_error error;
	struct str progress;
	const struct node *observed; /* small */
	struct str version;
	struct str waits_for;
};

struct external {
	struct str api_version, kind;
	struct meta meta;
	struct external_spec spec;
};

extern const struct schema external_schema;
extern const struct kind external_kind;
extern const char *const external_phase_words[];

#endif
