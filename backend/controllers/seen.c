#include "backend/controllers/seen.h"

#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"

enum { SLOTS_FIRST = 256, FINGERPRINT_TEXT_MAX = 4 * 1024 * 1024 };

struct slot {
	uint64_t key; /* 0: free; 1: was used */
	uint64_t print;
};

struct seen {
	struct slot *slots; /* open addressing, a power of two */
	size_t nslots;
	size_t nused; /* also those that were used */
};

static uint64_t
mix(uint64_t h, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * UINT64_C(1099511628211);
	return (h ^ 0xff) * UINT64_C(1099511628211);
}

static uint64_t
mix_number(uint64_t h, int64_t value)
{
	char bytes[sizeof(value)];

	memcpy(bytes, &value, sizeof(value));
	return mix(h, (struct str){ bytes, sizeof(bytes) });
}

static uint64_t
object_key(const struct object *o)
{
	uint64_t h = mix(UINT64_C(14695981039346656037), str_from(o->res->kind));

	h = mix(mix(mix(h, str_from(o->res->group)), o->ns), o->name);
	return h < 2 ? h + 2 : h;
}

static uint64_t
object_print(const struct object *o, const struct node *tree)
{
	static const char *const parts[] = { "labels", "annotations", "ownerReferences" };
	struct node *meta = node_find(tree, "metadata");
	struct text text = TEXT_INIT(FINGERPRINT_TEXT_MAX);
	uint64_t h = mix(UINT64_C(14695981039346656037), o->uid);

	h = mix_number(mix_number(h, o->generation), o->deleted_ms);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		const struct node *part = node_find(meta, parts[i]);

		if (part != NULL)
			json_write(&text, part, JSON_SORTED);
		text_add_char(&text, '\n');
	}
	h = mix(h, text_str(&text));
	text_free(&text);
	return h;
}

struct seen *
seen_new(void)
{
	struct seen *s = mem_new(sizeof(*s));

	if (s == NULL)
		return NULL;
	s->nslots = SLOTS_FIRST;
	s->slots = mem_array(s->nslots, sizeof(*s->slots));
	if (s->slots == NULL) {
		mem_free(s);
		return NULL;
	}
	return s;
}

void
seen_free(struct seen *s)
{
	if (s == NULL)
		return;
	mem_free(s->slots);
	mem_free(s);
}

/* The slot of a key, or the free one where it belongs. */
static struct slot *
slot_find(struct slot *slots, size_t nslots, uint64_t key)
{
	size_t at = (size_t)key & (nslots - 1);

	while (slots[at].key != 0 && slots[at].key != key)
		at = (at + 1) & (nslots - 1);
	return &slots[at];
}

static bool
grow(struct seen *s)
{
	size_t n = s->nslots, live = 0;
	struct slot *slots;

	for (size_t i = 0; i < s->nslots; i++)
		live += s->slots[i].key >= 2 ? 1 : 0;
	if (live * 4 > n)
		n *= 2; /* else those that are gone are swept out */
	slots = mem_array(n, sizeof(*slots));
	if (slots == NULL)
		return false;
	s->nused = 0;
	for (size_t i = 0; i < s->nslots; i++) {
		if (s->slots[i].key < 2)
			continue;
		*slot_find(slots, n, s->slots[i].key) = s->slots[i];
		s->nused++;
	}
	mem_free(s->slots);
	s->slots = slots;
	s->nslots = n;
	return true;
}

bool
seen_change(struct seen *s, const struct object *o, const struct node *tree, bool deleted)
{
	uint64_t key = object_key(o), print;
	struct slot *slot;
	bool changed;

	if ((s->nused + 1) * 2 > s->nslots && !grow(s) && s->nused + 1 >= s->nslots)
		return true;
	slot = slot_find(s->slots, s->nslots, key);
	if (deleted) {
		if (slot->key == key)
			*slot = (struct slot){ 1, 0 };
		return true;
	}
	print = object_print(o, tree);
	changed = slot->key != key || slot->print != print;
	if (slot->key == 0)
		s->nused++;
	*slot = (struct slot){ key, print };
	return changed;
}
