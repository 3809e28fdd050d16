#include "tests/unit/backend/apiserver/rig.h"

/* The real kubectl against a real server: what it prints is what operators see. */

#include <poll.h>

#define KUBECTL "/usr/bin/kubectl"

static struct rig rig;	 /* a workload cluster */
static struct rig owner; /* our own kinds, with our rules */

static int
start(void **state UNUSED)
{
	if (access(KUBECTL, X_OK) != 0)
		return 0;
	rig_start(&rig, false, NULL);
	rig_start(&owner, true, NULL);
	return 0;
}

static int
stop(void **state UNUSED)
{
	if (access(KUBECTL, X_OK) != 0)
		return 0;
	rig_stop(&rig);
	rig_stop(&owner);
	return 0;
}

/* Runs "kubectl words..." with `in` on its standard input; gives its output (both streams). */
static int
kubectl(struct rig *r, const char *words, const char *in, struct text *out)
{
	char line[2048];
	char config[160];
	char home[96];
	char *argv[64] = { line };
	char *envp[] = { config, home, (char[]){ "PATH=/usr/bin:/bin" }, NULL };
	int to[2];
	int from[2];
	posix_spawn_file_actions_t fa;
	pid_t pid = 0;
	int n = 0;
	int status = 0;
	struct pollfd p;
	char block[4096];

	if (access(KUBECTL, X_OK) != 0)
		skip();
	(void)snprintf(line, sizeof(line), "kubectl %s", words);
	for (char *c = line; *c != '\0'; c++) {
		if (*c != ' ')
			continue;
		*c = '\0';
		argv[++n] = c + 1;
	}
	(void)snprintf(config, sizeof(config), "KUBECONFIG=%s", r->kubeconfig);
	(void)snprintf(home, sizeof(home), "HOME=%s", r->dir);
	assert_int_equal(pipe2(to, O_CLOEXEC), 0);
	assert_int_equal(pipe2(from, O_CLOEXEC), 0);
	(void)posix_spawn_file_actions_init(&fa);
	(void)posix_spawn_file_actions_adddup2(&fa, to[0], 0);
	(void)posix_spawn_file_actions_adddup2(&fa, from[1], 1);
	(void)posix_spawn_file_actions_adddup2(&fa, from[1], 2);
	assert_int_equal(posix_spawn(&pid, KUBECTL, &fa, NULL, argv, envp), 0);
	(void)posix_spawn_file_actions_destroy(&fa);
	(void)close(to[0]);
	(void)close(from[1]);
	if (in != NULL)
		assert_int_equal(write(to[1], in, strlen(in)), (ssize_t)strlen(in));
	(void)close(to[1]);
	text_clear(out);
	p = (struct pollfd){ .fd = from[0], .events = POLLIN };
	while (poll(&p, 1, 20000) > 0) {
		ssize_t got = read(from[0], block, sizeof(block));

		if (got <= 0)
			break;
		text_add_str(out, (struct str){ block, (size_t)got });
	}
	(void)close(from[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
run(struct rig *r, int want, const char *words, const char *in, const char *shows)
{
	struct text out = TEXT_INIT(1024 * 1024);
	int got = kubectl(r, words, in, &out);

	if (got != want || str_find(text_str(&out), str_from(shows)) < 0)
		fail_msg("kubectl %s: exit %d instead of %d, or no '%s' in: %s", words, got, want,
		    shows, text_get(&out));
	text_free(&out);
}

static void
basics(void **state UNUSED)
{
	run(&rig, 0, "version", NULL, "Server Version: v1.34.4");
	run(&rig, 0, "api-resources", NULL, "storageclasses");
	run(&rig, 0, "api-versions", NULL, "batch/v1");
	run(&rig, 0, "get nodes", NULL, "No resources found");
	run(&rig, 1, "get node nope", NULL,
	    "Error from server (NotFound): nodes \"nope\" not found");
	run(&rig, 1, "get nothing", NULL, "the server doesn't have a resource type");
	run(&rig, 0, "auth can-i delete pods", NULL, "yes");
	run(&rig, 0, "auth whoami", NULL, "admin");
	run(&rig, 0, "get --raw /healthz", NULL, "ok");
}

static void
typed_creates_send_protobuf(void **state UNUSED)
{
	run(&rig, 0, "create ns team-a", NULL, "namespace/team-a created");
	run(&rig, 0, "create cm settings --from-literal=k=v -n team-a", NULL,
	    "configmap/settings created");
	run(&rig, 0, "create secret generic s --from-literal=p=hunter2 -n team-a", NULL,
	    "secret/s created");
	run(&rig, 0, "get secret s -n team-a -o jsonpath={.data.p}", NULL, "aHVudGVyMg==");
	run(&rig, 0, "get cm -A", NULL, "team-a");
	run(&rig, 0, "get cm settings -n team-a -o yaml", NULL, "k: v");
	run(&rig, 0, "describe cm settings -n team-a", NULL, "k:");
	run(&rig, 1, "create cm x -n missing", NULL, "not found");
}

#define DEPLOYMENT                                                                                 \
	"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n"       \
	"spec:\n  replicas: 2\n  selector: {matchLabels: {a: b}}\n  template:\n"                   \
	"    metadata: {labels: {a: b}}\n    spec:\n      containers:\n"                           \
	"      - {name: one, image: i1}\n"

static void
apply_creates_changes_and_keeps(void **state UNUSED)
{
	run(&rig, 0, "apply -f -", DEPLOYMENT, "deployment.apps/web created");
	run(&rig, 0, "apply -f -", DEPLOYMENT, "deployment.apps/web unchanged");
	run(&rig, 0, "apply -f -", DEPLOYMENT "      - {name: two, image: i2}\n",
	    "deployment.apps/web configured");
	run(&rig, 0, "get deploy web -o jsonpath={.spec.template.spec.containers[*].name}", NULL,
	    "one two");
	run(&rig, 0, "apply -f -", DEPLOYMENT, "deployment.apps/web configured");
	run(&rig, 0, "get deploy web -o jsonpath={.spec.template.spec.containers[*].name}", NULL,
	    "one");
	run(&rig, 0, "label deploy web t=c", NULL, "labeled");
	run(&rig, 0, "annotate deploy web n=1", NULL, "annotated");
	run(&rig, 0, "get deploy --show-labels", NULL, "t=c");
	run(&rig, 0, "get deploy -l t=c -o name", NULL, "deployment.apps/web");
	run(&rig, 0,
	    "patch deploy web --type=json -p [{\"op\":\"remove\",\"path\":\"/metadata/labels/t\"}]",
	    NULL, "patched");
	run(&rig, 0, "diff -f -", DEPLOYMENT, "");
	run(&rig, 0, "describe deploy web", NULL, "Replicas:");
	run(&rig, 0, "delete deploy web", NULL, "deleted");
	run(&rig, 0, "wait --for=delete deploy/web --timeout=5s", NULL, "");
}

#define SERVER_SIDE "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ssa, namespace: default}\n"

static void
server_side_apply_conflicts(void **state UNUSED)
{
	run(&rig, 0, "apply --server-side --field-manager=m1 -f -", SERVER_SIDE "data: {k: a}\n",
	    "configmap/ssa serverside-applied");
	run(&rig, 1, "apply --server-side --field-manager=m2 -f -", SERVER_SIDE "data: {k: b}\n",
	    "conflict with \"m1\": .data.k");
	run(&rig, 0, "apply --server-side --field-manager=m2 --force-conflicts -f -",
	    SERVER_SIDE "data: {k: b}\n", "serverside-applied");
	run(&rig, 0, "get cm ssa -o yaml --show-managed-fields", NULL, "manager: m2");
	/* one that client-side apply owned is taken over: kubectl migrates managedFields */
	run(&rig, 0, "apply -f -",
	    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mig, namespace: "
	    "default}\ndata: {k: a}\n",
	    "created");
	run(&rig, 0, "apply --server-side -f -",
	    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mig, namespace: default}\ndata: {k: "
	    "a}\n",
	    "serverside-applied");
	run(&rig, 0, "apply --server-side -f -",
	    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mig, namespace: default}\ndata: {k: "
	    "c}\n",
	    "serverside-applied");
	run(&rig, 0, "get cm mig -o jsonpath={.data.k}", NULL, "c");
	run(&rig, 0, "delete cm ssa mig", NULL, "deleted");
}

static void
waiting_sees_a_condition(void **state UNUSED)
{
	run(&rig, 0, "create -f -", "apiVersion: v1\nkind: Node\nmetadata: {name: w1}\n",
	    "created");
	run(&rig, 0,
	    "patch node w1 --subresource=status --type=merge -p "
	    "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}",
	    NULL, "patched");
	run(&rig, 0, "wait --for=condition=Ready node/w1 --timeout=10s", NULL, "condition met");
	run(&rig, 1, "wait --for=condition=Other node/w1 --timeout=1s", NULL, "timed out");
	run(&rig, 0, "get nodes -o wide", NULL, "w1");
	run(&rig, 0, "get nodes", NULL, "Ready");
	run(&rig, 0, "describe node w1", NULL, "w1");
	run(&rig, 0, "delete node w1", NULL, "deleted");
}

#define CLASS "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: c1}\n"

static void
our_kinds_are_explained_and_checked(void **state UNUSED)
{
	run(&owner, 0, "api-resources", NULL, "inferenceclusters");
	run(&owner, 0, "explain inferencecluster.spec", NULL, "nodePools");
	run(&owner, 0, "get ic", NULL, "No resources found");
	run(&owner, 1, "apply -f -",
	    "apiVersion: modelplane.ai/v1alpha1\nkind: InferenceCluster\n"
	    "metadata: {name: bad}\nspec: {cluster: {source: Nope}}\n",
	    "is invalid");
	run(&owner, 0, "get events", NULL, "No resources found");
	run(&owner, 1, "apply --server-side -f -", CLASS "spec: {bogus: 1}\n", "bogus");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(basics),
		cmocka_unit_test(typed_creates_send_protobuf),
		cmocka_unit_test(apply_creates_changes_and_keeps),
		cmocka_unit_test(server_side_apply_conflicts),
		cmocka_unit_test(waiting_sees_a_condition),
		cmocka_unit_test(our_kinds_are_explained_and_checked),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
