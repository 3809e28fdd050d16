#include "backend/backend_int.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backend/kube/client.h"
#include "backend/net/http.h"
#include "backend/runtime/log.h"
#include "backend/store/secrets.h"
#include "model/base/mem.h"

enum { ATTACH_TRIES = 25, ATTACH_PAUSE_MS = 200 };

#define SOCKET_NAME "flightdeck.sock"

/* ---- who we are ---- */

static void
identity_fill(struct backend *b)
{
	const char *ssh = secure_getenv("SSH_CONNECTION");
	struct passwd pw, *found = NULL;
	char buf[4096];

	if (getpwuid_r(getuid(), &pw, buf, sizeof(buf), &found) == 0 && found != NULL)
		(void)snprintf(
		    b->user, sizeof(b->user), "%.64s(%u)", found->pw_name, (unsigned)getuid());
	else
		(void)snprintf(b->user, sizeof(b->user), "uid-%u", (unsigned)getuid());
	if (ssh != NULL)
		(void)snprintf(b->from, sizeof(b->from), "ssh %.80s", ssh);
	else if (ttyname_r(STDIN_FILENO, buf, sizeof(buf)) == 0)
		(void)snprintf(b->from, sizeof(b->from), "%.100s", buf);
}

struct actor
backend_actor(const struct backend *b)
{
	return (struct actor){ .manager = b->manager, .user = b->user, .from = b->from };
}

bool
backend_may_write(const struct backend *b, struct error *err)
{
	if (!b->read_only)
		return true;
	if (b->cannot_write.code != ERR_NONE) {
		if (err != NULL)
			*err = b->cannot_write;
		return false;
	}
	(void)error_set(err, ERR_READ_ONLY, "profile '%s' is open for looking only%s%s",
	    b->profile->name, b->owner_text[0] != '\0' ? ": it is " : "", b->owner_text);
	return false;
}

/* ---- opening ---- */

static bool
embedded_try(struct backend *b, bool read_only, struct error *err)
{
	struct embedded_options opt = {
		.dir = b->profile->dir, .clock = b->clock, .read_only = read_only
	};

	if (b->box == NULL && !secret_box_open(b->profile->dir, &b->box, err))
		return false;
	opt.secrets = b->box;
	return embedded_open(&opt, &b->store, err);
}

static bool
attach_try(struct backend *b, struct error *err)
{
	char *path = profile_path(b->profile, SOCKET_NAME);
	struct kube_options opt = { .unix_socket = path, .manager = b->manager };
	struct kube_client *client = NULL;
	struct arena *a = arena_new(1024UL * 1024);
	struct str version;
	bool ok = false;

	if (path == NULL || a == NULL) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory to attach"); /* ok stays false */
		goto out;
	}
	if (!kube_client_new(&opt, &client, err) || !kube_version(client, a, &version, err) ||
	    !remote_store_new(&client, &b->store, err))
		goto out;
	b->attached = true;
	ok = true;
out:
	kube_client_free(client);
	arena_free(a);
	mem_free(path);
	return ok;
}

static void
pause_real(int ms)
{
	struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 };

	(void)nanosleep(&t, NULL);
}

/* Any other refusal (a link, another program's file, a loose key) is final, and keeps its advice.
 */
static bool
is_owned(const struct error *err)
{
	return err->code == ERR_REFUSED && strcmp(error_reason(err), "Owned") == 0;
}

/* With no space left nothing can be made true, but the fleet can be looked at. */
static bool
look_instead(struct backend *b, const struct error *why, struct error *err)
{
	b->read_only = true;
	b->cannot_write = *why;
	(void)snprintf(b->owner_text, sizeof(b->owner_text), "%.150s", why->message);
	if (embedded_try(b, true, NULL))
		return true;
	if (err != NULL)
		*err = *why;
	return false;
}

