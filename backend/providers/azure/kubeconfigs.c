#include "backend/providers/azure/azure_int.h"

#include "backend/kube/kubeconfig.h"
#include "backend/runtime/clock.h"
#include "model/base/mem.h"
#include "model/kinds/secret.h"
#include "model/stamp.h"

/*
 * The row "admin-kubeconfig" (facts 3.4): the cluster's admin kubeconfig, kept in a Secret beside
 * the owner. Fetched again before its client certificate ends, when the cluster was made anew (and
 * so has another CA), and when somebody removed or emptied the Secret.
 */

#define NOTE_EXPIRES "flightdeck.dev/expires"
#define NOTE_CLUSTER "flightdeck.dev/cluster-uid"
#define NOTE_OWNER   "flightdeck.dev/owner-uid"

enum { SECRET_MAX_BYTES = 2 * KUBECONFIG_MAX_BYTES };

static const int64_t RENEW_BEFORE_MS = (int64_t)14 * 24 * 3600 * 1000;

static const struct actor secret_actor = {
	.manager = "flightdeck-controller", .user = "", .from = ""
};

static struct str
secret_name(const struct step *s)
{
	return s->ext->spec.name;
}

/* Which cluster the kubeconfig is of: another one of the same name has another CA. */
static struct str
cluster_uid(const struct step *s)
{
	const struct external *cluster = step_peer(s, "cluster");
	const struct node *observed = cluster == NULL ? NULL : cluster->spec.observed;
	struct str uid = node_get_str(node_find(observed, "resourceUID"));

	return uid.n > 0 ? uid : node_get_str(node_find(observed, "principalId"));
}

static bool
secret_get_node(struct step *s, struct node **ret_node, struct error *err)
{
	const struct object *o = NULL;
	struct error why = { 0 };
	bool ok;

	*ret_node = NULL;
	if (!store_get(session_of(s)->store, resource_of(&secret_kind), s->owner->ns,
		secret_name(s), &o, &why)) {
		if (why.code == ERR_NOT_FOUND)
			return true;
		if (err != NULL)
			*err = why;
		return false;
	}
	ok = object_node(o, s->arena, ret_node, err);
	object_unref(o);
	return ok;
}

static bool
owned_by_us(const struct step *s, const struct node *secret)
{
	struct str uid =
	    node_get_str(node_find(node_path(secret, "metadata.annotations"), NOTE_OWNER));

	return str_eq(uid, s->owner->uid);
}

enum seen
kubeconfig_observe(struct step *s, struct error *err)
{
	struct node *secret, *notes;
	struct str uid = cluster_uid(s), noted;
	int64_t expires;

	if (!secret_get_node(s, &secret, err))
		return SEEN_UNKNOWN;
	if (secret == NULL)
		return SEEN_ABSENT;
	if (!owned_by_us(s, secret))
		return SEEN_FOREIGN;
	set_id(s, secret_name(s));
	notes = node_path(secret, "metadata.annotations");
	noted = node_get_str(node_find(notes, NOTE_CLUSTER));
	expires = stamp_or_zero(node_get_str(node_find(notes, NOTE_EXPIRES)));
	if (node_get_str(node_find(node_find(secret, "data"), "kubeconfig")).n == 0)
		compare_note(s, false, "the Secret is empty");
	else if (noted.n > 0 && uid.n > 0 && !str_eq(noted, uid))
		compare_note(s, false, "the cluster was made anew");
	else if (expires > 0 && expires - clock_wall_ms(s->clock) < RENEW_BEFORE_MS)
		compare_note(s, false, "its certificate ends soon");
	return compare_drifted(s) ? SEEN_DRIFTED : SEEN_READY;
}

/* ---- fetching ---- */

