#include "backend/apiserver/builtin.h"
#include "backend/sim/cluster_int.h"

/*
 * The charts that can be had, and what installing one leaves in a cluster. A chart that is not here
 * cannot be fetched, as with a real repository. Sources: spec/reconcile.md 4.5, 10.
 */

#define D(n)                                                                                       \
	{                                                                                          \
		.kind = "Deployment", .name = (n)                                                  \
	}
#define DS(n, ...)                                                                                 \
	{                                                                                          \
		.kind = "DaemonSet", .name = (n), __VA_ARGS__                                      \
	}
#define SS(n)                                                                                      \
	{                                                                                          \
		.kind = "StatefulSet", .name = (n)                                                 \
	}
#define GW "gateway.networking.k8s.io"
#define EG "gateway.envoyproxy.io"
#define AI "aigateway.envoyproxy.io"
#define CM "cert-manager.io"

static const struct chart_workload cert_manager_w[] = { D("cert-manager"),
	D("cert-manager-cainjector"), D("cert-manager-webhook") };
static const struct chart_workload envoy_w[] = { D("envoy-gateway") };
static const struct chart_workload ai_w[] = { D("ai-gateway-controller") };
static const struct chart_workload prometheus_w[] = { D("prometheus-operator"),
	D("kube-prometheus-stack-kube-state-metrics"), SS("prometheus-prometheus"),
	DS("kube-prometheus-stack-prometheus-node-exporter", .gpu = true) };
static const struct chart_workload nfd_w[] = { D("node-feature-discovery-master"),
	D("node-feature-discovery-gc"),
	DS("node-feature-discovery-worker", .tolerations = "worker.tolerations") };
static const struct chart_workload dra_w[] = { DS("dra-driver-nvidia-gpu-kubelet-plugin",
    .tolerations = "kubeletPlugin.tolerations", .gpu = true) };
static const struct chart_workload lws_w[] = { D("lws-controller-manager") };
static const struct chart_workload grove_w[] = { D("grove-operator") };
static const struct chart_workload kai_w[] = { D("admission"), D("binder"),
	D("kai-scheduler-default"), D("podgrouper"), D("queue-controller") };
static const struct chart_workload network_w[] = { D("network-operator"),
	DS("rdma-shared-dp-ds", .tolerations = "daemonsets.tolerations"),
	DS("mofed-ubuntu24.04-ds", .tolerations = "daemonsets.tolerations") };

/* clang-format off */
static const struct chart_crd cert_manager_c[] = {
	{ CM, "v1", "Certificate", "certificates", true },
	{ CM, "v1", "Issuer", "issuers", true },
	{ CM, "v1", "ClusterIssuer", "clusterissuers", false },
};
static const struct chart_crd envoy_c[] = {
	{ GW, "v1", "GatewayClass", "gatewayclasses", false },
	{ GW, "v1", "Gateway", "gateways", true },
	{ GW, "v1", "HTTPRoute", "httproutes", true },
	{ GW, "v1", "GRPCRoute", "grpcroutes", true },
	{ GW, "v1beta1", "ReferenceGrant", "referencegrants", true },
	{ EG, "v1alpha1", "EnvoyProxy", "envoyproxies", true },
	{ EG, "v1alpha1", "Backend", "backends", true },
	{ EG, "v1alpha1", "BackendTrafficPolicy", "backendtrafficpolicies", true },
	{ EG, "v1alpha1", "ClientTrafficPolicy", "clienttrafficpolicies", true },
	{ EG, "v1alpha1", "EnvoyExtensionPolicy", "envoyextensionpolicies", true },
	{ EG, "v1alpha1", "EnvoyPatchPolicy", "envoypatchpolicies", true },
	{ EG, "v1alpha1", "SecurityPolicy", "securitypolicies", true },
};
static const struct chart_crd ai_c[] = {
	{ AI, "v1alpha1", "AIGatewayRoute", "aigatewayroutes", true },
	{ AI, "v1alpha1", "AIServiceBackend", "aiservicebackends", true },
	{ AI, "v1alpha1", "BackendSecurityPolicy", "backendsecuritypolicies", true },
};
static const struct chart_crd prometheus_c[] = {
	{ "monitoring.coreos.com", "v1", "PodMonitor", "podmonitors", true },
	{ "monitoring.coreos.com", "v1", "ServiceMonitor", "servicemonitors", true },
	{ "monitoring.coreos.com", "v1", "Prometheus", "prometheuses", true },
	{ "monitoring.coreos.com", "v1", "PrometheusRule", "prometheusrules", true },
};
static const struct chart_crd nfd_c[] = {
	{ "nfd.k8s-sigs.io", "v1alpha1", "NodeFeature", "nodefeatures", true },
	{ "nfd.k8s-sigs.io", "v1alpha1", "NodeFeatureRule", "nodefeaturerules", false },
};
static const struct chart_crd dra_c[] = {
	{ "resource.nvidia.com", "v1beta1", "ComputeDomain", "computedomains", true },
};
static const struct chart_crd lws_c[] = {
	{ "leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet", "leaderworkersets", true },
};
static const struct chart_crd grove_c[] = {
	{ "grove.io", "v1alpha1", "PodCliqueSet", "podcliquesets", true },
	{ "grove.io", "v1alpha1", "PodClique", "podcliques", true },
};
static const struct chart_crd kai_c[] = {
	{ "scheduling.run.ai", "v2", "Queue", "queues", false },
	{ "scheduling.run.ai", "v2alpha2", "PodGroup", "podgroups", true },
};
static const struct chart_crd network_c[] = {
	{ "mellanox.com", "v1alpha1", "NicClusterPolicy", "nicclusterpolicies", false },
};

