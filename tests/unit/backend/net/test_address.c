#include "backend/net/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/base/macros.h"

struct row {
	const char *address;
	bool normal;
	bool practice;
};

/* clang-format off */
static const struct row rows[] = {
	{ "127.0.0.1", false, true },		{ "127.255.255.254", false, true },
	{ "126.255.255.255", true, true },	{ "128.0.0.0", true, true },
	{ "0.0.0.0", false, false },		{ "0.1.2.3", false, false },
	{ "169.254.169.254", false, false },	{ "169.254.170.2", false, false },
	{ "169.253.255.255", true, true },	{ "169.255.0.0", true, true },
	{ "168.63.129.16", false, false },	{ "168.63.129.17", true, true },
	{ "100.100.100.200", false, false },	{ "100.100.100.201", true, true },
	{ "224.0.0.1", false, false },		{ "255.255.255.255", false, false },
	{ "192.0.0.192", false, false },	{ "10.0.0.1", true, true },
	{ "192.168.1.1", true, true },		{ "172.16.0.1", true, true },
	{ "20.43.1.1", true, true },		{ "::1", false, true },
	{ "::", false, false },			{ "::2", false, false },
	{ "::127.0.0.1", false, false },	{ "::ffff:127.0.0.1", false, false },
	{ "::ffff:169.254.169.254", false, false }, { "::ffff:8.8.8.8", false, false },
	{ "::ffff:0:127.0.0.1", false, false },	{ "64:ff9b::127.0.0.1", false, false },
	{ "64:ff9b::a9fe:a9fe", false, false },	{ "64:ff9b::808:808", true, true },
	{ "64:ff9b:1::1", false, false },	{ "2002:7f00:1::", false, false },
	{ "2002:a9fe:a9fe::1", false, false },	{ "2002:808:808::1", true, true },
	{ "fe80::1", false, false },		{ "febf::1", false, false },
	{ "fec0::1", false, false },		{ "ff02::1", false, false },
	{ "fd00:ec2::254", false, false },	{ "fd20:ce::254", false, false },
	{ "fd12:3456::1", true, true },		{ "2603:1030::1", true, true },
};
/* clang-format on */

static bool
ask(const char *text, bool allow_loopback)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };

	if (inet_pton(AF_INET, text, &in.sin_addr) == 1)
		return address_allowed((const struct sockaddr *)&in, sizeof(in), allow_loopback);
	assert_int_equal(inet_pton(AF_INET6, text, &in6.sin6_addr), 1);
	return address_allowed((const struct sockaddr *)&in6, sizeof(in6), allow_loopback);
}

static void
each_address_is_judged_as_the_table_says(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (ask(rows[i].address, false) != rows[i].normal ||
		    ask(rows[i].address, true) != rows[i].practice)
			fail_msg("%s is judged wrongly", rows[i].address);
	}
}

static void
other_families_and_short_addresses_are_refused(void **state UNUSED)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	struct sockaddr sa = { .sa_family = AF_UNIX };

	(void)inet_pton(AF_INET, "20.1.1.1", &in.sin_addr);
	assert_false(address_allowed((const struct sockaddr *)&in, 4, false));
	assert_false(address_allowed(&sa, sizeof(sa), true));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_address_is_judged_as_the_table_says),
		cmocka_unit_test(other_families_and_short_addresses_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
