#include "backend/sim/inventory.h"

#include "backend/apiserver/builtin.h"
#include "backend/sim/state.h"
#include "backend/store/embedded.h"
#include "model/base/mem.h"
#include "model/json.h"

enum { ARENA_MAX = 1024 * 1024 * 1024 };

struct section {
	enum doc_kind kind;
	const char *name;     /* member of the JSON */
	const char *title;    /* of the text */
	const char *paths[7]; /* what is shown, NULL-terminated */
	const char *names[7]; /* member of each */
};

static const struct section sections[] = {
	{ DOC_GROUP, "resourceGroups", "RESOURCE GROUPS",
	    { "name", "location", "properties.provisioningState", "managedBy", "tags", NULL },
	    { "name", "location", "state", "managedBy", "tags", NULL } },
	{ DOC_VNET, "virtualNetworks", "VIRTUAL NETWORKS",
	    { "id", "name", "location", "properties.provisioningState", "tags", NULL },
	    { "id", "name", "location", "state", "tags", NULL } },
	{ DOC_CLUSTER, "managedClusters", "CLUSTERS",
	    { "id", "name", "location", "properties.provisioningState",
		"properties.currentKubernetesVersion", "tags", NULL },
	    { "id", "name", "location", "state", "version", "tags", NULL } },
	{ DOC_POOL, "agentPools", "POOLS",
	    { "id", "name", "properties.vmSize", "properties.count", "_sim.nodes",
		"properties.provisioningState", NULL },
	    { "id", "name", "vmSize", "count", "nodes", "state", NULL } },
	{ DOC_ROLE, "roleAssignments", "ROLE ASSIGNMENTS",
	    { "name", "properties.principalId", "properties.scope", NULL },
	    { "name", "principalId", "scope", NULL } },
	{ DOC_LEFTOVER, "madeByClusters", "MADE BY CLUSTERS", { "id", "name", "type", NULL },
	    { "id", "name", "type", NULL } },
};

struct reader {
	struct arena *a;
	struct state *st;
	const char *dir; /* <profile>/sim */
	int64_t total;
};

static struct node *
shown(struct reader *r, const struct section *s, const struct node *doc)
{
	struct node *n = node_map(r->a);

	for (size_t i = 0; s->paths[i] != NULL; i++) {
		const struct node *x = node_path(doc, s->paths[i]);

		if (x != NULL)
			node_set(r->a, n, s->names[i], node_dup(r->a, x));
	}
	return n;
}

/* How many objects of each kind a cluster holds. */
static struct node *
cluster_counts(struct reader *r, const struct node *doc)
{
	const char *dir = arena_printf(r->a, "%s/kube-" STR_FMT "-" STR_FMT, r->dir,
	    STR_ARG(node_path_str(doc, "name")), STR_ARG(node_path_str(doc, "_sim.resourceUID")));
	const struct embedded_options opt = {
		.dir = dir, .read_only = true, .accept_any_kind = true
	};
	const struct list_options all = { 0 };
	const struct resource *res[256];
	struct node *n = node_map(r->a);
	struct store *st = NULL;
	size_t count;

	if (!node_path_bool(doc, "_sim.serves", false) || !embedded_open(&opt, &st, NULL))
		return n;
	count = embedded_resources(st, res, ARRAY_LEN(res));
	for (size_t i = 0; i < count && i < ARRAY_LEN(res); i++) {
		struct object_list list = { 0 };

		if (!store_list(st, res[i], &all, &list, NULL))
			continue;
		if (list.n > 0)
			node_set_int(r->a, n, res[i]->plural, (int64_t)list.n);
		object_list_fini(&list);
	}
	store_close(st);
	return n;
}

static bool
section_read(struct reader *r, const struct section *s, struct node *root, struct error *err)
{
	struct node *list = node_list(r->a);
	struct state_rows rows = { 0 };

	if (!state_list(r->st, s->kind, STR(""), r->a, &rows, err))
		return false;
	for (size_t i = 0; i < rows.n; i++) {
		struct node *doc = NULL, *item;

		if (!json_parse(r->a, rows.items[i].doc, &doc, err))
			return false;
		item = shown(r, s, doc);
		if (s->kind == DOC_CLUSTER)
			node_set(r->a, item, "objects", cluster_counts(r, doc));
		node_push(list, item);
		r->total++;
	}
	node_set(r->a, root, s->name, list);
	return true;
}

static void
value_print(const struct node *x, struct text *out)
{
	if (x->type == NODE_STRING)
		text_add_str(out, x->u.string);
	else
		json_write(out, x, JSON_COMPACT);
}

static void
text_write(const struct reader *r, const struct node *root, struct text *out)
{
	for (size_t i = 0; i < ARRAY_LEN(sections); i++) {
		const struct node *list = node_find(root, sections[i].name);

		text_printf(out, "%s: %zu\n", sections[i].title, node_count(list));
		for (const struct node *item = node_first(list); item != NULL; item = item->next) {
			text_add(out, "  ");
			for (const struct node *x = node_first(item); x != NULL; x = x->next) {
				value_print(x, out);
				text_add(out, x->next != NULL ? "  " : "\n");
			}
		}
	}
	text_printf(out, "total: %lld\n", (long long)r->total);
}

bool
inventory_print(const char *dir, bool json, struct text *out, struct error *err)
{
	struct reader r = { .dir = dir, .a = arena_new(ARENA_MAX) };
	struct node *root;
	bool ok = false;

	if (r.a == NULL) {
		error_set(err, ERR_NO_MEMORY, "inventory: out of memory");
		goto out;
	}
	if (!state_open(dir, true, &r.st, err))
		goto out;
	root = node_map(r.a);
	for (size_t i = 0; i < ARRAY_LEN(sections); i++) {
		if (!section_read(&r, &sections[i], root, err))
			goto out;
	}
	node_set_int(r.a, root, "total", r.total);
	if (json) {
		json_write(out, root, JSON_PRETTY);
		text_add_char(out, '\n');
	} else {
		text_write(&r, root, out);
	}
	ok = text_ok(out, "inventory", err);
out:
	state_close(r.st);
	arena_free(r.a);
	return ok;
}
