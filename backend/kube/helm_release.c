/*
 * The row "release" of the provider "kube". What a release needs next follows from three things:
 * helm's newest release Secret, the Job of exactly the wanted parameters, and whether any Job of
 * the release is running:
 *
 *   a Job is running                      wait
 *   deployed, our Job is complete         at rest
 *   deployed or failed, no Job of ours    other parameters were installed: upgrade
 *   nothing, no Job                       install
 *   pending or uninstalling, no Job runs  an installer died: uninstall a first install, roll an
 *                                         upgrade back; then it is installed again (cases.md B136)
 *   our Job failed                        broken, with the pod's words; removed, then run again
 */

#include <string.h>

#include "backend/kube/session.h"
#include "model/base/mem.h"

/* Everything that is known about one release in one look. */
struct look {
	struct helm_release release;
	struct helm_state state;
	enum job_status job; /* of the wanted parameters; JOB_ABSENT when nothing is wanted */
	struct str job_name;
	struct str running; /* any Job of the release that runs; empty for none */
	struct str failed;  /* a recovery or uninstall Job that failed; empty for none */
};

static bool
is_of_release(const struct node *job, struct str release)
{
	return str_eq(
	    node_get_str(node_find(node_path(job, "metadata.labels"), HELM_LABEL)), release);
}

static bool
look_take(struct step *s, struct look *l, struct error *err)
{
	struct kube_session *session = s->session;
	const struct external_spec *x = &s->ext->spec;

	*l = (struct look){ .job = JOB_ABSENT };
	if (s->want != NULL) {
		if (!helm_release_decode(s->want->name, s->want->want, &l->release, err))
			return false;
		l->job_name = helm_job_name(s->arena, &l->release, HELM_UPGRADE, 0);
	} else {
		l->release = (struct helm_release){ .name = x->name, .ns = x->scope };
	}
	if (!session_releases(session, err))
		return false;
	helm_state_read(session->secrets, l->release.name, l->release.ns, &l->state);
	if (l->job_name.n > 0)
		l->job = helm_job_status(session->jobs, l->job_name, NULL);
	for (const struct node *j = node_first(session->jobs); j != NULL; j = j->next) {
		struct str name = node_path_str(j, "metadata.name");
		enum job_status status = helm_job_status(session->jobs, name, NULL);

		if (!is_of_release(j, l->release.name))
			continue;
		if (status == JOB_RUNNING)
			l->running = name;
		else if (status == JOB_FAILED && !str_eq(name, l->job_name))
			l->failed = name;
	}
	return true;
}

/* The pod's words about a Job, when there are any; looked up only for Jobs in trouble. */
static struct str
pods_say(struct step *s, struct str job, struct str *ret_reason)
{
	struct kube_session *session = s->session;
	struct list_options opt = { .ns = STR(HELM_NAMESPACE), .label_selector = STR(HELM_LABEL) };
	struct node *pods;

	*ret_reason = STR("");
	if (session->pods == NULL) {
		if (session->client == NULL || !kube_list(session->client, s->arena,
						   kube_resource("Pod"), &opt, &pods, NULL, NULL))
			return STR("");
		session->pods = pods;
	}
	return helm_pod_reason(s->arena, session->pods, job, ret_reason);
}

static enum seen
broken(struct step *s, struct str job, const char *what, struct error *err)
{
	struct str reason, words = pods_say(s, job, &reason);

	(void)error_set(err, ERR_CLOUD, "%s of release '" STR_FMT "' failed%s" STR_FMT, what,
	    STR_ARG(s->ext->spec.name), words.n > 0 ? ": " : "", STR_ARG(words)); /* seen says it */
	error_name(err, "HelmFailed");
	error_advise(err, "it is tried again by itself, more and more slowly; correct the chart, "
			  "its values or the cluster's way to the registry");
	return SEEN_BROKEN;
}

static enum seen
running(struct step *s, const struct look *l)
{
	struct str reason, words = pods_say(s, l->running, &reason);

	s->ext->spec.progress = words.n > 0
				    ? words
				    : str_from(arena_printf(s->arena,
					  "helm is running: Job " STR_FMT, STR_ARG(l->running)));
	/* An installer that never began may be stopped when the release is to go. */
	if (s->owner->deleted_ms != 0 && words.n > 0 && l->state.status == HELM_STATUS_NONE)
		return SEEN_BROKEN;
	return SEEN_PENDING;
}

