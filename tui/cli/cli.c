#include "tui/cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "model/display.h"
#include "model/yaml.h"
#include "tui/app.h"
#include "tui/cli/model_verbs.h"

/* clang-format off */
static const struct verb verbs[] = {
	{ "apply",      cli_apply,      "-f FILE... [--dry-run]",            "create or change what the manifests say, all or nothing", false },
	{ "completion", cli_completion, "bash|zsh|fish",                     "print a shell completion script", false },
	{ "crds",       cli_crds,       "[KIND...]",                         "export the kinds as CustomResourceDefinitions", false },
	{ "delete",     cli_delete,     "KIND/NAME... | -f FILE [--yes]",    "delete, foreground, after naming what blocks it", false },
	{ "describe",   cli_describe,   "KIND/NAME",                         "show one object with its conditions and events", false },
	{ "events",     cli_events,     "[KIND/NAME]",                       "show what happened, newest last", false },
	{ "explain",    cli_explain,    "KIND[.FIELD...]",                   "say what a field means", false },
	{ "get",        cli_get,        "KIND [NAME...] [-o FORMAT]",        "list objects", false },
	{ "help",       cli_help,       "[VERB]",                            "show this, or a verb's options", false },
	{ "kubeconfig", cli_kubeconfig, "ic/NAME",                           "print the kubeconfig of a cluster", false },
	{ "login",      cli_login,      "azure --file FILE",                 "store a credential, encrypted", false },
	{ "plan",       cli_plan,       "-f FILE...",                        "show what would be made, without making it", false },
	{ "practice",   cli_practice,   "[--empty] [--speed N] [-- CMD...]", "the console, or a command, on the flight simulator", true },
	{ "run",        cli_run,        "",                                  "the backend without a screen, until SIGTERM", true },
	{ "scale",      cli_scale,      "ic/NAME --pool POOL --nodes N",     "change the size of a pool", false },
	{ "sim",        cli_sim,        "inventory|requests|endpoints",      "ask the running simulator", false },
	{ "taint",      cli_taint,      "ic/NAME KEY[=VALUE]:EFFECT",        "keep new work off a cluster, or drain it", false },
	{ "tree",       cli_tree,       "ic/NAME",                           "show everything a cluster is made of", false },
	{ "untaint",    cli_untaint,    "ic/NAME KEY[:EFFECT]",              "take a taint away", false },
	{ "upgrade",    cli_upgrade,    "ic/NAME --version V",               "change the Kubernetes version", false },
	{ "validate",   cli_validate,   "-f FILE... [-o FORMAT]",            "check manifests; nothing is stored", false },
	{ "version",    cli_version,    "",                                  "print the version", false },
	{ "wait",       cli_wait,       "KIND/NAME|--all --for=CONDITION",   "wait for a condition or for deletion", false },
};
/* clang-format on */

const struct verb *
verbs_get(size_t *ret_n)
{
	*ret_n = ARRAY_LEN(verbs);
	return verbs;
}

const struct verb *
verb_find(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
		if (str_is(name, verbs[i].name))
			return &verbs[i];
	}
	return NULL;
}

void
cli_out(struct str text)
{
	if (fwrite(text.p, 1, text.n, stdout) != text.n)
		return; /* a closed pipe: SIGPIPE is ignored, the exit code stays the verb's */
}

void
cli_out_clean(struct str text)
{
	struct text clean = TEXT_INIT(64UL * 1024 * 1024);

	display_add_lines(&clean, text);
	cli_out(text_str(&clean));
	text_free(&clean);
}

static void
complain(const char *prefix, const char *message)
{
	struct text clean = TEXT_INIT(8192);

	display_add_lines(&clean, str_from(message));
	(void)fprintf(stderr, "%s%s\n", prefix, text_get(&clean));
	text_free(&clean);
}

int
cli_fail(const struct error *err)
{
	(void)fflush(stdout);
	complain("flightdeck: ", err->message);
	for (unsigned i = 0; i < err->ncauses; i++)
		complain("  because ", err->cause[i]);
	if (error_advice(err)[0] != '\0')
		complain("  -> ", error_advice(err));
	return error_exit_code(err);
}

