#include "backend/sim/resources.h"
#include "backend/sim/sim_int.h"

/*
 * What AKS refuses of a pool, as rows of checks that run in order. Each looks at what is asked for
 * (properties), what stands (old, NULL for a new pool) and the cluster. Sources:
 * facts/azure.md 3.5.
 */

enum { COUNT_MAX = 1000, DISK_MAX = 2048, PODS_MIN = 10, PODS_MAX = 250, SKEW_MAX = 3 };

static const char *
at(struct arm_call *c, const struct pool_check *k, const char *member)
{
	struct str s = str_printf(c, "%s.%s", k->target, member);

	return s.p != NULL ? s.p : member;
}

static bool
is_system(const struct pool_check *k)
{
	return str_eq_nocase(node_get_str(node_find(k->properties, "mode")), STR("System"));
}

static bool
check_name(struct arm_call *c, const struct pool_check *k)
{
	struct str os = node_get_str(node_find(k->properties, "osType"));
	size_t max = str_eq_nocase(os, STR("Windows")) ? 6 : 12;
	bool ok = name_fits(k->name, max, "", false) && k->name.p[0] >= 'a' && k->name.p[0] <= 'z';

	for (size_t i = 0; ok && i < k->name.n; i++)
		ok = k->name.p[i] < 'A' || k->name.p[i] > 'Z';
	return ok || answer_invalid(c, at(c, k, "name"),
			 "The value of parameter agentPoolProfile.name is invalid: '" STR_FMT
			 "' must be 1 to %zu lower-case letters and digits, the first a letter.",
			 STR_ARG(k->name), max);
}

static bool
check_mode(struct arm_call *c, const struct pool_check *k)
{
	if (node_get_str(node_find(k->properties, "mode")).n > 0)
		return true;
	return answer_invalid(
	    c, at(c, k, "mode"), "Required parameter agentPoolProfile.mode is missing.");
}

static bool
check_size(struct arm_call *c, const struct pool_check *k)
{
	struct str name = node_get_str(node_find(k->properties, "vmSize"));
	const struct vm_size *v;

	if (name.n == 0)
		return true; /* the service picks one */
	v = size_find(name);
	if (v == NULL)
		return answer_error(c, 400, "VMSizeNotSupported",
		    "Virtual Machine size: '" STR_FMT
		    "' is not supported for subscription %s in location '%s'.",
		    STR_ARG(name), c->s->id.subscription, k->location->name);
	if (is_system(k) && str_starts(str_from(v->name), STR("Standard_B")))
		return answer_invalid(c, at(c, k, "vmSize"),
		    "B-series sizes are not supported for system node pools.");
	if (is_system(k) && (v->vcpus < 2 || v->memory_gb < 4))
		return answer_error(c, 400, "SystemPoolSkuTooLow",
		    "The VM SKU chosen for this system pool is too small: 2 vCPUs and 4 GB are "
		    "needed.");
	return true;
}

static bool
check_manual(struct arm_call *c, const struct pool_check *k)
{
	if (node_find(k->properties, "minCount") != NULL ||
	    node_find(k->properties, "maxCount") != NULL)
		return answer_invalid(c, at(c, k, "enableAutoScaling"),
		    "minCount and maxCount can be set only when enableAutoScaling is true.");
	return true;
}

static bool
check_count(struct arm_call *c, const struct pool_check *k)
{
	const struct node *p = k->properties;
	int64_t least = is_system(k) ? 1 : 0;
	int64_t count = node_get_int(node_find(p, "count"), 1);
	int64_t min = node_get_int(node_find(p, "minCount"), -1);
	int64_t max = node_get_int(node_find(p, "maxCount"), -1);

	if (count < least || count > COUNT_MAX)
		return answer_invalid(c, at(c, k, "count"),
		    "The value of parameter agentPoolProfile.count is invalid: %lld is not between "
		    "%lld "
		    "and %d.",
		    (long long)count, (long long)least, COUNT_MAX);
	if (!node_get_bool(node_find(p, "enableAutoScaling"), false))
		return check_manual(c, k);
	if (min < 0 || max < 0)
		return answer_invalid(c, at(c, k, "minCount"),
		    "minCount and maxCount are required when enableAutoScaling is true.");
	if (min < least || max > COUNT_MAX || min > max || max < 1)
		return answer_invalid(c, at(c, k, "minCount"),
		    "The values of minCount %lld and maxCount %lld are invalid.", (long long)min,
		    (long long)max);
	if (count < min || count > max)
		return answer_invalid(c, at(c, k, "count"),
		    "The value of parameter agentPoolProfile.count is invalid: it must lie between "
		    "minCount and maxCount.");
	return true;
}

