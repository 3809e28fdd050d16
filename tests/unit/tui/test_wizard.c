/* The wizard: by keys alone from nothing to a request, with the cloud's choices answered by hand.
 */
#include "helper_fleet.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "model/yaml.h"

/* clang-format off */
static const char configs[] = "configs: [{name: default, type: ClusterProviderConfig, ready: true}]\n";
static const char locations[] = "locations:\n"
	"- {name: eastus, title: East US}\n- {name: northeurope, title: North Europe}\n"
	"- {name: swedencentral, title: Sweden Central}\n- {name: uksouth, title: UK South}\n"
	"- {name: westeurope, title: West Europe}\n";
static const char offers[] = "versions:\n"
	"- {version: \"1.34\"}\n- {version: \"1.35\", default: true}\n- {version: \"1.36\"}\n"
	"- {version: \"1.37\", preview: true}\n- {version: \"1.33\"}\n"
	"sizes:\n"
	"- {name: Standard_NC4as_T4_v3, gpus: 1, accelerator: T4, memory: 15360Mi, vcpus: 4, family: t4, zones: [\"1\"]}\n"
	"- {name: Standard_NV36ads_A10_v5, gpus: 1, accelerator: A10, memory: 24564Mi, vcpus: 36, family: a10, zones: [\"1\", \"3\"]}\n"
	"- {name: Standard_NV72ads_A10_v5, gpus: 2, accelerator: A10, memory: 24564Mi, vcpus: 72, family: a10}\n"
	"- {name: Standard_ND96isr_H100_v5, gpus: 8, accelerator: H100, memory: 81559Mi, vcpus: 96, family: h100, rdma: true}\n"
	"- {name: Standard_ND96isr_H200_v5, gpus: 8, accelerator: H200, vcpus: 96, family: h200, restricted: not available for this subscription}\n"
	"quotas:\n- {family: a10, used: 0, limit: 144}\n- {family: h100, used: 0, limit: 96}\n";
/* clang-format on */

static void
answer(struct bench *b, size_t n, const char *yaml)
{
	struct reply r = { .id = n + 1, .verb = REQUEST_CHOICES, .ok = true };
	struct arena *a = arena_new(1 << 20);
	struct node *docs = NULL;

	assert_true(yaml_parse(a, str_from(yaml), "answer", &docs, NULL));
	r.node = node_at(docs, 0);
	console_reply(&b->console, &r);
	arena_free(a);
}

/* Answers what the wizard asks, in the order in which it asks. */
static void
open_wizard(struct bench *b)
{
	bench_keys(b, "n");
	assert_int_equal(b->rec.nsent, 1);
	assert_int_equal(b->rec.sent[0]->verb, REQUEST_CHOICES);
	answer(b, 0, configs);
	assert_int_equal(b->rec.nsent, 2);
	assert_string_equal(b->rec.sent[1]->name, "default");
	answer(b, 1, locations);
}

static void
to_pools(struct bench *b)
{
	open_wizard(b);
	bench_keys(b, "enter");
	bench_keys(b, "tab enter"); /* the location's chooser */
	bench_type(b, "weste");
	bench_keys(b, "enter");
	assert_int_equal(b->rec.nsent, 3);
	assert_string_equal(b->rec.sent[2]->ns, "westeurope");
	answer(b, 2, offers);
	bench_keys(b, "ctrl-n");
}

static const struct request *
last(const struct bench *b)
{
	return b->rec.sent[b->rec.nsent - 1];
}

static void
a_cluster_is_made_by_keys_alone(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	to_pools(&b);
	bench_golden(&b, "wizard-pools-empty", 80, 24);
	bench_keys(&b, "enter");
	bench_golden(&b, "wizard-classes", 80, 24);
	bench_type(&b, "a10-1x");
	bench_keys(&b, "enter");
	bench_golden(&b, "wizard-pools", 80, 24);
	bench_golden(&b, "wizard-pools", 160, 50);
	bench_keys(&b, "ctrl-n");
	bench_type(&b, "tier=dev");
	bench_keys(&b, "ctrl-n");
	assert_shows(&b, "aks-westeurope");
	bench_keys(&b, "ctrl-n enter");
	assert_int_equal(last(&b)->verb, REQUEST_PLAN);
	assert_non_null(strstr(last(&b)->text, "location: westeurope"));
	assert_non_null(strstr(last(&b)->text, "tier: dev"));
	assert_non_null(strstr(last(&b)->text, "className: a10-1x"));
	bench_answer(
	    &b, b.rec.nsent - 1, true, "+ resource-group aks-westeurope\n+ agent-pool gpua10");
	assert_int_equal(last(&b)->verb, REQUEST_APPLY);
	assert_true(last(&b)->dry_run);
	bench_answer(&b, b.rec.nsent - 1, true, "created (dry run)");
	bench_golden(&b, "wizard-review", 80, 24);
	assert_int_equal(bench_writes(&b), 0);
	bench_keys(&b, "enter");
	assert_int_equal(bench_writes(&b), 0);
	bench_type(&b, "apply");
	bench_keys(&b, "enter");
	assert_int_equal(bench_writes(&b), 1);
	bench_answer(&b, b.rec.nsent - 1, true, "created");
	assert_shows(&b, "is being created");
	assert_int_equal(b.console.nlayers, 0);
	bench_close(&b);
}

