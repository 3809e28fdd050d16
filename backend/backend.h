#ifndef BACKEND_BACKEND_H
#define BACKEND_BACKEND_H

/*
 * The backend as the console and the command line see it: the only header of backend/ that tui/
 * includes. A backend is opened on a profile, either as its owner (store, workers, watchers,
 * snapshot thread, the API on the profile's socket) or attached to the owner that is there.
 *
 * The screen never waits: it reads the newest snapshot (backend_fleet) and submits requests whose
 * replies come back through backend_reply; one descriptor wakes its poll(). The command line uses
 * the blocking calls below.
 *
 * Ownership: backend_close ends all threads within two seconds and frees. Threads: backend_fleet,
 * backend_submit, backend_reply and the blocking calls may be used by any one thread at a time.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/fleet.h"
#include "model/schema.h"
#include "model/validate.h"

enum backend_mode {
	BACKEND_AUTO,	 /* owner if nobody is, else attach, else look read-only */
	BACKEND_OWNER,	 /* owner with controllers, or fail naming the owner */
	BACKEND_CLIENT,	 /* attach if there is an owner; else open the store without controllers */
	BACKEND_OBSERVE, /* never write */
};

struct backend_options {
	const char *profile; /* NULL: FLIGHTDECK_PROFILE, else "default" */
	enum backend_mode mode;
	bool snapshots; /* build fleet snapshots (console; get, tree need them for a moment too) */
	bool read_only; /* refuse every write here */
	const char *manager; /* field manager, NULL for "flightdeck" */
};

struct backend;

bool backend_open(
    const struct backend_options *opt, struct backend **ret_backend, struct error *err) MUST_CHECK;
void backend_close(struct backend *b); /* NULL does nothing */

bool backend_is_owner(const struct backend *b);
/* Somebody's controllers work on the store: ours, or those of the owner we are attached to. */
bool backend_is_attended(const struct backend *b);
bool backend_is_practice(const struct backend *b);
bool backend_read_only(const struct backend *b);
const char *backend_state_dir(const struct backend *b);
/* "owned by pid 123, jo, since 12:03"; "" when we own it. */
const char *backend_owner_text(const struct backend *b);
int64_t backend_now_ms(struct backend *b);     /* wall clock of the profile */
double backend_speed(const struct backend *b); /* of that clock, 1 in real life */

/* Readable when there is a newer snapshot or a reply; reading clears it (backend_woken does). */
int backend_wake_fd(const struct backend *b);
void backend_woken(struct backend *b);

/* The newest snapshot: a reference for the caller; NULL until the first one is there. */
const struct fleet *backend_fleet(struct backend *b);
/* Blocks until the first complete snapshot, at most timeout_ms of real time. */
const struct fleet *backend_fleet_wait(struct backend *b, int timeout_ms, struct error *err);

/* ---- requests of the console: done on a worker, answered later ---- */

enum request_verb {
	REQUEST_APPLY,	  /* text: YAML manifests */
	REQUEST_PLAN,	  /* text: YAML manifests; reply.text: what would be made */
	REQUEST_DELETE,	  /* kind, ns, name; foreground */
	REQUEST_SCALE,	  /* name: cluster, pool; nodes, min, max (-1: leave) */
	REQUEST_TAINT,	  /* name: cluster; text: "key=value:Effect" */
	REQUEST_UNTAINT,  /* name: cluster; text: "key" or "key:Effect" */
	REQUEST_UPGRADE,  /* name: cluster; text: version */
	REQUEST_GET,	  /* kind, ns, name; reply.text: YAML with secrets masked */
	REQUEST_DESCRIBE, /* kind, ns, name; reply.text: as kubectl describe */
	REQUEST_CHOICES,  /* text: provider "AKS"; name: config; ns: location or ""; reply.node */
	REQUEST_RETRY,	  /* kind, ns, name: reconcile now */
	REQUEST__MAX
};

enum { REQUEST_NAME_MAX = 254 };

struct request {
	uint64_t id; /* given by backend_submit */
	enum request_verb verb;
	bool dry_run;
	char kind[64];
	char ns[REQUEST_NAME_MAX];
	char name[REQUEST_NAME_MAX];
	char pool[REQUEST_NAME_MAX];
	int64_t nodes, min, max;
	char *text; /* owned by the request, mem_free */
};

struct reply {
	uint64_t id;
	enum request_verb verb;
	bool ok;
	struct error err;
	char *text;	     /* owned; may be NULL */
	struct arena *arena; /* owned; of node and problems */
	struct node *node;
	struct problems problems; /* of APPLY and PLAN */
};

