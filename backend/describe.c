/*
 * One object for people, in the manner of `kubectl describe`: what it is, its spec, its conditions,
 * what is recorded outside, its events.
 */

#include "backend/backend_int.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/display.h"
#include "model/kinds/event.h"
#include "model/kinds/external.h"
#include "model/stamp.h"
#include "model/yaml.h"

enum { EVENTS_SHOWN = 25, BLOCK_MAX = 1024 * 1024 };

struct view {
	struct backend *b;
	struct arena *arena;
	const struct node *object;
	struct text *out;
	int64_t now_ms;
};

static void
field(struct view *v, const char *name, struct str value)
{
	text_printf(v->out, "%-14s", name);
	(void)display_add(v->out, value.n > 0 ? value : STR("<none>"), DISPLAY_MAX_CELLS);
	text_add_char(v->out, '\n');
}

static const char *
age(struct view *v, struct str stamp, char buf[STAMP_MAX])
{
	int64_t at = stamp_or_zero(stamp);

	return at == 0 ? "-" : stamp_age(v->now_ms - at, buf);
}

static void
map_print(struct view *v, const char *name, const struct node *map)
{
	const char *label = name;

	if (node_count(map) == 0) {
		field(v, name, STR(""));
		return;
	}
	for (const struct node *m = node_first(map); m != NULL; m = m->next) {
		text_printf(v->out, "%-14s" STR_FMT "=", label, STR_ARG(m->key));
		(void)display_add(v->out, node_get_str(m), DISPLAY_MAX_CELLS);
		text_add_char(v->out, '\n');
		label = "";
	}
}

/* A part of the object as YAML, indented. */
static void
block_print(struct view *v, const char *name, const struct node *part)
{
	struct text yaml = TEXT_INIT(BLOCK_MAX);
	struct str rest, line;

	if (part == NULL || node_count(part) == 0)
		return;
	yaml_write(&yaml, part);
	text_printf(v->out, "%s\n", name);
	rest = text_str(&yaml);
	while (str_split(&rest, '\n', &line)) {
		if (line.n == 0)
			continue;
		text_add(v->out, "  ");
		display_add_lines(v->out, line);
		text_add_char(v->out, '\n');
	}
	text_free(&yaml);
}

static void
conditions_print(struct view *v)
{
	struct node *list = node_path(v->object, "status.conditions");
	char buf[STAMP_MAX];

	if (node_count(list) == 0)
		return;
	text_printf(v->out, "Conditions:\n  %-16s %-8s %-6s %-22s %s\n", "Type", "Status", "Since",
	    "Reason", "Message");
	for (const struct node *c = node_first(list); c != NULL; c = c->next) {
		text_printf(v->out, "  %-16.*s %-8.*s %-6s %-22.*s ",
		    STR_ARG(node_get_str(node_find(c, "type"))),
		    STR_ARG(node_get_str(node_find(c, "status"))),
		    age(v, node_get_str(node_find(c, "lastTransitionTime")), buf),
		    STR_ARG(node_get_str(node_find(c, "reason"))));
		(void)display_add(v->out, node_get_str(node_find(c, "message")), DISPLAY_MAX_CELLS);
		text_add_char(v->out, '\n');
	}
}

static void
external_print(struct view *v, const struct external *x)
{
	const struct external_spec *s = &x->spec;
	char buf[STAMP_MAX];

	text_printf(v->out, "  %-28.*s %-18.*s %-9s %-6s ", STR_ARG(s->key), STR_ARG(s->type),
	    s->phase >= 0 ? external_phase_words[s->phase] : "-",
	    s->since.present ? stamp_age(v->now_ms - s->since.value, buf) : "-");
	if (s->error.present)
		(void)display_add(v->out, s->error.message, DISPLAY_MAX_CELLS);
	else if (s->progress.n > 0)
		(void)display_add(v->out, s->progress, DISPLAY_MAX_CELLS);
	else
		(void)display_add(v->out, s->what, DISPLAY_MAX_CELLS);
	text_add_char(v->out, '\n');
	if (s->error.present && s->error.advice.n > 0)
		text_printf(v->out, "  %-28s -> " STR_FMT "\n", "", STR_ARG(s->error.advice));
}

