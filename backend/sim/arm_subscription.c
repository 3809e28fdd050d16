#include "backend/sim/arm_routes.h"
#include "backend/sim/operations.h"
#include "backend/sim/sim_int.h"

/*
 * The subscription itself: what it is, where it may be, and which providers and features it has
 * registered.
 */

static const char *const namespaces[] = { "Microsoft.ContainerService", "Microsoft.Compute",
	"Microsoft.Network", "Microsoft.Storage", "Microsoft.ManagedIdentity",
	"Microsoft.Authorization", "Microsoft.Features", "Microsoft.OperationalInsights" };

void
subscription_get(struct arm_call *c)
{
	struct node *n = node_map(c->a), *p = node_map(c->a);

	node_set_strz(c->a, n, "authorizationSource", "RoleBased");
	node_set_strz(c->a, n, "displayName", "practice");
	node_set(c->a, n, "id",
	    node_str(c->a, str_printf(c, "/subscriptions/%s", c->s->id.subscription)));
	node_set(c->a, n, "managedByTenants", node_list(c->a));
	node_set_strz(c->a, n, "state", "Enabled");
	node_set_strz(c->a, n, "subscriptionId", c->s->id.subscription);
	node_set_strz(c->a, p, "locationPlacementId", "Public_2014-09-01");
	node_set_strz(c->a, p, "quotaId", "PayAsYouGo_2014-09-01");
	node_set_strz(c->a, p, "spendingLimit", "Off");
	node_set(c->a, n, "subscriptionPolicies", p);
	node_set_strz(c->a, n, "tenantId", c->s->id.tenant);
	answer_json(c, 200, n);
}

static struct node *
location_node(struct arm_call *c, const struct location *l)
{
	struct node *n = node_map(c->a), *m = node_map(c->a), *zones = node_list(c->a);

	for (int z = 1; z <= l->zones; z++) {
		struct node *zone = node_map(c->a);

		node_set(c->a, zone, "logicalZone", node_str(c->a, str_printf(c, "%d", z)));
		node_set(c->a, zone, "physicalZone",
		    node_str(c->a, str_printf(c, "%s-az%d", l->name, z)));
		node_push(zones, zone);
	}
	if (l->zones > 0)
		node_set(c->a, n, "availabilityZoneMappings", zones);
	node_set_strz(c->a, n, "displayName", l->display);
	node_set(c->a, n, "id",
	    node_str(c->a,
		str_printf(c, "/subscriptions/%s/locations/%s", c->s->id.subscription, l->name)));
	node_set_strz(c->a, m, "geography", l->geography);
	node_set_strz(c->a, m, "geographyGroup", l->geography);
	node_set(c->a, m, "pairedRegion", node_list(c->a));
	node_set_strz(c->a, m, "physicalLocation", l->display);
	node_set_strz(c->a, m, "regionCategory", "Recommended");
	node_set_strz(c->a, m, "regionType", "Physical");
	node_set(c->a, n, "metadata", m);
	node_set_strz(c->a, n, "name", l->name);
	node_set(c->a, n, "regionalDisplayName",
	    node_str(c->a, str_printf(c, "(%s) %s", l->geography, l->display)));
	node_set_strz(c->a, n, "type", "Region");
	return n;
}

void
locations_list(struct arm_call *c)
{
	struct node *n = node_map(c->a), *list = node_list(c->a);
	size_t count;
	const struct location *l = locations_get(&count);

	for (size_t i = 0; i < count; i++)
		node_push(list, location_node(c, &l[i]));
	node_set(c->a, n, "value", list);
	answer_json(c, 200, n);
}

static const char *
namespace_find(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(namespaces); i++) {
		if (str_eq_nocase(name, str_from(namespaces[i])))
			return namespaces[i];
	}
	return NULL;
}

static struct str
provider_state(struct arm_call *c, const char *ns)
{
	struct node *p = doc_load(c, DOC_PROVIDER, doc_key(c, "%s", ns));

	if (p != NULL)
		return node_get_str(node_find(p, "registrationState"));
	return fault_keyed(c->s->faults, FAULT_UNREGISTERED, str_from(ns)) != NULL
		   ? STR("NotRegistered")
		   : STR("Registered");
}

