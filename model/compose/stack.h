#ifndef MODEL_COMPOSE_STACK_H
#define MODEL_COMPOSE_STACK_H

/*
 * The plan of one ServingStack (spec/reconcile.md 10): helm releases and objects on the workload
 * cluster, for the Standard and the Dynamo layer. Rows are of provider "kube" (backend/kube/
 * provider.h): type "release" wants {chart, repository, version, namespace, values, labels}, type
 * "object" wants {manifest, readiness, labels}.
 *
 *   envoy-gateway ─► gateway-proxy, gateway-class ─► gateway      (deleted in the other direction)
 *   ai-gateway-crds ─► ai-gateway        dra-driver ─► its quota        kai-scheduler ─► queues
 *
 * The custom resource definitions are our own and open (any field is kept): the names, versions and
 * short names are those of the projects, the schemas are not copied.
 *
 * Ownership: everything lives in the plan's arena. Threads: pure.
 */

#include "model/compose/plan.h"
#include "model/kinds/serving_stack.h"

#define STACK_KEY_GATEWAY    "gateway"
#define STACK_GATEWAY_NAME   "inference-gateway"
#define STACK_GATEWAY_NS     "modelplane-system"
#define STACK_RESOURCE_LABEL "modelplane.ai/resource"

/* Fills *p, which plan_init has prepared, and checks it. */
bool stack_plan(const struct serving_stack *s, struct plan *p, struct error *err) MUST_CHECK;

/* The name of both provider configs of the stack's target (10.1). */
struct str stack_config_name(struct arena *a, struct str stack_name);

#endif
