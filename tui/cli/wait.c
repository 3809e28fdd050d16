/*
 * wait: until each object has a condition, or is gone. An object that has no conditions yet, or is
 * not there yet when it is named, is waited for too.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "model/base/mem.h"
#include "tui/cli/request.h"

enum { WAIT_ARENA = 256 * 1024 * 1024, LOOK_MS = 500, LEAST_MS = 20 };

struct goal {
	bool gone;
	struct str type, status;
};

struct wait_options {
	const char *condition; /* "condition=Ready", "condition=Ready=False", "delete", "create" */
	const char *ns;
	const char *selector;
	bool all;
	int64_t timeout_ms;
	struct goal goal; /* what `condition` says */
};

static bool
goal_parse(const char *text, struct goal *ret, struct error *err)
{
	struct str rest = str_from(text), piece;

	*ret = (struct goal){ .status = STR("True") };
	if (str_is(rest, "delete")) {
		ret->gone = true;
		return true;
	}
	if (!str_split(&rest, '=', &piece) || !str_is(piece, "condition") ||
	    !str_split(&rest, '=', &ret->type) || ret->type.n == 0) {
		(void)error_set(err, ERR_USAGE, "--for: '%s' is not understood", text);
		error_advise(err, "write condition=Ready, condition=Ready=False or delete");
		return false;
	}
	if (rest.p != NULL)
		ret->status = rest;
	return true;
}

static bool
goal_met(const struct goal *g, const struct node *object)
{
	const struct node *list = node_path(object, "status.conditions");
	int64_t generation = node_path_int(object, "metadata.generation", 0);

	for (struct node *c = node_first(list); c != NULL; c = c->next) {
		if (!str_eq(node_get_str(node_find(c, "type")), g->type))
			continue;
		/* A condition of an older spec says nothing about this one. */
		if (node_get_int(node_find(c, "observedGeneration"), generation) < generation)
			return false;
		return str_eq_nocase(node_get_str(node_find(c, "status")), g->status);
	}
	return false;
}

static int64_t
real_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* What one look at all targets found. */
struct look {
	size_t left;	 /* objects that are not there yet */
	size_t seen;	 /* objects that were wanted */
	size_t first;	 /* objects that a watch of the first target begins with */
	struct text why; /* names what is left */
	struct text met; /* a line for each object that is there */
};

static void
note_left(struct look *look, const struct target *t, struct str name, const char *how)
{
	look->left++;
	text_printf(&look->why, "%s%s/" STR_FMT "%s", look->why.n > 0 ? ", " : "",
	    t->kind->singular, STR_ARG(name), how);
}

static void
note_met(struct look *look, const struct target *t, struct str name)
{
	cli_object_name(t->kind, name, &look->met);
	text_add(&look->met, " condition met\n");
}

static void
look_at(const struct target *t, const struct node *items, const struct goal *g, struct look *look)
{
	size_t hits = 0;

	for (const struct node *x = node_first(items); x != NULL; x = x->next) {
		struct str name = node_path_str(x, "metadata.name");

		if (t->name.n > 0 && !str_eq(name, t->name))
			continue;
		hits++;
		if (!g->gone && goal_met(g, x))
			note_met(look, t, name);
		else
			note_left(look, t, name, "");
	}
	if (hits == 0 && t->name.n > 0 && g->gone)
		note_met(look, t, t->name);
	else if (hits == 0 && t->name.n > 0)
		note_left(look, t, t->name, " (not there)");
	look->seen += hits;
}

static bool
look_once(struct backend *b, const struct target *targets, size_t n, const struct wait_options *o,
    struct look *look, struct error *err)
{
	struct arena *a = arena_new(WAIT_ARENA);
	bool ok = a != NULL || error_set(err, ERR_NO_MEMORY, "no memory");

	look->left = look->seen = 0;
	text_clear(&look->why);
	text_clear(&look->met);
	for (size_t i = 0; ok && i < n; i++) {
		struct backend_list l = { 0 };

		ok = backend_list(
		    b, a, targets[i].kind, str_from(o->ns), str_from(o->selector), &l, err);
		if (ok)
			look_at(&targets[i], l.items, &o->goal, look);
		if (i == 0)
			look->first = targets[0].name.n > 0 ? look->seen : node_count(l.items);
	}
	arena_free(a);
	return ok;
}

