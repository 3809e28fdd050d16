#include "backend/apiserver/api_int.h"

#include "backend/apiserver/proto.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/yaml.h"

static bool
yaml_one(struct call *c, struct str bytes, struct node **ret_value, struct error *err)
{
	struct node *docs = NULL;

	if (!yaml_parse(c->arena, bytes, "body", &docs, err))
		return false;
	if (node_count(docs) != 1)
		return error_set(err, ERR_INVALID, "the body holds %zu documents instead of one",
		    node_count(docs));
	*ret_value = node_first(docs);
	return true;
}

/* YAML's first sign tells: JSON is read as JSON, whose limits and speed fit better. */
static bool
looks_like_json(struct str bytes)
{
	struct str s = str_trim(bytes);

	return s.n > 0 && s.p[0] == '{';
}

bool
body_read(struct call *c, struct node **ret_value)
{
	struct str type = media_type(c->arena, server_request_header(c->req, "Content-Type"));
	struct str bytes = c->req->body;
	struct error err = { 0 };
	bool yaml =
	    str_is(type, "application/yaml") || str_is(type, "application/apply-patch+yaml");
	bool ok = false;

	if (str_is(type, "application/vnd.kubernetes.protobuf")) {
		if (proto_decode(c->arena, bytes, ret_value, &err))
			return true;
		/* final for typed clients, as with any server that lacks the kind */
		reply_status(c, 415, "UnsupportedMediaType", "%s", err.message);
		return false;
	}
	if (yaml && !looks_like_json(bytes))
		ok = yaml_one(c, bytes, ret_value, &err);
	else
		ok = json_parse(c->arena, bytes, ret_value, &err);
	if (!ok) {
		const char *kind = c->resource != NULL ? c->resource->kind : "Object";

		reply_status(c, 400, "BadRequest",
		    "the object provided is unrecognized (must be of type "
		    "%s): couldn't get version/kind; json parse error: %s",
		    kind, err.message);
	}
	return ok;
}
