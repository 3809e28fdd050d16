#include "backend/providers/azure/azure_int.h"

#include "model/base/mem.h"

/*
 * Azure's error codes (facts 4.4): what class of ours each is, which decides about retrying, and
 * what an operator can do. Decided by code, since the HTTP status of a code varies. A row whose
 * advice is NULL has nothing to add to the class's own.
 */

#define REGISTER    "register the resource provider: az provider register --namespace <the one named>"
#define OTHER_PLACE "choose another zone, region or size, or try again later"

/* clang-format off */
const struct azure_error azure_errors[] = {
	{ "QuotaExceeded", false, ERR_QUOTA,
	    "ask for vCPU quota of that family in that region, use fewer nodes, or choose another size or region" },
	{ "ManagedClusterCountExceedsQuotaLimit", false, ERR_QUOTA,
	    "ask for more clusters in that region, or delete some" },
	{ "PublicIPCountLimitReached", false, ERR_QUOTA, "ask for more public IP addresses" },
	{ "AKSOperationPreempted", true, ERR_BUSY, NULL },
	{ "OperationPreempted", true, ERR_BUSY, NULL },
	{ "AnotherOperationInProgress", false, ERR_BUSY, NULL },
	{ "OperationNotAllowed", false, ERR_BUSY, NULL },
	{ "Conflict", false, ERR_BUSY, NULL },
	{ "ResourceGroupBeingDeleted", false, ERR_BUSY, "none: it waits until the old group is gone" },
	{ "VirtualNetworkNotInSucceededState", false, ERR_BUSY, NULL },
	{ "SkuNotAvailable", false, ERR_CAPACITY,
	    "the subscription may not use this size here: choose another size, zone or region, or ask to lift the restriction" },
	{ "AllocationFailed", false, ERR_CAPACITY, OTHER_PLACE },
	{ "ZonalAllocationFailed", false, ERR_CAPACITY, OTHER_PLACE },
	{ "OverconstrainedAllocationRequest", false, ERR_CAPACITY,
	    "drop a condition: zones, ephemeral OS disk or placement" },
	{ "OverconstrainedZonalAllocationRequest", false, ERR_CAPACITY,
	    "drop a condition: zones, ephemeral OS disk or placement" },
	{ "AksCapacityHeavyUsage", false, ERR_CAPACITY,
	    "the region takes no new clusters for now: choose another, or wait" },
	{ "AuthorizationFailed", false, ERR_FORBIDDEN,
	    "grant the role that the message names (Contributor for clusters, User Access Administrator for role assignments) at that scope" },
	{ "LinkedAuthorizationFailed", false, ERR_FORBIDDEN,
	    "grant Network Contributor on the virtual network" },
	{ "RequestDisallowedByPolicy", false, ERR_FORBIDDEN,
	    "the message names the policy: follow it (tags, region, size) or ask for an exemption" },
	{ "InvalidAuthenticationToken", true, ERR_UNAUTHENTICATED,
	    "check the subscription and tenant of the credential" },
	{ "ExpiredAuthenticationToken", false, ERR_UNAUTHENTICATED, NULL },
	{ "AuthenticationFailed", false, ERR_UNAUTHENTICATED, NULL },
	{ "SubscriptionNotFound", false, ERR_FORBIDDEN,
	    "check the subscription id, and that the credential may see it" },
	{ "InvalidSubscriptionId", false, ERR_INVALID, "check the subscription id of the credential" },
	{ "InvalidParameter", false, ERR_INVALID, "correct the field that the message names" },
	{ "BadRequest", false, ERR_INVALID, "correct the field that the message names" },
	{ "InvalidRequestContent", false, ERR_INVALID, "report this: the request was not understood" },
	{ "InvalidResourceGroupLocation", false, ERR_IMMUTABLE, NULL },
	{ "InvalidTemplateDeployment", false, ERR_INVALID, "correct what the message names" },
	{ "NoRegisteredProviderFound", false, ERR_INVALID, REGISTER },
	{ "PropertyChangeNotAllowed", false, ERR_IMMUTABLE, "make a new pool or cluster with the wanted value" },
	{ "K8sVersionNotSupported", false, ERR_INVALID,
	    "choose a version that the region offers: flightdeck explain, or the wizard's list" },
	{ "NodePoolMcVersionIncompatible", false, ERR_INVALID, "upgrade the control plane first" },
	{ "AgentPoolK8sVersionNotSupported", false, ERR_INVALID, "choose another version" },
	{ "VMSizeNotSupported", false, ERR_INVALID, "choose another size" },
	{ "ServiceCidrOverlapExistingSubnetsCidr", false, ERR_INVALID, "choose address ranges that do not overlap" },
	{ "DnsServiceIpOutOfServiceCidr", false, ERR_INVALID, "choose a DNS address inside the service range" },
	{ "SubnetIsFull", false, ERR_QUOTA, "use a larger subnet" },
	{ "InsufficientSubnetSize", false, ERR_QUOTA, "use a larger subnet" },
	{ "SubnetIsDelegated", false, ERR_INVALID, "use a subnet without delegation" },
	{ "AvailabilityZoneNotSupported", false, ERR_INVALID, "choose zones that the size has, or none" },
	{ "MissingSubscriptionRegistration", false, ERR_FORBIDDEN, REGISTER },
	{ "SubscriptionNotRegistered", false, ERR_FORBIDDEN, REGISTER },
	{ "ResourceNotFound", false, ERR_NOT_FOUND, NULL },
	{ "ResourceGroupNotFound", false, ERR_NOT_FOUND, NULL },
	{ "RoleAssignmentNotFound", false, ERR_NOT_FOUND, NULL },
	{ "AgentPoolNotFound", false, ERR_NOT_FOUND, NULL },
	{ "NotFound", false, ERR_NOT_FOUND, NULL },
	{ "ParentResourceNotFound", false, ERR_NOT_FOUND, NULL },
	{ "InUseSubnetCannotBeDeleted", false, ERR_BUSY, "none: it goes once the cluster is gone" },
	{ "InUseNetworkSecurityGroupCannotBeDeleted", false, ERR_BUSY, "none: it goes once the cluster is gone" },
	{ "PublicIPAddressCannotBeDeleted", false, ERR_BUSY, "none: it goes once the cluster is gone" },
	{ "ScopeLocked", false, ERR_REFUSED, "remove the management lock" },
	{ "ResourceGroupDeletionBlocked", false, ERR_REFUSED, "remove the management lock, or what the message names" },
	{ "PreconditionFailed", false, ERR_CONFLICT, "none: it is looked at again" },
	{ "RoleAssignmentExists", false, ERR_EXISTS, NULL },
	{ "PrincipalNotFound", false, ERR_BUSY, "none: the identity is not known everywhere yet" },
	{ "Throttled", false, ERR_THROTTLED, NULL },
	{ "TooManyRequests", false, ERR_THROTTLED, NULL },
	{ "SubscriptionRequestsThrottled", false, ERR_THROTTLED, NULL },
	{ "UpgradeFailed", false, ERR_CLOUD, "a disruption budget may block the drain: loosen it, then retry" },
	{ "UnsatisfiablePDB", false, ERR_CLOUD, "loosen the disruption budget that the message names" },
	{ "PodDrainFailure", false, ERR_CLOUD, "loosen the disruption budget that the message names" },
	{ "VMExtensionProvisioningError", false, ERR_CLOUD, "nodes did not come up: check routes, firewall and DNS of the subnet" },
	{ "VMExtensionError", true, ERR_CLOUD, "nodes did not come up: check routes, firewall and DNS of the subnet" },
	{ "OutboundConnFailVMExtensionError", false, ERR_CLOUD, "nodes have no way out: check routes and firewall of the subnet" },
	{ "NodesNotReady", false, ERR_CLOUD, "look at the nodes' events in the cluster" },
	{ "CreateVMSSAgentPoolFailed", false, ERR_CLOUD, NULL },
	{ "InternalServerError", false, ERR_CLOUD, NULL },
	{ "InternalOperationError", false, ERR_CLOUD, NULL },
};
/* clang-format on */
const size_t azure_nerrors = ARRAY_LEN(azure_errors);

