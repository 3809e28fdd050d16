/*
 * get: lists objects as tables, JSON, YAML or names. A table has the columns of its kind; wide
 * tables of clusters add what the newest snapshot knows. --watch goes on with a line for each
 * change.
 */
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/yaml.h"
#include "tui/cli/cli.h"
#include "tui/cli/columns.h"
#include "tui/cli/table.h"

enum { GET_ARENA = 512 * 1024 * 1024, FLEET_WAIT_MS = 5000 };

struct get_options {
	const char *output;
	const char *ns;
	const char *selector;
	bool watch, no_headers, all_namespaces, managed_fields;
};

static bool
is_wide(const struct get_options *o)
{
	return o->output != NULL && strcmp(o->output, "wide") == 0;
}

static bool
is_table(const struct get_options *o)
{
	return o->output == NULL || is_wide(o);
}

/* The message of the first condition that is not True, Ready last. */
static struct str
worst_message(const struct node *object)
{
	struct str found = { NULL, 0 };
	const struct node *list = node_path(object, "status.conditions");

	for (struct node *c = node_first(list); c != NULL; c = c->next) {
		struct str message = node_get_str(node_find(c, "message"));

		if (str_is(node_get_str(node_find(c, "status")), "True") || message.n == 0)
			continue;
		if (found.n == 0 || !str_is(node_get_str(node_find(c, "type")), "Ready"))
			found = message;
	}
	return found;
}

static bool
has_conditions(const struct kind *k)
{
	return (k->flags & KIND_CORE) == 0 && (k->flags & KIND_INTERNAL) == 0;
}

static bool
is_cluster(const struct kind *k)
{
	return strcmp(k->kind, "InferenceCluster") == 0;
}

static const char *const cluster_titles[] = { "LOCATION", "VERSION", "POOLS", "NODES", "GPUS",
	"STATE" };

/* More about a cluster stands between its own columns and those of every kind. */
static bool
is_first_common(const struct kind *k, size_t i)
{
	return strcmp(k->columns[i].title, "SYNCED") == 0;
}

static void
add_columns(struct table *t, const struct kind *k, const struct get_options *o)
{
	if (k->flags & KIND_NAMESPACED)
		table_column(t, "NAMESPACE");
	table_column(t, "NAME");
	for (size_t i = 0; i < k->ncolumns; i++) {
		for (size_t m = 0; m < ARRAY_LEN(cluster_titles) && is_wide(o) && is_cluster(k) &&
				   is_first_common(k, i);
		     m++)
			table_column(t, cluster_titles[m]);
		if (column_is_ours(&k->columns[i]))
			table_column(t, k->columns[i].title);
	}
	if (!columns_have(k, "AGE"))
		table_column(t, "AGE");
	if (is_wide(o) && has_conditions(k))
		table_column(t, "MESSAGE");
}

static void
add_cluster_cells(struct table *t, const struct fleet *f, struct str name)
{
	const struct fleet_cluster *c = f == NULL ? NULL : fleet_cluster_find(f, name);

	if (c == NULL) {
		for (size_t i = 0; i < ARRAY_LEN(cluster_titles); i++)
			table_cellz(t, "-");
		return;
	}
	table_cell(t, c->region);
	table_cell(t, c->version);
	table_cell_int(t, c->npools);
	table_cell_ratio(t, c->nodes_ready, c->nodes_wanted);
	table_cell_ratio(t, c->gpus_claimed, c->gpus);
	table_cellz(t, fleet_state_word(c->state));
}

struct get_run {
	struct backend *backend;
	struct arena *arena;
	const struct get_options *opt;
	const struct fleet *fleet;
	const struct kind *kind;
	bool header_printed;
	size_t widths[TABLE_MAX_COLUMNS]; /* of the lines of a watch so far */
};

static void
add_row(struct table *t, const struct get_run *run, const struct node *object)
{
	static const struct column_def age = { "AGE", ".metadata.creationTimestamp", "date" };
	const struct kind *k = run->kind;
	int64_t now_ms = backend_now_ms(run->backend);

	if (k->flags & KIND_NAMESPACED)
		table_cell(t, node_path_str(object, "metadata.namespace"));
	table_cell(t, node_path_str(object, "metadata.name"));
	for (size_t i = 0; i < k->ncolumns; i++) {
		if (is_wide(run->opt) && is_cluster(k) && is_first_common(k, i))
			add_cluster_cells(t, run->fleet, node_path_str(object, "metadata.name"));
		if (column_is_ours(&k->columns[i]))
			table_cell(t, column_text(run->arena, object, &k->columns[i], now_ms));
	}
	if (!columns_have(k, "AGE"))
		table_cell(t, column_text(run->arena, object, &age, now_ms));
	if (is_wide(run->opt) && has_conditions(k))
		table_cell(t, worst_message(object));
}

