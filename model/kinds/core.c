#include "model/kinds/event.h"
#include "model/kinds/namespace.h"
#include "model/kinds/secret.h"

#include "model/kinds/table.h"

static const char *const no_words[] = { NULL };
static const char *const namespace_shorts[] = { "ns", NULL };
static const char *const event_shorts[] = { "ev", NULL };

/* clang-format off */
#define ROW_OF struct secret_object
static const struct field secret_fields[] = {
	OBJECT_FIELDS,
	F(data, "data", MAP, .flags = SECRET, .format = "byte", .doc = "Values in base64."),
	F(string_data, "stringData", MAP, .flags = SECRET, .doc = "Values as text; the store moves them into data."),
	F(type, "type", STRING, .def = "\"Opaque\"", .doc = "What sort of Secret it is."),
	F(immutable, "immutable", BOOL, .doc = "Whether the values may change."),
};
#undef ROW_OF
const struct schema secret_schema = SCHEMA("Secret", struct secret_object, secret_fields);

#define ROW_OF struct namespace_spec
static const struct field namespace_spec_fields[] = {
	F(finalizers, "finalizers", LIST, .flags = ATOMIC, .doc = "Who has to finish before the namespace can go."),
};
#undef ROW_OF
static const struct schema namespace_spec_schema =
    SCHEMA("NamespaceSpec", struct namespace_spec, namespace_spec_fields);

#define ROW_OF struct namespace_status
static const struct field namespace_status_fields[] = {
	F(phase, "phase", STRING, .doc = "Active, or Terminating."),
	CONDITIONS_FIELD,
};
#undef ROW_OF
static const struct schema namespace_status_schema =
    SCHEMA("NamespaceStatus", struct namespace_status, namespace_status_fields);

#define ROW_OF struct namespace_object
static const struct field namespace_fields[] = {
	OBJECT_FIELDS,
	F(spec, "spec", OBJECT, .sub = &namespace_spec_schema, .doc = "What is wanted."),
	F(status, "status", OBJECT, .sub = &namespace_status_schema, .doc = "What was observed."),
};
#undef ROW_OF
const struct schema namespace_schema = SCHEMA("Namespace", struct namespace_object, namespace_fields);

#define ROW_OF struct object_ref
static const struct field object_ref_fields[] = {
	F(api_version, "apiVersion", STRING, .doc = "Group and version."),
	F(kind, "kind", STRING, .doc = "Kind."),
	F(ns, "namespace", STRING, .doc = "Namespace."),
	F(name, "name", STRING, .doc = "Name."),
	F(uid, "uid", STRING, .doc = "Identity."),
	F(resource_version, "resourceVersion", STRING, .doc = "Version that is meant."),
	F(field_path, "fieldPath", STRING, .doc = "Part of the object that is meant."),
};
#undef ROW_OF
static const struct schema object_ref_schema =
    SCHEMA("ObjectReference", struct object_ref, object_ref_fields);

#define ROW_OF struct event_source
static const struct field event_source_fields[] = {
	F(component, "component", STRING, .doc = "Program that reports."),
	F(host, "host", STRING, .doc = "Machine that it runs on."),
};
#undef ROW_OF
static const struct schema event_source_schema =
    SCHEMA("EventSource", struct event_source, event_source_fields);

#define ROW_OF struct event_object
static const struct field event_fields[] = {
	OBJECT_FIELDS,
	F(involved_object, "involvedObject", OBJECT, .flags = REQUIRED, .sub = &object_ref_schema, .doc = "The object that it is about."),
	F(type, "type", STRING, .doc = "Normal or Warning."),
	F(reason, "reason", STRING, .doc = "One word for programs."),
	F(message, "message", STRING, .doc = "A sentence for people."),
	F(first_timestamp, "firstTimestamp", STRING, .format = "date-time", .doc = "When it was first seen."),
	F(last_timestamp, "lastTimestamp", STRING, .format = "date-time", .doc = "When it was last seen."),
	F(event_time, "eventTime", STRING, .format = "date-time", .doc = "When it was first seen, exactly."),
	F(count, "count", INT, .format = "int32", .doc = "How often it was seen."),
	F(action, "action", STRING, .doc = "What was done."),
	F(reporting_component, "reportingComponent", STRING, .doc = "Controller that reports."),
	F(reporting_instance, "reportingInstance", STRING, .doc = "Which one of its kind reports."),
	F(source, "source", OBJECT, .sub = &event_source_schema, .doc = "Where the report came from."),
	F(related, "related", OBJECT, .sub = &object_ref_schema, .doc = "Another object that matters."),
	F(series, "series", ANY, .doc = "A run of equal events."),
};
#undef ROW_OF
const struct schema event_schema = SCHEMA("Event", struct event_object, event_fields);

static const struct column_def secret_columns[] = {
	{ "TYPE", ".type", "string" },
	{ "AGE", ".metadata.creationTimestamp", "date" },
};

static const struct column_def namespace_columns[] = {
	{ "STATUS", ".status.phase", "string" },
	{ "AGE", ".metadata.creationTimestamp", "date" },
};

static const struct column_def event_columns[] = {
	{ "LAST SEEN", ".lastTimestamp", "date" },
	{ "TYPE", ".type", "string" },
	{ "REASON", ".reason", "string" },
	{ "KIND", ".involvedObject.kind", "string" },
	{ "OBJECT", ".involvedObject.name", "string" },
	{ "MESSAGE", ".message", "string" },
};
/* clang-format on */

const struct kind secret_kind = {
	.group = "",
	.version = "v1",
	.kind = "Secret",
	.plural = "secrets",
	.singular = "secret",
	.shorts = no_words,
	.categories = no_words,
	.flags = KIND_NAMESPACED | KIND_RECONCILED | KIND_CORE,
	.schema = &secret_schema,
	.columns = secret_columns,
	.ncolumns = ARRAY_LEN(secret_columns),
	.doc = "Values that must not be shown, such as credentials and kubeconfigs.",
};

const struct kind namespace_kind = {
	.group = "",
	.version = "v1",
	.kind = "Namespace",
	.plural = "namespaces",
	.singular = "namespace",
	.shorts = namespace_shorts,
	.categories = no_words,
	.flags = KIND_RECONCILED | KIND_CORE | KIND_STATUS,
	.schema = &namespace_schema,
	.columns = namespace_columns,
	.ncolumns = ARRAY_LEN(namespace_columns),
	.doc = "A place for names.",
};

const struct kind event_kind = {
	.group = "",
	.version = "v1",
	.kind = "Event",
	.plural = "events",
	.singular = "event",
	.shorts = event_shorts,
	.categories = no_words,
	.flags = KIND_NAMESPACED | KIND_CORE,
	.schema = &event_schema,
	.columns = event_columns,
	.ncolumns = ARRAY_LEN(event_columns),
	.doc = "What happened to an object, counted when it repeats.",
};
