#include "backend/sim/arm_cluster_check.h"

#include "backend/sim/resources.h"
#include "backend/sim/sim_int.h"

enum { NODE_GROUP_MAX = 80, DNS_PREFIX_MAX = 54, NAME_MAX_CHARS = 63, FQDN_PREFIX = 40 };

static const char cluster_type[] = "Microsoft.ContainerService/ManagedClusters";

static bool
check_name(struct arm_call *c, const struct cluster_check *k)
{
	if (name_fits(k->name, NAME_MAX_CHARS, "-_", true))
		return true;
	return answer_aks_error(c, 400, "InvalidParameter", "name",
	    "The value of parameter name is invalid: '" STR_FMT
	    "' must be 1 to 63 letters, digits, '-' and '_', with alphanumeric ends.",
	    STR_ARG(k->name));
}

static bool
check_identity(struct arm_call *c, const struct cluster_check *k)
{
	struct str type = node_path_str(k->body, "identity.type");

	if (k->old != NULL && type.n == 0)
		return true;
	if (type.n == 0 && node_path(k->body, "properties.servicePrincipalProfile") == NULL)
		return answer_aks_error(c, 400, "InvalidParameter", "identity",
		    "Provisioning of resource(s) for container service failed: an identity or a "
		    "service "
		    "principal is required.");
	if (str_eq_nocase(type, STR("UserAssigned")) &&
	    node_count(node_path(k->body, "identity.userAssignedIdentities")) != 1)
		return answer_aks_error(c, 400, "InvalidParameter",
		    "identity.userAssignedIdentities",
		    "Exactly one user assigned identity is expected.");
	return true;
}

static bool
check_names(struct arm_call *c, const struct cluster_check *k)
{
	struct str prefix = node_path_str(k->body, "properties.dnsPrefix");
	struct str group = node_path_str(k->body, "properties.nodeResourceGroup");

	if (prefix.n == 0 && k->old == NULL &&
	    node_path_str(k->body, "properties.fqdnSubdomain").n == 0)
		return answer_aks_error(c, 400, "InvalidParameter", "properties.dnsPrefix",
		    "Required parameter dnsPrefix is missing (null).");
	if (prefix.n > 0 && !name_fits(prefix, DNS_PREFIX_MAX, "-", true))
		return answer_aks_error(c, 400, "InvalidParameter", "properties.dnsPrefix",
		    "The value of parameter dnsPrefix is invalid: 1 to 54 letters, digits and "
		    "hyphens.");
	if (group.n > NODE_GROUP_MAX ||
	    (group.n > 0 && !name_fits(group, NODE_GROUP_MAX, "_-.()", false)))
		return answer_aks_error(c, 400, "InvalidParameter", "properties.nodeResourceGroup",
		    "The length of the node resource group name is too long. The maximum length is "
		    "%d.",
		    NODE_GROUP_MAX);
	if (k->old == NULL && group.n > 0 &&
	    doc_load(c, DOC_GROUP, doc_key(c, STR_FMT, STR_ARG(group))) != NULL)
		return answer_aks_error(c, 400, "NodeResourceGroupAlreadyExists",
		    "properties.nodeResourceGroup",
		    "The node resource group '" STR_FMT "' already exists.", STR_ARG(group));
	return true;
}

static bool
refuse_unsupported(struct arm_call *c, struct str version)
{
	return answer_aks_error(c, 400, "K8sVersionNotSupported", "properties.kubernetesVersion",
	    "Managed cluster is on version " STR_FMT
	    ", which is not supported in this region. Please use [az aks get-versions] to get the "
	    "supported version list.",
	    STR_ARG(version));
}

static bool
check_upgrade(
    struct arm_call *c, const struct cluster_check *k, struct str current, struct str wanted)
{
	int from = version_minor(current), to = version_minor(wanted);
	bool lts = str_eq_nocase(
	    node_path_str(k->body, "properties.supportPlan"), STR("AKSLongTermSupport"));

	if (to < from || (to == from && version_cmp(wanted, current) < 0))
		return answer_aks_error(c, 400, "OperationNotAllowed",
		    "properties.kubernetesVersion",
		    "Downgrading the Kubernetes version from " STR_FMT " to " STR_FMT
		    " is not allowed.",
		    STR_ARG(current), STR_ARG(wanted));
	if (to > from + 1 && !lts)
		return answer_aks_error(c, 400, "OperationNotAllowed",
		    "properties.kubernetesVersion",
		    "Upgrading Kubernetes version " STR_FMT " to " STR_FMT
		    " is not allowed. Available upgrades are of the next minor version only.",
		    STR_ARG(current), STR_ARG(wanted));
	return true;
}

