#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/mem.h"
#include "model/cel/cel.h"
#include "model/json.h"
#include "model/regex.h"

enum want { FALSE_, TRUE_, FAILS, COSTLY, REFUSED };

struct row {
	const char *cel;
	enum want want;
};

static const char self_json[] =
    "{\"name\":\"a\",\"n\":3,\"f\":1.5,\"list\":[1,2,3],\"labels\":{\"modelplane.ai/"
    "x\":\"y\",\"a\":"
    "\"b\"},\"cluster\":{\"source\":\"AKS\",\"aks\":{}},\"none\":null,\"pools\":[{\"role\":\"GPU\"}"
    ","
    "{\"role\":\"System\"}],\"big\":9007199254740993,\"text\":\"caf\\u00e9\"}";

static enum want
run(struct arena *a, const char *cel, const struct cel_var *vars, size_t nvars, struct error *err)
{
	const struct cel_program *p = cel_compile(a, str_from(cel), err);
	bool value = false;

	if (p == NULL)
		return REFUSED;
	switch (cel_eval_bool(p, vars, nvars, CEL_COST_SELECTOR, &value, err)) {
	case CEL_OK:
		return value ? TRUE_ : FALSE_;
	case CEL_TOO_COSTLY:
		return COSTLY;
	case CEL_FAILED:
	case CEL_NO_MEMORY:
		break;
	}
	return FAILS;
}

static void
check_rows(const struct row *rows, size_t nrows, const struct cel_var *vars, size_t nvars)
{
	for (size_t i = 0; i < nrows; i++) {
		struct arena *a = arena_new(64 << 20);
		struct error err = { .code = ERR_NONE };
		enum want got;

		assert_non_null(a);
		got = run(a, rows[i].cel, vars, nvars, &err);
		if (got != rows[i].want)
			fail_msg("%s: %d instead of %d (%s)", rows[i].cel, (int)got,
			    (int)rows[i].want, err.message);
		assert_int_equal(err.code == ERR_NONE, got == TRUE_ || got == FALSE_);
		arena_free(a);
	}
}

