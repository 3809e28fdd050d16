#ifndef BACKEND_PROVIDERS_AZURE_AZURE_INT_H
#define BACKEND_PROVIDERS_AZURE_AZURE_INT_H

/*
 * Inside the Azure provider. From the bottom up: credential.c (config and Secret), token.c (sign
 * in), throttle.c, errors.c, arm.c (one call), operation.c (long ones), lists.c (shared
 * observation), compare.c (bodies), then a file a row, and azure.c (state, sessions, the table).
 */

#include <pthread.h>
#include <stdatomic.h>

#include "backend/net/http.h"
#include "backend/providers/azure/azure.h"
#include "backend/store/secrets.h"

enum {
	AZURE_MAX_ACCOUNTS = 64,
	AZURE_MAX_IDLE = 16,  /* connections kept for later passes */
	AZURE_MAX_URL = 8192, /* operation URLs are up to 4 KiB (facts 4.1) */
	AZURE_MAX_BODY = 64 * 1024 * 1024,
	AZURE_TOKEN_EARLY_MS = 300 * 1000, /* facts 1.3 */
	AZURE_LIST_CLUSTERS_MS = 55 * 1000,
	AZURE_LIST_OTHERS_MS = 115 * 1000,
};

/* One api-version a service, all in one place (arm.c). */
enum azure_api {
	API_RESOURCES,
	API_NETWORK,
	API_AKS,
	API_ROLES,
	API_SKUS,
	API_USAGES,
	API_FEATURES,
	API_SUBSCRIPTIONS,
	API_OPAQUE, /* the URL has its own */
	API__MAX
};
extern const char *const azure_api_versions[API__MAX];

/* ---- credential.c ---- */

struct azure_credential {
	char *tenant, *client, *subscription;
	char *authority, *arm, *scope; /* no trailing slash */
	struct secret *secret;	       /* client secret, or */
	struct secret *certificate;    /* PEM, certificate and key */
	char *digest;		       /* over all of it: equal credentials share a token */
};

bool azure_credential_load(const struct azure_options *opt, struct store *st, struct arena *a,
    const struct azure_config *config, struct azure_credential *ret, struct error *err) MUST_CHECK;
void azure_credential_fini(struct azure_credential *c);

/* ---- accounts: what all sessions on one subscription share ---- */

enum azure_list { LIST_CLUSTERS, LIST_GROUPS, LIST_NETWORKS, LIST__MAX };

/* One answer of a list call. Immutable; shared. */
struct azure_snapshot {
	atomic_uint refs;
	struct arena *arena;
	struct node *items; /* list */
	int64_t started;    /* mono ms: nothing that happened later is in it */
};

struct azure_list_cache {
	struct azure_snapshot *cur;
	bool refreshing;
	uint64_t failures;   /* fetches that failed */
	struct error failed; /* the last of them */
};

enum throttle_kind { THROTTLE_READ, THROTTLE_WRITE, THROTTLE_DELETE, THROTTLE__MAX };

struct throttle {
	double level[THROTTLE__MAX];	  /* tokens left */
	int64_t at;			  /* mono ms of the levels */
	int64_t blocked_until;		  /* mono ms, learnt from 429 */
	int64_t remaining[THROTTLE__MAX]; /* as the cloud last said; -1 unknown */
};

struct azure_acted {
	struct azure_acted *next;
	char *id; /* lower case */
	int64_t at;
};

struct azure_account {
	struct azure_credential cred;
	char *identity; /* "azure:<tenant>/<subscription>": survives a new secret */
	/* guarded by azure.mu: */
	struct secret *token;
	int64_t token_ends; /* mono ms */
	bool minting;
	struct error mint_error;
	int64_t mint_failed_at;
	struct azure_list_cache lists[LIST__MAX];
	struct throttle throttle;
	struct azure_acted *acted;
	int64_t swept_at;  /* mono ms, 0 never */
	unsigned sessions; /* open ones; without any it may make room */
	uint64_t used;	   /* azure.uses when it was last taken */
};

struct azure_choice {
	char *key;
	struct arena *arena;
	struct node *node;
	int64_t at; /* mono ms */
};
void azure_choice_fini(struct azure_choice *c);

struct azure {
	struct azure_options opt;
	char *authority, *arm, *ca_file, *installation;
	pthread_mutex_t mu;
	pthread_cond_t changed; /* a token or a list arrived */
	struct azure_account *accounts[AZURE_MAX_ACCOUNTS];
	size_t naccounts;
	uint64_t uses;
	struct http_client *idle[AZURE_MAX_IDLE];
	size_t nidle;
	struct azure_choice choices[8]; /* guarded by mu */
	atomic_ulong all, acting, tokens, serial;
};

