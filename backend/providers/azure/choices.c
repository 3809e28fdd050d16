#include "backend/providers/azure/choices.h"

#include <string.h>

#include "backend/providers/azure/azure_int.h"
#include "backend/runtime/clock.h"
#include "model/base/mem.h"
#include "model/names.h"

enum {
	CHOICES_KEEP_MS = 10 * 60 * 1000,
	CHOICES_MAX_PAGES = 200,
	KEPT_MAX_MEMORY = 16 * 1024 * 1024,
	CHOICES_MAX_MEMORY = 256 * 1024 * 1024, /* a region's sizes are megabytes (facts 3.7) */
};

/* ---- pages ---- */

typedef void item_fn(struct arena *a, const struct node *item, struct node *out);

/* One list of the answer: where it is asked for, and what is kept of each item. */
struct source {
	const char *key;
	struct str path;
	enum azure_api api;
	item_fn *take;
};

static bool
each_item(struct azure_session *s, const struct source *from, struct node *out, struct error *err)
{
	struct arm_request req = { .method = "GET", .path = from->path, .api = from->api };

	for (int i = 0; req.path.n > 0; i++) {
		struct arm_answer answer;
		const struct node *items;

		if (i >= CHOICES_MAX_PAGES)
			return error_set(err, ERR_TOO_LARGE, "a list of Azure has no end");
		if (!arm_call(s, &req, &answer, err))
			return false;
		items = node_find(answer.body, "value");
		if (items == NULL) /* versions are an exception (facts 3.6) */
			items = node_find(answer.body, "values");
		for (const struct node *n = node_first(items); n != NULL; n = n->next)
			from->take(s->arena, n, out);
		req.path = node_get_str(node_find(answer.body, "nextLink"));
		req.api = API_OPAQUE;
	}
	return true;
}

static void
copy_text(struct arena *a, struct node *to, const char *as, const struct node *from)
{
	node_set(a, to, as, node_str(a, node_get_str(from)));
}

/* ---- what is kept of an item ---- */

static void
take_location(struct arena *a, const struct node *n, struct node *out)
{
	struct node *to = node_map(a);
	struct str type = node_path_str(n, "metadata.regionType");

	if (type.n > 0 && !str_eq_nocase(type, STR("Physical")))
		return; /* "europe" and the like hold no machines */
	copy_text(a, to, "name", node_find(n, "name"));
	copy_text(a, to, "display", node_find(n, "displayName"));
	node_push(out, to);
}

static bool
plan_is_official(const struct node *n)
{
	const struct node *plans = node_path(n, "capabilities.supportPlan");

	for (const struct node *p = node_first(plans); p != NULL; p = p->next) {
		if (str_is(node_get_str(p), "KubernetesOfficial"))
			return true;
	}
	return plans == NULL;
}

static void
take_version(struct arena *a, const struct node *n, struct node *out)
{
	struct node *to = node_map(a);

	copy_text(a, to, "version", node_find(n, "version"));
	node_set_bool(a, to, "default", node_path_bool(n, "isDefault", false));
	node_set_bool(a, to, "preview", node_path_bool(n, "isPreview", false));
	node_set_bool(a, to, "lts", !plan_is_official(n));
	node_push(out, to);
}

static struct str
capability(const struct node *sku, const char *name)
{
	for (const struct node *n = node_first(node_find(sku, "capabilities")); n != NULL;
	     n = n->next) {
		if (str_is(node_get_str(node_find(n, "name")), name))
			return node_get_str(node_find(n, "value"));
	}
	return (struct str){ 0 };
}

static int64_t
capability_int(const struct node *sku, const char *name)
{
	struct str text = capability(sku, name);
	double value;

	/* MemoryGB may have a fraction. */
	return str_to_double(text, &value) && value >= 0 && value < 1e9 ? (int64_t)value : 0;
}

/* Zones that have it, without those that this account may not use. */
static struct node *
zones_of(struct arena *a, const struct node *sku)
{
	struct node *zones = node_list(a);
	const struct node *info = node_path(sku, "locationInfo[0].zones");

	for (const struct node *z = node_first(info); z != NULL; z = z->next) {
		bool barred = false;

		for (const struct node *r = node_first(node_find(sku, "restrictions")); r != NULL;
		     r = r->next) {
			const struct node *list = node_path(r, "restrictionInfo.zones");

			for (const struct node *b = node_first(list); b != NULL; b = b->next)
				barred = barred || str_eq(node_get_str(b), node_get_str(z));
		}
		if (!barred)
			node_push(zones, node_str(a, node_get_str(z)));
	}
	return zones;
}

