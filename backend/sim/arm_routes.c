#include "backend/sim/arm_routes.h"

#include "backend/sim/operations.h"

/* Accepted api-versions, newest last; what a refusal names (facts/azure.md 2). */
#define V_RESOURCES	"2016-02-01,2019-10-01,2020-06-01,2021-04-01,2022-09-01,2024-03-01,2025-04-01"
#define V_SUBSCRIPTIONS "2016-06-01,2019-11-01,2020-01-01,2021-01-01,2022-12-01"
#define V_NETWORK                                                                                  \
	"2022-07-01,2023-04-01,2023-09-01,2023-11-01,2024-01-01,2024-05-01,2024-07-01,2025-01-01," \
	"2025-03-01,2025-05-01,2026-03-01"
#define V_AKS                                                                                      \
	"2023-10-01,2023-11-01,2024-01-01,2024-02-01,2024-05-01,2024-09-01,2025-01-01,2025-03-01," \
	"2025-05-01,2025-08-01,2025-10-01,2026-01-01,2026-03-01,2026-04-01,2026-06-01,2026-07-01," \
	"2026-08-01"
#define V_SKUS		"2019-04-01,2021-07-01"
#define V_USAGES	"2023-07-01,2024-03-01,2024-07-01,2024-11-01,2025-04-01,2025-11-01,2026-04-01"
#define V_FEATURES	"2015-12-01,2021-07-01"
#define V_ROLES		"2015-07-01,2020-10-01-preview,2022-04-01"
#define V_OPERATION	"2016-03-30,2017-08-31"
#define V_NET_OPERATION V_NETWORK

#define S     "/subscriptions/{}"
#define RG    S "/resourceGroups/{}"
#define NET   RG "/providers/Microsoft.Network/virtualNetworks"
#define MC    RG "/providers/Microsoft.ContainerService/managedClusters"
#define AKS   S "/providers/Microsoft.ContainerService"
#define ROLES "*/providers/Microsoft.Authorization/roleAssignments"

