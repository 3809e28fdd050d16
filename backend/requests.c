/*
 * The console's requests: a bounded queue of work, a few workers, a queue of replies. A request
 * goes in whole and a reply comes out whole; the screen is woken for each.
 *
 *   submitted ──► waiting (the queue owns it) ──► a worker owns it ──► reply (the queue owns it)
 */

#include "backend/backend_int.h"

#include <string.h>

#include "backend/providers/azure/azure.h"
#include "model/base/mem.h"
#include "model/yaml.h"

enum { REQUESTS_MAX = 64, WORKERS = 2, TEXT_MAX = 16 * 1024 * 1024 };

struct requests {
	struct backend *b;  /* borrowed */
	pthread_mutex_t mu; /* guards what follows, but for the threads */
	pthread_cond_t changed;
	struct request *waiting[REQUESTS_MAX]; /* a ring */
	size_t first, n;
	struct reply *replies[REQUESTS_MAX * 2]; /* a ring */
	size_t first_reply, nreplies;
	uint64_t last_id;
	bool stopping;
	struct thread *workers[WORKERS];
};

struct request *
request_new(enum request_verb verb)
{
	struct request *r = mem_new(sizeof(*r));

	if (r == NULL)
		return NULL;
	r->verb = verb;
	r->nodes = r->min = r->max = -1;
	return r;
}

void
request_free(struct request *r)
{
	if (r == NULL)
		return;
	mem_free(r->text);
	mem_free(r);
}

void
reply_free(struct reply *r)
{
	if (r == NULL)
		return;
	mem_free(r->text);
	arena_free(r->arena);
	mem_free(r);
}

static struct reply *
reply_new(const struct request *r)
{
	struct reply *reply = mem_new(sizeof(*reply));

	if (reply == NULL)
		return NULL;
	reply->id = r->id;
	reply->verb = r->verb;
	reply->arena = arena_new(REQUEST_ARENA_MAX);
	if (reply->arena == NULL) {
		mem_free(reply);
		return NULL;
	}
	problems_init(&reply->problems, reply->arena, "");
	return reply;
}

/* ---- the verbs that are not elsewhere ---- */

static bool
do_get(struct backend *b, const struct request *r, struct reply *reply)
{
	struct text out = TEXT_INIT(TEXT_MAX);
	const struct kind *k;
	struct node *object;
	bool ok;

	if (!kind_named(r->kind, &k, &reply->err) ||
	    !backend_get(
		b, reply->arena, k, str_from(r->ns), str_from(r->name), &object, &reply->err))
		return false;
	(void)node_remove(node_find(object, "metadata"), STR("managedFields")); /* noise */
	yaml_write(&out, object);
	ok = text_ok(&out, "object", &reply->err);
	if (ok)
		reply->text = text_take(&out);
	text_free(&out);
	return ok;
}

static bool
do_describe(struct backend *b, const struct request *r, struct reply *reply)
{
	struct text out = TEXT_INIT(TEXT_MAX);
	const struct kind *k;
	bool ok;

	if (!kind_named(r->kind, &k, &reply->err))
		return false;
	ok = describe_object(b, reply->arena,
	    (struct object_key){ k, str_from(r->ns), str_from(r->name) }, &out, &reply->err);
	if (ok)
		reply->text = text_take(&out);
	text_free(&out);
	return ok;
}

/* Here when we reconcile; elsewhere the owner is told by an annotation. */
static bool
do_retry(struct backend *b, const struct request *r, struct reply *reply)
{
	const struct kind *k;
	struct node *object, *old;
	struct actor actor = backend_actor(b);
	struct str ns;

	if (!kind_named(r->kind, &k, &reply->err))
		return false;
	ns = namespace_for(k, str_from(r->ns));
	if (b->owner != NULL) {
		if (manager_poke(owner_manager(b->owner), k, ns, str_from(r->name)))
			return true;
		return error_set(
		    &reply->err, ERR_REFUSED, "nothing reconciles a %s by itself", k->kind);
	}
	if (!backend_may_write(b, &reply->err) ||
	    !object_tree(b, reply->arena, (struct object_key){ k, ns, str_from(r->name) }, &old,
		&reply->err))
		return false;
	object = node_dup(reply->arena, old);
	node_set_int(
	    reply->arena, node_make_path(reply->arena, object, "metadata"), "generation", 0);
	node_set_str(reply->arena, node_make_path(reply->arena, object, "metadata.annotations"),
	    STR("flightdeck.dev/retry-at"),
	    node_strz(reply->arena,
		arena_printf(reply->arena, "%lld", (long long)clock_wall_ms(b->clock))));
	return store_update(
	    b->store, resource_of(k), object, UPDATE_MAIN, &actor, NULL, &reply->err);
}

typedef bool verb_fn(struct backend *b, const struct request *r, struct reply *reply);

