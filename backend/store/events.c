#include "backend/store/events.h"

#include <openssl/evp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/runtime/clean.h"
#include "backend/runtime/clock.h"
#include "backend/runtime/log.h"
#include "model/base/mem.h"
#include "model/kinds/event.h"
#include "model/stamp.h"

enum { MESSAGE_MAX = 1024, ARENA_LIMIT = 256 * 1024, NAME_CUT = 200, HASH_BYTES = 8, TRIES = 4 };

static const char *const type_words[] = { [EVENT_NORMAL] = "Normal", [EVENT_WARNING] = "Warning" };

struct event {
	const struct object *about;
	const char *type, *reason, *component;
	struct str message;
	struct str ns, name;
	char stamp[STAMP_MAX];
};

/* Equal events get equal names, so that finding the one to count up is a plain get. */
static struct str
event_name(struct arena *a, const struct event *ev)
{
	const struct str parts[] = { ev->about->uid, str_from(ev->type), str_from(ev->reason),
		str_from(ev->component), ev->message };
	unsigned char hash[EVP_MAX_MD_SIZE];
	struct text t = TEXT_INIT(ARENA_LIMIT);
	struct text name = TEXT_INIT(NAME_CUT + HASH_BYTES * 2 + 2);
	struct str ret = { 0 };
	unsigned n = 0;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		text_add_str(&t, parts[i]);
		text_add_char(&t, '\n');
	}
	if (text_ok(&t, "event", NULL) &&
	    EVP_Digest(text_get(&t), t.n, hash, &n, EVP_sha256(), NULL) == 1) {
		text_add_str(&name, str_sub(ev->about->name, 0, NAME_CUT));
		text_add_char(&name, '.');
		text_add_hex(&name, (struct str){ (char *)hash, HASH_BYTES });
		if (text_ok(&name, "event", NULL))
			ret = str_copy(a, text_str(&name));
	}
	text_free(&t);
	text_free(&name);
	return ret;
}

static void
set_api_version(struct arena *a, struct node *map, const struct resource *res)
{
	node_set_strz(a, map, "apiVersion",
	    res->group[0] == '\0' ? res->version
				  : arena_printf(a, "%s/%s", res->group, res->version));
}

static struct node *
event_new(struct arena *a, const struct event *ev)
{
	struct node *top = node_map(a);
	struct node *meta = node_make_path(a, top, "metadata");
	struct node *about = node_make_path(a, top, "involvedObject");

	node_set_strz(a, top, "apiVersion", "v1");
	node_set_strz(a, top, "kind", "Event");
	node_set(a, meta, "name", node_str(a, ev->name));
	node_set(a, meta, "namespace", node_str(a, ev->ns));
	set_api_version(a, about, ev->about->res);
	node_set_strz(a, about, "kind", ev->about->res->kind);
	if (ev->about->ns.n > 0)
		node_set(a, about, "namespace", node_str(a, ev->about->ns));
	node_set(a, about, "name", node_str(a, ev->about->name));
	node_set(a, about, "uid", node_str(a, ev->about->uid));
	node_set_strz(a, top, "type", ev->type);
	node_set_strz(a, top, "reason", ev->reason);
	node_set(a, top, "message", node_str(a, ev->message));
	node_set_strz(a, top, "firstTimestamp", ev->stamp);
	node_set_strz(a, top, "lastTimestamp", ev->stamp);
	node_set_int(a, top, "count", 1);
	node_set_strz(a, top, "reportingComponent", ev->component);
	node_set_strz(a, node_make_path(a, top, "source"), "component", ev->component);
	return top;
}

/* One try: count the equal one up, or make the first. False only to try again or to give up. */
static bool
event_write(struct store *st, struct arena *a, const struct event *ev, struct error *err)
{
	static const struct actor actor = {
		.manager = "flightdeck-controller", .user = "", .from = ""
	};
	const struct resource *res = resource_of(&event_kind);
	const struct object *old = NULL;
	struct node *value = NULL;
	bool ok = false;

	if (!store_get(st, res, ev->ns, ev->name, &old, err)) {
		if (err->code != ERR_NOT_FOUND)
			return false;
		value = event_new(a, ev);
		return arena_failed(a) ? error_set(err, ERR_NO_MEMORY, "no memory for an event")
				       : store_create(st, res, value, &actor, NULL, err);
	}
	if (object_node(old, a, &value, err)) {
		node_set_int(a, value, "count", node_path_int(value, "count", 1) + 1);
		node_set_strz(a, value, "lastTimestamp", ev->stamp);
		ok = arena_failed(a) ? error_set(err, ERR_NO_MEMORY, "no memory for an event")
				     : store_update(st, res, value, UPDATE_MAIN, &actor, NULL, err);
	}
	object_unref(old);
	return ok;
}

static bool
can_retry(const struct error *err)
{
	return err->code == ERR_CONFLICT || err->code == ERR_EXISTS || err->code == ERR_NOT_FOUND;
}

static void
event_send(struct store *st, struct arena *a, const struct event *ev)
{
	struct error err = { 0 };

	for (int i = 0; i < TRIES; i++) {
		if (event_write(st, a, ev, &err))
			return;
		if (!can_retry(&err))
			break;
	}
	log_error("events", "event-dropped", &err, "reason=%.64s object=" STR_FMT, ev->reason,
	    (int)(ev->about->name.n < 100 ? ev->about->name.n : 100), ev->about->name.p);
}

/* NOLINTBEGIN(readability-function-size): what, to whom, from whom, and words */
void
event_emit(struct store *st, struct clock *clock, const struct object *about, enum event_type type,
    const char *reason, const char *component, const char *fmt, ...)
{
	struct arena *a = arena_new(ARENA_LIMIT);
	struct text message = TEXT_INIT(MESSAGE_MAX);
	char raw[MESSAGE_MAX * 2];
	struct event ev = {
		.about = about, .type = type_words[type], .reason = reason, .component = component
	};
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(raw, sizeof raw, fmt, ap);
	va_end(ap);
	clean_add(&message, str_from(raw));
	ev.message = text_str(&message); /* whole characters: it is filled one by one */
	ev.ns = about->ns.n > 0 ? about->ns : STR("default");
	(void)stamp_format(clock_wall_ms(clock), ev.stamp);
	if (a != NULL)
		ev.name = event_name(a, &ev);
	if (a != NULL && ev.name.n > 0)
		event_send(st, a, &ev);
	else
		log_event(LOG_WARN, "events", "event-dropped", "reason=%.64s", reason);
	text_free(&message);
	arena_free(a);
}
/* NOLINTEND(readability-function-size) */
