#include "backend/providers/azure/azure_int.h"

#include "backend/runtime/clock.h"
#include "model/base/mem.h"

/*
 * Shared observation. For each account three lists are kept: all managed clusters (each item is the
 * whole cluster with its pools), the resource groups with our tag, all virtual networks. A list is
 * fetched by one session while the others wait, at most once an interval, and answers for every
 * owner: a steady fleet costs three requests a sweep, whatever its size.
 *
 * A list that began before we acted on a resource says nothing about it: such a resource is read by
 * itself until a younger list is there. Acting therefore invalidates one resource, not the list.
 */

enum { LIST_MAX_PAGES = 1000, ACTED_KEEP_MS = 60 * 60 * 1000 };
enum { LIST_MAX_MEMORY = 256 * 1024 * 1024, PAGE_MAX_MEMORY = 256 * 1024 * 1024 };

static const int64_t intervals[LIST__MAX] = {
	[LIST_CLUSTERS] = AZURE_LIST_CLUSTERS_MS,
	[LIST_GROUPS] = AZURE_LIST_OTHERS_MS,
	[LIST_NETWORKS] = AZURE_LIST_OTHERS_MS,
};

/* ---- snapshots ---- */

void
azure_snapshot_unref(struct azure_snapshot *snap)
{
	if (snap == NULL || atomic_fetch_sub(&snap->refs, 1U) > 1U)
		return;
	arena_free(snap->arena);
	mem_free(snap);
}

void
azure_lists_fini(struct azure_account *acc)
{
	for (int i = 0; i < LIST__MAX; i++)
		azure_snapshot_unref(acc->lists[i].cur);
	while (acc->acted != NULL) {
		struct azure_acted *a = acc->acted;

		acc->acted = a->next;
		mem_free(a->id);
		mem_free(a);
	}
}

static struct str
first_page(struct azure_session *s, enum azure_list which, enum azure_api *ret_api)
{
	const char *sub = s->account->cred.subscription;

	switch (which) {
	case LIST_CLUSTERS:
		*ret_api = API_AKS;
		return arm_path(s,
		    "/subscriptions/%s/providers/Microsoft.ContainerService/managedClusters", sub);
	case LIST_GROUPS:
		*ret_api = API_RESOURCES;
		return arm_path(s,
		    "/subscriptions/%s/resourcegroups?$filter=tagName%%20eq%%20"
		    "'flightdeck-installation'%%20and%%20tagValue%%20eq%%20'%s'",
		    sub, s->azure->installation);
	case LIST_NETWORKS:
		*ret_api = API_NETWORK;
		return arm_path(
		    s, "/subscriptions/%s/providers/Microsoft.Network/virtualNetworks", sub);
	case LIST__MAX:
		break;
	}
	return (struct str){ 0 };
}

/* One page into the list; *io_page becomes the next one's address, empty after the last. */
static bool
fetch_page(struct azure_session *s, struct str *io_page, enum azure_api api,
    struct azure_snapshot *snap, struct error *err)
{
	struct arm_request get = { .method = "GET", .path = *io_page, .api = api };
	struct arm_answer answer;

	if (!arm_call(s, &get, &answer, err))
		return false;
	if (answer.body == NULL || node_find(answer.body, "value") == NULL)
		return error_set(err, ERR_CLOUD, "Azure sent a list without its value");
	for (const struct node *n = node_first(node_find(answer.body, "value")); n != NULL;
	     n = n->next)
		node_push(snap->items, node_dup(snap->arena, n));
	*io_page = str_copy(snap->arena, node_get_str(node_find(answer.body, "nextLink")));
	return arena_failed(snap->arena) ? error_set(err, ERR_NO_MEMORY, "no memory for a list")
					 : true;
}

/*
 * All pages or nothing: an incomplete list is no proof of absence. What a page needs is given back
 * after it, for the list of a large fleet is larger than what a pass may use.
 */
