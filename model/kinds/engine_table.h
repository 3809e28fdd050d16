#ifndef MODEL_KINDS_ENGINE_TABLE_H
#define MODEL_KINDS_ENGINE_TABLE_H

/*
 * What the tables of ModelDeployment and ModelReplica share: rows and rules about engines. The rule
 * text is the same in both kinds, the ids are not. Only for model/kinds.
 */

#include "model/kinds/serving.h"
#include "model/kinds/table.h"

#define KEY_PATTERN                                                                                \
	"'^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"                 \
	"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$'"
#define VALUE_PATTERN "'^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$'"

/* clang-format off */
#define RULE_LABEL_RESERVED(id) \
	{ id, "!has(self.labels) || self.labels.all(k, !k.startsWith('modelplane.ai/'))", \
	    "labels that begin with modelplane.ai/ are reserved", "choose another prefix" }
#define RULE_LABEL_KEY(id) \
	{ id, "!has(self.labels) || self.labels.all(k, k.matches(" KEY_PATTERN "))", \
	    "a label key is malformed", "letters, digits, '-', '_' and '.', with an optional DNS prefix and '/'" }
#define RULE_LABEL_PREFIX(id) \
	{ id, "!has(self.labels) || self.labels.all(k, k.split('/')[0].size() <= 253)", \
	    "the prefix of a label key is longer than 253 characters", "shorten it" }
#define RULE_LABEL_VALUE(id) \
	{ id, "!has(self.labels) || self.labels.all(k, self.labels[k].matches(" VALUE_PATTERN "))", \
	    "a label value is malformed", "begin and end with a letter or digit; '-', '_' and '.' may stand between" }
#define RULE_ANNOTATION_KEY(id) \
	{ id, "!has(self.annotations) || self.annotations.all(k, k.matches(" KEY_PATTERN "))", \
	    "an annotation key is malformed", "letters, digits, '-', '_' and '.', with an optional DNS prefix and '/'" }
#define RULE_ANNOTATION_PREFIX(id) \
	{ id, "!has(self.annotations) || self.annotations.all(k, k.split('/')[0].size() <= 253)", \
	    "the prefix of an annotation key is longer than 253 characters", "shorten it" }
#define RULE_TWO_ENGINES(id) \
	{ id, "!has(self.serving) || self.serving.mode != 'PrefillDecode' || size(self.engines) == 2", \
	    "PrefillDecode wants exactly two engines", "declare one engine for each phase" }
#define RULE_ONE_PREFILL(id) \
	{ id, "!has(self.serving) || self.serving.mode != 'PrefillDecode' || " \
	    "self.engines.exists_one(e, has(e.phase) && e.phase == 'Prefill')", \
	    "PrefillDecode wants exactly one engine of phase Prefill", "set phase: Prefill on one engine" }
#define RULE_ONE_DECODE(id) \
	{ id, "!has(self.serving) || self.serving.mode != 'PrefillDecode' || " \
	    "self.engines.exists_one(e, has(e.phase) && e.phase == 'Decode')", \
	    "PrefillDecode wants exactly one engine of phase Decode", "set phase: Decode on one engine" }
#define RULE_NO_PHASE(id) \
	{ id, "(has(self.serving) && self.serving.mode == 'PrefillDecode') || " \
	    "!self.engines.exists(e, has(e.phase))", \
	    "an engine has a phase, which only PrefillDecode serving knows", "take phase out, or set serving.mode" }
#define RULE_MEMBER_MIX(id) \
	{ id, "(self.members.size() == 1 && self.members[0].role == 'Standalone') || " \
	    "(self.members.exists_one(m, m.role == 'Leader') && self.members.exists(m, m.role == 'Worker') " \
	    "&& !self.members.exists(m, m.role == 'Standalone'))", \
	    "the members do not go together", "one Standalone alone, or one Leader with a Worker" }
#define RULE_WORKER_BLOCK(id) \
	{ id, "!has(self.worker) || self.role == 'Worker'", \
	    "a member that is no Worker has a worker block", "take the block out, or set role: Worker" }
#define RULE_CONTAINER_NAME(id) \
	{ id, "self.exists_one(c, c.name == 'engine')", \
	    "the container is not called engine", "set name: engine" }
/* clang-format on */

extern const char *const member_role_words[];
extern const char *const engine_phase_words[];
extern const struct schema serving_schema;
extern const struct schema member_worker_schema;
extern const struct schema device_selector_schema;
extern const struct schema engine_container_schema;
extern const struct schema image_pull_secret_schema;

/* clang-format off */
/* Rows of struct pod_metadata, struct pod_spec, struct pod_template and struct engine. */
#define POD_METADATA_ROWS \
	F(labels, "labels", MAP, AT_MOST(32), ITEMS_OF(0, 63), .doc = "Labels of the pods."), \
	F(annotations, "annotations", MAP, AT_MOST(32), ITEMS_OF(0, 8192), .doc = "Annotations of the pods.")
#define POD_SPEC_ROWS(rule_table) \
	F(containers, "containers", LIST, .flags = REQUIRED, RANGE(1, 1), .sub = &engine_container_schema, \
	    RULES(rule_table), .doc = "The one container, called engine."), \
	F(image_pull_secrets, "imagePullSecrets", LIST, .sub = &image_pull_secret_schema, \
	    .doc = "Secrets on the cluster to pull the image with.")
#define MEMBER_ROLE_ROW \
	F(role, "role", ENUM, .words = member_role_words, .def = "\"Standalone\"", .doc = "Part that the member plays.")
#define MEMBER_WORKER_ROW \
	F(worker, "worker", OBJECT, .sub = &member_worker_schema, .doc = "Settings of a Worker.")
#define ENGINE_ROWS(member_schema, rule_table) \
	F(name, "name", STRING, .flags = REQUIRED, RANGE(1, 63), .doc = "Name of the engine; part of workload names."), \
	F(copies, "copies", INT, RANGE(1, 64), .def = "1", .doc = "Equal copies in each replica."), \
	F(phase, "phase", ENUM, .words = engine_phase_words, .doc = "Phase that it serves, under PrefillDecode."), \
	F(members, "members", LIST, .flags = REQUIRED | ATOMIC, RANGE(1, 2), .sub = &(member_schema), \
	    ITEM_RULES(rule_table), .doc = "A Standalone alone, or a Leader with a Worker.")
#define REQUEST_NAME_ROW \
	F(name, "name", STRING, .flags = REQUIRED, RANGE(1, 63), .doc = "Name of the request.")
#define REQUEST_COUNT_ROW \
	F(count, "count", INT, RANGE(1, 64), .def = "1", .doc = "Devices wanted on a node.")
/* clang-format on */

#endif
