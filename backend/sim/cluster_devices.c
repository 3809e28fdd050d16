#include "backend/sim/cluster_int.h"

/*
 * Devices: node feature discovery labels the nodes on which its workers may run; NVIDIA's DRA
 * driver publishes a ResourceSlice for each labelled GPU node that it may run on, with the
 * attributes of the real driver. Both tolerate what their values say (cases.md B148).
 */

static const char pci_label[] = "feature.node.kubernetes.io/pci-10de.present";

/* The chart's own toleration of GPU nodes, when the values give none. */
struct node *
release_tolerations(
    struct round *r, const struct release *rel, const char *path, bool gpu_by_default)
{
	const struct node *given = path != NULL ? release_value(r, rel, path) : NULL;
	struct node *list, *t;

	if (given != NULL)
		return node_dup(r->a, given);
	list = node_list(r->a);
	if (gpu_by_default) {
		t = node_map(r->a);
		node_set_strz(r->a, t, "key", "nvidia.com/gpu");
		node_set_strz(r->a, t, "operator", "Exists");
		node_set_strz(r->a, t, "effect", "NoSchedule");
		node_push(list, t);
	}
	return list;
}

static const struct vm_size *
gpu_size(const struct node *n)
{
	const struct vm_size *v = size_find(node_get_str(
	    node_find(node_path(n, "metadata.labels"), "node.kubernetes.io/instance-type")));

	return v != NULL && v->gpus > 0 ? v : NULL;
}

static void
label_nodes(struct round *r, struct node *nodes)
{
	const struct release *nfd = release_of_chart(r->k, "node-feature-discovery");
	struct node *tolerations = release_tolerations(r, nfd, "worker.tolerations", false);

	for (struct node *n = node_first(nodes); nfd != NULL && n != NULL; n = n->next) {
		struct node *labels = node_path(n, "metadata.labels");

		if (gpu_size(n) == NULL || node_find(labels, pci_label) != NULL ||
		    !node_tolerates(tolerations, node_path(n, "spec.taints")))
			continue;
		kube_label(r, n, pci_label, STR("true"));
		(void)kube_put(r, "Node", n, "nfd-master");
	}
}

static void
attribute(
    struct round *r, struct node *attributes, const char *name, const char *type, struct str value)
{
	node_set(r->a, node_make_path(r->a, attributes, name), type, node_str(r->a, value));
}

static struct node *
device(struct round *r, const struct vm_size *v, struct str node_name, int index)
{
	struct node *d = node_map(r->a), *at = node_map(r->a);
	const char *parts[] = { r->k->uid, arena_printf(r->a, STR_FMT, STR_ARG(node_name)),
		arena_printf(r->a, "%d", index), NULL };
	char guid[GUID_SIZE];

	guid_of(guid, parts);
	node_set(r->a, d, "name", node_strz(r->a, arena_printf(r->a, "gpu-%d", index)));
	attribute(r, at, "architecture", "string", str_from(v->gpu->architecture));
	attribute(r, at, "brand", "string", str_from(v->gpu->brand));
	attribute(r, at, "cudaComputeCapability", "version", str_from(v->gpu->capability));
	attribute(r, at, "cudaDriverVersion", "version", STR("13.0.0"));
	attribute(r, at, "driverVersion", "version", STR("580.95.5"));
	attribute(r, at, "productName", "string", str_from(v->gpu->product));
	attribute(r, at, "type", "string", STR("gpu"));
	attribute(r, at, "uuid", "string", str_from(arena_printf(r->a, "GPU-%s", guid)));
	node_set(r->a, d, "attributes", at);
	node_set_strz(r->a, node_make_path(r->a, d, "capacity.memory"), "value", v->gpu->memory);
	return d;
}

static struct str
slice_name(struct round *r, struct str node_name)
{
	return str_from(arena_printf(r->a, STR_FMT "-gpu.nvidia.com", STR_ARG(node_name)));
}

