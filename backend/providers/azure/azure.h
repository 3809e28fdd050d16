#ifndef BACKEND_PROVIDERS_AZURE_AZURE_H
#define BACKEND_PROVIDERS_AZURE_AZURE_H

/*
 * The provider "azure" of the compose engine: Azure Resource Manager over plain HTTPS, as far as an
 * AKS cluster needs it (facts/azure.md). Rows: resource-group, virtual-network (its subnet inline),
 * managed-cluster (its system pool inline), role-assignment, agent-pool, admin-kubeconfig.
 *
 * Shared by all sessions: one token a credential, three list calls an account (clusters, groups,
 * networks) that answer all steady observations, and one throttle an account that learns from 429.
 *
 * Ownership: azure_provider_new fills a provider whose state is freed by compose_free (or by its
 * own free). Threads: sessions belong to one worker; the state is locked inside, never over I/O.
 * Failure: errors are the cloud's, by the table in errors.c: reason, message, advice, retry.
 * Limits: answers 64 MiB, operation URLs 8 KiB, 64 accounts.
 */

#include "backend/compose/compose.h"

struct azure_options {
	const char *authority; /* NULL: by the config's environment */
	const char *arm;       /* NULL: likewise */
	const char *ca_file;   /* trust only these; NULL for the system's */
	bool allow_loopback;   /* practice */
	struct clock *clock;
	const char *installation; /* goes into the tags that mark what is ours */
};

bool azure_provider_new(const struct azure_options *opt, struct provider *ret_provider,
    struct error *err) MUST_CHECK;

/* Names a credential config. All borrowed. */
struct azure_config {
	struct str kind; /* "ProviderConfig" or "ClusterProviderConfig" */
	struct str ns;	 /* of a ProviderConfig, else empty */
	struct str name;
};

/* Is the credential good? One token and one read of the subscription. */
bool azure_check(void *azure_state, struct store *st, const struct azure_config *config,
    struct error *err) MUST_CHECK;

/* Requests sent since the start, for budgets: all, and those that act (PUT, POST, DELETE). */
struct azure_counts {
	unsigned long all, acting, tokens;
};
void azure_counts_get(void *azure_state, struct azure_counts *ret);

#endif
