#include "model/schema.h"

#include <ctype.h>
#include <string.h>

/* Words longer than this are not compared: no field of ours comes near. */
enum { SUGGEST_MAX_CHARS = 48 };

static char
lower(char c)
{
	return (char)tolower((unsigned char)c);
}

static size_t
least(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/*
 * Edits between two words: insert, delete, replace, and swap of neighbours; letters that differ in
 * case alone are equal.
 */
static size_t
distance(struct str a, const char *b, size_t nb)
{
	size_t rows[3][SUGGEST_MAX_CHARS + 1];
	size_t *before = rows[0], *last = rows[1], *row = rows[2];

	for (size_t j = 0; j <= nb; j++)
		last[j] = j;
	memset(before, 0, sizeof(rows[0]));
	for (size_t i = 1; i <= a.n; i++) {
		size_t *spare = before;

		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			char ca = lower(a.p[i - 1]), cb = lower(b[j - 1]);

			row[j] = least(last[j] + 1, row[j - 1] + 1, last[j - 1] + (ca != cb));
			if (i > 1 && j > 1 && ca == lower(b[j - 2]) && lower(a.p[i - 2]) == cb &&
			    before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		before = last;
		last = row;
		row = spare;
	}
	return last[nb];
}

/* "class" for "className", "integer" for "int". */
static bool
is_beginning(struct str a, const char *b, size_t nb)
{
	size_t n = a.n < nb ? a.n : nb;

	if (n < 3)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (lower(a.p[i]) != lower(b[i]))
			return false;
	}
	return true;
}

const char *
suggest(struct str typed, const char *const *words, size_t nwords)
{
	const char *best = NULL;
	size_t best_distance = 0;

	if (typed.n == 0 || typed.n > SUGGEST_MAX_CHARS)
		return NULL;
	for (size_t i = 0; i < nwords; i++) {
		size_t n = strlen(words[i]);
		size_t shorter = n < typed.n ? n : typed.n;
		size_t d;

		if (n > SUGGEST_MAX_CHARS)
			continue;
		d = distance(typed, words[i], n);
		if (d > 3 || d > (shorter + 2) / 3) {
			if (!is_beginning(typed, words[i], n))
				continue;
			d = 4; /* worse than any real likeness */
		}
		if (best == NULL || d < best_distance) {
			best = words[i];
			best_distance = d;
		}
	}
	return best;
}
