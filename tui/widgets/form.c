#include "tui/widgets/form.h"

#include <stdio.h>
#include <string.h>

#include "tui/text.h"

enum { LABEL_CELLS = 16, VALUE_CELLS = 30, NUMBER_CELLS = 8, RADIO_MAX = 4 };

/* ---- editing one line ---- */

static size_t
char_before(const char *value, size_t caret)
{
	while (caret > 0) {
		caret--;
		if (((unsigned char)value[caret] & 0xC0) != 0x80)
			break;
	}
	return caret;
}

static size_t
char_after(const char *value, size_t caret)
{
	size_t n = strlen(value);

	while (caret < n) {
		caret++;
		if (((unsigned char)value[caret] & 0xC0) != 0x80)
			break;
	}
	return caret;
}

static void
erase(char *value, size_t from, size_t to)
{
	memmove(value + from, value + to, strlen(value + to) + 1);
}

static bool
insert(char *value, size_t size, size_t *caret, uint32_t c)
{
	size_t n = strlen(value);

	if (c < 0x20 || c >= 0x7F || n + 1 >= size) /* names, versions, labels: ASCII */
		return false;
	memmove(value + *caret + 1, value + *caret, n - *caret + 1);
	value[(*caret)++] = (char)c;
	return true;
}

bool
edit_key(char *value, size_t size, size_t *caret, struct input_key k)
{
	size_t n = strlen(value);
	size_t at;

	if (*caret > n)
		*caret = n;
	switch (k.key) {
	case KEY_BACKSPACE:
		at = char_before(value, *caret);
		erase(value, at, *caret);
		*caret = at;
		return true;
	case KEY_DELETE:
		erase(value, *caret, char_after(value, *caret));
		return true;
	case KEY_LEFT:
		*caret = char_before(value, *caret);
		return true;
	case KEY_RIGHT:
		*caret = char_after(value, *caret);
		return true;
	case KEY_HOME:
	case 'a' | KEY_CTRL:
		*caret = 0;
		return true;
	case KEY_END:
	case 'e' | KEY_CTRL:
		*caret = n;
		return true;
	case 'u' | KEY_CTRL:
		erase(value, 0, *caret);
		*caret = 0;
		return true;
	case 'w' | KEY_CTRL:
		at = *caret;
		while (at > 0 && value[at - 1] == ' ')
			at--;
		while (at > 0 && value[at - 1] != ' ')
			at--;
		erase(value, at, *caret);
		*caret = at;
		return true;
	default:
		return insert(value, size, caret, k.key);
	}
}

void
edit_draw(struct grid *g, struct rect r, const char *value, size_t caret, bool focus)
{
	size_t cells = r.w > 1 ? (size_t)r.w : 1;
	size_t skip = caret >= cells ? caret - cells + 1 : 0;
	enum role role = focus ? ROLE_FOCUS : ROLE_INPUT;

	if (r.w < 1)
		return;
	grid_fill(g, r.x, r.y, r.w, role, '_');
	(void)grid_put(
	    g, r.x, r.y, r.w, role, cell_clip(str_sub(str_from(value), skip, FIELD_MAX), r.w));
	if (focus)
		grid_cursor(g, r.x + (int)(caret - skip), r.y);
}

/* ---- fields ---- */

void
form_init(struct form *f)
{
	memset(f, 0, sizeof(*f));
}

void
form_fini(struct form *f)
{
	for (size_t i = 0; i < f->n; i++)
		mem_free(f->fields[i].choices);
	memset(f, 0, sizeof(*f));
}

struct form_field *
form_add(struct form *f, enum form_field_type type, const char *label, const char *hint)
{
	struct form_field *d;

	if (f->n == FORM_MAX_FIELDS)
		return NULL;
	d = &f->fields[f->n++];
	*d = (struct form_field){ .type = type, .label = label };
	(void)snprintf(d->hint, sizeof(d->hint), "%s", hint);
	return d;
}

struct form_field *
form_focus(struct form *f)
{
	return f->n > 0 ? &f->fields[f->focus] : NULL;
}

void
form_focus_on(struct form *f, const struct form_field *field)
{
	for (size_t i = 0; i < f->n; i++)
		if (&f->fields[i] == field && !field->hidden)
			f->focus = i;
}

void
field_set(struct form_field *f, struct str value)
{
	(void)snprintf(f->value, sizeof(f->value), STR_FMT, STR_ARG(value));
	f->caret = strlen(f->value);
}

void
field_clear_choices(struct form_field *f)
{
	f->nchoices = 0;
}

struct choice *
field_choice_add(struct form_field *f, struct str value)
{
	void *items = f->choices;
	struct choice *c;

	if (f->nchoices == FIELD_MAX_CHOICES ||
	    !mem_grow(&items, &f->cap, f->nchoices + 1, sizeof(*f->choices)))
		return NULL;
	f->choices = items;
	c = &f->choices[f->nchoices++];
	*c = (struct choice){ .off = false };
	(void)snprintf(c->value, sizeof(c->value), STR_FMT, STR_ARG(value));
	return c;
}

