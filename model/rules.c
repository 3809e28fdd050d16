#include "model/rules_int.h"

#include "model/base/mem.h"
#include "model/schema_int.h"
#include "model/stamp.h"

/* A kind and what is checked beyond its schema. Kinds of one name in several groups share a row. */
static const struct {
	const char *kind;
	void (*check)(const struct rule_check *c);
} rows[] = {
	{ "InferenceCluster", rules_inference_cluster },
	{ "InferenceClass", rules_inference_class },
	{ "AKSCluster", rules_aks_cluster },
	{ "GKECluster", rules_gke_cluster },
	{ "EKSCluster", rules_eks_cluster },
	{ "NebiusCluster", rules_pools_only },
	{ "VultrCluster", rules_pools_only },
	{ "ServingStack", rules_serving_stack },
	{ "ProviderConfig", rules_provider_config },
	{ "ClusterProviderConfig", rules_provider_config },
};

void
rules_check(const struct kind *k, const struct node *object, const struct manifest_set *set,
    const struct known *known, struct problems *p)
{
	static const struct known nothing = { 0 };
	const struct rule_check c = {
		.kind = k,
		.object = object,
		.set = set,
		.known = known != NULL ? known : &nothing,
		.problems = p,
		.arena = p->arena,
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (str_is(str_from(k->kind), rows[i].kind))
			rows[i].check(&c);
	}
}

struct str
pool_path(const struct rule_check *c, size_t index, const char *member)
{
	return str_from(arena_printf(
	    c->arena, "spec.nodePools[%zu]%s%s", index, member[0] != '\0' ? "." : "", member));
}

const struct node *
rules_find(const struct rule_check *c, const struct kind *k, struct str name)
{
	const struct document *d = manifest_set_find(c->set, k, (struct str){ NULL, 0 }, name);

	if (d != NULL)
		return d->object;
	if (c->known->find == NULL)
		return NULL;
	return c->known->find(c->known->context, k, (struct str){ NULL, 0 }, name);
}

/* When community support of a minor version ends on AKS (facts/azure.md 3.6). */
static const struct {
	const char *minor;
	const char *end;
} calendar[] = {
	{ "1.34", "2026-11-30T23:59:59Z" },
	{ "1.35", "2027-03-31T23:59:59Z" },
	{ "1.36", "2027-06-30T23:59:59Z" },
};

enum { VERSION_MAX_CHARS = 16, VERSION_DRA_MINOR = 34 /* since when DRA is complete */ };
#define NEAR_END_MS ((int64_t)90 * 24 * 3600 * 1000)

static bool
is_minor(struct str version, const char *minor)
{
	struct str m = str_from(minor);

	return str_starts(version, m) && (version.n == m.n || version.p[m.n] == '.');
}

static void
check_calendar(const struct rule_check *c, const struct node *at, const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(calendar); i++) {
		int64_t end = stamp_or_zero(str_from(calendar[i].end));

		if (!is_minor(node_get_str(at), calendar[i].minor) ||
		    c->known->now_ms + NEAR_END_MS < end)
			continue;
		problems_add(c->problems, SEVERITY_WARNING, at, str_from(path),
		    "flightdeck/version-end", "choose a newer version",
		    "Kubernetes %s %s on AKS on %.10s", calendar[i].minor,
		    c->known->now_ms >= end ? "went out of support" : "goes out of support",
		    calendar[i].end);
	}
}

/* "1.34", "1.34.2", "v1.36.1+3": gives the 34. */
static bool
read_minor(struct str s, int64_t *ret_minor)
{
	struct str rest = str_starts(s, STR("v")) ? str_sub(s, 1, s.n) : s, piece;
	int64_t major;

	return str_split(&rest, '.', &piece) && str_to_int(piece, &major) && major == 1 &&
	       str_split(&rest, '.', &piece) && str_to_int(piece, ret_minor) && *ret_minor >= 0;
}

