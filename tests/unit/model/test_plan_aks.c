#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/compose/aks.h"
#include "model/json.h"
#include "model/names.h"

/*
 * Our plan of an AKSCluster against what the public project was recorded to compute
 * (../shared/plans/clusters.jsonl): every value there must stand in ours under Azure's own name,
 * and every value of ours must come from there, but for the differences listed here with their
 * reasons.
 */

enum how { SAME, FIRST, OMIT };

/* A value of the recorded plan: where it stands in ours, or why it does not. */
struct mapping {
	const char *kind, *path; /* recorded: kind, and path below forProvider */
	const char *key, *ours;	 /* row ("*" for the same key) and path below want */
	enum how how;
	const char *reason; /* of an OMIT */
};

#define BODY  "body."
#define PROPS "body.properties."
#define POOL0 "body.properties.agentPoolProfiles[0]."
#define BY_ID "a selector: our rows carry names, and the body gets the id when it is sent"

/* clang-format off */
static const struct mapping mappings[] = {
	{ "ResourceGroup", "location", "resource-group", BODY "location", SAME, NULL },
	{ "VirtualNetwork", "location", "virtual-network", BODY "location", SAME, NULL },
	{ "VirtualNetwork", "addressSpace", "virtual-network", PROPS "addressSpace.addressPrefixes", SAME, NULL },
	{ "VirtualNetwork", "resourceGroupNameSelector", NULL, NULL, OMIT, BY_ID },
	{ "Subnet", "addressPrefixes", "virtual-network", PROPS "subnets[0].properties.addressPrefix", FIRST, NULL },
	{ "Subnet", "resourceGroupNameSelector", NULL, NULL, OMIT, "the subnet goes inline: one request less" },
	{ "Subnet", "virtualNetworkNameSelector", NULL, NULL, OMIT, "the subnet goes inline: one request less" },
	{ "KubernetesCluster", "location", "cluster", BODY "location", SAME, NULL },
	{ "KubernetesCluster", "kubernetesVersion", "cluster", PROPS "kubernetesVersion", SAME, NULL },
	{ "KubernetesCluster", "dnsPrefix", "cluster", PROPS "dnsPrefix", SAME, NULL },
	{ "KubernetesCluster", "nodeResourceGroup", "cluster", PROPS "nodeResourceGroup", SAME, NULL },
	{ "KubernetesCluster", "identity.type", "cluster", BODY "identity.type", SAME, NULL },
	{ "KubernetesCluster", "networkProfile.networkPlugin", "cluster", PROPS "networkProfile.networkPlugin", SAME, NULL },
	{ "KubernetesCluster", "networkProfile.networkPluginMode", "cluster", PROPS "networkProfile.networkPluginMode", SAME, NULL },
	{ "KubernetesCluster", "networkProfile.podCidr", "cluster", PROPS "networkProfile.podCidr", SAME, NULL },
	{ "KubernetesCluster", "networkProfile.serviceCidr", "cluster", PROPS "networkProfile.serviceCidr", SAME, NULL },
	{ "KubernetesCluster", "networkProfile.dnsServiceIp", "cluster", PROPS "networkProfile.dnsServiceIP", SAME, NULL },
	{ "KubernetesCluster", "defaultNodePool.name", "cluster", POOL0 "name", SAME, NULL },
	{ "KubernetesCluster", "defaultNodePool.vmSize", "cluster", POOL0 "vmSize", SAME, NULL },
	{ "KubernetesCluster", "defaultNodePool.autoScalingEnabled", "cluster", POOL0 "enableAutoScaling", SAME, NULL },
	{ "KubernetesCluster", "defaultNodePool.minCount", "cluster", POOL0 "minCount", SAME, NULL },
	{ "KubernetesCluster", "defaultNodePool.maxCount", "cluster", POOL0 "maxCount", SAME, NULL },
	{ "KubernetesCluster", "defaultNodePool.osDiskSizeGb", "cluster", POOL0 "osDiskSizeGB", SAME, NULL },
	{ "KubernetesCluster", "defaultNodePool.nodeLabels", "cluster", POOL0 "nodeLabels", SAME, NULL },
	{ "KubernetesCluster", "defaultNodePool.temporaryNameForRotation", NULL, NULL, OMIT, "Terraform's own: Azure has no such member" },
	{ "KubernetesCluster", "defaultNodePool.vnetSubnetIdSelector", NULL, NULL, OMIT, BY_ID },
	{ "KubernetesCluster", "resourceGroupNameSelector", NULL, NULL, OMIT, BY_ID },
	{ "KubernetesClusterNodePool", "mode", "*", PROPS "mode", SAME, NULL },
	{ "KubernetesClusterNodePool", "vmSize", "*", PROPS "vmSize", SAME, NULL },
	{ "KubernetesClusterNodePool", "autoScalingEnabled", "*", PROPS "enableAutoScaling", SAME, NULL },
	{ "KubernetesClusterNodePool", "minCount", "*", PROPS "minCount", SAME, NULL },
	{ "KubernetesClusterNodePool", "maxCount", "*", PROPS "maxCount", SAME, NULL },
	{ "KubernetesClusterNodePool", "nodeCount", "*", PROPS "count", SAME, NULL },
	{ "KubernetesClusterNodePool", "osDiskSizeGb", "*", PROPS "osDiskSizeGB", SAME, NULL },
	{ "KubernetesClusterNodePool", "orchestratorVersion", "*", PROPS "orchestratorVersion", SAME, NULL },
	{ "KubernetesClusterNodePool", "gpuDriver", "*", PROPS "gpuProfile.driver", SAME, NULL },
	{ "KubernetesClusterNodePool", "nodeLabels", "*", PROPS "nodeLabels", SAME, NULL },
	{ "KubernetesClusterNodePool", "nodeTaints", "*", PROPS "nodeTaints", SAME, NULL },
	{ "KubernetesClusterNodePool", "zones", "*", PROPS "availabilityZones", SAME, NULL },
	{ "KubernetesClusterNodePool", "kubernetesClusterIdSelector", NULL, NULL, OMIT, BY_ID },
	{ "KubernetesClusterNodePool", "vnetSubnetIdSelector", NULL, NULL, OMIT, BY_ID },
	{ "Object", "manifest", "*", "manifest", SAME, NULL },
};

