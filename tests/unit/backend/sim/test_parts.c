/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#include <string.h>

#include "backend/sim/arm.h"
#include "backend/sim/catalog.h"
#include "backend/sim/faults.h"
#include "backend/sim/gzip.h"
#include "backend/sim/resources.h"
#include "backend/sim/simtime.h"
#include "backend/sim/url.h"

static void
each_fault_is_read_and_bad_ones_are_named(void **state)
{
	static const char *const bad[] = { "nope=1", "arm.429=2", "arm.429=x", "outage=5",
		"quota=1", "arm.lost=-1" };
	struct faults *f = NULL;
	struct error err = { 0 };

	(void)state;
	assert_true(faults_parse("arm.429=0.5, outage=10:20,quota.aFamily=7", 1, &f, &err));
	assert_non_null(fault_keyed(f, FAULT_QUOTA, STR("AFAMILY")));
	assert_null(fault_keyed(f, FAULT_QUOTA, STR("other")));
	assert_false(fault_in_span(f, FAULT_OUTAGE, 9999));
	assert_true(fault_in_span(f, FAULT_OUTAGE, 10000));
	assert_false(fault_in_span(f, FAULT_OUTAGE, 30000));
	faults_free(f);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_false(faults_parse(bad[i], 1, &f, &err));
		assert_int_equal(err.code, ERR_USAGE);
	}
}

static void
the_same_seed_gives_the_same_faults(void **state)
{
	struct faults *a = NULL, *b = NULL, *c = NULL;
	int hits = 0, differ = 0;

	(void)state;
	assert_true(faults_parse("arm.500=0.3", 7, &a, NULL));
	assert_true(faults_parse("arm.500=0.3", 7, &b, NULL));
	assert_true(faults_parse("arm.500=0.3", 8, &c, NULL));
	for (int i = 0; i < 1000; i++) {
		bool x = fault_hits(a, FAULT_ARM_500, STR("GET"), STR("/x"));

		assert_int_equal(x, fault_hits(b, FAULT_ARM_500, STR("GET"), STR("/x")));
		differ += x != fault_hits(c, FAULT_ARM_500, STR("GET"), STR("/x")) ? 1 : 0;
		hits += x ? 1 : 0;
	}
	assert_in_range(hits, 230, 370);
	assert_true(differ > 100);
	faults_free(a);
	faults_free(b);
	faults_free(c);
}

static void
every_size_has_a_family_and_every_restriction_a_size(void **state)
{
	size_t n, nl;
	const struct vm_size *v = sizes_get(&n);
	const struct location *l = locations_get(&nl);
	bool restricted = false;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		assert_non_null(family_find(str_from(v[i].family)));
		assert_ptr_equal(size_find(str_from(v[i].name)), &v[i]);
		assert_int_equal(v[i].gpus > 0, v[i].gpu != NULL);
		for (size_t k = 0; k < nl; k++)
			restricted = restricted || restriction_find(&v[i], &l[k]) != NULL;
	}
	assert_true(restricted);
	assert_ptr_equal(location_find(STR("West Europe")), location_find(STR("westeurope")));
	assert_null(location_find(STR("westeurop")));
}

static void
versions_are_found_by_minor_and_patch(void **state)
{
	const char *patch = NULL;

	(void)state;
	assert_non_null(version_find(STR("1.36"), &patch));
	assert_string_equal(patch, "1.36.2");
	assert_non_null(version_find(STR("1.36.1"), &patch));
	assert_string_equal(patch, "1.36.1");
	assert_null(version_find(STR("1.36.9"), &patch));
	assert_int_equal(version_minor(STR("1.36.2")), 36);
	assert_int_equal(version_minor(STR("x")), -1);
	assert_true(version_cmp(STR("1.36.10"), STR("1.36.9")) > 0);
	assert_true(version_cmp(STR("1.36"), STR("1.36.0")) == 0);
}

static void
ranges_contain_and_overlap(void **state)
{
	uint32_t first;
	unsigned bits;

	(void)state;
	assert_true(ipv4_range_parse(STR("10.0.0.0/16"), &first, &bits));
	assert_int_equal(bits, 16);
	assert_false(ipv4_range_parse(STR("10.0.0.1/16"), &first, &bits)); /* host bits */
	assert_false(ipv4_range_parse(STR("10.0.0.0"), &first, &bits));
	assert_false(ipv4_range_parse(STR("10.0.0.256/32"), &first, &bits));
	assert_false(ipv4_range_parse(STR("10.0.0.0/33"), &first, &bits));
	assert_true(ipv4_range_contains(STR("10.0.0.0/16"), STR("10.0.16.0/20")));
	assert_false(ipv4_range_contains(STR("10.0.16.0/20"), STR("10.0.0.0/16")));
	assert_true(ipv4_range_overlap(STR("10.0.16.0/20"), STR("10.0.0.0/16")));
	assert_false(ipv4_range_overlap(STR("10.1.0.0/16"), STR("10.0.0.0/16")));
	assert_true(ipv4_range_contains(STR("0.0.0.0/0"), STR("10.0.0.0/16")));
}

