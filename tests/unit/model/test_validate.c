/*
 * Bad manifests from the field, in our own words: each is refused as a whole, with the place, the
 * field and what to do. Good twins pass.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/kinds/inference_class.h"
#include "model/kinds/inference_cluster.h"

#include "helper_manifest.h"
#include "helper_shared.h"

#define HEAD(kind_name, object_name)                                                               \
	"apiVersion: modelplane.ai/v1alpha1\n"                                                     \
	"kind: " kind_name "\n"                                                                    \
	"metadata: {name: " object_name "}\n"
#define POOL                                                                                       \
	"  nodePools: [{name: a, className: l4, zones: [z], minNodeCount: 1, maxNodeCount: 2}]\n"
#define ENDPOINTS                                                                                  \
	"apiVersion: modelplane.ai/v1alpha1\nkind: ModelService\n"                                 \
	"metadata: {name: s, namespace: ml}\n"

/* A refused manifest: what must be said, where, and a piece of the remedy. */
struct refused {
	const char *name;
	const char *yaml;
	const char *rule;
	const char *path;
	uint32_t line, column;
	const char *says; /* piece of the message or the advice */
};

/* clang-format off */
static const struct refused refused[] = {
	{ "unquoted version", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster:\n    source: GKE\n    gke: {region: us-east1, kubernetesVersion: 1.30}\n" POOL,
	    "schema/type", "spec.cluster.gke.kubernetesVersion", 7, 48, "in quotes: \"1.30\"" },
	{ "unquoted version 1.40", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster:\n    source: GKE\n    gke: {region: us-east1, kubernetesVersion: 1.40}\n" POOL,
	    "schema/type", "spec.cluster.gke.kubernetesVersion", 7, 48, "the number 1.40" },
	{ "label that is true", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\n"
	    "metadata:\n  name: c\n  labels: {gpu: true, rev: 12, note: null}\n"
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n",
	    "schema/type", "metadata.labels.gpu", 5, 17, "\"true\"" },
	{ "label that is a number", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\n"
	    "metadata:\n  name: c\n  labels: {gpu: true, rev: 12, note: null}\n"
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n",
	    "schema/type", "metadata.labels.rev", 5, 28, "\"12\"" },
	{ "label that is null", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\n"
	    "metadata:\n  name: c\n  labels: {gpu: true, rev: 12, note: null}\n"
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n",
	    "flightdeck/null-value", "metadata.labels.note", 5, 38, "give it a value" },
	{ "selector without a value", ENDPOINTS
	    "spec:\n  endpoints:\n  - selector:\n      matchLabels: {a: on, b: yes, c: ~}\n",
	    "flightdeck/null-value", "spec.endpoints[0].selector.matchLabels.c", 7, 39, "give it a value" },
	{ "two objects run together", HEAD("InferenceCluster", "a")
	    "spec: {cluster: {source: Nebius, nebius: {}}}\n" HEAD("InferenceCluster", "b")
	    "spec: {cluster: {source: Nebius, nebius: {}}}\n",
	    "schema/syntax", "", 5, 1, "line 1" },
	{ "separator glued to a comment", HEAD("InferenceCluster", "a")
	    "spec: {cluster: {source: Nebius, nebius: {}}} # enabled---\n" HEAD("InferenceCluster", "b")
	    "spec: {cluster: {source: Nebius, nebius: {}}}\n",
	    "schema/syntax", "", 5, 1, "stands twice" },
	{ "duplicate key deep inside", HEAD("InferenceCluster", "a")
	    "spec:\n  cluster:\n    source: Nebius\n    nebius: {}\n    source: AKS\n",
	    "schema/syntax", "", 8, 5, "line 6" },
	{ "another project's kind", "apiVersion: gpuflow.io/v1\nkind: InferenceCluster\nmetadata: {name: x}\n",
	    "flightdeck/unsupported-kind", "apiVersion", 1, 13, "modelplane.ai/v1alpha1" },
	{ "unknown version", "apiVersion: modelplane.ai/v1beta1\nkind: InferenceCluster\nmetadata: {name: x}\n",
	    "flightdeck/unknown-version", "apiVersion", 1, 13, "write modelplane.ai/v1alpha1" },
	{ "unknown kind", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceCluter\nmetadata: {name: x}\n",
	    "flightdeck/unsupported-kind", "kind", 2, 7, "did you mean 'InferenceCluster'" },
	{ "no kind", "apiVersion: v1\nmetadata: {name: x}\n", "schema/required", "kind", 1, 1, "InferenceCluster" },
	{ "not an object", "- a\n", "schema/type", "", 1, 1, "apiVersion and kind" },
	{ "empty file", "# nothing\n", "schema/empty", "", 0, 0, "at least one object" },
	{ "source without its block", HEAD("InferenceCluster", "c") "spec:\n  cluster: {source: GKE}\n" POOL,
	    "InferenceCluster-3", "spec.cluster", 5, 12, "add the gke block" },
	{ "source with another's block", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster: {source: EKS, gke: {region: r}}\n" POOL,
	    "InferenceCluster-4", "spec.cluster", 5, 12, "add the eks block" },
	{ "Nebius without its block", HEAD("InferenceCluster", "c") "spec:\n  cluster: {source: Nebius}\n" POOL,
	    "InferenceCluster-6", "spec.cluster", 5, 12, "nebius: {}" },
	{ "provider without its block", HEAD("InferenceClass", "c")
	    "spec:\n  provisioning: {provider: AKS}\n  devices: [{name: g, driver: d, deviceClassName: x}]\n",
	    "InferenceClass-3", "spec.provisioning", 5, 17, "add the aks block" },
	{ "negative count", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster: {source: Nebius, nebius: {}}\n  nodePools:\n  - {name: a, className: b, nodeCount: -1}\n",
	    "schema/range", "spec.nodePools[0].nodeCount", 7, 40, "the least is 0" },
	{ "count that is text", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster: {source: Nebius, nebius: {}}\n  nodePools:\n  - {name: a, className: b, nodeCount: \"3\"}\n",
	    "schema/type", "spec.nodePools[0].nodeCount", 7, 40, "take the quotes off" },
	{ "count with a fraction", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster: {source: Nebius, nebius: {}}\n  nodePools:\n  - {name: a, className: b, nodeCount: 1.5}\n",
	    "schema/type", "spec.nodePools[0].nodeCount", 7, 40, "wants an integer" },
	{ "two pools of one name", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster: {source: Nebius, nebius: {}}\n  nodePools:\n  - {name: gpu, className: b}\n"
	    "  - {name: gpu, className: c}\n",
	    "schema/duplicate", "spec.nodePools[1]", 8, 5, "line 7" },
	{ "two taints of one key and effect", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster: {source: Nebius, nebius: {}}\n  taints:\n"
	    "  - {key: a, value: x, effect: NoExecute}\n  - {key: a, value: y, effect: NoExecute}\n" POOL,
	    "schema/duplicate", "spec.taints[1]", 8, 5, "key and effect" },
	{ "two devices of one name", HEAD("InferenceClass", "c")
	    "spec:\n  devices:\n  - {name: g, driver: d, deviceClassName: x}\n"
	    "  - {name: g, driver: d, deviceClassName: x}\n",
	    "schema/duplicate", "spec.devices[1]", 7, 5, "line 6" },
	{ "name that is no DNS name", HEAD("InferenceClass", "Team_A")
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n",
	    "schema/metadata", "metadata.name", 3, 18, "lower-case letters" },
	{ "name of 64 characters", HEAD("InferenceClass",
	    "a123456789b123456789c123456789d123456789e123456789f123456789g123")
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n",
	    "schema/metadata", "metadata.name", 3, 18, "at most 63" },
	{ "no name", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {labels: {a: b}}\n"
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n",
	    "schema/metadata", "metadata.name", 3, 11, "every object has a name" },
	{ "old name of a field", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster: {source: Nebius, nebius: {}}\n  nodePools:\n  - {name: a, class: l4}\n",
	    "schema/unknown", "spec.nodePools[0].class", 7, 15, "did you mean 'className'" },
	{ "old name of an attribute's type", HEAD("InferenceClass", "c")
	    "spec:\n  devices:\n  - {name: g, driver: d, deviceClassName: x, attributes: {n: {integer: 8}}}\n",
	    "schema/unknown", "spec.devices[0].attributes.n.integer", 6, 63, "did you mean 'int'" },
	{ "field that was taken away", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster: {source: GKE, gke: {project: acme, region: us-east1}}\n" POOL,
	    "schema/unknown", "spec.cluster.gke.project", 5, 32, "region, kubernetesVersion, credentials" },
	{ "misspelt maximum", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster: {source: Nebius, nebius: {}}\n  nodePools:\n"
	    "  - {name: a, className: l4, maxNodecount: 4}\n",
	    "schema/unknown", "spec.nodePools[0].maxNodecount", 7, 30, "did you mean 'maxNodeCount'" },
	{ "wrong word", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster: {source: Nebius, nebius: {}}\n  stack: standard\n" POOL,
	    "schema/enum", "spec.stack", 6, 10, "did you mean 'Standard'" },
	{ "list where an object belongs", HEAD("InferenceCluster", "c") "spec:\n  cluster: [AKS]\n" POOL,
	    "schema/type", "spec.cluster", 5, 12, "wants an object, this is a list" },
	{ "object where a list belongs", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster: {source: Nebius, nebius: {}}\n  nodePools: {name: a}\n",
	    "schema/type", "spec.nodePools", 6, 14, "begin each element" },
	{ "no spec", HEAD("InferenceCluster", "c"), "schema/required", "spec", 1, 1, "is missing" },
	{ "label key with blanks", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\n"
	    "metadata:\n  name: c\n  labels:\n    \"not a key\": x\n"
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n",
	    "schema/metadata", "metadata.labels[not a key]", 6, 5, "DNS prefix" },
	{ "finalizer that is none", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\n"
	    "metadata:\n  name: c\n  finalizers: [\"a b\"]\n"
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n",
	    "schema/metadata", "metadata.finalizers[0]", 5, 16, "DNS prefix" },
	{ "owner without a uid", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\n"
	    "metadata:\n  name: c\n  ownerReferences:\n  - {apiVersion: v1, kind: Pod, name: p}\n"
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n",
	    "schema/metadata", "metadata.ownerReferences[0].uid", 6, 5, "is missing" },
	{ "unknown metadata", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\n"
	    "metadata:\n  name: c\n  lables: {a: b}\n"
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n",
	    "schema/unknown", "metadata.lables", 5, 3, "did you mean 'labels'" },
	{ "config without its Secret", "apiVersion: azure.m.upbound.io/v1beta1\nkind: ClusterProviderConfig\n"
	    "metadata: {name: default}\nspec:\n  credentials: {source: Secret}\n",
	    "flightdeck/secret-ref", "spec.credentials.secretRef", 5, 25, "name the Secret" },
	{ "config that looks elsewhere", "apiVersion: nebius.m.upbound.io/v1beta1\nkind: ProviderConfig\n"
	    "metadata: {name: n, namespace: x}\nspec:\n  identity: {type: Token}\n"
	    "  credentials: {source: Secret, secretRef: {name: a, key: b, namespace: c}}\n",
	    "schema/unknown", "spec.credentials.secretRef.namespace", 6, 62, "name, key" },
};
/* clang-format on */

static bool
is_refused_as_written(const struct refused *r)
{
	const struct problem *p;
	struct checked c;
	bool ok;

	manifest_yaml(&c, r->yaml);
	ok = !c.ok && c.set.problems.nerrors > 0 && !manifest_set_file_ok(&c.set, "t.yaml");
	p = manifest_problem(&c, r->rule, r->path);
	if (p == NULL || p->line != r->line || p->column != r->column ||
	    strstr(manifest_line(p), r->says) == NULL) {
		print_message("%s: wanted %u:%u and '%s'; is: %s\n", r->name, (unsigned)r->line,
		    (unsigned)r->column, r->says, p != NULL ? manifest_line(p) : "nothing");
		ok = false;
	}
	manifest_end(&c);
	return ok;
}

static void
bad_manifests_are_refused_with_place_field_and_remedy(void **state)
{
	size_t wrong = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(refused); i++)
		wrong += is_refused_as_written(&refused[i]) ? 0 : 1;
	assert_int_equal(wrong, 0);
}