/* Members that only ours has. */
static const struct { const char *path, *reason; } additions[] = {
	{ "group", "names what the row stands in" },
	{ "network", "names what the row stands in" },
	{ "subnet", "names what the row stands in" },
	{ "cluster", "names what the row stands in" },
	{ "body.properties.subnets[0].name", "the subnet goes inline" },
	{ "body.sku.name", "Base is the only one with node pools of our own" },
	{ "body.sku.tier", "Free has no uptime promise and ends at 1,000 nodes" },
	{ "body.properties.enableRBAC", "Terraform's default, said aloud" },
	{ "body.properties.networkProfile.loadBalancerSku", "Terraform's default, said aloud" },
	{ "body.properties.networkProfile.outboundType", "Terraform's default, said aloud" },
	{ "body.properties.autoUpgradeProfile.upgradeChannel", "no upgrade that nobody asked for" },
	{ "body.properties.autoUpgradeProfile.nodeOSUpgradeChannel", "left out, nodes are re-imaged about weekly" },
	{ "body.properties.agentPoolProfiles[0].mode", "Azure wants it of an inline pool" },
	{ "body.properties.agentPoolProfiles[0].type", "Terraform's default, said aloud" },
	{ "body.properties.agentPoolProfiles[0].osType", "Terraform's default, said aloud" },
	{ "body.properties.agentPoolProfiles[0].count", "Azure refuses an autoscaled pool without a start value" },
	{ "body.properties.type", "Terraform's default, said aloud" },
	{ "body.properties.osType", "Terraform's default, said aloud" },
};

/* Recorded children without a row of ours. */
static const struct { const char *kind, *reason; } unmade[] = {
	{ "ProviderConfig", "our kube provider reads the kubeconfig Secret itself" },
};

/* Rows of ours without a recorded child. */
static const struct { const char *key, *reason; } added[] = {
	{ "role-assignment", "without it load balancers stay pending (facts/azure.md 6.5)" },
	{ "kubeconfig", "recorded as writeConnectionSecretToRef of the cluster" },
};
/* clang-format on */

struct check {
	struct arena *a;
	struct plan plan;
	struct aks_cluster cluster;
	unsigned differences, lines, defaulted;
	bool used[256]; /* mappings that served */
};

