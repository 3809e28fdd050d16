#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/json.h"
#include "model/value.h"

struct qrow {
	const char *text;
	const char *printed; /* NULL: refused */
};

static const struct qrow quantities[] = {
	{ "0", "0" },
	{ "-0", "0" },
	{ "5", "5" },
	{ "5.", "5" },
	{ ".5", "500m" },
	{ ".5Gi", "512Mi" },
	{ "-.5", "-500m" },
	{ "+1.5Ki", "1536" },
	{ "-9.5Gi", "-9728Mi" },
	{ "-0.5", "-500m" },
	{ "256e3", "256e3" },
	{ "1E3", "1e3" },
	{ "1e-3", "1e-3" },
	{ "100n", "100n" },
	{ "100u", "100u" },
	{ "1500m", "1500m" },
	{ "1000m", "1" },
	{ "1k", "1k" },
	{ "1000k", "1M" },
	{ "256E", "256E" },
	{ "1000E", "1000E" },
	{ "1024Mi", "1Gi" },
	{ "46068Mi", "46068Mi" },
	{ "8Ei", "9223372036854775807" },
	{ "10Ei", "9223372036854775807" },
	{ "-10Ei", "-9223372036854775807" },
	{ "9223372036854775807", "9223372036854775807" },
	{ "0.0000000001", "1n" }, /* rounded away from zero */
	{ "-0.0000000001", "-1n" },
	{ "1.0000000001", "1000000001n" },
	{ "0.1Ki", "102400m" },
	{ "000005", "5" },
	{ "1e100", "10e99" },
	{ "0e2147483647", "0" },
	/* B033, B035 */
	{ "2E6024865272343", NULL },
	{ "1000e2147483647", NULL },
	{ "1e2147483648", NULL },
	{ "1e-2147483647", "1e-9" },
	/* B039 */
	{ "80GB", NULL },
	{ "80gi", NULL },
	{ "200K", NULL },
	{ "1,3G", NULL },
	{ "10Mm", NULL },
	{ " 5Gi", NULL },
	{ "5Gi ", NULL },
	{ "Three", NULL },
	{ "", NULL },
	{ "Mi", NULL },
	{ "m", NULL },
	{ ".", NULL },
	{ "-", NULL },
	{ "+-1", NULL },
	{ "1.2.3", NULL },
	{ "1e", NULL },
	{ "e3", NULL },
	{ "1e3k", NULL },
	{ "1Kb", NULL },
	{ "0x10", NULL },
	{ "1_000", NULL },
};

static void
quantities_follow_the_reference(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_LEN(quantities); i++) {
		struct text t = TEXT_INIT(1000);
		struct error err = { .code = ERR_NONE };
		struct quantity q;
		struct quantity again;
		bool ok = quantity_parse(str_from(quantities[i].text), &q, &err);

		if (ok != (quantities[i].printed != NULL))
			fail_msg("'%s': %s", quantities[i].text, err.message);
		if (!ok) {
			assert_int_equal(err.code, ERR_INVALID);
			continue;
		}
		quantity_format(&q, &t);
		if (strcmp(text_get(&t), quantities[i].printed) != 0)
			fail_msg("'%s' is printed as '%s'", quantities[i].text, text_get(&t));
		assert_true(quantity_parse(text_str(&t), &again, NULL));
		assert_int_equal(quantity_cmp(&q, &again), 0);
		text_free(&t);
	}
}

static void
quantities_have_one_order(void **state UNUSED)
{
	static const char *const rising[] = { "-1e30", "-9.5Gi", "-1", "-0.5", "-1n", "0", "1n",
		"1u", "1m", "0.5", "1", "1k", "1Ki", "44Gi", "46068Mi", "48Gi", "1E", "8Ei", "256E",
		"1e30" };

	for (size_t i = 0; i < ARRAY_LEN(rising); i++) {
		for (size_t k = 0; k < ARRAY_LEN(rising); k++) {
			struct quantity a;
			struct quantity b;

			assert_true(quantity_parse(str_from(rising[i]), &a, NULL));
			assert_true(quantity_parse(str_from(rising[k]), &b, NULL));
			assert_int_equal(quantity_cmp(&a, &b), i < k ? -1 : i > k);
			assert_int_equal(quantity_sign(&a), i < 5 ? -1 : i > 5);
		}
	}
}

