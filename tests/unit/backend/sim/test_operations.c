/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#include "helper_sim.h"

#include <string.h>

static struct fixture f;

static int
stop(void **state)
{
	(void)state;
	fixture_stop(&f);
	return 0;
}

static void
ask(const char *method, const char *path, const char *version, const char *body)
{
	fixture_ask(&f, &(struct ask){ method, path, version, body, NULL, NULL, NULL, NULL, NULL });
}

static struct str
state_of(const char *path)
{
	ask("GET", path, V_AKS, NULL);
	return node_path_str(f.body, "properties.provisioningState");
}

/* Polls the URL of the last answer's header as it stands; `cut` loses its end. */
static void
poll(struct str url, size_t cut)
{
	ptrdiff_t at = str_find(url, STR("/providers/")), mark = str_find_char(url, '?');
	const char *path, *query;

	assert_true(at > 0 && mark > 0);
	path = arena_printf(f.a, STR_FMT, STR_ARG(str_sub(url, (size_t)at, (size_t)(mark - at))));
	query = arena_printf(f.a, "&" STR_FMT,
	    STR_ARG(str_sub(url, (size_t)mark + 1, url.n - (size_t)mark - 1 - cut)));
	fixture_ask(
	    &f, &(struct ask){ "GET", path, "2016-03-30", NULL, NULL, NULL, NULL, NULL, query });
}

static void
a_cluster_takes_minutes_and_says_so(void **state)
{
	struct str url;

	(void)state;
	fixture_start(&f, NULL);
	fixture_group(&f);
	fixture_network(&f);
	ask("PUT", MC, V_AKS, fixture_cluster_body(&f, "1.35"));
	assert_int_equal(f.status, 201);
	url = str_copy(f.a, fixture_header(&f, "Azure-AsyncOperation"));
	assert_true(url.n > 2000); /* clients must store kilobytes */
	assert_true(node_path_str(f.body, "identity.principalId").n == 36);
	assert_true(str_find(node_path_str(f.body, "id"), STR("/resourcegroups/")) > 0);
	poll(url, 0);
	assert_true(str_is(node_path_str(f.body, "status"), "InProgress"));
	fixture_pass(&f, 120);
	assert_true(str_is(state_of(MC), "Creating"));
	ask("POST", MC "/listClusterAdminCredential", V_AKS, NULL);
	assert_int_equal(f.status, 409);
	fixture_pass(&f, 300);
	poll(url, 0);
	assert_true(str_is(node_path_str(f.body, "status"), "Succeeded"));
	assert_true(str_is(state_of(MC), "Succeeded"));
}

static void
an_operation_url_that_was_cut_is_not_found(void **state)
{
	struct str url;

	(void)state;
	fixture_start(&f, NULL);
	fixture_group(&f);
	fixture_network(&f);
	ask("PUT", MC, V_AKS, fixture_cluster_body(&f, "1.35"));
	url = str_copy(f.a, fixture_header(&f, "Azure-AsyncOperation"));
	poll(url, 3);
	assert_int_equal(f.status, 404);
}

static void
one_operation_excludes_another(void **state)
{
	(void)state;
	fixture_start(&f, NULL);
	fixture_group(&f);
	fixture_network(&f);
	fixture_cluster(&f);
	fixture_pool(&f);
	ask("PUT", MC "/agentPools/gpua10", V_AKS, fixture_pool_body(&f, ",\"count\":3"));
	assert_int_equal(f.status, 200);
	ask("PUT", MC "/agentPools/gpua10", V_AKS, fixture_pool_body(&f, ",\"count\":4"));
	assert_int_equal(f.status, 409);
	assert_true(str_is(node_path_str(f.body, "code"), "OperationNotAllowed")); /* no wrapper */
	ask("PUT", MC, V_AKS, fixture_cluster_body(&f, "1.36"));
	assert_int_equal(f.status, 409);
	ask("PUT", MC "/agentPools/second", V_AKS, fixture_pool_body(&f, ",\"count\":1"));
	assert_int_equal(f.status, 201); /* another pool may go on at the same time */
	ask("DELETE", MC, V_AKS, NULL);
	assert_int_equal(f.status, 202); /* a deletion goes first */
	ask("PUT", MC "/agentPools/third", V_AKS, fixture_pool_body(&f, ",\"count\":1"));
	assert_int_equal(f.status, 409);
}

