#include "helper_cloud.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backend/store/embedded.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/kinds/aks_cluster.h"

struct world *the_world;

static const struct actor tester = { .manager = "test", .user = "t", .from = "" };

/* ---- the cloud ---- */

static struct cloud *
cloud_of(struct step *s)
{
	return s->session;
}

static const char *
name_of(struct step *s, char buf[64])
{
	(void)snprintf(buf, 64, STR_FMT, STR_ARG(s->ext->spec.name));
	return buf;
}

struct cloud_thing *
cloud_find(struct cloud *c, const char *name)
{
	for (size_t i = 0; i < CLOUD_MAX_THINGS; i++) {
		if (c->things[i].there && strcmp(c->things[i].name, name) == 0)
			return &c->things[i];
	}
	return NULL;
}

void
cloud_finish(struct cloud *c)
{
	for (size_t i = 0; i < CLOUD_MAX_THINGS; i++) {
		c->things[i].there = c->things[i].there && !c->things[i].going;
		c->things[i].pending = c->things[i].going = false;
	}
}

unsigned
cloud_count(const struct cloud *c, const char *entry)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->nledger; i++)
		n += strcmp(c->ledger[i], entry) == 0 ? 1 : 0;
	return n;
}

static void
note(struct cloud *c, const char *verb, const char *name)
{
	assert_true(c->nledger < CLOUD_MAX_LEDGER);
	(void)snprintf(c->ledger[c->nledger++], 64, "%s %.50s", verb, name);
}

static const char *
want_value(struct step *s, char buf[32])
{
	(void)snprintf(buf, 32, STR_FMT,
	    STR_ARG(node_get_str(node_find(s->want == NULL ? NULL : s->want->want, "value"))));
	return buf;
}

static void
apply(struct step *s, bool pending)
{
	struct cloud *c = cloud_of(s);
	char name[64], value[32];
	struct cloud_thing *t = cloud_find(c, name_of(s, name));

	for (size_t i = 0; t == NULL && i < CLOUD_MAX_THINGS; i++)
		t = c->things[i].there ? NULL : &c->things[i];
	assert_non_null(t);
	(void)snprintf(t->name, sizeof(t->name), "%s", name);
	(void)snprintf(t->value, sizeof(t->value), "%s", want_value(s, value));
	t->there = true;
	t->pending = pending;
	t->broken = t->foreign = t->going = false;
}

static enum outcome
act(struct step *s, const char *verb, struct error *err)
{
	struct cloud *c = cloud_of(s);
	char name[64];

	note(c, verb, name_of(s, name));
	if (c->hook != NULL)
		c->hook(s, verb);
	switch (c->next) {
	case ACT_DONE:
	case ACT_START:
		apply(s, c->next == ACT_START);
		s->ext->spec.external_id = str_copy(s->arena, str_from(name));
		return c->next == ACT_START ? OUTCOME_STARTED : OUTCOME_DONE;
	case ACT_REFUSE:
		error_set(err, ERR_QUOTA, "the quota is used up");
		return OUTCOME_REFUSED;
	case ACT_BUSY:
		error_set(err, ERR_BUSY, "another operation is in progress");
		return OUTCOME_REFUSED;
	case ACT_LOSE_APPLIED:
		apply(s, false);
		error_set(err, ERR_UNKNOWN_OUTCOME, "the connection died");
		return OUTCOME_UNKNOWN;
	case ACT_LOSE:
		error_set(err, ERR_UNKNOWN_OUTCOME, "the connection died");
		return OUTCOME_UNKNOWN;
	case ACT_NOT_SENT:
		error_set(err, ERR_NETWORK, "no route");
		return OUTCOME_NOT_SENT;
	}
	return OUTCOME_UNKNOWN;
}

static enum outcome
create(struct step *s, struct error *err)
{
	return act(s, "create", err);
}

static enum outcome
update(struct step *s, struct error *err)
{
	return act(s, "update", err);
}

static enum outcome
remove_it(struct step *s, struct error *err)
{
	struct cloud *c = cloud_of(s);
	char name[64];
	struct cloud_thing *t = cloud_find(c, name_of(s, name));

	note(c, "delete", name);
	if (c->foreign_content && str_is(s->ext->spec.type, "box")) {
		error_set(err, ERR_REFUSED, "it holds what is not ours");
		error_name(err, COMPOSE_FOREIGN_CONTENT);
		return OUTCOME_REFUSED;
	}
	if (t == NULL)
		return OUTCOME_DONE;
	t->going = true;
	if (c->next == ACT_START)
		return OUTCOME_STARTED;
	t->there = false;
	/* What is inside goes with it. */
	for (size_t i = 0; i < CLOUD_MAX_THINGS && str_is(s->ext->spec.type, "box"); i++)
		c->things[i].there = c->things[i].there &&
		    strncmp(c->things[i].name, "in-", 3) != 0;
	return OUTCOME_DONE;
}

static enum seen
observe(struct step *s, struct error *err)
{
	struct cloud *c = cloud_of(s);
	char name[64], value[32];
	struct cloud_thing *t = cloud_find(c, name_of(s, name));

	c->looks++;
	if (c->hook != NULL)
		c->hook(s, "observe");
	if (c->blind) {
		error_set(err, ERR_NETWORK, "no route");
		return SEEN_UNKNOWN;
	}
	if (t == NULL)
		return SEEN_ABSENT;
	if (t->foreign)
		return SEEN_FOREIGN;
	s->ext->spec.external_id = str_copy(s->arena, str_from(name));
	if (t->pending || t->going)
		return SEEN_PENDING;
	if (t->broken) {
		error_set(err, ERR_CAPACITY, "no hardware");
		return SEEN_BROKEN;
	}
	if (s->want != NULL && strcmp(t->value, want_value(s, value)) != 0) {
		text_printf(s->drift, "value %s -> %s", t->value, value);
		s->drift_immutable = strncmp(value, "fixed", 5) == 0;
		return SEEN_DRIFTED;
	}
	return SEEN_READY;
}