/* clang-format off */
static const struct {
	const char *name;
	const char *yaml;
	size_t documents;
} accepted[] = {
	{ "quoted version", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster:\n    source: GKE\n    gke: {region: us-east1, kubernetesVersion: \"1.35\"}\n" POOL, 1 },
	{ "quoted label", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\n"
	    "metadata: {name: c, labels: {gpu: \"true\", on: on}}\n"
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n", 1 },
	{ "dashes inside", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\n"
	    "metadata:\n  name: c\n  annotations: {note: \"a --- b\"}\n# --- old ---\n"
	    "spec:\n  description: |\n    above\n    ---\n    below\n"
	    "  devices: [{name: g, driver: d, deviceClassName: x}]\n", 1 },
	{ "anchors and aliases", "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\n"
	    "metadata: {name: c}\nspec:\n  devices:\n  - {name: &n g, driver: &d d, deviceClassName: &x x}\n"
	    "  - {name: h, driver: *d, deviceClassName: *x}\n  description: *n\n", 1 },
	{ "empty block of Nebius", HEAD("InferenceCluster", "c") "spec:\n  cluster: {source: Nebius, nebius: {}}\n" POOL, 1 },
	{ "dotted name", HEAD("InferenceClass", "qwen-0.5b-vllm")
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n", 1 },
	{ "two documents", HEAD("InferenceClass", "a")
	    "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n---\n" HEAD("InferenceClass", "b")
	    "spec: {devices: [{name: g, driver: d, claim: Synthetic}]}\n", 2 },
	{ "a list of objects", "apiVersion: v1\nkind: List\nitems:\n"
	    "- {apiVersion: v1, kind: Namespace, metadata: {name: a}}\n"
	    "- {apiVersion: v1, kind: Namespace, metadata: {name: b}}\n", 2 },
	{ "JSON with a surrogate pair", "{\"apiVersion\":\"modelplane.ai/v1alpha1\",\"kind\":\"InferenceClass\","
	    "\"metadata\":{\"name\":\"c\"},\"spec\":{\"description\":\"\\ud83d\\ude00\",\"devices\":"
	    "[{\"name\":\"g\",\"driver\":\"d\",\"deviceClassName\":\"x\"}]}}", 1 },
	{ "what the host framework keeps", HEAD("InferenceCluster", "c")
	    "spec:\n  crossplane: {compositionRef: {name: x}, resourceRefs: [{a: 1}]}\n"
	    "  cluster: {source: Nebius, nebius: {}}\n" POOL, 1 },
	{ "whole numbers written as floats", HEAD("InferenceCluster", "c")
	    "spec:\n  cluster: {source: Nebius, nebius: {}}\n"
	    "  nodePools: [{name: a, className: l4, nodeCount: 2.0}]\n", 1 },
};
/* clang-format on */

static void
their_good_twins_pass(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(accepted); i++) {
		struct checked c;

		manifest_yaml(&c, accepted[i].yaml);
		if (!c.ok)
			fail_msg(
			    "%s: %s", accepted[i].name, manifest_line(&c.set.problems.items[0]));
		assert_int_equal(c.set.ndocs, accepted[i].documents);
		assert_true(manifest_set_file_ok(&c.set, "t.yaml"));
		manifest_end(&c);
	}
}

static void
text_between_dashes_is_kept_byte_for_byte(void **state)
{
	struct checked c;

	(void)state;
	manifest_yaml(&c, accepted[2].yaml);
	assert_true(
	    str_is(node_path_str(c.set.docs[0].object, "spec.description"), "above\n---\nbelow\n"));
	manifest_end(&c);
}

static void
all_errors_are_told_in_one_go_in_the_order_of_the_file(void **state)
{
	struct checked c;

	(void)state;
	manifest_yaml(&c, HEAD("InferenceCluster",
			      "C") "spec:\n  nodePools:\n  - {name: a, nodeCount: -1, color: red}\n"
				   "  - {name: a, className: 7, fabric: {type: Token}}\n  cluster: "
				   "{source: Mars}\n");
	assert_int_equal(c.set.problems.nerrors, 8);
	for (size_t i = 1; i < c.set.problems.n; i++)
		assert_true(c.set.problems.items[i - 1].line <= c.set.problems.items[i].line);
	assert_non_null(manifest_problem(&c, "schema/metadata", "metadata.name"));
	assert_non_null(manifest_problem(&c, "schema/required", "spec.nodePools[0].className"));
	assert_non_null(manifest_problem(&c, "schema/range", "spec.nodePools[0].nodeCount"));
	assert_non_null(manifest_problem(&c, "schema/unknown", "spec.nodePools[0].color"));
	assert_non_null(manifest_problem(&c, "schema/duplicate", "spec.nodePools[1]"));
	assert_non_null(manifest_problem(&c, "schema/type", "spec.nodePools[1].className"));
	assert_non_null(manifest_problem(&c, "schema/enum", "spec.nodePools[1].fabric.type"));
	assert_non_null(manifest_problem(&c, "schema/enum", "spec.cluster.source"));
	manifest_end(&c);
}

static void
rules_of_our_own_are_told_with_the_schema_and_nothing_twice(void **state)
{
	struct checked c;

	(void)state;
	manifest_yaml(&c,
	    HEAD("InferenceCluster",
		"c") "spec:\n  cluster: {source: AKS, aks: {location: x, kubernetesVersion: "
		     "1.30}}\n"
		     "  nodePools:\n  - {name: my-pool, clas: l4, nodeCount: -1, zones: 7}\n");
	assert_non_null(manifest_problem(&c, "flightdeck/pool-name", "spec.nodePools[0].name"));
	assert_non_null(manifest_problem(&c, "schema/unknown", "spec.nodePools[0].clas"));
	assert_non_null(manifest_problem(&c, "schema/required", "spec.nodePools[0].className"));
	for (size_t i = 0; i < c.set.problems.n; i++) {
		for (size_t j = 0; j < i; j++)
			assert_false(
			    str_eq(c.set.problems.items[i].path, c.set.problems.items[j].path));
	}
	assert_int_equal(c.set.problems.nerrors, 6);
	manifest_end(&c);
}

static void
one_mistake_does_not_set_off_the_rules_above_it(void **state)
{
	struct checked c;

	(void)state;
	manifest_yaml(
	    &c, HEAD("InferenceCluster", "c") "spec:\n  cluster: {gke: {region: 7}}\n" POOL);
	for (size_t i = 0; i < c.set.problems.n; i++)
		assert_false(str_starts(c.set.problems.items[i].rule, STR("InferenceCluster-")));
	assert_int_equal(c.set.problems.nerrors, 2);
	manifest_end(&c);
}

static void
an_alias_bomb_is_refused_at_once(void **state)
{
	struct text bomb = TEXT_INIT(1 << 16);
	struct checked c;

	(void)state;
	text_add(&bomb, "a: &a [x, x, x, x, x, x, x, x, x]\n");
	for (char k = 'b'; k <= 'j'; k++)
		text_printf(&bomb, "%c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n", k, k,
		    k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1);
	manifest_yaml(&c, text_get(&bomb));
	assert_false(c.ok);
	assert_int_equal(c.set.problems.nerrors, 1);
	assert_true(str_is(c.set.problems.items[0].rule, "schema/syntax"));
	assert_true(arena_used(c.arena) < 64 * 1024 * 1024);
	text_free(&bomb);
	manifest_end(&c);
}

static const char class_yaml[] =
    HEAD("InferenceClass", "l4-1x") "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n";

static void
the_same_object_twice_is_refused_naming_both_places(void **state)
{
	struct checked c;
	const struct problem *p;

	(void)state;
	manifest_begin(&c);
	manifest_add(&c, "one.yaml", class_yaml);
	manifest_add(&c, "two.yaml", class_yaml);
	assert_false(manifest_check(&c));
	p = manifest_problem(&c, "flightdeck/duplicate", "metadata.name");
	assert_non_null(p);
	assert_string_equal(p->file, "two.yaml");
	assert_non_null(strstr(manifest_line(p), "one.yaml:1"));
	assert_true(manifest_set_file_ok(&c.set, "one.yaml"));
	assert_false(manifest_set_file_ok(&c.set, "two.yaml"));
	assert_int_equal(c.set.docs[0].nerrors, 0);
	assert_int_equal(c.set.docs[1].nerrors, 1);
	manifest_end(&c);
}

static void
a_foreign_kind_beside_ours_leaves_ours_alone(void **state)
{
	struct checked c;

	(void)state;
	manifest_begin(&c);
	manifest_add(&c, "f.yaml",
	    "apiVersion: gpuflow.io/v1\nkind: InferenceCluster\nmetadata: {name: x}\nspec: {gpus: "
	    "3}\n");
	manifest_add(&c, "o.yaml", class_yaml);
	assert_false(manifest_check(&c));
	assert_null(c.set.docs[0].kind);
	assert_ptr_equal(c.set.docs[1].kind, &inference_class_kind);
	assert_int_equal(c.set.docs[1].nerrors, 0);
	manifest_end(&c);
}

static void
kinds_that_nothing_reconciles_are_refused_for_apply_only(void **state)
{
	static const char *const yaml[] = {
		"apiVersion: modelplane.ai/v1alpha1\nkind: ModelEndpoint\n"
		"metadata: {name: x, namespace: ml}\nspec: {url: \"https://a.example\"}\n",
		"apiVersion: infrastructure.modelplane.ai/v1alpha1\nkind: GKECluster\n"
		"metadata: {name: n, namespace: m}\nspec: {region: r, nodePools: [{name: s, role: "
		"System, "
		"machineType: e2}]}\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(yaml); i++) {
		struct checked c;

		manifest_yaml(&c, yaml[i]);
		assert_true(c.ok);
		manifest_end(&c);
		manifest_begin(&c);
		c.known.for_apply = true;
		manifest_add(&c, "t.yaml", yaml[i]);
		assert_false(manifest_check(&c));
		assert_non_null(manifest_problem(&c, "flightdeck/not-reconciled", "kind"));
		manifest_end(&c);
	}
}

static void
our_records_cannot_be_applied(void **state)
{
	struct checked c;

	(void)state;
	manifest_begin(&c);
	c.known.for_apply = true;
	manifest_add(&c, "t.yaml",
	    "apiVersion: flightdeck.dev/v1alpha1\nkind: External\n"
	    "metadata: {name: x, namespace: m}\nspec: {ownerUid: u, ownerKind: k, "
	    "ownerName: n, key: k, type: t, provider: azure}\n");
	assert_false(manifest_check(&c));
	assert_non_null(manifest_problem(&c, "flightdeck/internal-kind", "kind"));
	manifest_end(&c);
}

static void
a_namespace_on_a_cluster_wide_kind_is_left_out_with_a_warning(void **state)
{
	struct checked c;

	(void)state;
	manifest_yaml(&c, "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\n"
			  "metadata: {name: c, namespace: x}\n"
			  "spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n");
	assert_true(c.ok);
	assert_int_equal(c.set.problems.n, 1);
	assert_int_equal(c.set.problems.items[0].severity, SEVERITY_WARNING);
	assert_null(node_path(c.set.docs[0].object, "metadata.namespace"));
	manifest_end(&c);
}

static void
text_from_outside_is_clean_in_messages(void **state)
{
	struct checked c;

	(void)state;
	manifest_yaml(
	    &c, HEAD("InferenceCluster",
		    "c") "spec:\n  cluster: {source: \"\\e[31mAKS\\u202e\"}\n  \"\\e]0;x\": 1\n");
	assert_false(c.ok);
	for (size_t i = 0; i < c.set.problems.n; i++) {
		assert_null(strchr(manifest_line(&c.set.problems.items[i]), '\033'));
		assert_null(strstr(manifest_line(&c.set.problems.items[i]), "\xe2\x80\xae"));
	}
	manifest_end(&c);
}

/* The samples of the field pass, but for the kinds that are not ours. */
static void
published_samples_pass(void **state)
{
	static const char *const files[] = {
		"manifests/reference/inferenceclusters.yaml",
		"manifests/reference/inferenceclasses.yaml",
		"manifests/reference/aksclusters.yaml",
		"manifests/reference/gkeclusters.yaml",
		"manifests/reference/eksclusters.yaml",
		"manifests/reference/nebiusclusters.yaml",
		"manifests/reference/vultrclusters.yaml",
		"manifests/reference/servingstacks.yaml",
		"manifests/reference/modelcaches.yaml",
		"manifests/reference/modeldeployments.yaml",
		"manifests/reference/modelreplicas.yaml",
		"manifests/reference/modelservices.yaml",
		"manifests/reference/modelendpoints.yaml",
		"manifests/reference/inferencegateways.yaml",
		"manifests/getting-started/aks/platform.yaml",
		"manifests/getting-started/eks/platform.yaml",
		"manifests/getting-started/gke/platform.yaml",
		"manifests/getting-started/nebius/platform.yaml",
		"manifests/getting-started/vultr/platform.yaml",
		"manifests/getting-started/clusterproviderconfig-azure.yaml",
		"manifests/getting-started/clusterproviderconfig-aws.yaml",
		"manifests/getting-started/clusterproviderconfig-gke.yaml",
		"manifests/getting-started/clusterproviderconfig-nebius.yaml",
		"manifests/getting-started/clusterproviderconfig-vultr.yaml",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		size_t n = 0;
		char *bytes = shared_read(files[i], &n);
		struct checked c;

		if (bytes == NULL) {
			print_message("skipped: no %s below FLIGHTDECK_SHARED\n", files[i]);
			skip();
		}
		manifest_begin(&c);
		assert_true(manifest_set_add(&c.set, files[i], (struct str){ bytes, n }));
		if (!manifest_check(&c))
			fail_msg("%s", manifest_line(&c.set.problems.items[0]));
		manifest_end(&c);
		mem_free(bytes);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_manifests_are_refused_with_place_field_and_remedy),
		cmocka_unit_test(their_good_twins_pass),
		cmocka_unit_test(text_between_dashes_is_kept_byte_for_byte),
		cmocka_unit_test(all_errors_are_told_in_one_go_in_the_order_of_the_file),
		cmocka_unit_test(rules_of_our_own_are_told_with_the_schema_and_nothing_twice),
		cmocka_unit_test(one_mistake_does_not_set_off_the_rules_above_it),
		cmocka_unit_test(an_alias_bomb_is_refused_at_once),
		cmocka_unit_test(the_same_object_twice_is_refused_naming_both_places),
		cmocka_unit_test(a_foreign_kind_beside_ours_leaves_ours_alone),
		cmocka_unit_test(kinds_that_nothing_reconciles_are_refused_for_apply_only),
		cmocka_unit_test(our_records_cannot_be_applied),
		cmocka_unit_test(a_namespace_on_a_cluster_wide_kind_is_left_out_with_a_warning),
		cmocka_unit_test(text_from_outside_is_clean_in_messages),
		cmocka_unit_test(published_samples_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
