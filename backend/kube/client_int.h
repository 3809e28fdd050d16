#ifndef BACKEND_KUBE_CLIENT_INT_H
#define BACKEND_KUBE_CLIENT_INT_H

/* What client.c shares with watch.c, remote.c and status.c. */

#include "backend/kube/client.h"

enum {
	KUBE_MAX_ANSWER = 64 * 1024 * 1024,
	KUBE_MAX_PATH = 16 * 1024,
	KUBE_PAGE = 500,
	KUBE_MAX_PAGES = 10000,
	KUBE_TIMEOUT_MS = 30 * 1000,
	KUBE_REACH_MS = 5 * 1000, /* only whether somebody answers */
	KUBE_LIST_TIMEOUT_MS = 60 * 1000,
};

/* Our own API's watch of every kind; Kubernetes has none. */
#define KUBE_WATCH_ALL_PATH "/flightdeck/watch"

struct kube_client {
	struct http_client *http;
	struct kube_options opt; /* config is borrowed; the texts are the two copies below */
	char *unix_socket;	 /* owned */
	char *manager;		 /* owned */
	const char *base;	 /* borrows: URL without a last '/' */
};

/* How a call is made beyond what it asks. All borrowed; NULL for nothing. */
struct kube_actor {
	const char *manager;
	const char *from;
	bool dry_run;
};

struct kube_call {
	const char *method;
	struct str target; /* path and query */
	const char *content_type;
	struct str body;
	const char *from;
	int64_t timeout_ms;
	bool own_connection;
};

/* Sends; an answer below 300 is parsed into the arena, any other becomes the error. */
bool kube_send(struct kube_client *c, struct arena *a, const struct kube_call *call,
    struct node **ret_answer, struct error *err) MUST_CHECK;

/* A client of the same API with a connection of its own. */
bool kube_client_clone(
    const struct kube_client *c, struct kube_client **ret_client, struct error *err) MUST_CHECK;

/* Is that safe as one piece of a path? */
bool kube_name_ok(struct str s, struct error *err) MUST_CHECK;
/* "/apis/group/version/namespaces/ns/plural/name/sub"; empty parts are left out. */
void kube_path(
    struct text *out, const struct resource *res, struct str ns, struct str name, const char *sub);
/* Adds "?key=value" or "&key=value", encoded. */
void kube_query(struct text *out, const char *key, struct str value);

/* The writes, on behalf of an actor (the client's own when a member is NULL). */
struct kube_write {
	const struct node *object;
	enum update_part part;
	bool force; /* of apply */
	struct kube_actor as;
};
bool kube_create_as(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct kube_write *write, struct node **ret_object, struct error *err) MUST_CHECK;
bool kube_update_as(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct kube_write *write, struct node **ret_object, struct error *err) MUST_CHECK;
bool kube_apply_as(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct kube_write *write, struct node **ret_object, struct error *err) MUST_CHECK;
bool kube_delete_as(struct kube_client *c, const struct resource *res, struct str key[2],
    const struct delete_options *opt, const struct kube_actor *as, struct error *err) MUST_CHECK;

/* One page of a list. *ret_next is empty at the end. */
struct kube_page {
	struct node *items;
	int64_t version;
	struct str next;
};
bool kube_list_page(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct list_options *opt, struct kube_page *ret_page, struct error *err) MUST_CHECK;
/* The same as objects: all pages (each read and dropped in turn), or the one page of opt. */
bool kube_list_objects(struct kube_client *c, const struct resource *res,
    const struct list_options *opt, struct object_list *ret_list, struct error *err) MUST_CHECK;
bool kube_list_page_objects(struct kube_client *c, const struct resource *res,
    const struct list_options *opt, struct object_list *ret_list, struct error *err) MUST_CHECK;
void kube_selectors(struct text *target, const struct list_options *opt);

/* The request of a stream: a watch drives the transfer itself (watch.c). */
bool kube_stream_open(struct kube_client *c, struct str target, http_bytes_fn *on_bytes,
    void *context, struct http_response *ret, struct error *err) MUST_CHECK;

/* An answer of 300 or more as an error (status.c). Returns false. */
bool status_to_error(
    const struct http_response *r, const char *method, struct str target, struct error *err);
/* The same for a Status that came as an event; returns its code. */
int status_node_to_error(const struct node *status, struct error *err);

/* resourceVersion as a number; 0 when it is none. */
int64_t node_version(const struct node *object);

/* A watch over a client of its own, which it takes (watch.c). */
bool kube_watch_new(struct kube_client **take, const struct resource *res,
    const struct list_options *opt, int64_t from, struct watch **ret_watch,
    struct error *err) MUST_CHECK;

#endif
