/* Taking things away: taints (cordon, drain, uncordon) and deletion. */
#include <stdio.h>
#include <string.h>

#include "tui/text.h"
#include "tui/widgets/change.h"
#include "tui/widgets/dialog.h"
#include "tui/widgets/review.h"

enum { MAX_NAMES = REVIEW_MAX_REQUESTS };

static const char taint_key[] = "flightdeck.dev/maintenance";

struct names {
	char names[MAX_NAMES][254];
	size_t n;
};

/* The marked clusters of the view, or the one of the row. */
static void
names_get(struct console *c, const char *row, struct names *out)
{
	const struct view *v = console_view(c);

	out->n = 0;
	for (size_t i = 0; v->nmarks > 0 && i < v->nrows && out->n < MAX_NAMES; i++) {
		struct subject s = { .kind = "" };
		bool known = false;

		if (!view_is_marked(v, v->rows[i]))
			continue;
		v->pane->subject(v, v->rows[i], &s);
		for (size_t k = 0; k < out->n; k++)
			known = known || strcmp(out->names[k], s.cluster) == 0;
		if (!known && s.cluster[0] != '\0')
			(void)snprintf(out->names[out->n++], 254, "%s", s.cluster);
	}
	if (out->n == 0)
		(void)snprintf(out->names[out->n++], 254, "%s", row);
}

static const struct fleet_cluster *
cluster_of(const struct console *c, const char *name)
{
	return c->fleet != NULL ? fleet_cluster_find(c->fleet, str_from(name)) : NULL;
}

/* ---- deletion ---- */

static void
delete_one(const struct console *c, const char *name, struct text *t, int64_t *gpus)
{
	const struct fleet_cluster *k = cluster_of(c, name);

	if (k == NULL) {
		text_printf(t, "! %s is not known any more\n", name);
		return;
	}
	text_printf(t, "- InferenceCluster/%s   " STR_FMT " " STR_FMT "   %s %s\n", name,
	    STR_ARG(k->source), STR_ARG(k->region), fleet_state_mark(k->state),
	    fleet_state_word(k->state));
	for (size_t i = 0; i < k->npools; i++) {
		const struct fleet_pool *p = &c->fleet->pools[k->first_pool + i];
		char nodes[AGE_MAX];

		count_format(p->nodes_wanted, nodes);
		text_printf(t, "-   pool " STR_FMT "   %s nodes of " STR_FMT "\n", STR_ARG(p->name),
		    nodes, STR_ARG(p->class_name));
	}
	*gpus += k->gpus > 0 ? k->gpus : 0;
}

static size_t
blockers_add(const struct console *c, const struct names *names, struct text *t)
{
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++) {
		const struct fleet_cluster *k = cluster_of(c, names->names[i]);

		for (size_t b = 0; k != NULL && b < k->nblockers; b++) {
			if (n++ == 0)
				text_add(t, "# what blocks it until it is gone\n");
			text_printf(
			    t, "! %s: " STR_FMT "\n", names->names[i], STR_ARG(k->blockers[b]));
		}
	}
	return n;
}

static void
delete_resources(const struct console *c, const struct names *names, struct text *t)
{
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++) {
		const struct fleet_cluster *k = cluster_of(c, names->names[i]);

		for (size_t r = 0; k != NULL && r < k->ntree; r++)
			n += k->tree[r].external ? 1 : 0;
	}
	text_printf(t, "# what it causes\n");
	text_printf(t,
	    "foreground: the stack is uninstalled, then %zu resources go, last made first;\n"
	    "each is waited for, and the cluster stays in the list until all are gone\n",
	    n);
	text_add(t, "! there is no undo: everything stored in the cluster is lost\n");
}

struct layer *
delete_review_new(struct console *c, const struct subject *s)
{
	struct names names;
	struct text title = TEXT_INIT(400);
	struct text word = TEXT_INIT(400);
	struct review *r;
	struct text *t;
	int64_t gpus = 0;

	names_get(c, s->cluster, &names);
	if (names.n == 1) {
		text_printf(&title, "delete cluster %s", names.names[0]);
		text_add(&word, names.names[0]);
	} else {
		text_printf(&title, "delete %zu clusters", names.n);
		text_printf(&word, "delete %zu clusters", names.n);
	}
	r = review_new(text_get(&title), text_get(&word));
	text_free(&title);
	text_free(&word);
	if (r == NULL)
		return NULL;
	t = review_text(r);
	text_add(t, "# what is deleted\n");
	for (size_t i = 0; i < names.n; i++)
		delete_one(c, names.names[i], t, &gpus);
	text_printf(
	    t, "%zu cluster%s, %lld GPUs\n", names.n, names.n == 1 ? "" : "s", (long long)gpus);
	(void)blockers_add(c, &names, t);
	delete_resources(c, &names, t);
	text_add(t, "# same as\n");
	for (size_t i = 0; i < names.n; i++) {
		struct request *q = request_new(REQUEST_DELETE);

		text_printf(t, "$ flightdeck delete cluster %s --yes\n", names.names[i]);
		if (q == NULL)
			continue;
		(void)snprintf(q->kind, sizeof(q->kind), "InferenceCluster");
		(void)snprintf(q->name, sizeof(q->name), "%s", names.names[i]);
		review_request(r, &q, false);
	}
	return review_layer(r);
}

/* ---- taints ---- */

struct taint_menu {
	struct layer layer;
	char row[254];
};

struct taint_row {
	uint32_t key;
	const char *word, *help;
	enum request_verb verb;
	const char *effect; /* NULL: removed */
};