static void
a_failed_operation_leaves_its_reason(void **state)
{
	(void)state;
	fixture_start(&f, "nocapacity.Standard_NV36ads_A10_v5=1");
	fixture_group(&f);
	fixture_network(&f);
	fixture_cluster(&f);
	ask("PUT", MC "/agentPools/gpua10", V_AKS, fixture_pool_body(&f, ",\"count\":1"));
	assert_int_equal(f.status, 201);
	fixture_pass(&f, 600);
	assert_true(str_is(state_of(MC "/agentPools/gpua10"), "Failed"));
	assert_true(str_is(
	    node_path_str(f.body, "properties.status.provisioningError.code"), "AllocationFailed"));
}

static void
too_little_quota_may_show_late_with_the_code_inside(void **state)
{
	struct str url;

	(void)state;
	fixture_start(&f, "quotalate=1,quota.StandardNVADSA10v5Family=36");
	fixture_group(&f);
	fixture_network(&f);
	fixture_cluster(&f);
	ask("PUT", MC "/agentPools/gpua10", V_AKS, fixture_pool_body(&f, ",\"count\":2"));
	assert_int_equal(f.status, 201);
	url = str_copy(f.a, fixture_header(&f, "Azure-AsyncOperation"));
	fixture_pass(&f, 600);
	poll(url, 0);
	assert_true(str_is(node_path_str(f.body, "error.code"), "CreateVMSSAgentPoolFailed"));
	assert_true(str_is(node_path_str(f.body, "error.details[0].code"), "QuotaExceeded"));
}

static void
a_failed_pool_takes_no_quota(void **state)
{
	(void)state;
	fixture_start(&f, "nocapacity.Standard_NV36ads_A10_v5=1,quota.StandardNVADSA10v5Family=72");
	fixture_group(&f);
	fixture_network(&f);
	fixture_cluster(&f);
	for (int i = 0; i < 3; i++) {
		const char *path = arena_printf(f.a, MC "/agentPools/p%d", i);

		ask("PUT", path, V_AKS, fixture_pool_body(&f, ",\"count\":2"));
		assert_int_equal(f.status, 201);
		fixture_pass(&f, 600);
	}
	fixture_restart(&f, "quota.StandardNVADSA10v5Family=72");
	ask("PUT", MC "/agentPools/good", V_AKS, fixture_pool_body(&f, ",\"count\":2"));
	assert_int_equal(f.status, 201);
	ask("PUT", MC "/agentPools/more", V_AKS, fixture_pool_body(&f, ",\"count\":1"));
	assert_true(str_is(fixture_code(&f), "QuotaExceeded"));
}

static void
abort_ends_what_runs(void **state)
{
	(void)state;
	fixture_start(&f, NULL);
	fixture_group(&f);
	fixture_network(&f);
	fixture_cluster(&f);
	ask("PUT", MC "/agentPools/gpua10", V_AKS, fixture_pool_body(&f, ",\"count\":1"));
	ask("POST", MC "/agentPools/gpua10/abort", V_AKS, NULL);
	assert_int_equal(f.status, 202);
	assert_true(str_is(state_of(MC "/agentPools/gpua10"), "Canceling"));
	fixture_pass(&f, 10);
	assert_true(str_is(state_of(MC "/agentPools/gpua10"), "Canceled"));
}

static void
a_group_takes_everything_along(void **state)
{
	(void)state;
	fixture_start(&f, NULL);
	fixture_group(&f);
	fixture_network(&f);
	fixture_cluster(&f);
	fixture_pool(&f);
	ask("DELETE", "/resourceGroups/g", V_RES, NULL);
	assert_int_equal(f.status, 202);
	assert_true(fixture_header(&f, "Location").n > 0);
	assert_int_equal(fixture_header(&f, "Azure-AsyncOperation").n, 0);
	ask("PUT", "/resourceGroups/g", V_RES, "{\"location\":\"westeurope\"}");
	assert_true(str_is(fixture_code(&f), "ResourceGroupBeingDeleted"));
	fixture_pass(&f, 1200);
	ask("GET", "/resourceGroups/g", V_RES, NULL);
	assert_int_equal(f.status, 404);
	ask("GET", "/resourceGroups/k-nodes", V_RES, NULL);
	assert_int_equal(f.status, 404);
	ask("GET", "/providers/Microsoft.Network/virtualNetworks", V_NET, NULL);
	assert_int_equal(node_count(node_find(f.body, "value")), 0);
}

