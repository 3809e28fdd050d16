#include "model/schema_int.h"

#include "model/base/mem.h"
#include "model/cel/cel.h"
#include "model/regex.h"

/* Rules and patterns are our own text: one that does not compile is reported, and a test finds it.
 */

static const struct cel_program *
rule_program(struct walk *w, const struct rule *rule)
{
	struct compiled_rule *c;
	struct error err = { 0 };

	for (c = w->cache->first; c != NULL; c = c->next) {
		if (c->rule == rule)
			return c->program;
	}
	c = arena_get(w->arena, sizeof(*c));
	if (c == NULL)
		return NULL;
	*c = (struct compiled_rule){
		.rule = rule,
		.program = cel_compile(w->arena, str_from(rule->cel), &err),
		.next = w->cache->first,
	};
	w->cache->first = c;
	return c->program;
}

static bool
is_transition(const struct rule *rule)
{
	return str_find(str_from(rule->cel), STR("oldSelf")) >= 0;
}

static void
fail_rule(struct walk *w, const struct rule *rule, const struct node *self, const char *why)
{
	struct str message = str_from(rule->message);

	problems_add(w->problems, SEVERITY_ERROR, self, text_str(&w->path), rule->id, rule->advice,
	    STR_FMT "%s%s", STR_ARG(message), why[0] != '\0' ? ": " : "", why);
}

static void
check_rule(struct walk *w, const struct rule *rule, const struct node *self, const struct node *old)
{
	const struct cel_program *program = rule_program(w, rule);
	const struct cel_var vars[] = {
		{ "self", cel_from_node(self) },
		{ "oldSelf", cel_from_node(old) },
	};
	struct error err = { 0 };
	bool holds = false;

	if (program == NULL) {
		fail_rule(w, rule, self, "the rule cannot be compiled");
		return;
	}
	if (cel_eval_bool(program, vars, old != NULL ? 2 : 1, CEL_COST_RULE, &holds, &err) !=
	    CEL_OK)
		fail_rule(w, rule, self, err.message);
	else if (!holds)
		fail_rule(w, rule, self, "");
}

void
schema_check_rules(struct walk *w, const struct rule *rules, size_t nrules, const struct node *self,
    const struct node *old)
{
	for (size_t i = 0; i < nrules; i++) {
		if (is_transition(&rules[i]) && old == NULL)
			continue;
		check_rule(w, &rules[i], self, old);
	}
}

void
schema_check_pattern(struct walk *w, const struct field *f, const struct node *value)
{
	struct error err = { 0 };
	const struct regex *re = regex_compile(w->arena, str_from(f->pattern), &err);
	bool found = false;

	if (re == NULL || !regex_search(re, value->u.string, &found, &err)) {
		walk_fail(w, value, "schema/pattern", "", "cannot be checked: %s", err.message);
		return;
	}
	if (!found)
		walk_fail(w, value, "schema/pattern", schema_doc(w->arena, f),
		    "'" STR_FMT "' does not match %s", STR_ARG(schema_shown(w->arena, f, value)),
		    f->pattern);
}