static void
quantities_add_and_convert(void **state UNUSED)
{
	struct quantity a;
	struct quantity b;
	struct quantity c;
	int64_t whole;

	assert_true(quantity_parse(STR("1500m"), &a, NULL));
	assert_true(quantity_parse(STR("-2"), &b, NULL));
	assert_true(quantity_add(&a, &b, &c));
	assert_int_equal(quantity_sign(&c), -1);
	assert_false(quantity_to_int(&c, &whole));
	assert_true(quantity_to_double(&c) == -0.5);
	assert_true(quantity_sub(&a, &a, &c));
	assert_int_equal(quantity_sign(&c), 0);
	c = quantity_from_int(INT64_MIN);
	assert_true(quantity_to_int(&c, &whole));
	assert_true(whole == INT64_MIN);
	assert_true(quantity_parse(STR("9223372036854775808"), &c, NULL));
	assert_false(quantity_to_int(&c, &whole));
}

static void
a_quantity_has_a_longest_text(void **state UNUSED)
{
	char digits[QUANTITY_MAX_TEXT + 2];
	struct quantity q;

	memset(digits, '0', sizeof digits);
	digits[0] = '1';
	assert_true(quantity_parse((struct str){ digits, QUANTITY_MAX_TEXT }, &q, NULL));
	assert_false(quantity_parse((struct str){ digits, QUANTITY_MAX_TEXT + 1 }, &q, NULL));
}

static const char *const bad_versions[] = {
	"",
	"1",
	"1.2",
	"1.2.3.4",
	"v1.2.3",
	"01.2.3",
	"1.02.3",
	"1.2.03",
	"1.2.3-",
	"1.2.3+",
	"1.2.3-01",
	"1.2.3-a..b",
	"1.2.3-a_b",
	"1.2.3+a..b",
	"1.2.3+a_",
	"1.2.x",
	" 1.2.3",
	"1.2.3 ",
	"-1.2.3",
	"1.2.18446744073709551616",
	"1..3",
};

static void
versions_are_strict(void **state UNUSED)
{
	struct semver v;

	for (size_t i = 0; i < ARRAY_LEN(bad_versions); i++) {
		if (semver_parse(str_from(bad_versions[i]), &v, NULL))
			fail_msg("'%s' is no version", bad_versions[i]);
	}
	assert_true(semver_parse(STR("1.2.3-rc.1+build.7"), &v, NULL));
	assert_int_equal(v.number[0], 1);
	assert_int_equal(v.number[1], 2);
	assert_int_equal(v.number[2], 3);
	assert_true(str_is(v.pre, "rc.1"));
	assert_true(semver_parse(STR("1.2.3+01-x"), &v, NULL));
	assert_int_equal(v.pre.n, 0);
}

static void
versions_have_one_order(void **state UNUSED)
{
	static const char *const rising[] = { "0.0.1", "0.9.9", "1.0.0-1", "1.0.0-2", "1.0.0-10",
		"1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
		"1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.10.0", "2.0.0" };
	struct semver a;
	struct semver b;

	for (size_t i = 0; i < ARRAY_LEN(rising); i++) {
		for (size_t k = 0; k < ARRAY_LEN(rising); k++) {
			assert_true(semver_parse(str_from(rising[i]), &a, NULL));
			assert_true(semver_parse(str_from(rising[k]), &b, NULL));
			assert_int_equal(semver_cmp(&a, &b), i < k ? -1 : i > k);
		}
	}
	assert_true(semver_parse(STR("1.0.0+a"), &a, NULL));
	assert_true(semver_parse(STR("1.0.0+b"), &b, NULL));
	assert_int_equal(semver_cmp(&a, &b), 0);
}

struct pair {
	const char *from, *to; /* to NULL: refused */
};

static const struct pair normal[] = {
	{ "v1.29", "1.29.0" },
	{ "1", "1.0.0" },
	{ "v01.002.3", "1.2.3" },
	{ "1.2.3-rc.1", "1.2.3-rc.1" },
	{ "00.0.0", "0.0.0" },
	{ "1.2.03", "1.2.3" },
	{ "1.2-rc", NULL },
	{ "1+b", NULL },
	{ "vv1.2.3", NULL },
	{ "", NULL },
	{ "1.2.3.4", NULL },
	{ "1.2.x", NULL },
};

