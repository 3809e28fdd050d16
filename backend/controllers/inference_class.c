/*
 * InferenceClass (spec/reconcile.md 18): no children; a class that passed validation is available.
 */

#include "model/kinds/inference_class.h"
#include "backend/controllers/object.h"

static bool
class_reconcile(struct controller_context *cx, const struct object *object,
    struct reconcile_result *ret UNUSED, struct error *err)
{
	struct node *status;

	if (object->deleted_ms != 0)
		return true;
	status = status_begin(cx, object, err);
	if (status == NULL)
		return false;
	status_condition(cx, status, CONDITION_TRUE, "Accepted", "Available", "%s", "");
	status_condition(cx, status, CONDITION_TRUE, "Synced", "ReconcileSuccess", "%s", "");
	status_condition(cx, status, CONDITION_TRUE, "Ready", "Available", "%s", "");
	return status_save(cx, object, status, err);
}

const struct controller inference_class_controller = {
	.name = "inferenceclass",
	.kind = &inference_class_kind,
	.reconcile = class_reconcile,
};