static bool
check_version(struct arm_call *c, struct cluster_check *k)
{
	struct str asked = node_path_str(k->body, "properties.kubernetesVersion");
	struct str current = node_path_str(k->old, "properties.currentKubernetesVersion");
	bool lts = str_eq_nocase(
	    node_path_str(k->body, "properties.supportPlan"), STR("AKSLongTermSupport"));
	const struct kube_version *v;
	const char *patch = NULL;
	size_t n = 0;

	if (asked.n == 0 && current.n > 0) {
		k->version = current;
		return true;
	}
	for (v = versions_get(&n); asked.n == 0 && n > 0; v++, n--) {
		if (v->is_default)
			asked = str_from(v->minor);
	}
	/* An alias of the minor it is on, or its own version, is no change. */
	if (current.n > 0 &&
	    (str_eq(asked, current) ||
		(version_minor(asked) == version_minor(current) && str_starts(current, asked)))) {
		k->version = current;
		return true;
	}
	v = version_find(asked, &patch);
	if (v == NULL)
		return refuse_unsupported(c, asked);
	if ((v->lts_only || fault_keyed(c->s->faults, FAULT_RETIRED, str_from(v->minor)) != NULL) &&
	    !lts)
		return refuse_unsupported(c, asked);
	k->version = str_from(patch);
	return current.n == 0 || check_upgrade(c, k, current, k->version);
}

static bool
check_plan(struct arm_call *c, const struct cluster_check *k)
{
	struct str tier = node_path_str(k->body, "sku.tier");
	struct str plan = node_path_str(k->body, "properties.supportPlan");
	struct str name = node_path_str(k->body, "sku.name");

	if (name.n > 0 && !str_eq_nocase(name, STR("Base")) &&
	    !str_eq_nocase(name, STR("Automatic")) && !str_eq_nocase(name, STR("Basic")))
		return answer_aks_error(c, 400, "InvalidParameter", "sku.name",
		    "The value of parameter sku.name is invalid: '" STR_FMT "'.", STR_ARG(name));
	if (str_eq_nocase(plan, STR("AKSLongTermSupport")) && !str_eq_nocase(tier, STR("Premium")))
		return answer_aks_error(c, 400, "InvalidParameter", "properties.supportPlan",
		    "Long term support needs sku tier Premium.");
	return true;
}

/* Ranges that no cluster may use. */
static const char *const reserved_cidrs[] = { "169.254.0.0/16", "172.30.0.0/16", "172.31.0.0/16",
	"192.0.2.0/24" };

static bool
check_cidr(struct arm_call *c, const char *member, struct str cidr, uint32_t *ret_first,
    unsigned *ret_bits)
{
	if (!ipv4_range_parse(cidr, ret_first, ret_bits))
		return answer_aks_error(c, 400, "InvalidParameter", member,
		    "The value of parameter %s is invalid: '" STR_FMT "' is no CIDR.", member,
		    STR_ARG(cidr));
	for (size_t i = 0; i < ARRAY_LEN(reserved_cidrs); i++) {
		if (ipv4_range_overlap(cidr, str_from(reserved_cidrs[i])))
			return answer_aks_error(c, 400, "InvalidParameter", member,
			    "The value of parameter %s is invalid: it overlaps the reserved range "
			    "%s.",
			    member, reserved_cidrs[i]);
	}
	return true;
}

static bool
check_dns_ip(struct arm_call *c, struct str ip, struct str service)
{
	struct text t = TEXT_INIT(64);
	uint32_t address = 0, first = 0;
	unsigned bits = 0, full = 0;
	bool ok;

	text_printf(&t, STR_FMT "/32", STR_ARG(ip));
	ok = ipv4_range_parse(text_str(&t), &address, &full) &&
	     ipv4_range_parse(service, &first, &bits) &&
	     ipv4_range_contains(service, text_str(&t)) && address != first && address != first + 1;
	text_free(&t);
	return ok || answer_aks_error(c, 400, "DnsServiceIpOutOfServiceCidr",
			 "properties.networkProfile.dnsServiceIP",
			 "The DNS service IP " STR_FMT " must lie inside the service CIDR " STR_FMT
			 " and must not be its first address.",
			 STR_ARG(ip), STR_ARG(service));
}

