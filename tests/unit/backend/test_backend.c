/*
 * The backend as the console and the command line see it: an owner on a profile of its own, and
 * clients beside it. No cloud: without a credential the controllers report that it is missing.
 */

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/backend.h"
#include "model/base/mem.h"
#include "tests/unit/backend/store/tempdir.h"

static char dir[TEMPDIR_MAX];

static const char manifests[] =
    "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata:\n  name: a100\nspec:\n"
    "  provisioning:\n    provider: AKS\n    aks:\n      vmSize: Standard_NC24ads_A100_v4\n"
    "      accelerator:\n        type: nvidia-a100\n        count: 1\n  devices:\n  - name: gpu\n"
    "    driver: gpu.nvidia.com\n    deviceClassName: gpu.nvidia.com\n---\n"
    "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceCluster\nmetadata:\n  name: eu\nspec:\n"
    "  cluster:\n    source: AKS\n    aks:\n      location: westeurope\n"
    "      kubernetesVersion: \"1.35\"\n  nodePools:\n  - name: gpu\n    className: a100\n"
    "    nodeCount: 1\n    minNodeCount: 1\n    maxNodeCount: 2\n";

static struct backend *
open_as(enum backend_mode mode, bool snapshots)
{
	struct backend_options opt = { .mode = mode, .snapshots = snapshots };
	struct backend *b = NULL;
	struct error err = { 0 };

	if (!backend_open(&opt, &b, &err))
		fail_msg("%s", err.message);
	return b;
}

static struct reply *
ask(struct backend *b, enum request_verb verb, const char *kind, const char *name, const char *text)
{
	struct request *r = request_new(verb);
	struct reply *reply = NULL;
	struct error err = { 0 };

	assert_non_null(r);
	(void)snprintf(r->kind, sizeof(r->kind), "%s", kind);
	(void)snprintf(r->name, sizeof(r->name), "%s", name);
	(void)snprintf(r->pool, sizeof(r->pool), "gpu");
	r->text = text != NULL ? mem_dupz(text) : NULL;
	if (!backend_call(b, &r, &reply, &err))
		fail_msg("%s", err.message);
	assert_null(r);
	return reply;
}

static void
must(struct reply *reply)
{
	if (!reply->ok)
		fail_msg("%s", reply->err.message);
	reply_free(reply);
}

/* Why it was refused; frees the reply. */
static enum error_code
refused(struct reply *reply)
{
	enum error_code code = reply->err.code;

	assert_false(reply->ok);
	reply_free(reply);
	return code;
}

static struct node *
get(struct backend *b, struct arena *a, const char *kind, const char *ns, const char *name)
{
	struct node *n = NULL;
	struct error err = { 0 };

	if (!backend_get(
		b, a, kind_find_word(str_from(kind)), str_from(ns), str_from(name), &n, &err))
		return NULL;
	return n;
}

static int
set_up(void **state)
{
	(void)state;
	tempdir_make(dir);
	return setenv("FLIGHTDECK_STATE_DIR", dir, 1);
}

static int
tear_down(void **state)
{
	(void)state;
	tempdir_remove(dir);
	return 0;
}