static const struct taint_row taint_rows[] = {
	{ 'n', "cordon", "NoSchedule: no new replica is placed there", REQUEST_TAINT,
	    "NoSchedule" },
	{ 'e', "drain", "NoExecute: replicas there move elsewhere", REQUEST_TAINT, "NoExecute" },
	{ 'u', "uncordon", "take the taint of this console away", REQUEST_UNTAINT, NULL },
};

static void
taint_body(
    const struct console *c, const struct names *names, const struct taint_row *w, struct text *t)
{
	const char *sign = w->effect != NULL ? "+" : "-";
	const char *effect = w->effect != NULL ? w->effect : "";

	text_add(t, "# what changes\n");
	for (size_t i = 0; i < names->n; i++) {
		const struct fleet_cluster *k = cluster_of(c, names->names[i]);

		text_printf(t, "%s InferenceCluster/%s   taint %s%s%s\n", sign, names->names[i],
		    taint_key, effect[0] != '\0' ? ":" : "", effect);
		if (k != NULL)
			text_printf(t, "    now: " STR_FMT "\n",
			    STR_ARG(k->taints.n > 0 ? k->taints : STR("no taint")));
	}
	text_add(t, "# effect\n");
	text_printf(t, "%s\n", w->help);
	if (strcmp(effect, "NoExecute") == 0)
		text_add(
		    t, "! a replica that moves loads its model again; calls it serves are cut\n");
	text_printf(t, "undo: %s\n", w->effect != NULL ? "t, then u" : "t, then n or e");
}

static void
taint_review(struct console *c, const char *row, const struct taint_row *w)
{
	struct names names;
	struct text title = TEXT_INIT(400);
	struct review *r;
	struct text *t;
	bool strict;

	names_get(c, row, &names);
	strict = (w->effect != NULL && strcmp(w->effect, "NoExecute") == 0) ||
		 (c->fleet != NULL && c->fleet->prod);
	if (names.n == 1)
		text_printf(&title, "%s %s", w->word, names.names[0]);
	else
		text_printf(&title, "%s %zu clusters", w->word, names.n);
	r = review_new(text_get(&title), !strict	? NULL
					 : names.n == 1 ? names.names[0]
							: text_get(&title));
	text_free(&title);
	if (r == NULL) {
		console_push(c, NULL);
		return;
	}
	t = review_text(r);
	taint_body(c, &names, w, t);
	text_add(t, "# same as\n");
	for (size_t i = 0; i < names.n; i++) {
		struct request *q = request_new(w->verb);
		struct text arg = TEXT_INIT(200);

		text_printf(&arg, "%s%s%s", taint_key, w->effect != NULL ? "=true:" : "",
		    w->effect != NULL ? w->effect : "");
		text_printf(t, "$ flightdeck %s %s %s\n", w->effect != NULL ? "taint" : "untaint",
		    names.names[i], text_get(&arg));
		if (q != NULL) {
			(void)snprintf(q->name, sizeof(q->name), "%s", names.names[i]);
			q->text = text_take(&arg);
			review_request(r, &q, names.n == 1);
		}
		text_free(&arg);
	}
	review_open(c, r);
}

static void
menu_draw(struct console *c, struct layer *l, struct grid *g)
{
	const struct taint_menu *m = (struct taint_menu *)l;
	struct names names;
	struct text title = TEXT_INIT(300);
	struct pen pen;

	names_get(c, m->row, &names);
	if (names.n == 1)
		text_printf(&title, "drain, cordon: %s", names.names[0]);
	else
		text_printf(&title, "drain, cordon: %zu marked clusters", names.n);
	pen = pen_at(g, dialog_frame(g, 8, text_get(&title)));
	for (size_t i = 0; i < ARRAY_LEN(taint_rows) && !pen_full(&pen); i++) {
		grid_fill(g, pen.r.x, pen.r.y + pen.y, 1, ROLE_KEY, (char)taint_rows[i].key);
		(void)grid_printf(g, pen.r.x + 3, pen.r.y + pen.y, pen.r.w - 3, ROLE_TEXT,
		    "%-10s %s", taint_rows[i].word, taint_rows[i].help);
		pen.y++;
	}
	pen_gap(&pen);
	if (!pen_full(&pen))
		frame_hints(g, pen.r.y + pen.y, "n/e/u opens a review|esc cancel");
	text_free(&title);
}

static void
menu_key(struct console *c, struct layer *l, struct input_key k)
{
	const struct taint_menu *m = (struct taint_menu *)l;
	char row[254];

	if (k.pasted)
		return;
	if (k.key == KEY_ESC || k.key == 'q') {
		console_pop(c);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(taint_rows); i++) {
		if (k.key != taint_rows[i].key)
			continue;
		(void)snprintf(row, sizeof(row), "%s", m->row);
		console_pop(c);
		taint_review(c, row, &taint_rows[i]);
		return;
	}
}

static void
menu_free(struct layer *l)
{
	mem_free(l);
}

static const struct layer_ops menu_ops = {
	.name = "taint",
	.draw = menu_draw,
	.key = menu_key,
	.free = menu_free,
};

struct layer *
taint_menu_new(struct console *c, const struct subject *s)
{
	struct taint_menu *m = mem_new(sizeof(*m));

	(void)c;
	if (m == NULL)
		return NULL;
	m->layer.ops = &menu_ops;
	(void)snprintf(m->row, sizeof(m->row), "%s", s->cluster);
	return &m->layer;
}