static bool
check_network(struct arm_call *c, const struct cluster_check *k)
{
	const struct node *np = node_path(k->body, "properties.networkProfile");
	struct str pods = node_get_str(node_find(np, "podCidr"));
	struct str service = node_get_str(node_find(np, "serviceCidr"));
	struct str dns = node_get_str(node_find(np, "dnsServiceIP"));
	uint32_t first = 0;
	unsigned bits = 0;

	if (np == NULL)
		return true;
	if (node_get_str(node_find(np, "networkPluginMode")).n > 0 &&
	    !str_eq_nocase(node_get_str(node_find(np, "networkPlugin")), STR("azure")))
		return answer_aks_error(c, 400, "InvalidParameter",
		    "properties.networkProfile.networkPluginMode",
		    "networkPluginMode overlay needs networkPlugin azure.");
	if (pods.n > 0 && !check_cidr(c, "networkProfile.podCidr", pods, &first, &bits))
		return false;
	if (service.n > 0 && !check_cidr(c, "networkProfile.serviceCidr", service, &first, &bits))
		return false;
	if (service.n > 0 && bits <= 12)
		return answer_aks_error(c, 400, "ServiceCidrTooLarge",
		    "properties.networkProfile.serviceCidr",
		    "The service CIDR " STR_FMT " must be smaller than /12.", STR_ARG(service));
	if (pods.n > 0 && service.n > 0 && ipv4_range_overlap(pods, service))
		return answer_aks_error(c, 400, "ServiceCidrOverlapPodCidr",
		    "properties.networkProfile.serviceCidr",
		    "The service CIDR " STR_FMT " overlaps with the pod CIDR " STR_FMT ".",
		    STR_ARG(service), STR_ARG(pods));
	if ((service.n > 0) != (dns.n > 0))
		return answer_aks_error(c, 400, "InvalidParameter", "properties.networkProfile",
		    "serviceCidr and dnsServiceIP must be given together.");
	return dns.n == 0 || check_dns_ip(c, dns, service);
}

/* Paths that cannot change on a live cluster (facts/azure.md 5). */
static const char *const fixed[] = { "properties.dnsPrefix", "properties.nodeResourceGroup",
	"properties.networkProfile.networkPlugin", "properties.networkProfile.networkPluginMode",
	"properties.networkProfile.serviceCidr", "properties.networkProfile.dnsServiceIP",
	"properties.networkProfile.loadBalancerSku", "properties.networkProfile.outboundType",
	"properties.enableRBAC" };

static bool
check_fixed(struct arm_call *c, const struct cluster_check *k)
{
	struct str pods = node_path_str(k->body, "properties.networkProfile.podCidr");
	struct str have = node_path_str(k->old, "properties.networkProfile.podCidr");

	if (k->old == NULL)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(fixed); i++) {
		const struct node *asked = node_path(k->body, fixed[i]);
		const struct node *stands = node_path(k->old, fixed[i]);
		bool same = asked == NULL || node_eq(asked, stands) ||
			    (asked->type == NODE_STRING &&
				str_eq_nocase(node_get_str(asked), node_get_str(stands)));

		if (!same)
			return answer_aks_error(c, 400, "PropertyChangeNotAllowed", fixed[i],
			    "Changing property '%s' is not allowed.", fixed[i]);
	}
	if (!str_eq_nocase(
		node_get_str(node_find(k->old, "location")), str_from(k->location->name)))
		return answer_error(c, 409, "InvalidResourceLocation",
		    "The resource '" STR_FMT "' already exists in location '" STR_FMT "'.",
		    STR_ARG(k->name), STR_ARG(node_get_str(node_find(k->old, "location"))));
	if (pods.n > 0 && !ipv4_range_contains(pods, have))
		return answer_aks_error(c, 400, "PropertyChangeNotAllowed",
		    "properties.networkProfile.podCidr",
		    "Changing property 'properties.networkProfile.podCidr' is allowed only to a "
		    "wider "
		    "range.");
	return true;
}