static const struct row standard[] = {
	{ "true", TRUE_ },
	{ "!false && (true || false)", TRUE_ },
	{ "1 + 2 * 3 == 7", TRUE_ },
	{ "(1 + 2) * 3 == 9", TRUE_ },
	{ "10 - 3 - 2 == 5", TRUE_ },
	{ "7 / 2 == 3 && 7 % 2 == 1 && -7 / 2 == -3", TRUE_ },
	{ "7.0 / 2.0 == 3.5", TRUE_ },
	{ "1 == 1.0", TRUE_ },
	{ "0x10 == 16", TRUE_ },
	{ "1e3 == 1000.0", TRUE_ },
	{ "1 < 1.5 && 2 > 1.5 && 1 <= 1", TRUE_ },
	{ "'a' < 'b' && \"a\" + 'b' == 'ab'", TRUE_ },
	{ "'a\\'b\\n' == \"a'b\\n\"", TRUE_ },
	{ "r'\\d' == '\\\\d'", TRUE_ },
	{ "'''a'b''' == \"a'b\"", TRUE_ },
	{ "'\\u00e9\\x41' == '\xc3\xa9"
	  "A'",
	    TRUE_ },
	{ "true ? 1 == 1 : 1 == 2", TRUE_ },
	{ "false ? true : true ? false : true", FALSE_ },
	{ "2 in [1, 2]", TRUE_ },
	{ "'a' in {'a': 1}", TRUE_ },
	{ "'b' in {'a': 1}", FALSE_ },
	{ "[1, 2] + [3] == [1, 2, 3]", TRUE_ },
	{ "{'a': 1, 'b': [2]} == {'b': [2], 'a': 1.0}", TRUE_ },
	{ "[1, 2, 3][1] == 2", TRUE_ },
	{ "{'a': {'b': 1}}.a.b == 1", TRUE_ },
	{ "[1,2,3,].size() == 3 && size('abc') == 3 && size({}) == 0", TRUE_ },
	{ "self.text.size() == 4", TRUE_ },
	{ "[1,2,3].filter(x, x > 1) == [2,3]", TRUE_ },
	{ "[1,2,3].map(x, x * 2) == [2,4,6]", TRUE_ },
	{ "[1,2,3].map(x, x > 1, x * 2) == [4,6]", TRUE_ },
	{ "[1,2].all(x, [3,4].exists(y, y == x + 2))", TRUE_ },
	{ "[1,1].exists_one(x, x == 1)", FALSE_ },
	{ "[].all(x, false) && ![].exists(x, true)", TRUE_ },
	{ "'a,b,c'.split(',') == ['a','b','c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c']", TRUE_ },
	{ "'ab'.split('') == ['a', 'b'] && ''.split(',') == ['']", TRUE_ },
	{ "['a','b'].join('-') == 'a-b' && ' x '.trim() == 'x' && 'aB'.upperAscii() == 'AB'",
	    TRUE_ },
	{ "string(12) == '12' && int('12') == 12 && int(2.9) == 2 && double('1.5') == 1.5", TRUE_ },
	{ "string(true) == 'true' && bool('true') && string(1.5) == '1.5'", TRUE_ },
	{ "'abc'.startsWith('ab') && 'abc'.endsWith('bc') && 'abc'.contains('b')", TRUE_ },
	{ "'abc123'.matches('^[a-z]+[0-9]{3}$') && 'xay'.matches('a')", TRUE_ },
	{ "// a comment\n true", TRUE_ },
	/* the object */
	{ "self.name == 'a' && self.n == 3 && self.f == 1.5 && self.none == null", TRUE_ },
	{ "has(self.name) && !has(self.other) && has(self.cluster.aks)", TRUE_ },
	{ "self.cluster.source != 'AKS' || has(self.cluster.aks)", TRUE_ },
	{ "self.labels.all(k, !k.startsWith('modelplane.ai/'))", FALSE_ },
	{ "self.labels['a'] == 'b' && self.labels.exists(k, self.labels[k] == 'y')", TRUE_ },
	{ "self.list == [1, 2, 3] && self.list[2] == 3", TRUE_ },
	{ "self.pools.exists_one(p, p.role == 'GPU')", TRUE_ },
	{ "self == oldSelf", TRUE_ },
	{ "self.big == 9007199254740993 && self.big != 9007199254740992", TRUE_ },
	{ "[has(self.name), has(self.x)].filter(x, x).size() == 1", TRUE_ },
	/* errors, and what absorbs them */
	{ "self.other == 1", FAILS },
	{ "self.other == 1 || true", TRUE_ },
	{ "true || self.other == 1", TRUE_ },
	{ "self.other == 1 && false", FALSE_ },
	{ "self.other == 1 && true", FAILS },
	{ "1 || true", TRUE_ },
	{ "1 || false", FAILS },
	{ "[1, 'a'].exists(x, x > 5 || x == 'a')", TRUE_ },
	{ "['a', 1].all(x, x < 0)", FALSE_ },
	{ "['a', 1].exists_one(x, x < 0)", FAILS },
	{ "1 + 'a' == 2", FAILS },
	{ "1 / 0 == 1", FAILS },
	{ "1 % 0 == 1", FAILS },
	{ "9223372036854775807 + 1 > 0", FAILS },
	{ "-9223372036854775808 < 0", TRUE_ },
	{ "-(-9223372036854775808) > 0", FAILS },
	{ "-9223372036854775808 / -1 > 0", FAILS },
	{ "9223372036854775807 * 2 > 0", FAILS },
	{ "[1][1] == 1", FAILS },
	{ "[1][-1] == 1", FAILS },
	{ "{'a': 1}['b'] == 1", FAILS },
	{ "{'a': 1, 'a': 2} == {}", FAILS },
	{ "unknown == 1", FAILS },
	{ "'a' < 1", FAILS },
	{ "'a' == 1", FALSE_ },
	{ "5", FAILS },
	{ "\"5\"", FAILS },
	{ "int('x') == 1", FAILS },
	{ "'a'.matches('(' + 'x')", FAILS },
	{ "self.name.other", FAILS },
	/* what does not compile */
	{ "", REFUSED },
	{ "not ) valid (", REFUSED },
	{ "1 +", REFUSED },
	{ "(1", REFUSED },
	{ "1 2", REFUSED },
	{ "'abc", REFUSED },
	{ "'a\nb'", REFUSED },
	{ "'\\q'", REFUSED },
	{ "'\\ud800'", REFUSED },
	{ "9223372036854775808 > 0", REFUSED },
	{ "1u == 1", REFUSED },
	{ "nothing(1)", REFUSED },
	{ "size(1, 2)", REFUSED },
	{ "has(self)", REFUSED },
	{ "[1].all(1, true)", REFUSED },
	{ "[1].all(x)", REFUSED },
	{ "for == 1", REFUSED },
	{ "a @ b", REFUSED },
	{ "'a'.matches('(')", REFUSED },
	{ "self.", REFUSED },
	{ "{1 2}", REFUSED },
};

