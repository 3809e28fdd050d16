#ifndef BACKEND_SIM_LEDGER_H
#define BACKEND_SIM_LEDGER_H

/*
 * Every request that the simulator got, one JSON object a line in <dir>/sim/requests.jsonl: what
 * oracles read (trust.md 2.1). With FLIGHTDECK_SIM_BODIES=1 the bodies of resource manager requests
 * go to <dir>/sim/bodies.jsonl, for the check against the official models. Tokens and secrets are
 * never written.
 *
 * Ownership: ledger_close. Threads: any (each line is one write). Limit: LEDGER_MAX bytes, then the
 * file starts again and the older half is kept as requests.1.jsonl.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"

enum { LEDGER_MAX = 64 * 1024 * 1024 };

struct ledger;

struct ledger_row {
	int64_t at_ms;	     /* the simulator's time */
	const char *service; /* "signin", "arm" or the cluster's name */
	struct str method, path, query;
	struct str api_version;
	int status;	/* 0: the connection was closed without an answer */
	bool acting;	/* not a read and not a poll */
	bool applied;	/* something changed */
	struct str who; /* client id, or the subject of a certificate */
	long connection;
	struct str client_request_id;
	struct str body;   /* its hash is written */
	const char *fault; /* NULL for none */
};

bool ledger_open(
    const char *dir, bool bodies, struct ledger **ret_ledger, struct error *err) MUST_CHECK;
void ledger_close(struct ledger *l);
void ledger_add(struct ledger *l, const struct ledger_row *row);

/* Prints the ledger of a directory: a table, or its lines as a JSON list. */
bool ledger_print(
    const char *dir, bool json, bool acting_only, struct text *out, struct error *err) MUST_CHECK;

#endif