static void
provider_answer(struct arm_call *c, const char *ns, struct str state)
{
	struct node *n = node_map(c->a), *types = node_list(c->a);
	struct node *versions = node_list(c->a), *places = node_list(c->a), *type = node_map(c->a);
	size_t count;
	const struct location *l = locations_get(&count);

	node_set(c->a, n, "id",
	    node_str(
		c->a, str_printf(c, "/subscriptions/%s/providers/%s", c->s->id.subscription, ns)));
	node_set_strz(c->a, n, "namespace", ns);
	node_set_strz(c->a, n, "registrationPolicy", "RegistrationRequired");
	node_set(c->a, n, "registrationState", node_str(c->a, state));
	if (str_is(str_from(ns), "Microsoft.ContainerService")) {
		node_push(versions, node_strz(c->a, "2026-08-01"));
		node_push(versions, node_strz(c->a, "2026-03-01"));
		node_push(versions, node_strz(c->a, "2025-10-01"));
		for (size_t i = 0; i < count; i++)
			node_push(places, node_strz(c->a, l[i].display));
		node_set(c->a, type, "apiVersions", versions);
		node_set_strz(c->a, type, "capabilities", "SupportsTags, SupportsLocation");
		node_set(c->a, type, "locations", places);
		node_set_strz(c->a, type, "resourceType", "managedClusters");
		node_push(types, type);
	}
	node_set(c->a, n, "resourceTypes", types);
	answer_json(c, 200, n);
}

static const char *
provider_of_path(struct arm_call *c)
{
	const char *ns = namespace_find(c->param[1]);

	if (ns == NULL)
		answer_error(c, 404, "InvalidResourceNamespace",
		    "The resource namespace '" STR_FMT "' is invalid.", STR_ARG(c->param[1]));
	return ns;
}

void
provider_get(struct arm_call *c)
{
	const char *ns = provider_of_path(c);

	if (ns != NULL)
		provider_answer(c, ns, provider_state(c, ns));
}

static bool
state_save(struct arm_call *c, enum doc_kind kind, struct str key, const char *state)
{
	struct node *doc = node_map(c->a);

	node_set_strz(c->a, doc, "registrationState", state);
	return doc_save(c, kind, key, doc);
}

void
provider_register(struct arm_call *c)
{
	const char *ns = provider_of_path(c);
	struct str state;

	if (ns == NULL)
		return;
	state = provider_state(c, ns);
	if (str_is(state, "NotRegistered")) {
		struct str key = doc_key(c, "%s", ns);

		(void)operation_start(
		    c, &(struct op_start){ .verb = OP_PROVIDER_REGISTER, .target = key }, 0);
		if (!state_save(c, DOC_PROVIDER, key, "Registering"))
			return;
		state = STR("Registering");
	}
	provider_answer(c, ns, state);
}

void
provider_finish(
    struct arm_call *c, struct str target, const struct node *op, const struct node *failure)
{
	(void)op;
	(void)state_save(c, DOC_PROVIDER, target, failure != NULL ? "NotRegistered" : "Registered");
}

static struct str
feature_state(struct arm_call *c, struct str key)
{
	struct node *f = doc_load(c, DOC_FEATURE, key);

	if (f != NULL)
		return node_get_str(node_find(f, "registrationState"));
	return fault_keyed(c->s->faults, FAULT_FEATURE_OFF, c->param[2]) != NULL
		   ? STR("NotRegistered")
		   : STR("Registered");
}

static void
feature_answer(struct arm_call *c, struct str state)
{
	struct node *n = node_map(c->a), *p = node_map(c->a);

	node_set(c->a, n, "id",
	    node_str(c->a, str_printf(c,
			       "/subscriptions/%s/providers/Microsoft.Features/providers/" STR_FMT
			       "/features/" STR_FMT,
			       c->s->id.subscription, STR_ARG(c->param[1]), STR_ARG(c->param[2]))));
	node_set(c->a, n, "name",
	    node_str(c->a,
		str_printf(c, STR_FMT "/" STR_FMT, STR_ARG(c->param[1]), STR_ARG(c->param[2]))));
	node_set(c->a, p, "state", node_str(c->a, state));
	node_set(c->a, n, "properties", p);
	node_set_strz(c->a, n, "type", "Microsoft.Features/providers/features");
	answer_json(c, 200, n);
}

static struct str
feature_key(struct arm_call *c)
{
	return doc_key(c, STR_FMT "/" STR_FMT, STR_ARG(c->param[1]), STR_ARG(c->param[2]));
}

void
feature_get(struct arm_call *c)
{
	feature_answer(c, feature_state(c, feature_key(c)));
}

void
feature_register(struct arm_call *c)
{
	struct str key = feature_key(c), state = feature_state(c, key);

	if (str_is(state, "NotRegistered")) {
		(void)operation_start(
		    c, &(struct op_start){ .verb = OP_FEATURE_REGISTER, .target = key }, 0);
		if (!state_save(c, DOC_FEATURE, key, "Registering"))
			return;
		state = STR("Registering");
	}
	feature_answer(c, state);
}

void
feature_finish(
    struct arm_call *c, struct str target, const struct node *op, const struct node *failure)
{
	(void)op;
	(void)state_save(c, DOC_FEATURE, target, failure != NULL ? "NotRegistered" : "Registered");
}
