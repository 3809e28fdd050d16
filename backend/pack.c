#include "backend/pack.h"

#include <stddef.h>
#include <string.h>

#include "model/base/mem.h"

static const size_t external_texts[] = {
	offsetof(struct external, spec.owner_uid),
	offsetof(struct external, spec.key),
	offsetof(struct external, spec.type),
	offsetof(struct external, spec.provider),
	offsetof(struct external, spec.name),
	offsetof(struct external, spec.what),
	offsetof(struct external, spec.version),
	offsetof(struct external, spec.external_id),
	offsetof(struct external, spec.progress),
	offsetof(struct external, spec.waits_for),
	offsetof(struct external, spec.error.reason),
	offsetof(struct external, spec.error.message),
	offsetof(struct external, spec.error.advice),
};

static const size_t event_texts[] = {
	offsetof(struct event_object, involved_object.kind),
	offsetof(struct event_object, involved_object.name),
	offsetof(struct event_object, involved_object.uid),
	offsetof(struct event_object, type),
	offsetof(struct event_object, reason),
	offsetof(struct event_object, message),
	offsetof(struct event_object, first_timestamp),
	offsetof(struct event_object, last_timestamp),
	offsetof(struct event_object, event_time),
	offsetof(struct event_object, source.component),
	offsetof(struct event_object, reporting_component),
};

static struct str
text_at(const void *base, size_t off)
{
	struct str s;

	memcpy(&s, (const char *)base + off, sizeof(s));
	return s;
}

static size_t
texts_size(const void *base, const size_t *offs, size_t n)
{
	size_t total = 0;

	for (size_t i = 0; i < n; i++)
		total += text_at(base, offs[i]).n;
	return total;
}

/* Copies the texts behind `to` and points its members at the copies. */
static void
texts_pack(void *to, char *bytes, const void *from, const size_t *offs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct str s = text_at(from, offs[i]);

		if (s.n > 0)
			memcpy(bytes, s.p, s.n);
		s.p = bytes;
		bytes += s.n;
		memcpy((char *)to + offs[i], &s, sizeof(s));
	}
}

struct packed_external {
	struct external x; /* first: it is what is handed out */
	struct node observed, count;
	char bytes[];
};

struct external *
pack_external(const struct external *from)
{
	size_t n = texts_size(from, external_texts, ARRAY_LEN(external_texts));
	struct packed_external *p = mem_new(sizeof(*p) + n);
	int64_t count = node_path_int(from->spec.observed, "count", -1);
	struct external_spec *to;

	if (p == NULL)
		return NULL;
	to = &p->x.spec;
	to->present = true;
	to->phase = from->spec.phase;
	to->order = from->spec.order;
	to->since = from->spec.since;
	to->next_try = from->spec.next_try;
	to->attempts = from->spec.attempts;
	to->error.present = from->spec.error.present;
	if (count >= 0) {
		p->count.key = STR("count");
		p->count.type = NODE_INT;
		p->count.u.integer = count;
		p->observed.type = NODE_MAP;
		p->observed.u.items.first = p->observed.u.items.last = &p->count;
		p->observed.u.items.count = 1;
		to->observed = &p->observed;
	}
	texts_pack(&p->x, p->bytes, from, external_texts, ARRAY_LEN(external_texts));
	return &p->x;
}

struct packed_event {
	struct event_object e; /* first: it is what is handed out */
	char bytes[];
};

struct event_object *
pack_event(const struct event_object *from)
{
	size_t n = texts_size(from, event_texts, ARRAY_LEN(event_texts));
	struct packed_event *p = mem_new(sizeof(*p) + n);

	if (p == NULL)
		return NULL;
	p->e.count = from->count;
	texts_pack(&p->e, p->bytes, from, event_texts, ARRAY_LEN(event_texts));
	return &p->e;
}
