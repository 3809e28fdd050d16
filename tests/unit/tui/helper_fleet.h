#ifndef TESTS_UNIT_TUI_HELPER_FLEET_H
#define TESTS_UNIT_TUI_HELPER_FLEET_H

/*
 * A fleet made by hand, eight clusters in mixed states at a fixed time, and a console on it that
 * records what it would send. Golden screens are files under screens/; FLIGHTDECK_UPDATE=1 writes
 * them anew (then read the difference before committing it).
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/console.h"

enum { FIXTURE_NOW_S = 1767225600 + 12 * 3600 + 41 * 60 + 7, MAX_SENT = 64 };
#define FIXTURE_NOW_MS ((int64_t)FIXTURE_NOW_S * 1000)

struct recorder {
	struct request *sent[MAX_SENT];
	size_t nsent;
	size_t discards;
	size_t suspends;
	char copied[256];
	bool refuse; /* the queue is full */
};

struct bench {
	struct console console;
	struct recorder rec;
	struct grid grid;
	char folder[64]; /* state directory */
};

const struct fleet *fixture_fleet(void);
/* A fleet of n clusters with p pools each, for sizes and times. */
const struct fleet *fixture_many(size_t n, size_t p);
const struct fleet *fixture_empty(void);

void bench_open(struct bench *b, const struct fleet *f);
void bench_close(struct bench *b);
void bench_keys(struct bench *b, const char *keys); /* "j ctrl-d enter" */
void bench_type(struct bench *b, const char *text);
void bench_paste(struct bench *b, const char *text);
/* Answers the n-th request that was sent. */
void bench_answer(struct bench *b, size_t n, bool ok, const char *text);
/* Draws and returns the screen; borrowed until the next call. */
const char *bench_screen(struct bench *b, int w, int h);
void bench_golden(struct bench *b, const char *name, int w, int h);
/* Requests sent that are not dry runs and that write. */
size_t bench_writes(const struct bench *b);
void assert_shows(struct bench *b, const char *text);
void assert_hides(struct bench *b, const char *text);

#endif
