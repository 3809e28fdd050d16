#ifndef TESTS_UNIT_BACKEND_COMPOSE_HELPER_CLOUD_H
#define TESTS_UNIT_BACKEND_COMPOSE_HELPER_CLOUD_H

/*
 * A cloud in memory for tests of the compose engine: things by name, with a mark, a value and a
 * state; what the next acting call shall do is scripted; every acting call stands in a ledger.
 */

#include "backend/compose/compose.h"
#include "backend/runtime/clock.h"

enum { CLOUD_MAX_THINGS = 64, CLOUD_MAX_LEDGER = 256 };

enum cloud_act {
	ACT_DONE,	  /* at once */
	ACT_START,	  /* pending until cloud_finish */
	ACT_REFUSE,	  /* known refused, ERR_QUOTA */
	ACT_BUSY,	  /* known refused, ERR_BUSY */
	ACT_LOSE_APPLIED, /* applied, the answer is lost */
	ACT_LOSE,	  /* not applied, the answer is lost */
	ACT_NOT_SENT,
};

struct cloud_thing {
	char name[64];
	char value[32];
	bool there, pending, broken, foreign, going;
};

struct cloud {
	struct cloud_thing things[CLOUD_MAX_THINGS];
	enum cloud_act next; /* of every acting call until it is changed */
	char account[32];
	bool blind;	     /* every observation fails */
	bool foreign_content; /* the container refuses to go */
	char ledger[CLOUD_MAX_LEDGER][64]; /* "create a" */
	unsigned nledger, looks;
	void (*hook)(struct step *s, const char *call); /* runs inside a call */
};

enum compose_goal { GOAL_KEEP, GOAL_DELETE };

struct world {
	struct cloud cloud;
	struct clock *clock;
	struct store *store;
	struct compose *compose;
	struct arena *arena;
	struct plan plan;
	const struct object *owner;
	struct compose_result result;
	char dir[64];
};

extern struct world *the_world; /* for hooks */

void world_open(struct world *w);
void world_close(struct world *w);
void world_restart(struct world *w); /* the engine anew over the same store */
void world_owner(struct world *w, const char *name, const char *annotation);
/* A row of the plan. after may be NULL. */
struct plan_resource *world_row(struct world *w, const char *type, const char *key,
    const char *value, const char *after);
/* One pass; asserts that it went on. */
void world_pass(struct world *w, enum compose_goal goal);
void world_no_plan(struct world *w);

struct cloud_thing *cloud_find(struct cloud *c, const char *name); /* or NULL */
void cloud_finish(struct cloud *c); /* everything pending is ready, everything going is gone */
unsigned cloud_count(const struct cloud *c, const char *entry);

/* The record of a key after the last pass; asserts that there is one. */
const struct external *world_external(struct world *w, const char *key);

#endif
