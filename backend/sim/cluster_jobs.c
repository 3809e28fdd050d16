#include "backend/sim/cluster_int.h"
#include "model/json.h"
#include "model/yaml.h"

/*
 * Jobs run. A Job whose container runs helm does what helm would: its arguments are read strictly,
 * it leaves helm's release Secrets, and after some seconds the chart is there or gone. Other Jobs
 * simply succeed after a while. The state of a run stands in the Job's own status, so that a
 * restart of the simulator goes on where it was.
 */

enum { OTHER_JOB_S = 60, QUICK_S = 6, UNINSTALL_S = 15, VALUES_MAX = 1024 * 1024 };

enum helm_verb { HELM_NONE, HELM_UPGRADE, HELM_INSTALL, HELM_UNINSTALL, HELM_ROLLBACK };

struct helm_run {
	enum helm_verb verb;
	bool install; /* upgrade --install */
	bool create_ns;
	bool ignore_missing;
	struct str release, chart, repo, version, ns, values;
	const char *failure; /* what helm says before it does anything; NULL when it is fine */
};

static const struct {
	const char *word;
	enum helm_verb verb;
} verbs[] = {
	{ "upgrade", HELM_UPGRADE },
	{ "install", HELM_INSTALL },
	{ "uninstall", HELM_UNINSTALL },
	{ "rollback", HELM_ROLLBACK },
};

/* Flags with a value, and those without; "--flag=value" is the same as "--flag value". */
struct flag {
	const char *name;
	bool takes_value;
	unsigned verbs; /* 1 << enum helm_verb */
};

#define V(x)   (1U << HELM_##x)
#define CHARTS (V(UPGRADE) | V(INSTALL))
#define ALL    (CHARTS | V(UNINSTALL) | V(ROLLBACK))

static const struct flag flags[] = {
	{ "--install", false, V(UPGRADE) },
	{ "--repo", true, CHARTS },
	{ "--version", true, CHARTS },
	{ "--namespace", true, ALL },
	{ "--create-namespace", false, CHARTS },
	{ "--values", true, CHARTS },
	{ "--set", true, CHARTS },
	{ "--wait", false, ALL },
	{ "--wait-for-jobs", false, CHARTS },
	{ "--atomic", false, CHARTS },
	{ "--timeout", true, ALL },
	{ "--history-max", true, V(UPGRADE) | V(ROLLBACK) },
	{ "--take-ownership", false, CHARTS },
	{ "--reset-values", false, V(UPGRADE) },
	{ "--force", false, V(UPGRADE) | V(ROLLBACK) },
	{ "--cleanup-on-fail", false, V(UPGRADE) | V(ROLLBACK) },
	{ "--dependency-update", false, CHARTS },
	{ "--ignore-not-found", false, V(UNINSTALL) },
	{ "--no-hooks", false, ALL },
	{ "--keep-history", false, V(UNINSTALL) },
	{ "--debug", false, ALL },
	{ "--skip-crds", false, CHARTS },
};

static const struct flag *
flag_find(struct str name, enum helm_verb verb)
{
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (str_is(name, flags[i].name) && (flags[i].verbs & (1U << verb)) != 0)
			return &flags[i];
	}
	return NULL;
}

static void
flag_take(struct helm_run *h, struct str name, struct str value)
{
	bool yes = value.n == 0 || str_is(value, "true");

	if (str_is(name, "--repo"))
		h->repo = value;
	else if (str_is(name, "--version"))
		h->version = value;
	else if (str_is(name, "--namespace"))
		h->ns = value;
	else if (str_is(name, "--values"))
		h->values = value;
	else if (str_is(name, "--install"))
		h->install = yes;
	else if (str_is(name, "--create-namespace"))
		h->create_ns = yes;
	else if (str_is(name, "--ignore-not-found"))
		h->ignore_missing = yes;
}