static void
expressions_give_what_the_table_says(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct node *self;
	struct cel_var vars[2];

	assert_non_null(a);
	assert_true(json_parse(a, STR(self_json), &self, NULL));
	vars[0] = (struct cel_var){ "self", cel_from_node(self) };
	vars[1] = (struct cel_var){ "oldSelf", cel_from_node(node_dup(a, self)) };
	check_rows(standard, ARRAY_LEN(standard), vars, 2);
	arena_free(a);
}

static const char device_json[] =
    "{\"name\":\"gpu\",\"driver\":\"gpu.nvidia.com\",\"attributes\":{\"architecture\":{\"string\":"
    "\"Hopper\"},\"cudaComputeCapability\":{\"version\":\"9.0.0\"},\"mig\":{\"bool\":false},"
    "\"index\":{\"int\":4},\"vendor.io/tier\":{\"string\":\"gold\"}},\"capacity\":{\"memory\":"
    "{\"value\":\"46068Mi\"},\"big\":{\"value\":\"256E\"}}}";

#define GPU "device.attributes['gpu.nvidia.com']"
#define MEM "device.capacity['gpu.nvidia.com'].memory"

static const struct row selectors[] = {
	{ "device.driver == 'gpu.nvidia.com'", TRUE_ },
	{ GPU ".architecture == 'Hopper' && " GPU ".index == 4 && !" GPU ".mig", TRUE_ },
	{ "device.attributes[\"vendor.io\"].tier == 'gold'", TRUE_ },
	{ GPU ".cudaComputeCapability == semver('9.0.0')", TRUE_ },
	{ GPU ".cudaComputeCapability.isGreaterThan(semver('8.9.0'))", TRUE_ },
	{ "isLessThan(" GPU ".cudaComputeCapability, semver('8.9.0'))", FALSE_ },
	{ GPU ".cudaComputeCapability.major() == 9", TRUE_ },
	/* B045: the sticker size is more than the device has */
	{ MEM ".compareTo(quantity(\"48Gi\")) >= 0", FALSE_ },
	{ MEM ".compareTo(quantity(\"48G\")) >= 0", TRUE_ },
	{ MEM ".compareTo(quantity(\"45Gi\")) >= 0", FALSE_ },
	{ MEM ".compareTo(quantity(\"44Gi\")) >= 0", TRUE_ },
	{ "compareTo(" MEM ", quantity('46068Mi')) == 0", TRUE_ },
	{ MEM " == quantity('48305799168')", TRUE_ },
	{ MEM " > quantity('1')", FAILS },
	{ "device.capacity['gpu.nvidia.com'].big.isGreaterThan(quantity('8Ei'))", TRUE_ },
	{ MEM ".isInteger() && " MEM ".asInteger() == 48305799168", TRUE_ },
	{ "quantity('1').add(quantity('2')).sub(1) == quantity('2')", TRUE_ },
	{ "quantity('-5').sign() == -1 && sign(quantity('0')) == 0", TRUE_ },
	{ "isQuantity('5Gi') && !isQuantity('5gi')", TRUE_ },
	{ "quantity('500m').asApproximateFloat() == 0.5", TRUE_ },
	{ "quantity('500m').asInteger() == 0", FAILS },
	{ "quantity('x').sign() == 0", FAILS },
	{ "isSemver('1.2.3') && !isSemver('1.2') && isSemver('v1.2', true)", TRUE_ },
	{ "semver('v01.2', true) == semver('1.2.0')", TRUE_ },
	{ "semver('1.0.0-rc.1').compareTo(semver('1.0.0')) == -1", TRUE_ },
	{ "semver('1.0.0').compareTo(quantity('1')) == 0", FAILS },
	/* B041 */
	{ "device.attributes[\"other.com\"].x == \"y\"", FAILS },
	{ "device.attributes[\"other.com\"] == {}", TRUE_ },
	{ "has(device.attributes[\"other.com\"].x)", FALSE_ },
	{ "\"other.com\" in device.attributes", FALSE_ },
	{ "\"gpu.nvidia.com\" in device.attributes", TRUE_ },
	{ GPU ".absent == 1", FAILS },
	{ "device.absent == 1", FAILS },
};

