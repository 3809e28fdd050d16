#include "helper_sim.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backend/net/http.h"
#include "backend/sim/sim.h"
#include "backend/store/embedded.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/kinds/provider_config.h"
#include "model/kinds/secret.h"

static const struct actor tester = { .manager = "test", .user = "t", .from = "" };
static const int64_t EPOCH = 1796050800000; /* 2026-11-30 */

/* ---- a kube provider that agrees ---- */

static enum seen
kube_observe(struct step *s, struct error *err)
{
	(void)err;
	return s->ext->spec.external_id.n > 0 ? SEEN_READY : SEEN_ABSENT;
}

static enum outcome
kube_act(struct step *s, struct error *err)
{
	(void)err;
	s->ext->spec.external_id = s->ext->spec.name;
	return OUTCOME_DONE;
}

static const struct resource_type kube_types[] = {
	{ .name = "object", .what = "object", .flags = RES_UNIQUE_NAME, .poll_ms = 1000,
	    .observe = kube_observe, .create = kube_act, .update = kube_act, .remove = kube_act },
	{ .name = "release", .what = "release", .flags = RES_UNIQUE_NAME, .poll_ms = 1000,
	    .observe = kube_observe, .create = kube_act, .update = kube_act, .remove = kube_act },
};

static void *
kube_open(void *state, struct store *st, const struct object *owner, struct arena *a,
    struct str *ret_account, struct error *err)
{
	(void)state;
	(void)owner;
	(void)a;
	(void)err;
	*ret_account = STR("kube");
	return st;
}

/* ---- set-up ---- */

static void
put(struct flight *f, const struct kind *k, const char *json)
{
	struct node *n = NULL;
	struct error err = { 0 };

	if (!json_parse(f->arena, str_from(json), &n, &err) ||
	    !store_apply(f->store, resource_of(k), n, true, &tester, NULL, &err))
		fail_msg("%s", err.message);
}

static void
put_credential(struct flight *f, struct str credential)
{
	struct text coded = TEXT_INIT(64 * 1024);

	text_add_base64(&coded, credential);
	put(f, &secret_kind, arena_printf(f->arena, "{\"apiVersion\":\"v1\",\"kind\":\"Secret\","
	    "\"metadata\":{\"name\":\"cred\",\"namespace\":\"modelplane-system\"},\"data\":"
	    "{\"credentials.json\":\"%s\"}}", text_get(&coded)));
	put(f, &cluster_provider_config_kinds[PROVIDER_AZURE],
	    "{\"apiVersion\":\"azure.m.upbound.io/v1beta1\",\"kind\":\"ClusterProviderConfig\","
	    "\"metadata\":{\"name\":\"default\"},\"spec\":{\"credentials\":{\"source\":\"Secret\","
	    "\"secretRef\":{\"namespace\":\"modelplane-system\",\"name\":\"cred\","
	    "\"key\":\"credentials.json\"}}}}");
	text_free(&coded);
}

static struct node *
endpoints(struct flight *f)
{
	struct text t = TEXT_INIT(256 * 1024);
	struct node *n = NULL;
	struct error err = { 0 };

	if (!sim_endpoints(f->sim, &t, &err) || !json_parse(f->arena, text_str(&t), &n, &err))
		fail_msg("%s", err.message);
	text_free(&t);
	return n;
}

static const char *
endpoint(struct flight *f, const char *key)
{
	return arena_printf(f->arena, STR_FMT, STR_ARG(node_get_str(node_find(endpoints(f), key))));
}

static void
engine(struct flight *f)
{
	struct azure_options opt = { .authority = endpoint(f, "authority"), .arm = endpoint(f, "arm"),
		.ca_file = endpoint(f, "caFile"), .allow_loopback = true, .clock = f->clock,
		.installation = "0123456789abcdef0123456789abcdef" };
	struct provider providers[2] = { { 0 }, { .name = "kube", .types = kube_types,
		.ntypes = ARRAY_LEN(kube_types), .open = kube_open } };
	struct error err = { 0 };

	if (!azure_provider_new(&opt, &providers[0], &err))
		fail_msg("%s", err.message);
	f->azure = providers[0].state;
	if (!compose_new(&(struct compose_options){ .store = f->store, .clock = f->clock,
		.installation = opt.installation, .epoch = 1, .providers = providers, .nproviders = 2 },
		&f->compose, &err))
		fail_msg("%s", err.message);
}

