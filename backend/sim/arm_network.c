#include "backend/sim/arm_routes.h"
#include "backend/sim/operations.h"
#include "backend/sim/resources.h"
#include "backend/sim/sim_int.h"

/*
 * Virtual networks and their subnets. A subnet is a member of its network's document; both can be
 * written, but two writes of one network exclude each other.
 */

enum { NETWORK_PAGE = 100 };

static const char vnet_type[] = "Microsoft.Network/virtualNetworks";
static const char subnet_type[] = "Microsoft.Network/virtualNetworks/subnets";

bool
ipv4_range_parse(struct str text, uint32_t *ret_first, unsigned *ret_bits)
{
	struct str rest = text, piece;
	uint32_t address = 0;
	int64_t v = 0;

	for (int i = 0; i < 4; i++) {
		if (!str_split(&rest, i < 3 ? '.' : '/', &piece) || !str_to_int(piece, &v) ||
		    v < 0 || v > 255)
			return false;
		address = address << 8 | (uint32_t)v;
	}
	if (!str_to_int(rest, &v) || v < 0 || v > 32)
		return false;
	if (v < 32 && (address & (0xffffffffU >> v)) != 0)
		return false; /* host bits */
	*ret_first = address;
	*ret_bits = (unsigned)v;
	return true;
}

static uint32_t
cidr_mask(unsigned bits)
{
	return bits == 0 ? 0 : 0xffffffffU << (32 - bits);
}

bool
ipv4_range_contains(struct str outer, struct str inner)
{
	uint32_t a, b;
	unsigned na, nb;

	return ipv4_range_parse(outer, &a, &na) && ipv4_range_parse(inner, &b, &nb) && nb >= na &&
	       (b & cidr_mask(na)) == a;
}

bool
ipv4_range_overlap(struct str a, struct str b)
{
	return ipv4_range_contains(a, b) || ipv4_range_contains(b, a);
}

static struct str
vnet_key(struct arm_call *c)
{
	return doc_key(c, STR_FMT "/" STR_FMT, STR_ARG(c->param[1]), STR_ARG(c->param[2]));
}

static struct node *
vnet_of_path(struct arm_call *c)
{
	struct node *v = doc_load(c, DOC_VNET, vnet_key(c));

	if (v == NULL && !c->answered)
		answer_not_found(c, vnet_type, c->param[2], c->param[1]);
	return v;
}

static void
tag_renew(struct arm_call *c, struct node *vnet)
{
	struct str tag = str_printf(c, "W/\"" STR_FMT "\"", STR_ARG(guid_new(c)));

	node_set(c->a, vnet, "etag", node_str(c->a, tag));
	for (struct node *s = node_first(node_path(vnet, "properties.subnets")); s != NULL;
	     s = s->next)
		node_set(c->a, s, "etag", node_str(c->a, tag));
}

static void
state_set(struct arm_call *c, struct node *vnet, const char *state)
{
	node_set_strz(c->a, node_find(vnet, "properties"), "provisioningState", state);
	for (struct node *s = node_first(node_path(vnet, "properties.subnets")); s != NULL;
	     s = s->next)
		node_set_strz(c->a, node_find(s, "properties"), "provisioningState", state);
}

static bool
check_idle(struct arm_call *c, const struct node *vnet)
{
	struct str op = node_path_str(vnet, "_sim.op");

	if (vnet == NULL || operation_running(c, op) == NULL)
		return true;
	return answer_detailed(c, 409, "AnotherOperationInProgress", NULL, node_list(c->a),
	    "Another operation on this or dependent resource is in progress. To retrieve status of "
	    "the "
	    "operation use uri: %s/subscriptions/%s/providers/Microsoft.Network/locations/" STR_FMT
	    "/operations/" STR_FMT "?api-version=2026-03-01.",
	    c->s->arm_url, c->s->id.subscription,
	    STR_ARG(node_get_str(node_find(vnet, "location"))), STR_ARG(op));
}