void
rules_version(const struct rule_check *c, const struct node *version, const char *path, bool on_aks)
{
	struct str s = node_get_str(version);
	int64_t minor = 0;

	if (version == NULL)
		return;
	if (s.n == 0)
		problems_add(c->problems, SEVERITY_ERROR, version, str_from(path),
		    "flightdeck/version", "give a version such as \"1.36\", or leave it out",
		    "must not be empty");
	else if (utf8_length(s) > VERSION_MAX_CHARS)
		problems_add(c->problems, SEVERITY_ERROR, version, str_from(path),
		    "flightdeck/version", "give a version such as \"1.36\"",
		    "has %zu characters, at most %d fit", utf8_length(s), VERSION_MAX_CHARS);
	else if (!read_minor(s, &minor))
		problems_add(c->problems, SEVERITY_ERROR, version, str_from(path),
		    "flightdeck/version", "give a version such as \"1.36\"",
		    "'" STR_FMT "' is no Kubernetes version",
		    STR_ARG(schema_shown(c->arena, NULL, version)));
	else if (minor < VERSION_DRA_MINOR)
		problems_add(c->problems, SEVERITY_WARNING, version, str_from(path),
		    "flightdeck/version-old", "choose 1.34 or newer",
		    "GPUs are claimed through DRA, which is complete from Kubernetes 1.34 on");
	else if (on_aks && c->known->now_ms > 0)
		check_calendar(c, version, path);
}

enum { POOL_MAX_NODES = 1000 };

/* What is not a count is said by the schema. */
static bool
is_count(const struct node *n)
{
	return n == NULL || (n->type == NODE_INT && n->u.integer >= 0) ||
	       (n->type == NODE_FLOAT && n->u.floating >= 0);
}

static bool
check_most(const struct rule_check *c, const struct pool_counts *n, const char *member)
{
	const struct node *at = node_find(n->pool, member);

	if (!is_count(at))
		return false;
	if (at == NULL || node_get_int(at, 0) <= POOL_MAX_NODES)
		return true;
	problems_add(c->problems, SEVERITY_ERROR, at, pool_path(c, n->index, member),
	    "flightdeck/count-limit", "split it into several pools", "is %lld, the most is %d",
	    (long long)node_get_int(at, 0), POOL_MAX_NODES);
	return false;
}

static void
fail_order(const struct rule_check *c, const struct pool_counts *n, const char *member,
    const char *advice, const char *what)
{
	const struct node *at = node_find(n->pool, member);

	problems_add(c->problems, SEVERITY_ERROR, at != NULL ? at : n->pool,
	    pool_path(c, n->index, member), "flightdeck/counts", advice, "%s", what);
}

void
rules_counts(const struct rule_check *c, const struct pool_counts *n)
{
	struct arena *a = c->arena;
	bool sane = check_most(c, n, "nodeCount");

	sane = check_most(c, n, "minNodeCount") && sane;
	sane = check_most(c, n, "maxNodeCount") && sane;
	if (!sane)
		return;
	if (n->min > n->max)
		fail_order(c, n, "minNodeCount",
		    n->max_is_default ? "set maxNodeCount"
				      : "lower minNodeCount or raise maxNodeCount",
		    arena_printf(a, "is %lld, above maxNodeCount %lld%s%s%s", (long long)n->min,
			(long long)n->max, n->max_is_default ? " (what " : "",
			n->max_is_default ? n->cloud : "",
			n->max_is_default ? " has when it is left out)" : ""));
	else if (n->count > n->max)
		fail_order(c, n, "nodeCount",
		    n->max_is_default ? "set maxNodeCount"
				      : "lower nodeCount or raise maxNodeCount",
		    arena_printf(a, "is %lld, above maxNodeCount %lld%s%s%s", (long long)n->count,
			(long long)n->max, n->max_is_default ? " (what " : "",
			n->max_is_default ? n->cloud : "",
			n->max_is_default ? " has when it is left out)" : ""));
	else if (n->count < n->min)
		fail_order(c, n, "nodeCount", "raise nodeCount or lower minNodeCount",
		    arena_printf(a, "is %lld, below minNodeCount %lld", (long long)n->count,
			(long long)n->min));
}