/* Externals of this object, in the order of its plan. */
static bool
externals_print(struct view *v, struct error *err)
{
	struct str uid = node_path_str(v->object, "metadata.uid");
	struct list_options opt = { .ns = node_path_str(v->object, "metadata.namespace") };
	struct object_list list = { .n = 0 };
	struct external *items;
	size_t n = 0;

	if (!store_list(v->b->store, resource_of(&external_kind), &opt, &list, err))
		return false;
	items = arena_array(v->arena, list.n + 1, sizeof(*items));
	for (size_t i = 0; items != NULL && i < list.n; i++) {
		struct external x;
		size_t at = n;

		if (!object_decode(list.items[i], v->arena, &x, NULL) ||
		    !str_eq(x.spec.owner_uid, uid))
			continue;
		while (at > 0 && items[at - 1].spec.order.value > x.spec.order.value) {
			items[at] = items[at - 1];
			at--;
		}
		items[at] = x;
		n++;
	}
	object_list_fini(&list);
	if (n > 0)
		text_printf(v->out, "Resources:\n  %-28s %-18s %-9s %-6s %s\n", "Key", "Type",
		    "Phase", "Since", "Message");
	for (size_t i = 0; i < n; i++)
		external_print(v, &items[i]);
	return true;
}

static void
event_print(struct view *v, const struct event_object *e)
{
	char buf[STAMP_MAX], count[24] = "";

	if (e->count.present && e->count.value > 1) {
		struct text t = TEXT_INIT(sizeof(count) - 1);

		text_printf(&t, " (x%lld)", (long long)e->count.value);
		memcpy(count, text_get(&t), t.n + 1);
		text_free(&t);
	}
	text_printf(v->out, "  %-8.*s %-22.*s %-6s%s ", STR_ARG(e->type), STR_ARG(e->reason),
	    age(v, e->last_timestamp, buf), count);
	(void)display_add(v->out, e->message, DISPLAY_MAX_CELLS);
	text_add_char(v->out, '\n');
}

/* The newest events of this very object (its uid: an older namesake's are not shown). */
static bool
events_print(struct view *v, struct error *err)
{
	char *selector = arena_printf(v->arena, "involvedObject.name=" STR_FMT,
	    STR_ARG(node_path_str(v->object, "metadata.name")));
	struct list_options opt = { .field_selector = str_from(selector) };
	struct str uid = node_path_str(v->object, "metadata.uid");
	struct object_list list = { .n = 0 };
	struct event_object shown[EVENTS_SHOWN];
	size_t n = 0;

	if (!store_list(v->b->store, resource_of(&event_kind), &opt, &list, err))
		return false;
	for (size_t i = 0; i < list.n; i++) {
		struct event_object e;
		size_t at;

		if (!object_decode(list.items[i], v->arena, &e, NULL) ||
		    !str_eq(e.involved_object.uid, uid))
			continue;
		for (at = n < EVENTS_SHOWN ? n : EVENTS_SHOWN;
		     at > 0 && str_cmp(shown[at - 1].last_timestamp, e.last_timestamp) < 0; at--)
			if (at < EVENTS_SHOWN)
				shown[at] = shown[at - 1];
		if (at < EVENTS_SHOWN) {
			shown[at] = e;
			n += n < EVENTS_SHOWN ? 1 : 0;
		}
	}
	object_list_fini(&list);
	text_add(v->out, n > 0 ? "Events:\n" : "Events:        <none>\n");
	for (size_t i = 0; i < n; i++)
		event_print(v, &shown[i]);
	return true;
}

/* The status without its conditions, which have a table of their own. */
static void
status_print(struct view *v)
{
	struct node *status = node_dup(v->arena, node_find(v->object, "status"));

	if (status == NULL)
		return;
	(void)node_remove(status, STR("conditions")); /* may not be there */
	block_print(v, "Status:", status);
}

bool
describe_object(
    struct backend *b, struct arena *a, struct object_key key, struct text *out, struct error *err)
{
	const struct kind *k = key.kind;
	struct view v = { .b = b, .arena = a, .out = out, .now_ms = clock_wall_ms(b->clock) };
	struct node *object;
	char buf[STAMP_MAX];
	struct str created;

	if (!backend_get(b, a, k, key.ns, key.name, &object, err))
		return false;
	v.object = object;
	created = node_path_str(object, "metadata.creationTimestamp");
	field(&v, "Name:", key.name);
	if ((k->flags & KIND_NAMESPACED) != 0)
		field(&v, "Namespace:", node_path_str(object, "metadata.namespace"));
	field(&v, "Kind:", str_from(k->kind));
	field(&v, "API Version:", node_get_str(node_find(object, "apiVersion")));
	map_print(&v, "Labels:", node_path(object, "metadata.labels"));
	map_print(&v, "Annotations:", node_path(object, "metadata.annotations"));
	text_printf(out, "%-14s" STR_FMT " (%s ago)\n", "Created:", STR_ARG(created),
	    age(&v, created, buf));
	if (node_path_str(object, "metadata.deletionTimestamp").n > 0)
		field(&v, "Deleting:", node_path_str(object, "metadata.deletionTimestamp"));
	block_print(&v, "Spec:", node_find(object, "spec"));
	block_print(&v, "Data:", node_find(object, "data"));
	status_print(&v);
	conditions_print(&v);
	return externals_print(&v, err) && events_print(&v, err) &&
	       text_ok(out, "description", err);
}
