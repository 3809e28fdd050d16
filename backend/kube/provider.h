#ifndef BACKEND_KUBE_PROVIDER_H
#define BACKEND_KUBE_PROVIDER_H

/*
 * The provider "kube" of the compose engine: what is kept on a workload cluster.
 *
 *   type "object"   one manifest, by server-side apply. want = the manifest itself, or
 *                   {manifest: {...}, readiness: "CEL over object"}. Ready when it is there, or
 *                   when the query is true.
 *   type "release"  one helm release, by a Job on that cluster (helm.h). want = {chart, repository,
 *                   version, namespace, values}; the row's name is the release's.
 *
 * The cluster is reached with the kubeconfig of the owner: a ServingStack names it in
 * spec.secrets; a provider cluster in status.secrets, else it is child_name(name, "kubeconfig"),
 * key "kubeconfig", in the owner's namespace. A Secret that is absent or empty leaves every row
 * unknown with the reason KubeconfigMissing; nothing is ever taken for gone because of it.
 *
 * Ownership: the caller frees through compose_free. Threads: sessions are apart; state is constant.
 */

#include "backend/compose/compose.h"
#include "backend/kube/client.h"

struct kube_provider_options {
	bool allow_loopback;	/* practice */
	const char *helm_image; /* NULL for HELM_IMAGE_DEFAULT */
};

bool kube_provider_new(const struct kube_provider_options *opt, struct provider *ret_provider,
    struct error *err) MUST_CHECK;

/* The kubeconfig text of such an owner, as a secret of the caller. */
struct secret;
bool kube_owner_kubeconfig(struct store *st, const struct object *owner, struct secret **ret_secret,
    struct error *err) MUST_CHECK;

#endif
