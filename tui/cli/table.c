#include "tui/cli/table.h"

#include "model/base/mem.h"
#include "model/display.h"
#include "tui/cli/cli.h"

enum { TABLE_MAX_CELL = 512 };

void
table_init(struct table *t, struct arena *a)
{
	*t = (struct table){ .arena = a };
}

void
table_column(struct table *t, const char *title)
{
	if (t->ncolumns < TABLE_MAX_COLUMNS)
		t->titles[t->ncolumns++] = title;
}

void
table_cell(struct table *t, struct str value)
{
	struct str clean = display_cut(t->arena, value, TABLE_MAX_CELL).s;

	if (t->ncells == t->cap) {
		size_t cap = t->cap == 0 ? 256 : t->cap * 2;
		struct str *cells = arena_array(t->arena, cap, sizeof *cells);

		if (cells == NULL)
			return;
		for (size_t i = 0; i < t->ncells; i++)
			cells[i] = t->cells[i];
		t->cells = cells;
		t->cap = cap;
	}
	t->cells[t->ncells++] = clean.n == 0 ? STR("-") : clean;
}

void
table_cellz(struct table *t, const char *value)
{
	table_cell(t, str_from(value));
}

void
table_cell_int(struct table *t, int64_t value)
{
	table_cellz(t, value < 0 ? "-" : arena_printf(t->arena, "%lld", (long long)value));
}

void
table_cell_ratio(struct table *t, int64_t part, int64_t whole)
{
	if (part < 0 && whole < 0)
		table_cellz(t, "-");
	else if (part < 0)
		table_cellz(t, arena_printf(t->arena, "-/%lld", (long long)whole));
	else if (whole < 0)
		table_cellz(t, arena_printf(t->arena, "%lld/-", (long long)part));
	else
		table_cellz(
		    t, arena_printf(t->arena, "%lld/%lld", (long long)part, (long long)whole));
}

static size_t
cell_width(struct str s)
{
	return display_width((struct display){ s });
}

static void
add_row(struct text *out, const struct str *cells, const size_t *width, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		text_add_str(out, cells[i]);
		if (i + 1 == n)
			break;
		for (size_t k = cell_width(cells[i]); k < width[i] + 3; k++)
			text_add_char(out, ' ');
	}
	text_add_char(out, '\n');
}

void
table_measure(struct table *t, bool header)
{
	for (size_t i = 0; header && i < t->ncolumns; i++) {
		size_t w = str_from(t->titles[i]).n;

		if (w > t->least[i])
			t->least[i] = w;
	}
	for (size_t i = 0; i < t->ncells; i++) {
		size_t w = cell_width(t->cells[i]);

		if (w > t->least[i % t->ncolumns])
			t->least[i % t->ncolumns] = w;
	}
}

void
table_print(struct table *t, bool header)
{
	struct str titles[TABLE_MAX_COLUMNS];
	struct text out = TEXT_INIT(64UL * 1024 * 1024);

	if (t->ncolumns == 0)
		return;
	table_measure(t, header);
	for (size_t i = 0; i < t->ncolumns; i++)
		titles[i] = str_from(t->titles[i]);
	if (header)
		add_row(&out, titles, t->least, t->ncolumns);
	for (size_t i = 0; i + t->ncolumns <= t->ncells; i += t->ncolumns)
		add_row(&out, &t->cells[i], t->least, t->ncolumns);
	cli_out(text_str(&out));
	text_free(&out);
}
