#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backend/compose/compose.h"
#include "backend/controllers/aks_cluster.h"
#include "backend/controllers/object.h"
#include "backend/runtime/clock.h"
#include "backend/store/embedded.h"
#include "model/base/mem.h"
#include "model/compose/aks.h"
#include "model/json.h"
#include "model/kinds/event.h"

/* The controller over clouds in which everything is done at once, or refused, as the test says. */

static struct {
	char dir[64];
	struct clock *clock;
	struct store *store;
	struct compose *compose;
	struct controller_context cx;
	struct reconcile_result result;
	const char *refuse; /* type that is refused, or NULL */
	bool closed;	    /* no credential */
	unsigned acts;
} w;

/* ---- clouds ---- */

static enum seen
observe(struct step *s, struct error *err)
{
	(void)err;
	return s->ext->spec.external_id.n > 0 ? SEEN_READY : SEEN_ABSENT;
}

static enum outcome
act(struct step *s, struct error *err)
{
	w.acts++;
	if (w.refuse != NULL && str_is(s->ext->spec.type, w.refuse)) {
		error_set(err, ERR_QUOTA, "needs 24 more vCPUs");
		return OUTCOME_REFUSED;
	}
	s->ext->spec.external_id = s->ext->spec.name;
	return OUTCOME_DONE;
}

static enum outcome
take_away(struct step *s, struct error *err)
{
	(void)err;
	w.acts++;
	s->ext->spec.external_id = (struct str){ 0 };
	return OUTCOME_DONE;
}

#define ROW(n)                                                                                     \
	{                                                                                          \
		.name = n, .what = n, .flags = RES_UNIQUE_NAME, .poll_ms = 1000,                   \
		.deadline_ms = 60000, .observe = observe, .create = act, .update = act,            \
		.remove = take_away                                                                \
	}

static const struct resource_type azure_rows[] = { ROW("resource-group"), ROW("virtual-network"),
	ROW("managed-cluster"), ROW("role-assignment"), ROW("agent-pool"),
	ROW("admin-kubeconfig") };
static const struct resource_type kube_rows[] = { ROW("object"), ROW("release") };

static void *
open_cloud(void *state, struct store *st, const struct object *owner, struct arena *a,
    struct str *ret_account, struct error *err)
{
	(void)state;
	(void)owner;
	(void)a;
	if (w.closed) {
		error_set(err, ERR_NOT_FOUND, "there is no credential");
		error_name(err, "CredentialsMissing");
		return NULL;
	}
	*ret_account = STR("acc");
	return st;
}

/* ---- set-up ---- */

