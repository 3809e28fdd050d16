/* Snapshots: every state of ux.md 3.2 from conditions, steps, the tree, sums with unknowns. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka needs the four above first. */
#include <cmocka.h>

#include "model/base/mem.h"
#include "model/fleet_build.h"
#include "model/json.h"

enum { NOW = 1000 * 1000 * 1000 };

struct scene {
	struct arena *a;
	struct inference_cluster cluster;
	const struct inference_cluster *clusters[1];
	struct fleet_provider provider;
	struct list none;
	struct external externals[8];
	const struct external *external_at[8];
	struct capacity_node nodes[4];
	struct fleet_seen seen;
	struct fleet_blocker blocker;
	struct fleet_source src;
	const struct fleet *f;
};

static void
scene_make(struct scene *s, const char *more_spec, const char *conditions)
{
	struct node *tree = NULL;
	struct error err;
	char *text;

	memset(s, 0, sizeof(*s));
	s->a = arena_new(16 * 1024 * 1024);
	text = arena_printf(s->a,
	    "{\"metadata\":{\"name\":\"eu\",\"uid\":\"u1\"},\"spec\":{\"cluster\":{\"source\":"
	    "\"AKS\","
	    "\"aks\":{\"location\":\"westeurope\",\"kubernetesVersion\":\"1.34\"}}%s,\"nodePools\":"
	    "[{\"name\":\"gpu\",\"className\":\"a100\",\"nodeCount\":2}]},\"status\":{%s}}",
	    more_spec, conditions);
	if (!json_parse(s->a, str_from(text), &tree, &err))
		fail_msg("%s", err.message);
	schema_default(&inference_cluster_schema, s->a, tree);
	if (!schema_decode(&inference_cluster_schema, s->a, tree, &s->cluster, &err))
		fail_msg("%s", err.message);
	s->clusters[0] = &s->cluster;
	s->src.clusters = s->clusters;
	s->src.nclusters = 1;
	s->src.now_ms = NOW;
	s->src.stale_after_ms = 60 * 1000;
}

static const struct fleet_cluster *
scene_build(struct scene *s)
{
	struct error err;

	if (!fleet_build(&s->src, &s->f, &err))
		fail_msg("%s", err.message);
	assert_int_equal(s->f->nclusters, 1);
	return &s->f->clusters[0];
}

static void
scene_end(struct scene *s)
{
	fleet_unref(s->f);
	arena_free(s->a);
}

#define COND(type, status, reason)                                                                 \
	"{\"type\":\"" type "\",\"status\":\"" status "\",\"reason\":\"" reason                    \
	"\",\"message\":\"why\",\"lastTransitionTime\":\"2026-11-30T12:00:00Z\"}"
#define CONDS(list) "\"conditions\":[" list "]"
#define ALL_READY                                                                                  \
	CONDS(COND("Synced", "True", "ReconcileSuccess") "," COND(                                 \
	    "ClusterReady", "True", "ClusterRunning") "," COND("BackendReady", "True",             \
	    "BackendHealthy") "," COND("Ready", "True", "Available"))
#define TAINT(effect) ",\"taints\":[{\"key\":\"k\",\"value\":\"v\",\"effect\":\"" effect "\"}]"
#define GATEWAY	      ",\"gateway\":{\"address\":\"10.0.0.1\"}"

