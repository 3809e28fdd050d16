#include "backend/net/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

#include "model/base/macros.h"

struct range {
	uint8_t bytes[16];
	unsigned bits;
	bool loopback; /* allowed in practice */
};

/* clang-format off */
static const struct range refused4[] = {
	{ { 0 },                8, false },		/* unspecified, "this" network */
	{ { 127 },              8, true },		/* loopback */
	{ { 169, 254 },        16, false },		/* link-local: metadata services */
	{ { 100, 100, 100, 200 }, 32, false },		/* metadata of one cloud, in shared space */
	{ { 168, 63, 129, 16 }, 32, false },		/* Azure's host agent */
	{ { 192, 0, 0 },       24, false },		/* protocol assignments */
	{ { 224 },              4, false },		/* multicast */
	{ { 240 },              4, false },		/* reserved, broadcast */
};

static const struct range refused6[] = {
	{ { [15] = 1 },       128, true },		/* loopback */
	{ { 0 },               96, false },		/* unspecified, IPv4-compatible */
	{ { [10] = 0xff, 0xff }, 96, false },		/* IPv4-mapped */
	{ { [8] = 0xff, 0xff }, 96, false },		/* IPv4-translated */
	{ { 0, 0x64, 0xff, 0x9b, 0, 1 }, 48, false },	/* local NAT64 */
	{ { 0xfe, 0x80 },      10, false },		/* link-local */
	{ { 0xfe, 0xc0 },      10, false },		/* site-local, withdrawn */
	{ { 0xff },             8, false },		/* multicast */
	{ { 0xfd, 0x00, 0x0e, 0xc2 }, 32, false },	/* AWS metadata, time, DNS */
	{ { 0xfd, 0x20, 0x00, 0xce }, 32, false },	/* Google metadata */
};

/* IPv6 prefixes with an IPv4 address inside, judged by that address. */
static const struct {
	uint8_t bytes[16];
	unsigned bits;
	unsigned at; /* offset of the IPv4 address */
} carriers[] = {
	{ { 0, 0x64, 0xff, 0x9b }, 96, 12 },		/* NAT64 */
	{ { 0x20, 0x02 },          16, 2 },		/* 6to4 */
};
/* clang-format on */

static bool
prefix_matches(const uint8_t *address, const uint8_t *prefix, unsigned bits)
{
	unsigned whole = bits / 8;
	unsigned rest = bits % 8;

	if (memcmp(address, prefix, whole) != 0)
		return false;
	if (rest == 0)
		return true;
	uint8_t mask = (uint8_t)(0xff << (8 - rest));

	return (address[whole] & mask) == (prefix[whole] & mask);
}

static bool
ranges_allow(const struct range *ranges, size_t n, const uint8_t *address, bool allow_loopback)
{
	for (size_t i = 0; i < n; i++) {
		if (prefix_matches(address, ranges[i].bytes, ranges[i].bits))
			return ranges[i].loopback && allow_loopback;
	}
	return true;
}

static bool
ipv6_allowed(const uint8_t *address, bool allow_loopback)
{
	for (size_t i = 0; i < ARRAY_LEN(carriers); i++) {
		if (prefix_matches(address, carriers[i].bytes, carriers[i].bits))
			return ranges_allow(
			    refused4, ARRAY_LEN(refused4), address + carriers[i].at, false);
	}
	return ranges_allow(refused6, ARRAY_LEN(refused6), address, allow_loopback);
}

bool
address_allowed(const struct sockaddr *sa, socklen_t n, bool allow_loopback)
{
	if (sa->sa_family == AF_INET && n >= sizeof(struct sockaddr_in)) {
		struct sockaddr_in in;

		memcpy(&in, sa, sizeof(in));
		return ranges_allow(refused4, ARRAY_LEN(refused4),
		    (const uint8_t *)&in.sin_addr.s_addr, allow_loopback);
	}
	if (sa->sa_family == AF_INET6 && n >= sizeof(struct sockaddr_in6)) {
		struct sockaddr_in6 in6;

		memcpy(&in6, sa, sizeof(in6));
		return ipv6_allowed(in6.sin6_addr.s6_addr, allow_loopback);
	}
	return false;
}
