#ifndef BACKEND_SIM_ARM_ROUTES_H
#define BACKEND_SIM_ARM_ROUTES_H

/* The handlers that arm_routes.c lists, by the file that has them. One request each; see arm.h. */

#include "backend/sim/arm.h"

/* arm_subscription.c */
arm_fn subscription_get, locations_list, provider_get, provider_register, feature_get,
    feature_register;
/* arm_groups.c */
arm_fn group_put, group_get, group_head, group_patch, group_delete, group_list,
    group_resources_list;
/* arm_network.c */
arm_fn vnet_put, vnet_get, vnet_delete, vnet_list, vnet_list_all, subnet_put, subnet_get,
    subnet_delete, subnet_list;
/* arm_clusters.c */
arm_fn cluster_put, cluster_get, cluster_patch, cluster_delete, cluster_list, cluster_list_group;
/* arm_cluster_actions.c */
arm_fn cluster_abort, cluster_stop, cluster_start, cluster_rotate, cluster_admin_credential,
    cluster_user_credential, cluster_upgrade_profile, cluster_pool_versions, pool_abort,
    pool_upgrade_profile, versions_list;
/* arm_pools.c */
arm_fn pool_put, pool_get, pool_delete, pool_list;
/* arm_compute.c */
arm_fn skus_list, usages_list;
/* arm_roles.c */
arm_fn role_put, role_get, role_delete, role_list;

#endif
