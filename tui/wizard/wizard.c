#include "tui/wizard/wizard.h"

#include <stdio.h>
#include <string.h>

#include "tui/panes/panes.h"
#include "tui/text.h"
#include "tui/widgets/review.h"
#include "tui/wizard/wizard_int.h"

enum { YAML_FROM_W = 120, YAML_W = 56, CHECKS_LEAST = 4 };

static struct wizard *
wizard_of(struct layer *l)
{
	return (struct wizard *)l;
}

/* ---- drawing ---- */

static size_t
step_errors(const struct wizard *w, enum step s)
{
	size_t n = 0;

	for (size_t i = 0; i < w->nnotes; i++)
		n += w->notes[i].step == s && w->notes[i].error ? 1 : 0;
	return n;
}

static void
draw_step(const struct wizard *w, enum step s, struct grid *g, struct rect r)
{
	struct text t = TEXT_INIT(600);
	bool here = s == w->step;
	const char *mark = "[  ]";
	enum role role = ROLE_DIM;

	if (here) {
		mark = "[>>]";
		role = ROLE_FOCUS;
	} else if (s < w->step && step_errors(w, s) > 0) {
		mark = "[!!]";
		role = ROLE_BAD;
	} else if (s < w->step) {
		mark = "[ok]";
		role = ROLE_OK;
	}
	step_summary(w, s, &t);
	(void)grid_printf(g, r.x + 2, r.y, 12, here ? ROLE_CURSOR : ROLE_TEXT, "%d %s", (int)s + 1,
	    step_title(s));
	(void)grid_puts(g, r.x + 15, r.y, 4, role, mark);
	(void)grid_put(g, r.x + 21, r.y, r.w - 22, here ? ROLE_TEXT : ROLE_DIM, text_str(&t));
	text_free(&t);
}

static void
draw_yaml(const struct wizard *w, struct grid *g, struct rect r)
{
	struct str rest = text_str(&w->yaml);
	struct str line;
	int y = 1;
	int skip = 0;
	int lines = 0;

	for (size_t i = 0; i < w->yaml.n; i++)
		lines += w->yaml.p[i] == '\n' ? 1 : 0;
	if (lines > r.h - 1) /* the end grows: keep it in sight */
		skip = lines - (r.h - 1);
	(void)grid_puts(g, r.x, r.y, r.w, ROLE_SECTION, "spec (live)");
	grid_put_right(g, r.x, r.y, r.w, ROLE_DIM, str_from(skip > 0 ? "its end" : ""));
	while (y < r.h && str_split(&rest, '\n', &line)) {
		ptrdiff_t colon = str_find_char(line, ':');
		size_t n = 0;

		if (skip-- > 0)
			continue;
		(void)grid_put(g, r.x, r.y + y, r.w, ROLE_TEXT, line);
		while (n < line.n && (line.p[n] == ' ' || line.p[n] == '-'))
			n++;
		if (colon > 0)
			grid_role(g, r.x + (int)n, r.y + y, (int)colon + 1 - (int)n, ROLE_CODE);
		y++;
	}
}

static void
draw_note(const struct wizard *w, const struct problem_note *n, struct pen *pen)
{
	struct text t = TEXT_INIT(500);

	if (pen_full(pen))
		return;
	if (n->pool >= 0 && n->pool != (int)w->pool && w->step == STEP_POOLS)
		text_printf(&t, "pool %d: ", n->pool + 1);
	else if (w->step == STEP_REVIEW)
		text_printf(&t, "%s: ", step_title(n->step));
	text_add(&t, n->text);
	(void)grid_puts(pen->g, pen->r.x, pen->r.y + pen->y, 2, n->error ? ROLE_BAD : ROLE_WARN,
	    n->error ? "!!" : "??");
	pen_wrap(pen, n->error ? ROLE_BAD : ROLE_TEXT, 4, 2, text_str(&t));
	text_free(&t);
}

