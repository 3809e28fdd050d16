/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#include "helper_sim.h"

#include <string.h>

/*
 * What Azure refuses, row by row, on a cloud in which one cluster with one GPU pool stands. After
 * each refusal the resource must be what it was.
 */

struct row {
	const char *name;
	const char *method, *path, *version;
	const char *body; /* '#' is replaced by the subnet's id */
	const char *if_match, *if_none_match;
	int status;
	const char *code;
};

#define POOL	 MC "/agentPools/gpua10"
#define NEW_POOL MC "/agentPools/fresh"
#define P(more)	 "{\"properties\":{\"mode\":\"User\",\"vnetSubnetID\":\"#\"," more "}}"
#define A10	 "\"vmSize\":\"Standard_NV36ads_A10_v5\""

static const struct row rows[] = {
	/* the front door */
	{ "no api-version", "GET", MC, "", NULL, NULL, NULL, 400, "MissingApiVersionParameter" },
	{ "unknown api-version", "GET", MC, "2099-01-01", NULL, NULL, NULL, 400,
	    "InvalidResourceType" },
	{ "unknown type", "GET", "/resourceGroups/g/providers/Microsoft.Nothing/x/y", V_AKS, NULL,
	    NULL, NULL, 404, "InvalidResourceType" },
	{ "method", "POST", MC, V_AKS, NULL, NULL, NULL, 405, "MethodNotAllowed" },
	{ "no such group", "GET", "/resourceGroups/nope", V_RES, NULL, NULL, NULL, 404,
	    "ResourceGroupNotFound" },
	{ "no such cluster", "GET",
	    "/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/nope", V_AKS,
	    NULL, NULL, NULL, 404, "ResourceNotFound" },
	{ "no such pool", "GET", MC "/agentPools/nope", V_AKS, NULL, NULL, NULL, 404, "NotFound" },

	/* bodies */
	{ "no JSON", "PUT", POOL, V_AKS, "{", NULL, NULL, 400, "InvalidRequestContent" },
	{ "unknown member", "PUT", POOL, V_AKS, P(A10 ",\"bogus\":1"), NULL, NULL, 400,
	    "UnmarshalError" },
	{ "wrong type", "PUT", POOL, V_AKS, P(A10 ",\"count\":\"2\""), NULL, NULL, 400,
	    "UnmarshalError" },
	{ "unknown word", "PUT", POOL, V_AKS, "{\"properties\":{\"mode\":\"Sytem\"}}", NULL, NULL,
	    400, "InvalidParameter" },
	{ "unknown member of a network", "PUT", VNET, V_NET,
	    "{\"location\":\"westeurope\",\"properties\":{\"bogus\":1}}", NULL, NULL, 400,
	    "InvalidRequestFormat" },

	/* groups */
	{ "group name", "PUT", "/resourceGroups/ends.with.dot.", V_RES,
	    "{\"location\":\"westeurope\"}", NULL, NULL, 400, "InvalidResourceGroup" },
	{ "group without location", "PUT", "/resourceGroups/h", V_RES, "{}", NULL, NULL, 400,
	    "LocationRequired" },
	{ "unknown location", "PUT", "/resourceGroups/h", V_RES, "{\"location\":\"atlantis\"}",
	    NULL, NULL, 400, "LocationNotAvailableForResourceType" },
	{ "group elsewhere", "PUT", "/resourceGroups/g", V_RES, "{\"location\":\"eastus\"}", NULL,
	    NULL, 409, "InvalidResourceGroupLocation" },

	/* networks */
	{ "subnet outside", "PUT", VNET, V_NET,
	    "{\"location\":\"westeurope\",\"properties\":{\"addressSpace\":{\"addressPrefixes\":"
	    "[\"10.0.0.0/16\"]},\"subnets\":[{\"name\":\"s\",\"properties\":{\"addressPrefix\":"
	    "\"10.0.0.0/20\"}},{\"name\":\"t\",\"properties\":{\"addressPrefix\":\"10.9.0.0/"
	    "20\"}}]}}",
	    NULL, NULL, 400, "NetcfgSubnetRangeOutsideVnet" },
	{ "subnets overlap", "PUT", VNET "/subnets/t", V_NET,
	    "{\"properties\":{\"addressPrefix\":\"10.0.8.0/24\"}}", NULL, NULL, 400,
	    "NetcfgSubnetRangesOverlap" },
	{ "no CIDR", "PUT", VNET "/subnets/t", V_NET,
	    "{\"properties\":{\"addressPrefix\":\"10.0.16.1/20\"}}", NULL, NULL, 400,
	    "InvalidAddressPrefixFormat" },
	{ "subnet in use", "PUT", VNET, V_NET,
	    "{\"location\":\"westeurope\",\"properties\":{\"addressSpace\":{\"addressPrefixes\":"
	    "[\"10.0.0.0/16\"]},\"subnets\":[]}}",
	    NULL, NULL, 400, "InUseSubnetCannotBeDeleted" },
	{ "network before cluster", "DELETE", VNET, V_NET, NULL, NULL, NULL, 400,
	    "InUseSubnetCannotBeDeleted" },

	/* pools */
	{ "pool name", "PUT", MC "/agentPools/Bad", V_AKS, P(A10), NULL, NULL, 400,
	    "InvalidParameter" },
	{ "pool name too long", "PUT", MC "/agentPools/abcdefghijklm", V_AKS, P(A10), NULL, NULL,
	    400, "InvalidParameter" },
	{ "no mode", "PUT", NEW_POOL, V_AKS, "{\"properties\":{\"count\":1}}", NULL, NULL, 400,
	    "InvalidParameter" },
	{ "unknown size", "PUT", NEW_POOL, V_AKS, P("\"vmSize\":\"Standard_X1\""), NULL, NULL, 400,
	    "VMSizeNotSupported" },
	{ "restricted size", "PUT", NEW_POOL, V_AKS, P("\"vmSize\":\"Standard_ND96isr_H200_v5\""),
	    NULL, NULL, 409, "SkuNotAvailable" },
	{ "no quota", "PUT", NEW_POOL, V_AKS, P("\"vmSize\":\"Standard_NC40ads_H100_v5\""), NULL,
	    NULL, 400, "QuotaExceeded" },
	{ "too many for the quota", "PUT", POOL, V_AKS, P(A10 ",\"count\":500"), NULL, NULL, 400,
	    "QuotaExceeded" },
	{ "count above max", "PUT", POOL, V_AKS,
	    P(A10 ",\"count\":5,\"enableAutoScaling\":true,\"minCount\":1,\"maxCount\":4"), NULL,
	    NULL, 400, "InvalidParameter" },
	{ "count below min", "PUT", POOL, V_AKS,
	    P(A10 ",\"count\":1,\"enableAutoScaling\":true,\"minCount\":2,\"maxCount\":4"), NULL,
	    NULL, 400, "InvalidParameter" },
	{ "min without autoscaler", "PUT", POOL, V_AKS,
	    P(A10 ",\"count\":2,\"minCount\":1,\"maxCount\":4"), NULL, NULL, 400,
	    "InvalidParameter" },
	{ "autoscaler without max", "PUT", POOL, V_AKS,
	    P(A10 ",\"enableAutoScaling\":true,\"minCount\":1"), NULL, NULL, 400,
	    "InvalidParameter" },
	{ "other size", "PUT", POOL, V_AKS, P("\"vmSize\":\"Standard_NV72ads_A10_v5\""), NULL, NULL,
	    400, "PropertyChangeNotAllowed" },
	{ "other zones", "PUT", POOL, V_AKS, P(A10 ",\"availabilityZones\":[\"1\"]"), NULL, NULL,
	    400, "PropertyChangeNotAllowed" },
	{ "zone restricted", "PUT", NEW_POOL, V_AKS, P(A10 ",\"availabilityZones\":[\"2\"]"), NULL,
	    NULL, 400, "AvailabilityZoneNotSupported" },
	{ "zone unknown", "PUT", NEW_POOL, V_AKS, P(A10 ",\"availabilityZones\":[\"4\"]"), NULL,
	    NULL, 400, "AvailabilityZoneNotSupported" },
	{ "pool newer than plane", "PUT", NEW_POOL, V_AKS,
	    P(A10 ",\"orchestratorVersion\":\"1.36\""), NULL, NULL, 400,
	    "NodePoolMcVersionIncompatible" },
	{ "pool version unknown", "PUT", NEW_POOL, V_AKS,
	    P(A10 ",\"orchestratorVersion\":\"1.12\""), NULL, NULL, 400,
	    "AgentPoolK8sVersionNotSupported" },
	{ "pool downgrade", "PUT", POOL, V_AKS, P(A10 ",\"orchestratorVersion\":\"1.34\""), NULL,
	    NULL, 400, "OperationNotAllowed" },
	{ "taint", "PUT", POOL, V_AKS, P(A10 ",\"nodeTaints\":[\"a=b:Never\"]"), NULL, NULL, 400,
	    "InvalidParameter" },
	{ "reserved label", "PUT", POOL, V_AKS,
	    P(A10 ",\"nodeLabels\":{\"kubernetes.azure.com/x\":\"y\"}"), NULL, NULL, 400,
	    "InvalidParameter" },
	{ "no such subnet", "PUT", NEW_POOL, V_AKS,
	    "{\"properties\":{\"mode\":\"User\",\"vnetSubnetID\":\"/subscriptions/x\"}}", NULL,
	    NULL, 400, "InvalidParameter" },
	{ "system pool of B series", "PUT", NEW_POOL, V_AKS,
	    "{\"properties\":{\"mode\":\"System\",\"vmSize\":\"Standard_B2s\"}}", NULL, NULL, 400,
	    "InvalidParameter" },
	{ "last system pool", "DELETE", MC "/agentPools/system", V_AKS, NULL, NULL, NULL, 400,
	    "LastSystemPoolCannotBeDeleted" },

	/* conditions (4.3) */
	{ "stale eTag", "PUT", POOL, V_AKS, P(A10), "\"stale\"", NULL, 412, "PreconditionFailed" },
	{ "If-Match on nothing", "PUT", NEW_POOL, V_AKS, P(A10), "*", NULL, 412,
	    "PreconditionFailed" },
	{ "If-None-Match on something", "PUT", POOL, V_AKS, P(A10), NULL, "*", 412,
	    "PreconditionFailed" },
	{ "If-None-Match with a tag", "PUT", POOL, V_AKS, P(A10), NULL, "\"x\"", 400,
	    "BadRequest" },
	{ "both conditions", "PUT", POOL, V_AKS, P(A10), "*", "*", 400, "BadRequest" },
	{ "stale eTag on delete", "DELETE", POOL, V_AKS, NULL, "\"stale\"", NULL, 412,
	    "PreconditionFailed" },
	{ "stale eTag on the cluster", "DELETE", MC, V_AKS, NULL, "\"stale\"", NULL, 412,
	    "PreconditionFailed" },
	{ "PATCH on nothing", "PATCH",
	    "/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/nope", V_AKS,
	    "{\"tags\":{}}", "*", NULL, 404, "ResourceNotFound" },
	{ "PATCH of more than tags", "PATCH", MC, V_AKS, "{\"properties\":{}}", NULL, NULL, 400,
	    "UnmarshalError" },

	/* actions and roles */
	{ "nothing to abort", "POST", MC "/abort", V_AKS, NULL, NULL, NULL, 409,
	    "OperationNotAllowed" },
	{ "assignment's name", "PUT", VNET "/providers/Microsoft.Authorization/roleAssignments/x",
	    "2022-04-01",
	    "{\"properties\":{\"principalId\":\"12121212-3434-5656-7878-909090909090\","
	    "\"roleDefinitionId\":\"/x/4d97b98b-1d4f-4787-a291-c67834d212e7\"}}",
	    NULL, NULL, 400, "InvalidRoleAssignmentId" },
};

