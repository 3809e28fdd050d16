#include "backend/sim/arm_routes.h"
#include "backend/sim/resources.h"
#include "backend/sim/sim_int.h"

/*
 * Machine sizes and vCPU quota, and the checks that pools make against them.
 */

enum { SKU_PAGE = 12 };

long
family_limit(struct arm_call *c, const struct family *f)
{
	const struct fault_setting *s = fault_keyed(c->s->faults, FAULT_QUOTA, str_from(f->name));

	return s != NULL ? (long)s->number : f->limit;
}

static long
cores_limit(struct arm_call *c)
{
	const struct fault_setting *s = fault_keyed(c->s->faults, FAULT_QUOTA, STR("cores"));

	return s != NULL ? (long)s->number : CORES_LIMIT;
}

/* vCPUs of the pools at a location: of one family, or of all when it is empty. */
long
vcpus_used(struct arm_call *c, const struct location *at, struct str family, struct str but)
{
	const struct pool_index *ix = pool_index_get(c);
	long used = 0;

	for (size_t i = 0; ix != NULL && i < ix->n; i++) {
		const struct pool_use *u = &ix->items[i];

		if (u->size == NULL || u->at != at || (but.n > 0 && str_is(but, u->key)))
			continue;
		if (family.n == 0 || str_eq_nocase(family, str_from(u->size->family)))
			used += u->nodes * u->size->vcpus;
	}
	return used;
}

static bool
check_restriction(struct arm_call *c, const struct need *need, struct node **ret_outcome)
{
	const struct restriction *r = restriction_find(need->size, need->location);
	struct str message;

	if (r == NULL || r->type != RESTRICT_LOCATION)
		return true;
	message = str_printf(c,
	    "The requested VM size %s is currently not available in location %s for this "
	    "subscription "
	    "(%s).",
	    need->size->name, need->location->name, r->reason);
	if (ret_outcome != NULL && fault_number(c->s->faults, FAULT_SKU_LATE, 0) > 0) {
		*ret_outcome = error_node(c, "SkuNotAvailable", message);
		return true;
	}
	return answer_error(c, 409, "SkuNotAvailable", STR_FMT, STR_ARG(message));
}

static struct node *
quota_outcome(struct arm_call *c, const char *family, long limit, long used, long more)
{
	struct node *details = node_list(c->a), *d, *e;

	d = error_node(c, "QuotaExceeded",
	    str_printf(c,
		"Operation could not be completed as it results in exceeding approved %s Cores "
		"quota. "
		"Current Limit: %ld, Current Usage: %ld, Additional Required: %ld, (Minimum) New "
		"Limit "
		"Required: %ld.",
		family, limit, used, more, used + more));
	node_set_strz(c->a, d, "target", family);
	node_push(details, d);
	e = error_node(c, "CreateVMSSAgentPoolFailed", STR("Creation of the agent pool failed."));
	node_set(c->a, e, "details", details);
	return e;
}

static bool
check_family(struct arm_call *c, const struct need *need, const char *family, long limit,
    struct node **ret_outcome)
{
	bool all = str_is(str_from(family), "cores");
	long used =
	    vcpus_used(c, need->location, all ? str_from(NULL) : str_from(family), need->pool_key);
	long more = need->nodes * need->size->vcpus;
	struct node *n, *e;

	if (used + more <= limit)
		return true;
	if (ret_outcome != NULL && fault_number(c->s->faults, FAULT_QUOTA_LATE, 0) > 0) {
		*ret_outcome = quota_outcome(c, family, limit, used, more);
		return true;
	}
	e = error_node(c, "QuotaExceeded",
	    str_printf(c,
		"Preflight validation check for resource(s) failed. Insufficient vcpu quota "
		"requested "
		"%ld, remaining %ld for family %s for region %s.",
		more, limit > used ? limit - used : 0, family, need->location->name));
	n = node_map(c->a);
	node_set(c->a, e, "details", node_null(c->a));
	node_set_strz(c->a, e, "target", need->target);
	node_set(c->a, n, "error", e);
	answer_json(c, 400, n);
	return false;
}

static void
capacity_outcome(struct arm_call *c, const struct need *need, struct node **ret_outcome)
{
	if (ret_outcome == NULL || *ret_outcome != NULL ||
	    fault_keyed(c->s->faults, FAULT_NO_CAPACITY, str_from(need->size->name)) == NULL)
		return;
	*ret_outcome = error_node(c, need->zonal ? "ZonalAllocationFailed" : "AllocationFailed",
	    str_printf(c,
		"Allocation failed. We do not have sufficient capacity for the requested VM size "
		"in this %s.",
		need->zonal ? "zone" : "region"));
}

bool
check_quota(struct arm_call *c, const struct need *need, struct node **ret_outcome)
{
	const struct family *f = family_find(str_from(need->size->family));

	if (!check_restriction(c, need, ret_outcome) ||
	    !check_family(c, need, f->name, family_limit(c, f), ret_outcome) ||
	    !check_family(c, need, "cores", cores_limit(c), ret_outcome))
		return false;
	capacity_outcome(c, need, ret_outcome);
	return true;
}

static void
capability(struct arm_call *c, struct node *list, const char *name, struct str value)
{
	struct node *n = node_map(c->a);

	node_set_strz(c->a, n, "name", name);
	node_set(c->a, n, "value", node_str(c->a, value));
	node_push(list, n);
}

