/*
 * delete: foreground, after it has named what would block it. Without --yes it wants the name typed
 * on a terminal; without a terminal it refuses.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "model/base/mem.h"
#include "tui/cli/request.h"

enum { DELETE_ARENA = 64 * 1024 * 1024, FLEET_WAIT_MS = 5000, LOOK_MS = 1000, PAUSE_MS = 200 };

struct delete_options {
	struct words files;
	const char *ns;
	bool yes, wait, ignore_missing;
	int64_t timeout_ms;
};

/* What people should know before they say yes; false when something blocks it now. */
static bool
print_blockers(const struct fleet *f, const struct target *t)
{
	const struct fleet_cluster *c;

	if (f == NULL || strcmp(t->kind->kind, "InferenceCluster") != 0)
		return true;
	c = fleet_cluster_find(f, t->name);
	if (c == NULL)
		return true;
	(void)fprintf(stderr, "InferenceCluster/" STR_FMT ": %u pool%s", STR_ARG(c->name),
	    c->npools, c->npools == 1 ? "" : "s");
	if (c->gpus >= 0)
		(void)fprintf(stderr, ", %lld GPU%s", (long long)c->gpus, c->gpus == 1 ? "" : "s");
	(void)fputc('\n', stderr);
	for (size_t i = 0; i < c->nblockers; i++)
		(void)fprintf(stderr, "  blocked by " STR_FMT "\n", STR_ARG(c->blockers[i]));
	return c->nblockers == 0;
}

static struct str
ns_of(const struct target *t, const struct delete_options *o)
{
	return o->ns != NULL ? str_from(o->ns) : t->ns;
}

static bool
stop_when_deleted(void *context, bool deleted, const struct node *object UNUSED)
{
	bool *gone = context;

	*gone = deleted;
	return !deleted;
}

static int64_t
real_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

enum sight { SIGHT_THERE, SIGHT_GONE, SIGHT_ALONE, SIGHT_LOST };

/* One look: there, gone, without anybody who works on it, or not to be seen (err says why). */
static enum sight
look_once(struct backend *b, const struct target *t, struct str ns, struct error *err)
{
	struct arena *a = arena_new(DELETE_ARENA);
	struct node *object = NULL;
	struct error look = { 0 };
	bool there = a != NULL && backend_get(b, a, t->kind, ns, t->name, &object, &look);

	arena_free(a);
	if (there)
		return backend_is_attended(b) ? SIGHT_THERE : SIGHT_ALONE;
	if (look.code == ERR_NOT_FOUND)
		return SIGHT_GONE;
	if (look.code == ERR_NETWORK)
		return SIGHT_ALONE; /* the owner just went: another one may be starting */
	*err = look;
	(void)error_wrap(err, "cannot see whether %s '" STR_FMT "' is gone", t->kind->singular,
	    STR_ARG(t->name));
	return SIGHT_LOST;
}

/* Until it goes, LOOK_MS at most. Time-outs of the watch are its normal end. */
static bool
watch_it_go(struct backend *b, const struct target *t, struct str ns)
{
	struct error quiet = { 0 };
	bool gone = false;

	if (!backend_watch(b, t->kind, ns, t->name, LOOK_MS, stop_when_deleted, &gone, &quiet) &&
	    quiet.code != ERR_TIMEOUT)
		(void)poll(NULL, 0, PAUSE_MS);
	return gone;
}

/* Looks, then watches for a moment, again and again: an object gone in between is seen too. */
static bool
wait_gone(struct backend **b, const struct target *t, struct str ns, int64_t timeout_ms,
    struct error *err)
{
	int64_t end = real_ms() + timeout_ms;