static bool
helm_word(struct round *r, struct helm_run *h, const struct node **at)
{
	struct str word = node_get_str(*at), name = word, value = { 0 };
	ptrdiff_t eq = str_find_char(word, '=');
	const struct flag *f;

	if (!str_starts(word, STR("-"))) {
		if (h->release.n == 0)
			h->release = word;
		else if (h->chart.n == 0 && h->verb != HELM_UNINSTALL)
			h->chart = word;
		else
			h->failure = "Error: accepts at most 2 args";
		return h->failure == NULL;
	}
	if (str_is(word, "-n"))
		name = STR("--namespace");
	else if (str_is(word, "-f"))
		name = STR("--values");
	else if (eq > 0) {
		name = str_sub(word, 0, (size_t)eq);
		value = str_sub(word, (size_t)eq + 1, word.n);
	}
	f = flag_find(name, h->verb);
	if (f == NULL) {
		h->failure = arena_printf(r->a, "Error: unknown flag: " STR_FMT, STR_ARG(name));
		return false;
	}
	if (f->takes_value && eq < 0) {
		*at = (*at)->next;
		if (*at == NULL) {
			h->failure =
			    arena_printf(r->a, "Error: flag needs an argument: %s", f->name);
			return false;
		}
		value = node_get_str(*at);
	}
	flag_take(h, name, value);
	return true;
}

/* The container's command and arguments; HELM_NONE when it does not run helm. */
static struct helm_run
helm_parse(struct round *r, const struct node *job)
{
	const struct node *c = node_path(job, "spec.template.spec.containers[0]");
	const struct node *at = node_first(node_find(c, "args"));
	bool named = str_is(node_path_str(c, "command[0]"), "helm");
	struct helm_run h = { .verb = HELM_NONE, .ns = STR("default") };

	if (node_find(c, "command") == NULL &&
	    str_find(node_path_str(c, "image"), STR("helm")) >= 0)
		named = true;
	if (!named || at == NULL)
		return h;
	h.verb = HELM_INSTALL; /* until the first word says otherwise */
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
		if (str_is(node_get_str(at), verbs[i].word)) {
			h.verb = verbs[i].verb;
			at = at->next;
			for (; at != NULL; at = at != NULL ? at->next : NULL) {
				if (!helm_word(r, &h, &at))
					return h;
			}
			if (h.release.n == 0)
				h.failure = "Error: a release name is required";
			return h;
		}
	}
	h.failure = arena_printf(
	    r->a, "Error: unknown command \"" STR_FMT "\" for \"helm\"", STR_ARG(node_get_str(at)));
	return h;
}

/* "oci://host/path/name" is repository and chart in one. */
static void
chart_split(struct helm_run *h)
{
	size_t slash = h->chart.n;

	if (!str_starts(h->chart, STR("oci://")))
		return;
	while (slash > 0 && h->chart.p[slash - 1] != '/')
		slash--;
	h->repo = str_sub(h->chart, 0, slash > 0 ? slash - 1 : 0);
	h->chart = str_sub(h->chart, slash, h->chart.n);
}

static bool
version_fits(struct str v)
{
	struct str s = str_starts(v, STR("v")) ? str_sub(v, 1, v.n) : v, piece;
	int64_t n;
	int parts = 0;

	while (parts < 2 && str_split(&s, '.', &piece)) {
		if (!str_to_int(piece, &n))
			return false;
		parts++;
	}
	return parts == 2 && s.n > 0;
}

/* Why the chart cannot be had; NULL: it can. */
static const char *
chart_refused(struct round *r, const struct helm_run *h, const struct chart *c)
{
	if (h->chart.n == 0)
		return "Error: \"helm upgrade\" requires 2 arguments";
	if (c == NULL)
		return arena_printf(r->a,
		    "Error: chart \"" STR_FMT "\" not found in " STR_FMT " repository",
		    STR_ARG(h->chart), STR_ARG(h->repo));
	if (!str_is(h->repo, c->repository))
		return arena_printf(r->a,
		    "Error: looks like \"" STR_FMT
		    "\" is not a valid chart repository or cannot be reached: failed to fetch",
		    STR_ARG(h->repo));
	if (!version_fits(h->version))
		return arena_printf(
		    r->a, "Error: improper constraint: " STR_FMT, STR_ARG(h->version));
	if (fault_keyed(r->k->s->faults, FAULT_CHART_FAIL, h->chart) != NULL)
		return arena_printf(r->a,
		    "Error: failed to download \"" STR_FMT "\" at version \"" STR_FMT
		    "\": unexpected EOF",
		    STR_ARG(h->chart), STR_ARG(h->version));
	return NULL;
}

