#include "backend/sim/cluster_claims.h"
#include "model/quantity.h"

/*
 * The part of CEL that device classes and claims are written in: comparisons joined by "&&".
 *
 *	device.driver == 'gpu.nvidia.com'
 *	device.attributes['gpu.nvidia.com'].productName == 'NVIDIA A10'
 *	device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= 0
 */

/* What stands between quotes at the start of *s, which moves behind them. */
static bool
quoted(struct str *s, struct str *ret)
{
	char quote = s->n > 0 ? s->p[0] : '\0';
	struct str rest = str_sub(*s, 1, s->n);
	ptrdiff_t end = quote == '\'' || quote == '"' ? str_find_char(rest, quote) : -1;

	if (end < 0)
		return false;
	*ret = str_sub(rest, 0, (size_t)end);
	*s = str_sub(rest, (size_t)end + 1, rest.n);
	return true;
}

/* "['DOMAIN'].NAME" at the start of *s; finds it among a driver's own and foreign names. */
static const struct node *
member(const struct node *map, struct str driver, struct str *s)
{
	struct str domain, name;
	size_t n = 0;

	*s = str_sub(*s, str_starts(*s, STR("[")) ? 1 : s->n, s->n);
	if (!quoted(s, &domain) || !str_starts(*s, STR("].")))
		return NULL;
	*s = str_sub(*s, 2, s->n);
	while (n < s->n && s->p[n] != ' ' && s->p[n] != '.' && s->p[n] != '=')
		n++;
	name = str_sub(*s, 0, n);
	*s = str_sub(*s, n, s->n);
	for (const struct node *m = node_first(map); m != NULL; m = m->next) {
		ptrdiff_t slash = str_find_char(m->key, '/');
		struct str of = slash < 0 ? driver : str_sub(m->key, 0, (size_t)slash);
		struct str key = slash < 0 ? m->key : str_sub(m->key, (size_t)slash + 1, m->key.n);

		if (str_eq(of, domain) && str_eq(key, name))
			return m;
	}
	return NULL;
}

/* "== 'VALUE'", or a number or a boolean without quotes. */
static bool
equals(struct str s, const struct node *value)
{
	struct str word;
	int64_t number;

	s = str_trim(s);
	if (value == NULL || !str_starts(s, STR("==")))
		return false;
	s = str_trim(str_sub(s, 2, s.n));
	if (value->type == NODE_STRING)
		return quoted(&s, &word) && str_trim(s).n == 0 && str_eq(word, node_get_str(value));
	if (value->type == NODE_BOOL)
		return str_is(s, node_get_bool(value, false) ? "true" : "false");
	return value->type == NODE_INT && str_to_int(s, &number) &&
	       number == node_get_int(value, 0);
}

static bool
driver_matches(const struct node *device UNUSED, struct str driver, struct str s)
{
	const struct node name = { .type = NODE_STRING, .u.string = driver };

	return equals(s, &name);
}

static bool
attribute_matches(const struct node *device, struct str driver, struct str s)
{
	const struct node *a = member(node_find(device, "attributes"), driver, &s);

	return equals(s, node_first(a)); /* exactly one of string, int, bool, version */
}

/* ".compareTo(quantity('40Gi')) >= 0" */
static bool
capacity_matches(const struct node *device, struct str driver, struct str s)
{
	const struct node *c = member(node_find(device, "capacity"), driver, &s);
	const struct str call = STR(".compareTo(quantity(");
	struct quantity have, want;
	struct str text;

	if (!str_starts(s, call))
		return false;
	s = str_sub(s, call.n, s.n);
	if (!quoted(&s, &text) || !str_starts(s, STR("))")) || !quantity_parse(text, &want, NULL) ||
	    !quantity_parse(node_path_str(c, "value"), &have, NULL))
		return false;
	s = str_trim(str_sub(s, 2, s.n));
	if (str_is(s, ">= 0"))
		return quantity_cmp(&have, &want) >= 0;
	return str_is(s, "> 0") && quantity_cmp(&have, &want) > 0;
}

static bool
term_matches(const struct node *device, struct str driver, struct str s)
{
	static const struct {
		const char *word;
		bool (*matches)(const struct node *device, struct str driver, struct str s);
	} terms[] = {
		{ "device.driver", driver_matches },
		{ "device.attributes", attribute_matches },
		{ "device.capacity", capacity_matches },
	};

	for (size_t i = 0; i < ARRAY_LEN(terms); i++) {
		struct str word = str_from(terms[i].word);

		if (str_starts(s, word))
			return terms[i].matches(device, driver, str_sub(s, word.n, s.n));
	}
	return false;
}

bool
device_matches(const struct node *device, struct str driver, struct str expression)
{
	ptrdiff_t at;

	do {
		at = str_find(expression, STR("&&"));
		if (!term_matches(device, driver,
			str_trim(str_sub(expression, 0, at < 0 ? expression.n : (size_t)at))))
			return false;
		expression =
		    str_sub(expression, at < 0 ? expression.n : (size_t)at + 2, expression.n);
	} while (at >= 0);
	return true;
}