static struct check *
check_new(void)
{
	struct check *c = mem_new(sizeof(*c));

	assert_non_null(c);
	return c;
}

static struct str
read_all(struct arena *a, const char *path)
{
	FILE *f = fopen(path, "r");
	struct text t = TEXT_INIT(16 * 1024 * 1024);
	char buf[65536];
	struct str s;
	size_t n;

	if (f == NULL)
		return (struct str){ 0 };
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		text_add_str(&t, (struct str){ buf, n });
	(void)fclose(f);
	s = str_copy(a, text_str(&t));
	text_free(&t);
	return s;
}

static void
differ(struct check *c, const char *key, const char *path, const char *what)
{
	print_message("    '%s' %s: %s\n", key, path, what);
	c->differences++;
}

static bool
values_equal(enum how how, const struct node *recorded, const struct node *ours)
{
	return how == FIRST ? node_eq(node_at(recorded, 0), ours) : node_eq(recorded, ours);
}

static void
check_value(
    struct check *c, const char *kind, const char *key, const char *path, const struct node *value)
{
	for (size_t i = 0; i < ARRAY_LEN(mappings); i++) {
		const struct mapping *m = &mappings[i];
		const struct plan_resource *r;

		if (strcmp(m->kind, kind) != 0 || strcmp(m->path, path) != 0)
			continue;
		c->used[i] = true;
		if (m->how == OMIT)
			return;
		if (value->type ==
		    NODE_NULL) { /* recorded before the kind's defaults were filled in */
			c->defaulted++;
			return;
		}
		r = plan_find(&c->plan, str_from(strcmp(m->key, "*") == 0 ? key : m->key));
		if (r == NULL || !values_equal(m->how, value, node_path(r->want, m->ours)))
			differ(c, key, path, "has another value in our plan");
		return;
	}
	if (value->type == NODE_MAP && node_count(value) > 0) {
		for (const struct node *n = node_first(value); n != NULL; n = n->next)
			check_value(c, kind, key,
			    path[0] == '\0'
				? arena_printf(c->a, STR_FMT, STR_ARG(n->key))
				: arena_printf(c->a, "%s." STR_FMT, path, STR_ARG(n->key)),
			    n);
		return;
	}
	differ(c, key, path, "is not known to this test");
}

static bool
is_mapped(const char *key, const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(mappings); i++) {
		if (mappings[i].ours != NULL && strcmp(mappings[i].ours, path) == 0 &&
		    (strcmp(mappings[i].key, "*") == 0 || strcmp(mappings[i].key, key) == 0))
			return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(additions); i++) {
		if (strcmp(additions[i].path, path) == 0)
			return true;
	}
	return false;
}

/* The reverse: nothing of ours that the recording does not have. */
static void
check_ours(struct check *c, const char *key, const char *path, const struct node *value)
{
	int i = 0;

	if (path[0] != '\0' && is_mapped(key, path))
		return;
	if (value->type != NODE_MAP && value->type != NODE_LIST) {
		differ(c, key, path, "is in our plan only");
		return;
	}
	for (const struct node *n = node_first(value); n != NULL; n = n->next, i++) {
		if (value->type == NODE_LIST)
			check_ours(c, key, arena_printf(c->a, "%s[%d]", path, i), n);
		else
			check_ours(c, key,
			    arena_printf(c->a, "%s%s" STR_FMT, path, path[0] != '\0' ? "." : "",
				STR_ARG(n->key)),
			    n);
	}
}