static const char *
needs_refused(struct round *r, const struct chart *c)
{
	for (size_t i = 0; i < ARRAY_LEN(c->needs) && c->needs[i] != NULL; i++) {
		if (release_of_chart(r->k, c->needs[i]) == NULL)
			return arena_printf(r->a,
			    "Error: unable to build kubernetes objects from release manifest: "
			    "resource mapping not found: no matches for kind of chart \"%s\": "
			    "ensure CRDs are installed first",
			    c->needs[i]);
	}
	return NULL;
}

/* What stands in the way before helm writes anything. NULL: nothing. */
static const char *
install_refused(struct round *r, const struct helm_run *h, const struct chart *c)
{
	const struct release *x = release_find(r->k, h->release, h->ns);
	bool exists = kube_get(r, "Namespace", (struct str){ 0 }, h->ns) != NULL;
	const char *why = chart_refused(r, h, c);

	if (why != NULL || c == NULL)
		return why;
	if (!exists && !h->create_ns)
		return arena_printf(r->a,
		    "Error: create: failed to create: namespaces \"" STR_FMT "\" not found",
		    STR_ARG(h->ns));
	if (x == NULL && h->verb == HELM_UPGRADE && !h->install)
		return arena_printf(r->a,
		    "Error: UPGRADE FAILED: \"" STR_FMT "\" has no deployed releases",
		    STR_ARG(h->release));
	if (x != NULL && str_starts(str_from(x->status), STR("pending-")))
		return "Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in "
		       "progress";
	return needs_refused(r, c);
}

static const char *
other_refused(struct round *r, const struct helm_run *h)
{
	const struct release *x = release_find(r->k, h->release, h->ns);

	if (x == NULL && h->verb == HELM_UNINSTALL && !h->ignore_missing)
		return arena_printf(r->a,
		    "Error: uninstall: Release not loaded: " STR_FMT ": release: not found",
		    STR_ARG(h->release));
	if (x == NULL && h->verb == HELM_ROLLBACK)
		return "Error: release: not found";
	if (x != NULL && h->verb == HELM_ROLLBACK && x->revision < 2)
		return "Error: release has no 0 version";
	return NULL;
}

/* ---- the pod of a Job ---- */

static struct str
pod_name(struct round *r, const struct node *job)
{
	return str_from(
	    arena_printf(r->a, STR_FMT "-%.5s", STR_ARG(node_path_str(job, "metadata.name")),
		str_sub(node_path_str(job, "metadata.uid"), 0, 5).p));
}

static struct node *
pod_new(struct round *r, const struct node *job)
{
	struct str ns = node_path_str(job, "metadata.namespace");
	struct node *p = kube_new(r, "Pod", ns, pod_name(r, job));
	const struct node *labels = node_path(job, "spec.template.metadata.labels");

	for (const struct node *l = node_first(labels); l != NULL; l = l->next)
		node_set_str(
		    r->a, node_make_path(r->a, p, "metadata.labels"), l->key, node_dup(r->a, l));
	kube_label(r, p, "job-name", node_path_str(job, "metadata.name"));
	kube_label(r, p, "batch.kubernetes.io/job-name", node_path_str(job, "metadata.name"));
	kube_label(r, p, "batch.kubernetes.io/controller-uid", node_path_str(job, "metadata.uid"));
	kube_owner(r, p, job);
	node_set(r->a, p, "spec", node_dup(r->a, node_path(job, "spec.template.spec")));
	return p;
}

enum pod_state { POD_RUNNING, POD_WAITING, POD_SUCCEEDED, POD_FAILED };