/* One owner in one pass. */
struct azure_session {
	struct azure *azure;
	struct azure_account *account;
	struct http_client *http;
	struct store *store;
	const struct object *owner;
	struct arena *arena;
	struct text token;			/* wiped */
	struct azure_snapshot *held[LIST__MAX]; /* until the session is closed */
	struct node *cluster;  /* GET of the managed cluster in this pass, NULL when not done */
	struct str cluster_id; /* of that */
	bool cluster_absent;
	bool scoped; /* the config is a ProviderConfig, in config_ns */
	struct str config_ns, config_name;
};

bool azure_session_open(struct azure *az, struct store *st, const struct azure_config *config,
    struct arena *a, struct azure_session **ret_session, struct error *err) MUST_CHECK;
void azure_session_close(struct azure_session *s);

/* ---- token.c ---- */

/* Copies a valid token into s->token. again: the present one was refused. */
bool azure_token(struct azure_session *s, bool again, struct error *err) MUST_CHECK;
/* The signed assertion of a certificate credential (facts 1.2); now in seconds of wall time. */
bool azure_assertion(const struct azure_credential *c, struct str audience, int64_t now_s,
    struct str jti, struct text *out, struct error *err) MUST_CHECK;

/* ---- throttle.c: pure; under azure.mu ---- */

/* 0: go; else ms of the clock until there is room. */
int64_t throttle_take(struct throttle *t, enum throttle_kind kind, int64_t now);
void throttle_refused(struct throttle *t, int64_t now, int64_t retry_after_ms);
void throttle_note(struct throttle *t, enum throttle_kind kind, int64_t remaining);

/* ---- errors.c ---- */

struct azure_error {
	const char *code;
	bool prefix; /* of the code */
	enum error_code class;
	const char *advice; /* NULL for the class's own */
};
const struct azure_error *azure_error_find(struct str code, struct str message);
/* Fills err from an error body (with or without the "error" wrapper); deepest detail wins. */
void azure_error_from(struct error *err, struct arena *a, int status, const struct node *body,
    struct str correlation);
extern const struct azure_error azure_errors[];
extern const size_t azure_nerrors;

/* ---- arm.c ---- */

struct arm_request {
	const char *method;
	struct str path; /* from '/', or a whole URL below the same host */
	enum azure_api api;
	const struct node *body;
	struct str if_match; /* empty for none */
	bool only_if_absent; /* If-None-Match: * */
};

struct arm_answer {
	int status; /* 0 without an answer */
	enum outcome outcome;
	struct node *body;    /* NULL when empty */
	struct str operation; /* Azure-AsyncOperation, else Location */
	bool is_location;
	int64_t retry_ms; /* Retry-After, -1 when absent */
};

/* True for 2xx. False fills err and ret->outcome (refused, not sent, unknown). */
bool arm_call(struct azure_session *s, const struct arm_request *req, struct arm_answer *ret,
    struct error *err) MUST_CHECK;
