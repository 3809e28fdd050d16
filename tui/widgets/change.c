/* Forms that end in a review: scale and upgrade. */
#include "tui/widgets/change.h"

#include <stdio.h>
#include <string.h>

#include "tui/text.h"
#include "tui/widgets/dialog.h"
#include "tui/widgets/form.h"
#include "tui/widgets/review.h"

enum what { SCALE, UPGRADE };

struct change_form {
	struct layer layer;
	enum what what;
	char cluster[254];
	struct form form;
	char problem[300];
};

static const struct fleet_pool *
pool_find(const struct fleet *f, const char *cluster, const char *pool)
{
	for (size_t i = 0; f != NULL && i < f->npools; i++)
		if (str_is(f->pools[i].cluster_name, cluster) && str_is(f->pools[i].name, pool))
			return &f->pools[i];
	return NULL;
}

static const struct fleet_cluster *
cluster_of(const struct console *c, const char *name)
{
	return c->fleet != NULL ? fleet_cluster_find(c->fleet, str_from(name)) : NULL;
}

static void
number_set(struct form_field *f, int64_t n)
{
	struct text t = TEXT_INIT(24);

	if (n >= 0)
		text_add_int(&t, n);
	field_set(f, text_str(&t));
	text_free(&t);
}

/* ---- scale ---- */

enum { F_POOL, F_NODES, F_MIN, F_MAX };

static void
scale_load(struct console *c, struct change_form *d)
{
	const struct fleet_pool *p = pool_find(c->fleet, d->cluster, d->form.fields[F_POOL].value);

	if (p == NULL)
		return;
	number_set(&d->form.fields[F_NODES], p->nodes_wanted);
	number_set(&d->form.fields[F_MIN], p->nodes_min);
	number_set(&d->form.fields[F_MAX], p->nodes_max);
}

static void
change_line(struct text *t, const char *name, int64_t from, int64_t to)
{
	char was[AGE_MAX];

	if (to < 0 || from == to)
		return;
	count_format(from, was);
	text_printf(t, "~ %-8s %s -> %lld\n", name, from < 0 ? "unset" : was, (long long)to);
}

static void
scale_body(const struct fleet_pool *p, const struct request *q, struct text *t)
{
	int64_t per = p->gpus_per_node;

	text_printf(t, "# what changes\n");
	change_line(t, "nodes", p->nodes_wanted, q->nodes);
	change_line(t, "min", p->nodes_min, q->min);
	change_line(t, "max", p->nodes_max, q->max);
	text_add(t, "# effect\n");
	if (per > 0 && q->nodes >= 0 && p->nodes_wanted >= 0)
		text_printf(t, "GPUs of the pool %lld -> %lld (%lld a node, " STR_FMT ")\n",
		    (long long)p->nodes_wanted * per, (long long)q->nodes * per, (long long)per,
		    STR_ARG(p->accelerator));
	if (q->nodes >= 0 && q->nodes < p->nodes_wanted) {
		int64_t removed = p->nodes_wanted - q->nodes;

		text_printf(t, "! %lld node%s removed; what runs there is cut off\n",
		    (long long)removed, removed == 1 ? " is" : "s are");
		if (p->gpus_claimed > 0)
			text_printf(t,
			    "! %lld GPUs of this pool are claimed now, %lld nodes are free\n",
			    (long long)p->gpus_claimed, (long long)p->nodes_free);
		text_add(t, "safer: drain first (t), then scale\n");
	} else if (q->nodes > p->nodes_wanted) {
		text_printf(t,
		    "%lld more " STR_FMT " are asked for; they cost money from then on\n",
		    (long long)(q->nodes - p->nodes_wanted),
		    STR_ARG(p->vm_size.n > 0 ? p->vm_size : STR("nodes")));
	}
	if (p->nodes_max >= 0 && q->nodes >= 0 && q->nodes != p->nodes_wanted &&
	    (q->min < 0 ? p->nodes_min : q->min) < q->nodes)
		text_add(t, "! between min and max the autoscaler decides: raise min to have the "
			    "nodes now\n");
	text_add(t, "undo: scale back to the numbers on the left\n");
}

