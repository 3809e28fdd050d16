#include "backend/controllers/controller.h"

const struct controller *const controllers[] = {
	&inference_class_controller,
	&inference_cluster_controller,
	&aks_cluster_controller,
	&serving_stack_controller,
	NULL,
};
