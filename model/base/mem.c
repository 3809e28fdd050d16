#include "model/base/mem.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FLIGHTDECK_FAULTS
static _Thread_local long fault_left = -1;
static _Thread_local bool fault_hit;
static atomic_long live_blocks;

static bool
fault_now(void)
{
	if (fault_left < 0)
		return false;
	if (fault_left-- > 0)
		return false;
	fault_hit = true;
	return true;
}

static void
count_block(long n)
{
	atomic_fetch_add(&live_blocks, n);
}

void
mem_fault_arm(long n)
{
	fault_left = n;
	fault_hit = false;
}

bool
mem_fault_fired(void)
{
	return fault_hit;
}

long
mem_live_blocks(void)
{
	return atomic_load(&live_blocks);
}
#else
static bool
fault_now(void)
{
	return false;
}

static void
count_block(long n UNUSED)
{
}

void
mem_fault_arm(long n UNUSED)
{
}

bool
mem_fault_fired(void)
{
	return false;
}

long
mem_live_blocks(void)
{
	return 0;
}
#endif

void *
mem_new(size_t size)
{
	return mem_array(1, size);
}

void *
mem_array(size_t count, size_t size)
{
	size_t total;
	void *p;

	if (fault_now() || __builtin_mul_overflow(count, size, &total))
		return NULL;
	p = calloc(1, total == 0 ? 1 : total);
	if (p != NULL)
		count_block(1);
	return p;
}

char *
mem_dup(const char *bytes, size_t n)
{
	size_t total;
	char *p;

	if (__builtin_add_overflow(n, (size_t)1, &total))
		return NULL;
	p = mem_new(total);
	if (p != NULL && n > 0)
		memcpy(p, bytes, n);
	return p;
}

char *
mem_dupz(const char *text)
{
	return mem_dup(text, strlen(text));
}

bool
mem_grow(void **items, size_t *cap, size_t need, size_t size)
{
	size_t want = *cap == 0 ? 4 : *cap;
	size_t total;
	void *p;

	if (need <= *cap)
		return true;
	while (want < need) {
		if (__builtin_mul_overflow(want, (size_t)2, &want))
			return false;
	}
	if (fault_now() || __builtin_mul_overflow(want, size, &total))
		return false;
	p = realloc(*items, total);
	if (p == NULL)
		return false;
	if (*items == NULL)
		count_block(1);
	memset((char *)p + *cap * size, 0, (want - *cap) * size);
	*items = p;
	*cap = want;
	return true;
}

void
mem_free(void *p)
{
	if (p == NULL)
		return;
	count_block(-1);
	free(p);
}

/* A block and the bytes behind it; blocks are a list, the newest first. */
struct block {
	struct block *next;
	size_t size;
	size_t used;
	max_align_t bytes[];
};

struct arena {
	struct block *blocks;
	size_t limit;
	size_t used; /* bytes handed out; never above limit */
	bool failed; /* sticky until arena_clear */
};

enum { BLOCK_FIRST = 4096, BLOCK_LARGEST = 256 * 1024, ALIGN = sizeof(max_align_t) };

struct arena *
arena_new(size_t limit)
{
	struct arena *a = mem_new(sizeof *a);

	if (a != NULL)
		a->limit = limit;
	return a;
}

void
arena_clear(struct arena *a)
{
	struct block *b;

	while ((b = a->blocks) != NULL) {
		a->blocks = b->next;
		mem_free(b);
	}
	a->used = 0;
	a->failed = false;
}

void
arena_free(struct arena *a)
{
	if (a == NULL)
		return;
	arena_clear(a);
	mem_free(a);
}

static struct block *
block_for(struct arena *a, size_t size)
{
	size_t want = BLOCK_FIRST;
	struct block *b = a->blocks;

#ifdef ARENA_MALLOC
	want = size;
#else
	if (b != NULL && b->size - b->used >= size)
		return b;
	if (b != NULL)
		want = b->size * 2 > BLOCK_LARGEST ? BLOCK_LARGEST : b->size * 2;
	if (want < size)
		want = size;
#endif
	b = mem_new(sizeof *b + want);
	if (b == NULL)
		return NULL;
	b->size = want;
	b->next = a->blocks;
	a->blocks = b;
	return b;
}

void *
arena_get(struct arena *a, size_t size)
{
	size_t rounded;
	struct block *b;
	void *p;

	if (size == 0)
		size = 1;
	if (__builtin_add_overflow(size, (size_t)(ALIGN - 1), &rounded))
		goto fail;
	rounded -= rounded % ALIGN;
	if (rounded > a->limit - a->used)
		goto fail;
	b = block_for(a, rounded);
	if (b == NULL)
		goto fail;
	p = (char *)b->bytes + b->used;
	b->used += rounded;
	a->used += rounded;
	return p;
fail:
	a->failed = true;
	return NULL;
}

void *
arena_array(struct arena *a, size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total)) {
		a->failed = true;
		return NULL;
	}
	return arena_get(a, total);
}

char *
arena_dup(struct arena *a, const char *bytes, size_t n)
{
	size_t total;
	char *p;

	if (__builtin_add_overflow(n, (size_t)1, &total)) {
		a->failed = true;
		return NULL;
	}
	p = arena_get(a, total);
	if (p != NULL && n > 0)
		memcpy(p, bytes, n);
	return p;
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	p = n < 0 ? NULL : arena_get(a, (size_t)n + 1);
	if (p == NULL) {
		a->failed = true;
		return NULL;
	}
	va_start(ap, fmt);
	(void)vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}

bool
arena_failed(const struct arena *a)
{
	return a->failed;
}

size_t
arena_used(const struct arena *a)
{
	return a->used;
}
