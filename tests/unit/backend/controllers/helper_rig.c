#include "tests/unit/backend/controllers/helper_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "backend/runtime/clock.h"
#include "backend/store/embedded.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "tests/unit/backend/store/tempdir.h"

static const struct actor test_actor = { .manager = "test", .user = "test", .from = "" };

static void
must(bool ok, const struct error *err)
{
	if (!ok)
		fail_msg("%s", err->message);
}

void
rig_open(struct rig *r)
{
	struct embedded_options opt = { .fast = true };
	struct error err = { 0 };

	memset(r, 0, sizeof(*r));
	_Static_assert(sizeof(r->dir) >= TEMPDIR_MAX, "room for the name");
	tempdir_make(r->dir);
	r->clock = clock_new(1, 0);
	r->a = arena_new(64 * 1024 * 1024);
	opt.dir = r->dir;
	opt.clock = r->clock;
	must(embedded_open(&opt, &r->store, &err), &err);
	r->cx = (struct controller_context){ .store = r->store,
		.clock = r->clock,
		.actor = test_actor,
		.arena = r->a,
		.installation = "test" };
	rig_create(r, "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":"
		      "\"modelplane-system\"}}");
	rig_create(
	    r, "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"ml\"}}");
}

void
rig_close(struct rig *r)
{
	store_close(r->store);
	clock_free(r->clock);
	arena_free(r->a);
	tempdir_remove(r->dir);
}

const struct kind *
rig_kind(const char *kind)
{
	const struct kind *k = kind_find_word(str_from(kind));

	assert_non_null(k);
	return k;
}

void
rig_create(struct rig *r, const char *json)
{
	struct node *n = NULL;
	struct error err = { 0 };
	const struct kind *k;

	must(json_parse(r->a, str_from(json), &n, &err), &err);
	k = kind_find(node_path_str(n, "apiVersion"), node_path_str(n, "kind"));
	assert_non_null(k);
	schema_default(k->schema, r->a, n);
	must(store_create(r->store, resource_of(k), n, &test_actor, NULL, &err), &err);
}

struct node *
rig_get(struct rig *r, const char *kind, const char *ns, const char *name)
{
	const struct object *o = NULL;
	struct node *n = NULL;
	struct error err = { 0 };

	if (!store_get(
		r->store, resource_of(rig_kind(kind)), str_from(ns), str_from(name), &o, &err))
		return NULL;
	must(object_node(o, r->a, &n, &err), &err);
	object_unref(o);
	return n;
}

void
rig_status(struct rig *r, const char *kind, const char *ns, const char *name, const char *status)
{
	struct node *n = rig_get(r, kind, ns, name), *s = NULL;
	struct error err = { 0 };

	assert_non_null(n);
	must(json_parse(r->a, str_from(status), &s, &err), &err);
	node_set(r->a, n, "status", s);
	must(store_update(
		 r->store, resource_of(rig_kind(kind)), n, UPDATE_STATUS, &test_actor, NULL, &err),
	    &err);
}

void
rig_delete(struct rig *r, const char *kind, const char *ns, const char *name)
{
	struct delete_options opt = { .propagation = PROPAGATE_FOREGROUND };
	struct error err = { 0 };

	must(store_delete(r->store, resource_of(rig_kind(kind)), str_from(ns), str_from(name), &opt,
		 &test_actor, &err),
	    &err);
}

struct str
rig_reason(const struct node *object, const char *type)
{
	struct node *list = node_path(object, "status.conditions");

	for (const struct node *c = node_first(list); c != NULL; c = c->next)
		if (str_is(node_get_str(node_find(c, "type")), type))
			return node_get_str(node_find(c, "reason"));
	return STR("");
}

void
rig_pass(struct rig *r, const struct controller *c, const char *ns, const char *name)
{
	struct reconcile_result result = { 0 };
	const struct object *o = NULL;
	struct error err = { 0 };

	must(store_get(r->store, resource_of(c->kind), str_from(ns), str_from(name), &o, &err),
	    &err);
	must(c->reconcile(&r->cx, o, &result, &err), &err);
	object_unref(o);
}

void
rig_wait(const _Atomic int *value, int want)
{
	struct timespec step = { .tv_sec = 0, .tv_nsec = 2 * 1000 * 1000 };

	for (int i = 0; i < 5000 && *value < want; i++)
		(void)nanosleep(&step, NULL);
	if (*value < want)
		fail_msg("%d instead of %d within ten seconds", *value, want);
}
