#include "model/kinds/engine_table.h"

const char *const member_role_words[] = { "Standalone", "Leader", "Worker", NULL };
const char *const engine_phase_words[] = { "Prefill", "Decode", NULL };
static const char *const mode_words[] = { "Unified", "PrefillDecode", NULL };

/* clang-format off */
#define ROW_OF struct serving
static const struct field serving_fields[] = {
	F(mode, "mode", ENUM, .words = mode_words, .def = "\"Unified\"",
	    .doc = "Unified: each engine does both phases. PrefillDecode: one engine a phase."),
};
#undef ROW_OF
const struct schema serving_schema = SCHEMA("Serving", struct serving, serving_fields);

#define ROW_OF struct member_worker
static const struct field worker_fields[] = {
	F(nodes, "nodes", INT, .flags = REQUIRED, RANGE(1, 63), .doc = "Worker pods, one a node."),
};
#undef ROW_OF
const struct schema member_worker_schema = SCHEMA("Worker", struct member_worker, worker_fields);

#define ROW_OF struct device_selector
static const struct field selector_fields[] = {
	F(cel, "cel", STRING, RANGE(1, 10240), .doc = "CEL expression over one device."),
};
#undef ROW_OF
const struct schema device_selector_schema = {
	.name = "DeviceSelector",
	.size = sizeof(struct device_selector),
	.fields = selector_fields,
	.nfields = ARRAY_LEN(selector_fields),
	.min_properties = 1,
};

#define ROW_OF struct key_ref
static const struct field key_ref_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, .doc = "Name of the object."),
	F(key, "key", STRING, .flags = REQUIRED, .doc = "Key in its data."),
	F(optional, "optional", BOOL, .doc = "Whether it may be missing."),
};
#undef ROW_OF
static const struct schema key_ref_schema = SCHEMA("KeyReference", struct key_ref, key_ref_fields);

#define ROW_OF struct field_ref
static const struct field field_ref_fields[] = {
	F(field_path, "fieldPath", STRING, .flags = REQUIRED, .doc = "Field of the pod, such as status.podIP."),
	F(api_version, "apiVersion", STRING, .doc = "Version that the path is written for."),
};
#undef ROW_OF
static const struct schema field_ref_schema = SCHEMA("FieldReference", struct field_ref, field_ref_fields);

#define ROW_OF struct env_source
static const struct field env_source_fields[] = {
	F(secret_key_ref, "secretKeyRef", OBJECT, .sub = &key_ref_schema, .doc = "From a Secret."),
	F(config_map_key_ref, "configMapKeyRef", OBJECT, .sub = &key_ref_schema, .doc = "From a ConfigMap."),
	F(field_ref, "fieldRef", OBJECT, .sub = &field_ref_schema, .doc = "From a field of the pod."),
};
#undef ROW_OF
static const struct schema env_source_schema =
    SCHEMA("EnvSource", struct env_source, env_source_fields);

#define ROW_OF struct env_var
static const struct field env_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, .doc = "Name of the variable."),
	F(value, "value", STRING, .doc = "Its value."),
	F(value_from, "valueFrom", OBJECT, .sub = &env_source_schema, .doc = "Where its value comes from."),
};
#undef ROW_OF
static const struct schema env_schema = SCHEMA("EnvVar", struct env_var, env_fields);

#define ROW_OF struct engine_container
static const struct field container_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Always engine."),
	F(image, "image", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Image to run."),
	F(command, "command", LIST, .doc = "Command in place of the image's own."),
	F(args, "args", LIST, .doc = "Arguments."),
	F(env, "env", LIST, .sub = &env_schema, .doc = "Environment."),
};
#undef ROW_OF
const struct schema engine_container_schema =
    SCHEMA("Container", struct engine_container, container_fields);

#define ROW_OF struct name_ref
static const struct field pull_secret_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, .doc = "Name of the Secret."),
};
#undef ROW_OF
const struct schema image_pull_secret_schema =
    SCHEMA("PullSecret", struct name_ref, pull_secret_fields);
/* clang-format on */