int
cli_usage(const char *verb, const char *fmt, ...)
{
	const struct verb *v = verb_find(str_from(verb));
	char message[ERROR_MESSAGE_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(message, sizeof message, fmt, ap);
	va_end(ap);
	complain("flightdeck: ", message);
	(void)fprintf(stderr, "usage: flightdeck %s %s\n", verb, v == NULL ? "" : v->usage);
	return 2;
}

bool
cli_args(
    int argc, char **argv, const struct option *options, size_t n, struct args *ret, int *ret_code)
{
	const struct verb *v = verb_find(str_from(argv[0]));
	struct text help = TEXT_INIT(16384);
	struct error err = { 0 };

	if (!args_parse(argc, argv, options, n, ret, &err)) {
		args_fini(ret, options, n);
		*ret_code = cli_usage(
		    argv[0], "%s%s%s", err.message, err.advice[0] != '\0' ? "; " : "", err.advice);
		return false;
	}
	if (!ret->help)
		return true;
	text_printf(&help, "usage: flightdeck %s %s\n\n%s\n\n", argv[0], v == NULL ? "" : v->usage,
	    v == NULL ? "" : v->help);
	args_help(&help, options, n);
	cli_out(text_str(&help));
	text_free(&help);
	args_fini(ret, options, n);
	*ret_code = 0;
	return false;
}

int
cli_problems(const struct problems *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct text line = TEXT_INIT(8192);
		struct problem one = p->items[i];

		if (one.file == NULL || one.file[0] == '\0') {
			one.file = NULL; /* of a stored object: its lines mean nothing to people */
			one.line = 0;
		}
		problem_format(&one, &line);
		complain(one.severity == SEVERITY_WARNING ? "warning: " : "", text_get(&line));
		text_free(&line);
	}
	return p->nerrors > 0 ? 3 : 0;
}

bool
cli_open(enum backend_mode mode, bool snapshots, struct backend **ret, struct error *err)
{
	struct backend_options opt = { .mode = mode, .snapshots = snapshots };

	return backend_open(&opt, ret, err);
}

bool
cli_nobody_works(struct error *err)
{
	(void)error_set(
	    err, ERR_TIMEOUT, "nothing works on this profile now: what was asked is stored");
	error_advise(err, "open the console or start 'flightdeck run', which go on with it");
	return false;
}

enum { REATTACH_TRIES = 25, REATTACH_PAUSE_MS = 200 };

bool
cli_reattach(struct backend **b, struct error *err)
{
	for (int i = 0; i < REATTACH_TRIES; i++) {
		backend_close(*b); /* with the store open here no owner could start */
		*b = NULL;
		(void)poll(NULL, 0, REATTACH_PAUSE_MS);
		if (!cli_open(BACKEND_CLIENT, false, b, err))
			return false;
		if (backend_is_attended(*b))
			return true;
	}
	return cli_nobody_works(err);
}

static bool
unknown_kind(struct str word, struct error *err)
{
	const char *names[64];
	const char *near;
	size_t n;
	const struct kind *const *kinds = kinds_get(&n);
	size_t count = 0;

	for (size_t i = 0; i < n && count < ARRAY_LEN(names); i++)
		names[count++] = kinds[i]->plural;
	near = suggest(word, names, count);
	(void)error_set(err, ERR_USAGE, "there is no kind '" STR_FMT "'", STR_ARG(word));
	if (near != NULL)
		error_advise(err, "did you mean '%s'?", near);
	return false;
}

struct target_list {
	struct target *items;
	size_t n, cap;
};

static bool
target_add(struct target_list *l, struct target t, struct error *err)
{
	if (!mem_grow((void **)&l->items, &l->cap, l->n + 1, sizeof *l->items))
		return error_set(err, ERR_NO_MEMORY, "no memory for the command line");
	l->items[l->n++] = t;
	return true;
}

/* "ic" or "ic,icl": all objects of each when it is the only word. *ret_kind: of the words after. */
static bool
add_kinds(struct target_list *l, struct str word, bool alone, const struct kind **ret_kind,
    struct error *err)
{
	struct str rest = word, piece;

	while (str_split(&rest, ',', &piece)) {
		*ret_kind = kind_find_word(piece);
		if (*ret_kind == NULL)
			return unknown_kind(piece, err);
		if (alone && !target_add(l, (struct target){ .kind = *ret_kind }, err))
			return false;
	}
	return true;
}