static bool
check_prefixes(struct arm_call *c, const struct node *prefixes)
{
	uint32_t first;
	unsigned bits;

	if (prefixes == NULL || prefixes->type != NODE_LIST || node_count(prefixes) == 0)
		return answer_error(c, 400, "InvalidRequestFormat",
		    "The address space of the virtual network needs at least one prefix.");
	for (const struct node *p = node_first(prefixes); p != NULL; p = p->next) {
		if (!ipv4_range_parse(node_get_str(p), &first, &bits) || bits < 2 || bits > 29)
			return answer_error(c, 400, "InvalidAddressPrefixFormat",
			    "Address prefix '" STR_FMT "' of resource '" STR_FMT
			    "' is not formatted correctly. It should follow CIDR notation.",
			    STR_ARG(node_get_str(p)), STR_ARG(c->param[2]));
		for (const struct node *q = p->next; q != NULL; q = q->next) {
			if (ipv4_range_overlap(node_get_str(p), node_get_str(q)))
				return answer_error(c, 400, "VnetAddressSpacesOverlap",
				    "The address prefixes of '" STR_FMT "' overlap.",
				    STR_ARG(c->param[2]));
		}
	}
	return true;
}

static struct str
subnet_prefix(const struct node *subnet)
{
	struct str one = node_path_str(subnet, "properties.addressPrefix");

	return one.n > 0 ? one : node_path_str(subnet, "properties.addressPrefixes[0]");
}

static bool
check_siblings(struct arm_call *c, const struct node *subnets, const struct node *subnet)
{
	struct str name = node_get_str(node_find(subnet, "name"));

	for (const struct node *o = node_first(subnets); o != NULL; o = o->next) {
		if (o == subnet)
			continue;
		if (str_eq_nocase(node_get_str(node_find(o, "name")), name))
			return answer_error(c, 400, "DuplicateResourceName",
			    "Resource '" STR_FMT "' has two children of this name.",
			    STR_ARG(c->param[2]));
		if (ipv4_range_overlap(subnet_prefix(o), subnet_prefix(subnet)))
			return answer_error(c, 400, "NetcfgSubnetRangesOverlap",
			    "Subnet '" STR_FMT
			    "' is not valid because its IP address range overlaps "
			    "with that of an existing subnet in virtual network '" STR_FMT "'.",
			    STR_ARG(name), STR_ARG(c->param[2]));
	}
	return true;
}

static bool
check_subnet(struct arm_call *c, const struct node *prefixes, const struct node *subnets,
    const struct node *subnet)
{
	struct str name = node_get_str(node_find(subnet, "name")), prefix = subnet_prefix(subnet);
	uint32_t first;
	unsigned bits;
	bool inside = false;

	if (!name_fits(name, 80, "_-.", true))
		return answer_error(c, 400, "InvalidResourceName",
		    "Resource name '" STR_FMT "' is invalid.", STR_ARG(name));
	if (!ipv4_range_parse(prefix, &first, &bits) || bits > 29)
		return answer_error(c, 400, "InvalidAddressPrefixFormat",
		    "Address prefix '" STR_FMT "' of resource '" STR_FMT
		    "' is not formatted correctly. It should follow CIDR notation.",
		    STR_ARG(prefix), STR_ARG(name));
	for (const struct node *p = node_first(prefixes); p != NULL; p = p->next)
		inside = inside || ipv4_range_contains(node_get_str(p), prefix);
	if (!inside)
		return answer_error(c, 400, "NetcfgSubnetRangeOutsideVnet",
		    "Subnet '" STR_FMT
		    "' is not valid because its IP address range is outside the IP "
		    "address range of virtual network '" STR_FMT "'.",
		    STR_ARG(name), STR_ARG(c->param[2]));
	return check_siblings(c, subnets, subnet);
}

