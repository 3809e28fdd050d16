#include "backend/sim/cluster_int.h"
#include "model/json.h"

/*
 * Gateways get a load balancer's address once Envoy Gateway runs, and once the cluster's identity
 * may join the subnet (facts/azure.md 6.5); claims are bound; definitions are established and
 * namespaces go. What they make in Azure is recorded in the node group.
 */

enum { ADDRESS_MS = 25000, RETRY_MS = 15000, BIND_MS = 8000 };

static const char controller[] = "gateway.envoyproxy.io/gatewayclass-controller";
static const char class_finalizer[] = "gateway-exists-finalizer.gateway.networking.k8s.io";
static const char network_contributor[] = "4d97b98b-1d4f-4787-a291-c67834d212e7";
static const char owner_role[] = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635";
static const char contributor_role[] = "b24988ac-6180-42a0-ab88-20f7382dd24c";

/* Whether some assignment lets the cluster's identity join its subnet. */
static bool
may_join(struct round *r)
{
	struct str subnet = node_path_str(node_first(r->k->pools), "properties.vnetSubnetID");
	struct str principal = node_path_str(r->k->cluster, "identity.principalId");
	struct state_rows rows = { 0 };

	if (subnet.n == 0)
		return true; /* a network of its own */
	if (!state_list(r->k->s->state, DOC_ROLE, STR(""), r->a, &rows, NULL))
		return false;
	for (size_t i = 0; i < rows.n; i++) {
		struct node *role = NULL;
		struct str scope, id;

		if (!json_parse(r->a, rows.items[i].doc, &role, NULL))
			continue;
		scope = node_path_str(role, "properties.scope");
		id = node_path_str(role, "properties.roleDefinitionId");
		if (str_eq_nocase(node_path_str(role, "properties.principalId"), principal) &&
		    str_eq_nocase(str_sub(subnet, 0, scope.n), scope) &&
		    (str_ends(id, str_from(network_contributor)) ||
			str_ends(id, str_from(owner_role)) ||
			str_ends(id, str_from(contributor_role))))
			return true;
	}
	return false;
}

/* Records what a cluster made in its node group: part of the inventory. */
static void
leftover_put(struct round *r, const char *type, struct str name)
{
	struct sim *s = r->k->s;
	struct str group = node_path_str(r->k->cluster, "properties.nodeResourceGroup");
	const char *key =
	    arena_printf(r->a, STR_FMT "/%s/" STR_FMT, STR_ARG(group), type, STR_ARG(name));
	struct node *n = node_map(r->a);
	struct text doc = TEXT_INIT(4096);
	struct text lower = TEXT_INIT(1024);

	for (const char *p = key != NULL ? key : ""; *p != '\0'; p++)
		text_add_char(&lower, *p >= 'A' && *p <= 'Z' ? (char)(*p + 32) : *p);
	node_set(r->a, n, "id",
	    node_strz(
		r->a, arena_printf(r->a,
			  "/subscriptions/%s/resourceGroups/" STR_FMT "/providers/%s/" STR_FMT,
			  s->id.subscription, STR_ARG(group), type, STR_ARG(name))));
	node_set(r->a, n, "name", node_str(r->a, name));
	node_set_strz(r->a, n, "type", type);
	node_set(r->a, n, "location", node_dup(r->a, node_path(r->k->cluster, "location")));
	json_write(&doc, n, JSON_COMPACT);
	/* Lost when it cannot be written; the inventory is a help, not a promise. */
	if (!state_put(s->state, DOC_LEFTOVER, text_str(&lower), text_str(&doc), NULL))
		round_at(r, r->now_ms + RETRY_MS);
	text_free(&doc);
	text_free(&lower);
}

