/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#include "helper_sim.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/sim/files.h"
#include "model/json.h"

enum { ARENA = 256 * 1024 * 1024 };

static void
sign_in(struct fixture *f)
{
	const struct identity *id = &f->sim->id;
	struct signin_answer answer;
	struct node *n = NULL;
	const char *form = arena_printf(f->a,
	    "client_id=%s&grant_type=client_credentials&client_secret=%s&"
	    "scope=https%%3A%%2F%%2Fmanagement.azure.com%%2F.default",
	    id->client, id->secret);
	const char *path = arena_printf(f->a, "/%s/oauth2/v2.0/token", id->tenant);

	signin_handle(f->sim, STR("POST"), str_from(path), STR("application/x-www-form-urlencoded"),
	    str_from(form), &answer);
	assert_int_equal(answer.status, 200);
	assert_true(json_parse(f->a, text_str(&answer.body), &n, NULL));
	f->token = arena_printf(f->a, "Bearer " STR_FMT, STR_ARG(node_path_str(n, "access_token")));
	text_free(&answer.body);
}

static void
run(struct fixture *f, const char *faults)
{
	const struct sim_options opt = { .dir = f->dir,
		.speed = 0,
		.epoch_ms = f->now_ms,
		.faults = faults,
		.seed = 1,
		.no_network = true };
	struct error err = { 0 };

	if (!sim_start(&opt, &f->sim, &err))
		fail_msg("%s", err.message);
	sign_in(f);
}

void
fixture_start(struct fixture *f, const char *faults)
{
	/* Clusters stamp their objects with real time here; ours goes on from it. */
	*f = (struct fixture){ .now_ms = simtime_real_ms() };
	(void)snprintf(f->dir, sizeof(f->dir), "/tmp/sim-test-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	f->a = arena_new(ARENA);
	assert_non_null(f->a);
	run(f, faults);
}

void
fixture_restart(struct fixture *f, const char *faults)
{
	sim_stop(f->sim);
	run(f, faults);
}

/* The directories of clusters are one level down. */
static void
clusters_remove(const char *dir)
{
	struct text path = TEXT_INIT(512);
	DIR *d = opendir(dir);
	const struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (strncmp(e->d_name, "kube-", 5) != 0)
			continue;
		text_clear(&path);
		text_printf(&path, "%s/%s", dir, e->d_name);
		dir_remove(text_get(&path));
	}
	if (d != NULL)
		(void)closedir(d);
	text_free(&path);
}

void
fixture_stop(struct fixture *f)
{
	struct text sub = TEXT_INIT(256);

	sim_stop(f->sim);
	arm_answer_fini(&f->raw);
	arena_free(f->a);
	text_printf(&sub, "%s/sim", f->dir);
	clusters_remove(text_get(&sub));
	dir_remove(text_get(&sub));
	assert_int_equal(rmdir(f->dir), 0); /* nothing is left behind */
	text_free(&sub);
}

void
fixture_pass(struct fixture *f, int64_t seconds)
{
	f->now_ms += seconds * 1000;
	sim_set_time(f->sim, f->now_ms);
	sim_set_time(f->sim, f->now_ms); /* what the first round has made is seen by the second */
}

void
fixture_ask(struct fixture *f, const struct ask *ask)
{
	const char *path =
	    arena_printf(f->a, "/subscriptions/%s%s", f->sim->id.subscription, ask->path);
	const char *query = arena_printf(
	    f->a, "api-version=%s%s", ask->version, ask->query != NULL ? ask->query : "");
	const struct arm_request req = {
		.method = str_from(ask->method),
		.path = str_from(path),
		.query = str_from(query),
		.authorization = str_from(ask->token != NULL ? ask->token : f->token),
		.if_match = str_from(ask->if_match),
		.if_none_match = str_from(ask->if_none_match),
		.content_type = ask->content_type != NULL ? str_from(ask->content_type)
				: ask->body != NULL	  ? STR("application/json")
							  : (struct str){ 0 },
		.body = str_from(ask->body),
	};

	arm_answer_fini(&f->raw);
	arm_handle(f->sim, &req, &f->raw);
	f->status = f->raw.status;
	f->dropped = f->raw.drop;
	f->headers = text_str(&f->raw.headers);
	f->body = NULL;
	if (f->raw.body.n > 0 && !json_parse(f->a, text_str(&f->raw.body), &f->body, NULL))
		f->body = NULL;
}