/* The network interface of a pool that uses the subnet, or empty. */
static struct str
subnet_user(struct arm_call *c, struct str subnet_id)
{
	const struct pool_index *ix = pool_index_get(c);

	for (size_t i = 0; ix != NULL && i < ix->n; i++) {
		struct node *p;

		if (!str_eq_nocase(str_from(ix->items[i].subnet), subnet_id))
			continue;
		p = doc_load(c, DOC_POOL, str_from(ix->items[i].key));
		return str_printf(c,
		    "/subscriptions/%s/resourceGroups/" STR_FMT
		    "/providers/Microsoft.Compute/virtualMachineScaleSets/aks-" STR_FMT
		    "-12345678-vmss/virtualMachines/0/networkInterfaces/aks-" STR_FMT
		    "-12345678-vmss/ipConfigurations/ipconfig1",
		    c->s->id.subscription, STR_ARG(node_path_str(p, "_sim.nodeGroup")),
		    STR_ARG(node_get_str(node_find(p, "name"))),
		    STR_ARG(node_get_str(node_find(p, "name"))));
	}
	return (struct str){ 0 };
}

static bool
check_unused(struct arm_call *c, const struct node *subnet)
{
	struct str user = subnet_user(c, node_get_str(node_find(subnet, "id")));

	if (user.n == 0)
		return true;
	return answer_detailed(c, 400, "InUseSubnetCannotBeDeleted", NULL, node_list(c->a),
	    "Subnet " STR_FMT " is in use by " STR_FMT " and cannot be deleted.",
	    STR_ARG(node_get_str(node_find(subnet, "name"))), STR_ARG(user));
}

/* What is asked for of a subnet, as the service shows it. */
static struct node *
subnet_filled(struct arm_call *c, struct str vnet_id, struct str name, const struct node *asked)
{
	struct node *s = node_map(c->a);
	struct node *p = node_find(asked, "properties") != NULL
			     ? node_dup(c->a, node_find(asked, "properties"))
			     : node_map(c->a);

	node_set(c->a, s, "id",
	    node_str(
		c->a, str_printf(c, STR_FMT "/subnets/" STR_FMT, STR_ARG(vnet_id), STR_ARG(name))));
	node_set(c->a, s, "name", node_str(c->a, name));
	node_set(c->a, p, "delegations", node_list(c->a));
	if (node_find(p, "privateEndpointNetworkPolicies") == NULL)
		node_set_strz(c->a, p, "privateEndpointNetworkPolicies", "Disabled");
	if (node_find(p, "privateLinkServiceNetworkPolicies") == NULL)
		node_set_strz(c->a, p, "privateLinkServiceNetworkPolicies", "Enabled");
	node_set(c->a, s, "properties", p);
	node_set_strz(c->a, s, "type", subnet_type);
	return s;
}

static struct node *
subnet_named(const struct node *vnet, struct str name)
{
	for (struct node *s = node_first(node_path(vnet, "properties.subnets")); s != NULL;
	     s = s->next) {
		if (str_eq_nocase(node_get_str(node_find(s, "name")), name))
			return s;
	}
	return NULL;
}

/* Since 2023-09-01 a body without "subnets" keeps them; before, it removed them. */
static struct node *
subnets_asked(struct arm_call *c, struct str id, const struct node *old)
{
	const struct node *asked = node_path(c->body, "properties.subnets");
	struct node *list = node_list(c->a);

	if (asked == NULL && old != NULL && str_cmp(c->api_version, STR("2023-09-01")) >= 0)
		return node_dup(c->a, node_path(old, "properties.subnets"));
	for (const struct node *s = node_first(asked); s != NULL; s = s->next)
		node_push(list, subnet_filled(c, id, node_get_str(node_find(s, "name")), s));
	return list;
}

static bool
check_subnets(struct arm_call *c, const struct node *prefixes, const struct node *subnets,
    const struct node *old)
{
	for (const struct node *s = node_first(subnets); s != NULL; s = s->next) {
		if (!check_subnet(c, prefixes, subnets, s))
			return false;
	}
	for (const struct node *o = node_first(node_path(old, "properties.subnets")); o != NULL;
	     o = o->next) {
		bool stays = false;

		for (const struct node *s = node_first(subnets); s != NULL; s = s->next)
			stays = stays || (str_eq_nocase(node_get_str(node_find(s, "name")),
					      node_get_str(node_find(o, "name"))) &&
					     str_eq(subnet_prefix(s), subnet_prefix(o)));
		if (!stays && !check_unused(c, o))
			return false;
	}
	return true;
}