const struct choice *
field_chosen(const struct form_field *f)
{
	for (size_t i = 0; i < f->nchoices; i++)
		if (strcmp(f->choices[i].value, f->value) == 0)
			return &f->choices[i];
	return NULL;
}

bool
field_number(const struct form_field *f, int64_t *ret)
{
	return str_to_int(str_from(f->value), ret);
}

/* ---- keys ---- */

static void
move_focus(struct form *f, int by)
{
	size_t at = f->focus;

	for (size_t i = 0; i < f->n; i++) {
		at = (at + (by > 0 ? 1 : f->n - 1)) % f->n;
		if (!f->fields[at].hidden) {
			f->focus = at;
			return;
		}
	}
}

static bool
step_choice(struct form_field *d, int by)
{
	const struct choice *now = field_chosen(d);
	size_t at = now != NULL ? (size_t)(now - d->choices) : by > 0 ? d->nchoices - 1 : 0;

	for (size_t i = 0; i < d->nchoices; i++) {
		at = (at + (by > 0 ? 1 : d->nchoices - 1)) % d->nchoices;
		if (!d->choices[at].off) {
			field_set(d, str_from(d->choices[at].value));
			return true;
		}
	}
	return false;
}

static enum form_result
choice_key(struct form *f, struct form_field *d, struct input_key k)
{
	if (k.key == KEY_ENTER)
		return d->nchoices > RADIO_MAX ? FORM_PICK : FORM_ENTER;
	if (k.key == KEY_LEFT || k.key == KEY_RIGHT || (k.key == ' ' && d->nchoices <= RADIO_MAX)) {
		f->changed = step_choice(d, k.key == KEY_LEFT ? -1 : 1) || f->changed;
		return FORM_USED;
	}
	if (k.key == ' ')
		return FORM_PICK;
	return FORM_UNUSED;
}

static enum form_result
checks_key(struct form *f, struct form_field *d, struct input_key k)
{
	if (d->nchoices == 0)
		return k.key == KEY_ENTER ? FORM_ENTER : FORM_UNUSED;
	if (k.key == KEY_LEFT && d->caret > 0)
		d->caret--;
	else if (k.key == KEY_RIGHT && d->caret + 1 < d->nchoices)
		d->caret++;
	else if (k.key == ' ' && !d->choices[d->caret].off) {
		d->choices[d->caret].on = !d->choices[d->caret].on;
		f->changed = true;
	} else if (k.key == KEY_ENTER)
		return FORM_ENTER;
	else if (k.key != KEY_LEFT && k.key != KEY_RIGHT)
		return FORM_UNUSED;
	return FORM_USED;
}

static enum form_result
number_key(struct form *f, struct form_field *d, struct input_key k)
{
	int64_t n = 0;

	if (k.key == KEY_ENTER)
		return FORM_ENTER;
	if (k.key == '+' || k.key == '-') {
		(void)field_number(d, &n);
		n += k.key == '+' ? 1 : -1;
		if (n < 0)
			n = 0;
		(void)snprintf(d->value, sizeof(d->value), "%lld", (long long)n);
		d->caret = strlen(d->value);
		f->changed = true;
		return FORM_USED;
	}
	if (k.key >= 0x20 && k.key < 0x7F && (k.key < '0' || k.key > '9'))
		return FORM_UNUSED;
	if (k.key >= '0' && k.key <= '9' && strlen(d->value) >= 6)
		return FORM_USED;
	if (!edit_key(d->value, sizeof(d->value), &d->caret, k))
		return FORM_UNUSED;
	f->changed = true;
	return FORM_USED;
}

enum form_result
form_key(struct form *f, struct input_key k)
{
	struct form_field *d = form_focus(f);

	if (d == NULL)
		return FORM_UNUSED;
	if (k.pasted && d->type != FIELD_TEXT && d->type != FIELD_NUMBER)
		return FORM_USED;
	if (k.pasted && (k.key == KEY_ENTER || k.key == KEY_TAB))
		return FORM_USED;
	if (k.key == KEY_TAB || k.key == KEY_DOWN) {
		move_focus(f, 1);
		return FORM_USED;
	}
	if (k.key == KEY_BACKTAB || k.key == KEY_UP) {
		move_focus(f, -1);
		return FORM_USED;
	}
	switch (d->type) {
	case FIELD_CHOICE:
		return choice_key(f, d, k);
	case FIELD_CHECKS:
		return checks_key(f, d, k);
	case FIELD_NUMBER:
		return number_key(f, d, k);
	case FIELD_TEXT:
		break;
	}
	if (k.key == KEY_ENTER)
		return FORM_ENTER;
	if (!edit_key(d->value, sizeof(d->value), &d->caret, k))
		return FORM_UNUSED;
	f->changed = true;
	return FORM_USED;
}

