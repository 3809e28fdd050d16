#ifndef BACKEND_BACKEND_INT_H
#define BACKEND_BACKEND_INT_H

/*
 * Inside the backend's facade: what a backend is made of, and the functions that the files of this
 * folder give each other.
 *
 *   backend.c    opening, closing, what kind of backend this is
 *   owner.c      what only the owner of a profile has: engine, controllers, API
 *   objects.c    reading: get, list, watch, with secrets masked
 *   apply.c      manifests in, all or nothing
 *   change.c     scale, taint, untaint, upgrade, delete
 *   describe.c   one object for people
 *   credentials.c kubeconfig and login
 *   successor.c  the next backend, opened beside one that lost its owner
 *   requests.c   the console's queue of requests and replies
 *   snapshot.c   fleet snapshots from the store; observe.c what clusters say
 *
 * Threads: a backend belongs to one thread at a time; the members marked so are locked.
 */

#include <pthread.h>
#include <stdatomic.h>

#include "backend/backend.h"
#include "backend/compose/compose.h"
#include "backend/controllers/manager.h"
#include "backend/runtime/clock.h"
#include "backend/runtime/profile.h"
#include "backend/runtime/thread.h"
#include "backend/store/embedded.h"

enum { REQUEST_ARENA_MAX = 256 * 1024 * 1024, BACKEND_USER_MAX = 128 };

struct owner;
struct requests;
struct snapshots;

struct backend {
	struct profile *profile;
	struct clock *clock;
	struct store *store;
	struct secret_box *box; /* of an embedded store; NULL when attached */
	struct owner *owner;	/* NULL unless we reconcile */
	struct requests *requests;
	struct snapshots *snapshots; /* NULL unless asked for */
	bool attached;		     /* over the owner's socket */
	bool one_look; /* a verb of the command line: its first snapshot is its only one */
	bool read_only;
	char owner_text[160];	   /* "" when we own it */
	struct error cannot_write; /* why we only look, when that is no owner's doing */
	char user[BACKEND_USER_MAX], from[BACKEND_USER_MAX];
	char manager[64];
	int wake[2]; /* a pipe: readable when there is something new */
	atomic_bool woken;
};

struct actor backend_actor(const struct backend *b);
void backend_wake(struct backend *b); /* any thread */
/* ERR_READ_ONLY when this backend must not write. */
bool backend_may_write(const struct backend *b, struct error *err) MUST_CHECK;

/* ---- owner.c ---- */

bool owner_start(struct backend *b, struct owner **ret_owner, struct error *err) MUST_CHECK;
void owner_stop(struct owner *o); /* NULL does nothing */
struct manager *owner_manager(struct owner *o);
void *owner_azure(struct owner *o); /* state of the provider, for checks and choices */

/* ---- objects.c ---- */

/* Values of SECRET fields replaced, in place. */
void object_mask(const struct kind *k, struct arena *a, struct node *object);
/* The kind a person named; false says what is near. */
bool kind_named(const char *word, const struct kind **ret_kind, struct error *err) MUST_CHECK;
/* The namespace to use: the given one, else the default of the kind. */
struct str namespace_for(const struct kind *k, struct str ns);
/* What an object is found by. */
struct object_key {
	const struct kind *kind;
	struct str ns, name; /* ns empty: the default of the kind */
};
bool object_tree(struct backend *b, struct arena *a, struct object_key key,
    struct node **ret_object, struct error *err) MUST_CHECK;

/* ---- apply.c, change.c, describe.c, credentials.c ---- */

const struct node *backend_known(
    void *context, const struct kind *k, struct str ns, struct str name);
struct object_change {
	const struct kind *kind;
	const struct node *old; /* as it was read, with its resourceVersion */
	struct node *object;
	bool dry_run;
};
/* Checks and stores one changed object: conflicts are retried by the caller. */
bool object_store(struct backend *b, struct arena *a, const struct object_change *change,
    struct problems *problems, struct error *err) MUST_CHECK;
bool apply_text(struct backend *b, const struct request *r, struct reply *reply);
bool plan_text(struct backend *b, const struct request *r, struct reply *reply);
bool change_request(struct backend *b, const struct request *r, struct reply *reply);
bool delete_request(struct backend *b, const struct request *r, struct reply *reply);
bool describe_object(struct backend *b, struct arena *a, struct object_key key, struct text *out,
    struct error *err) MUST_CHECK;
bool choices_request(struct backend *b, const struct request *r, struct reply *reply);

/* ---- requests.c ---- */

bool requests_start(struct backend *b, struct requests **ret, struct error *err) MUST_CHECK;
void requests_stop(struct requests *q);
/* Does it on this thread. */
void request_run(struct backend *b, const struct request *r, struct reply *reply);

/* ---- snapshot.c ---- */

bool snapshots_start(struct backend *b, struct snapshots **ret, struct error *err) MUST_CHECK;
void snapshots_stop(struct snapshots *s);
const struct fleet *snapshots_get(struct snapshots *s); /* a reference, NULL before the first */

#endif
