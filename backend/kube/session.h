#ifndef BACKEND_KUBE_SESSION_H
#define BACKEND_KUBE_SESSION_H

/*
 * One owner's access to its workload cluster during one pass: the client is made at the first use,
 * lists are fetched once and shared by all rows. What the rows of provider.c work with.
 *
 * Ownership: session_close frees; trees live in the pass's arena. Threads: one.
 * Failure: a kubeconfig that is missing fails each use with the reason KubeconfigMissing.
 */

#include "backend/compose/compose.h"
#include "backend/kube/client.h"
#include "backend/kube/helm.h"

/*
 * Clients that rest between passes, so that a pass need not begin with a handshake. One that is
 * taken out belongs to the session; what comes back is used again as long as the kubeconfig is the
 * same.
 */
struct kube_pool;
struct kube_pool *kube_pool_new(void) MUST_CHECK;
void kube_pool_free(struct kube_pool *pool);

struct kube_session {
	struct store *store;
	const struct object *owner;
	struct arena *arena;
	bool allow_loopback;
	const char *helm_image;
	struct kube_pool *pool; /* shared by all sessions; may be NULL */
	struct secret *text;	/* the kubeconfig that the client was made of */
	struct kubeconfig *config;
	struct kube_client *client;
	bool failed;
	struct error err;			  /* of the first use, for all later ones */
	const struct node *jobs, *secrets, *pods; /* lists, NULL until fetched */
	bool prerequisites;			  /* were applied in this pass */
};

/* The client; NULL with err filled. */
struct kube_client *session_client(struct kube_session *s, struct error *err);
/* Jobs of ours and helm's release Secrets, in this order: a Job that is complete in the first has
   written the second. */
bool session_releases(struct kube_session *s, struct error *err) MUST_CHECK;
/* After something was written that the lists do not show yet. */
void session_forget_lists(struct kube_session *s);
void session_fini(struct kube_session *s);

/* Any manifest's resource; made in the arena when kube_resource does not know it. */
const struct resource *session_resource(struct arena *a, const struct node *manifest);
/* Applies a manifest; makes its namespace when that is what is missing. */
bool session_apply(
    struct kube_session *s, const struct node *manifest, struct error *err) MUST_CHECK;
/* What a failed acting request means. */
enum outcome session_outcome(const struct error *err);

/* The rows. */
enum seen kube_object_observe(struct step *s, struct error *err);
enum outcome kube_object_create(struct step *s, struct error *err);
enum outcome kube_object_remove(struct step *s, struct error *err);
enum seen helm_release_observe(struct step *s, struct error *err);
enum outcome helm_release_create(struct step *s, struct error *err);
enum outcome helm_release_update(struct step *s, struct error *err);
enum outcome helm_release_remove(struct step *s, struct error *err);

#endif