struct str
fixture_code(const struct fixture *f)
{
	struct str code = node_path_str(f->body, "error.code");

	return code.n > 0 ? code : node_path_str(f->body, "code");
}

struct str
fixture_header(const struct fixture *f, const char *name)
{
	struct str rest = f->headers, line;

	while (str_split(&rest, '\n', &line)) {
		ptrdiff_t colon = str_find_char(line, ':');

		if (colon > 0 && str_eq_nocase(str_sub(line, 0, (size_t)colon), str_from(name)))
			return str_trim(str_sub(line, (size_t)colon + 1, line.n));
	}
	return (struct str){ 0 };
}

static void
made(struct fixture *f, const char *path, const char *version, const char *body, int64_t seconds)
{
	fixture_ask(f, &(struct ask){ "PUT", path, version, body, NULL, NULL, NULL, NULL, NULL });
	if (f->status != 201)
		fail_msg("%s: %d %s", path, f->status, text_get(&f->raw.body));
	fixture_pass(f, seconds);
}

void
fixture_group(struct fixture *f)
{
	made(f, "/resourceGroups/g", V_RES, "{\"location\":\"westeurope\",\"tags\":{\"a\":\"b\"}}",
	    1);
}

void
fixture_network(struct fixture *f)
{
	made(f, VNET, V_NET,
	    "{\"location\":\"westeurope\",\"properties\":{\"addressSpace\":{\"addressPrefixes\":"
	    "[\"10.0.0.0/16\"]},\"subnets\":[{\"name\":\"s\",\"properties\":{\"addressPrefix\":"
	    "\"10.0.0.0/20\"}}]}}",
	    60);
}

const char *
fixture_subnet(struct fixture *f)
{
	return arena_printf(f->a, "/subscriptions/%s" VNET "/subnets/s", f->sim->id.subscription);
}

const char *
fixture_cluster_body(struct fixture *f, const char *version)
{
	return arena_printf(f->a,
	    "{\"location\":\"westeurope\",\"identity\":{\"type\":\"SystemAssigned\"},"
	    "\"properties\":{"
	    "\"kubernetesVersion\":\"%s\",\"dnsPrefix\":\"k\",\"nodeResourceGroup\":\"k-nodes\","
	    "\"networkProfile\":{\"networkPlugin\":\"azure\",\"networkPluginMode\":\"overlay\","
	    "\"podCidr\":\"10.244.0.0/16\",\"serviceCidr\":\"10.96.0.0/16\","
	    "\"dnsServiceIP\":\"10.96.0.10\"},\"agentPoolProfiles\":[{\"name\":\"system\","
	    "\"mode\":\"System\",\"count\":1,\"vmSize\":\"Standard_D4s_v5\",\"vnetSubnetID\":\"%"
	    "s\"}]}}",
	    version, fixture_subnet(f));
}

const char *
fixture_pool_body(struct fixture *f, const char *more)
{
	return arena_printf(f->a,
	    "{\"properties\":{\"mode\":\"User\",\"vmSize\":\"Standard_NV36ads_A10_v5\","
	    "\"nodeTaints\":[\"nvidia.com/gpu=true:NoSchedule\"],\"vnetSubnetID\":\"%s\"%s}}",
	    fixture_subnet(f), more);
}

void
fixture_cluster(struct fixture *f)
{
	made(f, MC, V_AKS, fixture_cluster_body(f, "1.35"), 600);
}

void
fixture_pool(struct fixture *f)
{
	made(f, MC "/agentPools/gpua10", V_AKS,
	    fixture_pool_body(
		f, ",\"count\":2,\"enableAutoScaling\":true,\"minCount\":1,\"maxCount\":4"),
	    600);
}
