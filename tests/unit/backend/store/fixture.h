#ifndef TESTS_UNIT_BACKEND_STORE_FIXTURE_H
#define TESTS_UNIT_BACKEND_STORE_FIXTURE_H

/* A profile's directory with the embedded store in it, for tests of the store itself. */

#include <fcntl.h>
#include <sys/stat.h>

#include "backend/runtime/clock.h"
#include "backend/store/embedded.h"
#include "backend/store/secrets.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/kinds/aks_cluster.h"
#include "model/kinds/external.h"
#include "model/kinds/secret.h"
#include "tests/unit/backend/store/tempdir.h"

struct fixture {
	char dir[TEMPDIR_MAX];
	char path[TEMPDIR_MAX + 64];
	struct clock *clock;
	struct secret_box *box;
	struct arena *a;
	struct store *st;
	struct error err;
};

static const struct actor fixture_actor = { .manager = "test", .user = "ada", .from = "tty1" };

static inline int
fixture_setup(void **state)
{
	static struct fixture f;

	f = (struct fixture){ 0 };
	tempdir_make(f.dir);
	f.clock = clock_new_manual(INT64_C(1764500000000));
	f.a = arena_new((size_t)256 * 1024 * 1024);
	*state = &f;
	return 0;
}

static inline int
fixture_teardown(void **state)
{
	struct fixture *f = *state;

	store_close(f->st);
	secret_box_free(f->box);
	arena_free(f->a);
	clock_free(f->clock);
	tempdir_remove(f->dir);
	return 0;
}

static inline const char *
fixture_file(struct fixture *f, const char *name)
{
	(void)snprintf(f->path, sizeof f->path, "%s/%s", f->dir, name);
	return f->path;
}

static inline bool
fixture_try(struct fixture *f, bool read_only)
{
	struct embedded_options opt = {
		.dir = f->dir, .clock = f->clock, .secrets = f->box, .read_only = read_only
	};

	return embedded_open(&opt, &f->st, &f->err);
}

static inline void
fixture_open(struct fixture *f)
{
	if (!fixture_try(f, false))
		fail_msg("%s", f->err.message);
}

static inline void
fixture_close(struct fixture *f)
{
	store_close(f->st);
	f->st = NULL;
}

static inline void
fixture_seal(struct fixture *f)
{
	if (!secret_box_open(f->dir, &f->box, &f->err))
		fail_msg("%s", f->err.message);
}

/* A small object: an External, which the store keeps as it is. */
static inline struct node *
fixture_external(struct fixture *f, const char *name)
{
	struct node *n = node_map(f->a);
	struct node *meta = node_make_path(f->a, n, "metadata");

	node_set_strz(f->a, n, "apiVersion", "flightdeck.dev/v1alpha1");
	node_set_strz(f->a, n, "kind", "External");
	node_set_strz(f->a, meta, "namespace", "ml");
	node_set_strz(f->a, meta, "name", name);
	node_set_strz(f->a, node_make_path(f->a, n, "spec"), "key", name);
	return n;
}

static inline bool
fixture_add(struct fixture *f, const char *name)
{
	return store_create(f->st, resource_of(&external_kind), fixture_external(f, name),
	    &fixture_actor, NULL, &f->err);
}

static inline bool
fixture_has(struct fixture *f, const char *name)
{
	const struct object *o = NULL;
	bool has =
	    store_get(f->st, resource_of(&external_kind), STR("ml"), str_from(name), &o, &f->err);

	object_unref(o);
	return has;
}

static inline size_t
fixture_count(struct fixture *f)
{
	struct object_list l = { 0 };
	size_t n;

	if (!store_list(f->st, resource_of(&external_kind), NULL, &l, &f->err))
		fail_msg("%s", f->err.message);
	n = l.n;
	object_list_fini(&l);
	return n;
}

#define T(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

#endif