/* "ic/NAME", or a name of the kind that came before. */
static bool
add_named(struct target_list *l, struct str word, const struct kind *kind, struct error *err)
{
	ptrdiff_t slash = str_find_char(word, '/');
	struct target t = { .kind = kind, .name = word };

	if (slash >= 0) {
		t.kind = kind_find_word(str_sub(word, 0, (size_t)slash));
		t.name = str_sub(word, (size_t)slash + 1, word.n);
	}
	if (t.kind == NULL)
		return unknown_kind(str_sub(word, 0, (size_t)slash), err);
	return target_add(l, t, err);
}

/* "ic a b" names two of one kind; "ic/a icl/b" one each; "ic,icl" all of two kinds. */
bool
cli_targets(const struct words *w, struct target **ret, size_t *ret_n, struct error *err)
{
	struct target_list l = { 0 };
	const struct kind *kind = NULL;

	for (size_t i = 0; i < w->n; i++) {
		struct str word = str_from(w->items[i]);
		bool names_kind = kind == NULL && str_find_char(word, '/') < 0;

		if (names_kind ? !add_kinds(&l, word, w->n == 1, &kind, err)
			       : !add_named(&l, word, kind, err)) {
			mem_free(l.items);
			return false;
		}
	}
	*ret = l.items;
	*ret_n = l.n;
	return true;
}

void
cli_object_name(const struct kind *k, struct str name, struct text *out)
{
	text_add(out, k->singular);
	if (k->group[0] != '\0')
		text_printf(out, ".%s", k->group);
	text_add_char(out, '/');
	text_add_str(out, name);
}

bool
cli_read(const char *file, size_t limit, struct text *ret, struct error *err)
{
	struct text got = TEXT_INIT(limit);
	bool ok = false;
	char buf[16384];
	ssize_t n;
	int fd = STDIN_FILENO;

	if (strcmp(file, "-") != 0)
		fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		(void)error_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO,
		    "cannot open '%s': %s", file, strerrordesc_np(errno));
		error_advise(err, "check the path and its permissions");
		return false;
	}
	while ((n = read(fd, buf, sizeof buf)) > 0 || (n < 0 && errno == EINTR)) {
		if (n > 0)
			text_add_str(&got, (struct str){ buf, (size_t)n });
		if (got.too_long)
			break;
	}
	if (n < 0)
		(void)error_set(err, ERR_IO, "cannot read '%s': %s", file, strerrordesc_np(errno));
	else
		ok = text_ok(&got, file, err);
	if (fd != STDIN_FILENO)
		(void)close(fd);
	if (ok)
		*ret = got;
	else
		text_free(&got);
	return ok;
}

static bool
read_one(const char *file, struct manifest_set *m, struct error *err)
{
	struct text bytes = { 0 };
	const char *name;

	if (!cli_read(file, YAML_MAX_BYTES + 1, &bytes, err))
		return false;
	name = arena_printf(m->arena, "%s", file);
	/* A parse error has become a problem of the set, which is reported with the others. */
	(void)!manifest_set_add(m, name == NULL ? "-" : name, text_str(&bytes));
	text_free(&bytes);
	return true;
}

static bool
read_folder(const char *folder, struct manifest_set *m, struct error *err)
{
	struct dirent **entries = NULL;
	int n = scandir(folder, &entries, NULL, alphasort);
	bool ok = n >= 0;
	int found = 0;

	if (n < 0)
		return error_set(
		    err, ERR_IO, "cannot list '%s': %s", folder, strerrordesc_np(errno));
	for (int i = 0; i < n; i++) {
		struct str name = str_from(entries[i]->d_name);
		bool wanted = str_ends(name, STR(".yaml")) || str_ends(name, STR(".yml")) ||
			      str_ends(name, STR(".json"));

		if (ok && wanted) {
			struct text path = TEXT_INIT(4096);

			found++;
			text_printf(&path, "%s/%s", folder, entries[i]->d_name);
			ok = text_ok(&path, "path", err) && read_one(text_get(&path), m, err);
			text_free(&path);
		}
		(free)(entries[i]); /* scandir's own */
	}
	(free)(entries);
	if (ok && found == 0)
		return error_set(
		    err, ERR_NOT_FOUND, "no .yaml, .yml or .json file in '%s'", folder);
	return ok;
}