static void
draw_checks(const struct wizard *w, struct grid *g, struct rect r)
{
	struct pen pen = pen_at(g, (struct rect){ r.x + 2, r.y + 1, r.w - 3, r.h - 1 });
	size_t elsewhere = 0;

	grid_rule(g, r.x, r.y, r.w, "checks as you type");
	if (w->choices.pending != 0)
		pen_line(&pen, ROLE_BUSY, "..  asking the cloud what it offers");
	if (w->choices.err.code != ERR_NONE) {
		pen_wrap(&pen, ROLE_BAD, 0, 2, str_from(w->choices.err.message));
		pen_wrap(&pen, ROLE_DIM, 0, 1, str_from(error_advice(&w->choices.err)));
	}
	for (size_t i = 0; i < w->nnotes; i++) {
		const struct problem_note *n = &w->notes[i];

		if (n->step == w->step || w->step == STEP_REVIEW)
			draw_note(w, n, &pen);
		else
			elsewhere += n->step < w->step && n->error ? 1 : 0;
	}
	if (elsewhere > 0)
		pen_line(&pen, ROLE_BAD, "!!  %zu more in the steps before", elsewhere);
	if (step_errors(w, w->step) == 0 && w->step != STEP_REVIEW &&
	    w->choices.err.code == ERR_NONE)
		pen_line(&pen, ROLE_OK, "ok  nothing wrong in this step");
	else if (w->nerrors == 0)
		pen_line(&pen, ROLE_OK, "ok  schema, rules, names, quota");
}

static void
draw_review_step(const struct wizard *w, struct grid *g, struct rect r)
{
	struct pen pen = pen_at(g, (struct rect){ r.x + 2, r.y, r.w - 4, r.h });

	if (w->plan_id != 0)
		pen_line(&pen, ROLE_BUSY, "planning: what this would be turned into ...");
	else if (w->plan_err.code != ERR_NONE)
		pen_wrap(&pen, ROLE_BAD, 0, 4, str_from(w->plan_err.message));
	else if (w->nerrors > 0)
		pen_line(&pen, ROLE_BAD, "%zu problem%s to put right first: ctrl-p goes back",
		    w->nerrors, w->nerrors == 1 ? "" : "s");
	else
		pen_line(&pen, ROLE_TEXT,
		    "Enter shows the plan. Nothing is made before you have read it.");
}

static const char *
hints(const struct wizard *w)
{
	if (w->step == STEP_REVIEW)
		return "enter plan|ctrl-p back|ctrl-y YAML|esc keep + leave";
	if (w->step == STEP_POOLS)
		return "tab field|enter pick|ctrl-n next|ctrl-t add pool|esc keep, leave|ctrl-p "
		       "back|"
		       "ctrl-x drop pool|pgup/pgdn other pool|ctrl-y YAML";
	return "tab field|enter pick|ctrl-n next|ctrl-p back|ctrl-y YAML|esc keep, leave";
}

static void
draw_form(struct wizard *w, struct grid *g, struct rect r)
{
	struct form *f = step_form(w);
	char title[80];
	int h = f != NULL ? form_height(f) : 2;
	int room = r.h - CHECKS_LEAST - 2;

	if (w->step == STEP_POOLS)
		(void)snprintf(title, sizeof(title), "pool %zu of %zu", w->pool + 1, w->npools);
	else
		(void)snprintf(title, sizeof(title), "%s", step_title(w->step));
	grid_rule(g, r.x, r.y, r.w, title);
	if (h > room)
		h = room > 1 ? room : 1;
	if (f != NULL)
		form_draw(f, g, (struct rect){ r.x, r.y + 1, r.w, h }, true);
	else
		draw_review_step(w, g, (struct rect){ r.x, r.y + 1, r.w, h });
	if (r.h > h + 3)
		draw_checks(w, g, (struct rect){ r.x, r.y + h + 2, r.w, r.h - h - 2 });
}

static void
draw_status(const struct wizard *w, struct grid *g, int y)
{
	char clock[AGE_MAX];

	clock_format(w->saved_ms, false, clock);
	(void)grid_printf(g, 1, y, g->w - 2, w->nerrors > 0 ? ROLE_DIM : ROLE_OK,
	    "%zu error%s, %zu warning%s   %s%s", w->nerrors, w->nerrors == 1 ? "" : "s",
	    w->nwarnings, w->nwarnings == 1 ? "" : "s",
	    w->saved_ms > 0 ? "draft kept " : "draft not kept yet", w->saved_ms > 0 ? clock : "");
}