bool
cluster_check(struct arm_call *c, struct cluster_check *k)
{
	if (!check_name(c, k) || !check_location(c, k->body, &k->location) ||
	    !check_tags(c, node_find(k->body, "tags")))
		return false;
	if (node_find(k->body, "properties") == NULL)
		return answer_aks_error(c, 400, "InvalidParameter", "properties",
		    "Required parameter properties is missing (null).");
	return check_fixed(c, k) && check_identity(c, k) && check_names(c, k) && check_plan(c, k) &&
	       check_network(c, k) && check_version(c, k);
}

struct filler {
	const char *path; /* of the parent */
	const char *name;
	const char *json; /* value */
};

/* What the service adds when it is absent. */
static const struct filler fillers[] = {
	{ "properties", "disableLocalAccounts", "false" },
	{ "properties", "enableRBAC", "true" },
	{ "properties", "maxAgentPools", "100" },
	{ "properties", "supportPlan", "\"KubernetesOfficial\"" },
	{ "properties.autoUpgradeProfile", "nodeOSUpgradeChannel", "\"NodeImage\"" },
	{ "properties.networkProfile", "networkPlugin", "\"azure\"" },
	{ "properties.networkProfile", "networkPolicy", "\"none\"" },
	{ "properties.networkProfile", "networkDataplane", "\"azure\"" },
	{ "properties.networkProfile", "loadBalancerSku", "\"standard\"" },
	{ "properties.networkProfile", "outboundType", "\"loadBalancer\"" },
	{ "properties.networkProfile", "podCidr", "\"10.244.0.0/16\"" },
	{ "properties.networkProfile", "serviceCidr", "\"10.0.0.0/16\"" },
	{ "properties.networkProfile", "dnsServiceIP", "\"10.0.0.10\"" },
	{ "properties.networkProfile.loadBalancerProfile", "backendPoolType",
	    "\"NodeIPConfiguration\"" },
	{ "properties.networkProfile.loadBalancerProfile.managedOutboundIPs", "count", "1" },
	{ "properties.powerState", "code", "\"Running\"" },
	{ "properties.servicePrincipalProfile", "clientId", "\"msi\"" },
	{ "properties.storageProfile.diskCSIDriver", "enabled", "true" },
	{ "properties.storageProfile.fileCSIDriver", "enabled", "true" },
	{ "properties.storageProfile.snapshotController", "enabled", "true" },
	{ "sku", "name", "\"Base\"" },
	{ "sku", "tier", "\"Free\"" },
};

static struct node *
filler_value(struct arm_call *c, const char *json)
{
	struct str s = str_from(json);
	int64_t n;

	if (s.p[0] == '"')
		return node_str(c->a, str_sub(s, 1, s.n - 2));
	if (str_to_int(s, &n))
		return node_int(c->a, n);
	return node_bool(c->a, str_is(s, "true"));
}

static void
fill_list(struct arm_call *c, struct node *map, const char *name, struct str one)
{
	struct node *list = node_list(c->a);

	node_push(list, node_str(c->a, one));
	node_set(c->a, map, name, list);
}

static void
fill_names(struct arm_call *c, const struct cluster_check *k, struct node *n, struct node *p)
{
	struct str prefix = str_sub(node_path_str(n, "properties.dnsPrefix"), 0, FQDN_PREFIX);
	const char *parts[] = { c->s->id.subscription, str_printf(c, STR_FMT, STR_ARG(k->group)).p,
		str_printf(c, STR_FMT, STR_ARG(k->name)).p, NULL };
	struct str hash = str_sub(guid_str(c, parts), 0, 8);

	node_set(c->a, n, "id",
	    node_str(c->a, str_printf(c,
			       "/subscriptions/%s/resourcegroups/" STR_FMT
			       "/providers/Microsoft.ContainerService/managedClusters/" STR_FMT,
			       c->s->id.subscription, STR_ARG(k->group), STR_ARG(k->name))));
	node_set(c->a, n, "name", node_str(c->a, k->name));
	node_set_strz(c->a, n, "location", k->location->name);
	node_set_strz(c->a, n, "type", cluster_type);
	node_set(c->a, p, "fqdn",
	    node_str(c->a, str_printf(c, STR_FMT "-" STR_FMT ".hcp.%s.azmk8s.io", STR_ARG(prefix),
			       STR_ARG(hash), k->location->name)));
	node_set(c->a, p, "azurePortalFQDN",
	    node_str(c->a, str_printf(c, STR_FMT "-" STR_FMT ".portal.hcp.%s.azmk8s.io",
			       STR_ARG(prefix), STR_ARG(hash), k->location->name)));
	if (node_find(p, "nodeResourceGroup") == NULL)
		node_set(c->a, p, "nodeResourceGroup",
		    node_str(
			c->a, str_sub(str_printf(c, "MC_" STR_FMT "_" STR_FMT "_%s",
					  STR_ARG(k->group), STR_ARG(k->name), k->location->name),
				  0, NODE_GROUP_MAX)));
}