bool
cli_read_manifests(const struct words *files, struct manifest_set *m, struct error *err)
{
	for (size_t i = 0; i < files->n; i++) {
		struct stat st;
		bool folder = stat(files->items[i], &st) == 0 && S_ISDIR(st.st_mode);

		if (folder ? !read_folder(files->items[i], m, err)
			   : !read_one(files->items[i], m, err))
			return false;
	}
	return true;
}

bool
cli_confirm(const char *question, struct str expected)
{
	char line[512];
	size_t n = 0;
	char c;

	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return false;
	(void)fflush(stdout);
	complain("", question);
	while (read(STDIN_FILENO, &c, 1) == 1 && c != '\n') {
		if (n < sizeof line)
			line[n++] = c;
	}
	return str_eq((struct str){ line, n }, expected);
}

int
cli_help(int argc, char **argv)
{
	struct text out = TEXT_INIT(16384);

	if (argc > 1) {
		const struct verb *v = verb_find(str_from(argv[1]));
		char help[] = "--help";
		char *words[] = { argv[1], help, NULL };

		if (v == NULL)
			return cli_usage("help", "there is no verb '%s'", argv[1]);
		return v->run == cli_help ? 0 : v->run(2, words);
	}
	text_add(&out, "usage: flightdeck [VERB]\n\nWithout a verb it opens the console.\n\n");
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		text_printf(&out, "  %-11s %s\n", verbs[i].name, verbs[i].help);
	text_add(&out, "\n'flightdeck help VERB' shows a verb's options.\n");
	cli_out(text_str(&out));
	text_free(&out);
	return 0;
}

static int
open_console(int argc, char **argv)
{
	struct app_options app = { 0 };
	const struct option options[] = {
		{ "profile", 0, OPT_TEXT, &app.profile, "NAME", "the fleet to open" },
		{ "read-only", 0, OPT_FLAG, &app.read_only, NULL, "refuse every change" },
		{ "theme", 0, OPT_TEXT, &app.theme, "NAME", "colours" },
		{ "no-color", 0, OPT_FLAG, &app.no_color, NULL, "attributes only, as NO_COLOR" },
		{ "plain", 0, OPT_FLAG, &app.plain, NULL, "lines instead of a screen" },
		{ "script", 0, OPT_TEXT, &app.script, "FILE", "keys from a file, no terminal" },
	};
	struct args args = { 0 };
	struct error err = { 0 };
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	code = app_run(&app, &err);
	args_fini(&args, options, ARRAY_LEN(options));
	return err.code == ERR_NONE ? code : cli_fail(&err);
}

/* main blocks them for the verbs that end in order; a store survives the end of its process. */
static void
end_by_signals(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGHUP);
	(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* A manifest or kubeconfig cut by a full disk must not look like a whole one. */
static int
output_kept(int code)
{
	bool broken = fflush(stdout) != 0 || ferror(stdout) != 0;

	if (!broken || code != 0)
		return code;
	if (errno != EPIPE) /* who reads no further knows */
		(void)fprintf(
		    stderr, "flightdeck: cannot write the output: %s\n", strerrordesc_np(errno));
	return 1;
}

int
cli_main(int argc, char **argv)
{
	const char *names[ARRAY_LEN(verbs)];
	const struct verb *v;
	const char *near;

	if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return cli_help(1, argv);
	if (argc > 1 && strcmp(argv[1], "--version") == 0)
		return cli_version(1, argv + 1);
	if (argc < 2 || argv[1][0] == '-')
		return open_console(argc, argv);
	v = verb_find(str_from(argv[1]));
	if (v != NULL) {
		if (!v->hears_signals)
			end_by_signals();
		return output_kept(v->run(argc - 1, argv + 1));
	}
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		names[i] = verbs[i].name;
	near = suggest(str_from(argv[1]), names, ARRAY_LEN(names));
	if (near != NULL)
		return cli_usage(
		    "help", "there is no verb '%s'; did you mean '%s'?", argv[1], near);
	return cli_usage("help", "there is no verb '%s'", argv[1]);
}
