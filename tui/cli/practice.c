/*
 * practice: the console, or a command, on the flight simulator. Without a command the fleet stays
 * in the profile "practice" and is there again next time. With a command the profile is a directory
 * of its own that goes when the command ends, unless FLIGHTDECK_STATE_DIR names one.
 */
#include "tui/cli/practice.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "model/yaml.h"
#include "tui/app.h"

enum { PRACTICE_ARENA = 64 * 1024 * 1024 };

static const double FLEET_WORKLOAD = 0.7; /* share of the fleet's GPUs that is in use */

struct practice {
	bool empty, no_backend;
	double speed;
	const char *fault;
	const char *theme;
	char *temporary; /* directory to remove, or NULL */
	struct arena *arena;
	struct simulator sim;
};

static int
remove_entry(
    const char *path, const struct stat *st UNUSED, int kind UNUSED, struct FTW *ftw UNUSED)
{
	return remove(path);
}

/* NOLINTBEGIN(concurrency-mt-unsafe): the environment is read and set before the first thread */

/* Chooses the profile and puts it into the environment, for the command and for us. */
static bool
choose_profile(struct practice *p, bool with_command, struct error *err)
{
	const char *given = getenv("FLIGHTDECK_STATE_DIR");
	const char *base = getenv("TMPDIR");

	if (given != NULL && given[0] != '\0')
		return true;
	if (!with_command)
		return setenv("FLIGHTDECK_PROFILE", p->empty ? "practice-empty" : "practice", 1) ==
			   0 ||
		       error_set(err, ERR_NO_MEMORY, "no memory for the environment");
	{
		char *path = arena_printf(p->arena, "%s/flightdeck-practice-XXXXXX",
		    base == NULL || base[0] != '/' ? "/tmp" : base);

		if (path == NULL || mkdtemp(path) == NULL)
			return error_set(err, ERR_IO, "cannot make a directory for practice: %s",
			    strerrordesc_np(errno));
		p->temporary = path;
		return setenv("FLIGHTDECK_STATE_DIR", path, 1) == 0 ||
		       error_set(err, ERR_NO_MEMORY, "no memory for the environment");
	}
}

/* NOLINTEND(concurrency-mt-unsafe) */

static struct node *
named_object(struct arena *a, const char *kind, const char *ns, const char *name)
{
	struct node *o = node_map(a);
	struct node *meta = node_map(a);

	node_set_strz(a, o, "apiVersion", "v1");
	node_set_strz(a, o, "kind", kind);
	node_set(a, o, "metadata", meta);
	node_set_strz(a, meta, "name", name);
	if (ns != NULL)
		node_set_strz(a, meta, "namespace", ns);
	return o;
}

/* ClusterProviderConfig "default" of Azure, as the manuals write it. */
static struct node *
azure_config(struct arena *a)
{
	struct node *config = named_object(a, "ClusterProviderConfig", NULL, "default");
	struct node *credentials = node_make_path(a, config, "spec.credentials");
	struct node *ref = node_map(a);

	node_set_strz(a, config, "apiVersion", "azure.m.upbound.io/v1beta1");
	node_set_strz(a, credentials, "source", "Secret");
	node_set(a, credentials, "secretRef", ref);
	node_set_strz(a, ref, "namespace", "crossplane-system");
	node_set_strz(a, ref, "name", "azure-credentials");
	node_set_strz(a, ref, "key", "credentials.json");
	return config;
}

/* The Secret that the manuals' Azure config names, that config, and the namespaces. */
static void
credential_manifests(struct arena *a, const struct node *endpoints, struct text *out)
{
	struct node *secret = named_object(a, "Secret", "crossplane-system", "azure-credentials");
	struct node *data = node_map(a);
	struct text encoded = TEXT_INIT(256UL * 1024);

	text_add_base64(&encoded, node_get_str(node_find(endpoints, "azureCredentialsJson")));
	node_set_strz(a, data, "credentials.json", text_get(&encoded));
	node_set(a, secret, "data", data);
	node_set_strz(a, secret, "type", "Opaque");
	yaml_write(out, named_object(a, "Namespace", NULL, "crossplane-system"));
	text_add(out, "\n---\n");
	yaml_write(out, named_object(a, "Namespace", NULL, "modelplane-system"));
	text_add(out, "\n---\n");
	yaml_write(out, secret);
	text_add(out, "\n---\n");
	yaml_write(out, azure_config(a));
	explicit_bzero(encoded.p, encoded.cap);
	text_free(&encoded);
}

