#include "model/kinds/serving.h"

#include "model/kinds/table.h"

static const char *const shorts[] = { "mc", NULL };
static const char *const source_words[] = { "HuggingFace", NULL };
static const char *const phase_words[] = { "Pending", "Hydrating", "Ready", "Failed", NULL };

static const struct rule spec_rules[] = {
	{ "ModelCache-1", "self.source != 'HuggingFace' || has(self.huggingFace)",
	    "source HuggingFace has no huggingFace block", "add the block beside source" },
};

/* clang-format off */
#define ROW_OF struct auth_secret
static const struct field auth_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Name of the Secret."),
	F(key, "key", STRING, .def = "\"HF_TOKEN\"", .doc = "Key in its data."),
};
#undef ROW_OF
static const struct schema auth_schema = SCHEMA("AuthSecret", struct auth_secret, auth_fields);

#define ROW_OF struct hugging_face
static const struct field hugging_face_fields[] = {
	F(repo, "repo", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Repository, owner/name."),
	F(revision, "revision", STRING, .doc = "Branch, tag or commit; absent means the default branch."),
	F(auth_secret, "authSecret", OBJECT, .sub = &auth_schema, .doc = "Secret with a token, for gated repositories."),
	F(size_gib, "sizeGiB", INT, .flags = REQUIRED, RANGE(1, 100000), .doc = "Size of the volume on each cluster, in GiB."),
};
#undef ROW_OF
static const struct schema hugging_face_schema =
    SCHEMA("HuggingFace", struct hugging_face, hugging_face_fields);

#define ROW_OF struct model_cache_spec
static const struct field spec_fields[] = {
	F(source, "source", STRING, .flags = REQUIRED, .words = source_words, .doc = "Where the weights come from."),
	F(hugging_face, "huggingFace", OBJECT, .sub = &hugging_face_schema, .doc = "A repository on Hugging Face."),
	F(cluster_selector, "clusterSelector", OBJECT, .sub = &match_labels_schema, .doc = "Clusters that get a copy; absent means all."),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema spec_schema = SCHEMA("ModelCacheSpec", struct model_cache_spec, spec_fields);

#define ROW_OF struct cache_summary
static const struct field summary_fields[] = {
	F(ready, "ready", STRING, .doc = "Clusters that are ready, of those that match."),
};
#undef ROW_OF
static const struct schema summary_schema = SCHEMA("CacheSummary", struct cache_summary, summary_fields);

#define ROW_OF struct cache_cluster
static const struct field cluster_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, .doc = "Cluster."),
	F(phase, "phase", ENUM, .words = phase_words, .doc = "How far it has come."),
	F(message, "message", STRING, .doc = "A sentence for people."),
};
#undef ROW_OF
static const struct schema cluster_schema = SCHEMA("CacheCluster", struct cache_cluster, cluster_fields);

#define ROW_OF struct model_cache_status
static const struct field status_fields[] = {
	CONDITIONS_FIELD,
	F(summary, "summary", OBJECT, .sub = &summary_schema, .doc = "Totals."),
	F(clusters, "clusters", LIST, .sub = &cluster_schema, .doc = "Each cluster that matches."),
};
#undef ROW_OF
static const struct schema status_schema =
    SCHEMA("ModelCacheStatus", struct model_cache_status, status_fields);

#define ROW_OF struct model_cache
static const struct field object_fields[] = {
	OBJECT_FIELDS,
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &spec_schema, RULES(spec_rules), .doc = "What is wanted."),
	F(status, "status", OBJECT, .sub = &status_schema, .doc = "What was observed."),
};
#undef ROW_OF
static const struct schema object_schema = SCHEMA("ModelCache", struct model_cache, object_fields);

/* The published SOURCE path goes through spec.source, a string; this one shows something. */
static const struct column_def columns[] = {
	{ "SOURCE", ".spec.huggingFace.repo", "string" },
	{ "READY", ".status.summary.ready", "string" },
	FRAMEWORK_COLUMNS,
};
/* clang-format on */

const struct kind model_cache_kind = {
	.group = GROUP_USER,
	.version = "v1alpha1",
	.kind = "ModelCache",
	.plural = "modelcaches",
	.singular = "modelcache",
	.shorts = shorts,
	.categories = modelplane_categories,
	.flags = KIND_NAMESPACED | KIND_STATUS,
	.schema = &object_schema,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.doc = "Weights, staged once a cluster on shared storage.",
};