static enum seen
judge_settled(struct step *s, const struct look *l, struct error *err)
{
	if (l->job == JOB_FAILED)
		return broken(s, l->job_name, "the installation", err);
	if (l->state.status == HELM_STATUS_DEPLOYED &&
	    (s->want == NULL || l->job == JOB_COMPLETE)) {
		s->ext->spec.progress = STR("");
		return SEEN_READY;
	}
	text_printf(s->drift, "revision %lld of helm is " STR_FMT ", not of the wanted parameters",
	    (long long)l->state.revision, STR_ARG(l->state.word));
	return SEEN_DRIFTED;
}

static enum seen
judge_stuck(struct step *s, const struct look *l, struct error *err)
{
	if (l->failed.n > 0)
		return broken(s, l->failed, "the recovery", err);
	(void)error_set(err, ERR_CLOUD,
	    "release '" STR_FMT "' is " STR_FMT " and no installer runs: it was interrupted",
	    STR_ARG(l->release.name), STR_ARG(l->state.word)); /* SEEN_BROKEN says it */
	error_name(err, "HelmInterrupted");
	error_advise(err, "none: it is released and installed again by itself");
	return SEEN_BROKEN;
}

static enum seen
judge(struct step *s, const struct look *l, struct error *err)
{
	if (l->running.n > 0)
		return running(s, l);
	switch (l->state.status) {
	case HELM_STATUS_NONE:
		if (l->job == JOB_FAILED && s->owner->deleted_ms == 0)
			return broken(s, l->job_name, "the installation", err);
		return SEEN_ABSENT;
	case HELM_STATUS_DEPLOYED:
	case HELM_STATUS_FAILED:
	case HELM_STATUS_OTHER:
		if (l->failed.n > 0 && s->owner->deleted_ms != 0)
			return broken(s, l->failed, "the removal", err);
		return judge_settled(s, l, err);
	case HELM_STATUS_PENDING_INSTALL:
	case HELM_STATUS_PENDING_UPGRADE:
	case HELM_STATUS_PENDING_ROLLBACK:
	case HELM_STATUS_UNINSTALLING:
		break;
	}
	return judge_stuck(s, l, err);
}

enum seen
helm_release_observe(struct step *s, struct error *err)
{
	struct look l;

	if (!look_take(s, &l, err))
		return SEEN_UNKNOWN;
	if (s->want != NULL) {
		s->ext->spec.scope = l.release.ns;
		s->ext->spec.version = s->want->version;
	}
	if (l.state.revision > 0)
		s->ext->spec.external_id = str_from(arena_printf(s->arena,
		    "sh.helm.release.v1." STR_FMT ".v%lld in " STR_FMT, STR_ARG(l.release.name),
		    (long long)l.state.revision, STR_ARG(l.release.ns)));
	return judge(s, &l, err);
}

/* ---- acting ---- */

static bool
job_delete(struct kube_session *session, struct str name, struct error *err)
{
	struct delete_options opt = { .propagation = PROPAGATE_BACKGROUND };
	struct error failed;

	error_clear(&failed);
	session_forget_lists(session);
	if (kube_delete(
		session->client, kube_resource("Job"), STR(HELM_NAMESPACE), name, &opt, &failed) ||
	    failed.code == ERR_NOT_FOUND) {
		error_clear(&failed);
		if (kube_delete(session->client, kube_resource("ConfigMap"), STR(HELM_NAMESPACE),
			name, &opt, &failed) ||
		    failed.code == ERR_NOT_FOUND)
			return true;
	}
	if (err != NULL)
		*err = failed;
	return false;
}

/* Jobs of the release that have ended, with their values; `keep` stays. */
static bool
jobs_clean(struct step *s, const struct look *l, struct str keep, struct error *err)
{
	struct kube_session *session = s->session;
	const struct node *jobs = session->jobs;

	for (const struct node *j = node_first(jobs); j != NULL; j = j->next) {
		struct str name = node_path_str(j, "metadata.name");

		if (!is_of_release(j, l->release.name) || str_eq(name, keep) ||
		    helm_job_status(jobs, name, NULL) == JOB_RUNNING)
			continue;
		if (!job_delete(session, name, err))
			return false;
	}
	return true;
}

