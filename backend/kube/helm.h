#ifndef BACKEND_KUBE_HELM_H
#define BACKEND_KUBE_HELM_H

/*
 * Helm without helm: a release is installed by a Job on the workload cluster that runs the helm
 * image, and its result is read from helm's own release Secrets. The Job's name is a hash over
 * everything that the run depends on, so that a crash never runs it twice.
 *
 *   install, upgrade   helm upgrade --install RELEASE CHART ... --values /values/values.yaml
 *   stuck install      helm uninstall RELEASE (a first install that died: cases.md B136)
 *   stuck upgrade      helm rollback RELEASE
 *   remove             helm uninstall RELEASE ... --wait
 *
 * Jobs and their values live in the namespace flightdeck-system, with the label
 * flightdeck.dev/release=RELEASE.
 *
 * Ownership: trees live in the arena. Threads: pure. Not here: requests (helm_release.c).
 */

#include <stdbool.h>

#include "model/base/error.h"
#include "model/node.h"

struct arena;

#define HELM_NAMESPACE	     "flightdeck-system"
#define HELM_IMAGE_DEFAULT   "docker.io/alpine/helm:3.19.0"
#define HELM_LABEL	     "flightdeck.dev/release"
#define HELM_SERVICE_ACCOUNT "flightdeck-helm"

enum helm_action { HELM_UPGRADE, HELM_UNINSTALL, HELM_ROLLBACK };

/* A release as the plan wants it. All borrowed. */
struct helm_release {
	struct str name, chart, repository, version, ns;
	const struct node *values; /* or NULL */
};

/* want of a plan row; false names the missing member. */
bool helm_release_decode(struct str name, const struct node *want, struct helm_release *ret_release,
    struct error *err) MUST_CHECK;

/*
 * The name of the Job of one run: "<release>-<action>-<hash>", at most 63 characters. `revision` is
 * helm's revision that a recovery starts from, 0 for an install or upgrade.
 */
struct str helm_job_name(
    struct arena *a, const struct helm_release *r, enum helm_action action, int64_t revision);
/* The Job, and the ConfigMap of its values (only HELM_UPGRADE has one). NULL without memory. */
struct node *helm_job(struct arena *a, const struct helm_release *r, enum helm_action action,
    int64_t revision, const char *image);
struct node *helm_values(struct arena *a, const struct helm_release *r);
/* Namespace, ServiceAccount and ClusterRoleBinding that the Jobs need: a list of manifests. */
struct node *helm_prerequisites(struct arena *a);

enum helm_status {
	HELM_STATUS_NONE,
	HELM_STATUS_DEPLOYED,
	HELM_STATUS_FAILED,
	HELM_STATUS_PENDING_INSTALL,
	HELM_STATUS_PENDING_UPGRADE,
	HELM_STATUS_PENDING_ROLLBACK,
	HELM_STATUS_UNINSTALLING,
	HELM_STATUS_OTHER, /* superseded as the newest, or a word of a later helm */
};

struct helm_state {
	enum helm_status status;
	int64_t revision; /* newest, 0 when there is none */
	struct str word;  /* helm's own */
};

/* From a list of Secrets: the newest revision of that release in that namespace. */
void helm_state_read(
    const struct node *secrets, struct str release, struct str ns, struct helm_state *ret_state);

enum job_status { JOB_ABSENT, JOB_RUNNING, JOB_COMPLETE, JOB_FAILED };

/* Finds the Job by name in a list and says how it stands; *ret_job may be NULL. */
enum job_status helm_job_status(
    const struct node *jobs, struct str name, const struct node **ret_job);
/* Why its pods do not get on: "ImagePullBackOff: ..." or helm's last words; empty when unknown. */
struct str helm_pod_reason(
    struct arena *a, const struct node *pods, struct str job, struct str *ret_reason);

#endif
