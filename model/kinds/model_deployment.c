#include "model/kinds/engine_table.h"

static const char *const shorts[] = { "md", NULL };
static const char *const operator_words[] = { "Exists", "Equal", NULL };
static const char *const effect_words[] = { "NoSchedule", "NoExecute", NULL };

static const struct rule labels_rules[] = {
	RULE_LABEL_RESERVED("ModelDeployment-1"),
	RULE_LABEL_KEY("ModelDeployment-2"),
	RULE_LABEL_PREFIX("ModelDeployment-3"),
	RULE_LABEL_VALUE("ModelDeployment-4"),
};

static const struct rule replica_rules[] = {
	RULE_TWO_ENGINES("ModelDeployment-5"),
	RULE_ONE_PREFILL("ModelDeployment-6"),
	RULE_ONE_DECODE("ModelDeployment-7"),
	RULE_NO_PHASE("ModelDeployment-8"),
};

static const struct rule toleration_rules[] = {
	{ "ModelDeployment-9", "self.operator != 'Equal' || (has(self.key) && self.key != '')",
	    "operator Equal has no key", "set key, or operator: Exists to tolerate every taint" },
	{ "ModelDeployment-10", "self.operator != 'Exists' || !has(self.value)",
	    "operator Exists has a value", "take value out, or set operator: Equal" },
};

static const struct rule engine_rules[] = {
	RULE_MEMBER_MIX("ModelDeployment-11"),
	{ "ModelDeployment-12", "self.members.exists(m, has(m.nodeSelector))",
	    "the engine asks for no devices", "give a member a nodeSelector with devices" },
};

static const struct rule member_rules[] = { RULE_WORKER_BLOCK("ModelDeployment-13") };

static const struct rule pod_metadata_rules[] = {
	RULE_LABEL_RESERVED("ModelDeployment-14"),
	RULE_LABEL_KEY("ModelDeployment-15"),
	RULE_LABEL_PREFIX("ModelDeployment-16"),
	RULE_LABEL_VALUE("ModelDeployment-17"),
	RULE_ANNOTATION_KEY("ModelDeployment-18"),
	RULE_ANNOTATION_PREFIX("ModelDeployment-19"),
};

static const struct rule container_rules[] = { RULE_CONTAINER_NAME("ModelDeployment-20") };

/* clang-format off */
#define ROW_OF struct pod_metadata
static const struct field pod_metadata_fields[] = { POD_METADATA_ROWS };
static const struct schema pod_metadata_schema =
    SCHEMA("PodMetadata", struct pod_metadata, pod_metadata_fields);

static const struct field template_metadata_fields[] = {
	F(labels, "labels", MAP, AT_MOST(32), ITEMS_OF(0, 63), .doc = "Labels of each replica and endpoint."),
};
static const struct schema template_metadata_schema =
    SCHEMA("TemplateMetadata", struct pod_metadata, template_metadata_fields);
#undef ROW_OF

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
	REQUEST_COUNT_ROW,
	F(selectors, "selectors", LIST, .flags = REQUIRED | ATOMIC, RANGE(1, 8), .sub = &device_selector_schema,
	    .doc = "What the device has to be; all must hold."),
};
#undef ROW_OF
static const struct schema request_schema =
    SCHEMA("DeviceRequest", struct device_request, request_fields);

#define ROW_OF struct member_nodes
static const struct field node_selector_fields[] = {
	F(devices, "devices", LIST, .flags = REQUIRED, RANGE(1, 16), .keys = name_keys, .sub = &request_schema,
	    .doc = "Devices that each pod needs from its node."),
};
#undef ROW_OF
static const struct schema node_selector_schema =
    SCHEMA("NodeSelector", struct member_nodes, node_selector_fields);

#define ROW_OF struct engine_member
static const struct field member_fields[] = {
	MEMBER_ROLE_ROW,
	F(node_selector, "nodeSelector", OBJECT, .sub = &node_selector_schema,
	    .doc = "What each pod needs from its node; absent means it claims nothing."),
	MEMBER_WORKER_ROW,
	F(template, "template", OBJECT, .flags = REQUIRED, .sub = &pod_template_schema, .doc = "What the pods are made from."),
};
#undef ROW_OF
static const struct schema member_schema = SCHEMA("Member", struct engine_member, member_fields);

#define ROW_OF struct engine
static const struct field engine_fields[] = { ENGINE_ROWS(member_schema, member_rules) };
#undef ROW_OF
static const struct schema engine_schema = SCHEMA("Engine", struct engine, engine_fields);

