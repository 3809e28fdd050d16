#include "backend/kube/helm.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/names.h"
#include "model/yaml.h"

enum {
	JOB_DEADLINE_S = 1200, /* image pull and a slow chart repository included */
	VALUES_MAX = 512 * 1024,
	PREFIX_MAX = 40, /* of a Job's name; what follows is at most 21 characters */
};

#define VALUES_FILE "values.yaml"

/* ---- what is wanted ---- */

static bool
member(const struct node *want, const char *key, struct str *ret, struct error *err)
{
	*ret = node_get_str(node_find(want, key));
	if (ret->n > 0)
		return true;
	return error_set(err, ERR_INTERNAL, "a release without '%s' cannot be installed", key);
}

bool
helm_release_decode(
    struct str name, const struct node *want, struct helm_release *ret_release, struct error *err)
{
	struct helm_release r = { .name = name, .values = node_find(want, "values") };

	if (!member(want, "chart", &r.chart, err) ||
	    !member(want, "repository", &r.repository, err) ||
	    !member(want, "version", &r.version, err) || !member(want, "namespace", &r.ns, err))
		return false;
	*ret_release = r;
	return true;
}

/* ---- names ---- */

static const char *
action_word(enum helm_action action)
{
	static const char *const words[] = {
		[HELM_UPGRADE] = "install",
		[HELM_UNINSTALL] = "uninstall",
		[HELM_ROLLBACK] = "rollback",
	};

	return words[action];
}

static const char *
zstr(struct arena *a, struct str s)
{
	const char *copy = arena_dup(a, s.n > 0 ? s.p : "", s.n);

	return copy != NULL ? copy : "";
}

static const char *
values_json(struct arena *a, const struct node *values)
{
	struct text text = TEXT_INIT(VALUES_MAX);
	const char *copy;

	if (values == NULL)
		return "";
	json_write(&text, values, JSON_SORTED);
	copy = zstr(a, text_str(&text));
	text_free(&text);
	return copy;
}

struct str
helm_job_name(
    struct arena *a, const struct helm_release *r, enum helm_action action, int64_t revision)
{
	bool install = action == HELM_UPGRADE;
	const char *parts[] = { zstr(a, r->name), zstr(a, r->ns), action_word(action),
		install ? zstr(a, r->chart) : "-", install ? zstr(a, r->repository) : "-",
		install ? zstr(a, r->version) : "-", install ? values_json(a, r->values) : "-",
		zstr(a, str_from(arena_printf(a, "%lld", (long long)revision))), NULL };
	struct str prefix = str_sub(r->name, 0, PREFIX_MAX);
	struct str hash = id8(a, parts);

	return str_from(arena_printf(
	    a, STR_FMT "-%s-" STR_FMT, STR_ARG(prefix), action_word(action), STR_ARG(hash)));
}

/* ---- manifests ---- */

static struct node *
object_new(struct arena *a, const char *api, const char *kind, struct str name, const char *ns)
{
	struct node *object = node_map(a);
	struct node *meta;

	node_set_strz(a, object, "apiVersion", api);
	node_set_strz(a, object, "kind", kind);
	meta = node_make_path(a, object, "metadata");
	node_set(a, meta, "name", node_str(a, name));
	if (ns != NULL)
		node_set_strz(a, meta, "namespace", ns);
	node_set_strz(
	    a, node_make_path(a, meta, "labels"), "app.kubernetes.io/managed-by", "flightdeck");
	return object;
}

static void
label_set(struct arena *a, struct node *object, struct str release)
{
	node_set(a, node_path(object, "metadata.labels"), HELM_LABEL, node_str(a, release));
}

static void
arg(struct arena *a, struct node *args, const char *text)
{
	node_push(args, node_strz(a, text));
}

static void
arg_str(struct arena *a, struct node *args, struct str text)
{
	node_push(args, node_str(a, text));
}

static bool
is_oci(const struct helm_release *r)
{
	return str_starts(r->repository, STR("oci://"));
}

static void
args_upgrade(struct arena *a, struct node *args, const struct helm_release *r)
{
	arg(a, args, "upgrade");
	arg(a, args, "--install");
	arg_str(a, args, r->name);
	if (is_oci(r)) {
		arg_str(a, args,
		    str_from(arena_printf(
			a, STR_FMT "/" STR_FMT, STR_ARG(r->repository), STR_ARG(r->chart))));
	} else {
		arg_str(a, args, r->chart);
		arg(a, args, "--repo");
		arg_str(a, args, r->repository);
	}
	arg(a, args, "--version");
	arg_str(a, args, r->version);
	arg(a, args, "--namespace");
	arg_str(a, args, r->ns);
	arg(a, args, "--create-namespace");
	arg(a, args, "--values");
	arg(a, args, "/values/" VALUES_FILE);
	arg(a, args, "--wait=false");
	arg(a, args, "--history-max=5");
}