#define W(x) .workloads = (x), .nworkloads = ARRAY_LEN(x)
#define C(x) .crds = (x), .ncrds = ARRAY_LEN(x)

static const struct chart charts[] = {
	{ .name = "cert-manager", .repository = "https://charts.jetstack.io", .seconds = 45, W(cert_manager_w), C(cert_manager_c) },
	{ .name = "gateway-helm", .repository = "oci://docker.io/envoyproxy", .seconds = 40, .flags = CHART_CRDS_STAY, W(envoy_w), C(envoy_c) },
	{ .name = "ai-gateway-crds-helm", .repository = "oci://docker.io/envoyproxy", .seconds = 15, C(ai_c) },
	{ .name = "ai-gateway-helm", .repository = "oci://docker.io/envoyproxy", .seconds = 30, .needs = { "ai-gateway-crds-helm" }, W(ai_w) },
	{ .name = "kube-prometheus-stack", .repository = "https://prometheus-community.github.io/helm-charts", .seconds = 90, .flags = CHART_CRDS_STAY, W(prometheus_w), C(prometheus_c) },
	{ .name = "node-feature-discovery", .repository = "oci://registry.k8s.io/nfd/charts", .seconds = 25, W(nfd_w), C(nfd_c) },
	{ .name = "dra-driver-nvidia-gpu", .repository = "oci://registry.k8s.io/dra-driver-nvidia/charts", .seconds = 35, .flags = CHART_CRDS_STAY, W(dra_w), C(dra_c) },
	{ .name = "lws", .repository = "oci://registry.k8s.io/lws/charts", .seconds = 25, .flags = CHART_CRDS_STAY, W(lws_w), C(lws_c) },
	{ .name = "grove-charts", .repository = "oci://ghcr.io/ai-dynamo/grove", .seconds = 30, .flags = CHART_CRDS_STAY, W(grove_w), C(grove_c) },
	{ .name = "kai-scheduler", .repository = "oci://ghcr.io/kai-scheduler/kai-scheduler", .seconds = 50, .flags = CHART_CRDS_STAY, W(kai_w), C(kai_c) },
	{ .name = "network-operator", .repository = "https://helm.ngc.nvidia.com/nvidia", .seconds = 60, .flags = CHART_CRDS_STAY, W(network_w), C(network_c) },
};
/* clang-format on */

const struct chart *
chart_find(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(charts); i++) {
		if (str_is(name, charts[i].name))
			return &charts[i];
	}
	return NULL;
}