static bool
prerequisites(struct kube_session *session, struct error *err)
{
	struct node *list = helm_prerequisites(session->arena);

	if (session->prerequisites)
		return true;
	if (list == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a helm job");
	for (const struct node *m = node_first(list); m != NULL; m = m->next)
		if (!session_apply(session, m, err))
			return error_wrap(err, "cannot prepare the cluster for helm");
	session->prerequisites = true;
	return true;
}

static bool
job_create(struct step *s, const struct look *l, enum helm_action action, struct error *err)
{
	struct kube_session *session = s->session;
	int64_t revision = action == HELM_UPGRADE ? 0 : l->state.revision;
	struct node *job = helm_job(s->arena, &l->release, action, revision, session->helm_image);
	struct node *values = action == HELM_UPGRADE ? helm_values(s->arena, &l->release) : NULL;
	struct error failed;

	error_clear(&failed);
	if (job == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a helm job");
	if (!prerequisites(session, err))
		return false;
	if (values != NULL && !session_apply(session, values, err))
		return false;
	if (kube_create(session->client, s->arena, kube_resource("Job"), job, NULL, &failed) ||
	    failed.code == ERR_EXISTS)
		return true; /* the same name is the same run: it is there already */
	if (err != NULL)
		*err = failed;
	return false;
}

static enum outcome
started(struct step *s, bool ok, const struct error *err)
{
	s->look_ms = 2000;
	return ok ? OUTCOME_STARTED : session_outcome(err);
}

static enum outcome
run_install(struct step *s, const struct look *l, struct error *err)
{
	bool ok;

	if (l->job != JOB_ABSENT) /* it has ended: the next look finds it gone and runs it anew */
		ok = job_delete(s->session, l->job_name, err);
	else
		ok = jobs_clean(s, l, l->job_name, err) && job_create(s, l, HELM_UPGRADE, err);
	return started(s, ok, err);
}

static enum outcome
run_once(struct step *s, const struct look *l, enum helm_action action, struct error *err)
{
	bool ok;

	if (l->failed.n > 0)
		ok = job_delete(s->session, l->failed, err);
	else
		ok = job_create(s, l, action, err);
	return started(s, ok, err);
}

static enum outcome
act(struct step *s, enum outcome (*run)(struct step *, const struct look *, struct error *),
    struct error *err)
{
	struct error failed;
	struct look l;
	enum outcome outcome;

	error_clear(&failed);
	if (!look_take(s, &l, &failed))
		outcome = OUTCOME_NOT_SENT;
	else
		outcome = run(s, &l, &failed);
	if (err != NULL && outcome != OUTCOME_DONE && outcome != OUTCOME_STARTED)
		*err = failed;
	return outcome;
}

static enum outcome
keep(struct step *s, const struct look *l, struct error *err)
{
	s->ext->spec.scope = l->release.ns;
	if (l->running.n > 0)
		return OUTCOME_STARTED;
	switch (l->state.status) {
	case HELM_STATUS_PENDING_INSTALL:
	case HELM_STATUS_UNINSTALLING:
		return run_once(s, l, HELM_UNINSTALL, err);
	case HELM_STATUS_PENDING_UPGRADE:
	case HELM_STATUS_PENDING_ROLLBACK:
		return run_once(s, l, HELM_ROLLBACK, err);
	case HELM_STATUS_NONE:
	case HELM_STATUS_DEPLOYED:
	case HELM_STATUS_FAILED:
	case HELM_STATUS_OTHER:
		break;
	}
	return run_install(s, l, err);
}

enum outcome
helm_release_create(struct step *s, struct error *err)
{
	return act(s, keep, err);
}

enum outcome
helm_release_update(struct step *s, struct error *err)
{
	return act(s, keep, err);
}

/* The installation's Jobs go with it; an uninstall of an absent release needs no run. */
static enum outcome
drop(struct step *s, const struct look *l, struct error *err)
{
	struct str none = STR("");

	if (l->state.status == HELM_STATUS_NONE && l->running.n > 0)
		return started(s, job_delete(s->session, l->running, err), err);
	if (l->running.n > 0)
		return OUTCOME_STARTED;
	if (l->state.status == HELM_STATUS_NONE)
		return jobs_clean(s, l, none, err) ? OUTCOME_DONE : session_outcome(err);
	if (!jobs_clean(s, l, none, err))
		return session_outcome(err);
	return started(s, job_create(s, l, HELM_UNINSTALL, err), err);
}

enum outcome
helm_release_remove(struct step *s, struct error *err)
{
	return act(s, drop, err);
}