void
flight_open(struct flight *f, const char *faults, bool certificate)
{
	struct error err = { 0 };

	*f = (struct flight){ 0 };
	(void)snprintf(f->dir, sizeof(f->dir), "/tmp/azure-test-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	assert_true(http_global_init(&err));
	f->clock = clock_new_manual(EPOCH);
	f->arena = arena_new(512 * 1024 * 1024);
	assert_non_null(f->arena);
	if (!sim_start(&(struct sim_options){ .dir = f->dir, .speed = 0, .epoch_ms = EPOCH,
		.faults = faults, .seed = 7 }, &f->sim, &err))
		fail_msg("%s", err.message);
	if (!embedded_open(&(struct embedded_options){ .dir = f->dir, .clock = f->clock, .fast = true },
		&f->store, &err))
		fail_msg("%s", err.message);
	put_credential(f, str_from(endpoint(f, certificate ? "azureCertificateCredentialsJson"
	    : "azureCredentialsJson")));
	engine(f);
}

void
flight_restart(struct flight *f)
{
	compose_free(f->compose);
	engine(f);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void
remove_tree(const char *dir)
{
	if (strncmp(dir, "/tmp/azure-test-", 16) == 0)
		(void)nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void
flight_close(struct flight *f)
{
	compose_free(f->compose);
	store_close(f->store);
	sim_stop(f->sim);
	clock_free(f->clock);
	arena_free(f->arena);
	remove_tree(f->dir);
}

void
later(struct flight *f, int64_t ms)
{
	clock_advance(f->clock, ms);
	sim_set_time(f->sim, clock_wall_ms(f->clock));
}

/* ---- clusters ---- */

const struct object *
flight_cluster(struct flight *f, const char *name, const char *version, const char *pools)
{
	struct node *n = NULL;
	const struct object *o = NULL;
	struct error err = { 0 };
	const char *json = arena_printf(f->arena,
	    "{\"apiVersion\":\"infrastructure.modelplane.ai/v1alpha1\",\"kind\":\"AKSCluster\","
	    "\"metadata\":{\"name\":\"%s\",\"namespace\":\"modelplane-system\"},\"spec\":{"
	    "\"location\":\"westeurope\",\"kubernetesVersion\":\"%s\",\"nodePools\":[%s]}}", name,
	    version, pools);

	if (!json_parse(f->arena, str_from(json), &n, &err) ||
	    !store_apply(f->store, resource_of(&aks_cluster_kind), n, true, &tester, &o, &err))
		fail_msg("%s", err.message);
	return o;
}

static bool
one_pass(struct flight *f, const struct object *owner, enum compose_goal goal, struct error *err)
{
	struct aks_cluster c = { 0 };
	struct plan plan;

	plan_init(&plan, f->arena);
	if (!object_decode(owner, f->arena, &c, err) || !aks_plan(&c, &plan, err))
		fail_msg("%s", err->message);
	return compose_reconcile(f->compose, owner, goal == GOAL_KEEP ? &plan : NULL, f->arena,
	    &f->result, err);
}

void
flight_pass(struct flight *f, const struct object *owner, enum compose_goal goal)
{
	struct error err = { 0 };

	if (!one_pass(f, owner, goal, &err))
		fail_msg("%s", err.message);
}

bool
flight_try(struct flight *f, const struct object *owner, enum compose_goal goal)
{
	struct error err = { 0 };

	if (one_pass(f, owner, goal, &err))
		return true;
	flight_restart(f);
	return false;
}

static void
settle(struct flight *f, const struct object *owner, enum compose_goal goal, int64_t limit_ms)
{
	while (limit_ms > 0) {
		int64_t wait;

		flight_pass(f, owner, goal);
		if (goal == GOAL_DELETE ? f->result.left == 0
			: f->result.next_ms == 0 && f->result.ready == f->result.wanted)
			return;
		wait = f->result.next_ms > 0 ? f->result.next_ms : 1000;
		limit_ms -= wait;
		later(f, wait);
	}
	for (size_t i = 0; i < f->result.nexternals; i++) {
		const struct external_spec *x = &f->result.externals[i].spec;

		print_message("  " STR_FMT ": %s; " STR_FMT " " STR_FMT "\n", STR_ARG(x->key),
		    external_phase_words[x->phase], STR_ARG(x->error.message), STR_ARG(x->progress));
	}
	fail_msg("not settled: %u of %u ready, %u left; %s", f->result.ready, f->result.wanted,
	    f->result.left, f->result.worst.message);
}

void
flight_settle(struct flight *f, const struct object *owner, int64_t limit_ms)
{
	settle(f, owner, GOAL_KEEP, limit_ms);
}

void
flight_settle_gone(struct flight *f, const struct object *owner, int64_t limit_ms)
{
	settle(f, owner, GOAL_DELETE, limit_ms);
}

unsigned long
flight_acted(struct flight *f)
{
	static unsigned long before;
	struct azure_counts c;
	unsigned long now;

	azure_counts_get(f->azure, &c);
	now = c.acting < before ? c.acting : c.acting - before;
	before = c.acting;
	return now;
}

unsigned long
flight_reads(struct flight *f)
{
	static unsigned long before;
	struct azure_counts c;
	unsigned long reads, now;

	azure_counts_get(f->azure, &c);
	reads = c.all - c.acting;
	now = reads < before ? reads : reads - before;
	before = reads;
	return now;
}

const struct external *
flight_external(struct flight *f, const char *key)
{
	for (size_t i = 0; i < f->result.nexternals; i++) {
		if (str_is(f->result.externals[i].spec.key, key))
			return &f->result.externals[i];
	}
	fail_msg("no external '%s'", key);
	return NULL;
}
