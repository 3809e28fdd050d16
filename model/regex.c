#include "model/regex.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/regex_int.h"

/*
 * The pattern becomes a tree, the tree a list of steps, and a search walks all ways through the
 * steps at once, one character after the other (Thompson 1968). A step is in the set of a character
 * at most once; that bounds the work.
 */

/* The steps grow in the arena; what they leave behind is at most as much again. */
static uint32_t
emit(struct arena *a, struct regex *re, struct step step)
{
	if (re->nsteps >= REGEX_MAX_STEPS)
		return UINT32_MAX;
	if (re->nsteps == re->cap) {
		size_t cap = re->cap == 0 ? 16 : re->cap * 2;
		struct step *more = arena_array(a, cap, sizeof *more);

		if (more == NULL)
			return UINT32_MAX;
		if (re->nsteps > 0)
			memcpy(more, re->steps, re->nsteps * sizeof *more);
		re->steps = more;
		re->cap = cap;
	}
	re->steps[re->nsteps] = step;
	return (uint32_t)re->nsteps++;
}

static uint32_t
here(const struct regex *re)
{
	return (uint32_t)re->nsteps;
}

static bool emit_tree(struct arena *a, struct regex *re, const struct tree *t);

/* x* is L1: split L2, L3; L2: x; jump L1; L3: */
static bool
emit_star(struct arena *a, struct regex *re, const struct tree *t)
{
	uint32_t split = emit(a, re, (struct step){ .kind = STEP_SPLIT });

	if (split == UINT32_MAX || !emit_tree(a, re, t) ||
	    emit(a, re, (struct step){ .kind = STEP_JUMP, .x = split }) == UINT32_MAX)
		return false;
	re->steps[split].x = split + 1;
	re->steps[split].y = here(re);
	return true;
}

static bool
emit_repeat(struct arena *a, struct regex *re, const struct tree *t)
{
	for (int i = 0; i < t->min; i++) {
		size_t before = re->nsteps;

		if (!emit_tree(a, re, t->a))
			return false;
		if (re->nsteps == before)
			return true; /* nothing, however often */
	}
	if (t->max < 0)
		return emit_star(a, re, t->a);
	for (int i = t->min; i < t->max; i++) {
		uint32_t split = emit(a, re, (struct step){ .kind = STEP_SPLIT });

		if (split == UINT32_MAX || !emit_tree(a, re, t->a))
			return false;
		re->steps[split].x = split + 1;
		re->steps[split].y = here(re);
	}
	return true;
}

static bool
emit_alternative(struct arena *a, struct regex *re, const struct tree *t)
{
	uint32_t split = emit(a, re, (struct step){ .kind = STEP_SPLIT });
	uint32_t jump;

	if (split == UINT32_MAX || !emit_tree(a, re, t->a))
		return false;
	jump = emit(a, re, (struct step){ .kind = STEP_JUMP });
	if (jump == UINT32_MAX)
		return false;
	re->steps[split].x = split + 1;
	re->steps[split].y = here(re);
	if (!emit_tree(a, re, t->b))
		return false;
	re->steps[jump].x = here(re);
	return true;
}

static bool
emit_tree(struct arena *a, struct regex *re, const struct tree *t)
{
	switch (t->kind) {
	case TREE_EMPTY:
		return true;
	case TREE_SET:
		return emit(a, re, (struct step){ .kind = STEP_SET, .set = t }) != UINT32_MAX;
	case TREE_BEGIN:
		return emit(a, re, (struct step){ .kind = STEP_BEGIN }) != UINT32_MAX;
	case TREE_END:
		return emit(a, re, (struct step){ .kind = STEP_END }) != UINT32_MAX;
	case TREE_CAT:
		return emit_tree(a, re, t->a) && emit_tree(a, re, t->b);
	case TREE_ALT:
		return emit_alternative(a, re, t);
	case TREE_REPEAT:
		return emit_repeat(a, re, t);
	}
	return false;
}