static const char *
address_of(struct round *r, struct str name)
{
	unsigned h = 2166136261U;
	struct str uid = str_from(r->k->uid);

	for (size_t i = 0; i < uid.n; i++)
		h = (h ^ (unsigned char)uid.p[i]) * 16777619U;
	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (unsigned char)name.p[i]) * 16777619U;
	return arena_printf(r->a, "20.%u.%u.%u", 40 + h % 200, h / 256 % 256, 1 + h / 65536 % 254);
}

static bool
envoy_runs(struct round *r)
{
	struct release *rel = release_of_chart(r->k, "gateway-helm");
	struct node *d;

	if (rel == NULL)
		return false;
	d = kube_get(r, "Deployment", str_from(rel->ns), STR("envoy-gateway"));
	return node_path_int(d, "status.availableReplicas", 0) > 0;
}

static bool
has_finalizer(const struct node *n, const char *name)
{
	for (const struct node *f = node_first(node_path(n, "metadata.finalizers")); f != NULL;
	     f = f->next) {
		if (str_is(node_get_str(f), name))
			return true;
	}
	return false;
}

static bool
class_used(const struct node *gateways, struct str name)
{
	for (const struct node *g = node_first(gateways); g != NULL; g = g->next) {
		if (str_eq(node_path_str(g, "spec.gatewayClassName"), name))
			return true;
	}
	return false;
}

static void
class_reconcile(struct round *r, struct node *c, const struct node *gateways)
{
	bool used = class_used(gateways, node_path_str(c, "metadata.name"));
	struct node *before = node_dup(r->a, c), *list;

	if (!str_is(node_path_str(c, "spec.controllerName"), controller))
		return;
	if (used && !has_finalizer(c, class_finalizer) &&
	    node_path_str(c, "metadata.deletionTimestamp").n == 0) {
		list = node_list(r->a);
		node_push(list, node_strz(r->a, class_finalizer));
		node_set(r->a, node_find(c, "metadata"), "finalizers", list);
	} else if (!used && has_finalizer(c, class_finalizer)) {
		(void)node_remove(node_find(c, "metadata"), STR("finalizers"));
	}
	kube_condition(r, c, "Accepted", "True", "Accepted", "Valid GatewayClass");
	if (!node_eq(before, c))
		(void)kube_put(r, "GatewayClass", c, "envoy-gateway");
}

static struct str
service_name(struct round *r, const struct node *g)
{
	return str_from(arena_printf(r->a, "envoy-" STR_FMT "-" STR_FMT "-%.8s",
	    STR_ARG(node_path_str(g, "metadata.namespace")),
	    STR_ARG(node_path_str(g, "metadata.name")),
	    str_sub(node_path_str(g, "metadata.uid"), 0, 8).p));
}

static struct node *
service_put(struct round *r, const struct node *g, struct str ns)
{
	struct str name = service_name(r, g);
	struct node *s = kube_get(r, "Service", ns, name), *ports = node_list(r->a);

	if (s != NULL)
		return s;
	s = kube_new(r, "Service", ns, name);
	kube_label(
	    r, s, "gateway.envoyproxy.io/owning-gateway-name", node_path_str(g, "metadata.name"));
	kube_label(r, s, "gateway.envoyproxy.io/owning-gateway-namespace",
	    node_path_str(g, "metadata.namespace"));
	node_set_strz(r->a, node_make_path(r->a, s, "spec"), "type", "LoadBalancer");
	node_set_strz(r->a, node_find(s, "spec"), "externalTrafficPolicy", "Cluster");
	for (const struct node *l = node_first(node_path(g, "spec.listeners")); l != NULL;
	     l = l->next) {
		struct node *p = node_map(r->a);

		node_set(r->a, p, "name", node_dup(r->a, node_find(l, "name")));
		node_set_int(r->a, p, "port", node_path_int(l, "port", 80));
		node_push(ports, p);
	}
	node_set(r->a, node_find(s, "spec"), "ports", ports);
	(void)kube_put(r, "Service", s, "envoy-gateway");
	return kube_get(r, "Service", ns, name);
}

