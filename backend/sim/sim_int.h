#ifndef BACKEND_SIM_SIM_INT_H
#define BACKEND_SIM_SIM_INT_H

/*
 * The simulator from inside: what its files share. The lock `arm` is held while a resource manager
 * request is handled and while operations are finished; the lock of the clusters (cluster.h) may be
 * taken under it, never the other way round.
 */

#include <pthread.h>

#include "backend/net/server.h"
#include "backend/sim/arm.h"
#include "backend/sim/cluster.h"
#include "backend/sim/faults.h"
#include "backend/sim/identity.h"
#include "backend/sim/ledger.h"
#include "backend/sim/pool_index.h"
#include "backend/sim/sim.h"
#include "backend/sim/simtime.h"
#include "backend/sim/state.h"
#include "backend/sim/throttle.h"

struct sim {
	char *dir; /* <profile>/sim */
	bool no_network;
	struct simtime time;
	uint64_t seed;	    /* as in the options */
	double workload;    /* the same */
	int64_t started_ms; /* in the simulator's time */
	struct state *state;
	struct identity id;
	struct faults *faults;
	struct ledger *ledger;
	struct throttle *throttle;
	struct clusters *clusters;
	struct server *signin;
	struct server *arm;
	char arm_url[64]; /* "https://127.0.0.1:PORT" */
	char signin_url[64];

	pthread_mutex_t arm_lock;  /* guards the state's meaning, `next_due_ms`, `late` */
	int64_t next_due_ms;	   /* when the next operation ends; INT64_MAX for none */
	struct pool_index pools;   /* guarded by arm_lock, too */
	struct late_request *late; /* requests that are done later (arm.late) */

	pthread_t director; /* finishes operations and plays the clusters' controllers */
	bool director_runs;
	pthread_mutex_t wake_lock; /* guards `wake` and `stop` */
	pthread_cond_t wake_cond;
	bool wake, stop;
};

int64_t sim_now(const struct sim *s);
/* Makes the director look again. Any thread, any lock but wake_lock. */
void sim_wake(struct sim *s);
/* Token given out by sign-in: checks it; false fills `why` with code and message. */
struct token_claims {
	char client[64];
	char object[64];
	char tenant[64];
	int64_t expires_ms;
};
enum token_verdict { TOKEN_GOOD, TOKEN_MISSING, TOKEN_BAD, TOKEN_EXPIRED, TOKEN_TENANT };
enum token_verdict token_check(struct sim *s, struct str authorization, struct token_claims *ret);

/* The two services, as server_fn; context is the struct sim. */
void signin_serve(void *context, const struct server_request *req, struct server_response *ret);
void arm_serve(void *context, const struct server_request *req, struct server_response *ret);

/* Finishes operations whose time has come, late requests too. arm_lock is held. */
void operations_advance(struct sim *s);

/* One sign-in request: for the service and for tests. */
struct signin_answer {
	int status;
	struct text body;
};
void signin_handle(struct sim *s, struct str method, struct str path, struct str content_type,
    struct str body, struct signin_answer *ret);

#endif
