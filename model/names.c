#include "model/names.h"

#include <openssl/evp.h>
#include <string.h>

#include "model/base/mem.h"

enum {
	VISIBLE_MAX = NAME_MAX_LEN - NAME_HASH_LEN - 1, /* 57 */
	GROVE_VISIBLE_MAX = 18,
	JOINED_MAX = 64 * 1024,
	DIGEST_LEN = 32,
	ID8_LEN = 8,
};

/* Cannot be named: the arena's sticky flag says so to whoever checks it. */
static struct str
fail(struct arena *a)
{
	(void)arena_get(a, SIZE_MAX);
	return (struct str){ NULL, 0 };
}

static bool
digest(struct str s, unsigned char ret_sum[DIGEST_LEN])
{
	return EVP_Digest(s.p == NULL ? "" : s.p, s.n, ret_sum, NULL, EVP_sha256(), NULL) == 1;
}

/* visible cut to max, without dashes at its end, and the hash of the whole. */
static struct str
cut_and_hash(struct arena *a, struct str visible, size_t max, struct str whole)
{
	unsigned char sum[DIGEST_LEN];
	char *p;

	if (visible.n > max)
		visible.n = max;
	while (visible.n > 0 && visible.p[visible.n - 1] == '-')
		visible.n--;
	if (!digest(whole, sum))
		return fail(a);
	p = arena_printf(a, STR_FMT "-%02x%02x%x", STR_ARG(visible), sum[0], sum[1], sum[2] >> 4);
	return str_from(p);
}

/* Joins first (when it has bytes) and the parts, with c between. */
static struct str
join(struct arena *a, struct str first, const char *const *parts, char c)
{
	struct text t = TEXT_INIT(JOINED_MAX);
	struct str joined;
	bool any = first.p != NULL;

	text_add_str(&t, first);
	for (; *parts != NULL; parts++) {
		if (any)
			text_add_char(&t, c);
		text_add(&t, *parts);
		any = true;
	}
	joined = text_ok(&t, "name", NULL) ? str_copy(a, text_str(&t)) : fail(a);
	text_free(&t);
	return joined;
}

struct str
child_name(struct arena *a, const char *const *parts)
{
	struct str whole = join(a, (struct str){ NULL, 0 }, parts, '-');

	return whole.p == NULL ? whole : cut_and_hash(a, whole, VISIBLE_MAX, whole);
}

struct str
child_name2(struct arena *a, struct str p1, const char *p2)
{
	const char *const rest[] = { p2, NULL };
	struct str whole = join(a, p1, rest, '-');

	return whole.p == NULL ? whole : cut_and_hash(a, whole, VISIBLE_MAX, whole);
}

struct str
child_name3(struct arena *a, struct str p1, struct str p2, const char *p3)
{
	const char *middle = arena_dup(a, p2.p, p2.n);
	const char *const rest[] = { middle, p3, NULL };
	struct str whole;

	if (middle == NULL)
		return (struct str){ NULL, 0 };
	whole = join(a, p1, rest, '-');
	return whole.p == NULL ? whole : cut_and_hash(a, whole, VISIBLE_MAX, whole);
}

struct str
opaque_name(struct arena *a, struct str visible, const char *const *parts)
{
	struct str whole = join(a, visible, parts, '-');

	return whole.p == NULL ? whole : cut_and_hash(a, visible, VISIBLE_MAX, whole);
}

struct str
grove_name(struct arena *a, struct str replica, struct str engine)
{
	const char *second = arena_dup(a, engine.p, engine.n);
	const char *const rest[] = { second, NULL };
	struct str whole;

	if (second == NULL)
		return (struct str){ NULL, 0 };
	whole = join(a, replica, rest, '-');
	return whole.p == NULL ? whole : cut_and_hash(a, whole, GROVE_VISIBLE_MAX, whole);
}

struct str
id8(struct arena *a, const char *const *parts)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	struct str whole = join(a, (struct str){ NULL, 0 }, parts, '\0');
	unsigned char sum[DIGEST_LEN];
	uint64_t bits = 0;
	char id[ID8_LEN];

	if (whole.p == NULL || !digest(whole, sum))
		return fail(a);
	for (size_t i = 0; i < 5; i++)
		bits = bits << 8 | sum[i];
	for (size_t i = 0; i < ID8_LEN; i++)
		id[i] = letters[bits >> (35 - 5 * i) & 31];
	return str_copy(a, (struct str){ id, sizeof id });
}

struct str
uuid_from(struct arena *a, const char *const *parts)
{
	struct str whole = join(a, (struct str){ NULL, 0 }, parts, '\0');
	unsigned char s[DIGEST_LEN];
	const char *p;

	if (whole.p == NULL || !digest(whole, s))
		return fail(a);
	/* Version 5 (made from a name) and the variant of RFC 4122: some services check them. */
	s[6] = (unsigned char)((s[6] & 0x0f) | 0x50);
	s[8] = (unsigned char)((s[8] & 0x3f) | 0x80);
	p = arena_printf(a, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
	    s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13],
	    s[14], s[15]);
	return str_from(p);
}