static bool
contains(struct str text, const char *word)
{
	return str_find(text, str_from(word)) >= 0;
}

const struct azure_error *
azure_error_find(struct str code, struct str message)
{
	for (size_t i = 0; i < azure_nerrors; i++) {
		const struct azure_error *e = &azure_errors[i];

		if (!(e->prefix ? str_starts(code, str_from(e->code)) : str_is(code, e->code)))
			continue;
		/* The older form of a quota error, and a size that a location does not have. */
		if (e->class == ERR_BUSY &&
		    (contains(message, "quota") || contains(message, "Quota") ||
			contains(message, "cores")))
			return &azure_errors[0];
		if (str_is(code, "Conflict") && !contains(message, "progress"))
			return NULL; /* some other clash: shown, not waited for */
		if (str_is(code, "BadRequest") && contains(message, "not available in location"))
			return azure_error_find(STR("SkuNotAvailable"), (struct str){ 0 });
		return e;
	}
	return NULL;
}

static enum error_code
class_of_status(int status)
{
	static const struct {
		int status;
		enum error_code class;
	} rows[] = {
		{ 400, ERR_INVALID },
		{ 401, ERR_UNAUTHENTICATED },
		{ 403, ERR_FORBIDDEN },
		{ 404, ERR_NOT_FOUND },
		{ 408, ERR_TIMEOUT },
		{ 409, ERR_CONFLICT },
		{ 412, ERR_CONFLICT },
		{ 429, ERR_THROTTLED },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].status == status)
			return rows[i].class;
	}
	return ERR_CLOUD;
}

