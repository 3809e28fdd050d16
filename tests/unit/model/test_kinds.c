/*
 * Every row of every kind: names, texts, bounds, defaults, patterns and rules are sound, and the
 * rules are those of the resource model, byte for byte.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/cel/cel.h"
#include "model/json.h"
#include "model/kinds/external.h"
#include "model/kinds/inference_class.h"
#include "model/kinds/inference_cluster.h"
#include "model/kinds/provider_config.h"
#include "model/regex.h"
#include "model/schema.h"

#include "helper_shared.h"

enum { ARENA = 64 * 1024 * 1024, KINDS = 28, RULES = 67, MAX_PATH = 512 };

typedef void field_fn(
    struct arena *a, const struct schema *s, const struct field *f, const char *path);

static void
walk(struct arena *a, const struct schema *s, const char *path, field_fn *fn)
{
	for (size_t i = 0; i < s->nfields; i++) {
		const struct field *f = &s->fields[i];
		char *below = arena_printf(a, "%s%s%s", path, path[0] != '\0' ? "." : "", f->name);

		assert_non_null(below);
		assert_true(strlen(below) < MAX_PATH);
		fn(a, s, f, below);
		if (f->sub != NULL)
			walk(a, f->sub, below, fn);
	}
}

static void
walk_kinds(field_fn *fn)
{
	struct arena *a = arena_new(ARENA);
	size_t n;
	const struct kind *const *all = kinds_get(&n);

	for (size_t i = 0; i < n; i++)
		walk(a, all[i]->schema, "", fn);
	arena_free(a);
}

static void
check_shape(struct arena *a, const struct schema *s, const struct field *f, const char *path)
{
	size_t same = 0;

	(void)a;
	if (f->doc == NULL || f->doc[0] == '\0' || f->doc[strlen(f->doc) - 1] != '.')
		fail_msg("%s has no sentence", path);
	for (size_t i = 0; i < s->nfields; i++)
		same += strcmp(s->fields[i].name, f->name) == 0 ? 1 : 0;
	assert_int_equal(same, 1);
	assert_true(f->off < s->size);
	assert_true(s->size > 0);
	if (f->type == FT_ENUM && f->words == NULL)
		fail_msg("%s has no words", path);
	if ((f->type == FT_OBJECT || f->type == FT_MAPOF) && f->sub == NULL)
		fail_msg("%s has no table", path);
	if (f->has_min && f->has_max)
		assert_true(f->min <= f->max);
	assert_true((f->flags & (REQUIRED | SECRET)) != (REQUIRED | SECRET));
}

static void
every_field_has_a_name_a_place_and_a_sentence(void **state)
{
	(void)state;
	walk_kinds(check_shape);
}

static void
check_keys(struct arena *a, const struct schema *s, const struct field *f, const char *path)
{
	(void)a;
	(void)s;
	if (f->keys == NULL)
		return;
	assert_int_equal(f->type, FT_LIST);
	for (const char *const *key = f->keys; *key != NULL; key++) {
		const struct field *member = schema_child(f->sub, str_from(*key));

		if (member == NULL || ((member->flags & REQUIRED) == 0 && member->def == NULL))
			fail_msg("%s: key %s is not sure to be there", path, *key);
	}
}

static void
keys_of_list_maps_are_always_there(void **state)
{
	(void)state;
	walk_kinds(check_keys);
}

/* Wraps the default in an object of one field, so that the engine's own check judges it. */
static void
check_default(struct arena *a, const struct schema *s, const struct field *f, const char *path)
{
	struct node *def = NULL;
	bool found = false;
	const struct regex *re;

	(void)s;
	if (f->def == NULL)
		return;
	if (!json_parse(a, str_from(f->def), &def, NULL))
		fail_msg("%s: default %s is no JSON", path, f->def);
	if (f->type == FT_INT) {
		assert_int_equal(def->type, NODE_INT);
		assert_true(!f->has_min || def->u.integer >= f->min);
		assert_true(!f->has_max || def->u.integer <= f->max);
	}
	if (f->type != FT_STRING && f->type != FT_ENUM)
		return;
	assert_int_equal(def->type, NODE_STRING);
	assert_true(!f->has_max || (int64_t)def->u.string.n <= f->max);
	for (size_t i = 0; f->words != NULL && f->words[i] != NULL; i++)
		found = found || str_is(def->u.string, f->words[i]);
	assert_true(f->words == NULL || found);
	if (f->pattern != NULL) {
		re = regex_compile(a, str_from(f->pattern), NULL);
		assert_non_null(re);
		assert_true(regex_search(re, def->u.string, &found, NULL) && found);
	}
}