static void
scale_review(struct console *c, struct change_form *d)
{
	const char *pool = d->form.fields[F_POOL].value;
	const struct fleet_pool *p = pool_find(c->fleet, d->cluster, pool);
	struct request *q = request_new(REQUEST_SCALE);
	struct text title = TEXT_INIT(600);
	struct review *r;
	bool down;

	if (p == NULL || q == NULL) {
		(void)snprintf(d->problem, sizeof(d->problem), "the pool is gone");
		request_free(q);
		return;
	}
	(void)snprintf(q->name, sizeof(q->name), "%s", d->cluster);
	(void)snprintf(q->pool, sizeof(q->pool), "%s", pool);
	if (!field_number(&d->form.fields[F_NODES], &q->nodes))
		q->nodes = -1;
	if (!field_number(&d->form.fields[F_MIN], &q->min))
		q->min = -1;
	if (!field_number(&d->form.fields[F_MAX], &q->max))
		q->max = -1;
	down = q->nodes >= 0 && q->nodes < p->nodes_wanted;
	text_printf(&title, "scale %s / %s", d->cluster, pool);
	r = review_new(text_get(&title), down || c->fleet->prod ? d->cluster : NULL);
	if (r != NULL) {
		struct text *t = review_text(r);

		scale_body(p, q, t);
		text_printf(t, "# same as\n$ flightdeck scale %s/%s", d->cluster, pool);
		if (q->nodes >= 0)
			text_printf(t, " --nodes %lld", (long long)q->nodes);
		if (q->min >= 0)
			text_printf(t, " --min %lld", (long long)q->min);
		if (q->max >= 0)
			text_printf(t, " --max %lld", (long long)q->max);
		text_add_char(t, '\n');
		review_request(r, &q, true);
	}
	request_free(q);
	text_free(&title);
	console_pop(c);
	review_open(c, r);
}

static bool
scale_check(struct console *c, struct change_form *d)
{
	const struct fleet_pool *p = pool_find(c->fleet, d->cluster, d->form.fields[F_POOL].value);
	int64_t n = -1;
	int64_t lo = -1;
	int64_t hi = -1;

	d->problem[0] = '\0';
	(void)field_number(&d->form.fields[F_NODES], &n);
	(void)field_number(&d->form.fields[F_MIN], &lo);
	(void)field_number(&d->form.fields[F_MAX], &hi);
	if (p == NULL)
		(void)snprintf(d->problem, sizeof(d->problem), "the cluster has no such pool");
	else if (lo >= 0 && hi >= 0 && lo > hi)
		(void)snprintf(d->problem, sizeof(d->problem), "min is above max");
	else if (n >= 0 && hi >= 0 && n > hi)
		(void)snprintf(
		    d->problem, sizeof(d->problem), "nodes are above max: raise max too");
	else if (n >= 0 && lo >= 0 && n < lo)
		(void)snprintf(
		    d->problem, sizeof(d->problem), "nodes are below min: lower min too");
	else if (n > 1000 || hi > 1000)
		(void)snprintf(d->problem, sizeof(d->problem), "a pool has at most 1000 nodes");
	else if ((n < 0 || n == p->nodes_wanted) && (lo < 0 || lo == p->nodes_min) &&
		 (hi < 0 || hi == p->nodes_max))
		(void)snprintf(d->problem, sizeof(d->problem), "nothing is changed yet");
	return d->problem[0] == '\0';
}

/* ---- upgrade ---- */

static void
upgrade_review(struct console *c, struct change_form *d)
{
	const struct fleet_cluster *k = cluster_of(c, d->cluster);
	const char *version = d->form.fields[0].value;
	struct request *q = request_new(REQUEST_UPGRADE);
	struct text title = TEXT_INIT(600);
	struct review *r;

	if (q != NULL) {
		(void)snprintf(q->name, sizeof(q->name), "%s", d->cluster);
		q->text = mem_dupz(version);
	}
	text_printf(&title, "upgrade %s", d->cluster);
	r = review_new(text_get(&title), d->cluster);
	if (r != NULL) {
		struct text *t = review_text(r);

		text_add(t, "# what changes\n");
		text_printf(t, "~ Kubernetes " STR_FMT " -> %s\n",
		    STR_ARG(k != NULL ? k->version : STR("-")), version);
		text_add(t, "# effect\ncontrol plane first, then each pool, node by node\n"
			    "! what runs on a node moves while it is replaced\n"
			    "! there is no way back to an older version\n");
		text_printf(
		    t, "# same as\n$ flightdeck upgrade %s --version %s\n", d->cluster, version);
		review_request(r, &q, true);
	}
	request_free(q);
	text_free(&title);
	console_pop(c);
	review_open(c, r);
}

