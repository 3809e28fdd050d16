#include "backend/sim/fleet.h"

#include "backend/sim/catalog.h"
#include "model/base/macros.h"

struct class_row {
	const char *name;
	const char *size; /* of the catalog, or one that does not exist */
	const char *words;
	const char *accelerator;
	int disk_gb;
	/* of a size that is not in the catalog */
	int gpus;
};

struct pool_row {
	const char *name; /* NULL: no more pools */
	const char *class;
	int nodes, min, max;
	const char *zones; /* "1,2", or NULL */
	bool infiniband;
};

struct cluster_row {
	const char *name;
	const char *location;
	const char *tier, *team; /* labels; team NULL for none */
	const char *comment;
	const char *taint;   /* "key=value:Effect", or NULL */
	const char *version; /* NULL: the default */
	struct pool_row pools[4];
};

/* clang-format off */
static const struct class_row classes[] = {
	{ "a10-1x",       "Standard_NV36ads_A10_v5",  "one A10, for small models and tests",      "nvidia-a10",      100, 1 },
	{ "a100-1x",      "Standard_NC24ads_A100_v4", "one A100 80GB on PCIe",                    "nvidia-a100",     100, 1 },
	{ "a100-4x",      "Standard_NC96ads_A100_v4", "four A100 80GB on PCIe",                   "nvidia-a100",     200, 4 },
	{ "h100-8x",      "Standard_ND96isr_H100_v5", "eight H100 80GB, InfiniBand",              "nvidia-h100",     200, 8 },
	{ "h200-8x",      "Standard_ND96isr_H200_v5", "eight H200 141GB, InfiniBand",             "nvidia-h200",     200, 8 },
	{ "h100-nvl-1x",  "Standard_NC40ads_H100_v5", "one H100 NVL; this subscription has no quota for it", "nvidia-h100-nvl", 100, 1 },
	{ "b300-8x",      "Standard_ND128isr_B300_v7", "a size that Azure does not know",         "nvidia-b300",     200, 8 },
};

static const struct cluster_row clusters[] = {
	{ "aks-westeurope", "westeurope", "prod", "search", "the workhorse: A10 for small models, A100 for large ones", NULL, NULL,
	    { { "gpua10", "a10-1x", 2, 1, 6, NULL, false }, { "gpua100", "a100-1x", 1, 1, 4, "1,2", false } } },
	{ "aks-northeurope", "northeurope", "prod", "search", "its stand-by", NULL, NULL,
	    { { "gpua10", "a10-1x", 1, 1, 4, NULL, false } } },
	{ "aks-eastus", "eastus", "prod", "assistants", "large models over InfiniBand", NULL, NULL,
	    { { "gpuh100", "h100-8x", 2, 2, 4, NULL, true }, { "gpua100", "a100-4x", 1, 1, 2, NULL, false } } },
	{ "aks-southcentralus", "southcentralus", "prod", "assistants", "A100 in two zones", NULL, NULL,
	    { { "gpua100", "a100-1x", 3, 2, 8, "1,2", false } } },
	{ "aks-swedencentral", "swedencentral", "prod", "research", "H200, kept for one team", "team=research:NoSchedule", "1.36",
	    { { "gpuh200", "h200-8x", 1, 1, 2, NULL, true } } },
	{ "aks-japaneast", "japaneast", "prod", NULL, "on a newer Kubernetes", NULL, "1.35",
	    { { "gpua10", "a10-1x", 1, 1, 3, "1", false } } },
	{ "aks-uksouth", "uksouth", "staging", "search", "being emptied for maintenance", "maintenance=planned:NoExecute", NULL,
	    { { "gpua10", "a10-1x", 1, 1, 2, NULL, false } } },
	{ "aks-westus3", "westus3", "dev", "research", "meets trouble: no quota for its GPUs", NULL, NULL,
	    { { "gpunvl", "h100-nvl-1x", 2, 1, 2, NULL, false } } },
	{ "aks-australiaeast", "australiaeast", "dev", NULL, "meets trouble: a machine size that does not exist", NULL, NULL,
	    { { "gpua10", "a10-1x", 1, 1, 1, NULL, false }, { "gpub300", "b300-8x", 1, 1, 1, NULL, true } } },
};
/* clang-format on */