#define ROW(n, f, ...)                                                                             \
	{ .name = n, .what = n, .flags = f, .poll_ms = 1000, .deadline_ms = 60000,                 \
	    .observe = observe, .create = create, .update = update, .remove = remove_it, __VA_ARGS__ }

static const struct resource_type types[] = {
	ROW("box", RES_UNIQUE_NAME | RES_UPSERT | RES_COUNTED, .lane = NULL),
	ROW("item", RES_UNIQUE_NAME | RES_CONTAINED, .container = "box"),
	ROW("named", RES_UNIQUE_NAME, .lane = NULL),
	ROW("token", RES_TOKEN, .settle_ms = 90000),
	ROW("nameless", 0, .settle_ms = 90000),
	ROW("whole", RES_UNIQUE_NAME | RES_CLUSTER_LEVEL, .lane = "l"),
	ROW("part", RES_UNIQUE_NAME | RES_LANE_SHARED, .lane = "l"),
};

static void *
open_cloud(void *state, struct store *st, const struct object *owner, struct arena *a,
    struct str *ret_account, struct error *err)
{
	struct cloud *c = state;

	(void)st;
	(void)owner;
	(void)err;
	*ret_account = str_copy(a, str_from(c->account));
	return c;
}

/* ---- the world ---- */

static void
engine(struct world *w)
{
	struct provider p = { .name = "fake", .types = types, .ntypes = ARRAY_LEN(types),
		.state = &w->cloud, .open = open_cloud };
	struct error err = { 0 };

	if (!compose_new(&(struct compose_options){ .store = w->store, .clock = w->clock,
		.installation = "inst", .epoch = 1, .providers = &p, .nproviders = 1 },
		&w->compose, &err))
		fail_msg("%s", err.message);
}

void
world_open(struct world *w)
{
	struct error err = { 0 };

	*w = (struct world){ 0 };
	the_world = w;
	(void)snprintf(w->dir, sizeof(w->dir), "/tmp/compose-test-XXXXXX");
	assert_non_null(mkdtemp(w->dir));
	(void)snprintf(w->cloud.account, sizeof(w->cloud.account), "acc-1");
	w->clock = clock_new_manual(1700000000000);
	w->arena = arena_new(64 * 1024 * 1024);
	assert_non_null(w->arena);
	if (!embedded_open(&(struct embedded_options){ .dir = w->dir, .clock = w->clock, .fast = true },
		&w->store, &err))
		fail_msg("%s", err.message);
	engine(w);
	world_owner(w, "c1", NULL);
}

void
world_restart(struct world *w)
{
	compose_free(w->compose);
	engine(w);
}

void
world_close(struct world *w)
{
	char command[128];

	compose_free(w->compose);
	object_unref(w->owner);
	store_close(w->store);
	clock_free(w->clock);
	arena_free(w->arena);
	(void)snprintf(command, sizeof(command), "%s/flightdeck.db", w->dir);
	(void)remove(command);
	(void)snprintf(command, sizeof(command), "%s/lock", w->dir);
	(void)remove(command);
	(void)remove(w->dir);
}

void
world_owner(struct world *w, const char *name, const char *annotation)
{
	struct error err = { 0 };
	struct node *n = node_map(w->arena), *spec, *pools = node_list(w->arena);
	const struct object *o = NULL;

	node_set_strz(w->arena, n, "apiVersion", "infrastructure.modelplane.ai/v1alpha1");
	node_set_strz(w->arena, n, "kind", "AKSCluster");
	node_set_strz(w->arena, node_make_path(w->arena, n, "metadata"), "name", name);
	node_set_strz(w->arena, node_make_path(w->arena, n, "metadata"), "namespace", "sys");
	if (annotation != NULL)
		node_set_strz(w->arena, node_make_path(w->arena, n, "metadata.annotations"), annotation,
		    "true");
	spec = node_make_path(w->arena, n, "spec");
	node_set_strz(w->arena, spec, "location", "here");
	node_set(w->arena, spec, "nodePools", pools);
	if (!store_apply(w->store, resource_of(&aks_cluster_kind), n, true, &tester, &o, &err))
		fail_msg("%s", err.message);
	object_unref(w->owner);
	w->owner = o;
	world_no_plan(w);
}

void
world_no_plan(struct world *w)
{
	plan_init(&w->plan, w->arena);
}

struct plan_resource *
world_row(struct world *w, const char *type, const char *key, const char *value, const char *after)
{
	struct plan_resource *r = plan_add(&w->plan, "fake", type, str_from(key), str_from(key));

	assert_non_null(r);
	r->what = r->key;
	r->want = node_map(w->arena);
	node_set_strz(w->arena, r->want, "value", value);
	if (after != NULL)
		plan_after(r, str_from(after));
	return r;
}

void
world_pass(struct world *w, enum compose_goal goal)
{
	struct error err = { 0 };

	if (!compose_reconcile(w->compose, w->owner, goal == GOAL_KEEP ? &w->plan : NULL, w->arena,
		&w->result, &err))
		fail_msg("%s", err.message);
}

const struct external *
world_external(struct world *w, const char *key)
{
	for (size_t i = 0; i < w->result.nexternals; i++) {
		if (str_is(w->result.externals[i].spec.key, key))
			return &w->result.externals[i];
	}
	fail_msg("no external '%s'", key);
	return NULL;
}