static struct node *
vnet_filled(struct arm_call *c, const struct location *l, const struct node *old)
{
	struct node *v = node_map(c->a), *p = node_map(c->a);
	struct str id =
	    str_printf(c, "/subscriptions/%s/resourceGroups/" STR_FMT "/providers/%s/" STR_FMT,
		c->s->id.subscription, STR_ARG(c->param[1]), vnet_type, STR_ARG(c->param[2]));
	struct str guid = node_path_str(old, "properties.resourceGuid");

	node_set(c->a, v, "id", node_str(c->a, id));
	node_set_strz(c->a, v, "location", l->name);
	node_set(c->a, v, "name", node_str(c->a, c->param[2]));
	node_set(
	    c->a, p, "addressSpace", node_dup(c->a, node_path(c->body, "properties.addressSpace")));
	node_set_bool(c->a, p, "enableDdosProtection", false);
	node_set(c->a, p, "resourceGuid", node_str(c->a, guid.n > 0 ? guid : guid_new(c)));
	node_set(c->a, p, "subnets", subnets_asked(c, id, old));
	node_set(c->a, p, "virtualNetworkPeerings", node_list(c->a));
	node_set(c->a, v, "properties", p);
	if (node_find(c->body, "tags") != NULL)
		node_set(c->a, v, "tags", node_dup(c->a, node_find(c->body, "tags")));
	node_set_strz(c->a, v, "type", vnet_type);
	node_set_int(c->a, doc_hidden(c, v), "madeMs",
	    old != NULL ? node_path_int(old, "_sim.madeMs", 0) : c->now_ms);
	return v;
}

static void
vnet_write(struct arm_call *c, struct node *v, bool made, struct node *answer)
{
	struct str id;

	tag_renew(c, v);
	state_set(c, v, "Updating");
	id = operation_start(c,
	    &(struct op_start){ .verb = OP_VNET_PUT,
		.target = vnet_key(c),
		.provider = "Microsoft.Network",
		.location = node_get_str(node_find(v, "location")) },
	    OP_ASYNC);
	node_set(c->a, doc_hidden(c, v), "op", node_str(c->a, id));
	if (doc_save(c, DOC_VNET, vnet_key(c), v))
		answer_json(c, made ? 201 : 200, doc_shown(c, answer));
}

void
vnet_put(struct arm_call *c)
{
	const struct location *l = NULL;
	struct node *old, *v;

	if (!name_fits(c->param[2], 64, "_-.", true)) {
		answer_error(c, 400, "InvalidResourceName",
		    "Resource name '" STR_FMT "' is invalid.", STR_ARG(c->param[2]));
		return;
	}
	if (!check_registered(c, "Microsoft.Network") || !check_body(c) ||
	    !body_check(c, BODY_VNET, c->body) || group_find(c, c->param[1], true) == NULL ||
	    !check_location(c, c->body, &l) || !check_tags(c, node_find(c->body, "tags")))
		return;
	old = doc_load(c, DOC_VNET, vnet_key(c));
	if (c->answered || !check_idle(c, old))
		return;
	if (old != NULL && !str_is(node_get_str(node_find(old, "location")), l->name)) {
		answer_error(c, 409, "InvalidResourceLocation",
		    "The resource '" STR_FMT "' already exists in location '" STR_FMT
		    "' in resource group '" STR_FMT "'.",
		    STR_ARG(c->param[2]), STR_ARG(node_get_str(node_find(old, "location"))),
		    STR_ARG(c->param[1]));
		return;
	}
	if (!check_prefixes(c, node_path(c->body, "properties.addressSpace.addressPrefixes")))
		return;
	v = vnet_filled(c, l, old);
	if (check_subnets(c, node_path(v, "properties.addressSpace.addressPrefixes"),
		node_path(v, "properties.subnets"), old))
		vnet_write(c, v, old == NULL, v);
}