static void
selectors_match_as_the_table_says(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct cel_var var = { .name = "device" };
	struct node *device;

	assert_non_null(a);
	assert_true(json_parse(a, STR(device_json), &device, NULL));
	assert_true(cel_device(a, device, &var.value, NULL));
	check_rows(selectors, ARRAY_LEN(selectors), &var, 1);
	arena_free(a);
}

static void
one_bad_fact_spoils_the_device(void **state UNUSED)
{
	static const char *const devices[] = {
		"{\"name\":\"g\",\"driver\":\"d\",\"attributes\":{\"v\":{\"version\":\"1.0\"}}}",
		"{\"name\":\"g\",\"driver\":\"d\",\"attributes\":{\"v\":{\"version\":\"v1.0.0\"}}}",
		"{\"name\":\"g\",\"driver\":\"d\",\"capacity\":{\"memory\":{\"value\":\"80GB\"}}}",
		"{\"name\":\"g\",\"driver\":\"d\",\"capacity\":{\"memory\":"
		"{\"value\":\"2E6024865272343\"}}}",
	};
	struct arena *a = arena_new(1 << 20);

	assert_non_null(a);
	for (size_t i = 0; i < ARRAY_LEN(devices); i++) {
		struct error err = { .code = ERR_NONE };
		struct cel_value v;
		struct node *n;

		assert_true(json_parse(a, str_from(devices[i]), &n, NULL));
		assert_false(cel_device(a, n, &v, &err));
		assert_non_null(strstr(err.message, "of device 'g'"));
	}
	arena_free(a);
}

