#include "model/rules_int.h"

#include "model/base/mem.h"
#include "model/display.h"
#include "model/kinds/inference_class.h"
#include "model/kinds/inference_cluster.h"
#include "model/quantity.h"
#include "model/schema_int.h"
#include "model/semver.h"

/*
 * InferenceCluster and InferenceClass. What each cloud can do is a row; the checks walk rows.
 */

enum pool_name_form { NAME_AKS, NAME_DNS, NAME_LABEL };

struct cloud_facts {
	const char *source;
	const char *block; /* of spec.cluster and of a class's provisioning */
	enum pool_name_form names;
	bool ready; /* can be applied */
	bool efa, infiniband, capacity_blocks;
	bool wants_zones;
	bool fixed_without_max; /* else a pool grows up to default_max */
	bool calendar;		/* until when its versions are supported is known (rules.c) */
	bool stays_at_zero;	/* a GPU pool without nodes does not grow again */
	const char *zone_advice;
	int64_t least_nodes;
	size_t max_zones, max_zone_chars;
	int64_t default_max;
};

/* clang-format off */
static const struct cloud_facts clouds[] = {
	{ "GKE",      "gke",      NAME_DNS,   .wants_zones = true, .max_zones = 8, .max_zone_chars = 63, .default_max = 8 },
	{ "EKS",      "eks",      NAME_DNS,   .wants_zones = true, .max_zones = 8, .max_zone_chars = 63, .default_max = 8,
	  .efa = true, .capacity_blocks = true },
	{ "AKS",      "aks",      NAME_AKS,   .ready = true, .infiniband = true, .max_zones = 3, .max_zone_chars = 8, .default_max = 8,
	  .calendar = true, .stays_at_zero = true,
	  .zone_advice = "AKS calls its zones \"1\", \"2\" and \"3\"" },
	{ "Nebius",   "nebius",   NAME_DNS,   .infiniband = true, .fixed_without_max = true },
	{ "Vultr",    "vultr",    NAME_DNS,   .fixed_without_max = true, .least_nodes = 1 },
	{ "Existing", "existing", NAME_LABEL, .fixed_without_max = true },
};
/* clang-format on */

struct pool_check {
	const struct rule_check *c;
	const struct cloud_facts *cloud;
	const struct node *pool;
	size_t index;
};

static const struct cloud_facts *
facts_of(struct str source)
{
	for (size_t i = 0; i < ARRAY_LEN(clouds); i++) {
		if (str_is(source, clouds[i].source))
			return &clouds[i];
	}
	return NULL;
}

static bool
is_provisioned(const struct cloud_facts *cloud)
{
	return cloud->names != NAME_LABEL;
}

static bool
is_aks_name(struct str s)
{
	if (s.n == 0 || s.n > 12 || s.p[0] < 'a' || s.p[0] > 'z')
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (!((s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= '0' && s.p[i] <= '9')))
			return false;
	}
	return true;
}

static void
check_pool_name(const struct pool_check *p)
{
	static const struct {
		const char *what;
		const char *advice;
	} forms[] = {
		[NAME_AKS] = { "is no agent-pool name of AKS",
		    "at most 12 characters: a lower-case letter, then lower-case letters and "
		    "digits" },
		[NAME_DNS] = { "is no pool name", "lower-case letters, digits and '-', beginning "
						  "with a letter, ending without '-'" },
		[NAME_LABEL] = { "cannot be the value of a node label",
		    "letters, digits, '-', '_' and '.', beginning and ending with a letter or "
		    "digit" },
	};
	const struct node *name = node_find(p->pool, "name");
	struct str s = node_get_str(name);
	enum pool_name_form form = p->cloud->names;
	bool fits = form == NAME_AKS   ? is_aks_name(s)
		    : form == NAME_DNS ? name_is_label(s) && s.p[0] >= 'a'
				       : s.n > 0 && name_is_label_value(s);

	if (name == NULL || name->type != NODE_STRING)
		return;
	if (!fits)
		problems_add(p->c->problems, SEVERITY_ERROR, name,
		    pool_path(p->c, p->index, "name"), "flightdeck/pool-name", forms[form].advice,
		    "'" STR_FMT "' %s", STR_ARG(schema_shown(p->c->arena, NULL, name)),
		    forms[form].what);
	if (is_provisioned(p->cloud) && str_is(s, "system"))
		problems_add(p->c->problems, SEVERITY_ERROR, name,
		    pool_path(p->c, p->index, "name"), "flightdeck/pool-system",
		    "choose another name",
		    "'system' is the pool that every cluster gets by itself");
}