static bool
refuse_version(struct arm_call *c, const struct pool_check *k, const char *code, struct str version)
{
	return answer_aks_error(c, 400, code, at(c, k, "orchestratorVersion"),
	    "Node pool version " STR_FMT " and control plane version " STR_FMT
	    " are incompatible. Minor version of node pool cannot be bigger than control plane "
	    "version, "
	    "or more than %d behind it.",
	    STR_ARG(version), STR_ARG(k->cluster_version), SKEW_MAX);
}

static bool
check_version(struct arm_call *c, const struct pool_check *k)
{
	struct str asked = node_get_str(node_find(k->properties, "orchestratorVersion"));
	struct str current = node_get_str(node_find(k->old, "currentOrchestratorVersion"));
	const char *patch = NULL;
	int pool = version_minor(asked), plane = version_minor(k->cluster_version);

	if (asked.n == 0)
		return true;
	if (version_find(asked, &patch) == NULL && !str_eq(asked, current))
		return answer_aks_error(c, 400, "AgentPoolK8sVersionNotSupported",
		    at(c, k, "orchestratorVersion"),
		    "Version " STR_FMT " is not supported in this region. Please use [az aks "
		    "get-versions] command to get the "
		    "supported version list in this region.",
		    STR_ARG(asked));
	if (pool > plane || plane - pool > SKEW_MAX)
		return refuse_version(c, k, "NodePoolMcVersionIncompatible", asked);
	if (pool == plane && patch != NULL && str_is(asked, patch) &&
	    version_cmp(asked, k->cluster_version) > 0)
		return refuse_version(c, k, "NodePoolMcVersionIncompatible", asked);
	if (current.n > 0 && (pool < version_minor(current) ||
				 (str_is(asked, patch) && version_cmp(asked, current) < 0)))
		return answer_aks_error(c, 400, "OperationNotAllowed",
		    at(c, k, "orchestratorVersion"),
		    "Downgrading the node pool from version " STR_FMT " to " STR_FMT
		    " is not allowed.",
		    STR_ARG(current), STR_ARG(asked));
	return true;
}

static bool
check_zones(struct arm_call *c, const struct pool_check *k)
{
	const struct vm_size *v = size_find(node_get_str(node_find(k->properties, "vmSize")));
	const struct restriction *r = v != NULL ? restriction_find(v, k->location) : NULL;

	for (const struct node *z = node_first(node_find(k->properties, "availabilityZones"));
	     z != NULL; z = z->next) {
		int64_t n = 0;
		bool blocked =
		    r != NULL && r->type == RESTRICT_ZONE && str_is(node_get_str(z), r->zone);

		if (!str_to_int(node_get_str(z), &n) || n < 1 || n > k->location->zones || blocked)
			return answer_error(c, 400, "AvailabilityZoneNotSupported",
			    "Preflight validation check for resource(s) failed. The zone(s) "
			    "'" STR_FMT
			    "' for resource 'agentpool' is not supported in location '%s'.",
			    STR_ARG(node_get_str(z)), k->location->name);
	}
	return true;
}

static bool
check_numbers(struct arm_call *c, const struct pool_check *k)
{
	const struct node *p = k->properties;
	int64_t disk = node_get_int(node_find(p, "osDiskSizeGB"), 0);
	int64_t pods = node_get_int(node_find(p, "maxPods"), PODS_MAX);
	int64_t drain = node_path_int(p, "upgradeSettings.drainTimeoutInMinutes", 30);
	int64_t soak = node_path_int(p, "upgradeSettings.nodeSoakDurationInMinutes", 0);

	if (disk != 0 && (disk < 30 || disk > DISK_MAX))
		return answer_invalid(c, at(c, k, "osDiskSizeGB"),
		    "The value of parameter agentPoolProfile.osDiskSizeGB is invalid: %lld.",
		    (long long)disk);
	if (pods < (is_system(k) ? 30 : PODS_MIN) || pods > PODS_MAX)
		return answer_invalid(c, at(c, k, "maxPods"),
		    "The value of parameter agentPoolProfile.maxPods is invalid: %lld.",
		    (long long)pods);
	if (drain < 1 || drain > 1440 || soak < 0 || soak > 30)
		return answer_invalid(c, at(c, k, "upgradeSettings"),
		    "The upgrade settings of the pool are out of range.");
	return true;
}

static bool
label_fits(struct str key, struct str value)
{
	ptrdiff_t slash = str_find_char(key, '/');
	struct str name = slash < 0 ? key : str_sub(key, (size_t)slash + 1, key.n);

	return name_fits(name, 63, "-_.", true) && (slash < 0 || (slash > 0 && slash <= 253)) &&
	       (value.n == 0 || name_fits(value, 63, "-_.", true));
}

