#include "backend/sim/body.h"

#include "backend/sim/arm.h"

enum { PATH_MAX_LEN = 512 };

struct walk {
	struct arm_call *c;
	enum body_kind kind;
	bool strict; /* unknown members are refused: AKS since 2024-01-01, network always */
	struct text path;
};

static bool
is_aks(enum body_kind kind)
{
	return kind == BODY_CLUSTER || kind == BODY_POOL || kind == BODY_TAGS;
}

static bool
refuse_unknown(struct walk *w, struct str name)
{
	if (is_aks(w->kind))
		return answer_aks_error(w->c, 400, "UnmarshalError", NULL,
		    "UnmarshalEntity encountered error: json: unknown field \"" STR_FMT
		    "\" at '%s'.",
		    STR_ARG(name), text_get(&w->path));
	return answer_error(w->c, 400, "InvalidRequestFormat",
	    "Cannot parse the request: could not find member '" STR_FMT "' on object at '%s'.",
	    STR_ARG(name), text_get(&w->path));
}

static bool
refuse_type(struct walk *w, const char *wanted)
{
	if (is_aks(w->kind))
		return answer_aks_error(w->c, 400, "UnmarshalError", NULL,
		    "UnmarshalEntity encountered error: json: cannot unmarshal value at '%s' into "
		    "a "
		    "field of type %s.",
		    text_get(&w->path), wanted);
	return answer_error(w->c, 400, "InvalidRequestFormat",
	    "Cannot parse the request: the value at '%s' is no %s.", text_get(&w->path), wanted);
}

static bool
check_words(struct walk *w, const struct body_member *m, struct str value)
{
	struct str rest = str_from(m->words), word;

	while (str_split(&rest, '|', &word)) {
		if (str_eq_nocase(word, value))
			return true;
	}
	return answer_invalid(w->c, text_get(&w->path),
	    "The value of parameter %s is invalid: '" STR_FMT "' is none of %s.",
	    text_get(&w->path), STR_ARG(value), m->words);
}

static bool check_shape(struct walk *w, const struct body_shape *shape, struct node *n);

static const struct {
	enum node_type type, also;
	const char *word;
} types[] = {
	[M_STRING] = { NODE_STRING, NODE_STRING, "string" },
	[M_INT] = { NODE_INT, NODE_INT, "integer" },
	[M_NUMBER] = { NODE_FLOAT, NODE_INT, "number" },
	[M_BOOL] = { NODE_BOOL, NODE_BOOL, "boolean" },
	[M_OBJECT] = { NODE_MAP, NODE_MAP, "object" },
};

static bool
check_one(struct walk *w, const struct body_member *m, struct node *n)
{
	if (m->type == M_ANY)
		return true;
	if (n->type != types[m->type].type && n->type != types[m->type].also)
		return refuse_type(w, types[m->type].word);
	if (m->words != NULL)
		return check_words(w, m, n->u.string);
	return m->sub == NULL || check_shape(w, m->sub, n);
}

static bool
check_member(struct walk *w, const struct body_member *m, struct node *n)
{
	struct body_member one = *m;

	if (m->map) {
		one.map = false;
		if (n->type != NODE_MAP)
			return refuse_type(w, "object");
	} else if (m->list) {
		one.list = false;
		if (n->type != NODE_LIST)
			return refuse_type(w, "array");
	} else {
		return check_one(w, m, n);
	}
	for (struct node *x = node_first(n); x != NULL; x = x->next) {
		if (x->type != NODE_NULL && !check_member(w, &one, x))
			return false;
	}
	return true;
}

static const struct body_member *
member_find(const struct body_shape *shape, struct str name)
{
	for (size_t i = 0; i < shape->n; i++) {
		if (str_is(name, shape->members[i].name))
			return &shape->members[i];
	}
	return NULL;
}

/* From 2026-04-01 on nodeImageVersion may be sent (it asks for a rollback). */
static bool
is_read_only(const struct walk *w, const struct body_member *m)
{
	if (str_is(str_from(m->name), "nodeImageVersion"))
		return str_cmp(w->c->api_version, STR("2026-04-01")) < 0;
	return m->read_only;
}

static bool
check_shape(struct walk *w, const struct body_shape *shape, struct node *n)
{
	struct node *next;

	for (struct node *x = node_first(n); x != NULL; x = next) {
		const struct body_member *m = member_find(shape, x->key);
		size_t depth = w->path.n;
		bool ok;

		next = x->next;
		if (m == NULL && w->strict)
			return refuse_unknown(w, x->key);
		if (m == NULL || x->type == NODE_NULL || is_read_only(w, m)) {
			(void)node_remove(n, x->key); /* it is there */
			continue;
		}
		if (depth > 0)
			text_add_char(&w->path, '.');
		text_add_str(&w->path, x->key);
		ok = check_member(w, m, x);
		if (!ok)
			return false;
		w->path.n = depth;
		if (w->path.p != NULL)
			w->path.p[depth] = '\0';
	}
	return true;
}

bool
body_check(struct arm_call *c, enum body_kind kind, struct node *body)
{
	struct walk w = { .c = c, .kind = kind, .path = TEXT_INIT(PATH_MAX_LEN) };
	bool ok;

	w.strict = !is_aks(kind) || str_cmp(c->api_version, STR("2024-01-01")) >= 0;
	ok = check_shape(&w, body_shapes[kind], body);
	text_free(&w.path);
	return ok;
}