	for (;;) {
		switch (look_once(*b, t, ns, err)) {
		case SIGHT_GONE:
			return true;
		case SIGHT_LOST:
			return false;
		case SIGHT_ALONE:
			if (!cli_reattach(b, err))
				return false;
			continue;
		case SIGHT_THERE:
			break;
		}
		if (real_ms() > end) {
			(void)error_set(err, ERR_TIMEOUT, "%s '" STR_FMT "' is still being deleted",
			    t->kind->singular, STR_ARG(t->name));
			error_advise(
			    err, "it goes on by itself; 'flightdeck tree' shows what is left");
			return false;
		}
		if (watch_it_go(*b, t, ns))
			return true;
	}
}

static bool
confirm_all(struct backend *b, const struct target *targets, size_t n,
    const struct delete_options *o, struct error *err)
{
	struct error quiet = { 0 };
	const struct fleet *f = backend_fleet_wait(b, FLEET_WAIT_MS, &quiet);
	bool free_to_go = true;
	struct text question = TEXT_INIT(1024);
	bool said;

	for (size_t i = 0; i < n; i++)
		free_to_go = print_blockers(f, &targets[i]) && free_to_go;
	fleet_unref(f);
	if (!free_to_go)
		(void)fputs("it will wait until nothing blocks it any more\n", stderr);
	if (o->yes)
		return true;
	if (n == 1)
		text_printf(&question,
		    "Type the name '" STR_FMT "' to delete it:", STR_ARG(targets[0].name));
	else
		text_printf(&question, "Type 'delete %zu' to delete these %zu objects:", n, n);
	if (n == 1) {
		said = cli_confirm(text_get(&question), targets[0].name);
	} else {
		char expected[40];
		int len = snprintf(expected, sizeof expected, "delete %zu", n);

		said = cli_confirm(text_get(&question), (struct str){ expected, (size_t)len });
	}
	text_free(&question);
	if (said)
		return true;
	(void)error_set(err, ERR_REFUSED, "not confirmed: nothing was deleted");
	error_advise(err, "without a terminal add --yes");
	return false;
}

/* What is not there is said before anybody is asked to confirm. */
static bool
check_there(struct backend *b, const struct target *targets, size_t n,
    const struct delete_options *o, struct error *err)
{
	bool ok = true;

	for (size_t i = 0; ok && !o->ignore_missing && i < n; i++) {
		struct arena *a = arena_new(DELETE_ARENA);
		struct node *object;

		ok = a != NULL ? backend_get(b, a, targets[i].kind, ns_of(&targets[i], o),
				     targets[i].name, &object, err)
			       : error_set(err, ERR_NO_MEMORY, "no memory");
		arena_free(a);
	}
	return ok;
}

static void
say(const struct target *t, const char *what)
{
	struct text line = TEXT_INIT(1024);

	cli_object_name(t->kind, t->name, &line);
	text_add(&line, what);
	cli_out_clean(text_str(&line));
	(void)fflush(stdout);
	text_free(&line);
}

static bool
delete_one(
    struct backend *b, const struct target *t, const struct delete_options *o, struct error *err)
{
	struct request *r = cli_request(REQUEST_DELETE, t, o->ns);
	struct reply *reply = NULL;
	bool ok;

