#include "tui/widgets/review.h"

#include <stdio.h>
#include <string.h>

#include "tui/text.h"
#include "tui/widgets/form.h"

enum { REVIEW_TEXT_MAX = 512 * 1024, WORD_MAX = 254 };

enum phase { ASKING, SENT };

struct review {
	struct layer layer;
	char title[254];
	char word[WORD_MAX];
	char typed[WORD_MAX];
	size_t caret;
	struct text body;
	int top, lines, page;
	struct request *requests[REVIEW_MAX_REQUESTS];
	size_t nrequests;
	bool wants_dry_run;
	uint64_t dry_id; /* 0: none is running */
	bool dry_done, dry_ok;
	char dry_text[ERROR_MESSAGE_MAX];
	enum phase phase;
	uint64_t ids[REVIEW_MAX_REQUESTS]; /* 0: answered well */
	size_t waiting;
	char failure[ERROR_MESSAGE_MAX + ERROR_CAUSE_MAX + 16];
	review_done_fn *done;
	void *done_context;
};

struct review *
review_new(const char *title, const char *word)
{
	struct review *r = mem_new(sizeof(*r));

	if (r == NULL)
		return NULL;
	(void)snprintf(r->title, sizeof(r->title), "%s", title);
	(void)snprintf(r->word, sizeof(r->word), "%s", word != NULL ? word : "apply");
	r->body = (struct text)TEXT_INIT(REVIEW_TEXT_MAX);
	return r;
}

struct text *
review_text(struct review *r)
{
	return &r->body;
}

void
review_request(struct review *r, struct request **take, bool dry_run)
{
	if (*take == NULL)
		return;
	if (r->nrequests == REVIEW_MAX_REQUESTS) {
		request_free(*take);
		*take = NULL;
		return;
	}
	r->requests[r->nrequests++] = *take;
	*take = NULL;
	r->wants_dry_run = dry_run;
}

void
review_on_done(struct review *r, review_done_fn *done, void *context)
{
	r->done = done;
	r->done_context = context;
}

/* A copy to send: the original stays for another try. */
static struct request *
request_copy(const struct request *r)
{
	struct request *copy = request_new(r->verb);

	if (copy == NULL)
		return NULL;
	*copy = *r;
	copy->text = NULL;
	if (r->text != NULL) {
		copy->text = mem_dupz(r->text);
		if (copy->text == NULL) {
			request_free(copy);
			return NULL;
		}
	}
	return copy;
}

static void
dry_run(struct console *c, struct review *r)
{
	struct request *copy;

	if (!r->wants_dry_run || r->nrequests == 0)
		return;
	copy = request_copy(r->requests[0]);
	if (copy != NULL)
		copy->dry_run = true;
	r->dry_id = console_submit(c, &copy);
}

static void
send_all(struct console *c, struct review *r)
{
	const char *why = console_write_refusal(c);

	if (why != NULL) {
		(void)snprintf(r->failure, sizeof(r->failure), "%s", why);
		return;
	}
	r->failure[0] = '\0';
	r->waiting = 0;
	for (size_t i = 0; i < r->nrequests; i++) {
		struct request *copy = request_copy(r->requests[i]);

		r->ids[i] = console_submit(c, &copy);
		if (r->ids[i] == 0) {
			(void)snprintf(r->failure, sizeof(r->failure), "%s", c->toast);
			break;
		}
		r->waiting++;
	}
	r->phase = r->waiting > 0 ? SENT : ASKING;
}

static void
finish(struct console *c, struct review *r)
{
	review_done_fn *done = r->done;
	void *context = r->done_context;
	char title[254];

	(void)snprintf(title, sizeof(title), "%s", r->title);
	console_pop(c);
	console_say(c, ROLE_OK, "%s: accepted", title);
	if (done != NULL)
		done(c, context);
}

static bool
reply(struct console *c, struct layer *l, const struct reply *p)
{
	struct review *r = (struct review *)l;

	if (r->dry_id != 0 && p->id == r->dry_id) {
		r->dry_id = 0;
		r->dry_done = true;
		r->dry_ok = p->ok;
		(void)snprintf(r->dry_text, sizeof(r->dry_text), "%s",
		    p->ok ? "tried without doing it: it would be accepted" : p->err.message);
		return true;
	}
	for (size_t i = 0; i < r->nrequests; i++) {
		if (r->phase != SENT || r->ids[i] == 0 || r->ids[i] != p->id)
			continue;
		r->ids[i] = 0;
		r->waiting--;
		if (!p->ok)
			(void)snprintf(r->failure, sizeof(r->failure), "%s   %s", p->err.message,
			    error_advice(&p->err));
		if (r->waiting == 0 && r->failure[0] == '\0') {
			finish(c, r);
		} else if (r->waiting == 0) {
			r->phase = ASKING;
			r->typed[0] = '\0';
			r->caret = 0;
		}
		return true;
	}
	return false;
}

/* ---- drawing ---- */

static enum role
line_role(struct str line)
{
	static const struct {
		const char *prefix;
		enum role role;
	} rows[] = { { "+ ", ROLE_ADD }, { "- ", ROLE_REMOVE }, { "~ ", ROLE_WARN },
		{ "! ", ROLE_WARN }, { "$ ", ROLE_CODE } };

	while (line.n > 0 && line.p[0] == ' ')
		line = str_sub(line, 1, line.n);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (str_starts(line, str_from(rows[i].prefix)))
			return rows[i].role;
	return ROLE_TEXT;
}