static void
queries_and_forms_are_decoded(void **state)
{
	struct arena *a = arena_new(65536);

	(void)state;
	assert_true(str_is(
	    url_value(a, STR("a=1&%24filter=x%20eq%20%27y%27"), "$filter", false), "x eq 'y'"));
	assert_true(
	    str_is(url_value(a, STR("client_secret=a%2Bb+c"), "client_secret", true), "a+b c"));
	assert_true(str_is(url_value(a, STR("x=a+b"), "x", false), "a+b"));
	assert_true(str_is(url_value(a, STR("x=%4"), "x", false), "%4"));
	assert_true(str_is(url_value(a, STR("x=%41"), "X", false), "A"));
	assert_int_equal(url_value(a, STR("x=1"), "y", false).n, 0);
	arena_free(a);
}

static void
times_are_written_as_azure_writes_them(void **state)
{
	struct text t = TEXT_INIT(256);

	(void)state;
	simtime_add(&t, 1796056102054);
	text_add_char(&t, '|');
	simtime_add_us(&t, 1796040000000);
	text_add_char(&t, '|');
	simtime_add(&t, 951782400000); /* 29 February 2000 */
	assert_string_equal(
	    text_get(&t), "2026-11-30T16:28:22Z|11/30/2026 12:00:00 PM|2000-02-29T00:00:00Z");
	text_free(&t);
}

static void
simulated_time_runs_faster(void **state)
{
	int64_t real = simtime_real_ms();
	struct simtime t = { .speed = 1000, .epoch_ms = real - 1000 };
	int64_t now = simtime_now(&t);

	(void)state;
	assert_in_range(now - real, 999000 - 1000, 1100000);
	t.speed = 0;
	atomic_store(&t.frozen_ms, 5);
	assert_int_equal(simtime_now(&t), 5);
}

static void
gzip_files_have_their_sums(void **state)
{
	struct text t = TEXT_INIT(256);
	const unsigned char *p;

	(void)state;
	gzip_store(&t, STR("123456789"));
	p = (const unsigned char *)text_get(&t);
	assert_int_equal(p[0], 0x1f);
	assert_int_equal(p[1], 0x8b);
	/* The check value of CRC-32, little-endian, and the length. */
	assert_memory_equal(p + t.n - 8, "\x26\x39\xf4\xcb\x09\x00\x00\x00", 8);
	text_free(&t);
}

static void
every_route_is_found_by_its_own_pattern(void **state)
{
	size_t n;
	const struct arm_route *r = arm_routes_get(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		struct text path = TEXT_INIT(1024);
		struct str params[ARM_PARAMS], rest = str_from(r[i].pattern), piece;
		bool known, first = true;

		if (rest.p[0] == '*') {
			text_add(&path, "/SUBSCRIPTIONS/x");
			rest = str_sub(rest, 1, rest.n);
		}
		while (str_split(&rest, '/', &piece)) {
			text_add(&path, first ? "" : "/");
			first = false;
			if (str_is(piece, "{}"))
				text_add(&path, "Some.Thing");
			else
				text_add_str(&path, piece);
		}
		if (arm_route_find(str_from(r[i].method), text_str(&path), params, &known) != &r[i])
			fail_msg("%s %s", r[i].method, text_get(&path));
		assert_non_null(r[i].handle);
		text_free(&path);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_fault_is_read_and_bad_ones_are_named),
		cmocka_unit_test(the_same_seed_gives_the_same_faults),
		cmocka_unit_test(every_size_has_a_family_and_every_restriction_a_size),
		cmocka_unit_test(versions_are_found_by_minor_and_patch),
		cmocka_unit_test(ranges_contain_and_overlap),
		cmocka_unit_test(queries_and_forms_are_decoded),
		cmocka_unit_test(times_are_written_as_azure_writes_them),
		cmocka_unit_test(simulated_time_runs_faster),
		cmocka_unit_test(gzip_files_have_their_sums),
		cmocka_unit_test(every_route_is_found_by_its_own_pattern),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