static struct fixture f;

static int
start(void **state)
{
	(void)state;
	fixture_start(&f, "token.ttl=1000000");
	fixture_group(&f);
	fixture_network(&f);
	fixture_cluster(&f);
	fixture_pool(&f);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	fixture_stop(&f);
	return 0;
}

static const char *
with_subnet(const char *body)
{
	struct text t = TEXT_INIT(64 * 1024);
	struct str rest = str_from(body), piece;
	bool first = true;
	char *out;

	if (body == NULL)
		return NULL;
	while (str_split(&rest, '#', &piece)) {
		text_add(&t, first ? "" : fixture_subnet(&f));
		text_add_str(&t, piece);
		first = false;
	}
	out = arena_dup(f.a, text_get(&t), t.n);
	text_free(&t);
	return out;
}

static struct str
image_of(const char *path)
{
	fixture_ask(&f, &(struct ask){ "GET", path, V_AKS, NULL, NULL, NULL, NULL, NULL, NULL });
	return str_copy(f.a, text_str(&f.raw.body));
}

static void
every_refusal_has_azures_code_and_changes_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *r = &rows[i];
		struct str cluster = image_of(MC), pool = image_of(POOL);

		fixture_pass(&f, 120); /* the buckets of PUT fill slowly */
		fixture_ask(&f, &(struct ask){ r->method, r->path, r->version, with_subnet(r->body),
				    r->if_match, r->if_none_match, NULL, NULL, NULL });
		if (f.status != r->status || !str_is(fixture_code(&f), r->code))
			fail_msg("%s: %d " STR_FMT " instead of %d %s: %s", r->name, f.status,
			    STR_ARG(fixture_code(&f)), r->status, r->code, text_get(&f.raw.body));
		if (!str_eq(cluster, image_of(MC)) || !str_eq(pool, image_of(POOL)))
			fail_msg("%s: something changed", r->name);
	}
}

