#include "model/schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"

/* A document cannot report more than this; the rest would help nobody. */
enum { PROBLEMS_MAX = 1000, PROBLEM_TEXT_MAX = 1024 };

void
problems_init(struct problems *p, struct arena *a, const char *file)
{
	*p = (struct problems){ .arena = a, .file = file };
}

/* Doubles the array in the arena; false when it is full or has no memory. */
static bool
make_room(struct problems *p)
{
	struct problem *more;
	size_t cap = p->cap == 0 ? 8 : p->cap * 2;

	if (p->n >= PROBLEMS_MAX)
		return false;
	if (p->n < p->cap)
		return true;
	more = arena_array(p->arena, cap, sizeof(*more));
	if (more == NULL)
		return false;
	if (p->n > 0)
		memcpy(more, p->items, p->n * sizeof(*more));
	p->items = more;
	p->cap = cap;
	return true;
}

/* NOLINTBEGIN(readability-function-size): a problem is place, field, rule, remedy and words */
void
problems_add(struct problems *p, enum severity severity, const struct node *at, struct str path,
    const char *rule, const char *advice, const char *fmt, ...)
{
	char message[PROBLEM_TEXT_MAX];
	struct problem *new;
	va_list ap;

	if (severity == SEVERITY_ERROR)
		p->nerrors++; /* counted even when there is no room to say it */
	if (!make_room(p))
		return;
	va_start(ap, fmt);
	if (vsnprintf(message, sizeof(message), fmt, ap) < 0)
		message[0] = '\0';
	va_end(ap);
	new = &p->items[p->n++];
	*new = (struct problem){
		.severity = severity,
		.file = p->file,
		.line = at != NULL ? at->line : 0,
		.column = at != NULL ? at->column : 0,
		.path = str_copy(p->arena, path),
		.rule = str_copy(p->arena, str_from(rule)),
		.message = str_copy(p->arena, str_from(message)),
		.advice = str_copy(p->arena, str_from(advice)),
	};
}
/* NOLINTEND(readability-function-size) */

static int
compare_places(const struct problem *x, const struct problem *y)
{
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return 0;
}

/*
 * By line and column inside each file; files stay in the order in which they came. Insertion keeps
 * equal places in order, and the list is short and nearly sorted.
 */
void
problems_sort(struct problems *p)
{
	for (size_t i = 1; i < p->n; i++) {
		struct problem moved = p->items[i];
		size_t j = i;

		while (j > 0 && p->items[j - 1].file == moved.file &&
		       compare_places(&p->items[j - 1], &moved) > 0) {
			p->items[j] = p->items[j - 1];
			j--;
		}
		p->items[j] = moved;
	}
}

void
problem_format(const struct problem *p, struct text *out)
{
	if (p->file != NULL) {
		text_add(out, p->file);
		text_add_char(out, ':');
	}
	if (p->line > 0)
		text_printf(out, "%u:", (unsigned)p->line);
	if (p->line > 0 && p->column > 0)
		text_printf(out, "%u:", (unsigned)p->column);
	if (p->file != NULL || p->line > 0)
		text_add_char(out, ' ');
	if (p->path.n > 0) {
		text_add_str(out, p->path);
		text_add(out, ": ");
	}
	text_add_str(out, p->message);
	if (p->advice.n > 0) {
		text_add(out, "; ");
		text_add_str(out, p->advice);
	}
}
