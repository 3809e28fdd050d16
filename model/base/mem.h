#ifndef MODEL_BASE_MEM_H
#define MODEL_BASE_MEM_H

/*
 * The only way to the allocator. mem_* hand out zeroed memory that the caller owns and gives back
 * with mem_free; each returns NULL when there is none, and an arithmetic overflow counts as none.
 * In test builds (FLIGHTDECK_FAULTS) the n-th allocation of a thread can be made to fail.
 *
 * An arena hands out pieces that live until the whole arena is cleared or freed: one decode, one
 * plan, one request, one frame. It has a limit from birth and a sticky "failed" flag, so a builder
 * may check once at its end. With -DARENA_MALLOC every piece is its own allocation.
 *
 * Threads: any; one arena belongs to one thread at a time.
 */

#include <stdbool.h>
#include <stddef.h>

#include "model/base/macros.h"

void *mem_new(size_t size) MUST_CHECK;
void *mem_array(size_t count, size_t size) MUST_CHECK;

/* Owned copy of n bytes with a terminating zero after them. */
char *mem_dup(const char *bytes, size_t n) MUST_CHECK;
char *mem_dupz(const char *text) MUST_CHECK;

/*
 * Makes room for `need` elements in the owned array *items (capacity *cap), doubling; new room is
 * zeroed. Returns false, with nothing changed, when there is no memory.
 */
bool mem_grow(void **items, size_t *cap, size_t need, size_t size) MUST_CHECK;

void mem_free(void *p);

struct arena;

/* limit: most bytes it will ever hand out. NULL when there is no memory. */
struct arena *arena_new(size_t limit) MUST_CHECK;
void arena_clear(struct arena *a);
void arena_free(struct arena *a);

/* Zeroed, aligned for anything. NULL sets the sticky flag. */
void *arena_get(struct arena *a, size_t size);
void *arena_array(struct arena *a, size_t count, size_t size);
char *arena_dup(struct arena *a, const char *bytes, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool arena_failed(const struct arena *a);
size_t arena_used(const struct arena *a);

/* Test builds only: the n-th allocation of this thread fails (0 = the next one); -1 disarms. */
void mem_fault_arm(long n);
bool mem_fault_fired(void);
long mem_live_blocks(void);

#endif
