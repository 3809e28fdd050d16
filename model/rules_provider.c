#include "model/rules_int.h"

#include "model/base/mem.h"
#include "model/cidr.h"
#include "model/schema_int.h"

/*
 * The provider clusters, mostly their address plans, and credential configs. Sources of the
 * ranges: spec/reconcile.md (what is composed) and facts/azure.md 3.2 (what AKS keeps for itself).
 */

struct range {
	const char *path;
	const struct node *at; /* NULL for a range of the platform */
	struct cidr cidr;
	bool good;
};

static const struct {
	const char *cidr;
	const char *what;
} aks_reserved[] = {
	{ "10.96.0.0/16", "the services' range" },
	{ "10.244.0.0/16", "the pods' range" },
	{ "169.254.0.0/16", "a range that AKS keeps for itself" },
	{ "172.30.0.0/16", "a range that AKS keeps for itself" },
	{ "172.31.0.0/16", "a range that AKS keeps for itself" },
	{ "192.0.2.0/24", "a range that AKS keeps for itself" },
};

static void
fail_range(const struct rule_check *c, const struct range *r, const char *advice, const char *what)
{
	problems_add(c->problems, SEVERITY_ERROR, r->at, str_from(r->path), "flightdeck/cidr",
	    advice, "'" STR_FMT "' %s", STR_ARG(schema_shown(c->arena, NULL, r->at)), what);
}

static const char *
network_of(const struct rule_check *c, const struct cidr *cidr)
{
	struct text t = TEXT_INIT(64);
	const char *ret;

	cidr_format(cidr, &t);
	ret = arena_printf(c->arena, "%s", text_get(&t));
	text_free(&t);
	return ret;
}

/* A range that is absent is not good and says nothing. */
static struct range
range_read(const struct rule_check *c, const struct node *at, const char *path)
{
	struct range r = { .path = path, .at = at };
	struct error err = { 0 };

	if (at == NULL)
		return r;
	if (!cidr_parse(node_get_str(at), &r.cidr, &err) || r.cidr.v6)
		fail_range(c, &r, "write it as 10.0.0.0/16", "is no IPv4 range");
	else if (!cidr_is_network(&r.cidr))
		fail_range(c, &r, arena_printf(c->arena, "write %s", network_of(c, &r.cidr)),
		    "has bits set behind its prefix");
	else
		r.good = true;
	return r;
}

static void
check_reserved(const struct rule_check *c, const struct range *r)
{
	for (size_t i = 0; i < ARRAY_LEN(aks_reserved) && r->good; i++) {
		struct cidr other;

		if (!cidr_parse(str_from(aks_reserved[i].cidr), &other, NULL) ||
		    !cidr_overlaps(&r->cidr, &other))
			continue;
		fail_range(c, r, "choose another range",
		    arena_printf(
			c->arena, "overlaps %s, %s", aks_reserved[i].cidr, aks_reserved[i].what));
	}
}

static void
check_inside(const struct rule_check *c, const struct range *inner, const struct range *outer)
{
	if (inner->good && outer->good && !cidr_contains(&outer->cidr, &inner->cidr))
		fail_range(c, inner, "choose a part of it",
		    arena_printf(
			c->arena, "is not inside %s %s", outer->path, network_of(c, &outer->cidr)));
}

static void
check_apart(const struct rule_check *c, const struct range *a, const struct range *b)
{
	if (a->good && b->good && cidr_overlaps(&a->cidr, &b->cidr))
		fail_range(c, b, "choose ranges that do not meet",
		    arena_printf(c->arena, "overlaps %s %s", a->path, network_of(c, &a->cidr)));
}

static void
check_smallest(const struct rule_check *c, const struct range *r, unsigned bits)
{
	if (r->good && r->cidr.bits > bits)
		fail_range(c, r, arena_printf(c->arena, "give it a prefix of %u or less", bits),
		    "is too small");
}

/* Counts and names that the tables cannot say; defaults are filled in by now. */
static void
check_pool(const struct rule_check *c, const struct node *pool, size_t index, bool on_aks)
{
	bool gpu = str_is(node_get_str(node_find(pool, "role")), "GPU");
	const struct node *name = node_find(pool, "name");
	const struct node *min = node_find(pool, "minNodeCount");
	const struct node *max = node_find(pool, "maxNodeCount");
	int64_t count = node_get_int(node_find(pool, "nodeCount"), 1);
	struct pool_counts n = {
		.count = count,
		.min = node_get_int(min, max == NULL ? count : 0),
		.max = node_get_int(max, count),
		.pool = pool,
		.index = index,
		.cloud = "",
	};

	rules_counts(c, &n);
	if (gpu && str_is(node_get_str(name), "system"))
		problems_add(c->problems, SEVERITY_ERROR, name, pool_path(c, index, "name"),
		    "flightdeck/pool-system", "choose another name, or role: System",
		    "a GPU pool cannot be called 'system'");
	if (!on_aks && node_get_str(name).n > 0 &&
	    !(name_is_label(node_get_str(name)) && node_get_str(name).p[0] >= 'a'))
		problems_add(c->problems, SEVERITY_ERROR, name, pool_path(c, index, "name"),
		    "flightdeck/pool-name",
		    "lower-case letters, digits and '-', beginning with a letter, ending without "
		    "'-'",
		    "'" STR_FMT "' is no pool name", STR_ARG(schema_shown(c->arena, NULL, name)));
	if (on_aks && gpu && n.min == 0)
		problems_add(c->problems, SEVERITY_WARNING,
		    min != NULL && min->line > 0 ? min : pool, pool_path(c, index, "minNodeCount"),
		    "flightdeck/min-zero", "set minNodeCount to 1 or more",
		    "AKS cannot bring a GPU pool back from zero nodes");
}

