#include "model/kinds/serving.h"

#include "model/kinds/table.h"

static const char *const service_shorts[] = { "ms", NULL };
static const char *const endpoint_shorts[] = { "me", NULL };
static const char *const gateway_shorts[] = { "ig", NULL };
static const char *const backend_words[] = { "Traefik", NULL };
static const char *const balancer_words[] = { "MetalLB", NULL };

static const struct rule gateway_rules[] = {
	{ "InferenceGateway-1", "self.backend != 'Traefik' || has(self.traefik)",
	    "backend Traefik has no traefik block", "add the traefik block beside backend" },
};

static const struct rule traefik_rules[] = {
	{ "InferenceGateway-2",
	    "!has(self.loadBalancer) || self.loadBalancer != 'MetalLB' || has(self.metallb)",
	    "load balancer MetalLB has no metallb block", "add 'metallb: {addressPool: ...}'" },
};

/* clang-format off */
#define ROW_OF struct match_labels
static const struct field selector_fields[] = {
	F(match_labels, "matchLabels", MAP, .flags = REQUIRED, .doc = "Labels that must all be equal, in any namespace."),
};
#undef ROW_OF
static const struct schema selector_schema =
    SCHEMA("EndpointSelector", struct match_labels, selector_fields);

#define ROW_OF struct endpoint_group
static const struct field group_fields[] = {
	F(weight, "weight", INT, RANGE(1, 1000000), .def = "1", .doc = "Share of the traffic, against the other groups."),
	F(selector, "selector", OBJECT, .flags = REQUIRED, .sub = &selector_schema, .doc = "Which endpoints are in the group."),
};
#undef ROW_OF
static const struct schema group_schema = SCHEMA("EndpointGroup", struct endpoint_group, group_fields);

#define ROW_OF struct model_service_spec
static const struct field service_spec_fields[] = {
	F(endpoints, "endpoints", LIST, .flags = REQUIRED, AT_LEAST(1), .sub = &group_schema, .doc = "Groups of endpoints."),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema service_spec_schema =
    SCHEMA("ModelServiceSpec", struct model_service_spec, service_spec_fields);

#define ROW_OF struct address_status
static const struct field address_status_fields[] = {
	CONDITIONS_FIELD,
	F(address, "address", STRING, .doc = "Address for the outside."),
};
#undef ROW_OF
static const struct schema address_status_schema =
    SCHEMA("AddressStatus", struct address_status, address_status_fields);

#define ROW_OF struct model_service
static const struct field service_fields[] = {
	OBJECT_FIELDS,
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &service_spec_schema, .doc = "What is wanted."),
	F(status, "status", OBJECT, .sub = &address_status_schema, .doc = "What was observed."),
};
#undef ROW_OF
static const struct schema service_schema = SCHEMA("ModelService", struct model_service, service_fields);

