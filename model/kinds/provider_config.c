#include "model/kinds/provider_config.h"

#include "model/kinds/table.h"

static const char *const no_words[] = { NULL };
const char *const azure_environment_words[] = { "public", "usgovernment", "german", "china", NULL };
static const char *const identity_words[] = { "Token", "ServiceAccount", NULL };
static const char *const aws_sources[] = { "None", "Secret", "IRSA", "WebIdentity", "PodIdentity",
	"Upbound", NULL };
static const char *const gcp_sources[] = { "None", "Secret", "AccessToken",
	"ImpersonateServiceAccount", "InjectedIdentity", "Environment", "Filesystem", "Upbound",
	NULL };
static const char *const azure_sources[] = { "None", "Secret", "UserAssignedManagedIdentity",
	"SystemAssignedManagedIdentity", "OIDCTokenFile", "Upbound", "Filesystem", NULL };
static const char *const other_sources[] = { "None", "Secret", "InjectedIdentity", "Environment",
	"Filesystem", NULL };

/* clang-format off */
#define ROW_OF struct provider_secret_ref
#define NAME_AND_KEY \
	F(name, "name", STRING, .flags = REQUIRED, .doc = "Name of the Secret."), \
	F(key, "key", STRING, .flags = REQUIRED, .doc = "Key in its data.")
static const struct field secret_ref_fields[] = {
	NAME_AND_KEY,
	F(ns, "namespace", STRING, .flags = REQUIRED, .doc = "Namespace of the Secret."),
};
static const struct schema secret_ref_schema =
    SCHEMA("SecretReference", struct provider_secret_ref, secret_ref_fields);

/* Nebius and Vultr: the Secret is in the namespace of the config. */
static const struct field local_ref_fields[] = { NAME_AND_KEY };
static const struct schema local_ref_schema =
    SCHEMA("LocalSecretReference", struct provider_secret_ref, local_ref_fields);
#undef NAME_AND_KEY
#undef ROW_OF

#define ROW_OF struct name_ref
static const struct field env_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, .doc = "Name of what is meant."),
};
#undef ROW_OF
static const struct schema env_schema = SCHEMA("NameReference", struct name_ref, env_fields);

#define ROW_OF struct provider_fs
static const struct field fs_fields[] = {
	F(path, "path", STRING, .flags = REQUIRED, .doc = "Path of the file."),
};
#undef ROW_OF
static const struct schema fs_schema = SCHEMA("FileReference", struct provider_fs, fs_fields);