static void
pod_put(struct round *r, const struct node *job, enum pod_state state, const char *reason,
    const char *message)
{
	static const char *const phases[] = { "Running", "Pending", "Succeeded", "Failed" };
	struct node *p =
	    kube_get(r, "Pod", node_path_str(job, "metadata.namespace"), pod_name(r, job));
	struct node *status = node_map(r->a), *list = node_list(r->a), *cs = node_map(r->a), *st;
	const struct node *c = node_path(job, "spec.template.spec.containers[0]");

	if (p == NULL)
		p = pod_new(r, job);
	node_set_strz(r->a, status, "phase", phases[state]);
	node_set(r->a, status, "startTime", kube_time(r, r->now_ms));
	node_set(r->a, cs, "name", node_dup(r->a, node_find(c, "name")));
	node_set(r->a, cs, "image", node_dup(r->a, node_find(c, "image")));
	node_set_bool(r->a, cs, "ready", state == POD_RUNNING);
	node_set_int(r->a, cs, "restartCount", 0);
	if (state == POD_RUNNING) {
		st = node_make_path(r->a, cs, "state.running");
		node_set(r->a, st, "startedAt", kube_time(r, r->now_ms));
	} else if (state == POD_WAITING) {
		st = node_make_path(r->a, cs, "state.waiting");
		node_set_strz(r->a, st, "reason", reason);
		node_set_strz(r->a, st, "message", message);
	} else {
		st = node_make_path(r->a, cs, "state.terminated");
		node_set_int(r->a, st, "exitCode", state == POD_FAILED ? 1 : 0);
		node_set_strz(r->a, st, "reason", state == POD_FAILED ? "Error" : "Completed");
		if (message != NULL)
			node_set_strz(r->a, st, "message", message);
		node_set(r->a, st, "finishedAt", kube_time(r, r->now_ms));
	}
	node_push(list, cs);
	node_set(r->a, status, "containerStatuses", list);
	node_set(r->a, p, "status", status);
	(void)kube_put(r, "Pod", p, "kubelet");
}

/* ---- the Job's own status ---- */

static void
job_start(struct round *r, struct node *job)
{
	struct node *status = node_make_path(r->a, job, "status");

	node_set(r->a, status, "startTime", kube_time(r, r->now_ms));
	node_set_int(r->a, status, "active", 1);
	node_set_int(r->a, status, "ready", 1);
	(void)kube_put(r, "Job", job, "kube-controller-manager");
}

static void
job_end(struct round *r, struct node *job, const char *failure, const char *reason)
{
	struct node *status = node_make_path(r->a, job, "status");

	node_set_int(r->a, status, "active", 0);
	node_set_int(r->a, status, "ready", 0);
	if (failure == NULL) {
		node_set_int(r->a, status, "succeeded", 1);
		node_set(r->a, status, "completionTime", kube_time(r, r->now_ms));
		kube_condition(r, job, "SuccessCriteriaMet", "True", "CompletionsReached", NULL);
		kube_condition(r, job, "Complete", "True", "CompletionsReached",
		    "Reached expected number of succeeded pods");
		pod_put(r, job, POD_SUCCEEDED, NULL, NULL);
	} else {
		node_set_int(r->a, status, "failed", 1);
		kube_condition(r, job, "FailureTarget", "True", reason, failure);
		kube_condition(r, job, "Failed", "True", reason,
		    str_is(str_from(reason), "DeadlineExceeded")
			? "Job was active longer than specified deadline"
			: "Job has reached the specified backoff limit");
		if (!str_is(str_from(reason), "DeadlineExceeded"))
			pod_put(r, job, POD_FAILED, NULL, failure);
		kube_event(r, job, true, reason, "job-controller", "Job has failed");
	}
	(void)kube_put(r, "Job", job, "kube-controller-manager");
}

static bool
job_is_over(const struct node *job)
{
	return kube_condition_is(job, "Complete", "True") ||
	       kube_condition_is(job, "Failed", "True");
}

/* ---- a helm run ---- */