static void
check_pools(const struct rule_check *c, bool on_aks)
{
	size_t index = 0;

	for (const struct node *x = node_first(node_path(c->object, "spec.nodePools")); x != NULL;
	     x = x->next)
		check_pool(c, x, index++, on_aks);
	rules_version(
	    c, node_path(c->object, "spec.kubernetesVersion"), "spec.kubernetesVersion", on_aks);
}

void
rules_pools_only(const struct rule_check *c)
{
	check_pools(c, false);
}

void
rules_aks_cluster(const struct rule_check *c)
{
	const struct node *net = node_path(c->object, "spec.networking");
	struct range vnet = range_read(c, node_find(net, "vnetCidr"), "spec.networking.vnetCidr");
	struct range subnet =
	    range_read(c, node_find(net, "subnetCidr"), "spec.networking.subnetCidr");

	check_pools(c, true);
	check_reserved(c, &vnet);
	check_inside(c, &subnet, &vnet);
	check_smallest(c, &vnet, 29);
	check_smallest(c, &subnet, 29);
}

void
rules_gke_cluster(const struct rule_check *c)
{
	const struct node *net = node_path(c->object, "spec.networking");
	struct range pods = range_read(c, node_find(net, "podCidr"), "spec.networking.podCidr");
	struct range services =
	    range_read(c, node_find(net, "serviceCidr"), "spec.networking.serviceCidr");
	struct range nodes = range_read(c, node_find(net, "nodeCidr"), "spec.networking.nodeCidr");

	check_pools(c, false);
	check_apart(c, &pods, &services);
	check_apart(c, &pods, &nodes);
	check_apart(c, &services, &nodes);
}

/* Each public subnet has a private twin, 48 further in the third octet. */
static void
check_twin(const struct rule_check *c, const struct range *subnet, const struct range *vpc)
{
	struct cidr twin = subnet->cidr;

	if (!subnet->good || !vpc->good)
		return;
	if (twin.address[2] + 48 > 255) {
		fail_range(c, subnet, "choose one with a third number below 208",
		    "leaves no room for its private twin");
		return;
	}
	twin.address[2] = (uint8_t)(twin.address[2] + 48);
	if (!cidr_contains(&vpc->cidr, &twin))
		fail_range(c, subnet, "choose a larger VPC range, or an earlier subnet",
		    arena_printf(c->arena, "has its private twin %s outside of %s",
			network_of(c, &twin), network_of(c, &vpc->cidr)));
}

enum { EKS_MAX_SUBNETS = 6 };

void
rules_eks_cluster(const struct rule_check *c)
{
	const struct node *net = node_path(c->object, "spec.networking");
	struct range vpc = range_read(c, node_find(net, "vpcCidr"), "spec.networking.vpcCidr");
	struct range subnets[EKS_MAX_SUBNETS];
	size_t n = 0;

	check_pools(c, false);
	for (const struct node *x = node_first(node_find(net, "subnetCidrs"));
	     x != NULL && n < EKS_MAX_SUBNETS; x = x->next, n++) {
		subnets[n] =
		    range_read(c, x, arena_printf(c->arena, "spec.networking.subnetCidrs[%zu]", n));
		check_inside(c, &subnets[n], &vpc);
		check_twin(c, &subnets[n], &vpc);
		for (size_t i = 0; i < n; i++)
			check_apart(c, &subnets[i], &subnets[n]);
	}
}

void
rules_serving_stack(const struct rule_check *c)
{
	const struct node *stack = node_path(c->object, "spec.stack");

	if (c->known->for_apply && str_is(node_get_str(stack), "Dynamo"))
		problems_add(c->problems, SEVERITY_ERROR, stack, STR("spec.stack"),
		    "flightdeck/stack-not-ready", "use Standard",
		    "the Dynamo stack cannot be installed yet");
}

void
rules_provider_config(const struct rule_check *c)
{
	const struct node *credentials = node_path(c->object, "spec.credentials");
	const struct node *source = node_find(credentials, "source");

	if (str_is(node_get_str(source), "Secret") && node_find(credentials, "secretRef") == NULL)
		problems_add(c->problems, SEVERITY_ERROR, source, STR("spec.credentials.secretRef"),
		    "flightdeck/secret-ref", "name the Secret and its key",
		    "source Secret names no Secret");
}
