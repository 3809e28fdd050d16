#include "backend/apiserver/builtin.h"

#include <string.h>

static void
add_word(struct text *out, struct str word)
{
	if (word.n == 0)
		return;
	if (out->n > 0)
		text_add_char(out, ',');
	text_add_str(out, word);
}

static bool
condition_is_true(const struct node *object, const char *type)
{
	for (const struct node *c = node_first(node_path(object, "status.conditions")); c != NULL;
	     c = c->next) {
		if (str_is(node_path_str(c, "type"), type))
			return str_is(node_path_str(c, "status"), "True");
	}
	return false;
}

static void
node_status(const struct node *object, struct text *out)
{
	text_add(out, condition_is_true(object, "Ready") ? "Ready" : "NotReady");
	if (node_path_bool(object, "spec.unschedulable", false))
		text_add(out, ",SchedulingDisabled");
}

static void
node_roles(const struct node *object, struct text *out)
{
	const struct str prefix = STR("node-role.kubernetes.io/");

	for (const struct node *l = node_first(node_path(object, "metadata.labels")); l != NULL;
	     l = l->next) {
		if (str_starts(l->key, prefix))
			add_word(out, str_sub(l->key, prefix.n, l->key.n));
	}
	if (out->n == 0)
		text_add(out, "<none>");
}

static void
pod_ready(const struct node *object, struct text *out)
{
	size_t all = node_count(node_path(object, "spec.containers"));
	size_t ready = 0;

	for (const struct node *c = node_first(node_path(object, "status.containerStatuses"));
	     c != NULL; c = c->next)
		ready += node_path_bool(c, "ready", false) ? 1 : 0;
	text_printf(out, "%zu/%zu", ready, all);
}

/* kubectl's word: why it goes, waits or ended, before the bare phase. */
static void
pod_status(const struct node *object, struct text *out)
{
	struct str phase = node_path_str(object, "status.phase");
	struct str reason = node_path_str(object, "status.reason");

	for (const struct node *c = node_first(node_path(object, "status.containerStatuses"));
	     c != NULL && reason.n == 0; c = c->next) {
		reason = node_path_str(c, "state.waiting.reason");
		if (reason.n == 0)
			reason = node_path_str(c, "state.terminated.reason");
	}
	if (node_path_str(object, "metadata.deletionTimestamp").n > 0)
		reason = STR("Terminating");
	else if (reason.n == 0 && str_is(phase, "Succeeded"))
		reason = STR("Completed");
	text_add_str(out, reason.n > 0 ? reason : phase);
}

static void
pod_restarts(const struct node *object, struct text *out)
{
	int64_t n = 0;

	for (const struct node *c = node_first(node_path(object, "status.containerStatuses"));
	     c != NULL; c = c->next)
		n += node_path_int(c, "restartCount", 0);
	text_add_int(out, n);
}

static void
job_status(const struct node *object, struct text *out)
{
	if (condition_is_true(object, "Complete"))
		text_add(out, "Complete");
	else if (condition_is_true(object, "Failed"))
		text_add(out, "Failed");
	else
		text_add(out, "Running");
}

static void
job_completions(const struct node *object, struct text *out)
{
	text_printf(out, "%lld/%lld", (long long)node_path_int(object, "status.succeeded", 0),
	    (long long)node_path_int(object, "spec.completions", 1));
}

static void
replicas_ready(const struct node *object, struct text *out)
{
	text_printf(out, "%lld/%lld", (long long)node_path_int(object, "status.readyReplicas", 0),
	    (long long)node_path_int(object, "spec.replicas", 1));
}

static void
data_count(const struct node *object, struct text *out)
{
	text_add_int(out, (int64_t)(node_count(node_find(object, "data")) +
				    node_count(node_find(object, "binaryData"))));
}

static void
access_modes(const struct node *object, struct text *out)
{
	static const struct {
		const char *mode;
		const char *word;
	} modes[] = {
		{ "ReadWriteOnce", "RWO" },
		{ "ReadOnlyMany", "ROX" },
		{ "ReadWriteMany", "RWX" },
		{ "ReadWriteOncePod", "RWOP" },
	};

	for (const struct node *m = node_first(node_path(object, "spec.accessModes")); m != NULL;
	     m = m->next) {
		for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
			if (str_is(node_get_str(m), modes[i].mode))
				add_word(out, str_from(modes[i].word));
		}
	}
}