static struct node *
capabilities(struct arm_call *c, const struct vm_size *v)
{
	struct node *list = node_list(c->a);

	capability(c, list, "vCPUs", str_printf(c, "%d", v->vcpus));
	capability(c, list, "MemoryGB", str_printf(c, "%d", v->memory_gb));
	if (v->gpus > 0)
		capability(c, list, "GPUs", str_printf(c, "%d", v->gpus));
	capability(c, list, "RdmaEnabled", str_from(v->rdma ? "True" : "False"));
	capability(
	    c, list, "EphemeralOSDiskSupported", str_from(v->cached_gb > 0 ? "True" : "False"));
	if (v->cached_gb > 0)
		capability(
		    c, list, "CachedDiskBytes", str_printf(c, "%ld", v->cached_gb * 1073741824L));
	capability(c, list, "PremiumIO", STR("True"));
	capability(c, list, "CpuArchitectureType", STR("x64"));
	return list;
}

static struct node *
restriction_node(struct arm_call *c, const struct restriction *r, const struct location *l)
{
	struct node *n = node_map(c->a), *info = node_map(c->a);
	struct node *places = node_list(c->a), *values = node_list(c->a), *zones = node_list(c->a);

	node_push(places, node_strz(c->a, l->name));
	node_push(values, node_strz(c->a, l->name));
	node_set_strz(c->a, n, "reasonCode", r->reason);
	node_set(c->a, info, "locations", places);
	if (r->zone != NULL) {
		node_push(zones, node_strz(c->a, r->zone));
		node_set(c->a, info, "zones", zones);
	}
	node_set(c->a, n, "restrictionInfo", info);
	node_set_strz(c->a, n, "type", r->type == RESTRICT_ZONE ? "Zone" : "Location");
	node_set(c->a, n, "values", values);
	return n;
}

static struct node *
sku_node(struct arm_call *c, const struct vm_size *v, const struct location *l)
{
	struct node *n = node_map(c->a), *info = node_map(c->a), *infos = node_list(c->a);
	struct node *zones = node_list(c->a), *places = node_list(c->a), *limits = node_list(c->a);
	const struct restriction *r = restriction_find(v, l);
	struct str size = str_sub(str_from(v->name), sizeof("Standard_") - 1, 80);

	for (int z = 1; z <= l->zones; z++)
		node_push(zones, node_str(c->a, str_printf(c, "%d", z)));
	node_set_strz(c->a, info, "location", l->name);
	node_set(c->a, info, "zoneDetails", node_list(c->a));
	node_set(c->a, info, "zones", zones);
	node_push(infos, info);
	node_push(places, node_strz(c->a, l->name));
	if (r != NULL)
		node_push(limits, restriction_node(c, r, l));
	node_set(c->a, n, "capabilities", capabilities(c, v));
	node_set_strz(c->a, n, "family", v->family);
	node_set(c->a, n, "locationInfo", infos);
	node_set(c->a, n, "locations", places);
	node_set_strz(c->a, n, "name", v->name);
	node_set_strz(c->a, n, "resourceType", "virtualMachines");
	node_set(c->a, n, "restrictions", limits);
	node_set(c->a, n, "size", node_str(c->a, size));
	node_set_strz(c->a, n, "tier", "Standard");
	return n;
}

void
skus_list(struct arm_call *c)
{
	struct str filter = arm_query(c, "$filter"), wanted = { 0 }, rest;
	struct node *out = node_list(c->a);
	size_t nsizes, nlocations;
	const struct vm_size *v = sizes_get(&nsizes);
	const struct location *l = locations_get(&nlocations);

	if (filter.n > 0) {
		ptrdiff_t at = str_find_char(filter, '\'');

		rest = str_sub(filter, at < 0 ? filter.n : (size_t)at + 1, filter.n);
		if (!str_starts(filter, STR("location eq ")) || !str_split(&rest, '\'', &wanted)) {
			answer_error(c, 400, "InvalidFilter",
			    "The filter '" STR_FMT "' is invalid: only 'location eq' is supported.",
			    STR_ARG(filter));
			return;
		}
	}
	for (size_t i = 0; i < nlocations; i++) {
		if (wanted.n > 0 && location_find(wanted) != &l[i])
			continue;
		for (size_t k = 0; k < nsizes; k++)
			node_push(out, sku_node(c, &v[k], &l[i]));
	}
	answer_page(c, out, SKU_PAGE);
}

static void
usage_push(struct arm_call *c, struct node *list, const char *name, const char *words, long limit,
    long used)
{
	struct node *n = node_map(c->a), *m = node_map(c->a);

	node_set_int(c->a, n, "currentValue", used);
	node_set_int(c->a, n, "limit", limit);
	node_set_strz(c->a, m, "localizedValue", words);
	node_set_strz(c->a, m, "value", name);
	node_set(c->a, n, "name", m);
	node_set_strz(c->a, n, "unit", "Count");
	node_push(list, n);
}

void
usages_list(struct arm_call *c)
{
	const struct location *l = location_find(c->param[1]);
	struct node *n = node_map(c->a), *out = node_list(c->a);
	size_t count;
	const struct family *f = families_get(&count);

	if (l == NULL) {
		answer_error(c, 400, "NoRegisteredProviderFound",
		    "No registered resource provider found for location '" STR_FMT "'.",
		    STR_ARG(c->param[1]));
		return;
	}
	usage_push(c, out, "cores", "Total Regional vCPUs", cores_limit(c),
	    vcpus_used(c, l, (struct str){ 0 }, (struct str){ 0 }));
	for (size_t i = 0; i < count; i++)
		usage_push(c, out, f[i].name, f[i].display, family_limit(c, &f[i]),
		    vcpus_used(c, l, str_from(f[i].name), (struct str){ 0 }));
	node_set(c->a, n, "value", out);
	answer_json(c, 200, n);
}