static bool
apply_text(struct backend *b, struct arena *a, const char *name, struct str yaml, struct error *err)
{
	struct apply_result *results;
	struct manifest_set m;
	size_t n;

	manifest_set_init(&m, a);
	if (!manifest_set_add(&m, name, yaml) || !backend_apply(b, &m, false, &results, &n, err)) {
		if (cli_problems(&m.problems) != 0)
			(void)error_set(err, ERR_INVALID, "the practice fleet was not accepted");
		return false;
	}
	return true;
}

/* Credentials, and a fleet worth looking at unless the profile has one or none is wanted. */
static bool
seed(struct practice *p, const struct node *endpoints, struct error *err)
{
	struct text yaml = TEXT_INIT(1024UL * 1024), fleet = { 0 };
	struct backend *b = NULL;
	struct backend_list clusters = { 0 };
	char word[] = "fleet";
	char *args[] = { word, NULL };
	bool ok = false;

	credential_manifests(p->arena, endpoints, &yaml);
	if (!cli_open(BACKEND_CLIENT, false, &b, err) ||
	    !apply_text(b, p->arena, "practice", text_str(&yaml), err))
		goto out;
	if (!p->empty) {
		if (!backend_list(
			b, p->arena, kind_find_word(STR("ic")), STR(""), STR(""), &clusters, err))
			goto out;
		if (node_count(clusters.items) == 0 &&
		    (!simulator_ask(args, &fleet, err) ||
			!apply_text(b, p->arena, "practice-fleet", text_str(&fleet), err)))
			goto out;
	}
	ok = true;
out:
	if (yaml.p != NULL)
		explicit_bzero(yaml.p, yaml.cap);
	text_free(&yaml);
	text_free(&fleet);
	backend_close(b);
	return ok;
}

static bool
spawn_command(char *const argv[], pid_t *ret_pid, struct error *err)
{
	posix_spawnattr_t attr;
	sigset_t none, all;
	int rc;

	(void)sigemptyset(&none);
	(void)sigfillset(&all);
	if (posix_spawnattr_init(&attr) != 0)
		return error_set(err, ERR_NO_MEMORY, "no memory for a process");
	(void)posix_spawnattr_setsigmask(&attr, &none);
	(void)posix_spawnattr_setsigdefault(&attr, &all);
	(void)posix_spawnattr_setflags(
	    &attr, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
	rc = posix_spawnp(ret_pid, argv[0], NULL, &attr, argv, environ);
	(void)posix_spawnattr_destroy(&attr);
	if (rc != 0)
		return error_set(
		    err, ERR_NOT_FOUND, "cannot run '%s': %s", argv[0], strerrordesc_np(rc));
	return true;
}

/* Waits for the command; hands SIGTERM, SIGHUP and SIGINT on to it. Its exit status, shell style.
 */
static int
wait_command(pid_t pid)
{
	sigset_t set;
	int fd, status = 0;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGHUP);
	(void)sigaddset(&set, SIGINT);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		struct signalfd_siginfo info;

		if (fd < 0 || read(fd, &info, sizeof info) != (ssize_t)sizeof info)
			continue;
		/* From a terminal the whole group, so also the command, has had its SIGINT. */
		if (info.ssi_signo != SIGCHLD &&
		    !(info.ssi_signo == SIGINT && info.ssi_code == SI_KERNEL))
			(void)kill(pid, (int)info.ssi_signo);
	}
	if (fd >= 0)
		(void)close(fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int
run_command(struct practice *p, const struct words *command, struct error *err)
{
	char **argv = mem_array(command->n + 1, sizeof *argv);
	struct backend *b = NULL;
	int code = 1;
	sigset_t set;
	pid_t pid = 0;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL); /* before the first thread */

	if (argv == NULL) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory");
		return 1;
	}
	for (size_t i = 0; i < command->n; i++)
		argv[i] = arena_printf(p->arena, "%s", command->items[i]);
	if ((p->no_backend || cli_open(BACKEND_OWNER, false, &b, err)) &&
	    spawn_command(argv, &pid, err))
		code = wait_command(pid);
	backend_close(b);
	mem_free(argv);
	return code;
}

