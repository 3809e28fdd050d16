#include "backend/apiserver/builtin.h"

/* One step of a path: a member, an index, a quoted member, or a filter on a list's elements. */
struct step {
	struct str member;
	struct str filter_member;
	struct str filter_value;
	int64_t index;
	bool is_index;
	bool is_filter;
};

static bool
quoted(struct str s, struct str *ret_inner)
{
	if (s.n < 2 || (s.p[0] != '\'' && s.p[0] != '"') || s.p[s.n - 1] != s.p[0])
		return false;
	*ret_inner = str_sub(s, 1, s.n - 2);
	return true;
}

/* What stands between '[' and ']'. */
static bool
bracket_parse(struct str in, struct step *ret)
{
	if (quoted(in, &ret->member))
		return true;
	if (str_to_int(in, &ret->index)) {
		ret->is_index = true;
		return ret->index >= 0;
	}
	if (!str_starts(in, STR("?(@.")) || !str_ends(in, STR(")")))
		return false;
	struct str test = str_sub(in, 4, in.n - 5);
	ptrdiff_t eq = str_find(test, STR("=="));

	if (eq <= 0)
		return false;
	ret->is_filter = true;
	ret->filter_member = str_trim(str_sub(test, 0, (size_t)eq));
	return quoted(str_trim(str_sub(test, (size_t)eq + 2, test.n)), &ret->filter_value);
}

/* Cuts the next step off *rest; false at the end or for what we do not read. */
static bool
step_next(struct str *rest, struct step *ret)
{
	*ret = (struct step){ 0 };
	if (rest->n == 0)
		return false;
	if (rest->p[0] == '[') {
		ptrdiff_t end = str_find_char(*rest, ']');

		if (end < 0 || !bracket_parse(str_sub(*rest, 1, (size_t)end - 1), ret))
			return false;
		*rest = str_sub(*rest, (size_t)end + 1, rest->n);
		return true;
	}
	if (rest->p[0] != '.')
		return false;
	size_t n = 1;

	while (n < rest->n && rest->p[n] != '.' && rest->p[n] != '[')
		n++;
	ret->member = str_sub(*rest, 1, n - 1);
	*rest = str_sub(*rest, n, rest->n);
	return ret->member.n > 0;
}

static const struct node *
filter_find(const struct node *list, const struct step *s)
{
	for (const struct node *x = node_first(list); x != NULL; x = x->next) {
		if (str_eq(node_get_str(node_find_str(x, s->filter_member)), s->filter_value))
			return x;
	}
	return NULL;
}

const struct node *
jsonpath_find(const struct node *object, const char *path)
{
	struct str rest = str_from(path);
	const struct node *at = object;
	struct step s;

	while (at != NULL && rest.n > 0) {
		if (!step_next(&rest, &s))
			return NULL;
		if (s.is_filter)
			at = filter_find(at, &s);
		else if (s.is_index)
			at = node_at(at, (size_t)s.index);
		else
			at = node_find_str(at, s.member);
	}
	return at;
}