static bool
check_labels(struct arm_call *c, const struct pool_check *k)
{
	for (const struct node *l = node_first(node_find(k->properties, "nodeLabels")); l != NULL;
	     l = l->next) {
		if (!label_fits(l->key, node_get_str(l)) ||
		    str_starts(l->key, STR("kubernetes.azure.com/")) ||
		    str_starts(l->key, STR("kubernetes.io/")))
			return answer_invalid(c, at(c, k, "nodeLabels"),
			    "The node label '" STR_FMT "' is invalid or reserved.",
			    STR_ARG(l->key));
	}
	return true;
}

static bool
taint_fits(struct str taint)
{
	static const char *const effects[] = { "NoSchedule", "PreferNoSchedule", "NoExecute" };
	ptrdiff_t colon = str_find_char(taint, ':');
	struct str pair = str_sub(taint, 0, colon < 0 ? 0 : (size_t)colon);
	struct str effect = str_sub(taint, colon < 0 ? taint.n : (size_t)colon + 1, taint.n);
	ptrdiff_t eq = str_find_char(pair, '=');
	struct str key = eq < 0 ? pair : str_sub(pair, 0, (size_t)eq);
	struct str value = eq < 0 ? str_from(NULL) : str_sub(pair, (size_t)eq + 1, pair.n);

	for (size_t i = 0; i < ARRAY_LEN(effects); i++) {
		if (str_is(effect, effects[i]))
			return label_fits(key, value);
	}
	return false;
}

static bool
check_taints(struct arm_call *c, const struct pool_check *k)
{
	for (const struct node *t = node_first(node_find(k->properties, "nodeTaints")); t != NULL;
	     t = t->next) {
		if (!taint_fits(node_get_str(t)))
			return answer_invalid(c, at(c, k, "nodeTaints"),
			    "The node taint '" STR_FMT
			    "' is invalid: key=value:Effect is expected, with effect NoSchedule, "
			    "PreferNoSchedule or NoExecute.",
			    STR_ARG(node_get_str(t)));
		if (is_system(k) && !str_starts(node_get_str(t), STR("CriticalAddonsOnly=")) &&
		    !str_ends(node_get_str(t), STR(":PreferNoSchedule")))
			return answer_invalid(c, at(c, k, "nodeTaints"),
			    "The taint '" STR_FMT "' is not allowed on a system node pool.",
			    STR_ARG(node_get_str(t)));
	}
	return true;
}

static bool
check_join(struct arm_call *c, const struct pool_check *k, struct str subnet)
{
	if (fault_number(c->s->faults, FAULT_NO_JOIN, 0) <= 0)
		return true;
	return answer_error(c, 403, "LinkedAuthorizationFailed",
	    "The client '" STR_FMT "' has permission to perform action '%s' on scope '" STR_FMT
	    "'; however, it does not have permission to perform action(s) "
	    "'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope(s) "
	    "'" STR_FMT "' (%s).",
	    STR_ARG(c->principal), c->route->action, STR_ARG(c->req->path), STR_ARG(subnet),
	    k->location->name);
}

static bool
check_subnet_use(struct arm_call *c, const struct pool_check *k, const struct node *subnet,
    const struct node *vnet)
{
	struct str prefix = node_path_str(subnet, "properties.addressPrefix");
	struct str service = node_path_str(k->cluster, "properties.networkProfile.serviceCidr");
	struct str pods = node_path_str(k->cluster, "properties.networkProfile.podCidr");
	uint32_t first;
	unsigned bits = 0;

	if (!str_eq_nocase(node_get_str(node_find(vnet, "location")), str_from(k->location->name)))
		return answer_invalid(c, at(c, k, "vnetSubnetID"),
		    "The virtual network of the pool is in another location than the cluster.");
	if (str_is(node_path_str(vnet, "properties.provisioningState"), "Failed") ||
	    str_is(node_path_str(vnet, "properties.provisioningState"), "Deleting"))
		return answer_error(c, 400, "VirtualNetworkNotInSucceededState",
		    "Virtual network '" STR_FMT "' is not in Succeeded state.",
		    STR_ARG(node_get_str(node_find(vnet, "name"))));
	if (ipv4_range_overlap(service, prefix))
		return answer_error(c, 400, "ServiceCidrOverlapExistingSubnetsCidr",
		    "The specified service CIDR " STR_FMT
		    " is conflicted with an existing subnet CIDR " STR_FMT ".",
		    STR_ARG(service), STR_ARG(prefix));
	for (const struct node *v =
		 node_first(node_path(vnet, "properties.addressSpace.addressPrefixes"));
	     v != NULL; v = v->next) {
		if (pods.n > 0 && ipv4_range_overlap(pods, node_get_str(v)))
			return answer_error(c, 400, "PodCidrOverlapExistingSubnetsCidr",
			    "The specified pod CIDR " STR_FMT
			    " is conflicted with the virtual network's " STR_FMT ".",
			    STR_ARG(pods), STR_ARG(node_get_str(v)));
	}
	if (ipv4_range_parse(prefix, &first, &bits) &&
	    (int64_t)(1U << (32 - (bits > 0 ? bits : 1))) - 5 <
		node_get_int(node_find(k->properties, "count"), 1))
		return answer_error(c, 400, "InsufficientSubnetSize",
		    "Pre-allocated IPs exceed the available addresses of subnet " STR_FMT ".",
		    STR_ARG(prefix));
	return true;
}

