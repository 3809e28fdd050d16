#include "backend/apiserver/proto.h"

#include <string.h>

#include "model/base/mem.h"

enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

enum shape {
	SHAPE_STRING,
	SHAPE_BYTES, /* base64 in JSON */
	SHAPE_INT,
	SHAPE_BOOL,
	SHAPE_MESSAGE,
	SHAPE_MAP,	 /* entries {1: key, 2: value} of text */
	SHAPE_MAP_BYTES, /* the same with bytes as value */
	SHAPE_LIST,	 /* repeated text */
	SHAPE_LIST_MESSAGE,
};

struct proto_field {
	unsigned number;
	const char *name;
	enum shape shape;
	const struct proto_message *sub;
};

struct proto_message {
	const struct proto_field *fields;
	size_t n;
};

/* clang-format off */
#define MESSAGE(rows) { rows, ARRAY_LEN(rows) }

static const struct proto_field owner_fields[] = {
	{ 1, "kind", SHAPE_STRING, NULL },	{ 3, "name", SHAPE_STRING, NULL },
	{ 4, "uid", SHAPE_STRING, NULL },	{ 5, "apiVersion", SHAPE_STRING, NULL },
	{ 6, "controller", SHAPE_BOOL, NULL },	{ 7, "blockOwnerDeletion", SHAPE_BOOL, NULL },
};
static const struct proto_message owner_message = MESSAGE(owner_fields);
static const struct proto_field meta_fields[] = {
	{ 1, "name", SHAPE_STRING, NULL },		{ 2, "generateName", SHAPE_STRING, NULL },
	{ 3, "namespace", SHAPE_STRING, NULL },		{ 5, "uid", SHAPE_STRING, NULL },
	{ 6, "resourceVersion", SHAPE_STRING, NULL },	{ 7, "generation", SHAPE_INT, NULL },
	{ 11, "labels", SHAPE_MAP, NULL },		{ 12, "annotations", SHAPE_MAP, NULL },
	{ 13, "ownerReferences", SHAPE_LIST_MESSAGE, &owner_message },
	{ 14, "finalizers", SHAPE_LIST, NULL },
};
static const struct proto_message meta_message = MESSAGE(meta_fields);
static const struct proto_field namespace_spec_fields[] = { { 1, "finalizers", SHAPE_LIST, NULL } };
static const struct proto_message namespace_spec = MESSAGE(namespace_spec_fields);
static const struct proto_field namespace_fields[] = {
	{ 1, "metadata", SHAPE_MESSAGE, &meta_message },
	{ 2, "spec", SHAPE_MESSAGE, &namespace_spec },
};
static const struct proto_field config_map_fields[] = {
	{ 1, "metadata", SHAPE_MESSAGE, &meta_message },
	{ 2, "data", SHAPE_MAP, NULL },
	{ 3, "binaryData", SHAPE_MAP_BYTES, NULL },
	{ 4, "immutable", SHAPE_BOOL, NULL },
};
static const struct proto_field secret_fields[] = {
	{ 1, "metadata", SHAPE_MESSAGE, &meta_message },
	{ 2, "data", SHAPE_MAP_BYTES, NULL },
	{ 3, "type", SHAPE_STRING, NULL },
	{ 4, "stringData", SHAPE_MAP, NULL },
	{ 5, "immutable", SHAPE_BOOL, NULL },
};
static const struct proto_field service_account_fields[] = {
	{ 1, "metadata", SHAPE_MESSAGE, &meta_message },
};
static const struct proto_field preconditions_fields[] = {
	{ 1, "uid", SHAPE_STRING, NULL },	{ 2, "resourceVersion", SHAPE_STRING, NULL },
};
static const struct proto_message preconditions = MESSAGE(preconditions_fields);
static const struct proto_field delete_fields[] = {
	{ 1, "gracePeriodSeconds", SHAPE_INT, NULL },
	{ 2, "preconditions", SHAPE_MESSAGE, &preconditions },
	{ 3, "orphanDependents", SHAPE_BOOL, NULL },
	{ 4, "propagationPolicy", SHAPE_STRING, NULL },
	{ 5, "dryRun", SHAPE_LIST, NULL },
};
static const struct proto_field resource_fields[] = {
	{ 1, "namespace", SHAPE_STRING, NULL },	{ 2, "verb", SHAPE_STRING, NULL },
	{ 3, "group", SHAPE_STRING, NULL },	{ 4, "version", SHAPE_STRING, NULL },
	{ 5, "resource", SHAPE_STRING, NULL },	{ 6, "subresource", SHAPE_STRING, NULL },
	{ 7, "name", SHAPE_STRING, NULL },
};
static const struct proto_message resource_message = MESSAGE(resource_fields);
static const struct proto_field path_fields[] = {
	{ 1, "path", SHAPE_STRING, NULL },	{ 2, "verb", SHAPE_STRING, NULL },
};
static const struct proto_message path_message = MESSAGE(path_fields);
static const struct proto_field access_spec_fields[] = {
	{ 1, "resourceAttributes", SHAPE_MESSAGE, &resource_message },
	{ 2, "nonResourceAttributes", SHAPE_MESSAGE, &path_message },
};
static const struct proto_message access_spec = MESSAGE(access_spec_fields);
static const struct proto_field access_fields[] = {
	{ 1, "metadata", SHAPE_MESSAGE, &meta_message },
	{ 2, "spec", SHAPE_MESSAGE, &access_spec },
};
static const struct proto_field rules_spec_fields[] = { { 1, "namespace", SHAPE_STRING, NULL } };
static const struct proto_message rules_spec = MESSAGE(rules_spec_fields);
static const struct proto_field rules_fields[] = {
	{ 1, "metadata", SHAPE_MESSAGE, &meta_message },
	{ 2, "spec", SHAPE_MESSAGE, &rules_spec },
};

