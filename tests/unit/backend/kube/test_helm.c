/* Jobs of helm and what is read from its release Secrets: pure parts. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka needs the four above first. */
#include <cmocka.h>

#include "backend/kube/helm.h"
#include "model/base/mem.h"
#include "model/json.h"

static struct node *
parse(struct arena *a, const char *text)
{
	struct node *n = NULL;
	struct error err;

	if (!json_parse(a, str_from(text), &n, &err))
		fail_msg("%s", err.message);
	return n;
}

static struct helm_release
release(struct arena *a, const char *want)
{
	struct helm_release r;
	struct error err;

	if (!helm_release_decode(STR("mp-lws"), parse(a, want), &r, &err))
		fail_msg("%s", err.message);
	return r;
}

static const char lws[] =
    "{\"chart\":\"lws\",\"repository\":\"oci://registry.k8s.io/lws/charts\",\"version\":\"v0.8.0\","
    "\"namespace\":\"lws-system\",\"values\":{\"b\":1,\"a\":2}}";

static struct str
args_of(struct arena *a, const struct node *job)
{
	struct node *args = node_path(job, "spec.template.spec.containers[0].args");
	struct text t = TEXT_INIT(4096);
	struct str s;

	for (const struct node *x = node_first(args); x != NULL; x = x->next)
		text_printf(&t, "%s" STR_FMT, t.n > 0 ? " " : "", STR_ARG(node_get_str(x)));
	s = str_copy(a, text_str(&t));
	text_free(&t);
	return s;
}

static void
the_name_is_a_hash_of_what_runs(void **state)
{
	struct arena *a = arena_new(1024 * 1024);
	struct helm_release r = release(a, lws), other = r;
	struct str name = helm_job_name(a, &r, HELM_UPGRADE, 0);

	(void)state;
	assert_true(str_starts(name, STR("mp-lws-install-")));
	assert_true(str_eq(name, helm_job_name(a, &r, HELM_UPGRADE, 0)));
	other.version = STR("v0.8.1");
	assert_false(str_eq(name, helm_job_name(a, &other, HELM_UPGRADE, 0)));
	other = r;
	other.values = parse(a, "{\"a\":2,\"b\":1}"); /* equal, in another order */
	assert_true(str_eq(name, helm_job_name(a, &other, HELM_UPGRADE, 0)));
	other.values = parse(a, "{\"a\":3,\"b\":1}");
	assert_false(str_eq(name, helm_job_name(a, &other, HELM_UPGRADE, 0)));
	assert_false(str_eq(
	    helm_job_name(a, &r, HELM_UNINSTALL, 1), helm_job_name(a, &r, HELM_UNINSTALL, 2)));
	other = r;
	other.name = STR("a-release-name-that-is-as-long-as-helm-permits-it-53c");
	assert_true(helm_job_name(a, &other, HELM_UNINSTALL, 1).n <= 63);
	arena_free(a);
}

static void
an_oci_chart_is_one_address(void **state)
{
	struct arena *a = arena_new(1024 * 1024);
	struct helm_release r = release(a, lws);
	struct node *job = helm_job(a, &r, HELM_UPGRADE, 0, "img");

	(void)state;
	assert_true(str_is(args_of(a, job),
	    "upgrade --install mp-lws oci://registry.k8s.io/lws/charts/lws --version v0.8.0 "
	    "--namespace lws-system --create-namespace --values /values/values.yaml --wait=false "
	    "--history-max=5"));
	assert_true(
	    str_is(node_path_str(job, "spec.template.spec.containers[0].command[0]"), "helm"));
	assert_true(str_is(
	    node_get_str(node_find(node_path(job, "metadata.labels"), HELM_LABEL)), "mp-lws"));
	assert_true(str_eq(node_path_str(job, "spec.template.spec.volumes[0].configMap.name"),
	    node_path_str(helm_values(a, &r), "metadata.name")));
	arena_free(a);
}

