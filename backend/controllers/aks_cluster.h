#ifndef BACKEND_CONTROLLERS_AKS_CLUSTER_H
#define BACKEND_CONTROLLERS_AKS_CLUSTER_H

/*
 * AKSCluster: its plan (model/compose/aks.h) is driven by the compose engine; its status says how
 * far that is and what is wrong. The object keeps a finalizer from before the first record until
 * the account that made the resources says that all are gone.
 *
 * Threads, ownership: controller.h. Not here: what InferenceCluster makes of it.
 */

#include "backend/controllers/controller.h"

#define AKS_FINALIZER "flightdeck.dev/external"

extern const struct controller aks_cluster_controller;

#endif