struct cluster_row {
	const char *name;
	const char *from, *to; /* one replacement in the good body */
	int status;
	const char *code;
};

static const struct cluster_row new_rows[] = {
	{ "unsupported version", "\"1.35\"", "\"1.29\"", 400, "K8sVersionNotSupported" },
	{ "long-term version", "\"1.35\"", "\"1.33\"", 400, "K8sVersionNotSupported" },
	{ "dns outside", "10.96.0.10", "10.97.0.10", 400, "DnsServiceIpOutOfServiceCidr" },
	{ "dns is the first", "10.96.0.10", "10.96.0.1", 400, "DnsServiceIpOutOfServiceCidr" },
	{ "service in the subnet", "\"10.96.0.0/16\",\"dnsServiceIP\":\"10.96.0.10\"",
	    "\"10.0.0.0/18\",\"dnsServiceIP\":\"10.0.0.10\"", 400,
	    "ServiceCidrOverlapExistingSubnetsCidr" },
	{ "pods in services", "10.244.0.0/16", "10.96.0.0/20", 400, "ServiceCidrOverlapPodCidr" },
	{ "reserved range", "10.244.0.0/16", "172.31.0.0/16", 400, "InvalidParameter" },
	{ "service too large", "\"10.96.0.0/16\"", "\"10.96.0.0/11\"", 400, "ServiceCidrTooLarge" },
	{ "dns prefix", "\"dnsPrefix\":\"k\"", "\"dnsPrefix\":\"-k\"", 400, "InvalidParameter" },
	{ "node group exists", "k-nodes", "g", 400, "NodeResourceGroupAlreadyExists" },
	{ "no identity", "\"identity\":{\"type\":\"SystemAssigned\"},", "", 400,
	    "InvalidParameter" },
	{ "no system pool", "\"mode\":\"System\"", "\"mode\":\"User\"", 400, "InvalidParameter" },
};