static void
versions_are_normalised(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 16);

	assert_non_null(a);
	for (size_t i = 0; i < ARRAY_LEN(normal); i++) {
		struct semver v;
		struct semver want;
		bool ok = semver_normalise(a, str_from(normal[i].from), &v, NULL);

		if (ok != (normal[i].to != NULL))
			fail_msg("'%s'", normal[i].from);
		if (!ok)
			continue;
		assert_true(semver_parse(str_from(normal[i].to), &want, NULL));
		assert_int_equal(semver_cmp(&v, &want), 0);
	}
	arena_free(a);
}

struct drow {
	const char *text;
	int64_t ms; /* -1: refused */
	const char *printed;
};

static const struct drow durations[] = {
	{ "30s", 30000, "30s" },
	{ "1h30m", 5400000, "1h30m0s" },
	{ "1.5h", 5400000, "1h30m0s" },
	{ "250ms", 250, "250ms" },
	{ "1500ms", 1500, "1.5s" },
	{ "0", 0, "0s" },
	{ "90m", 5400000, "1h30m0s" },
	{ "2us", 0, "0s" },
	{ "2.0182s", 2018, "2.018s" },
	{ "1h0m5.02s", 3605020, "1h0m5.02s" },
	{ "", -1, NULL },
	{ "5", -1, NULL },
	{ "s", -1, NULL },
	{ "5 s", -1, NULL },
	{ "5d", -1, NULL },
	{ "1h30", -1, NULL },
	{ "1..5s", -1, NULL },
	{ "99999999h", -1, NULL },
};

static void
durations_are_those_of_go(void **state UNUSED)
{
	int64_t ms;

	for (size_t i = 0; i < ARRAY_LEN(durations); i++) {
		struct text t = TEXT_INIT(100);
		bool ok = duration_parse(str_from(durations[i].text), &ms, NULL);

		if (ok != (durations[i].ms >= 0))
			fail_msg("'%s'", durations[i].text);
		if (!ok)
			continue;
		assert_int_equal(ms, durations[i].ms);
		duration_format(ms, &t);
		assert_string_equal(text_get(&t), durations[i].printed);
		text_free(&t);
	}
	assert_true(duration_parse(STR("-5s"), &ms, NULL));
	assert_int_equal(ms, -5000);
}

static void
ranges_contain_and_overlap(void **state UNUSED)
{
	static const char *const bad[] = { "", "10.0.0.0", "10.0.0.0/33", "10.0.0/8",
		"10.0.0.256/8", "10.0.0.0/", "10.0.0.0/08", "/8", "fd00::/129", "10.0.0.0/-1",
		"010.0.0.0/8" };
	struct text t = TEXT_INIT(100);
	struct cidr a;
	struct cidr b;
	struct cidr c;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		if (cidr_parse(str_from(bad[i]), &a, NULL))
			fail_msg("'%s' is no range", bad[i]);
	}
	assert_true(cidr_parse(STR("10.1.0.0/16"), &a, NULL));
	assert_true(cidr_parse(STR("10.1.128.5/17"), &b, NULL));
	assert_true(cidr_parse(STR("10.2.0.0/16"), &c, NULL));
	assert_true(cidr_contains(&a, &b));
	assert_false(cidr_contains(&b, &a));
	assert_true(cidr_overlaps(&a, &b) && cidr_overlaps(&b, &a));
	assert_false(cidr_overlaps(&a, &c));
	assert_true(cidr_is_network(&a));
	assert_false(cidr_is_network(&b));
	cidr_format(&b, &t);
	assert_string_equal(text_get(&t), "10.1.128.0/17");
	text_free(&t);
	assert_true(cidr_parse_address(STR("10.1.2.3"), &b, NULL));
	assert_true(cidr_contains(&a, &b));
	assert_true(cidr_parse(STR("0.0.0.0/0"), &b, NULL));
	assert_true(cidr_contains(&b, &a));
	assert_true(cidr_parse(STR("fd00::/8"), &b, NULL));
	assert_true(cidr_parse(STR("fd12::/64"), &c, NULL));
	assert_true(cidr_contains(&b, &c));
	assert_true(cidr_parse(STR("::/0"), &c, NULL));
	assert_false(cidr_overlaps(&a, &c));
}

struct srow {
	const char *selector;
	int want; /* -1: refused */
};