static void
check_names(struct check *c, const struct node *cloud)
{
	static const char *const rows[][2] = {
		{ "resource-group.metadata.name", "resource-group" },
		{ "cluster.metadata.name", "cluster" },
		{ "cluster.spec.writeConnectionSecretToRef.name", "kubeconfig" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct plan_resource *r = plan_find(&c->plan, str_from(rows[i][1]));

		if (r == NULL || !str_eq(r->name, node_path_str(cloud, rows[i][0])))
			differ(c, rows[i][1], rows[i][0], "is another name in our plan");
	}
}

static bool
is_unmade(struct str kind)
{
	for (size_t i = 0; i < ARRAY_LEN(unmade); i++) {
		if (str_is(kind, unmade[i].kind))
			return true;
	}
	return false;
}

static bool
is_added(struct str key)
{
	for (size_t i = 0; i < ARRAY_LEN(added); i++) {
		if (str_is(key, added[i].key))
			return true;
	}
	return false;
}

static void
check_cloud(struct check *c, const struct node *cloud)
{
	for (const struct node *n = node_first(cloud); n != NULL; n = n->next) {
		struct str kind = node_get_str(node_find(n, "kind"));
		const char *key = arena_printf(c->a, STR_FMT, STR_ARG(n->key));
		const char *k = arena_printf(c->a, STR_FMT, STR_ARG(kind));

		if (is_unmade(kind))
			continue;
		if (!str_is(kind, "Subnet") && plan_find(&c->plan, n->key) == NULL)
			differ(c, key, "", "has no row in our plan");
		check_value(c, k, key, "", node_path(n, "spec.forProvider"));
		if (node_path(n, "spec.initProvider") != NULL)
			check_value(c, k, key, "", node_path(n, "spec.initProvider"));
	}
	check_names(c, cloud);
	for (size_t i = 0; i < c->plan.n; i++) {
		const struct plan_resource *r = &c->plan.items[i];
		const char *key = arena_printf(c->a, STR_FMT, STR_ARG(r->key));

		if (is_added(r->key))
			continue;
		if (node_find_str(cloud, r->key) == NULL)
			differ(c, key, "", "is a row of our plan only");
		else
			check_ours(c, key, "", r->want);
	}
}

static void
plan_of(struct check *c, const struct node *object)
{
	struct node *copy = node_dup(c->a, object);
	struct error err = { 0 };

	schema_default(&aks_cluster_schema, c->a, copy);
	if (!schema_decode(&aks_cluster_schema, c->a, copy, &c->cluster, &err))
		fail_msg("%s", err.message);
	plan_init(&c->plan, c->a);
	if (!aks_plan(&c->cluster, &c->plan, &err))
		fail_msg("%s", err.message);
}

static void
check_line(struct check *c, struct str line)
{
	struct node *n = NULL;
	const struct node *object;
	struct error err = { 0 };

	if (!json_parse(c->a, line, &n, &err))
		fail_msg("%s", err.message);
	object = node_path(n, "children.aks-cluster");
	if (object == NULL)
		return;
	c->lines++;
	plan_of(c, object);
	check_cloud(c, node_find(n, "cloud"));
}

static void
our_plan_has_the_recorded_values(void **state)
{
	const char *shared = getenv("FLIGHTDECK_SHARED");
	struct check *c = check_new();
	struct str rest, line;

	(void)state;
	if (shared == NULL)
		shared = TEST_SOURCE_DIR "/../shared";
	c->a = arena_new(256 * 1024 * 1024);
	assert_non_null(c->a);
	rest = read_all(c->a, arena_printf(c->a, "%s/plans/clusters.jsonl", shared));
	if (rest.n == 0) {
		print_message("skipped: no recorded plans in %s\n", shared);
		arena_free(c->a);
		mem_free(c);
		skip();
		return;
	}
	while (str_split(&rest, '\n', &line)) {
		if (line.n > 0)
			check_line(c, line);
	}
	for (size_t i = 0; i < ARRAY_LEN(additions); i++)
		print_message("    only ours: %s: %s\n", additions[i].path, additions[i].reason);
	for (size_t i = 0; i < ARRAY_LEN(mappings); i++) {
		if (mappings[i].how == OMIT && c->used[i])
			print_message("    only theirs: %s %s: %s\n", mappings[i].kind,
			    mappings[i].path, mappings[i].reason);
	}
	print_message("    recorded as null, ours the kind's default: %u\n", c->defaulted);
	print_message(
	    "%u recorded AKS clusters, %u unlisted differences\n", c->lines, c->differences);
	assert_int_equal(c->lines, 11);
	assert_int_equal(c->differences, 0);
	arena_free(c->a);
	mem_free(c);
}

/* ---- cases that the recording does not have ---- */

static void
plan_from(struct check *c, const char *json)
{
	struct node *n = NULL;
	struct error err = { 0 };

	c->a = arena_new(4 * 1024 * 1024);
	assert_non_null(c->a);
	if (!json_parse(c->a, str_from(json), &n, &err))
		fail_msg("%s", err.message);
	plan_of(c, n);
}

#define OBJECT(spec)                                                                               \
	"{\"apiVersion\":\"infrastructure.modelplane.ai/v1alpha1\",\"kind\":\"AKSCluster\","       \
	"\"metadata\":{\"name\":\"test-cluster\",\"namespace\":\"modelplane-system\"},"            \
	"\"spec\":{\"location\":\"eastus\",\"kubernetesVersion\":\"1.36\"," spec "}}"

static void
a_system_pool_called_system_stands_in_for_the_injected_one(void **state)
{
	struct check *c = check_new();
	const struct plan_resource *r;

	(void)state;
	plan_from(c, OBJECT("\"nodePools\":[{\"name\":\"system\",\"role\":\"System\","
			    "\"vmSize\":\"Standard_D8s_v5\",\"nodeCount\":2,\"minNodeCount\":2,"
			    "\"maxNodeCount\":4,"
			    "\"zones\":[\"1\",\"2\"]}]"));
	assert_null(plan_find(&c->plan, STR("nodepool-system")));
	r = plan_find(&c->plan, STR("cluster"));
	assert_non_null(r);
	assert_true(str_is(node_path_str(r->want, POOL0 "vmSize"), "Standard_D8s_v5"));
	assert_true(str_is(node_path_str(r->want, POOL0 "mode"), "System"));
	assert_int_equal(node_path_int(r->want, POOL0 "minCount", 0), 2);
	assert_int_equal(node_path_int(r->want, POOL0 "maxCount", 0), 4);
	assert_int_equal(node_count(node_path(r->want, POOL0 "availabilityZones")), 2);
	arena_free(c->a);
	mem_free(c);
}

/* Names built from a long one obey the limit of each thing, and are the same each time. */
static void
a_long_name_keeps_within_azures_limits(void **state)
{
	static const char object[] =
	    "{\"metadata\":{\"name\":\"a-name-of-sixty-characters-which-is-nearly-all-that-is-"
	    "allowed\",\"namespace\":\"modelplane-system\",\"uid\":\"u\"},\"spec\":{\"location\":"
	    "\"westeurope\",\"nodePools\":[{\"name\":\"s\",\"role\":\"System\","
	    "\"vmSize\":\"Standard_D4s_v5\"}]}}";
	char prefix[2][64];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct check *c = check_new();
		const struct plan_resource *r;
		struct str dns;

		plan_from(c, object);
		r = plan_find(&c->plan, STR("cluster"));
		assert_non_null(r);
		dns = node_path_str(r->want, PROPS "dnsPrefix");
		assert_in_range(dns.n, 1, 54);
		assert_int_not_equal(dns.p[dns.n - 1], '-');
		assert_in_range(r->name.n, 1, 63);
		assert_true(str_ends(r->name, str_sub(dns, dns.n - 6, 6)));
		assert_in_range(node_path_str(r->want, PROPS "nodeResourceGroup").n, 1, 80);
		memcpy(prefix[i], dns.p, dns.n);
		prefix[i][dns.n] = '\0';
		arena_free(c->a);
		mem_free(c);
	}
	assert_string_equal(prefix[0], prefix[1]);
}

