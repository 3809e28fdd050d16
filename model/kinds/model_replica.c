#include "model/kinds/engine_table.h"

static const char *const shorts[] = { "mr", NULL };

static const struct rule spec_rules[] = {
	RULE_TWO_ENGINES("ModelReplica-1"),
	RULE_ONE_PREFILL("ModelReplica-2"),
	RULE_ONE_DECODE("ModelReplica-3"),
	RULE_NO_PHASE("ModelReplica-4"),
};

static const struct rule engine_rules[] = {
	RULE_MEMBER_MIX("ModelReplica-5"),
	{ "ModelReplica-6", "self.members.exists(m, has(m.deviceRequests))",
	    "the engine claims no devices", "give a member deviceRequests" },
};

static const struct rule member_rules[] = { RULE_WORKER_BLOCK("ModelReplica-7") };

static const struct rule pod_metadata_rules[] = {
	RULE_LABEL_RESERVED("ModelReplica-8"),
	RULE_LABEL_KEY("ModelReplica-9"),
	RULE_LABEL_PREFIX("ModelReplica-10"),
	RULE_LABEL_VALUE("ModelReplica-11"),
	RULE_ANNOTATION_KEY("ModelReplica-12"),
	RULE_ANNOTATION_PREFIX("ModelReplica-13"),
};

static const struct rule container_rules[] = { RULE_CONTAINER_NAME("ModelReplica-14") };

/* clang-format off */
#define ROW_OF struct pod_metadata
static const struct field pod_metadata_fields[] = { POD_METADATA_ROWS };
#undef ROW_OF
static const struct schema pod_metadata_schema =
    SCHEMA("PodMetadata", struct pod_metadata, pod_metadata_fields);

#define ROW_OF struct pod_spec
static const struct field pod_spec_fields[] = { POD_SPEC_ROWS(container_rules) };
#undef ROW_OF
static const struct schema pod_spec_schema = SCHEMA("PodSpec", struct pod_spec, pod_spec_fields);

#define ROW_OF struct pod_template
static const struct field pod_template_fields[] = {
	F(metadata, "metadata", OBJECT, .sub = &pod_metadata_schema, RULES(pod_metadata_rules),
	    .doc = "Labels and annotations of the pods."),
	F(spec, "spec", OBJECT, .sub = &pod_spec_schema, .doc = "What the pods run."),
};
#undef ROW_OF
static const struct schema pod_template_schema =
    SCHEMA("PodTemplate", struct pod_template, pod_template_fields);

#define ROW_OF struct device_request
static const struct field request_fields[] = {
	REQUEST_NAME_ROW,
	F(device_class_name, "deviceClassName", STRING, .flags = REQUIRED, RANGE(1, 253), .doc = "DeviceClass of the device that was found."),
	REQUEST_COUNT_ROW,
	F(selectors, "selectors", LIST, .flags = ATOMIC, AT_MOST(8), .sub = &device_selector_schema, .doc = "Selectors of the deployment."),
};
#undef ROW_OF
static const struct schema request_schema =
    SCHEMA("DeviceClaim", struct device_request, request_fields);

#define ROW_OF struct engine_member
static const struct field member_fields[] = {
	MEMBER_ROLE_ROW,
	F(node_pool_name, "nodePoolName", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Pool that was chosen."),
	F(device_requests, "deviceRequests", LIST, RANGE(1, 16), .keys = name_keys, .sub = &request_schema,
	    .doc = "Devices to claim; absent when the member claims none."),
	MEMBER_WORKER_ROW,
	F(template, "template", OBJECT, .flags = REQUIRED, .sub = &pod_template_schema, .doc = "What the pods are made from."),
};
#undef ROW_OF
static const struct schema member_schema = SCHEMA("ReplicaMember", struct engine_member, member_fields);

#define ROW_OF struct engine
static const struct field engine_fields[] = { ENGINE_ROWS(member_schema, member_rules) };
#undef ROW_OF
static const struct schema engine_schema = SCHEMA("ReplicaEngine", struct engine, engine_fields);

#define ROW_OF struct model_replica_spec
static const struct field spec_fields[] = {
	F(cluster_name, "clusterName", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Cluster that it runs on."),
	F(model_cache_ref, "modelCacheRef", OBJECT, .sub = &name_ref_schema, .doc = "Cache of the same namespace to mount."),
	F(serving, "serving", OBJECT, .sub = &serving_schema, .doc = "How requests reach the engines; absent means Unified."),
	F(engines, "engines", LIST, .flags = REQUIRED, RANGE(1, 8), .keys = name_keys, .sub = &engine_schema,
	    ITEM_RULES(engine_rules), .doc = "What serves in this replica."),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema spec_schema =
    SCHEMA("ModelReplicaSpec", struct model_replica_spec, spec_fields);

#define ROW_OF struct plain_status
static const struct field status_fields[] = { CONDITIONS_FIELD };
#undef ROW_OF
static const struct schema status_schema =
    SCHEMA("ModelReplicaStatus", struct plain_status, status_fields);

#define ROW_OF struct model_replica
static const struct field object_fields[] = {
	OBJECT_FIELDS,
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &spec_schema, RULES(spec_rules), .doc = "What is wanted."),
	F(status, "status", OBJECT, .sub = &status_schema, .doc = "What was observed."),
};
#undef ROW_OF
static const struct schema object_schema =
    SCHEMA("ModelReplica", struct model_replica, object_fields);

static const struct column_def columns[] = {
	{ "CLUSTER", ".spec.clusterName", "string" },
	FRAMEWORK_COLUMNS,
};
/* clang-format on */

const struct kind model_replica_kind = {
	.group = GROUP_USER,
	.version = "v1alpha1",
	.kind = "ModelReplica",
	.plural = "modelreplicas",
	.singular = "modelreplica",
	.shorts = shorts,
	.categories = modelplane_categories,
	.flags = KIND_NAMESPACED | KIND_STATUS,
	.schema = &object_schema,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.doc = "One replica of a deployment, placed on a cluster. Written by the deployment.",
};