static void
every_default_passes_its_own_limits(void **state)
{
	(void)state;
	walk_kinds(check_default);
}

static void
check_pattern(struct arena *a, const struct schema *s, const struct field *f, const char *path)
{
	struct error err = { 0 };

	(void)s;
	if (f->pattern != NULL && regex_compile(a, str_from(f->pattern), &err) == NULL)
		fail_msg("%s: %s", path, err.message);
}

static void
check_rules(struct arena *a, const struct rule *rules, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++) {
		static const char *const names[] = { "self", "oldSelf" };
		struct error err = { 0 };
		const struct cel_program *p = cel_compile(a, str_from(rules[i].cel), &err);

		if (p == NULL || !cel_check_names(p, names, 2, &err))
			fail_msg("%s: %s: %s", path, rules[i].id, err.message);
		assert_true(rules[i].message[0] != '\0');
		assert_true(rules[i].advice[0] != '\0');
	}
}

static void
check_field_rules(struct arena *a, const struct schema *s, const struct field *f, const char *path)
{
	(void)s;
	check_rules(a, f->rules, f->nrules, path);
	check_rules(a, f->item_rules, f->nitem_rules, path);
}

static void
patterns_and_rules_compile_and_say_what_to_do(void **state)
{
	(void)state;
	walk_kinds(check_pattern);
	walk_kinds(check_field_rules);
}

static void
kinds_are_found_by_version_and_by_word(void **state)
{
	static const struct {
		const char *word;
		const struct kind *kind;
	} words[] = {
		{ "ic", &inference_cluster_kind },
		{ "InferenceCluster", &inference_cluster_kind },
		{ "inferenceclusters", &inference_cluster_kind },
		{ "INFERENCECLUSTER", &inference_cluster_kind },
		{ "inferenceclasses.modelplane.ai", &inference_class_kind },
		{ "icl.modelplane.ai", &inference_class_kind },
		{ "providerconfigs", &provider_config_kinds[PROVIDER_AZURE] },
		{ "providerconfigs.gcp.m.upbound.io", &provider_config_kinds[PROVIDER_GCP] },
		{ "clusterproviderconfigs.vultr.m.upbound.io",
		    &cluster_provider_config_kinds[PROVIDER_VULTR] },
		{ "ic.example.com", NULL },
		{ "", NULL },
		{ "i", NULL },
	};
	size_t n;
	const struct kind *const *all = kinds_get(&n);

	(void)state;
	assert_int_equal(n, KINDS);
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		assert_ptr_equal(kind_find_word(str_from(words[i].word)), words[i].kind);
	for (size_t i = 0; i < n; i++) {
		struct text version = TEXT_INIT(128);

		kind_api_version(all[i], &version);
		assert_ptr_equal(kind_find(text_str(&version), str_from(all[i]->kind)), all[i]);
		text_free(&version);
	}
	assert_null(kind_find(STR("modelplane.ai/v1beta1"), STR("InferenceCluster")));
	assert_null(kind_find(STR("v1alpha1"), STR("InferenceCluster")));
	assert_null(kind_find(STR("modelplane.ai/v1alpha1/x"), STR("InferenceCluster")));
}

