/*
 * explain: what a field of a kind means, from the kind's table.
 */
#include "model/base/mem.h"
#include "tui/cli/cli.h"
#include "tui/cli/model_verbs.h"

enum { EXPLAIN_OUTPUT_MAX = 4 * 1024 * 1024, EXPLAIN_MAX_KINDS = 64 };

/*
 * "ic.spec.nodePools.fabric": the longest beginning that names a kind, so that a group may follow
 * the plural; the rest is the path.
 */
static const struct kind *
split_kind(struct str word, struct str *ret_path)
{
	const struct kind *k = kind_find_word(word);

	*ret_path = (struct str){ NULL, 0 };
	for (size_t end = word.n; k == NULL && end > 0; end--) {
		if (word.p[end - 1] != '.')
			continue;
		k = kind_find_word(str_sub(word, 0, end - 1));
		*ret_path = str_sub(word, end, word.n);
	}
	return k;
}

static int
unknown_kind(struct str word)
{
	const char *names[EXPLAIN_MAX_KINDS];
	struct str rest = word, first = word;
	const char *near;
	size_t n, count = 0;
	const struct kind *const *all = kinds_get(&n);
	struct error err = { 0 };

	(void)str_split(&rest, '.', &first);
	for (size_t i = 0; i < n && count < EXPLAIN_MAX_KINDS; i++)
		names[count++] = all[i]->singular;
	near = suggest(first, names, count);
	(void)error_set(&err, ERR_NOT_FOUND, "there is no kind '" STR_FMT "'", STR_ARG(first));
	if (near != NULL)
		error_advise(&err, "did you mean '%s'?", near);
	return cli_fail(&err);
}

static int
explain(struct str word, bool recursive)
{
	struct text out = TEXT_INIT(EXPLAIN_OUTPUT_MAX);
	struct error err = { 0 };
	struct str path;
	const struct kind *k = split_kind(word, &path);
	int code = 0;

	if (k == NULL)
		return unknown_kind(word);
	if (kind_explain(k, path, recursive, &out, &err))
		cli_out(text_str(&out));
	else
		code = cli_fail(&err);
	text_free(&out);
	return code;
}

int
cli_explain(int argc, char **argv)
{
	bool recursive = false;
	const struct option options[] = {
		{ "recursive", 0, OPT_FLAG, &recursive, NULL, "show all fields below, as a tree" },
	};
	struct args args = { 0 };
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	if (args.words.n != 1)
		code = cli_usage("explain", "name one kind or field, such as ic.spec.nodePools");
	else
		code = explain(str_from(args.words.items[0]), recursive);
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}
