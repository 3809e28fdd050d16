#ifndef MODEL_COMPOSE_AKS_H
#define MODEL_COMPOSE_AKS_H

/*
 * The plan of one AKSCluster (spec/reconcile.md 4): what Azure and the new cluster are to hold.
 *
 * Rows, in the order of creation:
 *   resource-group ─► virtual-network (its subnet inline) ─► cluster (the system pool inline)
 *   cluster ─► role-assignment, nodepool-<pool> ..., kubeconfig
 *   kubeconfig ─► storage-class-rwx-fs, release-network-operator (when a pool wants InfiniBand)
 *
 * `want` of an Azure row holds what the row's functions need and, under "body", the request's body
 * in Azure's own shape, without what only an account knows (ids, tags):
 *   resource-group   {body}
 *   virtual-network  {group, body}
 *   managed-cluster  {group, network, subnet, body}
 *   role-assignment  {group, network, subnet, role}
 *   agent-pool       {group, cluster, network, subnet, body}
 *   admin-kubeconfig {group, cluster, secret:{namespace,name,key}}
 * `want` of a row on the cluster (backend/kube/provider.h; it finds the kubeconfig by the owner):
 *   object   {manifest}
 *   release  {chart, repository, version, namespace, values}
 *
 * A System-role pool called "system" stands in for the one that is otherwise injected.
 *
 * Ownership: everything lives in the plan's arena. Threads: pure.
 */

#include "model/compose/plan.h"
#include "model/kinds/aks_cluster.h"

/* Fills *p, which plan_init has prepared, and checks it. */
bool aks_plan(const struct aks_cluster *c, struct plan *p, struct error *err) MUST_CHECK;

/* Names of reconcile 4.1: cluster, resource group and DNS prefix; and the kubeconfig Secret. */
struct str aks_cloud_name(struct arena *a, const struct aks_cluster *c);
struct str aks_kubeconfig_name(struct arena *a, struct str cluster_name);

/* status.secrets and status.cache, which are known from the first pass on (reconcile 4.7). */
void aks_status(struct arena *a, const struct aks_cluster *c, struct node *status);

/* Shown and looked up elsewhere; each stands once. */
#define AKS_KEY_GROUP	   "resource-group"
#define AKS_KEY_NETWORK	   "virtual-network"
#define AKS_KEY_CLUSTER	   "cluster"
#define AKS_KEY_KUBECONFIG "kubeconfig"
#define AKS_STORAGE_CLASS  "modelplane-rwx-fs"
#define AKS_SECRET_KEY	   "kubeconfig"

#endif
