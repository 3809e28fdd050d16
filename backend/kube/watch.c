#include "backend/kube/client_int.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "backend/kube/frame.h"
#include "backend/store/object.h"
#include "model/base/mem.h"

/*
 * A watch has a client and a connection of its own and no thread: watch_next drives the transfer.
 *
 *   LIST ──► OPEN ──► READ ──(clean end, cut, idle)──► OPEN at the last version
 *    │                  └──(410)──► GONE, for ever: the caller lists again
 *    └─ only when it begins at 0: what is there is handed out first, then one bookmark
 *
 * A watch of every kind (res NULL) exists on our own API alone, and begins at 0 there by itself.
 */

enum {
	SERVER_SECONDS = 300,	    /* the server ends the stream then */
	IDLE_MARGIN_MS = 30 * 1000, /* beyond that the connection is dead */
	BACKOFF_MIN_MS = 100,
	BACKOFF_MAX_MS = 30 * 1000,
	RETRY_LOOK_NS = 10 * 1000 * 1000,
};

struct kube_watch {
	struct watch base;
	struct kube_client *client;
	const struct resource *res; /* borrowed; NULL for all */
	char *ns;		    /* owned */
	char *labels;		    /* owned */
	char *fields;		    /* owned */
	int64_t version;	    /* of the last thing seen */
	struct frame frame;
	struct http_response response;
	struct error push_error; /* why on_bytes ended the stream */
	struct error end_error;	 /* why it ended, none for a clean end; set with `ended` */
	bool open;
	bool ended; /* nothing more comes, but lines may be left */
	bool gone;
	bool must_list;
	struct object_list first; /* handed out one by one */
	size_t first_at;	  /* those before are gone */
	bool first_bookmark;	  /* still to give after them */
	int64_t opened_ms, retry_ms, backoff_ms;
	atomic_bool woken;
};

