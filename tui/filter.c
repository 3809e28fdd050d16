#include "tui/filter.h"

#include <string.h>

#include "model/base/mem.h"
#include "tui/pane.h"

struct op_row {
	const char *text;
	enum filter_op op;
};

/* Longer ones first. */
static const struct op_row ops[] = {
	{ "!=", OP_NE },
	{ ">=", OP_GE },
	{ "<=", OP_LE },
	{ "==", OP_EQ },
	{ "=", OP_EQ },
	{ ">", OP_GT },
	{ "<", OP_LT },
	{ ":", OP_HAS },
};

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool
text_has_nocase(struct str hay, struct str needle)
{
	char first;

	if (needle.n == 0)
		return true;
	if (needle.n > hay.n)
		return false;
	first = lower(needle.p[0]);
	for (size_t i = 0; i + needle.n <= hay.n; i++)
		if (lower(hay.p[i]) == first && str_eq_nocase(str_sub(hay, i, needle.n), needle))
			return true;
	return false;
}

bool
filter_number(struct str s, int64_t *ret)
{
	static const struct {
		char unit;
		int64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	int64_t n;

	if (s.n == 0)
		return false;
	if (str_to_int(s, &n)) {
		*ret = n;
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (s.p[s.n - 1] == units[i].unit && str_to_int(str_sub(s, 0, s.n - 1), &n) &&
		    n < INT64_MAX / units[i].seconds) {
			*ret = n * units[i].seconds;
			return true;
		}
	return false;
}

void
filter_fini(struct filter *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->terms[i].compiled)
			regfree(&f->terms[i].regex);
	f->n = 0;
}

static void
value_set(struct filter_term *t, struct str s)
{
	size_t n = s.n < FILTER_MAX - 1 ? s.n : FILTER_MAX - 1;

	if (n > 0)
		memcpy(t->value, s.p, n);
	t->value[n] = '\0';
}

/* column op value; false when the word does not begin with a column of the pane. */
static bool
column_term(const struct pane *p, struct str word, struct filter_term *t)
{
	size_t n = 0;

	while (n < word.n && ((word.p[n] >= 'a' && word.p[n] <= 'z') || word.p[n] == '-'))
		n++;
	for (size_t i = 0; n > 0 && i < ARRAY_LEN(ops); i++) {
		struct str op = str_from(ops[i].text);

		if (!str_eq(str_sub(word, n, op.n), op))
			continue;
		t->column = pane_column(p, str_sub(word, 0, n));
		if (t->column < 0)
			return false;
		t->what = TERM_COLUMN;
		t->op = ops[i].op;
		value_set(t, str_sub(word, n + op.n, word.n));
		t->numeric = filter_number(str_from(t->value), &t->number);
		return true;
	}
	return false;
}

/* Takes a word, or a quoted one, off the text. */
static bool
word_take(struct str *rest, struct str *ret, bool *ret_quoted)
{
	size_t n = 0;

	*rest = str_trim(*rest);
	if (rest->n == 0)
		return false;
	*ret_quoted = rest->p[0] == '"';
	if (*ret_quoted) {
		ptrdiff_t end = str_find_char(str_sub(*rest, 1, rest->n), '"');
		size_t len = end < 0 ? rest->n - 1 : (size_t)end;

		*ret = str_sub(*rest, 1, len);
		*rest = str_sub(*rest, len + 2, rest->n);
		return true;
	}
	while (n < rest->n && rest->p[n] != ' ')
		n++;
	*ret = str_sub(*rest, 0, n);
	*rest = str_sub(*rest, n, rest->n);
	return true;
}

static bool
term_fill(const struct pane *p, struct str word, struct filter_term *t, struct error *err)
{
	if (str_starts(word, STR("re:"))) {
		t->what = TERM_REGEX;
		value_set(t, str_sub(word, 3, word.n));
		if (regcomp(&t->regex, t->value, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
			return error_set(
			    err, ERR_INVALID, "'%s' is no regular expression", t->value);
		t->compiled = true;
		return true;
	}
	if (column_term(p, word, t))
		return true;
	t->what = TERM_TEXT;
	value_set(t, word);
	return true;
}

bool
filter_parse(const struct pane *p, struct str text, struct filter *ret_filter, struct error *err)
{
	struct filter f = { .n = 0 };
	struct str word;
	bool quoted = false;
	bool either = false;

	while (word_take(&text, &word, &quoted)) {
		struct filter_term *t = &f.terms[f.n];

		if (!quoted && str_is(word, "|")) {
			either = f.n > 0;
			continue;
		}
		if (f.n == FILTER_MAX_TERMS) {
			filter_fini(&f);
			return error_set(
			    err, ERR_TOO_LARGE, "a filter has at most %d terms", FILTER_MAX_TERMS);
		}
		*t = (struct filter_term){ .either = either };
		either = false;
		if (!quoted && str_is(word, "-l")) {
			if (!word_take(&text, &word, &quoted))
				break;
			t->what = TERM_LABELS;
			value_set(t, word);
			f.n++;
			continue;
		}
		if (!quoted && word.n > 1 && word.p[0] == '!') {
			t->negate = true;
			word = str_sub(word, 1, word.n);
		}
		if (quoted) {
			value_set(t, word);
		} else if (!term_fill(p, word, t, err)) {
			filter_fini(&f);
			return false;
		}
		f.n++;
	}
	*ret_filter = f;
	return true;
}

static bool
label_find(struct str labels, struct str key, struct str *ret_value)
{
	struct str pair;

	while (str_split(&labels, ' ', &pair)) {
		ptrdiff_t eq = str_find_char(pair, '=');

		if (eq < 0 || !str_eq(str_sub(pair, 0, (size_t)eq), key))
			continue;
		*ret_value = str_sub(pair, (size_t)eq + 1, pair.n);
		return true;
	}
	return false;
}

/* One requirement of a selector. */
static bool
label_holds(struct str labels, struct str want)
{
	struct str value;
	ptrdiff_t eq = str_find_char(want, '=');
	size_t key_n;
	bool not_equal;

	if (want.n == 0)
		return true;
	if (eq < 0 && want.p[0] == '!')
		return !label_find(labels, str_sub(want, 1, want.n), &value);
	if (eq < 0)
		return label_find(labels, want, &value);
	not_equal = eq > 0 && want.p[eq - 1] == '!';
	key_n = (size_t)eq - (not_equal ? 1 : 0);
	want = str_sub(want, 0, want.n);
	if (!label_find(labels, str_sub(want, 0, key_n), &value))
		return not_equal;
	want = str_sub(want, (size_t)eq + 1, want.n);
	if (want.n > 0 && want.p[0] == '=')
		want = str_sub(want, 1, want.n);
	return str_eq(value, want) != not_equal;
}

static bool
labels_hold(const struct filter_term *t, const struct view *v, size_t row)
{
	struct str rest = str_from(t->value);
	struct str labels;
	struct str want;

	if (v->pane->labels == NULL)
		return false;
	labels = v->pane->labels(v, row);
	while (str_split(&rest, ',', &want))
		if (!label_holds(labels, want))
			return false;
	return true;
}

static bool
compare(enum filter_op op, int64_t a, int64_t b)
{
	switch (op) {
	case OP_HAS:
	case OP_EQ:
		return a == b;
	case OP_NE:
		return a != b;
	case OP_GT:
		return a > b;
	case OP_LT:
		return a < b;
	case OP_GE:
		return a >= b;
	case OP_LE:
		return a <= b;
	}
	return false;
}

static bool
column_holds(const struct filter_term *t, const struct view *v, size_t row)
{
	struct cell_out out = { .role = ROLE_TEXT };
	struct str want = str_from(t->value);
	bool same;

	v->pane->columns[t->column].cell(v, row, &out);
	if (out.numeric && t->numeric)
		return out.number >= 0 && compare(t->op, out.number, t->number);
	if (t->op == OP_HAS)
		return text_has_nocase(out.text, want);
	same = str_eq_nocase(out.text, want);
	/* "state=ready" means the word behind the mark */
	if (!same && out.text.n > 3 && out.text.p[2] == ' ')
		same = str_eq_nocase(str_sub(out.text, 3, out.text.n), want);
	if (t->op == OP_EQ)
		return same;
	if (t->op == OP_NE)
		return !same;
	return compare(t->op, str_cmp(out.text, want), 0);
}

static bool
cell_holds(const struct filter_term *t, struct str text)
{
	char buf[512];
	size_t n = text.n < sizeof(buf) - 1 ? text.n : sizeof(buf) - 1;

	if (t->what == TERM_TEXT)
		return text_has_nocase(text, str_from(t->value));
	if (n > 0)
		memcpy(buf, text.p, n);
	buf[n] = '\0';
	return regexec(&t->regex, buf, 0, NULL, 0) == 0;
}

static bool
term_holds(const struct filter_term *t, const struct view *v, size_t row)
{
	if (t->what == TERM_LABELS)
		return labels_hold(t, v, row);
	if (t->what == TERM_COLUMN)
		return column_holds(t, v, row);
	for (size_t i = 0; i < v->pane->ncolumns; i++) {
		struct cell_out out;

		out.text = (struct str){ NULL, 0 };
		out.numeric = false;
		out.role = ROLE_TEXT;
		v->pane->columns[i].cell(v, row, &out);
		if (cell_holds(t, out.text))
			return true;
	}
	return false;
}

bool
filter_matches(const struct filter *f, const struct view *v, size_t row)
{
	bool holds = true;

	for (size_t i = 0; i < f->n; i++) {
		if (f->terms[i].either) {
			if (holds)
				return true;
			holds = true;
		}
		if (holds && term_holds(&f->terms[i], v, row) == f->terms[i].negate)
			holds = false;
	}
	return holds;
}
