/*
 * The flightdeck/ rules: facts of the clouds that schemas cannot say, both sides of each limit.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/kinds/inference_class.h"
#include "model/kinds/inference_cluster.h"
#include "model/stamp.h"

#include "helper_manifest.h"

/* clang-format off */
#define CLASSES                                                                                    \
	"apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: l4}\nspec:\n"  \
	"  devices: [{name: g, driver: d, deviceClassName: x}]\n  provisioning:\n"                 \
	"    provider: AKS\n    aks: {vmSize: s, accelerator: {type: t, count: 1}}\n---\n"         \
	"apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: l4-gke}\nspec:\n" \
	"  devices: [{name: g, driver: d, deviceClassName: x}]\n  provisioning:\n"                 \
	"    provider: GKE\n    gke: {machineType: s, accelerator: {type: t, count: 1}}\n---\n"    \
	"apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: l4-eks}\nspec:\n" \
	"  devices: [{name: g, driver: d, deviceClassName: x}]\n  provisioning:\n"                 \
	"    provider: EKS\n    eks: {instanceType: s, accelerator: {type: t, count: 1}}\n---\n"   \
	"apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: l4-nebius}\nspec:\n" \
	"  devices: [{name: g, driver: d, deviceClassName: x}]\n  provisioning:\n"                 \
	"    provider: Nebius\n    nebius: {platform: s, preset: p, accelerator: {type: t, count: 1}}\n---\n" \
	"apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: l4-vultr}\nspec:\n" \
	"  devices: [{name: g, driver: d, deviceClassName: x}]\n  provisioning:\n"                 \
	"    provider: Vultr\n    vultr: {plan: s, accelerator: {type: t, count: 1}}\n---\n"       \
	"apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: two-blocks}\nspec:\n" \
	"  devices: [{name: g, driver: d, deviceClassName: x}]\n  provisioning:\n"                 \
	"    provider: EKS\n    eks: {instanceType: s, accelerator: {type: t, count: 1}}\n"        \
	"    aks: {vmSize: s, accelerator: {type: t, count: 1}}\n---\n"                            \
	"apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: eks-only}\n"   \
	"spec:\n  devices: [{name: g, driver: d, deviceClassName: x}]\n  provisioning:\n"          \
	"    provider: EKS\n    eks: {instanceType: s, accelerator: {type: t, count: 1}}\n---\n"   \
	"apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: byo}\n"        \
	"spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n---\n"
#define CLUSTER                                                                                    \
	CLASSES "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceCluster\n"                     \
		"metadata: {name: c}\nspec:\n"
#define ON_AKS	    "  cluster: {source: AKS, aks: {location: westeurope, kubernetesVersion: \"1.36\"}}\n"
#define ON_GKE	    "  cluster: {source: GKE, gke: {region: r}}\n"
#define ON_EKS	    "  cluster: {source: EKS, eks: {region: r}}\n"
#define ON_NEBIUS   "  cluster: {source: Nebius, nebius: {}}\n"
#define ON_VULTR    "  cluster: {source: Vultr, vultr: {region: r}}\n"
#define ON_EXISTING "  cluster: {source: Existing, existing: {secretRef: {name: s}}}\n"
#define POOL_OF(name, facts) "  nodePools: [{className: " name ", " facts "}]\n"
#define POOL(facts)	    POOL_OF("l4", facts)
#define GKE_POOL(facts)	    POOL_OF("l4-gke", facts)
#define EKS_POOL(facts)	    POOL_OF("l4-eks", facts)
#define NEBIUS_POOL(facts)  POOL_OF("l4-nebius", facts)
#define VULTR_POOL(facts)   POOL_OF("l4-vultr", facts)
#define AKS_POOL(facts) POOL("minNodeCount: 1, " facts)

#define PROVIDER(kind_name, body)                                                                  \
	"apiVersion: infrastructure.modelplane.ai/v1alpha1\nkind: " kind_name "\n"                 \
	"metadata: {name: n, namespace: m}\nspec:\n" body
