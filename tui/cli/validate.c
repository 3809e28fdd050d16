/*
 * validate: the same checks as apply, without a backend; nothing is stored. As text every problem
 * is a line that an editor can jump to; as JSON there is one entry a document.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/yaml.h"
#include "tui/cli/cli.h"
#include "tui/cli/model_verbs.h"

enum { VALIDATE_ARENA = 256 * 1024 * 1024, VALIDATE_OUTPUT_MAX = 64 * 1024 * 1024 };

static int64_t
now_ms(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_REALTIME, &t) != 0)
		return 0;
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool
same_file(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* The document that a problem belongs to: the last of its file that begins at or above it. */
static size_t
document_of(const struct manifest_set *m, const struct problem *p)
{
	size_t ret = m->ndocs;

	for (size_t i = 0; i < m->ndocs; i++) {
		if (!same_file(m->docs[i].file, p->file))
			continue;
		if (ret == m->ndocs || m->docs[i].line <= p->line)
			ret = i;
	}
	return ret;
}

static struct node *
problem_node(struct arena *a, const struct problem *p)
{
	struct node *ret = node_map(a);

	node_set(a, ret, "path", node_str(a, p->path));
	node_set_int(a, ret, "line", p->line);
	node_set_int(a, ret, "column", p->column);
	node_set(a, ret, "rule", node_str(a, p->rule));
	node_set(a, ret, "message", node_str(a, p->message));
	node_set(a, ret, "advice", node_str(a, p->advice));
	return ret;
}

/* The problems of document `at`; of a file without documents when `at` is ndocs. */
static struct node *
problems_node(const struct manifest_set *m, size_t at, const char *file, enum severity severity)
{
	struct node *ret = node_list(m->arena);

	for (size_t i = 0; i < m->problems.n; i++) {
		const struct problem *p = &m->problems.items[i];

		if (p->severity == severity && same_file(p->file, file) && document_of(m, p) == at)
			node_push(ret, problem_node(m->arena, p));
	}
	return ret;
}

static struct node *
entry_node(const struct manifest_set *m, size_t at, const char *file, uint32_t line)
{
	struct arena *a = m->arena;
	struct node *ret = node_map(a);
	struct node *errors = problems_node(m, at, file, SEVERITY_ERROR);
	const struct node *object = at < m->ndocs ? m->docs[at].object : NULL;
	const struct node *kind = node_find(object, "kind");
	const struct node *name = node_path(object, "metadata.name");

	node_set_strz(a, ret, "file", file);
	node_set_int(a, ret, "line", line);
	node_set(a, ret, "kind", kind != NULL ? node_dup(a, kind) : node_null(a));
	node_set(a, ret, "name", name != NULL ? node_dup(a, name) : node_null(a));
	node_set_bool(a, ret, "valid", node_count(errors) == 0);
	node_set(a, ret, "errors", errors);
	node_set(a, ret, "warnings", problems_node(m, at, file, SEVERITY_WARNING));
	return ret;
}

/* A file that could not be read as YAML has no documents, and one entry. */
static void
add_unread_files(const struct manifest_set *m, struct node *all)
{
	for (size_t i = 0; i < m->problems.n; i++) {
		const struct problem *p = &m->problems.items[i];
		bool seen = p->file == NULL || document_of(m, p) < m->ndocs;

		for (size_t j = 0; j < i && !seen; j++)
			seen = same_file(m->problems.items[j].file, p->file);
		if (!seen)
			node_push(all, entry_node(m, m->ndocs, p->file, p->line));
	}
}

static void
print_json(const struct manifest_set *m)
{
	struct text out = TEXT_INIT(VALIDATE_OUTPUT_MAX);
	struct node *all = node_list(m->arena);

	for (size_t i = 0; i < m->ndocs; i++)
		node_push(all, entry_node(m, i, m->docs[i].file, m->docs[i].line));
	add_unread_files(m, all);
	json_write(&out, all, JSON_PRETTY);
	text_add_char(&out, '\n');
	cli_out_clean(text_str(&out));
	text_free(&out);
}

/* Objects that are valid, with their defaults, secrets masked. */
static void
print_yaml(const struct manifest_set *m)
{
	struct text out = TEXT_INIT(VALIDATE_OUTPUT_MAX);

	for (size_t i = 0; i < m->ndocs; i++) {
		const struct document *d = &m->docs[i];

		if (d->kind == NULL || d->nerrors > 0)
			continue;
		if (out.n > 0)
			text_add(&out, "---\n");
		yaml_write(&out, schema_mask(d->kind->schema, m->arena, d->object));
	}
	cli_out_clean(text_str(&out));
	text_free(&out);
	(void)cli_problems(&m->problems);
}

static void
print_text(const struct manifest_set *m)
{
	struct text out = TEXT_INIT(VALIDATE_OUTPUT_MAX);
	size_t valid = 0;

	for (size_t i = 0; i < m->ndocs; i++) {
		const struct document *d = &m->docs[i];

		if (d->kind == NULL || d->nerrors > 0)
			continue;
		valid++;
		cli_object_name(d->kind, d->name, &out);
		text_add(&out, " is valid\n");
	}
	cli_out_clean(text_str(&out));
	text_free(&out);
	(void)fflush(stdout);
	(void)cli_problems(&m->problems);
	if (m->problems.nerrors > 0)
		(void)fprintf(stderr, "%zu error%s; %zu of %zu objects valid\n",
		    m->problems.nerrors, m->problems.nerrors == 1 ? "" : "s", valid, m->ndocs);
}

static int
validate_files(const struct words *files, const char *output, struct error *err)
{
	static const struct {
		const char *name;
		void (*print)(const struct manifest_set *m);
	} formats[] = {
		{ "text", print_text },
		{ "json", print_json },
		{ "yaml", print_yaml },
	};
	struct arena *a = NULL;
	const struct known known = { .now_ms = now_ms() };
	struct manifest_set m;
	size_t format = 0;
	int code;

	while (format < ARRAY_LEN(formats) && strcmp(output, formats[format].name) != 0)
		format++;
	if (format == ARRAY_LEN(formats))
		return cli_usage(
		    "validate", "'%s' is no output format: text, json or yaml", output);
	a = arena_new(VALIDATE_ARENA);
	if (a == NULL) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory");
		return cli_fail(err);
	}
	manifest_set_init(&m, a);
	if (!cli_read_manifests(files, &m, err)) {
		code = cli_fail(err);
	} else {
		code = manifest_set_check(&m, &known) ? 0 : 3;
		formats[format].print(&m);
	}
	arena_free(a);
	return code;
}

int
cli_validate(int argc, char **argv)
{
	struct words files = { 0 };
	const char *output = "text";
	const struct option options[] = {
		{ "filename", 'f', OPT_TEXTS, &files, "FILE",
		    "a file, a folder, or - for standard input" },
		{ "output", 'o', OPT_TEXT, &output, "FORMAT",
		    "text, json, or yaml with defaults filled in" },
	};
	struct args args = { 0 };
	struct error err = { 0 };
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	if (files.n == 0 || args.words.n > 0)
		code = cli_usage("validate", "%s",
		    files.n == 0 ? "-f FILE is missing" : "only -f FILE names files");
	else
		code = validate_files(&files, output, &err);
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}
