/*
 * scale, upgrade, taint and untaint: each is one request about one InferenceCluster.
 */
#include <string.h>

#include "model/base/mem.h"
#include "tui/cli/request.h"

static bool
one_cluster(const char *verb, const struct words *w, struct target *ret, int *ret_code)
{
	if (!cli_one_target(verb, w, ret, ret_code))
		return false;
	if (strcmp(ret->kind->kind, "InferenceCluster") == 0)
		return true;
	*ret_code = cli_usage(
	    verb, "only an InferenceCluster can be changed so, not a %s", ret->kind->kind);
	return false;
}

static bool
set_text(struct request *r, const char *value)
{
	if (r == NULL)
		return false;
	r->text = mem_dupz(value);
	return r->text != NULL;
}

int
cli_scale(int argc, char **argv)
{
	const char *pool = NULL;
	int64_t nodes = -1, min = -1, max = -1;
	bool dry_run = false;
	const struct option options[] = {
		{ "pool", 'p', OPT_TEXT, &pool, "POOL", "which pool" },
		{ "nodes", 0, OPT_INT, &nodes, "N",
		    "nodes wanted (with an autoscaler: at creation)" },
		{ "min", 0, OPT_INT, &min, "N", "autoscaler's floor" },
		{ "max", 0, OPT_INT, &max, "N", "autoscaler's ceiling" },
		{ "dry-run", 0, OPT_FLAG, &dry_run, NULL, "check and store nothing" },
	};
	struct args args = { 0 };
	struct target t;
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	if (pool == NULL || strlen(pool) >= REQUEST_NAME_MAX) {
		code = cli_usage("scale", "--pool POOL says which pool");
	} else if (nodes < 0 && min < 0 && max < 0) {
		code = cli_usage("scale", "give --nodes, --min or --max");
	} else if (one_cluster("scale", &args.words, &t, &code)) {
		struct request *r = cli_request(REQUEST_SCALE, &t, NULL);

		if (r != NULL) {
			memcpy(r->pool, pool, strlen(pool) + 1);
			r->nodes = nodes;
			r->min = min;
			r->max = max;
			r->dry_run = dry_run;
		}
		code = cli_send(&r, &t);
	}
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}

int
cli_upgrade(int argc, char **argv)
{
	const char *version = NULL;
	bool dry_run = false;
	const struct option options[] = {
		{ "version", 0, OPT_TEXT, &version, "V", "Kubernetes version, such as 1.35" },
		{ "dry-run", 0, OPT_FLAG, &dry_run, NULL, "check and store nothing" },
	};
	struct args args = { 0 };
	struct target t;
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	if (version == NULL) {
		code = cli_usage("upgrade", "--version V says to which version");
	} else if (one_cluster("upgrade", &args.words, &t, &code)) {
		struct request *r = cli_request(REQUEST_UPGRADE, &t, NULL);

		if (!set_text(r, version)) {
			request_free(r);
			r = NULL;
		} else {
			r->dry_run = dry_run;
		}
		code = cli_send(&r, &t);
	}
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}

/* "ic/NAME TEXT" or "ic NAME TEXT": the last word is the taint. */
static int
change_taint(int argc, char **argv, enum request_verb verb)
{
	struct args args = { 0 };
	struct target t;
	int code;

	if (!cli_args(argc, argv, NULL, 0, &args, &code))
		return code;
	if (args.words.n < 2) {
		code = cli_usage(argv[0], "name a cluster and a taint");
	} else {
		const char *taint = args.words.items[--args.words.n];

		if (one_cluster(argv[0], &args.words, &t, &code)) {
			struct request *r = cli_request(verb, &t, NULL);

			if (!set_text(r, taint)) {
				request_free(r);
				r = NULL;
			}
			code = cli_send(&r, &t);
		}
	}
	args_fini(&args, NULL, 0);
	return code;
}

int
cli_taint(int argc, char **argv)
{
	return change_taint(argc, argv, REQUEST_TAINT);
}

int
cli_untaint(int argc, char **argv)
{
	return change_taint(argc, argv, REQUEST_UNTAINT);
}