static bool
name_wanted(
    const struct node *object, const struct target *targets, size_t n, const struct kind *kind)
{
	for (size_t i = 0; i < n; i++) {
		if (targets[i].kind == kind &&
		    (targets[i].name.n == 0 ||
			str_eq(targets[i].name, node_path_str(object, "metadata.name"))))
			return true;
	}
	return false;
}

/* Collects what is wanted of one kind; every name that is not there is an error of its own. */
static bool
collect(struct get_run *run, const struct target *targets, size_t n, struct node **ret,
    struct error *err)
{
	struct backend_list all = { 0 };
	struct node *found = node_list(run->arena);
	struct node *next;

	if (!backend_list(run->backend, run->arena, run->kind, str_from(run->opt->ns),
		str_from(run->opt->selector), &all, err))
		return false;
	for (struct node *o = node_first(all.items); o != NULL; o = next) {
		next = o->next;
		o->next = NULL;
		if (name_wanted(o, targets, n, run->kind))
			node_push(found, o);
	}
	*ret = found;
	for (size_t i = 0; i < n; i++) {
		bool there = targets[i].kind != run->kind || targets[i].name.n == 0;

		for (struct node *o = node_first(found); o != NULL && !there; o = o->next)
			there = str_eq(targets[i].name, node_path_str(o, "metadata.name"));
		if (!there)
			return error_set(err, ERR_NOT_FOUND, "%s '" STR_FMT "' not found",
			    run->kind->singular, STR_ARG(targets[i].name));
	}
	return true;
}

static void
print_names(const struct get_run *run, const struct node *items)
{
	for (struct node *o = node_first(items); o != NULL; o = o->next) {
		struct text line = TEXT_INIT(1024);

		cli_object_name(run->kind, node_path_str(o, "metadata.name"), &line);
		text_add_char(&line, '\n');
		cli_out_clean(text_str(&line));
		text_free(&line);
	}
}

static void
print_table(struct get_run *run, const struct node *items)
{
	struct table t;

	table_init(&t, run->arena);
	add_columns(&t, run->kind, run->opt);
	for (struct node *o = node_first(items); o != NULL; o = o->next)
		add_row(&t, run, o);
	table_print(&t, !run->opt->no_headers && !run->header_printed);
}

static void
print_tree(struct arena *a, struct node *items, bool one, const char *format)
{
	struct text out = TEXT_INIT(256UL * 1024 * 1024);
	struct node *root = items;

	if (one) {
		root = node_first(items);
	} else {
		root = node_map(a);
		node_set_strz(a, root, "apiVersion", "v1");
		node_set_strz(a, root, "kind", "List");
		node_set(a, root, "items", items);
	}
	if (strcmp(format, "yaml") == 0)
		yaml_write(&out, root);
	else
		json_write(&out, root, JSON_PRETTY);
	if (out.n > 0 && out.p[out.n - 1] != '\n')
		text_add_char(&out, '\n');
	cli_out(text_str(&out));
	text_free(&out);
}

static bool
print_change(void *context, bool deleted, const struct node *object)
{
	struct get_run *run = context;
	struct arena *keep = run->arena;
	struct table t;

	run->arena = arena_new(GET_ARENA);
	if (run->arena == NULL) {
		run->arena = keep;
		return false;
	}
	table_init(&t, run->arena);
	add_columns(&t, run->kind, run->opt);
	add_row(&t, run, object);
	if (deleted && t.ncells > 0)
		t.cells[t.ncells - 1] = STR("deleted");
	memcpy(t.least, run->widths, sizeof run->widths);
	table_print(&t, !run->header_printed && !run->opt->no_headers);
	memcpy(run->widths, t.least, sizeof run->widths);
	run->header_printed = true;
	(void)fflush(stdout);
	arena_free(run->arena);
	run->arena = keep;
	return true;
}

/* As kubectl does, who set which field is left out unless it is asked for. */
static void
add_copies(const struct get_run *run, struct node *list, const struct node *items)
{
	for (const struct node *x = node_first(items); x != NULL; x = x->next) {
		struct node *copy = node_dup(run->arena, x);

		if (!run->opt->managed_fields)
			(void)node_remove(node_find(copy, "metadata"), STR("managedFields"));
		node_push(list, copy);
	}
}

/* A watch prints line by line; the widths come from a look at all that is there now. */
static bool
watch(struct get_run *run, const struct target *target, struct error *err)
{
	struct backend_list all = { 0 };
	struct table t;

	run->kind = target->kind;
	if (!backend_list(
		run->backend, run->arena, run->kind, str_from(run->opt->ns), STR(""), &all, err))
		return false;
	table_init(&t, run->arena);
	add_columns(&t, run->kind, run->opt);
	for (struct node *o = node_first(all.items); o != NULL; o = o->next)
		add_row(&t, run, o);
	table_measure(&t, true);
	memcpy(run->widths, t.least, sizeof run->widths);
	return backend_watch(run->backend, run->kind, str_from(run->opt->ns), target->name, -1,
	    print_change, run, err);
}