struct pause {
	size_t first, seen;
};

/* A watch begins with what is there; what comes after that is a change worth a look. */
static bool
stop_at_change(void *context, bool deleted UNUSED, const struct node *object UNUSED)
{
	struct pause *p = context;

	p->seen++;
	return p->seen <= p->first;
}

/* Until something changes, LOOK_MS at most, and LEAST_MS at least: looking has its price too. */
static void
pause_for_change(
    struct backend *b, const struct target *t, const struct wait_options *o, size_t first)
{
	struct pause p = { .first = first };
	int64_t start = real_ms();
	struct error quiet = { 0 };

	(void)!backend_watch(
	    b, t->kind, str_from(o->ns), t->name, LOOK_MS, stop_at_change, &p, &quiet);
	if (real_ms() - start < LEAST_MS)
		(void)poll(NULL, 0, LEAST_MS);
}

/* Nobody reconciles, or the owner went while it was asked: another one may be starting. */
static bool
is_left_alone(const struct backend *b, bool looked, const struct error *err)
{
	return looked ? !backend_is_attended(b) : err->code == ERR_NETWORK;
}

static bool
wait_for(struct backend **b, const struct target *targets, size_t n, const struct wait_options *o,
    struct error *err)
{
	int64_t end = real_ms() + o->timeout_ms;
	struct look look = { .why = TEXT_INIT(16384), .met = TEXT_INIT(4UL * 1024 * 1024) };
	bool ok;

	for (;;) {
		error_clear(err);
		ok = look_once(*b, targets, n, o, &look, err);
		if (ok && look.left == 0)
			break;
		if (is_left_alone(*b, ok, err)) {
			ok = cli_reattach(b, err);
			if (ok)
				continue;
		}
		if (!ok)
			break;
		if (real_ms() > end) {
			ok = error_set(err, ERR_TIMEOUT, "timed out waiting for %s: %s",
			    o->condition, text_get(&look.why));
			error_advise(err, "'flightdeck tree ic/NAME' shows what it waits for");
			break;
		}
		pause_for_change(*b, &targets[0], o, look.first);
	}
	if (ok && look.seen == 0 && !o->goal.gone)
		ok = error_set(err, ERR_NOT_FOUND, "no matching %s", targets[0].kind->plural);
	else if (ok)
		cli_out_clean(text_str(&look.met));
	text_free(&look.why);
	text_free(&look.met);
	return ok;
}

int
cli_wait(int argc, char **argv)
{
	struct wait_options o = { .condition = "condition=Ready", .timeout_ms = 30000 };
	const struct option options[] = {
		{ "for", 0, OPT_TEXT, &o.condition, "WHAT", "condition=TYPE[=STATUS] or delete" },
		{ "all", 0, OPT_FLAG, &o.all, NULL, "every object of the kind" },
		{ "namespace", 'n', OPT_TEXT, &o.ns, "NS", "only this namespace" },
		{ "selector", 'l', OPT_TEXT, &o.selector, "LABELS",
		    "only what carries the labels" },
		{ "timeout", 0, OPT_DURATION, &o.timeout_ms, "TIME", "real time (30s)" },
	};
	struct args args = { 0 };
	struct target *targets = NULL;
	struct backend *b = NULL;
	struct error err = { 0 };
	size_t n = 0;
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	if (args.words.n == 0)
		code = cli_usage("wait", "wait for what? 'flightdeck wait ic --all'");
	else if (!goal_parse(o.condition, &o.goal, &err))
		code = cli_usage("wait", "%s; %s", err.message, err.advice);
	else if (!cli_targets(&args.words, &targets, &n, &err))
		code = cli_fail(&err);
	else if (targets[0].name.n == 0 && !o.all && o.selector == NULL)
		code = cli_usage("wait", "name an object, or add --all or -l");
	else
		code =
		    cli_open(BACKEND_CLIENT, false, &b, &err) && wait_for(&b, targets, n, &o, &err)
			? 0
			: cli_fail(&err);
	backend_close(b);
	mem_free(targets);
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}