static void
set_restriction(struct arena *a, const struct node *sku, struct node *to)
{
	static const char *const texts[][2] = {
		{ "QuotaId", "the subscription's offer has no such size" },
		{ "NotAvailableForSubscription",
		    "not open to this subscription here: ask Azure's support" },
	};
	struct str reason = { 0 };

	for (const struct node *r = node_first(node_find(sku, "restrictions")); r != NULL;
	     r = r->next) {
		if (str_is(node_get_str(node_find(r, "type")), "Location"))
			reason = node_get_str(node_find(r, "reasonCode"));
	}
	node_set_bool(a, to, "restricted", reason.n > 0);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (str_is(reason, texts[i][0]))
			reason = str_from(texts[i][1]);
	}
	node_set(a, to, "reason", node_str(a, reason));
}

/* Families that system pools are made of: general purpose, four cores and more. */
static bool
is_for_system(struct str name, int64_t vcpus)
{
	return vcpus >= 4 && vcpus <= 16 &&
	       (str_starts(name, STR("Standard_D")) || str_starts(name, STR("Standard_E"))) &&
	       str_ends(name, STR("s_v5"));
}

static void
take_size(struct arena *a, const struct node *n, struct node *out)
{
	struct node *to;
	int64_t gpus = capability_int(n, "GPUs"), vcpus = capability_int(n, "vCPUs");
	struct str name = node_get_str(node_find(n, "name"));

	if (!str_is(node_get_str(node_find(n, "resourceType")), "virtualMachines") ||
	    (gpus == 0 && !is_for_system(name, vcpus)))
		return;
	to = node_map(a);
	node_set(a, to, "name", node_str(a, name));
	copy_text(a, to, "family", node_find(n, "family"));
	node_set_int(a, to, "gpus", gpus);
	node_set_int(a, to, "vcpus", vcpus);
	node_set_int(a, to, "memoryGb", capability_int(n, "MemoryGB"));
	node_set(a, to, "zones", zones_of(a, n));
	node_set_bool(a, to, "rdma", str_eq_nocase(capability(n, "RdmaEnabled"), STR("True")));
	set_restriction(a, n, to);
	node_push(out, to);
}

static void
take_usage(struct arena *a, const struct node *n, struct node *out)
{
	struct node *to = node_map(a);

	copy_text(a, to, "family", node_path(n, "name.value"));
	copy_text(a, to, "name", node_path(n, "name.localizedValue"));
	node_set_int(a, to, "limit", node_path_int(n, "limit", 0));
	node_set_int(a, to, "used", node_path_int(n, "currentValue", 0));
	node_push(out, to);
}

/* ---- the calls ---- */

static bool
list_into(struct azure_session *s, struct node *all, const struct source *from, struct error *err)
{
	struct node *list = node_list(s->arena);

	if (!each_item(s, from, list, err))
		return false;
	node_set(s->arena, all, from->key, list);
	return true;
}

/* Versions newest first, as people look for them. */
static void
newest_first(struct arena *a, struct node *all)
{
	struct node *list = node_find(all, "versions"), *sorted = node_list(a);
	size_t n = node_count(list);
	bool used[64] = { false };

	if (n > ARRAY_LEN(used))
		return;
	for (size_t i = 0; i < n; i++) {
		size_t best = n;

		for (size_t j = 0; j < n; j++) {
			struct str v = node_get_str(node_find(node_at(list, j), "version"));
			struct str b = node_get_str(node_find(node_at(list, best), "version"));

			if (!used[j] &&
			    (best == n || azure_version_minor(v) > azure_version_minor(b)))
				best = j;
		}
		used[best] = true;
		node_push(sorted, node_dup(a, node_at(list, best)));
	}
	node_set(a, all, "versions", sorted);
}

static void
state_into(struct azure_session *s, struct node *map, const char *name, struct str path,
    enum azure_api api, const char *at)
{
	struct node *n = NULL;

	if (arm_get(s, path, api, &n, NULL) == FOUND_IT)
		node_set(s->arena, map, name, node_str(s->arena, node_path_str(n, at)));
}

/* What there is without a location. */
static bool
ask_account(struct azure_session *s, struct node *all, struct error *err)
{
	static const char *const providers[] = { "Microsoft.ContainerService", "Microsoft.Compute",
		"Microsoft.Network", "Microsoft.Storage" };
	const char *sub = s->account->cred.subscription;
	struct node *features = node_map(s->arena), *registered = node_map(s->arena);
	struct source locations = { "locations", arm_path(s, "/subscriptions/%s/locations", sub),
		API_SUBSCRIPTIONS, take_location };

	if (!list_into(s, all, &locations, err))
		return false;
	state_into(s, features, "AKSInfinibandSupport",
	    arm_path(s,
		"/subscriptions/%s/providers/Microsoft.Features/providers/"
		"Microsoft.ContainerService/features/AKSInfinibandSupport",
		sub),
	    API_FEATURES, "properties.state");
	node_set(s->arena, all, "features", features);
	for (size_t i = 0; i < ARRAY_LEN(providers); i++)
		state_into(s, registered, providers[i],
		    arm_path(s, "/subscriptions/%s/providers/%s", sub, providers[i]), API_RESOURCES,
		    "registrationState");
	node_set(s->arena, all, "providers", registered);
	return true;
}

