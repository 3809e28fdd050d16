#include "backend/kube/frame.h"

#include <string.h>

#include "backend/kube/client_int.h"
#include "backend/store/object.h"
#include "backend/store/secrets.h"
#include "model/base/mem.h"
#include "model/json.h"

enum { EVENT_ARENA = 256 * 1024 * 1024, GONE = 410 };

void
frame_init(struct frame *f)
{
	/* one line that is begun, and one piece of the network behind it */
	*f = (struct frame){ .buf = TEXT_INIT(FRAME_MAX_BUFFER) };
}

void
frame_fini(struct frame *f)
{
	if (f->buf.p != NULL)
		secret_wipe(f->buf.p, f->buf.cap);
	text_free(&f->buf);
	f->at = 0;
}

void
frame_reset(struct frame *f)
{
	text_clear(&f->buf);
	f->at = 0;
}

bool
frame_push(struct frame *f, struct str bytes, struct error *err)
{
	if (f->at > 0) {
		size_t left = f->buf.n - f->at;

		memmove(f->buf.p, f->buf.p + f->at, left);
		f->buf.n = left;
		f->buf.p[left] = '\0';
		f->at = 0;
	}
	text_add_str(&f->buf, bytes);
	if (!text_ok(&f->buf, "watch event", err))
		return false;
	if (f->buf.n > FRAME_MAX_LINE && str_find_char(text_str(&f->buf), '\n') < 0)
		return error_set(
		    err, ERR_TOO_LARGE, "a watch event is larger than %d bytes", FRAME_MAX_LINE);
	return true;
}

bool
frame_next(struct frame *f, struct str *ret_line)
{
	for (;;) {
		struct str rest = str_sub(text_str(&f->buf), f->at, f->buf.n);
		ptrdiff_t end = str_find_char(rest, '\n');

		if (end < 0)
			return false;
		f->at += (size_t)end + 1;
		struct str line = str_trim(str_sub(rest, 0, (size_t)end));

		if (line.n == 0)
			continue;
		*ret_line = line;
		return true;
	}
}

/* clang-format off */
static const struct {
	const char *word;
	enum watch_event_type type;
} types[] = {
	{ "ADDED",    WATCH_ADDED },
	{ "MODIFIED", WATCH_MODIFIED },
	{ "DELETED",  WATCH_DELETED },
	{ "BOOKMARK", WATCH_BOOKMARK },
};
/* clang-format on */

static const struct resource *
object_resource(const struct node *object)
{
	const struct kind *k =
	    kind_find(node_path_str(object, "apiVersion"), node_path_str(object, "kind"));

	return k != NULL ? resource_of(k) : NULL;
}

static bool
event_error(const struct node *object, struct watch_event *ret, struct error *err)
{
	if (node_path_int(object, "code", 0) == GONE) {
		*ret = (struct watch_event){ .type = WATCH_GONE };
		return true;
	}
	(void)status_node_to_error(object, err);
	return error_wrap(err, "the API server ended a watch");
}

static bool
event_decode(struct arena *a, const struct resource *res, const struct node *event,
    struct watch_event *ret, struct error *err)
{
	const struct node *object = node_find(event, "object");
	struct str word = node_path_str(event, "type");

	if (object == NULL || object->type != NODE_MAP)
		return error_set(err, ERR_INVALID, "a watch event holds no object");
	if (str_is(word, "ERROR"))
		return event_error(object, ret, err);
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		if (!str_is(word, types[i].word))
			continue;
		*ret =
		    (struct watch_event){ .type = types[i].type, .version = node_version(object) };
		if (res == NULL)
			res = object_resource(object);
		if (ret->type == WATCH_BOOKMARK || res == NULL) {
			ret->type = WATCH_BOOKMARK;
			return true;
		}
		ret->object = object_from_node(res, object, err);
		return ret->object != NULL && (!arena_failed(a) || error_set(err, ERR_NO_MEMORY,
								       "no memory for an event"));
	}
	return error_set(err, ERR_INVALID, "a watch event has an unknown type");
}

bool
watch_line_decode(
    const struct resource *res, struct str line, struct watch_event *ret_event, struct error *err)
{
	struct arena *a = arena_new(EVENT_ARENA);
	struct node *event = NULL;
	bool ok = false;

	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for an event");
	if (!json_parse(a, line, &event, err))
		error_wrap(err, "a watch event is not JSON");
	else
		ok = event_decode(a, res, event, ret_event, err);
	arena_free(a);
	return ok;
}
