/*
 * The program: one-time set-up that no other thread may race with, then the command line.
 */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/cli/cli.h"

/* Nothing of ours may end in a core file, and no other user may look into our memory. */
static void
keep_secrets_in(void)
{
	struct rlimit none = { 0, 0 };

	(void)setrlimit(RLIMIT_CORE, &none);
	(void)prctl(PR_SET_DUMPABLE, 0);
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	(void)umask(077);
}

/* Closed standard descriptors would be taken by the next file that is opened. */
static bool
standard_descriptors(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
		if (fd < 0)
			return false;
	} while (fd <= STDERR_FILENO);
	(void)close(fd);
	return true;
}

/* Every thread inherits this; main loops hear the signals through a descriptor. */
static void
block_signals(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGHUP);
	(void)sigaddset(&set, SIGCHLD);
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
}

int
main(int argc, char **argv)
{
	if (!standard_descriptors())
		return 1;
	if (getuid() != geteuid() || getgid() != getegid()) {
		(void)fputs("flightdeck: must not be set-user-ID or set-group-ID\n", stderr);
		return 7;
	}
	(void)setlocale(LC_CTYPE, ""); /* NOLINT(concurrency-mt-unsafe): no other thread yet */
	keep_secrets_in();
	block_signals();
	return cli_main(argc, argv);
}