static bool
upgrade_check(struct console *c, struct change_form *d)
{
	const struct fleet_cluster *k = cluster_of(c, d->cluster);
	const char *version = d->form.fields[0].value;

	d->problem[0] = '\0';
	if (k == NULL)
		(void)snprintf(d->problem, sizeof(d->problem), "the cluster is gone");
	else if (version[0] == '\0')
		(void)snprintf(d->problem, sizeof(d->problem), "type a version, like 1.35");
	else if (str_is(k->version, version))
		(void)snprintf(d->problem, sizeof(d->problem), "it has that version already");
	return d->problem[0] == '\0';
}

/* ---- the layer ---- */

static void
draw(struct console *c, struct layer *l, struct grid *g)
{
	struct change_form *d = (struct change_form *)l;
	struct text title = TEXT_INIT(400);
	struct rect r;
	bool ok = d->what == SCALE ? scale_check(c, d) : upgrade_check(c, d);
	int n = form_height(&d->form);

	text_printf(&title, "%s %s", d->what == SCALE ? "scale" : "upgrade", d->cluster);
	r = dialog_frame(g, n + 6, text_get(&title));
	form_draw(&d->form, g, (struct rect){ r.x, r.y, r.w, n < r.h ? n : r.h }, true);
	if (r.h > n + 1)
		(void)grid_puts(g, r.x + 2, r.y + n + 1, r.w - 2, ok ? ROLE_OK : ROLE_WARN,
		    ok ? "ok: enter shows the review" : d->problem);
	if (r.h > n + 3)
		frame_hints(g, r.y + n + 3,
		    d->what == SCALE ? "tab next|+/- step|enter review|esc cancel"
				     : "enter review|esc cancel");
	text_free(&title);
}

static void
key(struct console *c, struct layer *l, struct input_key k)
{
	struct change_form *d = (struct change_form *)l;
	enum form_result used;

	if (k.key == KEY_ESC && !k.pasted) {
		console_pop(c);
		return;
	}
	used = form_key(&d->form, k);
	if (used == FORM_PICK) {
		console_push(c, chooser_new(&d->form, form_focus(&d->form)));
		return;
	}
	if (d->form.changed && d->what == SCALE && d->form.focus == F_POOL)
		scale_load(c, d);
	d->form.changed = false;
	if (used != FORM_ENTER)
		return;
	if (d->what == SCALE && scale_check(c, d))
		scale_review(c, d);
	else if (d->what == UPGRADE && upgrade_check(c, d))
		upgrade_review(c, d);
}

static void
release(struct layer *l)
{
	struct change_form *d = (struct change_form *)l;

	form_fini(&d->form);
	mem_free(d);
}

static const struct layer_ops ops = {
	.name = "change",
	.draw = draw,
	.key = key,
	.free = release,
};

static struct change_form *
change_new(enum what what, const struct subject *s)
{
	struct change_form *d = mem_new(sizeof(*d));

	if (d == NULL)
		return NULL;
	d->layer.ops = &ops;
	d->what = what;
	(void)snprintf(d->cluster, sizeof(d->cluster), "%s", s->cluster);
	form_init(&d->form);
	return d;
}

struct layer *
scale_form_new(struct console *c, const struct subject *s)
{
	struct change_form *d = change_new(SCALE, s);
	struct form_field *pool;

	if (d == NULL)
		return NULL;
	pool = form_add(&d->form, FIELD_CHOICE, "Pool", "left/right: another pool");
	(void)form_add(&d->form, FIELD_NUMBER, "Nodes", "now wanted");
	(void)form_add(&d->form, FIELD_NUMBER, "Min", "the autoscaler's floor; empty: as it is");
	(void)form_add(&d->form, FIELD_NUMBER, "Max", "the autoscaler's ceiling; empty: as it is");
	for (size_t i = 0; c->fleet != NULL && i < c->fleet->npools; i++) {
		const struct fleet_pool *p = &c->fleet->pools[i];

		if (!str_is(p->cluster_name, s->cluster) || p->is_system)
			continue;
		(void)field_choice_add(pool, p->name);
		if (pool->value[0] == '\0' || str_is(p->name, s->pool))
			field_set(pool, p->name);
	}
	scale_load(c, d);
	d->form.focus = F_NODES;
	return &d->layer;
}

struct layer *
upgrade_form_new(struct console *c, const struct subject *s)
{
	struct change_form *d = change_new(UPGRADE, s);
	const struct fleet_cluster *k = cluster_of(c, s->cluster);

	if (d == NULL)
		return NULL;
	(void)form_add(&d->form, FIELD_TEXT, "Version", "Kubernetes, one minor version up");
	if (k != NULL)
		field_set(&d->form.fields[0], k->version);
	return &d->layer;
}
