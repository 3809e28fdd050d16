#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "backend/runtime/clock.h"
#include "backend/store/embedded.h"
#include "backend/store/secrets.h"
#include "tests/unit/backend/store/conformance.h"
#include "tests/unit/backend/store/tempdir.h"

/* Three ways to have it: in memory, on disk without syncs, on disk with syncs and sealed secrets.
 */
struct way {
	bool memory, fast, sealed;
	char dir[TEMPDIR_MAX];
	struct clock *clock;
	struct secret_box *box;
	long blocks;
};

static struct store *
fresh(void *ctx)
{
	struct way *w = ctx;
	struct embedded_options opt = { .fast = w->fast };
	struct store *st = NULL;
	struct error err;

	w->blocks = mem_live_blocks();
	w->clock = clock_new_manual(INT64_C(1764500000000));
	opt.clock = w->clock;
	if (!w->memory) {
		tempdir_make(w->dir);
		opt.dir = w->dir;
	}
	if (w->sealed && !secret_box_open(w->dir, &w->box, &err))
		fail_msg("%s", err.message);
	opt.secrets = w->box;
	if (!embedded_open(&opt, &st, &err))
		fail_msg("%s", err.message);
	return st;
}

static void
done(void *ctx, struct store *st)
{
	struct way *w = ctx;

	store_close(st);
	secret_box_free(w->box);
	w->box = NULL;
	clock_free(w->clock);
	if (!w->memory)
		tempdir_remove(w->dir);
	assert_int_equal(mem_live_blocks(), w->blocks); /* every case gives back all it took */
}

int
main(void)
{
	struct way ways[] = {
		{ .memory = true },
		{ .fast = true },
		{ .sealed = true },
	};
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		struct conformance of = { fresh, done, &ways[i] };

		failed += conformance_run(&of);
	}
	return failed;
}
