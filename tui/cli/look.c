/*
 * describe, kubeconfig, login, version: small verbs over one call each.
 */
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/cli/request.h"

enum { CREDENTIAL_MAX = 64 * 1024, KUBECONFIG_MAX = 1024 * 1024 };

int
cli_describe(int argc, char **argv)
{
	const char *ns = NULL;
	const struct option options[] = {
		{ "namespace", 'n', OPT_TEXT, &ns, "NS", "its namespace" },
	};
	struct args args = { 0 };
	struct target t;
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	if (cli_one_target("describe", &args.words, &t, &code)) {
		struct request *r = cli_request(REQUEST_DESCRIBE, &t, ns);

		code = cli_send(&r, NULL);
	}
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}

int
cli_kubeconfig(int argc, char **argv)
{
	struct args args = { 0 };
	struct text out = TEXT_INIT(KUBECONFIG_MAX);
	struct backend *b = NULL;
	struct error err = { 0 };
	struct target t;
	int code;

	if (!cli_args(argc, argv, NULL, 0, &args, &code))
		return code;
	if (cli_one_target("kubeconfig", &args.words, &t, &code)) {
		if (cli_open(BACKEND_CLIENT, false, &b, &err) &&
		    backend_kubeconfig(b, t.name, &out, &err)) {
			cli_out(text_str(&out));
			code = 0;
		} else {
			code = cli_fail(&err);
		}
		backend_close(b);
	}
	text_free(&out);
	args_fini(&args, NULL, 0);
	return code;
}

/* The credential comes from a file or standard input, never from the command line. */
int
cli_login(int argc, char **argv)
{
	const char *file = NULL, *name = "default";
	bool offline = false;
	const struct option options[] = {
		{ "file", 'f', OPT_TEXT, &file, "FILE", "the credential, or - for standard input" },
		{ "config", 0, OPT_TEXT, &name, "NAME", "the ClusterProviderConfig (default)" },
		{ "offline", 0, OPT_FLAG, &offline, NULL, "store it without trying it" },
	};
	struct args args = { 0 };
	struct text credential = { 0 };
	struct backend *b = NULL;
	struct error err = { 0 };
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	if (args.words.n != 1) {
		code = cli_usage("login", "which cloud? 'flightdeck login azure --file FILE'");
	} else if (file == NULL) {
		code = cli_usage("login", "--file FILE (or -) holds the credential");
	} else if (cli_read(file, CREDENTIAL_MAX, &credential, &err) &&
		   cli_open(BACKEND_CLIENT, false, &b, &err) &&
		   backend_login(
		       b, args.words.items[0], name, text_str(&credential), offline, &err)) {
		(void)printf("logged in: ClusterProviderConfig '%s'\n", name);
		code = 0;
	} else {
		code = cli_fail(&err);
	}
	if (credential.p != NULL)
		explicit_bzero(credential.p, credential.cap);
	text_free(&credential);
	backend_close(b);
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}

int
cli_version(int argc, char **argv)
{
	struct args args = { 0 };
	int code;

	if (!cli_args(argc, argv, NULL, 0, &args, &code))
		return code;
	args_fini(&args, NULL, 0);
	(void)printf("flightdeck %s\n", FLIGHTDECK_VERSION);
	return 0;
}