static int64_t
mono_ms(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static bool
bytes_arrived(void *context, struct str bytes)
{
	struct kube_watch *w = context;

	return frame_push(&w->frame, bytes, &w->push_error);
}

static void
stream_close(struct kube_watch *w)
{
	if (w->client == NULL || !w->open)
		return;
	http_stream_close(w->client->http);
	http_response_fini(&w->response);
	frame_reset(&w->frame);
	w->open = false;
}

/* After a failure the next try waits; each more one longer. */
static void
back_off(struct kube_watch *w)
{
	w->backoff_ms = w->backoff_ms == 0 ? BACKOFF_MIN_MS : w->backoff_ms * 2;
	if (w->backoff_ms > BACKOFF_MAX_MS)
		w->backoff_ms = BACKOFF_MAX_MS;
	w->retry_ms = mono_ms() + w->backoff_ms;
}

static void
target_write(const struct kube_watch *w, struct text *target)
{
	struct list_options opt = { .label_selector = str_from(w->labels),
		.field_selector = str_from(w->fields) };

	if (w->res != NULL)
		kube_path(target, w->res, str_from(w->ns), (struct str){ 0 }, NULL);
	else
		text_add(target, KUBE_WATCH_ALL_PATH);
	kube_query(target, "watch", STR("true"));
	kube_query(target, "allowWatchBookmarks", STR("true"));
	text_add(target, "&timeoutSeconds=");
	text_add_int(target, SERVER_SECONDS);
	text_add(target, "&resourceVersion=");
	text_add_int(target, w->version);
	kube_selectors(target, &opt);
}

static bool
stream_open(struct kube_watch *w, struct error *err)
{
	struct text target = TEXT_INIT(KUBE_MAX_PATH);
	bool ok = false;

	target_write(w, &target);
	error_clear(&w->push_error);
	error_clear(&w->end_error);
	w->ended = false;
	if (text_ok(&target, "path", err))
		ok = kube_stream_open(
		    w->client, text_str(&target), bytes_arrived, w, &w->response, err);
	text_free(&target);
	if (!ok) {
		http_response_fini(&w->response);
		back_off(w);
		return false;
	}
	w->open = true;
	w->opened_ms = mono_ms();
	return true;
}

static void
first_drop(struct kube_watch *w)
{
	for (size_t i = 0; i < w->first_at; i++)
		w->first.items[i] = NULL; /* these were handed out */
	object_list_fini(&w->first);
	w->first_at = 0;
}

static bool
list_first(struct kube_watch *w, struct error *err)
{
	struct list_options opt = { .ns = str_from(w->ns),
		.label_selector = str_from(w->labels),
		.field_selector = str_from(w->fields) };

	if (!kube_list_objects(w->client, w->res, &opt, &w->first, err)) {
		back_off(w);
		return false;
	}
	w->version = w->first.version;
	w->must_list = false;
	w->first_bookmark = true;
	return true;
}

/* What was listed, then a bookmark. */
static bool
first_take(struct kube_watch *w, struct watch_event *ret)
{
	if (w->first_at < w->first.n) {
		const struct object *o = w->first.items[w->first_at++];

		*ret = (struct watch_event){ WATCH_ADDED, o, o->version };
		return true;
	}
	if (!w->first_bookmark)
		return false;
	first_drop(w);
	w->first_bookmark = false;
	*ret = (struct watch_event){ .type = WATCH_BOOKMARK, .version = w->version };
	return true;
}

enum step { STEP_NOTHING, STEP_EVENT, STEP_FAILED };

static enum step
line_take(struct kube_watch *w, struct watch_event *ret, struct error *err)
{
	struct str line;

	if (!frame_next(&w->frame, &line))
		return STEP_NOTHING;
	if (!watch_line_decode(w->res, line, ret, err)) {
		stream_close(w);
		back_off(w);
		return STEP_FAILED;
	}
	w->backoff_ms = 0;
	if (ret->type == WATCH_GONE) {
		w->gone = true;
		ret->version = w->version;
		stream_close(w);
	} else if (ret->version > w->version) {
		w->version = ret->version;
	}
	return STEP_EVENT;
}

static bool
has_line(const struct kube_watch *w)
{
	struct str rest = str_sub(text_str(&w->frame.buf), w->frame.at, w->frame.buf.n);

	return str_find_char(rest, '\n') >= 0;
}

/* The stream is over: well, with a refusal, or because we ended it. */
static enum step
stream_ended(struct kube_watch *w, struct error *err)
{
	int status = w->response.status;
	struct error why = w->end_error;

	if (why.code == ERR_NONE && status == 410)
		w->gone = true;
	else if (why.code == ERR_NONE && (status < 200 || status >= 300))
		(void)status_to_error(&w->response, "WATCH", STR(""), &why);
	stream_close(w);
	if (why.code == ERR_NONE) {
		/* a server that ends at once and for ever must not be asked in a loop */
		if (mono_ms() - w->opened_ms < BACKOFF_MIN_MS)
			back_off(w);
		return STEP_NOTHING;
	}
	back_off(w);
	if (err != NULL)
		*err = why;
	return STEP_FAILED;
}

/* Waits for bytes, at most that long. Whole lines that came before the end are still good. */
static enum step
stream_read(struct kube_watch *w, int timeout_ms, struct error *err)
{
	if (!w->ended) {
		bool ok = http_stream_step(w->client->http, timeout_ms, &w->ended, &w->end_error);

		w->ended = w->ended || !ok || w->push_error.code != ERR_NONE;
		if (w->push_error.code != ERR_NONE)
			w->end_error = w->push_error;
	}
	if (w->ended)
		return has_line(w) ? STEP_NOTHING : stream_ended(w, err);
	if (mono_ms() - w->opened_ms > SERVER_SECONDS * 1000 + IDLE_MARGIN_MS)
		stream_close(w);
	return STEP_NOTHING;
}

/* Gets the watch to where events can be read. */
static bool
prepare(struct kube_watch *w, struct error *err)
{
	if (w->must_list && !list_first(w, err))
		return false;
	return w->open || w->first_bookmark || stream_open(w, err);
}

static bool
wait_for_retry(struct kube_watch *w, int64_t until)
{
	int64_t at = w->retry_ms < until ? w->retry_ms : until;

	while (mono_ms() < at && !atomic_load(&w->woken)) {
		struct timespec ts = { .tv_nsec = RETRY_LOOK_NS };

		(void)nanosleep(&ts, NULL);
	}
	return mono_ms() >= w->retry_ms;
}

/* Gets on with it: waits out a back-off, lists, opens or reads. *ret_left: time that remains. */
static enum step
advance(struct kube_watch *w, int64_t until, int64_t *ret_left, struct error *err)
{
	*ret_left = until - mono_ms();
	if (!w->open && w->retry_ms > mono_ms() && !wait_for_retry(w, until)) {
		*ret_left = 0;
		return STEP_NOTHING;
	}
	if (!prepare(w, err))
		return STEP_FAILED;
	if (!w->open)
		return STEP_NOTHING;
	return stream_read(w, (int)(*ret_left > 0 ? *ret_left : 0), err);
}

static bool
watch_kube_next(struct watch *base, int timeout_ms, struct watch_event *ret, struct error *err)
{
	struct kube_watch *w = (struct kube_watch *)base;
	int64_t until = mono_ms() + timeout_ms;
	enum step step = STEP_NOTHING;

	for (;;) {
		if (atomic_exchange(&w->woken, false))
			return error_set(err, ERR_CANCELED, "a watch was woken");
		if (w->gone) {
			*ret = (struct watch_event){ .type = WATCH_GONE, .version = w->version };
			return true;
		}
		if (first_take(w, ret))
			return true;
		step = line_take(w, ret, err);
		if (step != STEP_NOTHING)
			return step == STEP_EVENT;
		int64_t left = 0;

		if (advance(w, until, &left, err) == STEP_FAILED)
			return false;
		if (left <= 0 && !atomic_load(&w->woken) && !w->first_bookmark && !has_line(w))
			return error_set(err, ERR_TIMEOUT, "no event");
	}
}

static void
watch_kube_wake(struct watch *base)
{
	struct kube_watch *w = (struct kube_watch *)base;

	atomic_store(&w->woken, true);
	http_client_wake(w->client->http);
}

static void
watch_kube_free(struct watch *base)
{
	struct kube_watch *w = (struct kube_watch *)base;

	stream_close(w);
	first_drop(w);
	frame_fini(&w->frame);
	kube_client_free(w->client);
	mem_free(w->ns);
	mem_free(w->labels);
	mem_free(w->fields);
	mem_free(w);
}

static const struct watch_ops kube_watch_ops = {
	.next = watch_kube_next,
	.wake = watch_kube_wake,
	.free = watch_kube_free,
};

bool
kube_watch_new(struct kube_client **take, const struct resource *res,
    const struct list_options *opt, int64_t from, struct watch **ret_watch, struct error *err)
{
	struct list_options none = { 0 };
	struct kube_watch *w = mem_new(sizeof(*w));

	if (w == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a watch");
	if (opt == NULL)
		opt = &none;
	w->base.ops = &kube_watch_ops;
	w->res = res;
	w->version = from;
	w->must_list = from == 0 && res != NULL;
	w->ns = str_dup(opt->ns);
	w->labels = str_dup(opt->label_selector);
	w->fields = str_dup(opt->field_selector);
	atomic_init(&w->woken, false);
	frame_init(&w->frame);
	bool ok = w->ns != NULL && w->labels != NULL && w->fields != NULL;

	if (!ok)
		error_set(err, ERR_NO_MEMORY, "no memory for a watch");
	/* The list is read, or the stream begun, here: a refusal is told at once. */
	w->client = *take;
	if (ok && w->must_list)
		ok = list_first(w, err);
	if (!ok) {
		w->client = NULL;
		watch_kube_free(&w->base);
		return false;
	}
	*take = NULL;
	*ret_watch = &w->base;
	return true;
}
