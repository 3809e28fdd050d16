/*
 * The rows "release" and "object" against a real API server on a store in memory. The test plays
 * the cluster's hands: it finishes Jobs and writes helm's release Secrets.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/apiserver/apiserver.h"
#include "backend/apiserver/builtin.h"
#include "backend/kube/session.h"
#include "backend/runtime/clock.h"
#include "backend/store/embedded.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "tests/unit/backend/store/tempdir.h"

struct rig {
	char dir[TEMPDIR_MAX];
	char socket[TEMPDIR_MAX + 16];
	struct clock *clock;
	struct store *store;
	struct apiserver *api;
	struct server *server;
	struct arena *a;
	struct kube_session session;
	struct object owner;
	struct external ext;
	struct plan_resource want;
	struct text drift;
	struct step step;
};

static enum role
everybody(void *context, const struct server_request *req, char *user, size_t size)
{
	(void)context;
	(void)req;
	(void)snprintf(user, size, "tester");
	return ROLE_ADMIN;
}

static void
must(bool ok, const struct error *err)
{
	if (!ok)
		fail_msg("%s", err->message);
}

static struct node *
parse(struct rig *g, const char *text)
{
	struct node *n = NULL;
	struct error err = { 0 };

	must(json_parse(g->a, str_from(text), &n, &err), &err);
	return n;
}

/* A cluster knows Kubernetes' own kinds. */
static void
builtins_intern(struct store *st)
{
	size_t n = 0;
	const struct builtin *b = builtins_get(&n);

	for (size_t i = 0; i < n; i++) {
		const struct resource *r = &b[i].res;

		if (embedded_intern(st, r->group, r->version, r->kind, r->plural, r->namespaced) ==
		    NULL)
			fail_msg("no room for %s", r->kind);
	}
}

static void
rig_open(struct rig *g, const char *type, const char *name, const char *want)
{
	struct embedded_options eo = { .accept_any_kind = true };
	struct apiserver_options ao = { .auth = everybody };
	struct server_options so = { .handle = apiserver_handle };
	struct kube_options ko = { .manager = "test" };
	struct error err = { 0 };

	memset(g, 0, sizeof(*g));
	tempdir_make(g->dir);
	(void)snprintf(g->socket, sizeof(g->socket), "%s/s", g->dir);
	g->clock = clock_new_manual(INT64_C(1764500000000));
	eo.clock = g->clock;
	must(embedded_open(&eo, &g->store, &err), &err);
	builtins_intern(g->store);
	ao.store = g->store;
	ao.clock = g->clock;
	must(apiserver_new(&ao, &g->api, &err), &err);
	so.unix_socket = ko.unix_socket = g->socket;
	so.context = g->api;
	must(server_start(&so, &g->server, &err), &err);
	g->a = arena_new(64 * 1024 * 1024);
	g->session = (struct kube_session){
		.store = g->store, .owner = &g->owner, .arena = g->a, .helm_image = "helm:test"
	};
	must(kube_client_new(&ko, &g->session.client, &err), &err);
	g->drift = (struct text)TEXT_INIT(4096);
	g->want = (struct plan_resource){
		.key = str_from(name), .provider = "kube", .type = type, .name = str_from(name)
	};
	g->want.want = parse(g, want);
	g->ext.spec.name = str_from(name);
	g->step = (struct step){ .owner = &g->owner,
		.want = &g->want,
		.ext = &g->ext,
		.arena = g->a,
		.session = &g->session,
		.clock = g->clock,
		.drift = &g->drift };
}

static void
rig_close(struct rig *g)
{
	text_free(&g->drift);
	session_fini(&g->session);
	server_stop(g->server);
	apiserver_free(g->api);
	store_close(g->store);
	clock_free(g->clock);
	arena_free(g->a);
	tempdir_remove(g->dir);
}

static void
put(struct rig *g, const char *kind, const char *json)
{
	struct error err = { 0 };
	struct node *n = parse(g, json);
	struct node *status = node_find(n, "status");
	struct str ns = node_path_str(n, "metadata.namespace");

	if (ns.n > 0) {
		char *text = arena_printf(g->a,
		    "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":"
		    "\"" STR_FMT "\"}}",
		    STR_ARG(ns));

		must(kube_apply(g->session.client, g->a, kube_resource("Namespace"), parse(g, text),
			 true, NULL, &err),
		    &err);
	}
	must(kube_apply(g->session.client, g->a, kube_resource(kind), n, true, NULL, &err), &err);
	if (status != NULL)
		must(kube_update(g->session.client, g->a, kube_resource(kind), n, UPDATE_STATUS,
			 NULL, &err),
		    &err);
}