static void
class_write(const struct class_row *c, struct text *out)
{
	const struct vm_size *v = size_find(str_from(c->size));

	text_printf(out,
	    "---\napiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata:\n  name: "
	    "%s\nspec:\n"
	    "  description: \"%s: %s\"\n  provisioning:\n    provider: AKS\n    aks:\n      "
	    "vmSize: %s\n"
	    "      diskSizeGb: %d\n      accelerator:\n        type: %s\n        count: %d\n",
	    c->name, c->size, c->words, c->size, c->disk_gb, c->accelerator, c->gpus);
	text_printf(out,
	    "  devices:\n  - name: gpu\n    claim: DRA\n    driver: gpu.nvidia.com\n"
	    "    deviceClassName: gpu.nvidia.com\n    count: %d\n    attributes:\n"
	    "      architecture: { string: %s }\n      cudaComputeCapability: { version: \"%s\" }\n"
	    "    capacity:\n      memory: { value: \"%s\" }\n",
	    c->gpus, v != NULL && v->gpu != NULL ? v->gpu->architecture : "Blackwell",
	    v != NULL && v->gpu != NULL ? v->gpu->capability : "10.0.0",
	    v != NULL && v->gpu != NULL ? v->gpu->memory : "288Gi");
}

static void
pool_write(const struct pool_row *p, struct text *out)
{
	struct str rest = str_from(p->zones), zone;

	text_printf(out,
	    "  - name: %s\n    className: %s\n    nodeCount: %d\n    minNodeCount: %d\n"
	    "    maxNodeCount: %d\n",
	    p->name, p->class, p->nodes, p->min, p->max);
	if (p->zones != NULL) {
		text_add(out, "    zones:\n");
		while (str_split(&rest, ',', &zone))
			text_printf(out, "    - \"" STR_FMT "\"\n", STR_ARG(zone));
	}
	if (p->infiniband)
		text_add(out, "    fabric:\n      type: InfiniBand\n");
}

static void
taint_write(const char *taint, struct text *out)
{
	struct str rest = str_from(taint), key, value;

	if (!str_split(&rest, '=', &key) || !str_split(&rest, ':', &value))
		return;
	text_printf(out,
	    "  taints:\n  - key: " STR_FMT "\n    value: " STR_FMT "\n    effect: " STR_FMT "\n",
	    STR_ARG(key), STR_ARG(value), STR_ARG(rest));
}

static void
cluster_write(const struct cluster_row *c, struct text *out)
{
	text_printf(out,
	    "---\n# %s\napiVersion: modelplane.ai/v1alpha1\nkind: InferenceCluster\nmetadata:\n  "
	    "name: %s\n"
	    "  labels:\n    modelplane.ai/region: %s\n    tier: %s\n",
	    c->comment, c->name, c->location, c->tier);
	if (c->team != NULL)
		text_printf(out, "    team: %s\n", c->team);
	text_printf(
	    out, "spec:\n  cluster:\n    source: AKS\n    aks:\n      location: %s\n", c->location);
	if (c->version != NULL)
		text_printf(out, "      kubernetesVersion: \"%s\"\n", c->version);
	if (c->taint != NULL)
		taint_write(c->taint, out);
	text_add(out, "  nodePools:\n");
	for (size_t i = 0; i < ARRAY_LEN(c->pools) && c->pools[i].name != NULL; i++)
		pool_write(&c->pools[i], out);
}

void
fleet_write(struct text *out)
{
	text_add(out,
	    "# A fleet to practise on: nine AKS clusters, two of which meet trouble.\n"
	    "apiVersion: azure.m.upbound.io/v1beta1\nkind: ClusterProviderConfig\nmetadata:\n"
	    "  name: default\nspec:\n  credentials:\n    source: Secret\n    secretRef:\n"
	    "      namespace: crossplane-system\n      name: azure-credentials\n"
	    "      key: credentials.json\n");
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		class_write(&classes[i], out);
	for (size_t i = 0; i < ARRAY_LEN(clusters); i++)
		cluster_write(&clusters[i], out);
}