/* The deepest detail that has a code says most. */
static const struct node *
deepest(const struct node *e)
{
	for (int depth = 0; depth < 16; depth++) {
		const struct node *list = node_find(e, "details"), *d = node_first(list);

		if (d == NULL || node_get_str(node_find(d, "code")).n == 0)
			break;
		e = d;
	}
	return e;
}

/* Codes go into conditions: CamelCase words of letters and digits, nothing else. */
static void
name_it(struct error *err, struct arena *a, struct str code)
{
	char *copy =
	    arena_dup(a, code.p, code.n < ERROR_REASON_MAX ? code.n : ERROR_REASON_MAX - 1);

	if (copy == NULL || code.n == 0)
		return;
	for (char *p = copy; *p != '\0'; p++) {
		if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
			(*p >= '0' && *p <= '9')))
			return;
	}
	error_name(err, copy);
}

void
azure_error_from(
    struct error *err, struct arena *a, int status, const struct node *body, struct str correlation)
{
	const struct node *outer = node_find(body, "error");
	const struct node *e = deepest(outer != NULL ? outer : body);
	struct str code = node_get_str(node_find(e, "code"));
	struct str message = node_get_str(node_find(e, "message"));
	const struct azure_error *row = azure_error_find(code, message);
	enum error_code class = row != NULL ? row->class : class_of_status(status);

	if (status == 429)
		class = ERR_THROTTLED;
	if (message.n == 0)
		(void)error_set(err, class, "Azure answered %d", status);
	else
		(void)error_set(err, class, STR_FMT, STR_ARG(message));
	name_it(err, a, code);
	if (row != NULL && row->advice != NULL && row->class == class)
		error_advise(err, "%s", row->advice);
	else if (class == ERR_CLOUD && correlation.n > 0)
		error_advise(err, "it is tried again; for Azure's support: correlation id " STR_FMT,
		    STR_ARG(str_sub(correlation, 0, 64)));
}