static void
infiniband_brings_the_network_operator(void **state)
{
	struct check *c = check_new();
	const struct plan_resource *r, *pool;

	(void)state;
	plan_from(c, OBJECT("\"nodePools\":[{\"name\":\"h100\",\"role\":\"GPU\","
			    "\"vmSize\":\"Standard_ND96isr_H100_v5\",\"fabric\":\"InfiniBand\","
			    "\"minNodeCount\":2,\"maxNodeCount\":2,\"nodeCount\":1,"
			    "\"gpu\":{\"acceleratorType\":\"nvidia-h100\"}}]"));
	r = plan_find(&c->plan, STR("release-network-operator"));
	assert_non_null(r);
	assert_true((r->flags & PLAN_ORPHAN) != 0);
	assert_true(str_is(node_path_str(r->want, "chart"), "network-operator"));
	assert_true(str_is(node_path_str(r->want, "version"), "26.4.0"));
	assert_true(node_path_bool(r->want, "values.ofedDriver.deploy", false));
	assert_true(str_is(
	    node_path_str(r->want, "values.daemonsets.tolerations[0].key"), "nvidia.com/gpu"));
	pool = plan_find(&c->plan, STR("nodepool-h100"));
	assert_non_null(pool);
	assert_int_equal(node_path_int(pool->want, PROPS "minCount", 0), 2);
	assert_true(str_is(node_path_str(pool->want, PROPS "gpuProfile.driver"), "Install"));
	arena_free(c->a);
	mem_free(c);
}

