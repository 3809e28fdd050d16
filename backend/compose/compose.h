#ifndef BACKEND_COMPOSE_COMPOSE_H
#define BACKEND_COMPOSE_COMPOSE_H

/*
 * The compose engine: drives a plan to reality so that a crash at any instruction makes nothing
 * twice, forgets nothing and loses nothing (trust.md 5). It knows no cloud: a provider is a table
 * of resource types, and each type a row of functions.
 *
 * For each resource of a plan there is one External object in the store: key, name, token, account,
 * hash of the parameters and phase are durable there before the first byte of a create leaves. A
 * pass observes everything first (providers answer from shared list calls where they can), then
 * takes for each resource the step that the matrix seen x wanted names. Resources that wait on
 * nothing run at once; long operations are followed by later passes, never waited for in one.
 *
 * Ownership: the engine borrows store and clock. A step borrows everything for the call.
 * Threads: compose_reconcile may run on many workers, one owner object at a time.
 * Failure: what went wrong with one resource is recorded on its External and in the result; false
 * is returned only when the pass itself could not go on (store, memory, fencing).
 */

#include <stdbool.h>
#include <stdint.h>

#include "backend/store/store.h"
#include "model/compose/plan.h"
#include "model/kinds/external.h"

struct clock;
struct compose;

enum seen {
	SEEN_UNKNOWN, /* could not be found out in this pass: err says why */
	SEEN_ABSENT,
	SEEN_PENDING, /* there, and an operation of the cloud is running on it */
	SEEN_READY,
	SEEN_DRIFTED, /* differs from what is wanted; observe has filled step->drift */
	SEEN_BROKEN,  /* there, and the cloud says failed */
	SEEN_FOREIGN, /* the name is there without our mark */
	SEEN__MAX
};

/* What happened to an acting request (trust.md 5.1). */
enum outcome {
	OUTCOME_DONE,	  /* accepted and complete */
	OUTCOME_STARTED,  /* accepted; ext->spec.operation may hold the operation */
	OUTCOME_REFUSED,  /* known refused: may be repeated with the same intent */
	OUTCOME_NOT_SENT, /* known not sent */
	OUTCOME_UNKNOWN,  /* may or may not have been applied */
	OUTCOME__MAX
};

/* One resource in one pass, as its row's functions see it. */
struct step {
	struct compose *compose;
	const struct object *owner;
	const struct plan_resource *want; /* NULL when it is no longer in the plan */
	struct external *ext; /* the record; functions fill externalId, operation, etag, observed,
				 progress, version, account, lastSeen; the engine saves it */
	struct arena *arena;  /* lives as long as the pass */
	void *session;	      /* what the provider's open returned */
	struct clock *clock;
	struct text *drift;   /* observe: "minCount 1 -> 2; vmSize (immutable) ..." for people */
	bool drift_immutable; /* observe: the difference cannot be put right */
	int64_t look_ms;      /* any function: look again after this; 0 for the row's poll_ms */
};

/* Another resource of the same owner in this pass, by key; NULL when there is none. */
const struct external *step_peer(const struct step *s, const char *key);

enum resource_flags {
	RES_TOKEN = 1 << 0,	  /* the create carries a token: repeating is safe */
	RES_UNIQUE_NAME = 1 << 1, /* the name decides: get by name resolves an unknown outcome */
	RES_UPSERT = 1 << 2, /* create and update are one call, so a stranger must be ruled out */
	RES_CONTAINED = 1 << 3, /* goes when the resource it is contained in goes; not deleted alone
				   when that one is to be deleted too */
	RES_CLUSTER_LEVEL = 1 << 4, /* excludes the other operations of the same lane */
	RES_LANE_SHARED = 1 << 5,   /* may run beside others of its kind in the lane */
	RES_COUNTED = 1 << 6,	   /* costs money: counts when many are gone at once (cases C15) */
};