/* The text of the values file from the mounted ConfigMap, as JSON; NULL when it is not there. */
static const char *
values_read(struct round *r, const struct node *job, const struct helm_run *h)
{
	struct str map = node_path_str(job, "spec.template.spec.volumes[0].configMap.name");
	struct str mount =
	    node_path_str(job, "spec.template.spec.containers[0].volumeMounts[0].mountPath");
	struct node *cm, *docs = NULL;
	struct str file, text;
	struct text json = TEXT_INIT(VALUES_MAX);
	const char *out;

	if (h->values.n == 0)
		return "{}";
	if (!str_starts(h->values, mount) || h->values.n <= mount.n + 1)
		return NULL;
	file = str_sub(h->values, mount.n + 1, h->values.n);
	cm = kube_get(r, "ConfigMap", node_path_str(job, "metadata.namespace"), map);
	text = node_get_str(node_find_str(node_find(cm, "data"), file));
	if (cm == NULL || node_find_str(node_find(cm, "data"), file) == NULL)
		return NULL;
	if (text.n == 0 || !yaml_parse(r->a, text, "values.yaml", &docs, NULL) ||
	    node_count(docs) == 0)
		return text.n == 0 ? "{}" : NULL;
	json_write(&json, node_first(docs), JSON_COMPACT);
	out = arena_dup(r->a, text_get(&json), json.n);
	text_free(&json);
	return out;
}

static double
run_seconds(struct round *r, const struct helm_run *h, const struct chart *c)
{
	const struct fault_setting *slow = fault_keyed(r->k->s->faults, FAULT_CHART_SLOW, h->chart);

	if (h->failure != NULL)
		return QUICK_S;
	if (slow != NULL && (h->verb == HELM_UPGRADE || h->verb == HELM_INSTALL))
		return slow->number;
	if (h->verb == HELM_UNINSTALL || h->verb == HELM_ROLLBACK)
		return UNINSTALL_S;
	return c != NULL ? c->seconds : QUICK_S;
}

static void
helm_begin(struct round *r, struct node *job, struct helm_run *h, const struct chart *c)
{
	const char *values = values_read(r, job, h);
	struct node *facts = node_map(r->a);
	const struct release *x = release_find(r->k, h->release, h->ns);
	bool first = x == NULL;

	if (h->verb == HELM_UPGRADE || h->verb == HELM_INSTALL) {
		if (h->failure == NULL)
			h->failure = install_refused(r, h, c);
		if (h->failure == NULL && values == NULL)
			h->failure = "Error: open values file: no such file or directory";
		if (h->failure == NULL) {
			node_set(r->a, facts, "chart", node_str(r->a, h->chart));
			node_set(r->a, facts, "version", node_str(r->a, h->version));
			node_set_strz(r->a, facts, "values", values);
			(void)release_set(r, h->release, h->ns,
			    first ? "pending-install" : "pending-upgrade", facts);
		}
	} else if (h->failure == NULL) {
		h->failure = other_refused(r, h);
		if (h->failure == NULL && x != NULL && h->verb == HELM_UNINSTALL)
			(void)release_set(r, h->release, h->ns, "uninstalling", NULL);
	}
	if (h->failure != NULL) {
		node_set_strz(r->a, node_make_path(r->a, job, "metadata.annotations"),
		    "simulator/failure", h->failure);
		(void)kube_put(r, "Job", job, "kube-controller-manager");
	}
}

static void
helm_finish(struct round *r, const struct helm_run *h, const struct chart *c)
{
	struct release *x = release_find(r->k, h->release, h->ns);

	switch (h->verb) {
	case HELM_UPGRADE:
	case HELM_INSTALL:
		if (c != NULL)
			chart_install(r, c, h->release, h->ns);
		(void)release_set(r, h->release, h->ns, "deployed", NULL);
		break;
	case HELM_UNINSTALL:
		if (x != NULL) {
			const struct chart *was = chart_find(str_from(x->chart));

			if (was != NULL)
				chart_remove(r, was, h->ns);
			release_drop(r, x);
		}
		break;
	case HELM_ROLLBACK:
		(void)release_set(r, h->release, h->ns, "pending-rollback", NULL);
		(void)release_set(r, h->release, h->ns, "deployed", NULL);
		break;
	case HELM_NONE:
		break;
	}
}