static bool
is_document(const struct get_options *o)
{
	return !is_table(o) && strcmp(o->output, "name") != 0;
}

static bool
kind_came_before(const struct target *targets, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (targets[k].kind == targets[i].kind)
			return true;
	}
	return false;
}

/* The objects of one kind: printed, or kept for the document at the end. */
static void
show_kind(struct get_run *run, struct node *items, struct node *everything, bool *shown)
{
	if (node_count(items) == 0)
		return;
	if (is_document(run->opt)) {
		add_copies(run, everything, items);
		return;
	}
	if (*shown && is_table(run->opt))
		cli_out(STR("\n"));
	*shown = true;
	if (is_table(run->opt))
		print_table(run, items);
	else
		print_names(run, items);
}

/* All wanted objects as one list, or kind after kind. */
static bool
get_all(struct get_run *run, const struct target *targets, size_t n, struct error *err)
{
	struct node *everything = node_list(run->arena);
	struct error missing = { 0 };
	bool shown = false;

	for (size_t i = 0; i < n; i++) {
		struct node *items = NULL;

		if (kind_came_before(targets, i))
			continue;
		run->kind = targets[i].kind;
		if (!collect(run, targets, n, &items, err)) {
			if (items == NULL)
				return false;
			missing = *err;
		}
		show_kind(run, items, everything, &shown);
	}
	/* Where something is missing and nothing was found, the error says it all. */
	if (is_document(run->opt) && (missing.code == ERR_NONE || node_count(everything) > 0))
		print_tree(run->arena, everything,
		    n == 1 && targets[0].name.n > 0 && node_count(everything) == 1,
		    run->opt->output);
	else if (!shown && missing.code == ERR_NONE)
		(void)fputs("No resources found.\n", stderr);
	if (missing.code == ERR_NONE)
		return true;
	*err = missing;
	return false;
}

static bool
output_is_known(const char *output)
{
	static const char *const known[] = { "wide", "json", "yaml", "name", "table" };

	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (strcmp(output, known[i]) == 0)
			return true;
	}
	return false;
}

static int
run_get(const struct get_options *o, const struct words *words)
{
	struct get_run run = { .opt = o };
	struct target *targets = NULL;
	struct error err = { 0 };
	size_t n = 0;
	bool ok = false;

	run.arena = arena_new(GET_ARENA);
	if (run.arena == NULL)
		(void)error_set(&err, ERR_NO_MEMORY, "no memory");
	else if (cli_targets(words, &targets, &n, &err) &&
		 cli_open(BACKEND_CLIENT, is_wide(o), &run.backend, &err)) {
		struct error quiet;

		if (is_wide(o))
			run.fleet = backend_fleet_wait(run.backend, FLEET_WAIT_MS, &quiet);
		if (o->watch) {
			ok = watch(&run, &targets[0], &err);
		} else {
			ok = get_all(&run, targets, n, &err);
		}
	}
	fleet_unref(run.fleet);
	backend_close(run.backend);
	mem_free(targets);
	arena_free(run.arena);
	return ok ? 0 : cli_fail(&err);
}

int
cli_get(int argc, char **argv)
{
	struct get_options o = { 0 };
	const struct option options[] = {
		{ "output", 'o', OPT_TEXT, &o.output, "FORMAT", "table, wide, json, yaml or name" },
		{ "namespace", 'n', OPT_TEXT, &o.ns, "NS", "only this namespace" },
		{ "all-namespaces", 'A', OPT_FLAG, &o.all_namespaces, NULL,
		    "every namespace (the default)" },
		{ "selector", 'l', OPT_TEXT, &o.selector, "LABELS",
		    "only what carries the labels" },
		{ "watch", 'w', OPT_FLAG, &o.watch, NULL, "go on with each change" },
		{ "show-managed-fields", 0, OPT_FLAG, &o.managed_fields, NULL,
		    "with metadata.managedFields" },
		{ "no-headers", 0, OPT_FLAG, &o.no_headers, NULL, "without the line of titles" },
	};
	struct args args = { 0 };
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	if (o.output != NULL && strcmp(o.output, "table") == 0)
		o.output = NULL;
	if (args.words.n == 0)
		code = cli_usage("get", "which kind? 'flightdeck get ic' lists the clusters");
	else if (o.output != NULL && !output_is_known(o.output))
		code = cli_usage("get", "no output format '%s'", o.output);
	else if (o.watch && !is_table(&o))
		code = cli_usage("get", "--watch prints tables only");
	else
		code = run_get(&o, &args.words);
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}