static void
draw_body(struct review *r, struct grid *g, struct rect area)
{
	struct str rest = text_str(&r->body);
	struct str line;
	int n = 0;

	r->page = area.h > 0 ? area.h : 1;
	while (str_split(&rest, '\n', &line)) {
		enum role role = line_role(line);
		struct str piece;

		if (str_starts(line, STR("# "))) {
			struct text t = TEXT_INIT(200);

			text_add_str(&t, str_sub(line, 2, line.n));
			if (n >= r->top && n - r->top < area.h)
				grid_rule(g, area.x, area.y + n - r->top, area.w, text_get(&t));
			text_free(&t);
			n++;
			continue;
		}
		if (line.n == 0)
			n++;
		for (int indent = 0; cell_wrap(&line, area.w - 2 - indent, &piece);
		     indent = area.w > 40 ? 6 : 0) {
			if (n >= r->top && n - r->top < area.h)
				(void)grid_put(g, area.x + 1 + indent, area.y + n - r->top,
				    area.w - 2 - indent, role, piece);
			n++;
		}
	}
	r->lines = n;
}

static void
draw_state(const struct review *r, struct grid *g, int y)
{
	if (r->failure[0] != '\0') {
		struct pen pen = pen_at(g, (struct rect){ 1, y, g->w - 2, 2 });

		pen_wrap(&pen, ROLE_BAD, 0, 2, str_from(r->failure));
	} else if (r->phase == SENT) {
		(void)grid_puts(g, 1, y, g->w - 2, ROLE_BUSY, "sent: waiting for the answer ...");
	} else if (r->dry_id != 0) {
		(void)grid_puts(g, 1, y, g->w - 2, ROLE_DIM, "trying without doing it ...");
	} else if (r->dry_done) {
		struct pen pen = pen_at(g, (struct rect){ 1, y, g->w - 2, 2 });

		pen_wrap(&pen, r->dry_ok ? ROLE_OK : ROLE_BAD, 0, 2, str_from(r->dry_text));
	}
}

static void
draw(struct console *c, struct layer *l, struct grid *g)
{
	struct review *r = (struct review *)l;
	struct text t = TEXT_INIT(600);
	int x;

	text_printf(&t, "Review: %s", r->title);
	frame_header(c, g, text_get(&t), "not applied yet");
	text_free(&t);
	draw_body(r, g, (struct rect){ 0, 1, g->w, g->h - 6 });
	if (g->h < 5)
		return;
	grid_rule(g, 0, g->h - 5, g->w,
	    r->lines > r->top + r->page ? "more below: pgdn"
	    : r->top > 0		? "the end: pgup"
					: "");
	draw_state(r, g, g->h - 4);
	x = 1 + grid_puts(g, 1, g->h - 2, g->w, ROLE_TEXT, "Type  ");
	x += grid_puts(g, x, g->h - 2, g->w - x, ROLE_KEY, r->word);
	x += grid_puts(g, x, g->h - 2, g->w - x, ROLE_TEXT, "  and press enter: ");
	if (g->w - x > 4 && r->phase == ASKING)
		edit_draw(g, (struct rect){ x, g->h - 2, g->w - x - 2 < 40 ? g->w - x - 2 : 40, 1 },
		    r->typed, r->caret, true);
	frame_hints(g, g->h - 1,
	    "enter send, once the word is there|pgup/pgdn read|esc leave, nothing is sent");
}

/* ---- keys ---- */

static bool
scrolled(struct review *r, uint32_t key)
{
	int by = key == KEY_PGDN   ? r->page
		 : key == KEY_PGUP ? -r->page
		 : key == KEY_DOWN ? 1
		 : key == KEY_UP   ? -1
				   : 0;

	if (by == 0)
		return false;
	r->top += by;
	if (r->top > r->lines - r->page)
		r->top = r->lines - r->page;
	if (r->top < 0)
		r->top = 0;
	return true;
}

static void
key(struct console *c, struct layer *l, struct input_key k)
{
	struct review *r = (struct review *)l;

	if (k.pasted) {
		(void)snprintf(r->failure, sizeof(r->failure),
		    "pasted text does not confirm: type '%s'", r->word);
		return;
	}
	if (scrolled(r, k.key))
		return;
	if (k.key == KEY_ESC) {
		console_pop(c);
		return;
	}
	if (r->phase == SENT)
		return;
	if (k.key != KEY_ENTER) {
		r->failure[0] = '\0';
		(void)edit_key(r->typed, sizeof(r->typed), &r->caret, k);
		return;
	}
	if (strcmp(r->typed, r->word) != 0)
		(void)snprintf(r->failure, sizeof(r->failure),
		    "not sent: '%s' has to be typed first", r->word);
	else if (r->dry_id != 0)
		(void)snprintf(r->failure, sizeof(r->failure),
		    "not sent: the trial is still running, a moment");
	else if (r->dry_done && !r->dry_ok)
		(void)snprintf(r->failure, sizeof(r->failure), "not sent: %s", r->dry_text);
	else
		send_all(c, r);
}

static void
release(struct layer *l)
{
	struct review *r = (struct review *)l;

	for (size_t i = 0; i < r->nrequests; i++)
		request_free(r->requests[i]);
	text_free(&r->body);
	mem_free(r);
}

static const struct layer_ops ops = {
	.name = "review",
	.full = true,
	.draw = draw,
	.key = key,
	.reply = reply,
	.free = release,
};

struct layer *
review_layer(struct review *r)
{
	r->layer.ops = &ops;
	return &r->layer;
}

void
review_open(struct console *c, struct review *r)
{
	size_t before = c->nlayers;

	if (r == NULL) {
		console_push(c, NULL);
		return;
	}
	console_push(c, review_layer(r));
	if (c->nlayers > before)
		dry_run(c, r);
}