/* Why the pod cannot start: faults of the image, a missing ServiceAccount or ConfigMap. */
static const char *
pod_blocked(
    struct round *r, const struct node *job, const struct helm_run *h, const char **ret_reason)
{
	struct str ns = node_path_str(job, "metadata.namespace");
	struct str account = node_path_str(job, "spec.template.spec.serviceAccountName");
	struct str map = node_path_str(job, "spec.template.spec.volumes[0].configMap.name");
	struct str image = node_path_str(job, "spec.template.spec.containers[0].image");

	if (h->verb != HELM_NONE &&
	    fault_keyed(r->k->s->faults, FAULT_CHART_IMAGE, h->chart) != NULL) {
		*ret_reason = "ImagePullBackOff";
		return arena_printf(r->a, "Back-off pulling image \"" STR_FMT "\"", STR_ARG(image));
	}
	if (account.n > 0 && kube_get(r, "ServiceAccount", ns, account) == NULL) {
		*ret_reason = "CreateContainerConfigError";
		return arena_printf(
		    r->a, "serviceaccount \"" STR_FMT "\" not found", STR_ARG(account));
	}
	if (map.n > 0 && kube_get(r, "ConfigMap", ns, map) == NULL) {
		*ret_reason = "ContainerCreating";
		return arena_printf(r->a, "configmap \"" STR_FMT "\" not found", STR_ARG(map));
	}
	return NULL;
}

static bool
past_deadline(struct round *r, struct node *job, int64_t since_ms)
{
	int64_t limit = node_path_int(job, "spec.activeDeadlineSeconds", 0);

	if (limit <= 0)
		return false;
	if (r->now_ms < since_ms + limit * 1000) {
		round_at(r, since_ms + limit * 1000);
		return false;
	}
	job_end(r, job, "the deadline is over", "DeadlineExceeded");
	return true;
}

/* When the pod's container began; 0 while it has not. */
static int64_t
running_since(struct round *r, const struct node *job)
{
	struct node *pod =
	    kube_get(r, "Pod", node_path_str(job, "metadata.namespace"), pod_name(r, job));

	return kube_time_ms(node_path(pod, "status.containerStatuses[0].state.running.startedAt"));
}

static bool
job_begin(struct round *r, struct node *job, struct helm_run *h, const struct chart *c)
{
	const char *reason = NULL, *blocked = pod_blocked(r, job, h, &reason);

	if (blocked != NULL) {
		pod_put(r, job, POD_WAITING, reason, blocked);
		round_at(r, r->now_ms + 10000);
		return false;
	}
	if (h->verb != HELM_NONE)
		helm_begin(r, job, h, c);
	pod_put(r, job, POD_RUNNING, NULL, NULL);
	return true;
}

static void
job_run(struct round *r, struct node *job)
{
	struct helm_run h = helm_parse(r, job);
	struct str said = node_path_str(job, "metadata.annotations.simulator/failure");
	const struct chart *c;
	double seconds = OTHER_JOB_S;
	int64_t since;

	chart_split(&h);
	c = chart_find(h.chart);
	if (node_path_str(job, "status.startTime").n == 0)
		job_start(r, job); /* the deadline counts from here */
	if (past_deadline(r, job, kube_time_ms(node_path(job, "status.startTime"))))
		return;
	since = running_since(r, job);
	if (since == 0) {
		if (!job_begin(r, job, &h, c))
			return;
		since = r->now_ms;
	} else if (said.n > 0) {
		h.failure = arena_printf(r->a, STR_FMT, STR_ARG(said));
	}
	if (h.verb != HELM_NONE)
		seconds = run_seconds(r, &h, c);
	if (r->now_ms < since + (int64_t)(seconds * 1000)) {
		round_at(r, since + (int64_t)(seconds * 1000));
		return;
	}
	if (h.verb != HELM_NONE && h.failure == NULL)
		helm_finish(r, &h, c);
	job_end(r, job, h.failure, "BackoffLimitExceeded");
}

void
jobs_reconcile(struct round *r)
{
	struct node *jobs = kube_list(r, "Job");

	for (struct node *j = node_first(jobs); j != NULL; j = j->next) {
		if (!job_is_over(j) && node_path_str(j, "metadata.deletionTimestamp").n == 0 &&
		    !node_path_bool(j, "spec.suspend", false))
			job_run(r, j);
	}
}