/* clang-format off */
static const struct arm_route routes[] = {
	/* subscription */
	{ "GET",    S,                          V_SUBSCRIPTIONS, BUCKET_NONE, NULL, false, subscription_get },
	{ "GET",    S "/locations",             V_SUBSCRIPTIONS, BUCKET_NONE, NULL, false, locations_list },
	{ "GET",    S "/operationresults/{}",   V_RESOURCES,     BUCKET_NONE, NULL, true,  operation_result_get },
	{ "GET",    S "/providers/Microsoft.Features/providers/{}/features/{}", V_FEATURES, BUCKET_NONE, NULL, false, feature_get },
	{ "POST",   S "/providers/Microsoft.Features/providers/{}/features/{}/register", V_FEATURES, BUCKET_NONE, "Microsoft.Features/providers/features/register/action", false, feature_register },
	{ "GET",    S "/providers/{}",          V_RESOURCES,     BUCKET_NONE, NULL, false, provider_get },
	{ "POST",   S "/providers/{}/register", V_RESOURCES,     BUCKET_NONE, "Microsoft.Resources/register/action", false, provider_register },

	/* resource groups */
	{ "GET",    S "/resourceGroups",        V_RESOURCES, BUCKET_NONE, "Microsoft.Resources/subscriptions/resourcegroups/read", false, group_list },
	{ "PUT",    RG,                         V_RESOURCES, BUCKET_NONE, "Microsoft.Resources/subscriptions/resourcegroups/write", false, group_put },
	{ "GET",    RG,                         V_RESOURCES, BUCKET_NONE, "Microsoft.Resources/subscriptions/resourcegroups/read", false, group_get },
	{ "HEAD",   RG,                         V_RESOURCES, BUCKET_NONE, "Microsoft.Resources/subscriptions/resourcegroups/read", false, group_head },
	{ "PATCH",  RG,                         V_RESOURCES, BUCKET_NONE, "Microsoft.Resources/subscriptions/resourcegroups/write", false, group_patch },
	{ "DELETE", RG,                         V_RESOURCES, BUCKET_NONE, "Microsoft.Resources/subscriptions/resourcegroups/delete", false, group_delete },
	{ "GET",    RG "/resources",            V_RESOURCES, BUCKET_NONE, "Microsoft.Resources/subscriptions/resourcegroups/resources/read", false, group_resources_list },

	/* network */
	{ "GET",    S "/providers/Microsoft.Network/virtualNetworks", V_NETWORK, BUCKET_NONE, "Microsoft.Network/virtualNetworks/read", false, vnet_list_all },
	{ "GET",    NET,                        V_NETWORK, BUCKET_NONE, "Microsoft.Network/virtualNetworks/read", false, vnet_list },
	{ "PUT",    NET "/{}",                  V_NETWORK, BUCKET_NONE, "Microsoft.Network/virtualNetworks/write", false, vnet_put },
	{ "GET",    NET "/{}",                  V_NETWORK, BUCKET_NONE, "Microsoft.Network/virtualNetworks/read", false, vnet_get },
	{ "DELETE", NET "/{}",                  V_NETWORK, BUCKET_NONE, "Microsoft.Network/virtualNetworks/delete", false, vnet_delete },
	{ "GET",    NET "/{}/subnets",          V_NETWORK, BUCKET_NONE, "Microsoft.Network/virtualNetworks/subnets/read", false, subnet_list },
	{ "PUT",    NET "/{}/subnets/{}",       V_NETWORK, BUCKET_NONE, "Microsoft.Network/virtualNetworks/subnets/write", false, subnet_put },
	{ "GET",    NET "/{}/subnets/{}",       V_NETWORK, BUCKET_NONE, "Microsoft.Network/virtualNetworks/subnets/read", false, subnet_get },
	{ "DELETE", NET "/{}/subnets/{}",       V_NETWORK, BUCKET_NONE, "Microsoft.Network/virtualNetworks/subnets/delete", false, subnet_delete },
	{ "GET",    S "/providers/Microsoft.Network/locations/{}/operations/{}", V_NET_OPERATION, BUCKET_NONE, NULL, true, operation_get },
	{ "GET",    S "/providers/Microsoft.Network/locations/{}/operationResults/{}", V_NET_OPERATION, BUCKET_NONE, NULL, true, operation_result_get },

	/* clusters */
	{ "GET",    AKS "/managedClusters",     V_AKS, BUCKET_CLUSTER_LIST, "Microsoft.ContainerService/managedClusters/read", false, cluster_list },
	{ "GET",    MC,                         V_AKS, BUCKET_CLUSTER_LIST_GROUP, "Microsoft.ContainerService/managedClusters/read", false, cluster_list_group },
	{ "PUT",    MC "/{}",                   V_AKS, BUCKET_CLUSTER_PUT, "Microsoft.ContainerService/managedClusters/write", false, cluster_put },
	{ "GET",    MC "/{}",                   V_AKS, BUCKET_CLUSTER_GET, "Microsoft.ContainerService/managedClusters/read", false, cluster_get },
	{ "PATCH",  MC "/{}",                   V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/write", false, cluster_patch },
	{ "DELETE", MC "/{}",                   V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/delete", false, cluster_delete },
	{ "POST",   MC "/{}/abort",             V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/abort/action", false, cluster_abort },
	{ "POST",   MC "/{}/stop",              V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/stop/action", false, cluster_stop },
	{ "POST",   MC "/{}/start",             V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/start/action", false, cluster_start },
	{ "POST",   MC "/{}/rotateClusterCertificates", V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/rotateClusterCertificates/action", false, cluster_rotate },
	{ "POST",   MC "/{}/listClusterAdminCredential", V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/listClusterAdminCredential/action", true, cluster_admin_credential },
	{ "POST",   MC "/{}/listClusterUserCredential", V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/listClusterUserCredential/action", true, cluster_user_credential },
	{ "GET",    MC "/{}/upgradeProfiles/default", V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/upgradeProfiles/read", false, cluster_upgrade_profile },
	{ "GET",    MC "/{}/availableAgentPoolVersions", V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/availableAgentPoolVersions/read", false, cluster_pool_versions },
	{ "GET",    AKS "/locations/{}/kubernetesVersions", V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/locations/kubernetesVersions/read", false, versions_list },
	{ "GET",    AKS "/locations/{}/operations/{}", V_OPERATION, BUCKET_OPERATION, NULL, true, operation_get },
	{ "GET",    AKS "/locations/{}/operationresults/{}", V_OPERATION, BUCKET_OPERATION, NULL, true, operation_result_get },

	/* pools */
	{ "GET",    MC "/{}/agentPools",        V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/agentPools/read", false, pool_list },
	{ "PUT",    MC "/{}/agentPools/{}",     V_AKS, BUCKET_POOL_PUT, "Microsoft.ContainerService/managedClusters/agentPools/write", false, pool_put },
	{ "GET",    MC "/{}/agentPools/{}",     V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/agentPools/read", false, pool_get },
	{ "DELETE", MC "/{}/agentPools/{}",     V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/agentPools/delete", false, pool_delete },
	{ "POST",   MC "/{}/agentPools/{}/abort", V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/agentPools/abort/action", false, pool_abort },
	{ "GET",    MC "/{}/agentPools/{}/upgradeProfiles/default", V_AKS, BUCKET_OTHER, "Microsoft.ContainerService/managedClusters/agentPools/upgradeProfiles/read", false, pool_upgrade_profile },

	/* compute */
	{ "GET",    S "/providers/Microsoft.Compute/skus", V_SKUS, BUCKET_NONE, "Microsoft.Compute/skus/read", false, skus_list },
	{ "GET",    S "/providers/Microsoft.Compute/locations/{}/usages", V_USAGES, BUCKET_NONE, "Microsoft.Compute/locations/usages/read", false, usages_list },

	/* role assignments, on any scope */
	{ "GET",    ROLES,                      V_ROLES, BUCKET_NONE, "Microsoft.Authorization/roleAssignments/read", false, role_list },
	{ "PUT",    ROLES "/{}",                V_ROLES, BUCKET_NONE, "Microsoft.Authorization/roleAssignments/write", false, role_put },
	{ "GET",    ROLES "/{}",                V_ROLES, BUCKET_NONE, "Microsoft.Authorization/roleAssignments/read", false, role_get },
	{ "DELETE", ROLES "/{}",                V_ROLES, BUCKET_NONE, "Microsoft.Authorization/roleAssignments/delete", false, role_delete },
};
/* clang-format on */

const struct arm_route *
arm_routes_get(size_t *ret_n)
{
	*ret_n = ARRAY_LEN(routes);
	return routes;
}

/* Segment by segment, without regard to case; {} takes one that is not empty. */
static bool
segments_match(struct str pattern, struct str path, struct str *params, size_t nparams)
{
	struct str want, have;
	bool more, there;

	for (;;) {
		more = str_split(&pattern, '/', &want);
		there = str_split(&path, '/', &have);
		if (!more || !there)
			return !more && !there;
		if (!str_is(want, "{}")) {
			if (!str_eq_nocase(want, have))
				return false;
		} else {
			if (have.n == 0 || nparams == ARM_PARAMS)
				return false;
			params[nparams++] = have;
		}
	}
}

/* A pattern that begins with '*' takes the scope before its last mark as parameter 0. */
static bool
route_matches(const struct arm_route *r, struct str path, struct str *params)
{
	struct str pattern = str_from(r->pattern);
	struct str mark = STR("/providers/Microsoft.Authorization/roleAssignments");

	if (pattern.p[0] != '*')
		return segments_match(pattern, path, params, 0);
	pattern = str_sub(pattern, 1, pattern.n);
	for (size_t at = path.n; at-- > 0;) {
		if (path.n - at < mark.n || !str_eq_nocase(str_sub(path, at, mark.n), mark))
			continue;
		params[0] = str_sub(path, 0, at);
		return params[0].n > 0 &&
		       segments_match(pattern, str_sub(path, at, path.n), params, 1);
	}
	return false;
}

const struct arm_route *
arm_route_find(struct str method, struct str path, struct str *ret_params, bool *ret_known)
{
	*ret_known = false;
	if (path.n > 1 && path.p[path.n - 1] == '/')
		path.n--;
	for (size_t i = 0; i < ARRAY_LEN(routes); i++) {
		struct str params[ARM_PARAMS] = { { 0 } };

		if (!route_matches(&routes[i], path, params))
			continue;
		*ret_known = true;
		if (!str_is(method, routes[i].method))
			continue;
		for (size_t k = 0; k < ARM_PARAMS; k++)
			ret_params[k] = params[k];
		return &routes[i];
	}
	return NULL;
}
