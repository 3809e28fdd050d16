#include "model/kinds/serving_stack.h"

#include "model/kinds/table.h"

static const char *const shorts[] = { "ss", NULL };
static const char *const protocol_words[] = { "HTTP", "TCP", NULL };
static const char *const secret_types[] = { "Kubeconfig", "GoogleApplicationCredentials",
	"AWSWebIdentityCredentials", "NebiusServiceAccountCredentials", NULL };

static const struct rule spec_rules[] = {
	{ "ServingStack-1", "self.secrets.exists(s, s.type == 'Kubeconfig')",
	    "no Secret of type Kubeconfig is listed",
	    "add an entry of type Kubeconfig to spec.secrets" },
};

/* clang-format off */
#define ROW_OF struct secret_entry
static const struct field secret_fields[] = {
	F(type, "type", STRING, .flags = REQUIRED, .words = secret_types,
	    .doc = "Kubeconfig, or the sort of identity to use with it."),
	F(name, "name", STRING, .flags = REQUIRED, AT_MOST(253), .doc = "Name of the Secret."),
	F(key, "key", STRING, .flags = REQUIRED, AT_MOST(253), .doc = "Key in its data."),
	F(ns, "namespace", STRING, AT_MOST(253), .doc = "Its namespace, when it is another one."),
};
#undef ROW_OF
static const struct schema secret_schema_ = SCHEMA("StackSecret", struct secret_entry, secret_fields);

#define VERSION_OF(member, key, value, text) \
	F(member, key, STRING, RANGE(1, 32), .def = (value), .doc = (text))

#define ROW_OF struct stack_versions
static const struct field versions_fields[] = {
	VERSION_OF(gateway_api, "gatewayApi", "\"v1.5.1\"", "Definitions of the Gateway API."),
	VERSION_OF(cert_manager, "certManager", "\"v1.17.1\"", "Chart of cert-manager."),
	VERSION_OF(envoy_gateway, "envoyGateway", "\"v1.8.1\"", "Chart of Envoy Gateway, v1.8 or newer."),
	VERSION_OF(prometheus, "prometheus", "\"72.6.2\"", "Chart of kube-prometheus-stack."),
	VERSION_OF(node_feature_discovery, "nodeFeatureDiscovery", "\"0.18.3\"", "Chart of node feature discovery."),
	VERSION_OF(nvidia_dra_driver, "nvidiaDraDriver", "\"0.4.0\"", "Chart of NVIDIA's DRA driver."),
};
#undef ROW_OF
static const struct schema versions_schema =
    SCHEMA("StackVersions", struct stack_versions, versions_fields);

#define ROW_OF struct stack_standard
static const struct field standard_fields[] = {
	VERSION_OF(leader_worker_set, "leaderWorkerSet", "\"v0.8.0\"", "Chart of LeaderWorkerSet."),
};
#undef ROW_OF
static const struct schema standard_schema =
    SCHEMA("StandardVersions", struct stack_standard, standard_fields);

#define ROW_OF struct stack_dynamo
static const struct field dynamo_fields[] = {
	VERSION_OF(grove, "grove", "\"v0.1.0-alpha.12-rc2\"", "Chart of Grove, this version or newer."),
	VERSION_OF(kai_scheduler, "kaiScheduler", "\"v0.16.8\"", "Chart of the KAI scheduler."),
	VERSION_OF(model_express, "modelExpress", "\"0.4.1\"", "Image tag of the ModelExpress server."),
};
#undef ROW_OF
static const struct schema dynamo_schema = SCHEMA("DynamoVersions", struct stack_dynamo, dynamo_fields);

#define ROW_OF struct stack_listener
static const struct field listener_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, RANGE(1, 63), .doc = "Name of the listener."),
	F(port, "port", INT, .flags = REQUIRED, RANGE(1, 65535), .doc = "Its port."),
	F(protocol, "protocol", STRING, .flags = REQUIRED, .words = protocol_words, .doc = "What it speaks."),
};
#undef ROW_OF
static const struct schema listener_schema = SCHEMA("Listener", struct stack_listener, listener_fields);

#define ROW_OF struct stack_gateway
static const struct field gateway_fields[] = {
	F(class_name, "className", STRING, RANGE(1, 63), .def = "\"envoy\"",
	    .doc = "GatewayClass to make; choose another where envoy is in use."),
	F(listeners, "listeners", LIST, AT_MOST(8), .keys = name_keys, .sub = &listener_schema,
	    .doc = "Listeners; none means one for HTTP on port 80."),
};
#undef ROW_OF
static const struct schema gateway_schema = SCHEMA("StackGateway", struct stack_gateway, gateway_fields);

#define ROW_OF struct serving_stack_spec
static const struct field spec_fields[] = {
	F(secrets, "secrets", LIST, .flags = REQUIRED, RANGE(1, 8), .sub = &secret_schema_,
	    .doc = "How to reach the cluster: a kubeconfig, perhaps an identity."),
	F(stack, "stack", ENUM, .words = stack_words, .def = "\"Standard\"", .doc = "Serving layer, as the cluster has it."),
	F(nvidia_driver_root, "nvidiaDriverRoot", STRING, AT_MOST(512), .def = "\"/\"",
	    .doc = "Where nodes keep the NVIDIA driver."),
	F(versions, "versions", OBJECT, .sub = &versions_schema, .doc = "Versions to install."),
	F(standard, "standard", OBJECT, .sub = &standard_schema, .doc = "Versions for the Standard layer."),
	F(dynamo, "dynamo", OBJECT, .sub = &dynamo_schema, .doc = "Versions for the Dynamo layer."),
	F(gateway, "gateway", OBJECT, .sub = &gateway_schema, .doc = "Settings of the inference gateway."),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema spec_schema =
    SCHEMA("ServingStackSpec", struct serving_stack_spec, spec_fields);

#define ROW_OF struct stack_gateway_status
static const struct field gateway_status_fields[] = {
	F(address, "address", STRING, AT_MOST(256), .doc = "External address."),
};
#undef ROW_OF
static const struct schema gateway_status_schema =
    SCHEMA("StackGatewayStatus", struct stack_gateway_status, gateway_status_fields);

#define ROW_OF struct serving_stack_status
static const struct field status_fields[] = {
	CONDITIONS_FIELD,
	F(gateway, "gateway", OBJECT, .sub = &gateway_status_schema, .doc = "The inference gateway."),
};
#undef ROW_OF
static const struct schema status_schema =
    SCHEMA("ServingStackStatus", struct serving_stack_status, status_fields);

#define ROW_OF struct serving_stack
static const struct field object_fields[] = {
	OBJECT_FIELDS,
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &spec_schema, RULES(spec_rules), .doc = "What is wanted."),
	F(status, "status", OBJECT, .sub = &status_schema, .doc = "What was observed."),
};
#undef ROW_OF
const struct schema serving_stack_schema = SCHEMA("ServingStack", struct serving_stack, object_fields);

static const struct column_def columns[] = {
	{ "GATEWAY", ".status.gateway.address", "string" },
	FRAMEWORK_COLUMNS,
};
/* clang-format on */

const struct kind serving_stack_kind = {
	.group = GROUP_INTERNAL,
	.version = "v1alpha1",
	.kind = "ServingStack",
	.plural = "servingstacks",
	.singular = "servingstack",
	.shorts = shorts,
	.categories = modelplane_categories,
	.flags = KIND_NAMESPACED | KIND_RECONCILED | KIND_STATUS,
	.schema = &serving_stack_schema,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.doc = "What is installed on a cluster so that it can serve.",
};