static bool
ask_location(struct azure_session *s, const char *loc, struct node *all, struct error *err)
{
	const char *sub = s->account->cred.subscription;
	struct source sources[] = {
		{ "versions",
		    arm_path(s,
			"/subscriptions/%s/providers/Microsoft.ContainerService/"
			"locations/%s/kubernetesVersions",
			sub, loc),
		    API_AKS, take_version },
		{ "sizes",
		    arm_path(s,
			"/subscriptions/%s/providers/Microsoft.Compute/skus"
			"?$filter=location%%20eq%%20'%s'",
			sub, loc),
		    API_SKUS, take_size },
		{ "quota",
		    arm_path(s, "/subscriptions/%s/providers/Microsoft.Compute/locations/%s/usages",
			sub, loc),
		    API_USAGES, take_usage },
	};

	for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
		if (!list_into(s, all, &sources[i], err))
			return false;
	}
	newest_first(s->arena, all);
	return true;
}

static bool
ask(struct azure_session *s, struct str location, struct node *all, struct error *err)
{
	struct text place = TEXT_INIT(256);
	const char *loc;
	bool ok;

	if (!ask_account(s, all, err))
		return false;
	if (location.n == 0)
		return true;
	text_add_url(&place, location);
	loc = arena_dup(s->arena, text_get(&place), place.n);
	ok = text_ok(&place, "location", err);
	text_free(&place);
	return ok && loc != NULL && ask_location(s, loc, all, err);
}

/* ---- kept answers ---- */

static struct node *
kept_find(struct azure *az, struct arena *a, struct str key)
{
	struct node *copy = NULL;

	pthread_mutex_lock(&az->mu);
	for (size_t i = 0; i < ARRAY_LEN(az->choices) && copy == NULL; i++) {
		struct azure_choice *c = &az->choices[i];

		if (c->arena != NULL && str_eq(str_from(c->key), key) &&
		    clock_mono_ms(az->opt.clock) - c->at < CHOICES_KEEP_MS)
			copy = node_dup(a, c->node);
	}
	pthread_mutex_unlock(&az->mu);
	return copy;
}

static void
keep(struct azure *az, struct str key, const struct node *node)
{
	struct azure_choice fresh = { .arena = arena_new(KEPT_MAX_MEMORY), .key = str_dup(key) },
			    old;
	size_t at = 0;

	if (fresh.arena != NULL)
		fresh.node = node_dup(fresh.arena, node);
	if (fresh.key == NULL || fresh.node == NULL || arena_failed(fresh.arena)) {
		azure_choice_fini(&fresh); /* asked again next time */
		return;
	}
	pthread_mutex_lock(&az->mu);
	fresh.at = clock_mono_ms(az->opt.clock);
	for (size_t i = 0; i < ARRAY_LEN(az->choices); i++) { /* the same, else the oldest */
		if (az->choices[i].key != NULL && str_eq(str_from(az->choices[i].key), key)) {
			at = i;
			break;
		}
		if (az->choices[i].at < az->choices[at].at)
			at = i;
	}
	old = az->choices[at];
	az->choices[at] = fresh;
	pthread_mutex_unlock(&az->mu);
	azure_choice_fini(&old);
}

void
azure_choice_fini(struct azure_choice *c)
{
	arena_free(c->arena);
	mem_free(c->key);
	*c = (struct azure_choice){ 0 };
}

bool
azure_choices(void *azure_state, struct store *st, const struct azure_choices_query *query,
    struct arena *a, struct node **ret_node, struct error *err)
{
	struct arena *work = arena_new(CHOICES_MAX_MEMORY);
	struct azure_session *s = NULL;
	struct node *all, *kept;
	const char *key;
	bool ok = false;

	if (work == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for the choices");
	if (!azure_session_open(azure_state, st, &query->config, work, &s, err) || s == NULL)
		goto out;
	key = arena_printf(work, "%s/" STR_FMT, s->account->cred.digest, STR_ARG(query->location));
	kept = kept_find(azure_state, a, str_from(key));
	if (kept != NULL) {
		*ret_node = kept;
		ok = true;
		goto out;
	}
	all = node_map(work);
	if (!ask(s, query->location, all, err))
		goto out;
	keep(azure_state, str_from(key), all);
	*ret_node = node_dup(a, all);
	ok = *ret_node != NULL && !arena_failed(work)
		 ? true
		 : error_set(err, ERR_NO_MEMORY, "no memory for the choices");
out:
	if (s != NULL)
		azure_session_close(s);
	arena_free(work);
	return ok;
}
