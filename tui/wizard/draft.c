/* What was entered as manifests: the InferenceCluster, and a class for each VM size that has none.
 */
#include <stdio.h>
#include <string.h>

#include "model/yaml.h"
#include "tui/text.h"
#include "tui/wizard/wizard_int.h"

/*
 * Usable memory as the driver reports it and compute capability, from NVIDIA's tables; which Azure
 * size has which GPU from Azure's list of sizes. Narrower rows first.
 */
/* clang-format off */
static const struct gpu_fact gpu_facts[] = {
	{ "H200",       NULL,  "H200", "nvidia-h200", "Hopper", "9.0.0", "143771Mi" },
	{ "H100",       "_NC", "H100", "nvidia-h100-nvl", "Hopper", "9.0.0", "95830Mi" },
	{ "H100",       NULL,  "H100", "nvidia-h100", "Hopper", "9.0.0", "81559Mi" },
	{ "ND96asr_v4", NULL,  "A100", "nvidia-a100", "Ampere", "8.0.0", "40960Mi" },
	{ "A100",       NULL,  "A100", "nvidia-a100", "Ampere", "8.0.0", "81920Mi" },
	{ "A10",        NULL,  "A10",  "nvidia-a10", "Ampere", "8.6.0", "24564Mi" },
	{ "T4",         NULL,  "T4",   "nvidia-t4", "Turing", "7.5.0", "15360Mi" },
	{ "s_v3",       "_NC", "V100", "nvidia-v100", "Volta", "7.0.0", "16384Mi" },
};
/* clang-format on */

const struct gpu_fact *
gpu_fact_find(const struct vm_size *s)
{
	for (size_t i = 0; i < ARRAY_LEN(gpu_facts); i++) {
		const struct gpu_fact *g = &gpu_facts[i];

		if ((text_has_nocase(str_from(s->name), str_from(g->word)) ||
			text_has_nocase(str_from(s->accelerator), str_from(g->word))) &&
		    (g->also == NULL || text_has_nocase(str_from(s->name), str_from(g->also))))
			return g;
	}
	return NULL;
}

static struct node *
object_new(struct arena *a, const char *kind, const char *name)
{
	struct node *o = node_map(a);
	struct node *meta = node_map(a);

	node_set_strz(a, o, "apiVersion", "modelplane.ai/v1alpha1");
	node_set_strz(a, o, "kind", kind);
	node_set_strz(a, meta, "name", name);
	node_set(a, o, "metadata", meta);
	return o;
}

static struct node *
one_of(struct arena *a, const char *type, const char *value)
{
	struct node *m = node_map(a);

	node_set_strz(a, m, type, value);
	return m;
}

static struct node *
class_node(struct arena *a, const struct vm_size *s)
{
	const struct gpu_fact *g = gpu_fact_find(s);
	char name[FIELD_MAX];
	struct node *o;
	struct node *spec;
	struct node *aks;
	struct node *accelerator;
	struct node *devices = node_list(a);
	struct node *device = node_map(a);
	const char *memory = g != NULL ? g->memory : "";

	class_name_for(s->name, name);
	o = object_new(a, "InferenceClass", name);
	spec = node_make_path(a, o, "spec");
	node_set_strz(a, spec, "description",
	    arena_printf(a, "AKS %s, %lld x %s", s->name, (long long)s->gpus,
		g != NULL ? g->name : s->accelerator));
	node_set_strz(a, node_make_path(a, spec, "provisioning"), "provider", "AKS");
	aks = node_make_path(a, spec, "provisioning.aks");
	node_set_strz(a, aks, "vmSize", s->name);
	node_set_int(a, aks, "diskSizeGb", s->gpus >= 8 ? 200 : 100);
	accelerator = node_map(a);
	node_set_strz(a, accelerator, "type", g != NULL ? g->type : s->accelerator);
	node_set_int(a, accelerator, "count", s->gpus);
	node_set(a, aks, "accelerator", accelerator);
	node_set_strz(a, device, "name", "gpu");
	node_set_strz(a, device, "claim", "DRA");
	node_set_strz(a, device, "driver", "gpu.nvidia.com");
	node_set_strz(a, device, "deviceClassName", "gpu.nvidia.com");
	node_set_int(a, device, "count", s->gpus);
	if (g != NULL) {
		struct node *attributes = node_make_path(a, device, "attributes");

		node_set(a, attributes, "architecture", one_of(a, "string", g->architecture));
		node_set(
		    a, attributes, "cudaComputeCapability", one_of(a, "version", g->capability));
	}
	if (memory[0] != '\0')
		node_set(
		    a, node_make_path(a, device, "capacity"), "memory", one_of(a, "value", memory));
	node_push(devices, device);
	node_set(a, spec, "devices", devices);
	return o;
}

/* "a=b c=d" to a map; a word without '=' becomes a key without a value, which the checks report. */
static void
labels_put(struct arena *a, struct node *meta, const char *text)
{
	struct str rest = str_from(text);
	struct str word;
	struct node *labels = node_map(a);

	while (str_split(&rest, ' ', &word)) {
		ptrdiff_t eq = str_find_char(word, '=');
		struct str key = eq < 0 ? word : str_sub(word, 0, (size_t)eq);

		if (word.n > 0)
			node_set_str(a, labels, key,
			    node_str(a, eq < 0 ? STR("") : str_sub(word, (size_t)eq + 1, word.n)));
	}
	if (node_count(labels) > 0)
		node_set(a, meta, "labels", labels);
}

