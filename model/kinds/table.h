#ifndef MODEL_KINDS_TABLE_H
#define MODEL_KINDS_TABLE_H

/*
 * The macros that field tables are written with. A table names its struct once, in ROW_OF, and
 * F refuses to compile when the member's C type does not fit the field's type.
 */

#include <stddef.h>

#include "model/base/macros.h"
#include "model/kinds/meta.h"
#include "model/schema.h"

#define CTYPE_STRING struct str
#define CTYPE_ENUM   int
#define CTYPE_INT    struct opt_int
#define CTYPE_BOOL   struct opt_bool
#define CTYPE_LIST   struct list
#define CTYPE_MAP    struct strmap
#define CTYPE_MAPOF  struct list
#define CTYPE_ANY    const struct node *
#define CTYPE_OBJECT default

#define FIELD_OFF(t, m, T) (offsetof(t, m) + 0 * sizeof(char[_Generic(((t *)0)->m, CTYPE_##T : 1)]))

/* clang-format off */
#define F(member, key, T, ...)                                                                     \
	{ .name = (key), .type = FT_##T, .off = FIELD_OFF(ROW_OF, member, T), __VA_ARGS__ }
/* clang-format on */

#define RANGE(lo, hi)	  .has_min = true, .min = (lo), .has_max = true, .max = (hi)
#define AT_LEAST(lo)	  .has_min = true, .min = (lo)
#define AT_MOST(hi)	  .has_max = true, .max = (hi)
#define ITEMS_OF(lo, hi)  .item_min = (lo), .item_max = (hi)
#define RULES(table)	  .rules = (table), .nrules = ARRAY_LEN(table)
#define ITEM_RULES(table) .item_rules = (table), .nitem_rules = ARRAY_LEN(table)

/* clang-format off */
#define SCHEMA(title, type, table)                                                                 \
	{ .name = (title), .size = sizeof(type), .fields = (table), .nfields = ARRAY_LEN(table) }

/* What the host framework adds behind a kind's own columns. */
#define FRAMEWORK_COLUMNS                                                                          \
	{ "SYNCED", ".status.conditions[?(@.type=='Synced')].status", "string" },                 \
	{ "READY", ".status.conditions[?(@.type=='Ready')].status", "string" },                   \
	{ "COMPOSITION", ".spec.crossplane.compositionRef.name", "string" },                      \
	{ "AGE", ".metadata.creationTimestamp", "date" }

/* The members that every object of ours begins with; `api` and `name` fix apiVersion and kind. */
#define OBJECT_FIELDS                                                                              \
	F(api_version, "apiVersion", STRING, .flags = REQUIRED,                                   \
	    .doc = "Group and version of the kind."),                                             \
	F(kind, "kind", STRING, .flags = REQUIRED, .doc = "The kind."),                           \
	F(meta, "metadata", OBJECT, .sub = &meta_schema,                                          \
	    .doc = "Name, labels and what the store keeps about the object.")

#define CROSSPLANE_FIELD                                                                           \
	F(crossplane, "crossplane", ANY, .format = "object",                                     \
	    .doc = "Settings of the host framework; kept, not read.")

#define CONDITIONS_FIELD                                                                           \
	F(conditions, "conditions", LIST, .sub = &condition_schema, .keys = condition_keys,       \
	    .doc = "What is known about the object, one entry a type.")
/* clang-format on */

#define GROUP_USER     "modelplane.ai"
#define GROUP_INTERNAL "infrastructure.modelplane.ai"

extern const char *const condition_keys[];	  /* type */
extern const char *const name_keys[];		  /* name */
extern const char *const pool_role_words[];	  /* System, GPU */
extern const char *const stack_words[];		  /* Standard, Dynamo */
extern const char *const modelplane_categories[]; /* crossplane, modelplane */

#endif
