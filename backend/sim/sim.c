#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "backend/sim/files.h"
#include "backend/sim/operations.h"
#include "backend/sim/sim_int.h"

enum { DIRECTOR_MAX_WAIT_MS = 1000, DIRECTOR_MIN_WAIT_MS = 2 };

int64_t
sim_now(const struct sim *s)
{
	return simtime_now(&s->time);
}

void
sim_wake(struct sim *s)
{
	(void)pthread_mutex_lock(&s->wake_lock);
	s->wake = true;
	(void)pthread_cond_signal(&s->wake_cond);
	(void)pthread_mutex_unlock(&s->wake_lock);
}

/* ---- the director: what happens without a request ---- */

static void
wait_until(struct sim *s, int64_t due_ms)
{
	int64_t ms = due_ms == INT64_MAX ? DIRECTOR_MAX_WAIT_MS : simtime_wait_ms(&s->time, due_ms);
	struct timespec until;

	if (ms > DIRECTOR_MAX_WAIT_MS)
		ms = DIRECTOR_MAX_WAIT_MS;
	if (ms < DIRECTOR_MIN_WAIT_MS)
		ms = DIRECTOR_MIN_WAIT_MS;
	(void)clock_gettime(CLOCK_MONOTONIC, &until); /* cannot fail for this clock */
	until.tv_sec += (time_t)(ms / 1000);
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	(void)pthread_mutex_lock(&s->wake_lock);
	while (!s->wake && !s->stop) {
		if (pthread_cond_timedwait(&s->wake_cond, &s->wake_lock, &until) == ETIMEDOUT)
			break;
	}
	s->wake = false;
	(void)pthread_mutex_unlock(&s->wake_lock);
}

static bool
stopping(struct sim *s)
{
	bool stop;

	(void)pthread_mutex_lock(&s->wake_lock);
	stop = s->stop;
	(void)pthread_mutex_unlock(&s->wake_lock);
	return stop;
}

static int64_t
director_step(struct sim *s)
{
	int64_t due, kube;

	(void)pthread_mutex_lock(&s->arm_lock);
	operations_advance(s);
	due = s->next_due_ms;
	if (s->late != NULL)
		due = INT64_MIN; /* soon: they have no clock of their own */
	(void)pthread_mutex_unlock(&s->arm_lock);
	clusters_sync(s->clusters);
	kube = clusters_step(s->clusters);
	return kube < due ? kube : due;
}

static void *
director_run(void *context)
{
	struct sim *s = context;

	while (!stopping(s)) {
		int64_t due = director_step(s);

		wait_until(s, due == INT64_MIN ? sim_now(s) + 1000 : due);
	}
	return NULL;
}

void
sim_set_time(struct sim *s, int64_t wall_ms)
{
	atomic_store(&s->time.frozen_ms, wall_ms);
	if (s->director_runs) {
		sim_wake(s);
		return;
	}
	(void)director_step(s);
}

/* ---- start and end ---- */

static bool
locks_init(struct sim *s, struct error *err)
{
	pthread_condattr_t attr;
	bool ok = pthread_mutex_init(&s->arm_lock, NULL) == 0 &&
		  pthread_mutex_init(&s->wake_lock, NULL) == 0 && pthread_condattr_init(&attr) == 0;

	if (ok) {
		ok = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0 &&
		     pthread_cond_init(&s->wake_cond, &attr) == 0;
		(void)pthread_condattr_destroy(&attr); /* nothing to lose */
	}
	return ok ? true : error_set(err, ERR_NO_MEMORY, "simulator: cannot make its locks");
}

static bool
service_start(
    struct sim *s, server_fn *handle, unsigned short *port, struct server **ret, struct error *err)
{
	const struct server_options opt = {
		.bind = "127.0.0.1",
		.port = *port,
		.tls_cert = text_str(&s->id.service.cert),
		.tls_key = text_str(&s->id.service.key),
		.handle = handle,
		.context = s,
	};

	if (!server_start(&opt, ret, err))
		return false;
	*port = server_port(*ret);
	return true;
}

static void
urls_write(struct sim *s)
{
	(void)snprintf(s->arm_url, sizeof(s->arm_url), "https://127.0.0.1:%u", s->id.arm_port);
	(void)snprintf(
	    s->signin_url, sizeof(s->signin_url), "https://127.0.0.1:%u", s->id.signin_port);
}

bool
sim_endpoints(struct sim *s, struct text *out, struct error *err)
{
	struct text ca = TEXT_INIT(4096);
	bool ok;

	text_printf(&ca, "%s/ca.pem", s->dir);
	identity_endpoints(&s->id, text_get(&ca), out);
	ok = text_ok(out, "endpoints", err);
	text_free(&ca);
	return ok;
}