static const char *
replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	assert_non_null(at);
	return arena_printf(f.a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

#define OTHER "/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/other"

static void
a_bad_cluster_is_not_made(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(new_rows); i++) {
		const struct cluster_row *r = &new_rows[i];
		const char *good = replaced(fixture_cluster_body(&f, "1.35"), "k-nodes", "k-nodes");
		const char *body;

		if (strcmp(r->from, "k-nodes") != 0)
			good = replaced(good, "k-nodes", "o-nodes");
		body = replaced(good, r->from, r->to);
		fixture_pass(&f, 120);
		fixture_ask(
		    &f, &(struct ask){ "PUT", OTHER, V_AKS, body, NULL, NULL, NULL, NULL, NULL });
		if (f.status != r->status || !str_is(fixture_code(&f), r->code))
			fail_msg("%s: %d " STR_FMT ": %s", r->name, f.status,
			    STR_ARG(fixture_code(&f)), text_get(&f.raw.body));
		fixture_ask(
		    &f, &(struct ask){ "GET", OTHER, V_AKS, NULL, NULL, NULL, NULL, NULL, NULL });
		assert_int_equal(f.status, 404);
	}
}

static const struct cluster_row change_rows[] = {
	{ "two minors", "\"1.35\"", "\"1.37\"", 400, "OperationNotAllowed" },
	{ "downgrade", "\"1.35\"", "\"1.34\"", 400, "OperationNotAllowed" },
	{ "dns prefix", "\"dnsPrefix\":\"k\"", "\"dnsPrefix\":\"l\"", 400,
	    "PropertyChangeNotAllowed" },
	{ "node group", "k-nodes", "l-nodes", 400, "PropertyChangeNotAllowed" },
	{ "narrower pods", "10.244.0.0/16", "10.244.0.0/17", 400, "PropertyChangeNotAllowed" },
	{ "service range", "10.96.0.0/16", "10.96.0.0/17", 400, "PropertyChangeNotAllowed" },
	{ "location", "westeurope", "eastus", 409, "InvalidResourceLocation" },
	{ "a pool left out", "\"mode\":\"System\"", "\"mode\":\"System\"", 400,
	    "InvalidParameter" },
};

static void
what_cannot_change_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(change_rows); i++) {
		const struct cluster_row *r = &change_rows[i];
		struct str before = image_of(MC);

		fixture_pass(&f, 120);
		fixture_ask(&f, &(struct ask){ "PUT", MC, V_AKS,
				    replaced(fixture_cluster_body(&f, "1.35"), r->from, r->to),
				    NULL, NULL, NULL, NULL, NULL });
		if (f.status != r->status || !str_is(fixture_code(&f), r->code))
			fail_msg("%s: %d " STR_FMT ": %s", r->name, f.status,
			    STR_ARG(fixture_code(&f)), text_get(&f.raw.body));
		assert_true(str_eq(before, image_of(MC)));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_refusal_has_azures_code_and_changes_nothing),
		cmocka_unit_test(a_bad_cluster_is_not_made),
		cmocka_unit_test(what_cannot_change_is_refused),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