#define ROW_OF struct model_endpoint_spec
static const struct field endpoint_spec_fields[] = {
	F(url, "url", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Where the endpoint listens."),
	F(rewrite_path, "rewritePath", STRING, .doc = "Path in place of the service's own prefix."),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema endpoint_spec_schema =
    SCHEMA("ModelEndpointSpec", struct model_endpoint_spec, endpoint_spec_fields);

#define ROW_OF struct endpoint_routing
static const struct field routing_fields[] = {
	F(backend_name, "backendName", STRING, .doc = "Service that stands for the endpoint."),
};
#undef ROW_OF
static const struct schema routing_schema = SCHEMA("Routing", struct endpoint_routing, routing_fields);

#define ROW_OF struct model_endpoint_status
static const struct field endpoint_status_fields[] = {
	CONDITIONS_FIELD,
	F(routing, "routing", OBJECT, .sub = &routing_schema, .doc = "How it is reached."),
};
#undef ROW_OF
static const struct schema endpoint_status_schema =
    SCHEMA("ModelEndpointStatus", struct model_endpoint_status, endpoint_status_fields);

#define ROW_OF struct model_endpoint
static const struct field endpoint_fields[] = {
	OBJECT_FIELDS,
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &endpoint_spec_schema, .doc = "What is wanted."),
	F(status, "status", OBJECT, .sub = &endpoint_status_schema, .doc = "What was observed."),
};
#undef ROW_OF
static const struct schema endpoint_schema =
    SCHEMA("ModelEndpoint", struct model_endpoint, endpoint_fields);

#define ROW_OF struct gateway_metallb
static const struct field metallb_fields[] = {
	F(address_pool, "addressPool", STRING, .flags = REQUIRED, .doc = "Addresses to hand out, first-last."),
};
#undef ROW_OF
static const struct schema metallb_schema = SCHEMA("MetalLB", struct gateway_metallb, metallb_fields);

#define ROW_OF struct gateway_traefik
static const struct field traefik_fields[] = {
	F(version, "version", STRING, .flags = REQUIRED, .doc = "Version of the Traefik chart."),
	F(load_balancer, "loadBalancer", STRING, .words = balancer_words,
	    .doc = "MetalLB where no cloud gives load balancers; else absent."),
	F(metallb, "metallb", OBJECT, .sub = &metallb_schema, .doc = "Settings of MetalLB."),
};
#undef ROW_OF
static const struct schema traefik_schema = SCHEMA("Traefik", struct gateway_traefik, traefik_fields);

#define ROW_OF struct inference_gateway_spec
static const struct field gateway_spec_fields[] = {
	F(backend, "backend", STRING, .flags = REQUIRED, .words = backend_words, .doc = "What the gateway is made of."),
	F(traefik, "traefik", OBJECT, .sub = &traefik_schema, RULES(traefik_rules), .doc = "Settings of Traefik."),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema gateway_spec_schema =
    SCHEMA("InferenceGatewaySpec", struct inference_gateway_spec, gateway_spec_fields);

#define ROW_OF struct inference_gateway
static const struct field gateway_fields[] = {
	OBJECT_FIELDS,
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &gateway_spec_schema, RULES(gateway_rules), .doc = "What is wanted."),
	F(status, "status", OBJECT, .sub = &address_status_schema, .doc = "What was observed."),
};
#undef ROW_OF
static const struct schema gateway_schema =
    SCHEMA("InferenceGateway", struct inference_gateway, gateway_fields);

static const struct column_def service_columns[] = {
	{ "ADDRESS", ".status.address", "string" },
	FRAMEWORK_COLUMNS,
};

static const struct column_def endpoint_columns[] = {
	{ "URL", ".spec.url", "string" },
	FRAMEWORK_COLUMNS,
};

static const struct column_def gateway_columns[] = {
	{ "GATEWAY", ".spec.backend", "string" },
	{ "ADDRESS", ".status.address", "string" },
	FRAMEWORK_COLUMNS,
};
/* clang-format on */

const struct kind model_service_kind = {
	.group = GROUP_USER,
	.version = "v1alpha1",
	.kind = "ModelService",
	.plural = "modelservices",
	.singular = "modelservice",
	.shorts = service_shorts,
	.categories = modelplane_categories,
	.flags = KIND_NAMESPACED | KIND_STATUS,
	.schema = &service_schema,
	.columns = service_columns,
	.ncolumns = ARRAY_LEN(service_columns),
	.doc = "A stable address in front of endpoints.",
};

const struct kind model_endpoint_kind = {
	.group = GROUP_USER,
	.version = "v1alpha1",
	.kind = "ModelEndpoint",
	.plural = "modelendpoints",
	.singular = "modelendpoint",
	.shorts = endpoint_shorts,
	.categories = modelplane_categories,
	.flags = KIND_NAMESPACED | KIND_STATUS,
	.schema = &endpoint_schema,
	.columns = endpoint_columns,
	.ncolumns = ARRAY_LEN(endpoint_columns),
	.doc = "One address that serves a model.",
};

const struct kind inference_gateway_kind = {
	.group = GROUP_USER,
	.version = "v1alpha1",
	.kind = "InferenceGateway",
	.plural = "inferencegateways",
	.singular = "inferencegateway",
	.shorts = gateway_shorts,
	.categories = modelplane_categories,
	.flags = KIND_STATUS,
	.schema = &gateway_schema,
	.columns = gateway_columns,
	.ncolumns = ARRAY_LEN(gateway_columns),
	.doc = "The control plane's front door.",
};