	if (r == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory");
	ok = backend_call(b, &r, &reply, err);
	if (ok && !reply->ok) {
		*err = reply->err;
		ok = err->code == ERR_NOT_FOUND && o->ignore_missing;
	}
	if (ok)
		say(t, o->wait ? " deleting\n" : " marked for deletion\n");
	reply_free(reply);
	request_free(r);
	return ok;
}

static bool
is_in_use(const struct error *err)
{
	return strcmp(error_reason(err), "InUse") == 0;
}

/* Waits for the targets from *io_gone up to n, and says each. */
static bool
wait_all(struct backend **b, const struct target *targets, size_t *io_gone, size_t n,
    const struct delete_options *o, struct error *err)
{
	for (; *io_gone < n; (*io_gone)++) {
		if (!wait_gone(
			b, &targets[*io_gone], ns_of(&targets[*io_gone], o), o->timeout_ms, err))
			return false;
		say(&targets[*io_gone], " deleted\n");
	}
	return true;
}

static int
delete_all(const struct target *targets, size_t n, const struct delete_options *o)
{
	struct backend *b = NULL;
	struct error err = { 0 };
	size_t gone = 0;
	bool ok;

	ok = cli_open(BACKEND_CLIENT, true, &b, &err) && check_there(b, targets, n, o, &err) &&
	     confirm_all(b, targets, n, o, &err);
	for (size_t i = 0; ok && i < n; i++) {
		ok = delete_one(b, &targets[i], o, &err);
		if (ok || !o->wait || i == gone || !is_in_use(&err))
			continue;
		/* what uses it may be what was asked to go before it */
		error_clear(&err);
		ok =
		    wait_all(&b, targets, &gone, i, o, &err) && delete_one(b, &targets[i], o, &err);
	}
	if (ok && o->wait)
		ok = wait_all(&b, targets, &gone, n, o, &err);
	backend_close(b);
	return ok ? 0 : cli_fail(&err);
}

/* What a document names; whether it is valid beyond that does not matter for going. */
static bool
target_of(const struct document *d, struct target *ret, struct error *err)
{
	*ret = (struct target){
		.kind = kind_find(node_get_str(node_find(d->object, "apiVersion")),
		    node_get_str(node_find(d->object, "kind"))),
		.name = node_path_str(d->object, "metadata.name"),
		.ns = node_path_str(d->object, "metadata.namespace"),
	};
	if (ret->kind != NULL && ret->name.n > 0)
		return true;
	return error_set(
	    err, ERR_INVALID, "%s:%u: names no object of a known kind", d->file, (unsigned)d->line);
}

/* The objects of manifests, last first, so that what depends goes before what it depends on. */
static bool
targets_of_files(const struct words *files, struct arena *a, struct target **ret, size_t *ret_n,
    struct error *err)
{
	struct manifest_set m;
	struct target *items;

	manifest_set_init(&m, a);
	if (!cli_read_manifests(files, &m, err))
		return false;
	items = mem_array(m.ndocs == 0 ? 1 : m.ndocs, sizeof *items);
	if (items == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory");
	*ret_n = 0;
	for (size_t i = m.ndocs; i > 0; i--) {
		if (!target_of(&m.docs[i - 1], &items[*ret_n], err)) {
			mem_free(items);
			return false;
		}
		(*ret_n)++;
	}
	*ret = items;
	return true;
}

int
cli_delete(int argc, char **argv)
{
	struct delete_options o = { .wait = true, .timeout_ms = 3600LL * 1000 };
	const struct option options[] = {
		{ "filename", 'f', OPT_TEXTS, &o.files, "FILE", "delete what the manifests name" },
		{ "namespace", 'n', OPT_TEXT, &o.ns, "NS", "its namespace" },
		{ "yes", 'y', OPT_FLAG, &o.yes, NULL, "do not ask" },
		{ "wait", 0, OPT_FLAG, &o.wait, NULL,
		    "until everything is gone (--wait=false: do not)" },
		{ "timeout", 0, OPT_DURATION, &o.timeout_ms, "TIME", "how long to wait (1h)" },
		{ "ignore-not-found", 0, OPT_FLAG, &o.ignore_missing, NULL,
		    "what is gone already is fine" },
	};
	struct args args = { 0 };
	struct target *targets = NULL;
	struct error err = { 0 };
	struct arena *a = NULL;
	size_t n = 0;
	bool named = true;
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	a = arena_new(DELETE_ARENA);
	if (a == NULL || (o.files.n > 0 ? !targets_of_files(&o.files, a, &targets, &n, &err)
					: !cli_targets(&args.words, &targets, &n, &err))) {
		code = cli_fail(&err);
	} else {
		for (size_t i = 0; i < n; i++)
			named = named && targets[i].name.n > 0;
		if (n == 0 || !named)
			code = cli_usage("delete", "name what to delete, as in ic/NAME");
		else
			code = delete_all(targets, n, &o);
	}
	mem_free(targets);
	arena_free(a);
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}
