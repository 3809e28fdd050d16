#include "backend/runtime/failpoint.h"

#include "model/base/macros.h"

#ifdef FLIGHTDECK_FAULTS

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "model/base/text.h"

enum { POINTS_MAX = 8, LINE_MAX_BYTES = 512 };

enum action { ACTION_KILL, ACTION_ERROR, ACTION_DELAY };

struct point {
	struct str name; /* borrows from the environment */
	struct str key;	 /* empty: any */
	int64_t hit;
	enum action action;
	int64_t delay_ms;
	atomic_long passes;
};

static struct point points[POINTS_MAX];
static atomic_int npoints = -1; /* -1: the environment has not been read */
static const char *count_file;
static pthread_mutex_t read_mu = PTHREAD_MUTEX_INITIALIZER; /* guards the reading */

/* Cuts the last piece after c off *s. */
static bool
cut_last(struct str *s, char c, struct str *ret_piece)
{
	for (size_t i = s->n; i > 0; i--) {
		if (s->p[i - 1] != c)
			continue;
		*ret_piece = str_sub(*s, i, s->n - i);
		*s = str_sub(*s, 0, i - 1);
		return true;
	}
	return false;
}

static bool
point_parse(struct str spec, struct point *ret)
{
	struct str action, hit, rest = spec;
	ptrdiff_t at;

	if (!cut_last(&rest, ':', &action) || !cut_last(&rest, ':', &hit) ||
	    !str_to_int(hit, &ret->hit))
		return false;
	at = str_find_char(rest, '@');
	ret->name = rest;
	ret->key = (struct str){ 0 };
	if (at >= 0) {
		ret->name = str_sub(rest, 0, (size_t)at);
		ret->key = str_sub(rest, (size_t)at + 1, rest.n);
	}
	ret->action = ACTION_DELAY;
	if (str_is(action, "kill"))
		ret->action = ACTION_KILL;
	else if (str_is(action, "error"))
		ret->action = ACTION_ERROR;
	else if (!str_starts(action, STR("delay=")) ||
		 !str_to_int(str_sub(action, 6, action.n), &ret->delay_ms))
		return false;
	atomic_store(&ret->passes, 0);
	return ret->name.n > 0;
}

static void
points_read(void)
{
	struct str rest = str_from(secure_getenv("FLIGHTDECK_FAILPOINT"));
	struct str piece;
	int n = 0;

	count_file = secure_getenv("FLIGHTDECK_FAILPOINT_COUNT");
	while (n < POINTS_MAX && str_split(&rest, ',', &piece)) {
		if (point_parse(str_trim(piece), &points[n]))
			n++;
	}
	atomic_store(&npoints, n);
}

void
failpoint_reset(void)
{
	(void)pthread_mutex_lock(&read_mu);
	points_read();
	(void)pthread_mutex_unlock(&read_mu);
}

static void
pass_count(const char *name, const char *key)
{
	char bytes[LINE_MAX_BYTES];
	struct str parts[] = { str_from(name), STR(" "), str_from(key), STR("\n") };
	size_t n = 0;
	int fd;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		for (size_t k = 0; k < parts[i].n && n < sizeof bytes; k++)
			bytes[n++] = parts[i].p[k];
	}
	fd = open(count_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (write(fd, bytes, n) < 0)
		(void)0; /* a count that is missing shows in the test that reads it */
	(void)close(fd);
}

static bool
point_act(const struct point *p)
{
	struct timespec ts = { .tv_sec = p->delay_ms / 1000,
		.tv_nsec = p->delay_ms % 1000 * 1000000 };

	switch (p->action) {
	case ACTION_KILL:
		(void)kill(getpid(), SIGKILL);
		for (;;)
			(void)pause(); /* the signal is on its way */
	case ACTION_ERROR:
		return true;
	case ACTION_DELAY:
		while (nanosleep(&ts, &ts) != 0 && errno == EINTR)
			;
		return false;
	}
	return false;
}

bool
failpoint(const char *name, const char *key)
{
	bool fail = false;
	int n;

	if (atomic_load(&npoints) < 0)
		failpoint_reset();
	n = atomic_load(&npoints);
	if (count_file != NULL)
		pass_count(name, key);
	for (int i = 0; i < n; i++) {
		struct point *p = &points[i];

		if (!str_is(p->name, name) || (p->key.n > 0 && !str_eq(p->key, str_from(key))))
			continue;
		if (atomic_fetch_add(&p->passes, 1) + 1 == p->hit)
			fail |= point_act(p);
	}
	return fail;
}

#else

_Static_assert(ARRAY_LEN((char[1]){ 0 }) == 1, "a build without faults has nothing here");

#endif