/* An owner may be starting (no socket yet) or ending (no lock any more): both take a moment. */
static bool
attach_or_open(struct backend *b, struct error *err)
{
	struct error owned, failed;

	for (int i = 0; i < ATTACH_TRIES; i++) {
		error_clear(&owned);
		error_clear(&failed);
		if (attach_try(b, &failed))
			return true;
		if (embedded_try(b, false, &owned))
			return true;
		/* one that takes the call and does not answer is stopped, or hangs: no use to wait
		 */
		if (!is_owned(&owned) || failed.code == ERR_TIMEOUT)
			break;
		pause_real(ATTACH_PAUSE_MS);
	}
	if (owned.code == ERR_DISK_FULL)
		return look_instead(b, &owned, err);
	if (err != NULL)
		*err = owned;
	if (is_owned(&owned) && failed.code != ERR_TIMEOUT)
		error_advise(
		    err, "its socket does not answer: end it, or try again when it has started");
	return false;
}

/* Whether a living owner answers on the profile's socket. */
static bool
owner_answers(struct backend *b)
{
	if (!attach_try(b, NULL))
		return false;
	store_close(b->store);
	b->store = NULL;
	b->attached = false;
	return true;
}

/* A verb without an owner holds the lock for a moment: only one that answers is another owner. */
static bool
open_owner(struct backend *b, struct error *err)
{
	struct error owned;

	for (int i = 0; i < ATTACH_TRIES; i++) {
		error_clear(&owned);
		if (embedded_try(b, false, &owned))
			return owner_start(b, &b->owner, err);
		if (!is_owned(&owned) || owner_answers(b))
			break;
		pause_real(ATTACH_PAUSE_MS);
	}
	if (err != NULL)
		*err = owned;
	return false;
}

static bool
open_auto(struct backend *b, struct error *err)
{
	struct error owned, failed;

	for (int i = 0; i < ATTACH_TRIES; i++) {
		error_clear(&owned);
		error_clear(&failed);
		if (embedded_try(b, false, &owned)) {
			b->owner_text[0] = '\0';
			return owner_start(b, &b->owner, err);
		}
		if (owned.code == ERR_DISK_FULL)
			return look_instead(b, &owned, err);
		if (!is_owned(&owned)) {
			if (err != NULL)
				*err = owned;
			return false;
		}
		(void)snprintf(b->owner_text, sizeof(b->owner_text), "%.150s", owned.message);
		if (attach_try(b, &failed))
			return true;
		if (failed.code == ERR_TIMEOUT)
			break;
		pause_real(ATTACH_PAUSE_MS);
	}
	b->read_only = true;
	return embedded_try(b, true, err);
}

static bool
open_observe(struct backend *b, struct error *err)
{
	b->read_only = true;
	if (attach_try(b, NULL))
		return true;
	return embedded_try(b, true, err);
}

static bool
open_store(struct backend *b, enum backend_mode mode, struct error *err)
{
	switch (mode) {
	case BACKEND_OWNER:
		return open_owner(b, err);
	case BACKEND_CLIENT:
		return attach_or_open(b, err);
	case BACKEND_AUTO:
		return open_auto(b, err);
	case BACKEND_OBSERVE:
		return open_observe(b, err);
	}
	return error_set(err, ERR_INTERNAL, "no such mode");
}

static bool
wake_open(struct backend *b, struct error *err)
{
	if (pipe2(b->wake, O_CLOEXEC | O_NONBLOCK) == 0)
		return true;
	b->wake[0] = b->wake[1] = -1;
	return error_set(err, ERR_IO, "cannot make a pipe: error %d", errno);
}

/* The log is the owner's; a file that cannot be opened is no reason not to work. */
static void
log_start(struct backend *b)
{
	char *path = profile_path(b->profile, "flightdeck.log");
	int fd = -1;

	if (path != NULL)
		fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	log_open(fd, secure_getenv("FLIGHTDECK_DEBUG") != NULL ? LOG_DEBUG : LOG_INFO);
	mem_free(path);
}