static void field_changed(struct wizard *w, struct console *c, struct form *f);

/* The chooser has set a field since the last frame: take it in and go on to the next one. */
static void
picked(struct wizard *w, struct console *c)
{
	struct form *f = step_form(w);

	if (f == NULL || !f->changed)
		return;
	field_changed(w, c, f);
	for (size_t i = f->focus + 1; i < f->n; i++)
		if (!f->fields[i].hidden) {
			f->focus = i;
			return;
		}
}

static void
draw(struct console *c, struct layer *l, struct grid *g)
{
	struct wizard *w = wizard_of(l);
	struct text title = TEXT_INIT(300);
	struct rect all = { 0, 1, g->w, g->h - 3 };
	int steps = g->h >= 18 ? STEP__MAX : 0;

	picked(w, c);
	steps_adjust(w, c);
	wizard_derive(w, c);
	text_printf(&title, "New cluster, step %d of %d: %s", (int)w->step + 1, STEP__MAX,
	    w->name.fields[0].value[0] != '\0' ? w->name.fields[0].value : "(no name yet)");
	frame_header(c, g, text_get(&title), "");
	text_free(&title);
	if (w->show_yaml && g->w < YAML_FROM_W) {
		draw_yaml(w, g, (struct rect){ 1, 1, g->w - 2, g->h - 3 });
	} else {
		if (g->w >= YAML_FROM_W) {
			all.w -= YAML_W;
			for (int y = 1; y < g->h - 2; y++)
				(void)grid_puts(g, all.w, y, 1, ROLE_RULE, "|");
			draw_yaml(w, g, (struct rect){ all.w + 2, 1, YAML_W - 3, g->h - 3 });
		}
		for (int i = 0; i < steps; i++)
			draw_step(w, (enum step)i, g, (struct rect){ 0, 1 + i, all.w, 1 });
		draw_form(w, g, (struct rect){ 0, 1 + steps, all.w, all.h - steps });
	}
	if (console_toast_shown(c))
		(void)grid_puts(g, 1, g->h - 2, g->w - 2, c->toast_role, c->toast);
	else
		draw_status(w, g, g->h - 2);
	frame_hints(g, g->h - 1, hints(w));
}

/* ---- moving on ---- */

static void
save(struct wizard *w, struct console *c)
{
	struct error err;

	wizard_derive(w, c);
	if (!draft_save(w, c, &err))
		console_say(c, ROLE_WARN, "%s", err.message);
}

static void
step_to(struct wizard *w, struct console *c, int by)
{
	int to = (int)w->step + by;

	if (to < 0 || to >= STEP__MAX)
		return;
	if (w->step != STEP_SOURCE)
		save(w, c);
	w->step = (enum step)to;
	w->show_yaml = false;
	if (step_form(w) != NULL)
		step_form(w)->focus = 0;
	choices_ask(w, c);
}

/* Enter on the last field goes on to the next step. */
static void
next_field(struct wizard *w, struct console *c)
{
	struct form *f = step_form(w);

	for (size_t i = f->focus + 1; i < f->n; i++)
		if (!f->fields[i].hidden) {
			f->focus = i;
			return;
		}
	step_to(w, c, 1);
}

static void
ask_plan(struct wizard *w, struct console *c)
{
	struct request *r;
	const char *why = console_write_refusal(c);

	wizard_derive(w, c);
	error_clear(&w->plan_err);
	if (w->nerrors > 0)
		return;
	if (why != NULL) {
		(void)error_set(&w->plan_err, ERR_READ_ONLY, "%s", why);
		return;
	}
	r = request_new(REQUEST_PLAN);
	if (r != NULL)
		r->text = mem_dup(w->yaml.p, w->yaml.n);
	w->plan_id = console_submit(c, &r);
}

static void
applied(struct console *c, void *context)
{
	struct wizard *w = context;
	struct subject s = { .kind = "InferenceCluster" };

	subject_set(s.name, sizeof(s.name), str_from(w->same_name));
	subject_set(s.cluster, sizeof(s.cluster), str_from(w->same_name));
	draft_forget(w, c);
	console_pop(c); /* the wizard itself */
	console_go(c, &clusters_pane, NULL, false);
	(void)view_find_key(console_view(c), str_from(s.name));
	console_go(c, &tree_pane, &s, true);
	console_say(c, ROLE_OK, "'%s' is being created; this is its tree", s.name);
}

