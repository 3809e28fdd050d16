/*
 * What only the owner of a profile has: the compose engine with its providers, the controllers,
 * and the API on the profile's socket for other processes.
 */

#include "backend/apiserver/apiserver.h"
#include "backend/backend_int.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backend/controllers/guard.h"
#include "backend/kube/provider.h"
#include "backend/net/server.h"
#include "backend/providers/azure/azure.h"
#include "backend/runtime/log.h"
#include "model/base/mem.h"
#include "model/kinds/inference_cluster.h"
#include "model/kinds/namespace.h"

enum { ADMIT_ARENA_MAX = 16 * 1024 * 1024 };

struct owner {
	struct backend *b; /* borrowed */
	char *installation;
	struct compose *compose;
	void *azure; /* the engine's */
	struct manager *manager;
	struct apiserver *api;
	struct server *server;
	char *socket;
};

/* The same user may do everything; nobody else gets in. */
static enum role
socket_auth(void *context UNUSED, const struct server_request *req, char *user, size_t size)
{
	struct passwd pw, *found = NULL;
	char buf[4096];

	if (req->peer_uid != getuid() && req->peer_uid != 0)
		return ROLE_NONE;
	if (getpwuid_r(req->peer_uid, &pw, buf, sizeof(buf), &found) == 0 && found != NULL)
		(void)snprintf(user, size, "%.64s(%u)", found->pw_name, (unsigned)req->peer_uid);
	else
		(void)snprintf(user, size, "uid-%u", (unsigned)req->peer_uid);
	return ROLE_ADMIN;
}

static bool
config_admit(struct controller_context *cx, const struct resource *res, const struct node *old,
    struct error *err)
{
	struct str names;
	size_t n;

	if (!guard_config(cx, res, node_path_str(old, "metadata.namespace"),
		node_path_str(old, "metadata.name"), &n, &names))
		return true;
	(void)error_set(err, ERR_CONFLICT, "%zu clusters are looked after with it: " STR_FMT, n,
	    STR_ARG(names));
	error_name(err, "InUse");
	error_advise(err, "delete these first: without it they cannot be removed from the cloud");
	return false;
}

/*
 * A cluster that replicas still name is not deleted by anybody (spec/reconcile.md 3.7), nor is a
 * credential's config that clusters need.
 */
static bool
socket_admit(void *context, const struct resource *res, struct arena *a, const struct node *old,
    struct node *value, struct error *err)
{
	struct owner *o = context;
	struct controller_context cx = { .store = o->b->store, .clock = o->b->clock, .arena = a };
	struct str names = STR("");
	size_t n = 0;

	if (old == NULL || value != NULL)
		return true;
	if (res->known != &inference_cluster_kind)
		return config_admit(&cx, res, old, err);
	if (!guard_replicas(&cx, node_path_str(old, "metadata.name"), &n, &names, err))
		return false;
	if (n == 0)
		return true;
	(void)error_set(err, ERR_CONFLICT,
	    "%zu model replicas are scheduled on this cluster: " STR_FMT, n, STR_ARG(names));
	error_name(err, "ReplicasScheduled");
	error_advise(err, "delete their deployments first");
	return false;
}

static bool
namespaces_make(struct backend *b, struct error *err)
{
	static const char *const names[] = { SYSTEM_NAMESPACE, "default" };
	struct arena *a = arena_new(1024UL * 1024);
	struct actor actor = backend_actor(b);
	bool ok = a != NULL || error_set(err, ERR_NO_MEMORY, "no memory");

	for (size_t i = 0; ok && i < ARRAY_LEN(names); i++) {
		struct node *object = node_map(a);
		struct error failed;

		error_clear(&failed);
		node_set_strz(a, object, "apiVersion", "v1");
		node_set_strz(a, object, "kind", "Namespace");
		node_set_strz(a, node_make_path(a, object, "metadata"), "name", names[i]);
		ok = store_create(
		    b->store, resource_of(&namespace_kind), object, &actor, NULL, &failed);
		if (!ok && failed.code == ERR_EXISTS)
			ok = true;
		else if (!ok && err != NULL)
			*err = failed;
	}
	arena_free(a);
	return ok;
}