static int
run(struct practice *p, const struct words *command, struct error *err)
{
	struct practice_settings settings = { .speed = p->speed };
	const struct simulator_options sim = {
		.settings = &settings, .fault = p->fault, .workload = p->empty ? 0 : FLEET_WORKLOAD
	};
	struct node *endpoints = NULL;
	int code = 1;

	if (!choose_profile(p, command->n > 0, err) || !backend_practice_prepare(&settings, err) ||
	    !simulator_start(&sim, p->arena, &p->sim, &endpoints, err))
		return 1;
	if (backend_practice_save(&settings, endpoints, err) && seed(p, endpoints, err)) {
		if (command->n > 0) {
			code = run_command(p, command, err);
		} else {
			struct app_options app = { .theme = p->theme };

			code = app_run(&app, err);
		}
	}
	simulator_stop(&p->sim);
	return code;
}

int
cli_practice(int argc, char **argv)
{
	struct practice p = { 0 };
	const struct option options[] = {
		{ "empty", 0, OPT_FLAG, &p.empty, NULL, "start without a fleet" },
		{ "speed", 0, OPT_NUMBER, &p.speed, "N", "how much faster time runs (60)" },
		{ "fault", 0, OPT_TEXT, &p.fault, "SPEC",
		    "faults of the clouds; 'help' lists them" },
		{ "no-backend", 0, OPT_FLAG, &p.no_backend, NULL,
		    "only the simulator: the command runs 'flightdeck run' itself" },
		{ "theme", 0, OPT_TEXT, &p.theme, "NAME", "colours of the console" },
	};
	struct args args = { 0 };
	struct error err = { 0 };
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	p.arena = arena_new(PRACTICE_ARENA);
	if (args.words.n > 0 || (args.rest.n == 0 && p.no_backend)) {
		code = cli_usage("practice", "a command stands after --");
	} else if (p.arena == NULL) {
		(void)error_set(&err, ERR_NO_MEMORY, "no memory");
		code = cli_fail(&err);
	} else {
		code = run(&p, &args.rest, &err);
		if (err.code != ERR_NONE)
			code = cli_fail(&err);
		if (p.temporary != NULL)
			/* NOLINTNEXTLINE(concurrency-mt-unsafe): the other threads have ended */
			(void)nftw(p.temporary, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	}
	arena_free(p.arena);
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}

/* The simulator answers for itself: the same words, for the profile of the environment. */
int
cli_sim(int argc, char **argv)
{
	struct practice_settings settings = { 0 };
	struct error err = { 0 };
	char *words[16] = { NULL };
	char dir_word[] = "--dir";
	char *path;

	if (argc < 2)
		return cli_usage("sim", "inventory, requests or endpoints?");
	if (argc > 10)
		return cli_usage("sim", "too many words");
	if (!backend_practice_prepare(&settings, &err) || (path = simulator_path(&err)) == NULL)
		return cli_fail(&err);
	words[0] = path;
	for (int i = 1; i < argc; i++)
		words[i] = argv[i];
	words[argc] = dir_word;
	words[argc + 1] = settings.dir;
	(void)execv(path, words);
	(void)error_set(&err, ERR_IO, "cannot run '%s': %s", path, strerrordesc_np(errno));
	mem_free(path);
	return cli_fail(&err);
}