static void
check_fabric(const struct pool_check *p)
{
	const struct node *type = node_path(p->pool, "fabric.type");
	struct str s = node_get_str(type);

	if (str_is(s, "EFA") && !p->cloud->efa)
		problems_add(p->c->problems, SEVERITY_ERROR, type,
		    pool_path(p->c, p->index, "fabric.type"), "flightdeck/fabric",
		    "take fabric out: nodes then talk over TCP",
		    "EFA exists on EKS only, not on %s", p->cloud->source);
	if (str_is(s, "InfiniBand") && !p->cloud->infiniband)
		problems_add(p->c->problems, SEVERITY_ERROR, type,
		    pool_path(p->c, p->index, "fabric.type"), "flightdeck/fabric",
		    "take fabric out: nodes then talk over TCP",
		    "InfiniBand exists on Nebius and AKS only, not on %s", p->cloud->source);
	if (node_find(p->pool, "capacityBlock") != NULL && !p->cloud->capacity_blocks)
		problems_add(p->c->problems, SEVERITY_ERROR, node_find(p->pool, "capacityBlock"),
		    pool_path(p->c, p->index, "capacityBlock"), "flightdeck/capacity-block",
		    "take it out", "capacity blocks exist on EKS only, not on %s",
		    p->cloud->source);
}

static void
check_zones(const struct pool_check *p)
{
	const struct node *zones = node_find(p->pool, "zones");
	size_t n = node_count(zones), i = 0;

	if (p->cloud->wants_zones && n == 0)
		problems_add(p->c->problems, SEVERITY_ERROR, zones != NULL ? zones : p->pool,
		    pool_path(p->c, p->index, "zones"), "flightdeck/zones",
		    "list the zones that have this machine", "%s wants zones for a GPU pool",
		    p->cloud->source);
	if (p->cloud->max_zones > 0 && n > p->cloud->max_zones)
		problems_add(p->c->problems, SEVERITY_ERROR, zones,
		    pool_path(p->c, p->index, "zones"), "flightdeck/zones", "list fewer",
		    "has %zu zones, %s takes at most %zu", n, p->cloud->source,
		    p->cloud->max_zones);
	for (const struct node *x = node_first(zones); x != NULL; x = x->next, i++) {
		size_t chars = node_get_str(x).n;

		if (p->cloud->max_zone_chars == 0 ||
		    (chars >= 1 && chars <= p->cloud->max_zone_chars))
			continue;
		problems_add(p->c->problems, SEVERITY_ERROR, x,
		    pool_path(p->c, p->index, arena_printf(p->c->arena, "zones[%zu]", i)),
		    "flightdeck/zones",
		    p->cloud->zone_advice != NULL ? p->cloud->zone_advice : "correct the name",
		    "is no zone of %s", p->cloud->source);
	}
}

static void
check_counts(const struct pool_check *p)
{
	const struct node *min = node_find(p->pool, "minNodeCount");
	const struct node *max = node_find(p->pool, "maxNodeCount");
	int64_t count = node_get_int(node_find(p->pool, "nodeCount"), 1);
	struct pool_counts n = {
		.count = count,
		.min = node_get_int(min, p->cloud->fixed_without_max ? count : 0),
		.max = node_get_int(max, p->cloud->default_max),
		.pool = p->pool,
		.index = p->index,
		.cloud = p->cloud->source,
		.max_is_default = max == NULL,
	};

	if (max == NULL && p->cloud->fixed_without_max)
		n.max = count > n.min ? count : n.min; /* a fixed pool */
	rules_counts(p->c, &n);
	if (min != NULL && max == NULL && p->cloud->fixed_without_max && is_provisioned(p->cloud))
		problems_add(p->c->problems, SEVERITY_ERROR, min,
		    pool_path(p->c, p->index, "minNodeCount"), "flightdeck/counts",
		    "set maxNodeCount too, or take minNodeCount out",
		    "%s wants maxNodeCount with minNodeCount", p->cloud->source);
	if (count < p->cloud->least_nodes)
		problems_add(p->c->problems, SEVERITY_ERROR, node_find(p->pool, "nodeCount"),
		    pool_path(p->c, p->index, "nodeCount"), "flightdeck/counts",
		    "set it to 1 or more", "a pool on %s has at least one node", p->cloud->source);
	if (p->cloud->stays_at_zero && n.min == 0)
		problems_add(p->c->problems, SEVERITY_WARNING, min != NULL ? min : p->pool,
		    pool_path(p->c, p->index, "minNodeCount"), "flightdeck/min-zero",
		    "set minNodeCount to 1 or more",
		    "%s cannot bring a GPU pool back from zero nodes", p->cloud->source);
}

/* The class is what decides: its block of the source, not its provider, is used. */
static void
check_class(const struct pool_check *p)
{
	const struct node *at = node_find(p->pool, "className");
	struct str name = node_get_str(at);
	const struct node *class = rules_find(p->c, &inference_class_kind, name);
	const struct node *recipe, *provider;
	struct str shown;

	if (name.n == 0)
		return;
	shown = schema_shown(p->c->arena, NULL, at);
	if (class == NULL) {
		problems_add(p->c->problems, SEVERITY_WARNING, at,
		    pool_path(p->c, p->index, "className"), "flightdeck/class-missing",
		    "apply the class too: the cluster waits for it",
		    "no InferenceClass '" STR_FMT "' is known", STR_ARG(shown));
		return;
	}
	if (!is_provisioned(p->cloud))
		return;
	recipe = node_find(node_path(class, "spec.provisioning"), p->cloud->block);
	provider = node_path(class, "spec.provisioning.provider");
	/* A class is a tested recipe for the provider it names; other blocks in it are not. */
	if (recipe == NULL || !str_is(node_get_str(provider), p->cloud->source))
		problems_add(p->c->problems, SEVERITY_ERROR, at,
		    pool_path(p->c, p->index, "className"), "flightdeck/class-provider",
		    arena_printf(p->c->arena,
			"choose a class for %s, or write one with provider %s and a %s block",
			p->cloud->source, p->cloud->source, p->cloud->block),
		    "InferenceClass '" STR_FMT "' is %s" STR_FMT ", the cluster's source is %s",
		    STR_ARG(shown),
		    provider != NULL ? "for " : "for hardware that is already there",
		    STR_ARG(node_get_str(provider)), p->cloud->source);
}