static size_t
jobs(struct rig *g, struct node **ret_first)
{
	struct list_options opt = { .ns = STR(HELM_NAMESPACE) };
	struct node *items = NULL;
	struct error err = { 0 };

	must(kube_list(g->session.client, g->a, kube_resource("Job"), &opt, &items, NULL, &err),
	    &err);
	if (ret_first != NULL)
		*ret_first = node_first(items);
	return node_count(items);
}

static void
job_end(struct rig *g, const char *how)
{
	struct node *job = NULL, *condition, *list;
	struct error err = { 0 };

	assert_int_equal(jobs(g, &job), 1);
	condition = node_map(g->a);
	node_set_strz(g->a, condition, "type", how);
	node_set_strz(g->a, condition, "status", "True");
	list = node_list(g->a);
	node_push(list, condition);
	node_set(g->a, node_make_path(g->a, job, "status"), "conditions", list);
	node_set_strz(g->a, job, "apiVersion", "batch/v1");
	node_set_strz(g->a, job, "kind", "Job");
	must(kube_update(
		 g->session.client, g->a, kube_resource("Job"), job, UPDATE_STATUS, NULL, &err),
	    &err);
}

static void
helm_says(struct rig *g, int revision, const char *status)
{
	put(g, "Secret",
	    arena_printf(g->a,
		"{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"type\":\"helm.sh/release.v1\","
		"\"metadata\":{\"name\":\"sh.helm.release.v1.mp-lws.v%d\",\"namespace\":"
		"\"lws-system\",\"labels\":{\"owner\":\"helm\",\"name\":\"mp-lws\",\"version\":"
		"\"%d\",\"status\":\"%s\"}}}",
		revision, revision, status));
}

static void
helm_forgets(struct rig *g, int revision)
{
	struct delete_options opt = { .propagation = PROPAGATE_BACKGROUND };
	struct error err = { 0 };
	char *name = arena_printf(g->a, "sh.helm.release.v1.mp-lws.v%d", revision);

	must(kube_delete(g->session.client, kube_resource("Secret"), STR("lws-system"),
		 str_from(name), &opt, &err),
	    &err);
}

static enum seen
look(struct rig *g)
{
	struct error err = { 0 };

	session_forget_lists(&g->session);
	text_clear(&g->drift);
	return helm_release_observe(&g->step, &err);
}

static void
act(struct rig *g, enum outcome (*run)(struct step *, struct error *), enum outcome want)
{
	struct error err = { 0 };
	enum outcome got;

	session_forget_lists(&g->session);
	got = run(&g->step, &err);
	if (got != want)
		fail_msg("outcome %d instead of %d: %s", got, want, err.message);
}

static const char lws[] =
    "{\"chart\":\"lws\",\"repository\":\"oci://registry.k8s.io/lws/charts\",\"version\":\"v0.8.0\","
    "\"namespace\":\"lws-system\"}";

static void
install(struct rig *g)
{
	rig_open(g, "release", "mp-lws", lws);
	assert_int_equal(look(g), SEEN_ABSENT);
	act(g, helm_release_create, OUTCOME_STARTED);
	assert_int_equal(look(g), SEEN_PENDING);
	helm_says(g, 1, "deployed");
	job_end(g, "Complete");
	assert_int_equal(look(g), SEEN_READY);
}

static void
an_installation_runs_one_job(void **state)
{
	struct rig g;

	(void)state;
	install(&g);
	assert_int_equal(jobs(&g, NULL), 1);
	rig_close(&g);
}

static void
a_repeated_create_runs_nothing_twice(void **state)
{
	struct rig g;

	(void)state;
	rig_open(&g, "release", "mp-lws", lws);
	act(&g, helm_release_create, OUTCOME_STARTED);
	act(&g, helm_release_create, OUTCOME_STARTED);
	assert_int_equal(jobs(&g, NULL), 1);
	rig_close(&g);
}