/* clang-format off */
static const struct {
	verb_fn *run;
	bool needs_text;
} verbs[] = {
	[REQUEST_APPLY]    = { apply_text,      true  },
	[REQUEST_PLAN]     = { plan_text,       true  },
	[REQUEST_DELETE]   = { delete_request,  false },
	[REQUEST_SCALE]    = { change_request,  false },
	[REQUEST_TAINT]    = { change_request,  true  },
	[REQUEST_UNTAINT]  = { change_request,  true  },
	[REQUEST_UPGRADE]  = { change_request,  true  },
	[REQUEST_GET]      = { do_get,          false },
	[REQUEST_DESCRIBE] = { do_describe,     false },
	[REQUEST_CHOICES]  = { choices_request, true  },
	[REQUEST_RETRY]    = { do_retry,        false },
};
/* clang-format on */
_Static_assert(ARRAY_LEN(verbs) == REQUEST__MAX, "a row for each verb");

void
request_run(struct backend *b, const struct request *r, struct reply *reply)
{
	error_clear(&reply->err);
	if ((unsigned)r->verb >= REQUEST__MAX)
		(void)error_set(&reply->err, ERR_INTERNAL, "no such request"); /* ok stays false */
	else if (verbs[r->verb].needs_text && r->text == NULL)
		(void)error_set(&reply->err, ERR_USAGE, "the request has no text"); /* likewise */
	else
		reply->ok = verbs[r->verb].run(b, r, reply);
}

/* ---- the queue ---- */

static void
worker_run(void *context)
{
	struct requests *q = context;

	(void)pthread_mutex_lock(&q->mu);
	for (;;) {
		struct request *r;
		struct reply *reply;

		while (!q->stopping && q->n == 0)
			(void)pthread_cond_wait(&q->changed, &q->mu);
		if (q->stopping)
			break;
		r = q->waiting[q->first];
		q->first = (q->first + 1) % REQUESTS_MAX;
		q->n--;
		(void)pthread_mutex_unlock(&q->mu);
		reply = reply_new(r);
		if (reply != NULL)
			request_run(q->b, r, reply);
		request_free(r);
		(void)pthread_mutex_lock(&q->mu);
		if (reply == NULL)
			continue;
		if (q->nreplies == ARRAY_LEN(q->replies)) { /* nobody reads: the oldest goes */
			reply_free(q->replies[q->first_reply]);
			q->first_reply = (q->first_reply + 1) % ARRAY_LEN(q->replies);
			q->nreplies--;
		}
		q->replies[(q->first_reply + q->nreplies++) % ARRAY_LEN(q->replies)] = reply;
		backend_wake(q->b);
	}
	(void)pthread_mutex_unlock(&q->mu);
}

bool
requests_start(struct backend *b, struct requests **ret, struct error *err)
{
	struct requests *q = mem_new(sizeof(*q));

	if (q == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for requests");
	q->b = b;
	(void)pthread_mutex_init(&q->mu, NULL);
	(void)pthread_cond_init(&q->changed, NULL);
	*ret = q;
	return true;
}

void
requests_stop(struct requests *q)
{
	if (q == NULL)
		return;
	(void)pthread_mutex_lock(&q->mu);
	q->stopping = true;
	(void)pthread_cond_broadcast(&q->changed);
	(void)pthread_mutex_unlock(&q->mu);
	for (size_t i = 0; i < WORKERS; i++)
		thread_join(q->workers[i]);
	for (size_t i = 0; i < q->n; i++)
		request_free(q->waiting[(q->first + i) % REQUESTS_MAX]);
	for (size_t i = 0; i < q->nreplies; i++)
		reply_free(q->replies[(q->first_reply + i) % ARRAY_LEN(q->replies)]);
	(void)pthread_cond_destroy(&q->changed);
	(void)pthread_mutex_destroy(&q->mu);
	mem_free(q);
}

/* Workers are there from the first submission on: the command line never needs them. */
static bool
workers_start(struct requests *q, struct error *err)
{
	for (size_t i = 0; i < WORKERS; i++)
		if (q->workers[i] == NULL &&
		    !thread_start("requests", worker_run, q, &q->workers[i], err))
			return i > 0;
	return true;
}

uint64_t
backend_submit(struct backend *b, struct request **take, struct error *err)
{
	struct requests *q = b->requests;
	uint64_t id = 0;

	if (!workers_start(q, err))
		return 0;
	(void)pthread_mutex_lock(&q->mu);
	if (q->n < REQUESTS_MAX) {
		id = ++q->last_id;
		(*take)->id = id;
		q->waiting[(q->first + q->n++) % REQUESTS_MAX] = *take;
		*take = NULL;
		(void)pthread_cond_signal(&q->changed);
	}
	(void)pthread_mutex_unlock(&q->mu);
	if (id == 0)
		(void)error_set(err, ERR_BUSY, "%d requests are waiting already", REQUESTS_MAX);
	return id;
}

struct reply *
backend_reply(struct backend *b)
{
	struct requests *q = b->requests;
	struct reply *reply = NULL;

	(void)pthread_mutex_lock(&q->mu);
	if (q->nreplies > 0) {
		reply = q->replies[q->first_reply];
		q->first_reply = (q->first_reply + 1) % ARRAY_LEN(q->replies);
		q->nreplies--;
	}
	(void)pthread_mutex_unlock(&q->mu);
	return reply;
}

bool
backend_call(struct backend *b, struct request **take, struct reply **ret_reply, struct error *err)
{
	struct reply *reply = reply_new(*take);

	if (reply == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a reply");
	request_run(b, *take, reply);
	request_free(*take);
	*take = NULL;
	*ret_reply = reply;
	return true;
}
