#include "model/validate.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/schema_int.h"
#include "model/yaml.h"

enum { SET_MAX_DOCUMENTS = 10000, SET_MAX_KINDS = 64 };

void
manifest_set_init(struct manifest_set *m, struct arena *a)
{
	*m = (struct manifest_set){ .arena = a };
	problems_init(&m->problems, a, NULL);
}

static bool
add_document(struct manifest_set *m, const char *file, struct node *object)
{
	if (m->ndocs == m->cap) {
		size_t cap = m->cap == 0 ? 16 : m->cap * 2;
		struct document *more = arena_array(m->arena, cap, sizeof(*more));

		if (more == NULL || m->ndocs >= SET_MAX_DOCUMENTS)
			return false;
		if (m->ndocs > 0)
			memcpy(more, m->docs, m->ndocs * sizeof(*more));
		m->docs = more;
		m->cap = cap;
	}
	m->docs[m->ndocs++] =
	    (struct document){ .file = file, .line = object->line, .object = object };
	return true;
}

/* Cuts "file:line:column: " off a reader's message and gives the place. */
static struct str
split_place(struct str message, const char *file, struct node *ret_place)
{
	struct str rest = message, line, column;
	struct str prefix = str_from(file);
	int64_t l = 0, c = 0;

	if (!str_starts(rest, prefix) || rest.n <= prefix.n || rest.p[prefix.n] != ':')
		return message;
	rest = str_sub(rest, prefix.n + 1, rest.n);
	if (!str_split(&rest, ':', &line) || !str_to_int(line, &l))
		return message;
	ret_place->line = (uint32_t)l;
	if (rest.n > 0 && rest.p[0] != ' ' && str_split(&rest, ':', &column) &&
	    str_to_int(column, &c))
		ret_place->column = (uint32_t)c;
	return str_trim(rest);
}

static void
add_reader_problem(struct manifest_set *m, const char *file, const struct error *err)
{
	struct node place = { 0 };
	struct str message = split_place(str_from(err->message), file, &place);

	problems_add(&m->problems, SEVERITY_ERROR, &place, STR(""), "schema/syntax",
	    err->advice[0] != '\0' ? err->advice : "nothing of this file is used", STR_FMT,
	    STR_ARG(message));
}

/* JSON is read as YAML, which keeps numbers as written; JSON's own escapes need its own reader. */
static bool
read_documents(struct manifest_set *m, const char *file, struct str bytes, struct node **ret_docs,
    struct error *err)
{
	struct node *one = NULL;

	if (yaml_parse(m->arena, bytes, file, ret_docs, err))
		return true;
	if (!str_starts(str_trim(bytes), STR("{")) || !json_parse(m->arena, bytes, &one, NULL))
		return false;
	*ret_docs = node_list(m->arena);
	node_push(*ret_docs, one);
	return *ret_docs != NULL;
}

static bool
is_list(const struct node *doc)
{
	const struct node *items = node_find(doc, "items");

	return items != NULL && items->type == NODE_LIST &&
	       str_ends(node_get_str(node_find(doc, "kind")), STR("List"));
}

static bool
add_documents(struct manifest_set *m, const char *file, struct node *docs)
{
	for (struct node *doc = node_first(docs); doc != NULL; doc = doc->next) {
		if (!is_list(doc)) {
			if (!add_document(m, file, doc))
				return false;
			continue;
		}
		for (struct node *x = node_first(node_find(doc, "items")); x != NULL; x = x->next) {
			if (!add_document(m, file, x))
				return false;
		}
	}
	return true;
}

bool
manifest_set_add(struct manifest_set *m, const char *file, struct str bytes)
{
	const char *kept = arena_dup(m->arena, file, strlen(file));
	struct node *docs = NULL;
	struct error err = { 0 };

	m->problems.file = kept != NULL ? kept : "";
	if (!read_documents(m, m->problems.file, bytes, &docs, &err)) {
		add_reader_problem(m, m->problems.file, &err);
		return false;
	}
	if (node_count(docs) == 0) {
		problems_add(&m->problems, SEVERITY_ERROR, NULL, STR(""), "schema/empty",
		    "a manifest holds at least one object", "holds no object");
		return false;
	}
	if (!add_documents(m, m->problems.file, docs)) {
		problems_add(&m->problems, SEVERITY_ERROR, NULL, STR(""), "schema/limit",
		    "split the set", "too many objects: %d are allowed in one go",
		    SET_MAX_DOCUMENTS);
		return false;
	}
	return true;
}

