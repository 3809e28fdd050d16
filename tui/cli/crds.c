/*
 * crds: the kinds as CustomResourceDefinitions, for a Kubernetes control plane.
 */
#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/yaml.h"
#include "tui/cli/cli.h"
#include "tui/cli/model_verbs.h"

enum { CRDS_ARENA = 64 * 1024 * 1024, CRDS_OUTPUT_MAX = 64 * 1024 * 1024 };

static bool
is_exported(const struct kind *k)
{
	return (k->flags & (KIND_CORE | KIND_INTERNAL)) == 0;
}

static bool
is_wanted(const struct kind *k, const struct words *words)
{
	if (words->n == 0)
		return true;
	for (size_t i = 0; i < words->n; i++) {
		if (kind_find_word(str_from(words->items[i])) == k)
			return true;
	}
	return false;
}

/* Each word names a kind that is exported. */
static bool
check_words(const struct words *words, struct error *err)
{
	for (size_t i = 0; i < words->n; i++) {
		const struct kind *k = kind_find_word(str_from(words->items[i]));

		if (k == NULL)
			return error_set(
			    err, ERR_NOT_FOUND, "there is no kind '%s'", words->items[i]);
		if (!is_exported(k))
			return error_set(err, ERR_INVALID,
			    "%s needs no definition: it is Kubernetes' own, or Flightdeck's",
			    k->kind);
	}
	return true;
}

static void
print_all(struct arena *a, const struct words *words, bool as_json)
{
	struct text out = TEXT_INIT(CRDS_OUTPUT_MAX);
	struct node *root = node_map(a), *entries = node_list(a);
	size_t n;
	const struct kind *const *all = kinds_get(&n);

	for (size_t i = 0; i < n; i++) {
		struct node *crd;

		if (!is_exported(all[i]) || !is_wanted(all[i], words))
			continue;
		crd = kind_crd(all[i], a);
		if (as_json) {
			node_push(entries, crd);
			continue;
		}
		if (out.n > 0)
			text_add(&out, "---\n");
		yaml_write(&out, crd);
	}
	if (as_json) {
		node_set_strz(a, root, "apiVersion", "v1");
		node_set_strz(a, root, "kind", "List");
		node_set(a, root, "items", entries);
		json_write(&out, root, JSON_PRETTY);
		text_add_char(&out, '\n');
	}
	cli_out(text_str(&out));
	text_free(&out);
}

int
cli_crds(int argc, char **argv)
{
	const char *output = "yaml";
	const struct option options[] = {
		{ "output", 'o', OPT_TEXT, &output, "FORMAT", "yaml or json" },
	};
	struct args args = { 0 };
	struct error err = { 0 };
	struct arena *a = NULL;
	int code;

	if (!cli_args(argc, argv, options, ARRAY_LEN(options), &args, &code))
		return code;
	if (strcmp(output, "yaml") != 0 && strcmp(output, "json") != 0) {
		code = cli_usage("crds", "'%s' is no output format: yaml or json", output);
		goto out;
	}
	a = arena_new(CRDS_ARENA);
	if (a == NULL)
		(void)error_set(&err, ERR_NO_MEMORY, "no memory");
	if (a == NULL || !check_words(&args.words, &err)) {
		code = cli_fail(&err);
		goto out;
	}
	print_all(a, &args.words, strcmp(output, "json") == 0);
	code = 0;
out:
	arena_free(a);
	args_fini(&args, options, ARRAY_LEN(options));
	return code;
}