static void
crd_install(struct round *r, const struct chart_crd *c)
{
	const char *name = arena_printf(r->a, "%s.%s", c->plural, c->group);
	struct node *n = kube_new(r, "CustomResourceDefinition", (struct str){ 0 }, str_from(name));
	struct node *spec = node_make_path(r->a, n, "spec"), *names, *version = node_map(r->a);
	struct node *versions = node_list(r->a), *schema, *sub = node_map(r->a);
	struct text singular = TEXT_INIT(128);

	(void)embedded_intern(r->k->store, c->group, c->version, c->kind, c->plural, c->namespaced);
	if (kube_get(r, "CustomResourceDefinition", (struct str){ 0 }, str_from(name)) != NULL)
		return;
	for (const char *p = c->kind; *p != '\0'; p++)
		text_add_char(&singular, *p >= 'A' && *p <= 'Z' ? (char)(*p + 32) : *p);
	node_set_strz(r->a, spec, "group", c->group);
	names = node_make_path(r->a, spec, "names");
	node_set_strz(r->a, names, "kind", c->kind);
	node_set(r->a, names, "listKind", node_strz(r->a, arena_printf(r->a, "%sList", c->kind)));
	node_set_strz(r->a, names, "plural", c->plural);
	node_set_strz(r->a, names, "singular", text_get(&singular));
	node_set_strz(r->a, spec, "scope", c->namespaced ? "Namespaced" : "Cluster");
	node_set_strz(r->a, version, "name", c->version);
	node_set_bool(r->a, version, "served", true);
	node_set_bool(r->a, version, "storage", true);
	schema = node_make_path(r->a, version, "schema.openAPIV3Schema");
	node_set_strz(r->a, schema, "type", "object");
	node_set_bool(r->a, schema, "x-kubernetes-preserve-unknown-fields", true);
	node_set(r->a, sub, "status", node_map(r->a));
	node_set(r->a, version, "subresources", sub);
	node_push(versions, version);
	node_set(r->a, spec, "versions", versions);
	(void)kube_put(
	    r, "CustomResourceDefinition", n, "helm"); /* definitions_reconcile goes on */
	text_free(&singular);
}

static void
namespace_make(struct round *r, struct str ns)
{
	struct node *n;

	if (kube_get(r, "Namespace", (struct str){ 0 }, ns) != NULL)
		return;
	n = kube_new(r, "Namespace", (struct str){ 0 }, ns);
	kube_label(r, n, "kubernetes.io/metadata.name", ns);
	node_set_strz(r->a, node_make_path(r->a, n, "status"), "phase", "Active");
	(void)kube_put(r, "Namespace", n, "helm");
}

static void
workload_install(struct round *r, const struct chart_workload *w, struct str release, struct str ns)
{
	struct node *n = kube_new(r, w->kind, ns, str_from(w->name)), *spec, *container, *list;

	if (kube_get(r, w->kind, ns, str_from(w->name)) != NULL)
		return;
	kube_label(r, n, "app.kubernetes.io/managed-by", STR("Helm"));
	kube_label(r, n, "app.kubernetes.io/instance", release);
	kube_label(r, n, "app.kubernetes.io/name", str_from(w->name));
	node_set(r->a, node_make_path(r->a, n, "metadata.annotations"), "meta.helm.sh/release-name",
	    node_str(r->a, release));
	node_set(r->a, node_path(n, "metadata.annotations"), "meta.helm.sh/release-namespace",
	    node_str(r->a, ns));
	spec = node_make_path(r->a, n, "spec");
	if (!str_is(str_from(w->kind), "DaemonSet"))
		node_set_int(r->a, spec, "replicas", 1);
	node_set_strz(r->a, node_make_path(r->a, spec, "selector.matchLabels"), "app", w->name);
	node_set_strz(r->a, node_make_path(r->a, spec, "template.metadata.labels"), "app", w->name);
	container = node_map(r->a);
	list = node_list(r->a);
	node_set_strz(r->a, container, "name", "main");
	node_set(r->a, container, "image",
	    node_strz(r->a, arena_printf(r->a, "registry.example/%s:1", w->name)));
	node_push(list, container);
	node_set(r->a, node_make_path(r->a, spec, "template.spec"), "containers", list);
	if (w->tolerations != NULL || w->gpu)
		node_set(r->a, node_path(spec, "template.spec"), "tolerations",
		    release_tolerations(
			r, release_find(r->k, release, ns), w->tolerations, w->gpu));
	(void)kube_put(r, w->kind, n, "helm");
}

void
chart_install(struct round *r, const struct chart *c, struct str release, struct str ns)
{
	namespace_make(r, ns);
	for (size_t i = 0; i < c->ncrds; i++)
		crd_install(r, &c->crds[i]);
	for (size_t i = 0; i < c->nworkloads; i++)
		workload_install(r, &c->workloads[i], release, ns);
}

void
chart_remove(struct round *r, const struct chart *c, struct str ns)
{
	for (size_t i = 0; i < c->nworkloads; i++)
		(void)kube_remove(r, c->workloads[i].kind, ns, str_from(c->workloads[i].name));
	for (size_t i = 0; i < c->ncrds && !(c->flags & CHART_CRDS_STAY); i++) {
		const char *name = arena_printf(r->a, "%s.%s", c->crds[i].plural, c->crds[i].group);

		(void)definition_drain(
		    r, kube_get(r, "CustomResourceDefinition", (struct str){ 0 }, str_from(name)));
		(void)kube_remove(r, "CustomResourceDefinition", (struct str){ 0 }, str_from(name));
	}
}