static void
plan_summary(const struct wizard *w, struct text *t)
{
	text_printf(t, "# what\n+ InferenceCluster/%s   AKS %s, Kubernetes %s\n",
	    w->name.fields[0].value, w->where.fields[WHERE_LOCATION].value,
	    w->where.fields[WHERE_VERSION].value);
	for (size_t i = 0; i < w->npools; i++) {
		const struct form_field *f = w->pools[i].fields;

		text_printf(t, "+   pool %s   %s node%s of %s%s%s%s%s%s\n", f[POOL_NAME].value,
		    f[POOL_NODES].value, strcmp(f[POOL_NODES].value, "1") == 0 ? "" : "s",
		    strchr(f[POOL_CLASS].value, ':') + 1, f[POOL_MAX].value[0] != '\0' ? " (" : "",
		    f[POOL_MIN].value, f[POOL_MAX].value[0] != '\0' ? ".." : "", f[POOL_MAX].value,
		    f[POOL_MAX].value[0] != '\0' ? ")" : "");
	}
}

static void
open_review(struct wizard *w, struct console *c, const struct reply *p)
{
	struct text title = TEXT_INIT(300);
	struct request *apply = request_new(REQUEST_APPLY);
	struct review *r;
	struct text *t;

	text_printf(&title, "create cluster %s", w->name.fields[0].value);
	(void)snprintf(w->same_name, sizeof(w->same_name), "%s", w->name.fields[0].value);
	r = review_new(text_get(&title), NULL);
	text_free(&title);
	if (r == NULL || apply == NULL) {
		request_free(apply);
		review_open(c, r);
		return;
	}
	apply->text = mem_dup(w->yaml.p, w->yaml.n);
	t = review_text(r);
	plan_summary(w, t);
	text_add(t, "# what it will be turned into\n");
	text_add_str(t, str_from(p->text));
	text_add(t, "\n# before you say yes\n");
	text_add(t, "time: Azure takes about 10 to 20 minutes; nothing here gives up before\n");
	for (size_t i = 0; i < w->nnotes; i++)
		text_printf(t, "! %s\n", w->notes[i].text);
	text_add(t, "undo: delete it; until then its nodes cost money\n");
	text_printf(t, "# same as\n$ flightdeck apply -f %s/drafts/%s.yaml\n", c->state_dir,
	    w->name.fields[0].value);
	review_request(r, &apply, true);
	review_on_done(r, applied, w);
	review_open(c, r);
}

static bool
reply(struct console *c, struct layer *l, const struct reply *r)
{
	struct wizard *w = wizard_of(l);
	struct error err;

	if (choices_reply(w, c, r))
		return true;
	if (w->plan_id != 0 && r->id == w->plan_id) {
		w->plan_id = 0;
		if (r->ok)
			open_review(w, c, r);
		else
			w->plan_err = r->err;
		return true;
	}
	if (w->clone_id == 0 || r->id != w->clone_id)
		return false;
	w->clone_id = 0;
	if (!r->ok)
		console_say(c, ROLE_BAD, "%s", r->err.message);
	else if (!draft_read(w, c, str_from(r->text), false, &err))
		console_say(c, ROLE_BAD, "%s", err.message);
	return true;
}

/* ---- keys ---- */

static void
pool_add(struct wizard *w)
{
	if (w->npools == WIZARD_MAX_POOLS)
		return;
	w->pool = w->npools;
	pool_init(w, w->npools++);
}

static void
pool_drop(struct wizard *w)
{
	if (w->npools < 2)
		return;
	form_fini(&w->pools[w->pool]);
	for (size_t i = w->pool; i + 1 < w->npools; i++) {
		w->pools[i] = w->pools[i + 1];
		w->pool_named[i] = w->pool_named[i + 1];
		w->pool_ranged[i] = w->pool_ranged[i + 1];
	}
	memset(&w->pools[--w->npools], 0, sizeof(w->pools[0]));
	if (w->pool >= w->npools)
		w->pool = w->npools - 1;
}