/* The cloud provider's part: an address for a load balancer, or an event that says why not. */
static const char *
service_address(struct round *r, struct node *s)
{
	struct str name = node_path_str(s, "metadata.name");
	int64_t due = kube_time_ms(node_path(s, "metadata.creationTimestamp")) + ADDRESS_MS;
	struct node *list, *one;
	const char *address = address_of(r, name);

	if (node_path_str(s, "status.loadBalancer.ingress[0].ip").n > 0)
		return address;
	if (!may_join(r) || fault_number(r->k->s->faults, FAULT_NO_ADDRESS, 0) > 0) {
		kube_event(r, s, true, "SyncLoadBalancerFailed", "service-controller",
		    may_join(r)
			? "Error syncing load balancer: failed to ensure load balancer: no public "
			  "IP "
			  "address is available"
			: "Error syncing load balancer: failed to ensure load balancer: "
			  "AuthorizationFailed: the client does not have authorization to perform "
			  "action 'Microsoft.Network/virtualNetworks/subnets/read' over the "
			  "subnet");
		round_at(r, r->now_ms + RETRY_MS);
		return NULL;
	}
	if (r->now_ms < due) {
		round_at(r, due);
		return NULL;
	}
	list = node_list(r->a);
	one = node_map(r->a);
	node_set_strz(r->a, one, "ip", address);
	node_push(list, one);
	node_set(r->a, node_make_path(r->a, s, "status.loadBalancer"), "ingress", list);
	(void)kube_put(r, "Service", s, "cloud-controller-manager");
	kube_event(
	    r, s, false, "EnsuredLoadBalancer", "service-controller", "Ensured load balancer");
	leftover_put(r, "Microsoft.Network/loadBalancers", STR("kubernetes"));
	leftover_put(r, "Microsoft.Network/publicIPAddresses", name);
	return address;
}

static bool
class_is_ours(struct round *r, struct str name)
{
	struct node *c = kube_get(r, "GatewayClass", (struct str){ 0 }, name);

	return str_is(node_path_str(c, "spec.controllerName"), controller);
}

static void
gateway_reconcile(struct round *r, struct node *g)
{
	struct release *rel = release_of_chart(r->k, "gateway-helm");
	struct node *before = node_dup(r->a, g), *s, *list, *one;
	const char *address;

	if (!class_is_ours(r, node_path_str(g, "spec.gatewayClassName")))
		return;
	s = service_put(r, g, str_from(rel->ns));
	address = s != NULL ? service_address(r, s) : NULL;
	kube_condition(r, g, "Accepted", "True", "Accepted",
	    "The Gateway has been scheduled by Envoy Gateway");
	if (address == NULL) {
		kube_condition(r, g, "Programmed", "False", "AddressNotAssigned",
		    "No addresses have been assigned to the Gateway");
	} else {
		list = node_list(r->a);
		one = node_map(r->a);
		node_set_strz(r->a, one, "type", "IPAddress");
		node_set_strz(r->a, one, "value", address);
		node_push(list, one);
		node_set(r->a, node_make_path(r->a, g, "status"), "addresses", list);
		kube_condition(
		    r, g, "Programmed", "True", "Programmed", "Address assigned to the Gateway");
	}
	if (!node_eq(before, g))
		(void)kube_put(r, "Gateway", g, "envoy-gateway");
}

/* Services of gateways that are gone. */
static void
services_sweep(struct round *r, const struct node *gateways)
{
	struct node *services = kube_list(r, "Service");

	for (const struct node *s = node_first(services); s != NULL; s = s->next) {
		const struct node *labels = node_path(s, "metadata.labels");
		struct str owner =
		    node_get_str(node_find(labels, "gateway.envoyproxy.io/owning-gateway-name"));
		bool used = owner.n == 0;

		for (const struct node *g = node_first(gateways); g != NULL; g = g->next)
			used = used || str_eq(node_path_str(g, "metadata.name"), owner);
		if (!used)
			(void)kube_remove(r, "Service", node_path_str(s, "metadata.namespace"),
			    node_path_str(s, "metadata.name"));
	}
}