static struct node *
args_compose(struct arena *a, const struct helm_release *r, enum helm_action action)
{
	struct node *args = node_list(a);

	switch (action) {
	case HELM_UPGRADE:
		args_upgrade(a, args, r);
		break;
	case HELM_UNINSTALL:
		arg(a, args, "uninstall");
		arg_str(a, args, r->name);
		arg(a, args, "--namespace");
		arg_str(a, args, r->ns);
		arg(a, args, "--ignore-not-found");
		arg(a, args, "--wait");
		break;
	case HELM_ROLLBACK:
		arg(a, args, "rollback");
		arg_str(a, args, r->name);
		arg(a, args, "--namespace");
		arg_str(a, args, r->ns);
		break;
	}
	return args;
}

static void
values_mount(struct arena *a, struct node *pod, struct node *container, struct str config_map)
{
	struct node *volume = node_map(a), *mount = node_map(a), *list = node_list(a);

	node_set_strz(a, volume, "name", "values");
	node_set(a, node_make_path(a, volume, "configMap"), "name", node_str(a, config_map));
	node_push(list, volume);
	node_set(a, pod, "volumes", list);
	node_set_strz(a, mount, "name", "values");
	node_set_strz(a, mount, "mountPath", "/values");
	node_set_bool(a, mount, "readOnly", true);
	list = node_list(a);
	node_push(list, mount);
	node_set(a, container, "volumeMounts", list);
}

struct node *
helm_job(struct arena *a, const struct helm_release *r, enum helm_action action, int64_t revision,
    const char *image)
{
	struct str name = helm_job_name(a, r, action, revision);
	struct node *job = object_new(a, "batch/v1", "Job", name, HELM_NAMESPACE);
	struct node *spec = node_make_path(a, job, "spec");
	struct node *pod = node_make_path(a, spec, "template.spec");
	struct node *container = node_map(a), *list = node_list(a);

	label_set(a, job, r->name);
	node_set_int(a, spec, "backoffLimit", 0);
	node_set_int(a, spec, "activeDeadlineSeconds", JOB_DEADLINE_S);
	node_set(a, node_make_path(a, spec, "template.metadata.labels"), HELM_LABEL,
	    node_str(a, r->name));
	node_set_strz(a, pod, "restartPolicy", "Never");
	node_set_strz(a, pod, "serviceAccountName", HELM_SERVICE_ACCOUNT);
	node_set_strz(a, container, "name", "helm");
	node_set_strz(a, container, "image", image);
	node_push(list, node_strz(a, "helm"));
	node_set(a, container, "command", list);
	node_set(a, container, "args", args_compose(a, r, action));
	/* helm's last words are then in the pod's status: no reading of logs. */
	node_set_strz(a, container, "terminationMessagePolicy", "FallbackToLogsOnError");
	if (action == HELM_UPGRADE)
		values_mount(a, pod, container, name);
	list = node_list(a);
	node_push(list, container);
	node_set(a, pod, "containers", list);
	return arena_failed(a) ? NULL : job;
}

struct node *
helm_values(struct arena *a, const struct helm_release *r)
{
	struct str name = helm_job_name(a, r, HELM_UPGRADE, 0);
	struct node *map = object_new(a, "v1", "ConfigMap", name, HELM_NAMESPACE);
	const char *json = r->values != NULL ? values_json(a, r->values) : "{}";

	label_set(a, map, r->name);
	/* JSON is YAML, and ours is sorted: equal values are equal bytes. */
	node_set_str(a, node_make_path(a, map, "data"), STR(VALUES_FILE), node_strz(a, json));
	return arena_failed(a) ? NULL : map;
}

struct node *
helm_prerequisites(struct arena *a)
{
	struct node *list = node_list(a), *object, *subject, *subjects;

	object = object_new(a, "v1", "Namespace", STR(HELM_NAMESPACE), NULL);
	node_push(list, object);
	object = object_new(a, "v1", "ServiceAccount", STR(HELM_SERVICE_ACCOUNT), HELM_NAMESPACE);
	node_push(list, object);
	object = object_new(a, "rbac.authorization.k8s.io/v1", "ClusterRoleBinding",
	    STR(HELM_SERVICE_ACCOUNT), NULL);
	node_set_strz(
	    a, node_make_path(a, object, "roleRef"), "apiGroup", "rbac.authorization.k8s.io");
	node_set_strz(a, node_path(object, "roleRef"), "kind", "ClusterRole");
	node_set_strz(a, node_path(object, "roleRef"), "name", "cluster-admin");
	subject = node_map(a);
	node_set_strz(a, subject, "kind", "ServiceAccount");
	node_set_strz(a, subject, "name", HELM_SERVICE_ACCOUNT);
	node_set_strz(a, subject, "namespace", HELM_NAMESPACE);
	subjects = node_list(a);
	node_push(subjects, subject);
	node_set(a, object, "subjects", subjects);
	node_push(list, object);
	return arena_failed(a) ? NULL : list;
}

