/*
 * What a Kubernetes API server said about 2,000 documents: our verdict and our defaulted object
 * are the same, and where we are stricter only rules of our own say so.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/validate.h"

#include "helper_shared.h"

enum { SHOWN_DIFFERENCES = 20, MAX_RULES = 64, ORACLE_DOCUMENTS = 2000 };

struct tally {
	size_t documents, accepted, refused, stricter, differ;
	struct {
		char name[64];
		size_t n;
	} rules[MAX_RULES];
	size_t nrules;
};

static void
count_rule(struct tally *t, struct str rule)
{
	for (size_t i = 0; i < t->nrules; i++) {
		if (str_is(rule, t->rules[i].name)) {
			t->rules[i].n++;
			return;
		}
	}
	if (t->nrules == MAX_RULES || rule.n >= sizeof(t->rules[0].name))
		return;
	memcpy(t->rules[t->nrules].name, rule.p, rule.n);
	t->rules[t->nrules++].n = 1;
}

/* How many errors come from the schema, and not from rules of our own. */
static size_t
schema_errors(const struct problems *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->items[i].severity == SEVERITY_ERROR &&
		    !str_starts(p->items[i].rule, STR("flightdeck/")))
			n++;
	}
	return n;
}

static void
count_own_rules(struct tally *t, const struct problems *p)
{
	for (size_t i = 0; i < p->n; i++) {
		bool again = false;

		for (size_t j = 0; j < i; j++)
			again = again || str_eq(p->items[j].rule, p->items[i].rule);
		if (p->items[i].severity == SEVERITY_ERROR && !again)
			count_rule(t, p->items[i].rule);
	}
}

static void
show(struct tally *t, size_t line, const struct node *record, const struct manifest_set *m,
    const char *what)
{
	struct text out = TEXT_INIT(1 << 20);

	if (++t->differ > SHOWN_DIFFERENCES)
		return;
	text_printf(&out, "document %zu (" STR_FMT "): %s\n", line,
	    STR_ARG(node_get_str(node_find(record, "change"))), what);
	for (size_t i = 0; i < m->problems.n; i++) {
		text_add(&out, "    ours: ");
		problem_format(&m->problems.items[i], &out);
		text_add_char(&out, '\n');
	}
	text_add(&out, "    theirs: ");
	json_write(&out, node_find(record, node_find(record, "causes") ? "causes" : "object"),
	    JSON_SORTED);
	if (m->ndocs > 0) {
		text_add(&out, "\n    ours:   ");
		json_write(&out, m->docs[0].object, JSON_SORTED);
	}
	print_message("%s\n", text_get(&out));
	text_free(&out);
}

static void
check_record(struct tally *t, size_t line, struct str bytes)
{
	struct arena *a = arena_new(64 * 1024 * 1024);
	struct node *record = NULL;
	struct text input = TEXT_INIT(1 << 20);
	struct manifest_set m;
	struct error err = { 0 };
	bool theirs, ours;

	assert_non_null(a);
	assert_true(json_parse(a, bytes, &record, &err));
	json_write(&input, node_find(record, "input"), JSON_COMPACT);
	manifest_set_init(&m, a);
	t->documents++;
	theirs = node_get_int(node_find(record, "status"), 0) == 201;
	ours = manifest_set_add(&m, "input", text_str(&input)) && manifest_set_check(&m, NULL);
	t->accepted += ours ? 1 : 0;
	t->refused += ours ? 0 : 1;
	if (theirs && !ours && schema_errors(&m.problems) == 0) {
		t->stricter++;
		count_own_rules(t, &m.problems);
	} else if (theirs != ours) {
		show(t, line, record, &m,
		    theirs ? "accepted by the server" : "refused by the server");
	}
	if (theirs && m.ndocs == 1 && schema_errors(&m.problems) == 0 &&
	    !node_eq(m.docs[0].object, node_find(record, "object")))
		show(t, line, record, &m, "another object");
	text_free(&input);
	arena_free(a);
}

static void
verdicts_and_objects_are_those_of_a_server(void **state)
{
	struct tally t = { 0 };
	size_t n = 0, line = 0;
	char *bytes = shared_read("oracle/verdicts.jsonl", &n);
	struct str rest = { bytes, n }, one;

	(void)state;
	if (bytes == NULL) {
		print_message("skipped: no oracle/verdicts.jsonl below FLIGHTDECK_SHARED\n");
		skip();
	}
	while (str_split(&rest, '\n', &one)) {
		line++;
		if (one.n > 0)
			check_record(&t, line, one);
	}
	mem_free(bytes);
	print_message(
	    "%zu documents: %zu accepted, %zu refused, %zu of these by our own rules alone\n",
	    t.documents, t.accepted, t.refused, t.stricter);
	for (size_t i = 0; i < t.nrules; i++)
		print_message("    %-28s %zu\n", t.rules[i].name, t.rules[i].n);
	print_message("%zu differences that nothing explains\n", t.differ);
	assert_int_equal(t.documents, ORACLE_DOCUMENTS);
	assert_int_equal(t.differ, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_and_objects_are_those_of_a_server),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
