#include "tui/text.h"

#include <stdio.h>

#include "model/base/macros.h"
#include "model/display.h"

struct range {
	uint32_t from, to;
};

/* clang-format off */
/* Controls, bidirectional marks, zero-width and ignorable characters, private use, tags. */
static const struct range unsafe[] = {
	{ 0x0000, 0x001F }, { 0x007F, 0x009F }, { 0x00AD, 0x00AD }, { 0x034F, 0x034F },
	{ 0x061C, 0x061C }, { 0x115F, 0x1160 }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180F },
	{ 0x200B, 0x200F }, { 0x2028, 0x202E }, { 0x2060, 0x206F }, { 0x3164, 0x3164 },
	{ 0xD800, 0xF8FF }, { 0xFEFF, 0xFEFF }, { 0xFFA0, 0xFFA0 }, { 0xFFF0, 0xFFFB },
	{ 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A }, { 0xE0000, 0x10FFFF },
};
/* clang-format on */

static bool
range_has(const struct range *rows, size_t n, uint32_t c)
{
	size_t lo = 0;
	size_t hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c > rows[mid].to)
			lo = mid + 1;
		else if (c < rows[mid].from)
			hi = mid;
		else
			return true;
	}
	return false;
}

int
cell_width(uint32_t c)
{
	return c < 0x300 ? 1 : display_char_width(c);
}

bool
cell_is_unsafe(uint32_t c)
{
	if (c >= 0x20 && c < 0x7F)
		return false;
	return range_has(unsafe, ARRAY_LEN(unsafe), c);
}

bool
cell_next(struct str *rest, uint32_t *ret_char)
{
	size_t n;

	if (rest->n == 0)
		return false;
	n = utf8_decode(*rest, ret_char);
	if (n == 0) {
		*ret_char = 0xFFFD;
		n = 1;
	}
	*rest = str_sub(*rest, n, rest->n);
	return true;
}

int
cell_count(struct str s)
{
	int cells = 0;
	uint32_t c = 0;

	while (cell_next(&s, &c))
		cells += cell_width(c);
	return cells;
}

struct str
cell_clip(struct str s, int cells)
{
	struct str rest = s;
	size_t used = 0;
	int n = 0;
	uint32_t c = 0;

	while (cell_next(&rest, &c)) {
		n += cell_width(c);
		if (n > cells)
			break;
		used = s.n - rest.n;
	}
	return str_sub(s, 0, used);
}

bool
cell_wrap(struct str *rest, int cells, struct str *ret_line)
{
	struct str piece;
	ptrdiff_t nl;
	size_t cut;

	if (rest->n == 0 || cells < 1)
		return false;
	piece = cell_clip(*rest, cells);
	nl = str_find_char(str_sub(*rest, 0, piece.n + 1), '\n');
	if (nl >= 0) {
		*ret_line = str_sub(*rest, 0, (size_t)nl);
		*rest = str_sub(*rest, (size_t)nl + 1, rest->n);
		return true;
	}
	if (piece.n == rest->n) {
		*ret_line = piece;
		*rest = str_sub(*rest, rest->n, 0);
		return true;
	}
	cut = piece.n;
	while (cut > 0 && rest->p[cut] != ' ')
		cut--;
	if (cut == 0) { /* one long word */
		uint32_t c = 0;
		struct str one = *rest;

		cut = piece.n;
		if (cut == 0 && cell_next(&one, &c))
			cut = rest->n - one.n;
		*ret_line = str_sub(*rest, 0, cut);
		*rest = str_sub(*rest, cut, rest->n);
		return true;
	}
	*ret_line = str_sub(*rest, 0, cut);
	*rest = str_sub(*rest, cut + 1, rest->n);
	return true;
}

int
cell_wrap_count(struct str s, int cells)
{
	struct str line;
	int n = 0;

	while (cell_wrap(&s, cells, &line))
		n++;
	return n;
}

void
age_format(int64_t now_ms, int64_t then_ms, char out[AGE_MAX])
{
	int64_t s = (now_ms - then_ms) / 1000;

	if (now_ms <= 0 || then_ms <= 0) {
		(void)snprintf(out, AGE_MAX, "-");
		return;
	}
	if (s < 0)
		s = 0;
	if (s < 60)
		(void)snprintf(out, AGE_MAX, "%llds", (long long)(s - s % 10));
	else if (s < 3600)
		(void)snprintf(out, AGE_MAX, "%lldm", (long long)(s / 60));
	else if (s < 86400)
		(void)snprintf(out, AGE_MAX, "%lldh", (long long)(s / 3600));
	else
		(void)snprintf(out, AGE_MAX, "%lldd", (long long)(s / 86400));
}

void
elapsed_format(int64_t ms, char out[AGE_MAX])
{
	long long s = (long long)(ms / 1000);

	if (s < 0)
		s = 0;
	if (s < 60)
		(void)snprintf(out, AGE_MAX, "%llds", s - s % 10);
	else if (s < 3600)
		(void)snprintf(out, AGE_MAX, "%lldm", s / 60);
	else if (s < 86400)
		(void)snprintf(out, AGE_MAX, "%lldh%02lldm", s / 3600, s % 3600 / 60);
	else
		(void)snprintf(out, AGE_MAX, "%lldd%02lldh", s / 86400, s % 86400 / 3600);
}

void
clock_format(int64_t ms, bool seconds, char out[AGE_MAX])
{
	int s;

	if (ms <= 0) {
		(void)snprintf(out, AGE_MAX, "-");
		return;
	}
	s = (int)(ms / 1000 % 86400);
	if (seconds)
		(void)snprintf(out, AGE_MAX, "%02d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
	else
		(void)snprintf(out, AGE_MAX, "%02d:%02d", s / 3600, s / 60 % 60);
}

void
count_format(int64_t n, char out[AGE_MAX])
{
	if (n < 0)
		(void)snprintf(out, AGE_MAX, "-");
	else
		(void)snprintf(out, AGE_MAX, "%lld", (long long)n);
}