static bool
parts_start(struct backend *b, const struct backend_options *opt, struct error *err)
{
	if (!http_global_init(err) || !profile_load(opt->profile, &b->profile, err))
		return false;
	b->clock = clock_new(b->profile->speed, b->profile->epoch_ms);
	if (b->clock == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a clock");
	if (opt->mode == BACKEND_OWNER || opt->mode == BACKEND_AUTO)
		log_start(b);
	if (!wake_open(b, err) || !open_store(b, opt->mode, err))
		return false;
	if (!requests_start(b, &b->requests, err))
		return false;
	return !opt->snapshots || snapshots_start(b, &b->snapshots, err);
}

bool
backend_open(const struct backend_options *opt, struct backend **ret_backend, struct error *err)
{
	struct backend *b = mem_new(sizeof(*b));

	if (b == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a backend");
	b->wake[0] = b->wake[1] = -1;
	b->read_only = opt->read_only || opt->mode == BACKEND_OBSERVE;
	b->one_look = opt->mode == BACKEND_CLIENT;
	(void)snprintf(b->manager, sizeof(b->manager), "%.60s",
	    opt->manager != NULL ? opt->manager : "flightdeck");
	identity_fill(b);
	if (!parts_start(b, opt, err)) {
		backend_close(b);
		return false;
	}
	*ret_backend = b;
	return true;
}

void
backend_close(struct backend *b)
{
	if (b == NULL)
		return;
	snapshots_stop(b->snapshots);
	requests_stop(b->requests);
	owner_stop(b->owner);
	store_close(b->store);
	secret_box_free(b->box);
	if (b->wake[0] >= 0)
		(void)close(b->wake[0]);
	if (b->wake[1] >= 0)
		(void)close(b->wake[1]);
	clock_free(b->clock);
	profile_free(b->profile);
	mem_free(b);
}

/* ---- what it is ---- */

bool
backend_is_owner(const struct backend *b)
{
	return b->owner != NULL;
}

bool
backend_is_attended(const struct backend *b)
{
	return b->owner != NULL || b->attached;
}

bool
backend_is_practice(const struct backend *b)
{
	return b->profile->practice;
}

bool
backend_read_only(const struct backend *b)
{
	return b->read_only;
}

const char *
backend_state_dir(const struct backend *b)
{
	return b->profile->dir;
}

const char *
backend_owner_text(const struct backend *b)
{
	if (b->owner_text[0] == '\0' && b->attached)
		return "owned by another process of this profile";
	return b->owner_text;
}

int64_t
backend_now_ms(struct backend *b)
{
	return clock_wall_ms(b->clock);
}

double
backend_speed(const struct backend *b)
{
	return clock_speed(b->clock);
}

/* ---- waking the screen ---- */

int
backend_wake_fd(const struct backend *b)
{
	return b->wake[0];
}

void
backend_wake(struct backend *b)
{
	if (atomic_exchange(&b->woken, true))
		return;
	if (write(b->wake[1], "w", 1) < 0)
		atomic_store(&b->woken, false); /* full or closing: the next one tries again */
}

void
backend_woken(struct backend *b)
{
	char buf[64];

	atomic_store(&b->woken, false);
	while (read(b->wake[0], buf, sizeof(buf)) > 0)
		;
}

const struct fleet *
backend_fleet(struct backend *b)
{
	return b->snapshots != NULL ? snapshots_get(b->snapshots) : NULL;
}

const struct fleet *
backend_fleet_wait(struct backend *b, int timeout_ms, struct error *err)
{
	enum { STEP_MS = 10 };

	if (b->snapshots == NULL) {
		(void)error_set(err, ERR_INTERNAL, "this backend builds no snapshots");
		return NULL;
	}
	for (int waited = 0; waited <= timeout_ms; waited += STEP_MS) {
		const struct fleet *f = snapshots_get(b->snapshots);

		if (f != NULL)
			return f;
		pause_real(STEP_MS);
	}
	(void)error_set(err, ERR_TIMEOUT, "the first look at the fleet took too long");
	return NULL;
}

bool
backend_run(struct backend *b, int stop_fd, struct error *err)
{
	struct pollfd p = { .fd = stop_fd, .events = POLLIN };

	if (b->owner == NULL)
		return error_set(
		    err, ERR_REFUSED, "this process does not own profile '%s'", b->profile->name);
	while (poll(&p, 1, -1) < 0) {
		if (errno != EINTR)
			return error_set(err, ERR_IO, "cannot wait for the signal to stop");
	}
	return true;
}