static void
another_version_is_an_upgrade(void **state)
{
	struct rig g;
	struct node *job;

	(void)state;
	install(&g);
	node_set_strz(g.a, g.want.want, "version", "v0.9.0");
	assert_int_equal(look(&g), SEEN_DRIFTED);
	act(&g, helm_release_update, OUTCOME_STARTED);
	assert_int_equal(look(&g), SEEN_PENDING);
	assert_int_equal(jobs(&g, &job), 1); /* the old Job went with the new one */
	helm_says(&g, 1, "superseded");
	helm_says(&g, 2, "deployed");
	job_end(&g, "Complete");
	assert_int_equal(look(&g), SEEN_READY);
	rig_close(&g);
}

static void
a_failed_job_is_broken_and_run_again(void **state)
{
	struct rig g;

	(void)state;
	rig_open(&g, "release", "mp-lws", lws);
	act(&g, helm_release_create, OUTCOME_STARTED);
	job_end(&g, "Failed");
	assert_int_equal(look(&g), SEEN_BROKEN);
	act(&g, helm_release_update, OUTCOME_STARTED); /* takes the Job away */
	assert_int_equal(jobs(&g, NULL), 0);
	assert_int_equal(look(&g), SEEN_ABSENT);
	act(&g, helm_release_create, OUTCOME_STARTED);
	assert_int_equal(jobs(&g, NULL), 1);
	rig_close(&g);
}

static void
an_interrupted_install_is_uninstalled_first(void **state)
{
	struct rig g;
	struct node *job;

	(void)state;
	rig_open(&g, "release", "mp-lws", lws);
	helm_says(&g, 1, "pending-install");
	assert_int_equal(look(&g), SEEN_BROKEN);
	act(&g, helm_release_update, OUTCOME_STARTED);
	assert_int_equal(jobs(&g, &job), 1);
	assert_true(str_starts(node_path_str(job, "metadata.name"), STR("mp-lws-uninstall-")));
	assert_int_equal(look(&g), SEEN_PENDING);
	helm_forgets(&g, 1);
	job_end(&g, "Complete");
	assert_int_equal(look(&g), SEEN_ABSENT);
	rig_close(&g);
}

static void
a_pending_release_with_a_live_job_is_left_alone(void **state)
{
	struct rig g;

	(void)state;
	rig_open(&g, "release", "mp-lws", lws);
	act(&g, helm_release_create, OUTCOME_STARTED);
	helm_says(&g, 1, "pending-install");
	assert_int_equal(look(&g), SEEN_PENDING);
	rig_close(&g);
}

static void
an_interrupted_upgrade_is_rolled_back(void **state)
{
	struct rig g;
	struct node *job;

	(void)state;
	install(&g);
	helm_says(&g, 2, "pending-upgrade");
	assert_int_equal(look(&g), SEEN_BROKEN);
	act(&g, helm_release_update, OUTCOME_STARTED);
	assert_int_equal(jobs(&g, &job), 2);
	while (job != NULL &&
	       !str_starts(node_path_str(job, "metadata.name"), STR("mp-lws-rollback-")))
		job = job->next;
	assert_non_null(job);
	rig_close(&g);
}

static void
removal_uninstalls_and_takes_its_jobs_along(void **state)
{
	struct rig g;
	struct node *job;

	(void)state;
	install(&g);
	act(&g, helm_release_remove, OUTCOME_STARTED);
	assert_int_equal(jobs(&g, &job), 1);
	assert_true(str_starts(node_path_str(job, "metadata.name"), STR("mp-lws-uninstall-")));
	g.owner.deleted_ms = 1;
	assert_int_equal(look(&g), SEEN_PENDING);
	helm_forgets(&g, 1);
	job_end(&g, "Complete");
	assert_int_equal(look(&g), SEEN_ABSENT);
	rig_close(&g);
}

static void
a_release_out_of_the_plan_is_removed_by_its_record(void **state)
{
	struct rig g;

	(void)state;
	install(&g);
	assert_true(str_is(g.ext.spec.scope, "lws-system"));
	g.step.want = NULL;
	assert_int_equal(look(&g), SEEN_READY);
	act(&g, helm_release_remove, OUTCOME_STARTED);
	assert_int_equal(jobs(&g, NULL), 1);
	rig_close(&g);
}

/* ---- objects ---- */

static enum seen
look_object(struct rig *g)
{
	struct error err = { 0 };

	text_clear(&g->drift);
	return kube_object_observe(&g->step, &err);
}

