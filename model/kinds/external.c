#include "model/kinds/external.h"

#include "model/kinds/table.h"

static const char *const no_words[] = { NULL };
const char *const external_phase_words[] = { "Intent", "Unknown", "Created", "Ready", "Drifted",
	"Deleting", "Tombstone", "Failed", "Waiting", NULL };

/* clang-format off */
#define ROW_OF struct external_error
static const struct field error_fields[] = {
	F(reason, "reason", STRING, .doc = "One word for programs."),
	F(message, "message", STRING, .doc = "The cloud's words."),
	F(advice, "advice", STRING, .doc = "What an operator can do."),
};
#undef ROW_OF
static const struct schema error_schema = SCHEMA("ExternalError", struct external_error, error_fields);

#define ROW_OF struct external_spec
static const struct field spec_fields[] = {
	F(owner_uid, "ownerUid", STRING, .flags = REQUIRED, .doc = "Identity of the object whose plan has the resource."),
	F(owner_kind, "ownerKind", STRING, .flags = REQUIRED, .doc = "Its kind."),
	F(owner_name, "ownerName", STRING, .flags = REQUIRED, .doc = "Its name."),
	F(key, "key", STRING, .flags = REQUIRED, .doc = "Key of the resource in the plan."),
	F(type, "type", STRING, .flags = REQUIRED, .doc = "Row that knows how to make it, such as managed-cluster."),
	F(provider, "provider", STRING, .flags = REQUIRED, .doc = "Cloud that it lives in, or kube for a cluster."),
	F(account, "account", STRING, .doc = "Identity that made it; only this one may say that it is gone."),
	F(scope, "scope", STRING, .doc = "Region or group that it lives in."),
	F(name, "name", STRING, .doc = "Its name in the cloud."),
	F(token, "token", STRING, .doc = "Token that makes a repeated create harmless."),
	F(incarnation, "incarnation", INT, .doc = "How often it was made anew."),
	F(want_hash, "wantHash", STRING, .doc = "Hash of the wanted parameters."),
	F(order, "order", INT, .doc = "Place in the plan."),
	F(what, "what", STRING, .doc = "Words for people."),
	F(detail, "detail", STRING, .doc = "More words for people, such as a size."),
	F(phase, "phase", ENUM, .words = external_phase_words, .def = "\"Intent\"", .doc = "How far it has come."),
	F(external_id, "externalId", STRING, .doc = "The cloud's identity for it."),
	F(operation, "operation", STRING, .doc = "The cloud's running job."),
	F(etag, "etag", STRING, .doc = "Version that the cloud last reported."),
	F(epoch, "epoch", INT, .doc = "Which owner process wrote this."),
	F(intent_at, "intentAt", INT, .format = "int64", .doc = "When the intent was written, in ms."),
	F(sent_at, "sentAt", INT, .format = "int64", .doc = "When the create left, in ms."),
	F(deadline_at, "deadlineAt", INT, .format = "int64", .doc = "When it should be done, in ms."),
	F(settle_until, "settleUntil", INT, .format = "int64", .doc = "Until when absence proves nothing, in ms."),
	F(last_seen, "lastSeen", INT, .format = "int64", .doc = "When the cloud last showed it, in ms."),
	F(since, "since", INT, .format = "int64", .doc = "Since when it has this phase, in ms."),
	F(attempts, "attempts", INT, .doc = "Failures in a row."),
	F(next_try, "nextTry", INT, .format = "int64", .doc = "When it is tried again, in ms."),
	F(error, "error", OBJECT, .sub = &error_schema, .doc = "The last failure."),
	F(progress, "progress", STRING, .doc = "What it is doing now."),
	F(observed, "observed", ANY, .doc = "What was observed and others need."),
	F(version, "version", STRING, .doc = "Version that runs."),
	F(waits_for, "waitsFor", STRING, .doc = "Key of the resource that it waits for."),
};
#undef ROW_OF
static const struct schema spec_schema = SCHEMA("ExternalSpec", struct external_spec, spec_fields);

#define ROW_OF struct external
static const struct field object_fields[] = {
	OBJECT_FIELDS,
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &spec_schema, .doc = "What is recorded."),
};
#undef ROW_OF
const struct schema external_schema = SCHEMA("External", struct external, object_fields);

static const struct column_def columns[] = {
	{ "OWNER", ".spec.ownerName", "string" },
	{ "TYPE", ".spec.type", "string" },
	{ "PHASE", ".spec.phase", "string" },
	{ "ID", ".spec.externalId", "string" },
	{ "AGE", ".metadata.creationTimestamp", "date" },
};
/* clang-format on */

const struct kind external_kind = {
	.group = "flightdeck.dev",
	.version = "v1alpha1",
	.kind = "External",
	.plural = "externals",
	.singular = "external",
	.shorts = no_words,
	.categories = no_words,
	.flags = KIND_NAMESPACED | KIND_INTERNAL,
	.schema = &external_schema,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.doc = "What is recorded about one resource of a plan.",
};
