#include "model/kinds/meta.h"

#include "model/kinds/table.h"

const char *const condition_keys[] = { "type", NULL };
const char *const name_keys[] = { "name", NULL };
const char *const pool_role_words[] = { "System", "GPU", NULL };
const char *const modelplane_categories[] = { "crossplane", "modelplane", NULL };

static const char *const uid_keys[] = { "uid", NULL };
static const char *const condition_status_words[] = { "True", "False", "Unknown", NULL };
static const char *const credentials_words[] = { "ProviderConfig", "ClusterProviderConfig", NULL };

/* clang-format off */
#define ROW_OF struct owner_ref
static const struct field owner_ref_fields[] = {
	F(api_version, "apiVersion", STRING, .flags = REQUIRED, .doc = "Group and version of the owner."),
	F(kind, "kind", STRING, .flags = REQUIRED, .doc = "Kind of the owner."),
	F(name, "name", STRING, .flags = REQUIRED, .doc = "Name of the owner."),
	F(uid, "uid", STRING, .flags = REQUIRED, .doc = "Identity of the owner."),
	F(controller, "controller", BOOL, .doc = "Whether this owner is the one that manages the object."),
	F(block_owner_deletion, "blockOwnerDeletion", BOOL,
	    .doc = "Whether the owner has to wait for the object before it goes."),
};
#undef ROW_OF
const struct schema owner_ref_schema = SCHEMA("OwnerReference", struct owner_ref, owner_ref_fields);

#define ROW_OF struct meta
static const struct field meta_fields[] = {
	F(name, "name", STRING, .doc = "Unique in its namespace and kind; cannot change."),
	F(generate_name, "generateName", STRING, .doc = "Beginning of a name that the store completes."),
	F(ns, "namespace", STRING, .doc = "Namespace of the object; cannot change."),
	F(self_link, "selfLink", STRING, .doc = "Not used any more."),
	F(uid, "uid", STRING, .doc = "Identity, given by the store."),
	F(resource_version, "resourceVersion", STRING, .doc = "Changes with every write; guards against lost updates."),
	F(generation, "generation", INT, .format = "int64", .doc = "Changes with every write of the spec."),
	F(creation_timestamp, "creationTimestamp", STRING, .format = "date-time", .doc = "When it was made."),
	F(deletion_timestamp, "deletionTimestamp", STRING, .format = "date-time", .doc = "When deletion was asked for."),
	F(deletion_grace_period_seconds, "deletionGracePeriodSeconds", INT, .format = "int64",
	    .doc = "Seconds left to go in peace."),
	F(labels, "labels", MAP, .doc = "Short facts that selectors match."),
	F(annotations, "annotations", MAP, .doc = "Free facts for tools."),
	F(finalizers, "finalizers", LIST, .doc = "Who has to finish before the object can go."),
	F(owner_references, "ownerReferences", LIST, .sub = &owner_ref_schema, .keys = uid_keys,
	    .doc = "Objects that this one goes with."),
	F(managed_fields, "managedFields", ANY, .doc = "Who set which field; kept by the store."),
};
#undef ROW_OF
const struct schema meta_schema = SCHEMA("ObjectMeta", struct meta, meta_fields);

#define ROW_OF struct condition
static const struct field condition_fields[] = {
	F(type, "type", STRING, .flags = REQUIRED, .doc = "What the condition is about, such as Ready."),
	F(status, "status", ENUM, .flags = REQUIRED, .words = condition_status_words, .doc = "Whether it holds."),
	F(reason, "reason", STRING, .flags = REQUIRED, .doc = "One word for programs."),
	F(message, "message", STRING, .doc = "A sentence for people."),
	F(last_transition_time, "lastTransitionTime", STRING, .flags = REQUIRED, .format = "date-time",
	    .doc = "When the status last changed."),
	F(observed_generation, "observedGeneration", INT, .format = "int64",
	    .doc = "Generation of the spec that this speaks of."),
};
#undef ROW_OF
const struct schema condition_schema = SCHEMA("Condition", struct condition, condition_fields);

#define ROW_OF struct credentials_ref
static const struct field credentials_ref_fields[] = {
	F(type, "type", ENUM, .words = credentials_words, .def = "\"ClusterProviderConfig\"",
	    .doc = "Kind of the credential config: of one namespace, or of the whole control plane."),
	F(name, "name", STRING, RANGE(1, 253), .def = "\"default\"", .doc = "Name of the credential config."),
};
#undef ROW_OF
const struct schema credentials_ref_schema =
    SCHEMA("CredentialsReference", struct credentials_ref, credentials_ref_fields);

#define ROW_OF struct cache_status
static const struct field cache_status_fields[] = {
	F(storage_class_name, "storageClassName", STRING, AT_MOST(253),
	    .doc = "Storage class, shared by many nodes, that caches on this cluster claim from."),
};
#undef ROW_OF
const struct schema cache_status_schema = SCHEMA("CacheStatus", struct cache_status, cache_status_fields);

#define ROW_OF struct match_labels
static const struct field match_labels_fields[] = {
	F(match_labels, "matchLabels", MAP, .doc = "Labels that must all be equal."),
};
#undef ROW_OF
const struct schema match_labels_schema = SCHEMA("ClusterSelector", struct match_labels, match_labels_fields);

#define ROW_OF struct name_ref
static const struct field name_ref_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Name of what is meant."),
};
#undef ROW_OF
const struct schema name_ref_schema = SCHEMA("Reference", struct name_ref, name_ref_fields);
/* clang-format on */

const struct condition *
condition_find(const struct list *conditions, const char *type)
{
	const struct condition *all = conditions->items;

	for (size_t i = 0; i < conditions->n; i++) {
		if (str_is(all[i].type, type))
			return &all[i];
	}
	return NULL;
}