/* The decoded kubeconfig lies in the arena until it is wiped by the caller. */
static enum outcome
fetch(struct step *s, struct str *ret_bytes, struct error *err)
{
	struct azure_session *az = session_of(s);
	struct str id = arm_cluster_id(az, want_str(s, "group"), want_str(s, "cluster")), coded;
	struct arm_answer answer;

	if (!arm_call(az,
		&(struct arm_request){ .method = "POST",
		    .api = API_AKS,
		    .path = arm_path(az, STR_FMT "/listClusterAdminCredential", STR_ARG(id)) },
		&answer, err))
		/* Nothing is made by asking: a lost answer is asked for again. */
		return answer.outcome == OUTCOME_UNKNOWN ? OUTCOME_NOT_SENT : answer.outcome;
	coded = node_path_str(answer.body, "kubeconfigs[0].value");
	if (coded.n == 0 || !base64_decode(s->arena, coded, ret_bytes) ||
	    ret_bytes->n > KUBECONFIG_MAX_BYTES) {
		(void)error_set(err, ERR_CLOUD, "Azure sent no usable kubeconfig for '" STR_FMT "'",
		    STR_ARG(want_str(s, "cluster")));
		return OUTCOME_NOT_SENT;
	}
	secret_wipe_str(coded);
	return OUTCOME_DONE;
}

static bool
secret_put(struct step *s, struct str bytes, int64_t expires, struct error *err)
{
	struct node *n = node_map(s->arena), *meta, *notes, *old = NULL, *data;
	struct text coded = TEXT_INIT(SECRET_MAX_BYTES);
	struct store *st = session_of(s)->store;
	char stamp[STAMP_MAX];
	bool ok = false;

	if (!secret_get_node(s, &old, err))
		goto out;
	node_set_strz(s->arena, n, "apiVersion", "v1");
	node_set_strz(s->arena, n, "kind", "Secret");
	meta = node_make_path(s->arena, n, "metadata");
	node_set(s->arena, meta, "name", node_str(s->arena, secret_name(s)));
	node_set(s->arena, meta, "namespace", node_str(s->arena, s->owner->ns));
	/*
	 * The owner is noted, not referred to: a cascading delete takes what is referred to at
	 * once, and the serving stack could not be removed without the kubeconfig. The plan removes
	 * it.
	 */
	notes = node_make_path(s->arena, meta, "annotations");
	node_set(s->arena, notes, NOTE_OWNER, node_str(s->arena, s->owner->uid));
	if (expires > 0)
		node_set_strz(s->arena, notes, NOTE_EXPIRES, stamp_format(expires, stamp));
	if (cluster_uid(s).n > 0)
		node_set(s->arena, notes, NOTE_CLUSTER, node_str(s->arena, cluster_uid(s)));
	node_set_strz(s->arena, n, "type", "Opaque");
	text_add_base64(&coded, bytes);
	data = node_str(s->arena, text_str(&coded));
	node_set(s->arena, node_make_path(s->arena, n, "data"), "kubeconfig", data);
	if (!text_ok(&coded, "kubeconfig", err))
		goto out;
	if (old != NULL)
		node_set(s->arena, meta, "resourceVersion",
		    node_str(s->arena, node_path_str(old, "metadata.resourceVersion")));
	ok = old == NULL ? store_create(st, resource_of(&secret_kind), n, &secret_actor, NULL, err)
			 : store_update(st, resource_of(&secret_kind), n, UPDATE_MAIN,
			       &secret_actor, NULL, err);
	if (data != NULL)
		secret_wipe_str(data->u.string);
out:
	if (coded.n > 0)
		secret_wipe(coded.p, coded.n);
	text_free(&coded);
	return ok;
}

enum outcome
kubeconfig_create(struct step *s, struct error *err)
{
	struct kubeconfig *config = NULL;
	struct str bytes = { 0 };
	enum outcome outcome = fetch(s, &bytes, err);

	if (outcome != OUTCOME_DONE)
		return outcome;
	outcome = OUTCOME_NOT_SENT;
	if (!kubeconfig_parse(bytes, (struct str){ 0 }, false, &config, err)) {
		(void)error_wrap(err, "the kubeconfig that Azure sent is not usable");
		goto out;
	}
	if (!secret_put(s, bytes, config->cert_expires_ms, err))
		goto out;
	set_id(s, secret_name(s));
	outcome = OUTCOME_DONE;
out:
	secret_wipe_str(bytes);
	kubeconfig_free(config);
	return outcome;
}

enum outcome
kubeconfig_remove(struct step *s, struct error *err)
{
	struct error why = { 0 };

	if (store_delete(session_of(s)->store, resource_of(&secret_kind), s->owner->ns,
		secret_name(s), &(struct delete_options){ 0 }, &secret_actor, &why) ||
	    why.code == ERR_NOT_FOUND)
		return OUTCOME_DONE;
	if (err != NULL)
		*err = why;
	return OUTCOME_NOT_SENT;
}