static void
every_kind_has_conditions_columns_and_a_short_name_of_its_own(void **state)
{
	size_t n;
	const struct kind *const *all = kinds_get(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		const struct kind *k = all[i];

		assert_true(k->doc[0] != '\0');
		assert_true(k->ncolumns > 0);
		if ((k->flags & (KIND_CORE | KIND_INTERNAL)) == 0) {
			assert_non_null(
			    schema_find(k->schema, STR("status.conditions.type"), NULL));
			assert_string_equal(
			    schema_list_keys(k, STR("status.conditions"))[0], "type");
		}
		for (size_t j = 0; j < i; j++) {
			for (const char *const *s = k->shorts; *s != NULL; s++)
				for (const char *const *t = all[j]->shorts; *t != NULL; t++)
					assert_string_not_equal(*s, *t);
		}
	}
}

/* Rules on the field at the path; "[]" and "{}" at its end mean the elements. */
static const struct rule *
find_rule(struct str id, struct str path, bool *ret_on_items)
{
	struct str rest = id, kind;
	const struct kind *k;
	const struct field *f;
	const struct rule *rules;
	size_t n;
	bool items = str_ends(path, STR("[]")) || str_ends(path, STR("{}"));
	char buf[MAX_PATH];
	size_t m = 0;

	assert_true(str_split(&rest, '-', &kind));
	k = kind_find_word(kind);
	assert_non_null(k);
	for (size_t i = 0; i < path.n && m < sizeof(buf); i++) {
		if (strchr("[]{}", path.p[i]) == NULL)
			buf[m++] = path.p[i];
	}
	f = schema_find(k->schema, (struct str){ buf, m }, NULL);
	if (f == NULL)
		return NULL;
	rules = items ? f->item_rules : f->rules;
	n = items ? f->nitem_rules : f->nrules;
	*ret_on_items = items;
	for (size_t i = 0; i < n; i++) {
		if (str_is(id, rules[i].id))
			return &rules[i];
	}
	return NULL;
}

static void
rules_are_those_of_the_resource_model_byte_for_byte(void **state)
{
	size_t n = 0, found = 0;
	char *bytes = shared_read("spec/resources.md", &n);
	struct str all = { bytes, n }, line;
	ptrdiff_t at;

	(void)state;
	if (bytes == NULL) {
		print_message("skipped: no spec/resources.md below FLIGHTDECK_SHARED\n");
		skip();
	}
	at = str_find(all, STR("## 21. Rule text"));
	assert_true(at > 0);
	all = str_sub(all, (size_t)at, all.n);
	while (str_split(&all, '\n', &line) && !str_starts(line, STR("## 22"))) {
		struct str rest = line, id = { 0 }, path = { 0 };
		const struct rule *r;
		bool on_items;

		if (str_find_char(line, '\t') < 0)
			continue;
		assert_true(str_split(&rest, '\t', &id));
		assert_true(str_split(&rest, '\t', &path));
		r = find_rule(id, path, &on_items);
		if (r == NULL)
			fail_msg("no rule %.*s on %.*s", STR_ARG(id), STR_ARG(path));
		if (!str_is(rest, r->cel))
			fail_msg("%s\n  is  %s\n  not %.*s", r->id, r->cel, STR_ARG(rest));
		found++;
	}
	mem_free(bytes);
	assert_int_equal(found, RULES);
}

static void
an_external_has_a_word_for_every_phase(void **state)
{
	size_t n = 0;

	(void)state;
	while (external_phase_words[n] != NULL)
		n++;
	assert_int_equal(n, EXTERNAL_WAITING + 1);
	assert_string_equal(external_phase_words[EXTERNAL_TOMBSTONE], "Tombstone");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_has_a_name_a_place_and_a_sentence),
		cmocka_unit_test(keys_of_list_maps_are_always_there),
		cmocka_unit_test(every_default_passes_its_own_limits),
		cmocka_unit_test(patterns_and_rules_compile_and_say_what_to_do),
		cmocka_unit_test(kinds_are_found_by_version_and_by_word),
		cmocka_unit_test(every_kind_has_conditions_columns_and_a_short_name_of_its_own),
		cmocka_unit_test(rules_are_those_of_the_resource_model_byte_for_byte),
		cmocka_unit_test(an_external_has_a_word_for_every_phase),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
