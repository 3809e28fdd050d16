/*
 * The profile of practice: its clock, and where the simulated clouds are. Time in practice never
 * runs backwards: another speed starts from the time that the old one has reached.
 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "backend/backend.h"
#include "backend/runtime/profile.h"
#include "model/base/mem.h"

enum { PRACTICE_SPEED = 60 };

static int64_t
real_wall_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* The epoch from which a clock of `speed` shows `wall` at the real time `real`. */
static int64_t
epoch_for(double speed, int64_t wall, int64_t real)
{
	/* wall = epoch + (real - epoch) * speed, solved for epoch */
	return (int64_t)(((double)real * speed - (double)wall) / (speed - 1.0));
}

/*
 * A profile with a fleet of its own must never be turned to simulated clouds: there nothing of what
 * it has recorded exists, and it would be made anew, or forgotten.
 */
static bool
may_practise(const struct profile *p, struct error *err)
{
	char *path = p->practice ? NULL : profile_path(p, "flightdeck.db");
	bool real = path != NULL && access(path, F_OK) == 0;

	if (!p->practice && path == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for a path");
	mem_free(path);
	if (!real)
		return true;
	(void)error_set(err, ERR_REFUSED, "'%s' holds a fleet that is no practice", p->dir);
	error_advise(err, "unset FLIGHTDECK_STATE_DIR, or let it name an empty directory");
	return false;
}

bool
backend_practice_prepare(struct practice_settings *io, struct error *err)
{
	struct profile *p = NULL;
	int64_t real = real_wall_ms();
	double old_speed, speed;
	int64_t wall;

	if (!profile_load(NULL, &p, err))
		return false;
	if (!may_practise(p, err)) {
		profile_free(p);
		return false;
	}
	if (strlen(p->dir) >= sizeof io->dir) {
		profile_free(p);
		return error_set(err, ERR_INVALID, "the state directory's path is too long");
	}
	memcpy(io->dir, p->dir, strlen(p->dir) + 1);
	old_speed = p->practice ? p->speed : 1.0;
	speed = io->speed > 0 ? io->speed : p->practice ? p->speed : PRACTICE_SPEED;
	wall = p->practice && p->epoch_ms > 0
		   ? p->epoch_ms + (int64_t)((double)(real - p->epoch_ms) * old_speed)
		   : real;
	/* At speed 1 there is only real time. */
	io->epoch_ms = speed > 1.0 || speed < 1.0 ? epoch_for(speed, wall, real) : real;
	io->speed = speed;
	profile_free(p);
	return true;
}

static bool
take_text(char **to, const struct node *endpoints, const char *key, struct error *err)
{
	struct str value = node_get_str(node_find(endpoints, key));

	mem_free(*to);
	*to = value.n == 0 ? NULL : str_dup(value);
	if (*to != NULL)
		return true;
	return error_set(err, ERR_INVALID, "the simulator did not say its '%s'", key);
}

bool
backend_practice_save(
    const struct practice_settings *settings, const struct node *endpoints, struct error *err)
{
	struct profile *p = NULL;
	bool ok = false;

	if (!profile_load(NULL, &p, err))
		return false;
	p->practice = true;
	p->speed = settings->speed;
	p->epoch_ms = settings->epoch_ms;
	if (!take_text(&p->azure_authority, endpoints, "authority", err) ||
	    !take_text(&p->azure_arm, endpoints, "arm", err) ||
	    !take_text(&p->ca_file, endpoints, "caFile", err))
		goto out;
	ok = profile_save(p, err);
out:
	profile_free(p);
	return ok;
}