static const struct {
	const char *kind;
	struct proto_message message;
} kinds[] = {
	{ "Namespace", MESSAGE(namespace_fields) },
	{ "ConfigMap", MESSAGE(config_map_fields) },
	{ "Secret", MESSAGE(secret_fields) },
	{ "ServiceAccount", MESSAGE(service_account_fields) },
	{ "DeleteOptions", MESSAGE(delete_fields) },
	{ "SelfSubjectAccessReview", MESSAGE(access_fields) },
	{ "SelfSubjectRulesReview", MESSAGE(rules_fields) },
	{ "SelfSubjectReview", MESSAGE(service_account_fields) },
};
#undef MESSAGE
/* clang-format on */

/* One field of the wire. */
struct item {
	unsigned number;
	enum wire wire;
	uint64_t value;	  /* varint */
	struct str bytes; /* length-delimited */
};

static bool
varint_take(struct str *in, uint64_t *ret)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 10 && i < in->n; i++) {
		unsigned char c = (unsigned char)in->p[i];

		if (i == 9 && c > 1)
			return false;
		v |= (uint64_t)(c & 0x7f) << (7 * i);
		if ((c & 0x80) == 0) {
			*in = str_sub(*in, i + 1, in->n);
			*ret = v;
			return true;
		}
	}
	return false;
}

static bool
item_take(struct str *in, struct item *ret)
{
	uint64_t tag = 0;
	uint64_t n = 0;

	*ret = (struct item){ 0 };
	if (!varint_take(in, &tag) || tag >> 3 == 0 || tag >> 3 > UINT32_MAX >> 3)
		return false;
	ret->number = (unsigned)(tag >> 3);
	ret->wire = (enum wire)(tag & 7);
	switch (ret->wire) {
	case WIRE_VARINT:
		return varint_take(in, &ret->value);
	case WIRE_64:
		n = 8;
		break;
	case WIRE_32:
		n = 4;
		break;
	case WIRE_BYTES:
		if (!varint_take(in, &n))
			return false;
		break;
	default:
		return false;
	}
	if (n > in->n)
		return false;
	ret->bytes = str_sub(*in, 0, (size_t)n);
	*in = str_sub(*in, (size_t)n, in->n);
	return true;
}

static bool
text_make(struct arena *a, struct str bytes, bool as_base64, struct node **ret)
{
	if (!as_base64) {
		if (!utf8_valid(bytes) || str_find_char(bytes, '\0') >= 0)
			return false;
		*ret = node_str(a, bytes);
		return *ret != NULL;
	}
	struct text t = TEXT_INIT(4 * bytes.n + 16);

	text_add_base64(&t, bytes);
	*ret = node_str(a, text_str(&t));
	text_free(&t);
	return *ret != NULL;
}

static bool
map_add(struct arena *a, struct node *map, struct str entry, bool as_base64)
{
	struct str key = { 0 };
	struct str value = { 0 };
	struct node *text = NULL;
	struct item it;

	while (entry.n > 0) {
		if (!item_take(&entry, &it) || it.wire != WIRE_BYTES)
			return false;
		if (it.number == 1)
			key = it.bytes;
		else if (it.number == 2)
			value = it.bytes;
	}
	if (!utf8_valid(key) || str_find_char(key, '\0') >= 0 ||
	    !text_make(a, value, as_base64, &text))
		return false;
	node_set_str(a, map, key, text);
	return true;
}

/* The list or map of a repeated field, made when it is first met. */
static struct node *
container(struct arena *a, struct node *out, const char *name, bool list)
{
	struct node *n = node_find(out, name);

	if (n == NULL) {
		n = list ? node_list(a) : node_map(a);
		node_set(a, out, name, n);
	}
	return n;
}

