#ifndef BACKEND_PROVIDERS_AZURE_CHOICES_H
#define BACKEND_PROVIDERS_AZURE_CHOICES_H

/*
 * What an account may choose from when it makes an AKS cluster, for the wizard:
 *
 *   {locations: [{name, display}],
 *    versions:  [{version, default, preview, lts}],            newest first; lts: only with LTS
 *    sizes:     [{name, family, gpus, vcpus, memoryGb, zones: [], rdma, restricted, reason}],
 *    quota:     [{family, name, limit, used}],
 *    features:  {AKSInfinibandSupport: "Registered"},
 *    providers: {"Microsoft.ContainerService": "Registered", ...}}
 *
 * Without a location only locations, features and providers are there. Sizes are those with GPUs
 * and the common ones for system pools. Answers are kept for ten minutes.
 *
 * Ownership: the tree lives in the caller's arena. Threads: any. It blocks on the network.
 * Failure: the first call that fails ends it; what one needs least (features, providers) is left
 * out instead when the account may not read it.
 */

#include "backend/providers/azure/azure.h"
#include "backend/store/store.h"

struct azure_choices_query {
	struct azure_config config;
	struct str location; /* may be empty */
};

bool azure_choices(void *azure_state, struct store *st, const struct azure_choices_query *query,
    struct arena *a, struct node **ret_node, struct error *err) MUST_CHECK;

#endif
