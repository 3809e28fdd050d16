/* Classes: tested recipes for GPU pools. */
#include "tui/console.h"
#include "tui/panes/panes.h"
#include "tui/text.h"

static const struct fleet_class *
at(const struct view *v, size_t row)
{
	return &v->fleet->classes[row];
}

static void
name_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->name);
}

static void
provider_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->provider);
}

static void
machine_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->machine);
}

static void
gpus_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_num(out, at(v, row)->gpus_per_node);
}

static void
type_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->accelerator);
}

static void
memory_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->memory);
}

static void
used_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_num(out, at(v, row)->used_by);
}

static void
state_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_state(out, at(v, row)->accepted ? FLEET_READY : FLEET_NEW);
	if (at(v, row)->accepted)
		cell_str(out, STR("ok Accepted"));
}

static void
text_cell(const struct view *v, size_t row, struct cell_out *out)
{
	cell_str(out, at(v, row)->description);
}

/* clang-format off */
static const struct column columns[] = {
	{ "NAME", "name", 24, 14, 1, COLUMN_KEEP, name_cell, "name of the InferenceClass" },
	{ "CLOUD", "cloud", 7, 6, 5, 0, provider_cell, "provider it can be made on" },
	{ "MACHINE", "machine", 28, 18, 3, 0, machine_cell, "VM size or instance type" },
	{ "GPU/N", "gpus", 5, 5, 2, COLUMN_RIGHT | COLUMN_DOWN, gpus_cell, "GPUs a node" },
	{ "TYPE", "type", 14, 6, 4, 0, type_cell, "accelerator" },
	{ "VRAM/GPU", "memory", 9, 8, 6, COLUMN_RIGHT, memory_cell, "memory of one GPU" },
	{ "POOLS", "pools", 5, 5, 7, COLUMN_RIGHT | COLUMN_DOWN, used_cell, "pools of this class" },
	{ "STATE", "state", 11, 11, 1, 0, state_cell, "mark and word" },
	{ "DESCRIPTION", "description", 50, 16, 8, COLUMN_WIDE, text_cell, "as its author put it" },
};
/* clang-format on */

static size_t
count(const struct view *v)
{
	return v->fleet->nclasses;
}

static void
key(const struct view *v, size_t row, struct text *out)
{
	text_add_str(out, at(v, row)->name);
}

static void
subject(const struct view *v, size_t row, struct subject *out)
{
	subject_set(out->kind, sizeof(out->kind), STR("InferenceClass"));
	subject_set(out->name, sizeof(out->name), at(v, row)->name);
}

static enum fleet_state
state(const struct view *v, size_t row)
{
	return at(v, row)->accepted ? FLEET_READY : FLEET_NEW;
}

static bool
open_row(struct console *c, struct view *v, size_t row)
{
	struct text t = TEXT_INIT(FILTER_MAX - 1);

	text_printf(&t, "class=" STR_FMT, STR_ARG(at(v, row)->name));
	console_go(c, &pools_pane, NULL, true);
	if (console_view(c)->pane == &pools_pane)
		(void)view_set_filter(console_view(c), text_get(&t));
	text_free(&t);
	return true;
}

const struct pane classes_pane = {
	.name = "classes",
	.title = "Classes",
	.one = "class",
	.gives = NEED_LIST | NEED_OBJECT,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.sort = 0,
	.empty = "No InferenceClass yet. The wizard (n) makes one from a VM size of the cloud.",
	.count = count,
	.key = key,
	.subject = subject,
	.state = state,
	.open = open_row,
};