struct str arm_path(struct azure_session *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "/subscriptions/S/resourceGroups/<group>" and what stands below it. */
struct str arm_group_id(struct azure_session *s, struct str group);
struct str arm_network_id(struct azure_session *s, struct str group, struct str network);
struct str arm_subnet_id(struct azure_session *s, const struct node *want);
struct str arm_cluster_id(struct azure_session *s, struct str group, struct str cluster);

enum found { FOUND_FAILED, FOUND_ABSENT, FOUND_IT };
/* GET; absent is only what the cloud says in the words for it. */
enum found arm_get(struct azure_session *s, struct str id, enum azure_api api,
    struct node **ret_node, struct error *err);

/* What a row puts, and under which condition. */
struct arm_put {
	struct str id;
	enum azure_api api;
	const struct node *body;
	struct str etag;     /* If-Match, empty for none */
	bool only_if_absent; /* If-None-Match: * */
};
/* Puts it, notes what acting means, and takes the operation into the record. ret_node: the answer.
 */
enum outcome arm_put(
    struct step *s, const struct arm_put *put, struct node **ret_node, struct error *err);
enum outcome arm_remove(struct step *s, struct str id, enum azure_api api, struct error *err);

/* ---- operation.c ---- */

enum operation_state { OPERATION_RUNNING, OPERATION_DONE, OPERATION_FAILED, OPERATION_UNKNOWN };
/* Polls the recorded operation. FAILED and UNKNOWN fill err. */
enum operation_state operation_poll(struct step *s, struct error *err);
/* provisioningState of a resource: ready, pending (with words in the record) or broken (why). */
enum seen state_seen(struct step *s, struct str state, const struct node *why, struct error *err);
/* The same for a resource that is being removed: did its operation fail? */
enum seen removal_seen(struct step *s, struct str state, struct error *err);

/* ---- lists.c ---- */

/* From the shared list when the resource is steady, else by GET. */
enum found azure_look(struct step *s, enum azure_list which, struct str id, enum azure_api api,
    struct node **ret_node, struct error *err);
/* The list itself, refreshed when it is older than its interval. Borrowed until the session ends.
 */
const struct node *azure_list_get(
    struct azure_session *s, enum azure_list which, int64_t *ret_started, struct error *err);
void azure_acted_note(struct azure_session *s, struct str id);
void azure_known_note(struct azure_session *s, struct str id);
int64_t azure_acted_at(struct azure_session *s, struct str id);
void azure_snapshot_unref(struct azure_snapshot *snap); /* NULL does nothing */
void azure_lists_fini(struct azure_account *acc);

/* ---- orphans.c ---- */

/* Reports what has our mark and no record; at most every ten minutes an account. */
void azure_sweep(struct azure_session *s);

/* ---- compare.c ---- */

enum compare_how { CMP_SAME, CMP_NOCASE, CMP_SUBSET, CMP_SET, CMP_NONE_ABSENT };
struct compare_field {
	const char *path;
	enum compare_how how;
	bool immutable;
};
/* Adds "name old -> new" for each field that is wanted and differs. */
void compare_fields(struct step *s, const struct compare_field *fields, size_t n,
    const struct node *want, const struct node *live);
void compare_note(struct step *s, bool immutable, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool compare_drifted(const struct step *s);

/* Marks: tags that say whose it is. */
void tags_set(struct step *s, struct node *body, const char *path, const struct node *live);
bool tags_are_ours(const struct step *s, const struct node *tags);
/* Removes each dotted path; "*" stands for every element of a list. */
void body_strip(struct node *body, const char *const *paths, size_t n);
/* Deep merge of maps; other values of `from` win. */
void body_merge(struct arena *a, struct node *into, const struct node *from);

/* "1.34.6" fits "1.34"; minor of both; 0 when it is not a version. */
bool azure_version_fits(struct str live, struct str want);
int64_t azure_version_minor(struct str v);
/* The version of the next single step from `live` towards `want`. */
struct str azure_version_step(struct arena *a, struct str live, struct str want);

/* ---- rows ---- */

extern const struct resource_type azure_types[];
extern const size_t azure_ntypes;
/* The managed cluster for rows inside it: shared list when all is steady, one GET a pass else. */
enum found cluster_look(
    struct step *s, struct str id, bool fresh, struct node **ret_node, struct error *err);
enum seen group_observe(struct step *s, struct error *err);
enum outcome group_create(struct step *s, struct error *err);
enum outcome group_update(struct step *s, struct error *err);
enum outcome group_remove(struct step *s, struct error *err);
enum seen network_observe(struct step *s, struct error *err);
enum outcome network_create(struct step *s, struct error *err);
enum outcome network_update(struct step *s, struct error *err);
enum outcome network_remove(struct step *s, struct error *err);
enum seen cluster_observe(struct step *s, struct error *err);
enum outcome cluster_create(struct step *s, struct error *err);
enum outcome cluster_update(struct step *s, struct error *err);
enum outcome cluster_remove(struct step *s, struct error *err);
enum seen role_observe(struct step *s, struct error *err);
enum outcome role_create(struct step *s, struct error *err);
enum outcome role_update(struct step *s, struct error *err);
enum outcome role_remove(struct step *s, struct error *err);
enum seen pool_observe(struct step *s, struct error *err);
enum outcome pool_create(struct step *s, struct error *err);
enum outcome pool_update(struct step *s, struct error *err);
enum outcome pool_remove(struct step *s, struct error *err);
enum seen kubeconfig_observe(struct step *s, struct error *err);
enum outcome kubeconfig_create(struct step *s, struct error *err);
enum outcome kubeconfig_remove(struct step *s, struct error *err);

/* Compared for pools inline and apart. */
extern const struct compare_field pool_fields[];
extern const size_t npool_fields;
extern const char *const pool_read_only[];
extern const size_t npool_read_only;
int64_t pool_count(const struct node *live, const struct node *want);
struct node *pool_in(const struct node *cluster, struct str name); /* or NULL */
/* What it runs, else what it was asked to run. */
struct str pool_version(const struct node *pool);
struct str cluster_version(const struct node *cluster);

/* Helpers of every row. */
struct azure_session *session_of(const struct step *s);
struct str want_str(const struct step *s, const char *key);
/* The group, also when nothing is wanted any more; noted in the record before anything is sent. */
struct str group_of(const struct step *s);
/* Where the resource is: what was recorded, else what is wanted. */
struct str id_or(const struct step *s, struct str wanted);
void set_id(struct step *s, struct str id);
struct str properties_state(const struct node *live);

#endif
