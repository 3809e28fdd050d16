/*
 * tree and events: what the newest snapshot knows, printed once.
 */
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/stamp.h"
#include "tui/cli/cli.h"
#include "tui/cli/request.h"
#include "tui/cli/table.h"

enum { TREE_ARENA = 64 * 1024 * 1024, FLEET_WAIT_MS = 10000 };

static void
add_tree_row(struct table *t, const struct fleet_resource *r, int64_t now_ms)
{
	char age[STAMP_MAX];
	struct text name = TEXT_INIT(1024);

	for (uint32_t i = 0; i < r->depth; i++)
		text_add(&name, "  ");
	text_add_str(&name, r->object);
	table_cell(t, text_str(&name));
	text_free(&name);
	table_cellz(t, r->ready ? "True" : "False");
	table_cellz(t, arena_printf(t->arena, "%s %s", fleet_state_mark(r->state),
			   fleet_state_word(r->state)));
	table_cell(t, r->word);
	table_cell(t, r->version);
	table_cellz(t, r->since_ms == 0 ? "-" : stamp_age(now_ms - r->since_ms, age));
	table_cell(t, r->message);
}

/* The verb's exit code. */
static int
print_tree(struct backend *b, const struct fleet_cluster *c, struct arena *a)
{
	static const char *const titles[] = { "OBJECT", "READY", "STATE", "STATUS", "VERSION",
		"AGE", "MESSAGE" };
	struct table t;
	size_t ready = 0, blocking = 0;

	table_init(&t, a);
	for (size_t i = 0; i < ARRAY_LEN(titles); i++)
		table_column(&t, titles[i]);
	for (size_t i = 0; i < c->ntree; i++) {
		add_tree_row(&t, &c->tree[i], backend_now_ms(b));
		ready += c->tree[i].ready;
		blocking += c->tree[i].blocking;
	}
	table_print(&t, true);
	(void)printf("\n%zu objects, %zu ready", c->ntree, ready);
	if (blocking > 0)
		(void)printf(", %zu on the critical path", blocking);
	(void)printf("\n");
	return 0;
}

static struct node *
tree_node(struct arena *a, const struct fleet_cluster *c)
{
	struct node *list = node_list(a);

	for (size_t i = 0; i < c->ntree; i++) {
		const struct fleet_resource *r = &c->tree[i];
		struct node *n = node_map(a);

		node_set_int(a, n, "depth", r->depth);
		node_set(a, n, "object", node_str(a, r->object));
		node_set(a, n, "kind", node_str(a, r->kind));
		node_set(a, n, "name", node_str(a, r->name));
		node_set(a, n, "step", node_str(a, r->step));
		node_set_strz(a, n, "state", fleet_state_word(r->state));
		node_set(a, n, "status", node_str(a, r->word));
		node_set(a, n, "version", node_str(a, r->version));
		node_set(a, n, "message", node_str(a, r->message));
		node_set(a, n, "advice", node_str(a, r->advice));
		node_set(a, n, "externalId", node_str(a, r->external_id));
		node_set_bool(a, n, "ready", r->ready);
		node_set_bool(a, n, "blocking", r->blocking);
		node_push(list, n);
	}
	return list;
}

static int
print_json(struct node *n)
{
	struct text out = TEXT_INIT(64UL * 1024 * 1024);

	json_write(&out, n, JSON_PRETTY);
	text_add_char(&out, '\n');
	cli_out(text_str(&out));
	text_free(&out);
	return 0;
}

int
cli_tree(int argc, char **argv)
{
	const char *output = NULL;
	const struct option options[] = {
		{ "output", 'o', OPT_TEXT, &output, "FORMAT", "table or json" },
	};
	struct args args = { 0 };
	struct target t;
	struct backend *b = NULL;
	const struct fleet *f = NULL;
	struct error err = { 0 };
	struct arena *a;
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	a = arena_new(TREE_ARENA);
	if (a != NULL && cli_one_target("tree", &args.words, &t, &code)) {
		const struct fleet_cluster *c = NULL;

		if (cli_open(BACKEND_CLIENT, true, &b, &err) &&
		    (f = backend_fleet_wait(b, FLEET_WAIT_MS, &err)) != NULL) {
			c = fleet_cluster_find(f, t.name);
			if (c == NULL)
				(void)error_set(&err, ERR_NOT_FOUND,
				    "no InferenceCluster '" STR_FMT "'", STR_ARG(t.name));
		}
		if (c == NULL)
			code = cli_fail(&err);
		else if (output != NULL && strcmp(output, "json") == 0)
			code = print_json(tree_node(a, c));
		else
			code = print_tree(b, c, a);
	}
	fleet_unref(f);
	backend_close(b);
	arena_free(a);
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}

static void
print_events(
    struct backend *b, const struct fleet *f, struct str name, bool warnings, struct arena *a)
{
	static const char *const titles[] = { "LAST", "COUNT", "TYPE", "REASON", "OBJECT",
		"MESSAGE" };
	struct table t;
	char age[STAMP_MAX];

	table_init(&t, a);
	for (size_t i = 0; i < ARRAY_LEN(titles); i++)
		table_column(&t, titles[i]);
	for (size_t i = f->nevents; i > 0; i--) {
		const struct fleet_event *e = &f->events[i - 1];

		if (warnings && !e->warning)
			continue;
		if (name.n > 0 && !str_ends(e->object, name) && !str_eq(e->cluster_name, name))
			continue;
		table_cellz(&t, stamp_age(backend_now_ms(b) - e->last_ms, age));
		table_cell_int(&t, e->count);
		table_cellz(&t, e->warning ? "Warning" : "Normal");
		table_cell(&t, e->reason);
		table_cell(&t, e->object);
		table_cell(&t, e->message);
	}
	table_print(&t, true);
}

int
cli_events(int argc, char **argv)
{
	bool warnings = false;
	const struct option options[] = {
		{ "warnings", 0, OPT_FLAG, &warnings, NULL, "only warnings" },
	};
	struct args args = { 0 };
	struct target t = { .kind = NULL };
	struct backend *b = NULL;
	const struct fleet *f = NULL;
	struct error err = { 0 };
	struct arena *a;
	int code = 0;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	a = arena_new(TREE_ARENA);
	if (a != NULL && (args.words.n == 0 || cli_one_target("events", &args.words, &t, &code))) {
		if (cli_open(BACKEND_CLIENT, true, &b, &err) &&
		    (f = backend_fleet_wait(b, FLEET_WAIT_MS, &err)) != NULL)
			print_events(b, f, t.name, warnings, a);
		else
			code = cli_fail(&err);
	}
	fleet_unref(f);
	backend_close(b);
	arena_free(a);
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}