void
vnet_get(struct arm_call *c)
{
	struct node *v;

	if (group_find(c, c->param[1], false) == NULL)
		return;
	v = vnet_of_path(c);
	if (v == NULL)
		return;
	answer_header(c, "ETag", STR_FMT, STR_ARG(node_get_str(node_find(v, "etag"))));
	answer_json(c, 200, doc_shown(c, v));
}

static void
vnets_answer(struct arm_call *c, struct str prefix)
{
	struct node *all = doc_list(c, DOC_VNET, prefix), *out = node_list(c->a);

	for (struct node *v = node_first(all); v != NULL; v = v->next) {
		if (!doc_lags(c, v))
			node_push(out, doc_shown(c, v));
	}
	answer_page(c, out, NETWORK_PAGE);
}

void
vnet_list(struct arm_call *c)
{
	if (group_find(c, c->param[1], false) != NULL)
		vnets_answer(c, doc_key(c, STR_FMT "/", STR_ARG(c->param[1])));
}

void
vnet_list_all(struct arm_call *c)
{
	vnets_answer(c, STR(""));
}

void
vnet_delete(struct arm_call *c)
{
	struct node *v = doc_load(c, DOC_VNET, vnet_key(c));
	struct str id;

	if (c->answered)
		return;
	if (v == NULL) {
		answer_empty(c, 204);
		return;
	}
	if (!check_idle(c, v))
		return;
	for (struct node *s = node_first(node_path(v, "properties.subnets")); s != NULL;
	     s = s->next) {
		if (!check_unused(c, s))
			return;
	}
	state_set(c, v, "Deleting");
	id = operation_start(c,
	    &(struct op_start){ .verb = OP_VNET_DELETE,
		.target = vnet_key(c),
		.provider = "Microsoft.Network",
		.location = node_get_str(node_find(v, "location")) },
	    OP_ASYNC | OP_LOCATION);
	node_set(c->a, doc_hidden(c, v), "op", node_str(c->a, id));
	if (doc_save(c, DOC_VNET, vnet_key(c), v))
		answer_empty(c, 202);
}

void
subnet_put(struct arm_call *c)
{
	struct node *v, *old, *s, *subnets;

	if (!check_body(c) || !body_check(c, BODY_SUBNET, c->body) ||
	    group_find(c, c->param[1], true) == NULL)
		return;
	v = vnet_of_path(c);
	if (v == NULL || !check_idle(c, v))
		return;
	subnets = node_path(v, "properties.subnets");
	old = subnet_named(v, c->param[3]);
	s = subnet_filled(c, node_get_str(node_find(v, "id")), c->param[3], c->body);
	if (old != NULL && !str_eq(subnet_prefix(old), subnet_prefix(s)) && !check_unused(c, old))
		return;
	if (old != NULL) {
		struct node *rest = node_list(c->a), *next;

		for (struct node *o = node_first(subnets); o != NULL; o = next) {
			next = o->next;
			o->next = NULL;
			node_push(rest, o == old ? s : o);
		}
		node_set(c->a, node_find(v, "properties"), "subnets", rest);
		subnets = rest;
	} else {
		node_push(subnets, s);
	}
	if (check_subnet(c, node_path(v, "properties.addressSpace.addressPrefixes"), subnets, s))
		vnet_write(c, v, old == NULL, s);
}

static struct node *
subnet_of_path(struct arm_call *c, struct node *v)
{
	struct node *s = subnet_named(v, c->param[3]);

	if (v != NULL && s == NULL)
		answer_error(
		    c, 404, "NotFound", "Resource " STR_FMT " not found.", STR_ARG(c->req->path));
	return s;
}

void
subnet_get(struct arm_call *c)
{
	struct node *s;

	if (group_find(c, c->param[1], false) == NULL)
		return;
	s = subnet_of_path(c, vnet_of_path(c));
	if (s == NULL)
		return;
	answer_header(c, "ETag", STR_FMT, STR_ARG(node_get_str(node_find(s, "etag"))));
	answer_json(c, 200, s);
}