static void
fill_identity(struct arm_call *c, const struct cluster_check *k, struct node *n)
{
	const struct node *old = node_find(k->old, "identity");
	struct node *identity = node_find(n, "identity");

	bool stays = old != NULL && (identity == NULL || str_eq_nocase(node_path_str(old, "type"),
							     node_path_str(identity, "type")));

	if (stays)
		node_set(c->a, n, "identity", node_dup(c->a, old));
	else if (str_eq_nocase(node_path_str(identity, "type"), STR("SystemAssigned"))) {
		node_set(c->a, identity, "principalId", node_str(c->a, guid_new(c)));
		node_set_strz(c->a, identity, "tenantId", c->s->id.tenant);
	}
}

/* Members that stand and are not asked for again: PUT keeps what it cannot change. */
static void
keep_fixed(struct arm_call *c, const struct cluster_check *k, struct node *n)
{
	static const char *const parents[] = { "properties", "properties",
		"properties.networkProfile", "properties.networkProfile",
		"properties.networkProfile", "properties.networkProfile",
		"properties.networkProfile", "properties.networkProfile", "properties" };

	_Static_assert(ARRAY_LEN(parents) == ARRAY_LEN(fixed), "one parent for each fixed path");
	for (size_t i = 0; k->old != NULL && i < ARRAY_LEN(fixed); i++) {
		const struct node *stands = node_path(k->old, fixed[i]);
		const char *leaf = fixed[i] + str_from(parents[i]).n + 1;

		if (stands != NULL)
			node_set(c->a, node_make_path(c->a, n, parents[i]), leaf,
			    node_dup(c->a, stands));
	}
}

struct node *
cluster_filled(struct arm_call *c, const struct cluster_check *k)
{
	struct node *n = node_dup(c->a, k->body), *p, *np, *h;

	keep_fixed(c, k, n);
	for (size_t i = 0; i < ARRAY_LEN(fillers); i++) {
		struct node *parent = node_make_path(c->a, n, fillers[i].path);

		if (node_find(parent, fillers[i].name) == NULL)
			node_set(c->a, parent, fillers[i].name, filler_value(c, fillers[i].json));
	}
	p = node_find(n, "properties");
	np = node_find(p, "networkProfile");
	(void)node_remove(p, STR("agentPoolProfiles")); /* pools are documents of their own */
	fill_names(c, k, n, p);
	fill_identity(c, k, n);
	fill_list(c, np, "ipFamilies", STR("IPv4"));
	fill_list(c, np, "podCidrs", node_get_str(node_find(np, "podCidr")));
	fill_list(c, np, "serviceCidrs", node_get_str(node_find(np, "serviceCidr")));
	if (node_find(p, "kubernetesVersion") == NULL)
		node_set(c->a, p, "kubernetesVersion",
		    k->old != NULL
			? node_dup(c->a, node_path(k->old, "properties.kubernetesVersion"))
			: node_str(c->a, k->version));
	node_set(c->a, p, "currentKubernetesVersion", node_str(c->a, k->version));
	if (k->old != NULL && node_find(k->old, "_sim") != NULL)
		node_set(c->a, n, "_sim", node_dup(c->a, node_find(k->old, "_sim")));
	h = doc_hidden(c, n);
	if (node_find(h, "madeMs") == NULL) {
		node_set_int(c->a, h, "madeMs", c->now_ms);
		node_set(c->a, h, "key",
		    node_str(c->a,
			doc_key(c, STR_FMT "/" STR_FMT, STR_ARG(k->group), STR_ARG(k->name))));
		node_set(c->a, h, "resourceUID", node_str(c->a, str_sub(guid_new(c), 24, 12)));
	}
	node_set(c->a, p, "resourceUID", node_dup(c->a, node_find(h, "resourceUID")));
	return n;
}
