#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/net/http.h"
#include "backend/sim/faults.h"
#include "backend/sim/files.h"
#include "backend/sim/fleet.h"
#include "backend/sim/inventory.h"
#include "backend/sim/ledger.h"
#include "backend/sim/sim.h"
#include "model/base/mem.h"

/*
 * flightdeck-sim: the simulator as a program of its own. `serve` runs until it is told to end or
 * its parent dies; the other verbs look at the files of a running or ended one.
 */

enum { OUT_MAX = 1024 * 1024 * 1024 };

static const char usage[] =
    "usage: flightdeck-sim VERB [options]\n\n"
    "  serve       run the simulated Azure on loopback\n"
    "  inventory   what exists in it (-o json)\n"
    "  requests    what was asked of it (-o json, --acting)\n"
    "  endpoints   where it is and how to sign in\n"
    "  fleet       manifests of a fleet to practise on\n\n"
    "  --dir DIR          profile directory (default: FLIGHTDECK_STATE_DIR)\n"
    "  --speed N          how much faster than real time (1)\n"
    "  --epoch MS         from when on time runs faster, as the profile says\n"
    "  --fault SPEC       what goes wrong; --fault help lists it\n"
    "  --seed N           of the faults and the workload\n"
    "  --workload F       share of the GPUs that a workload holds, 0 to 1 (0)\n"
    "  --ready-fd FD      one line of JSON goes there once it serves\n"
    "  --detach           do not end with the parent\n";

struct arguments {
	const char *verb;
	const char *dir;
	const char *faults;
	double speed, workload;
	int64_t epoch_ms;
	int64_t seed;
	int64_t ready_fd; /* -1: none */
	bool json, acting, detach;
};

enum arg_type { ARG_TEXT, ARG_NUMBER, ARG_SHARE, ARG_WHOLE, ARG_YES };

struct arg_row {
	const char *name;
	enum arg_type type;
	size_t off;
};

static const struct arg_row arg_rows[] = {
	{ "--dir", ARG_TEXT, offsetof(struct arguments, dir) },
	{ "--fault", ARG_TEXT, offsetof(struct arguments, faults) },
	{ "--speed", ARG_NUMBER, offsetof(struct arguments, speed) },
	{ "--workload", ARG_SHARE, offsetof(struct arguments, workload) },
	{ "--epoch", ARG_WHOLE, offsetof(struct arguments, epoch_ms) },
	{ "--seed", ARG_WHOLE, offsetof(struct arguments, seed) },
	{ "--ready-fd", ARG_WHOLE, offsetof(struct arguments, ready_fd) },
	{ "--acting", ARG_YES, offsetof(struct arguments, acting) },
	{ "--detach", ARG_YES, offsetof(struct arguments, detach) },
};

static void
say(int fd, const char *text)
{
	(void)fd_write_all(fd, str_from(text)); /* nobody is left to be told */
}

static int
complain(const struct error *err)
{
	say(STDERR_FILENO, "flightdeck-sim: ");
	say(STDERR_FILENO, err->message);
	say(STDERR_FILENO, "\n");
	return error_exit_code(err);
}

static bool
arg_store(struct arguments *a, const struct arg_row *row, const char *value, struct error *err)
{
	void *at = (char *)a + row->off;
	bool ok = true;

	switch (row->type) {
	case ARG_TEXT:
		*(const char **)at = value;
		break;
	case ARG_NUMBER:
		ok = str_to_double(str_from(value), at) && *(double *)at > 0;
		break;
	case ARG_SHARE:
		ok = str_to_double(str_from(value), at) && *(double *)at >= 0 && *(double *)at <= 1;
		break;
	case ARG_WHOLE:
		ok = str_to_int(str_from(value), at) && *(int64_t *)at >= 0;
		break;
	case ARG_YES:
		*(bool *)at = true;
		break;
	}
	return ok || error_set(err, ERR_USAGE, "'%s' is no value for %s", value, row->name);
}

static const struct arg_row *
arg_find(const char *word)
{
	for (size_t i = 0; i < ARRAY_LEN(arg_rows); i++) {
		if (strcmp(word, arg_rows[i].name) == 0)
			return &arg_rows[i];
	}
	return NULL;
}

static bool
arguments_read(int argc, char **argv, struct arguments *a, struct error *err)
{
	if (argc < 2)
		return error_set(err, ERR_USAGE, "what to do? See --help");
	a->verb = argv[1];
	for (int i = 2; i < argc; i++) {
		const struct arg_row *row = arg_find(argv[i]);

		if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) {
			a->json = strcmp(argv[++i], "json") == 0;
			continue;
		}
		if (row == NULL)
			return error_set(
			    err, ERR_USAGE, "unknown option '%s'; see --help", argv[i]);
		if (row->type != ARG_YES && i + 1 == argc)
			return error_set(err, ERR_USAGE, "%s needs a value", row->name);
		if (!arg_store(a, row, row->type != ARG_YES ? argv[++i] : "", err))
			return false;
	}
	return true;
}

