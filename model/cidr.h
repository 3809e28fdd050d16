#ifndef MODEL_CIDR_H
#define MODEL_CIDR_H

/*
 * Address ranges, IPv4 and IPv6. Threads: pure.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/text.h"

struct cidr {
	bool v6;
	uint8_t address[16]; /* IPv4 in the first four */
	unsigned bits;
};

/* "10.0.0.0/16" or "fd00::/64"; no leading zeroes. Bits behind the prefix may be set. */
bool cidr_parse(struct str text, struct cidr *ret, struct error *err) MUST_CHECK;
/* A lone address, as a range of one. */
bool cidr_parse_address(struct str text, struct cidr *ret, struct error *err) MUST_CHECK;
bool cidr_is_network(const struct cidr *c); /* no bit behind the prefix is set */
bool cidr_contains(const struct cidr *outer, const struct cidr *inner);
bool cidr_overlaps(const struct cidr *a, const struct cidr *b);
void cidr_format(const struct cidr *c, struct text *out); /* as the network */

#endif