const struct regex *
regex_compile(struct arena *a, struct str pattern, struct error *err)
{
	const struct tree *t = regex_parse(a, pattern, err);
	struct regex *re;

	if (t == NULL)
		return NULL;
	re = arena_get(a, sizeof *re);
	if (re != NULL && emit_tree(a, re, t) &&
	    emit(a, re, (struct step){ .kind = STEP_FOUND }) != UINT32_MAX)
		return re;
	if (arena_failed(a))
		(void)error_set(err, ERR_NO_MEMORY, "no memory for a pattern");
	else
		(void)error_set(
		    err, ERR_INVALID, "pattern too big when its repeats are written out");
	return NULL;
}

size_t
regex_size(const struct regex *re)
{
	return re->nsteps;
}

static bool
set_has(const struct tree *set, uint32_t c)
{
	for (size_t i = 0; i < set->nranges; i++) {
		if (c >= set->ranges[i].first && c <= set->ranges[i].last)
			return !set->inverted;
	}
	return set->inverted;
}

/* The steps that wait for the next character; `seen` tells which are in, by generation. */
struct search {
	const struct regex *re;
	uint32_t *now, *next; /* lists of steps */
	uint32_t *seen;
	uint32_t *stack;
	size_t nnow, nnext;
	uint32_t generation;
	bool found;
};

/* Follows splits, jumps and anchors from step x and notes the sets that it reaches. */
static void
reach(struct search *s, uint32_t x, bool begin, bool end)
{
	size_t depth = 0;

	s->stack[depth++] = x;
	while (depth > 0) {
		const struct step *step;

		x = s->stack[--depth];
		if (s->seen[x] == s->generation)
			continue;
		s->seen[x] = s->generation;
		step = &s->re->steps[x];
		switch (step->kind) {
		case STEP_SET:
			s->next[s->nnext++] = x;
			break;
		case STEP_BEGIN:
			if (begin)
				s->stack[depth++] = x + 1;
			break;
		case STEP_END:
			if (end)
				s->stack[depth++] = x + 1;
			break;
		case STEP_SPLIT:
			s->stack[depth++] = step->y;
			s->stack[depth++] = step->x;
			break;
		case STEP_JUMP:
			s->stack[depth++] = step->x;
			break;
		case STEP_FOUND:
			s->found = true;
			break;
		}
	}
}

static void
turn(struct search *s)
{
	uint32_t *swap = s->now;

	s->now = s->next;
	s->nnow = s->nnext;
	s->next = swap;
	s->nnext = 0;
	s->generation++;
}

static void
search(struct search *s, struct str text)
{
	bool begin = true;

	for (;;) {
		uint32_t c = 0xfffd;
		size_t n = utf8_decode(text, &c);

		/* A match may begin at every character. */
		reach(s, 0, begin, text.n == 0);
		if (s->found || text.n == 0)
			return;
		turn(s);
		n = n == 0 ? 1 : n;
		text = (struct str){ text.p + n, text.n - n };
		for (size_t i = 0; i < s->nnow; i++) {
			if (set_has(s->re->steps[s->now[i]].set, c))
				reach(s, s->now[i] + 1, false, text.n == 0);
		}
		begin = false;
		if (s->found)
			return;
	}
}

bool
regex_search(const struct regex *re, struct str text, bool *ret_found, struct error *err)
{
	enum { ON_STACK = 256 };
	uint32_t few[ON_STACK * 5] = { 0 };
	uint32_t *room = few;
	size_t n = re->nsteps;
	struct search s = { .re = re, .generation = 1 };

	if (n > ON_STACK)
		room = mem_array(n, 5 * sizeof *room);
	if (room == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory to match a pattern");
	s.now = room;
	s.next = room + n;
	s.seen = room + 2 * n;
	s.stack = room + 3 * n; /* a step that is in pushes two at most, once */
	search(&s, text);
	if (room != few)
		mem_free(room);
	*ret_found = s.found;
	return true;
}
