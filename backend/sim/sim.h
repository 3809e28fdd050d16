#ifndef BACKEND_SIM_SIM_H
#define BACKEND_SIM_SIM_H

/*
 * The flight simulator: Azure's sign-in and resource manager, and a Kubernetes API for every
 * cluster that is created there, over TLS on loopback. It refuses what Azure refuses, is as slow as
 * Azure is (divided by the speed) and as unreliable as it is told to be (faults.h), and writes down
 * every request (ledger.h). Everything it knows lives in <dir>/sim and survives kill -9: the same
 * ports, keys and resources come back.
 *
 * Ownership: sim_stop frees everything. Threads: one owner; the services run on threads of their
 * own. Failure: sim_start leaves nothing behind but files.
 * Sources: facts/azure.md, facts/azure-golden (what official clients send and take).
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"

struct sim;

struct sim_options {
	const char *dir;    /* profile directory; made 0700 when absent */
	double speed;	    /* of time, 1 by default; 0 freezes it (tests: sim_set_time) */
	int64_t epoch_ms;   /* time runs `speed` times faster from here; 0 for the stored or now */
	const char *faults; /* see faults_help; NULL for none */
	uint64_t seed;	    /* of the faults and of the workload */
	double workload;    /* share of its GPUs that each cluster's workload holds, 0 to 1 */
	bool no_network;    /* tests: no listening sockets, requests are handed over directly */
};

bool sim_start(const struct sim_options *opt, struct sim **ret_sim, struct error *err) MUST_CHECK;
void sim_stop(struct sim *s); /* NULL does nothing */

/* One line of JSON: where the services are and how to sign in. Holds secrets. */
bool sim_endpoints(struct sim *s, struct text *out, struct error *err) MUST_CHECK;

/* For tests with speed 0: what time it is. Finishes what is due. */
void sim_set_time(struct sim *s, int64_t wall_ms);

#endif