/* B043: nested loops, a hostile pattern, a text of 50 KB. */
static void
costly_expressions_are_stopped(void **state UNUSED)
{
	static const struct row costly[] = {
		{ "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16].all(a, "
		  "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,"
		  "16].all(b, [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16].all(c, "
		  "[1,2,3,4,5,6,7,8,9,10,11,12,"
		  "13,14,15,16].all(d, [1,2,3,4,5,6,7,8].all(e, a > 0)))))",
		    COSTLY },
		{ "false && [1].all(x, true) || [1,2,3,4,5,6,7,8,9,0].map(a, "
		  "[1,2,3,4,5,6,7,8,9,0].map(b, "
		  "[1,2,3,4,5,6,7,8,9,0].map(c, [1,2,3,4,5,6,7,8,9,0].map(d, "
		  "[1,2,3,4,5,6,7,8,9,0].map(e, "
		  "a))))) == [] || true",
		    COSTLY },
	};
	struct arena *a = arena_new(64 << 20);
	static char text[50 * 1024];
	struct error err = { .code = ERR_NONE };
	char hostile[400] = "'";

	assert_non_null(a);
	check_rows(costly, ARRAY_LEN(costly), NULL, 0);
	memset(text, 'a', sizeof text);
	assert_null(cel_compile(a, (struct str){ text, sizeof text }, &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	assert_non_null(cel_compile(a, (struct str){ text, CEL_MAX_TEXT }, &err));
	assert_null(cel_compile(a, (struct str){ text, CEL_MAX_TEXT + 1 }, &err));
	memset(hostile + 1, 'a', 253);
	memcpy(hostile + 254, "b'.matches('(a+)+$')", 21);
	assert_int_equal(run(a, hostile, NULL, 0, &err), FALSE_);
	arena_free(a);
}

static void
depth_is_limited(void **state UNUSED)
{
	struct arena *a = arena_new(16 << 20);
	struct error err = { .code = ERR_NONE };
	char text[1000];

	assert_non_null(a);
	for (size_t n = CEL_MAX_DEPTH - 1; n <= CEL_MAX_DEPTH; n++) {
		memset(text, '(', n);
		text[n] = '1';
		memset(text + n + 1, ')', n);
		assert_int_equal(cel_compile(a, (struct str){ text, 2 * n + 1 }, &err) != NULL,
		    n < CEL_MAX_DEPTH);
	}
	memset(text, '!', sizeof text);
	assert_null(cel_compile(a, (struct str){ text, sizeof text }, &err));
	memset(text, '[', sizeof text);
	assert_null(cel_compile(a, (struct str){ text, sizeof text }, &err));
	for (size_t i = 0; i < sizeof text; i += 2)
		memcpy(text + i, "1+", 2);
	assert_null(cel_compile(a, (struct str){ text, sizeof text - 1 }, &err));
	assert_non_null(strstr(err.message, "nested too deeply"));
	arena_free(a);
}

static void
errors_name_their_place(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	struct error err = { .code = ERR_NONE };

	assert_non_null(a);
	assert_int_equal(run(a, "'\xc3\xa9' == )", NULL, 0, &err), REFUSED);
	assert_string_equal(err.message, "at character 8: ')' stands where a value is needed");
	assert_int_equal(run(a, "true && x.y == 1", NULL, 0, &err), FAILS);
	assert_string_equal(err.message, "at character 9: there is no variable 'x'");
	assert_int_equal(run(a, "{'a': 1}.b == 1", NULL, 0, &err), FAILS);
	assert_string_equal(err.message, "at character 10: no such key 'b'");
	arena_free(a);
}

static void
unknown_variables_can_be_refused_early(void **state UNUSED)
{
	static const char *const names[] = { "self", "oldSelf" };
	struct arena *a = arena_new(1 << 20);
	const struct cel_program *good;
	const struct cel_program *bad;
	struct error err = { .code = ERR_NONE };

	assert_non_null(a);
	good = cel_compile(a, STR("self.all(k, k != oldSelf) && has(self.x)"), NULL);
	bad = cel_compile(a, STR("self.all(k, true) && k == 1"), NULL);
	assert_non_null(good);
	assert_non_null(bad);
	assert_true(cel_check_names(good, names, 2, NULL));
	assert_false(cel_check_names(good, names, 1, NULL));
	assert_false(cel_check_names(bad, names, 2, &err));
	assert_non_null(strstr(err.message, "'k'"));
	arena_free(a);
}

struct pattern {
	const char *pattern, *text;
	int want; /* -1: the pattern is refused */
};

static const struct pattern patterns[] = {
	{ "abc", "xabcx", 1 },
	{ "^abc$", "xabc", 0 },
	{ "^$", "", 1 },
	{ "^a|b$", "ab", 1 },
	{ "^(a|b)$", "ab", 0 },
	{ "a.c", "a\nc", 0 },
	{ "(?s)a.c", "a\nc", 1 },
	{ "(?i)ABC", "xabc", 1 },
	{ "^[^a-c]+$", "xyz\xc3\xa9", 1 },
	{ "^.$", "\xc3\xa9", 1 },
	{ "^[]a]+$", "]a", 1 },
	{ "^[a-]+$", "a-", 1 },
	{ "^\\d{2,3}$", "1234", 0 },
	{ "^\\d{2,3}$", "123", 1 },
	{ "^\\d{2,}$", "12345", 1 },
	{ "^a{,3}$", "a{,3}", 1 },
	{ "^\\w+\\s\\S$", "ab_1 x", 1 },
	{ "^[\\d.]+$", "1.2", 1 },
	{ "^[[:alpha:]]+$", "abC", 1 },
	{ "^[[:^alpha:]]+$", "12", 1 },
	{ "^\\x41\\x{e9}$", "A\xc3\xa9", 1 },
	{ "^(?:ab)*?$", "abab", 1 },
	{ "^(?P<n>a)$", "a", 1 },
	{ "(a*)*", "b", 1 },
	{ "((a{0}){1000}){9}", "", 1 },
	{ "^cr-[0-9a-f]+$", "cr-0123456789abcdef0", 1 },
	{ "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/"
	  ")?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$",
	    "example.com/name", 1 },
	{ "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$", "", 1 },
	{ "(", "", -1 },
	{ ")", "", -1 },
	{ "[a", "", -1 },
	{ "[b-a]", "", -1 },
	{ "*a", "", -1 },
	{ "a**", "", -1 },
	{ "a{2}{2}", "", -1 },
	{ "a{1001}", "", -1 },
	{ "a{3,2}", "", -1 },
	{ "((a{1000}){1000}){1000}", "", -1 },
	{ "\\", "", -1 },
	{ "\\q", "", -1 },
	{ "(?=a)", "", -1 },
	{ "(?<=a)", "", -1 },
	{ "\xff", "", -1 },
};

static void
patterns_match_as_the_table_says(void **state UNUSED)
{
	struct arena *a = arena_new(64 << 20);

	assert_non_null(a);
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
		const struct regex *re = regex_compile(a, str_from(patterns[i].pattern), NULL);
		bool found = false;

		if ((re == NULL) != (patterns[i].want < 0))
			fail_msg("pattern %s", patterns[i].pattern);
		if (re == NULL)
			continue;
		assert_true(regex_search(re, str_from(patterns[i].text), &found, NULL));
		if (found != (patterns[i].want == 1))
			fail_msg("pattern %s on %s", patterns[i].pattern, patterns[i].text);
	}
	arena_free(a);
}

static void
deep_groups_are_refused(void **state UNUSED)
{
	struct arena *a = arena_new(1 << 20);
	char text[200];

	assert_non_null(a);
	memset(text, '(', sizeof text);
	assert_null(regex_compile(a, (struct str){ text, sizeof text }, NULL));
	arena_free(a);
}

/* One evaluation with everything that allocates; each allocation fails once. */
static bool
probe(struct error *err)
{
	static const char text[] =
	    "['a', 'b'].map(x, x + 'c').join(',').matches('^a' + 'c.*') && "
	    "semver('v1', true).isLessThan(semver('2.0.0')) && {'a': [1]}.a == [1]";
	struct arena *a = arena_new(1 << 20);
	const struct cel_program *p;
	bool value = false;
	bool ok = false;

	if (a == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory");
	p = cel_compile(a, STR(text), err);
	if (p != NULL)
		ok = cel_eval_bool(p, NULL, 0, CEL_COST_RULE, &value, err) == CEL_OK;
	if (ok)
		assert_true(value);
	arena_free(a);
	return ok;
}

static void
every_failed_allocation_is_reported(void **state UNUSED)
{
	for (long n = 0; n < 1000; n++) {
		struct error err = { .code = ERR_NONE };
		long before = mem_live_blocks();
		bool ok;
		bool fired;

		mem_fault_arm(n);
		ok = probe(&err);
		fired = mem_fault_fired();
		mem_fault_arm(-1);
		assert_int_equal(mem_live_blocks(), before);
		if (!fired) {
			assert_true(ok);
			return;
		}
		if (ok || err.code != ERR_NO_MEMORY)
			fail_msg("allocation %ld: %s", n, err.message);
	}
	fail_msg("never ran to its end");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions_give_what_the_table_says),
		cmocka_unit_test(selectors_match_as_the_table_says),
		cmocka_unit_test(one_bad_fact_spoils_the_device),
		cmocka_unit_test(costly_expressions_are_stopped),
		cmocka_unit_test(depth_is_limited),
		cmocka_unit_test(errors_name_their_place),
		cmocka_unit_test(unknown_variables_can_be_refused_early),
		cmocka_unit_test(patterns_match_as_the_table_says),
		cmocka_unit_test(deep_groups_are_refused),
		cmocka_unit_test(every_failed_allocation_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