#define ROW_OF struct upbound_federation
static const struct field federation_fields[] = {
	F(provider_id, "providerID", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Identity provider."),
	F(service_account, "serviceAccount", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Service account to act as."),
};
#undef ROW_OF
static const struct schema federation_schema =
    SCHEMA("Federation", struct upbound_federation, federation_fields);

#define ROW_OF struct provider_upbound
static const struct field upbound_fields[] = {
	F(federation, "federation", OBJECT, .sub = &federation_schema, .doc = "Identity federation."),
};
#undef ROW_OF
static const struct schema upbound_schema = SCHEMA("Upbound", struct provider_upbound, upbound_fields);

#define ROW_OF struct failure_rate_limiter
static const struct field limiter_fields[] = {
	F(base_delay, "baseDelay", STRING, .doc = "First delay, such as 1s."),
	F(max_delay, "maxDelay", STRING, .doc = "Longest delay, such as 60s."),
};
#undef ROW_OF
static const struct schema limiter_schema =
    SCHEMA("FailureRateLimiter", struct failure_rate_limiter, limiter_fields);

#define ROW_OF struct reconciliation_policy
static const struct field policy_fields[] = {
	F(exponential_failure_rate_limiter, "exponentialFailureRateLimiter", OBJECT, .sub = &limiter_schema,
	    .doc = "Delays after failures."),
};
#undef ROW_OF
static const struct schema policy_schema =
    SCHEMA("ReconciliationPolicy", struct reconciliation_policy, policy_fields);

#define ROW_OF struct provider_credentials
#define SOURCE(list) \
	F(source, "source", STRING, .flags = REQUIRED, .words = (list), .doc = "Where the credential is.")
#define SECRET_REF(schema) \
	F(secret_ref, "secretRef", OBJECT, .sub = &(schema), .doc = "The Secret that holds it, for source Secret.")
#define ENV_AND_FS \
	F(env, "env", OBJECT, .sub = &env_schema, .doc = "Environment variable that holds it."), \
	F(fs, "fs", OBJECT, .sub = &fs_schema, .doc = "File that holds it.")
#define CREDENTIALS(cloud, ...) \
	static const struct field cloud##_credentials_fields[] = { __VA_ARGS__ }; \
	static const struct schema cloud##_credentials_schema = \
	    SCHEMA("Credentials", struct provider_credentials, cloud##_credentials_fields)

CREDENTIALS(aws, SOURCE(aws_sources), SECRET_REF(secret_ref_schema), ENV_AND_FS);
CREDENTIALS(gcp, SOURCE(gcp_sources), SECRET_REF(secret_ref_schema), ENV_AND_FS,
	F(impersonate_service_account, "impersonateServiceAccount", OBJECT, .sub = &env_schema,
	    .doc = "Service account to act as."),
	F(upbound, "upbound", OBJECT, .sub = &upbound_schema, .doc = "Identity from Upbound."));
CREDENTIALS(azure, SOURCE(azure_sources), SECRET_REF(secret_ref_schema), ENV_AND_FS);
CREDENTIALS(other, SOURCE(other_sources), SECRET_REF(secret_ref_schema), ENV_AND_FS);
CREDENTIALS(other_local, SOURCE(other_sources), SECRET_REF(local_ref_schema), ENV_AND_FS);
#undef ROW_OF

#define ROW_OF struct nebius_identity
static const struct field identity_fields[] = {
	F(type, "type", STRING, .flags = REQUIRED, .words = identity_words, .doc = "What the credential is: a token, or a key of a service account."),
};
#undef ROW_OF
static const struct schema identity_schema = SCHEMA("Identity", struct nebius_identity, identity_fields);

#define ROW_OF struct provider_config_spec
#define COMMON(schema) \
	F(credentials, "credentials", OBJECT, .flags = REQUIRED, .sub = &(schema), .doc = "Where the credential is."), \
	F(reconciliation_policy, "reconciliationPolicy", OBJECT, .sub = &policy_schema, .doc = "Pace of repeated attempts.")
#define CONFIG_SPEC(cloud, ...) \
	static const struct field cloud##_fields[] = { __VA_ARGS__ }; \
	static const struct schema cloud##_spec_schema = \
	    SCHEMA("ProviderConfigSpec", struct provider_config_spec, cloud##_fields)

CONFIG_SPEC(aws, COMMON(aws_credentials_schema),
	F(assume_role_chain, "assumeRoleChain", ANY, .doc = "Roles to take on; kept, not read."),
	F(endpoint, "endpoint", ANY, .doc = "Other endpoints; kept, not read."));
CONFIG_SPEC(gcp, COMMON(gcp_credentials_schema),
	F(project_id, "projectID", STRING, .flags = REQUIRED, .doc = "Project that resources are made in."));
CONFIG_SPEC(azure, COMMON(azure_credentials_schema),
	F(client_id, "clientID", STRING, .doc = "Client id of the identity."),
	F(tenant_id, "tenantID", STRING, .doc = "Tenant of the identity."),
	F(subscription_id, "subscriptionID", STRING, .doc = "Subscription that resources are made in."),
	F(environment, "environment", STRING, .words = azure_environment_words, .doc = "Which Azure; absent means public."),
	F(msi_endpoint, "msiEndpoint", STRING, .doc = "Endpoint of managed identities."),
	F(oidc_token_file_path, "oidcTokenFilePath", STRING, .doc = "File with a federated token."),
	F(storage_use_azure_ad, "storageUseAzureAD", BOOL, .doc = "Whether storage is reached with the same identity."));
#define NEBIUS_FIELDS \
	F(identity, "identity", OBJECT, .flags = REQUIRED, .sub = &identity_schema, .doc = "What the credential is."), \
	F(project_id, "projectID", STRING, .doc = "Project that resources are made in.")
CONFIG_SPEC(nebius, COMMON(other_credentials_schema), NEBIUS_FIELDS);
CONFIG_SPEC(nebius_local, COMMON(other_local_credentials_schema), NEBIUS_FIELDS);
#define VULTR_FIELDS \
	F(rate_limit, "rateLimit", INT, AT_LEAST(1), .doc = "Milliseconds between calls."), \
	F(retry_limit, "retryLimit", INT, AT_LEAST(0), .doc = "Attempts after a failure.")
CONFIG_SPEC(vultr, COMMON(other_credentials_schema), VULTR_FIELDS);
CONFIG_SPEC(vultr_local, COMMON(other_local_credentials_schema), VULTR_FIELDS);
#undef ROW_OF

#define ROW_OF struct provider_config_status
static const struct field status_fields[] = {
	CONDITIONS_FIELD,
	F(users, "users", INT, .format = "int64", .doc = "How many objects use the config."),
};
#undef ROW_OF
static const struct schema status_schema =
    SCHEMA("ProviderConfigStatus", struct provider_config_status, status_fields);

#define ROW_OF struct provider_config
#define CONFIG_OBJECT(cloud) \
	static const struct field cloud##_object_fields[] = { \
		OBJECT_FIELDS, \
		F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &cloud##_spec_schema, .doc = "What is wanted."), \
		F(status, "status", OBJECT, .sub = &status_schema, .doc = "What was observed."), \
	}; \
	static const struct schema cloud##_schema = \
	    SCHEMA("ProviderConfig", struct provider_config, cloud##_object_fields)
CONFIG_OBJECT(aws);
CONFIG_OBJECT(gcp);
CONFIG_OBJECT(azure);
CONFIG_OBJECT(nebius);
CONFIG_OBJECT(nebius_local);
CONFIG_OBJECT(vultr);
CONFIG_OBJECT(vultr_local);
#undef ROW_OF

static const struct column_def columns[] = {
	{ "AGE", ".metadata.creationTimestamp", "date" },
	{ "SECRET-NAME", ".spec.credentials.secretRef.name", "string" },
};

#define CONFIG_KIND(cloud_group, name, names, one, extra, cloud_schema, text) \
	{ .group = cloud_group ".m.upbound.io", .version = "v1beta1", .kind = (name), .plural = (names), \
	  .singular = (one), .shorts = no_words, .categories = no_words, \
	  .flags = KIND_RECONCILED | KIND_STATUS | (extra), .schema = &(cloud_schema), \
	  .columns = columns, .ncolumns = ARRAY_LEN(columns), .doc = (text) }
#define LOCAL_KIND(cloud_group, cloud_schema, cloud) \
	CONFIG_KIND(cloud_group, "ProviderConfig", "providerconfigs", "providerconfig", KIND_NAMESPACED, \
	    cloud_schema, "Credential of " cloud " for one namespace.")
#define CLUSTER_KIND(cloud_group, cloud_schema, cloud) \
	CONFIG_KIND(cloud_group, "ClusterProviderConfig", "clusterproviderconfigs", "clusterproviderconfig", \
	    0, cloud_schema, "Credential of " cloud " for all namespaces.")

const struct kind provider_config_kinds[PROVIDER__MAX] = {
	[PROVIDER_AWS]	  = LOCAL_KIND("aws", aws_schema, "AWS"),
	[PROVIDER_GCP]	  = LOCAL_KIND("gcp", gcp_schema, "GCP"),
	[PROVIDER_AZURE]  = LOCAL_KIND("azure", azure_schema, "Azure"),
	[PROVIDER_NEBIUS] = LOCAL_KIND("nebius", nebius_local_schema, "Nebius"),
	[PROVIDER_VULTR]  = LOCAL_KIND("vultr", vultr_local_schema, "Vultr"),
};

const struct kind cluster_provider_config_kinds[PROVIDER__MAX] = {
	[PROVIDER_AWS]	  = CLUSTER_KIND("aws", aws_schema, "AWS"),
	[PROVIDER_GCP]	  = CLUSTER_KIND("gcp", gcp_schema, "GCP"),
	[PROVIDER_AZURE]  = CLUSTER_KIND("azure", azure_schema, "Azure"),
	[PROVIDER_NEBIUS] = CLUSTER_KIND("nebius", nebius_schema, "Nebius"),
	[PROVIDER_VULTR]  = CLUSTER_KIND("vultr", vultr_schema, "Vultr"),
};
/* clang-format on */