static void
a_client_attaches_to_the_owner(void **state)
{
	struct backend *owner = open_as(BACKEND_OWNER, false);
	struct backend *client = open_as(BACKEND_CLIENT, false);
	struct backend_options second = { .mode = BACKEND_OWNER };
	struct backend *other = NULL;
	struct arena *a = arena_new(1024 * 1024);
	struct error err = { 0 };

	(void)state;
	assert_true(backend_is_owner(owner));
	assert_false(backend_is_owner(client));
	assert_int_equal(backend_owner_text(owner)[0], '\0');
	assert_int_not_equal(backend_owner_text(client)[0], '\0');
	must(ask(client, REQUEST_APPLY, "", "", manifests));
	assert_non_null(get(owner, a, "ic", "", "eu"));
	assert_false(backend_open(&second, &other, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	arena_free(a);
	backend_close(client);
	backend_close(owner);
}

/* What is wrong with a file is no other owner: it is said at once, with its own advice. */
static void
a_refused_file_is_no_other_owner(void **state)
{
	static const enum backend_mode modes[] = { BACKEND_CLIENT, BACKEND_OWNER, BACKEND_AUTO };
	struct backend *b = open_as(BACKEND_CLIENT, false);
	char path[TEMPDIR_MAX + 64], other[TEMPDIR_MAX + 64];

	(void)state;
	backend_close(b);
	(void)snprintf(path, sizeof(path), "%s/flightdeck.db", dir);
	(void)snprintf(other, sizeof(other), "%s/aside.db", dir);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(symlink("aside.db", path), 0);
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		struct backend_options opt = { .mode = modes[i] };
		struct error err = { 0 };

		assert_false(backend_open(&opt, &b, &err));
		assert_int_equal(err.code, ERR_REFUSED);
		assert_non_null(strstr(err.message, "is a link"));
		assert_null(strstr(error_advice(&err), "socket"));
	}
}

/* With a full disk the fleet can still be looked at, and a change says what is wrong. */
static void
a_full_disk_leaves_the_fleet_to_look_at(void **state)
{
	static const enum backend_mode modes[] = { BACKEND_CLIENT, BACKEND_AUTO };
	struct backend *b = open_as(BACKEND_CLIENT, false);
	struct rlimit old, none;
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);

	(void)state;
	must(ask(b, REQUEST_APPLY, "", "", manifests));
	backend_close(b);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	none = old;
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		struct arena *a = arena_new(1024 * 1024);

		none.rlim_cur = 0; /* no file may grow */
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
		b = open_as(modes[i], false);
		assert_true(backend_read_only(b));
		assert_non_null(get(b, a, "ic", "", "eu"));
		assert_int_equal(
		    refused(ask(b, REQUEST_TAINT, "ic", "eu", "a=b:NoSchedule")), ERR_DISK_FULL);
		backend_close(b);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
		arena_free(a);
	}
	b = open_as(BACKEND_OWNER, false);
	assert_false(backend_read_only(b));
	backend_close(b);
	(void)signal(SIGXFSZ, handler);
}

static void
a_client_without_an_owner_opens_the_store_itself(void **state)
{
	struct backend *b = open_as(BACKEND_CLIENT, false);
	struct arena *a = arena_new(1024 * 1024);

	(void)state;
	must(ask(b, REQUEST_APPLY, "", "", manifests));
	backend_close(b);
	b = open_as(BACKEND_CLIENT, false);
	assert_non_null(get(b, a, "ic", "", "eu"));
	arena_free(a);
	backend_close(b);
}

static void
an_apply_is_all_or_nothing(void **state)
{
	struct backend *b = open_as(BACKEND_CLIENT, false);
	struct arena *a = arena_new(1024 * 1024);
	char text[4096];
	struct reply *reply;

	(void)state;
	(void)snprintf(text, sizeof(text),
	    "%s---\napiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata:\n  name: "
	    "bad\nspec:\n  nonsense: 1\n",
	    manifests);
	reply = ask(b, REQUEST_APPLY, "", "", text);
	assert_false(reply->ok);
	assert_true(reply->problems.nerrors > 0);
	reply_free(reply);
	assert_null(get(b, a, "ic", "", "eu"));
	assert_null(get(b, a, "InferenceClass", "", "a100"));
	arena_free(a);
	backend_close(b);
}

static void
a_dry_run_stores_nothing_and_an_equal_apply_changes_nothing(void **state)
{
	struct backend *b = open_as(BACKEND_CLIENT, false);
	struct arena *a = arena_new(1024 * 1024);
	struct request *r = request_new(REQUEST_APPLY);
	struct reply *reply = NULL;
	struct error err = { 0 };

	(void)state;
	r->text = mem_dupz(manifests);
	r->dry_run = true;
	assert_true(backend_call(b, &r, &reply, &err));
	assert_non_null(strstr(reply->text, "eu created (dry run)"));
	must(reply);
	assert_null(get(b, a, "ic", "", "eu"));
	must(ask(b, REQUEST_APPLY, "", "", manifests));
	reply = ask(b, REQUEST_APPLY, "", "", manifests);
	assert_non_null(strstr(reply->text, "eu unchanged"));
	must(reply);
	arena_free(a);
	backend_close(b);
}

