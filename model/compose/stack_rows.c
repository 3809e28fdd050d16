#include "model/base/mem.h"
#include "model/compose/stack_int.h"

#define PIN(member) .pin = offsetof(struct serving_stack, spec.member)

#define OCI_ENVOY "oci://docker.io/envoyproxy"

/* 10.2: the driver root is a value only where it is not the default of the chart. */
static void
adjust_driver_root(struct arena *a, const struct serving_stack *s, struct node *want)
{
	struct str root = s->spec.nvidia_driver_root;

	if (root.n > 0 && !str_is(root, "/"))
		node_set(a, node_find(want, "values"), "nvidiaDriverRoot", node_str(a, root));
}

static void
adjust_class(struct arena *a, const struct serving_stack *s, struct node *want)
{
	node_set(a, node_path(want, "manifest.metadata"), "name",
	    node_str(a, s->spec.gateway.class_name));
}

static struct node *
listener(struct arena *a, struct str name, struct str protocol, int64_t port)
{
	struct node *map = node_map(a);

	node_set(a, map, "name", node_str(a, name));
	node_set(a, map, "protocol", node_str(a, protocol));
	node_set_int(a, map, "port", port);
	node_set_strz(a, node_make_path(a, map, "allowedRoutes.namespaces"), "from", "All");
	return map;
}

static void
adjust_gateway(struct arena *a, const struct serving_stack *s, struct node *want)
{
	const struct stack_listener *l = s->spec.gateway.listeners.items;
	size_t n = s->spec.gateway.listeners.n;
	struct node *spec = node_path(want, "manifest.spec");
	struct node *list = node_list(a);

	for (size_t i = 0; i < n; i++)
		node_push(list, listener(a, l[i].name, l[i].protocol, l[i].port.value));
	if (n == 0)
		node_push(list, listener(a, STR("http"), STR("HTTP"), 80));
	node_set(a, spec, "gatewayClassName", node_str(a, s->spec.gateway.class_name));
	node_set(a, spec, "listeners", list);
}

static void
adjust_server_image(struct arena *a, const struct serving_stack *s, struct node *want)
{
	struct node *container = node_path(want, "manifest.spec.template.spec.containers[0]");
	char *image = arena_printf(a, "nvcr.io/nvidia/ai-dynamo/modelexpress-server:" STR_FMT,
	    STR_ARG(s->spec.dynamo.model_express));

	node_set_strz(a, container, "image", image);
}

/* Our own open definition: names as the project has them, any field kept. */
#define OPEN_VERSION(version)                                                                      \
	"[{\"name\":\"" version "\",\"served\":true,\"storage\":true,"                             \
	"\"subresources\":{\"status\":{}},\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\","   \
	"\"x-kubernetes-preserve-unknown-fields\":true}}}]"
#define CRD(group, version, kind, plural, singular, shorts)                                        \
	"{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","       \
	"\"metadata\":{\"name\":\"" plural "." group "\"},\"spec\":{\"group\":\"" group "\","      \
	"\"scope\":\"Namespaced\",\"names\":{\"kind\":\"" kind "\",\"listKind\":\"" kind           \
	"List\",\"plural\":\"" plural "\",\"singular\":\"" singular "\"" shorts                    \
	"},\"versions\":" OPEN_VERSION(version) "}}"

#define QUEUE_RESOURCE "{\"quota\":-1,\"limit\":-1,\"overQuotaWeight\":1}"
#define QUEUE_RESOURCES                                                                            \
	"\"resources\":{\"cpu\":" QUEUE_RESOURCE ",\"gpu\":" QUEUE_RESOURCE                        \
	",\"memory\":" QUEUE_RESOURCE "}"

#define ALL_VERBS "\"verbs\":[\"get\",\"list\",\"create\",\"update\",\"patch\",\"delete\"]"
#define MX_META	  "\"metadata\":{\"name\":\"modelexpress-server\",\"namespace\":\"default\"}"
#define MX_LABEL  "{\"modelplane.ai/modelexpress\":\"modelexpress-server\"}"