/* against app=web,tier=front,empty= */
static const struct srow selectors[] = {
	{ "", 1 },
	{ "app=web", 1 },
	{ "app==web,tier=front", 1 },
	{ "app=api", 0 },
	{ "app!=api", 1 },
	{ "missing!=x", 1 },
	{ "app in (web, api)", 1 },
	{ "app in (api)", 0 },
	{ "app notin (api,db)", 1 },
	{ "app notin (web)", 0 },
	{ "missing notin (x)", 1 },
	{ "app", 1 },
	{ "missing", 0 },
	{ "!missing", 1 },
	{ "!app", 0 },
	{ " app = web , tier in ( front ) ", 1 },
	{ "empty=", 1 },
	{ "example.com/a-b_c.d!=x", 1 },
	{ "app=web,", -1 },
	{ ",app", -1 },
	{ "app in web", -1 },
	{ "app in (web", -1 },
	{ "app=we b", -1 },
	{ "=x", -1 },
	{ "app=-x", -1 },
	{ "a$b=c", -1 },
	{ "/a=b", -1 },
	{ "a=b;c=d", -1 },
};

static void
selectors_match_labels(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct node *labels;

	assert_non_null(a);
	assert_true(json_parse(
	    a, STR("{\"app\":\"web\",\"tier\":\"front\",\"empty\":\"\"}"), &labels, NULL));
	for (size_t i = 0; i < ARRAY_LEN(selectors); i++) {
		struct text t = TEXT_INIT(1000);
		struct selector s;
		struct selector again;
		bool ok = selector_parse(a, str_from(selectors[i].selector), &s, NULL);

		if (ok != (selectors[i].want >= 0))
			fail_msg("'%s'", selectors[i].selector);
		if (!ok)
			continue;
		assert_int_equal(selector_matches(&s, labels), selectors[i].want);
		selector_format(&s, &t);
		assert_true(selector_parse(a, text_str(&t), &again, NULL));
		assert_int_equal(selector_matches(&again, labels), selectors[i].want);
		text_free(&t);
	}
	arena_free(a);
}

static void
selectors_come_from_objects(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct error err = { .code = ERR_NONE };
	struct selector s;
	struct node *labels;
	struct node *n;

	assert_non_null(a);
	assert_true(json_parse(a, STR("{\"app\":\"web\"}"), &labels, NULL));
	assert_true(json_parse(a,
	    STR("{\"matchLabels\":{\"app\":\"web\"},\"matchExpressions\":[{\"key\":\"x\","
		"\"operator\":"
		"\"DoesNotExist\"},{\"key\":\"app\",\"operator\":\"NotIn\",\"values\":[\"db\"]}]}"),
	    &n, NULL));
	assert_true(selector_from_node(a, n, &s, NULL));
	assert_int_equal(s.nterms, 3);
	assert_true(selector_matches(&s, labels));
	assert_false(selector_matches(&s, NULL));
	assert_true(selector_from_node(a, NULL, &s, NULL));
	assert_true(selector_matches(&s, NULL));
	assert_true(json_parse(a, STR("{\"matchLabels\":{\"gpu\":true}}"), &n, NULL));
	assert_false(selector_from_node(a, n, &s, &err));
	assert_string_equal(err.message, "value of label 'gpu' must be a string");
	assert_true(json_parse(
	    a, STR("{\"matchExpressions\":[{\"key\":\"x\",\"operator\":\"In\"}]}"), &n, NULL));
	assert_false(selector_from_node(a, n, &s, NULL));
	arena_free(a);
}

static void
the_number_of_terms_is_limited(void **state UNUSED)
{
	for (size_t n = SELECTOR_MAX_TERMS; n <= SELECTOR_MAX_TERMS + 1; n++) {
		struct arena *a = arena_new(1 << 20);
		struct text t = TEXT_INIT(1 << 20);
		struct selector s;

		assert_non_null(a);
		for (size_t i = 0; i < n; i++)
			text_printf(&t, "%sk%zu", i > 0 ? "," : "", i);
		assert_int_equal(
		    selector_parse(a, text_str(&t), &s, NULL), n == SELECTOR_MAX_TERMS);
		text_free(&t);
		arena_free(a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantities_follow_the_reference),
		cmocka_unit_test(quantities_have_one_order),
		cmocka_unit_test(quantities_add_and_convert),
		cmocka_unit_test(a_quantity_has_a_longest_text),
		cmocka_unit_test(versions_are_strict),
		cmocka_unit_test(versions_have_one_order),
		cmocka_unit_test(versions_are_normalised),
		cmocka_unit_test(durations_are_those_of_go),
		cmocka_unit_test(ranges_contain_and_overlap),
		cmocka_unit_test(selectors_match_labels),
		cmocka_unit_test(selectors_come_from_objects),
		cmocka_unit_test(the_number_of_terms_is_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