static void
scale_taint_and_upgrade_change_one_place(void **state)
{
	struct backend *b = open_as(BACKEND_CLIENT, false);
	struct arena *a = arena_new(4 * 1024 * 1024);
	struct request *r = request_new(REQUEST_SCALE);
	struct reply *reply = NULL;
	struct error err = { 0 };
	struct node *n;

	(void)state;
	must(ask(b, REQUEST_APPLY, "", "", manifests));
	(void)snprintf(r->name, sizeof(r->name), "eu");
	(void)snprintf(r->pool, sizeof(r->pool), "gpu");
	r->max = 4;
	assert_true(backend_call(b, &r, &reply, &err));
	must(reply);
	must(ask(b, REQUEST_TAINT, "", "eu", "why=repair:NoSchedule"));
	must(ask(b, REQUEST_UPGRADE, "", "eu", "1.36"));
	n = get(b, a, "ic", "", "eu");
	assert_int_equal(node_path_int(n, "spec.nodePools[0].maxNodeCount", 0), 4);
	assert_int_equal(node_path_int(n, "spec.nodePools[0].minNodeCount", 0), 1);
	assert_true(str_is(node_path_str(n, "spec.taints[0].value"), "repair"));
	assert_true(str_is(node_path_str(n, "spec.cluster.aks.kubernetesVersion"), "1.36"));
	must(ask(b, REQUEST_UNTAINT, "", "eu", "why"));
	assert_int_equal(node_count(node_path(get(b, a, "ic", "", "eu"), "spec.taints")), 0);
	assert_int_equal(refused(ask(b, REQUEST_UNTAINT, "", "eu", "why")), ERR_NOT_FOUND);
	assert_int_equal(refused(ask(b, REQUEST_TAINT, "", "eu", "why=x:Nonsense")), ERR_INVALID);
	/* A manifest takes back what our own verbs set. */
	must(ask(b, REQUEST_APPLY, "", "", manifests));
	n = get(b, a, "ic", "", "eu");
	assert_int_equal(node_path_int(n, "spec.nodePools[0].maxNodeCount", 0), 2);
	arena_free(a);
	backend_close(b);
}

static void
secrets_are_masked_and_looking_writes_nothing(void **state)
{
	struct backend *b = open_as(BACKEND_CLIENT, false);
	struct backend *look;
	struct arena *a = arena_new(1024 * 1024);
	struct error err = { 0 };
	struct node *n;

	(void)state;
	assert_true(backend_login(b, "azure", "default",
	    STR("{\"clientId\":\"c\",\"clientSecret\":\"hush-hush\",\"subscriptionId\":\"s\","
		"\"tenantId\":\"t\"}"),
	    true, &err));
	n = get(b, a, "Secret", "modelplane-system", "azure-credentials-default");
	assert_non_null(n);
	assert_true(
	    str_is(node_get_str(node_find(node_find(n, "data"), "credentials.json")), "***"));
	assert_non_null(get(b, a, "clusterproviderconfigs.azure.m.upbound.io", "", "default"));
	assert_false(backend_login(b, "azure", "default", STR("{\"clientId\":\"c\"}"), true, &err));
	assert_null(strstr(err.message, "hush"));
	backend_close(b);
	look = open_as(BACKEND_OBSERVE, false);
	assert_true(backend_read_only(look));
	assert_int_equal(refused(ask(look, REQUEST_APPLY, "", "", manifests)), ERR_READ_ONLY);
	assert_int_equal(refused(ask(look, REQUEST_DELETE, "ic", "eu", NULL)), ERR_READ_ONLY);
	backend_close(look);
	arena_free(a);
}

static void
a_plan_names_what_would_be_made(void **state)
{
	struct backend *b = open_as(BACKEND_CLIENT, false);
	struct reply *reply = ask(b, REQUEST_PLAN, "", "", manifests);

	(void)state;
	if (!reply->ok)
		fail_msg("%s", reply->err.message);
	assert_non_null(strstr(reply->text, "managed-cluster"));
	assert_non_null(strstr(reply->text, "agent-pool"));
	assert_non_null(strstr(reply->text, "mp-cert-manager"));
	reply_free(reply);
	backend_close(b);
}

/* Waits for a snapshot in which the cluster has that state. */
static const struct fleet *
fleet_with(struct backend *b, enum fleet_state state)
{
	struct timespec step = { .tv_sec = 0, .tv_nsec = 10 * 1000 * 1000 };

	for (int i = 0; i < 1000; i++) {
		const struct fleet *f = backend_fleet(b);
		const struct fleet_cluster *c = f != NULL ? fleet_cluster_find(f, STR("eu")) : NULL;

		if (c != NULL && c->state == state)
			return f;
		fleet_unref(f);
		(void)nanosleep(&step, NULL);
	}
	fail_msg("no snapshot with %s", fleet_state_word(state));
	return NULL;
}