#define AKS(net)                                                                                   \
	PROVIDER("AKSCluster", "  location: x\n  kubernetesVersion: \"1.36\"\n"                    \
			       "  nodePools: [{name: s, role: System, vmSize: v}]\n"              \
			       "  networking: " net "\n")
#define EKS(net)                                                                                   \
	PROVIDER("EKSCluster", "  region: x\n"                                                     \
			       "  nodePools: [{name: s, role: System, instanceType: v}]\n"        \
			       "  networking: " net "\n")
/* clang-format on */

/* rule NULL: nothing at all is said. */
struct row {
	const char *name;
	const char *yaml;
	const char *rule;
	const char *path;
	enum severity severity;
};

#define GOOD		NULL, NULL, SEVERITY_WARNING
#define BAD(rule, path) rule, path, SEVERITY_ERROR
#define ODD(rule, path) rule, path, SEVERITY_WARNING

/* clang-format off */
static const struct row rows[] = {
	{ "a sound AKS pool", CLUSTER ON_AKS AKS_POOL("name: abcdefghijkl, maxNodeCount: 3, zones: [\"1\"]"), GOOD },
	{ "AKS name of 13", CLUSTER ON_AKS AKS_POOL("name: abcdefghijklm"),
	    BAD("flightdeck/pool-name", "spec.nodePools[0].name") },
	{ "AKS name with a dash", CLUSTER ON_AKS AKS_POOL("name: a-b"), BAD("flightdeck/pool-name", "spec.nodePools[0].name") },
	{ "AKS name with a digit first", CLUSTER ON_AKS AKS_POOL("name: 1a"), BAD("flightdeck/pool-name", "spec.nodePools[0].name") },
	{ "a dash is fine on GKE", CLUSTER ON_GKE GKE_POOL("name: a-b, zones: [z]"), GOOD },
	{ "capitals on GKE", CLUSTER ON_GKE GKE_POOL("name: Ab, zones: [z]"), BAD("flightdeck/pool-name", "spec.nodePools[0].name") },
	{ "capitals on an existing cluster", CLUSTER ON_EXISTING POOL("name: A_b.c"), GOOD },
	{ "blank in a label value", CLUSTER ON_EXISTING POOL("name: \"a b\""), BAD("flightdeck/pool-name", "spec.nodePools[0].name") },
	{ "a pool called system", CLUSTER ON_AKS AKS_POOL("name: system"), BAD("flightdeck/pool-system", "spec.nodePools[0].name") },
	{ "system on an existing cluster", CLUSTER ON_EXISTING POOL("name: system"), GOOD },
	{ "min above max", CLUSTER ON_AKS POOL("name: a, minNodeCount: 4, maxNodeCount: 3, nodeCount: 3"),
	    BAD("flightdeck/counts", "spec.nodePools[0].minNodeCount") },
	{ "count above max", CLUSTER ON_AKS AKS_POOL("name: a, maxNodeCount: 3, nodeCount: 4"),
	    BAD("flightdeck/counts", "spec.nodePools[0].nodeCount") },
	{ "count below min", CLUSTER ON_AKS POOL("name: a, minNodeCount: 2"), BAD("flightdeck/counts", "spec.nodePools[0].nodeCount") },
	{ "count at both limits", CLUSTER ON_AKS POOL("name: a, minNodeCount: 3, nodeCount: 3, maxNodeCount: 3"), GOOD },
	{ "count at the default maximum", CLUSTER ON_AKS AKS_POOL("name: a, nodeCount: 8"), GOOD },
	{ "count above the default maximum", CLUSTER ON_AKS AKS_POOL("name: a, nodeCount: 9"),
	    BAD("flightdeck/counts", "spec.nodePools[0].nodeCount") },
	{ "fixed pool of 9 on Nebius", CLUSTER ON_NEBIUS NEBIUS_POOL("name: a, nodeCount: 9"), GOOD },
	{ "min alone on Nebius", CLUSTER ON_NEBIUS NEBIUS_POOL("name: a, minNodeCount: 1"),
	    BAD("flightdeck/counts", "spec.nodePools[0].minNodeCount") },
	{ "1000 nodes", CLUSTER ON_NEBIUS NEBIUS_POOL("name: a, nodeCount: 1000"), GOOD },
	{ "1001 nodes", CLUSTER ON_NEBIUS NEBIUS_POOL("name: a, nodeCount: 1001"), BAD("flightdeck/count-limit", "spec.nodePools[0].nodeCount") },
	{ "no node on Vultr", CLUSTER ON_VULTR VULTR_POOL("name: a, nodeCount: 0"), BAD("flightdeck/counts", "spec.nodePools[0].nodeCount") },
	{ "no node on Nebius", CLUSTER ON_NEBIUS NEBIUS_POOL("name: a, nodeCount: 0"), GOOD },
	{ "min 0 on AKS", CLUSTER ON_AKS POOL("name: a, minNodeCount: 0"), ODD("flightdeck/min-zero", "spec.nodePools[0].minNodeCount") },
	{ "no min on AKS", CLUSTER ON_AKS POOL("name: a"), ODD("flightdeck/min-zero", "spec.nodePools[0].minNodeCount") },
	{ "no zones on GKE", CLUSTER ON_GKE GKE_POOL("name: a"), BAD("flightdeck/zones", "spec.nodePools[0].zones") },
	{ "no zones on EKS", CLUSTER ON_EKS EKS_POOL("name: a, zones: []"), BAD("flightdeck/zones", "spec.nodePools[0].zones") },
	{ "four zones on AKS", CLUSTER ON_AKS AKS_POOL("name: a, zones: [\"1\", \"2\", \"3\", \"1\"]"),
	    BAD("flightdeck/zones", "spec.nodePools[0].zones") },
	{ "long zone on AKS", CLUSTER ON_AKS AKS_POOL("name: a, zones: [westeurope-1]"), BAD("flightdeck/zones", "spec.nodePools[0].zones[0]") },
	{ "EFA on EKS", CLUSTER ON_EKS EKS_POOL("name: a, zones: [z], fabric: {type: EFA}"), GOOD },
	{ "EFA on AKS", CLUSTER ON_AKS AKS_POOL("name: a, fabric: {type: EFA}"), BAD("flightdeck/fabric", "spec.nodePools[0].fabric.type") },
	{ "InfiniBand on AKS", CLUSTER ON_AKS AKS_POOL("name: a, fabric: {type: InfiniBand}"), GOOD },
	{ "InfiniBand on EKS", CLUSTER ON_EKS EKS_POOL("name: a, zones: [z], fabric: {type: InfiniBand}"),
	    BAD("flightdeck/fabric", "spec.nodePools[0].fabric.type") },
	{ "capacity block on EKS", CLUSTER ON_EKS EKS_POOL("name: a, zones: [z], capacityBlock: {capacityReservationId: cr-0a}"), GOOD },
	{ "capacity block on AKS", CLUSTER ON_AKS AKS_POOL("name: a, capacityBlock: {capacityReservationId: cr-0a}"),
	    BAD("flightdeck/capacity-block", "spec.nodePools[0].capacityBlock") },
	{ "class without the source's recipe", CLUSTER ON_AKS "  nodePools: [{name: a, className: eks-only, minNodeCount: 1}]\n",
	    BAD("flightdeck/class-provider", "spec.nodePools[0].className") },
	{ "class of another provider with the source's recipe",
	    CLUSTER ON_AKS "  nodePools: [{name: a, className: two-blocks, minNodeCount: 1}]\n",
	    BAD("flightdeck/class-provider", "spec.nodePools[0].className") },
	{ "class without any recipe", CLUSTER ON_AKS "  nodePools: [{name: a, className: byo, minNodeCount: 1}]\n",
	    BAD("flightdeck/class-provider", "spec.nodePools[0].className") },
	{ "class without a recipe on an existing cluster", CLUSTER ON_EXISTING "  nodePools: [{name: a, className: byo}]\n", GOOD },
	{ "class that is missing", CLUSTER ON_AKS "  nodePools: [{name: a, className: none, minNodeCount: 1}]\n",
	    ODD("flightdeck/class-missing", "spec.nodePools[0].className") },
	{ "no pools on AKS", CLUSTER ON_AKS, BAD("flightdeck/no-pools", "spec.nodePools") },
	{ "no pools on an existing cluster", CLUSTER ON_EXISTING, GOOD },
	{ "empty version", CLUSTER "  cluster: {source: AKS, aks: {location: x, kubernetesVersion: \"\"}}\n" AKS_POOL("name: a"),
	    BAD("flightdeck/version", "spec.cluster.aks.kubernetesVersion") },
	{ "version of 17 characters", CLUSTER "  cluster: {source: AKS, aks: {location: x, kubernetesVersion: 1.36.1-aaaaaaaaaa}}\n" AKS_POOL("name: a"),
	    BAD("flightdeck/version", "spec.cluster.aks.kubernetesVersion") },
	{ "version that is none", CLUSTER "  cluster: {source: AKS, aks: {location: x, kubernetesVersion: newest}}\n" AKS_POOL("name: a"),
	    BAD("flightdeck/version", "spec.cluster.aks.kubernetesVersion") },
	{ "version near its end", CLUSTER "  cluster: {source: AKS, aks: {location: x, kubernetesVersion: 1.34.2}}\n" AKS_POOL("name: a"),
	    ODD("flightdeck/version-end", "spec.cluster.aks.kubernetesVersion") },
	{ "version before DRA", CLUSTER "  cluster: {source: GKE, gke: {region: x, kubernetesVersion: \"1.33\"}}\n" GKE_POOL("name: a, zones: [z]"),
	    ODD("flightdeck/version-old", "spec.cluster.gke.kubernetesVersion") },
	{ "the same version elsewhere", CLUSTER ON_NEBIUS NEBIUS_POOL("name: a"), GOOD },
	{ "quantities", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: c}\nspec: {devices: [{name: g, driver: d, "
	    "deviceClassName: x, capacity: {memory: {value: \"2E6024865272343\"}}}]}\n", ODD("flightdeck/quantity", "spec.devices[0].capacity.memory.value") },
	{ "sticker sizes", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: c}\nspec: {devices: [{name: g, driver: d, "
	    "deviceClassName: x, capacity: {memory: {value: 80GB}}}]}\n", ODD("flightdeck/quantity", "spec.devices[0].capacity.memory.value") },
	{ "versions of devices", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: c}\nspec: {devices: [{name: g, driver: d, "
	    "deviceClassName: x, attributes: {cc: {version: \"9\"}}}]}\n", ODD("flightdeck/semver", "spec.devices[0].attributes.cc.version") },
	{ "a sound address plan", AKS("{vnetCidr: 10.8.0.0/16, subnetCidr: 10.8.0.0/20}"), GOOD },
	{ "the default address plan", AKS("{}"), GOOD },
	{ "meets the services", AKS("{vnetCidr: 10.96.0.0/12, subnetCidr: 10.96.0.0/20}"), BAD("flightdeck/cidr", "spec.networking.vnetCidr") },
	{ "meets the pods", AKS("{vnetCidr: 10.244.128.0/20, subnetCidr: 10.244.128.0/24}"), BAD("flightdeck/cidr", "spec.networking.vnetCidr") },
	{ "next to the services", AKS("{vnetCidr: 10.97.0.0/16, subnetCidr: 10.97.0.0/20}"), GOOD },
	{ "kept by AKS", AKS("{vnetCidr: 172.30.0.0/16, subnetCidr: 172.30.0.0/20}"), BAD("flightdeck/cidr", "spec.networking.vnetCidr") },
	{ "kept by AKS, link local", AKS("{vnetCidr: 169.254.0.0/17, subnetCidr: 169.254.0.0/20}"), BAD("flightdeck/cidr", "spec.networking.vnetCidr") },
	{ "subnet outside", AKS("{vnetCidr: 10.8.0.0/16, subnetCidr: 10.9.0.0/20}"), BAD("flightdeck/cidr", "spec.networking.subnetCidr") },
	{ "subnet larger than the network", AKS("{vnetCidr: 10.8.0.0/20, subnetCidr: 10.8.0.0/16}"), BAD("flightdeck/cidr", "spec.networking.subnetCidr") },
	{ "prefix of 33", AKS("{vnetCidr: 10.0.0.0/33}"), BAD("flightdeck/cidr", "spec.networking.vnetCidr") },
	{ "bits behind the prefix", AKS("{subnetCidr: 10.0.0.5/20}"), BAD("flightdeck/cidr", "spec.networking.subnetCidr") },
	{ "no range at all", AKS("{vnetCidr: home}"), BAD("flightdeck/cidr", "spec.networking.vnetCidr") },
	{ "IPv6", AKS("{vnetCidr: \"fd00::/64\"}"), BAD("flightdeck/cidr", "spec.networking.vnetCidr") },
	{ "subnet of four addresses", AKS("{subnetCidr: 10.0.0.0/30}"), BAD("flightdeck/cidr", "spec.networking.subnetCidr") },
	{ "GPU pool called system", PROVIDER("AKSCluster", "  location: x\n  kubernetesVersion: \"1.36\"\n"
	    "  nodePools: [{name: system, role: GPU, vmSize: v, minNodeCount: 1, gpu: {acceleratorType: t}}]\n"),
	    BAD("flightdeck/pool-system", "spec.nodePools[0].name") },
	{ "System pool called system", PROVIDER("AKSCluster", "  location: x\n  kubernetesVersion: \"1.36\"\n"
	    "  nodePools: [{name: system, role: System, vmSize: v}]\n"), GOOD },
	{ "GPU pool that may shrink to nothing", PROVIDER("AKSCluster", "  location: x\n  kubernetesVersion: \"1.36\"\n"
	    "  nodePools: [{name: a, role: GPU, vmSize: v, gpu: {acceleratorType: t}}]\n"),
	    ODD("flightdeck/min-zero", "spec.nodePools[0].minNodeCount") },
	{ "AKSCluster with more nodes than its maximum", PROVIDER("AKSCluster", "  location: x\n  kubernetesVersion: \"1.36\"\n"
	    "  nodePools: [{name: a, role: System, vmSize: v, nodeCount: 9}]\n"),
	    BAD("flightdeck/counts", "spec.nodePools[0].nodeCount") },
	{ "ranges of GKE that meet", PROVIDER("GKECluster", "  region: x\n  nodePools: [{name: s, role: System, machineType: v}]\n"
	    "  networking: {podCidr: 10.2.0.0/15}\n"), BAD("flightdeck/cidr", "spec.networking.serviceCidr") },
	{ "GKE's defaults", PROVIDER("GKECluster", "  region: x\n  nodePools: [{name: s, role: System, machineType: v}]\n  networking: {}\n"), GOOD },
	{ "EKS's defaults", EKS("{}"), GOOD },
	{ "EKS subnets that meet", EKS("{subnetCidrs: [10.0.0.0/20, 10.0.0.0/21]}"), BAD("flightdeck/cidr", "spec.networking.subnetCidrs[1]") },
	{ "EKS subnet outside", EKS("{subnetCidrs: [10.0.0.0/20, 10.1.0.0/20]}"), BAD("flightdeck/cidr", "spec.networking.subnetCidrs[1]") },
	{ "EKS twin beyond 255", EKS("{subnetCidrs: [10.0.0.0/20, 10.0.208.0/20]}"), BAD("flightdeck/cidr", "spec.networking.subnetCidrs[1]") },
	{ "EKS twin outside", EKS("{vpcCidr: 10.0.0.0/18, subnetCidrs: [10.0.0.0/20, 10.0.16.0/20]}"),
	    BAD("flightdeck/cidr", "spec.networking.subnetCidrs[1]") },
};
/* clang-format on */

static bool
row_holds(const struct row *r)
{
	struct checked c;
	const struct problem *p;
	bool ok;

	manifest_begin(&c);
	assert_true(stamp_parse(STR("2026-11-30T12:00:00Z"), &c.known.now_ms));
	manifest_add(&c, "t.yaml", r->yaml);
	(void)manifest_check(&c);
	if (r->rule == NULL) {
		ok = c.set.problems.n == 0;
		p = ok ? NULL : &c.set.problems.items[0];
	} else {
		p = manifest_problem(&c, r->rule, r->path);
		ok = p != NULL && p->severity == r->severity && p->line > 0 && p->advice.n > 0 &&
		     c.ok == (r->severity == SEVERITY_WARNING);
	}
	if (!ok)
		print_message("%s: %s\n", r->name, p != NULL ? manifest_line(p) : "nothing said");
	manifest_end(&c);
	return ok;
}

static void
every_row_says_what_it_should_and_no_more(void **state)
{
	size_t wrong = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		wrong += row_holds(&rows[i]) ? 0 : 1;
	assert_int_equal(wrong, 0);
}

static void
both_ranges_are_named(void **state)
{
	struct checked c;
	const struct problem *p;

	(void)state;
	manifest_yaml(&c, AKS("{vnetCidr: 10.96.0.0/12, subnetCidr: 10.96.0.0/20}"));
	p = manifest_problem(&c, "flightdeck/cidr", "spec.networking.vnetCidr");
	assert_non_null(p);
	assert_non_null(strstr(manifest_line(p), "10.96.0.0/12"));
	assert_non_null(strstr(manifest_line(p), "10.96.0.0/16"));
	manifest_end(&c);
}

static const struct node *
stored_class(void *context, const struct kind *k, struct str ns, struct str name)
{
	(void)ns;
	return k == &inference_class_kind && str_is(name, "stored") ? context : NULL;
}

static void
a_stored_class_counts_too(void **state)
{
	struct checked c;

	(void)state;
	manifest_begin(&c);
	c.known.find = stored_class;
	c.known.context = node_map(c.arena);
	manifest_add(&c, "t.yaml",
	    CLUSTER ON_AKS "  nodePools: [{name: a, className: stored, minNodeCount: 1}]\n");
	assert_false(manifest_check(&c));
	assert_non_null(
	    manifest_problem(&c, "flightdeck/class-provider", "spec.nodePools[0].className"));
	manifest_end(&c);
}

static void
sources_and_stacks_that_are_not_ready_are_refused_for_apply_only(void **state)
{
	static const char yaml[] = CLUSTER ON_GKE "  stack: Dynamo\n" GKE_POOL("name: a, zones: [z]");
	struct checked c;

	(void)state;
	manifest_yaml(&c, yaml);
	assert_true(c.ok);
	manifest_end(&c);
	manifest_begin(&c);
	c.known.for_apply = true;
	manifest_add(&c, "t.yaml", yaml);
	assert_false(manifest_check(&c));
	assert_non_null(manifest_problem(&c, "flightdeck/source-not-ready", "spec.cluster.source"));
	assert_non_null(manifest_problem(&c, "flightdeck/stack-not-ready", "spec.stack"));
	manifest_end(&c);
}

static void
an_AKS_cluster_can_be_applied(void **state)
{
	struct checked c;

	(void)state;
	manifest_begin(&c);
	c.known.for_apply = true;
	manifest_add(&c, "t.yaml", CLUSTER ON_AKS AKS_POOL("name: a"));
	assert_true(manifest_check(&c));
	manifest_end(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_says_what_it_should_and_no_more),
		cmocka_unit_test(both_ranges_are_named),
		cmocka_unit_test(a_stored_class_counts_too),
		cmocka_unit_test(sources_and_stacks_that_are_not_ready_are_refused_for_apply_only),
		cmocka_unit_test(an_AKS_cluster_can_be_applied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