static int
setup(void **state)
{
	struct provider providers[] = {
		{ .name = "azure",
		    .types = azure_rows,
		    .ntypes = ARRAY_LEN(azure_rows),
		    .open = open_cloud },
		{ .name = "kube",
		    .types = kube_rows,
		    .ntypes = ARRAY_LEN(kube_rows),
		    .open = open_cloud },
	};
	struct error err = { 0 };

	(void)state;
	memset(&w, 0, sizeof(w));
	(void)snprintf(w.dir, sizeof(w.dir), "/tmp/aks-test-XXXXXX");
	assert_non_null(mkdtemp(w.dir));
	w.clock = clock_new_manual(1796050800000);
	assert_true(embedded_open(
	    &(struct embedded_options){ .dir = w.dir, .clock = w.clock, .fast = true }, &w.store,
	    &err));
	assert_true(compose_new(&(struct compose_options){ .store = w.store,
				    .clock = w.clock,
				    .installation = "inst",
				    .epoch = 1,
				    .providers = providers,
				    .nproviders = ARRAY_LEN(providers) },
	    &w.compose, &err));
	w.cx = (struct controller_context){ .store = w.store,
		.clock = w.clock,
		.compose = w.compose,
		.actor = { .manager = "test", .user = "t", .from = "" },
		.arena = arena_new(CONTROLLER_ARENA_MAX),
		.installation = "inst" };
	assert_non_null(w.cx.arena);
	return 0;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int
teardown(void **state)
{
	(void)state;
	compose_free(w.compose);
	store_close(w.store);
	clock_free(w.clock);
	arena_free(w.cx.arena);
	return nftw(w.dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void
apply_cluster(const char *annotations)
{
	struct node *n = NULL;
	struct error err = { 0 };

	assert_true(json_parse(w.cx.arena,
	    str_from(arena_printf(w.cx.arena,
		"{\"apiVersion\":\"infrastructure.modelplane.ai/v1alpha1\",\"kind\":\"AKSCluster\","
		"\"metadata\":{\"name\":\"c\",\"namespace\":\"modelplane-system\"%s},\"spec\":{"
		"\"location\":\"westeurope\",\"kubernetesVersion\":\"1.36\",\"nodePools\":[{"
		"\"name\":\"g\",\"role\":\"GPU\",\"vmSize\":\"x\",\"gpu\":{\"acceleratorType\":"
		"\"a\"}}]}}",
		annotations)),
	    &n, &err));
	if (!store_apply(w.store, resource_of(&aks_cluster_kind), n, true, &w.cx.actor, NULL, &err))
		fail_msg("%s", err.message);
}

static const struct object *
stored(void)
{
	const struct object *o = NULL;
	struct error err = { 0 };

	if (!store_get(w.store, resource_of(&aks_cluster_kind), STR("modelplane-system"), STR("c"),
		&o, &err))
		assert_int_equal(err.code, ERR_NOT_FOUND);
	return o;
}

static bool
pass(void)
{
	const struct object *o = stored();
	struct error err = { 0 };
	bool ok;

	assert_non_null(o);
	w.result = (struct reconcile_result){ 0 };
	ok = aks_cluster_controller.reconcile(&w.cx, o, &w.result, &err);
	if (!ok)
		print_message("pass: %s\n", err.message);
	object_unref(o);
	return ok;
}

static struct node *
status(void)
{
	const struct object *o = stored();
	struct node *n = NULL;

	assert_non_null(o);
	assert_true(object_node(o, w.cx.arena, &n, NULL));
	object_unref(o);
	return n;
}

static void
assert_condition(const char *type, const char *value, const char *reason, const char *part)
{
	const struct node *list = node_path(status(), "status.conditions");

	for (const struct node *c = node_first(list); c != NULL; c = c->next) {
		if (!str_is(node_get_str(node_find(c, "type")), type))
			continue;
		if (!str_is(node_get_str(node_find(c, "status")), value) ||
		    !str_is(node_get_str(node_find(c, "reason")), reason) ||
		    str_find(node_get_str(node_find(c, "message")), str_from(part)) < 0)
			fail_msg("%s: " STR_FMT " " STR_FMT " '" STR_FMT "'", type,
			    STR_ARG(node_get_str(node_find(c, "status"))),
			    STR_ARG(node_get_str(node_find(c, "reason"))),
			    STR_ARG(node_get_str(node_find(c, "message"))));
		return;
	}
	fail_msg("no condition %s", type);
}

static unsigned
events(const char *reason)
{
	struct object_list list = { 0 };
	unsigned n = 0;

	assert_true(store_list(
	    w.store, resource_of(&event_kind), &(struct list_options){ 0 }, &list, NULL));
	for (size_t i = 0; i < list.n; i++) {
		struct node *e = NULL;

		assert_true(object_node(list.items[i], w.cx.arena, &e, NULL));
		n += str_is(node_path_str(e, "reason"), reason) ? 1 : 0;
	}
	object_list_fini(&list);
	return n;
}

/* ---- tests ---- */

static void
a_cluster_becomes_ready_and_says_what_it_offers(void **state)
{
	(void)state;
	apply_cluster("");
	assert_true(pass());
	assert_true(pass());
	assert_condition("Ready", "True", "Available", "");
	assert_condition("Synced", "True", "ReconcileSuccess", "");
	assert_true(str_is(node_path_str(status(), "status.secrets[0].key"), "kubeconfig"));
	assert_true(
	    str_is(node_path_str(status(), "status.cache.storageClassName"), AKS_STORAGE_CLASS));
	assert_true(str_is(node_path_str(status(), "metadata.finalizers[0]"), AKS_FINALIZER));
	assert_true(events("ResourceReady") >= 6);
	assert_true(w.result.requeue_ms >= COMPOSE_STEADY_MS);
}

static void
what_it_offers_is_said_from_the_first_pass_on(void **state)
{
	(void)state;
	w.closed = true;
	apply_cluster("");
	assert_true(pass());
	assert_true(node_path_str(status(), "status.secrets[0].name").n > 0);
	assert_condition("Synced", "False", "ReconcileError", "CredentialsMissing");
	assert_condition("Ready", "False", "Creating", "there is no credential");
	assert_int_equal(events("CredentialsMissing"), 1);
	w.closed = false;
	clock_advance(w.clock, 60000);
	assert_true(pass());
	assert_true(pass());
	assert_condition("Ready", "True", "Available", "");
}

static void
a_refused_pool_is_told_in_the_clouds_words(void **state)
{
	int64_t version;

	(void)state;
	w.refuse = "agent-pool";
	apply_cluster("");
	assert_true(pass());
	assert_condition("Ready", "False", "Creating", "nodepool-g: needs 24 more vCPUs");
	assert_condition("Synced", "False", "ReconcileError", "QuotaExceeded");
	assert_int_equal(events("QuotaExceeded"), 1);
	version = node_path_int(status(), "metadata.generation", 0);
	clock_advance(w.clock, 1000);
	assert_true(pass()); /* the same fault is no new event */
	assert_int_equal(events("QuotaExceeded"), 1);
	assert_int_equal(node_path_int(status(), "metadata.generation", 0), version);
	w.refuse = NULL;
	clock_advance(w.clock, 600000);
	assert_true(pass());
	assert_condition("Ready", "True", "Available", "");
}

static void
the_finalizer_goes_last(void **state)
{
	const struct object *o;
	struct error err = { 0 };

	(void)state;
	apply_cluster("");
	assert_true(pass());
	assert_true(store_delete(w.store, resource_of(&aks_cluster_kind), STR("modelplane-system"),
	    STR("c"), &(struct delete_options){ .propagation = PROPAGATE_BACKGROUND }, &w.cx.actor,
	    &err));
	w.closed = true; /* nobody can say that anything is gone */
	for (int i = 0; i < 3; i++) {
		clock_advance(w.clock, 60000);
		assert_true(pass());
	}
	assert_condition("Ready", "False", "Deleting", "resources are left");
	w.closed = false;
	for (int i = 0; i < 20; i++) {
		o = stored();
		if (o == NULL)
			break;
		object_unref(o);
		clock_advance(w.clock, 60000);
		assert_true(pass());
	}
	assert_null(stored());
}

static void
a_paused_cluster_is_left_alone(void **state)
{
	(void)state;
	apply_cluster(",\"annotations\":{\"crossplane.io/paused\":\"true\"}");
	assert_true(pass());
	assert_int_equal(w.acts, 0);
	assert_condition("Synced", "False", "ReconcilePaused", "");
}

static unsigned nrelated;

static void
count_related(void *context, struct str ns, struct str name)
{
	(void)context;
	assert_true(str_is(ns, "modelplane-system") && str_is(name, "c"));
	nrelated++;
}

static void
a_changed_credential_concerns_every_cluster(void **state)
{
	struct node *n = NULL;
	const struct object *o = NULL;
	struct error err = { 0 };

	(void)state;
	apply_cluster("");
	assert_true(json_parse(w.cx.arena,
	    STR("{\"apiVersion\":\"azure.m.upbound.io/v1beta1\","
		"\"kind\":\"ClusterProviderConfig\",\"metadata\":{\"name\":\"default\"},\"spec\":{"
		"\"credentials\":{\"source\":\"None\"}}}"),
	    &n, &err));
	assert_true(store_apply(w.store,
	    resource_of(kind_find(STR("azure.m.upbound.io/v1beta1"), STR("ClusterProviderConfig"))),
	    n, true, &w.cx.actor, &o, &err));
	nrelated = 0;
	aks_cluster_controller.related(&w.cx, o, count_related, NULL);
	assert_int_equal(nrelated, 1);
	object_unref(o);
}

int
main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(a_cluster_becomes_ready_and_says_what_it_offers),
		T(what_it_offers_is_said_from_the_first_pass_on),
		T(a_refused_pool_is_told_in_the_clouds_words),
		T(the_finalizer_goes_last),
		T(a_paused_cluster_is_left_alone),
		T(a_changed_credential_concerns_every_cluster),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