static bool
check_subnet_of(struct arm_call *c, const struct pool_check *k)
{
	struct str id = node_get_str(node_find(k->properties, "vnetSubnetID"));
	struct node *vnet = NULL, *subnet;

	if (id.n == 0)
		return true;
	subnet = subnet_by_id(c, id, &vnet);
	if (c->answered)
		return false;
	if (subnet == NULL)
		return answer_invalid(c, at(c, k, "vnetSubnetID"),
		    "The value of parameter agentPoolProfile.vnetSubnetID is invalid: subnet "
		    "'" STR_FMT "' was not found.",
		    STR_ARG(id));
	return check_join(c, k, id) && check_subnet_use(c, k, subnet, vnet);
}

/* Paths below properties that cannot change on a live pool (facts/azure.md 5). */
static const char *const fixed[] = { "vmSize", "availabilityZones", "vnetSubnetID", "podSubnetID",
	"osDiskSizeGB", "osDiskType", "osType", "maxPods", "type", "scaleSetPriority",
	"scaleSetEvictionPolicy", "enableFIPS", "enableEncryptionAtHost", "enableUltraSSD",
	"kubeletConfig", "linuxOSConfig", "gpuInstanceProfile", "gpuProfile", "creationData",
	"proximityPlacementGroupID", "capacityReservationGroupID", "hostGroupID" };

static bool
same_value(const struct node *a, const struct node *b)
{
	if (a != NULL && b != NULL && a->type == NODE_STRING && b->type == NODE_STRING)
		return str_eq_nocase(a->u.string, b->u.string);
	return node_eq(a, b);
}

static bool
check_fixed(struct arm_call *c, const struct pool_check *k)
{
	for (size_t i = 0; k->old != NULL && i < ARRAY_LEN(fixed); i++) {
		const struct node *asked = node_find(k->properties, fixed[i]);
		const struct node *have = node_find(k->old, fixed[i]);
		bool unset = have == NULL && asked != NULL &&
			     (node_get_bool(asked, true) == false || node_get_int(asked, 1) == 0);

		if (asked == NULL || same_value(asked, have) || unset)
			continue;
		return answer_aks_error(c, 400, "PropertyChangeNotAllowed",
		    str_printf(c, "properties.%s", fixed[i]).p,
		    "Changing property 'properties.%s' is not allowed.", fixed[i]);
	}
	return true;
}

static bool
check_money(struct arm_call *c, const struct pool_check *k)
{
	struct str size = node_get_str(node_find(k->properties, "vmSize"));
	const struct need need = {
		.size = size_find(size.n > 0 ? size : STR("Standard_D4s_v5")),
		.location = k->location,
		.nodes = (long)node_get_int(node_find(k->properties, "count"), 1),
		.pool_key = k->old != NULL ? doc_key(c, STR_FMT "/" STR_FMT,
						 STR_ARG(node_path_str(k->cluster, "_sim.key")),
						 STR_ARG(k->name))
					   : (struct str){ 0 },
		.target = "agentPoolProfile.count",
		.zonal = node_count(node_find(k->properties, "availabilityZones")) > 0,
	};

	/* What stands already needs no new quota. */
	if (k->old != NULL && need.nodes <= node_get_int(node_find(k->old, "count"), 0))
		return true;
	return check_quota(c, &need, k->ret_outcome);
}

bool
pool_check(struct arm_call *c, const struct pool_check *k)
{
	static bool (*const checks[])(struct arm_call *, const struct pool_check *) = { check_name,
		check_mode, check_fixed, check_size, check_count, check_version, check_zones,
		check_numbers, check_labels, check_taints, check_subnet_of, check_money };

	for (size_t i = 0; i < ARRAY_LEN(checks); i++) {
		if (!checks[i](c, k))
			return false;
	}
	return true;
}

