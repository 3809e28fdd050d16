/*
 * Any JSON as Azure's answer about a cluster: through the error table, the comparison of the
 * cluster's and a pool's row, and the body that would be sent back. Nothing crashes, every failure
 * says so, drift is text, and a body that was stripped and merged holds what is wanted.
 */

#include <stdint.h>
#include <stdlib.h>

#include "backend/compose/compose_int.h"
#include "backend/providers/azure/azure_int.h"
#include "model/base/mem.h"
#include "model/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char want_cluster[] =
    "{\"group\":\"g\",\"network\":\"v\",\"subnet\":\"s\",\"body\":{\"location\":\"westeurope\","
    "\"identity\":{\"type\":\"SystemAssigned\"},\"sku\":{\"name\":\"Base\",\"tier\":\"Standard\"},"
    "\"properties\":{\"kubernetesVersion\":\"1.36\",\"dnsPrefix\":\"c\",\"nodeResourceGroup\":\"c-n\","
    "\"networkProfile\":{\"networkPlugin\":\"azure\"},\"agentPoolProfiles\":[{\"name\":\"system\","
    "\"minCount\":1,\"maxCount\":2,\"count\":1,\"vmSize\":\"D4\"}]}}}";
static const char want_pool[] =
    "{\"group\":\"g\",\"network\":\"v\",\"subnet\":\"s\",\"cluster\":\"c\",\"body\":{\"properties\":{"
    "\"minCount\":1,\"maxCount\":2,\"count\":1,\"vmSize\":\"NC24\",\"orchestratorVersion\":\"1.36\","
    "\"availabilityZones\":[\"1\"],\"nodeTaints\":[\"a=b:NoSchedule\"]}}}";

static void
observe(struct arena *a, struct node *answer, const char *want, const char *name,
    enum seen (*fn)(struct step *s, struct error *err))
{
	char sub[] = "sub", installation[] = "inst";
	struct azure az = { .installation = installation };
	struct azure_account acc = { .cred.subscription = sub };
	struct azure_session s = { .azure = &az, .account = &acc, .arena = a, .cluster = answer };
	struct pass pass = { .arena = a };
	struct plan_resource plan = { 0 };
	struct row row = { .pass = &pass, .drift = TEXT_INIT(1024) };
	struct error err = { 0 };
	enum seen seen;

	s.cluster_id = arm_cluster_id(&s, STR("g"), STR("c"));
	if (!json_parse(a, str_from(want), &plan.want, NULL))
		abort();
	row.ext.spec.name = str_from(name);
	row.ext.spec.owner_uid = STR("uid");
	row.ext.spec.key = STR("key");
	row.step = (struct step){ .want = &plan, .ext = &row.ext, .arena = a, .session = &s,
		.drift = &row.drift };
	seen = fn(&row.step, &err);
	if (seen == SEEN_UNKNOWN || seen >= SEEN__MAX) /* an answer was there */
		abort();
	if (seen == SEEN_DRIFTED && row.drift.n == 0)
		abort();
	if (seen == SEEN_BROKEN && err.code == ERR_NONE)
		abort();
	text_free(&row.drift);
}

static void
merge(struct arena *a, const struct node *answer)
{
	struct node *body = node_dup(a, answer), *want = NULL;

	if (!json_parse(a, str_from(want_cluster), &want, NULL))
		abort();
	want = node_find(want, "body");
	(void)node_remove(node_find(want, "properties"), STR("agentPoolProfiles"));
	body_strip(body, pool_read_only, npool_read_only);
	body_merge(a, body, want);
	if (!str_is(node_path_str(body, "properties.dnsPrefix"), "c"))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int statuses[] = { 200, 400, 403, 404, 409, 412, 429, 500 };
	struct arena *a = arena_new((size_t)64 * 1024 * 1024);
	struct node *n = NULL;

	if (a == NULL || !json_parse(a, (struct str){ (const char *)data, size }, &n, NULL))
		goto out;
	for (size_t i = 0; i < ARRAY_LEN(statuses); i++) {
		struct error err = { 0 };

		azure_error_from(&err, a, statuses[i], n, STR("corr"));
		if (err.code == ERR_NONE || err.message[0] == '\0')
			abort();
	}
	if (n->type != NODE_MAP)
		goto out;
	observe(a, n, want_cluster, "c", cluster_observe);
	observe(a, n, want_pool, "gpu", pool_observe);
	merge(a, n);
out:
	arena_free(a);
	return 0;
}