static void
event_object(const struct node *object, struct text *out)
{
	struct str kind = node_path_str(object, "involvedObject.kind");

	for (size_t i = 0; i < kind.n; i++) {
		char c = kind.p[i];

		text_add_char(out, c >= 'A' && c <= 'Z' ? (char)(c + 32) : c);
	}
	text_add_char(out, '/');
	text_add_str(out, node_path_str(object, "involvedObject.name"));
}

static void
service_ports(const struct node *object, struct text *out)
{
	for (const struct node *p = node_first(node_path(object, "spec.ports")); p != NULL;
	     p = p->next) {
		struct str protocol = node_path_str(p, "protocol");

		text_add(out, out->n > 0 ? "," : "");
		text_add_int(out, node_path_int(p, "port", 0));
		text_add_char(out, '/');
		text_add_str(out, protocol.n > 0 ? protocol : STR("TCP"));
	}
}

/* clang-format off */
#define AGE { "Age", "date", ".metadata.creationTimestamp", NULL, 0 }

static const struct builtin_column age_columns[] = { AGE };
static const struct builtin_column namespace_columns[] = {
	{ "Status", "string", ".status.phase", NULL, 0 }, AGE,
};
static const struct builtin_column node_columns[] = {
	{ "Status", "string", NULL, node_status, 0 },
	{ "Roles", "string", NULL, node_roles, 0 }, AGE,
	{ "Version", "string", ".status.nodeInfo.kubeletVersion", NULL, 0 },
	{ "Internal-IP", "string", ".status.addresses[?(@.type=='InternalIP')].address", NULL, 1 },
	{ "OS-Image", "string", ".status.nodeInfo.osImage", NULL, 1 },
	{ "Container-Runtime", "string", ".status.nodeInfo.containerRuntimeVersion", NULL, 1 },
};
static const struct builtin_column pod_columns[] = {
	{ "Ready", "string", NULL, pod_ready, 0 },
	{ "Status", "string", NULL, pod_status, 0 },
	{ "Restarts", "string", NULL, pod_restarts, 0 }, AGE,
	{ "IP", "string", ".status.podIP", NULL, 1 },
	{ "Node", "string", ".spec.nodeName", NULL, 1 },
};
static const struct builtin_column job_columns[] = {
	{ "Status", "string", NULL, job_status, 0 },
	{ "Completions", "string", NULL, job_completions, 0 }, AGE,
};
static const struct builtin_column data_columns[] = {
	{ "Data", "string", NULL, data_count, 0 }, AGE,
};
static const struct builtin_column secret_columns[] = {
	{ "Type", "string", ".type", NULL, 0 },
	{ "Data", "string", NULL, data_count, 0 }, AGE,
};
static const struct builtin_column class_columns[] = {
	{ "Provisioner", "string", ".provisioner", NULL, 0 },
	{ "ReclaimPolicy", "string", ".reclaimPolicy", NULL, 0 },
	{ "VolumeBindingMode", "string", ".volumeBindingMode", NULL, 0 },
	{ "AllowVolumeExpansion", "string", ".allowVolumeExpansion", NULL, 0 }, AGE,
};
static const struct builtin_column claim_columns[] = {
	{ "Status", "string", ".status.phase", NULL, 0 },
	{ "Volume", "string", ".spec.volumeName", NULL, 0 },
	{ "Capacity", "string", ".status.capacity.storage", NULL, 0 },
	{ "Access Modes", "string", NULL, access_modes, 0 },
	{ "StorageClass", "string", ".spec.storageClassName", NULL, 0 }, AGE,
};
static const struct builtin_column service_columns[] = {
	{ "Type", "string", ".spec.type", NULL, 0 },
	{ "Cluster-IP", "string", ".spec.clusterIP", NULL, 0 },
	{ "External-IP", "string", ".status.loadBalancer.ingress[0].ip", NULL, 0 },
	{ "Port(s)", "string", NULL, service_ports, 0 }, AGE,
};
static const struct builtin_column event_columns[] = {
	{ "Last Seen", "date", ".lastTimestamp", NULL, 0 },
	{ "Type", "string", ".type", NULL, 0 },
	{ "Reason", "string", ".reason", NULL, 0 },
	{ "Object", "string", NULL, event_object, 0 },
	{ "Message", "string", ".message", NULL, 0 },
};
static const struct builtin_column deployment_columns[] = {
	{ "Ready", "string", NULL, replicas_ready, 0 },
	{ "Up-to-date", "integer", ".status.updatedReplicas", NULL, 0 },
	{ "Available", "integer", ".status.availableReplicas", NULL, 0 }, AGE,
};
static const struct builtin_column daemonset_columns[] = {
	{ "Desired", "integer", ".status.desiredNumberScheduled", NULL, 0 },
	{ "Current", "integer", ".status.currentNumberScheduled", NULL, 0 },
	{ "Ready", "integer", ".status.numberReady", NULL, 0 }, AGE,
};
static const struct builtin_column slice_columns[] = {
	{ "Node", "string", ".spec.nodeName", NULL, 0 },
	{ "Driver", "string", ".spec.driver", NULL, 0 },
	{ "Pool", "string", ".spec.pool.name", NULL, 0 }, AGE,
};
static const struct builtin_column gateway_columns[] = {
	{ "Class", "string", ".spec.gatewayClassName", NULL, 0 },
	{ "Address", "string", ".status.addresses[0].value", NULL, 0 },
	{ "Programmed", "string", ".status.conditions[?(@.type=='Programmed')].status", NULL, 0 }, AGE,
};
static const struct builtin_column gateway_class_columns[] = {
	{ "Controller", "string", ".spec.controllerName", NULL, 0 },
	{ "Accepted", "string", ".status.conditions[?(@.type=='Accepted')].status", NULL, 0 }, AGE,
};
static const struct builtin_column crd_columns[] = {
	{ "Created At", "string", ".metadata.creationTimestamp", NULL, 0 },
};
static const struct builtin_column lease_columns[] = {
	{ "Holder", "string", ".spec.holderIdentity", NULL, 0 }, AGE,
};
#undef AGE