static bool
fetch_pages(
    struct azure_session *s, enum azure_list which, struct azure_snapshot *snap, struct error *err)
{
	struct arena *of_pass = s->arena, *of_page = arena_new(PAGE_MAX_MEMORY);
	enum azure_api api = API_OPAQUE;
	struct str page = first_page(s, which, &api);
	bool ok = true;

	if (of_page == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a list");
	s->arena = of_page;
	for (int i = 0; ok && page.n > 0; i++) {
		ok = i < LIST_MAX_PAGES
			 ? fetch_page(s, &page, api, snap, err)
			 : error_set(err, ERR_TOO_LARGE, "a list of Azure has no end");
		api = API_OPAQUE;
		arena_clear(of_page);
	}
	s->arena = of_pass;
	arena_free(of_page);
	return ok;
}

static struct azure_snapshot *
fetch(struct azure_session *s, enum azure_list which, struct error *err)
{
	struct azure_snapshot *snap = mem_new(sizeof(*snap));

	if (snap == NULL)
		goto fail;
	atomic_init(&snap->refs, 1U);
	snap->started = clock_mono_ms(s->azure->opt.clock);
	snap->arena = arena_new(LIST_MAX_MEMORY);
	snap->items = snap->arena == NULL ? NULL : node_list(snap->arena);
	if (snap->items == NULL)
		goto fail;
	if (fetch_pages(s, which, snap, err))
		return snap;
	azure_snapshot_unref(snap);
	return NULL;
fail:
	azure_snapshot_unref(snap);
	(void)error_set(err, ERR_NO_MEMORY, "no memory for a list");
	return NULL;
}

/*
 * Takes a reference for the session when there is a fresh one. *ret_mine: this thread shall fetch.
 * False when the fetch that it waited for failed: each waiter would only meet the same trouble, one
 * after the other.
 */
static bool
hold_or_fetch(
    struct azure_session *s, enum azure_list which, bool *ret_mine, struct error *ret_failed)
{
	struct azure_list_cache *c = &s->account->lists[which];
	uint64_t failures;
	bool ok = true;

	*ret_mine = false;
	pthread_mutex_lock(&s->azure->mu);
	failures = c->failures;
	for (;;) {
		int64_t now = clock_mono_ms(s->azure->opt.clock);

		if (c->cur != NULL && now - c->cur->started < intervals[which]) {
			atomic_fetch_add(&c->cur->refs, 1U);
			s->held[which] = c->cur;
			break;
		}
		if (c->failures != failures) {
			*ret_failed = c->failed;
			ok = false;
			break;
		}
		if (!c->refreshing) {
			c->refreshing = *ret_mine = true;
			break;
		}
		pthread_cond_wait(&s->azure->changed, &s->azure->mu);
	}
	pthread_mutex_unlock(&s->azure->mu);
	return ok;
}

/* Fetches for all, and hands over the list or why there is none. */
static bool
fetch_for_all(struct azure_session *s, enum azure_list which, struct error *ret_failed)
{
	struct azure_list_cache *c = &s->account->lists[which];
	struct azure_snapshot *snap = fetch(s, which, ret_failed), *old = NULL;

	pthread_mutex_lock(&s->azure->mu);
	c->refreshing = false;
	if (snap != NULL) {
		old = c->cur;
		c->cur = snap;
		atomic_fetch_add(&snap->refs, 1U);
		s->held[which] = snap;
	} else {
		c->failures++;
		c->failed = *ret_failed;
	}
	pthread_cond_broadcast(&s->azure->changed);
	pthread_mutex_unlock(&s->azure->mu);
	azure_snapshot_unref(old);
	return snap != NULL;
}

const struct node *
azure_list_get(
    struct azure_session *s, enum azure_list which, int64_t *ret_started, struct error *err)
{
	struct error failed = { 0 };
	bool mine = false, ok = true;

