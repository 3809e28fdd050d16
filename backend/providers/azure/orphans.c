#include "backend/providers/azure/azure_int.h"

#include <stdlib.h>
#include <string.h>

#include "backend/runtime/clock.h"
#include "backend/store/events.h"
#include "model/base/mem.h"
#include "model/kinds/external.h"
#include "model/kinds/provider_config.h"

/*
 * The sweep (trust.md 5.1, rule 9): whatever carries our installation's mark and is recorded
 * nowhere is reported as an orphan, never removed. It works on the list of groups that the steady
 * passes fetch anyway, at most every ten minutes an account, and costs no request. A restored
 * store, a create that took effect after everybody had given up: both show here.
 */

enum { SWEEP_MS = 10 * 60 * 1000, UID_MAX = 64, ORPHANS_MAX = 100 };

static const char uid_mark[] = "\"ownerUid\":\"";

static int
by_text(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* The owners of all records, sorted. Read from the text: thousands of records are not decoded. */
static bool
known_owners(struct azure_session *s, struct str **ret_uids, size_t *ret_n)
{
	struct object_list list = { 0 };
	struct str *uids;
	size_t n = 0;

	if (!store_list(
		s->store, resource_of(&external_kind), &(struct list_options){ 0 }, &list, NULL))
		return false;
	uids = arena_array(s->arena, list.n + 1, sizeof(*uids));
	for (size_t i = 0; uids != NULL && i < list.n; i++) {
		struct str json = list.items[i]->json, uid;
		ptrdiff_t at = str_find(json, STR(uid_mark));

		if (at < 0 || str_find(json, STR("\"phase\":\"Tombstone\"")) >= 0)
			continue;
		uid = str_sub(json, (size_t)at + sizeof(uid_mark) - 1, UID_MAX);
		at = str_find_char(uid, '"');
		if (at > 0)
			uids[n++] = str_copy(s->arena, str_sub(uid, 0, (size_t)at));
	}
	object_list_fini(&list);
	if (uids == NULL)
		return false;
	qsort(uids, n, sizeof(*uids), by_text);
	*ret_uids = uids;
	*ret_n = n;
	return true;
}

static bool
is_due(struct azure_session *s)
{
	int64_t now = clock_mono_ms(s->azure->opt.clock);
	bool due;

	pthread_mutex_lock(&s->azure->mu);
	due = s->account->swept_at == 0 || now - s->account->swept_at >= SWEEP_MS;
	if (due)
		s->account->swept_at = now > 0 ? now : 1;
	pthread_mutex_unlock(&s->azure->mu);
	return due;
}

/* One on its way out costs nothing for long: a list may be older than the record of its end. */
static bool
is_going(struct azure_session *s, const struct node *group, int64_t listed)
{
	return str_eq_nocase(properties_state(group), STR("Deleting")) ||
	       azure_acted_at(s, node_get_str(node_find(group, "id"))) >= listed;
}

static const struct object *
config_object(struct azure_session *s)
{
	const struct kind *k = s->scoped ? &provider_config_kinds[PROVIDER_AZURE]
					 : &cluster_provider_config_kinds[PROVIDER_AZURE];
	const struct object *o = NULL;

	if (!store_get(s->store, resource_of(k), s->config_ns, s->config_name, &o, NULL))
		return NULL;
	return o;
}

void
azure_sweep(struct azure_session *s)
{
	const struct azure_snapshot *groups = s->held[LIST_GROUPS];
	const struct object *about = NULL;
	struct str *uids = NULL;
	size_t n = 0, found = 0;

	if (groups == NULL || !is_due(s) || !known_owners(s, &uids, &n))
		return;
	for (const struct node *g = node_first(groups->items); g != NULL && found < ORPHANS_MAX;
	     g = g->next) {
		struct str uid = node_get_str(node_find(node_find(g, "tags"), "flightdeck-uid"));

		if (uid.n == 0 || (n > 0 && bsearch(&uid, uids, n, sizeof(*uids), by_text) != NULL))
			continue;
		if (is_going(s, g, groups->started))
			continue;
		if (about == NULL)
			about = config_object(s);
		if (about == NULL)
			break;
		found++;
		event_emit(s->store, s->azure->opt.clock, about, EVENT_WARNING, "Orphan", "azure",
		    "resource group '" STR_FMT "' in " STR_FMT
		    " carries our mark, and no cluster here "
		    "knows it: it may cost money; look into it and delete it in Azure",
		    STR_ARG(node_get_str(node_find(g, "name"))),
		    STR_ARG(node_get_str(node_find(g, "location"))));
	}
	object_unref(about);
}