#define ROW_OF struct toleration
static const struct field toleration_fields[] = {
	F(key, "key", STRING, .doc = "Key of the taint; none with Exists means every taint."),
	F(operator, "operator", STRING, .words = operator_words, .def = "\"Equal\"", .doc = "Equal compares the value, Exists does not."),
	F(value, "value", STRING, .doc = "Value to be equal to."),
	F(effect, "effect", STRING, .words = effect_words, .doc = "Effect that is tolerated; none means both."),
};
#undef ROW_OF
static const struct schema toleration_schema =
    SCHEMA("Toleration", struct toleration, toleration_fields);

#define ROW_OF struct replica_template
static const struct field replica_fields[] = {
	F(cluster_selector, "clusterSelector", OBJECT, .sub = &match_labels_schema, .doc = "Clusters that qualify; absent means all."),
	F(model_cache_ref, "modelCacheRef", OBJECT, .sub = &name_ref_schema, .doc = "Cache of the same namespace to mount."),
	F(serving, "serving", OBJECT, .sub = &serving_schema, .doc = "How requests reach the engines; absent means Unified."),
	F(tolerations, "tolerations", LIST, .flags = ATOMIC, .sub = &toleration_schema, ITEM_RULES(toleration_rules),
	    .doc = "Cluster taints that do not matter."),
	F(engines, "engines", LIST, .flags = REQUIRED, RANGE(1, 8), .keys = name_keys, .sub = &engine_schema,
	    ITEM_RULES(engine_rules), .doc = "What serves in one replica."),
};
#undef ROW_OF
static const struct schema replica_schema =
    SCHEMA("ReplicaTemplate", struct replica_template, replica_fields);

#define ROW_OF struct deployment_template
static const struct field template_fields[] = {
	F(metadata, "metadata", OBJECT, .sub = &template_metadata_schema, RULES(labels_rules), .doc = "Labels of the children."),
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &replica_schema, RULES(replica_rules), .doc = "What a replica is."),
};
#undef ROW_OF
static const struct schema template_schema =
    SCHEMA("DeploymentTemplate", struct deployment_template, template_fields);

#define ROW_OF struct model_deployment_spec
static const struct field spec_fields[] = {
	F(replicas, "replicas", INT, .flags = REQUIRED, RANGE(1, 10), .doc = "Replicas wanted; each runs on one cluster."),
	F(template, "template", OBJECT, .flags = REQUIRED, .sub = &template_schema, .doc = "What a replica is made from."),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema spec_schema =
    SCHEMA("ModelDeploymentSpec", struct model_deployment_spec, spec_fields);

#define ROW_OF struct replica_counts
static const struct field count_fields[] = {
	F(total, "total", INT, .doc = "Replicas that have a place."),
	F(ready, "ready", INT, .doc = "Replicas that are Ready."),
};
#undef ROW_OF
static const struct schema count_schema = SCHEMA("ReplicaCounts", struct replica_counts, count_fields);

#define ROW_OF struct model_deployment_status
static const struct field status_fields[] = {
	CONDITIONS_FIELD,
	F(replicas, "replicas", OBJECT, .sub = &count_schema, .doc = "How many there are."),
};
#undef ROW_OF
static const struct schema status_schema =
    SCHEMA("ModelDeploymentStatus", struct model_deployment_status, status_fields);

#define ROW_OF struct model_deployment
static const struct field object_fields[] = {
	OBJECT_FIELDS,
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &spec_schema, .doc = "What is wanted."),
	F(status, "status", OBJECT, .sub = &status_schema, .doc = "What was observed."),
};
#undef ROW_OF
static const struct schema object_schema =
    SCHEMA("ModelDeployment", struct model_deployment, object_fields);

static const struct column_def columns[] = {
	{ "REPLICAS", ".status.replicas.ready", "string" },
	FRAMEWORK_COLUMNS,
};
/* clang-format on */

const struct kind model_deployment_kind = {
	.group = GROUP_USER,
	.version = "v1alpha1",
	.kind = "ModelDeployment",
	.plural = "modeldeployments",
	.singular = "modeldeployment",
	.shorts = shorts,
	.categories = modelplane_categories,
	.flags = KIND_NAMESPACED | KIND_STATUS,
	.schema = &object_schema,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.scale_spec = ".spec.replicas",
	.scale_status = ".status.replicas.total",
	.doc = "A model to serve on one or more replicas, each on one cluster.",
};