/* ---- drawing ---- */

static const char *
label_of(const struct choice *c)
{
	return c->label[0] != '\0' ? c->label : c->value;
}

static bool
is_radio(const struct form_field *d)
{
	return d->type == FIELD_CHOICE && d->nchoices > 0 && d->nchoices <= RADIO_MAX;
}

/* "[x] 1  [ ] 2" or "(o) None  ( ) InfiniBand" */
static void
draw_tick(const struct form_field *d, size_t i, bool focus, struct grid *g, struct rect r)
{
	static const char *const marks[2][2] = { { "( )", "(o)" }, { "[ ]", "[x]" } };
	const struct choice *c = &d->choices[i];
	bool checks = d->type == FIELD_CHECKS;
	bool on = checks ? c->on : strcmp(c->value, d->value) == 0;
	bool here = focus && (checks ? i == d->caret : on);
	enum role role = here ? ROLE_FOCUS : ROLE_TEXT;

	if (c->off)
		role = ROLE_DIM;
	(void)grid_puts(g, r.x, r.y, 3, role, marks[checks][on]);
	(void)grid_puts(g, r.x + 4, r.y, r.w - 4, role, label_of(c));
}

static int
draw_ticks(const struct form_field *d, struct grid *g, struct rect r, bool focus)
{
	int x = r.x;

	if (d->nchoices == 0)
		return grid_puts(g, r.x, r.y, r.w, ROLE_DIM, "none to choose from");
	for (size_t i = 0; i < d->nchoices; i++) {
		int n = cell_count(str_from(label_of(&d->choices[i]))) + 4;

		if (x + n > r.x + r.w)
			break;
		draw_tick(d, i, focus, g, (struct rect){ x, r.y, n, 1 });
		x += n + 2;
	}
	return x - r.x;
}

static int
draw_choice(const struct form_field *d, struct grid *g, struct rect r, bool focus)
{
	const struct choice *c = field_chosen(d);
	const char *text = c != NULL ? label_of(c) : d->value;

	if (text[0] == '\0')
		text = d->nchoices > 0 ? "(enter to choose)" : "...";
	return grid_puts(g, r.x, r.y, r.w, focus ? ROLE_FOCUS : ROLE_TEXT, text);
}

static void
draw_value(const struct form_field *d, struct grid *g, struct rect r, bool focus)
{
	int least = r.w < VALUE_CELLS ? r.w : VALUE_CELLS;
	int used;

	if (is_radio(d) || d->type == FIELD_CHECKS) {
		used = draw_ticks(d, g, r, focus);
	} else if (d->type == FIELD_CHOICE) {
		used = draw_choice(d, g, r, focus);
	} else {
		if (d->type == FIELD_NUMBER)
			least = r.w < NUMBER_CELLS ? r.w : NUMBER_CELLS;
		edit_draw(g, (struct rect){ r.x, r.y, least, 1 }, d->value, d->caret, focus);
		used = least;
	}
	used = used > least ? used : least;
	if (r.w > used + 3)
		(void)grid_puts(
		    g, r.x + used + 2, r.y, r.w - used - 2, d->bad ? ROLE_BAD : ROLE_DIM, d->hint);
}

int
form_height(const struct form *f)
{
	int n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += f->fields[i].hidden ? 0 : 1;
	return n;
}

static int
focus_line(const struct form *f)
{
	int n = 0;

	for (size_t i = 0; i < f->focus; i++)
		n += f->fields[i].hidden ? 0 : 1;
	return n;
}

void
form_draw(struct form *f, struct grid *g, struct rect r, bool active)
{
	int line = focus_line(f);
	int y = 0;

	if (line < f->top)
		f->top = line;
	if (line >= f->top + r.h)
		f->top = line - r.h + 1;
	for (size_t i = 0; i < f->n; i++) {
		const struct form_field *d = &f->fields[i];
		bool focus = active && i == f->focus;
		int row = y - f->top;

		if (d->hidden)
			continue;
		y++;
		if (row < 0 || row >= r.h)
			continue;
		if (focus)
			(void)grid_puts(g, r.x, r.y + row, 1, ROLE_CURSOR, ">");
		(void)grid_puts(g, r.x + 2, r.y + row, LABEL_CELLS - 1,
		    d->bad  ? ROLE_BAD
		    : focus ? ROLE_CURSOR
			    : ROLE_TEXT,
		    d->label);
		draw_value(d, g,
		    (struct rect){ r.x + 2 + LABEL_CELLS, r.y + row, r.w - 2 - LABEL_CELLS, 1 },
		    focus);
	}
}