static void
check_pool(const struct rule_check *c, const struct cloud_facts *cloud, const struct node *pool,
    size_t index)
{
	const struct pool_check p = { .c = c, .cloud = cloud, .pool = pool, .index = index };

	check_pool_name(&p);
	check_counts(&p);
	check_zones(&p);
	check_fabric(&p);
	check_class(&p);
}

static void
check_ready(const struct rule_check *c, const struct cloud_facts *cloud)
{
	const struct node *stack = node_path(c->object, "spec.stack");

	if (!c->known->for_apply)
		return;
	if (!cloud->ready)
		problems_add(c->problems, SEVERITY_ERROR,
		    node_path(c->object, "spec.cluster.source"), STR("spec.cluster.source"),
		    "flightdeck/source-not-ready",
		    "'flightdeck validate' checks it; AKS can be applied",
		    "clusters from %s cannot be made yet", cloud->source);
	if (str_is(node_get_str(stack), "Dynamo"))
		problems_add(c->problems, SEVERITY_ERROR, stack, STR("spec.stack"),
		    "flightdeck/stack-not-ready", "use Standard",
		    "the Dynamo stack cannot be installed yet");
}

void
rules_inference_cluster(const struct rule_check *c)
{
	const struct node *source = node_path(c->object, "spec.cluster.source");
	const struct cloud_facts *cloud = facts_of(node_get_str(source));
	const struct node *pools = node_path(c->object, "spec.nodePools");
	const struct node *block;
	size_t index = 0;

	if (cloud == NULL)
		return;
	check_ready(c, cloud);
	block = node_find(node_path(c->object, "spec.cluster"), cloud->block);
	rules_version(c, node_find(block, "kubernetesVersion"),
	    arena_printf(c->arena, "spec.cluster.%s.kubernetesVersion", cloud->block),
	    cloud->calendar);
	if (node_count(pools) == 0 && is_provisioned(cloud))
		problems_add(c->problems, SEVERITY_ERROR, node_find(c->object, "spec"),
		    STR("spec.nodePools"), "flightdeck/no-pools", "declare at least one pool",
		    "a cluster made on %s wants a GPU pool", cloud->source);
	for (const struct node *pool = node_first(pools); pool != NULL; pool = pool->next)
		check_pool(c, cloud, pool, index++);
}

static void
check_capacity(const struct rule_check *c, const struct node *device, size_t index)
{
	for (const struct node *x = node_first(node_find(device, "capacity")); x != NULL;
	     x = x->next) {
		const struct node *value = node_find(x, "value");
		struct quantity q;

		if (value == NULL || quantity_parse(node_get_str(value), &q, NULL))
			continue;
		problems_add(c->problems, SEVERITY_WARNING, value,
		    str_from(arena_printf(c->arena, "spec.devices[%zu].capacity." STR_FMT ".value",
			index, STR_ARG(display_cut(c->arena, x->key, SCHEMA_SHOWN_CHARS).s))),
		    "flightdeck/quantity", "write it as 80Gi or 500M",
		    "'" STR_FMT "' is no quantity", STR_ARG(schema_shown(c->arena, NULL, value)));
	}
}

static void
check_versions(const struct rule_check *c, const struct node *device, size_t index)
{
	for (const struct node *x = node_first(node_find(device, "attributes")); x != NULL;
	     x = x->next) {
		const struct node *value = node_find(x, "version");
		struct semver v;

		if (value == NULL || semver_parse(node_get_str(value), &v, NULL))
			continue;
		problems_add(c->problems, SEVERITY_WARNING, value,
		    str_from(
			arena_printf(c->arena, "spec.devices[%zu].attributes." STR_FMT ".version",
			    index, STR_ARG(display_cut(c->arena, x->key, SCHEMA_SHOWN_CHARS).s))),
		    "flightdeck/semver", "write three numbers, such as 9.0.0",
		    "'" STR_FMT "' is no semantic version",
		    STR_ARG(schema_shown(c->arena, NULL, value)));
	}
}

void
rules_inference_class(const struct rule_check *c)
{
	size_t index = 0;

	for (const struct node *x = node_first(node_path(c->object, "spec.devices")); x != NULL;
	     x = x->next, index++) {
		check_capacity(c, x, index);
		check_versions(c, x, index);
	}
}