static const char quota[] =
    "{\"manifest\":{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\","
    "\"namespace\":\"made-by-us\"},\"data\":{\"a\":\"1\"}}}";

static void
an_object_is_applied_with_its_namespace(void **state)
{
	struct rig g;

	(void)state;
	rig_open(&g, "object", "c", quota);
	assert_int_equal(look_object(&g), SEEN_ABSENT);
	act(&g, kube_object_create, OUTCOME_DONE);
	assert_int_equal(look_object(&g), SEEN_READY);
	assert_true(str_is(g.ext.spec.external_id, "v1 ConfigMap made-by-us/c"));
	rig_close(&g);
}

static void
a_changed_object_is_drift_by_field(void **state)
{
	struct rig g;

	(void)state;
	rig_open(&g, "object", "c", quota);
	act(&g, kube_object_create, OUTCOME_DONE);
	put(&g, "ConfigMap",
	    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\","
	    "\"namespace\":\"made-by-us\"},\"data\":{\"a\":\"2\",\"b\":\"theirs\"}}");
	assert_int_equal(look_object(&g), SEEN_DRIFTED);
	assert_non_null(strstr(text_get(&g.drift), "data.a"));
	act(&g, kube_object_create, OUTCOME_DONE);
	assert_int_equal(look_object(&g), SEEN_READY); /* what others added stays theirs */
	rig_close(&g);
}

static void
an_object_is_removed_by_its_record(void **state)
{
	struct rig g;

	(void)state;
	rig_open(&g, "object", "c", quota);
	act(&g, kube_object_create, OUTCOME_DONE);
	g.step.want = NULL;
	assert_int_equal(look_object(&g), SEEN_READY);
	act(&g, kube_object_remove, OUTCOME_DONE);
	assert_int_equal(look_object(&g), SEEN_ABSENT);
	act(&g, kube_object_remove, OUTCOME_DONE);
	rig_close(&g);
}

static void
readiness_waits_for_the_query(void **state)
{
	struct rig g;

	(void)state;
	rig_open(&g, "object", "n1",
	    "{\"manifest\":{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}"
	    ","
	    "\"readiness\":\"has(object.status.addresses) && object.status.addresses.size() > "
	    "0\"}");
	act(&g, kube_object_create, OUTCOME_STARTED);
	assert_int_equal(look_object(&g), SEEN_PENDING);
	put(&g, "Node",
	    "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"},\"status\":"
	    "{\"addresses\":[{\"type\":\"InternalIP\",\"address\":\"10.0.0.4\",\"value\":"
	    "\"10.0.0.4\"}]}}");
	assert_int_equal(look_object(&g), SEEN_READY);
	assert_true(str_is(node_path_str(g.ext.spec.observed, "address"), "10.0.0.4"));
	rig_close(&g);
}

static void
without_a_kubeconfig_nothing_is_taken_for_gone(void **state)
{
	struct rig g;
	struct error err = { 0 };

	(void)state;
	rig_open(&g, "object", "c", quota);
	session_fini(&g.session);
	g.owner = (struct object){ .res = kube_resource("Secret"),
		.ns = STR("x"),
		.name = STR("y"),
		.json = STR("{\"metadata\":{}}") };
	assert_int_equal(kube_object_observe(&g.step, &err), SEEN_UNKNOWN);
	assert_string_equal(error_reason(&err), "KubeconfigMissing");
	rig_close(&g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_installation_runs_one_job),
		cmocka_unit_test(a_repeated_create_runs_nothing_twice),
		cmocka_unit_test(another_version_is_an_upgrade),
		cmocka_unit_test(a_failed_job_is_broken_and_run_again),
		cmocka_unit_test(an_interrupted_install_is_uninstalled_first),
		cmocka_unit_test(a_pending_release_with_a_live_job_is_left_alone),
		cmocka_unit_test(an_interrupted_upgrade_is_rolled_back),
		cmocka_unit_test(removal_uninstalls_and_takes_its_jobs_along),
		cmocka_unit_test(a_release_out_of_the_plan_is_removed_by_its_record),
		cmocka_unit_test(an_object_is_applied_with_its_namespace),
		cmocka_unit_test(a_changed_object_is_drift_by_field),
		cmocka_unit_test(an_object_is_removed_by_its_record),
		cmocka_unit_test(readiness_waits_for_the_query),
		cmocka_unit_test(without_a_kubeconfig_nothing_is_taken_for_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