/* ---- verbs ---- */

static bool
print(struct text *out, bool ok)
{
	if (ok)
		(void)fd_write_all(STDOUT_FILENO, text_str(out)); /* the reader has gone */
	text_free(out);
	return ok;
}

static bool
wait_for_end(const struct arguments *a, struct sim *s, const sigset_t *signals, struct error *err)
{
	struct text ready = TEXT_INIT((size_t)256 * 1024);
	int caught = 0;
	bool ok = true;

	if (a->ready_fd >= 0) {
		ok = sim_endpoints(s, &ready, err);
		text_add_char(&ready, '\n');
		if (ok && !fd_write_all((int)a->ready_fd, text_str(&ready)))
			ok = error_set(err, ERR_IO, "cannot write to the descriptor of --ready-fd");
		(void)close((int)a->ready_fd); /* it is written */
	}
	text_free(&ready);
	if (ok)
		(void)sigwait(signals, &caught); /* whichever comes */
	return ok;
}

static bool
serve(const struct arguments *a, struct error *err)
{
	const struct sim_options opt = { .dir = a->dir,
		.speed = a->speed,
		.epoch_ms = a->epoch_ms,
		.faults = a->faults,
		.seed = (uint64_t)a->seed,
		.workload = a->workload };
	struct text help = TEXT_INIT((size_t)64 * 1024);
	struct sim *s = NULL;
	sigset_t signals;
	bool ok;

	if (a->faults != NULL && strcmp(a->faults, "help") == 0) {
		faults_help(&help);
		return print(&help, true);
	}
	(void)umask(077);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)sigemptyset(&signals);
	(void)sigaddset(&signals, SIGTERM);
	(void)sigaddset(&signals, SIGINT);
	(void)sigaddset(&signals, SIGHUP);
	(void)pthread_sigmask(SIG_BLOCK, &signals, NULL); /* inherited by every thread */
	if (!a->detach) {
		pid_t parent = getppid();

		(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			return true; /* it died meanwhile */
	}
	if (!sim_start(&opt, &s, err))
		return false;
	ok = wait_for_end(a, s, &signals, err);
	sim_stop(s);
	return ok;
}

static bool
inventory(const struct arguments *a, const char *dir, struct error *err)
{
	struct text out = TEXT_INIT(OUT_MAX);

	return print(&out, inventory_print(dir, a->json, &out, err));
}

static bool
requests(const struct arguments *a, const char *dir, struct error *err)
{
	struct text out = TEXT_INIT(OUT_MAX);

	return print(&out, ledger_print(dir, a->json, a->acting, &out, err));
}

static bool
endpoints(const struct arguments *a, const char *dir, struct error *err)
{
	struct text out = TEXT_INIT(OUT_MAX);

	(void)a;
	return print(&out, file_read_in(dir, "endpoints.json", &out, err));
}

static bool
fleet(const struct arguments *a, const char *dir, struct error *err)
{
	struct text out = TEXT_INIT(OUT_MAX);

	(void)a;
	(void)dir;
	fleet_write(&out);
	return print(&out, text_ok(&out, "fleet", err));
}

static bool
serve_verb(const struct arguments *a, const char *dir, struct error *err)
{
	(void)dir;
	return serve(a, err);
}

static const struct {
	const char *word;
	bool needs_dir;
	bool (*run)(const struct arguments *a, const char *dir, struct error *err);
} verbs[] = {
	{ "serve", true, serve_verb },
	{ "inventory", true, inventory },
	{ "requests", true, requests },
	{ "endpoints", true, endpoints },
	{ "fleet", false, fleet },
};

static bool
run(struct arguments *a, struct error *err)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before threads */
	const char *env = getenv("FLIGHTDECK_STATE_DIR");
	struct text dir = TEXT_INIT(4096);
	bool help = a->faults != NULL && strcmp(a->faults, "help") == 0;
	bool ok = false, found = false;

	if (a->dir == NULL)
		a->dir = env;
	text_printf(&dir, "%s/sim", a->dir != NULL ? a->dir : "");
	for (size_t i = 0; i < ARRAY_LEN(verbs) && !found; i++) {
		if (strcmp(a->verb, verbs[i].word) != 0)
			continue;
		found = true;
		if (verbs[i].needs_dir && a->dir == NULL && !help)
			error_set(err, ERR_USAGE, "--dir DIR is needed (or FLIGHTDECK_STATE_DIR)");
		else
			ok = verbs[i].run(a, text_get(&dir), err);
	}
	if (!found)
		error_set(err, ERR_USAGE, "no verb '%s'; see --help", a->verb);
	text_free(&dir);
	return ok;
}

int
main(int argc, char **argv)
{
	struct arguments a = { .verb = "", .speed = 1, .ready_fd = -1 };
	struct error err = { 0 };

	if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)) {
		say(STDOUT_FILENO, usage);
		return 0;
	}
	if (!arguments_read(argc, argv, &a, &err) || !run(&a, &err))
		return complain(&err);
	return 0;
}