/* On owners: adopt what bears the name without our mark; believe that so much is really gone. */
#define COMPOSE_ADOPT		"flightdeck.dev/adopt"
#define COMPOSE_CONFIRM_ABSENCE "flightdeck.dev/confirm-absence"
/* On External objects. */
#define COMPOSE_FINALIZER	"flightdeck.dev/external" /* until the resource is known to be gone */
#define COMPOSE_OWNER_LABEL	"flightdeck.dev/owner-uid"
/* Reason with which a row's remove refuses because others keep things inside: what is contained
   is then removed one by one, and the container stays and is reported. */
#define COMPOSE_FOREIGN_CONTENT "ForeignContent"

enum {
	COMPOSE_GRACE_MS = 150 * 1000,	/* before the absence of a known resource is believed */
	COMPOSE_STEADY_MS = 120 * 1000, /* what owners of clouds should be observed in */
	COMPOSE_ABSENT_MIN = 3,		/* SuspiciousAbsence: this many ... */
	COMPOSE_ABSENT_PERCENT = 20,	/* ... and more than this share of what is known */
	COMPOSE_AGREE_PASSES = 3,
	COMPOSE_AGREE_MS = 10 * 60 * 1000,
	COMPOSE_RETRY_MIN_MS = 5 * 1000, /* back-off of one resource, doubling */
	COMPOSE_RETRY_MAX_MS = 5 * 60 * 1000,
	COMPOSE_RETRY_NEVER_MS = 10 * 60 * 1000, /* a refusal that only a person can lift */
};

struct resource_type {
	const char *name; /* "agent-pool" */
	const char *what; /* "AKS agent pool" */
	unsigned flags;
	const char *lane; /* operations in one lane of one owner exclude each other; NULL none */
	const char *container; /* type in which it is contained (RES_CONTAINED), or NULL */
	int64_t settle_ms;     /* window of trust.md 5.4; 0 for named and tokened ones */
	int64_t poll_ms;       /* between observations while pending, when the cloud says nothing */
	int64_t deadline_ms;   /* after this an operation is called stuck */
	enum seen (*observe)(struct step *s, struct error *err);
	enum outcome (*create)(struct step *s, struct error *err);
	enum outcome (*update)(struct step *s, struct error *err); /* NULL: nothing can change */
	enum outcome (*remove)(struct step *s, struct error *err);
};

struct provider {
	const char *name; /* "azure", "kube" */
	const struct resource_type *types;
	size_t ntypes;
	void *state; /* shared by all sessions: token caches, list caches, rate limits */
	/* A session for one owner in one pass: credentials looked up, account known. NULL fails. */
	void *(*open)(void *state, struct store *st, const struct object *owner, struct arena *a,
	    struct str *ret_account, struct error *err);
	void (*close)(void *state, void *session);
	void (*free)(void *state);
};

struct compose_options {
	struct store *store; /* embedded or remote */
	struct clock *clock;
	const char *installation; /* tags and tokens derive from it */
	int64_t epoch;
	const struct provider *providers; /* copied; state is freed by compose_free */
	size_t nproviders;
};

bool compose_new(
    const struct compose_options *opt, struct compose **ret_compose, struct error *err) MUST_CHECK;
void compose_free(struct compose *c);

struct compose_result {
	unsigned wanted, ready, pending, failed, drifted, left; /* left: externals still there */
	unsigned acted;		    /* acting requests sent in this pass */
	int64_t next_ms;	    /* look again after this (mono), 0 when steady */
	struct error worst;	    /* code ERR_NONE when nothing is wrong */
	struct str worst_key;	    /* in the caller's arena */
	struct external *externals; /* as they are after the pass, in plan order, in the arena */
	size_t nexternals;
};

/*
 * One pass. plan NULL removes whatever is recorded for the owner: what is to go is known from the
 * records alone, because the spec may have changed since.
 */
bool compose_reconcile(struct compose *c, const struct object *owner, const struct plan *plan,
    struct arena *a, struct compose_result *ret, struct error *err) MUST_CHECK;

/* "<owner kind>-<owner name>-<key>" cut to 63 with a hash: the External's object name. */
struct str external_object_name(struct arena *a, const struct object *owner, struct str key);

const char *compose_installation(const struct compose *c);

#endif