/* A kind of ours under a foreign group, or under a version that we do not know. */
static void
report_near_kind(
    struct problems *p, const struct node *doc, const struct kind *k, struct str version)
{
	struct str rest = version, group;
	const struct node *at = node_find(doc, "apiVersion");
	struct text known = TEXT_INIT(128);

	kind_api_version(k, &known);
	if (str_split(&rest, '/', &group) && str_is(group, k->group))
		problems_add(p, SEVERITY_ERROR, at, STR("apiVersion"), "flightdeck/unknown-version",
		    arena_printf(p->arena, "write %s", text_get(&known)),
		    "%s has no version '" STR_FMT "'", k->kind,
		    STR_ARG(schema_shown(p->arena, NULL, node_find(doc, "apiVersion"))));
	else
		problems_add(p, SEVERITY_ERROR, at, STR("apiVersion"),
		    "flightdeck/unsupported-kind",
		    arena_printf(
			p->arena, "ours is %s: leave the other out of the files", text_get(&known)),
		    "%s of '" STR_FMT "' is another project's kind and is not supported", k->kind,
		    STR_ARG(schema_shown(p->arena, NULL, at)));
	text_free(&known);
}

/* The first table of that kind whose group fits, else the first of that kind at all. */
static const struct kind *
near_kind(struct str version, struct str kind)
{
	const struct kind *ret = NULL;
	struct str rest = version, group = { NULL, 0 };
	size_t n;
	const struct kind *const *all = kinds_get(&n);

	(void)str_split(&rest, '/', &group);
	for (size_t i = 0; i < n; i++) {
		if (!str_is(kind, all[i]->kind))
			continue;
		if (str_is(group, all[i]->group))
			return all[i];
		if (ret == NULL)
			ret = all[i];
	}
	return ret;
}

static void
report_unknown_kind(struct problems *p, const struct node *doc, struct str version, struct str kind)
{
	const struct kind *near = near_kind(version, kind);
	const char *names[SET_MAX_KINDS];
	const char *like;
	size_t n;
	const struct kind *const *all = kinds_get(&n);

	if (near != NULL) {
		report_near_kind(p, doc, near, version);
		return;
	}
	for (size_t i = 0; i < n && i < SET_MAX_KINDS; i++)
		names[i] = all[i]->kind;
	like = suggest(kind, names, n < SET_MAX_KINDS ? n : SET_MAX_KINDS);
	problems_add(p, SEVERITY_ERROR, node_find(doc, "kind"), STR("kind"),
	    "flightdeck/unsupported-kind",
	    like != NULL ? arena_printf(p->arena, "did you mean '%s'?", like)
			 : "leave it out of the files that are given here",
	    "kind '" STR_FMT "' is not known",
	    STR_ARG(schema_shown(p->arena, NULL, node_find(doc, "kind"))));
}

static const struct node *
text_member(struct problems *p, const struct node *doc, const char *name, const char *advice)
{
	const struct node *x = node_find(doc, name);

	if (x != NULL && x->type == NODE_STRING && x->u.string.n > 0)
		return x;
	problems_add(p, SEVERITY_ERROR, x != NULL ? x : doc, str_from(name),
	    x == NULL || x->type == NODE_NULL ? "schema/required" : "schema/type", advice, "%s",
	    x == NULL || x->type == NODE_NULL ? "is missing" : "wants a string that is not empty");
	return NULL;
}