static void
the_same_put_again_is_no_operation(void **state)
{
	(void)state;
	fixture_start(&f, NULL);
	fixture_group(&f);
	fixture_network(&f);
	fixture_cluster(&f);
	ask("PUT", MC, V_AKS, fixture_cluster_body(&f, "1.35"));
	assert_int_equal(f.status, 200);
	assert_int_equal(fixture_header(&f, "Azure-AsyncOperation").n, 0);
	assert_true(str_is(node_path_str(f.body, "properties.provisioningState"), "Succeeded"));
}

static void
all_of_it_survives_a_restart(void **state)
{
	(void)state;
	fixture_start(&f, NULL);
	fixture_group(&f);
	fixture_network(&f);
	ask("PUT", MC, V_AKS, fixture_cluster_body(&f, "1.35"));
	fixture_restart(&f, NULL);
	assert_true(str_is(state_of(MC), "Creating"));
	fixture_pass(&f, 600);
	assert_true(str_is(state_of(MC), "Succeeded"));
}

static void
a_lost_answer_was_applied_and_a_late_one_comes(void **state)
{
	(void)state;
	fixture_start(&f, NULL);
	fixture_restart(&f, "arm.lost=1");
	ask("PUT", "/resourceGroups/lost", V_RES, "{\"location\":\"westeurope\"}");
	assert_true(f.dropped);
	fixture_restart(&f, "arm.late=1");
	ask("PUT", "/resourceGroups/late", V_RES, "{\"location\":\"westeurope\"}");
	assert_true(f.dropped);
	ask("GET", "/resourceGroups/late", V_RES, NULL);
	assert_int_equal(f.status, 404);
	ask("GET", "/resourceGroups/lost", V_RES, NULL);
	assert_int_equal(f.status, 200);
	fixture_pass(&f, 120);
	ask("GET", "/resourceGroups/late", V_RES, NULL);
	assert_int_equal(f.status, 200);
}

static void
throttling_comes_with_retry_after_and_passes(void **state)
{
	int n = 0;

	(void)state;
	fixture_start(&f, NULL);
	fixture_group(&f);
	fixture_network(&f);
	fixture_cluster(&f);
	while (n < 60) {
		ask("PUT", MC, V_AKS, fixture_cluster_body(&f, "1.35"));
		if (f.status == 429)
			break;
		n++;
	}
	assert_in_range(n, 18, 20); /* the burst of PUT cluster */
	assert_true(str_is(node_path_str(f.body, "code"), "Throttled"));
	assert_true(fixture_header(&f, "Retry-After").n > 0);
	fixture_pass(&f, 60);
	ask("PUT", MC, V_AKS, fixture_cluster_body(&f, "1.35"));
	assert_int_equal(f.status, 200);
}

static void
tokens_end(void **state)
{
	(void)state;
	fixture_start(&f, "token.ttl=60");
	ask("GET", "", "2022-12-01", NULL);
	assert_int_equal(f.status, 200);
	fixture_pass(&f, 61);
	ask("GET", "", "2022-12-01", NULL);
	assert_int_equal(f.status, 401);
	assert_true(str_is(fixture_code(&f), "ExpiredAuthenticationToken"));
	fixture_ask(&f,
	    &(struct ask){ "GET", "", "2022-12-01", NULL, NULL, NULL, NULL, "Bearer a.b.c", NULL });
	assert_true(str_is(fixture_code(&f), "InvalidAuthenticationToken"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_cluster_takes_minutes_and_says_so, stop),
		cmocka_unit_test_teardown(an_operation_url_that_was_cut_is_not_found, stop),
		cmocka_unit_test_teardown(one_operation_excludes_another, stop),
		cmocka_unit_test_teardown(a_failed_operation_leaves_its_reason, stop),
		cmocka_unit_test_teardown(
		    too_little_quota_may_show_late_with_the_code_inside, stop),
		cmocka_unit_test_teardown(a_failed_pool_takes_no_quota, stop),
		cmocka_unit_test_teardown(abort_ends_what_runs, stop),
		cmocka_unit_test_teardown(a_group_takes_everything_along, stop),
		cmocka_unit_test_teardown(the_same_put_again_is_no_operation, stop),
		cmocka_unit_test_teardown(all_of_it_survives_a_restart, stop),
		cmocka_unit_test_teardown(a_lost_answer_was_applied_and_a_late_one_comes, stop),
		cmocka_unit_test_teardown(throttling_comes_with_retry_after_and_passes, stop),
		cmocka_unit_test_teardown(tokens_end, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