static bool
endpoints_save(struct sim *s, struct error *err)
{
	struct text out = TEXT_INIT((size_t)256 * 1024);
	bool ok;

	ok = identity_save(s->state, &s->id, err) &&
	     file_write_in(s->dir, "ca.pem", text_str(&s->id.authority.cert), err) &&
	     sim_endpoints(s, &out, err);
	text_add_char(&out, '\n');
	ok = ok && file_write_in(s->dir, "endpoints.json", text_str(&out), err);
	text_free(&out);
	return ok;
}

static bool
services_start(struct sim *s, struct error *err)
{
	urls_write(s);
	if (s->no_network)
		return true;
	if (!service_start(s, arm_serve, &s->id.arm_port, &s->arm, err) ||
	    !service_start(s, signin_serve, &s->id.signin_port, &s->signin, err))
		return false;
	urls_write(s);
	return endpoints_save(s, err);
}

static bool
director_start(struct sim *s, struct error *err)
{
	if (s->no_network)
		return true; /* tests step it themselves */
	if (pthread_create(&s->director, NULL, director_run, s) != 0)
		return error_set(err, ERR_NO_MEMORY, "simulator: cannot start a thread");
	s->director_runs = true;
	return true;
}

/* Every cluster needs a few descriptors. */
static void
descriptors_allow(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) == 0) {
		lim.rlim_cur = lim.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &lim); /* else fewer clusters */
	}
}

static bool
state_prepare(struct sim *s, const struct sim_options *opt, struct error *err)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before threads */
	const char *bodies = getenv("FLIGHTDECK_SIM_BODIES");
	struct text path = TEXT_INIT(4096);
	bool ok;

	text_printf(&path, "%s/sim", opt->dir);
	ok = text_ok(&path, "simulator directory", err) && dir_make(opt->dir, err) &&
	     dir_make(text_get(&path), err);
	s->dir = text_take(&path);
	if (!ok)
		return false;
	s->time.epoch_ms = opt->epoch_ms;
	if (!faults_parse(opt->faults, opt->seed, &s->faults, err) ||
	    !state_open(s->dir, false, &s->state, err) ||
	    !identity_load(s->state, opt->epoch_ms, &s->id, err))
		return false;
	if (s->id.epoch_ms == 0)
		s->id.epoch_ms = simtime_real_ms();
	s->time.epoch_ms = s->id.epoch_ms;
	s->throttle = throttle_new();
	if (s->throttle == NULL)
		return error_set(err, ERR_NO_MEMORY, "simulator: out of memory");
	return ledger_open(s->dir, bodies != NULL && bodies[0] == '1', &s->ledger, err);
}

bool
sim_start(const struct sim_options *opt, struct sim **ret_sim, struct error *err)
{
	struct sim *s = mem_new(sizeof(*s));
	bool ok = false;

	if (s == NULL)
		return error_set(err, ERR_NO_MEMORY, "simulator: out of memory");
	s->no_network = opt->no_network;
	s->time.speed = opt->speed;
	s->seed = opt->seed;
	s->workload = opt->workload;
	s->next_due_ms = 0; /* look into the state first */
	if (!locks_init(s, err))
		goto out;
	descriptors_allow();
	if (!state_prepare(s, opt, err) || !clusters_new(s, &s->clusters, err))
		goto out;
	if (opt->speed <= 0)
		atomic_store(&s->time.frozen_ms, opt->epoch_ms);
	s->started_ms = sim_now(s);
	if (!services_start(s, err) || !director_start(s, err))
		goto out;
	*ret_sim = s;
	s = NULL;
	ok = true;
out:
	sim_stop(s);
	return ok;
}

void
sim_stop(struct sim *s)
{
	if (s == NULL)
		return;
	server_stop(s->arm);
	server_stop(s->signin);
	if (s->director_runs) {
		(void)pthread_mutex_lock(&s->wake_lock);
		s->stop = true;
		(void)pthread_cond_signal(&s->wake_cond);
		(void)pthread_mutex_unlock(&s->wake_lock);
		(void)pthread_join(s->director, NULL);
	}
	clusters_free(s->clusters);
	late_free(s);
	pool_index_fini(&s->pools);
	ledger_close(s->ledger);
	throttle_free(s->throttle);
	faults_free(s->faults);
	state_close(s->state);
	identity_fini(&s->id);
	(void)pthread_mutex_destroy(&s->arm_lock);
	(void)pthread_mutex_destroy(&s->wake_lock);
	(void)pthread_cond_destroy(&s->wake_cond);
	mem_free(s->dir);
	mem_free(s);
}
