/* A manifest back into the forms: for a kept draft, and for a cluster to make another one like. */
#include <stdio.h>
#include <string.h>

#include "model/yaml.h"
#include "tui/text.h"
#include "tui/wizard/wizard_int.h"

static void
number_put(struct form_field *f, const struct node *n)
{
	struct text t = TEXT_INIT(24);

	if (n != NULL && n->type == NODE_INT)
		text_add_int(&t, n->u.integer);
	field_set(f, text_str(&t));
	text_free(&t);
}

static const struct node *
class_in(const struct node *docs, struct str name)
{
	for (const struct node *d = node_first(docs); d != NULL; d = d->next)
		if (str_is(node_path_str(d, "kind"), "InferenceClass") &&
		    str_eq(node_path_str(d, "metadata.name"), name))
			return d;
	return NULL;
}

static void
pool_read(struct wizard *w, size_t i, const struct node *pool, const struct node *docs)
{
	struct form_field *f = w->pools[i].fields;
	struct str class = node_path_str(pool, "className");
	const struct node *made = class_in(docs, class);
	struct text t = TEXT_INIT(FIELD_MAX - 1);

	if (made != NULL)
		text_printf(&t, "size:" STR_FMT,
		    STR_ARG(node_path_str(made, "spec.provisioning.aks.vmSize")));
	else if (class.n > 0)
		text_printf(&t, "class:" STR_FMT, STR_ARG(class));
	field_set(&f[POOL_CLASS], text_str(&t));
	text_free(&t);
	field_set(&f[POOL_NAME], node_path_str(pool, "name"));
	w->pool_named[i] = w->pool_ranged[i] = true;
	number_put(&f[POOL_NODES], node_find(pool, "nodeCount"));
	number_put(&f[POOL_MIN], node_find(pool, "minNodeCount"));
	number_put(&f[POOL_MAX], node_find(pool, "maxNodeCount"));
	if (str_is(node_path_str(pool, "fabric.type"), "InfiniBand"))
		field_set(&f[POOL_FABRIC], STR("InfiniBand"));
	for (const struct node *z = node_first(node_find(pool, "zones")); z != NULL; z = z->next) {
		struct choice *k = field_choice_add(&f[POOL_ZONES], node_get_str(z));

		if (k != NULL)
			k->on = true;
	}
}

static void
where_read(struct wizard *w, const struct node *o)
{
	const struct node *aks = node_path(o, "spec.cluster.aks");
	struct str type = node_path_str(aks, "credentials.type");
	struct str name = node_path_str(aks, "credentials.name");
	struct text t = TEXT_INIT(FIELD_MAX - 1);

	field_set(&w->where.fields[WHERE_LOCATION], node_path_str(aks, "location"));
	field_set(&w->where.fields[WHERE_VERSION], node_path_str(aks, "kubernetesVersion"));
	text_printf(&t, STR_FMT "/" STR_FMT,
	    STR_ARG(type.n > 0 ? type : STR("ClusterProviderConfig")),
	    STR_ARG(name.n > 0 ? name : STR("default")));
	field_set(&w->where.fields[WHERE_CONFIG], text_str(&t));
	text_free(&t);
}

static void
labels_read(struct wizard *w, const struct node *o)
{
	struct text t = TEXT_INIT(FIELD_MAX - 1);

	for (const struct node *n = node_first(node_path(o, "metadata.labels")); n != NULL;
	     n = n->next)
		text_printf(&t, "%s" STR_FMT "=" STR_FMT, t.n > 0 ? " " : "", STR_ARG(n->key),
		    STR_ARG(node_get_str(n)));
	field_set(&w->labels.fields[LABELS_LABELS], text_str(&t));
	text_clear(&t);
	for (const struct node *n = node_first(node_path(o, "spec.taints")); n != NULL; n = n->next)
		text_printf(&t, "%s" STR_FMT "=" STR_FMT ":" STR_FMT, t.n > 0 ? " " : "",
		    STR_ARG(node_path_str(n, "key")), STR_ARG(node_path_str(n, "value")),
		    STR_ARG(node_path_str(n, "effect")));
	field_set(&w->labels.fields[LABELS_TAINTS], text_str(&t));
	text_free(&t);
}

bool
draft_read(struct wizard *w, struct console *c, struct str yaml, bool keep_name, struct error *err)
{
	struct arena *a = arena_new((size_t)8 * 1024 * 1024);
	struct node *docs = NULL;
	const struct node *o = NULL;
	bool ok = false;

	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory to read the draft");
	if (!yaml_parse(a, yaml, "draft", &docs, err))
		goto out;
	for (const struct node *d = node_first(docs); d != NULL; d = d->next)
		if (str_is(node_path_str(d, "kind"), "InferenceCluster"))
			o = d;
	if (o == NULL || !str_is(node_path_str(o, "spec.cluster.source"), "AKS")) {
		(void)error_set(err, ERR_INVALID, "only a cluster on AKS can be taken over");
		goto out;
	}
	where_read(w, o);
	labels_read(w, o);
	if (keep_name) {
		field_set(&w->name.fields[0], node_path_str(o, "metadata.name"));
		w->name_typed = true;
	}
	for (size_t i = 0; i < w->npools; i++)
		form_fini(&w->pools[i]);
	w->npools = w->pool = 0;
	for (const struct node *p = node_first(node_path(o, "spec.nodePools"));
	     p != NULL && w->npools < WIZARD_MAX_POOLS; p = p->next) {
		pool_init(w, w->npools);
		pool_read(w, w->npools, p, docs);
		w->npools++;
	}
	if (w->npools == 0)
		pool_init(w, w->npools++);
	choices_ask(w, c);
	ok = true;
out:
	arena_free(a);
	return ok;
}
