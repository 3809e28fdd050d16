#ifndef MODEL_KINDS_META_H
#define MODEL_KINDS_META_H

/*
 * What all kinds share: metadata, conditions, the reference to a credential config, and the few
 * blocks that several kinds carry word for word.
 *
 * A struct that stands in a list or as an object begins with `bool present`. In one that is absent
 * the members still hold the defaults of their table, because the API server does not fill in the
 * members of an absent object and every reader has to: test `present` only where being there
 * itself means something.
 *
 * Ownership: decoded structs borrow from the arena given to schema_decode.
 * Threads: pure; tables are constant.
 */

#include "model/schema.h"

struct owner_ref {
	bool present;
	struct str api_version, kind, name, uid;
	struct opt_bool controller;
	struct opt_bool block_owner_deletion;
};

struct meta {
	bool present;
	struct str name, generate_name, ns, self_link;
	struct str uid, resource_version;
	struct opt_int generation;
	struct str creation_timestamp, deletion_timestamp; /* RFC 3339 */
	struct opt_int deletion_grace_period_seconds;
	struct strmap labels, annotations;
	struct list finalizers;	      /* struct str */
	struct list owner_references; /* struct owner_ref */
	const struct node *managed_fields;
};

enum condition_status { CONDITION_TRUE, CONDITION_FALSE, CONDITION_UNKNOWN };

struct condition {
	bool present;
	struct str type;
	int status; /* enum condition_status */
	struct str reason, message;
	struct str last_transition_time;
	struct opt_int observed_generation;
};

struct type_meta {
	struct str api_version, kind;
};

/* Which credential config signs the calls. */
enum credentials_type { CREDENTIALS_PROVIDER_CONFIG, CREDENTIALS_CLUSTER_PROVIDER_CONFIG };

struct credentials_ref {
	bool present;
	int type; /* enum credentials_type */
	struct str name;
};

/* status.secrets[] of a provider cluster and spec.secrets[] of a serving stack. */
struct secret_entry {
	bool present;
	struct str type; /* "Kubeconfig", "GoogleApplicationCredentials" ... */
	struct str name, key, ns;
};

struct cache_status {
	bool present;
	struct str storage_class_name;
};

struct match_labels {
	bool present;
	struct strmap match_labels;
};

struct name_ref {
	bool present;
	struct str name;
};

enum pool_role { POOL_ROLE_SYSTEM, POOL_ROLE_GPU };

extern const struct schema meta_schema;
extern const struct schema owner_ref_schema;
extern const struct schema condition_schema;
extern const struct schema credentials_ref_schema;
extern const struct schema cache_status_schema;
extern const struct schema match_labels_schema;
extern const struct schema name_ref_schema; /* name required, at least one character */

/* Borrows the condition of that type in a list of struct condition; NULL when there is none. */
const struct condition *condition_find(const struct list *conditions, const char *type);

#endif
