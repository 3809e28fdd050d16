#ifndef BACKEND_SIM_CLUSTER_H
#define BACKEND_SIM_CLUSTER_H

/*
 * The Kubernetes side of every simulated cluster: an embedded store of its own in
 * <dir>/kube-<name>, served by backend/apiserver over TLS on a port of its own with an authority of
 * its own, and the controllers that a cluster would have (nodes, jobs, load balancers, drivers),
 * played by the director's thread (sim.c).
 *
 * Ownership: clusters_free ends all servers. Threads: clusters_kubeconfig and clusters_count from
 * any thread; clusters_step and clusters_sync from the director alone. A lock inside; it may be
 * taken under the arm lock, never the other way round.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"

struct arena;
struct clusters;
struct node;
struct sim;

bool clusters_new(struct sim *s, struct clusters **ret_clusters, struct error *err) MUST_CHECK;
void clusters_free(struct clusters *cs);

/*
 * The kubeconfig of a cluster that serves; `doc` is its document. Starts its API when it does not
 * run yet. `who` is "clusterAdmin" or "clusterUser".
 */
bool clusters_kubeconfig(struct clusters *cs, const struct node *doc, const char *who,
    struct text *out, struct error *err) MUST_CHECK;

/* The cluster of this key, or one of its pools, has changed in the state. Any thread. */
void clusters_touch(struct clusters *cs, struct str key);
/* Starts and ends APIs so that they are those of the state. */
void clusters_sync(struct clusters *cs);
/* One round of the controllers; returns when the next is due (simulated time). */
int64_t clusters_step(struct clusters *cs);

#endif
