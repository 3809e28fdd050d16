#ifndef BACKEND_RUNTIME_PROFILE_H
#define BACKEND_RUNTIME_PROFILE_H

/*
 * A profile: a directory with everything that belongs to one fleet, and what its profile.yaml says.
 * Default $XDG_STATE_HOME/flightdeck/<name>; FLIGHTDECK_STATE_DIR names the directory itself.
 *
 *   flightdeck.db   the embedded store          flightdeck.sock  the owner's API
 *   lock            held by the owner           key              key-encryption key, 0600
 *   flightdeck.log  the log                     profile.yaml     settings below (may be absent)
 *
 * profile.yaml, every key optional: practice, prod (true/false), speed (number), epoch (wall clock
 * ms), caFile, azureAuthority, azureArm, helmImage, workers. Endpoints are https; loopback ones are
 * for a practice profile alone.
 *
 * Ownership: profile_free. Threads: immutable after loading.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/error.h"

struct profile {
	char *name;	       /* "default", "practice" */
	char *dir;	       /* absolute; made 0700 by profile_load */
	bool practice;	       /* a banner says so; loopback endpoints are allowed */
	bool prod;	       /* typed names for every change, starts locked */
	double speed;	       /* of the clock, 1 */
	int64_t epoch_ms;      /* of the clock */
	char *ca_file;	       /* extra trust anchors for cloud calls; NULL for the system's */
	char *azure_authority; /* NULL: by the config's environment (facts/azure.md 1.4) */
	char *azure_arm;
	char *helm_image; /* of helm jobs; NULL for the default */
	int workers;	  /* 0 for the default */
};

/* name NULL: FLIGHTDECK_PROFILE, else "default". */
bool profile_load(const char *name, struct profile **ret_profile, struct error *err) MUST_CHECK;
void profile_free(struct profile *p);
/* Writes profile.yaml (0600, replaced as a whole, synced). */
bool profile_save(const struct profile *p, struct error *err) MUST_CHECK;
/* Owned "<dir>/<file>"; NULL without memory. */
char *profile_path(const struct profile *p, const char *file);

#endif