static void
names_and_networking_follow_the_spec(void **state)
{
	struct check *c = check_new();
	struct node *status;

	(void)state;
	plan_from(c,
	    OBJECT("\"networking\":{\"vnetCidr\":\"10.8.0.0/16\",\"subnetCidr\":\"10.8.4.0/22\"},"
		   "\"nodePools\":[{\"name\":\"a\",\"role\":\"System\",\"vmSize\":\"x\"}]"));
	assert_true(
	    str_is(plan_find(&c->plan, STR("kubeconfig"))->name, "test-cluster-kubeconfig-55b57"));
	assert_true(str_is(node_path_str(plan_find(&c->plan, STR("virtual-network"))->want,
			       PROPS "subnets[0].properties.addressPrefix"),
	    "10.8.4.0/22"));
	assert_true(
	    str_is(node_path_str(plan_find(&c->plan, STR("nodepool-a"))->want, PROPS "mode"),
		"User")); /* whatever the role (reconcile 4.4) */
	assert_null(node_path(plan_find(&c->plan, STR("nodepool-a"))->want, PROPS "gpuProfile"));
	status = node_map(c->a);
	aks_status(c->a, &c->cluster, status);
	assert_true(
	    str_is(node_path_str(status, "secrets[0].name"), "test-cluster-kubeconfig-55b57"));
	assert_true(str_is(node_path_str(status, "cache.storageClassName"), "modelplane-rwx-fs"));
	arena_free(c->a);
	mem_free(c);
}

/* ---- plans as such ---- */

static void
a_plan_with_a_circle_is_refused(void **state)
{
	struct arena *a = arena_new(1024 * 1024);
	struct plan p;
	struct error err = { 0 };

	(void)state;
	plan_init(&p, a);
	plan_after(plan_add(&p, "x", "t", STR("a"), STR("a")), STR("b"));
	plan_after(plan_add(&p, "x", "t", STR("b"), STR("b")), STR("c"));
	plan_after(plan_add(&p, "x", "t", STR("c"), STR("c")), STR("a"));
	assert_false(plan_check(&p, &err));
	assert_non_null(strstr(err.message, "waits for itself"));
	arena_free(a);
}

static void
keys_are_unique_and_waits_resolve(void **state)
{
	struct arena *a = arena_new(1024 * 1024);
	struct plan p;
	struct error err = { 0 };

	(void)state;
	plan_init(&p, a);
	(void)plan_add(&p, "x", "t", STR("a"), STR("a"));
	(void)plan_add(&p, "x", "t", STR("a"), STR("b"));
	assert_false(plan_check(&p, &err));
	assert_non_null(strstr(err.message, "twice"));
	plan_init(&p, a);
	plan_after(plan_add(&p, "x", "t", STR("a"), STR("a")), STR("nowhere"));
	assert_false(plan_check(&p, &err));
	assert_non_null(strstr(err.message, "not in the plan"));
	arena_free(a);
}

static void
a_plan_has_an_end(void **state)
{
	struct arena *a = arena_new(16 * 1024 * 1024);
	struct plan p;

	(void)state;
	plan_init(&p, a);
	for (int i = 0; i < PLAN_MAX_RESOURCES; i++)
		assert_non_null(
		    plan_add(&p, "x", "t", str_from(arena_printf(a, "k%d", i)), STR("n")));
	assert_null(plan_add(&p, "x", "t", STR("one more"), STR("n")));
	assert_int_equal(p.n, PLAN_MAX_RESOURCES);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_plan_has_the_recorded_values),
		cmocka_unit_test(a_system_pool_called_system_stands_in_for_the_injected_one),
		cmocka_unit_test(a_long_name_keeps_within_azures_limits),
		cmocka_unit_test(infiniband_brings_the_network_operator),
		cmocka_unit_test(names_and_networking_follow_the_spec),
		cmocka_unit_test(a_plan_with_a_circle_is_refused),
		cmocka_unit_test(keys_are_unique_and_waits_resolve),
		cmocka_unit_test(a_plan_has_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
