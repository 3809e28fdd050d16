#ifndef BACKEND_SIM_FAULTS_H
#define BACKEND_SIM_FAULTS_H

/*
 * What goes wrong on purpose: "arm.429=0.1,quota.standardDSv5Family=8,outage=60:120". Rates are
 * decided by a hash of the seed, the fault, the request and how often it came before, so that the
 * same requests meet the same faults whatever the threads do.
 *
 * Ownership: faults_fini. Threads: any after parsing (a lock around the counters).
 * Failure: an unknown name or a bad value is ERR_USAGE and names it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"

enum fault {
	FAULT_ARM_429,
	FAULT_ARM_500,
	FAULT_ARM_503,
	FAULT_ARM_LOST,
	FAULT_ARM_LATE,
	FAULT_ARM_SLOW,
	FAULT_ARM_CUT,
	FAULT_ARM_HTML,
	FAULT_ARM_401,
	FAULT_ARM_NO_OPERATION_URL,
	FAULT_ARM_LAG,
	FAULT_RETRY_AFTER,
	FAULT_SIGNIN_500,
	FAULT_TOKEN_TTL,
	FAULT_OPERATION_FAIL,
	FAULT_FAIL_AS,
	FAULT_OPERATION_GONE,
	FAULT_OPERATION_STUCK,
	FAULT_OUTAGE,
	FAULT_QUOTA,
	FAULT_QUOTA_LATE,
	FAULT_NO_CAPACITY,
	FAULT_SKU_LATE,
	FAULT_DENY,
	FAULT_NO_JOIN,
	FAULT_POLICY,
	FAULT_UNREGISTERED,
	FAULT_FEATURE_OFF,
	FAULT_LOCKED,
	FAULT_RETIRED,
	FAULT_KUBE_500,
	FAULT_KUBE_429,
	FAULT_KUBE_LOST,
	FAULT_KUBE_410,
	FAULT_KUBE_SLOW,
	FAULT_KUBE_DOWN,
	FAULT_CHART_FAIL,
	FAULT_CHART_IMAGE,
	FAULT_CHART_SLOW,
	FAULT_NO_ADDRESS,
	FAULT__MAX
};

struct fault_setting {
	enum fault fault;
	double number;
	int64_t from_ms, length_ms; /* of a span, since the start */
	char key[96];		    /* of keyed faults: a family, size, action, chart ... */
};

struct faults;

bool faults_parse(
    const char *spec, uint64_t seed, struct faults **ret_faults, struct error *err) MUST_CHECK;
void faults_free(struct faults *f);
/* One line a fault, for --fault help. */
void faults_help(struct text *out);

/* Whether this request meets the fault: its rate against the hash. */
bool fault_hits(struct faults *f, enum fault which, struct str method, struct str path);
/* The number given, or `otherwise`. */
double fault_number(const struct faults *f, enum fault which, double otherwise);
/* Of a keyed fault: the setting whose key is given (any case), or NULL. "*" matches all. */
const struct fault_setting *fault_keyed(const struct faults *f, enum fault which, struct str key);
/* The first setting of a fault, or NULL. */
const struct fault_setting *fault_first(const struct faults *f, enum fault which);
/* Whether the span of an outage covers this moment, counted from `start_ms`. */
bool fault_in_span(const struct faults *f, enum fault which, int64_t since_start_ms);

#endif