/* True when the key was one of the wizard's own. */
static bool
wizard_key(struct wizard *w, struct console *c, uint32_t key)
{
	bool pools = w->step == STEP_POOLS;

	switch (key) {
	case KEY_ESC:
		if (w->step != STEP_SOURCE)
			save(w, c);
		console_pop(c);
		return true;
	case 'n' | KEY_CTRL:
		step_to(w, c, 1);
		return true;
	case 'p' | KEY_CTRL:
		step_to(w, c, -1);
		return true;
	case 'y' | KEY_CTRL:
		w->show_yaml = !w->show_yaml;
		return true;
	case 't' | KEY_CTRL:
		if (pools)
			pool_add(w);
		return pools;
	case 'x' | KEY_CTRL:
		if (pools)
			pool_drop(w);
		return pools;
	case KEY_PGDN:
		if (pools)
			w->pool = (w->pool + 1) % w->npools;
		return pools;
	case KEY_PGUP:
		if (pools)
			w->pool = (w->pool + w->npools - 1) % w->npools;
		return pools;
	default:
		return false;
	}
}

static void
field_changed(struct wizard *w, struct console *c, struct form *f)
{
	struct error err;

	f->changed = false;
	if (f == &w->name)
		w->name_typed = true;
	if (f == &w->pools[w->pool] && f->focus == POOL_NAME)
		w->pool_named[w->pool] = true;
	if (f == &w->pools[w->pool] && (f->focus == POOL_MIN || f->focus == POOL_MAX))
		w->pool_ranged[w->pool] = true;
	if (f == &w->where)
		choices_ask(w, c);
	if (f != &w->source || w->source.fields[SOURCE_DRAFT].value[0] == '\0')
		return;
	if (!draft_load(w, c, w->source.fields[SOURCE_DRAFT].value, &err))
		console_say(c, ROLE_BAD, "%s", err.message);
}

static void
key(struct console *c, struct layer *l, struct input_key k)
{
	struct wizard *w = wizard_of(l);
	struct form *f = step_form(w);
	enum form_result used;

	if (!k.pasted && wizard_key(w, c, k.key))
		return;
	if (f == NULL) {
		if (k.key == KEY_ENTER && !k.pasted && w->plan_id == 0)
			ask_plan(w, c);
		return;
	}
	used = form_key(f, k);
	if (f->changed)
		field_changed(w, c, f);
	if (used == FORM_PICK && form_focus(f)->nchoices > 0)
		console_push(c, chooser_new(f, form_focus(f)));
	else if (used == FORM_ENTER || used == FORM_PICK)
		next_field(w, c);
}

static void
release(struct layer *l)
{
	struct wizard *w = wizard_of(l);

	form_fini(&w->source);
	form_fini(&w->where);
	form_fini(&w->labels);
	form_fini(&w->name);
	for (size_t i = 0; i < w->npools; i++)
		form_fini(&w->pools[i]);
	arena_free(w->arena);
	text_free(&w->yaml);
	mem_free(w);
}

static const struct layer_ops ops = {
	.name = "wizard",
	.full = true,
	.draw = draw,
	.key = key,
	.reply = reply,
	.free = release,
};

struct layer *
wizard_new(struct console *c, const char *like)
{
	struct wizard *w = mem_new(sizeof(*w));
	struct request *r;

	if (w == NULL)
		return NULL;
	w->layer.ops = &ops;
	w->yaml = (struct text)TEXT_INIT(WIZARD_TEXT_MAX);
	w->arena = arena_new((size_t)16 * 1024 * 1024);
	if (w->arena == NULL) {
		release(&w->layer);
		return NULL;
	}
	steps_init(w, c);
	choices_ask(w, c);
	if (like == NULL)
		return &w->layer;
	r = request_new(REQUEST_GET);
	if (r != NULL) {
		subject_set(r->kind, sizeof(r->kind), STR("InferenceCluster"));
		subject_set(r->name, sizeof(r->name), str_from(like));
	}
	w->clone_id = console_submit(c, &r);
	return &w->layer;
}