static void
another_repository_is_named_beside_the_chart(void **state)
{
	struct arena *a = arena_new(1024 * 1024);
	struct helm_release r = release(a,
	    "{\"chart\":\"cert-manager\",\"repository\":\"https://charts.jetstack.io\",\"version\":"
	    "\"v1\",\"namespace\":\"cm\"}");

	(void)state;
	assert_true(str_find(args_of(a, helm_job(a, &r, HELM_UPGRADE, 0, "img")),
			STR("cert-manager --repo https://charts.jetstack.io")) >= 0);
	assert_true(str_is(
	    node_get_str(node_find(node_find(helm_values(a, &r), "data"), "values.yaml")), "{}"));
	arena_free(a);
}

static void
the_newest_revision_counts(void **state)
{
	struct arena *a = arena_new(1024 * 1024);
	struct helm_state s;
	struct node *list = parse(a,
	    "[{\"metadata\":{\"namespace\":\"n\",\"labels\":{\"owner\":\"helm\",\"name\":\"r\","
	    "\"version\":\"9\",\"status\":\"deployed\"}}},"
	    "{\"metadata\":{\"namespace\":\"n\",\"labels\":{\"owner\":\"helm\",\"name\":\"r\","
	    "\"version\":\"10\",\"status\":\"pending-upgrade\"}}},"
	    "{\"metadata\":{\"namespace\":\"other\",\"labels\":{\"owner\":\"helm\",\"name\":\"r\","
	    "\"version\":\"11\",\"status\":\"failed\"}}},"
	    "{\"metadata\":{\"namespace\":\"n\",\"labels\":{\"owner\":\"flux\",\"name\":\"r\","
	    "\"version\":\"12\",\"status\":\"failed\"}}}]");

	(void)state;
	helm_state_read(list, STR("r"), STR("n"), &s);
	assert_int_equal(s.revision, 10);
	assert_int_equal(s.status, HELM_STATUS_PENDING_UPGRADE);
	helm_state_read(list, STR("none"), STR("n"), &s);
	assert_int_equal(s.status, HELM_STATUS_NONE);
	arena_free(a);
}

static void
a_failed_pod_says_why(void **state)
{
	struct arena *a = arena_new(1024 * 1024);
	struct node *pods = parse(a,
	    "[{\"metadata\":{\"labels\":{\"job-name\":\"j1\"}},\"status\":{\"containerStatuses\":["
	    "{\"state\":{\"waiting\":{\"reason\":\"ImagePullBackOff\",\"message\":\"no such "
	    "image\"}}}]}},{\"metadata\":{\"labels\":{\"batch.kubernetes.io/job-name\":\"j2\"}},"
	    "\"status\":{\"containerStatuses\":[{\"state\":{\"terminated\":{\"exitCode\":1,"
	    "\"reason\":\"Error\",\"message\":\"chart not found\\n\"}}}]}}]");
	struct str reason;

	(void)state;
	assert_true(str_is(
	    helm_pod_reason(a, pods, STR("j1"), &reason), "ImagePullBackOff: no such image"));
	assert_true(str_is(reason, "ImagePullBackOff"));
	assert_true(str_is(helm_pod_reason(a, pods, STR("j2"), &reason), "Error: chart not found"));
	assert_int_equal(helm_pod_reason(a, pods, STR("j3"), &reason).n, 0);
	arena_free(a);
}

static void
an_incomplete_release_is_refused(void **state)
{
	struct arena *a = arena_new(1024 * 1024);
	struct helm_release r;
	struct error err;

	(void)state;
	assert_false(helm_release_decode(STR("r"), parse(a, "{\"chart\":\"c\"}"), &r, &err));
	assert_non_null(strstr(err.message, "repository"));
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_name_is_a_hash_of_what_runs),
		cmocka_unit_test(an_oci_chart_is_one_address),
		cmocka_unit_test(another_repository_is_named_beside_the_chart),
		cmocka_unit_test(the_newest_revision_counts),
		cmocka_unit_test(a_failed_pod_says_why),
		cmocka_unit_test(an_incomplete_release_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