/* Finds the table; NULL with a problem when there is none. */
static const struct kind *
recognise(struct problems *p, const struct node *doc)
{
	const struct node *version, *kind;
	const struct kind *k;

	if (doc->type != NODE_MAP) {
		problems_add(p, SEVERITY_ERROR, doc, STR(""), "schema/type",
		    "begin it with apiVersion and kind", "a document is an object, this is a %s",
		    node_type_name(doc->type));
		return NULL;
	}
	version = text_member(p, doc, "apiVersion", "such as modelplane.ai/v1alpha1");
	kind = text_member(p, doc, "kind", "such as InferenceCluster");
	if (version == NULL || kind == NULL)
		return NULL;
	k = kind_find(version->u.string, kind->u.string);
	if (k == NULL)
		report_unknown_kind(p, doc, version->u.string, kind->u.string);
	return k;
}

static void check_null_values(struct walk *w, const struct schema *s, const struct node *value);

/* Elements of a list, values of a map. */
static void
check_null_items(struct walk *w, const struct field *f, const struct node *value)
{
	size_t index = 0;

	for (const struct node *x = node_first(value); x != NULL; x = x->next) {
		size_t back =
		    f->type == FT_LIST ? path_push_index(w, index++) : path_push(w, x->key);

		if (f->type != FT_LIST && x->type == NODE_NULL)
			walk_fail(w, x, "flightdeck/null-value",
			    "give it a value, in quotes if it is text, or take the key out",
			    "has no value");
		check_null_values(w, f->sub, x);
		path_pop(w, back);
	}
}

/* A server would keep a null label as "" or drop it without a word; neither is what was meant. */
static void
check_null_values(struct walk *w, const struct schema *s, const struct node *value)
{
	if (s == NULL || value->type != NODE_MAP)
		return;
	for (const struct node *x = node_first(value); x != NULL; x = x->next) {
		const struct field *f = schema_child(s, x->key);
		size_t back = path_push(w, x->key);

		if (f != NULL && f->type == FT_OBJECT)
			check_null_values(w, f->sub, x);
		else if (f != NULL &&
			 (f->type == FT_LIST || f->type == FT_MAP || f->type == FT_MAPOF))
			check_null_items(w, f, x);
		path_pop(w, back);
	}
}

static void
check_nulls(struct manifest_set *m, const struct document *d)
{
	struct walk w = { .arena = m->arena,
		.problems = &m->problems,
		.kind = d->kind,
		.path = TEXT_INIT(SCHEMA_PATH_MAX) };

	check_null_values(&w, d->kind->schema, d->object);
	text_free(&w.path);
}

static void
check_identity(struct manifest_set *m, size_t at)
{
	const struct document *d = &m->docs[at];

	for (size_t i = 0; i < at; i++) {
		const struct document *other = &m->docs[i];

		if (other->kind != d->kind || !str_eq(other->name, d->name) ||
		    !str_eq(other->ns, d->ns))
			continue;
		problems_add(&m->problems, SEVERITY_ERROR,
		    node_find(node_find(d->object, "metadata"), "name"), STR("metadata.name"),
		    "flightdeck/duplicate", "rename one, or take one out",
		    "%s '" STR_FMT "' is already given at %s:%u", d->kind->kind,
		    STR_ARG(str_sub(d->name, 0, SCHEMA_SHOWN_CHARS)), other->file,
		    (unsigned)other->line);
		return;
	}
}

static void
check_applicable(struct manifest_set *m, const struct document *d)
{
	const struct node *at = node_find(d->object, "kind");

	if ((d->kind->flags & KIND_INTERNAL) != 0 || str_is(str_from(d->kind->kind), "Event"))
		problems_add(&m->problems, SEVERITY_ERROR, at, STR("kind"),
		    "flightdeck/internal-kind", "take it out of the files",
		    "%s is written by Flightdeck alone", d->kind->kind);
	else if ((d->kind->flags & KIND_RECONCILED) == 0)
		problems_add(&m->problems, SEVERITY_ERROR, at, STR("kind"),
		    "flightdeck/not-reconciled",
		    "'flightdeck validate' checks it; take it out of what is applied",
		    "nothing here reconciles %s", d->kind->kind);
	if (d->name.n == 0 && node_path(d->object, "metadata.generateName") != NULL)
		problems_add(&m->problems, SEVERITY_ERROR,
		    node_path(d->object, "metadata.generateName"), STR("metadata.generateName"),
		    "flightdeck/generate-name", "set metadata.name",
		    "an object is applied by its name");
}