static void
the_owner_reconciles_and_its_snapshots_say_what_is_missing(void **state)
{
	struct backend *b = open_as(BACKEND_OWNER, true);
	const struct fleet *f;
	const struct fleet_cluster *c;
	struct reply *reply;

	(void)state;
	must(ask(b, REQUEST_APPLY, "", "", manifests));
	f = fleet_with(b, FLEET_ERROR);
	c = fleet_cluster_find(f, STR("eu"));
	assert_true(str_find(c->message, STR("flightdeck login azure")) >= 0);
	assert_true(f->nurgent == 1);
	assert_true(c->ntree > 5);
	fleet_unref(f);
	reply = ask(b, REQUEST_DESCRIBE, "ic", "eu", NULL);
	assert_true(reply->ok);
	assert_non_null(strstr(reply->text, "ClusterReady"));
	reply_free(reply);
	must(ask(b, REQUEST_RETRY, "ic", "eu", NULL));
	backend_close(b);
}

static const char credential[] =
    "{\"clientId\":\"11111111-1111-4111-8111-111111111111\",\"clientSecret\":\"s3cr3t\","
    "\"subscriptionId\":\"11111111-1111-4111-8111-111111111112\","
    "\"tenantId\":\"11111111-1111-4111-8111-111111111113\"}";

/* An owner that cannot read its secrets would do half of the work, and say nothing. */
static void
an_owner_with_the_wrong_key_does_not_start(void **state)
{
	struct backend_options opt = { .mode = BACKEND_OWNER };
	struct backend *b = open_as(BACKEND_CLIENT, false);
	struct arena *a = arena_new(1024 * 1024);
	char path[TEMPDIR_MAX + 8], other[32] = { 0 };
	struct error err = { 0 };
	FILE *f;

	(void)state;
	must(ask(b, REQUEST_APPLY, "", "", manifests));
	assert_true(backend_login(b, "azure", "default", str_from(credential), true, &err));
	backend_close(b);
	(void)snprintf(path, sizeof(path), "%s/key", dir);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_int_equal(fwrite(other, 1, sizeof(other), f), sizeof(other));
	assert_int_equal(fclose(f), 0);
	assert_false(backend_open(&opt, &b, &err));
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_non_null(strstr(err.message, "azure-credentials-default"));
	b = open_as(BACKEND_CLIENT, false);
	assert_non_null(get(b, a, "ic", "", "eu"));
	backend_close(b);
	arena_free(a);
}

/* Who only looks, beside an owner that does not answer or without one, sees the fleet too. */
static void
a_store_that_is_only_looked_at_gives_snapshots(void **state)
{
	struct backend *b = open_as(BACKEND_CLIENT, false);
	const struct fleet *f;
	struct error err = { 0 };

	(void)state;
	must(ask(b, REQUEST_APPLY, "", "", manifests));
	backend_close(b);
	b = open_as(BACKEND_OBSERVE, true);
	f = backend_fleet_wait(b, 5000, &err);
	assert_non_null(f);
	assert_true(f->connected);
	assert_non_null(fleet_cluster_find(f, STR("eu")));
	fleet_unref(f);
	backend_close(b);
}

/* Practice on a real fleet would make all of it anew in simulated clouds, or forget it. */
static void
a_real_fleet_is_not_practised_on(void **state)
{
	struct practice_settings settings = { .speed = 60 };
	struct backend *b;
	struct error err = { 0 };

	(void)state;
	assert_true(backend_practice_prepare(&settings, &err));
	b = open_as(BACKEND_CLIENT, false);
	backend_close(b);
	settings = (struct practice_settings){ .speed = 60 };
	assert_false(backend_practice_prepare(&settings, &err));
	assert_int_equal(err.code, ERR_REFUSED);
}

