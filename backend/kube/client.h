#ifndef BACKEND_KUBE_CLIENT_H
#define BACKEND_KUBE_CLIENT_H

/*
 * A client of one Kubernetes API: list (pages), get, watch (bookmarks, 410), server-side apply,
 * patch, delete. Built from a kubeconfig (kubeconfig.h) or a Unix socket.
 *
 * Ownership: kube_client_free. Trees live in the caller's arena. Threads: one thread at a time.
 * Failure: a Status answer becomes a struct error (reason from the Status, message in its words);
 * 404 is ERR_NOT_FOUND, 409 ERR_CONFLICT or ERR_EXISTS, 410 ERR_GONE, 401, 403, 422, 429 likewise.
 */

#include "backend/net/http.h"
#include "backend/store/store.h"

struct kube_client;
struct kubeconfig;

struct kube_options {
	const struct kubeconfig *config; /* borrowed for the client's life; or */
	const char *unix_socket;
	bool allow_loopback;
	const char *manager; /* field manager of writes */
};

bool kube_client_new(const struct kube_options *opt, struct kube_client **ret_client,
    struct error *err) MUST_CHECK;
void kube_client_free(struct kube_client *c);
void kube_client_cancel(struct kube_client *c); /* any thread; sticky */

/* version->gitVersion; also the cheapest "is it reachable". */
bool kube_version(struct kube_client *c, struct arena *a, struct str *ret_version,
    struct error *err) MUST_CHECK;
bool kube_get(struct kube_client *c, struct arena *a, const struct resource *res, struct str ns,
    struct str name, struct node **ret_object, struct error *err) MUST_CHECK;
/* All pages. *ret_items is a list node; *ret_version its resourceVersion (may be NULL). */
bool kube_list(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct list_options *opt, struct node **ret_items, int64_t *ret_version,
    struct error *err) MUST_CHECK;
bool kube_apply(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct node *object, bool force, struct node **ret_object, struct error *err) MUST_CHECK;
bool kube_create(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct node *object, struct node **ret_object, struct error *err) MUST_CHECK;
bool kube_update(struct kube_client *c, struct arena *a, const struct resource *res,
    const struct node *object, enum update_part part, struct node **ret_object,
    struct error *err) MUST_CHECK;
bool kube_delete(struct kube_client *c, const struct resource *res, struct str ns, struct str name,
    const struct delete_options *opt, struct error *err) MUST_CHECK;

/* The resources of Kubernetes that we use, by kind: "Node", "Job", "StorageClass" ... NULL else. */
const struct resource *kube_resource(const char *kind);

/* A store over such an API (the owner's socket now, a control plane later). Takes the client. */
bool remote_store_new(struct kube_client **take, struct store **ret_store,
    struct error *err) MUST_CHECK;

#endif
