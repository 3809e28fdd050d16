#ifndef BACKEND_SIM_IDENTITY_H
#define BACKEND_SIM_IDENTITY_H

/*
 * Who the simulated tenant is: ids, the application's secret and certificate, the authority that
 * signs the services' certificates, the token key and the ports. Made once, kept in the state.
 *
 * Ownership: identity_fini wipes. Threads: immutable after loading, but for the ports (main only).
 */

#include "backend/sim/state.h"
#include "backend/sim/tls.h"

struct identity {
	char tenant[GUID_SIZE];
	char subscription[GUID_SIZE];
	char client[GUID_SIZE];		      /* application id */
	char object[GUID_SIZE];		      /* of its service principal */
	char secret[64];		      /* the application's */
	char token_key[80];		      /* signs access tokens */
	struct keypair authority;	      /* CA of sign-in and resource manager */
	struct keypair service;		      /* what they show */
	struct keypair application;	      /* registered for client assertions, RSA */
	unsigned short signin_port, arm_port; /* 0 until first bound */
	int64_t epoch_ms;
};

bool identity_load(
    struct state *st, int64_t epoch_ms, struct identity *ret, struct error *err) MUST_CHECK;
bool identity_save(struct state *st, const struct identity *id, struct error *err) MUST_CHECK;
void identity_fini(struct identity *id);

/* The JSON line of endpoints.json; ca_file is the authority's certificate on disk. */
void identity_endpoints(const struct identity *id, const char *ca_file, struct text *out);

#endif
