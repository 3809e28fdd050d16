/*
 * The row "object" of the provider "kube": one manifest, kept by server-side apply with our field
 * manager. It is compared by what we want: fields that the server or others add are theirs.
 */

#include <string.h>

#include "backend/kube/session.h"
#include "model/base/mem.h"
#include "model/cel/cel.h"
#include "model/json.h"

enum { DRIFT_SHOWN = 4, PATH_MAX_LEN = 200 };

static const struct node *
manifest_of(const struct step *s)
{
	const struct node *manifest;

	if (s->want == NULL)
		return NULL;
	manifest = node_find(s->want->want, "manifest");
	return manifest != NULL ? manifest : s->want->want;
}

/* What was made, in words that can be read back: "apps/v1 Deployment default/web". */
static void
identity_record(struct step *s, const struct node *manifest)
{
	struct str ns = node_path_str(manifest, "metadata.namespace");

	s->ext->spec.external_id =
	    str_from(arena_printf(s->arena, STR_FMT " " STR_FMT " " STR_FMT "%s" STR_FMT,
		STR_ARG(node_get_str(node_find(manifest, "apiVersion"))),
		STR_ARG(node_get_str(node_find(manifest, "kind"))), STR_ARG(ns),
		ns.n > 0 ? "/" : "", STR_ARG(node_path_str(manifest, "metadata.name"))));
	s->ext->spec.scope = ns;
}

/* The identity as a manifest again, for a row that is no longer in the plan. NULL: none recorded.
 */
static struct node *
identity_manifest(struct step *s)
{
	struct str rest = s->ext->spec.external_id, api, kind, ns = STR("");
	struct arena *a = s->arena;
	struct node *manifest, *meta;
	ptrdiff_t slash;

	if (!str_split(&rest, ' ', &api) || !str_split(&rest, ' ', &kind) || rest.n == 0)
		return NULL;
	slash = str_find_char(rest, '/');
	if (slash >= 0) {
		ns = str_sub(rest, 0, (size_t)slash);
		rest = str_sub(rest, (size_t)slash + 1, rest.n);
	}
	manifest = node_map(a);
	node_set(a, manifest, "apiVersion", node_str(a, api));
	node_set(a, manifest, "kind", node_str(a, kind));
	meta = node_make_path(a, manifest, "metadata");
	node_set(a, meta, "name", node_str(a, rest));
	if (ns.n > 0)
		node_set(a, meta, "namespace", node_str(a, ns));
	return manifest;
}

static const struct node *
target_of(struct step *s)
{
	const struct node *manifest = manifest_of(s);

	return manifest != NULL ? manifest : identity_manifest(s);
}

struct differences {
	struct text *out;
	unsigned n;
};

static void
difference_add(struct differences *d, const char *path)
{
	if (d->n < DRIFT_SHOWN) {
		text_add(d->out, d->n > 0 ? "; " : "");
		text_add(d->out, path);
		text_add(d->out, " was changed");
	}
	d->n++;
}

/* Every wanted field must be there; lists are compared by place, as we send them whole. */
static void
compare(struct differences *d, const struct node *want, const struct node *have, const char *path,
    int depth)
{
	char below[PATH_MAX_LEN];
	size_t i = 0;

	if (want->type != NODE_MAP && want->type != NODE_LIST) {
		if (have == NULL || !node_eq(want, have))
			difference_add(d, path);
		return;
	}
	if (have == NULL ? node_count(want) > 0 : have->type != want->type) {
		difference_add(d, path);
		return;
	}
	if (depth > 16)
		return;
	for (const struct node *w = node_first(want); w != NULL; w = w->next, i++) {
		struct text t = TEXT_INIT(PATH_MAX_LEN - 1);
		const struct node *h;

		text_add(&t, path);
		if (want->type == NODE_MAP)
			text_printf(&t, "%s" STR_FMT, path[0] != '\0' ? "." : "", STR_ARG(w->key));
		else
			text_printf(&t, "[%zu]", i);
		memcpy(below, text_get(&t), t.n + 1);
		text_free(&t);
		h = want->type == NODE_MAP ? node_find_str(have, w->key) : node_at(have, i);
		compare(d, w, h, below, depth + 1);
	}
}

static bool
differs(struct step *s, const struct node *want, const struct node *have)
{
	struct differences d = { .out = s->drift };

	compare(&d, want, have, "", 0);
	if (d.n > DRIFT_SHOWN)
		text_printf(s->drift, "; and %u more", d.n - DRIFT_SHOWN);
	return d.n > 0;
}

/* The readiness query of the row; true when it has none. */
static bool
is_ready(struct step *s, const struct node *live, bool *ret_ready, struct error *err)
{
	struct str text = node_get_str(node_find(s->want->want, "readiness"));
	const struct cel_program *program;
	struct cel_var object = { "object", cel_from_node(live) };
	struct error ignored;

	*ret_ready = true;
	if (text.n == 0)
		return true;
	program = cel_compile(s->arena, text, err);
	if (program == NULL)
		return false;
	/* A query over fields that are not there yet fails: that is "not ready". */
	if (cel_eval_bool(program, &object, 1, CEL_COST_RULE, ret_ready, &ignored) != CEL_OK)
		*ret_ready = false;
	return true;
}

