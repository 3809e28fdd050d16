#include "backend/providers/azure/azure_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/json.h"

/*
 * Bodies: what is wanted against what is there. Only fields that we set are compared, since Azure
 * fills in the rest; letter case is Azure's to choose (facts 2).
 */

#define TAG_INSTALLATION "flightdeck-installation"
#define TAG_UID		 "flightdeck-uid"
#define TAG_KEY		 "flightdeck-key"

enum { SHOW_MAX = 60 };

/* ---- comparing ---- */

static bool
str_list_has(const struct node *list, struct str s)
{
	for (const struct node *n = node_first(list); n != NULL; n = n->next) {
		if (str_eq_nocase(node_get_str(n), s))
			return true;
	}
	return false;
}

static bool
same_set(const struct node *a, const struct node *b)
{
	if (node_count(a) != node_count(b))
		return false;
	for (const struct node *n = node_first(a); n != NULL; n = n->next) {
		if (!str_list_has(b, node_get_str(n)))
			return false;
	}
	return true;
}

static bool
is_subset(const struct node *want, const struct node *live)
{
	for (const struct node *n = node_first(want); n != NULL; n = n->next) {
		const struct node *there = node_find_str(live, n->key);

		if (there == NULL || !node_eq(n, there))
			return false;
	}
	return true;
}

static bool
fits(enum compare_how how, const struct node *want, const struct node *live)
{
	switch (how) {
	case CMP_SAME:
		return live != NULL && node_eq(want, live);
	case CMP_NOCASE:
		return str_eq_nocase(node_get_str(want), node_get_str(live));
	case CMP_SUBSET:
		return is_subset(want, live);
	case CMP_SET:
		return same_set(want, live);
	case CMP_NONE_ABSENT: /* "none" may be left out of an answer */
		return str_eq_nocase(node_get_str(want), node_get_str(live)) ||
		       (live == NULL && str_eq_nocase(node_get_str(want), STR("none")));
	}
	return false;
}

static void
show(struct text *out, const struct node *n)
{
	struct text t = TEXT_INIT(4096);

	if (n == NULL) {
		text_add(out, "(none)");
		return;
	}
	if (n->type == NODE_STRING)
		text_add_str(&t, node_get_str(n));
	else
		json_write(&t, n, JSON_SORTED);
	text_add_str(out, str_sub(text_str(&t), 0, SHOW_MAX));
	text_free(&t);
}

static void
begin(struct step *s, bool immutable)
{
	if (s->drift->n > 0)
		text_add(s->drift, "; ");
	s->drift_immutable = s->drift_immutable || immutable;
}

void
compare_fields(struct step *s, const struct compare_field *fields, size_t n,
    const struct node *want, const struct node *live)
{
	for (size_t i = 0; i < n; i++) {
		const struct compare_field *f = &fields[i];
		const struct node *w = node_path(want, f->path), *l = node_path(live, f->path);
		const char *dot = strrchr(f->path, '.');

		if (w == NULL || fits(f->how, w, l))
			continue;
		begin(s, f->immutable);
		text_add(s->drift, dot != NULL ? dot + 1 : f->path);
		text_add(s->drift, f->immutable ? " (cannot change) " : " ");
		show(s->drift, l);
		text_add(s->drift, " -> ");
		show(s->drift, w);
	}
}

void
compare_note(struct step *s, bool immutable, const char *fmt, ...)
{
	char line[256];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	begin(s, immutable);
	text_add(s->drift, line);
}

bool
compare_drifted(const struct step *s)
{
	return s->drift->n > 0;
}

/* ---- marks ---- */

/* Azure compares tag names without regard to case. */
static struct str
tag_find(const struct node *tags, const char *name)
{
	for (const struct node *n = node_first(tags); n != NULL; n = n->next) {
		if (str_eq_nocase(n->key, str_from(name)))
			return node_get_str(n);
	}
	return (struct str){ 0 };
}

void
tags_set(struct step *s, struct node *body, const char *path, const struct node *live)
{
	struct azure_session *az = session_of(s);
	struct node *tags = live != NULL ? node_dup(s->arena, live) : node_map(s->arena);
	struct node *at = path[0] != '\0' ? node_make_path(s->arena, body, path) : body;

	node_set_strz(s->arena, tags, TAG_INSTALLATION, az->azure->installation);
	node_set(s->arena, tags, TAG_UID, node_str(s->arena, s->ext->spec.owner_uid));
	node_set(s->arena, tags, TAG_KEY, node_str(s->arena, s->ext->spec.key));
	node_set(s->arena, at, "tags", tags);
}

bool
tags_are_ours(const struct step *s, const struct node *tags)
{
	const struct azure_session *az = session_of(s);

	return str_is(tag_find(tags, TAG_INSTALLATION), az->azure->installation) &&
	       str_eq(tag_find(tags, TAG_UID), s->ext->spec.owner_uid) &&
	       str_eq(tag_find(tags, TAG_KEY), s->ext->spec.key);
}

/* ---- bodies ---- */

static void
strip_one(struct node *at, struct str path)
{
	struct str piece;

	if (!str_split(&path, '.', &piece))
		return;
	if (str_is(piece, "*")) {
		for (struct node *n = node_first(at); n != NULL; n = n->next)
			strip_one(n, path);
	} else if (path.n == 0) {
		(void)node_remove(at, piece);
	} else {
		strip_one(node_find_str(at, piece), path);
	}
}

void
body_strip(struct node *body, const char *const *paths, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strip_one(body, str_from(paths[i]));
}

void
body_merge(struct arena *a, struct node *into, const struct node *from)
{
	for (const struct node *n = node_first(from); n != NULL; n = n->next) {
		struct node *there = node_find_str(into, n->key);

		if (there != NULL && there->type == NODE_MAP && n->type == NODE_MAP)
			body_merge(a, there, n);
		else
			node_set_str(a, into, n->key, node_dup(a, n));
	}
}

/* ---- versions ---- */

bool
azure_version_fits(struct str live, struct str want)
{
	if (str_eq(live, want))
		return true;
	return str_starts(live, want) && live.n > want.n && live.p[want.n] == '.';
}

int64_t
azure_version_minor(struct str v)
{
	struct str major = { 0 }, minor = { 0 };
	int64_t n = 0;

	if (!str_split(&v, '.', &major) || !str_split(&v, '.', &minor) || !str_to_int(minor, &n))
		return 0;
	return n;
}

/*
 * The control plane goes one minor at a time, and each step waits until all pools have followed:
 * that satisfies every reading of the skew rules, at the price of one roll of the pools a minor.
 */
struct str
azure_version_step(struct arena *a, struct str live, struct str want)
{
	int64_t from = azure_version_minor(live), to = azure_version_minor(want);
	const char *step;

	if (from == 0 || to == 0 || to <= from + 1)
		return want;
	step = arena_printf(a, "1.%lld", (long long)from + 1);
	return step == NULL ? want : str_from(step);
}