void
gateways_reconcile(struct round *r)
{
	struct node *gateways, *classes;

	if (!envoy_runs(r))
		return;
	gateways = kube_list(r, "Gateway");
	classes = kube_list(r, "GatewayClass");
	for (struct node *c = node_first(classes); c != NULL; c = c->next)
		class_reconcile(r, c, gateways);
	for (struct node *g = node_first(gateways); g != NULL; g = g->next) {
		if (node_path_str(g, "metadata.deletionTimestamp").n == 0)
			gateway_reconcile(r, g);
	}
	services_sweep(r, gateways);
}

static void
claim_bind(struct round *r, struct node *c)
{
	struct str class = node_path_str(c, "spec.storageClassName");
	struct node *sc = kube_get(r, "StorageClass", (struct str){ 0 }, class), *pv;
	struct str uid = node_path_str(c, "metadata.uid");
	int64_t due = kube_time_ms(node_path(c, "metadata.creationTimestamp")) + BIND_MS;
	const char *name = arena_printf(r->a, "pvc-" STR_FMT, STR_ARG(uid));
	bool file;

	if (str_is(node_path_str(c, "status.phase"), "Bound"))
		return;
	if (sc == NULL) {
		kube_event(r, c, true, "ProvisioningFailed", "persistentvolume-controller",
		    "storageclass.storage.k8s.io not found");
		round_at(r, r->now_ms + RETRY_MS);
		return;
	}
	if (r->now_ms < due) {
		round_at(r, due);
		return;
	}
	file = str_is(node_path_str(sc, "provisioner"), "file.csi.azure.com");
	pv = kube_new(r, "PersistentVolume", (struct str){ 0 }, str_from(name));
	node_set(r->a, node_make_path(r->a, pv, "spec"), "accessModes",
	    node_dup(r->a, node_path(c, "spec.accessModes")));
	node_set(r->a, node_make_path(r->a, pv, "spec.capacity"), "storage",
	    node_dup(r->a, node_path(c, "spec.resources.requests.storage")));
	node_set(r->a, node_find(pv, "spec"), "storageClassName", node_str(r->a, class));
	node_set_strz(r->a, node_make_path(r->a, pv, "status"), "phase", "Bound");
	(void)kube_put(r, "PersistentVolume", pv, "csi-provisioner");
	node_set_strz(r->a, node_find(c, "spec"), "volumeName", name);
	node_set_strz(r->a, node_make_path(r->a, c, "status"), "phase", "Bound");
	node_set(r->a, node_find(c, "status"), "capacity",
	    node_dup(r->a, node_path(pv, "spec.capacity")));
	node_set(r->a, node_find(c, "status"), "accessModes",
	    node_dup(r->a, node_path(c, "spec.accessModes")));
	(void)kube_put(r, "PersistentVolumeClaim", c, "kube-controller-manager");
	leftover_put(r, file ? "Microsoft.Storage/storageAccounts" : "Microsoft.Compute/disks",
	    file ? str_sub(str_from(r->k->uid), 0, 12) : str_from(name));
}

void
volumes_reconcile(struct round *r)
{
	struct node *claims = kube_list(r, "PersistentVolumeClaim");

	for (struct node *c = node_first(claims); c != NULL; c = c->next)
		claim_bind(r, c);
}

/* Whether anything of this definition's kind is left; asks for its removal. */
bool
definition_drain(struct round *r, const struct node *crd)
{
	const struct resource *res = embedded_resource(r->k->store,
	    node_path_str(crd, "spec.group"), node_path_str(crd, "spec.versions[0].name"),
	    node_path_str(crd, "spec.names.plural"));
	const struct list_options all = { 0 };
	const struct delete_options opt = { .propagation = PROPAGATE_BACKGROUND };
	const struct actor actor = {
		.manager = "kube-apiserver", .user = "system:apiserver", .from = ""
	};
	struct object_list list = { 0 };
	bool left;

	if (res == NULL || !store_list(r->k->store, res, &all, &list, NULL))
		return false;
	left = list.n > 0;
	for (size_t i = 0; i < list.n; i++) {
		if (!store_delete(r->k->store, res, list.items[i]->ns, list.items[i]->name, &opt,
			&actor, NULL))
			round_at(r, r->now_ms + RETRY_MS);
	}
	object_list_fini(&list);
	return left;
}