/* Without its credential a cluster could be neither looked at nor removed (cases B062). */
static void
a_config_that_clusters_need_stays(void **state)
{
	struct backend *b = open_as(BACKEND_CLIENT, false);
	struct error err = { 0 };

	(void)state;
	assert_true(backend_login(b, "azure", "default", str_from(credential), true, &err));
	must(ask(b, REQUEST_APPLY, "", "",
	    "apiVersion: infrastructure.modelplane.ai/v1alpha1\nkind: AKSCluster\nmetadata:\n"
	    "  name: eu\n  namespace: modelplane-system\nspec:\n  location: westeurope\n"
	    "  nodePools:\n  - name: gpu\n    role: GPU\n"
	    "    vmSize: Standard_NC24ads_A100_v4\n    minNodeCount: 1\n"
	    "    gpu:\n      acceleratorType: nvidia-a100\n"));
	assert_int_equal(
	    refused(ask(b, REQUEST_DELETE, "ClusterProviderConfig", "default", NULL)), ERR_REFUSED);
	must(ask(b, REQUEST_DELETE, "AKSCluster", "eu", NULL));
	must(ask(b, REQUEST_DELETE, "ClusterProviderConfig", "default", NULL));
	backend_close(b);
}

/* An owner that goes leaves the old picture, and its heir goes on with the work. */
static void
an_attached_console_succeeds_its_owner(void **state)
{
	struct backend *owner = open_as(BACKEND_OWNER, false);
	struct backend *second = open_as(BACKEND_AUTO, true), *heir = NULL;
	struct backend_options opt = { .mode = BACKEND_AUTO, .snapshots = true };
	struct timespec step = { .tv_sec = 0, .tv_nsec = 10 * 1000 * 1000 };
	struct successor *s = NULL;
	const struct fleet *f = NULL;
	struct error err = { 0 };

	(void)state;
	must(ask(second, REQUEST_APPLY, "", "", manifests));
	assert_false(backend_is_owner(second));
	fleet_unref(fleet_with(second, FLEET_ERROR));
	backend_close(owner);
	for (int i = 0; i < 1000 && (f == NULL || f->connected); i++) {
		fleet_unref(f);
		(void)nanosleep(&step, NULL);
		f = backend_fleet(second);
	}
	assert_false(f->connected);
	assert_non_null(fleet_cluster_find(f, STR("eu")));
	assert_true(f->oldest_ms <= backend_now_ms(second));
	assert_true(backend_successor_start(second, &opt, &s, &err));
	for (int i = 0; i < 1000 && !backend_successor_take(&s, &heir, &err); i++)
		(void)nanosleep(&step, NULL);
	assert_null(s);
	assert_non_null(heir);
	assert_true(backend_is_owner(heir));
	fleet_unref(fleet_with(heir, FLEET_ERROR));
	fleet_unref(f);
	backend_close(second);
	backend_close(heir);
}

static void
submitted_requests_are_answered_and_wake(void **state)
{
	struct backend *b = open_as(BACKEND_CLIENT, false);
	struct timespec step = { .tv_sec = 0, .tv_nsec = 5 * 1000 * 1000 };
	struct request *r = request_new(REQUEST_APPLY);
	struct reply *reply = NULL;
	struct error err = { 0 };
	uint64_t id;

	(void)state;
	r->text = mem_dupz(manifests);
	id = backend_submit(b, &r, &err);
	assert_true(id != 0);
	assert_null(r);
	for (int i = 0; i < 1000 && reply == NULL; i++) {
		reply = backend_reply(b);
		(void)nanosleep(&step, NULL);
	}
	assert_non_null(reply);
	assert_true(reply->id == id);
	backend_woken(b);
	must(reply);
	backend_close(b);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_client_attaches_to_the_owner),
		CASE(a_refused_file_is_no_other_owner),
		CASE(a_full_disk_leaves_the_fleet_to_look_at),
		CASE(a_client_without_an_owner_opens_the_store_itself),
		CASE(an_apply_is_all_or_nothing),
		CASE(a_dry_run_stores_nothing_and_an_equal_apply_changes_nothing),
		CASE(scale_taint_and_upgrade_change_one_place),
		CASE(secrets_are_masked_and_looking_writes_nothing),
		CASE(a_plan_names_what_would_be_made),
		CASE(the_owner_reconciles_and_its_snapshots_say_what_is_missing),
		CASE(an_owner_with_the_wrong_key_does_not_start),
		CASE(a_store_that_is_only_looked_at_gives_snapshots),
		CASE(a_real_fleet_is_not_practised_on),
		CASE(a_config_that_clusters_need_stays),
		CASE(an_attached_console_succeeds_its_owner),
		CASE(submitted_requests_are_answered_and_wake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
