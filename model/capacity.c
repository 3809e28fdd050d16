#include "model/capacity.h"

#include "model/base/mem.h"

static const char *const default_drivers[] = { CAPACITY_DRIVER, NULL };

static bool
condition_true(const struct node *object, const char *type)
{
	struct node *list = node_path(object, "status.conditions");

	for (const struct node *c = node_first(list); c != NULL; c = c->next)
		if (str_is(node_get_str(node_find(c, "type")), type))
			return str_is(node_get_str(node_find(c, "status")), "True");
	return false;
}

static void
nodes_read(const struct node *list, struct capacity_node *to)
{
	for (const struct node *n = node_first(list); n != NULL; n = n->next, to++) {
		*to = (struct capacity_node){ .gpus = -1, .claimed = -1 };
		to->name = node_path_str(n, "metadata.name");
		to->pool =
		    node_get_str(node_find(node_path(n, "metadata.labels"), CAPACITY_POOL_LABEL));
		to->ready = condition_true(n, "Ready");
		to->cordoned = node_path_bool(n, "spec.unschedulable", false);
	}
}

static struct capacity_node *
node_named(struct capacity_node *nodes, size_t n, struct str name)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(nodes[i].name, name))
			return &nodes[i];
	return NULL;
}

static bool
driver_counts(const char *const *drivers, struct str driver)
{
	for (; *drivers != NULL; drivers++)
		if (str_is(driver, *drivers))
			return true;
	return false;
}

/* A driver publishes a pool anew under a higher generation: older slices of it are leftovers. */
static bool
is_outdated(const struct node *slices, const struct node *slice)
{
	struct str driver = node_path_str(slice, "spec.driver");
	struct str pool = node_path_str(slice, "spec.pool.name");
	int64_t generation = node_path_int(slice, "spec.pool.generation", 0);

	for (const struct node *s = node_first(slices); s != NULL; s = s->next)
		if (str_eq(node_path_str(s, "spec.pool.name"), pool) &&
		    str_eq(node_path_str(s, "spec.driver"), driver) &&
		    node_path_int(s, "spec.pool.generation", 0) > generation)
			return true;
	return false;
}

static void
slices_read(
    const struct node *slices, const char *const *drivers, struct capacity_node *nodes, size_t n)
{
	for (const struct node *s = node_first(slices); s != NULL; s = s->next) {
		struct capacity_node *node =
		    node_named(nodes, n, node_path_str(s, "spec.nodeName"));

		if (node == NULL || !driver_counts(drivers, node_path_str(s, "spec.driver")) ||
		    is_outdated(slices, s))
			continue;
		if (node->gpus < 0)
			node->gpus = node->claimed = 0;
		node->gpus += (int64_t)node_count(node_path(s, "spec.devices"));
	}
}

/* The node that a published pool belongs to. */
static struct capacity_node *
node_of_pool(const struct node *slices, struct str driver, struct str pool,
    struct capacity_node *nodes, size_t n)
{
	for (const struct node *s = node_first(slices); s != NULL; s = s->next)
		if (str_eq(node_path_str(s, "spec.pool.name"), pool) &&
		    str_eq(node_path_str(s, "spec.driver"), driver))
			return node_named(nodes, n, node_path_str(s, "spec.nodeName"));
	return NULL;
}

static struct node *
results_of(const struct node *claim)
{
	return node_path(claim, "status.allocation.devices.results");
}

/* Two claims may share a device: it counts once. */
static bool
is_counted(const struct node *claims, const struct node *until_claim, const struct node *result)
{
	struct str pool = node_get_str(node_find(result, "pool"));
	struct str device = node_get_str(node_find(result, "device"));

	for (const struct node *c = node_first(claims); c != NULL; c = c->next) {
		for (const struct node *r = node_first(results_of(c)); r != NULL; r = r->next) {
			if (r == result)
				return false;
			if (str_eq(node_get_str(node_find(r, "pool")), pool) &&
			    str_eq(node_get_str(node_find(r, "device")), device))
				return true;
		}
		if (c == until_claim)
			break;
	}
	return false;
}

static void
claims_read(const struct node *claims, const struct node *slices, const char *const *drivers,
    struct capacity_node *nodes, size_t n)
{
	for (const struct node *c = node_first(claims); c != NULL; c = c->next) {
		for (const struct node *r = node_first(results_of(c)); r != NULL; r = r->next) {
			struct str driver = node_get_str(node_find(r, "driver"));
			struct capacity_node *node;

			if (!driver_counts(drivers, driver) ||
			    node_get_bool(node_find(r, "adminAccess"), false))
				continue;
			node = node_of_pool(
			    slices, driver, node_get_str(node_find(r, "pool")), nodes, n);
			if (node != NULL && node->claimed >= 0 && !is_counted(claims, c, r))
				node->claimed++;
		}
	}
}

bool
capacity_read(struct arena *a, const struct capacity_lists *lists, struct capacity_node **ret_nodes,
    size_t *ret_n, struct error *err)
{
	const char *const *drivers = lists->drivers != NULL ? lists->drivers : default_drivers;
	size_t n = node_count(lists->nodes);
	struct capacity_node *out = arena_array(a, n + 1, sizeof(*out));

	if (out == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory to count nodes");
	nodes_read(lists->nodes, out);
	slices_read(lists->slices, drivers, out, n);
	claims_read(lists->claims, lists->slices, drivers, out, n);
	if (lists->claims == NULL)
		for (size_t i = 0; i < n; i++)
			out[i].claimed = -1;
	*ret_nodes = out;
	*ret_n = n;
	return true;
}

struct capacity_sum
capacity_sum(const struct capacity_node *nodes, size_t n, struct str pool)
{
	struct capacity_sum sum = { .gpus = -1, .claimed = -1 };

	for (size_t i = 0; i < n; i++) {
		const struct capacity_node *node = &nodes[i];

		if (pool.n > 0 && !str_eq(node->pool, pool))
			continue;
		sum.nodes++;
		if (!node->ready)
			continue;
		sum.nodes_ready++;
		if (node->gpus < 0) {
			sum.partial = true;
			continue;
		}
		sum.gpus = (sum.gpus < 0 ? 0 : sum.gpus) + node->gpus;
		if (node->claimed >= 0)
			sum.claimed = (sum.claimed < 0 ? 0 : sum.claimed) + node->claimed;
		if (!node->cordoned && node->claimed == 0)
			sum.nodes_free++;
	}
	return sum;
}