static bool
engine_start(struct owner *o, struct error *err)
{
	struct backend *b = o->b;
	const struct profile *p = b->profile;
	struct provider providers[2] = { { .name = NULL } };
	struct azure_options azure = {
		.authority = p->azure_authority,
		.arm = p->azure_arm,
		.ca_file = p->ca_file,
		.allow_loopback = p->practice,
		.clock = b->clock,
		.installation = o->installation,
	};
	struct kube_provider_options kube = { .allow_loopback = p->practice,
		.helm_image = p->helm_image };
	struct compose_options opt = {
		.store = b->store,
		.clock = b->clock,
		.installation = o->installation,
		.epoch = embedded_epoch(b->store),
		.providers = providers,
		.nproviders = ARRAY_LEN(providers),
	};

	if (!azure_provider_new(&azure, &providers[0], err))
		return false;
	if (!kube_provider_new(&kube, &providers[1], err)) {
		providers[0].free(providers[0].state);
		return false;
	}
	o->azure = providers[0].state;
	if (compose_new(&opt, &o->compose, err))
		return true;
	providers[0].free(providers[0].state);
	providers[1].free(providers[1].state);
	return false;
}

static bool
controllers_start(struct owner *o, struct error *err)
{
	struct manager_options opt = {
		.store = o->b->store,
		.clock = o->b->clock,
		.compose = o->compose,
		.installation = o->installation,
		.workers = o->b->profile->workers,
	};

	return manager_start(&opt, &o->manager, err);
}

static bool
api_start(struct owner *o, struct error *err)
{
	struct apiserver_options api = {
		.store = o->b->store,
		.clock = o->b->clock,
		.auth = socket_auth,
		.admit = socket_admit,
		.context = o,
		.version = "v1.34.0+flightdeck",
		.validate = true,
		.secrets_readable = false,
	};
	struct server_options server = { .handle = apiserver_handle };

	o->socket = profile_path(o->b->profile, "flightdeck.sock");
	if (o->socket == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a path");
	if (!apiserver_new(&api, &o->api, err))
		return false;
	(void)unlink(o->socket); /* we hold the lock: a socket that is there is a dead owner's */
	server.unix_socket = o->socket;
	server.context = o->api;
	return server_start(&server, &o->server, err);
}

bool
owner_start(struct backend *b, struct owner **ret_owner, struct error *err)
{
	struct owner *o = mem_new(sizeof(*o));
	struct str id;

	if (o == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for an owner");
	o->b = b;
	id = embedded_installation(b->store);
	o->installation = str_dup(id);
	if (o->installation == NULL) {
		mem_free(o);
		return error_set(err, ERR_NO_MEMORY, "no memory for an owner");
	}
	if (!namespaces_make(b, err) || !engine_start(o, err) || !controllers_start(o, err) ||
	    !api_start(o, err)) {
		owner_stop(o);
		return false;
	}
	log_event(
	    LOG_INFO, "owner", "started", "profile=%s pid=%ld", b->profile->name, (long)getpid());
	*ret_owner = o;
	return true;
}

void
owner_stop(struct owner *o)
{
	if (o == NULL)
		return;
	if (o->server != NULL)
		(void)unlink(o->socket);
	server_stop(o->server);
	apiserver_free(o->api);
	manager_stop(o->manager);
	manager_free(o->manager);
	compose_free(o->compose);
	mem_free(o->socket);
	mem_free(o->installation);
	mem_free(o);
}

struct manager *
owner_manager(struct owner *o)
{
	return o->manager;
}

void *
owner_azure(struct owner *o)
{
	return o->azure;
}