static void
definition_reconcile(struct round *r, struct node *crd)
{
	struct node *before = node_dup(r->a, crd), *stored;

	(void)embedded_intern(r->k->store, node_path_str(crd, "spec.group").p,
	    node_path_str(crd, "spec.versions[0].name").p, node_path_str(crd, "spec.names.kind").p,
	    node_path_str(crd, "spec.names.plural").p,
	    str_is(node_path_str(crd, "spec.scope"), "Namespaced"));
	stored = node_list(r->a);
	node_push(stored, node_str(r->a, node_path_str(crd, "spec.versions[0].name")));
	node_set(r->a, node_make_path(r->a, crd, "status"), "storedVersions", stored);
	node_set(r->a, node_find(crd, "status"), "acceptedNames",
	    node_dup(r->a, node_path(crd, "spec.names")));
	kube_condition(r, crd, "NamesAccepted", "True", "NoConflicts", "no conflicts found");
	kube_condition(r, crd, "Established", "True", "InitialNamesAccepted",
	    "the initial names have been accepted");
	if (!node_eq(before, crd))
		(void)kube_put(r, "CustomResourceDefinition", crd, "kube-apiserver");
}

/* A namespace that is being deleted takes along what is in it. */
static void
namespace_drain(struct round *r, struct node *ns)
{
	static const char *const kinds[] = { "Pod", "Deployment", "DaemonSet", "StatefulSet", "Job",
		"ConfigMap", "Secret", "Service", "ServiceAccount", "ResourceQuota",
		"PersistentVolumeClaim", "Role", "RoleBinding", "Gateway", "HTTPRoute",
		"EnvoyProxy", "Lease", "ResourceClaim", "ResourceClaimTemplate", "Event" };
	struct str name = node_path_str(ns, "metadata.name");

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct node *list = kube_list(r, kinds[i]);

		for (const struct node *x = node_first(list); x != NULL; x = x->next) {
			if (str_eq(node_path_str(x, "metadata.namespace"), name))
				(void)kube_remove(
				    r, kinds[i], name, node_path_str(x, "metadata.name"));
		}
	}
}

static void
namespace_reconcile(struct round *r, struct node *ns)
{
	struct str name = node_path_str(ns, "metadata.name");

	if (node_path_str(ns, "metadata.deletionTimestamp").n > 0) {
		namespace_drain(r, ns);
		return;
	}
	if (str_is(node_path_str(ns, "status.phase"), "Active"))
		return;
	kube_label(r, ns, "kubernetes.io/metadata.name", name);
	node_set_strz(r->a, node_make_path(r->a, ns, "status"), "phase", "Active");
	(void)kube_put(r, "Namespace", ns, "kube-controller-manager"); /* again next round */
	(void)kube_put(r, "ServiceAccount", kube_new(r, "ServiceAccount", name, STR("default")),
	    "kube-controller-manager");
}

void
definitions_reconcile(struct round *r)
{
	struct node *list = kube_list(r, "CustomResourceDefinition");

	for (struct node *crd = node_first(list); crd != NULL; crd = crd->next) {
		if (node_path_str(crd, "metadata.deletionTimestamp").n > 0)
			(void)definition_drain(r, crd);
		else
			definition_reconcile(r, crd);
	}
	list = kube_list(r, "Namespace");
	for (struct node *ns = node_first(list); ns != NULL; ns = ns->next)
		namespace_reconcile(r, ns);
}