static void
states_follow_the_conditions(void **state)
{
	static const struct {
		const char *spec, *status;
		enum fleet_state want;
	} rows[] = {
		{ "", "", FLEET_NEW },
		{ "", ALL_READY GATEWAY, FLEET_READY },
		{ "", CONDS(COND("ClusterReady", "False", "WaitingForClasses")),
		    FLEET_NEEDS_CLASS },
		{ "", CONDS(COND("ClusterReady", "False", "InvalidNodePool")), FLEET_BAD_POOL },
		{ "",
		    CONDS(COND("Synced", "False", "ReconcileError") "," COND(
			"ClusterReady", "False", "Provisioning")),
		    FLEET_ERROR },
		{ "", CONDS(COND("ClusterReady", "False", "Provisioning")), FLEET_CREATING },
		{ "",
		    CONDS(COND("ClusterReady", "True", "ClusterRunning") "," COND("BackendReady",
			"False", "Installing") "," COND("Ready", "False", "Creating")),
		    FLEET_INSTALLING },
		{ "",
		    CONDS(COND("ClusterReady", "False", "Provisioning") "," COND(
			"Ready", "False", "Creating")) GATEWAY,
		    FLEET_DEGRADED },
		{ TAINT("NoSchedule"), ALL_READY, FLEET_CORDONED },
		{ TAINT("NoExecute"), ALL_READY, FLEET_DRAINED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct scene s;
		const struct fleet_cluster *c;

		scene_make(&s, rows[i].spec, rows[i].status);
		c = scene_build(&s);
		if (c->state != rows[i].want)
			fail_msg("row %zu: %s instead of %s", i, fleet_state_word(c->state),
			    fleet_state_word(rows[i].want));
		scene_end(&s);
	}
}

static void
replicas_block_a_deletion_and_make_draining(void **state)
{
	struct scene s;
	const struct fleet_cluster *c;

	(void)state;
	scene_make(&s, TAINT("NoExecute"), ALL_READY);
	s.blocker = (struct fleet_blocker){ STR("eu"), STR("ModelReplica ml/qwen-0"), true };
	s.src.blockers = &s.blocker;
	s.src.nblockers = 1;
	c = scene_build(&s);
	assert_int_equal(c->state, FLEET_DRAINING);
	assert_int_equal(c->nblockers, 1);
	fleet_unref(s.f);
	s.cluster.meta.deletion_timestamp = STR("2026-11-30T12:00:00Z");
	c = scene_build(&s);
	assert_int_equal(c->state, FLEET_DELETE_BLOCKED);
	assert_int_equal(s.f->nurgent, 1);
	scene_end(&s);
}

static void
a_first_installation_that_fails_is_not_degraded(void **state)
{
	struct scene s;

	(void)state;
	scene_make(&s, "",
	    CONDS(COND("ClusterReady", "True", "ClusterRunning") "," COND(
		"Ready", "False", "Creating")) GATEWAY);
	s.cluster.meta.creation_timestamp = STR("2026-11-30T11:59:58Z");
	assert_int_equal(scene_build(&s)->state, FLEET_INSTALLING);
	scene_end(&s);
}

static void
an_old_observation_is_stale(void **state)
{
	struct scene s;

	(void)state;
	scene_make(&s, "", ALL_READY);
	s.seen = (struct fleet_seen){
		.cluster = STR("eu"), .observed_ms = NOW - 61 * 1000, .problem = STR("no route")
	};
	s.src.seen = &s.seen;
	s.src.nseen = 1;
	assert_int_equal(scene_build(&s)->state, FLEET_STALE);
	assert_true(str_is(s.f->clusters[0].message, "no route"));
	scene_end(&s);
}

static void
what_was_not_observed_is_unknown(void **state)
{
	struct scene s;
	const struct fleet_cluster *c;

	(void)state;
	scene_make(&s, "", ALL_READY);
	c = scene_build(&s);
	assert_int_equal(c->nodes_ready, -1);
	assert_int_equal(c->gpus, -1);
	assert_int_equal(c->nodes_wanted, 2);
	assert_int_equal(s.f->pools[0].gpus_observed, -1);
	scene_end(&s);
}

static void
observed_nodes_are_summed(void **state)
{
	struct scene s;
	const struct fleet_cluster *c;

	(void)state;
	scene_make(&s, "", ALL_READY);
	s.nodes[0] = (struct capacity_node){ STR("n1"), STR("gpu"), true, false, 8, 3 };
	s.nodes[1] = (struct capacity_node){ STR("n2"), STR("gpu"), true, false, 8, 0 };
	s.nodes[2] = (struct capacity_node){ STR("s"), STR("system"), true, false, -1, -1 };
	s.seen = (struct fleet_seen){
		.cluster = STR("eu"), .observed_ms = NOW, .nodes = s.nodes, .nnodes = 3
	};
	s.src.seen = &s.seen;
	s.src.nseen = 1;
	c = scene_build(&s);
	assert_int_equal(c->nodes_ready, 2);
	assert_int_equal(c->gpus, 16);
	assert_int_equal(c->gpus_claimed, 3);
	assert_int_equal(c->gpus_free, 13);
	assert_int_equal(s.f->pools[0].nodes_free, 1);
	scene_end(&s);
}

static void
external_add(
    struct scene *s, size_t i, const char *key, const char *type, int phase, const char *waits_for)
{
	struct external_spec *x = &s->externals[i].spec;

	*x = (struct external_spec){ .present = true,
		.owner_uid = STR("p1"),
		.key = str_from(key),
		.type = str_from(type),
		.provider = STR("azure"),
		.name = str_from(key),
		.order = { true, (int64_t)(10 - i) },
		.phase = phase,
		.waits_for = str_from(waits_for) };
	s->external_at[i] = &s->externals[i];
	s->src.externals = s->external_at;
	s->src.nexternals = i + 1;
}

static void
the_tree_is_in_plan_order_and_steps_are_counted(void **state)
{
	struct scene s;
	const struct fleet_cluster *c;

	(void)state;
	scene_make(&s, "", CONDS(COND("ClusterReady", "False", "Provisioning")));
	s.provider = (struct fleet_provider){ .kind = STR("AKSCluster"),
		.name = STR("eu"),
		.uid = STR("p1"),
		.owner_uid = STR("u1"),
		.conditions = &s.none };
	s.src.providers = &s.provider;
	s.src.nproviders = 1;
	external_add(&s, 0, "nodepool-gpu", "agent-pool", EXTERNAL_WAITING, "cluster");
	external_add(&s, 1, "cluster", "managed-cluster", EXTERNAL_CREATED, "");
	external_add(&s, 2, "resource-group", "resource-group", EXTERNAL_READY, "");
	external_add(&s, 3, "old", "resource-group", EXTERNAL_TOMBSTONE, "");
	c = scene_build(&s);
	assert_int_equal(c->ntree, 5);
	assert_true(str_is(c->tree[1].object, "AKSCluster/eu"));
	assert_true(str_is(c->tree[2].name, "resource-group"));
	assert_true(str_is(c->tree[3].name, "cluster"));
	assert_true(c->tree[3].blocking);
	assert_false(c->tree[4].blocking);
	assert_int_equal(c->tree[4].state, FLEET_WAITING);
	assert_int_equal(c->steps_done, 2);
	assert_true(str_is(c->step, "control plane"));
	scene_end(&s);
}

static void
texts_from_outside_are_cleaned(void **state)
{
	struct scene s;

	(void)state;
	scene_make(&s, "", CONDS(COND("ClusterReady", "False", "Provisioning")));
	((struct condition *)s.cluster.status.conditions.items)[0].message = STR("a\033[2Jb");
	assert_true(str_is(scene_build(&s)->message, "a^[[2Jb"));
	scene_end(&s);
}

static void
a_cluster_is_found_by_name(void **state)
{
	struct scene s;

	(void)state;
	scene_make(&s, "", "");
	(void)scene_build(&s);
	assert_non_null(fleet_cluster_find(s.f, STR("eu")));
	assert_null(fleet_cluster_find(s.f, STR("e")));
	assert_null(fleet_cluster_find(s.f, STR("euro")));
	scene_end(&s);
}

static void
without_memory_there_is_no_fleet(void **state)
{
	(void)state;
	for (long n = 0; n < 8; n++) {
		struct scene s;
		struct error err;
		long live;
		bool ok;

		scene_make(&s, "", ALL_READY);
		error_clear(&err);
		live = mem_live_blocks();
		mem_fault_arm(n);
		ok = fleet_build(&s.src, &s.f, &err);
		mem_fault_arm(-1);
		if (ok) {
			scene_end(&s);
			continue;
		}
		assert_int_equal(err.code, ERR_NO_MEMORY);
		assert_int_equal(mem_live_blocks(), live);
		arena_free(s.a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_follow_the_conditions),
		cmocka_unit_test(replicas_block_a_deletion_and_make_draining),
		cmocka_unit_test(a_first_installation_that_fails_is_not_degraded),
		cmocka_unit_test(an_old_observation_is_stale),
		cmocka_unit_test(what_was_not_observed_is_unknown),
		cmocka_unit_test(observed_nodes_are_summed),
		cmocka_unit_test(the_tree_is_in_plan_order_and_steps_are_counted),
		cmocka_unit_test(texts_from_outside_are_cleaned),
		cmocka_unit_test(a_cluster_is_found_by_name),
		cmocka_unit_test(without_memory_there_is_no_fleet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
