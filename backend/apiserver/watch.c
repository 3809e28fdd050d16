#include "backend/apiserver/api_int.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "model/base/mem.h"
#include "model/json.h"

/*
 * A watch answers with a stream that outlives the request: what it needs of the call is copied.
 *
 *   present objects (begin at 0) ──► [bookmark: that was all] ──► changes ... bookmark each minute
 *                                                                 └──► ERROR 410, the end
 */

enum {
	WAIT_MS = 150, /* how long one look for events may block; see server_stream_fn */
	BOOKMARK_MS = 60 * 1000,
	DEFAULT_SECONDS = 1800,
	MAX_SECONDS = 3600,
	EVENT_ARENA = 128 * 1024 * 1024,
	BATCH_BYTES = 256 * 1024,
};

struct stream {
	struct apiserver *api;
	const struct resource *resource; /* NULL: all kinds */
	enum role role;
	enum form form;
	char include[16]; /* includeObject */
	struct watch *watch;
	struct object_list first; /* still to be sent as ADDED */
	size_t first_at;
	int64_t version;
	int64_t end_ms, bookmark_ms;
	bool bookmarks;
	bool first_bookmark; /* "initial events end" is still to be sent */
	bool columns_sent;
	bool over;
};

static int64_t
mono_ms(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void
line_write(struct text *out, const char *type, const struct node *object)
{
	text_printf(out, "{\"type\":\"%s\",\"object\":", type);
	json_write(out, object, JSON_COMPACT);
	text_add(out, "}\n");
}

/* An event's object as a Table of one row; the columns come once. */
static bool
table_write(
    struct stream *s, struct call *c, const char *type, const struct node *object, struct text *out)
{
	struct node *table = table_new(c, s->resource, !s->columns_sent);
	struct error err;

	node_set(c->arena, node_find(table, "metadata"), "resourceVersion",
	    node_str(c->arena, node_path_str(object, "metadata.resourceVersion")));
	if (!table_row(c, s->resource, object, table, &err))
		return false;
	s->columns_sent = true;
	line_write(out, type, table);
	return true;
}

/* A call that is good enough for masking and tables, long after the real one. */
static struct call
call_again(const struct stream *s, struct arena *a)
{
	return (struct call){
		.api = s->api,
		.arena = a,
		.role = s->role,
		.resource = s->resource,
		.include = str_from(s->include),
	};
}

static bool
object_write(struct stream *s, const char *type, const struct object *o, struct text *out)
{
	struct arena *a = NULL;
	struct call c;
	struct node *object = NULL;
	bool ok = false;

	c = call_again(s, NULL);
	if (s->form == FORM_JSON && !call_must_mask(&c, o->res)) {
		text_printf(out, "{\"type\":\"%s\",\"object\":", type);
		text_add_str(out, o->json);
		text_add(out, "}\n");
		return true;
	}
	a = arena_new(EVENT_ARENA);
	if (a == NULL)
		return false;
	c = call_again(s, a);
	if (!object_node(o, a, &object, NULL))
		goto out;
	if (call_must_mask(&c, o->res))
		mask_node(o->res, a, object);
	ok = true;
	if (s->form == FORM_TABLE)
		ok = table_write(s, &c, type, object, out);
	else
		line_write(out, type, object);
out:
	arena_free(a);
	return ok;
}

static bool
bookmark_write(struct stream *s, bool initial, struct text *out)
{
	struct arena *a = arena_new(EVENT_ARENA);
	const struct resource *r = s->resource;
	struct node *o = NULL;
	struct node *meta = NULL;

	if (a == NULL)
		return false;
	o = node_map(a);
	node_set_strz(a, o, "kind", r != NULL ? r->kind : "Bookmark");
	node_set_strz(a, o, "apiVersion", r != NULL ? resource_api_version(a, r) : "v1");
	meta = node_make_path(a, o, "metadata");
	node_set_strz(a, meta, "resourceVersion", arena_printf(a, "%lld", (long long)s->version));
	if (initial)
		node_set_strz(
		    a, node_make_path(a, meta, "annotations"), "k8s.io/initial-events-end", "true");
	if (s->form == FORM_TABLE) {
		struct call c = call_again(s, a);

		(void)table_write(s, &c, "BOOKMARK", o, out);
	} else {
		line_write(out, "BOOKMARK", o);
	}
	s->bookmark_ms = mono_ms() + BOOKMARK_MS;
	arena_free(a);
	return true;
}

static void
gone_write(struct stream *s, struct text *out)
{
	struct arena *a = arena_new(EVENT_ARENA);

	s->over = true;
	if (a == NULL)
		return;
	struct node *status = status_new(a, 410, "Expired",
	    str_from(arena_printf(a, "too old resource version: %lld", (long long)s->version)));

	(void)node_remove(status, STR("details"));
	line_write(out, "ERROR", status);
	arena_free(a);
}

static const char *const type_words[] = {
	[WATCH_ADDED] = "ADDED",
	[WATCH_MODIFIED] = "MODIFIED",
	[WATCH_DELETED] = "DELETED",
};

static bool
event_write(struct stream *s, const struct watch_event *ev, struct text *out)
{
	if (ev->version > s->version)
		s->version = ev->version;
	if (ev->type == WATCH_GONE) {
		gone_write(s, out);
		return true;
	}
	if (ev->type == WATCH_BOOKMARK)
		return true; /* ours come by the minute */
	bool ok = object_write(s, type_words[ev->type], ev->object, out);

	object_unref(ev->object);
	return ok;
}

static bool
first_write(struct stream *s, struct text *out)
{
	while (s->first_at < s->first.n && out->n < BATCH_BYTES) {
		if (!object_write(s, "ADDED", s->first.items[s->first_at++], out))
			return false;
	}
	if (s->first_at < s->first.n)
		return true;
	object_list_fini(&s->first);
	s->first_at = 0;
	if (s->first_bookmark) {
		s->first_bookmark = false;
		return bookmark_write(s, true, out);
	}
	return true;
}

static bool
stream_next(void *context, const volatile bool *stopping, struct text *out)
{
	struct stream *s = context;
	struct watch_event ev = { 0 };
	struct error err = { 0 };

	if (s->over || __atomic_load_n(stopping, __ATOMIC_ACQUIRE))
		return false;
	if (mono_ms() >= s->end_ms) {
		s->over = true;
		return s->bookmarks && s->first.n == 0 && bookmark_write(s, false, out);
	}
	if (s->first.n > 0 || s->first_bookmark)
		return first_write(s, out);
	int wait = WAIT_MS;

	/* what is there goes out together */
	while (!s->over && out->n < BATCH_BYTES && watch_next(s->watch, wait, &ev, &err)) {
		if (!event_write(s, &ev, out))
			return false;
		wait = 0;
	}
	if (err.code != ERR_NONE && err.code != ERR_TIMEOUT && err.code != ERR_CANCELED)
		s->over = true;
	if (!s->over && s->bookmarks && mono_ms() >= s->bookmark_ms)
		return bookmark_write(s, false, out);
	return !s->over;
}

static void
stream_end(void *context)
{
	struct stream *s = context;

	watch_free(s->watch);
	object_list_fini(&s->first);
	mem_free(s);
}

/* Where it begins, and what is there already when that is the beginning. */
static bool
stream_begin(struct call *c, struct stream *s, struct error *err)
{
	struct list_options opt;
	struct store *store = c->api->opt.store;
	struct str version = query_str(c, "resourceVersion");
	bool initial = query_is_true(c, "sendInitialEvents");
	bool fresh = version.n == 0 || str_is(version, "0");

	if (!list_options_read(c, &opt, err))
		return false;
	opt.limit = 0;
	opt.next = (struct str){ 0 };
	if (initial && query_str(c, "resourceVersionMatch").n == 0)
		return error_set(err, ERR_INVALID,
		    "resourceVersionMatch: Forbidden: must be set with sendInitialEvents");
	if (!fresh && !str_to_int(version, &s->version))
		return error_set(err, ERR_USAGE, "resourceVersion is not a number");
	if ((fresh || initial) && s->resource != NULL) {
		if (!store_list(store, s->resource, &opt, &s->first, err))
			return false;
		s->version = s->first.version;
		s->first_bookmark = s->bookmarks;
	}
	return store_watch(store, s->resource, &opt, s->version, &s->watch, err);
}

static void
stream_times(struct call *c, struct stream *s)
{
	int64_t seconds = 0;

	if (!str_to_int(query_str(c, "timeoutSeconds"), &seconds) || seconds <= 0)
		seconds = DEFAULT_SECONDS;
	if (seconds > MAX_SECONDS)
		seconds = MAX_SECONDS;
	s->end_ms = mono_ms() + seconds * 1000;
	s->bookmark_ms = mono_ms() + BOOKMARK_MS;
}

void
handle_watch(struct call *c)
{
	struct stream *s = mem_new(sizeof(*s));
	struct error err = { 0 };

	if (s == NULL) {
		c->res->status = 500;
		return;
	}
	s->api = c->api;
	s->resource = c->resource;
	s->role = c->role;
	(void)snprintf(s->include, sizeof(s->include), STR_FMT, STR_ARG(c->include));
	s->form = s->resource != NULL && c->form == FORM_TABLE ? FORM_TABLE : FORM_JSON;
	s->bookmarks = query_is_true(c, "allowWatchBookmarks");
	stream_times(c, s);
	if (!stream_begin(c, s, &err)) {
		stream_end(s);
		if (err.code == ERR_INVALID && c->resource == NULL)
			err.code = ERR_USAGE;
		reply_error(c, &err);
		return;
	}
	c->res->status = 200;
	c->res->content_type = "application/json";
	c->res->stream = stream_next;
	c->res->stream_end = stream_end;
	c->res->stream_context = s;
}
