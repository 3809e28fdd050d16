#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "backend/store/object.h"
#include "backend/store/selector.h"
#include "model/base/mem.h"
#include "model/kinds/aks_cluster.h"

#define LABELS STR("\na=1\nb=two\nx.io/c=\n")

struct row {
	const char *text;
	int match; /* -1: refused */
};

static void
label_selectors(void **state UNUSED)
{
	static const struct row rows[] = {
		{ "", 1 },
		{ "  ", 1 },
		{ "a=1", 1 },
		{ "a==1", 1 },
		{ "a=2", 0 },
		{ "a!=2", 1 },
		{ "a != 1", 0 },
		{ "none!=1", 1 },
		{ "none=1", 0 },
		{ "a", 1 },
		{ "none", 0 },
		{ "!none", 1 },
		{ "! a", 0 },
		{ "x.io/c", 1 },
		{ "x.io/c=", 1 },
		{ "a=", 0 },
		{ "a in (1,3)", 1 },
		{ "a in (2, 3)", 0 },
		{ "a notin (2,3)", 1 },
		{ "a notin(1)", 0 },
		{ "none in (1)", 0 },
		{ "none notin (1)", 1 },
		{ "a=1,b=two", 1 },
		{ "a=1, b=x", 0 },
		{ "a=1,!none,b in (two)", 1 },
		{ "in", 0 },
		{ "a,in", 0 },
		{ "aa=1", 0 },
		{ "=1", -1 },
		{ "a=1,", 1 },
		{ "a=1 b=2", -1 },
		{ "a in 1", -1 },
		{ "a in (1", -1 },
		{ "a>1", -1 },
		{ "!", -1 },
		{ "a=\xC3\xA9", -1 },
		{ "a=1;b=2", -1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct arena *a = arena_new(1024 * 1024);
		struct selector *s = NULL;
		struct error err;
		bool ok = selector_parse_labels(a, str_from(rows[i].text), &s, &err);
		int got = ok ? selector_match_labels(s, LABELS) : -1;

		if (got != rows[i].match)
			fail_msg("'%s': %d instead of %d", rows[i].text, got, rows[i].match);
		if (!ok)
			assert_int_equal(err.code, ERR_INVALID);
		arena_free(a);
	}
}

static void
field_selectors(void **state UNUSED)
{
	static const struct row rows[] = {
		{ "", 1 },
		{ "metadata.name=n", 1 },
		{ "metadata.name=m", 0 },
		{ "metadata.name!=m", 1 },
		{ "metadata.namespace==ml", 1 },
		{ "metadata.name=n,metadata.namespace=x", 0 },
		{ "involvedObject.name=a\\,b", 1 },
		{ "involvedObject.name=a", 0 },
		{ "spec.count=3", 1 },
		{ "spec.on=true", 1 },
		{ "spec.none=", 1 },
		{ "spec.none=x", 0 },
		{ "spec.none!=x", 1 },
		{ "metadata.name", -1 },
		{ "=x", -1 },
	};
	const struct object *o;
	struct error err;

	o = object_new(resource_of(&aks_cluster_kind),
	    STR("{\"metadata\":{\"name\":\"n\",\"namespace\":\"ml\"},\"involvedObject\":{\"name\":"
		"\"a,b\"},"
		"\"spec\":{\"count\":3,\"on\":true}}"),
	    &err);
	assert_non_null(o);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct arena *a = arena_new(1024 * 1024);
		struct selector *s = NULL;
		bool match = false;
		int got = -1;

		if (selector_parse_fields(a, str_from(rows[i].text), &s, &err)) {
			assert_true(selector_match_fields(s, o, &match, &err));
			got = match;
		}
		if (got != rows[i].match)
			fail_msg("'%s': %d instead of %d", rows[i].text, got, rows[i].match);
		arena_free(a);
	}
	object_unref(o);
}

static void
limits_hold_on_both_sides(void **state UNUSED)
{
	struct arena *a = arena_new(8 * 1024 * 1024);
	struct text t = TEXT_INIT(64 * 1024);
	struct selector *s = NULL;
	struct error err;

	for (int i = 0; i < SELECTOR_MAX_TERMS; i++)
		text_add(&t, i == 0 ? "a" : ",a");
	assert_true(selector_parse_labels(a, text_str(&t), &s, &err));
	text_add(&t, ",a");
	assert_false(selector_parse_labels(a, text_str(&t), &s, &err));
	assert_int_equal(err.code, ERR_INVALID);
	text_clear(&t);
	text_add(&t, "a in (0");
	for (int i = 1; i < SELECTOR_MAX_VALUES; i++)
		text_add(&t, ",1");
	text_add(&t, ")");
	assert_true(selector_parse_labels(a, text_str(&t), &s, &err));
	assert_true(selector_match_labels(s, LABELS));
	t.p[t.n - 1] = ',';
	text_add(&t, "2)");
	assert_false(selector_parse_labels(a, text_str(&t), &s, &err));
	text_free(&t);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(label_selectors),
		cmocka_unit_test(field_selectors),
		cmocka_unit_test(limits_hold_on_both_sides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