#define ROW(group, version, kind, plural, singular, namespaced, ...)                              \
	.res = { group, version, kind, plural, namespaced, NULL }, singular, { __VA_ARGS__ }
#define COLUMNS(c) c, ARRAY_LEN(c)
#define RBAC "rbac.authorization.k8s.io"
#define GATEWAY "gateway.networking.k8s.io"
static const struct builtin rows[] = {
	{ ROW("", "v1", "Namespace", "namespaces", "namespace", false, "ns"), BUILTIN_STATUS, COLUMNS(namespace_columns) },
	{ ROW("", "v1", "Node", "nodes", "node", false, "no"), BUILTIN_STATUS, COLUMNS(node_columns) },
	{ ROW("", "v1", "Pod", "pods", "pod", true, "po"), BUILTIN_STATUS, COLUMNS(pod_columns) },
	{ ROW("", "v1", "ConfigMap", "configmaps", "configmap", true, "cm"), 0, COLUMNS(data_columns) },
	{ ROW("", "v1", "Secret", "secrets", "secret", true, NULL), 0, COLUMNS(secret_columns) },
	{ ROW("", "v1", "Service", "services", "service", true, "svc"), BUILTIN_STATUS, COLUMNS(service_columns) },
	{ ROW("", "v1", "ServiceAccount", "serviceaccounts", "serviceaccount", true, "sa"), 0, COLUMNS(age_columns) },
	{ ROW("", "v1", "Event", "events", "event", true, "ev"), 0, COLUMNS(event_columns) },
	{ ROW("", "v1", "ResourceQuota", "resourcequotas", "resourcequota", true, "quota"), BUILTIN_STATUS, COLUMNS(age_columns) },
	{ ROW("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", "persistentvolumeclaim", true, "pvc"), BUILTIN_STATUS, COLUMNS(claim_columns) },
	{ ROW("", "v1", "PersistentVolume", "persistentvolumes", "persistentvolume", false, "pv"), BUILTIN_STATUS, COLUMNS(age_columns) },
	{ ROW("apps", "v1", "Deployment", "deployments", "deployment", true, "deploy"), BUILTIN_STATUS, COLUMNS(deployment_columns) },
	{ ROW("apps", "v1", "DaemonSet", "daemonsets", "daemonset", true, "ds"), BUILTIN_STATUS, COLUMNS(daemonset_columns) },
	{ ROW("apps", "v1", "StatefulSet", "statefulsets", "statefulset", true, "sts"), BUILTIN_STATUS, COLUMNS(deployment_columns) },
	{ ROW("batch", "v1", "Job", "jobs", "job", true, NULL), BUILTIN_STATUS, COLUMNS(job_columns) },
	{ ROW("storage.k8s.io", "v1", "StorageClass", "storageclasses", "storageclass", false, "sc"), 0, COLUMNS(class_columns) },
	{ ROW("coordination.k8s.io", "v1", "Lease", "leases", "lease", true, NULL), 0, COLUMNS(lease_columns) },
	{ ROW("resource.k8s.io", "v1", "DeviceClass", "deviceclasses", "deviceclass", false, NULL), 0, COLUMNS(age_columns) },
	{ ROW("resource.k8s.io", "v1", "ResourceSlice", "resourceslices", "resourceslice", false, NULL), 0, COLUMNS(slice_columns) },
	{ ROW("resource.k8s.io", "v1", "ResourceClaim", "resourceclaims", "resourceclaim", true, NULL), BUILTIN_STATUS, COLUMNS(age_columns) },
	{ ROW("resource.k8s.io", "v1", "ResourceClaimTemplate", "resourceclaimtemplates", "resourceclaimtemplate", true, NULL), 0, COLUMNS(age_columns) },
	{ ROW(RBAC, "v1", "Role", "roles", "role", true, NULL), 0, COLUMNS(age_columns) },
	{ ROW(RBAC, "v1", "RoleBinding", "rolebindings", "rolebinding", true, NULL), 0, COLUMNS(age_columns) },
	{ ROW(RBAC, "v1", "ClusterRole", "clusterroles", "clusterrole", false, NULL), 0, COLUMNS(age_columns) },
	{ ROW(RBAC, "v1", "ClusterRoleBinding", "clusterrolebindings", "clusterrolebinding", false, NULL), 0, COLUMNS(age_columns) },
	{ ROW("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", "customresourcedefinition", false, "crd", "crds"), BUILTIN_STATUS, COLUMNS(crd_columns) },
	{ ROW(GATEWAY, "v1", "Gateway", "gateways", "gateway", true, "gtw"), BUILTIN_STATUS | BUILTIN_CRD, COLUMNS(gateway_columns) },
	{ ROW(GATEWAY, "v1", "GatewayClass", "gatewayclasses", "gatewayclass", false, "gc"), BUILTIN_STATUS | BUILTIN_CRD, COLUMNS(gateway_class_columns) },
	{ ROW(GATEWAY, "v1", "HTTPRoute", "httproutes", "httproute", true, NULL), BUILTIN_STATUS | BUILTIN_CRD, COLUMNS(age_columns) },
	{ ROW("gateway.envoyproxy.io", "v1alpha1", "EnvoyProxy", "envoyproxies", "envoyproxy", true, NULL), BUILTIN_STATUS | BUILTIN_CRD, COLUMNS(age_columns) },
	{ ROW("scheduling.run.ai", "v2", "Queue", "queues", "queue", false, NULL), BUILTIN_STATUS | BUILTIN_CRD, COLUMNS(age_columns) },
};
/* clang-format on */

const struct builtin *
builtins_get(size_t *ret_count)
{
	*ret_count = ARRAY_LEN(rows);
	return rows;
}

const struct builtin *
builtin_find_kind(const char *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (strcmp(rows[i].res.kind, kind) == 0)
			return &rows[i];
	}
	return NULL;
}

const struct builtin *
builtin_find(const char *group, const char *plural)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (strcmp(rows[i].res.plural, plural) == 0 &&
		    strcmp(rows[i].res.group, group) == 0)
			return &rows[i];
	}
	return NULL;
}