/*
 * reply.node of REQUEST_CHOICES: a map whose members may each be missing (not known), texts
 * display- clean. Without a config name only `configs` is given; without a location only what is
 * the same everywhere. configs    [{name, type: "ClusterProviderConfig" | "ProviderConfig", ns,
 * ready: bool, message}] locations  [{name, title}] versions   [{version, default: bool, preview:
 * bool}] sizes      [{name, gpus, accelerator, memory, vcpus, family, zones: [..], rdma: bool,
 *                restricted: "" or why it cannot be had}]     sizes with GPUs only; memory is the
 *                machine's, not the GPU's
 *   quotas     [{family, title, used, limit}]                 by the family of a size; vCPUs
 */
struct request *request_new(enum request_verb verb) MUST_CHECK;
void request_free(struct request *r);
/* Takes *take when it returns an id; 0 when the queue is full (then err is filled). */
uint64_t backend_submit(struct backend *b, struct request **take, struct error *err) MUST_CHECK;
/* The oldest reply that waits, or NULL. The caller frees it with reply_free. */
struct reply *backend_reply(struct backend *b);
void reply_free(struct reply *r);
/* The same, blocking: for the command line. Takes *take. The reply is never NULL on true. */
bool backend_call(struct backend *b, struct request **take, struct reply **ret_reply,
    struct error *err) MUST_CHECK;

/* ---- blocking calls of the command line ---- */

struct apply_result {
	struct str object; /* "inferencecluster/aks-eu" */
	const char *done;  /* "created", "configured", "unchanged" */
};

/* Checks the set against the store and applies all of it or nothing. Results live in m's arena. */
bool backend_apply(struct backend *b, struct manifest_set *m, bool dry_run,
    struct apply_result **ret_results, size_t *ret_n, struct error *err) MUST_CHECK;

struct backend_list {
	struct node *items; /* list of objects, secrets masked, in the caller's arena */
	int64_t version;
};

bool backend_list(struct backend *b, struct arena *a, const struct kind *k, struct str ns,
    struct str selector, struct backend_list *ret, struct error *err) MUST_CHECK;
bool backend_get(struct backend *b, struct arena *a, const struct kind *k, struct str ns,
    struct str name, struct node **ret_object, struct error *err) MUST_CHECK;

/* Calls on_change for each object now and then for each change, until it returns false. */
typedef bool backend_change_fn(void *context, bool deleted, const struct node *object);
bool backend_watch(struct backend *b, const struct kind *k, struct str ns, struct str name,
    int timeout_ms, backend_change_fn *on_change, void *context, struct error *err) MUST_CHECK;

/* The kubeconfig of a cluster, with its secrets: for a file or standard output that was asked for.
 */
bool backend_kubeconfig(
    struct backend *b, struct str cluster, struct text *out, struct error *err) MUST_CHECK;

/* Stores a credential: Secret (sealed) and its config, checked against the cloud unless offline. */
bool backend_login(struct backend *b, const char *provider, const char *config_name,
    struct str credential, bool offline, struct error *err) MUST_CHECK;

/* ---- succession: the owner that we were attached to has gone ---- */

struct successor;

/*
 * Opens another backend with these options (borrowed until it is taken) on a thread of its own, and
 * wakes `b` when it is there or has failed. It becomes the owner unless somebody else was quicker.
 */
bool backend_successor_start(struct backend *b, const struct backend_options *opt,
    struct successor **ret_successor, struct error *err) MUST_CHECK;
/* False while it is being opened. Else *take is freed; *ret_backend is NULL when it failed. */
bool backend_successor_take(
    struct successor **take, struct backend **ret_backend, struct error *ret_failed) MUST_CHECK;
/* Waits for the thread and closes what it opened. NULL does nothing. */
void backend_successor_free(struct successor *s);

/* ---- practice: a profile whose clouds are simulated ---- */

struct practice_settings {
	double speed;	  /* of the clock; 0: as the profile has it, else 60 */
	int64_t epoch_ms; /* returned: the clock runs from here */
	char dir[4096];	  /* returned: the profile's directory */
};

/* Makes the profile's directory and decides on its clock, before the simulator is started. */
bool backend_practice_prepare(struct practice_settings *io, struct error *err) MUST_CHECK;
/* Writes profile.yaml: endpoints, trust and clock. `endpoints` is the simulator's ready line. */
bool backend_practice_save(const struct practice_settings *settings, const struct node *endpoints,
    struct error *err) MUST_CHECK;

/* Blocks until stop_fd is readable: the owner without a screen. */
bool backend_run(struct backend *b, int stop_fd, struct error *err) MUST_CHECK;

#endif
