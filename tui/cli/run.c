/*
 * run: the backend without a screen, for systemd and for tests. SIGTERM or SIGINT end it in order:
 * no new work, what runs is finished or parked, the store is closed.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tui/cli/cli.h"

int
cli_run(int argc, char **argv)
{
	struct args args = { 0 };
	struct backend *b = NULL;
	struct error err = { 0 };
	sigset_t set;
	int code, fd;

	if (!cli_args(argc, argv, NULL, 0, &args, &code))
		return code;
	code = args.words.n + args.rest.n > 0 ? cli_usage("run", "it takes no words") : 0;
	args_fini(&args, NULL, 0);
	if (code != 0)
		return code;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGHUP);
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL); /* before the first thread */
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (fd < 0) {
		(void)error_set(&err, ERR_INTERNAL, "cannot listen to signals");
		return cli_fail(&err);
	}
	if (cli_open(BACKEND_OWNER, false, &b, &err)) {
		(void)printf("flightdeck: running on %s\n", backend_state_dir(b));
		(void)fflush(stdout);
		code = backend_run(b, fd, &err) ? 0 : cli_fail(&err);
	} else {
		code = cli_fail(&err);
	}
	backend_close(b);
	(void)close(fd);
	return code;
}
