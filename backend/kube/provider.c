#include "backend/kube/provider.h"

#include "backend/kube/session.h"
#include "backend/store/secrets.h"
#include "model/base/mem.h"
#include "model/names.h"

enum { DEADLINE_MS = 30 * 60 * 1000 };

/* clang-format off */
static const struct resource_type types[] = {
	{
		.name = "object", .what = "object", .flags = RES_TOKEN | RES_UNIQUE_NAME,
		.poll_ms = 3000, .deadline_ms = DEADLINE_MS,
		.observe = kube_object_observe, .create = kube_object_create,
		.update = kube_object_create, .remove = kube_object_remove,
	}, {
		.name = "release", .what = "helm release", .flags = RES_TOKEN | RES_UNIQUE_NAME,
		.poll_ms = 5000, .deadline_ms = DEADLINE_MS,
		.observe = helm_release_observe, .create = helm_release_create,
		.update = helm_release_update, .remove = helm_release_remove,
	},
};
/* clang-format on */

struct state {
	bool allow_loopback;
	char *helm_image;
	struct kube_pool *pool;
};

static void *
provider_open(void *context, struct store *st, const struct object *owner, struct arena *a,
    struct str *ret_account, struct error *err)
{
	struct state *state = context;
	struct kube_session *s = mem_new(sizeof(*s));

	if (s == NULL) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory for a session"); /* NULL says it */
		return NULL;
	}
	s->store = st;
	s->owner = owner;
	s->arena = a;
	s->allow_loopback = state->allow_loopback;
	s->pool = state->pool;
	s->helm_image = state->helm_image != NULL ? state->helm_image : HELM_IMAGE_DEFAULT;
	/* Where the kubeconfig comes from is what "the same cluster" means; its server may move. */
	*ret_account = str_from(arena_printf(a, "kube:%s/" STR_FMT "/" STR_FMT, owner->res->kind,
	    STR_ARG(owner->ns), STR_ARG(owner->name)));
	return s;
}

static void
provider_close(void *context UNUSED, void *session)
{
	struct kube_session *s = session;

	if (s == NULL)
		return;
	session_fini(s);
	mem_free(s);
}

static void
provider_free(void *context)
{
	struct state *state = context;

	if (state == NULL)
		return;
	kube_pool_free(state->pool);
	mem_free(state->helm_image);
	mem_free(state);
}

bool
kube_provider_new(
    const struct kube_provider_options *opt, struct provider *ret_provider, struct error *err)
{
	struct state *state = mem_new(sizeof(*state));

	if (state == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a provider");
	state->allow_loopback = opt->allow_loopback;
	state->pool = kube_pool_new();
	if (opt->helm_image != NULL)
		state->helm_image = mem_dupz(opt->helm_image);
	if (state->pool == NULL || (opt->helm_image != NULL && state->helm_image == NULL)) {
		provider_free(state);
		return error_set(err, ERR_NO_MEMORY, "no memory for a provider");
	}
	*ret_provider = (struct provider){
		.name = "kube",
		.types = types,
		.ntypes = ARRAY_LEN(types),
		.state = state,
		.open = provider_open,
		.close = provider_close,
		.free = provider_free,
	};
	return true;
}
