#ifndef MODEL_KINDS_PROVIDER_CONFIG_H
#define MODEL_KINDS_PROVIDER_CONFIG_H

/*
 * ProviderConfig (namespaced) and ClusterProviderConfig of five clouds: where a credential is and
 * the few facts an account needs (spec/resources.md 18). One struct fits all ten kinds; members
 * that a cloud does not have stay absent.
 *
 * Ownership: borrows from the arena of schema_decode. Threads: pure.
 */

#include "model/kinds/meta.h"

struct provider_secret_ref {
	bool present;
	struct str name, key, ns; /* ns absent: the config's own namespace (Nebius, Vultr) */
};

struct provider_credentials {
	bool present;
	struct str source; /* "Secret", "None", "UserAssignedManagedIdentity" ... */
	struct provider_secret_ref secret_ref;
	struct name_ref env;
	struct provider_fs {
		bool present;
		struct str path;
	} fs;
	struct name_ref impersonate_service_account; /* GCP */
	struct provider_upbound {
		bool present;
		struct upbound_federation {
			bool present;
			struct str provider_id, service_account;
		} federation;
	} upbound; /* GCP */
};

struct provider_config_spec {
	bool present;
	struct provider_credentials credentials;
	struct reconciliation_policy {
		bool present;
		struct failure_rate_limiter {
			bool present;
			struct str base_delay, max_delay;
		} exponential_failure_rate_limiter;
	} reconciliation_policy;
	struct str project_id;					    /* GCP, Nebius */
	struct str client_id, tenant_id, subscription_id;	    /* Azure */
	struct str environment, msi_endpoint, oidc_token_file_path; /* Azure */
	struct opt_bool storage_use_azure_ad;			    /* Azure */
	struct nebius_identity {
		bool present;
		struct str type;
	} identity;					 /* Nebius: "Token" or "ServiceAccount" */
	struct opt_int rate_limit, retry_limit;		 /* Vultr */
	const struct node *assume_role_chain, *endpoint; /* AWS, kept as they are */
};

struct provider_config_status {
	bool present;
	struct list conditions; /* struct condition */
	struct opt_int users;
};

struct provider_config {
	struct str api_version, kind;
	struct meta meta;
	struct provider_config_spec spec;
	struct provider_config_status status;
};

enum provider_cloud {
	PROVIDER_AWS,
	PROVIDER_GCP,
	PROVIDER_AZURE,
	PROVIDER_NEBIUS,
	PROVIDER_VULTR,
	PROVIDER__MAX,
};

extern const struct kind provider_config_kinds[PROVIDER__MAX];
extern const struct kind cluster_provider_config_kinds[PROVIDER__MAX];
extern const char *const azure_environment_words[];

#endif