/* "key=value:Effect ..." */
static void
taints_put(struct arena *a, struct node *spec, const char *text)
{
	struct str rest = str_from(text);
	struct str word;
	struct node *taints = node_list(a);

	while (str_split(&rest, ' ', &word)) {
		ptrdiff_t colon = str_find_char(word, ':');
		struct str key = colon < 0 ? word : str_sub(word, 0, (size_t)colon);
		ptrdiff_t eq = str_find_char(key, '=');
		struct node *t = node_map(a);

		if (word.n == 0)
			continue;
		node_set(a, t, "key", node_str(a, eq < 0 ? key : str_sub(key, 0, (size_t)eq)));
		if (eq >= 0)
			node_set(a, t, "value", node_str(a, str_sub(key, (size_t)eq + 1, key.n)));
		node_set(a, t, "effect",
		    node_str(a,
			colon < 0 ? STR("NoSchedule") : str_sub(word, (size_t)colon + 1, word.n)));
		node_push(taints, t);
	}
	if (node_count(taints) > 0)
		node_set(a, spec, "taints", taints);
}

static void
count_put(struct arena *a, struct node *pool, const char *key, const struct form_field *f)
{
	int64_t n;

	if (f->value[0] != '\0' && field_number(f, &n))
		node_set_int(a, pool, key, n);
}

static struct node *
pool_node(struct arena *a, const struct form *f)
{
	struct node *p = node_map(a);
	const char *class = f->fields[POOL_CLASS].value;
	struct node *zones = node_list(a);
	char name[FIELD_MAX];

	node_set_strz(a, p, "name", f->fields[POOL_NAME].value);
	if (strncmp(class, "size:", 5) == 0) {
		class_name_for(class + 5, name);
		node_set_strz(a, p, "className", name);
	} else if (strncmp(class, "class:", 6) == 0) {
		node_set_strz(a, p, "className", class + 6);
	}
	count_put(a, p, "nodeCount", &f->fields[POOL_NODES]);
	count_put(a, p, "minNodeCount", &f->fields[POOL_MIN]);
	count_put(a, p, "maxNodeCount", &f->fields[POOL_MAX]);
	for (size_t i = 0; i < f->fields[POOL_ZONES].nchoices; i++)
		if (f->fields[POOL_ZONES].choices[i].on)
			node_push(zones, node_strz(a, f->fields[POOL_ZONES].choices[i].value));
	if (node_count(zones) > 0)
		node_set(a, p, "zones", zones);
	if (strcmp(f->fields[POOL_FABRIC].value, "InfiniBand") == 0)
		node_set_strz(a, node_make_path(a, p, "fabric"), "type", "InfiniBand");
	return p;
}

static void
cluster_put(const struct wizard *w, struct arena *a, struct node *o)
{
	struct node *spec = node_make_path(a, o, "spec");
	struct node *cluster = node_make_path(a, spec, "cluster");
	struct node *aks;
	struct node *pools = node_list(a);
	const struct form_field *where = w->where.fields;
	const char *config = where[WHERE_CONFIG].value;
	const char *slash = strchr(config, '/');

	node_set_strz(a, cluster, "source", "AKS");
	aks = node_make_path(a, cluster, "aks");
	if (where[WHERE_LOCATION].value[0] != '\0')
		node_set_strz(a, aks, "location", where[WHERE_LOCATION].value);
	if (where[WHERE_VERSION].value[0] != '\0')
		node_set_strz(a, aks, "kubernetesVersion", where[WHERE_VERSION].value);
	if (slash != NULL && strcmp(config, "ClusterProviderConfig/default") != 0) {
		struct node *credentials = node_make_path(a, aks, "credentials");

		node_set(a, credentials, "type",
		    node_str(a, (struct str){ config, (size_t)(slash - config) }));
		node_set_strz(a, credentials, "name", slash + 1);
	}
	taints_put(a, spec, w->labels.fields[LABELS_TAINTS].value);
	for (size_t i = 0; i < w->npools; i++)
		node_push(pools, pool_node(a, &w->pools[i]));
	node_set(a, spec, "nodePools", pools);
}

static bool
size_is_first(const struct wizard *w, size_t pool)
{
	for (size_t i = 0; i < pool; i++)
		if (strcmp(w->pools[i].fields[POOL_CLASS].value,
			w->pools[pool].fields[POOL_CLASS].value) == 0)
			return false;
	return true;
}

void
draft_write(const struct wizard *w, const struct console *c, struct arena *a, struct text *out)
{
	struct node *o = object_new(a, "InferenceCluster", w->name.fields[0].value);

	for (size_t i = 0; i < w->npools; i++) {
		const struct vm_size *s = pool_size(w, c, i);

		if (strncmp(w->pools[i].fields[POOL_CLASS].value, "size:", 5) != 0 || s == NULL ||
		    !size_is_first(w, i))
			continue;
		yaml_write(out, class_node(a, s));
		text_add(out, "---\n");
	}
	labels_put(a, node_find(o, "metadata"), w->labels.fields[LABELS_LABELS].value);
	cluster_put(w, a, o);
	yaml_write(out, o);
}
