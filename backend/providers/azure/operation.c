#include "backend/providers/azure/azure_int.h"

#include "model/base/mem.h"

/*
 * Long-running operations (facts 4.1). While a resource is being made or changed, its own
 * provisioningState says more than the operation and one GET of a cluster serves all its pools, so
 * operations are polled only where they alone know: why something failed, and how a removal goes.
 */

static bool
is_word(struct str s, const char *a, const char *b)
{
	return str_eq_nocase(s, str_from(a)) || str_eq_nocase(s, str_from(b));
}

static enum operation_state
failed(struct step *s, const struct node *body, struct str status, struct error *err)
{
	struct azure_session *az = session_of(s);

	if (node_find(body, "error") != NULL)
		azure_error_from(err, az->arena, 200, body, (struct str){ 0 });
	else
		(void)error_set(err, ERR_CLOUD, "the operation on '" STR_FMT "' ended as " STR_FMT,
		    STR_ARG(s->ext->spec.name), STR_ARG(status));
	s->ext->spec.operation = (struct str){ 0 };
	return OPERATION_FAILED;
}

enum operation_state
operation_poll(struct step *s, struct error *err)
{
	struct azure_session *az = session_of(s);
	struct arm_answer answer;
	struct str status;
	struct error why = { 0 };

	if (!arm_call(az,
		&(struct arm_request){
		    .method = "GET", .path = s->ext->spec.operation, .api = API_OPAQUE },
		&answer, &why)) {
		if (answer.status == 404) { /* forgotten by Azure: the resource itself is asked */
			s->ext->spec.operation = (struct str){ 0 };
			return OPERATION_DONE;
		}
		if (err != NULL)
			*err = why;
		return OPERATION_UNKNOWN;
	}
	s->look_ms = answer.retry_ms > 0 ? answer.retry_ms : s->look_ms;
	status = node_get_str(node_find(answer.body, "status"));
	if (is_word(status, "Failed", "Canceled"))
		return failed(s, answer.body, status, err);
	if (answer.status == 202 || (status.n > 0 && !is_word(status, "Succeeded", "Succeeded"))) {
		if (answer.operation.n > 0 && answer.is_location)
			s->ext->spec.operation =
			    answer.operation; /* a newer address replaces the old */
		return OPERATION_RUNNING;
	}
	s->ext->spec.operation = (struct str){ 0 };
	return OPERATION_DONE;
}

/* Why it is broken: the operation, else the resource, else what was recorded before. */
static void
why_broken(struct step *s, struct str state, const struct node *why, struct error *err)
{
	struct azure_session *az = session_of(s);
	struct error found = { 0 };

	if (s->ext->spec.operation.n > 0 && operation_poll(s, &found) == OPERATION_FAILED) {
		*err = found;
		return;
	}
	s->ext->spec.operation = (struct str){ 0 };
	if (node_find(why, "code") != NULL)
		azure_error_from(err, az->arena, 200, why, (struct str){ 0 });
	else if (!s->ext->spec.error.present)
		(void)error_set(err, ERR_CLOUD, "Azure reports '" STR_FMT "' as " STR_FMT,
		    STR_ARG(s->ext->spec.name), STR_ARG(state));
}

enum seen
state_seen(struct step *s, struct str state, const struct node *why, struct error *err)
{
	if (state.n == 0 || is_word(state, "Succeeded", "Succeeded"))
		return SEEN_READY;
	if (is_word(state, "Failed", "Canceled")) {
		why_broken(s, state, why, err);
		return SEEN_BROKEN;
	}
	s->ext->spec.progress = str_copy(s->arena, state);
	return SEEN_PENDING;
}

enum seen
removal_seen(struct step *s, struct str state, struct error *err)
{
	if (s->ext->spec.operation.n > 0) {
		switch (operation_poll(s, err)) {
		case OPERATION_RUNNING:
			s->ext->spec.progress = STR("Deleting");
			return SEEN_PENDING;
		case OPERATION_FAILED:
			return SEEN_BROKEN;
		case OPERATION_UNKNOWN:
			return SEEN_UNKNOWN;
		case OPERATION_DONE:
			break;
		}
	}
	if (is_word(state, "Deleting", "Deleting")) {
		s->ext->spec.progress = STR("Deleting");
		return SEEN_PENDING;
	}
	return SEEN_READY;
}