static void
slice_put(struct round *r, const struct node *n, const struct vm_size *v)
{
	struct str name = node_path_str(n, "metadata.name");
	struct node *s = kube_new(r, "ResourceSlice", (struct str){ 0 }, slice_name(r, name));
	struct node *spec = node_make_path(r->a, s, "spec"), *pool, *list = node_list(r->a);

	if (kube_get(r, "ResourceSlice", (struct str){ 0 }, slice_name(r, name)) != NULL)
		return;
	kube_owner(r, s, n);
	node_set_strz(r->a, spec, "driver", "gpu.nvidia.com");
	node_set(r->a, spec, "nodeName", node_str(r->a, name));
	pool = node_make_path(r->a, spec, "pool");
	node_set(r->a, pool, "name", node_str(r->a, name));
	node_set_int(r->a, pool, "generation", 1);
	node_set_int(r->a, pool, "resourceSliceCount", 1);
	for (int i = 0; i < v->gpus; i++)
		node_push(list, device(r, v, name, i));
	node_set(r->a, spec, "devices", list);
	(void)kube_put(r, "ResourceSlice", s, "dra-driver-nvidia-gpu");
}

static const struct {
	const char *name, *type;
} device_classes[] = {
	{ "gpu.nvidia.com", "gpu" },
	{ "mig.nvidia.com", "mig" },
	{ "vfio.gpu.nvidia.com", "vfio" },
};

static void
classes_put(struct round *r)
{
	for (size_t i = 0; i < ARRAY_LEN(device_classes); i++) {
		struct str name = str_from(device_classes[i].name);
		struct node *c, *list, *one;

		if (kube_get(r, "DeviceClass", (struct str){ 0 }, name) != NULL)
			continue;
		c = kube_new(r, "DeviceClass", (struct str){ 0 }, name);
		list = node_list(r->a);
		one = node_map(r->a);
		node_set(r->a, node_make_path(r->a, one, "cel"), "expression",
		    node_strz(r->a, arena_printf(r->a,
					"device.driver == 'gpu.nvidia.com' && "
					"device.attributes['gpu.nvidia.com'].type == '%s'",
					device_classes[i].type)));
		node_push(list, one);
		node_set(r->a, node_make_path(r->a, c, "spec"), "selectors", list);
		(void)kube_put(r, "DeviceClass", c, "helm");
	}
}

static bool
driver_runs_on(struct round *r, const struct release *dra, const struct node *n)
{
	struct node *tolerations = release_tolerations(r, dra, "kubeletPlugin.tolerations", true);

	return node_find(node_path(n, "metadata.labels"), pci_label) != NULL &&
	       node_tolerates(tolerations, node_path(n, "spec.taints"));
}

static const struct node *
named(const struct node *nodes, struct str name)
{
	for (const struct node *n = node_first(nodes); n != NULL; n = n->next) {
		if (str_eq(name, node_path_str(n, "metadata.name")))
			return n;
	}
	return NULL;
}

void
devices_reconcile(struct round *r)
{
	const struct release *dra = release_of_chart(r->k, "dra-driver-nvidia-gpu");
	struct node *nodes = kube_list(r, "Node"), *slices;

	label_nodes(r, nodes);
	if (dra != NULL)
		classes_put(r);
	for (const struct node *n = node_first(nodes); dra != NULL && n != NULL; n = n->next) {
		const struct vm_size *v = gpu_size(n);

		if (v != NULL && driver_runs_on(r, dra, n))
			slice_put(r, n, v);
	}
	slices = kube_list(r, "ResourceSlice");
	for (const struct node *s = node_first(slices); s != NULL; s = s->next) {
		const struct node *n = named(nodes, node_path_str(s, "spec.nodeName"));

		if (dra == NULL || n == NULL)
			(void)kube_remove(r, "ResourceSlice", (struct str){ 0 },
			    node_path_str(s, "metadata.name"));
	}
	for (size_t i = 0; dra == NULL && i < ARRAY_LEN(device_classes); i++)
		(void)kube_remove(
		    r, "DeviceClass", (struct str){ 0 }, str_from(device_classes[i].name));
}