static void
check_document(
    struct manifest_set *m, struct document *d, struct rule_cache *cache, const struct known *known)
{
	const struct node *stored = NULL;

	d->name = node_path_str(d->object, "metadata.name");
	if ((d->kind->flags & KIND_NAMESPACED) != 0)
		d->ns = node_path_str(d->object, "metadata.namespace");
	if (known->find != NULL && d->name.n > 0)
		stored = known->find(known->context, d->kind, d->ns, d->name);
	check_nulls(m, d);
	if (!schema_check_cached(d->kind, m->arena, cache, d->object, stored, &m->problems))
		return;
	if (stored != NULL)
		schema_check_immutable(d->kind, m->arena, d->object, stored, &m->problems);
}

/* Takes out what was added from `from` on about a field that the schema has already refused. */
static void
drop_repeated(struct problems *p, const struct document *d, size_t from)
{
	size_t kept = from;

	for (size_t i = from; i < p->n; i++) {
		bool repeated = false;

		for (size_t j = d->first_problem; j < d->end_problem && !repeated; j++)
			repeated = str_eq(p->items[j].path, p->items[i].path);
		if (!repeated)
			p->items[kept++] = p->items[i];
		else if (p->items[i].severity == SEVERITY_ERROR)
			p->nerrors--;
	}
	p->n = kept;
}

/* What looks at other objects comes when all are there and have their defaults. */
static void
check_beyond_schema(struct manifest_set *m, size_t at, const struct known *known)
{
	struct document *d = &m->docs[at];
	struct problems *p = &m->problems;
	size_t before = p->nerrors, from;

	p->file = d->file;
	if (d->name.n > 0)
		check_identity(m, at);
	if (known->for_apply)
		check_applicable(m, d);
	from = p->n;
	rules_check(d->kind, d->object, m, known, p);
	drop_repeated(p, d, from);
	d->nerrors += p->nerrors - before;
}

bool
manifest_set_check(struct manifest_set *m, const struct known *known)
{
	static const struct known nothing = { 0 };
	const struct known *k = known != NULL ? known : &nothing;
	struct rule_cache cache = { 0 };

	for (size_t i = 0; i < m->ndocs; i++) {
		struct document *d = &m->docs[i];
		size_t before = m->problems.nerrors;

		m->problems.file = d->file;
		d->first_problem = m->problems.n;
		d->kind = recognise(&m->problems, d->object);
		if (d->kind != NULL)
			check_document(m, d, &cache, k);
		d->end_problem = m->problems.n;
		d->nerrors = m->problems.nerrors - before;
	}
	for (size_t i = 0; i < m->ndocs; i++) {
		if (m->docs[i].kind != NULL)
			check_beyond_schema(m, i, k);
	}
	if (arena_failed(m->arena))
		problems_add(&m->problems, SEVERITY_ERROR, NULL, STR(""), "schema/limit",
		    "split it", "the set is too large to check");
	problems_sort(&m->problems);
	return m->problems.nerrors == 0;
}

bool
manifest_set_file_ok(const struct manifest_set *m, const char *file)
{
	for (size_t i = 0; i < m->problems.n; i++) {
		const struct problem *p = &m->problems.items[i];

		if (p->severity == SEVERITY_ERROR && p->file != NULL && strcmp(p->file, file) == 0)
			return false;
	}
	return true;
}

const struct document *
manifest_set_find(
    const struct manifest_set *m, const struct kind *k, struct str ns, struct str name)
{
	for (size_t i = 0; m != NULL && i < m->ndocs; i++) {
		const struct document *d = &m->docs[i];

		if (d->kind == k && str_eq(d->ns, ns) && str_eq(d->name, name))
			return d;
	}
	return NULL;
}