struct filler {
	const char *name;
	const char *text; /* of a string */
	int64_t number;
	enum node_type type;
	bool flag;
};

static const struct filler defaults[] = {
	{ "count", NULL, 1, NODE_INT, false },
	{ "enableAutoScaling", NULL, 0, NODE_BOOL, false },
	{ "enableEncryptionAtHost", NULL, 0, NODE_BOOL, false },
	{ "enableFIPS", NULL, 0, NODE_BOOL, false },
	{ "enableNodePublicIP", NULL, 0, NODE_BOOL, false },
	{ "enableUltraSSD", NULL, 0, NODE_BOOL, false },
	{ "maxPods", NULL, PODS_MAX, NODE_INT, false },
	{ "osDiskSizeGB", NULL, 128, NODE_INT, false },
	{ "osDiskType", "Managed", 0, NODE_STRING, false },
	{ "osSKU", "Ubuntu", 0, NODE_STRING, false },
	{ "osType", "Linux", 0, NODE_STRING, false },
	{ "scaleDownMode", "Delete", 0, NODE_STRING, false },
	{ "type", "VirtualMachineScaleSets", 0, NODE_STRING, false },
	{ "vmSize", "Standard_D4s_v5", 0, NODE_STRING, false },
};

static struct node *
filler_node(struct arm_call *c, const struct filler *f)
{
	if (f->type == NODE_STRING)
		return node_strz(c->a, f->text);
	return f->type == NODE_INT ? node_int(c->a, f->number) : node_bool(c->a, f->flag);
}

static struct str
version_meant(struct arm_call *c, const struct pool_check *k)
{
	struct str asked = node_get_str(node_find(k->properties, "orchestratorVersion"));
	struct str current = node_get_str(node_find(k->old, "currentOrchestratorVersion"));
	const char *patch = NULL;

	if (asked.n == 0)
		return current.n > 0 ? current : k->cluster_version;
	/* An alias of the minor that it is on already does not move the patch. */
	if (current.n > 0 && version_minor(asked) == version_minor(current) &&
	    str_cmp(asked, current) <= 0)
		return current;
	if (version_minor(asked) == version_minor(k->cluster_version) &&
	    str_starts(k->cluster_version, asked))
		return k->cluster_version;
	return version_find(asked, &patch) != NULL ? str_copy(c->a, str_from(patch)) : asked;
}

struct node *
pool_filled(struct arm_call *c, const struct pool_check *k)
{
	struct node *p = node_dup(c->a, k->properties), *surge = node_map(c->a),
		    *power = node_map(c->a);

	for (size_t i = 0; k->old != NULL && i < ARRAY_LEN(fixed); i++) {
		if (node_find(k->old, fixed[i]) != NULL)
			node_set(c->a, p, fixed[i], node_dup(c->a, node_find(k->old, fixed[i])));
	}
	for (size_t i = 0; i < ARRAY_LEN(defaults); i++) {
		bool zero = str_is(str_from(defaults[i].name), "osDiskSizeGB") &&
			    node_get_int(node_find(p, "osDiskSizeGB"), 1) == 0;

		if (node_find(p, defaults[i].name) == NULL || zero)
			node_set(c->a, p, defaults[i].name, filler_node(c, &defaults[i]));
	}
	(void)node_remove(p, STR("name")); /* of an inline pool */
	if (node_count(node_find(p, "nodeTaints")) == 0)
		(void)node_remove(p, STR("nodeTaints")); /* empty ones vanish */
	node_set(c->a, p, "currentOrchestratorVersion", node_str(c->a, version_meant(c, k)));
	if (node_find(p, "orchestratorVersion") == NULL)
		node_set(c->a, p, "orchestratorVersion",
		    k->old != NULL ? node_dup(c->a, node_find(k->old, "orchestratorVersion"))
				   : node_str(c->a, k->cluster_version));
	if (node_find(p, "nodeImageVersion") == NULL)
		node_set_strz(
		    c->a, p, "nodeImageVersion", "AKSUbuntu-2404gen2containerd-202611.10.0");
	node_set_strz(c->a, surge, "maxSurge", "10%");
	if (!is_system(k))
		node_set_strz(c->a, surge, "maxUnavailable", "0");
	if (node_count(node_find(p, "upgradeSettings")) == 0)
		node_set(c->a, p, "upgradeSettings", surge);
	node_set_strz(c->a, power, "code", "Running");
	if (node_find(p, "powerState") == NULL)
		node_set(c->a, p, "powerState", power);
	return p;
}
