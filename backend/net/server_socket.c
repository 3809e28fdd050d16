#include "backend/net/server_int.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 128, SOCKET_MODE = 0600 };

static int
fail(int fd, struct error *err, const char *what)
{
	error_set(err, ERR_IO, "cannot listen on %s: %s", what, strerrorname_np(errno));
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

int
listen_tcp(const char *host, unsigned short port, unsigned short *ret_port, struct error *err)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(port) };
	socklen_t n = sizeof(in);
	const char *name = host != NULL ? host : "127.0.0.1";
	int one = 1;
	int fd = -1;

	if (inet_pton(AF_INET, name, &in.sin_addr) != 1) {
		error_set(err, ERR_INVALID, "'%s' is not an IPv4 address to listen on", name);
		return -1;
	}
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fail(fd, err, name);
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (const struct sockaddr *)&in, sizeof(in)) != 0 || listen(fd, BACKLOG) != 0 ||
	    getsockname(fd, (struct sockaddr *)&in, &n) != 0)
		return fail(fd, err, name);
	*ret_port = ntohs(in.sin_port);
	return fd;
}

/* Nobody listens there any more: the file may go. */
static bool
is_left_over(const struct sockaddr_un *un)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return false;
	bool dead =
	    connect(fd, (const struct sockaddr *)un, sizeof(*un)) != 0 && errno == ECONNREFUSED;

	(void)close(fd);
	return dead;
}

int
listen_unix(const char *path, struct error *err)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	struct stat st;
	size_t n = strlen(path);
	int fd = -1;

	if (n >= sizeof(un.sun_path)) {
		error_set(err, ERR_INVALID,
		    "socket path '%s' is longer than %zu bytes: use a shorter state directory",
		    path, sizeof(un.sun_path) - 1);
		return -1;
	}
	memcpy(un.sun_path, path, n);
	if (lstat(path, &st) == 0) {
		if (!S_ISSOCK(st.st_mode) || !is_left_over(&un)) {
			error_set(err, ERR_REFUSED, "'%s' is in use", path);
			return -1;
		}
		(void)unlink(path);
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fail(fd, err, path);
	/* Nobody can connect before listen, so the mode is right in time. */
	if (bind(fd, (const struct sockaddr *)&un, sizeof(un)) != 0 ||
	    chmod(path, SOCKET_MODE) != 0 || listen(fd, BACKLOG) != 0)
		return fail(fd, err, path);
	return fd;
}
