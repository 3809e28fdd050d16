/*
 * apply and plan: manifests in, all or nothing. Every error of every file is printed in one go, and
 * then nothing is stored.
 */
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/cli/cli.h"

enum { APPLY_ARENA = 256 * 1024 * 1024 };

static void
print_results(struct arena *a, const struct apply_result *results, size_t n, bool dry_run)
{
	for (size_t i = 0; i < n; i++)
		cli_out_clean(str_from(arena_printf(a, STR_FMT " %s%s\n",
		    STR_ARG(results[i].object), results[i].done, dry_run ? " (dry run)" : "")));
}

static int
apply_set(struct manifest_set *m, bool dry_run)
{
	struct apply_result *results = NULL;
	struct backend *b = NULL;
	struct error err = { 0 };
	size_t n = 0;
	int code;

	if (!cli_open(BACKEND_CLIENT, false, &b, &err))
		return cli_fail(&err);
	if (backend_apply(b, m, dry_run, &results, &n, &err)) {
		(void)cli_problems(&m->problems); /* warnings */
		print_results(m->arena, results, n, dry_run);
		code = 0;
	} else {
		code = cli_problems(&m->problems);
		if (code == 0)
			code = cli_fail(&err);
		else
			(void)fputs("nothing was stored\n", stderr);
	}
	backend_close(b);
	return code;
}

int
cli_apply(int argc, char **argv)
{
	struct words files = { 0 };
	bool dry_run = false;
	const struct option options[] = {
		{ "filename", 'f', OPT_TEXTS, &files, "FILE",
		    "a file, a folder, or - for standard input" },
		{ "dry-run", 0, OPT_FLAG, &dry_run, NULL, "check everything and store nothing" },
	};
	struct args args = { 0 };
	struct manifest_set m;
	struct error err = { 0 };
	struct arena *a;
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	a = arena_new(APPLY_ARENA);
	if (files.n == 0 || args.words.n > 0) {
		code = cli_usage(
		    "apply", files.n == 0 ? "-f FILE is missing" : "only -f FILE names files");
	} else if (a == NULL) {
		(void)error_set(&err, ERR_NO_MEMORY, "no memory");
		code = cli_fail(&err);
	} else {
		manifest_set_init(&m, a);
		code =
		    cli_read_manifests(&files, &m, &err) ? apply_set(&m, dry_run) : cli_fail(&err);
	}
	arena_free(a);
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}

/* One request to the backend for all files, so that classes and clusters see each other. */
static int
plan_files(const struct words *files)
{
	struct request *r = request_new(REQUEST_PLAN);
	struct text all = TEXT_INIT(16UL * 1024 * 1024);
	struct reply *reply = NULL;
	struct backend *b = NULL;
	struct error err = { 0 };
	bool ok = true;
	int code;

	if (r == NULL) {
		(void)error_set(&err, ERR_NO_MEMORY, "no memory");
		return cli_fail(&err);
	}
	for (size_t i = 0; ok && i < files->n; i++) {
		struct text one = { 0 };

		ok = cli_read(files->items[i], 4UL * 1024 * 1024, &one, &err);
		if (ok) {
			text_add(&all, "---\n");
			text_add_str(&all, text_str(&one));
			text_add_char(&all, '\n');
		}
		text_free(&one);
	}
	if (ok) {
		r->text = text_take(&all);
		ok = cli_open(BACKEND_CLIENT, false, &b, &err) && backend_call(b, &r, &reply, &err);
	}
	if (!ok) {
		code = cli_fail(&err);
	} else if (!reply->ok) {
		code = cli_problems(&reply->problems);
		if (code == 0)
			code = cli_fail(&reply->err);
	} else {
		(void)cli_problems(&reply->problems);
		cli_out_clean(str_from(reply->text));
		code = 0;
	}
	reply_free(reply);
	request_free(r);
	backend_close(b);
	text_free(&all);
	return code;
}

int
cli_plan(int argc, char **argv)
{
	struct words files = { 0 };
	const struct option options[] = {
		{ "filename", 'f', OPT_TEXTS, &files, "FILE", "a file, or - for standard input" },
	};
	struct args args = { 0 };
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	code = files.n == 0 ? cli_usage("plan", "-f FILE is missing") : plan_files(&files);
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}