	if (s->held[which] == NULL)
		ok = hold_or_fetch(s, which, &mine, &failed);
	if (mine)
		ok = fetch_for_all(s, which, &failed);
	if (!ok) {
		if (err != NULL)
			*err = failed;
		return NULL;
	}
	*ret_started = s->held[which]->started;
	return s->held[which]->items;
}

/* ---- what we acted on, or read by itself: an older list knows less ---- */

static struct azure_acted *
acted_find(struct azure_account *acc, struct str id)
{
	for (struct azure_acted *a = acc->acted; a != NULL; a = a->next) {
		if (str_eq_nocase(str_from(a->id), id))
			return a;
	}
	return NULL;
}

/* Old entries have nothing to say any more: every list is younger. */
static void
acted_prune(struct azure_account *acc, int64_t now)
{
	for (struct azure_acted **at = &acc->acted; *at != NULL;) {
		struct azure_acted *a = *at;

		if (now - a->at < ACTED_KEEP_MS) {
			at = &a->next;
			continue;
		}
		*at = a->next;
		mem_free(a->id);
		mem_free(a);
	}
}

void
azure_acted_note(struct azure_session *s, struct str id)
{
	s->cluster = NULL; /* what this pass read before is old now */
	s->cluster_absent = false;
	azure_known_note(s, id);
}

void
azure_known_note(struct azure_session *s, struct str id)
{
	struct azure_account *acc = s->account;
	int64_t now = clock_mono_ms(s->azure->opt.clock);
	struct azure_acted *a;

	pthread_mutex_lock(&s->azure->mu);
	acted_prune(acc, now);
	a = acted_find(acc, id);
	if (a == NULL) {
		a = mem_new(sizeof(*a));
		if (a != NULL)
			a->id = str_dup(id);
		if (a != NULL && a->id != NULL) {
			a->next = acc->acted;
			acc->acted = a;
		} else {
			mem_free(a);
			a = NULL;
		}
	}
	if (a != NULL)
		a->at = now;
	pthread_mutex_unlock(&s->azure->mu);
}

int64_t
azure_acted_at(struct azure_session *s, struct str id)
{
	struct azure_acted *a;
	int64_t at;

	pthread_mutex_lock(&s->azure->mu);
	a = acted_find(s->account, id);
	at = a != NULL ? a->at : -1;
	pthread_mutex_unlock(&s->azure->mu);
	return at;
}

/* ---- one resource ---- */

static struct node *
find_by_id(const struct node *items, struct str id)
{
	for (struct node *n = node_first(items); n != NULL; n = n->next) {
		if (str_eq_nocase(node_get_str(node_find(n, "id")), id))
			return n;
	}
	return NULL;
}

/* Read by itself: until a younger list is there, it stays so. */
static enum found
get_one(struct azure_session *az, struct str id, enum azure_api api, struct node **ret_node,
    struct error *err)
{
	enum found found = arm_get(az, id, api, ret_node, err);

	if (found == FOUND_IT)
		azure_known_note(az, id);
	return found;
}

enum found
azure_look(struct step *s, enum azure_list which, struct str id, enum azure_api api,
    struct node **ret_node, struct error *err)
{
	struct azure_session *az = session_of(s);
	const struct node *items;
	int64_t started = 0;

	/* Not yet there, changing or going: only its own answer is good enough. */
	if (s->ext->spec.phase != EXTERNAL_READY || s->want == NULL)
		return get_one(az, id, api, ret_node, err);
	items = azure_list_get(az, which, &started, err);
	if (items == NULL)
		return FOUND_FAILED;
	if (azure_acted_at(az, id) >= started)
		return get_one(az, id, api, ret_node, err);
	*ret_node = find_by_id(items, id);
	if (*ret_node != NULL)
		return FOUND_IT;
	/* Missing from the groups with our tag may mean: without the tag. */
	return which == LIST_GROUPS ? arm_get(az, id, api, ret_node, err) : FOUND_ABSENT;
}
