#include "backend/sim/gzip.h"

enum { BLOCK_MAX = 65535 };

static uint32_t
crc32_of(struct str s)
{
	uint32_t crc = 0xffffffffU;

	for (size_t i = 0; i < s.n; i++) {
		crc ^= (unsigned char)s.p[i];
		for (int k = 0; k < 8; k++)
			crc = (crc >> 1) ^ (0xedb88320U & (0U - (crc & 1)));
	}
	return ~crc;
}

static void
add_le(struct text *out, uint32_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		text_add_char(out, (char)(v >> (8 * i) & 0xff));
}

void
gzip_store(struct text *out, struct str bytes)
{
	static const char head[] = { 0x1f, (char)0x8b, 8, 0, 0, 0, 0, 0, 0, (char)0xff };
	size_t at = 0;

	text_add_str(out, (struct str){ head, sizeof(head) });
	do {
		size_t n = bytes.n - at < BLOCK_MAX ? bytes.n - at : BLOCK_MAX;

		text_add_char(out, at + n == bytes.n ? 1 : 0);
		add_le(out, (uint32_t)n, 2);
		add_le(out, ~(uint32_t)n, 2);
		text_add_str(out, str_sub(bytes, at, n));
		at += n;
	} while (at < bytes.n);
	add_le(out, crc32_of(bytes), 4);
	add_le(out, (uint32_t)bytes.n, 4);
}
