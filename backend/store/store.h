#ifndef BACKEND_STORE_STORE_H
#define BACKEND_STORE_STORE_H

/*
 * One interface over every place in which objects can live: the embedded store of a profile
 * (SQLite, one owner), an owner's socket or a Kubernetes API server (backend/kube/remote.h). It has
 * Kubernetes' semantics: optimistic concurrency by resourceVersion, generation bumped by changes of
 * the spec only, status apart, finalizers, owner references with cascading deletion (foreground by
 * default), uid, watch from a version with bookmarks and "gone".
 *
 * Resources are named by struct resource, so that a store can hold kinds that model/kinds does not
 * know (a simulated cluster's nodes and jobs). Defaults, validation and rules are not checked here:
 * apply does that before it writes (backend/store/apply.h).
 *
 * Ownership: an object is a refcounted immutable value (object_ref/object_unref). Calls that hand
 * one out give the caller a reference.
 * Threads: any thread may call (locks inside); a watch belongs to one thread.
 * Failure: nothing stored has changed when a call returns false.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"
#include "model/node.h"
#include "model/schema.h"

/* What identifies a kind on the wire. Constant, or interned by the store for its lifetime. */
struct resource {
	const char *group; /* "" for core */
	const char *version;
	const char *kind;
	const char *plural;
	bool namespaced;
	const struct kind *known; /* our table, or NULL for a kind that only Kubernetes knows */
};

/* Borrowed, lives for ever. NULL never. */
const struct resource *resource_of(const struct kind *k);

/* Immutable, refcounted; fields borrow from the object itself. */
struct object {
	const struct resource *res;
	struct str ns; /* empty for cluster scope */
	struct str name;
	struct str uid;
	int64_t version; /* resourceVersion; in a remote store the number that its text holds */
	int64_t generation;
	int64_t deleted_ms; /* deletionTimestamp, 0 when not deleted */
	struct str json;    /* the whole object, compact */
};

const struct object *object_ref(const struct object *o);
void object_unref(const struct object *o); /* NULL does nothing */
/* Parses the object's JSON. */
bool object_node(
    const struct object *o, struct arena *a, struct node **ret_node, struct error *err) MUST_CHECK;
/* Parses, fills in defaults and decodes into the kind's struct (res->known must be set). */
bool object_decode(
    const struct object *o, struct arena *a, void *ret_struct, struct error *err) MUST_CHECK;

struct object_list {
	const struct object **items; /* sorted by namespace, name; owns a reference each */
	size_t n;
	int64_t version; /* of the whole list: watch from here */
	char *next;	 /* owned continue token, or NULL when complete */
};

void object_list_fini(struct object_list *l);

struct list_options {
	struct str ns;		   /* empty: all namespaces */
	struct str label_selector; /* text, empty for all */
	struct str
	    field_selector; /* metadata.name / metadata.namespace / involvedObject.* =, empty */
	int64_t limit;	    /* 0 for all */
	struct str next;    /* continue token of the page before */
};

enum propagation { PROPAGATE_FOREGROUND, PROPAGATE_BACKGROUND, PROPAGATE_ORPHAN };

struct delete_options {
	enum propagation propagation;
	struct str uid;	 /* precondition, empty for none */
	int64_t version; /* precondition, 0 for none */
	bool dry_run;
};

/* Who writes, for managedFields and the audit. All borrowed for the call. */
struct actor {
	const char *manager; /* field manager: "flightdeck", "flightdeck-controller" ... */
	const char *user;    /* login name and uid */
	const char *from;    /* tty, ssh peer, socket, or "" */
	bool dry_run;
};

enum watch_event_type { WATCH_ADDED, WATCH_MODIFIED, WATCH_DELETED, WATCH_BOOKMARK, WATCH_GONE };

struct watch_event {
	enum watch_event_type type;
	const struct object *object; /* a reference for the caller; NULL for bookmarks and gone */
	int64_t version;
};

struct store;
struct watch;

enum update_part { UPDATE_MAIN, UPDATE_STATUS }; /* main ignores status, status ignores the rest */

/*
 * The operations. `value` trees are whole objects (apiVersion, kind, metadata ...); update needs
 * metadata.resourceVersion unless it is to win over anything. ret_object may be NULL.
 */
struct store_ops {
	bool (*get)(struct store *st, const struct resource *res, struct str ns, struct str name,
	    const struct object **ret_object, struct error *err);
	bool (*list)(struct store *st, const struct resource *res, const struct list_options *opt,
	    struct object_list *ret_list, struct error *err);
	bool (*create)(struct store *st, const struct resource *res, const struct node *value,
	    const struct actor *actor, const struct object **ret_object, struct error *err);
	bool (*update)(struct store *st, const struct resource *res, const struct node *value,
	    enum update_part part, const struct actor *actor, const struct object **ret_object,
	    struct error *err);
	bool (*remove)(struct store *st, const struct resource *res, struct str ns, struct str name,
	    const struct delete_options *opt, const struct actor *actor, struct error *err);
	/* Server-side apply of a partial object; creates when absent. force takes fields over. */
	bool (*apply)(struct store *st, const struct resource *res, const struct node *value,
	    bool force, const struct actor *actor, const struct object **ret_object,
	    struct error *err);
	/* res NULL watches every kind. from 0 means: first the present objects as ADDED. */
	bool (*watch)(struct store *st, const struct resource *res, const struct list_options *opt,
	    int64_t from, struct watch **ret_watch, struct error *err);
	void (*close)(struct store *st);
};

struct store {
	const struct store_ops *ops;
	bool read_only;
};

/* The ways in; each is one line over ops. MUST be used instead of ops. */
bool store_get(struct store *st, const struct resource *res, struct str ns, struct str name,
    const struct object **ret_object, struct error *err) MUST_CHECK;
bool store_list(struct store *st, const struct resource *res, const struct list_options *opt,
    struct object_list *ret_list, struct error *err) MUST_CHECK;
bool store_create(struct store *st, const struct resource *res, const struct node *value,
    const struct actor *actor, const struct object **ret_object, struct error *err) MUST_CHECK;
bool store_update(struct store *st, const struct resource *res, const struct node *value,
    enum update_part part, const struct actor *actor, const struct object **ret_object,
    struct error *err) MUST_CHECK;
bool store_delete(struct store *st, const struct resource *res, struct str ns, struct str name,
    const struct delete_options *opt, const struct actor *actor, struct error *err) MUST_CHECK;
bool store_apply(struct store *st, const struct resource *res, const struct node *value, bool force,
    const struct actor *actor, const struct object **ret_object, struct error *err) MUST_CHECK;
bool store_watch(struct store *st, const struct resource *res, const struct list_options *opt,
    int64_t from, struct watch **ret_watch, struct error *err) MUST_CHECK;
void store_close(struct store *st); /* NULL does nothing */

/*
 * Waits up to timeout_ms of real time for the next event; false with ERR_TIMEOUT when there was
 * none. After WATCH_GONE the caller lists again. watch_wake makes a waiting watch_next return at
 * once with ERR_CANCELED; it is the one call another thread may make.
 */
struct watch_ops {
	bool (*next)(
	    struct watch *w, int timeout_ms, struct watch_event *ret_event, struct error *err);
	void (*wake)(struct watch *w);
	void (*free)(struct watch *w);
};

struct watch {
	const struct watch_ops *ops;
};

bool watch_next(
    struct watch *w, int timeout_ms, struct watch_event *ret_event, struct error *err) MUST_CHECK;
void watch_wake(struct watch *w);
void watch_free(struct watch *w); /* NULL does nothing */

#endif