void
subnet_list(struct arm_call *c)
{
	struct node *v = vnet_of_path(c);

	if (v != NULL)
		answer_page(c, node_dup(c->a, node_path(v, "properties.subnets")), NETWORK_PAGE);
}

void
subnet_delete(struct arm_call *c)
{
	struct node *v = doc_load(c, DOC_VNET, vnet_key(c));
	struct node *s = subnet_named(v, c->param[3]);
	struct str id;

	if (c->answered)
		return;
	if (s == NULL) {
		answer_empty(c, 204);
		return;
	}
	if (!check_idle(c, v) || !check_unused(c, s))
		return;
	node_set_strz(c->a, node_find(s, "properties"), "provisioningState", "Deleting");
	id = operation_start(c,
	    &(struct op_start){ .verb = OP_SUBNET_DELETE,
		.target =
		    doc_key(c, STR_FMT "/" STR_FMT, STR_ARG(vnet_key(c)), STR_ARG(c->param[3])),
		.provider = "Microsoft.Network",
		.location = node_get_str(node_find(v, "location")) },
	    OP_ASYNC | OP_LOCATION);
	node_set(c->a, doc_hidden(c, v), "op", node_str(c->a, id));
	if (doc_save(c, DOC_VNET, vnet_key(c), v))
		answer_empty(c, 202);
}

void
vnet_put_finish(
    struct arm_call *c, struct str target, const struct node *op, const struct node *failure)
{
	struct node *v = doc_load(c, DOC_VNET, target);

	(void)op;
	if (v == NULL)
		return;
	state_set(c, v, failure != NULL ? "Failed" : "Succeeded");
	(void)doc_save(c, DOC_VNET, target, v);
}

void
vnet_delete_finish(
    struct arm_call *c, struct str target, const struct node *op, const struct node *failure)
{
	(void)op;
	if (failure == NULL)
		(void)doc_drop(c, DOC_VNET, target);
	else
		vnet_put_finish(c, target, op, failure);
}

void
subnet_delete_finish(
    struct arm_call *c, struct str target, const struct node *op, const struct node *failure)
{
	size_t slash = target.n;
	struct node *v, *rest = node_list(c->a), *next;
	struct str key;

	(void)op;
	while (slash > 0 && target.p[slash - 1] != '/')
		slash--;
	if (slash == 0 || failure != NULL)
		return;
	key = str_sub(target, 0, slash - 1);
	v = doc_load(c, DOC_VNET, key);
	for (struct node *s = node_first(node_path(v, "properties.subnets")); s != NULL; s = next) {
		next = s->next;
		s->next = NULL;
		if (!str_eq_nocase(
			node_get_str(node_find(s, "name")), str_sub(target, slash, target.n)))
			node_push(rest, s);
	}
	if (v == NULL)
		return;
	node_set(c->a, node_find(v, "properties"), "subnets", rest);
	(void)doc_save(c, DOC_VNET, key, v);
}

struct node *
subnet_by_id(struct arm_call *c, struct str id, struct node **ret_vnet)
{
	/* /subscriptions/S/resourceGroups/G/providers/Microsoft.Network/virtualNetworks/V/subnets/N
	 */
	struct str part[11] = { { 0 } };
	struct str rest = id;
	size_t n = 0;
	struct node *v;

	while (n < ARRAY_LEN(part) && str_split(&rest, '/', &part[n]))
		n++;
	if (n != 11 || !str_eq_nocase(part[7], STR("virtualNetworks")) ||
	    !str_eq_nocase(part[9], STR("subnets")))
		return NULL;
	v = doc_load(
	    c, DOC_VNET, doc_key(c, STR_FMT "/" STR_FMT, STR_ARG(part[4]), STR_ARG(part[8])));
	*ret_vnet = v;
	return subnet_named(v, part[10]);
}