static void
a_class_is_made_from_a_vm_size(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_empty());
	to_pools(&b);
	bench_keys(&b, "enter");
	bench_type(&b, "NV36");
	bench_keys(&b, "enter");
	assert_shows(&b, "gpua10");
	bench_keys(&b, "ctrl-n ctrl-n ctrl-n enter");
	assert_int_equal(last(&b)->verb, REQUEST_PLAN);
	assert_non_null(strstr(last(&b)->text, "kind: InferenceClass"));
	assert_non_null(strstr(last(&b)->text, "name: aks-nv36ads-a10-v5"));
	assert_non_null(strstr(last(&b)->text, "vmSize: Standard_NV36ads_A10_v5"));
	assert_non_null(strstr(last(&b)->text, "cudaComputeCapability"));
	bench_close(&b);
}

static void
what_the_cloud_refuses_is_said_before(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_empty());
	to_pools(&b);
	bench_keys(&b, "enter");
	bench_type(&b, "H200");
	bench_keys(&b, "enter");
	assert_shows(&b, "not available for this subscription");
	bench_keys(&b, "esc enter");
	bench_type(&b, "H100");
	bench_keys(&b, "enter tab backspace 2");
	assert_shows(&b, "vCPUs of h100, 96 are free");
	bench_keys(&b, "ctrl-n ctrl-n ctrl-n enter");
	assert_int_not_equal(last(&b)->verb, REQUEST_PLAN);
	assert_shows(&b, "problem");
	bench_close(&b);
}

static void
counts_and_names_are_checked_as_they_are_typed(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	to_pools(&b);
	bench_keys(&b, "enter");
	bench_type(&b, "a10-1x");
	bench_keys(&b, "enter");
	assert_shows(&b, "nothing wrong in this step");
	bench_keys(&b, "tab backspace"); /* nodes */
	bench_type(&b, "4");
	assert_shows(&b, "maxNodeCount: 4");
	bench_keys(&b, "tab backspace"); /* min */
	bench_type(&b, "4");
	bench_keys(&b, "tab backspace");
	bench_type(&b, "2");
	assert_hides(&b, "nothing wrong in this step");
	bench_keys(&b, "backspace");
	bench_type(&b, "4");
	assert_shows(&b, "nothing wrong in this step");
	bench_keys(&b, "ctrl-n ctrl-n ctrl-u");
	bench_type(&b, "aks-eu-1");
	assert_shows(&b, "is there already");
	bench_close(&b);
}

static void
a_draft_is_kept_and_continued(void **state)
{
	struct bench b;
	struct stat st;
	char path[200];

	(void)state;
	bench_open(&b, fixture_fleet());
	to_pools(&b);
	bench_keys(&b, "enter");
	bench_type(&b, "a10-1x");
	bench_keys(&b, "enter esc");
	assert_int_equal(b.console.nlayers, 0);
	(void)snprintf(path, sizeof(path), "%s/drafts/aks-westeurope.yaml", b.folder);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	bench_keys(&b, "n tab right");
	assert_shows(&b, "westeurope");
	assert_shows(&b, "a10-1x");
	bench_close(&b);
}

static void
the_wizard_says_when_the_cloud_cannot_be_asked(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	bench_keys(&b, "n");
	bench_answer(&b, 0, false, "the credential has expired");
	assert_shows(&b, "the credential has expired");
	bench_keys(&b, "enter ctrl-n ctrl-n ctrl-n ctrl-n enter esc");
	assert_int_equal(bench_writes(&b), 0);
	bench_close(&b);
}

static void
a_clone_takes_over_all_but_the_name(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, fixture_fleet());
	bench_keys(&b, "j N");
	assert_int_equal(last(&b)->verb, REQUEST_GET);
	bench_answer(&b, b.rec.nsent - 1, true,
	    "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceCluster\nmetadata:\n  name: "
	    "aks-eu-1\n"
	    "  labels: {region: eu}\nspec:\n  cluster:\n    source: AKS\n    aks:\n"
	    "      location: westeurope\n      kubernetesVersion: \"1.34\"\n  nodePools:\n"
	    "  - {name: gpua10, className: a10-1x, nodeCount: 4}\n");
	assert_shows(&b, "aks-westeurope");
	assert_shows(&b, "region=eu");
	assert_shows(&b, "gpua10 4 x a10-1x");
	bench_close(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cluster_is_made_by_keys_alone),
		cmocka_unit_test(a_class_is_made_from_a_vm_size),
		cmocka_unit_test(what_the_cloud_refuses_is_said_before),
		cmocka_unit_test(counts_and_names_are_checked_as_they_are_typed),
		cmocka_unit_test(a_draft_is_kept_and_continued),
		cmocka_unit_test(the_wizard_says_when_the_cloud_cannot_be_asked),
		cmocka_unit_test(a_clone_takes_over_all_but_the_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