static bool message_decode(
    struct arena *a, const struct proto_message *m, struct str in, struct node *out, int depth);

static bool
bytes_decode(
    struct arena *a, const struct proto_field *f, struct str in, struct node *out, int depth)
{
	struct node *text = NULL;
	struct node *sub = NULL;

	switch (f->shape) {
	case SHAPE_STRING:
	case SHAPE_BYTES:
		if (!text_make(a, in, f->shape == SHAPE_BYTES, &text))
			return false;
		/* an empty text is how "absent" looks */
		if (in.n > 0)
			node_set(a, out, f->name, text);
		return true;
	case SHAPE_LIST:
		if (!text_make(a, in, false, &text))
			return false;
		node_push(container(a, out, f->name, true), text);
		return true;
	case SHAPE_MAP:
	case SHAPE_MAP_BYTES:
		return map_add(
		    a, container(a, out, f->name, false), in, f->shape == SHAPE_MAP_BYTES);
	case SHAPE_MESSAGE:
	case SHAPE_LIST_MESSAGE:
		sub = node_map(a);
		if (sub == NULL || !message_decode(a, f->sub, in, sub, depth + 1))
			return false;
		if (f->shape == SHAPE_MESSAGE)
			node_set(a, out, f->name, sub);
		else
			node_push(container(a, out, f->name, true), sub);
		return true;
	case SHAPE_INT:
	case SHAPE_BOOL:
		break;
	}
	return false;
}

static bool
varint_decode(struct arena *a, const struct proto_field *f, uint64_t value, struct node *out)
{
	if (f->shape == SHAPE_BOOL)
		node_set_bool(a, out, f->name, value != 0);
	else if (f->shape == SHAPE_INT)
		node_set_int(a, out, f->name, (int64_t)value);
	else
		return false;
	return true;
}

/* Fields without a row are skipped, as protobuf wants it. */
static bool
message_decode(
    struct arena *a, const struct proto_message *m, struct str in, struct node *out, int depth)
{
	struct item it;

	if (depth > PROTO_MAX_DEPTH)
		return false;
	for (int count = 0; in.n > 0; count++) {
		const struct proto_field *f = NULL;

		if (count >= PROTO_MAX_FIELDS || !item_take(&in, &it))
			return false;
		for (size_t i = 0; i < m->n && f == NULL; i++) {
			if (m->fields[i].number == it.number)
				f = &m->fields[i];
		}
		if (f == NULL)
			continue;
		bool ok = it.wire == WIRE_BYTES	   ? bytes_decode(a, f, it.bytes, out, depth)
			  : it.wire == WIRE_VARINT ? varint_decode(a, f, it.value, out)
						   : false;

		if (!ok)
			return false;
	}
	return true;
}

#define MAGIC "k8s\0"

bool
proto_is(struct str bytes)
{
	return str_starts(bytes, STR(MAGIC));
}

/* The envelope: what it says it holds, and the object's bytes. */
static bool
envelope_read(struct str in, struct str *ret_version, struct str *ret_kind, struct str *ret_raw)
{
	struct item it;

	while (in.n > 0) {
		if (!item_take(&in, &it))
			return false;
		if (it.number == 2 && it.wire == WIRE_BYTES)
			*ret_raw = it.bytes;
		if (it.number != 1 || it.wire != WIRE_BYTES)
			continue;
		struct str type = it.bytes;

		while (type.n > 0) {
			if (!item_take(&type, &it))
				return false;
			if (it.number == 1)
				*ret_version = it.bytes;
			else if (it.number == 2)
				*ret_kind = it.bytes;
		}
	}
	return ret_kind->n > 0;
}

bool
proto_decode(struct arena *a, struct str bytes, struct node **ret_value, struct error *err)
{
	struct str version = { 0 };
	struct str kind = { 0 };
	struct str raw = { 0 };
	struct node *out = node_map(a);

	if (!proto_is(bytes) || !envelope_read(str_sub(bytes, 4, bytes.n), &version, &kind, &raw) ||
	    !utf8_valid(version) || !utf8_valid(kind))
		return error_set(err, ERR_INVALID, "the body is not a protobuf envelope");
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (!str_is(kind, kinds[i].kind))
			continue;
		node_set(a, out, "kind", node_str(a, kind));
		node_set(a, out, "apiVersion", node_str(a, version));
		if (!message_decode(a, &kinds[i].message, raw, out, 0))
			return error_set(
			    err, ERR_INVALID, "the protobuf of a %s is damaged", kinds[i].kind);
		*ret_value = out;
		return !arena_failed(a) || error_set(err, ERR_NO_MEMORY, "no memory for a request");
	}
	return error_set(err, ERR_INVALID, "protobuf is not taken for this kind: send JSON");
}
