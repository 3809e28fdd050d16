#include "backend/apiserver/api_int.h"

#include "backend/store/object.h"
#include "model/base/mem.h"
#include "model/json.h"

#define LAST_APPLIED "kubectl.kubernetes.io/last-applied-configuration"
#define MASK_BASE64  "Kioq" /* "***" */

enum { MASK_DEPTH = 16 };

bool
call_must_mask(const struct call *c, const struct resource *res)
{
	return c->role != ROLE_ADMIN && !c->api->opt.secrets_readable && resource_is_secret(res);
}

/* Every text below n. */
static void
mask_all(struct arena *a, struct node *n, int depth)
{
	if (n->type == NODE_STRING)
		n->u.string = STR(MASK_BASE64);
	if (depth < MASK_DEPTH) {
		for (struct node *x = node_first(n); x != NULL; x = x->next)
			mask_all(a, x, depth + 1);
	}
}

static void
mask_fields(const struct schema *s, struct arena *a, struct node *value, int depth)
{
	for (size_t i = 0; s != NULL && depth < MASK_DEPTH && i < s->nfields; i++) {
		const struct field *f = &s->fields[i];
		struct node *n = node_find(value, f->name);

		if (n == NULL)
			continue;
		if ((f->flags & SECRET) != 0) {
			mask_all(a, n, 0);
			continue;
		}
		if (f->type == FT_OBJECT)
			mask_fields(f->sub, a, n, depth + 1);
		if (f->type != FT_LIST && f->type != FT_MAPOF)
			continue;
		for (struct node *x = node_first(n); x != NULL; x = x->next)
			mask_fields(f->sub, a, x, depth + 1);
	}
}

void
mask_node(const struct resource *res, struct arena *a, struct node *value)
{
	struct node *annotations = node_path(value, "metadata.annotations");

	if (res->known != NULL)
		mask_fields(res->known->schema, a, value, 0);
	if (annotations != NULL)
		(void)node_remove(annotations, STR(LAST_APPLIED));
}

bool
object_shown(const struct call *c, const struct object *o, struct str *ret_json, struct error *err)
{
	struct text out = TEXT_INIT(API_MAX_ANSWER);
	struct node *value = NULL;

	if (!call_must_mask(c, o->res)) {
		*ret_json = o->json;
		return true;
	}
	if (!object_node(o, c->arena, &value, err))
		return false;
	mask_node(o->res, c->arena, value);
	json_write(&out, value, JSON_COMPACT);
	*ret_json = str_copy(c->arena, text_str(&out));
	text_free(&out);
	return ret_json->p != NULL || error_set(err, ERR_NO_MEMORY, "no memory for an answer");
}
