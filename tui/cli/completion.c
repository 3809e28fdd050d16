/*
 * completion: shell scripts made from the table of verbs and the table of kinds.
 */
#include <stdio.h>
#include <string.h>

#include "tui/cli/cli.h"

static void
add_verbs(struct text *out)
{
	size_t n;
	const struct verb *v = verbs_get(&n);

	for (size_t i = 0; i < n; i++)
		text_printf(out, "%s%s", i > 0 ? " " : "", v[i].name);
}

static void
add_kinds(struct text *out)
{
	size_t n;
	const struct kind *const *k = kinds_get(&n);
	bool first = true;

	for (size_t i = 0; i < n; i++) {
		if (k[i]->flags & KIND_INTERNAL)
			continue;
		text_printf(out, "%s%s", first ? "" : " ", k[i]->plural);
		first = false;
	}
}

static void
add_bash(struct text *out)
{
	text_add(out, "_flightdeck() {\n"
		      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
		      "\tif [ $COMP_CWORD -eq 1 ]; then\n\t\tCOMPREPLY=($(compgen -W \"");
	add_verbs(out);
	text_add(out,
	    "\" -- \"$cur\"))\n\telif [ \"$prev\" = -f ] || [ \"$prev\" = --file ]; then\n"
	    "\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
	    "\telif [[ $cur == */* ]]; then\n"
	    "\t\tCOMPREPLY=($(compgen -P \"${cur%%/*}/\" -W \"$(flightdeck get \"${cur%%/*}\" "
	    "-o name 2>/dev/null | sed 's#.*/##')\" -- \"${cur#*/}\"))\n"
	    "\telse\n\t\tCOMPREPLY=($(compgen -W \"");
	add_kinds(out);
	text_add(out, "\" -- \"$cur\"))\n\tfi\n}\ncomplete -F _flightdeck flightdeck\n");
}

static void
add_zsh(struct text *out)
{
	text_add(out, "#compdef flightdeck\nif (( CURRENT == 2 )); then\n\tcompadd ");
	add_verbs(out);
	text_add(out, "\nelse\n\tcompadd ");
	add_kinds(out);
	text_add(out, "\n\t_files\nfi\n");
}

static void
add_fish(struct text *out)
{
	size_t n;
	const struct verb *v = verbs_get(&n);

	for (size_t i = 0; i < n; i++)
		text_printf(out,
		    "complete -c flightdeck -n __fish_use_subcommand -f -a %s -d '%s'\n", v[i].name,
		    v[i].help);
	text_add(out, "complete -c flightdeck -n 'not __fish_use_subcommand' -a '");
	add_kinds(out);
	text_add(out, "'\n");
}

int
cli_completion(int argc, char **argv)
{
	static const struct {
		const char *shell;
		void (*add)(struct text *out);
	} shells[] = { { "bash", add_bash }, { "zsh", add_zsh }, { "fish", add_fish } };
	struct args args = { 0 };
	struct text out = TEXT_INIT(64UL * 1024);
	int code;

	if (!cli_args(argc, argv, NULL, 0, &args, &code))
		return code;
	code = 2;
	for (size_t i = 0; args.words.n == 1 && i < ARRAY_LEN(shells); i++) {
		if (strcmp(args.words.items[0], shells[i].shell) == 0) {
			shells[i].add(&out);
			cli_out(text_str(&out));
			code = 0;
		}
	}
	text_free(&out);
	args_fini(&args, NULL, 0);
	return code == 0 ? 0 : cli_usage("completion", "bash, zsh or fish?");
}