/* What the object says about itself, for people: the message of a condition that is not True. */
static struct str
progress_of(const struct node *live)
{
	struct node *conditions = node_path(live, "status.conditions");

	for (const struct node *c = node_first(conditions); c != NULL; c = c->next) {
		struct str message = node_get_str(node_find(c, "message"));

		if (str_is(node_get_str(node_find(c, "status")), "False") && message.n > 0)
			return message;
	}
	return STR("");
}

/*
 * A gateway waits for the address of a Service that its operator makes; why there is none is said
 * in a warning about that Service alone (cases B144). Without such a warning, or the right to see
 * events, nothing.
 */
static struct str
address_trouble(struct step *s)
{
	struct kube_client *client = session_client(s->session, NULL);
	struct list_options opt = { .field_selector = STR("involvedObject.kind=Service") };
	struct node *events = NULL;
	const struct node *newest = NULL;

	if (client == NULL ||
	    !kube_list(client, s->arena, kube_resource("Event"), &opt, &events, NULL, NULL))
		return STR("");
	for (const struct node *e = node_first(events); e != NULL; e = e->next) {
		if (str_is(node_get_str(node_find(e, "type")), "Warning") &&
		    str_cmp(node_get_str(node_find(e, "lastTimestamp")),
			node_get_str(node_find(newest, "lastTimestamp"))) >= 0)
			newest = e;
	}
	return node_get_str(node_find(newest, "message"));
}

static struct str
waiting_text(struct step *s, const struct node *live)
{
	struct str says = progress_of(live), trouble = { 0 };
	const char *both;

	if (str_is(node_path_str(live, "kind"), "Gateway"))
		trouble = address_trouble(s);
	if (trouble.n == 0)
		return str_copy(s->arena, says);
	both = arena_printf(s->arena, STR_FMT "%s" STR_FMT, STR_ARG(says), says.n > 0 ? "; " : "",
	    STR_ARG(trouble));
	return str_from(both != NULL ? both : "");
}

static void
observed_record(struct step *s, const struct node *live)
{
	struct str address = node_path_str(live, "status.addresses[0].value");
	struct node *observed = node_map(s->arena);

	if (address.n > 0)
		node_set(s->arena, observed, "address", node_str(s->arena, address));
	s->ext->spec.observed = observed;
}

static enum seen
judge(struct step *s, const struct node *live, struct error *err)
{
	bool ready;

	if (s->want == NULL)
		return SEEN_READY;
	identity_record(s, manifest_of(s));
	observed_record(s, live);
	if (differs(s, manifest_of(s), live))
		return SEEN_DRIFTED;
	if (!is_ready(s, live, &ready, err))
		return SEEN_UNKNOWN;
	if (ready) {
		s->ext->spec.progress = STR("");
		return SEEN_READY;
	}
	s->ext->spec.progress = waiting_text(s, live);
	return SEEN_PENDING;
}

enum seen
kube_object_observe(struct step *s, struct error *err)
{
	struct kube_session *session = s->session;
	struct kube_client *client = session_client(session, err);
	const struct node *target = target_of(s);
	const struct resource *res;
	struct node *live;
	struct error failed;

	error_clear(&failed);
	if (client == NULL)
		return SEEN_UNKNOWN;
	if (target == NULL)
		return SEEN_ABSENT; /* never made: nothing was recorded */
	res = session_resource(s->arena, target);
	if (res == NULL) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory for a manifest"); /* see below */
		return SEEN_UNKNOWN;
	}
	if (!kube_get(client, s->arena, res, node_path_str(target, "metadata.namespace"),
		node_path_str(target, "metadata.name"), &live, &failed)) {
		if (failed.code == ERR_NOT_FOUND)
			return SEEN_ABSENT;
		if (err != NULL)
			*err = failed;
		return SEEN_UNKNOWN;
	}
	if (node_path_str(live, "metadata.deletionTimestamp").n > 0) {
		s->ext->spec.progress = STR("is being deleted on the cluster");
		return SEEN_PENDING;
	}
	return judge(s, live, err);
}

/* Create and update alike: applying is idempotent. */
enum outcome
kube_object_create(struct step *s, struct error *err)
{
	const struct node *manifest = manifest_of(s);
	bool plain =
	    s->want->want == manifest || node_get_str(node_find(s->want->want, "readiness")).n == 0;
	struct error failed;

	error_clear(&failed);
	identity_record(s, manifest);
	if (session_apply(s->session, manifest, &failed)) {
		s->look_ms = 1000;
		return plain ? OUTCOME_DONE : OUTCOME_STARTED;
	}
	if (err != NULL)
		*err = failed;
	return session_outcome(&failed);
}

enum outcome
kube_object_remove(struct step *s, struct error *err)
{
	struct kube_session *session = s->session;
	struct kube_client *client = session_client(session, err);
	struct delete_options opt = { .propagation = PROPAGATE_BACKGROUND };
	const struct node *target = target_of(s);
	const struct resource *res;
	struct error failed;

	error_clear(&failed);
	if (client == NULL)
		return OUTCOME_NOT_SENT;
	res = target != NULL ? session_resource(s->arena, target) : NULL;
	if (res == NULL)
		return OUTCOME_DONE; /* nothing was recorded, so nothing was made */
	if (kube_delete(client, res, node_path_str(target, "metadata.namespace"),
		node_path_str(target, "metadata.name"), &opt, &failed) ||
	    failed.code == ERR_NOT_FOUND)
		return OUTCOME_DONE;
	if (err != NULL)
		*err = failed;
	return session_outcome(&failed);
}
