#ifndef BACKEND_SIM_CLUSTER_INT_H
#define BACKEND_SIM_CLUSTER_INT_H

/*
 * One simulated cluster from inside. `view` is what resource manager knows of it, read anew when
 * that changes; the director alone touches it. The store is the cluster's etcd.
 */

#include <pthread.h>
#include <stdatomic.h>

#include "backend/apiserver/apiserver.h"
#include "backend/net/server.h"
#include "backend/sim/catalog.h"
#include "backend/sim/cluster.h"
#include "backend/sim/sim_int.h"
#include "backend/sim/tls.h"
#include "backend/store/embedded.h"
#include "model/base/mem.h"
#include "model/node.h"

enum { KUBE_ARENA = 64 * 1024 * 1024, KUBE_TOKEN = 64 };

struct kube_cluster {
	struct kube_cluster *next;
	struct sim *s;
	char *key;   /* "group/cluster", as in the state */
	char *name;  /* for the ledger and the kubeconfig */
	char *group; /* resource group */
	char *uid;   /* resourceUID: another cluster of the same name is another one */
	char *dir;   /* of its store and credentials */
	struct store *store;
	struct apiserver *api;
	struct server *server;
	struct keypair ca, tls, admin;
	char token[KUBE_TOKEN];
	unsigned short port;
	_Atomic bool dirty;   /* somebody wrote to it */
	_Atomic bool stopped; /* powerState Stopped: it does not answer */
	int64_t due_ms;	      /* when its controllers have work next; director only */
	struct arena *view_arena;
	struct node *cluster;	   /* its document; director only */
	struct node *pools;	   /* list of pool documents; director only */
	struct releases *releases; /* what helm would know; director only */
};

/* Borrowed by the director (and tests): lives until the cluster is retired. NULL when it does not
 * serve. */
struct kube_cluster *clusters_find(struct clusters *cs, struct str key);

/* ---- cluster_objects.c: the store, in the arena of a round ---- */
struct round {
	struct kube_cluster *k;
	struct arena *a;
	int64_t now_ms;
	int64_t next_ms; /* earliest moment at which there is something to do */
};

void round_at(struct round *r, int64_t when_ms); /* come back then */
const struct resource *kube_kind(struct kube_cluster *k, const char *kind);
struct node *kube_get(struct round *r, const char *kind, struct str ns, struct str name);
struct node *kube_list(struct round *r, const char *kind); /* list node, all namespaces */
/* Creates, or replaces when it differs. The tree is a whole object. */
bool kube_put(struct round *r, const char *kind, struct node *object, const char *manager);
bool kube_remove(struct round *r, const char *kind, struct str ns, struct str name);
/* apiVersion, kind, metadata.name and, unless NULL, namespace. */
struct node *kube_new(struct round *r, const char *kind, struct str ns, struct str name);
void kube_label(struct round *r, struct node *object, const char *key, struct str value);
void kube_owner(struct round *r, struct node *object, const struct node *owner);
/* Sets or replaces a condition; keeps lastTransitionTime when the status stays. */
void kube_condition(struct round *r, struct node *object, const char *type, const char *status,
    const char *reason, const char *message);
bool kube_condition_is(const struct node *object, const char *type, const char *status);
struct node *kube_time(struct round *r, int64_t wall_ms); /* a string node */
int64_t kube_time_ms(const struct node *text);		  /* 0 for other text */
void kube_event(struct round *r, const struct node *about, bool warning, const char *reason,
    const char *component, const char *message);
bool node_tolerates(const struct node *tolerations, const struct node *taints);

/* ---- the controllers: one function each, run in order by clusters_step ---- */
void nodes_reconcile(struct round *r);	     /* cluster_nodes.c */
void jobs_reconcile(struct round *r);	     /* cluster_jobs.c */
void releases_reconcile(struct round *r);    /* cluster_releases.c: what charts made */
void devices_reconcile(struct round *r);     /* cluster_devices.c: NFD labels, slices */
void workload_reconcile(struct round *r);    /* cluster_workload.c: claims of --workload */
void claims_reconcile(struct round *r);	     /* cluster_claims.c: ResourceClaims get devices */
void gateways_reconcile(struct round *r);    /* cluster_net.c */
void volumes_reconcile(struct round *r);     /* cluster_net.c */
void definitions_reconcile(struct round *r); /* cluster_net.c: CRDs, namespaces going */

/* Asks for the removal of everything of a definition's kind; true while something is left. */
bool definition_drain(struct round *r, const struct node *crd);
/* What every cluster has at its start: namespaces, storage classes. */
void cluster_furnish(struct round *r);

/* ---- releases: what helm would know (cluster_releases.c) ---- */
struct release {
	char *name, *ns, *chart, *version;
	int64_t revision;
	char *status;  /* "deployed", "pending-install", ... */
	char *values;  /* JSON text */
	int64_t at_ms; /* of the last change */
};

struct releases {
	struct release *items;
	size_t n, cap;
};

struct release *release_find(struct kube_cluster *k, struct str name, struct str ns);
struct release *release_of_chart(struct kube_cluster *k, const char *chart); /* deployed ones */
/* Sets and records: the release Secret of helm, superseding older revisions. */
bool release_set(
    struct round *r, struct str name, struct str ns, const char *status, const struct node *facts);
void release_drop(struct round *r, struct release *x);
bool releases_load(struct kube_cluster *k, struct error *err);
void releases_free(struct releases *rs);
/* A value of the release's values, by dotted path; NULL when absent. */
const struct node *release_value(struct round *r, const struct release *rel, const char *path);

/* ---- charts (cluster_charts.c) ---- */
struct chart_workload {
	const char *kind; /* "Deployment", "DaemonSet", "StatefulSet" */
	const char *name;
	const char *tolerations; /* where the values have them, or NULL */
	bool gpu;		 /* tolerates GPU nodes when the values say nothing */
};

struct chart_crd {
	const char *group, *version, *kind, *plural;
	bool namespaced;
};

enum chart_flags { CHART_CRDS_STAY = 1 << 0 /* they survive an uninstall */ };

struct chart {
	const char *name;
	const char *repository; /* where it is to be had */
	const char *needs[2];	/* charts whose definitions it uses */
	double seconds;		/* of its helm job */
	unsigned flags;
	const struct chart_workload *workloads;
	size_t nworkloads;
	const struct chart_crd *crds;
	size_t ncrds;
};

/* What the pods of a workload tolerate by the values of its release. */
struct node *release_tolerations(
    struct round *r, const struct release *rel, const char *path, bool gpu_by_default);
const struct chart *chart_find(struct str name);
void chart_install(struct round *r, const struct chart *c, struct str release, struct str ns);
void chart_remove(struct round *r, const struct chart *c, struct str ns);

#endif