/* ---- what is there ---- */

static enum helm_status
status_of_word(struct str word)
{
	static const struct {
		const char *word;
		enum helm_status status;
	} rows[] = {
		{ "deployed", HELM_STATUS_DEPLOYED },
		{ "failed", HELM_STATUS_FAILED },
		{ "pending-install", HELM_STATUS_PENDING_INSTALL },
		{ "pending-upgrade", HELM_STATUS_PENDING_UPGRADE },
		{ "pending-rollback", HELM_STATUS_PENDING_ROLLBACK },
		{ "uninstalling", HELM_STATUS_UNINSTALLING },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (str_is(word, rows[i].word))
			return rows[i].status;
	return HELM_STATUS_OTHER;
}

void
helm_state_read(
    const struct node *secrets, struct str release, struct str ns, struct helm_state *ret_state)
{
	struct helm_state state = { .status = HELM_STATUS_NONE };

	for (const struct node *s = node_first(secrets); s != NULL; s = s->next) {
		struct node *labels = node_path(s, "metadata.labels");
		int64_t revision;

		if (!str_is(node_get_str(node_find(labels, "owner")), "helm") ||
		    !str_eq(node_get_str(node_find(labels, "name")), release) ||
		    !str_eq(node_path_str(s, "metadata.namespace"), ns) ||
		    !str_to_int(node_get_str(node_find(labels, "version")), &revision) ||
		    revision <= state.revision)
			continue;
		state.revision = revision;
		state.word = node_get_str(node_find(labels, "status"));
		state.status = status_of_word(state.word);
	}
	*ret_state = state;
}

static bool
condition_true(const struct node *object, const char *type)
{
	struct node *conditions = node_path(object, "status.conditions");

	for (const struct node *c = node_first(conditions); c != NULL; c = c->next)
		if (str_is(node_get_str(node_find(c, "type")), type))
			return str_is(node_get_str(node_find(c, "status")), "True");
	return false;
}

enum job_status
helm_job_status(const struct node *jobs, struct str name, const struct node **ret_job)
{
	for (const struct node *j = node_first(jobs); j != NULL; j = j->next) {
		if (!str_eq(node_path_str(j, "metadata.name"), name))
			continue;
		if (ret_job != NULL)
			*ret_job = j;
		if (condition_true(j, "Complete"))
			return JOB_COMPLETE;
		return condition_true(j, "Failed") ? JOB_FAILED : JOB_RUNNING;
	}
	return JOB_ABSENT;
}

static bool
pod_of_job(const struct node *pod, struct str job)
{
	struct node *labels = node_path(pod, "metadata.labels");

	return str_eq(node_get_str(node_find(labels, "batch.kubernetes.io/job-name")), job) ||
	       str_eq(node_get_str(node_find(labels, "job-name")), job);
}

/* What a container waits for or died of; empty when it runs or went well. */
static struct str
container_reason(struct arena *a, const struct node *status, struct str *ret_reason)
{
	struct node *waiting = node_path(status, "state.waiting");
	struct node *ended = node_path(status, "state.terminated");
	const struct node *from = waiting;
	struct str message;

	if (ended != NULL && node_get_int(node_find(ended, "exitCode"), 0) != 0)
		from = ended;
	if (from == NULL)
		return STR("");
	*ret_reason = node_get_str(node_find(from, "reason"));
	message = node_get_str(node_find(from, "message"));
	if (message.n == 0)
		return *ret_reason;
	return str_from(arena_printf(
	    a, STR_FMT ": " STR_FMT, STR_ARG(*ret_reason), STR_ARG(str_trim(message))));
}

struct str
helm_pod_reason(struct arena *a, const struct node *pods, struct str job, struct str *ret_reason)
{
	struct str text = STR("");

	*ret_reason = STR("");
	for (const struct node *p = node_first(pods); p != NULL; p = p->next) {
		struct node *list = node_path(p, "status.containerStatuses");

		if (!pod_of_job(p, job))
			continue;
		for (const struct node *c = node_first(list); c != NULL; c = c->next) {
			struct str reason = STR(""), one = container_reason(a, c, &reason);

			if (one.n == 0 || str_is(reason, "ContainerCreating"))
				continue;
			text = one;
			*ret_reason = reason;
		}
	}
	return text;
}