#define AVAILABLE                                                                                  \
	"has(object.status.conditions) && object.status.conditions.exists(c, "                     \
	"c.type == \"Available\" && c.status == \"True\")"
#define HAS_ADDRESS "has(object.status.addresses) && object.status.addresses.size() > 0"

/* clang-format off */
static const struct stack_row rows[] = {
{
	.key = "cert-manager", .what = "certificates for webhooks", .step = "serving stack",
	.chart = "cert-manager", .repository = "https://charts.jetstack.io", .ns = "cert-manager",
	PIN(versions.cert_manager),
	.json = "{\"crds\":{\"enabled\":true,\"keep\":false}}",
}, {
	.key = "envoy-gateway", .what = "Envoy Gateway", .step = "serving stack",
	.chart = "gateway-helm", .repository = OCI_ENVOY, .ns = "envoy-gateway-system",
	PIN(versions.envoy_gateway), .label = "envoy-gateway",
	.json = "{\"config\":{\"envoyGateway\":{\"extensionApis\":{\"enableBackend\":true},"
	    "\"extensionManager\":{\"backendResources\":[{\"group\":\"inference.networking.k8s.io\","
	    "\"kind\":\"InferencePool\",\"version\":\"v1\"}],\"hooks\":{\"xdsTranslator\":{"
	    "\"translation\":{\"listener\":{\"includeAll\":true},\"route\":{\"includeAll\":true},"
	    "\"cluster\":{\"includeAll\":true},\"secret\":{\"includeAll\":true}},"
	    "\"post\":[\"Translation\",\"Cluster\",\"Route\"]}},\"service\":{\"fqdn\":{\"hostname\":"
	    "\"ai-gateway-controller.envoy-ai-gateway-system.svc.cluster.local\",\"port\":1063}}}}}}",
}, {
	.key = "ai-gateway-crds", .what = "definitions of the AI gateway", .step = "serving stack",
	.chart = "ai-gateway-crds-helm", .repository = OCI_ENVOY, .ns = "envoy-ai-gateway-system",
	.version = "v0.7.0",
}, {
	.key = "ai-gateway", .what = "Envoy AI Gateway", .step = "serving stack",
	.chart = "ai-gateway-helm", .repository = OCI_ENVOY, .ns = "envoy-ai-gateway-system",
	.version = "v0.7.0", .after = { "ai-gateway-crds" }, .flags = PLAN_GUARDED,
}, {
	.key = "prometheus", .what = "Prometheus", .step = "serving stack",
	.chart = "kube-prometheus-stack",
	.repository = "https://prometheus-community.github.io/helm-charts", .ns = "monitoring",
	PIN(versions.prometheus),
	.json = "{\"fullnameOverride\":\"prometheus\",\"grafana\":{\"enabled\":false},"
	    "\"alertmanager\":{\"enabled\":false},\"prometheus\":{\"prometheusSpec\":{"
	    "\"podMonitorSelectorNilUsesHelmValues\":false,\"podMonitorNamespaceSelector\":{},"
	    "\"additionalScrapeConfigs\":[{\"job_name\":\"envoy-gateway-proxy\","
	    "\"kubernetes_sd_configs\":[{\"role\":\"pod\",\"namespaces\":{\"names\":"
	    "[\"envoy-gateway-system\"]}}],\"metrics_path\":\"/stats/prometheus\","
	    "\"relabel_configs\":[{\"source_labels\":"
	    "[\"__meta_kubernetes_pod_label_app_kubernetes_io_component\"],\"action\":\"keep\","
	    "\"regex\":\"proxy\"},{\"source_labels\":[\"__address__\"],\"action\":\"replace\","
	    "\"regex\":\"([^:]+)(?::\\\\d+)?\",\"replacement\":\"$1:19001\","
	    "\"target_label\":\"__address__\"}]}]}}}",
}, {
	.key = "node-feature-discovery", .what = "node feature discovery", .step = "serving stack",
	.chart = "node-feature-discovery", .repository = "oci://registry.k8s.io/nfd/charts",
	.ns = "node-feature-discovery", PIN(versions.node_feature_discovery),
	.json = "{\"worker\":{\"tolerations\":[{\"key\":\"nvidia.com/gpu\",\"operator\":\"Exists\","
	    "\"effect\":\"NoSchedule\"}]}}",
}, {
	.key = "dra-driver", .what = "NVIDIA DRA driver", .step = "serving stack",
	.chart = "dra-driver-nvidia-gpu", .repository = "oci://registry.k8s.io/dra-driver-nvidia/charts",
	.ns = "dra-driver-nvidia-gpu", PIN(versions.nvidia_dra_driver), .adjust = adjust_driver_root,
	.json = "{\"gpuResourcesEnabledOverride\":true,\"resources\":{\"computeDomains\":"
	    "{\"enabled\":false}}}",
}, {
	.key = "gaie-crd-inferenceobjectives.inference.networking.x-k8s.io",
	.what = "definition of InferenceObjective", .step = "serving stack",
	.json = CRD("inference.networking.x-k8s.io", "v1alpha2", "InferenceObjective",
	    "inferenceobjectives", "inferenceobjective", ""),
}, {
	.key = "gaie-crd-inferencepools.inference.networking.k8s.io",
	.what = "definition of InferencePool", .step = "serving stack",
	.json = CRD("inference.networking.k8s.io", "v1", "InferencePool", "inferencepools",
	    "inferencepool", ",\"shortNames\":[\"infpool\"]"),
}, {
	.key = "gaie-crd-inferencepools.inference.networking.x-k8s.io",
	.what = "definition of InferencePool, older group", .step = "serving stack",
	.json = CRD("inference.networking.x-k8s.io", "v1alpha2", "InferencePool", "inferencepools",
	    "inferencepool", ",\"shortNames\":[\"xinfpool\"]"),
}, {
	.key = "dra-driver-critical-pods-quota", .what = "quota for the driver's critical pods",
	.step = "serving stack", .after = { "dra-driver" },
	.json = "{\"apiVersion\":\"v1\",\"kind\":\"ResourceQuota\",\"metadata\":{\"name\":"
	    "\"allow-critical-pods\",\"namespace\":\"dra-driver-nvidia-gpu\"},\"spec\":{\"hard\":"
	    "{\"pods\":\"1000\"},\"scopeSelector\":{\"matchExpressions\":[{\"scopeName\":"
	    "\"PriorityClass\",\"operator\":\"In\",\"values\":[\"system-node-critical\","
	    "\"system-cluster-critical\"]}]}}}",
}, {
	.key = "leader-worker-set", .only = STACK_STANDARD_ONLY, .what = "LeaderWorkerSet",
	.step = "serving stack",
	.chart = "lws", .repository = "oci://registry.k8s.io/lws/charts", .ns = "lws-system",
	PIN(standard.leader_worker_set),
}, {
	.key = "grove", .only = STACK_DYNAMO_ONLY, .what = "Grove", .step = "serving stack",
	.chart = "grove-charts", .repository = "oci://ghcr.io/ai-dynamo/grove", .ns = "grove-system",
	PIN(dynamo.grove),
}, {
	.key = "kai-scheduler", .only = STACK_DYNAMO_ONLY, .what = "KAI scheduler",
	.step = "serving stack", .label = "kai-scheduler",
	.chart = "kai-scheduler", .repository = "oci://ghcr.io/kai-scheduler/kai-scheduler",
	.ns = "kai-scheduler", PIN(dynamo.kai_scheduler),
}, {
	.key = "kai-queue-root", .only = STACK_DYNAMO_ONLY, .what = "KAI root queue",
	.step = "serving stack", .label = "kai-queue-root", .after = { "kai-scheduler" },
	.flags = PLAN_GUARDED,
	.json = "{\"apiVersion\":\"scheduling.run.ai/v2\",\"kind\":\"Queue\",\"metadata\":{\"name\":"
	    "\"modelplane-root\"},\"spec\":{" QUEUE_RESOURCES "}}",
}, {
	.key = "kai-queue", .only = STACK_DYNAMO_ONLY, .what = "KAI queue", .step = "serving stack",
	.label = "kai-queue", .after = { "kai-scheduler", "kai-queue-root" }, .flags = PLAN_GUARDED,
	.json = "{\"apiVersion\":\"scheduling.run.ai/v2\",\"kind\":\"Queue\",\"metadata\":{\"name\":"
	    "\"modelplane\"},\"spec\":{\"parentQueue\":\"modelplane-root\"," QUEUE_RESOURCES "}}",
}, {
	.key = "modelexpress-crd-modelcacheentries.modelexpress.nvidia.com",
	.only = STACK_DYNAMO_ONLY, .what = "definition of ModelCacheEntry", .step = "serving stack",
	.json = CRD("modelexpress.nvidia.com", "v1alpha1", "ModelCacheEntry", "modelcacheentries",
	    "modelcacheentry", ",\"shortNames\":[\"mxcache\"]"),
}, {
	.key = "modelexpress-crd-modelmetadatas.modelexpress.nvidia.com",
	.only = STACK_DYNAMO_ONLY, .what = "definition of ModelMetadata", .step = "serving stack",
	.json = CRD("modelexpress.nvidia.com", "v1alpha1", "ModelMetadata", "modelmetadatas",
	    "modelmetadata", ",\"shortNames\":[\"mxmeta\",\"mm\"]"),
}, {
	.key = "modelexpress-server-sa", .only = STACK_DYNAMO_ONLY,
	.what = "account of the ModelExpress server", .step = "serving stack",
	.json = "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\"," MX_META "}",
}, {
	.key = "modelexpress-server-role", .only = STACK_DYNAMO_ONLY,
	.what = "role of the ModelExpress server", .step = "serving stack",
	.json = "{\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"kind\":\"Role\"," MX_META
	    ",\"rules\":[{\"apiGroups\":[\"modelexpress.nvidia.com\"],\"resources\":"
	    "[\"modelmetadatas\",\"modelmetadatas/status\"]," ALL_VERBS "},{\"apiGroups\":[\"\"],"
	    "\"resources\":[\"configmaps\"]," ALL_VERBS "},{\"apiGroups\":"
	    "[\"modelexpress.nvidia.com\"],\"resources\":[\"modelcacheentries\","
	    "\"modelcacheentries/status\"]," ALL_VERBS "}]}",
}, {
	.key = "modelexpress-server-rolebinding", .only = STACK_DYNAMO_ONLY,
	.what = "role binding of the ModelExpress server", .step = "serving stack",
	.json = "{\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"kind\":\"RoleBinding\"," MX_META
	    ",\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"Role\",\"name\":"
	    "\"modelexpress-server\"},\"subjects\":[{\"kind\":\"ServiceAccount\",\"name\":"
	    "\"modelexpress-server\",\"namespace\":\"default\"}]}",
}, {
	.key = "modelexpress-server-svc", .only = STACK_DYNAMO_ONLY,
	.what = "service of the ModelExpress server", .step = "serving stack",
	.json = "{\"apiVersion\":\"v1\",\"kind\":\"Service\"," MX_META ",\"spec\":{\"ports\":"
	    "[{\"name\":\"grpc\",\"port\":8001,\"targetPort\":8001}],\"selector\":" MX_LABEL "}}",
}, {
	.key = "modelexpress-server", .only = STACK_DYNAMO_ONLY, .what = "ModelExpress server",
	.step = "serving stack", .readiness = AVAILABLE, .adjust = adjust_server_image,
	.after = { "modelexpress-server-sa" },
	.json = "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\"," MX_META ",\"spec\":{"
	    "\"replicas\":1,\"selector\":{\"matchLabels\":" MX_LABEL "},\"template\":{\"metadata\":"
	    "{\"labels\":" MX_LABEL "},\"spec\":{\"serviceAccountName\":\"modelexpress-server\","
	    "\"volumes\":[{\"name\":\"cache\",\"emptyDir\":{}}],\"containers\":[{\"name\":"
	    "\"modelexpress-server\",\"image\":\"\",\"ports\":[{\"containerPort\":8001}],\"env\":["
	    "{\"name\":\"MODEL_EXPRESS_CACHE_DIRECTORY\",\"value\":\"/mnt/models\"},"
	    "{\"name\":\"HF_HUB_CACHE\",\"value\":\"/mnt/models\"},"
	    "{\"name\":\"MX_METADATA_BACKEND\",\"value\":\"kubernetes\"},"
	    "{\"name\":\"POD_NAMESPACE\",\"valueFrom\":{\"fieldRef\":{\"fieldPath\":"
	    "\"metadata.namespace\"}}}],\"readinessProbe\":{\"periodSeconds\":10,\"tcpSocket\":"
	    "{\"port\":8001}},\"livenessProbe\":{\"periodSeconds\":20,\"tcpSocket\":{\"port\":8001}},"
	    "\"volumeMounts\":[{\"name\":\"cache\",\"mountPath\":\"/mnt/models\"}]}]}}}}",
}, {
	.key = "gateway-namespace", .what = "namespace modelplane-system", .step = "gateway",
	.json = "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":"
	    "\"" STACK_GATEWAY_NS "\"}}",
}, {
	.key = "gateway-proxy", .what = "settings of the proxy", .step = "gateway",
	.label = "gateway-proxy", .after = { "envoy-gateway", "gateway-namespace" },
	.flags = PLAN_GUARDED,
	.json = "{\"apiVersion\":\"gateway.envoyproxy.io/v1alpha1\",\"kind\":\"EnvoyProxy\","
	    "\"metadata\":{\"name\":\"" STACK_GATEWAY_NAME "\",\"namespace\":\"" STACK_GATEWAY_NS
	    "\"},\"spec\":{\"provider\":{\"type\":\"Kubernetes\",\"kubernetes\":{\"envoyService\":"
	    "{\"externalTrafficPolicy\":\"Cluster\"}}}}}",
}, {
	.key = "gateway-class", .what = "gateway class", .step = "gateway", .label = "gateway-class",
	.after = { "envoy-gateway", "gateway-proxy" }, .flags = PLAN_GUARDED, .adjust = adjust_class,
	.json = "{\"apiVersion\":\"gateway.networking.k8s.io/v1\",\"kind\":\"GatewayClass\","
	    "\"metadata\":{\"name\":\"\"},\"spec\":{\"controllerName\":"
	    "\"gateway.envoyproxy.io/gatewayclass-controller\",\"parametersRef\":{\"group\":"
	    "\"gateway.envoyproxy.io\",\"kind\":\"EnvoyProxy\",\"name\":\"" STACK_GATEWAY_NAME "\","
	    "\"namespace\":\"" STACK_GATEWAY_NS "\"}}}",
}, {
	.key = STACK_KEY_GATEWAY, .what = "inference gateway and its address", .step = "gateway",
	.label = "gateway", .after = { "gateway-class", "gateway-namespace" }, .flags = PLAN_GUARDED,
	.readiness = HAS_ADDRESS, .adjust = adjust_gateway,
	.json = "{\"apiVersion\":\"gateway.networking.k8s.io/v1\",\"kind\":\"Gateway\",\"metadata\":"
	    "{\"name\":\"" STACK_GATEWAY_NAME "\",\"namespace\":\"" STACK_GATEWAY_NS "\"},\"spec\":{}}",
},
};
/* clang-format on */

const struct stack_row *
stack_rows(size_t *ret_count)
{
	*ret_count = ARRAY_LEN(rows);
	return rows;
}
