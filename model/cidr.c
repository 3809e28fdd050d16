#include "model/cidr.h"

#include <arpa/inet.h>
#include <string.h>

static unsigned
width(const struct cidr *c)
{
	return c->v6 ? 128 : 32;
}

static bool
parse_address(struct str s, struct cidr *c)
{
	char text[INET6_ADDRSTRLEN + 1];

	if (s.n == 0 || s.n >= sizeof text || memchr(s.p, '\0', s.n) != NULL)
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	c->v6 = strchr(text, ':') != NULL;
	return inet_pton(c->v6 ? AF_INET6 : AF_INET, text, c->address) == 1;
}

bool
cidr_parse(struct str text, struct cidr *ret, struct error *err)
{
	struct cidr c = { .v6 = false };
	ptrdiff_t slash = str_find_char(text, '/');
	struct str size = str_sub(text, (size_t)(slash + 1), text.n);
	int64_t bits;

	if (slash <= 0 || !parse_address(str_sub(text, 0, (size_t)slash), &c) ||
	    !str_to_int(size, &bits) || bits < 0 || bits > width(&c) ||
	    (size.n > 1 && size.p[0] == '0'))
		return error_set(err, ERR_INVALID,
		    "'%.*s' is not an address range (such as 10.0.0.0/16)",
		    (int)(text.n > 64 ? 64 : text.n), text.p == NULL ? "" : text.p);
	c.bits = (unsigned)bits;
	*ret = c;
	return true;
}

bool
cidr_parse_address(struct str text, struct cidr *ret, struct error *err)
{
	struct cidr c = { .v6 = false };

	if (!parse_address(text, &c))
		return error_set(err, ERR_INVALID, "'%.*s' is not an IP address",
		    (int)(text.n > 64 ? 64 : text.n), text.p == NULL ? "" : text.p);
	c.bits = width(&c);
	*ret = c;
	return true;
}

static unsigned
bit(const struct cidr *c, unsigned i)
{
	return (unsigned)c->address[i / 8] >> (7 - i % 8) & 1u;
}

bool
cidr_is_network(const struct cidr *c)
{
	for (unsigned i = c->bits; i < width(c); i++) {
		if (bit(c, i) != 0)
			return false;
	}
	return true;
}

static bool
same_prefix(const struct cidr *a, const struct cidr *b, unsigned bits)
{
	for (unsigned i = 0; i < bits; i++) {
		if (bit(a, i) != bit(b, i))
			return false;
	}
	return a->v6 == b->v6;
}

bool
cidr_contains(const struct cidr *outer, const struct cidr *inner)
{
	return outer->bits <= inner->bits && same_prefix(outer, inner, outer->bits);
}

bool
cidr_overlaps(const struct cidr *a, const struct cidr *b)
{
	return same_prefix(a, b, a->bits < b->bits ? a->bits : b->bits);
}

void
cidr_format(const struct cidr *c, struct text *out)
{
	struct cidr net = *c;
	char text[INET6_ADDRSTRLEN];

	for (unsigned i = c->bits; i < width(c); i++)
		net.address[i / 8] &= (uint8_t) ~(0x80u >> i % 8);
	if (inet_ntop(c->v6 ? AF_INET6 : AF_INET, net.address, text, sizeof text) != NULL)
		text_printf(out, "%s/%u", text, c->bits);
}
